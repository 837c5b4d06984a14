/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Blocks, filled from the front.  Under AddressSanitizer what is not handed out
 * is poisoned, and so is a gap behind each piece, or else an overrun from
 * one piece into the next would go unseen.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "util/alloc.h"
#include "util/arena.h"

#ifdef __has_feature
#define HAS_FEATURE(x) __has_feature(x)
#else
#define HAS_FEATURE(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
#include <sanitizer/asan_interface.h>
enum { GAP = 16 };
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
enum { GAP = 0 };
#endif

enum { BLOCK_SIZE = 32 * 1024, ALIGN = 16 };

struct block {
	struct block *next;
	size_t size, used;		/* of the bytes behind this header */
} __attribute__((aligned(ALIGN)));

struct arena {
	struct block *blocks;		/* newest first */
	size_t total;
	int failed;
};

struct arena *
arena_new(void)
{
	return util_zalloc(sizeof(struct arena));
}

void
arena_free(struct arena *a)
{
	if (!a)
		return;
	for (struct block *b = a->blocks, *next; b; b = next) {
		next = b->next;
		util_free(b);
	}
	util_free(a);
}

/* A block with room for size bytes, in front; NULL when out of memory. */
static struct block *
add_block(struct arena *a, size_t size)
{
	struct block *b = a->blocks;
	size_t room = size > BLOCK_SIZE / 4 ? size : BLOCK_SIZE;
	struct block *fresh = util_zalloc(sizeof(*fresh) + room);

	if (!fresh)
		return NULL;
	fresh->size = room;
	ASAN_POISON_MEMORY_REGION(fresh + 1, room);
	/* A block of its own goes behind the one still filling. */
	if (b && room == size) {
		fresh->next = b->next;
		b->next = fresh;
	} else {
		fresh->next = b;
		a->blocks = fresh;
	}
	return fresh;
}

void *
arena_alloc(struct arena *a, size_t size)
{
	size_t asked = size;

	if (a->failed || size > SIZE_MAX / 2) {
		a->failed = 1;
		return NULL;
	}
	size = (size + GAP + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	a->total += size;

	struct block *b = a->blocks;
	if (!b || b->size - b->used < size)
		b = add_block(a, size);
	if (!b) {
		a->failed = 1;
		return NULL;
	}
	void *p = (char *)(b + 1) + b->used;
	b->used += size;
	ASAN_UNPOISON_MEMORY_REGION(p, asked);
	return p;
}

void *
arena_memdup(struct arena *a, const void *p, size_t size)
{
	void *copy = arena_alloc(a, size);

	return copy && size ? memcpy(copy, p, size) : copy;
}

char *
arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *copy = arena_alloc(a, n + 1);

	return copy && n ? memcpy(copy, s, n) : copy;
}

char *
arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *
arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	char *s = n < 0 ? NULL : arena_alloc(a, (size_t)n + 1);
	if (s)
		vsnprintf(s, (size_t)n + 1, fmt, ap);
	return s;
}

char *
arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	char *s = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return s;
}

int
arena_failed(const struct arena *a)
{
	return a->failed;
}

size_t
arena_used(const struct arena *a)
{
	return a->total;
}
