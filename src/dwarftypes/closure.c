/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a closure of Rust has captured is its first argument, of which no parameter
 * tells.  It is passed by reference, unless the closure is called only once; the places
 * of the variables that were captured say which.
 *
 * Without an optimizer these lie in the frame, as do the parameters.  An optimizer may
 * pass a part of what was captured, or nothing, and leave parameters out.  There a
 * variable tells only by a place behind the register of the first argument at the entry,
 * and parameters are only taken as far as their own registers at the entry agree.  What
 * comes before them is then a word at least.
 */
#include <string.h>

#include "abi/regs.h"
#include "base/base.h"
#include "dwarftypes/load_priv.h"

enum passing { UNKNOWN, BY_VALUE, BY_REFERENCE };

/* --- Places ----------------------------------------------------------------- */

struct place {
	enum { ELSEWHERE, FRAME, REGISTER } from;
	int pointers;		/* that lead there from the frame or the register */
	uint64_t offset;	/* bytes behind the first of them, from a register */
};

static const enum abi_reg registers[] = {
	ABI_ROLE_ARG0, ABI_ROLE_ARG1, ABI_ROLE_ARG2, ABI_ROLE_ARG3, ABI_ROLE_ARG4,
	ABI_ROLE_ARG5
};

static struct place
from_register(enum abi_reg reg, const Dwarf_Op *ops, size_t n)
{
	unsigned number = (unsigned)abi_reg_row(reg)->dwarf;
	struct place p = { REGISTER, 0, 0 };

	if (ops->atom == DW_OP_reg0 + number && n == 1)
		return p;
	if (ops->atom != DW_OP_breg0 + number)
		return (struct place){ ELSEWHERE, 0, 0 };
	p.offset = ops->number;
	p.pointers = (int)n;
	return BASE_ANY(i, n - 1, ops[i + 1].atom != DW_OP_deref)
		       ? (struct place){ ELSEWHERE, 0, 0 } : p;
}

/* In the frame, at any time; or from the register of the nth argument, at the entry. */
static struct place
place_of(const struct dwarftypes *d, Dwarf_Die *function, Dwarf_Die *die, size_t nth)
{
	struct place p = { FRAME, 0, 0 }, none = { ELSEWHERE, 0, 0 };
	Dwarf_Attribute a;
	Dwarf_Addr entry;
	Dwarf_Op *ops;
	size_t n;

	if (!d->lib->dwarf_attr(die, DW_AT_location, &a))
		return none;
	if (!d->lib->dwarf_getlocation(&a, &ops, &n) && n && ops->atom == DW_OP_fbreg) {
		for (size_t i = 1; i < n; i++)
			p.pointers += ops[i].atom == DW_OP_deref;
		return p;
	}
	if (d->word != 8 || nth >= BASE_NELEMS(registers) ||
	    d->lib->dwarf_entrypc(function, &entry) ||
	    d->lib->dwarf_getlocation_addr(&a, entry, &ops, &n, 1) != 1 || !n)
		return none;
	return from_register(registers[nth], ops, n);
}

bool
dwarftypes_is_in_register(const struct dwarftypes *d, Dwarf_Die *function,
			  Dwarf_Die *param, size_t nth)
{
	struct place p = place_of(d, function, param, nth);

	return p.from == REGISTER && !p.pointers;
}

/* --- What is captured ------------------------------------------------------- */

/* The member that has the variable; NULL: none has. */
static const struct type_member *
find_captured(const struct type *env, const char *name, bool *is_ref)
{
	static const char by_ref[] = "_ref__";
	uint32_t n;
	const struct type_member *all = type_members(env, &n);

	for (uint32_t i = 0; name && i < n; i++) {
		const char *own = all[i].name;
		*is_ref = own && !strncmp(own, by_ref, strlen(by_ref));
		if (own && !strcmp(own + (*is_ref ? strlen(by_ref) : 0), name))
			return &all[i];
	}
	return NULL;
}

/* What the place of one variable tells of the whole. */
static enum passing
passing_by(const struct dwarftypes *d, const struct type *env, const char *name,
	   struct place at)
{
	bool is_ref;
	const struct type_member *m = find_captured(env, name, &is_ref);

	if (!m || at.from == ELSEWHERE)
		return UNKNOWN;
	if (at.from == FRAME)
		return at.pointers <= is_ref ? BY_VALUE : BY_REFERENCE;
	if (at.pointers == is_ref && !at.offset && type_size(env) <= d->word)
		return BY_VALUE;
	return at.pointers == is_ref + 1 && at.offset == m->bit_offset / 8 ? BY_REFERENCE
									   : UNKNOWN;
}

/* {closure#0} has {closure_env#0}; NULL: that is not known. */
static const struct type *
environment(struct dwarftypes *d, Dwarf_Die *closure)
{
	const char *last = NULL, *key;
	Dwarf_Attribute a;
	Dwarf_Die named;

	/* Code of what was also inlined has its name from elsewhere. */
	if (!d->lib->dwarf_attr(closure, DW_AT_abstract_origin, &a) ||
	    !d->lib->dwarf_formref_die(&a, &named))
		named = *closure;
	const char *name = dwarftypes_name(d, &named);
	for (const char *p = name; p && (p = strstr(p, "{closure#")); p++)
		last = p;
	key = last ? arena_printf(d->arena, "%.*s{closure_env%s", (int)(last - name),
				  name, last + strlen("{closure")) : NULL;
	Dwarf_Die *env = key ? hash_get(&d->names[ENTRY_STRUCT], key,
					strlen(key) + 1) : NULL;
	return env ? dwarftypes_node(d, env) : NULL;
}

/* Compilers tell of it as of a parameter without a name where nothing is captured. */
static bool
is_told(struct dwarftypes *d, Dwarf_Die *param, const struct type *env)
{
	const struct type *t = dwarftypes_type_of(d, param);

	if (dwarftypes_name(d, param) || !t)
		return false;
	return t == env || (type_is_ptr(t) && t->base == env);
}

/* The type of the first argument; NULL: it cannot be told where the arguments are. */
static const struct type *
argument(struct dwarftypes *d, const struct type *env, enum passing how, bool is_optimized)
{
	if (how == UNKNOWN && is_optimized)
		return &type_ulong;
	if (how == UNKNOWN && type_size(env) <= 2 * d->word)
		return NULL;
	return how == BY_VALUE ? env : dwarftypes_pointer(d, env);
}

bool
dwarftypes_environment(struct dwarftypes *d, Dwarf_Die *closure,
		       struct dwarftypes_environment *ret)
{
	const struct type *env = environment(d, closure);
	enum passing all = UNKNOWN, one;
	bool uses_frame = false;
	Dwarf_Die part;
	int n = 0;

	*ret = (struct dwarftypes_environment){ .is_left_out = true };
	if (!env || !type_is_sou(env) || d->lib->dwarf_child(closure, &part))
		return false;
	do {
		int tag = d->lib->dwarf_tag(&part);
		struct place at = place_of(d, closure, &part, 0);
		if (tag == DW_TAG_formal_parameter) {
			ret->is_left_out &= n++ || !is_told(d, &part, env);
		} else if (tag == DW_TAG_variable) {
			one = passing_by(d, env, dwarftypes_name(d, &part), at);
			all = one == UNKNOWN || all == BY_VALUE ? all : one;
		}
		uses_frame |= at.from == FRAME;
		ret->is_optimized |= tag == DW_TAG_formal_parameter && at.from != FRAME;
	} while (d->lib->dwarf_siblingof(&part, &part) == 0);
	ret->is_optimized = ret->is_left_out && (ret->is_optimized || !uses_frame);
	ret->type = argument(d, env, all, ret->is_optimized);
	return !ret->is_left_out || ret->type;
}
