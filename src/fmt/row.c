/* SPDX-License-Identifier: BSD-2-Clause
 *
 * From events to output, whatever it looks like (struct fmt_shape).  One record
 * is one row: it is opened, what each action shows is added, in program order,
 * and it is closed.  A record whose actions all stand in branches that were not
 * taken is no row at all.
 *
 * Text is gathered and written in pieces of SPILL bytes, or when the caller says
 * so: a system call, or even a call of stdio, for each record would cost more
 * than all else here.  A record that fails is taken back as far as it is not
 * yet written: text[0..mark) is of finished records.  A shape whose output has
 * to be closed again, like brackets, notes with each mark what is open then.
 */
#include <langinfo.h>
#include <string.h>

#include "fmt/field_priv.h"
#include "fmt/format_priv.h"
#include "fmt/graph_priv.h"
#include "fmt/shape_priv.h"
#include "pfmt/pfmt.h"
#include "util/alloc.h"
#include "util/plain.h"

enum {
	SPILL = 1 << 16,
	TEXT_MAX = 1 << 28,	/* of one row between two spills */
};

/* All that is in text stays. */
static void
mark(struct fmt *f)
{
	f->mark = f->text.len;
	if (f->shape->mark)
		f->shape->mark(f);
}

struct err *
fmt_flush(struct fmt *f)
{
	struct err *err = NULL;

	if (f->text.len)
		err = f->out.write(f->out.ctx, f->text.p, f->text.len);
	f->lost = err != NULL;
	sb_reset(&f->text);
	mark(f);
	return err;
}

/* A record, or the end, has been said; err: has failed. */
static struct err *
finish(struct fmt *f, struct err *err)
{
	if (!err && f->text.failed)
		err = &err_nomem;
	if (err) {
		sb_cut(&f->text, f->mark);
		if (f->shape->mend)
			f->shape->mend(f);
		return err;
	}
	mark(f);
	return f->mark > SPILL ? fmt_flush(f) : NULL;
}

struct fmt_style
fmt_style(const struct fmt *f)
{
	bool utf8 = f->utf8_locale;

	if (f->opts->v[OPT_ENCODING] >= 0)
		utf8 = f->opts->v[OPT_ENCODING] == OPT_ENCODING_UTF8;
	return (struct fmt_style){ fmt_on(f, OPT_AGGZOOM), utf8 };
}

static const struct fmt_shape *const shapes[] = {
	[OPT_OFORMAT_TEXT] = &fmt_shape_text,
	[OPT_OFORMAT_JSON] = &fmt_shape_json,
	[OPT_OFORMAT_JSONL] = &fmt_shape_jsonl,
	[OPT_OFORMAT_FOLDED] = &fmt_shape_folded,
	[OPT_OFORMAT_FLAMEGRAPH] = &fmt_shape_flamegraph,
	[OPT_OFORMAT_HTML] = &fmt_shape_html,
	[OPT_OFORMAT_PERFETTO] = &fmt_shape_perfetto,
};

static const struct fmt_shape *
shape_of(const struct opt_set *opts)
{
	int64_t form = opts->v[OPT_OFORMAT];

	return form >= 0 && form < (int64_t)BASE_NELEMS(shapes)
	       ? shapes[form] : &fmt_shape_text;
}

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
	f->shape = shape_of(opts);
	sb_init(&f->text, TEXT_MAX);
	struct err *err = f->shape->begin ? f->shape->begin(f) : NULL;
	if (!err && f->text.failed)
		err = &err_nomem;
	if (err) {
		fmt_free(f);
		return err;
	}
	mark(f);
	*ret = f;
	return NULL;
}

void
fmt_set_clock(struct fmt *f, uint64_t now, int64_t wall_delta)
{
	f->now = now;
	f->wall_delta = wall_delta;
}

void
fmt_set_program(struct fmt *f, const char *text, uint64_t begun)
{
	f->program = text;
	f->begun = begun;
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
	if (f->shape->free)
		f->shape->free(f);
	sb_fini(&f->text);
	fmt_forms_fini(&f->forms);
	fmt_flow_fini(&f->flow);
	util_free(f);
}

void
fmt_set_terminal(struct fmt *f, bool terminal)
{
	f->terminal = terminal && (f->shape == &fmt_shape_text ||
				   f->shape == &fmt_shape_folded);
}

void
fmt_put_data(const struct fmt *f, const char *p, size_t n, struct sb *b)
{
	if (f->terminal)
		plain_put(b, p, n);
	else
		sb_putn(b, p, n);
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

static const struct abi_field *
first_field(const struct fmt_row *r, const struct abi_action *a)
{
	return a->nfields ? &r->desc->fields[a->field] : NULL;
}

int64_t
fmt_argument(const struct fmt_row *r, const struct abi_action *a,
	     int64_t absent)
{
	const struct abi_field *d = first_field(r, a);

	return d ? consume_field_int(d, r->base) : absent;
}

/* The second field, if any, is how many of the bytes count. */
struct base_span
fmt_memory(const struct fmt_row *r, const struct abi_action *a)
{
	const struct abi_field *d = first_field(r, a);
	struct base_span s = { "", 0 };

	if (!d)
		return s;
	s = (struct base_span){ (const char *)r->base + d->offset, d->size };
	if (a->nfields > 1) {
		int64_t dyn = consume_field_int(d + 1, r->base);
		if (dyn > 0 && (uint64_t)dyn < s.n)
			s.n = (size_t)dyn;
	}
	return s;
}

void
fmt_action(struct fmt *f, const struct fmt_row *r, const struct abi_action *a,
	   struct sb *b)
{
	struct fmt_args args = {
		.fields = a->nfields ? &r->desc->fields[a->field] : NULL,
		.nfields = a->nfields, .base = r->base,
	};

	fmt_format(f, a->format, &args, b);
}

struct consume_agg *
fmt_action_agg(const struct fmt *f, const struct fmt_row *r,
	       const struct abi_action *a, uint32_t i)
{
	return consume_agg(f->c, r->desc->aggids[a->agg + i]);
}

struct err *
fmt_action_aggs(struct fmt *f, const struct fmt_row *r,
		const struct abi_action *a, struct consume_agg ***ret,
		unsigned *n)
{
	struct consume_agg **g = util_alloc(a->naggs * sizeof(*g));

	if (!g)
		return &err_nomem;
	*n = 0;
	for (uint32_t i = 0; i < a->naggs; i++) {
		g[*n] = fmt_action_agg(f, r, a, i);
		*n += g[*n] != NULL;
	}
	*ret = g;
	return NULL;
}

/* Taking everything away is told to who wants to keep it. */
static struct err *
empty(struct fmt *f, struct consume_agg *g)
{
	return f->shape->empty ? f->shape->empty(f, g) : NULL;
}

static struct err *
change(struct fmt *f, const struct fmt_row *r, const struct abi_action *a,
       struct consume_agg *g)
{
	switch (a->kind) {
	case ABI_ACT_CLEAR:
		TRY(empty(f, g));
		consume_agg_clear(g);
		break;
	case ABI_ACT_TRUNC:
		if (!fmt_argument(r, a, 0))
			TRY(empty(f, g));
		return consume_agg_trunc(f->c, g, fmt_argument(r, a, 0));
	case ABI_ACT_NORMALIZE:
		g->normal = fmt_argument(r, a, 1);
		f->by_zero = !g->normal;
		break;
	case ABI_ACT_DENORMALIZE: g->normal = 1; break;
	}
	return NULL;
}

static struct err *
act_on_aggs(struct fmt *f, const struct fmt_row *r, const struct abi_action *a)
{
	for (uint32_t i = 0; i < a->naggs; i++) {
		struct consume_agg *g = fmt_action_agg(f, r, a, i);
		if (g)
			TRY(change(f, r, a, g));
	}
	return NULL;
}

/* The text of a STRING field, the i-th of an action; NULL: it has none. */
static const char *
text_of(struct fmt *f, const struct fmt_row *r, const struct abi_action *a,
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
hand_over(struct fmt *f, const struct fmt_row *r, const struct abi_action *a)
{
	bool is_file = a->kind == ABI_ACT_FREOPEN ||
		       a->kind == ABI_ACT_FTRUNCATE;
	const char *text = NULL, *value = NULL;
	struct sb b[2];

	if (!f->out.act || (is_file && f->shape->one_file))
		return NULL;
	TRY(fmt_flush(f));
	sb_init(&b[0], TEXT_MAX);
	sb_init(&b[1], TEXT_MAX);
	bool terminal = f->terminal;
	f->terminal = false;	/* names of files, and commands */
	if (a->format) {
		fmt_action(f, r, a, &b[0]);
		text = sb_str(&b[0]);
	} else {
		text = text_of(f, r, a, 0, &b[0]);
		value = text_of(f, r, a, 1, &b[1]);
	}
	f->terminal = terminal;
	struct err *err = b[0].failed || b[1].failed ? &err_nomem :
		f->out.act(f->out.ctx, r->e, a, text, value);
	sb_fini(&b[0]);
	sb_fini(&b[1]);
	return err;
}

struct err *
fmt_act(struct fmt *f, const struct fmt_row *r, const struct abi_action *a)
{
	switch (abi_action_class(a->kind)) {
	case ABI_DOES_AGGS: return act_on_aggs(f, r, a);
	case ABI_DOES_CONSUMER: return hand_over(f, r, a);
	default: return NULL;
	}
}

/* --- Rows --------------------------------------------------------------- */

/* True unless all actions stand in branches not taken. */
static bool
is_row(const struct fmt_row *r)
{
	struct consume_step s = { .at = 0 };

	return r->desc->nactions == 0 ||
	       consume_next(r->desc, r->e->record, &s);
}

static void
open_row(struct fmt *f, const struct fmt_row *r, bool *open)
{
	if (!*open && f->shape->open_row)
		f->shape->open_row(f, r);
	*open = true;
}

/* Blanks by the gigabyte are not shown, and nothing is divided by 0; that is told. */
static struct err *
check_asked(struct fmt *f, const struct fmt_row *r)
{
	char why[96];

	if (f->too_wide)
		snprintf(why, sizeof(why), "a width or precision of %lld is "
			 "ignored: it may be %d at most",
			 (long long)f->too_wide, PFMT_WIDTH_MAX);
	else if (f->by_zero)
		snprintf(why, sizeof(why), "normalize( ) by 0: values are "
			 "shown undivided");
	else
		return NULL;
	f->too_wide = 0;
	f->by_zero = false;
	TRY(fmt_flush(f));
	return f->out.refuse ? f->out.refuse(f->out.ctx, r->e, why) : NULL;
}

/* *open: there is a row. */
static struct err *
run_actions(struct fmt *f, struct fmt_row *r, bool *open)
{
	struct consume_step s = { .at = 0 };

	while (consume_next(r->desc, r->e->record, &s)) {
		bool skip = false;
		if (f->out.before)
			TRY(f->out.before(f->out.ctx, r->e, &s, &skip));
		if (skip)
			continue;
		open_row(f, r, open);
		r->base = s.base;
		TRY(f->shape->act(f, r, s.action));
		TRY(check_asked(f, r));
		TRY(fmt_spill(f, &f->text));
	}
	if (!r->desc->nactions)
		open_row(f, r, open);
	return NULL;
}

static bool
get_row(const struct consume_event *e, struct fmt_row *r)
{
	if (e->kind != CONSUME_RECORD || !e->epid || !e->epid->desc)
		return false;
	*r = (struct fmt_row){ e, e->epid->desc, (const uint8_t *)e->record };
	return true;
}

struct err *
fmt_record(struct fmt *f, const struct consume_event *e)
{
	struct fmt_row r;
	struct err *err;
	bool open = false;

	if (!get_row(e, &r) || !is_row(&r))
		return NULL;
	f->in_row = true;
	f->quiet = fmt_on(f, OPT_QUIET);
	err = run_actions(f, &r, &open);
	f->in_row = false;
	if (open && f->shape->close_row)
		f->shape->close_row(f, &r);
	return finish(f, err);
}

struct err *
fmt_error(struct fmt *f, const struct consume_event *e, int fault,
	  const char *text)
{
	if (!f->shape->error)
		return NULL;
	f->shape->error(f, e, fault, text);
	return f->in_row ? NULL : finish(f, NULL);
}

struct err *
fmt_drop(struct fmt *f, const struct consume_event *e)
{
	if (!f->shape->drop)
		return NULL;
	f->shape->drop(f, e);
	return finish(f, NULL);
}

bool
fmt_exit_status(const struct consume_event *e, int *status)
{
	struct consume_step s = { .at = 0 };
	bool found = false;
	struct fmt_row r;

	if (!get_row(e, &r))
		return false;
	while (consume_next(r.desc, e->record, &s)) {
		r.base = s.base;
		if (s.action->kind == ABI_ACT_EXIT) {
			*status = (int)fmt_argument(&r, s.action, 0);
			found = true;
		}
	}
	return found;
}

struct err *
fmt_end(struct fmt *f)
{
	TRY(finish(f, f->shape->end ? f->shape->end(f) : NULL));
	return fmt_flush(f);
}

struct err *
fmt_close(struct fmt *f)
{
	if (!f->shape->close)
		return NULL;
	f->shape->close(f);
	TRY(finish(f, NULL));
	return fmt_flush(f);
}
