/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a name of a program turns out to be.
 */
#ifndef SEMA_IDENT_H
#define SEMA_IDENT_H

#include "abi/abi.h"
#include "lang/lang.h"
#include "probe/probe.h"
#include "type/type.h"

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

#endif
