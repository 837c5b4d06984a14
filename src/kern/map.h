/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Maps of BPF.
 */
#ifndef KERN_MAP_H
#define KERN_MAP_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/err.h"

enum kern_map_type { KERN_MAP_ARRAY, KERN_MAP_HASH, KERN_MAP_RINGBUF,
		     KERN_MAP_ARRAY_OF_MAPS };

/* *ret is a file descriptor the caller closes. */
struct err *kern_map_create(enum kern_map_type type, const char *name,
			    uint32_t key_size, uint32_t value_size,
			    uint32_t entries, uint32_t flags, int inner_fd,
			    int *ret);
struct err *kern_map_update(int fd, const void *key, const void *value);

/* Arrays that are being put into an array of maps. */
enum { KERN_INNER_MAX = 64 };
struct kern_adding {
	int outer, fds[KERN_INNER_MAX];
	uint32_t first, n;
	struct err *e;
	bool done, is_thread;
	pthread_t thread;
};
/*
 * Put n new arrays, of one element of size bytes each, into an array of maps, from
 * number `first` on.  ret[]: these, mapped; release with kern_unmap().  Programs find
 * them when this returns.  But the kernel then waits some 15 ms for programs that run,
 * however many arrays they are; so a thread goes on with that, until
 * kern_map_added(), which each of these needs before the next one.  add: zero first.
 */
struct err *kern_map_add_inner(struct kern_adding *add, int outer,
			       const char *name, uint32_t first, uint32_t n,
			       size_t size, void **ret);
/* Wait for it; nothing where there is nothing. */
void kern_map_added(struct kern_adding *add);
/* Delete an element, if there is such. */
void kern_map_delete(int fd, const void *key);
/* Map an mmapable array's values; release with kern_unmap(). */
struct err *kern_map_mmap(int fd, size_t size, void **ret);
void kern_unmap(void *p, size_t size);

/*
 * Take every element out of a hash: fn is called with each key and value, which
 * are deleted by then.  Nothing may write to the map meanwhile.  An error of fn ends the
 * walk and is returned; elements already taken out are lost.
 */
typedef struct err *kern_map_fn(void *ctx, const void *key, const void *value);
struct err *kern_map_drain(int fd, uint32_t key_size, uint32_t value_size,
			   kern_map_fn *fn, void *ctx);
/* The same, but the elements stay. */
struct err *kern_map_read(int fd, uint32_t key_size, uint32_t value_size,
			  kern_map_fn *fn, void *ctx);

#endif
