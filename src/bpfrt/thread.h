/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * The threads that have variables in hashes (ebpf/thread.c).  Each has a number
 * that is never used again.  It is forgotten when the thread ends, and what
 * belongs to a thread without one, or whose key bears another one, may be swept
 * up when somebody needs the room.
 *
 * A thread ends at sched_process_exit, but goes on for a moment, in which it may
 * still fire, and then has a new number if it stores.  Its task is freed a grace
 * period later; then its address may become another thread's.  On a busy machine
 * tens of thousands wait for that, so nothing here does.
 *
 * There are tasks that the kernel frees without saying so: some dozens of forty
 * thousand threads that lived for microseconds, on Linux 6.18.  Whatever is kept
 * for an address is therefore deleted once more when a new thread gets it.
 *
 * Sweeping looks at all elements of a variable.  So it is not done again before
 * sixteen times as long as that takes has passed, nor when no thread has ended
 * since it began.  How long it takes is estimated from the number of elements, not
 * measured: a sweep during which the CPU was taken away, by an interrupt or by
 * the host, would keep the next one waiting while the room runs out.  Two CPUs
 * may sweep at once: to wait is not possible, and to go without room is a loss.
 */

/* Numbers by thread (FS_THREAD).  The session makes it larger. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(key_size, 8);
	__uint(value_size, 8);
	__uint(max_entries, 1);
	__uint(map_flags, BPF_F_NO_PREALLOC);
} dt_threads SEC(".maps");

#define ELEMENT_NS 128ULL	/* to look at an element, and delete it perhaps */
#define PAUSE_MAX 20000000ULL	/* ns between sweeps */

/* At index 0 the first two fields, for all variables; then the others, for each. */
struct sweeping {
	u64 numbers;	/* given out so far */
	u64 ends;	/* of threads, so far */
	u64 seen;	/* `ends` when the latest sweep began; */
	u64 swept;	/* `ends` when the latest that is over began */
	u64 next;	/* ns: none before that */
};

/* The session makes it larger. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, sizeof(struct sweeping));
	__uint(max_entries, 1);
} dt_sweeping SEC(".maps");

INLINE struct sweeping *
sweeping(u32 index)
{
	return bpf_map_lookup_elem(&dt_sweeping, &index);
}

/* The number of a thread; 0: it has none. */
RT u64
rt_thread(u64 thread)
{
	u64 *number = bpf_map_lookup_elem(&dt_threads, &thread);

	return number ? *number : 0;
}

/* The number of a thread, made when it has none; 0: there is no room. */
RT u64
rt_thread_new(u64 thread)
{
	u64 *old = bpf_map_lookup_elem(&dt_threads, &thread);
	struct sweeping *s = sweeping(0);

	if (old || !s)
		return old ? *old : 0;
	u64 number = __sync_fetch_and_add(&s->numbers, 1) + 1;
	if (bpf_map_update_elem(&dt_threads, &thread, &number, BPF_ANY))
		return 0;
	return number;
}

/* Is the owner of a key with this number (0: without one) dead? */
RT u64
rt_thread_dead(u64 thread, u64 number)
{
	u64 now = rt_thread(thread);

	return number ? now != number : !now;
}

RT u64
rt_thread_forget(u64 thread)
{
	bpf_map_delete_elem(&dt_threads, &thread);
	return 0;
}

/* (struct task_struct *, ...) */
SEC("?raw_tp/sched_process_exit")
int
dt_exit(struct bpf_raw_tracepoint_args *ctx)
{
	struct sweeping *s = sweeping(0);

	rt_thread_forget(ctx->args[0]);
	rt_thread_forget(ctx->args[0] | 1);
	if (s)
		__sync_fetch_and_add(&s->ends, 1);
	return 0;
}

/* May the caller sweep variable number index, from 1?  It must, then. */
RT u64
rt_sweep_begin(u64 index)
{
	struct sweeping *all = sweeping(0), *s = sweeping(index);
	u64 now = bpf_ktime_get_ns();

	if (!all || !s || s->swept == all->ends || now < s->next)
		return 0;
	s->seen = all->ends;
	return 1;
}

/* It looked at so many elements. */
RT u64
rt_sweep_end(u64 index, u64 elements)
{
	struct sweeping *s = sweeping(index);
	u64 pause = 16 * ELEMENT_NS * elements;

	if (s) {
		s->swept = s->seen;
		s->next = bpf_ktime_get_ns() +
			(pause < PAUSE_MAX ? pause : PAUSE_MAX);
	}
	return 0;
}
