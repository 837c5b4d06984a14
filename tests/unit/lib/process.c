/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Processes of a handle: how long a command stands, what continuing and releasing
 * do and when they may be called.  Speaks TAP.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "tap.h"

static const char idle[] = "BEGIN { } tick-2ms /i++ == 20/ { exit(6); }";

static dtrace_proc_t *
create(const char *script)
{
	char *argv[] = { "sh", "-c", (char *)script, NULL };
	dtrace_proc_t *p = dtrace_proc_create(tap_h, "sh", argv);

	if (!p)
		dfatal(script);
	return p;
}

/* The letter of its state; 0: there is no such process. */
static int
state(pid_t pid)
{
	char path[32], c = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	FILE *f = fopen(path, "r");
	if (!f)
		return 0;
	if (fscanf(f, "%*d (%*[^)]) %c", &c) != 1)
		c = 0;
	fclose(f);
	return c;
}

/* To the end; what exit() was given. */
static int
run(void)
{
	dtrace_workstatus_t status;

	while (!(status = dtrace_work(tap_h, NULL, NULL, NULL, NULL)))
		dtrace_sleep(tap_h);
	if (status == DTRACE_WORKSTATUS_ERROR)
		dfatal("dtrace_work");
	return dtrace_exit_status(tap_h);
}

static int ends;
static char last_end[64];

static void
on_end(pid_t pid, const char *msg, void *arg)
{
	ends++;
	snprintf(last_end, sizeof(last_end), "%s", msg);
}

static void
begin(void)
{
	reopen();
	ends = 0;
	last_end[0] = '\0';
	dtrace_handle_proc(tap_h, on_end, NULL);
}

static void
stands(const char *evaltime, int letter)
{
	char what[64];

	begin();
	set("evaltime", evaltime);
	dtrace_proc_t *p = create("exit 3");
	pid_t pid = dtrace_proc_pid(tap_h, p);
	start(idle);
	int good = run() == 6 && !ends && state(pid) == letter;
	snprintf(what, sizeof(what), "a command stands, evaltime=%s", evaltime);
	ok(good, what);
	dtrace_close(tap_h);
	tap_h = NULL;
	snprintf(what, sizeof(what), "and ends with the handle");
	ok(!state(pid), what);
}

static void
continues(const char *evaltime)
{
	char what[64];

	for (int early = 0; early < 2; early++) {
		begin();
		set("evaltime", evaltime);
		dtrace_proc_t *p = create("exit 3");
		pid_t pid = dtrace_proc_pid(tap_h, p);
		if (early)
			dtrace_proc_continue(tap_h, p);
		int good = !dtrace_errno(tap_h) && state(pid) == 'T';
		start("syscall::exit_group:entry /pid == $target/"
		      " { exit(arg0); }");
		if (!early)
			dtrace_proc_continue(tap_h, p);
		good &= !dtrace_errno(tap_h) && run() == 3;
		snprintf(what, sizeof(what), "continued %s, evaltime=%s",
			 early ? "before" : "behind", evaltime);
		ok(good, what);
	}
}

/* What a command does to itself is nothing that continuing undoes. */
static void
twice(void)
{
	begin();
	dtrace_proc_t *p = create("kill -STOP $$; exit 4");
	pid_t pid = dtrace_proc_pid(tap_h, p);
	start("syscall::kill:entry /pid == $target/ { exit(5); }");
	dtrace_proc_continue(tap_h, p);
	int good = run() == 5;
	while (state(pid) != 'T')
		usleep(1000);
	dtrace_proc_continue(tap_h, p);
	usleep(20000);
	ok(good && state(pid) == 'T' && !dtrace_errno(tap_h),
	   "continued twice is continued once");
}

static int
waited(pid_t pid)
{
	int status = -1;

	return waitpid(pid, &status, 0) == pid ? status : -1;
}

static void
releases(void)
{
	begin();
	dtrace_proc_t *p = create("sleep 0.2; exit 5");
	pid_t pid = dtrace_proc_pid(tap_h, p);
	dtrace_proc_release(tap_h, p);
	dtrace_proc_release(tap_h, p);
	dtrace_proc_continue(tap_h, p);
	int good = !dtrace_errno(tap_h);
	start(idle);
	ok(good && run() == 6 && !ends, "one that is released goes unnoticed");
	dtrace_close(tap_h);
	tap_h = NULL;
	int status = waited(pid);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 5,
	   "and outlives the handle");
	begin();
	set("evaltime", "main");
	p = create("exit 7");
	pid = dtrace_proc_pid(tap_h, p);
	start("BEGIN { trace($target); } tick-2ms /i++ == 20/ { exit(6); }");
	dtrace_proc_release(tap_h, p);
	good = !dtrace_errno(tap_h) && run() == 6 && !ends;
	status = waited(pid);
	ok(good && WIFEXITED(status) && WEXITSTATUS(status) == 7,
	   "also from main() and while tracing");
	begin();
	p = create("exit 2");
	dtrace_proc_t *other = create("exit 1");
	start("BEGIN { } END { exit(8); }");
	dtrace_proc_release(tap_h, p);
	dtrace_proc_continue(tap_h, other);
	good = run() == 8 && ends == 1 && strstr(last_end, "status 1");
	ok(good && waited(dtrace_proc_pid(tap_h, p)) >= 0,
	   "those that remain end the tracing");
}

static void
grabbed(int release)
{
	begin();
	pid_t pid = fork();
	if (!pid) {
		pause();
		_exit(0);
	}
	dtrace_proc_t *p = dtrace_proc_grab(tap_h, pid, 0);
	if (!p)
		dfatal("grab");
	start(idle);
	dtrace_proc_continue(tap_h, p);
	int good = !dtrace_errno(tap_h) && state(pid) != 'T';
	if (release)
		dtrace_proc_release(tap_h, p);
	kill(pid, SIGKILL);
	int ended = run();
	good &= release ? ended == 6 && !ends : ends == 1;
	ok(good, release ? "the end of one that was grabbed and released"
			 : "the end of one that was grabbed");
	waited(pid);
}

int
main(void)
{
	static const char *const points[] = {
		"exec", "preinit", "postinit", "main"
	};

	for (int i = 0; i < 4; i++) {
		stands(points[i], i ? 't' : 'T');
		continues(points[i]);
	}
	twice();
	releases();
	grabbed(0);
	grabbed(1);
	return plan();
}
