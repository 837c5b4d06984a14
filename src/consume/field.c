/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a record says: integers, names of probes, and which actions ran, once or,
 * in the log of a clause with loops, turn by turn.
 */
#include <string.h>

#include "consume/consume_priv.h"

int64_t
consume_field_int(const struct abi_field *f, const void *base)
{
	const uint8_t *p = (const uint8_t *)base + f->offset;
	uint16_t v16;
	uint32_t v32;
	uint64_t v;

	switch (f->size) {
	case 1: v = *p; break;
	case 2: memcpy(&v16, p, 2); v = v16; break;
	case 4: memcpy(&v32, p, 4); v = v32; break;
	case 8: memcpy(&v, p, 8); break;
	default: return 0;
	}
	return f->is_signed ? base_sext(v, f->size * 8) : (int64_t)v;
}

struct base_span
consume_probe_part(const struct consume_meta *m, uint32_t probe,
		   enum abi_probe_part part)
{
	const struct consume_probe *p =
		m->probe ? m->probe(m->ctx, probe) : NULL;

	if (!p || (unsigned)part > ABI_PART_NAME)
		return (struct base_span){ "", 0 };
	const char *const parts[] = { p->prov, p->mod, p->func, p->name };
	const char *text = parts[part] ? parts[part] : "";
	return (struct base_span){ text, m->strsize ?
		strnlen(text, m->strsize - 1) : strlen(text) };
}

static bool
ran(const struct abi_record *r, const struct abi_action *a)
{
	return !a->branch || ((const uint8_t *)(r + 1))[a->branch - 1];
}

static bool
next_entry(const struct abi_clause_desc *d, const struct abi_record *r,
	   struct consume_step *s)
{
	uint32_t at = s->at ? s->at : abi_log_start(d);
	struct abi_entry e;

	if (at >= r->size)
		return false;
	s->base = (const uint8_t *)r + at;
	memcpy(&e, s->base, sizeof(e));
	s->action = &d->actions[e.action];
	s->at = at + e.size;
	return true;
}

bool
consume_next(const struct abi_clause_desc *d, const struct abi_record *r,
	     struct consume_step *s)
{
	if (d->is_log)
		return next_entry(d, r, s);
	s->base = (const uint8_t *)r;
	while (s->at < d->nactions) {
		s->action = &d->actions[s->at++];
		if (ran(r, s->action))
			return true;
	}
	return false;
}

bool
consume_log_fits(const struct abi_clause_desc *d, const void *record,
		 uint32_t size)
{
	struct abi_entry e;

	for (uint32_t at = abi_log_start(d); at < size; at += e.size) {
		if (size - at < sizeof(e))
			return false;
		memcpy(&e, (const uint8_t *)record + at, sizeof(e));
		if (e.action >= d->nactions || e.size > size - at ||
		    e.size != abi_entry_size(d, e.action))
			return false;
	}
	return size >= abi_log_start(d);
}
