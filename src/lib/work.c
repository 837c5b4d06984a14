/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tracing and consuming.
 */
#include <stdio.h>
#include <string.h>

#include "lib/turn_priv.h"

static struct err *
write_out(void *ctx, const char *p, size_t n)
{
	FILE *fp = lib_out(ctx);

	if (!fp)
		return lib_tell_text(ctx, p, n);
	if (fwrite_unlocked(p, 1, n, fp) != n)
		return lib_write_error();
	return lib_flush(ctx);
}

/* A copy: programs that are compiled later are no part of it. */
static struct err *
give_heading(dtrace_hdl_t *h)
{
	size_t programs = h->program.len;
	const char *text;

	sb_putn(&h->program, h->command.p, h->command.len);
	if (!h->program.len)
		return NULL;
	text = arena_strdup(h->a, sb_str(&h->program));
	sb_cut(&h->program, programs);
	if (!text)
		return &err_nomem;
	session_set_heading(h->s, text);
	return NULL;
}

struct err *
lib_shape(dtrace_hdl_t *h)
{
	struct fmt_out out = { h, write_out, lib_act, lib_before,
			       lib_refuse };

	fmt_free(h->fmt);
	h->fmt = NULL;
	TRY(fmt_new(session_consume(h->s), session_meta(h->s),
		    session_opts(h->s), out, &h->fmt));
	fmt_set_names(h->fmt, session_names(h->s));
	fmt_set_program(h->fmt, session_heading(h->s), session_begun(h->s));
	return NULL;
}

PUBLIC int
dtrace_prepare(dtrace_hdl_t *h)
{
	struct err *e = session_prepare(h->s);

	return e ? lib_fail(h, e) : 0;
}

PUBLIC int
dtrace_go(dtrace_hdl_t *h)
{
	struct err *e = give_heading(h);

	if (!e)
		e = session_go(h->s);
	if (!e)
		e = lib_shape(h);
	if (e)
		return lib_fail(h, e);
	h->status = DTRACE_STATUS_OKAY;
	return 0;
}

PUBLIC int
dtrace_hold(dtrace_hdl_t *h, int fd)
{
	struct err *e = lib_check_turn(h);
	bool came;

	if (!e && h->turned)
		e = err_new(ERR_STATE, 0, "something has been handed out "
			    "already");
	if (!e)
		e = session_hold(h->s, fd, &came);
	return e ? lib_fail(h, e) : came;
}

PUBLIC int
dtrace_replay(dtrace_hdl_t *h, const char *path)
{
	struct err *e = lib_need(path, "the file");

	if (!e)
		e = session_replay(h->s, path);

	return e ? lib_fail(h, e) : 0;
}

PUBLIC void
dtrace_sleep(dtrace_hdl_t *h)
{
	session_wait(h->s);
}

PUBLIC int
dtrace_status(dtrace_hdl_t *h)
{
	return h->status;
}

PUBLIC int
dtrace_exit_status(dtrace_hdl_t *h)
{
	return h->exit_status;
}

/* --- Events to callbacks ----------------------------------------------------- */

/* Has somebody asked for what the record is made of? */
static bool
wants_record(const dtrace_hdl_t *h)
{
	return h->chew || h->chewrec || h->on_setopt ||
	       (h->on_buffered && !lib_out(h));
}

/* A record that is open, to the functions and to text. */
static struct err *
show_record(dtrace_hdl_t *h, const struct consume_event *e)
{
	int r = DTRACE_CONSUME_THIS;

	TRY(fmt_flush(h->fmt));
	if (h->chew)
		r = h->chew(&h->rec.data, h->chew_arg);
	if (r == DTRACE_CONSUME_ERROR || r == DTRACE_CONSUME_ABORT)
		return lib_aborted();
	if (r == DTRACE_CONSUME_NEXT)
		return NULL;
	TRY(fmt_record(h->fmt, e));
	TRY(fmt_flush(h->fmt));
	if (h->chewrec)
		r = h->chewrec(&h->rec.data, NULL, h->chew_arg);
	return r == DTRACE_CONSUME_ERROR || r == DTRACE_CONSUME_ABORT
	       ? lib_aborted() : NULL;
}

static struct err *
on_record(dtrace_hdl_t *h, const struct consume_event *e)
{
	int status;

	if (e->exits && fmt_exit_status(e, &status))
		h->exit_status = status;
	if (h->pull)
		return lib_push_record(h, e);
	if (!wants_record(h))
		return fmt_record(h->fmt, e);
	TRY(lib_record_open(h, e));
	struct err *err = show_record(h, e);
	lib_record_close(h);
	return err;
}

struct err *
lib_text_flush(dtrace_hdl_t *h)
{
	return h->pull ? NULL : fmt_flush(h->fmt);
}

struct err *
lib_error(dtrace_hdl_t *h, const struct consume_event *e, int fault,
	  struct sb *text, const char *hint)
{
	if (text->failed)
		return &err_nomem;
	if (h->pull)
		return lib_push_error(h, e, fault, sb_str(text), hint);
	TRY(fmt_error(h->fmt, e, fault, sb_str(text)));
	sb_putc(text, '\n');
	return lib_tell_error(h, e, fault, sb_str(text), hint);
}

static struct err *
on_error(dtrace_hdl_t *h, const struct consume_event *e)
{
	struct sb text, hint;
	bool again;

	TRY(lib_repeat_note(h, e, &again));
	if (again)
		return NULL;
	TRY(lib_text_flush(h));
	sb_init(&text, 4096);
	fmt_error_text(e, &text);
	sb_init(&hint, 4096);
	bool has_hint = session_hint(h->s, e, &hint);
	sb_putc(&hint, '\n');
	struct err *err = lib_error(h, e, e->error->fault, &text,
				    has_hint ? sb_str(&hint) : NULL);
	sb_fini(&hint);
	sb_fini(&text);
	return err;
}

static struct err *
on_drop(dtrace_hdl_t *h, const struct consume_event *e)
{
	bool tags = session_opts(h->s)->v[OPT_DROPTAGS] > 0;
	struct sb text;

	TRY(lib_text_flush(h));
	sb_init(&text, 4096);
	fmt_drop_text(e, tags, &text);
	sb_putc(&text, '\n');
	struct err *err = h->pull ? lib_push_drop(h, e, sb_str(&text))
				  : lib_tell_drop(h, e, sb_str(&text));
	sb_fini(&text);
	return err || h->pull ? err : fmt_drop(h->fmt, e);
}

static struct err *
on_event(void *ctx, const struct consume_event *e)
{
	static struct err *(*const fn[])(dtrace_hdl_t *,
					 const struct consume_event *) = {
		[CONSUME_RECORD] = on_record, [CONSUME_ERROR] = on_error,
		[CONSUME_DROP] = on_drop,
	};

	return fn[e->kind](ctx, e);
}

/* --- Turns -------------------------------------------------------------------------- */

/* What was said is to be seen before we wait, also when the turn failed. */
static struct err *
flush(dtrace_hdl_t *h, struct err *failed)
{
	struct err *e = h->fmt ? fmt_flush(h->fmt) : NULL;

	if (!e)
		e = lib_flush(h);
	if (!failed)
		return e;
	err_free(e);
	return failed;
}

/* Nothing more will come: leave what was written whole. */
static void
close_output(dtrace_hdl_t *h)
{
	struct err *e = h->fmt ? fmt_close(h->fmt) : NULL;

	err_free(e ? e : lib_flush(h));
}

void
lib_set_clock(dtrace_hdl_t *h, struct fmt *f)
{
	uint64_t now;
	int64_t wall_delta;

	if (!f)
		return;
	session_clock(h->s, &now, &wall_delta);
	fmt_set_clock(f, now, wall_delta);
}

struct err *
lib_check_begun(const dtrace_hdl_t *h)
{
	return h->fmt ? NULL : err_new(ERR_STATE, 0, "tracing has not begun");
}

struct err *
lib_check_walk(const dtrace_hdl_t *h)
{
	return h->walking ? err_new(ERR_STATE, 0, "called from within a walk "
				    "of aggregations") : lib_check_begun(h);
}

struct err *
lib_check_turn(const dtrace_hdl_t *h)
{
	return h->turning ? err_new(ERR_STATE, 0, "called from within a call "
				    "that hands out what was traced")
			  : lib_check_walk(h);
}

/* The last one hands on what is left. */
static struct err *
turn(dtrace_hdl_t *h)
{
	enum session_status status = SESSION_OKAY;

	if (!h->stopped) {
		TRY(session_step(h->s, on_event, h, &status));
		if (status == SESSION_OKAY)
			return lib_repeat_tell(h, false);
		h->status = status == SESSION_FILLED ? DTRACE_STATUS_FILLED
						     : DTRACE_STATUS_EXITED;
		h->stopped = true;
		TRY(session_stop(h->s));
		lib_set_clock(h, h->fmt);
	}
	if (!h->drained) {
		h->drained = true;
		TRY(session_drain(h->s, on_event, h));
	}
	return lib_repeat_tell(h, true);
}

struct err *
lib_turn(dtrace_hdl_t *h)
{
	TRY(lib_check_turn(h));
	h->turned = true;
	h->turning = true;
	struct err *e = turn(h);
	h->turning = false;
	return e;
}

PUBLIC dtrace_workstatus_t
dtrace_work(dtrace_hdl_t *h, FILE *fp, dtrace_consume_probe_f *chew,
	    dtrace_consume_rec_f *chewrec, void *arg)
{
	if (h->turning || h->walking) {
		lib_fail(h, lib_check_turn(h));
		return DTRACE_WORKSTATUS_ERROR;
	}
	h->pull = false;
	h->out = fp;
	h->chew = chew;
	h->chewrec = chewrec;
	h->chew_arg = arg;
	lib_set_terminal(h);
	lib_set_clock(h, h->fmt);
	struct err *e = flush(h, lib_turn(h));
	if (e) {
		close_output(h);
		lib_fail(h, e);
		return DTRACE_WORKSTATUS_ERROR;
	}
	return h->stopped ? DTRACE_WORKSTATUS_DONE : DTRACE_WORKSTATUS_OKAY;
}

PUBLIC int
dtrace_consume(dtrace_hdl_t *h, FILE *fp, dtrace_consume_probe_f *chew,
	       dtrace_consume_rec_f *chewrec, void *arg)
{
	return dtrace_work(h, fp, chew, chewrec, arg) ==
	       DTRACE_WORKSTATUS_ERROR ? -1 : 0;
}

PUBLIC int
dtrace_stop(dtrace_hdl_t *h)
{
	if (h->stopped)
		return 0;
	if (!h->fmt)
		return lib_fail(h, lib_check_begun(h));
	h->stopped = true;
	h->status = DTRACE_STATUS_STOPPED;
	struct err *e = session_stop(h->s);
	lib_wake(h);
	return e ? lib_fail(h, e) : 0;
}

PUBLIC int
dtrace_aggregate_print(dtrace_hdl_t *h, FILE *fp,
		       dtrace_aggregate_walk_f *walk)
{
	if (walk)
		return lib_fail(h, err_new(ERR_UNSUPPORTED, 0, "the order of "
			"printing is that of the options aggsort*"));
	struct err *e = lib_check_walk(h);
	if (e)
		return lib_fail(h, e);
	h->out = fp;
	lib_set_terminal(h);
	lib_set_clock(h, h->fmt);
	if (!e)
		e = flush(h, fmt_end(h->fmt));
	if (!e)
		return 0;
	close_output(h);
	return lib_fail(h, e);
}
