/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The format strings of printf() and printa(): taken apart once, for the
 * compiler, which checks arguments, and for the consumer, which prints.
 * Freestanding.
 */
#ifndef PFMT_PFMT_H
#define PFMT_PFMT_H

#include "base/base.h"

/* What an argument must be for a conversion. */
enum pfmt_arg {
	PFMT_ARG_INT,		/* d i o u x X P: any integer or pointer */
	PFMT_ARG_CHAR,		/* c C */
	PFMT_ARG_STR,		/* s S: string, char *, char[] */
	PFMT_ARG_FLOAT,		/* e E f g G */
	PFMT_ARG_ADDR,		/* a p: pointer or 64-bit integer */
	PFMT_ARG_UADDR,		/* A: the same, in a process */
	PFMT_ARG_TIME,		/* Y T: 64-bit integer, ns since the epoch */
	PFMT_ARG_STACK,		/* k */
	PFMT_ARG_NONE,		/* %% */
	PFMT_ARG_NET,		/* I: as INT or STR */
};

enum pfmt_flag {
	PFMT_MINUS = 1, PFMT_PLUS = 2, PFMT_SPACE = 4, PFMT_ALT = 8,
	PFMT_ZERO = 16, PFMT_GROUP = 32 /* ' */, PFMT_AGG = 64 /* @ */,
};

/* The compiler takes no wider width or precision; one that comes with a '*' counts
 * as this one. */
enum { PFMT_WIDTH_MAX = 1 << 20 };

struct pfmt_conv {
	uint32_t flags;		/* enum pfmt_flag */
	int width;		/* 0..PFMT_WIDTH_MAX; more: it is too wide;
				 * -1: none */
	int prec;		/* the same */
	bool dyn_width, dyn_prec;	/* '*': an argument of its own */
	bool addr_width;	/* '?' */
	char size[3];		/* "", "h", "hh", "l", "ll", "L", "w" */
	char conv;		/* the letter; 0: literal text only */
	uint8_t arg;		/* enum pfmt_arg */
	bool bad_size;		/* size does not go with conv: "%hs" */
	struct base_span lit;	/* literal text before this conversion */
	struct base_span text;	/* the conversion itself, '%' included */
};

/*
 * Take the next piece off format, starting at *pos, which is advanced.
 * Returns 1 and fills ret; 0 at the end; -1 for a conversion that does not
 * exist (ret->text shows it).  A final literal comes with conv 0.
 */
int pfmt_next(const char *format, size_t *pos, struct pfmt_conv *ret);
/* Does it print a number as the name of an address?  NULL is no format. */
bool pfmt_names_addresses(const char *format);

#endif
