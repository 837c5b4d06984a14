/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Names: what is built in, what a program defines, and what is near.
 */
#ifndef SEMA_NAME_PRIV_H
#define SEMA_NAME_PRIV_H

#include "sema/state_priv.h"

/* --- builtin.c ----------------------------------------------------------- */

bool sema_builtins_init(struct sema *s);
/* Another strsize: types are made anew. */
void sema_builtins_forget(struct sema *s);
/* NULL: none, or not in this version of D. */
struct builtin *sema_builtin(struct sema *s, const char *name);
/* The prototype of a callable one; NULL without memory. */
const struct proto *sema_proto(struct sema *s, struct builtin *b);
/* Is id a variable that D has elsewhere and we do not?  Then a program may have
 * one of that name. */
bool sema_is_unbuilt(const struct sema_ident *id);
/* Reports D_NOTIMPL and answers true when b is not built. */
bool sema_is_later(struct sema *s, const struct builtin *b,
		   const struct ast_node *n);
bool sema_version_parse(const char *s, uint32_t *ret);
enum { SEMA_VERSION_SIZE = 16 };
/* "1.2", or "1.2.3" when the last part is not 0. */
void sema_version_print(uint32_t version, char ret[SEMA_VERSION_SIZE]);

/* --- ident.c ------------------------------------------------------------- */

struct sema_ident *sema_ident_find(struct sema *s, enum sema_scope scope,
				   const char *name);
/* A bare name: the program's, else a built-in one, else one of a library, which
 * is then compiled.  NULL: none. */
struct sema_ident *sema_ident_lookup(struct sema *s, const char *name);
/* The same without compiling a library: what a program defines hides what a
 * library would, if nobody has asked for it yet. */
struct sema_ident *sema_ident_declared(struct sema *s, const char *name);
/* Is id a program's, which a library being compiled leaves alone? */
bool sema_is_hidden(struct sema *s, const struct sema_ident *id);
/* Have a library compiled that defines name; false: there is none (left). */
bool sema_library(struct sema *s, enum lang_name_kind kind, const char *name);
struct sema_ident *sema_var_new(struct sema *s, enum sema_scope scope,
				const char *name, const struct type *type,
				struct lang_span span);
/* A clause-local that has no name to be found by. */
struct sema_ident *sema_hidden_var(struct sema *s, const char *name,
				   const struct type *type,
				   struct lang_span span);
/* May d be the name of something global?  Reports. */
bool sema_is_free(struct sema *s, const struct ast_decl *d);
bool sema_ident_add(struct sema *s, enum sema_scope scope,
		    struct sema_ident *id);
/* "self->x" */
const char *sema_var_text(struct sema *s, enum sema_scope scope,
			  const char *name);
/* Report an undefined variable, once for each name, with a suggestion. */
void sema_var_undef(struct sema *s, const struct ast_node *n,
		    enum sema_scope scope);
void sema_func_undef(struct sema *s, const struct ast_node *n);
/* Say nothing about a name whose definition was wrong. */
void sema_mute(struct sema *s, const char *name);
bool sema_is_muted(struct sema *s, const char *name);
/* The name under which a typedef is muted. */
const char *sema_typedef_text(struct sema *s, const char *name);
/* The nearest of several names.  Looking for one takes time, so nobody does
 * for diagnostics that are only counted. */
bool sema_wants_hint(const struct sema *s);
struct near { const char *name, *best; unsigned dist; };
void sema_near_init(struct near *r, const char *name);
void sema_near_try(struct near *r, const char *name);
/* Count the use of something of this stability. */
void sema_use(struct sema *s, struct probe_attr attr, struct lang_span span);
/* Report D_ATTR_MIN if attr is less stable than -x amin asks. */
void sema_check_amin(struct sema *s, struct probe_attr attr,
		     struct lang_span span);

/* --- kvar.c -------------------------------------------------------------- */

/* Fill the AST_SYM n if it is a variable of kvar.def: is_linux tells which
 * rows are looked at.  False: it is none. */
bool sema_kvar(struct sema *s, struct ast_node *n, bool is_linux);
/* What to look at instead of the variable n of another kernel; NULL: it is none. */
const char *sema_kvar_foreign(const struct ast_node *n);

/* --- percpu.c ------------------------------------------------------------ */

/* Is n a variable that each CPU has its own of? */
bool sema_percpu(struct sema *s, const struct ast_node *n, struct sema_percpu *ret);
/* Have n be that of the CPU on which the probe fires. */
void sema_percpu_use(struct sema *s, struct ast_node *n, const struct sema_percpu *p);

/* --- key.c: keys of associative arrays and aggregations ------------------ */

/* Check the keys of n against those of id, or fix them at first use.  tag:
 * for another number of keys (AGG: D_AGG_MDIM, which serves for types too). */
bool sema_keys(struct sema *s, struct sema_ident *id, struct ast_node *n);
bool sema_keys_declare(struct sema *s, struct sema_ident *id,
		       const struct type *const *types, uint32_t n);

/* --- Names seen, for those that must differ ------------------------------ */

/* True when name (NULL: never) was put into seen before; else puts it. */
bool sema_seen(struct sema *s, struct hash *seen, const char *name);

#endif
