/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What ids in records mean, for whoever reads them.
 */
#include "session/session_priv.h"
#include "util/alloc.h"

static const struct consume_epid *
meta_epid(void *ctx, uint32_t epid)
{
	struct session *s = ctx;

	return epid && epid <= s->engine->nepids ? &s->meta.epids[epid - 1]
						 : NULL;
}

static const struct consume_probe *
meta_probe(void *ctx, uint32_t id)
{
	struct session *s = ctx;

	return id && id <= s->meta.nprobes && s->meta.probes[id].id ?
		&s->meta.probes[id] : NULL;
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

static struct err *
fill(struct session *s)
{
	struct session_meta *m = &s->meta;
	uint32_t n = s->engine->nepids;

	for (uint32_t i = 0; i < n; i++)
		m->nprobes = BASE_MAX(m->nprobes, s->engine->epids[i].probe);
	m->epids = util_zalloc((n + 1) * sizeof(*m->epids));
	m->probes = util_zalloc((m->nprobes + 1) * sizeof(*m->probes));
	if (!m->epids || !m->probes)
		return &err_nomem;
	for (uint32_t i = 0; i < n; i++) {
		const struct ebpf_epid *e = &s->engine->epids[i];
		const struct probe *p = prov_by_id(s->prov, e->probe);
		m->epids[i] = (struct consume_epid){
			.probe = e->probe,
			.desc = &s->plan->clauses[e->clause].desc };
		if (p && p->id <= m->nprobes)
			m->probes[p->id] = (struct consume_probe){
				p->id, p->prov, p->mod, p->func, p->name };
	}
	return NULL;
}

struct err *
session_meta_init(struct session *s)
{
	TRY(fill(s));
	s->meta.of = (struct consume_meta){
		.epid = meta_epid, .probe = meta_probe, .agg = meta_agg,
		.file = meta_file, .whole = meta_whole,
		.naggs = s->plan->naggs, .ctx = s,
		.strsize = (uint32_t)s->opts.v[OPT_STRSIZE],
	};
	return NULL;
}

void
session_meta_fini(struct session *s)
{
	util_free(s->meta.epids);
	util_free(s->meta.probes);
}
