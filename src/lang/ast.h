/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The syntax tree of a D program.  The parser builds it; sema annotates it in
 * place (the fields below "sema"); gen reads it.  Nodes live in the arena of
 * the compilation.  Names are interned: equal names are equal pointers.
 */
#ifndef LANG_AST_H
#define LANG_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "lang/diag.h"

struct type;		/* type/type.h; lang itself never looks inside */

/* Unary and binary operators, by what they mean.  Comparisons stand together from
 * LT to NE, logical operators behind them to LXOR, and what steps from PREINC
 * on. */
enum ast_op {
	AST_OP_NONE,
#define OP(NAME, ...) AST_##NAME,
#include "lang/op.def"
#undef OP
};
_Static_assert(AST_LT + 5 == AST_NE && AST_NE + 3 == AST_LXOR &&
	       AST_PREINC + 3 == AST_POSTDEC, "they are asked for as ranges");

enum ast_kind {
	/* expressions; operands in kid[], lists through next */
	AST_INT,	/* value, type from the literal's rules */
	AST_FLOAT,	/* text */
	AST_STR,	/* str, str_len: escapes resolved, may hold NULs */
	AST_IDENT,	/* name: a bare identifier */
	AST_THIS,	/* this->name */
	AST_SELF,	/* self->name */
	AST_SYM,	/* `name or module`name: kernel symbol */
	AST_AGG,	/* @name; name "_" for @; list: keys or NULL */
	AST_INDEX,	/* kid[0] [ list ]: array, associative array, args[] */
	AST_CALL,	/* kid[0] is an IDENT; list: arguments */
	AST_UNARY,	/* op kid[0] */
	AST_BINARY,	/* kid[0] op kid[1] */
	AST_ASSIGN,	/* kid[0] = kid[1], or op= when op is not NONE */
	AST_COND,	/* kid[0] ? kid[1] : kid[2] */
	AST_CAST,	/* (tname) kid[0] */
	AST_SIZEOF_T,	/* sizeof (tname) */
	AST_SIZEOF_E,	/* sizeof kid[0] */
	AST_ALIGNOF,	/* _Alignof (tname) */
	AST_OFFSETOF,	/* offsetof(tname, name path) */
	AST_STRINGOF,	/* stringof kid[0] */
	AST_XLATE,	/* xlate <tname> (kid[0]) */
	AST_DOT,	/* kid[0].name */
	AST_ARROW,	/* kid[0]->name */
	/* statements */
	AST_EXPR,	/* kid[0]; */
	AST_IF,		/* if (kid[0]) list else list2 */
	AST_FOR,	/* for (list2; kid[0]; kid[1]) list: list2 is one
			 * statement, and each of the three may be NULL;
			 * while (kid[0]) list */
	AST_DO,		/* do list while (kid[0]) */
	AST_BREAK, AST_CONTINUE,
	AST_RETURN,	/* return kid[0]; kid[0] may be NULL */
	AST_LOCAL,	/* tname = kid[0]; kid[0] may be NULL */
	AST_EMPTY,	/* ; */
};

struct sema_ident;

/* .name or [index], behind the first member in offsetof. */
struct ast_step {
	struct ast_step *next;
	const char *name;		/* or NULL */
	struct ast_node *index;		/* or NULL */
	struct lang_span span;
};

struct ast_node {
	uint8_t kind;			/* enum ast_kind */
	uint8_t op;			/* enum ast_op */
	bool parens;			/* was written in parentheses */
	uint16_t height;		/* of the tree: 1..LANG_MAX_HEIGHT */
	struct lang_span span;		/* all of it */
	struct lang_span op_span;	/* the operator or the name */
	struct ast_node *next;		/* in a list */
	struct ast_node *kid[3];
	struct ast_node *list, *list2;
	uint32_t nlist;
	const char *name;		/* identifier, member */
	const char *module;		/* SYM: before the backquote, or NULL */
	const char *str;		/* STR; FLOAT: its text */
	uint32_t str_len;
	uint64_t value;			/* INT */
	bool is_unsigned, is_long, is_llong; /* INT: the suffix */
	bool is_decimal;		/* INT: not octal or hex, not a char */
	bool is_char;			/* INT: from a character constant */
	bool is_macro;			/* STR: the text of $$1 */
	struct ast_decl *tname;		/* CAST, SIZEOF_T, ALIGNOF, OFFSETOF,
					 * XLATE, LOCAL */
	struct ast_step *path;		/* OFFSETOF */

	/* sema */
	const struct type *type;	/* of the value; NULL after an error */
	struct sema_ident *ident;	/* what a name turned out to be */
	const struct ast_node *repl;	/* evaluate this instead (inlines,
					 * translated members, folded values) */
	bool is_const;			/* value (or str) is known */
	bool is_zero;			/* XLATE: a struct of zeros; not so, it
					 * is made of its members in list, or
					 * only those that are used are */
	bool is_lvalue;
	bool is_user;			/* an address in user memory */
	uint64_t bit_offset;		/* DOT, ARROW: of the member, in bits */
	uint32_t bit_size;		/* DOT, ARROW: 0 unless a bit-field */
	void *sema;			/* more, by kind: sema/item_priv.h */
};

#endif
