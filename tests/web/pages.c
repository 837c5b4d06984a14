/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pages DIRECTORY: a page of each kind, of records that are made up, for a
 * browser to open.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "sym/names.h"
#include "sym/sym.h"
#include "unit/fmt/fmtworld.h"

static void
save(const struct fw *w, const char *directory, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	FILE *fp = fopen(path, "w");
	assert_non_null(fp);
	assert_int_equal(fwrite(w->out, 1, w->len, fp), w->len);
	assert_int_equal(fclose(fp), 0);
}

static struct fw *
new_world(enum opt_oformat form)
{
	struct fw *w = fw_new();

	w->opts.v[OPT_OFORMAT] = form;
	return w;
}

/* root - <script> - narrow, which is 1 of 1000; root - wide - leaf, and beside leaf a
 * frame without a name. */
static void
save_flames(const char *directory)
{
	static const struct { char name[2][16]; uint64_t count; } keys[] = {
		{ { "<script>", "narrow" }, 1 },
		{ { "wide", "leaf" }, 600 },
		{ { "wide" }, 399 },
	};
	struct fw *w = new_world(OPT_OFORMAT_FLAMEGRAPH);
	uint32_t agg = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);

	for (int i = 0; i < 2; i++)
		rm_key(w->m, agg, ABI_FIELD_STRING, 16, false);
	for (size_t i = 0; i < 3; i++)
		rm_sample(w->m, agg, keys[i].name, &keys[i].count);
	fw_open(w);
	assert_null(consume_snapshot(w->c));
	fw_end(w);
	save(w, directory, "flame.html");
	fw_free(w);
}

/* A stack of this program: its functions are known. */
static void
save_stack(const char *directory)
{
	struct fw *w = new_world(OPT_OFORMAT_FLAMEGRAPH);
	uint32_t agg = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);
	uint64_t stack[] = { (uint64_t)getpid(), (uintptr_t)save_flames + 1,
			     (uintptr_t)save_stack + 1 };
	struct sym_kernel *kernel;
	struct sym_names *names;

	assert_null(sym_kernel_new(NULL, &kernel));
	assert_null(sym_names_new(kernel, &names));
	w->opts.v[OPT_STACKSYMBOLS] = 1;
	rm_key(w->m, agg, ABI_FIELD_USTACK, sizeof(stack), false);
	rm_sample(w->m, agg, stack, (uint64_t[]){ 1200 });
	fw_open(w);
	fmt_set_names(w->f, names);
	fmt_set_program(w->f, "profile-997 { @[ustack()]\n= count(); }\n-c a&b",
			1000000000);
	fmt_set_clock(w->f, 3500000000, 1000000000000000000);
	assert_null(consume_snapshot(w->c));
	fw_end(w);
	save(w, directory, "stack.html");
	fw_free(w);
	sym_names_free(names);
	sym_kernel_free(kernel);
}

/* A table, a histogram that is printed twice, and the events. */
static void
save_tables(const char *directory)
{
	struct fw *w = new_world(OPT_OFORMAT_HTML);
	uint32_t sum = rm_agg(w->m, ABI_AGG_SUM, 0, 1);
	uint32_t hist = rm_agg(w->m, ABI_AGG_QUANTIZE, 0, 127);
	struct rm_clause *print = fw_agg_clause(w, ABI_ACT_PRINTA, NULL, hist);
	uint64_t cells[127] = { [70] = 3, [72] = 5 };

	rm_key(w->m, sum, ABI_FIELD_STRING, 8, false);
	rm_sample(w->m, sum, "a<b>\0\0\0", (uint64_t[]){ 30 });
	rm_sample(w->m, sum, "c\0\0\0\0\0\0", (uint64_t[]){ 15 });
	rm_sample(w->m, hist, "", cells);
	struct rm_clause *cl = rm_clause(w->m, 0);
	rm_action(cl, ABI_ACT_PRINTF, "hello <world>");
	fw_fire(w, cl);
	fw_fire(w, print);
	fw_fire(w, print);
	fw_open(w);
	fw_run(w);
	fw_end(w);
	save(w, directory, "tables.html");
	fw_free(w);
}

static void
save_nothing(const char *directory)
{
	struct fw *w = new_world(OPT_OFORMAT_FLAMEGRAPH);

	fw_open(w);
	fw_end(w);
	save(w, directory, "nothing.html");
	fw_free(w);
}

int
main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	save_flames(argv[1]);
	save_stack(argv[1]);
	save_tables(argv[1]);
	save_nothing(argv[1]);
	return 0;
}
