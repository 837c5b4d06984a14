/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Descriptions of clauses and aggregations.  What is read is checked here as far
 * as it could lead out of its own arrays; what it says of records and keys is
 * checked by the consumer, as is that of a running kernel.
 */
#include "save/save_priv.h"

enum { MANY = 1 << 20 };	/* fields, actions: more make no sense */

void
save_put_agg(struct sb *b, const struct abi_agg_desc *d)
{
	struct save_agg s = { d->id, d->func, d->arg, d->nkeys, d->key_size,
			      d->ncells, d->key_names != NULL };
	size_t at = save_frame_begin(b, SAVE_AGG);

	sb_putn(b, &s, sizeof(s));
	save_put_text(b, d->name);
	save_put(b, d->keys, d->nkeys * sizeof(*d->keys));
	for (uint32_t i = 0; d->key_names && i < d->nkeys; i++)
		save_put_text(b, d->key_names[i] ? d->key_names[i] : "");
	save_frame_end(b, at);
}

static void
put_action(struct sb *b, const struct abi_action *a)
{
	uint32_t text = a->format ? (uint32_t)strlen(a->format) + 1 : 0;
	struct save_action s = { a->kind, a->branch, a->nfields, a->field,
				 a->agg, a->naggs, a->arg, text, 0 };
	size_t at = b->len;

	sb_putn(b, &s, sizeof(s));
	if (a->format)
		save_put_text(b, a->format);
	size_t types = b->len;
	if (a->type)
		save_put_types(b, a->type);
	s.types = (uint32_t)(b->len - types);
	if (!b->failed)
		memcpy(b->p + at, &s, sizeof(s));
}

void
save_put_desc(struct sb *b, uint32_t id, const struct abi_clause_desc *d)
{
	struct save_desc s = {
		id, d->record_size, d->nbranches, d->nactions, d->nfields,
		d->naggids, d->spec, d->who, d->is_log, 0
	};
	size_t at = save_frame_begin(b, SAVE_DESC);

	sb_putn(b, &s, sizeof(s));
	save_put(b, d->fields, d->nfields * sizeof(*d->fields));
	for (uint32_t i = 0; i < d->naggids; i++) {
		uint64_t agg = d->aggids[i];
		sb_putn(b, &agg, sizeof(agg));
	}
	for (uint32_t i = 0; i < d->nactions; i++)
		put_action(b, &d->actions[i]);
	save_frame_end(b, at);
}

/* --- Reading --------------------------------------------------------------- */

_Static_assert(sizeof(struct abi_field) % 4 == 0, "as it stands in the file");

static bool
is_size(uint32_t n)
{
	return n == 1 || n == 2 || n == 4 || n == 8;
}

/* Of an INT: it is of no other type, or of a smaller one. */
static bool
is_int_of(uint32_t sub)
{
	return !ABI_INT_COLUMNS(sub) || (ABI_INT_BYTES(sub) < 8 &&
					 is_size(ABI_INT_BYTES(sub)));
}

/* Can whoever prints it rely on its size? */
static bool
field_makes_sense(const struct abi_field *f)
{
	switch ((enum abi_field_kind)f->kind) {
	case ABI_FIELD_INT:
		return is_size(f->size) && is_int_of(f->sub);
	case ABI_FIELD_PROBE:
		return f->size == 4 && f->sub <= ABI_PART_NAME;
	case ABI_FIELD_SYM: case ABI_FIELD_MOD:
		return f->size == 8;
	case ABI_FIELD_USYM: case ABI_FIELD_UMOD: case ABI_FIELD_UADDR:
		return f->size == 16;
	case ABI_FIELD_STACK: case ABI_FIELD_USTACK:
		return f->size % 8 == 0 && f->size >= 8;
	case ABI_FIELD_STRING: case ABI_FIELD_BYTES:
		return f->size > 0;
	}
	return false;
}

static struct abi_field *
take_fields(struct save_cursor *c, struct arena *a, uint32_t n)
{
	const struct abi_field *from;
	struct abi_field *to;

	if (n > MANY)
		return NULL;
	from = save_take(c, n * sizeof(*from));
	to = from ? ARENA_ARRAY(a, struct abi_field, n + 1) : NULL;
	if (!to)
		return NULL;
	memcpy(to, from, n * sizeof(*to));
	for (uint32_t i = 0; i < n; i++)
		if (!field_makes_sense(&to[i]) || !is_size(to[i].align))
			return NULL;
	return to;
}

struct abi_agg_desc *
save_take_agg(struct save_cursor *c, struct arena *a)
{
	const struct save_agg *s = save_take(c, sizeof(*s));
	struct abi_agg_desc *d = ARENA_NEW(a, struct abi_agg_desc);
	const char *name = s ? save_take_text(c, 0) : NULL, **names;

	if (!name || !d || s->nkeys > 4096 || s->key_size > MANY ||
	    s->key_size % 4)
		return NULL;
	*d = (struct abi_agg_desc){
		.name = arena_strdup(a, name), .id = s->id, .func = s->func,
		.arg = s->arg, .nkeys = s->nkeys, .key_size = s->key_size,
		.ncells = s->ncells, .keys = take_fields(c, a, s->nkeys),
	};
	names = ARENA_ARRAY(a, const char *, s->nkeys + 1);
	if (!d->name || !d->keys || !names)
		return NULL;
	for (uint32_t i = 0; s->has_names && i < s->nkeys; i++) {
		const char *text = save_take_text(c, 0);
		if (!text || !(names[i] = arena_strdup(a, text)))
			return NULL;
		if (!*text)
			names[i] = NULL;
	}
	d->key_names = s->has_names ? names : NULL;
	return d;
}

static bool
take_action(struct save_cursor *c, struct arena *a, struct abi_action *ret)
{
	const struct save_action *s = save_take(c, sizeof(*s));

	if (!s || s->nfields > UINT16_MAX || s->branch > UINT16_MAX)
		return false;
	*ret = (struct abi_action){
		.kind = s->kind, .branch = (uint16_t)s->branch,
		.nfields = (uint16_t)s->nfields, .field = s->field,
		.agg = s->agg, .naggs = s->naggs, .arg = s->arg,
	};
	if (s->format) {
		const char *text = save_take_text(c, s->format);
		ret->format = text ? arena_strdup(a, text) : NULL;
	}
	if (s->types)
		ret->type = save_take_types(c, s->types, a);
	return (!s->format || ret->format) && (!s->types || ret->type);
}

/* What the printers of these take for granted of their fields. */
static bool
action_makes_sense(const struct abi_action *a, const struct abi_field *f)
{
	switch (abi_action_class(a->kind)) {
	case ABI_DOES_FORMAT:
		return a->format;
	case ABI_DOES_TYPED:
		return a->type && a->nfields == 1 &&
		       type_size(a->type) <= f[a->field].size;
	case ABI_DOES_EXIT:
		return a->nfields == 1 && f[a->field].kind == ABI_FIELD_INT;
	default:
		return true;
	}
}

static bool
take_actions(struct save_cursor *c, struct arena *a, struct abi_clause_desc *d)
{
	struct abi_action *acts;

	if (d->nactions > c->left / sizeof(struct save_action))
		return false;
	d->actions = acts = ARENA_ARRAY(a, struct abi_action, d->nactions + 1);
	for (uint32_t i = 0; acts && i < d->nactions; i++)
		if (!take_action(c, a, &acts[i]) ||
		    acts[i].field > d->nfields ||
		    acts[i].nfields > d->nfields - acts[i].field ||
		    acts[i].agg > d->naggids ||
		    acts[i].naggs > d->naggids - acts[i].agg ||
		    !action_makes_sense(&acts[i], d->fields))
			return false;
	return acts;
}

struct abi_clause_desc *
save_take_desc(struct save_cursor *c, struct arena *a, uint32_t *id)
{
	const struct save_desc *s = save_take(c, sizeof(*s));
	struct abi_clause_desc *d = ARENA_NEW(a, struct abi_clause_desc);
	const uint64_t *aggs;
	uint32_t *aggids;

	if (!s || !d || s->nbranches > UINT16_MAX || s->nactions > UINT16_MAX ||
	    s->naggids > MANY)
		return NULL;
	*d = (struct abi_clause_desc){
		.record_size = s->record_size,
		.nbranches = (uint16_t)s->nbranches,
		.nactions = (uint16_t)s->nactions, .nfields = s->nfields,
		.naggids = s->naggids, .spec = s->spec, .who = s->who,
		.is_log = s->is_log, .fields = take_fields(c, a, s->nfields),
	};
	aggs = save_take(c, s->naggids * sizeof(*aggs));
	aggids = ARENA_ARRAY(a, uint32_t, s->naggids + 1);
	if (!d->fields || !aggs || !aggids)
		return NULL;
	for (uint32_t i = 0; i < s->naggids; i++)
		aggids[i] = (uint32_t)aggs[i];
	d->aggids = aggids;
	*id = s->id;
	return take_actions(c, a, d) ? d : NULL;
}
