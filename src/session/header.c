/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the system's headers say that means nothing to D.
 *
 * Programs include them for their constants and types.  They also declare
 * functions and variables, in words of one compiler.  So in those parts of
 * cpp's output that it marks as of a system header (the flag 3 of its markers),
 * declarations of anything but types are overwritten with blanks, and so are
 * words that say nothing of a type in those that stay; lines stay where they
 * are.
 *
 * A type or constant that is called like a word of D goes, too.
 *
 * And errno, which <errno.h> makes a call, is D's errno again; so are the few
 * functions of D that headers define as macros.
 *
 * A declaration ends with ';', or with the '}' of a function: its '{' stands
 * behind a ')'.
 */
#include <ctype.h>
#include <string.h>

#include "base/base.h"
#include "session/program_priv.h"

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

/* --- Words --------------------------------------------------------------- */

/* Step over what stands in parentheses behind __attribute__. */
static void
skip_attribute(struct scan *s)
{
	unsigned depth = 0;
	struct piece t;

	while (next(s, &t)) {
		depth += s->text[t.from] == '(';
		if (s->text[t.from] == ')' && --depth == 0)
			break;
		if (depth == 0)
			break;
	}
}

/* Words of one compiler that say nothing of a type. */
static bool
is_noise(const struct scan *s, struct piece t)
{
	static const char *const words[] = {
		"__extension__", "__inline", "__inline__", "_Noreturn",
	};

	return BASE_ANY(i, BASE_NELEMS(words), is_word(s, t, words[i]));
}

/* Words of D that C may use as a name. */
static bool
is_of_d(const struct scan *s, struct piece t)
{
	static const char *const words[] = {
		"counter", "import", "probe", "provider", "self", "string",
		"stringof", "this", "translator", "userland", "xlate",
	};

	return BASE_ANY(i, BASE_NELEMS(words), is_word(s, t, words[i]));
}

/* --- Declarations --------------------------------------------------------- */

/* So far. */
struct item {
	size_t from;
	unsigned braces, parens;
	bool is_typedef, is_type;
	bool calls;		/* has a '(' outside of braces */
	bool in_body;		/* of a function */
	bool in_enum;		/* behind its word, perhaps in its braces */
	bool behind_tag;	/* behind struct, union or enum */
	/* A struct, union or enum that is defined on the way to something else:
	 * up to its '}', at which `to` is set. */
	struct piece body;
	bool has_tag;		/* or is an enum */
	enum { BODY_NONE, BODY_HEAD, BODY_OPEN } at;	/* where in it */
	bool foreign;		/* cannot be said in D */
	char last;		/* the first byte of the last token */
};

/* Does a word of D stand where it would be the name of a type or a constant?
 * That of a member, a parameter or a tag it may be. */
static bool
names_global(const struct item *it)
{
	return !it->behind_tag &&
		((it->in_enum && it->braces) || (!it->braces && !it->parens));
}

static void
first_word(const struct scan *s, struct item *it, struct piece t)
{
	it->from = BASE_MIN(it->from, t.from);
	it->is_typedef = is_word(s, t, "typedef");
	it->is_type = it->is_typedef || is_word(s, t, "struct") ||
		is_word(s, t, "union") || is_word(s, t, "enum");
}

/* A token outside of all brackets, or the '}' that ends the braces. */
static void
note_body(struct scan *s, struct item *it, struct piece t)
{
	bool is_sou = is_word(s, t, "struct") || is_word(s, t, "union");

	if (it->body.to)
		return;
	if (is_sou || is_word(s, t, "enum")) {
		it->body.from = t.from;
		it->has_tag = !is_sou;
		it->at = BODY_HEAD;
	} else if (it->behind_tag && word_char(s->text[t.from])) {
		it->has_tag = true;
	} else if (it->at == BODY_HEAD && s->text[t.from] == '{') {
		it->at = BODY_OPEN;
	} else {
		if (it->at == BODY_OPEN && it->has_tag)
			it->body.to = t.to;
		it->at = BODY_NONE;
	}
}

/* Overwrite it, but for a type that it defines. */
static void
drop(struct scan *s, const struct item *it)
{
	size_t from = it->from;

	if (it->body.to && !it->foreign) {
		put(s, (struct piece){ from, it->body.from }, "");
		put(s, (struct piece){ it->body.to, s->pos }, ";");
	} else {
		put(s, (struct piece){ from, s->pos }, "");
	}
}

/* Take one token in; true when it is the last one. */
static bool
take(struct scan *s, struct item *it, struct piece t)
{
	char c = s->text[t.from];
	bool is_enum = is_word(s, t, "enum");
	bool is_sou = is_word(s, t, "struct") || is_word(s, t, "union");

	if (!it->parens && it->braces == (c == '}'))
		note_body(s, it, t);
	if (is_enum || is_sou || strchr(";})*", c))
		it->in_enum = is_enum;
	it->behind_tag = is_enum || is_sou;
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
	struct item it = { .from = s->size };
	struct piece t;

	while (next(s, &t)) {
		if (is_word(s, t, "__attribute__") ||
		    is_word(s, t, "__attribute")) {
			if (!it.last)
				it.from = BASE_MIN(it.from, t.from);
			skip_attribute(s);
			continue;
		}
		if (is_noise(s, t)) {
			put(s, t, "");
			continue;
		}
		it.foreign |= is_of_d(s, t) && names_global(&it);
		if (!it.last)
			first_word(s, &it, t);
		if (take(s, &it, t))
			break;
	}
	if (it.last && (it.foreign || !it.is_type ||
			(it.calls && !it.is_typedef)))
		drop(s, &it);
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

/* What headers have made of D's functions. */
static void
restore_names(char *text, size_t size)
{
	static const struct { const char *c, *d; } names[] = {
		{ "__builtin_alloca", "alloca" },
		{ "__xpg_basename", "basename" },
		/* linux/swab.h: a constant, or what the compiler inlines */
		{ "__builtin_constant_p", "1|" },
		{ "__fswab16", "htons" }, { "__fswab32", "htonl" },
		{ "__fswab64", "htonll" },
	};
	const char *end = text + size;

	for (size_t i = 0; i < BASE_NELEMS(names); i++) {
		size_t n = strlen(names[i].c);
		char *p = text;
		while ((p = memmem(p, (size_t)(end - p), names[i].c, n))) {
			char *to = p + n;
			if ((p == text || !word_char(p[-1])) &&
			    (to == end || !word_char(*to))) {
				memset(p, ' ', n);
				memcpy(p, names[i].d, strlen(names[i].d));
			}
			p = to;
		}
	}
}

void
session_only_types(char *text, size_t size)
{
	struct scan s = { text, 0, size, false };

	restore_errno(text, size);
	restore_names(text, size);
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
