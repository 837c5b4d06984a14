/* SPDX-License-Identifier: BSD-2-Clause
 *
 * calls COMMAND [ARGUMENT...]: the system calls that a command makes, and how it
 * ends; in the classic order.  cc calls.c $(pkg-config --cflags --libs dtrace)
 */
#include <err.h>
#include <dtrace/dtrace.h>

static dtrace_hdl_t *g_dtp;
static const char *g_prog =
	"syscall:::entry /pid == $target/ { @calls[probefunc] = count(); }"
	"syscall::exit_group:entry /pid == $target/ { trace(arg0); }";

static void
dfatal(const char *what, int error)
{
	errx(1, "%s: %s", what, dtrace_errmsg(g_dtp, error));
}

static int
chewrec(const dtrace_probedata_t *data, const dtrace_recdesc_t *rec, void *arg)
{
	if (rec && rec->dtrd_kind == DTRACE_FIELD_INT)
		printf("it ends with %d\n",
		       *(int *)(data->dtpda_data + rec->dtrd_offset));
	return DTRACE_CONSUME_NEXT;
}

static int
print_calls(const dtrace_aggdata_t *agg, void *fp)
{
	const dtrace_recdesc_t *rec = agg->dtada_desc->dtagd_rec;
	fprintf((FILE *)fp, "%8lld %s\n",
		*(long long *)(agg->dtada_data + rec[2].dtrd_offset),
		agg->dtada_data + rec[1].dtrd_offset);
	return DTRACE_AGGWALK_NEXT;
}

int
main(int argc, char **argv)
{
	dtrace_prog_t *prog; dtrace_proc_t *proc;
	int error = EDT_INVALID, status;

	if (argc < 2 || !(g_dtp = dtrace_open(DTRACE_VERSION, 0, &error)))
		dfatal("no command, or no right to trace", error);
	if (!(proc = dtrace_proc_create(g_dtp, argv[1], argv + 1)) ||
	    !(prog = dtrace_program_strcompile(g_dtp, g_prog,
			DTRACE_PROBESPEC_NAME, 0, 0, NULL)) ||
	    dtrace_program_exec(g_dtp, prog, NULL) || dtrace_go(g_dtp))
		dfatal(argv[1], dtrace_errno(g_dtp));
	dtrace_proc_continue(g_dtp, proc);
	while ((status = dtrace_work(g_dtp, stdout, NULL, chewrec, NULL)) ==
	       DTRACE_WORKSTATUS_OKAY)
		dtrace_sleep(g_dtp);
	if (status == DTRACE_WORKSTATUS_ERROR || dtrace_aggregate_snap(g_dtp) ||
	    dtrace_aggregate_walk_valrevsorted(g_dtp, print_calls, stdout))
		dfatal("tracing", dtrace_errno(g_dtp));
	dtrace_close(g_dtp);
}
