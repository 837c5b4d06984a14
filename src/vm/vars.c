/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Variables.  Global and clause-local scalars have a fixed place.  Thread-
 * locals and elements of arrays are elements of one hash table:
 *
 *	next: 4 bytes	index + 1 of the next in the chain, or in the free list
 *	slot: 4 bytes	index + 1 of the variable's slot; 0: free
 *	key		the thread (0 for globals), then the parts of the
 *			tuple, zero-padded to the largest key there is
 *	value		a by-value one as 8 bytes; zero-padded to the largest
 *
 * All elements have one size.  That wastes room, and makes allocation a pop
 * from a list that never fragments; this engine is not the fast one.
 */
#include "abi/point.h"
#include "vm/vm_priv.h"

struct elem_head {
	uint32_t next, slot;
};

static struct elem_head *
elem_at(const struct vm *vm, uint32_t i)
{
	return (struct elem_head *)(vm->elems + (size_t)i * vm->elem_size);
}

static uint8_t *
elem_key(struct elem_head *e)
{
	return (uint8_t *)(e + 1);
}

static uint8_t *
elem_value(const struct vm *vm, struct elem_head *e)
{
	return elem_key(e) + vm->max_key;
}

static struct vm_slot *
find_slot(const struct vm *vm, uint32_t id, int scope, int kind)
{
	for (uint32_t i = 0; i < vm->cfg.prog->nvars; i++) {
		const struct plan_var *v = vm->slots[i].var;

		if (v->id == id && v->scope == scope && v->kind == kind)
			return &vm->slots[i];
	}
	return NULL;
}

/* --- The table of dynamic variables ------------------------------------ */

/* FNV-1a over slot and key; any mixing would do. */
static uint32_t *
bucket_of(const struct vm *vm, uint32_t slot)
{
	uint64_t h = 0xcbf29ce484222325u ^ slot;

	for (uint32_t i = 0; i < vm->max_key; i++)
		h = (h ^ vm->key[i]) * 0x100000001b3u;
	return &vm->buckets[(h >> 32) % vm->cfg.ndynamic];
}

/* The link to the element of vm->key, or to 0 at the end of its chain. */
static uint32_t *
find_link(const struct vm *vm, uint32_t slot)
{
	uint32_t *link = bucket_of(vm, slot);

	while (*link) {
		struct elem_head *e = elem_at(vm, *link - 1);

		if (e->slot == slot &&
		    !memcmp(elem_key(e), vm->key, vm->max_key))
			break;
		link = &e->next;
	}
	return link;
}

static void
remove_elem(struct vm *vm, uint32_t slot)
{
	uint32_t *link, index;
	struct elem_head *e;

	if (!vm->cfg.ndynamic)
		return;
	link = find_link(vm, slot);
	index = *link;
	if (!index)
		return;
	e = elem_at(vm, index - 1);
	*link = e->next;
	e->slot = 0;
	e->next = vm->free_elem;
	vm->free_elem = index;
}

/* The value of vm->key, made of zeros when there is none; NULL when full. */
static uint8_t *
make_elem(struct vm *vm, uint32_t slot)
{
	struct elem_head *e;
	uint32_t *link;

	if (!vm->cfg.ndynamic)
		return NULL;
	link = find_link(vm, slot);
	if (*link)
		return elem_value(vm, elem_at(vm, *link - 1));
	if (!vm->free_elem)
		return NULL;
	*link = vm->free_elem;
	e = elem_at(vm, vm->free_elem - 1);
	vm->free_elem = e->next;
	e->next = 0;
	e->slot = slot;
	memcpy(elem_key(e), vm->key, vm->max_key);
	memset(elem_value(vm, e), 0, vm->max_value);
	return elem_value(vm, e);
}

static uint8_t *
find_elem(const struct vm *vm, uint32_t slot)
{
	uint32_t index = vm->cfg.ndynamic ? *find_link(vm, slot) : 0;

	return index ? elem_value(vm, elem_at(vm, index - 1)) : NULL;
}

/* --- Keys -------------------------------------------------------------- */

static bool
pack_part(struct vm *vm, const struct abi_field *part,
	  const struct vm_tuple *t, uint8_t **at)
{
	uint64_t most = part->size ?
			plan_string_room(part->size, vm->strsize) - 1 : 0;
	uint32_t len;

	if ((part->kind == ABI_FIELD_STRING) != (t->kind == DIF_PUSH_STRING))
		return vm_raise(vm, ABI_FAULT_ILLOP, 0);
	if (t->kind == DIF_PUSH_INT) {
		memcpy(*at, &t->value, 8);
		*at += 8;
		return true;
	}
	if (t->size)
		most = BASE_MIN(most, t->size);
	if (most && !vm_load_text(vm, t->value, most, false, (char *)*at,
				  &len))
		return false;
	*at += base_align(part->size, 8);
	return true;
}

static bool
pack_key(struct vm *vm, const struct plan_var *v, const struct vm_tuple *ts,
	 unsigned nts)
{
	uint64_t thread = 0;
	uint8_t *at = vm->key + 8;

	memset(vm->key, 0, vm->max_key);
	if (v->scope == DIF_VS_THREAD) {
		if (!vm_bvar(vm, DIF_VAR_TID, 0, &thread))
			return false;
		memcpy(vm->key, &thread, 8);
	}
	if (nts != (v->kind == DIF_VK_ARRAY ? v->nkeys : 0))
		return vm_raise(vm, ABI_FAULT_ILLOP, 0);
	for (unsigned i = 0; i < nts; i++)
		if (!pack_part(vm, &v->keys[i], &ts[i], &at))
			return false;
	return true;
}

/* --- Loads and stores -------------------------------------------------- */

static uint64_t
cut(uint64_t v, uint32_t size)
{
	return size >= 8 ? v : v & ((1ULL << size * 8) - 1);
}

bool
vm_var_load(struct vm *vm, uint32_t id, int scope, int kind,
	    const struct vm_tuple *ts, unsigned nts, uint64_t *ret)
{
	struct vm_slot *slot = find_slot(vm, id, scope, kind);
	const uint8_t *value;

	if (!slot)
		return vm_raise(vm, ABI_FAULT_ILLOP, 0);
	value = slot->value;
	if (!value) {
		if (!pack_key(vm, slot->var, ts, nts))
			return false;
		value = find_elem(vm, slot - vm->slots + 1);
		if (!value)
			value = vm->zeros;
	}
	if (plan_var_is_ref(slot->var))
		*ret = (uintptr_t)value;
	else
		memcpy(ret, value, 8);
	return true;
}

/* Read what a store to v copies into the first temporary; *n bytes of it. */
static bool
fetch(struct vm *vm, const struct plan_var *v, uint64_t from, uint32_t *n)
{
	bool user = v->type.flags & DIF_TF_BYUREF;
	char *tmp = vm_tmp(vm, 0);

	*n = v->type.size;
	if (v->type.kind != DIF_TYPE_STRING)
		return vm_load(vm, from, tmp, *n, user);
	/* A limit of 0 would mean none: a string of size 1 is always "". */
	if (v->type.size <= 1) {
		*n = 0;
		return true;
	}
	return vm_load_string(vm, from, v->type.size - 1, user, tmp, n);
}

static void
put_value(const struct plan_var *v, uint8_t *value, const void *p, uint32_t n)
{
	memset(value, 0, v->type.size);
	memcpy(value, p, n);
}

bool
vm_var_store(struct vm *vm, uint32_t id, int scope, int kind,
	     const struct vm_tuple *ts, unsigned nts, uint64_t v)
{
	struct vm_slot *slot = find_slot(vm, id, scope, kind);
	const void *from = &v;
	uint8_t *value;
	uint32_t n = 8;

	if (!slot)
		return vm_raise(vm, ABI_FAULT_ILLOP, 0);
	if (!slot->value && !pack_key(vm, slot->var, ts, nts))
		return false;
	if (!plan_var_is_ref(slot->var)) {
		v = cut(v, slot->var->type.size);
	} else if (v) {
		if (!fetch(vm, slot->var, v, &n))
			return false;
		from = vm_tmp(vm, 0);
	} else {
		n = 0;
	}
	value = slot->value;
	if (!value && v == 0) {
		remove_elem(vm, slot - vm->slots + 1);
		return true;
	}
	if (!value)
		value = make_elem(vm, slot - vm->slots + 1);
	if (value)
		put_value(slot->var, value, from, n);
	else
		vm->drops[ABI_DROP_DYNAMIC]++;
	return true;
}

/* Strings that are put together for whoever asks. */
static bool
is_made(uint32_t id)
{
	return id == DIF_VAR_EXECARGS || id == DIF_VAR_CWD ||
	       id == DIF_VAR_ROOT;
}

static bool
make_string(struct vm *vm, uint64_t addr, uint64_t *ret)
{
	char *tmp = vm_tmp(vm, 0);
	uint32_t n;

	return vm_load_string(vm, addr, 0, false, tmp, &n) &&
	       vm_return_string(vm, tmp, n, ret);
}

bool
vm_bvar(struct vm *vm, uint32_t id, uint64_t index, uint64_t *ret)
{
	const struct dif_bvarinfo *info = dif_bvar_info(id);
	uint64_t v;

	if (!info)
		return vm_raise(vm, ABI_FAULT_ILLOP, 0);
	if (id == DIF_VAR_ARGS && index >= ABI_NARGS) {
		*ret = 0;
		return true;
	}
	if (!vm->cfg.env->bvar ||
	    !vm->cfg.env->bvar(vm->cfg.ctx, id, index, &v))
		return vm_raise(vm, ABI_FAULT_ILLOP, 0);
	if (is_made(id))
		return make_string(vm, v, ret);
	*ret = info->size ? cut(v, info->size) : v;
	return true;
}

/* --- Addresses of by-reference values -------------------------------------- */

static uint8_t *
inside(uint64_t addr, uint64_t n, uint8_t *value, uint32_t size)
{
	uint64_t base = (uintptr_t)value;

	return n <= size && addr >= base && addr - base <= size - n ?
	       (uint8_t *)(uintptr_t)addr : NULL;
}

/* A global string is changed as a whole. */
static bool
is_writable(const struct plan_var *v)
{
	return v->scope == DIF_VS_LOCAL || v->type.kind != DIF_TYPE_STRING;
}

uint8_t *
vm_var_at(const struct vm *vm, uint64_t addr, uint64_t n, bool store)
{
	for (uint32_t i = 0; i < vm->cfg.prog->nvars; i++) {
		const struct vm_slot *slot = &vm->slots[i];
		uint8_t *p;

		if (!slot->value || !plan_var_is_ref(slot->var))
			continue;
		if (store && !is_writable(slot->var))
			continue;
		p = inside(addr, n, slot->value, slot->var->type.size);
		if (p)
			return p;
	}
	return NULL;
}

const uint8_t *
vm_elem_at(const struct vm *vm, uint64_t addr, uint64_t n)
{
	uint64_t off = addr - (uintptr_t)vm->elems;
	const struct plan_var *v;
	struct elem_head *e;

	if (addr < (uintptr_t)vm->elems ||
	    off / vm->elem_size >= vm->cfg.ndynamic)
		return NULL;
	e = elem_at(vm, off / vm->elem_size);
	if (!e->slot)
		return NULL;
	v = vm->slots[e->slot - 1].var;
	return plan_var_is_ref(v) ?
	       inside(addr, n, elem_value(vm, e), v->type.size) : NULL;
}
