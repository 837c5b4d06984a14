/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A consumer over made-up records, and the text that fmt makes of them.
 */
#ifndef FMTWORLD_H
#define FMTWORLD_H

#include "fmt/fmt.h"
#include "support/recmaker.h"

struct fw {
	struct rm *m;
	struct consume *c;
	struct fmt *f;
	struct opt_set opts;
	char *out;		/* all that was written, NUL-terminated */
	size_t len;
	unsigned writes, fail_write;	/* the nth write fails; 0: none */
	uint32_t probe;		/* 1: p:m:func:name */
	uint64_t clock;		/* of fw_fire() */
};

/* What precedes a row of probe 1 on CPU 0. */
#define HEADER "CPU     ID                    FUNCTION:NAME\n"
#define ROW "  0      1                        func:name "

struct fw *fw_new(void);
/* Once probes, clauses and aggregations stand.  An error only without
 * memory; may be called again. */
struct err *fw_try_open(struct fw *w);
void fw_open(struct fw *w);
void fw_free(struct fw *w);
/* Print all records there are; the text of them is appended to out. */
struct err *fw_try_run(struct fw *w);
void fw_run(struct fw *w);
void fw_end(struct fw *w);
/* A record of clause cl on CPU 0, after all others. */
struct abi_record *fw_fire(struct fw *w, const struct rm_clause *cl);
/* A clause with one action on one aggregation, or on none. */
struct rm_clause *fw_agg_clause(struct fw *w, enum abi_action_kind kind,
				const char *format, uint32_t aggid);
/* out is want, byte for byte; then it is emptied. */
void fw_expect(struct fw *w, const char *want);

#endif
