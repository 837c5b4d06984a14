/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Names as C++, Rust and Go have them in their debugging information:
 *
 *	shop::inner::size
 *	std::vector<int>::iterator
 *
 * are single words.  `::` means nothing else in D.  `<` does; what it begins is part
 * of the name where only a type can stand: behind struct, union or enum, and behind
 * a name with `::`, without a blank.  A variable is never called by what ends in
 * arguments, but may be of a type that has them: a.out`box<int>::made; there `::`
 * has to follow them.  What is between `<` and its `>` is for
 * whoever knows the type: here only pairs are counted, and operators told that no
 * type has, as in `a::b<c&&d>e`.
 */
#include <string.h>

#include "lang/lex_priv.h"

static char
beside(const struct parser *p, uint32_t pos, int step)
{
	do
		pos += (uint32_t)step;
	while (lang_is_blank(lang_char(p, pos)));
	return lang_char(p, pos);
}

/* Is what begins at pos an operator of expressions?  && is also of types, `int&&` and
 * `&&str`, but not between two operands. */
static bool
is_operator(const struct parser *p, uint32_t pos)
{
	char c = lang_char(p, pos), before, behind;

	if (!c || lang_char(p, pos + 1) != (c == '!' ? '=' : c))
		return false;
	if (c != '&')
		return c == '|' || c == '=' || c == '!';
	before = beside(p, pos, -1);
	behind = beside(p, pos + 1, 1);
	return (lang_is_alpha(before) || lang_is_digit(before) ||
		before == ')' || before == ']') &&
	       (lang_is_alpha(behind) || lang_is_digit(behind) ||
		(behind && strchr("$\"'`!~-*", behind)));
}

/* Behind the `>` of the `<` at pos; 0: it has none, so it is no argument's. */
static uint32_t
args_end(const struct parser *p, uint32_t pos)
{
	unsigned angles = 0, others = 0;

	for (;; pos++) {
		if (is_operator(p, pos))
			return 0;
		switch (lang_char(p, pos)) {
		case '<':
			angles++;
			break;
		case '>':
			/* -> is Rust's, of what a function gives. */
			if (lang_char(p, pos - 1) != '-' && --angles == 0)
				return others ? 0 : pos + 1;
			break;
		case '(': case '[': case '{':
			others++;
			break;
		case ')': case ']': case '}':
			if (others-- == 0)
				return 0;
			break;
		case '\'':	/* of a character, or what Rust calls a lifetime */
			if (lang_char(p, pos + 1) && lang_char(p, pos + 2) == '\'')
				pos += 2;
			break;
		case ';': case '"': case '\n': case '\0':
			return 0;
		}
	}
}

static bool
is_scope(const struct parser *p, uint32_t pos)
{
	return lang_char(p, pos) == ':' && lang_char(p, pos + 1) == ':' &&
	       lang_is_alpha(lang_char(p, pos + 2));
}

uint32_t
lang_scoped_end(const struct parser *p, uint32_t pos, enum lang_args args)
{
	uint32_t end = lang_word_end(p, pos);

	while (end > pos) {
		uint32_t next = 0;
		if (is_scope(p, end))
			next = lang_word_end(p, end + 2);
		else if (lang_char(p, end) == '<' && args != LANG_ARGS_IF_SCOPED)
			next = args_end(p, end);
		if (args == LANG_ARGS_BEFORE_SCOPE && lang_char(p, end) == '<' &&
		    !is_scope(p, next))
			next = 0;
		if (!next)
			break;
		if (args == LANG_ARGS_IF_SCOPED)
			args = LANG_ARGS;
		end = next;
	}
	return end;
}
