/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FMT_PRIV_H
#define FMT_PRIV_H

#include "base/base.h"
#include "fmt/fmt.h"

struct fmt {
	struct consume *c;
	const struct consume_meta *meta;
	const struct opt_set *opts;
	struct fmt_out out;
	struct sb text;		/* of the record being printed */
	bool heading;		/* the header line is in text, or out */
	bool headed;		/* it is out */
};

static inline bool
fmt_on(const struct fmt *f, enum opt_id id)
{
	return f->opts->v[id] > 0;
}

/* Write out what b holds, when b is f's own text and has grown large. */
struct err *fmt_spill(struct fmt *f, struct sb *b);

/* --- field.c: one value ------------------------------------------------- */

enum fmt_place { FMT_TRACE, FMT_QUIET, FMT_KEY };

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
/* The number that a field holds whose meaning is a float.  Any other counts as
 * one when it has the size of a float or double, and is 0 else. */
long double fmt_field_float(const struct abi_field *d, const uint8_t *base);
/* The name of an address field, or its number while it has none. */
void fmt_symbol(const struct fmt *f, const struct abi_field *d,
		const uint8_t *base, struct sb *b);

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

void fmt_format(const struct fmt *f, const char *format,
		struct fmt_args *args, struct sb *b);

/* --- time.c ------------------------------------------------------------- */

void fmt_time_local(int64_t ns, struct sb *b);		/* %Y */
void fmt_time_utc(int64_t ns, struct sb *b);		/* %T */

/* --- agg.c -------------------------------------------------------------- */

/* printa(): format NULL for the default print. */
struct err *fmt_printa(struct fmt *f, struct consume_agg *const *g,
		       unsigned naggs, const char *format, struct sb *b);

#endif
