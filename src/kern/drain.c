/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Emptying a hash, or reading it.  One system call hands out many elements; the
 * kernel never splits a bucket between two calls, and answers ENOSPC when the
 * very first bucket does not fit, so the batch grows until it does.  Kernels
 * without batches for a type of map are asked key by key.
 *
 * What nobody will write to again is better read: to delete takes longer.
 */
#include <errno.h>
#include <bpf/bpf.h>

#include "base/base.h"
#include "kern/kern_priv.h"
#include "util/alloc.h"
#include "util/cleanup.h"

enum { ENOTSUPP_ = 524 };	/* the kernel's own, not in <errno.h> */

struct batch {
	uint32_t cap;			/* elements */
	uint32_t key_size, value_size;	/* bytes */
	char *keys, *values;		/* owned */
};

static void
batch_fini(struct batch *b)
{
	util_free(b->keys);
	util_free(b->values);
}

static struct err *
batch_resize(struct batch *b, uint32_t cap)
{
	size_t key_bytes, value_bytes;

	if (__builtin_mul_overflow(cap, b->key_size, &key_bytes) ||
	    __builtin_mul_overflow(cap, b->value_size, &value_bytes))
		return &err_nomem;
	batch_fini(b);
	b->keys = util_alloc(key_bytes);
	b->values = util_alloc(value_bytes);
	b->cap = cap;
	return b->keys && b->values ? NULL : &err_nomem;
}

static struct err *
deliver(const struct batch *b, uint32_t n, kern_map_fn *fn, void *ctx)
{
	for (uint32_t i = 0; i < n; i++)
		TRY(fn(ctx, b->keys + (size_t)i * b->key_size,
		       b->values + (size_t)i * b->value_size));
	return NULL;
}

/* The element of the key there is. */
static struct err *
take(int fd, const struct batch *b, bool keep)
{
	CLEANUP(kern_steady_end) struct kern_steady steady = kern_steady();
	int os = bpf_map_lookup_elem(fd, b->keys, b->values);

	if (os)
		return kern_os_err(os, "cannot read from a map");
	if (!keep && (os = bpf_map_delete_elem(fd, b->keys)) != 0)
		return kern_os_err(os, "cannot delete from a map");
	return NULL;
}

/* Without batches: take the first key there is, until there is none, or each
 * key that follows another. */
static struct err *
drain_slowly(int fd, const struct batch *b, bool keep, kern_map_fn *fn,
	     void *ctx)
{
	const void *after = NULL;

	while (bpf_map_get_next_key(fd, after, b->keys) == 0) {
		TRY(take(fd, b, keep));
		after = keep ? b->keys : NULL;
		TRY(fn(ctx, b->keys, b->values));
	}
	return errno == ENOENT ? NULL : kern_os_err(errno, "cannot walk a map");
}

static int
next_batch(int fd, const struct batch *b, bool keep, uint32_t *at,
	   uint32_t *next, uint32_t *n)
{
	CLEANUP(kern_steady_end) struct kern_steady steady = kern_steady();

	return keep ? bpf_map_lookup_batch(fd, at, next, b->keys, b->values, n, NULL)
		    : bpf_map_lookup_and_delete_batch(fd, at, next, b->keys,
						      b->values, n, NULL);
}

static struct err *
drain(int fd, struct batch *b, bool keep, kern_map_fn *fn, void *ctx)
{
	uint32_t at = 0, next = 0;	/* the kernel's cursor: a bucket */
	bool started = false;

	for (;;) {
		uint32_t n = b->cap;
		int os = next_batch(fd, b, keep, started ? &at : NULL, &next, &n);
		if (os == -ENOSPC) {
			if (b->cap > UINT32_MAX / 2)
				return &err_nomem;
			TRY(batch_resize(b, b->cap * 2));
			continue;
		}
		if (!started && (os == -EINVAL || os == -ENOTSUPP_))
			return drain_slowly(fd, b, keep, fn, ctx);
		if (os && os != -ENOENT)
			return kern_os_err(os, "cannot drain a map");
		TRY(deliver(b, n, fn, ctx));
		if (os == -ENOENT)	/* that was the last bucket */
			return NULL;
		at = next;
		started = true;
	}
}

struct err *
kern_map_drain_by(int fd, const struct kern_map_shape *m, bool keep,
		  uint32_t batch, kern_map_fn *fn, void *ctx)
{
	CLEANUP(batch_fini) struct batch b = { .key_size = m->key_size,
					       .value_size = m->value_size };

	if (!m->value_size || !m->key_size)
		return err_new(ERR_INVALID, 0, "a map has no such sizes");
	TRY(batch_resize(&b, BASE_MAX(batch, 1u)));
	return batch ? drain(fd, &b, keep, fn, ctx)
		     : drain_slowly(fd, &b, keep, fn, ctx);
}

/* About 256 KiB of values at a time, but never so few that calls dominate. */
static uint32_t
good_batch(const struct kern_map_shape *m)
{
	uint32_t n = (256u << 10) / BASE_MAX(m->value_size, 1u);

	return BASE_MAX(BASE_MIN(n, 4096u), 64u);
}

struct err *
kern_map_drain(int fd, uint32_t key_size, uint32_t value_size,
	       kern_map_fn *fn, void *ctx)
{
	struct kern_map_shape m = { key_size, value_size };

	return kern_map_drain_by(fd, &m, false, good_batch(&m), fn, ctx);
}

struct err *
kern_map_read(int fd, uint32_t key_size, uint32_t value_size,
	      kern_map_fn *fn, void *ctx)
{
	struct kern_map_shape m = { key_size, value_size };

	return kern_map_drain_by(fd, &m, true, good_batch(&m), fn, ctx);
}
