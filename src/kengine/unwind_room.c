/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Room for tables that is given back.  When most of it is used, all processes are looked
 * at, and what was made of files that none of them executes is dropped: it takes tens of
 * milliseconds, so at most once a second.  A program may have found such a file just
 * before, so nothing is written over for another second; that is why room is made before
 * it is needed.
 *
 *  1. Nobody finds what is dropped from then on, and its room is free a second later.
 *  2. Ranges do not overlap, and each lies in one chunk.
 */
#include <assert.h>

#include "kengine/unwind_priv.h"
#include "sym/maps.h"
#include "util/clock.h"

enum { QUIET_NS = 1000000000, SCRAP = 4096 /* bytes: too few for a part of rows */ };

void
unwind_room_give(struct kengine_unwind *u, const struct place *at, uint32_t size,
		 uint64_t when_ns)
{
	struct unwind_range r = { at->chunk, at->first * size, (at->first + at->n) * size,
				  when_ns };

	for (size_t i = 0; i < u->room.free.n; i++) {
		struct unwind_range *f = &u->room.free.v[i];
		if (f->chunk != r.chunk || (f->to != r.from && f->from != r.to))
			continue;
		assert(f->to <= r.from || f->from >= r.to);		/* 2 */
		f->from = BASE_MIN(f->from, r.from);
		f->to = BASE_MAX(f->to, r.to);
		f->when_ns = BASE_MAX(f->when_ns, r.when_ns);
		return;
	}
	if (r.from < r.to)
		(void)!vec_push(&u->room.free, r);	/* else it is lost */
}

bool
unwind_room_take(struct kengine_unwind *u, uint32_t size, uint32_t n, bool some,
		 struct place *ret)
{
	uint32_t least = some ? BASE_MIN(n, SCRAP / size) : n;
	uint64_t now = u->room.free.n ? clock_ns() : 0;

	for (size_t i = 0; i < u->room.free.n; i++) {
		struct unwind_range *f = &u->room.free.v[i];
		uint32_t from = (uint32_t)base_align(f->from, size);
		uint32_t fit = from < f->to ? (f->to - from) / size : 0;
		if (fit < least || f->when_ns > now)
			continue;
		*ret = (struct place){ f->chunk, from / size, BASE_MIN(fit, n) };
		f->from = from + ret->n * size;
		assert(f->from <= f->to && f->to <= ABI_UNWIND_CHUNK);	/* 2 */
		if (f->from == f->to)
			*f = u->room.free.v[--u->room.free.n];
		return true;
	}
	return false;
}

/* --- Making room -------------------------------------------------------------------- */

/* By the inode alone: the device has another number for stat() in some file systems. */
static struct err *
note_mapped(void *ctx, const struct sym_mapping *m)
{
	return !m->inode || hash_put(ctx, &m->inode, sizeof(m->inode), ctx) ? NULL
									     : &err_nomem;
}

/* Whom nobody may look at had no tables of its own. */
static struct err *
note_process(void *ctx, int pid)
{
	return err_only_nomem(sym_maps_read(pid, note_mapped, ctx));
}

static void
drop_unmapped(struct kengine_unwind *u, const struct hash *inodes, uint64_t when_ns)
{
	VEC(struct unwind_object_id) gone = { 0 };
	struct hash_entry *e;

	for (size_t i = 0; (e = hash_next(&u->objects, &i)); ) {
		struct unwind_object_id id = *(const struct unwind_object_id *)e->key;
		if (!hash_get(inodes, &id.ino, sizeof(id.ino)))
			(void)!vec_push(&gone, id);	/* else it stays */
	}
	for (size_t i = 0; i < gone.n; i++) {
		struct object *o = hash_del(&u->objects, &gone.v[i], sizeof(gone.v[i]));
		kern_map_delete(u->places, &o->key);			/* 1 */
		unwind_object_free(u, o, when_ns);
	}
	vec_fini(&gone);
}

void
unwind_room_make(struct kengine_unwind *u)
{
	struct hash inodes = { 0 };
	uint64_t now = clock_ns();

	if (now < u->room.next_ns)
		return;
	u->room.next_ns = now + QUIET_NS;
	struct err *e = sym_processes(note_process, &inodes);
	if (!e)
		drop_unmapped(u, &inodes, clock_ns() + QUIET_NS);
	err_free(e);
	hash_fini(&inodes);
}
