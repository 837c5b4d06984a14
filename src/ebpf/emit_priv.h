/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What emits: single instructions, addresses of what the object has, faults.
 */
#ifndef EBPF_EMIT_PRIV_H
#define EBPF_EMIT_PRIV_H

#include "abi/abi.h"
#include "ebpf/code_priv.h"

/* --- code.c: instructions -------------------------------------------------- */

void ebpf_emit(struct ebpf_out *o, uint8_t code, uint8_t dst, uint8_t src,
	       int16_t off, int32_t imm);
uint32_t ebpf_pc(const struct ebpf_out *o);
int ebpf_label(struct ebpf_out *o);
void ebpf_place(struct ebpf_out *o, int label);
/* op: BPF_JEQ ... ; jumps to label. */
void ebpf_jmp(struct ebpf_out *o, int label);
void ebpf_jmp_imm(struct ebpf_out *o, uint8_t op, uint8_t r, int32_t imm,
		  int label);
void ebpf_jmp_reg(struct ebpf_out *o, uint8_t op, uint8_t a, uint8_t b,
		  int label);
void ebpf_mov(struct ebpf_out *o, uint8_t dst, uint8_t src);
void ebpf_imm(struct ebpf_out *o, uint8_t dst, uint64_t v);
void ebpf_alu(struct ebpf_out *o, uint8_t op, uint8_t dst, uint8_t src);
void ebpf_alu_imm(struct ebpf_out *o, uint8_t op, uint8_t dst, int32_t imm);
void ebpf_load(struct ebpf_out *o, unsigned size, uint8_t dst, uint8_t base,
	       int32_t off);
void ebpf_store(struct ebpf_out *o, unsigned size, uint8_t base, int32_t off,
		uint8_t src);
void ebpf_store_imm(struct ebpf_out *o, unsigned size, uint8_t base,
		    int32_t off, int32_t imm);
void ebpf_lea(struct ebpf_out *o, uint8_t dst, uint8_t base, int32_t off);
void ebpf_helper(struct ebpf_out *o, int helper);
/* Sign-extend r from `size` bytes. */
void ebpf_sext(struct ebpf_out *o, uint8_t r, unsigned size);
void ebpf_zext(struct ebpf_out *o, uint8_t r, unsigned size);
void ebpf_return(struct ebpf_out *o, int32_t v);

/* --- code.c: what the object has -------------------------------------------- */

/* Call a function of the runtime with nargs arguments in r1.. */
void ebpf_rt(struct ebpf_out *o, const char *name, unsigned nargs);
void ebpf_call(struct ebpf_out *o, uint32_t sym);
void ebpf_map(struct ebpf_out *o, uint8_t dst, uint32_t sym);
void ebpf_rtmap(struct ebpf_out *o, uint8_t dst, const char *name);
void ebpf_slots(struct ebpf_out *o, uint8_t dst); /* the runtime's dt_slots */
/* dst <- a static function that has been written, to be called back. */
void ebpf_func_addr(struct ebpf_out *o, uint8_t dst, uint32_t sym);
/* dst <- pointer to offset off of a data section. */
void ebpf_data(struct ebpf_out *o, uint8_t dst, enum ebpf_sec sec,
	       uint32_t off);
void ebpf_ctl(struct ebpf_out *o, uint8_t dst);	/* pointer to dt_ctl */
/* Add a 0 to r that the verifier does not know to be 0; r1 dies. */
void ebpf_blur(struct ebpf_out *o, uint8_t r);
/* The 8 bytes of clause-locals at offset off of them, as a bit of use.locals. */
uint64_t ebpf_local_bit(uint32_t off);
/* Room in the slot until the clause ends; its offset. */
uint32_t ebpf_temp(struct ebpf_out *o, uint32_t size);

/* --- addr.c: memory --------------------------------------------------------- */

/* The section of globals, as the base of a destination. */
enum { BASE_GLOBAL = 0x40 };

/* dst <- the pointer in dst as a number, through memory of the slot. */
void ebpf_to_number(struct ebpf_out *o, uint8_t dst);
/* dst <- base + off, base being R_SLOT, BPF_REG_10 or BASE_GLOBAL. */
void ebpf_dst(struct ebpf_out *o, uint8_t dst, uint8_t base, int32_t off);
/* How much of `left` bytes one store at [base + off] may take, `most` at most:
 * the kernel wants the stack accessed at multiples of the size. */
unsigned ebpf_step(uint8_t base, int32_t off, uint32_t left, unsigned most);
void ebpf_zero(struct ebpf_out *o, uint8_t base, int32_t off, uint32_t size);

/* --- bvar.c, arg.c: the firing ---------------------------------------------- */

/* r0 <- its time, asked for once; r1..r5 die. */
void ebpf_time(struct ebpf_out *o);
/* dst <- the current task; in clauses only. */
void ebpf_task(struct ebpf_out *o, uint8_t dst);
/* execname to 16 bytes at [base + off], as ebpf_dst() has it. */
void ebpf_comm(struct ebpf_out *o, uint8_t base, int32_t off);
/* A struct abi_who at [base + off], a multiple of 8. */
void ebpf_who(struct ebpf_out *o, uint8_t base, int32_t off);
/* Can the verifier be told that registers are at some address?  Then r0 <- the
 * address in r1, from which they may be loaded; r1..r5 die. */
bool ebpf_may_cast(const struct ebpf *g);
void ebpf_cast(struct ebpf_out *o);

/* --- fault.c ---------------------------------------------------------------- */

/* A label to jump to for this fault at the current instruction; value is the
 * frame offset where the fault's value stands, 0: none. */
int ebpf_fault(struct ebpf_out *o, int fault, int value);
/* r0 <- size bytes at the address in r3, as a helper reads them, or to fault with the
 * address at CF_ADDR; r1..r5 die. */
void ebpf_read_number(struct ebpf_out *o, int helper, unsigned size, int fault);
/* When r0 is 0, ask the helper what z's address holds (reg, at, size are given). */
void ebpf_ask_zero(struct ebpf_out *o, const struct ebpf_zero *z);
/* r1 <- the index of the slot, for functions of the runtime. */
void ebpf_slot_arg(struct ebpf_out *o);
/* Count a drop; r1..r5 die. */
void ebpf_drop(struct ebpf_out *o, enum abi_drop kind);
/* After a call of a runtime function that may fault. */
void ebpf_check_rt(struct ebpf_out *o);
void ebpf_flush_stubs(struct ebpf_out *o);

#endif
