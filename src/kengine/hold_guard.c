/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Whom we have stopped has to go on, also if we are killed, are stopped ourselves, or
 * wait for somebody who waits for one of those.  So there is a guard, a fork of ours,
 * that sees the slots of all (abi/hold.h) and has nothing else to do.
 *
 *  1. Our end of its pipe is closed when we end, be it by SIGKILL.  It has no file of
 *     ours open but its own end, so all that we have attached is gone then, too.
 *  2. It takes no signals, and has a session of its own: what a terminal sends to us
 *     does not reach it.
 *  3. Who has been stopped by others, too, or by a debugger, is theirs to continue.
 *     (Another's SIGSTOP that comes within the microseconds before ours has stopped the
 *     process cannot be told from it.)
 *  4. A slot that is TAKEN is HELD or FREE in a moment: a program is at it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kengine/hold_priv.h"
#include "util/cleanup.h"
#include "util/clock.h"

/* Who was taken is stopped at once, unless it loses its CPU just then: to many others, or
 * because its cgroup has had its share of it.  That may take seconds. */
enum { TICK_MS = 50, MOMENTS = 200, TAKEN_MOMENTS = 50000, MOMENT_NS = 100000 };

/* --- Letting go --------------------------------------------------------------------- */

/* What stands behind the name of a line; NULL: there is no such line. */
static const char *
find_line(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at ? at + strlen(name) : NULL;
}

/* The status of a thread, at a path below a folder. */
static bool
read_status(int folder, const char *path, char *text, size_t size)
{
	CLEANUP(util_closep) int fd = openat(folder, path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	if (n <= 0)
		return false;
	text[n] = '\0';
	return true;
}

/* The state of a thread that stands still, of one that lives, or 'Z'.  The thread that took
 * the signal stands still at once, and the first one perhaps much later, if it waits for a
 * disk or for whom it has forked; or it has ended, and the process has not. */
static char
state_of_threads(uint32_t pid)
{
	char path[300], text[4096], found = 'Z';

	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	DIR *threads = opendir(path);
	for (struct dirent *d; threads && found != 'T' && (d = readdir(threads)); ) {
		snprintf(path, sizeof(path), "%s/status", d->d_name);
		const char *state = *d->d_name != '.' &&
			read_status(dirfd(threads), path, text, sizeof(text)) ?
			find_line(text, "\nState:\t") : NULL;
		if (state && *state != 'Z' && *state != 'X')
			found = *state;
	}
	if (threads)
		closedir(threads);
	return found;
}

enum hold_look
hold_look_at(uint32_t pid)
{
	const unsigned long long stops = 1ull << (SIGSTOP - 1) | 1ull << (SIGTSTP - 1) |
					 1ull << (SIGTTIN - 1) | 1ull << (SIGTTOU - 1);
	char path[32], text[4096];

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	if (!read_status(AT_FDCWD, path, text, sizeof(text)))
		return HOLD_GONE;
	const char *state = find_line(text, "\nState:\t");
	const char *set = find_line(text, "\nShdPnd:\t");
	if (!state || !set)
		return HOLD_GONE;
	bool pending = strtoull(set, NULL, 16) & stops;
	bool first = *state != 'Z' && *state != 'X';
	char is = first ? *state : state_of_threads(pid);
	if (is == 'Z')
		return HOLD_GONE;
	if (is == 't' || (is == 'T' && pending))
		return HOLD_OTHERS;					/* 3 */
	return is == 'T' || pending || (first && state_of_threads(pid) == 'T') ?
	       HOLD_WAITS : HOLD_COMES;
}

static void
moment(void)
{
	nanosleep(&(struct timespec){ 0, MOMENT_NS }, NULL);
}

enum hold_look
hold_let_go(uint32_t pid)
{
	enum hold_look look = hold_look_at(pid);

	for (int i = 0; look == HOLD_COMES && i < MOMENTS; i++) {
		moment();
		look = hold_look_at(pid);
	}
	if (look == HOLD_WAITS)
		kill((pid_t)pid, SIGCONT);
	return look;
}

void
hold_disarm(struct abi_hold *shared)
{
	int left = TAKEN_MOMENTS;	/* for all together */

	__atomic_store_n(&shared->armed, 0, __ATOMIC_SEQ_CST);
	for (uint32_t i = 0; i < ABI_HOLD_SLOTS; i++) {
		struct abi_hold_slot *s = &shared->slots[i];
		while (__atomic_load_n(&s->state, __ATOMIC_SEQ_CST) == ABI_HOLD_TAKEN &&
		       left-- > 0)
			moment();					/* 4 */
		if (__atomic_load_n(&s->state, __ATOMIC_SEQ_CST) == ABI_HOLD_HELD)
			hold_let_go(s->pid);
		__atomic_store_n(&s->state, ABI_HOLD_FREE, __ATOMIC_SEQ_CST);
	}
}

/* --- The guard ---------------------------------------------------------------------- */

/* Whose time is over; then the consumer does not look, and nobody is stopped until it
 * does. */
static void
let_go_late(struct abi_hold *shared, uint64_t most_ns)
{
	uint64_t now = clock_ns();

	for (uint32_t i = 0; i < ABI_HOLD_SLOTS; i++) {
		struct abi_hold_slot *s = &shared->slots[i];
		uint32_t held = ABI_HOLD_HELD;
		if (__atomic_load_n(&s->state, __ATOMIC_ACQUIRE) != ABI_HOLD_HELD ||
		    now < s->since + most_ns)
			continue;
		__atomic_store_n(&shared->armed, 0, __ATOMIC_SEQ_CST);
		hold_let_go(s->pid);
		__atomic_compare_exchange_n(&s->state, &held, ABI_HOLD_LATE, false,
					    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	}
}

static void
watch(struct abi_hold *shared, uint64_t most_ns, int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);				/* 2 */
	setsid();
	prctl(PR_SET_NAME, "dtrace-guard");
	while (poll(&p, 1, TICK_MS) <= 0)
		let_go_late(shared, most_ns);
	hold_disarm(shared);
}

static void
keep_only(int fd)
{
	if (fd)
		dup2(fd, 0);
	close_range(1, ~0U, 0);
}

struct err *
hold_guard_start(struct abi_hold *shared, uint64_t most_ns, struct hold_guard *ret)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return err_new(ERR_OS, errno, "pipe: %s", strerror(errno));
	pid_t pid = fork();
	if (!pid) {
		keep_only(ends[0]);					/* 1 */
		watch(shared, most_ns, 0);
		_exit(0);
	}
	close(ends[0]);
	if (pid < 0) {
		close(ends[1]);
		return err_new(ERR_OS, errno, "fork: %s", strerror(errno));
	}
	*ret = (struct hold_guard){ pid, ends[1] };
	return NULL;
}

void
hold_guard_end(struct hold_guard *g)
{
	if (g->pid <= 0)
		return;
	close(g->fd);
	while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
		;
	g->pid = 0;
}
