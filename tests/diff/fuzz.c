/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Random programs in D on both engines.
 *
 *	diff-fuzz [--real] [--seed N] [--count N] [--seconds N] [--keep DIR]
 *	diff-fuzz [--real] --print SEED
 *	diff-fuzz [--real] --cases DIR
 *
 * Programs of seeds N, N + 1, ... run on the interpreter and in the kernel;
 * --count and --seconds say when to stop.  One that fails is made smaller and
 * printed, and with --keep written to DIR.  --cases runs what was kept.  With
 * --real programs are for the probes of the running system, and need only load
 * and run.  --over N: also one for which the kernel follows more than N
 * instructions fails.
 */
#include <dirent.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "dgen.h"
#include "diff.h"
#include "util/alloc.h"

enum { TRIES = 1500, REAL_TRIES = 400, MAX_FAILURES = 5 };

static struct options {
	uint64_t seed, count, over;
	double seconds;
	const char *keep, *cases;
	bool print, real;
} opts = { .count = UINT64_MAX, .over = UINT64_MAX };

static uint64_t running;	/* the seed that is */

static const char *
verdict_text(enum diff_verdict v)
{
	static const char *const texts[] = {
		[DIFF_SAME] = "same", [DIFF_NOT_D] = "not D",
		[DIFF_LIMIT] = "limit", [DIFF_REFUSED] = "refused",
		[DIFF_DIFFERS] = "differs",
	};

	return texts[v];
}

static enum dgen_world
world(void)
{
	return opts.real ? DGEN_REAL : DGEN_DIFF;
}

static enum diff_verdict
run(const char *program, struct sb *notes, struct diff_count *count)
{
	struct diff_count c = { 0 };
	enum diff_verdict v = (opts.real ? diff_real : diff_d)(program, notes,
							       &c);

	if (count) {
		count->clauses += c.clauses;
		count->records += c.records;
		count->faults += c.faults;
		count->verified = BASE_MAX(count->verified, c.verified);
	}
	if (v != DIFF_SAME || c.verified <= opts.over)
		return v;
	sb_printf(notes, "%" PRIu64 " instructions verified\n", c.verified);
	return DIFF_REFUSED;
}

/* --- Shrinking ------------------------------------------------------------------ */

/* Programs that the kernel takes seconds to refuse would shrink for hours. */
enum { SHRINK_SECONDS = 40 };

struct failure {
	enum diff_verdict verdict;
	const char *tag;	/* "[D_SYNTAX]", or "" */
	double until;
};

static double now(void);

/* The tag of the first diagnostic, or ""; the caller frees it. */
static char *
tag_of(const char *notes)
{
	notes += strcspn(notes, "[");
	return strndup(notes, strcspn(notes, " "));
}

static bool
fails_so(void *ctx, const char *program)
{
	const struct failure *f = ctx;
	struct sb notes;

	if (now() > f->until)
		return false;
	sb_init(&notes, 1 << 20);
	enum diff_verdict v = run(program, &notes, NULL);
	char *tag = tag_of(sb_str(&notes));
	bool same = v == f->verdict && !strcmp(tag, f->tag);
	free(tag);
	sb_fini(&notes);
	return same;
}

static void
print_lines(const char *text)
{
	printf("# ");
	for (; *text; text++) {
		putchar(*text);
		if (*text == '\n' && text[1])
			printf("# ");
	}
	putchar('\n');
}

static void
keep(uint64_t seed, enum diff_verdict v, const char *text)
{
	char path[4096];

	if (!opts.keep)
		return;
	snprintf(path, sizeof(path), "%s/%s.%" PRIu64 ".d", opts.keep,
		 v == DIFF_NOT_D ? "not-d" : verdict_text(v), seed);
	FILE *f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		printf("# cannot write %s\n", path);
}

/* Why it failed at first stands in notes. */
static void
report(struct arena *a, uint64_t seed, enum diff_verdict v, struct dtree *t,
       const char *why)
{
	char *tag = tag_of(why);
	struct failure f = { v, tag, now() + SHRINK_SECONDS };
	struct sb text, notes;

	sb_init(&text, 1 << 24);
	sb_init(&notes, 1 << 20);
	dtree_shrink(a, &t, fails_so, &f, opts.real ? REAL_TRIES : TRIES);
	free(tag);
	dtree_print(t, &text);
	run(sb_str(&text), &notes, NULL);
	printf("# seed %" PRIu64 ": %s; at first\n", seed, verdict_text(v));
	print_lines(why);
	printf("# made smaller\n");
	print_lines(sb_str(&notes));
	print_lines(sb_str(&text));
	keep(seed, v, sb_str(&text));
	sb_fini(&text);
	sb_fini(&notes);
}

/* --- Running ----------------------------------------------------------------------- */

static double
now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static bool
run_seed(uint64_t seed, struct diff_count *count)
{
	struct arena *a = arena_new();
	struct dtree *t = dgen_program(a, seed, world());
	struct sb text, notes;

	running = seed;
	sb_init(&text, 1 << 24);
	sb_init(&notes, 1 << 20);
	dtree_print(t, &text);
	enum diff_verdict v = run(sb_str(&text), &notes, count);
	if (v != DIFF_SAME)
		report(a, seed, v, t, sb_str(&notes));
	sb_fini(&text);
	sb_fini(&notes);
	arena_free(a);
	return v == DIFF_SAME;
}

static unsigned
test_random(void)
{
	double end = opts.seconds ? now() + opts.seconds : 0;
	struct diff_count c = { 0 };
	uint64_t n = 0;
	unsigned bad = 0;

	while (n < opts.count && (!end || now() < end) && bad < MAX_FAILURES)
		bad += !run_seed(opts.seed + n++, &c);
	printf("# %" PRIu64 " programs from seed %" PRIu64 " on: %" PRIu64
	       " clauses, %" PRIu64 " records, %" PRIu64 " faults\n", n,
	       opts.seed, c.clauses, c.records, c.faults);
	if (c.verified)
		printf("# %" PRIu64 " instructions verified at most\n",
		       c.verified);
	return bad;
}

static unsigned
test_subrs(void)
{
	const char *name = dgen_unknown_subr();

	if (name)
		printf("# %s( ) wants a row in dgen_subr.c\n", name);
	return name != NULL;
}

static void
print_program(uint64_t seed)
{
	struct arena *a = arena_new();
	struct sb text;

	sb_init(&text, 1 << 24);
	dtree_print(dgen_program(a, seed, world()), &text);
	fputs(sb_str(&text), stdout);
	sb_fini(&text);
	arena_free(a);
}

/* --- Cases --------------------------------------------------------------------------- */

static char *
read_file(const char *path)
{
	FILE *f = fopen(path, "r");
	struct sb b;
	int ch;

	sb_init(&b, 1 << 24);
	while (f && (ch = getc(f)) != EOF)
		sb_putc(&b, (char)ch);
	if (f)
		fclose(f);
	return b.len ? sb_steal(&b) : NULL;
}

static bool
run_case(const char *name)
{
	char path[4096];
	struct sb notes;
	enum diff_verdict v = DIFF_NOT_D;

	snprintf(path, sizeof(path), "%s/%s", opts.cases, name);
	char *text = read_file(path);
	sb_init(&notes, 1 << 20);
	if (text)
		v = run(text, &notes, NULL);
	if (v != DIFF_SAME) {
		printf("# %s: %s\n", path, verdict_text(v));
		print_lines(sb_str(&notes));
	}
	sb_fini(&notes);
	util_free(text);
	return v == DIFF_SAME;
}

static int
is_d(const struct dirent *e)
{
	size_t n = strlen(e->d_name);

	return n > 2 && !strcmp(e->d_name + n - 2, ".d");
}

static unsigned
test_cases(void)
{
	struct dirent **names;
	int n = scandir(opts.cases, &names, is_d, alphasort);
	unsigned bad = n <= 0;

	for (int i = 0; i < n; i++) {
		bad += !run_case(names[i]->d_name);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	printf("# %d cases\n", n);
	return bad;
}

/* --- The command line ------------------------------------------------------------------ */

static void
crashed(int sig)
{
	char line[80];
	int n = snprintf(line, sizeof(line), "# signal %d in seed %" PRIu64
			 "\n", sig, running);

	signal(sig, SIG_DFL);
	if (write(1, line, (size_t)n) == n)
		raise(sig);
}

static void
parse(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "seed", required_argument, NULL, 's' },
		{ "count", required_argument, NULL, 'n' },
		{ "seconds", required_argument, NULL, 't' },
		{ "keep", required_argument, NULL, 'k' },
		{ "cases", required_argument, NULL, 'c' },
		{ "print", required_argument, NULL, 'p' },
		{ "real", no_argument, NULL, 'r' },
		{ "over", required_argument, NULL, 'o' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	opts.seed = (uint64_t)time(NULL) * 1000000;
	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1)
		switch (c) {
		case 'p': opts.print = true;	/* fallthrough */
		case 's': opts.seed = strtoull(optarg, NULL, 0); break;
		case 'n': opts.count = strtoull(optarg, NULL, 0); break;
		case 't': opts.seconds = strtod(optarg, NULL); break;
		case 'k': opts.keep = optarg; break;
		case 'c': opts.cases = optarg; break;
		case 'r': opts.real = true; break;
		case 'o': opts.over = strtoull(optarg, NULL, 0); break;
		default: exit(2);
		}
}

int
main(int argc, char **argv)
{
	static const struct diff_test tests[] = {
		{ "random programs run alike", test_random },
		{ "all subroutines are known", test_subrs },
	};
	static const struct diff_test cases[] = {
		{ "kept cases", test_cases },
	};

	parse(argc, argv);
	if (opts.print) {
		print_program(opts.seed);
		return 0;
	}
	signal(SIGSEGV, crashed);
	signal(SIGABRT, crashed);
	if (opts.cases)
		return diff_main(cases, BASE_NELEMS(cases));
	return diff_main(tests, BASE_NELEMS(tests));
}
