/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The consumer's events straight into fmt, whose text is kept.  A write can be
 * made to fail, as on a disk that is full.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fmtworld.h"

static struct err *
take_text(void *ctx, const char *p, size_t n)
{
	struct fw *w = ctx;

	if (++w->writes == w->fail_write)
		return err_new(ERR_OS, 28, "No space left on device");
	w->out = realloc(w->out, w->len + n + 1);
	memcpy(w->out + w->len, p, n);
	w->len += n;
	w->out[w->len] = '\0';
	return NULL;
}

/* What the caller is asked to do stands in the text as [kind:text=value]. */
static struct err *
take_action(void *ctx, const struct consume_event *e,
	    const struct abi_action *a, const char *text, const char *value)
{
	char said[256];

	snprintf(said, sizeof(said), "[%x:%s=%s]", a->kind,
		 text ? text : "none", value ? value : "none");
	return take_text(ctx, said, strlen(said));
}

struct fw *
fw_new(void)
{
	struct fw *w = calloc(1, sizeof(*w));

	w->m = rm_new(4);
	for (int i = 0; i < OPT_N; i++)
		w->opts.v[i] = OPT_UNSET;
	w->opts.v[OPT_STACKINDENT] = 14;
	w->probe = rm_probe(w->m, "p", "m", "func", "name");
	w->out = calloc(1, 1);
	return w;
}

struct err *
fw_try_open(struct fw *w)
{
	struct fmt_out out = { w, take_text, take_action };

	if (!w->c)
		TRY(consume_new(&w->m->source, &w->m->meta, &w->c));
	return fmt_new(w->c, &w->m->meta, &w->opts, out, &w->f);
}

void
fw_open(struct fw *w)
{
	assert_null(fw_try_open(w));
}

void
fw_free(struct fw *w)
{
	fmt_free(w->f);
	consume_free(w->c);
	rm_free(w->m);
	free(w->out);
	free(w);
}

static struct err *
print(void *ctx, const struct consume_event *e)
{
	struct fw *w = ctx;
	struct sb text;

	if (e->kind == CONSUME_DROP)
		return fmt_drop(w->f, e);
	if (e->kind == CONSUME_RECORD)
		return fmt_record(w->f, e);
	sb_init(&text, 4096);
	fmt_error_text(e, &text);
	struct err *err = fmt_error(w->f, e, e->error->fault, sb_str(&text));
	sb_fini(&text);
	return err;
}

struct err *
fw_try_run(struct fw *w)
{
	TRY(consume_pass(w->c, true, true, print, w));
	TRY(consume_drops(w->c, print, w));
	return fmt_flush(w->f);
}

void
fw_run(struct fw *w)
{
	assert_null(fw_try_run(w));
}

void
fw_end(struct fw *w)
{
	assert_null(fmt_end(w->f));
}

struct abi_record *
fw_fire(struct fw *w, const struct rm_clause *cl)
{
	return rm_record(w->m, 0, ++w->clock, rm_epid(w->m, w->probe, cl));
}

struct rm_clause *
fw_agg_clause(struct fw *w, enum abi_action_kind kind, const char *format,
	      uint32_t aggid)
{
	struct rm_clause *cl = rm_clause(w->m, 0);

	rm_action(cl, kind, format);
	if (aggid)
		rm_use_agg(cl, aggid);
	return cl;
}

void
fw_expect(struct fw *w, const char *want)
{
	assert_string_equal(w->out, want);
	assert_int_equal(w->len, strlen(want));
	w->len = 0;
	w->out[0] = '\0';
}
