/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tables for stacks of processes, and what is mapped where: unwind_file.c has the
 * chunks and what is made of files, unwind.c the processes.
 */
#ifndef KENGINE_UNWIND_PRIV_H
#define KENGINE_UNWIND_PRIV_H

#include "abi/unwind.h"
#include "kengine/unwind.h"
#include "kern/map.h"
#include "kern/ring.h"
#include "util/hash.h"
#include "util/vec.h"

typedef VEC(struct abi_unwind_seg) unwind_segs;

struct place { uint32_t chunk, first, n; };	/* of rows, or of segments */

/* A file: what of it is code. */
struct object { struct place segs; };

struct freed { struct place at; uint64_t when_ns; };

struct kengine_unwind {
	int outer, places;		/* maps, borrowed */
	struct kern_ring *asks;
	struct unwind_kept *kept;	/* NULL: nowhere */
	bool has_looked;		/* for where tables are kept */
	VEC(uint8_t *) chunks;
	uint32_t chunks_max;
	struct kern_adding adding;	/* the last of them */
	bool is_begun;			/* there is a chunk that is being filled: */
	uint32_t current, used;		/* its number; bytes of it */
	struct hash objects;		/* struct object_id */
	struct object *vdso;		/* NULL: not asked for yet */
	struct hash known;		/* int pid */
	VEC(struct freed) freed;
	const struct engine_input *in;
	bool some_dirty;
	bool has_told;			/* how many stacks lacked one */
	uint64_t next_ns;		/* when somebody gets an answer */
};

/* Room for n things of so many bytes, a divisor of a chunk's, side by side; or, if
 * some will do, for as many as are left in a chunk. */
struct err *unwind_take(struct kengine_unwind *u, uint32_t size, uint32_t n,
			bool some, struct place *ret);

static inline struct abi_unwind_seg *
unwind_segs_at(const struct kengine_unwind *u, const struct place *at)
{
	return (struct abi_unwind_seg *)u->chunks.v[at->chunk] + at->first;
}

/* The object of an open file, made when it is new; programs find it from then on.
 * *ret is NULL for what is no file. */
struct err *unwind_object(struct kengine_unwind *u, int fd, struct object **ret);
/* The one that the kernel gives each process, of so many bytes in memory. */
struct err *unwind_vdso(struct kengine_unwind *u, uint64_t size,
			struct object **ret);
void unwind_objects_free(struct kengine_unwind *u);

#endif
