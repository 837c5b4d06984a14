/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Integers as C's printf lays them out, without C's printf: most of what is
 * printed is integers, and taking a format apart costs several times what the
 * digits do.
 *
 *	blanks  sign or 0x  zeros  digits  blanks
 *
 * Zeros come from the precision or, where there is none, from the flag '0',
 * which '-' overrules.  Groups of digits depend on the locale, so those are left
 * to C.
 */
#include <string.h>

#include "fmt/field_priv.h"
#include "pfmt/pfmt.h"

enum { DIGITS_MAX = 22 };	/* of 64 bits in octal */

struct parts {
	char digits[DIGITS_MAX];
	unsigned ndigits;
	char prefix[2];
	unsigned nprefix;
	size_t zeros, blanks;
};

/* Flags that mean something to a letter. */
static uint32_t
allowed(char letter)
{
	switch (letter) {
	case 'd':
	case 'i': return PFMT_MINUS | PFMT_PLUS | PFMT_SPACE | PFMT_ZERO |
			 PFMT_GROUP;
	case 'u': return PFMT_MINUS | PFMT_ZERO | PFMT_GROUP;
	default: return PFMT_MINUS | PFMT_ZERO | PFMT_ALT;
	}
}

static void
put_by_c(const struct fmt_number *n, int64_t v, struct sb *b)
{
	char format[24];
	bool is_large = n->is_unsigned && v < 0;

	fmt_c_format(format, n->flags, "ll", is_large ? 'u' : n->letter);
	sb_printf(b, format, n->width, n->prec, (long long)v);
}

/* The digits of v in base 2^shift; a: 'a' or 'A'. */
static unsigned
radix(char out[DIGITS_MAX], uint64_t v, unsigned shift, char a)
{
	char tmp[DIGITS_MAX];
	unsigned at = DIGITS_MAX;

	do {
		unsigned digit = v & ((1u << shift) - 1);
		tmp[--at] = (char)(digit < 10 ? '0' + digit : a + digit - 10);
		v >>= shift;
	} while (v);
	memcpy(out, tmp + at, DIGITS_MAX - at);
	return DIGITS_MAX - at;
}

static void
set_sign(struct parts *p, uint32_t flags, bool negative)
{
	char sign = negative ? '-' : flags & PFMT_PLUS ? '+' : ' ';

	p->prefix[0] = sign;
	p->nprefix = negative || flags & (PFMT_PLUS | PFMT_SPACE);
}

static void
set_digits(struct parts *p, const struct fmt_number *n, int64_t v)
{
	bool is_signed = n->letter == 'd' || n->letter == 'i';
	bool negative = is_signed && !n->is_unsigned && v < 0;
	uint64_t mag = negative ? -(uint64_t)v : (uint64_t)v;

	p->nprefix = 0;
	if (is_signed)
		set_sign(p, n->flags, negative);
	if (n->letter == 'o')
		p->ndigits = radix(p->digits, mag, 3, 'a');
	else if (n->letter == 'x' || n->letter == 'X')
		p->ndigits = radix(p->digits, mag, 4,
				   (char)(n->letter - 'x' + 'a'));
	else
		p->ndigits = base_dec(p->digits, mag);
	if (!mag && n->prec == 0)
		p->ndigits = 0;
}

/* '#': 0x before what is not 0; a first octal digit that is 0. */
static void
set_alt(struct parts *p, const struct fmt_number *n, int64_t v)
{
	if (n->letter == 'o') {
		if (!p->zeros && (!p->ndigits || v))
			p->zeros = 1;
	} else if (v) {
		p->prefix[0] = '0';
		p->prefix[1] = n->letter;
		p->nprefix = 2;
	}
}

static void
set_padding(struct parts *p, const struct fmt_number *n, int64_t v)
{
	size_t width = (size_t)BASE_MAX(n->width, 0), used;
	size_t prec = (size_t)BASE_MAX(n->prec, 0);

	p->zeros = prec > p->ndigits ? prec - p->ndigits : 0;
	if (n->flags & PFMT_ALT)
		set_alt(p, n, v);
	used = p->nprefix + p->zeros + p->ndigits;
	p->blanks = width > used ? width - used : 0;
	if (n->flags & PFMT_ZERO && n->prec < 0 && !(n->flags & PFMT_MINUS)) {
		p->zeros += p->blanks;
		p->blanks = 0;
	}
}

void
fmt_put_number(const struct fmt_number *as, int64_t v, struct sb *b)
{
	struct fmt_number n = *as;
	struct parts p;

	n.flags &= allowed(n.letter);
	if (n.flags & PFMT_GROUP) {
		put_by_c(&n, v, b);
		return;
	}
	set_digits(&p, &n, v);
	set_padding(&p, &n, v);
	if (p.blanks && !(n.flags & PFMT_MINUS))
		sb_fill(b, ' ', p.blanks);
	sb_putn(b, p.prefix, p.nprefix);
	if (p.zeros)
		sb_fill(b, '0', p.zeros);
	sb_putn(b, p.digits, p.ndigits);
	if (p.blanks && n.flags & PFMT_MINUS)
		sb_fill(b, ' ', p.blanks);
}

void
fmt_c_format(char out[24], uint32_t flags, const char *size, char letter)
{
	static const struct { uint32_t bit; char c; } rows[] = {
		{ PFMT_MINUS, '-' }, { PFMT_PLUS, '+' }, { PFMT_SPACE, ' ' },
		{ PFMT_ALT, '#' }, { PFMT_ZERO, '0' }, { PFMT_GROUP, '\'' },
	};
	struct base_buf b;

	base_buf_init(&b, out, 24);
	base_putc(&b, '%');
	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (flags & rows[i].bit)
			base_putc(&b, rows[i].c);
	base_puts(&b, "*.*");
	base_puts(&b, size);
	base_putc(&b, letter);
}
