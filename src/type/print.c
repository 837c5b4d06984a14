/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Types as C text.  A declarator is written around its name: what stands
 * left of the name is printed first (`int (*`), then the name, then what
 * stands right of it (`)(void)`).  Both halves walk the same chain, and both
 * decide on parentheses by the same rule: a pointer to an array or function
 * needs them.
 */
#include "type/text.h"
#include "type/type_priv.h"

struct printer {
	struct sb *b;
	size_t start;		/* where the text of this declarator begins */
	bool brief;		/* as type_print_brief() has it */
};

static void print(const struct printer *from, const struct type *t,
		  const char *name, int depth);

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
space(const struct printer *p)
{
	struct sb *b = p->b;

	if (b->len > p->start && last(b) != '*' && last(b) != '(' &&
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
put_tag(const struct printer *p, const struct type *t)
{
	sb_puts(p->b, keyword(t->kind == TYPE_FWD ? t->fwd_kind : t->kind));
	if (t->name || !p->brief)
		sb_printf(p->b, " %s", t->name ? t->name : "{...}");
}

static void
left(const struct printer *p, const struct type *t, int depth)
{
	if (depth > TYPE_MAX_DEPTH) {
		sb_puts(p->b, "...");
		return;
	}
	switch (t->kind) {
	case TYPE_PTR:
		left(p, t->base, depth + 1);
		space(p);
		sb_puts(p->b, needs_parens(t->base) ? "(*" : "*");
		break;
	case TYPE_ARRAY:
	case TYPE_FUNC:
		left(p, t->base, depth + 1);
		break;
	case TYPE_CONST:
	case TYPE_VOLATILE:
	case TYPE_RESTRICT:
		if (qualifies_ptr(t)) {
			left(p, t->base, depth + 1);
			space(p);
			sb_puts(p->b, keyword(t->kind));
			break;
		}
		sb_printf(p->b, "%s ", keyword(t->kind));
		left(p, t->base, depth + 1);
		break;
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_ENUM:
	case TYPE_FWD:
		put_tag(p, t);
		break;
	default:
		sb_puts(p->b, t->name ? t->name : "<DYN>");
		break;
	}
}

static void
print_params(const struct printer *p, const struct type *t, int depth)
{
	struct sb *b = p->b;
	uint32_t n;
	const struct type_member *params = type_params(t, &n);

	sb_putc(b, '(');
	for (uint32_t i = 0; i < n && !b->failed; i++) {
		if (i)
			sb_puts(b, ", ");
		print(p, params[i].type, NULL, depth + 1);
	}
	if (t->variadic)
		sb_puts(b, n ? ", ..." : "...");
	else if (!n)
		sb_puts(b, "void");
	sb_putc(b, ')');
}

static void
right(const struct printer *p, const struct type *t, int depth)
{
	if (depth > TYPE_MAX_DEPTH)
		return;
	switch (t->kind) {
	case TYPE_PTR:
		if (needs_parens(t->base))
			sb_putc(p->b, ')');
		break;
	case TYPE_ARRAY:
		if (t->nelems)
			sb_printf(p->b, "[%llu]",
				  (unsigned long long)t->nelems);
		else
			sb_puts(p->b, "[]");
		break;
	case TYPE_FUNC:
		if (p->brief)
			sb_puts(p->b, "()");
		else
			print_params(p, t, depth);
		break;
	case TYPE_CONST:
	case TYPE_VOLATILE:
	case TYPE_RESTRICT:
		break;
	default:
		return;
	}
	right(p, t->base, depth + 1);
}

static void
print(const struct printer *from, const struct type *t, const char *name,
      int depth)
{
	struct printer p = { from->b, from->b->len, from->brief };

	if (p.b->failed)
		return;
	left(&p, t, depth);
	if (name && *name) {
		space(&p);
		sb_puts(p.b, name);
	} else if (needs_parens(t)) {
		space(&p);
	}
	right(&p, t, depth);
}

void
type_print(const struct type *t, const char *name, struct sb *b)
{
	print(&(struct printer){ .b = b }, t, name, 0);
}

void
type_print_brief(const struct type *t, struct sb *b)
{
	print(&(struct printer){ .b = b, .brief = true }, t, NULL, 0);
}
