/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One BPF ring buffer, mapped.  One reader.  Layout: include/uapi/linux/bpf.h
 * and Documentation/bpf/ringbuf.rst.
 */
#ifndef KERN_RING_H
#define KERN_RING_H

#include <stddef.h>
#include <stdint.h>

#include "util/err.h"

struct kern_ring;

/* size: bytes of data, the map's max_entries. */
struct err *kern_ring_open(int map_fd, size_t size, struct kern_ring **ret);
void kern_ring_close(struct kern_ring *r);
/* The next record, 8-byte aligned, or NULL when there is none (yet).  Borrowed
 * until kern_ring_release(), which gives back everything handed out so far. */
const void *kern_ring_next(struct kern_ring *r, size_t *size);
void kern_ring_release(struct kern_ring *r);
/* Bytes waiting. */
size_t kern_ring_pending(const struct kern_ring *r);

#endif
