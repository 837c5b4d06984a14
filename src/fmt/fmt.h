/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Events to output: text, byte for byte as D users know it, or what the option
 * oformat says.
 */
#ifndef FMT_FMT_H
#define FMT_FMT_H

#include <stdio.h>

#include "consume/consume.h"
#include "opt/opt.h"
#include "util/sb.h"

struct fmt;
struct sym_names;

/*
 * Where text goes: write() is handed whole pieces, with a NUL behind; it returns an error when
 * the output cannot take them (full disk, closed pipe).
 */
struct fmt_out {
	void *ctx;
	struct err *(*write)(void *ctx, const char *p, size_t n);
	/*
	 * An action of a RECORD that is not about text (SETOPT, FTRUNCATE,
	 * FREOPEN, SYSTEM), when its turn has come and what was said before
	 * has been written.  text: the name of an option, or the format filled
	 * in; value: of the option; NULL where there is none.  An error ends
	 * the pass.  NULL: nothing is done.
	 */
	struct err *(*act)(void *ctx, const struct consume_event *e,
			   const struct abi_action *a, const char *text,
			   const char *value);
	/*
	 * The turn of an action of a RECORD has come.  *skip: it is neither to
	 * be shown nor carried out; a row all of whose actions are skipped is
	 * none.  An error ends the pass.  NULL: none is asked.
	 */
	struct err *(*before)(void *ctx, const struct consume_event *e,
			      const struct consume_step *s, bool *skip);
	/*
	 * An action of a RECORD has been shown, but not as it asked; why: as
	 * for fmt_act_error_text().  An error ends the pass.  NULL: nobody is
	 * told.
	 */
	struct err *(*refuse)(void *ctx, const struct consume_event *e,
			      const char *why);
};

/* All borrowed, and so are the descriptions that meta leads to, with their
 * formats: they stay as they are until fmt_free().  opts may change while
 * running (dynamic options).  The zone for %Y is the process's (localtime_r),
 * and so is the locale that decides on the encoding when no option does. */
struct err *fmt_new(struct consume *c, const struct consume_meta *meta,
		    const struct opt_set *opts, struct fmt_out out,
		    struct fmt **ret);
void fmt_free(struct fmt *f);
/* Who knows the names of addresses; borrowed until fmt_free().  Without, they
 * are printed as numbers. */
void fmt_set_names(struct fmt *f, struct sym_names *names);

/*
 * One RECORD: the header line before the first row, the row prefix unless
 * quiet, every action that prints, the newline at the end unless quiet.  Also
 * carries out actions on aggregations (clear, trunc, normalize ...) in order,
 * and hands others to fmt_out.act.
 * EXIT is only shown; the caller looks for it (fmt_exit_status()).
 *
 * Text is gathered, and written when there is much of it or by fmt_flush().
 * When a record fails, what was gathered before it stays; when writing fails,
 * what was to be written is lost.
 */
struct err *fmt_record(struct fmt *f, const struct consume_event *e);
/* Where output is for programs, an error is an event of it, and so are drops;
 * nothing elsewhere.  e: an ERROR, or a RECORD of which an action has failed
 * (then perhaps from within its fmt_record()); text: one line. */
struct err *fmt_error(struct fmt *f, const struct consume_event *e, int fault,
		      const char *text);
struct err *fmt_drop(struct fmt *f, const struct consume_event *e);
/* What is traced by and what is traced, for the heading of a page: lines of text,
 * borrowed until fmt_free(), NULL: none.  begun: since when, in ns as records have
 * it; 0: not known. */
void fmt_set_program(struct fmt *f, const char *text, uint64_t begun);
/* The time, in ns as records have it, and what to add to such for ns since the
 * epoch; 0 to begin with. */
void fmt_set_clock(struct fmt *f, uint64_t now, int64_t wall_delta);
/* Does what is written now go to a terminal? */
void fmt_set_terminal(struct fmt *f, bool terminal);
/* Write what was gathered.  To be called before anything else writes to the
 * same place, and before waiting. */
struct err *fmt_flush(struct fmt *f);

/* True when the record holds an EXIT that ran; *status is the argument of the
 * last one. */
bool fmt_exit_status(const struct consume_event *e, int *status);

/* The classic one-line texts, without newline or the "dtrace: " prefix. */
void fmt_error_text(const struct consume_event *e, struct sb *b);
/* An action of a RECORD failed here, in the consumer; what: why. */
void fmt_act_error_text(const struct consume_event *e, const char *what,
			struct sb *b);
void fmt_drop_text(const struct consume_event *e, bool droptags, struct sb *b);

/* At the end of tracing: the newline, then every aggregation that no
 * printa() has ever shown, in order of id; fmt_flush(). */
struct err *fmt_end(struct fmt *f);
/* Instead of fmt_end(), after an error: make what was written whole, as far as
 * that can be done.  Nothing more is to be printed then. */
struct err *fmt_close(struct fmt *f);

/* --- Pieces, for tests and for other forms ------------------------------ */

/* How bars are drawn. */
struct fmt_style {
	bool zoom;		/* in proportion to the largest, not to all */
	bool utf8;
};

/* A histogram: header and rows.  cells: as abi/agg.h. */
void fmt_histogram(const struct abi_agg_desc *d, const uint64_t *cells,
		   int64_t normal, struct fmt_style style, struct sb *b);
/* Classic hexdump of n bytes. */
void fmt_hexdump(const void *p, size_t n, struct sb *b);
/* The values that bucket i of a histogram counts, from *low to *high, both
 * included; *has_low, *has_high false where there is no such end. */
void fmt_bucket_range(const struct abi_agg_desc *d, uint32_t i, int64_t *low,
		      bool *has_low, int64_t *high, bool *has_high);
/* An INT: extended to 64 bits from so many bytes, those of its type where the
 * type has the value. */
struct fmt_int {
	uint64_t v;
	uint32_t bytes;
	bool is_signed;
};
struct fmt_int fmt_field_int(const struct abi_field *d, const uint8_t *base);
/* The number that a field holds whose meaning is a float.  Any other counts as
 * one when it has the size of a float or double, and is 0 else. */
long double fmt_field_float(const struct abi_field *d, const uint8_t *base);
/* Does the field mean a float?  Its text, with as few digits as tell it from its
 * neighbours. */
bool fmt_is_float(const struct abi_field *d);
void fmt_float_text(const struct abi_field *d, const uint8_t *base,
		    char text[64]);
/* Default print of one aggregation (printa without format: no leading "\n"). */
struct err *fmt_agg(struct fmt *f, struct consume_agg *g, struct sb *b);

#endif
