/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which clauses run on which probe: descriptions of all enabled programs are
 * matched in program order, so each probe gathers its clauses in order; then
 * the sites of probes are sorted to the points that fire them.  A probe without
 * a site fires nowhere and has no row.
 */
#include <assert.h>
#include <string.h>

#include "abi/row.h"
#include "ebpf/ebpf.h"
#include "prov/coming.h"
#include "session/program_priv.h"
#include "session/run_priv.h"
#include "util/cleanup.h"

enum { OWN_MAX = 100 };		/* programs for one tracepoint each */

/* A probe with its clauses so far. */
struct enabled {
	const struct probe *probe;
	VEC(uint32_t) clauses;
	bool sets_up;			/* one keeps what others' sites need */
};

struct matching {
	struct session *s;
	struct hash probes;		/* id -> struct enabled */
	uint32_t index;			/* of the clause, in all programs */
	bool adds;			/* only those that have no place yet */
	bool sets_up;			/* clauses of setups */
	struct err *err;
};

/* How many places of p have their sites; false: it was not there yet. */
static bool
count_placed(const struct session *s, const struct probe *p, size_t *ret)
{
	void *at = hash_get(&s->points.placed, &p->id, sizeof(p->id));

	*ret = at ? (size_t)at - 1 : 0;
	return at;
}

static bool
on_match(void *ctx, const struct probe *p)
{
	struct matching *m = ctx;
	void **at;
	size_t n;

	if (m->adds && count_placed(m->s, p, &n) && n == prov_places(m->s->prov, p))
		return true;
	at = hash_ref(&m->probes, &p->id, sizeof(p->id));
	if (at && !*at)
		*at = ARENA_NEW(m->s->a, struct enabled);
	struct enabled *e = at ? *at : NULL;
	if (!e || !vec_push(&e->clauses, m->index)) {
		m->err = &err_nomem;
		return false;
	}
	e->probe = p;
	e->sets_up |= m->sets_up;
	return true;
}

/* Those from number `from` on. */
static struct err *
match_all(struct session *s, struct matching *m, size_t from)
{
	for (size_t i = from; i < s->enabled.n; i++) {
		const struct sema_prog *p = s->enabled.v[i];
		for (uint32_t c = 0; c < p->nclauses; c++, m->index++) {
			TRY(session_match_clause(s, p, c, on_match, m));
			if (m->err)
				return m->err;
		}
	}
	return NULL;
}

/* --- Points --------------------------------------------------------------- */

/* A probe while its sites are sorted to points. */
struct placing {
	struct session *s;
	struct engine_input *in;	/* NULL: they come while tracing */
	struct hash *points;		/* abi_point -> index in points + 1 */
	bool shares;			/* programs of probes that may */
	const struct enabled *e;
	struct plan_probe probe;
	size_t nsites;			/* of it, so far */
};

static struct engine_point *
point_of(struct placing *l, const struct prov_site *site)
{
	struct session *s = l->s;
	void **at = hash_ref(l->points, &site->point, sizeof(site->point));

	if (!at)
		return NULL;
	if (!*at) {
		struct engine_point p = {
			.point = site->point, .trigger = site->trigger,
			.period_ns = site->period_ns,
			.event = site->event,
		};
		if (!vec_push(&s->points.all, p))
			return NULL;
		*at = (void *)s->points.all.n;
	}
	return &s->points.all.v[(size_t)*at - 1];
}

/* How often the clause is among the point's. */
static uint32_t
count_clause(const struct engine_point *pt, uint32_t index)
{
	uint32_t n = 0;

	for (size_t i = 0; i < pt->clauses.n; i++)
		n += pt->clauses.v[i] == index;
	return n;
}

/* The clause is among the point's n times at least; false without memory. */
static bool
add_clause(struct engine_point *pt, uint32_t index, uint32_t n)
{
	for (uint32_t have = count_clause(pt, index); have < n; have++) {
		size_t i = pt->clauses.n;
		if (!vec_push(&pt->clauses, index))
			return false;
		for (; i && pt->clauses.v[i - 1] > index; i--)
			pt->clauses.v[i] = pt->clauses.v[i - 1];
		pt->clauses.v[i] = index;
	}
	return true;
}

/* A clause runs once for each of its descriptions that the probe matches: the
 * how manieth time is its i-th run the one of its clause? */
static uint32_t
nth_run(const struct plan_probe *p, uint32_t i)
{
	uint32_t n = 1;

	while (n <= i && p->clauses[i - n] == p->clauses[i])
		n++;
	return n;
}

/* All clauses of a tick fire at once and in order, so one that asks makes an
 * interrupt of it for all. */
static void
choose_interrupt(const struct session *s, const struct enabled *e,
		 struct prov_site *site)
{
	for (size_t i = 0; site->interrupt && i < e->clauses.n; i++) {
		uint32_t index = e->clauses.v[i];
		if (!session_asks_who(s->plan, &s->plan->clauses[index]))
			continue;
		site->point = site->interrupt;
		site->trigger = PROV_TRIGGER_INTERRUPT;
		return;
	}
}

/* What the clauses of e look at. */
static unsigned
looks(const struct session *s, const struct enabled *e)
{
	unsigned set = 0;

	for (size_t i = 0; i < e->clauses.n; i++) {
		const struct plan_clause *c = &s->plan->clauses[e->clauses.v[i]];
		set |= session_looks(s->plan, c) |
		       (session_asks_ustack(s->plan, c) ? PROV_LOOKS_USTACK : 0);
	}
	return set;
}

static struct err *
count_sharing(void *ctx, const struct prov_site *site)
{
	size_t *n = ctx;

	*n += site->shared != NULL;
	return NULL;
}

/* How often each clause runs at one of the probes, at most, that may share. */
static uint32_t
count_runs(uint32_t *most, const struct enabled *e)
{
	uint32_t more = 0, n = 0;

	for (size_t i = 0; i < e->clauses.n; i++) {
		uint32_t index = e->clauses.v[i];
		n = i && e->clauses.v[i - 1] == index ? n + 1 : 1;
		more += n > most[index];
		most[index] = BASE_MAX(most[index], n);
	}
	return more;
}

/* A program for each probe does not lose what fires while another one's runs, and
 * need not look for the probe; but to load very many takes long. */
static struct err *
choose_sharing(struct placing *l, const struct hash *probes)
{
	uint32_t *most = ARENA_ARRAY(l->s->a, uint32_t,
				     l->s->plan->nclauses + 1);
	uint32_t nruns = 0;
	struct hash_entry *entry;
	size_t n = 0;

	if (!most)
		return &err_nomem;
	for (size_t i = 0; (entry = hash_next(probes, &i)); ) {
		const struct enabled *e = entry->val;
		size_t before = n;
		if (prov_is_mapped(l->s->prov, e->probe))
			continue;	/* all share as it is */
		TRY(prov_sites(l->s->prov, e->probe, count_sharing, &n));
		if (n > before)
			nruns += count_runs(most, e);
	}
	l->shares = n > OWN_MAX && nruns <= ABI_ROW_CLAUSES &&
		    kern_tells_tracepoints();
	return NULL;
}

/* The probe's row at the point, with room for more keys: its sites there share it that have
 * the same value and follow one another.  Probes are placed one after the other, so it is the last
 * or not there yet.  One that fires already is not changed: places that come later
 * have a row of their own. */
static struct plan_probe *
row_of(const struct placing *l, struct engine_point *pt,
       const struct plan_probe *like, uint32_t nkeys)
{
	size_t n = pt->probes.n;

	if (n && pt->probes.v[n - 1].nkeys + nkeys <= BASE_NELEMS(like->keys) &&
	    (l->in || pt->probes.v[n - 1].clauses == like->clauses) &&
	    pt->probes.v[n - 1].id == like->id &&
	    pt->probes.v[n - 1].nclauses == like->nclauses &&
	    pt->probes.v[n - 1].value == like->value &&
	    pt->probes.v[n - 1].moved == like->moved &&
	    pt->probes.v[n - 1].pid == like->pid &&
	    pt->probes.v[n - 1].layout == like->layout)
		return &pt->probes.v[n - 1];
	if (!vec_push(&pt->probes, *like))
		return NULL;
	return &pt->probes.v[n];
}

/* While tracing only what has a program can get more probes. */
static bool
is_prepared(const struct placing *l, const struct prov_site *site)
{
	void *at = hash_get(l->points, &site->point, sizeof(site->point));

	if (!at || site->point->find != ABI_FIND_COOKIE)
		return false;
	for (uint32_t i = 0; i < l->probe.nclauses; i++)
		if (count_clause(&l->s->points.all.v[(size_t)at - 1],
				 l->probe.clauses[i]) < nth_run(&l->probe, i))
			return false;
	return true;
}

/* With the prelude in front. */
static struct err *
prepend(struct placing *l, uint32_t prelude, struct plan_probe *p)
{
	uint32_t *clauses;

	if (prelude == UINT32_MAX)
		return NULL;
	clauses = ARENA_ARRAY(l->s->a, uint32_t, p->nclauses + 1);
	if (!clauses)
		return &err_nomem;
	clauses[0] = prelude;
	memcpy(clauses + 1, p->clauses, p->nclauses * sizeof(*clauses));
	p->clauses = clauses;
	p->nclauses++;
	return NULL;
}

/* Whose process it is, where programs know it by the same number. */
static uint32_t
process_of(const struct prov_site *site)
{
	return kern_first_pid_ns() ? (uint32_t)site->pid : 0;
}

/* To its point, as one of probe. */
static struct err *
add_site(struct placing *l, const struct prov_site *site, const struct plan_probe *probe)
{
	struct engine_point *pt = point_of(l, site);
	struct plan_probe *x = pt ? row_of(l, pt, probe, site->nkeys) : NULL;

	if (!x)
		return &err_nomem;
	for (uint32_t i = 0; l->in && site->point->find == ABI_FIND_COOKIE &&
	     i < x->nclauses; i++)
		if (!add_clause(pt, x->clauses[i], nth_run(x, i)))
			return &err_nomem;
	assert(x->nkeys + site->nkeys <= BASE_NELEMS(x->keys));
	memcpy(&x->keys[x->nkeys], site->keys, site->nkeys * sizeof(*x->keys));
	x->nkeys += site->nkeys;
	struct engine_site own = { *site, (uint32_t)pt->probes.n - 1 };
	l->nsites++;
	return vec_push(&pt->sites, own) ? NULL : &err_nomem;
}

static struct err *
on_site(void *ctx, const struct prov_site *borrowed)
{
	struct placing *l = ctx;
	struct prov_site site = *borrowed;
	struct plan_probe probe = l->probe;
	uint32_t prelude;

	if (!session_prelude_of(l->s, &site, &prelude))
		return NULL;
	TRY(prepend(l, prelude, &probe));
	probe.value = site.value;
	probe.moved = site.moved;
	probe.pid = process_of(&site);
	probe.layout = site.layout;
	if (site.only_counts) {
		probe.clauses = NULL;
		probe.nclauses = 0;
	}
	assert(prelude == UINT32_MAX || site.point->find != ABI_FIND_COOKIE);

	choose_interrupt(l->s, l->e, &site);
	if (l->shares && site.shared)
		site.point = site.shared;
	if (!l->in && !is_prepared(l, &site)) {
		session_warn(l->s, &l->probe, "it came while tracing goes on, "
			     "and needs a program that was not loaded");
		return NULL;
	}
	if (site.leaderless && !probe.pid) {
		session_warn(l->s, &l->probe, "the first thread of its process has "
			     "ended, and in a container nothing else tells it from "
			     "others");
		return NULL;
	}
	if (site.trigger == PROV_TRIGGER_ERROR) {
		l->in->error = l->probe;
		return NULL;
	}
	TRY(add_site(l, &site, &probe));
	if (!site.point->spare)
		return NULL;
	site.point = site.point->spare;
	return add_site(l, &site, &probe);
}

/* No place of p has a site, because the provider left them out? */
static struct err *
note_nowhere(const struct placing *l, const struct probe *p)
{
	const char *why = l->nsites ? NULL : prov_user_why_left_out(l->s->prov, p);

	return !why || hash_put(&l->s->points.nowhere, &p->id, sizeof(p->id),
				(void *)(uintptr_t)why) ? NULL : &err_nomem;
}

static struct err *
place(struct placing *l, const struct enabled *e)
{
	const struct probe *p = e->probe;

	l->e = e;
	l->nsites = 0;
	l->probe = (struct plan_probe){
		.id = p->id, .part = { p->prov, p->mod, p->func, p->name },
		.is_numbered = prov_is_of_all(l->s->prov, p),
		.nclauses = (uint32_t)e->clauses.n,
		.clauses = arena_memdup(l->s->a, e->clauses.v,
					e->clauses.n * sizeof(uint32_t)),
	};
	size_t had;
	count_placed(l->s, p, &had);
	if (!l->probe.clauses ||
	    !hash_put(&l->s->points.placed, &p->id, sizeof(p->id),
		      (void *)(prov_places(l->s->prov, p) + 1)))
		return &err_nomem;
	prov_looks(l->s->prov, looks(l->s, e));
	prov_places_from(l->s->prov, had);
	struct err *err = prov_sites(l->s->prov, p, on_site, l);
	prov_places_from(l->s->prov, 0);
	return err || had ? err : note_nowhere(l, p);
}

/* Those of the plan's clauses that a description makes later. */
struct coming {
	struct placing *l;
	uint32_t index;			/* of the clause, in all programs */
	const struct sema_clause *clause;
	uint32_t desc;
	uint32_t nruns;			/* of it, at one probe, at most; 0: not counted
					 * yet, as most descriptions make nothing */
};

static bool
descs_meet(const struct probe_desc *a, const struct probe_desc *b)
{
	return probe_globs_meet(a->prov, b->prov) &&
	       probe_globs_meet(a->mod, b->mod) &&
	       probe_globs_meet(a->func, b->func) &&
	       probe_globs_meet(a->name, b->name);
}

/* How many of the descriptions up to number d some probe may match at most that
 * matches this one. */
static uint32_t
count_meeting(const struct sema_clause *c, uint32_t d)
{
	uint32_t n = 1;

	for (uint32_t i = 0; i < d; i++)
		n += descs_meet(&c->descs[i], &c->descs[d]);
	return n;
}

static struct err *
on_later(void *ctx, const struct prov_site *site)
{
	struct coming *c = ctx;
	struct engine_point *pt = point_of(c->l, site);

	assert(site->point->find == ABI_FIND_COOKIE);
	if (!c->nruns)
		c->nruns = count_meeting(c->clause, c->desc);
	return pt && add_clause(pt, c->index, c->nruns) ? NULL : &err_nomem;
}

static struct err *
place_later(struct placing *l)
{
	struct session *s = l->s;
	struct coming c = { .l = l };

	for (size_t i = 0; i < s->enabled.n; i++) {
		const struct sema_prog *p = s->enabled.v[i];
		for (uint32_t k = 0; k < p->nclauses; k++, c.index++) {
			c.clause = &p->clauses[k];
			for (c.desc = 0; c.desc < c.clause->ndescs; c.desc++) {
				c.nruns = 0;
				TRY(prov_later(s->prov, &c.clause->descs[c.desc],
					       on_later, &c));
			}
		}
	}
	return NULL;
}

/* At a point the first fires first, so what sets up others comes before them. */
static struct err *
place_probes(struct placing *l, const struct hash *probes)
{
	for (int others = 0; others <= 1; others++) {
		struct hash_entry *entry;
		for (size_t i = 0; (entry = hash_next(probes, &i)); ) {
			const struct enabled *e = entry->val;
			if (e->sets_up == !others)
				TRY(place(l, e));
		}
	}
	return NULL;
}

static struct err *
place_all(struct session *s, struct engine_input *in, const struct hash *probes)
{
	struct hash points = { 0 };
	struct placing l = { .s = s, .in = in, .points = &points };

	struct err *e = place_later(&l);
	if (!e)
		e = choose_sharing(&l, probes);
	if (!e)
		e = place_probes(&l, probes);
	hash_fini(&points);
	in->points = s->points.all.v;
	in->npoints = (uint32_t)s->points.all.n;
	return e;
}

static void
forget_matches(struct matching *m)
{
	struct hash_entry *e;

	for (size_t i = 0; (e = hash_next(&m->probes, &i)); )
		if (e->val)
			vec_fini(&((struct enabled *)e->val)->clauses);
	hash_fini(&m->probes);
}

/* --- While tracing -------------------------------------------------------- */

void
session_warn(struct session *s, const struct plan_probe *p, const char *why)
{
	struct sb b;

	s->points.nwarnings++;
	sb_init(&b, 1 << 16);
	sb_printf(&b, "cannot attach %s:%s:%s:%s: %s", p->part[0], p->part[1],
		  p->part[2], p->part[3], why);
	session_tell(s, sb_str(&b));
	sb_fini(&b);
}

/* How much a point had before. */
struct before { size_t probes, sites; };

static struct err *
add_to_points(struct session *s, const struct before *had)
{
	for (uint32_t i = 0; i < s->points.all.n; i++) {
		const struct engine_point *p = &s->points.all.v[i];
		struct err *e = p->probes.n == had[i].probes ? NULL :
			engine_add(s->engine, i, had[i].probes, had[i].sites);
		if (!e)
			continue;
		if (e->code != ERR_LIMIT)
			return e;
		session_warn(s, &p->probes.v[p->probes.n - 1], e->text);
		err_free(e);
	}
	return NULL;
}

static struct err *
place_new(struct session *s, const struct hash *probes)
{
	size_t n = s->points.all.n;
	CLEANUP(util_freep) struct before *had =
		util_alloc((n + 1) * sizeof(*had));
	struct hash points = { 0 };
	struct placing l = { .s = s, .points = &points };
	struct err *e = had ? NULL : &err_nomem;

	for (size_t i = 0; i < n && !e; i++) {
		const struct engine_point *p = &s->points.all.v[i];
		had[i] = (struct before){ p->probes.n, p->sites.n };
		if (!hash_put(&points, &p->point, sizeof(p->point),
			      (void *)(i + 1)))
			e = &err_nomem;
	}
	if (!e)
		e = place_probes(&l, probes);
	hash_fini(&points);
	if (!e)
		e = add_to_points(s, had);
	return e ? e : session_meta_update(s);
}

struct err *
session_add_probes(struct session *s)
{
	struct matching m = { .s = s, .adds = true };

	if (!s->run.live || !s->engine || !engine_is_active(s->engine))
		return NULL;
	prov_ask_again(s->prov);
	struct err *e = match_all(s, &m, 0);
	size_t n = s->points.nowhere.nlive;
	if (!e && m.probes.n)
		e = place_new(s, &m.probes);
	if (!e && s->points.nowhere.nlive > n)
		e = session_tell_nowhere(s);
	forget_matches(&m);
	return e;
}

/* --- The plan ------------------------------------------------------------- */

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

/* Preludes stand behind programs. */
static const struct plan_prog *
make_plan(struct session *s, const struct sema_prog *const *progs, size_t n,
	  int64_t strsize, struct diag_list *d)
{
	return gen_plan(s->a, s->sema, progs, (unsigned)n, (uint32_t)strsize,
			session_wants_who(s), d);
}

/* Of all that is enabled. */
static const struct plan_prog *
plan_whole(struct session *s, struct diag_list *d)
{
	size_t n = s->enabled.n, more = s->preludes.progs.n;
	const struct sema_prog **all = ARENA_ARRAY(s->a,
		const struct sema_prog *, n + more);

	if (!all)
		return NULL;
	memcpy(all, s->enabled.v, n * sizeof(*all));
	if (more)
		memcpy(all + n, s->preludes.progs.v, more * sizeof(*all));
	return make_plan(s, all, n + more, s->opts.v[OPT_STRSIZE], d);
}

/* Where the part of prog's plan stands: a variable or an aggregation where it is declared
 * or first used, a clause where its first description is. */
static struct lang_span
part_span(struct session *s, const struct sema_prog *prog, struct ebpf_part part)
{
	uint32_t n;

	if (part.kind == EBPF_CLAUSE)
		return prog->clauses[part.n].ast->descs->span;
	struct sema_ident *const *ids = part.kind == EBPF_VAR ?
		sema_vars(s->sema, &n) : sema_aggs(s->sema, &n);
	return part.n < n ? ids[part.n]->span :
		(struct lang_span){ .src = NULL };
}

/* Room is wanted for the whole of a program. */
static bool
check_room(struct session *s, const struct sema_prog *prog,
	   const struct plan_prog *p)
{
	struct ebpf_part part;
	struct err *e = ebpf_check_sizes(p, &part);

	if (!e)
		return true;
	if (e->code == ERR_LIMIT)
		diag(s->compiling.diags, D_CG_EXPR, part_span(s, prog, part), "%s", e->text);
	err_free(e);
	return false;
}

/* What sites are to be is decided before there is the plan of all. */
static bool
note_ustacks(struct session *s, const struct sema_prog *prog, const struct plan_prog *p)
{
	for (uint32_t i = 0; i < prog->nclauses; i++) {
		const struct sema_clause *c = &prog->clauses[i];
		if (session_asks_ustack(p, &p->clauses[i]) &&
		    !hash_put(&s->preludes.ustacks, &c, sizeof(c), s))
			return false;
	}
	return true;
}

bool
session_try(struct session *s, const struct sema_prog *prog)
{
	const struct plan_prog *p;
	struct diag_list d;

	diag_init(&d, s->a);
	p = make_plan(s, &prog, 1, s->opts.v[OPT_STRSIZE], &d);
	s->compiling.tried.prog = prog;
	s->compiling.tried.plan = p;
	if (!p && d.n)
		p = make_plan(s, &prog, 1, ABI_STRSIZE_MAX, s->compiling.diags);
	return p && note_ustacks(s, prog, p) && check_room(s, prog, p);
}

/* The plan that was made when the only program was compiled, if nothing has
 * changed since. */
static const struct plan_prog *
tried_plan(const struct session *s)
{
	const struct plan_prog *p = s->compiling.tried.plan;
	bool same = p && s->enabled.n == 1 && !s->preludes.progs.n &&
		    s->enabled.v[0] == s->compiling.tried.prog &&
		    p->strsize == s->opts.v[OPT_STRSIZE] &&
		    p->who == session_wants_who(s) &&
		    p->loopmax == sema_loopmax(s->sema);

	return same ? p : NULL;
}

/* Clause number index of all programs. */
static const struct sema_clause *
clause_at(const struct session *s, uint32_t index)
{
	size_t i = 0;

	while (index >= s->enabled.v[i]->nclauses)
		index -= s->enabled.v[i++]->nclauses;
	return &s->enabled.v[i]->clauses[index];
}

static bool
asks_ustack(const struct session *s, const struct enabled *e)
{
	const struct sema_clause *c;

	return BASE_ANY(i, e->clauses.n, (c = clause_at(s, e->clauses.v[i]),
					  hash_get(&s->preludes.ustacks, &c, sizeof(c))));
}

/* What comes before the clauses of the probes; that may enable more. */
static struct err *
prepare_all(struct session *s, struct matching *m)
{
	struct hash_entry *entry;
	size_t n = s->enabled.n;

	for (size_t i = 0; (entry = hash_next(&m->probes, &i)); ) {
		const struct enabled *e = entry->val;
		if (prov_is_mapped(s->prov, e->probe))
			continue;
		prov_looks(s->prov, asks_ustack(s, e) ? PROV_LOOKS_USTACK : 0);
		TRY(session_prelude(s, e->probe));
	}
	m->sets_up = true;
	return match_all(s, m, n);
}

static struct err *
plan_matched(struct session *s, struct engine_input *in, struct matching *m)
{
	struct diag_list diags;

	TRY(match_all(s, m, 0));
	TRY(prepare_all(s, m));
	diag_init(&diags, s->a);
	s->plan = tried_plan(s);
	if (!s->plan)
		s->plan = plan_whole(s, &diags);
	if (!s->plan)
		return gen_error(s, &diags);
	in->plan = s->plan;
	return place_all(s, in, &m->probes);
}

struct err *
session_plan(struct session *s, struct engine_input *in)
{
	struct matching m = { .s = s };

	struct err *err = plan_matched(s, in, &m);
	forget_matches(&m);
	return err;
}
