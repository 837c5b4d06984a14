/* SPDX-License-Identifier: BSD-2-Clause
 *
 * printf() and printa().  Numbers are laid out as C's printf does.  Their value
 * is made right beforehand: it is the operand, not the format, that knows its
 * size and sign.
 *
 *	%d %i	with the sign of the operand: 4294967295 for an unsigned int of
 *		all ones
 *	others	unsigned, as wide as the operand's type, or 64 bits when that
 *		type does not have the value: ffffffff for an int that is -1
 */
#include <arpa/inet.h>
#include <netdb.h>
#include <string.h>

#include "fmt/field_priv.h"
#include "fmt/format_priv.h"
#include "pfmt/pfmt.h"
#include "util/plain.h"

/* A conversion with its '*' and '?' filled in. */
struct spec {
	const struct pfmt_conv *conv;
	uint32_t flags;
	int width;		/* 0: none */
	int prec;		/* -1: none */
};

static const struct abi_field *
next_field(struct fmt_args *args)
{
	return args->field < args->nfields ? &args->fields[args->field++]
					   : NULL;
}

/* The argument of a '*'; none, when it is out of bounds. */
static int
next_star(struct fmt *f, struct fmt_args *args, int none)
{
	const struct abi_field *d = next_field(args);
	int64_t v = d && d->kind == ABI_FIELD_INT ?
		    consume_field_int(d, args->base) : 0;

	if (v >= -(int64_t)PFMT_WIDTH_MAX && v <= PFMT_WIDTH_MAX)
		return (int)v;
	f->too_wide = v;
	return none;
}

static struct spec
resolve(struct fmt *f, const struct pfmt_conv *c, struct fmt_args *args)
{
	struct spec s = { c, c->flags, BASE_MAX(c->width, 0), c->prec };

	if (c->dyn_width)
		s.width = next_star(f, args, 0);
	else if (c->addr_width)
		s.width = 16;
	if (s.width < 0) {
		s.flags |= PFMT_MINUS;
		s.width = -s.width;
	}
	if (c->dyn_prec)
		s.prec = next_star(f, args, -1);
	return s;
}

/* --- Numbers and text --------------------------------------------------- */

static void
put_number(const struct spec *s, char letter, int64_t v, struct sb *b)
{
	struct fmt_number n = { .flags = s->flags, .width = s->width,
				.prec = s->prec, .letter = letter };

	fmt_put_number(&n, v, b);
}

/* Bytes, with blanks to the left or right of them. */
static void
put_padded(const struct spec *s, const char *p, size_t n, struct sb *b)
{
	size_t pad = n < (size_t)s->width ? (size_t)s->width - n : 0;
	bool left = s->flags & PFMT_MINUS;

	if (!left && pad)
		sb_fill(b, ' ', pad);
	sb_putn(b, p, n);
	if (left && pad)
		sb_fill(b, ' ', pad);
}

/* Text made by the caller in tmp, which is given back. */
static void
put_sb(const struct spec *s, struct sb *tmp, struct sb *b)
{
	put_padded(s, sb_str(tmp), tmp->len, b);
	b->failed |= tmp->failed;
	sb_fini(tmp);
}

/* --- Conversions, one function each ------------------------------------- */

enum { TEXT_MAX = 1 << 22 };

static void
put_int(const struct fmt *f, const struct spec *s, const struct abi_field *d,
	const uint8_t *base, struct sb *b)
{
	struct fmt_number n = { .flags = s->flags, .width = s->width,
				.prec = s->prec, .letter = s->conv->conv };
	bool is_decimal = n.letter == 'd' || n.letter == 'i';
	struct fmt_int i = { .v = fmt_field_addr(d, base), .bytes = 8 };

	if (d->kind == ABI_FIELD_INT)
		i = fmt_field_int(d, base);
	if (!is_decimal && i.bytes < 8)
		i.v &= (1ULL << i.bytes * 8) - 1;
	n.is_unsigned = is_decimal && !i.is_signed;
	fmt_put_number(&n, (int64_t)i.v, b);
}

bool
fmt_is_text(uint8_t c)
{
	return (c >= 0x20 && c < 0x7f) || base_escape_letter((char)c);
}

static void
put_char(const struct fmt *f, const struct spec *s, const struct abi_field *d,
	 const uint8_t *base, struct sb *b)
{
	uint8_t c = (uint8_t)fmt_field_addr(d, base);
	struct sb tmp;

	sb_init(&tmp, 16);
	if (s->conv->conv == 'c')
		fmt_put_data(f, (char *)&c, 1, &tmp);
	else
		plain_escape(&tmp, c);
	put_sb(s, &tmp, b);
}

static bool
has_text(const struct abi_field *d)
{
	return d->kind == ABI_FIELD_STRING || d->kind == ABI_FIELD_BYTES ||
	       d->kind == ABI_FIELD_PROBE;
}

static void
put_str(const struct fmt *f, const struct spec *s, const struct abi_field *d,
	const uint8_t *base, struct sb *b)
{
	struct base_span t = fmt_field_text(f, d, base);
	struct sb tmp;

	if (s->prec > 0)		/* 0 means all of it */
		t.n = BASE_MIN(t.n, (size_t)s->prec);
	if (s->conv->conv == 's' && has_text(d) && !f->terminal) {
		put_padded(s, t.p, t.n, b);
		return;
	}
	sb_init(&tmp, TEXT_MAX);
	if (!has_text(d))
		fmt_field(f, d, base, FMT_BARE, &tmp);
	else if (s->conv->conv == 's')
		fmt_put_data(f, t.p, t.n, &tmp);
	else for (size_t i = 0; i < t.n; i++)
		plain_escape(&tmp, (uint8_t)t.p[i]);
	put_sb(s, &tmp, b);
}

static void
put_float(const struct fmt *f, const struct spec *s, const struct abi_field *d,
	  const uint8_t *base, struct sb *b)
{
	char format[24];

	fmt_c_format(format, s->flags & ~PFMT_AGG, "L", s->conv->conv);
	sb_printf(b, format, s->width, s->prec, fmt_field_float(d, base));
}

static void
put_addr(const struct fmt *f, const struct spec *s, const struct abi_field *d,
	 const uint8_t *base, struct sb *b)
{
	uint64_t addr = fmt_field_addr(d, base);
	bool upper = (int64_t)addr < 0;	/* where kernels are */
	struct sb tmp;

	if (s->conv->conv == 'p') {
		put_number(s, 'x', (int64_t)addr, b);
		return;
	}
	sb_init(&tmp, TEXT_MAX);
	if (d->kind == ABI_FIELD_INT)
		fmt_plain_address(f, addr, s->conv->conv == 'A' || !upper,
				  &tmp);
	else
		fmt_symbol(f, d, base, &tmp);
	put_sb(s, &tmp, b);
}

static void
put_ns(const struct spec *s, int64_t ns, struct sb *b)
{
	struct sb tmp;

	sb_init(&tmp, 128);
	if (s->conv->conv == 'Y')
		fmt_time(ns, &tmp);
	else
		fmt_time_zone(ns, &tmp);
	put_sb(s, &tmp, b);
}

static void
put_time(const struct fmt *f, const struct spec *s, const struct abi_field *d,
	 const uint8_t *base, struct sb *b)
{
	put_ns(s, (int64_t)fmt_field_addr(d, base), b);
}

static void
put_stack(const struct fmt *f, const struct spec *s, const struct abi_field *d,
	  const uint8_t *base, struct sb *b)
{
	fmt_stack(f, d, base, b);
}

/* The name of the host whose address text is; false: it is no address, or has none. */
static bool
find_host(const char *text, char *name, size_t size)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };

	if (inet_pton(AF_INET, text, &v4.sin_addr) == 1)
		return !getnameinfo((struct sockaddr *)&v4, sizeof(v4), name, (socklen_t)size,
				    NULL, 0, NI_NAMEREQD);
	return inet_pton(AF_INET6, text, &v6.sin6_addr) == 1 &&
	       !getnameinfo((struct sockaddr *)&v6, sizeof(v6), name, (socklen_t)size,
			    NULL, 0, NI_NAMEREQD);
}

/* An address as text: the name of its host, or what it is.  As bytes: its text. */
static void
put_host(const struct fmt *f, const struct spec *s, const struct abi_field *d,
	 const uint8_t *base, struct sb *b)
{
	const uint8_t *p = base + d->offset;
	char text[INET6_ADDRSTRLEN] = "", name[NI_MAXHOST];
	struct sb tmp;

	sb_init(&tmp, TEXT_MAX);
	if (d->kind == ABI_FIELD_STRING || d->kind == ABI_FIELD_PROBE) {
		struct base_span t = fmt_field_text(f, d, base);
		if (t.n < sizeof(text)) {
			memcpy(text, t.p, t.n);
			text[t.n] = '\0';
		}
		if (t.n < sizeof(text) && find_host(text, name, sizeof(name)))
			t = (struct base_span){ name, strlen(name) };
		fmt_put_data(f, t.p, t.n, &tmp);
	} else if (d->size >= 4) {
		inet_ntop(d->size == 16 ? AF_INET6 : AF_INET, p, text,
			  sizeof(text));
		sb_puts(&tmp, text);
	}
	put_sb(s, &tmp, b);
}

/* A port: the name of its service, or its number. */
static void
put_port(const struct fmt *f, const struct spec *s, const struct abi_field *d,
	 const uint8_t *base, struct sb *b)
{
	uint64_t port = fmt_field_addr(d, base);
	struct servent e, *found = NULL;
	char room[1024];
	struct sb tmp;

	if (d->kind == ABI_FIELD_INT)
		port = fmt_field_int(d, base).v;
	sb_init(&tmp, TEXT_MAX);
	if (port <= UINT16_MAX &&
	    !getservbyport_r(htons((uint16_t)port), NULL, &e, room, sizeof(room), &found) &&
	    found)
		fmt_put_data(f, e.s_name, strlen(e.s_name), &tmp);
	else
		sb_printf(&tmp, "%lld", (long long)port);
	put_sb(s, &tmp, b);
}

/* Of each class of conversion, in the order of enum pfmt_arg. */
static void (*const puts_[])(const struct fmt *f, const struct spec *s,
			     const struct abi_field *d, const uint8_t *base,
			     struct sb *b) = {
	[PFMT_ARG_INT] = put_int, [PFMT_ARG_CHAR] = put_char,
	[PFMT_ARG_STR] = put_str, [PFMT_ARG_FLOAT] = put_float,
	[PFMT_ARG_ADDR] = put_addr, [PFMT_ARG_TIME] = put_time,
	[PFMT_ARG_UADDR] = put_addr, [PFMT_ARG_STACK] = put_stack,
	[PFMT_ARG_NET] = put_host,
};

/* --- printa()'s own ----------------------------------------------------- */

/* "%@d": the next aggregation, or the last one again. */
static void
put_agg(const struct fmt *f, const struct spec *s, struct fmt_args *args,
	struct sb *b)
{
	unsigned i = BASE_MIN(args->agg, args->naggs - 1);
	const struct consume_agg *g = args->aggs[i];
	bool is_int = strchr("diouxX", s->conv->conv) != NULL;

	args->agg++;
	if (consume_is_histogram(g->desc))
		fmt_histogram(g->desc, args->elems[i]->cells, g->normal,
			      fmt_style(f), b);
	else if (s->conv->arg == PFMT_ARG_TIME)
		put_ns(s, consume_agg_value(g, args->elems[i]), b);
	else
		put_number(s, is_int ? s->conv->conv : 'd',
			   consume_agg_value(g, args->elems[i]), b);
}

static void
convert(struct fmt *f, const struct pfmt_conv *c, struct fmt_args *args,
	struct sb *b)
{
	struct spec s = resolve(f, c, args);
	const struct abi_field *d;

	if ((c->flags & PFMT_AGG) && args->naggs) {
		put_agg(f, &s, args, b);
		return;
	}
	d = next_field(args);
	if (!d)
		return;		/* fewer keys than conversions */
	if (c->conv == 'P')
		put_port(f, &s, d, args->base, b);
	else
		puts_[c->arg](f, &s, d, args->base, b);
}

void
fmt_format(struct fmt *f, const char *format, struct fmt_args *args,
	   struct sb *b)
{
	const struct fmt_form *form;

	if (!format)
		return;
	form = fmt_form(&f->forms, format);
	b->failed |= !form;
	for (size_t i = 0; form && i < form->n; i++) {
		const struct pfmt_conv *c = &form->pieces[i].conv;
		sb_putn(b, c->lit.p, c->lit.n);
		if (form->pieces[i].bad)
			sb_putn(b, c->text.p, c->text.n);
		else if (c->conv == '%')
			sb_putc(b, '%');
		else if (c->conv)
			convert(f, c, args, b);
	}
}
