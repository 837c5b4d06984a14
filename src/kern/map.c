/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Maps one by one.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "base/base.h"
#include "kern/kern_priv.h"
#include "util/cleanup.h"
#include "util/thread.h"

static const enum bpf_map_type types[] = {
	[KERN_MAP_ARRAY] = BPF_MAP_TYPE_ARRAY,
	[KERN_MAP_HASH] = BPF_MAP_TYPE_HASH,
	[KERN_MAP_RINGBUF] = BPF_MAP_TYPE_RINGBUF,
	[KERN_MAP_ARRAY_OF_MAPS] = BPF_MAP_TYPE_ARRAY_OF_MAPS,
};

struct err *
kern_map_create(enum kern_map_type type, const char *name, uint32_t key_size,
		uint32_t value_size, uint32_t entries, uint32_t flags,
		int inner_fd, int *ret)
{
	union bpf_attr attr;

	kern_map_attr(types[type], name, key_size, value_size, entries, flags,
		      &attr);
	if (type == KERN_MAP_ARRAY_OF_MAPS)
		attr.inner_map_fd = (uint32_t)inner_fd;
	int fd = kern_bpf(BPF_MAP_CREATE, &attr);
	if (fd < 0)
		return kern_os_err(fd, "cannot create map %s", name);
	*ret = fd;
	return NULL;
}

struct err *
kern_map_update(int fd, const void *key, const void *value)
{
	CLEANUP(kern_steady_end) struct kern_steady steady = kern_steady();
	int os = bpf_map_update_elem(fd, key, value, BPF_ANY);

	return os ? kern_os_err(os, "cannot write to a map") : NULL;
}

void
kern_map_delete(int fd, const void *key)
{
	CLEANUP(kern_steady_end) struct kern_steady steady = kern_steady();

	bpf_map_delete_elem(fd, key);
}

struct err *
kern_map_mmap(int fd, size_t size, void **ret)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *p = mmap(NULL, base_align(size, page), PROT_READ | PROT_WRITE,
		       MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		return kern_os_err(errno, "cannot map a BPF map of %zu bytes",
				   size);
	*ret = p;
	return NULL;
}

void
kern_unmap(void *p, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (p)
		munmap(p, base_align(size, page));
}

static struct {
	pthread_mutex_t lock;
	int inner, outer;
} barrier = { PTHREAD_MUTEX_INITIALIZER, -1, -1 };

static struct err *
open_barrier(void)
{
	if (barrier.inner < 0)
		TRY(kern_map_create(KERN_MAP_ARRAY, "dt_wait", 4, 8, 1, 0, -1,
				    &barrier.inner));
	if (barrier.outer >= 0)
		return NULL;
	return kern_map_create(KERN_MAP_ARRAY_OF_MAPS, "dt_barrier", 4, 4, 1, 0,
			       barrier.inner, &barrier.outer);
}

struct err *
kern_barrier_open(void)
{
	pthread_mutex_lock(&barrier.lock);
	struct err *e = open_barrier();
	pthread_mutex_unlock(&barrier.lock);
	return e;
}

/*
 * Writing an element of a map of maps makes the kernel wait for an RCU grace
 * period before it returns, so that the writer knows that no program still
 * holds the old element (maybe_wait_bpf_programs(), Linux 4.20).  A pair of
 * tiny maps of our own is all that takes.
 */
struct err *
kern_barrier(void)
{
	uint32_t zero = 0;

	pthread_mutex_lock(&barrier.lock);
	struct err *e = open_barrier();
	if (!e)
		e = kern_map_update(barrier.outer, &zero, &barrier.inner);
	pthread_mutex_unlock(&barrier.lock);
	return e;
}

/* At once if the kernel can, which waits once then. */
static struct err *
put_inner(struct kern_adding *add)
{
	CLEANUP(kern_steady_end) struct kern_steady steady = kern_steady();
	uint32_t keys[KERN_INNER_MAX] = { 0 }, count = add->n;

	for (uint32_t i = 0; i < add->n; i++)
		keys[i] = add->first + i;
	if (!bpf_map_update_batch(add->outer, keys, add->fds, &count, NULL))
		return NULL;
	for (uint32_t i = 0; i < add->n; i++)
		TRY(kern_map_update(add->outer, &keys[i], &add->fds[i]));
	return NULL;
}

static void *
adder(void *arg)
{
	struct kern_adding *add = arg;

	add->e = put_inner(add);
	__atomic_store_n(&add->done, true, __ATOMIC_RELEASE);
	return NULL;
}

static bool
has_inner(int outer, uint32_t key)
{
	CLEANUP(kern_steady_end) struct kern_steady steady = kern_steady();
	uint32_t id;

	return !bpf_map_lookup_elem(outer, &key, &id);
}

/* The last one is there, or they cannot be put. */
static void
wait_seen(struct kern_adding *add)
{
	while (!__atomic_load_n(&add->done, __ATOMIC_ACQUIRE) &&
	       !has_inner(add->outer, add->first + add->n - 1))
		sched_yield();
}

void
kern_map_added(struct kern_adding *add)
{
	if (add->is_thread)
		pthread_join(add->thread, NULL);
	while (add->n)
		close(add->fds[--add->n]);
	err_free(add->e);
	*add = (struct kern_adding){ .n = 0 };
}

/* Without a thread this is the thread. */
static struct err *
put(struct kern_adding *add)
{
	struct err *e = NULL;

	add->is_thread = !util_thread(&add->thread, adder, add);
	if (!add->is_thread)
		adder(add);
	wait_seen(add);
	if (__atomic_load_n(&add->done, __ATOMIC_ACQUIRE)) {
		e = add->e;
		add->e = NULL;
	}
	return e;
}

struct err *
kern_map_add_inner(struct kern_adding *add, int outer, const char *name,
		   uint32_t first, uint32_t n, size_t size, void **ret)
{
	struct err *e = NULL;
	uint32_t mapped = 0;

	assert(n <= KERN_INNER_MAX && !add->n && !add->is_thread);
	add->outer = outer;
	add->first = first;
	for (; add->n < n && !e; add->n += !e)
		e = kern_map_create(KERN_MAP_ARRAY, name, 4, (uint32_t)size, 1,
				    BPF_F_MMAPABLE, -1, &add->fds[add->n]);
	for (; mapped < n && !e; mapped += !e)
		e = kern_map_mmap(add->fds[mapped], size, &ret[mapped]);
	if (!e && n)
		e = put(add);
	while (e && mapped)
		kern_unmap(ret[--mapped], size);
	if (e)
		kern_map_added(add);
	return e;
}
