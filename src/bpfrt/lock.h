/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * Who holds a lock, by its words: struct mutex has the task that owns it and
 * flags in the three lowest bits, struct rw_semaphore a count.  Real-time kernels count
 * readers otherwise, in 32 bits.
 */

enum {
	MUTEX_FLAGS = 7,
	RWSEM_WRITER = 1,	/* held by one */
	RWSEM_WAITERS = 2,
	RWSEM_READER_SHIFT = 8,	/* above it, how many readers hold it */
};
#define RWBASE_READERS 0x3fffffffU
#define RWBASE_WRITER 0x40000000U
#define RWBASE_UNWANTED 0x80000000U	/* no writer holds it or waits */
#define RWSEM_READFAIL (1ULL << 63)

/* The word at addr + off; false after a fault. */
INLINE bool
lock_word(u64 index, u64 addr, u64 off, u64 *ret)
{
	char *slot = slot_get(index);

	if (!slot)
		return false;
	if (peek(addr + off, ret))
		return true;
	slot_fault(slot, ABI_FAULT_BADADDR, addr);
	return false;
}

INLINE bool
mutex_word(u64 index, u64 addr, u64 *ret)
{
	return lock_word(index, addr, dt_cfg.koff[ABI_KOFF_MUTEX_OWNER], ret);
}

INLINE bool
rwsem_word(u64 index, u64 addr, u64 *ret)
{
	u64 w = 0;
	bool is_read = lock_word(index, addr, dt_cfg.koff[ABI_KOFF_RWSEM_COUNT], &w);

	if (dt_cfg.koff[ABI_KOFF_RWBASE_READERS] != ~0U)
		w = (w & RWBASE_READERS) << RWSEM_READER_SHIFT |
		    (w & RWBASE_WRITER ? RWSEM_WRITER :
		     w & RWBASE_UNWANTED ? 0 : RWSEM_WAITERS);
	*ret = w;
	return is_read;
}

RT u64
rt_mutex_owner(u64 index, u64 addr)
{
	u64 w;

	return mutex_word(index, addr, &w) ? w & ~(u64)MUTEX_FLAGS : 0;
}

/* By the current thread. */
RT u64
rt_mutex_owned(u64 index, u64 addr)
{
	u64 w;

	return mutex_word(index, addr, &w) &&
	       (w & ~(u64)MUTEX_FLAGS) == bpf_get_current_task();
}

/* Every mutex sleeps at last. */
RT u64
rt_mutex_adaptive(u64 index, u64 addr)
{
	u64 w;

	return mutex_word(index, addr, &w);
}

RT u64
rt_mutex_spin(u64 index, u64 addr)
{
	u64 w;

	mutex_word(index, addr, &w);
	return 0;
}

RT u64
rt_rw_readers(u64 index, u64 addr)
{
	u64 w;

	return rwsem_word(index, addr, &w) && !(w & RWSEM_WRITER) &&
	       (w & ~RWSEM_READFAIL) >> RWSEM_READER_SHIFT;
}

RT u64
rt_rw_written(u64 index, u64 addr)
{
	u64 w;

	return rwsem_word(index, addr, &w) && w & RWSEM_WRITER;
}

/* A writer holds it, or waits for readers to go. */
RT u64
rt_rw_wanted(u64 index, u64 addr)
{
	u64 w;

	return rwsem_word(index, addr, &w) && w & (RWSEM_WRITER | RWSEM_WAITERS);
}
