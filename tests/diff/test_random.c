/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Random programs on both engines.
 *
 *	diff-random [SECONDS [SEED]]
 *
 * The generator knows of each register whether it holds a number, a string
 * (or 0), or the address of so many bytes, and does with it only what
 * doc/spec/dif.md gives one meaning: no arithmetic on addresses, no bytes
 * behind a NUL, no address of a thread-local after a store to it.  Faults it
 * does not avoid.  Control flow is nested ifs, so what is known of registers
 * meets where arms join.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "diff.h"
#include "util/sb.h"

enum kind { DEAD, NUM, STR, BYTES, USER };

struct reg {
	enum kind kind;
	unsigned size;		/* BYTES, USER: readable; STR: length if
				 * known */
	bool literal;		/* STR: length is known */
	bool writable;		/* BYTES */
	int var;		/* dynamic variable it comes from, or -1 */
};

struct gen {
	uint64_t seed;
	struct sb b;
	struct reg r[DIF_NREGS];
	unsigned label, depth;
	unsigned longest;	/* statements of a DIFO */
	enum kind result;
	unsigned size;		/* of a BYTES result */
};

/* --- The variables of every program ------------------------------------------ */

enum vkind { V_NUM, V_STR, V_STRUCT };
static const struct var {
	const char *name, *type, *keys;
	int scope;
	enum vkind kind;
	unsigned size;
} vars[] = {
	{ "g1", "int 1", NULL, DIF_VS_GLOBAL, V_NUM, 1 },
	{ "g8", "int 8", NULL, DIF_VS_GLOBAL, V_NUM, 8 },
	{ "gs", "string 12", NULL, DIF_VS_GLOBAL, V_STR, 12 },
	{ "gs2", "string 40", NULL, DIF_VS_GLOBAL, V_STR, 40 },
	{ "gb", "struct 24", NULL, DIF_VS_GLOBAL, V_STRUCT, 24 },
	{ "l4", "int 4", NULL, DIF_VS_LOCAL, V_NUM, 4 },
	{ "l8", "int 8", NULL, DIF_VS_LOCAL, V_NUM, 8 },
	{ "ls", "string 20", NULL, DIF_VS_LOCAL, V_STR, 20 },
	{ "lb", "struct 20", NULL, DIF_VS_LOCAL, V_STRUCT, 20 },
	{ "t2", "int 2", NULL, DIF_VS_THREAD, V_NUM, 2 },
	{ "t8", "int 8", NULL, DIF_VS_THREAD, V_NUM, 8 },
	{ "ts", "string 16", NULL, DIF_VS_THREAD, V_STR, 16 },
	{ "tb", "struct 16", NULL, DIF_VS_THREAD, V_STRUCT, 16 },
	{ "a8", "int 8", "i", DIF_VS_GLOBAL, V_NUM, 8 },
	{ "a4", "int 4", "si", DIF_VS_GLOBAL, V_NUM, 4 },
	{ "as", "string 24", "is", DIF_VS_GLOBAL, V_STR, 24 },
	{ "ab", "struct 24", "s", DIF_VS_GLOBAL, V_STRUCT, 24 },
	{ "ta", "string 10", "s", DIF_VS_THREAD, V_STR, 10 },
	{ "ti", "int 8", "iii", DIF_VS_THREAD, V_NUM, 8 },
	{ "us", "ustring 14", NULL, DIF_VS_GLOBAL, V_STR, 14 },
	{ "ulb", "ustruct 12", NULL, DIF_VS_LOCAL, V_STRUCT, 12 },
	{ "uts", "ustring 14", NULL, DIF_VS_THREAD, V_STR, 14 },
};
enum { NVARS = BASE_NELEMS(vars), NSCALARS = 13 };

/* User memory, at arg5. */
enum { USER_SIZE = 64 };
static char user[USER_SIZE] =
	"user memory\0abc/def/ghi\0\xff\x80\x7f 123456789 -42 \0and more of it";

static void
declare(struct diff *d)
{
	for (unsigned i = 0; i < NVARS; i++) {
		char keys[64] = "";
		for (const char *k = vars[i].keys; k && *k; k++)
			strcat(keys, *k == 'i' ? "i " : "s11 ");
		diff_var(d, vars[i].name, vars[i].scope, vars[i].type,
			 vars[i].keys ? keys : NULL);
	}
}

/* Is what its load yields stale after a store? */
static bool
is_dynamic(const struct var *v)
{
	return v->keys || v->scope == DIF_VS_THREAD ||
	       (v->kind == V_STR && v->scope == DIF_VS_GLOBAL);
}

/* --- Choosing ------------------------------------------------------------------ */

static unsigned
below(struct gen *g, unsigned n)
{
	g->seed = g->seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (unsigned)(g->seed >> 33) % n;
}

static bool
chance(struct gen *g, unsigned one_in)
{
	return below(g, one_in) == 0;
}

static const uint64_t edges[] = {
	0, 1, 2, 3, 7, 8, 16, 31, 32, 63, 64, 127, 128, 255, 256, 65535,
	0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, INT64_MAX,
	1ULL << 63, UINT64_MAX, UINT64_MAX - 1, 0xffffffff80000000,
	0x123456789abcdef0,
};

static uint64_t
number(struct gen *g)
{
	if (chance(g, 3))
		return below(g, 40);
	return edges[below(g, BASE_NELEMS(edges))];
}

static unsigned
any_target(struct gen *g)
{
	return 1 + below(g, DIF_NREGS - 1);
}

/* A register of that kind, made when there is none (or for variety); never
 * one of `avoid` when it must be made. */
static unsigned make(struct gen *g, enum kind kind, unsigned avoid);

static unsigned
pick(struct gen *g, enum kind kind, unsigned avoid)
{
	unsigned n = 0, list[DIF_NREGS + 1];

	if (kind == NUM && chance(g, 12))
		return 0;
	for (unsigned r = 1; r < DIF_NREGS; r++)
		if (g->r[r].kind == kind)
			list[n++] = r;
	if (!n || chance(g, 6))
		return make(g, kind, avoid);
	return list[below(g, n)];
}

static void
set(struct gen *g, unsigned r, struct reg what)
{
	g->r[r] = what;
}

static void
set_num(struct gen *g, unsigned r)
{
	set(g, r, (struct reg){ .kind = NUM, .var = -1 });
}

static void
set_str(struct gen *g, unsigned r)
{
	set(g, r, (struct reg){ .kind = STR, .var = -1 });
}

/* --- Values --------------------------------------------------------------------- */

static void
make_num(struct gen *g, unsigned rd)
{
	static const char *const builtins[] = {
		"pid", "tid", "uid", "gid", "ppid", "cpu", "id", "ipl",
		"arg0", "arg1", "arg2", "arg3", "arg4",
	};

	if (chance(g, 3))
		sb_printf(&g->b, "ldgs %s, %%r%u\n",
			  builtins[below(g, BASE_NELEMS(builtins))], rd);
	else
		sb_printf(&g->b, "setx %" PRIu64 ", %%r%u\n", number(g), rd);
	set_num(g, rd);
}

static void
make_str(struct gen *g, unsigned rd)
{
	static const char *const literals[] = {
		"", "a", "b", "abc", "diff-random", "/usr/lib/x", "12", "-0x1f",
		"abcabcabcabcabcabcabcabcabcabcabcabc", "//", "zz top", "0777",
		"abcdefghijk", "abcdefghij", "diff-rando", "name",
	};
	static const char *const builtins[] = {
		"execname", "zonename", "probeprov", "probemod", "probefunc",
		"probename",
	};

	set_str(g, rd);
	if (chance(g, 3)) {
		sb_printf(&g->b, "ldgs %s, %%r%u\n",
			  builtins[below(g, BASE_NELEMS(builtins))], rd);
		return;
	}
	const char *s = literals[below(g, BASE_NELEMS(literals))];
	sb_printf(&g->b, "sets \"%s\", %%r%u\n", s, rd);
	g->r[rd].literal = true;
	g->r[rd].size = (unsigned)strlen(s);
}

static void
make_bytes(struct gen *g, unsigned rd)
{
	static const char *const own[] = { "gb", "lb" };
	unsigned size = 1 + below(g, 40), which = below(g, 3);

	if (which < 2) {
		size = which ? 20 : 24;
		sb_printf(&g->b, "%s %s, %%r%u\n", which ? "ldls" : "ldgs",
			  own[which], rd);
	} else {
		sb_printf(&g->b, "setx %u, %%r%u\nallocs %%r%u, %%r%u\n", size,
			  rd, rd, rd);
		size = (unsigned)base_align(size, 8);
	}
	set(g, rd, (struct reg){ .kind = BYTES, .size = size, .var = -1,
				 .writable = true });
}

static void
make_user(struct gen *g, unsigned rd)
{
	sb_printf(&g->b, "ldgs arg5, %%r%u\n", rd);
	set(g, rd, (struct reg){ .kind = USER, .size = USER_SIZE, .var = -1 });
}

static unsigned
make(struct gen *g, enum kind kind, unsigned avoid)
{
	unsigned rd;

	do
		rd = any_target(g);
	while (avoid & 1u << rd);
	if (kind == NUM)
		make_num(g, rd);
	else if (kind == STR)
		make_str(g, rd);
	else if (kind == USER)
		make_user(g, rd);
	else
		make_bytes(g, rd);
	return rd;
}

/* --- Statements ------------------------------------------------------------------ */

static void
arithmetic(struct gen *g)
{
	static const char *const ops[] = {
		"or", "xor", "and", "sll", "srl", "sra", "sub", "add", "mul",
		"sdiv", "udiv", "srem", "urem",
	};
	unsigned a = pick(g, NUM, 0), b = pick(g, NUM, 1u << a);
	unsigned rd = any_target(g);
	/* Division by what may be zero ends most programs: less of it. */
	unsigned n = chance(g, 4) ? BASE_NELEMS(ops) : 9;

	if (chance(g, 10))
		sb_printf(&g->b, "not %%r%u, %%r%u\n", a, rd);
	else
		sb_printf(&g->b, "%s %%r%u, %%r%u, %%r%u\n", ops[below(g, n)],
			  a, b, rd);
	set_num(g, rd);
}

static void
move(struct gen *g)
{
	unsigned a = any_target(g), rd = any_target(g);

	if (g->r[a].kind == DEAD)
		return;
	sb_printf(&g->b, "mov %%r%u, %%r%u\n", a, rd);
	g->r[rd] = g->r[a];
}

/* Make the generator of code forget what it knows: add an unknown 0. */
static void
blur(struct gen *g)
{
	unsigned a = any_target(g), t;

	if (g->r[a].kind == DEAD)
		return;
	do
		t = any_target(g);
	while (t == a);
	sb_printf(&g->b, "ldgs arg9, %%r%u\nadd %%r%u, %%r%u, %%r%u\n", t, a,
		  t, a);
	set_num(g, t);
}

/* Into a literal or an object, by a constant. */
static void
advance(struct gen *g)
{
	static const enum kind kinds[] = { STR, BYTES, USER };
	unsigned a = pick(g, kinds[below(g, 3)], 0), t, rd;
	struct reg *r = &g->r[a];

	if (r->kind == STR ? !r->literal : !r->size)
		return;
	do
		t = any_target(g);
	while (t == a);
	unsigned by = below(g, r->size + (r->kind == STR));
	rd = any_target(g);
	sb_printf(&g->b, "setx %u, %%r%u\nadd %%r%u, %%r%u, %%r%u\n", by, t, a,
		  t, rd);
	struct reg moved = *r;
	moved.size -= by;
	set_num(g, t);
	g->r[rd] = moved;
}

static void
load(struct gen *g)
{
	static const struct { const char *name; unsigned size; } loads[] = {
		{ "ldub", 1 }, { "ldsb", 1 }, { "rldub", 1 }, { "lduh", 2 },
		{ "ldsh", 2 }, { "lduw", 4 }, { "ldsw", 4 }, { "ldx", 8 },
		{ "rldx", 8 }, { "rldsw", 4 },
	};
	unsigned which = below(g, BASE_NELEMS(loads)), a, rd = any_target(g);

	if (chance(g, 3)) {
		a = pick(g, STR, 0);
		which %= 3;
	} else {
		a = pick(g, BYTES, 0);
		if (g->r[a].size < loads[which].size)
			which %= 3;
		if (!g->r[a].size)
			return;
	}
	sb_printf(&g->b, "%s [%%r%u], %%r%u\n", loads[which].name, a, rd);
	set_num(g, rd);
}

static void
user_load(struct gen *g)
{
	static const struct { const char *name; unsigned size; } loads[] = {
		{ "uldub", 1 }, { "uldsb", 1 }, { "ulduh", 2 }, { "uldsh", 2 },
		{ "ulduw", 4 }, { "uldsw", 4 }, { "uldx", 8 },
	};
	unsigned which = below(g, BASE_NELEMS(loads));
	unsigned a = pick(g, USER, 0), rd = any_target(g);

	if (g->r[a].size < loads[which].size)
		return;
	sb_printf(&g->b, "%s [%%r%u], %%r%u\n", loads[which].name, a, rd);
	set_num(g, rd);
}

/* copyin, copyinstr */
static void
user_copy(struct gen *g)
{
	unsigned a = pick(g, USER, 0), size = g->r[a].size, rd, t;
	bool str = chance(g, 2);

	do
		t = any_target(g);
	while (t == a);
	rd = any_target(g);
	size = BASE_MIN(size, below(g, 40));
	sb_printf(&g->b, "pushtv DT_TYPE(0), %%r0, %%r%u\n", a);
	if (!str || chance(g, 2)) {
		sb_printf(&g->b, "setx %u, %%r%u\n"
			  "pushtv DT_TYPE(0), %%r0, %%r%u\n", size, t, t);
		set_num(g, t);
	}
	sb_printf(&g->b, "call %s, %%r%u\nflushts\n",
		  str ? "copyinstr" : "copyin", rd);
	if (str)
		set_str(g, rd);
	else
		set(g, rd, (struct reg){ .kind = BYTES, .size = size,
					 .var = -1, .writable = true });
}

static void
argument(struct gen *g)
{
	unsigned a = pick(g, NUM, 0), t, rd = any_target(g);

	do
		t = any_target(g);
	while (t == a);
	/* Not args[5], an address. */
	sb_printf(&g->b, "setx %u, %%r%u\nand %%r%u, %%r%u, %%r%u\n"
		  "ldga args, %%r%u, %%r%u\n", chance(g, 2) ? 0x13 : 0x1a, t,
		  a, t, t, t, rd);
	set_num(g, t);
	set_num(g, rd);
}

/* Addresses below 64 KB are never there. */
static void
bad_load(struct gen *g)
{
	static const char *const loads[] = { "ldub", "ldx", "uldsh", "uldx" };
	unsigned a = pick(g, NUM, 0), t, rd = any_target(g);

	do
		t = any_target(g);
	while (t == a);
	sb_printf(&g->b, "setx 0xfff, %%r%u\nand %%r%u, %%r%u, %%r%u\n"
		  "%s [%%r%u], %%r%u\n", t, a, t, t, loads[below(g, 4)], t, rd);
	set_num(g, t);
	set_num(g, rd);
}

/* Bytes that may be written, mostly. */
static unsigned
pick_target(struct gen *g, unsigned avoid)
{
	unsigned r = pick(g, BYTES, avoid);

	if (g->r[r].kind != BYTES || g->r[r].writable || chance(g, 10))
		return r;
	return make(g, BYTES, avoid);
}

static void
store(struct gen *g)
{
	static const struct { const char *name; unsigned size; } stores[] = {
		{ "stb", 1 }, { "sth", 2 }, { "stw", 4 }, { "stx", 8 },
	};
	unsigned to = pick_target(g, 0), v = pick(g, NUM, 1u << to);
	unsigned which = below(g, 4);

	while (which && stores[which].size > g->r[to].size)
		which--;
	if (!g->r[to].size || g->r[to].kind != BYTES)
		return;
	sb_printf(&g->b, "%s %%r%u, [%%r%u]\n", stores[which].name, v, to);
}

static void
copy(struct gen *g)
{
	unsigned from = pick(g, BYTES, 0), to = pick_target(g, 1u << from);
	unsigned max = BASE_MIN(g->r[from].size, g->r[to].size), t;

	if (g->r[from].kind != BYTES || g->r[to].kind != BYTES)
		return;
	do
		t = any_target(g);
	while (t == from || t == to);
	sb_printf(&g->b, "setx %u, %%r%u\n", below(g, max + 1), t);
	set_num(g, t);
	if (chance(g, 3)) {
		unsigned u;
		do
			u = any_target(g);
		while (u == from || u == to || u == t);
		sb_printf(&g->b, "ldgs arg9, %%r%u\nadd %%r%u, %%r%u, %%r%u\n",
			  u, t, u, t);
		set_num(g, u);
	}
	sb_printf(&g->b, "copys %%r%u, %%r%u, %%r%u\n", from, t, to);
}

static void
push_num(struct gen *g)
{
	sb_printf(&g->b, "pushtv DT_TYPE(0), %%r0, %%r%u\n", pick(g, NUM, 0));
}

static void
push_str(struct gen *g)
{
	unsigned s = pick(g, STR, 0), lim = 0;

	if (chance(g, 4))
		lim = pick(g, NUM, 1u << s);
	if (g->r[s].kind != STR)	/* the limit was made in it */
		s = make(g, STR, 1u << lim);
	sb_printf(&g->b, "pushtr DT_TYPE(1), %%r%u, %%r%u\n", lim, s);
}

/* What points into v is stale. */
static void
forget(struct gen *g, int var)
{
	for (unsigned r = 1; r < DIF_NREGS; r++)
		if (g->r[r].var == var)
			g->r[r].kind = DEAD;
}

static const char *
access_op(const struct var *v, bool st)
{
	static const char *const ops[2][2][3] = {
		{ { "ldgs", "ldts", "ldls" }, { "stgs", "stts", "stls" } },
		{ { "ldgaa", "ldtaa", "" }, { "stgaa", "sttaa", "" } },
	};

	return ops[v->keys != NULL][st][v->scope];
}

static void
push_keys(struct gen *g, const struct var *v)
{
	for (const char *k = v->keys; k && *k; k++)
		*k == 'i' ? push_num(g) : push_str(g);
}

static void
load_var(struct gen *g)
{
	unsigned i = below(g, NVARS), rd = any_target(g);
	const struct var *v = &vars[i];

	push_keys(g, v);
	sb_printf(&g->b, "%s %s, %%r%u\n%s", access_op(v, false), v->name, rd,
		  v->keys ? "flushts\n" : "");
	if (v->kind == V_NUM)
		set_num(g, rd);
	else if (v->kind == V_STR)
		set(g, rd, (struct reg){ .kind = STR,
			.var = is_dynamic(v) ? (int)i : -1 });
	else
		set(g, rd, (struct reg){ .kind = BYTES, .size = v->size,
			.writable = !is_dynamic(v),
			.var = is_dynamic(v) ? (int)i : -1 });
}

static void
store_var(struct gen *g)
{
	unsigned i = below(g, NVARS), r = 0;
	const struct var *v = &vars[i];

	/* The key first: making it may overwrite registers. */
	push_keys(g, v);
	if (v->kind == V_NUM)
		r = pick(g, NUM, 0);
	else if (!chance(g, 8))
		r = pick(g, v->type[0] == 'u' ? USER :
			 v->kind == V_STR ? STR : BYTES, 0);
	if (v->kind == V_STRUCT && r && g->r[r].size < v->size) {
		if (v->keys)
			sb_puts(&g->b, "flushts\n");
		return;
	}
	sb_printf(&g->b, "%s %%r%u, %s\n%s", access_op(v, true), r, v->name,
		  v->keys ? "flushts\n" : "");
	if (is_dynamic(v))
		forget(g, (int)i);
}

static bool
is_base(const struct dif_subrinfo *info)
{
	return info == dif_subr_info(DIF_SUBR_LLTOSTR) ||
	       info == dif_subr_info(DIF_SUBR_STRTOLL);
}

static void
push_base(struct gen *g)
{
	unsigned r = any_target(g);

	sb_printf(&g->b, "setx %u, %%r%u\npushtv DT_TYPE(0), %%r0, %%r%u\n",
		  2 + below(g, 35), r, r);
	set_num(g, r);
}

static void
call(struct gen *g)
{
	static const uint8_t subrs[] = {
		DIF_SUBR_STRLEN, DIF_SUBR_STRJOIN, DIF_SUBR_LLTOSTR,
		DIF_SUBR_BASENAME, DIF_SUBR_DIRNAME, DIF_SUBR_STRCHR,
		DIF_SUBR_STRRCHR, DIF_SUBR_STRSTR, DIF_SUBR_SUBSTR,
		DIF_SUBR_INDEX, DIF_SUBR_RINDEX, DIF_SUBR_STRTOLL,
		DIF_SUBR_PROGENYOF, DIF_SUBR_TOUPPER, DIF_SUBR_TOLOWER,
		DIF_SUBR_CLEANPATH, DIF_SUBR_STRTOK, DIF_SUBR_JSON,
		DIF_SUBR_HTONS, DIF_SUBR_NTOHL, DIF_SUBR_HTONLL,
		DIF_SUBR_GETMAJOR, DIF_SUBR_GETMINOR,
	};
	const struct dif_subrinfo *info = dif_subr_info(
		subrs[below(g, BASE_NELEMS(subrs))]);
	unsigned rd = any_target(g);

	for (const char *a = info->args; *a; a++) {
		if (*a == '|' && chance(g, 2))
			break;
		if (dif_is_string(*a))
			push_str(g);
		else if (*a == 'i' && a[1] == '\0' && is_base(info) &&
			 !chance(g, 8))
			push_base(g);
		else if (*a == 'i')
			push_num(g);
	}
	sb_printf(&g->b, "call %s, %%r%u\nflushts\n", info->name, rd);
	if (info->ret == 's')
		set_str(g, rd);
	else
		set_num(g, rd);
}

static void statements(struct gen *g, unsigned n);

/* A condition; the branch is taken when it holds. */
static void
condition(struct gen *g, unsigned label)
{
	static const char *const branches[] = {
		"be", "bne", "bg", "bgu", "bge", "bgeu", "bl", "blu", "ble",
		"bleu",
	};
	unsigned n = 10, a;

	switch (below(g, 5)) {
	case 0:
		a = pick(g, NUM, 0);
		sb_printf(&g->b, "tst %%r%u\n", a);
		break;
	case 1:		/* is there a string? */
		sb_printf(&g->b, "tst %%r%u\n", pick(g, STR, 0));
		n = 2;
		break;
	case 2:
		a = pick(g, STR, 0);
		sb_printf(&g->b, "scmp %%r%u, %%r%u\n", a,
			  pick(g, STR, 1u << a));
		n = chance(g, 2) ? 2 : 10;
		break;
	default:
		a = pick(g, NUM, 0);
		sb_printf(&g->b, "cmp %%r%u, %%r%u\n", a,
			  pick(g, NUM, 1u << a));
	}
	sb_printf(&g->b, "%s L%u\n", branches[below(g, n)], label);
}

static void
finish(struct gen *g)
{
	unsigned r = 0;

	do
		r = pick(g, g->result, 0);
	while (g->result == BYTES && g->r[r].size < g->size &&
	       (make_bytes(g, any_target(g)), true));
	sb_printf(&g->b, "ret %%r%u\n", r);
}

static void
meet(struct reg *a, const struct reg *b)
{
	for (unsigned r = 1; r < DIF_NREGS; r++) {
		if (a[r].kind != b[r].kind)
			a[r].kind = DEAD;
		a[r].literal &= b[r].literal;
		a[r].writable &= b[r].writable;
		a[r].size = BASE_MIN(a[r].size, b[r].size);
		/* From two variables: live with both or with none. */
		if (a[r].var != b[r].var) {
			if (a[r].var >= 0 && b[r].var >= 0)
				a[r].kind = DEAD;
			else if (b[r].var >= 0)
				a[r].var = b[r].var;
		}
	}
}

static void
branch(struct gen *g)
{
	unsigned other = g->label++, end = g->label++;
	struct reg before[DIF_NREGS], after[DIF_NREGS];
	bool has_else = chance(g, 2), leaves;

	if (g->depth == 4)
		return;
	g->depth++;
	condition(g, other);
	memcpy(before, g->r, sizeof(before));
	statements(g, 1 + below(g, 5));
	leaves = chance(g, 8);
	if (leaves)
		finish(g);
	memcpy(after, g->r, sizeof(after));
	memcpy(g->r, before, sizeof(before));
	if (has_else) {
		if (!leaves)
			sb_printf(&g->b, "ba L%u\n", end);
		sb_printf(&g->b, "L%u: nop\n", other);
		statements(g, 1 + below(g, 5));
		sb_printf(&g->b, "L%u: nop\n", end);
	} else {
		sb_printf(&g->b, "L%u: nop\n", other);
	}
	if (!leaves)
		meet(g->r, after);
	g->depth--;
}

/* A tuple that is filled in two arms, or lives over a branch. */
static void
split_tuple(struct gen *g)
{
	unsigned other = g->label++, end = g->label++, rd;
	struct reg before[DIF_NREGS], after[DIF_NREGS];

	if (chance(g, 2))
		push_str(g);
	else {
		condition(g, other);
		memcpy(before, g->r, sizeof(before));
		push_str(g);
		sb_printf(&g->b, "ba L%u\nL%u: nop\n", end, other);
		memcpy(after, g->r, sizeof(after));
		memcpy(g->r, before, sizeof(before));
		push_str(g);
		sb_printf(&g->b, "L%u: nop\n", end);
		meet(g->r, after);
	}
	other = g->label++;
	condition(g, other);
	memcpy(before, g->r, sizeof(before));
	arithmetic(g);
	sb_printf(&g->b, "L%u: nop\n", other);
	meet(g->r, before);
	rd = any_target(g);
	sb_printf(&g->b, "call %s, %%r%u\n", chance(g, 2) ? "strlen" :
		  "strtoll", rd);
	set_num(g, rd);
	rd = any_target(g);
	sb_printf(&g->b, "call basename, %%r%u\nflushts\n", rd);
	set_str(g, rd);
}

static void
statement(struct gen *g)
{
	static const struct {
		void (*fn)(struct gen *g);
		unsigned weight;
	} rows[] = {
		{ arithmetic, 20 }, { move, 4 }, { blur, 6 }, { advance, 4 },
		{ load, 8 }, { bad_load, 1 }, { user_load, 2 },
		{ user_copy, 3 }, { argument, 1 }, { store, 8 }, { copy, 4 },
		{ load_var, 16 }, { store_var, 14 }, { call, 14 },
		{ branch, 12 }, { split_tuple, 2 },
	};
	unsigned total = 0, at;

	for (unsigned i = 0; i < BASE_NELEMS(rows); i++)
		total += rows[i].weight;
	at = below(g, total);
	for (unsigned i = 0; i < BASE_NELEMS(rows); i++) {
		if (at < rows[i].weight) {
			rows[i].fn(g);
			return;
		}
		at -= rows[i].weight;
	}
}

static void
statements(struct gen *g, unsigned n)
{
	while (n--)
		statement(g);
}

/* A DIFO with a result of that kind; borrowed until the next one. */
static const char *
difo(struct gen *g, enum kind result, unsigned size)
{
	sb_reset(&g->b);
	memset(g->r, 0, sizeof(g->r));
	g->label = g->depth = 0;
	g->result = result;
	g->size = size;
	statements(g, 2 + below(g, chance(g, 20) ? g->longest : 25));
	finish(g);
	return sb_str(&g->b);
}

/* --- Programs ------------------------------------------------------------------------ */

enum { NCLAUSES = 12, NFIRINGS = 6 };

static char *texts[NCLAUSES + 1];

static void
keep(unsigned i, const char *text)
{
	free(texts[i]);
	texts[i] = strdup(text);
}

/* One result into the record. */
static const char *
add_record(struct gen *g, struct diff_clause *c)
{
	const char *text;

	switch (below(g, 4)) {
	case 0:
		text = difo(g, STR, 0);
		diff_str(c, 1 + below(g, 60), text);
		break;
	case 1:
		text = difo(g, BYTES, 8);
		diff_bytes(c, 8, text);
		break;
	default:
		text = difo(g, NUM, 0);
		diff_int(c, 1u << below(g, 4), text);
		break;
	}
	return text;
}

/* What a variable is by then. */
static void
add_look(struct gen *g, struct diff_clause *c)
{
	const struct var *v = &vars[below(g, NSCALARS)];
	char load[100];

	snprintf(load, sizeof(load), "%s %s, %%r1\nret %%r1",
		 access_op(v, false), v->name);
	if (v->kind == V_NUM)
		diff_int(c, 8, load);
	else if (v->kind == V_STR)
		diff_str(c, 40, load);
	else
		diff_bytes(c, v->size, load);
}

static const struct { int func; uint64_t arg; const char *keys; } aggs[] = {
	{ ABI_AGG_COUNT, 0, "s20 i2" }, { ABI_AGG_SUM, 0, "i" },
	{ ABI_AGG_MIN, 0, NULL }, { ABI_AGG_MAX, 0, "s9" },
	{ ABI_AGG_AVG, 0, NULL }, { ABI_AGG_STDDEV, 0, "i4 b8 s3" },
	{ ABI_AGG_QUANTIZE, 0, NULL },
	{ ABI_AGG_LQUANTIZE, 3ULL << 48 | 10ULL << 32 | 5, "i1" },
	{ ABI_AGG_LLQUANTIZE, 10ULL << 48 | 5ULL << 16 | 20, NULL },
};

static void
add_agg(struct gen *g, struct diff_clause *c)
{
	unsigned i = below(g, BASE_NELEMS(aggs)), n = 0;
	const char *list[8];

	for (const char *k = aggs[i].keys; k && *k; k++)
		if (*k == 'i' || *k == 's' || *k == 'b')
			list[n++] = strdup(difo(g, *k == 'i' ? NUM :
						*k == 's' ? STR : BYTES, 8));
	if (aggs[i].func != ABI_AGG_COUNT)
		list[n++] = strdup(difo(g, NUM, 0));
	if (aggs[i].func >= ABI_AGG_QUANTIZE && chance(g, 2))
		list[n++] = strdup(difo(g, NUM, 0));
	diff_add(c, i, n, list);
	while (n)
		free((char *)list[--n]);
}

static void
add_nodes(struct gen *g, struct diff_clause *c, unsigned depth)
{
	for (unsigned n = below(g, 3); n; n--)
		switch (below(g, depth < 3 ? 5 : 4)) {
		case 0: diff_expr(c, difo(g, NUM, 0)); break;
		case 1: add_agg(g, c); break;
		case 2: add_record(g, c); break;
		case 3: add_look(g, c); break;
		case 4:
			diff_if(c, difo(g, chance(g, 4) ? STR : NUM, 0));
			add_nodes(g, c, depth + 1);
			if (chance(g, 2)) {
				diff_else(c);
				add_nodes(g, c, depth + 1);
			}
			diff_end(c);
		}
}

static void
add_clause(struct gen *g, struct diff *d, unsigned i)
{
	bool error = chance(g, 12);
	struct diff_clause *c = error ? diff_error_clause(d, "#error") :
		diff_clause(d, "#%u", i);

	/* The kernel verifies clauses of ERROR behind each other clause. */
	g->longest = error ? 10 : 150;
	if (chance(g, 6))
		diff_pred(c, difo(g, NUM, 0));
	if (chance(g, 3))
		add_nodes(g, c, 0);
	keep(i, add_record(g, c));
	add_look(g, c);
}

static void
print_texts(void)
{
	for (unsigned i = 0; i < NCLAUSES; i++) {
		printf("# --- #%u\n# ", i);
		for (const char *p = texts[i]; *p; p++) {
			putchar(*p);
			if (*p == '\n' && p[1])
				printf("# ");
		}
	}
}

static unsigned
run_seed(uint64_t seed, bool show)
{
	static const uint32_t strsizes[] = { 8, 16, 32, 64, 256 };
	struct gen g = { .seed = seed * 2654435761u + 1 };
	struct diff_args args[NFIRINGS];

	below(&g, 2);
	struct diff *d = diff_new(strsizes[below(&g, 5)]);
	sb_init(&g.b, 1 << 20);
	diff_room(d, 2048);
	diff_scratch(d, chance(&g, 4) ? 8 * (1 + below(&g, 40)) : 4096);
	declare(d);
	for (unsigned i = 0; i < BASE_NELEMS(aggs); i++)
		diff_agg(d, aggs[i].func, aggs[i].arg, aggs[i].keys);
	for (unsigned i = 0; i < NCLAUSES; i++)
		add_clause(&g, d, i);
	for (unsigned i = 0; i < NFIRINGS; i++) {
		args[i] = (struct diff_args){ { 0 } };
		for (unsigned k = 0; k < 5; k++)
			args[i].v[k] = number(&g);
		args[i].v[5] = (uintptr_t)user;
	}
	unsigned bad = diff_run(d, args, NFIRINGS);
	if (bad || show) {
		printf("# seed %" PRIu64 "\n", seed);
		if (show)
			print_texts();
	}
	diff_free(d);
	sb_fini(&g.b);
	return bad;
}

static double seconds = 15;
static uint64_t first_seed;
static bool one_seed;

static double
now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static unsigned
test_random(void)
{
	double end = now() + seconds;
	unsigned bad = 0, n = 0;

	if (one_seed && seconds == 0)
		return run_seed(first_seed, true);
	for (uint64_t seed = first_seed; now() < end && bad < 5; seed++, n++)
		bad += run_seed(seed, false) != 0;
	printf("# %u programs from seed %" PRIu64 " on\n", n, first_seed);
	return bad;
}

int
main(int argc, char **argv)
{
	static const struct diff_test tests[] = {
		{ "random programs", test_random },
	};

	first_seed = (uint64_t)time(NULL) * 100000;
	if (argc > 1)
		seconds = strtod(argv[1], NULL);
	if (argc > 2) {
		first_seed = strtoull(argv[2], NULL, 0);
		one_seed = true;
	}
	return diff_main(tests, BASE_NELEMS(tests));
}
