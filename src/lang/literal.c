/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Literals: numbers, strings, character constants.  They may come from the
 * program or from a macro argument, so the functions take text, not a parser's
 * position.  An error is reported at the token's span; the token then holds
 * what could be read, so that parsing goes on.
 *
 * Of the characters of a constant of several, up to eight, the last one is the
 * lowest byte, as gcc has it (C leaves it open): 'ab' is ('a' << 8) | 'b'.  A
 * single one has the value of a signed char: '\377' is -1.
 */
#include <string.h>

#include "lang/lex_priv.h"

enum { CHARS_MAX = 8 };

/* --- Numbers -------------------------------------------------------------- */

static bool
is_hex_prefix(const char *s, uint32_t n)
{
	return n >= 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
}

uint32_t
lang_number_size(const char *s, uint32_t n)
{
	bool hex = is_hex_prefix(s, n), dot = false, sign = false;
	uint32_t i = 0;

	for (; i < n; i++) {
		char c = s[i];
		bool exponent = i > 0 && (s[i - 1] == 'e' || s[i - 1] == 'E');

		if (lang_is_alpha(c) || lang_is_digit(c))
			continue;
		if (c == '.' && !hex && !dot && !sign)
			dot = true;
		else if ((c == '+' || c == '-') && exponent && !hex && !sign &&
			 i + 1 < n && lang_is_digit(s[i + 1]))
			sign = true;
		else
			break;
	}
	return i;
}

static uint32_t
skip_digits(const char *s, uint32_t n, uint32_t i)
{
	while (i < n && lang_is_digit(s[i]))
		i++;
	return i;
}

/* digits [. digits] [e [sign] digits] [f l], with a dot or an exponent. */
static bool
is_float(const char *s, uint32_t n)
{
	uint32_t i = skip_digits(s, n, 0);
	bool dot = i < n && s[i] == '.', exponent = false;

	if (dot)
		i = skip_digits(s, n, i + 1);
	if (i < n && (s[i] == 'e' || s[i] == 'E')) {
		uint32_t from = i + 1;
		if (from < n && (s[from] == '+' || s[from] == '-'))
			from++;
		i = skip_digits(s, n, from);
		exponent = i > from;
		if (!exponent)
			return false;
	}
	if (i < n && strchr("fFlL", s[i]))
		i++;
	return i == n && (dot || exponent);
}

/* The suffix s[from..n): u, l, ll and their mixtures. */
static bool
read_suffix(const char *s, uint32_t from, uint32_t n, struct token *t)
{
	unsigned u = 0, l = 0, runs = 0;

	for (uint32_t i = from; i < n; i++) {
		bool is_l = s[i] == 'l' || s[i] == 'L';
		u += !is_l;
		l += is_l;
		runs += is_l && (i == from || (s[i - 1] | ' ') != 'l');
	}
	t->is_unsigned = u > 0;
	t->is_long = l == 1;
	t->is_llong = l >= 2;
	return u <= 1 && l <= 2 && runs <= 1;
}

static unsigned
digit_value(char c)
{
	if (lang_is_digit(c))
		return (unsigned)(c - '0');
	c |= ' ';
	return c >= 'a' && c <= 'z' ? (unsigned)(c - 'a') + 10 : 99;
}

/* `tick-1s`: where an expression is read, it is a difference. */
static bool
is_probe_name(const struct parser *p, const struct token *t)
{
	uint32_t off = t->span.off;

	return t->span.src == p->src && off > 1 && p->text[off - 1] == '-' &&
		lang_is_alpha(p->text[off - 2]);
}

static void
hint_probe_name(struct parser *p, const char *s, uint32_t n)
{
	diag_hint(p->env->diags, "is a '}' missing before? Within { } the name "
		  "of a probe such as tick-%.*s is none", (int)BASE_MIN(n, 20),
		  s);
	p->garbled = true;
}

/* s[i..n) in base; false after reporting. */
static bool
read_digits(struct parser *p, const char *s, uint32_t i, uint32_t n,
	    unsigned base, struct token *t)
{
	const char *kind = base == 8 ? "octal" : base == 16 ? "hexadecimal" :
		"decimal";
	bool overflow = false;

	for (; i < n; i++) {
		unsigned d = digit_value(s[i]);
		if (d >= base) {
			if (!lang_lex_diag(p, D_INT_DIGIT, t->span, "invalid "
					   "digit '%c' in %s integer constant",
					   s[i], kind))
				return false;
			if (i == 1 && (s[i] | ' ') == 'b' && s[0] == '0')
				diag_hint(p->env->diags, "there are no binary "
					  "constants; write it in hexadecimal");
			else if (is_probe_name(p, t))
				hint_probe_name(p, s, n);
			return false;
		}
		overflow |= __builtin_mul_overflow(t->value, base, &t->value);
		overflow |= __builtin_add_overflow(t->value, d, &t->value);
	}
	if (overflow)
		lang_lex_diag(p, D_INT_OFLOW, t->span, "integer constant does "
			      "not fit in 64 bits");
	return !overflow;
}

static void
make_int(struct parser *p, const char *s, uint32_t n, struct token *t)
{
	unsigned base = is_hex_prefix(s, n) ? 16 : s[0] == '0' ? 8 : 10;
	uint32_t from = base == 16 ? 2 : 0, end = n;

	t->kind = T_INT;
	t->is_decimal = base == 10;
	while (end > from && strchr("uUlL", s[end - 1]))
		end--;
	if (from == end) {
		lang_lex_diag(p, D_INT_DIGIT, t->span, "hexadecimal integer "
			      "constant without digits");
		return;
	}
	if (!read_digits(p, s, from, end, base, t))
		t->value = 0;
	else if (!read_suffix(s, end, n, t))
		lang_lex_diag(p, D_INT_DIGIT, t->span, "invalid suffix \"%.*s\" "
			      "of integer constant",
			      (int)BASE_MIN(n - end, 40), s + end);
}

void
lang_make_number(struct parser *p, const char *s, uint32_t n, struct token *t)
{
	if (!is_float(s, n)) {
		make_int(p, s, n, t);
		return;
	}
	t->kind = T_FLOAT;
	t->str_len = n;
	t->str = arena_strndup(p->env->a, s, n);
	if (!t->str) {
		lang_no_memory(p);
		t->str = "";
	}
}

/* --- Characters and strings ----------------------------------------------- */

/* The escape behind the backslash at s[0]; n > 0.  Returns bytes used. */
static uint32_t
read_escape(const char *s, uint32_t n, char *ret)
{
	static const char letters[] = BASE_ESCAPES;
	const char *q = memchr(letters, s[0], sizeof(letters) - 1);
	uint32_t i = 0;
	unsigned v = 0;

	if (q) {
		*ret = (char)('\a' + (q - letters));
		return 1;
	}
	if (s[0] == 'x' && n > 1 && digit_value(s[1]) < 16) {
		for (i = 1; i < n && i < 3 && digit_value(s[i]) < 16; i++)
			v = v * 16 + digit_value(s[i]);
	} else if (digit_value(s[0]) < 8) {
		for (; i < n && i < 3 && digit_value(s[i]) < 8; i++)
			v = v * 8 + digit_value(s[i]);
	} else {
		*ret = s[0];
		return 1;
	}
	*ret = (char)v;
	return i;
}

/* Where the literal ends: at its quote, a newline, or n. */
static uint32_t
find_close(const char *s, uint32_t n)
{
	uint32_t i = 1;

	while (i < n && s[i] != s[0] && s[i] != '\n') {
		if (s[i] == '\\' && i + 1 < n && s[i + 1] != '\n')
			i++;
		i++;
	}
	return i;
}

static bool
is_escape(char c)
{
	return c && (strchr(BASE_ESCAPES "\\\"'?x", c) || digit_value(c) < 8);
}

/* Resolve the escapes of s[0..n) into out, which has room; the length.  Of a backslash that
 * begins none only what follows is left, unless it is to be kept. */
static uint32_t
unescape(const char *s, uint32_t n, bool keep, char *out)
{
	uint32_t len = 0;

	for (uint32_t i = 0; i < n; ) {
		if (s[i] == '\\' && i + 1 < n && (!keep || is_escape(s[i + 1])))
			i += 1 + read_escape(s + i + 1, n - i - 1, &out[len]);
		else
			out[len] = s[i++];
		len++;
	}
	return len;
}

static void
report_open_end(struct parser *p, bool at_newline, const struct token *t)
{
	bool is_str = t->kind == T_STR;
	unsigned line;

	if (at_newline) {
		if (lang_lex_diag(p, is_str ? D_STR_NL : D_CHR_NL, t->span,
				  "newline encountered in %s", is_str ?
				  "string literal" : "character constant"))
			diag_hint(p->env->diags, is_str ?
				  "a '\"' is missing; \\n makes a new line" :
				  "a \"'\" is missing");
		p->garbled = !p->quiet;
	} else if (!p->quiet) {
		lang_span_where(t->span, &line, NULL, NULL);
		lang_lex_diag(p, D_SYNTAX, t->span, "syntax error: end of input "
			      "in the %s that begins on line %u",
			      is_str ? "string" : "character constant", line);
		lang_die(p);
	}
}

static void
pack_char(struct parser *p, const char *s, uint32_t n, struct token *t)
{
	char out[CHARS_MAX * 4 + 4];	/* the longest spelling is \ooo */
	uint32_t len = n <= CHARS_MAX * 4 ? unescape(s, n, false, out)
					: CHARS_MAX + 1;

	t->is_char = true;
	if (len == 0)
		lang_lex_diag(p, D_CHR_NULL, t->span,
			      "empty character constant");
	else if (len > CHARS_MAX)
		lang_lex_diag(p, D_CHR_OFLOW, t->span, "character constant is "
			      "longer than %d characters", CHARS_MAX);
	else if (len == 1)
		t->value = (uint64_t)(int64_t)(signed char)out[0];
	else
		for (uint32_t i = 0; i < len; i++)
			t->value = t->value << 8 | (unsigned char)out[i];
}

void
lang_make_string(struct parser *p, const char *s, uint32_t n, bool keep, struct token *t)
{
	char *str = arena_alloc(p->env->a, n + 1);

	t->kind = T_STR;
	t->str = "";
	if (!str) {
		lang_no_memory(p);
		return;
	}
	t->str_len = unescape(s, n, keep, str);
	t->str = str;
}

uint32_t
lang_make_quoted(struct parser *p, const char *s, uint32_t n, uint32_t off,
		 struct token *t)
{
	uint32_t end = find_close(s, n);
	bool closed = end < n && s[end] == s[0];

	t->kind = s[0] == '"' ? T_STR : T_INT;
	if (!t->span.src)
		t->span = lang_span_at(p, off, off + end + closed);
	if (!closed)
		report_open_end(p, end < n, t);
	if (t->kind == T_INT) {
		if (closed)
			pack_char(p, s + 1, end - 1, t);
		t->is_char = true;
		return end + closed;
	}
	lang_make_string(p, s + 1, end - 1, false, t);
	return end + closed;
}
