/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * The front of an associative array of numbers: a table in which a key, once it has a
 * place, keeps it.
 *
 * In a hash of the kernel's an element that ends is deleted, and its memory goes to the next
 * key at once.  So whoever loads must check what was read, and whoever stores must make a
 * new element (ebpf/hash.c): 77 ns to load, 155 to store, 50 and more to delete.  But in
 * most programs the same keys come again and again: addresses of requests, threads,
 * devices.  In front each of these takes 20 ns.
 *
 * Each array has a range of buckets in one map.  The hash of a key names its bucket, in
 * which its place is the one with that hash; if a free one comes first, it has none.  To
 * have one it takes the free one, by compare-and-exchange.
 *
 *  1. A place that was taken stays so, and of a bucket the first free one is taken.  So a
 *     key never has two: whoever wants the same place for it meanwhile finds it there.
 *  2. A key that found its bucket full lives in the kernel's hash, for good, since a full
 *     bucket stays so.
 *
 * All is done by words that are atomic, so nobody waits, retries or fails, whoever
 * is interrupted by whom.  Who makes keys without end (a[timestamp]) has a full front soon,
 * and from then on what there would be without one, 15 ns later.
 *
 * Two keys with the same hash would be one.  The hash of 8 bytes tells them from any
 * others, but for those that would be 0; of longer keys, two of 8,000 have the same in
 * one of 10^11 programs (ebpf/front.c).
 */
#include "abi/front.h"

/* The session makes it larger.  To be mapped it begins a page, and so a line. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, sizeof(struct abi_bucket));
	__uint(max_entries, 1);
	__uint(map_flags, BPF_F_MMAPABLE);
} dt_fronts SEC(".maps");

INLINE struct abi_bucket *
front_bucket(u32 number)
{
	return bpf_map_lookup_elem(&dt_fronts, &number);
}

/* Which place of a bucket a key has. */
RT u64
rt_front(u64 hash, u64 bucket)
{
	struct abi_bucket *b = front_bucket(bucket);

	if (!b)
		return ABI_FRONT_FULL;
#pragma nounroll
	for (u64 i = 0; i < ABI_FRONT_PLACES; i++) {
		u64 has = b->places[i].hash;
		if (has == hash)
			return i;
		if (!has)
			return ABI_FRONT_NONE;
	}
	return ABI_FRONT_FULL;
}

/* The same, but have one if there is none. */
RT u64
rt_front_new(u64 hash, u64 bucket)
{
	struct abi_bucket *b = front_bucket(bucket);

	if (!b)
		return ABI_FRONT_FULL;
#pragma nounroll
	for (u64 i = 0; i < ABI_FRONT_PLACES; i++) {
		u64 *has = &b->places[i].hash;
		if (!*has && __sync_val_compare_and_swap(has, 0, hash) == 0)
			return i;
		if (*has == hash)
			return i;
	}
	return ABI_FRONT_FULL;
}
