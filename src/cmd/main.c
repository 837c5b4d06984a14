/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dtrace(1): the first user of libdtrace, and like any other it sees the
 * public header only.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dtrace/dtrace.h"

enum { E_OK = 0, E_FATAL = 1, E_USAGE = 2 };
enum { HELP = 256 };		/* --help, which has no letter */
enum mode { MODE_EXEC, MODE_LIST, MODE_VERSION };

/* One -P, -m, -f, -n, -i or -s. */
struct request {
	dtrace_probespec_t spec;	/* NONE: a file */
	const char *arg;
	dtrace_prog_t *prog;
};

/* One -c or -p. */
struct target {
	const char *command;	/* NULL: pid */
	pid_t pid;
};

struct options {
	enum mode mode;
	bool compile_only, disasm, quiet, verbose, zdefs;
	const char *output;
	struct target *targets;
	int ntargets;
	struct request *reqs;
	int nreqs;
	char **args;		/* [0] is $0 */
	int nargs;
	/* -x, -b, -q, -w, in order: name and value */
	char **sets;
	int nsets;
};

static struct options options;
static dtrace_hdl_t *handle;
static FILE *out;
static bool quiet, verbose;
static volatile sig_atomic_t interrupted;

static const struct flag {
	char c;
	const char *arg, *option, *text;
} known[] = {
#define FLAG(c, arg, option, text) { c, arg, option, text },
#include "cmd/flags.def"
#undef FLAG
};
enum { NFLAGS = sizeof(known) / sizeof(known[0]) };

/* Flags that we do not have, but that get an answer of their own. */
#define OTHER_LETTERS "3:6:aABdGhMW:"

/* --- Messages -------------------------------------------------------------- */

static void
message(const char *fmt, ...)
{
	va_list ap;

	fflush(out);
	va_start(ap, fmt);
	fputs("dtrace: ", stderr);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

static void
free_options(struct options *o)
{
	for (int i = 0; i < o->nsets; i++)
		free(o->sets[i]);
	free(o->sets);
	free(o->reqs);
	free(o->targets);
	free(o->args);
	*o = (struct options){ 0 };
}

/* The only way out; what was still to be written must have been. */
__attribute__((noreturn)) static void
finish(int status)
{
	bool lost = fflush(out) && !status;

	if (lost)
		fprintf(stderr, "dtrace: failed to write output: %s\n",
			strerror(errno));
	dtrace_close(handle);
	handle = NULL;
	if (out != stdout)
		fclose(out);
	out = stdout;
	free_options(&options);
	exit(lost ? E_FATAL : status);
}

/* Say "what: why" for the library's last error, and leave. */
__attribute__((noreturn, format(printf, 1, 2))) static void
fatal(const char *fmt, ...)
{
	char what[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	message("%s: %s", what, dtrace_errmsg(handle, dtrace_errno(handle)));
	fputs(dtrace_errdetail(handle), stderr);
	finish(E_FATAL);
}

static void
usage(FILE *fp)
{
	fputs("Usage: dtrace [options] [arguments]\n\n", fp);
	for (int i = 0; i < NFLAGS; i++)
		fprintf(fp, "  -%c %-10s %s\n", known[i].c, known[i].arg,
			known[i].text);
	fputs("\nA predicate and a body may follow a name: "
	      "-n 'syscall::read:entry /pid == 7/ { trace(arg2); }'\n", fp);
}

/* --- Arguments ----------------------------------------------------------------- */

static void *
grow(void *v, int n, size_t size)
{
	void *p = n & (n - 1) ? v : realloc(v, (size_t)(n ? 2 * n : 1) * size);

	if (!p) {
		message("out of memory");
		finish(E_FATAL);
	}
	return p;
}

static void
add_request(struct options *o, dtrace_probespec_t spec, const char *arg)
{
	o->reqs = grow(o->reqs, o->nreqs, sizeof(*o->reqs));
	o->reqs[o->nreqs++] = (struct request){ spec, arg, NULL };
}

/* -x text, or -x text=value. */
static void
add_set(struct options *o, const char *text, const char *value)
{
	o->sets = grow(o->sets, o->nsets, sizeof(*o->sets));
	char *copy = NULL;
	if (asprintf(&copy, "%s%s%s", text, value ? "=" : "",
		     value ? value : "") < 0) {
		message("out of memory");
		finish(E_FATAL);
	}
	o->sets[o->nsets++] = copy;
}

static void
add_arg(struct options *o, char *arg)
{
	o->args = grow(o->args, o->nargs, sizeof(*o->args));
	o->args[o->nargs++] = arg;
}

static void
add_target(struct options *o, const char *command, pid_t pid)
{
	o->targets = grow(o->targets, o->ntargets, sizeof(*o->targets));
	o->targets[o->ntargets++] = (struct target){ command, pid };
}

static void
add_pid(struct options *o, const char *arg)
{
	char *end;
	long pid = strtol(arg, &end, 10);

	if (end == arg || *end || pid <= 0 || pid > INT_MAX) {
		message("invalid pid: %s", arg);
		finish(E_USAGE);
	}
	add_target(o, NULL, (pid_t)pid);
}

static void
check_id(const char *arg)
{
	if (isdigit((unsigned char)*arg) || *arg == '$')
		return;
	message("invalid probe id: %s", arg);
	finish(E_USAGE);
}

static void
set_mode(struct options *o, enum mode mode)
{
	if (o->mode != MODE_EXEC && o->mode != mode) {
		message("only one of the [-AGhlV] options can be specified");
		finish(E_USAGE);
	}
	o->mode = mode;
}

/* Flags of D elsewhere that this version does not have. */
static void
not_available(int c)
{
	static const struct { char c; const char *why; } rows[] = {
		{ 'a', "there is no anonymous tracing" },
		{ 'A', "there is no anonymous tracing" },
		{ 'B', "-x debug shows what the kernel's verifier says" },
		{ 'd', "-x tree=1 shows a program as it was read" },
		{ 'G', "programs cannot have probes of their own yet" },
		{ 'h', "programs cannot have probes of their own yet" },
		{ 'M', "probes have no instances" },
		{ 'W', "only a process that runs can be watched, with -p" },
	};
	const char *why = NULL;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].c == c)
			why = rows[i].why;
	message("option -%c is not available in this version%s%s", c,
		why ? ": " : "", why ? why : "");
	finish(E_USAGE);
}

/* -64 says what is so anyway; -32 cannot be. */
static void
set_width(int c, const char *rest)
{
	if (c == '6' && !strcmp(rest, "4"))
		return;
	if (c == '6' || strcmp(rest, "2"))
		not_available(c);
	message("option -32 is not available: programs are for 64 bits");
	finish(E_USAGE);
}

/* What a flag does besides setting its option. */
static void
obey(struct options *o, int c, const char *arg)
{
	switch (c) {
	case 'c': add_target(o, arg, 0); break;
	case 'e': o->compile_only = true; break;
	case 'P': add_request(o, DTRACE_PROBESPEC_PROVIDER, arg); break;
	case 'm': add_request(o, DTRACE_PROBESPEC_MOD, arg); break;
	case 'f': add_request(o, DTRACE_PROBESPEC_FUNC, arg); break;
	case 'i': check_id(arg);
		/* fallthrough */
	case 'n': add_request(o, DTRACE_PROBESPEC_NAME, arg); break;
	case 's': add_request(o, DTRACE_PROBESPEC_NONE, arg); break;
	case 'l': set_mode(o, MODE_LIST); break;
	case 'V': set_mode(o, MODE_VERSION); break;
	case 'o': o->output = arg; break;
	case 'p': add_pid(o, arg); break;
	case 'S': o->disasm = true; break;
	case 'v': o->verbose = true; break;
	case 'x': add_set(o, arg, NULL); break;
	}
}

/* A letter of flags.def, or one that gets an answer of its own. */
static void
take_flag(struct options *o, int c, const char *arg)
{
	for (int i = 0; i < NFLAGS; i++) {
		const struct flag *f = &known[i];
		if (f->c != c)
			continue;
		if (*f->option)
			add_set(o, f->option, *f->arg ? arg : NULL);
		obey(o, c, arg);
		return;
	}
	switch (c) {
	case '3': case '6': set_width(c, arg); break;
	case HELP: usage(stdout); finish(E_OK);
	case '?': usage(stderr); finish(E_USAGE);
	default: not_available(c);
	}
}

/* For getopt(). */
static void
make_letters(char *to)
{
	for (int i = 0; i < NFLAGS; i++) {
		*to++ = known[i].c;
		if (*known[i].arg)
			*to++ = ':';
	}
	strcpy(to, OTHER_LETTERS);
}

static void
parse(struct options *o, int argc, char **argv)
{
	char letters[2 * NFLAGS + sizeof(OTHER_LETTERS)];
	static const struct option words[] = {
		{ "help", no_argument, NULL, HELP },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 }
	};
	int c;

	make_letters(letters);
	add_arg(o, argv[0]);
	while ((c = getopt_long(argc, argv, letters, words, NULL)) != -1)
		take_flag(o, c, optarg);
	for (int i = optind; i < argc; i++)
		add_arg(o, argv[i]);
	for (int i = 0; i < o->nreqs; i++)
		if (o->reqs[i].spec == DTRACE_PROBESPEC_NONE)
			o->args[0] = (char *)o->reqs[i].arg;
}

/* --- Setting up ------------------------------------------------------------------ */

static void
on_signal(int sig)
{
	if (interrupted++)
		_exit(E_FATAL);
}

/* flags: SA_RESTART once there is output, lest a signal cut it short.  Whoever
 * started us may have blocked or ignored what we live by. */
static void
catch_signals(int flags)
{
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = flags };
	struct sigaction hup;
	sigset_t ours;

	sigemptyset(&ours);
	sigaddset(&ours, SIGINT);
	sigaddset(&ours, SIGTERM);
	sigprocmask(SIG_UNBLOCK, &ours, NULL);
	signal(SIGXFSZ, SIG_IGN);	/* an error of write(2) will do */
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	if (!sigaction(SIGHUP, NULL, &hup) && hup.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &sa, NULL);	/* else it is for nohup(1) */
	signal(SIGPIPE, SIG_IGN);
}

static void
set_options(const struct options *o)
{
	if (dtrace_setopt_env(handle, environ))
		fatal("environment");
	for (int i = 0; i < o->nsets; i++) {
		char *name = o->sets[i], *value = strchr(name, '=');
		if (value)
			*value++ = '\0';
		if (dtrace_setopt(handle, name, value))
			fatal("failed to set option -x %s", name);
	}
	int64_t v;
	dtrace_getopt(handle, "verbose", &v);
	verbose = v > 0;
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
		message("invalid command: %s", command);
		finish(E_USAGE);
	}
	dtrace_proc_t *p = dtrace_proc_create(handle, argv[0], argv);
	free(argv);
	if (!p) {
		message("%s", dtrace_errmsg(handle, dtrace_errno(handle)));
		finish(E_FATAL);
	}
}

static void
grab_process(pid_t pid)
{
	if (dtrace_proc_grab(handle, pid, 0))
		return;
	message("%s", dtrace_errmsg(handle, dtrace_errno(handle)));
	finish(E_FATAL);
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
		message("failed to open %s: %s", r->arg, strerror(errno));
		finish(E_FATAL);
	}
	r->prog = dtrace_program_fcompile(handle, fp, r->arg, 0, argc, argv);
	if (fp != stdin)
		fclose(fp);
	if (!r->prog)
		fatal("failed to compile script %s", r->arg);
}

static void
compile_one(struct options *o, struct request *r)
{
	if (r->spec == DTRACE_PROBESPEC_NONE) {
		compile_file(r, o->nargs, o->args);
	} else {
		r->prog = dtrace_program_strcompile(handle, r->arg, r->spec, 0,
						    o->nargs, o->args);
		if (!r->prog)
			fatal("invalid probe specifier %s", r->arg);
	}
	if (o->disasm && dtrace_program_disasm(handle, r->prog, stderr))
		fatal("failed to print %s", r->arg);
}

/* --- Stability --------------------------------------------------------------------- */

static void
print_attribute(const char *what, dtrace_attribute_t a)
{
	fprintf(out, "\n\t%s Attributes\n"
		"\t\tIdentifier Names: %s\n"
		"\t\tData Semantics:   %s\n"
		"\t\tDependency Class: %s\n", what,
		dtrace_stability_name(a.dtat_name),
		dtrace_stability_name(a.dtat_data),
		dtrace_class_name(a.dtat_class));
}

static void
print_args(const dtrace_probedesc_t *d, int n)
{
	fputs("\n\tArgument Types\n", out);
	if (n <= 0)
		fputs("\t\tNone\n", out);
	for (int i = 0; i < n; i++) {
		const char *type = dtrace_probe_argtype(handle, d,
							(unsigned)i);
		fprintf(out, "\t\targs[%d]: %s\n", i,
			type ? type : "(unknown)");
	}
	fputs("\n", out);
}

static void
print_probe(const dtrace_probedesc_t *d)
{
	dtrace_probeinfo_t info;

	if (dtrace_probe_info(handle, d, &info))
		fatal("failed to look at probe %u", d->dtpd_id);
	print_attribute("Probe Description", info.dtp_attr);
	print_attribute("Argument", info.dtp_arga);
	print_args(d, info.dtp_argc);
}

/* --- Listing ----------------------------------------------------------------------- */

static int
list_one(dtrace_hdl_t *h, const dtrace_probedesc_t *d, void *status)
{
	if (d->dtpd_id == 0) {
		message("failed to match %s:%s:%s:%s: "
			"No probe matches description", d->dtpd_provider,
			d->dtpd_mod, d->dtpd_func, d->dtpd_name);
		*(int *)status = E_FATAL;
		return 0;
	}
	fprintf(out, "%5u %10s %17s %33s %s\n", d->dtpd_id, d->dtpd_provider,
		d->dtpd_mod, d->dtpd_func, d->dtpd_name);
	if (verbose)
		print_probe(d);
	return 0;
}

/* A description that matches nothing does not keep the others from being
 * listed; an empty one matches everything. */
static int
list(struct options *o)
{
	int status = E_OK;

	for (int i = 0; i < o->nreqs; i++) {
		struct request *r = &o->reqs[i];
		if (r->spec != DTRACE_PROBESPEC_NONE && !*r->arg)
			*r = (struct request){ DTRACE_PROBESPEC_NAME, ":" };
		compile_one(o, r);
	}
	fprintf(out, "%5s %10s %17s %33s %s\n", "ID", "PROVIDER", "MODULE",
		"FUNCTION", "NAME");
	if (!o->nreqs && dtrace_probe_iter(handle, NULL, DTRACE_PROBESPEC_NAME,
					   list_one, &status))
		fatal("failed to list probes");
	for (int i = 0; i < o->nreqs; i++)
		if (dtrace_program_probes(handle, o->reqs[i].prog, list_one,
					  &status))
			fatal("failed to list probes");
	return status;
}

/* --- Tracing ------------------------------------------------------------------------ */

static int
on_error(const dtrace_errdata_t *d, void *arg)
{
	fflush(out);
	fprintf(stderr, "dtrace: %s", d->dteda_msg);
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
	fflush(out);
	fprintf(stderr, "dtrace: %s", d->dtdda_msg);
	if (isatty(STDERR_FILENO))
		suggest_remedy(d->dtdda_kind);
	return DTRACE_HANDLE_OK;
}

static void
on_proc(pid_t pid, const char *msg, void *arg)
{
	int64_t q;

	dtrace_getopt(handle, "quiet", &q);	/* setopt() may change it */
	if (q <= 0 && msg)
		message("%s", msg);
}

/* The text of a command-line program up to its predicate or body. */
static int
desc_length(const char *arg)
{
	return (int)strcspn(arg, "{/");
}

static void
print_program(const struct request *r)
{
	dtrace_proginfo_t info;

	dtrace_program_info(handle, r->prog, &info);
	if (r->spec == DTRACE_PROBESPEC_NONE)
		fprintf(out, "\nStability attributes for script %s:\n",
			r->arg);
	else
		fprintf(out, "\nStability attributes for description '%.*s':\n",
			desc_length(r->arg), r->arg);
	print_attribute("Minimum Probe Description", info.dpi_descattr);
	print_attribute("Minimum Statement", info.dpi_stmtattr);
	fputs("\n", out);
}

static void
enable(const struct options *o)
{
	for (int i = 0; i < o->nreqs; i++) {
		const struct request *r = &o->reqs[i];
		dtrace_proginfo_t info;
		if (dtrace_program_exec(handle, r->prog, &info))
			fatal("failed to enable '%s'", r->arg);
		int64_t q;
		dtrace_getopt(handle, "quiet", &q);
		quiet = q > 0;
		if (quiet)
			continue;
		bool file = r->spec == DTRACE_PROBESPEC_NONE;
		message("%s '%.*s' matched %u probe%s",
			file ? "script" : "description",
			file ? (int)strlen(r->arg) : desc_length(r->arg),
			r->arg, info.dpi_matches,
			info.dpi_matches == 1 ? "" : "s");
	}
}

/* The reader of our output is gone: nothing to say, nobody to say it to. */
static void
failed_work(void)
{
	if (errno == EPIPE)
		finish(E_FATAL);
	message("%s", dtrace_errmsg(handle, dtrace_errno(handle)));
	finish(E_FATAL);
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
			message("%s size lowered to %lld%c", what,
				(long long)(size >> shift), units[i]);
			return;
		}
	message("%s size lowered to %lld", what, (long long)size);
}

static void
go(void)
{
	int64_t asked[NSIZES], size, hush = 0;

	for (int i = 0; i < NSIZES; i++)
		dtrace_getopt(handle, sizes[i].option, &asked[i]);
	if (dtrace_go(handle))
		fatal("could not enable tracing");
	dtrace_getopt(handle, "quietresize", &hush);
	for (int i = 0; i < NSIZES && hush <= 0; i++)
		if (!dtrace_getopt(handle, sizes[i].option, &size) &&
		    size < asked[i])
			tell_size(sizes[i].what, size);
	if (!quiet && !dtrace_getopt(handle, "destructive", &size) && size > 0)
		message("allowing destructive actions");
}

static void
trace(void)
{
	bool done = false;

	catch_signals(0);
	go();
	catch_signals(SA_RESTART);
	do {
		if (!interrupted)
			dtrace_sleep(handle);
		if (interrupted) {
			done = true;
			if (dtrace_stop(handle))
				failed_work();
		}
		switch (dtrace_work(handle, out, NULL, NULL, NULL)) {
		case DTRACE_WORKSTATUS_DONE:
			done = true;
			break;
		case DTRACE_WORKSTATUS_ERROR:
			failed_work();
		default:
			break;
		}
	} while (!done);
	if (dtrace_aggregate_print(handle, out, NULL))
		failed_work();
}

static void
run(struct options *o)
{
	if (!o->nreqs) {
		message("no probes specified");
		finish(E_USAGE);
	}
	dtrace_handle_err(handle, on_error, NULL);
	dtrace_handle_drop(handle, on_drop, NULL);
	dtrace_handle_proc(handle, on_proc, NULL);
	for (int i = 0; i < o->nreqs; i++)
		compile_one(o, &o->reqs[i]);
	for (int i = 0; verbose && i < o->nreqs; i++)
		print_program(&o->reqs[i]);
	if (o->compile_only)
		finish(E_OK);
	enable(o);
	trace();
	int status = dtrace_exit_status(handle);
	finish(status);
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

static void
open_output(const struct options *o)
{
	static char room[128 << 10];
	FILE *fp = o->output ? fopen(o->output, "ae") : stdout;

	if (!fp) {
		message("failed to open %s: %s", o->output, strerror(errno));
		finish(E_FATAL);
	}
	out = fp;
	/* The library's pieces, which end with rows, are less than that: each
	 * is one write(2), and traces with one file do not cut each other's
	 * rows. */
	if (!isatty(fileno(out)))
		setvbuf(out, room, _IOFBF, sizeof(room));
}

int
main(int argc, char **argv)
{
	struct options *o = &options;
	int err = 0;

	guard_stdio();
	signal(SIGCHLD, SIG_DFL);	/* else no command has a status */
	out = stdout;
	setlocale(LC_CTYPE, "");	/* how text may be encoded */
	if (argc == 1) {
		usage(stderr);
		finish(E_USAGE);
	}
	parse(o, argc, argv);
	if (o->mode == MODE_VERSION) {
		puts("dtrace: D 1.13 for Linux, version " DTRACE_RELEASE);
		if (o->verbose)
			dtrace_print_features(stdout);
		finish(E_OK);
	}
	open_output(o);
	/* Listing and compiling need no privilege. */
	handle = dtrace_open(DTRACE_VERSION, o->mode == MODE_LIST ||
			     o->compile_only ? DTRACE_O_NODEV : 0, &err);
	if (!handle) {
		message("failed to initialize dtrace: %s",
			dtrace_errmsg(NULL, err));
		finish(E_FATAL);
	}
	set_options(o);
	take_processes(o);
	if (o->mode == MODE_LIST)
		finish(list(o));
	run(o);
}
