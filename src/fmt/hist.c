/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Histograms: 68 columns, of which 41 are the graph (bar.c).  Bars show raw
 * counts; only the printed number is normalised.  The rows shown reach from the
 * bucket before the first that is not empty to the one after the last.
 */
#include "abi/quant.h"
#include "fmt/graph_priv.h"

/* When all buckets are empty: those around zero, or the first three. */
static void
choose_empty(const struct abi_agg_desc *d, struct fmt_range *r)
{
	bool quantize = d->func == ABI_AGG_QUANTIZE;

	r->first = quantize ? ABI_QUANTIZE_ZERO - 1 : 0;
	r->last = BASE_MIN(r->first + 2, d->ncells - 1);
}

void
fmt_range_add(const struct abi_agg_desc *d, const uint64_t *cells,
	      struct fmt_range *r)
{
	for (uint32_t i = 0; i < d->ncells; i++) {
		if (!cells[i])
			continue;
		uint32_t before = i ? i - 1 : 0;
		uint32_t after = BASE_MIN(i + 1, d->ncells - 1);
		r->first = r->some ? BASE_MIN(r->first, before) : before;
		r->last = r->some ? BASE_MAX(r->last, after) : after;
		r->some = true;
	}
	if (!r->some)
		choose_empty(d, r);
}

void
fmt_bucket_label(const struct abi_agg_desc *d, uint32_t i, char out[32])
{
	bool open = d->func != ABI_AGG_QUANTIZE;
	long long value = consume_bucket_value(d, i);
	struct base_buf b;

	base_buf_init(&b, out, 32);
	if (open && i == 0)
		base_puts(&b, "< ");
	else if (open && i == d->ncells - 1)
		base_puts(&b, ">= ");
	base_putd(&b, open && i == 0 ? value + 1 : value);
}

void
fmt_histogram(const struct abi_agg_desc *d, const uint64_t *cells,
	      int64_t normal, struct fmt_style style, struct sb *b)
{
	struct fmt_bars g = { .style = style };
	struct fmt_range r = { .some = false };
	char label[32];

	for (uint32_t i = 0; i < d->ncells; i++)
		fmt_bars_add(&g, (int64_t)cells[i]);
	fmt_range_add(d, cells, &r);
	fmt_bars_head("value", 16, b);
	for (uint32_t i = r.first; i <= r.last; i++) {
		fmt_bucket_label(d, i, label);
		sb_printf(b, "%16s ", label);
		fmt_bar(&g, (int64_t)cells[i], b);
		sb_printf(b, " %-9lld\n", (long long)
			  consume_normalize((int64_t)cells[i], normal));
	}
}

void
fmt_bucket_range(const struct abi_agg_desc *d, uint32_t i, int64_t *low,
		 bool *has_low, int64_t *high, bool *has_high)
{
	int64_t v = consume_bucket_value(d, i);
	/* quantize() names buckets below 0 by their upper end. */
	bool down = d->func == ABI_AGG_QUANTIZE && i < ABI_QUANTIZE_ZERO;

	*has_low = i > 0;
	*has_high = i + 1 < d->ncells;
	if (down) {
		*low = *has_low ? consume_bucket_value(d, i - 1) + 1 : 0;
		*high = v;
	} else {
		*low = v;
		*high = *has_high ? consume_bucket_value(d, i + 1) - 1 : 0;
	}
}
