/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Processes and the files that they execute.
 *
 * A file is found through /proc/PID/map_files, which leads to what is mapped and
 * not to what has its name by now: it may be deleted, or lie where we have another
 * file system.  It is open as long as somebody maps it, and what is attached is attached
 * to the descriptor's name: then it matters no more whether the process is there.
 *
 * Of who has ended nothing is kept but what probes lead to.  That waits for a moment
 * (GRACE_NS), as another thread may have executed a program, of which we are told by
 * another CPU; or until somebody else is seen to have the number.  What is attached to a
 * file of all its processes stays, for those that come, but not to any number of files.
 *
 *  1. A file is one object, however often and by whomever it is mapped; when it was
 *     written over it is another one.  It is open while it is mapped.
 *  2. A number is one process's, until that is over; who has ended maps nothing, but
 *     for who stands in for those that had ended before they were looked at.
 *  3. Who follows a process is no leader itself.
 *  4. A life is told to be over once, and nothing is attached for it afterwards.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "prov/func_priv.h"
#include "prov/user_priv.h"
#include "sym/file.h"
#include "sym/maps.h"
#include "unwind/unwind.h"
#include "util/cleanup.h"
#include "util/clock.h"

enum { GRACE_NS = 100 * 1000 * 1000 };
/* Files that nobody maps, to which something is attached. */
enum { MOST_ATTACHED = 1024 };

static struct err *
need_users(struct prov_set *s)
{
	if (s->users)
		return NULL;
	s->users = util_zalloc(sizeof(*s->users));
	if (!s->users)
		return &err_nomem;
	s->users->now = 1;
	s->users->notify = s->users->news = -1;
	return NULL;
}

/* What probes lead to is there as long as the set. */
static void
close_object(struct prov_users *u, struct prov_object *o)
{
	if (o->fd >= 0 && !prov_users_keep(u, o))
		close(o->fd);
	o->fd = -1;
	o->file[0] = '\0';
	if (o->table)
		unwind_table_fini(o->table);
	util_free(o->table);
	o->table = NULL;
	prov_lines_free(o->lines);
	o->lines = NULL;
	if (!o->has_places)
		prov_object_forget_functions(o);
}

void
prov_users_free(struct prov_users *u)
{
	struct hash_entry *e;

	if (!u)
		return;
	for (size_t i = 0; (e = hash_next(&u->processes, &i)); )
		vec_fini(&((struct prov_process *)e->val)->maps);
	hash_fini(&u->processes);
	prov_users_close_news(u);
	for (size_t i = 0; i < u->objects.n; i++) {
		struct prov_object *o = u->objects.v[i];
		close_object(u, o);
		prov_object_forget_functions(o);
		prov_types_free(o->types);
	}
	vec_fini(&u->objects);
	vec_fini(&u->ended);
	vec_fini(&u->over);
	vec_fini(&u->written);
	for (size_t i = 0; i < u->alls.n; i++)
		prov_all_free(u->alls.v[i]);
	vec_fini(&u->alls);
	err_free(u->why);
	util_free(u);
}

void
prov_users_again(struct prov_users *u)
{
	if (u)
		u->now++;
}

/* --- Objects ---------------------------------------------------------------- */

/* The last with that number; others had another content. */
static struct prov_object *
find_object(const struct prov_users *u, const struct sym_mapping *m)
{
	for (size_t i = u->objects.n; i > 0; i--)
		if (u->objects.v[i - 1]->inode == m->inode &&
		    u->objects.v[i - 1]->dev == m->dev)
			return u->objects.v[i - 1];
	return NULL;
}

static uint64_t
mtime_of(const struct stat *st)
{
	return (uint64_t)st->st_mtim.tv_sec * 1000000000 + (uint64_t)st->st_mtim.tv_nsec;
}

bool
prov_object_is_same(const struct prov_object *o, const struct stat *st)
{
	return !o->is_written && (uint64_t)st->st_size == o->size &&
	       mtime_of(st) == o->mtime_ns;
}

/* For the field `others`. */
static const char *const *
other_names(struct arena *a, const struct prov_object *o)
{
	const char *so = strstr(o->name, ".so"), *end;
	unsigned n = 0;

	if (so && so[3] && so[3] != '.')
		so = NULL;
	for (end = so; end && *end; end = strchr(end + 1, '.'))
		n++;
	const char **ret = ARENA_ARRAY(a, const char *, n + 2);
	if (!ret)
		return NULL;
	n = 0;
	for (end = so; end && *end; end = strchr(end + 1, '.')) {
		ret[n] = arena_strndup(a, o->name, (size_t)(end - o->name));
		if (!ret[n++])
			return NULL;
	}
	ret[n] = o->path;
	return ret;
}

static void
set_file(struct prov_object *o, int fd)
{
	assert(o->fd < 0 && fd >= 0);
	o->fd = fd;
	snprintf(o->file, sizeof(o->file), "/proc/self/fd/%d", fd);
}

/* *ret is NULL when the file cannot be had: its process has unmapped it.  own 0: by its
 * path. */
static struct err *
open_object(struct prov_set *s, pid_t own, const struct sym_mapping *m,
	    struct prov_object **ret)
{
	struct prov_object *o = find_object(s->users, m), *old = o;
	const char *slash;
	struct stat st;

	*ret = NULL;
	if (o && o->fd >= 0 && !fstat(o->fd, &st) && prov_object_is_same(o, &st)) {
		*ret = o;
		return NULL;
	}
	CLEANUP(util_closep) int fd = own ? sym_maps_open(own, m)
					  : sym_maps_open_same(m->path, m);
	if (fd < 0)
		return errno == EMFILE || errno == ENFILE ?
			err_new(ERR_OS, errno, "%s cannot be opened: %s",
				m->path, strerror(errno)) : NULL;
	if (fstat(fd, &st))
		return NULL;
	if (o && o->fd < 0 && prov_object_is_same(o, &st)) {
		set_file(o, fd);
		fd = -1;
		*ret = o;
		return NULL;
	}
	o = ARENA_NEW(s->arena, struct prov_object);
	if (!o || !vec_reserve(&s->users->objects, 1))
		return &err_nomem;
	*o = (struct prov_object){
		.path = arena_strndup(s->arena, m->path, sym_maps_path(m->path)),
		.dev = m->dev, .inode = m->inode,
		.watch = old ? old->watch : 0, .size = (uint64_t)st.st_size,
		.mtime_ns = mtime_of(&st), .fd = -1,
	};
	if (!o->path)
		return &err_nomem;
	o->is_32 = sym_elf_is_32(fd);
	slash = strrchr(o->path, '/');
	o->name = slash && slash[1] ? slash + 1 : o->path;
	o->others = other_names(s->arena, o);
	if (!o->others)
		return &err_nomem;
	set_file(o, fd);
	fd = -1;
	assert(!*ret && o->fd >= 0);					/* 1 */
	s->users->objects.v[s->users->objects.n++] = o;
	*ret = o;
	return NULL;
}

/* --- Processes -------------------------------------------------------------- */

struct look {
	struct prov_set *s;
	struct prov_process *p;
	VEC(struct prov_mapping) had;	/* as of the last look */
	char exe[4096];			/* the path of its program, if it is told */
	bool any;			/* a file has been met */
};

/* What has been there before is the same, also if the file was written over by then and
 * nobody has noticed. */
static struct prov_object *
had_object(const struct look *l, const struct sym_mapping *m)
{
	for (size_t i = 0; i < l->had.n; i++) {
		const struct prov_mapping *h = &l->had.v[i];
		if (h->start == m->start && h->size == m->size &&
		    h->offset == m->offset && h->object->fd >= 0 &&
		    !h->object->is_written &&
		    h->object->dev == m->dev && h->object->inode == m->inode)
			return h->object;
	}
	return NULL;
}

static struct err *
on_mapping(void *ctx, const struct sym_mapping *m)
{
	struct look *l = ctx;
	struct prov_mapping own = { m->start, m->size, m->offset, NULL };

	if (!m->inode)		/* memory, or the kernel's own */
		return NULL;
	/* A program is below its libraries, but where the limit of stacks is raised. */
	bool is_exe = l->p->is_hidden ? !l->any : !strcmp(m->path, l->exe);
	l->any = true;
	own.object = had_object(l, m);
	if (!own.object)
		TRY(open_object(l->s, l->p->own, m, &own.object));
	if (!own.object)
		return NULL;
	if (is_exe)
		l->p->exe = own.object;
	return vec_push(&l->p->maps, own) ? NULL : &err_nomem;
}

const char *
prov_process_name(const struct prov_process *p)
{
	return p->called ? p->called : p->exe ? p->exe->name : "?";
}

static struct err *
look(struct prov_set *s, struct prov_process *p)
{
	struct look l = { .s = s, .p = p };
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/exe", sym_living(p->own));
	ssize_t n = readlink(path, l.exe, sizeof(l.exe) - 1);
	l.exe[n > 0 ? n : 0] = '\0';
	p->is_hidden = n < 0 && (errno == EACCES || errno == EPERM);
	assert(!p->ended);						/* 2 */
	p->leaderless = sym_living(p->own) != p->own;
	memcpy(&l.had, &p->maps, sizeof(l.had));
	memset(&p->maps, 0, sizeof(p->maps));
	p->exe = NULL;
	struct err *e = sym_maps_read(p->own, on_mapping, &l);
	s->users->any_unmapped |= l.had.n != 0;
	vec_fini(&l.had);
	TRY(e);
	if (!p->exe || !sym_executed_as(p->own, p->exe->name, l.exe, sizeof(l.exe)))
		p->called = NULL;
	else if (!p->called || strcmp(p->called, l.exe) != 0)
		p->called = arena_strdup(s->arena, l.exe);
	p->looked = s->users->now;
	return NULL;
}

/* Our number of what probes see as pid. */
static struct err *
own_number(struct prov_set *s, pid_t pid, pid_t *ret)
{
	*ret = pid;
	if (!s->funcs || !s->funcs->world.process)
		return NULL;
	return s->funcs->world.process(s->funcs->world.ctx, pid, ret);
}

static struct prov_process *
find(const struct prov_set *s, pid_t pid)
{
	return s->users ? hash_get(&s->users->processes, &pid, sizeof(pid))
			: NULL;
}

/* When it began, which nothing that it executes changes; 0: it is not there. */
static uint64_t
began(pid_t own)
{
	char path[32], text[1024];
	unsigned long long ticks;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)own);
	CLEANUP(util_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	const char *p = strrchr(text, ')');	/* a name may hold anything */
	for (int i = 0; i < 20 && p; i++)
		p = strchr(p + 1, ' ');
	return p && sscanf(p, " %llu", &ticks) == 1 ? ticks : 0;
}

/* Many a number that is asked for is no process: those cost nothing that lasts. */
static struct err *
new_process(struct prov_set *s, pid_t pid, struct prov_process **ret)
{
	struct prov_process made = { .pid = pid, .met = clock_ns() }, *p = NULL;

	TRY(own_number(s, pid, &made.own));
	made.life = ++s->users->lives;
	made.began = began(made.own);
	struct err *e = look(s, &made);
	if (!e)
		p = arena_memdup(s->arena, &made, sizeof(made));
	if (!e && (!p || !hash_put(&s->users->processes, &pid, sizeof(pid), p)))
		e = &err_nomem;
	if (e)
		vec_fini(&made.maps);
	else
		*ret = p;
	return e;
}

struct err *
prov_user_stand_in(struct prov_set *s, const struct sym_mapping *m,
		   struct prov_process **ret)
{
	struct prov_users *u = s->users;
	struct prov_mapping map = { m->start, m->size, m->offset, NULL };

	TRY(open_object(s, 0, m, &map.object));
	if (!map.object)
		return NULL;
	struct prov_process *p = ARENA_NEW(s->arena, struct prov_process);
	if (!p || !vec_push(&p->maps, map))
		return &err_nomem;
	p->pid = p->own = --u->last_stand_in;
	p->exe = sym_elf_is_program(map.object->fd) ? map.object : NULL;
	p->met = p->ended = clock_ns();
	p->life = ++u->lives;
	p->looked = u->now;
	if (vec_reserve(&u->ended, 1) &&
	    hash_put(&u->processes, &p->pid, sizeof(p->pid), p)) {
		u->ended.v[u->ended.n++] = p;
		*ret = p;
		return NULL;
	}
	vec_fini(&p->maps);
	return &err_nomem;
}

/* Once it was there; so it is no error that it is no more. */
static struct err *
look_again(struct prov_set *s, struct prov_process *p)
{
	if (p->ended || p->looked == s->users->now)
		return NULL;
	return err_only_nomem(look(s, p));
}

/* Nothing fires for p any more.  Whoever asked for its number did not mean another. */
static void
end_life(struct prov_set *s, struct prov_process *p)
{
	struct prov_users *u = s->users;

	assert(!p->is_over && u);					/* 4 */
	p->is_over = true;
	p->ended = BASE_MAX(p->ended, 1ull);
	vec_fini(&p->maps);
	u->any_unmapped = true;
	(void)!vec_push(&u->over, p->life);	/* else it stays attached, in vain */
	for (size_t i = 0; i < u->alls.n; i++)
		prov_all_ended(u->alls.v[i], p->pid);
	if (!p->is_asked)
		hash_del(&u->processes, &p->pid, sizeof(p->pid));
}

/* Has somebody else its number by now? */
static bool
is_replaced(const struct prov_process *p)
{
	return p->ended && !p->is_asked && began(p->own) != p->began;
}

struct err *
prov_user_meet(struct prov_set *s, pid_t pid, struct prov_process **ret)
{
	TRY(need_users(s));
	struct prov_process *p = find(s, pid);
	if (p && is_replaced(p)) {
		end_life(s, p);
		p = NULL;
	}
	if (!p)
		return new_process(s, pid, ret);
	assert(p->pid == pid && (!p->is_over || p->is_asked));		/* 2 */
	*ret = p;
	return look_again(s, p);
}

struct err *
prov_user_process(struct prov_set *s, pid_t pid, struct prov_process **ret)
{
	TRY(prov_user_meet(s, pid, ret));
	(*ret)->is_asked = true;
	return NULL;
}

bool
prov_names_processes(struct prov_set *s, const struct probe_desc *d)
{
	return BASE_ANY(i, s->providers.n,
			s->providers.v[i].ops->is_mapped &&
			prov_may_match(s->providers.v[i].ops, d));
}

bool
prov_is_mapped(const struct prov_set *s, const struct probe *p)
{
	return s->providers.v[p->provider].ops->is_mapped;
}

bool
prov_user_has(const struct prov_set *s, pid_t pid)
{
	return find(s, pid);
}

void
prov_user_chosen(const struct prov_set *s, void (*fn)(void *ctx, int pid), void *ctx)
{
	struct hash_entry *e;

	if (!s->users || s->users->alls.n)
		return;
	for (size_t i = 0; (e = hash_next(&s->users->processes, &i)); ) {
		const struct prov_process *p = e->val;
		if (!p->ended)
			fn(ctx, p->own);
	}
}

bool
prov_users_watch(struct prov_set *s, struct prov_all *a)
{
	struct err *e = need_users(s);	/* no memory is all that it can be */

	return !e && vec_push(&s->users->alls, a);
}

bool
prov_user_mapped(struct prov_set *s, pid_t pid, uint64_t dev, uint64_t inode,
		 const char *path)
{
	bool ret = prov_user_has(s, pid);

	for (size_t i = 0; s->users && i < s->users->alls.n; i++)
		ret |= prov_all_mapped(s->users->alls.v[i], pid, dev, inode, path);
	return ret;
}

bool
prov_user_forked(struct prov_set *s, pid_t parent, pid_t child, uint64_t time_ns)
{
	struct prov_process *old = find(s, child);
	bool ret = false;

	if (old && !old->is_over && time_ns > old->met)
		end_life(s, old);
	for (size_t i = 0; s->users && i < s->users->alls.n; i++)
		ret |= prov_all_forked(s->users->alls.v[i], parent, child);
	return ret;
}

bool
prov_user_missed(struct prov_set *s)
{
	size_t n = s->users ? s->users->alls.n : 0;

	if (s->users)
		s->users->watched = s->users->missed = true;
	for (size_t i = 0; i < n; i++)
		prov_all_missed(s->users->alls.v[i]);
	return n;
}

bool
prov_user_watched(const struct prov_set *s)
{
	return s->users && s->users->watched;
}

/* Without memory what it had stays. */
static void
set_ended(struct prov_set *s, struct prov_process *p, uint64_t time_ns)
{
	if (p->is_over)
		return;
	if (!p->ended)
		(void)!vec_push(&s->users->ended, p);
	p->ended = BASE_MAX(time_ns, 1ull);
	p->maps.n = 0;
}

void
prov_user_ended(struct prov_set *s, pid_t pid, uint64_t time_ns, uint64_t *executed)
{
	struct prov_process *p = find(s, pid);

	if (p && time_ns < p->executed) {
		*executed = p->executed;
		return;
	}
	if (p && time_ns < p->forked)	/* that was another with its number */
		return;
	for (size_t i = 0; s->users && i < s->users->alls.n; i++)
		prov_all_ended(s->users->alls.v[i], pid);
	if (p)
		set_ended(s, p, time_ns);
}

/* --- Who is over ------------------------------------------------------------ */

/* The end of some may have been missed. */
static void
look_for_ended(struct prov_set *s, uint64_t now_ns)
{
	struct hash_entry *e;

	s->users->missed = false;
	for (size_t i = 0; (e = hash_next(&s->users->processes, &i)); ) {
		struct prov_process *p = e->val;
		if (!p->ended && (!sym_lives(p->own) || began(p->own) != p->began))
			set_ended(s, p, now_ns);
	}
}

static int
by_seen(const void *a, const void *b)
{
	const struct prov_object *const *x = a, *const *y = b;

	return (*x)->seen < (*y)->seen ? -1 : (*x)->seen > (*y)->seen;
}

/* Each has a link, which takes a descriptor and memory of the kernel's.  When there are too
 * many, half of them go, those first that nobody has mapped for longest: as if they were
 * written over. */
static void
leave_some(struct prov_users *u)
{
	VEC(struct prov_object *) all = { 0 };

	for (size_t i = 0; i < u->objects.n; i++) {
		struct prov_object *o = u->objects.v[i];
		if (o->is_watched && !o->is_written && o->seen != u->sweeps &&
		    !vec_push(&all, o))
			break;
	}
	if (all.n > MOST_ATTACHED) {
		qsort(all.v, all.n, sizeof(*all.v), by_seen);
		for (size_t i = 0; i < all.n / 2; i++)
			prov_object_set_over(u, all.v[i]);
	}
	vec_fini(&all);
}

static void
close_unmapped(struct prov_users *u)
{
	struct hash_entry *e;

	u->any_unmapped = false;
	u->sweeps++;
	for (size_t i = 0; (e = hash_next(&u->processes, &i)); ) {
		const struct prov_process *p = e->val;
		for (size_t k = 0; k < p->maps.n; k++)
			p->maps.v[k].object->seen = u->sweeps;
	}
	for (size_t i = 0; i < u->objects.n; i++)
		if (u->objects.v[i]->seen != u->sweeps)
			close_object(u, u->objects.v[i]);
	leave_some(u);
}

void
prov_user_turn(struct prov_set *s, uint64_t now_ns)
{
	struct prov_users *u = s->users;
	size_t n = 0;

	if (!u)
		return;
	prov_users_read_written(s);
	if (u->missed)
		look_for_ended(s, now_ns);
	for (size_t i = 0; i < u->ended.n; i++) {
		struct prov_process *p = u->ended.v[i];
		if (p->is_over || !p->ended)
			continue;
		if (p->ended + GRACE_NS <= now_ns)
			end_life(s, p);
		else
			u->ended.v[n++] = p;
	}
	u->ended.n = n;
	if (u->any_unmapped)
		close_unmapped(u);
}

uint64_t
prov_user_over(struct prov_set *s)
{
	struct prov_users *u = s->users;

	return u && u->over.n ? u->over.v[--u->over.n] : 0;
}

void
prov_user_leaderless(struct prov_set *s, pid_t pid)
{
	struct prov_process *p = find(s, pid);

	if (p)
		p->leaderless = true;
}

void
prov_user_executed(struct prov_set *s, pid_t pid, uint64_t time_ns, uint64_t *executed)
{
	struct prov_process *p = find(s, pid);
	uint64_t now = p ? began(p->own) : 0;

	if (!p || p->is_over || time_ns < p->ended || time_ns < p->forked ||
	    (now && now != p->began))	/* that is another with its number */
		return;
	if (p->ended || p->leaderless)
		*executed = time_ns;
	p->executed = time_ns;
	p->ended = 0;
	p->leaderless = false;
	p->maps.n = 0;		/* what it had is gone, also where the new looks the same */
}

struct err *
prov_user_follow(struct prov_set *s, pid_t parent, pid_t child, uint64_t time_ns,
		 bool *gone)
{
	const struct prov_process *of = find(s, parent);
	struct prov_process *p = find(s, child);

	/* An end that is known already is not told again. */
	*gone = of && !p && !sym_lives(child);
	if (!of || (p && p->is_over) || *gone)
		return NULL;
	struct err *e = prov_user_meet(s, child, &p);
	if (e && e->code != ERR_NOMEM) {
		*gone = true;
		err_free(e);
		return NULL;
	}
	if (!e) {
		p->followed = of->followed ? of->followed : parent;
		p->forked = time_ns;
	}
	assert(e || (p->followed && p->followed != child));		/* 3 */
	return e;
}

struct err *
prov_user_processes(struct prov_set *s, pid_t pid, prov_process_fn *fn,
		    void *ctx)
{
	struct prov_process *p;
	struct hash_entry *e;

	TRY(prov_user_process(s, pid, &p));
	TRY(fn(ctx, p));
	for (size_t i = 0; (e = hash_next(&s->users->processes, &i)); ) {
		p = e->val;
		if (p->followed != pid)
			continue;
		TRY(look_again(s, p));
		TRY(fn(ctx, p));
	}
	return NULL;
}

/* --- What objects are called -------------------------------------------------- */

/* Does the process have another library than o of that name, of any version? */
static bool
has_library(const struct prov_process *p, const struct prov_object *o, const char *name)
{
	const char *end = strstr(name, ".so");
	size_t n = end ? (size_t)(end - name) : strlen(name);

	for (size_t i = 0; i < p->maps.n; i++) {
		const char *own = p->maps.v[i].object->name;
		if (p->maps.v[i].object != o && !strncmp(own, name, n) &&
		    (own[n] == '.' || !own[n]))
			return true;
	}
	return false;
}

static const struct { const char *foreign, *ours; } rows[] = {
#define OBJECT_ALIAS(foreign, ours) { foreign, ours },
#include "prov/object_alias.def"
#undef OBJECT_ALIAS
};

/* The i-th name that other systems give to what o has. */
static const char *
foreign_name(const struct prov_process *p, const struct prov_object *o, unsigned i)
{
	if (strncmp(o->name, "lib", 3) != 0)
		return NULL;
	for (size_t k = 0; k < BASE_NELEMS(rows); k++)
		if (!strcmp(rows[k].ours, o->name) &&
		    !has_library(p, o, rows[k].foreign) && i-- == 0)
			return rows[k].foreign;
	return NULL;
}

const char *
prov_object_alias(const struct prov_process *p, const struct prov_object *o,
		  unsigned i)
{
	const char *own[] = { "a.out", p->called };
	unsigned n = p->exe != o ? 0 : p->called ? 2 : 1, others = 0;

	assert(o->others);
	if (i < n)
		return own[i];
	while (others < i - n && o->others[others])
		others++;
	return o->others[others] ? o->others[others]
				 : foreign_name(p, o, i - n - others);
}

bool
prov_object_name_matches(const struct probe_pattern *pattern, const char *name)
{
	bool is_foreign = pattern->kind != PROBE_PATTERN_EXACT &&
		BASE_ANY(i, BASE_NELEMS(rows), name == rows[i].foreign);

	return !is_foreign && probe_pattern_match(pattern, name);
}

bool
prov_object_matches(const struct probe_pattern *pattern,
		    const struct prov_process *p, const struct prov_object *o)
{
	const char *name = o->name;

	for (unsigned i = 0; name; name = prov_object_alias(p, o, i++))
		if (prov_object_name_matches(pattern, name))
			return true;
	return false;
}

/* Each object once, though it may be mapped in pieces. */
static bool
is_first(const struct prov_process *p, size_t i)
{
	return !BASE_ANY(k, i, p->maps.v[k].object == p->maps.v[i].object);
}

struct err *
prov_user_objects(const struct prov_process *p,
		  const struct probe_pattern *pattern, prov_object_fn *fn,
		  void *ctx)
{
	for (size_t i = 0; i < p->maps.n; i++) {
		struct prov_object *o = p->maps.v[i].object;
		if (is_first(p, i) && prov_object_matches(pattern, p, o))
			TRY(fn(ctx, o));
	}
	return NULL;
}

bool
prov_mapping_linked(const struct prov_mapping *m, uint64_t *ret)
{
	struct sym_code_part parts[8];
	size_t n = sym_elf_parts(m->object->fd, parts, BASE_NELEMS(parts));

	for (size_t i = 0; i < n; i++) {
		if (parts[i].offset - m->offset >= m->size)
			continue;
		*ret = parts[i].addr - (parts[i].offset - m->offset);
		return true;
	}
	return false;
}

/* --- Points ----------------------------------------------------------------- */

const struct prov_way prov_user_ways[] = {
	{ "uprobe_multi", "by links of many places (uprobe.multi)" },
	{ "uprobe", "by a perf event for each place" },
	{ NULL, NULL },
};

static struct err *
try_attaching(struct prov_set *s)
{
	const struct prov_world *w = s->funcs ? &s->funcs->world : NULL;
	struct err *e = NULL;

	TRY(need_users(s));
	if (s->users->was_tried)
		return NULL;
	if (w && w->may_probe_user)
		e = w->may_probe_user(w->ctx, &s->users->many);
	if (e && e->code == ERR_NOMEM)
		return e;
	s->users->why = e;
	s->users->was_tried = true;
	return NULL;
}

struct err *
prov_user_point(struct prov_set *s, bool is_return, struct abi_point *pt)
{
	TRY(try_attaching(s));
	const struct err *why = s->users->why;
	if (why)
		return err_new(why->code, why->os, "%s", why->text);
	pt->attach = is_return ?
		s->users->many ? ABI_ATTACH_URETPROBE_MULTI
			       : ABI_ATTACH_URETPROBE :
		s->users->many ? ABI_ATTACH_UPROBE_MULTI : ABI_ATTACH_UPROBE;
	return NULL;
}

/* --- What is not there ------------------------------------------------------ */

void
prov_user_left_out(struct prov_set *s, const struct probe *p, const char *why)
{
	assert(s->users && p && why);
	if (!s->users->left.n++) {
		s->users->left.first = p;
		s->users->left.why = why;
	}
	s->users->left.last = p;
	s->users->left.last_why = why;
}

const char *
prov_user_why_left_out(const struct prov_set *s, const struct probe *p)
{
	return s->users && s->users->left.last == p ? s->users->left.last_why : NULL;
}

bool
prov_user_tell_left_out(const struct prov_set *s, struct sb *b)
{
	if (!s->users || !s->users->left.n)
		return false;
	const struct probe *p = s->users->left.first;
	sb_printf(b, "no probe stands at %zu place%s; the first is "
		  "%s:%s:%s:%s, %s", s->users->left.n,
		  s->users->left.n == 1 ? "" : "s", p->prov, p->mod, p->func,
		  p->name, s->users->left.why);
	return !b->failed;
}
