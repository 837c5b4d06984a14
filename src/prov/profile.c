/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The profile provider: profile-N samples every CPU, tick-N fires on one.
 * Any interval exists as soon as somebody names it; a few stand in the list
 * so that it can be seen what names look like.  The program of a firing
 * cannot tell one interval from another, so each probe is a point of its own.
 *
 * A tick is a timer of the consumer, not a sampling event: on an idle CPU the
 * clock behind those may stand still.  But nothing is interrupted by such a
 * timer, so where a clause asks which thread was, a tick is a sampling event on
 * one CPU (session/interrupt.c).
 */
#include <string.h>
#include <strings.h>

#include "base/base.h"
#include "prov/prov_priv.h"

static const uint64_t min_period_ns = 200000;

/* A probe's own data; probe.arg is its address. */
struct interval {
	struct abi_point timer, interrupt;	/* profile-N: the latter */
	uint64_t period_ns;
	bool tick;
};

static const char *const standing[] = {
	"profile-97", "profile-199", "profile-499", "profile-997",
	"profile-1999", "profile-4001", "profile-4999",
	"tick-1", "tick-10", "tick-100", "tick-500", "tick-1000", "tick-5000",
};

static const struct {
	const char *name;
	uint64_t ns;		/* 0: a rate, per second */
} units[] = {
	{ "", 0 }, { "hz", 0 },
	{ "ns", 1 }, { "nsec", 1 },
	{ "us", 1000 }, { "usec", 1000 },
	{ "ms", 1000000 }, { "msec", 1000000 },
	{ "s", 1000000000 }, { "sec", 1000000000 },
	{ "m", 60000000000 }, { "min", 60000000000 },
	{ "h", 3600000000000 }, { "hour", 3600000000000 },
	{ "d", 86400000000000 }, { "day", 86400000000000 },
};

/* Why a name is none. */
enum fault { FINE, NO_NUMBER, NO_UNIT, TOO_OFTEN, TOO_RARE };

/* "997", "10ms". */
static enum fault
parse_period(const char *s, uint64_t *ret)
{
	uint64_t n = 0;
	bool big = false;

	if (*s < '0' || *s > '9')
		return NO_NUMBER;
	for (; *s >= '0' && *s <= '9'; s++)
		big |= __builtin_mul_overflow(n, 10, &n) ||
		       __builtin_add_overflow(n, *s - '0', &n);
	for (size_t i = 0; i < BASE_NELEMS(units); i++) {
		if (strcasecmp(s, units[i].name) != 0)
			continue;
		if (!n && !big)
			return NO_NUMBER;
		if (!units[i].ns)
			*ret = big ? 0 : 1000000000 / n;
		else if (big || __builtin_mul_overflow(n, units[i].ns, ret) ||
			 *ret > INT64_MAX)
			return TOO_RARE;
		return *ret >= min_period_ns ? FINE : TOO_OFTEN;
	}
	return NO_UNIT;
}

static const struct {
	const char *start;
	bool tick;
} kinds[] = { { "profile-", false }, { "tick-", true } };

static uint64_t
parse_name(const char *name, bool *tick)
{
	for (size_t i = 0; i < BASE_NELEMS(kinds); i++) {
		size_t n = strlen(kinds[i].start);
		uint64_t period_ns;
		if (strncmp(name, kinds[i].start, n) == 0) {
			*tick = kinds[i].tick;
			return parse_period(name + n, &period_ns) == FINE
			       ? period_ns : 0;
		}
	}
	return 0;
}

static void
misnamed(const char *name, struct sb *b)
{
	static const char *const texts[] = {
		[NO_NUMBER] = "a rate or an interval follows, as in %s97 and "
			      "%s10ms",
		[NO_UNIT] = "what follows is a whole number with a unit: ns, "
			    "us, ms, s, m, h, d or hz, or none, for hz",
		[TOO_OFTEN] = "such probes fire every 200us at most, which is "
			      "5000hz",
		[TOO_RARE] = "that is longer than 292 years",
	};

	for (size_t i = 0; i < BASE_NELEMS(kinds); i++) {
		const char *start = kinds[i].start;
		size_t n = strlen(start);
		uint64_t period_ns;
		/* The dash may be missing, too. */
		if (strncmp(name, start, n - 1) != 0 ||
		    (name[n - 1] && name[n - 1] != '-'))
			continue;
		enum fault f = parse_period(name + n - 1 + !!name[n - 1],
					    &period_ns);
		if (f != FINE)
			sb_printf(b, texts[f], start, start);
	}
}

/* A name for the program: the kernel takes no dashes. */
const char *
prov_program_name(struct arena *a, const char *name)
{
	char *s = arena_strdup(a, name);

	for (char *p = s; p && *p; p++)
		if (*p == '-')
			*p = '_';
	return s;
}

struct abi_point
prov_interrupt(const char *program)
{
	return (struct abi_point){
		.attach = ABI_ATTACH_PERF, .find = ABI_FIND_ONE,
		.target = program,
		.args = { { .kind = ABI_ARG_KPC }, { .kind = ABI_ARG_UPC } },
	};
}

/* The probe of that name, unless it is not asked for or exists. */
static struct err *
make(struct prov_set *s, struct prov_sink *sink, struct prov_new *n)
{
	bool tick = false, wanted;
	uint64_t period_ns = parse_name(n->name, &tick);

	if (!period_ns)
		return NULL;
	TRY(prov_wants(sink, n, &wanted));
	if (!wanted)
		return NULL;
	struct interval *v = ARENA_NEW(s->arena, struct interval);
	const char *target = prov_program_name(s->arena, n->name);
	if (!v || !target)
		return &err_nomem;
	v->period_ns = period_ns;
	v->tick = tick;
	v->timer = (struct abi_point){
		.attach = ABI_ATTACH_RUN, .find = ABI_FIND_ONE,
		.target = target,
		.args = { { .kind = ABI_ARG_CONST }, { .kind = ABI_ARG_CONST } },
	};
	v->interrupt = prov_interrupt(target);
	n->arg = (uintptr_t)v;
	return prov_add(sink, n);
}

static struct err *
discover(struct prov_set *s, const struct probe_desc *d,
	 struct prov_sink *sink)
{
	for (uint32_t i = 0; i < BASE_NELEMS(standing); i++)
		TRY(make(s, sink, &(struct prov_new){
			.name = standing[i], .place = i + 1 }));
	if (!*d->name || probe_has_glob(d->name))
		return NULL;
	return make(s, sink, &(struct prov_new){
			.name = d->name, .copy = true });
}

static struct err *
sites(struct prov_set *s, const struct probe *p, prov_site_fn *fn, void *ctx)
{
	const struct interval *v = (const void *)(uintptr_t)p->arg;

	return fn(ctx, &(struct prov_site){
		.point = v->tick ? &v->timer : &v->interrupt,
		.trigger = v->tick ? PROV_TRIGGER_TICK : PROV_TRIGGER_PROFILE,
		.interrupt = v->tick ? &v->interrupt : NULL,
		.period_ns = v->period_ns,
	});
}

static const char *const names[] = { "profile-*", "tick-*", NULL };

static const struct prov_way ways[] = {
	{ "prog_run perf_link", "perf events of each CPU, and a timer of the consumer for tick" },
	{ "prog_run", "a timer of the consumer for tick; no profile-N" },
	{ NULL, NULL }
};

const struct prov_ops prov_profile_ops = {
	.ways = ways,
	.name = "profile",
	.attr = {
		{ PROBE_EVOLVING, PROBE_EVOLVING, PROBE_CLASS_COMMON },
		{ PROBE_UNSTABLE, PROBE_UNSTABLE, PROBE_CLASS_UNKNOWN },
		{ PROBE_PRIVATE, PROBE_PRIVATE, PROBE_CLASS_UNKNOWN },
		{ PROBE_EVOLVING, PROBE_EVOLVING, PROBE_CLASS_COMMON },
		{ PROBE_EVOLVING, PROBE_EVOLVING, PROBE_CLASS_COMMON },
	},
	.names = names,
	.nplaces = BASE_NELEMS(standing),
	.discover = discover,
	.sites = sites,
	.misnamed = misnamed,
};
