/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * What is known of threads that have variables (ebpf/thread.c): which have
 * ended, and the numbers of those that have arrays.
 *
 * A thread ends at sched_process_exit, but goes on for a moment, in which it may
 * still fire; its task is freed a grace period later, and then its address may
 * become another thread's.  When many end, thousands wait to be freed.  They are
 * marked ENDED, and what they own may be swept up when somebody needs the room.
 *
 * There are tasks that the kernel frees without saying so: some dozens of forty
 * thousand threads that lived for microseconds, on Linux 6.18.  Whatever is kept
 * for an address is therefore deleted once more when a new thread gets it.
 *
 * A number is never used twice, so the owner of a key with a number is dead
 * when the thread of that address has another number, or none.
 *
 * Sweeping looks at all elements of a variable.  So it is not done again before
 * sixteen times as long as it took has passed, nor when no thread has ended
 * since it began.  Two CPUs may sweep at once: to wait is not possible, and to
 * go without room is a loss.
 */

/* By thread (FS_THREAD): its number, 0 for none, and whether it has ended.  The
 * session makes it larger. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(key_size, 8);
	__uint(value_size, 8);
	__uint(max_entries, 1);
	__uint(map_flags, BPF_F_NO_PREALLOC);
} dt_threads SEC(".maps");

#define ENDED (1ULL << 63)

/* At index 0 the first two fields, for all variables; then the others, for each. */
struct sweeping {
	u64 numbers;	/* given out so far */
	u64 ends;	/* of threads, so far */
	u64 seen;	/* `ends` when the latest sweep began; */
	u64 began;	/* ns: when that was */
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

INLINE u64
thread_word(u64 thread)
{
	u64 *word = bpf_map_lookup_elem(&dt_threads, &thread);

	return word ? *word : 0;
}

/* The number of a thread; 0: it has none. */
RT u64
rt_thread(u64 thread)
{
	return thread_word(thread) & ~ENDED;
}

/* A number for a thread that has none; 0: there is no room. */
RT u64
rt_thread_new(u64 thread)
{
	struct sweeping *s = sweeping(0);
	u64 *word = bpf_map_lookup_elem(&dt_threads, &thread);

	if (!s)
		return 0;
	u64 number = __sync_fetch_and_add(&s->numbers, 1) + 1;
	if (word)
		__sync_fetch_and_or(word, number);
	else if (bpf_map_update_elem(&dt_threads, &thread, &number, BPF_ANY))
		return 0;
	return number;
}

/* Is the owner of a key with this number (0: without one) dead? */
RT u64
rt_thread_dead(u64 thread, u64 number)
{
	return thread_word(thread & ~1ULL) & ENDED ||
	       (number && rt_thread(thread) != number);
}

/* No thread has this address any more, or a new one has. */
RT u64
rt_thread_freed(u64 thread)
{
	bpf_map_delete_elem(&dt_threads, &thread);
	return 0;
}

/* (struct task_struct *, ...) */
SEC("?raw_tp/sched_process_exit")
int
dt_exit(struct bpf_raw_tracepoint_args *ctx)
{
	u64 task = ctx->args[0], ended = ENDED;
	u64 *word = bpf_map_lookup_elem(&dt_threads, &task);
	struct sweeping *s = sweeping(0);

	if (word)
		__sync_fetch_and_or(word, ENDED);
	else
		bpf_map_update_elem(&dt_threads, &task, &ended, BPF_ANY);
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
	s->began = now;
	return 1;
}

RT u64
rt_sweep_end(u64 index)
{
	struct sweeping *s = sweeping(index);
	u64 now = bpf_ktime_get_ns();

	if (s) {
		s->swept = s->seen;
		s->next = now + 16 * (now - s->began);
	}
	return 0;
}
