/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The key of an aggregation as a path of frames, root first: the parts that are
 * no stacks, then user frames, then kernel frames, outermost first.
 */
#ifndef FMT_PATH_H
#define FMT_PATH_H

#include "fmt/fmt_priv.h"
#include "util/vec.h"

enum fmt_frame_kind { FMT_FRAME_KEY, FMT_FRAME_USER, FMT_FRAME_KERNEL };

struct fmt_frame {
	size_t at, n;		/* its name, in text; UTF-8 */
	size_t function;	/* where the name of a function begins in that,
				 * behind its module; 0: at the start */
	uint8_t kind;		/* enum fmt_frame_kind */
};

struct fmt_path {
	struct sb text;
	VEC(struct fmt_frame) v;
};

void fmt_path_init(struct fmt_path *p);
void fmt_path_fini(struct fmt_path *p);
/* The path of element e of g instead of what was there; with the name of g at
 * its root where there are several aggregations. */
struct err *fmt_path_set(const struct fmt *f, const struct consume_agg *g,
			 const struct consume_elem *e, struct fmt_path *p);

/* How much an element weighs: its value, or how many values a histogram has
 * counted. */
int64_t fmt_weight(const struct consume_agg *g, const struct consume_elem *e);

#endif
