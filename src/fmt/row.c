/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Rows: one record is one row.  A row opens with the CPU and the probe, unless
 * quiet, then comes what each action prints, in program order.  A record whose
 * actions all stand in branches that were not taken is no row at all.
 *
 * Text is gathered and written in pieces of SPILL bytes, or when the caller says
 * so: a system call, or even a call of stdio, for each record would cost more
 * than all else here.  A record that fails is taken back as far as it is not
 * yet written: text[0..mark) is of finished records.
 */
#include <langinfo.h>
#include <string.h>

#include "fmt/fmt_priv.h"
#include "util/alloc.h"

enum {
	SPILL = 1 << 16,
	TEXT_MAX = 1 << 28,	/* of one row between two spills */
};

struct err *
fmt_new(struct consume *c, const struct consume_meta *meta,
	const struct opt_set *opts, struct fmt_out out, struct fmt **ret)
{
	struct fmt *f = util_zalloc(sizeof(*f));

	if (!f)
		return &err_nomem;
	f->c = c;
	f->meta = meta;
	f->opts = opts;
	f->out = out;
	f->utf8_locale = !strcmp(nl_langinfo(CODESET), "UTF-8");
	sb_init(&f->text, TEXT_MAX);
	*ret = f;
	return NULL;
}

void
fmt_set_names(struct fmt *f, struct sym_names *names)
{
	f->names = names;
}

void
fmt_free(struct fmt *f)
{
	if (!f)
		return;
	sb_fini(&f->text);
	fmt_forms_fini(&f->forms);
	fmt_flow_fini(&f->flow);
	util_free(f);
}

struct fmt_style
fmt_style(const struct fmt *f)
{
	bool utf8 = f->utf8_locale;

	if (f->opts->v[OPT_ENCODING] >= 0)
		utf8 = f->opts->v[OPT_ENCODING] == OPT_ENCODING_UTF8;
	return (struct fmt_style){ fmt_on(f, OPT_AGGZOOM), utf8 };
}

struct err *
fmt_flush(struct fmt *f)
{
	struct err *err = NULL;

	if (f->text.len)
		err = f->out.write(f->out.ctx, f->text.p, f->text.len);
	if (f->head != HEAD_NONE && f->head != HEAD_OUT)
		f->head = err ? HEAD_NONE : HEAD_OUT;
	f->mark = 0;
	sb_reset(&f->text);
	return err;
}

/* A record, or the end, has been said; err: has failed. */
static struct err *
finish(struct fmt *f, struct err *err)
{
	if (!err && f->text.failed)
		err = &err_nomem;
	if (f->head == HEAD_UNFINISHED)
		f->head = err ? HEAD_NONE : HEAD_TEXT;
	if (err) {
		sb_cut(&f->text, f->mark);
		return err;
	}
	f->mark = f->text.len;
	return f->mark > SPILL ? fmt_flush(f) : NULL;
}

struct err *
fmt_spill(struct fmt *f, struct sb *b)
{
	if (b != &f->text)
		return NULL;
	if (b->failed)
		return &err_nomem;
	return b->len > SPILL ? fmt_flush(f) : NULL;
}

/* --- Actions ------------------------------------------------------------ */

struct row {
	const struct consume_event *e;
	const struct abi_clause_desc *desc;
	const uint8_t *base;		/* the record's bytes */
};

static const struct abi_field *
first_field(const struct row *r, const struct abi_action *a)
{
	return a->nfields ? &r->desc->fields[a->field] : NULL;
}

/* The integer argument of an action, or what stands for it. */
static int64_t
argument(const struct row *r, const struct abi_action *a, int64_t absent)
{
	const struct abi_field *d = first_field(r, a);

	return d ? consume_field_int(d, r->base) : absent;
}

static void
trace(struct fmt *f, const struct row *r, const struct abi_action *a)
{
	enum fmt_place place = fmt_on(f, OPT_QUIET) ? FMT_QUIET : FMT_TRACE;

	for (uint32_t i = 0; i < a->nfields; i++)
		fmt_field(f, &r->desc->fields[a->field + i], r->base, place,
			  &f->text);
}

/* The second field, if any, is how many of the bytes count. */
static void
dump(struct fmt *f, const struct row *r, const struct abi_action *a)
{
	const struct abi_field *d = first_field(r, a);
	size_t n = d ? d->size : 0;

	if (a->nfields > 1) {
		int64_t dyn = consume_field_int(d + 1, r->base);
		if (dyn > 0 && (uint64_t)dyn < n)
			n = (size_t)dyn;
	}
	if (d)
		fmt_hexdump(r->base + d->offset, n, &f->text);
}

static void
format(struct fmt *f, const struct row *r, const struct abi_action *a,
       struct sb *b)
{
	struct fmt_args args = {
		.fields = a->nfields ? &r->desc->fields[a->field] : NULL,
		.nfields = a->nfields, .base = r->base,
	};

	fmt_format(f, a->format, &args, b);
}

/* The aggregations of an action; those never heard of are left out. */
static struct err *
get_aggs(struct fmt *f, const struct row *r, const struct abi_action *a,
	 struct consume_agg ***ret, unsigned *n)
{
	struct consume_agg **g = util_alloc(a->naggs * sizeof(*g));

	if (!g)
		return &err_nomem;
	*n = 0;
	for (uint32_t i = 0; i < a->naggs; i++) {
		g[*n] = consume_agg(f->c, r->desc->aggids[a->agg + i]);
		*n += g[*n] != NULL;
	}
	*ret = g;
	return NULL;
}

static struct err *
change(struct fmt *f, const struct row *r, const struct abi_action *a,
       struct consume_agg *g)
{
	switch (a->kind) {
	case ABI_ACT_CLEAR: consume_agg_clear(g); break;
	case ABI_ACT_TRUNC:
		return consume_agg_trunc(f->c, g, argument(r, a, 0));
	case ABI_ACT_NORMALIZE: g->normal = argument(r, a, 1); break;
	case ABI_ACT_DENORMALIZE: g->normal = 1; break;
	}
	return NULL;
}

static struct err *
act_on_aggs(struct fmt *f, const struct row *r, const struct abi_action *a)
{
	struct consume_agg **g;
	struct err *err = NULL;
	unsigned n;

	TRY(get_aggs(f, r, a, &g, &n));
	if (a->kind == ABI_ACT_PRINTA)
		err = n ? fmt_printa(f, g, n, a->format, &f->text) : NULL;
	else
		for (unsigned i = 0; i < n && !err; i++)
			err = change(f, r, a, g[i]);
	util_free(g);
	return err;
}

/* The text of a STRING field, the i-th of an action; NULL: it has none. */
static const char *
text_of(struct fmt *f, const struct row *r, const struct abi_action *a,
	unsigned i, struct sb *b)
{
	if (i >= a->nfields)
		return NULL;
	struct base_span s = fmt_field_text(f, &r->desc->fields[a->field + i],
					    r->base);
	sb_putn(b, s.p, s.n);
	return sb_str(b);
}

/* What is not about text is the caller's to do. */
static struct err *
hand_over(struct fmt *f, const struct row *r, const struct abi_action *a)
{
	const char *text = NULL, *value = NULL;
	struct sb b[2];

	if (!f->out.act)
		return NULL;
	TRY(fmt_flush(f));
	sb_init(&b[0], TEXT_MAX);
	sb_init(&b[1], TEXT_MAX);
	if (a->format) {
		format(f, r, a, &b[0]);
		text = sb_str(&b[0]);
	} else {
		text = text_of(f, r, a, 0, &b[0]);
		value = text_of(f, r, a, 1, &b[1]);
	}
	struct err *err = b[0].failed || b[1].failed ? &err_nomem :
		f->out.act(f->out.ctx, r->e, a, text, value);
	sb_fini(&b[0]);
	sb_fini(&b[1]);
	return err;
}

static struct err *
act(struct fmt *f, const struct row *r, const struct abi_action *a)
{
	switch (a->kind) {
	case ABI_ACT_DIFEXPR:
	case ABI_ACT_STACK:
	case ABI_ACT_USTACK:
	case ABI_ACT_JSTACK:
	case ABI_ACT_SYM:
	case ABI_ACT_MOD:
	case ABI_ACT_USYM:
	case ABI_ACT_UMOD:
	case ABI_ACT_UADDR: trace(f, r, a); break;
	case ABI_ACT_TRACEMEM:
	case ABI_ACT_TRACEMEM_DYNSIZE:
	case ABI_ACT_PRINTM: dump(f, r, a); break;
	case ABI_ACT_PRINTF: format(f, r, a, &f->text); break;
	case ABI_ACT_PRINT:
		fmt_print(f, a, r->desc->fields, r->base, &f->text);
		break;
	case ABI_ACT_SYSTEM:
	case ABI_ACT_FREOPEN:
	case ABI_ACT_SETOPT:
	case ABI_ACT_FTRUNCATE: return hand_over(f, r, a);
	case ABI_ACT_PRINTA:
	case ABI_ACT_CLEAR:
	case ABI_ACT_TRUNC:
	case ABI_ACT_NORMALIZE:
	case ABI_ACT_DENORMALIZE: return act_on_aggs(f, r, a);
	}
	return NULL;
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
open_row(struct fmt *f, const struct consume_event *e)
{
	if (f->head == HEAD_NONE)
		put_head(f);
	sb_dec(&f->text, e->cpu, 3);
	sb_putc(&f->text, ' ');
	if (!fmt_on(f, OPT_FLOWINDENT))
		put_probe(f, e);
	else if (!fmt_flow(f, e, &f->text))
		f->text.failed = true;
}

/* True unless all actions stand in branches not taken. */
static bool
is_row(const struct row *r)
{
	for (uint32_t i = 0; i < r->desc->nactions; i++)
		if (consume_ran(r->e->record, &r->desc->actions[i]))
			return true;
	return r->desc->nactions == 0;
}

static struct err *
run_actions(struct fmt *f, const struct row *r)
{
	for (uint32_t i = 0; i < r->desc->nactions; i++) {
		const struct abi_action *a = &r->desc->actions[i];
		if (!consume_ran(r->e->record, a))
			continue;
		TRY(act(f, r, a));
		TRY(fmt_spill(f, &f->text));
	}
	return NULL;
}

static bool
get_row(const struct consume_event *e, struct row *r)
{
	if (e->kind != CONSUME_RECORD || !e->epid || !e->epid->desc)
		return false;
	*r = (struct row){ e, e->epid->desc, (const uint8_t *)e->record };
	return true;
}

struct err *
fmt_record(struct fmt *f, const struct consume_event *e)
{
	bool quiet = fmt_on(f, OPT_QUIET);
	struct row r;
	struct err *err;

	if (!get_row(e, &r) || !is_row(&r))
		return NULL;
	if (!quiet)
		open_row(f, e);
	err = run_actions(f, &r);
	if (!quiet)
		sb_putc(&f->text, '\n');
	return finish(f, err);
}

bool
fmt_exit_status(const struct consume_event *e, int *status)
{
	struct row r;

	if (!get_row(e, &r))
		return false;
	for (uint32_t i = 0; i < r.desc->nactions; i++) {
		const struct abi_action *a = &r.desc->actions[i];
		if (a->kind == ABI_ACT_EXIT && consume_ran(e->record, a)) {
			*status = (int)argument(&r, a, 0);
			return true;
		}
	}
	return false;
}

struct err *
fmt_end(struct fmt *f)
{
	struct err *err = NULL;

	sb_putc(&f->text, '\n');
	for (uint32_t id = 1; id <= f->meta->naggs && !err; id++) {
		struct consume_agg *g = consume_agg(f->c, id);
		if (g && !g->printed)
			err = fmt_agg(f, g, &f->text);
	}
	TRY(finish(f, err));
	return fmt_flush(f);
}
