/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Formats, taken apart once and then filled in.
 */
#ifndef FMT_FORMAT_PRIV_H
#define FMT_FORMAT_PRIV_H

#include "fmt/fmt_priv.h"
#include "pfmt/pfmt.h"

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

#endif
