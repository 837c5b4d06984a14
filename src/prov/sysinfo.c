/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The sysinfo provider: what a system counts of what its programs do.  arg0 is by
 * how much the counter goes up; there is no counter to point to, arg1 is 0.
 *
 * Only those counters are here that something of this kernel is exactly (the guide
 * has the table).  A clone is a fork when it shares neither threads (CLONE_THREAD,
 * 0x10000) nor memory (CLONE_VM, 0x100), and a vfork by CLONE_VFORK (0x4000);
 * clone3() has its flags in memory, so the tracepoint behind them all is asked.
 * A switch is the kernel's nivcsw if it was to be preempted or could run on.
 */
#include "prov/prov_priv.h"
#include "prov/derive.h"

#define ONE "1; 0"
#define WORKED "(int64_t)arg0 >= 0"
#define DONE(call) { DERIVE_RETURN, #call, WORKED, "arg0; 0" }
#define CALL(call) { DERIVE_CALL, #call, NULL, ONE }
#define FULL(call) { DERIVE_RETURN, #call, "(int64_t)arg0 == -11", ONE }
#define AT(tracepoint, when) { DERIVE_TRACEPOINT, tracepoint, when, ONE }
#define BIO(op) "(((struct bio *)arg0)->bi_opf & 0xff) == " op \
		" && ((struct bio *)arg0)->bi_iter.bi_size"
#define TASK(n) "((struct task_struct *)arg" #n ")"
enum { NEXT = 3 };	/* of sched_switch: 1 + number of the argument */
/* state: sched_switch tells it since Linux 5.18 (sched.c). */
#define LOST(state) "(arg0 & 0xff || !" state ") && " TASK(1) "->pid"

static const struct derive_probe probes[] = {
	{ "bread", NULL, { AT("block_bio_queue", BIO("0")) } },
	{ "bwrite", NULL, { AT("block_bio_queue", BIO("1")) } },
	{ "inv_swtch", NULL, {
		{ DERIVE_TRACEPOINT, "sched_switch", LOST("(uint32_t)arg3"), ONE,
		  .choice = 1, .nargs = 4 },
		{ DERIVE_TRACEPOINT, "sched_switch", LOST("__state[" TASK(1) "]"), ONE,
		  .choice = 1 } } },
	{ "modload", NULL, { AT("module_load", NULL) } },
	{ "modunload", NULL, { AT("module_free", NULL) } },
	{ "msg", NULL, { CALL(msgsnd), CALL(msgrcv) } },
	{ "nthreads", NULL, { AT("task_newtask", NULL) } },
	{ "procovf", NULL, { FULL(fork), FULL(vfork), FULL(clone), FULL(clone3) } },
	{ "pswitch", NULL, { AT("sched_switch", NULL) } },
	{ "readch", NULL, {
		DONE(read), DONE(readv), DONE(pread64), DONE(preadv),
		DONE(preadv2) } },
	/* LCB_F_READ, LCB_F_WRITE; not the wait of LCB_F_PERCPU for readers, which
	 * begins whether there are any or not. */
	{ "rw_rdfails", NULL, { AT("contention_begin", "arg1 & 2") } },
	{ "rw_wrfails", NULL, { AT("contention_begin", "(arg1 & 0x14) == 4") } },
	{ "sema", NULL, { CALL(semop), CALL(semtimedop) } },
	{ "sysexec", NULL, { CALL(execve), CALL(execveat) } },
	{ "sysfork", NULL, { AT("task_newtask", "!(arg1 & 0x14100)") } },
	{ "sysread", NULL, {
		CALL(read), CALL(readv), CALL(pread64), CALL(preadv),
		CALL(preadv2) } },
	{ "sysvfork", NULL, {
		AT("task_newtask", "(arg1 & 0x14000) == 0x4000") } },
	{ "syswrite", NULL, {
		CALL(write), CALL(writev), CALL(pwrite64), CALL(pwritev),
		CALL(pwritev2) } },
	{ "writech", NULL, {
		DONE(write), DONE(writev), DONE(pwrite64), DONE(pwritev),
		DONE(pwritev2) } },
	{ "xcalls", NULL, { AT("csd_queue_cpu", NULL) } },
	/* Last, and so behind sched:::on-cpu, which scripts have first: it says whose the
	 * CPU is, and this that it is nobody's. */
	{ "idlethread", NULL, {
		{ DERIVE_TRACEPOINT, "sched_exit_tp",
		  "(arg0 & 0xff) != 0 && curthread->pid == 0", ONE, .choice = 1 },
		{ DERIVE_TRACEPOINT, "sched_switch", TASK(2) "->pid == 0", ONE,
		  .choice = 1, .thread = NEXT } } },
};

DERIVE(sysinfo, "sysinfo", probes, PROV_ATTR_RAW);
