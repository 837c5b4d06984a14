/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dtrace -a: claim the trace that began at the boot.  Who holds it gets our files,
 * our folder and our options, and prints there; we wait for the status to leave
 * with, and pass signals on.
 */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "cmd/anon.h"

/* --- No trace ------------------------------------------------------------- */

/* Is somebody there who holds, or held until now, a trace? */
static bool
is_held(FILE *words)
{
	return flock(fileno(words), LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;
}

/* What the last one said that held a trace tells why there is none. */
__attribute__((noreturn)) static void
none(bool refused)
{
	FILE *fp = fopen(cmd_anon_path(ANON_WORDS), "re");
	char line[1024];

	cmd_message("could not enable tracing: No anonymous tracing state");
	while (fp && fgets(line, sizeof(line), fp))
		dtrace_put_text(stderr, line);
	if (refused && fp && !is_held(fp))
		cmd_message("the process that held it was killed");
	else if (!fp)
		fputs("hint: dtrace -A has a program run from the next boot "
		      "on\n", stderr);
	if (fp)
		fclose(fp);
	cmd_finish(E_FATAL);
}

static int
reach(void)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	const char *path = cmd_anon_path(ANON_SOCKET);

	if (strlen(path) < sizeof(to.sun_path))
		strcpy(to.sun_path, path);
	if (fd >= 0 && !connect(fd, (struct sockaddr *)&to, sizeof(to)))
		return fd;
	if (errno == ENOENT || errno == ECONNREFUSED)
		none(errno == ECONNREFUSED);
	cmd_message("could not enable tracing: %s: %s", path, strerror(errno));
	cmd_finish(E_FATAL);
}

/* --- The claim ------------------------------------------------------------ */

struct packet {
	char text[ANON_PACKET];
	size_t size;
};

static void
add_line(struct packet *p, enum anon_line kind, const char *text)
{
	size_t n = strlen(text) + 1;

	if (n >= sizeof(p->text) - p->size) {
		cmd_message("too much for one claim");
		cmd_finish(E_USAGE);
	}
	p->text[p->size++] = (char)kind;
	memcpy(p->text + p->size, text, n);
	p->size += n;
}

static void
add_lines(struct packet *p, const struct options *o)
{
	const char *zone = getenv("TZ");
	char room[4096];

	add_line(p, ANON_HELLO, DTRACE_RELEASE);
	if (!strcmp(nl_langinfo(CODESET), "UTF-8"))
		add_line(p, ANON_UTF8, "");
	if (zone) {
		snprintf(room, sizeof(room), "TZ=%s", zone);
		add_line(p, ANON_ENV, room);
	}
	for (int i = 0; i < o->nsets; i++)
		add_line(p, ANON_OPTION, o->sets[i]);
	if (o->compile_only)
		add_line(p, ANON_END, "");
}

static void
send_claim(int fd, const struct packet *p, const int *fds, unsigned nfds)
{
	union {
		char room[CMSG_SPACE(ANON_NFDS * sizeof(int))];
		struct cmsghdr align;
	} control = { { 0 } };
	struct iovec io = { (void *)p->text, p->size };
	struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1,
			    .msg_control = &control,
			    .msg_controllen = CMSG_SPACE(nfds * sizeof(int)) };
	struct cmsghdr *h = CMSG_FIRSTHDR(&m);

	h->cmsg_level = SOL_SOCKET;
	h->cmsg_type = SCM_RIGHTS;
	h->cmsg_len = CMSG_LEN(nfds * sizeof(int));
	memcpy(CMSG_DATA(h), fds, nfds * sizeof(int));
	if (sendmsg(fd, &m, MSG_NOSIGNAL) < 0 && errno != EPIPE) {
		cmd_message("could not enable tracing: %s", strerror(errno));
		cmd_finish(E_FATAL);
	}
}

/* --- Waiting -------------------------------------------------------------- */

/* Signals as something to read. */
static int
catch_signals(void)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGQUIT };
	struct sigaction hup;
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		signal(ends[i], SIG_DFL);
		sigaddset(&set, ends[i]);
	}
	if (!sigaction(SIGHUP, NULL, &hup) && hup.sa_handler != SIG_IGN)
		sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

/* The second one ends us at once, and that ends the other. */
static void
pass_signal(int signals, int holder)
{
	static int count;
	struct signalfd_siginfo info;

	if (read(signals, &info, sizeof(info)) != sizeof(info))
		return;
	if (count++)
		_exit(E_FATAL);
	send(holder, "", 1, MSG_NOSIGNAL);
}

static int
wait_for_status(int holder, int signals)
{
	struct pollfd v[] = { { .fd = holder, .events = POLLIN },
			      { .fd = signals, .events = POLLIN } };
	int status;

	for (;;) {
		if (poll(v, 2, -1) < 0)
			continue;
		if (v[1].revents)
			pass_signal(signals, holder);
		if (!v[0].revents)
			continue;
		if (recv(holder, &status, sizeof(status), 0) == sizeof(status))
			return status;
		cmd_message("the process that held the trace has ended");
		return E_FATAL;
	}
}

void
cmd_anon_claim(const struct options *o)
{
	static struct packet p;
	int fds[ANON_NFDS], signals = catch_signals();

	if (o->nreqs || o->ntargets || o->replay) {
		cmd_message("could not enable tracing: Can't claim anonymous "
			    "state and enable probes");
		cmd_finish(E_USAGE);
	}
	int holder = reach();
	add_lines(&p, o);
	fds[ANON_STDOUT] = STDOUT_FILENO;
	fds[ANON_STDERR] = STDERR_FILENO;
	fds[ANON_CWD] = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fds[ANON_CWD] < 0) {
		cmd_message("this folder: %s", strerror(errno));
		cmd_finish(E_FATAL);
	}
	fds[ANON_OUTPUT] = fileno(cmd_out);
	fflush(cmd_out);
	send_claim(holder, &p, fds, cmd_out == stdout ? ANON_OUTPUT : ANON_NFDS);
	cmd_finish(wait_for_status(holder, signals));
}
