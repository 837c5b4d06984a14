/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dtrace(8): the first user of libdtrace, and like any other it sees the
 * public header only.  args.c takes the arguments apart, list.c answers -l and
 * -v, and here is the way from a program to the end of its tracing.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd/cmd_priv.h"

static struct options options;
dtrace_hdl_t *cmd_handle;
FILE *cmd_out;
bool cmd_verbose;
static bool quiet;
volatile sig_atomic_t cmd_interrupted;

/* --- Messages ------------------------------------------------------------- */

void
cmd_message(const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	fflush(cmd_out);
	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	fputs("dtrace: ", stderr);
	dtrace_put_text(stderr, text ? text : "out of memory");
	fputc('\n', stderr);
	free(text);
}

void
cmd_finish(int status)
{
	bool lost = fflush(cmd_out) && !status;

	if (lost)
		fprintf(stderr, "dtrace: failed to write output: %s\n",
			strerror(errno));
	dtrace_close(cmd_handle);
	cmd_handle = NULL;
	if (cmd_out != stdout)
		fclose(cmd_out);
	cmd_out = stdout;
	cmd_free_options(&options);
	cmd_anon_tell(lost ? E_FATAL : status);
	exit(lost ? E_FATAL : status);
}

static const char *
last_error(void)
{
	return dtrace_errmsg(cmd_handle, dtrace_errno(cmd_handle));
}

void
cmd_fatal(const char *fmt, ...)
{
	char what[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	cmd_message("%s: %s", what, last_error());
	dtrace_put_text(stderr, dtrace_errdetail(cmd_handle));
	cmd_finish(E_FATAL);
}

/* The same without the detail, where the error says it all. */
__attribute__((noreturn)) static void
give_up(void)
{
	cmd_message("%s", last_error());
	cmd_finish(E_FATAL);
}

/* --- Setting up ----------------------------------------------------------- */

/* timeout(1) sends its signal twice, to the process and to its group.  A person takes
 * longer than this to ask a second time. */
#define ONE_REQUEST_NS 100000000

static volatile int64_t interrupted_at;		/* by CLOCK_MONOTONIC, ns */

static void
on_signal(int sig)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	int64_t ns = now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
	if (cmd_interrupted && ns - interrupted_at > ONE_REQUEST_NS)
		_exit(E_FATAL);
	if (!cmd_interrupted)
		interrupted_at = ns;	/* before the flag, for handlers in other threads */
	cmd_interrupted = true;
}

/* flags: SA_RESTART once there is output, lest a signal cut it short.  Whoever
 * started us may have blocked or ignored what we live by. */
static void
catch_signals(int flags)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGQUIT,
				    SIGIO /* of a claimer */ };
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = flags };
	struct sigaction hup;
	sigset_t ours;

	sigemptyset(&ours);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		sigaddset(&ours, ends[i]);
	sa.sa_mask = ours;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		sigaction(ends[i], &sa, NULL);
	sigprocmask(SIG_UNBLOCK, &ours, NULL);
	if (!sigaction(SIGHUP, NULL, &hup) && hup.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &sa, NULL);	/* else it is for nohup(1) */
}

/* What catch_signals() is to catch ends us before that, too, when a program is
 * long in compiling, or thousands of probes in being attached: a shell has its background commands ignore SIGINT.  The
 * commands of -c, which are there already, still do. */
static void
heed_signals(void)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGQUIT };
	sigset_t ours;

	sigemptyset(&ours);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		sigaddset(&ours, ends[i]);
		signal(ends[i], SIG_DFL);
	}
	sigprocmask(SIG_UNBLOCK, &ours, NULL);
}

/* What is odd, but no error: a line each. */
static void
print_warnings(const char *line)
{
	for (size_t n; *line; line += n + (line[n] != '\0')) {
		n = strcspn(line, "\n");
		cmd_message("%.*s", (int)n, line);
	}
}

static void
set_options(const struct options *o)
{
	if (dtrace_setopt_env(cmd_handle, environ))
		cmd_fatal("environment");
	print_warnings(dtrace_errdetail(cmd_handle));
	for (int i = 0; i < o->nsets; i++) {
		char *name = o->sets[i], *value = strchr(name, '=');
		if (value)
			*value++ = '\0';
		if (dtrace_setopt(cmd_handle, name, value))
			cmd_fatal("failed to set option -x %s", name);
		print_warnings(dtrace_errdetail(cmd_handle));
		if (value)
			value[-1] = '=';
	}
	int64_t v;
	dtrace_getopt(cmd_handle, "verbose", &v);
	cmd_verbose = v > 0;
}

/* Put the words of a command at words, their text at to, as a shell would
 * split it, without expansions; false when a quote is not closed or nothing is
 * there. */
static bool
split_to(const char *cmd, char **words, char *to)
{
	int count = 0;

	while (*(cmd += strspn(cmd, " \t\n"))) {
		char quote = 0;
		words[count++] = to;
		for (; *cmd && (quote || !strchr(" \t\n", *cmd)); cmd++) {
			if (*cmd == quote)
				quote = 0;
			else if (!quote && (*cmd == '"' || *cmd == '\''))
				quote = *cmd;
			else if (*cmd == '\\' && quote != '\'' && cmd[1])
				*to++ = *++cmd;
			else
				*to++ = *cmd;
		}
		if (quote)
			return false;
		*to++ = '\0';
	}
	return count > 0;
}

/* The words of a command, one allocation, ended by NULL; or NULL. */
static char **
split(const char *cmd)
{
	size_t n = strlen(cmd), max = n / 2 + 2;
	char **words = calloc(1, max * sizeof(*words) + n + 1);

	if (words && split_to(cmd, words, (char *)(words + max)))
		return words;
	free(words);
	return NULL;
}

static void
start_command(const char *command)
{
	char **argv = split(command);

	if (!argv) {
		cmd_message("invalid command: %s", command);
		cmd_finish(E_USAGE);
	}
	dtrace_proc_t *p = dtrace_proc_create(cmd_handle, argv[0], argv);
	free(argv);
	if (!p)
		give_up();
	dtrace_proc_continue(cmd_handle, p);	/* when tracing is on */
}

static void
grab_process(pid_t pid)
{
	if (!dtrace_proc_grab(cmd_handle, pid, 0))
		give_up();
}

/* In the order of the command line: the first is $target. */
static void
take_processes(const struct options *o)
{
	for (int i = 0; i < o->ntargets; i++)
		if (o->targets[i].command)
			start_command(o->targets[i].command);
		else
			grab_process(o->targets[i].pid);
}

static void
compile_file(struct request *r, int argc, char **argv)
{
	FILE *fp = strcmp(r->arg, "-") ? fopen(r->arg, "re") : stdin;

	if (!fp) {
		cmd_message("failed to open %s: %s", r->arg, strerror(errno));
		cmd_finish(E_FATAL);
	}
	r->prog = dtrace_program_fcompile(cmd_handle, fp, r->arg, 0, argc,
					  argv);
	if (fp != stdin)
		fclose(fp);
	if (!r->prog)
		cmd_fatal("failed to compile script %s", r->arg);
}

/* What to call a program in a message: its file, or the first line of its text. */
static const char *
title(const struct request *r)
{
	static char line[256];
	const char *text = r->arg + strspn(r->arg, " \t\n");
	size_t n = strcspn(text, "\n");

	if (r->spec == DTRACE_PROBESPEC_NONE || !strchr(r->arg, '\n'))
		return r->arg;
	bool more = text[n + strspn(text + n, " \t\n")];
	bool whole = n < sizeof(line) - 4;
	snprintf(line, sizeof(line), "%.*s%s",
		 whole ? (int)n : (int)sizeof(line) - 5, text,
		 more || !whole ? " ..." : "");
	return line;
}

void
cmd_compile(struct options *o, struct request *r)
{
	if (r->spec == DTRACE_PROBESPEC_NONE) {
		compile_file(r, o->nargs, o->args);
	} else {
		r->prog = dtrace_program_strcompile(cmd_handle, r->arg,
						    r->spec, 0, o->nargs,
						    o->args);
		if (!r->prog)
			cmd_fatal("invalid probe specifier %s", title(r));
	}
	print_warnings(dtrace_errdetail(cmd_handle));
	if (o->disasm && dtrace_program_disasm(cmd_handle, r->prog, stderr))
		cmd_fatal("failed to print %s", title(r));
}

/* --- Tracing -------------------------------------------------------------- */

static int
on_error(const dtrace_errdata_t *d, void *arg)
{
	fflush(cmd_out);
	fputs("dtrace: ", stderr);
	dtrace_put_text(stderr, d->dteda_msg);
	if (d->dteda_hint) {
		fputs("hint: ", stderr);
		dtrace_put_text(stderr, d->dteda_hint);
	}
	return DTRACE_HANDLE_OK;
}

/* What loses less, said once for each kind, and only to people: what reads our
 * messages gets those alone. */
static void
suggest_remedy(dtrace_dropkind_t kind)
{
	static const struct {
		dtrace_dropkind_t kind;
		const char *text;
	} rows[] = {
		{ DTRACEDROP_PRINCIPAL, "a larger buffer, -b or -x bufsize, or "
		  "a higher switchrate" },
		{ DTRACEDROP_AGGREGATION, "more room for keys, -x aggsize" },
		{ DTRACEDROP_DYNAMIC, "more room for variables, -x dynvarsize; "
		  "and set those to 0 that have done their work" },
		{ DTRACEDROP_SPEC, "more room for each speculation, "
		  "-x specsize" },
		{ DTRACEDROP_SPECBUSY, "more speculations, -x nspec, or a "
		  "higher cleanrate" },
		{ DTRACEDROP_SPECUNAVAIL, "more speculations, -x nspec" },
	};
	static bool said[sizeof(rows) / sizeof(*rows)];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (rows[i].kind == kind && !said[i]) {
			fprintf(stderr, "hint: what may help: %s\n",
				rows[i].text);
			said[i] = true;
		}
}

static int
on_drop(const dtrace_dropdata_t *d, void *arg)
{
	fflush(cmd_out);
	fputs("dtrace: ", stderr);
	dtrace_put_text(stderr, d->dtdda_msg);
	if (isatty(STDERR_FILENO))
		suggest_remedy(d->dtdda_kind);
	return DTRACE_HANDLE_OK;
}

static void
on_proc(pid_t pid, const char *msg, void *arg)
{
	int64_t q;

	dtrace_getopt(cmd_handle, "quiet", &q);	/* setopt() may change it */
	if (q <= 0 && msg)
		cmd_message("%s", msg);
}

static void
enable(const struct options *o)
{
	unsigned clauses = 0;
	int64_t destructive = 0;

	for (int i = 0; i < o->nreqs; i++) {
		const struct request *r = &o->reqs[i];
		dtrace_proginfo_t info;
		if (dtrace_program_exec(cmd_handle, r->prog, &info))
			cmd_fatal("failed to enable '%s'", title(r));
		clauses += info.dpi_clauses;
		int64_t q;
		dtrace_getopt(cmd_handle, "quiet", &q);
		quiet = q > 0;
		if (quiet)
			continue;
		if (destructive <= 0 &&
		    !dtrace_getopt(cmd_handle, "destructive", &destructive) && destructive > 0)
			cmd_message("allowing destructive actions");
		bool file = r->spec == DTRACE_PROBESPEC_NONE;
		cmd_message("%s '%.*s' matched %u probe%s",
			    file ? "script" : "description",
			    file ? (int)strlen(r->arg)
				 : cmd_desc_length(r->arg),
			    r->arg, info.dpi_matches,
			    info.dpi_matches == 1 ? "" : "s");
	}
	if (!clauses) {
		cmd_message("no probes matched");
		cmd_finish(E_FATAL);
	}
}

/* The reader of our output is gone: nothing to say, nobody to say it to. */
static void
failed_work(void)
{
	if (errno == EPIPE)
		cmd_finish(E_FATAL);
	give_up();
}

/* Sizes that the library lowered when the tracing began. */
static const struct { const char *option, *what; } sizes[] = {
	{ "bufsize", "buffer" }, { "aggsize", "aggregation" },
	{ "dynvarsize", "dynamic variable" },
};
enum { NSIZES = sizeof(sizes) / sizeof(sizes[0]) };

static void
tell_size(const char *what, int64_t size)
{
	static const char units[] = "gmk";

	for (int i = 0, shift = 30; i < 3; i++, shift -= 10)
		if (size % ((int64_t)1 << shift) == 0) {
			cmd_message("%s size lowered to %lld%c", what,
				    (long long)(size >> shift), units[i]);
			return;
		}
	cmd_message("%s size lowered to %lld", what, (long long)size);
}

static void
go(void)
{
	int64_t asked[NSIZES], size, hush = 0;

	for (int i = 0; i < NSIZES; i++)
		dtrace_getopt(cmd_handle, sizes[i].option, &asked[i]);
	if (dtrace_prepare(cmd_handle))
		cmd_fatal("could not enable tracing");
	catch_signals(0);
	if (dtrace_go(cmd_handle))
		cmd_fatal("could not enable tracing");
	dtrace_getopt(cmd_handle, "quietresize", &hush);
	for (int i = 0; i < NSIZES && hush <= 0; i++)
		if (!dtrace_getopt(cmd_handle, sizes[i].option, &size) &&
		    size < asked[i])
			tell_size(sizes[i].what, size);
}

static void
trace(bool hold)
{
	bool done = false;

	signal(SIGPIPE, SIG_IGN);
	go();
	if (hold)
		cmd_anon_hold();
	catch_signals(SA_RESTART);
	do {
		if (!cmd_interrupted)
			dtrace_sleep(cmd_handle);
		if (cmd_interrupted) {
			done = true;
			if (dtrace_stop(cmd_handle))
				failed_work();
		}
		switch (dtrace_work(cmd_handle, cmd_out, NULL, NULL, NULL)) {
		case DTRACE_WORKSTATUS_DONE:
			done = true;
			break;
		case DTRACE_WORKSTATUS_ERROR:
			failed_work();
		default:
			break;
		}
	} while (!done);
	if (dtrace_aggregate_print(cmd_handle, cmd_out, NULL))
		failed_work();
	if (dtrace_status(cmd_handle) == DTRACE_STATUS_FILLED)
		cmd_message("tracing stopped: a buffer was full "
			    "(bufpolicy=fill, bufsize)");
}

__attribute__((noreturn)) static void
replay(const struct options *o)
{
	if (o->nreqs || o->ntargets || o->compile_only) {
		cmd_message("-r replays a trace without programs, commands or "
			    "processes");
		cmd_finish(E_USAGE);
	}
	if (dtrace_replay(cmd_handle, o->replay))
		give_up();
	int64_t q;
	dtrace_getopt(cmd_handle, "quiet", &q);
	quiet = q > 0;
	trace(false);
	cmd_finish(dtrace_exit_status(cmd_handle));
}

/* A program without the flag that says it is one is an argument. */
static void
no_probes(const struct options *o)
{
	const char *arg = o->nargs > 1 ? o->args[1] : NULL;

	cmd_message("no probes specified");
	if (arg && access(arg, R_OK) == 0)
		fprintf(stderr, "hint: -s %s runs the program in that file\n",
			arg);
	else if (arg)
		fputs("hint: -n 'PROBE { ... }' gives a program, -s FILE one in "
		      "a file\n", stderr);
	cmd_finish(E_USAGE);
}

static void
run(struct options *o)
{
	int64_t empty;

	dtrace_getopt(cmd_handle, "empty", &empty);
	if (!o->nreqs && !o->replay && !o->compile_only && empty <= 0)
		no_probes(o);
	dtrace_handle_err(cmd_handle, on_error, NULL);
	dtrace_handle_drop(cmd_handle, on_drop, NULL);
	dtrace_handle_proc(cmd_handle, on_proc, NULL);
	heed_signals();
	if (o->replay)
		replay(o);
	for (int i = 0; i < o->nreqs; i++)
		cmd_compile(o, &o->reqs[i]);
	for (int i = 0; cmd_verbose && i < o->nreqs; i++)
		cmd_print_program(&o->reqs[i]);
	if (o->compile_only)
		cmd_finish(E_OK);
	enable(o);
	if (o->mode == MODE_SAVE)
		cmd_anon_save(o);
	trace(o->mode == MODE_HOLD);
	int status = dtrace_exit_status(cmd_handle);
	cmd_finish(status);
}

/* What is there now will not be after a boot; and nobody is there to print for. */
static void
check_anonymous(const struct options *o)
{
	bool wrong = o->ntargets || o->replay || o->compile_only || o->output ||
		     o->claim;

	for (int i = 0; i < o->nreqs; i++)
		wrong |= o->reqs[i].spec == DTRACE_PROBESPEC_NAME &&
			 isdigit((unsigned char)*o->reqs[i].arg);
	if (!wrong)
		return;
	cmd_message("-A is for programs alone, without -a, -c, -e, -i, -o, -p "
		    "and -r");
	cmd_finish(E_USAGE);
}

/* -A and --anon-start, before anything is opened. */
static void
prepare_anonymous(const struct options *o)
{
	if (o->mode != MODE_SAVE && o->mode != MODE_HOLD)
		return;
	check_anonymous(o);
	if (o->mode == MODE_HOLD)
		cmd_anon_start();
	else if (o->nreqs)
		cmd_anon_keep_input(o);
	else
		cmd_anon_remove();
}

/* What was closed when we were started must not become one of our files, into
 * which messages would go.  In the place of each is a file that cannot be used
 * either, and that a command does not see. */
static void
guard_stdio(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			open("/dev/null", (fd ? O_RDONLY : O_WRONLY) |
			     O_CLOEXEC);
}

/* Makes a file, and traces nothing. */
static bool
is_maker(const struct options *o)
{
	return o->mode == MODE_HEADER || o->mode == MODE_OBJECT;
}

static void
open_output(const struct options *o)
{
	static char room[128 << 10];
	FILE *fp = o->output && !is_maker(o) ? fopen(o->output, "ae") : stdout;

	if (!fp) {
		cmd_message("failed to open %s: %s", o->output,
			    strerror(errno));
		cmd_finish(E_FATAL);
	}
	cmd_out = fp;
	/* The library's pieces, which end with rows, are less than that: each
	 * is one write(2), and traces with one file do not cut each other's
	 * rows. */
	if (!isatty(fileno(cmd_out)))
		setvbuf(cmd_out, room, _IOFBF, sizeof(room));
}

int
main(int argc, char **argv)
{
	struct options *o = &options;
	int err = 0;

	guard_stdio();
	signal(SIGCHLD, SIG_DFL);	/* else no command has a status */
	signal(SIGXFSZ, SIG_IGN);	/* an error of write(2) will do */
	cmd_out = stdout;
	setlocale(LC_CTYPE, "");	/* how text may be encoded */
	if (argc == 1) {
		cmd_usage(stderr);
		cmd_finish(E_USAGE);
	}
	cmd_parse(o, argc, argv);
	if (o->mode == MODE_VERSION) {
		puts("dtrace: release " DTRACE_RELEASE " for Linux, D 1.13");
		if (o->verbose)
			dtrace_print_features(stdout);
		cmd_finish(E_OK);
	}
	prepare_anonymous(o);
	if (is_maker(o))
		cmd_provide_check(o);
	open_output(o);
	/* Listing and compiling need no privilege. */
	cmd_handle = dtrace_open(DTRACE_VERSION, o->mode == MODE_LIST ||
			     o->compile_only || is_maker(o) || o->replay ||
			     o->claim ? DTRACE_O_NODEV : 0, &err);
	if (!cmd_handle) {
		cmd_message("failed to initialize dtrace: %s",
			    dtrace_errmsg(NULL, err));
		cmd_finish(E_FATAL);
	}
	if (o->mode == MODE_HOLD)	/* for whatever form a claimer wants */
		dtrace_setopt(cmd_handle, "who", NULL);
	set_options(o);
	if (o->claim && o->mode == MODE_EXEC)
		cmd_anon_claim(o);
	if (is_maker(o))
		cmd_provide(o);
	take_processes(o);
	if (o->mode == MODE_LIST)
		cmd_finish(cmd_list(o));
	run(o);
}
