/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The text of JSON.  Most strings are plain ASCII, so runs of it are copied
 * whole; what else there may be stands in a table of bytes.
 *
 * Bytes that are not UTF-8 cannot stand in a string of JSON, and nothing that
 * was traced is to be lost: each is written as U+FFFD, and the caller is told,
 * so that it can give the bytes in hexadecimal beside the string.
 *
 *  1. What is open has a bit in objects: 64 at most, and none is closed that was
 *     not opened.
 */
#include <assert.h>
#include <stdio.h>

#include "base/base.h"
#include "fmt/jtext.h"

static const char hex_digits[] = "0123456789abcdef";

/* --- Structure ---------------------------------------------------------- */

void
fmt_j_next(struct fmt_j *j)
{
	if (j->comma)
		sb_putc(j->b, ',');
	j->comma = true;
}

void
fmt_j_open(struct fmt_j *j, bool object)
{
	assert(j->depth < 64);		/* 1 */
	fmt_j_next(j);
	sb_putc(j->b, object ? '{' : '[');
	j->objects = (j->objects & ~(1ull << j->depth)) |
		     (uint64_t)object << j->depth;
	j->depth++;
	j->comma = false;
}

void
fmt_j_close(struct fmt_j *j)
{
	assert(j->depth);		/* 1 */
	j->depth--;
	sb_putc(j->b, j->objects >> j->depth & 1 ? '}' : ']');
	j->comma = true;
}

void
fmt_j_raw(struct fmt_j *j, const char *p, size_t n)
{
	fmt_j_next(j);
	sb_putn(j->b, p, n);
}

/* --- Numbers ------------------------------------------------------------ */

void
fmt_j_uint(struct fmt_j *j, uint64_t v)
{
	char text[BASE_DEC_MAX];
	unsigned n = base_dec(text, v);

	fmt_j_raw(j, text, n);
}

void
fmt_j_int(struct fmt_j *j, int64_t v)
{
	char text[BASE_DEC_MAX + 1] = "-";
	unsigned n = 1 + base_dec(text + 1, v < 0 ? -(uint64_t)v : (uint64_t)v);

	fmt_j_raw(j, text + (v >= 0), n - (v >= 0));
}

void
fmt_j_float(struct fmt_j *j, const char *text)
{
	const char *digits = text + (*text == '-');

	if (*digits >= '0' && *digits <= '9')
		fmt_j_raw(j, text, strlen(text));
	else if (*digits == 'i' || *digits == 'I')
		fmt_j_text(j, digits == text ? "Infinity" : "-Infinity",
			   digits == text ? 8 : 9);
	else
		fmt_j_text(j, "NaN", 3);
}

/* --- Strings ------------------------------------------------------------ */

/* How a byte is written: 0 as itself, 1 by its code, 2 it begins or continues
 * a longer character, else a backslash and this. */
static const char escapes[256] = {
	[0 ... 7] = 1, ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', [0xb] = 1,
	['\f'] = 'f', ['\r'] = 'r', [0xe ... 0x1f] = 1, ['"'] = '"',
	['\\'] = '\\', [0x80 ... 0xff] = 2,
};

/* The bytes at p from which on some is not written as itself. */
static size_t
plain(const char *p, size_t n)
{
	size_t i = 0;

	while (i < n && !escapes[(uint8_t)p[i]])
		i++;
	return i;
}

/* What stands at p, which is not plain; the bytes that it takes. */
static size_t
put_special(struct sb *b, const char *p, size_t n, bool *sound)
{
	uint8_t c = (uint8_t)*p;
	char e = escapes[c];
	size_t len;

	assert(n && e);
	if (e == 1) {
		char code[6] = { '\\', 'u', '0', '0', hex_digits[c >> 4],
				 hex_digits[c & 15] };
		sb_putn(b, code, sizeof(code));
		return 1;
	}
	if (e != 2) {
		char two[2] = { '\\', e };
		sb_putn(b, two, sizeof(two));
		return 1;
	}
	len = base_utf8(p, n);
	assert(len <= n);
	*sound &= len > 0;
	sb_putn(b, len ? p : "\xef\xbf\xbd", len ? len : 3);
	return len ? len : 1;
}

bool
fmt_j_text(struct fmt_j *j, const char *p, size_t n)
{
	struct sb *b = j->b;
	bool sound = true;

	fmt_j_next(j);
	sb_putc(b, '"');
	while (n) {
		size_t len = plain(p, n);
		sb_putn(b, p, len);
		if (len < n)
			len += put_special(b, p + len, n - len, &sound);
		p += len;
		n -= len;
	}
	sb_putc(b, '"');
	return sound;
}

void
fmt_j_member(struct fmt_j *j, const char *name, const char *p, size_t n)
{
	fmt_j_key(j, name);
	if (fmt_j_text(j, p, n))
		return;
	sb_printf(j->b, ",\"%s-hex\":", name);
	j->comma = false;
	fmt_j_hex(j, p, n);
}

void
fmt_j_hex(struct fmt_j *j, const void *p, size_t n)
{
	const uint8_t *u = p;

	fmt_j_next(j);
	sb_putc(j->b, '"');
	for (size_t i = 0; i < n; i++) {
		char two[2] = { hex_digits[u[i] >> 4],
				hex_digits[u[i] & 15] };
		sb_putn(j->b, two, 2);
	}
	sb_putc(j->b, '"');
}
