/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Hostile files of saved traces, replayed as libdtrace does it.
 */
#include <stdlib.h>
#include <string.h>

#include "fmt/fmt.h"
#include "fuzz.h"
#include "save/save.h"

enum { OUT_MAX = 4 << 20, STEPS_MAX = 4096 };

struct target {
	struct opt_set opts;
	struct saved *s;
	struct consume *c;
	struct fmt *f;
	size_t written;
};

static struct err *
take_output(void *ctx, const char *p, size_t n)
{
	struct target *t = ctx;

	t->written += n;
	return t->written < OUT_MAX ? NULL : err_new(ERR_STATE, 0, "enough");
}

static struct err *
take_action(void *ctx, const struct consume_event *e,
	    const struct abi_action *a, const char *text, const char *value)
{
	return NULL;
}

static struct err *
on_event(void *ctx, const struct consume_event *e)
{
	struct target *t = ctx;
	int status;

	if (e->kind == CONSUME_RECORD) {
		fmt_exit_status(e, &status);
		return fmt_record(t->f, e);
	}
	if (e->kind == CONSUME_DROP)
		return fmt_drop(t->f, e);
	return fmt_error(t->f, e, e->error->fault, "fault");
}

static void
on_proc(void *ctx, int pid, const char *text)
{
	fuzz_must(strlen(text) < OUT_MAX);
}

static struct err *
replay(struct target *t)
{
	struct fmt_out out = { t, take_output, take_action };
	enum save_step step;

	TRY(consume_new(saved_source(t->s), saved_meta(t->s), &t->c));
	TRY(fmt_new(t->c, saved_meta(t->s), &t->opts, out, &t->f));
	fmt_set_names(t->f, saved_names(t->s));
	struct saved_info of = saved_info(t->s);
	fmt_set_program(t->f, of.heading, of.begun);
	for (int i = 0; i < STEPS_MAX; i++) {
		TRY(saved_step(t->s, &step, on_proc, t));
		if (step == SAVE_STEP_NONE)
			return fmt_end(t->f);
		TRY(saved_run(t->c, step, true, on_event, t));
	}
	return NULL;
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	/* As aligned as a file; the last byte says in which form. */
	uint8_t *copy = n ? aligned_alloc(8, (n + 7) & ~(size_t)7) : NULL;
	struct target t = { 0 };

	if (!copy)
		return 0;
	memcpy(copy, p, n);
	fuzz_must(!opt_init(&t.opts));
	struct err *e = saved_open_bytes(copy, n, &t.s);
	if (!e) {
		saved_options(t.s, &t.opts);
		t.opts.v[OPT_OFORMAT] = copy[n - 1] % OPT_OFORMAT_N;
		e = replay(&t);
		if (e && t.f)
			err_free(fmt_close(t.f));
	} else {
		fuzz_must(e->code == ERR_FORMAT);
	}
	err_free(e);
	fmt_free(t.f);
	consume_free(t.c);
	saved_close(t.s);
	opt_fini(&t.opts);
	free(copy);
	return 0;
}
