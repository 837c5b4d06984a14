/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the generator is told of the kernel and of what fires: the kernel's types and
 * symbols are made up, each there or not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "abi/flight.h"
#include "base/base.h"
#include "kengine/kengine_priv.h"
#include "kengine/unwind.h"
#include "support/assertok.h"
#include "type/make.h"

enum { NCPUS = 40, SCRATCH = 100000 };

static const struct {
	unsigned need;
	const char *tag, *path;
} koffs[ABI_NKOFFS] = {
#define KOFF(name, need, tag, path) { EBPF_NEED_##need, tag, path },
#include "abi/koff.def"
#undef KOFF
};

static struct {
	unsigned needs;
	int missing[2];			/* of koffs; -1: none */
	const char *percpu[3];		/* that there are: 100, 200, 300 */
	const char *helper;
	bool has_helpers, may_write, loops, knows_pages, unwinds;
	bool has_kern_symbols, has_syms;
	unsigned ncpus, nasked, fail_at;	/* no memory for that question */
} fake;

static struct arena *arena;
static struct opt_set opts;
static struct plan_prog plan;
static struct kengine k;
static struct ebpf_input in;

unsigned __wrap_ebpf_needs(const struct ebpf_input *i);
struct err *__wrap_typedb_offset(struct typedb *db, const char *tag, const char *path,
				 uint32_t *offset, uint32_t *size);
struct err *__wrap_typedb_percpu(struct typedb *db, const char *name, uint32_t *ret,
				 const struct type **type);
struct err *__wrap_typedb_find(struct typedb *db, const char *module, enum type_kind kind,
			       const char *name, const struct type **ret);
struct err *__wrap_typedb_btf_id(struct typedb *db, enum type_kind kind, const char *name,
				 uint32_t *ret);
struct err *__wrap_kern_symbol(const char *name, uint64_t *ret);
struct err *__wrap_sym_kernel_by_name(struct sym_kernel *s, const char *module,
				      const char *name, struct sym *ret);
bool __wrap_kern_may_write_user(void);
bool __wrap_kern_loops(void);
unsigned __wrap_kern_ncpus(void);
unsigned __wrap_kern_online(uint8_t *mask, unsigned n);
struct err *__wrap_kengine_check_sizes(struct kengine *e, const uint8_t *online);
bool __wrap_kengine_unwinds(const struct kengine *e, const struct ebpf_input *i);
bool __wrap_kengine_pages_known(struct kengine *e, const struct ebpf_input *i);

unsigned
__wrap_ebpf_needs(const struct ebpf_input *i)
{
	return fake.needs;
}

/* Some rows are of the same member. */
static bool
is_same(int a, int b)
{
	return !strcmp(koffs[a].tag, koffs[b].tag) && !strcmp(koffs[a].path, koffs[b].path);
}

static bool
is_missing(int i)
{
	return BASE_ANY(n, 2, fake.missing[n] >= 0 && is_same(fake.missing[n], i));
}

static bool
is_refused(void)
{
	return ++fake.nasked == fake.fail_at;
}

struct err *
__wrap_typedb_offset(struct typedb *db, const char *tag, const char *path,
		     uint32_t *offset, uint32_t *size)
{
	if (is_refused())
		return &err_nomem;
	for (int i = 0; i < ABI_NKOFFS; i++) {
		if (strcmp(koffs[i].tag, tag) || strcmp(koffs[i].path, path))
			continue;
		if (is_missing(i))
			break;
		*offset = 1000 + (uint32_t)i;	/* of the first that asks for it */
		return NULL;
	}
	return err_new(ERR_NOTFOUND, 0, "no %s", path);
}

struct err *
__wrap_typedb_percpu(struct typedb *db, const char *name, uint32_t *ret,
		     const struct type **type)
{
	if (is_refused())
		return &err_nomem;
	for (uint32_t i = 0; i < BASE_NELEMS(fake.percpu); i++)
		if (fake.percpu[i] && !strcmp(fake.percpu[i], name)) {
			*ret = 100 * (i + 1);
			return NULL;
		}
	return err_new(ERR_NOTFOUND, 0, "no %s", name);
}

struct err *
__wrap_typedb_find(struct typedb *db, const char *module, enum type_kind kind,
		   const char *name, const struct type **ret)
{
	const struct type_enumerator e[] = { { "BPF_FUNC_one", 1 }, { fake.helper, 2 } };
	struct type *t = type_new_fwd(arena, TYPE_ENUM, name);

	if (is_refused())
		return &err_nomem;
	assert_string_equal(module, "vmlinux");
	assert_int_equal(kind, TYPE_ENUM);
	assert_string_equal(name, "bpf_func_id");
	assert_true(type_define_enum(arena, t, e, fake.helper ? 2 : 1));
	*ret = fake.has_helpers ? t : NULL;
	return NULL;
}

struct err *
__wrap_typedb_btf_id(struct typedb *db, enum type_kind kind, const char *name,
		     uint32_t *ret)
{
	if (is_refused())
		return &err_nomem;
	*ret = kind == TYPE_FUNC ? 11 : 22;
	assert_string_equal(name, kind == TYPE_FUNC ? "bpf_rdonly_cast" : "pt_regs");
	return NULL;
}

static uint64_t
address_of(const char *name)
{
	return !strcmp(name, "_stext") ? 0x1000 : !strcmp(name, "_etext") ? 0x9000 :
	       !strcmp(name, "__kretprobe_trampoline") ? 0x5000 : 0;
}

struct err *
__wrap_kern_symbol(const char *name, uint64_t *ret)
{
	if (!fake.has_kern_symbols)
		return err_new(ERR_NOTFOUND, 0, "no %s", name);
	*ret = address_of(name);
	return NULL;
}

struct err *
__wrap_sym_kernel_by_name(struct sym_kernel *s, const char *module, const char *name,
			  struct sym *ret)
{
	assert_string_equal(module, "vmlinux");
	ret->addr = address_of(name) + 1;
	return fake.has_syms ? NULL : err_new(ERR_NOTFOUND, 0, "no %s", name);
}

bool
__wrap_kern_may_write_user(void)
{
	return fake.may_write;
}

bool
__wrap_kern_loops(void)
{
	return fake.loops;
}

unsigned
__wrap_kern_ncpus(void)
{
	return fake.ncpus;
}

/* Every other CPU. */
unsigned
__wrap_kern_online(uint8_t *mask, unsigned n)
{
	assert_int_equal(n, fake.ncpus);
	for (unsigned i = 0; i < n; i++)
		mask[i] = i % 2 == 0;
	return (n + 1) / 2;
}

struct err *
__wrap_kengine_check_sizes(struct kengine *e, const uint8_t *online)
{
	assert_int_equal(online[0], 1);
	return is_refused() ? &err_nomem : NULL;
}

bool
__wrap_kengine_unwinds(const struct kengine *e, const struct ebpf_input *i)
{
	return fake.unwinds;
}

bool
__wrap_kengine_pages_known(struct kengine *e, const struct ebpf_input *i)
{
	return fake.knows_pages;
}

static int
begin(void **state)
{
	memset(&fake, 0, sizeof(fake));
	fake.missing[0] = fake.missing[1] = -1;
	fake.ncpus = 2;
	fake.has_helpers = fake.may_write = true;
	fake.has_kern_symbols = fake.has_syms = true;
	memset(&opts, 0, sizeof(opts));
	opts.v[OPT_SCRATCHSIZE] = SCRATCH;
	opts.v[OPT_BUFSIZE] = 1 << 20;
	opts.v[OPT_BUFPOLICY] = OPT_POLICY_SWITCH;
	opts.v[OPT_CPU] = OPT_UNSET;
	memset(&plan, 0, sizeof(plan));
	plan.strsize = 256;
	arena = arena_new();
	return 0;
}

static int
end(void **state)
{
	arena_free(arena);
	return 0;
}

static struct err *
ask(const struct engine_point *points, uint32_t n)
{
	k = (struct kengine){ .e.in = { .a = arena, .opts = &opts, .plan = &plan,
					.points = points, .npoints = n } };
	return kengine_input(&k, &in);
}

/* --- Where members are --------------------------------------------------------- */

static uint32_t
want(unsigned needs, int i)
{
	int first = 0;

	while (!is_same(first, i))
		first++;
	return koffs[i].need & needs && !is_missing(i) ? 1000 + (uint32_t)first : UINT32_MAX;
}

/* Of each need those of its own, and no others; real-time kernels' with two. */
static void
test_offsets(void **state)
{
	for (unsigned bit = 0; bit < 20; bit++) {
		unsigned needs = 1u << bit;

		fake.needs = needs;
		if (needs & (EBPF_NEED_RUNS | EBPF_NEED_RWSEM))
			needs |= EBPF_NEED_RT;
		assert_ok(ask(NULL, 0));
		for (int i = 0; i < ABI_NKOFFS; i++)
			assert_int_equal(in.kernel.off[i], want(needs, i));
	}
	fake.needs = ~0u;
	for (int gone = 0; gone < ABI_NKOFFS; gone++) {
		fake.missing[0] = gone;
		assert_ok(ask(NULL, 0));
		for (int i = 0; i < ABI_NKOFFS; i++)
			assert_int_equal(in.kernel.off[i], want(~0u, i));
	}
}

/* What counts as an interrupt stands in the task, or by itself near the run queues, or in
 * another struct there. */
static void
test_preempt(void **state)
{
	static const struct {
		int missing[2];
		const char *percpu[3];
		uint32_t shift;
		int32_t off;
	} rows[] = {
		{ { -1, -1 }, { "runqueues", "pcpu_hot", "__preempt_count" }, 0, 0 },
		{ { -1, -1 }, { "local_interrupt_disable_state" }, 8, 0 },
		{ { ABI_KOFF_TASK_PREEMPT, -1 }, { "runqueues", "pcpu_hot", "__preempt_count" },
		  0, 200 + 1000 + ABI_KOFF_PCPU_HOT_PREEMPT - 100 },
		{ { ABI_KOFF_TASK_PREEMPT, -1 }, { "pcpu_hot", "__preempt_count", "runqueues" },
		  0, 100 + 1000 + ABI_KOFF_PCPU_HOT_PREEMPT - 300 },
		{ { ABI_KOFF_TASK_PREEMPT, -1 }, { "runqueues", "__preempt_count" }, 0, 0 },
		{ { ABI_KOFF_TASK_PREEMPT, -1 }, { "pcpu_hot" }, 0, 0 },
		{ { ABI_KOFF_TASK_PREEMPT, -1 }, { NULL }, 0, 0 },
		{ { ABI_KOFF_TASK_PREEMPT, ABI_KOFF_PCPU_HOT_PREEMPT },
		  { "runqueues", "pcpu_hot", "__preempt_count" }, 0, 300 - 100 },
		{ { ABI_KOFF_TASK_PREEMPT, ABI_KOFF_TASK_CFS },
		  { "runqueues", "pcpu_hot", "__preempt_count" }, 0, 0 },
		{ { ABI_KOFF_TASK_PREEMPT, ABI_KOFF_CFS_RQ },
		  { "runqueues", "pcpu_hot", "__preempt_count" }, 0, 0 },
	};

	fake.needs = EBPF_NEED_RUNS;
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		memcpy(fake.missing, rows[i].missing, sizeof(fake.missing));
		memcpy(fake.percpu, rows[i].percpu, sizeof(fake.percpu));
		assert_ok(ask(NULL, 0));
		if (in.kernel.preempt_shift != rows[i].shift ||
		    in.kernel.preempt_off != rows[i].off)
			fail_msg("row %zu: %u, %d", i, in.kernel.preempt_shift,
				 in.kernel.preempt_off);
	}
	fake.needs = ~(unsigned)EBPF_NEED_RUNS;
	memcpy(fake.percpu, rows[1].percpu, sizeof(fake.percpu));
	assert_ok(ask(NULL, 0));
	assert_int_equal(in.kernel.preempt_shift, 0);
}

/* Where the flag is that programs at functions and events have is asked for spares only. */
static void
test_active(void **state)
{
	static const struct {
		bool is_spare;
		int missing;
		const char *percpu[2];
		int32_t off;
	} rows[] = {
		{ true, -1, { "runqueues", "bpf_prog_active" }, 200 - 100 },
		{ true, -1, { "bpf_prog_active", "runqueues" }, 100 - 200 },
		{ true, -1, { "runqueues" }, 0 },
		{ true, -1, { "bpf_prog_active" }, 0 },
		{ true, ABI_KOFF_TASK_CFS, { "runqueues", "bpf_prog_active" }, 0 },
		{ true, ABI_KOFF_CFS_RQ, { "runqueues", "bpf_prog_active" }, 0 },
		{ false, -1, { "runqueues", "bpf_prog_active" }, 0 },
	};

	fake.needs = EBPF_NEED_RUNS;
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		const struct abi_point at = { .is_spare = rows[i].is_spare };
		struct engine_point p = { .point = &at, .trigger = PROV_TRIGGER_RAWTP };
		fake.missing[0] = rows[i].missing;
		memcpy(fake.percpu, rows[i].percpu, sizeof(rows[i].percpu));
		assert_ok(ask(&p, 1));
		if (in.kernel.active_off != rows[i].off)
			fail_msg("row %zu: %d", i, in.kernel.active_off);
	}
}

static void
test_registers(void **state)
{
	assert_ok(ask(NULL, 0));
	assert_int_equal(in.kernel.cast_id, 0);
	assert_int_equal(in.kernel.regs_id, 0);
	fake.needs = EBPF_NEED_REGS;
	assert_ok(ask(NULL, 0));
	assert_int_equal(in.kernel.cast_id, 11);
	assert_int_equal(in.kernel.regs_id, 22);
}

/* Whoever writes to processes has to be allowed to. */
static void
test_may_write(void **state)
{
	fake.needs = EBPF_NEED_UWRITE;
	assert_ok(ask(NULL, 0));
	fake.may_write = false;
	struct err *e = ask(NULL, 0);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_UNSUPPORTED);
	err_free(e);
	fake.needs = ~(unsigned)EBPF_NEED_UWRITE;
	assert_ok(ask(NULL, 0));
}

/* What is mapped is asked for where there is a helper, and all of it is known. */
static void
test_maps(void **state)
{
	static const enum abi_koff needed[] = {
		ABI_KOFF_MAP_START, ABI_KOFF_MAP_END, ABI_KOFF_MAP_OFF,
		ABI_KOFF_MAP_FILE, ABI_KOFF_MAP_OPS, ABI_KOFF_FILE_INODE,
		ABI_KOFF_INODE_INO, ABI_KOFF_INODE_SIZE, ABI_KOFF_INODE_SB,
		ABI_KOFF_SB_DEV,
	};
	unsigned shift = (unsigned)__builtin_ctzl((unsigned long)sysconf(_SC_PAGESIZE));

	fake.needs = EBPF_NEED_USTACK;
	fake.helper = "BPF_FUNC_find_vma";
	assert_ok(ask(NULL, 0));
	assert_int_equal(in.page_shift, 0);
	assert_false(in.unwinds);
	fake.unwinds = true;
	assert_ok(ask(NULL, 0));
	assert_true(in.unwinds && k.unwinds);
	assert_int_equal(in.page_shift, shift);
	for (int i = 0; i < ABI_NKOFFS; i++) {
		bool is = false;
		for (size_t n = 0; n < BASE_NELEMS(needed); n++)
			is |= is_same(needed[n], i);
		fake.missing[0] = i;
		assert_ok(ask(NULL, 0));
		assert_int_equal(in.page_shift, is ? 0 : shift);
	}
	fake.missing[0] = -1;
	fake.helper = "BPF_FUNC_other";
	assert_ok(ask(NULL, 0));
	assert_int_equal(in.page_shift, 0);
	fake.helper = "BPF_FUNC_find_vma";
	fake.has_helpers = false;
	assert_ok(ask(NULL, 0));
	assert_int_equal(in.page_shift, 0);
}

/* The kernel's own code: its list of symbols is asked, and where that does not tell, ours. */
static void
test_text(void **state)
{
	assert_ok(ask(NULL, 0));
	assert_int_equal(in.kernel.text, 0);
	assert_false(in.knows);
	fake.loops = true;
	assert_ok(ask(NULL, 0));
	assert_false(in.knows);
	fake.needs = EBPF_NEED_TEXT;
	assert_ok(ask(NULL, 0));
	assert_int_equal(in.kernel.text, 0x1000);
	assert_int_equal(in.kernel.text_end, 0x9000);
	assert_int_equal(in.kernel.returns, kern_is_since(5, 16) ? 0 : 0x5000);
	assert_true(in.knows);
	fake.loops = false;
	assert_ok(ask(NULL, 0));
	assert_false(in.knows);
	fake.has_kern_symbols = false;
	assert_ok(ask(NULL, 0));
	assert_int_equal(in.kernel.text, 0x1001);
	assert_int_equal(in.kernel.text_end, 0x9001);
	fake.has_syms = false;
	assert_ok(ask(NULL, 0));
	assert_int_equal(in.kernel.text, 0);
	assert_int_equal(in.kernel.text_end, 0);
}

/* Want of memory is an error wherever something is asked; that there is none is not. */
static void
test_no_memory(void **state)
{
	fake.needs = ~0u;
	fake.unwinds = true;
	fake.missing[0] = ABI_KOFF_TASK_PREEMPT;
	fake.percpu[0] = "runqueues";
	assert_ok(ask(NULL, 0));
	unsigned n = fake.nasked;
	assert_true(n > ABI_NKOFFS + 6);
	for (unsigned i = 1; i <= n; i++) {
		fake.nasked = 0;
		fake.fail_at = i;
		assert_ptr_equal(ask(NULL, 0), &err_nomem);
	}
}

/* --- Sizes ------------------------------------------------------------------------- */

static const struct abi_point table = { .attach = ABI_ATTACH_RAWTP,
					.find = ABI_FIND_TABLE, .target = "t" },
			      found = { .attach = ABI_ATTACH_UPROBE,
					.find = ABI_FIND_COOKIE, .target = "u" };

static void
test_sizes(void **state)
{
	static const struct {
		int64_t bufsize;
		int policy;
		bool once;
		uint32_t ring_size;
	} rows[] = {
		{ 1, OPT_POLICY_SWITCH, false, 4096 },
		{ 4096, OPT_POLICY_SWITCH, false, 4096 },
		{ 4097, OPT_POLICY_SWITCH, false, 8192 },
		{ 8192, OPT_POLICY_FILL, false, 8192 },
		{ 1ll << 40, OPT_POLICY_SWITCH, false, 1 << 30 },
		{ 1ll << 40, OPT_POLICY_FILL, false, 1 << 30 },
		{ 1ll << 40, OPT_POLICY_RING, false, ABI_FLIGHT_MAX },
		{ ABI_FLIGHT_MAX, OPT_POLICY_RING, false, ABI_FLIGHT_MAX },
		{ 1 << 20, OPT_POLICY_SWITCH, true, 4096 },
		{ 1 << 20, OPT_POLICY_FILL, true, 1 << 20 },
		{ 1 << 20, OPT_POLICY_RING, true, 1 << 20 },
	};
	static const enum ebpf_policy policies[] = {
		[OPT_POLICY_RING] = EBPF_RING, [OPT_POLICY_FILL] = EBPF_FILL,
		[OPT_POLICY_SWITCH] = EBPF_SWITCH,
	};
	struct engine_point p = { .point = &table };

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		p.trigger = rows[i].once ? PROV_TRIGGER_BEGIN : PROV_TRIGGER_RAWTP;
		opts.v[OPT_BUFSIZE] = rows[i].bufsize;
		opts.v[OPT_BUFPOLICY] = rows[i].policy;
		assert_ok(ask(&p, 1));
		assert_int_equal(in.ring_size, rows[i].ring_size);
		assert_int_equal(k.e.buffer_size, rows[i].ring_size);
		assert_int_equal(in.policy, policies[rows[i].policy]);
	}
}

static void
test_options(void **state)
{
	assert_ok(ask(NULL, 0));
	assert_int_equal(in.only_cpu, 0);
	assert_int_equal(in.ncpus, 2);
	assert_int_equal(in.nrings, 2);
	assert_int_equal(k.nrings, 2);
	assert_int_equal(in.scratch_size, SCRATCH);
	assert_false(k.reads_cache);
	assert_memory_equal(in.ring_cpus, "\1\0", 2);
	fake.knows_pages = true;
	fake.ncpus = NCPUS;
	opts.v[OPT_CPU] = 0;
	opts.v[OPT_SCRATCHSIZE] = SCRATCH + 1;
	opts.v[OPT_NSPEC] = 3;
	opts.v[OPT_SPECSIZE] = 1ll << 40;
	assert_ok(ask(NULL, 0));
	assert_true(k.reads_cache);
	assert_int_equal(in.only_cpu, 1);
	assert_int_equal(in.ncpus, NCPUS);
	assert_int_equal(in.nrings, EBPF_RINGS_MAX);
	assert_int_equal(in.scratch_size, SCRATCH + 8);
	assert_int_equal(in.nspec, 3);
	assert_int_equal(in.specsize, UINT32_MAX);
	opts.v[OPT_CPU] = 7;
	opts.v[OPT_SPECSIZE] = 64;
	opts.v[OPT_SCRATCHSIZE] = 0;
	plan.strsize = 1000;
	assert_ok(ask(NULL, 0));
	assert_int_equal(in.only_cpu, 8);
	assert_int_equal(in.specsize, 64);
	assert_int_equal(in.scratch_size, 16000);
}

/* --- Points --------------------------------------------------------------------------- */

static void
test_points(void **state)
{
	static const struct {
		enum prov_trigger trigger;
		uint64_t period_ns;
		bool always, any_cpu, has_period;
	} rows[] = {
		{ PROV_TRIGGER_BEGIN, 0, true, true, false },
		{ PROV_TRIGGER_END, 0, true, true, false },
		{ PROV_TRIGGER_RAWTP, 0, false, false, false },
		{ PROV_TRIGGER_PROFILE, 10, false, false, true },
		{ PROV_TRIGGER_TICK, 20, false, true, false },
		{ PROV_TRIGGER_PROFILE, 30, false, false, true },
		{ PROV_TRIGGER_ERROR, 0, false, false, false },
	};
	enum { N = BASE_NELEMS(rows) };
	struct plan_probe probes[2] = { { 1 }, { 2 } };
	uint32_t clauses[3] = { 0, 1, 2 }, ninterrupts = 0;
	struct engine_point p[N + 1];

	memset(p, 0, sizeof(p));
	for (int i = 0; i <= N; i++) {
		p[i].trigger = i < N ? rows[i].trigger : PROV_TRIGGER_RAWTP;
		p[i].period_ns = i < N ? rows[i].period_ns : 0;
		p[i].point = i < N ? &table : &found;
		p[i].probes.v = probes;
		p[i].probes.n = 2;
		p[i].clauses.v = clauses;
		p[i].clauses.n = 3;
	}
	assert_ok(ask(p, N + 1));
	assert_int_equal(in.npoints, N + 1);
	for (int i = 0; i < N; i++) {
		const struct ebpf_point *got = &in.points[i];
		assert_ptr_equal(got->point, &table);
		assert_ptr_equal(got->probes, probes);
		assert_int_equal(got->nprobes, 2);
		assert_int_equal(got->nclauses, 3);
		assert_int_equal(got->always, rows[i].always);
		assert_int_equal(got->any_cpu, rows[i].any_cpu);
		assert_int_equal(got->period_ns, rows[i].has_period ? rows[i].period_ns : 0);
		assert_int_equal(got->interval, rows[i].has_period ? ninterrupts : 0);
		ninterrupts += rows[i].has_period;
		assert_ptr_equal(k.points[i].p, &p[i]);
		assert_int_equal(k.points[i].prog, -1);
		assert_int_equal(k.points[i].interval, got->interval);
	}
	assert_int_equal(in.nintervals, 2);
	/* one that is found by its place */
	assert_ptr_equal(in.points[N].point, &found);
	assert_int_equal(in.points[N].nprobes, 0);
	assert_int_equal(in.points[N].nclauses, 3);
	assert_ptr_equal(in.points[N].clauses, clauses);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_offsets, begin, end),
		cmocka_unit_test_setup_teardown(test_preempt, begin, end),
		cmocka_unit_test_setup_teardown(test_active, begin, end),
		cmocka_unit_test_setup_teardown(test_registers, begin, end),
		cmocka_unit_test_setup_teardown(test_may_write, begin, end),
		cmocka_unit_test_setup_teardown(test_maps, begin, end),
		cmocka_unit_test_setup_teardown(test_text, begin, end),
		cmocka_unit_test_setup_teardown(test_no_memory, begin, end),
		cmocka_unit_test_setup_teardown(test_sizes, begin, end),
		cmocka_unit_test_setup_teardown(test_options, begin, end),
		cmocka_unit_test_setup_teardown(test_points, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
