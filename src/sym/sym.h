/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Addresses and names: the kernel's, from /proc/kallsyms, parsed lazily, and
 * again when an address is not found in it.  sym/names.h has those of any address.
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
	uint64_t module_start;	/* the lowest address of the module's */
};

/* path: NULL for /proc/kallsyms.  Reads nothing yet. */
struct err *sym_kernel_new(const char *path, struct sym_kernel **ret);
void sym_kernel_free(struct sym_kernel *k);

/* module NULL: any; "vmlinux", "kernel" or "unix" mean the kernel itself.
 * addr: anywhere in the symbol.  ERR_NOTFOUND when absent; ERR_UNSUPPORTED when
 * addresses are hidden (kptr_restrict). */
struct err *sym_kernel_by_name(struct sym_kernel *k, const char *module,
			       const char *name, struct sym *ret);
struct err *sym_kernel_by_addr(struct sym_kernel *k, uint64_t addr,
			       struct sym *ret);

/* The kernel's parts and each module's that has symbols, the kernel first. */
enum sym_part { SYM_TEXT, SYM_DATA, SYM_BSS, SYM_NPARTS };
struct sym_module {
	const char *name;	/* borrowed until sym_kernel_free() */
	/* From the first to behind the last symbol of the kind, up to where its
	 * page ends; of the kernel as its linker has marked them.  Both 0: it has
	 * none, or that is not known. */
	struct { uint64_t start, size; } part[SYM_NPARTS];
};
/* fn returning false ends it; it may ask about symbols. */
typedef bool sym_module_fn(void *ctx, const struct sym_module *m);
struct err *sym_kernel_modules(struct sym_kernel *k, sym_module_fn *fn,
			       void *ctx);

#endif
