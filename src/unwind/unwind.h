/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The tables of abi/unwind.h, from the bytes of a file's .eh_frame.
 */
#ifndef UNWIND_UNWIND_H
#define UNWIND_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/unwind.h"
#include "util/err.h"

enum unwind_arch { UNWIND_X86_64, UNWIND_AARCH64, UNWIND_I386 };

struct unwind_table {
	struct abi_unwind_row *rows;	/* by address, one for each; owned */
	size_t n;
	/* Functions of which nothing, and rows of which the rule, cannot be said:
	 * there the frame pointer is to be followed. */
	uint32_t nbad_fdes, ninexpressible;
};

/* An .eh_frame as it lies in the file, which may be anything. */
struct unwind_input {
	const void *data;
	size_t size;
	uint64_t addr;		/* of data, as linked */
	uint64_t base;		/* of the file's first address: rows count from
				 * here */
	enum unwind_arch arch;
	/* NULL, or told of each function: where it is, as linked, and whether it
	 * begins as one that is called does (and not as a part of another). */
	void (*on_function)(void *ctx, uint64_t addr, uint64_t size,
			    bool is_called);
	void *ctx;
	/* Aarch64: the code of .plt, of which .eh_frame does not tell.  NULL: none. */
	const void *plt;
	size_t plt_size;
	uint64_t plt_addr;
	/* Aarch64: code that handlers of signals may return to, which the kernel's has
	 * without telling of it.  NULL: there is none. */
	const void *text;
	size_t text_size;
	uint64_t text_addr;
};

/*
 * *ret gets at most `max` rows; unwind_table_fini() frees them.  What is wrong in a
 * function's description concerns that function only.  Errors: ERR_NOMEM;
 * ERR_LIMIT: there would be more than max rows; ERR_FORMAT: the section as a whole
 * makes no sense.
 *
 * Source of the format: Linux Standard Base Core 5.0, 10.6 (.eh_frame); DWARF 5,
 * 6.4 (call frame information).
 */
struct err *unwind_table_make(const struct unwind_input *in, size_t max,
			      struct unwind_table *ret);
void unwind_table_fini(struct unwind_table *t);

/*
 * The same of a program or library that is open, whatever its machine; what has no
 * .eh_frame has an empty table.  Rows count from 0, and the first is there.
 */
struct err *unwind_file_table(int fd, size_t max, struct unwind_table *ret);

/* Of the same file: all functions that it describes.  As unwind_input has it. */
struct err *unwind_file_functions(int fd,
	void (*fn)(void *ctx, uint64_t addr, uint64_t size, bool is_called),
	void *ctx);

/* --- Code of which no .eh_frame tells -------------------------------------------- */

struct unwind_code {
	const uint8_t *bytes;	/* x86-64 */
	size_t size;
	uint64_t addr;		/* as linked; rows count from 0 */
	/* Where functions begin, and where they may, since somebody takes these addresses;
	 * both in order.  Others are found in the code itself. */
	const uint64_t *starts, *taken;
	size_t nstarts, ntaken;
};

/*
 * The rows of code by what its instructions do to the stack, one after the other on each
 * way from where a function begins; the last row ends them.  Where ways meet that do not
 * agree, the frame pointer is to be followed, as where nobody comes by.  Errors:
 * ERR_NOMEM; ERR_UNSUPPORTED: nobody here can decode.
 */
struct err *unwind_bare_rows(const struct unwind_code *code, struct unwind_table *ret);
/* Add to a file's table what its .text has between the functions of which the table was
 * made, and in those of which it does not know all, if that is much.  ERR_NOMEM. */
struct unwind_span { uint64_t start, end; };
struct err *unwind_bare_file(int fd, struct unwind_span *told, size_t n, size_t max,
			     struct unwind_table *t);

/* The rule at pc, counted from the base. */
uint32_t unwind_table_find(const struct unwind_table *t, uint32_t pc);

#endif
