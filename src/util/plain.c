/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Text in runs: as long as characters are harmless they are copied whole; a byte
 * that is part of none is escaped by itself, and the next one begins anew.
 */
#include "base/base.h"
#include "util/plain.h"

void
plain_escape(struct sb *b, uint8_t c)
{
	if (c >= 0x20 && c < 0x7f)
		sb_putc(b, (char)c);
	else if (base_escape_letter((char)c))
		sb_printf(b, "\\%c", base_escape_letter((char)c));
	else if (c)
		sb_printf(b, "\\%03o", c);
	else
		sb_puts(b, "\\0");
}

/* Bytes of the character at p that is more than ASCII; 0: it is none, or one of
 * the controls from 0x80 on.  What is too long for what it says is none. */
static size_t
wide(const uint8_t *p, size_t n)
{
	static const uint32_t least[] = { 0, 0, 0xa0, 0x800, 0x10000 };
	size_t size = p[0] >= 0xf8 ? 0 : p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 :
		      p[0] >= 0xc0 ? 2 : 0;

	if (!size || size > n)
		return 0;
	uint32_t c = p[0] & (0x7fu >> size);
	for (size_t i = 1; i < size; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	bool surrogate = c >= 0xd800 && c < 0xe000;
	return c < least[size] || surrogate || c > 0x10ffff ? 0 : size;
}

static bool
is_harmless(uint8_t c)
{
	return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t';
}

void
plain_put(struct sb *b, const char *text, size_t n)
{
	const uint8_t *p = (const uint8_t *)text;

	for (size_t at = 0; at < n; ) {
		size_t good = at, size;
		while (good < n && (is_harmless(p[good]) ||
				    (p[good] >= 0x80 &&
				     (size = wide(p + good, n - good)))))
			good += p[good] >= 0x80 ? size : 1;
		sb_putn(b, p + at, good - at);
		at = good;
		if (at < n)
			plain_escape(b, p[at++]);
	}
}
