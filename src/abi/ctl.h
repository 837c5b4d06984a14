/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The control block: one, mapped by the consumer.
 */
#ifndef ABI_CTL_H
#define ABI_CTL_H

#include "abi/kvar.h"

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

/* bufpolicy=fill: why the tracing has ended (ebpf/ring.c). */
enum abi_filled {
	ABI_FILLED_NOT,
	ABI_FILLED,	/* a record did not fit: nothing is recorded any more */
	ABI_FILLED_END,	/* buffers are empty again, and END records all the same */
	ABI_FILLING,	/* the next firing might not fit: firings that have begun
			 * go on to their end */
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

#endif
