/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A program in D as a tree that knows just enough to be made smaller: which
 * pieces are expressions, and of what, and which may be left out.  The rest is
 * text with a '$' for each child.  Nodes live in an arena.
 */
#ifndef TESTS_DTREE_H
#define TESTS_DTREE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/arena.h"
#include "util/sb.h"

enum dtree_class {
	DTREE_FIX,	/* stays as it is, its children may change */
	DTREE_NUM,	/* an expression of some integer type */
	DTREE_STR,	/* a string */
	DTREE_STMT,	/* a statement, or what stands like one */
	DTREE_OPT,	/* may be left out */
	DTREE_LIST,	/* children one after the other, with `text` between;
			 * any may be left out */
	DTREE_SOME,	/* the same, but one must stay */
};

struct dtree {
	uint8_t class;
	bool gone;
	uint32_t n, cap;
	const char *text;	/* borrowed */
	struct dtree **kid;
};

struct dtree *dtree_new(struct arena *a, enum dtree_class class,
			const char *text, unsigned n, struct dtree *const *kid);
/* The same with children as arguments. */
#define DTREE(a, class, text, ...) \
	dtree_new((a), (class), (text), \
		  sizeof((struct dtree *[]){ NULL, ##__VA_ARGS__ }) / \
		  sizeof(struct dtree *) - 1, \
		  (struct dtree *[]){ NULL, ##__VA_ARGS__ } + 1)
void dtree_add(struct arena *a, struct dtree *list, struct dtree *kid);
void dtree_print(const struct dtree *t, struct sb *b);

/*
 * Make *t smaller as long as still_fails() says that the text does; it is
 * asked max times at most.  What was tried last need not be what remains.
 */
void dtree_shrink(struct arena *a, struct dtree **t,
		  bool (*still_fails)(void *ctx, const char *text), void *ctx,
		  unsigned max);

#endif
