/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The fbt provider: fbt:MODULE:FUNCTION:entry and :return of every function of the
 * kernel that can be traced (func.h).  All entries have one program, and so have
 * all returns; a cookie says which function it is.  (What fires while another
 * program of this kind runs on that CPU is lost, whichever it is, so a program for
 * each would lose no less.)
 *
 *	entry	arg0 ...	what the function was called with
 *	return	arg0		where in it that was: nothing tells, so it is 0
 *		arg1		what it returns
 */
#include <string.h>

#include "base/base.h"
#include "prov/func_priv.h"
#include "type/make.h"

struct fbt {
	struct abi_point point[2];	/* entry, return */
	bool has_points;
};

/* A probe's arg: its function, and in the lowest bit whether it returns. */
static bool
is_return(const struct probe *p)
{
	return p->arg & 1;
}

static struct prov_func *
of(const struct probe *p)
{
	return (struct prov_func *)(uintptr_t)(p->arg & ~(uint64_t)1);
}

/* --- Probes ----------------------------------------------------------------- */

static struct err *
offer(struct prov_sink *sink, const struct prov_func *f)
{
	struct prov_new n = { .mod = f->module, .func = f->name,
			      .name = "entry", .arg = (uintptr_t)f };

	TRY(prov_add(sink, &n));
	if (f->ends)
		return NULL;
	n.name = "return";
	n.arg |= 1;
	return prov_add(sink, &n);
}

/* Where functions cannot be probed there are none; that is an error for who
 * names this provider. */
static struct err *
may_probe(struct prov_set *s, const struct probe_desc *d, bool *ret)
{
	struct err *e = prov_func_may(s, NULL);

	*ret = !e;
	if (!e || e->code == ERR_NOMEM || strcmp(d->prov, "fbt") == 0)
		return e;
	err_free(e);
	return NULL;
}

static struct err *
discover(struct prov_set *s, const struct probe_desc *d, struct prov_sink *sink)
{
	bool one = *d->func && !probe_has_glob(d->func);
	struct prov_func *all, *f;
	bool may;
	size_t n;

	TRY(may_probe(s, d, &may));
	if (!may)
		return NULL;
	TRY(prov_func_all(s, &all, &n, NULL));
	if (!one)
		f = all;
	else
		TRY(prov_func_find(s, d->func, &f));
	for (; f && f < all + n; f++) {
		if (one && strcmp(f->name, d->func))
			break;
		TRY(offer(sink, f));
	}
	return NULL;
}

static struct err *
functions(struct prov_set *s, prov_function_fn *fn, void *ctx)
{
	struct prov_func *all;
	size_t n;

	TRY(prov_func_all(s, &all, &n, NULL));
	for (size_t i = 0; i < n && fn(ctx, all[i].module, all[i].name); )
		i++;
	return NULL;
}

/* --- Arguments -------------------------------------------------------------- */

static const struct type *
arg_type(struct prov_set *s, const struct probe *p, unsigned n,
	 const char **name)
{
	const struct type *t;

	if (!is_return(p))
		return prov_func_param(s, of(p), n, name);
	if (n == 0) {
		*name = "offset";
		return type_new_typedef(s->arena, "unknown_offset_t",
					&type_ulong);
	}
	t = n == 1 ? prov_func_type(s, of(p)) : NULL;
	if (!t || type_is_void(type_strip(t->base)) ||
	    !type_is_scalar(type_strip(t->base)))
		return NULL;
	return t->base;
}

static int
nargs(struct prov_set *s, const struct probe *p)
{
	const char *name;
	int n = 0;

	if (!is_return(p) && !prov_func_type(s, of(p)))
		return -1;
	while (n < ABI_NARGS && arg_type(s, p, (unsigned)n, &name))
		n++;
	return n;
}

/* --- Sites ------------------------------------------------------------------ */

static struct err *
need_points(struct prov_set *s, struct fbt *b)
{
	bool many;

	if (b->has_points)
		return NULL;
	TRY(prov_func_may(s, &many));
	for (int i = 0; i < 2; i++) {
		prov_func_point(&b->point[i], many, i);
		b->point[i].find = ABI_FIND_COOKIE;
		b->point[i].target = i ? "fbt_return" : "fbt_entry";
	}
	b->point[1].args[1] = b->point[1].args[0];
	b->point[1].args[0] = (struct abi_arg){ .kind = ABI_ARG_CONST };
	b->has_points = true;
	return NULL;
}

static struct err *
sites(struct prov_set *s, const struct probe *p, prov_site_fn *fn, void *ctx)
{
	struct fbt *b = prov_state(s, &prov_fbt_ops);

	TRY(need_points(s, b));
	return prov_func_sites(of(p), &(struct prov_site){
		.point = &b->point[is_return(p)],
		.trigger = PROV_TRIGGER_RAWTP }, fn, ctx);
}

static const char *const names[] = { "entry", "return", NULL };

static const struct prov_way ways[] = {
	{ "kprobe_multi", "by links of many functions (kprobe.multi)" },
	{ "kprobe", "by a perf event for each function" },
	{ NULL, NULL },
};

const struct prov_ops prov_fbt_ops = {
	.name = "fbt",
	.ways = ways,
	.attr = PROV_ATTR_RAW,
	.names = names,
	.is_large = true,
	.state_size = sizeof(struct fbt),
	.discover = discover,
	.functions = functions,
	.sites = sites,
	.arg_type = arg_type,
	.nargs = nargs,
};
