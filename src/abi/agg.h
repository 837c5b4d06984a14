/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Aggregations: what their values are made of, and the keys they are kept by.
 */
#ifndef ABI_AGG_H
#define ABI_AGG_H

#include "abi/field.h"

/*
 * A value is an array of 64-bit cells, all zero when nothing was aggregated,
 * each updated by an atomic add, or by an atomic unsigned maximum for MIN and
 * MAX (abi_agg_max_encode()):
 *	COUNT n; SUM sum; AVG count, sum; STDDEV count, sum, low and high
 *	half of the 128-bit sum of squares; QUANTIZE 127 buckets, [63] holds 0;
 *	LQUANTIZE below, levels..., above; LLQUANTIZE below, buckets..., above.
 * The parameters of the last two are packed into `arg`: ABI_LQ_ARG(),
 * ABI_LLQ_ARG().
 */
struct abi_agg_desc {
	const char *name;	/* "" for @ */
	uint32_t id;		/* 1.. */
	uint32_t func;		/* enum abi_agg_func */
	uint64_t arg;
	uint32_t nkeys;
	uint32_t key_size;	/* bytes, multiple of 4; 0: no keys */
	uint32_t ncells;
	const struct abi_field *keys;	/* nkeys; offsets within the key */
	/* nkeys, each as the program writes it where it first does, or NULL;
	 * NULL: unknown. */
	const char *const *key_names;
};

/*
 * With keys, a value lies in pieces of at most ABI_PIECE cells, each made when it
 * is first used, and on each CPU by itself: it is an element of a hash whose key
 * is the aggregation's key and behind that a word, the tag, that says which piece
 * of which CPU this is.  Where several aggregations share a hash the pieces of
 * one have numbers behind those of the other.
 */
enum { ABI_PIECE_SHIFT = 5, ABI_PIECE = 1 << ABI_PIECE_SHIFT, ABI_TAG_SIZE = 4 };

static inline bool
abi_agg_is_histogram(uint32_t func)
{
	return func == ABI_AGG_QUANTIZE || func == ABI_AGG_LQUANTIZE ||
	       func == ABI_AGG_LLQUANTIZE;
}

static inline uint32_t
abi_agg_pieces(const struct abi_agg_desc *d)
{
	return d->ncells <= ABI_PIECE ? 1
				      : (d->ncells + ABI_PIECE - 1) / ABI_PIECE;
}

/* Of a piece; the last may be of less use. */
static inline uint32_t
abi_piece_cells(const struct abi_agg_desc *d)
{
	return d->ncells < ABI_PIECE ? d->ncells : ABI_PIECE;
}

#define ABI_TAG(piece, cpu, ncpus) ((uint32_t)(piece) * (ncpus) + (cpu))
#define ABI_TAG_PIECE(tag, ncpus)  ((tag) / (ncpus))

/*
 * The longer a key, the longer the kernel takes to find it: 28 ns for 8 bytes, 91
 * for 168.  And strings and stacks are seldom as long as they may be.  So a key
 * whose strings and stacks all end early is brief, and in a hash of its own: cut
 * behind their ends, each part at the next multiple of 8.
 */
enum { ABI_BRIEF_STRING = 32, ABI_BRIEF_STACK = 72, ABI_BRIEF_GAIN = 64 };

/* Bytes of a part; the last one (a stack: the last 8) is 0, or it is whole. */
static inline uint32_t
abi_brief_part(const struct abi_field *f)
{
	uint32_t most = f->kind == ABI_FIELD_STRING ? ABI_BRIEF_STRING :
			f->kind == ABI_FIELD_STACK ||
			f->kind == ABI_FIELD_USTACK ? ABI_BRIEF_STACK : f->size;

	return f->size < most ? f->size : most;
}

/* Bytes of a brief key; 0: it would be hardly shorter, so there are none. */
static inline uint32_t
abi_brief_size(const struct abi_agg_desc *d)
{
	uint32_t size = 0;

	for (uint32_t i = 0; i < d->nkeys; i++)
		size += (abi_brief_part(&d->keys[i]) + 7) & ~7u;
	return d->key_size >= size + ABI_BRIEF_GAIN ? size : 0;
}

/* Make the key_size bytes at `key` of a brief one. */
static inline void
abi_brief_expand(const struct abi_agg_desc *d, const void *brief, void *key)
{
	const uint8_t *from = (const uint8_t *)brief;

	__builtin_memset(key, 0, d->key_size);
	for (uint32_t i = 0; i < d->nkeys; i++) {
		uint32_t size = abi_brief_part(&d->keys[i]);
		__builtin_memcpy((uint8_t *)key + d->keys[i].offset, from, size);
		from += (size + 7) & ~7u;
	}
}

#endif
