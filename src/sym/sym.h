/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Kernel addresses and names, from /proc/kallsyms: parsed once, lazily.
 */
#ifndef SYM_SYM_H
#define SYM_SYM_H

#include <stdbool.h>
#include <stdint.h>

#include "util/err.h"

struct sym_kernel;

struct sym {
	const char *name;	/* borrowed until sym_kernel_free() */
	const char *module;	/* "vmlinux" for the kernel itself */
	uint64_t addr;
	uint64_t size;		/* to the next symbol */
};

/* path: NULL for /proc/kallsyms.  Reads nothing yet. */
struct err *sym_kernel_new(const char *path, struct sym_kernel **ret);
void sym_kernel_free(struct sym_kernel *k);

/* module NULL: any; "vmlinux", "kernel" or "unix" mean the kernel itself.
 * ERR_NOTFOUND when absent; ERR_UNSUPPORTED when addresses are hidden
 * (kptr_restrict). */
struct err *sym_kernel_by_name(struct sym_kernel *k, const char *module,
			       const char *name, struct sym *ret);
struct err *sym_kernel_by_addr(struct sym_kernel *k, uint64_t addr,
			       struct sym *ret);

#endif
