/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One parse and what came of it.
 */
#ifndef TESTS_LANG_FIXTURE_H
#define TESTS_LANG_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "lang/lang.h"

enum { FIXTURE_ARGS = 8 };

struct fixture {
	struct arena *arena;
	struct intern names;
	struct diag_list diags;
	struct lang_source src;
	struct lang_env env;
	const char *args[FIXTURE_ARGS];
	bool used[FIXTURE_ARGS];
	struct ast_program *prog;
	struct sb out;
	unsigned nasked;		/* calls of is_type */
	char options[256];		/* reported by #pragma D option */
};

/* "foo_t", "size_t" and "code" are types; $pid is 1234, $target is not set.
 * $0 is "test.d"; further arguments up to a NULL. */
void fixture_init(struct fixture *f, unsigned flags, const char *arg1,
		  const char *arg2);
void fixture_fini(struct fixture *f);
/* Parse; the text must live until fixture_fini(). */
void fixture_parse_n(struct fixture *f, const char *text, size_t size);
void fixture_parse(struct fixture *f, const char *text);
/* The tree, without the last newline; borrowed until the next call. */
const char *fixture_dump(struct fixture *f);
/* The diagnostics in their one-line form with tags, one a line. */
const char *fixture_diags(struct fixture *f);

extern const struct CMUnitTest lex_tests[], parse_tests[], error_tests[],
	robust_tests[], outline_tests[];
extern const size_t n_lex_tests, n_parse_tests, n_error_tests, n_robust_tests,
	n_outline_tests;

#endif
