/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_DGEN_PRIV_H
#define TESTS_DGEN_PRIV_H

#include "base/base.h"
#include "dgen.h"
#include "diff.h"

/* --- Types and variables -------------------------------------------------------- */

enum dgen_kind {
	DGEN_INT, DGEN_STR,
	DGEN_CHARS,		/* char [n] */
	DGEN_SOU, DGEN_ARRAY,
	DGEN_PTR,		/* into user memory */
};

struct dgen_type;
struct dgen_member {
	const char *name;
	const struct dgen_type *type;
	unsigned bits;			/* 0: no bit-field */
};

struct dgen_type {
	uint8_t kind;			/* enum dgen_kind */
	const char *name;		/* "int8_t", "struct s0" */
	unsigned n;			/* ARRAY, CHARS: elements */
	unsigned size;			/* bytes, at most */
	const struct dgen_type *of;	/* ARRAY, PTR */
	bool has_str;			/* a string within: not to be shown as
					 * bytes, those behind its NUL are any */
	struct dgen_member m[10];	/* SOU */
	unsigned nm;
};

struct dgen_var {
	const char *name;		/* with its scope: "self->x1" */
	const struct dgen_type *type;
	const char *keys;		/* NULL: none; else 'i', 's' each */
	bool is_declared;
};

struct dgen_agg {
	const char *name, *call;	/* "quantize($, $)"; arguments NUM */
	const char *keys;		/* 'i', 's', 'p' (a probe's name), 't' (a
					 * struct) */
	const struct dgen_type *type;	/* of 't' */
};

enum { DGEN_NVARS = 48, DGEN_NAGGS = 12, DGEN_NSOUS = 6, DGEN_NINLINES = 6,
       DGEN_NFUNCS = 3 };

struct dgen {
	struct arena *a;
	uint64_t seed;
	enum dgen_world world;
	const struct dgen_type *sou[DGEN_NSOUS];
	unsigned nsou, ntags;
	struct dgen_var var[DGEN_NVARS];
	unsigned nvars;
	struct dgen_agg agg[DGEN_NAGGS];
	unsigned naggs;
	struct { const char *use; bool is_str; } inl[DGEN_NINLINES];
	unsigned ninl;
	bool func_str[DGEN_NFUNCS + 1];	/* it returns a string */
	unsigned nfuncs;	/* f0 to here may be called */
	bool has_xlator;
	unsigned nunits;	/* names given to pointers into scratch */

	/* Of the clause being made: */
	bool typed;		/* args[] are known */
	bool lost;		/* arg5 is no address of ours */
	bool pure;		/* an inline: no assignments */
	int budget;		/* operators it may still have */
	unsigned loops;		/* around the statement */
	bool in_func;		/* a function: it records nothing, and has the
				 * parameters fa, a number, and fb, a string */
};

/* --- dgen.c: choosing ---------------------------------------------------------------- */

unsigned dgen_below(struct dgen *g, unsigned n);
bool dgen_chance(struct dgen *g, unsigned one_in);
#define DGEN_PICK(g, array) ((array)[dgen_below((g), BASE_NELEMS(array))])

typedef struct dtree *dgen_fn(struct dgen *g, unsigned depth);
struct dgen_row { dgen_fn *fn; unsigned weight; };
/* One by weight; a row may return NULL, then another is tried. */
struct dtree *dgen_of(struct dgen *g, const struct dgen_row *rows, unsigned n,
		      unsigned depth);
const char *dgen_text(struct dgen *g, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#define DGEN_N(g, ...) DTREE((g)->a, DTREE_NUM, __VA_ARGS__)
#define DGEN_S(g, ...) DTREE((g)->a, DTREE_STR, __VA_ARGS__)
#define DGEN_F(g, ...) DTREE((g)->a, DTREE_FIX, __VA_ARGS__)

/* --- dgen_var.c: types, variables, and places in them ---------------------------------- */

const struct dgen_type *dgen_int_type(struct dgen *g);
const struct dgen_type *dgen_datum(struct dgen *g);
/* Make up types and variables; declarations go to list. */
void dgen_types(struct dgen *g, struct dtree *list);
void dgen_vars(struct dgen *g, struct dtree *list);
/* A place of that kind (SOU: of that type, when not NULL), and its type; NULL
 * when there is none.  Not a part of user memory. */
struct dtree *dgen_place(struct dgen *g, enum dgen_kind kind,
			 const struct dgen_type *want, unsigned depth,
			 const struct dgen_type **type);
struct dtree *dgen_var_use(struct dgen *g, const struct dgen_var *v,
			   unsigned depth);
/* base is an object of that type: somewhere within it, of that kind; NULL when
 * chance leads elsewhere. */
struct dtree *dgen_within(struct dgen *g, struct dtree *base,
			  const struct dgen_type *t, enum dgen_kind kind,
			  const struct dgen_type *want, unsigned depth,
			  const struct dgen_type **type);
struct dtree *dgen_index(struct dgen *g, unsigned n, unsigned depth);
/* Keys as `kinds` says, with commas between. */
struct dtree *dgen_keys(struct dgen *g, const char *kinds,
			const struct dgen_type *type, unsigned depth);
/* "int8_t x[3]" */
const char *dgen_declare(struct dgen *g, const struct dgen_type *t,
			 const char *name);

/* --- dgen_expr.c ------------------------------------------------------------------------- */

struct dtree *dgen_num(struct dgen *g, unsigned depth);
struct dtree *dgen_str(struct dgen *g, unsigned depth);
/* A struct or union as a value. */
struct dtree *dgen_sou(struct dgen *g, const struct dgen_type *t,
		       unsigned depth);
/* A pointer to n of t: into scratch, or user memory. */
struct dtree *dgen_scratch_ptr(struct dgen *g, const struct dgen_type *t,
			       unsigned n, unsigned depth);
struct dtree *dgen_user_ptr(struct dgen *g, const struct dgen_type *t,
			    unsigned depth);
struct dtree *dgen_literal(struct dgen *g);

/* --- dgen_subr.c --------------------------------------------------------------------------- */

struct dtree *dgen_call(struct dgen *g, bool is_str, unsigned depth);

/* --- dgen_stmt.c ---------------------------------------------------------------------------- */

struct dtree *dgen_stmt(struct dgen *g, unsigned depth);
/* A list of n of them. */
struct dtree *dgen_stmts(struct dgen *g, unsigned n, unsigned depth);
/* One that shows a variable. */
struct dtree *dgen_look(struct dgen *g, const struct dgen_var *v);

/* --- dgen_flow.c -----------------------------------------------------------------------------
 * NULL: not now. */

struct dtree *dgen_loop(struct dgen *g, unsigned depth);
struct dtree *dgen_func_call(struct dgen *g, bool is_str, unsigned depth);
/* What only a function may say. */
struct dtree *dgen_param_stmt(struct dgen *g, unsigned depth);
/* Make up functions. */
struct dtree *dgen_funcs(struct dgen *g);

#endif
