/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The whole of a plan: its tables, then its clauses one by one.
 *
 * The tables come first where clauses refer to them (aggregations), and last
 * where clauses add to them (hidden clause-locals are variables like any
 * other, numbered behind the program's own).
 */
#include <assert.h>

#include "gen/value_priv.h"
#include "gen/var_priv.h"

/* --- Variables ---------------------------------------------------------- */

static void
lay_out_cell(const struct sema_key *k, struct abi_field *f, uint32_t *off)
{
	bool str = type_is_string(k->type);

	f->kind = str ? ABI_FIELD_STRING : ABI_FIELD_INT;
	f->is_signed = type_is_signed(k->type);
	f->align = 8;
	f->offset = *off;
	f->size = str ? (uint32_t)base_align(k->size, 8) : 8;
	*off += f->size;
}

/* Numbers stand in 8 bytes, strings are padded to a multiple of 8, so a key
 * has no gaps. */
static bool
lay_out_keys(struct gen *g, const struct sema_ident *id, struct plan_var *v)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < id->nkeys; i++)
		n += gen_key_cells(&id->keys[i]);
	struct abi_field *f = ARENA_ARRAY(g->a, struct abi_field, n);
	if (!f)
		return false;
	v->nkeys = n;
	v->keys = f;
	for (uint32_t i = 0; i < id->nkeys; i++)
		for (n = gen_key_cells(&id->keys[i]); n--; f++)
			lay_out_cell(&id->keys[i], f, &v->key_size);
	return true;
}

static bool
fill_var(struct gen *g, const struct sema_ident *id, struct plan_var *v)
{
	v->name = id->name;
	v->id = id->id;
	v->scope = gen_scope(id);
	v->kind = id->is_assoc ? DIF_VK_ARRAY : DIF_VK_SCALAR;
	v->type = gen_dif_var(id);
	if (!v->type.size)	/* declared, but never of a type */
		v->type = (struct dif_type){ .ckind = DIF_CK_INTEGER,
					     .size = 8 };
	return !id->is_assoc || lay_out_keys(g, id, v);
}

static bool
fill_hidden(struct gen *g, uint32_t n, struct plan_var *v)
{
	*v = (struct plan_var){
		.name = arena_printf(g->a, "%%s%u", n),
		.id = g->spill_id + n, .scope = DIF_VS_LOCAL,
		.kind = DIF_VK_SCALAR,
		.type = { .ckind = DIF_CK_INTEGER, .size = 8 },
	};
	return v->name;
}

static bool
fill_vars(struct gen *g, struct plan_prog *p)
{
	uint32_t n;
	struct sema_ident *const *ids = sema_vars(g->sema, &n);
	struct plan_var *v = ARENA_ARRAY(g->a, struct plan_var,
					 n + g->nspills);

	if (!v)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (!fill_var(g, ids[i], &v[i]))
			return false;
	for (uint32_t i = 0; i < g->nspills; i++)
		if (!fill_hidden(g, i, &v[n + i]))
			return false;
	p->vars = v;
	p->nvars = n + g->nspills;
	return true;
}

static uint32_t
first_free_id(const struct gen *g)
{
	uint32_t n, id = DIF_VAR_OTHER_UBASE;
	struct sema_ident *const *ids = sema_vars(g->sema, &n);

	for (uint32_t i = 0; i < n; i++)
		id = BASE_MAX(id, ids[i]->id + 1);
	return id;
}

/* --- Clauses ------------------------------------------------------------ */

static bool
fill_clauses(struct gen *g, struct plan_prog *p,
	     const struct sema_prog *const *progs, unsigned nprogs)
{
	struct plan_clause *c;
	bool ok = true;

	for (unsigned i = 0; i < nprogs; i++)
		p->nclauses += progs[i]->nclauses;
	p->clauses = c = ARENA_ARRAY(g->a, struct plan_clause, p->nclauses);
	if (!c)
		return false;
	for (unsigned i = 0; i < nprogs; i++)
		for (uint32_t k = 0; k < progs[i]->nclauses; k++)
			if (!gen_clause(g, &progs[i]->clauses[k],
					progs[i]->is_prelude, c++))
				ok = false;
	return ok;
}

/* A function is compiled behind those it calls.  What it spills lies behind
 * what they spill: its caller's DIFO is not done when it runs. */
static bool
fill_funcs(struct gen *g, struct plan_prog *p)
{
	struct sema_func *const *f = sema_funcs(g->sema, &p->nfuncs);
	struct plan_func *out = ARENA_ARRAY(g->a, struct plan_func, p->nfuncs);
	bool ok = true;

	if (!out)
		return false;
	p->funcs = g->funcs = out;
	for (uint32_t i = 0; i < p->nfuncs; i++) {
		assert(f[i]->id.id == i);
		ok = gen_func(g, f[i], &out[i]) && ok;
		g->spill_base = g->nspills;
	}
	return ok;
}

static bool
fill_files(struct gen *g, struct plan_prog *p)
{
	p->files = arena_memdup(g->a, g->files.v,
				g->files.n * sizeof(*g->files.v));
	p->nfiles = (uint32_t)g->files.n;
	return p->files;
}

static bool
fill_plan(struct gen *g, struct plan_prog *p,
	  const struct sema_prog *const *progs, unsigned nprogs)
{
	if (!gen_agg_table(g, progs, nprogs))
		return false;
	g->spill_id = first_free_id(g);
	p->strsize = g->strsize;
	p->who = g->who;
	p->loopmax = g->loopmax = sema_loopmax(g->sema);
	p->aggs = g->aggs;
	p->naggs = g->naggs;
	return fill_funcs(g, p) && fill_clauses(g, p, progs, nprogs) &&
	       fill_vars(g, p) && fill_files(g, p) && !g->failed &&
	       !arena_failed(g->a);
}

const struct plan_prog *
gen_plan(struct arena *a, const struct sema *s,
	 const struct sema_prog *const *progs, unsigned nprogs,
	 uint32_t strsize, bool who, struct diag_list *d)
{
	struct gen g = { .a = a, .sema = s, .d = d, .strsize = strsize,
		      .who = who };
	struct plan_prog *p = ARENA_NEW(a, struct plan_prog);

	bool ok = p && fill_plan(&g, p, progs, nprogs);

	vec_fini(&g.files);
	return ok ? p : NULL;
}
