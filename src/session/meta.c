/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What ids in records mean, for whoever reads them.
 */
#include "session/run_priv.h"
#include "sym/names.h"
#include "util/alloc.h"

static const struct consume_epid *
meta_epid(void *ctx, uint32_t epid)
{
	const struct session *s = ctx;

	return epid && epid <= s->meta.epids.n ? s->meta.epids.v[epid - 1]
					       : NULL;
}

static const struct consume_probe *
meta_probe(void *ctx, uint32_t id)
{
	const struct session *s = ctx;

	return id < s->meta.probes.n ? s->meta.probes.v[id] : NULL;
}

static bool
add_probe(struct session *s, uint32_t id)
{
	struct session_meta *m = &s->meta;
	const struct probe *p = prov_by_id(s->prov, id);
	struct consume_probe *made;

	while (m->probes.n <= id)
		if (!vec_push(&m->probes, NULL))
			return false;
	if (m->probes.v[id] || !p)
		return true;
	m->probes.v[id] = made = ARENA_NEW(s->a, struct consume_probe);
	if (made)
		*made = (struct consume_probe){ id, p->prov, p->mod, p->func,
						p->name };
	return made;
}

struct err *
session_meta_update(struct session *s)
{
	struct session_meta *m = &s->meta;
	struct plan_epid e;

	while (engine_epid(s->engine, (uint32_t)m->epids.n + 1, &e)) {
		struct consume_epid *made = ARENA_NEW(s->a, struct consume_epid);
		if (!made || !add_probe(s, e.probe) ||
		    !vec_push(&m->epids, made))
			return &err_nomem;
		*made = (struct consume_epid){
			e.probe, &s->plan->clauses[e.clause].desc };
	}
	return NULL;
}

static const struct abi_agg_desc *
meta_agg(void *ctx, uint32_t id)
{
	struct session *s = ctx;

	return id && id <= s->plan->naggs ? &s->plan->aggs[id - 1] : NULL;
}

static const char *
meta_file(void *ctx, uint32_t no)
{
	struct session *s = ctx;

	return no && no <= s->plan->nfiles ? s->plan->files[no - 1] : NULL;
}

static uint64_t
meta_whole(void *ctx, enum abi_field_kind kind, int64_t pid, uint64_t addr)
{
	struct session *s = ctx;

	return sym_names_whole(s->sym_names, kind == ABI_FIELD_USYM ||
			       kind == ABI_FIELD_UMOD, kind == ABI_FIELD_MOD ||
			       kind == ABI_FIELD_UMOD, (int)pid, addr);
}

struct err *
session_meta_init(struct session *s)
{
	s->meta.of = (struct consume_meta){
		.epid = meta_epid, .probe = meta_probe, .agg = meta_agg,
		.file = meta_file, .whole = meta_whole,
		.naggs = s->plan->naggs, .ctx = s,
		.strsize = (uint32_t)s->opts.v[OPT_STRSIZE],
	};
	return session_meta_update(s);
}

void
session_meta_fini(struct session *s)
{
	vec_fini(&s->meta.epids);
	vec_fini(&s->meta.probes);
}
