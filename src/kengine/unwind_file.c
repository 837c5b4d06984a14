/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is made of files for the stacks of processes: their rows, and the segments of
 * their code, in chunks of memory that the programs read.
 *
 *  1. Rows and segments of a file come once, and go when nobody has it mapped any more
 *     and room is needed (unwind_room.c).
 *  2. Where there is no more room, or a file makes no sense, it has no rows: frame
 *     pointers have to do.
 *  3. What is taken lies in one chunk, at a multiple of its size, and nobody else has
 *     it.
 */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "kengine/unwind_priv.h"
#include "sym/file.h"
#include "sym/maps.h"
#include "unwind/kept.h"
#include "util/cleanup.h"
#include "util/clock.h"

enum { ROWS_MAX = 4 << 20, AHEAD = 48, PARTS_MAX = 16, DEV_MINOR_BITS = 20 };

/* Rows of a file in a chunk, from address `low` on. */
struct piece { uint32_t low, chunk, first, n; };

typedef VEC(struct piece) pieces;

/* --- Chunks ------------------------------------------------------------------------- */

/* To add them takes a while however many they are, so there are more at once than
 * are needed: n, or if that is all the same to somebody AHEAD, or as many again. */
static struct err *
add_chunks(struct kengine_unwind *u, uint32_t n)
{
	uint32_t have = (uint32_t)u->chunks.n;
	void *mem[KERN_INNER_MAX];

	n = BASE_MAX(n, BASE_MAX(have, (uint32_t)AHEAD));
	n = BASE_MIN(n, BASE_MIN(u->chunks_max - have, (uint32_t)KERN_INNER_MAX));
	if (!n)
		return err_new(ERR_LIMIT, 0, "unwindsize is used up");
	if (!vec_reserve(&u->chunks, n))
		return &err_nomem;
	kern_map_added(&u->adding);
	TRY(kern_map_add_inner(&u->adding, u->outer, "dt_unwind", have, n, ABI_UNWIND_CHUNK,
			       mem));
	assert(u->chunks.n + n <= u->chunks_max);
	for (uint32_t i = 0; i < n; i++)
		u->chunks.v[u->chunks.n++] = mem[i];
	return NULL;
}

/* Go to the next chunk; `bytes` will be wanted, in all. */
static struct err *
next_chunk(struct kengine_unwind *u, uint64_t bytes)
{
	if (u->current + 1 >= u->chunks_max - u->chunks_max / 4)
		unwind_room_make(u);
	if (u->current + 1 >= u->chunks.n)
		TRY(add_chunks(u, (uint32_t)BASE_MIN(
			bytes / ABI_UNWIND_CHUNK + 1, (uint64_t)UINT32_MAX)));
	u->current += u->is_begun;
	u->is_begun = true;
	u->used = 0;
	return NULL;
}

struct err *
unwind_take(struct kengine_unwind *u, uint32_t size, uint32_t n, bool some,
	    struct place *ret)
{
	assert(n && ABI_UNWIND_CHUNK % size == 0);
	assert(some || (uint64_t)n * size <= ABI_UNWIND_CHUNK);
	u->used = (uint32_t)base_align(u->used, size);
	uint32_t left = u->is_begun ? (ABI_UNWIND_CHUNK - u->used) / size : 0;

	if (left < (some ? 1 : n)) {
		if (unwind_room_take(u, size, n, some, ret))
			return NULL;
		TRY(next_chunk(u, (uint64_t)n * size));
		left = ABI_UNWIND_CHUNK / size;
	}
	*ret = (struct place){ u->current, u->used / size, BASE_MIN(n, left) };
	u->used += ret->n * size;
	assert(ret->n && (some || ret->n == n));			/* 3 */
	assert(ret->chunk < u->chunks.n && u->used <= ABI_UNWIND_CHUNK); /* 3 */
	return NULL;
}

/* --- Files ---------------------------------------------------------------------------- */

static struct err *
add_rows(struct kengine_unwind *u, const struct unwind_table *t, struct object *o,
	 pieces *ret)
{
	for (size_t i = 0; i < t->n; ) {
		struct place at;
		if (!vec_reserve(&o->rows, 1))
			return &err_nomem;
		TRY(unwind_take(u, sizeof(*t->rows), (uint32_t)(t->n - i), true,
				&at));
		o->rows.v[o->rows.n++] = at;
		struct piece p = { t->rows[i].pc, at.chunk, at.first, at.n };
		assert(!ret->n || ret->v[ret->n - 1].low < p.low);
		memcpy(u->chunks.v[at.chunk] + at.first * sizeof(*t->rows),
		       t->rows + i, at.n * sizeof(*t->rows));
		if (!vec_push(ret, p))
			return &err_nomem;
		i += at.n;
	}
	return NULL;
}

/* The code from address `from` to `to`, as linked, whose rows are those; or none. */
static struct err *
add_seg(unwind_segs *s, const struct sym_code_part *part, uint64_t from, uint64_t to,
	const struct piece *p)
{
	struct abi_unwind_seg seg = {
		.start = from - part->addr + part->offset,
		.bias = part->offset - part->addr, .size = (uint32_t)(to - from) };

	if (from >= to || to - from > UINT32_MAX)
		return NULL;
	if (p) {
		seg.chunk = p->chunk;
		seg.first = p->first;
		seg.n = p->n;
	}
	return vec_push(s, seg) ? NULL : &err_nomem;
}

static struct err *
add_part(unwind_segs *s, const struct sym_code_part *part, const pieces *rows)
{
	uint64_t end = part->addr + part->size;

	if (!rows->n)
		return add_seg(s, part, part->addr, end, NULL);
	for (size_t i = 0; i < rows->n; i++) {
		const struct piece *p = &rows->v[i];
		uint64_t to = i + 1 < rows->n ? BASE_MIN(end, rows->v[i + 1].low) : end;
		TRY(add_seg(s, part, BASE_MAX(part->addr, p->low), to, p));
	}
	return NULL;
}

static struct err *
make_segs(struct kengine_unwind *u, int fd, struct object *o, unwind_segs *ret)
{
	struct sym_code_part parts[PARTS_MAX];
	size_t n = sym_elf_parts(fd, parts, PARTS_MAX);
	pieces rows = { 0 };
	struct unwind_table t;

	if (!n)
		return NULL;
	TRY(unwind_kept_table(u->kept, fd, ROWS_MAX, &t));
	struct err *e = add_rows(u, &t, o, &rows);
	unwind_table_fini(&t);
	for (size_t i = 0; i < n && !e; i++)
		e = add_part(ret, &parts[i], &rows);
	vec_fini(&rows);
	return e;
}

void
unwind_object_free(struct kengine_unwind *u, struct object *o, uint64_t when_ns)
{
	if (o->segs.n)
		unwind_room_give(u, &o->segs, sizeof(struct abi_unwind_seg), when_ns);
	for (size_t i = 0; i < o->rows.n; i++)
		unwind_room_give(u, &o->rows.v[i], sizeof(struct abi_unwind_row), when_ns);
	vec_fini(&o->rows);
	util_free(o);
}

/* What is wrong with a file, or too much, concerns nobody else.  *ret is NULL when there
 * is no room, but will be some soon. */
static struct err *
make_object(struct kengine_unwind *u, int fd, struct object **ret)
{
	struct object *o = util_zalloc(sizeof(*o));
	unwind_segs s = { 0 };

	if (!o)
		return &err_nomem;
	struct err *e = make_segs(u, fd, o, &s);
	if (!e && s.n && s.n <= ABI_UNWIND_PROC_SEGS)
		e = unwind_take(u, sizeof(*s.v), (uint32_t)s.n, false, &o->segs);
	if (!e && o->segs.n)
		memcpy(unwind_segs_at(u, &o->segs), s.v, s.n * sizeof(*s.v));
	vec_fini(&s);
	bool waits = e && e->code == ERR_LIMIT && u->room.free.n;
	e = err_only_nomem(e);
	if (e || waits)
		unwind_object_free(u, o, clock_ns());
	else
		*ret = o;
	return e;
}

/* Programs find it from now on.  If there is no room for that they ask. */
static void
publish(struct kengine_unwind *u, const struct object *o)
{
	struct abi_unwind_place v = { o->segs.chunk, o->segs.first, o->segs.n };

	if (u->chunks.n)
		err_free(kern_map_update(u->places, &o->key, &v));
}

/* Does stat() say another device than the kernel has the inode by? */
static bool
has_other_dev(int fd)
{
	static const long types[] = {
		0x794c7630 /* overlayfs */, 0x9123683e /* btrfs */,
		(long)0xca451a4e /* bcachefs */, 0x61756673 /* aufs */,
	};
	struct statfs fs;

	for (size_t i = 0; !fstatfs(fd, &fs) && i < BASE_NELEMS(types); i++)
		if (fs.f_type == types[i])
			return true;
	return false;
}

struct err *
unwind_object(struct kengine_unwind *u, int fd, struct object **ret)
{
	struct stat st;

	*ret = NULL;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return NULL;
	struct unwind_object_id id = {
		st.st_dev, st.st_ino, (uint64_t)st.st_size,
		(uint64_t)st.st_mtim.tv_sec * 1000000000 +
			(uint64_t)st.st_mtim.tv_nsec,
	};
	struct object *o = hash_get(&u->objects, &id, sizeof(id));
	if (!o) {
		/* Others may be dropped meanwhile. */
		TRY(make_object(u, fd, &o));
		if (!o)
			return NULL;
		if (!hash_put(&u->objects, &id, sizeof(id), o)) {
			unwind_object_free(u, o, clock_ns());
			return &err_nomem;
		}
		o->key = (struct abi_unwind_key){
			(uint64_t)major(st.st_dev) << DEV_MINOR_BITS |
				minor(st.st_dev), id.ino, id.size };
		if (has_other_dev(fd))
			o->key.dev = ABI_UNWIND_SOME_DEV;
		publish(u, o);
	}
	*ret = o;
	return NULL;
}

/* The kernel's own object as a file: what we have, too, or the other's. */
static int
open_vdso(int pid, const struct sym_mapping *m, bool is_32)
{
	const uint8_t *own = (void *)getauxval(AT_SYSINFO_EHDR);
	uint8_t page[4096];
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/mem", sym_living(pid));
	CLEANUP(util_closep) int mem = is_32 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	int fd = (is_32 ? mem >= 0 : own != NULL) ?
		 memfd_create("vdso", MFD_CLOEXEC) : -1;
	for (uint64_t n = 0; fd >= 0 && n < m->size; n += sizeof(page)) {
		if (is_32 && pread(mem, page, sizeof(page),
				   (off_t)(m->start + n)) != sizeof(page))
			break;
		if (write(fd, is_32 ? page : own + n, sizeof(page)) != sizeof(page))
			break;
	}
	return fd;
}

/* (Of 64 bits none lies below 4 GB.) */
struct err *
unwind_vdso(struct kengine_unwind *u, int pid, const struct sym_mapping *m,
	    struct object **ret)
{
	bool is_32 = !(m->start >> 32);

	if (!u->vdso[is_32] && m->size <= 16 * 4096) {
		CLEANUP(util_closep) int fd = open_vdso(pid, m, is_32);
		TRY(make_object(u, fd, &u->vdso[is_32]));
		if (u->vdso[is_32]) {
			u->vdso[is_32]->key.size = m->size + is_32;
			publish(u, u->vdso[is_32]);
		}
	}
	*ret = u->vdso[is_32];
	return NULL;
}

void
unwind_objects_free(struct kengine_unwind *u)
{
	struct hash_entry *e;

	unwind_kept_close(u->kept);
	kern_map_added(&u->adding);
	for (size_t i = 0; (e = hash_next(&u->objects, &i)); )
		unwind_object_free(u, e->val, 0);
	for (size_t i = 0; i < BASE_NELEMS(u->vdso); i++)
		if (u->vdso[i])
			unwind_object_free(u, u->vdso[i], 0);
	vec_fini(&u->room.free);
	for (size_t i = 0; i < u->chunks.n; i++)
		kern_unmap(u->chunks.v[i], ABI_UNWIND_CHUNK);
	hash_fini(&u->objects);
	vec_fini(&u->chunks);
}
