/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which programs need which offsets of the kernel's structs, wherever in a
 * clause the need stands, and what is said when one is not known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "abi/slot.h"
#include "base/base.h"
#include "ebpf/ebpf.h"
#include "ebpf/object.h"

static const struct {
	uint32_t insn;
	unsigned need;
	const char *name;
} users[] = {
	{ DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_CALLER, 1), EBPF_NEED_TEXT,
	  "caller " },
	{ DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_STACKDEPTH, 1), EBPF_NEED_TEXT,
	  "stackdepth " },
	{ DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_PPID, 1), EBPF_NEED_PARENT, "ppid " },
	{ DIF_FMT_W(DIF_OP_CALL, DIF_SUBR_PROGENYOF, 1), EBPF_NEED_PARENT,
	  "progenyof() " },
	{ DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_EXECARGS, 1), EBPF_NEED_ARGS,
	  "execargs " },
	{ DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_CWD, 1), EBPF_NEED_PATH, "cwd " },
	{ DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_ROOT, 1), EBPF_NEED_PATH, "root " },
	{ DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_EXECNAME, 1), EBPF_NEED_COMM, NULL },
	{ DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_ARG0, 1), EBPF_NEED_REGS, NULL },
	{ DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_ARG9, 1), EBPF_NEED_REGS, NULL },
	{ DIF_FMT_R(DIF_OP_LDGA, DIF_VAR_ARGS, 1, 1), EBPF_NEED_REGS, NULL },
	{ DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_PID, 1), 0, NULL },
	{ DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_VTIMESTAMP, 1), 0, NULL },
	{ DIF_FMT_W(DIF_OP_CALL, DIF_SUBR_COPYIN, 1), EBPF_NEED_CACHE, NULL },
	{ DIF_FMT_W(DIF_OP_CALL, DIF_SUBR_COPYINSTR, 1), EBPF_NEED_CACHE,
	  NULL },
	{ DIF_FMT_W(DIF_OP_CALL, DIF_SUBR_RAND, 1), 0, NULL },
	/* The same numbers in other instructions. */
	{ DIF_FMT_W(DIF_OP_SETX, DIF_VAR_PPID, 1), 0, NULL },
	{ DIF_FMT_W(DIF_OP_CALL, DIF_VAR_CWD, 1), 0, NULL },
};

static const struct {
	unsigned need;
	const char *tag, *path;
} offsets[] = {
#define KOFF(name, need, tag, path) { EBPF_NEED_##need, tag, path },
#include "abi/koff.def"
#undef KOFF
};

/* A program of one clause, with the instruction at one of these places. */
enum place { PRED, BODY, SECOND, THEN, ELSE, NPLACES };

struct prog {
	uint32_t text[3];
	struct dif_difo difo, other;
	const struct dif_difo *difos[2];
	struct plan_node node, cond;
	struct plan_clause clause[2];
	struct plan_prog plan;
	struct abi_point point;
	struct plan_probe probe;
	struct ebpf_point where;
	struct ebpf_input in;
};

static const uint32_t nothing[] = { DIF_FMT_R(DIF_OP_RET, 0, 0, 0) };
static const uint32_t second[] = { 1 };
static const uint8_t cpus[] = { 1 };

static void
make(struct prog *p, uint32_t insn, enum place place)
{
	*p = (struct prog){ .text = { insn, DIF_FMT_R(DIF_OP_RET, 0, 0, 1) } };
	p->difo = (struct dif_difo){ .text = p->text, .ntext = 2, .strs = "",
		.strs_size = 1, .rtype = { .size = 8 } };
	p->other = p->difo;
	p->other.text = nothing;
	p->other.ntext = 1;
	p->difos[0] = place == SECOND ? &p->other : &p->difo;
	p->difos[1] = &p->difo;
	p->node = (struct plan_node){ .kind = PLAN_EXPR, .difos = p->difos,
		.ndifos = place == SECOND ? 2 : 1, .action_no = 1 };
	p->cond = (struct plan_node){ .kind = PLAN_IF, .ndifos = 1,
		.difos = &p->difos[1],
		.then_ = place == THEN ? &p->node : NULL,
		.else_ = place == ELSE ? &p->node : NULL };
	p->difos[1] = place >= THEN ? &p->other : p->difos[1];
	p->clause[1].pred = place == PRED ? &p->difo : NULL;
	p->clause[1].body = place == PRED ? NULL :
			    place >= THEN ? &p->cond : &p->node;
	p->plan = (struct plan_prog){ .clauses = p->clause, .nclauses = 2,
				      .strsize = 256 };
	p->point = (struct abi_point){ .attach = ABI_ATTACH_RUN,
		.find = ABI_FIND_ONE, .target = "BEGIN" };
	p->probe = (struct plan_probe){ 1, { "dtrace", "", "", "BEGIN" },
		.clauses = second, .nclauses = 1 };
	p->where = (struct ebpf_point){ &p->point, &p->probe, 1, true };
	p->in = (struct ebpf_input){ .plan = &p->plan, .points = &p->where,
		.npoints = 1, .ncpus = 1, .ring_cpus = cpus,
		.ring_size = 4096, .scratch_size = 4096 };
}

/* Which call it is stands in a register at some points. */
static void
test_points(void **state)
{
	static const struct {
		uint8_t find, kind;
		unsigned need;
	} rows[] = {
		{ ABI_FIND_TABLE, ABI_ARG_REG, EBPF_NEED_REGS },
		{ ABI_FIND_TABLE, ABI_ARG_CTX, 0 },
		{ ABI_FIND_ONE, ABI_ARG_REG, 0 },
	};
	struct prog p;

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		make(&p, nothing[0], BODY);
		p.point.find = rows[i].find;
		p.point.index.kind = rows[i].kind;
		assert_int_equal(ebpf_needs(&p.in), rows[i].need);
	}
}

static void
test_needs(void **state)
{
	struct prog p;

	for (size_t i = 0; i < BASE_NELEMS(users); i++)
		for (int place = 0; place < NPLACES; place++) {
			make(&p, users[i].insn, place);
			assert_int_equal(ebpf_needs(&p.in), users[i].need);
			p.point.compat = 10;
			assert_int_equal(ebpf_needs(&p.in),
					 users[i].need | EBPF_NEED_COMPAT);
		}
}

/* Without one of them: the error says who wants which.  With all that the
 * program needs, it is made, whatever else is not known. */
static void
test_unknown(void **state)
{
	struct prog p;
	struct ebpf_object *o;

	for (size_t i = 0; i < BASE_NELEMS(users); i++) {
		/* Calls take their arguments from the tuple stack. */
		if (!users[i].name || DIF_INSN_OP(users[i].insn) == DIF_OP_CALL)
			continue;
		make(&p, users[i].insn, BODY);
		for (size_t k = 0; k < BASE_NELEMS(offsets); k++) {
			struct arena *a = arena_new();
			for (size_t m = 0; m < BASE_NELEMS(offsets); m++)
				p.in.kernel.off[m] = m == k ||
					offsets[m].need != users[i].need
					? UINT32_MAX : 8;
			struct err *e = ebpf_generate(a, &p.in, &o);
			if (offsets[k].need != users[i].need) {
				assert_null(e);
			} else {
				assert_int_equal(e->code, ERR_UNSUPPORTED);
				assert_ptr_equal(strstr(e->text, users[i].name),
						 e->text);
				assert_non_null(strstr(e->text, offsets[k].tag));
				assert_non_null(strstr(e->text,
						       offsets[k].path));
				err_free(e);
			}
			arena_free(a);
		}
	}
}

/* Bytes of a slot of such a program. */
static uint32_t
slot_size(uint32_t insn)
{
	struct arena *a = arena_new();
	struct ebpf_object *o;
	struct prog p;

	make(&p, insn, BODY);
	memset(&p.in.kernel, 8, sizeof(p.in.kernel));
	assert_null(ebpf_generate(a, &p.in, &o));
	uint32_t size = o->cfg.slot_size;
	arena_free(a);
	return size;
}

/* Room for stacks is there for who looks at them. */
static void
test_room(void **state)
{
	static const struct { uint32_t id; bool looks; } rows[] = {
		{ DIF_VAR_PID, false }, { DIF_VAR_TID, false },
		{ DIF_VAR_CALLER, true }, { DIF_VAR_STACKDEPTH, true },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		assert_int_equal(slot_size(DIF_FMT_W(DIF_OP_LDGS, rows[i].id, 1)) >=
				 sizeof(struct abi_stacks), rows[i].looks);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_needs),
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
