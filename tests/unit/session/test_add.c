/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Probes that come while tracing: a provider whose probes are the entries of
 * functions of this program, of which there are more every 10 ms.  A child calls
 * only functions whose probes are there, and counts its calls; each of them has to
 * be seen, once.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <cmocka.h>

#include "fmt/fmt.h"
#include "kern/kern.h"
#include "kern/site.h"
#include "prov/ops.h"
#include "session/session_priv.h"
#include "support/loads.h"

/* --- What is traced --------------------------------------------------------- */

enum { NFUNCS = 64, FEW = 12 };

/* They begin with what the kernel does itself, where a probe stands on it: a single
 * step, as over `ret`, would take ten times as long. */
#define FUNC(n) \
	__attribute__((noinline, noipa)) static void \
	func##n(long arg) { __asm__ volatile("nop" : : "r"(arg) : "memory"); }
#define ROW(X, t) X(t##0) X(t##1) X(t##2) X(t##3) X(t##4) X(t##5) X(t##6) X(t##7)
#define ALL(X) ROW(X, 1) ROW(X, 2) ROW(X, 3) ROW(X, 4) ROW(X, 5) ROW(X, 6) \
	ROW(X, 7) ROW(X, 8)
ALL(FUNC)

static void (*const funcs[])(long) = {
#define POINTER(n) func##n,
	ALL(POINTER)
};
static const char *const names[] = {
#define NAME(n) "func" #n,
	ALL(NAME)
};
_Static_assert(BASE_NELEMS(funcs) == NFUNCS, "a row each");

struct shared {
	uint32_t allowed;		/* functions that may be called */
	uint32_t stop;
	uint64_t most;			/* calls, once all may be called */
	uint32_t nfuncs;		/* that may be called in the end */
	uint64_t calls[NFUNCS];
};

static struct shared *shared;

static void
child(void)
{
	uint64_t total = 0;
	uint32_t n = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (!__atomic_load_n(&shared->stop, __ATOMIC_ACQUIRE)) {
		if (n == shared->nfuncs && total >= shared->most) {
			nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
			continue;
		}
		n = __atomic_load_n(&shared->allowed, __ATOMIC_ACQUIRE);
		total += n;
		if (n < shared->nfuncs)	/* the rest is for later */
			nanosleep(&(struct timespec){ 0, 50000 }, NULL);
		for (uint32_t i = 0; i < n; i++) {
			shared->calls[i]++;
			funcs[i]((long)i);
		}
	}
	_exit(0);
}

/* --- Its provider ------------------------------------------------------------- */

static enum abi_attach many;	/* how this kernel attaches many at once */
static uint32_t nfuncs;		/* that come to have a probe */
static uint32_t available;	/* functions that have a probe by now */
static uint32_t bad;		/* 1: one more, whose site is no place */
static pid_t traced;

static struct abi_point point = {
	.find = ABI_FIND_COOKIE, .target = "added",
	.args = { { .kind = ABI_ARG_REG, .size = 8, .reg = ABI_ROLE_ARG0 } },
};

static struct err *
discover(struct prov_set *s, const struct probe_desc *d, struct prov_sink *sink)
{
	for (uint32_t i = 0; i < available + bad; i++) {
		struct prov_new n = { .mod = "test",
			.func = i < available ? names[i] : "nowhere",
			.name = "entry", .arg = i < available ? i : NFUNCS };
		TRY(prov_add(sink, &n));
	}
	return NULL;
}

static uint64_t
file_offset(uint32_t i)
{
	extern const char __executable_start;

	return (uint64_t)((const char *)funcs[i] - &__executable_start);
}

static struct err *
sites(struct prov_set *s, const struct probe *p, prov_site_fn *fn, void *ctx)
{
	struct prov_site site = { .point = &point,
		.trigger = PROV_TRIGGER_RAWTP, .file = "/proc/self/exe",
		.pid = traced,
		.offset = p->arg < NFUNCS ? file_offset((uint32_t)p->arg)
					  : UINT32_MAX };

	return fn(ctx, &site);
}

static struct err *
later(struct prov_set *s, const struct probe_desc *d, prov_point_fn *fn,
      void *ctx)
{
	struct prov_site site = { .point = &point,
				  .trigger = PROV_TRIGGER_RAWTP };

	return fn(ctx, &site);
}

static const struct prov_ops ops = {
	.name = "added", .discover = discover, .sites = sites, .later = later,
};

/* --- What is seen -------------------------------------------------------------- */

struct seen {
	uint64_t records[NFUNCS], errors[NFUNCS], lost, bytes;
	struct fmt *fmt;
};

/* "func35": the digits are a row, from 1, and a place in it. */
static int
number_of(const struct consume_event *e)
{
	const char *digits = e->probe ? e->probe->func + 4 : "";

	return strlen(digits) == 2 ? (digits[0] - '1') * 8 + digits[1] - '0'
				   : -1;
}

static struct err *
on_event(void *ctx, const struct consume_event *e)
{
	struct seen *seen = ctx;
	int i = number_of(e);

	if (e->kind == CONSUME_DROP)
		seen->lost += e->count;
	if (e->kind == CONSUME_RECORD && i >= 0)
		seen->records[i]++;
	if (e->kind == CONSUME_ERROR) {
		assert_true(i >= 0);
		seen->errors[i]++;
	}
	if (e->kind == CONSUME_RECORD && seen->fmt)
		return fmt_record(seen->fmt, e);
	return NULL;
}

static struct err *
take_output(void *ctx, const char *p, size_t n)
{
	struct seen *seen = ctx;

	seen->bytes += n;
	return NULL;
}

static unsigned nwarnings;
static char warning[512];

static void
on_warning(void *ctx, const char *text)
{
	nwarnings++;
	snprintf(warning, sizeof(warning), "%s", text);
}

/* --- Which way ------------------------------------------------------------------ */

/* Before Linux 6.6 user probes are attached one by one. */
static enum abi_attach
find_way(void)
{
	const struct bpf_insn insns[] = {
		{ BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0 },
		{ BPF_JMP | BPF_EXIT },
	};
	struct kern_place place = { .at = file_offset(0) };
	struct kern_site site = { .attach = ABI_ATTACH_UPROBE_MULTI,
		.target = "/proc/self/exe", .pid = getpid(),
		.places = &place, .nplaces = 1 };
	struct kern_link *l = NULL;
	LIBBPF_OPTS(bpf_prog_load_opts, opts,
		    .expected_attach_type =
			    (enum bpf_attach_type)ABI_EXPECT_TRACE_UPROBE_MULTI);
	int prog = bpf_prog_load(BPF_PROG_TYPE_KPROBE, "try", "GPL", insns, 2,
				 &opts);
	struct err *e = kern_attach(prog, &site, &l);
	enum abi_attach way = e ? ABI_ATTACH_UPROBE : ABI_ATTACH_UPROBE_MULTI;

	err_free(e);
	kern_detach(l);
	close(prog);
	return way;
}

/* --- Tracing -------------------------------------------------------------------- */

struct trace {
	struct session *s;
	struct seen seen;
};

static void
start_with(enum abi_attach attach, struct trace *t, const char *text,
	   const char *form)
{
	const struct diag_list *diags;
	struct session_prog *p;

	memset(t, 0, sizeof(*t));
	memset(shared, 0, sizeof(*shared));
	point.attach = attach;
	available = 1;
	bad = nwarnings = 0;
	traced = fork();
	if (!traced)
		child();
	assert_null(session_new(&t->s));
	assert_null(prov_set_add(t->s->prov, &ops));
	session_on_warning(t->s, on_warning, NULL);
	struct opt_set *o = session_opts(t->s);
	assert_null(opt_set_value(o, "oformat", form, OPT_FROM_COMMAND, false));
	assert_null(opt_set_value(o, "bufsize", "16m", OPT_FROM_COMMAND, false));
	assert_null(opt_set_value(o, "flowindent", "on", OPT_FROM_COMMAND,
				  false));
	/* Descriptions of probes that are to come match none yet. */
	assert_null(opt_set_value(o, "zdefs", "on", OPT_FROM_COMMAND, false));
	assert_null(opt_set_value(o, "nspec", "4", OPT_FROM_COMMAND, false));
	assert_null(opt_set_value(o, "switchrate", "200hz", OPT_FROM_COMMAND,
				  false));
	struct err *e = session_compile(t->s, NULL, text, strlen(text),
					PROBE_SPEC_NAME, 0, NULL, 0, &diags,
					&p);
	if (e)
		print_error("%s: %s\n", e->text,
			    diags->first ? diags->first->text : "");
	assert_null(e);
	assert_null(session_enable(t->s, p));
	e = session_go(t->s);
	if (e)
		print_error("%s\n", e->text);
	assert_null(e);
	struct fmt_out out = { &t->seen, take_output, NULL };
	assert_null(fmt_new(session_consume(t->s), session_meta(t->s), o, out,
			    &t->seen.fmt));
}

static void
start(struct trace *t, const char *text, const char *form)
{
	nfuncs = NFUNCS;
	start_with(many, t, text, form);
}

static void
turn(struct trace *t)
{
	enum session_status status;

	assert_null(session_step(t->s, on_event, &t->seen, &status));
	assert_int_equal(status, SESSION_OKAY);
}

/* More probes every 10 ms until all are there, and calls until there were so
 * many. */
static void
run(struct trace *t, uint64_t ncalls)
{
	uint64_t sum = 0, next = clock_ns();

	shared->most = ncalls;
	shared->nfuncs = nfuncs;
	__atomic_store_n(&shared->allowed, available, __ATOMIC_RELEASE);
	while (sum < ncalls || !shared->calls[nfuncs - 1]) {
		if (clock_ns() >= next && available < nfuncs) {
			available += 1 + available % 3;
			available = BASE_MIN(available, nfuncs);
			assert_null(session_add_probes(t->s));
			__atomic_store_n(&shared->allowed, available,
					 __ATOMIC_RELEASE);
			next += 10000000;
		}
		turn(t);
		nanosleep(&(struct timespec){ 0, 500000 }, NULL);
		sum = 0;
		for (int i = 0; i < NFUNCS; i++)
			sum += __atomic_load_n(&shared->calls[i],
					       __ATOMIC_RELAXED);
	}
	shared->stop = 1;
	assert_int_equal(waitpid(traced, NULL, 0), traced);
	assert_null(session_stop(t->s));
	assert_null(session_drain(t->s, on_event, &t->seen));
	assert_int_equal(t->seen.lost, 0);
}

static void
finish(struct trace *t)
{
	fmt_free(t->seen.fmt);
	session_free(t->s);
}

/* The sum and the count of an aggregation, by the function that its key names. */
static void
assert_aggregated(struct trace *t, uint32_t id, unsigned factor)
{
	struct consume_agg *g = consume_agg(session_consume(t->s), id);

	assert_non_null(g);
	assert_int_equal(g->n, nfuncs);
	for (size_t k = 0; k < g->n; k++) {
		uint32_t probe;
		memcpy(&probe, g->elems[k].key, sizeof(probe));
		const struct consume_meta *m = session_meta(t->s);
		const struct consume_probe *p = m->probe(m->ctx, probe);
		assert_non_null(p);
		for (int i = 0; i < NFUNCS; i++)
			if (strcmp(p->func, names[i]) == 0)
				assert_int_equal(g->elems[k].cells[0],
						 factor * shared->calls[i]);
	}
}

/* --- Tests ---------------------------------------------------------------------- */

static void
test_million(void **state)
{
	struct trace t;

	start(&t, "added:::entry { @[probefunc] = count(); }", "text");
	run(&t, 1000000);
	assert_aggregated(&t, 1, 1);
	finish(&t);
}

/* Every call is recorded, in each of these forms, with what the probe is called in
 * expressions; ERROR fires for each that faults. */
static void
records(const char *form)
{
	struct trace t;

	start(&t, "added:::entry { @[probefunc] = count(); trace(arg0); }\n"
		  "added::func1?:entry /probefunc == \"func12\"/ { @b = count(); }\n"
		  "added::func2?:entry { trace(*(int *)0); }\n"
		  "ERROR { @e = count(); }", form);
	run(&t, 100000);
	assert_aggregated(&t, 1, 1);
	uint64_t faults = 0;
	for (int i = 0; i < NFUNCS; i++) {
		bool faulty = names[i][4] == '2';
		assert_int_equal(t.seen.records[i], shared->calls[i]);
		assert_int_equal(t.seen.errors[i],
				 faulty ? shared->calls[i] : 0);
		faults += faulty ? shared->calls[i] : 0;
	}
	struct consume *c = session_consume(t.s);
	assert_int_equal(consume_agg(c, 2)->elems[0].cells[0],
			 shared->calls[2]);	/* func12 */
	assert_int_equal(consume_agg(c, 3)->elems[0].cells[0], faults);
	assert_true(t.seen.bytes > 0);
	finish(&t);
}

static void test_text(void **state) { records("text"); }
static void test_json(void **state) { records("json"); }

/* A clause runs once for each of its descriptions that a probe matches, whether the
 * probe is there at the start (func10) or comes; the program makes room for no more
 * runs than some probe can have. */
static void
test_twice(void **state)
{
	struct trace t;

	start(&t, "added::*0:entry, added:::entry, added::func1*:entry, "
		  "added::func87:entry { @[probefunc] = count(); trace(arg0); }",
	      "text");
	assert_int_equal(t.s->points.all.v[0].clauses.n, 3);
	run(&t, 20000);
	struct consume_agg *g = consume_agg(session_consume(t.s), 1);
	for (int i = 0; i < NFUNCS; i++) {
		const char *digits = names[i] + 4;
		unsigned n = 1 + (digits[1] == '0') + (digits[0] == '1') +
			     !strcmp(digits, "87");
		assert_int_equal(t.seen.records[i], n * shared->calls[i]);
	}
	assert_int_equal(g->n, NFUNCS);
	finish(&t);
}

/* A probe that has come commits what another has speculated. */
static void
test_speculation(void **state)
{
	struct trace t;

	start(&t, "added::func10:entry /!self->s/ { self->s = speculation(); "
		  "self->turn = 1; speculate(self->s); trace(1); }\n"
		  "added::func87:entry /self->s/ { commit(self->s); "
		  "self->s = 0; }\n"
		  "added::func87:entry /self->turn/ { @ = count(); "
		  "self->turn = 0; }\n", "text");
	run(&t, 20000);
	struct consume *c = session_consume(t.s);
	uint64_t n = consume_agg(c, 1)->elems[0].cells[0];
	assert_true(n > 0);
	assert_int_equal(t.seen.records[0], n);	/* func10 */
	finish(&t);
}

/* A link for each probe, where the others have one for all that come together.  The
 * kernel takes a tenth of a second and more to leave each of them, so that they are
 * few. */
static void
test_one_by_one(void **state)
{
	struct trace t;

	nfuncs = FEW;
	start_with(ABI_ATTACH_UPROBE, &t,
		   "added:::entry { @[probefunc] = count(); }", "text");
	bad = 1;
	run(&t, 20000);
	assert_int_equal(nwarnings, 1);
	assert_non_null(strstr(warning, "cannot attach added:test:nowhere:entry"));
	assert_aggregated(&t, 1, 1);
	finish(&t);
}

/* A site that is no place is told of, and the others fire. */
static void
test_warning(void **state)
{
	struct trace t;

	start(&t, "added:::entry { @[probefunc] = count(); }", "text");
	bad = 1;
	run(&t, 20000);
	assert_int_equal(nwarnings, 1);
	assert_int_equal(session_nwarnings(t.s), 1);
	assert_non_null(strstr(warning, "cannot attach added:test:nowhere:entry"));
	assert_non_null(strstr(warning, "/proc/self/exe+0xffffffff"));
	assert_aggregated(&t, 1, 1);
	finish(&t);
}

/* When the tracing is over nothing comes any more. */
static void
test_over(void **state)
{
	struct trace t;

	start(&t, "added:::entry { @[probefunc] = count(); }", "text");
	run(&t, 1000);
	assert_null(session_add_probes(t.s));
	assert_int_equal(nwarnings, 0);
	finish(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_million),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_twice),
		cmocka_unit_test(test_speculation),
		cmocka_unit_test(test_warning),
		cmocka_unit_test(test_over),
		cmocka_unit_test(test_one_by_one),
	};
	/* With ThreadSanitizer records are read more slowly than the child makes
	 * them, so some are lost; what threads share is in the first. */
#ifdef __SANITIZE_THREAD__
	size_t n = 1;
#else
	size_t n = BASE_NELEMS(tests);
#endif

	struct err *e = kern_may_trace();

	if (e && kernel_loads()) {
		printf("Bail out! the kernel loads programs: %s\n", e->text);
		return 1;
	}
	if (e) {
		printf("1..0 # skip %s\n", e->text);
		err_free(e);
		return 0;
	}
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return 1;
	many = find_way();
	return _cmocka_run_group_tests("session-add", tests, n, NULL, NULL);
}
