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
 * lock is kept: of a mutex or rw_semaphore by thread, as nothing that gets one is
 * interrupted by what gets another; of spin locks as a stack, which interrupts of the
 * thread go on with.
 */
#include "prov/prov_priv.h"
#include "prov/derive.h"

/* LCB_F_SPIN 1, READ 2, WRITE 4, RT 8, PERCPU 16, MUTEX 32. */
#define WAITS "__lockstat_at[(uintptr_t)curthread, arg0]"
#define HELD "__lockstat_held[(uintptr_t)curthread, arg0]"
#define WAS "self->__lockstat_was"
#define WAS_HELD "self->__lockstat_was_held"

static const char waiting[] =
	"sdt:::contention_begin {"
	"	" WAITS " = arg1 & 32 && " WAITS " ? " WAITS " & (arg1 | ~1ull)"
	"		: (uint64_t)timestamp << 6 | arg1 & 0x3f; }"
	"sdt:::contention_begin /(arg1 & 0x19) == 0 && arg1 & 6/ {"
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
#define DEPTH "self->__lockstat_depth"
#define SPIN "self->__lockstat_spin[" DEPTH "]"

static const char mutexes[] =
	"fbt::mutex_lock:entry, fbt::mutex_lock_interruptible:entry,"
	"fbt::mutex_lock_killable:entry, fbt::mutex_trylock:entry {"
	"	" MUTEX " = arg0; }";
static const char rwsems[] =
	"fbt::down_read:entry, fbt::down_read_interruptible:entry,"
	"fbt::down_read_killable:entry, fbt::down_read_trylock:entry,"
	"fbt::down_write:entry, fbt::down_write_killable:entry,"
	"fbt::down_write_trylock:entry { " RWSEM " = arg0; }";
static const char spins[] =
	"fbt::_raw_spin_lock:entry, fbt::_raw_spin_lock_irq:entry,"
	"fbt::_raw_spin_lock_irqsave:entry, fbt::_raw_spin_lock_bh:entry,"
	"fbt::_raw_spin_trylock:entry {"
	"	" SPIN " = arg0; " DEPTH "++; }"
	"fbt::_raw_spin_lock:return, fbt::_raw_spin_lock_irq:return,"
	"fbt::_raw_spin_lock_irqsave:return, fbt::_raw_spin_lock_bh:return,"
	"fbt::_raw_spin_trylock:return /" DEPTH "/ { " DEPTH "--; }";

/* Those that say whether they got it: by 0, or by 1. */
#define HAS(lock) lock " != 0"
#define GETS(function, lock, values, keep) \
	{ DERIVE_FUNC_RETURN, function, HAS(lock), lock values, .setup = keep }
#define MAY_GET(function, lock, values, keep) \
	{ DERIVE_FUNC_RETURN, function, HAS(lock) " && (int)arg0 == 0", \
	  lock values, .setup = keep }
#define TRIES(function, lock, values, keep) \
	{ DERIVE_FUNC_RETURN, function, HAS(lock) " && (int)arg0 != 0", \
	  lock values, .setup = keep }
#define LEAVES(function, values) { DERIVE_FUNC, function, NULL, "arg0" values }

static const struct derive_probe probes[] = {
	{ "adaptive-acquire", NULL, {
		GETS("mutex_lock", MUTEX, "", mutexes),
		MAY_GET("mutex_lock_interruptible", MUTEX, "", mutexes),
		MAY_GET("mutex_lock_killable", MUTEX, "", mutexes),
		TRIES("mutex_trylock", MUTEX, "", mutexes),
	} },
	{ "adaptive-release", NULL, { LEAVES("mutex_unlock", "") } },
	{ "rw-acquire", NULL, {
		GETS("down_read", RWSEM, "; 1", rwsems),
		MAY_GET("down_read_interruptible", RWSEM, "; 1", rwsems),
		MAY_GET("down_read_killable", RWSEM, "; 1", rwsems),
		TRIES("down_read_trylock", RWSEM, "; 1", rwsems),
		GETS("down_write", RWSEM, "; 0", rwsems),
		MAY_GET("down_write_killable", RWSEM, "; 0", rwsems),
		TRIES("down_write_trylock", RWSEM, "; 0", rwsems),
	} },
	{ "rw-release", NULL, {
		LEAVES("up_read", "; 1"), LEAVES("up_write", "; 0"),
	} },
	{ "rw-downgrade", NULL, { LEAVES("downgrade_write", "") } },
	{ "spin-acquire", NULL, {
		GETS("_raw_spin_lock", SPIN, "", spins),
		GETS("_raw_spin_lock_irq", SPIN, "", spins),
		GETS("_raw_spin_lock_irqsave", SPIN, "", spins),
		GETS("_raw_spin_lock_bh", SPIN, "", spins),
		TRIES("_raw_spin_trylock", SPIN, "", spins),
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
