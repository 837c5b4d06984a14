/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Shapes: what events become, and the actions that all of them have.
 */
#ifndef FMT_SHAPE_PRIV_H
#define FMT_SHAPE_PRIV_H

#include "fmt/fmt_priv.h"

/* --- Shapes: what events become --------------------------------------------- */

/* A record as its clause describes it. */
struct fmt_row {
	const struct consume_event *e;
	const struct abi_clause_desc *desc;
	const uint8_t *base;		/* the record's bytes */
};

/*
 * All of them add to f->text; what must not be torn apart is added between two
 * spills.  Any may be NULL.
 */
struct fmt_shape {
	/* All output is one document, so there is only one file: freopen() and
	 * ftruncate() do nothing. */
	bool one_file;
	/* What comes before all events. */
	struct err *(*begin)(struct fmt *f);
	void (*free)(struct fmt *f);
	void (*open_row)(struct fmt *f, const struct fmt_row *r);
	/* One action that ran.  What it does not show it leaves to
	 * fmt_act(). */
	struct err *(*act)(struct fmt *f, const struct fmt_row *r,
			   const struct abi_action *a);
	void (*close_row)(struct fmt *f, const struct fmt_row *r);
	/* A clause faulted, or an action of a record failed in the consumer;
	 * perhaps while its row is open.  text: one line, without newline. */
	void (*error)(struct fmt *f, const struct consume_event *e, int fault,
		      const char *text);
	void (*drop)(struct fmt *f, const struct consume_event *e);
	/* clear() or trunc() is about to take away all there is in g. */
	struct err *(*empty)(struct fmt *f, struct consume_agg *g);
	/* The end of tracing. */
	struct err *(*end)(struct fmt *f);
	/* No more events come, though the end was not reached. */
	void (*close)(struct fmt *f);
	/* All text there is stays, from here on. */
	void (*mark)(struct fmt *f);
	/* The text behind the mark has been taken back; close what was opened
	 * before it. */
	void (*mend)(struct fmt *f);
};

extern const struct fmt_shape fmt_shape_text, fmt_shape_json,
	fmt_shape_jsonl, fmt_shape_folded, fmt_shape_flamegraph,
	fmt_shape_html, fmt_shape_perfetto;

/* An action that means the same in all shapes: on aggregations, on options.
 * The rest do nothing. */
struct err *fmt_act(struct fmt *f, const struct fmt_row *r,
		    const struct abi_action *a);
/* An action in a shape whose rows are cells: what it shows goes behind what the
 * cell has; what shows nothing is done. */
struct err *fmt_act_in_cell(struct fmt *f, const struct fmt_row *r,
			    const struct abi_action *a, struct sb *cell);

/* The integer argument of an action, or what stands for it. */
int64_t fmt_argument(const struct fmt_row *r, const struct abi_action *a,
		     int64_t absent);
/* The bytes that TRACEMEM and PRINTM show. */
struct base_span fmt_memory(const struct fmt_row *r,
			    const struct abi_action *a);
/* A format with its arguments filled in. */
void fmt_action(struct fmt *f, const struct fmt_row *r,
		const struct abi_action *a, struct sb *b);
/* The i-th aggregation of an action; NULL: it was never heard of. */
struct consume_agg *fmt_action_agg(const struct fmt *f,
				   const struct fmt_row *r,
				   const struct abi_action *a, uint32_t i);
/* All of them, an array of the caller's; those never heard of are left out. */
struct err *fmt_action_aggs(struct fmt *f, const struct fmt_row *r,
			    const struct abi_action *a,
			    struct consume_agg ***ret, unsigned *n);

#endif
