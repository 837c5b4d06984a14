/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Attaching and detaching: the programs of points, and those that take care of
 * the variables of threads.
 *
 *  1. What is attached is a program that is loaded.
 *  2. Sites that are refused are told once each, or by their number.
 *  3. A site's probe is one of its point's.
 *  4. Of each link it is known whose sites it is of.
 */
#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "kengine/attach_priv.h"
#include "kengine/kengine_priv.h"
#include "kengine/parts_priv.h"
#include "kern/site.h"
#include "util/cleanup.h"
#include "util/sb.h"

uint8_t *
kengine_online(struct kengine *k)
{
	uint8_t *mask = ARENA_ARRAY(k->e.in.a, uint8_t, k->ncpus);

	if (mask)
		kern_online(mask, k->ncpus);
	return mask;
}

struct err *
kengine_attach_rawtp(int prog, const char *target, struct kern_link **ret)
{
	const struct kern_site site = { .attach = ABI_ATTACH_RAWTP,
					.target = target };

	return kern_attach(prog, &site, ret);
}

static struct err *
keep(struct kengine *k, struct kern_link *l, const struct kengine_whose *whose)
{
	if (vec_reserve(&k->links.all, 1) && vec_push(&k->links.whose, *whose)) {
		k->links.all.v[k->links.all.n++] = l;
		return NULL;
	}
	kern_detach(l);
	return &err_nomem;
}

/* Once for each tracepoint that needs it.  The spare's program is one at it, too. */
static struct err *
hold_traceiter(struct kengine *k, const struct abi_point *p)
{
	struct kern_link *l;

	if (p->attach != ABI_ATTACH_TRACEITER)
		return NULL;
	for (size_t i = 0; i < k->held.n; i++)
		if (strcmp(k->held.v[i], p->target) == 0)
			return NULL;
	if (!vec_push(&k->held, p->target))
		return &err_nomem;
	TRY(kern_hold_traceiter(p->target, p->spare ? 1 : 2, &l));
	return keep(k, l, &(struct kengine_whose){ .pid = 0 });
}

static struct err *
attach_sites_at(struct kengine *k, int prog, const struct kern_site *site,
		const struct kengine_whose *of)
{
	struct kengine_whose whose = *of;
	struct kern_link *l;

	assert(prog >= 0);						/* 1 */
	whose.from_ns = clock_ns();
	TRY(kern_attach(prog, site, &l));
	whose.to_ns = clock_ns();
	return keep(k, l, &whose);
}

static struct err *
attach_at(struct kengine *k, int prog, const struct kern_site *site)
{
	return attach_sites_at(k, prog, site, &(struct kengine_whose){ .pid = 0 });
}

/* On each CPU, or only the first of those that may be. */
static struct err *
attach_perf(struct kengine *k, const struct kengine_point *p)
{
	bool one = p->p->trigger == PROV_TRIGGER_INTERRUPT;
	const uint8_t *online = kengine_online(k);

	if (!online)
		return &err_nomem;
	for (unsigned cpu = 0, n = 0; cpu < k->ncpus && !(one && n); cpu++) {
		if (!online[cpu] || (kengine_opt(k, OPT_CPU) >= 0 &&
				     kengine_opt(k, OPT_CPU) != cpu))
			continue;
		const struct kern_site site = { .attach = ABI_ATTACH_PERF,
			.cpu = cpu, .period_ns = p->p->period_ns,
			.event = p->p->event };
		TRY(attach_at(k, p->prog, &site));
		if (kengine_interrupts(p))
			kengine_interval(k, p, cpu)->begun = 1;
		n++;
	}
	return NULL;
}

static struct err *
attach_rawtp(struct kengine *k, int prog, const char *target)
{
	return attach_at(k, prog, &(struct kern_site){
			.attach = ABI_ATTACH_RAWTP, .target = target });
}

/* By what the kernel tells users of a tracepoint, on all CPUs. */
static struct err *
attach_tracepoint(struct kengine *k, const struct kengine_point *p)
{
	struct abi_event event = { 0 };
	const uint8_t *online = kengine_online(k);
	struct kern_site site = { .attach = ABI_ATTACH_TRACEPOINT, .event = &event };

	if (!online)
		return &err_nomem;
	TRY(prov_tracefs_event(p->p->point->group, p->p->point->target, &event));
	while (site.cpu + 1 < k->ncpus && !online[site.cpu])
		site.cpu++;
	return attach_at(k, p->prog, &site);
}

/* What takes care of the variables of threads that have ended. */
static struct err *
attach_threads(struct kengine *k)
{
	for (uint32_t i = 0; i < k->code->nfrees; i++) {
		int prog = kern_obj_prog(k->obj, k->code->frees[i]);
		TRY(attach_rawtp(k, prog, "task_newtask"));
		TRY(attach_rawtp(k, prog, "sched_process_free"));
	}
	return k->code->nfrees ?
		attach_rawtp(k, kern_obj_prog(k->obj, "dt_exit"),
			     "sched_process_exit") : NULL;
}

/* --- Sites that are found by cookie ------------------------------------------ */

/* Where it is, when the probe's name does not say that. */
static void
put_place(const struct abi_point *pt, const struct prov_site *at, struct sb *b)
{
	if (at->file)
		sb_printf(b, " at %s+0x%llx", at->file,
			  (unsigned long long)at->offset);
	else if (at->addr)
		sb_printf(b, " at 0x%llx", (unsigned long long)at->addr);
	else if (!at->tracepoint)
		sb_printf(b, " at %s", pt->target);
}

/* Which site it is, for whoever reads a warning. */
static void
put_site(const struct engine_point *pt, const struct engine_site *s,
	 struct sb *b)
{
	assert(s->probe < pt->probes.n);				/* 3 */
	const struct plan_probe *p = &pt->probes.v[s->probe];

	sb_printf(b, " %s:%s:%s:%s", p->part[0], p->part[1], p->part[2],
		  p->part[3]);
	put_place(pt->point, &s->site, b);
}

/* Of n sites that cannot be, s is one. */
static void
warn(struct kengine *k, const struct engine_point *pt,
     const struct engine_site *s, size_t n, const char *why)
{
	struct sb b;

	assert(n);							/* 2 */
	k->e.nwarnings += n;
	if (!k->e.in.warn)
		return;
	sb_init(&b, 1 << 16);
	sb_puts(&b, "cannot attach");
	put_site(pt, s, &b);
	if (n > 1)
		sb_printf(&b, " and %zu more", n - 1);
	sb_printf(&b, ": %s", why);
	k->e.in.warn(k->e.in.warn_ctx, sb_str(&b));
	sb_fini(&b);
}

static bool
is_multi(enum abi_attach a)
{
	return a == ABI_ATTACH_UPROBE_MULTI || a == ABI_ATTACH_URETPROBE_MULTI ||
	       a == ABI_ATTACH_KPROBE_MULTI || a == ABI_ATTACH_KRETPROBE_MULTI;
}

static struct kern_place
place_of(const struct prov_site *s, uint64_t cookie)
{
	return (struct kern_place){ .at = s->file ? s->offset : s->addr,
				    .cookie = cookie, .ref_ctr = s->semaphore };
}

/* Is that our own want, and nothing that the kernel has against the site? */
static bool
is_want(const struct err *e)
{
	return e->code == ERR_NOMEM || e->os == EMFILE || e->os == ENFILE;
}

/* Is that because the process has ended?  Of those that come and go nobody wants to read
 * each; they are counted. */
static bool
is_gone(struct kengine *k, const struct kengine_whose *what, const struct err *e)
{
	if (!e || e->os != ESRCH || !what->life || k->e.state != ENGINE_STARTED)
		return false;
	void **at = hash_ref(&k->gone, &what->life, sizeof(what->life));
	k->e.ngone += !at || !*at;
	if (at)
		*at = k;
	return true;
}

/* One site by itself.  Want of memory or files is an error, and nothing else is. */
static struct err *
attach_one(struct kengine *k, const struct kengine_whose *what,
	   const struct engine_site *s)
{
	const struct kengine_point *p = &k->points[what->point];
	const struct kern_site site = {
		.attach = k->code->served[what->point].attach,
		.pid = what->of_all ? 0 : s->site.pid,
		.target = s->site.file ? s->site.file :
			  s->site.tracepoint ? s->site.tracepoint :
			  s->site.addr ? NULL : p->p->point->target,
		.place = place_of(&s->site, what->cookie + s->probe),
	};
	struct err *e = attach_sites_at(k, p->prog, &site, what);

	if (!e)
		e = hold_traceiter(k, p->p->point);
	if (!e || is_want(e))
		return e;
	if (!is_gone(k, what, e))
		warn(k, p->p, s, 1, e->text);
	err_free(e);
	return NULL;
}

/* Do they lie in one file, of one process? */
static bool
are_together(const struct prov_site *a, const struct prov_site *b)
{
	return a->pid == b->pid && a->life == b->life && a->leaderless == b->leaderless &&
	       !a->file == !b->file &&
	       (!a->file || !strcmp(a->file, b->file));
}

static const char *
refusal(int os)
{
	return kern_is_instruction(os) ?
	       "the kernel takes no probe on this instruction" : strerror(os);
}

/* Each of few, and one for all of many, or if there is no link at all. */
static void
warn_refused(struct kengine *k, const struct engine_point *pt,
	     const struct engine_site *s, const struct kern_place *places,
	     size_t n, const struct err *e)
{
	enum { FEW = 3 };
	bool verbose = kengine_opt(k, OPT_VERBOSE) > 0;
	size_t refused = 0, first = n;

	for (size_t i = 0; i < n; i++)
		if (e || places[i].refused) {
			refused++;
			first = BASE_MIN(first, i);
		}
	assert(refused <= n && (!refused || first < n));		/* 2 */
	if (refused && (e || (refused > FEW && !verbose))) {
		warn(k, pt, &s[first], refused, places[first].refused ?
		     refusal(places[first].refused) : e->text);
		return;
	}
	for (size_t i = 0; i < n; i++)
		if (places[i].refused)
			warn(k, pt, &s[i], 1, refusal(places[i].refused));
}

/* n sites that are together, by one link. */
static struct err *
attach_many(struct kengine *k, const struct kengine_whose *what,
	    const struct engine_site *s)
{
	const struct kengine_point *p = &k->points[what->point];
	size_t n = what->n;
	CLEANUP(util_freep) struct kern_place *places =
		util_alloc(n * sizeof(*places));

	if (!places)
		return &err_nomem;
	for (size_t i = 0; i < n; i++)
		places[i] = place_of(&s[i].site, what->cookie + s[i].probe);
	const struct kern_site site = {
		.attach = p->p->point->attach,
		.pid = what->of_all ? 0 : s->site.pid,
		.target = s->site.file, .places = places,
		.nplaces = (uint32_t)n,
	};
	struct err *e = attach_sites_at(k, p->prog, &site, what);
	if (e && is_want(e))
		return e;
	if (!is_gone(k, what, e))
		warn_refused(k, p->p, s, places, n, e);
	err_free(e);
	return NULL;
}

static struct err *
attach_together(struct kengine *k, const struct kengine_whose *what)
{
	const struct engine_point *p = k->points[what->point].p;
	const struct engine_site *s = &p->sites.v[what->site];

	assert(what->site + what->n <= p->sites.n);
	return is_multi(p->point->attach) ? attach_many(k, what, s)
					  : attach_one(k, what, s);
}

struct err *
kengine_attach_sites(struct kengine *k, uint32_t point, size_t from, uint64_t cookie)
{
	const struct engine_point *p = k->points[point].p;
	const struct engine_site *s = p->sites.v;
	bool multi = is_multi(p->point->attach);

	for (size_t i = from, to; i < p->sites.n; i = to) {
		to = i + 1;
		while (multi && to < p->sites.n &&
		       are_together(&s[i].site, &s[to].site))
			to++;
		TRY(attach_together(k, &(struct kengine_whose){ .point = point,
			.site = i, .n = to - i, .cookie = cookie,
			.pid = s[i].site.pid, .life = s[i].site.life,
			.of_all = s[i].site.leaderless }));
	}
	return NULL;
}

void
kengine_links_fini(struct kengine_links *l)
{
	vec_fini(&l->all);
	vec_fini(&l->whose);
}

/* --- Anew ----------------------------------------------------------------------- */

/* Does l fire no more?  Who has ended has no memory, in which the kernel makes places then.
 * A link of many goes on at those that are made; a perf event does not.  (What was made in
 * the moment before the kernel tells was perhaps too late.) */
static bool
is_idle(const struct kengine *k, const struct kengine_whose *l, int pid,
	enum engine_first first, uint64_t time_ns)
{
	enum { MOMENT_NS = 1000000 };
	const struct engine_point *p;

	if (l->pid != pid)
		return false;
	if (first == ENGINE_FIRST_ANOTHER)
		return l->from_ns < time_ns;
	p = k->points[l->point].p;
	return !l->of_all && p->probes.v[p->sites.v[l->site].probe].pid &&
	       (!is_multi(p->point->attach) || l->to_ns + MOMENT_NS > time_ns);
}

/* Take from k what is idle. */
static bool
take_idle(struct kengine *k, int pid, enum engine_first first, uint64_t time_ns,
	  struct kengine_links *ret)
{
	size_t n = 0;

	assert(k->links.all.n == k->links.whose.n);			/* 4 */
	for (size_t i = 0; i < k->links.all.n; i++)
		n += is_idle(k, &k->links.whose.v[i], pid, first, time_ns);
	if (!vec_reserve(&ret->all, n) || !vec_reserve(&ret->whose, n))
		return false;
	n = 0;
	for (size_t i = 0; i < k->links.all.n; i++) {
		struct kengine_links *to = &k->links;
		size_t at = n;
		if (is_idle(k, &k->links.whose.v[i], pid, first, time_ns)) {
			to = ret;
			at = ret->all.n++;
		} else {
			n++;
		}
		to->all.v[at] = k->links.all.v[i];
		to->whose.v[at] = k->links.whose.v[i];
	}
	ret->whose.n = ret->all.n;
	k->links.all.n = k->links.whose.n = n;
	return true;
}

static void
detach_all(struct kengine *k, struct kengine_links *l)
{
	for (size_t i = 0; i < l->all.n; i++)
		k->missed += kern_link_misses(l->all.v[i]);
	kern_detach_all(l->all.v, l->all.n);
	l->all.n = 0;
}

/* What was idle is gone before there is another, or both would fire. */
struct err *
kengine_attach_again(struct kengine *k, int pid, enum engine_first first,
		     uint64_t time_ns)
{
	struct kengine_links old = { 0 };
	struct err *e = NULL;

	if (!pid)
		return NULL;
	if (!take_idle(k, pid, first, time_ns, &old))
		e = &err_nomem;
	detach_all(k, &old);
	for (size_t i = 0; i < old.whose.n && !e; i++) {
		old.whose.v[i].of_all = first == ENGINE_FIRST_NONE;
		e = attach_together(k, &old.whose.v[i]);
	}
	kengine_links_fini(&old);
	return e;
}

/* --- Leaving ---------------------------------------------------------------------- */

/* Who leaves: the links of a life, or those to a file by the pointer to its name. */
struct leaving { uint64_t life; const char *file; };
enum goes { STAYS, GOES_SOON, GOES_NOW };

/* A link of a process keeps hold of it, so it fires for nobody else.  One of all processes
 * goes by the number in its rows, which is another's as soon as there is one; one to
 * a file that was written over would be put into what it is by now. */
static enum goes
how_goes(const struct kengine *k, const struct kengine_whose *l, const struct leaving *who)
{
	if (who->file)
		return l->n && k->points[l->point].p->sites.v[l->site].site.file ==
			       who->file ? GOES_NOW : STAYS;
	if (!l->pid || l->life != who->life)
		return STAYS;
	return l->of_all ? GOES_NOW : GOES_SOON;
}

static void
leave(struct kengine *k, const struct leaving *who)
{
	struct kengine_links *l = &k->links;
	size_t n = 0;

	assert(l->all.n == l->whose.n);					/* 4 */
	for (size_t i = 0; i < l->all.n; i++) {
		enum goes how = how_goes(k, &l->whose.v[i], who);
		if (how == STAYS) {
			l->all.v[n] = l->all.v[i];
			l->whose.v[n++] = l->whose.v[i];
			continue;
		}
		k->missed += kern_link_misses(l->all.v[i]);
		if (how == GOES_NOW)
			kern_detach(l->all.v[i]);
		else
			kern_leave(&k->leaving, l->all.v[i]);
	}
	l->all.n = l->whose.n = n;
}

void
kengine_leave(struct kengine *k, uint64_t life)
{
	assert(life);
	leave(k, &(struct leaving){ .life = life });
	hash_del(&k->gone, &life, sizeof(life));
}

void
kengine_leave_file(struct kengine *k, const char *file)
{
	assert(file);
	leave(k, &(struct leaving){ .file = file });
}

/* Are its sites by themselves, so that one that cannot be attached is a warning?
 * Else the point is nothing without it. */
static bool
has_own_sites(const struct engine_point *p)
{
	return p->point->find == ABI_FIND_COOKIE ||
	       (p->sites.n && (p->sites.v[0].site.tracepoint ||
			       p->sites.v[0].site.addr ||
			       p->sites.v[0].site.file));
}

static struct err *
attach_point(struct kengine *k, uint32_t i)
{
	const struct kengine_point *p = &k->points[i];
	const struct ebpf_served *s = &k->code->served[i];

	if (!s->is_first)
		return NULL;
	if (has_own_sites(p->p))
		return kengine_attach_sites(k, i, 0, p->first_cookie);
	if (kengine_interrupts(p) || p->p->trigger == PROV_TRIGGER_EVENT)
		return attach_perf(k, p);
	if (p->p->point->attach == ABI_ATTACH_TRACEPOINT)
		return attach_tracepoint(k, p);
	if (p->p->trigger != PROV_TRIGGER_RAWTP)
		return NULL;
	TRY(attach_at(k, p->prog, &(struct kern_site){
			.attach = s->attach, .target = p->p->point->target }));
	return hold_traceiter(k, p->p->point);
}

/* In which order those of a rank are attached.  On aarch64 a probe of a return puts an
 * address of its own where a function that was entered has its caller's; a probe of the
 * entry needs the caller's, so it must run before, and is attached later.  A spare sees
 * what is counted as skipped, so it comes after what may be skipped. */
enum turn { AT_RETURN, AT_OTHER, AT_TRACEITER, AT_SPARE };

static enum turn
turn_of(const struct abi_point *p)
{
#if defined(__aarch64__)
	if (p->attach == ABI_ATTACH_KRETPROBE || p->attach == ABI_ATTACH_KRETPROBE_MULTI)
		return AT_RETURN;
#endif
	if (p->is_spare)
		return AT_SPARE;
	return p->attach == ABI_ATTACH_TRACEITER ? AT_TRACEITER : AT_OTHER;
}

static struct err *
attach_rank(struct kengine *k, unsigned rank, enum turn turn)
{
	for (uint32_t n = k->e.in.npoints, i = 0; i < n; i++) {
		uint32_t at = turn == AT_TRACEITER ? n - 1 - i : i;
		const struct abi_point *p = k->points[at].p->point;
		if (p->rank == rank && turn_of(p) == turn)
			TRY(attach_point(k, at));
	}
	return NULL;
}

/* A trace whose every site was refused would be none. */
static struct err *
attach_points(struct kengine *k)
{
	uint64_t warned = k->e.nwarnings, n = 0;
	unsigned most = 0;

	for (uint32_t i = 0; i < k->e.in.npoints; i++) {
		const struct engine_point *p = k->points[i].p;
		n += has_own_sites(p) ? p->sites.n : 0;
		most = BASE_MAX(most, (unsigned)p->point->rank);
	}
	/* At a tracepoint the kernel runs first what was attached first, and at a function
	 * what was attached last. */
	for (unsigned rank = 0; rank <= most; rank++) {
		TRY(attach_rank(k, rank, AT_RETURN));
		TRY(attach_rank(k, rank, AT_OTHER));
	}
	for (unsigned rank = most + 1; rank-- > 0; )
		TRY(attach_rank(k, rank, AT_TRACEITER));
	for (unsigned rank = 0; rank <= most; rank++)
		TRY(attach_rank(k, rank, AT_SPARE));
	if (n && k->e.nwarnings - warned == n)
		return err_new(ERR_OS, 0, "none of the probes can be attached: "
			       "the kernel refuses all of their %llu places",
			       (unsigned long long)n);
	return NULL;
}

struct err *
kengine_attach(struct kengine *k)
{
	TRY(attach_threads(k));
	return attach_points(k);
}

void
kengine_pin(const struct kengine *k)
{
	cpu_set_t set;

	if (kengine_opt(k, OPT_CPU) < 0)
		return;
	CPU_ZERO(&set);
	CPU_SET((size_t)kengine_opt(k, OPT_CPU), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* Firings of its program that the kernel skipped; 0 if those are an earlier point's.  What a
 * spare's program skips was skipped before. */
static uint64_t
point_misses(const struct kengine *k, size_t i)
{
	return k->code && k->code->served[i].is_first && !k->points[i].p->point->is_spare ?
	       kern_prog_misses(k->points[i].prog) : 0;
}

/* What a spare is about to see is counted already as skipped, so who finds more than
 * before waits until it has. */
uint64_t
kengine_missed(struct kengine *k)
{
	uint64_t n = k->missed;

	for (size_t i = 0; i < k->e.in.npoints; i++)
		n += point_misses(k, i);
	for (size_t i = 0; i < k->links.all.n; i++)
		n += kern_link_misses(k->links.all.v[i]);
	if (!BASE_ANY(i, k->e.in.npoints, k->points[i].p->point->is_spare))
		return n;
	if (n > kengine_counted(k, ABI_SPARED) + k->missed_most)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	n -= BASE_MIN(n, kengine_counted(k, ABI_SPARED));
	k->missed_most = BASE_MAX(k->missed_most, n);
	return k->missed_most;
}

static bool
is_at_functions(enum abi_attach attach)
{
	switch (attach) {
	case ABI_ATTACH_KPROBE: case ABI_ATTACH_KRETPROBE:
	case ABI_ATTACH_KPROBE_MULTI: case ABI_ATTACH_KRETPROBE_MULTI:
	case ABI_ATTACH_TRACEITER:
		return true;
	default:
		return false;
	}
}

void
kengine_missed_tell(struct kengine *k)
{
	uint64_t n = 0;
	char text[160];

	if (k->has_told_missed || kengine_opt(k, OPT_VERBOSE) <= 0 || !k->e.in.warn)
		return;
	k->has_told_missed = true;
	for (size_t i = 0; i < k->e.in.npoints; i++)
		if (is_at_functions(k->points[i].p->point->attach))
			n += point_misses(k, i);
	n -= BASE_MIN(n, kengine_counted(k, ABI_SPARED));
	if (!n)
		return;
	snprintf(text, sizeof(text), "%llu of the firings lost are calls of functions while a "
		 "program for another ran on that CPU, as by interrupts",
		 (unsigned long long)n);
	k->e.in.warn(k->e.in.warn_ctx, text);
}

void
kengine_detach(struct kengine *k)
{
	detach_all(k, &k->links);
	kern_leave_end(&k->leaving);
	k->links.whose.n = k->held.n = 0;
}
