/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which probe fired.  A point serves many probes; each has a row in a table,
 * found by the point's index (a system call's number).  Probes with the same
 * list of clauses form a set, and the row names it: the program has one run of
 * code for each set.
 *
 * Where probes come and go, their rows lie in a map (struct abi_row), found by the
 * cookie of the site, and say by a bit for each of the point's clauses which of
 * them run: so a probe may be added whose list of clauses no other has.  Its EPIDs
 * are the row's first, and the place of the clause among those of the point.
 *
 * 1. Each probe of a table is in one set, and sets are as few as fit a row's 16 bits.
 * 2. A point has a row for each number that may come, both native and of 32-bit calls.
 * 3. An EPID is given once, and to the clause that it was counted for.
 *
 * The path to "none of ours" is what every other system call pays while one
 * is traced: a load, a compare, and nothing called.
 */
#include <assert.h>
#include <string.h>

#include "abi/row.h"
#include "ebpf/prog_priv.h"
#include "util/hash.h"

static void
count_epids(const struct plan_probe *p, uint32_t *counts)
{
	for (uint32_t c = 0; c < p->nclauses; c++)
		counts[p->clauses[c]]++;
}

/* EPIDs follow the order of clauses in the program, whatever the order is in
 * which code is made for them. */
void
ebpf_epids(struct ebpf *g)
{
	uint32_t *next = EBPF_ARRAY(g, uint32_t, g->plan->nclauses);
	uint32_t n = 0;

	if (!next)
		return;
	if (g->use.fault)
		count_epids(&g->in->error, next);
	for (uint32_t i = 0; i < g->in->npoints; i++) {
		const struct ebpf_point *p = &g->in->points[i];
		for (uint32_t k = 0; k < p->nprobes; k++)
			count_epids(&p->probes[k], next);
	}
	for (uint32_t c = 0; c < g->plan->nclauses; c++) {
		uint32_t count = next[c];
		next[c] = n + 1;
		n += count;
	}
	g->next_epid = next;
	g->nepids = n;
	g->epids = EBPF_ARRAY(g, struct plan_epid, n);
}

uint32_t
ebpf_new_epid(struct ebpf *g, uint32_t probe, uint32_t clause)
{
	uint32_t n = g->next_epid[clause]++;

	assert(n && n <= g->nepids);					/* 3 */
	assert(clause + 1 == g->plan->nclauses ||
	       n < g->next_epid[clause + 1]);				/* 3 */
	g->epids[n - 1] = (struct plan_epid){ probe, clause };
	return n;
}

/* Those of a clause are next to one another. */
static void
new_epids(struct ebpf *g, const struct ebpf_point *p, struct set *s,
	  const uint32_t *members)
{
	const struct plan_probe *like = s->like;
	uint32_t *epids = EBPF_ARRAY(g, uint32_t, like->nclauses);

	if (!epids)
		return;
	for (uint32_t c = 0; c < like->nclauses; c++)
		for (uint32_t i = 0; i < s->n; i++) {
			uint32_t n = ebpf_new_epid(g, p->probes[members[i]].id,
						   like->clauses[c]);
			if (!i)
				epids[c] = n;
		}
	s->epids = epids;
}

/* Find the set of each probe, by its list of clauses, which may be empty; false
 * without memory. */
static bool
sort_to_sets(struct ebpf *g, const struct ebpf_point *p, struct sets *s)
{
	struct hash found = { 0 };	/* clauses -> index in s->v + 1 */
	void **at = NULL;
	uint32_t i = 0;

	for (; i < p->nprobes; i++) {
		const struct plan_probe *probe = &p->probes[i];
		at = hash_ref(&found, probe->clauses,
			      probe->nclauses * sizeof(*probe->clauses));
		if (!at)
			break;
		if (!*at) {
			s->v[s->n++].like = probe;
			*at = (void *)(uintptr_t)s->n;
		}
		s->of[i] = (uint32_t)(uintptr_t)*at - 1;
		s->v[s->of[i]].n++;
	}
	hash_fini(&found);
	assert(s->n < UINT16_MAX && s->n <= p->nprobes);		/* 1 */
	if (i < p->nprobes)
		ebpf_fail(g, &err_nomem);
	return i == p->nprobes;
}

/* All clauses of a point that is found by cookie, as one set. */
static bool
cookie_set(struct ebpf *g, struct prog *pr)
{
	const struct ebpf_point *p = pr->p;
	struct plan_probe *like = EBPF_NEW(g, struct plan_probe);
	uint32_t *epids = EBPF_ARRAY(g, uint32_t, p->nclauses + 1);

	pr->sets = (struct sets){ EBPF_NEW(g, struct set), 1, NULL };
	if (!like || !epids || !pr->sets.v)
		return false;
	assert(!p->nprobes);
	if (p->nclauses > ABI_ROW_CLAUSES)
		ebpf_limit(g, 0, "%u clauses are for probes that may come while "
			   "tracing (%s), and there can be %d: join some of "
			   "them", p->nclauses, p->point->target,
			   ABI_ROW_CLAUSES);
	like->clauses = p->clauses;
	like->nclauses = p->nclauses;
	for (uint32_t i = 0; i < p->nclauses; i++)
		epids[i] = i;
	*pr->sets.v = (struct set){ .like = like, .n = 1, .epids = epids };
	return !g->err;
}

/* of[i] is the set of probe i. */
bool
ebpf_sets(struct ebpf *g, struct prog *pr)
{
	const struct ebpf_point *p = pr->p;
	struct sets *s = &pr->sets;

	if (p->point->find == ABI_FIND_COOKIE)
		return cookie_set(g, pr);
	/* Indices of probes by set, and where the next of each set goes. */
	uint32_t *members = EBPF_ARRAY(g, uint32_t, p->nprobes);
	uint32_t *next = EBPF_ARRAY(g, uint32_t, p->nprobes);
	uint32_t n = 0;

	s->v = EBPF_ARRAY(g, struct set, p->nprobes);
	s->of = EBPF_ARRAY(g, uint32_t, p->nprobes);
	if (!members || !next || !s->v || !s->of || !sort_to_sets(g, p, s))
		return false;
	for (uint32_t k = 0; k < s->n; k++) {
		next[k] = n;
		n += s->v[k].n;
	}
	assert(n == p->nprobes);					/* 1 */
	for (uint32_t i = 0; i < p->nprobes; i++)
		members[next[s->of[i]]++] = i;
	for (uint32_t k = 0; k < s->n && !g->err; k++)
		new_epids(g, p, &s->v[k], members + next[k] - s->v[k].n);
	return !g->err;
}

static struct row
row_of(const struct prog *pr, uint32_t i, uint32_t pno, uint32_t index)
{
	uint16_t set = (uint16_t)(pr->sets.of[i] + 1);

	return (struct row){ pr->p->probes[i].id, pno, set, set, index };
}

/* The numbers of native calls come first, those of 32-bit calls `compat` rows
 * further on: let the first know of the second. */
static void
mark_twins(struct row *rows, uint32_t compat)
{
	for (uint32_t i = 0; i < compat; i++)
		rows[i].any |= rows[compat + i].any;
}

static uint32_t
nrows(const struct abi_point *pt)
{
	if (pt->find != ABI_FIND_TABLE)
		return 1;
	return BASE_MAX(pt->nindex, 2 * pt->compat);
}

/* The rows of this point, in .rodata.tab; the byte offset of the first. */
uint32_t
ebpf_rows(struct ebpf *g, const struct prog *pr)
{
	const struct ebpf_point *p = pr->p;
	enum { WORDS = sizeof(struct row) / 4 };

	if (p->point->find == ABI_FIND_COOKIE)
		return 0;
	uint32_t n = nrows(p->point), pno = g->first_pno[p - g->in->points];
	uint32_t *seen = EBPF_ARRAY(g, uint32_t, pr->sets.n);
	size_t at = g->table.n;

	if (!seen || !vec_reserve(&g->table, (size_t)n * WORDS)) {
		ebpf_fail(g, &err_nomem);
		return 0;
	}
	assert(p->point->find != ABI_FIND_TABLE ||
	       2 * p->point->compat <= n);				/* 2 */
	assert(pno + p->nprobes <= g->nprobes);
	memset(g->table.v + at, 0, n * sizeof(struct row));
	g->table.n += (size_t)n * WORDS;
	struct row *rows = (struct row *)(g->table.v + at);
	for (uint32_t i = 0; i < p->nprobes; i++) {
		const struct plan_probe *probe = &p->probes[i];
		struct row r = row_of(pr, i, pno + i,
				      seen[pr->sets.of[i]]++);
		if (p->point->find == ABI_FIND_ONE)
			rows[0] = r;
		for (uint32_t k = 0; k < probe->nkeys; k++)
			if (p->point->find == ABI_FIND_TABLE &&
			    probe->keys[k] < n)
				rows[probe->keys[k]] = r;
	}
	if (p->point->find == ABI_FIND_TABLE)
		mark_twins(rows, p->point->compat);
	return (uint32_t)(at * 4);
}

/* A 32-bit call's row instead, when this is one. */
static void
compat(struct ebpf_out *o, const struct prog *pr)
{
	int native = ebpf_label(o);

	if (!ebpf_knows_compat(o->g, pr))
		return;
	/* A pointer that the verifier knows: a plain load, no probe read. */
	ebpf_helper(o, BPF_FUNC_get_current_task_btf);
	if (pr->use.task)
		ebpf_store(o, 8, BPF_REG_10, CF_TASK, BPF_REG_0);
	ebpf_load(o, 4, BPF_REG_0, BPF_REG_0,
		  (int32_t)o->g->in->kernel.off[ABI_KOFF_TASK_STATUS]);
	ebpf_alu_imm(o, BPF_AND, BPF_REG_0, 2);		/* TS_COMPAT */
	if (ebpf_has_compat_args(o->g, pr))
		ebpf_store(o, 4, BPF_REG_10, ebpf_compat_slot(pr), BPF_REG_0);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, native);
	ebpf_alu_imm(o, BPF_ADD, R_ROW, (int32_t)(pr->p->point->compat *
						  sizeof(struct row)));
	ebpf_place(o, native);
}

/* A perf event of a process is of its memory, which a child has, too, between vfork()
 * and execve(): then both of them hit the places of both.  A link of many tells them
 * apart; but of a process whose first thread has ended it is one of all processes. */
static void
only_process(struct ebpf_out *o, const struct prog *pr)
{
	enum abi_attach a = pr->p->point->attach;
	int any = ebpf_label(o);

	if (a != ABI_ATTACH_UPROBE && a != ABI_ATTACH_URETPROBE &&
	    a != ABI_ATTACH_UPROBE_MULTI && a != ABI_ATTACH_URETPROBE_MULTI)
		return;
	ebpf_load(o, 4, BPF_REG_1, R_ROW, offsetof(struct abi_row, pid));
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_1, 0, any);
	ebpf_helper(o, BPF_FUNC_get_current_pid_tgid);
	ebpf_alu_imm(o, BPF_RSH, BPF_REG_0, 32);
	ebpf_load(o, 4, BPF_REG_1, R_ROW, offsetof(struct abi_row, pid));
	ebpf_jmp_reg(o, BPF_JNE, BPF_REG_0, BPF_REG_1, pr->out);
	ebpf_place(o, any);
}

/* r9 <- the element of dt_rows. */
static void
find_cookie(struct ebpf_out *o, const struct prog *pr)
{
	static const struct ebpf_mapdef def = {
		.type = BPF_MAP_TYPE_ARRAY, .key_size = 4,
		.value_size = sizeof(struct abi_row), .max_entries = 1,
		.map_flags = BPF_F_MMAPABLE,
	};

	ebpf_mov(o, BPF_REG_1, R_CTX);
	ebpf_helper(o, BPF_FUNC_get_attach_cookie);
	ebpf_store(o, 4, BPF_REG_10, TMP, BPF_REG_0);
	ebpf_map(o, BPF_REG_1, ebpf_map_sym(o->g, "dt_rows", &def));
	ebpf_lea(o, BPF_REG_2, BPF_REG_10, TMP);
	ebpf_helper(o, BPF_FUNC_map_lookup_elem);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, pr->out);
	ebpf_mov(o, R_ROW, BPF_REG_0);
	ebpf_load(o, 4, BPF_REG_0, R_ROW, offsetof(struct abi_row, epid));
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, pr->out);
	only_process(o, pr);
}

void
ebpf_find_row(struct ebpf_out *o, const struct prog *pr, uint32_t rows)
{
	const struct abi_point *pt = pr->p->point;

	if (pt->find == ABI_FIND_COOKIE) {
		find_cookie(o, pr);
		return;
	}

	if (pt->find == ABI_FIND_ONE) {
		ebpf_data(o, R_ROW, SEC_TABLE, rows);
		return;
	}
	ebpf_arg(o, pr, &pt->index, R_ROW);
	ebpf_jmp_imm(o, BPF_JGE, R_ROW,
		     (int32_t)(pt->compat ? pt->compat : pt->nindex), pr->out);
	ebpf_alu_imm(o, BPF_LSH, R_ROW, 4);
	_Static_assert(sizeof(struct row) == 16, "the shift");
	ebpf_data(o, BPF_REG_0, SEC_TABLE, rows);
	ebpf_alu(o, BPF_ADD, BPF_REG_0, R_ROW);
	ebpf_mov(o, R_ROW, BPF_REG_0);
	ebpf_load(o, 2, BPF_REG_0, R_ROW, offsetof(struct row, any));
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, pr->out);
	if (!pt->compat)
		return;
	compat(o, pr);
	ebpf_load(o, 2, BPF_REG_0, R_ROW, offsetof(struct row, set));
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, pr->out);
}

/* r1 holds the set's number, from 1: halve until one is left. */
static void
choose(struct ebpf_out *o, const struct sets *s, uint32_t from, uint32_t to)
{
	assert(from < to && to <= s->n);				/* 1 */
	if (to - from == 1) {
		ebpf_jmp(o, s->v[from].label);
		return;
	}
	uint32_t mid = from + (to - from) / 2;
	int upper = ebpf_label(o);
	ebpf_jmp_imm(o, BPF_JGT, BPF_REG_1, (int32_t)mid, upper);
	choose(o, s, from, mid);
	ebpf_place(o, upper);
	choose(o, s, mid, to);
}

void
ebpf_choose_set(struct ebpf_out *o, const struct prog *pr)
{
	if (!pr->sets.n)
		return;
	if (pr->p->point->find == ABI_FIND_COOKIE) {
		ebpf_jmp(o, pr->sets.v[0].label);
		return;
	}
	ebpf_load(o, 2, BPF_REG_1, R_ROW, offsetof(struct row, set));
	choose(o, &pr->sets, 0, pr->sets.n);
}
