/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the files of the usdt provider share.
 */
#ifndef PROV_USDT_PRIV_H
#define PROV_USDT_PRIV_H

#include "abi/layout.h"
#include "prov/prov_priv.h"
#include "prov/coming.h"
#include "prov/definition.h"
#include "sym/stap.h"

enum { USDT_NARGS_MAX = 12 };	/* that a note has */

/* A place of a probe. */
struct usdt_note {
	struct prov_object *object;
	const char *prov, *name, *func;	/* func: NULL until asked for */
	const char *own_name;		/* as the note has it */
	uint64_t addr, offset, semaphore;
	const struct abi_layout *layout;
	uint8_t nargs;
	bool is_harmful;		/* no probe may stand there */
	bool only_counts;		/* as prov_site's: of another probe */
};

/* What an object says of its probes. */
struct usdt_file {
	VEC(struct usdt_note *) notes;
	VEC(const struct prov_text *) texts;	/* usdt_text.c */
	bool has_notes, has_texts;	/* they have been read */
};

/* The notes of o.  *ret is the set's. */
struct err *prov_usdt_file(struct prov_set *s, struct prov_object *o,
			   struct usdt_file **ret);
/* Is name what others call the last part of n, or, n NULL, of any? */
bool prov_usdt_is_alias(const struct usdt_note *n, const char *name);
/* The first place of a probe. */
const struct usdt_note *prov_usdt_first(const struct probe *p);
/* Where texts are kept, by their content. */
struct hash *prov_usdt_texts(struct prov_set *s);
/* Have n->func: the function that the place is in, which is one of o's, or "": nobody
 * knows.  The others' of o are had with it. */
struct err *prov_usdt_func(struct prov_set *s, struct prov_object *o,
			   struct usdt_note *n);
/* Does a provider of its own say what there is of that name? */
bool prov_usdt_is_others(const struct prov_set *s, const char *prov);
/* Ops' missing. */
struct err *prov_usdt_missing(struct prov_set *s, const struct probe_desc *d,
			      struct sb *b, enum prov_part *part);

/*
 * Operands of a note, as the assembler has them, each "SIZE@OPERAND" with SIZE below 0
 * where it is signed.  What cannot be had (a floating-point number, a register that
 * the kernel does not keep) has kind NONE.  Returns how many there are, at most
 * ABI_LAYOUT_NARGS of which are in ret.  addr: of the instruction, as linked; symbol: tells
 * the address of a name as linked, for what is relative to the instruction.
 */
typedef bool usdt_symbol_fn(void *ctx, const char *name, uint64_t *ret);
unsigned prov_usdt_args(const char *text, uint64_t addr, usdt_symbol_fn *symbol,
			void *ctx, struct abi_layout *ret);

#endif
