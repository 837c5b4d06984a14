/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Numbers and pointers as .eh_frame has them.  Once something was wrong whatever
 * is read is 0, so a caller looks at `bad` at its end.
 */
#include "unwind/reader.h"

uint64_t
reader_long_uleb(struct reader *r)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint64_t b = reader_unsigned(r, 1);
		v |= (b & 0x7f) << shift;
		if (!(b & 0x80))
			return v;
	}
	r->bad = true;
	return 0;
}

int64_t
reader_sleb(struct reader *r)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64; ) {
		uint64_t b = reader_unsigned(r, 1);
		v |= (b & 0x7f) << shift;
		shift += 7;
		if (b & 0x80)
			continue;
		if (b & 0x40 && shift < 64)
			v |= UINT64_MAX << shift;
		return (int64_t)v;
	}
	r->bad = true;
	return 0;
}

static uint64_t
value(struct reader *r, uint8_t format)
{
	switch (format) {
	case EH_ABSPTR: case EH_UDATA8: case EH_SDATA8:
		return reader_unsigned(r, 8);
	case EH_UDATA4: return reader_unsigned(r, 4);
	case EH_UDATA2: return reader_unsigned(r, 2);
	case EH_SDATA4: return (uint64_t)(int32_t)reader_unsigned(r, 4);
	case EH_SDATA2: return (uint64_t)(int16_t)reader_unsigned(r, 2);
	case EH_ULEB: return reader_uleb(r);
	case EH_SLEB: return (uint64_t)reader_sleb(r);
	}
	r->bad = true;
	return 0;
}

uint64_t
reader_pointer(struct reader *r, uint8_t encoding, bool pcrel_too)
{
	uint64_t at = r->addr + (uint64_t)(r->p - r->start), v;

	v = value(r, encoding & EH_FORMAT);
	if (!pcrel_too)
		return v;
	/* Other bases are for what is made while a program runs. */
	if (encoding & EH_INDIRECT || (encoding & EH_BASE & ~EH_PCREL))
		r->bad = true;
	return encoding & EH_PCREL ? at + v : v;
}

void
reader_sub(struct reader *r, uint64_t size, struct reader *at)
{
	*at = *r;
	if (r->bad || size > (uint64_t)(r->end - r->p)) {
		r->bad = at->bad = true;
		at->end = at->p;
		return;
	}
	at->end = r->p + size;
	r->p += size;
}
