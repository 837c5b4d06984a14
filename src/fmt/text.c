/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Rows as D users know them.  A row opens with the CPU and the probe, unless
 * quiet, then comes what each action prints, and a newline, unless quiet.  The
 * line of titles comes before the first row that is not quiet.
 */
#include <assert.h>
#include <string.h>

#include "fmt/agg_priv.h"
#include "fmt/field_priv.h"
#include "fmt/graph_priv.h"
#include "fmt/shape_priv.h"
#include "util/alloc.h"

/* --- Actions ------------------------------------------------------------ */

static void
trace(const struct fmt *f, const struct fmt_row *r, const struct abi_action *a,
      enum fmt_place place, struct sb *b)
{
	for (uint32_t i = 0; i < a->nfields; i++)
		fmt_field(f, &r->desc->fields[a->field + i], r->base, place, b);
}

static void
dump(const struct fmt_row *r, const struct abi_action *a, struct sb *b)
{
	struct base_span s = fmt_memory(r, a);

	if (a->nfields)
		fmt_hexdump(s.p, s.n, b);
}

/* What an action shows, as text; false: it shows nothing of its own. */
static bool
action_text(struct fmt *f, const struct fmt_row *r, const struct abi_action *a,
	    enum fmt_place place, struct sb *b)
{
	switch (abi_action_class(a->kind)) {
	case ABI_DOES_VALUES: trace(f, r, a, place, b); return true;
	case ABI_DOES_MEMORY: dump(r, a, b); return true;
	case ABI_DOES_FORMAT: fmt_action(f, r, a, b); return true;
	case ABI_DOES_TYPED:
		fmt_print(f, a, r->desc->fields, r->base, b);
		return true;
	default: return false;
	}
}

struct err *
fmt_act_in_cell(struct fmt *f, const struct fmt_row *r,
		const struct abi_action *a, struct sb *cell)
{
	size_t before = cell->len;

	assert(cell != &f->text);	/* which may be written meanwhile */
	if (before)
		sb_putc(cell, ' ');
	if (action_text(f, r, a, FMT_BARE, cell))
		return NULL;
	if (before)
		sb_cut(cell, before);
	return fmt_act(f, r, a);
}

static struct err *
print_aggs(struct fmt *f, const struct fmt_row *r, const struct abi_action *a)
{
	struct consume_agg **g;
	unsigned n;

	TRY(fmt_action_aggs(f, r, a, &g, &n));
	struct err *err = n ? fmt_printa(f, g, n, a->format, &f->text) : NULL;
	util_free(g);
	return err;
}

static struct err *
act(struct fmt *f, const struct fmt_row *r, const struct abi_action *a)
{
	enum fmt_place place = fmt_on(f, OPT_QUIET) ? FMT_QUIET : FMT_TRACE;

	if (action_text(f, r, a, place, &f->text))
		return NULL;
	return a->kind == ABI_ACT_PRINTA ? print_aggs(f, r, a)
					 : fmt_act(f, r, a);
}

/* --- Rows --------------------------------------------------------------- */

static void
put_head(struct fmt *f)
{
	if (fmt_on(f, OPT_FLOWINDENT))
		sb_printf(&f->text, "%3s %-*s\n", "CPU", FMT_FLOW_WIDTH,
			  "FUNCTION");
	else
		sb_printf(&f->text, "%3s %6s %32s\n", "CPU", "ID",
			  "FUNCTION:NAME");
	f->head = HEAD_UNFINISHED;
}

static void
put_probe(struct fmt *f, const struct consume_event *e)
{
	const struct consume_probe *p = e->probe;
	const char *func = p && p->func ? p->func : "";
	const char *name = p && p->name ? p->name : "";
	size_t n = strlen(func) + 1 + strlen(name);

	sb_dec(&f->text, p ? p->id : e->epid->probe, 6);
	sb_fill(&f->text, ' ', n < 32 ? 33 - n : 1);
	sb_puts(&f->text, func);
	sb_putc(&f->text, ':');
	sb_puts(&f->text, name);
	sb_putc(&f->text, ' ');
}

static void
open_row(struct fmt *f, const struct fmt_row *r)
{
	if (f->quiet)
		return;
	if (f->head == HEAD_NONE)
		put_head(f);
	sb_dec(&f->text, r->e->cpu, 3);
	sb_putc(&f->text, ' ');
	if (!fmt_on(f, OPT_FLOWINDENT))
		put_probe(f, r->e);
	else if (!fmt_flow(f, r->e, &f->text))
		f->text.failed = true;
}

static void
close_row(struct fmt *f, const struct fmt_row *r)
{
	if (!f->quiet)
		sb_putc(&f->text, '\n');
}

/* Text is marked when a record is finished, or when it is written. */
static void
mark(struct fmt *f)
{
	if (f->head == HEAD_NONE || f->head == HEAD_OUT)
		return;
	if (f->text.len)
		f->head = HEAD_TEXT;
	else
		f->head = f->lost ? HEAD_NONE : HEAD_OUT;
}

static void
mend(struct fmt *f)
{
	if (f->head == HEAD_UNFINISHED)
		f->head = HEAD_NONE;
}

static struct err *
end(struct fmt *f)
{
	sb_putc(&f->text, '\n');
	for (uint32_t id = 1; id <= f->meta->naggs; id++) {
		struct consume_agg *g = consume_agg(f->c, id);
		if (g && !g->printed)
			TRY(fmt_agg(f, g, &f->text));
	}
	return NULL;
}

const struct fmt_shape fmt_shape_text = {
	.open_row = open_row, .act = act, .close_row = close_row, .end = end,
	.mark = mark, .mend = mend,
};
