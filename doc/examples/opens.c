/* SPDX-License-Identifier: BSD-2-Clause
 *
 * opens COMMAND [ARGUMENT...]: which files a command and those that it starts
 * open, as it happens, and how much they read at a time.  Events, and a loop that
 * could wait for other things as well.
 * cc opens.c $(pkg-config --cflags --libs dtrace)
 */
#include <dtrace/dtrace.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>

static dtrace_hdl_t *h;

static const char program[] =
	"syscall::openat:entry /progenyof($target)/ { self->path = arg1; }"
	"syscall::openat:return /self->path/"
	"{ trace(copyinstr(self->path)); trace((int)errno); self->path = 0; }"
	"syscall::read:return /progenyof($target) && errno == 0/"
	"{ @sizes[execname] = quantize(arg0); }";

static void
fail(const char *what)
{
	fprintf(stderr, "opens: %s: %s\n%s", what,
		dtrace_errmsg(h, dtrace_errno(h)), dtrace_errdetail(h));
	exit(1);
}

static void
print_open(const dtrace_event_t *e)
{
	const dtrace_field_t *path = dtrace_event_field(e, 0);
	const dtrace_field_t *error = dtrace_event_field(e, 1);

	printf("%-12s %-4s %s\n", dtrace_event_execname(e),
	       dtrace_field_int(error) ? "no" : "yes",
	       (const char *)dtrace_field_bytes(path, NULL));
}

/* All that is there now; 0 when nothing more will come. */
static int
take_events(void)
{
	dtrace_event_t *e;
	int r;

	while ((r = dtrace_next(h, &e)) == DTRACE_NEXT_EVENT) {
		switch (dtrace_event_kind(e)) {
		case DTRACE_EVENT_RECORD:
			print_open(e);
			break;
		case DTRACE_EVENT_END:
			break;
		default:	/* a fault, a loss, the end of the command */
			fprintf(stderr, "opens: %s\n",
				dtrace_event_text(e, NULL));
		}
		dtrace_event_unref(e);
	}
	if (r == -1)
		fail("tracing");
	return r != DTRACE_NEXT_END;
}

static int
print_sizes(const dtrace_agg_t *agg, const dtrace_row_t *row, void *arg)
{
	char *name = dtrace_field_text(dtrace_row_key(row, 0));
	dtrace_bucket_t b;

	printf("%s:\n", name ? name : "?");
	free(name);
	for (unsigned i = 0; !dtrace_row_bucket(row, i, &b); i++)
		if (b.count)
			printf("%8lld to %lld bytes: %lld times\n",
			       (long long)b.low, (long long)b.high,
			       (long long)b.count);
	return 0;
}

int
main(int argc, char **argv)
{
	dtrace_prog_t *prog;
	dtrace_proc_t *proc;
	dtrace_agg_t *sizes;
	int err;

	if (argc < 2 || !(h = dtrace_open(DTRACE_VERSION, 0, &err))) {
		fprintf(stderr, "opens: %s\n", argc < 2 ? "which command?"
			: dtrace_errmsg(NULL, err));
		return 1;
	}
	if (dtrace_setopt(h, "who", NULL) ||
	    !(proc = dtrace_proc_create(h, argv[1], argv + 1)) ||
	    !(prog = dtrace_program_strcompile(h, program,
			DTRACE_PROBESPEC_NAME, 0, 0, NULL)) ||
	    dtrace_program_exec(h, prog, NULL) || dtrace_go(h))
		fail(argv[1]);
	dtrace_proc_continue(h, proc);
	struct pollfd wait = { dtrace_fd(h), POLLIN, 0 };
	while (take_events())
		if (poll(&wait, 1, -1) == -1 && errno != EINTR)
			return 1;
	sizes = dtrace_agg_snap(h, 1);
	if (!sizes || dtrace_agg_walk(sizes, print_sizes, NULL))
		fail("sizes");
	dtrace_agg_unref(sizes);
	dtrace_close(h);
	return 0;
}
