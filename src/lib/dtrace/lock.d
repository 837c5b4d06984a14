/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Locks of the kernel, for lockstat: for what a lock for readers and writers is
 * waited for, and who has such a one (real-time kernels keep that otherwise, and so of an
 * rwlock_t).
 */
inline int RW_WRITER = 0;
inline int RW_READER = 1;
#pragma D attributes Evolving/Evolving/Common RW_WRITER
#pragma D attributes Evolving/Evolving/Common RW_READER

/* Bit 0: a writer has it; from bit 8 on, how many readers have. */
inline int64_t __rwsem_held[struct rw_semaphore *L] =
	__either(L->count.counter,
		 L->rwbase.readers.counter & 1 << 30 ? 1 :
		 (L->rwbase.readers.counter & (1 << 30) - 1) << 8, 0);
