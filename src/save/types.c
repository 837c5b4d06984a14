/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Types of what print() shows.  A graph is a list of nodes, each behind those that
 * it is made of:
 *  1. a node names only nodes before it, so reading ends, and no type contains
 *     itself;
 *  2. what a pointer points to is not followed, since print() does not: a struct
 *     there is a declaration.  So the list is as long as the type is large.
 */
#include <assert.h>

#include "save/save_priv.h"

enum { NODES_MAX = 1 << 16, DEPTH_MAX = 64 };

struct writing {
	struct sb *b;
	struct hash known;	/* type, and whether declared only -> number */
	uint32_t n;
	unsigned depth;
};

static uint32_t put(struct writing *w, const struct type *t, bool declare);

static uint32_t
text_size(const char *text)
{
	return text ? (uint32_t)strlen(text) + 1 : 0;
}

static void
put_name(struct sb *b, const char *text)
{
	if (text)
		save_put_text(b, text);
}

static uint8_t
flags_of(const struct type *t)
{
	return (t->is_signed ? SAVE_SIGNED : 0) | (t->is_char ? SAVE_CHAR : 0) |
	       (t->is_bool ? SAVE_BOOL : 0) | (t->variadic ? SAVE_VARIADIC : 0) |
	       (t->is_user ? SAVE_UPTR : 0);
}

static bool
has_members(const struct type *t)
{
	return t->kind == TYPE_STRUCT || t->kind == TYPE_UNION;
}

/* Behind a pointer the insides of these are of no interest. */
static bool
is_declared(const struct type *t, bool declare)
{
	return declare && (has_members(t) || t->kind == TYPE_ENUM);
}

static void
put_members(struct writing *w, const struct type_member *m, uint32_t n,
	    const uint32_t *types)
{
	for (uint32_t i = 0; i < n; i++) {
		struct save_member s = { types[i], m[i].bit_size,
					 m[i].bit_offset,
					 text_size(m[i].name), 0 };
		sb_putn(w->b, &s, sizeof(s));
		put_name(w->b, m[i].name);
	}
}

static void
put_enums(struct writing *w, const struct type_enumerator *e, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct save_enumerator s = { e[i].value, text_size(e[i].name),
					     0 };
		sb_putn(w->b, &s, sizeof(s));
		put_name(w->b, e[i].name);
	}
}

static uint32_t
put_node(struct writing *w, const struct type *t, bool declare)
{
	const struct type_enumerator *enums = NULL;
	const struct type_member *members = NULL;
	bool declared = is_declared(t, declare);
	uint32_t n = 0, *types = NULL;

	if (has_members(t) && !declared)
		members = type_members(t, &n);
	if (t->kind == TYPE_ENUM && !declared)
		enums = type_enums(t, &n);
	uint32_t base = t->base ?
		put(w, t->base, declare || t->kind == TYPE_PTR) : 0;
	if (members && !(types = util_alloc((n + 1) * sizeof(*types))))
		return 0;
	for (uint32_t i = 0; members && i < n; i++)
		types[i] = put(w, members[i].type, false);
	struct save_type s = {
		.kind = declared ? TYPE_FWD : t->kind, .flags = flags_of(t),
		.rank = t->rank, .fwd_kind = declared ? t->kind : t->fwd_kind,
		.n = n, .base = base, .size = declared ? 0 : t->size,
		.nelems = t->nelems, .align = t->align,
		.name = text_size(t->name),
	};
	size_t at = w->b->len;
	sb_putn(w->b, &s, sizeof(s));
	put_name(w->b, t->name);
	if (members)
		put_members(w, members, n, types);
	if (enums)
		put_enums(w, enums, n);
	util_free(types);
	s.bytes = (uint32_t)(w->b->len - at);
	if (!w->b->failed)
		memcpy(w->b->p + at, &s.bytes, sizeof(s.bytes));
	return ++w->n;
}

static uint32_t
put(struct writing *w, const struct type *t, bool declare)
{
	struct { const struct type *t; uint64_t declare; } key = { t, declare };
	void **at;
	uint32_t n;

	if (w->depth == DEPTH_MAX || w->n == NODES_MAX)
		return 0;
	at = hash_ref(&w->known, &key, sizeof(key));
	if (!at || *at)
		return at ? (uint32_t)(uintptr_t)*at : 0;
	w->depth++;
	n = put_node(w, t, declare);
	w->depth--;
	assert(n <= w->n);		/* 1 */
	return hash_put(&w->known, &key, sizeof(key), (void *)(uintptr_t)n)
	       ? n : 0;
}

void
save_put_types(struct sb *b, const struct type *t)
{
	struct writing w = { .b = b };

	put(&w, t, false);
	hash_fini(&w.known);
}

/* --- Reading --------------------------------------------------------------- */

struct reading {
	struct arena *a;
	VEC(struct type *) nodes;
};

static const struct type *
node(const struct reading *r, uint32_t no)
{
	return no && no <= r->nodes.n ? r->nodes.v[no - 1] : NULL;
}

static bool
take_name(struct reading *r, struct save_cursor *c, uint32_t size,
	  const char **ret)
{
	const char *text = size ? save_take_text(c, size) : NULL;

	*ret = text ? arena_strdup(r->a, text) : NULL;
	return !size || *ret;
}

static bool
member_fits(const struct type *t, const struct type_member *m)
{
	uint64_t bits = m->bit_size ? m->bit_size : m->type->size * 8;

	return m->type->size <= UINT32_MAX && m->bit_size <= 64 &&
	       bits <= t->size * 8 && m->bit_offset <= t->size * 8 - bits;
}

static bool
take_members(struct reading *r, struct save_cursor *c, struct type *t)
{
	struct type_member *m;

	if (t->n > c->left / sizeof(struct save_member))
		return false;
	m = ARENA_ARRAY(r->a, struct type_member, t->n);
	for (uint32_t i = 0; m && i < t->n; i++) {
		const struct save_member *s = save_take(c, sizeof(*s));
		if (!s || !(m[i].type = node(r, s->type)) ||
		    !take_name(r, c, s->name, &m[i].name))
			return false;
		m[i].bit_offset = s->bit_offset;
		m[i].bit_size = s->bit_size;
		if (!member_fits(t, &m[i]))
			return false;
	}
	t->u.members = m;
	return m;
}

static bool
take_enums(struct reading *r, struct save_cursor *c, struct type *t)
{
	struct type_enumerator *e;

	if (t->n > c->left / sizeof(struct save_enumerator))
		return false;
	e = ARENA_ARRAY(r->a, struct type_enumerator, t->n);
	for (uint32_t i = 0; e && i < t->n; i++) {
		const struct save_enumerator *s = save_take(c, sizeof(*s));
		if (!s || !take_name(r, c, s->name, &e[i].name) || !e[i].name)
			return false;
		e[i].value = s->value;
	}
	t->u.enums = e;
	return e;
}

/* Which kinds are made of another type. */
static bool
wants_base(const struct type *t)
{
	return t->kind == TYPE_PTR || t->kind == TYPE_ARRAY ||
	       (t->kind >= TYPE_TYPEDEF && t->kind <= TYPE_RESTRICT);
}

static bool
sizes_fit(const struct type *t)
{
	switch (t->kind) {
	case TYPE_INT:
	case TYPE_ENUM:
	case TYPE_PTR:
		return t->size == 1 || t->size == 2 || t->size == 4 ||
		       t->size == 8;
	case TYPE_FLOAT:
		return t->size == 4 || t->size == 8 || t->size == 16;
	case TYPE_ARRAY:
		return t->nelems <= UINT32_MAX && t->base->size <= UINT32_MAX &&
		       t->size <= UINT32_MAX &&
		       t->nelems * type_size(t->base) <= t->size;
	default:
		return t->size <= UINT32_MAX;
	}
}

static bool
take_node(struct reading *r, struct save_cursor *c)
{
	const struct save_type *s = save_take(c, sizeof(*s));
	struct type *t = ARENA_NEW(r->a, struct type);

	if (!s || !t || s->kind > TYPE_DYN || s->n > NODES_MAX)
		return false;
	*t = (struct type){
		.kind = s->kind, .rank = s->rank, .fwd_kind = s->fwd_kind,
		.is_signed = s->flags & SAVE_SIGNED,
		.is_char = s->flags & SAVE_CHAR, .is_bool = s->flags & SAVE_BOOL,
		.variadic = s->flags & SAVE_VARIADIC,
		.is_user = s->flags & SAVE_UPTR, .n = s->n, .size = s->size,
		.nelems = s->nelems, .align = s->align, .module = "saved",
		.base = node(r, s->base),
	};
	if (t->kind == TYPE_FUNC && !t->base)
		t->base = &type_void;	/* files of 0.1 do not tell */
	if (!take_name(r, c, s->name, &t->name) ||
	    (wants_base(t) && !t->base) || !sizes_fit(t))
		return false;
	if (has_members(t) && !take_members(r, c, t))
		return false;
	if (t->kind == TYPE_ENUM && !take_enums(r, c, t))
		return false;
	if (!has_members(t) && t->kind != TYPE_ENUM)
		t->n = 0;
	return vec_push(&r->nodes, t);
}

const struct type *
save_take_types(struct save_cursor *c, size_t size, struct arena *a)
{
	struct reading r = { .a = a };
	struct save_cursor in = { save_take(c, size), size };
	const struct type *t = NULL;

	while (in.p && in.left && r.nodes.n < NODES_MAX) {
		if (!take_node(&r, &in)) {	/* though nothing may be left */
			in.p = NULL;
			break;
		}
		t = r.nodes.v[r.nodes.n - 1];
	}
	if (!in.p || in.left)
		t = NULL;
	vec_fini(&r.nodes);
	return t;
}
