/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Bars, 41 columns wide.
 *
 *	only values >= 0	| and 40 columns to its right
 *	only values <= 0	40 columns to its left, then |
 *	both			20, |, 20
 *
 * A bar is the value's share of the total of absolute values, rounded to the
 * nearest column, half up.  Zoomed, it is a share of the largest of them, for
 * which 95 of 100 columns stand.
 *
 * In UTF-8 a bar to the right is made of blocks and ends in one of as many
 * eighths as are left, rounded down.  There is no such set of blocks that are
 * filled from the right, so bars to the left have whole columns.
 */
#include "fmt/graph_priv.h"

enum { FULL = 40, HALF = 20 };

static uint64_t
magnitude(int64_t v)
{
	return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

void
fmt_bars_add(struct fmt_bars *g, int64_t v)
{
	g->total += magnitude(v);
	g->max = BASE_MAX(g->max, magnitude(v));
	if (v < 0)
		g->negative = true;
	else if (v)
		g->positive = true;
}

static unsigned
side_columns(const struct fmt_bars *g)
{
	return g->positive && g->negative ? HALF : FULL;
}

/* What part of `whole` columns the bar of v takes: *over / *under. */
static void
share(const struct fmt_bars *g, int64_t v, unsigned whole,
      unsigned __int128 *over, unsigned __int128 *under)
{
	bool edge = g->to_edge && !g->negative;

	*over = (unsigned __int128)magnitude(v) * whole;
	*under = g->style.zoom ? g->max : g->total;
	if (g->style.zoom && !edge) {
		*over *= 95;
		*under *= 100;
	}
}

static unsigned
columns(const struct fmt_bars *g, int64_t v)
{
	unsigned __int128 over, under;

	share(g, v, side_columns(g), &over, &under);
	return under ? (unsigned)((over * 2 + under) / (under * 2)) : 0;
}

static unsigned
eighths(const struct fmt_bars *g, int64_t v)
{
	unsigned __int128 over, under;

	share(g, v, side_columns(g) * 8, &over, &under);
	return under ? (unsigned)(over / under) : 0;
}

static void
repeat(struct sb *b, const char *s, unsigned n)
{
	while (n--)
		sb_puts(b, s);
}

static const char *
whole_column(const struct fmt_bars *g)
{
	return g->style.utf8 ? "\u2588" : "@";
}

static void
to_the_left(const struct fmt_bars *g, int64_t v, struct sb *b)
{
	unsigned n = v < 0 ? columns(g, v) : 0;

	sb_fill(b, ' ', side_columns(g) - n);
	repeat(b, whole_column(g), n);
}

static void
to_the_right(const struct fmt_bars *g, int64_t v, struct sb *b)
{
	static const char *const parts[] = {
		"", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a",
		"\u2589",
	};
	unsigned n = 0, rest = 0;

	if (v > 0 && g->style.utf8) {
		n = eighths(g, v) / 8;
		rest = eighths(g, v) % 8;
	} else if (v > 0) {
		n = columns(g, v);
	}
	repeat(b, whole_column(g), n);
	sb_puts(b, parts[rest]);
	sb_fill(b, ' ', side_columns(g) - n - (rest > 0));
}

void
fmt_bar(const struct fmt_bars *g, int64_t v, struct sb *b)
{
	if (g->negative)
		to_the_left(g, v, b);
	sb_putc(b, '|');
	if (g->positive || !g->negative)
		to_the_right(g, v, b);
}

void
fmt_bars_head(const char *what, unsigned width, struct sb *b)
{
	sb_printf(b, "\n%*s %41s %-9s\n", (int)width, what,
		  " ------------- Distribution -------------", "count");
}
