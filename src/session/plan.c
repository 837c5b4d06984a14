/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which clauses run on which probe: descriptions of all enabled programs are
 * matched in program order, so each probe gathers its clauses in order; then
 * probes are sorted to the points that fire them.
 */
#include <string.h>

#include "session/session_priv.h"

/* A probe with its clauses so far. */
struct enabled {
	const struct probe *probe;
	VEC(uint32_t) clauses;
};

struct matching {
	struct session *s;
	struct hash probes;		/* id -> struct enabled */
	uint32_t index;			/* of the clause, in all programs */
	struct err *err;
};

static bool
on_match(void *ctx, const struct probe *p)
{
	struct matching *m = ctx;
	void **at;

	at = hash_ref(&m->probes, &p->id, sizeof(p->id));
	if (at && !*at)
		*at = ARENA_NEW(m->s->a, struct enabled);
	struct enabled *e = at ? *at : NULL;
	if (!e || !vec_push(&e->clauses, m->index)) {
		m->err = &err_nomem;
		return false;
	}
	e->probe = p;
	return true;
}

static struct err *
match_all(struct session *s, struct matching *m)
{
	for (size_t i = 0; i < s->enabled.n; i++) {
		const struct sema_prog *p = s->enabled.v[i];
		for (uint32_t c = 0; c < p->nclauses; c++, m->index++) {
			TRY(session_match_clause(s, p, c, on_match, m));
			if (m->err)
				return m->err;
		}
	}
	return NULL;
}

static struct engine_point *
point_of(struct session *s, const struct prov_where *w)
{
	for (size_t i = 0; i < s->points.n; i++)
		if (s->points.v[i].point == w->point)
			return &s->points.v[i];
	struct engine_point p = { .point = w->point, .trigger = w->trigger,
				  .period_ns = w->period_ns };
	if (!vec_push(&s->points, p))
		return NULL;
	return &s->points.v[s->points.n - 1];
}

/* All clauses of a tick fire at once and in order, so one that asks makes an
 * interrupt of it for all. */
static void
choose_interrupt(const struct session *s, const struct enabled *e,
		 struct prov_where *w)
{
	for (size_t i = 0; w->interrupt && i < e->clauses.n; i++) {
		uint32_t index = e->clauses.v[i];
		if (!session_asks_who(s->plan, &s->plan->clauses[index]))
			continue;
		w->point = w->interrupt;
		w->trigger = PROV_TRIGGER_INTERRUPT;
		return;
	}
}

static struct err *
place(struct session *s, struct engine_input *in, const struct enabled *e)
{
	struct prov_where w;
	const struct probe *p = e->probe;

	TRY(prov_where(s->prov, p, &w));
	choose_interrupt(s, e, &w);
	struct ebpf_probe x = {
		.id = p->id, .part = { p->prov, p->mod, p->func, p->name },
		.nclauses = (uint32_t)e->clauses.n, .nkeys = w.nkeys,
		.clauses = arena_memdup(s->a, e->clauses.v,
					e->clauses.n * sizeof(uint32_t)),
	};
	memcpy(x.keys, w.keys, sizeof(x.keys));
	if (!x.clauses)
		return &err_nomem;
	if (w.trigger == PROV_TRIGGER_ERROR) {
		in->error = x;
		return NULL;
	}
	struct engine_point *pt = point_of(s, &w);
	if (!pt || !vec_push(&pt->probes, x))
		return &err_nomem;
	return NULL;
}

static struct err *
place_all(struct session *s, struct engine_input *in, const struct hash *probes)
{
	struct hash_entry *e;

	for (size_t i = 0; (e = hash_next(probes, &i)); )
		TRY(place(s, in, e->val));
	in->points = s->points.v;
	in->npoints = (uint32_t)s->points.n;
	return NULL;
}

/* What gen found wrong: a limit met, mostly. */
static struct err *
gen_error(const struct session *s, const struct diag_list *d)
{
	struct sb line;

	if (!d->first)
		return &err_nomem;
	sb_init(&line, 4096);
	diag_print_line(d->first, s->opts.v[OPT_ERRTAGS] > 0, &line);
	struct err *e = err_new(ERR_COMPILE, 0, "%s", sb_str(&line));
	sb_fini(&line);
	return e;
}

static const struct plan_prog *
make_plan(struct session *s, const struct sema_prog *const *progs, size_t n,
	  int64_t strsize, struct diag_list *d)
{
	return gen_plan(s->a, s->sema, progs, (unsigned)n, (uint32_t)strsize,
			session_wants_who(s), d);
}

/* Room is wanted for the whole of a program, so its error has no line. */
static bool
check_room(struct session *s, const struct plan_prog *p)
{
	struct err *e = ebpf_check_sizes(p);

	if (!e)
		return true;
	if (e->code == ERR_LIMIT)
		diag(s->diags, D_CG_EXPR, (struct lang_span){ .src = NULL },
		     "%s", e->text);
	err_free(e);
	return false;
}

bool
session_try(struct session *s, const struct sema_prog *prog)
{
	const struct plan_prog *p;
	struct diag_list d;

	diag_init(&d, s->a);
	p = make_plan(s, &prog, 1, s->opts.v[OPT_STRSIZE], &d);
	s->tried.prog = prog;
	s->tried.plan = p;
	if (!p && d.n)
		p = make_plan(s, &prog, 1, ABI_STRSIZE_MAX, s->diags);
	return p && check_room(s, p);
}

/* The plan that was made when the only program was compiled, if nothing has
 * changed since. */
static const struct plan_prog *
tried_plan(const struct session *s)
{
	const struct plan_prog *p = s->tried.plan;
	bool same = p && s->enabled.n == 1 && s->enabled.v[0] == s->tried.prog &&
		    p->strsize == s->opts.v[OPT_STRSIZE] &&
		    p->who == session_wants_who(s) &&
		    p->loopmax == sema_loopmax(s->sema);

	return same ? p : NULL;
}

struct err *
session_plan(struct session *s, struct engine_input *in)
{
	struct matching m = { .s = s };
	struct hash_entry *e;
	struct diag_list diags;

	diag_init(&diags, s->a);
	s->plan = tried_plan(s);
	if (!s->plan)
		s->plan = make_plan(s, s->enabled.v, s->enabled.n,
				    s->opts.v[OPT_STRSIZE], &diags);
	if (!s->plan)
		return gen_error(s, &diags);
	in->plan = s->plan;
	hash_init(&m.probes);
	struct err *err = match_all(s, &m);
	if (!err)
		err = place_all(s, in, &m.probes);
	for (size_t i = 0; (e = hash_next(&m.probes, &i)); )
		if (e->val)
			vec_fini(&((struct enabled *)e->val)->clauses);
	hash_fini(&m.probes);
	return err;
}
