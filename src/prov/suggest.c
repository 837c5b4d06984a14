/* SPDX-License-Identifier: BSD-2-Clause
 *
 * "Did you mean": the probes whose names take the fewest edits from a
 * description that matched nothing.  Fields that the description left empty,
 * and patterns that do match, stay as they are in the answer; so a misspelt
 * provider is one suggestion and not one for each of its probes.
 *
 * A colon may be missing or too many, too: "syscall:write:entry" is a module, a
 * function and a name.  So the fields are first tried in other places, in their
 * order, and there they must match as they are.
 *
 * A hint is not worth a wait, so there are bounds: only so many names of a provider
 * are looked at.  And one that would list a hundred thousand probes is not asked for
 * all that it has.  It tells which functions it has, and is asked for those that are
 * nearest; or, when it cannot tell, for the function that the description names, and
 * what others made it list before is looked at, too.
 */
#include <string.h>
#include <strings.h>

#include "base/base.h"
#include "prov/near.h"
#include "prov/prov_priv.h"

enum {
	FAR = 1000,		/* more than any sum of near fields */
	MOVED = 4,		/* a function in another module: more than a slip */
	NFIELDS = 4,
	MAX_SUGGESTIONS = 16,
	BUDGET = 50000,		/* names of a provider that are looked at; */
	FUNCTIONS = 200000,	/* of functions, where that is all: some 10 ms */
	TEXT_SIZE = PROBE_PROVLEN + PROBE_MODLEN + PROBE_FUNCLEN +
		    PROBE_NAMELEN,
};

struct best {
	struct arena *arena;
	const char **texts;
	unsigned scores[MAX_SUGGESTIONS];
	unsigned n, max;
};

/* What a compiler or the kernel makes of a function: f.isra.0, f_noprof. */
static bool
is_made_of(const char *field, const char *name)
{
	size_t len = strlen(field);

	return strncmp(field, name, len) == 0 &&
	       (name[len] == '.' || strcmp(name + len, "_noprof") == 0);
}

/* Edits from a field of the description to a name; FAR when too many to be a
 * slip of the fingers. */
static unsigned
score_field(const char *field, const char *name)
{
	size_t len = strlen(field);
	unsigned max = len <= 2 ? 1 : len <= 5 ? 2 : 3;

	if (!*field)
		return 0;
	if (probe_has_glob(field))
		return probe_glob_match(field, name) ? 0 : FAR;
	if (strcasecmp(field, name) == 0)
		return strcmp(field, name) != 0;
	if (is_made_of(field, name))
		return 1;
	unsigned n = probe_edit_distance(field, name, max);
	/* As many edits as letters is another word. */
	return n > max || n >= len ? FAR : n;
}

/* What is a module of one kernel is built into another: where the function is the one
 * that was meant, its module may be any. */
static unsigned
score_place(const struct probe_desc *d, const char *mod, const char *func)
{
	unsigned edits = score_field(d->mod, mod);

	if (edits == FAR && *d->func && strcmp(d->func, func) == 0)
		edits = MOVED;
	return BASE_MIN(edits + score_field(d->func, func), (unsigned)FAR);
}

static unsigned
score(const struct probe_desc *d, const struct probe *p)
{
	unsigned sum = score_place(d, p->mod, p->func);

	if (sum < FAR)
		sum += score_field(d->name, p->name);
	if (sum < FAR)
		sum += score_field(d->prov, p->prov);
	return BASE_MIN(sum, (unsigned)FAR);
}

static const char *
corrected(const char *field, const char *name)
{
	return *field && !probe_has_glob(field) ? name : field;
}

static void
print_corrected(const struct probe_desc *d, const struct probe *p,
		struct base_buf *b)
{
	struct probe_desc c = {
		p->prov, corrected(d->mod, p->mod), corrected(d->func, p->func),
		corrected(d->name, p->name),
	};

	probe_desc_print(&c, b);
}

/* p, which is n edits from d. */
static void
offer(struct best *best, const struct probe_desc *d, const struct probe *p,
      unsigned n)
{
	unsigned at = best->n;
	char text[TEXT_SIZE];
	struct base_buf b;

	while (at && best->scores[at - 1] > n)
		at--;
	if (at >= best->max)
		return;
	base_buf_init(&b, text, sizeof(text));
	print_corrected(d, p, &b);
	for (unsigned i = 0; i < best->n; i++)
		if (strcmp(best->texts[i], text) == 0)
			return;
	const char *copy = arena_strdup(best->arena, text);
	if (!copy)
		return;
	best->n += best->n < best->max;
	for (unsigned i = best->n - 1; i > at; i--) {
		best->texts[i] = best->texts[i - 1];
		best->scores[i] = best->scores[i - 1];
	}
	best->texts[at] = copy;
	best->scores[at] = n;
}

/* A large provider is asked only about a function by its name. */
static bool
is_cheap(const struct prov_ops *ops, const struct probe_desc *d)
{
	return !ops->is_large || (*d->func && !probe_has_glob(d->func));
}

/* Out of memory there are just fewer suggestions. */
static void
ask(struct prov_set *s, uint32_t i, const struct probe_desc *d)
{
	const struct prov_ops *ops = s->providers.v[i].ops;

	if (prov_may_match(ops, d) && is_cheap(ops, d))
		err_free(prov_ask_one(s, i, d));
}

/* --- Fields in other places ----------------------------------------------- */

/* The fields of d that are not empty, in the places of the bits of `where`;
 * false when they are not as many. */
static bool
move_fields(const struct probe_desc *d, unsigned where, struct probe_desc *ret)
{
	const char *from[NFIELDS] = { d->prov, d->mod, d->func, d->name };
	const char *to[NFIELDS];
	unsigned next = 0;

	for (unsigned i = 0; i < NFIELDS; i++) {
		to[i] = "";
		if (!(where & 1u << i))
			continue;
		while (next < NFIELDS && !*from[next])
			next++;
		if (next == NFIELDS)
			return false;
		to[i] = from[next++];
	}
	while (next < NFIELDS && !*from[next])
		next++;
	*ret = (struct probe_desc){ to[0], to[1], to[2], to[3], 0 };
	return next == NFIELDS;
}

/* Those that d matches as it stands. */
static void
offer_matches(struct prov_set *s, const struct probe_desc *d,
	      struct best *best)
{
	struct probe_matcher m;

	probe_matcher_init(&m, d);
	for (uint32_t i = 0; i < s->providers.n; i++) {
		const struct provider *v = &s->providers.v[i];
		unsigned budget = BUDGET;
		if (!prov_may_match(v->ops, d))
			continue;
		ask(s, i, d);
		for (uint32_t id = v->low; id <= v->high && budget; id++) {
			const struct probe *p = s->probes.v[id - 1];
			if (!p || p->provider != i)
				continue;
			budget--;
			s->work.matched++;
			if (probe_matcher_match(&m, p))
				offer(best, d, p, 0);
		}
	}
}

static void
offer_moved(struct prov_set *s, const struct probe_desc *d, struct best *best)
{
	struct probe_desc moved;

	for (unsigned where = 1; !best->n && where < 1u << NFIELDS; where++)
		if (move_fields(d, where, &moved))
			offer_matches(s, &moved, best);
}

/* --- Fields with other names ---------------------------------------------- */

/* Have the provider make what may be near d: what d itself names there, and
 * everything; or, when that is much, what has the function of d. */
static void
ask_near(struct prov_set *s, uint32_t i, const struct probe_desc *d)
{
	const struct prov_ops *ops = s->providers.v[i].ops;
	const char *prov = probe_has_glob(ops->name) ? d->prov : ops->name;
	struct probe_desc here = { prov, d->mod, d->func, d->name, 0 };
	struct probe_desc func = { prov, "", d->func, "", 0 };

	ask(s, i, &here);
	if (ops->is_large)
		ask(s, i, &func);
	else
		err_free(prov_ask_all(s, i));
}

/* The nearest functions of a large provider. */
struct nearing {
	struct prov_set *s;
	const struct probe_desc *d;
	struct best *best;
	struct prov_near near;
	unsigned budget;
};

static bool
on_function(void *ctx, const char *mod, const char *func)
{
	struct nearing *x = ctx;
	unsigned n = score_place(x->d, mod, func);

	x->s->work.scored++;
	if (n < FAR)
		prov_near_add(&x->near, func, n);
	return --x->budget;
}

static bool
on_match(void *ctx, const struct probe *p)
{
	struct nearing *x = ctx;
	unsigned n = score(x->d, p);

	if (n < FAR)
		offer(x->best, x->d, p, n);
	return true;
}

static void
offer_functions(struct prov_set *s, const struct prov_ops *ops,
		const struct probe_desc *d, struct best *best)
{
	struct nearing x = { .s = s, .d = d, .best = best, .budget = FUNCTIONS };

	err_free(ops->functions(s, on_function, &x));
	for (unsigned i = 0; i < x.near.n; i++)
		err_free(prov_match(s, &(struct probe_desc){
			.prov = ops->name, .mod = "", .func = x.near.v[i],
			.name = "" }, on_match, &x));
}

static void
offer_near(struct prov_set *s, const struct probe_desc *d, struct best *best)
{
	for (uint32_t i = 0; i < s->providers.n; i++) {
		const struct provider *v = &s->providers.v[i];
		unsigned budget = BUDGET;
		if (!probe_globs_meet(d->prov, v->ops->name) &&
		    score_field(d->prov, v->ops->name) >= FAR)
			continue;
		if (v->ops->functions) {
			offer_functions(s, v->ops, d, best);
			continue;
		}
		ask_near(s, i, d);
		for (uint32_t id = v->low; id <= v->high && budget; id++) {
			const struct probe *p = s->probes.v[id - 1];
			if (!p || p->provider != i)
				continue;
			budget--;
			s->work.scored++;
			unsigned n = score(d, p);
			if (n < FAR)
				offer(best, d, p, n);
		}
	}
}

unsigned
prov_suggest(struct prov_set *s, const struct probe_desc *d, struct arena *a,
	     const char **ret, unsigned n)
{
	struct best best = {
		.arena = a, .texts = ret,
		.max = BASE_MIN(n, (unsigned)MAX_SUGGESTIONS),
	};

	if (d->id || !best.max)
		return 0;
	offer_moved(s, d, &best);
	if (!best.n)
		offer_near(s, d, &best);
	/* Beside the nearest the next best are noise. */
	while (best.n && best.scores[best.n - 1] > best.scores[0])
		best.n--;
	return best.n;
}
