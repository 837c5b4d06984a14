/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which points share a program, in what order their parts stand in it, and how it is
 * attached (prog.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <linux/bpf.h>

#include "base/base.h"
#include "ebpf/ebpf.h"
#include "ebpf/object.h"

/* A clause of that many loads of arg0, of some six instructions each. */
enum { POINTS = 3, SMALL = 1, HALF = 300, LARGE = 900 };

static uint32_t text[LARGE + 1];
static const uint32_t zero[] = { 0 };

/* A point: its arg0 is the constant 1000 + its index, by which its part is known. */
struct spec {
	const char *target;		/* NULL: no more points */
	uint8_t attach, find, rank;
	bool always, is_spare;
};

static const struct row {
	const char *what;
	uint32_t loads;
	struct spec points[POINTS];
	uint8_t in[POINTS];		/* in which point's program each is */
	uint8_t attach[POINTS];
	uint8_t order[POINTS];		/* of the parts in point 0's program */
} rows[] = {
#define RAWTP ABI_ATTACH_RAWTP
#define TYPED ABI_ATTACH_TP_BTF
#define TABLE ABI_FIND_TABLE
	{ "two at a tracepoint", SMALL, { { "x", RAWTP }, { "x", RAWTP } },
	  { 0, 0 }, { RAWTP, RAWTP }, { 0, 1 } },
	{ "by rank", SMALL,
	  { { "x", RAWTP, .rank = 2 }, { "x", RAWTP, .rank = 1 }, { "x", RAWTP } },
	  { 0, 0, 0 }, { RAWTP, RAWTP, RAWTP }, { 2, 1, 0 } },
	{ "a typed one", SMALL, { { "x", RAWTP }, { "x", TYPED } },
	  { 0, 0 }, { TYPED, TYPED }, { 0, 1 } },
	{ "a typed one that is the first", SMALL, { { "x", TYPED }, { "x", RAWTP } },
	  { 0, 0 }, { TYPED, TYPED }, { 0, 1 } },
	{ "one between them, elsewhere", SMALL,
	  { { "x", RAWTP }, { "y", RAWTP }, { "x", RAWTP } },
	  { 0, 1, 0 }, { RAWTP, RAWTP, RAWTP }, { 0, 2 } },
	{ "a function of that name", SMALL, { { "x", RAWTP }, { "x", ABI_ATTACH_KPROBE } },
	  { 0, 1 }, { RAWTP, ABI_ATTACH_KPROBE }, { 0 } },
	{ "one at what calls its programs", SMALL,
	  { { "x", RAWTP }, { "x", RAWTP }, { "x", ABI_ATTACH_TRACEITER } },
	  { 0, 1, 2 }, { RAWTP, RAWTP, ABI_ATTACH_TRACEITER }, { 0 } },
	{ "one at what calls its programs, and its spare", SMALL,
	  { { "x", ABI_ATTACH_TRACEITER }, { "x", RAWTP, .is_spare = true } },
	  { 0, 1 }, { ABI_ATTACH_TRACEITER, RAWTP }, { 0 } },
	{ "tables of calls", SMALL,
	  { { "x", RAWTP, TABLE }, { "x", RAWTP }, { "x", RAWTP, TABLE } },
	  { 0, 0, 0 }, { RAWTP, RAWTP, RAWTP }, { 0, 1, 2 } },
	{ "tables, more than there is room for", LARGE,
	  { { "x", RAWTP, TABLE }, { "x", RAWTP, TABLE } },
	  { 0, 1 }, { RAWTP, RAWTP }, { 0 } },
	{ "some that are found by cookie", SMALL,
	  { { "x", RAWTP }, { "x", RAWTP }, { "y", RAWTP, ABI_FIND_COOKIE } },
	  { 0, 1, 2 }, { RAWTP, RAWTP, RAWTP }, { 0 } },
	{ "one that runs when tracing has stopped", SMALL,
	  { { "x", RAWTP }, { "x", RAWTP, .always = true } },
	  { 0, 1 }, { RAWTP, RAWTP }, { 0 } },
	{ "as much as there is room for", HALF, { { "x", RAWTP }, { "x", RAWTP } },
	  { 0, 0 }, { RAWTP, RAWTP }, { 0, 1 } },
	{ "more than there is room for", LARGE, { { "x", RAWTP }, { "x", RAWTP } },
	  { 0, 1 }, { RAWTP, RAWTP }, { 0 } },
};

static uint32_t
count(const struct row *r)
{
	uint32_t n = 0;

	while (n < POINTS && r->points[n].target)
		n++;
	return n;
}

static const struct abi_func *
find(const struct abi_obj *o, const char *name)
{
	for (uint32_t i = 0; i < o->nfuncs; i++)
		if (!strcmp(o->funcs[i].name, name))
			return &o->funcs[i];
	return NULL;
}

/* Where the part of point i begins; -1: it is not there. */
static int64_t
part(const struct abi_obj *o, const struct abi_func *f, uint32_t i)
{
	for (uint32_t k = 0; k < f->ninsns; k++)
		if (o->code[f->insn + k].imm == (int32_t)(1000 + i))
			return k;
	return -1;
}

static void
check_order(const struct row *r, const struct ebpf_object *o)
{
	const struct abi_func *f = find(&o->obj, o->served[0].prog);
	int64_t last = -1;
	uint32_t n = 0;

	for (uint32_t i = 0; i < count(r); i++) {
		n += r->in[i] == 0;
		if ((part(&o->obj, f, i) >= 0) != (r->in[i] == 0))
			fail_msg("%s: point %u", r->what, i);
	}
	for (uint32_t i = 0; i < n; i++) {
		int64_t at = part(&o->obj, f, r->order[i]);
		if (at <= last)
			fail_msg("%s: part %u is at %d", r->what, i, (int)at);
		last = at;
	}
}

static void
check_served(const struct row *r, const struct ebpf_object *o)
{
	for (uint32_t i = 0; i < count(r); i++) {
		const struct ebpf_served *s = &o->served[i];
		const struct abi_func *f = find(&o->obj, s->prog);
		if (!f || f->attach != r->attach[i] || s->attach != r->attach[i] ||
		    s->is_first != (r->in[i] == i) ||
		    strcmp(s->prog, o->served[r->in[i]].prog))
			fail_msg("%s: point %u is served by %s, attached as %u, %d",
				 r->what, i, s->prog, s->attach, s->is_first);
	}
}

/* What of the runtime or of ours is called first; "": nothing is. */
static const char *
first_call(const struct abi_obj *o, const struct abi_func *f)
{
	for (uint32_t i = f->ref; i < f->ref + f->nrefs; i++) {
		const struct bpf_insn *insn = (const struct bpf_insn *)o->code +
					      o->refs[i].insn;
		if (insn->code == (BPF_JMP | BPF_CALL))
			return o->funcs[o->refs[i].target].name;
	}
	return "";
}

/* A spare asks first of all whether it is its turn, and nothing else asks. */
static void
check_spares(const struct row *r, const struct ebpf_object *o)
{
	for (uint32_t i = 0; i < count(r); i++) {
		const struct abi_func *f = find(&o->obj, o->served[i].prog);
		if (!strcmp(first_call(&o->obj, f), "rt_spare") != r->points[i].is_spare)
			fail_msg("%s: point %u calls %s first", r->what, i,
				 first_call(&o->obj, f));
	}
}

static struct ebpf_object *
generate(struct arena *a, const struct row *r)
{
	static const uint8_t cpus[] = { 1 };
	const struct plan_probe probe = { 1, { "a", "b", "c", "d" }, zero, 1,
					  .keys = { 3 }, .nkeys = 1 };
	const struct dif_difo difo = { .text = text, .ntext = r->loads + 1, .strs = "",
				       .strs_size = 1, .rtype = { .size = 8 } };
	const struct dif_difo *const difos[] = { &difo };
	const struct plan_node node = { .kind = PLAN_EXPR, .ndifos = 1,
					.difos = difos, .action_no = 1 };
	const struct plan_clause clause = { .body = &node };
	const struct plan_prog plan = { .clauses = &clause, .nclauses = 1,
					.strsize = 256 };
	struct abi_point points[POINTS];
	struct ebpf_point where[POINTS] = { 0 };
	struct ebpf_object *o;

	for (uint32_t i = 0; i < r->loads; i++)
		text[i] = DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_ARG0, 1);
	text[r->loads] = DIF_FMT_R(DIF_OP_RET, 0, 0, 1);
	for (uint32_t i = 0; i < count(r); i++) {
		const struct spec *s = &r->points[i];
		points[i] = (struct abi_point){ .attach = s->attach, .find = s->find,
			.rank = s->rank, .target = s->target, .is_spare = s->is_spare,
			.index = { ABI_ARG_CONST, .off = 3 }, .nindex = 4,
			.args = { { ABI_ARG_CONST, .off = (int32_t)(1000 + i) } } };
		where[i] = (struct ebpf_point){ .point = &points[i], .probes = &probe,
			.nprobes = s->find != ABI_FIND_COOKIE,
			.always = s->always, .clauses = zero,
			.nclauses = s->find == ABI_FIND_COOKIE };
	}
	struct ebpf_input in = { .plan = &plan, .points = where, .npoints = count(r),
		.ncpus = 1, .ring_cpus = cpus, .ring_size = 4096,
		.scratch_size = 4096 };
	memset(in.kernel.off, 0xff, sizeof(in.kernel.off));
	assert_null(ebpf_generate(a, &in, &o));
	return o;
}

static void
test_share(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct arena *a = arena_new();
		struct ebpf_object *o = generate(a, &rows[i]);
		check_served(&rows[i], o);
		check_order(&rows[i], o);
		check_spares(&rows[i], o);
		arena_free(a);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_share) };

	return cmocka_run_group_tests_name("ebpf-share", tests, NULL, NULL);
}
