/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Writing BPF code: sections and symbols of the object, the code of one function
 * while it is written (struct ebpf_out), and what emits its instructions.
 */
#ifndef EBPF_CODE_PRIV_H
#define EBPF_CODE_PRIV_H

#include <linux/bpf.h>
#include <stdbool.h>

#include "abi/attach.h"
#include "util/err.h"
#include "util/vec.h"

struct ebpf;

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

struct ebpf_mapdef {
	uint32_t type, key_size, value_size, max_entries, map_flags;
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

struct ebpf_code {
	VEC(struct bpf_insn) insns;
	VEC(struct ebpf_reloc) relocs;
};

/* What code wants done before it runs. */
struct ebpf_use {
	uint32_t args;		/* bit n: argn */
	uint64_t locals;	/* bit n: 8 bytes of clause-locals; the last, all behind */
	bool time, vtime, err, gen, thread, rings, epid, self, task;
	bool slot;		/* some instruction has R_SLOT, or its index is passed on */
	bool other;		/* it asks whether the thread is another one */
	bool moved;		/* it asks where the process is */
	bool fault;		/* it may fault */
	bool exit;		/* it may call exit() */
	bool loop;		/* it is a callback (loop.c) */
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

struct ebpf_fix {
	uint32_t insn, label;	/* this jump goes to that label */
};

/* What a fault tells. */
struct ebpf_where {
	uint32_t action;
	uint32_t dif_off;	/* bytes; UINT32_MAX: in no DIFO */
	uint32_t place;		/* 0: not told */
};

struct ebpf_stub {
	uint32_t label;
	int32_t fault;		/* -1: what the runtime left in the slot */
	int16_t value;		/* frame offset of its value, 0: none */
	struct ebpf_where at;
};

/* A load that gave 0, which may be what nothing can be read gives: its address is in
 * reg or, reg being 0, at offset `at` of the frame. */
struct ebpf_zero {
	uint32_t label, back;	/* where a helper asks, and to where with r0 */
	uint32_t fault;		/* label */
	uint8_t reg, size;
	int16_t at;
};

/* A function, a program, or a clause chunk by chunk, while it is written. */
struct ebpf_out {
	struct ebpf *g;
	struct ebpf_code *code;	/* where it is written to */
	VEC(int32_t) labels;	/* insn index, -1: not placed */
	VEC(struct ebpf_fix) fixes;
	VEC(struct ebpf_stub) stubs;
	VEC(struct ebpf_zero) zeros;
	int fail_label;		/* common end of faults */
	struct ebpf_where at;	/* what is being written */
	uint32_t place;		/* where the clause stands; 0: it is none */
	struct ebpf_use use;	/* of this chunk */
	bool other;		/* its clause fires in threads that are not the
				 * current one, too (other.c) */
	uint32_t ncomms;	/* how often execname has been asked for */
	uint32_t temps;		/* bytes used so far of lay.temps */
};

/* --- Functions and chunks ------------------------------------------------- */

/* Begin to write; ebpf_func_end() is called in any case. */
uint32_t ebpf_func_begin(struct ebpf_out *o, struct ebpf *g,
			 enum ebpf_sec sec, const char *name, unsigned nargs);
/* The same for a program, attached this way. */
uint32_t ebpf_prog_begin(struct ebpf_out *o, struct ebpf *g,
			 enum abi_attach attach, const char *name);
void ebpf_func_end(struct ebpf_out *o, uint32_t sym);

/* Chunks of one clause, between ebpf_out_init() and _fini(). */
void ebpf_out_init(struct ebpf_out *o, struct ebpf *g);
void ebpf_out_fini(struct ebpf_out *o);
void ebpf_chunk_begin(struct ebpf_out *o, struct ebpf_chunk *c);
void ebpf_chunk_end(struct ebpf_out *o, struct ebpf_chunk *c);
void ebpf_paste(struct ebpf_out *o, const struct ebpf_chunk *c);
/* *all becomes what it or u is. */
void ebpf_use_join(struct ebpf_use *all, const struct ebpf_use *u);

#endif
