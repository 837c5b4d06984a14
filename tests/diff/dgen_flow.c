/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Random loops and functions.
 *
 * A loop has a counter of its own that nothing else writes to, so it ends, and
 * few turns: what loops take is multiplied by those around them, and by calls of
 * functions.  A few run too far, and fault.
 */
#include <stdio.h>
#include <string.h>

#include "dgen_priv.h"

#define T(...) DTREE(g->a, DTREE_STMT, __VA_ARGS__)

enum { MAX_LOOPS = 2 };		/* nested */

/* %1$s is the counter, %2$u a number. */
static const char *const heads[] = {
	"for (%1$s = 0; %1$s < %2$u; %1$s++) {\n$\n}",
	"for (%1$s = %2$u; %1$s; %1$s--) {\n$\n}",
	"%1$s = 0;\nwhile (%1$s++ < %2$u) {\n$\n}",
	"%1$s = %2$u;\ndo {\n$\n} while (%1$s-- > 1);",
	"for (%1$s = 0; ; ) {\nif (%1$s++ == %2$u) break;\n$\n}",
	"for (%1$s = 0; %1$s < %2$u && ($ || 1); %1$s += 2)\n$",
	"for (%1$s = 0; %1$s < 5000; %1$s++) {\nif (%1$s > %2$u) {\n$\n"
	"break;\n}\n}",
};

static const char *
head_text(struct dgen *g, const char *counter, unsigned n)
{
	const char *text = DGEN_PICK(g, heads);
	char buf[256];

	if (dgen_chance(g, 40))		/* too far */
		text = "for (%1$s = 0; %1$s >= 0; %1$s++) {\n$\n}";
	snprintf(buf, sizeof(buf), text, counter, n);
	return dgen_text(g, "%s", buf);
}

struct dtree *
dgen_loop(struct dgen *g, unsigned depth)
{
	bool local = dgen_chance(g, 4);
	const char *counter = dgen_text(g, local ? "n%u" : "this->n%u",
					g->nunits++);
	unsigned n = dgen_below(g, 5);

	if (!depth || g->loops == MAX_LOOPS)
		return NULL;
	const char *text = local
		? dgen_text(g, "for (int %s = 0; %s < %u; %s++) {\n$\n}",
			    counter, counter, n, counter)
		: head_text(g, counter, n);
	struct dtree *t = T(text), *body = DTREE(g->a, DTREE_LIST, "\n");
	if (strstr(text, "($ || 1)"))
		dtree_add(g->a, t, dgen_num(g, 1));
	g->loops++;
	if (!strstr(text, ")\n$")) {
		if (dgen_chance(g, 3))
			dtree_add(g->a, body, T(dgen_chance(g, 2)
				? "if ($) break;" : "if ($) continue;",
				dgen_num(g, 1)));
		dtree_add(g->a, body, dgen_stmts(g, dgen_below(g, 3),
						 depth - 1));
	} else {
		body = dgen_stmt(g, depth - 1);
	}
	g->loops--;
	dtree_add(g->a, t, body);
	return t;
}

/* --- Functions ------------------------------------------------------------ */

/* A call, which may be inside a later function. */
struct dtree *
dgen_func_call(struct dgen *g, bool is_str, unsigned depth)
{
	unsigned i = g->nfuncs ? dgen_below(g, g->nfuncs) : 0;

	if (!g->nfuncs || g->pure || g->func_str[i] != is_str)
		return NULL;
	const char *text = dgen_text(g, "f%u($, $)", i);
	struct dtree *num = dgen_num(g, depth), *str = dgen_str(g, depth);
	return is_str ? DGEN_S(g, text, num, str) : DGEN_N(g, text, num, str);
}

struct dtree *
dgen_param_stmt(struct dgen *g, unsigned depth)
{
	if (!g->in_func)
		return NULL;
	switch (dgen_below(g, 4)) {
	case 0: return T("fa = $;", dgen_num(g, depth));
	case 1: return T("fb = $;", dgen_str(g, depth));
	case 2: return T("fa++;");
	default:
		return T("if ($)\nreturn $;", dgen_num(g, depth),
			 g->func_str[g->nfuncs] ? dgen_str(g, depth)
						: dgen_num(g, depth));
	}
}

static struct dtree *
func(struct dgen *g)
{
	bool str = g->func_str[g->nfuncs] = dgen_chance(g, 3);
	const char *type = str ? "string" : dgen_int_type(g)->name;
	const char *head = dgen_text(g, "static %s\nf%u(%s fa, string fb)\n"
				     "{\n$\nreturn $;\n}\n", type, g->nfuncs,
				     dgen_int_type(g)->name);

	g->budget = 16;
	struct dtree *body = dgen_stmts(g, dgen_below(g, 4), 2);
	return DGEN_F(g, head, body, str ? dgen_str(g, 2) : dgen_num(g, 2));
}

struct dtree *
dgen_funcs(struct dgen *g)
{
	struct dtree *list = DTREE(g->a, DTREE_LIST, "\n");
	unsigned n = dgen_chance(g, 2) ? dgen_below(g, DGEN_NFUNCS + 1) : 0;

	g->typed = false;
	g->lost = g->in_func = true;
	while (n--) {
		dtree_add(g->a, list, func(g));
		g->nfuncs++;
	}
	g->lost = g->in_func = false;
	return list;
}
