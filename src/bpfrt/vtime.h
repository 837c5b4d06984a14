/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * vtimestamp: how long the current thread has been on a CPU, in ns, counted
 * from when it was first seen.  A program on the tracepoint sched_switch keeps
 * count, and is loaded only when some clause asks.
 *
 * Per CPU stand the thread that runs there and `off`, such that its time is
 * always now - off.  So reading takes no look at the hash: the clock goes on
 * by itself while the thread runs.  When the thread leaves its CPU, its time
 * is put into the hash, and when it comes back, on whatever CPU, off is made
 * anew from it.  Hence
 *
 *	1. time off the CPU is never counted;
 *	2. a thread's time never goes back: what it resumes with is what it
 *	   left with, and both come from the same clock.
 *
 * The key is the address of the task, which the tracepoint has at hand, and
 * which the idle threads have too, that share the thread id 0.  The entry goes
 * when the kernel frees the task: that is after its last switch, and before
 * another task can have the address.  Since the kernel does not always say so,
 * what is left goes when a new task is made there.
 *
 * `task` is 0 while the words of a CPU are being changed (an NMI may look
 * then) and before the CPU's first switch; a reader who is not `task` takes
 * what the hash has.  Threads that are running when the tracing begins are
 * entered by dt_seen, which is run on each CPU once.
 *
 * Some kernels run no program while certain threads are current, so that what
 * comes after one of those is not told by sched_switch.  Where there is
 * sched_exit_tp, which the thread that came reaches, it is entered there.
 *
 * What counts: all that runs on behalf of the thread, also interrupts taken
 * while it runs and the time that probes take.  What it costs: on each switch
 * of any thread two look-ups and a read of the clock, some 250 ns, and 100 for
 * sched_exit_tp where that is; 5 MB for the hash, which is allocated at once
 * since the switch cannot wait for memory.  With more threads than the hash has
 * room for, each switch of one without an entry is a dynamic variable drop, and
 * its time begins anew.
 */

/* The session makes it larger. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(key_size, 8);
	__uint(value_size, 8);
	__uint(max_entries, 1);
} dt_vtime SEC(".maps");

struct oncpu {
	volatile u64 task;	/* struct task_struct *; 0: see above */
	volatile u64 off;	/* ns */
	volatile u64 in;	/* ns: when task came */
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, sizeof(struct oncpu));
	__uint(max_entries, 1);
} dt_oncpu SEC(".maps");

INLINE struct oncpu *
oncpu(void)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(&dt_oncpu, &zero);
}

INLINE u64
vtime_saved(u64 task)
{
	u64 *saved = bpf_map_lookup_elem(&dt_vtime, &task);

	return saved ? *saved : 0;
}

INLINE void
vtime_save(u64 task, u64 time)
{
	u64 *saved = bpf_map_lookup_elem(&dt_vtime, &task);

	if (saved)
		*saved = time;
	else if (bpf_map_update_elem(&dt_vtime, &task, &time, BPF_ANY))
		drop_one(ABI_DROP_DYNAMIC, bpf_get_smp_processor_id());
}

INLINE void
oncpu_set(struct oncpu *c, u64 task, u64 now)
{
	c->off = now - vtime_saved(task);
	c->in = now;
	c->task = task;
}

/* (bool preempt, struct task_struct *prev, *next, ...) */
SEC("?raw_tp/sched_switch")
int
dt_switch(struct bpf_raw_tracepoint_args *ctx)
{
	u64 now = bpf_ktime_get_ns();
	u64 prev = ctx->args[1], next = ctx->args[2];
	struct oncpu *c = oncpu();

	if (!c)
		return 0;
	if (c->task == prev)
		vtime_save(prev, now - c->off);
	c->task = 0;
	oncpu_set(c, next, now);
	return 0;
}

/* (bool is_switch); also reached when nobody came */
SEC("?raw_tp/sched_exit_tp")
int
dt_came(void *ctx)
{
	u64 task = bpf_get_current_task();
	struct oncpu *c = oncpu();

	if (!c || c->task == task)
		return 0;
	c->task = 0;
	oncpu_set(c, task, bpf_ktime_get_ns());
	return 0;
}

/* (struct task_struct *, ...); also at task_newtask */
SEC("?raw_tp/sched_process_free")
int
dt_free(struct bpf_raw_tracepoint_args *ctx)
{
	u64 task = ctx->args[0];

	bpf_map_delete_elem(&dt_vtime, &task);
	return 0;
}

/* Run by hand on each CPU, once dt_switch is attached. */
SEC("?raw_tp")
int
dt_seen(void *ctx)
{
	struct oncpu *c = oncpu();

	if (c && !c->task)
		oncpu_set(c, bpf_get_current_task(), bpf_ktime_get_ns());
	return 0;
}

/* The time of the thread that fires at `now`, when this firing began.  A program that
 * can be preempted may have lost and regained its CPU since: then it is the
 * time at which the thread came back, and the words are read again when that
 * happens between them. */
RT u64
rt_vtime(u64 now, u64 task)
{
	u64 off = 0, in = 0;
	struct oncpu *c = oncpu();

	if (!c || c->task != task)
		return vtime_saved(task);
	for (int i = 0; i < 4; i++) {
		in = c->in;
		off = c->off;
		if (in == c->in)
			break;
	}
	return (now > in ? now : in) - off;
}
