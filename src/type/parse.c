/* SPDX-License-Identifier: BSD-2-Clause
 *
 * C text to types: specifiers, then a declarator, by recursive descent over
 * characters.
 *
 * In a declarator what stands inside parentheses applies last: in
 * `int (*f[2])(void)` the function comes first, then the star, then the
 * array.  So a parenthesis is skipped at first, what follows it is applied to
 * the base, and then the parser goes back inside.  Each level reads its text
 * twice, which is fine at this size; depth is limited all the same, because
 * some of the text comes from the kernel.
 *
 * Errors are sticky: once `bad` is set everything yields NULL.
 */
#include <ctype.h>
#include <string.h>

#include "base/base.h"
#include "type/make.h"
#include "type/text.h"
#include "type/type_priv.h"

enum { MAX_PARAMS = 32, MAX_NAME = 256 };

struct parse {
	struct arena *arena;
	const char *p;
	type_find_fn *find;
	void *ctx;
	bool in_param;		/* a name may be declared: drop it */
	bool user;		/* __user seen, and no star yet */
	bool bad;
	int depth;
};

/* What may stand in specifiers, each a bit; `long` may come twice. */
enum {
	S_VOID = 1, S_CHAR = 2, S_SHORT = 4, S_INT = 8, S_LONG = 16,
	S_LLONG = 32, S_FLOAT = 64, S_DOUBLE = 128, S_SIGNED = 256,
	S_UNSIGNED = 512, S_BOOL = 1024,
	S_CONST = 1 << 16, S_VOLATILE = 1 << 17, S_RESTRICT = 1 << 18,
	S_USER = 1 << 19,
	S_QUALS = S_CONST | S_VOLATILE | S_RESTRICT,
};

static const struct {
	const char *name;
	unsigned bit;
} words[] = {
	{ "void", S_VOID }, { "char", S_CHAR }, { "short", S_SHORT },
	{ "int", S_INT }, { "long", S_LONG }, { "float", S_FLOAT },
	{ "double", S_DOUBLE }, { "signed", S_SIGNED },
	{ "unsigned", S_UNSIGNED }, { "_Bool", S_BOOL },
	{ "const", S_CONST }, { "volatile", S_VOLATILE },
	{ "restrict", S_RESTRICT }, { "__restrict", S_RESTRICT },
	{ "__user", S_USER }, { "userland", S_USER },
};

/* Sets of specifiers that are types; `int` is left out where it may be. */
static const struct {
	unsigned bits;
	const struct type *type;
} combos[] = {
	{ S_VOID, &type_void }, { S_BOOL, &type_bool },
	{ S_CHAR, &type_char }, { S_SIGNED | S_CHAR, &type_schar },
	{ S_UNSIGNED | S_CHAR, &type_uchar },
	{ S_SHORT, &type_short }, { S_SIGNED | S_SHORT, &type_short },
	{ S_UNSIGNED | S_SHORT, &type_ushort },
	{ S_INT, &type_int }, { S_SIGNED, &type_int },
	{ S_SIGNED | S_INT, &type_int },
	{ S_UNSIGNED, &type_uint }, { S_UNSIGNED | S_INT, &type_uint },
	{ S_LONG, &type_long }, { S_SIGNED | S_LONG, &type_long },
	{ S_UNSIGNED | S_LONG, &type_ulong },
	{ S_LLONG, &type_llong }, { S_SIGNED | S_LLONG, &type_llong },
	{ S_UNSIGNED | S_LLONG, &type_ullong },
	{ S_FLOAT, &type_float }, { S_DOUBLE, &type_double },
	{ S_LONG | S_DOUBLE, &type_ldouble },
};

static void *
fail(struct parse *p)
{
	p->bad = true;
	return NULL;
}

static void
skip_space(struct parse *p)
{
	while (isspace((unsigned char)*p->p))
		p->p++;
}

static bool
accept(struct parse *p, char c)
{
	skip_space(p);
	if (*p->p != c)
		return false;
	p->p++;
	return true;
}

/* The word at the cursor, which moves behind it; false when there is none. */
static bool
word(struct parse *p, char buf[MAX_NAME])
{
	size_t n = 0;

	skip_space(p);
	if (!isalpha((unsigned char)*p->p) && *p->p != '_')
		return false;
	while (isalnum((unsigned char)p->p[n]) || p->p[n] == '_')
		n++;
	if (n >= MAX_NAME)
		return false;
	memcpy(buf, p->p, n);
	buf[n] = '\0';
	p->p += n;
	return true;
}

static unsigned
word_bit(const char *name)
{
	for (size_t i = 0; i < BASE_NELEMS(words); i++)
		if (strcmp(words[i].name, name) == 0)
			return words[i].bit;
	return 0;
}

static const struct type *
qualify(struct parse *p, const struct type *t, unsigned bits)
{
	if (bits & S_USER)
		p->user = true;
	if (bits & S_RESTRICT)
		t = type_new_qual(p->arena, TYPE_RESTRICT, t);
	if (bits & S_VOLATILE)
		t = type_new_qual(p->arena, TYPE_VOLATILE, t);
	if (bits & S_CONST)
		t = type_new_qual(p->arena, TYPE_CONST, t);
	return t;
}

static const struct type *
tagged(struct parse *p, enum type_kind kind)
{
	char name[MAX_NAME];

	if (!word(p, name))
		return fail(p);
	const struct type *t = p->find ? p->find(p->ctx, kind, name) : NULL;
	if (t)
		return t;
	const char *tag = arena_strdup(p->arena, name);
	return tag ? type_new_fwd(p->arena, kind, tag) : fail(p);
}

static const struct type *
named(struct parse *p, const char *name)
{
	const struct type *t = p->find
		? p->find(p->ctx, TYPE_TYPEDEF, name) : NULL;

	return t ? t : type_alias(name);
}

static const struct type *
combo(unsigned bits)
{
	if (bits & (S_SHORT | S_LONG | S_LLONG) && !(bits & S_DOUBLE))
		bits &= ~S_INT;
	for (size_t i = 0; i < BASE_NELEMS(combos); i++)
		if (combos[i].bits == bits)
			return combos[i].type;
	return NULL;
}

/* A word that starts or is a type of its own, if nothing did before. */
static const struct type *
type_word(struct parse *p, const char *name)
{
	if (strcmp(name, "struct") == 0)
		return tagged(p, TYPE_STRUCT);
	if (strcmp(name, "union") == 0)
		return tagged(p, TYPE_UNION);
	if (strcmp(name, "enum") == 0)
		return tagged(p, TYPE_ENUM);
	return named(p, name);
}

/* Add bit to *bits; false when it may not come again. */
static bool
add_bit(unsigned *bits, unsigned bit)
{
	if (bit == S_LONG && (*bits & S_LONG)) {
		*bits ^= S_LONG | S_LLONG;
		return true;
	}
	if ((*bits & bit & ~S_QUALS & ~S_USER) ||
	    (bit == S_LONG && (*bits & S_LLONG)))
		return false;
	*bits |= bit;
	return true;
}

static const struct type *
specifiers(struct parse *p)
{
	char name[MAX_NAME];
	const struct type *t = NULL;
	unsigned bits = 0;
	const unsigned quals = S_QUALS | S_USER;

	for (;;) {
		const char *before = p->p;
		if (!word(p, name))
			break;
		unsigned bit = word_bit(name);
		if (!bit && !t && !(bits & ~quals)) {
			t = type_word(p, name);
			if (!t)
				return fail(p);
		} else if (!bit) {
			p->p = before;	/* the declared name */
			break;
		} else if ((t && !(bit & quals)) || !add_bit(&bits, bit)) {
			return fail(p);
		}
	}
	if (!t)
		t = combo(bits & ~quals);
	return t ? qualify(p, t, bits) : fail(p);
}

static const struct type *declarator(struct parse *p, const struct type *t);

static const struct type *
param(struct parse *p)
{
	bool inner = p->in_param, user = p->user;

	p->in_param = true;
	p->user = false;
	const struct type *t = specifiers(p);
	t = declarator(p, t);
	p->in_param = inner;
	p->user = user;
	/* As in C, arrays and functions are passed by address. */
	if (t && type_is_array(t))
		return type_new_ptr(p->arena, type_strip(t)->base);
	return t && type_is_func(t) ? type_new_ptr(p->arena, t) : t;
}

/* Behind the opening parenthesis. */
static const struct type *
params(struct parse *p, const struct type *result)
{
	struct type_member all[MAX_PARAMS] = { 0 };
	uint32_t n = 0;
	bool variadic = false;

	if (accept(p, ')'))
		return type_new_func(p->arena, result, all, 0, false);
	do {
		skip_space(p);
		if (strncmp(p->p, "...", 3) == 0) {
			p->p += 3;
			variadic = true;
			break;
		}
		if (n == MAX_PARAMS)
			return fail(p);
		all[n].type = param(p);
		if (!all[n].type)
			return fail(p);
		n++;
	} while (accept(p, ','));
	if (!accept(p, ')'))
		return fail(p);
	if (n == 1 && !variadic && all[0].type->kind == TYPE_VOID)
		n = 0;
	for (uint32_t i = 0; i < n; i++)
		if (type_is_void(all[i].type))
			return fail(p);
	return type_new_func(p->arena, result, all, n, variadic);
}

/* Behind the opening bracket: the number and the closing one. */
static bool
array_size(struct parse *p, uint64_t *ret)
{
	skip_space(p);
	for (*ret = 0; isdigit((unsigned char)*p->p); p->p++)
		if (__builtin_mul_overflow(*ret, 10, ret) ||
		    __builtin_add_overflow(*ret, *p->p - '0', ret))
			return false;
	return accept(p, ']');
}

/* The arrays and functions behind a name apply from right to left. */
static const struct type *
suffix(struct parse *p, const struct type *t)
{
	uint64_t n;

	if (p->depth >= TYPE_MAX_DEPTH)
		return fail(p);
	if (accept(p, '(')) {
		p->depth++;
		t = type_is_array(t) || type_is_func(t) ? NULL : params(p, t);
		p->depth--;
		return t ? t : fail(p);
	}
	if (!accept(p, '['))
		return t;
	if (!array_size(p, &n))
		return fail(p);
	p->depth++;
	t = suffix(p, t);
	p->depth--;
	if (!t || type_is_func(t) || type_is_void(t))
		return fail(p);
	return type_new_array(p->arena, t, n);
}

/* Does the parenthesis at the cursor group, or does it hold parameters? */
static bool
is_group(struct parse *p)
{
	const char *s = p->p + 1;

	while (isspace((unsigned char)*s))
		s++;
	return *s == '*' || *s == '(' || *s == '[';
}

/* Move behind the parenthesis that closes the one at the cursor. */
static bool
skip_group(struct parse *p)
{
	int open = 0;

	for (; *p->p; p->p++) {
		open += *p->p == '(';
		open -= *p->p == ')';
		if (!open) {
			p->p++;
			return true;
		}
	}
	return false;
}

static const struct type *
group(struct parse *p, const struct type *t)
{
	const char *inside = p->p + 1;

	if (!skip_group(p))
		return fail(p);
	t = suffix(p, t);
	const char *end = p->p;
	p->p = inside;
	t = declarator(p, t);
	if (!accept(p, ')'))
		return fail(p);
	p->p = end;
	return t;
}

static const struct type *
star(struct parse *p, const struct type *t)
{
	char name[MAX_NAME];
	struct type *ptr = type_new_ptr(p->arena, t);

	if (!ptr)
		return fail(p);
	ptr->is_user = p->user;
	p->user = false;
	t = ptr;
	for (;;) {
		const char *before = p->p;
		unsigned bit = word(p, name) ? word_bit(name) : 0;
		if (!bit) {
			p->p = before;
			return t;
		}
		if (!(bit & (S_QUALS | S_USER)))
			return fail(p);
		t = qualify(p, t, bit);
	}
}

static const struct type *
declarator(struct parse *p, const struct type *t)
{
	char name[MAX_NAME];

	if (!t || p->bad || p->depth >= TYPE_MAX_DEPTH)
		return fail(p);
	p->depth++;
	while (t && accept(p, '*'))
		t = star(p, t);
	skip_space(p);
	if (t && *p->p == '(' && is_group(p)) {
		t = group(p, t);
	} else if (t) {
		if (p->in_param)
			word(p, name);
		t = suffix(p, t);
	}
	p->depth--;
	return p->bad ? NULL : t;
}

const struct type *
type_parse(struct arena *a, const char *text, type_find_fn *find, void *ctx)
{
	struct parse p = { .arena = a, .p = text, .find = find, .ctx = ctx };
	const struct type *t = specifiers(&p);

	t = declarator(&p, t);
	skip_space(&p);
	return p.bad || *p.p ? NULL : t;
}
