/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is printed of an address: of the kernel, and of processes that may be gone.
 */
#ifndef SYM_NAMES_H
#define SYM_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "sym/lines.h"
#include "util/err.h"

struct sym_kernel;

struct sym_names;
struct sb;

/* An address and what it lies in.  Texts are borrowed until sym_names_free(), lines and
 * theirs until the next question. */
struct sym_place {
	uint64_t addr;		/* the one asked for */
	/* "vmlinux" or a module of the kernel; the base name of a program's or
	 * library's file, of a program that by which it was executed; NULL: unknown. */
	const char *module;
	const char *function;	/* or variable; demangled unless mangled; NULL:
				 * unknown */
	uint64_t offset;	/* from the function's start; 0 without one */
	/* The lowest address known of the module: the same for all in one
	 * module of one process; addr itself when the module is unknown. */
	uint64_t module_start;
	/* Of code, if sym_names_lines() was called: as sym_lines_at(); n 0: not
	 * known. */
	const struct sym_line *lines;
	size_t nlines;
	/* Of what sym_place_unfold() made: */
	const char *file;	/* with its path; NULL: unknown */
	unsigned line;		/* 0: unknown */
	bool is_inlined;	/* into the frame that follows */
	bool is_before;		/* of a file's code: another function begins behind it */
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

/* The place of a frame of a stack: the kernel's with pid 0.  inner: the pc of the
 * frame before; 0: this is the first.  The others are return addresses, which may lie
 * behind the end of the function that is to return; but not where a signal's handler
 * returns to, nor what the signal interrupted. */
void sym_names_frame(struct sym_names *n, int pid, uint64_t pc, uint64_t inner,
		     struct sym_place *ret);
/* Read the kernel's symbols now, which takes the kernel 50 ms or more; now and
 * then meanwhile() is called. */
void sym_names_read_kernel(struct sym_names *n, void (*meanwhile)(void *ctx),
			   void *ctx);
/* Show names of C++, Rust and D as the linker knows them; before the first
 * question. */
void sym_names_mangled(struct sym_names *n);

/* Find lines of source for frames of processes; before the first question. */
void sym_names_lines(struct sym_names *n);

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
/* Call fn for each file that pid was told to execute, which may have ended: fd reads it,
 * for the call. */
typedef void sym_names_file_fn(void *ctx, int fd);
void sym_names_files(struct sym_names *n, int pid, sym_names_file_fn *fn,
		     void *ctx);
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
/* fn is called with why addresses have no names, once each: the first file that cannot be
 * read since its file system does not answer; the kernel's symbols that cannot be. */
void sym_names_on_nameless(struct sym_names *n, void (*fn)(void *ctx, const char *text),
			   void *ctx);
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

/* The i-th of the frames that one is to a reader: what was inlined there, innermost
 * first, and last itself.  False: there are fewer. */
bool sym_place_unfold(const struct sym_place *p, size_t i,
		      struct sym_place *ret);

/* The text of a place: "module`function+0x1f", without "+0x0"; without a
 * function "module`0x7f..", without a module "0x7f..".  Then " [inlined]", and
 * " (file:line)", the file without its path. */
void sym_place_print(const struct sym_place *p, struct sb *b);

#endif
