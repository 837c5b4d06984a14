/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The programs: one per point.  A program
 *
 *	1. leaves when tracing has stopped;
 *	2. finds out which probe fired (a table, by the point's index) and
 *	   leaves when it is none of ours: that is the path that must be cheap;
 *	3. claims a scratch slot when some clause of the program needs one;
 *	4. fetches time and arguments, as far as clauses use them;
 *	5. calls the clauses of the probe's set in order, and after each one
 *	   that faulted, dt_fault.
 *
 * Probes with the same list of clauses form a set.  EPIDs are handed out set
 * by set, so that a clause's EPID is a constant of the set plus the probe's
 * index within it.
 *
 * Registers: r6 context, r7 slot, r8 CPU and passing things, r9 probe row.
 */
#include <stdio.h>
#include <string.h>

#include "ebpf/ebpf_priv.h"

enum { R_CTX = 6, R_CPU = 8, R_ROW = 9 };
/* The firing's state at the bottom of the frame; above it a temporary, and
 * whether this is a 32-bit call. */
enum { FRAME = -FS_SIZE - 16, TMP = -8, COMPAT = -12 };

/* A probe's row in the table. */
struct row { uint32_t probe, pno, set, index; };

struct set {
	const struct ebpf_probe *like;	/* any of its probes */
	uint32_t n;			/* probes so far */
	uint32_t epid;			/* of the first clause, index 0 */
	int label;
};

struct sets { struct set *v; uint32_t n; uint32_t *of; };

static bool
same_clauses(const struct ebpf_probe *a, const struct ebpf_probe *b)
{
	return a->nclauses == b->nclauses &&
	       !memcmp(a->clauses, b->clauses, a->nclauses * sizeof(uint32_t));
}

static uint32_t
new_epids(struct ebpf *g, const struct ebpf_point *p, const struct sets *s,
	  uint32_t set)
{
	const struct ebpf_probe *like = s->v[set].like;
	uint32_t first = (uint32_t)g->epids.n + 1;

	for (uint32_t c = 0; c < like->nclauses; c++)
		for (uint32_t i = 0; i < p->nprobes; i++) {
			struct ebpf_epid e = { p->probes[i].id,
					       like->clauses[c] };
			if (s->of[i] == set && !vec_push(&g->epids, e))
				ebpf_fail(g, &err_nomem);
		}
	return first;
}

/* of[i] is the set of probe i. */
static bool
find_sets(struct ebpf *g, const struct ebpf_point *p, struct sets *s)
{
	s->v = ARENA_ARRAY(g->a, struct set, p->nprobes);
	s->of = ARENA_ARRAY(g->a, uint32_t, p->nprobes);
	if (!s->v || !s->of) {
		ebpf_fail(g, &err_nomem);
		return false;
	}
	for (uint32_t i = 0; i < p->nprobes; i++) {
		uint32_t k = 0;
		/* Most often it is the set found last. */
		if (s->n && same_clauses(s->v[s->n - 1].like, &p->probes[i]))
			k = s->n - 1;
		while (k < s->n && !same_clauses(s->v[k].like, &p->probes[i]))
			k++;
		if (k == s->n)
			s->v[s->n++].like = &p->probes[i];
		s->of[i] = k;
		s->v[k].n++;
	}
	for (uint32_t k = 0; k < s->n; k++) {
		s->v[k].epid = new_epids(g, p, s, k);
		s->v[k].label = ebpf_label(g);
	}
	return true;
}

/* --- 2: which probe ----------------------------------------------------------- */

/* dst <- an argument's value; r1..r5 die. */
static void
arg(struct ebpf *g, const struct abi_arg *a, uint8_t dst)
{
	int done = ebpf_label(g), other = ebpf_label(g);

	switch (a->kind) {
	case ABI_ARG_CTX:
		ebpf_load(g, 8, dst, R_CTX, a->off);
		break;
	case ABI_ARG_PTR:
		ebpf_store_imm(g, 8, BPF_REG_10, TMP, 0);
		ebpf_load(g, 8, BPF_REG_3, R_CTX, a->base);
		ebpf_alu_imm(g, BPF_ADD, BPF_REG_3, a->off);
		ebpf_lea(g, BPF_REG_1, BPF_REG_10, TMP);
		ebpf_imm(g, BPF_REG_2, a->size);
		ebpf_helper(g, BPF_FUNC_probe_read_kernel);
		ebpf_load(g, 8, dst, BPF_REG_10, TMP);
		if (a->is_signed)
			ebpf_sext(g, dst, a->size);
		break;
	case ABI_ARG_CONST:
		ebpf_imm(g, dst, (uint64_t)(int64_t)a->off);
		break;
	case ABI_ARG_KPC:
	case ABI_ARG_UPC:	/* bpf_perf_event_data: regs.cs, regs.ip */
		ebpf_load(g, 8, BPF_REG_1, R_CTX, 136);
		ebpf_alu_imm(g, BPF_AND, BPF_REG_1, 3);
		ebpf_jmp_imm(g, a->kind == ABI_ARG_KPC ? BPF_JEQ : BPF_JNE,
			     BPF_REG_1, 0, other);
		ebpf_imm(g, dst, 0);
		ebpf_jmp(g, done);
		ebpf_place(g, other);
		ebpf_load(g, 8, dst, R_CTX, 128);
		ebpf_place(g, done);
		break;
	default:
		ebpf_imm(g, dst, 0);
		break;
	}
}

static bool
knows_compat(const struct ebpf *g, const struct abi_point *pt)
{
	return pt->compat &&
	       g->in->kernel.off[ABI_KOFF_TASK_STATUS] != UINT32_MAX;
}

/* Do 32-bit calls have arguments that are wanted elsewhere? */
static bool
has_compat_args(const struct ebpf *g, const struct abi_point *pt)
{
	return g->used_args && knows_compat(g, pt) &&
	       pt->compat_args[0].kind != ABI_ARG_NONE;
}

/* 32-bit calls stand `compat` rows further on. */
static void
compat(struct ebpf *g, const struct ebpf_point *p)
{
	uint32_t status = g->in->kernel.off[ABI_KOFF_TASK_STATUS];
	int native = ebpf_label(g);

	if (!knows_compat(g, p->point))
		return;
	/* A pointer that the verifier knows: a plain load, no probe read. */
	ebpf_helper(g, BPF_FUNC_get_current_task_btf);
	ebpf_load(g, 4, BPF_REG_0, BPF_REG_0, (int32_t)status);
	ebpf_alu_imm(g, BPF_AND, BPF_REG_0, 2);		/* TS_COMPAT */
	if (has_compat_args(g, p->point))
		ebpf_store(g, 4, BPF_REG_10, COMPAT, BPF_REG_0);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, native);
	ebpf_alu_imm(g, BPF_ADD, R_ROW, (int32_t)p->point->compat);
	ebpf_place(g, native);
}

/* The rows of this point, in .rodata.tab; the byte offset of the first. */
static uint32_t
write_table(struct ebpf *g, const struct ebpf_point *p, const struct sets *s,
	    uint32_t first_pno)
{
	uint32_t n = p->point->find == ABI_FIND_TABLE ? p->point->nindex : 1;
	size_t at = g->table.n;

	if (!vec_reserve(&g->table, (size_t)n * 4)) {
		ebpf_fail(g, &err_nomem);
		return 0;
	}
	memset(g->table.v + at, 0, (size_t)n * 16);
	g->table.n += (size_t)n * 4;
	struct row *rows = (struct row *)(g->table.v + at);
	uint32_t *seen = ARENA_ARRAY(g->a, uint32_t, s->n);
	for (uint32_t i = 0; seen && i < p->nprobes; i++) {
		const struct ebpf_probe *pr = &p->probes[i];
		struct row r = { pr->id, first_pno + i, s->of[i] + 1,
				 seen[s->of[i]]++ };
		if (p->point->find == ABI_FIND_ONE)
			rows[0] = r;
		for (uint32_t k = 0; k < pr->nkeys; k++)
			if (p->point->find == ABI_FIND_TABLE &&
			    pr->keys[k] < n)
				rows[pr->keys[k]] = r;
	}
	return (uint32_t)(at * 4);
}

/* r9 <- pointer to the row; leaves when there is none. */
static void
find_row(struct ebpf *g, const struct ebpf_point *p, uint32_t table, int out)
{
	if (p->point->find == ABI_FIND_ONE) {
		ebpf_data(g, R_ROW, SEC_TABLE, table);
		return;
	}
	arg(g, &p->point->index, R_ROW);
	if (p->point->compat) {
		uint32_t plain = p->point->compat;
		ebpf_jmp_imm(g, BPF_JGE, R_ROW, (int32_t)plain, out);
		compat(g, p);
	}
	ebpf_jmp_imm(g, BPF_JGE, R_ROW, (int32_t)p->point->nindex, out);
	ebpf_alu_imm(g, BPF_LSH, R_ROW, 4);
	ebpf_data(g, BPF_REG_0, SEC_TABLE, table);
	ebpf_alu(g, BPF_ADD, BPF_REG_0, R_ROW);
	ebpf_mov(g, R_ROW, BPF_REG_0);
	ebpf_load(g, 4, BPF_REG_0, R_ROW, offsetof(struct row, set));
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, out);
}

/* --- 3: the slot ------------------------------------------------------------------ */

static void
rtmap(struct ebpf *g, uint8_t dst)
{
	struct ebpf_mapdef def = {
		.type = BPF_MAP_TYPE_ARRAY, .key_size = 4,
		.value_size = 65536, .max_entries = 4,
	};

	ebpf_map(g, dst, ebpf_rtmap_sym(g, "dt_slots", &def));
}

/* r7 <- the slot, busy for us. */
static void
claim(struct ebpf *g, int out)
{
	int have = ebpf_label(g);

	for (int i = 0; i < ABI_NSLOTS; i++) {
		ebpf_mov(g, BPF_REG_0, R_CPU);
		ebpf_alu_imm(g, BPF_MUL, BPF_REG_0, ABI_NSLOTS);
		ebpf_alu_imm(g, BPF_ADD, BPF_REG_0, i);
		ebpf_store(g, 4, BPF_REG_10, FRAME + FS_SLOT, BPF_REG_0);
		rtmap(g, BPF_REG_1);
		ebpf_lea(g, BPF_REG_2, BPF_REG_10, FRAME + FS_SLOT);
		ebpf_helper(g, BPF_FUNC_map_lookup_elem);
		ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, out);
		ebpf_mov(g, R_SLOT, BPF_REG_0);
		ebpf_imm(g, BPF_REG_1, 1);
		ebpf_emit(g, BPF_STX | BPF_ATOMIC | BPF_W, R_SLOT, BPF_REG_1,
			  0, BPF_XCHG);
		ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_1, 0, have);
	}
	ebpf_imm(g, BPF_REG_1, ABI_DROP_FIRING);
	ebpf_mov(g, BPF_REG_2, R_CPU);
	ebpf_rt(g, "rt_drop", 2);
	ebpf_jmp(g, out);
	ebpf_place(g, have);
	ebpf_store(g, 8, R_SLOT, offsetof(struct abi_slot, self), R_SLOT);
	ebpf_store_imm(g, 4, R_SLOT, offsetof(struct abi_slot, fault), 0);
	/* Clause-locals start as zero. */
	for (uint32_t off = 0; off < g->lay.locals_size; off += 8)
		ebpf_store_imm(g, 8, R_SLOT, (int32_t)(g->lay.locals + off),
			       0);
}

static void
release(struct ebpf *g)
{
	ebpf_store_imm(g, 4, R_SLOT, offsetof(struct abi_slot, busy), 0);
}

/* --- 4: time and arguments ------------------------------------------------------------ */

/* An errno in r0: -4095..-1 becomes v. */
static void
error_to(struct ebpf *g, int is_error)
{
	ebpf_imm(g, BPF_REG_1, (uint64_t)-4095);
	ebpf_jmp_reg(g, BPF_JGE, BPF_REG_0, BPF_REG_1, is_error);
}

static void
fetch_errno(struct ebpf *g, const struct abi_point *pt)
{
	int is_error = ebpf_label(g), done = ebpf_label(g);

	arg(g, &pt->errno_arg, BPF_REG_0);
	if (pt->errno_arg.kind != ABI_ARG_NONE) {
		error_to(g, is_error);
		ebpf_imm(g, BPF_REG_0, 0);
		ebpf_jmp(g, done);
		ebpf_place(g, is_error);
		ebpf_emit(g, BPF_ALU64 | BPF_NEG, BPF_REG_0, 0, 0, 0);
		ebpf_place(g, done);
	}
	ebpf_store(g, 8, BPF_REG_10, FRAME + FS_ERRNO, BPF_REG_0);
}

static void
fetch_arg(struct ebpf *g, const struct abi_point *pt, const struct abi_arg *a,
	  unsigned n)
{
	arg(g, a, BPF_REG_0);
	/* A failed call returns -1, as in D elsewhere; errno tells why. */
	if (pt->errno_arg.kind != ABI_ARG_NONE && a->kind != ABI_ARG_NONE) {
		int is_error = ebpf_label(g), done = ebpf_label(g);
		error_to(g, is_error);
		ebpf_jmp(g, done);
		ebpf_place(g, is_error);
		ebpf_imm(g, BPF_REG_0, (uint64_t)-1);
		ebpf_place(g, done);
	}
	ebpf_store(g, 8, BPF_REG_10, FRAME + FS_ARGS + 8 * (int)n, BPF_REG_0);
}

static void
fetch_used(struct ebpf *g, const struct abi_point *pt,
	   const struct abi_arg *args)
{
	for (unsigned n = 0; n < ABI_NARGS; n++)
		if (g->used_args & 1u << n)
			fetch_arg(g, pt, &args[n], n);
}

static void
fetch_args(struct ebpf *g, const struct abi_point *pt)
{
	int native = ebpf_label(g), done = ebpf_label(g);

	if (has_compat_args(g, pt)) {
		ebpf_load(g, 4, BPF_REG_0, BPF_REG_10, COMPAT);
		ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, native);
		fetch_used(g, pt, pt->compat_args);
		ebpf_jmp(g, done);
		ebpf_place(g, native);
	}
	fetch_used(g, pt, pt->args);
	ebpf_place(g, done);
}

/* Its own number for the thread's variables; each CPU's idle thread, and each
 * CPU's interrupts, have their own. */
static void
fetch_thread(struct ebpf *g, const struct abi_point *pt)
{
	int own = ebpf_label(g);

	ebpf_helper(g, BPF_FUNC_get_current_pid_tgid);
	ebpf_zext(g, BPF_REG_0, 4);
	ebpf_jmp_imm(g, BPF_JNE, BPF_REG_0, 0, own);
	ebpf_lea(g, BPF_REG_0, R_CPU, 1);
	ebpf_alu_imm(g, BPF_LSH, BPF_REG_0, 32);
	ebpf_place(g, own);
	if (pt->attach == ABI_ATTACH_PERF) {
		ebpf_imm(g, BPF_REG_1, 1ULL << 63);
		ebpf_alu(g, BPF_OR, BPF_REG_0, BPF_REG_1);
	}
	ebpf_store(g, 8, BPF_REG_10, FRAME + FS_THREAD, BPF_REG_0);
}

static void
fetch(struct ebpf *g, const struct ebpf_point *p)
{
	static const struct { uint8_t row, fs; } copy[] = {
		{ offsetof(struct row, probe), FS_PROBE },
		{ offsetof(struct row, pno), FS_PNO },
		{ offsetof(struct row, index), FS_INDEX },
	};

	for (size_t i = 0; i < BASE_NELEMS(copy); i++) {
		ebpf_load(g, 4, BPF_REG_0, R_ROW, copy[i].row);
		ebpf_store(g, 4, BPF_REG_10, FRAME + copy[i].fs, BPF_REG_0);
	}
	ebpf_store(g, 4, BPF_REG_10, FRAME + FS_CPU, R_CPU);
	if (g->need_gen) {
		ebpf_ctl(g, BPF_REG_1);
		ebpf_load(g, 4, BPF_REG_0, BPF_REG_1,
			  offsetof(struct abi_ctl, gen));
		ebpf_store(g, 4, BPF_REG_10, FRAME + FS_GEN, BPF_REG_0);
	}
	if (g->need_time || g->can_fault) {
		ebpf_helper(g, BPF_FUNC_ktime_get_ns);
		ebpf_store(g, 8, BPF_REG_10, FRAME + FS_TIME, BPF_REG_0);
	}
	if (g->need_vtime) {
		ebpf_mov(g, BPF_REG_1, BPF_REG_0);
		ebpf_rt(g, "rt_vtime", 1);
		ebpf_store(g, 8, BPF_REG_10, FRAME + FS_VTIME, BPF_REG_0);
	}
	if (g->need_thread)
		fetch_thread(g, p->point);
	if (g->need_errno)
		fetch_errno(g, p->point);
	fetch_args(g, p->point);
}

/* --- 5: clauses -------------------------------------------------------------------------- */

/* Call a clause with the firing at r10 + FRAME. */
static void
call_clause(struct ebpf *g, uint32_t sym, int no_fault)
{
	ebpf_mov(g, BPF_REG_1, R_CTX);
	ebpf_lea(g, BPF_REG_2, BPF_REG_10, FRAME);
	if (g->need_slot)
		ebpf_mov(g, BPF_REG_3, R_SLOT);
	else
		ebpf_imm(g, BPF_REG_3, 0);
	ebpf_call(g, sym);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, no_fault);
}

static void
run_set(struct ebpf *g, const struct set *s, const uint32_t *clauses,
	uint32_t error_sym, int end)
{
	ebpf_place(g, s->label);
	for (uint32_t c = 0; c < s->like->nclauses; c++) {
		int next = ebpf_label(g);
		ebpf_load(g, 4, BPF_REG_0, BPF_REG_10, FRAME + FS_INDEX);
		ebpf_alu_imm(g, BPF_ADD, BPF_REG_0,
			     (int32_t)(s->epid + c * s->n));
		ebpf_store(g, 4, BPF_REG_10, FRAME + FS_EPID, BPF_REG_0);
		call_clause(g, clauses[s->like->clauses[c]], next);
		if (g->can_fault) {
			ebpf_mov(g, BPF_REG_1, R_CTX);
			ebpf_lea(g, BPF_REG_2, BPF_REG_10, FRAME);
			if (g->need_slot)
				ebpf_mov(g, BPF_REG_3, R_SLOT);
			else
				ebpf_imm(g, BPF_REG_3, 0);
			ebpf_call(g, error_sym);
			if (g->need_slot)
				ebpf_store_imm(g, 4, R_SLOT,
					offsetof(struct abi_slot, fault), 0);
		}
		ebpf_place(g, next);
	}
	ebpf_jmp(g, end);
}

/* r1 holds the set's number, from 1: halve until one is left. */
static void
choose_set(struct ebpf *g, const struct sets *s, uint32_t from, uint32_t to)
{
	if (to - from == 1) {
		ebpf_jmp(g, s->v[from].label);
		return;
	}
	uint32_t mid = from + (to - from) / 2;
	int upper = ebpf_label(g);
	ebpf_jmp_imm(g, BPF_JGT, BPF_REG_1, (int32_t)mid, upper);
	choose_set(g, s, from, mid);
	ebpf_place(g, upper);
	choose_set(g, s, mid, to);
}

static void
run_clauses(struct ebpf *g, const struct sets *s, const uint32_t *clauses,
	    uint32_t error_sym, int end)
{
	ebpf_load(g, 4, BPF_REG_1, R_ROW, offsetof(struct row, set));
	if (s->n)
		choose_set(g, s, 0, s->n);
	for (uint32_t k = 0; k < s->n; k++)
		run_set(g, &s->v[k], clauses, error_sym, end);
}

static void
check_state(struct ebpf *g, int out)
{
	ebpf_ctl(g, BPF_REG_1);
	ebpf_load(g, 4, BPF_REG_0, BPF_REG_1, offsetof(struct abi_ctl, state));
	ebpf_jmp_imm(g, BPF_JNE, BPF_REG_0, ABI_STATE_ACTIVE, out);
}

/* The kernel takes 256 functions in a program; the runtime's and ours for
 * records and faults are among them. */
enum { MAX_CLAUSES = 200 };

static void
check_clauses(struct ebpf *g, const struct ebpf_point *p)
{
	bool *used = ARENA_ARRAY(g->a, bool, g->plan->nclauses);
	uint32_t n = g->in->error.nclauses;

	for (uint32_t i = 0; used && i < p->nprobes; i++)
		for (uint32_t c = 0; c < p->probes[i].nclauses; c++) {
			uint32_t k = p->probes[i].clauses[c];
			n += !used[k];
			used[k] = true;
		}
	if (n > MAX_CLAUSES)
		ebpf_fail(g, err_new(ERR_LIMIT, 0,
			"%u clauses share one way of attaching (%s), and %u "
			"can: join some of them", n, p->point->target,
			MAX_CLAUSES));
}

void
ebpf_point(struct ebpf *g, const struct ebpf_point *p, uint32_t index,
	   const uint32_t *clauses, uint32_t error_sym, const char **name)
{
	struct sets s = { 0 };
	char *fn = arena_printf(g->a, "dt_%u_%s", index, p->point->target);
	uint32_t first_pno = 0;

	if (!fn) {
		ebpf_fail(g, &err_nomem);
		return;
	}
	*name = fn;
	while (first_pno < g->nprobes && g->probes[first_pno] != p->probes)
		first_pno++;
	uint32_t sym = ebpf_func_begin(g, p->point->attach == ABI_ATTACH_PERF
					  ? SEC_PERF : SEC_RAWTP, fn, 1);
	int out = ebpf_label(g), end = ebpf_label(g);
	check_clauses(g, p);
	if (!find_sets(g, p, &s))
		return;
	uint32_t table = write_table(g, p, &s, first_pno);
	ebpf_mov(g, R_CTX, BPF_REG_1);
	if (!p->always)
		check_state(g, out);
	find_row(g, p, table, out);
	ebpf_helper(g, BPF_FUNC_get_smp_processor_id);
	ebpf_mov(g, R_CPU, BPF_REG_0);
	if (!p->always && g->in->only_cpu)
		ebpf_jmp_imm(g, BPF_JNE, R_CPU,
			     (int32_t)g->in->only_cpu - 1, out);
	if (g->need_slot)
		claim(g, out);
	fetch(g, p);
	run_clauses(g, &s, clauses, error_sym, end);
	ebpf_place(g, end);
	if (g->need_slot)
		release(g);
	ebpf_place(g, out);
	ebpf_imm(g, BPF_REG_0, 0);
	ebpf_emit(g, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	ebpf_func_end(g, sym);
}

/* --- Faults ------------------------------------------------------------------------------------ */

/* Tell the consumer. */
static void
tell(struct ebpf *g)
{
	ebpf_load(g, 4, BPF_REG_2, R_FS, FS_CPU);
	ebpf_alu_imm(g, BPF_LSH, BPF_REG_2, 32);
	ebpf_load(g, 4, BPF_REG_0, R_FS, FS_EPID);
	ebpf_alu(g, BPF_OR, BPF_REG_2, BPF_REG_0);
	ebpf_load(g, 8, BPF_REG_1, R_FS, FS_TIME);
	ebpf_load(g, 8, BPF_REG_3, R_FS, FS_FWHERE);
	ebpf_load(g, 4, BPF_REG_4, R_FS, FS_FAULT);
	ebpf_load(g, 8, BPF_REG_5, R_FS, FS_FVALUE);
	ebpf_call(g, ebpf_sym(g, "dt_error", SYM_GFUNC));
}

/* What ERROR's clauses see instead of the firing's own: arg1..arg5, the probe
 * and its EPID.  The originals wait in the slot. */
static void
swap_in(struct ebpf *g, uint32_t pno)
{
	int32_t saved = offsetof(struct abi_slot, saved);

	for (int i = 0; i < 6; i++) {
		ebpf_load(g, 8, BPF_REG_0, R_FS, FS_ARGS + 8 * i);
		ebpf_store(g, 8, R_SLOT, saved + 8 * i, BPF_REG_0);
	}
	ebpf_load(g, 8, BPF_REG_0, R_FS, FS_PROBE);	/* with the EPID */
	ebpf_store(g, 8, R_SLOT, saved + 48, BPF_REG_0);
	ebpf_load(g, 4, BPF_REG_0, R_FS, FS_PNO);
	ebpf_store(g, 8, R_SLOT, saved + 56, BPF_REG_0);

	ebpf_load(g, 4, BPF_REG_0, R_FS, FS_EPID);
	ebpf_store(g, 8, R_FS, FS_ARGS + 8, BPF_REG_0);
	ebpf_load(g, 8, BPF_REG_0, R_FS, FS_FWHERE);
	ebpf_mov(g, BPF_REG_1, BPF_REG_0);
	ebpf_alu_imm(g, BPF_RSH, BPF_REG_0, 32);
	ebpf_store(g, 8, R_FS, FS_ARGS + 16, BPF_REG_0);
	ebpf_sext(g, BPF_REG_1, 4);
	ebpf_store(g, 8, R_FS, FS_ARGS + 24, BPF_REG_1);
	ebpf_load(g, 4, BPF_REG_0, R_FS, FS_FAULT);
	ebpf_store(g, 8, R_FS, FS_ARGS + 32, BPF_REG_0);
	ebpf_load(g, 8, BPF_REG_0, R_FS, FS_FVALUE);
	ebpf_store(g, 8, R_FS, FS_ARGS + 40, BPF_REG_0);
	ebpf_store_imm(g, 8, R_FS, FS_ARGS, 0);
	ebpf_store_imm(g, 4, R_FS, FS_PROBE, (int32_t)g->in->error.id);
	ebpf_store_imm(g, 4, R_FS, FS_PNO, (int32_t)pno);
}

static void
swap_out(struct ebpf *g)
{
	int32_t saved = offsetof(struct abi_slot, saved);

	for (int i = 0; i < 6; i++) {
		ebpf_load(g, 8, BPF_REG_0, R_SLOT, saved + 8 * i);
		ebpf_store(g, 8, R_FS, FS_ARGS + 8 * i, BPF_REG_0);
	}
	ebpf_load(g, 8, BPF_REG_0, R_SLOT, saved + 48);
	ebpf_store(g, 8, R_FS, FS_PROBE, BPF_REG_0);
	ebpf_load(g, 8, BPF_REG_0, R_SLOT, saved + 56);
	ebpf_store(g, 4, R_FS, FS_PNO, BPF_REG_0);
}

static void
run_error(struct ebpf *g, const uint32_t *clauses)
{
	const struct ebpf_probe *e = &g->in->error;
	int32_t fault = offsetof(struct abi_slot, fault);

	swap_in(g, g->nprobes - 1);
	for (uint32_t c = 0; c < e->nclauses; c++) {
		int fine = ebpf_label(g);
		struct ebpf_epid id = { e->id, e->clauses[c] };
		if (!vec_push(&g->epids, id))
			ebpf_fail(g, &err_nomem);
		ebpf_store_imm(g, 4, R_SLOT, fault, 0);
		ebpf_store_imm(g, 4, R_FS, FS_EPID, (int32_t)g->epids.n);
		ebpf_load(g, 8, BPF_REG_1, BPF_REG_10, -8);
		ebpf_mov(g, BPF_REG_2, R_FS);
		ebpf_mov(g, BPF_REG_3, R_SLOT);
		ebpf_call(g, clauses[e->clauses[c]]);
		ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, fine);
		ebpf_drop(g, ABI_DROP_DBLERROR);
		ebpf_place(g, fine);
	}
	swap_out(g);
}

/* u64 dt_fault(ctx, firing, slot): a clause of this firing faulted. */
uint32_t
ebpf_error_func(struct ebpf *g, const uint32_t *clauses)
{
	uint32_t sym = ebpf_func_begin(g, SEC_TEXT, "dt_fault", 3);

	ebpf_mov(g, R_FS, BPF_REG_2);
	ebpf_mov(g, R_SLOT, BPF_REG_3);
	ebpf_store(g, 8, BPF_REG_10, -8, BPF_REG_1);
	tell(g);
	if (g->in->error.nclauses)
		run_error(g, clauses);
	ebpf_imm(g, BPF_REG_0, 0);
	ebpf_emit(g, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	ebpf_func_end(g, sym);
	return sym;
}
