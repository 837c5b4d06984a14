/* SPDX-License-Identifier: BSD-2-Clause
 *
 * From characters to tokens.
 */
#ifndef LANG_LEX_PRIV_H
#define LANG_LEX_PRIV_H

#include "lang/lang_priv.h"

/* --- lex.c ------------------------------------------------------------- */

/* Skip blanks, comments and control lines, obeying the latter.  True when a
 * newline was among them. */
bool lang_skip_blank(struct parser *p);
/* The same without obeying: where would it end? */
uint32_t lang_after_blank(const struct parser *p, uint32_t pos);

/* The character at pos, 0 behind the end. */
static inline char
lang_char(const struct parser *p, uint32_t pos)
{
	return pos < p->size ? p->text[pos] : '\0';
}

static inline bool
lang_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
lang_is_alpha(char c)		/* may begin an identifier */
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool
lang_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r';
}

/* Does a comment that ends with its line begin at pos?  A '*' behind the slashes makes the
 * first of them one that divides or closes a predicate, and the rest another comment. */
static inline bool
lang_begins_line_comment(const char *text, uint32_t pos, uint32_t end)
{
	return pos + 1 < end && text[pos] == '/' && text[pos + 1] == '/' &&
	       (pos + 2 == end || text[pos + 2] != '*');
}

static inline uint32_t
lang_line_end(const char *text, uint32_t pos, uint32_t end)
{
	while (pos < end && text[pos] != '\n')
		pos++;
	return pos;
}

struct lang_span lang_span_at(const struct parser *p, uint32_t off,
			      uint32_t end);
/* Report something lexical; the token stays usable.  True when it was reported,
 * so that a hint may follow. */
bool lang_lex_diag(struct parser *p, enum diag_tag tag, struct lang_span s,
		   const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* The end of the letters and digits from pos on. */
uint32_t lang_word_end(const struct parser *p, uint32_t pos);
/* The same of a name that may be one of C++, as std::vector<int>::iterator; args: are
 * there arguments in it? */
enum lang_args { LANG_ARGS_BEFORE_SCOPE, LANG_ARGS_IF_SCOPED, LANG_ARGS };
uint32_t lang_scoped_end(const struct parser *p, uint32_t pos, enum lang_args args);
/* A word: keyword or identifier. */
void lang_make_word(struct parser *p, const char *s, size_t n,
		    struct token *t);

/* --- literal.c: numbers, strings, characters ------------------------------ */

/* How many bytes of s belong to the number that begins there. */
uint32_t lang_number_size(const char *s, uint32_t n);
/* Convert; errors are reported at t->span, and t is usable all the same. */
void lang_make_number(struct parser *p, const char *s, uint32_t n,
		      struct token *t);
/*
 * s begins at the quote, '"' or '\''.  Returns the bytes used, closing quote
 * included.  t->span is set from off.
 */
uint32_t lang_make_quoted(struct parser *p, const char *s, uint32_t n,
			  uint32_t off, struct token *t);
/* A string of text without quotes, in which there may be escapes; keep: of a backslash that
 * begins none, too. */
void lang_make_string(struct parser *p, const char *s, uint32_t n, bool keep,
		      struct token *t);

/* --- macro.c -------------------------------------------------------------- */

struct macro {
	struct lang_span span;	/* as written, $ included */
	const char *text;	/* NULL: not defined, and reported */
	bool as_string;		/* $$ */
};
/* At '$': read the name, step over it, look it up.  False: no macro, but a
 * lone '$', and nothing was read. */
bool lang_read_macro(struct parser *p, struct macro *ret);
/* Turn its text into a token. */
void lang_make_macro(struct parser *p, const struct macro *m, struct token *t);
/* At the end: complain of arguments nobody asked for. */
void lang_check_unused_macros(struct parser *p);

/* --- control.c ------------------------------------------------------------ */

/* At the '#' that begins a line: obey it and step to the line's end. */
void lang_control_line(struct parser *p);

/* --- pdesc.c, space.c -------------------------------------------------- */

/* May this character stand in a probe description? */
bool lang_is_desc_char(char c);

/* The end of the word at start..end with what it is a namespace of. */
uint32_t lang_space_end(struct parser *p, uint32_t start, uint32_t end);
/* Puts its namespace before the name in t, a word at start, if the one that we
 * are in, or one around it, defines it. */
void lang_space_qualify(struct parser *p, uint32_t start, struct token *t);

#endif
