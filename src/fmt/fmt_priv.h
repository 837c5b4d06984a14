/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is being printed, the shapes that output may have, and what they share.
 */
#ifndef FMT_PRIV_H
#define FMT_PRIV_H

#include <string.h>

#include "base/base.h"
#include "fmt/fmt.h"
#include "pfmt/pfmt.h"
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
/* What an action shows, as text; false: it shows nothing of its own. */
bool fmt_action_text(struct fmt *f, const struct fmt_row *r,
		     const struct abi_action *a, enum fmt_place place,
		     struct sb *b);
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

/* --- field.c: one value ------------------------------------------------- */

/* A field as trace() or as a key of an aggregation prints it. */
void fmt_field(const struct fmt *f, const struct abi_field *d,
	       const uint8_t *base, enum fmt_place place, struct sb *b);
/* "\n", then one frame a line. */
void fmt_stack(const struct fmt *f, const struct abi_field *d,
	       const uint8_t *base, struct sb *b);
/* The text of a STRING, BYTES or PROBE field; n is 0 for the others. */
struct base_span fmt_field_text(const struct fmt *f, const struct abi_field *d,
				const uint8_t *base);
/* The address of an INT, SYM, USYM ... field. */
uint64_t fmt_field_addr(const struct abi_field *d, const uint8_t *base);
/* Are the n bytes text from the start on, and nothing but zeros behind it? */
bool fmt_is_padded_text(const uint8_t *p, size_t n);
/* The same, and there is a zero. */
bool fmt_bytes_are_text(const uint8_t *p, size_t n);
/* The i-th word of a stack or user address; 0 behind the last. */
uint64_t fmt_field_word(const struct abi_field *d, const uint8_t *base,
			uint32_t i);
/* Does the field begin with a pid? */
bool fmt_is_user(const struct abi_field *d);
/* The place of frame no (0..) of a STACK or USTACK; false: there are fewer. */
bool fmt_find_frame(const struct fmt *f, const struct abi_field *d,
		    const uint8_t *base, unsigned no, struct sym_place *ret);
/* The place of an address that the field holds.  Without names, and where the
 * user wants none, a place is a number. */
void fmt_find_place(const struct fmt *f, const struct abi_field *d,
		    const uint8_t *base, uint64_t addr,
		    struct sym_place *ret);
/* An address that came as a plain number: of the kernel, or of the process that
 * -c or -p named. */
void fmt_plain_address(const struct fmt *f, uint64_t addr, bool user,
		       struct sb *b);
/* The name of an address field that is no INT, or its number while it has
 * none. */
void fmt_symbol(const struct fmt *f, const struct abi_field *d,
		const uint8_t *base, struct sb *b);

/* --- num.c -------------------------------------------------------------- */

struct fmt_number {
	uint32_t flags;		/* enum pfmt_flag; those without a meaning for
				 * the letter are ignored */
	int width;		/* <= 0: none */
	int prec;		/* -1: none */
	char letter;		/* d i u o x X */
	bool is_unsigned;	/* d, i: the value is a uint64_t */
};

void fmt_put_number(const struct fmt_number *as, int64_t v, struct sb *b);
/* For C's printf: "%", flags, "*.*", size, letter. */
void fmt_c_format(char out[24], uint32_t flags, const char *size, char letter);

/* --- form.c: formats taken apart once ----------------------------------- */

struct fmt_piece {
	struct pfmt_conv conv;
	bool bad;		/* there is no such conversion */
};

struct fmt_form {
	const char *text;	/* borrowed; it stands for the form */
	size_t n;
	struct fmt_piece *pieces;	/* owned */
};

/* The form of text; NULL: no memory.  Borrowed until fmt_forms_fini(). */
const struct fmt_form *fmt_form(struct fmt_forms *t, const char *text);
void fmt_forms_fini(struct fmt_forms *t);

/* --- printf.c ----------------------------------------------------------- */

/* What a format's conversions take, from left to right. */
struct fmt_args {
	const struct abi_field *fields;
	uint32_t nfields, field;	/* field: the next one */
	const uint8_t *base;
	/* printa(): the aggregations and the elements being printed */
	struct consume_agg *const *aggs;
	struct consume_elem *const *elems;
	unsigned naggs, agg;		/* agg: the next one */
};

void fmt_format(struct fmt *f, const char *format, struct fmt_args *args,
		struct sb *b);
/* Is c printable, or has it an escape of one letter? */
bool fmt_is_text(uint8_t c);

/* --- print.c ------------------------------------------------------------ */

/* print(): a of a record that ran; the text ends with a newline. */
void fmt_print(const struct fmt *f, const struct abi_action *a,
	       const struct abi_field *fields, const uint8_t *base,
	       struct sb *b);

/* --- jprint.c ----------------------------------------------------------- */

struct fmt_j;
/* The same as an object. */
void fmt_j_print(const struct fmt *f, const struct abi_action *a,
		 const struct abi_field *fields, const uint8_t *base,
		 struct fmt_j *j);

/* --- errtext.c ---------------------------------------------------------------- */

const char *fmt_fault_name(int fault);		/* "BADADDR" */
const char *fmt_drop_name(enum abi_drop drop);	/* "PRINCIPAL" */

/* --- time.c ------------------------------------------------------------- */

void fmt_time(int64_t ns, struct sb *b);		/* %Y */
void fmt_time_zone(int64_t ns, struct sb *b);		/* %T */

/* --- flow.c ------------------------------------------------------------- */

enum { FMT_FLOW_WIDTH = 41 };

/* The column of a row that shows calls and returns, and a blank; false: no
 * memory. */
bool fmt_flow(struct fmt *f, const struct consume_event *e, struct sb *b);
void fmt_flow_fini(struct fmt_flow *w);

/* --- bar.c -------------------------------------------------------------- */

/* Values that are drawn beside each other. */
struct fmt_bars {
	struct fmt_style style;
	bool to_edge;		/* zoomed and none negative: the largest has
				 * all columns */
	bool positive, negative;	/* some value is > 0, < 0 */
	unsigned __int128 total;	/* of absolute values */
	uint64_t max;			/* the largest of them */
};

void fmt_bars_add(struct fmt_bars *g, int64_t v);
/* 41 columns, once all values have been added. */
void fmt_bar(const struct fmt_bars *g, int64_t v, struct sb *b);
/* The line above: `what` in a column of width, then the graph's. */
void fmt_bars_head(const char *what, unsigned width, struct sb *b);

/* --- hist.c ------------------------------------------------------------- */

/* The buckets to show; some: one is not empty. */
struct fmt_range {
	uint32_t first, last;
	bool some;
};

/* Widen r, at first all zero, to what cells need. */
void fmt_range_add(const struct abi_agg_desc *d, const uint64_t *cells,
		   struct fmt_range *r);
void fmt_bucket_label(const struct abi_agg_desc *d, uint32_t i, char out[32]);

/* --- dense.c ------------------------------------------------------------ */

/* The n elements e of g under the options agghist and aggpack. */
struct err *fmt_agghist(struct fmt *f, const struct consume_agg *g,
			struct consume_elem *const *e, size_t n, struct sb *b);
struct err *fmt_aggpack(struct fmt *f, const struct consume_agg *g,
			struct consume_elem *const *e, size_t n, struct sb *b);

/* --- agg.c -------------------------------------------------------------- */

/* In the order that the options aggsort... ask for. */
struct consume_sort fmt_sort(const struct fmt *f);
/* printa(): format NULL for the default print. */
struct err *fmt_printa(struct fmt *f, struct consume_agg *const *g,
		       unsigned naggs, const char *format, struct sb *b);

#endif
