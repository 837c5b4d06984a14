/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Kernel variables that scripts read on other systems, and that have an answer
 * here whatever this kernel tells of its symbols: kvar.def.  They lie in a block
 * that the consumer fills (abi/kvar.h), whose address is the built-in variable
 * __kvars; so `utsname.nodename and `hp_avenrun[1] are memory like any other.
 */
#include <stddef.h>
#include <string.h>

#include "abi/kvar.h"
#include "sema/name_priv.h"

static const struct type load_array = {
	.kind = TYPE_ARRAY, .base = &type_ulong, .nelems = 3, .size = 24,
	.align = 8,
};

static const struct type uts_text = {
	.kind = TYPE_ARRAY, .base = &type_char, .nelems = ABI_UTS_LEN,
	.size = ABI_UTS_LEN, .align = 1,
};

#define MEMBER(tag, member, its_type) \
	{ .name = #member, .type = &(its_type), \
	  .bit_offset = 8 * offsetof(struct tag, member) }

static const struct type_member uts_members[] = {
	MEMBER(abi_utsname, sysname, uts_text),
	MEMBER(abi_utsname, nodename, uts_text),
	MEMBER(abi_utsname, release, uts_text),
	MEMBER(abi_utsname, version, uts_text),
	MEMBER(abi_utsname, machine, uts_text),
};

static const struct type utsname = {
	.kind = TYPE_STRUCT, .name = "utsname", .n = BASE_NELEMS(uts_members),
	.size = sizeof(struct abi_utsname), .align = 1,
	.u.members = uts_members, .module = "D",
};

static const struct type ldavg_array = {
	.kind = TYPE_ARRAY, .base = &type_uint, .nelems = 3, .size = 12,
	.align = 4,
};

static const struct type_member load_members[] = {
	MEMBER(abi_loadavg, ldavg, ldavg_array),
	MEMBER(abi_loadavg, fscale, type_long),
};

static const struct type loadavg = {
	.kind = TYPE_STRUCT, .name = "loadavg", .n = BASE_NELEMS(load_members),
	.size = sizeof(struct abi_loadavg), .align = 8,
	.u.members = load_members, .module = "D",
};

static const struct kvar {
	const char *name;
	const struct type *type;	/* NULL: of the built-in variable */
	const char *builtin;		/* NULL: in struct abi_kvars */
	size_t offset;
	bool is_linux;
} rows[] = {
#define KVAR(name, type, member, is_linux) \
	{ name, &(type), NULL, offsetof(struct abi_kvars, member), is_linux },
#define KVAR_BUILTIN(name, builtin, is_linux) \
	{ name, NULL, builtin, 0, is_linux },
#define FOREIGN_KVAR(names, hint)
#include "sema/kvar.def"
#undef KVAR
#undef KVAR_BUILTIN
#undef FOREIGN_KVAR
};

static const struct {
	const char *names, *hint;
} foreign_rows[] = {
#define KVAR(name, type, member, is_linux)
#define KVAR_BUILTIN(name, builtin, is_linux)
#define FOREIGN_KVAR(names, hint) { names, hint },
#include "sema/kvar.def"
#undef KVAR
#undef KVAR_BUILTIN
#undef FOREIGN_KVAR
};

static const struct kvar *
find_row(const struct ast_node *n, bool is_linux)
{
	if (n->module && !probe_is_kernel(n->module))
		return NULL;
	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (rows[i].is_linux == is_linux &&
		    strcmp(rows[i].name, n->name) == 0)
			return &rows[i];
	return NULL;
}

bool
sema_kvar(struct sema *s, struct ast_node *n, bool is_linux)
{
	const struct kvar *row = find_row(n, is_linux);

	if (!row)
		return false;
	if (row->builtin) {
		n->ident = sema_ident_lookup(s, row->builtin);
		n->type = n->ident ? n->ident->type : NULL;
		return true;
	}
	struct sema_ident *id = ARENA_NEW(s->a, struct sema_ident);
	if (!id)
		return true;
	id->kind = SEMA_KVAR;
	id->name = n->name;
	id->value = row->offset;
	id->attr = sema_attr_default;
	id->span = n->span;
	id->type = row->type;
	n->ident = id;
	n->type = row->type;
	n->is_lvalue = true;
	return true;
}

const char *
sema_kvar_foreign(const struct ast_node *n)
{
	if (n->module && !probe_is_kernel(n->module))
		return NULL;
	for (size_t i = 0; i < BASE_NELEMS(foreign_rows); i++)
		if (probe_glob_match(foreign_rows[i].names, n->name))
			return foreign_rows[i].hint;
	return NULL;
}
