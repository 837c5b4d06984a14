/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Names as C++, Rust and Go have them in their debugging information:
 *
 *	shop::inner::size
 *	std::vector<int>::iterator
 *
 * are single words.  `::` means nothing else in D.  `<` does; what it begins is part
 * of the name where only a type can stand: behind struct, union or enum, and behind
 * a name with `::`, without a blank.  What is between `<` and its `>` is for
 * whoever knows the type: here only pairs are counted.
 */
#include "lang/lex_priv.h"

/* Behind the `>` of the `<` at pos; 0: it has none, so it is no argument's. */
static uint32_t
args_end(const struct parser *p, uint32_t pos)
{
	unsigned angles = 0, others = 0;

	for (;; pos++) {
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

uint32_t
lang_scoped_end(const struct parser *p, uint32_t pos, enum lang_args args)
{
	uint32_t end = lang_word_end(p, pos);

	while (end > pos) {
		char c = lang_char(p, end);
		uint32_t next = 0;
		if (c == ':' && lang_char(p, end + 1) == ':' &&
		    lang_is_alpha(lang_char(p, end + 2)))
			next = lang_word_end(p, end + 2);
		else if (c == '<' && args == LANG_ARGS)
			next = args_end(p, end);
		if (!next)
			break;
		if (args == LANG_ARGS_IF_SCOPED)
			args = LANG_ARGS;
		end = next;
	}
	return end;
}
