/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tracepoints of a kernel and two modules that the test has made up, and of the
 * running one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "btfdir.h"
#include "prov/func.h"
#include "prov/sdt_priv.h"
#include "util/alloc.h"

static char dir[] = "/tmp/sdt-test-XXXXXX";

static uint32_t
pointer(struct btfw *w, uint32_t to)
{
	return btfw_record(w, BTF_KIND_PTR, false, NULL, to);
}

/* A prototype; each parameter behind the first is an int. */
static uint32_t
proto(struct btfw *w, uint32_t integer, const char *const *names, unsigned n)
{
	uint32_t data = pointer(w, 0);
	uint32_t f = btfw_record(w, BTF_KIND_FUNC_PROTO, false, NULL, 0);

	btfw_param(w, n && names[0] ? "__data" : NULL, data);
	for (unsigned i = 0; i < n; i++)
		btfw_param(w, names[i], integer);
	return f;
}

static void
typedef_of(struct btfw *w, const char *name, uint32_t f)
{
	btfw_record(w, BTF_KIND_TYPEDEF, false, name, pointer(w, f));
}

static const char *const nameless[12];

/* Tracepoints of the kernel: whether one keeps its CPU, as interrupts are off there or for
 * another reason; and whether a thread is always who comes there. */
static const struct { const char *name; bool keeps; enum abi_runs runs; } known[] = {
	/* a system call begins or ends, a thread makes, changes or ends itself */
	{ "sys_enter", false, ABI_RUNS_TASK }, { "sys_exit", false, ABI_RUNS_TASK },
	{ "sched_process_exec", false, ABI_RUNS_TASK },
	{ "sched_process_exit", false, ABI_RUNS_TASK },
	{ "sched_process_fork", false, ABI_RUNS_TASK },
	{ "sched_process_wait", false, ABI_RUNS_TASK },
	{ "task_newtask", false, ABI_RUNS_TASK }, { "task_rename", false, ABI_RUNS_TASK },
	/* with the lock of a queue of threads, or that of signals */
	{ "sched_switch", true, ABI_RUNS_TASK }, { "sched_entry_tp", true, ABI_RUNS_TASK },
	{ "sched_exit_tp", true, ABI_RUNS_TASK }, { "signal_deliver", true, ABI_RUNS_TASK },
	{ "signal_generate", true, ABI_RUNS_AS_ATTACHED },
	{ "sched_migrate_task", true, ABI_RUNS_AS_ATTACHED },
	{ "sched_pi_setprio", true, ABI_RUNS_AS_ATTACHED },
	{ "sched_stat_runtime", true, ABI_RUNS_AS_ATTACHED },
	{ "sched_waking", true, ABI_RUNS_AS_ATTACHED },
	{ "sched_wakeup", true, ABI_RUNS_AS_ATTACHED },
	{ "sched_wakeup_new", true, ABI_RUNS_AS_ATTACHED },
	/* in an interrupt */
	{ "hrtimer_expire_entry", true, ABI_RUNS_AS_ATTACHED },
	{ "irq_handler_entry", true, ABI_RUNS_AS_ATTACHED },
	{ "softirq_raise", true, ABI_RUNS_AS_ATTACHED },
	{ "timer_start", true, ABI_RUNS_AS_ATTACHED },
	{ "page_fault_user", true, ABI_RUNS_AS_ATTACHED },
	{ "net_dev_queue", true, ABI_RUNS_AS_ATTACHED },
	{ "netif_receive_skb", true, ABI_RUNS_AS_ATTACHED },
	/* of which nothing is said */
	{ "block_rq_issue", false, ABI_RUNS_AS_ATTACHED },
	{ "net_dev_xmit", false, ABI_RUNS_AS_ATTACHED },
	{ "sched_process_free", false, ABI_RUNS_AS_ATTACHED },
	{ "sys_enter_read", false, ABI_RUNS_AS_ATTACHED },
	{ "timer", false, ABI_RUNS_AS_ATTACHED },
};


static int
setup(void **state)
{
	static const char *const named[] = { "first", "second" };
	struct btfw w, m;

	if (!mkdtemp(dir))
		return -1;
	btfw_init(&w);
	uint32_t i = btfw_int(&w, "int", 4, BTF_INT_SIGNED);
	/* With a function that has names, and without. */
	typedef_of(&w, "btf_trace_two", proto(&w, i, nameless, 2));
	btfw_record(&w, BTF_KIND_FUNC, false, "__traceiter_two",
		    proto(&w, i, named, 2));
	typedef_of(&w, "btf_trace_one", proto(&w, i, nameless, 1));
	typedef_of(&w, "btf_trace_none", proto(&w, i, nameless, 0));
	typedef_of(&w, "btf_trace_many", proto(&w, i, nameless, 12));
	btfw_record(&w, BTF_KIND_FUNC, false, "__traceiter_many",
		    proto(&w, i, nameless, 12));
	btfw_record(&w, BTF_KIND_FUNC, false, "__traceiter_sched_switch",
		    proto(&w, i, nameless, 4));
	typedef_of(&w, "btf_trace_sched_switch", proto(&w, i, nameless, 4));
	for (size_t k = 0; k < BASE_NELEMS(known); k++) {
		char name[64];
		snprintf(name, sizeof(name), "__traceiter_%s", known[k].name);
		if (strcmp(known[k].name, "sched_switch"))
			btfw_record(&w, BTF_KIND_FUNC, false, name, proto(&w, i, nameless, 2));
	}
	/* No tracepoints. */
	btfw_record(&w, BTF_KIND_TYPEDEF, false, "btf_trace_", i);
	btfw_record(&w, BTF_KIND_TYPEDEF, false, "another", i);
	btfw_record(&w, BTF_KIND_STRUCT, false, "btf_trace_struct", 0);
	typedef_of(&w, "btf_trace_sched_set_need_resched_tp", proto(&w, i, nameless, 2));
	/* Of which nothing is known. */
	btfw_record(&w, BTF_KIND_TYPEDEF, false, "btf_trace_odd", i);
	save(&w, "vmlinux");
	btfw_init_split(&m, &w);
	typedef_of(&m, "btf_trace_of_module", proto(&m, i, nameless, 1));
	save(&m, "moda");
	btfw_fini(&m);
	btfw_fini(&w);
	save_broken("broken");
	return 0;
}

static int
teardown(void **state)
{
	return remove_dir();
}

/* --- A set with these files ------------------------------------------------ */

struct world {
	struct arena *a;
	struct typedb *db;
	struct prov_set *set;
};

static bool
ignore(void *ctx, const struct probe *p)
{
	return true;
}

static const char all_events[] =
	"group:two\n"
	"syscalls:sys_enter_read\n"
	"no colon\n"
	"other:none\n"
	"modules:of_module\n"
	"users:own\n";

/* What tracefs would say is given: NULL for nothing. */
static struct world
start(const char *events)
{
	struct probe_desc nothing = { "sdt", "", "", "no-identifier", 0 };
	struct world w = { .a = arena_new() };

	assert_null(typedb_new(w.a, file("vmlinux"), &w.db));
	assert_null(prov_set_new(w.a, w.db, &w.set));
	/* Has the provider make its state. */
	assert_null(prov_match(w.set, &nothing, ignore, NULL));
	struct sdt *sdt = prov_state(w.set, &prov_sdt_ops);
	assert_non_null(sdt);
	assert_false(sdt->has_events);
	sb_init(&sdt->events, 4096);
	sb_puts(&sdt->events, events ? events : "");
	sdt->has_events = true;
	return w;
}

static void
end(struct world *w)
{
	prov_set_free(w->set);
	typedb_free(w->db);
	arena_free(w->a);
}

struct found {
	struct sb names;
	const struct probe *last;
};

static bool
note(void *ctx, const struct probe *p)
{
	struct found *f = ctx;

	sb_printf(&f->names, "%s%s:%s:%s", f->names.len ? " " : "", p->mod,
		  p->func, p->name);
	f->last = p;
	return true;
}

/* The probes that match, as text, and the last of them. */
static const struct probe *
check(struct world *w, const char *mod, const char *name, const char *want)
{
	struct probe_desc d = { "sdt", mod, "", name, 0 };
	struct found f = { .last = NULL };

	sb_init(&f.names, 4096);
	assert_null(prov_match(w->set, &d, note, &f));
	assert_string_equal(sb_str(&f.names), want);
	sb_fini(&f.names);
	return f.last;
}

static void
test_list(void **state)
{
	struct world w = start(all_events);

	check(&w, "", "", "group::two modules::of_module other::none "
	      "ungrouped::many ungrouped::odd ungrouped::one "
	      "ungrouped::sched_set_need_resched_tp ungrouped::sched_switch");
	check(&w, "gr*", "", "group::two");
	check(&w, "", "o*", "modules::of_module ungrouped::odd ungrouped::one");
	check(&w, "", "of_module", "modules::of_module");
	check(&w, "syscalls", "", "");
	end(&w);
}

/* Without tracefs there are the names that types have. */
static void
test_no_tracefs(void **state)
{
	struct world w = start(NULL);

	check(&w, "", "two", "ungrouped::two");
	check(&w, "group", "two", "");
	check(&w, "", "", "ungrouped::two ungrouped::many ungrouped::none "
	      "ungrouped::odd ungrouped::of_module ungrouped::one "
	      "ungrouped::sched_set_need_resched_tp ungrouped::sched_switch");
	end(&w);
}

/* A program at it would end a kernel where threads lose their CPU in programs; others have
 * the probe. */
static void
test_harm(void **state)
{
	static const char harm[] = "sched_set_need_resched_tp";

	for (int preempts = 0; preempts < 2; preempts++) {
		struct prov_world here = { .preempts = preempts };
		struct world w = start("");
		assert_null(prov_set_world(w.set, &here));
		check(&w, "", harm, preempts ? "" : "ungrouped::sched_set_need_resched_tp");
		check(&w, "", "sched_s*", preempts ? "ungrouped::sched_switch" :
		      "ungrouped::sched_set_need_resched_tp ungrouped::sched_switch");
		end(&w);
	}
}

/* Who may not look at tracefs has no groups, and is told why: that is no error. */
static void
test_unprivileged(void **state)
{
	struct world w = start(NULL);
	struct sdt *sdt = prov_state(w.set, &prov_sdt_ops);
	struct tracepoint *two;
	uid_t own = geteuid();
	uint32_t id;

	sb_fini(&sdt->events);
	sdt->has_events = false;
	assert_null(typedb_btf_id(w.db, TYPE_TYPEDEF, "btf_trace_two", &id));
	assert_int_equal(seteuid(own ? own : 65534), 0);
	struct err *e = prov_sdt_find(w.set, sdt, "two", &two);
	assert_int_equal(seteuid(own), 0);
	assert_null(e);
	assert_non_null(two);
	assert_true(sdt->has_events);
	assert_ptr_equal(strstr(sdt->no_events, "tracefs: "), sdt->no_events);
	end(&w);
}

/* A name is looked for by itself; what a look-up has made is not made again. */
static void
test_one_name(void **state)
{
	struct world w = start(all_events);
	struct sdt *sdt = prov_state(w.set, &prov_sdt_ops);

	check(&w, "", "two", "group::two");
	check(&w, "other", "two", "");
	check(&w, "", "nosuch", "");
	check(&w, "", "own", "");
	check(&w, "", "sys_enter_read", "");
	check(&w, "", "t-wo", "");
	end(&w);
	w = start("group:two\n");
	sdt = prov_state(w.set, &prov_sdt_ops);
	const struct probe *two = check(&w, "", "two", "group::two");
	check(&w, "", "nosuch", "");
	assert_false(sdt->is_listed);
	check(&w, "", "t*", "group::two");
	assert_true(sdt->is_listed);
	assert_ptr_equal(check(&w, "group", "two", "group::two"), two);
	end(&w);
}

/* Of a module, whose types are not looked at before. */
static void
test_module_name(void **state)
{
	struct world w = start(all_events);
	const char *name = NULL;
	unsigned raw;
	const struct probe *p = check(&w, "", "of_module", "modules::of_module");
	const struct type *t = prov_arg_type(w.set, p, 0, &name, &raw);

	assert_int_equal(prov_nargs(w.set, p), 1);
	assert_non_null(t);
	assert_int_equal(type_size(t), 4);
	end(&w);
}

static void
test_arguments(void **state)
{
	static const struct {
		const char *probe, *names[2];
		int n;		/* typed ones */
		unsigned words;	/* that a program may look at */
	} rows[] = {
		{ "two", { "first", "second" }, 2, 2 },
		{ "one", { NULL }, 1, 1 },
		{ "none", { NULL }, 0, 0 },
		{ "many", { NULL }, 10, 10 },
		{ "odd", { NULL }, -1, 10 },
	};
	struct world w = start(all_events);

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct probe_desc d = { "sdt", "", "", rows[i].probe, 0 };
		struct found f = { .last = NULL };
		sb_init(&f.names, 4096);
		assert_null(prov_match(w.set, &d, note, &f));
		sb_fini(&f.names);
		assert_non_null(f.last);
		assert_int_equal(prov_nargs(w.set, f.last), rows[i].n);
		for (unsigned n = 0; n < 12; n++) {
			const char *name = NULL;
			unsigned raw = 99;
			const struct type *t = prov_arg_type(w.set, f.last, n,
							     &name, &raw);
			assert_int_equal(t != NULL, (int)n < rows[i].n);
			if (!t)
				continue;
			assert_int_equal(type_size(t), 4);
			assert_int_equal(raw, n);
			if (n < 2 && rows[i].names[n])
				assert_string_equal(name, rows[i].names[n]);
		}
	}
	end(&w);
}

/* --- Sites ---------------------------------------------------------------- */

struct sites {
	const struct abi_point *point, *shared;
	unsigned n;
};

static struct err *
on_site(void *ctx, const struct prov_site *site)
{
	struct sites *s = ctx;

	s->point = site->point;
	s->shared = site->shared;
	s->n++;
	assert_string_equal(site->tracepoint, site->point->target);
	assert_int_equal(site->trigger, PROV_TRIGGER_RAWTP);
	return NULL;
}

static void
check_words(const struct abi_point *pt, unsigned nwords)
{
	for (unsigned n = 0; n < ABI_NARGS; n++) {
		assert_int_equal(pt->args[n].kind, n < nwords ? ABI_ARG_CTX
							      : ABI_ARG_NONE);
		assert_int_equal(pt->args[n].off, n < nwords ? n * 8 : 0);
	}
}

/* Each is a point of its own, with as many words as the tracepoint has; or shares
 * one with those that have as many. */
static void
test_sites(void **state)
{
	static const struct { const char *group, *name; unsigned words; } rows[] = {
		{ "group", "two", 2 }, { "ungrouped", "one", 1 },
		{ "other", "none", 0 }, { "ungrouped", "many", ABI_NARGS },
		{ "ungrouped", "odd", ABI_NARGS },
	};
	struct world w = start(all_events);
	const struct abi_point *before = NULL, *last = NULL;

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct sites got = { 0 }, again = { 0 };
		char text[64];
		snprintf(text, sizeof(text), "%s::%s", rows[i].group,
			 rows[i].name);
		const struct probe *p = check(&w, "", rows[i].name, text);
		assert_null(prov_sites(w.set, p, on_site, &got));
		assert_null(prov_sites(w.set, p, on_site, &again));
		assert_int_equal(got.n, 1);
		assert_ptr_equal(got.point, again.point);
		assert_ptr_not_equal(got.point, before);
		before = got.point;
		assert_int_equal(got.point->attach, ABI_ATTACH_RAWTP);
		assert_string_equal(got.point->target, rows[i].name);
		check_words(got.point, rows[i].words);
		check_words(got.shared, rows[i].words);
		assert_int_equal(got.shared->find, ABI_FIND_COOKIE);
		assert_int_equal(got.shared == last,
				 i && rows[i].words == rows[i - 1].words);
		last = got.shared;
	}
	end(&w);
}

static struct err *
may_probe(void *ctx, bool *many)
{
	*many = *(const bool *)ctx;
	return NULL;
}

/* It has words where the point itself has registers. */
static void
is_spare(const struct sites *got, bool there)
{
	const struct abi_point *p = got->point->spare;

	assert_int_equal(p != NULL, there);
	assert_false(got->point->is_spare);
	if (!p)
		return;
	assert_true(p->is_spare);
	assert_null(p->spare);
	assert_int_equal(p->attach, ABI_ATTACH_RAWTP);
	assert_int_equal(p->runs, ABI_RUNS_INTERRUPT);
	assert_string_equal(p->target, got->point->target);
	assert_int_equal(p->args[0].kind, ABI_ARG_CTX);
}

/* Where a thread can lose its CPU in a program a tracepoint is had by the function that
 * calls what is there, if thousands can be traced, if it has one, and unless interrupts are
 * off: word n is the parameter behind the n-th, as far as that goes. */
static void
test_preempts(void **state)
{
	static const struct { const char *name; bool many; enum abi_attach way; } rows[] = {
		{ "two", true, ABI_ATTACH_TRACEITER },
		{ "many", true, ABI_ATTACH_TRACEITER },
		{ "two", false, ABI_ATTACH_RAWTP },
		{ "one", true, ABI_ATTACH_RAWTP },
		{ "sched_switch", true, ABI_ATTACH_RAWTP },
	};
	static const int regs[] = { ABI_ROLE_ARG1, ABI_ROLE_ARG2, ABI_ROLE_ARG3,
				    ABI_ROLE_ARG4, ABI_ROLE_ARG5 };

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		bool many = rows[i].many;
		struct prov_world preempts = { .ctx = &many, .may_probe = may_probe,
					       .preempts = true };
		struct world w = start("");
		struct probe_desc d = { "sdt", "", "", rows[i].name, 0 };
		struct found f = { .last = NULL };
		struct sites got = { 0 };
		assert_null(prov_set_world(w.set, &preempts));
		sb_init(&f.names, 4096);
		assert_null(prov_match(w.set, &d, note, &f));
		sb_fini(&f.names);
		assert_null(prov_sites(w.set, f.last, on_site, &got));
		assert_int_equal(got.point->attach, rows[i].way);
		assert_string_equal(got.point->target, rows[i].name);
		assert_int_equal(got.shared->attach, ABI_ATTACH_RAWTP);
		is_spare(&got, rows[i].way == ABI_ATTACH_TRACEITER);
		for (unsigned n = 0; n < BASE_NELEMS(regs) &&
		     rows[i].way == ABI_ATTACH_TRACEITER; n++) {
			const struct abi_arg *a = &got.point->args[n];
			bool there = n < 2 || i == 1;
			assert_int_equal(a->kind, there ? ABI_ARG_REG : ABI_ARG_NONE);
			assert_int_equal(a->reg, there ? regs[n] : 0);
			assert_int_equal(a->size, there ? 4 : 0);
		}
#if defined(__x86_64__)
		if (i == 1) {
			assert_int_equal(got.point->args[6].kind, ABI_ARG_KMEM);
			assert_int_equal(got.point->args[6].reg, ABI_REG_SP);
			assert_int_equal(got.point->args[6].off, 16);
		}
#endif
		end(&w);
	}
}

/* Where a CPU can be lost, those that need not fear it stay tracepoints. */
static void
test_keeps(void **state)
{
	bool many = true;
	struct prov_world preempts = { .ctx = &many, .may_probe = may_probe, .preempts = true };
	struct world w = start("");

	assert_null(prov_set_world(w.set, &preempts));
	for (size_t i = 0; i < BASE_NELEMS(known); i++) {
		struct abi_point pt = { .attach = ABI_ATTACH_RAWTP, .target = known[i].name };
		assert_null(prov_tracepoint_settle(w.set, "vmlinux", &pt));
		if ((pt.attach == ABI_ATTACH_RAWTP) != known[i].keeps ||
		    prov_tracepoint_runs(known[i].name) != known[i].runs)
			fail_msg("%s", known[i].name);
	}
	end(&w);
}

/* Where no interrupt can be, a program does not ask; but one that many share does. */
static void
test_runs(void **state)
{
	static const struct { const char *name; enum abi_runs runs; } rows[] = {
		{ "sched_switch", ABI_RUNS_TASK }, { "two", ABI_RUNS_EITHER },
		{ "one", ABI_RUNS_EITHER },
	};
	struct world w = start("group:sched_switch\n" "group:two\n");

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct probe_desc d = { "sdt", "", "", rows[i].name, 0 };
		struct found f = { .last = NULL };
		struct sites got = { 0 };
		sb_init(&f.names, 4096);
		assert_null(prov_match(w.set, &d, note, &f));
		sb_fini(&f.names);
		assert_null(prov_sites(w.set, f.last, on_site, &got));
		assert_int_equal(abi_point_runs(got.point), rows[i].runs);
		assert_int_equal(abi_point_runs(got.shared), ABI_RUNS_EITHER);
	}
	end(&w);
}

/* --- Memory, and the running kernel ------------------------------------------ */

static struct err *
use(struct world *w, const char *name)
{
	struct probe_desc d = { "sdt", "", "", name, 0 };
	struct found f = { .last = NULL };
	struct sites got = { 0 };

	sb_init(&f.names, 4096);
	struct err *e = prov_match(w->set, &d, note, &f);
	if (!e && f.last)
		e = prov_sites(w->set, f.last, on_site, &got);
	sb_fini(&f.names);
	if (!e)
		assert_int_equal(got.n, 1);
	return e;
}

/* Want of memory is told, and what was made by then is no obstacle. */
static void
test_oom(void **state)
{
	static const char *const names[] = { "two", "of_module", "t*" };
	unsigned long refused = 0;

	for (unsigned long n = 1; n < 60; n++) {
		for (size_t i = 0; i < BASE_NELEMS(names); i++) {
			struct world w = start(all_events);
			util_alloc_fail(n, 0);
			struct err *e = use(&w, names[i]);
			util_alloc_fail(0, 0);
			if (e)
				assert_int_equal(e->code, ERR_NOMEM);
			refused += e != NULL;
			err_free(e);
			assert_true(!arena_failed(w.a) || e);
			if (!arena_failed(w.a))
				assert_null(use(&w, names[i]));
			end(&w);
		}
	}
	assert_true(refused > 10);
}

static void
test_running_kernel(void **state)
{
	struct world w = { .a = arena_new() };
	struct sb events;

	if (access("/sys/kernel/btf/vmlinux", R_OK)) {
		arena_free(w.a);
		print_message("# skip: no types of the kernel\n");
		skip();
	}
	sb_init(&events, 1 << 26);
	struct err *e = prov_tracefs_read("available_events", &events);
	const char *want = e ? "ungrouped::sched_switch" : "sched::sched_switch";
	if (!e)
		assert_non_null(strstr(sb_str(&events), "sched:sched_switch\n"));
	err_free(e);
	sb_fini(&events);
	assert_null(typedb_new(w.a, NULL, &w.db));
	assert_null(prov_set_new(w.a, w.db, &w.set));
	check(&w, "", "sched_switch", want);
	end(&w);
}

/* Where an interrupt may be what is traced, and where it is always a thread. */
static void
test_known_runs(void **state)
{
	static const struct { const char *name; enum abi_runs runs; } rows[] = {
		{ "hrtimer_start", ABI_RUNS_AS_ATTACHED },
		{ "irq_handler_entry", ABI_RUNS_AS_ATTACHED },
		{ "net_dev_queue", ABI_RUNS_AS_ATTACHED },
		{ "netif_receive_skb", ABI_RUNS_AS_ATTACHED },
		{ "page_fault_user", ABI_RUNS_AS_ATTACHED },
		{ "sched_entry_tp", ABI_RUNS_TASK }, { "sched_exit_tp", ABI_RUNS_TASK },
		{ "sched_migrate_task", ABI_RUNS_AS_ATTACHED },
		{ "sched_pi_setprio", ABI_RUNS_AS_ATTACHED },
		{ "sched_process_exec", ABI_RUNS_TASK },
		{ "sched_process_exit", ABI_RUNS_TASK },
		{ "sched_process_fork", ABI_RUNS_TASK },
		{ "sched_process_wait", ABI_RUNS_TASK },
		{ "sched_process_free", ABI_RUNS_AS_ATTACHED },
		{ "sched_stat_runtime", ABI_RUNS_AS_ATTACHED },
		{ "sched_switch", ABI_RUNS_TASK }, { "sched_wakeup", ABI_RUNS_AS_ATTACHED },
		{ "sched_waking", ABI_RUNS_AS_ATTACHED }, { "signal_deliver", ABI_RUNS_TASK },
		{ "signal_generate", ABI_RUNS_AS_ATTACHED },
		{ "softirq_entry", ABI_RUNS_AS_ATTACHED }, { "sys_enter", ABI_RUNS_TASK },
		{ "sys_exit", ABI_RUNS_TASK }, { "task_newtask", ABI_RUNS_TASK },
		{ "task_rename", ABI_RUNS_TASK }, { "timer_start", ABI_RUNS_AS_ATTACHED },
		{ "nobody_knows", ABI_RUNS_AS_ATTACHED },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (prov_tracepoint_runs(rows[i].name) != rows[i].runs)
			fail_msg("%s", rows[i].name);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known_runs),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_harm),
		cmocka_unit_test(test_no_tracefs),
		cmocka_unit_test(test_unprivileged),
		cmocka_unit_test(test_one_name),
		cmocka_unit_test(test_module_name),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_sites),
		cmocka_unit_test(test_preempts),
		cmocka_unit_test(test_keeps),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_oom),
		cmocka_unit_test(test_running_kernel),
	};

	return cmocka_run_group_tests_name("sdt", tests, setup, teardown);
}
