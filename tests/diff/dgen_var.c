/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The types and variables of a random program, and places in them: a variable
 * or a part of one.
 */
#include <string.h>

#include "dgen_priv.h"

#define INT(text, bytes) { .kind = DGEN_INT, .name = text, .size = bytes }
static const struct dgen_type ints[] = {
	INT("char", 1), INT("signed char", 1), INT("unsigned char", 1),
	INT("short", 2), INT("unsigned short", 2), INT("int", 4),
	INT("unsigned", 4), INT("long", 8), INT("unsigned long", 8),
	INT("long long", 8), INT("unsigned long long", 8), INT("int8_t", 1),
	INT("uint8_t", 1), INT("int16_t", 2), INT("uint16_t", 2),
	INT("int32_t", 4), INT("uint32_t", 4), INT("int64_t", 8),
	INT("uint64_t", 8), INT("size_t", 8), INT("pid_t", 4),
	INT("intptr_t", 8), INT("enum color", 4), INT("number_t", 2),
	INT("_Bool", 1),
};
static const struct dgen_type string = { .kind = DGEN_STR, .name = "string",
					 .size = 256, .has_str = true };

const struct dgen_type *
dgen_int_type(struct dgen *g)
{
	return &DGEN_PICK(g, ints);
}

static struct dgen_type *
new_type(struct dgen *g, enum dgen_kind kind)
{
	struct dgen_type *t = ARENA_NEW(g->a, struct dgen_type);

	t->kind = (uint8_t)kind;
	return t;
}

static const struct dgen_type *
chars(struct dgen *g)
{
	struct dgen_type *t = new_type(g, DGEN_CHARS);

	t->name = "char";
	t->n = t->size = 2 + dgen_below(g, 15);
	return t;
}

static const struct dgen_type *
array(struct dgen *g, const struct dgen_type *of)
{
	static const unsigned sizes[] = { 2, 3, 4, 5, 8 };
	struct dgen_type *t = new_type(g, DGEN_ARRAY);

	t->of = of;
	t->n = DGEN_PICK(g, sizes);
	t->size = t->n * of->size;
	t->has_str = of->has_str;
	return t;
}

static const struct dgen_type *
user_ptr(struct dgen *g, const struct dgen_type *of)
{
	struct dgen_type *t = new_type(g, DGEN_PTR);

	t->of = of;
	t->size = 8;
	return t;
}

const char *
dgen_declare(struct dgen *g, const struct dgen_type *t, const char *name)
{
	switch (t->kind) {
	case DGEN_ARRAY:
		return dgen_declare(g, t->of,
				    dgen_text(g, "%s[%u]", name, t->n));
	case DGEN_CHARS:
		return dgen_text(g, "char %s[%u]", name, t->n);
	case DGEN_PTR:
		return dgen_text(g, "userland %s", dgen_declare(g, t->of,
					dgen_text(g, "*%s", name)));
	default:
		return dgen_text(g, "%s %s", t->name, name);
	}
}

/* --- Structs and unions --------------------------------------------------------- */

static void
add_member(struct dgen_type *t, const char *name, const struct dgen_type *type,
	   unsigned bits)
{
	if (t->nm == BASE_NELEMS(t->m))
		return;
	t->m[t->nm++] = (struct dgen_member){ name, type, bits };
	t->size = (unsigned)base_align(t->size, 8) + type->size;
	t->has_str |= type->has_str;
}

/* The type and width of a random member. */
static const struct dgen_type *
member_type(struct dgen *g, unsigned *bits)
{
	const struct dgen_type *t = dgen_int_type(g);

	*bits = 0;
	switch (dgen_below(g, 10)) {
	case 0: case 1: case 2:
		if (strcmp(t->name, "enum color") && strcmp(t->name, "_Bool"))
			*bits = 1 + dgen_below(g, t->size * 8);
		return t;
	case 3:
		return chars(g);
	case 4:
		return array(g, dgen_chance(g, 3) ? array(g, t) : t);
	case 5:
		return g->nsou ? g->sou[dgen_below(g, g->nsou)] : t;
	case 6:
		return g->nsou ? array(g, g->sou[dgen_below(g, g->nsou)]) : t;
	case 7:
		return dgen_chance(g, 3) ? &string : t;
	default:
		return t;
	}
}

static void
new_sou(struct dgen *g, struct dtree *list)
{
	struct dgen_type *t = new_type(g, DGEN_SOU);
	bool is_union = dgen_chance(g, 4);
	struct dtree *members = DTREE(g->a, DTREE_SOME, " ");
	unsigned n = 1 + dgen_below(g, 8), bits;

	t->name = dgen_text(g, "%s s%u", is_union ? "union" : "struct",
			    g->ntags++);
	for (unsigned i = 0; i < n; i++) {
		const struct dgen_type *m = member_type(g, &bits);
		if (t->size + m->size > 300)
			continue;
		const char *name = dgen_text(g, "m%u", i);
		add_member(t, name, m, bits);
		const char *decl = dgen_declare(g, m, name);
		dtree_add(g->a, members, DGEN_F(g, bits
			? dgen_text(g, "%s : %u;", decl, bits)
			: dgen_text(g, "%s;", decl)));
	}
	if (!t->nm) {
		add_member(t, "m", &ints[5], 0);
		dtree_add(g->a, members, DGEN_F(g, "int m;"));
	}
	/* Parts of a union show the bytes of others. */
	dtree_add(g->a, list, DGEN_F(g, dgen_text(g, "%s { $ };", t->name),
				     members));
	if (is_union && t->has_str)
		return;
	g->sou[g->nsou++] = t;
}

const struct dgen_type *
dgen_datum(struct dgen *g)
{
	struct dgen_type *t = new_type(g, DGEN_SOU);
	static const char *const ours[] = { "i", "uc", "us", "l", "b3", "sb5",
					    "b20", "sb12", "b40", "sb24" };

	t->name = "struct datum";
	for (unsigned i = 0; i < BASE_NELEMS(t->m); i++)
		add_member(t, ours[i], &ints[5], i >= 4 ? 1 : 0);
	t->size = 152;
	return t;
}

void
dgen_types(struct dgen *g, struct dtree *list)
{
	unsigned n = dgen_below(g, DGEN_NSOUS);

	dtree_add(g->a, list, DGEN_F(g, "enum color { red, green = 7, "
				     "blue = -3 };"));
	dtree_add(g->a, list, DGEN_F(g, "typedef unsigned short number_t;"));
	while (n--)
		new_sou(g, list);
}

/* --- Variables ---------------------------------------------------------------------- */

static const struct dgen_type *
var_type(struct dgen *g)
{
	switch (dgen_below(g, 8)) {
	case 0: case 1:
		return &string;
	case 2: case 3:
		if (g->nsou)
			return g->sou[dgen_below(g, g->nsou)];
		return dgen_int_type(g);
	case 4:
		return dgen_chance(g, 2) ? chars(g) :
			array(g, dgen_int_type(g));
	case 5:
		if (dgen_chance(g, 3))
			return array(g, &string);
		if (g->nsou && dgen_chance(g, 2))
			return array(g, g->sou[dgen_below(g, g->nsou)]);
		return dgen_int_type(g);
	default:
		return dgen_int_type(g);
	}
}

static const char *
random_keys(struct dgen *g)
{
	unsigned n = 1 + dgen_below(g, dgen_chance(g, 8) ? 9 : 4);
	char keys[16] = "";

	for (unsigned i = 0; i < n; i++)
		keys[i] = dgen_chance(g, 3) ? 's' : 'i';
	return dgen_text(g, "%s", keys);
}

/* "int, string" */
static const char *
key_types(struct dgen *g, const char *keys)
{
	const char *text = "";

	for (const char *k = keys; *k; k++)
		text = dgen_text(g, "%s%s%s", text, k == keys ? "" : ", ",
				 *k == 's' ? "string" : dgen_int_type(g)->name);
	return text;
}

static void
new_var(struct dgen *g, struct dtree *list, const char *scope, unsigned no,
	const struct dgen_type *type, const char *keys)
{
	struct dgen_var *v = &g->var[g->nvars++];
	const char *name = dgen_text(g, "%c%u", scope[0] ? scope[0] : 'g', no);
	const char *decl = name;

	*v = (struct dgen_var){
		.name = scope[0] ? dgen_text(g, "%s->%s", scope, name) : name,
		.type = type, .keys = keys,
	};
	/* What is not declared takes its type from the first value. */
	v->is_declared = type->kind >= DGEN_CHARS || g->nvars <= 2 ||
			 dgen_chance(g, 2);
	if (!v->is_declared)
		return;
	if (keys)
		decl = dgen_text(g, "%s[%s]", name, key_types(g, keys));
	dtree_add(g->a, list, DGEN_F(g, dgen_text(g, "%s%s%s;", scope,
		scope[0] ? " " : "", dgen_declare(g, type, decl))));
}

static void
scope_vars(struct dgen *g, struct dtree *list, const char *scope, unsigned n)
{
	bool dynamic = strcmp(scope, "this") != 0;

	for (unsigned i = 0; i < n; i++) {
		const struct dgen_type *t = i == 0 ? dgen_int_type(g) :
					    i == 1 ? &string : var_type(g);
		/* An array in an associative array has no way to be
		 * declared. */
		bool flat = t->kind != DGEN_ARRAY && t->kind != DGEN_CHARS;
		const char *keys = i > 1 && dynamic && flat &&
			dgen_chance(g, 3) ? random_keys(g) : NULL;
		new_var(g, list, scope, i, t, keys);
	}
}

void
dgen_vars(struct dgen *g, struct dtree *list)
{
	const struct dgen_type *datum = dgen_datum(g);

	scope_vars(g, list, "", 4 + dgen_below(g, 10));
	scope_vars(g, list, "self", 3 + dgen_below(g, 7));
	scope_vars(g, list, "this", 3 + dgen_below(g, 7));
	if (g->world == DGEN_DIFF) {
		new_var(g, list, "", 20, datum, NULL);
		new_var(g, list, "self", 21, user_ptr(g, datum), NULL);
		new_var(g, list, "", 22, datum, "i");
	}
	if (g->nsou)
		new_var(g, list, "", 23, user_ptr(g, g->sou[0]), NULL);
}

/* --- Places --------------------------------------------------------------------------- */

/* Below n, in brackets. */
struct dtree *
dgen_index(struct dgen *g, unsigned n, unsigned depth)
{
	if (!depth || dgen_chance(g, 2))
		return DGEN_F(g, dgen_text(g, "[%u]", dgen_below(g, n)));
	if (!(n & (n - 1)))
		return DGEN_F(g, dgen_text(g, "[$ & %u]", n - 1),
			      dgen_num(g, depth - 1));
	return DGEN_F(g, dgen_text(g, "[(uint32_t)$ %% %u]", n),
		      dgen_num(g, depth - 1));
}

struct dtree *
dgen_keys(struct dgen *g, const char *kinds, const struct dgen_type *type,
	  unsigned depth)
{
	struct dtree *list = DGEN_F(g, "");

	for (; *kinds; kinds++) {
		list->text = dgen_text(g, "%s%s$", list->text,
				       list->n ? ", " : "");
		dtree_add(g->a, list, *kinds == 'i' ? dgen_num(g, depth) :
			  *kinds == 's' ? dgen_str(g, depth) :
			  *kinds == 't' ? dgen_sou(g, type, depth) :
			  DGEN_F(g, "probename"));
	}
	return list;
}

struct dtree *
dgen_var_use(struct dgen *g, const struct dgen_var *v, unsigned depth)
{
	if (!v->keys)
		return DGEN_F(g, v->name);
	return DGEN_F(g, dgen_text(g, "%s[$]", v->name),
		      dgen_keys(g, v->keys, NULL, depth ? depth - 1 : 0));
}

static bool
is_wanted(const struct dgen_type *t, enum dgen_kind kind,
	  const struct dgen_type *want)
{
	return t->kind == kind &&
	       (!want || !strcmp(t->name, want->name));
}

struct dtree *
dgen_within(struct dgen *g, struct dtree *base, const struct dgen_type *t,
	    enum dgen_kind kind, const struct dgen_type *want, unsigned depth,
	    const struct dgen_type **type)
{
	const struct dgen_member *m;

	*type = t;
	if (is_wanted(t, kind, want) &&
	    (kind != DGEN_SOU || want || dgen_chance(g, 2)))
		return base;
	switch (t->kind) {
	case DGEN_SOU:
		m = &t->m[dgen_below(g, t->nm)];
		return dgen_within(g, DGEN_F(g, dgen_text(g, "$.%s", m->name),
					     base), m->type, kind, want, depth,
				   type);
	case DGEN_ARRAY:
		return dgen_within(g, DGEN_F(g, "$$", base,
					dgen_index(g, t->n, depth)),
				   t->of, kind, want, depth, type);
	case DGEN_CHARS:
		*type = &ints[0];
		if (kind == DGEN_INT)
			return DGEN_F(g, "$$", base,
				      dgen_index(g, t->n, depth));
		return NULL;
	default:
		return NULL;
	}
}

struct dtree *
dgen_place(struct dgen *g, enum dgen_kind kind, const struct dgen_type *want,
	   unsigned depth, const struct dgen_type **type)
{
	for (unsigned tries = 0; tries < 12; tries++) {
		const struct dgen_var *v = &g->var[dgen_below(g, g->nvars)];
		if (g->pure && !v->is_declared)
			continue;	/* an inline stands before its use */
		if (!depth && v->keys && !dgen_chance(g, 4))
			continue;	/* or there is no end */
		struct dtree *p = dgen_within(g, dgen_var_use(g, v, depth),
					      v->type, kind, want, depth, type);
		if (p)
			return p;
	}
	if (kind == DGEN_INT || kind == DGEN_STR) {
		*type = g->var[kind == DGEN_STR].type;
		return DGEN_F(g, g->var[kind == DGEN_STR].name);
	}
	return NULL;
}
