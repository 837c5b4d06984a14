/* SPDX-License-Identifier: BSD-2-Clause
 *
 * From tokens to the tree.
 */
#ifndef LANG_SYNTAX_PRIV_H
#define LANG_SYNTAX_PRIV_H

#include "lang/lang_priv.h"

/* --- control.c, pdesc.c ------------------------------------------------ */

void lang_add_item(struct parser *p, struct ast_item *item);

/* Read "desc, desc, ..." from the text; NULL after an error. */
struct ast_pdesc *lang_read_descs(struct parser *p);

/* --- expr.c --------------------------------------------------------------- */

struct ast_node *lang_expr(struct parser *p);		/* with commas */
struct ast_node *lang_assign(struct parser *p);		/* without */
struct ast_node *lang_cond(struct parser *p);		/* no assignment */
/* A new node; op_span is span too. */
struct ast_node *lang_node(struct parser *p, enum ast_kind kind,
			   struct lang_span span);
struct ast_node *lang_unary_node(struct parser *p, enum ast_op op,
				 struct lang_span op_span,
				 struct ast_node *kid);
/* kid[i] = kid; the span and the height follow. */
void lang_set_kid(struct parser *p, struct ast_node *n, unsigned i,
		  struct ast_node *kid);
/* n has got a new child: keep its height, and watch it. */
void lang_grow(struct parser *p, struct ast_node *n,
	       const struct ast_node *child);
/* Stretch n to the end of what was taken last. */
struct ast_node *lang_end_here(struct parser *p, struct ast_node *n);

/* --- operand.c ------------------------------------------------------------ */

struct ast_node *lang_operand(struct parser *p);

/* --- attr.c --------------------------------------------------------------- */

/* Append what __attribute__((...)) and _Alignas(...) say here, any number of
 * them; false when there is none. */
bool lang_attrs(struct parser *p, struct ast_attr **list);

/* --- decl.c --------------------------------------------------------------- */

/* Do a '(' and a type name follow, as in a cast or behind sizeof? */
bool lang_at_paren_type(struct parser *p, bool sizeof_);
/* A name that stands for a type in this program. */
bool lang_is_type(struct parser *p, const char *name);
/* This program declares name; the first typedef or the newest use counts. */
void lang_declare(struct parser *p, const char *name, bool is_type);
/* "int *", "struct x [3]": specifier and abstract declarator. */
struct ast_decl *lang_type_name(struct parser *p);
/* One specifier and one declarator with a name. */
struct ast_decl *lang_one_decl(struct parser *p);
/* Is what d declares a function? */
bool lang_is_func(const struct ast_decl *d);
/* "spec declarator, declarator ;" at file scope; or the head of a function,
 * when it is one and a '{' follows. */
struct ast_decl *lang_decl(struct parser *p);
/* Take _Static_assert(...); if it is there: the compiler that made what we
 * trace has looked. */
bool lang_skip_assertion(struct parser *p);
/* What stands between '(' and ')'; the '(' is taken, ')' is not. */
struct ast_decl *lang_params(struct parser *p, enum token_kind close,
			     bool *variadic);

/* --- space.c: import and namespace ------------------------------------- */

/* Does the text go on with "namespace NAME"? */
bool lang_at_space(const struct parser *p);
/* Read one; items() reads items up to the '}'. */
void lang_read_space(struct parser *p, void (*items)(struct parser *p));
void lang_read_import(struct parser *p);

/* --- stmt.c --------------------------------------------------------------- */

/* "{ statements }". */
struct ast_node *lang_block(struct parser *p);

#endif
