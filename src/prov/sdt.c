/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The sdt provider: sdt:GROUP::NAME is the kernel's tracepoint NAME, of which
 * others speak as GROUP:NAME.
 *
 * A program is attached to the raw tracepoint.  It is given the arguments that
 * the kernel's code passes there, a word each, before anybody has written them
 * into an event; so an argument is mostly a pointer to one of the kernel's
 * structs, and BTF tells of which (tracepoints of the kernel have a function
 * __traceiter_NAME that takes them, with names).
 *
 * rawtp:GROUP::NAME is the same probe, with the words alone: its arguments have no
 * types.  Who does not name rawtp means sdt, so that a clause does not run twice.
 *
 * How many words there are differs, and the kernel refuses a program that looks at
 * one that is not there.
 */
#include <string.h>

#include "base/base.h"
#include "prov/sdt_priv.h"

/* A program that looks at the first n words of its context. */
static void
set_point(struct abi_point *pt, enum abi_find find, const char *target,
	  unsigned n)
{
	*pt = (struct abi_point){ .attach = ABI_ATTACH_RAWTP, .find = find,
				  .target = target };
	for (unsigned i = 0; i < n; i++)
		pt->args[i] = (struct abi_arg){ .kind = ABI_ARG_CTX, .size = 8,
						.off = 8 * i };
}

static void
init(void *state)
{
	struct sdt *sdt = state;

	for (unsigned n = 0; n <= ABI_NARGS; n++)
		set_point(&sdt->shared[n], ABI_FIND_COOKIE, "sdt", n);
}

static void
fini(void *state)
{
	struct sdt *sdt = state;

	hash_fini(&sdt->names);
	vec_fini(&sdt->all);
	sb_fini(&sdt->events);
}

/* Of sdt, or rawtp: each has its own. */
static struct sdt *
state(const struct prov_set *s, uint32_t provider)
{
	return s->providers.v[provider].state;
}

/* --- Probes --------------------------------------------------------------- */

static struct err *
offer(struct prov_sink *sink, const struct tracepoint *t)
{
	return prov_add(sink, &(struct prov_new){
		.mod = t->group, .name = t->name, .arg = (uintptr_t)t });
}

static struct err *
discover(struct prov_set *s, const struct probe_desc *d, struct prov_sink *sink)
{
	struct sdt *sdt = state(s, sink->provider);
	struct tracepoint *t;

	if (!prov_sdt_may_match(d->name))
		return NULL;
	if (*d->name && !probe_has_glob(d->name)) {
		TRY(prov_sdt_find(s, sdt, d->name, &t));
		return t ? offer(sink, t) : NULL;
	}
	TRY(prov_sdt_list(s, sdt));
	for (size_t i = 0; i < sdt->all.n; i++)
		TRY(offer(sink, sdt->all.v[i]));
	return NULL;
}

/* Of other systems, and what there is here. */
static const struct { const char *name, *ours; } foreign[] = {
	{ "callout-end", "timer::timer_expire_exit" },
	{ "callout-start", "timer::timer_expire_entry" },
	{ "interrupt-complete", "irq::irq_handler_exit" },
	{ "interrupt-start", "irq::irq_handler_entry" },
	{ "taskq-enqueue", "workqueue::workqueue_queue_work" },
	{ "taskq-exec-end", "workqueue::workqueue_execute_end" },
	{ "taskq-exec-start", "workqueue::workqueue_execute_start" },
};

/* Who may not look into tracefs knows of no groups. */
static struct err *
no_group(struct prov_set *s, const struct probe_desc *d, uint32_t provider,
	 struct sb *b)
{
	struct sdt *sdt = state(s, provider);
	struct tracepoint *t = NULL;

	TRY(prov_sdt_find(s, sdt, d->name, &t));
	if (t && sdt->no_events)
		sb_printf(b, "the groups of tracepoints are not known here (%s); "
			  "%s:::%s is one", sdt->no_events, d->prov, d->name);
	return NULL;
}

static struct err *
missing(struct prov_set *s, const struct probe_desc *d, struct sb *b,
	enum prov_part *part)
{
	uint32_t provider = 0;

	while (provider < s->providers.n &&
	       strcmp(s->providers.v[provider].ops->name, d->prov) != 0)
		provider++;
	if (provider == s->providers.n || *d->func || !*d->name ||
	    probe_has_glob(d->name))
		return NULL;
	*part = PROV_PART_NAME;
	if (prov_tracepoint_harms(s, d->name))
		sb_puts(b, "a program there makes the kernel come there again, without end; "
			"it is left out");
	for (size_t i = 0; i < BASE_NELEMS(foreign); i++)
		if (strcmp(d->name, foreign[i].name) == 0)
			sb_printf(b, "other systems have that; use %s:%s",
				  d->prov, foreign[i].ours);
	if (b->len || !*d->mod)
		return NULL;
	*part = PROV_PART_MOD;
	return no_group(s, d, provider, b);
}

/* --- Arguments ------------------------------------------------------------ */

static struct tracepoint *
of(const struct probe *p)
{
	return (struct tracepoint *)(uintptr_t)p->arg;
}

/* Its function's, or where there is none with names, the typedef's; NULL: BTF does
 * not tell. */
static const struct type *
find_proto(struct prov_set *s, const struct tracepoint *t)
{
	const char *iter = arena_printf(s->arena, ABI_TRACEITER "%s", t->name);
	const char *def = arena_printf(s->arena, ABI_BTF_TRACE "%s", t->name);
	const struct type *f = NULL;

	if (!s->db || !iter || !def)
		return NULL;
	err_free(typedb_symbol(s->db, t->module, iter, &f));
	if (!f)
		err_free(typedb_find(s->db, t->module, TYPE_TYPEDEF, def, &f));
	f = f ? type_strip(f) : NULL;
	if (f && type_is_ptr(f))
		f = type_strip(f->base);
	return f && type_is_func(f) && f->n ? f : NULL;
}

static const struct type *
proto(struct prov_set *s, struct tracepoint *t)
{
	if (!t->was_asked)
		t->proto = find_proto(s, t);
	t->was_asked = true;
	return t->proto;
}

static const struct type *
arg_type(struct prov_set *s, const struct probe *p, unsigned n,
	 const char **name)
{
	const struct type *f = proto(s, of(p));

	if (!f || n + 1 >= f->n || n >= ABI_NARGS)
		return NULL;
	*name = f->u.params[n + 1].name;
	return f->u.params[n + 1].type;
}

static int
nargs(struct prov_set *s, const struct probe *p)
{
	const struct type *f = proto(s, of(p));

	return f ? (int)BASE_MIN(f->n - 1, (uint32_t)ABI_NARGS) : -1;
}

/* --- Sites ---------------------------------------------------------------- */

/* What programs may look at: of a tracepoint of which nobody knows, anything; the
 * kernel will say whether that is there. */
static unsigned
nwords(struct prov_set *s, const struct probe *p)
{
	int n = nargs(s, p);

	return n < 0 ? ABI_NARGS : (unsigned)n;
}

static struct err *
need_point(struct prov_set *s, const struct probe *p)
{
	struct tracepoint *t = of(p);
	struct abi_point *pt;

	if (t->own)
		return NULL;
	pt = ARENA_NEW(s->arena, struct abi_point);
	if (!pt)
		return &err_nomem;
	set_point(pt, ABI_FIND_ONE, t->name, nwords(s, p));
	pt->runs = (uint8_t)prov_tracepoint_runs(t->name);
	TRY(prov_tracepoint_settle(s, t->module, pt));
	t->own = pt;
	return NULL;
}

static struct err *
sites(struct prov_set *s, const struct probe *p, prov_site_fn *fn, void *ctx)
{
	TRY(need_point(s, p));
	const struct abi_point *pt = of(p)->own;
	return fn(ctx, &(struct prov_site){
		.point = pt, .trigger = PROV_TRIGGER_RAWTP,
		.tracepoint = pt->target, .shared = &state(s, p->provider)->shared[nwords(s, p)],
	});
}

/* All of them are identifiers, and none is in capitals. */
static const char *const names[] = { "[0-9_a-z]*", NULL };

static const struct prov_way ways[] = {
	{ "rawtp btf rawtp_cookie", "raw tracepoints; many share a program" },
	{ "rawtp btf", "raw tracepoints, with a program each" },
	{ NULL, NULL }
};

const struct prov_ops prov_sdt_ops = {
	.ways = ways,
	.name = "sdt",
	.attr = PROV_ATTR_RAW,
	.names = names,
	.state_size = sizeof(struct sdt),
	.init = init,
	.fini = fini,
	.discover = discover,
	.missing = missing,
	.sites = sites,
	.arg_type = arg_type,
	.nargs = nargs,
};

/* --- rawtp ---------------------------------------------------------------------- */

static struct err *
discover_raw(struct prov_set *s, const struct probe_desc *d,
	     struct prov_sink *sink)
{
	return strcmp(d->prov, "rawtp") == 0 ? discover(s, d, sink) : NULL;
}

const struct prov_ops prov_rawtp_ops = {
	.ways = ways,
	.name = "rawtp",
	.attr = PROV_ATTR_RAW,
	.names = names,
	.state_size = sizeof(struct sdt),
	.init = init,
	.fini = fini,
	.discover = discover_raw,
	.missing = missing,
	.sites = sites,
};
