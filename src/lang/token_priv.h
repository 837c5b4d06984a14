/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tokens (token.def, keyword.def).
 */
#ifndef LANG_TOKEN_PRIV_H
#define LANG_TOKEN_PRIV_H

#include "lang/diag.h"

enum token_kind {
#define TOKEN(NAME, text) T_##NAME,
#include "lang/token.def"
#define PUNCT(NAME, ...) T_##NAME,
#include "lang/token.def"
#define KEYWORD(NAME, ...) T_##NAME,
#include "lang/keyword.def"
#undef KEYWORD
	T_N,
	T_FIRST_PUNCT = T_LPAREN,
	T_FIRST_KEYWORD = T_ALIGNAS,
};

enum { LANG_NOT_ASSIGN = 255 };

enum keyword_flags {
	KW_TYPE = 1, KW_CLASS = 2, KW_FILE = 4, KW_STMT = 8, KW_RESERVED = 16,
	KW_D = 32,
};

struct token {
	uint8_t kind;			/* enum token_kind */
	bool negative;			/* INT: from a macro that said -5 */
	bool is_unsigned, is_long, is_llong, is_decimal, is_char;  /* INT */
	bool is_macro;			/* STR: the text of $$1 */
	bool on_new_line;		/* first on its line */
	struct lang_span span;
	const char *name;		/* IDENT, SYM, AGG, keyword: interned;
					 * with its namespace */
	const char *word;		/* IDENT, keyword: as written */
	const char *module;		/* SYM, or NULL */
	const char *str;		/* STR: value; FLOAT: text */
	uint32_t str_len;
	uint64_t value;			/* INT */
};

const char *lang_token_text(unsigned kind);

/* The flags of a keyword, 0 for other tokens. */
unsigned lang_keyword_flags(unsigned kind);

#endif
