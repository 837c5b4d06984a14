/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Probes that are made of others (prov/derive.h) have D of their own: whether what
 * fires is the probe, what its arguments are, and what has to be kept for that.
 * When such a probe is enabled this is compiled to a prelude, a clause that the
 * plan has behind those of programs and that runs before them.
 *
 * A site whose D does not compile is one that this kernel does not have.  That is
 * told, but for one that is an alternative while the probe has other sites.
 */
#include <string.h>

#include "session/program_priv.h"
#include "session/run_priv.h"

#define REFUSED ((void *)SIZE_MAX)

struct preparing {
	struct session *s;
	const struct probe *probe;
	uint32_t taken;			/* bits: choices that are made */
	unsigned nsites, nrefused;
	const char *why;		/* the site was refused */
	const char *first;		/* of these */
	VEC(const char *) missed;	/* sites that are no alternatives */
};

static struct err *
compile(struct preparing *g, const char *text, struct sema_prog **ret)
{
	struct session *s = g->s;
	struct lang_source *src = ARENA_NEW(s->a, struct lang_source);
	const struct probe *p = g->probe;
	struct diag_list diags;

	diag_init(&diags, s->a);
	*ret = NULL;
	if (!src || !text)
		return &err_nomem;
	src->name = arena_printf(s->a, "%s:::%s", p->prov, p->name);
	src->text = text;
	src->size = (uint32_t)strlen(text);
	src->is_library = true;
	if (!src->name || !lang_mark_lines(src, s->a))
		return &err_nomem;
	TRY(session_compile_prelude(s, src, &diags, ret));
	if (!diags.n)
		return NULL;
	*ret = NULL;
	if (!g->why)
		g->why = arena_strdup(s->a, diags.first->text);
	return NULL;
}

/* Clauses like any program's, once. */
static struct err *
set_up(struct preparing *g, const char *text, bool *ok)
{
	struct session *s = g->s;
	struct sema_prog *prog;

	*ok = true;
	if (!text || hash_get(&s->preludes.setups, &text, sizeof(text)))
		return NULL;
	TRY(compile(g, text, &prog));
	*ok = prog != NULL;
	if (prog && (!vec_push(&s->enabled, prog) ||
		     !hash_put(&s->preludes.setups, &text, sizeof(text), s)))
		return &err_nomem;
	return NULL;
}

/* What stands in *known already, of another site of the same point, is kept. */
static struct err *
compile_site(struct preparing *g, const struct prov_site *site, void **known)
{
	struct session *s = g->s;
	struct sema_prog *prog;
	bool ok;

	/* First: the site's D may be about what it keeps. */
	TRY(set_up(g, site->setup, &ok));
	if (!ok) {
		*known = REFUSED;
		return NULL;
	}
	if (*known)
		return NULL;
	*known = REFUSED;
	TRY(compile(g, arena_printf(s->a, "dtrace:::BEGIN%s%s%s { %s; }",
				    site->when ? " /" : "",
				    site->when ? site->when : "",
				    site->when ? "/" : "", site->values),
		    &prog));
	if (!prog)
		return NULL;
	prog->is_prelude = true;
	if (!vec_push(&s->preludes.progs, prog))
		return &err_nomem;
	*known = (void *)s->preludes.progs.n;
	return NULL;
}

static struct err *
miss(struct preparing *g, const struct prov_site *site)
{
	const char *text = arena_printf(g->s->a, "at %s: %s", site->target,
					g->why);

	return text && vec_push(&g->missed, text) ? NULL : &err_nomem;
}

static struct err *
on_site(void *ctx, const struct prov_site *site)
{
	struct preparing *g = ctx;
	uint32_t choice = site->choice ? 1u << site->choice : 0;
	void **at, *known;

	if (!site->values)
		return NULL;
	g->nsites++;
	g->why = NULL;
	known = hash_get(&g->s->preludes.of, &site->point, sizeof(site->point));
	if (g->taken & choice)
		known = REFUSED;
	else
		TRY(compile_site(g, site, &known));
	if (known != REFUSED) {
		g->taken |= choice;
	} else {
		g->nrefused++;
		if (!g->first)
			g->first = g->why;
		if (!choice && g->why)	/* else it was told of one of its point */
			TRY(miss(g, site));
	}
	at = hash_ref(&g->s->preludes.of, &site->point, sizeof(site->point));
	if (!at)
		return &err_nomem;
	*at = known;
	return NULL;
}

static void
warn(struct session *s, const struct probe *p, const char *why)
{
	const struct plan_probe named = {
		.id = p->id, .part = { p->prov, p->mod, p->func, p->name } };

	session_warn(s, &named, why ? why : "this kernel has no place for it");
}

struct err *
session_prelude(struct session *s, const struct probe *p)
{
	struct preparing g = { .s = s, .probe = p };
	struct err *e = prov_sites(s->prov, p, on_site, &g);

	if (!e && g.nsites && g.nrefused == g.nsites)
		warn(s, p, g.first);
	else
		for (size_t i = 0; !e && i < g.missed.n; i++)
			warn(s, p, g.missed.v[i]);
	vec_fini(&g.missed);
	return e;
}

bool
session_prelude_of(const struct session *s, const struct prov_site *site,
		   uint32_t *clause)
{
	void *at = hash_get(&s->preludes.of, &site->point, sizeof(site->point));
	uint32_t before = 0;

	*clause = UINT32_MAX;
	if (!at)
		return true;
	if (at == REFUSED)
		return false;
	for (size_t i = 0; i < s->enabled.n; i++)
		before += s->enabled.v[i]->nclauses;
	*clause = before + (uint32_t)(uintptr_t)at - 1;
	return true;
}

void
session_prelude_fini(struct session *s)
{
	vec_fini(&s->preludes.progs);
	hash_fini(&s->preludes.of);
	hash_fini(&s->preludes.setups);
	hash_fini(&s->preludes.ustacks);
}
