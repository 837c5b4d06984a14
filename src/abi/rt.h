/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the code generator, the kernel-side runtime and the session share and
 * nobody else needs: the control block, scratch slots, names of maps.
 */
#ifndef ABI_RT_H
#define ABI_RT_H

#include "abi/abi.h"
#include "abi/kvar.h"

/* --- Control block: one, mapped by the consumer -------------------------- */

enum abi_state {
	ABI_STATE_ACTIVE,	/* probes fire */
	ABI_STATE_STOPPED,	/* only END runs: exit() or the consumer */
	ABI_STATE_STARTING,	/* only BEGIN runs */
};

/* Where the kernel keeps its pages (bpfrt/cache.h). */
struct abi_pages {
	uint64_t vmemmap;	/* the struct page of page 0 */
	uint64_t direct;	/* page 0 itself */
	uint32_t page_size;	/* bytes of a struct page */
	uint32_t shift;		/* of a page's bytes; 0: nothing is known */
	uint32_t uptodate;	/* which bit of a page's flags */
	uint32_t pad;
};

struct abi_ctl {
	uint32_t state;		/* enum abi_state; set by exit() and consumer */
	uint32_t gen;		/* 0 or 1: which aggregation maps are written;
				 * flipped by the consumer only */
	int64_t wall_delta;	/* ns: CLOCK_REALTIME - CLOCK_MONOTONIC */
	uint64_t zero;		/* always 0, but the verifier cannot know */
	uint32_t filled;	/* enum abi_filled */
	struct abi_kvars kvars;	/* set by the consumer alone */
	struct abi_pages pages;	/* set while nothing fires */
};
_Static_assert(sizeof(struct abi_ctl) <= 4096, "mapped as one page");

/*
 * A probe that was found by its cookie, which is the number of its row in dt_rows,
 * from 1.  Rows are written before what fires them is attached, and never changed.
 */
struct abi_row {
	uint32_t probe;		/* id */
	uint32_t epid;		/* of bit 0 of clauses; those of the others
				 * follow.  0: there is no such row */
	uint64_t clauses;	/* bit n: the n-th clause of its point runs */
	uint32_t name;		/* its element in dt_names */
	uint32_t pad;
};
_Static_assert(sizeof(struct abi_row) == 24, "elements of a map");
enum { ABI_ROW_CLAUSES = 64 };

/* An element of dt_names: a probe's names by enum abi_probe_part, as far as
 * clauses read them. */
enum { ABI_NAME_MAX = 192 };

struct abi_names { char part[4][ABI_NAME_MAX]; };

/* Firings on one CPU that are to come a period apart (bpfrt/interval.h). */
struct abi_interval {
	uint64_t begun;		/* ns: when they began; 0: there are none */
	uint64_t base;		/* ns: a point of the grid; 0: none fired yet */
	uint64_t n;		/* points from there to the last firing's */
};

/* One fires now; how many are missing before it. */
static inline uint64_t
abi_interval_fire(struct abi_interval *v, uint64_t now, uint64_t period)
{
	uint64_t old = v->n, n;

	if (!v->base || now < v->base) {
		n = v->base || !v->begun || now < v->begun ? 0
			: (now - v->begun) / period;
		v->base = now;
		v->n = 0;
		return n;
	}
	n = (now - v->base + period / 16) / period;
	if (v->base + n * period > now)
		v->base = now - n * period;
	v->n = n;
	return n > old + 1 ? n - old - 1 : 0;
}

/* It is over; how many are missing behind the last. */
static inline uint64_t
abi_interval_end(const struct abi_interval *v, uint64_t now, uint64_t period)
{
	uint64_t last = v->base ? v->base + v->n * period : v->begun;

	return v->begun && now > last + period ?
		(now - last - period / 2) / period : 0;
}

/* bufpolicy=fill: why the tracing has ended (ebpf/ring.c). */
enum abi_filled {
	ABI_FILLED_NOT,
	ABI_FILLED,	/* a record did not fit: nothing is recorded any more */
	ABI_FILLED_END,	/* buffers are empty again, and END records all the same */
	ABI_FILLING,	/* the next firing might not fit: firings that have begun
			 * go on to their end */
};

/* bufpolicy=ring: the records of a ring (bpfrt/flight.h).  Each, with its mark
 * behind it, is a multiple of 8 bytes, as is the size of all. */
struct abi_flight {
	uint64_t head;		/* bytes ever reserved */
	uint64_t pad;
	/* then flight_size bytes */
};

/* The last 8 bytes of a record or gap of `size` bytes that ends at head. */
#define ABI_FLIGHT_GAP		(1ULL << 31)
#define ABI_FLIGHT_MARK(head, size) (((uint64_t)(head) << 29 & ~0xffffffffULL) | \
				     (size))

/* The verifier wants offsets below 1 << 29. */
enum { ABI_FLIGHT_MAX = 1 << 28 };

/* --- Speculations: an array by id - 1, mapped by the consumer -------------- */

/*
 * speculation() makes an IDLE one ACTIVE.  commit() and discard() make it ENDING,
 * send a record that says so, and make it IDLE again, with the next generation;
 * or leave that to the consumer: when there was no room for the record, and
 * when firings of other CPUs may still be writing and the consumer is far behind.
 */
enum abi_spec_state {
	ABI_SPEC_IDLE, ABI_SPEC_ACTIVE,
	ABI_SPEC_ENDING,	/* whoever ends it will change it */
	ABI_SPEC_COMMITTED, ABI_SPEC_DISCARDED,	/* the consumer will */
};

struct abi_spec {
	uint64_t word;		/* generation << 32 | user << 8 | state */
	uint64_t lost;		/* ns: when it ended, if there was no room for
				 * the record that says so; else 0 */
	uint32_t ahead;		/* generations that several CPUs may have used
				 * and that the consumer has not seen off; the
				 * consumer zeroes it */
	uint32_t pad;
};

/* user: 0, 1 + the only CPU that called speculate(), or MANY. */
#define ABI_SPEC_WORD(gen, user, state) \
	((uint64_t)(gen) << 32 | (uint32_t)(user) << 8 | (state))
#define ABI_SPEC_STATE(word)	   ((uint32_t)(word) & 0xff)
#define ABI_SPEC_USER(word)	   ((uint32_t)(word) >> 8)
#define ABI_SPEC_MANY		   0xffffffu

/* How far `ahead` may get. */
enum { ABI_SPEC_AHEAD = 16 };

enum { ABI_NSPEC_MAX = 1 << 16 };

/* --- Scratch slots -------------------------------------------------------- */

/*
 * One firing that needs memory claims one of its CPU's slots by exchanging
 * busy with 1, and stores 0 when it is done.  Programs nest (task, softirq,
 * irq, NMI) and uprobe programs can be preempted, hence several.
 * Behind this header stand, at offsets the code generator chose: clause-local
 * variables, tuple cells, key, record, strings, and alloca() scratch.
 */
enum { ABI_NSLOTS = 4 };

struct abi_slot {
	uint32_t busy;
	uint32_t fault;		/* enum abi_fault + 1; 0: none.  Set by runtime
				 * functions, cleared by whoever handles it */
	uint64_t fault_value;
	uint64_t self;		/* the address of this slot, as a number */
	uint64_t conv;		/* where a pointer becomes a number */
	uint32_t scratch_used;	/* bytes of alloca() scratch */
	uint32_t serial;	/* of the last stamp from here; never reset */
	uint64_t owner;		/* the context of the firing, while it is handed
				 * from one program to the next; else 0 */
	/* Of a CPU's first slot: when its interval for chill() began, and how
	 * much of it was spent so, ns. */
	uint64_t chill_since, chill_spent;
	uint32_t loop_state;	/* which loop goes on; 0: none, from the top */
	uint32_t loop_left;	/* how the callback left, enum ebpf_left */
	uint32_t turns;		/* of all loops of the clause */
	uint32_t log_used;	/* bytes of the record, when it is a log */
	uint64_t saved[8];	/* arguments while ERROR's clauses run */
	uint64_t work[10];	/* state of the loops of runtime functions */
};

/* Of a slot, where programs ask for stacks: those of the kernel that were seen
 * (bpfrt/kstack.h). */
enum { ABI_KNOWN_STACKS = 4, ABI_KNOWN_FRAMES = 8 };

struct abi_known {
	uint32_t point;		/* 1 + its number */
	uint32_t n;		/* return addresses; 0: none is known */
	uint64_t ret[ABI_KNOWN_FRAMES];
	uint32_t at[ABI_KNOWN_FRAMES];	/* words from the context, all but the
					 * last */
};

struct abi_stacks {
	struct abi_known known[ABI_KNOWN_STACKS];	/* by point */
	uint64_t near[40];	/* what lies from the context on */
	uint64_t tracers[64];	/* addresses whose function's name is known; the
				 * upper bit is 0 of those that do not trace */
};

/* Bytes of a process's stack that are looked at together (bpfrt/ustack.h). */
enum { ABI_WINDOW = 512 };

/* --- Configuration: constants to the verifier ------------------------------ */

enum abi_koff {
#define KOFF(name, ...) ABI_KOFF_##name,
#include "abi/koff.def"
#undef KOFF
	ABI_NKOFFS
};

struct abi_cfg {
	uint32_t strsize;	/* bytes, NUL included; <= ABI_STRSIZE_MAX */
	uint32_t slot_size;	/* bytes of one slot, header included */
	uint32_t record_off;	/* in a slot */
	uint32_t record_max;	/* bytes of the largest record */
	uint32_t scratch_off;
	uint32_t scratch_size;
	uint32_t tmp_off;	/* two strings of runtime functions, or 72
				 * bytes of digits */
	uint32_t token_off;	/* strtok(): u64 the offset in the slot where it
				 * goes on, 0: nowhere; then its string.  0:
				 * nobody calls it */
	uint32_t json_off;	/* json(): a bit for each container that can be
				 * open.  0: nobody calls it */
	uint32_t stacks_off;	/* struct abi_stacks.  0: nobody asks */
	uint32_t window_off;	/* ABI_WINDOW bytes, for ustack(), and u64 the
				 * address of a page that is none.  The same */
	uint32_t ncpus;
	uint32_t flight_size;	/* bytes for the records of a ring */
	uint32_t nspec;
	uint32_t specsize;	/* bytes of one speculation on one CPU */
	int32_t preempt_off;	/* from a CPU's run queue to its word of what
				 * forbids to preempt, bytes; 0: unknown */
	char symbol[4];		/* "%ps": what the kernel prints an address by */
	uint32_t koff[ABI_NKOFFS];	/* by enum abi_koff, bytes;
					 * UINT32_MAX: unknown */
};

enum { ABI_STRSIZE_MAX = 4096, ABI_STRSIZE_MIN = 2,
       ABI_SCRATCHSIZE_MAX = 1 << 20 };

#endif
