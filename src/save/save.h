/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A trace in a file: what its source gave, in the order in which the consumer
 * asked for it, with all that is needed to read it elsewhere: descriptions,
 * names of probes, names of addresses as they were then, types that are printed.
 * The consumer decides by nothing else, so who asks the file instead of the
 * kernel gets the same events.  doc/spec/saved.md is the format.
 */
#ifndef SAVE_SAVE_H
#define SAVE_SAVE_H

#include "consume/consume.h"
#include "opt/opt.h"
#include "sym/sym.h"
#include "util/arena.h"

/* What the consumer does with its source. */
enum save_step {
	SAVE_STEP_NONE,
	SAVE_STEP_PASS,		/* consume_pass() */
	SAVE_STEP_FINAL,	/* the same, the last one */
	SAVE_STEP_COLLECT,	/* consume_collect() */
	SAVE_STEP_SNAPSHOT,	/* consume_snapshot() */
	SAVE_STEP_DROPS,	/* consume_drops() */
	SAVE_STEP_CLEAN,	/* consume_clean() */
	SAVE_STEP_N
};

/* --- Writing --------------------------------------------------------------- */

struct save;

/* What is saved.  All borrowed until save_free(). */
struct save_subject {
	const struct consume_source *source;
	const struct consume_meta *meta;
	const struct opt_set *opts;
	struct sym_names *names;	/* or NULL: addresses stay numbers */
};

/*
 * Begin a file of at most `limit` bytes (0: any size) in place of what is at path.
 * From now on the consumer must ask save_source(), and each thing that it does is
 * to be announced by save_step().  ERR_OS: it cannot be written.
 */
struct err *save_create(const char *path, uint64_t limit,
			const struct save_subject *of, struct save **ret);
const struct consume_source *save_source(struct save *s);
/* The consumer that asks: what is aggregated is seen on its way into it. */
void save_watch(struct save *s, struct consume *c);
/* Before the first step: probes fire from now on, ns as records have it; heading:
 * lines of text that say what traces and what is traced, or NULL.  Of a long one
 * the beginning is kept. */
void save_start(struct save *s, uint64_t begun, const char *heading);
/* What comes next; clock: nanoseconds to add to times for those since the epoch.
 * An error: what came before could not be written.  ERR_LIMIT: the file is
 * full. */
struct err *save_step(struct save *s, enum save_step step, int64_t clock);
/* The step has handed on an event. */
void save_event(struct save *s);
/* Something was said of a process that has ended: text as session_proc_fn. */
void save_proc(struct save *s, int pid, const char *text);
/* Write what is left, and end the file; ended: when the trace did, ns as records
 * have it.  The source stays what it is. */
struct err *save_end(struct save *s, uint64_t ended);
/* To be called after whoever asks the source is gone.  NULL is fine. */
void save_free(struct save *s);

/* --- Reading --------------------------------------------------------------- */

struct saved;

/* Who saved it, when, where. */
struct saved_info {
	const char *host, *kernel, *release;	/* of dtrace */
	uint64_t time_ns;			/* since the epoch */
	uint64_t begun;		/* ns as records have it; 0: not known */
	const char *heading;	/* of save_start(); NULL: none */
	unsigned ncpus;
};

/* ERR_FORMAT: it is no such file, or of another version. */
struct err *saved_open(const char *path, struct saved **ret);
/* The same from memory, which is borrowed. */
struct err *saved_open_bytes(const void *p, size_t size, struct saved **ret);
void saved_close(struct saved *s);		/* NULL is fine */
struct saved_info saved_info(const struct saved *s);
/* Is the wall clock another one from the next step on?  Then saved_clock() has it
 * already. */
bool saved_clock_changes(struct saved *s);
/* The time that the trace has come to, in ns as records have it, and what to add to
 * such for those since the epoch. */
void saved_clock(const struct saved *s, uint64_t *now, int64_t *wall_delta);
/* The options that the trace had, unless they were set more strongly here. */
void saved_options(const struct saved *s, struct opt_set *opts);
/* Borrowed until saved_close(). */
const struct consume_source *saved_source(struct saved *s);
const struct consume_meta *saved_meta(struct saved *s);
/* Who knows the names that addresses had. */
struct sym_names *saved_names(struct saved *s);
/* What the consumer is to do next, *step; SAVE_STEP_NONE: that was all.  proc is
 * called for each process that ended before it.  A file that ends early, or makes
 * no sense from some place on, is as if it ended there: ERR_FORMAT, once. */
struct err *saved_step(struct saved *s, enum save_step *step,
		       void (*proc)(void *ctx, int pid, const char *text),
		       void *ctx);
/* Do it. */
struct err *saved_run(struct consume *c, enum save_step step, bool temporal,
		      consume_fn *fn, void *ctx);

#endif
