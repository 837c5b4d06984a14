/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Shrinking is greedy: pieces of lists are taken out, halves first, then one
 * by one; expressions and statements give way to a constant or to one of their
 * own kind within them.  Round by round, until a round changes nothing.
 */
#include <string.h>

#include "base/base.h"
#include "diff_priv.h"
#include "dtree.h"

struct dtree *
dtree_new(struct arena *a, enum dtree_class class, const char *text,
	  unsigned n, struct dtree *const *kid)
{
	struct dtree *t = ARENA_NEW(a, struct dtree);

	if (!t)
		diff_die("out of memory");
	t->class = (uint8_t)class;
	t->text = text;
	for (unsigned i = 0; i < n; i++)
		dtree_add(a, t, kid[i]);
	return t;
}

void
dtree_add(struct arena *a, struct dtree *t, struct dtree *kid)
{
	if (t->n == t->cap) {
		t->cap = t->cap ? 2 * t->cap : 4;
		struct dtree **more = ARENA_ARRAY(a, struct dtree *, t->cap);
		if (!more)
			diff_die("out of memory");
		if (t->n)
			memcpy(more, t->kid, t->n * sizeof(*more));
		t->kid = more;
	}
	t->kid[t->n++] = kid;
}

static bool
is_list(const struct dtree *t)
{
	return t->class == DTREE_LIST || t->class == DTREE_SOME;
}

static void
print_list(const struct dtree *t, struct sb *b)
{
	bool any = false;

	for (uint32_t i = 0; i < t->n; i++) {
		if (t->kid[i]->gone)
			continue;
		if (any)
			sb_puts(b, t->text);
		dtree_print(t->kid[i], b);
		any = true;
	}
}

void
dtree_print(const struct dtree *t, struct sb *b)
{
	uint32_t i = 0;

	if (t->gone)
		return;
	if (is_list(t)) {
		print_list(t, b);
		return;
	}
	for (const char *p = t->text; *p; p++)
		if (*p == '$' && i < t->n)
			dtree_print(t->kid[i++], b);
		else
			sb_putc(b, *p);
}

/* --- Shrinking ---------------------------------------------------------------- */

struct shrinker {
	struct arena *a;
	struct dtree **root;
	bool (*still_fails)(void *ctx, const char *text);
	void *ctx;
	unsigned left;		/* tries */
	bool changed;		/* in this round */
	struct sb b;
};

/* Does it still fail, as it is now? */
static bool
holds(struct shrinker *s)
{
	if (!s->left)
		return false;
	s->left--;
	sb_reset(&s->b);
	dtree_print(*s->root, &s->b);
	bool yes = s->still_fails(s->ctx, sb_str(&s->b));
	s->changed |= yes;
	return yes;
}

/* Without kids [from, from + n) of a list? */
static bool
drop(struct shrinker *s, struct dtree *t, uint32_t from, uint32_t n)
{
	uint32_t left = 0, some = 0;
	bool *was = ARENA_ARRAY(s->a, bool, n);

	for (uint32_t i = 0; i < t->n; i++)
		left += !t->kid[i]->gone && (i < from || i >= from + n);
	for (uint32_t i = 0; was && i < n; i++) {
		was[i] = t->kid[from + i]->gone;
		some += !was[i];
		t->kid[from + i]->gone = true;
	}
	if (was && some && (left || t->class == DTREE_LIST) && holds(s))
		return true;
	for (uint32_t i = 0; was && i < n; i++)
		t->kid[from + i]->gone = was[i];
	return false;
}

static void
shrink_list(struct shrinker *s, struct dtree *t)
{
	for (uint32_t n = t->n; n; n /= 2)
		for (uint32_t at = 0; at < t->n; at += n)
			drop(s, t, at, BASE_MIN(n, t->n - at));
}

/* In place of *slot: the nearest nodes of its class within it. */
static bool
hoist(struct shrinker *s, struct dtree **slot, const struct dtree *within,
      unsigned depth)
{
	struct dtree *old = *slot;

	for (uint32_t i = 0; i < within->n; i++) {
		struct dtree *k = within->kid[i];
		if (k->gone)
			continue;
		if (k->class == old->class) {
			*slot = k;
			if (holds(s))
				return true;
			*slot = old;
		} else if (depth && hoist(s, slot, k, depth - 1)) {
			return true;
		}
	}
	return false;
}

static bool
replace(struct shrinker *s, struct dtree **slot, const char *text)
{
	struct dtree *old = *slot;

	if (!old->n && strlen(old->text) <= strlen(text))
		return false;
	*slot = DTREE(s->a, old->class, text);
	if (holds(s))
		return true;
	*slot = old;
	return false;
}

/* A statement within it, in a block of statements. */
static bool
lift(struct shrinker *s, struct dtree **slot, const struct dtree *within)
{
	struct dtree *old = *slot;

	for (uint32_t i = 0; i < within->n; i++) {
		struct dtree *k = within->kid[i];
		if (!is_list(k) && lift(s, slot, k))
			return true;
		if (!is_list(k) || k->gone || strcmp(k->text, "\n"))
			continue;
		*slot = DTREE(s->a, DTREE_STMT, "$", k);
		if (holds(s))
			return true;
		*slot = old;
	}
	return false;
}

static void
shrink(struct shrinker *s, struct dtree **slot)
{
	struct dtree *t = *slot;

	if (t->gone || !s->left)
		return;
	if (is_list(t))
		shrink_list(s, t);
	if (t->class == DTREE_OPT) {
		t->gone = true;
		if (holds(s))
			return;
		t->gone = false;
	}
	if (t->class == DTREE_NUM && !replace(s, slot, "0") &&
	    !replace(s, slot, "1"))
		hoist(s, slot, t, 3);
	if (t->class == DTREE_STR && !replace(s, slot, "\"\"") &&
	    !replace(s, slot, "\"a\""))
		hoist(s, slot, t, 3);
	if (t->class == DTREE_STMT)
		lift(s, slot, t);
	t = *slot;
	for (uint32_t i = 0; i < t->n; i++)
		shrink(s, &t->kid[i]);
}

void
dtree_shrink(struct arena *a, struct dtree **t,
	     bool (*still_fails)(void *ctx, const char *text), void *ctx,
	     unsigned max)
{
	struct shrinker s = {
		.a = a, .root = t, .still_fails = still_fails, .ctx = ctx,
		.left = max,
	};

	sb_init(&s.b, 1 << 24);
	do {
		s.changed = false;
		shrink(&s, t);
	} while (s.changed && s.left);
	sb_fini(&s.b);
}
