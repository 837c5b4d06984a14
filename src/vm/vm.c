/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Laying out the memory of an engine: one pass over the parts, which either
 * only measures (mem NULL) or hands out.
 */
#include "vm/vm_priv.h"

static void *
take(uint8_t *mem, size_t *used, size_t n)
{
	size_t at = *used;

	*used += base_align(n, 8);
	return mem ? mem + at : NULL;
}

static bool
is_dynamic(const struct plan_var *v)
{
	return v->kind == DIF_VK_ARRAY || v->scope == DIF_VS_THREAD;
}

/* Bytes of the key of an array as this engine packs it (see vars.c). */
static uint32_t
key_bytes(const struct plan_var *v)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < v->nkeys; i++)
		n += v->keys[i].kind == ABI_FIELD_STRING ?
		     base_align(v->keys[i].size, 8) : 8;
	return n;
}

static void
measure(struct vm *vm)
{
	const struct plan_prog *prog = vm->cfg.prog;

	vm->strsize = BASE_MAX(prog->strsize, 2u);
	vm->max_value = 8;
	vm->max_key = 8;	/* the thread */
	for (uint32_t i = 0; i < prog->nvars; i++) {
		uint32_t key = 8 + key_bytes(&prog->vars[i]);

		vm->max_value = BASE_MAX(vm->max_value,
					 prog->vars[i].type.size);
		vm->max_key = BASE_MAX(vm->max_key, key);
	}
	vm->max_value = base_align(vm->max_value, 8);
	vm->elem_size = 8 + vm->max_key + vm->max_value;
	vm->tmp_size = base_align(BASE_MAX(vm->strsize, vm->max_value), 8);
}

static void
take_slots(struct vm *vm, uint8_t *mem, size_t *used)
{
	const struct plan_prog *prog = vm->cfg.prog;
	struct vm_slot *slots = take(mem, used,
				     sizeof(*slots) * prog->nvars);

	vm->slots = slots;
	for (uint32_t i = 0; i < prog->nvars; i++) {
		const struct plan_var *v = &prog->vars[i];
		uint8_t *value = NULL;

		if (!is_dynamic(v))
			value = take(mem, used, BASE_MAX(v->type.size, 8u));
		if (slots)
			slots[i] = (struct vm_slot){ v, value };
	}
}

static size_t
lay_out(struct vm *vm, uint8_t *mem)
{
	const struct plan_prog *prog = vm->cfg.prog;
	uint32_t agg_key = 8;
	size_t used = 0;

	measure(vm);
	for (uint32_t i = 0; i < prog->naggs; i++)
		agg_key = BASE_MAX(agg_key, prog->aggs[i].key_size);
	take_slots(vm, mem, &used);
	vm->zeros = take(mem, &used, vm->max_value);
	vm->elems = take(mem, &used,
			 (size_t)vm->elem_size * vm->cfg.ndynamic);
	vm->buckets = take(mem, &used,
			   sizeof(*vm->buckets) * vm->cfg.ndynamic);
	vm->specs = take(mem, &used, sizeof(*vm->specs) * vm->cfg.nspec);
	vm->key = take(mem, &used, vm->max_key);
	vm->agg_key = take(mem, &used, agg_key);
	vm->scratch = take(mem, &used, vm->cfg.scratch_size);
	vm->tokens = take(mem, &used, vm->strsize);
	vm->tmp = take(mem, &used, (size_t)vm->tmp_size * VM_NTMP);
	return used;
}

size_t
vm_size(const struct vm_config *cfg)
{
	struct vm vm;

	vm.cfg = *cfg;
	return lay_out(&vm, NULL);
}

void
vm_init(struct vm *vm, const struct vm_config *cfg, void *mem)
{
	memset(vm, 0, sizeof(*vm));
	vm->cfg = *cfg;
	vm->fault.fault = ABI_FAULT_NONE;
	vm->nfuncs = cfg->prog->nfuncs;
	memset(mem, 0, vm_size(cfg));
	lay_out(vm, mem);
	/* Chains hold index + 1; element 0 is the head. */
	for (uint32_t i = 0; i < cfg->ndynamic; i++) {
		uint32_t next = i + 1 < cfg->ndynamic ? i + 2 : 0;

		memcpy(vm->elems + (size_t)i * vm->elem_size, &next,
		       sizeof(next));
	}
	vm->free_elem = cfg->ndynamic ? 1 : 0;
}

void
vm_fire(struct vm *vm)
{
	vm->scratch_used = 0;
	vm->token = NULL;
	vm->exited = false;
	for (uint32_t i = 0; i < vm->cfg.prog->nvars; i++) {
		struct vm_slot *slot = &vm->slots[i];

		if (slot->value && slot->var->scope == DIF_VS_LOCAL)
			memset(slot->value, 0,
			       BASE_MAX(slot->var->type.size, 8u));
	}
}

void
vm_error_record(const struct vm *vm, uint32_t epid,
		struct abi_error_record *ret)
{
	struct abi_error_record r = {
		.hdr = { .epid = ABI_EPID_ERROR, .size = sizeof(r) },
		.epid = epid,
		.action = vm->fault.action,
		.dif_offset = vm->fault.dif_offset,
		.fault = vm->fault.fault,
		.value = vm->fault.value,
		.place = vm->fault.place,
	};

	if (vm->cfg.env->bvar)
		vm->cfg.env->bvar(vm->cfg.ctx, DIF_VAR_TIMESTAMP, 0,
				  &r.hdr.timestamp);
	*ret = r;
}
