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

#include "lang/lang.h"
#include "opt/opt.h"
#include "sema/ident.h"
#include "sema/world.h"
#include "util/err.h"

struct sema;

struct sema_clause {
	const struct ast_clause *ast;
	const struct probe_desc *descs;
	uint32_t ndescs;
	struct probe_attr probe_attr;	/* the least stable part */
	struct probe_attr stmt_attr;
	bool is_unmatched;		/* which was told: no probe of it is known */
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
/* The same in a text with these flags, LANG_*, which is not begun yet: a library does
 * not ask processes. */
bool sema_is_type_in(struct sema *s, const char *name, unsigned lang_flags);

/* Check and annotate; may be called for a library while another program is
 * being checked.  Diagnostics go to d; NULL result only without memory.
 * The result is meaningful only when d->n did not grow; else the names that
 * the program defined are withdrawn, so that it can be put right and tried
 * again. */
struct sema_prog *sema_program(struct sema *s, const struct ast_program *p,
			       struct diag_list *d, unsigned lang_flags);

/* What a library defines of a probe, by the names that it has there ("query__done"). */
struct sema_defined {
	const struct ast_probe_decl *probe;
	struct probe_provattr attr;
	unsigned nargs;			/* of args[] */
};
/* False: nothing. */
bool sema_defined(const struct sema *s, const struct lang_source *src,
		  const char *prov, const char *probe, struct sema_defined *ret);
/* args[n] of it: the type of the native argument number raw, and what that is to be
 * translated to, as text, or NULL.  False: there is none, or no memory. */
struct sema_defined_arg { const struct type *type; unsigned raw; const char *xlate; };
bool sema_defined_arg(struct sema *s, const struct sema_defined *def, unsigned n,
		      struct sema_defined_arg *ret);

/* Withdraw the names that the last program defined: it was found wrong later. */
void sema_withdraw(struct sema *s);

/* All variables and aggregations so far, in order of creation (id). */
struct sema_ident *const *sema_vars(const struct sema *s, uint32_t *n);
struct sema_ident *const *sema_aggs(const struct sema *s, uint32_t *n);

/* All functions so far, by number. */
struct sema_func *const *sema_funcs(const struct sema *s, uint32_t *n);

/* The tree with types, one node a line, for -x tree and golden tests. */
void sema_dump(const struct sema_prog *p, struct sb *b);

#endif
