/* SPDX-License-Identifier: BSD-2-Clause
 *
 * D text to a syntax tree.  Nothing is known here of types, probes or the
 * running system, except what lang_env answers.
 */
#ifndef LANG_LANG_H
#define LANG_LANG_H

#include "base/base.h"
#include "lang/diag.h"
#include "lang/program.h"
#include "util/intern.h"

/*
 * Bounds, so that neither the parser nor whoever walks its tree can run out of
 * stack.  DEPTH: parentheses, blocks, struct bodies, prefix operators and
 * whatever else nests; HEIGHT: of an expression, where a+b+c... has one more
 * for each operator.
 */
enum { LANG_MAX_DEPTH = 500, LANG_MAX_HEIGHT = 2000 };

/* Macro variables other than $0..$N: name and text. */
struct lang_macro {
	const char *name;		/* "pid", "target" */
	const char *text;		/* "1234"; NULL: not set */
};

enum lang_flags {
	LANG_CMDLINE = 1,	/* from -n and friends: a bare description with
				 * neither predicate nor body is a clause */
	LANG_ARGREF = 2,	/* unused macro arguments are fine */
	LANG_DEFAULTARGS = 4,	/* missing macro arguments are 0 or "" */
	LANG_LIBRARY = 8,	/* a library: no clauses */
	/* descriptions end, not with the name, but with */
	LANG_TO_PROVIDER = 16, LANG_TO_MODULE = 32, LANG_TO_FUNCTION = 64,
	LANG_PRELUDE = 256,	/* with LANG_LIBRARY: it can have clauses */
	LANG_INSIDE = 512,	/* with LANG_LIBRARY: it comes from a process, to
				 * which its pointers lead; options are left */
	LANG_TYPE = 128,	/* the text is not a program but the name of a
				 * type: one AST_ITEM_TYPE */
};

struct lang_env {
	struct arena *a;
	struct intern *names;
	struct diag_list *diags;
	unsigned flags;			/* enum lang_flags; read as the text is,
					 * so on_option may change them */
	const char *const *args;	/* $0 is args[0] */
	unsigned nargs;
	bool *arg_used;			/* nargs flags, set when referenced */
	const struct lang_macro *macros;
	unsigned nmacros;
	/* Is this identifier a typedef (built in, of the kernel, or from an
	 * earlier program)?  Typedefs of this program the parser knows.
	 * Asked only when nothing else decides; may be NULL. */
	bool (*is_type)(void *ctx, const char *name);
	void *ctx;
	/* Is this the name of a namespace of an earlier program or a library?
	 * Those of this program the parser knows; it tells on_space() of
	 * them.  Either may be NULL. */
	bool (*is_space)(void *ctx, const char *name);
	void (*on_space)(void *ctx, const char *name);
	/* import "name"; its names are there when this returns.  NULL: that
	 * is an error. */
	void (*on_import)(void *ctx, const char *name, struct lang_span span);
	/* #pragma D option is reported at once, for options that change how
	 * the rest compiles.  Others stand in the tree only. */
	void (*on_option)(void *ctx, const char *text, struct lang_span span);
};

/*
 * Parse src.  The tree may be partial when diagnostics were reported; NULL
 * only when memory is short.
 */
struct ast_program *lang_parse(const struct lang_env *env,
			       const struct lang_source *src);

/* The tree as text, for -x tree and golden tests: an S-expression per line. */
void lang_dump(const struct ast_program *p, struct sb *b);
/* The tokens of a source, one per line: for tests of the lexer alone, as what a
 * token is depends on where the parser stands. */
void lang_dump_tokens(const struct lang_env *env,
		      const struct lang_source *src, struct sb *b);

#endif
