/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which probes a description matches, as part of its program.
 *
 * Some system calls have several names elsewhere, and scripts name them all:
 * "syscall::open:entry, syscall::open64:entry".  On the system that has them
 * all a call is one of them; here each is open, and the call must not be seen
 * twice.  So a probe that a description matches by a foreign name only is left
 * out when
 *  1. another description of the clause matches it, by its own name or, if it
 *     stands before, by any; or
 *  2. a description elsewhere in the program names the call as it is called
 *     here; or
 *  3. one in an earlier clause gives the call another foreign name, and none of that
 *     clause this one: the same list stands before clause after clause.
 * A pattern elsewhere (syscall:::entry) takes nothing away: it is about all
 * calls, and its clause is one more thing to do.
 *
 * Of what each process has, and all have together, a description that matches both
 * means all: who is there is listed, and who comes fires, too.
 */
#include <string.h>

#include "prov/coming.h"
#include "session/program_priv.h"

struct matching {
	struct session *s;
	const struct sema_prog *prog;
	uint32_t clause, desc;
	bool lists;			/* nothing will be traced */
	prov_match_fn *fn;
	void *ctx;
	bool stopped;
};

/* Does description i of the clause leave p to this one? */
static bool
takes_here(const struct matching *m, uint32_t i, const struct probe *p)
{
	const struct probe_desc *d = &m->prog->clauses[m->clause].descs[i];

	if (i == m->desc)
		return false;
	return probe_desc_match(d, p) ||
	       (i < m->desc && prov_by_alias(m->s->prov, d, p));
}

static bool
names_alike(const struct sema_clause *cl, const char *func)
{
	return BASE_ANY(i, cl->ndescs, strcmp(cl->descs[i].func, func) == 0);
}

static bool
takes_elsewhere(const struct matching *m, uint32_t c,
		const struct probe_desc *d, const struct probe *p)
{
	const struct sema_clause *own = &m->prog->clauses[m->clause];

	if (probe_desc_match(d, p))
		return strcmp(d->func, p->func) == 0;
	return c < m->clause && !names_alike(&m->prog->clauses[c], own->descs[m->desc].func) &&
	       prov_by_alias(m->s->prov, d, p);
}

static bool
is_left_out(const struct matching *m, const struct probe *p)
{
	const struct sema_prog *prog = m->prog;
	const struct probe_desc *own = &prog->clauses[m->clause].descs[m->desc];

	if (m->lists ? prov_is_unlisted(m->s->prov, p)
		     : prov_is_covered(m->s->prov, own, p))
		return true;
	if (!prov_by_alias(m->s->prov, own, p))
		return false;
	for (uint32_t c = 0; c < prog->nclauses; c++) {
		const struct sema_clause *cl = &prog->clauses[c];
		for (uint32_t i = 0; i < cl->ndescs; i++)
			if (c == m->clause
			    ? takes_here(m, i, p)
			    : takes_elsewhere(m, c, &cl->descs[i], p))
				return true;
	}
	return false;
}

static bool
pass_on(void *ctx, const struct probe *p)
{
	struct matching *m = ctx;

	if (is_left_out(m, p))
		return true;
	m->stopped = !m->fn(m->ctx, p);
	return !m->stopped;
}

static struct err *
match(struct matching *m)
{
	return prov_match(m->s->prov,
			  &m->prog->clauses[m->clause].descs[m->desc],
			  pass_on, m);
}

struct err *
session_match(struct session *s, const struct sema_prog *p, uint32_t c,
	      uint32_t d, prov_match_fn *fn, void *ctx)
{
	struct matching m = { .s = s, .prog = p, .clause = c, .desc = d,
			      .lists = true, .fn = fn, .ctx = ctx };

	return match(&m);
}

struct err *
session_match_clause(struct session *s, const struct sema_prog *p, uint32_t c,
		     prov_match_fn *fn, void *ctx)
{
	struct matching m = { .s = s, .prog = p, .clause = c, .fn = fn,
			      .ctx = ctx };

	for (; m.desc < p->clauses[c].ndescs && !m.stopped; m.desc++)
		TRY(match(&m));
	return NULL;
}
