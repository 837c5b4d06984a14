/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Inside ebpf: the code buffer, the frame layouts, and what the files of this
 * folder offer one another.
 */
#ifndef EBPF_EBPF_PRIV_H
#define EBPF_EBPF_PRIV_H

#include <linux/bpf.h>

#include "ebpf/ebpf.h"
#include "util/vec.h"

/* --- Objects: sections, symbols, relocations ------------------------------ */

enum ebpf_sec {
	SEC_TEXT,	/* subprograms */
	SEC_PROG,	/* programs */
	SEC_NCODE,
	SEC_VARS = SEC_NCODE,	/* .bss.vars: global variables */
	SEC_AGG,	/* .bss.agg: aggregations without keys */
	SEC_STRS,	/* .rodata.strs: literals, probe names, zeros */
	SEC_TABLE,	/* .rodata.tab: key -> probe, set */
	SEC_N
};

struct ebpf_reloc {
	uint32_t insn;		/* index in its section */
	uint32_t sym;
};

enum ebpf_symkind {
	SYM_FUNC,
	SYM_GFUNC,	/* a global function of ours, verified once */
	SYM_RTFUNC,	/* one of the runtime */
	SYM_MAP, SYM_RTMAP,
	SYM_DATA,	/* a section of data */
	SYM_CTL,	/* the runtime's control block */
};

struct ebpf_sym {
	const char *name;
	uint8_t kind;		/* enum ebpf_symkind */
	uint8_t sec;		/* FUNC, GFUNC, DATA */
	uint8_t nargs;		/* FUNC, GFUNC, RTFUNC */
	uint8_t attach;		/* FUNC of SEC_PROG: enum abi_attach */
	uint32_t value, size;	/* FUNC, GFUNC: instructions */
	const struct ebpf_mapdef *def;		/* MAP */
};

struct ebpf_mapdef {
	uint32_t type, key_size, value_size, max_entries, map_flags;
};

struct ebpf_code {
	VEC(struct bpf_insn) insns;
	VEC(struct ebpf_reloc) relocs;
};

/* --- Facts about DIF registers -------------------------------------------- */

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
	bool has_addr;		/* the register holds the address */
	bool is_str;		/* NUL-terminated within size */
	bool is_copy;		/* not the value itself: no stores */
	bool is_scratch;	/* a number: the address of scratch */
	uint32_t off, size;
	uint64_t val;
	const char *text;	/* LIT */
};

/* --- Frames --------------------------------------------------------------- */

/* The firing's state, r6 in clauses: on the stack of a program that clauses
 * stand in; of one that calls them in the slot, if there is one, since frames are
 * few (512 bytes, and older kernels count multiples of 32 of each).  So nothing
 * here is an address that the verifier must know again: those stand in the
 * clause's frame. */
enum {
	FS_PROBE = 0,		/* u32 probe id */
	FS_EPID = 4,		/* u32 */
	FS_TIME = 8,		/* u64 */
	FS_CPU = 16,		/* u32 */
	FS_GEN = 20,		/* u8 aggregation generation */
	FS_EXITED = 21,		/* u8: exit() has run */
	FS_IRQ = 22,		/* u16 offset of our half of CF_SELF */
	FS_SLOT = 24,		/* u32 index of the slot */
	FS_INDEX = 28,		/* u32 probe's index within its set */
	FS_PNO = 32,		/* u32 which of the enabled probes */
	FS_ERRNO = 36,		/* u32 */
	FS_THREAD = 40,		/* u64 which thread this is (thread.c) */
	FS_ARGS = 48,		/* 10 u64 */
	FS_VTIME = 128,		/* u64 ns on CPU */
	FS_CLAUSES = 136,	/* u64 FIND_COOKIE: which run (abi_row) */
	FS_POINT = 144,		/* u32 which point fired, where some are found
				 * by cookie */
	/* Of a fault.  A clause that faults needs its key no more, so in its
	 * own frame they stand there. */
	FS_FVALUE = 152,	/* u64 fault value */
	FS_FWHERE = 160,	/* u64 action << 32 | DIF offset */
	FS_FAULT = 168,		/* u32 fault */
	FS_PLACE = 172,		/* u32 of the fault, 0: not told */
	FS_SIZE = 176,
};

/* A clause's frame, offsets from r10.  A function gets the head of the frame
 * that called it, and copies of it what its clause uses. */
enum {
	CF_CTX = -8,
	CF_TASK = -16,		/* the current task, as the verifier knows it */
	CF_SELF = -24,		/* the thread's variables, 0: not asked */
	CF_HEAD = -24,
	CF_UP = -32,		/* called: the caller's head */
	CF_REGS = -72,		/* DIF r3..r7 */
	CF_CCA = -80, CF_CCB = -88,	/* operands of the last compare */
	CF_TMP = -96,		/* 8 bytes for probe reads */
	CF_VAL = -104, CF_INCR = -112,	/* aggregation's operands */
	CF_ADDR = -120,		/* an address being worked on */
	CF_COMM = -136,		/* 16 bytes: execname */
	CF_KEY = -200,		/* 64 bytes: small keys */
	CF_KEYMAX = 64,
};

/* Offsets in a slot, fixed before any code is generated. */
struct ebpf_layout {
	uint32_t locals, locals_size;
	uint32_t scratch, scratch_size;
	uint32_t cells;		/* DIF_NTUPLE u64 */
	uint32_t varkey, aggkey, brief, record;
	uint32_t operands;	/* CF_VAL and CF_INCR of clauses with loops */
	uint32_t entry;		/* of a log, before it is appended */
	uint32_t comm;		/* 16 bytes */
	uint32_t value;		/* a by-reference value being stored; room for
				 * two of the largest */
	uint32_t tmp;		/* the runtime's two strings */
	uint32_t token, json, stacks, window;	/* as in struct abi_cfg */
	uint32_t state;		/* FS_SIZE bytes, if it is here */
	uint32_t temps;		/* copies made by loads; grows */
};

/* --- Clauses -------------------------------------------------------------- */

/* What code wants done before it runs. */
struct ebpf_use {
	uint32_t args;		/* bit n: argn */
	bool time, vtime, err, slot, gen, thread, rings, epid, self, task;
	bool fault;		/* it may fault */
	bool exit;		/* it may call exit() */
	bool loop;		/* it is a callback (loop.c) */
};

/* How a chunk leaves, in r0; without a fault or a next chunk, r0 is nothing. */
enum ebpf_left {
	LEFT_DONE, LEFT_FAULT,
	LEFT_UNRUN,	/* the predicate said no, or it ended in the middle */
};

/* A clause's code, to be placed anywhere: R_FS, R_SLOT and CF_CTX are set
 * when it begins, and it leaves at its end.  A large clause has several. */
struct ebpf_chunk {
	struct ebpf_chunk *next;
	uint32_t insn, ninsns;		/* in g->chunks */
	uint32_t reloc, nrelocs;
	struct ebpf_use use;
	uint32_t sym;			/* as a function; 0: not made yet */
};

/* --- Inside one function -------------------------------------------------- */

struct ebpf_fix {
	uint32_t insn, label;	/* this jump goes to that label */
};

struct ebpf_stub {
	uint32_t label, action, dif_off, place;
	int32_t fault;		/* -1: what the runtime left in the slot */
	int16_t value;		/* frame offset of its value, 0: none */
};

/* Labels of what is around a node: where break, continue and return go. */
struct ebpf_around {
	int brk, cont, ret;
};

/* Where a variable is that has a table. */
struct ebpf_var_table {
	const struct ebpf_table *table;
	uint32_t number;		/* in it */
	uint32_t layout;		/* in the plan: ebpf_var_layout() */
};

/* A function that does something with a variable in a hash. */
enum ebpf_hash_op { HASH_GET, HASH_PUT, HASH_ADD4, HASH_ADD8 };

struct ebpf_hash_func {
	const struct plan_var *var;
	enum ebpf_hash_op op;
};

/* --- The generator -------------------------------------------------------- */

struct ebpf {
	struct arena *a;
	const struct ebpf_input *in;
	const struct plan_prog *plan;
	struct ebpf_layout lay;
	struct ebpf_code code[SEC_NCODE], chunks;
	struct ebpf_code *out;	/* what is being written */
	struct ebpf_chunk *clauses;	/* by the plan's index */
	VEC(struct ebpf_sym) syms;
	VEC(char) strs;		/* SEC_STRS */
	VEC(uint32_t) table;	/* SEC_TABLE */
	uint32_t vars_size;	/* SEC_VARS */
	uint32_t zeros, zeros_size;	/* in SEC_STRS */
	uint32_t names;		/* in SEC_STRS: 4 offsets per enabled probe */
	uint32_t agg_row;
	struct ebpf_agg *aggs;
	struct ebpf_aggmap *aggmaps;
	uint32_t naggmaps;
	struct ebpf_table *tables;
	uint32_t ntables;
	struct ebpf_var_table *var_tables;	/* by the plan's index */
	int32_t *self_off;	/* by the plan's index (self.c) */
	uint32_t self_size;	/* bytes of one half */
	const struct plan_var *widest_string;	/* of the global ones */
	uint32_t nstrings;
	VEC(struct ebpf_hash_func) hash_funcs;
	bool *is_stored;		/* by id: stgaa stores into it somewhere */
	VEC(const char *) frees;	/* programs run when a task is freed */
	uint32_t sweep[2];		/* symbols: for scalars, for arrays */
	const struct ebpf_probe **probes;	/* all enabled, by FS_PNO */
	uint32_t nprobes;
	uint32_t *first_pno;		/* by point: that of its first probe */
	struct ebpf_epid *epids;
	uint32_t nepids;
	uint32_t *next_epid;		/* of each clause: ebpf_epids() */
	VEC(struct ebpf_link_prog) links;
	uint32_t error_insns;	/* of ERROR's clauses */
	struct err *err;	/* the first; then everything is a no-op */
	uint32_t temps_max;	/* bytes of temps used by the hungriest DIFO */

	struct ebpf_use use;	/* of the clause being generated */
	uint32_t place;		/* where it stands; 0: none is */
	uint32_t ncomms;	/* how often it has asked for execname so far */
	struct ebpf_use all;	/* of all clauses */
	bool need_names;
	bool uses_spec, sends_ends;	/* of speculations */
	bool asks_room;			/* some clause calls dt_room() */
	bool uses_kvars;
	bool has_rows;			/* some point is found by cookie */

	/* The function being generated. */
	VEC(int32_t) labels;	/* insn index, -1: not placed */
	VEC(struct ebpf_fix) fixes;
	VEC(struct ebpf_stub) stubs;
	int fail_label;		/* common end of faults */

	/* The chunk being generated. */
	uint32_t chunk;		/* where it begins */
	int quit;		/* label: the clause ends here; -1: not used */
	bool looping;		/* it is a callback */
	int hop;		/* label: which loop is meant? */
	uint32_t nstates;
	struct ebpf_around around;
	uint32_t fault_place;	/* what a fault tells; 0: nothing */
	uint32_t scratch_mark;	/* where in the slot stands how much scratch
				 * is in use when the node ends; 0: all is */
	uint32_t depth;		/* of functions */
	uint32_t func_end;	/* those below may be called */

	/* The DIFO being generated. */
	const struct dif_difo *d;
	uint32_t pc, action;
	uint8_t live;		/* registers live behind the instruction */
	struct ebpf_fact fact[DIF_NREGS];
	struct ebpf_fact cell[DIF_NTUPLE];
	uint32_t cell_type[DIF_NTUPLE];
	uint32_t cell_limit[DIF_NTUPLE];	/* bytes, 0: none */
	bool has_limits;		/* some push has one; then each has */
	uint32_t limits;		/* in the slot, from here on; 0: the
					 * clause has none so far */
	uint32_t ncells;
	uint32_t temps;		/* bytes used so far */
	struct ebpf_fact result;	/* of the last ret; value in r0 */
};

/* Pseudo numbers: the value of the DIFO just generated, in r0; the section of
 * globals as the base of a destination. */
enum { DIF_R0 = 0xff, BASE_GLOBAL = 0x40 };

/* A limit that is a constant only at run time. */
#define EBPF_LIMIT_UNKNOWN UINT32_MAX

/* r6..r9 */
enum { R_FS = 6, R_SLOT = 7, R_D1 = 8, R_D2 = 9 };

/* --- code.c: emitting ----------------------------------------------------- */

void ebpf_fail(struct ebpf *g, struct err *e);	/* takes e */
/* Fail with ERR_LIMIT; the text names the limit. */
void ebpf_limit(struct ebpf *g, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void ebpf_emit(struct ebpf *g, uint8_t code, uint8_t dst, uint8_t src,
	       int16_t off, int32_t imm);
int ebpf_label(struct ebpf *g);
void ebpf_place(struct ebpf *g, int label);
/* op: BPF_JEQ ... ; jumps to label. */
void ebpf_jmp(struct ebpf *g, int label);
void ebpf_jmp_imm(struct ebpf *g, uint8_t op, uint8_t r, int32_t imm,
		  int label);
void ebpf_jmp_reg(struct ebpf *g, uint8_t op, uint8_t a, uint8_t b,
		  int label);
void ebpf_mov(struct ebpf *g, uint8_t dst, uint8_t src);
void ebpf_imm(struct ebpf *g, uint8_t dst, uint64_t v);
void ebpf_alu(struct ebpf *g, uint8_t op, uint8_t dst, uint8_t src);
void ebpf_alu_imm(struct ebpf *g, uint8_t op, uint8_t dst, int32_t imm);
void ebpf_load(struct ebpf *g, unsigned size, uint8_t dst, uint8_t base,
	       int32_t off);
void ebpf_store(struct ebpf *g, unsigned size, uint8_t base, int32_t off,
		uint8_t src);
void ebpf_store_imm(struct ebpf *g, unsigned size, uint8_t base, int32_t off,
		    int32_t imm);
void ebpf_lea(struct ebpf *g, uint8_t dst, uint8_t base, int32_t off);
void ebpf_helper(struct ebpf *g, int helper);
/* Sign-extend r from `size` bytes. */
void ebpf_sext(struct ebpf *g, uint8_t r, unsigned size);
void ebpf_zext(struct ebpf *g, uint8_t r, unsigned size);
/* Call a function of the runtime with nargs arguments in r1.. */
void ebpf_rt(struct ebpf *g, const char *name, unsigned nargs);
void ebpf_call(struct ebpf *g, uint32_t sym);
void ebpf_map(struct ebpf *g, uint8_t dst, uint32_t sym);
/* dst <- a static function that has been written, to be called back. */
void ebpf_func_addr(struct ebpf *g, uint8_t dst, uint32_t sym);
/* dst <- pointer to offset off of a data section. */
void ebpf_data(struct ebpf *g, uint8_t dst, enum ebpf_sec sec, uint32_t off);
void ebpf_ctl(struct ebpf *g, uint8_t dst);	/* pointer to dt_ctl */
/* Add a 0 to r that the verifier does not know to be 0; r1 dies. */
void ebpf_blur(struct ebpf *g, uint8_t r);
uint32_t ebpf_sym(struct ebpf *g, const char *name, enum ebpf_symkind kind);
uint32_t ebpf_func_begin(struct ebpf *g, enum ebpf_sec sec, const char *name,
			 unsigned nargs);
/* The same for a program, attached this way. */
uint32_t ebpf_prog_begin(struct ebpf *g, enum abi_attach attach,
			 const char *name);
void ebpf_func_end(struct ebpf *g, uint32_t sym);
void ebpf_chunk_begin(struct ebpf *g, struct ebpf_chunk *c);
void ebpf_chunk_end(struct ebpf *g, struct ebpf_chunk *c);
void ebpf_paste(struct ebpf *g, const struct ebpf_chunk *c);
/* *all becomes what it or u is. */
void ebpf_use_join(struct ebpf_use *all, const struct ebpf_use *u);
/* May clause index call exit()? */
bool ebpf_may_exit(const struct ebpf *g, uint32_t index);
/* Go to label if exit() has run in this firing; r0 dies. */
void ebpf_if_exited(struct ebpf *g, int label);
void ebpf_return(struct ebpf *g, int32_t v);
uint32_t ebpf_str(struct ebpf *g, const char *s, size_t size);
uint32_t ebpf_pc(const struct ebpf *g);
void ebpf_slot_used(struct ebpf *g);		/* code touches R_SLOT */
/* Map lookup helpers: r1..r5 die. */
uint32_t ebpf_map_sym(struct ebpf *g, const char *name,
		      const struct ebpf_mapdef *def);
void ebpf_rtmap(struct ebpf *g, uint8_t dst, const char *name);
void ebpf_slots(struct ebpf *g, uint8_t dst);	/* the runtime's dt_slots */

/* --- fault.c -------------------------------------------------------------- */

/* A label to jump to for this fault at the current instruction; value is the
 * frame offset where the fault's value stands, 0: none. */
int ebpf_fault(struct ebpf *g, int fault, int value);
/* r1 <- the index of the slot, for functions of the runtime. */
void ebpf_slot_arg(struct ebpf *g);
/* Count a drop; r1..r5 die. */
void ebpf_drop(struct ebpf *g, enum abi_drop kind);
/* After a call of a runtime function that may fault. */
void ebpf_check_rt(struct ebpf *g);
void ebpf_flush_stubs(struct ebpf *g);

/* --- addr.c: registers, facts, memory ------------------------------------- */

uint8_t ebpf_get(struct ebpf *g, unsigned dif, uint8_t tmp); /* BPF register
	* with the value of a DIF register: its own, or tmp loaded with it */
void ebpf_set(struct ebpf *g, unsigned dif, uint8_t src);
void ebpf_set_fact(struct ebpf *g, unsigned dif, struct ebpf_fact f);
/* dst <- the address as a number. */
void ebpf_addr(struct ebpf *g, const struct ebpf_fact *f, unsigned dif,
	       uint8_t dst);
/* Make the register hold its address. */
void ebpf_settle(struct ebpf *g, unsigned dif);
/* dst <- the pointer in dst as a number, through memory of the slot. */
void ebpf_to_number(struct ebpf *g, uint8_t dst);
/* dst <- something to read from: a pointer when the region is known, else
 * the address. */
void ebpf_source(struct ebpf *g, const struct ebpf_fact *f, unsigned dif,
		 uint8_t dst);
/* dst <- a pointer into a known region. */
void ebpf_region_ptr(struct ebpf *g, const struct ebpf_fact *f, uint8_t dst);
/* dst <- base + off, base being R_SLOT, BPF_REG_10 or BASE_GLOBAL. */
void ebpf_dst(struct ebpf *g, uint8_t dst, uint8_t base, int32_t off);
/* How much of `left` bytes one store at [base + off] may take, `most` at most:
 * the kernel wants the stack accessed at multiples of the size. */
unsigned ebpf_step(uint8_t base, int32_t off, uint32_t left, unsigned most);
/*
 * The string at CF_ADDR and r3, in two steps: what lies behind its limit must
 * not be touched, and the kernel's helper reads as many bytes as there is room
 * and puts its NUL over the last.  Read r2 > 0 bytes at most to r1, or fault;
 * then, with the same number in r2, and at [base + off], fetch the byte that was
 * lost, if so, and put the NUL behind it.
 */
void ebpf_string_read(struct ebpf *g, unsigned flags);
void ebpf_string_end(struct ebpf *g, uint8_t base, int32_t off,
		     unsigned flags);
/* Copy to [base + off]: a string of
 * at most size - 1 bytes and a NUL, or size bytes.  The source is a fact or
 * DIF register.  null_ok: address 0 gives the empty string or zeros. */
enum ebpf_copy { COPY_STR = 1, COPY_NULL_OK = 2, COPY_USER = 4,
		 COPY_WHOLE = 8 /* strsize does not cut it */ };
/* The flags for a string in a key or record, of size bytes. */
unsigned ebpf_part_flags(const struct ebpf *g, uint32_t size);
void ebpf_copy_to(struct ebpf *g, uint8_t base, int32_t off, uint32_t size,
		  const struct ebpf_fact *f, unsigned dif, unsigned flags);
void ebpf_zero(struct ebpf *g, uint8_t base, int32_t off, uint32_t size);
unsigned ebpf_access_size(unsigned op);		/* bytes, of ld and st */
void ebpf_insn_load(struct ebpf *g, uint32_t w);

/* --- store.c -------------------------------------------------------------- */

void ebpf_insn_store(struct ebpf *g, uint32_t w);
void ebpf_insn_copy(struct ebpf *g, uint32_t w);	/* copys */

/* --- The files that generate, and object.c --------------------------------- */

void ebpf_insn_var(struct ebpf *g, uint32_t w);
void ebpf_insn_add(struct ebpf *g, uint32_t w);
void ebpf_insn_old(struct ebpf *g, uint32_t w);
/* Room in the slot until the clause ends; its offset. */
uint32_t ebpf_temp(struct ebpf *g, uint32_t size);
/* Does v lie at a fixed place, as bytes with an address?  Then *off is where,
 * in the slot (LOCAL) or in SEC_VARS. */
bool ebpf_var_place(const struct ebpf *g, const struct plan_var *v,
		    uint32_t *off);
/* self.c: thread-local variables kept with the task. */
void ebpf_self_layout(struct ebpf *g);
bool ebpf_self_has(const struct ebpf *g, const struct plan_var *v);
void ebpf_self_load(struct ebpf *g, const struct plan_var *v, unsigned rd);
void ebpf_self_store(struct ebpf *g, const struct plan_var *v, unsigned rs);
/* dst <- the hash of a variable.  Has it a table that some code has loaded so
 * far? */
void ebpf_var_map(struct ebpf *g, const struct plan_var *v, uint8_t dst);
bool ebpf_var_used(struct ebpf *g, const struct plan_var *v);
/* r0 <- the element of a variable in a hash whose key is built, or NULL. */
void ebpf_var_lookup(struct ebpf *g, const struct plan_var *v);
/* Copy a by-reference value from r3 to r1. */
void ebpf_var_copy(struct ebpf *g, const struct plan_var *v);
void ebpf_var_delete(struct ebpf *g, const struct plan_var *v);
/* The first variable that is loaded and stored as v is: in the same hash, with
 * values of the same kind and size. */
const struct plan_var *ebpf_var_layout(const struct ebpf *g,
				       const struct plan_var *v);
/* Where the stamp of an element stands; 0: it has none. */
uint32_t ebpf_var_stamp(const struct ebpf *g, const struct plan_var *v);
/* hash.c: the key is built, except that of a global string. */
/* Load a variable that CPUs share to off of the slot, a number as 8 bytes;
 * zeros or "" when it does not exist. */
void ebpf_hash_load(struct ebpf *g, const struct plan_var *v, uint32_t off);
/* Store the number in r3, or when that is not 0 the value in the slot. */
void ebpf_hash_store(struct ebpf *g, const struct plan_var *v);
/* Add the number in r3 to an element that is never replaced nor deleted. */
void ebpf_hash_add(struct ebpf *g, const struct plan_var *v);
/* The functions that do so, once all clauses have been generated. */
void ebpf_hash_funcs(struct ebpf *g);
/* thread.c */
/* Have a number for the thread, which is in the key that is built, and put it
 * into that of an array; to none when there is no room. */
void ebpf_thread_number(struct ebpf *g, const struct plan_var *v, int none);
/* Make room in a thread's variable, or go to no when it is not time to. */
void ebpf_sweep(struct ebpf *g, const struct plan_var *v, int no);
/* Functions: before all clauses, and after. */
void ebpf_thread_begin(struct ebpf *g);
void ebpf_thread_end(struct ebpf *g);
void ebpf_bvar(struct ebpf *g, unsigned id, unsigned rd);
/* arg.c: can the verifier be told that registers are at some address?  Then r0
 * <- the address in r1, from which they may be loaded; r1..r5 die. */
bool ebpf_may_cast(const struct ebpf *g);
void ebpf_cast(struct ebpf *g);
/* dst <- the current task; in clauses only. */
void ebpf_task(struct ebpf *g, uint8_t dst);
/* A struct abi_who at [base + off], a multiple of 8. */
void ebpf_who(struct ebpf *g, uint8_t base, int32_t off);
/* execname to 16 bytes at [base + off], as ebpf_dst() has it. */
void ebpf_comm(struct ebpf *g, uint8_t base, int32_t off);
/* need.c: are the offsets known that this built-in variable or subroutine of
 * the table there needs?  Else fails, saying which is not. */
bool ebpf_known(struct ebpf *g, bool is_subr, unsigned id);
void ebpf_array(struct ebpf *g, uint32_t w);		/* ldga */
void ebpf_subr(struct ebpf *g, uint32_t w);
/* clause.c: the label to go to where a clause ends in the middle, without a
 * fault. */
int ebpf_quit(struct ebpf *g);
/* spec.c: tag: where in the slot the tag stands of the speculation in force;
 * 0: none is. */
void ebpf_spec(struct ebpf *g, const struct plan_node *n, uint32_t *tag);
/* Put that tag into the record, unless there is no room: then go to out. */
void ebpf_spec_tag(struct ebpf *g, const struct abi_clause_desc *d,
		   uint32_t tag, int out);
/* r0 <- speculation(). */
void ebpf_speculation(struct ebpf *g, unsigned arg);
void ebpf_push(struct ebpf *g, uint32_t w);
/* dst <- tuple cell i: a number, or the address of a string (settled). */
void ebpf_cell(struct ebpf *g, uint32_t i, uint8_t dst);
/* Copy a string cell to size bytes of the slot at off. */
void ebpf_cell_key(struct ebpf *g, uint32_t i, int32_t off, uint32_t size);
/* At the start of a DIFO: limits of pushed strings. */
void ebpf_limits_init(struct ebpf *g);
/* Generate d; its value is then in r0 and g->result. */
void ebpf_difo(struct ebpf *g, const struct dif_difo *d, uint32_t action);
/* A DIFO that is nothing but `ld BUILTIN; ret`: its id; 0: it is not. */
unsigned ebpf_difo_bvar(const struct dif_difo *d);
void ebpf_vars_layout(struct ebpf *g);
/* Generate g->clauses[index]. */
void ebpf_clause(struct ebpf *g, uint32_t index);
/* Nodes of a clause, or (c NULL) of a function.  tag: where in the slot the tag
 * of the speculation in force stands. */
void ebpf_nodes(struct ebpf *g, const struct plan_clause *c,
		const struct plan_node *n, uint32_t *tag);
/* r0 <- the value of difos[0], a number. */
void ebpf_condition(struct ebpf *g, const struct plan_node *n);
/* loop.c: are the statements from n on to stand in a chunk that is a callback,
 * between ebpf_loop_begin() and _end(), and made functions by
 * ebpf_loop_funcs()?  now: so does what is before them. */
bool ebpf_loops(const struct ebpf *g, const struct plan_node *n, bool now);
/* Anywhere in a clause; in its predicate. */
bool ebpf_has_loops(const struct ebpf *g, const struct plan_clause *c);
bool ebpf_pred_loops(const struct ebpf *g, const struct plan_clause *c);
void ebpf_loop_begin(struct ebpf *g);
void ebpf_loop_end(struct ebpf *g);
void ebpf_loop_funcs(struct ebpf *g, const char *name, struct ebpf_chunk *c);
/* prog.c: a chunk's function begins, and leaves.  The caller's head is at [up];
 * r0 stays when it leaves. */
void ebpf_head_in(struct ebpf *g, const struct ebpf_chunk *c, uint8_t up);
void ebpf_head_out(struct ebpf *g, const struct ebpf_chunk *c);
void ebpf_loop(struct ebpf *g, const struct plan_clause *c,
	       const struct plan_node *n, uint32_t tag);
/* Go to label for good. */
void ebpf_leave(struct ebpf *g, int label);
void ebpf_callf(struct ebpf *g, uint32_t w);
/* r0 <- the time of the firing, asked for once; r1..r5 die. */
void ebpf_time(struct ebpf *g);
/* record.c: where byte off of the record lies in the slot. */
static inline int32_t
ebpf_rec(const struct ebpf *g, uint32_t off)
{
	return (int32_t)(g->lay.record + off);
}

/* The result of the DIFO just generated as a number in r0. */
void ebpf_result_number(struct ebpf *g);
/* Evaluate d into the bytes of field f at [base + off]. */
void ebpf_field(struct ebpf *g, const struct abi_field *f,
		const struct dif_difo *d, uint8_t base, int32_t off,
		uint32_t action);
/* A result of d, a DIFO of the node that runs, has been copied. */
void ebpf_free_scratch(struct ebpf *g, const struct dif_difo *d);
/* What the action of n records. */
void ebpf_record(struct ebpf *g, const struct plan_clause *c,
		 const struct plan_node *n);
/* ebpf.c: how many maps there can be for variables and aggregations.  Half of
 * them, EBPF_VAR_MAPS at least, are for tables (table.c) and for global strings;
 * what these leave, EBPF_AGG_MAPS at least, is for aggregations (aggmap.c). */
enum { EBPF_VAR_MAPS = 14, EBPF_STRING_MAPS = 1, EBPF_AGG_MAPS = 12 };
uint32_t ebpf_maps_room(const struct ebpf *g);
void ebpf_tables(struct ebpf *g);
/* NULL: v has none. */
const struct ebpf_var_table *ebpf_table_of(const struct ebpf *g,
					   const struct plan_var *v);
void ebpf_agg_maps(struct ebpf *g);
/* aggregate.c: add the values of n to its aggregation. */
void ebpf_aggregate(struct ebpf *g, const struct plan_node *n);
void ebpf_point(struct ebpf *g, const struct ebpf_point *p, uint32_t index,
		const char **name);
/* Have the chunks of a clause as functions; not while another is written. */
void ebpf_clause_funcs(struct ebpf *g, uint32_t index);
/* error.c: dt_fault, which the programs call. */
void ebpf_error_func(struct ebpf *g);

/* row.c: number the enabled probes, when it is known what may fault; the
 * number of this one, each time another. */
void ebpf_epids(struct ebpf *g);
uint32_t ebpf_new_epid(struct ebpf *g, uint32_t probe, uint32_t clause);
/* ring.c: the functions that write to the rings. */
void ebpf_ring_funcs(struct ebpf *g);
/* The size and lap of a record at [base + off]; cpu: register. */
void ebpf_store_size(struct ebpf *g, uint8_t base, int32_t off, uint32_t size,
		     uint8_t cpu);
void ebpf_store_size_of(struct ebpf *g, uint8_t base, int32_t off, uint8_t size,
			uint8_t cpu);	/* size: a register, too */
/* size 0: of a record that is a log. */
const char *ebpf_commit_name(struct ebpf *g, uint32_t size);
/* u64 (tag, time, cpu): the record of a commit(). */
#define EBPF_SPEC_END "dt_spec_end"
#define EBPF_ROOM "dt_room"
/* object.c: all that was generated, in the arena. */
void ebpf_finish(struct ebpf *g, struct abi_obj *ret);

#endif
