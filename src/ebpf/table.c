/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which hashes associative arrays and thread-local variables have, the latter as
 * far as they are not kept with the task (self.c).
 *
 * Each has one of its own, a table.  But a program of the kernel has room for 64
 * maps, so with more variables than that is enough for, those of one shape share a
 * table, and a key ends with the variable's number in it.  A shape is whose
 * the variable is, how large keys are, and how large elements are.  Where even
 * shapes are too many, sizes are rounded up to few.  The keys of one table begin in
 * one way, since that is all that thread.c looks at: with nothing, with a
 * thread, or with a thread and its number.
 *
 *  1. Of the ways in `ways` the first is taken with no more tables, and that of
 *     global strings, than half of the maps there is room for.  The last always
 *     fits: that half is EBPF_VAR_MAPS at least.
 *  2. A variable's keys and elements fit its table, and are multiples of 8.
 *  3. In a table that is shared each variable has another number.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "ebpf/var_priv.h"

struct way {
	bool share, round_up;
};

static const struct way ways[] = {
	{ .share = false },
	{ .share = true },
	{ .share = true, .round_up = true },
};

/* Bytes of keys and elements of arrays are rounded up to these, at last to the
 * largest there are.  Scalars of a thread are as large as the largest. */
enum { NUMBER_SIZE = 16 };
static const uint32_t key_steps[] = { 48, 512 };

/* Of arrays of all, arrays of a thread, and its scalars. */
enum { LAST_WAY = 2 * (BASE_NELEMS(key_steps) + 1) * 2 + 1 };
_Static_assert(LAST_WAY + EBPF_STRING_MAPS <= EBPF_VAR_MAPS,
	       "the last way fits");

static bool
is_array(const struct plan_var *v)
{
	return v->kind == DIF_VK_ARRAY;
}

static bool
has_table(const struct ebpf *g, const struct plan_var *v)
{
	return !ebpf_self_has(g, v) &&
	       (is_array(v) || v->scope == DIF_VS_THREAD);
}

static uint32_t
value_size(const struct plan_var *v)
{
	return (uint32_t)base_align(BASE_MAX(v->type.size, 8u), 8);
}

/* With the thread, its number, and the variable's. */
static uint32_t
key_size(const struct plan_var *v, const struct way *w)
{
	uint32_t size = (is_array(v) ? v->key_size : 0) +
			(v->scope != DIF_VS_THREAD ? 0 : is_array(v) ? 16 : 8) +
			(w->share ? 8 : 0);

	return size ? size : 8;
}

/* With the stamp of what CPUs share. */
static uint32_t
elem_size(const struct plan_var *v)
{
	return value_size(v) + (v->scope == DIF_VS_GLOBAL ? 8 : 0);
}

static struct ebpf_table
shape(const struct plan_var *v, const struct way *w)
{
	return (struct ebpf_table){
		.scope = v->scope, .kind = v->kind, .shared = w->share,
		.own = !strncmp(v->name, "__", 2),
		.key_size = key_size(v, w), .elem_size = elem_size(v) };
}

static void
round_up(const struct ebpf *g, const struct way *w, struct ebpf_table *t)
{
	uint32_t longest = 0, largest = 0;
	size_t i = 0;

	for (uint32_t k = 0; k < g->plan->nvars; k++) {
		const struct plan_var *v = &g->plan->vars[k];
		if (!has_table(g, v))
			continue;
		longest = BASE_MAX(longest, key_size(v, w));
		largest = BASE_MAX(largest, elem_size(v));
	}
	if (t->kind != DIF_VK_ARRAY) {
		t->elem_size = largest;
		return;
	}
	while (i < BASE_NELEMS(key_steps) && t->key_size > key_steps[i])
		i++;
	t->key_size = i < BASE_NELEMS(key_steps) ? key_steps[i] : longest;
	t->elem_size = t->elem_size <= NUMBER_SIZE ? NUMBER_SIZE : largest;
}

static void
add(struct ebpf *g, const struct way *w, uint32_t var)
{
	struct ebpf_table new = shape(&g->plan->vars[var], w);
	struct ebpf_table *t = g->tables, *end = t + g->ntables;

	if (w->round_up)
		round_up(g, w, &new);
	assert(new.key_size >= key_size(&g->plan->vars[var], w) &&
	       new.elem_size >= elem_size(&g->plan->vars[var]));	/* 2 */
	assert(new.key_size % 8 == 0 && new.elem_size % 8 == 0);	/* 2 */
	while (t < end && (!w->share || t->scope != new.scope ||
			   t->kind != new.kind || t->key_size != new.key_size ||
			   t->elem_size != new.elem_size))
		t++;
	if (t == end) {
		*t = new;
		snprintf(t->map, sizeof(t->map), "dt_table%u",
			 (uint16_t)g->ntables++);
	}
	assert(w->share || !t->nvars);					/* 3 */
	t->own = t->own && new.own;
	g->var_tables[var] = (struct ebpf_var_table){ t, t->nvars++ };
}

static bool
same_layout(const struct ebpf *g, uint32_t i, uint32_t k)
{
	const struct plan_var *a = &g->plan->vars[i], *b = &g->plan->vars[k];

	return g->var_tables[i].table == g->var_tables[k].table &&
	       plan_var_is_ref(a) == plan_var_is_ref(b) &&
	       plan_var_is_string(a) == plan_var_is_string(b) &&
	       (!plan_var_is_ref(a) || a->type.size == b->type.size);
}

/* Find for each variable the first that is stored and loaded alike.  Numbers are,
 * of whatever size: at rest they have 8 bytes. */
static void
find_layouts(struct ebpf *g)
{
	uint32_t *firsts = EBPF_ARRAY(g, uint32_t, g->plan->nvars + 1);
	uint32_t n = 0, k;

	for (uint32_t i = 0; firsts && i < g->plan->nvars; i++) {
		for (k = 0; k < n && !same_layout(g, firsts[k], i); k++)
			;
		if (k == n)
			firsts[n++] = i;
		g->var_tables[i].layout = firsts[k];
	}
}

uint32_t
ebpf_var_maps(const struct ebpf *g)
{
	return g->ntables + EBPF_STRING_MAPS + (ebpf_fronts(g) > 0);
}

void
ebpf_tables(struct ebpf *g)
{
	uint32_t n = g->plan->nvars;
	size_t w = 0;

	g->tables = EBPF_ARRAY(g, struct ebpf_table, n + 1);
	g->var_tables = EBPF_ARRAY(g, struct ebpf_var_table, n + 1);
	if (!g->tables || !g->var_tables)
		return;
	do {
		assert(w < BASE_NELEMS(ways));				/* 1 */
		g->ntables = 0;
		for (uint32_t i = 0; i < n; i++)
			if (has_table(g, &g->plan->vars[i]))
				add(g, &ways[w], i);
		w++;
	} while (ebpf_var_maps(g) > (ebpf_maps_room(g) + 1) / 2);
	assert(g->ntables <= n);
	find_layouts(g);
}

const struct ebpf_var_table *
ebpf_table_of(const struct ebpf *g, const struct plan_var *v)
{
	const struct ebpf_var_table *at = &g->var_tables[v - g->plan->vars];

	return at->table ? at : NULL;
}
