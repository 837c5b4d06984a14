/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A text with what lang wants to know beside it: "foo_t", "size_t" and "code"
 * are types, $pid is 1234, $target is not set, $1 is a number, $2 a word.
 */
#ifndef TESTS_FUZZ_TEXT_H
#define TESTS_FUZZ_TEXT_H

#include "lang/lang.h"

struct text {
	struct arena *a;
	struct intern names;
	struct diag_list diags;
	struct lang_source src;
	struct lang_env env;
	bool used[4];
};

/* p: borrowed until text_fini(). */
void text_init(struct text *t, const uint8_t *p, size_t n, unsigned flags);
void text_fini(struct text *t);

/* Every span lies in its source, every text is one line; print them all. */
void text_diags(const struct diag_list *l);

extern const char *const text_args[3];
extern const struct lang_macro text_macros[3];

#endif
