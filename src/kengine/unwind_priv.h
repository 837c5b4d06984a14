/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tables for stacks of processes, and what is mapped where: unwind_file.c has the
 * chunks and what is made of files, unwind.c the processes, unwind_worker.c the thread
 * that does all of that.  Nobody else may touch what is here but for the worker's own,
 * and before it runs or after it has ended.
 */
#ifndef KENGINE_UNWIND_PRIV_H
#define KENGINE_UNWIND_PRIV_H

#include <pthread.h>

#include "abi/mapped.h"
#include "kengine/unwind.h"
#include "kern/map.h"
#include "kern/ring.h"
#include "sym/names.h"
#include "util/hash.h"
#include "util/vec.h"

typedef VEC(struct abi_unwind_seg) unwind_segs;

struct place { uint32_t chunk, first, n; };	/* of rows, or of segments */

struct unwind_object_id { uint64_t dev, ino, size, mtime; };

/* A file: what of it is code, and where the rows of that are. */
struct object {
	struct place segs;
	VEC(struct place) rows;
	struct abi_unwind_key key;	/* by which programs find it */
};

/* Bytes of a chunk that nobody has; from when on. */
struct unwind_range { uint32_t chunk, from, to; uint64_t when_ns; };

struct freed { struct place at; uint64_t when_ns; };

/* What the worker is told. */
enum unwind_kind {
	UNWIND_TOLD_TRACED, UNWIND_TOLD_MAPPED, UNWIND_TOLD_ENDED,	/* a process */
	UNWIND_TOLD_PROGRAM,		/* a path */
	UNWIND_TOLD_FILE,		/* an open one */
};

struct unwind_told {
	enum unwind_kind kind;
	int n;				/* the process; or the file, owned */
	char *path;			/* owned; or NULL */
};

typedef VEC(struct unwind_told) unwind_told_vec;
typedef VEC(int) unwind_pids;

struct unwind_worker {
	pthread_t thread;
	bool runs;
	bool stops;			/* atomic */
	int wake, wants;		/* events: for it, for who told it */
	/* Both have these, by the lock. */
	pthread_mutex_t lock;
	pthread_cond_t idle;
	unwind_told_vec told;
	unwind_pids wanted;		/* processes of which it wants the files */
	bool is_busy;			/* with what it was told */
};

struct kengine_unwind {
	struct unwind_worker worker;
	int outer, places, asks_fd;	/* maps, borrowed */
	struct kern_ring *asks;
	struct unwind_kept *kept;	/* NULL: nowhere */
	VEC(uint8_t *) chunks;
	uint32_t chunks_max;
	struct kern_adding adding;	/* the last of them */
	bool is_begun;			/* there is a chunk that is being filled: */
	uint32_t current, used;		/* its number; bytes of it */
	/* unwind_room.c's; next_ns: it is not to be made before. */
	struct { VEC(struct unwind_range) free; uint64_t next_ns; } room;
	struct hash objects;		/* struct unwind_object_id */
	struct object *vdso[2];		/* the second of 32 bits; NULL: not asked
					 * for yet */
	struct hash known;		/* int pid */
	VEC(struct freed) freed;
	bool some_dirty;
	uint64_t next_ns;		/* when somebody gets an answer */
	bool has_told;			/* how many stacks lacked one; the main
					 * thread's */
};

struct err *unwind_worker_new(struct unwind_worker *w);
struct err *unwind_worker_start(struct kengine_unwind *u);
void unwind_worker_end(struct unwind_worker *w);
/* path is copied, a file taken; without memory nobody hears of it. */
void unwind_tell(struct unwind_worker *w, enum unwind_kind kind, int n,
		 const char *path);
void unwind_settle(struct unwind_worker *w);
/* The worker's, to its other side; and there. */
void unwind_want(struct unwind_worker *w, int pid);
void unwind_take_wanted(struct unwind_worker *w, unwind_pids *ret);

static inline bool
unwind_stops(const struct unwind_worker *w)
{
	return __atomic_load_n(&w->stops, __ATOMIC_ACQUIRE);
}

/* The worker's work: first of all; what it was told, and what is to be done now; when there will be
 * something again, ns. */
void unwind_hear(struct kengine_unwind *u, const struct unwind_told *t);
void unwind_begin(struct kengine_unwind *u);
void unwind_turn(struct kengine_unwind *u, uint64_t now);

static inline uint64_t
unwind_due(const struct kengine_unwind *u)
{
	return u->some_dirty ? 0 : u->next_ns;
}

/* Room for n things of so many bytes, a divisor of a chunk's, side by side; or, if
 * some will do, for as many as are left in a chunk. */
struct err *unwind_take(struct kengine_unwind *u, uint32_t size, uint32_t n,
			bool some, struct place *ret);

/* unwind_room.c: at->n things of so many bytes are free from then on; take some, as
 * unwind_take(), from what is free, false: there are none. */
void unwind_room_give(struct kengine_unwind *u, const struct place *at, uint32_t size,
		      uint64_t when_ns);
bool unwind_room_take(struct kengine_unwind *u, uint32_t size, uint32_t n, bool some,
		      struct place *ret);
/* Drop what was made of files that nobody executes any more. */
void unwind_room_make(struct kengine_unwind *u);

static inline struct abi_unwind_seg *
unwind_segs_at(const struct kengine_unwind *u, const struct place *at)
{
	return (struct abi_unwind_seg *)u->chunks.v[at->chunk] + at->first;
}

/* The object of an open file, made when it is new; programs find it from then on.
 * *ret is NULL for what is no file. */
struct err *unwind_object(struct kengine_unwind *u, int fd, struct object **ret);
/* The one that the kernel gives each process, or each of 32 bits, as pid has it. */
struct err *unwind_vdso(struct kengine_unwind *u, int pid,
			const struct sym_mapping *m, struct object **ret);
/* Nobody finds it any more; its room is free from when_ns on. */
void unwind_object_free(struct kengine_unwind *u, struct object *o, uint64_t when_ns);
void unwind_objects_free(struct kengine_unwind *u);

#endif
