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
 */
#include <string.h>
#include <strings.h>

#include "base/base.h"
#include "prov/prov_priv.h"

enum {
	FAR = 1000,		/* more than any sum of near fields */
	NFIELDS = 4,
	MAX_SUGGESTIONS = 16,
	TEXT_SIZE = PROBE_PROVLEN + PROBE_MODLEN + PROBE_FUNCLEN +
		    PROBE_NAMELEN,
};

struct best {
	struct arena *arena;
	const char **texts;
	unsigned scores[MAX_SUGGESTIONS];
	unsigned n, max;
	unsigned far;		/* a score from here on is not near */
};

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
	unsigned n = probe_edit_distance(field, name, max);
	/* As many edits as letters is another word. */
	return n > max || n >= len ? FAR : n;
}

static unsigned
score(const struct probe_desc *d, const struct probe *p)
{
	const char *const pairs[][2] = {
		{ d->prov, p->prov }, { d->name, p->name },
		{ d->mod, p->mod }, { d->func, p->func },
	};
	unsigned sum = 0;

	for (size_t i = 0; i < BASE_NELEMS(pairs) && sum < FAR; i++)
		sum += score_field(pairs[i][0], pairs[i][1]);
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

static void
offer(struct best *best, const struct probe_desc *d, const struct probe *p)
{
	unsigned at = best->n, n = score(d, p);
	char text[TEXT_SIZE];
	struct base_buf b;

	while (at && best->scores[at - 1] > n)
		at--;
	if (n >= best->far || at >= best->max)
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

static void
look(struct prov_set *s, const struct probe_desc *d, struct best *best)
{
	for (unsigned i = 0; i < PROV_NPROVIDERS; i++) {
		const struct prov_ops *ops = prov_table[i];
		if (score_field(d->prov, ops->name) >= best->far)
			continue;
		/* Out of memory there are just fewer suggestions. */
		err_free(prov_mention(s, i, d));
		err_free(prov_fill(s, i));
		for (uint32_t k = 0; s->groups[i].probes && k < ops->nstanding;
		     k++)
			offer(best, d, &s->groups[i].probes[k]);
	}
	for (size_t i = 0; i < s->made.n; i++)
		offer(best, d, s->made.v[i]);
}

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

unsigned
prov_suggest(struct prov_set *s, const struct probe_desc *d, struct arena *a,
	     const char **ret, unsigned n)
{
	struct best best = {
		.arena = a, .texts = ret, .far = 1,
		.max = BASE_MIN(n, (unsigned)MAX_SUGGESTIONS),
	};
	struct probe_desc moved;

	if (d->id)
		return 0;
	for (unsigned where = 1; !best.n && where < 1u << NFIELDS; where++)
		if (move_fields(d, where, &moved))
			look(s, &moved, &best);
	best.far = FAR;
	if (!best.n)
		look(s, d, &best);
	return best.n;
}
