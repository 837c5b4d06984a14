/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The table of aggregations.
 *
 * Whether part of a key may be a probe id is settled by looking at all uses:
 * @[probefunc] = count() has a key of four bytes, but not when another clause
 * says @[execname] = count().
 */
#include <assert.h>

#include "abi/quant.h"
#include "gen/difo_priv.h"
#include "gen/value_priv.h"
#include "sema/tree.h"

static void
note_keys(struct gen *g, const struct ast_node *n)
{
	const struct sema_ident *id = n->ident;
	uint32_t i = 0;

	if (!id || !id->id || id->id > g->naggs)
		return;
	for (const struct ast_node *k = n->list; k && i < id->nkeys;
	     k = k->next, i++) {
		int *seen = &g->key_parts[id->id - 1][i];
		const char **name = &g->key_names[id->id - 1][i];
		int part = gen_probe_part(k);
		if (!*name && k->span.src)
			*name = arena_strndup(g->a, k->span.src->text +
					      k->span.off, k->span.len);
		if (*seen == GEN_PART_UNSEEN)
			*seen = part;
		else if (*seen != part)
			*seen = GEN_PART_NO;
	}
}

/* Aggregations are assigned by statements, and nowhere else. */
static void
note_uses(struct gen *g, const struct ast_node *n)
{
	for (; n; n = n->next) {
		const struct ast_node *e = sema_eval(n->kid[0]);
		if (n->kind == AST_IF || n->kind == AST_FOR ||
		    n->kind == AST_DO) {
			note_uses(g, n->list);
			note_uses(g, n->list2);
		} else if (n->kind == AST_EXPR && e->kind == AST_ASSIGN &&
			   e->kid[0]->kind == AST_AGG) {
			note_keys(g, e->kid[0]);
		}
	}
}

static bool
find_parts(struct gen *g, struct sema_ident *const *aggs,
	   const struct sema_prog *const *progs, unsigned nprogs)
{
	g->key_parts = ARENA_ARRAY(g->a, int *, g->naggs);
	g->key_names = ARENA_ARRAY(g->a, const char **, g->naggs);
	if (!g->key_parts || !g->key_names)
		return false;
	for (uint32_t i = 0; i < g->naggs; i++) {
		g->key_parts[i] = ARENA_ARRAY(g->a, int, aggs[i]->nkeys);
		g->key_names[i] = ARENA_ARRAY(g->a, const char *,
					      aggs[i]->nkeys);
		if (!g->key_parts[i] || !g->key_names[i])
			return false;
		for (uint32_t k = 0; k < aggs[i]->nkeys; k++)
			g->key_parts[i][k] = GEN_PART_UNSEEN;
	}
	for (unsigned p = 0; p < nprogs; p++)
		for (uint32_t c = 0; c < progs[p]->nclauses; c++)
			note_uses(g, progs[p]->clauses[c].ast->body);
	return true;
}

/* --- Layout ------------------------------------------------------------- */

#define MAX_KEY UINT32_C(0xfffffff8)	/* bytes; far more than any engine takes */

static struct abi_field
key_field(const struct sema_key *k, int part)
{
	struct gen_want want = { .size = 0 };

	if (part >= 0)
		return (struct abi_field){
			.kind = ABI_FIELD_PROBE, .sub = (uint8_t)part,
			.align = 4, .size = 4,
		};
	if (type_is_dyn(k->type))
		return gen_field_dyn(k->type);
	if (type_is_string(k->type))
		return gen_field_string(k->size, &want);
	if (k->is_wide && type_size(k->type) < 8)
		return gen_field_wide(k->type, k->columns, &want);
	if (!gen_is_ref(k->type))
		return gen_field_int(gen_int_of(k->type), &want);
	return (struct abi_field){
		.kind = ABI_FIELD_BYTES,
		.align = (uint8_t)BASE_MIN(type_align(k->type), 8u),
		.size = (uint32_t)type_size(k->type),
	};
}

static bool
lay_out_keys(struct gen *g, const struct sema_ident *id, const int *parts,
	     struct abi_agg_desc *d)
{
	struct abi_field *f = ARENA_ARRAY(g->a, struct abi_field, id->nkeys);
	uint64_t off = 0, align = 4;

	if (!f)
		return false;
	for (uint32_t i = 0; i < id->nkeys; i++) {
		f[i] = key_field(&id->keys[i], parts[i]);
		off = base_align(off, f[i].align);
		f[i].offset = (uint32_t)off;
		off = BASE_MIN(off + f[i].size, (uint64_t)MAX_KEY);
		align = BASE_MAX(align, f[i].align);
	}
	d->nkeys = id->nkeys;
	d->keys = f;
	d->key_size = (uint32_t)base_align(off, align);
	return true;
}

bool
gen_agg_table(struct gen *g, const struct sema_prog *const *progs,
	      unsigned nprogs)
{
	struct sema_ident *const *ids = sema_aggs(g->sema, &g->naggs);
	struct abi_agg_desc *d = ARENA_ARRAY(g->a, struct abi_agg_desc,
					     g->naggs);

	if (!d || !find_parts(g, ids, progs, nprogs))
		return false;
	for (uint32_t i = 0; i < g->naggs; i++) {
		const char *name = ids[i]->name;
		assert(ids[i]->id == i + 1);
		d[i].name = name[0] == '_' && !name[1] ? "" : name;
		d[i].id = ids[i]->id;
		d[i].func = ids[i]->func;
		d[i].arg = ids[i]->agg_arg;
		d[i].ncells = abi_agg_cells(ids[i]->func, ids[i]->agg_arg);
		d[i].key_names = g->key_names[i];
		if (!lay_out_keys(g, ids[i], g->key_parts[i], &d[i]))
			return false;
	}
	g->aggs = d;
	return true;
}
