/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Events for who asks for them.
 *
 * A turn of the session hands its events to whoever is called; here they are put
 * into a queue, from which dtrace_next() takes one at a time, and asks for the
 * next turn when it is empty.
 *
 *  1. What a record does (to aggregations, to options, system()) it does when it
 *     is put into the queue, so in order with everything else; its text, which
 *     may depend on that, is then made at once.  Of all others just the bytes
 *     are kept, since a turn may bring a million: the event is made when it is
 *     asked for, and its text when that is, if anybody does.
 *  2. A snapshot that a printa() shows is made when its turn among the actions
 *     of its record has come: what stands before it in the clause has been done.
 *  3. The descriptor that poll() waits for is an epoll of two: that of the
 *     session, and a timer for when it would have stopped waiting (session_due).
 *     The timer is set when dtrace_next() has nothing more to give.
 */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "lib/event_priv.h"
#include "lib/turn_priv.h"
#include "util/clock.h"

/* --- Texts ----------------------------------------------------------------------- */

static struct err *
write_text(void *ctx, const char *p, size_t n)
{
	dtrace_hdl_t *h = ctx;

	sb_putn(&h->printing->text, p, n);
	return h->printing->text.failed ? &err_nomem : NULL;
}

/* Snapshots of what printa() is about to show (2). */
static struct err *
take_snapshots(dtrace_hdl_t *h, const struct consume_step *s)
{
	dtrace_event_t *ev = h->printing;
	const struct abi_clause_desc *d = ev->e.epid->desc;
	unsigned at = dtrace_event_action(ev, h->turn_of)->first;

	for (uint32_t i = 0; i < s->action->naggs; i++) {
		struct consume_agg *g = consume_agg(session_consume(h->s),
			d->aggids[s->action->agg + i]);
		if (g && !ev->fields[at + i].agg)
			TRY(lib_snap(h, g, &ev->fields[at + i].agg));
	}
	return NULL;
}

static struct err *
before(void *ctx, const struct consume_event *e, const struct consume_step *s,
       bool *skip)
{
	dtrace_hdl_t *h = ctx;
	struct err *err = s->action->kind == ABI_ACT_PRINTA ?
			  take_snapshots(h, s) : NULL;

	h->turn_of++;
	return err;
}

/* Nothing is written, so there is no file to be another one. */
static struct err *
act(void *ctx, const struct consume_event *e, const struct abi_action *a,
    const char *text, const char *value)
{
	if (a->kind == ABI_ACT_FREOPEN || a->kind == ABI_ACT_FTRUNCATE)
		return NULL;
	return lib_act(ctx, e, a, text, value);
}

/* As text, and without what stands around values: whatever the options say for
 * those who print. */
static void
set_text_options(dtrace_hdl_t *h)
{
	h->text_opts = *session_opts(h->s);
	h->text_opts.v[OPT_OFORMAT] = OPT_OFORMAT_TEXT;
	h->text_opts.v[OPT_QUIET] = 1;
	h->text_opts.v[OPT_FLOWINDENT] = 0;
}

struct err *
lib_event_print(dtrace_event_t *ev)
{
	dtrace_hdl_t *h = ev->h;

	set_text_options(h);
	h->printing = ev;
	h->turn_of = 0;
	sb_reset(&ev->text);
	struct err *e = fmt_record(h->text_fmt, &ev->e);
	struct err *flushed = fmt_flush(h->text_fmt);
	h->printing = NULL;
	ev->has_text = true;
	if (!e)
		return flushed;
	err_free(flushed);
	return e;
}

static struct err *
start_texts(dtrace_hdl_t *h)
{
	struct fmt_out out = { h, write_text, act, before };

	TRY(lib_check_begun(h));
	if (h->text_fmt)
		return NULL;
	set_text_options(h);
	TRY(fmt_new(session_consume(h->s), session_meta(h->s), &h->text_opts,
		    out, &h->text_fmt));
	fmt_set_names(h->text_fmt, session_names(h->s));
	return NULL;
}

/* --- The queue --------------------------------------------------------------------- */

/* Append something of `size` bytes from its record on; NULL: no memory. */
static struct lib_queued *
append(dtrace_hdl_t *h, size_t size)
{
	struct lib_queued *q = util_alloc(offsetof(struct lib_queued, rec) +
					  size);

	if (!q)
		return NULL;
	q->next = NULL;
	q->ev = NULL;
	if (h->last)
		h->last->next = q;
	else
		h->first = q;
	h->last = q;
	return q;
}

/* The first event; *ret is left alone when there is none. */
static struct err *
take(dtrace_hdl_t *h, dtrace_event_t **ret)
{
	struct lib_queued *q = h->first;
	dtrace_event_t *ev;

	if (!q)
		return NULL;
	ev = q->ev ? q->ev : lib_event_of(h, q);
	if (!ev)
		return &err_nomem;
	h->first = q->next;
	if (!h->first)
		h->last = NULL;
	if (ev->queued != q)
		util_free(q);
	*ret = ev;
	return NULL;
}

void
lib_queue_fini(dtrace_hdl_t *h)
{
	struct lib_queued *q;

	while ((q = h->first)) {
		dtrace_event_t *ev = q->ev;
		h->first = q->next;
		if (!ev || ev->queued != q)
			util_free(q);
		dtrace_event_unref(ev);
	}
	fmt_free(h->text_fmt);
	err_free(h->late);
	if (h->timer >= 0)
		close(h->timer);
	if (h->poll >= 0)
		close(h->poll);
}

/* Put an event that is no record into the queue; text: its one line. */
static struct err *
push(dtrace_hdl_t *h, dtrace_event_t *ev, const char *text)
{
	struct lib_queued *q = ev ? append(h, 0) : NULL;

	if (!q) {
		dtrace_event_unref(ev);
		return &err_nomem;
	}
	q->ev = ev;
	sb_putn(&ev->text, text, strcspn(text, "\n"));
	ev->has_text = true;
	return ev->text.failed ? &err_nomem : NULL;
}

static bool
does_something(const struct consume_event *e)
{
	struct consume_step s = { .at = 0 };

	while (consume_next(e->epid->desc, e->record, &s)) {
		enum abi_action_class c = abi_action_class(s.action->kind);
		if (c == ABI_DOES_AGGS || c == ABI_DOES_CONSUMER)
			return true;
	}
	return false;
}

struct err *
lib_push_record(dtrace_hdl_t *h, const struct consume_event *e)
{
	struct lib_queued *q = append(h, e->record->size);

	if (!q)
		return &err_nomem;
	q->cpu = e->cpu;
	memcpy(&q->rec, e->record, e->record->size);
	if (!does_something(e))
		return NULL;
	q->ev = lib_event_of(h, q);
	return q->ev ? lib_event_print(q->ev) : &err_nomem;
}

/* --- What others have to tell --------------------------------------------------------- */

struct err *
lib_push_error(dtrace_hdl_t *h, const struct consume_event *e, int fault,
	       const char *text, const char *hint)
{
	dtrace_event_t *ev = lib_event_new(h, DTRACE_EVENT_ERROR, e);

	if (ev) {
		ev->fault = fault;
		ev->hint = hint ? util_strndup(hint, strcspn(hint, "\n"))
				: NULL;
	}
	return push(h, ev, text);
}

struct err *
lib_push_drop(dtrace_hdl_t *h, const struct consume_event *e, const char *text)
{
	return push(h, lib_event_new(h, DTRACE_EVENT_DROP, e), text);
}

struct err *
lib_push_proc(dtrace_hdl_t *h, pid_t pid, const char *text)
{
	dtrace_event_t *ev = lib_event_new(h, DTRACE_EVENT_PROC, NULL);

	if (ev)
		ev->pid = pid;
	return push(h, ev, text);
}

static struct err *
push_end(dtrace_hdl_t *h)
{
	dtrace_event_t *ev = lib_event_new(h, DTRACE_EVENT_END, NULL);

	if (ev)
		ev->status = h->exit_status;
	h->over = ev != NULL;
	return push(h, ev, "");
}

/* --- Asking ------------------------------------------------------------------------- */

static struct err *
next_turn(dtrace_hdl_t *h)
{
	TRY(lib_check_turn(h));
	TRY(start_texts(h));
	h->pull = true;
	lib_set_clock(h, h->text_fmt);
	TRY(lib_turn(h));
	return h->drained ? push_end(h) : NULL;
}

void
lib_wake(dtrace_hdl_t *h)
{
	uint64_t due = h->over ? 0 : session_due(h->s);
	struct itimerspec t = { .it_value = clock_local(due) };

	if (h->timer >= 0)
		timerfd_settime(h->timer, TFD_TIMER_ABSTIME, &t, NULL);
}

PUBLIC int
dtrace_next(dtrace_hdl_t *h, dtrace_event_t **ret)
{
	struct err *e;

	if (!h->first && !h->late && !h->over) {
		e = next_turn(h);
		if (h->late)	/* no memory for a process's end */
			err_free(e);
		else
			h->late = e;
	}
	if (h->first) {
		e = take(h, ret);
		return e ? lib_fail(h, e) : DTRACE_NEXT_EVENT;
	}
	lib_wake(h);
	if (!h->late)
		return h->over ? DTRACE_NEXT_END : DTRACE_NEXT_NONE;
	e = h->late;
	h->late = NULL;
	return lib_fail(h, e);
}

static struct err *
watch(int epoll, int fd)
{
	struct epoll_event ev = { .events = EPOLLIN };

	if (fd >= 0 && !epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &ev))
		return NULL;
	return err_new(ERR_OS, errno, "epoll_ctl: %s", strerror(errno));
}

static struct err *
make_fd(dtrace_hdl_t *h)
{
	TRY(lib_check_begun(h));
	if (h->poll >= 0)
		return NULL;
	h->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (h->timer < 0)
		return err_new(ERR_OS, errno, "timerfd: %s", strerror(errno));
	h->poll = epoll_create1(EPOLL_CLOEXEC);
	if (h->poll < 0)
		return err_new(ERR_OS, errno, "epoll: %s", strerror(errno));
	TRY(watch(h->poll, h->timer));
	TRY(watch(h->poll, session_fd(h->s)));
	lib_wake(h);
	return NULL;
}

PUBLIC int
dtrace_fd(dtrace_hdl_t *h)
{
	struct err *e = make_fd(h);

	return e ? lib_fail(h, e) : h->poll;
}
