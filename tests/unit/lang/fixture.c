/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One parse, its surroundings fixed.  What the parser asked and was told to set
 * is kept, for tests to look at.
 */
#include "fixture.h"

static bool
is_type(void *ctx, const char *name)
{
	((struct fixture *)ctx)->nasked++;
	return !strcmp(name, "foo_t") || !strcmp(name, "size_t") ||
		!strcmp(name, "code");
}

static void
on_option(void *ctx, const char *text, struct lang_span span)
{
	struct fixture *f = ctx;
	size_t n = strlen(f->options);

	snprintf(f->options + n, sizeof(f->options) - n, "%s;", text);
	if (!strcmp(text, "defaultargs"))
		f->env.flags |= LANG_DEFAULTARGS;
}

void
fixture_init(struct fixture *f, unsigned flags, const char *arg1,
	     const char *arg2)
{
	static const struct lang_macro macros[] = {
		{ "pid", "1234" }, { "target", "0" }, { "word", "foo" },
	};

	memset(f, 0, sizeof(*f));
	f->arena = arena_new();
	diag_init(&f->diags, f->arena);
	sb_init(&f->out, 64 << 20);
	f->args[0] = "test.d";
	f->args[1] = arg1;
	f->args[2] = arg2;
	f->env = (struct lang_env){
		.a = f->arena, .names = &f->names, .diags = &f->diags,
		.flags = flags, .args = f->args,
		.nargs = arg1 ? arg2 ? 3 : 2 : 1, .arg_used = f->used,
		.macros = macros, .nmacros = BASE_NELEMS(macros),
		.is_type = is_type, .ctx = f, .on_option = on_option,
	};
}

void
fixture_fini(struct fixture *f)
{
	sb_fini(&f->out);
	intern_fini(&f->names);
	arena_free(f->arena);
}

void
fixture_parse_n(struct fixture *f, const char *text, size_t size)
{
	f->src = (struct lang_source){ "test.d", text, (uint32_t)size };
	f->prog = lang_parse(&f->env, &f->src);
}

void
fixture_parse(struct fixture *f, const char *text)
{
	fixture_parse_n(f, text, strlen(text));
}

static const char *
without_last_newline(struct sb *b)
{
	if (b->len && b->p[b->len - 1] == '\n')
		b->p[--b->len] = '\0';
	return sb_str(b);
}

const char *
fixture_dump(struct fixture *f)
{
	sb_reset(&f->out);
	assert_non_null(f->prog);
	lang_dump(f->prog, &f->out);
	return without_last_newline(&f->out);
}

const char *
fixture_diags(struct fixture *f)
{
	sb_reset(&f->out);
	for (const struct diag *d = f->diags.first; d; d = d->next) {
		diag_print_line(d, true, &f->out);
		sb_putc(&f->out, '\n');
	}
	return without_last_newline(&f->out);
}
