/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The reading half of a BPF ring buffer.  The mapping is one page with the
 * consumer's position, which we write; one page with the producer's, which we
 * only read; and the data twice in a row, so that a record that wraps around
 * is contiguous.  Positions count bytes and never wrap.
 *
 * A record is an 8-byte header, whose first word holds the length and two
 * flags, and then the payload, together padded to 8 bytes.  Producers reserve
 * in order but may finish out of order: a busy record ends what can be read.
 * The kernel publishes the header with release semantics, and reuses space
 * once it sees our position beyond it.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>
#include <linux/bpf.h>

#include "base/base.h"
#include "kern/kern_priv.h"
#include "util/alloc.h"

struct kern_ring {
	unsigned long *consumer;	/* bytes given back; we write it */
	const unsigned long *producer;	/* bytes reserved; the kernel does */
	const char *data;
	size_t size, page;
	unsigned long pos;		/* bytes read */
	bool lent;			/* a record is handed out */
};

static void
unmap(struct kern_ring *r)
{
	if (r->consumer)
		munmap(r->consumer, r->page);
	if (r->producer)
		munmap((void *)r->producer, r->page + 2 * r->size);
}

struct err *
kern_ring_open(int map_fd, size_t size, struct kern_ring **ret)
{
	struct kern_ring *r = util_zalloc(sizeof(*r));

	if (!r)
		return &err_nomem;
	r->page = (size_t)sysconf(_SC_PAGESIZE);
	r->size = size;
	void *head = mmap(NULL, r->page, PROT_READ | PROT_WRITE, MAP_SHARED,
			  map_fd, 0);
	void *tail = MAP_FAILED;
	if (head != MAP_FAILED) {
		r->consumer = head;
		tail = mmap(NULL, r->page + 2 * size, PROT_READ, MAP_SHARED,
			    map_fd, (off_t)r->page);
	}
	if (tail == MAP_FAILED) {
		int os = errno;
		unmap(r);
		util_free(r);
		return kern_os_err(os, "cannot map a ring of %zu bytes", size);
	}
	r->producer = tail;
	r->data = (const char *)tail + r->page;
	r->pos = *r->consumer;
	*ret = r;
	return NULL;
}

void
kern_ring_close(struct kern_ring *r)
{
	if (!r)
		return;
	unmap(r);
	util_free(r);
}

const void *
kern_ring_next(struct kern_ring *r, size_t *size)
{
	while (r->pos < __atomic_load_n(r->producer, __ATOMIC_ACQUIRE)) {
		const char *p = r->data + (r->pos & (r->size - 1));
		uint32_t len = __atomic_load_n((const uint32_t *)p,
					       __ATOMIC_ACQUIRE);
		if (len & BPF_RINGBUF_BUSY_BIT)
			break;
		bool discarded = len & BPF_RINGBUF_DISCARD_BIT;
		len &= ~(uint32_t)BPF_RINGBUF_DISCARD_BIT;
		r->pos += base_align((uint64_t)len + BPF_RINGBUF_HDR_SZ, 8);
		if (discarded)
			continue;
		r->lent = true;
		*size = len;
		return p + BPF_RINGBUF_HDR_SZ;
	}
	if (!r->lent)			/* discarded ones only */
		kern_ring_release(r);
	return NULL;
}

void
kern_ring_release(struct kern_ring *r)
{
	if (*r->consumer != r->pos)
		__atomic_store_n(r->consumer, r->pos, __ATOMIC_RELEASE);
	r->lent = false;
}

size_t
kern_ring_pending(const struct kern_ring *r)
{
	return __atomic_load_n(r->producer, __ATOMIC_ACQUIRE) - r->pos;
}
