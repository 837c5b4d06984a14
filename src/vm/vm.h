/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The reference engine: runs DIFOs and plans, and is by definition what
 * doc/spec/dif.md says.  It holds no memory of its own and calls nothing but
 * the functions it is given, so that it may run anywhere: in tests, on a
 * saved dump, inside a traced process.  Freestanding.
 *
 *	struct vm_config cfg = { .prog = plan, .env = &env, .ctx = me,
 *				 .scratch_size = 4096, .ndynamic = 256 };
 *	void *mem = allocate(vm_size(&cfg));
 *	vm_init(&vm, &cfg, mem);
 *	for each firing {
 *		vm_fire(&vm);
 *		for each clause of the probe
 *			if (vm_clause(&vm, clause, epid) == VM_FAULTED)
 *				look at vm.fault;
 *	}
 *
 * Addresses in DIF registers are the host's own for memory of the engine
 * (scratch, variables, strings, cfg.regions); every other address goes to
 * env->load and env->uload, and may mean whatever these like.
 */
#ifndef VM_VM_H
#define VM_VM_H

#include "dif/plan.h"
#include "vm/env.h"

/* Host memory that DIF may read. */
struct vm_region {
	const void *p;
	size_t size;
};

struct vm_config {
	const struct plan_prog *prog;	/* variables, aggregations, strsize */
	const struct vm_env *env;
	void *ctx;
	const struct vm_region *regions;
	uint32_t nregions;
	uint32_t scratch_size;		/* bytes */
	/* Thread-locals and elements of arrays that can exist at a time. */
	uint32_t ndynamic;
	uint32_t nspec, specsize;	/* speculations; bytes of one */
};

struct vm_fault {
	int32_t fault;		/* enum abi_fault; ABI_FAULT_NONE */
	uint32_t action;	/* 1-based; 0: the predicate */
	int32_t dif_offset;	/* bytes; -1: behind the DIFO */
	uint64_t value;
	uint32_t place;		/* abi_place(); 0: the action says it */
};

struct vm_slot;
struct vm_elem;

struct vm_spec {
	bool active;
	uint32_t gen;
	uint32_t used;		/* bytes */
};

/* Private but for fault and drops.  The caller's storage. */
struct vm {
	struct vm_fault fault;		/* of the last run that failed */
	uint64_t drops[ABI_NDROPS];	/* since vm_init() */

	struct vm_config cfg;
	const struct dif_difo *difo;	/* running, or last run */
	uint32_t strsize;
	struct vm_slot *slots;		/* one per variable of the program */
	uint8_t *zeros;			/* what by-reference values read as
					 * that do not exist */
	uint32_t max_value, max_key;	/* bytes */
	uint8_t *elems;			/* cfg.ndynamic of elem_size bytes */
	uint32_t elem_size;
	uint32_t *buckets;		/* heads of chains, index + 1 */
	uint32_t free_elem;		/* head of the free chain */
	struct vm_spec *specs;		/* by id - 1 */
	uint8_t *key;			/* being looked up */
	uint8_t *agg_key;
	uint32_t turns;			/* of all loops of the clause */
	bool exited;			/* exit() has run in this firing: the
					 * caller runs no further clause */
	uint32_t nfuncs;		/* those that may be called now */
	uint8_t *scratch;
	uint32_t scratch_used;		/* multiple of 8 */
	char *tokens;			/* strsize bytes: strtok()'s string */
	const char *token;		/* where it goes on, NULL: nowhere */
	uint8_t *tmp;			/* VM_NTMP buffers */
	uint32_t tmp_size;		/* of one */
};

/* Bytes of memory that vm_init() needs. */
size_t vm_size(const struct vm_config *cfg);
/* mem: vm_size(cfg) bytes, 8-byte aligned, borrowed with everything cfg points
 * to for as long as vm is used.  All variables start as zero. */
void vm_init(struct vm *vm, const struct vm_config *cfg, void *mem);

/* A probe fires: clause-locals, scratch and strtok() start afresh. */
void vm_fire(struct vm *vm);

/*
 * Run one DIFO that dif_verify() accepts.  True: *ret is its value, and an
 * address in it is good until vm_clause() or vm_fire().  False: vm->fault.
 */
bool vm_run(struct vm *vm, const struct dif_difo *d, uint64_t *ret);

enum vm_outcome {
	VM_FALSE,	/* the predicate was zero, or there was no room */
	VM_DONE,
	VM_FAULTED,	/* vm->fault says why; the record is discarded */
};

/* Run one clause.  epid goes into its record.  Running the clauses of ERROR
 * after a fault is the caller's business. */
enum vm_outcome vm_clause(struct vm *vm, const struct plan_clause *c,
			  uint32_t epid);

/* Who fires now, as records tell it. */
void vm_who(struct vm *vm, struct abi_who *ret);
/* The record that reports vm->fault of clause epid.  (In a program that records
 * who fired, the caller puts that behind it.) */
void vm_error_record(const struct vm *vm, uint32_t epid,
		     struct abi_error_record *ret);

/* --- Aggregations ------------------------------------------------------ */

/* Add v, incr times (1 where func knows no increment), to the cells. */
void vm_agg_add(uint64_t *cells, uint32_t func, uint64_t arg, int64_t v,
		int64_t incr);

#endif
