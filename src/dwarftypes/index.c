/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Names to entries: one pass over all units, a level deep, and into namespaces and
 * the classes of C++.  Of several definitions of one name the first stays; a
 * declaration is none.
 *
 * Entries are found again by where their bytes lie (Dwarf_Die.addr), which is the
 * same for as long as libdw has the sections.
 */
#include <string.h>

#include "base/base.h"
#include "dwarftypes/dwarftypes_priv.h"

enum { MAX_DEPTH = 32, PATH_SIZE = 4096 };

/* What stands around the entries that are looked at. */
struct scope {
	const char *name;	/* NULL: nothing */
	bool tags_are_names;	/* the language's */
	bool is_go, is_rust;
	bool is_class;		/* not a unit or a namespace */
	int depth;
};

static struct err *scan(struct dwarftypes *d, Dwarf_Die *parent,
			const struct scope *in);

bool
dwarftypes_has_flag(const struct dwarftypes *d, Dwarf_Die *die, unsigned attr)
{
	Dwarf_Attribute a;
	bool is = false;

	return d->lib->dwarf_attr(die, attr, &a) &&
	       d->lib->dwarf_formflag(&a, &is) == 0 && is;
}

static const char *
own_name(const struct dwarftypes *d, Dwarf_Die *die)
{
	Dwarf_Attribute a;
	const char *name = d->lib->dwarf_attr_integrate(die, DW_AT_name, &a) ?
			   d->lib->dwarf_formstring(&a) : NULL;

	return name && *name ? name : NULL;
}

const char *
dwarftypes_name(struct dwarftypes *d, Dwarf_Die *die)
{
	const char *name = hash_get(&d->qualified, &die->addr,
				    sizeof(die->addr));

	return name ? name : own_name(d, die);
}

/* Go writes main.node, which D would take for a member, and main.pair[int,string]. */
static const char *
go_name(struct dwarftypes *d, const char *name)
{
	size_t own = strcspn(name, "[");	/* what is before its arguments */
	const char *dot = memrchr(name, '.', own);

	if (!dot || strpbrk(name, "*{( ") || dot[1] == '[')
		return name;
	char *ret = arena_printf(d->arena, "%.*s::%s", (int)(dot - name), name,
				 dot + 1);
	for (char *p = ret; p && *p; p++)
		*p = *p == '[' ? '<' : *p == ']' ? '>' : *p;
	return ret;
}

/* What a definition outside of its space completes: its name is the one that has
 * there. */
static bool
specification(const struct dwarftypes *d, Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute a;

	return d->lib->dwarf_attr(die, DW_AT_specification, &a) &&
	       d->lib->dwarf_formref_die(&a, ret);
}

/* NULL: it has none; or no memory, which arena_failed() tells. */
static const char *
full_name(struct dwarftypes *d, Dwarf_Die *die, const struct scope *in)
{
	const char *own = own_name(d, die), *name = NULL;
	Dwarf_Die first;

	if (!own)
		return NULL;
	if (specification(d, die, &first))
		name = hash_get(&d->qualified, &first.addr, sizeof(first.addr));
	if (!name && in->name)
		name = arena_printf(d->arena, "%s::%s", in->name, own);
	else if (!name)
		name = in->is_go ? go_name(d, own) : own;
	if (name != own && name &&
	    !hash_put(&d->qualified, &die->addr, sizeof(die->addr),
		      (void *)(uintptr_t)name))
		return NULL;
	return name;
}

bool
dwarftypes_is_bare_enum(const struct dwarftypes *d, Dwarf_Die *die)
{
	Dwarf_Die kid;

	return d->lib->dwarf_tag(die) == DW_TAG_enumeration_type &&
	       d->lib->dwarf_child(die, &kid) != 0;
}

bool
dwarftypes_is_closure(const struct dwarftypes *d, Dwarf_Die *die)
{
	const char *name = own_name(d, die);

	return name && !strncmp(name, "{closure#", strlen("{closure#"));
}

static bool
note(struct dwarftypes *d, enum entry_kind kind, const char *name,
     const Dwarf_Die *die)
{
	void **at = hash_ref(&d->names[kind], name, strlen(name) + 1);

	if (at && (!*at || dwarftypes_is_bare_enum(d, *at)))
		*at = arena_memdup(d->arena, die, sizeof(*die));
	return at && *at;
}

static bool
note_function(struct dwarftypes *d, Dwarf_Die *die)
{
	Dwarf_Addr addr;

	if (d->lib->dwarf_entrypc(die, &addr) || !addr)
		return true;
	uint64_t key = addr;
	void **at = hash_ref(&d->functions, &key, sizeof(key));
	if (at && !*at)
		*at = arena_memdup(d->arena, die, sizeof(*die));
	return at && *at;
}

static const struct {
	unsigned tag;
	enum entry_kind kind;
} kinds[] = {
	{ DW_TAG_structure_type, ENTRY_STRUCT },
	{ DW_TAG_class_type, ENTRY_STRUCT },
	{ DW_TAG_interface_type, ENTRY_STRUCT },
	{ DW_TAG_union_type, ENTRY_UNION },
	{ DW_TAG_enumeration_type, ENTRY_ENUM },
	{ DW_TAG_typedef, ENTRY_TYPEDEF },
	{ DW_TAG_variable, ENTRY_VARIABLE },
};

/* Modules are those of Fortran and D. */
static bool
is_space(unsigned tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module;
}

/* Is it known by the names around it?  Members and parameters are not. */
static bool
has_full_name(unsigned tag)
{
	for (size_t i = 0; i < BASE_NELEMS(kinds); i++)
		if (kinds[i].tag == tag)
			return true;
	return is_space(tag);
}

static struct err *
scan_named(struct dwarftypes *d, Dwarf_Die *die, unsigned tag,
	   const struct scope *in)
{
	const char *name;

	if (!has_full_name(tag))
		return NULL;
	name = full_name(d, die, in);
	for (size_t i = 0; name && i < BASE_NELEMS(kinds); i++) {
		enum entry_kind kind = kinds[i].kind;
		if (kinds[i].tag != tag ||
		    dwarftypes_has_flag(d, die, DW_AT_declaration))
			continue;
		if (!note(d, kind, name, die) ||
		    (kind < ENTRY_TYPEDEF && in->tags_are_names &&
		     !note(d, ENTRY_TAG, name, die)))
			return &err_nomem;
	}
	struct scope inner = *in;
	bool is_class = tag == DW_TAG_structure_type ||
			tag == DW_TAG_class_type;
	if (!is_space(tag) && !(is_class && in->tags_are_names))
		return NULL;
	/* What stands in a space without a name is named as outside of it. */
	inner.name = name ? name : in->name;
	inner.is_class = is_class;
	inner.depth++;
	return inner.depth < MAX_DEPTH ? scan(d, die, &inner) : NULL;
}

static struct err *
scan_one(struct dwarftypes *d, Dwarf_Die *die, const struct scope *in)
{
	int tag = d->lib->dwarf_tag(die);

	if (tag == DW_TAG_subprogram) {
		if (in->is_rust && dwarftypes_is_closure(d, die) &&
		    !full_name(d, die, in))
			return &err_nomem;
		return note_function(d, die) ? NULL : &err_nomem;
	}
	/* What some compilers call what is one for all objects. */
	if (tag == DW_TAG_member && dwarftypes_has_flag(d, die, DW_AT_declaration))
		full_name(d, die, in);
	TRY(scan_named(d, die, (unsigned)tag, in));
	return arena_failed(d->arena) ? &err_nomem : NULL;
}

static struct err *
scan(struct dwarftypes *d, Dwarf_Die *parent, const struct scope *in)
{
	Dwarf_Die die, first;

	if (d->lib->dwarf_child(parent, &die))
		return NULL;
	do {
		if (in->is_class || !in->tags_are_names ||
		    !specification(d, &die, &first))
			TRY(scan_one(d, &die, in));
	} while (d->lib->dwarf_siblingof(&die, &die) == 0);
	return NULL;
}

/* What a unit and its namespaces define of other spaces, when these are known. */
static struct err *
scan_rest(struct dwarftypes *d, Dwarf_Die *parent, const struct scope *in)
{
	Dwarf_Die die, first;

	if (!in->tags_are_names || d->lib->dwarf_child(parent, &die))
		return NULL;
	do {
		struct scope inner = *in;
		if (specification(d, &die, &first))
			TRY(scan_one(d, &die, in));
		if (!is_space((unsigned)d->lib->dwarf_tag(&die)) ||
		    ++inner.depth >= MAX_DEPTH)
			continue;
		if (own_name(d, &die))
			inner.name = dwarftypes_name(d, &die);
		TRY(scan_rest(d, &die, &inner));
	} while (d->lib->dwarf_siblingof(&die, &die) == 0);
	return NULL;
}

static struct scope
scope_of(const struct dwarftypes *d, Dwarf_Die *unit)
{
	struct scope in = { NULL };

	switch (d->lib->dwarf_srclang(unit)) {
	case DW_LANG_C:
	case DW_LANG_C89:
	case DW_LANG_C99:
	case DW_LANG_C11:
		break;
	case DW_LANG_Go:
		in.is_go = true;
		in.tags_are_names = true;
		break;
	case DW_LANG_Rust:
		in.is_rust = true;
		/* fallthrough */
	default:
		in.tags_are_names = true;
	}
	return in;
}

/* Elsewhere, and not found: which file that was. */
static void
note_absent(struct dwarftypes *d, Dwarf_Die *unit)
{
	char path[PATH_SIZE];
	Dwarf_Attribute a;

	if (d->absent)
		return;
	d->is_unread = sym_libdw_unread_package(d->lib, d->fd, path, sizeof(path));
	if (d->is_unread)
		d->absent = arena_strdup(d->arena, path);
	else if (d->lib->dwarf_attr(unit, DW_AT_dwo_name, &a) ||
		 d->lib->dwarf_attr(unit, DW_AT_GNU_dwo_name, &a))
		d->absent = d->lib->dwarf_formstring(&a);
}

static struct err *
scan_units(struct dwarftypes *d, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, part;
	uint8_t type;

	while (d->lib->dwarf_get_units(dwarf, cu, &cu, NULL, &type, &unit,
				       &part) == 0) {
		struct scope in = scope_of(d, &unit);
		/* A unit may have been split: its entries are elsewhere. */
		bool is_split = type == DW_UT_skeleton && part.addr;
		Dwarf_Die *top = is_split ? &part : &unit;
		if (type == DW_UT_skeleton && !is_split)
			note_absent(d, &unit);
		TRY(scan(d, top, &in));
		TRY(scan_rest(d, top, &in));
	}
	return NULL;
}

/* Unless it is there. */
static struct err *
make_index(struct dwarftypes *d)
{
	if (d->is_indexed)
		return NULL;
	TRY(scan_units(d, d->dwarf));
	Dwarf *shared = d->lib->dwarf_getalt(d->dwarf);
	if (shared)
		TRY(scan_units(d, shared));
	d->is_indexed = true;
	return NULL;
}

/* --- What was inlined ------------------------------------------------------ */

/* Asked for once, when there is no such function: not worth an index. */
static bool
has_inlined(struct dwarftypes *d, Dwarf_Die *parent, const char *name, int depth)
{
	Dwarf_Attribute a;
	Dwarf_Die die;

	if (depth >= MAX_DEPTH || d->lib->dwarf_child(parent, &die))
		return false;
	do {
		unsigned tag = (unsigned)d->lib->dwarf_tag(&die);
		const char *own = tag == DW_TAG_subprogram ? own_name(d, &die) : NULL;
		if (own && !strcmp(own, name) &&
		    d->lib->dwarf_attr(&die, DW_AT_inline, &a))
			return true;
		if (is_space(tag) && has_inlined(d, &die, name, depth + 1))
			return true;
	} while (d->lib->dwarf_siblingof(&die, &die) == 0);
	return false;
}

bool
dwarftypes_is_inlined(struct dwarftypes *d, const char *name)
{
	Dwarf_Die unit, part;
	Dwarf_CU *cu = NULL;
	uint8_t type;

	while (d->lib->dwarf_get_units(d->dwarf, cu, &cu, NULL, &type, &unit, &part) == 0)
		if (has_inlined(d, type == DW_UT_skeleton && part.addr ? &part : &unit,
				name, 0))
			return true;
	return false;
}

/* --- Questions ------------------------------------------------------------ */

/* Which entries answer for a kind, best first. */
static const struct {
	enum type_kind kind;
	enum entry_kind entries[2];
} wanted[] = {
	{ TYPE_STRUCT, { ENTRY_STRUCT, ENTRY_STRUCT } },
	{ TYPE_UNION, { ENTRY_UNION, ENTRY_UNION } },
	{ TYPE_ENUM, { ENTRY_ENUM, ENTRY_ENUM } },
	{ TYPE_TYPEDEF, { ENTRY_TYPEDEF, ENTRY_TAG } },
};

static const struct type *
find(struct dwarftypes *d, enum entry_kind kind, const char *name)
{
	Dwarf_Die *die = hash_get(&d->names[kind], name, strlen(name) + 1);

	if (!die && strpbrk(name, ":<"))
		die = dwarftypes_respelled(d, kind, name);
	return die ? dwarftypes_node(d, die) : NULL;
}

/* Where a tag is a name, so is a typedef a tag: struct std::string. */
static const struct type *
find_named(struct dwarftypes *d, enum type_kind kind, const char *name)
{
	const struct type *t = strstr(name, "::") ? find(d, ENTRY_TYPEDEF, name) : NULL;

	t = t ? type_strip(t) : NULL;
	return t && t->kind == kind ? t : NULL;
}

struct err *
dwarftypes_find(struct dwarftypes *d, enum type_kind kind, const char *name,
		const struct type **ret)
{
	const struct type *t = NULL;

	TRY(make_index(d));
	for (size_t i = 0; i < BASE_NELEMS(wanted); i++)
		for (int k = 0; k < 2 && !t && wanted[i].kind == kind; k++)
			t = find(d, wanted[i].entries[k], name);
	if (!t && kind != TYPE_TYPEDEF)
		t = find_named(d, kind, name);
	if (!t && arena_failed(d->arena))
		return &err_nomem;
	*ret = t;
	return NULL;
}

const char *
dwarftypes_absent(const struct dwarftypes *d, bool *is_unread)
{
	*is_unread = d->is_unread;
	return d->absent;
}

struct err *
dwarftypes_names(struct dwarftypes *d, enum type_kind kind,
		 dwarftypes_name_fn *fn, void *ctx)
{
	TRY(make_index(d));
	for (size_t i = 0; i < BASE_NELEMS(wanted); i++) {
		if (wanted[i].kind != kind)
			continue;
		const struct hash *h = &d->names[wanted[i].entries[0]];
		struct hash_entry *e;
		for (size_t k = 0; (e = hash_next(h, &k)); )
			if (!fn(ctx, e->key))
				return NULL;
	}
	return NULL;
}

/* Go's are not what dwarf_getlocation() takes for a location: their form is that of
 * older versions than they say they are of. */
static bool
address_of(const struct dwarftypes *d, Dwarf_Die *die, uint64_t *ret)
{
	Dwarf_Attribute a, at;
	Dwarf_Block block;
	Dwarf_Op *ops;
	size_t n;

	if (!d->lib->dwarf_attr(die, DW_AT_location, &a))
		return false;
	if (d->lib->dwarf_formblock(&a, &block) == 0 &&
	    block.length == 1 + sizeof(*ret) && *block.data == DW_OP_addr) {
		memcpy(ret, block.data + 1, sizeof(*ret));
		return true;
	}
	if (d->lib->dwarf_getlocation(&a, &ops, &n) || n != 1)
		return false;
	/* In a unit that was split: which of those that the program has. */
	if (ops->atom == DW_OP_addrx || ops->atom == DW_OP_GNU_addr_index)
		return d->lib->dwarf_getlocation_attr(&a, ops, &at) == 0 &&
		       d->lib->dwarf_formaddr(&at, ret) == 0;
	*ret = ops->number;
	return ops->atom == DW_OP_addr;
}

static const struct type *
variable_type(struct dwarftypes *d, Dwarf_Die *die)
{
	Dwarf_Attribute a;
	Dwarf_Die type;

	return d->lib->dwarf_attr_integrate(die, DW_AT_type, &a) &&
	       d->lib->dwarf_formref_die(&a, &type) ? dwarftypes_node(d, &type) : NULL;
}

struct err *
dwarftypes_variable(struct dwarftypes *d, const char *name, uint64_t *addr,
		    const struct type **ret)
{
	*ret = NULL;
	TRY(make_index(d));
	Dwarf_Die *die = hash_get(&d->names[ENTRY_VARIABLE], name,
				  strlen(name) + 1);
	if (!die && strchr(name, '<'))
		die = dwarftypes_respelled(d, ENTRY_VARIABLE, name);
	if (die && address_of(d, die, addr))
		*ret = variable_type(d, die);
	return arena_failed(d->arena) ? &err_nomem : NULL;
}

struct err *
dwarftypes_variable_at(struct dwarftypes *d, uint64_t addr, const struct type **ret)
{
	struct hash_entry *e;
	uint64_t at;

	*ret = NULL;
	TRY(make_index(d));
	for (size_t i = 0; !*ret && (e = hash_next(&d->names[ENTRY_VARIABLE], &i)); )
		if (address_of(d, e->val, &at) && at == addr)
			*ret = variable_type(d, e->val);
	return arena_failed(d->arena) ? &err_nomem : NULL;
}

struct err *
dwarftypes_function(struct dwarftypes *d, uint64_t addr,
		    const struct type **ret)
{
	TRY(make_index(d));
	Dwarf_Die *die = hash_get(&d->functions, &addr, sizeof(addr));
	*ret = die ? dwarftypes_prototype(d, die) : NULL;
	return arena_failed(d->arena) ? &err_nomem : NULL;
}
