/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What processes execute, from rings that the test fills as the kernel would: each kind
 * of record, those that are cut off, the end of a ring, and what is kept of a full one.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include <linux/perf_event.h>

#include "base/base.h"
#include "kern/kern.h"
#include "kern/task.h"
#include "support/assertok.h"
#include "support/countopen.h"
#include "util/vec.h"

enum { RING = 512 << 10, MAX_EVENTS = 64 };

static struct {
	unsigned nopen, fail_at, ncpus;
	int fds[1024];
} fake;

static VEC(struct kern_task_event) events;
static char path[64];

long __wrap_syscall(long nr, struct perf_event_attr *attr, int pid, int cpu, int group,
		    unsigned long flags);

/* A file in memory, as large as what is mapped of it. */
long
__wrap_syscall(long nr, struct perf_event_attr *attr, int pid, int cpu, int group,
	       unsigned long flags)
{
	assert_int_equal(nr, SYS_perf_event_open);
	assert_int_equal(attr->type, PERF_TYPE_SOFTWARE);
	assert_int_equal(attr->size, sizeof(*attr));
	assert_int_equal(attr->config, PERF_COUNT_SW_DUMMY);
	assert_int_equal(attr->sample_type, PERF_SAMPLE_TIME);
	assert_true(attr->mmap && attr->mmap2 && attr->task && attr->comm &&
		    attr->comm_exec && attr->sample_id_all);
	assert_true(attr->exclude_kernel && attr->use_clockid && attr->watermark);
	assert_int_equal(attr->clockid, CLOCK_MONOTONIC);
	assert_int_equal(attr->wakeup_watermark, 1);
	assert_int_equal(pid, -1);
	assert_int_equal(group, -1);
	assert_int_equal(flags, PERF_FLAG_FD_CLOEXEC);
	assert_in_range(cpu, fake.nopen, kern_ncpus() - 1);
	if (fake.nopen + 1 == fake.fail_at) {
		errno = EACCES;
		return -1;
	}
	int fd = memfd_create("ring", MFD_CLOEXEC);
	assert_int_equal(ftruncate(fd, sysconf(_SC_PAGESIZE) + RING), 0);
	fake.fds[fake.nopen++] = fd;
	return fd;
}

static struct kern_tasks *
open_tasks(size_t keep)
{
	struct kern_tasks *t;

	memset(&fake, 0, sizeof(fake));
	assert_ok(kern_tasks_open(keep, &t));
	assert_true(fake.nopen > 0);
	return t;
}

/* --- Writing into rings --------------------------------------------------------- */

static struct perf_event_mmap_page *
map_ring(unsigned i)
{
	void *p = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE) + RING, PROT_READ | PROT_WRITE,
		       MAP_SHARED, fake.fds[i], 0);

	assert_ptr_not_equal(p, MAP_FAILED);
	return p;
}

static void
unmap_ring(struct perf_event_mmap_page *head)
{
	munmap(head, (size_t)sysconf(_SC_PAGESIZE) + RING);
}

static void
put_bytes(unsigned i, const void *bytes, size_t n)
{
	struct perf_event_mmap_page *head = map_ring(i);
	uint8_t *data = (uint8_t *)head + sysconf(_SC_PAGESIZE);

	for (size_t k = 0; k < n; k++)
		data[(head->data_head + k) % RING] = ((const uint8_t *)bytes)[k];
	__atomic_store_n(&head->data_head, head->data_head + n, __ATOMIC_RELEASE);
	unmap_ring(head);
}

/* Its words stand behind the header. */
static void
put_record(unsigned i, uint32_t type, uint16_t misc, const void *words, size_t size)
{
	uint8_t record[256];
	const struct perf_event_header h = { type, misc, (uint16_t)(sizeof(h) + size) };

	assert_true(sizeof(h) + size <= sizeof(record));
	memcpy(record, &h, sizeof(h));
	memcpy(record + sizeof(h), words, size);
	put_bytes(i, record, h.size);
}

static void
put_task(unsigned i, uint32_t type, uint32_t pid, uint32_t tid, uint64_t time)
{
	const struct { uint32_t pid, ppid, tid, ptid; uint64_t time, time_again; } r = {
		pid, 77, tid, 78, time, time };

	put_record(i, type, 0, &r, sizeof(r));
}

static void
put_comm(unsigned i, uint32_t pid, uint16_t misc, uint64_t time)
{
	const struct { uint32_t pid, tid; char comm[8]; uint64_t time; } r = {
		pid, pid, "name", time };

	put_record(i, PERF_RECORD_COMM, misc, &r, sizeof(r));
}

static void
on_event(void *ctx, const struct kern_task_event *e)
{
	assert_ptr_equal(ctx, &events);
	assert_true(vec_push(&events, *e));
	if (e->path)
		snprintf(path, sizeof(path), "%s", e->path);
}

static const struct kern_task_event *
read_tasks(struct kern_tasks *t, size_t n)
{
	events.n = 0;
	kern_tasks_read(t, on_event, &events);
	assert_int_equal(events.n, n);
	return events.v;
}

/* --- Tests ------------------------------------------------------------------------ */

static void
test_kinds(void **state)
{
	const struct {
		uint32_t pid, tid;
		uint64_t addr, len, pgoff;
		uint32_t maj, min;
		uint64_t ino, generation;
		uint32_t prot, flags;
		char path[16];
		uint64_t time;
	} map = { 10, 11, 0x400000, 0x2000, 0x1000, 8, 1, 31, 2, 5, 2, "/bin/true", 100 };
	const struct { uint64_t id, lost, time; } lost = { 5, 42, 600 };
	struct kern_tasks *t = open_tasks(0);
	const struct kern_task_event *e;

	put_record(0, PERF_RECORD_MMAP2, 0, &map, sizeof(map));
	put_task(0, PERF_RECORD_FORK, 20, 20, 200);
	put_task(0, PERF_RECORD_FORK, 20, 21, 210);		/* a thread */
	put_task(0, PERF_RECORD_EXIT, 20, 20, 300);
	put_task(0, PERF_RECORD_EXIT, 20, 21, 310);
	put_comm(0, 30, PERF_RECORD_MISC_COMM_EXEC, 400);
	put_comm(0, 30, 0, 410);				/* a thread's name */
	put_record(0, PERF_RECORD_LOST, 0, &lost, sizeof(lost));
	put_record(0, PERF_RECORD_SAMPLE, 0, &lost, sizeof(lost));
	e = read_tasks(t, 6);
	assert_int_equal(e[0].kind, KERN_TASK_MAPPED);
	assert_int_equal(e[0].pid, 10);
	assert_int_equal(e[0].start, 0x400000);
	assert_int_equal(e[0].size, 0x2000);
	assert_int_equal(e[0].offset, 0x1000);
	assert_int_equal(e[0].dev, 8ull << 32 | 1);
	assert_int_equal(e[0].inode, 31);
	assert_int_equal(e[0].time_ns, 100);
	assert_string_equal(path, "/bin/true");
	assert_int_equal(e[1].kind, KERN_TASK_FORKED);
	assert_int_equal(e[1].pid, 20);
	assert_int_equal(e[1].parent, 77);
	assert_int_equal(e[1].time_ns, 200);
	assert_int_equal(e[2].kind, KERN_TASK_ENDED);
	assert_int_equal(e[2].pid, 20);
	assert_int_equal(e[2].time_ns, 300);
	assert_int_equal(e[3].kind, KERN_TASK_THREAD_ENDED);
	assert_int_equal(e[3].pid, 20);
	assert_int_equal(e[3].thread, 21);
	assert_int_equal(e[4].kind, KERN_TASK_EXECUTED);
	assert_int_equal(e[4].pid, 30);
	assert_int_equal(e[4].time_ns, 400);
	assert_int_equal(e[5].kind, KERN_TASK_LOST);
	assert_int_equal(e[5].lost, 42);
	assert_int_equal(e[5].time_ns, 600);
	read_tasks(t, 0);
	kern_tasks_close(t);
}

/* Records that are too short for what they claim to be are nothing; those behind them are
 * read.  Each is given as many words as it has to have, and one less. */
static void
test_short(void **state)
{
	static const struct { uint32_t type; uint16_t misc; unsigned nwords; } rows[] = {
		{ PERF_RECORD_MMAP2, 0, 9 }, { PERF_RECORD_FORK, 0, 3 },
		{ PERF_RECORD_EXIT, 0, 3 }, { PERF_RECORD_LOST, 0, 3 },
		{ PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, 2 },
	};
	static const uint64_t words[16];
	struct kern_tasks *t = open_tasks(0);

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		unsigned n = rows[i].nwords + (rows[i].type == PERF_RECORD_MMAP2);
		put_record(0, rows[i].type, rows[i].misc, words, 8 * (n - 1));
		put_task(0, PERF_RECORD_FORK, 5, 5, 5);
		assert_int_equal(read_tasks(t, 1)->pid, 5);
		put_record(0, rows[i].type, rows[i].misc, words, 8 * n);
		put_task(0, PERF_RECORD_FORK, 5, 5, 5);
		assert_int_equal(read_tasks(t, 2)[1].pid, 5);
	}
	kern_tasks_close(t);
}

/* What is no record ends what is read at once, but not what comes then. */
static void
test_broken(void **state)
{
	static const struct perf_event_header broken[] = {
		{ PERF_RECORD_FORK, 0, 0 }, { PERF_RECORD_FORK, 0, 7 },
		{ PERF_RECORD_EXIT, 0, 1024 }, { PERF_RECORD_LOST, 0, 56 },
	};
	struct kern_tasks *t = open_tasks(0);

	for (size_t i = 0; i < BASE_NELEMS(broken); i++) {
		put_task(0, PERF_RECORD_FORK, 1, 1, 1);
		put_bytes(0, &broken[i], sizeof(broken[i]));
		put_task(0, PERF_RECORD_FORK, 2, 2, 2);
		assert_int_equal(read_tasks(t, 1)->pid, 1);
		put_task(0, PERF_RECORD_FORK, 3, 3, 3);
		assert_int_equal(read_tasks(t, 1)->pid, 3);
	}
	/* less than a header */
	put_task(0, PERF_RECORD_FORK, 1, 1, 1);
	put_bytes(0, &broken[0], 4);
	assert_int_equal(read_tasks(t, 1)->pid, 1);
	kern_tasks_close(t);
}

/* Of each CPU all in order, over the end of its ring again and again. */
static void
test_round(void **state)
{
	enum { N = 3 * RING / 40, PART = 1000 };
	struct kern_tasks *t = open_tasks(0);
	unsigned ring = fake.nopen - 1;

	for (uint32_t i = 0; i < N; i += PART) {
		for (uint32_t k = 0; k < PART; k++)
			put_task(ring, PERF_RECORD_FORK, i + k, i + k, i + k);
		put_task(0, PERF_RECORD_FORK, 1 << 30, 1 << 30, i);
		const struct kern_task_event *e = read_tasks(t, PART + 1);
		for (uint32_t k = 0, n = 0; k <= PART; k++)
			if (e[k].pid != 1 << 30)
				assert_int_equal(e[k].pid, i + n++);
	}
	struct perf_event_mmap_page *head = map_ring(ring);
	assert_int_equal(head->data_tail, head->data_head);
	unmap_ring(head);
	kern_tasks_close(t);
}

static uint64_t
tail(void)
{
	struct perf_event_mmap_page *head = map_ring(0);
	uint64_t at = __atomic_load_n(&head->data_tail, __ATOMIC_ACQUIRE);

	unmap_ring(head);
	return at;
}

/* A ring that is full to a quarter is emptied, as long as another ring would find room;
 * what is kept comes first. */
static void
test_kept(void **state)
{
	enum { N = RING / 4 / 40 + 1 };
	struct kern_tasks *t = open_tasks(RING + RING / 2);
	uint32_t n = 0;

	for (uint32_t part = 0; part < 3; part++) {
		uint64_t was = tail();
		for (uint32_t k = 0; k < N; k++, n++) {
			assert_int_equal(tail(), was);
			put_task(0, PERF_RECORD_FORK, n, n, n);
		}
		for (unsigned turn = 0; tail() == was && turn < (part < 2 ? 20000 : 200); turn++)
			usleep(1000);
		assert_int_equal(tail(), part < 2 ? was + N * 40ull : was);
	}
	put_task(0, PERF_RECORD_FORK, n, n, n);
	n++;
	const struct kern_task_event *e = read_tasks(t, n);
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(e[i].pid, i);
	read_tasks(t, 0);
	kern_tasks_close(t);
}

static void
test_opened(void **state)
{
	uint8_t *online = calloc(kern_ncpus(), 1);
	unsigned nfiles = count_open(), n = kern_online(online, kern_ncpus());
	struct kern_tasks *t = open_tasks(0);

	free(online);
	assert_int_equal(fake.nopen, n);
	for (unsigned i = 0; i < n; i++)
		assert_int_equal(kern_tasks_fd(t, i), fake.fds[i]);
	assert_int_equal(kern_tasks_fd(t, n), -1);
	kern_tasks_close(t);
	kern_tasks_close(NULL);
	assert_int_equal(count_open(), nfiles);
	for (unsigned i = 1; i <= n; i++) {
		memset(&fake, 0, sizeof(fake));
		fake.fail_at = i;
		struct err *e = kern_tasks_open(1 << 20, &t);
		assert_non_null(e);
		assert_int_equal(e->os, EACCES);
		err_free(e);
		assert_int_equal(count_open(), nfiles);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_short),
		cmocka_unit_test(test_broken),
		cmocka_unit_test(test_round),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_opened),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	vec_fini(&events);
	return failed;
}
