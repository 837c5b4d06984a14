/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Rows of probes that are found by the cookie of their site (abi/row.h), and names of
 * probes for programs that have such.  These and layouts of arguments (abi/layout.h)
 * lie in maps that we write and the programs read:
 *  1. a row is written whole, and what it names before it, before anything that could
 *     find it is attached; it is never changed;
 *  2. the EPIDs of a row follow those of the row before; a row has one for each
 *     clause of its point, used or not;
 *  3. the clauses of a probe are some of its point's, in their order;
 *  4. the names of probes that have no rows come first, by their numbers, ERROR's the
 *     last of them.
 */
#include <assert.h>
#include <stdio.h>

#include "base/base.h"
#include "kengine/attach_priv.h"
#include "kengine/kengine_priv.h"
#include "kern/map.h"

enum { LAYOUTS_SIZE = ABI_LAYOUTS * sizeof(struct abi_layout) };
_Static_assert(LAYOUTS_SIZE % 4096 == 0, "whole pages");
_Static_assert(ABI_LAYOUTS <= UINT16_MAX, "abi_row.layout");

static size_t
rows_size(const struct kengine *k)
{
	return base_align(((size_t)k->rows_max + 1) * sizeof(struct abi_row),
			  4096);
}

static size_t
names_size(const struct kengine *k)
{
	return base_align((size_t)k->names_max * sizeof(struct abi_names),
			  4096);
}

struct err *
kengine_rows_size(struct kengine *k)
{
	uint32_t n = 0;

	if (!k->code->has_rows)
		return NULL;
	for (uint32_t i = 0; i < k->e.in.npoints; i++)
		if (k->e.in.points[i].point->find == ABI_FIND_COOKIE)
			n += (uint32_t)k->e.in.points[i].probes.n;
	k->rows_max = n + KENGINE_ROWS_MORE;
	k->names_max = k->code->nnames + n + KENGINE_NAMES_MORE;
	TRY(kern_obj_set_map(k->obj, "dt_rows", 0, k->rows_max + 1));
	return k->code->has_names ?
		kern_obj_set_map(k->obj, "dt_names", 0, k->names_max) : NULL;
}

struct err *
kengine_rows_map(struct kengine *k)
{
	int rows = kern_obj_map(k->obj, "dt_rows");
	int names = kern_obj_map(k->obj, "dt_names");
	int layouts = kern_obj_map(k->obj, "dt_layouts");
	void *p;

	if (rows >= 0) {
		TRY(kern_map_mmap(rows, rows_size(k), &p));
		k->shared.rows = p;
	}
	if (names >= 0) {
		TRY(kern_map_mmap(names, names_size(k), &p));
		k->shared.names = p;
	}
	if (layouts >= 0) {
		TRY(kern_map_mmap(layouts, LAYOUTS_SIZE, &p));
		k->shared.layouts = p;
	}
	return NULL;
}

void
kengine_rows_unmap(struct kengine *k)
{
	if (k->shared.rows)
		kern_unmap(k->shared.rows, rows_size(k));
	if (k->shared.names)
		kern_unmap(k->shared.names, names_size(k));
	if (k->shared.layouts)
		kern_unmap(k->shared.layouts, LAYOUTS_SIZE);
	hash_fini(&k->layouts);
	vec_fini(&k->rows);
}

/* The number of an element with the probe's names; names longer than there is
 * room for are cut. */
static struct err *
add_names(struct kengine *k, const struct plan_probe *p, uint32_t *ret)
{
	if (!k->shared.names) {
		*ret = 0;
		return NULL;
	}
	if (k->nnames == k->names_max)
		return err_new(ERR_LIMIT, 0, "a trace has room for the names of "
			       "%u probes", k->names_max);
	assert(k->nnames < k->names_max);
	*ret = k->nnames++;
	for (int i = 0; i < 4; i++)
		snprintf(k->shared.names[*ret].part[i], ABI_NAME_MAX, "%s",
			 p->part[i] ? p->part[i] : "");
	k->shared.names[*ret].is_numbered = p->is_numbered;
	return NULL;
}

/* The element that has it, which is made for the first row that does; a layout lives
 * as long as the probes. */
static struct err *
add_layout(struct kengine *k, const struct abi_layout *l, uint32_t *ret)
{
	*ret = 0;
	if (!k->shared.layouts || !l)
		return NULL;
	void *known = hash_get(&k->layouts, &l, sizeof(l));
	*ret = known ? (uint32_t)(uintptr_t)known - 1 : (uint32_t)k->layouts.n;
	if (known)
		return NULL;
	if (*ret == ABI_LAYOUTS)
		return err_new(ERR_LIMIT, 0, "a trace has room for arguments that "
			       "lie in %d ways", ABI_LAYOUTS);
	k->shared.layouts[*ret] = *l;
	return hash_put(&k->layouts, &l, sizeof(l),
			(void *)(uintptr_t)(*ret + 1)) ? NULL : &err_nomem;
}

/* Which of the point's clauses the probe has. */
static uint64_t
clause_bits(const struct engine_point *pt, const struct plan_probe *p)
{
	uint64_t bits = 0;
	uint32_t k = 0;

	assert(pt->clauses.n <= ABI_ROW_CLAUSES);
	for (uint32_t i = 0; i < pt->clauses.n && k < p->nclauses; i++)
		if (pt->clauses.v[i] == p->clauses[k]) {
			bits |= (uint64_t)1 << i;
			k++;
		}
	assert(k == p->nclauses);					/* 3 */
	return bits;
}

struct err *
kengine_row_add(struct kengine *k, uint32_t point, const struct plan_probe *p,
		uint64_t *ret)
{
	const struct engine_point *pt = k->points[point].p;
	struct kengine_row own = { p->id, k->nepids + 1, point };
	uint32_t name, layout;

	if (k->rows.n == k->rows_max)
		return err_new(ERR_LIMIT, 0, "a trace has room for %u probes "
			       "that come and go", k->rows_max);
	TRY(add_names(k, p, &name));
	TRY(add_layout(k, p->layout, &layout));
	assert(pt->point->find == ABI_FIND_COOKIE);
	assert(!k->rows.n || k->rows.v[k->rows.n - 1].epid < own.epid ||
	       !pt->clauses.n);						/* 2 */
	if (!vec_push(&k->rows, own))
		return &err_nomem;
	*ret = k->rows.n;
	k->nepids += (uint32_t)pt->clauses.n;
	if (k->shared.rows) {	/* none: no program asks, as nothing attaches */
		struct abi_row row = { p->id, own.epid, clause_bits(pt, p),
				       name, (uint16_t)layout, p->moved, p->value,
				       p->pid };
		assert(!k->shared.rows[*ret].epid);		/* 1 */
		k->shared.rows[*ret] = row;
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
	}
	return NULL;
}

struct err *
kengine_rows_fill(struct kengine *k)
{
	const struct engine_input *in = &k->e.in;
	uint32_t name;

	assert(!k->rows.n && !k->nnames);
	k->nepids = k->code->nepids;
	if (!k->code->has_rows)
		return NULL;
	for (uint32_t i = 0; i < in->npoints; i++)
		for (size_t j = 0; j < in->points[i].probes.n; j++)
			if (in->points[i].point->find != ABI_FIND_COOKIE)
				TRY(add_names(k, &in->points[i].probes.v[j],
					      &name));
	TRY(add_names(k, &in->error, &name));
	assert(!k->shared.names || k->nnames == k->code->nnames);	/* 4 */
	for (uint32_t i = 0; i < in->npoints; i++) {
		struct kengine_point *p = &k->points[i];
		if (p->p->point->find != ABI_FIND_COOKIE)
			continue;
		p->first_cookie = k->rows.n + 1;
		for (size_t j = 0; j < p->p->probes.n; j++) {
			uint64_t cookie;
			TRY(kengine_row_add(k, i, &p->p->probes.v[j], &cookie));
		}
	}
	return NULL;
}

bool
kengine_epid(const struct kengine *k, uint32_t epid, struct plan_epid *ret)
{
	if (!epid || epid > k->nepids)
		return false;
	if (epid <= k->code->nepids) {
		*ret = k->code->epids[epid - 1];
		return true;
	}
	size_t n = BASE_HOW_MANY(i, k->rows.n,
				 k->rows.v[i].epid <= epid);
	assert(n);							/* 2 */
	const struct kengine_row *r = &k->rows.v[n - 1];
	assert(epid >= r->epid &&
	       epid - r->epid < k->points[r->point].p->clauses.n);	/* 2 */
	*ret = (struct plan_epid){ r->probe,
		k->points[r->point].p->clauses.v[epid - r->epid] };
	return true;
}
