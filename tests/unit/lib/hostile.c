/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Calls by who has not read the manual: nothing where something belongs, what is
 * out of range, calls in another order, calls from within calls.  Each is to give
 * an error, or to do nothing.  Speaks TAP.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "tap.h"

static int
is_error(int error)
{
	int good = dtrace_errno(tap_h) == error &&
		dtrace_errmsg(tap_h, error)[0];

	if (!good)
		printf("# %d: %s\n", dtrace_errno(tap_h),
		       dtrace_errmsg(tap_h, error));
	return good;
}

#define FAILS(call, error) ((call) == -1 && is_error(error))
#define NOTHING(call, error) (!(call) && is_error(error))

static void
without_handle(void)
{
	int err = 0;

	dtrace_close(NULL);
	ok(!dtrace_open(7, 0, &err) && err == EDT_VERSION &&
	   dtrace_errno(NULL) == EDT_VERSION &&
	   strstr(dtrace_errmsg(NULL, dtrace_errno(NULL)), "version 7") &&
	   !*dtrace_errdetail(NULL) && !*dtrace_errhint(NULL) && !dtrace_open(7, 0, NULL),
	   "errors of a handle that could not be had");
}

static void
without_values(void)
{
	char *none[] = { NULL }, *one[] = { "name", NULL };
	dtrace_typeinfo_t ti = { 0 };
	dtrace_proginfo_t info;
	int64_t value;

	reopen();
	ok(FAILS(dtrace_setopt(tap_h, NULL, "1"), EDT_INVALID) &&
	   FAILS(dtrace_getopt(tap_h, NULL, &value), EDT_INVALID) &&
	   FAILS(dtrace_getopt(tap_h, "bufsize", NULL), EDT_INVALID) &&
	   FAILS(dtrace_setopt(tap_h, "", NULL), EDT_INVALID) &&
	   FAILS(dtrace_setopt(tap_h, "bufsize", NULL), EDT_INVALID),
	   "options");
	ok(!dtrace_setopt(tap_h, "ctfpath", "x") &&
	   strstr(dtrace_errdetail(tap_h), "warning: Option \"ctfpath\" has no effect") &&
	   !dtrace_setopt(tap_h, "quiet", NULL) && !*dtrace_errdetail(tap_h),
	   "an option that other systems need is warned of, until the next");
	ok(NOTHING(dtrace_program_strcompile(tap_h, NULL,
			DTRACE_PROBESPEC_NAME, 0, 0, NULL), EDT_INVALID) &&
	   NOTHING(dtrace_program_fcompile(tap_h, NULL, "x", 0, 0, NULL),
		   EDT_INVALID) &&
	   NOTHING(dtrace_program_strcompile(tap_h, "BEGIN",
			DTRACE_PROBESPEC_NAME, 0, -1, one), EDT_INVALID) &&
	   NOTHING(dtrace_program_strcompile(tap_h, "BEGIN",
			DTRACE_PROBESPEC_NAME, 0, 3, NULL), EDT_INVALID) &&
	   NOTHING(dtrace_program_strcompile(tap_h, "BEGIN",
			(dtrace_probespec_t)77, 0, 0, NULL), EDT_INVALID) &&
	   NOTHING(dtrace_program_strcompile(tap_h, "BEGIN",
			(dtrace_probespec_t)-5, 0, 0, NULL), EDT_INVALID),
	   "texts");
	memset(&info, 1, sizeof(info));
	dtrace_program_info(tap_h, NULL, &info);
	ok(FAILS(dtrace_program_exec(tap_h, NULL, &info), EDT_INVALID) &&
	   FAILS(dtrace_program_disasm(tap_h, NULL, stdout), EDT_INVALID) &&
	   FAILS(dtrace_program_walk(tap_h, NULL, NULL, NULL), EDT_INVALID) &&
	   FAILS(dtrace_stmt_iter(tap_h, NULL, NULL, NULL), EDT_INVALID) &&
	   !info.dpi_matches && !info.dpi_clauses, "programs");
	ok(FAILS(dtrace_probe_iter(tap_h, "BEGIN", (dtrace_probespec_t)9,
				   NULL, NULL), EDT_INVALID), "descriptions");
	ok(NOTHING(dtrace_proc_create(tap_h, NULL, one), EDT_INVALID) &&
	   NOTHING(dtrace_proc_create(tap_h, "true", NULL), EDT_INVALID) &&
	   NOTHING(dtrace_proc_create(tap_h, "true", none), EDT_INVALID) &&
	   NOTHING(dtrace_proc_create(tap_h, "", one), EDT_OS) &&
	   NOTHING(dtrace_proc_grab(tap_h, -1, 0), EDT_OS) &&
	   !strstr(dtrace_errmsg(tap_h, EDT_OS), "thread") &&
	   NOTHING(dtrace_proc_grab(tap_h, 0, 0), EDT_OS), "commands");
	dtrace_proc_continue(tap_h, NULL);
	int good = is_error(EDT_INVALID);
	dtrace_proc_release(tap_h, NULL);
	ok(good && is_error(EDT_INVALID) &&
	   FAILS(dtrace_proc_pid(tap_h, NULL), EDT_INVALID), "processes");
	ok(FAILS(dtrace_type_strcompile(tap_h, NULL, &ti), EDT_INVALID) &&
	   FAILS(dtrace_type_fcompile(tap_h, NULL, &ti), EDT_INVALID) &&
	   FAILS(dtrace_lookup_by_type(tap_h, NULL, NULL, &ti), EDT_INVALID) &&
	   FAILS(dtrace_type_target(tap_h, &ti, &ti), EDT_INVALID) &&
	   FAILS(dtrace_type_members(tap_h, &ti, NULL, NULL), EDT_INVALID),
	   "types");
	ok(FAILS(dtrace_lookup_by_name(tap_h, NULL, NULL, NULL, NULL),
		 EDT_INVALID) &&
	   FAILS(dtrace_replay(tap_h, NULL), EDT_INVALID), "names");
}

static void
out_of_order(void)
{
	dtrace_prog_t *p, *other;
	dtrace_event_t *e;

	reopen();
	p = compile("BEGIN { @ = count(); }");
	other = compile("END { }");
	ok(dtrace_work(tap_h, NULL, NULL, NULL, NULL) == -1 &&
	   is_error(EDT_STATE) && FAILS(dtrace_next(tap_h, &e), EDT_STATE) &&
	   FAILS(dtrace_aggregate_snap(tap_h), EDT_STATE) &&
	   FAILS(dtrace_stop(tap_h), EDT_STATE) &&
	   FAILS(dtrace_hold(tap_h, 0), EDT_STATE) &&
	   dtrace_status(tap_h) == DTRACE_STATUS_NONE, "before dtrace_go()");
	dtrace_sleep(tap_h);
	if (dtrace_program_exec(tap_h, p, NULL) || dtrace_go(tap_h))
		dfatal("go");
	ok(FAILS(dtrace_go(tap_h), EDT_STATE) &&
	   FAILS(dtrace_program_exec(tap_h, other, NULL), EDT_STATE) &&
	   FAILS(dtrace_replay(tap_h, "/dev/null"), EDT_STATE),
	   "behind it");
	ok(!dtrace_stop(tap_h) && !dtrace_stop(tap_h), "stopped twice");
	ok(FAILS(dtrace_go(tap_h), EDT_STATE) &&
	   FAILS(dtrace_program_exec(tap_h, other, NULL), EDT_STATE),
	   "nothing begins again");
	while (!dtrace_work(tap_h, NULL, NULL, NULL, NULL))
		;
	ok(FAILS(dtrace_go(tap_h), EDT_STATE) &&
	   FAILS(dtrace_hold(tap_h, 0), EDT_STATE) &&
	   dtrace_work(tap_h, NULL, NULL, NULL, NULL) ==
	   DTRACE_WORKSTATUS_DONE && !dtrace_aggregate_snap(tap_h),
	   "not at the end either");
}

static void
nothing(int sig)
{
}

/* A trace that nobody reads for a while: a signal and what can be read end that, and
 * the form of the text may be chosen until there is some, not later. */
static void
held(void)
{
	struct sigaction sa = { .sa_handler = nothing };
	struct itimerval soon = { .it_value = { .tv_usec = 50000 } };
	char room[4096] = "";
	FILE *fp = fmemopen(room, sizeof(room), "w");
	int ends[2];

	sigaction(SIGALRM, &sa, NULL);
	if (!fp || pipe(ends))
		dfatal("files");
	reopen();
	start("BEGIN { printf(\"begun\"); }");
	setitimer(ITIMER_REAL, &soon, NULL);
	ok(dtrace_hold(tap_h, ends[0]) == 0, "a signal ends holding");
	ok(write(ends[1], "", 1) == 1 && dtrace_hold(tap_h, ends[0]) == 1,
	   "and so does what can be read");
	ok(FAILS(dtrace_setopt(tap_h, "bufsize", "1m"), EDT_STATE) &&
	   !dtrace_setopt(tap_h, "oformat", "jsonl"), "the form may be chosen");
	dtrace_stop(tap_h);
	ok(dtrace_work(tap_h, fp, NULL, NULL, NULL) == DTRACE_WORKSTATUS_DONE &&
	   !fflush(fp) && *room == '{' && strstr(room, "begun"),
	   "what was held has it");
	fclose(fp);
	close(ends[0]);
	close(ends[1]);

	reopen();
	start("BEGIN { }");
	dtrace_work(tap_h, NULL, NULL, NULL, NULL);
	ok(FAILS(dtrace_setopt(tap_h, "oformat", "jsonl"), EDT_STATE) &&
	   FAILS(dtrace_hold(tap_h, 0), EDT_STATE), "but not behind a turn");
}

/* --- Calls from within calls --------------------------------------------------- */

static int inner, inner_error;

static int
works(const dtrace_probedata_t *d, void *arg)
{
	inner = dtrace_work(d->dtpda_handle, NULL, NULL, NULL, NULL);
	inner_error = dtrace_errno(d->dtpda_handle);
	return DTRACE_CONSUME_THIS;
}

static int
walks(const dtrace_aggdata_t *a, void *arg)
{
	inner = dtrace_aggregate_snap(a->dtada_handle);
	inner_error = dtrace_errno(a->dtada_handle);
	return DTRACE_AGGWALK_NEXT;
}

static void
within(void)
{
	dtrace_workstatus_t status;

	reopen();
	start("BEGIN { @[1] = count(); @[2] = count(); trace(1); exit(3); }");
	inner = 5;
	while (!(status = dtrace_work(tap_h, NULL, works, NULL, NULL)))
		dtrace_sleep(tap_h);
	ok(inner == -1 && inner_error == EDT_STATE &&
	   status == DTRACE_WORKSTATUS_DONE && dtrace_exit_status(tap_h) == 3,
	   "work within work");
	inner = 5;
	ok(!dtrace_aggregate_snap(tap_h) &&
	   !dtrace_aggregate_walk(tap_h, walks, NULL) && inner == -1 &&
	   inner_error == EDT_STATE, "a snapshot within a walk");
}

/* --- Threads ------------------------------------------------------------------- */

/* A handle each. */
static void *
trace_alone(void *ret)
{
	dtrace_prog_t *p;
	int err;
	dtrace_hdl_t *h = dtrace_open(DTRACE_VERSION, 0, &err);

	if (!h)
		return NULL;
	if ((p = dtrace_program_strcompile(h, "BEGIN { @ = count(); }"
			" tick-1ms /i++ == 5/ { exit(9); }",
			DTRACE_PROBESPEC_NAME, 0, 0, NULL)) &&
	    !dtrace_program_exec(h, p, NULL) && !dtrace_go(h))
		while (!dtrace_work(h, NULL, NULL, NULL, NULL))
			dtrace_sleep(h);
	*(int *)ret = dtrace_exit_status(h);
	dtrace_close(h);
	return NULL;
}

static void *
lets_go(void *p)
{
	dtrace_proc_continue(tap_h, p);
	return NULL;
}

static void
threads(void)
{
	enum { N = 4 };
	pthread_t t[N];
	int got[N] = { 0 }, good = 1;
	char *argv[] = { "true", NULL };

	for (int i = 0; i < N; i++)
		if (pthread_create(&t[i], NULL, trace_alone, &got[i]))
			dfatal("thread");
	for (int i = 0; i < N; i++) {
		pthread_join(t[i], NULL);
		good &= got[i] == 9;
	}
	ok(good, "handles in threads of their own");
	reopen();
	set("evaltime", "main");
	dtrace_proc_t *p = dtrace_proc_create(tap_h, "true", argv);
	if (!p)
		dfatal("true");
	start("BEGIN { }");
	if (pthread_create(&t[0], NULL, lets_go, p))
		dfatal("thread");
	pthread_join(t[0], NULL);
	ok(is_error(EDT_OS), "a thread that does not hold the command");
	dtrace_proc_continue(tap_h, p);
	ok(!dtrace_errno(tap_h), "and the one that does");
}

/* --- Sizes ---------------------------------------------------------------------- */

static void
sizes(void)
{
	size_t n = 1 << 20;
	char *big = malloc(n + 1), text[64];
	char *argv[] = { big, NULL };

	reopen();
	memset(big, 'x', n);
	big[n] = '\0';
	ok(FAILS(dtrace_setopt(tap_h, big, "1"), EDT_INVALID) &&
	   dtrace_setopt(tap_h, "bufsize", big) == -1 &&
	   dtrace_getopt(tap_h, big, NULL) == -1, "of options");
	ok(!compile(big), "of programs");
	ok(!dtrace_proc_create(tap_h, big, argv) && is_error(EDT_OS),
	   "of commands");
	ok(FAILS(dtrace_lookup_by_name(tap_h, big, big, NULL, NULL),
		 EDT_NOTFOUND) &&
	   dtrace_probe_walk(tap_h, big, DTRACE_PROBESPEC_NAME, NULL, NULL) <= 0
	   && FAILS(dtrace_replay(tap_h, big), EDT_OS), "of names");
	ok(dtrace_addr2str(tap_h, 1, NULL, 0) > 0 &&
	   dtrace_addr2str(tap_h, 1, text, -1) > 0 &&
	   dtrace_uaddr2str(tap_h, -1, 1, text, 1) > 0 && !*text, "no room");
	free(big);
}

int
main(void)
{
	without_handle();
	without_values();
	out_of_order();
	held();
	within();
	threads();
	sizes();
	return plan();
}
