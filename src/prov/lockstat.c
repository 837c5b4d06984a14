/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The lockstat provider: what is waited for to get locks of the kernel, and, where
 * functions can be probed, who gets and releases them.
 *
 * Waiting is told by contention_begin(lock, flags) and contention_end(lock, error).
 * A thread may wait for a spin lock in an interrupt while it waits for something
 * else, so what is known of a wait is kept by thread and lock.  A mutex that is
 * first spun for and then slept for has several begins and one end.
 *
 * What is kept is a word: the time of the first begin, 6 bits to the left, and its
 * flags; without LCB_F_SPIN as soon as the thread sleeps.
 *
 * Who gets a lock is told as the function returns that gets it, so where it begins the
 * lock is pushed, and the condition of the return pops it: another program at the same
 * return would run before it on some kernels and behind it on others.  Of what a
 * thread may sleep for one is kept, as nothing that gets one is interrupted by what gets
 * another; of spin locks and rwlocks three, for what interrupts that (a softirq, an
 * interrupt, an NMI), in words that need no table.  Where the beginning was missed,
 * nothing is told.
 *
 * In real-time kernels (PREEMPT_RT) all but a raw_spinlock_t is made of rt_mutexes, for
 * which a thread sleeps: a spinlock_t is a lock like a mutex there, with functions of its
 * own (rt_spin_lock), and so the adaptive probes are its.  What is for readers and writers has an
 * rt_mutex inside, 8 bytes behind its beginning: a reader's wait for that, within its
 * wait for the lock, is no other wait.  (A writer's for another writer is all that is told.)
 *
 * None of these functions calls another: in the kernels that were looked at (6.1, 6.12,
 * 7.3) mutex_lock_io and atomic_dec_and_mutex_lock have a mutex_lock of their own.
 */
#include "prov/prov_priv.h"
#include "prov/derive.h"

/* LCB_F_SPIN 1, READ 2, WRITE 4, RT 8, PERCPU 16, MUTEX 32. */
#define WAITS "__lockstat_at[(uintptr_t)curthread, arg0]"
#define INSIDE "__lockstat_at[(uintptr_t)curthread, arg0 - 8]"
#define HELD "__lockstat_held[(uintptr_t)curthread, arg0]"
#define WAS "self->__lockstat_was"
#define WAS_HELD "self->__lockstat_was_held"

static const char waiting[] =
	"sdt:::contention_begin /arg1 != 8 || !(" INSIDE " & 2)/ {"
	"	" WAITS " = arg1 & 32 && " WAITS " ? " WAITS " & (arg1 | ~1ull)"
	"		: (uint64_t)timestamp << 6 | arg1 & 0x3f; }"
	"sdt:::contention_begin /(arg1 & 0x11) == 0 && arg1 & 6/ {"
	"	" HELD " = __rwsem_held[(struct rw_semaphore *)arg0]; }"
	"sdt:::contention_end { " WAS " = " WAITS "; " WAITS " = 0; }"
	"sdt:::contention_end /" WAS " & 6/ {"
	"	" WAS_HELD " = " HELD "; " HELD " = 0; }";

#define TOOK "((uint64_t)timestamp << 6) - (" WAS " & ~0x3full) >> 6"
#define READER "(" WAS " & 2 ? 1 : 0)"
#define GOT(kind) { DERIVE_TRACEPOINT, "contention_end", \
	"(" kind ") && (int)arg1 == 0", "arg0; " TOOK, .setup = waiting }
#define RW_GOT(kind, values) { DERIVE_TRACEPOINT, "contention_end", \
	"(" kind ") && (int)arg1 == 0", "arg0; " TOOK "; " READER values, \
	.setup = waiting }

/* A mutex of real-time kernels, that others call rt_mutex, has no flag but RT. */
#define MUTEX_SPUN "(" WAS " & 0x21) == 0x21"
#define MUTEX_SLEPT "(" WAS " & 0x21) == 0x20 || (" WAS " & 0x2f) == 8"

#define MUTEX "self->__lockstat_mutex"
#define RWSEM "self->__lockstat_rwsem"
#define SPIN "self->__lockstat_spin"
#define RWLOCK "self->__lockstat_rwlock"
#define RT_SPIN "self->__lockstat_rt_spin"
#define RT_RWLOCK "self->__lockstat_rt_rwlock"
#define GOTTEN(lock) lock "_got"
#define PUSH(lock, arg) lock " = " arg ";"
#define POP(lock) "(" GOTTEN(lock) " = " lock ", " lock " = 0, " GOTTEN(lock) " != 0)"
#define PUSH_3(lock, arg) \
	lock "_3 = " lock "_2; " lock "_2 = " lock "; " lock " = " arg ";"
#define POP_3(lock) "(" GOTTEN(lock) " = " lock ", " lock " = " lock "_2, " \
	lock "_2 = " lock "_3, " lock "_3 = 0, " GOTTEN(lock) " != 0)"

static const char mutexes[] =
	"fbt::mutex_lock:entry, fbt::mutex_lock_io:entry,"
	"fbt::mutex_lock_interruptible:entry, fbt::mutex_lock_killable:entry,"
	"fbt::mutex_trylock:entry, fbt::ww_mutex_lock:entry,"
	"fbt::ww_mutex_lock_interruptible:entry, fbt::ww_mutex_trylock:entry,"
	"fbt::rt_mutex_lock:entry, fbt::rt_mutex_lock_interruptible:entry,"
	"fbt::rt_mutex_lock_killable:entry, fbt::rt_mutex_trylock:entry {"
	"	" PUSH(MUTEX, "arg0") " }"
	"fbt::atomic_dec_and_mutex_lock:entry { " PUSH(MUTEX, "arg1") " }";
static const char rwsems[] =
	"fbt::down_read:entry, fbt::down_read_interruptible:entry,"
	"fbt::down_read_killable:entry, fbt::down_read_trylock:entry,"
	"fbt::down_write:entry, fbt::down_write_killable:entry,"
	"fbt::down_write_trylock:entry, fbt::percpu_down_write:entry {"
	"	" PUSH(RWSEM, "arg0") " }";
static const char spins[] =
	"fbt::_raw_spin_lock:entry, fbt::_raw_spin_lock_irq:entry,"
	"fbt::_raw_spin_lock_irqsave:entry, fbt::_raw_spin_lock_bh:entry,"
	"fbt::_raw_spin_trylock:entry, fbt::_raw_spin_trylock_bh:entry {"
	"	" PUSH_3(SPIN, "arg0") " }";
static const char rwlocks[] =
	"fbt::_raw_read_lock:entry, fbt::_raw_read_lock_irq:entry,"
	"fbt::_raw_read_lock_irqsave:entry, fbt::_raw_read_lock_bh:entry,"
	"fbt::_raw_read_trylock:entry,"
	"fbt::_raw_write_lock:entry, fbt::_raw_write_lock_irq:entry,"
	"fbt::_raw_write_lock_irqsave:entry, fbt::_raw_write_lock_bh:entry,"
	"fbt::_raw_write_trylock:entry {"
	"	" PUSH_3(RWLOCK, "arg0") " }";

/* Those of real-time kernels.  (That of a mutex gets some, too.) */
static const char rt_spins[] =
	"fbt::rt_spin_lock:entry, fbt::rt_spin_trylock:entry,"
	"fbt::rt_spin_trylock_bh:entry {"
	"	" PUSH(RT_SPIN, "arg0") " }";
static const char rt_rwlocks[] =
	"fbt::rt_read_lock:entry, fbt::rt_read_trylock:entry,"
	"fbt::rt_write_lock:entry, fbt::rt_write_trylock:entry {"
	"	" PUSH(RT_RWLOCK, "arg0") " }";

/* What releases a mutex there may be the same code as what releases an rt_mutex, and
 * end with a jump to that. */
#define RT_LEFT "self->__lockstat_rt_left"
#define NOT_AS(lock) \
	"(" GOTTEN(lock) " = " lock ", " lock " = 0, " GOTTEN(lock) " != arg0)"
static const char rt_leaves[] =
	"fbt::mutex_unlock:entry /sizeof(((struct mutex *)0)->rtmutex) != 0/ {"
	"	" PUSH(RT_LEFT, "arg0") " }";

/* Who asks for one gets it, or is told by 0, or by 1. */
#define ALWAYS ""
#define BY_0 " && (int)arg0 == 0"
#define BY_1 " && (int)arg0 != 0"
#define ROW(function, got, pop, lock, values, keep) \
	{ DERIVE_FUNC_RETURN, function, pop(lock) got, GOTTEN(lock) values, \
	  .setup = keep }
#define GETS_MUTEX(function, got) ROW(function, got, POP, MUTEX, "", mutexes)
#define GETS_RWSEM(function, got, reads) \
	ROW(function, got, POP, RWSEM, "; " reads, rwsems)
#define GETS_SPIN(function, got) ROW(function, got, POP_3, SPIN, "", spins)
#define GETS_RWLOCK(function, got, reads) \
	ROW(function, got, POP_3, RWLOCK, "; " reads, rwlocks)
#define GETS_RT_SPIN(function, got) ROW(function, got, POP, RT_SPIN, "", rt_spins)
#define GETS_RT_RWLOCK(function, got, reads) \
	ROW(function, got, POP, RT_RWLOCK, "; " reads, rt_rwlocks)
#define LEAVES(function, values) { DERIVE_FUNC, function, NULL, "arg0" values }

static const struct derive_probe probes[] = {
	{ "adaptive-acquire", NULL, {
		GETS_MUTEX("mutex_lock", ALWAYS),
		GETS_MUTEX("mutex_lock_io", ALWAYS),
		GETS_MUTEX("mutex_lock_interruptible", BY_0),
		GETS_MUTEX("mutex_lock_killable", BY_0),
		GETS_MUTEX("mutex_trylock", BY_1),
		GETS_MUTEX("atomic_dec_and_mutex_lock", BY_1),
		GETS_MUTEX("ww_mutex_lock", BY_0),
		GETS_MUTEX("ww_mutex_lock_interruptible", BY_0),
		GETS_MUTEX("ww_mutex_trylock", BY_1),
		GETS_MUTEX("rt_mutex_lock", ALWAYS),
		GETS_MUTEX("rt_mutex_lock_interruptible", BY_0),
		GETS_MUTEX("rt_mutex_lock_killable", BY_0),
		GETS_MUTEX("rt_mutex_trylock", BY_1),
		GETS_RT_SPIN("rt_spin_lock", ALWAYS),
		GETS_RT_SPIN("rt_spin_trylock", BY_1),
		GETS_RT_SPIN("rt_spin_trylock_bh", BY_1),
	} },
	{ "adaptive-release", NULL, {
		LEAVES("mutex_unlock", ""), LEAVES("ww_mutex_unlock", ""),
		{ DERIVE_FUNC, "rt_mutex_unlock", NOT_AS(RT_LEFT), "arg0",
		  .setup = rt_leaves, .choice = 1 },
		{ DERIVE_FUNC, "rt_mutex_unlock", NULL, "arg0", .choice = 1 },
		LEAVES("rt_spin_unlock", ""),
	} },
	{ "rw-acquire", NULL, {
		GETS_RWSEM("down_read", ALWAYS, "1"),
		GETS_RWSEM("down_read_interruptible", BY_0, "1"),
		GETS_RWSEM("down_read_killable", BY_0, "1"),
		GETS_RWSEM("down_read_trylock", BY_1, "1"),
		GETS_RWSEM("down_write", ALWAYS, "0"),
		GETS_RWSEM("down_write_killable", BY_0, "0"),
		GETS_RWSEM("down_write_trylock", BY_1, "0"),
		GETS_RWSEM("percpu_down_write", ALWAYS, "0"),
		GETS_RWLOCK("_raw_read_lock", ALWAYS, "1"),
		GETS_RWLOCK("_raw_read_lock_irq", ALWAYS, "1"),
		GETS_RWLOCK("_raw_read_lock_irqsave", ALWAYS, "1"),
		GETS_RWLOCK("_raw_read_lock_bh", ALWAYS, "1"),
		GETS_RWLOCK("_raw_read_trylock", BY_1, "1"),
		GETS_RWLOCK("_raw_write_lock", ALWAYS, "0"),
		GETS_RWLOCK("_raw_write_lock_irq", ALWAYS, "0"),
		GETS_RWLOCK("_raw_write_lock_irqsave", ALWAYS, "0"),
		GETS_RWLOCK("_raw_write_lock_bh", ALWAYS, "0"),
		GETS_RWLOCK("_raw_write_trylock", BY_1, "0"),
		GETS_RT_RWLOCK("rt_read_lock", ALWAYS, "1"),
		GETS_RT_RWLOCK("rt_read_trylock", BY_1, "1"),
		GETS_RT_RWLOCK("rt_write_lock", ALWAYS, "0"),
		GETS_RT_RWLOCK("rt_write_trylock", BY_1, "0"),
	} },
	{ "rw-release", NULL, {
		LEAVES("up_read", "; 1"), LEAVES("up_write", "; 0"),
		LEAVES("percpu_up_write", "; 0"),
		LEAVES("_raw_read_unlock", "; 1"), LEAVES("_raw_read_unlock_irq", "; 1"),
		LEAVES("_raw_read_unlock_irqrestore", "; 1"),
		LEAVES("_raw_read_unlock_bh", "; 1"),
		LEAVES("_raw_write_unlock", "; 0"), LEAVES("_raw_write_unlock_irq", "; 0"),
		LEAVES("_raw_write_unlock_irqrestore", "; 0"),
		LEAVES("_raw_write_unlock_bh", "; 0"),
		LEAVES("rt_read_unlock", "; 1"), LEAVES("rt_write_unlock", "; 0"),
	} },
	{ "rw-downgrade", NULL, { LEAVES("downgrade_write", "") } },
	{ "spin-acquire", NULL, {
		GETS_SPIN("_raw_spin_lock", ALWAYS),
		GETS_SPIN("_raw_spin_lock_irq", ALWAYS),
		GETS_SPIN("_raw_spin_lock_irqsave", ALWAYS),
		GETS_SPIN("_raw_spin_lock_bh", ALWAYS),
		GETS_SPIN("_raw_spin_trylock", BY_1),
		GETS_SPIN("_raw_spin_trylock_bh", BY_1),
	} },
	{ "spin-release", NULL, {
		LEAVES("_raw_spin_unlock", ""), LEAVES("_raw_spin_unlock_irq", ""),
		LEAVES("_raw_spin_unlock_irqrestore", ""),
		LEAVES("_raw_spin_unlock_bh", ""),
	} },
	{ "adaptive-block", NULL, { GOT(MUTEX_SLEPT) } },
	{ "adaptive-spin", NULL, { GOT(MUTEX_SPUN) } },
	{ "adaptive-acquire-error", NULL, {
		{ DERIVE_TRACEPOINT, "contention_end",
		  "(" MUTEX_SPUN " || " MUTEX_SLEPT ") && (int)arg1 != 0",
		  "arg0; -(int)arg1", .setup = waiting },
	} },
	{ "rw-block", NULL, {
		RW_GOT(WAS " & 6 && (" WAS " & 1) == 0",
		       "; " WAS_HELD " & 1; " WAS_HELD " >> 8"),
	} },
	{ "rw-spin", NULL, { RW_GOT(WAS " & 6 && " WAS " & 1", "") } },
	{ "spin-spin", NULL, { GOT("(" WAS " & 0x27) == 1") } },
};

DERIVE(lockstat, "lockstat", probes, PROV_ATTR_RAW);
