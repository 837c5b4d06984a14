/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The bytecode of a plan as text, for -S.
 */
#include "gen/gen.h"
#include "base/base.h"
#include "util/alloc.h"

static void
print_difo(const struct dif_difo *d, struct sb *b)
{
	struct base_buf buf;
	char none[1];

	if (!d)
		return;
	base_buf_init(&buf, none, sizeof(none));
	dif_print(d, &buf);
	size_t size = buf.len + 1;
	char *text = util_alloc(size);
	if (!text) {
		b->failed = true;
		return;
	}
	base_buf_init(&buf, text, size);
	dif_print(d, &buf);
	sb_puts(b, text);
	util_free(text);
}

static void
print_nodes(const struct plan_node *p, struct sb *b)
{
	for (; p; p = p->next) {
		for (uint32_t i = 0; i < p->ndifos; i++)
			print_difo(p->difos[i], b);
		print_nodes(p->then_, b);
		print_nodes(p->else_, b);
	}
}

void
gen_print(const struct plan_prog *p, struct sb *b)
{
	for (uint32_t i = 0; i < p->nfuncs; i++)
		print_nodes(p->funcs[i].body, b);
	for (uint32_t i = 0; i < p->nclauses; i++) {
		print_difo(p->clauses[i].pred, b);
		print_nodes(p->clauses[i].body, b);
	}
}
