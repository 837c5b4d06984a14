/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Any bytes through the parser, as a script and as an argument of -n.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
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

static void
split(const uint8_t *p, size_t n)
{
	char *arg = malloc(n + 1);
	struct base_span desc;
	size_t rest;

	memcpy(arg, p, n);
	arg[n] = '\0';
	lang_split_spec(arg, &desc, &rest);
	fuzz_must(rest <= strlen(arg));
	fuzz_must(desc.p >= arg && desc.n <= rest &&
		  (size_t)(desc.p - arg) <= rest - desc.n);
	free(arg);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	parse(p, n, 0);
	parse(p, n, LANG_CMDLINE | LANG_ARGREF | LANG_DEFAULTARGS);
	split(p, n);
	return 0;
}
