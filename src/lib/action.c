/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Actions that the consumer carries out when their record's turn comes: what
 * they do is seen by what comes behind them, in the same row already.
 *
 * What the world refuses is told like a fault of the clause, and tracing goes
 * on.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/turn_priv.h"
#include "util/cleanup.h"
#include "util/guard.h"

FILE *
lib_out(const dtrace_hdl_t *h)
{
	return h->redirect ? h->redirect : h->out;
}

void
lib_set_terminal(dtrace_hdl_t *h)
{
	FILE *fp = lib_out(h);

	if (h->fmt)
		fmt_set_terminal(h->fmt, fp && isatty(fileno(fp)));
}

struct err *
lib_write_error(void)
{
	return err_new(ERR_OS, errno, "failed to write output: %s",
		       strerror(errno));
}

struct err *
lib_flush(dtrace_hdl_t *h)
{
	FILE *fp = lib_out(h);

	return fp && fflush(fp) ? lib_write_error() : NULL;
}

static struct err *
set_option(dtrace_hdl_t *h, const char *name, const char *value)
{
	CLEANUP(err_freep) struct err *e = opt_set_value(session_opts(h->s),
		name, value ? value : "1", OPT_FROM_SETOPT, true);

	if (!e)
		return NULL;
	return err_new(e->code, 0, "setopt( ) of \"%s\"%s%s%s: %s", name,
		       value ? " to \"" : "", value ? value : "",
		       value ? "\"" : "", e->text);
}

/* Not for what has no length: pipes, terminals. */
static struct err *
truncate_out(dtrace_hdl_t *h, const char *name, const char *value)
{
	FILE *fp = lib_out(h);

	if (!fp || lseek(fileno(fp), 0, SEEK_CUR) < 0)
		return NULL;
	if (ftruncate(fileno(fp), 0))
		return err_new(ERR_OS, errno, "ftruncate( ): %s",
			       strerror(errno));
	rewind(fp);
	return NULL;
}

static struct err *
reopen(dtrace_hdl_t *h, const char *path, const char *value)
{
	FILE *fp = *path ? fopen(path, "ae") : NULL;

	if (*path && !fp)
		return err_new(ERR_OS, errno, "freopen( ) of \"%s\": %s", path,
			       strerror(errno));
	if (h->redirect)
		fclose(h->redirect);
	h->redirect = fp;
	lib_set_terminal(h);
	return NULL;
}

/* Nothing else may be written into output that is for programs. */
static bool
is_text(dtrace_hdl_t *h)
{
	return session_opts(h->s)->v[OPT_OFORMAT] <= OPT_OFORMAT_TEXT;
}

/* Where a command's text goes; -1: where ours does. */
static int
output_of(dtrace_hdl_t *h)
{
	if (!is_text(h))
		return STDERR_FILENO;
	if (h->redirect && h->out && fileno(h->out) == STDOUT_FILENO)
		return fileno(h->redirect);
	return -1;
}

/* Until the command has ended, so that what it prints stands where it ought
 * to.  It ends with us, but what it leaves running goes on. */
static struct err *
run(dtrace_hdl_t *h, const char *command, const char *value)
{
	char *const argv[] = { "sh", "-c", (char *)(uintptr_t)command, NULL };
	struct guard_program p = { "/bin/sh", argv, { -1, output_of(h), -1 },
				   true };
	struct guard g;
	int status;
	struct err *e = guard_start(&p, &g);

	if (!e)
		e = guard_wait(&g, &status);
	if (!e)
		return NULL;
	struct err *why = err_new(ERR_OS, e->os, "system( ): %s", e->text);
	err_free(e);
	return why;
}

static const struct {
	uint32_t kind;			/* enum abi_action_kind */
	struct err *(*run)(dtrace_hdl_t *h, const char *text,
			   const char *value);
} actions[] = {
	{ ABI_ACT_SETOPT, set_option },
	{ ABI_ACT_FTRUNCATE, truncate_out },
	{ ABI_ACT_FREOPEN, reopen },
	{ ABI_ACT_SYSTEM, run },
};

/* Hand a refusal on; NULL when that is all there is to it. */
static struct err *
report(dtrace_hdl_t *h, const struct consume_event *e, struct err *refusal)
{
	struct sb text;

	if (refusal->code == ERR_NOMEM)
		return refusal;
	sb_init(&text, 1 << 16);
	fmt_act_error_text(e, refusal->text, &text);
	err_free(refusal);
	struct err *err = lib_error(h, e, ABI_FAULT_LIBRARY, &text, NULL);
	sb_fini(&text);
	return err;
}

struct err *
lib_refuse(void *ctx, const struct consume_event *e, const char *why)
{
	dtrace_hdl_t *h = ctx;

	return report(h, e, err_new(ERR_LIMIT, 0, "%s", why));
}

struct err *
lib_act(void *ctx, const struct consume_event *e, const struct abi_action *a,
	const char *text, const char *value)
{
	dtrace_hdl_t *h = ctx;
	struct err *err = NULL;
	enum opt_id id = a->kind == ABI_ACT_SETOPT ? opt_find(text) : OPT_N;
	int64_t old = id < OPT_N ? session_opts(h->s)->v[id] : 0;

	/* What a trace did when it was saved is not done again. */
	if (session_is_replay(h->s) && a->kind != ABI_ACT_SETOPT)
		return NULL;
	TRY(lib_flush(h));
	for (size_t i = 0; i < BASE_NELEMS(actions); i++)
		if (actions[i].kind == a->kind)
			err = actions[i].run(h, text, value);
	if (err)
		return report(h, e, err);
	return id < OPT_N ? lib_tell_option(h, text, old) : NULL;
}
