/* SPDX-License-Identifier: BSD-2-Clause
 *
 * print(): a value as its type lays it out, four blanks a level.
 *
 *	int 0x1
 *	struct point {
 *	    int [2] at = [ 0x1, 0 ]
 *	    struct colour [1] of = [ 
 *	        struct colour {
 *	            char [8] name = [ "red" ]
 *	        }
 *	    ]
 *	}
 *
 * A member has a line of its own.  The elements of an array share one, unless
 * they have lines themselves: structs, and arrays of such.
 */
#include <stdio.h>

#include "fmt/field_priv.h"
#include "fmt/walk.h"
#include "type/text.h"
#include "util/plain.h"

enum { INDENT = 4 };

/* Do values of type t take several lines? */
static bool
has_lines(const struct type *t)
{
	t = type_strip(t);
	while (t->kind == TYPE_ARRAY)
		t = type_strip(t->base);
	return type_is_sou(t);
}

static bool
in_array(const struct fmt_value *v)
{
	return v->parent && v->parent->kind == FMT_VALUE_ARRAY;
}

static void
indent(const struct fmt_value *v, struct sb *b)
{
	sb_fill(b, ' ', (size_t)v->depth * INDENT);
}

/* What stands before the value. */
static void
lead(const struct fmt_value *v, struct sb *b)
{
	if (in_array(v) && !has_lines(v->type)) {
		sb_puts(b, v->index ? ", " : " ");
		return;
	}
	indent(v, b);
	type_print_brief(v->type, b);
	if (v->name)
		sb_printf(b, " %s", v->name);
	if (v->bits)
		sb_printf(b, " :%u", v->bits);
	sb_puts(b, v->name ? " = " : " ");
}

/* What stands behind it. */
static void
trail(const struct fmt_value *v, struct sb *b)
{
	if (!in_array(v))
		sb_putc(b, '\n');
	else if (has_lines(v->type))
		sb_puts(b, v->index + 1 < v->parent->n ? ", \n" : "\n");
}

/* --- Leaves ------------------------------------------------------------- */

static void
put_hex(const struct fmt_value *v, struct sb *b)
{
	uint64_t mask = ~0ull >> (64 - BASE_MIN(v->width, 64u));
	struct fmt_number n = { .flags = PFMT_ALT, .prec = -1, .letter = 'x' };

	fmt_put_number(&n, (int64_t)((uint64_t)v->number & mask), b);
}

static void
put_quoted(const char *p, size_t n, char quote, struct sb *b)
{
	sb_putc(b, quote);
	for (size_t i = 0; i < n; i++) {
		if (p[i] == quote || p[i] == '\\')
			sb_putc(b, '\\');
		plain_escape(b, (uint8_t)p[i]);
	}
	sb_putc(b, quote);
}

static void
put_text(const struct fmt_value *v, struct sb *b)
{
	bool boxed = v->parent && type_is_array(v->type);

	sb_puts(b, boxed ? "[ " : "");
	put_quoted(v->text.p, v->text.n, '"', b);
	sb_puts(b, boxed ? " ]" : "");
}

static void
put_leaf(const struct fmt_value *v, struct sb *b)
{
	char c = (char)v->number;

	switch (v->kind) {
	case FMT_VALUE_CHAR: put_quoted(&c, 1, '\'', b); break;
	case FMT_VALUE_TEXT: put_text(v, b); break;
	case FMT_VALUE_CUT: sb_puts(b, "..."); break;
	case FMT_VALUE_FLOAT:
		if (type_size(v->type) > sizeof(double))
			sb_printf(b, "%.16LE", v->real);
		else
			sb_printf(b, "%.7e", (double)v->real);
		break;
	case FMT_VALUE_ENUM:
		if (v->word) {
			sb_puts(b, v->word);
			break;
		}
		/* fallthrough */
	default: put_hex(v, b);
	}
}

/* --- The walk ----------------------------------------------------------- */

static void
leaf(void *ctx, const struct fmt_value *v)
{
	struct sb *b = ctx;

	lead(v, b);
	put_leaf(v, b);
	trail(v, b);
}

static void
open(void *ctx, const struct fmt_value *v)
{
	struct sb *b = ctx;

	lead(v, b);
	if (v->kind == FMT_VALUE_STRUCT)
		sb_puts(b, "{\n");
	else
		sb_puts(b, v->n && has_lines(v->type) ? "[ \n" : "[");
}

static void
close(void *ctx, const struct fmt_value *v)
{
	struct sb *b = ctx;

	if (v->kind == FMT_VALUE_STRUCT || (v->n && has_lines(v->type)))
		indent(v, b);
	else
		sb_putc(b, ' ');
	sb_putc(b, v->kind == FMT_VALUE_STRUCT ? '}' : ']');
	trail(v, b);
}

void
fmt_print(const struct fmt *f, const struct abi_action *a,
	  const struct abi_field *fields, const uint8_t *base, struct sb *b)
{
	static const struct fmt_walk_ops ops = { leaf, open, close };

	fmt_walk_action(f, a, fields, base, &ops, b);
}
