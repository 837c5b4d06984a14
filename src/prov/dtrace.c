/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The dtrace provider: the beginning, the end, and errors.  All three are run
 * by the consumer's own hand or, for ERROR, in place of the clause that
 * failed; so each is a point of its own.
 */
#include "base/base.h"
#include "prov/prov_priv.h"

#define RUN(name) { .attach = ABI_ATTACH_RUN, .find = ABI_FIND_ONE, \
		    .target = name }
#define ERROR_ARG(n) [n] = { .kind = ABI_ARG_ERROR, .size = 8, .off = n }

/* In order of id. */
static const struct {
	const char *name;
	enum prov_trigger trigger;
	struct abi_point point;
} probes[] = {
	{ "BEGIN", PROV_TRIGGER_BEGIN, RUN("BEGIN") },
	{ "END", PROV_TRIGGER_END, RUN("END") },
	{ "ERROR", PROV_TRIGGER_ERROR, {
		.attach = ABI_ATTACH_RUN, .find = ABI_FIND_ONE,
		.target = "ERROR",
		.args = { ERROR_ARG(1), ERROR_ARG(2), ERROR_ARG(3),
			  ERROR_ARG(4), ERROR_ARG(5) },
	} },
};

static const char *const names[] = { "BEGIN", "END", "ERROR", NULL };
_Static_assert(BASE_NELEMS(names) == BASE_NELEMS(probes) + 1, "same names");

static struct err *
discover(struct prov_set *s, const struct probe_desc *d,
	 struct prov_sink *sink)
{
	for (uint32_t i = 0; i < BASE_NELEMS(probes); i++)
		TRY(prov_add(sink, &(struct prov_new){
			.name = probes[i].name, .arg = i, .place = i + 1 }));
	return NULL;
}

static struct err *
sites(struct prov_set *s, const struct probe *p, prov_site_fn *fn, void *ctx)
{
	return fn(ctx, &(struct prov_site){
		.point = &probes[p->arg].point,
		.trigger = probes[p->arg].trigger,
	});
}

static const struct prov_way ways[] = {
	{ "prog_run", "run by the consumer" },
	{ NULL, NULL }
};

const struct prov_ops prov_dtrace_ops = {
	.ways = ways,
	.name = "dtrace",
	.attr = {
		{ PROBE_STABLE, PROBE_STABLE, PROBE_CLASS_COMMON },
		{ PROBE_PRIVATE, PROBE_PRIVATE, PROBE_CLASS_UNKNOWN },
		{ PROBE_PRIVATE, PROBE_PRIVATE, PROBE_CLASS_UNKNOWN },
		{ PROBE_STABLE, PROBE_STABLE, PROBE_CLASS_COMMON },
		{ PROBE_STABLE, PROBE_STABLE, PROBE_CLASS_COMMON },
	},
	.names = names,
	.nplaces = BASE_NELEMS(probes),
	.discover = discover,
	.sites = sites,
};
