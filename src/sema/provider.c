/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Provider definitions, as dtrace -h and -G read them: names within their
 * limits, argument types that exist, and a mapping from native to translated
 * arguments that names parameters.
 */
#include <string.h>

#include "sema/clause_priv.h"
#include "sema/name_priv.h"
#include "sema/type_priv.h"

static void
bad_name(struct sema *s, struct lang_span span, const char *what,
	 const char *name, unsigned max)
{
	diag(s->d, D_PROV_BADNAME, span, "%s name %s is too long: at most %u "
	     "characters", what, name, max - 1);
}

static const struct ast_decl *
find_arg(const struct ast_decl *args, const char *name)
{
	for (; args; args = args->next)
		if (args->name == name)
			return args;
	return NULL;
}

/* Translated arguments name the native ones they are made of. */
static void
check_mapping(struct sema *s, const struct ast_probe_decl *p)
{
	for (const struct ast_decl *d = p->xargs; d; d = d->next)
		if (d->name && !find_arg(p->nargs, d->name))
			diag(s->d, D_DECL_PROTO_NAME, d->span, "probe %s has "
			     "no argument %s to translate", p->name, d->name);
}

static void
check_probe(struct sema *s, const struct ast_probe_decl *p, struct hash *seen)
{
	uint32_t n;

	if (strlen(p->name) >= PROBE_NAMELEN)
		bad_name(s, p->span, "probe", p->name, PROBE_NAMELEN);
	if (sema_seen(s, seen, p->name))
		diag(s->d, D_DECL_IDRED, p->span, "probe redeclared: %s",
		     p->name);
	sema_decl_params(s, p->nargs, &n);
	/* The translated ones may repeat a name: one native argument, seen
	 * in two ways. */
	for (struct ast_decl *d = p->xargs; d; d = d->next)
		sema_decl_type(s, d, DECL_PARAM);
	check_mapping(s, p);
}

void
sema_provider_define(struct sema *s, const struct ast_provider *v)
{
	static const struct probe_attr low = {
		PROBE_PRIVATE, PROBE_PRIVATE, PROBE_CLASS_UNKNOWN
	};
	struct sema_provider *sp = ARENA_NEW(s->a, struct sema_provider);
	struct hash seen;

	if (!sp)
		return;
	if (strlen(v->name) >= PROBE_PROVLEN)
		bad_name(s, v->span, "provider", v->name, PROBE_PROVLEN);
	if (hash_gets(&s->providers, v->name)) {
		diag(s->d, D_DECL_IDRED, v->span, "provider redeclared: %s",
		     v->name);
		return;
	}
	hash_init(&seen);
	for (const struct ast_probe_decl *p = v->probes; p; p = p->next)
		check_probe(s, p, &seen);
	hash_fini(&seen);
	sp->attr = (struct probe_provattr){ low, low, low, low, low };
	sema_had(s, hash_puts(&s->providers, v->name, sp));
}
