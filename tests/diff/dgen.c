/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Random programs: options, declarations, a clause that gives every variable
 * its type and a value, clauses at random, clauses that show what has become
 * of the variables.
 */
#include <string.h>

#include "dgen_priv.h"

/* --- Choosing --------------------------------------------------------------------- */

unsigned
dgen_below(struct dgen *g, unsigned n)
{
	uint64_t z = g->seed += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (unsigned)((z ^ z >> 31) >> 33) % n;
}

bool
dgen_chance(struct dgen *g, unsigned one_in)
{
	return dgen_below(g, one_in) == 0;
}

struct dtree *
dgen_of(struct dgen *g, const struct dgen_row *rows, unsigned n,
	unsigned depth)
{
	unsigned total = 0;

	for (unsigned i = 0; i < n; i++)
		total += rows[i].weight;
	for (;;) {
		unsigned at = dgen_below(g, total), i = 0;
		while (at >= rows[i].weight)
			at -= rows[i++].weight;
		struct dtree *t = rows[i].fn(g, depth);
		if (t)
			return t;
	}
}

const char *
dgen_text(struct dgen *g, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	char *text = arena_vprintf(g->a, fmt, ap);
	va_end(ap);
	return text;
}

/* --- Head ---------------------------------------------------------------------------- */

static void
options(struct dgen *g, struct dtree *list)
{
	static const unsigned strsizes[] = { 8, 16, 20, 32, 64, 100, 256, 256,
					     256, 512 };
	static const unsigned scratches[] = { 256, 1024, 4096 };

	dtree_add(g->a, list, DGEN_F(g, dgen_text(g,
		"#pragma D option strsize=%u", DGEN_PICK(g, strsizes))));
	if (dgen_chance(g, 4))
		dtree_add(g->a, list, DGEN_F(g, dgen_text(g,
			"#pragma D option scratchsize=%u",
			DGEN_PICK(g, scratches))));
	if (dgen_chance(g, 6))		/* records that say who fired */
		dtree_add(g->a, list,
			  DGEN_F(g, "#pragma D option oformat=json"));
}

static void
inlines(struct dgen *g, struct dtree *list)
{
	unsigned n = dgen_below(g, DGEN_NINLINES + 1);

	g->pure = true;
	for (unsigned i = 0; i < n; i++) {
		bool str = dgen_chance(g, 3), param = !str && dgen_chance(g, 3);
		const char *name = dgen_text(g, "in%u", i);
		const char *type = str ? "string" : dgen_int_type(g)->name;
		struct dtree *e = str ? dgen_str(g, 2) : dgen_num(g, 2);
		g->budget = 20;
		dtree_add(g->a, list, param
			? DGEN_F(g, dgen_text(g, "inline %s %s[long k, string l]"
				 " = k ^ strlen(l) ^ $;", type, name), e)
			: DGEN_F(g, dgen_text(g, "inline %s %s = $;", type,
					      name), e));
		g->inl[g->ninl].is_str = str;
		g->inl[g->ninl++].use = param ? dgen_text(g, "%s[$, $]", name)
					      : name;
	}
	if (dgen_chance(g, 2)) {
		g->budget = 20;
		dtree_add(g->a, list, DGEN_F(g, "struct out { long a; short b; "
			"string c; int e:7; char d[5]; long none; };\n"
			"struct out whole;\n"
			"translator struct out < int v > { "
			"d = lltostr(v); e = v; "
			"a = v * $; b = v; c = lltostr(v + $); };",
			dgen_num(g, 2), dgen_num(g, 2)));
		g->has_xlator = true;
	}
	g->pure = false;
}

/* Values that fix types; what is declared already just gets one. */
static struct dtree *
initial(struct dgen *g)
{
	struct dtree *list = DTREE(g->a, DTREE_LIST, "\n");

	g->pure = true;		/* what is not declared is not known yet */
	for (unsigned i = 0; i < g->nvars; i++) {
		const struct dgen_var *v = &g->var[i];
		struct dtree *use = dgen_var_use(g, v, 0), *value;
		if (v->type->kind == DGEN_INT)
			value = DGEN_F(g, dgen_text(g, "(%s)$", v->type->name),
				       dgen_num(g, 0));
		else if (v->type->kind == DGEN_STR)
			value = dgen_literal(g);
		else if (v->type->kind == DGEN_PTR)
			value = dgen_user_ptr(g, v->type->of, 0);
		else
			continue;
		dtree_add(g->a, list, DTREE(g->a, DTREE_STMT, "$ = $;", use,
					    value));
	}
	g->pure = false;
	return list;
}

/* --- Clauses ------------------------------------------------------------------------------ */

/* typed: args[] are known.  lost: arg5 is no address of ours. */
static const struct where {
	const char *text;
	bool typed, lost;
	unsigned weight;
} places[2][12] = {
	[DGEN_DIFF] = {
		{ "diff:::a", true, false, 5 },
		{ "diff:mod:func:b,\ndiff:::c", true, false, 4 },
		{ "diff:::[a-c]", true, false, 5 },
		{ "diff:::ret", false, false, 4 },
		{ "diff:::", false, false, 4 },
		{ "BEGIN", false, false, 3 },
		{ "dtrace:::BEGIN, diff:::c", false, false, 2 },
		{ "ERROR", false, true, 2 },
		{ "c", true, false, 3 },
		{ "diff:::a,\ndiff:::[a-c],\nc", true, false, 1 },
	},
	[DGEN_REAL] = {
		{ "syscall::getppid:entry", false, false, 6 },
		{ "syscall::getppid:return", false, true, 4 },
		{ "syscall::getp*:", false, true, 3 },
		{ "syscall:::entry", false, false, 3 },
		{ "syscall:::return", false, true, 3 },
		{ "BEGIN", false, true, 3 },
		{ "END", false, true, 2 },
		{ "ERROR", false, true, 2 },
		{ "tick-50", false, true, 1 },
		{ "profile-97", false, true, 1 },
		{ "syscall::read:entry, syscall::getuid:entry,\nBEGIN", false,
		  true, 3 },
	},
};

static const struct where *
pick_place(struct dgen *g)
{
	const struct where *rows = places[g->world];
	unsigned total = 0, i = 0;

	for (; i < BASE_NELEMS(places[0]); i++)
		total += rows[i].weight;
	unsigned at = dgen_below(g, total);
	for (i = 0; at >= rows[i].weight; i++)
		at -= rows[i].weight;
	return &rows[i];
}

/* In the real world every clause is for us alone. */
static struct dtree *
predicate(struct dgen *g, bool some)
{
	struct dtree *e = some ? dgen_num(g, 3) : NULL;

	if (g->world == DGEN_DIFF)
		/* The blank: what begins with * would begin a comment. */
		return e ? DTREE(g->a, DTREE_OPT, "\n/ $/", e)
			 : DTREE(g->a, DTREE_OPT, "");
	if (!e)
		return DGEN_F(g, "\n/pid == $pid/");
	return DGEN_F(g, "\n/pid == $ && ($)/", DGEN_F(g, "$pid"), e);
}

static struct dtree *
clause_of(struct dgen *g, const char *where, struct dtree *pred,
	  struct dtree *body)
{
	return DGEN_F(g, dgen_text(g, "%s$\n{\n$\n}\n", where), pred, body);
}

static struct dtree *
clause(struct dgen *g)
{
	static const unsigned lengths[] = { 1, 2, 3, 4, 5, 6, 8, 12, 20, 40 };
	static const unsigned depths[] = { 1, 2, 2, 3, 3, 4, 6 };
	const struct where *w = pick_place(g);

	g->typed = w->typed;
	g->lost = w->lost;
	g->budget = 20 + (int)dgen_below(g, dgen_chance(g, 6) ? 400 : 80);
	struct dtree *pred = predicate(g, dgen_chance(g, 4));
	unsigned n = w->lost && !strcmp(w->text, "ERROR") ? 1 + dgen_below(g, 3) : DGEN_PICK(g, lengths);
	struct dtree *body = DTREE(g->a, DTREE_LIST, "\n");
	while (n--)
		dtree_add(g->a, body, dgen_stmt(g, DGEN_PICK(g, depths)));
	return clause_of(g, w->text, pred, body);
}

/* Clauses that show all variables, a few each. */
static void
looks(struct dgen *g, struct dtree *clauses)
{
	g->typed = g->lost = false;
	for (unsigned i = 0; i < g->nvars; i += 6) {
		struct dtree *body = DTREE(g->a, DTREE_LIST, "\n");
		for (unsigned k = i; k < g->nvars && k < i + 6; k++) {
			struct dtree *t = dgen_look(g, &g->var[k]);
			if (t)
				dtree_add(g->a, body, t);
		}
		dtree_add(g->a, clauses, clause_of(g, "diff:::",
			predicate(g, false), body));
	}
}

struct dtree *
dgen_program(struct arena *a, uint64_t seed, enum dgen_world world)
{
	static const unsigned sizes[] = { 1, 2, 4, 6, 10, 20 };
	struct dgen g = { .a = a, .seed = seed, .world = world };
	struct dtree *head = DTREE(a, DTREE_LIST, "\n");
	struct dtree *clauses = DTREE(a, DTREE_LIST, "\n");
	unsigned n;

	options(&g, head);
	dgen_types(&g, head);
	dgen_vars(&g, head);
	struct dtree *first = DTREE(a, DTREE_STMT, "BEGIN$\n{\n$\n}\n",
				    predicate(&g, false), initial(&g));
	inlines(&g, head);
	struct dtree *funcs = dgen_funcs(&g);
	n = 1 + dgen_below(&g, DGEN_PICK(&g, sizes));
	while (n--)
		dtree_add(a, clauses, clause(&g));
	if (world == DGEN_DIFF)
		looks(&g, clauses);
	return DTREE(a, DTREE_FIX, world == DGEN_DIFF
		? "$\nBEGIN, diff::: { trace(timestamp); }\n$$$"
		: "$\n$$$", head, first, funcs, clauses);
}
