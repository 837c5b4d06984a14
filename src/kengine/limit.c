/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sizes that the machine, or our memory cgroup, can bear.  All of it is memory of the kernel, held
 * while the tracing lasts, so each kind may take an eighth of what there is:
 * all trace buffers together, all aggregations, all dynamic variables.  An
 * option that asks for more is lowered, or with bufresize=manual refused.
 *
 * A byte of aggsize costs more than a byte: each aggregation with keys has two
 * hashes (one is read while the other is written), or two more if its keys may be
 * brief, and aggsize is of each CPU, each having elements of its own.  But the
 * kernel makes room for all elements of a hash beforehand, 16 bytes each, which
 * takes time, and keys that many CPUs have are few.  So for all CPUs, and all
 * aggregations that share a hash, there is room as for AGG_ROOM of them, and that
 * makes no hash larger than AGG_ENTRIES.  Where keys.c knows that there cannot be
 * so many, the hash is smaller.  Variables that share a hash have the room of
 * VAR_ROOM.
 */
#include <assert.h>
#include <stdio.h>

#include "kengine/kengine_priv.h"
#include "kengine/size_priv.h"

enum {
	SHARE = 8,
	RING_HDR = 8,		/* bytes before each record in a ring */
	AGG_ROOM = 4, AGG_ENTRIES = 1 << 20, VAR_ROOM = 4,
	/* Where all elements are known to be few: buckets for each of them, so that
	 * two are seldom in one, and at least. */
	AGG_SPARSE = 4, AGG_FEW = 1024,
	ENTRIES_MAX = 1 << 24,
};

uint32_t
kengine_entries(uint64_t bytes, uint32_t key, uint32_t value)
{
	uint64_t n = bytes / (key + value + KENGINE_HASH_OVERHEAD);

	assert(key && value);
	return (uint32_t)BASE_MIN(BASE_MAX(n, (uint64_t)1),
				  (uint64_t)ENTRIES_MAX);
}

uint32_t
kengine_table_entries(uint64_t dynvarsize, const struct ebpf_table *t)
{
	return kengine_entries(dynvarsize *
			       BASE_MIN(t->nvars, (uint32_t)VAR_ROOM),
			       t->key_size, t->elem_size);
}

bool
kengine_table_is_ready(uint64_t dynvarsize, const struct ebpf_table *t, uint64_t *left)
{
	uint64_t room = (uint64_t)kengine_table_entries(dynvarsize, t) *
			(t->key_size + t->elem_size + KENGINE_HASH_OVERHEAD);

	if (t->own || room > *left)
		return false;
	*left -= room;
	return true;
}

uint32_t
kengine_agg_entries(uint64_t aggsize, const struct ebpf_aggmap *m,
		    unsigned ncpus, uint64_t most)
{
	uint32_t n = kengine_entries(aggsize, m->key_size + ABI_TAG_SIZE,
				     m->ncells * 8);
	uint64_t all = n * BASE_MIN((uint64_t)ncpus * m->naggs,
				    (uint64_t)AGG_ROOM);

	all = BASE_MIN(all, (uint64_t)BASE_MAX(n, (uint32_t)AGG_ENTRIES));
	if (most < all / AGG_SPARSE)
		all = BASE_MAX(most * AGG_SPARSE,
			       BASE_MIN(all, (uint64_t)AGG_FEW));
	return (uint32_t)all;
}

static uint64_t
pow2_floor(uint64_t v)
{
	uint64_t p = 1;

	while (p <= v / 2)
		p *= 2;
	return p;
}

/* The most for aggsize, when all aggregations may take `share` bytes. */
static uint64_t
agg_limit(const struct plan_prog *p, uint64_t share, unsigned ncpus)
{
	uint64_t maps = 0, elem = 0;

	for (uint32_t i = 0; i < p->naggs; i++) {
		const struct abi_agg_desc *d = &p->aggs[i];
		if (!d->nkeys)
			continue;
		maps += abi_brief_size(d) ? 4 : 2;
		elem = BASE_MAX(elem, d->key_size + ABI_TAG_SIZE +
				(uint64_t)abi_piece_cells(d) * 8 +
				KENGINE_HASH_OVERHEAD);
	}
	if (!maps)
		return share;
	share /= BASE_MIN(maps, (uint64_t)EBPF_MAPS_MAX);
	/* A hash that is larger than AGG_ENTRIES has no more for many CPUs. */
	return share >= AGG_ENTRIES * elem ? share :
	       maps > EBPF_MAPS_MAX ? share / AGG_ROOM :
	       share / BASE_MIN(ncpus, (unsigned)AGG_ROOM);
}

static uint64_t
count_dynvars(const struct plan_prog *p)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < p->nvars; i++)
		n += p->vars[i].scope == DIF_VS_THREAD ||
		     p->vars[i].kind == DIF_VK_ARRAY;
	n = BASE_MIN(n, (uint64_t)EBPF_MAPS_MAX * VAR_ROOM);
	return n ? n : 1;
}

/* A number that reads well: whole megabytes, or pages when there are few. */
static uint64_t
even(uint64_t v)
{
	uint64_t unit = v >= 1 << 20 ? 1 << 20 : 4096;

	return v < unit ? unit : v - v % unit;
}

uint64_t
kengine_limit(enum opt_id id, const struct plan_prog *p, uint64_t memory,
	      unsigned ncpus, unsigned online)
{
	uint64_t share = memory / SHARE, ring;

	switch (id) {
	case OPT_BUFSIZE:	/* rings are powers of 2 */
		ring = pow2_floor(share / (online ? online : 1));
		ring = BASE_MAX(ring, (uint64_t)KENGINE_RING_MIN);
		return BASE_MIN(ring, (uint64_t)KENGINE_RING_MAX);
	case OPT_AGGSIZE:
		return even(agg_limit(p, share, ncpus));
	case OPT_DYNVARSIZE:
		return even(share / count_dynvars(p));
	default:
		return UINT64_MAX;
	}
}

static const char *
size_text(char *buf, size_t size, uint64_t v)
{
	static const struct { char unit; unsigned shift; } rows[] = {
		{ 'g', 30 }, { 'm', 20 }, { 'k', 10 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (v % (1ULL << rows[i].shift) == 0) {
			snprintf(buf, size, "%llu%c",
				 (unsigned long long)(v >> rows[i].shift),
				 rows[i].unit);
			return buf;
		}
	snprintf(buf, size, "%llu", (unsigned long long)v);
	return buf;
}

/* The CPU that is asked for must be there. */
static struct err *
check_cpu(const struct kengine *k, const uint8_t *online)
{
	int64_t cpu = kengine_opt(k, OPT_CPU);
	struct sb b;

	if (cpu == OPT_UNSET ||
	    (cpu >= 0 && cpu < k->ncpus && online[cpu]))
		return NULL;
	sb_init(&b, 1 << 16);
	for (unsigned i = 0; i < k->ncpus; i++) {
		unsigned last = i;
		if (!online[i])
			continue;
		while (last + 1 < k->ncpus && online[last + 1])
			last++;
		sb_printf(&b, "%s%u", b.len ? ", " : "", i);
		if (last > i)
			sb_printf(&b, "-%u", last);
		i = last;
	}
	struct err *e = err_new(ERR_INVALID, 0,
		"option cpu: CPU %lld is not there; there are %s",
		(long long)cpu, sb_str(&b));
	sb_fini(&b);
	return e;
}

/* What the clauses of END record, in bytes of a ring. */
static uint64_t
end_size(const struct kengine *k)
{
	uint64_t n = 0;

	for (size_t i = 0; i < k->e.in.npoints; i++) {
		const struct engine_point *p = &k->e.in.points[i];
		if (p->trigger != PROV_TRIGGER_END)
			continue;
		for (size_t j = 0; j < p->probes.n; j++)
			for (uint32_t c = 0; c < p->probes.v[j].nclauses; c++)
				n += RING_HDR + k->e.in.plan->clauses[
					p->probes.v[j].clauses[c]
				     ].desc.record_size;
	}
	return n;
}

/* A clause runs once, and may fault; then all of ERROR's may run.  One that
 * records in parts may do so in each turn of a loop. */
uint64_t
kengine_once_size(const struct kengine *k)
{
	uint64_t sum = sizeof(struct abi_error_record);
	uint64_t n = k->e.in.plan->nclauses;

	for (size_t i = 0; i < k->e.in.npoints; i++)
		if (k->e.in.points[i].trigger != PROV_TRIGGER_BEGIN &&
		    k->e.in.points[i].trigger != PROV_TRIGGER_END)
			return UINT64_MAX;
	for (uint32_t i = 0; i < n; i++) {
		if (k->e.in.plan->clauses[i].in_parts)
			return UINT64_MAX;
		sum += RING_HDR + k->e.in.plan->clauses[i].desc.record_size;
	}
	return 4 * (n + 1) * sum;
}

/* What it takes to leave a function of the kernel again, one by one, and how many are
 * left at once; and one of a program, which the kernel does under a lock (on Linux 6.1
 * 66 ms each for 280 and for 1,219, whether we leave them or are killed). */
enum { LEAVE_MS = 90, LEAVE_CREW = 16, LEAVE_USER_MS = 70 };

static bool
is_of_kernel(enum abi_attach a)
{
	return a == ABI_ATTACH_KPROBE || a == ABI_ATTACH_KRETPROBE;
}

static bool
is_of_program(enum abi_attach a)
{
	return a == ABI_ATTACH_UPROBE || a == ABI_ATTACH_URETPROBE;
}

/* A kernel without kprobe.multi or uprobe.multi has a probe for each function. */
static struct err *
check_functions(const struct kengine *k)
{
	int64_t max = kengine_opt(k, OPT_FBTMAX);
	uint64_t kernel = 0, program = 0;

	for (size_t i = 0; i < k->e.in.npoints; i++) {
		const struct engine_point *p = &k->e.in.points[i];
		kernel += is_of_kernel(p->point->attach) ? p->sites.n : 0;
		program += is_of_program(p->point->attach) ? p->sites.n : 0;
	}
	uint64_t n = kernel + program, locked = program * LEAVE_USER_MS;
	if (max < 0 || n <= (uint64_t)max)
		return NULL;
	return err_new(ERR_LIMIT, 0, "these are %llu places in functions, "
		       "which this kernel probes one by one: to leave "
		       "them may take %llu s (up to %llu s if this process is "
		       "killed); -x fbtmax=%llu allows it",
		       (unsigned long long)n,
		       (unsigned long long)((kernel * LEAVE_MS / LEAVE_CREW + locked) /
					    1000 + 1),
		       (unsigned long long)((kernel * LEAVE_MS + locked) / 1000 + 1),
		       (unsigned long long)n);
}

/* All of them are freed at one moment when the trace ends, and more than a kernel can free
 * at once may stop it for good. */
static struct err *
check_programs(const struct kengine *k)
{
	const struct abi_obj *obj = &k->code->obj;
	int64_t max = kengine_opt(k, OPT_PROGMAX);
	uint32_t n = 0;

	for (uint32_t i = 0; i < obj->nfuncs; i++)
		n += obj->funcs[i].kind == ABI_FUNC_PROG && !obj->funcs[i].optional;
	if (max < 0)
		max = kern_progs_max();
	if (n <= (uint64_t)max)
		return NULL;
	return err_new(ERR_LIMIT, 0, "this trace needs %u BPF programs (one for each rate of tick "
		       "and profile, and one for each probe where the kernel does not "
		       "say which one fired), and more than %lld that are freed at once can stop "
		       "a kernel for good: ask for fewer rates and probes, or allow it "
		       "by -x progmax=%u", n, (long long)max, n);
}

struct err *
kengine_check_policy(struct kengine *k)
{
	TRY(check_programs(k));
	TRY(check_functions(k));
	for (uint32_t i = 0; i < k->e.in.plan->nclauses; i++) {
		const struct abi_clause_desc *d = &k->e.in.plan->clauses[i].desc;
		/* What a loop records is as long as it turns out. */
		if (!d->is_log && RING_HDR + d->record_size > k->e.buffer_size)
			return err_new(ERR_LIMIT, 0, "Enabling exceeds size "
				       "of buffer; -b makes it larger");
	}
	if (!engine_keeps(&k->e))
		return NULL;
	if (k->code->uses_spec)
		return err_new(ERR_INVALID, 0, "speculation needs "
			       "bufpolicy=switch: with others, buffers are "
			       "only read at the end");
	if (end_size(k) > k->e.buffer_size)
		return err_new(ERR_LIMIT, 0, "END enablings exceed size of "
			       "principal buffer; -b makes it larger");
	return NULL;
}

struct err *
kengine_check_sizes(struct kengine *k, const uint8_t *online)
{
	static const enum opt_id ids[] = { OPT_BUFSIZE, OPT_AGGSIZE,
					   OPT_DYNVARSIZE };
	uint64_t memory = kern_memory();
	unsigned nonline = 0;
	char text[32];

	TRY(check_cpu(k, online));
	for (unsigned i = 0; i < k->ncpus; i++)
		nonline += online[i];
	for (size_t i = 0; i < BASE_NELEMS(ids); i++) {
		uint64_t max = kengine_limit(ids[i], k->e.in.plan, memory,
					     k->ncpus, nonline);
		int64_t *v = &k->e.in.opts->v[ids[i]];
		if (*v < 0 || (uint64_t)*v <= max)
			continue;
		if (kengine_opt(k, OPT_BUFRESIZE) == OPT_RESIZE_MANUAL)
			return err_new(ERR_LIMIT, 0,
				"option %s: at most %s can be had here",
				opt_name(ids[i]),
				size_text(text, sizeof(text), max));
		*v = (int64_t)max;
	}
	return NULL;
}
