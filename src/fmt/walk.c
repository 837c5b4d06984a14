/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Taking values apart.  Types come from programs and from the kernel's BTF, and
 * either may nest deeper, or hold more by value, than anybody can want to see;
 * so depth and number of values are bounded.
 *
 * Which bytes are characters?  D and the kernel have three types of one byte
 * that C calls character types, and use two of them as numbers: u8, uint8_t
 * and int8_t are other names for them.  So char is a character by any name, and
 * the other two are when they are called by their own.
 */
#include <string.h>

#include "fmt/field_priv.h"
#include "fmt/walk.h"

enum { DEPTH_MAX = 64, VALUES_MAX = 1 << 20 };

struct walk {
	const struct fmt_walk_ops *ops;
	void *ctx;
	uint64_t nvalues;
};

/* Where a value lies. */
struct place {
	const uint8_t *p;
	size_t size;		/* bytes from p on */
	unsigned shift;		/* of a bit-field: its first bit */
};

static void value(struct walk *w, struct fmt_value *v, struct place at);

static void
leaf(struct walk *w, const struct fmt_value *v)
{
	w->ops->leaf(w->ctx, v);
}

/* --- Numbers ------------------------------------------------------------ */

/* `bits` bits from bit `shift` on, of at most size bytes. */
static bool
get_bits(struct place at, unsigned bits, uint64_t *ret)
{
	unsigned __int128 v = 0;
	size_t n = (at.shift + bits + 7) / 8;

	if (!bits || bits > 64 || n > at.size)
		return false;
	for (size_t i = 0; i < n; i++)
		v |= (unsigned __int128)at.p[i] << (8 * i);
	*ret = (uint64_t)(v >> at.shift);
	return true;
}

static void
find_word(struct fmt_value *v)
{
	uint32_t n;
	const struct type_enumerator *e = type_enums(v->type, &n);

	for (uint32_t i = 0; i < n && !v->word; i++)
		if (e[i].value == v->number)
			v->word = e[i].name;
}

static void
number(struct walk *w, struct fmt_value *v, struct place at, bool is_signed)
{
	uint64_t bytes = type_is_func(v->type) ? 8 : type_size(v->type);
	uint64_t raw;

	if (bytes > 8)
		return;
	v->width = v->bits ? v->bits : (unsigned)bytes * 8;
	if (!get_bits(at, v->width, &raw))
		return;
	raw <<= 64 - v->width;
	v->number = is_signed ? (int64_t)raw >> (64 - v->width)
			      : (int64_t)(raw >> (64 - v->width));
	if (v->kind == FMT_VALUE_ENUM)
		find_word(v);
	leaf(w, v);
}

static void
real(struct walk *w, struct fmt_value *v, struct place at)
{
	struct abi_field d = { .kind = ABI_FIELD_BYTES,
		.sub = ABI_MEANS_FLOAT, .size = (uint32_t)type_size(v->type) };

	if (d.size > at.size)
		return;
	v->kind = FMT_VALUE_FLOAT;
	v->real = fmt_field_float(&d, at.p);
	leaf(w, v);
}

/* --- Characters and text ------------------------------------------------ */

static bool
is_character(const struct type *t)
{
	const struct type *own = type_unqual(t), *s = type_strip(t);

	if (s->kind != TYPE_INT || !s->is_char)
		return false;
	return own == s || (s->name && !strcmp(s->name, "char"));
}

static void
text(struct walk *w, struct fmt_value *v, struct place at)
{
	const char *p = (const char *)at.p;

	v->kind = FMT_VALUE_TEXT;
	v->text = (struct base_span){ p, strnlen(p, at.size) };
	leaf(w, v);
}

/* --- What holds others -------------------------------------------------- */

static void
array(struct walk *w, struct fmt_value *v, struct place at)
{
	const struct type *t = type_strip(v->type);
	uint64_t size = type_size(t->base);

	v->n = size ? BASE_MIN(t->nelems, at.size / size) : 0;
	if (v->n && is_character(t->base) && fmt_is_padded_text(at.p, v->n)) {
		at.size = v->n;
		text(w, v, at);
		return;
	}
	v->kind = FMT_VALUE_ARRAY;
	w->ops->open(w->ctx, v);
	for (uint64_t i = 0; i < v->n && w->nvalues < VALUES_MAX; i++) {
		struct fmt_value e = { .type = t->base, .parent = v,
				       .depth = v->depth + 1, .index = i };
		value(w, &e, (struct place){ at.p + i * size, size, 0 });
	}
	w->ops->close(w->ctx, v);
}

static bool
is_padding(const struct type_member *m)
{
	return !m->name && (m->bit_size || !type_is_sou(m->type));
}

static void
member(struct walk *w, const struct fmt_value *v, const struct type_member *m,
       uint64_t index, struct place at)
{
	struct fmt_value e = { .type = m->type, .parent = v, .name = m->name,
			       .depth = v->depth + 1, .index = index,
			       .bits = m->bit_size };
	uint64_t off = m->bit_offset / 8;

	if (off > at.size)
		return;
	value(w, &e, (struct place){ at.p + off, at.size - off,
				     (unsigned)(m->bit_offset % 8) });
}

static void
members(struct walk *w, struct fmt_value *v, struct place at)
{
	uint32_t n;
	const struct type_member *m = type_members(v->type, &n);
	uint64_t index = 0;

	at.size = BASE_MIN(at.size, type_size(v->type));
	if (!n && at.size) {	/* they could not be read */
		v->kind = FMT_VALUE_CUT;
		leaf(w, v);
		return;
	}
	v->kind = FMT_VALUE_STRUCT;
	for (uint32_t i = 0; i < n; i++)
		v->n += !is_padding(&m[i]);
	w->ops->open(w->ctx, v);
	for (uint32_t i = 0; i < n && w->nvalues < VALUES_MAX; i++)
		if (!is_padding(&m[i]))
			member(w, v, &m[i], index++, at);
	w->ops->close(w->ctx, v);
}

static void
value(struct walk *w, struct fmt_value *v, struct place at)
{
	const struct type *t = type_strip(v->type);

	if (++w->nvalues >= VALUES_MAX || v->depth > DEPTH_MAX) {
		v->kind = FMT_VALUE_CUT;
		leaf(w, v);
		return;
	}
	switch (t->kind) {
	case TYPE_INT:
		v->kind = is_character(v->type) ? FMT_VALUE_CHAR
						: FMT_VALUE_INT;
		number(w, v, at, type_is_signed(t));
		break;
	case TYPE_ENUM:
		v->kind = FMT_VALUE_ENUM;
		number(w, v, at, v->bits ? type_is_signed_field(t)
					 : type_is_signed(t));
		break;
	case TYPE_PTR:
	case TYPE_FUNC:
		v->kind = FMT_VALUE_PTR;
		number(w, v, at, false);
		break;
	case TYPE_FLOAT: real(w, v, at); break;
	case TYPE_STRING:
		at.size = BASE_MIN(at.size, type_size(t));
		text(w, v, at);
		break;
	case TYPE_ARRAY: array(w, v, at); break;
	case TYPE_STRUCT:
	case TYPE_UNION: members(w, v, at); break;
	}
}

void
fmt_walk(const struct type *t, const void *p, size_t size,
	 const struct fmt_walk_ops *ops, void *ctx)
{
	struct walk w = { ops, ctx, 0 };
	struct fmt_value v = { .type = t };

	value(&w, &v, (struct place){ p, size, 0 });
}

/* --- Records ------------------------------------------------------------ */

/* What a record holds in another form than C has it: a part of the probe's
 * name, and the text of a constant that no register holds. */
static bool
other_form(const struct fmt *f, const struct abi_field *d,
	   const uint8_t *base, struct fmt_value *v)
{
	if (d->kind == ABI_FIELD_PROBE) {
		v->kind = FMT_VALUE_TEXT;
		v->text = fmt_field_text(f, d, base);
		return true;
	}
	if (d->kind == ABI_FIELD_STRING && d->sub == ABI_MEANS_FLOAT) {
		v->kind = FMT_VALUE_FLOAT;
		v->real = fmt_field_float(d, base);
		return true;
	}
	return false;
}

void
fmt_walk_action(const struct fmt *f, const struct abi_action *a,
		const struct abi_field *fields, const uint8_t *base,
		const struct fmt_walk_ops *ops, void *ctx)
{
	struct fmt_value v = { .type = a->type };

	if (!a->nfields || !a->type)
		return;
	const struct abi_field *d = &fields[a->field];
	const struct type *t = a->type;
	/* A number that its type does not have is one of 64 bits. */
	if (d->kind == ABI_FIELD_INT && type_is_integer(t) &&
	    fmt_field_int(d, base).bytes > type_size(t))
		t = d->is_signed ? &type_long : &type_ulong;
	if (other_form(f, d, base, &v))
		ops->leaf(ctx, &v);
	else
		fmt_walk(t, base + d->offset, d->size, ops, ctx);
}
