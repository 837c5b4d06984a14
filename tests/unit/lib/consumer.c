/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A consumer of libdtrace as people write them: the public header only, the
 * usual order of calls, callbacks that look at the data themselves.  Speaks
 * TAP.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dtrace/dtrace.h"

static dtrace_hdl_t *g_dtp;
static int number, bad;
static int64_t seen[8];
static int nseen, ends, errors;

static void
ok(int good, const char *what)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++number, what);
	bad += !good;
}

static void
dfatal(const char *what)
{
	printf("Bail out! %s: %s\n", what,
	       dtrace_errmsg(g_dtp, dtrace_errno(g_dtp)));
	exit(1);
}

static int
chewrec(const dtrace_probedata_t *data, const dtrace_recdesc_t *rec, void *arg)
{
	if (!rec) {
		ends++;
		return DTRACE_CONSUME_NEXT;
	}
	if (rec->dtrd_size == 8 && nseen < 8)
		memcpy(&seen[nseen++], data->dtpda_data + rec->dtrd_offset, 8);
	if (strcmp(data->dtpda_pdesc->dtpd_name, "BEGIN"))
		return DTRACE_CONSUME_ERROR;
	return DTRACE_CONSUME_NEXT;
}

static int
errhandler(const dtrace_errdata_t *e, void *arg)
{
	errors += e->dteda_addr == 16 && e->dteda_fault == 1;
	return DTRACE_HANDLE_OK;
}

static const char *g_prog =
	"dtrace:::BEGIN { trace((int64_t)7); trace((int64_t)-1); }"
	"dtrace:::BEGIN { trace(*(int64_t *)16); }"
	"dtrace:::BEGIN { exit(5); }";

static void
trace_begin(void)
{
	dtrace_prog_t *prog;
	dtrace_proginfo_t info;
	int done = 0;

	if (dtrace_setopt(g_dtp, "bufsize", "64k") == -1)
		dfatal("failed to set bufsize");
	dtrace_handle_err(g_dtp, errhandler, NULL);
	prog = dtrace_program_strcompile(g_dtp, g_prog, DTRACE_PROBESPEC_NAME,
					 0, 0, NULL);
	if (!prog)
		dfatal("failed to compile program");
	if (dtrace_program_exec(g_dtp, prog, &info) == -1)
		dfatal("failed to enable probes");
	ok(info.dpi_matches == 3, "three clauses match");
	if (dtrace_go(g_dtp) != 0)
		dfatal("dtrace_go()");
	ok(dtrace_setopt(g_dtp, "bufsize", "1m") == -1,
	   "a fixed option is refused while tracing");
	do {
		if (!done)
			dtrace_sleep(g_dtp);
		switch (dtrace_work(g_dtp, stdout, NULL, chewrec, NULL)) {
		case DTRACE_WORKSTATUS_DONE:
			done = 1;
			break;
		case DTRACE_WORKSTATUS_OKAY:
			break;
		default:
			dfatal("processing aborted");
		}
	} while (!done);
}

static int
count_probe(dtrace_hdl_t *h, const dtrace_probedesc_t *d, void *arg)
{
	++*(int *)arg;
	return 0;
}

/* Writes to the stream that the rows go to. */
static int
chew_aloud(const dtrace_probedata_t *data, void *stream)
{
	fputs("<", stream);
	return DTRACE_CONSUME_THIS;
}

/* What a callback writes stands before the row that it was called for. */
static void
trace_aloud(void)
{
	char *text = NULL;
	size_t size;
	FILE *fp = open_memstream(&text, &size);
	dtrace_prog_t *prog;
	dtrace_proginfo_t info;

	if (dtrace_setopt(g_dtp, "quiet", NULL) == -1)
		dfatal("failed to set quiet");
	prog = dtrace_program_strcompile(g_dtp,
		"BEGIN { trace(\"a\"); } BEGIN { printf(\"%d\", 7); }"
		"BEGIN { exit(0); }", DTRACE_PROBESPEC_NAME, 0, 0, NULL);
	if (!prog || dtrace_program_exec(g_dtp, prog, &info) == -1 ||
	    dtrace_go(g_dtp) != 0)
		dfatal("tracing aloud");
	while (dtrace_work(g_dtp, fp, chew_aloud, NULL, fp) ==
	       DTRACE_WORKSTATUS_OKAY)
		dtrace_sleep(g_dtp);
	fclose(fp);
	ok(!strcmp(text, "<a<7<"), "callbacks and rows are written in order");
	free(text);
}

/* However often one asks, what was aggregated counts once. */
static void
snap_often(void)
{
	char *text = NULL;
	size_t size;
	FILE *fp = open_memstream(&text, &size);
	dtrace_prog_t *prog;
	dtrace_proginfo_t info;

	prog = dtrace_program_strcompile(g_dtp,
		"BEGIN { @a[\"x\"] = count(); @b = sum(20); }"
		"BEGIN { exit(0); } END { @a[\"x\"] = count(); @b = sum(1); }",
		DTRACE_PROBESPEC_NAME, 0, 0, NULL);
	if (!prog || dtrace_program_exec(g_dtp, prog, &info) == -1 ||
	    dtrace_setopt(g_dtp, "quiet", NULL) == -1 || dtrace_go(g_dtp) != 0)
		dfatal("aggregating");
	dtrace_aggregate_snap(g_dtp);
	while (dtrace_work(g_dtp, fp, NULL, NULL, NULL) ==
	       DTRACE_WORKSTATUS_OKAY)
		dtrace_sleep(g_dtp);
	for (int i = 0; i < 3; i++)
		dtrace_aggregate_snap(g_dtp);
	dtrace_aggregate_print(g_dtp, fp, NULL);
	fclose(fp);
	ok(info.dpi_aggregates == 4 && info.dpi_recgens == 1 &&
	   info.dpi_speculations == 0, "what a program does is counted");
	ok(strstr(text, " 2\n") && strstr(text, " 21\n"),
	   "snapshots count everything once");
	free(text);
}

/* A buffer that fills up ends the tracing. */
static void
fill_up(void)
{
	dtrace_prog_t *prog;
	dtrace_proginfo_t info;
	FILE *fp = fopen("/dev/null", "w");

	if (dtrace_setopt(g_dtp, "strsize", "2500") == -1)
		dfatal("failed to set strsize");
	prog = dtrace_program_strcompile(g_dtp,
		"BEGIN { trace(cwd); } BEGIN { trace(cwd); }",
		DTRACE_PROBESPEC_NAME, 0, 0, NULL);
	if (!fp || !prog ||
	    dtrace_setopt(g_dtp, "bufpolicy", "fill") == -1 ||
	    dtrace_setopt(g_dtp, "bufsize", "4k") == -1 ||
	    dtrace_program_exec(g_dtp, prog, &info) == -1 ||
	    dtrace_go(g_dtp) != 0)
		dfatal("filling");
	ok(dtrace_status(g_dtp) == DTRACE_STATUS_OKAY, "tracing");
	while (dtrace_work(g_dtp, fp, NULL, NULL, NULL) ==
	       DTRACE_WORKSTATUS_OKAY)
		dtrace_sleep(g_dtp);
	ok(dtrace_status(g_dtp) == DTRACE_STATUS_FILLED, "a full buffer");
	fclose(fp);
}

static dtrace_prog_t *
compile(const char *text)
{
	return dtrace_program_strcompile(g_dtp, text, DTRACE_PROBESPEC_NAME, 0,
					 0, NULL);
}

/* A wrong program takes back the libraries it had compiled; so the next one has
 * them compiled anew, and what was compiled before stays. */
static void
libraries(void)
{
	ok(!compile("BEGIN { trace(SIGHUP); trace(nosuch); }") &&
	   strstr(dtrace_errmsg(g_dtp, dtrace_errno(g_dtp)), "nosuch"),
	   "a wrong program that needs a library");
	ok(compile("BEGIN { trace(SIGHUP); }") != NULL,
	   "the same library in a right one");
	ok(!compile("BEGIN { trace(SIGINT); trace(ENOENT); x = nosuch; }"),
	   "a wrong program that needs that and another");
	ok(compile("int x; BEGIN { trace(SIGINT); trace(ENOENT); }") != NULL,
	   "both in a right one");
	ok(!compile("import \"signal\"; import \"nosuch\";"), "no such library");
	ok(compile("import \"signal\"; BEGIN { trace(SIGHUP); }") != NULL,
	   "one that was compiled is imported");
}

/* A limit of the code that a program becomes is an error of the program. */
static void
limits(void)
{
	char text[400] = "BEGIN { many[0";

	for (int i = 0; i < 64; i++)
		strcat(text, ",0");
	strcat(text, "] = 1; }");
	ok(!compile(text) &&
	   strstr(dtrace_errmsg(g_dtp, dtrace_errno(g_dtp)), "65 keys"),
	   "too many keys are refused when the program is compiled");
	ok(compile("BEGIN { many = 1; }") != NULL,
	   "and the name can be used anew");
}

/* What is too long is refused, and not cut. */
static void
too_long(void)
{
	size_t size = (64 << 20) + 1;
	char *text = malloc(size + 1);

	if (!text)
		dfatal("a long program");
	memset(text, ' ', size);
	strcpy(text + size - 8, "BEGIN {}");
	ok(!compile(text) &&
	   strstr(dtrace_errmsg(g_dtp, dtrace_errno(g_dtp)), "longer than"),
	   "a program of more than 64 MB is refused");
	ok(compile(text + 1) != NULL, "one of 64 MB is not");
	free(text);
}

static pid_t gone;
static char why[64];

static void
on_end(pid_t pid, const char *msg, void *arg)
{
	gone = pid;
	snprintf(why, sizeof(why), "%s", msg ? msg : "");
}

/* A command from its first instruction to its end, which ends the tracing. */
static void
watch_command(void)
{
	char *const argv[] = { "true", NULL };
	dtrace_proginfo_t info;
	dtrace_prog_t *prog;
	char text[64];

	dtrace_setopt(g_dtp, "quiet", "1");
	dtrace_handle_proc(g_dtp, on_end, NULL);
	dtrace_proc_t *p = dtrace_proc_create(g_dtp, argv[0], argv);
	if (!p || !(prog = compile("BEGIN { trace($target); }")) ||
	    dtrace_program_exec(g_dtp, prog, &info) || dtrace_go(g_dtp))
		dfatal("a command");
	pid_t pid = dtrace_proc_pid(g_dtp, p);
	dtrace_proc_continue(g_dtp, p);
	while (dtrace_work(g_dtp, NULL, NULL, NULL, NULL) ==
	       DTRACE_WORKSTATUS_OKAY)
		dtrace_sleep(g_dtp);
	dtrace_proc_release(g_dtp, p);
	snprintf(text, sizeof(text), "pid %d has exited", (int)pid);
	ok(pid > 0 && gone == pid && !strcmp(why, text),
	   "the end of a command is told");
	ok(dtrace_status(g_dtp) == DTRACE_STATUS_EXITED,
	   "and ends the tracing");
}

int
main(void)
{
	int err, n = 0;

	g_dtp = dtrace_open(DTRACE_VERSION, DTRACE_O_NODEV, &err);
	ok(g_dtp != NULL, "a handle without privilege");
	ok(dtrace_probe_iter(g_dtp, "dtrace:::", DTRACE_PROBESPEC_NAME,
			     count_probe, &n) == 0 && n == 3,
	   "three probes of dtrace");
	ok(!dtrace_program_strcompile(g_dtp, "BEGIN { nosuch; }",
			DTRACE_PROBESPEC_NAME, 0, 0, NULL) &&
	   strstr(dtrace_errmsg(g_dtp, dtrace_errno(g_dtp)), "nosuch"),
	   "an error names what is wrong");
	ok(strstr(dtrace_errdetail(g_dtp), "^~~~~~") != NULL,
	   "and shows where");
	ok(!strncmp(dtrace_errhint(g_dtp), "a variable exists when ", 23),
	   "and how to mend it");
	ok(!dtrace_program_strcompile(g_dtp, "tick-1x",
			DTRACE_PROBESPEC_NAME, 0, 0, NULL) &&
	   strstr(dtrace_errhint(g_dtp), "a whole number with a unit"),
	   "a hint of a description that matches nothing");
	ok(!dtrace_program_strcompile(g_dtp, "pid4194305:::entry",
			DTRACE_PROBESPEC_NAME, 0, 0, NULL) &&
	   !strcmp(dtrace_errhint(g_dtp), "there is no process 4194305\n"),
	   "and the reason, where it is known");
	ok(dtrace_program_strcompile(g_dtp, "BEGIN", DTRACE_PROBESPEC_NAME, 0,
				     0, NULL) && !*dtrace_errhint(g_dtp),
	   "none of a program that is right");
	ok(dtrace_work(g_dtp, stdout, NULL, NULL, NULL) ==
	   DTRACE_WORKSTATUS_ERROR && dtrace_errno(g_dtp) == EDT_STATE &&
	   dtrace_aggregate_snap(g_dtp) == -1 &&
	   dtrace_aggregate_print(g_dtp, stdout, NULL) == -1,
	   "nothing is to be seen before dtrace_go()");
	libraries();
	limits();
	too_long();
	dtrace_close(g_dtp);
	ok(!dtrace_open(2, 0, &err) && err == EDT_VERSION,
	   "another version is refused");
	if (geteuid() != 0) {
		printf("ok %d # SKIP tracing needs root\n1..%d\n", number + 1,
		       number + 1);
		return bad != 0;
	}
	g_dtp = dtrace_open(DTRACE_VERSION, 0, &err);
	if (!g_dtp) {
		printf("ok %d # SKIP %s\n1..%d\n", number + 1,
		       dtrace_errmsg(NULL, err), number + 1);
		return bad != 0;
	}
	trace_begin();
	ok(nseen == 2 && seen[0] == 7 && seen[1] == -1, "both values arrive");
	ok(ends == 2, "the end of each firing's records is told");
	ok(errors == 1, "the fault is told with its address");
	ok(dtrace_exit_status(g_dtp) == 5, "exit()'s argument");
	ok(dtrace_stop(g_dtp) == 0, "stopping twice is harmless");
	dtrace_close(g_dtp);
	g_dtp = dtrace_open(DTRACE_VERSION, 0, &err);
	if (!g_dtp)
		dfatal("a second handle");
	trace_aloud();
	dtrace_close(g_dtp);
	g_dtp = dtrace_open(DTRACE_VERSION, 0, &err);
	if (!g_dtp)
		dfatal("a third handle");
	snap_often();
	dtrace_close(g_dtp);
	g_dtp = dtrace_open(DTRACE_VERSION, 0, &err);
	if (!g_dtp)
		dfatal("a fourth handle");
	fill_up();
	dtrace_close(g_dtp);
	g_dtp = dtrace_open(DTRACE_VERSION, 0, &err);
	if (!g_dtp)
		dfatal("a fifth handle");
	watch_command();
	dtrace_close(g_dtp);
	printf("1..%d\n", number);
	return bad != 0;
}
