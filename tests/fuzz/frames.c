/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Any bytes as what tells how to unwind a stack.  The first says what: the .eh_frame of
 * each machine, or a file that has one.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/base.h"
#include "fuzz.h"
#include "unwind/unwind.h"

enum { ROWS_MAX = 100000 };

static void
check(struct err *e, struct unwind_table *t)
{
	if (e) {
		fuzz_must(e->code == ERR_FORMAT || e->code == ERR_LIMIT);
		err_free(e);
		return;
	}
	fuzz_must(t->n <= ROWS_MAX);
	for (size_t i = 1; i < t->n; i++)
		fuzz_must(t->rows[i - 1].pc < t->rows[i].pc);
	for (uint32_t pc = 0; t->n && pc < 1 << 16; pc += 977)
		unwind_table_find(t, pc);
	unwind_table_fini(t);
}

static void
on_function(void *ctx, uint64_t addr, uint64_t size, bool is_called)
{
	++*(unsigned *)ctx;
}

/* The section; what comes behind `cut` is code, of which aarch64 wants to know. */
static void
section(enum unwind_arch arch, struct bytes b)
{
	unsigned nfunctions = 0;
	uint64_t addr = (uint64_t)bytes_u16(&b) << 8;
	uint64_t base = (uint64_t)bytes_u8(&b) << 12;
	size_t cut = bytes_u16(&b);
	struct unwind_table t;

	cut = BASE_MIN(cut, b.n);
	uint8_t *copy = malloc(cut + 1), *code = malloc(b.n - cut + 1);
	fuzz_must(copy && code);
	memcpy(copy, b.p, cut);
	memcpy(code, b.p + cut, b.n - cut);
	struct unwind_input in = {
		.data = copy, .size = cut, .addr = addr, .base = base,
		.arch = arch, .on_function = on_function, .ctx = &nfunctions,
		.plt = code, .plt_size = b.n - cut, .plt_addr = base + 0x100,
		.text = code, .text_size = b.n - cut, .text_addr = base + 0x100,
	};
	check(unwind_table_make(&in, ROWS_MAX, &t), &t);
	free(copy);
	free(code);
}

static void
file(struct bytes b)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	unsigned nfunctions = 0;
	struct unwind_table t;

	fuzz_must(fd >= 0 && write(fd, b.p, b.n) == (ssize_t)b.n);
	check(unwind_file_table(fd, ROWS_MAX, &t), &t);
	err_free(unwind_file_functions(fd, on_function, &nfunctions));
	close(fd);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct bytes b = { p, n };
	uint8_t what = bytes_u8(&b) & 3;

	if (what == 3)
		file(b);
	else
		section((enum unwind_arch)what, b);
	return 0;
}
