/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Any bytes through the whole compiler.  What compiles is printed, verified,
 * run by the interpreter and turned into BPF code.
 */
#include <string.h>

#include "engine.h"
#include "fuzz.h"
#include "program.h"
#include "support/plandump.h"
#include "text.h"
#include "util/alloc.h"

static void
check_difo(void *ctx, const struct dif_difo *d)
{
	char why[160];
	struct base_buf b;

	base_buf_init(&b, why, sizeof(why));
	if (!dif_verify(d, &b))
		fuzz_fail("does not verify: %s", why);
	engine_print(d);
}

static void
print(const struct program *p)
{
	struct sb b;

	sb_init(&b, 256 << 20);
	sema_dump(p->sema, &b);
	gen_print(p->plan, &b);
	plandump(p->plan, &b);
	fuzz_must(!b.failed);
	sb_fini(&b);
}

/* What the compiler says when it is itself at fault. */
static void
check_blame(const struct diag_list *l)
{
	for (const struct diag *d = l->first; d; d = d->next)
		if (strstr(d->text, "does not verify"))
			fuzz_fail("%s", d->text);
}

/* The same without memory from some point on, for one input in eight. */
static void
compile_failing(const uint8_t *p, size_t n, unsigned long nallocs)
{
	struct program prog;
	uint32_t h = 0;

	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * 0x9e3779b1u;
	h ^= h >> 15;
	if (h % 8)
		return;
	program_init_failing(&prog, p, n, 1 + (h >> 8) % nallocs, h & 8);
	if (prog.plan)
		print(&prog);
	program_fini(&prog);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	unsigned long before = util_alloc_count();
	struct program prog;

	program_init(&prog, p, n);
	unsigned long nallocs = util_alloc_count() - before;
	text_diags(&prog.c.d);
	check_blame(&prog.c.d);
	if (prog.plan) {
		print(&prog);
		program_difos(prog.plan, check_difo, NULL);
		engine_interpret(prog.plan, n, 3, NULL, NULL);
		engine_generate(prog.plan);
	}
	program_fini(&prog);
	compile_failing(p, n, nallocs);
	return 0;
}
