/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Any bytes through the parser, as a script and as an argument of -n; and
 * through the outline of libraries.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lang/outline.h"
#include "text.h"

static void
parse(const uint8_t *p, size_t n, unsigned flags)
{
	struct text t;
	struct sb b;

	text_init(&t, p, n, flags);
	sb_init(&b, 64 << 20);
	const struct ast_program *prog = lang_parse(&t.env, &t.src);
	fuzz_must(prog);
	lang_dump(prog, &b);
	fuzz_must(!b.failed);
	text_diags(&t.diags);
	sb_fini(&b);
	text_fini(&t);
}

static bool
on_name(void *ctx, enum lang_name_kind kind, struct base_span name)
{
	const struct lang_source *src = ctx;

	fuzz_must(name.n && name.p >= src->text &&
		  name.n <= (size_t)(src->text + src->size - name.p));
	return true;
}

static void
outline(const uint8_t *p, size_t n)
{
	char *text = malloc(n + 1);
	struct lang_source src = { .text = text, .size = (uint32_t)n };
	const struct lang_outline o = { &src, on_name, NULL };

	memcpy(text, p, n);
	fuzz_must(lang_outline(&src, 0, src.size, &o));
	free(text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	parse(p, n, 0);
	parse(p, n, LANG_CMDLINE | LANG_ARGREF | LANG_DEFAULTARGS);
	outline(p, n);
	return 0;
}
