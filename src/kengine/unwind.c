/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What processes have mapped, for their stacks (bpfrt/unwind.h): read when the
 * programs ask, or somebody says that a process has mapped something.  All of that is
 * done by a thread (unwind_worker.c), as the table of a large file takes a while, and
 * the consumer has buffers to empty; what it does itself stands at the end.
 *
 *  1. Segments only come: what programs may be reading is not written to.  A process
 *     whose mappings have changed gets new segments; the old ones are used again when
 *     others need as many, a second later at the earliest.
 *  2. A process that asks although nothing has changed runs code that has no file
 *     (of a compiler that runs in it); it is not answered for a second.
 *  3. An answer is for the program that asked: of one that the process has executed
 *     since, nothing is known.
 *  4. The segments of a process ascend and do not overlap.
 */
#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "kengine/parts_priv.h"
#include "kengine/unwind_priv.h"
#include "sym/maps.h"
#include "sym/file.h"
#include "unwind/kept.h"
#include "util/cleanup.h"

#define KEPT_DIR "/var/cache/dtrace"

/* Where the kernel puts registers for a signal's handler: at its stack pointer, and on
 * aarch64 behind what it tells of the signal. */
#if defined(__aarch64__)
#define AT(member) (sizeof(siginfo_t) + offsetof(ucontext_t, uc_mcontext.member))
_Static_assert(AT(regs[29]) == ABI_UNWIND_SIG_FP && AT(regs[30]) == ABI_UNWIND_SIG_RA &&
	       AT(sp) == ABI_UNWIND_SIG_SP && AT(pc) == ABI_UNWIND_SIG_PC, "registers");
#else
#define AT(reg) offsetof(ucontext_t, uc_mcontext.gregs[reg])
_Static_assert(AT(REG_RBP) == ABI_UNWIND_SIG_FP && AT(REG_RSP) == ABI_UNWIND_SIG_SP &&
	       AT(REG_RIP) == ABI_UNWIND_SIG_PC, "registers");
#endif

enum { ASKS_SIZE = 4096, QUIET_NS = 1000000000 };

struct known {
	int pid;
	uint64_t exec;			/* the program that asked last */
	struct place at;
	bool dirty;			/* it is to be read again */
	bool missed;			/* it ended before all of it was read */
	uint64_t quiet_ns;		/* it has asked in vain, and gets an answer
					 * then; 0: it has not */
};

/* --- Mappings ------------------------------------------------------------------------- */

/* There, the frame pointer has to do. */
static struct err *
add_unknown(unwind_segs *s, uint64_t from, uint64_t to)
{
	struct abi_unwind_seg seg = { .start = from };

	for (; from < to; from += seg.size) {
		seg.start = from;
		seg.size = (uint32_t)BASE_MIN(to - from, (uint64_t)1 << 31);
		if (!vec_push(s, seg))
			return &err_nomem;
	}
	return NULL;
}

/* The segments of a file, as far as they are mapped. */
static struct err *
add_object(struct kengine_unwind *u, unwind_segs *s, const struct sym_mapping *m,
	   const struct object *o)
{
	uint64_t at = m->start, move = m->start - m->offset;
	uint64_t stop = m->offset + m->size;

	for (uint32_t i = 0; i < o->segs.n; i++) {
		struct abi_unwind_seg seg = unwind_segs_at(u, &o->segs)[i];
		uint64_t from = BASE_MAX(seg.start, m->offset);
		uint64_t to = BASE_MIN(seg.start + seg.size, stop);
		if (from >= to || from + move < at)
			continue;
		assert(to + move <= m->start + m->size);		/* 4 */
		TRY(add_unknown(s, at, from + move));
		seg.start = from + move;
		seg.size = (uint32_t)(to - from);
		seg.bias += move;
		if (!vec_push(s, seg))
			return &err_nomem;
		at = to + move;
	}
	return add_unknown(s, at, m->start + m->size);
}

static struct err *
find_mapped(struct kengine_unwind *u, int pid, const struct sym_mapping *m,
	    struct object **ret)
{
	*ret = NULL;
	if (unwind_stops(&u->worker))
		return NULL;
	if (!strcmp(m->path, "[vdso]"))
		return unwind_vdso(u, pid, m, ret);
	if (!m->inode)
		return NULL;
	CLEANUP(util_closep) int fd = sym_maps_open(pid, m);
	return fd < 0 ? NULL : unwind_object(u, fd, ret);
}

struct reading {
	struct kengine_unwind *u;
	int pid;
	unwind_segs *segs;
};

static struct err *
on_mapping(void *ctx, const struct sym_mapping *m)
{
	struct reading *r = ctx;
	uint64_t end = m->start + m->size;
	struct object *o;

	if (m->start >> ABI_ADDRESS_BITS)	/* the kernel's, though it may be executed */
		return NULL;
	TRY(find_mapped(r->u, r->pid, m, &o));
	return o ? add_object(r->u, r->segs, m, o) :
		   add_unknown(r->segs, m->start, end);
}

static struct err *
read_mappings(struct kengine_unwind *u, int pid, unwind_segs *s)
{
	struct reading r = { u, pid, s };

	return sym_maps_read(pid, on_mapping, &r);
}

/* --- Processes -------------------------------------------------------------------------- */

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
	return unwind_take(u, sizeof(struct abi_unwind_seg), n, false, ret);
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
	struct abi_unwind_key key = abi_unwind_process((uint32_t)p->pid);
	struct abi_unwind_place v = { p->at.chunk, p->at.first, n, asked,
				      p->exec };

	return kern_map_update(u->places, &key, &v);
}

static bool
is_same(const struct kengine_unwind *u, const struct known *p, const unwind_segs *s)
{
	return p->at.n && p->at.n >= s->n && s->n &&
	       !memcmp(unwind_segs_at(u, &p->at), s->v, s->n * sizeof(*s->v)) &&
	       (p->at.n == s->n || !unwind_segs_at(u, &p->at)[s->n].size);
}

static struct err *
place_segs(struct kengine_unwind *u, struct known *p, const unwind_segs *s)
{
	uint32_t n = (uint32_t)BASE_MIN(s->n, (size_t)ABI_UNWIND_PROC_SEGS);
	struct place old = p->at, at;

	if (!n)
		return NULL;
	TRY(take_segs(u, n, &at));
	assert(at.n >= n && at.chunk < u->chunks.n);			/* 1 */
	assert(!old.n || at.chunk != old.chunk || at.first != old.first); /* 1 */
	memset(unwind_segs_at(u, &at), 0, at.n * sizeof(*s->v));
	memcpy(unwind_segs_at(u, &at), s->v, n * sizeof(*s->v));
	p->at = at;
	TRY(publish(u, p, n, false));
	give_back(u, &old);
	return NULL;
}

static struct err *
read_process(struct kengine_unwind *u, struct known *p)
{
	unwind_segs s = { 0 };
	struct err *e = read_mappings(u, p->pid, &s);

	p->dirty = false;
	p->missed = !sym_lives(p->pid);
	/* One has ended before it was looked at, or while (its list just ends then): its
	 * files' tables are of use to the next that executes them. */
	if (p->missed)
		unwind_want(&u->worker, p->pid);
	if (!e && is_same(u, p, &s)) {
		p->quiet_ns = clock_ns() + QUIET_NS;
		u->next_ns = BASE_MIN(u->next_ns, p->quiet_ns);
	} else if (!e) {
		e = place_segs(u, p, &s);
	}
	vec_fini(&s);
	return err_only_nomem(e);
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
			TRY(err_only_nomem(publish(u, p, p->at.n, false)));
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
know_parent(struct kengine_unwind *u, int pid, uint64_t exec)
{
	struct known *p;

	TRY(get_known(u, pid, &p));
	if (p->at.n && p->exec == exec)
		return NULL;
	p->exec = exec;
	p->dirty = u->some_dirty = true;
	return NULL;
}

static struct err *
hear_asks(struct kengine_unwind *u)
{
	const struct abi_unwind_ask *ask;
	struct known *p;
	size_t size;

	while ((ask = kern_ring_next(u->asks, &size))) {
		TRY(get_known(u, (int)ask->tgid, &p));
		p->exec = ask->exec;
		p->dirty = u->some_dirty = true;
		/* Who has forked once does it again. */
		if (ask->up)
			TRY(know_parent(u, (int)ask->up, ask->exec));
	}
	kern_ring_release(u->asks);
	return NULL;
}

#if defined(__aarch64__)
static struct err *
on_own(void *ctx, const struct sym_mapping *m)
{
	struct object *o;

	return strcmp(m->path, "[vdso]") ? NULL : unwind_vdso(ctx, (int)getpid(), m, &o);
}

/* Handlers of signals return to the kernel's code, and the first process whose stack is
 * asked for may be gone before it is looked at; ours is the same. */
void
unwind_begin(struct kengine_unwind *u)
{
	err_free(sym_maps_read((int)getpid(), on_own, u));
}
#else
void
unwind_begin(struct kengine_unwind *u)
{
}
#endif

/* Without memory frame pointers have to do. */
void
unwind_turn(struct kengine_unwind *u, uint64_t now)
{
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
	struct abi_unwind_key key = abi_unwind_process((uint32_t)pid);

	if (!p)
		return;
	if (!p->at.n || p->missed)
		unwind_want(&u->worker, pid);
	kern_map_delete(u->places, &key);
	give_back(u, &p->at);
	util_free(p);
}

/* Make the tables of what a process has mapped. */
static struct err *
read_files(struct kengine_unwind *u, int pid)
{
	unwind_segs s = { 0 };
	struct err *e = read_mappings(u, pid, &s);

	vec_fini(&s);
	return e;
}

static void
map_again(struct kengine_unwind *u, int pid)
{
	struct known *p = hash_get(&u->known, &pid, sizeof(pid));

	if (p)
		p->dirty = u->some_dirty = true;
}

static void
read_path(void *ctx, const char *path)
{
	CLEANUP(util_closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct object *o;

	if (fd >= 0)
		err_free(unwind_object(ctx, fd, &o));
}

void
unwind_hear(struct kengine_unwind *u, const struct unwind_told *t)
{
	struct object *o;

	switch (t->kind) {
	case UNWIND_TOLD_TRACED: err_free(read_files(u, t->n)); break;
	case UNWIND_TOLD_MAPPED: map_again(u, t->n); break;
	case UNWIND_TOLD_ENDED: forget(u, t->n); break;
	case UNWIND_TOLD_PROGRAM: sym_program_files(t->path, read_path, u); break;
	case UNWIND_TOLD_FILE: err_free(unwind_object(u, t->n, &o)); break;
	}
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

/* Most places are never used; but before Linux 6.1 a program that interrupts others
 * cannot allocate, and what that made known has its map by then. */
struct err *
kengine_unwind_size(struct kengine *k)
{
	bool can;

	if (!k->unwinds)
		return NULL;
	TRY(kengine_has_helper(k->e.in.types, "BPF_FUNC_user_ringbuf_drain", &can));
	if (can)
		TRY(kern_obj_set_sparse(k->obj, "dt_unwind_places"));
	return kern_obj_set_map(k->obj, "dt_unwind", 0, chunks_max(k));
}

struct err *
kengine_unwind_new(struct kengine *k)
{
	struct kengine_unwind *u = util_zalloc(sizeof(*u));

	if (!u)
		return &err_nomem;
	k->unwind = u;
	return unwind_worker_new(&u->worker);
}

static void
open_kept(struct kengine *k)
{
	const char *dir = k->e.in.opts->s[OPT_UNWINDCACHE];

	if (dir && !strcmp(dir, "none"))
		return;
	k->unwind->kept = unwind_kept_open(dir ? dir : KEPT_DIR);
	if (!k->unwind->kept && dir && k->e.in.warn)
		k->e.in.warn(k->e.in.warn_ctx, "unwindcache: no tables can be kept "
			     "there: it has to be a folder that only its owner, "
			     "who traces, can write to");
}

struct err *
kengine_unwind_open(struct kengine *k)
{
	int outer = kern_obj_map(k->obj, "dt_unwind");
	struct kengine_unwind *u = k->unwind;

	if (!k->unwinds || outer < 0) {
		kengine_unwind_close(k);
		return NULL;
	}
	u->outer = outer;
	u->places = kern_obj_map(k->obj, "dt_unwind_places");
	u->asks_fd = kern_obj_map(k->obj, "dt_unwind_asks");
	u->chunks_max = chunks_max(k);
	u->next_ns = UINT64_MAX;
	open_kept(k);
	TRY(kern_ring_open(u->asks_fd, ASKS_SIZE, &u->asks));
	return unwind_worker_start(u);
}

void
kengine_unwind_settle(struct kengine *k)
{
	if (k->unwind)
		unwind_settle(&k->unwind->worker);
}

void
kengine_unwind_process(struct kengine *k, int pid, enum engine_process what)
{
	static const enum unwind_kind kinds[] = {
		[ENGINE_PROCESS_TRACED] = UNWIND_TOLD_TRACED,
		[ENGINE_PROCESS_MAPPED] = UNWIND_TOLD_MAPPED,
		[ENGINE_PROCESS_ENDED] = UNWIND_TOLD_ENDED,
	};

	if (k->unwind)
		unwind_tell(&k->unwind->worker, kinds[what], pid, NULL);
}

void
kengine_unwind_program(struct kengine *k, const char *path)
{
	if (k->unwind)
		unwind_tell(&k->unwind->worker, UNWIND_TOLD_PROGRAM, 0, path);
}

static void
pass_on(void *ctx, int fd)
{
	fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (fd >= 0)
		unwind_tell(ctx, UNWIND_TOLD_FILE, fd, NULL);
}

/* Which files processes had that have ended is known here. */
void
kengine_unwind_turn(struct kengine *k)
{
	struct engine_input *in = &k->e.in;
	unwind_pids pids = { 0 };

	if (!k->unwind || !in->files)
		return;
	unwind_take_wanted(&k->unwind->worker, &pids);
	for (size_t i = 0; i < pids.n; i++)
		in->files(in->files_ctx, pids.v[i], pass_on, &k->unwind->worker);
	vec_fini(&pids);
}

int
kengine_unwind_fd(const struct kengine *k)
{
	return k->unwind ? k->unwind->worker.wants : -1;
}

void
kengine_unwind_tell(struct kengine *k)
{
	uint64_t n;
	char text[128];

	if (!k->unwind || k->unwind->has_told || !k->shared.drops ||
	    kengine_opt(k, OPT_VERBOSE) <= 0 || !k->e.in.warn)
		return;
	k->unwind->has_told = true;
	n = kengine_counted(k, ABI_BLIND_STACKS);
	if (!n)
		return;
	snprintf(text, sizeof(text), "%llu stacks were followed by frame pointers, "
		 "as a table for them was still being made",
		 (unsigned long long)n);
	k->e.in.warn(k->e.in.warn_ctx, text);
}

void
kengine_unwind_close(struct kengine *k)
{
	struct kengine_unwind *u = k->unwind;
	struct hash_entry *e;

	if (!u)
		return;
	unwind_worker_end(&u->worker);
	for (size_t i = 0; (e = hash_next(&u->known, &i)); )
		util_free(e->val);
	unwind_objects_free(u);
	hash_fini(&u->known);
	vec_fini(&u->freed);
	kern_ring_close(u->asks);
	util_free(u);
	k->unwind = NULL;
}
