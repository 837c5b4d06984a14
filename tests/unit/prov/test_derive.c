/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where derived probes are on kernels that the test has made up: on which tracepoints, calls
 * and functions, and under which conditions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/base.h"
#include "btfdir.h"
#include "prov/derive.h"
#include "prov/func_priv.h"
#include "util/arena.h"

static char dir[] = "/tmp/derive-test-XXXXXX";

/* A kernel: how many arguments its tracepoints pass (0: it does not have the tracepoint). */
static const struct kernel {
	const char *name;
	unsigned nswitch, nexit, nexit_tp;
	enum { NO_NFS, NFS, NFS_OLD } nfs;	/* built in; OLD: with another struct */
	const char *functions;	/* that can be probed */
} kernels[] = {
	{ "old", 3, 1, 0, NO_NFS, "finish_task_switch\nscheduler_tick\n" },
	{ "new", 4, 2, 1, NFS, "finish_task_switch.isra.0\nsched_tick\nscheduler_tick\n" },
	{ "more", 5, 3, 2, NFS_OLD, "" },
	{ "bare", 0, 0, 0, NO_NFS, "" },
};

static void
add_tracepoint(struct btfw *w, uint32_t integer, const char *name, unsigned n)
{
	char text[64];

	if (!n)
		return;
	snprintf(text, sizeof(text), "btf_trace_%s", name);
	uint32_t data = btfw_record(w, BTF_KIND_PTR, false, NULL, 0);
	uint32_t f = btfw_record(w, BTF_KIND_FUNC_PROTO, false, NULL, 0);
	btfw_param(w, NULL, data);
	for (unsigned i = 0; i < n; i++)
		btfw_param(w, NULL, integer);
	btfw_record(w, BTF_KIND_TYPEDEF, false, text,
		    btfw_record(w, BTF_KIND_PTR, false, NULL, f));
}

static int
setup(void **state)
{
	if (!mkdtemp(dir))
		return -1;
	for (const struct kernel *k = kernels; k < kernels + BASE_NELEMS(kernels); k++) {
		struct btfw w;
		btfw_init(&w);
		uint32_t i = btfw_int(&w, "int", 4, BTF_INT_SIGNED);
		add_tracepoint(&w, i, "sched_switch", k->nswitch);
		add_tracepoint(&w, i, "sched_process_exit", k->nexit);
		add_tracepoint(&w, i, "sched_exit_tp", k->nexit_tp);
		add_tracepoint(&w, i, "nfs_initiate_write", k->nfs != NO_NFS);
		if (k->nfs == NFS)
			btfw_record(&w, BTF_KIND_STRUCT, false, "nfs_pgio_header", 0);
		save(&w, k->name);
		if (!strcmp(k->name, "old")) {	/* which has it as a module */
			struct btfw m;
			btfw_init_split(&m, &w);
			add_tracepoint(&m, i, "nfs_initiate_read", 1);
			btfw_record(&m, BTF_KIND_STRUCT, false, "nfs_pgio_header", 0);
			save(&m, "nfs");
			btfw_fini(&m);
			btfw_init_split(&m, &w);
			add_tracepoint(&m, i, "nfs_initiate_write", 1);
			save(&m, "other");
			btfw_fini(&m);
		}
		btfw_fini(&w);
	}
	return 0;
}

static int
teardown(void **state)
{
	return remove_dir();
}

/* --- A set of providers on such a kernel -------------------------------------------- */

static struct err *
may_probe(void *ctx, bool *many)
{
	*many = false;
	return NULL;
}

/* Each function is where its number says. */
static struct err *
read_fake(void *ctx, const char *file, struct sb *b)
{
	const struct kernel *k = ctx;
	const char *p = k->functions;

	for (unsigned i = 1; *p; i++) {
		int n = (int)strcspn(p, "\n");
		if (strcmp(file, PROV_KALLSYMS) == 0)
			sb_printf(b, "ffffffff8100%04x T %.*s\n", i << 8, n, p);
		else if (!strstr(file, "_addrs"))
			sb_printf(b, "%.*s\n", n, p);
		else
			sb_printf(b, "ffffffff8100%04x %.*s\n", i << 8, n, p);
		p += n + 1;
	}
	return b->failed ? &err_nomem : NULL;
}

struct world {
	struct arena *a;
	struct typedb *db;
	struct prov_set *set;
	struct prov_world functions;
};

static void
start(struct world *w, const char *name, unsigned looks)
{
	const struct kernel *k = kernels;

	while (strcmp(k->name, name))
		k++;
	w->a = arena_new();
	w->functions = (struct prov_world){ (void *)(uintptr_t)k, may_probe, read_fake };
	assert_null(typedb_new(w->a, file(name), &w->db));
	assert_null(prov_set_new(w->a, w->db, &w->set));
	assert_null(prov_set_world(w->set, &w->functions));
	prov_looks(w->set, looks);
}

static void
stop(struct world *w)
{
	prov_set_free(w->set);
	typedb_free(w->db);
	arena_free(w->a);
}

static bool
on_probe(void *ctx, const struct probe *p)
{
	*(const struct probe **)ctx = p;
	return true;
}

static const struct probe *
find(struct world *w, const char *prov, const char *name)
{
	struct probe_desc d = { prov, "", "", name, 0 };
	const struct probe *p = NULL;

	assert_null(prov_match(w->set, &d, on_probe, &p));
	return p;
}

struct list {
	struct sb text;
	const struct abi_point *points[DERIVE_SITES];
	size_t n;
};

static struct err *
on_site(void *ctx, const struct prov_site *site)
{
	struct list *l = ctx;

	sb_printf(&l->text, "%s", site->target);
	if (site->choice)
		sb_printf(&l->text, " of %u", site->choice);
	if (site->when)
		sb_printf(&l->text, " if %s", site->when);
	sb_putc(&l->text, '\n');
	l->points[l->n++] = site->point;
	return NULL;
}

/* Without the last newline, for fewer in the tables. */
static void
check_sites(struct world *w, const char *prov, const char *name, const char *want)
{
	const struct probe *p = find(w, prov, name);
	struct list l = { .n = 0 }, again = { .n = 0 };

	if (!p) {
		if (want)
			fail_msg("%s:::%s is not there", prov, name);
		return;
	}
	sb_init(&l.text, 1 << 16);
	sb_init(&again.text, 1 << 16);
	assert_null(prov_sites(w->set, p, on_site, &l));
	if (!want || strncmp(sb_str(&l.text), want, strlen(want)) ||
	    strcmp(sb_str(&l.text) + strlen(want), "\n"))
		fail_msg("%s:::%s: %s", prov, name, sb_str(&l.text));
	/* asked again, the same sites have the same points */
	assert_null(prov_sites(w->set, p, on_site, &again));
	assert_string_equal(sb_str(&again.text), sb_str(&l.text));
	assert_memory_equal(again.points, l.points, sizeof(l.points));
	sb_fini(&l.text);
	sb_fini(&again.text);
}

/* --- Tests ------------------------------------------------------------------------- */

#define PREV "((struct task_struct *)arg1)"
#define NEXT "((struct task_struct *)arg2)"
#define SLEEPS "(arg0 & 0xff) == 0 && "
#define STAYS(state) "((arg0 & 0xff) != 0 || " state " == 0) && " PREV "->pid != 0"
#define TOLD "(arg3 & 0xffffffff)"
#define READ "__state[" PREV "]"
#define FIRST "sched_switch of 2 if sizeof (btf_trace_sched_exit_tp) != 0 && " \
	NEXT "->nvcsw == 0 && " NEXT "->nivcsw == 0"
#define LATER "sched_exit_tp of 1 if (arg0 & 0xff) != 0 && " \
	"(curthread->nvcsw != 0 || curthread->nivcsw != 0)"

/* What a kernel passes decides how a probe is made; where there is a choice, the best comes
 * first. */
static void
test_choices(void **state)
{
	static const struct {
		const char *kernel, *prov, *name, *want;	/* NULL: no such probe */
		unsigned looks;
	} rows[] = {
		{ "old", "sched", "sleep", "sched_switch of 1 if " SLEEPS READ " != 0" },
		{ "new", "sched", "sleep",
		  "sched_switch of 1 if " SLEEPS TOLD " != 0\n"
		  "sched_switch of 1 if " SLEEPS READ " != 0" },
		{ "more", "sched", "sleep",
		  "sched_switch of 1 if " SLEEPS TOLD " != 0\n"
		  "sched_switch of 1 if " SLEEPS READ " != 0" },
		{ "bare", "sched", "sleep", NULL },
		{ "old", "sched", "preempt", "sched_switch of 1 if " STAYS(READ) },
		{ "new", "sched", "preempt",
		  "sched_switch of 1 if " STAYS(TOLD) "\n"
		  "sched_switch of 1 if " STAYS(READ) },
		{ "old", "sched", "off-cpu", "sched_switch" },
		{ "bare", "sched", "off-cpu", NULL },
		/* a function is asked only for stacks, and only where nothing is better */
		{ "old", "sched", "on-cpu", "sched_switch of 1\n" FIRST },
		{ "old", "sched", "on-cpu", "finish_task_switch of 1\nsched_switch of 1\n" FIRST,
		  PROV_LOOKS_USTACK },
		{ "new", "sched", "on-cpu", LATER "\nsched_switch of 1\n" FIRST },
		{ "new", "sched", "on-cpu", LATER "\nsched_switch of 1\n" FIRST,
		  PROV_LOOKS_USTACK },
		{ "more", "sched", "on-cpu", LATER "\nsched_switch of 1\n" FIRST },
		{ "bare", "sched", "on-cpu", NULL, PROV_LOOKS_USTACK },
		{ "old", "sched", "remain-cpu", NULL },
		{ "new", "sched", "remain-cpu", "sched_exit_tp if (arg0 & 0xff) == 0" },
		{ "old", "sched", "surrender", "sched_yield" },
		{ "bare", "sched", "surrender", "sched_yield" },
		{ "old", "sched", "tick", "scheduler_tick of 1" },
		{ "new", "sched", "tick", "sched_tick of 1\nscheduler_tick of 1" },
		{ "bare", "sched", "tick", NULL },
		{ "new", "proc", "lwp-exit", "sched_process_exit" },
		{ "bare", "proc", "exit", NULL },
		{ "bare", "proc", "exec", "execve\nexecveat" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct world w;
		start(&w, rows[i].kernel, rows[i].looks);
		check_sites(&w, rows[i].prov, rows[i].name, rows[i].want);
		stop(&w);
	}
}

/* A tracepoint is in the kernel itself, or in the module of that name alone, with the
 * struct that it passes. */
static void
test_module(void **state)
{
	static const struct { const char *kernel, *target; } rows[] = {
		{ "new", "nfs_initiate_write if " }, { "old", "nfs_initiate_read if " },
		{ "more", NULL },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct world w;
		struct list l = { .n = 0 };
		start(&w, rows[i].kernel, 0);
		const struct probe *p = find(&w, "io", "start");
		assert_int_equal(!p, !rows[i].target);
		if (p) {
			sb_init(&l.text, 1 << 16);
			assert_null(prov_sites(w.set, p, on_site, &l));
			assert_int_equal(l.n, 1);
			assert_ptr_equal(strstr(sb_str(&l.text), rows[i].target),
					 sb_str(&l.text));
			sb_fini(&l.text);
		}
		stop(&w);
	}
}

/* How proc:::exit knows the last thread of a process. */
static void
test_exit(void **state)
{
	static const struct { const char *kernel; size_t n; } rows[] = {
		{ "old", 1 }, { "new", 2 }, { "more", 2 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct world w;
		struct list l = { .n = 0 };
		start(&w, rows[i].kernel, 0);
		sb_init(&l.text, 1 << 16);
		assert_null(prov_sites(w.set, find(&w, "proc", "exit"), on_site, &l));
		assert_int_equal(l.n, rows[i].n);
		assert_int_equal(!strncmp(sb_str(&l.text), "sched_process_exit of 1 if "
					  "(arg1 & 0xff) != 0\n", 46), l.n == 2);
		assert_non_null(strstr(sb_str(&l.text), "->live.counter == 0"));
		sb_fini(&l.text);
		stop(&w);
	}
}

static struct err *
on_point(void *ctx, const struct prov_site *site)
{
	const struct abi_point *pt = site->point;
	bool is_thread = site->choice != 0;

	++*(unsigned *)ctx;
	assert_int_equal(site->trigger, PROV_TRIGGER_RAWTP);
	assert_int_equal(pt->attach, is_thread ? ABI_ATTACH_TP_BTF : ABI_ATTACH_RAWTP);
	assert_int_equal(pt->thread, is_thread ? 3 : 0);
	assert_int_equal(pt->runs, ABI_RUNS_TASK);
	assert_string_equal(pt->target, "sched_switch");
	for (unsigned i = 0; i < ABI_NARGS; i++) {
		assert_int_equal(pt->args[i].kind, ABI_ARG_CTX);
		assert_int_equal(pt->args[i].size, 8);
		assert_int_equal(pt->args[i].off, 8 * i);
	}
	return NULL;
}

/* A probe of the thread that comes is attached as what can tell of it. */
static void
test_thread(void **state)
{
	static const struct { const char *name; unsigned n; } rows[] = {
		{ "off-cpu", 1 }, { "on-cpu", 2 },
	};
	struct world w;

	start(&w, "old", 0);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		unsigned n = 0;
		assert_null(prov_sites(w.set, find(&w, "sched", rows[i].name), on_point, &n));
		assert_int_equal(n, rows[i].n);
	}
	stop(&w);
}

struct met {
	unsigned n, most;
	char names[100];
};

static bool
on_met(void *ctx, const struct probe *p)
{
	struct met *m = ctx;
	size_t n = strlen(m->names);

	snprintf(m->names + n, sizeof(m->names) - n, "%s:%s:%s ", p->prov, p->func, p->name);
	return ++m->n < m->most;
}

/* A function of another system that several providers know: each probe is met once, until
 * who asks has enough. */
static void
test_once(void **state)
{
	static const struct { const char *prov, *func, *name, *want; unsigned most; } rows[] = {
		{ "", "bdev_strategy", "start", "proc::start io::start ", 9 },
		{ "", "bdev_strategy", "start", "proc::start ", 1 },
		{ "io", "bdev_strategy", "start", "io::start ", 9 },
		{ "", "", "start", "proc::start io::start ", 9 },
		{ "", "resume", "off-cpu", "sched::off-cpu ", 9 },
		{ "", "resumes", "off-cpu", "", 9 },
	};
	struct world w;

	start(&w, "new", 0);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct probe_desc d = { rows[i].prov, "", rows[i].func, rows[i].name, 0 };
		struct met m = { .most = rows[i].most };
		assert_null(prov_match(w.set, &d, on_met, &m));
		assert_string_equal(m.names, rows[i].want);
	}
	stop(&w);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_choices),
		cmocka_unit_test(test_module),
		cmocka_unit_test(test_exit),
		cmocka_unit_test(test_thread),
		cmocka_unit_test(test_once),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
