/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Who waits for probes, from the consumer's side.  The programs are an object of their
 * own, so a trace that holds nobody knows nothing of them.
 *
 *  1. The guard is there before anybody can be stopped, and leaves when nobody is
 *     stopped any more.
 *  2. A file is known when a process that had it stood still while it was looked at.
 */
#include <stdio.h>
#include <string.h>

#include "abi/cfg.h"
#include "bpfrt/bpfrt.h"
#include "kengine/hold.h"
#include "kengine/hold_priv.h"
#include "kengine/kengine_priv.h"
#include "kern/map.h"
#include "kern/ring.h"
#include "kern/site.h"
#include "util/alloc.h"

enum { SHARED_SIZE = 4096, RING_SIZE = 4096 };

/* At the tracepoint, or where a thread can lose its CPU there, which would let others pass,
 * at the function that calls what is there. */
static const struct { const char *prog, *safe, *target; } progs[] = {
	{ "dt_hold_exec", "dt_hold_exec_safe", "sched_process_exec" },
	{ "dt_hold_exit", "dt_hold_exit_safe", "sys_exit" },
};

struct kengine_hold {
	struct kengine_hold_input in;
	struct kern_obj *obj;
	struct kern_link *links[BASE_NELEMS(progs)], *called[BASE_NELEMS(progs)];
	bool safe;
	struct abi_hold *shared;
	struct kern_ring *wakes;
	int wakes_fd, files;		/* maps, borrowed */
	struct hold_guard guard;
	bool taken[ABI_HOLD_SLOTS];
	bool told_full, told_jobs;
};

/* --- Beginning ------------------------------------------------------------------------ */

static struct err *
find_offsets(const struct kengine_hold *h, struct abi_cfg *cfg)
{
	static const enum abi_koff needed[] = {
		ABI_KOFF_TASK_REAL_PARENT, ABI_KOFF_TASK_TGID, ABI_KOFF_TASK_SIGNAL,
		ABI_KOFF_TASK_PTRACE, ABI_KOFF_TASK_FILES, ABI_KOFF_TASK_SIGHAND,
		ABI_KOFF_TASK_BLOCKED, ABI_KOFF_TASK_VFORK, ABI_KOFF_SIGHAND_ACTION,
		ABI_KOFF_ACTION_HANDLER, ABI_KOFF_ACTION_FLAGS,
		ABI_KOFF_SIGNAL_TTY, ABI_KOFF_SIGNAL_PIDS,
		ABI_KOFF_BINPRM_FILE, ABI_KOFF_FILE_INODE,
		ABI_KOFF_INODE_INO, ABI_KOFF_INODE_SIZE, ABI_KOFF_INODE_GENERATION,
		ABI_KOFF_INODE_SB, ABI_KOFF_SB_DEV, ABI_KOFF_FILES_FDT,
		ABI_KOFF_FDT_MAX, ABI_KOFF_FDT_FD,
	};

	for (size_t i = 0; i < BASE_NELEMS(needed); i++) {
		uint32_t *off = &cfg->koff[needed[i]];
		TRY(kengine_offset(h->in.types, needed[i], off));
		if (*off == UINT32_MAX)
			return err_new(ERR_UNSUPPORTED, 0, "usdtwait=stop needs "
				       "more of the kernel's types than its BTF "
				       "tells");
	}
	return NULL;
}

static const char *
prog_of(const struct kengine_hold *h, size_t i)
{
	return h->safe ? progs[i].safe : progs[i].prog;
}

static struct err *
load(struct kengine_hold *h)
{
	const struct abi_obj *objs[] = { &bpfrt_hold_object };
	struct abi_hold_cfg who = { .each = h->in.each, .self = h->in.self,
				    .nroots = h->in.nroots };
	struct abi_cfg cfg = { .strsize = 256 };

	if (who.nroots > ABI_HOLD_ROOTS)
		return err_new(ERR_LIMIT, 0, "usdtwait=stop: %u processes are more "
			       "than the %d that it can be told of", who.nroots,
			       ABI_HOLD_ROOTS);
	if (who.nroots)
		memcpy(who.roots, h->in.roots, who.nroots * sizeof(*who.roots));
	TRY(find_offsets(h, &cfg));
	TRY(kern_obj_open(objs, BASE_NELEMS(objs), &h->obj));
	for (size_t i = 0; i < BASE_NELEMS(progs); i++)
		TRY(kern_obj_use_prog(h->obj, prog_of(h, i)));
	TRY(kern_obj_set_initial(h->obj, ".rodata.cfg", &cfg));
	TRY(kern_obj_set_initial(h->obj, ".rodata.hold", &who));
	TRY(kern_obj_make_maps(h->obj));
	return kern_obj_load(h->obj, false);
}

static struct err *
attach(struct kengine_hold *h, size_t i)
{
	const struct kern_site site = { .target = progs[i].target,
		.attach = h->safe ? ABI_ATTACH_TRACEITER : ABI_ATTACH_RAWTP };

	TRY(kern_attach(kern_obj_prog(h->obj, prog_of(h, i)), &site,
			&h->links[i]));
	return h->safe ? kern_hold_traceiter(progs[i].target, 2, &h->called[i])
		       : NULL;
}

static struct err *
begin(struct kengine_hold *h)
{
	void *p;

	if (kern_preempts())
		TRY(err_only_nomem(kern_may_probe(&h->safe)));
	TRY(load(h));
	TRY(kern_map_mmap(kern_obj_map(h->obj, ".bss.hold"), SHARED_SIZE, &p));
	h->shared = p;
	h->wakes_fd = kern_obj_map(h->obj, "dt_hold_wakes");
	h->files = kern_obj_map(h->obj, "dt_hold_files");
	TRY(kern_ring_open(h->wakes_fd, RING_SIZE, &h->wakes));
	TRY(hold_guard_start(h->shared, h->in.most_ns, &h->guard));	/* 1 */
	__atomic_store_n(&h->shared->armed, 1, __ATOMIC_RELEASE);
	for (size_t i = 0; i < BASE_NELEMS(progs); i++)
		TRY(attach(h, i));
	return NULL;
}

struct err *
kengine_hold_new(const struct kengine_hold_input *in, struct kengine_hold **ret)
{
	struct kengine_hold *h = util_zalloc(sizeof(*h));

	if (!h)
		return &err_nomem;
	h->in = *in;
	struct err *e = begin(h);
	if (e)
		kengine_hold_free(h);
	else
		*ret = h;
	return e;
}

void
kengine_hold_free(struct kengine_hold *h)
{
	if (!h)
		return;
	if (h->shared)
		hold_disarm(h->shared);
	for (size_t i = 0; i < BASE_NELEMS(progs); i++) {
		kern_detach(h->links[i]);
		kern_detach(h->called[i]);
	}
	hold_guard_end(&h->guard);					/* 1 */
	kern_ring_close(h->wakes);
	if (h->shared)
		kern_unmap(h->shared, SHARED_SIZE);
	kern_obj_close(h->obj);
	util_free(h);
}

int
kengine_hold_fd(const struct kengine_hold *h)
{
	return h ? h->wakes_fd : -1;
}

/* --- While tracing -------------------------------------------------------------------- */

static void
tell_late(const struct kengine_hold *h, uint32_t pid)
{
	char text[160];

	snprintf(text, sizeof(text), "usdtwait: process %u was let go of after %llu ms, "
		 "before its probes were there; until now nobody was held", pid,
		 (unsigned long long)(h->in.most_ns / 1000000));
	h->in.warn(h->in.warn_ctx, text);
}

/* Each once: how many they are says nothing about what was missed. */
static void
tell_missed(struct kengine_hold *h)
{
	if (!h->told_full && __atomic_load_n(&h->shared->full, __ATOMIC_RELAXED)) {
		h->told_full = true;
		h->in.warn(h->in.warn_ctx, "usdtwait: more processes came at once "
			   "than can be held: some were not");
	}
	if (!h->told_jobs && __atomic_load_n(&h->shared->jobs, __ATOMIC_RELAXED)) {
		h->told_jobs = true;
		h->in.warn(h->in.warn_ctx, "usdtwait: jobs of a shell, and what may "
			   "become one, are not held: it would take them for "
			   "stopped");
	}
}

void
kengine_hold_take(struct kengine_hold *h)
{
	size_t size;

	if (!h)
		return;
	while (kern_ring_next(h->wakes, &size))
		;
	kern_ring_release(h->wakes);
	for (uint32_t i = 0; i < ABI_HOLD_SLOTS; i++) {
		struct abi_hold_slot *s = &h->shared->slots[i];
		uint32_t state = __atomic_load_n(&s->state, __ATOMIC_ACQUIRE);
		h->taken[i] = state == ABI_HOLD_HELD;
		if (state != ABI_HOLD_LATE)
			continue;
		tell_late(h, s->pid);
		__atomic_store_n(&s->state, ABI_HOLD_FREE, __ATOMIC_RELEASE);
	}
	__atomic_store_n(&h->shared->armed, 1, __ATOMIC_RELEASE);
	tell_missed(h);
}

static void
release(struct kengine_hold *h, struct abi_hold_slot *s)
{
	const struct abi_hold_file file = s->file;
	uint32_t held = ABI_HOLD_HELD, one = 1, pid = s->pid;
	enum hold_look look = hold_look_at(pid);

	/* Without room in the map the next one waits, too. */
	if (file.inode && (look == HOLD_WAITS || look == HOLD_OTHERS))
		err_free(kern_map_update(h->files, &file, &one));	/* 2 */
	hold_let_go(pid);
	__atomic_compare_exchange_n(&s->state, &held, ABI_HOLD_FREE, false,
				    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

typedef VEC(struct abi_hold_file) hold_files;

static struct err *
add_file(void *ctx, const void *key, const void *value)
{
	hold_files *files = ctx;
	const struct abi_hold_file *f = key;

	return vec_push(files, *f) ? NULL : &err_nomem;
}

void
kengine_hold_forget(struct kengine_hold *h, uint64_t inode)
{
	hold_files files = { 0 };

	if (!h)
		return;
	err_free(kern_map_read(h->files, sizeof(struct abi_hold_file), sizeof(uint32_t),
			       add_file, &files));
	for (size_t i = 0; i < files.n; i++)
		if (files.v[i].inode == inode)
			kern_map_delete(h->files, &files.v[i]);
	vec_fini(&files);
}

void
kengine_hold_release(struct kengine_hold *h)
{
	for (uint32_t i = 0; h && i < ABI_HOLD_SLOTS; i++)
		if (h->taken[i])
			release(h, &h->shared->slots[i]);
}
