/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dtrace --anon-start: trace with nobody to print for, until somebody claims it.
 *
 *  1. Who starts us waits until probes fire, or learns that they never will.
 *  2. The file of words is locked for as long as there is a trace, claimed or not,
 *     so there is one at a time.  What is in it is our standard error until we have
 *     a claimer; afterwards it says why there is nothing to be claimed.
 *  3. What is recorded stays in the kernel's buffers until then (dtrace_hold()).
 *  4. A claim that cannot be granted changes nothing but dynamic options; the trace
 *     waits for the next one.
 *  5. Once claimed, our files, our folder and what concerns text are the claimer's,
 *     and whatever comes from it, its end included, is a signal.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd/anon.h"

enum { PATIENCE_S = 5 };	/* a claimer's, to say what it wants */

static int words = -1;		/* 2 */
static int starter = -1;	/* 1: a pipe */
static int claimer = -1;	/* a socket */

/* --- Starting ------------------------------------------------------------- */

__attribute__((noreturn)) static void
failed(const char *what)
{
	cmd_message("cannot hold a trace: %s: %s", what, strerror(errno));
	cmd_finish(E_FATAL);
}

static void
open_words(void)
{
	const char *path = cmd_anon_path(ANON_WORDS);

	if (!cmd_anon_folders(path, 0700))
		failed(path);
	words = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (words < 0)
		failed(path);
	if (flock(words, LOCK_EX | LOCK_NB)) {
		if (errno != EWOULDBLOCK)
			failed(path);
		cmd_message("there is an anonymous trace already");
		cmd_finish(E_FATAL);
	}
	if (ftruncate(words, 0) ||
	    (unlink(cmd_anon_path(ANON_SOCKET)) && errno != ENOENT))
		failed(path);
}

/* What was said so far, to fd. */
static void
repeat_words(int fd)
{
	char room[4096];
	off_t at = 0;

	for (ssize_t n; (n = pread(words, room, sizeof(room), at)) > 0; at += n)
		if (write(fd, room, (size_t)n) != n)
			return;
}

/* The one that the boot waits for: its end says how it went. */
__attribute__((noreturn)) static void
wait_until_started(pid_t child, int fd)
{
	int status;
	char byte;

	if (read(fd, &byte, 1) == 1)
		_exit(E_OK);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	repeat_words(STDERR_FILENO);
	_exit(WIFEXITED(status) && WEXITSTATUS(status) ? WEXITSTATUS(status)
						       : E_FATAL);
}

static void
leave_terminal(void)
{
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	setsid();
	umask(077);
	if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
	    dup2(nothing, STDOUT_FILENO) < 0 || dup2(words, STDERR_FILENO) < 0)
		failed("/dev/null");
	close(nothing);
}

void
cmd_anon_start(void)
{
	int ends[2];

	open_words();
	if (pipe2(ends, O_CLOEXEC))
		failed("pipe");
	pid_t child = fork();
	if (child < 0)
		failed("fork");
	if (child) {
		close(ends[1]);
		wait_until_started(child, ends[0]);
	}
	close(ends[0]);
	starter = ends[1];
	leave_terminal();
}

/* --- Being claimed -------------------------------------------------------- */

static int
listen_at(const char *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	if (strlen(path) >= sizeof(to.sun_path)) {
		errno = ENAMETOOLONG;
		failed(path);
	}
	strcpy(to.sun_path, path);
	if (fd < 0 || bind(fd, (struct sockaddr *)&to, sizeof(to)) ||
	    listen(fd, 4))
		failed(path);
	return fd;
}

/* One who may do what we do. */
static bool
may_claim(int fd)
{
	struct ucred who;
	socklen_t size = sizeof(who);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) &&
	       (who.uid == 0 || who.uid == geteuid());
}

struct claim {
	char text[ANON_PACKET + 1];
	size_t size;
	int fds[ANON_NFDS];	/* -1: not given */
	bool ends;
};

static bool
receive(int fd, struct claim *c)
{
	union {
		char room[CMSG_SPACE(ANON_NFDS * sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec io = { c->text, ANON_PACKET };
	struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1,
			    .msg_control = &control,
			    .msg_controllen = sizeof(control) };
	ssize_t n = recvmsg(fd, &m, MSG_CMSG_CLOEXEC);
	struct cmsghdr *h = n > 0 ? CMSG_FIRSTHDR(&m) : NULL;

	if (!h || h->cmsg_type != SCM_RIGHTS)
		return false;
	memcpy(c->fds, CMSG_DATA(h), h->cmsg_len - CMSG_LEN(0));
	c->size = (size_t)n;
	c->text[n] = '\0';
	return c->fds[ANON_CWD] >= 0;
}

static void
forget(struct claim *c)
{
	for (int i = 0; i < ANON_NFDS; i++)
		if (c->fds[i] >= 0)
			close(c->fds[i]);
}

static bool
set_option(const struct claim *c, char *name)
{
	char *value = strchr(name, '=');

	if (value)
		*value++ = '\0';
	if (!dtrace_setopt(cmd_handle, name, value))
		return true;
	dprintf(c->fds[ANON_STDERR], "dtrace: failed to set option -x %s: "
		"%s\n", name, dtrace_errmsg(cmd_handle,
					    dtrace_errno(cmd_handle)));
	return false;
}

/* What the program has not said itself. */
static bool
set_encoding(const struct claim *c)
{
	char text[] = "encoding=utf8";
	int64_t v;

	return dtrace_getopt(cmd_handle, "encoding", &v) || v >= 0 ||
	       set_option(c, text);
}

/* False: an option was refused. */
static bool
obey_line(struct claim *c, char *line)
{
	char *value;

	switch (*line) {
	case ANON_OPTION:
		return set_option(c, line + 1);
	case ANON_UTF8:
		return set_encoding(c);
	case ANON_ENV:
		if ((value = strchr(line, '='))) {
			*value = '\0';
			setenv(line + 1, value + 1, 1);
			tzset();
		}
		return true;
	case ANON_END:
		c->ends = true;
		return true;
	default:
		return true;
	}
}

/* 4: who is refused gets a status. */
static bool
obey(int fd, struct claim *c)
{
	const int refused = E_FATAL;

	for (size_t at = 0; at < c->size;) {
		char *line = c->text + at;
		at += strlen(line) + 1;
		if (obey_line(c, line))
			continue;
		send(fd, &refused, sizeof(refused), MSG_NOSIGNAL);
		return false;
	}
	return true;
}

/* 5 */
static void
become(struct claim *c)
{
	static char room[128 << 10];	/* as the command's own files */

	if (fchdir(c->fds[ANON_CWD]) < 0)
		cmd_message("the claimer's folder: %s", strerror(errno));
	fflush(stderr);
	repeat_words(c->fds[ANON_STDERR]);
	if (ftruncate(words, 0))
		cmd_message("%s", strerror(errno));
	dup2(c->fds[ANON_STDOUT], STDOUT_FILENO);
	dup2(c->fds[ANON_STDERR], STDERR_FILENO);
	FILE *out = c->fds[ANON_OUTPUT] < 0 ? NULL :
		fdopen(c->fds[ANON_OUTPUT], "a");
	if (out) {
		c->fds[ANON_OUTPUT] = -1;
		setvbuf(out, room, _IOFBF, sizeof(room));
		cmd_out = out;
	}
	forget(c);
}

/* Whatever comes at fd, and its end, is a signal from now on. */
static void
heed(int fd)
{
	struct pollfd now = { .fd = fd, .events = POLLIN };

	claimer = fd;
	fcntl(fd, F_SETOWN, getpid());
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_ASYNC);
	if (poll(&now, 1, 0) > 0)
		raise(SIGIO);
}

/* Grant the claim of fd? */
static bool
grant(int fd)
{
	static struct claim c;
	struct timeval patience = { .tv_sec = PATIENCE_S };
	struct ucred who = { 0 };
	socklen_t size = sizeof(who);

	memset(c.fds, -1, sizeof(c.fds));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (!may_claim(fd) || !receive(fd, &c) || !obey(fd, &c)) {
		forget(&c);
		return false;
	}
	unlink(cmd_anon_path(ANON_SOCKET));
	become(&c);
	getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size);
	dprintf(words, "dtrace: it has been claimed, by process %d\n",
		(int)who.pid);
	heed(fd);
	if (c.ends)
		raise(SIGIO);
	return true;
}

void
cmd_anon_hold(void)
{
	int at = listen_at(cmd_anon_path(ANON_SOCKET)), came;

	if (write(starter, "", 1) != 1)		/* 1 */
		cmd_message("who started this trace is gone");
	close(starter);
	while ((came = dtrace_hold(cmd_handle, at)) >= 0) {
		if (cmd_interrupted) {
			unlink(cmd_anon_path(ANON_SOCKET));
			cmd_message("it was ended by a signal before it was "
				    "claimed");
			cmd_finish(E_OK);
		}
		int fd = came ? accept4(at, NULL, NULL, SOCK_CLOEXEC) : -1;
		if (fd >= 0 && grant(fd)) {
			close(at);
			return;
		}
		close(fd);
	}
	unlink(cmd_anon_path(ANON_SOCKET));
	cmd_fatal("cannot hold a trace");
}

void
cmd_anon_tell(int status)
{
	if (claimer < 0)
		return;
	char byte;

	flock(words, LOCK_UN);		/* there may be another now */
	/* With signals unread, our end would be an error, before the status. */
	shutdown(claimer, SHUT_RD);
	while (recv(claimer, &byte, 1, MSG_DONTWAIT) > 0)
		;
	send(claimer, &status, sizeof(status), MSG_NOSIGNAL);
}
