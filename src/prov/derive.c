/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Providers that are tables (derive.h): which of their probes can be on this
 * kernel, the types of their arguments, and their sites.
 *
 * Whether D of a site compiles here is not known yet: the session finds out when
 * the probe is enabled.  A probe exists if the target of one of its sites does.
 * Without BTF there are none: their D is about the kernel's types.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "prov/derive.h"
#include "prov/event.h"
#include "prov/func.h"
#include "prov/prov_priv.h"
#include "type/text.h"

enum { TYPE_TEXT = 128, TYPES_MAX = ABI_NARGS };

static const struct derive_table *
table_of(const struct prov_set *s, uint32_t provider)
{
	return s->providers.v[provider].ops->derived;
}

/* --- Which there are ------------------------------------------------------------ */

/* What a tracepoint passes, by the type of the functions that take it: the first
 * parameter is theirs. */
static uint32_t
count_args(const struct type *t)
{
	t = type_strip(t);
	if (type_is_ptr(t))
		t = type_strip(t->base);
	return type_is_func(t) && t->n ? t->n - 1 : 0;
}

/* What a module has may be built into the kernel. */
static struct err *
type_near(struct prov_set *s, const struct derive_site *site, enum type_kind kind,
	  const char *name, const struct type **ret)
{
	struct err *e = typedb_find(s->db, NULL, kind, name, ret);

	if (!e && !*ret && site->module)
		e = typedb_find(s->db, site->module, kind, name, ret);
	return e;
}

static struct err *
has_tracepoint(struct prov_set *s, const struct derive_site *site, bool *ret)
{
	char text[TYPE_TEXT];
	const struct type *t = NULL;

	*ret = false;
	if (!s->db)
		return NULL;
	assert(strlen(site->target) + sizeof(ABI_BTF_TRACE) <= sizeof(text));
	snprintf(text, sizeof(text), ABI_BTF_TRACE "%s", site->target);
	if (site->passes) {
		struct err *e = type_near(s, site, TYPE_STRUCT, site->passes, &t);
		if (e || !t)
			return err_only_nomem(e);
	}
	struct err *e = type_near(s, site, TYPE_TYPEDEF, text, &t);
	*ret = !e && t && count_args(t) >= site->nargs;
	return err_only_nomem(e);
}

/* Where functions cannot be probed there are none. */
static struct err *
has_function(struct prov_set *s, const char *name, bool *ret)
{
	struct prov_func *f = NULL;

	TRY(err_only_nomem(prov_func_find(s, name, &f)));
	*ret = s->db && f;
	return NULL;
}

static struct err *
look_for(struct prov_set *s, const struct derive_site *site, bool *ret)
{
	struct abi_point pt;
	struct prov_site at = { .point = NULL };

	switch (site->kind) {
	case DERIVE_TRACEPOINT:
		return has_tracepoint(s, site, ret);
	case DERIVE_CALL:
	case DERIVE_RETURN:
		*ret = s->db && prov_syscall_site(site->target, false, &pt,
						  &at);
		return NULL;
	case DERIVE_EVENT:
		*ret = s->db && prov_event(site->target);
		return NULL;
	default:
		return has_function(s, site->target, ret);
	}
}

/* Is there the target of site i of the row?  Asked once. */
static struct err *
has_target(struct prov_set *s, uint32_t provider, size_t row, size_t i,
	   bool *ret)
{
	struct derived *d = s->providers.v[provider].state;
	const struct derive_site *site =
		&table_of(s, provider)->probes[row].sites[i];

	*ret = false;
	if (site->kind == DERIVE_END)
		return NULL;
	if (d[row].site[i].is == DERIVE_UNKNOWN) {
		TRY(look_for(s, site, ret));
		d[row].site[i].is = *ret ? DERIVE_PRESENT : DERIVE_ABSENT;
	}
	*ret = d[row].site[i].is == DERIVE_PRESENT;
	return NULL;
}

static struct err *
exists(struct prov_set *s, uint32_t provider, size_t row, bool *ret)
{
	*ret = false;
	for (size_t i = 0; i < DERIVE_SITES && !*ret; i++)
		if (!table_of(s, provider)->probes[row].sites[i].for_ustack)
			TRY(has_target(s, provider, row, i, ret));
	return NULL;
}

struct err *
derive_missing(struct prov_set *s, uint32_t provider, struct sb *b,
	       unsigned *ret)
{
	const struct derive_table *t = table_of(s, provider);
	unsigned n = 0;
	bool there;

	for (size_t i = 0; i < t->n; i++) {
		TRY(exists(s, provider, i, &there));
		if (!there)
			sb_printf(b, "%s%s", n++ ? " " : "", t->probes[i].name);
	}
	*ret = n;
	return NULL;
}

struct err *
derive_discover(struct prov_set *s, const struct probe_desc *d,
		struct prov_sink *sink)
{
	const struct derive_table *t = table_of(s, sink->provider);

	for (size_t i = 0; i < t->n; i++) {
		struct prov_new n = { .mod = PROBE_KERNEL, .arg = i,
				      .name = t->probes[i].name };
		bool wanted, there;
		TRY(prov_wants(sink, &n, &wanted));
		if (!wanted)
			continue;
		TRY(exists(s, sink->provider, i, &there));
		if (there)
			TRY(prov_add(sink, &n));
	}
	return NULL;
}

/* --- Names that other systems have ------------------------------------------------ */

static const struct name_alias {
	const char *prov, *foreign, *ours;
} name_aliases[] = {
#define ALIAS_NAME(prov, foreign, ours) { prov, foreign, ours },
#define ALIAS_FUNC(func)
#include "prov/derive_alias.def"
#undef ALIAS_NAME
#undef ALIAS_FUNC
};

static const char *const func_aliases[] = {
#define ALIAS_NAME(prov, foreign, ours)
#define ALIAS_FUNC(func) func,
#include "prov/derive_alias.def"
#undef ALIAS_NAME
#undef ALIAS_FUNC
};

bool
derive_is_foreign_name(const struct probe *p, const char *name)
{
	for (size_t i = 0; i < BASE_NELEMS(name_aliases); i++) {
		const struct name_alias *a = &name_aliases[i];
		if (strcmp(name, a->foreign) == 0 &&
		    (!p || (strcmp(p->prov, a->prov) == 0 && strcmp(p->name, a->ours) == 0)))
			return true;
	}
	return false;
}

/* Ours are in no function. */
unsigned
derive_aliases(const char *func, const char *ret[PROV_MAX_ALIASES])
{
	if (!BASE_ANY(i, BASE_NELEMS(func_aliases), strcmp(func, func_aliases[i]) == 0))
		return 0;
	ret[0] = "";
	return 1;
}

bool
derive_may_match(const struct derive_table *t, const struct probe_desc *d)
{
	return BASE_ANY(i, t->n, probe_globs_meet(d->name, t->probes[i].name)) ||
	       derive_is_foreign_name(NULL, d->name);
}

/* A probe that is not here, or those of a pattern. */
struct foreign {
	const char *prov, *names, *why;
	const char *types;	/* as derive_probe.types */
	const struct derive_site *at;	/* the first place of a row of the table, or NULL */
};

static const struct foreign foreign_rows[] = {
#define FOREIGN(prov, names, why) { prov, names, why, NULL, NULL },
#define FOREIGN_ARGS(prov, names, why, types) { prov, names, why, types, NULL },
#include "prov/derive_foreign.def"
#undef FOREIGN
#undef FOREIGN_ARGS
};

/* What d names; a pattern of the description or of the row. */
static bool
find_foreign(const struct prov_ops *ops, const struct probe_desc *d,
	     struct foreign *ret)
{
	const struct derive_table *t = ops->derived;

	if (strcmp(d->prov, ops->name) != 0 || *d->func || !*d->name ||
	    !probe_mod_match(d->mod, PROBE_KERNEL))
		return false;
	for (size_t i = 0; i < t->n; i++) {
		*ret = (struct foreign){ ops->name, t->probes[i].name,
				 "", t->probes[i].types, t->probes[i].sites };
		if (probe_globs_meet(d->name, ret->names))
			return true;
	}
	for (size_t i = 0; i < BASE_NELEMS(foreign_rows); i++) {
		*ret = foreign_rows[i];
		if (strcmp(ret->prov, ops->name) == 0 &&
		    probe_globs_meet(d->name, ret->names))
			return true;
	}
	return false;
}

bool
derive_foreign(const struct prov_set *s, const struct prov_ops *ops,
	       const struct probe_desc *d, struct sb *b)
{
	static const char *const kinds[] = {
		[DERIVE_TRACEPOINT] = "tracepoint", [DERIVE_CALL] = "system call",
		[DERIVE_RETURN] = "system call", [DERIVE_FUNC] = "function",
		[DERIVE_FUNC_RETURN] = "function", [DERIVE_EVENT] = "perf event",
	};
	struct foreign f;

	if (!find_foreign(ops, d, &f))
		return false;
	sb_printf(b, "%s:::%s", d->prov, d->name);
	if (f.at && !s->db)
		sb_printf(b, " (made of the kernel's types, which are not here)");
	else if (f.at)
		sb_printf(b, " (made at the %s %s, which %s)", kinds[f.at->kind],
			  f.at->target, strcmp(kinds[f.at->kind], "function") == 0 ?
			  "cannot be probed here" : "is not here");
	else if (*f.why)
		sb_printf(b, " (%s)", f.why);
	return true;
}

/* --- Arguments ------------------------------------------------------------------ */

static const struct derive_probe *
row_of(const struct prov_set *s, const struct probe *p)
{
	return &table_of(s, p->provider)->probes[p->arg];
}

static struct base_span
trim(const char *p, size_t n)
{
	while (n && *p == ' ') {
		p++;
		n--;
	}
	while (n && p[n - 1] == ' ')
		n--;
	return (struct base_span){ p, n };
}

/* The n-th of texts with `;` between them; .p NULL: there is none. */
static struct base_span
nth(const char *text, unsigned n)
{
	for (; text && n; n--) {
		text = strchr(text, ';');
		text += text != NULL;
	}
	if (!text)
		return (struct base_span){ NULL, 0 };
	return trim(text, strcspn(text, ";"));
}

static const struct type *
find_type(void *ctx, enum type_kind kind, const char *name)
{
	struct prov_set *s = ctx;
	const struct type *t = NULL;

	if (s->db)
		err_free(typedb_find(s->db, NULL, kind, name, &t));
	return t;
}

static const struct type *
arg_type(struct prov_set *s, const char *types, unsigned n)
{
	struct base_span all = nth(types, n);
	const char *xlate = all.p ? memchr(all.p, '>', all.n) : NULL;
	struct base_span own;
	const char *text;

	if (!all.p)
		return NULL;
	own = trim(all.p, xlate ? (size_t)(xlate - all.p) : all.n);
	text = arena_strndup(s->arena, own.p, own.n);
	return text ? type_parse(s->arena, text, find_type, s) : NULL;
}

static const char *
arg_xlate(struct prov_set *s, const char *types, unsigned n)
{
	struct base_span all = nth(types, n);
	const char *xlate = all.p ? memchr(all.p, '>', all.n) : NULL;
	struct base_span own;

	if (!xlate)
		return NULL;
	own = trim(xlate + 1, all.n - (size_t)(xlate + 1 - all.p));
	return arena_strndup(s->arena, own.p, own.n);
}

const struct type *
derive_arg_type(struct prov_set *s, const struct probe *p, unsigned n,
		const char **name)
{
	return arg_type(s, row_of(s, p)->types, n);
}

const char *
derive_arg_xlate(struct prov_set *s, const struct probe *p, unsigned n)
{
	return arg_xlate(s, row_of(s, p)->types, n);
}

const struct type *
derive_foreign_arg(struct prov_set *s, const struct prov_ops *ops,
		   const struct probe_desc *d, unsigned n, const char **xlate)
{
	struct foreign f;

	if (!find_foreign(ops, d, &f))
		return NULL;
	*xlate = arg_xlate(s, f.types, n);
	return arg_type(s, f.types, n);
}

int
derive_nargs(struct prov_set *s, const struct probe *p)
{
	const char *types = row_of(s, p)->types;
	int n = types != NULL;

	for (; types && (types = strchr(types, ';')); types++)
		n++;
	assert(n <= TYPES_MAX);
	return n;
}

/* --- Sites ---------------------------------------------------------------------- */

static void
tracepoint(struct abi_point *pt, const struct derive_site *row,
	   struct prov_site *site)
{
	*pt = (struct abi_point){
		.attach = row->thread ? ABI_ATTACH_TP_BTF : ABI_ATTACH_RAWTP,
		.find = ABI_FIND_ONE, .target = row->target,
		.thread = row->thread,
		.runs = row->thread ? ABI_RUNS_TASK :
				      prov_tracepoint_runs(row->target),
		.spare = pt->spare,
	};
	for (unsigned i = 0; i < ABI_NARGS; i++)
		pt->args[i] = (struct abi_arg){ .kind = ABI_ARG_CTX, .size = 8,
						.off = 8 * i };
	site->point = pt;
	site->trigger = PROV_TRIGGER_RAWTP;
}

static struct err *
function(struct prov_set *s, const struct derive_site *row,
	 struct abi_point *pt)
{
	bool many;

	TRY(prov_func_may(s, &many));
	prov_func_point(pt, many, row->kind == DERIVE_FUNC_RETURN);
	pt->target = row->target;
	return NULL;
}

static void
event(struct abi_point *pt, const char *name, struct prov_site *site)
{
	*pt = (struct abi_point){
		.attach = ABI_ATTACH_PERF, .find = ABI_FIND_ONE, .target = name,
		.args = { { .kind = ABI_ARG_KPC }, { .kind = ABI_ARG_UPC } },
	};
	site->point = pt;
	site->trigger = PROV_TRIGGER_EVENT;
	site->event = prov_event(name);
}

static bool
is_call(const struct derive_site *row)
{
	return row->kind == DERIVE_CALL || row->kind == DERIVE_RETURN;
}

static bool
texts_equal(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Do they differ in the call alone? */
static bool
are_alike(const struct derive_site *a, const struct derive_site *b)
{
	return a->kind == b->kind && !a->choice && !b->choice &&
	       a->setup == b->setup && texts_equal(a->when, b->when) &&
	       texts_equal(a->values, b->values);
}

/* The point that sites of other calls have, whose D is the same: one program finds all of
 * them by the number of the call.  NULL: none, or one has this call. */
static struct abi_point *
find_alike(const struct derived *d, const struct derive_table *t,
	   const struct derive_site *row)
{
	struct abi_point *found = NULL;

	for (size_t i = 0; i < t->n; i++)
		for (size_t k = 0; k < DERIVE_SITES; k++) {
			const struct derive_site *other = &t->probes[i].sites[k];
			if (!d[i].site[k].point || !are_alike(other, row))
				continue;
			if (strcmp(other->target, row->target) == 0)
				return NULL;
			found = d[i].site[k].point;
		}
	return found;
}

/* The point at *at, which is the same each time. */
static struct err *
make_point(struct prov_set *s, const struct derive_site *row, uint8_t rank,
	   struct abi_point **at, struct prov_site *site)
{
	if (!*at)
		*at = ARENA_NEW(s->arena, struct abi_point);
	if (!*at)
		return &err_nomem;
	switch (row->kind) {
	case DERIVE_TRACEPOINT:
		tracepoint(*at, row, site);
		(*at)->rank = rank;
		return prov_tracepoint_settle(s, row->module ? row->module :
					      PROBE_KERNEL, *at);
	case DERIVE_FUNC:
	case DERIVE_FUNC_RETURN:
		site->point = *at;
		site->trigger = PROV_TRIGGER_RAWTP;
		return function(s, row, *at);
	case DERIVE_EVENT:
		event(*at, row->target, site);
		break;
	default:
		prov_syscall_site(row->target, row->kind == DERIVE_RETURN, *at,
				  site);
		return prov_tracepoint_settle(s, PROBE_KERNEL, *at);
	}
	return NULL;
}

static struct err *
function_sites(struct prov_set *s, const struct derive_site *row,
	       const struct prov_site *site, prov_site_fn *fn, void *ctx)
{
	struct prov_func *f = NULL;

	TRY(prov_func_find(s, row->target, &f));
	return f ? prov_func_sites(f, site, fn, ctx) : NULL;
}

struct err *
derive_sites(struct prov_set *s, const struct probe *p, prov_site_fn *fn,
	     void *ctx)
{
	struct derived *d = s->providers.v[p->provider].state;
	const struct derive_probe *r = row_of(s, p);
	uint32_t chosen = 0;		/* 1 << choice of a site that is here */

	assert(d);
	for (size_t i = 0; i < DERIVE_SITES; i++) {
		const struct derive_site *row = &r->sites[i];
		struct prov_site site = {
			.when = row->when, .setup = row->setup,
			.target = row->target,
			.values = row->values ? row->values : "0",
			.choice = row->choice,
		};
		bool there;
		if (row->for_ustack && (!(s->looks & PROV_LOOKS_USTACK) ||
					(chosen & 1u << row->choice)))
			continue;
		TRY(has_target(s, p->provider, p->arg, i, &there));
		if (!there)
			continue;
		chosen |= 1u << row->choice;
		struct abi_point **point = &d[p->arg].site[i].point;
		if (!*point && is_call(row))
			*point = find_alike(d, table_of(s, p->provider), row);
		TRY(make_point(s, row, (uint8_t)p->arg, point, &site));
		if (row->kind == DERIVE_FUNC || row->kind == DERIVE_FUNC_RETURN)
			TRY(function_sites(s, row, &site, fn, ctx));
		else
			TRY(fn(ctx, &site));
	}
	return NULL;
}
