/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the names of a program, and nodes of its tree, have behind them.
 */
#ifndef SEMA_ITEM_PRIV_H
#define SEMA_ITEM_PRIV_H

#include "abi/point.h"
#include "sema/table_priv.h"
#include "sema/world.h"

/* A parameter of the inline or translator whose expression is being looked at.
 * arg is NULL when the definition is checked, else the node it stands for. */
struct sema_param {
	struct sema_param *next;
	const char *name;
	const struct type *type;
	struct ast_node *arg;
	unsigned weight;		/* of arg, in nodes to evaluate */
	struct sema_ident *ident;
};

struct sema_inline {
	struct sema_ident id;		/* first */
	struct sema_param *params;	/* in order; NULL: no array form */
	unsigned nparams;
};

/* A variable declared inside a statement or function; innermost first. */
struct sema_local {
	struct sema_local *next;
	const char *name;
	struct sema_ident *ident;
};

/* args[] of the clause, once found. */
struct sema_args {
	struct { const struct type *type; unsigned raw; const char *xlate; }
		v[ABI_NARGS];
};

struct sema_xlator {
	struct sema_xlator *next;
	const struct type *out, *in;	/* out: a struct or union; in of one that is
					 * proven (lang/diag.h): once it is used */
	const char *param;
	const struct ast_xlator *ast;
	struct probe_attr attr;
	bool is_bad;			/* that was reported */
};

/* What the sema field of an XLATE node points to. */
struct sema_xlated {
	const struct sema_xlator *xlator;
	unsigned weight;		/* of the operand, as sema_param's */
};

struct sema_provider {
	struct probe_provattr attr;
	const struct ast_provider *ast;
	const struct lang_source *src;	/* that defines it */
};

/* The constants an aggregation was first used with: low, high, step ... */
struct sema_agg {
	struct sema_ident id;		/* first */
	bool has_func;
	const char *func;		/* its function, */
	struct lang_span first;		/* and where it got that */
	int64_t quant[4];
};

/* A use of an aggregation that can be judged only when the whole program has
 * been seen. */
struct sema_late {
	struct ast_node *call;
	enum diag_tag bad;		/* for an aggregation that nobody fills */
	/* Asked when all are known; NULL: that was all. */
	void (*check)(struct sema *s, struct ast_node *call);
};

/* A description that names what only other systems have: an error if all the
 * others match nothing, too. */
struct sema_foreign {
	const struct ast_pdesc *desc;
	const char *text;		/* "exec (use execve)" */
	struct sema_absent absent;
};

#endif
