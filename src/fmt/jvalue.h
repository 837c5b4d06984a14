/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What was recorded, as JSON: fields of records and elements of aggregations.
 */
#ifndef FMT_JVALUE_H
#define FMT_JVALUE_H

#include "fmt/fmt_priv.h"
#include "fmt/jtext.h"

/* A field as an object, as it stands in output[]. */
void fmt_j_value(const struct fmt *f, struct fmt_j *j,
		 const struct abi_field *d, const uint8_t *base);
/* An element as an object, as it stands in aggregation-data[]. */
void fmt_j_element(const struct fmt *f, struct fmt_j *j,
		   const struct consume_agg *g, const struct consume_elem *e);

#endif
