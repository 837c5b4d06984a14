/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Errors, and getting over them: habit.c, recover.c.
 */
#ifndef LANG_ERROR_PRIV_H
#define LANG_ERROR_PRIV_H

#include "lang/lang_priv.h"

/* `syntax error near "tok"` at the next token; panic.  The hint or NULL. */
void lang_syntax(struct parser *p, const char *hint, ...)
	__attribute__((format(printf, 2, 3)));
/* A syntax error with words of its own. */
void lang_syntax_at(struct parser *p, struct lang_span s, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* How D says what the token at `at`, or the one before, says in another
 * language; or NULL. */
const char *lang_habit(const struct parser *p, struct lang_span at);
/* A declaration where none may be; reported once for each clause. */
void lang_no_decl(struct parser *p);
/* This begins no item.  Behind an item with errors, or another that did not
 * begin as one, that is a consequence, and nothing is said.  The hint may have
 * a %s, for text. */
void lang_bad_header(struct parser *p, const char *hint, const char *text);
/* Take a token of this kind or report; hint as above, may be NULL. */
bool lang_expect(struct parser *p, enum token_kind kind, const char *hint);
/* Take the bracket that closes the one at `open`. */
bool lang_expect_close(struct parser *p, enum token_kind kind,
		       struct lang_span open);
/* One level deeper; false when that is too deep (reported, dead). */
bool lang_enter(struct parser *p);
void lang_leave(struct parser *p);
/* Out of panic: skip past the statement, to its end inside { }. */
void lang_resync_stmt(struct parser *p);
/* To the end of a predicate or the '{' behind it. */
void lang_resync_pred(struct parser *p);
/* Past the item: a ';' or a balanced { }.  A declaration that fails within
 * its braces goes on behind them: its ';' alone ends it. */
void lang_resync_item(struct parser *p, bool is_decl);

/* Past a clause that lacks its '{': to the '}' it may have all the same. */
void lang_resync_no_body(struct parser *p);

#endif
