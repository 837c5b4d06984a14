/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Handlers: who wants to know, and how it is told.
 */
#include "lib/turn_priv.h"

struct err *
lib_aborted(void)
{
	return err_new(ERR_STATE, 0, "a callback ended the tracing");
}

#define HANDLER(what, name) \
PUBLIC int \
dtrace_handle_##what(dtrace_hdl_t *h, dtrace_handle_##what##_f *fn, void *arg) \
{ \
	h->on_##name = fn; \
	h->name##_arg = arg; \
	return 0; \
}
HANDLER(err, err)
HANDLER(drop, drop)
HANDLER(proc, proc)
HANDLER(buffered, buffered)
HANDLER(setopt, setopt)

static struct err *
answer(int r)
{
	return r == DTRACE_HANDLE_ABORT ? lib_aborted() : NULL;
}

struct err *
lib_tell_error(dtrace_hdl_t *h, const struct consume_event *e, int fault,
	       const char *msg, const char *hint)
{
	dtrace_probedesc_t pd;
	dtrace_eprobedesc_t ed = { .dtepd_epid = e->epid_no,
		.dtepd_probeid = e->epid ? e->epid->probe : 0 };
	dtrace_errdata_t d = { .dteda_handle = h, .dteda_edesc = &ed,
		.dteda_pdesc = &pd, .dteda_cpu = e->cpu, .dteda_offset = -1,
		.dteda_fault = fault, .dteda_count = e->count,
		.dteda_msg = msg, .dteda_hint = hint };

	if (!h->on_err)
		return NULL;
	if (e->error) {
		d.dteda_action = (int)e->error->action;
		d.dteda_offset = e->error->dif_offset;
		d.dteda_addr = e->error->value;
	}
	lib_event_probe(&pd, e);
	return answer(h->on_err(&d, h->err_arg));
}

struct err *
lib_tell_drop(dtrace_hdl_t *h, const struct consume_event *e, const char *msg)
{
	dtrace_dropdata_t d = { h, (int)e->cpu, (dtrace_dropkind_t)e->drop,
				e->count, e->total, msg };

	return h->on_drop ? answer(h->on_drop(&d, h->drop_arg)) : NULL;
}

struct err *
lib_tell_text(dtrace_hdl_t *h, const char *p, size_t n)
{
	const struct lib_record *r = &h->rec;
	dtrace_bufdata_t d = { h, p, n, r->open ? &r->data : NULL,
			       r->open && r->at < r->end ? &r->recs.v[r->at]
							 : NULL };

	return h->on_buffered ? answer(h->on_buffered(&d, h->buffered_arg))
			      : NULL;
}

struct err *
lib_tell_option(dtrace_hdl_t *h, const char *name, int64_t old)
{
	dtrace_setoptdata_t d = { h, h->rec.open ? &h->rec.data : NULL, name,
				  old, session_opts(h->s)->v[opt_find(name)] };

	return h->on_setopt ? answer(h->on_setopt(&d, h->setopt_arg)) : NULL;
}
