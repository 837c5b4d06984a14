/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Go, work and stop against a kernel that is made up (fakekern.h): the order of
 * what is done to it, and that each failure ends in an error and in nothing left
 * behind.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <cmocka.h>

#include "abi/spec.h"
#include "countopen.h"
#include "engine/engine.h"
#include "fakekern.h"
#include "kengine/kengine_priv.h"
#include "session/session_priv.h"

static const char program[] =
	"BEGIN { printf(\"begin\"); }\n"
	"syscall::read:entry { @[pid] = count(); @n = count(); self->t = 1; }\n"
	"syscall::read:return /self->t/ { printf(\"%d\", arg0); self->t = 0; }\n"
	"profile-997 { x++; }\n"
	"tick-1h { printf(\"tick\"); }\n"
	"syscall::write:entry { this->s = speculation(); speculate(this->s); "
	"printf(\"s\"); }\n"
	"END { printf(\"end\"); printa(@); }\n";

static struct session *
compile(const char *text)
{
	const struct diag_list *diags;
	struct session_prog *p;
	struct session *s;

	assert_null(session_new(&s));
	struct err *e = session_compile(s, NULL, text, strlen(text),
					PROBE_SPEC_NAME, 0, NULL, 0, &diags,
					&p);
	if (e)
		print_error("%s: %s\n", e->text,
			    diags->first ? diags->first->text : "");
	assert_null(e);
	assert_null(session_enable(s, p));
	return s;
}

static struct err *
ignore(void *ctx, const struct consume_event *e)
{
	++*(unsigned *)ctx;
	return NULL;
}

static void
assert_nothing_left(void)
{
	assert_int_equal(fake.nobjs, 0);
	assert_int_equal(fake.nlinks, 0);
	assert_int_equal(fake.nmapped, 0);
	assert_int_equal(fake.nrings, 0);
	assert_int_equal(fake.ntasks, 0);
}

/* All that a trace does, up to the first error. */
static struct err *
trace(struct session *s)
{
	enum session_status status;
	unsigned n = 0;

	TRY(session_go(s));
	TRY(session_step(s, ignore, &n, &status));
	TRY(session_stop(s));
	return session_drain(s, ignore, &n);
}

/* How many calls a trace makes that can fail. */
static unsigned
count_calls(const char *text)
{
	fakekern_reset();
	struct session *s = compile(text);
	assert_null(trace(s));
	session_free(s);
	assert_nothing_left();
	return fake.ncalls;
}

static void
check_begun(struct err *e)
{
	assert_int_equal(e->code, ERR_STATE);
	assert_string_equal(e->text, "tracing has begun already");
	err_free(e);
}

/* To prepare is the first half of to go; each half is done once. */
static void
test_prepare(void **state)
{
	unsigned n = count_calls(program);

	fakekern_reset();
	struct session *s = compile(program);
	assert_null(session_prepare(s));
	assert_int_equal(session_begun(s), 0);
	check_begun(session_prepare(s));
	assert_null(trace(s));
	check_begun(session_prepare(s));
	check_begun(session_go(s));
	session_free(s);
	assert_nothing_left();
	assert_int_equal(fake.ncalls, n);

	fakekern_reset();
	s = compile(program);
	fake.fail_at = 1;
	struct err *e = session_prepare(s);
	assert_non_null(e);
	err_free(e);
	check_begun(session_go(s));
	session_free(s);
}

static void
test_each_failure(void **state)
{
	unsigned n = count_calls(program);

	assert_true(n >= 25);
	for (unsigned i = 1; i <= n; i++)
		for (int no_memory = 0; no_memory < 2; no_memory++) {
			fakekern_reset();
			struct session *s = compile(program);
			fake.fail_at = i;
			fake.no_memory = no_memory;
			struct err *e = trace(s);
			assert_non_null(e);
			assert_int_equal(e->code, no_memory ? ERR_NOMEM
							    : ERR_OS);
			err_free(e);
			session_free(s);
			assert_nothing_left();
		}
}

static const char *
find(const char *text)
{
	const char *at = strstr(sb_str(&fake.log), text);

	if (!at)
		print_error("no \"%s\" in\n%s", text, sb_str(&fake.log));
	assert_non_null(at);
	return at;
}

/* What the kernel says of programs is wanted by who asks for it. */
static void
test_debug(void **state)
{
	for (int64_t debug = 0; debug < 2; debug++) {
		fakekern_reset();
		struct session *s = compile(program);
		s->opts.v[OPT_DEBUG] = debug;
		assert_null(trace(s));
		assert_non_null(strstr(sb_str(&fake.log), debug ? "load with a log\n" :
				       "load\n"));
		session_free(s);
	}
}

static void
test_order(void **state)
{
	fakekern_reset();
	struct session *s = compile(program);
	assert_null(trace(s));
	/* Everything is attached before BEGIN runs; END runs when nothing is any
	 * more, and no program that had begun still runs. */
	const char *begin = find("_BEGIN\n"), *end = find("_END\n");
	assert_true(find("load\n") < find("attach sys_enter\n"));
	assert_true(find("attach sys_exit\n") < begin);
	assert_true(find("attach cpu 1\n") < begin);
	assert_true(begin < find("detach\n"));
	assert_true(find("detach\n") < find("barrier\n"));
	assert_true(find("barrier\n") < end);
	session_free(s);
}

/* What is aggregated goes to the other generation before anybody waits for the
 * programs that may still write to this one, and that comes before it is read. */
static uint32_t gen_at_barrier, gen_at_drain;
static bool drained;

static void
look_at_barrier(void)
{
	struct abi_ctl *ctl = fakekern_map(".bss.ctl");

	gen_at_barrier = ctl->gen;
}

static void
look_at_gen(void)
{
	struct abi_ctl *ctl = fakekern_map(".bss.ctl");

	gen_at_drain = ctl->gen;
	drained = true;
}

static void
test_flip_barrier_drain(void **state)
{
	fakekern_reset();
	struct session *s = compile("syscall::read:entry { @[pid] = count(); }");
	assert_null(session_go(s));
	struct abi_ctl *ctl = fakekern_map(".bss.ctl");
	for (uint32_t i = 0; i < 4; i++) {
		uint32_t old = ctl->gen;
		sb_reset(&fake.log);
		fake.on_drain = look_at_gen;
		fake.on_barrier = look_at_barrier;
		drained = false;
		assert_null(consume_snapshot(session_consume(s)));
		assert_true(drained);
		assert_int_equal(gen_at_barrier, old ^ 1);
		assert_int_equal(gen_at_drain, old ^ 1);
		assert_int_equal(ctl->gen, old ^ 1);
		assert_true(find("barrier\n") < find("drain "));
	}
	assert_null(session_stop(s));
	session_free(s);
	assert_nothing_left();
}

/* Whatever was opened is closed, also of one that never began. */
static void
test_files(void **state)
{
	for (int i = 0; i < 2; i++) {
		fakekern_reset();
		unsigned before = count_open();
		struct session *s = compile(program);
		if (i) {
			assert_null(trace(s));
			assert_true(count_open() > before);
		}
		session_free(s);
		assert_int_equal(count_open(), before);
	}
}

/* exit() in BEGIN: nothing else ever fires, so nothing is waited for. */
static void
exit_in_begin(const char *prog)
{
	struct abi_ctl *ctl = fakekern_map(".bss.ctl");

	if (strstr(prog, "BEGIN"))
		ctl->state = ABI_STATE_STOPPED;
}

static void
test_exit_in_begin(void **state)
{
	enum session_status status;
	unsigned n = 0;

	fakekern_reset();
	struct session *s = compile("BEGIN { exit(0); } syscall:::entry { x++; }");
	fake.on_run = exit_in_begin;
	assert_null(session_go(s));
	assert_false(s->engine->fired);
	assert_null(session_step(s, ignore, &n, &status));
	assert_int_equal(status, SESSION_EXITED);
	assert_null(session_stop(s));
	assert_null(strstr(sb_str(&fake.log), "barrier"));
	session_free(s);
	assert_nothing_left();
}

/* What the kernel says a program missed is told once. */
struct drops { uint64_t total; unsigned events; };

static struct err *
count_drop(void *ctx, const struct consume_event *e)
{
	struct drops *d = ctx;

	if (e->kind == CONSUME_DROP && e->drop == ABI_DROP_FIRING) {
		d->total += e->count;
		d->events++;
	}
	return NULL;
}

static void
test_misses_once(void **state)
{
	struct drops d = { 0 };

	fakekern_reset();
	struct session *s = compile("syscall::read:entry { x++; }");
	assert_null(session_go(s));
	fake.misses = 7;
	assert_null(consume_drops(session_consume(s), count_drop, &d));
	assert_int_equal(d.total, 7);
	assert_int_equal(d.events, 1);
	fake.misses = 9;
	assert_null(consume_drops(session_consume(s), count_drop, &d));
	assert_int_equal(d.total, 9);
	fake.misses = 9;
	/* Links are gone at the end, what they missed is not. */
	fake.link_misses = 3;
	assert_null(session_stop(s));
	fake.link_misses = 0;
	assert_null(consume_drops(session_consume(s), count_drop, &d));
	assert_int_equal(d.total, 12);
	session_free(s);
}

/* Where a thread can lose its CPU in a program at a tracepoint: at the function that calls
 * what is there, which is seen to once; who is to run first is attached last. */
static void
test_traceiter(void **state)
{
	fakekern_reset();
	fake.preempts = fake.probes_many = true;
	struct session *s = compile("proc:::exec-success, proc:::exit, proc:::lwp-exit, "
				    "sched:::preempt { x++; }");
	assert_null(session_go(s));
	if (!strstr(sb_str(&fake.log), "hold")) {
		session_free(s);
		skip();		/* BTF has no such functions */
	}
	find("attach sched_switch\n"
	     "attach sched_process_exit\nhold sched_process_exit\n"
	     "attach sched_process_exit\n"
	     "attach sched_process_exec\nhold sched_process_exec\n");
	assert_null(strstr(sb_str(&fake.log), "hold sched_switch"));
	assert_null(session_stop(s));
	session_free(s);
	assert_nothing_left();
}

/* A CPU that is offline has neither ring nor sampling event, and the others do
 * not move. */
static void
test_offline(void **state)
{
	fakekern_reset();
	fake.ncpus = 4;
	fake.offline = 1u << 1;
	struct session *s = compile("profile-97 { @ = count(); printf(\"x\"); }");
	assert_null(session_go(s));
	assert_non_null(strstr(sb_str(&fake.log), "attach cpu 0\n"));
	assert_null(strstr(sb_str(&fake.log), "attach cpu 1\n"));
	assert_non_null(strstr(sb_str(&fake.log), "attach cpu 2\n"));
	assert_non_null(strstr(sb_str(&fake.log), "attach cpu 3\n"));
	assert_int_equal(fake.nrings, 3);
	assert_null(session_stop(s));
	session_free(s);
	assert_nothing_left();
}

/* A record in a ring comes out as an event of its probe. */
static struct err *
want_read(void *ctx, const struct consume_event *e)
{
	assert_int_equal(e->kind, CONSUME_RECORD);
	assert_string_equal(e->probe->func, "read");
	assert_string_equal(e->probe->name, "entry");
	assert_int_equal(e->cpu, 1);
	++*(unsigned *)ctx;
	return NULL;
}

static void
test_record(void **state)
{
	unsigned n = 0;

	fakekern_reset();
	struct session *s = compile("syscall::read:entry { trace(arg0); }");
	assert_null(session_go(s));
	struct { struct abi_record hdr; uint64_t arg; } r = {
		{ 1, sizeof(r), 1000 }, 3 };
	fakekern_record(1, &r, sizeof(r));
	assert_null(session_stop(s));
	assert_null(session_drain(s, want_read, &n));
	assert_int_equal(n, 1);
	session_free(s);
	assert_nothing_left();
}

/* Whether one of its speculations is in use; a program without any has none. */
static void
test_speculates(void **state)
{
	fakekern_reset();
	struct session *s = compile(program);
	assert_null(session_go(s));
	struct abi_spec *specs = fakekern_map("dt_specs");
	assert_non_null(specs);
	assert_int_equal(s->engine->source.nspec, 1);
	assert_false(engine_speculates(s->engine));
	specs[0].word = ABI_SPEC_WORD(7, 0, ABI_SPEC_ACTIVE);
	assert_true(engine_speculates(s->engine));
	specs[0].word = ABI_SPEC_WORD(8, 0, ABI_SPEC_IDLE);
	assert_false(engine_speculates(s->engine));
	/* What stands behind the last is none. */
	specs[1].word = ABI_SPEC_WORD(7, 0, ABI_SPEC_ACTIVE);
	assert_false(engine_speculates(s->engine));
	session_free(s);
	s = compile("syscall::read:entry { x++; }");
	assert_null(session_go(s));
	assert_false(engine_speculates(s->engine));
	session_free(s);
	assert_nothing_left();
}

/* The room of dynamic variables is what the option says, about. */
static void
test_dynvarsize(void **state)
{
	static const char *const sizes[] = { "64k", "1m", "16m" };
	uint32_t last = 0;

	for (size_t i = 0; i < BASE_NELEMS(sizes); i++) {
		fakekern_reset();
		struct session *s = compile("syscall::read:entry { a[pid, arg0] = 1; }");
		assert_null(opt_set_value(session_opts(s), "dynvarsize", sizes[i],
					  OPT_FROM_COMMAND, false));
		assert_null(session_go(s));
		uint32_t n = fakekern_entries("dt_table0");
		assert_true(n > last * 8);
		assert_true(n <= (uint32_t)session_opts(s)->v[OPT_DYNVARSIZE] / 16);
		last = n;
		session_free(s);
	}
}

/* All that one step hands out is of one clock, by which it is saved, too; it is looked at
 * behind that. */
enum { OLD_DELTA = 12345 };

static struct err *
want_old_clock(void *ctx, const struct consume_event *e)
{
	int64_t delta;
	uint64_t now;

	session_clock(ctx, &now, &delta);
	assert_int_equal(delta, OLD_DELTA);
	assert_int_equal(e->kind, CONSUME_DROP);
	fake.misses = 0;
	return NULL;
}

static void
test_clock(void **state)
{
	enum session_status status;
	int64_t delta;
	uint64_t now;

	fakekern_reset();
	struct session *s = compile("syscall::read:entry { x++; }");
	assert_null(session_go(s));
	s->engine->ctl->wall_delta = OLD_DELTA;
	((struct kengine *)s->engine)->next_clock = 0;
	s->run.next.status = 0;
	fake.misses = 7;
	assert_null(session_step(s, want_old_clock, s, &status));
	assert_int_equal(fake.misses, 0);		/* it was told */
	session_clock(s, &now, &delta);
	assert_int_not_equal(delta, OLD_DELTA);
	session_free(s);
}

/* What is done now and then: not before its time, and then not again for as long as the
 * option says. */
static void
test_now_and_then(void **state)
{
	enum session_status status;
	unsigned n = 0;

	fakekern_reset();
	struct session *s = compile(program);
	assert_null(session_go(s));
	const struct { const char *option; uint64_t *next; } rows[] = {
		{ "statusrate", &s->run.next.status }, { "aggrate", &s->run.next.agg },
		{ "cleanrate", &s->run.next.clean },
	};
	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		assert_null(opt_set_value(session_opts(s), rows[i].option,
					  i == 0 ? "9s" : "7s", OPT_FROM_SETOPT,
					  false));
	for (size_t due = 0; due <= BASE_NELEMS(rows); due++) {
		const uint64_t far = UINT64_MAX / 2;
		for (size_t i = 0; i < BASE_NELEMS(rows); i++)
			*rows[i].next = i == due ? 0 : far;
		uint64_t before = clock_ns();
		assert_null(session_step(s, ignore, &n, &status));
		uint64_t after = clock_ns();
		for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
			uint64_t ns = i == 0 ? 9000000000 : 7000000000;
			if (i == due)
				assert_in_range(*rows[i].next, before + ns,
						after + ns);
			else
				assert_int_equal(*rows[i].next, far);
		}
	}
	session_free(s);
	assert_nothing_left();
}

/* What programs want of the kernel before they are loaded: all of them, */
#define ALL "need .bss.ctl\nneed dt_drops\nmap dt_drops 0 2\n"
#define NO_INTERVALS "map dt_intervals 0 2\n"

/* and each just that. */
static const struct { const char *program, *made; } made[] = {
	{ "BEGIN { exit(0); }", ALL NO_INTERVALS },
	{ "syscall::read:entry { self->t = 1; } syscall::read:return { self->t = 0; }",
	  ALL NO_INTERVALS },
	{ "syscall::read:entry { self->a[arg0] = 1; }", ALL NO_INTERVALS "use dt_exit\n"
	  "map dt_sweeping 0 2\nmap dt_threads 0 16384\nmap dt_table0 0 10922\n" },
	{ "syscall::read:entry { a[arg0] = 1; b[execname] = 1; }", ALL NO_INTERVALS
	  "map dt_table0 0 11915\nmap dt_table1 0 10922\nmap dt_fronts 0 4097\n" },
	{ "syscall::read:entry { @[pid] = count(); @b[arg0] = sum(1); }", ALL NO_INTERVALS
	  "map dt_agg1_0 0 1638\nmap dt_agg1_1 0 1638\n"
	  "map dt_agg2_0 0 1560\nmap dt_agg2_1 0 1560\n" },
	{ "syscall::read:entry { trace(vtimestamp); }", ALL
	  "use dt_free\nuse dt_free\nuse dt_switch\nuse dt_seen\nmap dt_vtime 0 65536\n" NO_INTERVALS },
	{ "syscall::read:entry { s = speculation(); speculate(s); trace(1); }", ALL
	  NO_INTERVALS "need dt_specs\nneed dt_spec_used\nmap dt_specs 0 1\n"
	  "map dt_spec_used 0 2\n" },
	{ "syscall::read:entry { ustack(); }", ALL NO_INTERVALS
	  "sparse dt_unwind_places\nmap dt_unwind 0 512\n" },
	{ "profile-97, profile-1 { x++; } tick-1s { x++; }", ALL "map dt_intervals 0 4\n" },
	/* With little room there are no places in front, and much is made as it comes. */
	{ "#pragma D option dynvarsize=1000k\nsyscall::read:entry { a[1] = 2; }",
	  ALL NO_INTERVALS "map dt_table0 0 11636\n" },
	{ "#pragma D option dynvarsize=9m\nsyscall::read:entry { a[1] = 2; }",
	  ALL NO_INTERVALS "map dt_table0 0 107240\nsparse dt_table0\nmap dt_fronts 0 2049\n" },
	/* Each program of a typed tracepoint is for that. */
	{ "sched:::on-cpu { x++; }", "btf dt_1_sched_switch\n" ALL NO_INTERVALS },
};

static void
cut_line(char *text, const char *begin)
{
	char *line = strstr(text, begin), *end = line ? strchr(line, '\n') : NULL;

	if (end)
		memmove(line, end + 1, strlen(end));
}

static void
test_prepared(void **state)
{
	int failed = 0;

	for (size_t i = 0; i < BASE_NELEMS(made); i++) {
		fakekern_reset();
		struct session *s = compile(made[i].program);
		assert_null(opt_set_value(session_opts(s), "aggsize", "64k",
					  OPT_FROM_COMMAND, false));
		assert_null(session_go(s));
		/* But for how large a slot is, and a tracepoint of some kernels. */
		char got[4096];
		snprintf(got, sizeof(got), "%s", sb_str(&fake.made));
		assert_non_null(strstr(got, "map dt_slots "));
		cut_line(got, "map dt_slots ");
		cut_line(got, "use dt_came");
		if (strcmp(got, made[i].made)) {
			print_error("%s\n%s", made[i].program, sb_str(&fake.made));
			failed++;
		}
		session_free(s);
	}
	assert_int_equal(failed, 0);
}

/* What keeps vtimestamp is told of threads that come, end and take turns, before anything
 * else is attached. */
static void
test_vtimestamp(void **state)
{
	fakekern_reset();
	struct session *s = compile("syscall::read:entry { trace(vtimestamp); }");
	assert_null(session_go(s));
	find("attach task_newtask\n"
	     "attach sched_process_free\n"
	     "attach sched_switch\n");
	assert_true(find("attach sched_switch\n") < find("attach sys_enter\n"));
	session_free(s);
	assert_nothing_left();
}

/* When it stopped is known where something could fire until then. */
static void
test_when_stopped(void **state)
{
	fakekern_reset();
	struct session *s = compile("syscall::read:entry { x++; }");
	assert_null(session_go(s));
	assert_int_equal(s->engine->stopped_ns, 0);
	uint64_t from = clock_ns();
	assert_null(session_stop(s));
	assert_in_range(s->engine->stopped_ns, from, clock_ns());
	session_free(s);
	/* exit() has said it already, by a record. */
	s = compile("BEGIN { exit(0); } syscall::read:entry { x++; }");
	fake.on_run = exit_in_begin;
	assert_null(session_go(s));
	assert_null(session_stop(s));
	assert_int_equal(s->engine->stopped_ns, 0);
	session_free(s);
}

/* What programs read as variables of the kernel: set before they run, once a second, and
 * at the end. */
static void
test_kvars(void **state)
{
	enum session_status status;
	struct utsname u;
	unsigned n = 0;

	assert_int_equal(uname(&u), 0);
	fakekern_reset();
	struct session *s = compile("BEGIN { trace(`physmem); trace(`utsname.nodename); }");
	uint64_t from = clock_ns();
	assert_null(session_go(s));
	const struct abi_kvars *k = &((struct abi_ctl *)fakekern_map(".bss.ctl"))->kvars;
	assert_int_equal(k->pagesize, sysconf(_SC_PAGESIZE));
	assert_int_equal(1 << k->pageshift, sysconf(_SC_PAGESIZE));
	assert_int_equal(k->ncpus, sysconf(_SC_NPROCESSORS_CONF));
	assert_int_equal(k->ncpus_online, sysconf(_SC_NPROCESSORS_ONLN));
	assert_int_equal(k->physmem, sysconf(_SC_PHYS_PAGES));
	assert_in_range(k->freemem, 1, k->physmem);
	assert_string_equal(k->utsname.sysname, u.sysname);
	assert_string_equal(k->utsname.nodename, u.nodename);
	assert_string_equal(k->utsname.release, u.release);
	assert_string_equal(k->utsname.version, u.version);
	assert_string_equal(k->utsname.machine, u.machine);
	assert_int_equal(k->averunnable.fscale, 2048);
	for (int i = 0; i < 3; i++) {
		/* The same with 11 and with 16 bits behind the point. */
		assert_int_equal(k->avenrun[i], k->averunnable.ldavg[i]);
		assert_int_equal(k->hp_avenrun[i] >> 5, k->avenrun[i]);
	}
	struct kengine *e = (struct kengine *)s->engine;
	uint64_t due = e->next_kvars;
	assert_in_range(due, from, clock_ns() + 1000000000);
	engine_turn(s->engine, due - 1);
	assert_int_equal(e->next_kvars, due);
	assert_int_equal(engine_due(s->engine), due);
	engine_turn(s->engine, due);
	assert_true(e->next_kvars >= due);
	assert_null(session_step(s, ignore, &n, &status));
	assert_null(session_stop(s));
	session_free(s);
	/* Who reads none has none. */
	s = compile("BEGIN { x = 1; }");
	assert_null(session_go(s));
	k = &((struct abi_ctl *)fakekern_map(".bss.ctl"))->kvars;
	assert_int_equal(k->pagesize, 0);
	assert_int_equal(engine_due(s->engine), UINT64_MAX);
	session_free(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_prepare),
		cmocka_unit_test(test_each_failure),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_debug),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_prepared),
		cmocka_unit_test(test_vtimestamp),
		cmocka_unit_test(test_when_stopped),
		cmocka_unit_test(test_kvars),
		cmocka_unit_test(test_flip_barrier_drain),
		cmocka_unit_test(test_exit_in_begin),
		cmocka_unit_test(test_misses_once),
		cmocka_unit_test(test_traceiter),
		cmocka_unit_test(test_offline),
		cmocka_unit_test(test_record),
		cmocka_unit_test(test_dynvarsize),
		cmocka_unit_test(test_clock),
		cmocka_unit_test(test_now_and_then),
		cmocka_unit_test(test_speculates),
	};

	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	fakekern_reset();
	sb_fini(&fake.log);
	return failed;
}
