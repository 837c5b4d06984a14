/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the generator decides without a kernel: EPIDs, sets, names, sizes; and
 * that lack of memory is an error at every allocation.  What the code does is
 * tests/diff's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <linux/bpf.h>

#include "abi/mapped.h"
#include "abi/row.h"
#include "abi/slot.h"
#include "base/base.h"
#include "ebpf/ebpf.h"
#include "ebpf/clause_priv.h"
#include "ebpf/object.h"
#include "util/alloc.h"

/* trace(pid) and @[execname] = sum(arg0), as gen would compile them. */
static const uint32_t ld_pid[] = { DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_PID, 1),
				   DIF_FMT_R(DIF_OP_RET, 0, 0, 1) };
static const uint32_t ld_comm[] = {
	DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_EXECNAME, 1),
	DIF_FMT_R(DIF_OP_RET, 0, 0, 1) };
static const uint32_t ld_arg0[] = { DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_ARG0, 1),
				    DIF_FMT_R(DIF_OP_RET, 0, 0, 1) };
static const uint32_t deref[] = { DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_ARG0, 1),
				  DIF_FMT_R(DIF_OP_LDX, 1, 0, 1),
				  DIF_FMT_R(DIF_OP_RET, 0, 0, 1) };

#define DIFO(t) { .text = t, .ntext = sizeof(t) / 4, .strs = "", \
		  .strs_size = 1, .rtype = { .size = 8 } }
static const struct dif_difo pid = DIFO(ld_pid), comm = DIFO(ld_comm),
			     arg0 = DIFO(ld_arg0), fault = DIFO(deref);
static const struct dif_difo *const trace_difos[] = { &pid };
static const struct dif_difo *const fault_difos[] = { &fault };
static const struct dif_difo *const agg_difos[] = { &comm, &arg0 };

static const struct abi_field pid_field[] = {
	{ ABI_FIELD_INT, 1, 0, 4, 16, 4 } };
static const struct abi_action trace_action[] = {
	{ .kind = ABI_ACT_DIFEXPR, .nfields = 1 } };
static const struct abi_field comm_key[] = {
	{ ABI_FIELD_STRING, 0, 0, 1, 0, 16 } };
static const struct abi_agg_desc aggs[] = {
	{ "", 1, ABI_AGG_SUM, 0, 1, 16, 1, comm_key },
	{ "n", 2, ABI_AGG_COUNT, 0, 0, 0, 1, NULL } };

static const struct plan_node trace_node = { .kind = PLAN_RECORD,
	.ndifos = 1, .difos = trace_difos, .action = trace_action,
	.action_no = 1 };
static const struct plan_node count_node = { .kind = PLAN_AGG,
	.agg = &aggs[1], .action_no = 2 };
static const struct plan_node agg_node = { .kind = PLAN_AGG, .ndifos = 2,
	.difos = agg_difos, .agg = &aggs[0], .has_value = true,
	.action_no = 1, .next = (struct plan_node *)&count_node };
static const struct plan_node fault_node = { .kind = PLAN_EXPR, .ndifos = 1,
	.difos = fault_difos, .action_no = 1 };

static const struct plan_clause clauses[] = {
	{ .body = &trace_node, .desc = { 24, 0, 1, 1, 0, trace_action,
					 pid_field, NULL } },
	{ .body = &agg_node },
	{ .body = &fault_node },
};
static const struct plan_prog plan = { clauses, 3, NULL, 0, aggs, 2, 256 };

static const struct abi_point table_point = {
	.attach = ABI_ATTACH_RAWTP, .find = ABI_FIND_TABLE,
	.target = "sys_enter", .index = { ABI_ARG_CTX, 8, .off = 8 },
	.nindex = 8, .args = { { ABI_ARG_CTX, 8 } } };
static const struct abi_point one_point = {
	.attach = ABI_ATTACH_PERF, .find = ABI_FIND_ONE, .target = "profile" };

static const uint32_t c0[] = { 0 }, c01[] = { 0, 1 }, c2[] = { 2 };
static const struct plan_probe probes[] = {
	{ 4, { "p", "m", "a", "entry" }, c0, 1, { 3 }, 1 },
	{ 5, { "p", "m", "b", "entry" }, c01, 2, { 4, 6 }, 2 },
	{ 6, { "p", "m", "c", "entry" }, c0, 1, { 5 }, 1 } };
static const struct plan_probe profile[] = {
	{ 9, { "profile", "", "", "profile-97" }, c2, 1 } };
static const struct ebpf_point points[] = {
	{ &table_point, probes, 3, false }, { &one_point, profile, 1, false } };
static const uint8_t cpus[] = { 1, 0, 1 };

static struct ebpf_input
input(void)
{
	struct ebpf_input in = { .plan = &plan, .points = points,
		.npoints = 2, .ncpus = 3, .ring_cpus = cpus,
		.ring_size = 4096, .scratch_size = 4096 };

	memset(&in.kernel, 0xff, sizeof(in.kernel));
	in.error = (struct plan_probe){ 3, { "dtrace", "", "", "ERROR" }, c0,
					1 };
	return in;
}

/* EPIDs go by clause; probes with the same clauses are next to one another. */
static void
test_epids(void **state)
{
	static const struct plan_epid want[] = {
		{ 3, 0 },		/* ERROR's function comes first */
		{ 4, 0 }, { 6, 0 },	/* the set of a and c */
		{ 5, 0 }, { 5, 1 },	/* b */
		{ 9, 2 } };
	struct arena *a = arena_new();
	struct ebpf_input in = input();
	struct ebpf_object *o;

	assert_null(ebpf_generate(a, &in, &o));
	assert_int_equal(o->nepids, sizeof(want) / sizeof(want[0]));
	for (uint32_t i = 0; i < o->nepids; i++) {
		assert_int_equal(o->epids[i].probe, want[i].probe);
		assert_int_equal(o->epids[i].clause, want[i].clause);
	}
	arena_free(a);
}

/* Bytes that are cleared between the call at pc and the one before. */
static unsigned
cleared_before(const struct bpf_insn *code, uint32_t pc)
{
	unsigned n = 0;

	while (pc-- && code[pc].code != (BPF_JMP | BPF_CALL))
		if (code[pc].code == (BPF_ST | BPF_MEM | BPF_DW) &&
		    !code[pc].imm)
			n += 8;
	return n;
}

/* Some kernels' helper leaves what was behind the name, which is part of a key.
 * Where the name is in a task is not known here, so the helper is asked. */
static void
test_name_cleared(void **state)
{
	struct arena *a = arena_new();
	struct ebpf_input in = input();
	struct ebpf_object *o;
	unsigned n = 0;

	assert_null(ebpf_generate(a, &in, &o));
	const struct bpf_insn *code = o->obj.code;
	for (uint32_t i = 0; i < o->obj.nfuncs; i++) {
		const struct abi_func *f = &o->obj.funcs[i];
		for (uint32_t pc = f->insn; pc < f->insn + f->ninsns; pc++) {
			if (code[pc].code != (BPF_JMP | BPF_CALL) ||
			    code[pc].src_reg ||
			    code[pc].imm != BPF_FUNC_get_current_comm)
				continue;
			assert_true(cleared_before(code, pc) >= 16);
			n++;
		}
	}
	assert_true(n > 0);
	arena_free(a);
}

/* The name of a probe that is found by its site stands in 8 bytes of the slot. */
static void
test_name_found(void **state)
{
	static const uint32_t ld_name[] = {
		DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_PROBENAME, 1),
		DIF_FMT_R(DIF_OP_RET, 0, 0, 1) };
	static const struct dif_difo name = DIFO(ld_name);
	static const struct dif_difo *const difos[] = { &name };
	static const struct plan_node node = { .kind = PLAN_EXPR, .ndifos = 1,
		.difos = difos, .action_no = 1 };
	static const struct plan_clause clause[] = { { .body = &node } };
	static const struct plan_prog names = { clause, 1, NULL, 0, NULL, 0, 256 };
	static const struct abi_point found = {
		.attach = ABI_ATTACH_UPROBE, .find = ABI_FIND_COOKIE, .target = "a" };
	struct arena *a = arena_new();
	struct ebpf_input in = input();
	struct ebpf_object *o;
	unsigned n = 0;

	in.plan = &names;
	in.points = &(struct ebpf_point){ &found, .clauses = c0, .nclauses = 1 };
	in.npoints = 1;
	in.error.nclauses = 0;
	assert_null(ebpf_generate(a, &in, &o));
	for (uint32_t i = 0; i < o->obj.nfuncs; i++)
		for (uint32_t k = 0; k < o->obj.funcs[i].ninsns; k++) {
			const struct bpf_insn *c =
				&o->obj.code[o->obj.funcs[i].insn + k];
			n += c->code == (BPF_STX | BPF_MEM | BPF_DW) &&
			     c->off == (int16_t)offsetof(struct abi_slot, conv);
		}
	assert_true(n > 0);
	arena_free(a);
}

/* Many sets in one point: probe i runs the clauses of the bits of list(i).
 * EPIDs go by clause, then by set in the order of their first probes, then by
 * probe. */
enum { MANY = 1000, MANY_CLAUSES = 9, MANY_SETS = 300 };

static uint32_t
list(uint32_t i)
{
	return i * 7 % MANY_SETS + 1;
}

static void
test_many_sets(void **state)
{
	static uint32_t lists[MANY][MANY_CLAUSES];
	static struct plan_probe many[MANY];
	struct plan_clause cls[MANY_CLAUSES];
	struct abi_point pt = table_point;
	struct ebpf_point p = { &pt, many, MANY, false };
	struct plan_prog pl = plan;
	struct ebpf_input in = input();
	struct arena *a = arena_new();
	struct ebpf_object *o;
	uint32_t n = 0;

	pt.nindex = MANY;
	pl.clauses = cls;
	pl.nclauses = MANY_CLAUSES;
	in.plan = &pl;
	in.points = &p;
	in.npoints = 1;
	in.error = (struct plan_probe){ 0 };
	for (uint32_t c = 0; c < MANY_CLAUSES; c++)
		cls[c] = (struct plan_clause){ .body = &count_node };
	for (uint32_t i = 0; i < MANY; i++) {
		many[i] = (struct plan_probe){ i + 10, { "p", "m", "f", "n" },
					       lists[i], 0, { i }, 1 };
		for (uint32_t c = 0; c < MANY_CLAUSES; c++)
			if (list(i) >> c & 1)
				lists[i][many[i].nclauses++] = c;
	}
	assert_null(ebpf_generate(a, &in, &o));
	for (uint32_t c = 0; c < MANY_CLAUSES; c++)
		for (uint32_t first = 0; first < MANY; first++) {
			bool is_first = list(first) >> c & 1;
			for (uint32_t i = 0; i < first; i++)
				is_first &= list(i) != list(first);
			for (uint32_t i = first; is_first && i < MANY; i++) {
				if (list(i) != list(first))
					continue;
				assert_true(n < o->nepids);
				assert_int_equal(o->epids[n].clause, c);
				assert_int_equal(o->epids[n++].probe, i + 10);
			}
		}
	assert_int_equal(o->nepids, n);
	arena_free(a);
}

static void
test_sizes(void **state)
{
	struct arena *a = arena_new();
	struct ebpf_input in = input();
	struct ebpf_object *o;

	assert_null(ebpf_generate(a, &in, &o));
	assert_int_equal(o->cfg.strsize, 256);
	assert_int_equal(o->cfg.scratch_size, 4096);
	assert_int_equal(o->cfg.record_off % 8, 0);
	assert_int_equal(o->cfg.scratch_off % 8, 0);
	assert_true(o->cfg.slot_size >= o->cfg.tmp_off + 2 * 256);
	assert_true(o->uses_rings);
	assert_int_equal(o->naggmaps, 1);
	assert_string_equal(o->aggmaps[0].map[0], "dt_agg1_0");
	assert_string_equal(o->aggmaps[0].map[1], "dt_agg1_1");
	assert_int_equal(o->aggs[0].whole.map, 1);
	assert_int_equal(o->aggs[1].whole.map, 0);
	assert_true(o->agg_row >= 16);
	arena_free(a);
}

static bool
names_func(const struct bpf_insn *i)
{
	return (i->code == (BPF_LD | BPF_IMM | BPF_DW) &&
		i->src_reg == BPF_PSEUDO_FUNC) ||
	       (i->code == (BPF_JMP | BPF_CALL) &&
		i->src_reg == BPF_PSEUDO_CALL);
}

/* What f names is in its code and exists; every call in its code is named. */
static void
check_refs(const struct abi_obj *o, const struct abi_func *f)
{
	uint32_t calls = 0;

	for (uint32_t i = 0; i < f->ninsns; i++)
		calls += names_func(&o->code[f->insn + i]);
	for (uint32_t i = f->ref; i < f->ref + f->nrefs; i++) {
		const struct abi_ref *r = &o->refs[i];
		const struct bpf_insn *insn = &o->code[r->insn];
		assert_in_range(r->insn, f->insn, f->insn + f->ninsns - 1);
		assert_true(r->target < (names_func(insn) ? o->nfuncs
							  : o->nmaps));
		assert_true(insn->src_reg != 0);
		calls -= names_func(insn);
	}
	assert_int_equal(calls, 0);
}

/* The object has a program for each point, what it has not itself is the
 * runtime's, and no function runs into the next. */
static void
test_object(void **state)
{
	struct arena *a = arena_new();
	struct ebpf_input in = input();
	struct ebpf_object *o;
	unsigned kinds = 0, maps = 0;

	assert_null(ebpf_generate(a, &in, &o));
	for (uint32_t i = 0; i < o->obj.nfuncs; i++) {
		const struct abi_func *f = &o->obj.funcs[i];
		if (!f->ninsns) {
			assert_memory_equal(f->name, "rt_", 3);
			continue;
		}
		kinds |= f->kind == ABI_FUNC_PROG ? 0x100u << f->attach
						  : 1u << f->kind;
		uint8_t last = o->obj.code[f->insn + f->ninsns - 1].code;
		assert_true(last == (BPF_JMP | BPF_EXIT) ||
			    last == (BPF_JMP | BPF_JA));
		check_refs(&o->obj, f);
	}
	assert_true(kinds & 0x100u << ABI_ATTACH_RAWTP);
	assert_true(kinds & 0x100u << ABI_ATTACH_PERF);
	assert_true(kinds & 1u << ABI_FUNC_GLOBAL);
	for (uint32_t i = 0; i < o->obj.nmaps; i++) {
		const struct abi_map *m = &o->obj.maps[i];
		maps |= (unsigned)!strcmp(m->name, ".rodata.strs") |
			(unsigned)!strcmp(m->name, "dt_agg1_0") << 1 |
			(unsigned)!strcmp(m->name, ".bss.ctl") << 2;
		assert_int_equal(m->type == 0, !strcmp(m->name, ".bss.ctl") ||
						       !strcmp(m->name,
							       "dt_slots"));
	}
	assert_int_equal(maps, 7);
	arena_free(a);
}

/* Many statements go to several chunks; under one condition they cannot. */
static void
test_limit(void **state)
{
	static struct plan_node many[3000], cond;
	static const struct dif_difo *const difos[] = { &arg0 };
	static struct plan_clause big;
	struct plan_prog p = { &big, 1, NULL, 0, aggs, 2, 256 };
	struct ebpf_input in = input();
	struct arena *a = arena_new();
	struct ebpf_object *o;

	for (size_t i = 0; i < 3000; i++) {
		many[i] = agg_node;
		many[i].next = i < 2999 ? &many[i + 1] : NULL;
	}
	big.body = &many[0];
	big.pred = &arg0;
	cond = (struct plan_node){ .kind = PLAN_IF, .difos = difos,
				   .ndifos = 1, .then_ = &many[0] };
	in.plan = &p;
	in.npoints = 0;
	in.error.nclauses = 0;
	assert_null(ebpf_generate(a, &in, &o));
	big.body = &cond;
	struct err *e = ebpf_generate(a, &in, &o);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_LIMIT);
	assert_non_null(strstr(e->text, "split"));
	err_free(e);
	arena_free(a);
}

/* What is larger than a map can hold is refused by name, before anything of
 * its size is allocated and before sums of sizes wrap. */
static void
test_sizes_too_large(void **state)
{
	static const struct plan_var big[] = {
		{ "big", 0x500, DIF_VS_GLOBAL, DIF_VK_SCALAR,
		  { DIF_TYPE_CTF, DIF_CK_STRUCT, DIF_TF_BYREF, 0, 1 << 29 },
		  0, 0, NULL },
		{ "key", 0x501, DIF_VS_GLOBAL, DIF_VK_ARRAY,
		  { DIF_TYPE_CTF, DIF_CK_INTEGER, 0, 0, 8 }, 1, 1 << 30, NULL },
	};
	static struct plan_var locals[8];
	static const struct abi_agg_desc agg[] = {
		{ "a", 1, ABI_AGG_COUNT, 0, 1, 1u << 31, 1, NULL },
		{ "b", 1, ABI_AGG_LQUANTIZE, 0, 0, 0, 1u << 29, NULL },
	};
	static const struct plan_clause record[] = {
		{ .desc = { .record_size = 1u << 31 } } };
	const struct {
		struct plan_prog p;
		const char *want;
	} rows[] = {
		{ { NULL, 0, &big[0], 1, NULL, 0, 256 }, "variable big" },
		{ { NULL, 0, &big[1], 1, NULL, 0, 256 }, "variable key" },
		{ { NULL, 0, locals, 8, NULL, 0, 256 }, "clause-local" },
		{ { NULL, 0, NULL, 0, &agg[0], 1, 256 }, "aggregation @a" },
		{ { NULL, 0, NULL, 0, &agg[1], 1, 256 }, "aggregation @b" },
		{ { record, 1, NULL, 0, NULL, 0, 256 }, "record" },
	};

	for (int i = 0; i < 8; i++) {
		locals[i] = big[0];
		locals[i].id += i;
		locals[i].scope = DIF_VS_LOCAL;
		locals[i].type.size = 1 << 19;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct ebpf_input in = input();
		struct arena *a = arena_new();
		struct ebpf_object *o;

		in.plan = &rows[i].p;
		in.npoints = 0;
		in.error.nclauses = 0;
		struct err *e = ebpf_generate(a, &in, &o);
		assert_non_null(e);
		assert_int_equal(e->code, ERR_LIMIT);
		assert_non_null(strstr(e->text, rows[i].want));
		err_free(e);
		assert_true(arena_used(a) < 1 << 20);
		arena_free(a);
	}
}

/* Does some code name the function of the runtime? */
static bool
calls(const struct abi_obj *o, const char *name)
{
	for (uint32_t i = 0; i < o->nfuncs; i++)
		if (strcmp(o->funcs[i].name, name) == 0)
			return true;
	return false;
}

/* stack(3) */
static const struct abi_field stack_field[] = {
	{ ABI_FIELD_STACK, 0, 0, 8, 16, 3 * 8 } };
static const struct abi_action stack_action[] = {
	{ .kind = ABI_ACT_STACK, .nfields = 1 } };
static const struct plan_node stack_node = { .kind = PLAN_RECORD,
	.action = stack_action, .action_no = 1 };
static const struct plan_clause stack_clause[] = {
	{ .body = &stack_node, .desc = { 40, 0, 1, 1, 0, stack_action, stack_field, NULL } } };
static const struct plan_prog kernel_stacks = { stack_clause, 1, NULL, 0, NULL, 0, 256 };

static const struct plan_probe stack_profile[] = {
	{ 9, { "profile", "", "", "profile-97" }, c0, 1 } };

/* Stacks of the kernel that were seen are asked for where programs can have loops, of
 * one kind of point and of two. */
static void
test_known_stacks(void **state)
{
	static const struct ebpf_point both[] = {
		{ &table_point, probes, 1, false }, { &one_point, stack_profile, 1, false } };

	for (int i = 0; i < 4; i++) {
		bool knows = i % 2;
		struct arena *a = arena_new();
		struct ebpf_input in = input();
		struct ebpf_object *o;

		in.plan = &kernel_stacks;
		in.points = both;
		in.npoints = 1 + i / 2;
		in.error.nclauses = 0;
		in.knows = knows;
		assert_null(ebpf_generate(a, &in, &o));
		assert_true(calls(&o->obj, "rt_stack_own"));
		assert_int_equal(calls(&o->obj, "rt_stack_known"), knows);
		assert_int_equal(calls(&o->obj, "rt_stack_learn"), knows);
		arena_free(a);
	}
}

/* What only says what a variable is, is that variable. */
static void
test_bvar(void **state)
{
	static const uint32_t other_reg[] = { DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_PID, 1),
					      DIF_FMT_R(DIF_OP_RET, 0, 0, 2) },
		own[] = { DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_OTHER_UBASE, 1),
			  DIF_FMT_R(DIF_OP_RET, 0, 0, 1) },
		constant[] = { DIF_FMT_W(DIF_OP_SETX, DIF_VAR_PID, 1),
			       DIF_FMT_R(DIF_OP_RET, 0, 0, 1) };
	static const struct { struct dif_difo d; unsigned want; } rows[] = {
		{ DIFO(ld_pid), DIF_VAR_PID }, { DIFO(ld_comm), DIF_VAR_EXECNAME },
		{ DIFO(deref), 0 }, { DIFO(other_reg), 0 }, { DIFO(own), 0 },
		{ DIFO(constant), 0 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		assert_int_equal(ebpf_difo_bvar(&rows[i].d), rows[i].want);
}

/* Stacks of processes are found by tables where there are some. */
static void
test_unwinds(void **state)
{
	static const struct abi_field field[] = {
		{ ABI_FIELD_USTACK, 0, 0, 8, 16, 4 * 8 } };
	static const struct abi_action action[] = {
		{ .kind = ABI_ACT_USTACK, .nfields = 1 } };
	static const struct plan_node stack = { .kind = PLAN_RECORD,
		.action = action, .action_no = 1 };
	static const struct plan_clause clause[] = {
		{ .body = &stack, .desc = { 48, 0, 1, 1, 0, action, field, NULL } } };
	static const struct plan_prog stacks = { clause, 1, NULL, 0, NULL, 0, 256 };

	for (int unwinds = 0; unwinds < 2; unwinds++) {
		struct arena *a = arena_new();
		struct ebpf_input in = input();
		struct ebpf_object *o;

		in.plan = &stacks;
		in.points = &(struct ebpf_point){ &table_point, probes, 1, false };
		in.npoints = 1;
		in.error.nclauses = 0;
		in.kernel.off[ABI_KOFF_TASK_UTASK] = 8;
		in.unwinds = unwinds;
		assert_null(ebpf_generate(a, &in, &o));
		assert_int_equal(calls(&o->obj, "rt_unwind_begin"), unwinds);
		assert_int_equal(calls(&o->obj, "rt_unwind_some"), unwinds);
		arena_free(a);
	}
}

/* Where functions return to that a kretprobe is at is left out where stacks show it. */
static void
test_returns(void **state)
{
	const uint64_t returns = 0x1234567012345670;
	static const struct { enum abi_attach attach; bool shows; } rows[] = {
		{ ABI_ATTACH_KRETPROBE, true }, { ABI_ATTACH_KRETPROBE_MULTI, true },
		{ ABI_ATTACH_KRETPROBE, false }, { ABI_ATTACH_KPROBE, true },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct abi_point at = table_point;
		struct arena *a = arena_new();
		struct ebpf_input in = input();
		struct ebpf_object *o;
		unsigned n = 0;

		at.attach = rows[i].attach;
		in.plan = &kernel_stacks;
		in.points = &(struct ebpf_point){ &at, probes, 1, false };
		in.npoints = 1;
		in.error.nclauses = 0;
		in.kernel.returns = rows[i].shows ? returns : 0;
		assert_null(ebpf_generate(a, &in, &o));
		for (uint32_t f = 0; f < o->obj.nfuncs; f++) {
			const struct bpf_insn *code = &o->obj.code[o->obj.funcs[f].insn];
			for (uint32_t k = 0; k < o->obj.funcs[f].ninsns; k++)
				n += code[k].code == (BPF_LD | BPF_IMM | BPF_DW) &&
				     (uint32_t)code[k].imm == (uint32_t)returns &&
				     (uint32_t)code[k + 1].imm == returns >> 32;
		}
		assert_int_equal(n, rows[i].shows && rows[i].attach != ABI_ATTACH_KPROBE);
		arena_free(a);
	}
}

/* Calls of the function that is called so. */
static unsigned
count_calls(const struct abi_obj *o, const char *name)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < o->nfuncs; i++)
		for (uint32_t k = 0; k < o->funcs[i].nrefs; k++) {
			const struct abi_ref *r = &o->refs[o->funcs[i].ref + k];
			n += names_func((const struct bpf_insn *)o->code + r->insn) &&
			     !strcmp(o->funcs[r->target].name, name);
		}
	return n;
}

/* The frames behind the first are followed some at a time, as many as there is room for. */
static void
test_unwind_steps(void **state)
{
	static const uint32_t frames[] = { 1, 2, ABI_UNWIND_SOME + 1,
					   ABI_UNWIND_SOME + 2, 3 * ABI_UNWIND_SOME };
	struct abi_field field = { ABI_FIELD_USTACK, 0, 0, 8, 16, 0 };
	struct abi_action action = { .kind = ABI_ACT_USTACK, .nfields = 1 };
	const struct plan_node stack = { .kind = PLAN_RECORD,
		.action = &action, .action_no = 1 };

	for (size_t i = 0; i < BASE_NELEMS(frames); i++) {
		const struct plan_clause clause[] = {
			{ .body = &stack, .desc = { 24 + 8 * frames[i], 0, 1, 1, 0,
						    &action, &field, NULL } } };
		const struct plan_prog stacks = { clause, 1, NULL, 0, NULL, 0, 256 };
		struct arena *a = arena_new();
		struct ebpf_input in = input();
		struct ebpf_object *o;

		field.size = 8 + 8 * frames[i];		/* the process's id, too */
		in.plan = &stacks;
		in.points = &(struct ebpf_point){ &table_point, probes, 1, false };
		in.npoints = 1;
		in.error.nclauses = 0;
		in.kernel.off[ABI_KOFF_TASK_UTASK] = 8;
		in.unwinds = true;
		assert_null(ebpf_generate(a, &in, &o));
		assert_int_equal(count_calls(&o->obj, "rt_unwind_some"),
				 (frames[i] + ABI_UNWIND_SOME - 2) / ABI_UNWIND_SOME);
		arena_free(a);
	}
}

/* Where a probe stands that was moved is in its row, which is read where a stack shows the
 * probe's place; a probe that has no row was not moved. */
static void
test_moved(void **state)
{
	static const struct abi_field field = { ABI_FIELD_USTACK, 0, 0, 8, 16, 24 };
	static const struct abi_action action = { .kind = ABI_ACT_USTACK, .nfields = 1 };
	static const struct plan_node stack = { .kind = PLAN_RECORD,
		.action = &action, .action_no = 1 };
	static const struct plan_clause clause[] = {
		{ .body = &stack, .desc = { 40, 0, 1, 1, 0, &action, &field, NULL } },
		{ .body = &count_node } };
	static const struct plan_prog stacks = { clause, 2, NULL, 0, aggs, 2, 256 };
	static const struct abi_point found = {
		.attach = ABI_ATTACH_UPROBE, .find = ABI_FIND_COOKIE, .target = "a" };
	static const uint32_t c1[] = { 1 };
	static const struct { unsigned clause, ncookies, nreads; } rows[] = {
		{ 0, 1, 1 }, { 1, 1, 0 }, { 0, 0, 0 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		const struct ebpf_point pts[] = {
			{ &found, .clauses = rows[i].clause ? c1 : c0, .nclauses = 1 },
			{ &table_point, probes, 1, false } };
		struct arena *a = arena_new();
		struct ebpf_input in = input();
		struct ebpf_object *o;
		unsigned n = 0;

		in.plan = &stacks;
		in.points = rows[i].ncookies ? pts : pts + 1;
		in.npoints = 1 + rows[i].ncookies;
		in.error.nclauses = 0;
		in.kernel.off[ABI_KOFF_TASK_UTASK] = 8;
		assert_null(ebpf_generate(a, &in, &o));
		for (uint32_t f = 0; f < o->obj.nfuncs; f++)
			for (uint32_t k = 0; k < o->obj.funcs[f].ninsns; k++) {
				const struct bpf_insn *c =
					&o->obj.code[o->obj.funcs[f].insn + k];
				n += c->code == (BPF_LDX | BPF_MEM | BPF_H) &&
				     c->off == (int16_t)offsetof(struct abi_row, moved) &&
				     c->src_reg != BPF_REG_10;
			}
		if (n != rows[i].nreads)
			fail_msg("row %zu: %u", i, n);
		arena_free(a);
	}
}

enum { MANY_VARS = 2000 };

/* More than there may be maps, with keys of many sizes, some longer than any step. */
static struct plan_prog
many_arrays(void)
{
	static struct plan_var vars[MANY_VARS];
	static const struct abi_field key = { .kind = ABI_FIELD_INT };

	for (uint32_t i = 0; i < MANY_VARS; i++)
		vars[i] = (struct plan_var){ "a", 0x500 + i, DIF_VS_GLOBAL,
			DIF_VK_ARRAY, { DIF_TYPE_CTF, DIF_CK_INTEGER, 0, 0, 8 },
			1, 8 * (i % 100 + 1), &key };
	return (struct plan_prog){ NULL, 0, vars, MANY_VARS, NULL, 0, 256 };
}

/* Each has a table whose keys have room for its own; else an assertion ends us. */
static void
test_many_arrays(void **state)
{
	struct plan_prog p = many_arrays();
	struct arena *a = arena_new();
	struct ebpf_input in = input();
	struct ebpf_object *o;

	in.plan = &p;
	in.npoints = 0;
	in.error.nclauses = 0;
	assert_null(ebpf_generate(a, &in, &o));
	arena_free(a);
}

static unsigned
queries(const struct abi_obj *o, const struct abi_func *f)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < f->ninsns; i++) {
		const struct bpf_insn *c = &((const struct bpf_insn *)o->code)[f->insn + i];
		n += c->code == (BPF_JMP | BPF_CALL) && !c->src_reg &&
		     c->imm == BPF_FUNC_ringbuf_query;
	}
	return n;
}

/* How full a ring is can be asked of each: where of one, also of the other. */
static void
test_filling(void **state)
{
	struct arena *a = arena_new();
	struct ebpf_input in = input();
	struct ebpf_object *o;
	unsigned all = 0;

	in.policy = EBPF_FILL;
	assert_null(ebpf_generate(a, &in, &o));
	for (uint32_t i = 0; i < o->obj.nfuncs; i++) {
		unsigned n = queries(&o->obj, &o->obj.funcs[i]);
		assert_int_equal(n % 2, 0);
		all += n;
	}
	assert_true(all > 0);
	arena_free(a);
}

/* With bufpolicy=fill as much is left free in a ring as firings that are under way may
 * want: of each CPU that it has, the most that a probe of the program records, and twice
 * that where an interrupt may bring another; but half of it is used. */
static void
test_left_free(void **state)
{
	enum { ONE = 8 + 24 };
	static const uint32_t c00[] = { 0, 0 };
	static const struct plan_probe small[] = { { 7, { "p" }, c0, 1, { 3 }, 1 } },
		large[] = { { 8, { "p" }, c00, 2, { 3 }, 1 } },
		none[] = { { 9, { "p" }, c2, 1, { 3 }, 1 } };
	static const struct ebpf_point task = { &table_point, small, 1, false },
		two = { &table_point, large, 1, false },
		irq = { &one_point, small, 1, false },
		irq_none = { &one_point, none, 1, false },
		always = { &one_point, large, 1, true };
	const struct {
		struct ebpf_point points[2];
		uint32_t npoints, nrings, ring_size, left;
	} rows[] = {
		{ { task }, 1, 3, 4096, ONE },
		{ { irq }, 1, 3, 4096, ONE },
		{ { task, two }, 2, 3, 4096, 2 * ONE },
		{ { two, task }, 2, 3, 4096, 2 * ONE },
		{ { task, irq }, 2, 3, 4096, 2 * ONE },
		{ { irq, task }, 2, 3, 4096, 2 * ONE },
		{ { two, irq_none }, 2, 3, 4096, 4 * ONE },
		{ { task, always }, 2, 3, 4096, ONE },
		{ { task }, 1, 2, 4096, 2 * ONE },
		{ { task }, 1, 1, 4096, 3 * ONE },
		{ { task, irq }, 2, 1, 4096, 6 * ONE },
		{ { two, irq }, 2, 1, 8192, 12 * ONE },
		{ { two, irq }, 2, 1, 512, 256 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		const int32_t used = (int32_t)(rows[i].ring_size - 8 - rows[i].left);
		struct arena *a = arena_new();
		struct ebpf_input in = input();
		struct ebpf_object *o;
		unsigned n = 0;

		in.policy = EBPF_FILL;
		in.points = rows[i].points;
		in.npoints = rows[i].npoints;
		in.nrings = rows[i].nrings;
		in.ring_size = rows[i].ring_size;
		in.error.nclauses = 0;
		assert_null(ebpf_generate(a, &in, &o));
		for (uint32_t f = 0; f < o->obj.nfuncs; f++)
			for (uint32_t k = 0; k < o->obj.funcs[f].ninsns; k++) {
				const struct bpf_insn *c =
					&o->obj.code[o->obj.funcs[f].insn + k];
				if (c->code != (BPF_JMP | BPF_JLE | BPF_K))
					continue;
				if (c->imm != used)
					fail_msg("row %zu: %d, not %d", i, c->imm, used);
				n++;
			}
		assert_true(n > 0);
		arena_free(a);
	}
}

/* A program whose links are programs of their own: none is left out and none has the
 * number of another, also where two sets of clauses have links. */
enum { LONG_CLAUSES = 12, LONG_STATEMENTS = 200 };

static void
test_links(void **state)
{
	static struct plan_node nodes[LONG_CLAUSES][LONG_STATEMENTS];
	static struct plan_clause cls[LONG_CLAUSES];
	static uint32_t all[LONG_CLAUSES];
	const struct plan_probe two[] = {
		{ 4, { "p", "m", "a", "entry" }, all, LONG_CLAUSES, { 3 }, 1 },
		{ 5, { "p", "m", "b", "entry" }, all + 1, LONG_CLAUSES - 1, { 4 }, 1 } };
	struct plan_prog long_ = { cls, LONG_CLAUSES, NULL, 0, aggs, 2, 256 };
	struct arena *a = arena_new();
	struct ebpf_input in = input();
	unsigned named[2 * LONG_CLAUSES] = { 0 }, nlinks = 0;
	struct ebpf_object *o;

	for (uint32_t c = 0; c < LONG_CLAUSES; c++) {
		all[c] = c;
		cls[c].body = nodes[c];
		for (uint32_t i = 0; i < LONG_STATEMENTS; i++) {
			nodes[c][i] = agg_node;
			nodes[c][i].next = i + 1 < LONG_STATEMENTS ?
					   &nodes[c][i + 1] : NULL;
		}
	}
	in.plan = &long_;
	in.points = &(struct ebpf_point){ &table_point, two, 2, false };
	in.npoints = 1;
	in.error.nclauses = 0;
	assert_null(ebpf_generate(a, &in, &o));
	const struct bpf_insn *code = o->obj.code;
	for (uint32_t i = 0; i < o->obj.nfuncs; i++) {
		const struct abi_func *f = &o->obj.funcs[i];
		uint32_t link = UINT32_MAX;
		nlinks += !strncmp(f->name, "dt_link", 7);
		for (uint32_t pc = f->insn; pc < f->insn + f->ninsns; pc++) {
			if (code[pc].code == (BPF_ALU64 | BPF_MOV | BPF_K) &&
			    code[pc].dst_reg == BPF_REG_3)
				link = (uint32_t)code[pc].imm;
			if (code[pc].code != (BPF_JMP | BPF_CALL) ||
			    code[pc].src_reg || code[pc].imm != BPF_FUNC_tail_call)
				continue;
			assert_in_range(link, 0, BASE_NELEMS(named) - 1);
			named[link]++;
		}
	}
	assert_in_range(nlinks, 4, BASE_NELEMS(named));
	for (uint32_t i = 0; i < BASE_NELEMS(named); i++)
		assert_int_equal(named[i], i < nlinks);
	arena_free(a);
}

/* The kernel's helper tells of the current thread alone: a clause that may run for
 * another, be its probe at the first point or at a later one, does not ask it. */
static void
test_others(void **state)
{
	for (uint32_t other = 0; other < 3; other++) {
		struct abi_point pts[] = { table_point, table_point };
		const struct ebpf_point p[] = {
			{ &pts[0], probes, 1, false }, { &pts[1], probes + 2, 1, false } };
		struct arena *a = arena_new();
		struct ebpf_input in = input();
		struct ebpf_object *o;
		unsigned n = 0;

		if (other < 2)
			pts[other].thread = 1;
		in.points = p;
		in.error.nclauses = 0;
		assert_null(ebpf_generate(a, &in, &o));
		const struct bpf_insn *code = o->obj.code;
		for (uint32_t i = 0; i < o->obj.nfuncs; i++) {
			const struct abi_func *f = &o->obj.funcs[i];
			for (uint32_t k = f->insn; k < f->insn + f->ninsns; k++)
				n += code[k].code == (BPF_JMP | BPF_CALL) &&
				     !code[k].src_reg &&
				     code[k].imm == BPF_FUNC_get_current_pid_tgid;
		}
		assert_int_equal(n > 0, other == 2);
		arena_free(a);
	}
}

/* Aggregations of many shapes share maps before a program has more than it may; as long
 * as it has not, each has its own. */
static void
test_many_shapes(void **state)
{
	enum { SHAPES = 60, MAPS_MAX = 64, FEW = 6 };
	struct abi_agg_desc many[SHAPES];

	for (uint32_t i = 0; i < SHAPES; i++)
		many[i] = (struct abi_agg_desc){ "", i + 1, ABI_AGG_SUM, 0, 1,
						 8 * (i + 1), 1, pid_field };
	for (uint32_t n = 1; n <= SHAPES; n++) {
		struct plan_prog p = { NULL, 0, NULL, 0, many, n, 256 };
		struct arena *a = arena_new();
		struct ebpf_input in = input();
		struct ebpf_object *o;

		in.plan = &p;
		in.npoints = 0;
		in.error.nclauses = 0;
		assert_null(ebpf_generate(a, &in, &o));
		assert_in_range(2 * o->naggmaps, 2, MAPS_MAX);
		for (uint32_t i = 0; i < n; i++)
			assert_true(o->aggmaps[o->aggs[i].whole.map - 1].key_size >=
				    many[i].key_size);
		assert_true(n > FEW || o->naggmaps == n);
		arena_free(a);
	}
}

static void
without_memory(const struct ebpf_input *in, unsigned long least)
{
	for (unsigned long n = 1;; n++) {
		struct arena *a = arena_new();
		struct ebpf_object *o = NULL;
		util_alloc_fail(n, 1);
		struct err *e = ebpf_generate(a, in, &o);
		util_alloc_fail(0, 0);
		if (!e) {
			assert_non_null(o);
			assert_true(n > least);
			arena_free(a);
			return;
		}
		assert_int_equal(e->code, ERR_NOMEM);
		err_free(e);
		arena_free(a);
	}
}

static void
test_no_memory(void **state)
{
	static const struct abi_point found = {
		.attach = ABI_ATTACH_UPROBE, .find = ABI_FIND_COOKIE, .target = "a" };
	struct plan_prog p = many_arrays();
	struct ebpf_input in = input();

	without_memory(&in, 10);
	in.points = &(struct ebpf_point){ &found, .clauses = c01, .nclauses = 2 };
	in.npoints = 1;
	without_memory(&in, 10);
	in.plan = &p;
	in.npoints = 0;
	in.error.nclauses = 0;
	without_memory(&in, 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_epids),
		cmocka_unit_test(test_name_cleared),
		cmocka_unit_test(test_name_found),
		cmocka_unit_test(test_many_sets),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_object),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_sizes_too_large),
		cmocka_unit_test(test_known_stacks),
		cmocka_unit_test(test_bvar),
		cmocka_unit_test(test_unwinds),
		cmocka_unit_test(test_unwind_steps),
		cmocka_unit_test(test_moved),
		cmocka_unit_test(test_returns),
		cmocka_unit_test(test_many_arrays),
		cmocka_unit_test(test_filling),
		cmocka_unit_test(test_left_free),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_many_shapes),
		cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests_name("ebpf", tests, NULL, NULL);
}
