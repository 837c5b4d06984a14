/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dump-sema FILE: what sema makes of a program in the made-up world of its
 * unit tests: the annotated tree, variables and aggregations; or diagnostics.
 * dump-sema errors FILE: all that is said of each row of unit/sema/errors.def,
 * of which the unit tests ask for the first tag; FILE only names the output.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/putdiags.h"
#include "type/text.h"
#include "unit/sema/world.h"

enum { FILE_MAX = 1 << 20 };

static void
put_keys(struct sb *b, const struct sema_ident *id)
{
	for (uint32_t i = 0; i < id->nkeys; i++) {
		sb_puts(b, i ? ", " : "[");
		type_print(id->keys[i].type, NULL, b);
		if (type_is_string(id->keys[i].type))
			sb_printf(b, "(%u)", id->keys[i].size);
	}
	if (id->nkeys)
		sb_putc(b, ']');
}

static void
put_idents(struct sb *b, const struct sema *s)
{
	static const char *const scopes[] = { "global", "self", "this" };
	struct sema_ident *const *v;
	uint32_t n;

	v = sema_vars(s, &n);
	for (uint32_t i = 0; i < n; i++) {
		sb_printf(b, "%s %u %s", scopes[v[i]->scope], v[i]->id,
			  v[i]->name);
		put_keys(b, v[i]);
		sb_puts(b, " : ");
		type_print(v[i]->type, NULL, b);
		sb_putc(b, '\n');
	}
	v = sema_aggs(s, &n);
	for (uint32_t i = 0; i < n; i++) {
		sb_printf(b, "agg %u @%s", v[i]->id, v[i]->name);
		put_keys(b, v[i]);
		sb_printf(b, " : 0x%x arg 0x%llx\n", v[i]->func,
			  (unsigned long long)v[i]->agg_arg);
	}
}

static void
put_errors(struct sb *b)
{
	static const struct {
		const char *opts, *text;
		unsigned flags;
	} rows[] = {
#define ERR(tag, line, opts, flags, text) { opts, text, flags },
#include "unit/sema/errors.def"
#undef ERR
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct compile c;

		if (!compile_init(&c, rows[i].opts))
			continue;
		compile(&c, rows[i].text, rows[i].flags);
		put_diags(&c.d, b);
		sb_putc(b, '\n');
		compile_fini(&c);
	}
}

int
main(int argc, char **argv)
{
	static char text[FILE_MAX];
	const struct sema_prog *p;
	struct compile c;
	struct sb out;
	bool is_errors = argc == 3 && !strcmp(argv[1], "errors");
	FILE *f = is_errors ? fopen(argv[2], "rb") : argc == 2 ? fopen(argv[1], "rb") : NULL;

	if (!f || !fread(text, 1, sizeof(text) - 1, f) ||
	    !compile_init(&c, NULL)) {
		fprintf(stderr, "usage: dump-sema [errors] FILE\n");
		return 2;
	}
	fclose(f);
	sb_init(&out, 64 << 20);
	if (is_errors)
		put_errors(&out);
	p = compile(&c, text, 0);
	if (p && !c.d.n && !is_errors) {
		sema_dump(p, &out);
		put_idents(&out, c.s);
	}
	put_diags(&c.d, &out);
	fputs(sb_str(&out), stdout);
	sb_fini(&out);
	compile_fini(&c);
	return p ? 0 : 1;
}
