/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Taking numbers from an input.  It never ends: behind its last byte there are
 * zeros.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

void
fuzz_fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	abort();
}

const uint8_t *
bytes_take(struct bytes *b, size_t n, size_t *got)
{
	const uint8_t *p = b->p;

	*got = n < b->n ? n : b->n;
	b->p += *got;
	b->n -= *got;
	return p;
}

void
bytes_copy(struct bytes *b, void *buf, size_t n)
{
	size_t got;
	const uint8_t *p = bytes_take(b, n, &got);

	if (got)
		memcpy(buf, p, got);
	memset((uint8_t *)buf + got, 0, n - got);
}

uint8_t
bytes_u8(struct bytes *b)
{
	uint8_t v;

	bytes_copy(b, &v, sizeof(v));
	return v;
}

uint16_t
bytes_u16(struct bytes *b)
{
	uint16_t v;

	bytes_copy(b, &v, sizeof(v));
	return v;
}

uint32_t
bytes_u32(struct bytes *b)
{
	uint32_t v;

	bytes_copy(b, &v, sizeof(v));
	return v;
}

uint64_t
bytes_u64(struct bytes *b)
{
	uint64_t v;

	bytes_copy(b, &v, sizeof(v));
	return v;
}
