/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is attached where and in which order, and what is told of places that the kernel
 * refuses, with a kernel of the test's own that writes down what it is asked for.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/base.h"
#include "kengine/attach_priv.h"
#include "kengine/kengine_priv.h"
#include "kern/site.h"
#include "support/assertok.h"
#include "util/sb.h"

enum { NCPUS = 4, LINKS_MAX = 64, ENDLESS = 1 << 16 };

/* --- The kernel ------------------------------------------------------------------ */

static struct {
	struct sb log;		/* what was asked for, one line each */
	const char *refuses;	/* targets that are refused; NULL: none */
	uint64_t refuses_at;	/* places there are refused, and are with_errno */
	int with_errno;
	unsigned online;	/* bit n: CPU n */
	int nlinks;
	uint64_t *spared;		/* one more each time a link is asked */
} kernel;

struct err *__wrap_kern_attach(int prog, const struct kern_site *s, struct kern_link **ret);
struct err *__wrap_kern_hold_traceiter(const char *target, unsigned n, struct kern_link **ret);
unsigned __wrap_kern_online(uint8_t *mask, unsigned n);
void __wrap_kern_detach_all(struct kern_link *const *l, size_t n);
uint64_t __wrap_kern_link_misses(const struct kern_link *l);
uint64_t __wrap_kern_prog_misses(int prog);
int __wrap_kern_obj_prog(struct kern_obj *o, const char *name);
struct err *__wrap_prov_tracefs_event(const char *group, const char *name,
				      struct abi_event *ret);

static struct err *
add_link(struct kern_link **ret)
{
	*ret = (struct kern_link *)(uintptr_t)++kernel.nlinks;
	return NULL;
}

static void
put_place(const struct kern_place *p)
{
	sb_printf(&kernel.log, " %llx=%llu", (unsigned long long)p->at,
		  (unsigned long long)p->cookie);
	if (p->ref_ctr)
		sb_printf(&kernel.log, "#%llx", (unsigned long long)p->ref_ctr);
}

struct err *
__wrap_kern_attach(int prog, const struct kern_site *s, struct kern_link **ret)
{
	uint32_t refused = 0;

	sb_printf(&kernel.log, "%d %s %s", prog, abi_attach_row(s->attach)->section,
		  s->target ? s->target : "-");
	if (s->pid)
		sb_printf(&kernel.log, " pid %d", s->pid);
	if (s->attach == ABI_ATTACH_PERF)
		sb_printf(&kernel.log, " cpu %u each %llu", s->cpu,
			  (unsigned long long)s->period_ns);
	if (s->event)
		sb_printf(&kernel.log, " cpu %u event %llu", s->cpu,
			  (unsigned long long)s->event->config);
	if (s->place.at || s->place.cookie)
		put_place(&s->place);
	for (uint32_t i = 0; i < s->nplaces; i++) {
		struct kern_place *p = &s->places[i];
		put_place(p);
		if (kernel.refuses_at && p->at == kernel.refuses_at) {
			p->refused = kernel.with_errno;
			refused++;
		}
	}
	sb_putc(&kernel.log, '\n');
	if (kernel.refuses && s->target && !strcmp(s->target, kernel.refuses))
		return err_new(ERR_OS, kernel.with_errno, "the test says no");
	if (refused && refused == s->nplaces)
		return err_new(ERR_OS, kernel.with_errno, "all are refused");
	return add_link(ret);
}

struct err *
__wrap_kern_hold_traceiter(const char *target, unsigned n, struct kern_link **ret)
{
	sb_printf(&kernel.log, "hold %s by %u\n", target, n);
	return add_link(ret);
}

unsigned
__wrap_kern_online(uint8_t *mask, unsigned n)
{
	assert_int_equal(n, NCPUS);
	for (unsigned i = 0; i < n; i++)
		mask[i] = kernel.online >> i & 1;
	return (unsigned)__builtin_popcount(kernel.online);
}

void
__wrap_kern_detach_all(struct kern_link *const *l, size_t n)
{
	sb_printf(&kernel.log, "detach %zu", n);
	for (size_t i = 0; i < n; i++)		/* all, from the first: their number will do */
		if (l[i] != (void *)(i + 1) || n < (size_t)kernel.nlinks)
			sb_printf(&kernel.log, " #%zu", (size_t)l[i]);
	sb_puts(&kernel.log, "\n");
}

uint64_t
__wrap_kern_link_misses(const struct kern_link *l)
{
	if (kernel.spared)
		++*kernel.spared;
	return 100;
}

uint64_t
__wrap_kern_prog_misses(int prog)
{
	return (uint64_t)prog;
}

int
__wrap_kern_obj_prog(struct kern_obj *o, const char *name)
{
	return !strcmp(name, "dt_exit") ? 90 : 91 + name[strlen(name) - 1] - '0';
}

struct err *
__wrap_prov_tracefs_event(const char *group, const char *name, struct abi_event *ret)
{
	assert_string_equal(group, "raw_syscalls");
	*ret = (struct abi_event){ .config = (uint64_t)name[4] };
	return NULL;
}

/* --- The engine ------------------------------------------------------------------ */

enum { POINTS_MAX = 8 };

static struct {
	struct kengine k;
	struct ebpf_object code;
	struct opt_set opts;
	struct abi_point at[POINTS_MAX];
	struct engine_point points[POINTS_MAX];
	struct kengine_point kpoints[POINTS_MAX];
	struct ebpf_served served[POINTS_MAX];
	struct abi_interval intervals[NCPUS * 2];
	struct sb warnings;
} r;

static void
warn(void *ctx, const char *text)
{
	sb_printf(ctx, "%s\n", text);
}

static int
begin(void **state)
{
	memset(&r, 0, sizeof(r));
	memset(&kernel, 0, sizeof(kernel));
	sb_init(&r.warnings, ENDLESS);
	sb_init(&kernel.log, ENDLESS);
	kernel.online = (1 << NCPUS) - 1;
	r.opts.v[OPT_CPU] = -1;
	r.code.served = r.served;
	r.k.code = &r.code;
	r.k.points = r.kpoints;
	r.k.ncpus = NCPUS;
	r.k.nintervals = 2;
	r.k.shared.intervals = r.intervals;
	r.k.e.in = (struct engine_input){ .opts = &r.opts, .points = r.points,
		.warn = warn, .warn_ctx = &r.warnings };
	r.k.e.in.a = arena_new();
	return r.k.e.in.a ? 0 : -1;
}

static int
end(void **state)
{
	for (uint32_t i = 0; i < r.k.e.in.npoints; i++) {
		vec_fini(&r.points[i].probes);
		vec_fini(&r.points[i].sites);
	}
	kengine_links_fini(&r.k.links);
	vec_fini(&r.k.held);
	arena_free(r.k.e.in.a);
	sb_fini(&r.warnings);
	sb_fini(&kernel.log);
	return 0;
}

/* A point, whose program is its number from 10 on. */
static struct engine_point *
add_point(enum prov_trigger trigger, struct abi_point at)
{
	uint32_t i = r.k.e.in.npoints++;

	assert_true(i < POINTS_MAX);
	r.at[i] = at;
	r.points[i] = (struct engine_point){ .point = &r.at[i], .trigger = trigger };
	r.kpoints[i] = (struct kengine_point){ .p = &r.points[i], .prog = 10 + (int)i };
	r.served[i] = (struct ebpf_served){ .attach = at.attach, .is_first = true };
	return &r.points[i];
}

static void
add_site(struct engine_point *p, struct prov_site site)
{
	static const char *const names[] = { "f0", "f1", "f2", "f3", "f4", "f5" };
	size_t n = p->probes.n;

	assert_true(n < BASE_NELEMS(names));
	assert_true(vec_push(&p->probes, ((struct plan_probe){
		.part = { "prov", "mod", names[n], "entry" } })));
	assert_true(vec_push(&p->sites, ((struct engine_site){ site, (uint32_t)n })));
}

static void
add_places(struct engine_point *p, const char *file, pid_t pid, uint64_t first, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		add_site(p, (struct prov_site){ .file = file, .pid = pid,
						.offset = first + 16 * i });
}

static struct engine_point *
add_multi(void)
{
	return add_point(PROV_TRIGGER_RAWTP, (struct abi_point){ .find = ABI_FIND_COOKIE,
		.attach = ABI_ATTACH_UPROBE_MULTI, .target = "user" });
}

static void
expect(const char *log, const char *warnings)
{
	assert_string_equal(sb_str(&kernel.log), log);
	assert_string_equal(sb_str(&r.warnings), warnings);
	sb_reset(&kernel.log);
	sb_reset(&r.warnings);
}

/* --- Order ----------------------------------------------------------------------- */

static void
add_rank(enum abi_attach attach, const char *target, uint8_t rank)
{
	add_point(PROV_TRIGGER_RAWTP, (struct abi_point){ .attach = attach,
		.target = target, .rank = rank });
}

/* At a tracepoint what is attached first runs first; at the function that calls its
 * programs what is attached last does.  BEGIN and END are attached nowhere. */
static void
test_ranks(void **state)
{
	add_rank(ABI_ATTACH_RAWTP, "b", 2);
	add_rank(ABI_ATTACH_TRACEITER, "d", 1);
	add_point(PROV_TRIGGER_BEGIN, (struct abi_point){ .attach = ABI_ATTACH_RUN });
	add_rank(ABI_ATTACH_RAWTP, "a", 0);
	add_rank(ABI_ATTACH_TRACEITER, "c", 2);
	add_rank(ABI_ATTACH_TRACEITER, "d", 2);
	add_rank(ABI_ATTACH_TP_BTF, "a2", 0);
	add_rank(ABI_ATTACH_TRACEITER, "c", 0);
	assert_ok(kengine_attach(&r.k));
	expect("13 raw_tp a\n16 tp_btf a2\n10 raw_tp b\n"
	       "15 traceiter d\nhold d by 2\n14 traceiter c\nhold c by 2\n"
	       "11 traceiter d\n17 traceiter c\n", "");
	assert_int_equal(kernel.nlinks, 9);
	/* What is gone still counts, and programs do. */
	assert_int_equal(kengine_missed(&r.k), 900 + 8 * 10 + 28);
	kengine_detach(&r.k);
	expect("detach 9\n", "");
	assert_int_equal(kengine_missed(&r.k), 900 + 8 * 10 + 28);
	kengine_detach(&r.k);
	expect("detach 0\n", "");
}

/* A spare comes last, and is the second program at its tracepoint.  What it has seen is
 * not lost, and what it skipped itself was skipped before. */
static void
test_spare(void **state)
{
	uint64_t drops[2 * DROP_ROW] = { 0 };
	struct abi_point spare = { .attach = ABI_ATTACH_RAWTP, .target = "a",
				   .is_spare = true };

	r.k.ncpus = 2;
	r.k.shared.drops = drops;
	add_point(PROV_TRIGGER_RAWTP, spare);
	add_point(PROV_TRIGGER_RAWTP, (struct abi_point){ .attach = ABI_ATTACH_TRACEITER,
		.target = "a", .spare = &spare });
	add_rank(ABI_ATTACH_RAWTP, "b", 0);
	/* It makes no difference whether a site says where it is. */
	add_site(add_point(PROV_TRIGGER_RAWTP, (struct abi_point){ .target = "c",
		.attach = ABI_ATTACH_TRACEITER }), (struct prov_site){ .tracepoint = "c" });
	assert_ok(kengine_attach(&r.k));
	expect("12 raw_tp b\n13 traceiter c\nhold c by 2\n"
	       "11 traceiter a\nhold a by 1\n10 raw_tp a\n", "");
	/* By programs 11 to 13, and six links. */
	uint64_t all = 11 + 12 + 13 + 6 * 100;
	/* Those that come while it is asked are counted as skipped, and seen. */
	kernel.spared = &drops[ABI_SPARED];
	assert_int_equal(kengine_missed(&r.k), all - 6);
	kernel.spared = NULL;
	r.k.missed_most = 0;
	drops[ABI_SPARED] = 3;
	drops[DROP_ROW + ABI_SPARED] = 2;
	assert_int_equal(kengine_missed(&r.k), all - 5);
	/* One that was seen before it is counted as skipped: nothing comes back. */
	drops[ABI_SPARED] += 1;
	assert_int_equal(kengine_missed(&r.k), all - 5);
	drops[ABI_SPARED] += all;
	assert_int_equal(kengine_missed(&r.k), all - 5);
	kengine_detach(&r.k);
	r.k.shared.drops = NULL;
}

/* A program that serves several points is attached once, where the first would be, and in
 * its own way. */
static void
test_shared(void **state)
{
	add_rank(ABI_ATTACH_RAWTP, "a", 0);
	add_rank(ABI_ATTACH_RAWTP, "b", 0);
	add_rank(ABI_ATTACH_TP_BTF, "a", 0);
	r.served[0].attach = ABI_ATTACH_TP_BTF;
	r.served[2].is_first = false;
	assert_ok(kengine_attach(&r.k));
	expect("10 tp_btf a\n11 raw_tp b\n", "");
	assert_int_equal(kernel.nlinks, 2);
}

/* What such a program missed counts once, whichever of its points is asked, and what no
 * program serves missed nothing. */
static void
test_shared_missed(void **state)
{
	for (unsigned i = 0; i < 4; i++)
		add_rank(ABI_ATTACH_KPROBE_MULTI, "f", 0);
	r.kpoints[1].prog = r.kpoints[3].prog = 10;
	r.served[1].is_first = r.served[3].is_first = false;
	assert_int_equal(kengine_missed(&r.k), 10 + 12);
	r.k.missed = 5;
	assert_int_equal(kengine_missed(&r.k), 10 + 12 + 5);
	r.k.code = NULL;
	assert_int_equal(kengine_missed(&r.k), 5);
}

/* A way to attach, -x verbose, and what was missed at functions: 10, or nothing. */
static const struct {
	enum abi_attach attach;
	int64_t verbose;
	bool is_told;
} misses[] = {
	{ ABI_ATTACH_KPROBE, 1, true }, { ABI_ATTACH_KRETPROBE, 1, true },
	{ ABI_ATTACH_KPROBE_MULTI, 1, true }, { ABI_ATTACH_KRETPROBE_MULTI, 2, true },
	{ ABI_ATTACH_TRACEITER, 1, true },
	{ ABI_ATTACH_KPROBE_MULTI, 0, false },
	{ ABI_ATTACH_RAWTP, 1, false }, { ABI_ATTACH_TP_BTF, 1, false },
	{ ABI_ATTACH_TRACEPOINT, 1, false }, { ABI_ATTACH_UPROBE, 1, false },
	{ ABI_ATTACH_UPROBE_MULTI, 1, false }, { ABI_ATTACH_PERF, 1, false },
};

/* It is told once; of another way's program beside it, and of the same's second point,
 * there is nothing in it. */
static void
test_missed_told(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(misses); i++) {
		assert_int_equal(begin(NULL), 0);
		r.opts.v[OPT_VERBOSE] = misses[i].verbose;
		add_rank(misses[i].attach, "f", 0);
		add_rank(ABI_ATTACH_RAWTP, "t", 0);
		add_rank(misses[i].attach, "g", 0);
		r.served[2].is_first = false;
		kengine_missed_tell(&r.k);
		expect("", misses[i].is_told ? "10 of the firings lost are calls of functions "
		       "while a program for another ran on that CPU, as by interrupts\n" : "");
		kengine_missed_tell(&r.k);
		expect("", "");
		end(NULL);
	}
	begin(NULL);
}

/* Where none was missed, or nobody listens, there is nothing to tell. */
static void
test_none_missed(void **state)
{
	r.opts.v[OPT_VERBOSE] = 1;
	add_rank(ABI_ATTACH_KPROBE, "f", 0);
	r.kpoints[0].prog = 0;
	kengine_missed_tell(&r.k);
	r.kpoints[0].prog = 10;
	r.k.has_told_missed = false;
	r.k.e.in.warn = NULL;
	kengine_missed_tell(&r.k);
	expect("", "");
}

static void
test_threads(void **state)
{
	static const char *const frees[] = { "dt_free_1", "dt_free_2" };

	r.code.frees = (void *)frees;
	r.code.nfrees = 2;
	add_rank(ABI_ATTACH_RAWTP, "x", 0);
	assert_ok(kengine_attach(&r.k));
	expect("92 raw_tp task_newtask\n92 raw_tp sched_process_free\n"
	       "93 raw_tp task_newtask\n93 raw_tp sched_process_free\n"
	       "90 raw_tp sched_process_exit\n10 raw_tp x\n", "");
}

/* --- CPUs ------------------------------------------------------------------------ */

/* The trigger, the option cpu, the CPUs that are online; and where it is attached. */
static const struct {
	enum prov_trigger trigger;
	int64_t cpu;
	unsigned online;
	const char *log;
	unsigned begun;		/* CPUs whose firings are counted */
} cpus[] = {
	{ PROV_TRIGGER_PROFILE, -1, 0xb, "10 perf_event - cpu 0 each 77\n"
	  "10 perf_event - cpu 1 each 77\n10 perf_event - cpu 3 each 77\n", 0xb },
	{ PROV_TRIGGER_PROFILE, 0, 0xf, "10 perf_event - cpu 0 each 77\n", 1 },
	{ PROV_TRIGGER_PROFILE, 3, 0xf, "10 perf_event - cpu 3 each 77\n", 8 },
	{ PROV_TRIGGER_PROFILE, 2, 0xb, "", 0 },
	{ PROV_TRIGGER_INTERRUPT, -1, 0xf, "10 perf_event - cpu 0 each 77\n", 1 },
	{ PROV_TRIGGER_INTERRUPT, -1, 0xc, "10 perf_event - cpu 2 each 77\n", 4 },
	{ PROV_TRIGGER_INTERRUPT, 1, 0xf, "10 perf_event - cpu 1 each 77\n", 2 },
	{ PROV_TRIGGER_EVENT, -1, 0x3, "10 perf_event - cpu 0 each 77\n"
	  "10 perf_event - cpu 1 each 77\n", 0 },
	{ PROV_TRIGGER_TICK, -1, 0xf, "", 0 },
};

static void
test_cpus(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(cpus); i++) {
		assert_int_equal(begin(NULL), 0);
		r.opts.v[OPT_CPU] = cpus[i].cpu;
		kernel.online = cpus[i].online;
		add_point(cpus[i].trigger, (struct abi_point){ .attach =
			ABI_ATTACH_PERF })->period_ns = 77;
		r.kpoints[0].interval = 1;
		assert_ok(kengine_attach(&r.k));
		expect(cpus[i].log, "");
		for (unsigned cpu = 0; cpu < NCPUS; cpu++) {
			assert_int_equal(r.intervals[cpu * 2].begun, 0);
			assert_int_equal(r.intervals[cpu * 2 + 1].begun,
					 cpus[i].begun >> cpu & 1);
		}
		end(NULL);
	}
	begin(NULL);
}

/* One event stands for all CPUs, and is that of one that is there: the last may be,
 * when nobody knows. */
static void
test_tracepoint(void **state)
{
	static const struct { unsigned online; const char *log; } rows[] = {
		{ 0xf, "10 tp - cpu 0 event 101\n" }, { 0xc, "10 tp - cpu 2 event 101\n" },
		{ 0x8, "10 tp - cpu 3 event 101\n" }, { 0, "10 tp - cpu 3 event 101\n" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		assert_int_equal(begin(NULL), 0);
		kernel.online = rows[i].online;
		add_point(PROV_TRIGGER_RAWTP, (struct abi_point){
			.attach = ABI_ATTACH_TRACEPOINT, .group = "raw_syscalls",
			.target = "sys_enter" });
		assert_ok(kengine_attach(&r.k));
		expect(rows[i].log, "");
		end(NULL);
	}
	begin(NULL);
}

/* --- Sites ----------------------------------------------------------------------- */

/* Neighbours in one file and process have one link, and their cookies ascend. */
static void
test_together(void **state)
{
	struct engine_point *p = add_multi();

	r.kpoints[0].first_cookie = 40;
	add_places(p, "/a", 7, 0x100, 2);
	add_places(p, "/a", 8, 0x100, 1);
	add_places(p, "/b", 8, 0x200, 1);
	add_site(p, (struct prov_site){ .file = "/b", .pid = 8, .offset = 0x300,
					.semaphore = 0x88 });
	add_places(p, NULL, 8, 0, 1);
	assert_ok(kengine_attach(&r.k));
	expect("10 uprobe.multi /a pid 7 100=40 110=41\n"
	       "10 uprobe.multi /a pid 8 100=42\n"
	       "10 uprobe.multi /b pid 8 200=43 300=44#88\n"
	       "10 uprobe.multi - pid 8 0=45\n", "");
}

/* Ways that take one place only, and what says where that is. */
static void
test_apart(void **state)
{
	struct engine_point *p = add_point(PROV_TRIGGER_RAWTP, (struct abi_point){
		.find = ABI_FIND_COOKIE, .attach = ABI_ATTACH_UPROBE, .target = "own" });

	r.kpoints[0].first_cookie = 1;
	add_places(p, "/a", 7, 0x100, 2);
	add_site(p, (struct prov_site){ .tracepoint = "tp" });
	add_site(p, (struct prov_site){ .addr = 0xfff0 });
	add_site(p, (struct prov_site){ .point = NULL });
	/* Without cookies sites may still tell where they are. */
	p = add_point(PROV_TRIGGER_RAWTP, (struct abi_point){
		.attach = ABI_ATTACH_KPROBE, .target = "own" });
	add_site(p, (struct prov_site){ .addr = 0xeee0 });
	p = add_point(PROV_TRIGGER_RAWTP, (struct abi_point){
		.attach = ABI_ATTACH_KPROBE, .target = "own" });
	add_site(p, (struct prov_site){ .point = NULL });
	assert_ok(kengine_attach(&r.k));
	expect("10 uprobe /a pid 7 100=1\n10 uprobe /a pid 7 110=2\n"
	       "10 uprobe tp 0=3\n10 uprobe - fff0=4\n10 uprobe own 0=5\n"
	       "11 kprobe - eee0=0\n12 kprobe own\n", "");
}

/* --- Anew ------------------------------------------------------------------------ */

static const uint64_t before = 0, later = UINT64_MAX / 2;

static void
attach_again(int pid, enum engine_first first, uint64_t time_ns, const char *log)
{
	assert_ok(kengine_attach_again(&r.k, pid, first, time_ns));
	expect(log, "");
}

/* What goes by a thread that has ended goes by the one that took its place; it is gone
 * before, and what came after that is left alone. */
static void
test_another_first(void **state)
{
	struct engine_point *p = add_multi();

	r.kpoints[0].first_cookie = 40;
	add_places(p, "/a", 7, 0x100, 2);
	add_places(p, "/a", 8, 0x100, 1);
	add_places(p, "/b", 7, 0x200, 1);
	add_places(p, "/b", 0, 0x200, 1);
	p = add_point(PROV_TRIGGER_RAWTP, (struct abi_point){
		.find = ABI_FIND_COOKIE, .attach = ABI_ATTACH_URETPROBE, .target = "own" });
	add_places(p, "/a", 7, 0x100, 1);
	assert_ok(kengine_attach(&r.k));
	sb_reset(&kernel.log);
	attach_again(7, ENGINE_FIRST_ANOTHER, before, "detach 0\n");
	attach_again(9, ENGINE_FIRST_ANOTHER, later, "detach 0\n");
	attach_again(0, ENGINE_FIRST_ANOTHER, later, "");
	attach_again(7, ENGINE_FIRST_ANOTHER, later, "detach 3 #1 #3 #5\n"
		     "10 uprobe.multi /a pid 7 100=40 110=41\n"
		     "10 uprobe.multi /b pid 7 200=43\n11 uretprobe /a pid 7 100=0\n");
	assert_int_equal(r.k.missed, 300);
	attach_again(7, ENGINE_FIRST_ANOTHER, later, "detach 3 #6 #7 #8\n"
		     "10 uprobe.multi /a pid 7 100=40 110=41\n"
		     "10 uprobe.multi /b pid 7 200=43\n11 uretprobe /a pid 7 100=0\n");
	kengine_detach(&r.k);
	expect("detach 5 #2 #4 #9 #10 #11\n", "");
}

/* Nothing goes by a thread that has ended: a perf event of its process fires no more, and
 * links of many that came after it.  Theirs are attached for all, where programs know the
 * process, once; until there is a first one again. */
static void
test_no_first(void **state)
{
	struct engine_point *p = add_multi();

	add_places(p, "/a", 7, 0x100, 2);
	add_places(p, "/b", 7, 0x100, 1);	/* which is not known */
	p->probes.v[0].pid = p->probes.v[1].pid = 7;
	add_site(p, (struct prov_site){ .file = "/c", .pid = 7, .offset = 0x300,
					.leaderless = true });
	p = add_point(PROV_TRIGGER_RAWTP, (struct abi_point){
		.find = ABI_FIND_COOKIE, .attach = ABI_ATTACH_UPROBE, .target = "own" });
	add_places(p, "/a", 7, 0x100, 1);
	p->probes.v[0].pid = 7;
	assert_ok(kengine_attach(&r.k));
	expect("10 uprobe.multi /a pid 7 100=0 110=1\n10 uprobe.multi /b pid 7 100=2\n"
	       "10 uprobe.multi /c 300=3\n11 uprobe /a pid 7 100=0\n", "");
	attach_again(7, ENGINE_FIRST_NONE, later, "detach 1 #4\n11 uprobe /a 100=0\n");
	attach_again(7, ENGINE_FIRST_NONE, before,
		     "detach 1 #1\n10 uprobe.multi /a 100=0 110=1\n");
	attach_again(7, ENGINE_FIRST_NONE, before, "detach 0\n");
	attach_again(7, ENGINE_FIRST_ANOTHER, later, "detach 4 #2 #3 #5 #6\n"
		     "10 uprobe.multi /b pid 7 100=2\n10 uprobe.multi /c pid 7 300=3\n"
		     "11 uprobe /a pid 7 100=0\n10 uprobe.multi /a pid 7 100=0 110=1\n");
}

/* --- Refusals -------------------------------------------------------------------- */

/* Which of six places are refused, and what is told.  All but the first have one
 * address, so that several can be refused at once. */
static const struct {
	uint64_t at;
	int with_errno;
	int64_t verbose;
	unsigned n;		/* places of that address, of n + 1 */
	const char *warnings;
} refusals[] = {
	{ 0x10, EINVAL, 0, 1, "cannot attach prov:mod:f0:entry at /a+0x10: "
	  "Invalid argument\n" },
	{ 0x20, ENOEXEC, 0, 1, "cannot attach prov:mod:f1:entry at /a+0x20: the kernel "
	  "takes no probe on this instruction\n" },
	{ 0x20, EINVAL, 0, 3, "cannot attach prov:mod:f1:entry at /a+0x20: Invalid argument\n"
	  "cannot attach prov:mod:f2:entry at /a+0x20: Invalid argument\n"
	  "cannot attach prov:mod:f3:entry at /a+0x20: Invalid argument\n" },
	{ 0x20, EINVAL, 0, 4, "cannot attach prov:mod:f1:entry at /a+0x20 and 3 more: "
	  "Invalid argument\n" },
	{ 0x20, EINVAL, 1, 4, "cannot attach prov:mod:f1:entry at /a+0x20: Invalid argument\n"
	  "cannot attach prov:mod:f2:entry at /a+0x20: Invalid argument\n"
	  "cannot attach prov:mod:f3:entry at /a+0x20: Invalid argument\n"
	  "cannot attach prov:mod:f4:entry at /a+0x20: Invalid argument\n" },
};

static void
test_refused(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(refusals); i++) {
		assert_int_equal(begin(NULL), 0);
		struct engine_point *p = add_multi();
		add_places(p, "/a", 7, 0x10, 1);
		for (unsigned n = 0; n < refusals[i].n; n++)
			add_places(p, "/a", 7, 0x20, 1);
		kernel.refuses_at = refusals[i].at;
		kernel.with_errno = refusals[i].with_errno;
		r.opts.v[OPT_VERBOSE] = refusals[i].verbose;
		assert_ok(kengine_attach(&r.k));
		assert_string_equal(sb_str(&r.warnings), refusals[i].warnings);
		assert_int_equal(r.k.e.nwarnings, refusals[i].at == 0x10 ? 1 : refusals[i].n);
		end(NULL);
	}
	begin(NULL);
}

/* One link for all, and there is none: that is told once. */
static void
test_link_refused(void **state)
{
	struct engine_point *p = add_multi();

	add_places(p, "/no", 7, 0x10, 2);
	add_places(p, "/a", 7, 0x30, 1);
	kernel.refuses = "/no";
	kernel.with_errno = EPERM;
	assert_ok(kengine_attach(&r.k));
	assert_int_equal(r.k.e.nwarnings, 2);
	expect("10 uprobe.multi /no pid 7 10=0 20=1\n10 uprobe.multi /a pid 7 30=2\n",
	       "cannot attach prov:mod:f0:entry at /no+0x10 and 1 more: the test says no\n");
}

static void
test_one_refused(void **state)
{
	struct engine_point *p = add_point(PROV_TRIGGER_RAWTP, (struct abi_point){
		.find = ABI_FIND_COOKIE, .attach = ABI_ATTACH_KPROBE, .target = "own" });

	add_site(p, (struct prov_site){ .tracepoint = "a" });
	add_site(p, (struct prov_site){ .tracepoint = "no" });
	add_site(p, (struct prov_site){ .addr = 0x55 });
	kernel.refuses = "no";
	kernel.with_errno = EPERM;
	assert_ok(kengine_attach(&r.k));
	assert_int_equal(kernel.nlinks, 2);
	expect("10 kprobe a\n10 kprobe no 0=1\n10 kprobe - 55=2\n",
	       "cannot attach prov:mod:f1:entry: the test says no\n");
	/* The point's own target is told, and nobody need listen. */
	kernel.refuses = "own";
	add_site(p, (struct prov_site){ .point = NULL });
	assert_ok(kengine_attach_sites(&r.k, 0, 3, 0));
	expect("10 kprobe own 0=3\n", "cannot attach prov:mod:f3:entry at own: the test says no\n");
	r.k.e.in.warn = NULL;
	assert_ok(kengine_attach_sites(&r.k, 0, 3, 0));
	assert_int_equal(r.k.e.nwarnings, 3);
}

/* Where all places are refused there is nothing to trace; what the sites are not of is
 * an error by itself; and so is our own want of files. */
static void
test_errors(void **state)
{
	static const int want[] = { EMFILE, ENFILE };
	struct engine_point *p = add_multi();

	add_places(p, "/no", 7, 0x10, 2);
	kernel.refuses = "/no";
	kernel.with_errno = EPERM;
	struct err *e = kengine_attach(&r.k);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_OS);
	assert_string_equal(e->text, "none of the probes can be attached: the kernel "
			    "refuses all of their 2 places");
	err_free(e);
	assert_int_equal(kernel.nlinks, 0);
	for (size_t i = 0; i < BASE_NELEMS(want); i++) {
		kernel.with_errno = want[i];
		e = kengine_attach(&r.k);
		assert_non_null(e);
		assert_int_equal(e->os, want[i]);
		err_free(e);
		r.at[0].attach = ABI_ATTACH_UPROBE;	/* the next: one by one */
	}
	add_rank(ABI_ATTACH_RAWTP, "gone", 0);
	kernel.refuses = "gone";
	kernel.with_errno = ENOENT;
	e = kengine_attach(&r.k);
	assert_non_null(e);
	assert_int_equal(e->os, ENOENT);
	err_free(e);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_ranks, begin, end),
		cmocka_unit_test_setup_teardown(test_spare, begin, end),
		cmocka_unit_test_setup_teardown(test_shared, begin, end),
		cmocka_unit_test_setup_teardown(test_shared_missed, begin, end),
		cmocka_unit_test_setup_teardown(test_missed_told, NULL, end),
		cmocka_unit_test_setup_teardown(test_none_missed, begin, end),
		cmocka_unit_test_setup_teardown(test_threads, begin, end),
		cmocka_unit_test_setup_teardown(test_cpus, NULL, end),
		cmocka_unit_test_setup_teardown(test_tracepoint, NULL, end),
		cmocka_unit_test_setup_teardown(test_together, begin, end),
		cmocka_unit_test_setup_teardown(test_another_first, begin, end),
		cmocka_unit_test_setup_teardown(test_no_first, begin, end),
		cmocka_unit_test_setup_teardown(test_apart, begin, end),
		cmocka_unit_test_setup_teardown(test_refused, NULL, end),
		cmocka_unit_test_setup_teardown(test_link_refused, begin, end),
		cmocka_unit_test_setup_teardown(test_one_refused, begin, end),
		cmocka_unit_test_setup_teardown(test_errors, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
