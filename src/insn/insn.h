/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Machine code of functions: where a probe may stand, and where a function
 * returns.  The code is as a file has it, of this machine's architecture, with 64 bits
 * unless something else is said.
 */
#ifndef INSN_INSN_H
#define INSN_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/err.h"

enum insn_kind {
	INSN_PLAIN,
	INSN_CALL,		/* target, unless it is indirect */
	INSN_JUMP,		/* to target */
	INSN_BRANCH,		/* to target, or goes on */
	INSN_TABLE,		/* a jump to a place that a table tells, or
				 * nobody knows what */
	INSN_AWAY,		/* a jump to a function that a pointer tells */
	INSN_RETURN,
};

struct insn {
	uint32_t at;		/* bytes from the beginning of the code */
	uint8_t size;
	uint8_t kind;		/* enum insn_kind */
	bool has_target;
	/* The kernel does itself what it does, and need not have the processor
	 * step over it. */
	bool is_emulated;
	/* No probe may stand here: the kernel refuses it, or it would harm the
	 * process. */
	bool is_harmful;
	int64_t target;		/* bytes from the beginning of the code */
};

/*
 * Call fn for each instruction, until it returns false; *end is behind the last one.
 * Less than size: fn has ended it, or what is there is no instruction.
 * ERR_UNSUPPORTED: nobody here can decode (no libZydis).
 */
typedef bool insn_fn(void *ctx, const struct insn *i);
struct err *insn_walk(const uint8_t *code, size_t size, insn_fn *fn, void *ctx,
		      size_t *end);
/* The same of the architecture with 32 bits that this machine runs, too; elsewhere an
 * error.  Of it nothing is known that the kernel does itself. */
struct err *insn_walk_32(const uint8_t *code, size_t size, insn_fn *fn, void *ctx,
			 size_t *end);

/* --- The stack -------------------------------------------------------------- */

/* What an instruction does to where the stack pointer (sp) and the frame pointer (fp) are. */
enum insn_stack {
	INSN_STACK_KEEPS,
	INSN_STACK_MOVES,	/* sp += n */
	INSN_STACK_LOSES,	/* sp: nobody knows to what */
	INSN_STACK_PUSHES_FP,
	INSN_STACK_POPS_FP,
	INSN_STACK_STORES_FP,	/* at sp + n */
	INSN_STACK_LOADS_FP,	/* from there */
	INSN_STACK_SETS_FP,	/* to sp + n */
	INSN_STACK_TO_FP,	/* sp = fp + n */
	INSN_STACK_LEAVES,	/* sp = fp, and fp is popped */
	INSN_STACK_CLEARS_FP,	/* fp = 0 */
	INSN_STACK_LOSES_FP,
};

struct insn_effect {
	uint8_t what;		/* enum insn_stack */
	bool has_address;
	int64_t n;		/* bytes */
	int64_t address;	/* that it takes of a place; as insn.target */
};

/* As insn_walk(), with what each does to the stack; only x86-64, elsewhere
 * ERR_UNSUPPORTED. */
typedef bool insn_stack_fn(void *ctx, const struct insn *i, const struct insn_effect *e);
struct err *insn_walk_stack(const uint8_t *code, size_t size, insn_stack_fn *fn,
			    void *ctx, size_t *end);

/* --- Places for probes ------------------------------------------------------ */

/*
 * Where a probe stands best that is to fire when the function is entered: at the
 * first instruction that is emulated, if each call comes by there exactly once,
 * wherever it goes later; else at the first one.
 */
struct insn_entry {
	bool found;		/* false: a probe may stand nowhere */
	bool is_stepped;	/* not emulated */
	/* It is a branch, and while a condition holds leads to where the function
	 * begins once more: the call is entered when that does not hold
	 * (x86-64: the carry and the zero flag are clear). */
	bool is_checked;
	uint32_t at;		/* bytes from the beginning */
	uint32_t sp;		/* bytes that the stack pointer is lower than at
				 * the beginning */
};

/* What somebody looks at, a set: 1 << n: argument n; and memory.  What nobody looks at
 * may have changed at the place. */
enum {
	INSN_LOOKS_MEMORY = 1 << 10,
	INSN_LOOKS_ALL = INSN_LOOKS_MEMORY * 2 - 1,
};

/* most: the place must lie before that (where another function begins). */
struct err *insn_entry(const uint8_t *code, size_t size, size_t most,
		       unsigned looks, struct insn_entry *ret);

#endif
