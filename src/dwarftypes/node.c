/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Entries to nodes, each made once, as btftypes/node.c does it with the kernel's: a
 * pointer and the like needs its parts, so those are made at once; structs, unions
 * and enums are made hollow and filled by type.load.
 *
 * The data may be broken on purpose.  Invariants:
 * 1. nodes[entry] is absent (not made), &busy (its parts are being made), &broken,
 *    or a node.  Meeting &busy means a type that contains itself without a struct
 *    in between: everything on that circle is broken.
 * 2. Recursion is at most MAX_DEPTH levels; deeper types are broken, too.
 */
#include <string.h>

#include "base/base.h"
#include "dwarftypes/dwarftypes_priv.h"
#include "dwarftypes/load_priv.h"
#include "type/make.h"
#include "type/text.h"

enum { MAX_DEPTH = 128, MAX_DIMS = 32 };

static const struct type busy, broken;

static const struct type *get(struct dwarftypes *d, Dwarf_Die *die, int depth);

bool
dwarftypes_number(const struct dwarftypes *d, Dwarf_Die *die, unsigned attr,
		  uint64_t *ret)
{
	Dwarf_Attribute a;
	Dwarf_Word v;

	if (!d->lib->dwarf_attr_integrate(die, attr, &a) ||
	    d->lib->dwarf_formudata(&a, &v))
		return false;
	*ret = v;
	return true;
}

static bool
type_entry(const struct dwarftypes *d, Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute a;

	return d->lib->dwarf_attr_integrate(die, DW_AT_type, &a) &&
	       d->lib->dwarf_formref_die(&a, ret);
}

/* What the entry says is its type; without a word, void. */
static const struct type *
base_of(struct dwarftypes *d, Dwarf_Die *die, int depth)
{
	Dwarf_Die to;

	return type_entry(d, die, &to) ? get(d, &to, depth) : &type_void;
}

const struct type *
dwarftypes_type_of(struct dwarftypes *d, Dwarf_Die *die)
{
	return base_of(d, die, 0);
}

/* --- Basic types ---------------------------------------------------------- */

/* Not one of C's, or not of C's size: take what the numbers say. */
static const struct type *
odd_int(struct dwarftypes *d, const char *name, uint64_t size, bool is_signed)
{
	static const struct type *const by_size[][2] = {
		[1] = { &type_uchar, &type_schar },
		[2] = { &type_ushort, &type_short },
		[4] = { &type_uint, &type_int },
		[8] = { &type_ulong, &type_long },
	};

	if (size >= BASE_NELEMS(by_size) || !by_size[size][0])
		return type_new_opaque(d->arena, name ? name : "int", size,
				       size && size <= 16 && !(size & (size - 1))
				       ? (uint32_t)size : 1);
	struct type *t = type_new_int(d->arena, name ? name : "int",
				      by_size[size][is_signed]);
	if (t) {
		t->is_char = false;
		t->module = d->module;
	}
	return t;
}

static const struct type *
make_float(struct dwarftypes *d, const char *name, uint64_t size)
{
	struct type *t = type_new_int(d->arena, name ? name : "float",
				      &type_double);

	if (t) {
		t->size = size;
		t->align = size && size <= 16 && !(size & (size - 1)) ?
			   (uint32_t)size : 1;
		t->module = d->module;
	}
	return t;
}

static const struct type *
make_basic(struct dwarftypes *d, Dwarf_Die *die)
{
	const char *name = dwarftypes_name(d, die);
	uint64_t size = 0, encoding = 0;

	dwarftypes_number(d, die, DW_AT_byte_size, &size);
	dwarftypes_number(d, die, DW_AT_encoding, &encoding);
	bool is_signed = encoding == DW_ATE_signed ||
			 encoding == DW_ATE_signed_char;
	const struct type *t = name ? type_parse(d->arena, name, NULL, NULL)
				    : NULL;
	if (t && t->kind == TYPE_INT && t->size == size &&
	    encoding != DW_ATE_boolean &&
	    (t->is_signed == is_signed || t == &type_char))
		return t;
	switch (encoding) {
	case DW_ATE_boolean:
		return size != 1 ? odd_int(d, name, size, false) :
			type_new_int(d->arena, name ? name : "bool",
				     &type_bool);
	case DW_ATE_float:
		return make_float(d, name, size);
	case DW_ATE_complex_float:
	case DW_ATE_imaginary_float:
		return type_new_opaque(d->arena, name ? name : "complex", size,
				       1);
	default:
		return odd_int(d, name, size, is_signed);
	}
}

/* --- Derived types -------------------------------------------------------- */

const struct type *
dwarftypes_pointer(struct dwarftypes *d, const struct type *to)
{
	struct type *t = type_new_ptr(d->arena, to);

	if (t) {
		t->size = t->align = d->word;
		t->is_user = true;
	}
	return t;
}

static const struct type *
make_ptr(struct dwarftypes *d, Dwarf_Die *die, int depth)
{
	const struct type *to = base_of(d, die, depth);

	/* It may point to what cannot be told. */
	return dwarftypes_pointer(d, to ? to : &type_void);
}

/* The number of elements of one dimension; 0: open, or nobody says. */
static uint64_t
count_elements(struct dwarftypes *d, Dwarf_Die *range)
{
	uint64_t n, low = 0;
	Dwarf_Attribute a;
	Dwarf_Sword high;

	if (dwarftypes_number(d, range, DW_AT_count, &n))
		return n;
	dwarftypes_number(d, range, DW_AT_lower_bound, &low);
	if (!d->lib->dwarf_attr_integrate(range, DW_AT_upper_bound, &a) ||
	    d->lib->dwarf_formsdata(&a, &high))
		return 0;
	/* One byte of data with the highest bit set is no negative number;
	 * but -1 is how GNU C says [0]. */
	if (high < 0 && d->lib->dwarf_whatform(&a) != DW_FORM_sdata &&
	    d->lib->dwarf_formudata(&a, &n) == 0)
		high = (Dwarf_Sword)n;
	return (uint64_t)high - low + 1;
}

static const struct type *
make_array(struct dwarftypes *d, Dwarf_Die *die, int depth)
{
	const struct type *t = base_of(d, die, depth);
	uint64_t dims[MAX_DIMS];
	unsigned n = 0;
	Dwarf_Die range;

	if (d->lib->dwarf_child(die, &range))
		return type_new_array(d->arena, t, 0);
	do {
		if (d->lib->dwarf_tag(&range) == DW_TAG_subrange_type &&
		    n < MAX_DIMS)
			dims[n++] = count_elements(d, &range);
	} while (d->lib->dwarf_siblingof(&range, &range) == 0);
	while (n)
		t = type_new_array(d->arena, t, dims[--n]);
	return t;
}

static const struct type *
make_typedef(struct dwarftypes *d, Dwarf_Die *die, int depth)
{
	const char *name = dwarftypes_name(d, die);
	struct type *t = name ? type_new_typedef(d->arena, name,
						 base_of(d, die, depth)) : NULL;

	if (t) {
		t->module = d->module;
		t->is_user = true;
	}
	return t;
}

/* --- Functions ------------------------------------------------------------ */

/* The parameters of a function, which are `skip` at most. */
static bool
params_of(struct dwarftypes *d, Dwarf_Die *die, int depth,
	  struct type_member *all, uint32_t *n, bool *variadic)
{
	uint32_t most = all ? *n : UINT32_MAX;
	Dwarf_Die p;

	*n = 0;
	if (d->lib->dwarf_child(die, &p))
		return true;
	do {
		int tag = d->lib->dwarf_tag(&p);
		*variadic |= tag == DW_TAG_unspecified_parameters;
		if (tag != DW_TAG_formal_parameter || *n >= most)
			continue;
		if (all) {
			all[*n].name = dwarftypes_name(d, &p);
			all[*n].type = base_of(d, &p, depth);
			if (!all[*n].type)
				return false;
		}
		++*n;
	} while (d->lib->dwarf_siblingof(&p, &p) == 0);
	return true;
}

static const struct type *
make_func(struct dwarftypes *d, Dwarf_Die *die, int depth)
{
	const struct type *result = base_of(d, die, depth);
	bool variadic = false;
	uint32_t n;

	params_of(d, die, depth, NULL, &n, &variadic);
	struct type_member *all = ARENA_ARRAY(d->arena, struct type_member, n);
	if (!all || !params_of(d, die, depth, all, &n, &variadic))
		return NULL;
	struct type *t = type_new_func(d->arena, result, all, n, variadic);
	if (t)
		t->module = d->module;
	return t;
}

/* --- Structs, unions and enums -------------------------------------------- */

static const struct type *
new_hollow(struct dwarftypes *d, Dwarf_Die *die, enum type_kind kind)
{
	struct type *t = type_new_fwd(d->arena, kind, dwarftypes_name(d, die));
	Dwarf_Die *own = arena_memdup(d->arena, die, sizeof(*die));
	uint64_t size = 0, align = 0;

	if (!t || !own)
		return NULL;
	dwarftypes_number(d, die, DW_AT_byte_size, &size);
	dwarftypes_number(d, die, DW_AT_alignment, &align);
	t->kind = (uint8_t)kind;
	t->size = size;
	t->align = align <= UINT32_MAX ? (uint32_t)align : 0;
	t->module = d->module;
	t->is_user = true;
	t->load = kind == TYPE_ENUM ? dwarftypes_load_enum
				    : dwarftypes_load_sou;
	t->load_ctx = d;
	t->load_arg = (uintptr_t)own;
	if (kind == TYPE_ENUM)
		dwarftypes_shape_enum(d, die, t);
	return t;
}

/* The entry that defines what `die` declares. */
static Dwarf_Die *
definition(struct dwarftypes *d, Dwarf_Die *die, enum type_kind kind,
	   Dwarf_Die *room)
{
	enum entry_kind entry = kind == TYPE_STRUCT ? ENTRY_STRUCT :
				kind == TYPE_UNION ? ENTRY_UNION : ENTRY_ENUM;
	const char *name = dwarftypes_name(d, die);
	Dwarf_Attribute a;

	if (d->lib->dwarf_attr(die, DW_AT_signature, &a) &&
	    d->lib->dwarf_formref_die(&a, room))
		return room;
	return name ? hash_get(&d->names[entry], name, strlen(name) + 1) : NULL;
}

/* It names the unit of its own that the type has (-fdebug-types-section). */
static bool
is_elsewhere(const struct dwarftypes *d, Dwarf_Die *die)
{
	Dwarf_Attribute a;

	return dwarftypes_has_flag(d, die, DW_AT_declaration) ||
	       d->lib->dwarf_attr(die, DW_AT_signature, &a);
}

static const struct type *
make_tagged(struct dwarftypes *d, Dwarf_Die *die, enum type_kind kind,
	    int depth)
{
	bool is_bare = dwarftypes_is_bare_enum(d, die);
	Dwarf_Die room, *at;

	if (!is_bare && !is_elsewhere(d, die))
		return new_hollow(d, die, kind);
	at = definition(d, die, kind, &room);
	if (is_bare && (!at || at->addr == die->addr))
		return new_hollow(d, die, kind);
	if (at)
		return get(d, at, depth);
	struct type *t = type_new_fwd(d->arena, kind, dwarftypes_name(d, die));
	if (t) {
		t->module = d->module;
		t->is_user = true;
	}
	return t;
}

/* --- All ------------------------------------------------------------------ */

/* Of what C does not have, its bytes. */
static const struct type *
make_other(struct dwarftypes *d, Dwarf_Die *die, int depth)
{
	const struct type *word = d->word == 4 ? &type_int : &type_long;
	const char *name = dwarftypes_name(d, die);
	uint64_t size = 0;

	if (d->lib->dwarf_tag(die) == DW_TAG_ptr_to_member_type)
		return base_of(d, die, depth) == NULL ? word :
		       type_is_func(base_of(d, die, depth)) ?
		       type_new_array(d->arena, word, 2) : word;
	if (dwarftypes_number(d, die, DW_AT_byte_size, &size))
		return type_new_opaque(d->arena, name ? name : "unknown", size,
				       1);
	return base_of(d, die, depth);
}

static const struct type *
make(struct dwarftypes *d, Dwarf_Die *die, int depth)
{
	switch (d->lib->dwarf_tag(die)) {
	case DW_TAG_base_type:		return make_basic(d, die);
	case DW_TAG_unspecified_type:	return &type_void;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return make_ptr(d, die, depth);
	case DW_TAG_array_type:		return make_array(d, die, depth);
	case DW_TAG_typedef:		return make_typedef(d, die, depth);
	case DW_TAG_subroutine_type:	return make_func(d, die, depth);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_interface_type:
	case DW_TAG_variant:
		return make_tagged(d, die, TYPE_STRUCT, depth);
	case DW_TAG_union_type:
		return make_tagged(d, die, TYPE_UNION, depth);
	case DW_TAG_enumeration_type:
		return make_tagged(d, die, TYPE_ENUM, depth);
	case DW_TAG_const_type:
		return type_new_qual(d->arena, TYPE_CONST,
				     base_of(d, die, depth));
	case DW_TAG_volatile_type:
		return type_new_qual(d->arena, TYPE_VOLATILE,
				     base_of(d, die, depth));
	case DW_TAG_restrict_type:
		return type_new_qual(d->arena, TYPE_RESTRICT,
				     base_of(d, die, depth));
	case DW_TAG_invalid:		return NULL;
	default:			return make_other(d, die, depth);
	}
}

static const struct type *
get(struct dwarftypes *d, Dwarf_Die *die, int depth)
{
	void **at = hash_ref(&d->nodes, &die->addr, sizeof(die->addr));

	if (!at || depth >= MAX_DEPTH)
		return NULL;
	if (*at)
		return *at == &busy || *at == &broken ? NULL : *at;
	*at = (void *)(uintptr_t)&busy;
	const struct type *t = make(d, die, depth + 1);
	/* Others may have come into the table meanwhile. */
	at = hash_ref(&d->nodes, &die->addr, sizeof(die->addr));
	*at = (void *)(uintptr_t)(t ? t : &broken);
	return t;
}

const struct type *
dwarftypes_node(struct dwarftypes *d, Dwarf_Die *die)
{
	return get(d, die, 0);
}
