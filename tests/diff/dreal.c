/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Programs in D on the running system, through libdtrace as any consumer uses
 * it: whatever the compiler takes must load, attach, run and print.  They trace
 * this process.
 */
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "diff_priv.h"
#include "dtrace/dtrace.h"

struct real {
	dtrace_hdl_t *h;
	struct sb *notes;
	struct diff_count *count;
	enum diff_verdict verdict;
};

static int
on_error(const dtrace_errdata_t *e, void *arg)
{
	struct real *r = arg;

	if (r->count)
		r->count->faults++;
	return DTRACE_HANDLE_OK;
}

/* A program may well drop what has no room; but not what it cannot have. */
static int
on_drop(const dtrace_dropdata_t *d, void *arg)
{
	struct real *r = arg;

	if (d->dtdda_kind == DTRACEDROP_MALFORMED) {
		sb_puts(r->notes, d->dtdda_msg);
		r->verdict = DIFF_DIFFERS;
	}
	return DTRACE_HANDLE_OK;
}

static int
on_record(const dtrace_probedata_t *d, void *arg)
{
	struct real *r = arg;

	if (r->count)
		r->count->records++;
	return DTRACE_CONSUME_THIS;
}

static void
failed(struct real *r, const char *what)
{
	int e = dtrace_errno(r->h);

	sb_printf(r->notes, "%s: %s\n%s", what, dtrace_errmsg(r->h, e),
		  e == EDT_COMPILER ? dtrace_errdetail(r->h) : "");
	r->verdict = e == EDT_COMPILER ? DIFF_NOT_D :
		     e == EDT_LIMIT ? DIFF_LIMIT : DIFF_REFUSED;
}

static bool
load(struct real *r, const char *program)
{
	dtrace_proginfo_t info;

	if (dtrace_setopt(r->h, "quiet", NULL) ||
	    dtrace_setopt(r->h, "bufsize", "256k"))
		diff_die("options");
	dtrace_handle_err(r->h, on_error, r);
	dtrace_handle_drop(r->h, on_drop, r);
	dtrace_prog_t *p = dtrace_program_strcompile(r->h, program,
		DTRACE_PROBESPEC_NONE, DTRACE_C_ETAGS, 0, NULL);
	if (!p) {
		failed(r, "compile");
		return false;
	}
	if (dtrace_program_exec(r->h, p, &info) || dtrace_go(r->h)) {
		failed(r, "load");
		return false;
	}
	for (const char *at = program; r->count && *at; at++)
		r->count->clauses += !strncmp(at, "\n{\n", 3);
	return true;
}

/* What the programs trace. */
static void
live(const char *program)
{
	static const long calls[] = { SYS_getppid, SYS_getpid, SYS_getpgid,
				      SYS_getuid, SYS_read };

	for (unsigned i = 0; i < 3; i++)
		for (unsigned k = 0; k < BASE_NELEMS(calls); k++)
			syscall(calls[k], -1L, i * 1000L, 0L, 3L, -7L,
				diff_user());
	if (strstr(program, "tick-") || strstr(program, "profile-"))
		usleep(40000);
}

enum diff_verdict
diff_real(const char *program, struct sb *notes, struct diff_count *count)
{
	static FILE *out;
	struct real r = { .notes = notes, .count = count };
	int e;

	if (!out && !(out = fopen("/dev/null", "w")))
		diff_die("no /dev/null");
	r.h = dtrace_open(DTRACE_VERSION, 0, &e);
	if (!r.h)
		diff_die("%s", dtrace_errmsg(NULL, e));
	if (load(&r, program)) {
		live(program);
		if (dtrace_work(r.h, out, on_record, NULL, &r) < 0 ||
		    dtrace_stop(r.h) ||
		    dtrace_work(r.h, out, on_record, NULL, &r) < 0 ||
		    dtrace_aggregate_print(r.h, out, NULL))
			failed(&r, "work");
	}
	dtrace_close(r.h);
	return r.verdict;
}
