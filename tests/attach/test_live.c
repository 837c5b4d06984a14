/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Each way of attaching with each kind of argument that can be had there, on this
 * kernel: generated programs note the arguments of a firing in variables, and
 * this program knows what they must be.  Every row runs with and without
 * bpf_rdonly_cast(); what the kernel refuses is skipped, and says why.
 *
 * Only this process is traced: by the pid that a user probe is attached with, or
 * by an argument that nobody else passes.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "abi/slot.h"
#include "base/base.h"
#include "bpfrt/bpfrt.h"
#include "difasm/difasm.h"
#include "ebpf/ebpf.h"
#include "ebpf/object.h"
#include "kern/kern.h"
#include "kern/site.h"
#include "support/loads.h"
#include "support/pin.h"
#include "typedb/typedb.h"

#if defined(__x86_64__)

enum { NVARS = 6, MAGIC = 0x1badcafe };

/* For what cannot go wrong. */
static void
must(bool fine, const char *what)
{
	if (fine)
		return;
	printf("Bail out! %s\n", what);
	exit(1);
}

/* --- What is traced --------------------------------------------------------- */

/* live_site(words, index): a known register, a known word on the stack. */
__asm__(".text\n"
	".globl live_site, live_nop, live_lock, live_spin\n"
	"live_site:\n"
	"	push	%rbx\n"
	"	movabs	$0x1122334455667788, %rbx\n"
	"	movq	$-7, -8(%rsp)\n"
	"live_nop:\n"
	"	nop\n"
	"	pop	%rbx\n"
	"	ret\n"
	"live_lock:\n"
	"	lock incl (%rdi)\n"
	"	ret\n"
	"live_spin:\n"
	"	push	%rbx\n"
	"	mov	$0x1badcafe, %ebx\n"
	"1:	dec	%rdi\n"
	"	jnz	1b\n"
	"	pop	%rbx\n"
	"	ret\n"
	"live_end:\n");
void live_site(const uint64_t *words, uint64_t index);
void live_spin(uint64_t turns);
extern const char live_nop[], live_end[];
uint64_t live_word = 0x5afe;

static __attribute__((noinline)) long
live_sum(long a, long b)
{
	__asm__ volatile("" : "+r"(a));
	return a + b;
}

static const uint64_t words[] = { 10, 11, 12, 13, 14 };
static const int32_t minus = -4;

static void
fire_site(void)
{
	live_site(words, 2);
}

static void
fire_sum(void)
{
	live_sum(MAGIC - 1, 1);
}

static void
fire_call(void)
{
	syscall(SYS_getppid, MAGIC, &minus, 3, 4, 5, 6);
}

/* There is no such process. */
static void
fire_group(void)
{
	syscall(SYS_getpgid, MAGIC, 2, 3, 4, 5, 6);
}

static void
fire_spin(void)
{
	live_spin(20000000);
}

/* Where an address of this program is in its file. */
static uint64_t
file_offset(const void *addr)
{
	unsigned long start, end, off;
	char line[512];
	FILE *f = fopen("/proc/self/maps", "re");

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx %*s %lx", &start, &end, &off) == 3 &&
		    (uintptr_t)addr >= start && (uintptr_t)addr < end) {
			fclose(f);
			return (uintptr_t)addr - start + off;
		}
	must(false, "no map has this function");
	return 0;
}

/* --- Rows -------------------------------------------------------------------- */

#define FUNCTION "__x64_sys_getppid"
#define TYPED_FUNCTION "__x64_sys_getpgid"	/* BTF knows those that use
						 * their argument */
#define CALL_ARG(n) { ABI_ARG_REG, 8, .reg = ABI_ROLE_CALL##n }
#define OF_REGS(size, is_signed, role) \
	{ ABI_ARG_KMEM, size, is_signed, .reg = ABI_ROLE_ARG0, \
	  .off = ABI_ROLE_OFF_##role }

enum target { TRACEPOINT, SITE, SUM, BY_NAME, BY_ADDRESS, CPU };

static const struct row {
	const char *name;
	uint8_t attach, target;
	void (*fire)(void);
	struct abi_arg args[NVARS];
	uint64_t want[NVARS];	/* [0] is what makes it our firing */
} rows[] = {
	{ "raw tracepoint", ABI_ATTACH_RAWTP, TRACEPOINT, fire_call,
	  { CALL_ARG(0), CALL_ARG(2), { ABI_ARG_CTX, 4, .off = 8 },
	    { ABI_ARG_KMEM, 4, .off = ABI_ROLE_OFF_CALL3 },
	    { ABI_ARG_UMEM, 4, 1, .reg = ABI_ROLE_CALL1 },
	    { ABI_ARG_REG, 2, .reg = ABI_ROLE_CALL0, .off = 2 } },
	  { MAGIC, 3, SYS_getppid, 4, (uint64_t)-4, MAGIC >> 16 } },
	{ "typed tracepoint", ABI_ATTACH_TP_BTF, TRACEPOINT, fire_call,
	  { CALL_ARG(0), CALL_ARG(2), { ABI_ARG_CTX, 8, .off = 8 },
	    { ABI_ARG_KMEM, 4, .off = ABI_ROLE_OFF_CALL3 },
	    { ABI_ARG_UMEM, 4, 1, .reg = ABI_ROLE_CALL1 },
	    { ABI_ARG_CONST, .off = -9 } },
	  { MAGIC, 3, SYS_getppid, 4, (uint64_t)-4, (uint64_t)-9 } },
	{ "sample", ABI_ATTACH_PERF, CPU, fire_spin,
	  { { ABI_ARG_REG, 8, .reg = ABI_REG_BX }, { ABI_ARG_KPC },
	    { ABI_ARG_REG, 1, 1, .reg = ABI_REG_BX },
	    { ABI_ARG_REG, 1, .reg = ABI_REG_BX, .off = 3 } },
	  { MAGIC, 0, (uint64_t)-2, MAGIC >> 24 } },
	{ "user probe", ABI_ATTACH_UPROBE, SITE, fire_site,
	  { { ABI_ARG_REG, 8, .reg = ABI_REG_BX },
	    { ABI_ARG_REG, 1, .reg = ABI_REG_BX, .off = 1 },
	    { ABI_ARG_UMEM, 4, 1, .reg = ABI_REG_SP, .off = -8 },
	    { ABI_ARG_UMEM, 8, .reg = ABI_REG_DI, .index = ABI_REG_SI,
	      .scale = 8, .off = 8 },
	    { ABI_ARG_UMEM, 8, .reg = ABI_REG_IP } /* .off: to live_word */,
	    { ABI_ARG_UMEM, 8, .reg = ABI_REG_SI } /* no such address */ },
	  { 0x1122334455667788, 0x77, (uint64_t)-7, 13, 0x5afe, 0 } },
	{ "user probes", ABI_ATTACH_UPROBE_MULTI, SITE, fire_site,
	  { { ABI_ARG_REG, 8, .reg = ABI_REG_BX },
	    { ABI_ARG_REG, 4, .reg = ABI_REG_SI },
	    { ABI_ARG_UMEM, 2, 1, .reg = ABI_REG_SP, .off = -8 },
	    { ABI_ARG_UMEM, 8, .reg = ABI_REG_DI, .index = ABI_REG_SI,
	      .scale = 8, .off = -8 } },
	  { 0x1122334455667788, 2, (uint64_t)-7, 11 } },
	{ "user return", ABI_ATTACH_URETPROBE, SUM, fire_sum,
	  { { ABI_ARG_REG, 8, .reg = ABI_ROLE_RESULT } }, { MAGIC } },
	{ "user returns", ABI_ATTACH_URETPROBE_MULTI, SUM, fire_sum,
	  { { ABI_ARG_REG, 8, .reg = ABI_ROLE_RESULT } }, { MAGIC } },
	{ "kernel function", ABI_ATTACH_KPROBE, BY_NAME, fire_call,
	  { OF_REGS(8, 0, CALL0), OF_REGS(4, 1, CALL3) }, { MAGIC, 4 } },
	{ "kernel function by address", ABI_ATTACH_KPROBE, BY_ADDRESS,
	  fire_call, { OF_REGS(8, 0, CALL0), OF_REGS(4, 1, CALL3) },
	  { MAGIC, 4 } },
	{ "kernel functions", ABI_ATTACH_KPROBE_MULTI, BY_ADDRESS, fire_call,
	  { OF_REGS(8, 0, CALL0), OF_REGS(4, 1, CALL3) }, { MAGIC, 4 } },
	{ "kernel return", ABI_ATTACH_KRETPROBE, BY_NAME, fire_call,
	  { { ABI_ARG_REG, 4, .reg = ABI_ROLE_RESULT } }, { 0 } },
	{ "kernel returns", ABI_ATTACH_KRETPROBE_MULTI, BY_ADDRESS, fire_call,
	  { { ABI_ARG_REG, 4, .reg = ABI_ROLE_RESULT } }, { 0 } },
	{ "tracepoint's function", ABI_ATTACH_TRACEITER, TRACEPOINT, fire_call,
	  { { ABI_ARG_KMEM, 8, .reg = ABI_ROLE_ARG1, .off = ABI_ROLE_OFF_CALL0 },
	    { ABI_ARG_REG, 4, .reg = ABI_ROLE_ARG2 },
	    { ABI_ARG_KMEM, 4, 1, .reg = ABI_ROLE_ARG1, .off = ABI_ROLE_OFF_CALL3 } },
	  { MAGIC, SYS_getppid, 4 } },
	{ "entry trampoline", ABI_ATTACH_FENTRY, BY_NAME, fire_group,
	  { { ABI_ARG_KMEM, 8, .off = ABI_ROLE_OFF_CALL0 },
	    { ABI_ARG_KMEM, 1, .off = ABI_ROLE_OFF_CALL4 } }, { MAGIC, 5 } },
	{ "exit trampoline", ABI_ATTACH_FEXIT, BY_NAME, fire_group,
	  { { ABI_ARG_KMEM, 8, .off = ABI_ROLE_OFF_CALL0 },
	    { ABI_ARG_CTX, 8, .off = 8 } }, { MAGIC, (uint64_t)-ESRCH } },
};

/* --- A program ---------------------------------------------------------------- */

struct made {
	struct arena *a;
	struct ebpf_object *code;
	struct kern_obj *obj;
	struct dif_difo *pred, *expr[NVARS];
};

static struct dif_difo *
assemble(const char *text)
{
	struct dif_difo *d;
	struct err *e = difasm_assemble(text, &d);

	must(!e, "the text cannot be assembled");
	return d;
}

/* arg0 == want and pid == us; then each argument to a variable. */
static void
make_dif(struct made *m, uint64_t want)
{
	char text[512];

	snprintf(text, sizeof(text),
		 "ldgs DT_VAR(%u), %%r1\n setx %#llx, %%r2\n cmp %%r1, %%r2\n"
		 "bne no\n ldgs DT_VAR(%u), %%r1\n setx %u, %%r2\n"
		 "cmp %%r1, %%r2\n bne no\n setx 1, %%r1\n ret %%r1\n"
		 "no:\n setx 0, %%r1\n ret %%r1\n", DIF_VAR_ARG0,
		 (unsigned long long)want, DIF_VAR_PID, getpid());
	m->pred = assemble(text);
	for (unsigned i = 0; i < NVARS; i++) {
		snprintf(text, sizeof(text),
			 ".var \"v%u\" %u scl glb r/w D type (integer) (size 8)\n"
			 "ldgs DT_VAR(%u), %%r1\n stgs %%r1, DT_VAR(%u)\n"
			 "ret %%r1\n", i, DIF_VAR_OTHER_UBASE + i,
			 DIF_VAR_ARG0 + i, DIF_VAR_OTHER_UBASE + i);
		m->expr[i] = assemble(text);
	}
}

static struct err *
set_target(struct made *m, struct typedb *db, const struct row *r)
{
	bool tp = r->attach == ABI_ATTACH_TP_BTF;
	uint32_t id;

	if (!abi_attach_is_typed(r->attach))
		return NULL;
	TRY(typedb_btf_id(db, tp ? TYPE_TYPEDEF : TYPE_FUNC,
			  tp ? "btf_trace_sys_enter" : TYPED_FUNCTION, &id));
	if (!id)
		return err_new(ERR_NOTFOUND, 0, "the kernel's types do not "
			       "know the function");
	return kern_obj_set_btf(m->obj, m->code->served[0].prog, id, 0);
}

static struct err *
load(struct made *m, struct typedb *db, const struct row *r, bool cast)
{
	static struct plan_var vars[NVARS];
	static struct plan_node nodes[NVARS];
	static const uint32_t zero[] = { 0 };
	static uint8_t cpus[4096];
	struct plan_clause clause = { .body = nodes, .pred = m->pred };
	struct plan_prog plan = { .clauses = &clause, .nclauses = 1,
		.vars = vars, .nvars = NVARS, .strsize = 256 };
	struct abi_point point = { .attach = r->attach, .find = ABI_FIND_ONE,
				   .runs = ABI_RUNS_TASK, .target = "live" };
	struct plan_probe probe = { 1, { "a", "b", "c", "d" }, zero, 1 };
	struct ebpf_point where = { &point, &probe, 1 };
	struct ebpf_input in = { .plan = &plan, .points = &where, .npoints = 1,
		.ncpus = kern_ncpus(), .ring_cpus = cpus, .ring_size = 4096,
		.scratch_size = 4096 };

	for (unsigned i = 0; i < NVARS; i++) {
		vars[i] = (struct plan_var){ "v", DIF_VAR_OTHER_UBASE + i,
			DIF_VS_GLOBAL, DIF_VK_SCALAR,
			{ DIF_TYPE_CTF, DIF_CK_INTEGER, 0, 0, 8 } };
		nodes[i] = (struct plan_node){ .kind = PLAN_EXPR, .ndifos = 1,
			.difos = (const struct dif_difo **)&m->expr[i],
			.action_no = i + 1,
			.next = i + 1 < NVARS ? &nodes[i + 1] : NULL };
		point.args[i] = r->args[i];
	}
	if (r->attach == ABI_ATTACH_UPROBE)
		point.args[4].off = (const char *)&live_word - live_nop;
	memset(in.kernel.off, 0xff, sizeof(in.kernel.off));
	if (cast) {
		TRY(typedb_btf_id(db, TYPE_FUNC, "bpf_rdonly_cast",
				  &in.kernel.cast_id));
		TRY(typedb_btf_id(db, TYPE_STRUCT, "pt_regs",
				  &in.kernel.regs_id));
	}
	TRY(ebpf_generate(m->a, &in, &m->code));
	const struct abi_obj *objs[] = { &m->code->obj, &bpfrt_object };
	TRY(kern_obj_open(objs, 2, &m->obj));
	TRY(kern_obj_set_map(m->obj, "dt_slots", m->code->cfg.slot_size,
			     in.ncpus * ABI_NSLOTS));
	TRY(kern_obj_need_map(m->obj, ".bss.ctl"));
	TRY(kern_obj_need_map(m->obj, "dt_drops"));
	TRY(kern_obj_set_map(m->obj, "dt_drops", 0, in.ncpus));
	TRY(kern_obj_set_initial(m->obj, ".rodata.cfg", &m->code->cfg));
	TRY(set_target(m, db, r));
	return kern_obj_load(m->obj, false);
}

/* --- Firing ------------------------------------------------------------------- */

static struct err *
attach(const struct made *m, const struct row *r, struct kern_link **ret)
{
	static struct kern_place places[2];
	struct kern_site site = { .attach = r->attach, .places = places,
				  .nplaces = 1, .pid = getpid() };

	switch ((enum target)r->target) {
	case TRACEPOINT:
		site.target = "sys_enter";
		break;
	case SITE:
	case SUM:
		site.target = "/proc/self/exe";
		site.place.at = file_offset(r->target == SITE ? live_nop :
					    (const void *)live_sum);
		break;
	case BY_NAME:
		site.target = abi_attach_is_typed(r->attach) ? TYPED_FUNCTION
							     : FUNCTION;
		break;
	case BY_ADDRESS:
		TRY(kern_symbol(FUNCTION, &site.place.at));
		break;
	case CPU:
		site.cpu = (unsigned)sched_getcpu();
		site.period_ns = 1000000;
	}
	places[0] = site.place;
	return kern_attach(kern_obj_prog(m->obj, m->code->served[0].prog), &site,
			   ret);
}

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Variables, as far as they lie in the map of all of them. */
static void
read_vars(const struct made *m, uint64_t *ret)
{
	uint64_t values[64] = { 0 };
	uint32_t key = 0;

	must(!bpf_map_lookup_elem(kern_obj_map(m->obj, ".bss.vars"), &key,
				  values), "there are no variables");
	memcpy(ret, values, NVARS * sizeof(*ret));
}

static bool
check(const struct made *m, const struct row *r)
{
	uint64_t got[NVARS] = { 0 }, end = now() + 10000000000;
	uint64_t want[NVARS];
	bool fine = true;

	memcpy(want, r->want, sizeof(want));
	if (!want[0])
		want[0] = (uint64_t)getppid();
	do {
		r->fire();
		read_vars(m, got);
	} while (got[0] != want[0] && now() < end);
	for (unsigned i = 0; i < NVARS; i++) {
		if (got[i] == want[i])
			continue;
		printf("# argument %u is %#llx, not %#llx\n", i,
		       (unsigned long long)got[i],
		       (unsigned long long)want[i]);
		fine = false;
	}
	return fine;
}

/* What every kernel has that we run on. */
static bool
may_be_refused(const struct row *r)
{
	return r->attach != ABI_ATTACH_RAWTP && r->attach != ABI_ATTACH_PERF &&
	       r->attach != ABI_ATTACH_UPROBE;
}

static void
run(unsigned number, const struct row *r, bool cast)
{
	struct typedb *db;
	struct made m = { .a = arena_new() };
	struct kern_link *l = NULL, *held = NULL;
	bool fine = true;

	must(m.a && !typedb_new(m.a, NULL, &db), "there are no types");
	make_dif(&m, r->want[0] ? r->want[0] : (uint64_t)getppid());
	struct err *e = load(&m, db, r, cast);
	if (!e && r->attach == ABI_ATTACH_TRACEITER)
		e = kern_hold_traceiter("sys_enter", 2, &held);
	if (!e)
		e = attach(&m, r, &l);
	bool skipped = e && may_be_refused(r);
	fine = e ? skipped : check(&m, r);
	if (e && !skipped)
		printf("# %s\n", e->text);
	printf("%sok %u - %s%s%s%s\n", fine ? "" : "not ", number, r->name,
	       cast ? "" : ", by a helper", skipped ? " # skip " : "",
	       skipped ? e->text : "");
	err_free(e);
	kern_detach(l);
	kern_detach(held);
	kern_obj_close(m.obj);
	difasm_free(m.pred);
	for (unsigned i = 0; i < NVARS; i++)
		difasm_free(m.expr[i]);
	typedb_free(db);
	arena_free(m.a);
}

int
main(void)
{
	struct err *e = kern_may_trace();

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (e && kernel_loads()) {
		printf("Bail out! the kernel loads programs: %s\n", e->text);
		return 1;
	}
	if (e) {
		printf("1..0 # skip %s\n", e->text);
		return 0;
	}
	pin();		/* samples are of one CPU, and processes are many */
	printf("1..%zu\n", 2 * BASE_NELEMS(rows));
	for (unsigned i = 0; i < 2 * BASE_NELEMS(rows); i++)
		run(i + 1, &rows[i / 2], i % 2 == 0);
	return 0;
}

#else

int
main(void)
{
	puts("1..0 # skip: registers of this architecture are not told");
	return 0;
}

#endif
