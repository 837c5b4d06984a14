/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Prototypes as callers follow them, not only as they are written: what C++ and Rust
 * pass by reference, though a value is written, is a pointer here; so is what they
 * return in memory, whose place is then a first argument that is no parameter.
 *
 *	C	structs are copied; a result of more than two words is in memory, and
 *		with 32 bits any
 *	C++	a class is copied unless it, what it inherits, or a member of it has
 *		a destructor of its own, a constructor that copies or moves, or
 *		virtual functions; some compilers say so (DW_AT_calling_convention).
 *		Where neither can be seen, nobody knows where the arguments from
 *		there on are, and they are left out
 *	Rust	what has more than two words is passed by reference.  What a closure has
 *		captured is its first argument (closure.c)
 *	Fortran	all is passed by reference but what is said to be a value; of Pascal's and
 *		others' parameters their place at the entry tells that
 *	Go	has an order of its own (is_go); its results stand among the
 *		parameters
 */
#include <string.h>

#include "dwarftypes/dwarftypes_priv.h"
#include "dwarftypes/load_priv.h"
#include "type/make.h"

enum { MAX_NAMES = 32, MAX_DEPTH = 16 };

enum passing { BY_VALUE, BY_REFERENCE, UNKNOWN };

static int
language(const struct dwarftypes *d, Dwarf_Die *die)
{
	Dwarf_Die unit;

	return d->lib->dwarf_diecu(die, &unit, NULL, NULL) ?
	       d->lib->dwarf_srclang(&unit) : -1;
}

/* The class that the entry's type is, whatever names it has. */
static bool
class_of(const struct dwarftypes *d, Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute a;

	*ret = *die;
	for (int i = 0; i < MAX_NAMES; i++) {
		if (!d->lib->dwarf_attr_integrate(ret, DW_AT_type, &a) ||
		    !d->lib->dwarf_formref_die(&a, ret))
			return false;
		switch (d->lib->dwarf_tag(ret)) {
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
		case DW_TAG_union_type:
			return true;
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
			break;
		default:
			return false;
		}
	}
	return false;
}

/* --- Classes of C++ --------------------------------------------------------- */

static enum passing of_class(struct dwarftypes *d, Dwarf_Die *class, int depth);

/* Does the function take a reference to the class, and is so a constructor that copies
 * or moves? */
static bool
takes_another(const struct dwarftypes *d, Dwarf_Die *function,
	      const Dwarf_Die *class)
{
	Dwarf_Attribute a;
	Dwarf_Die p, of;
	int n = 0;

	if (d->lib->dwarf_child(function, &p))
		return false;
	do {
		if (d->lib->dwarf_tag(&p) == DW_TAG_formal_parameter && n++ == 1)
			break;
	} while (d->lib->dwarf_siblingof(&p, &p) == 0);
	if (n != 2 || !d->lib->dwarf_attr(&p, DW_AT_type, &a) ||
	    !d->lib->dwarf_formref_die(&a, &of))
		return false;
	int tag = d->lib->dwarf_tag(&of);
	return (tag == DW_TAG_reference_type ||
		tag == DW_TAG_rvalue_reference_type) &&
	       class_of(d, &of, &p) && p.addr == class->addr;
}

static const char *
plain_name(const struct dwarftypes *d, Dwarf_Die *die)
{
	Dwarf_Attribute a;
	const char *name = d->lib->dwarf_attr_integrate(die, DW_AT_name, &a) ?
			   d->lib->dwarf_formstring(&a) : NULL;

	return name ? name : "";
}

/* Is it a member function that a copy has to call? */
static bool
is_special(const struct dwarftypes *d, Dwarf_Die *function, Dwarf_Die *class)
{
	const char *name = plain_name(d, function), *own = plain_name(d, class);
	uint64_t how = 0;

	if (dwarftypes_has_flag(d, function, DW_AT_artificial) ||
	    (dwarftypes_number(d, function, DW_AT_defaulted, &how) &&
	     how == DW_DEFAULTED_in_class))
		return false;
	if (*name == '~')
		return true;
	return *name && !strncmp(name, own, strcspn(own, "<")) &&
	       strlen(name) == strcspn(own, "<") &&
	       takes_another(d, function, class);
}

static enum passing
of_part(struct dwarftypes *d, Dwarf_Die *part, Dwarf_Die *class, int depth)
{
	Dwarf_Die of;

	switch (d->lib->dwarf_tag(part)) {
	case DW_TAG_subprogram:
		return is_special(d, part, class) ? BY_REFERENCE : BY_VALUE;
	case DW_TAG_member:
		if (dwarftypes_has_flag(d, part, DW_AT_external) ||
		    dwarftypes_has_flag(d, part, DW_AT_declaration))
			return BY_VALUE;
		if (!strncmp(plain_name(d, part), "_vptr", 5))
			return BY_REFERENCE;
		/* fallthrough */
	case DW_TAG_inheritance:
		return class_of(d, part, &of) ? of_class(d, &of, depth + 1)
					      : BY_VALUE;
	default:
		return BY_VALUE;
	}
}

static enum passing
of_class(struct dwarftypes *d, Dwarf_Die *class, int depth)
{
	enum passing all = BY_VALUE, one;
	uint64_t convention;
	Dwarf_Die part;

	if (dwarftypes_number(d, class, DW_AT_calling_convention, &convention))
		return convention == DW_CC_pass_by_reference ? BY_REFERENCE
							     : BY_VALUE;
	if (depth == MAX_DEPTH ||
	    dwarftypes_has_flag(d, class, DW_AT_declaration))
		return UNKNOWN;
	if (d->lib->dwarf_child(class, &part))
		return BY_VALUE;
	do {
		one = of_part(d, &part, class, depth);
		if (one == BY_REFERENCE)
			return one;
		all = one == UNKNOWN ? one : all;
	} while (d->lib->dwarf_siblingof(&part, &part) == 0);
	return all;
}

/* --- Parameters ------------------------------------------------------------- */

static enum passing
passing(struct dwarftypes *d, int lang, Dwarf_Die *die,
	const struct type *t)
{
	Dwarf_Die class;

	if (!type_is_sou(t))
		return BY_VALUE;
	switch (lang) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
		return class_of(d, die, &class) ? of_class(d, &class, 0)
						: UNKNOWN;
	case DW_LANG_Rust:
		return type_size(t) > 2 * d->word ? BY_REFERENCE : BY_VALUE;
	default:
		return BY_VALUE;
	}
}

/* With 32 bits a function that nobody else can call takes arguments where its compiler
 * likes.  1 + the register that has the parameter at its entry; 0: it is on the stack. */
static uint64_t
register_of(struct dwarftypes *d, Dwarf_Die *function, Dwarf_Die *param)
{
	Dwarf_Attribute a;
	Dwarf_Addr entry;
	Dwarf_Op *op;
	size_t n;

	if (d->word != 4 || !d->lib->dwarf_attr(param, DW_AT_location, &a) ||
	    d->lib->dwarf_entrypc(function, &entry) ||
	    d->lib->dwarf_getlocation_addr(&a, entry, &op, &n, 1) != 1 || n != 1 ||
	    op->atom < DW_OP_reg0 || op->atom > DW_OP_reg7)
		return 0;
	return op->atom - DW_OP_reg0 + 1u;
}

/* Is the value where an address leads that the caller has passed: behind a register, or
 * behind a word of the frame?  UNKNOWN: its place at the entry is not told. */
static enum passing
by_place(struct dwarftypes *d, Dwarf_Die *function, Dwarf_Die *param)
{
	Dwarf_Attribute a;
	Dwarf_Addr entry;
	Dwarf_Op *ops;
	size_t n;

	if (!d->lib->dwarf_attr(param, DW_AT_location, &a) ||
	    d->lib->dwarf_entrypc(function, &entry) ||
	    d->lib->dwarf_getlocation_addr(&a, entry, &ops, &n, 1) != 1 || !n)
		return UNKNOWN;
	bool behind_register = ops->atom >= DW_OP_breg0 && ops->atom <= DW_OP_breg31 &&
			       ops->number == 0 && n == 1;
	return behind_register || ops[n - 1].atom == DW_OP_deref ? BY_REFERENCE : BY_VALUE;
}

/* How a parameter of a function is passed. */
static enum passing
param_passing(struct dwarftypes *d, int lang, Dwarf_Die *function, Dwarf_Die *param,
	      const struct type *t)
{
	enum passing how;

	switch (lang) {
	case DW_LANG_Fortran77: case DW_LANG_Fortran90: case DW_LANG_Fortran95:
	case DW_LANG_Fortran03: case DW_LANG_Fortran08:
		return by_place(d, function, param) == BY_VALUE ? BY_VALUE : BY_REFERENCE;
	case DW_LANG_Pascal83: case DW_LANG_D: case DW_LANG_Modula2:
		how = by_place(d, function, param);
		return how == UNKNOWN ? BY_VALUE : how;
	default:
		return passing(d, lang, param, t);
	}
}

/* One parameter more; false: it cannot be told where it is, or no memory. */
static bool
add(struct dwarftypes *d, int lang, Dwarf_Die *function, Dwarf_Die *die,
    struct type_member *p)
{
	*p = (struct type_member){ .name = dwarftypes_name(d, die),
				   .type = dwarftypes_type_of(d, die) };
	if (!p->type)
		return false;
	enum passing how = param_passing(d, lang, function, die, p->type);
	if (how == BY_REFERENCE)
		p->type = dwarftypes_pointer(d, p->type);
	return how != UNKNOWN && p->type;
}

static bool
is_result(const struct dwarftypes *d, int lang, Dwarf_Die *die)
{
	return lang == DW_LANG_Go &&
	       dwarftypes_has_flag(d, die, DW_AT_variable_parameter);
}

/* --- All -------------------------------------------------------------------- */

/* Those that it is known of where they are. */
static void
add_params(struct dwarftypes *d, int lang, Dwarf_Die *die, struct type *f)
{
	struct dwarftypes_environment env = { false, false, NULL };
	VEC(struct type_member) all = { 0 };
	struct type_member one;
	size_t sure = 0;
	Dwarf_Die p;

	if (d->lib->dwarf_child(die, &p))
		return;
	if (lang == DW_LANG_Rust && dwarftypes_is_closure(d, die)) {
		if (!dwarftypes_environment(d, die, &env))
			return;
		one = (struct type_member){ .type = env.type };
		if (env.is_left_out && !vec_push(&all, one))
			return;
		sure = all.n && !type_is_integer(one.type);
	}
	do {
		int tag = d->lib->dwarf_tag(&p);
		f->variadic |= tag == DW_TAG_unspecified_parameters;
		if (tag != DW_TAG_formal_parameter)
			continue;
		if (is_result(d, lang, &p)) {
			if (f->base == &type_void)
				f->base = dwarftypes_type_of(d, &p);
			continue;
		}
		if (!add(d, lang, die, &p, &one))
			break;
		one.bit_offset = register_of(d, die, &p);
		if (!vec_push(&all, one))
			break;
		if (!env.is_optimized || dwarftypes_is_in_register(d, die, &p, all.n - 1))
			sure = all.n;
		/* What takes more registers than one shifts what follows. */
		if (env.is_optimized && !type_is_scalar(one.type))
			break;
	} while (d->lib->dwarf_siblingof(&p, &p) == 0);
	f->u.params = sure ? arena_memdup(d->arena, all.v, sure * sizeof(*all.v)) : NULL;
	f->n = f->u.params ? (uint32_t)sure : 0;
	vec_fini(&all);
}

const struct type *
dwarftypes_prototype(struct dwarftypes *d, Dwarf_Die *die)
{
	const struct type *result = dwarftypes_type_of(d, die);
	int lang = language(d, die);
	enum passing how;

	if (!result)
		return NULL;
	how = passing(d, lang, die, result);
	struct type *f = type_new_func(d->arena, result, NULL, 0, false);
	if (!f)
		return NULL;
	f->module = d->module;
	f->is_go = lang == DW_LANG_Go;
	f->is_32 = d->word == 4;
	if (lang != DW_LANG_Go && type_is_sou(result) &&
	    (how == BY_REFERENCE || f->is_32 || type_size(result) > 2 * d->word)) {
		f->in_memory = true;
		f->base = dwarftypes_pointer(d, result);
		if (!f->base)
			return NULL;
	} else if (how == UNKNOWN) {
		return f;
	}
	add_params(d, lang, die, f);
	return f->base ? f : NULL;
}
