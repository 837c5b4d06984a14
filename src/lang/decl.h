/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Declarations and type names, as part of the syntax tree (lang/ast.h).
 */
#ifndef LANG_DECL_H
#define LANG_DECL_H

#include "lang/ast.h"

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

/* Arguments or parameters as written: a lone void says that there are none. */
static inline const struct ast_decl *
lang_args(const struct ast_decl *d)
{
	bool is_void = d && !d->next && !d->name && !d->deriv &&
		       d->spec->kind == AST_SPEC_BASIC && d->spec->n_void;

	return is_void ? NULL : d;
}

#endif
