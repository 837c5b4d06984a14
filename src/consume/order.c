/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Records by time.  What comes in is nearly sorted: each CPU's records stand in
 * the order in which they were committed, and only a firing that was
 * interrupted by another is committed after it though it began before.  So
 *  1. such a record is moved a few places forward as it is appended;
 *  2. what remains is a handful of ascending runs, one per CPU, merged pairwise
 *     until one is left: n log(runs) moves, and nothing at all for one run.
 * Both keep records of equal time in the order they came in: the clauses of one
 * firing share their timestamp.  Any input is sorted, in n log n at worst.
 */
#include <assert.h>
#include <string.h>

#include "consume/consume_priv.h"

/* Firings nest by task, softirq, interrupt and NMI, some clauses each. */
enum { PLACES_MAX = 16 };

bool
consume_item_push(item_vec *v, size_t from, struct item it)
{
	if (!vec_push(v, it))
		return false;
	size_t i = v->n - 1;
	assert(from <= i);
	size_t stop = i - from > PLACES_MAX ? i - PLACES_MAX : from;
	for (; i > stop && v->v[i - 1].timestamp > it.timestamp; i--)
		v->v[i] = v->v[i - 1];
	v->v[i] = it;
	return true;
}

/* The end of the ascending run that starts at i. */
static size_t
run_end(const struct item *v, size_t n, size_t i)
{
	for (i++; i < n && v[i - 1].timestamp <= v[i].timestamp; i++)
		;
	return i;
}

/* Merge a[0..mid) and a[mid..n) into out. */
static void
merge(const struct item *a, size_t mid, size_t n, struct item *out)
{
	size_t i = 0, j = mid;

	while (i < mid && j < n)
		*out++ = a[j].timestamp < a[i].timestamp ? a[j++] : a[i++];
	memcpy(out, a + i, (mid - i) * sizeof(*a));
	memcpy(out + (mid - i), a + j, (n - j) * sizeof(*a));
}

/* Merge each two neighbouring runs of a into out; how many are left. */
static size_t
merge_runs(const struct item *a, size_t n, struct item *out)
{
	size_t runs = 0;

	for (size_t i = 0; i < n; runs++) {
		size_t mid = run_end(a, n, i);
		size_t end = mid < n ? run_end(a, n, mid) : n;
		merge(a + i, mid - i, end - i, out + i);
		i = end;
	}
	return runs;
}

bool
consume_item_sort(item_vec *v, item_vec *tmp)
{
	if (!v->n || run_end(v->v, v->n, 0) == v->n)
		return true;
	tmp->n = 0;
	if (!vec_reserve(tmp, v->n))
		return false;
	size_t runs;
	do {
		runs = merge_runs(v->v, v->n, tmp->v);
		assert(runs);		/* what is not empty has one */
		tmp->n = v->n;
		item_vec t = *v;
		*v = *tmp;
		*tmp = t;
	} while (runs > 1);
	return true;
}
