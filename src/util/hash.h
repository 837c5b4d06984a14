/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A hash table from bytes to pointers, in order of insertion when walked.
 * Keys are copied.
 */
#ifndef UTIL_HASH_H
#define UTIL_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash_entry {
	const void *key;	/* owned by the table */
	size_t size;		/* of key, bytes */
	void *val;		/* the user's; the table never looks */
	uint32_t sum;
	bool live;
};

/* Empty when all of it is zero. */
struct hash {
	struct hash_entry *entries;	/* in order of insertion */
	uint32_t *slots;		/* index + 1 into entries; 0 free */
	size_t n, cap, nslots, nlive;
};

void hash_fini(struct hash *h);		/* does not touch the vals */

/* The value, or NULL when absent. */
void *hash_get(const struct hash *h, const void *key, size_t size);
void *hash_gets(const struct hash *h, const char *key);
/* The place of the value, made with NULL in it when absent; NULL when out of
 * memory.  Borrowed until the next insertion. */
void **hash_ref(struct hash *h, const void *key, size_t size);
/* Set; false when out of memory. */
bool hash_put(struct hash *h, const void *key, size_t size, void *val);
bool hash_puts(struct hash *h, const char *key, void *val);
/* Remove; the value that was there, or NULL. */
void *hash_del(struct hash *h, const void *key, size_t size);
/* Remove all that was put in since h->n was n.  In between, nothing may have
 * been removed; what was set anew keeps its new value. */
void hash_cut(struct hash *h, size_t n);
/* Walk: start with *i == 0; NULL at the end. */
struct hash_entry *hash_next(const struct hash *h, size_t *i);

/* Eight bytes at a time: keys may be stacks.  Not the same on each machine. */
uint32_t hash_bytes(const void *p, size_t size);

#endif
