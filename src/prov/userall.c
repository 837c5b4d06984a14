/* SPDX-License-Identifier: BSD-2-Clause
 *
 * All processes that execute a file of some kind: those that are there when somebody
 * asks first, and from then on those that come.
 *
 * To look at each of them takes tens of milliseconds.  So all are looked at once;
 * later it is those that were noticed to map a file of the kind, or one that nobody
 * has seen.  An ordinary program maps files that are known not to be: it costs no look.
 *
 * Who maps a new file may have ended when we look: programs that run for a millisecond
 * would have no probes, however often they run.  Such a file is opened by its path.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "prov/func_priv.h"
#include "prov/user_priv.h"
#include "sym/maps.h"
#include "util/cleanup.h"

struct prov_all {
	prov_wants_fn *wants;
	const void *ctx;
	struct hash files;		/* struct file_id: whether it is of the kind */
	struct hash found;		/* pid_t: struct prov_process */
	struct hash come;		/* pid_t: this; to be looked at */
	struct hash unseen;		/* struct file_id: struct unseen; not in `files`
					 * when it was noticed, where files will do */
	bool looked, unsure;		/* at all processes; something was missed */
	bool files_will_do;		/* who comes with files that are known need
					 * not be looked at */
};

/* With its path, because a file that is new may have the number of a deleted one. */
struct file_id { uint64_t dev, inode, path; };

struct unseen {
	uint64_t dev, inode;
	char path[];
};

static const char yes[] = "yes", no[] = "no";

static struct file_id
id_of(uint64_t dev, uint64_t inode, const char *path)
{
	return (struct file_id){ dev, inode, hash_bytes(path, strlen(path)) };
}

static void
forget_unseen(struct prov_all *a)
{
	struct hash_entry *e;

	for (size_t i = 0; (e = hash_next(&a->unseen, &i)); )
		util_free(e->val);
	hash_fini(&a->unseen);
}

void
prov_all_free(struct prov_all *a)
{
	if (!a)
		return;
	forget_unseen(a);
	hash_fini(&a->files);
	hash_fini(&a->found);
	hash_fini(&a->come);
	util_free(a);
}

/* --- Looking --------------------------------------------------------------------- */

struct looking {
	struct prov_all *all;
	pid_t pid;
	bool found;
};

/* What the file is is found out once, and later if its process has unmapped it by now. */
static struct err *
look_at(void *ctx, const struct sym_mapping *m)
{
	struct looking *l = ctx;
	struct file_id id = id_of(m->dev, m->inode, m->path);
	bool is = false;

	if (!m->inode || l->found)
		return NULL;
	void **at = hash_ref(&l->all->files, &id, sizeof(id));
	if (!at)
		return &err_nomem;
	if (!*at) {
		CLEANUP(util_closep) int fd = sym_maps_open(l->pid, m);
		if (fd < 0 && errno == ENOENT)
			return NULL;
		if (fd >= 0)
			TRY(l->all->wants(l->all->ctx, fd, m->path,
						&is));
		*at = (void *)(is ? yes : no);
	}
	l->found = *at == (const void *)yes;
	return NULL;
}

static struct err *
look(struct prov_set *s, struct prov_all *a, pid_t pid)
{
	struct looking l = { a, pid, false };
	struct prov_process *p = NULL;

	if (pid == getpid())
		return NULL;
	TRY(err_only_nomem(sym_maps_read(pid, look_at, &l)));
	if (!l.found)
		return NULL;
	TRY(err_only_nomem(prov_user_meet(s, pid, &p)));
	return !p || hash_put(&a->found, &pid, sizeof(pid), p) ? NULL
							       : &err_nomem;
}

struct looking_on { struct prov_set *s; struct prov_all *a; };

static struct err *
look_on(void *ctx, int pid)
{
	const struct looking_on *l = ctx;

	return look(l->s, l->a, pid);
}

static struct err *
look_at_all(struct prov_set *s, struct prov_all *a)
{
	const struct prov_world *w = &s->funcs->world;
	pid_t none;

	if (!a->looked && w->process)
		TRY(w->process(w->ctx, 0, &none));
	struct err *e = err_only_nomem(sym_processes(look_on, &(struct looking_on){ s, a }));
	a->looked = !e;
	a->unsure = false;
	return e;
}

static struct err *
look_at_new(struct prov_set *s, struct prov_all *a)
{
	struct hash_entry *e;

	for (size_t i = 0; (e = hash_next(&a->come, &i)); )
		TRY(look(s, a, *(const pid_t *)e->key));
	return NULL;
}

/* A path may lead to something else by now, or where we are. */
static struct err *
look_at_file(struct prov_set *s, struct prov_all *a, const struct sym_mapping *m,
	     struct prov_process **ret)
{
	struct file_id id = id_of(m->dev, m->inode, m->path);
	struct stat st;
	bool is = false;

	if (hash_get(&a->files, &id, sizeof(id)))
		return NULL;
	CLEANUP(util_closep) int fd = sym_maps_open_same(m->path, m);
	if (fd < 0 || fstat(fd, &st) || st.st_ino != m->inode)
		return NULL;
	TRY(a->wants(a->ctx, fd, m->path, &is));
	if (!hash_put(&a->files, &id, sizeof(id), (void *)(is ? yes : no)))
		return &err_nomem;
	return is ? prov_user_stand_in(s, m, ret) : NULL;
}

static struct err *
walk_unseen(struct prov_set *s, struct prov_all *a, prov_process_fn *fn, void *ctx)
{
	struct hash_entry *e;

	for (size_t i = 0; (e = hash_next(&a->unseen, &i)); ) {
		const struct unseen *u = e->val;
		const struct sym_mapping m = { .dev = u->dev, .inode = u->inode,
					       .path = u->path };
		struct prov_process *p = NULL;
		TRY(look_at_file(s, a, &m, &p));
		if (p)
			TRY(fn(ctx, p));
	}
	return NULL;
}

struct err *
prov_all_new(struct prov_set *s, prov_wants_fn *wants, const void *ctx,
	     struct prov_all **ret)
{
	struct prov_all *a = util_zalloc(sizeof(*a));

	if (!a || !prov_users_watch(s, a)) {
		util_free(a);
		return &err_nomem;
	}
	a->wants = wants;
	a->ctx = ctx;
	*ret = a;
	return NULL;
}

struct err *
prov_all_walk(struct prov_set *s, struct prov_all *a, prov_process_fn *fn,
	      void *ctx)
{
	struct hash_entry *e;

	TRY(a->looked && !a->unsure ? look_at_new(s, a) : look_at_all(s, a));
	hash_fini(&a->come);
	for (size_t i = 0; (e = hash_next(&a->found, &i)); ) {
		struct prov_process *p = e->val;
		TRY(fn(ctx, p));
	}
	TRY(walk_unseen(s, a, fn, ctx));
	forget_unseen(a);
	return NULL;
}

void
prov_all_files_will_do(struct prov_all *a, bool will)
{
	a->files_will_do = will;
}

/* --- While tracing --------------------------------------------------------------- */

static bool
comes(struct prov_all *a, pid_t pid)
{
	if (!hash_put(&a->come, &pid, sizeof(pid), a))
		a->unsure = true;
	return true;
}

/* Without memory its process may still be there. */
static void
note_unseen(struct prov_all *a, const struct file_id *id, const char *path)
{
	size_t size = strlen(path) + 1;
	struct unseen *u = util_alloc(sizeof(*u) + size);
	void **at = u ? hash_ref(&a->unseen, id, sizeof(*id)) : NULL;

	if (!at || *at) {
		util_free(u);
		return;
	}
	*u = (struct unseen){ id->dev, id->inode };
	memcpy(u->path, path, size);
	*at = u;
}

bool
prov_all_mapped(struct prov_all *a, pid_t pid, uint64_t dev, uint64_t inode,
		const char *path)
{
	struct file_id id = id_of(dev, inode, path);

	const void *is = hash_get(&a->files, &id, sizeof(id));

	if (is == no || (is == yes && a->files_will_do))
		return false;
	if (!is && a->files_will_do)
		note_unseen(a, &id, path);
	return comes(a, pid);
}

bool
prov_all_forked(struct prov_all *a, pid_t parent, pid_t child)
{
	if (a->files_will_do)
		return false;
	if (!hash_get(&a->found, &parent, sizeof(parent)) &&
	    !hash_get(&a->come, &parent, sizeof(parent)))
		return false;
	return comes(a, child);
}

void
prov_all_ended(struct prov_all *a, pid_t pid)
{
	hash_del(&a->found, &pid, sizeof(pid));
}

void
prov_all_missed(struct prov_all *a)
{
	a->unsure = true;
}
