/* SPDX-License-Identifier: BSD-2-Clause */
#include "fmt/fmt_priv.h"

static void
put_row(const uint8_t *p, size_t n, size_t at, struct sb *b)
{
	sb_printf(b, "%10zx:", at);
	for (size_t i = 0; i < 16; i++) {
		if (i < n)
			sb_printf(b, " %02x", p[i]);
		else
			sb_puts(b, "   ");
	}
	sb_puts(b, "  ");
	for (size_t i = 0; i < n; i++)
		sb_putc(b, p[i] >= 0x20 && p[i] < 0x7f ? (char)p[i] : '.');
	sb_putc(b, '\n');
}

void
fmt_hexdump(const void *p, size_t n, struct sb *b)
{
	sb_printf(b, "\n%11s", "");
	for (unsigned i = 0; i < 16; i++)
		sb_printf(b, "  %x", i);
	sb_puts(b, "  0123456789abcdef\n");
	for (size_t i = 0; i < n; i += 16)
		put_row((const uint8_t *)p + i, BASE_MIN(n - i, (size_t)16), i,
			b);
}
