/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TESTS_DIFF_PRIV_H
#define TESTS_DIFF_PRIV_H

#include "abi/ctl.h"
#include "abi/kvar.h"
#include "diff.h"
#include "ebpf/ebpf.h"
#include "ebpf/object.h"
#include "kern/kern.h"
#include "util/sb.h"
#include "util/vec.h"
#include "vm/vm.h"

enum { MAX_DEPTH = 4, PROBE_ID = 77, BEGIN_ID = 1, ERROR_ID = 3,
       DROP_ROW = 16, NSPEC = 2, SPECSIZE = 200, MAX_POINTS = 3, MAX_PROBES = 3,
       RING_SIZE = 8 << 20 };	/* a loop may record in each of 4,096 turns */

struct diff_clause {
	struct diff *d;
	char *name;
	bool loose, error;
	uint32_t index;			/* in the plan */
	struct plan_clause clause;
	VEC(struct abi_field) fields;
	VEC(struct abi_action) actions;
	struct plan_node **tail;	/* where the next node goes */
	struct plan_node *ifs[MAX_DEPTH];
	unsigned depth;
	uint16_t *byte[MAX_DEPTH];	/* of the arm we are in */
	uint16_t nbranches;
	uint32_t nodes;
	struct abi_record *recorded;	/* by the kernel, last; owned */
};

/* What came out of one firing of one engine, in order: records. */
struct diff_event { uint32_t size; uint8_t *p; };
struct diff_log { VEC(struct diff_event) events; };

struct diff_group {
	uint32_t agg;
	uint8_t *key;
	uint64_t *cells;
};

/* One BPF program and its probes, one or a table of them. */
struct diff_point {
	struct abi_point point;
	struct plan_probe probes[MAX_PROBES];
	uint32_t nprobes;
	bool always, has_errno;
};

/* The world of the interpreter. */
struct diff_vm {
	struct diff *d;
	struct vm vm;
	void *mem;
	size_t mem_size;
	struct vm_region regions[16];
	uint32_t nregions;
	char execname[16], execargs[4096], cwd[4096], root[4096];
	uint64_t args[ABI_NARGS], error_args[6];
	const struct diff_point *point;		/* that fires */
	const struct plan_probe *probe;
	bool in_error;
	uint32_t epid;
	uint64_t time, error;			/* of the firing */
	struct diff_log log;
	VEC(struct diff_group) groups;
	uint64_t drops[ABI_NDROPS];	/* those the interpreter leaves to us */
};

struct diff_kern {
	struct diff *d;
	struct kern_obj *obj;
	struct ebpf_object *code;
	struct kern_ring *ring;
	struct abi_ctl *ctl;
	uint64_t *drops;
	uint8_t *agg_rows;
	size_t drops_size, rows_size;
	int progs[MAX_POINTS];
	unsigned ncpus;
	struct diff_log log;
	uint64_t before, after;
};

struct diff {
	struct arena *a;
	struct sb vars_text;		/* .var lines put before each DIFO */
	struct dif_difo *tables;
	VEC(struct plan_var) vars;
	VEC(struct abi_agg_desc) aggs;
	VEC(struct diff_clause *) clauses;
	VEC(struct dif_difo *) difos;
	struct plan_prog plan;
	struct plan_clause *plan_clauses;
	uint32_t strsize, scratch, room, batch;
	uint32_t vm_room;		/* of all variables together */
	bool has_errno;
	bool uses_rows;			/* adds to aggregations without keys */
	uint64_t before, after;
	/* Of the piece that runs: clauses in order, those of ERROR. */
	struct diff_point points[MAX_POINTS];
	uint32_t npoints;
	struct plan_probe error;
	struct sb *notes;		/* what differs; NULL: printed */
	struct sb *held;		/* notes of a run that may be repeated */
	struct diff_count count;
	bool reads_kernel;		/* the interpreter can */
	unsigned differences;
};

void diff_die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Take e, print it, stop; nothing when NULL. */
void diff_must(struct err *e);
void diff_note(struct diff *d, const struct diff_clause *c, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* A point of one probe, whose arguments are the words of the context in order;
 * word 10 is errno's (arg9 again), word 11 chooses where there are several. */
void diff_point_init(struct diff_point *p, const char *target, bool has_errno);
/* The probe of a firing, and its point. */
const struct plan_probe *diff_probe(const struct diff *d, unsigned no,
				    const struct diff_point **point);
/* Fire with all clauses in place; NULL, or why it does not load. */
struct err *diff_run_whole(struct diff *d, const struct diff_args *args,
			   unsigned n);

/* Read kernel memory; false when it cannot be read. */
bool diff_kmem(uint64_t addr, void *buf, size_t n);
uint64_t diff_curthread(void);
/* engine_vm.c: what both engines show as variables of the kernel. */
extern const struct abi_kvars diff_kvars;
/* DIFF_USER bytes of user memory, that arg5 points to. */
const void *diff_user(void);

void diff_log_add(struct diff_log *l, const void *p, size_t size);
void diff_log_clear(struct diff_log *l);

void diff_vm_init(struct diff_vm *v, struct diff *d);
void diff_vm_fini(struct diff_vm *v);
/* Run the clauses of the piece; epids number them as the kernel does.  time:
 * when the kernel's probe fired; 0: not known. */
void diff_vm_fire(struct diff_vm *v, const struct diff_args *args,
		  const struct ebpf_object *code, uint64_t time);
/* Is addr inside memory of the interpreter? */
bool diff_vm_owns(const struct diff_vm *v, uint64_t addr);

/* NULL, or why it does not load. */
struct err *diff_kern_init(struct diff_kern *k, struct diff *d);
void diff_kern_fini(struct diff_kern *k);
void diff_kern_fire(struct diff_kern *k, const struct diff_args *args);

#endif
