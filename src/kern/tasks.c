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
 * Who reads may be away for seconds, for a file's debugging information say, and where
 * programs are being built a ring is full before.  So a thread looks at the rings a few
 * times a second, and moves what is in one that fills to where more can be kept.
 *
 * Events of a task, which its children inherit, would tell of one process and its own
 * alone.  But one would be needed for each thread and processor, and each is copied at
 * each fork: 1.5 us of 65, so with 128 processors a fork takes four times as long.
 *
 * Each record wakes who waits, because files are looked at then that may be
 * deleted soon.
 */
#include <errno.h>
#include <pthread.h>
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
#include "util/thread.h"
#include "util/vec.h"

enum {
	/* Bytes, a power of two.  When programs are being built it fills in three
	 * seconds. */
	RING_SIZE = 512 << 10,
	FILLS = RING_SIZE / 4,
	LOOK_NS = 50 * 1000 * 1000,
};

struct ring {
	int fd;
	struct perf_event_mmap_page *head;	/* NULL: not mapped */
	const uint8_t *data;
};

/* Whole records, of which each begins at a multiple of eight. */
typedef VEC(uint8_t) records_vec;

struct kern_tasks {
	struct ring *rings;
	unsigned n;
	size_t page;
	records_vec told;		/* of the reader alone */
	struct {
		size_t max;
		pthread_t thread;
		bool runs;		/* there is the thread */
		bool ends;		/* it shall */
		pthread_mutex_t lock;	/* of this, and the rings' heads */
		pthread_cond_t end;
		records_vec records;
	} keep;
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
	t->rings = util_zalloc(ncpus * sizeof(*t->rings));
	if (!online || !t->rings)
		e = &err_nomem;
	else
		kern_online(online, ncpus);
	for (unsigned cpu = 0; cpu < ncpus && !e; cpu++)
		if (online[cpu])
			e = open_ring(t, &t->rings[t->n++], cpu);
	util_free(online);
	return e;
}

/* --- Keeping -------------------------------------------------------------- */

/* Bytes that the kernel has written into it, and nobody has taken. */
static size_t
filled(const struct ring *r)
{
	return (size_t)(__atomic_load_n(&r->head->data_head, __ATOMIC_ACQUIRE) -
			r->head->data_tail);
}

/* Append what is in the ring to v, under the lock; without memory it stays there. */
static void
take(struct ring *r, records_vec *v)
{
	size_t n = filled(r), off = r->head->data_tail & (RING_SIZE - 1);
	size_t first = BASE_MIN(n, RING_SIZE - off);

	if (!n || !vec_reserve(v, n))
		return;
	memcpy(v->v + v->n, r->data + off, first);
	memcpy(v->v + v->n + first, r->data, n - first);
	v->n += n;
	__atomic_store_n(&r->head->data_tail, r->head->data_tail + n, __ATOMIC_RELEASE);
}

static void
keep_some(struct kern_tasks *t)
{
	for (unsigned i = 0; i < t->n; i++)
		if (filled(&t->rings[i]) >= FILLS &&
		    t->keep.records.n + RING_SIZE <= t->keep.max)
			take(&t->rings[i], &t->keep.records);
}

static void *
keeper(void *arg)
{
	struct kern_tasks *t = arg;
	struct timespec at;

	pthread_mutex_lock(&t->keep.lock);
	while (!t->keep.ends) {
		keep_some(t);
		clock_gettime(CLOCK_MONOTONIC, &at);
		at.tv_nsec += LOOK_NS;
		at.tv_sec += at.tv_nsec / 1000000000;
		at.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&t->keep.end, &t->keep.lock, &at);
	}
	pthread_mutex_unlock(&t->keep.lock);
	return NULL;
}

static void
init_keeper(struct kern_tasks *t, size_t max)
{
	pthread_condattr_t attr;

	t->keep.max = max;
	pthread_mutex_init(&t->keep.lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&t->keep.end, &attr);
	pthread_condattr_destroy(&attr);
}

static void
end_keeper(struct kern_tasks *t)
{
	if (!t->keep.runs)
		return;
	pthread_mutex_lock(&t->keep.lock);
	t->keep.ends = true;
	pthread_cond_signal(&t->keep.end);
	pthread_mutex_unlock(&t->keep.lock);
	pthread_join(t->keep.thread, NULL);
}

/* Without its thread it is only kept less. */
struct err *
kern_tasks_open(size_t keep, struct kern_tasks **ret)
{
	struct kern_tasks *t = util_zalloc(sizeof(*t));

	if (!t)
		return &err_nomem;
	init_keeper(t, keep);
	struct err *e = open_rings(t);
	if (e) {
		kern_tasks_close(t);
		return e;
	}
	t->keep.runs = keep && !util_thread(&t->keep.thread, keeper, t);
	*ret = t;
	return NULL;
}

void
kern_tasks_close(struct kern_tasks *t)
{
	if (!t)
		return;
	end_keeper(t);
	for (unsigned i = 0; i < t->n; i++) {
		struct ring *r = &t->rings[i];
		if (r->head)
			munmap(r->head, t->page + RING_SIZE);
		if (r->fd >= 0)
			close(r->fd);
	}
	vec_fini(&t->keep.records);
	vec_fini(&t->told);
	pthread_mutex_destroy(&t->keep.lock);
	pthread_cond_destroy(&t->keep.end);
	util_free(t->rings);
	util_free(t);
}

int
kern_tasks_fd(const struct kern_tasks *t, unsigned i)
{
	return i < t->n ? t->rings[i].fd : -1;
}

/* --- Reading -------------------------------------------------------------- */

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
		/* Threads come, too. */
		if (h->size < sizeof(*k) ||
		    (k->pid != k->tid && h->type == PERF_RECORD_FORK))
			return false;
		*ret = (struct kern_task_event){
			.kind = h->type == PERF_RECORD_FORK ? KERN_TASK_FORKED :
				k->pid != k->tid ? KERN_TASK_THREAD_ENDED :
				KERN_TASK_ENDED,
			.pid = (int)k->pid, .parent = (int)k->ppid,
			.thread = (int)k->tid, .time_ns = k->time,
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

/* Everything is behind what came before. */
static void
tell(const records_vec *v, kern_task_fn *fn, void *ctx)
{
	struct kern_task_event e;

	for (size_t at = 0; at + sizeof(struct perf_event_header) <= v->n; ) {
		const struct perf_event_header *h = (const void *)(v->v + at);
		if (h->size < sizeof(*h) || h->size > v->n - at)
			break;		/* no record */
		at += h->size;
		if (decode(h, &e))
			fn(ctx, &e);
	}
}

void
kern_tasks_read(struct kern_tasks *t, kern_task_fn *fn, void *ctx)
{
	t->told.n = 0;
	pthread_mutex_lock(&t->keep.lock);
	records_vec kept = t->keep.records;
	t->keep.records = t->told;
	t->told = kept;
	for (unsigned i = 0; i < t->n; i++)
		take(&t->rings[i], &t->told);
	pthread_mutex_unlock(&t->keep.lock);
	tell(&t->told, fn, ctx);
}
