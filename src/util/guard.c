/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Between us and the program stands a guard, a fork of ours.
 *
 *	we  ===socket===  guard  --  program  --  what it starts ...
 *
 * 1. The guard is the reaper of all below it (PR_SET_CHILD_SUBREAPER): who loses
 *    its parent becomes its child.  So to kill its children until it has none
 *    kills everything, whatever groups and sessions there are.
 * 2. The other end of its socket is ours alone.  It is closed when we end, be it
 *    by SIGKILL, and that is the guard's sign.
 * 3. The guard takes no signals: what a terminal sends to all of us is for the
 *    program, and for us.
 *
 * PR_SET_PDEATHSIG reaches only the program itself, and cpp(1) has the work done
 * by a child; a process group of its own would take the terminal away from what
 * a user runs by system().
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "util/cleanup.h"
#include "util/files.h"
#include "util/guard.h"

enum { SOCKET = 3 };		/* the guard's end, in the guard */

struct report {
	int spawn_errno;	/* it could not be run; or 0 */
	int status;		/* as of waitpid() */
};

static struct err *
os_error(const char *what, int no)
{
	return err_new(ERR_OS, no, "%s: %s", what, strerror(no));
}

/* --- The guard ------------------------------------------------------------ */

static bool
is_child(pid_t pid)
{
	char path[64], text[512];
	int parent = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	CLEANUP(util_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (n <= 0)
		return false;
	text[n] = '\0';
	const char *end = strrchr(text, ')');	/* a name may hold anything */
	return end && sscanf(end, ") %*c %d", &parent) == 1 &&
	       parent == getpid();
}

static bool
kill_children(void)
{
	DIR *d = opendir("/proc");
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (isdigit((unsigned char)e->d_name[0]) &&
		    is_child(atoi(e->d_name)))
			kill(atoi(e->d_name), SIGKILL);
	if (d)
		closedir(d);
	return d != NULL;
}

static void
kill_all(pid_t program)
{
	do
		if (!kill_children()) {
			kill(program, SIGKILL);
			return;
		}
	while (waitpid(-1, NULL, 0) > 0 || errno != ECHILD);
}

static int
spawn(const struct guard_program *p, const sigset_t *mask, pid_t *ret)
{
	posix_spawnattr_t attr;
	sigset_t usual;
	int e = posix_spawnattr_init(&attr);

	if (e)
		return e;
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);	/* a command line may ignore these */
	sigaddset(&usual, SIGXFSZ);
	posix_spawnattr_setsigdefault(&attr, &usual);
	posix_spawnattr_setsigmask(&attr, mask);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF |
				 POSIX_SPAWN_SETSIGMASK);
	files_restore();
	e = posix_spawnp(ret, p->file, NULL, &attr, p->argv, environ);
	posix_spawnattr_destroy(&attr);
	return e;
}

/* Until the program has ended (true), or we have. */
static bool
watch(pid_t program)
{
	CLEANUP(util_closep) int pidfd =
		(int)syscall(SYS_pidfd_open, program, 0);
	struct pollfd p[2] = { { .fd = SOCKET, .events = POLLIN },
			       { .fd = pidfd, .events = POLLIN } };

	while (poll(p, 2, -1) < 0)
		;
	return !p[0].revents;
}

/* Descriptors as the program is to have them, and the socket: nothing else of
 * ours is held open. */
static void
place_fds(const int fds[3], int sock)
{
	int at[4];

	for (int i = 0; i < 4; i++) {
		int fd = i == SOCKET ? sock : fds[i] >= 0 ? fds[i] : i;
		at[i] = fcntl(fd, F_DUPFD, 16);	/* out of the way */
	}
	for (int i = 0; i < 4; i++)
		if (at[i] >= 0)
			dup2(at[i], i);
		else
			close(i);
	fcntl(SOCKET, F_SETFD, FD_CLOEXEC);
	syscall(SYS_close_range, SOCKET + 1, ~0u, 0);
}

__attribute__((noreturn)) static void
be_guard(const struct guard_program *p, int sock, const sigset_t *mask)
{
	struct report r = { 0 };
	pid_t program = 0;

	signal(SIGCHLD, SIG_DFL);	/* else nobody has a status */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	place_fds(p->fds, sock);
	r.spawn_errno = spawn(p, mask, &program);
	if (!r.spawn_errno) {
		bool ended = watch(program);
		if (ended)
			waitpid(program, &r.status, 0);
		if (!ended || !p->leave)
			kill_all(program);
	}
	send(SOCKET, &r, sizeof(r), MSG_NOSIGNAL);
	_exit(0);
}

/* --- We ------------------------------------------------------------------- */

struct err *
guard_start(const struct guard_program *p, struct guard *ret)
{
	sigset_t all, mask;
	int s[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, s))
		return os_error("socketpair", errno);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &mask);
	pid_t pid = fork();
	int e = errno;
	if (!pid) {
		close(s[0]);
		be_guard(p, s[1], &mask);
	}
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	close(s[1]);
	if (pid < 0) {
		close(s[0]);
		return os_error("fork", e);
	}
	*ret = (struct guard){ pid, s[0] };
	return NULL;
}

static void
reap(struct guard *g)
{
	util_closep(&g->fd);
	while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

struct err *
guard_wait(struct guard *g, int *status)
{
	struct report r;
	ssize_t n;

	do
		n = recv(g->fd, &r, sizeof(r), MSG_WAITALL);
	while (n < 0 && errno == EINTR);
	reap(g);
	if (n != sizeof(r))
		return err_new(ERR_OS, 0, "it was killed");
	if (r.spawn_errno)
		return err_new(ERR_OS, r.spawn_errno, "%s",
			       strerror(r.spawn_errno));
	*status = r.status;
	return NULL;
}

void
guard_kill(struct guard *g)
{
	reap(g);
}
