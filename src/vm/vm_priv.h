/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the files of the interpreter share.  A function that returns bool
 * returns false after raising a fault in vm->fault, unless it says otherwise.
 */
#ifndef VM_VM_PRIV_H
#define VM_VM_PRIV_H

#include <string.h>

#include "vm/vm.h"

/* Temporary strings: what one instruction can need at a time. */
enum { VM_NTMP = 4, VM_NARGS = 8 };

/* An entry of the tuple stack. */
struct vm_tuple {
	uint64_t value;
	uint64_t size;		/* STRING: bytes to read; 0: strsize */
	uint8_t kind;		/* DIF_PUSH_* */
};

/* An argument of a subroutine: s[0..n-1] for a string, else i, and s is
 * NULL. */
struct vm_arg {
	uint64_t i;
	const char *s;
	uint32_t n;
};

/* Where a variable of the program lives. */
struct vm_slot {
	const struct plan_var *var;
	uint8_t *value;		/* NULL: dynamic */
};

/* Raise a fault; false.  The offset is filled in by vm_run(). */
bool vm_raise(struct vm *vm, int fault, uint64_t value);

/* plan.c: the function with that number, from inside a DIFO. */
bool vm_callf(struct vm *vm, uint32_t func);

/* mem.c */
/* n bytes of the engine's own memory at addr, or NULL.  No fault. */
const uint8_t *vm_own(const struct vm *vm, uint64_t addr, uint64_t n);
/* The same where a store is allowed. */
uint8_t *vm_own_store(const struct vm *vm, uint64_t addr, uint64_t n);
bool vm_load(struct vm *vm, uint64_t addr, void *buf, size_t n, bool user);
/* The string operand at addr, reading at most max bytes (0: no limit but
 * strsize), into buf of strsize bytes; NUL-terminated; *len without it. */
bool vm_load_string(struct vm *vm, uint64_t addr, uint64_t max, bool user,
		    char *buf, uint32_t *len);
/* The same, of limit bytes at most, whatever strsize. */
bool vm_load_text(struct vm *vm, uint64_t addr, uint64_t limit, bool user,
		  char *buf, uint32_t *len);
/* Scratch claimed so far: are these n bytes within it?  Is one of them? */
bool vm_in_scratch(const struct vm *vm, uint64_t addr, uint64_t n);
bool vm_meets_scratch(const struct vm *vm, uint64_t addr, uint64_t n);
/* n bytes of scratch, NULL after raising NOSCRATCH. */
uint8_t *vm_scratch(struct vm *vm, uint64_t n);
char *vm_tmp(const struct vm *vm, unsigned i);

/* vars.c */
bool vm_var_load(struct vm *vm, uint32_t id, int scope, int kind,
		 const struct vm_tuple *ts, unsigned nts, uint64_t *ret);
bool vm_var_store(struct vm *vm, uint32_t id, int scope, int kind,
		  const struct vm_tuple *ts, unsigned nts, uint64_t v);
bool vm_bvar(struct vm *vm, uint32_t id, uint64_t index, uint64_t *ret);
/* Is [addr, addr + n) inside the value of one by-reference variable at a
 * fixed place, and may it be stored to?  Of a dynamic one? */
uint8_t *vm_var_at(const struct vm *vm, uint64_t addr, uint64_t n, bool store);
const uint8_t *vm_elem_at(const struct vm *vm, uint64_t addr, uint64_t n);

/* spec.c */
/* speculate(): the tag of what is recorded from now on. */
uint64_t vm_speculate(struct vm *vm, int64_t id);
/* commit() and discard(): end a use; how: bits of its tag.  That tag, if
 * somebody must be told; else 0. */
uint64_t vm_spec_end(struct vm *vm, int64_t id, uint32_t how);
/* Is there room for size bytes in the speculation?  Else they are dropped. */
bool vm_spec_room(struct vm *vm, uint64_t tag, uint32_t size);

/* subr.c */
bool vm_call(struct vm *vm, unsigned subr, const struct vm_tuple *ts,
	     unsigned nts, uint64_t *ret);
/* A string result of n bytes at p: a copy in scratch. */
bool vm_return_string(struct vm *vm, const char *p, uint64_t n, uint64_t *ret);

/* subr_*.c: one function for each row of subrs.def, called as its row is. */
#define SUBR(NAME, ...) bool vm_subr_##NAME(struct vm *vm, \
	const struct vm_arg *args, unsigned nargs, uint64_t *ret);
#include "dif/subrs.def"
#undef SUBR

#endif
