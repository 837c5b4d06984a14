/* SPDX-License-Identifier: BSD-2-Clause
 *
 * json FORMAT N: events per second of N records that lie in memory, as text,
 * json or jsonl; written to nowhere.  What a record has is what
 * `printf("%d %s\n", arg0, execname); trace(arg1)` would have recorded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/base.h"
#include "fmt/fmt.h"
#include "support/recmaker.h"

static struct err *
nowhere(void *ctx, const char *p, size_t n)
{
	*(size_t *)ctx += n;
	return NULL;
}

static uint64_t
now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static struct err *
print(void *ctx, const struct consume_event *e)
{
	return fmt_record(ctx, e);
}

static void
must(struct err *e)
{
	if (!e)
		return;
	fprintf(stderr, "json: %s\n", e->text);
	exit(1);
}

static uint32_t
describe(struct rm *m)
{
	uint32_t probe = rm_probe(m, "syscall", "vmlinux", "read", "entry");
	struct rm_clause *cl = rm_clause(m, 0);

	rm_action(cl, ABI_ACT_PRINTF, "%d %s\n");
	rm_field(cl, ABI_FIELD_INT, 8, true);
	rm_field(cl, ABI_FIELD_STRING, 16, false);
	rm_action(cl, ABI_ACT_DIFEXPR, NULL);
	rm_field(cl, ABI_FIELD_INT, 8, true);
	rm_who(cl);
	return rm_epid(m, probe, cl);
}

/* Nanoseconds that n records take from the ring to their text. */
static uint64_t
measure(const struct opt_set *opts, unsigned n, size_t *written)
{
	struct rm *m = rm_new(1);
	uint32_t epid = describe(m);
	struct fmt_out out = { written, nowhere, NULL };
	struct consume *c;
	struct fmt *f;

	for (unsigned i = 0; i < n; i++) {
		struct abi_record *rec = rm_record(m, 0, 1000000000ull + i,
						   epid);
		rm_set_int(m, rec, 0, i);
		rm_set_bytes(m, rec, 1, "a-program", 10);
		rm_set_int(m, rec, 2, 4096);
		rm_set_who(m, rec, 12345, 12345, "a-program");
	}
	must(consume_new(&m->source, &m->meta, &c));
	must(fmt_new(c, &m->meta, opts, out, &f));
	uint64_t before = now();
	must(consume_pass(c, true, true, print, f));
	must(fmt_end(f));
	uint64_t took = now() - before;
	fmt_free(f);
	consume_free(c);
	rm_free(m);
	return took;
}

int
main(int argc, char **argv)
{
	struct opt_set opts;
	uint64_t best = UINT64_MAX;
	size_t written = 0;

	must(opt_init(&opts));
	if (argc < 3)
		return 2;
	must(opt_set_value(&opts, "oformat", argv[1], OPT_FROM_COMMAND, false));
	unsigned n = (unsigned)atoi(argv[2]);
	for (int i = 0; i < 5; i++) {
		written = 0;
		uint64_t took = measure(&opts, n, &written);
		best = BASE_MIN(best, took);
	}
	printf("%.0f events/s, %.0f bytes each\n", n * 1e9 / (double)best,
	       (double)written / n);
	opt_fini(&opts);
	return 0;
}
