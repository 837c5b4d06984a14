/* SPDX-License-Identifier: BSD-2-Clause */
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

bool
base_span_eq(struct base_span a, struct base_span b)
{
	if (a.n != b.n)
		return false;
	for (size_t i = 0; i < a.n; i++)
		if (a.p[i] != b.p[i])
			return false;
	return true;
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
