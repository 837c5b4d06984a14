/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Small things every folder may use: spans of text, alignment, and a buffer
 * of fixed size that remembers that it overflowed.  Freestanding.
 */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BASE_NELEMS(a) (sizeof(a) / sizeof((a)[0]))
#define BASE_MIN(a, b) ((a) < (b) ? (a) : (b))
#define BASE_MAX(a, b) ((a) > (b) ? (a) : (b))

/* Of the numbers i below n `holds` is true for the first ones and for no other: how
 * many those are.  So of what is in order it finds the place of something:
 *
 *	size_t n = BASE_HOW_MANY(i, t->n, t->rows[i].pc <= pc);
 */
#define BASE_HOW_MANY(i, n, holds) __extension__ ({		\
	size_t from_ = 0, to_ = (n);				\
	while (from_ < to_) {					\
		size_t i = from_ + (to_ - from_) / 2;		\
		if (holds)					\
			from_ = i + 1;				\
		else						\
			to_ = i;				\
	}							\
	from_;							\
})

/* Is there an i below n of which it holds?  As in
 *	if (BASE_ANY(i, d->nkeys, d->keys[i].kind == ABI_FIELD_STRING))
 */
#define BASE_ANY(i, n, holds) __extension__ ({			\
	size_t i = 0, to_ = (n);				\
	while (i < to_ && !(holds))				\
		i++;						\
	i < to_;						\
})

/* As assert(), where no C library can be asked to print what is wrong. */
#ifdef NDEBUG
#define BASE_ASSERT(what) ((void)0)
#else
#define BASE_ASSERT(what) ((what) ? (void)0 : __builtin_trap())
#endif

/* Round n up to a multiple of align, a power of two. */
static inline uint64_t
base_align(uint64_t n, uint64_t align)
{
	BASE_ASSERT(align && !(align & (align - 1)));
	return (n + align - 1) & ~(align - 1);
}

/* Sign-extend the low `bits` bits of v; bits is 1..64. */
static inline int64_t
base_sext(uint64_t v, unsigned bits)
{
	return (int64_t)(v << (64 - bits)) >> (64 - bits);
}

/* The letters of C's escapes, of the characters from \a on. */
#define BASE_ESCAPES "abtnvfr"

/* The letter that stands for c behind a backslash; 0: there is none. */
static inline char
base_escape_letter(char c)
{
	return c >= '\a' && c <= '\r' ? BASE_ESCAPES[c - '\a'] : '\0';
}

/* A piece of text that is not NUL-terminated and not owned. */
struct base_span {
	const char *p;
	size_t n;
};

/*
 * A caller's buffer being filled with text.  len counts what was asked for,
 * so len >= size says that the text was cut; p is always NUL-terminated.
 */
struct base_buf {
	char *p;
	size_t size;
	size_t len;
};

void base_buf_init(struct base_buf *b, char *p, size_t size);
void base_putc(struct base_buf *b, char c);
void base_puts(struct base_buf *b, const char *s);
/* v in base 2..36, lower case, at least width digits, padded with `pad`. */
void base_putu(struct base_buf *b, uint64_t v, unsigned base, unsigned width,
	       char pad);
void base_putd(struct base_buf *b, int64_t v);
/* The decimal digits of v, without a NUL; how many they are. */
enum { BASE_DEC_MAX = 20 };
unsigned base_dec(char out[BASE_DEC_MAX], uint64_t v);

/* Bytes, 1..4, of the character of UTF-8 that n bytes at p begin with; 0: they
 * begin with none. */
unsigned base_utf8(const char *p, size_t n);
/* True when a spells the NUL-terminated s. */
bool base_span_is(struct base_span a, const char *s);

#endif
