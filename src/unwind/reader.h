/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reading bytes that may be anything: what lies behind the end is 0, and sets bad.
 */
#ifndef UNWIND_READER_H
#define UNWIND_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct reader {
	const uint8_t *start, *p, *end;
	uint64_t addr;		/* of start, as linked */
	bool bad;
};

/* How pointers are written (LSB Core 5.0, 10.5.1). */
enum {
	EH_ABSPTR = 0, EH_ULEB = 1, EH_UDATA2 = 2, EH_UDATA4 = 3, EH_UDATA8 = 4,
	EH_SLEB = 9, EH_SDATA2 = 10, EH_SDATA4 = 11, EH_SDATA8 = 12,
	EH_FORMAT = 0x0f, EH_PCREL = 0x10, EH_BASE = 0x70, EH_INDIRECT = 0x80,
	EH_OMIT = 0xff,
};

/* (In line, as these are most of the time that a table takes.) */
static inline uint64_t
reader_unsigned(struct reader *r, unsigned size)
{
	uint64_t v = 0;

	if (r->bad || (size_t)(r->end - r->p) < size) {
		r->bad = true;
		return 0;
	}
	memcpy(&v, r->p, size);		/* both machines are little-endian */
	r->p += size;
	return v;
}

uint64_t reader_long_uleb(struct reader *r);	/* of any length */

static inline uint64_t
reader_uleb(struct reader *r)
{
	if (r->bad || r->p == r->end || *r->p & 0x80)
		return reader_long_uleb(r);
	return *r->p++;
}

int64_t reader_sleb(struct reader *r);
/* A pointer in that encoding; with pcrel_too false only its format counts. */
uint64_t reader_pointer(struct reader *r, uint8_t encoding, bool pcrel_too);
/* size bytes, of which *at then reads; r is behind them. */
void reader_sub(struct reader *r, uint64_t size, struct reader *at);

#endif
