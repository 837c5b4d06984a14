/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptions that fire nowhere, as no probe can stand at any of their places.  Who says a
 * pattern that many match does not ask for each; who names few is told, also when others
 * fire.  Whatever else is left out is told to who wants to know everything (-v).
 */
#include "prov/coming.h"
#include "session/run_priv.h"

enum { FEW = 16 };		/* probes of one description */

struct counting {
	struct session *s;
	unsigned n;
	bool fires;		/* one of them does, or they are more than a few */
	const struct probe *first;
	const char *why;	/* of the first */
};

static bool
count(void *ctx, const struct probe *p)
{
	struct counting *c = ctx;
	const char *why = hash_get(&c->s->points.nowhere, &p->id, sizeof(p->id));

	if (!hash_get(&c->s->points.placed, &p->id, sizeof(p->id)))
		return true;	/* it is for lists */
	if (!c->n++) {
		c->first = p;
		c->why = why;
	}
	c->fires = !why || c->n > FEW;
	return !c->fires;
}

static struct err *
tell(struct session *s, const struct probe_desc *d, struct sb *b)
{
	struct counting c = { .s = s };

	TRY(prov_match(s->prov, d, count, &c));
	if (!c.n || c.fires)
		return NULL;
	sb_printf(b, "%s:%s:%s:%s", d->prov, d->mod, d->func, d->name);
	void **told = b->failed ? NULL :
		hash_ref(&s->points.told, sb_str(b), b->len);
	if (!told)
		return &err_nomem;
	if (*told)		/* of another clause, or before */
		return NULL;
	*told = s;
	sb_printf(b, " fires nowhere: no probe can stand at %s:%s:%s:%s", c.first->prov,
		  c.first->mod, c.first->func, c.first->name);
	if (c.n > 1)
		sb_printf(b, " and %u more", c.n - 1);
	sb_printf(b, ", %s", c.why);
	session_tell(s, sb_str(b));
	return NULL;
}

struct err *
session_tell_nowhere(struct session *s)
{
	struct err *e = NULL;
	struct sb b;

	if (!s->points.nowhere.nlive)
		return NULL;
	sb_init(&b, 1 << 16);
	for (size_t i = 0; i < s->enabled.n; i++) {
		const struct sema_prog *p = s->enabled.v[i];
		for (uint32_t c = 0; c < p->nclauses; c++)
			for (uint32_t d = 0; d < p->clauses[c].ndescs && !e; d++) {
				sb_reset(&b);
				if (prov_names_processes(s->prov, &p->clauses[c].descs[d]))
					e = tell(s, &p->clauses[c].descs[d], &b);
			}
	}
	sb_fini(&b);
	return e;
}
