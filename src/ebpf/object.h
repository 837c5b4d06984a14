/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What ebpf_generate() makes: the code, and what whoever loads it needs to know to
 * make its maps and to read what they hold.
 */
#ifndef EBPF_OBJECT_H
#define EBPF_OBJECT_H

#include "abi/cfg.h"
#include "abi/front.h"
#include "abi/obj.h"
#include "dif/plan.h"

/* A pair of hashes, by generation, for the pieces of one or more aggregations
 * (abi/agg.h), and the shape of their elements. */
struct ebpf_aggmap {
	char map[2][16];
	uint32_t key_size;		/* bytes, without the tag */
	uint32_t ncells;		/* of a piece */
	bool brief;			/* keys are as abi_brief_size() has them */
	uint32_t naggs, npieces;	/* that it is for */
	const uint32_t *aggs;		/* by piece: aggregation id - 1 */
};

/* Where an aggregation has its elements: in which map, 1 for the first and 0 for
 * none, and as what pieces. */
struct ebpf_agg_place {
	uint32_t map, first;
};

/* An aggregation with keys has one or two places.  Without keys: cells at
 * `offset` of each CPU's row of .bss.agg (row = (generation * ncpus + cpu) *
 * agg_row), and behind them a word that is not 0 once some firing has touched
 * them. */
struct ebpf_agg {
	struct ebpf_agg_place whole, brief;
	uint32_t offset;
};

/* Whose an element is, and which of its cells it has. */
struct ebpf_piece {
	uint32_t agg;			/* id - 1 */
	uint32_t first;
};

/* aggs: the object's.  False when the key is none of ours. */
bool ebpf_find_piece(const struct ebpf_aggmap *m, const struct ebpf_agg *aggs,
		     const void *key, uint32_t ncpus, struct ebpf_piece *ret);

/* A hash for variables: for one, or for several of a shape, whose number is then in
 * the last 8 bytes of a key. */
struct ebpf_table {
	char map[16];
	uint8_t scope, kind;		/* of all of them */
	bool shared;
	bool own;			/* all are the library's: __name */
	uint32_t key_size, elem_size;	/* bytes */
	uint32_t nvars;
};

/* Programs that go on where others end, by tail calls: the n-th of the object
 * is to stand at index n of its map. */
struct ebpf_link_prog {
	const char *name, *map;
	uint32_t point;			/* whose firings they go on with */
};

/* Maps that a program may have besides rings, variables' and aggregations': its
 * sections, dt_self, dt_linksN, and what the runtime has. */
enum { EBPF_OWN_MAPS = 6, EBPF_OTHER_MAPS = 21 };
/* The maps of a program, as the kernel lets it have them; those that are rings. */
enum { EBPF_MAPS_MAX = 64, EBPF_RINGS_MAX = 16 };

/* Which program serves a point.  Points at a tracepoint may share one, which is
 * attached once, where the first of them would be. */
struct ebpf_served {
	const char *prog;
	uint8_t attach;			/* enum abi_attach, of the program */
	bool is_first;
};

struct ebpf_object {
	struct abi_obj obj;		/* to be joined with the runtime */
	struct abi_cfg cfg;		/* for .rodata.cfg */
	const struct plan_epid *epids;	/* epids[n - 1] is EPID n */
	uint32_t nepids;
	const struct ebpf_served *served;	/* by point */
	const struct ebpf_agg *aggs;	/* by aggregation id - 1 */
	const struct ebpf_aggmap *aggmaps;
	uint32_t naggmaps;
	uint32_t agg_row;		/* bytes, 0: no such section */
	const struct ebpf_table *tables;
	uint32_t ntables;
	uint32_t nfronts;		/* of ABI_FRONT_BUCKETS elements of dt_fronts
					 * each, from the second on */
	const struct ebpf_link_prog *links;
	uint32_t nlinks;
	/* Programs for the raw tracepoints sched_process_free and task_newtask;
	 * then the runtime's dt_exit belongs to sched_process_exit.  None:
	 * threads have no variables. */
	const char *const *frees;
	uint32_t nfrees;
	bool has_rows;			/* there is dt_rows */
	bool has_names;			/* there is dt_names, for all probes, by
					 * their number */
	uint32_t nnames;		/* elements that are taken: those of
					 * points in order, and ERROR's */
	bool uses_rings;		/* there are dt_ringN, by ring_cpus */
	bool uses_vtime;		/* the runtime must watch switches */
	bool uses_spec;			/* dt_specs and dt_spec_used */
	bool uses_kvars;		/* abi_ctl.kvars */
};

#endif
