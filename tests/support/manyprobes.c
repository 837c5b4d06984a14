/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Everything about a probe follows from its number, so a test can tell what it
 * must find.  Texts are written when they are first wanted and stay, as those of
 * a list of symbols would.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "support/manyprobes.h"

enum { NMODS = 100, TEXT = 16 };	/* "func_" and a number */

uint32_t manyprobes_n = 50000;

static char funcs[MANYPROBES_MAX][TEXT], mods[NMODS][TEXT];

static const char *const names[] = { "entry", "return", NULL };

static const char *
text_of(char *at, const char *form, uint32_t i)
{
	if (!*at)
		snprintf(at, TEXT, form, i);
	return at;
}

static struct err *
add(struct prov_sink *sink, uint32_t func)
{
	for (uint32_t i = 0; i < 2; i++)
		TRY(prov_add(sink, &(struct prov_new){
			.mod = text_of(mods[func % NMODS], "mod%02u",
				       func % NMODS),
			.func = text_of(funcs[func], "func_%05u", func),
			.name = names[i], .arg = func * 2 + i }));
	return NULL;
}

/* A function that is named is found by its name; else all are listed. */
static struct err *
discover(struct prov_set *s, const struct probe_desc *d,
	 struct prov_sink *sink)
{
	char *end;

	if (!*d->func || probe_has_glob(d->func)) {
		for (uint32_t i = 0; i < manyprobes_n; i++)
			TRY(add(sink, i));
		return NULL;
	}
	if (strncmp(d->func, "func_", 5) != 0)
		return NULL;
	unsigned long i = strtoul(d->func + 5, &end, 10);
	return *end || i >= manyprobes_n ? NULL : add(sink, (uint32_t)i);
}

static struct err *
functions(struct prov_set *s, prov_function_fn *fn, void *ctx)
{
	for (uint32_t i = 0; i < manyprobes_n &&
	     fn(ctx, text_of(mods[i % NMODS], "mod%02u", i % NMODS),
		text_of(funcs[i], "func_%05u", i)); )
		i++;
	return NULL;
}

static const struct abi_point points[2] = {
	{ .attach = ABI_ATTACH_RAWTP, .find = ABI_FIND_ONE, .target = "one" },
	{ .attach = ABI_ATTACH_RAWTP, .find = ABI_FIND_ONE, .target = "two" },
};

static struct err *
sites(struct prov_set *s, const struct probe *p, prov_site_fn *fn, void *ctx)
{
	uint32_t func = (uint32_t)p->arg / 2;

	for (uint32_t i = 0; i < func % 4; i++)
		TRY(fn(ctx, &(struct prov_site){
			.point = &points[i % 2],
			.trigger = PROV_TRIGGER_RAWTP,
			.file = i % 2 ? "/two" : "/one",
			.offset = p->arg * 64 + i,
			.semaphore = i * 2,
			.moved = 4 }));
	return NULL;
}

static const struct type *
arg_type(struct prov_set *s, const struct probe *p, unsigned n,
	 const char **name)
{
	static struct type text = { .kind = TYPE_PTR, .base = &type_char,
				    .size = 8 };

	*name = n ? "path" : "fd";
	if (p->arg % 2 || n > 1)
		return NULL;
	return n ? &text : &type_int;
}

static int
nargs(struct prov_set *s, const struct probe *p)
{
	return p->arg % 2 ? 0 : 2;
}

const struct prov_ops manyprobes = {
	.name = "many", .names = names, .is_large = true,
	.discover = discover, .functions = functions, .sites = sites, .arg_type = arg_type,
	.nargs = nargs,
};

/* --- Processes ------------------------------------------------------------ */

static struct err *
discover_procs(struct prov_set *s, const struct probe_desc *d,
	       struct prov_sink *sink)
{
	static const unsigned pids[] = { 7, 12, 123 };
	char prov[16];

	for (size_t i = 0; i < BASE_NELEMS(pids); i++) {
		snprintf(prov, sizeof(prov), "proc%u", pids[i]);
		TRY(prov_add(sink, &(struct prov_new){
			.prov = prov, .func = "main", .name = "start",
			.arg = pids[i], .copy = true }));
	}
	return NULL;
}

static struct err *
no_sites(struct prov_set *s, const struct probe *p, prov_site_fn *fn,
	 void *ctx)
{
	return NULL;
}

const struct prov_ops manyprocs = {
	.name = "proc[0-9]*", .discover = discover_procs, .sites = no_sites,
};
