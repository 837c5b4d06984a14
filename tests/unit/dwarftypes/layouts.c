/* SPDX-License-Identifier: BSD-2-Clause
 *
 * layouts FILE: the members of all structs and unions, and the values of all enums,
 * that FILE's debugging information has under a name, for compare.py:
 *
 *	struct SIZE NAME
 *	 BIT-OFFSET BITS SIZE MEMBER
 *	enum SIZE NAME
 *	=VALUE ENUMERATOR
 *
 * layouts FILE NAME...: what struct each name is, or "none", for respelled.py.
 * layouts FILE @ADDRESS...: in which register the function that begins there has each
 * parameter, and 0 for the stack, for narrow.py.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "dwarftypes/dwarftypes.h"

struct listing {
	struct dwarftypes *d;
	size_t row;
};

static void
put_members(const struct type *t)
{
	uint32_t n;
	const struct type_member *m = type_members(t, &n);

	for (uint32_t i = 0; i < n; i++)
		printf(" %llu %u %llu %s\n",
		       (unsigned long long)m[i].bit_offset, m[i].bit_size,
		       (unsigned long long)type_size(m[i].type),
		       m[i].name ? m[i].name : "-");
}

static void
put_values(const struct type *t)
{
	uint32_t n;
	const struct type_enumerator *e = type_enums(t, &n);

	for (uint32_t i = 0; i < n; i++)
		printf("=%lld %s\n", (long long)e[i].value, e[i].name);
}

static const struct {
	enum type_kind kind;
	const char *word;
	void (*put)(const struct type *t);
} kinds[] = {
	{ TYPE_STRUCT, "struct", put_members },
	{ TYPE_UNION, "union", put_members },
	{ TYPE_ENUM, "enum", put_values },
};

static bool
list(void *ctx, const char *name)
{
	struct listing *l = ctx;
	const struct type *t;

	if (dwarftypes_find(l->d, kinds[l->row].kind, name, &t) || !t) {
		printf("broken %s\n", name);
		return true;
	}
	printf("%s %llu %s\n", kinds[l->row].word,
	       (unsigned long long)type_size(t), name);
	kinds[l->row].put(t);
	return true;
}

static struct err *
put_named(struct dwarftypes *d, const char *name)
{
	const struct type *t = NULL;

	TRY(dwarftypes_find(d, TYPE_STRUCT, name, &t));
	puts(t ? t->name : "none");
	return NULL;
}

static struct err *
put_registers(struct dwarftypes *d, const char *addr)
{
	const struct type *t = NULL;
	uint32_t n = 0;

	TRY(dwarftypes_function(d, strtoull(addr, NULL, 16), &t));
	const struct type_member *p = t ? type_params(t, &n) : NULL;
	for (uint32_t i = 0; i < n; i++)
		printf("%s%s %llu", i ? ", " : "", p[i].name,
		       (unsigned long long)p[i].bit_offset);
	puts("");
	return NULL;
}

int
main(int argc, char **argv)
{
	struct arena *a = arena_new();
	int fd = argc >= 2 ? open(argv[1], O_RDONLY) : -1;
	struct listing l;

	if (!a || fd < 0) {
		fprintf(stderr, "usage: layouts FILE [NAME...]\n");
		return 2;
	}
	struct err *e = dwarftypes_open(a, fd, argv[1], "object", &l.d);
	if (e) {
		fprintf(stderr, "%s\n", e->text);
		return 1;
	}
	for (int i = 2; i < argc && !e; i++)
		e = *argv[i] == '@' ? put_registers(l.d, argv[i] + 1) :
				      put_named(l.d, argv[i]);
	for (l.row = 0; argc == 2 && l.row < BASE_NELEMS(kinds) && !e; l.row++)
		e = dwarftypes_names(l.d, kinds[l.row].kind, list, &l);
	if (e)
		fprintf(stderr, "%s\n", e->text);
	dwarftypes_free(l.d);
	arena_free(a);
	return e != NULL;
}
