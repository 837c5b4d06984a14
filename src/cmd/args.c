/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The arguments: flags.def has what each flag is; here is what each does.
 */
#include <ctype.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd_priv.h"

enum { HELP = 256, ANON_START, ANON_ROOT };	/* words without a letter */

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
#define OTHER_LETTERS "3:6:BdMW:"

void
cmd_free_options(struct options *o)
{
	for (int i = 0; i < o->nsets; i++)
		free(o->sets[i]);
	free(o->sets);
	free(o->reqs);
	free(o->targets);
	free(o->args);
	free(o->divided);
	*o = (struct options){ 0 };
}

void
cmd_usage(FILE *fp)
{
	fputs("Usage: dtrace [options] [arguments]\n\n", fp);
	for (int i = 0; i < NFLAGS; i++)
		fprintf(fp, "  -%c %-10s %s\n", known[i].c, known[i].arg,
			known[i].text);
	fputs("\nA predicate and a body may follow a name: "
	      "-n 'syscall::read:entry /pid == 7/ { trace(arg2); }'\n", fp);
}

/* --- Arguments ------------------------------------------------------------ */

static void *
grow(void *v, int n, size_t size)
{
	void *p = n & (n - 1) ? v : realloc(v, (size_t)(n ? 2 * n : 1) * size);

	if (!p) {
		cmd_message("out of memory");
		cmd_finish(E_FATAL);
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
		cmd_message("out of memory");
		cmd_finish(E_FATAL);
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
		cmd_message("invalid pid: %s", arg);
		cmd_finish(E_USAGE);
	}
	add_target(o, NULL, (pid_t)pid);
}

static void
check_id(const char *arg)
{
	if (isdigit((unsigned char)*arg) || *arg == '$')
		return;
	cmd_message("invalid probe id: %s", arg);
	fputs("hint: dtrace -l lists the probes that exist, with their ids\n",
	      stderr);
	cmd_finish(E_FATAL);
}

static void
set_mode(struct options *o, enum mode mode)
{
	if (o->mode != MODE_EXEC && o->mode != mode) {
		cmd_message("only one of the [-AGhlV] options can be "
			    "specified");
		cmd_finish(E_USAGE);
	}
	o->mode = mode;
}

/* Flags of D elsewhere that this version does not have. */
static void
not_available(int c)
{
	static const struct { char c; const char *why; } rows[] = {
		{ 'B', "-x debug shows what the kernel's verifier says" },
		{ 'd', "-x tree=1 shows a program as it was read" },
		{ 'M', "probes have no instances" },
		{ 'W', "only a process that runs can be watched, with -p" },
	};
	const char *why = NULL;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].c == c)
			why = rows[i].why;
	cmd_message("option -%c is not available in this version%s%s", c,
		    why ? ": " : "", why ? why : "");
	cmd_finish(E_USAGE);
}

/* -64 says what is so anyway; -32 cannot be. */
static void
set_width(int c, const char *rest)
{
	if (c == '6' && !strcmp(rest, "4"))
		return;
	if (c == '6' || strcmp(rest, "2"))
		not_available(c);
	cmd_message("option -32 is not available: programs are for 64 bits");
	cmd_finish(E_USAGE);
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
	case 'r': o->replay = arg; break;
	case 'p': add_pid(o, arg); break;
	case 'S': o->disasm = true; break;
	case 'v': o->verbose = true; break;
	case 'a': o->claim = true; break;
	case 'A': set_mode(o, MODE_SAVE); break;
	case 'h': set_mode(o, MODE_HEADER); break;
	case 'G': set_mode(o, MODE_OBJECT); break;
	case 'x':
		if (strcmp(arg, "grabanon"))
			add_set(o, arg, NULL);
		else
			o->claim = true;
		break;
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
	case HELP: cmd_usage(stdout); cmd_finish(E_OK);
	case ANON_START: set_mode(o, MODE_HOLD); break;
	case ANON_ROOT: cmd_anon_root = arg; break;
	case '?': cmd_usage(stderr); cmd_finish(E_USAGE);
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

/* --- First lines ---------------------------------------------------------- */

/* What stands behind the interpreter on the first line of a script is one argument
 * here, "-C -s", and is divided elsewhere, where many scripts were written. */

/* Is it what the first line of that file ends with? */
static bool
is_of_first_line(const char *text, const char *path)
{
	char line[512] = "";
	FILE *fp = fopen(path, "re");

	if (!fp)
		return false;
	if (!fgets(line, sizeof(line), fp))
		*line = '\0';
	fclose(fp);
	size_t n = strlen(text), len = strlen(line);
	while (len && isspace((unsigned char)line[len - 1]))
		len--;
	return strncmp(line, "#!", 2) == 0 && len > n &&
	       memcmp(line + len - n, text, n) == 0;
}

/* Does a word of flags want the script behind it: "-s", "-Cqs"? */
static bool
wants_script(const char *word)
{
	size_t n = strlen(word);

	if (n < 2 || *word != '-' || word[n - 1] != 's')
		return false;
	for (size_t i = 1; i < n - 1; i++)
		for (int j = 0; j < NFLAGS; j++)
			if (known[j].c == word[i] && *known[j].arg)
				return false;
	return true;
}

/* Divide it as others do.  The script belongs to its -s, wherever that stands:
 * "-qs -x bufsize=64m". */
static void
divide_first_line(struct options *o, int *argc, char ***argv)
{
	char **from = *argv;
	int n = 0;

	if (*argc < 3 || *from[1] != '-' || !strpbrk(from[1], " \t") ||
	    !is_of_first_line(from[1], from[2]))
		return;
	o->divided = calloc((size_t)*argc + strlen(from[1]), sizeof(char *));
	if (!o->divided) {
		cmd_message("out of memory");
		cmd_finish(E_FATAL);
	}
	o->divided[n++] = from[0];
	int next = 2;
	for (char *rest = from[1], *w; (w = strtok_r(rest, " \t", &rest));) {
		o->divided[n++] = w;
		if (next == 2 && wants_script(w))
			o->divided[n++] = from[next++];
	}
	for (int i = next; i < *argc; i++)
		o->divided[n++] = from[i];
	*argc = n;
	*argv = o->divided;
}

void
cmd_parse(struct options *o, int argc, char **argv)
{
	char letters[2 * NFLAGS + sizeof(OTHER_LETTERS)];
	static const struct option words[] = {
		{ "help", no_argument, NULL, HELP },
		{ "version", no_argument, NULL, 'V' },
		{ "anon-start", no_argument, NULL, ANON_START },
		{ "anon-root", required_argument, NULL, ANON_ROOT },
		{ NULL, 0, NULL, 0 }
	};
	int c;

	divide_first_line(o, &argc, &argv);
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
