/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A firing as the classic calls have it: bytes, and descriptions of them.
 *
 * Descriptions are made anew for each firing, of the actions that ran: in a
 * branch, in a turn of a loop.  Names of probes are numbers in our records, and
 * strings to whoever reads them: then the bytes are a copy, with the strings
 * behind.
 */
#include <string.h>

#include "lib/lib_priv.h"

/* The public names for what the tables have. */
#define ACTION(name, no, class) \
	_Static_assert(DTRACEACT_##name == no, "one number");
#include "abi/action.def"
#undef ACTION
#define AGG(name, no, ...) _Static_assert(DTRACEAGG_##name == no, "one number");
#include "abi/agg.def"
#undef AGG

dtrace_fieldkind_t
lib_field_kind(const struct abi_field *f)
{
	static const dtrace_fieldkind_t kinds[] = {
		[ABI_FIELD_INT] = DTRACE_FIELD_INT,
		[ABI_FIELD_STRING] = DTRACE_FIELD_STRING,
		[ABI_FIELD_BYTES] = DTRACE_FIELD_BYTES,
		[ABI_FIELD_PROBE] = DTRACE_FIELD_STRING,
		[ABI_FIELD_STACK] = DTRACE_FIELD_STACK,
		[ABI_FIELD_USTACK] = DTRACE_FIELD_USTACK,
		[ABI_FIELD_SYM] = DTRACE_FIELD_SYM,
		[ABI_FIELD_MOD] = DTRACE_FIELD_MOD,
		[ABI_FIELD_USYM] = DTRACE_FIELD_USYM,
		[ABI_FIELD_UMOD] = DTRACE_FIELD_UMOD,
		[ABI_FIELD_UADDR] = DTRACE_FIELD_UADDR,
	};
	bool may_float = f->kind == ABI_FIELD_INT || f->kind == ABI_FIELD_BYTES;

	return may_float && f->sub == ABI_MEANS_FLOAT ? DTRACE_FIELD_FLOAT
						      : kinds[f->kind];
}

struct base_span
lib_field_string(const struct consume_meta *m, const struct abi_field *f,
		 const uint8_t *base)
{
	const char *p = (const char *)base + f->offset;
	uint32_t id;

	if (f->kind != ABI_FIELD_PROBE)
		return (struct base_span){ p, strnlen(p, f->size) };
	memcpy(&id, p, sizeof(id));
	return consume_probe_part(m, id, f->sub);
}

void
lib_event_probe(dtrace_probedesc_t *d, const struct consume_event *e)
{
	const struct consume_probe *p = e->probe;

	if (p)
		lib_probedesc(d, p->id, p->prov, p->mod, p->func, p->name);
	else
		lib_probedesc(d, 0, "", "", "", "");
}

void
lib_record_init(struct lib_record *r)
{
	sb_init(&r->bytes, 1u << 30);
}

void
lib_record_fini(struct lib_record *r)
{
	sb_fini(&r->bytes);
	vec_fini(&r->recs);
}

/* --- Descriptions --------------------------------------------------------- */

/* Where the bytes of a field are: those of a name are put behind the record. */
static void
place_field(dtrace_hdl_t *h, const struct consume_event *e,
	    const struct abi_field *f, const uint8_t *base,
	    dtrace_recdesc_t *rec)
{
	struct sb *b = &h->rec.bytes;

	rec->dtrd_kind = lib_field_kind(f);
	rec->dtrd_signed = f->is_signed;
	rec->dtrd_size = f->size;
	rec->dtrd_alignment = f->align;
	rec->dtrd_offset = (uint32_t)(base - (const uint8_t *)e->record) +
			   f->offset;
	if (f->kind != ABI_FIELD_PROBE)
		return;
	struct base_span s = lib_field_string(session_meta(h->s), f, base);
	if (!b->len)
		sb_putn(b, e->record, e->record->size);
	rec->dtrd_offset = (uint32_t)b->len;
	rec->dtrd_size = (uint32_t)s.n + 1;
	rec->dtrd_alignment = 1;
	sb_putn(b, s.p, s.n);
	sb_putc(b, '\0');
}

static bool
add(struct lib_record *r, dtrace_recdesc_t rec)
{
	return vec_push(&r->recs, rec);
}

/* What there is to say of one action: its aggregations, its fields, or that it
 * has none of either. */
static bool
describe(dtrace_hdl_t *h, const struct consume_event *e,
	 const struct consume_step *s, unsigned index)
{
	const struct abi_clause_desc *d = e->epid->desc;
	const struct abi_action *a = s->action;
	const dtrace_recdesc_t plain = {
		.dtrd_action = a->kind, .dtrd_alignment = 1,
		.dtrd_format = a->format != NULL, .dtrd_arg = a->arg,
		.dtrd_index = index, .dtrd_text = a->format,
	};

	for (uint32_t i = 0; i < a->naggs; i++) {
		dtrace_recdesc_t rec = plain;
		rec.dtrd_arg = d->aggids[a->agg + i];
		if (!add(&h->rec, rec))
			return false;
	}
	for (uint32_t i = 0; i < a->nfields; i++) {
		dtrace_recdesc_t rec = plain;
		place_field(h, e, &d->fields[a->field + i], s->base, &rec);
		if (!add(&h->rec, rec))
			return false;
	}
	return a->naggs || a->nfields || add(&h->rec, plain);
}

struct err *
lib_record_open(dtrace_hdl_t *h, const struct consume_event *e)
{
	struct lib_record *r = &h->rec;
	struct consume_step s = { .at = 0 };

	r->recs.n = r->at = r->end = 0;
	sb_reset(&r->bytes);
	for (unsigned i = 0; consume_next(e->epid->desc, e->record, &s); i++)
		if (!describe(h, e, &s, i))
			return &err_nomem;
	if (r->bytes.failed)
		return &err_nomem;
	lib_event_probe(&r->pdesc, e);
	r->edesc = (dtrace_eprobedesc_t){ .dtepd_epid = e->epid_no,
		.dtepd_probeid = e->epid->probe,
		.dtepd_size = r->bytes.len ? (uint32_t)r->bytes.len
					   : e->record->size,
		.dtepd_nrecs = (int)r->recs.n, .dtepd_rec = r->recs.v };
	r->data = (dtrace_probedata_t){ .dtpda_handle = h,
		.dtpda_edesc = &r->edesc, .dtpda_pdesc = &r->pdesc,
		.dtpda_cpu = e->cpu,
		.dtpda_data = r->bytes.len ? r->bytes.p : (char *)e->record,
		.dtpda_timestamp = e->timestamp };
	r->open = true;
	return NULL;
}

void
lib_record_close(dtrace_hdl_t *h)
{
	h->rec.open = false;
}

/* --- Its actions, one by one ------------------------------------------------ */

/* To the descriptions of the action whose turn it is. */
static void
advance(struct lib_record *r)
{
	r->at = r->end;
	while (r->end < r->recs.n &&
	       r->recs.v[r->end].dtrd_index == r->recs.v[r->at].dtrd_index)
		r->end++;
}

struct err *
lib_before(void *ctx, const struct consume_event *e,
	   const struct consume_step *s, bool *skip)
{
	dtrace_hdl_t *h = ctx;
	struct lib_record *r = &h->rec;

	if (!r->open)
		return NULL;
	TRY(fmt_flush(h->fmt));	/* before the function writes, or of the last */
	advance(r);
	for (size_t i = r->at; h->chewrec && i < r->end; i++) {
		int answer = h->chewrec(&r->data, &r->recs.v[i], h->chew_arg);
		if (answer == DTRACE_CONSUME_ERROR ||
		    answer == DTRACE_CONSUME_ABORT)
			return lib_aborted();
		*skip |= answer == DTRACE_CONSUME_NEXT;
	}
	return NULL;
}
