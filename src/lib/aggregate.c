/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Aggregations as the classic calls have them: an element is bytes, its id, its
 * keys and its value, each at a multiple of 8, and descriptions of them.
 *
 * What a function that walks wants done is done at once where it concerns values
 * and at the end where elements go, since they move then.
 */
#include <string.h>

#include "lib/lib_priv.h"
#include "util/alloc.h"
#include "util/cleanup.h"

/* --- One element ------------------------------------------------------------- */

/* An element while it is shown. */
struct shown {
	dtrace_aggdata_t data;
	dtrace_aggdesc_t desc;
	VEC(dtrace_recdesc_t) recs;
	struct sb bytes;
};

static void
shown_init(struct shown *s)
{
	*s = (struct shown){ .data = { .dtada_desc = &s->desc } };
	sb_init(&s->bytes, 1u << 30);
}

static void
shown_fini(struct shown *s)
{
	vec_fini(&s->recs);
	sb_fini(&s->bytes);
}

static bool
put(struct shown *s, dtrace_recdesc_t rec, const void *p, size_t n)
{
	rec.dtrd_offset = (uint32_t)s->bytes.len;
	rec.dtrd_size = (uint32_t)n;
	sb_putn(&s->bytes, p, n);
	sb_fill(&s->bytes, '\0', -n & 7);
	return vec_push(&s->recs, rec) && !s->bytes.failed;
}

static uint32_t
key_action(const struct abi_field *f)
{
	static const uint32_t actions[] = {
		[ABI_FIELD_STACK] = DTRACEACT_STACK,
		[ABI_FIELD_USTACK] = DTRACEACT_USTACK,
		[ABI_FIELD_SYM] = DTRACEACT_SYM,
		[ABI_FIELD_MOD] = DTRACEACT_MOD,
		[ABI_FIELD_USYM] = DTRACEACT_USYM,
		[ABI_FIELD_UMOD] = DTRACEACT_UMOD,
		[ABI_FIELD_UADDR] = DTRACEACT_UADDR,
	};

	return actions[f->kind] ? actions[f->kind] : DTRACEACT_DIFEXPR;
}

static bool
put_key(struct shown *s, const struct consume_meta *m,
	const struct abi_field *f, const uint8_t *key)
{
	dtrace_recdesc_t rec = { .dtrd_action = key_action(f),
		.dtrd_alignment = 8, .dtrd_kind = lib_field_kind(f),
		.dtrd_signed = f->is_signed };

	if (f->kind != ABI_FIELD_PROBE)
		return put(s, rec, key + f->offset, f->size);
	struct base_span t = lib_field_string(m, f, key);
	CLEANUP(util_freep) char *text = util_strndup(t.p, t.n);
	return text && put(s, rec, text, t.n + 1);
}

static bool
put_value(struct shown *s, const struct consume_agg *g,
	  const struct consume_elem *e)
{
	const struct abi_agg_desc *d = g->desc;
	dtrace_recdesc_t rec = { .dtrd_action = d->func, .dtrd_alignment = 8,
		.dtrd_kind = DTRACE_FIELD_INT, .dtrd_signed = 1,
		.dtrd_arg = d->arg };
	struct consume_agg raw = { .desc = d, .normal = 1 };
	CLEANUP(util_freep) uint64_t *cells =
		util_alloc((d->ncells + 1) * sizeof(*cells));

	if (!cells)
		return false;
	cells[0] = d->arg;	/* in front of buckets that it explains */
	memcpy(cells + 1, e->cells, d->ncells * sizeof(*cells));
	if (d->func == ABI_AGG_MIN || d->func == ABI_AGG_MAX)
		cells[1] = (uint64_t)consume_agg_value(&raw, e);
	if (d->ncells > 1)
		rec.dtrd_kind = DTRACE_FIELD_BYTES;
	bool arg = d->func == ABI_AGG_LQUANTIZE ||
		   d->func == ABI_AGG_LLQUANTIZE;
	return put(s, rec, cells + !arg, (d->ncells + arg) * sizeof(*cells));
}

/* key: in the layout of `of`; it may be another aggregation's. */
static bool
show(dtrace_hdl_t *h, const struct consume_agg *g,
     const struct consume_elem *e, const struct abi_agg_desc *of,
     const uint8_t *key, struct shown *s)
{
	const struct consume_meta *m = session_meta(h->s);
	dtrace_recdesc_t id = { .dtrd_action = DTRACEACT_DIFEXPR,
		.dtrd_alignment = 8, .dtrd_kind = DTRACE_FIELD_INT };
	uint64_t no = g->desc->id;

	s->recs.n = 0;
	sb_reset(&s->bytes);
	bool ok = put(s, id, &no, sizeof(no));
	for (uint32_t i = 0; ok && i < of->nkeys; i++)
		ok = put_key(s, m, &of->keys[i], key);
	if (!ok || !put_value(s, g, e))
		return false;
	s->desc = (dtrace_aggdesc_t){ g->desc->name, (int64_t)no,
		g->desc->id, (uint32_t)s->bytes.len, (int)s->recs.n,
		s->recs.v };
	s->data = (dtrace_aggdata_t){ h, &s->desc, s->bytes.p, s->bytes.len,
		g->normal };
	return true;
}

/* --- Walking ------------------------------------------------------------------ */

struct walk {
	dtrace_hdl_t *h;
	dtrace_aggregate_f *fn;
	void *arg;
	struct consume_pair *v;		/* owned; .e NULL: removed */
	size_t n;
	bool removed, ended;
};

static struct err *
obey(struct walk *w, struct consume_pair *p, int answer, int64_t normal)
{
	switch (answer) {
	case DTRACE_AGGWALK_NEXT: break;
	case DTRACE_AGGWALK_ABORT: w->ended = true; break;
	case DTRACE_AGGWALK_CLEAR: consume_elem_clear(p->g, p->e); break;
	case DTRACE_AGGWALK_NORMALIZE: p->g->normal = normal; break;
	case DTRACE_AGGWALK_DENORMALIZE: p->g->normal = 1; break;
	case DTRACE_AGGWALK_REMOVE:
		p->e = NULL;
		w->removed = true;
		break;
	case DTRACE_AGGWALK_ERROR: return lib_aborted();
	default: return err_new(ERR_INVALID, 0, "%d is no answer to a walk "
				"of aggregations", answer);
	}
	return NULL;
}

static struct err *
walk_all(struct walk *w)
{
	struct shown s;
	struct err *e = NULL;

	shown_init(&s);
	for (size_t i = 0; i < w->n && !e && !w->ended; i++) {
		struct consume_pair *p = &w->v[i];
		if (!show(w->h, p->g, p->e, p->g->desc, p->e->key, &s)) {
			e = &err_nomem;
			break;
		}
		int answer = w->fn(&s.data, w->arg);
		e = obey(w, p, answer, s.data.dtada_normal);
	}
	shown_fini(&s);
	return e;
}

/* Of one aggregation, all that was not removed. */
static struct err *
keep_rest(const struct walk *w, struct consume_agg *g)
{
	CLEANUP(util_freep) struct consume_elem **keep =
		util_alloc(g->n * sizeof(*keep));
	size_t n = 0;

	if (!keep)
		return &err_nomem;
	for (size_t i = 0; i < w->n; i++)
		if (w->v[i].g == g && w->v[i].e)
			keep[n++] = w->v[i].e;
	return n < g->n ? consume_agg_keep(g, keep, n) : NULL;
}

static struct err *
keep_all(const struct walk *w)
{
	uint32_t n = session_meta(w->h->s)->naggs;

	for (uint32_t id = 1; w->removed && id <= n; id++) {
		struct consume_agg *g = consume_agg(session_consume(w->h->s),
						    id);
		if (g)
			TRY(keep_rest(w, g));
	}
	return NULL;
}

/* What order there is to be. */
struct order {
	struct consume_sort how;
	bool merged;		/* all aggregations together */
};

static struct err *
add_sorted(struct walk *w, struct consume_agg *g, struct consume_sort how)
{
	struct consume_elem **v;
	size_t n;

	TRY(consume_agg_sorted(session_consume(w->h->s), g, how, &v, &n));
	for (size_t i = 0; i < n; i++)
		w->v[w->n++] = (struct consume_pair){ g, v[i] };
	util_free(v);
	return NULL;
}

static struct err *
collect(struct walk *w, struct order o)
{
	struct consume *c = session_consume(w->h->s);
	uint32_t naggs = session_meta(w->h->s)->naggs;
	CLEANUP(util_freep) struct consume_agg **g =
		util_alloc(naggs * sizeof(*g));
	unsigned n = 0;
	size_t all = 0;

	if (!g)
		return &err_nomem;
	for (uint32_t id = 1; id <= naggs; id++) {
		g[n] = consume_agg(c, id);
		if (g[n])
			all += g[n++]->n;
	}
	if (o.merged)
		return consume_agg_merged(c, g, n, o.how, &w->v, &w->n);
	w->v = util_alloc(all * sizeof(*w->v));
	if (!w->v)
		return &err_nomem;
	for (unsigned i = 0; i < n; i++)	/* backwards, that too */
		TRY(add_sorted(w, g[o.how.reverse ? n - 1 - i : i], o.how));
	return NULL;
}

static int
walk(dtrace_hdl_t *h, dtrace_aggregate_f *fn, void *arg, struct order o)
{
	struct walk w = { h, fn, arg, NULL, 0, false, false };
	struct err *e = lib_check_walk(h);

	if (!e)
		e = collect(&w, o);
	if (!e) {
		h->walking = true;
		e = walk_all(&w);
		h->walking = false;
		struct err *kept = keep_all(&w);
		if (e)
			err_free(kept);
		else
			e = kept;
	}
	util_free(w.v);
	return e ? lib_fail(h, e) : 0;
}

#define WALK(name, by_key, rev, merged) \
PUBLIC int \
dtrace_aggregate_walk##name(dtrace_hdl_t *h, dtrace_aggregate_f *fn, \
			    void *arg) \
{ \
	return walk(h, fn, arg, (struct order){ { by_key, rev, 0 }, merged }); \
}
WALK(, true, false, false)
WALK(_keysorted, true, false, false)
WALK(_valsorted, false, false, false)
WALK(_keyrevsorted, true, true, false)
WALK(_valrevsorted, false, true, false)
WALK(_keyvarsorted, true, false, true)
WALK(_valvarsorted, false, false, true)
WALK(_keyvarrevsorted, true, true, true)
WALK(_valvarrevsorted, false, true, true)

struct consume_sort
lib_agg_sort(dtrace_hdl_t *h)
{
	const int64_t *v = session_opts(h->s)->v;

	return (struct consume_sort){ v[OPT_AGGSORTKEY] > 0,
		v[OPT_AGGSORTREV] > 0, v[OPT_AGGSORTKEYPOS] > 0 ?
			(unsigned)v[OPT_AGGSORTKEYPOS] : 0 };
}

PUBLIC int
dtrace_aggregate_walk_sorted(dtrace_hdl_t *h, dtrace_aggregate_f *fn,
			     void *arg)
{
	return walk(h, fn, arg, (struct order){ lib_agg_sort(h), false });
}

/* --- Side by side ---------------------------------------------------------------- */

struct joined {
	dtrace_hdl_t *h;
	dtrace_aggregate_walk_joined_f *fn;
	void *arg;
	struct consume_agg **g;
	int n;
	struct shown *shown;			/* n */
	const dtrace_aggdata_t **data;		/* n */
};

static struct err *
show_row(struct joined *j, struct consume_elem *const *row, bool *ended)
{
	int keyed = 0;

	while (keyed < j->n - 1 && !row[keyed]->key)
		keyed++;
	for (int i = 0; i < j->n; i++) {
		int from = row[i]->key ? i : keyed;
		if (!show(j->h, j->g[i], row[i], j->g[from]->desc,
			  row[from]->key, &j->shown[i]))
			return &err_nomem;
		j->data[i] = &j->shown[i].data;
	}
	int answer = j->fn(j->data, j->n, j->arg);
	*ended = answer == DTRACE_AGGWALK_ABORT;
	if (answer == DTRACE_AGGWALK_ERROR)
		return lib_aborted();
	if (answer != DTRACE_AGGWALK_NEXT && !*ended)
		return err_new(ERR_INVALID, 0, "%d is no answer to a walk of "
			       "joined aggregations", answer);
	return NULL;
}

static struct err *
show_rows(struct joined *j)
{
	struct consume_elem **rows;
	struct err *e = NULL;
	bool ended = false;
	size_t n;

	TRY(consume_agg_joined(session_consume(j->h->s), j->g, (unsigned)j->n,
			       lib_agg_sort(j->h), 0, &rows, &n));
	j->h->walking = true;
	for (size_t i = 0; i < n && !e && !ended; i++)
		e = show_row(j, rows + i * (size_t)j->n, &ended);
	j->h->walking = false;
	util_free(rows);
	return e;
}

/* May these stand side by side? */
static struct err *
check_joined(const struct joined *j, const dtrace_aggid_t *ids)
{
	for (int i = 0; i < j->n; i++) {
		if (!j->g[i])
			return err_new(ERR_NOTFOUND, 0,
				       "there is no aggregation %u", ids[i]);
		bool same = j->g[i]->desc->nkeys == j->g[0]->desc->nkeys;
		for (uint32_t k = 0; same && k < j->g[0]->desc->nkeys; k++)
			same = lib_field_kind(&j->g[i]->desc->keys[k]) ==
			       lib_field_kind(&j->g[0]->desc->keys[k]);
		if (!same)
			return err_new(ERR_INVALID, 0, "aggregations %u and "
				       "%u have other keys", ids[0], ids[i]);
	}
	return NULL;
}

static struct err *
walk_joined(struct joined *j, const dtrace_aggid_t *ids)
{
	TRY(lib_check_walk(j->h));
	if (j->n < 1)
		return err_new(ERR_INVALID, 0, "no aggregations are named");
	j->g = util_alloc(sizeof(*j->g) * (size_t)j->n);
	j->data = util_alloc(sizeof(*j->data) * (size_t)j->n);
	j->shown = util_alloc(sizeof(*j->shown) * (size_t)j->n);
	if (!j->g || !j->data || !j->shown)
		return &err_nomem;
	for (int i = 0; i < j->n; i++) {
		shown_init(&j->shown[i]);
		j->g[i] = consume_agg(session_consume(j->h->s), ids[i]);
	}
	struct err *e = check_joined(j, ids);
	if (!e)
		e = show_rows(j);
	for (int i = 0; i < j->n; i++)
		shown_fini(&j->shown[i]);
	return e;
}

PUBLIC int
dtrace_aggregate_walk_joined(dtrace_hdl_t *h, dtrace_aggid_t *ids, int n,
			     dtrace_aggregate_walk_joined_f *fn, void *arg)
{
	struct joined j = { h, fn, arg, NULL, n, NULL, NULL };
	struct err *e = walk_joined(&j, ids);

	util_free(j.g);
	util_free(j.data);
	util_free(j.shown);
	return e ? lib_fail(h, e) : 0;
}

/* --- The whole ------------------------------------------------------------------ */

PUBLIC int
dtrace_aggregate_snap(dtrace_hdl_t *h)
{
	struct err *e = lib_check_walk(h);

	if (!e)
		e = consume_snapshot(session_consume(h->s));
	return e ? lib_fail(h, e) : 0;
}

PUBLIC void
dtrace_aggregate_clear(dtrace_hdl_t *h)
{
	uint32_t n = h->fmt && !h->walking ? session_meta(h->s)->naggs : 0;

	for (uint32_t id = 1; id <= n; id++) {
		struct consume_agg *g = consume_agg(session_consume(h->s), id);
		if (g)
			consume_agg_clear(g);
	}
}
