/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A format is a row of pieces: literal text, then a conversion
 *
 *	% flags width . precision size letter
 *
 * read here by one pass that never looks back.  Each take_ function eats one
 * part of it and leaves p at the next.  The letters and what they want are
 * rows of conv.def.  A '@' may also stand behind the width ("%10@d").
 */
#include <assert.h>

#include "pfmt/pfmt.h"

enum sizes { SIZES_NONE, SIZES_INT, SIZES_FLOAT, SIZES_WIDE };

static const struct conv {
	char letter;
	uint8_t arg;		/* enum pfmt_arg */
	uint8_t sizes;		/* enum sizes */
} convs[] = {
#define CONV(letter, arg, sizes) { letter, PFMT_ARG_##arg, SIZES_##sizes },
#include "pfmt/conv.def"
#undef CONV
};

static const struct flag {
	char letter;
	uint8_t bit;		/* enum pfmt_flag */
} flags[] = {
	{ '-', PFMT_MINUS }, { '+', PFMT_PLUS }, { ' ', PFMT_SPACE },
	{ '#', PFMT_ALT }, { '0', PFMT_ZERO }, { '\'', PFMT_GROUP },
	{ '@', PFMT_AGG },
};

static const struct conv *
find_conv(char letter)
{
	for (size_t i = 0; i < BASE_NELEMS(convs); i++)
		if (convs[i].letter == letter)
			return &convs[i];
	return NULL;
}

static uint8_t
find_flag(char letter)
{
	for (size_t i = 0; i < BASE_NELEMS(flags); i++)
		if (flags[i].letter == letter)
			return flags[i].bit;
	return 0;
}

static const char *
take_flags(const char *p, uint32_t *ret)
{
	uint8_t bit;

	while ((bit = find_flag(*p))) {
		*ret |= bit;
		p++;
	}
	return p;
}

/* Digits, saturating at PFMT_WIDTH_MAX + 1; *ret is left alone without any. */
static const char *
take_number(const char *p, int *ret)
{
	if (*p < '0' || *p > '9')
		return p;
	*ret = 0;
	for (; *p >= '0' && *p <= '9'; p++)
		*ret = BASE_MIN(*ret * 10 + (*p - '0'), PFMT_WIDTH_MAX + 1);
	return p;
}

static const char *
take_width(const char *p, struct pfmt_conv *c)
{
	if (*p == '*') {
		c->dyn_width = true;
		p++;
	} else if (*p == '?') {
		c->addr_width = true;
		p++;
	} else {
		p = take_number(p, &c->width);
	}
	if (*p == '@') {
		c->flags |= PFMT_AGG;
		p++;
	}
	return p;
}

static const char *
take_prec(const char *p, struct pfmt_conv *c)
{
	if (*p != '.')
		return p;
	p++;
	if (*p == '*') {
		c->dyn_prec = true;
		return p + 1;
	}
	c->prec = 0;
	return take_number(p, &c->prec);
}

static const char *
take_size(const char *p, struct pfmt_conv *c)
{
	if (*p != 'h' && *p != 'l' && *p != 'L' && *p != 'w')
		return p;
	c->size[0] = *p;
	if ((*p == 'h' || *p == 'l') && p[1] == *p) {
		c->size[1] = *p;
		p++;
	}
	return p + 1;
}

static bool
size_fits(const struct pfmt_conv *c, uint8_t sizes)
{
	switch (c->size[0]) {
	case '\0': return true;
	case 'h': return sizes == SIZES_INT;
	case 'l': return sizes != SIZES_NONE &&
			 (!c->size[1] || sizes == SIZES_INT);
	case 'L': return sizes == SIZES_FLOAT;
	default: return sizes == SIZES_WIDE;
	}
}

/* Nothing may stand between the two of "%%". */
static bool
is_bare(const struct pfmt_conv *c)
{
	return c->text.n == 2;
}

/* p is behind the '%'; NULL: no such conversion. */
static const char *
take_conv(const char *p, struct pfmt_conv *c)
{
	p = take_flags(p, &c->flags);
	p = take_width(p, c);
	p = take_prec(p, c);
	p = take_size(p, c);
	const struct conv *row = *p ? find_conv(*p) : NULL;
	c->text.n = (size_t)(p - c->text.p) + (*p != '\0');
	if (!row || (row->letter == '%' && !is_bare(c)))
		return NULL;
	c->conv = *p;
	c->arg = row->arg;
	c->bad_size = !size_fits(c, row->sizes);
	return p + 1;
}

int
pfmt_next(const char *format, size_t *pos, struct pfmt_conv *ret)
{
	const char *start = format + *pos, *p = start;

	if (!*p)
		return 0;
	while (*p && *p != '%')
		p++;
	*ret = (struct pfmt_conv){
		.width = -1, .prec = -1, .arg = PFMT_ARG_NONE,
		.lit = { start, (size_t)(p - start) }, .text = { p, 0 },
	};
	if (!*p) {
		*pos += ret->lit.n;
		return 1;
	}
	p = take_conv(p + 1, ret);
	assert(ret->text.n && (!p || p == ret->text.p + ret->text.n));
	*pos += ret->lit.n + ret->text.n;
	return p ? 1 : -1;
}

bool
pfmt_names_addresses(const char *format)
{
	struct pfmt_conv c;
	size_t pos = 0;

	while (format && pfmt_next(format, &pos, &c) == 1)
		if (c.conv == 'a' || c.conv == 'A')
			return true;
	return false;
}
