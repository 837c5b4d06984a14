/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Addresses and names: the kernel's, from /proc/kallsyms, parsed lazily, and
 * again when an address is not found in it; and for what is printed, those of
 * any address, sym_names_*().
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

/* --- What is printed of an address ----------------------------------------- */

struct sym_names;
struct sb;

/* An address and what it lies in.  Texts are borrowed until
 * sym_names_free(). */
struct sym_place {
	uint64_t addr;		/* the one asked for */
	/* "vmlinux" or a module of the kernel; the base name of a program's or
	 * library's file; NULL: unknown. */
	const char *module;
	const char *function;	/* or variable; demangled unless mangled; NULL:
				 * unknown */
	uint64_t offset;	/* from the function's start; 0 without one */
	/* The lowest address known of the module: the same for all in one
	 * module of one process; addr itself when the module is unknown. */
	uint64_t module_start;
};

/* Knows no process yet; reads nothing until it is asked.  kernel is
 * borrowed; NULL: only what is kept (sym_names_keep()) has names. */
struct err *sym_names_new(struct sym_kernel *kernel, struct sym_names **ret);
void sym_names_free(struct sym_names *n);	/* NULL is fine */

/*
 * The place of an address of the kernel; of one in the memory of process pid,
 * which may be gone, or with pid 0 of the target.  Nothing fails: what cannot be found is unknown, and lack
 * of memory looks the same.
 */
void sym_names_kernel(struct sym_names *n, uint64_t addr,
		      struct sym_place *ret);
void sym_names_user(struct sym_names *n, int pid, uint64_t addr,
		    struct sym_place *ret);

/* The place of a frame of a stack: the kernel's with pid 0.  no: the frame's
 * number; all but the first (0) are return addresses, which may lie behind the
 * end of the function that is to return. */
void sym_names_frame(struct sym_names *n, int pid, uint64_t pc, unsigned no,
		     struct sym_place *ret);
/* Read the kernel's symbols now, which takes the kernel 50 ms or more; now and
 * then meanwhile() is called. */
void sym_names_read_kernel(struct sym_names *n, void (*meanwhile)(void *ctx),
			   void *ctx);
/* Show names of C++ and Rust as the linker knows them; before the first
 * question. */
void sym_names_mangled(struct sym_names *n);

/* --- What is known of processes -------------------------------------------- */

/* A file, or memory without one, that a process may execute. */
struct sym_mapping {
	uint64_t start, size;	/* bytes */
	uint64_t offset;	/* in the file, of what is at start */
	uint64_t dev;		/* major << 32 | minor */
	uint64_t inode;
	uint64_t time_ns;	/* CLOCK_MONOTONIC: when it was made */
	const char *path;	/* as the process sees it, perhaps with
				 * " (deleted)" behind; borrowed for the
				 * call */
};

/* What happened to processes, in any order.  Who is not told of a process's
 * start reads what it has mapped from /proc, when it is first heard of. */
void sym_names_mapped(struct sym_names *n, int pid,
		      const struct sym_mapping *m);
void sym_names_forked(struct sym_names *n, int pid, int parent,
		      uint64_t time_ns);
void sym_names_ended(struct sym_names *n, int pid);
/* Read what process pid has mapped now, unless that is known. */
void sym_names_process(struct sym_names *n, int pid);
/* Something has happened to some processes that nobody told: what is known of
 * each is to be read anew, when it is heard of again. */
void sym_names_lost(struct sym_names *n);
/* From now on questions about processes have other numbers than the rest:
 * those of another pid namespace.  What `seen` is there, pid is here; of the
 * others nothing is known. */
void sym_names_foreign(struct sym_names *n);
void sym_names_alias(struct sym_names *n, int seen, int pid);
/* The process that an address belongs to when nobody says whose it is, which
 * sym_names_user() means by pid 0; and when the process that traces asks, which
 * is `self`: an address of its own is no part of any program's data. */
void sym_names_target(struct sym_names *n, int self, int target);
/* fn is called before each look at processes: to tell the latest. */
void sym_names_on_look(struct sym_names *n, void (*fn)(void *ctx), void *ctx);

/* The address that stands for all of one name: of the function that addr lies in,
 * or with is_module of the module; addr itself when it has none.  pid: as for
 * sym_names_user(). */
uint64_t sym_names_whole(struct sym_names *n, bool is_user, bool is_module,
			 int pid, uint64_t addr);

/*
 * A place that is known beforehand, as a saved trace knows it: of an address of
 * the kernel or of process pid, and of a frame that is returned to.  Copied; false
 * when there is no memory.  Once there is one, nothing else is looked at.
 */
enum sym_kept { SYM_KEPT_KERNEL, SYM_KEPT_USER };
bool sym_names_keep(struct sym_names *n, enum sym_kept whose, int pid,
		    bool is_return, const struct sym_place *p);

/* The text of a place: "module`function+0x1f", without "+0x0"; without a
 * function "module`0x7f..", without a module "0x7f..". */
void sym_place_print(const struct sym_place *p, struct sb *b);

#endif
