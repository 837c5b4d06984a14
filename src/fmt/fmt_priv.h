/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is being printed, the shapes that output may have, and what they share.
 */
#ifndef FMT_PRIV_H
#define FMT_PRIV_H

#include <string.h>

#include "base/base.h"
#include "fmt/fmt.h"
#include "sym/sym.h"

struct fmt_form;
struct fmt_shape;

/* Open addressing by the address of the text: slots is a power of two, at
 * most half of them taken. */
struct fmt_forms {
	struct fmt_form *slots;
	size_t nslots, n;
};

/* Where the calls of each CPU are; n CPUs have been seen. */
struct fmt_flow {
	struct fmt_flow_cpu **cpus;
	unsigned n;
};

struct fmt {
	struct consume *c;
	const struct consume_meta *meta;
	const struct opt_set *opts;
	struct sym_names *names;	/* borrowed; NULL: addresses are numbers */
	struct fmt_out out;
	const struct fmt_shape *shape;
	void *own;		/* the shape's */
	const char *program;	/* borrowed; NULL: not known */
	uint64_t now;		/* ns, CLOCK_MONOTONIC; of fmt_set_clock() */
	uint64_t begun;		/* the same; 0: not known */
	int64_t wall_delta;	/* ns, from that to time since the epoch */
	struct fmt_forms forms;
	struct fmt_flow flow;
	bool utf8_locale;
	bool terminal;		/* what is traced goes to one, as text */
	struct sb text;		/* not yet written */
	size_t mark;		/* text before it is of finished records */
	bool lost;		/* the last write failed */
	bool in_row, quiet;	/* quiet: the row that is open is */
	int64_t too_wide;	/* what a '*' has asked for in the action that is
				 * being shown; 0: nothing out of bounds */
	bool by_zero;		/* normalize() in that action */
	/* Where text's header line is: in text, of the unfinished record or of
	 * a finished one; written. */
	enum { HEAD_NONE, HEAD_UNFINISHED, HEAD_TEXT, HEAD_OUT } head;
};

static inline bool
fmt_on(const struct fmt *f, enum opt_id id)
{
	return f->opts->v[id] > 0;
}

/* As the options aggzoom and encoding say. */
struct fmt_style fmt_style(const struct fmt *f);

/* n bytes of what was traced: as they are, or escaped where the output is a
 * terminal, which they must not control.  What a program says in its own formats
 * is its own affair. */
void fmt_put_data(const struct fmt *f, const char *p, size_t n, struct sb *b);

/* Write out what b holds, when b is f's own text and has grown large; what
 * the unfinished record has said so far is then said. */
struct err *fmt_spill(struct fmt *f, struct sb *b);

/* Where a value is printed: in a row, in a quiet one, as a key; without any
 * columns, in something else. */
enum fmt_place { FMT_TRACE, FMT_QUIET, FMT_KEY, FMT_BARE };

/* --- errtext.c ---------------------------------------------------------------- */

const char *fmt_fault_name(int fault);		/* "BADADDR" */
const char *fmt_drop_name(enum abi_drop drop);	/* "PRINCIPAL" */

#endif
