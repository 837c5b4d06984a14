/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Calls of subroutines.  Most are made from their prototypes in builtins.def,
 * so that a new one is called from the day it is built; those whose arguments
 * or results mean more than their types say have a row of their own.
 */
#include <string.h>

#include "dgen_priv.h"

enum kind { SUBR, OTHER };

static const struct subr {
	const char *name, *proto;
	bool later, other;
} subrs[] = {
#define KIND_BVAR OTHER
#define KIND_SUBR SUBR
#define KIND_ACTION OTHER
#define KIND_AGGFUNC OTHER
#define KIND_ENUM OTHER
#define NIL 0
#define LATER 1
#define NEVER(WHY) LATER
#define DYN 0
#define WHO 0
#define DESTR 2
#define ARRAY 4
#define BUILTIN(kind, name, id, proto, attr, version, flags, check) \
	{ name, proto, ((flags) & (LATER | DESTR)) != 0, KIND_##kind != SUBR },
#include "sema/builtins.def"
#undef BUILTIN
};

/* What stands for an argument; NULL: no idea. */
static const struct { const char *type, *text; } args[] = {
	{ "const char *", "s" }, { "int", "i" }, { "int64_t", "i" },
	{ "char", "i" }, { "pid_t", "i" }, { "size_t", "i" },
	{ "uint32_t", "i" }, { "uint16_t", "i" }, { "uint64_t", "i" },
};

/* "$" is a number, "%s" a string, "%%" a '%'.  points: wants the user memory at
 * arg5.  rare: most often it faults. */
static const struct special {
	const char *name, *text;
	bool points, rare;
} special[] = {
	{ "rand", "(rand() & 0)", false, false },
	{ "random", "(random() & 0)", false, false },
	{ "uuidstr", "substr(uuidstr(), 14, 1)", false, false },
	{ "json", "json(strjoin(\"{\\\"a\\\":[1,\\\"\", strjoin(%s, \"\\\"]}\")), "
	  "\"a[1]\")", false, false },
	{ "json", "json(strjoin(\"[[0],\", strjoin(lltostr($), \"]\")), \"[1]\")",
	  false, false },
	{ "json", "json(%s, %s)", false, false },
	{ "strtok", "strtok(%s, %s)", false, false },
	{ "strtok", "strtok(NULL, %s)", false, false },
	{ "inet_ntoa", "inet_ntoa(copyin(arg5 + ($ & 2047), 4))", true, false },
	{ "inet_ntoa6", "inet_ntoa6(copyin(arg5 + ($ & 2047), 16))", true,
	  false },
	{ "inet_ntop", "inet_ntop(2 + ($ & 8), copyin(arg5 + ($ & 2047), 16))",
	  true, false },
	{ "inet_ntop", "inet_ntop($, memref((void *)$, $))", false, true },
	{ "link_ntop", "link_ntop(1 + 31 * ($ & 1), copyin(arg5 + ($ & 2047), "
	  "20))", true, false },
	{ "memref", "(*(int64_t *)memref((void *)$, $))", false, false },
	{ "memstr", "memstr(copyin(arg5 + ($ & 2047), 64), $, $ & 63)", true,
	  false },
	{ "memstr", "memstr((void *)$, $, $ & 7)", false, true },
	{ "alloca", "(*(int64_t *)alloca(8 + ($ & 31)))", false, false },
	{ "alloca", "(*(char *)alloca((arg0 + $) | 1))", false, true },
	{ "bcopy", "(bcopy(curthread->comm, alloca(16), $ & 15), 1)", false,
	  false },
	{ "bcopy", "(bcopy((void *)$, alloca($ & 7), $ & 15), 1)", false,
	  true },
	{ "copyinto", "(copyinto(arg5 + ($ & 2047), $ & 15, alloca(16)), 1)",
	  true, false },
	{ "copyinto", "(copyinto(arg5 + ($ & 4095), $ & 15, alloca($ & 15)), "
	  "1)", true, true },
	{ "d_path", "d_path((void *)0)", false, true },
	{ "getf", "(getf(-1) == NULL)", false, false },
	{ "mutex_owned", "mutex_owned((void *)0)", false, true },
	{ "mutex_owner", "(int64_t)mutex_owner((void *)0)", false, true },
	{ "mutex_type_adaptive", "mutex_type_adaptive((void *)0)", false, true },
	{ "mutex_type_spin", "mutex_type_spin((void *)0)", false, true },
	{ "rw_read_held", "rw_read_held((void *)0)", false, true },
	{ "rw_write_held", "rw_write_held((void *)0)", false, true },
	{ "rw_iswriter", "rw_iswriter((void *)0)", false, true },
	{ "copyin", "(*(char *)copyin(arg5 + ($ & 4095), 1 + ($ & 63)))", true,
	  false },
	{ "copyinstr", "copyinstr(arg5 + ($ & 2047), $)", true, false },
	{ "copyinstr", "copyinstr(arg5 + ($ & 4095))", true, false },
	{ "copyinstr", "copyinstr($)", true, true },
	{ "lltostr", "lltostr($, 2 + (unsigned)$ %% 35)", false, false },
	{ "lltostr", "lltostr($)", false, false },
	{ "lltostr", "lltostr($, arg0 + $)", false, true },
	{ "strtoll", "strtoll(%s, 2 + (unsigned)$ %% 35)", false, false },
	{ "strtoll", "strtoll(%s)", false, false },
	{ "strtoll", "strtoll(%s, arg0 + $)", false, true },
};

/* Those of libraries want addresses of the kernel. */
static bool
is_called(const struct subr *s)
{
	return !s->other && !s->later && strncmp(s->name, "__", 2) != 0;
}

/* The letter of the type that stands at p, and its length. */
static char
argument(const char *p, size_t *n)
{
	*n = strcspn(p, ",])");
	for (size_t i = 0; i < BASE_NELEMS(args); i++)
		if (strlen(args[i].type) == *n &&
		    !strncmp(p, args[i].type, *n))
			return args[i].text[0];
	return 0;
}

static bool
has_row(const char *name)
{
	for (size_t i = 0; i < BASE_NELEMS(special); i++)
		if (!strcmp(special[i].name, name))
			return true;
	return false;
}

/* The types of arguments, as letters; those behind '|' may be left out.  NULL
 * when one is not known. */
static const char *
letters(const char *proto, char *out)
{
	const char *p = strchr(proto, '(') + 1;
	size_t n, len = 0;
	bool optional = false;

	while (*p && *p != ')') {
		p += strspn(p, " ,");
		if (*p == '[') {
			if (!optional)
				out[len++] = '|';
			optional = true;
			p++;
		}
		char c = argument(p, &n);
		if (!c)
			return NULL;
		out[len++] = c;
		p += n;
		p += strspn(p, "]");
	}
	out[len] = '\0';
	return out;
}

const char *
dgen_unknown_subr(void)
{
	char buf[32];

	for (size_t i = 0; i < BASE_NELEMS(subrs); i++)
		if (is_called(&subrs[i]) && !has_row(subrs[i].name) &&
		    !letters(subrs[i].proto, buf))
			return subrs[i].name;
	return NULL;
}

static bool
gives_str(const struct subr *s)
{
	return !strncmp(s->proto, "string", 6);
}

/* A special row with its arguments. */
static struct dtree *
by_row(struct dgen *g, const char *row, bool is_str, unsigned depth)
{
	struct dtree *t = DTREE(g->a, is_str ? DTREE_STR : DTREE_NUM, "");
	char text[128];
	size_t at = 0;

	for (const char *p = row; *p && at < sizeof(text) - 1; p++) {
		if (*p == '%' && p[1] == '%') {
			p++;
		} else if (*p == '%') {
			dtree_add(g->a, t, dgen_str(g, depth));
			text[at++] = '$';
			p++;
			continue;
		} else if (*p == '$') {
			dtree_add(g->a, t, dgen_num(g, depth));
		}
		text[at++] = *p;
	}
	text[at] = '\0';
	t->text = dgen_text(g, "%s", text);
	return t;
}

static struct dtree *
by_proto(struct dgen *g, const struct subr *s, unsigned depth)
{
	struct dtree *t = DTREE(g->a, gives_str(s) ? DTREE_STR : DTREE_NUM,
				"");
	const char *text = dgen_text(g, "%s(", s->name);
	char buf[32];

	for (const char *p = letters(s->proto, buf); *p; p++) {
		if (*p == '|') {
			if (dgen_chance(g, 2))
				break;
			continue;
		}
		text = dgen_text(g, "%s%s$", text, t->n ? ", " : "");
		dtree_add(g->a, t, *p == 's' ? dgen_str(g, depth) :
			  dgen_num(g, depth));
	}
	t->text = dgen_text(g, "%s)", text);
	return t;
}

static const struct special *
pick_row(struct dgen *g, const char *name)
{
	const struct special *s;

	do
		s = &DGEN_PICK(g, special);
	while (strcmp(s->name, name) || (s->rare && !dgen_chance(g, 20)));
	return s;
}

struct dtree *
dgen_call(struct dgen *g, bool is_str, unsigned depth)
{
	const struct subr *s;

	do
		s = &DGEN_PICK(g, subrs);
	while (!is_called(s) || gives_str(s) != is_str);
	if (!has_row(s->name))
		return by_proto(g, s, depth);
	const struct special *row = pick_row(g, s->name);
	if (row->points && (g->lost || g->pure))
		return NULL;
	return by_row(g, row->text, is_str, depth);
}
