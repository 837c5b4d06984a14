/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The names of types with arguments (std::vector<int>), which nobody writes as compilers
 * do.  One that is asked for is compared with those that there are, word by word:
 *
 *	blanks do not count, nor do U and L behind numbers
 *	unsigned long is long unsigned int, and const char is char const
 *	arguments at the end may be left out, as those that have defaults are
 *	so may spaces whose names begin with two underscores: std::__cxx11::list
 *	an argument may have the name of a typedef
 *
 * Where several are so called, none is meant.
 */
#include <ctype.h>
#include <string.h>

#include "dwarftypes/dwarftypes_priv.h"
#include "util/sb.h"

enum { MAX_NAME = 1 << 16, MAX_TYPEDEFS = 16, MAX_DEPTH = 32 };

/* --- Words ------------------------------------------------------------------ */

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static const char *
skip_blanks(const char *p)
{
	while (*p == ' ')
		p++;
	return p;
}

static size_t
word_size(const char *p)
{
	size_t n = 0;

	while (is_word(p[n]))
		n++;
	if (isdigit((unsigned char)*p))
		while (n > 1 && strchr("uUlL", p[n - 1]))
			n--;
	return n;
}

/* Past a word and what may stand behind a number. */
static const char *
after_word(const char *p)
{
	while (is_word(*p))
		p++;
	return p;
}

/* --- Numbers of C ----------------------------------------------------------- */

struct number { unsigned is_unsigned, is_signed, longs, shorts, ints, chars, doubles; };

/* Reads all words of a number's type that follow; NULL: there are none. */
static const char *
read_number(const char *p, struct number *ret)
{
	const struct { const char *word; unsigned *n; } words[] = {
		{ "unsigned", &ret->is_unsigned }, { "signed", &ret->is_signed },
		{ "long", &ret->longs }, { "short", &ret->shorts },
		{ "int", &ret->ints }, { "char", &ret->chars },
		{ "double", &ret->doubles },
	};
	const char *end = NULL;
	bool found = true;

	memset(ret, 0, sizeof(*ret));
	while (found) {
		found = false;
		p = skip_blanks(p);
		size_t n = word_size(p);
		for (size_t i = 0; i < sizeof(words) / sizeof(*words) && !found; i++)
			if (n && strlen(words[i].word) == n &&
			    !memcmp(words[i].word, p, n)) {
				++*words[i].n;
				found = true;
				end = p += n;
			}
	}
	if (ret->longs || ret->shorts)
		ret->ints = 0;
	if (!ret->chars)
		ret->is_signed = 0;
	return end;
}

/* Step over the same number in both. */
static bool
same_number(const char **asked, const char **there)
{
	struct number a, b;
	const char *x = read_number(*asked, &a), *y = read_number(*there, &b);

	/* unsigned alone is of an int */
	if (a.is_unsigned && !a.longs && !a.shorts && !a.chars)
		a.ints = 1;
	if (b.is_unsigned && !b.longs && !b.shorts && !b.chars)
		b.ints = 1;
	if (!x || !y || memcmp(&a, &b, sizeof(a)) != 0)
		return false;
	*asked = x;
	*there = y;
	return true;
}

/* --- Names ------------------------------------------------------------------ */

/* The `>` that ends the arguments that p is in; NULL: there is none. */
static const char *
closing(const char *p)
{
	int depth = 0;

	for (; *p; p++) {
		if (strchr("<([{", *p))
			depth++;
		else if (strchr(")]}", *p))
			depth--;
		else if (*p == '>' && p[-1] != '-' && depth-- == 0)
			return p;
	}
	return NULL;
}

/* Behind the space that begins here and may be left out; NULL: there is none. */
static const char *
after_inner_space(const char *p)
{
	const char *end = after_word(p);

	return p[0] == '_' && p[1] == '_' && end[0] == ':' && end[1] == ':' ?
	       end + 2 : NULL;
}

/* Two names, as far as they are the same.  consts: how many the first has had more, in
 * the arguments around: a word that may stand on either side of its type. */
struct pair {
	const char *asked, *there;
	int depth, consts[MAX_DEPTH];
};

static bool
skip_const(const char **p, int *count, int n)
{
	if (word_size(*p) != 5 || memcmp(*p, "const", 5) != 0)
		return false;
	*p += 5;
	*count += n;
	return true;
}

/* What is no word, the same in both. */
static bool
step_sign(struct pair *p)
{
	char c = *p->asked;

	if (strchr(",>*&", c) && p->consts[p->depth])
		return false;
	if (c == '>' && *p->there == ',' && !(p->there = closing(p->there)))
		return false;
	if (c != *p->there)
		return false;
	if (c == '<' && ++p->depth == MAX_DEPTH)
		return false;
	if (c == '<')
		p->consts[p->depth] = 0;
	if (c == '>' && p->depth-- == 0)
		return false;
	p->asked++;
	p->there++;
	return true;
}

static bool
step(struct pair *p)
{
	size_t n = word_size(p->asked);
	int *consts = &p->consts[p->depth];

	if (same_number(&p->asked, &p->there))
		return true;
	if (n && n == word_size(p->there) && !memcmp(p->asked, p->there, n)) {
		p->asked = after_word(p->asked);
		p->there = after_word(p->there);
		return true;
	}
	if (skip_const(&p->asked, consts, 1) || skip_const(&p->there, consts, -1))
		return true;
	if (after_inner_space(p->there)) {
		p->there = after_inner_space(p->there);
		return true;
	}
	return !n && *p->asked && step_sign(p);
}

bool
dwarftypes_is_called(const char *asked, const char *there)
{
	struct pair p = { skip_blanks(asked), skip_blanks(there), 0, { 0 } };

	while (*p.asked || *p.there) {
		if (!step(&p))
			return false;
		p.asked = skip_blanks(p.asked);
		p.there = skip_blanks(p.there);
	}
	return !p.consts[0];
}

/* --- Typedefs in arguments -------------------------------------------------- */

/* What a typedef of that name stands for, in the end; NULL: there is none. */
static const char *
typedef_of(struct dwarftypes *d, const char *name, size_t n)
{
	const char *found = NULL;
	Dwarf_Die die, *entry;
	Dwarf_Attribute a;
	char *key = arena_strndup(d->arena, name, n);

	if (!key || !(entry = hash_get(&d->names[ENTRY_TYPEDEF], key, n + 1)))
		return NULL;
	die = *entry;
	for (int i = 0; i < MAX_TYPEDEFS &&
			d->lib->dwarf_tag(&die) == DW_TAG_typedef; i++) {
		if (!d->lib->dwarf_attr_integrate(&die, DW_AT_type, &a) ||
		    !d->lib->dwarf_formref_die(&a, &die))
			return NULL;
		found = dwarftypes_name(d, &die);
	}
	return found;
}

/* The name with what the typedefs in its arguments stand for; NULL: no memory. */
static const char *
expand(struct dwarftypes *d, const char *name)
{
	struct sb b;
	bool in_args = false;

	sb_init(&b, MAX_NAME);
	while (*name) {
		const char *end = name, *of = NULL;
		while (is_word(*end) ||
		       (end > name && end[0] == ':' && end[1] == ':' && is_word(end[2])))
			end += *end == ':' ? 2 : 1;
		size_t n = (size_t)(end - name);
		if (n && in_args && *end != '<')
			of = typedef_of(d, name, n);
		in_args |= *name == '<';
		if (of)
			sb_puts(&b, of);
		else
			sb_putn(&b, name, n ? n : 1);
		name += n ? n : 1;
	}
	const char *ret = b.failed ? NULL : arena_strdup(d->arena, sb_str(&b));
	sb_fini(&b);
	return ret;
}

Dwarf_Die *
dwarftypes_respelled(struct dwarftypes *d, enum entry_kind kind, const char *name)
{
	const char *asked = expand(d, name);
	Dwarf_Die *found = NULL;
	struct hash_entry *e;

	for (size_t i = 0; asked && (e = hash_next(&d->names[kind], &i)); ) {
		if (!dwarftypes_is_called(asked, e->key))
			continue;
		if (found)
			return NULL;
		found = e->val;
	}
	return found;
}
