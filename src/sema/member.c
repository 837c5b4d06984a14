/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Members: `.` and `->` on structs and unions, and on what a translator makes.
 */
#include <string.h>

#include "sema/expand_priv.h"
#include "sema/expr_priv.h"
#include "sema/name_priv.h"
#include "sema/tree.h"
#include "sema/type_priv.h"

enum { MAX_TRIES = 4096 };	/* members looked at for a suggestion */

static void
near_members(struct near *r, const struct type *t, unsigned *tries, int depth)
{
	uint32_t n;
	const struct type_member *m = type_members(t, &n);

	for (uint32_t i = 0; i < n && r->dist && *tries; i++, --*tries) {
		if (m[i].name)
			sema_near_try(r, m[i].name);
		else if (type_is_sou(m[i].type) && depth < 8)
			near_members(r, m[i].type, tries, depth + 1);
	}
}

/* What we call the member that a script of another system names; name, if nothing. */
static const char *
our_name(const struct type *t, const char *name)
{
	static const struct { const char *tag, *name, *ours; } rows[] = {
#define SAME_MEMBER(tag, name, ours) { tag, name, ours },
#define FOREIGN_MEMBER(tag, members, hint)
#include "sema/member.def"
#undef FOREIGN_MEMBER
#undef SAME_MEMBER
	};
	const char *tag = type_strip(t)->name;
	struct type_member m;

	for (size_t i = 0; tag && i < BASE_NELEMS(rows); i++)
		if (!strcmp(rows[i].name, name) && !strcmp(rows[i].tag, tag) &&
		    !type_find_member(t, name, &m))
			return rows[i].ours;
	return name;
}

/* *name is "a->b", of the struct *t that n looks into: then n looks into a of it, *t is what that
 * points to, and *name "b".  False without memory. */
static bool
go_through(struct sema *s, struct ast_node *n, const struct type **t, const char **name)
{
	const char *end;

	for (; (end = strstr(*name, "->")); *name = end + 2) {
		struct ast_node *k = sema_node(s, n->kind, n->span);
		struct type_member m;
		if (!k)
			return false;
		k->name = intern_n(s->names, *name, (size_t)(end - *name));
		if (!sema_had(s, k->name != NULL) || !type_find_member(*t, k->name, &m))
			return false;
		k->type = m.type;
		k->bit_offset = m.bit_offset;
		k->is_lvalue = true;
		k->kid[0] = n->kid[0];
		k->height = n->height;
		n->kind = AST_ARROW;
		n->kid[0] = k;
		n->height = (uint16_t)(k->height + 1);
		*t = type_strip(type_strip(m.type)->base);
	}
	return true;
}

/* n is what it looks into, or a pointer to that. */
static void
be_whole(struct ast_node *n, bool is_ptr)
{
	struct ast_node *k = n->kid[0];

	n->is_lvalue = k->is_lvalue;
	if (n->kind == AST_ARROW && !is_ptr) {
		n->kind = AST_UNARY;
		n->op = AST_DEREF;
		n->type = type_strip(k->type)->base;
		n->is_lvalue = true;
		n->is_user = type_strip(k->type)->is_user;
	} else {
		sema_replace(n, k);
	}
}

/* A script of another system looks into a struct of its kernel. */
static bool
hint_foreign(struct sema *s, const struct type *t, const char *name)
{
	static const struct { const char *tag, *members, *hint; } rows[] = {
#define SAME_MEMBER(tag, name, ours)
#define FOREIGN_MEMBER(tag, members, hint) { tag, members, hint },
#include "sema/member.def"
#undef FOREIGN_MEMBER
#undef SAME_MEMBER
	};
	const char *tag = type_strip(t)->name;

	for (size_t i = 0; tag && i < BASE_NELEMS(rows); i++) {
		if (strcmp(rows[i].tag, tag) ||
		    !probe_glob_match(rows[i].members, name))
			continue;
		diag_hint(s->d, "%s", rows[i].hint);
		return true;
	}
	return false;
}

/* A struct of the kernel's is looked into, and a process has another of that
 * name. */
static bool
hint_process(struct sema *s, const struct type *t, const char *name)
{
	const struct sema_world *w = s->world;
	struct type_member m;

	t = type_strip(t);
	if (!w->find_process_type || s->flags & LANG_LIBRARY || !t->name ||
	    !t->module || t->is_user || !strcmp(t->module, "D"))
		return false;
	const struct type *own = w->find_process_type(w->ctx, NULL, t->kind,
						      t->name);
	if (!own || !own->module || !type_find_member(own, name, &m))
		return false;
	diag_hint(s->d, "this is the kernel's; the process has another: %s "
		  "%s`%s", t->kind == TYPE_UNION ? "union" : "struct",
		  own->module, own->name);
	return true;
}

void
sema_no_member(struct sema *s, const struct ast_node *n,
	       const struct type *t)
{
	unsigned tries = MAX_TRIES;
	struct near r;

	diag(s->d, D_TYPE_MEMBER, n->op_span.len ? n->op_span : n->span,
	     "%s is not a member of %s", n->name, sema_tname(s, t));
	if (!sema_wants_hint(s) || hint_foreign(s, t, n->name) ||
	    hint_process(s, t, n->name))
		return;
	sema_near_init(&r, n->name);
	near_members(&r, t, &tries, 0);
	if (r.best)
		diag_hint(s->d, "did you mean %s?", r.best);
}

/* The struct that n looks into; NULL after a report. */
static const struct type *
base_struct(struct sema *s, const struct ast_node *n)
{
	const struct type *t = type_strip(n->kid[0]->type);
	bool is_arrow = n->kind == AST_ARROW;
	bool is_ptr = t->kind == TYPE_PTR || t->kind == TYPE_ARRAY;
	const char *op = is_arrow ? "->" : ".";
	const struct type *to = is_ptr ? type_strip(t->base) : t;
	bool is_sou = type_is_sou(to) || to->kind == TYPE_FWD;

	if (is_arrow && !is_ptr) {
		diag(s->d, is_sou ? D_OP_SOU : D_OP_PTR, n->span,
		     "operator -> must be applied to a pointer, not %s",
		     sema_tname(s, n->kid[0]->type));
		if (is_sou)
			diag_hint(s->d, "use .%s", n->name);
		return NULL;
	}
	if (!is_arrow && is_ptr && is_sou) {
		diag(s->d, D_OP_PTR, n->span, "operator . cannot be applied "
		     "to %s, which is a pointer",
		     sema_tname(s, n->kid[0]->type));
		diag_hint(s->d, "use ->%s", n->name);
		return NULL;
	}
	if (!is_sou || (!is_arrow && is_ptr)) {
		diag(s->d, D_OP_SOU, n->span, "operator %s must be applied "
		     "to %s struct or union, not %s", op,
		     is_arrow ? "a pointer to a" : "a",
		     sema_tname(s, n->kid[0]->type));
		return NULL;
	}
	if (!type_is_complete(to)) {
		const char *text = arena_printf(s->a, "the members of %s are not known",
						sema_tname(s, to));
		if (!sema_had(s, text != NULL) || sema_seen(s, &s->reported, text))
			return NULL;
		diag(s->d, D_OP_INCOMPLETE, n->span, "%s", text);
		sema_hint_unknown(s, to);
		return NULL;
	}
	return to;
}

void
sema_member(struct sema *s, struct ast_node *n)
{
	struct ast_node *k = n->kid[0];
	bool is_arrow = n->kind == AST_ARROW;
	const struct ast_node *e;
	const struct type *t;
	struct type_member m;

	sema_expr_any(s, k);
	if (!k->type)
		return;
	e = sema_eval(k);
	t = base_struct(s, n);
	if (!t)
		return;
	const char *ours = our_name(t, n->name);
	if (!strcmp(ours, "*") || (is_arrow && !strcmp(ours, "&"))) {
		be_whole(n, *ours == '&');
		return;
	}
	if (!go_through(s, n, &t, &ours))
		return;
	k = n->kid[0];
	is_arrow = n->kind == AST_ARROW;
	n->name = intern(s->names, ours);
	if (!sema_had(s, n->name != NULL))
		return;
	if (e->kind == AST_XLATE) {
		sema_xlate_member(s, n, e);
		return;
	}
	if (!type_find_member(t, n->name, &m)) {
		sema_no_member(s, n, t);
		return;
	}
	n->type = m.type;
	n->bit_offset = m.bit_offset;
	n->bit_size = m.bit_size;
	n->is_lvalue = is_arrow || k->is_lvalue;
	n->is_user = is_arrow && type_is_ptr(k->type)
		     ? type_strip(k->type)->is_user : k->is_user;
}
