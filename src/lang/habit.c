/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Habits of other languages: what somebody meant who wrote `x and y` or
 * `x := 1`.  Such words and signs are no errors by themselves; a syntax error
 * at or behind one of them says how D spells it.  And what is left of a program that
 * the shell has read.
 */
#include <string.h>

#include "lang/error_priv.h"
#include "lang/lex_priv.h"

/* A habit shows in the token that is refused, or in the one before it. */
static const struct habit {
	const char *text;	/* of the token; of both, when there is a blank */
	bool before;		/* it is the token taken last */
	const char *hint;
} habits[] = {
	{ "and", false, "&& is the logical and" },
	{ "or", false, "|| is the logical or" },
	{ "xor", false, "^^ is the logical exclusive or" },
	{ "in", false, "the keys of an array cannot be gone through; an "
	  "aggregation prints its own" },
	{ "sizeof", true, "the name of a type stands in parentheses: "
	  "sizeof (int)" },
	{ "not", true, "! is the logical not" },
	{ "then", true, "the statement follows the condition: if (condition) "
	  "statement" },
	{ "var", true, "a variable needs no declaration: NAME = VALUE;" },
	{ "let", true, "a variable needs no declaration: NAME = VALUE;" },
	{ "delete", true, "0 gives an element back: NAME[KEY] = 0;" },
	{ "unset", true, "0 gives an element back: NAME[KEY] = 0;" },
	{ "< >", false, "!= compares for inequality" },
	{ "= <", false, "<= is \"less or equal\"" },
	{ "= >", false, ">= is \"greater or equal\"" },
	{ "== =", false, "== compares" },
	{ "!= =", false, "!= compares for inequality" },
};

static bool
is_text(const struct parser *p, struct lang_span s, const char *text, size_t n)
{
	return s.src == p->src && s.len == n &&
		s.off + s.len <= p->size && !memcmp(p->text + s.off, text, n);
}

static bool
has_habit(const struct parser *p, const struct habit *h, struct lang_span at)
{
	const char *blank = strchr(h->text, ' ');
	size_t n = blank ? (size_t)(blank - h->text) : strlen(h->text);

	if (!blank)
		return is_text(p, h->before ? p->last : at, h->text, n);
	return is_text(p, p->last, h->text, n) &&
		is_text(p, at, blank + 1, strlen(blank + 1)) &&
		p->last.off + p->last.len == at.off;
}

/* A shell takes the quotes of a program that stands in "...", and each $ with the word
 * behind it.  Then it has none of either, and lacks an operand, or text stands there as
 * it is, or what was behind a blank is an argument. */
static bool
is_bitten(const struct parser *p, struct lang_span at)
{
	uint32_t end = p->last.off + p->last.len;

	if (p->src->name || p->src->is_library ||
	    memchr(p->text, '"', p->size) || memchr(p->text, '\'', p->size) ||
	    memchr(p->text, '$', p->size))
		return false;
	if (at.off >= p->size)
		return p->env->nargs > 1;
	char next = p->text[at.off];
	return next == '\\' || (p->last.src == p->src && end > 0 &&
				strchr("(,=<>&|+-*", p->text[end - 1]) &&
				strchr("/%),;", next));
}

const char *
lang_habit(const struct parser *p, struct lang_span at)
{
	for (size_t i = 0; i < BASE_NELEMS(habits); i++)
		if (has_habit(p, &habits[i], at))
			return habits[i].hint;
	if (is_text(p, at, ":", 1) && lang_char(p, at.off + 1) == '=')
		return "= assigns, == compares";
	if (is_bitten(p, at))
		return "did the shell take quotes, or a $? The program stands best "
		       "in '...'";
	return NULL;
}
