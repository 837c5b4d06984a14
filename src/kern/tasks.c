/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What processes execute, as it happens: perf events of a clock that never
 * ticks, one on each CPU, with a ring into which the kernel writes a record
 * for each execve, executable mapping, fork and exit.  Nothing else costs so
 * little and misses nothing: a process that is gone before we wake has left what
 * it mapped.  130 bytes for a mapping, four of them for an ordinary program.
 * When a ring is full the kernel counts, and tells in front of the next record
 * that there is room for.
 *
 * Events of a task, which its children inherit, would tell of one process and its own
 * alone.  But one would be needed for each thread and processor, and each is copied at
 * each fork: 1.5 us of 65, so with 128 processors a fork takes four times as long.
 *
 * Each record wakes who waits, because files are looked at then that may be
 * deleted soon.
 *
 * A record may wrap around the end of its ring; it is then put together in a
 * buffer.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <linux/perf_event.h>

#include "base/base.h"
#include "kern/kern_priv.h"
#include "kern/task.h"
#include "util/alloc.h"

enum {
	/* Bytes, a power of two.  When programs are being built it fills in three
	 * seconds, and we may be away for one; a fourth of it was too little. */
	RING_SIZE = 512 << 10,
	RECORD_MAX = 1 << 16,
};

struct ring {
	int fd;
	struct perf_event_mmap_page *head;	/* NULL: not mapped */
	const uint8_t *data;
};

struct kern_tasks {
	struct ring *rings;
	unsigned n;
	size_t page;
	uint64_t *buf;			/* RECORD_MAX bytes */
};

/* What PERF_RECORD_MMAP2 and _FORK look like, and with sample_id_all
 * the time behind each. */
struct mmap_record {
	struct perf_event_header h;
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	uint32_t maj, min;
	uint64_t ino, ino_generation;
	uint32_t prot, flags;
	char path[];
};

struct task_record {
	struct perf_event_header h;
	uint32_t pid, ppid, tid, ptid;
	uint64_t time;
};

/* PERF_RECORD_COMM and _LOST, as far as they are of interest. */
struct comm_record {
	struct perf_event_header h;
	uint32_t pid, tid;
};

struct lost_record {
	struct perf_event_header h;
	uint64_t id, lost;
};

/* --- Opening -------------------------------------------------------------- */

static struct err *
open_ring(struct kern_tasks *t, struct ring *r, unsigned cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY, .sample_type = PERF_SAMPLE_TIME,
		.mmap = 1, .mmap2 = 1, .task = 1, .sample_id_all = 1,
		.comm = 1, .comm_exec = 1,
		.exclude_kernel = 1, .use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1, .wakeup_watermark = 1,
	};
	void *p;

	r->fd = (int)syscall(SYS_perf_event_open, &attr, -1, (int)cpu, -1,
			     PERF_FLAG_FD_CLOEXEC);
	if (r->fd < 0)
		return kern_os_err(errno, "cannot watch the processes of "
				   "CPU %u", cpu);
	p = mmap(NULL, t->page + RING_SIZE, PROT_READ | PROT_WRITE,
		 MAP_SHARED, r->fd, 0);
	if (p == MAP_FAILED)
		return kern_os_err(errno, "cannot map the events of CPU %u",
				   cpu);
	r->head = p;
	r->data = (const uint8_t *)p + t->page;
	return NULL;
}

static struct err *
open_rings(struct kern_tasks *t)
{
	unsigned ncpus = kern_ncpus();
	uint8_t *online = util_zalloc(ncpus);
	struct err *e = NULL;

	t->page = (size_t)sysconf(_SC_PAGESIZE);
	t->buf = util_alloc(RECORD_MAX);
	t->rings = util_zalloc(ncpus * sizeof(*t->rings));
	if (!online || !t->buf || !t->rings)
		e = &err_nomem;
	else
		kern_online(online, ncpus);
	for (unsigned cpu = 0; cpu < ncpus && !e; cpu++)
		if (online[cpu])
			e = open_ring(t, &t->rings[t->n++], cpu);
	util_free(online);
	return e;
}

struct err *
kern_tasks_open(struct kern_tasks **ret)
{
	struct kern_tasks *t = util_zalloc(sizeof(*t));

	if (!t)
		return &err_nomem;
	struct err *e = open_rings(t);
	if (e)
		kern_tasks_close(t);
	else
		*ret = t;
	return e;
}

void
kern_tasks_close(struct kern_tasks *t)
{
	if (!t)
		return;
	for (unsigned i = 0; i < t->n; i++) {
		struct ring *r = &t->rings[i];
		if (r->head)
			munmap(r->head, t->page + RING_SIZE);
		if (r->fd >= 0)
			close(r->fd);
	}
	util_free(t->rings);
	util_free(t->buf);
	util_free(t);
}

int
kern_tasks_fd(const struct kern_tasks *t, unsigned i)
{
	return i < t->n ? t->rings[i].fd : -1;
}

/* --- Reading -------------------------------------------------------------- */

/* The record at position at, of which the kernel has written up to `end`; NULL
 * for what is no record. */
static const struct perf_event_header *
record(struct kern_tasks *t, const struct ring *r, uint64_t at, uint64_t end)
{
	size_t off = at & (RING_SIZE - 1), room = RING_SIZE - off;
	const struct perf_event_header *h = (const void *)(r->data + off);
	size_t size = h->size;		/* headers do not wrap */

	if (size < sizeof(*h) || size > end - at)
		return NULL;
	if (size <= room)
		return h;
	memcpy(t->buf, h, room);
	memcpy((uint8_t *)t->buf + room, r->data, size - room);
	return (const void *)t->buf;
}

static uint64_t
time_of(const struct perf_event_header *h)
{
	uint64_t ns;

	memcpy(&ns, (const uint8_t *)h + h->size - sizeof(ns), sizeof(ns));
	return ns;
}

/* Threads take names, too, and so do processes that execute nothing. */
static bool
has_executed(const struct perf_event_header *h)
{
	return h->size >= sizeof(struct comm_record) + sizeof(uint64_t) &&
	       h->misc & PERF_RECORD_MISC_COMM_EXEC;
}

/* False: nothing that anybody wants to know. */
static bool
decode(const struct perf_event_header *h, struct kern_task_event *ret)
{
	const struct mmap_record *m = (const void *)h;
	const struct task_record *k = (const void *)h;
	const struct comm_record *c = (const void *)h;
	const struct lost_record *l = (const void *)h;

	switch (h->type) {
	case PERF_RECORD_MMAP2:
		if (h->size <= sizeof(*m) + 8)
			return false;
		*ret = (struct kern_task_event){
			.kind = KERN_TASK_MAPPED, .pid = (int)m->pid,
			.time_ns = time_of(h), .start = m->addr,
			.size = m->len, .offset = m->pgoff,
			.dev = (uint64_t)m->maj << 32 | m->min,
			.inode = m->ino, .path = m->path,
		};
		return true;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		/* Threads come and go, too. */
		if (h->size < sizeof(*k) || k->pid != k->tid)
			return false;
		*ret = (struct kern_task_event){
			.kind = h->type == PERF_RECORD_FORK ? KERN_TASK_FORKED
							    : KERN_TASK_ENDED,
			.pid = (int)k->pid, .parent = (int)k->ppid,
			.time_ns = k->time,
		};
		return true;
	case PERF_RECORD_COMM:
		if (!has_executed(h))
			return false;
		*ret = (struct kern_task_event){
			.kind = KERN_TASK_EXECUTED, .pid = (int)c->pid,
			.time_ns = time_of(h),
		};
		return true;
	case PERF_RECORD_LOST:
		if (h->size < sizeof(*l) + sizeof(uint64_t))
			return false;
		*ret = (struct kern_task_event){
			.kind = KERN_TASK_LOST, .time_ns = time_of(h),
			.lost = l->lost,
		};
		return true;
	default:
		return false;
	}
}

static void
read_ring(struct kern_tasks *t, struct ring *r, kern_task_fn *fn, void *ctx)
{
	uint64_t at = r->head->data_tail;
	uint64_t end = __atomic_load_n(&r->head->data_head, __ATOMIC_ACQUIRE);
	struct kern_task_event e;

	if (at == end)
		return;
	while (at < end) {
		const struct perf_event_header *h = record(t, r, at, end);
		if (!h) {
			at = end;
			break;
		}
		at += h->size;
		if (decode(h, &e))
			fn(ctx, &e);
	}
	__atomic_store_n(&r->head->data_tail, at, __ATOMIC_RELEASE);
}

void
kern_tasks_read(struct kern_tasks *t, kern_task_fn *fn, void *ctx)
{
	for (unsigned i = 0; i < t->n; i++)
		read_ring(t, &t->rings[i], fn, ctx);
}
