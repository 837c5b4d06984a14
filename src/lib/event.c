/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Events, and what can be asked of them.
 */
#include <string.h>

#include "lib/event_priv.h"

/* --- Making ------------------------------------------------------------------- */

static dtrace_event_t *
new_event(dtrace_hdl_t *h, dtrace_eventkind_t kind,
	  const struct consume_event *e, unsigned nactions, unsigned nfields)
{
	size_t fields = sizeof(dtrace_event_t);
	size_t actions = fields + nfields * sizeof(struct dtrace_field);
	dtrace_event_t *ev = util_alloc(actions + nactions *
					sizeof(dtrace_action_t));

	if (!ev)
		return NULL;
	memset(ev, 0, sizeof(*ev));
	ev->fields = (void *)((char *)ev + fields);
	ev->actions = (void *)((char *)ev + actions);
	ev->h = h;
	ev->refs = 1;
	ev->kind = kind;
	ev->fault = -1;
	sb_init(&ev->text, 1u << 30);
	if (!e)
		return ev;
	ev->e = *e;
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

dtrace_event_t *
lib_event_new(dtrace_hdl_t *h, dtrace_eventkind_t kind,
	      const struct consume_event *e)
{
	return new_event(h, kind, e, 0, 0);
}

/* The aggregations that an action shows are fields, too. */
static unsigned
nshown(const struct abi_action *a)
{
	return a->kind == ABI_ACT_PRINTA ? a->naggs : 0;
}

static void
add_action(dtrace_event_t *ev, const struct consume_step *s)
{
	const struct abi_clause_desc *d = ev->e.epid->desc;
	const struct abi_action *a = s->action;
	unsigned first = ev->nfields;

	for (uint32_t i = 0; i < nshown(a); i++)
		ev->fields[ev->nfields++] = (struct dtrace_field){ ev->h };
	for (uint32_t i = 0; i < a->nfields; i++)
		ev->fields[ev->nfields++] = (struct dtrace_field){ ev->h,
			&d->fields[a->field + i], s->base };
	ev->actions[ev->nactions++] = (dtrace_action_t){ a->kind, first,
		ev->nfields - first, a->format };
}

/* What consume said of the record when it handed it on. */
static struct consume_event
event_of(const struct consume_meta *m, const struct lib_queued *q)
{
	struct consume_event e = { .kind = CONSUME_RECORD, .cpu = q->cpu,
		.timestamp = q->rec.timestamp, .epid_no = q->rec.epid,
		.record = &q->rec };

	e.epid = m->epid(m->ctx, q->rec.epid);
	e.probe = m->probe(m->ctx, e.epid->probe);
	if (e.epid->desc->who)
		e.who = (const void *)((const uint8_t *)&q->rec +
				       e.epid->desc->who);
	return e;
}

dtrace_event_t *
lib_event_of(dtrace_hdl_t *h, struct lib_queued *q)
{
	struct consume_event e = event_of(session_meta(h->s), q);
	struct consume_step s = { .at = 0 };
	unsigned nactions = 0, nfields = 0;

	while (consume_next(e.epid->desc, e.record, &s)) {
		nactions++;
		nfields += nshown(s.action) + s.action->nfields;
	}
	dtrace_event_t *ev = new_event(h, DTRACE_EVENT_RECORD, &e, nactions,
				       nfields);
	if (!ev)
		return NULL;
	ev->queued = q;
	s = (struct consume_step){ .at = 0 };
	while (consume_next(e.epid->desc, e.record, &s))
		add_action(ev, &s);
	return ev;
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
	for (unsigned i = 0; i < ev->nfields; i++)
		dtrace_agg_unref(ev->fields[i].agg);
	sb_fini(&ev->text);
	util_free(ev->queued);
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
	return ev->nactions;
}

PUBLIC const dtrace_action_t *
dtrace_event_action(const dtrace_event_t *ev, unsigned int i)
{
	return i < ev->nactions ? &ev->actions[i] : NULL;
}

PUBLIC unsigned int
dtrace_event_nfields(const dtrace_event_t *ev)
{
	return ev->nfields;
}

PUBLIC const dtrace_field_t *
dtrace_event_field(const dtrace_event_t *ev, unsigned int i)
{
	return i < ev->nfields ? &ev->fields[i] : NULL;
}
