/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the files of this folder share.
 *
 * An expression is checked once, by sema_expr(), which fills the node.  A
 * node whose type is NULL afterwards is wrong and has been reported; whoever
 * uses it stays silent and yields NULL in turn.  Lack of memory looks the
 * same, without a report; sema_program() notices at the end.
 */
#ifndef SEMA_SEMA_PRIV_H
#define SEMA_SEMA_PRIV_H

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
/* A type's text in a table: as type_parse(), and string, string(N). */
const struct type *sema_type_text(struct sema *s, const char *text);
/* The pointer an array or function turns into as a value; else t. */
const struct type *sema_decay(struct sema *s, const struct ast_node *n);
/* The string type that a string-like expression becomes, with its NUL. */
const struct type *sema_as_string(struct sema *s, const struct type *t);
/* 0 written as an integer, or NULL. */
bool sema_is_null(const struct ast_node *n);
/* May a value of node n go to something of type t: assignment, argument,
 * member of a translator? */
/* A floating-point type that values can be converted to and kept in. */
bool sema_is_real(const struct type *t);
bool sema_assignable(struct sema *s, const struct type *t,
		     const struct ast_node *n);

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

/* --- clause.c ------------------------------------------------------------ */

/* The program has been seen: judge what its descriptions name that only other
 * systems have. */
void sema_foreign_check(struct sema *s);

/* --- key.c: keys of associative arrays and aggregations ------------------ */

/* Check the keys of n against those of id, or fix them at first use.  tag:
 * for another number of keys (AGG: D_AGG_MDIM, which serves for types too). */
bool sema_keys(struct sema *s, struct sema_ident *id, struct ast_node *n);
bool sema_keys_declare(struct sema *s, struct sema_ident *id,
		       const struct type *const *types, uint32_t n);

/* --- Names seen, for those that must differ ------------------------------ */

/* True when name (NULL: never) was put into seen before; else puts it. */
bool sema_seen(struct sema *s, struct hash *seen, const char *name);

/* --- Expressions: expr.c, op.c, assign.c, var.c, member.c, cast.c -------- */

/* Check n and fill it. */
void sema_expr(struct sema *s, struct ast_node *n);
/* The same, but a stack or symbol will do: for what only prints it. */
void sema_expr_dyn(struct sema *s, struct ast_node *n);
/* The same, but a translated struct as a whole will do. */
void sema_expr_any(struct sema *s, struct ast_node *n);
/* The same, and a translated struct is a value. */
void sema_expr_whole(struct sema *s, struct ast_node *n);
/* The same, but what only has an address will do: a symbol without a type. */
void sema_expr_place(struct sema *s, struct ast_node *n);
void sema_unary(struct sema *s, struct ast_node *n);
void sema_binary(struct sema *s, struct ast_node *n);
void sema_cond(struct sema *s, struct ast_node *n);
void sema_assign(struct sema *s, struct ast_node *n);
void sema_cast(struct sema *s, struct ast_node *n);
void sema_sizeof(struct sema *s, struct ast_node *n);
void sema_alignof(struct sema *s, struct ast_node *n);
void sema_offsetof(struct sema *s, struct ast_node *n);
void sema_stringof(struct sema *s, struct ast_node *n);
void sema_name(struct sema *s, struct ast_node *n);	/* IDENT THIS SELF */
void sema_sym(struct sema *s, struct ast_node *n);
void sema_index(struct sema *s, struct ast_node *n);
void sema_member(struct sema *s, struct ast_node *n);
void sema_xlate(struct sema *s, struct ast_node *n);
/* xlate <t>(e) as a node, e being checked; NULL after a report. */
struct ast_node *sema_xlate_to(struct sema *s, const struct type *t,
			       struct ast_node *e);
/* Report that struct t has no member n->name. */
void sema_no_member(struct sema *s, const struct ast_node *n,
		    const struct type *t);
/* Does a bare name mean anything? */
bool sema_is_known(struct sema *s, const char *name);
/* Check n as what is assigned to; a variable that is new gets type (NULL: one
 * that is wrong, so that nothing more is said about it). */
void sema_target(struct sema *s, struct ast_node *n, const struct type *type);
/* Is n the name of a variable as it is written: x, self->x, this->x?  Which scope
 * does it mean, and what (NULL: nothing)? */
bool sema_is_name(const struct ast_node *n);
enum sema_scope sema_scope_of(const struct ast_node *n);
struct sema_ident *sema_named(struct sema *s, const struct ast_node *n);
/* May op write to the checked node n?  Reports. */
bool sema_writable(struct sema *s, const struct ast_node *n, const char *op);
/* A scalar, for conditions; reports with tag. */
bool sema_is_cond(struct sema *s, const struct ast_node *n,
		  enum diag_tag tag, const char *what);
/* D's integer of int64_t. */
const struct type *sema_int64(void);
const char *sema_op_text(unsigned op);
/* Behind a report: what may be done with a value of type t, if it is a float. */
void sema_hint_float(struct sema *s, const struct type *t);
/* Behind a report that a string is wanted: is n text in single quotes? */
void sema_hint_char(struct sema *s, const struct ast_node *n);
/* Can one step from the thing that p, a pointer, points to, to the next?
 * Reports. */
bool sema_can_step(struct sema *s, const struct type *p, const char *op,
		   struct lang_span span);
/* Reports operands that no operator takes: void, <DYN>, float.  True: fine. */
bool sema_operand(struct sema *s, const struct ast_node *n, const char *op);

/* --- fold.c -------------------------------------------------------------- */

/* v as a value of type t stands in 64 bits. */
uint64_t sema_cut(const struct type *t, uint64_t v);
/* Make n, whose type is known, the constant v. */
void sema_set_const(struct ast_node *n, uint64_t v);
void sema_fold_unary(struct ast_node *n);
void sema_fold_binary(struct sema *s, struct ast_node *n);
void sema_fold_cond(struct ast_node *n);
void sema_fold_cast(struct ast_node *n);
/* Is n a constant divisor of 0?  Reports. */
bool sema_div_zero(struct sema *s, const struct ast_node *n, unsigned op);

/* --- width.c -------------------------------------------------------------- */

/* n, an ASSIGN or a step of an integer, stores something in its kid[0]. */
void sema_note_store(struct sema *s, struct ast_node *n);
/* n is used as this key of an aggregation. */
void sema_note_key(struct sema *s, struct sema_key *key, struct ast_node *n);
/* Find out what is wide, from all that was noted. */
void sema_width_settle(struct sema *s);

/* --- expand.c: new nodes; copies of expressions with parameters bound ---- */

/* A node that the program did not write; NULL without memory. */
struct ast_node *sema_node(struct sema *s, enum ast_kind kind,
			   struct lang_span span);
/* A copy of e, to be checked anew; NULL without memory, or when too much has been
 * copied. */
struct ast_node *sema_copy(struct sema *s, const struct ast_node *e);
/* A copy of e checked with params visible, as a value of type t; NULL after
 * a report or without memory. */
struct ast_node *sema_expand(struct sema *s, const struct ast_node *e,
			     struct sema_param *params, const struct type *t,
			     const struct ast_node *use);
/* Have the checked e evaluated in place of n. */
void sema_replace(struct ast_node *n, const struct ast_node *e);
/* Check n, and count the nodes it will have to evaluate. */
unsigned sema_expr_weight(struct sema *s, struct ast_node *n);
/* Report an expression that has grown too large through expansion. */
void sema_too_big(struct sema *s, struct lang_span span);
/* n as a value of type t: n itself or a cast of it. */
struct ast_node *sema_convert(struct sema *s, struct ast_node *n,
			      const struct type *t);

/* --- inline.c, xlate.c --------------------------------------------------- */

void sema_inline_define(struct sema *s, const struct ast_inline *i);
/* n names inline id; args: the keys of the array form, or NULL. */
void sema_inline_use(struct sema *s, struct ast_node *n,
		     struct sema_ident *id, struct ast_node *args,
		     uint32_t nargs);
void sema_xlator_define(struct sema *s, const struct ast_xlator *x);
/* If the checked n is a translated struct, have its value made as a whole; false
 * after a report. */
bool sema_whole(struct sema *s, struct ast_node *n);
/* The same for *p, if p is a translated pointer: then true, and n is done. */
bool sema_whole_deref(struct sema *s, struct ast_node *n);
/* n is a member access whose base is the XLATE node x. */
void sema_xlate_member(struct sema *s, struct ast_node *n,
		       const struct ast_node *x);

/* --- branch.c ------------------------------------------------------------- */

/* If the EXPR n, which has not been checked, chooses between actions, make it an
 * IF. */
void sema_unfold_stmt(struct sema *s, struct ast_node *n);

/* --- ahead.c -------------------------------------------------------------- */

/* Have the variable that n names, which means nothing yet, come into being as an
 * assignment elsewhere in the program says.  NULL: there is none that tells. */
struct sema_ident *sema_look_ahead(struct sema *s, const struct ast_node *n);

/* --- either.c ------------------------------------------------------------ */

/* True when n is a call of __either(), which is then checked. */
bool sema_either(struct sema *s, struct ast_node *n);

/* --- call.c, agg.c, quant.c, format.c ------------------------------------ */

void sema_call(struct sema *s, struct ast_node *n);	/* as an expression */
void sema_call_stmt(struct sema *s, struct ast_node *n);
/* Is n no action?  Reports one, unless it has a value (a stack). */
bool sema_no_action(struct sema *s, const struct ast_node *n);
/* Behind a report that n is void: if it is an action, say so. */
void sema_hint_action(struct sema *s, const struct ast_node *n);
/* Is this a call of an action that names a stack or symbol? */
bool sema_is_dyn_call(struct sema *s, const struct ast_node *n);
/* "f( )": how messages name the function of a call. */
const char *sema_call_name(const struct ast_node *call);
/* The prototype of the built-in that is called; NULL without memory. */
const struct proto *sema_call_proto(struct sema *s,
				    const struct ast_node *call);
/* Number and types of arguments as the prototype wants. */
bool sema_args(struct sema *s, struct ast_node *call);
bool sema_args_count(struct sema *s, struct ast_node *call,
		     const struct proto *p, enum diag_tag tag);
void sema_agg_assign(struct sema *s, struct ast_node *n);
/* Report @a[1][2]. */
void sema_agg_mdim(struct sema *s, const struct ast_node *n);
/* Argument no (1..) must be an aggregation as a whole; reports with tag. */
bool sema_agg_arg(struct sema *s, const struct ast_node *call,
		  struct ast_node *arg, unsigned no, enum diag_tag tag);
/* When the whole program has been seen: every aggregation among the arguments of
 * call must have been used with an aggregating function, else report with
 * `bad`; then call check, unless it is NULL. */
void sema_late_add(struct sema *s, struct ast_node *call, enum diag_tag bad,
		   void (*check)(struct sema *, struct ast_node *));
void sema_late_check(struct sema *s);
/* Argument i (0..), or NULL. */
struct ast_node *sema_arg(const struct ast_node *call, unsigned i);
/* Parameters of lquantize() and llquantize() into id->agg_arg. */
bool sema_lquantize(struct sema *s, struct sema_agg *agg,
		    struct ast_node *call);
bool sema_llquantize(struct sema *s, struct sema_agg *agg,
		     struct ast_node *call);
/* The checks of builtins.def, each where what it knows is. */
#define BUILTIN(KIND, name, id, proto, attr, version, flags, check) \
	builtin_check sema_check_##check;
#include "sema/builtins.def"
#undef BUILTIN

/* --- stack.c -------------------------------------------------------------- */

/* Does an address conversion print a value of this type: %a a kernel's symbol,
 * %A a process's? */
bool sema_is_symbol(const struct type *t);
bool sema_is_stack(const struct type *t);

/* --- flow.c: statements and functions ------------------------------------- */

/* Look at another clause or function, and come back: between the two calls nothing
 * is known of where we were. */
struct sema_place sema_go_inside(struct sema *s);
void sema_go_back(struct sema *s, const struct sema_place *here);
void sema_stmts(struct sema *s, struct ast_node *n);
/* A variable declared inside that is visible now, or NULL. */
struct sema_ident *sema_local_find(const struct sema *s, const char *name);
/* Make the name known. */
void sema_func_declare(struct sema *s, const struct ast_func *f);
void sema_func_define(struct sema *s, const struct ast_func *f);
void sema_func_call(struct sema *s, struct ast_node *call,
		    struct sema_func *f);

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

/* --- clause.c, pragma.c, provider.c -------------------------------------- */

void sema_clause_check(struct sema *s, const struct ast_clause *c);
/* Fill s->clause->descs from those of c; reports. */
void sema_clause_descs(struct sema *s, const struct ast_clause *c);
/* As sema_world.match; nothing matches when there is none.  Without memory s is
 * told, and not who asks. */
struct err *sema_match(struct sema *s, const struct probe_desc *d,
		       bool (*fn)(void *arg, const struct probe *p),
		       void *arg);
/* order.c: what may not follow speculate(), commit() and records. */
void sema_order(struct sema *s, const struct ast_node *stmts);
/* args[no]: its type and the raw argument; NULL after a report. */
const struct type *sema_args_type(struct sema *s, const struct ast_node *n,
				  int64_t no, unsigned *raw);
void sema_pragma(struct sema *s, const struct ast_pragma *p);
void sema_pragma_option(struct sema *s, const struct ast_pragma *p);
void sema_pragmas_end(struct sema *s);
void sema_provider_define(struct sema *s, const struct ast_provider *p);

#endif
