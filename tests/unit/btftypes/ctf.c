/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ctf TYPES [SYMBOLS NAMES] -- KIND NAME...: what the CTF in file TYPES has under a name, for
 * ctf.py; KIND is struct, union, enum, typedef, func or var.
 *
 *	TEXT SIZE
 *	 BIT-OFFSET BITS MEMBER, as it is declared
 *	 =VALUE ENUMERATOR
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "btftypes/btftypes.h"
#include "type/text.h"
#include "util/alloc.h"

static const struct { const char *word; enum type_kind kind; } kinds[] = {
	{ "struct", TYPE_STRUCT }, { "union", TYPE_UNION }, { "enum", TYPE_ENUM },
	{ "typedef", TYPE_TYPEDEF }, { "func", TYPE_FUNC },
};

static void *
slurp(const char *path, size_t *size)
{
	static char data[1 << 20];
	FILE *f = fopen(path, "r");

	if (!f)
		exit(2);
	*size = fread(data, 1, sizeof(data), f);
	fclose(f);
	void *p = malloc(*size + 1);
	return p ? memcpy(p, data, *size) : NULL;
}

static void
put_text(const struct type *t, const char *name)
{
	struct sb b;

	sb_init(&b, 4096);
	type_print(t, name, &b);
	fputs(sb_str(&b), stdout);
	sb_fini(&b);
}

static void
put(const struct type *t, const char *name)
{
	uint32_t n = 0;

	if (!t) {
		printf("%s: none\n", name);
		return;
	}
	put_text(t, name);
	printf(" %llu%s\n", (unsigned long long)type_size(t),
	       t->kind == TYPE_FWD ? " declared" : "");
	const struct type_member *m = t->kind == TYPE_STRUCT || t->kind == TYPE_UNION ?
		type_members(t, &n) : NULL;
	for (uint32_t i = 0; i < n; i++) {
		printf(" %llu %u ", (unsigned long long)m[i].bit_offset, m[i].bit_size);
		put_text(m[i].type, m[i].name ? m[i].name : "");
		puts("");
	}
	n = 0;
	const struct type_enumerator *e = t->kind == TYPE_ENUM ? type_enums(t, &n) : NULL;
	for (uint32_t i = 0; i < n; i++)
		printf(" =%lld %s\n", (long long)e[i].value, e[i].name);
}

static const struct type *
find(struct btftypes *b, const char *word, const char *name)
{
	for (size_t i = 0; i < BASE_NELEMS(kinds); i++)
		if (!strcmp(kinds[i].word, word))
			return btftypes_find(b, kinds[i].kind, name);
	return btftypes_variable(b, name);
}

/* What the arguments ask for, of what was read; the program's status. */
static int
tell(struct arena *a, const struct btftypes_ctf *in, char **argv)
{
	struct btftypes *b = NULL;
	void *btf = NULL;
	size_t size;
	struct err *e = btftypes_from_ctf(in, &btf, &size);

	if (!e)
		e = btftypes_new(a, btf, size, NULL, "m", &b);
	if (e)
		printf("%d %s\n", e->code == ERR_UNSUPPORTED, e->text);
	for (; !e && argv[0] && argv[1]; argv += 2)
		put(find(b, argv[0], argv[1]), argv[1]);
	btftypes_free(b);
	util_free(btf);
	int status = e ? 1 : 0;
	err_free(e);
	return status;
}

int
main(int argc, char **argv)
{
	struct btftypes_ctf in = { .symbol_size = 24 };
	struct arena *a = arena_new();
	void *types, *symbols = NULL, *names = NULL;
	int at = 1;

	if (argc < 3)
		return 2;
	in.types = types = slurp(argv[at++], &in.types_size);
	if (strcmp(argv[at], "--")) {
		in.symbols = symbols = slurp(argv[at++], &in.symbols_size);
		in.names = names = slurp(argv[at++], &in.names_size);
	}
	int status = tell(a, &in, argv + at + 1);
	free(types);
	free(symbols);
	free(names);
	arena_free(a);
	return status;
}
