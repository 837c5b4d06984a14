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

/* --- Declarations and type names ------------------------------------------ */

enum ast_class { AST_CLASS_NONE, AST_CLASS_SELF, AST_CLASS_THIS,
		 AST_CLASS_EXTERN, AST_CLASS_STATIC, AST_CLASS_TYPEDEF,
		 AST_CLASS_AUTO, AST_CLASS_REGISTER };

/* What GNU C says of a layout, and _Alignas. */
enum ast_attr_kind { AST_ATTR_PACKED, AST_ATTR_ALIGNED, AST_ATTR_MODE,
		     AST_ATTR_VECTOR };

struct ast_attr {
	struct ast_attr *next;
	uint8_t kind;			/* enum ast_attr_kind */
	struct ast_node *value;		/* ALIGNED: or NULL for the strictest
					 * of the machine; VECTOR: bytes */
	struct ast_decl *tname;		/* ALIGNED: as this type, or NULL */
	const char *word;		/* MODE */
	struct lang_span span;
};

/* Is word this name of an attribute or mode, or __name__? */
bool ast_attr_is(const char *word, const char *name);

/* What a type specifier says before any declarator. */
enum ast_spec_kind { AST_SPEC_BASIC, AST_SPEC_NAME, AST_SPEC_STRUCT,
		     AST_SPEC_UNION, AST_SPEC_ENUM, AST_SPEC_TYPEOF };

struct ast_spec {
	uint8_t kind;			/* enum ast_spec_kind */
	uint8_t class;			/* enum ast_class */
	/* BASIC: how often each word was written. */
	uint8_t n_void, n_char, n_short, n_int, n_long, n_float, n_double,
		n_signed, n_unsigned, n_string, n_bool, n_int128, n_float128,
		n_complex;
	bool is_const, is_volatile, is_restrict, is_userland;
	const char *name;		/* typedef name or tag, or NULL */
	const char *module;		/* struct mod`tag, or NULL */
	bool has_body;			/* { ... } was written */
	struct ast_decl *members;	/* STRUCT, UNION, through next */
	struct ast_enumerator *enums;	/* ENUM */
	struct ast_decl *tname;		/* TYPEOF a type, or NULL */
	struct ast_node *expr;		/* TYPEOF a value, or NULL */
	struct ast_attr *attrs;		/* of all that is declared */
	struct ast_attr *tag_attrs;	/* of the struct, union or enum with
					 * this body */
	uint16_t pack;			/* bytes, of #pragma pack, or 0 */
	struct lang_span span;
};

struct ast_enumerator {
	struct ast_enumerator *next;
	const char *name;
	struct ast_node *value;		/* or NULL */
	struct lang_span span;
};

/* Derivations from the inside out: `int *a[3]` is ARRAY, then POINTER. */
enum ast_deriv_kind { AST_DERIV_PTR, AST_DERIV_ARRAY, AST_DERIV_FUNC };

struct ast_deriv {
	struct ast_deriv *next;
	uint8_t kind;
	bool is_const, is_volatile, is_restrict;	/* PTR */
	struct ast_node *size;		/* ARRAY: or NULL for [] */
	struct ast_decl *params;	/* FUNC; or ARRAY with types: the keys
					 * of `int a[string, int]` */
	bool variadic;			/* FUNC */
	bool is_assoc;			/* ARRAY: params are key types */
	struct lang_span span;
};

/* One declarator with its specifier: a declaration, member, parameter or type
 * name.  `int a, *b;` is two that share their spec. */
struct ast_decl {
	struct ast_decl *next;
	struct ast_spec *spec;
	struct ast_deriv *deriv;
	const char *name;		/* NULL: abstract */
	const char *word;		/* name without its namespace */
	struct ast_node *bits;		/* bit-field width, or NULL */
	struct ast_attr *attrs;
	struct lang_span span;		/* name, or all of it when abstract */

	const struct type *type;	/* sema */
};

/* --- Program -------------------------------------------------------------- */

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
