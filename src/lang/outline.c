/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The outline of a library.  All libraries are looked through when a program
 * names something that it does not define itself, so this must cost about as
 * much as reading the text: it goes over the characters once, makes no tokens,
 * interns nothing, and knows of D's grammar only where a name is:
 *
 *	inline T NAME = ...;		inline T NAME[K k] = ...;
 *	typedef T NAME, *NAME, (*NAME)(...);
 *	translator ... NAME < ... > { ... };
 *	T NAME, NAME[...];		T NAME(...) { ... }
 *	struct NAME {			enum ... { NAME, NAME = ..., }
 *	namespace NAME { ... }
 *
 * So a name is the last word before one of `= [ ( < , ;`, and the rest is
 * brackets that must be balanced.  The end of an item is a ';' outside of
 * them, or the '}' of a namespace or a function.
 */
#include <string.h>

#include "lang/lex_priv.h"
#include "lang/outline.h"

enum item { ITEM_OTHER, ITEM_INLINE, ITEM_TYPEDEF, ITEM_XLATOR, ITEM_SPACE,
	    ITEM_SILENT };

struct outline {
	const struct lang_outline *to;
	const struct lang_source *src;
	const char *text;
	uint32_t pos, end;
	bool stopped;

	/* The item we are in. */
	enum item item;
	bool begun;			/* its first word was seen */
	bool told;			/* the name of this declarator was */
	unsigned braces, parens;	/* open; brackets count as parens */
	unsigned enum_depth;		/* braces of the enum we are in, or 0 */
	bool is_func;			/* a '(' stood in it */
	struct base_span word;		/* the last one, if it may be a name */
	enum { TAG_NO, TAG_SOU, TAG_ENUM } tag;	/* struct or enum was said,
					 * and perhaps its tag */
	bool at_enumerator;
};

static void
tell(struct outline *o, enum lang_name_kind kind, struct base_span name)
{
	if (name.n && !o->to->name(o->to->ctx, kind, name))
		o->stopped = true;
}

/* --- Items ---------------------------------------------------------------- */

static void
begin_item(struct outline *o)
{
	o->item = ITEM_OTHER;
	o->begun = o->told = o->is_func = o->at_enumerator = false;
	o->braces = o->parens = o->enum_depth = 0;
	o->word.n = 0;
	o->tag = TAG_NO;
}

static enum item
item_of(struct base_span word)
{
	static const struct { const char *word; enum item item; } rows[] = {
		{ "inline", ITEM_INLINE }, { "typedef", ITEM_TYPEDEF },
		{ "translator", ITEM_XLATOR }, { "namespace", ITEM_SPACE },
		{ "self", ITEM_SILENT }, { "this", ITEM_SILENT },
		{ "provider", ITEM_SILENT }, { "import", ITEM_SILENT },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (base_span_is(word, rows[i].word))
			return rows[i].item;
	return ITEM_OTHER;
}

/* The name of this declarator, if none was told. */
static void
tell_declared(struct outline *o)
{
	static const enum lang_name_kind kinds[] = {
		[ITEM_OTHER] = LANG_NAME_IDENT,
		[ITEM_INLINE] = LANG_NAME_IDENT,
		[ITEM_TYPEDEF] = LANG_NAME_TYPE,
		[ITEM_XLATOR] = LANG_NAME_XLATOR,
		[ITEM_SPACE] = LANG_NAME_SPACE,
	};

	if (o->item != ITEM_SILENT && !o->told && o->word.n) {
		tell(o, kinds[o->item], o->word);
		o->told = true;
	}
	o->word.n = 0;
}

static void
on_word(struct outline *o, struct base_span word)
{
	if (!o->begun) {
		o->begun = true;
		o->item = item_of(word);
		if (o->item != ITEM_OTHER)
			return;
	}
	if (base_span_is(word, "struct") || base_span_is(word, "union")) {
		o->tag = TAG_SOU;
		o->word.n = 0;
	} else if (base_span_is(word, "enum")) {
		o->tag = TAG_ENUM;
		o->word.n = 0;
	} else if (o->enum_depth) {
		if (o->at_enumerator)
			tell(o, LANG_NAME_IDENT, word);
		o->at_enumerator = false;
	} else {
		o->word = word;
	}
}

/* --- Punctuation ---------------------------------------------------------- */

static void
open_brace(struct outline *o)
{
	o->braces++;
	if (o->item == ITEM_SPACE)
		tell_declared(o);
	else if (o->tag != TAG_NO)
		tell(o, LANG_NAME_TAG, o->word);
	if (o->tag == TAG_ENUM && o->item != ITEM_SPACE) {
		o->enum_depth = o->braces;
		o->at_enumerator = true;
	}
	o->tag = TAG_NO;
	o->word.n = 0;
}

static void
close_brace(struct outline *o)
{
	if (o->enum_depth == o->braces)
		o->enum_depth = 0;
	if (!o->braces) {
		o->pos = o->end;	/* of the namespace around us */
		return;
	}
	o->braces--;
	o->word.n = 0;
	if (!o->braces && (o->item == ITEM_SPACE || o->is_func))
		begin_item(o);
}

/* '(' and '['. */
static void
open_paren(struct outline *o, bool is_func)
{
	if (!o->braces && !o->parens && o->item != ITEM_XLATOR) {
		/* typedef int (*NAME)(void) */
		if (o->item == ITEM_TYPEDEF && is_func)
			o->word.n = 0;
		else
			tell_declared(o);
		o->is_func |= is_func && o->item == ITEM_OTHER;
	}
	o->parens++;
}

static void
close_paren(struct outline *o)
{
	if (!o->braces && o->parens == 1 && o->item == ITEM_TYPEDEF)
		tell_declared(o);
	o->parens -= o->parens > 0;
}

static void
on_punct(struct outline *o, char c)
{
	bool outside = !o->braces && !o->parens;

	switch (c) {
	case '{': open_brace(o); return;
	case '}': close_brace(o); return;
	case '(': case '[': open_paren(o, c == '('); return;
	case ')': case ']': close_paren(o); return;
	case ',':
		if (o->enum_depth == o->braces && !o->parens)
			o->at_enumerator = true;
		if (!outside)
			return;
		if (o->tag == TAG_NO)
			tell_declared(o);
		o->told = o->item == ITEM_INLINE || o->item == ITEM_XLATOR;
		return;
	case '=': case '<': case ';':
		if (!outside)
			return;
		/* struct x; is no definition, struct x *p; is one of p. */
		if (c != ';' || o->tag == TAG_NO)
			tell_declared(o);
		if (c == ';')
			begin_item(o);
		return;
	case '*':
		o->tag = TAG_NO;
		o->word.n = 0;
		return;
	}
}

/* --- Characters ----------------------------------------------------------- */

static char
at(const struct outline *o, uint32_t pos)
{
	return pos < o->end ? o->text[pos] : '\0';
}

static struct base_span
read_word(struct outline *o)
{
	uint32_t start = o->pos;

	while (lang_is_alpha(at(o, o->pos)) || lang_is_digit(at(o, o->pos)) ||
	       at(o, o->pos) == '`')
		o->pos++;
	return (struct base_span){ o->text + start, o->pos - start };
}

static void
skip_quoted(struct outline *o, char quote)
{
	for (o->pos++; o->pos < o->end; o->pos++) {
		if (o->text[o->pos] == quote) {
			o->pos++;
			return;
		}
		o->pos += o->text[o->pos] == '\\';
	}
}

static void
skip_comment(struct outline *o)
{
	for (o->pos += 2; o->pos < o->end; o->pos++)
		if (o->text[o->pos] == '*' && at(o, o->pos + 1) == '/') {
			o->pos += 2;
			return;
		}
}

static struct base_span
line_word(struct outline *o)
{
	while (lang_is_blank(at(o, o->pos)))
		o->pos++;
	uint32_t start = o->pos;
	while (o->pos < o->end && o->text[o->pos] != '\n' &&
	       !lang_is_blank(o->text[o->pos]))
		o->pos++;
	return (struct base_span){ o->text + start, o->pos - start };
}

static void
control_line(struct outline *o)
{
	uint32_t start = o->pos++;
	struct base_span w[5];

	for (unsigned i = 0; i < BASE_NELEMS(w); i++)
		w[i] = line_word(o);
	if (o->to->depends && base_span_is(w[0], "pragma") &&
	    base_span_is(w[1], "D") && base_span_is(w[2], "depends_on") &&
	    !o->to->depends(o->to->ctx, w[3], w[4], (struct lang_span){
		o->src, start, o->pos - start }))
		o->stopped = true;
	while (o->pos < o->end && o->text[o->pos] != '\n')
		o->pos++;
}

/* Words and numbers, which are much alike. */
static void
wordlike(struct outline *o, char c)
{
	struct base_span word = read_word(o);

	if (lang_is_alpha(c)) {
		/* A second word behind a tag: the declarator. */
		if (o->word.n)
			o->tag = TAG_NO;
		on_word(o, word);
	}
}

static bool
at_line_start(const struct outline *o)
{
	uint32_t pos = o->pos;

	while (pos > 0 && lang_is_blank(o->text[pos - 1]))
		pos--;
	return pos == 0 || o->text[pos - 1] == '\n';
}

static void
step(struct outline *o)
{
	char c = o->text[o->pos];

	if (lang_is_alpha(c) || lang_is_digit(c))
		wordlike(o, c);
	else if (c == '"' || c == '\'')
		skip_quoted(o, c);
	else if (c == '/' && at(o, o->pos + 1) == '*')
		skip_comment(o);
	else if (lang_begins_line_comment(o->text, o->pos, o->end))
		o->pos = lang_line_end(o->text, o->pos, o->end);
	else if (c == '#' && at_line_start(o))
		control_line(o);
	else {
		o->pos++;
		on_punct(o, c);
	}
}

bool
lang_outline(const struct lang_source *src, uint32_t from, uint32_t to,
	     const struct lang_outline *sink)
{
	struct outline o = { .to = sink, .src = src, .text = src->text,
			     .pos = from, .end = to };

	begin_item(&o);
	while (o.pos < o.end && !o.stopped)
		step(&o);
	return !o.stopped;
}
