/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How large the engine's buffers and maps are, and may be.
 */
#ifndef KENGINE_SIZE_PRIV_H
#define KENGINE_SIZE_PRIV_H

#include "kengine/kengine_priv.h"

/* limit.c */

/* Bytes that a CPU's ring may have: powers of 2. */
enum { KENGINE_RING_MIN = 4096, KENGINE_RING_MAX = 1 << 30 };

/* Bytes of kernel memory that an element of a hash costs besides key and
 * value. */
enum { KENGINE_HASH_OVERHEAD = 64 };

/* Bytes of elements of variables that are all made at the start.  A new key takes a third
 * as long then (220 ns, else 610, and no interrupt behind it that makes more), and a start
 * 0.2 ms more for each MB. */
enum { KENGINE_READY_BYTES = 8 << 20 };

/* How many elements of these sizes fit. */
uint32_t kengine_entries(uint64_t bytes, uint32_t key, uint32_t value);
uint32_t kengine_table_entries(uint64_t dynvarsize, const struct ebpf_table *t);
/* Are its elements made at the start?  Then their room is taken from *left.  Not what the
 * library keeps, which is of what happens seldom. */
bool kengine_table_is_ready(uint64_t dynvarsize, const struct ebpf_table *t, uint64_t *left);
/* most: elements that there can be at most, UINT64_MAX when nobody knows. */
uint32_t kengine_agg_entries(uint64_t aggsize, const struct ebpf_aggmap *m,
			     unsigned ncpus, uint64_t most);
/* keys.c: how many pieces of an aggregation, of one number, there can be at most:
 * naggs numbers, by id - 1.  Then how many elements that makes in a map. */
struct err *kengine_agg_most(const struct engine_input *in, unsigned ncpus,
			     uint64_t *most);
uint64_t kengine_map_most(const struct ebpf_aggmap *m, const uint64_t *most);

/* The most that bufsize, aggsize or dynvarsize may be for this program on a
 * machine with `memory` bytes, ncpus possible and online CPUs. */
uint64_t kengine_limit(enum opt_id id, const struct plan_prog *p,
		       uint64_t memory, unsigned ncpus, unsigned online);
/* Lower what is more, or refuse (ERR_LIMIT); refuse a CPU that is not online.
 * online: ncpus flags. */
struct err *kengine_check_sizes(struct kengine *k, const uint8_t *online);
/* Bytes of a ring in which all finds room that BEGIN and END may record;
 * UINT64_MAX when something else may fire. */
uint64_t kengine_once_size(const struct kengine *k);
/* Refuse what that cannot be had with, or what the buffers are too small for. */
struct err *kengine_check_policy(struct kengine *k);

#endif
