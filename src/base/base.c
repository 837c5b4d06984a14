/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Text and numbers into a buffer of fixed size.  What does not fit is left out,
 * but still counted: whoever writes need not check anything, and whoever reads
 * sees from one comparison that the text was cut, and how long it would be.
 */
#include <string.h>

#include "base/base.h"

void
base_buf_init(struct base_buf *b, char *p, size_t size)
{
	b->p = p;
	b->size = size;
	b->len = 0;
	if (size)
		p[0] = '\0';
}

void
base_putc(struct base_buf *b, char c)
{
	if (b->len + 1 < b->size) {
		b->p[b->len] = c;
		b->p[b->len + 1] = '\0';
	}
	b->len++;
}

void
base_puts(struct base_buf *b, const char *s)
{
	while (*s)
		base_putc(b, *s++);
}

void
base_putu(struct base_buf *b, uint64_t v, unsigned base, unsigned width,
	  char pad)
{
	char tmp[64];
	unsigned n = 0;

	do {
		unsigned digit = v % base;
		tmp[n++] = digit < 10 ? '0' + digit : 'a' + digit - 10;
		v /= base;
	} while (v);
	for (; width > n; width--)
		base_putc(b, pad);
	while (n)
		base_putc(b, tmp[--n]);
}

void
base_putd(struct base_buf *b, int64_t v)
{
	uint64_t mag = (uint64_t)v;

	if (v < 0) {
		base_putc(b, '-');
		mag = -mag;
	}
	base_putu(b, mag, 10, 0, ' ');
}

/* Two digits at a time, from the right: half the divisions, and those by a
 * constant. */
unsigned
base_dec(char out[BASE_DEC_MAX], uint64_t v)
{
	static const char pairs[] =
		"00010203040506070809" "10111213141516171819"
		"20212223242526272829" "30313233343536373839"
		"40414243444546474849" "50515253545556575859"
		"60616263646566676869" "70717273747576777879"
		"80818283848586878889" "90919293949596979899";
	char tmp[BASE_DEC_MAX];
	unsigned at = BASE_DEC_MAX, n;

	for (; v >= 100; v /= 100) {
		at -= 2;
		memcpy(tmp + at, pairs + v % 100 * 2, 2);
	}
	if (v >= 10) {
		at -= 2;
		memcpy(tmp + at, pairs + v * 2, 2);
	} else {
		tmp[--at] = (char)('0' + v);
	}
	n = BASE_DEC_MAX - at;
	memcpy(out, tmp + at, n);
	return n;
}

/* The first byte of a character says how long it is and, together with the
 * second, that it is no longer than it need be, no surrogate, and no more than
 * U+10FFFF. */
static const struct { uint8_t first, last, low, high, n; } leads[] = {
	{ 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
	{ 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 },
	{ 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
	{ 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

unsigned
base_utf8(const char *p, size_t n)
{
	const uint8_t *u = (const uint8_t *)p;
	size_t i = 0;

	if (n && u[0] < 0x80)
		return 1;
	while (i < BASE_NELEMS(leads) && n && u[0] > leads[i].last)
		i++;
	if (!n || i == BASE_NELEMS(leads) || u[0] < leads[i].first ||
	    n < leads[i].n || u[1] < leads[i].low || u[1] > leads[i].high)
		return 0;
	for (size_t k = 2; k < leads[i].n; k++)
		if (u[k] < 0x80 || u[k] > 0xbf)
			return 0;
	return leads[i].n;
}

bool
base_span_is(struct base_span a, const char *s)
{
	size_t i = 0;

	for (; i < a.n; i++)
		if (s[i] == '\0' || s[i] != a.p[i])
			return false;
	return s[i] == '\0';
}
