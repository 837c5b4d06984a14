/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A string that grows by doubling.  The first append that fails is remembered,
 * those behind it may still succeed: the text is then of no use, and whoever
 * asked for it checks once.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "util/alloc.h"
#include "util/sb.h"

void
sb_init(struct sb *b, size_t max)
{
	*b = (struct sb){ .max = max };
}

void
sb_fini(struct sb *b)
{
	util_free(b->p);
	b->p = NULL;
	b->len = b->cap = 0;
}

void
sb_cut(struct sb *b, size_t len)
{
	b->len = len;
	b->failed = false;
	if (b->p)
		b->p[len] = '\0';
}

void
sb_reset(struct sb *b)
{
	sb_cut(b, 0);
}

/* Room for n more bytes and a NUL. */
static bool
room(struct sb *b, size_t n)
{
	if (n >= b->max || b->len + n + 1 > b->max) {
		b->failed = true;
		return false;
	}
	if (b->len + n + 1 <= b->cap)
		return true;
	size_t cap = b->cap ? b->cap * 2 : 64;
	while (cap < b->len + n + 1)
		cap *= 2;
	cap = cap < b->max ? cap : b->max;
	char *p = util_realloc(b->p, cap);
	if (!p) {
		b->failed = true;
		return false;
	}
	b->p = p;
	b->cap = cap;
	return true;
}

void
sb_putn_(struct sb *b, const void *p, size_t n)
{
	if (!room(b, n))
		return;
	if (n)
		memcpy(b->p + b->len, p, n);
	b->len += n;
	b->p[b->len] = '\0';
}

void
sb_puts(struct sb *b, const char *s)
{
	sb_putn(b, s, strlen(s));
}

void
sb_fill(struct sb *b, char c, size_t n)
{
	if (!room(b, n))
		return;
	memset(b->p + b->len, c, n);
	b->len += n;
	b->p[b->len] = '\0';
}

void
sb_dec(struct sb *b, int64_t v, unsigned width)
{
	char text[BASE_DEC_MAX + 1] = "-";
	unsigned neg = v < 0, n;

	n = neg + base_dec(text + neg, neg ? -(uint64_t)v : (uint64_t)v);
	if (!room(b, BASE_MAX(n, width)))
		return;
	if (n < width)
		sb_fill(b, ' ', width - n);
	sb_putn(b, text, n);
}

static void
putv(struct sb *b, const char *fmt, va_list ap)
{
	va_list again;
	size_t left = b->cap - b->len;

	va_copy(again, ap);
	int n = vsnprintf(left ? b->p + b->len : NULL, left, fmt, again);
	va_end(again);
	if (n >= 0 && (size_t)n < left) {
		b->len += (size_t)n;
		return;
	}
	if (n < 0 || !room(b, (size_t)n)) {
		b->failed = true;
		if (left)
			b->p[b->len] = '\0';
		return;
	}
	vsnprintf(b->p + b->len, (size_t)n + 1, fmt, ap);
	b->len += (size_t)n;
}

void
sb_printf(struct sb *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	putv(b, fmt, ap);
	va_end(ap);
}

const char *
sb_str(const struct sb *b)
{
	return b->p ? b->p : "";
}

char *
sb_steal(struct sb *b)
{
	if (b->failed || !room(b, 0)) {
		sb_fini(b);
		return NULL;
	}
	char *p = b->p;
	p[b->len] = '\0';
	b->p = NULL;
	b->len = b->cap = 0;
	return p;
}
