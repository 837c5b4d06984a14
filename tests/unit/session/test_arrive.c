/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a process that is ourselves maps while it is traced: whether its functions are
 * attached to by what was heard of it, with a kernel that is made up.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "countopen.h"
#include "fakekern.h"
#include "prov/coming.h"
#include "session/run_priv.h"
#include "session/session_priv.h"
#include "sym/maps.h"
#include "util/clock.h"

void arrive_here(void);

__attribute__((noinline)) void
arrive_here(void)
{
	__asm__ volatile("");
}

/* --- Copies of this program -------------------------------------------------------- */

enum { COPIES_MAX = 16 };

static char copies[COPIES_MAX][32];
static unsigned ncopies, nmapped;	/* files; that are mapped, for good */

/* Map one more, as if it were executed: where, and in *size how much. */
static void *
map_copy_of(size_t *size)
{
	assert_true(ncopies < COPIES_MAX);
	char *path = copies[ncopies++];
	struct stat st;
	off_t at = 0;

	strcpy(path, "/tmp/arrive.XXXXXX");
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), to = mkstemp(path);
	assert_true(from >= 0 && to >= 0 && !fstat(from, &st));
	while (at < st.st_size)
		assert_true(sendfile(to, from, &at, (size_t)(st.st_size - at)) > 0);
	close(from);
	close(to);
	/* By a descriptor that does not write: the mapping is one who has it open. */
	from = open(path, O_RDONLY | O_CLOEXEC);
	void *p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, from, 0);
	assert_true(p != MAP_FAILED);
	nmapped++;
	close(from);
	*size = (size_t)st.st_size;
	return p;
}

static void
map_copy(void)
{
	size_t size;

	map_copy_of(&size);
}

/* Of what was watched nothing stays open. */
static int
end(void **state)
{
	while (ncopies)
		unlink(copies[--ncopies]);
	return count_open_end(state);
}

/* --- The trace ------------------------------------------------------------------------ */

static struct session *s;

static struct err *
ignore(void *ctx, const struct consume_event *e)
{
	return NULL;
}

/* How many links to files there are since it was asked last. */
static unsigned
attached(void)
{
	unsigned n = 0;

	for (const char *at = sb_str(&fake.log); (at = strstr(at, "attach /proc/self/fd/")); at++)
		n++;
	sb_reset(&fake.log);
	return n;
}

static unsigned
step(void)
{
	enum session_status status;

	assert_null(session_step(s, ignore, NULL, &status));
	return attached();
}

static void
start(const char *func, bool follows)
{
	const struct diag_list *diags;
	struct session_prog *p;
	char text[128];

	fakekern_reset();
	assert_null(session_new(&s));
	snprintf(text, sizeof(text), "pid%d::%s:entry { trace(1); }", (int)getpid(), func);
	if (follows)
		assert_null(opt_set_value(session_opts(s), "follow", NULL, OPT_FROM_COMMAND,
					  false));
	struct err *e = session_compile(s, NULL, text, strlen(text), PROBE_SPEC_NAME, 0,
					NULL, 0, &diags, &p);
	if (e)
		fail_msg("%s: %s", text, diags->first ? diags->first->text : e->text);
	assert_null(session_enable(s, p));
	assert_null(session_go(s));
	assert_int_equal(attached(), 1 + nmapped);
	assert_int_equal(fake.ntasks, 1);
	step();
}

static void
stop(void)
{
	assert_null(session_stop(s));
	session_free(s);
	assert_int_equal(fake.nlinks, 0);
	assert_int_equal(fake.ntasks, 0);
}

static void
happens(enum kern_task_kind kind, pid_t pid, pid_t parent)
{
	fakekern_task(&(struct kern_task_event){ .kind = kind, .pid = pid, .parent = parent,
		.dev = 1, .inode = 1, .path = "/some/file", .lost = 1 });
}

/* What is new is looked for when somebody who is traced has done something. */
static void
test_heard(void **state)
{
	static const struct { enum kern_task_kind kind; bool own, attaches; } rows[] = {
		{ KERN_TASK_MAPPED, true, true }, { KERN_TASK_MAPPED, false, false },
		{ KERN_TASK_EXECUTED, true, true }, { KERN_TASK_EXECUTED, false, false },
		{ KERN_TASK_LOST, false, true }, { KERN_TASK_FORKED, true, false },
	};

	start("arrive_here", false);
	assert_int_equal(step(), 0);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		map_copy();
		assert_int_equal(step(), 0);		/* nobody has said so */
		happens(rows[i].kind, rows[i].own ? getpid() : 1, rows[i].own ? 1 : getpid());
		if (step() != rows[i].attaches)
			fail_msg("row %zu", i);
		/* Then it is known, and what was not seen yet comes with the next. */
		happens(KERN_TASK_MAPPED, getpid(), 0);
		assert_int_equal(step(), !rows[i].attaches);
	}
	stop();
}

static void
test_ended(void **state)
{
	start("arrive_here", false);
	happens(KERN_TASK_ENDED, getpid(), 0);
	map_copy();
	happens(KERN_TASK_MAPPED, getpid(), 0);
	assert_int_equal(step(), 0);
	stop();
}

/* As another program would: how long it took to open the file, and what was still attached
 * by then. */
struct writer { unsigned copy; uint64_t took; int nlinks; };

static void *
add_to_copy(void *ctx)
{
	struct writer *w = ctx;
	uint64_t from = clock_ns();
	int fd = open(copies[w->copy], O_WRONLY | O_APPEND | O_CLOEXEC);

	w->took = clock_ns() - from;
	w->nlinks = __atomic_load_n(&fake.nlinks, __ATOMIC_SEQ_CST);
	assert_int_equal(write(fd, "", 1), 1);
	close(fd);
	return w;
}

static void
wait_for_news(void)
{
	struct pollfd p = { .fd = prov_user_written_fd(s->prov), .events = POLLIN };

	assert_int_equal(poll(&p, 1, -1), 1);
}

/* A file that is written over is another one: what was attached to it is detached before
 * that, and its functions are looked for anew. */
static void
test_written(void **state)
{
	const uint64_t patience = 1000000000;
	struct writer w = { 0 };
	pthread_t t;

	map_copy();
	start("arrive_here", false);
	int nlinks = fake.nlinks;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(pthread_create(&t, NULL, add_to_copy, &w), 0);
		wait_for_news();
		assert_int_equal(step(), 1);
		pthread_join(t, NULL);
		/* Who has waited for so long is let go on in any case. */
		assert_true(w.nlinks == nlinks - 1 || w.took >= patience);
		assert_int_equal(fake.nlinks, nlinks);
		assert_int_equal(step(), 0);
	}
	add_to_copy(&w);
	assert_true(w.took >= patience);
	wait_for_news();
	assert_int_equal(step(), 1);
	assert_int_equal(fake.nlinks, nlinks);
	/* Nobody looks behind the end, so nobody waits. */
	assert_true(prov_user_written_fd(s->prov) >= 0);
	assert_null(session_stop(s));
	assert_int_equal(prov_user_written_fd(s->prov), -1);
	add_to_copy(&w);
	assert_int_equal(w.nlinks, 0);
	stop();
}

/* Nobody maps the first any more, and it is known: what is attached to it is so still. */
static void
test_unmapped(void **state)
{
	struct writer w = { 0 };
	size_t size;
	void *first = map_copy_of(&size);

	start("arrive_here", false);
	int nlinks = fake.nlinks;
	munmap(first, size);
	nmapped--;
	for (int i = 0; i < 2; i++) {
		map_copy();
		happens(KERN_TASK_MAPPED, getpid(), 0);
		assert_int_equal(step(), 1);
		assert_int_equal(fake.nlinks, nlinks + 1 + i);
	}
	add_to_copy(&w);
	assert_true(w.took >= 1000000000);
	wait_for_news();
	assert_int_equal(step(), 0);
	assert_int_equal(fake.nlinks, nlinks + 1);
	stop();
}

/* Where somebody is writing when it is attached to, it is noticed. */
static void
test_being_written(void **state)
{
	map_copy();
	int fd = open(copies[ncopies - 1], O_WRONLY | O_APPEND | O_CLOEXEC);
	start("arrive_here", false);
	int nlinks = fake.nlinks;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(write(fd, "", 1), 1);
		wait_for_news();
		assert_int_equal(step(), 1);
		assert_int_equal(fake.nlinks, nlinks);
		assert_int_equal(step(), 0);
	}
	close(fd);
	stop();
}

static void
count_warning(void *ctx, const char *text)
{
	assert_non_null(strstr(text, "the first thread of process"));
	++*(unsigned *)ctx;
}

/* Another thread than the first executes a program: the first one ends before that, which
 * is heard before or after, but the process goes on; what was attached is so again. */
static void
test_executed(void **state)
{
	const uint64_t soon = UINT64_MAX / 2, late = soon + 1, later = late + 1;
	const struct {
		struct { unsigned kind; uint64_t time; } what[3];
		unsigned again, attaches, told;
	} rows[] = {
		{ { { KERN_TASK_ENDED, soon }, { KERN_TASK_EXECUTED, late } }, 1, 1, 0 },
		{ { { KERN_TASK_EXECUTED, late }, { KERN_TASK_ENDED, soon } }, 1, 1, 0 },
		{ { { KERN_TASK_ENDED, 5 }, { KERN_TASK_EXECUTED, 6 } }, 0, 1, 0 },
		{ { { KERN_TASK_EXECUTED, soon }, { KERN_TASK_MAPPED, late },
		    { KERN_TASK_ENDED, later } }, 0, 0, 0 },
		/* a program of another user: no end */
		{ { { KERN_TASK_EXECUTED, soon }, { KERN_TASK_ENDED, late } }, 0, 1, 0 },
		{ { { KERN_TASK_EXECUTED, soon }, { KERN_TASK_ENDED, late },
		    { KERN_TASK_EXECUTED, later } }, 0, 1, 0 },
		{ { { KERN_TASK_ENDED, late }, { KERN_TASK_EXECUTED, soon } }, 0, 0, 0 },
		{ { { KERN_TASK_EXECUTED, soon }, { KERN_TASK_EXECUTED, late } }, 0, 1, 0 },
		{ { { KERN_TASK_ENDED, soon }, { KERN_TASK_EXECUTED, late } }, 0, 1, 1 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		unsigned told = 0, had;
		start("arrive_here", false);
		session_on_warning(s, count_warning, &told);
		had = 1 + nmapped;
		for (int k = 0; k < 3 && rows[i].what[k].time; k++)
			fakekern_task(&(struct kern_task_event){
				.kind = rows[i].what[k].kind, .pid = getpid(),
				.time_ns = rows[i].what[k].time });
		if (rows[i].told) {
			fake.no_memory = true;
			fake.fail_at = fake.ncalls + 1;
		}
		map_copy();
		happens(KERN_TASK_MAPPED, getpid(), 0);
		if (step() != rows[i].attaches + rows[i].again * had || told != rows[i].told)
			fail_msg("row %zu: told %u", i, told);
		stop();
	}
}

static void *
wait_for_end(void *fd)
{
	char c;

	return read(*(int *)fd, &c, 1) ? NULL : NULL;
}

/* A child whose first thread has ended before anybody asks for it, or just now. */
static void
test_leaderless(void **state)
{
	for (int before = 0; before < 2; before++) {
		int ends[2], go[2];
		pthread_t t;
		char c;

		start("arrive_here", true);
		assert_int_equal(pipe(ends) | pipe(go), 0);
		pid_t kid = fork();
		if (!kid) {
			close(ends[1]);
			if (pthread_create(&t, NULL, wait_for_end, &ends[0]) ||
			    read(go[0], &c, 1) != 1)
				_exit(1);
			pthread_exit(NULL);
		}
		happens(KERN_TASK_FORKED, kid, getpid());
		if (!before)
			assert_int_equal(step(), 1 + nmapped);
		assert_int_equal(write(go[1], "", 1), 1);
		while (sym_living(kid) == kid)
			usleep(1000);
		if (before)
			assert_int_equal(step(), 1 + nmapped);
		/* Links of many that were there go on; the kernel has them all. */
		fakekern_task(&(struct kern_task_event){ .kind = KERN_TASK_ENDED,
			.pid = kid, .time_ns = UINT64_MAX / 2 });
		assert_int_equal(step(), 0);
		fakekern_task(&(struct kern_task_event){ .kind = KERN_TASK_ENDED,
			.pid = kid, .time_ns = 1 });
		assert_int_equal(step(), before ? 0 : 1 + nmapped);
		assert_int_equal(fake.pid_last, 0);
		fakekern_task(&(struct kern_task_event){ .kind = KERN_TASK_EXECUTED,
			.pid = kid, .time_ns = UINT64_MAX / 2 });
		assert_int_equal(step(), 1 + nmapped);
		assert_int_equal(fake.pid_last, kid);
		close(ends[0]);
		close(ends[1]);
		assert_int_equal(waitpid(kid, NULL, 0), kid);
		close(go[0]);
		close(go[1]);
		stop();
	}
}

/* A child of who is traced, where the option follow says so. */
static void
test_follow(void **state)
{
	for (int follows = 0; follows < 2; follows++) {
		int ends[2];
		char c;
		start("arrive_here", follows);
		assert_int_equal(pipe(ends), 0);
		pid_t kid = fork();
		if (!kid) {
			close(ends[1]);
			_exit((int)read(ends[0], &c, 1));
		}
		happens(KERN_TASK_FORKED, kid, getpid());
		assert_int_equal(step(), follows ? 1 + nmapped : 0);
		/* Who has nothing to do with us has no children of interest. */
		happens(KERN_TASK_FORKED, kid, 1);
		assert_int_equal(step(), 0);
		close(ends[0]);
		close(ends[1]);
		assert_int_equal(waitpid(kid, NULL, 0), kid);
		stop();
	}
}

/* Who traces nothing in processes listens to nobody. */
static void
test_nobody(void **state)
{
	const struct diag_list *diags;
	static const char text[] = "syscall::read:entry { trace(1); }";
	struct session_prog *p;

	fakekern_reset();
	assert_null(session_new(&s));
	assert_null(session_compile(s, NULL, text, sizeof(text) - 1, PROBE_SPEC_NAME, 0, NULL,
				    0, &diags, &p));
	assert_null(session_enable(s, p));
	assert_null(session_go(s));
	assert_int_equal(fake.ntasks, 0);
	stop();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_heard, count_open_begin, end),
		cmocka_unit_test_setup_teardown(test_written, count_open_begin, end),
		cmocka_unit_test_setup_teardown(test_unmapped, count_open_begin, end),
		cmocka_unit_test_setup_teardown(test_being_written, count_open_begin, end),
		cmocka_unit_test_setup_teardown(test_ended, count_open_begin, end),
		cmocka_unit_test_setup_teardown(test_executed, count_open_begin, end),
		cmocka_unit_test_setup_teardown(test_leaderless, count_open_begin, end),
		cmocka_unit_test_setup_teardown(test_follow, count_open_begin, end),
		cmocka_unit_test(test_nobody),
	};

	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	fakekern_reset();
	return failed;
}
