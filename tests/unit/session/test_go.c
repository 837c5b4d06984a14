/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a session asks and waits for when it goes, against a kernel that is made
 * up (fakekern.h): the limits of its options, to the last value, whose data wakes it, and
 * which processes are looked at.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "abi/cfg.h"
#include "abi/spec.h"
#include "countopen.h"
#include "fakekern.h"
#include "engine/ops.h"
#include "kern/task.h"
#include "prov/site.h"
#include "session/proc_priv.h"
#include "session/run_priv.h"
#include "session/session_priv.h"
#include "sym/names.h"

static struct session *
compile(const char *text)
{
	const struct diag_list *diags;
	struct session_prog *p;
	struct session *s;

	assert_null(session_new(&s));
	assert_null(session_compile(s, NULL, text, strlen(text),
				    PROBE_SPEC_NAME, 0, NULL, 0, &diags, &p));
	assert_null(session_enable(s, p));
	return s;
}

static void
check_limit(struct session *s, enum opt_id id, int64_t v, bool ok)
{
	int64_t old = s->opts.v[id];

	s->opts.v[id] = v;
	struct err *e = session_check_limits(s, NULL);
	s->opts.v[id] = old;
	if (ok != !e)
		fail_msg("%s=%lld: %s", opt_name(id), (long long)v,
			 e ? e->text : "taken");
	if (e) {
		assert_int_equal(e->code, ERR_LIMIT);
		assert_int_equal(e->os, 0);
		assert_non_null(strstr(e->text, opt_name(id)));
	}
	err_free(e);
}

static void
test_limits(void **state)
{
	static const struct { enum opt_id id; int64_t min, max; } rows[] = {
		{ OPT_STRSIZE, ABI_STRSIZE_MIN, ABI_STRSIZE_MAX },
		{ OPT_SCRATCHSIZE, 1, ABI_SCRATCHSIZE_MAX },
		{ OPT_PRINTSIZE, 1, 1 << 20 },
		{ OPT_LOOPMAX, 1, UINT32_MAX },
		{ OPT_NSPEC, 0, ABI_NSPEC_MAX },
		{ OPT_CLEANRATE, 200000, 60000000000 },
	};
	struct session *s;

	assert_null(session_new(&s));
	s->opts.v[OPT_BUFRESIZE] = OPT_RESIZE_MANUAL;	/* none is lowered */
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		check_limit(s, rows[i].id, rows[i].min, true);
		check_limit(s, rows[i].id, rows[i].max, true);
		check_limit(s, rows[i].id, rows[i].min - 1, false);
		check_limit(s, rows[i].id, rows[i].max + 1, false);
	}
	session_free(s);
}

/* A session goes once, also when it has stopped; the system has no part in that. */
static void
test_once(void **state)
{
	fakekern_reset();
	struct session *s = compile("syscall::read:entry { trace(1); }");

	assert_null(session_go(s));
	for (int i = 0; i < 2; i++) {
		struct err *e = session_go(s);
		assert_non_null(e);
		assert_int_equal(e->code, ERR_STATE);
		assert_int_equal(e->os, 0);
		assert_string_equal(e->text, "tracing has begun already");
		err_free(e);
		if (!i)
			assert_null(session_stop(s));
	}
	session_free(s);
}

/* How many descriptors wake who waits for the session. */
static unsigned
count_watched(const struct session *s)
{
	char path[64], line[256];
	unsigned n = 0;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", s->run.epoll);
	FILE *f = fopen(path, "re");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		n += strncmp(line, "tfd:", 4) == 0;
	fclose(f);
	return n;
}

/* The buffer of each CPU that is there, unless they are read at the end. */
static void
test_watched(void **state)
{
	static const int64_t policies[] = { OPT_POLICY_SWITCH, OPT_POLICY_FILL,
					    OPT_POLICY_RING };

	for (unsigned offline = 0; offline < 4; offline++)
		for (size_t i = 0; i < BASE_NELEMS(policies); i++) {
			fakekern_reset();
			fake.ncpus = 3;
			fake.offline = offline < 3 ? 1ull << offline : 0;
			struct session *s = compile(
				"syscall::read:entry { trace(1); }");
			s->opts.v[OPT_BUFPOLICY] = policies[i];
			assert_null(session_go(s));
			unsigned want = offline < 3 ? 2 : 3;
			assert_int_equal(count_watched(s), i ? 0 : want);
			assert_null(session_stop(s));
			session_free(s);
		}
}

/* A CPU that is asked for and not there: which there are is told. */
static void
test_cpus(void **state)
{
	static const struct { uint64_t offline; const char *want; } rows[] = {
		{ 0, "; there are 0-5" }, { 1 << 1, "; there are 0, 2-5" },
		{ 1 << 0 | 1 << 5, "; there are 1-4" },
		{ 1 << 1 | 1 << 4, "; there are 0, 2-3, 5" },
		{ 0x3e, "; there are 0" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		fakekern_reset();
		fake.ncpus = 6;
		fake.offline = rows[i].offline;
		struct session *s = compile("syscall::read:entry { x++; }");
		s->opts.v[OPT_CPU] = 6;
		struct err *e = session_go(s);
		assert_non_null(e);
		const char *at = strchr(e->text, ';');
		assert_string_equal(at ? at : e->text, rows[i].want);
		err_free(e);
		session_free(s);
	}
}

/* The kernel's names are read ahead when a record holds addresses of it, and not
 * for keys, which wait for the end; processes are watched when addresses in them
 * have to be named in either. */
static void
test_names(void **state)
{
	static const struct { const char *what; bool kernel, processes; } rows[] = {
		{ "trace(1)", false, false }, { "stack()", true, false },
		{ "sym(arg0)", true, false }, { "mod(arg0)", true, false },
		{ "ustack()", false, true }, { "usym(arg0)", false, true },
		{ "umod(arg0)", false, true }, { "uaddr(arg0)", false, true },
		{ "@[sym(arg0)] = count()", false, false },
		{ "@[ustack()] = count()", false, true },
		{ "@[1, uaddr(arg0)] = count()", false, true },
	};
	char text[128];

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		fakekern_reset();
		snprintf(text, sizeof(text), "syscall::read:entry { %s; }",
			 rows[i].what);
		struct session *s = compile(text);
		assert_null(session_go(s));
		if (s->naming.kernel_soon != rows[i].kernel ||
		    fake.ntasks != rows[i].processes)
			fail_msg("%s: %d %d", rows[i].what,
				 s->naming.kernel_soon, fake.ntasks);
		assert_null(session_stop(s));
		session_free(s);
	}
}

/* The kernel's symbols are read once, when there are records and none that is kept to the end. */
static void
test_names_read(void **state)
{
	static const struct { const char *what; int64_t policy; bool wanted, keeps; } rows[] = {
		{ "stack()", OPT_POLICY_SWITCH, true, false },
		{ "sym(0)", OPT_POLICY_SWITCH, true, false },
		{ "trace(1)", OPT_POLICY_SWITCH, false, false },
		{ "stack()", OPT_POLICY_RING, true, true },
		{ "stack()", OPT_POLICY_FILL, true, true },
	};
	char text[100];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fakekern_reset();
		snprintf(text, sizeof(text), "syscall::read:entry { %s; }", rows[i].what);
		struct session *s = compile(text);
		s->opts.v[OPT_BUFPOLICY] = rows[i].policy;
		assert_null(session_go(s));
		assert_int_equal(s->naming.kernel_soon, rows[i].wanted);
		assert_null(session_naming_turn(s, false));
		assert_int_equal(s->naming.kernel_soon, rows[i].wanted);
		assert_null(session_naming_turn(s, true));
		assert_int_equal(s->naming.kernel_soon, rows[i].keeps);
		assert_null(session_naming_turn(s, true));
		assert_null(session_stop(s));
		session_free(s);
	}
}

static struct err *
ignore(void *ctx, const struct consume_event *e)
{
	return NULL;
}

static void
count_file(void *ctx, int fd)
{
	++*(unsigned *)ctx;
}

/* The files that we have mapped, as far as the session knows. */
static unsigned
our_files(struct session *s)
{
	unsigned n = 0;

	sym_names_files(s->sym_names, getpid(), count_file, &n);
	return n;
}

static void
step(struct session *s)
{
	enum session_status status;

	assert_null(session_step(s, ignore, NULL, &status));
}

static void
finish_sweep(struct session *s)
{
	assert_non_null(s->naming.sweep);
	for (unsigned i = 0; s->naming.sweep; i++) {
		assert_in_range(i, 0, 100000);
		step(s);
	}
}

/* What processes have mapped that there are before; and once more when events were lost. */
static void
test_sweep(void **state)
{
	const struct kern_task_event lost = { .kind = KERN_TASK_LOST, .lost = 1 };

	fakekern_reset();
	struct session *s = compile("syscall::read:entry { ustack(); }");
	assert_null(session_go(s));
	assert_int_equal(our_files(s), 0);
	finish_sweep(s);
	unsigned n = our_files(s);
	assert_true(n > 0);
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	void *more = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	assert_ptr_not_equal(more, MAP_FAILED);
	close(fd);
	fakekern_task(&lost);
	session_tasks_read(s);
	finish_sweep(s);
	assert_int_equal(our_files(s), n + 1);
	munmap(more, 4096);
	assert_null(session_stop(s));
	session_free(s);
}

static int traced;		/* the process that was told to the engine */

static void
note_process(struct engine *e, int pid, enum engine_process what)
{
	if (what == ENGINE_PROCESS_TRACED)
		traced = pid;
}

/* The engine is told what a process maps from a file, of those of -c and -p. */
static void
test_mapped(void **state)
{
	static const struct { int pid; uint64_t inode; bool told; } rows[] = {
		{ 4000001, 5, true }, { 4000001, 0, false }, { 4000002, 5, false },
	};
	struct session_proc proc = { .pid = 4000001 };

	fakekern_reset();
	struct session *s = compile("syscall::read:entry { ustack(); }");
	assert_null(session_go(s));
	const struct engine_ops *old = s->engine->ops;
	struct engine_ops noting = *old;
	noting.process = note_process;
	s->engine->ops = &noting;
	s->procs = &proc;
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		traced = 0;
		fakekern_task(&(struct kern_task_event){ .kind = KERN_TASK_MAPPED,
			.pid = rows[i].pid, .start = 4096, .size = 4096,
			.inode = rows[i].inode, .path = "/nosuch" });
		session_tasks_read(s);
		assert_int_equal(traced, rows[i].told ? rows[i].pid : 0);
	}
	s->procs = NULL;
	s->engine->ops = old;
	assert_null(session_stop(s));
	session_free(s);
}

/* An address in keys stands for its function, or for its module. */
static void
test_whole(void **state)
{
	fakekern_reset();
	struct session *s = compile("syscall::read:entry { @[usym(arg0)] = count(); }");
	assert_null(session_go(s));
	const struct consume_meta *meta = session_meta(s);
	uint64_t here = (uintptr_t)&test_whole, other = (uintptr_t)&compile;
	int64_t us = getpid();

	assert_int_equal(meta->whole(s, ABI_FIELD_USYM, us, here + 9), here);
	assert_int_equal(meta->whole(s, ABI_FIELD_USYM, us, other), other);
	uint64_t module = meta->whole(s, ABI_FIELD_UMOD, us, here);
	assert_true(module != here && module < here);
	assert_int_equal(meta->whole(s, ABI_FIELD_UMOD, us, other + 5), module);
	/* Who is not there has no functions. */
	assert_int_equal(meta->whole(s, ABI_FIELD_USYM, 4000001, here + 9), here + 9);
	assert_int_equal(meta->whole(s, ABI_FIELD_SYM, 0, 9), 9);
	assert_null(session_stop(s));
	session_free(s);
}

static bool
is_due(struct session *s)
{
	uint64_t due = session_due(s);

	return due <= clock_ns();
}

/* What is not due is not for a quarter of a millisecond at least. */
static bool
is_later(struct session *s)
{
	uint64_t now = clock_ns();

	return session_due(s) >= now + 250000;
}

/* There is something to do before it goes, when a record waits and when it is over. */
static void
test_due(void **state)
{
	struct { struct abi_record hdr; uint64_t arg; } r = { { 1, sizeof(r), 1000 }, 3 };

	fakekern_reset();
	struct session *s = compile("syscall::read:entry { trace(1); }");
	assert_true(is_due(s));
	assert_null(session_go(s));
	assert_true(is_later(s));
	fakekern_record(1, &r, sizeof(r));
	assert_true(is_due(s));
	step(s);
	assert_true(is_later(s));
	assert_null(session_stop(s));
	assert_true(is_due(s));
	session_free(s);
}

/* A tick is a timer of ours, unless a clause asks which thread it is. */
static void
test_tick(void **state)
{
	static const struct { const char *text; enum prov_trigger want; } rows[] = {
		{ "tick-1s { n++; }", PROV_TRIGGER_TICK },
		{ "tick-1s { trace(timestamp); }", PROV_TRIGGER_TICK },
		{ "tick-1s { trace(execname); }", PROV_TRIGGER_INTERRUPT },
		{ "tick-1s { self->n++; }", PROV_TRIGGER_INTERRUPT },
		{ "tick-1s { n++; } tick-1s { stack(); }", PROV_TRIGGER_INTERRUPT },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		fakekern_reset();
		struct session *s = compile(rows[i].text);
		assert_null(session_go(s));
		assert_int_equal(s->points.all.n, 1);
		if (s->points.all.v[0].trigger != rows[i].want)
			fail_msg("%s: %d", rows[i].text, s->points.all.v[0].trigger);
		assert_null(session_stop(s));
		session_free(s);
	}
}

/* There is nothing to be known of a probe that is not there. */
static void
test_no_probe(void **state)
{
	struct session_probe info;

	struct session *s = compile("syscall::read:entry { n++; }");
	assert_true(session_probe_info(s, 1, &info));
	assert_false(session_probe_info(s, 0, &info));
	assert_false(session_probe_info(s, UINT32_MAX, &info));
	session_free(s);
}

/* Only what is traced can be held, until what is waited for comes. */
static void
test_hold(void **state)
{
	int fds[2];
	bool came;

	fakekern_reset();
	struct session *s = compile("syscall::read:entry { trace(1); }");
	assert_int_equal(pipe(fds), 0);
	for (int when = 0; when < 3; when++) {	/* before, while and after it is traced */
		came = true;
		if (when == 1) {
			assert_null(session_go(s));
			assert_int_equal(write(fds[1], "x", 1), 1);
			assert_null(session_hold(s, fds[0], &came));
			assert_true(came);
			came = false;
			assert_null(session_hold(s, fds[0], &came));
			assert_true(came);
			assert_null(session_stop(s));
			continue;
		}
		struct err *e = session_hold(s, fds[0], &came);
		assert_non_null(e);
		assert_int_equal(e->code, ERR_STATE);
		assert_string_equal(e->text, "nothing is traced that could be held");
		err_free(e);
		assert_false(came);
	}
	close(fds[0]);
	close(fds[1]);
	session_free(s);
}

/* In another pid namespace a program tells how probes see us, if it can. */
static void
test_self(void **state)
{
	fakekern_reset();
	assert_int_equal(session_self(), getpid());
	fake.seen_as = 4000001;
	unsigned nopen = count_open();
	assert_int_equal(session_self(), 4000001);
	assert_int_equal(fake.ncalls, 2);
	assert_int_equal(count_open(), nopen);
	for (unsigned at = 1; at <= 2; at++) {
		fakekern_reset();
		fake.seen_as = 4000001;
		fake.fail_at = at;
		assert_int_equal(session_self(), getpid());
		assert_int_equal(count_open(), nopen);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_once),
		cmocka_unit_test(test_watched),
		cmocka_unit_test(test_cpus),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_names_read),
		cmocka_unit_test(test_sweep),
		cmocka_unit_test(test_mapped),
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_due),
		cmocka_unit_test(test_tick),
		cmocka_unit_test(test_no_probe),
		cmocka_unit_test(test_hold),
		cmocka_unit_test(test_self),
	};

	int failed = cmocka_run_group_tests_name("session-go", tests, NULL,
						 NULL);
	fakekern_reset();
	sb_fini(&fake.log);
	return failed;
}
