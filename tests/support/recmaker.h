/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A made-up source of records, aggregations and drops, with the descriptions
 * that go with them.  It takes its memory from malloc(), so that a test may
 * make util_alloc() fail under the consumer alone.
 */
#ifndef RECMAKER_H
#define RECMAKER_H

#include "consume/consume.h"

enum { RM_CPUS = 8, RM_PROBES = 64, RM_CLAUSES = 64, RM_ACTIONS = 32,
       RM_FIELDS = 32, RM_EPIDS = 128, RM_AGGS = 16, RM_KEYS = 8 };

struct rm_clause {
	struct abi_clause_desc desc;
	struct abi_action actions[RM_ACTIONS];
	struct abi_field fields[RM_FIELDS];
	uint32_t aggids[RM_ACTIONS];
};

struct rm_record {
	struct rm_record *next;
	const void *bytes;
	size_t size;
};

struct rm_sample {
	struct rm_sample *next;
	uint32_t aggid;
	void *key;
	uint64_t *cells;
};

struct rm {
	struct consume_meta meta;
	struct consume_source source;
	struct consume_probe probes[RM_PROBES];
	uint32_t nprobes;
	struct rm_clause clauses[RM_CLAUSES];
	uint32_t nclauses;
	struct consume_epid epids[RM_EPIDS];
	uint32_t nepids;
	struct abi_agg_desc aggs[RM_AGGS];
	struct abi_field keys[RM_AGGS][RM_KEYS];

	struct rm_record *records[RM_CPUS], **records_end[RM_CPUS];
	struct rm_record *given[RM_CPUS];
	struct rm_sample *samples;	/* what the next snapshot gives */
	struct rm_sample **samples_end;
	unsigned snapshots, releases;
	uint64_t clock;			/* what now() says */
	uint64_t drops[ABI_NDROPS][RM_CPUS];
};

struct rm *rm_new(unsigned ncpus);
void rm_free(struct rm *m);

/* The strings are kept.  Returns its id, 1... */
uint32_t rm_probe(struct rm *m, const char *prov, const char *mod,
		  const char *func, const char *name);
/* A clause to which actions and fields are added; then epids. */
struct rm_clause *rm_clause(struct rm *m, uint16_t nbranches);
struct abi_action *rm_action(struct rm_clause *c, enum abi_action_kind kind,
			     const char *format);
/* Add a field to the clause's last action. */
void rm_field(struct rm_clause *c, enum abi_field_kind kind, uint32_t size,
	      bool is_signed);
/* After the last field: records say who fired. */
void rm_who(struct rm_clause *c);
/* Add an aggregation to the clause's last action. */
void rm_use_agg(struct rm_clause *c, uint32_t aggid);
uint32_t rm_epid(struct rm *m, uint32_t probe, const struct rm_clause *c);

/* An aggregation without keys; its id, 1... */
uint32_t rm_agg(struct rm *m, enum abi_agg_func func, uint64_t arg,
		uint32_t ncells);
void rm_key(struct rm *m, uint32_t aggid, enum abi_field_kind kind,
	    uint32_t size, bool is_signed);

/* A record on a CPU, its fields all zero: returns it to be filled in. */
struct abi_record *rm_record(struct rm *m, unsigned cpu, uint64_t timestamp,
			     uint32_t epid);
/* Any bytes as a record. */
void rm_raw(struct rm *m, unsigned cpu, const void *bytes, size_t size);
/* Field `i` of the record's clause. */
void rm_set_int(struct rm *m, struct abi_record *r, unsigned i, int64_t v);
void rm_set_bytes(struct rm *m, struct abi_record *r, unsigned i,
		  const void *p, size_t n);
void rm_set_who(struct rm *m, struct abi_record *r, int pid, int tid,
		const char *comm);
void rm_take_branch(struct abi_record *r, unsigned branch);
/* What the next snapshot finds. */
void rm_sample(struct rm *m, uint32_t aggid, const void *key,
	       const uint64_t *cells);

/* How many more records and elements c has left out, since this was last asked,
 * because they were not what they claimed to be (unknown ids, wrong sizes).
 * Takes all other drops that c has to report, too. */
uint64_t rm_malformed(struct consume *c);

#endif
