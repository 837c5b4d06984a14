/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tables for the stacks of processes (bpfrt/unwind.h): made when the programs ask, or
 * somebody says that a process has mapped something, once for each file.
 *
 *  1. Rows and segments only come: what programs may be reading is not written to.
 *     A process whose mappings have changed gets new segments; the old ones are
 *     used again when others need as many, a second later at the earliest.
 *  2. A process that asks although nothing has changed runs code that has no file
 *     (of a compiler that runs in it); it is not answered for a second.
 *  3. Where there is no more room, or a file makes no sense, frame pointers have
 *     to do.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/unwind.h"
#include "kengine/unwind.h"
#include "kern/map.h"
#include "kern/ring.h"
#include "sym/file.h"
#include "unwind/unwind.h"
#include "util/cleanup.h"
#include "util/hash.h"

enum { ASKS_SIZE = 4096, ROWS_MAX = 4 << 20, QUIET_NS = 1000000000, AHEAD = 8 };

/* Rows of an object in a chunk, from address `low` on. */
struct piece { uint32_t low, chunk, first, n; };

struct object_id { uint64_t dev, ino, size, mtime; };

struct object { VEC(struct piece) pieces; };

struct place { uint32_t chunk, first, n; };	/* of segments */

struct known {
	int pid;
	struct place at;
	bool dirty;			/* it is to be read again */
	uint64_t quiet_ns;		/* it has asked in vain, and gets an answer
					 * then; 0: it has not */
};

struct freed { struct place at; uint64_t when_ns; };

struct kengine_unwind {
	int outer, procs;		/* maps, borrowed */
	struct kern_ring *asks;
	VEC(uint8_t *) chunks;
	uint32_t chunks_max;
	bool is_begun;			/* there is a chunk that is being filled: */
	uint32_t current, used;		/* its number; bytes of it */
	struct hash objects;		/* struct object_id */
	struct hash known;		/* int pid */
	VEC(struct freed) freed;
	bool some_dirty;
	uint64_t next_ns;		/* when somebody gets an answer */
};

/* --- Chunks ------------------------------------------------------------------------- */

/* To add them takes a while however many they are, so there are more at once than
 * are needed: n, or if that is all the same to somebody AHEAD. */
static struct err *
add_chunks(struct kengine_unwind *u, uint32_t n)
{
	uint32_t have = (uint32_t)u->chunks.n;
	void *mem[KERN_INNER_MAX];

	n = BASE_MAX(n, (uint32_t)AHEAD);
	n = BASE_MIN(n, BASE_MIN(u->chunks_max - have, (uint32_t)KERN_INNER_MAX));
	if (!n)
		return err_new(ERR_LIMIT, 0, "unwindsize is used up");
	if (!vec_reserve(&u->chunks, n))
		return &err_nomem;
	TRY(kern_map_add_inner(u->outer, "dt_unwind", have, n, ABI_UNWIND_CHUNK,
			       mem));
	for (uint32_t i = 0; i < n; i++)
		u->chunks.v[u->chunks.n++] = mem[i];
	return NULL;
}

/* Go to the next chunk; `bytes` will be wanted, in all. */
static struct err *
next_chunk(struct kengine_unwind *u, uint64_t bytes)
{
	if (u->current + 1 >= u->chunks.n)
		TRY(add_chunks(u, (uint32_t)BASE_MIN(
			bytes / ABI_UNWIND_CHUNK + 1, (uint64_t)UINT32_MAX)));
	u->current += u->is_begun;
	u->is_begun = true;
	u->used = 0;
	return NULL;
}

/* Room for n things of so many bytes, a divisor of a chunk's, side by side; or, if
 * some will do, for as many as are left in a chunk. */
static struct err *
take(struct kengine_unwind *u, uint32_t size, uint32_t n, bool some,
     struct place *ret)
{
	u->used = (uint32_t)base_align(u->used, size);
	uint32_t left = u->is_begun ? (ABI_UNWIND_CHUNK - u->used) / size : 0;

	if (left < (some ? 1 : n)) {
		TRY(next_chunk(u, (uint64_t)n * size));
		left = ABI_UNWIND_CHUNK / size;
	}
	*ret = (struct place){ u->current, u->used / size, BASE_MIN(n, left) };
	u->used += ret->n * size;
	return NULL;
}

/* --- Objects -------------------------------------------------------------------------- */

static struct err *
add_rows(struct kengine_unwind *u, struct object *o,
	 const struct unwind_table *t)
{
	for (size_t i = 0; i < t->n; ) {
		struct place at;
		TRY(take(u, sizeof(*t->rows), (uint32_t)(t->n - i), true, &at));
		struct piece p = { t->rows[i].pc, at.chunk, at.first, at.n };
		memcpy(u->chunks.v[at.chunk] + at.first * sizeof(*t->rows),
		       t->rows + i, at.n * sizeof(*t->rows));
		if (!vec_push(&o->pieces, p))
			return &err_nomem;
		i += at.n;
	}
	return NULL;
}

/* What is wrong with a file, or too much, concerns nobody else. */
static struct err *
not_grave(struct err *e)
{
	if (!e || e->code == ERR_NOMEM)
		return e;
	err_free(e);
	return NULL;
}

static struct err *
make_object(struct kengine_unwind *u, int fd, struct object **ret)
{
	struct unwind_table t;
	struct object *o = util_zalloc(sizeof(*o));

	if (!o)
		return &err_nomem;
	struct err *e = unwind_file_table(fd, ROWS_MAX, &t);
	if (!e) {
		e = add_rows(u, o, &t);
		unwind_table_fini(&t);
	}
	if (e)
		o->pieces.n = 0;
	*ret = o;
	return not_grave(e);
}

static struct err *
find_object(struct kengine_unwind *u, int fd, struct object **ret)
{
	struct stat st;

	*ret = NULL;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return NULL;
	struct object_id id = {
		st.st_dev, st.st_ino, (uint64_t)st.st_size,
		(uint64_t)st.st_mtim.tv_sec * 1000000000 +
			(uint64_t)st.st_mtim.tv_nsec,
	};
	void **at = hash_ref(&u->objects, &id, sizeof(id));
	if (!at)
		return &err_nomem;
	if (!*at)
		TRY(make_object(u, fd, (struct object **)at));
	*ret = *at;
	return NULL;
}

/* --- Mappings ------------------------------------------------------------------------- */

struct mapping {
	uint64_t start, end, offset, inode;
	char perms[8];
	int name;			/* where it stands in the line */
};

typedef VEC(struct abi_unwind_seg) segs;

static struct err *
add_seg(segs *s, const struct mapping *m, uint64_t from, uint64_t to,
	uint64_t bias, const struct piece *p)
{
	struct abi_unwind_seg seg = {
		.start = from, .bias = bias, .size = (uint32_t)(to - from) };

	if (from >= to || from < m->start || to > m->end ||
	    to - from > UINT32_MAX)
		return NULL;
	if (p) {
		seg.chunk = p->chunk;
		seg.first = p->first;
		seg.n = p->n;
	}
	return vec_push(s, seg) ? NULL : &err_nomem;
}

/* The mapping of an object whose first byte there is linked to `addr`. */
static struct err *
add_object(segs *s, const struct mapping *m, const struct object *o,
	   uint64_t addr)
{
	uint64_t bias = m->start - addr;

	for (size_t i = 0; i < o->pieces.n; i++) {
		const struct piece *p = &o->pieces.v[i];
		uint64_t from = p->low + bias, to = m->end;
		if (i + 1 < o->pieces.n)
			to = BASE_MIN(to, o->pieces.v[i + 1].low + bias);
		/* low + bias may be below 0 */
		if (p->low < addr)
			from = m->start;
		TRY(add_seg(s, m, from, to, bias, p));
	}
	return NULL;
}

static struct err *
add_mapping(struct kengine_unwind *u, segs *s, const struct mapping *m, int fd)
{
	struct object *o;
	uint64_t addr;

	TRY(find_object(u, fd, &o));
	if (!o || !o->pieces.n || !sym_elf_offset_addr(fd, m->offset, &addr))
		return add_seg(s, m, m->start, m->end, 0, NULL);
	return add_object(s, m, o, addr);
}

/* The kernel's own object, which every process has, as a file. */
static int
open_vdso(void)
{
	const uint8_t *image = (void *)getauxval(AT_SYSINFO_EHDR);
	int fd = image ? memfd_create("vdso", MFD_CLOEXEC) : -1;

	/* Two pages at most, and sections stand at the end. */
	for (size_t n = 0; fd >= 0 && n < 2 * 4096; n += 4096)
		if (write(fd, image + n, 4096) != 4096)
			break;
	return fd;
}

static int
open_mapping(int pid, const struct mapping *m, const char *line)
{
	char path[96];

	if (m->name && !strncmp(line + m->name, "[vdso]", 6))
		return open_vdso();
	if (!m->inode)
		return -1;
	snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx", pid,
		 (unsigned long long)m->start, (unsigned long long)m->end);
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static bool
parse(const char *line, struct mapping *m)
{
	unsigned long long start, end, offset, inode;

	m->name = 0;
	if (sscanf(line, "%llx-%llx %7s %llx %*s %llu %n", &start, &end,
		   m->perms, &offset, &inode, &m->name) < 5)
		return false;
	m->start = start;
	m->end = end;
	m->offset = offset;
	m->inode = inode;
	return m->perms[2] == 'x' && start < end && end >> 47 == 0;
}

static struct err *
read_mappings(struct kengine_unwind *u, int pid, segs *s)
{
	char path[32], *line = NULL;
	struct err *e = NULL;
	struct mapping m;
	size_t size = 0;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	FILE *f = fopen(path, "re");
	while (f && !e && getline(&line, &size, f) > 0) {
		if (!parse(line, &m))
			continue;
		CLEANUP(util_closep) int fd = open_mapping(pid, &m, line);
		e = fd < 0 ? add_seg(s, &m, m.start, m.end, 0, NULL)
			   : add_mapping(u, s, &m, fd);
	}
	free(line);
	if (f)
		fclose(f);
	return e;
}

/* --- Processes -------------------------------------------------------------------------- */

static struct abi_unwind_seg *
segs_at(const struct kengine_unwind *u, const struct place *at)
{
	return (struct abi_unwind_seg *)u->chunks.v[at->chunk] + at->first;
}

/* Room for n segments: what was freed by somebody with about as many, or new. */
static struct err *
take_segs(struct kengine_unwind *u, uint32_t n, struct place *ret)
{
	uint64_t now = clock_ns();

	for (size_t i = 0; i < u->freed.n; i++) {
		struct freed f = u->freed.v[i];
		if (f.at.n < n || f.at.n > 2 * n || f.when_ns > now)
			continue;
		u->freed.v[i] = u->freed.v[--u->freed.n];
		*ret = f.at;
		return NULL;
	}
	return take(u, sizeof(struct abi_unwind_seg), n, false, ret);
}

static void
give_back(struct kengine_unwind *u, const struct place *at)
{
	struct freed f = { *at, clock_ns() + QUIET_NS };

	if (at->n)
		(void)!vec_push(&u->freed, f);	/* else it is lost */
}

static struct err *
publish(struct kengine_unwind *u, const struct known *p, uint32_t n, bool asked)
{
	struct abi_unwind_proc v = { p->at.chunk, p->at.first, n, asked };
	uint32_t tgid = (uint32_t)p->pid;

	return kern_map_update(u->procs, &tgid, &v);
}

static bool
is_same(const struct kengine_unwind *u, const struct known *p, const segs *s)
{
	return p->at.n && p->at.n >= s->n && s->n &&
	       !memcmp(segs_at(u, &p->at), s->v, s->n * sizeof(*s->v)) &&
	       (p->at.n == s->n || !segs_at(u, &p->at)[s->n].size);
}

static struct err *
place_segs(struct kengine_unwind *u, struct known *p, const segs *s)
{
	uint32_t n = (uint32_t)BASE_MIN(s->n, (size_t)ABI_UNWIND_PROC_SEGS);
	struct place old = p->at, at;

	if (!n)
		return NULL;
	TRY(take_segs(u, n, &at));
	memset(segs_at(u, &at), 0, at.n * sizeof(*s->v));
	memcpy(segs_at(u, &at), s->v, n * sizeof(*s->v));
	p->at = at;
	TRY(publish(u, p, n, false));
	give_back(u, &old);
	return NULL;
}

static struct err *
read_process(struct kengine_unwind *u, struct known *p)
{
	segs s = { 0 };
	struct err *e = read_mappings(u, p->pid, &s);

	p->dirty = false;
	if (!e && is_same(u, p, &s)) {
		p->quiet_ns = clock_ns() + QUIET_NS;
		u->next_ns = BASE_MIN(u->next_ns, p->quiet_ns);
	} else if (!e) {
		e = place_segs(u, p, &s);
	}
	vec_fini(&s);
	return not_grave(e);
}

static struct err *
get_known(struct kengine_unwind *u, int pid, struct known **ret)
{
	void **at = hash_ref(&u->known, &pid, sizeof(pid));
	struct known *p = at ? *at : NULL;

	if (at && !p && (*at = p = util_zalloc(sizeof(*p))))
		p->pid = pid;
	*ret = p;
	return p ? NULL : &err_nomem;
}

/* Those that have asked in vain may ask again. */
static struct err *
answer(struct kengine_unwind *u, uint64_t now)
{
	struct hash_entry *e;

	u->next_ns = UINT64_MAX;
	for (size_t i = 0; (e = hash_next(&u->known, &i)); ) {
		struct known *p = e->val;
		if (p->quiet_ns && p->quiet_ns <= now) {
			p->quiet_ns = 0;
			TRY(not_grave(publish(u, p, p->at.n, false)));
		} else if (p->quiet_ns) {
			u->next_ns = BASE_MIN(u->next_ns, p->quiet_ns);
		}
	}
	return NULL;
}

static struct err *
read_dirty(struct kengine_unwind *u)
{
	struct hash_entry *e;

	u->some_dirty = false;
	for (size_t i = 0; (e = hash_next(&u->known, &i)); ) {
		struct known *p = e->val;
		if (p->dirty)
			TRY(read_process(u, p));
	}
	return NULL;
}

static struct err *
hear_asks(struct kengine_unwind *u)
{
	const uint32_t *tgid;
	struct known *p;
	size_t size;

	while ((tgid = kern_ring_next(u->asks, &size))) {
		TRY(get_known(u, (int)*tgid, &p));
		p->dirty = u->some_dirty = true;
	}
	kern_ring_release(u->asks);
	return NULL;
}

/* Without memory frame pointers have to do. */
void
kengine_unwind_turn(struct kengine *k, uint64_t now)
{
	struct kengine_unwind *u = k->unwind;

	if (!u)
		return;
	err_free(hear_asks(u));
	if (u->some_dirty)
		err_free(read_dirty(u));
	if (now >= u->next_ns)
		err_free(answer(u, now));
}

static void
forget(struct kengine_unwind *u, int pid)
{
	struct known *p = hash_del(&u->known, &pid, sizeof(pid));
	uint32_t tgid = (uint32_t)pid;

	if (!p)
		return;
	kern_map_delete(u->procs, &tgid);
	give_back(u, &p->at);
	util_free(p);
}

void
kengine_unwind_process(struct kengine *k, int pid, enum engine_process what)
{
	struct kengine_unwind *u = k->unwind;
	struct known *p;

	if (!u)
		return;
	if (what == ENGINE_PROCESS_ENDED) {
		forget(u, pid);
		return;
	}
	if (what == ENGINE_PROCESS_MAPPED &&
	    !hash_get(&u->known, &pid, sizeof(pid)))
		return;
	struct err *e = get_known(u, pid, &p);
	if (!e)
		p->dirty = u->some_dirty = true;
	err_free(e);
}

uint64_t
kengine_unwind_due(const struct kengine *k)
{
	const struct kengine_unwind *u = k->unwind;

	return !u ? UINT64_MAX : u->some_dirty ? 0 : u->next_ns;
}

/* --- The whole ---------------------------------------------------------------------------- */

static uint32_t
chunks_max(const struct kengine *k)
{
	return (uint32_t)BASE_MIN(kengine_opt(k, OPT_UNWINDSIZE) /
				  ABI_UNWIND_CHUNK, (int64_t)65536);
}

bool
kengine_unwinds(const struct kengine *k, const struct ebpf_input *in)
{
	return ebpf_needs(in) & EBPF_NEED_USTACK && chunks_max(k);
}

struct err *
kengine_unwind_size(struct kengine *k)
{
	return k->unwinds ? kern_obj_set_map(k->obj, "dt_unwind", 0,
					     chunks_max(k)) : NULL;
}

struct err *
kengine_unwind_open(struct kengine *k)
{
	int outer = kern_obj_map(k->obj, "dt_unwind");
	struct kengine_unwind *u;

	if (!k->unwinds || outer < 0)
		return NULL;
	k->unwind = u = util_zalloc(sizeof(*u));
	if (!u)
		return &err_nomem;
	u->outer = outer;
	u->procs = kern_obj_map(k->obj, "dt_unwind_procs");
	u->chunks_max = chunks_max(k);
	u->next_ns = UINT64_MAX;
	hash_init(&u->objects);
	hash_init(&u->known);
	return kern_ring_open(kern_obj_map(k->obj, "dt_unwind_asks"), ASKS_SIZE,
			      &u->asks);
}

int
kengine_unwind_fd(const struct kengine *k)
{
	return k->unwind ? kern_obj_map(k->obj, "dt_unwind_asks") : -1;
}

void
kengine_unwind_close(struct kengine *k)
{
	struct kengine_unwind *u = k->unwind;
	struct hash_entry *e;

	if (!u)
		return;
	for (size_t i = 0; (e = hash_next(&u->objects, &i)); ) {
		struct object *o = e->val;
		if (o)
			vec_fini(&o->pieces);
		util_free(o);
	}
	for (size_t i = 0; (e = hash_next(&u->known, &i)); )
		util_free(e->val);
	for (size_t i = 0; i < u->chunks.n; i++)
		kern_unmap(u->chunks.v[i], ABI_UNWIND_CHUNK);
	hash_fini(&u->objects);
	hash_fini(&u->known);
	vec_fini(&u->chunks);
	vec_fini(&u->freed);
	kern_ring_close(u->asks);
	util_free(u);
	k->unwind = NULL;
}
