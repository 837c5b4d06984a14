/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Types as C text.  A declarator is written around its name: what stands
 * left of the name is printed first (`int (*`), then the name, then what
 * stands right of it (`)(void)`).  Both halves walk the same chain, and both
 * decide on parentheses by the same rule: a pointer to an array or function
 * needs them.
 */
#include "type/type_priv.h"

static void print(const struct type *t, const char *name, struct sb *b,
		  int depth);

static bool
needs_parens(const struct type *pointee)
{
	pointee = type_unqual(pointee);
	return pointee->kind == TYPE_ARRAY || pointee->kind == TYPE_FUNC;
}

static char
last(const struct sb *b)
{
	return b->len ? sb_str(b)[b->len - 1] : '\0';
}

/* A space, unless what follows leans on what is there. */
static void
space(struct sb *b, size_t start)
{
	if (b->len > start && last(b) != '*' && last(b) != '(' &&
	    last(b) != ' ')
		sb_putc(b, ' ');
}

/* Then the qualifier stands right of the star; an array hands it down to its
 * elements. */
static bool
qualifies_ptr(const struct type *t)
{
	t = type_unqual(t);
	while (t->kind == TYPE_ARRAY)
		t = type_unqual(t->base);
	return t->kind == TYPE_PTR;
}

static const char *
keyword(int kind)
{
	switch (kind) {
	case TYPE_STRUCT: return "struct";
	case TYPE_UNION: return "union";
	case TYPE_ENUM: return "enum";
	case TYPE_CONST: return "const";
	case TYPE_VOLATILE: return "volatile";
	case TYPE_RESTRICT: return "restrict";
	default: return "?";
	}
}

static void
left(const struct type *t, struct sb *b, size_t start, int depth)
{
	if (depth > TYPE_MAX_DEPTH) {
		sb_puts(b, "...");
		return;
	}
	switch (t->kind) {
	case TYPE_PTR:
		left(t->base, b, start, depth + 1);
		space(b, start);
		sb_puts(b, needs_parens(t->base) ? "(*" : "*");
		break;
	case TYPE_ARRAY:
	case TYPE_FUNC:
		left(t->base, b, start, depth + 1);
		break;
	case TYPE_CONST:
	case TYPE_VOLATILE:
	case TYPE_RESTRICT:
		if (qualifies_ptr(t)) {
			left(t->base, b, start, depth + 1);
			space(b, start);
			sb_puts(b, keyword(t->kind));
			break;
		}
		sb_printf(b, "%s ", keyword(t->kind));
		left(t->base, b, start, depth + 1);
		break;
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_ENUM:
	case TYPE_FWD:
		sb_printf(b, "%s %s",
			  keyword(t->kind == TYPE_FWD ? t->fwd_kind : t->kind),
			  t->name ? t->name : "{...}");
		break;
	default:
		sb_puts(b, t->name ? t->name : "<DYN>");
		break;
	}
}

static void
print_params(const struct type *t, struct sb *b, int depth)
{
	uint32_t n;
	const struct type_member *params = type_params(t, &n);

	sb_putc(b, '(');
	for (uint32_t i = 0; i < n && !b->failed; i++) {
		if (i)
			sb_puts(b, ", ");
		print(params[i].type, NULL, b, depth + 1);
	}
	if (t->variadic)
		sb_puts(b, n ? ", ..." : "...");
	else if (!n)
		sb_puts(b, "void");
	sb_putc(b, ')');
}

static void
right(const struct type *t, struct sb *b, int depth)
{
	if (depth > TYPE_MAX_DEPTH)
		return;
	switch (t->kind) {
	case TYPE_PTR:
		if (needs_parens(t->base))
			sb_putc(b, ')');
		break;
	case TYPE_ARRAY:
		if (t->nelems)
			sb_printf(b, "[%llu]", (unsigned long long)t->nelems);
		else
			sb_puts(b, "[]");
		break;
	case TYPE_FUNC:
		print_params(t, b, depth);
		break;
	case TYPE_CONST:
	case TYPE_VOLATILE:
	case TYPE_RESTRICT:
		break;
	default:
		return;
	}
	right(t->base, b, depth + 1);
}

static void
print(const struct type *t, const char *name, struct sb *b, int depth)
{
	size_t start = b->len;

	if (b->failed)
		return;
	left(t, b, start, depth);
	if (name && *name) {
		space(b, start);
		sb_puts(b, name);
	} else if (needs_parens(t)) {
		space(b, start);
	}
	right(t, b, depth);
}

void
type_print(const struct type *t, const char *name, struct sb *b)
{
	print(t, name, b, 0);
}
