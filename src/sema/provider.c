/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Provider definitions, as dtrace -h and -G read them: names within their
 * limits, argument types that exist, and a mapping from native to translated
 * arguments that names parameters.  And what they say of args[] where a program
 * with such probes has brought its own.
 */
#include <string.h>

#include "sema/clause_priv.h"
#include "sema/name_priv.h"
#include "sema/type_priv.h"
#include "type/convert.h"
#include "type/make.h"

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
	struct hash seen = { 0 };

	if (!sp)
		return;
	if (strlen(v->name) >= PROBE_PROVLEN)
		bad_name(s, v->span, "provider", v->name, PROBE_PROVLEN);
	if (hash_gets(&s->providers, v->name)) {
		diag(s->d, D_DECL_IDRED, v->span, "provider redeclared: %s",
		     v->name);
		return;
	}
	for (const struct ast_probe_decl *p = v->probes; p; p = p->next)
		check_probe(s, p, &seen);
	hash_fini(&seen);
	sp->attr = (struct probe_provattr){ low, low, low, low, low };
	sp->ast = v;
	sp->src = s->prog->ast->src;
	sema_had(s, hash_puts(&s->providers, v->name, sp));
}

/* --- args[] of probes that are defined ---------------------------------------- */

static const struct ast_decl *
nth(const struct ast_decl *d, unsigned n)
{
	while (d && n--)
		d = d->next;
	return d;
}

static const struct ast_decl *
seen_args(const struct ast_probe_decl *p)
{
	return lang_args(p->has_xargs ? p->xargs : p->nargs);
}

bool
sema_defined(const struct sema *s, const struct lang_source *src,
	     const char *prov, const char *probe, struct sema_defined *ret)
{
	const struct sema_provider *v = hash_gets(&s->providers, prov);
	const struct ast_probe_decl *p = v && v->src == src ? v->ast->probes
							    : NULL;

	while (p && strcmp(p->name, probe))
		p = p->next;
	if (!p)
		return false;
	*ret = (struct sema_defined){ .probe = p, .attr = v->attr };
	for (const struct ast_decl *d = seen_args(p); d; d = d->next)
		ret->nargs++;
	return true;
}

/* What one register holds: of what has no value itself, where it is. */
static const struct type *
passed(struct sema *s, const struct type *t)
{
	const struct type *to = type_is_string(t) ? &type_char :
				type_is_func(t) ? t :
				type_is_array(t) ? type_strip(t)->base : NULL;

	if (!to)
		return t;
	struct type *p = type_new_ptr(s->a, to);
	if (sema_had(s, p))
		p->is_user = true;
	return p;
}

/* Which of the native arguments a translated one is made of: that of its name, or the
 * one in its place. */
static unsigned
native_of(const struct ast_probe_decl *p, const struct ast_decl *d, unsigned n)
{
	unsigned i = 0;

	if (!p->has_xargs || !d->name)
		return n;
	for (const struct ast_decl *a = p->nargs; a; a = a->next, i++)
		if (a->name == d->name)
			return i;
	return n;
}

bool
sema_defined_arg(struct sema *s, const struct sema_defined *def, unsigned n,
		 struct sema_defined_arg *ret)
{
	const struct ast_decl *d = nth(seen_args(def->probe), n);

	if (!d)
		return false;
	unsigned raw = native_of(def->probe, d, n);
	const struct ast_decl *a = nth(def->probe->nargs, raw);
	if (!a || !a->type || !d->type)
		return false;
	*ret = (struct sema_defined_arg){ .raw = raw, .type = passed(s, a->type) };
	if (type_equal(a->type, d->type))
		return ret->type;
	if (!type_is_ptr(d->type) || !type_is_sou(type_strip(d->type)->base)) {
		ret->type = passed(s, d->type);
		return ret->type;
	}
	ret->xlate = sema_tname(s, d->type);
	return ret->type && ret->xlate;
}
