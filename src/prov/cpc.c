/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The cpc provider: EVENT-MODE-COUNT fires at each COUNT-th event, where MODE is
 * user, kernel or all: where the processor was.  Any such probe exists as soon as
 * somebody names it; EVENT-all-1 of the kernel's own events, and EVENT-all-COUNT of a
 * processor's, stand in the list.
 *
 * The events are perf's.  A virtual machine may have no counters of its processor,
 * and then the kernel's own are all there is.  EVENT-MODE-MASK-COUNT is an event of
 * libpfm4's with a mask of units.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "prov/event.h"
#include "prov/near.h"
#include "prov/prov_priv.h"

/* Of events of processors, which may be millions in a second: as often as others
 * have it at most. */
enum { LEAST = 5000, LISTED_COUNT = 1000000, NAME_ROOM = PROBE_NAMELEN };

/* Where the kernel tells that it has a driver for them. */
static const char *const pmus[] = {
	"/sys/bus/event_source/devices/cpu",
	"/sys/bus/event_source/devices/cpu_core",
	"/sys/bus/event_source/devices/armv8_pmuv3",
	"/sys/bus/event_source/devices/armv8_pmuv3_0",
};

/* A probe's own data; probe.arg is its address. */
struct counter {
	struct abi_point point;
	struct abi_event event;
};

static const struct {
	const char *name;
	bool not_user, not_kernel;
} modes[] = {
	{ "all", false, false }, { "user", false, true }, { "kernel", true, false },
};

/* A name taken apart. */
struct parts {
	char event[NAME_ROOM];	/* with the mask, as libpfm4 has it */
	struct abi_event bits;	/* of the mode, and the count */
};

static bool
has_counters(void)
{
	return BASE_ANY(i, BASE_NELEMS(pmus), !access(pmus[i], F_OK));
}

static bool
number(const char *text, int base, uint64_t *ret)
{
	char *end;

	if (!strchr("0123456789abcdefABCDEF", *text) || !*text)
		return false;
	*ret = strtoull(text, &end, base);
	return !*end && *ret && *ret <= INT64_MAX;
}

/* Cut what is behind the last dash; NULL: there is none. */
static char *
cut(char *text)
{
	char *dash = strrchr(text, '-');

	if (!dash || dash == text)
		return NULL;
	*dash = '\0';
	return dash + 1;
}

static bool
set_mode(const char *text, struct abi_event *e)
{
	for (size_t i = 0; text && i < BASE_NELEMS(modes); i++) {
		if (strcmp(text, modes[i].name))
			continue;
		e->not_user = modes[i].not_user;
		e->not_kernel = modes[i].not_kernel;
		return true;
	}
	return false;
}

static bool
parse(const char *name, struct parts *p)
{
	char *text, *mask;
	uint64_t units;

	if (strlen(name) + sizeof(":0x") > sizeof(p->event))
		return false;
	strcpy(p->event, name);
	text = cut(p->event);
	if (!text || !number(text, 10, &p->bits.period))
		return false;
	mask = cut(p->event);
	if (set_mode(mask, &p->bits))
		return true;
	/* "0x" in front of the mask is there or not. */
	text = mask && strncmp(mask, "0x", 2) == 0 ? mask + 2 : mask;
	if (!text || !number(text, 16, &units) ||
	    !set_mode(cut(p->event), &p->bits))
		return false;
	char *end = p->event + strlen(p->event);
	memmove(end + 3, text, strlen(text) + 1);
	memcpy(end, ":0x", 3);
	return true;
}

/* Of perf's type and config; why not, if there is none. */
static struct err *
find_event(const struct parts *p, struct abi_event *ret, bool *found)
{
	const struct abi_event *known = prov_event(p->event);
	bool software;

	if (known)
		*ret = *known;
	*found = known || prov_event_by_library(p->event, ret);
	if (!*found)
		return NULL;
	software = ret->type == PERF_TYPE_SOFTWARE;
	if (!software && ret->type != PERF_TYPE_TRACEPOINT &&
	    !has_counters())
		return err_new(ERR_NOTFOUND, 0, "this machine has no counters "
			       "of its processors for %s", p->event);
	if (!software && p->bits.period < LEAST)
		return err_new(ERR_INVALID, 0, "%s can be counted by %d at "
			       "least", p->event, LEAST);
	ret->period = p->bits.period;
	ret->not_user = p->bits.not_user;
	ret->not_kernel = p->bits.not_kernel;
	return NULL;
}

/* The probe of that name, unless it is not asked for or exists. */
static struct err *
make(struct prov_set *s, struct prov_sink *sink, struct prov_new *n)
{
	struct parts p = { .event = "" };
	struct abi_event event;
	bool wanted, found;

	if (!parse(n->name, &p))
		return NULL;
	TRY(prov_wants(sink, n, &wanted));
	if (!wanted)
		return NULL;
	TRY(find_event(&p, &event, &found));
	if (!found)
		return NULL;
	struct counter *v = ARENA_NEW(s->arena, struct counter);
	const char *target = prov_program_name(s->arena, n->name);
	if (!v || !target)
		return &err_nomem;
	v->event = event;
	v->point = prov_interrupt(target);
	n->arg = (uintptr_t)v;
	return prov_add(sink, n);
}

/* That of event i which shows what names look like.  What a machine counts is of no
 * interest to who has no kernel (tests). */
static struct err *
list(struct prov_set *s, struct prov_sink *sink, uint32_t i)
{
	const char *event = prov_event_listed(i), *name;
	bool software = i < PROV_EVENTS_SOFTWARE;

	if (!event || (!software && (!s->db || !has_counters())))
		return NULL;
	name = arena_printf(s->arena, "%s-all-%d", event,
			    software ? 1 : LISTED_COUNT);
	return name ? make(s, sink, &(struct prov_new){
				.name = name, .place = software ? i + 1 : 0 })
		    : &err_nomem;
}

static struct err *
discover(struct prov_set *s, const struct probe_desc *d,
	 struct prov_sink *sink)
{
	for (uint32_t i = 0; i < PROV_EVENTS_MAX; i++)
		TRY(list(s, sink, i));
	if (*d->name && !probe_has_glob(d->name))
		return make(s, sink, &(struct prov_new){
				.name = d->name, .copy = true });
	return NULL;
}

static struct err *
sites(struct prov_set *s, const struct probe *p, prov_site_fn *fn, void *ctx)
{
	const struct counter *v = (const void *)(uintptr_t)p->arg;

	return fn(ctx, &(struct prov_site){
		.point = &v->point, .trigger = PROV_TRIGGER_EVENT,
		.event = &v->event,
	});
}

/* --- Why there is none ----------------------------------------------------------- */

static void
no_event(const char *event, struct sb *b)
{
	enum { FEW = 2 };
	struct prov_near near = { .to = event };
	const char *name;

	for (size_t i = 0; i < PROV_EVENTS_MAX; i++)
		if ((name = prov_event_listed(i)))
			prov_near_offer(&near, name, FEW);
	sb_printf(b, "there is no event %s", event);
	if (near.n)
		prov_near_put(b, &near, "; near is ");
	else if (prov_event_has_library())
		sb_puts(b, ": dtrace -lP cpc lists the kernel's, and libpfm4 has "
			"none of that name for this processor");
	else
		sb_puts(b, ": dtrace -lP cpc lists the kernel's, and those of the "
			"processor by its own names need libpfm4 (libpfm.so.4)");
}

/* Of a name that does not come apart: which part is wrong? */
static void
no_parts(const char *name, struct sb *b)
{
	char text[PROBE_NAMELEN];
	uint64_t n;

	snprintf(text, sizeof(text), "%s", name);
	const char *count = cut(text), *mode = count ? cut(text) : NULL;
	if (!mode)
		sb_printf(b, "%s is not EVENT-MODE-COUNT, as page_faults-all-1 is",
			  name);
	else if (!number(count, 10, &n))
		sb_printf(b, "the count is a number from 1 on, and not %s",
			  *count ? count : "nothing");
	else
		sb_printf(b, "the mode is user, kernel or all, and not %s",
			  *mode ? mode : "nothing");
}

static struct err *
missing(struct prov_set *s, const struct probe_desc *d, struct sb *b,
	enum prov_part *part)
{
	struct parts p = { .event = "" };
	struct abi_event event;
	bool found = false;

	*part = PROV_PART_NAME;
	if (strcmp(d->prov, "cpc") || *d->mod || *d->func || !*d->name ||
	    probe_has_glob(d->name))
		return NULL;
	if (!parse(d->name, &p)) {
		no_parts(d->name, b);
		return NULL;
	}
	TRY(find_event(&p, &event, &found));
	if (!found)
		no_event(p.event, b);
	return NULL;
}

static const char *const names[] = {
	"*-all-*[0-9]", "*-user-*[0-9]", "*-kernel-*[0-9]", NULL,
};

static const struct prov_way ways[] = {
	{ "perf_link", "perf events of each CPU" },
	{ NULL, NULL },
};

const struct prov_ops prov_cpc_ops = {
	.ways = ways,
	.name = "cpc",
	.attr = {
		{ PROBE_EVOLVING, PROBE_EVOLVING, PROBE_CLASS_COMMON },
		{ PROBE_PRIVATE, PROBE_PRIVATE, PROBE_CLASS_UNKNOWN },
		{ PROBE_PRIVATE, PROBE_PRIVATE, PROBE_CLASS_UNKNOWN },
		{ PROBE_EVOLVING, PROBE_EVOLVING, PROBE_CLASS_CPU },
		{ PROBE_EVOLVING, PROBE_EVOLVING, PROBE_CLASS_COMMON },
	},
	.names = names,
	.nplaces = PROV_EVENTS_SOFTWARE,
	.discover = discover,
	.sites = sites,
	.missing = missing,
};
