/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A pass over the rings.
 *
 * Records are copied out, so a ring is free again before anything is printed
 * (printing may block; a full ring means drops), and ordered by time.  How long
 * must a record wait until none that is older can still turn up?  A record
 * bears the time at which its firing began and reaches the ring when its clause
 * ends, microseconds later, or longer when the CPU was taken away meanwhile.
 * So a record is handed on once it was GRACE_NS old when the pass began, and
 * otherwise waits for the next pass, at most.  (Waiting for the start of the
 * previous pass would be safer and would show every row a whole period late: a
 * second, by default.)  Should an older one turn up after all, it is handed on
 * at once, late but not lost.
 *
 *  1. items[] holds exactly the records read and not yet handed on.
 *  2. A record that could not be copied for lack of memory stays in its ring:
 *     cpu->rec remembers it, and the ring is not released before it is copied.
 *  3. A CPU that has more than PASS_MAX bytes is cut off there; nothing younger
 *     than its last record may then be handed on.
 */
#include <assert.h>
#include <string.h>

#include "consume/consume_priv.h"

enum {
	GRACE_NS = 2000000,
	PASS_MAX = 16 << 20,	/* bytes per CPU and pass */
	RELEASE = 256 << 10,	/* bytes of a ring that are given back at once */
	EPIDS_MAX = 1 << 24,	/* more are checked each time they come */
};

/* --- Descriptions ------------------------------------------------------- */

static bool
field_fits(const struct abi_clause_desc *d, const struct abi_field *f)
{
	size_t head = d->is_log ? sizeof(struct abi_entry)
				: sizeof(struct abi_record) + d->nbranches;

	return f->offset >= head &&
	       f->offset <= d->record_size &&
	       f->size <= d->record_size - f->offset &&
	       (f->kind != ABI_FIELD_PROBE || f->size >= 4);
}

static bool
action_fits(const struct abi_clause_desc *d, const struct abi_action *a)
{
	return a->branch <= d->nbranches &&
	       (!a->nfields || (a->field <= d->nfields &&
				a->nfields <= d->nfields - a->field)) &&
	       (!a->naggs || (a->agg <= d->naggids &&
			      a->naggs <= d->naggids - a->agg));
}

/* The fields of an action that fits lie in its entry. */
static bool
entry_fits(const struct abi_clause_desc *d, uint32_t i)
{
	const struct abi_action *a = &d->actions[i];
	uint32_t size = abi_entry_size(d, i);

	for (uint32_t k = 0; k < a->nfields; k++) {
		const struct abi_field *f = &d->fields[a->field + k];
		if (f->offset > size || f->size > size - f->offset)
			return false;
	}
	return !a->branch;
}

static bool
is_agg_action(uint32_t kind)
{
	return abi_action_class(kind) == ABI_DOES_AGGS;
}

static bool
who_fits(const struct abi_clause_desc *d)
{
	return !d->who || (d->who % 8 == 0 && d->who <= d->record_size &&
			   d->record_size - d->who >= sizeof(struct abi_who) &&
			   d->who >= sizeof(struct abi_record) + d->nbranches);
}

static uint8_t
check_desc(const struct abi_clause_desc *d)
{
	uint8_t state = EPID_GOOD;

	if (d->record_size < sizeof(struct abi_record) + d->nbranches ||
	    d->record_size > ABI_RECORD_MAX || !who_fits(d) ||
	    (d->is_log && (d->nbranches || d->spec)))
		return EPID_BAD;
	if (d->spec) {
		if (d->spec % 8 || d->spec < sizeof(struct abi_record) ||
		    d->spec > d->record_size - 8)
			return EPID_BAD;
		state |= EPID_SPEC;
	}
	for (uint32_t i = 0; i < d->nfields; i++)
		if (!field_fits(d, &d->fields[i]))
			return EPID_BAD;
	for (uint32_t i = 0; i < d->nactions; i++) {
		if (!action_fits(d, &d->actions[i]) ||
		    (d->is_log && !entry_fits(d, i)))
			return EPID_BAD;
		if (is_agg_action(d->actions[i].kind))
			state |= EPID_AGG;
		if (d->actions[i].kind == ABI_ACT_EXIT)
			state |= EPID_EXIT;
	}
	return state;
}

static const struct consume_epid *
look_up(const struct consume *c, uint32_t epid)
{
	return c->meta->epid ? c->meta->epid(c->meta->ctx, epid) : NULL;
}

/* Make room to remember the state of epid, if it names something.  False: no
 * memory. */
static bool
grow_epids(struct consume *c, uint32_t epid)
{
	if (epid < c->epids.n || epid >= EPIDS_MAX || !look_up(c, epid))
		return true;
	if (!vec_reserve(&c->epids, epid + 1 - c->epids.n))
		return false;
	memset(c->epids.v + c->epids.n, 0, epid + 1 - c->epids.n);
	c->epids.n = epid + 1;
	return true;
}

/* enum epid_state of epid; p is what it names. */
static uint8_t
epid_state(struct consume *c, uint32_t epid, const struct consume_epid *p)
{
	if (!p || !p->desc)
		return EPID_BAD;
	if (epid >= c->epids.n)
		return check_desc(p->desc);
	if (!c->epids.v[epid])
		c->epids.v[epid] = check_desc(p->desc);
	return c->epids.v[epid];
}

/* --- Reading ------------------------------------------------------------ */

/* True when the size bytes at rec begin with a record that is what its header
 * hdr claims. */
static bool
is_sound(struct consume *c, const struct abi_record *hdr, const void *rec,
	 size_t size)
{
	if (hdr->size < sizeof(*hdr) || hdr->size > size)
		return false;
	if (hdr->epid == ABI_EPID_ERROR)
		return hdr->size >= sizeof(struct abi_error_record);
	if (hdr->epid == ABI_EPID_SPEC_END)
		return hdr->size >= sizeof(struct abi_spec_end);
	const struct consume_epid *p = look_up(c, hdr->epid);
	if (!(epid_state(c, hdr->epid, p) & EPID_GOOD))
		return false;
	return p->desc->is_log ? consume_log_fits(p->desc, rec, hdr->size)
			       : hdr->size == p->desc->record_size;
}

/* The CPU that wrote a record of this ring; takes the lap out of its size. */
static unsigned
writer(const struct consume *c, unsigned ring, struct abi_record *hdr)
{
	unsigned n = c->src->nrings ? c->src->nrings : c->src->ncpus;
	unsigned lap = hdr->size >> ABI_LAP_SHIFT;

	hdr->size &= ABI_RECORD_MAX;
	return ring + lap * n;
}

/* Copy one record; from: the first item of this ring in this pass. */
static struct err *
take(struct consume *c, unsigned ring, size_t from)
{
	const struct cpu *src = &c->cpus[ring];
	struct abi_record hdr = { 0 };

	assert(src->rec && from <= c->items.n);		/* 2 */
	if (src->size >= sizeof(hdr))
		memcpy(&hdr, src->rec, sizeof(hdr));
	unsigned cpu = writer(c, ring, &hdr);
	if (!grow_epids(c, hdr.epid))
		return &err_nomem;
	if (src->size < sizeof(hdr) || cpu >= c->src->ncpus ||
	    (hdr.epid != ABI_EPID_NONE &&
	     !is_sound(c, &hdr, src->rec, src->size))) {
		c->malformed++;
		return NULL;
	}
	if (hdr.epid == ABI_EPID_NONE)
		return NULL;		/* padding */
	void *copy = consume_pool_alloc(&c->pools[c->pool], hdr.size);
	if (!copy)
		return &err_nomem;
	memcpy(copy, src->rec, hdr.size);
	memcpy(copy, &hdr, sizeof(hdr));
	struct item it = { hdr.timestamp, copy, cpu };
	if (!c->temporal)
		from = c->items.n;	/* as committed */
	return consume_item_push(&c->items, from, it) ? NULL : &err_nomem;
}

/* All that a CPU holds, or so much of it that *more is set and *horizon is
 * lowered to what is safe then. */
static struct err *
read_cpu(struct consume *c, unsigned cpu, uint64_t *horizon, bool *more)
{
	const struct consume_source *src = c->src;
	struct cpu *p = &c->cpus[cpu];
	size_t from = c->items.n, bytes = 0, kept = 0;

	while (bytes < PASS_MAX) {
		if (!p->rec)
			p->rec = src->next(src->ctx, cpu, &p->size);
		if (!p->rec)
			break;
		TRY(take(c, cpu, from));
		bytes += p->size + sizeof(struct item);
		kept += p->size;
		p->rec = NULL;
		if (kept >= RELEASE && src->release) {
			src->release(src->ctx, cpu);
			kept = 0;
		}
	}
	if (src->release && bytes)
		src->release(src->ctx, cpu);
	if (bytes < PASS_MAX)
		return NULL;
	*more = true;
	if (c->items.n > from) {
		uint64_t last = c->items.v[c->items.n - 1].timestamp;
		*horizon = BASE_MIN(*horizon,
				    last > GRACE_NS ? last - GRACE_NS : 0);
	}
	return NULL;
}

/* --- Handing on --------------------------------------------------------- */

static bool
is_exit(uint32_t kind)
{
	return kind == ABI_ACT_EXIT;
}

/* True when some action of a kind ran. */
static bool
some_ran(const struct consume_event *e, bool (*is_kind)(uint32_t kind))
{
	struct consume_step s = { .at = 0 };

	while (consume_next(e->epid->desc, e->record, &s))
		if (is_kind(s.action->kind))
			return true;
	return false;
}

static const struct abi_who *
who(const struct consume_event *e)
{
	const struct abi_clause_desc *d = e->epid ? e->epid->desc : NULL;

	if (e->kind == CONSUME_RECORD)
		return d && d->who ? (const void *)((const uint8_t *)e->record +
						    d->who) : NULL;
	return e->error->hdr.size >= sizeof(*e->error) + sizeof(*e->who)
	       ? (const void *)(e->error + 1) : NULL;
}

/* The event of an item; *on_aggs: its record acts on aggregations.  Branches not
 * taken do not count. */
static struct consume_event
make_event(struct consume *c, const struct item *it, bool *on_aggs)
{
	struct consume_event e = {
		.kind = CONSUME_RECORD, .cpu = it->cpu,
		.timestamp = it->timestamp,
		.epid_no = it->rec->epid, .record = it->rec,
	};

	if (it->rec->epid == ABI_EPID_ERROR) {
		e.kind = CONSUME_ERROR;
		e.record = NULL;
		e.error = (const struct abi_error_record *)it->rec;
		e.epid_no = e.error->epid;
		uint32_t file = abi_place_file(e.error->place);
		if (file && c->meta->file)
			e.file = c->meta->file(c->meta->ctx, file);
	}
	e.epid = look_up(c, e.epid_no);
	if (e.epid && c->meta->probe)
		e.probe = c->meta->probe(c->meta->ctx, e.epid->probe);
	uint8_t state = e.kind == CONSUME_RECORD ?
			epid_state(c, e.epid_no, e.epid) : 0;
	e.who = who(&e);
	e.exits = state & EPID_EXIT && some_ran(&e, is_exit);
	*on_aggs = state & EPID_AGG && some_ran(&e, is_agg_action);
	return e;
}

/* Where events go. */
struct handing {
	struct consume *c;
	consume_fn *fn;
	void *ctx;
	bool fresh;		/* a snapshot since everything was read */
};

/* *told: the caller has been given the event, whatever it made of it. */
static struct err *
hand_event(void *ctx, const struct item *it, bool *told)
{
	struct handing *h = ctx;
	bool on_aggs;
	struct consume_event e = make_event(h->c, it, &on_aggs);

	if (!h->fresh && on_aggs) {
		TRY(consume_snapshot(h->c));
		h->fresh = true;
	}
	*told = true;
	return h->fn(h->ctx, &e);
}

/* The tag of a record; 0: it belongs to no speculation. */
static uint64_t
tag_of(struct consume *c, const struct abi_record *rec)
{
	const struct consume_epid *p = look_up(c, rec->epid);
	uint64_t tag = 0;

	if (rec->epid != ABI_EPID_ERROR &&
	    epid_state(c, rec->epid, p) & EPID_SPEC)
		memcpy(&tag, (const char *)rec + p->desc->spec, sizeof(tag));
	return tag;
}

/* *gone: on an error, that all the same it is done with. */
static struct err *
hand_item(struct handing *h, const struct item *it, bool *gone)
{
	uint64_t tag;

	*gone = false;
	if (it->rec->epid == ABI_EPID_SPEC_END) {
		tag = ((const struct abi_spec_end *)it->rec)->tag;
		return consume_spec_end(h->c, tag, hand_event, h);
	}
	tag = h->c->specs ? tag_of(h->c, it->rec) : 0;
	enum spec_verdict v = tag ? consume_spec_judge(h->c, tag, it)
				  : SPEC_SHOW;
	if (v == SPEC_NOMEM)
		return &err_nomem;
	*gone = v == SPEC_DONE;
	return v == SPEC_SHOW ? hand_event(h, it, gone) : NULL;
}

/* Items before the horizon, until something fails.  *done counts them. */
static struct err *
hand_on(struct consume *c, uint64_t horizon, consume_fn *fn, void *ctx,
	size_t *done)
{
	struct handing h = { c, fn, ctx, false };

	for (; *done < c->items.n; ++*done) {
		const struct item *it = &c->items.v[*done];
		bool gone;
		if (it->timestamp >= horizon && horizon != UINT64_MAX)
			break;
		struct err *err = hand_item(&h, it, &gone);
		if (err) {
			*done += gone;
			return err;
		}
	}
	return NULL;
}

/* Forget the first n items, and the memory of all but the rest.  Without
 * memory both pools live on until the next time. */
static struct err *
forget(struct consume *c, size_t n)
{
	struct pool *other = &c->pools[!c->pool];

	assert(n <= c->items.n);	/* 1 */
	c->items.n -= n;
	memmove(c->items.v, c->items.v + n, c->items.n * sizeof(*c->items.v));
	for (size_t i = 0; i < c->items.n; i++) {
		struct item *it = &c->items.v[i];
		void *copy = consume_pool_alloc(other, it->rec->size);
		if (!copy)
			return &err_nomem;
		it->rec = memcpy(copy, it->rec, it->rec->size);
	}
	consume_pool_reset(&c->pools[c->pool]);
	c->pool = !c->pool;
	return NULL;
}

/* Read what the rings hold, of each a share; *more: there is more than that. */
static struct err *
read_all(struct consume *c, uint64_t *horizon, bool *more)
{
	*more = false;
	for (unsigned cpu = 0; c->src->next && cpu < c->src->ncpus; cpu++)
		TRY(read_cpu(c, cpu, horizon, more));
	return NULL;
}

struct err *
consume_collect(struct consume *c)
{
	uint64_t horizon = UINT64_MAX;
	bool more;

	do
		TRY(read_all(c, &horizon, &more));
	while (more);
	return NULL;
}

uint64_t
consume_due(const struct consume *c)
{
	return c->items.n ? c->items.v[0].timestamp + GRACE_NS : UINT64_MAX;
}

static struct err *
pass_once(struct consume *c, bool final, consume_fn *fn, void *ctx, bool *more)
{
	uint64_t horizon = UINT64_MAX, handed;
	size_t done = 0;

	if (!final && c->src->now) {
		uint64_t now = c->src->now(c->src->ctx);
		horizon = now > GRACE_NS ? now - GRACE_NS : 0;
	}
	TRY(read_all(c, &horizon, more));
	TRY(consume_spec_lost(c));
	handed = horizon;
	if (!c->temporal)
		horizon = UINT64_MAX;
	else if (!consume_item_sort(&c->items, &c->tmp))
		return &err_nomem;
	/* Time that stands still must not pile up records without end. */
	if (*more && c->items.n && c->items.v[0].timestamp >= horizon)
		horizon = UINT64_MAX;
	struct err *err = hand_on(c, horizon, fn, ctx, &done);
	struct err *nomem = done ? forget(c, done) : NULL;
	if (!err)
		c->handed = handed;
	return err ? err : nomem;
}

struct err *
consume_pass(struct consume *c, bool temporal, bool final, consume_fn *fn,
	     void *ctx)
{
	bool more;

	c->temporal = temporal;
	do
		TRY(pass_once(c, final, fn, ctx, &more));
	while (final && more);
	return NULL;
}
