/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A whole program: clauses, declarations and the rest, in its order.
 */
#ifndef LANG_PROGRAM_H
#define LANG_PROGRAM_H

#include "lang/decl.h"

/* A description as written, macros expanded. */
struct ast_pdesc {
	struct ast_pdesc *next;
	const char *text;
	struct lang_span span;
};

struct ast_clause {
	struct ast_pdesc *descs;
	struct ast_node *pred;		/* or NULL */
	struct ast_node *body;		/* statements, through next */
	bool has_body;			/* braces were written */
	struct lang_span span;
};

struct ast_xlator {			/* translator OUT < IN name > {...}; */
	struct ast_decl *out, *in;	/* in->name is the parameter */
	struct ast_member_expr {
		struct ast_member_expr *next;
		const char *name;
		struct ast_node *expr;
		struct lang_span span;
	} *members;
	struct lang_span span;
};

struct ast_inline {			/* inline T n = e;  inline T n[K k] = e; */
	struct ast_decl *decl;		/* deriv ARRAY is_assoc: parameters */
	struct ast_node *expr;
	struct lang_span span;
};

struct ast_func {			/* static T f(T a) { ... } */
	struct ast_decl *decl;		/* its first derivation is FUNC */
	struct ast_node *body;
	struct lang_span span;
};

struct ast_probe_decl {			/* probe n(types) : (types); */
	struct ast_probe_decl *next;
	const char *name;
	struct ast_decl *nargs, *xargs;
	bool has_xargs;
	struct lang_span span;
};

struct ast_provider {			/* provider n { probe ...; }; */
	const char *name;
	struct ast_probe_decl *probes;
	struct lang_span span;
};

/* #pragma D ..., already split into words. */
struct ast_pragma {
	const char **words;		/* "option", "quiet" ... */
	unsigned nwords;
	struct lang_span span;
};

enum ast_item_kind { AST_ITEM_CLAUSE, AST_ITEM_DECL, AST_ITEM_XLATOR,
		     AST_ITEM_INLINE, AST_ITEM_PROVIDER, AST_ITEM_PRAGMA,
		     AST_ITEM_FUNC, AST_ITEM_TYPE /* u.decl, of LANG_TYPE */ };

struct ast_item {
	struct ast_item *next;
	uint8_t kind;			/* enum ast_item_kind */
	union {
		struct ast_clause *clause;
		struct ast_decl *decl;	/* declarators, through next; a lone
					 * `struct x {...};` has one nameless */
		struct ast_xlator *xlator;
		struct ast_inline *inl;
		struct ast_provider *provider;
		struct ast_pragma *pragma;
		struct ast_func *func;
	} u;
};

struct ast_program {
	const struct lang_source *src;
	struct ast_item *items;
};

#endif
