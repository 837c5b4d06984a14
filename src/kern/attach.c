/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Attaching: one function for each way of abi/attach.def.  Every attachment is a
 * file descriptor that nothing else holds, but for the length of a call (apart.c), so
 * the kernel undoes it when this process dies, however it dies.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <linux/perf_event.h>

#include "kern/kern_priv.h"
#include "kern/site.h"
#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/vec.h"

struct kern_link {
	VEC(int) fds;		/* closed in this order */
	bool waits;		/* closing them does */
};

static int
close_fds(void *ctx)
{
	struct kern_link *l = ctx;

	for (size_t i = 0; i < l->fds.n; i++)
		close(l->fds.v[i]);
	l->fds.n = 0;
	return 0;
}

static void
close_all(struct kern_link *l)
{
	if (l->waits && l->fds.n)
		kern_apart(close_fds, l);
	else
		close_fds(l);
}

void
kern_detach(struct kern_link *l)
{
	if (!l)
		return;
	close_all(l);
	vec_fini(&l->fds);
	util_free(l);
}

/* The beginning of what the kernel tells of a link; headers before 6.9 lack it.  What
 * an older kernel does not know stays 0. */
struct link_info {
	uint32_t type, id, prog_id, pad;
	union {
		struct {
			uint64_t addrs;
			uint32_t count, flags;
			uint64_t missed;
		} many;				/* KPROBE_MULTI */
		struct {
			uint32_t type, pad;	/* 3: kprobe, 4: kretprobe */
			uint64_t name;
			uint32_t name_len, offset;
			uint64_t at, missed;
		} event;			/* PERF_EVENT */
	};
};

static uint64_t
misses(int fd)
{
	enum { PERF_EVENT = 7, KPROBE_MULTI = 8, KPROBE = 3, KRETPROBE = 4 };
	struct link_info info = { 0 };
	uint32_t size = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &size))
		return 0;	/* a perf event */
	if (info.type == KPROBE_MULTI)
		return info.many.missed;
	return info.type == PERF_EVENT && (info.event.type == KPROBE ||
		info.event.type == KRETPROBE) ? info.event.missed : 0;
}

uint64_t
kern_link_misses(const struct kern_link *l)
{
	uint64_t n = 0;

	for (size_t i = 0; l->waits && i < l->fds.n; i++)
		n += misses(l->fds.v[i]);
	return n;
}

static void
close_waiting(void *ctx, uint32_t i)
{
	struct kern_link *const *l = ctx;

	if (l[i]->waits)
		close_all(l[i]);
}

/* The kernel leaves the places of a link of many by waiting for all that may be
 * on one: 77 ms for each link here, and 8 ms for ten that wait together.  A user
 * probe by a perf event takes longer, but under a lock of the kernel's.
 *
 * Others go in the reverse of the order in which they came.  When the first of a
 * tracepoint's programs goes before its last ones, the kernel waits for all that may be
 * in it, 7 to 30 ms here; and else not. */
void
kern_detach_all(struct kern_link *const *l, size_t n)
{
	uint32_t waiting = 0;

	for (size_t i = n; i-- > 0; ) {
		waiting += l[i]->waits;
		if (!l[i]->waits)
			close_all(l[i]);
	}
	if (waiting > 1)
		kern_crew_waits((uint32_t)n, close_waiting, (void *)l);
	for (size_t i = 0; i < n; i++)
		kern_detach(l[i]);
}

/* l keeps fd; 0 or an errno. */
static int
keep(struct kern_link *l, int fd)
{
	if (fd < 0)
		return -fd;
	if (vec_push(&l->fds, fd))
		return 0;
	close(fd);
	return ENOMEM;
}

static struct err *
refused(int os, const char *what, const char *target, uint64_t at)
{
	char place[32] = "";

	if (at)
		snprintf(place, sizeof(place), "+%#llx", (unsigned long long)at);
	if (kern_is_instruction(os))
		return err_new(ERR_OS, os, "cannot attach to %s %s%s: the "
			       "kernel takes no probe on this instruction",
			       what, target, place);
	return kern_os_err(os, "cannot attach to %s %s%s", what, target, place);
}

static const struct abi_attach_row *
row_of(const struct kern_site *s)
{
	return abi_attach_row(s->attach);
}

/* --- Tracepoints and trampolines -------------------------------------------- */

/* As the kernel has it; headers before 6.10 end with prog_fd. */
struct open_attr {
	uint64_t name;
	uint32_t prog_fd, pad;
	uint64_t cookie;
};

static int
open_tracepoint(int prog_fd, const char *name, uint64_t cookie)
{
	union bpf_attr attr;
	struct open_attr a = { (uintptr_t)name, (uint32_t)prog_fd, 0, cookie };

	_Static_assert(sizeof(a) <= sizeof(attr), "part of it");
	memset(&attr, 0, sizeof(attr));
	memcpy(&attr, &a, sizeof(a));
	return kern_bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);
}

static struct err *
attach_rawtp(int prog_fd, const struct kern_site *s, struct kern_link *l)
{
	int os = keep(l, open_tracepoint(prog_fd, s->target, s->place.cookie));

	if (os == EINVAL && s->place.cookie)
		return err_new(ERR_UNSUPPORTED, os, "cannot attach to "
			       "tracepoint %s: before Linux 6.10 it carries no "
			       "cookie", s->target);
	return os ? refused(os, "tracepoint", s->target, 0) : NULL;
}

/* The program was loaded for its target (kern_obj_set_btf()). */
static struct err *
attach_tracing(int prog_fd, const struct kern_site *s, struct kern_link *l)
{
	union bpf_attr attr;
	int os;

	if (s->place.cookie) {
		memset(&attr, 0, sizeof(attr));
		attr.link_create.prog_fd = (uint32_t)prog_fd;
		attr.link_create.attach_type = row_of(s)->expect;
		attr.link_create.tracing.cookie = s->place.cookie;
		os = keep(l, kern_bpf(BPF_LINK_CREATE, &attr));
	} else {
		os = keep(l, open_tracepoint(prog_fd, NULL, 0));
	}
	return os ? refused(os, row_of(s)->section, s->target, 0) : NULL;
}

/* The function that calls the programs of a tracepoint (kern_hold_traceiter()). */
static struct err *
attach_traceiter(int prog_fd, const struct kern_site *s, struct kern_link *l)
{
	char name[128];
	const char *syms[] = { name };
	const __u64 cookie = s->place.cookie;

	l->waits = true;
	snprintf(name, sizeof(name), ABI_TRACEITER "%s", s->target);
	LIBBPF_OPTS(bpf_link_create_opts, opts, .kprobe_multi.cnt = 1,
		    .kprobe_multi.syms = syms,
		    .kprobe_multi.cookies = cookie ? &cookie : NULL);
	int os = keep(l, bpf_link_create(prog_fd, 0, BPF_TRACE_KPROBE_MULTI,
					 &opts));
	return os ? refused(os, "function", name, 0) : NULL;
}

/* --- Perf events ------------------------------------------------------------ */

/* Have the event run the program; 0 or an errno. */
static int
run_by_event(int prog_fd, struct perf_event_attr *event, int pid, int cpu,
	     uint64_t cookie, struct kern_link *l)
{
	union bpf_attr attr;
	CLEANUP(util_closep) int fd = -1;

	event->size = sizeof(*event);
	event->disabled = 1;
	fd = (int)syscall(SYS_perf_event_open, event, pid, cpu, -1,
			  PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return errno;
	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = (uint32_t)prog_fd;
	attr.link_create.target_fd = (uint32_t)fd;
	attr.link_create.attach_type = BPF_PERF_EVENT;
	attr.link_create.perf_event.bpf_cookie = cookie;
	int os = keep(l, kern_bpf(BPF_LINK_CREATE, &attr));
	/* Without perf links (before Linux 5.15) there is no cookie either. */
	if (os && !cookie)
		os = ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog_fd) ? errno : 0;
	if (!os && ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		os = errno;
	if (os)
		return os;
	os = keep(l, fd);
	fd = -1;
	return os;
}

/* On one CPU. */
static struct err *
attach_event(int prog_fd, const struct kern_site *s, struct kern_link *l)
{
	struct perf_event_attr event = {
		.type = s->event->type, .config = s->event->config,
		.sample_period = s->event->period,
		.exclude_user = s->event->not_user,
		.exclude_kernel = s->event->not_kernel,
	};

	/* Closing a tracepoint waits for all that may be there. */
	l->waits = s->attach == ABI_ATTACH_TRACEPOINT;
	int os = run_by_event(prog_fd, &event, -1, (int)s->cpu,
			      s->place.cookie, l);

	return os ? kern_os_err(os, "cannot count events of CPU %u", s->cpu)
		  : NULL;
}

/* A cpu-clock event on one CPU, or the event that is told. */
static struct err *
attach_sample(int prog_fd, const struct kern_site *s, struct kern_link *l)
{
	if (s->event)
		return attach_event(prog_fd, s, l);

	struct perf_event_attr event = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = s->period_ns,
	};
	int os = run_by_event(prog_fd, &event, -1, (int)s->cpu,
			      s->place.cookie, l);

	return os ? kern_os_err(os, "cannot sample CPU %u", s->cpu) : NULL;
}

/* The number of a kind of events; 0: there is none. */
static uint32_t
event_type(const char *name)
{
	char path[64];
	uint32_t type = 0;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type",
		 name);
	CLEANUP(util_fclosep) FILE *f = fopen(path, "re");
	if (!f || fscanf(f, "%u", &type) != 1)
		return 0;
	return type;
}

static bool
is_return(enum abi_attach attach)
{
	return attach == ABI_ATTACH_KRETPROBE ||
	       attach == ABI_ATTACH_KRETPROBE_MULTI ||
	       attach == ABI_ATTACH_URETPROBE ||
	       attach == ABI_ATTACH_URETPROBE_MULTI;
}

static struct err *
attach_probe(int prog_fd, const struct kern_site *s, const char *kind, int pid,
	     struct kern_link *l)
{
	struct perf_event_attr event = {
		.type = event_type(kind), .config = is_return(s->attach),
		.config1 = (uintptr_t)s->target, .config2 = s->place.at,
	};
	const char *target = s->target ? s->target : "address";

	if (!event.type)
		return err_new(ERR_UNSUPPORTED, 0, "cannot attach to %s: this "
			       "kernel has no %ss", target, kind);
	event.config |= s->place.ref_ctr << 32;
	/* Of one process: on any CPU; of all: the CPU is not looked at. */
	int os = run_by_event(prog_fd, &event, pid, pid == -1 ? 0 : -1,
			      s->place.cookie, l);
	return os ? refused(os, row_of(s)->section, target, s->place.at) : NULL;
}

static struct err *
attach_kprobe(int prog_fd, const struct kern_site *s, struct kern_link *l)
{
	/* Closing one waits 40 to 90 ms, but not for others that are closed. */
	l->waits = true;
	return attach_probe(prog_fd, s, "kprobe", -1, l);
}

static struct err *
attach_uprobe(int prog_fd, const struct kern_site *s, struct kern_link *l)
{
	if (s->place.ref_ctr >> 32)
		return err_new(ERR_LIMIT, 0, "cannot attach to %s: its counter "
			       "lies behind 4 GB", s->target);
	return attach_probe(prog_fd, s, "uprobe", s->pid ? s->pid : -1, l);
}

/* --- Many places at once ---------------------------------------------------- */

/* As the kernel has it, behind prog_fd, target_fd, attach_type and flags; headers
 * before 6.6 lack the second.  What follows the last field must be zero, or the
 * kernel takes it for a field that it does not know: no padding. */
struct kprobes_attr {
	uint32_t flags, cnt;
	uint64_t syms, addrs, cookies;
};

struct uprobes_attr {
	uint64_t path, offsets, ref_ctrs, cookies;
	uint32_t cnt, flags, pid, zero;
};
_Static_assert(sizeof(struct uprobes_attr) == 4 * 8 + 4 * 4, "no padding");

struct many {
	const struct kern_site *s;
	struct kern_link *l;
	int prog_fd;
	uint64_t *at, *cookies, *ref_ctrs;	/* nplaces each */
	bool has_ref_ctrs;
	int os;			/* the first refusal */
	uint32_t attached;
};

static int
create_link(void *attr)
{
	return kern_bpf(BPF_LINK_CREATE, attr);
}

/* Places from..to-1 as one link: a descriptor or -errno. */
static int
link_some(const struct many *m, uint32_t from, uint32_t to)
{
	enum { BEHIND = 16, RETURN = 1 };
	uint32_t flags = is_return(m->s->attach) ? RETURN : 0;
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = (uint32_t)m->prog_fd;
	attr.link_create.attach_type = row_of(m->s)->expect;
	if (row_of(m->s)->expect == ABI_EXPECT_TRACE_KPROBE_MULTI) {
		struct kprobes_attr a = { flags, to - from, 0,
			(uintptr_t)(m->at + from),
			(uintptr_t)(m->cookies + from) };
		memcpy((char *)&attr + BEHIND, &a, sizeof(a));
	} else {
		struct uprobes_attr a = { (uintptr_t)m->s->target,
			(uintptr_t)(m->at + from),
			m->has_ref_ctrs ? (uintptr_t)(m->ref_ctrs + from) : 0,
			(uintptr_t)(m->cookies + from), to - from, flags,
			(uint32_t)m->s->pid };
		memcpy((char *)&attr + BEHIND, &a, sizeof(a));
	}
	return kern_apart(create_link, &attr);
}

/* Is it about all of them, so that there is no use in trying fewer? */
static bool
is_of_all(const struct many *m, int os)
{
	/* A function that cannot be traced is said not to exist. */
	if (os == ENOENT)
		return row_of(m->s)->expect != ABI_EXPECT_TRACE_KPROBE_MULTI;
	return os == EPERM || os == EACCES || os == EBADF || os == ESRCH ||
	       os == ENOMEM || os == EMFILE || os == ENFILE;
}

/* The kernel refuses a link for one bad place, and does not say which: halve. */
static int
attach_some(struct many *m, uint32_t from, uint32_t to)
{
	int os = keep(m->l, link_some(m, from, to));

	if (!os) {
		m->attached += to - from;
		return 0;
	}
	m->os = m->os ? m->os : os;
	if (is_of_all(m, os))
		return os;
	if (to - from == 1) {
		m->s->places[from].refused = os;
		return 0;
	}
	uint32_t mid = from + (to - from) / 2;
	int e = attach_some(m, from, mid);
	return e ? e : attach_some(m, mid, to);
}

static struct err *
attach_many(struct many *m, const char *what)
{
	const struct kern_site *s = m->s;

	for (uint32_t i = 0; i < s->nplaces; i++) {
		m->at[i] = s->places[i].at;
		m->cookies[i] = s->places[i].cookie;
		m->ref_ctrs[i] = s->places[i].ref_ctr;
		m->has_ref_ctrs |= m->ref_ctrs[i] != 0;
		s->places[i].refused = 0;
	}
	int os = attach_some(m, 0, s->nplaces);
	if (!os && !m->attached)
		os = m->os;
	return os ? refused(os, row_of(s)->section, what, 0) : NULL;
}

static struct err *
attach_all(int prog_fd, const struct kern_site *s, const char *what,
	   struct kern_link *l)
{
	CLEANUP(util_freep) uint64_t *words =
		util_alloc(((size_t)s->nplaces * 3 + 1) * sizeof(*words));
	struct many m = { s, l, prog_fd, words, words + s->nplaces,
			  words + (size_t)s->nplaces * 2, false, 0, 0 };

	l->waits = true;
	if (!s->nplaces)
		return err_new(ERR_INVALID, 0, "%s: nowhere to attach to", what);
	return words ? attach_many(&m, what) : &err_nomem;
}

static struct err *
attach_kprobes(int prog_fd, const struct kern_site *s, struct kern_link *l)
{
	return attach_all(prog_fd, s, "functions of the kernel", l);
}

static struct err *
attach_uprobes(int prog_fd, const struct kern_site *s, struct kern_link *l)
{
	return attach_all(prog_fd, s, s->target, l);
}

/* --- Any way ---------------------------------------------------------------- */

static struct err *
attach_none(int prog_fd, const struct kern_site *s, struct kern_link *l)
{
	return err_new(ERR_INVALID, 0, "this program is run by hand");
}

struct err *
kern_attach(int prog_fd, const struct kern_site *s, struct kern_link **ret)
{
	static struct err *(*const ways[])(int prog_fd,
		const struct kern_site *s, struct kern_link *l) = {
#define ATTACH(NAME, section, prog, expect, context, runs, cookie, own, way) \
		attach_##way,
#include "abi/attach.def"
#undef ATTACH
	};
	struct kern_link *l = util_zalloc(sizeof(*l));

	if (!l)
		return &err_nomem;
	struct err *e = ways[s->attach](prog_fd, s, l);
	if (e)
		kern_detach(l);
	else
		*ret = l;
	return e;
}

struct err *
kern_hold_traceiter(const char *target, unsigned n, struct kern_link **ret)
{
	struct kern_link *l = util_zalloc(sizeof(*l));
	CLEANUP(util_closep) int nothing =
		kern_load_nothing(BPF_PROG_TYPE_RAW_TRACEPOINT);
	int os = l ? nothing < 0 ? -nothing : 0 : ENOMEM;

	for (unsigned i = 0; i < n && !os; i++)
		os = keep(l, open_tracepoint(nothing, target, 0));
	if (!os) {
		*ret = l;
		return NULL;
	}
	kern_detach(l);
	return refused(os, "tracepoint", target, 0);
}
