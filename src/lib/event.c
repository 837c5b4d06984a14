/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Events, and what can be asked of them.
 */
#include <string.h>

#include "lib/event_priv.h"

/* --- Making ------------------------------------------------------------------- */

dtrace_event_t *
lib_event_new(dtrace_hdl_t *h, dtrace_eventkind_t kind,
	      const struct consume_event *e)
{
	dtrace_event_t *ev = util_zalloc(sizeof(*ev));

	if (!ev)
		return NULL;
	ev->h = h;
	ev->refs = 1;
	ev->kind = kind;
	ev->fault = -1;
	sb_init(&ev->text, 1u << 30);
	if (!e)
		return ev;
	ev->e = *e;
	ev->e.record = NULL;
	ev->e.error = NULL;
	if (e->who) {
		ev->who = *e->who;
		ev->e.who = &ev->who;
	}
	if (e->epid) {
		ev->epid = *e->epid;
		ev->e.epid = &ev->epid;
	}
	if (e->probe) {
		ev->probe = *e->probe;
		ev->e.probe = &ev->probe;
	}
	if (e->error) {
		ev->action = (int)e->error->action;
		ev->address = e->error->value;
	}
	return ev;
}

static bool
add_field(dtrace_event_t *ev, const struct abi_field *d, const uint8_t *base)
{
	struct dtrace_field f = { ev->h, d, base, NULL };

	return vec_push(&ev->fields, f);
}

/* An action and its fields: the aggregations that it shows, and its values. */
static bool
add_action(dtrace_event_t *ev, const struct consume_step *s)
{
	const struct abi_clause_desc *d = ev->e.epid->desc;
	const struct abi_action *a = s->action;
	dtrace_action_t public = { a->kind, (unsigned)ev->fields.n, 0,
				   a->format };
	uint32_t naggs = a->kind == ABI_ACT_PRINTA ? a->naggs : 0;

	for (uint32_t i = 0; i < naggs; i++)
		if (!add_field(ev, NULL, NULL))
			return false;
	for (uint32_t i = 0; i < a->nfields; i++)
		if (!add_field(ev, &d->fields[a->field + i], s->base))
			return false;
	public.nfields = (unsigned)ev->fields.n - public.first;
	return vec_push(&ev->actions, public);
}

struct err *
lib_event_take(dtrace_event_t *ev, const struct consume_event *e)
{
	struct consume_step s = { .at = 0 };

	ev->record = util_alloc(e->record->size);
	if (!ev->record)
		return &err_nomem;
	memcpy(ev->record, e->record, e->record->size);
	ev->e.record = ev->record;
	while (consume_next(e->epid->desc, ev->record, &s))
		if (!add_action(ev, &s))
			return &err_nomem;
	return NULL;
}

PUBLIC dtrace_event_t *
dtrace_event_ref(dtrace_event_t *ev)
{
	ev->refs++;
	return ev;
}

PUBLIC void
dtrace_event_unref(dtrace_event_t *ev)
{
	if (!ev || --ev->refs)
		return;
	for (size_t i = 0; i < ev->fields.n; i++)
		dtrace_agg_unref(ev->fields.v[i].agg);
	vec_fini(&ev->fields);
	vec_fini(&ev->actions);
	sb_fini(&ev->text);
	util_free(ev->record);
	util_free(ev->hint);
	util_free(ev);
}

/* --- Asking --------------------------------------------------------------------- */

PUBLIC dtrace_eventkind_t
dtrace_event_kind(const dtrace_event_t *ev)
{
	return ev->kind;
}

static bool
is_firing(const dtrace_event_t *ev)
{
	return ev->kind == DTRACE_EVENT_RECORD ||
	       ev->kind == DTRACE_EVENT_ERROR;
}

PUBLIC int
dtrace_event_cpu(const dtrace_event_t *ev)
{
	bool known = is_firing(ev) || (ev->kind == DTRACE_EVENT_DROP &&
				       abi_drop_per_cpu(ev->e.drop));

	return known ? (int)ev->e.cpu : -1;
}

PUBLIC uint64_t
dtrace_event_timestamp(const dtrace_event_t *ev)
{
	return is_firing(ev) ? ev->e.timestamp : 0;
}

PUBLIC dtrace_epid_t
dtrace_event_epid(const dtrace_event_t *ev)
{
	return ev->e.epid_no;
}

PUBLIC dtrace_id_t
dtrace_event_probeid(const dtrace_event_t *ev)
{
	return ev->e.epid ? ev->e.epid->probe : 0;
}

#define NAME(what, member) \
PUBLIC const char * \
dtrace_event_##what(const dtrace_event_t *ev) \
{ \
	const struct consume_probe *p = ev->e.probe; \
	return p && p->member ? p->member : ""; \
}
NAME(provider, prov)
NAME(module, mod)
NAME(function, func)
NAME(name, name)

PUBLIC pid_t
dtrace_event_pid(const dtrace_event_t *ev)
{
	if (ev->kind == DTRACE_EVENT_PROC)
		return ev->pid;
	return ev->e.who ? ev->who.pid : -1;
}

PUBLIC pid_t
dtrace_event_tid(const dtrace_event_t *ev)
{
	return ev->e.who ? ev->who.tid : -1;
}

PUBLIC const char *
dtrace_event_execname(const dtrace_event_t *ev)
{
	return ev->e.who ? ev->who.comm : NULL;
}

PUBLIC const char *
dtrace_event_text(dtrace_event_t *ev, size_t *size)
{
	struct err *e = NULL;

	if (!ev->has_text && ev->kind == DTRACE_EVENT_RECORD)
		e = lib_event_print(ev);
	if (e)
		lib_fail(ev->h, e);
	if (size)
		*size = ev->text.len;
	return e ? NULL : sb_str(&ev->text);
}

PUBLIC int
dtrace_event_fault(const dtrace_event_t *ev)
{
	return ev->fault;
}

PUBLIC uint64_t
dtrace_event_address(const dtrace_event_t *ev)
{
	return ev->address;
}

PUBLIC const char *
dtrace_event_hint(const dtrace_event_t *ev)
{
	return ev->hint;
}

PUBLIC int
dtrace_event_dropkind(const dtrace_event_t *ev)
{
	return ev->kind == DTRACE_EVENT_DROP ? (int)ev->e.drop : -1;
}

PUBLIC uint64_t
dtrace_event_count(const dtrace_event_t *ev)
{
	return ev->e.count ? ev->e.count : 1;
}

PUBLIC uint64_t
dtrace_event_total(const dtrace_event_t *ev)
{
	return ev->e.total ? ev->e.total : dtrace_event_count(ev);
}

PUBLIC int
dtrace_event_status(const dtrace_event_t *ev)
{
	return ev->status;
}

PUBLIC unsigned int
dtrace_event_nactions(const dtrace_event_t *ev)
{
	return (unsigned)ev->actions.n;
}

PUBLIC const dtrace_action_t *
dtrace_event_action(const dtrace_event_t *ev, unsigned int i)
{
	return i < ev->actions.n ? &ev->actions.v[i] : NULL;
}

PUBLIC unsigned int
dtrace_event_nfields(const dtrace_event_t *ev)
{
	return (unsigned)ev->fields.n;
}

PUBLIC const dtrace_field_t *
dtrace_event_field(const dtrace_event_t *ev, unsigned int i)
{
	return i < ev->fields.n ? &ev->fields.v[i] : NULL;
}
