/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Files that are executed.  A file is known by device, inode and path, so a
 * new version under the old name is another file.
 *
 * Its symbols are read when the first of them is wanted, which may be long
 * after the file was deleted or the process, with its view of the file system,
 * is gone.  So it is opened when first seen and kept open.  When many are open the
 * symbols of the oldest are read, and it is closed.  That takes no time and little memory
 * for most; a large file stays open, or when there are many of those too is looked for by
 * its path later, unless it is deleted by then.  What a process calls /bin/x may be another
 * file for us, as in a container: so it is opened as the process has it mapped, and by its
 * path when the process is gone: where we are, where its parents are, which may live, and
 * if that has another inode, when the next process has it mapped, be it by a path from
 * another root.
 *
 * Lines of source take much more memory than symbols.  Those of the files that were asked
 * for longest ago are closed when there are many, and may be opened again in the same way.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sym/maps.h"
#include "sym/names.h"
#include "sym/object_priv.h"
#include "sym/text_priv.h"
#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/sb.h"

enum {
	OPEN_FEW = 64,		/* files that are open, */
	LARGE_MAX = 192,	/* and large ones besides */
	LINES_MAX = 256,	/* files whose lines are there */
	SMALL_MAX = 1 << 20,	/* bytes */
	KEY_MAX = 4096 + 64,
	PATH_SIZE = 4096 + 64,
	GENERATIONS = 16,	/* of parents */
	VDSO_MAX = 8192,	/* bytes; larger ones begin with what counts */
};

#define VDSO "[vdso]"

void
sym_objects_init(struct objects *t)
{
	*t = (struct objects){ .debug_dir = "/usr/lib/debug" };
	sym_mounts_init(&t->mounts);
}

static void
object_free(struct object *o)
{
	if (o->fd >= 0)
		close(o->fd);
	sym_elf_fini(&o->syms);
	sym_lines_free(o->lines);
	util_free(o->path);
	util_free(o->name);
	util_free(o);
}

void
sym_objects_fini(struct objects *t)
{
	struct hash_entry *e;
	size_t i = 0;

	while ((e = hash_next(&t->by_key, &i)))
		object_free(e->val);
	hash_fini(&t->by_key);
	vec_fini(&t->opened);
	vec_fini(&t->lined);
	sym_mounts_fini(&t->mounts);
}

/* --- Opening -------------------------------------------------------------- */

static int
open_object(const struct objects *t, const struct object *o, int pid,
	    const struct sym_mapping *m)
{
	char path[PATH_SIZE];
	int fd = pid ? sym_maps_open(pid, m) : -1;

	if (fd < 0)
		fd = sym_maps_open_same(o->path, m);
	for (int i = 0; fd < 0 && t->parent && i < GENERATIONS; i++) {
		pid = t->parent(t->parent_ctx, pid);
		if (!pid)
			break;
		snprintf(path, sizeof(path), "/proc/%d/root%s", pid, o->path);
		fd = sym_maps_open_same(path, m);
	}
	return fd;
}

struct touching {
	const struct objects *t;
	const struct object *o;
	int pid;
	const struct sym_mapping *m;
};

static void
touch(void *ctx)
{
	const struct touching *w = ctx;
	int fd = open_object(w->t, w->o, w->pid, w->m);
	char byte;

	if (fd < 0 || pread(fd, &byte, 1, 0) < 0)
		return;		/* which is an answer, too */
}

static void
tell_silent(struct objects *t, const char *path)
{
	struct sb b;

	if (!t->on_nameless)
		return;
	sb_init(&b, 1 << 16);
	sb_printf(&b, "%s: its file system does not answer, so addresses there have "
		  "no names", path);
	t->on_nameless(t->on_nameless_ctx, sb_str(&b));
	t->on_nameless = NULL;
	sb_fini(&b);
}

/* Will opening and reading it come to an end?  That it does not is told once. */
static bool
answers(struct objects *t, const struct object *o, int pid,
	const struct sym_mapping *m)
{
	struct touching w = { t, o, pid, m };

	if (*o->path != '/' ||
	    sym_mounts_answer(&t->mounts, o->dev, pid, touch, &w))
		return true;
	tell_silent(t, o->path);
	return false;
}

/* --- Names of files ------------------------------------------------------- */

/* The last part of path, without what a terminal would obey. */
static char *
clean_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash && slash[1] ? slash + 1 : path;
	char *p = util_strndup(name, strlen(name));

	if (p)
		sym_make_plain(p, strlen(p));
	return p;
}

int
sym_object_open(const struct objects *t, const struct object *o, int pid,
		const struct sym_mapping *m)
{
	return o->is_anon ? -1 :
	       o->fd >= 0 ? fcntl(o->fd, F_DUPFD_CLOEXEC, 0) :
			    open_object(t, o, pid, m);
}

/* --- Symbols -------------------------------------------------------------- */

/* All processes have the same, so ours will do. */
static struct err *
read_vdso(struct esyms *s)
{
	unsigned long image = getauxval(AT_SYSINFO_EHDR);

	if (!image)
		return err_new(ERR_NOTFOUND, 0, "no vdso");
	return sym_elf_read_memory(s, (const void *)image, VDSO_MAX);
}

static void
close_file(struct objects *t, struct object *o)
{
	close(o->fd);
	o->fd = -1;
	t->nopen--;
	t->nlarge -= o->is_large;
	o->is_large = false;
}

static void
close_lines(struct objects *t, struct object *o)
{
	size_t n = 0;

	for (size_t i = 0; i < t->lined.n; i++)
		if (t->lined.v[i] != o)
			t->lined.v[n++] = t->lined.v[i];
	t->lined.n = n;
	sym_lines_free(o->lines);
	o->lines = NULL;
}

static void
open_lines(struct objects *t, struct object *o, int fd)
{
	struct object *last = t->lined.n ? t->lined.v[0] : NULL;

	for (size_t i = 1; i < t->lined.n; i++)
		if (t->lined.v[i]->lines_used < last->lines_used)
			last = t->lined.v[i];
	if (t->lined.n >= LINES_MAX)
		close_lines(t, last);
	if (!vec_reserve(&t->lined, 1))
		return;
	struct err *e = sym_lines_open(fd, o->path, t->debug_dir, t->mangled, &o->lines);
	if (!e)
		t->lined.v[t->lined.n++] = o;
	o->has_no_lines = e && e->code != ERR_NOMEM;
	o->lines_used = ++t->uses;
	err_free(e);
}

static struct err *
read_syms(struct objects *t, struct object *o, int pid,
	  const struct sym_mapping *m)
{
	if (strcmp(o->path, VDSO) == 0)
		return read_vdso(&o->syms);
	int fd = o->fd >= 0 ? o->fd : open_object(t, o, pid, m);
	if (fd < 0)
		return err_new(ERR_NOTFOUND, 0, "%s: gone", o->path);
	struct err *e = sym_elf_read(&o->syms, fd, t->debug_dir);
	if (t->lines)
		open_lines(t, o, fd);
	if (o->fd >= 0)
		close_file(t, o);
	else
		close(fd);
	return e;
}

static void
read_once(struct objects *t, struct object *o, int pid,
	  const struct sym_mapping *m)
{
	if (o->is_read || o->is_anon || !answers(t, o, pid, m))
		return;
	sym_elf_fini(&o->syms);
	err_free(read_syms(t, o, pid, m));
	o->is_read = true;
	t->grown += sym_elf_size(&o->syms);
}

/* --- Making --------------------------------------------------------------- */

/* The oldest that is open. */
static void
read_or_close(struct objects *t, struct object *o)
{
	const struct sym_mapping m = { .dev = o->dev, .inode = o->inode, .path = o->path };
	struct stat st;
	bool is_known = !fstat(o->fd, &st), is_deleted = is_known && !st.st_nlink;

	if (is_known && !is_deleted && st.st_size > SMALL_MAX) {
		o->is_large = t->nlarge < LARGE_MAX;
		t->nlarge += o->is_large;
		if (!o->is_large)
			close_file(t, o);
		return;
	}
	read_once(t, o, 0, &m);
	if (o->fd >= 0)			/* its file system does not answer */
		close_file(t, o);
}

static void
make_room(struct objects *t)
{
	while (t->nopen - t->nlarge >= OPEN_FEW && t->oldest < t->opened.n) {
		struct object *o = t->opened.v[t->oldest++];
		if (o->fd >= 0)
			read_or_close(t, o);
	}
	if (t->oldest < OPEN_FEW)
		return;
	t->opened.n -= t->oldest;
	memmove(t->opened.v, t->opened.v + t->oldest, t->opened.n * sizeof(*t->opened.v));
	t->oldest = 0;
}

static bool
ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), k = strlen(end);

	return n >= k && strcmp(text + n - k, end) == 0;
}

/* Are they one file, which one of them calls by its path from another root? */
static bool
is_twin(const struct object *a, const struct object *b)
{
	return a != b && a->inode && a->inode == b->inode && a->dev == b->dev &&
	       (ends_with(a->path, b->path) || ends_with(b->path, a->path));
}

static void
take_file(struct objects *t, struct object *o, int fd)
{
	o->fd = fd;
	o->was_open = fd >= 0;
	t->nopen += o->was_open;
	if (o->was_open && !vec_push(&t->opened, o))
		close_file(t, o);
}

/* Of two of which one could be opened, both have it. */
static void
share_file(struct objects *t, struct object *o)
{
	struct hash_entry *e;

	for (size_t i = 0; (e = hash_next(&t->by_key, &i)); ) {
		struct object *other = e->val;
		if (!other || (o->fd < 0) == (other->fd < 0) || !is_twin(o, other))
			continue;
		struct object *needs = o->fd < 0 ? o : other, *has = o->fd < 0 ? other : o;
		if (!needs->was_open && !needs->is_read)
			take_file(t, needs, fcntl(has->fd, F_DUPFD_CLOEXEC, 0));
	}
}

/* Until that was possible once. */
static void
open_first(struct objects *t, struct object *o, int pid, const struct sym_mapping *m)
{
	if (o->was_open || o->is_read || *o->path != '/' || o->is_anon ||
	    !answers(t, o, pid, m))
		return;
	make_room(t);
	take_file(t, o, open_object(t, o, pid, m));
	share_file(t, o);
}

static struct object *
object_new(struct objects *t, int pid, const struct sym_mapping *m)
{
	struct object *o = util_zalloc(sizeof(*o));
	char *path = util_strndup(m->path, sym_maps_path(m->path));
	char *name = path ? clean_name(path) : NULL;

	if (!o || !name) {
		util_free(o);
		util_free(path);
		util_free(name);
		return NULL;
	}
	o->path = path;
	o->name = name;
	o->dev = m->dev;
	o->inode = m->inode;
	o->fd = -1;
	o->is_anon = !*path || strncmp(path, "//anon", 6) == 0 ||
		     strncmp(path, "anon_inode:", 11) == 0 ||
		     strncmp(path, "[anon:", 6) == 0 ||
		     strncmp(path, "[heap]", 6) == 0 ||
		     strncmp(path, "[stack", 6) == 0;
	open_first(t, o, pid, m);
	return o;
}

struct object *
sym_objects_get(struct objects *t, int pid, const struct sym_mapping *m)
{
	char key[KEY_MAX];
	int n = snprintf(key, sizeof(key), "%llx:%llx:%.4000s",
			 (unsigned long long)m->dev,
			 (unsigned long long)m->inode, m->path);
	void **slot = hash_ref(&t->by_key, key, (size_t)n);

	if (!slot)
		return NULL;
	if (!*slot) {
		*slot = object_new(t, pid, m);
		t->grown += *slot ? sym_object_size(*slot) : 0;
		if (!*slot)
			hash_del(&t->by_key, key, (size_t)n);
	} else {
		open_first(t, *slot, pid, m);
	}
	return *slot;
}

size_t
sym_object_size(const struct object *o)
{
	/* Its path, its name, and the key by which it is found. */
	return sizeof(*o) + 3 * strlen(o->path) + sym_elf_size(&o->syms);
}

void
sym_objects_drop_unknown(struct objects *t)
{
	struct hash_entry *e;
	size_t n = 0;

	for (size_t i = t->oldest; i < t->opened.n; i++)
		if (t->opened.v[i]->is_known)
			t->opened.v[n++] = t->opened.v[i];
	t->opened.n = n;
	t->oldest = 0;
	for (size_t i = 0; (e = hash_next(&t->by_key, &i)); ) {
		struct object *o = e->val;
		if (o->is_known)
			continue;
		hash_del(&t->by_key, e->key, e->size);
		if (o->fd >= 0)
			close_file(t, o);
		if (o->lines)
			close_lines(t, o);
		object_free(o);
	}
}

/* --- Looking up ----------------------------------------------------------- */

static void
name_of(const struct objects *t, struct object *o, uint64_t at,
	struct sym_place *ret)
{
	struct esym *e = sym_elf_find(&o->syms, at), *next;

	if (!e || at - e->addr + 1 >= e->size) {
		next = sym_elf_find(&o->syms, at + 1);
		ret->is_before = next && next != e;
	}
	if (!e)
		return;
	ret->function = sym_elf_name(&o->syms, e, t->mangled);
	ret->offset = at - e->addr;
}

/* The address in the file of one in a mapping of its code.  The kernel and ld.so first map
 * all of a file as its first segment is to be, and the others over that, of which only
 * those with code are told; where code comes first, as on arm64, that mapping holds data
 * too, which stand at a fixed distance. */
static bool
address_of(const struct object *o, const struct sym_mapping *m, uint64_t addr,
	   uint64_t *ret)
{
	uint64_t distance = addr - m->start;

	return sym_elf_data_addr(&o->syms, m->offset, distance, ret) ||
	       sym_elf_addr(&o->syms, m->offset + distance, ret);
}

void
sym_object_look_up(struct objects *t, struct object *o, int pid,
		   const struct sym_mapping *m, uint64_t addr,
		   struct sym_place *ret)
{
	uint64_t at;

	read_once(t, o, pid, m);
	if (address_of(o, m, addr, &at))
		name_of(t, o, at, ret);
}

void
sym_object_lines(struct objects *t, struct object *o, int pid,
		 const struct sym_mapping *m, uint64_t addr,
		 struct sym_place *ret)
{
	uint64_t at;

	if (!t->lines || o->has_no_lines || !address_of(o, m, addr, &at))
		return;
	if (!o->lines && answers(t, o, pid, m)) {
		CLEANUP(util_closep) int fd = sym_object_open(t, o, pid, m);
		if (fd >= 0)
			open_lines(t, o, fd);
	}
	if (o->lines) {
		o->lines_used = ++t->uses;
		ret->lines = sym_lines_at(o->lines, at, &ret->nlines);
	}
}

/* Symbols take time to read, and most addresses are of no file's data. */
static void
read_segments(const struct objects *t, struct object *o, int pid,
	      const struct sym_mapping *m)
{
	int fd = o->fd >= 0 ? o->fd : open_object(t, o, pid, m);

	o->has_segments = true;
	if (fd < 0)
		return;
	err_free(sym_elf_read_segments(&o->syms, fd));
	if (fd != o->fd)
		close(fd);
}

bool
sym_object_has_data(struct objects *t, struct object *o, int pid,
		    const struct sym_mapping *m, uint64_t addr)
{
	uint64_t at;

	if (o->is_anon || *o->path != '/')
		return false;
	if (!o->is_read && !o->has_segments && answers(t, o, pid, m))
		read_segments(t, o, pid, m);
	return sym_elf_data_addr(&o->syms, m->offset, addr - m->start, &at);
}

void
sym_object_look_up_data(struct objects *t, struct object *o, int pid,
			const struct sym_mapping *m, uint64_t addr,
			struct sym_place *ret)
{
	uint64_t at;

	read_once(t, o, pid, m);
	if (sym_elf_data_addr(&o->syms, m->offset, addr - m->start, &at))
		name_of(t, o, at, ret);
}
