/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Macro variables: $1 $$1 $target $0.
 *
 * In an expression an argument becomes the one token it looks like: an
 * integer, a word or a quoted string.  It can never become two, so what a user
 * types as an argument cannot change the shape of the program.  "-5" is an
 * integer all the same; its token is marked negative and the parser makes the
 * minus.  $$1 is a string whatever it looks like, with the escapes of one, and so is
 * $0, the program's name.  In a probe description the text is inserted (pdesc.c).
 */
#include <string.h>

#include "lang/lex_priv.h"

enum { INDEX_MAX = 100000 };

/* $N: args[N]. */
static void
find_argument(struct parser *p, uint32_t start, struct macro *m)
{
	const struct lang_env *env = p->env;
	unsigned index = 0;

	for (; lang_is_digit(lang_char(p, p->pos)); p->pos++)
		if (index <= INDEX_MAX)
			index = index * 10 + (unsigned)(p->text[p->pos] - '0');
	m->span = lang_span_at(p, start, p->pos);
	int size = (int)BASE_MIN(m->span.len, 24);
	if (index > INDEX_MAX) {
		lang_lex_diag(p, D_MACRO_OFLOW, m->span, "macro argument %.*s "
			      "is out of range", size, p->text + start);
	} else if (index < env->nargs && env->args[index]) {
		m->text = env->args[index];
		if (env->arg_used)
			env->arg_used[index] = true;
	} else if (env->flags & LANG_DEFAULTARGS) {
		m->text = m->as_string ? "" : "0";
	} else if (lang_lex_diag(p, D_MACRO_UNDEF, m->span, "macro argument "
				 "%.*s is not defined", size,
				 p->text + start)) {
		diag_hint(p->env->diags, "arguments stand behind the program; "
			  "-x defaultargs makes those that are missing 0, or "
			  "\"\" with $$");
	}
}

static bool
spells(const char *name, const char *s, uint32_t n)
{
	return strlen(name) == n && !memcmp(name, s, n);
}

/* $name: one of env->macros. */
static void
find_variable(struct parser *p, uint32_t start, struct macro *m)
{
	uint32_t from = p->pos;

	p->pos = lang_word_end(p, from);
	m->span = lang_span_at(p, start, p->pos);
	uint32_t n = p->pos - from;
	for (unsigned i = 0; i < p->env->nmacros && !m->text; i++)
		if (spells(p->env->macros[i].name, p->text + from, n))
			m->text = p->env->macros[i].text;
	if (!m->text && lang_lex_diag(p, D_MACRO_UNDEF, m->span,
				      "macro variable %.*s is not defined",
				      (int)BASE_MIN(m->span.len, 40),
				      p->text + start))
		diag_hint(p->env->diags, "a variable is written without $");
}

bool
lang_read_macro(struct parser *p, struct macro *ret)
{
	uint32_t start = p->pos, at = start + 1;
	struct macro m = { .as_string = lang_char(p, at) == '$' };

	at += m.as_string;
	char c = lang_char(p, at);
	if (!lang_is_digit(c) && !lang_is_alpha(c))
		return false;
	p->pos = at;
	if (lang_is_digit(c))
		find_argument(p, start, &m);
	else
		find_variable(p, start, &m);
	/* Programs have names of any form. */
	m.as_string |= c == '0' && m.span.len == 2;
	*ret = m;
	return true;
}

static bool
is_word(const char *s, size_t n)
{
	if (!lang_is_alpha(s[0]))
		return false;
	for (size_t i = 1; i < n; i++)
		if (!lang_is_alpha(s[i]) && !lang_is_digit(s[i]))
			return false;
	return true;
}

/* Would s be an integer constant?  Asked first, so that 10abc is blamed as an
 * argument and not for its digit. */
static bool
is_int(const char *s, uint32_t n)
{
	bool hex = n > 2 && s[0] == '0' && (s[1] | ' ') == 'x';
	uint32_t i = hex ? 2 : 0;

	if (!lang_is_digit(s[0]))
		return false;
	for (; i < n && (lang_is_digit(s[i]) ||
			 (hex && strchr("abcdefABCDEF", s[i]))); i++)
		if (!hex && s[0] == '0' && s[i] > '7')
			return false;
	while (i < n && strchr("uUlL", s[i]))
		i++;
	return i == n;
}

static bool
is_quoted(const char *s, uint32_t n)
{
	if (n < 2 || s[0] != '"')
		return false;
	for (uint32_t i = 1; i < n; i++) {
		if (s[i] == '"')
			return i == n - 1;
		if (s[i] == '\n' || (s[i] == '\\' && s[i + 1] == '\n'))
			return false;
		i += s[i] == '\\';
	}
	return false;
}

void
lang_make_macro(struct parser *p, const struct macro *m, struct token *t)
{
	const char *s = m->text ? m->text : "0";
	size_t size = strlen(s);
	uint32_t n = (uint32_t)BASE_MIN(size, 1u << 20);

	if (m->as_string) {
		lang_make_string(p, m->text ? s : "", m->text ? n : 0, true, t);
		t->is_macro = true;
		return;
	}
	bool negative = s[0] == '-';
	if (is_int(s + negative, n - negative)) {
		lang_make_number(p, s + negative, n - negative, t);
		t->negative = negative;
	} else if (is_word(s, n)) {
		lang_make_word(p, s, n, t);
	} else if (is_quoted(s, n)) {
		lang_make_quoted(p, s, n, 0, t);
	} else {
		t->kind = T_INT;	/* so that nothing else is blamed */
		if (lang_lex_diag(p, D_SYNTAX, t->span, "syntax error: macro "
				  "argument '%.*s' is no integer, word or "
				  "quoted string", (int)BASE_MIN(n, 60u), s))
			diag_hint(p->env->diags, "$%.*s is its text as a string",
				  (int)BASE_MIN(m->span.len, 24u),
				  p->text + m->span.off);
	}
}

void
lang_check_unused_macros(struct parser *p)
{
	const struct lang_env *env = p->env;
	struct lang_span nowhere = { 0 };
	bool first = true;

	if ((env->flags & (LANG_ARGREF | LANG_DEFAULTARGS | LANG_LIBRARY)) ||
	    !env->arg_used || env->diags->n > p->ndiags || p->dead)
		return;
	for (unsigned i = 1; i < env->nargs; i++) {
		const char *arg = env->args[i] ? env->args[i] : "";
		if (env->arg_used[i])
			continue;
		diag(env->diags, D_MACRO_UNUSED, nowhere, "extraneous argument "
		     "'%s' ($%u is not referenced)", arg, i);
		if (i == 1 && (*arg == '{' || *arg == '/') &&
		    env->flags & LANG_CMDLINE)
			diag_hint(env->diags, "a program is one argument, in "
				  "quotes: -n 'PROBE { ... }'");
		else if (first)
			diag_hint(env->diags, "every program is given all "
				  "arguments and has to use them; -x argref "
				  "allows those that are not used");
		first = false;
	}
}
