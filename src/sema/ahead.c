/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Variables that are used before they are assigned.  A program is looked at from
 * top to bottom, but it runs in another order: a predicate may ask for what a later
 * clause assigns,
 *
 *	syscall::read:return /seen[pid]/ { ... }
 *	syscall::open:entry { seen[pid] = 1; }
 *
 * and that assignment says what type the variable has.  So when a name means
 * nothing, all assignments of the program are noted under the names they are for,
 * once; and those to this name are tried in turn until one of them makes the
 * variable.
 *
 * To try an assignment is to check a copy of it as if it stood where it does: in
 * its clause, with what is declared around it visible.  Nothing that is wrong with
 * it is told; that is done when the checker comes to it.  A function is checked as
 * a whole instead, as it would be at a call, and what is wrong with it is told.
 *
 * A variable may be assigned a value that is made of its own, and never another,
 *
 *	most[pid] = arg2 > most[pid] ? arg2 : most[pid];
 *
 * so if nothing else makes it, its assignments are tried once more as if it were a
 * number, as of x++, and then as if it were a string.
 *
 * 1. Assignments may depend on each other (x = y; y = x).  A name that is being
 *    looked for is not looked for again, and at most DEPTH_MAX are at a time.
 * 2. An assignment is tried at most TRIES_MAX times, so that names that wait for
 *    each other in many ways do not cost more than the program is long.
 */
#include <assert.h>
#include <string.h>

#include "sema/clause_priv.h"
#include "sema/expand_priv.h"
#include "sema/expr_priv.h"
#include "sema/name_priv.h"
#include "sema/type_priv.h"

enum { DEPTH_MAX = 64, TRIES_MAX = 3 };	/* as itself, a number, a string */

/* A LOCAL that is visible where an assignment stands; the innermost first. */
struct sema_visible {
	const struct sema_visible *outer;
	const struct ast_node *local;
};

/* An assignment somewhere in the program to a variable of some name. */
struct sema_ahead {
	struct sema_ahead *next;	/* of this name, in program order */
	struct sema_ahead *last;	/* in the first: of the list */
	const struct ast_node *assign;	/* ASSIGN, or UNARY with ++ or -- */
	const struct ast_clause *clause;	/* it stands in; or NULL, and */
	const struct ast_func *func;
	const struct sema_visible *visible;	/* declared inside, around it */
	unsigned tries;
};

struct sema_wanted {
	const struct sema_wanted *outer;
	const struct ast_node *name;
	unsigned depth;
	struct sema_ident *guess;	/* what stands for it in its own value, or NULL */
};

/* --- Noting assignments ---------------------------------------------------- */

/* Where the walk through the program is. */
struct walk {
	struct sema *s;
	const struct ast_clause *clause;
	const struct ast_func *func;
	const struct sema_visible *visible;
};

static bool
is_same_name(const struct ast_node *a, const struct ast_node *b)
{
	return a->name == b->name && sema_scope_of(a) == sema_scope_of(b);
}

/* The name that assigning to n may bring into being: that of x or x[...]. */
static const struct ast_node *
assigned_name(const struct ast_node *n)
{
	const struct ast_node *to = n->kid[0];
	bool is_step = n->kind == AST_UNARY && n->op >= AST_PREINC &&
		       n->op <= AST_POSTDEC;

	if (n->kind != AST_ASSIGN && !is_step)
		return NULL;
	if (to->kind == AST_INDEX)
		to = to->kid[0];
	return sema_is_name(to) ? to : NULL;
}

static void
note_assignment(struct walk *w, const struct ast_node *n)
{
	const struct ast_node *name = assigned_name(n);
	struct sema_ahead *new, *first;

	if (!name || !(new = ARENA_NEW(w->s->a, struct sema_ahead)))
		return;
	*new = (struct sema_ahead){ .assign = n, .clause = w->clause,
		.func = w->func, .visible = w->visible, .last = new };
	first = hash_gets(&w->s->ahead, name->name);
	if (first) {
		first->last->next = new;
		first->last = new;
	} else {
		sema_had(w->s, hash_puts(&w->s->ahead, name->name, new));
	}
}

static void
note_expr(struct walk *w, const struct ast_node *n)
{
	if (!n)
		return;
	/* Operands first: the assignment in x = (y = 1) that runs first. */
	for (int i = 2; i >= 0; i--)
		note_expr(w, n->kid[i]);
	for (const struct ast_node *k = n->list; k; k = k->next)
		note_expr(w, k);
	note_assignment(w, n);
}

static void note_stmts(struct walk *w, const struct ast_node *n);

static void
note_stmt(struct walk *w, const struct ast_node *n)
{
	struct sema_visible *v;

	if (n->kind == AST_FOR && n->list2)
		note_stmt(w, n->list2);
	note_expr(w, n->kid[0]);
	if (n->kind == AST_LOCAL) {
		v = ARENA_NEW(w->s->a, struct sema_visible);
		if (v) {
			*v = (struct sema_visible){ w->visible, n };
			w->visible = v;
		}
		return;
	}
	if (n->kind == AST_EXPR || n->kind == AST_RETURN)
		return;
	note_stmts(w, n->list);
	note_expr(w, n->kid[1]);
	if (n->kind == AST_IF)
		note_stmts(w, n->list2);
}

static void
note_stmts(struct walk *w, const struct ast_node *n)
{
	const struct sema_visible *outside = w->visible;

	for (; n; n = n->next) {
		bool is_loop = n->kind == AST_FOR || n->kind == AST_DO;
		const struct sema_visible *before = w->visible;
		note_stmt(w, n);
		if (is_loop)
			w->visible = before;
	}
	w->visible = outside;
}

static void
note_all(struct sema *s)
{
	s->has_ahead = true;
	for (const struct ast_item *i = s->prog->ast->items; i; i = i->next) {
		struct walk w = { .s = s };
		if (i->kind == AST_ITEM_CLAUSE) {
			w.clause = i->u.clause;
			note_stmts(&w, w.clause->body);
			note_expr(&w, w.clause->pred);
		} else if (i->kind == AST_ITEM_FUNC) {
			w.func = i->u.func;
			note_stmts(&w, w.func->body);
		}
	}
}

/* --- Trying one ------------------------------------------------------------ */

/* Make what is declared around an assignment visible: names with types, of
 * variables that will never be. */
static bool
declare_visible(struct sema *s, const struct sema_visible *v)
{
	struct ast_decl *d;
	struct sema_ident *id;
	struct sema_local *l;

	if (!v)
		return true;
	if (!declare_visible(s, v->outer))
		return false;
	d = v->local->tname;
	id = ARENA_NEW(s->a, struct sema_ident);
	l = ARENA_NEW(s->a, struct sema_local);
	if (!id || !l)
		return false;
	id->kind = SEMA_VAR;
	id->scope = SEMA_THIS;
	id->is_declared = true;
	id->name = d->name;
	id->attr = sema_attr_default;
	id->span = d->span;
	id->type = sema_decl_type(s, d, DECL_FILE);
	if (type_is_string(id->type))
		id->type = s->string;
	*l = (struct sema_local){ s->locals, d->name, id };
	s->locals = l;
	return id->type;
}

static void
check_copy(struct sema *s, const struct sema_ahead *a)
{
	struct sema_clause clause = { .ast = a->clause };
	struct ast_node *copy;

	s->clause = &clause;
	sema_clause_descs(s, a->clause);
	copy = declare_visible(s, a->visible) ? sema_copy(s, a->assign) : NULL;
	if (copy)
		sema_expr(s, copy);
}

/* What was counted and noted for a copy does not count. */
static void
try_copy(struct sema *s, const struct sema_ahead *a)
{
	struct diag_list trial;
	struct sema_place here = sema_go_inside(s);
	size_t seen = s->reported.n;
	unsigned weight = s->weight, expanded = s->expanded;
	bool too_big = s->too_big, beside_string = s->beside_string;

	diag_init(&trial, s->a);
	s->d = &trial;
	s->is_trial = true;
	check_copy(s, a);
	hash_cut(&s->reported, seen);
	s->weight = weight;
	s->expanded = expanded;
	s->too_big = too_big;
	s->beside_string = beside_string;
	sema_go_back(s, &here);
}

/* A variable that has no type was made by an assignment that is wrong. */
static struct sema_ident *
find_made(struct sema *s, const struct ast_node *n)
{
	struct sema_ident *id = sema_ident_find(s, sema_scope_of(n), n->name);

	return id && id->kind == SEMA_VAR && id->type ? id : NULL;
}

static bool
is_wanted(const struct sema *s, const struct ast_node *n)
{
	for (const struct sema_wanted *w = s->wanted; w; w = w->outer)
		if (is_same_name(w->name, n))
			return true;
	return false;
}

/* What stands for the name in the value that is assigned to it. */
static struct sema_ident *
guess_of(struct sema *s, const struct sema_ahead *a, const struct ast_node *name,
	 const struct type *type)
{
	struct sema_ident *id = ARENA_NEW(s->a, struct sema_ident);

	if (sema_had(s, id != NULL))
		*id = (struct sema_ident){ .kind = SEMA_VAR,
			.scope = (uint8_t)sema_scope_of(name),
			.is_assoc = a->assign->kid[0]->kind == AST_INDEX,
			.name = name->name, .type = type, .id = SEMA_VAR_BASE,
			.attr = sema_attr_default, .span = name->span };
	return id;
}

/* Try the assignments to n.  type: what its value is taken for in them; NULL: it has none. */
static struct sema_ident *
try_assignments(struct sema *s, const struct ast_node *n, struct sema_wanted *w,
		const struct type *type)
{
	struct sema_ident *id = NULL;

	for (struct sema_ahead *a = hash_gets(&s->ahead, n->name); a && !id;
	     a = a->next) {
		const struct ast_node *name = assigned_name(a->assign);
		if (!is_same_name(name, n) || a->tries++ >= TRIES_MAX)
			continue;
		if (type && !(w->guess = guess_of(s, a, name, type)))
			break;
		if (a->func)
			sema_func_define(s, a->func);
		else
			try_copy(s, a);
		id = find_made(s, n);
	}
	return id;
}

struct sema_ident *
sema_look_ahead(struct sema *s, const struct ast_node *n)
{
	struct sema_wanted w = { s->wanted, n,
				 s->wanted ? s->wanted->depth + 1 : 0, NULL };
	struct sema_ident *id;

	if (s->wanted && s->wanted->guess && is_same_name(s->wanted->name, n))
		return s->wanted->guess;
	if (!s->prog || w.depth > DEPTH_MAX || is_wanted(s, n) ||
	    sema_ident_find(s, sema_scope_of(n), n->name))
		return NULL;
	if (!s->has_ahead)
		note_all(s);
	s->wanted = &w;
	id = try_assignments(s, n, &w, NULL);
	if (!id)
		id = try_assignments(s, n, &w, sema_int64());
	if (!id)
		id = try_assignments(s, n, &w, s->string);
	assert(s->wanted == &w && w.depth <= DEPTH_MAX);	/* 1 */
	s->wanted = w.outer;
	return id;
}
