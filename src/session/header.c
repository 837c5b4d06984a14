/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the system's headers say that means nothing to D.
 *
 * Programs include them for their constants and types.  They also declare
 * functions and variables, in words of one compiler.  So in those parts of
 * cpp's output that it marks as of a system header (the flag 3 of its markers),
 * declarations of anything but types are overwritten with blanks, and so are
 * attributes and the like in those that stay; lines stay where they are.
 *
 * A type whose layout depends on an attribute, or on a type that D does not
 * have, goes, too: better an unknown name than a wrong layout.
 *
 * And errno, which <errno.h> makes a call, is D's errno again.
 *
 * A declaration ends with ';', or with the '}' of a function: its '{' stands
 * behind a ')'.
 */
#include <ctype.h>
#include <string.h>

#include "session/session_priv.h"

struct scan {
	char *text;
	size_t pos, size;
	bool system;		/* where pos is */
};

/* From the first byte to behind the last one. */
struct piece {
	size_t from, to;
};

static bool
word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool
is_word(const struct scan *s, struct piece t, const char *word)
{
	return base_span_is((struct base_span){ s->text + t.from,
						t.to - t.from }, word);
}

/* A line that begins with '#': `# 3 "file" 1 3` says what follows it.  Flag 1
 * is the beginning of a file, 2 the way back to one; with neither, it may be
 * the expansion of a macro from a system header, which is no header. */
static void
read_marker(struct scan *s)
{
	const char *line = s->text + s->pos;
	const char *eol = memchr(line, '\n', s->size - s->pos);
	const char *end = eol ? eol : s->text + s->size;
	const char *flag = memrchr(line, '"', (size_t)(end - line));
	bool moves = false, system = false;

	for (; flag && flag < end; flag++) {
		moves |= *flag == '1' || *flag == '2';
		system |= *flag == '3';
	}
	if (moves)
		s->system = system;
	s->pos = (size_t)(end - s->text) + (eol != NULL);
}

static bool
at_marker(const struct scan *s)
{
	return s->text[s->pos] == '#' &&
		(s->pos == 0 || s->text[s->pos - 1] == '\n');
}

static void
skip_blank(struct scan *s)
{
	while (s->pos < s->size) {
		if (at_marker(s))
			read_marker(s);
		else if (isspace((unsigned char)s->text[s->pos]))
			s->pos++;
		else
			break;
	}
}

/* A word or number, a quoted text, or one other byte; false at the end. */
static bool
next(struct scan *s, struct piece *ret)
{
	skip_blank(s);
	if (s->pos >= s->size)
		return false;
	size_t at = s->pos, end = at + 1;
	char c = s->text[at];
	if (word_char(c)) {
		while (end < s->size && word_char(s->text[end]))
			end++;
	} else if (c == '"' || c == '\'') {
		while (end < s->size && s->text[end] != c &&
		       s->text[end] != '\n')
			end += s->text[end] == '\\' ? 2 : 1;
		end += end < s->size;
	}
	s->pos = BASE_MIN(end, s->size);
	*ret = (struct piece){ at, s->pos };
	return true;
}

/* Overwrite with text, and blanks behind it; not what is between: markers. */
static void
put(struct scan *s, struct piece t, const char *text)
{
	struct scan line = *s;
	bool skip = false;

	for (line.pos = t.from; line.pos < t.to; line.pos++) {
		char *c = &s->text[line.pos];
		skip = *c != '\n' && (skip || at_marker(&line));
		if (!skip && *c != '\n')
			*c = *text ? *text++ : ' ';
	}
}

/* --- Words of one compiler ------------------------------------------------ */

/* Behind __attribute__: true when layouts depend on it. */
static bool
read_attribute(struct scan *s, size_t from)
{
	static const char *const layout[] = {
		"packed", "__packed__", "aligned", "__aligned__", "mode",
		"__mode__", "vector_size", "__vector_size__",
	};
	bool matters = false;
	unsigned depth = 0;
	struct piece t;

	while (next(s, &t)) {
		depth += s->text[t.from] == '(';
		for (size_t i = 0; i < BASE_NELEMS(layout); i++)
			matters |= is_word(s, t, layout[i]);
		if (s->text[t.from] == ')' && --depth == 0)
			break;
		if (depth == 0)
			break;
	}
	put(s, (struct piece){ from, s->pos }, "");
	return matters;
}

/* Put what D says instead; false for what it cannot say. */
static bool
translate(struct scan *s, struct piece t)
{
	static const struct { const char *c, *d; } words[] = {
		{ "__extension__", "" }, { "__inline", "" },
		{ "__inline__", "" }, { "__restrict", "" },
		{ "__restrict__", "" }, { "__const", "const" },
		{ "__const__", "const" }, { "__volatile__", "volatile" },
		{ "__volatile", "volatile" }, { "__signed__", "signed" },
		{ "__signed", "signed" }, { "__builtin_va_list", "void *" },
		{ "__int128", NULL }, { "__int128_t", NULL },
		{ "_Complex", NULL }, { "__complex__", NULL },
		{ "__float128", NULL }, { "_Float128", NULL },
		{ "__typeof__", NULL }, { "_Alignas", NULL },
		{ "_Atomic", NULL }, { "counter", NULL }, { "import", NULL },
		{ "probe", NULL }, { "provider", NULL }, { "self", NULL },
		{ "string", NULL }, { "stringof", NULL }, { "this", NULL },
		{ "translator", NULL }, { "userland", NULL },
		{ "xlate", NULL },
	};

	for (size_t i = 0; i < BASE_NELEMS(words); i++) {
		if (!is_word(s, t, words[i].c))
			continue;
		if (words[i].d)
			put(s, t, words[i].d);
		return words[i].d != NULL;
	}
	return true;
}

/* --- Declarations --------------------------------------------------------- */

/* So far. */
struct item {
	size_t from;
	unsigned braces, parens;
	bool is_typedef, is_type;
	bool calls;		/* has a '(' outside of braces */
	bool in_body;		/* of a function */
	bool foreign;		/* cannot be said in D */
	char last;		/* the first byte of the last token */
};

static void
first_word(const struct scan *s, struct item *it, struct piece t)
{
	it->from = t.from;
	it->is_typedef = is_word(s, t, "typedef");
	it->is_type = it->is_typedef || is_word(s, t, "struct") ||
		is_word(s, t, "union") || is_word(s, t, "enum");
}

/* Take one token in; true when it is the last one. */
static bool
take(struct scan *s, struct item *it, struct piece t)
{
	char c = s->text[t.from];

	if (c == '{' && it->braces++ == 0)
		it->in_body = it->last == ')';
	if (c == '}' && it->braces && --it->braces == 0 && it->in_body)
		return true;
	if (c == '(') {
		it->parens++;
		it->calls |= it->braces == 0;
	}
	it->parens -= c == ')' && it->parens;
	it->last = c;
	return c == ';' && !it->braces && !it->parens;
}

static void
read_item(struct scan *s)
{
	struct item it = { 0 };
	struct piece t;

	while (next(s, &t)) {
		if (is_word(s, t, "__attribute__") ||
		    is_word(s, t, "__attribute")) {
			it.foreign |= read_attribute(s, t.from);
			continue;
		}
		it.foreign |= !translate(s, t);
		if (isspace((unsigned char)s->text[t.from]))
			continue;
		if (!it.last)
			first_word(s, &it, t);
		if (take(s, &it, t))
			break;
	}
	if (it.last && (it.foreign || !it.is_type ||
			(it.calls && !it.is_typedef)))
		put(s, (struct piece){ it.from, s->pos }, "");
}

/* At p, perhaps behind blanks: behind these bytes, blanks between them; or
 * NULL. */
static char *
behind(char *p, const char *end, const char *bytes)
{
	for (; *bytes; bytes++, p++) {
		while (p < end && *p == ' ')
			p++;
		if (p == end || *p != *bytes)
			return NULL;
	}
	return p;
}

/* `(*__errno_location ())`, as macros of C libraries have it. */
static void
restore_errno(char *text, size_t size)
{
	static const char call[] = "__errno_location";
	char *end = text + size, *p = text, *to;

	while ((p = memmem(p, (size_t)(end - p), call, sizeof(call) - 1))) {
		char *from = p;
		p += sizeof(call) - 1;
		if (from - text < 2 || from[-1] != '*' || from[-2] != '(' ||
		    !(to = behind(p, end, "())")))
			continue;
		memset(from - 2, ' ', (size_t)(to - from) + 2);
		memcpy(from - 2, "errno", 5);
	}
}

void
session_only_types(char *text, size_t size)
{
	struct scan s = { text, 0, size, false };

	restore_errno(text, size);
	while (s.pos < s.size) {
		if (s.system) {
			skip_blank(&s);
			if (s.system)
				read_item(&s);
		} else if (at_marker(&s)) {
			read_marker(&s);
		} else {
			const char *eol = memchr(text + s.pos, '\n',
						 size - s.pos);
			s.pos = eol ? (size_t)(eol - text) + 1 : size;
		}
	}
}
