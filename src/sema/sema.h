/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a D program means: names, types, translators, stability.  Annotates the
 * tree of lang in place (ast.h, fields below "sema"); reports diagnostics.
 * The running system is asked only through struct sema_world, so tests bring
 * a made-up one.
 *
 * One struct sema lives as long as a session; programs compiled one after the
 * other share its variables, types and aggregations, as D wants.  Sizes that
 * depend on all uses (the widest string used as key) are final only when the
 * last program has been compiled; gen runs after that.
 */
#ifndef SEMA_SEMA_H
#define SEMA_SEMA_H

#include "abi/abi.h"
#include "lang/lang.h"
#include "lang/outline.h"
#include "opt/opt.h"
#include "probe/probe.h"
#include "type/type.h"
#include "util/err.h"

struct sema;

struct sema_world {
	void *ctx;
	/* kind: TYPE_STRUCT, TYPE_UNION, TYPE_ENUM, TYPE_TYPEDEF; module NULL:
	 * any.  NULL: none. */
	const struct type *(*find_type)(void *ctx, const char *module,
					enum type_kind kind, const char *name);
	/* A kernel symbol's address and type (NULL: unknown).  False: none. */
	bool (*find_symbol)(void *ctx, const char *module, const char *name,
			    uint64_t *addr, const struct type **type);
	/* Why a symbol that is there may not have been found, or NULL.  May be
	 * NULL. */
	const char *(*no_symbol)(void *ctx);
	/* Calls fn for each probe that d matches until fn answers false.  Error:
	 * why nobody can tell which those are. */
	struct err *(*match)(void *ctx, const struct probe_desc *d,
			     bool (*fn)(void *arg, const struct probe *p),
			     void *arg);
	/* The type of args[n] of p; NULL: none.  *raw: which argN holds it. */
	const struct type *(*arg_type)(void *ctx, const struct probe *p,
				       unsigned n, unsigned *raw);
	/* The type that args[n] of p is translated to, as D text such as
	 * "psinfo_t *", or NULL.  May be NULL: none is. */
	const char *(*arg_xlate)(void *ctx, const struct probe *p,
				 unsigned n);
	/* Names near d, for the hint of D_PDESC_ZERO. */
	unsigned (*suggest)(void *ctx, const struct probe_desc *d,
			    struct arena *a, const char **ret, unsigned n);
	/* d matches nothing.  What it names is another system's: tell what, and
	 * what to use, in a; NULL: it is not.  May be NULL. */
	const char *(*foreign)(void *ctx, const struct probe_desc *d,
			       struct arena *a);
	/* Compile a library that defines name, with sema_program(), in the
	 * midst of the program that asks; false when there is none that has
	 * not been compiled.  For translators: each that defines one.  May be
	 * NULL. */
	bool (*library)(void *ctx, enum lang_name_kind kind,
			const char *name);
	/* Calls fn for each identifier that a library defines; the names last
	 * as long as the world.  May be NULL. */
	void (*library_names)(void *ctx, void (*fn)(void *arg,
						    const char *name),
			      void *arg);
};

/* --- Identifiers --------------------------------------------------------- */

enum sema_kind {
	SEMA_BVAR,	/* built-in variable; id: DIF_VAR_* number */
	SEMA_VAR,	/* the program's variable; id: DIF user id */
	SEMA_AGG,	/* aggregation */
	SEMA_SUBR,	/* subroutine; id: DIF_SUBR_* number */
	SEMA_ACTION,	/* action; id: enum abi_action_kind */
	SEMA_AGGFUNC,	/* aggregating function; id: enum abi_agg_func */
	SEMA_INLINE,	/* inl */
	SEMA_ENUM,	/* enumerator; value */
	SEMA_KSYM,	/* kernel symbol; value is its address */
	SEMA_KVAR,	/* as a kernel symbol; value is its offset from the
			 * address in DIF_VAR_KVARS */
	SEMA_FUNC,	/* the program's function: struct sema_func; id: its
			 * number */
	SEMA_PARAM,	/* parameter of an inline or a translator: the node
			 * that uses it has repl set */
};

enum sema_scope { SEMA_GLOBAL, SEMA_SELF, SEMA_THIS };

struct sema_key {
	const struct type *type;	/* as first used */
	uint32_t size;			/* STRING: widest seen, NUL included */
	uint32_t longest;		/* STRING: of constants that strsize
					 * cuts; NUL included */
	bool is_whole;			/* these are kept whole */
	bool is_wide;			/* AGG: as of a variable */
	uint8_t columns;		/* the same */
};

struct sema_ident {
	uint8_t kind;			/* enum sema_kind */
	uint8_t scope;			/* VAR: enum sema_scope */
	bool is_assoc;			/* VAR: associative array */
	bool is_array;			/* BVAR args[], uregs[] */
	bool is_declared;		/* VAR: by a declaration */
	bool is_written;		/* VAR: something assigns to it */
	/* VAR: its address is taken, or bytes of its string are assigned to */
	bool in_memory;
	bool is_destructive;		/* ACTION, SUBR */
	/* VAR whose type is an integer's of less than 8 bytes: values are kept
	 * that its type does not have; it stands in the columns that are for
	 * integers of so many bytes. */
	bool is_wide;
	uint8_t columns;
	const char *name;
	const struct type *type;	/* value; element of an assoc array; NULL
					 * until first assigned */
	uint32_t id;
	uint64_t value;			/* ENUM, KSYM, KVAR */
	struct probe_attr attr;
	struct sema_key *keys;		/* VAR is_assoc, AGG */
	uint32_t nkeys;
	bool keys_known;
	/* AGG, once an aggregating function was seen: */
	enum abi_agg_func func;
	uint64_t agg_arg;		/* packed: abi/quant.h */
	const struct ast_inline *inl;
	struct lang_span span;		/* where it was first used or declared */
};

enum { SEMA_FUNC_NEW, SEMA_FUNC_BUSY, SEMA_FUNC_GOOD, SEMA_FUNC_BAD };

/* A function of the program.  It calls only those of smaller numbers. */
struct sema_func {
	struct sema_ident id;		/* first; type: of the result */
	const struct ast_func *ast;
	struct sema_ident **params;	/* clause-locals */
	uint32_t nparams;
	struct sema_ident *ret;		/* clause-local; NULL: void */
	struct ast_node *clear;		/* sets it before anything else runs;
					 * NULL: needless */
	uint8_t state;			/* SEMA_FUNC_*: while it is checked */
	const struct sema_func *caller;	/* the same */
};

/* --- Results ------------------------------------------------------------- */

struct sema_clause {
	const struct ast_clause *ast;
	const struct probe_desc *descs;
	uint32_t ndescs;
	struct probe_attr probe_attr;	/* the least stable part */
	struct probe_attr stmt_attr;
};

struct sema_prog {
	struct sema_clause *clauses;
	uint32_t nclauses;
	const struct ast_program *ast;
	bool destructive;		/* uses a destructive action */
	bool is_prelude;		/* see plan_clause */
	/* Statements that record (clauses without a body included), aggregate
	 * and call speculate(). */
	uint32_t nrecords, naggregates, nspeculates;
};

/*
 * opts is read at each program (strsize, zdefs, argref, amin, empty ...) and
 * written by #pragma D option.  a, names, opts and world outlive the result.
 */
struct err *sema_new(struct arena *a, struct intern *names,
		     struct opt_set *opts, const struct sema_world *world,
		     struct sema **ret);
void sema_free(struct sema *s);

/* The version of D in force, 8 bits, 12 bits, 12 bits. */
uint32_t sema_version(const struct sema *s);
/* Is what the built-in BVAR, SUBR or ACTION of this number says or does about the
 * thread that the probe fires in? */
bool sema_asks_who(enum sema_kind kind, uint32_t id);

/* -x loopmax: turns of one loop. */
uint32_t sema_loopmax(const struct sema *s);

/* For lang_env.is_type. */
bool sema_is_type(void *sema, const char *name);

/* Check and annotate; may be called for a library while another program is
 * being checked.  Diagnostics go to d; NULL result only without memory.
 * The result is meaningful only when d->n did not grow; else the names that
 * the program defined are withdrawn, so that it can be put right and tried
 * again. */
struct sema_prog *sema_program(struct sema *s, const struct ast_program *p,
			       struct diag_list *d, unsigned lang_flags);

/* Withdraw the names that the last program defined: it was found wrong later. */
void sema_withdraw(struct sema *s);

/* May the value of the integer expression n be none of its type?  Then it is to
 * be kept in 8 bytes; columns: of the widest type that went into it.  Final when
 * the last program has been compiled. */
struct sema_width {
	bool is_wide;
	uint8_t columns;		/* bytes: 1, 2, 4, 8 */
};
struct sema_width sema_width_of(const struct ast_node *n);

/* The variable that n names, if it keeps whatever is assigned to it although
 * its type is an integer's of less than 8 bytes; or NULL. */
struct sema_ident *sema_keeps_all(const struct ast_node *n);

/* A whole expression as a constant integer: after sema. */
bool sema_const(const struct ast_node *n, int64_t *ret);

/* All variables and aggregations so far, in order of creation (id). */
struct sema_ident *const *sema_vars(const struct sema *s, uint32_t *n);
struct sema_ident *const *sema_aggs(const struct sema *s, uint32_t *n);

/* All functions so far, by number. */
struct sema_func *const *sema_funcs(const struct sema *s, uint32_t *n);

/* The node to evaluate in place of n: follows repl. */
static inline const struct ast_node *
sema_eval(const struct ast_node *n)
{
	while (n && n->repl)
		n = n->repl;
	return n;
}

/* The tree with types, one node a line, for -x tree and golden tests. */
void sema_dump(const struct sema_prog *p, struct sb *b);

/*
 * What gen may rely on after a clean sema_program():
 *  - every expression node has a type; names have an ident; constants that
 *    could be folded have is_const and, for scalars, value (sign-extended or
 *    zero-extended to 64 bits from their type; the result of signed arithmetic
 *    may be beyond it); strings str/str_len; a floating-point literal is_const
 *    with its text in str.
 *  - implicit conversions are not nodes: gen converts an operand to the type
 *    the operation needs (type_usual_arith() and so on; a shift's left
 *    operand is only promoted).  What is assigned or passed is converted to
 *    the type of the target or parameter, unless sema_keeps_all() of the
 *    target.  Conversions to a signed type other than casts and those of
 *    stores cut nothing.  Arrays and functions used as values are their
 *    addresses.
 *  - CAST and STRINGOF nodes made by sema have no tname: their type says it.
 *  - args[n]: an INDEX whose ident is the BVAR args; node->value is the raw
 *    argument number 0..9 that holds it.  uregs[n] likewise, the index is any
 *    integer expression.
 *  - a CALL's kid[0]->ident is a SUBR, ACTION, AGGFUNC or FUNC; arguments are
 *    in list and have been checked; those of a FUNC are to be converted to the
 *    types of its parameters; where a string is wanted (const char *) the
 *    argument is a string, char * or char[], or the constant 0.  Actions are
 *    only found as the kid of an EXPR statement.
 *  - aggregation `@a[k] = f(...)` is an ASSIGN of an AGG node and a CALL, the
 *    kid of an EXPR statement; keys are in the AGG node's list; all of the
 *    three have type void.  In the arguments of printa() and friends an AGG
 *    node has its ident and no list.
 *  - keys: keys[i].type is the type to convert to; it may be wider than that
 *    of one use.  A STRING key comes from a string, char * or char[] and has
 *    size bytes at most.
 *  - a string variable may be assigned the constant 0 (NULL), which frees it;
 *    a string may be compared (== !=) with the constant 0, which asks whether
 *    its address is 0.
 *  - stringof of an integer takes it as a kernel address.
 *  - xlate and members of translated structs have repl set to the member's
 *    expression with the input bound; inlines likewise, and their parameters.
 *    repl may be a node that other nodes' repl point to as well.  Following
 *    repl, no tree is higher than LANG_MAX_HEIGHT.
 *  - an XLATE that nothing stands in place of is a struct to be made: zeros,
 *    and the members in its list, DOTs with a name whose value repl tells.
 *  - the type of a string expression has the largest size its value can have
 *    (execname: 16), strsize at most; variables have strsize.  All strings of
 *    one size share one type node.
 *  - is_lvalue on what has an address or is a variable; is_user when that
 *    memory is the traced process's.  A pointer value says where it points
 *    by its type (type->is_user).
 *  - &`sym of a symbol whose type is unknown is a void *; its ident has type
 *    NULL.  Otherwise a SYM has the symbol's type.
 *  - what a LOCAL or RETURN assigns is the ASSIGN in its kid[1], if any.
 *  - a bit-field has the type it was declared with, and bit_size.
 */

/* The type of n in arithmetic, before promotion: its own, but a bit-field that
 * an int holds is an int. */
const struct type *sema_arith_type(const struct ast_node *n);

#endif
