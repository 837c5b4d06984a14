/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The static probes that a program or library has: what its notes say (.note.stapsdt).
 */
#ifndef SYM_STAP_H
#define SYM_STAP_H

#include <stddef.h>
#include <stdint.h>

#include "util/err.h"

/* One place of a probe.  Texts are borrowed for the call. */
struct sym_stap {
	const char *prov, *name;
	const char *args;	/* "-4@%edi 8@8(%rsp)" */
	uint64_t addr;		/* of the instruction, as linked */
	uint64_t offset;	/* the same, in the file */
	uint64_t semaphore;	/* in the file: a counter of two bytes that is not 0
				 * while somebody traces the probe; 0: none */
};

typedef struct err *sym_stap_fn(void *ctx, const struct sym_stap *p);
/*
 * Call fn for each; of what has none, or is no 64-bit ELF file, for none.  A note that
 * makes no sense ends the walk in silence.  The first error of fn ends it, too, and is
 * returned.
 *
 * Source of the format: "UserSpaceProbeImplementation" of the SystemTap wiki.
 */
struct err *sym_stap_walk(int fd, sym_stap_fn *fn, void *ctx);

/* The definitions of providers that it has (.note.dtrace, doc/internals/notes.md): call fn
 * with each, D of size bytes, borrowed for the call.  As above where there is none. */
typedef struct err *sym_text_fn(void *ctx, const char *text, size_t size);
struct err *sym_text_walk(int fd, sym_text_fn *fn, void *ctx);

#endif
