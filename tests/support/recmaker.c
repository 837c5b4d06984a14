/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A source of records that is filled by hand.  What it hands out is copied,
 * each record into memory of exactly its size, so that the address sanitizer
 * sees a consumer that reads too far or too late.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/recmaker.h"

static void *
must_alloc(size_t size)
{
	void *p = calloc(1, size ? size : 1);

	if (!p)
		abort();
	return p;
}

static void *
copy_of(const void *bytes, size_t size)
{
	void *p = must_alloc(size);

	if (size)
		memcpy(p, bytes, size);
	return p;
}

/* --- What the consumer calls -------------------------------------------- */

static const struct consume_epid *
get_epid(void *ctx, uint32_t epid)
{
	struct rm *m = ctx;

	return epid && epid <= m->nepids ? &m->epids[epid - 1] : NULL;
}

static const struct consume_probe *
get_probe(void *ctx, uint32_t id)
{
	struct rm *m = ctx;

	return id && id <= m->nprobes ? &m->probes[id - 1] : NULL;
}

static const struct abi_agg_desc *
get_agg(void *ctx, uint32_t id)
{
	struct rm *m = ctx;

	return id && id <= m->meta.naggs ? &m->aggs[id - 1] : NULL;
}

static const void *
next_record(void *ctx, unsigned cpu, size_t *size)
{
	struct rm *m = ctx;
	struct rm_record *r = m->records[cpu];

	if (!r)
		return NULL;
	m->records[cpu] = r->next;
	if (!r->next)
		m->records_end[cpu] = &m->records[cpu];
	r->next = m->given[cpu];
	m->given[cpu] = r;
	*size = r->size;
	return r->bytes;
}

static void
free_records(struct rm_record **list)
{
	struct rm_record *r;

	while ((r = *list)) {
		*list = r->next;
		free((void *)r->bytes);
		free(r);
	}
}

static void
release(void *ctx, unsigned cpu)
{
	struct rm *m = ctx;

	m->releases++;
	free_records(&m->given[cpu]);
}

static void
free_sample(struct rm *m)
{
	struct rm_sample *s = m->samples;

	m->samples = s->next;
	if (!s->next)
		m->samples_end = &m->samples;
	free(s->key);
	free(s->cells);
	free(s);
}

/* A sample that could not be merged stays for the next snapshot. */
static struct err *
snapshot(void *ctx, struct consume *c)
{
	struct rm *m = ctx;

	m->snapshots++;
	while (m->samples) {
		struct rm_sample *s = m->samples;
		TRY(consume_agg_add(c, s->aggid, s->key, s->cells));
		free_sample(m);
	}
	return NULL;
}

static uint64_t
count_drops(void *ctx, enum abi_drop kind, unsigned cpu)
{
	struct rm *m = ctx;

	return m->drops[kind][cpu];
}

static uint64_t
now(void *ctx)
{
	struct rm *m = ctx;

	return m->clock;
}

/* --- What a test calls -------------------------------------------------- */

struct rm *
rm_new(unsigned ncpus)
{
	struct rm *m = must_alloc(sizeof(*m));

	assert(ncpus <= RM_CPUS);
	m->meta = (struct consume_meta){ .epid = get_epid,
		.probe = get_probe, .agg = get_agg, .ctx = m };
	m->source = (struct consume_source){
		m, ncpus, next_record, release, snapshot, count_drops, now };
	m->clock = 1000000000000;
	for (unsigned i = 0; i < RM_CPUS; i++)
		m->records_end[i] = &m->records[i];
	m->samples_end = &m->samples;
	return m;
}

void
rm_free(struct rm *m)
{
	for (unsigned i = 0; i < RM_CPUS; i++) {
		free_records(&m->records[i]);
		free_records(&m->given[i]);
	}
	while (m->samples)
		free_sample(m);
	free(m);
}

uint32_t
rm_probe(struct rm *m, const char *prov, const char *mod, const char *func,
	 const char *name)
{
	assert(m->nprobes < RM_PROBES);
	uint32_t id = ++m->nprobes;
	m->probes[id - 1] =
		(struct consume_probe){ id, prov, mod, func, name };
	return id;
}

struct rm_clause *
rm_clause(struct rm *m, uint16_t nbranches)
{
	assert(m->nclauses < RM_CLAUSES);
	struct rm_clause *c = &m->clauses[m->nclauses++];
	c->desc = (struct abi_clause_desc){
		.record_size = (uint32_t)base_align(16u + nbranches, 8),
		.nbranches = nbranches, .actions = c->actions,
		.fields = c->fields, .aggids = c->aggids,
	};
	return c;
}

struct abi_action *
rm_action(struct rm_clause *c, enum abi_action_kind kind, const char *format)
{
	assert(c->desc.nactions < RM_ACTIONS);
	struct abi_action *a = &c->actions[c->desc.nactions++];
	*a = (struct abi_action){ .kind = kind, .field = c->desc.nfields,
				  .agg = c->desc.naggids, .format = format };
	return a;
}

void
rm_field(struct rm_clause *c, enum abi_field_kind kind, uint32_t size,
	 bool is_signed)
{
	assert(c->desc.nfields < RM_FIELDS && c->desc.nactions);
	struct abi_field *f = &c->fields[c->desc.nfields++];
	*f = (struct abi_field){ .kind = kind, .is_signed = is_signed,
				 .align = 8, .offset = c->desc.record_size,
				 .size = size };
	c->desc.record_size += (uint32_t)base_align(size, 8);
	c->actions[c->desc.nactions - 1].nfields++;
}

void
rm_who(struct rm_clause *c)
{
	c->desc.who = c->desc.record_size;
	c->desc.record_size += (uint32_t)sizeof(struct abi_who);
}

void
rm_use_agg(struct rm_clause *c, uint32_t aggid)
{
	assert(c->desc.naggids < RM_ACTIONS && c->desc.nactions);
	c->aggids[c->desc.naggids++] = aggid;
	c->actions[c->desc.nactions - 1].naggs++;
}

uint32_t
rm_epid(struct rm *m, uint32_t probe, const struct rm_clause *c)
{
	assert(m->nepids < RM_EPIDS);
	m->epids[m->nepids] = (struct consume_epid){ probe, &c->desc };
	return ++m->nepids;
}

uint32_t
rm_agg(struct rm *m, enum abi_agg_func func, uint64_t arg, uint32_t ncells)
{
	assert(m->meta.naggs < RM_AGGS);
	uint32_t id = ++m->meta.naggs;
	m->aggs[id - 1] = (struct abi_agg_desc){
		.name = "", .id = id, .func = func, .arg = arg,
		.ncells = ncells, .keys = m->keys[id - 1] };
	return id;
}

void
rm_key(struct rm *m, uint32_t aggid, enum abi_field_kind kind, uint32_t size,
       bool is_signed)
{
	struct abi_agg_desc *d = &m->aggs[aggid - 1];

	assert(d->nkeys < RM_KEYS);
	m->keys[aggid - 1][d->nkeys++] = (struct abi_field){
		.kind = kind, .is_signed = is_signed, .align = 1,
		.offset = d->key_size, .size = size };
	d->key_size += (uint32_t)base_align(size, 4);
}

/* Behind all others; bytes become the record's. */
static void
append(struct rm *m, unsigned cpu, void *bytes, size_t size)
{
	struct rm_record *r = must_alloc(sizeof(*r));

	r->bytes = bytes;
	r->size = size;
	*m->records_end[cpu] = r;
	m->records_end[cpu] = &r->next;
}

struct abi_record *
rm_record(struct rm *m, unsigned cpu, uint64_t timestamp, uint32_t epid)
{
	uint32_t size = m->epids[epid - 1].desc->record_size;
	struct abi_record *r = must_alloc(size);

	*r = (struct abi_record){ epid, size, timestamp };
	append(m, cpu, r, size);
	return r;
}

void
rm_raw(struct rm *m, unsigned cpu, const void *bytes, size_t size)
{
	append(m, cpu, copy_of(bytes, size), size);
}

void
rm_set_bytes(struct rm *m, struct abi_record *r, unsigned i, const void *p,
	     size_t n)
{
	const struct abi_field *f = &m->epids[r->epid - 1].desc->fields[i];

	assert(n <= f->size);
	memcpy((uint8_t *)r + f->offset, p, n);
}

void
rm_set_int(struct rm *m, struct abi_record *r, unsigned i, int64_t v)
{
	const struct abi_field *f = &m->epids[r->epid - 1].desc->fields[i];

	rm_set_bytes(m, r, i, &v, f->size);
}

void
rm_set_who(struct rm *m, struct abi_record *r, int pid, int tid,
	   const char *comm)
{
	struct abi_who who = { pid, tid, "" };

	snprintf(who.comm, sizeof(who.comm), "%s", comm);
	memcpy((uint8_t *)r + m->epids[r->epid - 1].desc->who, &who,
	       sizeof(who));
}

void
rm_take_branch(struct abi_record *r, unsigned branch)
{
	((uint8_t *)(r + 1))[branch - 1] = 1;
}

void
rm_sample(struct rm *m, uint32_t aggid, const void *key, const uint64_t *cells)
{
	const struct abi_agg_desc *d = &m->aggs[aggid - 1];
	struct rm_sample *s = must_alloc(sizeof(*s));

	s->aggid = aggid;
	s->key = copy_of(key, d->key_size);
	s->cells = copy_of(cells, d->ncells * sizeof(*cells));
	*m->samples_end = s;
	m->samples_end = &s->next;
}

static struct err *
note_malformed(void *ctx, const struct consume_event *e)
{
	if (e->drop == ABI_DROP_MALFORMED)
		*(uint64_t *)ctx += e->count;
	return NULL;
}

uint64_t
rm_malformed(struct consume *c)
{
	uint64_t n = 0;

	consume_drops(c, note_malformed, &n);
	return n;
}
