/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Random statements.
 */
#include <stdio.h>
#include <string.h>

#include "dgen_priv.h"

#define T(...) DTREE(g->a, DTREE_STMT, __VA_ARGS__)
#define F(...) DGEN_F(g, __VA_ARGS__)

/* --- Assignments -------------------------------------------------------------------- */

static struct dtree *
assign_num(struct dgen *g, unsigned depth)
{
	static const char *const ops[] = { "=", "=", "=", "+=", "-=", "*=",
					   "&=", "|=", "^=", "<<=", ">>=" };
	const struct dgen_type *t;
	struct dtree *p = dgen_place(g, DGEN_INT, NULL, depth, &t);

	return T(dgen_text(g, "$ %s $;", DGEN_PICK(g, ops)), p,
		 dgen_num(g, depth));
}

static struct dtree *
assign_str(struct dgen *g, unsigned depth)
{
	const struct dgen_type *t;

	return T("$ = $;", dgen_place(g, DGEN_STR, NULL, depth, &t),
		 dgen_str(g, depth));
}

static struct dtree *
assign_sou(struct dgen *g, unsigned depth)
{
	const struct dgen_type *t;
	struct dtree *p = dgen_place(g, DGEN_SOU, NULL, depth, &t);

	return p ? T("$ = $;", p, dgen_sou(g, t, depth)) : NULL;
}

static struct dtree *
assign_ptr(struct dgen *g, unsigned depth)
{
	const struct dgen_type *t;
	struct dtree *p = dgen_place(g, DGEN_PTR, NULL, depth, &t);

	return p && !g->lost
		? T("$ = $;", p, dgen_user_ptr(g, t->of, depth)) : NULL;
}

/* Storing 0 ends a dynamic variable. */
static struct dtree *
end(struct dgen *g, unsigned depth)
{
	const struct dgen_type *t;
	bool str = dgen_chance(g, 2);

	return T(str && dgen_chance(g, 2) ? "$ = NULL;" : "$ = 0;",
		 dgen_place(g, str ? DGEN_STR : DGEN_INT, NULL, depth, &t));
}

static struct dtree *
effect(struct dgen *g, unsigned depth)
{
	return T("$;", dgen_chance(g, 3) ? dgen_str(g, depth)
					 : dgen_num(g, depth));
}

/* Memory of the clause's own, written to and read. */
static struct dtree *
scratch(struct dgen *g, unsigned depth)
{
	const struct dgen_type *t = dgen_int_type(g), *got;
	const char *p = dgen_text(g, "this->p%u", g->nunits++);

	if (g->lost)
		return NULL;
	if (g->nsou && dgen_chance(g, 2))
		t = g->sou[dgen_below(g, g->nsou)];
	const char *at[] = { dgen_text(g, "%s[1]", p),
			     dgen_text(g, "(*%s)", p) };
	struct dtree *place = dgen_within(g, F(at[dgen_below(g, 2)]), t,
					  DGEN_INT, NULL, depth, &got);
	struct dtree *again = dgen_within(g, F(at[dgen_below(g, 2)]), t,
					  DGEN_INT, NULL, depth, &got);
	if (!place || !again)
		return NULL;
	return T(dgen_text(g, "%s = $; $ = $; %s trace($);", p,
			   dgen_chance(g, 2) ? dgen_text(g, "%s[1] = *%s;", p, p)
					     : ""),
		 dgen_scratch_ptr(g, t, 2, depth), place, dgen_num(g, depth),
		 again);
}

/* Scratch filled from elsewhere, and seen as a whole. */
static struct dtree *
fill(struct dgen *g, unsigned depth)
{
	const struct dgen_type *t;
	const char *p = dgen_text(g, "this->p%u", g->nunits++);
	struct dtree *from = dgen_place(g, DGEN_CHARS, NULL, depth, &t);
	unsigned n = 1 + dgen_below(g, from ? t->n : 24);

	if (!from && g->lost)
		return NULL;
	const char *claim = dgen_text(g, "%s = (char *)alloca(%u);", p,
				      dgen_below(g, 8) ? n + 8 : 8);
	const char *see = dgen_text(g, "%s[$ & 7] = $; tracemem(%s, %u);",
				    p, p, n);
	struct dtree *at = dgen_num(g, depth), *value = dgen_num(g, depth);
	if (from)
		return T(dgen_text(g, "%s bcopy($, %s + %u, %u); %s", claim, p,
				   dgen_below(g, 9), n, see), from, at, value);
	return T(dgen_text(g, "%s copyinto(arg5 + %u, %u, %s); %s", claim,
			   dgen_below(g, 4000), n, p, see), at, value);
}

/* Pointers that are kept for a while: into the kernel, and at characters. */
static struct dtree *
pointers(struct dgen *g, unsigned depth)
{
	static const char *const tasks[] = {
		"curthread", "curthread->real_parent",
		"($ ? curthread : curthread->group_leader)",
	};
	static const char *const uses[] = {
		"trace(%1$s->pid);", "trace(stringof(%1$s->comm));",
		"trace(%1$s->comm[$ & 7]);", "%1$s = NULL; trace(!%1$s);",
		"trace(%1$s == curthread);", "trace((*%1$s).tgid + $);",
	};
	bool self = dgen_chance(g, 2);
	unsigned no = g->nunits++;
	const char *p = dgen_text(g, "%s->p%u", self ? "self" : "this", no);
	char use[80];

	if (!g->lost && dgen_chance(g, 3))
		return T(dgen_text(g, "this->p%u = (char *)copyin(arg5 + %u, 64);"
				   " trace(this->p%u[$ & 63]); trace(stringof("
				   "this->p%u)); trace(*++this->p%u);",
				   no, dgen_below(g, 4000), no, no, no),
			 dgen_num(g, depth));
	snprintf(use, sizeof(use), DGEN_PICK(g, uses), p);
	return T(dgen_text(g, "%s = $; %s", p, use),
		 DGEN_F(g, DGEN_PICK(g, tasks), dgen_num(g, depth)),
		 dgen_num(g, depth));
}

/* --- Aggregations ---------------------------------------------------------------------- */

static const char *const calls[] = {
	"count()", "sum($)", "min($)", "max($)", "avg($)", "stddev($)",
	"quantize($)", "quantize($, $)", "lquantize($, 0, 1000, 10)",
	"lquantize($, -50, 50)", "lquantize($, -3, 900, 7, $)",
	"llquantize($, 10, 0, 6, 20)", "llquantize($, 2, 3, 10, 4, $)",
	"lquantize($, 0, 30000, 1)",
};

static void
new_agg(struct dgen *g)
{
	struct dgen_agg *a = &g->agg[g->naggs];
	char keys[8] = "";

	*a = (struct dgen_agg){
		.name = g->naggs ? dgen_text(g, "@a%u", g->naggs) : "@",
		.call = DGEN_PICK(g, calls),
	};
	if (dgen_chance(g, 3)) {
		g->naggs++;
		return;
	}
	for (unsigned n = 0; n < 1 + dgen_below(g, 4); n++)
		keys[n] = "iissp"[dgen_below(g, 5)];
	if (g->nsou && dgen_chance(g, 5)) {
		a->type = g->sou[dgen_below(g, g->nsou)];
		if (!a->type->has_str)
			keys[0] = 't';
	}
	a->keys = dgen_text(g, "%s", keys);
	g->naggs++;
}

static struct dtree *
arguments(struct dgen *g, const char *call, unsigned depth)
{
	struct dtree *t = F(call);

	for (const char *p = call; (p = strchr(p, '$')); p++)
		dtree_add(g->a, t, dgen_num(g, depth));
	return t;
}

static struct dtree *
aggregate(struct dgen *g, unsigned depth)
{
	bool fresh = g->naggs < DGEN_NAGGS &&
		     (!g->naggs || dgen_chance(g, 6));

	if (fresh)
		new_agg(g);
	const struct dgen_agg *a = &g->agg[fresh ? g->naggs - 1 :
					   dgen_below(g, g->naggs)];
	struct dtree *call = arguments(g, a->call, depth);
	if (!a->keys)
		return T(dgen_text(g, "%s = $;", a->name), call);
	return T(dgen_text(g, "%s[$] = $;", a->name),
		 dgen_keys(g, a->keys, a->type, depth), call);
}

/* What the consumer does to one. */
static struct dtree *
treat(struct dgen *g, unsigned depth)
{
	static const char *const texts[] = {
		"printa(%s);", "clear(%s);", "trunc(%s);", "trunc(%s, $);",
		"normalize(%s, $);", "denormalize(%s);", "printa(\"%%@x\\n\", %s);",
		"printa(\"%%10@d %%@u\\n\", %s);",
	};

	if (!g->naggs)
		return NULL;
	const char *text = DGEN_PICK(g, texts);
	char buf[80];
	snprintf(buf, sizeof(buf), text, g->agg[dgen_below(g, g->naggs)].name);
	return T(dgen_text(g, "%s", buf), dgen_num(g, depth));
}

/* --- Recording ------------------------------------------------------------------------------ */

static struct dtree *
trace(struct dgen *g, unsigned depth)
{
	const struct dgen_type *t;
	const char *form = dgen_chance(g, 4) ? "print($);" : "trace($);";
	static const char *const symbols[] = {
		"sym($);", "func($);", "mod($);", "usym($);", "ufunc($);",
		"umod($);", "uaddr($);",
	};
	struct dtree *p = NULL;

	if (dgen_chance(g, 12))
		return T(DGEN_PICK(g, symbols), dgen_num(g, depth));
	switch (dgen_below(g, 8)) {
	case 0: case 1:
		return T(form, dgen_str(g, depth));
	case 2:
		p = dgen_place(g, DGEN_SOU, NULL, depth, &t);
		return p && !t->has_str ? T(form, p) : NULL;
	case 3:
		p = dgen_place(g, DGEN_CHARS, NULL, depth, &t);
		return p ? T(form, p) : NULL;
	default:
		return T(form, dgen_num(g, depth));
	}
}

static struct dtree *
memory(struct dgen *g, unsigned depth)
{
	const struct dgen_type *t;
	const char *length = dgen_chance(g, 2) ? ", $" : "";
	struct dtree *p = dgen_chance(g, 2)
		? dgen_place(g, DGEN_CHARS, NULL, depth, &t) : NULL;

	if (p)
		return T(dgen_text(g, "tracemem($, %u%s);",
				   1 + dgen_below(g, t->n), length), p,
			 dgen_num(g, depth));
	if (g->lost)
		return NULL;
	if (dgen_chance(g, 3))
		return T(dgen_text(g, "printm(%u, memref(copyin(arg5 + %u, "
				   "48), $));", 1 + dgen_below(g, 48),
				   dgen_below(g, 4000)), dgen_num(g, depth));
	return T(dgen_text(g, "tracemem(copyin(arg5 + %u, 48), %u%s);",
			   dgen_below(g, 4000), 1 + dgen_below(g, 48), length),
		 dgen_num(g, depth));
}

static struct dtree *
print(struct dgen *g, unsigned depth)
{
	static const char *const forms[] = {
		"%d", "%u", "%x", "%5d", "%-10ld", "%o", "%c", "%hhx", "%lld",
		"%#x", "%*d", "%s", "%10s", "%-.3s", "%.*s", "%S", "%p", "%Y",
		"%d%%", "%a", "%A",
	};
	const char *format = "", *args = "";
	struct dtree *t = T("");
	unsigned n = dgen_below(g, 5);

	while (n--) {
		const char *f = DGEN_PICK(g, forms);
		size_t len = strlen(f);
		bool str = f[len - 1] == 's' || f[len - 1] == 'S';
		format = dgen_text(g, "%s %s", format, f);
		args = dgen_text(g, "%s%s%s", args, strchr(f, '*') ? ", $" : "",
				 strchr("pYaA", f[len - 1])
				 ? ", (int64_t)$" : ", $");
		if (strchr(f, '*'))
			dtree_add(g->a, t, dgen_num(g, depth));
		dtree_add(g->a, t, str ? dgen_str(g, depth)
				       : dgen_num(g, depth));
	}
	t->text = dgen_text(g, "printf(\"%s\\n\"%s);", format, args);
	return t;
}

static struct dtree *
leave(struct dgen *g, unsigned depth)
{
	if (!dgen_chance(g, 4))
		return NULL;
	return T("exit($);", dgen_num(g, depth));
}

struct dtree *
dgen_look(struct dgen *g, const struct dgen_var *v)
{
	const struct dgen_type *got;
	enum dgen_kind kind = v->type->kind;
	struct dtree *p = dgen_var_use(g, v, 1);

	if (kind == DGEN_ARRAY || (kind == DGEN_SOU && v->type->has_str))
		p = dgen_within(g, p, v->type, dgen_chance(g, 4) ? DGEN_STR
				: DGEN_INT, NULL, 0, &got);
	else if (kind == DGEN_PTR)
		p = DGEN_N(g, "($ != NULL)", p);
	return p ? T("trace($);", p) : NULL;
}

static struct dtree *
look(struct dgen *g, unsigned depth)
{
	return dgen_look(g, &g->var[dgen_below(g, g->nvars)]);
}

/* --- Speculating ---------------------------------------------------------------------------- */

static const char *
spec_id(struct dgen *g)
{
	static const char *const ids[] = {
		"1", "1", "1", "2", "2", "0", "3", "-1", "speculation()",
		"speculation()",
	};

	return DGEN_PICK(g, ids);
}

static struct dtree *
speculation(struct dgen *g, unsigned depth)
{
	return T("speculation();");
}

/* In an arm of its own, so that the rules of order hold. */
static struct dtree *
speculate(struct dgen *g, unsigned depth)
{
	static const struct dgen_row rows[] = {
		{ trace, 6 }, { print, 3 }, { look, 2 }, { assign_num, 2 },
	};
	struct dtree *list = DTREE(g->a, DTREE_LIST, "\n");

	if (!depth)
		return NULL;
	for (unsigned n = dgen_below(g, 4); n; n--)
		dtree_add(g->a, list, dgen_of(g, rows, BASE_NELEMS(rows),
					      depth - 1));
	return T(dgen_text(g, "if ($) {\nspeculate(%s);\n$\n}", spec_id(g)),
		 dgen_num(g, depth), list);
}

static struct dtree *
commit(struct dgen *g, unsigned depth)
{
	if (dgen_chance(g, 3))
		return T(dgen_text(g, "discard(%s);", spec_id(g)));
	return T(dgen_text(g, "if ($) {\ncommit(%s);\n}", spec_id(g)),
		 dgen_num(g, depth));
}

/* --- Choices --------------------------------------------------------------------------------- */

static struct dtree *
branch(struct dgen *g, unsigned depth)
{
	unsigned n = dgen_below(g, 4);

	if (!depth)
		return NULL;
	struct dtree *t = T("if ($) {\n$\n}$", dgen_num(g, depth),
			    dgen_stmts(g, n, depth - 1));
	struct dtree *other = DTREE(g->a, DTREE_OPT, "");
	if (dgen_chance(g, 2)) {
		other->text = dgen_chance(g, 4) ? " else $" : " else {\n$\n}";
		dtree_add(g->a, other, other->text[6] == '$'
			  ? dgen_stmt(g, depth - 1)
			  : dgen_stmts(g, dgen_below(g, 4), depth - 1));
	}
	dtree_add(g->a, t, other);
	return t;
}

/* A translated struct as a whole. */
static struct dtree *
whole(struct dgen *g, unsigned depth)
{
	static const char *const forms[] = {
		"print(xlate <struct out>((int)$));",
		"whole = xlate <struct out>((int)$);",
		"trace(whole);\ntrace(whole.d);\ntrace(whole.e + $);",
		"this->out = *xlate <struct out *>((int)$);\nprint(this->out);",
	};

	return g->has_xlator && !g->pure
		? T(DGEN_PICK(g, forms), dgen_num(g, depth)) : NULL;
}

static struct dtree *
nothing(struct dgen *g, unsigned depth)
{
	return T(";");
}

struct dtree *
dgen_stmt(struct dgen *g, unsigned depth)
{
	static const struct dgen_row rows[] = {
		{ assign_num, 25 }, { assign_str, 12 }, { assign_sou, 4 },
		{ assign_ptr, 2 }, { end, 4 }, { effect, 8 }, { scratch, 3 },
		{ fill, 3 },
		{ pointers, 2 },
		{ aggregate, 14 }, { treat, 2 }, { trace, 16 }, { print, 10 },
		{ memory, 3 },
		{ speculation, 1 }, { speculate, 3 }, { commit, 2 },
		{ leave, 1 }, { look, 6 }, { branch, 10 }, { whole, 2 },
		{ nothing, 1 }, { dgen_loop, 6 },
	};
	static const struct dgen_row silent[] = {
		{ assign_num, 25 }, { assign_str, 12 }, { end, 3 },
		{ effect, 4 }, { branch, 8 }, { dgen_loop, 8 },
		{ dgen_param_stmt, 20 },
	};

	return g->in_func ? dgen_of(g, silent, BASE_NELEMS(silent), depth)
			  : dgen_of(g, rows, BASE_NELEMS(rows), depth);
}

struct dtree *
dgen_stmts(struct dgen *g, unsigned n, unsigned depth)
{
	struct dtree *list = DTREE(g->a, DTREE_LIST, "\n");

	while (n--)
		dtree_add(g->a, list, dgen_stmt(g, depth));
	return list;
}
