/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The table made of /proc/kallsyms, seen by the files of this folder only.
 */
#ifndef SYM_SYM_PRIV_H
#define SYM_SYM_PRIV_H

#include "sym/sym.h"
#include "util/vec.h"

struct ksym {
	uint64_t addr;
	uint32_t name;		/* offset into names */
	uint16_t module;	/* index into modules */
	uint8_t rank;		/* of names for one address, best is least */
	uint8_t part;		/* enum sym_part */
};

struct ksyms {
	VEC(struct ksym) all;	/* by address, then by rank */
	VEC(uint32_t) modules;	/* offsets into names; 0 is the kernel */
	VEC(uint64_t) starts;	/* of modules: the lowest address */
	char *names;		/* NUL-terminated, one behind the other */
	bool hidden;		/* every address is zero */
};

/* What else is to be done now and then while the file is read; fn may be
 * NULL. */
struct ksyms_meanwhile {
	void (*fn)(void *ctx);
	void *ctx;
};

/* Read and parse path; on failure *ks is empty. */
struct err *sym_ksyms_read(struct ksyms *ks, const char *path,
			   struct ksyms_meanwhile meanwhile);
void sym_ksyms_fini(struct ksyms *ks);

/* The table, read if need be, borrowed until the next question; ERR_UNSUPPORTED
 * when addresses are hidden. */
struct err *sym_kernel_table(struct sym_kernel *k, const struct ksyms **ret);
/* A copy of text that lives as long as k; NULL without memory. */
const char *sym_kernel_text(struct sym_kernel *k, const char *text);
/* Read the table now. */
void sym_kernel_read(struct sym_kernel *k, struct ksyms_meanwhile meanwhile);

#endif
