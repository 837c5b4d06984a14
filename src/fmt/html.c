/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One page for people: what was aggregated, as tables; histograms that were
 * printed more than once, as heat maps over time; what went wrong; the events.
 *
 * The page is made at the end.  Of aggregations it shows what was printed last,
 * and of events the first, as many as a browser can bear.
 */
#include <string.h>

#include "abi/quant.h"
#include "fmt/field_priv.h"
#include "fmt/graph_priv.h"
#include "fmt/heat.h"
#include "fmt/page.h"
#include "fmt/path.h"
#include "fmt/shape_priv.h"
#include "fmt/web.h"
#include "util/alloc.h"

struct shown {
	struct sb table;		/* HTML: as it was printed last */
	struct fmt_heat heat;		/* histograms */
};

struct html {
	struct shown *aggs;		/* by id - 1 */
	uint32_t naggs;
	struct sb events, messages;	/* rows of tables */
	uint64_t nevents, nmessages;	/* with those that are left out */
	uint64_t nshown;		/* events */
	uint64_t first;			/* timestamp of the first event */
	struct sb cell;			/* scratch: of the row that is open */
	bool closed;
};

enum { ROWS_MAX = 1000, EVENTS_MAX = 10000, MESSAGES_MAX = 1000,
       TABLE_MAX = 1 << 26, FULL = 1 << 23, CELL_MAX = 1 << 16, CHARS_MAX = 4000,
       NAME_MAX_CHARS = 40 };

static struct err *
begin(struct fmt *f)
{
	struct html *s = f->own = util_zalloc(sizeof(*s));

	if (!s)
		return &err_nomem;
	sb_init(&s->events, TABLE_MAX);
	sb_init(&s->messages, TABLE_MAX);
	sb_init(&s->cell, CELL_MAX);
	s->aggs = util_zalloc(f->meta->naggs * sizeof(*s->aggs));
	if (!s->aggs)
		return &err_nomem;
	for (; s->naggs < f->meta->naggs; s->naggs++) {
		struct consume_agg *g = consume_agg(f->c, s->naggs + 1);
		sb_init(&s->aggs[s->naggs].table, TABLE_MAX);
		fmt_heat_init(&s->aggs[s->naggs].heat, g ? g->desc : NULL);
	}
	return NULL;
}

static void
html_free(struct fmt *f)
{
	struct html *s = f->own;

	if (!s)
		return;
	for (uint32_t i = 0; i < s->naggs; i++) {
		sb_fini(&s->aggs[i].table);
		fmt_heat_fini(&s->aggs[i].heat);
	}
	util_free(s->aggs);
	sb_fini(&s->events);
	sb_fini(&s->messages);
	sb_fini(&s->cell);
	util_free(s);
}

/* --- Aggregations ------------------------------------------------------- */

static void
put_key(const struct fmt *f, const struct abi_field *d, const uint8_t *key,
	struct sb *b)
{
	struct sb text;
	size_t skip = 0;

	sb_init(&text, CELL_MAX);
	fmt_field(f, d, key, FMT_BARE, &text);
	while (skip < text.len && text.p[skip] == '\n')
		skip++;
	fmt_page_text(b, sb_str(&text) + skip, text.len - skip, CHARS_MAX);
	sb_fini(&text);		/* what it had no room for is not shown */
}

/* All parts of a key, for a heading. */
static void
put_label(const struct fmt *f, const struct abi_agg_desc *d,
	  const uint8_t *key, struct sb *b)
{
	for (uint32_t i = 0; i < d->nkeys; i++) {
		if (i)
			sb_puts(b, ", ");
		put_key(f, &d->keys[i], key, b);
	}
}

static void
put_keys(const struct fmt *f, const struct abi_agg_desc *d, const uint8_t *key,
	 struct sb *b)
{
	for (uint32_t i = 0; i < d->nkeys; i++) {
		sb_puts(b, "<td>");
		put_key(f, &d->keys[i], key, b);
		sb_puts(b, "</td>");
	}
}

/* A number and a bar, `wide` percent of what there is room for. */
static void
put_bar(int64_t v, double wide, struct sb *b)
{
	sb_puts(b, "<td class=\"n\">");
	fmt_page_number(b, v);
	sb_printf(b, "</td><td class=\"bar\"><i style=\"width:%.2f%%\"></i>"
		  "</td>", wide);
}

static double
percent(int64_t v, int64_t max)
{
	return v > 0 && max > 0 ? 100 * ((double)v / (double)max) : 0;
}

static void
put_scalar(const struct fmt *f, const struct consume_agg *g,
	   const struct consume_elem *e, int64_t max, struct sb *b)
{
	int64_t v = consume_agg_value(g, e);

	sb_puts(b, "<tr>");
	put_keys(f, g->desc, e->key, b);
	put_bar(v, percent(v, max), b);
	sb_puts(b, "</tr>\n");
}

static void
put_buckets(const struct fmt *f, const struct consume_agg *g,
	    const struct consume_elem *e, struct sb *b)
{
	struct fmt_range r = { .some = false };
	int64_t max = 0;
	char label[32];

	for (uint32_t i = 0; i < g->desc->ncells; i++)
		max = BASE_MAX(max, (int64_t)e->cells[i]);
	fmt_range_add(g->desc, e->cells, &r);
	for (uint32_t i = r.first; i <= r.last; i++) {
		int64_t n = (int64_t)e->cells[i];
		sb_puts(b, "<tr>");
		put_keys(f, g->desc, e->key, b);
		fmt_bucket_label(g->desc, i, label);
		sb_puts(b, "<td class=\"n\">");
		fmt_page_text(b, label, strlen(label), SIZE_MAX);
		sb_puts(b, "</td>");
		put_bar(consume_normalize(n, g->normal), percent(n, max), b);
		sb_puts(b, "</tr>\n");
	}
}

static void
put_titles(const struct abi_agg_desc *d, struct sb *b)
{
	sb_puts(b, "<table><tr>");
	for (uint32_t i = 0; i < d->nkeys; i++) {
		const char *name = d->key_names ? d->key_names[i] : NULL;
		sb_puts(b, "<th>");
		if (name)
			fmt_page_text(b, name, strlen(name), NAME_MAX_CHARS);
		else
			sb_printf(b, "key %u", i + 1);
		sb_puts(b, "</th>");
	}
	if (consume_is_histogram(d))
		sb_puts(b, "<th class=\"n\">value</th>");
	sb_printf(b, "<th class=\"n\">%s</th><th></th></tr>\n",
		  consume_is_histogram(d) ? "count" : abi_agg_name(d->func));
}

/* The largest first, as one looks for them on a page. */
static struct err *
make_table(struct fmt *f, struct consume_agg *g, struct sb *b)
{
	struct consume_sort how = { .reverse = true };
	struct consume_elem **e;
	int64_t max = 0;
	size_t n;

	TRY(consume_agg_sorted(f->c, g, how, &e, &n));
	sb_reset(b);
	put_titles(g->desc, b);
	for (size_t i = 0; i < n; i++)
		max = BASE_MAX(max, consume_agg_value(g, e[i]));
	size_t shown = 0;
	for (; shown < n && shown < ROWS_MAX && b->len < FULL; shown++) {
		if (consume_is_histogram(g->desc))
			put_buckets(f, g, e[shown], b);
		else
			put_scalar(f, g, e[shown], max, b);
	}
	sb_puts(b, "</table>\n");
	if (n > shown)
		sb_printf(b, "<p class=\"dim\">%zu more are less.</p>\n",
			  n - shown);
	util_free(e);
	return b->failed ? &err_nomem : NULL;
}

static struct err *
show(struct fmt *f, struct consume_agg *g, uint64_t now)
{
	struct html *s = f->own;
	struct shown *at = &s->aggs[g->desc->id - 1];

	consume_agg_show(g);
	TRY(make_table(f, g, &at->table));
	if (!consume_is_histogram(g->desc))
		return NULL;
	return fmt_heat_add(&at->heat, f, g, now, put_label);
}

/* --- Events ------------------------------------------------------------- */

/* No more events are kept. */
static bool
is_full(const struct html *s)
{
	return s->nshown >= EVENTS_MAX || s->events.len >= FULL;
}

static struct err *
show_aggs(struct fmt *f, const struct fmt_row *r, const struct abi_action *a)
{
	for (uint32_t i = 0; i < a->naggs; i++) {
		struct consume_agg *g = fmt_action_agg(f, r, a, i);
		if (g)
			TRY(show(f, g, r->e->timestamp));
	}
	return NULL;
}

static struct err *
act(struct fmt *f, const struct fmt_row *r, const struct abi_action *a)
{
	struct html *s = f->own;

	if (a->kind == ABI_ACT_PRINTA)
		return show_aggs(f, r, a);
	if (is_full(s))
		return fmt_act(f, r, a);
	return fmt_act_in_cell(f, r, a, &s->cell);
}

static void
open_row(struct fmt *f, const struct fmt_row *r)
{
	struct html *s = f->own;

	if (!s->first)
		s->first = r->e->timestamp;
	sb_reset(&s->cell);
}

static void
put_probe(const struct consume_probe *p, struct sb *b)
{
	const char *part[] = { p ? p->prov : NULL, p ? p->mod : NULL,
			       p ? p->func : NULL, p ? p->name : NULL };

	for (int i = 0; i < 4; i++) {
		if (i)
			sb_putc(b, ':');
		if (part[i])
			fmt_page_text(b, part[i], strlen(part[i]), SIZE_MAX);
	}
}

static void
put_who(const struct consume_event *e, struct sb *b)
{
	if (e->who)
		sb_printf(b, "<td class=\"n\">%d</td><td>", e->who->pid);
	else
		sb_puts(b, "<td></td><td>");
	if (e->who)
		fmt_page_text(b, e->who->comm,
			      strnlen(e->who->comm, sizeof(e->who->comm)),
			      SIZE_MAX);
	sb_puts(b, "</td>");
}

/* What comes first is at 0; a loss may be of no one CPU. */
static void
put_time(struct html *s, const struct consume_event *e, bool has_cpu, struct sb *b)
{
	if (!s->first)
		s->first = e->timestamp;
	sb_printf(b, "<tr><td class=\"n\">%.6f</td><td class=\"n\">",
		  (double)(int64_t)(e->timestamp - s->first) / 1e9);
	if (has_cpu)
		sb_printf(b, "%u", e->cpu);
	sb_puts(b, "</td>");
}

/* What is only about aggregations is told by these. */
static void
close_row(struct fmt *f, const struct fmt_row *r)
{
	struct html *s = f->own;
	struct sb *b = &s->events;

	if (!s->cell.len && (f->quiet || r->desc->naggids))
		return;
	s->nevents++;
	if (is_full(s))
		return;
	s->nshown++;
	put_time(s, r->e, true, b);
	put_who(r->e, b);
	sb_puts(b, "<td>");
	put_probe(r->e->probe, b);
	sb_puts(b, "</td><td>");
	size_t n = s->cell.len;
	while (n && s->cell.p[n - 1] == '\n')
		n--;
	fmt_page_text(b, sb_str(&s->cell), n, CHARS_MAX);
	sb_puts(b, "</td></tr>\n");
	f->text.failed |= b->failed;
}

static void
put_message(struct fmt *f, const struct consume_event *e, bool has_cpu, const char *text)
{
	struct html *s = f->own;

	if (++s->nmessages > MESSAGES_MAX)
		return;
	put_time(s, e, has_cpu, &s->messages);
	sb_puts(&s->messages, "<td>");
	fmt_page_text(&s->messages, text, strlen(text), CHARS_MAX);
	sb_puts(&s->messages, "</td></tr>\n");
	f->text.failed |= s->messages.failed;
}

static void
error(struct fmt *f, const struct consume_event *e, int fault,
      const char *text)
{
	put_message(f, e, true, text);
}

static void
drop(struct fmt *f, const struct consume_event *e)
{
	struct sb text;

	sb_init(&text, 4096);
	fmt_drop_text(e, false, &text);
	put_message(f, e, abi_drop_per_cpu(e->drop), sb_str(&text));
	f->text.failed |= text.failed;
	sb_fini(&text);
}

/* --- The page ----------------------------------------------------------- */

static struct err *
put_agg(struct fmt *f, const struct shown *at, const struct abi_agg_desc *d)
{
	struct sb *b = &f->text;

	if (!at->table.len)
		return NULL;
	sb_printf(b, "<h2>@%s <span class=\"dim\">%s</span></h2>\n", d->name,
		  abi_agg_name(d->func));
	if (consume_is_histogram(d))
		TRY(fmt_heat_put(&at->heat, b));
	bool map = consume_is_histogram(d) && at->heat.times.n > 1;
	if (map)
		sb_printf(b, "<details><summary>As printed last</summary>\n");
	sb_putn(b, at->table.p, at->table.len);
	if (map)
		sb_puts(b, "</details>\n");
	return fmt_spill(f, b);
}

static void
put_messages(const struct html *s, struct sb *b)
{
	if (!s->nmessages)
		return;
	sb_puts(b, "<div class=\"wrong\"><h2>What went wrong</h2>\n<table><tr>"
		"<th class=\"n\">s</th><th class=\"n\">CPU</th>"
		"<th>message</th></tr>\n");
	sb_putn(b, sb_str(&s->messages), s->messages.len);
	sb_puts(b, "</table>\n");
	if (s->nmessages > MESSAGES_MAX)
		sb_printf(b, "<p>%llu more</p>\n",
			  (unsigned long long)(s->nmessages - MESSAGES_MAX));
	sb_puts(b, "</div>\n");
}

static void
put_events(const struct html *s, struct sb *b)
{
	if (!s->nevents)
		return;
	sb_puts(b, "<details open><summary>Events (");
	fmt_page_number(b, (int64_t)s->nevents);
	sb_puts(b, ")</summary>\n");
	if (s->nevents > s->nshown)
		sb_printf(b, "<p class=\"dim\">Only the first %llu are here."
			  "</p>\n", (unsigned long long)s->nshown);
	sb_puts(b, "<table><tr><th class=\"n\">s</th><th class=\"n\">CPU</th>"
		"<th class=\"n\">pid</th><th>program</th><th>probe</th>"
		"<th>output</th></tr>\n");
	sb_putn(b, sb_str(&s->events), s->events.len);
	sb_puts(b, "</table></details>\n");
}

static struct err *
put_page(struct fmt *f)
{
	struct html *s = f->own;
	struct sb *b = &f->text;
	bool some = s->nevents || s->nmessages;

	s->closed = true;
	fmt_page_open(b, "dtrace", f->program, fmt_tables_css, fmt_heat_css);
	if (s->first) {
		sb_puts(b, "<p class=\"dim\">");
		fmt_time((int64_t)s->first + f->wall_delta, b);
		sb_puts(b, "</p>\n");
	}
	put_messages(s, b);
	for (uint32_t i = 0; i < s->naggs; i++) {
		struct consume_agg *g = consume_agg(f->c, i + 1);
		some |= s->aggs[i].table.len > 0;
		if (g)
			TRY(put_agg(f, &s->aggs[i], g->desc));
	}
	put_events(s, b);
	if (!some)
		sb_puts(b, "<p class=\"empty\">Nothing was traced.</p>\n");
	fmt_page_close(b);
	return NULL;
}

static struct err *
end(struct fmt *f)
{
	for (uint32_t id = 1; id <= f->meta->naggs; id++) {
		struct consume_agg *g = consume_agg(f->c, id);
		if (g && !g->printed && g->n)
			TRY(show(f, g, f->now));
	}
	return put_page(f);
}

static void
html_close(struct fmt *f)
{
	struct html *s = f->own;

	if (!s->closed)
		err_free(put_page(f));
}

const struct fmt_shape fmt_shape_html = {
	.one_file = true,
	.begin = begin, .free = html_free, .open_row = open_row, .act = act,
	.close_row = close_row, .error = error, .drop = drop, .end = end,
	.close = html_close,
};
