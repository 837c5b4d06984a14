/* SPDX-License-Identifier: BSD-2-Clause
 *
 * layouts FILE: the members of all structs and unions that FILE's debugging
 * information has under a name, for compare.py:
 *
 *	struct NAME SIZE
 *	 MEMBER BIT-OFFSET BITS SIZE
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "dwarftypes/dwarftypes.h"

struct listing {
	struct dwarftypes *d;
	enum type_kind kind;
};

static bool
list(void *ctx, const char *name)
{
	struct listing *l = ctx;
	const struct type *t;
	uint32_t n;

	if (dwarftypes_find(l->d, l->kind, name, &t) || !t) {
		printf("broken %s\n", name);
		return true;
	}
	const struct type_member *m = type_members(t, &n);
	printf("%s %llu %s\n", l->kind == TYPE_STRUCT ? "struct" : "union",
	       (unsigned long long)type_size(t), name);
	for (uint32_t i = 0; i < n; i++)
		printf(" %llu %u %llu %s\n",
		       (unsigned long long)m[i].bit_offset, m[i].bit_size,
		       (unsigned long long)type_size(m[i].type),
		       m[i].name ? m[i].name : "-");
	return true;
}

int
main(int argc, char **argv)
{
	struct arena *a = arena_new();
	int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
	struct listing l;

	if (!a || fd < 0) {
		fprintf(stderr, "usage: layouts FILE\n");
		return 2;
	}
	struct err *e = dwarftypes_open(a, fd, argv[1], "object", &l.d);
	if (e) {
		fprintf(stderr, "%s\n", e->text);
		return 1;
	}
	l.kind = TYPE_STRUCT;
	e = dwarftypes_names(l.d, TYPE_STRUCT, list, &l);
	l.kind = TYPE_UNION;
	if (!e)
		e = dwarftypes_names(l.d, TYPE_UNION, list, &l);
	if (e)
		fprintf(stderr, "%s\n", e->text);
	dwarftypes_free(l.d);
	arena_free(a);
	return e != NULL;
}
