/* SPDX-License-Identifier: BSD-2-Clause
 *
 * An expression that is generated: one DIFO, what is known of its registers and
 * of the cells of its tuple.
 */
#ifndef EBPF_EXPR_PRIV_H
#define EBPF_EXPR_PRIV_H

#include "ebpf/clause_priv.h"

/* What an address held in a register is known to point at. */
enum ebpf_region {
	REG_NONE,	/* a number */
	REG_CONST,	/* the number `val` */
	REG_LIT,	/* string literal at `off` of SEC_STRS, `size` bytes */
	REG_SLOT,	/* `size` bytes at `off` of the slot */
	REG_GLOBAL,	/* `size` bytes at `off` of SEC_VARS */
	REG_COMM,	/* execname, 16 bytes in the clause's frame */
};

struct ebpf_fact {
	uint8_t region;
	bool has_addr;		/* the register holds the address, or the number */
	bool is_str;		/* NUL-terminated within size */
	bool is_copy;		/* not the value itself: no stores */
	bool is_scratch;	/* a number: the address of scratch */
	uint32_t off, size;
	uint64_t val;
	const char *text;	/* LIT */
};

/* A limit that is a constant only at run time. */
#define EBPF_LIMIT_UNKNOWN UINT32_MAX

struct ebpf_expr {
	struct ebpf *g;
	struct ebpf_out *o;
	struct ebpf_body *b;
	const struct dif_difo *d;
	uint32_t pc;
	bool fused;		/* what is compared, the next instruction branches by */
	struct ebpf_cc {
		uint8_t a, b;	/* registers; or, if is_imm, */
		bool is_imm;
		int32_t imm;	/* this for b */
	} cc;			/* of a compare that is fused */
	uint8_t live;		/* registers live behind the instruction */
	struct ebpf_fact fact[DIF_NREGS];
	struct ebpf_fact cell[DIF_NTUPLE];
	uint32_t cell_type[DIF_NTUPLE];
	uint32_t cell_limit[DIF_NTUPLE];	/* bytes, 0: none */
	bool has_limits;		/* some push has one; then each has */
	uint32_t ncells;
	struct ebpf_fact result;	/* of the last ret; value in r0 */
};

/* The value of a DIFO that has been generated, in r0, as a register. */
enum { DIF_R0 = 0xff };

/* Generate d; its value is then in r0 and e->result. */
void ebpf_difo(struct ebpf_expr *e, struct ebpf_body *b,
	       const struct dif_difo *d, uint32_t action);
/* That as a number in r0. */
void ebpf_result_number(struct ebpf_expr *e);

/* --- addr.c: registers, facts, memory ------------------------------------------- */

/* The BPF register with the value of a DIF register: its own, or tmp loaded with
 * it. */
uint8_t ebpf_get(struct ebpf_expr *e, unsigned dif, uint8_t tmp);
void ebpf_set(struct ebpf_expr *e, unsigned dif, uint8_t src);
/* Where the value of a DIF register may be made: its own register if it has one,
 * unless it is that of the DIF register `but`, which is still to be read; else r0. */
uint8_t ebpf_target(unsigned dif, unsigned but);
void ebpf_set_fact(struct ebpf_expr *e, unsigned dif, struct ebpf_fact f);
/* dst <- the address as a number. */
void ebpf_addr(struct ebpf_expr *e, const struct ebpf_fact *f, unsigned dif,
	       uint8_t dst);
/* Make the register hold its address. */
void ebpf_settle(struct ebpf_expr *e, unsigned dif);
/* The same, or its constant. */
void ebpf_hold(struct ebpf_expr *e, unsigned dif);
/* Is what is known of a register all that there is? */
bool ebpf_is_pending(const struct ebpf_fact *f);
/* dst <- something to read from: a pointer when the region is known, else
 * the address. */
void ebpf_source(struct ebpf_expr *e, const struct ebpf_fact *f, unsigned dif,
		 uint8_t dst);
/* dst <- a pointer into a known region. */
void ebpf_region_ptr(struct ebpf_out *o, const struct ebpf_fact *f,
		     uint8_t dst);

/* Copy to [base + off]: a string of at most size - 1 bytes and a NUL, or size
 * bytes.  The source is a fact or DIF register.  null_ok: address 0 gives the
 * empty string or zeros. */
enum ebpf_copy { COPY_STR = 1, COPY_NULL_OK = 2, COPY_USER = 4,
		 COPY_WHOLE = 8 /* strsize does not cut it */ };
void ebpf_copy_to(struct ebpf_expr *e, uint8_t base, int32_t off,
		  uint32_t size, const struct ebpf_fact *f, unsigned dif,
		  unsigned flags);
/* The flags for a string in a key or record, of size bytes. */
unsigned ebpf_part_flags(const struct ebpf *g, uint32_t size);
/*
 * The string at CF_ADDR and r3, in two steps: what lies behind its limit must
 * not be touched, and the kernel's helper reads as many bytes as there is room
 * and puts its NUL over the last.  Read r2 > 0 bytes at most to r1, or fault;
 * then, with the same number in r2, and at [base + off], fetch the byte that was
 * lost, if so, and put the NUL behind it.
 */
void ebpf_string_read(struct ebpf_out *o, unsigned flags);
void ebpf_string_end(struct ebpf_out *o, uint8_t base, int32_t off,
		     unsigned flags);
unsigned ebpf_access_size(unsigned op);		/* bytes, of ld and st */

/* --- subr.c: the tuple ------------------------------------------------------------ */

/* At the start of a DIFO: limits of pushed strings. */
void ebpf_limits_init(struct ebpf_expr *e);
/* dst <- tuple cell i: a number, or the address of a string (settled). */
void ebpf_cell(struct ebpf_expr *e, uint32_t i, uint8_t dst);
/* Copy a string cell to size bytes of the slot at off. */
void ebpf_cell_key(struct ebpf_expr *e, uint32_t i, int32_t off,
		   uint32_t size);

/* --- Instructions, by file ---------------------------------------------------------- */

void ebpf_insn_load(struct ebpf_expr *e, uint32_t w);	/* addr.c */
void ebpf_insn_store(struct ebpf_expr *e, uint32_t w);	/* store.c */
void ebpf_insn_copy(struct ebpf_expr *e, uint32_t w);
void ebpf_insn_var(struct ebpf_expr *e, uint32_t w);	/* var.c */
void ebpf_insn_add(struct ebpf_expr *e, uint32_t w);
void ebpf_insn_old(struct ebpf_expr *e, uint32_t w);
void ebpf_array(struct ebpf_expr *e, uint32_t w);	/* bvar.c: ldga */
void ebpf_bvar(struct ebpf_expr *e, unsigned id, unsigned rd);
void ebpf_push(struct ebpf_expr *e, uint32_t w);	/* subr.c */
void ebpf_subr(struct ebpf_expr *e, uint32_t w);
void ebpf_callf(struct ebpf_expr *e, uint32_t w);	/* loop.c */
/* spec.c: r0 <- speculation(). */
void ebpf_speculation(struct ebpf_expr *e, unsigned arg);

#endif
