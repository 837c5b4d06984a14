/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Types of the arguments of system calls, from the prototypes in
 * syscall_args.def.  Only the parameter asked for is parsed, once, so that a
 * program that looks at a file descriptor never makes anyone read the kernel's
 * struct stat.
 */
#include <string.h>

#include "base/base.h"
#include "prov/prov_priv.h"
#include "prov/syscall_table.def"
#include "type/make.h"
#include "type/text.h"


static const struct {
	const char *call, *params;
} rows[] = {
#define ARGS(call, params) { #call, params },
#include "prov/syscall_args.def"
#undef ARGS
};

static const struct {
	const char *name;
	const struct type *type;
} typedefs[] = {
#define TYPE(name, base) { #name, &type_##base },
#include "prov/syscall_type.def"
#undef TYPE
};

/* "int fd, char *buf", or NULL when nobody wrote it down. */
static const char *
find_params(uint32_t call)
{
	const char *name = prov_syscall_name(call);

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (strcmp(rows[i].call, name) == 0)
			return rows[i].params;
	return NULL;
}

static unsigned
count_params(const char *s)
{
	unsigned n = 1;

	if (strcmp(s, "void") == 0)
		return 0;
	while ((s = strchr(s, ','))) {
		n++;
		s++;
	}
	return n;
}

/* The nth parameter without the blank in front of it. */
static struct base_span
nth_param(const char *s, unsigned n)
{
	for (; n; n--)
		s = strchr(s, ',') + 2;
	return (struct base_span){ s, strcspn(s, ",") };
}

/* Where the name at the end of a parameter starts. */
static size_t
name_start(struct base_span param)
{
	size_t i = param.n;

	while (i && param.p[i - 1] != ' ' && param.p[i - 1] != '*')
		i--;
	return i;
}

static const struct type *
find_type(void *ctx, enum type_kind kind, const char *name)
{
	struct prov_set *s = ctx;
	const struct type *t = NULL;

	for (size_t i = 0; i < BASE_NELEMS(typedefs); i++)
		if (kind == TYPE_TYPEDEF && strcmp(name, typedefs[i].name) == 0)
			return type_new_typedef(s->arena, typedefs[i].name,
						typedefs[i].type);
	/* Without kernel types a struct is known by its name only. */
	if (s->db && kind != TYPE_TYPEDEF)
		err_free(typedb_find(s->db, NULL, kind, name, &t));
	return t;
}

/* t with every pointer in it pointing into user memory. */
static const struct type *
in_user_memory(struct arena *a, const struct type *t)
{
	if (!t)
		return NULL;
	if (t->kind == TYPE_PTR) {
		struct type *p = type_new_ptr(a, in_user_memory(a, t->base));
		if (p)
			p->is_user = true;
		return p;
	}
	if (t->kind == TYPE_CONST || t->kind == TYPE_VOLATILE ||
	    t->kind == TYPE_RESTRICT) {
		const struct type *base = in_user_memory(a, t->base);
		return base == t->base ? t : type_new_qual(a, t->kind, base);
	}
	return t;
}

static const struct type *
parse_param(struct prov_set *s, struct base_span param)
{
	char *text = arena_strndup(s->arena, param.p, name_start(param));

	if (!text)
		return NULL;
	return in_user_memory(s->arena,
			      type_parse(s->arena, text, find_type, s));
}

const struct type *
prov_syscall_arg(struct prov_set *s, uint32_t call, unsigned n,
		 const char **name)
{
	const char *params = find_params(call);

	if (!params || n >= count_params(params))
		return NULL;
	struct base_span param = nth_param(params, n);
	size_t at = name_start(param);
	const char *own = arena_strndup(s->arena, param.p + at, param.n - at);

	if (!own)
		return NULL;
	prov_syscall_types *types = prov_state(s, &prov_syscall_ops);
	const struct type **type = &types[call][n];
	if (!*type)
		*type = parse_param(s, param);
	*name = own;
	return *type;
}

int
prov_syscall_nargs(uint32_t call)
{
	const char *params = find_params(call);

	return params ? (int)count_params(params) : -1;
}
