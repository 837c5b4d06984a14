/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Random expressions, by rows of productions with weights.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dgen_priv.h"

#define N(...) DGEN_N(g, __VA_ARGS__)
#define S(...) DGEN_S(g, __VA_ARGS__)
#define F(...) DGEN_F(g, __VA_ARGS__)

/* --- Numbers: leaves --------------------------------------------------------------- */

static const uint64_t edges[] = {
	0, 1, 2, 3, 7, 8, 15, 31, 32, 63, 64, 127, 128, 255, 256, 32767,
	32768, 65535, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
	INT64_MAX, 1ULL << 63, UINT64_MAX, UINT64_MAX - 1, 0x123456789abcdef0,
};

static struct dtree *
integer(struct dgen *g, unsigned depth)
{
	static const char *const forms[] = {
		"%" PRIu64, "0x%" PRIx64, "0%" PRIo64, "%" PRIu64 "U",
		"%" PRIu64 "UL", "0x%" PRIx64 "ull",
	};
	static const char *const small[] = { "%uL", "%ull", "%uu", "(-%u)",
					     "(-%uLL)" };

	if (dgen_chance(g, 2))
		return N(dgen_text(g, "%u", dgen_below(g, 40)));
	if (dgen_chance(g, 3)) {
		const char *form = DGEN_PICK(g, small);
		char text[32];
		snprintf(text, sizeof(text), form, dgen_below(g, 1000));
		return N(dgen_text(g, "%s", text));
	}
	char text[40];
	const char *form = DGEN_PICK(g, forms);
	snprintf(text, sizeof(text), form, DGEN_PICK(g, edges));
	return N(dgen_text(g, "%s", text));
}

static struct dtree *
odd_constant(struct dgen *g, unsigned depth)
{
	static const char *const texts[] = {
		"'a'", "'\\n'", "'\\''", "'\\0'", "'\\x41'", "'\\377'", "'ab'",
		"'\"'", "'abcdefgh'", "red", "green", "blue", "NULL == NULL",
		"sizeof (int)", "sizeof (struct datum *)", "sizeof (string)",
	};

	if (g->nsou && dgen_chance(g, 3)) {
		const struct dgen_type *t = g->sou[dgen_below(g, g->nsou)];
		const struct dgen_member *m = &t->m[dgen_below(g, t->nm)];
		if (m->bits || dgen_chance(g, 2))
			return N(dgen_text(g, "sizeof (%s)", t->name));
		return N(dgen_text(g, "offsetof(%s, %s)", t->name, m->name));
	}
	return N(dgen_text(g, "(%s)", DGEN_PICK(g, texts)));
}

static struct dtree *
builtin(struct dgen *g, unsigned depth)
{
	static const char *const fixed[] = {
		"pid", "tid", "uid", "gid", "ppid", "cpu", "id", "epid", "errno",
		"arg0", "arg1", "arg2", "arg3", "arg4", "arg7", "arg8", "arg9",
	};
	static const char *const any[] = {
		"ipl", "vtimestamp", "rand()", "caller", "ucaller",
		"stackdepth", "ustackdepth", "uregs[3]", "uregs[0]",
		"(uint64_t)curthread",
	};
	static const char *const typed[] = {
		"args[0]", "args[1]", "args[4]", "args[5]",
	};

	if (g->typed && dgen_chance(g, 4))
		return N(DGEN_PICK(g, typed));
	if (dgen_chance(g, 12))
		return N(dgen_text(g, "(%s & 0)", DGEN_PICK(g, any)));
	if (dgen_chance(g, 12))
		return N("timestamp");
	return N(DGEN_PICK(g, fixed));
}

static struct dtree *
inline_num(struct dgen *g, unsigned depth)
{
	for (unsigned i = 0; i < g->ninl; i++)
		if (!g->inl[i].is_str && dgen_chance(g, 2))
			return strchr(g->inl[i].use, '$')
				? N(g->inl[i].use, dgen_num(g, 0), dgen_str(g, 0))
				: N(g->inl[i].use);
	return NULL;
}

static struct dtree *
param_num(struct dgen *g, unsigned depth)
{
	return g->in_func ? N("fa") : NULL;
}

static struct dtree *
call_func(struct dgen *g, unsigned depth)
{
	return dgen_func_call(g, false, depth);
}

static struct dtree *
place_num(struct dgen *g, unsigned depth)
{
	const struct dgen_type *t;
	struct dtree *p = dgen_place(g, DGEN_INT, NULL, depth, &t);

	return N("$", p);
}

static struct dtree *
leaf_num(struct dgen *g)
{
	static const struct dgen_row rows[] = {
		{ integer, 30 }, { odd_constant, 6 }, { builtin, 25 },
		{ inline_num, 4 }, { place_num, 45 }, { param_num, 30 },
	};

	return dgen_of(g, rows, BASE_NELEMS(rows), 0);
}

/* --- Numbers: operators --------------------------------------------------------------- */

static struct dtree *
binary(struct dgen *g, unsigned depth)
{
	static const char *const texts[] = {
		"($ + $)", "($ - $)", "($ * $)", "($ & $)", "($ | $)",
		"($ ^ $)", "($, $)", "$ + $", "$ * $",
	};
	const char *text = DGEN_PICK(g, texts);

	/* Without parentheses the precedence is the compiler's. */
	if (text[0] == '$')
		text = dgen_text(g, "(%s - $)", text);
	else
		return N(text, dgen_num(g, depth), dgen_num(g, depth));
	return N(text, dgen_num(g, depth), dgen_num(g, depth),
		 dgen_num(g, depth));
}

static struct dtree *
division(struct dgen *g, unsigned depth)
{
	char op = dgen_chance(g, 2) ? '/' : '%';

	if (dgen_chance(g, 30))		/* may be 0 */
		return N(dgen_text(g, "($ %c $)", op), dgen_num(g, depth),
			 place_num(g, depth));
	return N(dgen_text(g, "($ %c ($ | 1))", op), dgen_num(g, depth),
		 dgen_num(g, depth));
}

static struct dtree *
shift(struct dgen *g, unsigned depth)
{
	const char *op = dgen_chance(g, 2) ? "<<" : ">>";

	if (dgen_chance(g, 2))
		return N(dgen_text(g, "($ %s %u)", op, dgen_below(g, 64)),
			 dgen_num(g, depth));
	return N(dgen_text(g, "($ %s $)", op), dgen_num(g, depth),
		 dgen_num(g, depth));
}

static const char *
comparison_op(struct dgen *g)
{
	static const char *const ops[] = { "<", "<=", ">", ">=", "==", "!=" };

	return DGEN_PICK(g, ops);
}

static struct dtree *
compare_num(struct dgen *g, unsigned depth)
{
	return N(dgen_text(g, "($ %s $)", comparison_op(g)),
		 dgen_num(g, depth), dgen_num(g, depth));
}

static struct dtree *
compare_str(struct dgen *g, unsigned depth)
{
	const char *op = comparison_op(g);
	const struct dgen_type *t;
	struct dtree *p;

	if (dgen_chance(g, 8))
		return N(dgen_text(g, "($ %s NULL)", dgen_chance(g, 2) ? "=="
				   : "!="), dgen_str(g, depth));
	if (dgen_chance(g, 6) &&
	    (p = dgen_place(g, DGEN_CHARS, NULL, depth, &t)))
		return N(dgen_text(g, "($ %s $)", op), p, dgen_str(g, depth));
	return N(dgen_text(g, "($ %s $)", op), dgen_str(g, depth),
		 dgen_str(g, depth));
}

static struct dtree *
logic(struct dgen *g, unsigned depth)
{
	static const char *const texts[] = { "($ && $)", "($ || $)",
					     "($ ^^ $)" };

	return N(DGEN_PICK(g, texts), dgen_num(g, depth), dgen_num(g, depth));
}

static struct dtree *
unary(struct dgen *g, unsigned depth)
{
	static const char *const texts[] = { "(-$)", "(~$)", "(!$)", "(+$)" };

	return N(DGEN_PICK(g, texts), N("($)", dgen_num(g, depth)));
}

static struct dtree *
cast(struct dgen *g, unsigned depth)
{
	return N(dgen_text(g, "((%s)$)", dgen_int_type(g)->name),
		 dgen_num(g, depth));
}

static struct dtree *
choice(struct dgen *g, unsigned depth)
{
	return N("($ ? $ : $)", dgen_num(g, depth), dgen_num(g, depth),
		 dgen_num(g, depth));
}

static struct dtree *
assignment(struct dgen *g, unsigned depth)
{
	static const char *const ops[] = { "=", "=", "+=", "-=", "*=", "&=",
					   "|=", "^=", "<<=", ">>=" };
	static const char *const divs[] = { "/=", "%=" };
	const struct dgen_type *t;

	if (g->pure)
		return NULL;
	struct dtree *p = dgen_place(g, DGEN_INT, NULL, depth, &t);
	if (dgen_chance(g, 8))
		return N(dgen_text(g, "($ %s ($ | 1))", DGEN_PICK(g, divs)), p,
			 dgen_num(g, depth));
	return N(dgen_text(g, "($ %s $)", DGEN_PICK(g, ops)), p,
		 dgen_num(g, depth));
}

static struct dtree *
step(struct dgen *g, unsigned depth)
{
	static const char *const texts[] = { "(++$)", "(--$)", "($++)",
					     "($--)" };
	const struct dgen_type *t;

	if (g->pure)
		return NULL;
	return N(DGEN_PICK(g, texts), dgen_place(g, DGEN_INT, NULL, depth, &t));
}

static struct dtree *
call_num(struct dgen *g, unsigned depth)
{
	return dgen_call(g, false, depth);
}

static struct dtree *
translated(struct dgen *g, unsigned depth)
{
	return g->has_xlator && !g->pure
		? N("(xlate <struct out>((int)$).a)", dgen_num(g, depth)) : NULL;
}

/* --- Pointers --------------------------------------------------------------------------- */

struct dtree *
dgen_scratch_ptr(struct dgen *g, const struct dgen_type *t, unsigned n,
		 unsigned depth)
{
	unsigned room = DIFF_USER - n * t->size, off = dgen_below(g, room);
	const char *text = t->kind == DGEN_CHARS ? "char" : t->name;

	if (t->kind == DGEN_CHARS)
		n *= t->n;
	return F(dgen_text(g, "((%s *)copyin(arg5 + %u, sizeof (%s) * %u))",
			   text, off, text, n));
}

struct dtree *
dgen_user_ptr(struct dgen *g, const struct dgen_type *t, unsigned depth)
{
	unsigned room = DIFF_USER - 4 * t->size;

	if (!strcmp(t->name, "struct datum")) {
		if (g->typed && dgen_chance(g, 2))
			return F(dgen_chance(g, 2) ? "args[3]" :
				 "args[3]->next");
		return F("((userland struct datum *)arg6)");
	}
	for (unsigned i = 0; i < g->nvars; i++)
		if (g->var[i].type->kind == DGEN_PTR &&
		    !strcmp(g->var[i].type->of->name, t->name) &&
		    dgen_chance(g, 3))
			return F(g->var[i].name);
	if (dgen_chance(g, 60))		/* nowhere */
		return F(dgen_text(g, "((%s%s *)%u)", dgen_chance(g, 2) ?
				   "userland " : "", t->name,
				   dgen_below(g, 4096)));
	return F(dgen_text(g, "((userland %s *)(arg5 + %u))", t->name,
			   dgen_below(g, room)));
}

/* A struct behind a pointer, in scratch or user memory. */
static struct dtree *
pointee(struct dgen *g, const struct dgen_type *t, unsigned depth)
{
	static const char *const texts[] = { "(*$)", "$[0]", "$[1]",
					     "(*($ + 1))" };
	bool user = dgen_chance(g, 2);
	struct dtree *p = user ? dgen_user_ptr(g, t, depth) :
		dgen_scratch_ptr(g, t, 2, depth);

	if (strcmp(t->name, "struct datum") == 0 && user)
		return F("(*$)", p);	/* the last of its list, perhaps */
	return F(DGEN_PICK(g, texts), p);
}

static const struct dgen_type *
any_pointee(struct dgen *g)
{
	if (g->world == DGEN_DIFF && dgen_chance(g, 3))
		return dgen_datum(g);
	if (g->nsou && dgen_chance(g, 2))
		return g->sou[dgen_below(g, g->nsou)];
	return dgen_int_type(g);
}

static bool
may_point(const struct dgen *g)
{
	return !g->lost && !g->pure;
}

static struct dtree *
deref(struct dgen *g, unsigned depth)
{
	const struct dgen_type *t = any_pointee(g), *got;

	if (!may_point(g))
		return NULL;
	struct dtree *p = dgen_within(g, pointee(g, t, depth), t, DGEN_INT,
				      NULL, depth, &got);
	return p ? N("$", p) : NULL;
}

/* What one may ask of addresses without showing them. */
static struct dtree *
address(struct dgen *g, unsigned depth)
{
	static const char *const texts[] = {
		"($ == $)", "($ != $)", "($ < $)", "($ - $)",
	};
	const struct dgen_type *t = any_pointee(g);

	if (!may_point(g))
		return NULL;
	if (dgen_chance(g, 4))
		return N("(copyin(arg5, 1) != NULL)");
	if (dgen_chance(g, 4))
		return N("($ ? $ : $)", dgen_user_ptr(g, t, depth),
			 dgen_num(g, depth), dgen_num(g, depth));
	if (dgen_chance(g, 4) && g->world == DGEN_DIFF)
		return N("((uint64_t)&$ & 0xffff)", F("($)->next",
			dgen_user_ptr(g, dgen_datum(g), depth)));
	return N(DGEN_PICK(g, texts),
		 F("((userland char *)$)", dgen_user_ptr(g, t, depth)),
		 F("((userland char *)$)", dgen_user_ptr(g, t, depth)));
}

/* Kernel memory that does not change while we look. */
static struct dtree *
kernel(struct dgen *g, unsigned depth)
{
	static const char *const texts[] = {
		"curthread->pid", "curthread->tgid", "curthread->start_time",
		"curthread->real_parent->pid", "curthread->comm[$ & 15]",
		"((struct task_struct *)curthread)->static_prio",
		"curthread->group_leader->tgid", "curthread->cred->uid.val",
		"(curthread->mm->task_size >> ($ & 63))",
		"(curthread->group_leader == curthread)",
		"(curthread->real_parent - (struct task_struct *)curthread)",
		"(&curthread->real_parent->comm[$ & 7])[1]",
		"((uint64_t)&curthread->comm != $)",
		"(*(int *)((char *)curthread + "
		"offsetof(struct task_struct, pid)))",
		"`hp_avenrun[$ & 1]", "`averunnable.ldavg[2]",
		"`utsname.nodename[$ & 15]", "`freemem", "`ncpus",
		"(&`utsname)->release[$ & 1]",
		"(`do_exit != NULL)",
	};
	const char *text = DGEN_PICK(g, texts);

	if (g->world == DGEN_DIFF && strstr(text, "`do_exit"))
		return NULL;
	return strchr(text, '$') ? N(text, dgen_num(g, depth)) : N(text);
}

/* A byte of a string: of any, or of one that it is stored into. */
static struct dtree *
string_byte(struct dgen *g, unsigned depth)
{
	const struct dgen_type *t;
	struct dtree *p;

	if (dgen_chance(g, 4))		/* it may be too large */
		return N("($)[(arg0 ^ $) & 31]", dgen_str(g, depth), dgen_num(g, depth));
	if (dgen_chance(g, 3))
		return N("($)$", dgen_str(g, depth), dgen_index(g, 8, depth));
	p = dgen_place(g, DGEN_STR, NULL, depth, &t);
	if (!p || g->pure || dgen_chance(g, 2))
		return p ? N("$$", p, dgen_index(g, 8, depth)) : NULL;
	return N("($$ = $)", p, dgen_index(g, 8, depth), dgen_num(g, depth));
}

/* An integer that has an address, by itself or in an array. */
static struct dtree *
addressed(struct dgen *g, unsigned depth)
{
	const struct dgen_var *v = &g->var[dgen_below(g, g->nvars)];
	struct dtree *at;

	if (v->keys || !v->is_declared || !strncmp(v->name, "self->", 6))
		return NULL;
	if (v->type->kind == DGEN_INT)
		at = F(dgen_text(g, "&%s", v->name));
	else if (v->type->kind == DGEN_ARRAY &&
		 v->type->of->kind == DGEN_INT)
		at = F(dgen_text(g, "&%s$", v->name),
		       dgen_index(g, v->type->n, depth));
	else
		return NULL;
	if (g->pure || dgen_chance(g, 2))
		return N("(*$)", at);
	return N("(*$ = $)", at, dgen_num(g, depth));
}

/* By way of a floating-point number. */
static struct dtree *
real(struct dgen *g, unsigned depth)
{
	static const char *const texts[] = {
		"((int64_t)(double)$)", "((int)(float)$)", "((_Bool)(double)$)",
		"((uint64_t)(float)(double)$)", "((char)(double)(float)$)",
	};

	return N(DGEN_PICK(g, texts), dgen_num(g, depth));
}

struct dtree *
dgen_num(struct dgen *g, unsigned depth)
{
	static const struct dgen_row rows[] = {
		{ binary, 40 }, { division, 8 }, { shift, 8 },
		{ compare_num, 12 }, { compare_str, 6 }, { logic, 9 },
		{ unary, 8 }, { cast, 9 }, { choice, 8 }, { assignment, 4 },
		{ step, 3 }, { call_num, 8 }, { translated, 2 }, { deref, 5 },
		{ address, 2 }, { kernel, 3 }, { call_func, 4 },
		{ string_byte, 4 }, { addressed, 3 }, { real, 2 },
	};

	if (!depth || g->budget <= 0 || dgen_chance(g, 5))
		return leaf_num(g);
	g->budget--;
	return dgen_of(g, rows, BASE_NELEMS(rows), depth - 1);
}

/* --- Strings ------------------------------------------------------------------------------ */

struct dtree *
dgen_literal(struct dgen *g)
{
	static const char *const texts[] = {
		"\"\"", "\"a\"", "\"abc\"", "\"/usr/lib/x\"", "\"12\"",
		"\"-0x1f\"", "\"//\"", "\"zz top\"", "\"\\xff\\x80\"",
		"\"abcabcabcabcabcabcabcabcabcabcabcabc\"", "\"\\t\\n\"",
		"\"abcdefghijklmnopqrstuvwxyz0123456789"
		"abcdefghijklmnopqrstuvwxyz0123456789\"", "\"/a/\"", "\"0777\"",
	};

	return S(DGEN_PICK(g, texts));
}

static struct dtree *
literal(struct dgen *g, unsigned depth)
{
	return dgen_literal(g);
}

static struct dtree *
builtin_str(struct dgen *g, unsigned depth)
{
	static const char *const texts[] = {
		"execname", "zonename", "probeprov", "probemod", "probefunc",
		"probename", "probename", "execname", "execargs", "cwd", "root",
	};

	return S(DGEN_PICK(g, texts));
}

static struct dtree *
place_str(struct dgen *g, unsigned depth)
{
	const struct dgen_type *t;

	return S("$", dgen_place(g, DGEN_STR, NULL, depth, &t));
}

static struct dtree *
inline_str(struct dgen *g, unsigned depth)
{
	for (unsigned i = 0; i < g->ninl; i++)
		if (g->inl[i].is_str && dgen_chance(g, 2))
			return S(g->inl[i].use);
	return NULL;
}

/* Characters as a string. */
static struct dtree *
chars_str(struct dgen *g, unsigned depth)
{
	static const char *const texts[] = { "stringof($)", "((string)$)" };
	const struct dgen_type *t;
	struct dtree *p;

	if (dgen_chance(g, 2) && g->world == DGEN_DIFF && !g->pure)
		p = F("$->name", dgen_user_ptr(g, dgen_datum(g), depth));
	else
		p = dgen_place(g, DGEN_CHARS, NULL, depth, &t);
	return p ? S(DGEN_PICK(g, texts), p) : NULL;
}

static struct dtree *
param_str(struct dgen *g, unsigned depth)
{
	return g->in_func ? S("fb") : NULL;
}

static struct dtree *
call_func_str(struct dgen *g, unsigned depth)
{
	return dgen_func_call(g, true, depth);
}

static struct dtree *
leaf_str(struct dgen *g)
{
	static const struct dgen_row rows[] = {
		{ literal, 15 }, { builtin_str, 12 }, { place_str, 25 },
		{ inline_str, 2 }, { chars_str, 3 }, { param_str, 15 },
	};

	return dgen_of(g, rows, BASE_NELEMS(rows), 0);
}

static struct dtree *
call_str(struct dgen *g, unsigned depth)
{
	return dgen_call(g, true, depth);
}

static struct dtree *
choice_str(struct dgen *g, unsigned depth)
{
	return S("($ ? $ : $)", dgen_num(g, depth), dgen_str(g, depth),
		 dgen_str(g, depth));
}

static struct dtree *
assign_str(struct dgen *g, unsigned depth)
{
	const struct dgen_type *t;

	if (g->pure)
		return NULL;
	return S("($ = $)", dgen_place(g, DGEN_STR, NULL, depth, &t),
		 dgen_str(g, depth));
}

static struct dtree *
comma_str(struct dgen *g, unsigned depth)
{
	return S("($, $)", dgen_num(g, depth), dgen_str(g, depth));
}

/* A NUL is among any 48 bytes of that memory. */
static struct dtree *
copied_str(struct dgen *g, unsigned depth)
{
	unsigned off = dgen_below(g, DIFF_USER - 64);

	if (!may_point(g))
		return NULL;
	return S(dgen_text(g, "stringof((char *)copyin(arg5 + %u, 64))", off));
}

static struct dtree *
translated_str(struct dgen *g, unsigned depth)
{
	return g->has_xlator && !g->pure
		? S("(xlate <struct out>((int)$).c)", dgen_num(g, depth)) : NULL;
}

static struct dtree *
kernel_str(struct dgen *g, unsigned depth)
{
	static const char *const texts[] = {
		"stringof(curthread->comm)",
		"stringof(curthread->real_parent->comm)",
		"((string)((struct task_struct *)curthread)->comm)",
	};

	return S(DGEN_PICK(g, texts));
}

struct dtree *
dgen_str(struct dgen *g, unsigned depth)
{
	static const struct dgen_row rows[] = {
		{ call_str, 50 }, { choice_str, 8 }, { assign_str, 4 },
		{ comma_str, 2 }, { copied_str, 4 }, { chars_str, 5 },
		{ translated_str, 2 }, { kernel_str, 4 },
		{ call_func_str, 4 },
	};

	if (!depth || g->budget <= 0 || dgen_chance(g, 4))
		return leaf_str(g);
	g->budget -= 2;
	return dgen_of(g, rows, BASE_NELEMS(rows), depth - 1);
}

/* --- Structs --------------------------------------------------------------------------------- */

struct dtree *
dgen_sou(struct dgen *g, const struct dgen_type *t, unsigned depth)
{
	const struct dgen_type *got;
	struct dtree *p;

	if (depth && dgen_chance(g, 6))
		return F("($ ? $ : $)", dgen_num(g, depth - 1),
			 dgen_sou(g, t, depth - 1), dgen_sou(g, t, depth - 1));
	if (may_point(g) && (dgen_chance(g, 3) || !strcmp(t->name,
							  "struct datum")))
		return pointee(g, t, depth);
	p = dgen_place(g, DGEN_SOU, t, depth, &got);
	return p ? p : pointee(g, t, depth);
}
