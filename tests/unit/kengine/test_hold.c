/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Who waits for probes: children of the test that stand still, and a kernel of its own
 * that only writes down what it is asked for.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "assertok.h"
#include "base/base.h"
#include "fakekern.h"
#include "kengine/hold.h"
#include "kengine/hold_priv.h"
#include "kengine/kengine_priv.h"
#include "util/sb.h"

enum { MS = 1000000 };

/* --- The kernel -------------------------------------------------------------------- */

static struct abi_hold *shared;
static struct abi_hold_cfg cfg;
static bool lacks_type;
static struct sb known;		/* inodes of files */

struct err *__wrap_typedb_offset(struct typedb *db, const char *tag, const char *path,
				 uint32_t *off, uint32_t *size);

struct err *
__wrap_typedb_offset(struct typedb *db, const char *tag, const char *path, uint32_t *off,
		     uint32_t *size)
{
	if (lacks_type && !strcmp(tag, "fdtable") && !strcmp(path, "fd"))
		return err_new(ERR_NOTFOUND, 0, "no such member");
	*off = 8;
	return NULL;
}

static void
keep_cfg(const char *map, const void *bytes)
{
	if (!strcmp(map, ".rodata.hold"))
		memcpy(&cfg, bytes, sizeof(cfg));
}

static void
note_known(const void *key, const void *value)
{
	const struct abi_hold_file *f = key;

	assert_int_equal(*(const uint32_t *)value, 1);
	sb_printf(&known, "know %llu\n", (unsigned long long)f->inode);
}

/* Whoever is stopped from now on finds the guard there. */
static void
look_armed(void)
{
	shared = fakekern_map(".bss.hold");
	assert_non_null(shared);
	assert_int_equal(shared->armed, 1);
}

static void
expect(const char *made, const char *log)
{
	assert_string_equal(sb_str(&fake.made), made);
	assert_string_equal(sb_str(&fake.log), log);
	sb_reset(&fake.made);
	sb_reset(&fake.log);
}

static void
expect_known(const char *want)
{
	assert_string_equal(sb_str(&known), want);
	sb_reset(&known);
}

/* --- Children ---------------------------------------------------------------------- */

enum { KIDS_MAX = 8 };

static pid_t kids[KIDS_MAX];
static unsigned nkids;

static struct sb warnings;
static struct abi_hold *own;

static void
warn(void *ctx, const char *text)
{
	sb_printf(&warnings, "%s\n", text);
}

static int
begin(void **state)
{
	fakekern_reset();
	fake.shares = true;
	fake.on_initial = keep_cfg;
	fake.on_update = note_known;
	fake.on_attach = look_armed;
	lacks_type = false;
	memset(&cfg, 0, sizeof(cfg));
	sb_init(&known, 1 << 16);
	sb_init(&warnings, 1 << 16);
	nkids = 0;
	/* For those that need no more of the kernel. */
	own = shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return shared == MAP_FAILED;
}

static int
end(void **state)
{
	for (unsigned i = 0; i < nkids; i++) {
		kill(kids[i], SIGKILL);
		waitpid(kids[i], NULL, 0);
	}
	munmap(own, 4096);
	sb_fini(&known);
	sb_fini(&warnings);
	return 0;
}

/* A child that waits; after fn. */
static uint32_t
new_kid(void (*fn)(void))
{
	int ends[2];
	char c;

	assert_int_equal(pipe(ends), 0);
	pid_t pid = fork();
	if (!pid) {
		if (fn)
			fn();
		if (write(ends[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	assert_true(pid > 0 && nkids < KIDS_MAX);
	kids[nkids++] = pid;
	close(ends[1]);
	assert_int_equal(read(ends[0], &c, 1), 1);
	close(ends[0]);
	return (uint32_t)pid;
}

static uint32_t
new_stopped(void)
{
	uint32_t pid = new_kid(NULL);
	int status;

	kill((pid_t)pid, SIGSTOP);
	assert_int_equal(waitpid((pid_t)pid, &status, WUNTRACED), (pid_t)pid);
	assert_true(WIFSTOPPED(status));
	return pid;
}

static bool
goes_on(uint32_t pid, bool wait)
{
	int status;

	return waitpid((pid_t)pid, &status, WCONTINUED | (wait ? 0 : WNOHANG)) == (pid_t)pid &&
	       WIFCONTINUED(status);
}

static void
block_stops(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

/* --- Looking ----------------------------------------------------------------------- */

static void
test_look(void **state)
{
	static const int others[] = { SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU };
	uint32_t runs = new_kid(NULL), waits = new_stopped(), blocks = new_kid(block_stops);

	assert_int_equal(hold_look_at(runs), HOLD_COMES);
	assert_int_equal(hold_look_at(waits), HOLD_WAITS);
	/* What stops it comes, and what does not stop it does not. */
	kill((pid_t)blocks, SIGUSR1);
	assert_int_equal(hold_look_at(blocks), HOLD_COMES);
	kill((pid_t)blocks, SIGTSTP);
	assert_int_equal(hold_look_at(blocks), HOLD_WAITS);
	for (size_t i = 0; i < BASE_NELEMS(others); i++) {
		uint32_t pid = new_stopped();
		kill((pid_t)pid, others[i]);
		assert_int_equal(hold_look_at(pid), HOLD_OTHERS);
		assert_int_equal(hold_let_go(pid), HOLD_OTHERS);
		assert_false(goes_on(pid, false));
	}
	/* One that has ended: first nobody has asked for its status. */
	kill((pid_t)runs, SIGKILL);
	siginfo_t info;
	assert_int_equal(waitid(P_PID, runs, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(hold_look_at(runs), HOLD_GONE);
	assert_int_equal(waitpid((pid_t)runs, NULL, 0), (pid_t)runs);
	assert_int_equal(hold_look_at(runs), HOLD_GONE);
	kids[0] = kids[--nkids];	/* nobody is to end that once more */
}

static void
be_traced(void)
{
	ptrace(PTRACE_TRACEME, 0, 0, 0);
}

/* A debugger's is the debugger's. */
static void
test_traced(void **state)
{
	uint32_t pid = new_kid(be_traced);
	int status;

	kill((pid_t)pid, SIGSTOP);
	assert_int_equal(waitpid((pid_t)pid, &status, 0), (pid_t)pid);
	assert_int_equal(hold_look_at(pid), HOLD_OTHERS);
	assert_int_equal(hold_let_go(pid), HOLD_OTHERS);
}

static void *
stop_all(void *arg)
{
	int *ends = arg;
	char c;

	if (read(ends[0], &c, 1) == 1)
		raise(SIGSTOP);
	return NULL;
}

/* The first thread cannot stand still: it waits for whom it has forked. */
static void
test_first_thread(void **state)
{
	int begins[2], ends[2], now[2];
	char c;

	assert_int_equal(pipe(begins) | pipe(ends) | pipe(now), 0);
	pid_t pid = fork();
	if (!pid) {
		pthread_t thread;
		pthread_create(&thread, NULL, stop_all, begins);
		pid_t kid = vfork();
		if (!kid)
			_exit(write(now[1], "", 1) != 1 || read(ends[0], &c, 1) != 1);
		for (;;)
			pause();
	}
	kids[nkids++] = pid;
	assert_int_equal(read(now[0], &c, 1), 1);
	assert_int_equal(hold_look_at((uint32_t)pid), HOLD_COMES);
	assert_int_equal(write(begins[1], "", 1), 1);
	while (hold_look_at((uint32_t)pid) == HOLD_COMES)
		usleep(1000);
	assert_int_equal(hold_let_go((uint32_t)pid), HOLD_WAITS);
	assert_int_equal(hold_look_at((uint32_t)pid), HOLD_COMES);
	assert_int_equal(write(ends[1], "", 1), 1);
	for (int i = 0; i < 2; i++) {
		close(begins[i]);
		close(ends[i]);
		close(now[i]);
	}
}

static void *
stop_twice(void *arg)
{
	for (int i = 0; i < 2; i++)
		stop_all(arg);
	return NULL;
}

/* The first thread has ended, and the process goes on. */
static void
test_no_first_thread(void **state)
{
	int begins[2], status;

	assert_int_equal(pipe(begins), 0);
	pid_t pid = fork();
	if (!pid) {
		pthread_t thread;
		pthread_create(&thread, NULL, stop_twice, begins);
		pthread_exit(NULL);
	}
	kids[nkids++] = pid;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(write(begins[1], "", 1), 1);
		while (hold_look_at((uint32_t)pid) == HOLD_COMES)
			usleep(1000);
		assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
		assert_true(WIFSTOPPED(status));
		assert_int_equal(hold_look_at((uint32_t)pid), HOLD_WAITS);
		if (i) {	/* another wants it to stand still, too */
			kill(pid, SIGTSTP);
			assert_int_equal(hold_let_go((uint32_t)pid), HOLD_OTHERS);
			kill(pid, SIGCONT);
		} else {
			assert_int_equal(hold_let_go((uint32_t)pid), HOLD_WAITS);
		}
	}
	siginfo_t info;
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(hold_look_at((uint32_t)pid), HOLD_GONE);
	close(begins[0]);
	close(begins[1]);
}

static void
test_let_go(void **state)
{
	uint32_t pid = new_stopped(), runs = new_kid(NULL);

	assert_int_equal(hold_let_go(pid), HOLD_WAITS);
	assert_true(goes_on(pid, true));
	/* The signal may still come, but not for long. */
	uint64_t from = clock_ns();
	assert_int_equal(hold_let_go(runs), HOLD_COMES);
	assert_in_range(clock_ns() - from, 15 * MS, 10000ull * MS);
}

static void
hold(unsigned slot, uint32_t pid, uint32_t state, uint64_t since)
{
	shared->slots[slot] = (struct abi_hold_slot){ .pid = pid, .state = state,
		.since = since, .file.inode = 100 + slot };
}

static void
test_disarm(void **state)
{
	uint32_t first = new_stopped(), last = new_stopped(), late = new_stopped();

	shared->armed = 1;
	hold(0, first, ABI_HOLD_HELD, 0);
	hold(1, late, ABI_HOLD_LATE, 0);
	hold(ABI_HOLD_SLOTS - 1, last, ABI_HOLD_HELD, 0);
	hold_disarm(shared);
	assert_int_equal(shared->armed, 0);
	assert_true(goes_on(first, true));
	assert_true(goes_on(last, true));
	assert_false(goes_on(late, false));
	for (unsigned i = 0; i < ABI_HOLD_SLOTS; i++)
		assert_int_equal(shared->slots[i].state, ABI_HOLD_FREE);
}

/* One that is about to be stopped is waited for, also if it gets no CPU for a while. */
static void
test_disarm_taken(void **state)
{
	uint32_t pid = new_stopped();

	hold(7, pid, ABI_HOLD_TAKEN, 0);
	pid_t other = fork();
	if (!other) {
		usleep(100000);
		__atomic_store_n(&shared->slots[7].state, ABI_HOLD_HELD,
				 __ATOMIC_SEQ_CST);
		_exit(0);
	}
	hold_disarm(shared);
	assert_true(goes_on(pid, true));
	waitpid(other, NULL, 0);
	assert_int_equal(shared->slots[7].state, ABI_HOLD_FREE);
}

/* --- The guard ---------------------------------------------------------------------- */

static void
test_guard(void **state)
{
	uint32_t soon = new_stopped(), later = new_stopped();
	struct hold_guard g = { 0 };

	shared->armed = 1;
	hold(0, soon, ABI_HOLD_HELD, clock_ns());
	hold(63, later, ABI_HOLD_HELD, clock_ns() + 3600000ull * MS);
	assert_ok(hold_guard_start(shared, 10 * MS, &g));
	assert_true(goes_on(soon, true));
	while (__atomic_load_n(&shared->slots[0].state, __ATOMIC_ACQUIRE) ==
	       ABI_HOLD_HELD)
		usleep(1000);
	assert_int_equal(shared->slots[0].state, ABI_HOLD_LATE);
	assert_int_equal(shared->armed, 0);
	assert_int_equal(shared->slots[63].state, ABI_HOLD_HELD);
	assert_false(goes_on(later, false));
	/* What comes to us does not come to it. */
	kill(g.pid, SIGTERM);
	kill(g.pid, SIGHUP);
	usleep(2000);
	assert_int_equal(waitpid(g.pid, NULL, WNOHANG), 0);
	assert_int_equal(getsid(g.pid), g.pid);
	pid_t pid = g.pid;
	hold_guard_end(&g);
	assert_int_equal(kill(pid, 0), -1);
	assert_true(goes_on(later, true));
	assert_int_equal(shared->slots[63].state, ABI_HOLD_FREE);
	hold_guard_end(&g);
}

/* --- The consumer -------------------------------------------------------------------- */

static struct err *
start(unsigned nroots, struct kengine_hold **ret)
{
	static uint32_t roots[ABI_HOLD_ROOTS + 1] = { 5, 6, 7 };

	return kengine_hold_new(&(struct kengine_hold_input){
		.roots = roots, .nroots = nroots, .self = 9, .each = true,
		.most_ns = 3600000ull * MS, .warn = warn }, ret);
}

static void
assert_nothing_left(void)
{
	assert_int_equal(fake.nobjs, 0);
	assert_int_equal(fake.nlinks, 0);
	assert_int_equal(fake.nmapped, 0);
	assert_int_equal(fake.nrings, 0);
}

static void
test_start(void **state)
{
	struct kengine_hold *h;

	assert_ok(start(2, &h));
	expect("use dt_hold_exec\nuse dt_hold_exit\n",
	       "load\nattach sched_process_exec\nattach sys_exit\n");
	assert_true(kengine_hold_fd(h) >= 0);
	assert_int_equal(cfg.self, 9);
	assert_int_equal(cfg.each, 1);
	assert_int_equal(cfg.nroots, 2);
	assert_int_equal(cfg.roots[0], 5);
	assert_int_equal(cfg.roots[1], 6);
	assert_int_equal(cfg.roots[2], 0);
	kengine_hold_free(h);
	expect("", "detach\ndetach\n");
	assert_nothing_left();

	/* Where a thread can lose its CPU at a tracepoint. */
	fake.preempts = fake.probes_many = true;
	assert_ok(start(0, &h));
	expect("use dt_hold_exec_safe\nuse dt_hold_exit_safe\n",
	       "load\nattach sched_process_exec\nhold sched_process_exec\n"
	       "attach sys_exit\nhold sys_exit\n");
	kengine_hold_free(h);
	expect("", "detach\ndetach\ndetach\ndetach\n");
	fake.probes_many = false;
	assert_ok(start(ABI_HOLD_ROOTS, &h));
	expect("use dt_hold_exec\nuse dt_hold_exit\n",
	       "load\nattach sched_process_exec\nattach sys_exit\n");
	kengine_hold_free(h);
	assert_nothing_left();
}

static void
test_refused(void **state)
{
	struct kengine_hold *h = NULL;
	struct err *e = start(ABI_HOLD_ROOTS + 1, &h);

	assert_non_null(e);
	assert_int_equal(e->code, ERR_LIMIT);
	assert_string_equal(e->text, "usdtwait=stop: 65 processes are more than the 64 that "
			    "it can be told of");
	err_free(e);
	lacks_type = true;
	e = start(0, &h);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_UNSUPPORTED);
	err_free(e);
	assert_null(h);
	expect("", "");
	assert_nothing_left();
	kengine_hold_take(NULL);
	kengine_hold_release(NULL);
	kengine_hold_free(NULL);
	assert_int_equal(kengine_hold_fd(NULL), -1);
}

/* Who waited when it was looked is let go of, and what he has is known; not who came
 * since.  A file without a number is not, nor that of one that is gone. */
static void
test_release(void **state)
{
	uint32_t pid[] = { new_stopped(), new_stopped(), new_stopped(), new_stopped() };
	struct kengine_hold *h;

	assert_ok(start(0, &h));
	hold(0, pid[0], ABI_HOLD_HELD, clock_ns());
	hold(2, pid[1], ABI_HOLD_HELD, clock_ns());
	shared->slots[2].file.inode = 0;
	hold(5, 1 << 30, ABI_HOLD_HELD, clock_ns());
	hold(63, pid[3], ABI_HOLD_HELD, clock_ns());
	kill((pid_t)pid[3], SIGTSTP);
	shared->armed = 0;
	kengine_hold_take(h);
	assert_int_equal(shared->armed, 1);
	expect_known("");
	assert_false(goes_on(pid[0], false));
	hold(1, pid[2], ABI_HOLD_HELD, clock_ns());
	kengine_hold_release(h);
	expect_known("know 100\nknow 163\n");
	assert_true(goes_on(pid[0], true));
	assert_true(goes_on(pid[1], true));
	assert_false(goes_on(pid[2], false));
	assert_false(goes_on(pid[3], false));
	for (unsigned i = 0; i < ABI_HOLD_SLOTS; i++)
		assert_int_equal(shared->slots[i].state,
				 i == 1 ? ABI_HOLD_HELD : ABI_HOLD_FREE);
	/* What was let go of is not once more. */
	kengine_hold_take(h);
	kengine_hold_release(h);
	expect_known("know 101\n");
	assert_true(goes_on(pid[2], true));
	kengine_hold_free(h);
	assert_string_equal(sb_str(&warnings), "");
}

static void
test_told(void **state)
{
	static const char late[] = "usdtwait: process 4711 was let go of after 3600000 ms, "
		"before its probes were there; until now nobody was held\n";
	static const char full[] = "usdtwait: more processes came at once than can be "
		"held: some were not\n";
	static const char jobs[] = "usdtwait: jobs of a shell, and what may become one, "
		"are not held: it would take them for stopped\n";
	struct kengine_hold *h;

	assert_ok(start(0, &h));
	kengine_hold_take(h);
	assert_string_equal(sb_str(&warnings), "");
	hold(63, 4711, ABI_HOLD_LATE, 0);
	kengine_hold_take(h);
	assert_string_equal(sb_str(&warnings), late);
	assert_int_equal(shared->slots[63].state, ABI_HOLD_FREE);
	sb_reset(&warnings);
	/* Each of the others once. */
	for (uint64_t i = 1; i < 3; i++) {
		shared->full = i;
		kengine_hold_take(h);
	}
	assert_string_equal(sb_str(&warnings), full);
	sb_reset(&warnings);
	for (uint64_t i = 1; i < 3; i++) {
		shared->jobs = i;
		kengine_hold_take(h);
	}
	assert_string_equal(sb_str(&warnings), jobs);
	kengine_hold_free(h);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_look, begin, end),
		cmocka_unit_test_setup_teardown(test_traced, begin, end),
		cmocka_unit_test_setup_teardown(test_first_thread, begin, end),
		cmocka_unit_test_setup_teardown(test_no_first_thread, begin, end),
		cmocka_unit_test_setup_teardown(test_let_go, begin, end),
		cmocka_unit_test_setup_teardown(test_disarm, begin, end),
		cmocka_unit_test_setup_teardown(test_disarm_taken, begin, end),
		cmocka_unit_test_setup_teardown(test_guard, begin, end),
		cmocka_unit_test_setup_teardown(test_start, begin, end),
		cmocka_unit_test_setup_teardown(test_refused, begin, end),
		cmocka_unit_test_setup_teardown(test_release, begin, end),
		cmocka_unit_test_setup_teardown(test_told, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
