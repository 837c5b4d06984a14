/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The order of things.  A program is looked at from top to bottom, once,
 * except for option pragmas, which come first, and what can only be judged at
 * the end: prints of aggregations, pragmas about names.
 */
#include <assert.h>
#include <string.h>

#include "abi/cfg.h"
#include "sema/call_priv.h"
#include "sema/clause_priv.h"
#include "sema/expand_priv.h"
#include "sema/expr_priv.h"
#include "sema/name_priv.h"
#include "sema/type_priv.h"
#include "type/text.h"

/* --- A session ----------------------------------------------------------- */

static struct hash *
all_hashes(struct sema *s, unsigned i)
{
	struct hash *const h[] = {
		&s->builtin_names, &s->scopes[0], &s->scopes[1],
		&s->scopes[2], &s->agg_names, &s->tags[0], &s->tags[1],
		&s->typedefs[0], &s->typedefs[1], &s->inner_tags,
		&s->providers, &s->bindings, &s->strings, &s->dyns, &s->specs,
		&s->cut_keys,
	};

	return i < BASE_NELEMS(h) ? h[i] : NULL;
}

void
sema_free(struct sema *s)
{
	struct hash *h;

	if (!s)
		return;
	for (unsigned i = 0; (h = all_hashes(s, i)); i++)
		hash_fini(h);
	vec_fini(&s->vars);
	vec_fini(&s->aggs);
	vec_fini(&s->funcs);
	vec_fini(&s->hidden_tags);
	vec_fini(&s->stores);
	vec_fini(&s->key_uses);
	util_free(s);
}

struct err *
sema_new(struct arena *a, struct intern *names, struct opt_set *opts,
	 const struct sema_world *world, struct sema **ret)
{
	struct sema *s = util_zalloc(sizeof(*s));

	if (!s)
		return &err_nomem;
	s->a = a;
	s->names = names;
	s->opts = opts;
	s->world = world;
	s->version = SEMA_VERSION_MAX;
	if (!sema_builtins_init(s)) {
		sema_free(s);
		return &err_nomem;
	}
	*ret = s;
	return NULL;
}

bool
sema_is_type(void *sema, const char *name)
{
	struct sema *s = sema;

	if (hash_gets(&s->typedefs[0], name) ||
	    hash_gets(&s->typedefs[1], name) || type_alias(name))
		return true;
	/* A name that means something already is not asked of the world. */
	if (sema_ident_lookup(s, name))
		return false;
	return sema_type_written(s, NULL, TYPE_TYPEDEF, name) != NULL;
}

bool
sema_is_type_in(struct sema *s, const char *name, unsigned lang_flags)
{
	unsigned before = s->flags;

	s->flags = lang_flags;
	bool is = sema_is_type(s, name);
	s->flags = before;
	return is;
}

uint32_t
sema_version(const struct sema *s)
{
	const char *text = s->opts->s[OPT_VERSION];
	uint32_t version;

	return text && sema_version_parse(text, &version) ? version
							  : SEMA_VERSION_MAX;
}

uint32_t
sema_loopmax(const struct sema *s)
{
	int64_t n = s->opts->v[OPT_LOOPMAX];

	return n < 1 ? 1 : (uint32_t)BASE_MIN(n, (int64_t)UINT32_MAX);
}

struct sema_ident *const *
sema_vars(const struct sema *s, uint32_t *n)
{
	*n = (uint32_t)s->vars.n;
	return s->vars.v;
}

struct sema_ident *const *
sema_aggs(const struct sema *s, uint32_t *n)
{
	*n = (uint32_t)s->aggs.n;
	return s->aggs.v;
}

/* --- Programs that are wrong --------------------------------------------- */

static struct hash *
defined(struct sema *s, unsigned i)
{
	struct hash *const h[] = {
		&s->scopes[0], &s->scopes[1], &s->scopes[2], &s->agg_names,
		&s->tags[0], &s->tags[1], &s->typedefs[0], &s->typedefs[1],
		&s->providers, &s->bindings,
	};

	_Static_assert(BASE_NELEMS(h) ==
		       BASE_NELEMS(((struct sema_mark *)0)->names), "all marked");
	return i < BASE_NELEMS(h) ? h[i] : NULL;
}

static struct sema_mark
take_mark(struct sema *s)
{
	struct sema_mark m = { .nvars = s->vars.n, .naggs = s->aggs.n,
			  .nfuncs = s->funcs.n, .nstores = s->stores.n,
			  .nkey_uses = s->key_uses.n,
			  .xlators = s->xlators };
	struct hash *h;

	for (unsigned i = 0; (h = defined(s, i)); i++)
		m.names[i] = h->n;
	return m;
}

static void
withdraw(struct sema *s, const struct sema_mark *m)
{
	struct hash *h;

	assert(m->nvars <= s->vars.n && m->naggs <= s->aggs.n &&
	       m->nfuncs <= s->funcs.n && m->nstores <= s->stores.n &&
	       m->nkey_uses <= s->key_uses.n);	/* they only grow */
	for (unsigned i = 0; (h = defined(s, i)); i++)
		hash_cut(h, m->names[i]);
	s->vars.n = m->nvars;
	s->aggs.n = m->naggs;
	s->funcs.n = m->nfuncs;
	s->stores.n = m->nstores;
	s->key_uses.n = m->nkey_uses;
	s->xlators = m->xlators;
}

/* --- A program ----------------------------------------------------------- */

static struct lang_span
nowhere(const struct ast_program *p)
{
	return (struct lang_span){ .src = p->src };
}

static void
read_options(struct sema *s, const struct ast_program *p)
{
	const char *version = s->opts->s[OPT_VERSION];
	const char *amin = s->opts->s[OPT_AMIN];
	int64_t strsize = s->opts->v[OPT_STRSIZE];

	s->version = SEMA_VERSION_MAX;
	if (version && *version &&
	    (!sema_version_parse(version, &s->version) ||
	     s->version > SEMA_VERSION_MAX ||
	     s->version < SEMA_VERSION(1, 0, 0)))
		diag(s->d, D_UNKNOWN, nowhere(p), "Requested version is not "
		     "supported by compiler: %s", version);
	s->has_amin = amin && *amin && !(s->flags & LANG_LIBRARY);
	if (s->has_amin && !probe_attr_parse(amin, &s->amin)) {
		diag(s->d, D_UNKNOWN, nowhere(p), "invalid attributes: %s "
		     "(NAME/DATA/CLASS, as in Evolving/Evolving/Common)", amin);
		s->has_amin = false;
	}
	strsize = BASE_MAX(strsize, ABI_STRSIZE_MIN);
	strsize = BASE_MIN(strsize, INT32_MAX);
	if (s->strsize != (uint32_t)strsize)
		sema_builtins_forget(s);
	s->strsize = (uint32_t)strsize;
	s->string = sema_string(s, s->strsize);
}

static void
check_item(struct sema *s, const struct ast_item *i)
{
	switch (i->kind) {
	case AST_ITEM_CLAUSE: sema_clause_check(s, i->u.clause); break;
	case AST_ITEM_DECL: sema_decl(s, i->u.decl); break;
	case AST_ITEM_XLATOR: sema_xlator_define(s, i->u.xlator); break;
	case AST_ITEM_INLINE: sema_inline_define(s, i->u.inl); break;
	case AST_ITEM_PROVIDER: sema_provider_define(s, i->u.provider); break;
	case AST_ITEM_FUNC: sema_func_define(s, i->u.func); break;
	case AST_ITEM_TYPE:
		sema_decl_type(s, i->u.decl, DECL_TYPENAME);
		break;
	default: sema_pragma(s, i->u.pragma);
	}
}

/* Room for what is known of the program being compiled. */
typedef char outer_program[sizeof(struct sema) - offsetof(struct sema, d)];

static void
put_aside(struct sema *s, outer_program outer)
{
	memcpy(outer, &s->d, sizeof(outer_program));
	memset(&s->d, 0, sizeof(outer_program));
}

static void
take_back(struct sema *s, const outer_program outer)
{
	hash_fini(&s->reported);
	hash_fini(&s->idle_aggs);
	hash_fini(&s->ahead);
	vec_fini(&s->late);
	vec_fini(&s->foreign);
	vec_fini(&s->pragmas);
	memcpy(&s->d, outer, sizeof(outer_program));
}

static bool
begin(struct sema *s, const struct ast_program *p, struct diag_list *d,
      unsigned flags)
{
	uint32_t n = 0;

	s->d = s->told = d;
	s->flags = flags;
	s->prog = ARENA_NEW(s->a, struct sema_prog);
	for (const struct ast_item *i = p->items; i; i = i->next)
		n += i->kind == AST_ITEM_CLAUSE;
	if (!s->prog)
		return false;
	s->prog->ast = p;
	s->prog->clauses = ARENA_ARRAY(s->a, struct sema_clause, n);
	return s->prog->clauses != NULL;
}

/* A program without a clause does nothing; that is rarely meant. */
static void
check_empty(struct sema *s, const struct ast_program *p)
{
	if (p->items || s->d->n || s->flags & LANG_LIBRARY ||
	    s->opts->v[OPT_EMPTY] > 0)
		return;
	diag(s->d, D_EMPTY, nowhere(p), "empty D program");
}

static void
check_all(struct sema *s, const struct ast_program *p)
{
	for (const struct ast_item *i = p->items; i; i = i->next)
		if (i->kind == AST_ITEM_PRAGMA)
			sema_pragma_option(s, i->u.pragma);
	read_options(s, p);
	for (const struct ast_item *i = p->items; i; i = i->next)
		if (i->kind == AST_ITEM_FUNC)
			sema_func_declare(s, i->u.func);
	for (const struct ast_item *i = p->items; i; i = i->next)
		check_item(s, i);
	sema_late_check(s);
	sema_foreign_check(s);
	sema_pragmas_end(s);
	check_empty(s, p);
}

struct sema_prog *
sema_program(struct sema *s, const struct ast_program *p, struct diag_list *d,
	     unsigned lang_flags)
{
	struct sema_mark before = take_mark(s);
	unsigned errors = d->n;
	outer_program outer;

	put_aside(s, outer);
	if (begin(s, p, d, lang_flags))
		check_all(s, p);
	struct sema_prog *prog = s->prog;
	s->last = before;
	bool nomem = s->nomem || arena_failed(s->a);
	if (nomem || d->n > errors)
		withdraw(s, &before);
	else
		sema_width_settle(s);
	take_back(s, outer);
	return nomem ? NULL : prog;
}

void
sema_withdraw(struct sema *s)
{
	withdraw(s, &s->last);
}
