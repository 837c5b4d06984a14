/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where in the text something stands, as a fault tells it: in 32 bits, so that
 * it costs what a line does (abi_place()).  What is in the script itself has
 * its line alone; what came from elsewhere, by #include or from a library, has
 * the number of its file, too.
 */
#include "gen/gen_priv.h"

/* From 1; 0: no memory. */
static uint32_t
file_number(struct gen *g, struct base_span file)
{
	for (size_t i = 0; i < g->files.n; i++)
		if (base_span_is(file, g->files.v[i]))
			return (uint32_t)i + 1;
	const char *name = arena_strndup(g->a, file.p, file.n);
	if (!name || !vec_push(&g->files, name)) {
		g->failed = true;
		return 0;
	}
	return (uint32_t)g->files.n;
}

uint32_t
gen_place_of(struct gen *g, struct lang_span span)
{
	struct base_span file;
	unsigned line;

	lang_span_where(span, &line, NULL, NULL);
	if (!lang_span_elsewhere(span, &file))
		return abi_place(0, line);
	return abi_place(file_number(g, file), line);
}
