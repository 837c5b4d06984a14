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

static const struct derive_probe probes[] = {
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
