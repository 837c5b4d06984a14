/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tracing and consuming.
 */
#include <stdio.h>
#include <string.h>

#include "lib/lib_priv.h"

static struct err *
write_out(void *ctx, const char *p, size_t n)
{
	FILE *fp = lib_out(ctx);

	if (fp && fwrite_unlocked(p, 1, n, fp) != n)
		return lib_write_error();
	return lib_flush(ctx);
}

PUBLIC int
dtrace_go(dtrace_hdl_t *h)
{
	struct fmt_out out = { h, write_out, lib_act };
	struct err *e = session_go(h->s);

	if (!e)
		e = fmt_new(session_consume(h->s), session_meta(h->s),
			    session_opts(h->s), out, &h->fmt);
	if (e)
		return lib_fail(h, e);
	fmt_set_names(h->fmt, session_names(h->s));
	h->status = DTRACE_STATUS_OKAY;
	return 0;
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

static struct err *
aborted(void)
{
	return err_new(ERR_STATE, 0, "a callback ended the tracing");
}

static void
probedesc(dtrace_probedesc_t *d, const struct consume_event *e)
{
	const struct consume_probe *p = e->probe;

	if (p)
		lib_probedesc(d, p->id, p->prov, p->mod, p->func, p->name);
	else
		lib_probedesc(d, 0, "", "", "", "");
}

static uint32_t
offset_of(const struct consume_event *e, const struct consume_step *s,
	  const struct abi_field *f)
{
	return (uint32_t)(s->base - (const uint8_t *)e->record) + f->offset;
}

/* DTRACE_CONSUME_*: what the callbacks say about the record. */
static int
callbacks(dtrace_hdl_t *h, const struct consume_event *e)
{
	const struct abi_clause_desc *c = e->epid->desc;
	dtrace_probedesc_t pd;
	dtrace_eprobedesc_t ed = { .dtepd_epid = e->epid_no,
		.dtepd_probeid = e->epid->probe, .dtepd_size = e->record->size,
		.dtepd_nrecs = c->nactions };
	dtrace_probedata_t data = { .dtpda_handle = h, .dtpda_edesc = &ed,
		.dtpda_pdesc = &pd, .dtpda_cpu = e->cpu,
		.dtpda_data = (char *)e->record,
		.dtpda_timestamp = e->timestamp };
	struct consume_step s = { .at = 0 };
	int answer = DTRACE_CONSUME_THIS, r;

	probedesc(&pd, e);
	if (h->chew && (answer = h->chew(&data, h->chew_arg)) != 0)
		return answer;
	while (h->chewrec && consume_next(c, e->record, &s)) {
		const struct abi_action *a = s.action;
		const struct abi_field *f = a->nfields ?
			&c->fields[a->field] : NULL;
		dtrace_recdesc_t rec = { .dtrd_action = a->kind,
			.dtrd_size = f ? f->size : 0,
			.dtrd_offset = f ? offset_of(e, &s, f) : 0,
			.dtrd_alignment = f ? f->align : 1,
			.dtrd_arg = a->arg };
		if ((r = h->chewrec(&data, &rec, h->chew_arg)) != 0)
			answer = r;
		if (r == DTRACE_CONSUME_ERROR || r == DTRACE_CONSUME_ABORT)
			return r;
	}
	if (h->chewrec && (r = h->chewrec(&data, NULL, h->chew_arg)) < 0)
		return r;
	return answer;
}

static struct err *
on_record(dtrace_hdl_t *h, const struct consume_event *e)
{
	int status, r = DTRACE_CONSUME_THIS;

	if (h->chew || h->chewrec) {
		TRY(fmt_flush(h->fmt));
		r = callbacks(h, e);
	}
	if (r == DTRACE_CONSUME_ERROR || r == DTRACE_CONSUME_ABORT)
		return aborted();
	if (e->exits && fmt_exit_status(e, &status))
		h->exit_status = status;
	return r == DTRACE_CONSUME_NEXT ? NULL : fmt_record(h->fmt, e);
}

struct err *
lib_error(dtrace_hdl_t *h, const struct consume_event *e, int fault,
	  struct sb *text, const char *hint)
{
	dtrace_probedesc_t pd;
	dtrace_errdata_t d = { .dteda_handle = h, .dteda_pdesc = &pd,
		.dteda_cpu = e->cpu, .dteda_offset = -1,
		.dteda_fault = fault, .dteda_count = e->count };

	if (e->error) {
		d.dteda_action = (int)e->error->action;
		d.dteda_offset = e->error->dif_offset;
		d.dteda_addr = e->error->value;
	}
	probedesc(&pd, e);
	if (text->failed)
		return &err_nomem;
	TRY(fmt_error(h->fmt, e, fault, sb_str(text)));
	sb_putc(text, '\n');
	d.dteda_msg = sb_str(text);
	d.dteda_hint = hint;
	if (h->on_err && h->on_err(&d, h->err_arg) == DTRACE_HANDLE_ABORT)
		return aborted();
	return NULL;
}

static struct err *
on_error(dtrace_hdl_t *h, const struct consume_event *e)
{
	struct sb text, hint;
	bool again;

	TRY(lib_repeat_note(h, e, &again));
	if (again)
		return NULL;
	TRY(fmt_flush(h->fmt));
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
	int r = DTRACE_HANDLE_OK;

	TRY(fmt_flush(h->fmt));
	sb_init(&text, 4096);
	fmt_drop_text(e, tags, &text);
	sb_putc(&text, '\n');
	dtrace_dropdata_t d = { h, (int)e->cpu, (dtrace_dropkind_t)e->drop,
				e->count, e->total, sb_str(&text) };
	if (h->on_drop)
		r = h->on_drop(&d, h->drop_arg);
	sb_fini(&text);
	return r == DTRACE_HANDLE_ABORT ? aborted() : fmt_drop(h->fmt, e);
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

static void
set_clock(dtrace_hdl_t *h)
{
	uint64_t now;
	int64_t wall_delta;

	if (!h->fmt)
		return;
	session_clock(h->s, &now, &wall_delta);
	fmt_set_clock(h->fmt, now, wall_delta);
}

/* There is something to look at only once dtrace_go() has been called. */
static struct err *
check_begun(const dtrace_hdl_t *h)
{
	return h->fmt ? NULL : err_new(ERR_STATE, 0, "tracing has not begun");
}

/* One turn; at the end of tracing the last one, which hands on what is left. */
static struct err *
turn(dtrace_hdl_t *h)
{
	enum session_status status = SESSION_OKAY;

	TRY(check_begun(h));
	if (!h->stopped) {
		TRY(session_step(h->s, on_event, h, &status));
		if (status == SESSION_OKAY)
			return lib_repeat_tell(h, false);
		h->status = status == SESSION_FILLED ? DTRACE_STATUS_FILLED
						     : DTRACE_STATUS_EXITED;
		h->stopped = true;
		TRY(session_stop(h->s));
	}
	if (!h->drained) {
		h->drained = true;
		TRY(session_drain(h->s, on_event, h));
	}
	return lib_repeat_tell(h, true);
}

PUBLIC dtrace_workstatus_t
dtrace_work(dtrace_hdl_t *h, FILE *fp, dtrace_consume_probe_f *chew,
	    dtrace_consume_rec_f *chewrec, void *arg)
{
	h->out = fp;
	h->chew = chew;
	h->chewrec = chewrec;
	h->chew_arg = arg;
	lib_set_terminal(h);
	set_clock(h);
	struct err *e = flush(h, turn(h));
	if (e) {
		close_output(h);
		lib_fail(h, e);
		return DTRACE_WORKSTATUS_ERROR;
	}
	return h->stopped ? DTRACE_WORKSTATUS_DONE : DTRACE_WORKSTATUS_OKAY;
}

PUBLIC int
dtrace_stop(dtrace_hdl_t *h)
{
	if (h->stopped)
		return 0;
	h->stopped = true;
	h->status = DTRACE_STATUS_STOPPED;
	struct err *e = session_stop(h->s);
	return e ? lib_fail(h, e) : 0;
}

PUBLIC int
dtrace_aggregate_snap(dtrace_hdl_t *h)
{
	struct err *e = check_begun(h);

	if (!e)
		e = consume_snapshot(session_consume(h->s));
	return e ? lib_fail(h, e) : 0;
}

PUBLIC int
dtrace_aggregate_print(dtrace_hdl_t *h, FILE *fp, void *unused)
{
	h->out = fp;
	lib_set_terminal(h);
	set_clock(h);
	struct err *e = check_begun(h);
	if (!e)
		e = flush(h, fmt_end(h->fmt));
	if (!e)
		return 0;
	close_output(h);
	return lib_fail(h, e);
}
