/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How the providers' probes are attached, for who asks what this kernel can do.
 * What they need is named, not tried: who loads and attaches tries it.
 */
#include <string.h>

#include "prov/derive.h"
#include "prov/how.h"
#include "prov/prov_priv.h"

static struct err *
of_table(struct prov_set *s, uint32_t provider, struct prov_how *how,
	 struct sb *b)
{
	const struct prov_ops *ops = s->providers.v[provider].ops;

	TRY(prov_ask_all(s, provider));
	how->probes = (unsigned)ops->derived->n;
	TRY(derive_missing(s, provider, b, &how->absent));
	how->missing = sb_str(b);
	return b->failed ? &err_nomem : NULL;
}

struct err *
prov_hows(struct prov_set *s, prov_how_fn *fn, void *ctx)
{
	struct err *e = NULL;

	for (uint32_t i = 0; !e && i < s->providers.n; i++) {
		const struct prov_ops *ops = s->providers.v[i].ops;
		size_t n = strcspn(ops->name, "[*?");	/* behind: any process */
		struct prov_how how = { .ways = ops->ways,
			.name = arena_strndup(s->arena, ops->name, n) };
		if (!how.name)
			return &err_nomem;
		struct sb b;
		sb_init(&b, 1 << 16);
		if (ops->derived)
			e = of_table(s, i, &how, &b);
		if (!e)
			e = fn(ctx, &how);
		sb_fini(&b);
	}
	return e;
}
