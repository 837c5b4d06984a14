/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The reading half of a BPF ring buffer: one page with the consumer's
 * position, which we write; one page with the producer's, which we only read;
 * and the data.  Positions count bytes and never wrap.
 *
 * The kernel offers the data twice in a row, so that a record that wraps around
 * is contiguous, and fills in every page of the mapping at once, so that all of
 * it counts as resident.  With 4 MB a CPU that is most of a small command's
 * memory; so the data is mapped once, and the one record in a round that wraps
 * is put together in a buffer.  Nor is all of it mapped before it is needed:
 * of a ring that nobody has been round, the first FIRST bytes may be enough.
 *
 * A record is an 8-byte header, whose first word holds the length and two
 * flags, and then the payload, together padded to 8 bytes.  Producers reserve
 * in order but may finish out of order: a busy record ends what can be read.
 * The kernel publishes the header with release semantics, and reuses space
 * once it sees our position beyond it.
 *
 * Both positions lie in cache lines that the other side's CPU also wants: ours
 * it reads for each record, and its own it writes.  So we look at its position
 * only when we have read up to where it last was.
 *
 *  1. The size is a power of two, so that a position modulo it is an offset.
 *  2. What has been reserved and not given back fits the ring; so does a record.
 *  3. Records are given back in the order they were read in, and once.
 */
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <linux/bpf.h>

#include "base/base.h"
#include "kern/kern_priv.h"
#include "kern/ring.h"
#include "util/alloc.h"

enum { FIRST = 64 << 10 };

struct kern_ring {
	unsigned long *consumer;	/* bytes given back; we write it */
	const unsigned long *producer;	/* bytes reserved; the kernel does */
	const char *data;		/* NULL until there is some */
	size_t mapped;			/* bytes of data */
	const char *first;		/* mapped before data was; NULL or kept
					 * for what is lent out of it */
	char *wrapped;			/* the record that wraps, or NULL */
	int fd;
	size_t size, page;
	unsigned long pos;		/* bytes read */
	unsigned long limit;		/* *producer as last seen */
	bool lent;			/* a record is handed out */
};

static void
unmap(struct kern_ring *r)
{
	if (r->consumer)
		munmap(r->consumer, r->page);
	if (r->producer)
		munmap((void *)r->producer, r->page);
	if (r->data)
		munmap((void *)r->data, r->mapped);
	if (r->first)
		munmap((void *)r->first, FIRST);
	util_free(r->wrapped);
}

void
kern_ring_close(struct kern_ring *r)
{
	if (!r)
		return;
	unmap(r);
	util_free(r);
}

/* length bytes from page number `page` on; NULL when the kernel refuses. */
static void *
map_part(const struct kern_ring *r, size_t page, size_t length, int prot)
{
	void *p = mmap(NULL, length, prot, MAP_SHARED, r->fd,
		       (off_t)(page * r->page));

	return p == MAP_FAILED ? NULL : p;
}

struct err *
kern_ring_open(int map_fd, size_t size, struct kern_ring **ret)
{
	struct kern_ring *r = util_zalloc(sizeof(*r));

	assert(size && !(size & (size - 1)));			/* 1 */
	if (!r)
		return &err_nomem;
	r->page = (size_t)sysconf(_SC_PAGESIZE);
	r->size = size;
	r->fd = map_fd;
	r->consumer = map_part(r, 0, r->page, PROT_READ | PROT_WRITE);
	r->producer = map_part(r, 1, r->page, PROT_READ);
	if (!r->consumer || !r->producer) {
		int os = errno;
		kern_ring_close(r);
		return kern_os_err(os, "cannot map a ring of %zu bytes", size);
	}
	r->pos = r->limit = *r->consumer;
	*ret = r;
	return NULL;
}

/* Have the first n bytes of the data mapped, n <= size. */
static bool
map_data(struct kern_ring *r, size_t n)
{
	size_t want = n <= FIRST && FIRST < r->size ? FIRST : r->size;

	if (n <= r->mapped)
		return true;
	const char *p = map_part(r, 2, want, PROT_READ);
	if (!p)
		return false;
	r->first = r->data;
	r->data = p;
	r->mapped = want;
	return true;
}

/* The payload at position pos, of len bytes; NULL: no memory. */
static const void *
payload(struct kern_ring *r, unsigned long pos, uint32_t len)
{
	size_t at = pos & (r->size - 1), first = r->size - at;

	assert(len <= r->size - BPF_RINGBUF_HDR_SZ);		/* 2 */
	if (!map_data(r, at + BASE_MIN(len, first)))
		return NULL;
	if (len <= first)
		return r->data + at;
	util_free(r->wrapped);
	r->wrapped = util_alloc(len);
	if (!r->wrapped)
		return NULL;
	memcpy(r->wrapped, r->data + at, first);
	memcpy(r->wrapped + first, r->data, len - first);
	return r->wrapped;
}

/* True when there is something at pos. */
static bool
is_more(struct kern_ring *r)
{
	if (r->pos >= r->limit)
		r->limit = __atomic_load_n(r->producer, __ATOMIC_ACQUIRE);
	assert(r->limit - *r->consumer <= r->size);		/* 2 */
	return r->pos < r->limit;
}

const void *
kern_ring_next(struct kern_ring *r, size_t *size)
{
	while (is_more(r)) {
		size_t at = r->pos & (r->size - 1);
		if (!map_data(r, at + BPF_RINGBUF_HDR_SZ))
			return NULL;
		const char *p = r->data + at;
		uint32_t len = __atomic_load_n((const uint32_t *)p,
					       __ATOMIC_ACQUIRE);
		if (len & BPF_RINGBUF_BUSY_BIT)
			break;
		bool discarded = len & BPF_RINGBUF_DISCARD_BIT;
		len &= ~(uint32_t)BPF_RINGBUF_DISCARD_BIT;
		const void *data = discarded ? NULL :
			payload(r, r->pos + BPF_RINGBUF_HDR_SZ, len);
		if (!discarded && !data)
			return NULL;	/* no memory: again later */
		r->pos += base_align((uint64_t)len + BPF_RINGBUF_HDR_SZ, 8);
		if (discarded)
			continue;
		r->lent = true;
		*size = len;
		return data;
	}
	if (!r->lent)			/* discarded ones only */
		kern_ring_release(r);
	return NULL;
}

void
kern_ring_release(struct kern_ring *r)
{
	assert(*r->consumer <= r->pos);				/* 3 */
	if (*r->consumer != r->pos)
		__atomic_store_n(r->consumer, r->pos, __ATOMIC_RELEASE);
	r->lent = false;
}

size_t
kern_ring_pending(const struct kern_ring *r)
{
	return __atomic_load_n(r->producer, __ATOMIC_ACQUIRE) - r->pos;
}
