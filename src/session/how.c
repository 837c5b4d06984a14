/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How each provider's probes are attached on this kernel, and what is missing: the
 * first of its ways whose features the kernel has, or else what its last way lacks.
 */
#include <string.h>

#include "kern/kern.h"
#include "prov/how.h"
#include "session/session_priv.h"

struct asking {
	session_how_fn *fn;
	void *ctx;
	const struct kern_feature *features;
	unsigned nfeatures;
};

static const struct kern_feature *
find(const struct asking *a, const char *id, size_t len)
{
	for (unsigned i = 0; i < a->nfeatures; i++)
		if (strlen(a->features[i].id) == len &&
		    !memcmp(a->features[i].id, id, len))
			return &a->features[i];
	return NULL;
}

/* The first feature that way needs and that is not there; NULL: all are. */
static const struct kern_feature *
lacking(const struct asking *a, const struct prov_way *way)
{
	static const struct kern_feature unknown = {
		.name = "a feature that nobody knows", .detail = "",
	};
	const char *p = way->needs;

	for (size_t n; *(p += strspn(p, " ")); p += n) {
		n = strcspn(p, " ");
		const struct kern_feature *f = find(a, p, n);
		if (!f || !f->present)
			return f ? f : &unknown;
	}
	return NULL;
}

static void
tell_ways(const struct asking *a, const struct prov_how *how, struct sb *b,
	  bool *can)
{
	const struct kern_feature *lacks = NULL, *best = NULL;
	const struct prov_way *way = how->ways;

	for (; way->text; way++) {
		lacks = lacking(a, way);
		if (!lacks)
			break;
		if (!best)
			best = lacks;
	}
	*can = way->text;
	if (*can)
		sb_puts(b, way->text);
	if (best)
		sb_printf(b, "%swithout %s: %s", *can ? "; " : "", best->name,
			  best->detail);
}

static void
tell_table(const struct asking *a, const struct prov_how *how, struct sb *b,
	   bool *can)
{
	static const struct prov_way way = { "rawtp btf", "" };
	const struct kern_feature *lacks = lacking(a, &way);

	*can = !lacks && how->absent < how->probes;
	if (lacks) {
		sb_printf(b, "without %s: %s", lacks->name, lacks->detail);
		return;
	}
	sb_printf(b, "%u of %u probes, at tracepoints and functions of the kernel",
		  how->probes - how->absent, how->probes);
	if (how->absent)
		sb_printf(b, "; this kernel has no place for %s", how->missing);
}

static struct err *
tell(void *ctx, const struct prov_how *how)
{
	const struct asking *a = ctx;
	bool can;
	struct sb b;

	if (!how->ways && !how->probes)
		return NULL;
	sb_init(&b, 1 << 16);
	if (how->ways)
		tell_ways(a, how, &b, &can);
	else
		tell_table(a, how, &b, &can);
	bool whole = !b.failed;
	if (whole)
		a->fn(a->ctx, how->name, can, sb_str(&b));
	sb_fini(&b);
	return whole ? NULL : &err_nomem;
}

struct err *
session_hows(struct session *s, session_how_fn *fn, void *ctx)
{
	struct asking a = { .fn = fn, .ctx = ctx };

	a.features = kern_features(&a.nfeatures);
	return prov_hows(s->prov, tell, &a);
}
