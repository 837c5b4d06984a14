/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Processes of -c and -p.
 *
 * A created child must make no system call between the start of tracing and
 * its own execve, or that call would be traced as the command's.  So it
 * spins on a word of shared memory, where it is stopped by SIGSTOP; when
 * tracing is on and it is to run, the word is set and SIGCONT lets it go straight
 * into execve.  It dies with us (PR_SET_PDEATHSIG), unless it is released before
 * it runs: only itself can call that off.
 *
 * Probes see numbers of the machine's first pid namespace.  In another one our
 * children and we ask for ours; a process that is somebody else's cannot be
 * told, so it cannot be had.
 *
 * Nothing here waits without a limit for what a signal of ours should bring
 * about: it may have been refused, and a process may hang in the kernel.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "session/proc_priv.h"
#include "util/cleanup.h"
#include "util/files.h"

/* Whether this may be executed; else errno says why not. */
static bool
executable(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	if (S_ISREG(st.st_mode))
		return access(path, X_OK) == 0;
	errno = EACCES;
	return false;
}

/* Search PATH as execvp() would, so that a missing command is an error now
 * and not after tracing has begun. */
static struct err *
resolve(const char *cmd, char *path, size_t size)
{
	const char *dirs = getenv("PATH");
	int os = ENOENT;

	if (strchr(cmd, '/')) {
		snprintf(path, size, "%s", cmd);
		if (executable(path))
			return NULL;
		return err_new(ERR_OS, errno, "failed to execute %s: %s", cmd,
			       strerror(errno));
	}
	for (const char *p = dirs ? dirs : "/usr/bin:/bin"; *p; ) {
		size_t n = strcspn(p, ":");
		snprintf(path, size, "%.*s/%s", (int)n, n ? p : ".", cmd);
		if (executable(path))
			return NULL;
		if (errno == EACCES)
			os = EACCES;
		p += n + (p[n] == ':');
	}
	return err_new(ERR_OS, os, "failed to execute %s: %s", cmd,
		       strerror(os));
}

/* Forget name (up to its end or '='), keeping the order of the others. */
static void
env_drop(char **env, const char *name)
{
	size_t n = strcspn(name, "=");
	char **to = env;

	for (; *env; env++)
		if (strncmp(*env, name, n) || (*env)[n] != '=')
			*to++ = *env;
	*to = NULL;
}

static size_t
env_count(char **env)
{
	size_t n = 0;

	while (env && env[n])
		n++;
	return n;
}

/* Our environment, as setenv and unsetenv want it. */
static struct err *
make_env(struct session *s, char ***ret)
{
	char *list = s->opts.s[OPT_SETENV], *p = list;
	size_t n = env_count(environ), more = 0;

	for (; p && *p; p += strlen(p) + 1)
		more++;
	char **env = ARENA_ARRAY(s->a, char *, n + more + 1);
	if (!env)
		return &err_nomem;
	if (n)
		memcpy(env, environ, n * sizeof(*env));
	for (p = list; p && *p; p += strlen(p) + 1) {
		env_drop(env, p);
		n = env_count(env);
		env[n] = strchr(p, '=') ? p : NULL;
		env[n + 1] = NULL;
	}
	*ret = env;
	return NULL;
}

/* Between two looks at a word of memory: let others run that share the CPU. */
static void
relax(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

/* pid_prog: -1 where our numbers are those that probes see. */
static void
child(struct proc_start *st, pid_t parent, int pid_prog, const char *path,
      const char *const *argv, char **env)
{
	const char *slash = strrchr(path, '/');

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	/* What is seen of it before exec is not ours. */
	prctl(PR_SET_NAME, slash ? slash + 1 : path);
	if (pid_prog >= 0 && kern_prog_run(pid_prog, NULL, 0, &st->seen))
		_exit(127);
	__atomic_store_n(&st->ready, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&st->go, __ATOMIC_ACQUIRE))
		relax();
	files_restore();
	if (st->keep)
		prctl(PR_SET_PDEATHSIG, 0);
	execve(path, (char *const *)argv, env);
	st->exec_errno = errno;
	_exit(127);
}

/* The program that tells who one is, where that is needed; else -1. */
static struct err *
pid_prog(int *ret)
{
	*ret = -1;
	return kern_first_pid_ns() ? NULL : kern_pid_prog(ret);
}

pid_t
session_self(void)
{
	CLEANUP(util_closep) int prog = -1;
	uint32_t seen = 0;
	struct err *e = pid_prog(&prog);

	if (!e && prog >= 0)
		e = kern_prog_run(prog, NULL, 0, &seen);
	err_free(e);
	return seen ? (pid_t)seen : getpid();
}

static int
pidfd_open(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

static void
add(struct session *s, struct session_proc *p)
{
	struct session_proc **at = &s->procs;

	while (*at)
		at = &(*at)->next;
	*at = p;
}

/* A moment; false when there have been as many as `most`, which take that many
 * milliseconds at least.  They are counted, since of the time that passes we may
 * be stopped ourselves.  What takes no time at all is not slept for. */
static bool
moment(unsigned *n, unsigned most)
{
	enum { YIELDS = 500 };

	if ((*n)++ < YIELDS)
		sched_yield();
	else
		nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
	return *n < most + YIELDS;
}

/* Wait for a change of the child's state, for so many moments: what waitpid()
 * says, 0 when there has been none. */
static pid_t
await(const struct session_proc *p, int flags, unsigned most, int *status)
{
	unsigned n = 0;
	pid_t got;

	do
		got = waitpid(p->pid, status, flags | WNOHANG);
	while ((!got || (got < 0 && errno == EINTR)) && moment(&n, most));
	return got;
}

static struct err *
ended_early(struct session_proc *p)
{
	p->ended = true;
	return err_new(ERR_OS, 0, "the command ended before it was traced");
}

/* What a busy machine may need. */
enum { START_MS = 10000, STOP_MS = 2000, END_MS = 2000 };

/* Wait until the child spins, and stop it there. */
static struct err *
hold(struct session_proc *p)
{
	unsigned n = 0;
	int status;

	while (!__atomic_load_n(&p->start->ready, __ATOMIC_ACQUIRE)) {
		if (waitpid(p->pid, &status, WNOHANG))
			return ended_early(p);
		if (!moment(&n, START_MS))
			return err_new(ERR_OS, 0, "the command has not started "
				       "within %d s", START_MS / 1000);
	}
	if (kill(p->pid, SIGSTOP))
		return err_new(ERR_OS, errno, "the command cannot be held: %s",
			       strerror(errno));
	pid_t got = await(p, WUNTRACED, STOP_MS, &status);
	if (!got)
		return err_new(ERR_OS, 0, "the command cannot be held: it "
			       "does not stop");
	if (got > 0 && !WIFSTOPPED(status))
		return ended_early(p);
	p->seen = p->start->seen ? (pid_t)p->start->seen : p->pid;
	return NULL;
}

struct err *
session_proc_create(struct session *s, const char *file,
		    const char *const *argv, struct session_proc **ret)
{
	struct session_proc *p = ARENA_NEW(s->a, struct session_proc);
	CLEANUP(util_closep) int prog = -1;
	char path[4096], **env;

	if (!p)
		return &err_nomem;
	TRY(make_env(s, &env));
	TRY(resolve(file, path, sizeof(path)));
	TRY(pid_prog(&prog));
	p->start = mmap(NULL, sizeof(*p->start), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p->start == MAP_FAILED) {
		p->start = NULL;
		return err_new(ERR_OS, errno, "mmap: %s", strerror(errno));
	}
	p->path = arena_strdup(s->a, path);
	if (!p->path)
		return &err_nomem;
	pid_t me = getpid();
	p->pid = fork();
	if (p->pid == 0)
		child(p->start, me, prog, path, argv, env);
	if (p->pid < 0) {
		struct err *e = err_new(ERR_OS, errno, "fork: %s",
					strerror(errno));
		munmap(p->start, sizeof(*p->start));
		return e;
	}
	p->created = true;
	p->pidfd = pidfd_open(p->pid);
	add(s, p);
	if (p->pidfd < 0)
		return err_new(ERR_OS, errno, "pidfd_open: %s",
			       strerror(errno));
	TRY(hold(p));
	*ret = p;
	return NULL;
}

struct err *
session_proc_grab(struct session *s, pid_t pid, struct session_proc **ret)
{
	struct session_proc *p = ARENA_NEW(s->a, struct session_proc);

	if (!p)
		return &err_nomem;
	if (!kern_first_pid_ns())
		return err_new(ERR_UNSUPPORTED, 0, "failed to grab pid %d: it has "
			       "another number for probes, as in a container: run "
			       "dtrace in the machine's first pid namespace",
			       (int)pid);
	p->pid = p->seen = pid;
	p->pidfd = pidfd_open(pid);
	if (p->pidfd < 0) {
		bool thread = pid > 0 && (errno == EINVAL || errno == ENOENT);
		return err_new(ERR_OS, errno, "failed to grab pid %d: %s",
			       (int)pid, thread ? "it is a thread, not a "
			       "process" : strerror(errno));
	}
	add(s, p);
	*ret = p;
	return NULL;
}

pid_t
session_proc_pid(const struct session_proc *p)
{
	return p->pid;
}

pid_t
session_target(const struct session *s)
{
	return s->procs ? s->procs->seen : 0;
}

void
session_on_proc(struct session *s, session_proc_fn *fn, void *ctx)
{
	s->on_proc.fn = fn;
	s->on_proc.ctx = ctx;
}

/* Has it ended?  What is there remains to be reaped. */
static struct err *
look(const struct session_proc *p, bool *ended)
{
	struct pollfd pfd = { .fd = p->pidfd, .events = POLLIN };
	int n = poll(&pfd, 1, 0);

	if (n < 0 && errno != EINTR)
		return err_new(ERR_OS, errno, "poll: %s", strerror(errno));
	*ended = n == 1;
	return NULL;
}

/* One that was killed meanwhile is seen to have ended later. */
static struct err *
let_go(struct session_proc *p)
{
	bool ended;
	long bad;

	if (p->held) {
		bad = ptrace(PTRACE_DETACH, p->pid, 0, 0);
	} else {
		__atomic_store_n(&p->start->go, 1, __ATOMIC_RELEASE);
		bad = kill(p->pid, SIGCONT);
	}
	if (bad) {
		int os = errno;
		TRY(look(p, &ended));
		if (!ended)
			return err_new(ERR_OS, os, "the command cannot be let "
				       "go: %s", strerror(os));
	}
	p->held = false;
	p->runs = true;
	return NULL;
}

/* Does it stand where we have put it?  One that has ended is perhaps another's
 * number by now. */
static bool
stands(const struct session_proc *p)
{
	return p->created && !p->runs && !p->ended && !p->released;
}

struct err *
session_proc_run(struct session *s)
{
	for (struct session_proc *p = s->procs; p; p = p->next)
		if (p->wanted && stands(p))
			TRY(let_go(p));
	return NULL;
}

struct err *
session_proc_continue(struct session *s, struct session_proc *p)
{
	p->wanted = true;
	/* There is nothing to wait for once there is an engine, or none will
	 * come. */
	return stands(p) && (s->engine || s->file.from) ? let_go(p) : NULL;
}

struct err *
session_proc_release(struct session *s, struct session_proc *p)
{
	if (p->released)
		return NULL;
	if (stands(p)) {
		p->start->keep = 1;
		TRY(let_go(p));
	}
	p->released = true;
	close(p->pidfd);	/* nobody waits for it any more */
	p->pidfd = -1;
	return NULL;
}

/* As in "SIGTERM". */
static void
put_signal(char *text, size_t size, int sig)
{
	const char *name = sigabbrev_np(sig);

	if (name)
		snprintf(text, size, "SIG%s", name);
	else
		snprintf(text, size, "signal %d", sig);
}

static void
tell_end(struct session *s, struct session_proc *p, int status)
{
	char text[128], sig[32];

	put_signal(sig, sizeof(sig), WTERMSIG(status));
	if (p->created && WIFSIGNALED(status))
		snprintf(text, sizeof(text), "pid %d terminated by %s",
			 (int)p->pid, sig);
	else if (p->created && WEXITSTATUS(status))
		snprintf(text, sizeof(text), "pid %d exited with status %d",
			 (int)p->pid, WEXITSTATUS(status));
	else
		snprintf(text, sizeof(text), "pid %d has exited", (int)p->pid);
	if (s->file.to)
		save_proc(s->file.to, p->pid, text);
	if (s->on_proc.fn)
		s->on_proc.fn(s->on_proc.ctx, p->pid, text);
}

struct err *
session_proc_executed(const struct session_proc *p)
{
	if (!p->start || !p->start->exec_errno)
		return NULL;
	return err_new(ERR_OS, p->start->exec_errno,
		       "failed to execute %s: %s", p->path,
		       strerror(p->start->exec_errno));
}

/* A command that is no program is an error, though it is known only now.  One
 * that a debugger has not let go of yet has not ended. */
static struct err *
end_one(struct session *s, struct session_proc *p)
{
	int status = 0;

	if (p->created && !await(p, 0, END_MS, &status))
		return NULL;
	p->ended = true;
	TRY(session_proc_executed(p));
	tell_end(s, p, status);
	return NULL;
}

struct err *
session_proc_poll(struct session *s, bool *ended)
{
	bool all = true, any = false, now;

	for (struct session_proc *p = s->procs; p; p = p->next) {
		if (p->released)
			continue;
		any = true;
		if (p->ended)
			continue;
		TRY(look(p, &now));
		if (now)
			TRY(end_one(s, p));
		all &= p->ended;
	}
	*ended = any && all;
	return NULL;
}

/* While held it tells of stops, too. */
static void
end_now(const struct session_proc *p)
{
	int status;

	if (kill(p->pid, SIGKILL))
		return;
	while (await(p, 0, END_MS, &status) > 0 && WIFSTOPPED(status))
		;
}

/* What we created ends with us, or when the kernel can end it. */
void
session_proc_free(struct session *s)
{
	for (struct session_proc *p = s->procs; p; p = p->next) {
		if (p->created && !p->ended && !p->released)
			end_now(p);
		if (p->pidfd >= 0)
			close(p->pidfd);
		if (p->start)
			munmap(p->start, sizeof(*p->start));
	}
	s->procs = NULL;
}
