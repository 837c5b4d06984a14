/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Types and text about them, and the declarations that spell them.
 */
#ifndef SEMA_TYPE_PRIV_H
#define SEMA_TYPE_PRIV_H

#include "abi/field.h"
#include "sema/state_priv.h"

/* --- type.c: types and text about them ----------------------------------- */

/* D's string of size bytes, strsize at most. */
const struct type *sema_string(struct sema *s, uint64_t size);
/* Is n a constant that a string of strsize bytes cannot hold? */
bool sema_is_cut(const struct sema *s, const struct ast_node *n);
/* The type of a stack or symbol that is recorded as a field of this kind and
 * size. */
const struct type *sema_dyn(struct sema *s, enum abi_field_kind kind,
			    uint32_t size, const char *name);
/* Like the type, for messages; never NULL. */
const char *sema_tname(struct sema *s, const struct type *t);
/* Is n an element of the array, or a byte of the string, that it names? */
bool sema_is_part(const struct ast_node *n);
/* Where the program or library that is being checked keeps its types. */
struct hash *sema_typedefs(struct sema *s);
struct hash *sema_tags(struct sema *s);
/* A tag or typedef: the program's, D's, the world's.  NULL: none. */
const struct type *sema_type_named(struct sema *s, const char *module,
				   enum type_kind kind, const char *name);
/* The same, as it is written in a program: that may also mean a type of the
 * processes that it traces. */
const struct type *sema_type_written(struct sema *s, const char *module,
				     enum type_kind kind, const char *name);
/* One of that name is not known: what the processes that are traced say of it. */
void sema_hint_type(struct sema *s, const char *module, enum type_kind kind,
		       const char *name);
/* The same of t, if it is only declared. */
void sema_hint_unknown(struct sema *s, const struct type *t);
/* A type's text in a table: as type_parse(), and string, string(N). */
const struct type *sema_type_text(struct sema *s, const char *text);
/* The pointer an array or function turns into as a value; else t. */
const struct type *sema_decay(struct sema *s, const struct ast_node *n);
/* The string type that a string-like expression becomes, with its NUL. */
const struct type *sema_as_string(struct sema *s, const struct type *t);
/* 0 written as an integer, or NULL. */
bool sema_is_null(const struct ast_node *n);
/* A floating-point type that values can be converted to and kept in. */
bool sema_is_real(const struct type *t);
/* May a value of node n go to something of type t: assignment, argument,
 * member of a translator? */
bool sema_assignable(struct sema *s, const struct type *t,
		     const struct ast_node *n);

/* --- stack.c -------------------------------------------------------------- */

/* Does an address conversion print a value of this type: %a a kernel's symbol,
 * %A a process's? */
bool sema_is_symbol(const struct type *t);
bool sema_is_stack(const struct type *t);

/* --- decl.c, dtype.c ----------------------------------------------------- */

enum decl_where { DECL_FILE, DECL_MEMBER, DECL_PARAM, DECL_TYPENAME };

/* The type a declaration spells; NULL after a report. */
const struct type *sema_decl_type(struct sema *s, struct ast_decl *d,
				  enum decl_where where);
void sema_decl(struct sema *s, struct ast_decl *d);
/* Is the outermost derivation that of an associative array? */
const struct ast_deriv *sema_decl_assoc(const struct ast_decl *d);
/* The type below the key part of `T a[K]`. */
const struct type *sema_decl_assoc_value(struct sema *s, struct ast_decl *d);
/* Types of parameters or keys, one after the other; *n of them. */
const struct type **sema_decl_params(struct sema *s, struct ast_decl *params,
				     uint32_t *n);

/* --- attr.c --------------------------------------------------------------- */

struct sema_attrs {
	bool is_packed;
	uint32_t align;		/* bytes, at least; 0: any */
};
/* Add what the list says. */
void sema_attrs(struct sema *s, const struct ast_attr *list,
		struct sema_attrs *ret);
/* t with the width that the list gives it; NULL after a report. */
const struct type *sema_attr_type(struct sema *s, const struct ast_attr *list,
				  const struct type *t);
/* What words or a name of C mean that are no type of D; only the size is known.
 * NULL: no such name. */
const struct type *sema_foreign_words(struct sema *s,
				      const struct ast_spec *sp);
const struct type *sema_foreign_name(struct sema *s, const char *name);

#endif
