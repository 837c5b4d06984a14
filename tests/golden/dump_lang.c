/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dump-lang tokens|ast FILE [ARG...]: what the parser makes of a file, and its
 * diagnostics, for golden tests.  $0 is the file's base name, $pid is 1234,
 * $target is 0; every name that ends in _t is a type, unknown_t apart.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/lang.h"
#include "support/putdiags.h"

enum { FILE_MAX = 16 << 20, ARGS_MAX = 64 };

static bool
is_type(void *ctx, const char *name)
{
	size_t n = strlen(name);

	return n > 2 && !strcmp(name + n - 2, "_t") &&
		strcmp(name, "unknown_t");
}

static void
on_option(void *ctx, const char *text, struct lang_span span)
{
	struct lang_env *env = ctx;

	if (!strcmp(text, "defaultargs"))
		env->flags |= LANG_DEFAULTARGS;
	else if (!strcmp(text, "argref"))
		env->flags |= LANG_ARGREF;
}

static char *
read_file(const char *path, uint32_t *size)
{
	FILE *f = fopen(path, "rb");
	char *text = f ? malloc(FILE_MAX) : NULL;

	if (!text) {
		perror(path);
		exit(1);
	}
	*size = (uint32_t)fread(text, 1, FILE_MAX, f);
	fclose(f);
	return text;
}

int
main(int argc, char **argv)
{
	static const struct lang_macro macros[] = {
		{ "pid", "1234" }, { "uid", "0" }, { "target", "0" },
	};
	const char *args[ARGS_MAX];
	bool used[ARGS_MAX] = { 0 };
	struct intern names = { 0 };
	struct diag_list diags;
	struct sb out;

	if (argc < 3 || argc - 2 > ARGS_MAX) {
		fprintf(stderr, "usage: dump-lang tokens|ast FILE [ARG...]\n");
		return 2;
	}
	const char *slash = strrchr(argv[2], '/');
	struct lang_source src = { .name = slash ? slash + 1 : argv[2] };
	char *text = read_file(argv[2], &src.size);
	src.text = text;
	args[0] = src.name;
	for (int i = 3; i < argc; i++)
		args[i - 2] = argv[i];

	struct lang_env env = {
		.a = arena_new(), .names = &names, .diags = &diags,
		.args = args, .nargs = (unsigned)argc - 2, .arg_used = used,
		.macros = macros, .nmacros = BASE_NELEMS(macros),
		.is_type = is_type, .on_option = on_option,
	};
	env.ctx = &env;
	diag_init(&diags, env.a);
	sb_init(&out, 64 << 20);
	if (!strcmp(argv[1], "tokens"))
		lang_dump_tokens(&env, &src, &out);
	else
		lang_dump(lang_parse(&env, &src), &out);
	put_diags(&diags, &out);
	fputs(sb_str(&out), stdout);

	sb_fini(&out);
	intern_fini(&names);
	arena_free(env.a);
	free(text);
	return 0;
}
