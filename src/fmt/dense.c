/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A whole aggregation in one picture, a line for each key.
 *
 * agghist: numbers as bars, beside each other.
 *
 *	              key  ------------- Distribution ------------- count
 *	              cat |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3
 *	               ls |@@@@@@@@@@                               1
 *
 * aggpack: histograms, of which each bucket is one letter as high as its share
 * of the key's total.  All lines show the same buckets: those of quantize() and
 * llquantize() reach from the one before the first that is not empty for some
 * key to the one after the last, lquantize()'s are all there.
 *
 *	      key  min .---. max  | count
 *	        1    0 : X : 2    | 1
 *
 * Zoomed, what the largest bucket of the key has is 95 of 100.  A key that has
 * lines of its own, like a stack, stands above an empty one.
 */
#include "fmt/agg_priv.h"
#include "fmt/field_priv.h"
#include "fmt/graph_priv.h"

enum { BAR_KEY = 17, PACK_KEY = 9, TOP = 7, KEY_MAX = 1 << 20 };

static void
put_bare_keys(const struct fmt *f, const struct abi_agg_desc *d,
	      const uint8_t *key, struct sb *b)
{
	for (uint32_t i = 0; i < d->nkeys; i++) {
		if (i)
			sb_putc(b, ' ');
		fmt_field(f, &d->keys[i], key, FMT_BARE, b);
	}
}

/* Columns of a terminal that UTF-8 text takes: one for each character, two for
 * those of East Asia, none for what is put over the one before.  A byte that is
 * no UTF-8 takes one. */
static size_t
columns(const char *p, size_t n)
{
	static const struct { uint32_t first, last, wide; } other[] = {
		{ 0x300, 0x36f, 0 }, { 0x1100, 0x115f, 2 },
		{ 0x200b, 0x200d, 0 }, { 0x2e80, 0xa4cf, 2 },
		{ 0xac00, 0xd7a3, 2 }, { 0xf900, 0xfaff, 2 },
		{ 0xfe00, 0xfe0f, 0 }, { 0xfe30, 0xfe6f, 2 },
		{ 0xff00, 0xff60, 2 }, { 0xffe0, 0xffe6, 2 },
		{ 0x1f300, 0x1f64f, 2 }, { 0x1f900, 0x1f9ff, 2 },
		{ 0x20000, 0x3fffd, 2 },
	};
	size_t sum = 0;

	for (size_t len; n; p += len, n -= len) {
		size_t one = 1;
		uint32_t c = (uint8_t)*p;
		len = BASE_MAX(base_utf8(p, n), 1);
		if (len > 1)
			c &= 0x7fU >> len;
		for (size_t k = 1; k < len; k++)
			c = c << 6 | (p[k] & 0x3f);
		for (size_t k = 0; len > 1 && k < BASE_NELEMS(other); k++)
			if (c >= other[k].first && c <= other[k].last)
				one = other[k].wide;
		sum += one;
	}
	return sum;
}

/* The column that the keys of n elements need, which is `least` at least. */
static unsigned
key_width(const struct fmt *f, const struct abi_agg_desc *d,
	  struct consume_elem *const *e, size_t n, unsigned least)
{
	size_t width = least;
	struct sb text;

	sb_init(&text, KEY_MAX);
	for (size_t i = 0; i < n; i++) {
		sb_reset(&text);
		put_bare_keys(f, d, e[i]->key, &text);
		if (!memchr(sb_str(&text), '\n', text.len))
			width = BASE_MAX(width, columns(sb_str(&text),
							text.len));
	}
	sb_fini(&text);
	return (unsigned)width;
}

/* All keys of an element in a column of width. */
static void
put_keys(const struct fmt *f, const struct abi_agg_desc *d,
	 const uint8_t *key, unsigned width, struct sb *b)
{
	struct sb text;
	size_t taken;

	sb_init(&text, KEY_MAX);
	put_bare_keys(f, d, key, &text);
	if (memchr(sb_str(&text), '\n', text.len)) {
		sb_putn(b, sb_str(&text), text.len);
		text.len = 0;
	}
	taken = columns(sb_str(&text), text.len);
	if (taken < width)
		sb_fill(b, ' ', width - taken);
	sb_putn(b, sb_str(&text), text.len);
	b->failed |= text.failed;
	sb_fini(&text);
}

/* --- agghist ------------------------------------------------------------ */

static int64_t
raw_value(const struct consume_agg *g, const struct consume_elem *e)
{
	struct consume_agg raw = *g;

	raw.normal = 1;
	return consume_agg_value(&raw, e);
}

struct err *
fmt_agghist(struct fmt *f, const struct consume_agg *g,
	    struct consume_elem *const *e, size_t n, struct sb *b)
{
	struct fmt_bars bars = { .style = fmt_style(f), .to_edge = true };

	for (size_t i = 0; i < n; i++)
		fmt_bars_add(&bars, raw_value(g, e[i]));
	fmt_bars_head("key", BAR_KEY, b);
	for (size_t i = 0; i < n; i++) {
		put_keys(f, g->desc, e[i]->key, BAR_KEY, b);
		sb_putc(b, ' ');
		fmt_bar(&bars, raw_value(g, e[i]), b);
		sb_printf(b, " %-9lld\n",
			  (long long)consume_agg_value(g, e[i]));
		TRY(fmt_spill(f, b));
	}
	return NULL;
}

/* --- aggpack ------------------------------------------------------------ */

struct pack {
	struct fmt_range range;
	char min[32], max[32];		/* labels */
	unsigned key;			/* columns of keys */
	int left, right;		/* columns of labels */
};

static void
set_range(struct pack *p, const struct abi_agg_desc *d,
	  struct consume_elem *const *e, size_t n)
{
	if (d->func == ABI_AGG_LQUANTIZE) {
		p->range = (struct fmt_range){ 0, d->ncells - 1, true };
		return;
	}
	for (size_t i = 0; i < n; i++)
		fmt_range_add(d, e[i]->cells, &p->range);
}

static void
set_labels(struct pack *p, const struct abi_agg_desc *d)
{
	bool quantize = d->func == ABI_AGG_QUANTIZE;
	int min, max;

	fmt_bucket_label(d, p->range.first, p->min);
	fmt_bucket_label(d, p->range.last, p->max);
	min = (int)strlen(p->min);
	max = (int)strlen(p->max);
	p->left = BASE_MAX(min + 1, quantize ? 5 : 8);
	p->right = BASE_MAX(max, quantize ? 4 : 8);
}

/* How high v stands, 0..TOP. */
static unsigned
height(const struct fmt_bars *g, int64_t v)
{
	unsigned __int128 over = v < 0 ? -(uint64_t)v : (uint64_t)v;
	unsigned __int128 under = g->style.zoom ? g->max : g->total;

	over *= TOP;
	if (g->style.zoom) {
		over *= 95;
		under *= 100;
	}
	return (unsigned)((over * 2 + under) / (under * 2));
}

static const char *
glyph(const struct fmt_bars *g, int64_t v)
{
	static const char *const up[] = {
		"\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586",
		"\u2587", "\u2588",
	};
	unsigned h = v ? height(g, v) : 0;

	if (!v)
		return " ";
	if (v > 0 && g->style.utf8)
		return up[h];
	if (h < 2)
		return "_";
	if (h < 6)
		return v > 0 ? "x" : "v";
	return v > 0 ? "X" : "V";
}

static void
pack_line(const struct fmt *f, const struct consume_agg *g,
	  const struct consume_elem *e, const struct pack *p, struct sb *b)
{
	struct fmt_bars bars = { .style = fmt_style(f) };
	uint64_t count = 0;

	for (uint32_t i = 0; i < g->desc->ncells; i++) {
		fmt_bars_add(&bars, (int64_t)e->cells[i]);
		count += e->cells[i];
	}
	put_keys(f, g->desc, e->key, p->key, b);
	sb_printf(b, "%*s :", p->left, p->min);
	for (uint32_t i = p->range.first; i <= p->range.last; i++)
		sb_puts(b, glyph(&bars, (int64_t)e->cells[i]));
	sb_printf(b, ": %-*s | %lld\n", p->right, p->max,
		  (long long)consume_normalize((int64_t)count, g->normal));
}

struct err *
fmt_aggpack(struct fmt *f, const struct consume_agg *g,
	    struct consume_elem *const *e, size_t n, struct sb *b)
{
	struct pack p = { .range = { .some = false } };

	if (!n)
		return NULL;
	set_range(&p, g->desc, e, n);
	set_labels(&p, g->desc);
	p.key = key_width(f, g->desc, e, n, PACK_KEY);
	sb_printf(b, "\n%*s%*s .", (int)p.key, "key", p.left, "min");
	sb_fill(b, '-', p.range.last - p.range.first + 1);
	sb_printf(b, ". %-*s | count\n", p.right, "max");
	for (size_t i = 0; i < n; i++) {
		pack_line(f, g, e[i], &p, b);
		TRY(fmt_spill(f, b));
	}
	return NULL;
}
