/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Records to nodes, each made once.  A pointer, typedef, qualifier, array or
 * function needs its parts, so those are made at once, deepest first; structs,
 * unions and enums are made hollow and filled by type.load.  So one question
 * makes no more than the nodes up to the next struct.
 *
 * The data may be broken on purpose.  Invariants:
 * 1. nodes[i] is NULL (not made), &busy (its parts are being made), &broken,
 *    or a node.  Meeting &busy means that a type contains itself without a
 *    struct in between, which C cannot say: everything on that circle is
 *    broken.  Hence following `base` or `params` in the result always ends.
 * 2. Recursion is at most MAX_DEPTH levels; deeper types are broken too.
 * 3. What is broken stays so; nothing is tried twice.
 */
#include <stddef.h>
#include <string.h>

#include "base/base.h"
#include "btftypes/btftypes_priv.h"
#include "type/make.h"
#include "type/text.h"

enum { MAX_DEPTH = 128, MAX_ALIASES = 64 };

static struct type busy, broken;

/* The node of a type, also of the base's, or NULL when its data is broken or
 * memory is short.  depth: of nodes that are being made. */
static const struct type *get(struct btftypes *b, uint32_t id, int depth);

/* Not one of C's, or not of C's size: take what the bits say. */
static const struct type *
odd_int(struct btftypes *b, const char *name, uint32_t size, bool is_signed)
{
	static const struct type *const by_size[][2] = {
		[1] = { &type_uchar, &type_schar },
		[2] = { &type_ushort, &type_short },
		[4] = { &type_uint, &type_int },
		[8] = { &type_ulong, &type_long },
		[16] = { &type_ullong, &type_llong },
	};

	if (size >= BASE_NELEMS(by_size) || !by_size[size][0])
		return NULL;
	struct type *t = type_new_int(b->arena, name ? name : "int",
				      by_size[size][is_signed]);
	if (t) {
		t->size = t->align = size;
		t->is_char = false;
		t->module = b->module;
	}
	return t;
}

static const struct type *
make_int(struct btftypes *b, const struct raw *r)
{
	uint32_t encoding = BTF_INT_ENCODING(btftypes_u32(r->tail));
	bool is_signed = encoding & BTF_INT_SIGNED;
	const char *name = btftypes_name(b, r->name);
	const struct type *t = name ? type_parse(b->arena, name, NULL, NULL)
				    : NULL;

	/* "long unsigned int" is type_ulong, if it is 8 bytes and unsigned. */
	if (t && t->kind == TYPE_INT && t->size == r->arg &&
	    (t->is_signed == is_signed || t == &type_char))
		return t;
	if ((encoding & BTF_INT_BOOL) && r->arg == 1)
		return type_new_int(b->arena, name ? name : "_Bool",
				    &type_bool);
	return odd_int(b, name, r->arg, is_signed);
}

static const struct type *
make_float(struct btftypes *b, const struct raw *r)
{
	const char *name = btftypes_name(b, r->name);
	struct type *t = type_new_int(b->arena, name ? name : "float",
				      &type_double);

	if (t) {
		t->size = r->arg;
		t->align = r->arg && !(r->arg & (r->arg - 1)) && r->arg <= 16
			   ? r->arg : 1;
		t->module = b->module;
	}
	return t;
}

static const struct type *
make_ptr(struct btftypes *b, const struct raw *r, int depth)
{
	uint32_t to = r->arg;
	bool is_user = false;

	/* Tags stand between the pointer and what it points to. */
	for (int i = 0; i < MAX_ALIASES; i++) {
		struct btftypes *owner = btftypes_owner(b, to);
		if (!owner)
			break;
		struct raw tag = btftypes_raw(owner, to);
		if (tag.kind != BTF_KIND_TYPE_TAG)
			break;
		const char *name = btftypes_name(owner, tag.name);
		is_user |= !tag.flag && name && strcmp(name, "user") == 0;
		to = tag.arg;
	}
	struct type *t = type_new_ptr(b->arena, get(b, to, depth));
	if (t)
		t->is_user = is_user || b->is_user;
	return t;
}

static const struct type *
make_array(struct btftypes *b, const struct raw *r, int depth)
{
	struct btf_array a;

	memcpy(&a, r->tail, sizeof(a));
	return type_new_array(b->arena, get(b, a.type, depth), a.nelems);
}

static const struct type *
make_typedef(struct btftypes *b, const struct raw *r, int depth)
{
	const char *name = btftypes_name(b, r->name);
	struct type *t = name ? type_new_typedef(b->arena, name,
						 get(b, r->arg, depth)) : NULL;

	if (t) {
		t->module = b->module;
		t->is_user = b->is_user;
	}
	return t;
}

static const struct type *
make_func(struct btftypes *b, const struct raw *r, int depth)
{
	struct btf_param p;
	uint32_t n = r->vlen;
	bool variadic = false;
	struct type_member *all = ARENA_ARRAY(b->arena, struct type_member, n);

	if (!all)
		return NULL;
	for (uint32_t i = 0; i < n; i++) {
		memcpy(&p, r->tail + i * sizeof(p), sizeof(p));
		if (!p.type && !p.name_off && i == n - 1) {
			variadic = true;
			n--;
			break;
		}
		all[i].name = btftypes_name(b, p.name_off);
		all[i].type = get(b, p.type, depth);
		if (!all[i].type)
			return NULL;
	}
	struct type *t = type_new_func(b->arena, get(b, r->arg, depth), NULL,
				       0, variadic);
	if (!t)
		return NULL;
	t->u.params = all;
	t->n = n;
	t->module = b->module;
	return t;
}

/* Before kind_flag, a bit-field was an int of fewer bits than its size. */
static void
old_bitfield(struct btftypes *b, uint32_t id, struct type_member *m)
{
	for (int i = 0; i < MAX_ALIASES; i++) {
		b = btftypes_owner(b, id);
		if (!b)
			return;
		struct raw r = btftypes_raw(b, id);
		switch (r.kind) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_CONST:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_TYPE_TAG:
			id = r.arg;
			continue;
		case BTF_KIND_INT:
			break;
		default:
			return;
		}
		uint32_t info = btftypes_u32(r.tail), bits = BTF_INT_BITS(info);
		if (bits && bits < (uint64_t)r.arg * 8) {
			m->bit_size = bits;
			m->bit_offset += BTF_INT_OFFSET(info);
		}
		return;
	}
}

static bool
load_sou(struct type *t)
{
	struct btftypes *b = t->load_ctx;
	struct raw r = btftypes_raw(b, (uint32_t)t->load_arg);
	struct type_member *all = ARENA_ARRAY(b->arena, struct type_member,
					      r.vlen);
	struct btf_member m;

	if (!all)
		return false;
	for (uint32_t i = 0; i < r.vlen; i++) {
		memcpy(&m, r.tail + i * sizeof(m), sizeof(m));
		all[i].name = btftypes_name(b, m.name_off);
		all[i].type = get(b, m.type, 0);
		if (!all[i].type)
			return false;
		all[i].bit_offset = m.offset;
		if (r.flag) {
			all[i].bit_offset = BTF_MEMBER_BIT_OFFSET(m.offset);
			all[i].bit_size = BTF_MEMBER_BITFIELD_SIZE(m.offset);
		} else {
			old_bitfield(b, m.type, &all[i]);
		}
	}
	t->u.members = all;
	t->n = r.vlen;
	t->load = NULL;
	return true;
}

static bool
load_enum(struct type *t)
{
	struct btftypes *b = t->load_ctx;
	struct raw r = btftypes_raw(b, (uint32_t)t->load_arg);
	struct type_enumerator *all =
		ARENA_ARRAY(b->arena, struct type_enumerator, r.vlen);
	size_t step = r.kind == BTF_KIND_ENUM64 ? sizeof(struct btf_enum64)
						: sizeof(struct btf_enum);

	if (!all)
		return false;
	for (uint32_t i = 0; i < r.vlen; i++) {
		const uint8_t *p = r.tail + i * step;
		uint32_t low = btftypes_u32(p + 4);
		all[i].name = btftypes_name(b, btftypes_u32(p));
		if (r.kind == BTF_KIND_ENUM64)
			all[i].value = (int64_t)(low |
				(uint64_t)btftypes_u32(p + 8) << 32);
		else
			all[i].value = r.flag ? (int32_t)low : (int64_t)low;
	}
	t->u.enums = all;
	t->n = r.vlen;
	t->load = NULL;
	return true;
}

/* A struct, union or enum still to be filled. */
static const struct type *
make_hollow(struct btftypes *b, const struct raw *r, uint32_t id,
	    enum type_kind kind)
{
	const char *tag = btftypes_name(b, r->name);
	struct type *t = type_new_fwd(b->arena, kind, tag);

	if (!t)
		return NULL;
	t->kind = (uint8_t)kind;
	t->size = r->arg;
	t->module = b->module;
	t->is_user = b->is_user;
	t->load = kind == TYPE_ENUM ? load_enum : load_sou;
	t->load_ctx = b;
	t->load_arg = id;
	t->align = 0;
	if (kind == TYPE_ENUM) {
		t->is_signed = r->flag;
		t->align = r->arg;
		if (r->arg != 1 && r->arg != 2 && r->arg != 4 && r->arg != 8)
			return NULL;
	}
	return t;
}

static const struct type *
make_fwd(struct btftypes *b, const struct raw *r)
{
	struct type *t = type_new_fwd(b->arena, r->flag ? TYPE_UNION
						: TYPE_STRUCT,
				      btftypes_name(b, r->name));

	if (t) {
		t->module = b->module;
		t->is_user = b->is_user;
	}
	return t;
}

static const struct type *
make(struct btftypes *b, uint32_t id, int depth)
{
	struct raw r = btftypes_raw(b, id);

	switch (r.kind) {
	case BTF_KIND_INT:	return make_int(b, &r);
	case BTF_KIND_FLOAT:	return make_float(b, &r);
	case BTF_KIND_PTR:	return make_ptr(b, &r, depth);
	case BTF_KIND_ARRAY:	return make_array(b, &r, depth);
	case BTF_KIND_STRUCT:	return make_hollow(b, &r, id, TYPE_STRUCT);
	case BTF_KIND_UNION:	return make_hollow(b, &r, id, TYPE_UNION);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:	return make_hollow(b, &r, id, TYPE_ENUM);
	case BTF_KIND_FWD:	return make_fwd(b, &r);
	case BTF_KIND_TYPEDEF:	return make_typedef(b, &r, depth);
	case BTF_KIND_CONST:
		return type_new_qual(b->arena, TYPE_CONST,
				     get(b, r.arg, depth));
	case BTF_KIND_VOLATILE:
		return type_new_qual(b->arena, TYPE_VOLATILE,
				     get(b, r.arg, depth));
	case BTF_KIND_RESTRICT:
		return type_new_qual(b->arena, TYPE_RESTRICT,
				     get(b, r.arg, depth));
	case BTF_KIND_FUNC_PROTO: return make_func(b, &r, depth);
	case BTF_KIND_FUNC:	/* its prototype */
	case BTF_KIND_TYPE_TAG:	return get(b, r.arg, depth);
	default:		return NULL;	/* VAR, DATASEC, DECL_TAG */
	}
}

static const struct type *
get(struct btftypes *b, uint32_t id, int depth)
{
	if (!id)
		return &type_void;
	b = btftypes_owner(b, id);
	if (!b)
		return NULL;

	struct type **at = &b->nodes[id - b->first_id];
	if (*at)
		return *at == &busy || *at == &broken ? NULL : *at;
	if (depth >= MAX_DEPTH)
		return NULL;
	*at = &busy;
	const struct type *t = make(b, id, depth + 1);
	*at = t ? (struct type *)(uintptr_t)t : &broken;
	return t;
}

/* The BTF kinds that answer for one of ours, best first. */
static const struct {
	enum type_kind kind;
	uint32_t first, second;		/* sets of BTF kinds */
} wanted[] = {
	{ TYPE_STRUCT, 1 << BTF_KIND_STRUCT, 1 << BTF_KIND_FWD },
	{ TYPE_UNION, 1 << BTF_KIND_UNION, 1 << BTF_KIND_FWD },
	{ TYPE_ENUM, 1 << BTF_KIND_ENUM | 1 << BTF_KIND_ENUM64, 0 },
	{ TYPE_TYPEDEF, 1 << BTF_KIND_TYPEDEF, 0 },
	{ TYPE_FUNC, 1 << BTF_KIND_FUNC, 0 },
};

static const struct type *
find_own(struct btftypes *b, uint32_t kinds, enum type_kind kind,
	 const char *name)
{
	uint32_t id = kinds ? btftypes_search(b, kinds, name) : 0;
	const struct type *t = id ? get(b, id, 0) : NULL;

	if (t && t->kind == TYPE_FWD && t->fwd_kind != kind)
		return NULL;
	return t && t->kind != TYPE_FWD && t->kind != kind ? NULL : t;
}

const struct type *
btftypes_find(struct btftypes *b, enum type_kind kind, const char *name)
{
	struct err *e = btftypes_index(b);

	if (e) {
		err_free(e);
		return NULL;
	}
	for (size_t i = 0; i < BASE_NELEMS(wanted); i++) {
		if (wanted[i].kind != kind)
			continue;
		const struct type *t = find_own(b, wanted[i].first, kind,
						name);
		if (!t && b->base)
			t = btftypes_find(b->base, kind, name);
		if (!t)
			t = find_own(b, wanted[i].second, kind, name);
		return t;
	}
	return NULL;
}

const struct type *
btftypes_variable(struct btftypes *b, const char *name)
{
	struct err *e = btftypes_index(b);
	uint32_t id = e ? 0 : btftypes_search(b, 1 << BTF_KIND_VAR, name);

	err_free(e);
	return id ? get(b, btftypes_raw(b, id).arg, 0) : NULL;
}

uint32_t
btftypes_id(struct btftypes *b, enum type_kind kind, const char *name)
{
	struct err *e = btftypes_index(b);

	err_free(e);
	for (size_t i = 0; !e && i < BASE_NELEMS(wanted); i++)
		if (wanted[i].kind == kind)
			return btftypes_search(b, wanted[i].first, name);
	return 0;
}

/* Is id an enum that has an enumerator of that name?  Told by its record alone: there
 * are thousands, and a node is made of those that are wanted. */
static bool
has_enumerator(const struct btftypes *b, uint32_t id, const char *name)
{
	struct raw r = btftypes_raw(b, id);
	size_t step = r.kind == BTF_KIND_ENUM64 ? sizeof(struct btf_enum64)
						: sizeof(struct btf_enum);

	if (r.kind != BTF_KIND_ENUM && r.kind != BTF_KIND_ENUM64)
		return false;
	for (uint32_t i = 0; i < r.vlen; i++) {
		const char *its = btftypes_name(b, btftypes_u32(r.tail +
								i * step));
		if (its && strcmp(its, name) == 0)
			return true;
	}
	return false;
}

void
btftypes_enumerators(struct btftypes *b, const char *name, btftypes_enum_fn *fn,
		     void *ctx)
{
	struct err *e = btftypes_index(b);
	int64_t value;

	for (uint32_t id = b->first_id; !e && btftypes_reach(b, id); id++) {
		const struct type *t = has_enumerator(b, id, name) ?
				       get(b, id, 0) : NULL;
		if (t && type_find_enum(t, name, &value) && !fn(ctx, t, value))
			return;
	}
	err_free(e);
}

bool
btftypes_percpu(struct btftypes *b, const char *name, uint32_t *ret)
{
	struct err *e = btftypes_index(b);
	uint32_t var = 0, sec = 0;

	if (!e) {
		var = btftypes_search(b, 1 << BTF_KIND_VAR, name);
		sec = btftypes_search(b, 1 << BTF_KIND_DATASEC,
				      ".data..percpu");
	}
	err_free(e);
	if (!var || !sec)
		return false;
	struct raw r = btftypes_raw(b, sec);
	for (uint32_t i = 0; i < r.vlen; i++) {
		const uint8_t *p = r.tail +
				   i * sizeof(struct btf_var_secinfo);
		if (btftypes_u32(p) != var)
			continue;
		*ret = btftypes_u32(p + offsetof(struct btf_var_secinfo,
						 offset));
		return true;
	}
	return false;
}
