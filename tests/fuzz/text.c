/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The surroundings of a text: always the same, so that an input that was kept
 * means the same thing next time.
 */
#include <string.h>

#include "fuzz.h"
#include "text.h"

const char *const text_args[3] = { "fuzz.d", "17", "word" };
const struct lang_macro text_macros[3] = {
	{ "pid", "1234" }, { "target", NULL }, { "word", "foo" },
};

static bool
is_type(void *ctx, const char *name)
{
	return !strcmp(name, "foo_t") || !strcmp(name, "size_t") ||
		!strcmp(name, "code");
}

static void
on_option(void *ctx, const char *text, struct lang_span span)
{
	struct text *t = ctx;

	if (!strcmp(text, "defaultargs"))
		t->env.flags |= LANG_DEFAULTARGS;
	else if (!strcmp(text, "argref"))
		t->env.flags |= LANG_ARGREF;
}

void
text_init(struct text *t, const uint8_t *p, size_t n, unsigned flags)
{
	memset(t, 0, sizeof(*t));
	t->a = arena_new();
	diag_init(&t->diags, t->a);
	t->src = (struct lang_source){ "fuzz.d", (const char *)p,
				       (uint32_t)n };
	t->env = (struct lang_env){
		.a = t->a, .names = &t->names, .diags = &t->diags,
		.flags = flags, .args = text_args,
		.nargs = BASE_NELEMS(text_args), .arg_used = t->used,
		.macros = text_macros, .nmacros = BASE_NELEMS(text_macros),
		.is_type = is_type, .ctx = t, .on_option = on_option,
	};
}

void
text_fini(struct text *t)
{
	intern_fini(&t->names);
	arena_free(t->a);
}

static void
check_span(struct lang_span s)
{
	unsigned line, col;
	struct base_span file;

	if (s.src)
		fuzz_must(s.off <= s.src->size && s.len <= s.src->size - s.off);
	lang_span_where(s, &line, &col, &file);
	/* #line may call a line anything, but a place has a column. */
	fuzz_must(!s.src == !col);
}

void
text_diags(const struct diag_list *l)
{
	struct sb b;

	sb_init(&b, 16 << 20);
	for (const struct diag *d = l->first; d; d = d->next) {
		check_span(d->span);
		fuzz_must(d->tag < DIAG_N && d->text && !strchr(d->text, '\n'));
		diag_print_line(d, true, &b);
		sb_putc(&b, '\n');
		diag_print_source(d, &b);
	}
	fuzz_must(!b.failed);
	sb_fini(&b);
}
