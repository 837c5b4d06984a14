/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a session knows, and what is known of the program being compiled.
 */
#ifndef SEMA_STATE_PRIV_H
#define SEMA_STATE_PRIV_H

#include "sema/item_priv.h"
#include "sema/sema.h"
#include "sema/table_priv.h"
#include "util/hash.h"
#include "util/vec.h"

/* What is known only while one clause or function is looked at. */
struct sema_place {
	struct sema_clause *clause;
	struct sema_local *locals;
	struct sema_param *params;
	struct sema_func *func;
	struct sema_args args;
	struct lang_span outermost;
	unsigned height;
	struct diag_list *d;
	bool is_trial, is_idle;
};

/* The body of a struct or union that is being defined. */
struct sema_body {
	struct sema_body *outer;
	const struct type *type;
};

/* A tag that another of the same name hides until the body ends. */
struct sema_hidden_tag {
	const char *name;
	struct type *type;
};

/* Where the names of a session stood when a program began.  They only grow,
 * so going back is cutting off.  What happened to older names stays: a wider
 * key does no harm. */
struct sema_mark {
	size_t names[10];
	size_t nvars, naggs, nfuncs, nstores, nkey_uses;
	struct sema_xlator *xlators;
};

/* n is used as a key. */
struct sema_key_use {
	struct sema_key *key;
	const struct ast_node *node;
};

struct sema {
	struct arena *a;
	struct intern *names;
	struct opt_set *opts;
	const struct sema_world *world;

	struct builtin *builtins;
	struct hash builtin_names;
	struct hash scopes[3];		/* by enum sema_scope: struct sema_ident;
					 * GLOBAL: inlines, enumerators too */
	struct hash agg_names;
	/* struct type; [0] those of programs, [1] of libraries: a program may
	 * have a type of the same name for itself */
	struct hash tags[2], typedefs[2];
	/* dtype.c: what is defined in bodies */
	struct hash inner_tags;		/* struct type *: its struct sema_body */
	VEC(struct sema_hidden_tag) hidden_tags;
	struct hash providers;
	struct hash bindings;		/* name: its version, as a pointer */
	struct hash strings;		/* size: struct type */
	struct hash dyns;		/* name: struct type */
	struct hash specs;		/* struct ast_spec *: its type */
	struct sema_xlator *xlators;
	VEC(struct sema_ident *) vars;
	VEC(struct sema_ident *) aggs;
	VEC(struct sema_func *) funcs;
	VEC(const struct ast_node *) stores;	/* see width.c */
	VEC(struct sema_key_use) key_uses;
	struct sema_mark last;		/* before the last program */
	bool nomem;
	bool told_cut;			/* a constant longer than strsize */
	struct hash cut_keys;		/* such as keys; see key.c */
	const struct type *string;	/* of strsize bytes */
	uint32_t strsize;
	uint32_t version;		/* -x version */

	/* The program being compiled: what follows is put aside while a library
	 * is, in its midst.  d is NULL when none is. */
	struct diag_list *d;
	VEC(struct sema_late) late;
	VEC(struct sema_foreign) foreign;
	unsigned nmatching;		/* descriptions that match a probe */
	VEC(const struct ast_pragma *) pragmas;	/* whose name is not known yet */
	unsigned flags;			/* enum lang_flags */
	struct sema_prog *prog;
	struct sema_clause *clause;	/* NULL outside */
	struct hash reported;		/* undefined names, once each */
	struct hash ahead;		/* name: struct sema_ahead; empty until
					 * it is first needed */
	bool has_ahead;
	const struct sema_wanted *wanted;	/* names being looked for */
	struct diag_list *told;		/* d, but while something is tried */
	bool is_trial;			/* something is: d is thrown away */
	bool is_idle;			/* what is looked at never runs */
	struct hash idle_aggs;		/* name: struct sema_agg, of what never runs */
	struct sema_param *params;	/* visible now */
	struct sema_local *locals;	/* visible now */
	struct sema_func *func;		/* being checked, or NULL */
	const struct ast_node *addressed;	/* operand of the & around */
	struct sema_body *body;		/* the innermost being read, or NULL */
	struct sema_args arg_types;
	struct probe_attr amin;
	bool has_amin;
	unsigned expanded;		/* nodes copied for inlines and members */
	unsigned weight;		/* nodes to evaluate, of all that has
					 * been checked */
	bool beside_string;		/* what is looked at is compared with
					 * a string */
	unsigned repl_weight;		/* of the node just put into repl */
	unsigned height;		/* of the expansions we are inside of */
	struct lang_span outermost;	/* what is expanded, as written */
	bool too_big;			/* that was reported */
};

enum {
	SEMA_MAX_EXPANDED = 1 << 18,	/* nodes, of one expression */
	SEMA_MAX_WEIGHT = 1 << 22,	/* nodes, of a program */
	SEMA_VAR_BASE = 0x500,	/* DIF_VAR_OTHER_UBASE; a test compares */
	SEMA_VAR_MAX = 0xffff,
};

/* Memory was asked for: was it had?  Lack of it is noted here, and told by
 * sema_program() at the end, so nobody else need mind. */
static inline bool
sema_had(struct sema *s, bool had)
{
	s->nomem |= !had;
	return had;
}

extern const struct probe_attr sema_attr_default;	/* S/S/C */

#endif
