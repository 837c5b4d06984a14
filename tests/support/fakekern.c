/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The kernel that is made up: one object at a time, maps that are memory, and
 * rings that hold what the test put there.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>
#include <linux/bpf.h>

#include "abi/obj.h"
#include "fakekern.h"
#include "kern/kern.h"
#include "kern/map.h"
#include "kern/ring.h"
#include "kern/site.h"
#include "kern/task.h"
#include "util/alloc.h"

struct fakekern fake = { .ncpus = 2 };

enum {
	MAPS_MAX = 256, PROGS_MAX = 1024, RECORDS_MAX = 64, TASKS_MAX = 64,
	PROG_FD = 1 << 20
};

struct fake_map {
	const char *name;
	uint32_t type, value_size, entries;
	const void *initial;
	size_t initial_size;
	int fd;			/* an eventfd, for whoever polls it; -1: none */
	void *memory;		/* mapped; NULL: not yet */
	size_t size;
};

struct kern_obj {
	struct fake_map maps[MAPS_MAX];
	unsigned nmaps;
	const char *progs[PROGS_MAX];
	unsigned nprogs;
	bool loaded;
};

static struct kern_obj *obj;	/* there is one at a time */

/* What programs ask of stacks comes by a ring, too, which is another thread's. */
enum { ASKS = 63, CHUNKS_MAX = 128 };

static struct { uint8_t *data; size_t size; } waiting[64][RECORDS_MAX];
static unsigned nwaiting[64], nread[64];
static void *chunks[CHUNKS_MAX];

struct kern_ring { unsigned cpu; };
struct kern_link { int unused; };
struct kern_tasks {
	struct kern_task_event waiting[TASKS_MAX];
	unsigned n;
	int fd;			/* an eventfd */
};

static struct kern_tasks *tasks;	/* there is one at a time */

static void
forget_records(void)
{
	for (unsigned cpu = 0; cpu < 64; cpu++) {
		for (unsigned i = 0; i < nwaiting[cpu]; i++)
			free(waiting[cpu][i].data);
		nwaiting[cpu] = nread[cpu] = 0;
	}
}

void
fakekern_reset(void)
{
	forget_records();
	sb_fini(&fake.log);
	sb_fini(&fake.made);
	fake = (struct fakekern){ .ncpus = 2 };
	sb_init(&fake.log, 1 << 20);
	sb_init(&fake.made, 1 << 20);
}

/* The error of a call whose turn it is to fail, else NULL. */
static struct err *
call(const char *what)
{
	if (__atomic_add_fetch(&fake.ncalls, 1, __ATOMIC_RELAXED) != fake.fail_at)
		return NULL;
	return fake.no_memory ? &err_nomem
			      : err_new(ERR_OS, EPERM, "%s: made to fail", what);
}

static struct fake_map *
find_map(const char *name)
{
	for (unsigned i = 0; obj && i < obj->nmaps; i++)
		if (strcmp(obj->maps[i].name, name) == 0)
			return &obj->maps[i];
	return NULL;
}

static struct fake_map *
map_of(int fd)
{
	for (unsigned i = 0; obj && i < obj->nmaps; i++)
		if (obj->maps[i].fd == fd && fd >= 0)
			return &obj->maps[i];
	return NULL;
}

static const char *
prog_of(int fd)
{
	unsigned i = (unsigned)(fd - PROG_FD);

	return fd >= PROG_FD && obj && i < obj->nprogs ? obj->progs[i] : "?";
}

uint32_t
fakekern_entries(const char *name)
{
	struct fake_map *m = find_map(name);

	return m ? m->entries : 0;
}

void *
fakekern_map(const char *name)
{
	struct fake_map *m = find_map(name);

	return m ? m->memory : NULL;
}

void
fakekern_ask(const struct abi_unwind_ask *ask)
{
	fakekern_record(ASKS, ask, sizeof(*ask));
}

void
fakekern_record(unsigned cpu, const void *record, size_t size)
{
	unsigned n = nwaiting[cpu];

	if (n == RECORDS_MAX)
		abort();
	waiting[cpu][n].data = malloc(size);
	memcpy(waiting[cpu][n].data, record, size);
	waiting[cpu][n].size = size;
	nwaiting[cpu]++;
}

/* --- Privilege and CPUs ----------------------------------------------------- */

bool kern_loops(void) { return true; }
unsigned kern_progs_max(void) { return KERN_PROGS_MANY; }
bool kern_is_since(unsigned major, unsigned minor) { return true; }
bool kern_preempts(void) { return fake.preempts; }
bool kern_may_write_user(void) { return false; }
static int pid_prog;		/* a descriptor, for whom there is one */

bool kern_first_pid_ns(void) { return !fake.seen_as; }
bool kern_tells_tracepoints(void) { return fake.tells_tracepoints; }

struct err *
kern_may_probe_user(bool *many)
{
	*many = true;
	return NULL;
}

struct err *
kern_may_probe(bool *many)
{
	*many = fake.probes_many;
	return fake.probes_one || fake.probes_many ? NULL :
		err_new(ERR_UNSUPPORTED, 0, "functions cannot be probed");
}

unsigned kern_ncpus(void) { return fake.ncpus; }

unsigned
kern_online(uint8_t *mask, unsigned n)
{
	unsigned online = 0;

	for (unsigned i = 0; i < n; i++)
		online += mask[i] = !(fake.offline >> i & 1);
	return online;
}

struct err *
kern_symbol(const char *name, uint64_t *ret)
{
	return err_new(ERR_NOTFOUND, 0, "no symbols");
}

struct err *
kern_pid_prog(int *ret)
{
	if (!fake.seen_as)
		return err_new(ERR_UNSUPPORTED, 0, "not here");
	TRY(call("pid program"));
	*ret = pid_prog = open("/dev/null", O_RDONLY | O_CLOEXEC);
	return NULL;
}

/* --- Objects ---------------------------------------------------------------- */

static void
add_map(struct kern_obj *o, const struct abi_map *m)
{
	struct fake_map *f = find_map(m->name);

	if (!m->type)
		return;
	if (!f) {
		if (o->nmaps == MAPS_MAX)
			abort();
		f = &o->maps[o->nmaps++];
	}
	*f = (struct fake_map){ m->name, m->type, m->value_size, m->entries,
				.fd = -1 };
}

struct err *
kern_obj_open(const struct abi_obj *const *objs, unsigned n,
	      struct kern_obj **ret)
{
	struct err *e = call("open");

	if (e)
		return e;
	obj = calloc(1, sizeof(*obj));
	for (unsigned i = 0; i < n; i++) {
		for (uint32_t k = 0; k < objs[i]->nmaps; k++)
			add_map(obj, &objs[i]->maps[k]);
		for (uint32_t k = 0; k < objs[i]->nfuncs; k++) {
			const struct abi_func *f = &objs[i]->funcs[k];
			if (obj->nprogs == PROGS_MAX)
				abort();
			obj->progs[obj->nprogs++] = f->name;
		}
	}
	fake.nobjs++;
	*ret = obj;
	return NULL;
}

struct err *
kern_obj_set_map(struct kern_obj *o, const char *map, uint32_t value_size,
		 uint32_t entries)
{
	struct fake_map *m = find_map(map);
	struct err *e = call(map);

	if (e)
		return e;
	if (!m)
		return err_new(ERR_NOTFOUND, 0, "no map %s", map);
	sb_printf(&fake.made, "map %s %u %u\n", map, value_size, entries);
	if (value_size)
		m->value_size = value_size;
	if (entries)
		m->entries = entries;
	return NULL;
}

struct err *
kern_obj_set_sparse(struct kern_obj *o, const char *map)
{
	sb_printf(&fake.made, "sparse %s\n", map);
	return call(map);
}

struct err *
kern_obj_set_initial(struct kern_obj *o, const char *map, const void *bytes)
{
	if (fake.on_initial)
		fake.on_initial(map, bytes);
	return call(map);
}

struct err *
kern_obj_set_btf(struct kern_obj *o, const char *prog, uint32_t id, int module)
{
	sb_printf(&fake.made, "btf %s\n", prog);
	return call("set_btf");
}

struct err *
kern_obj_use_prog(struct kern_obj *o, const char *prog)
{
	sb_printf(&fake.made, "use %s\n", prog);
	return call(prog);
}

struct err *
kern_obj_need_map(struct kern_obj *o, const char *map)
{
	sb_printf(&fake.made, "need %s\n", map);
	return call(map);
}

struct err *
kern_obj_make_maps(struct kern_obj *o)
{
	for (unsigned i = 0; i < o->nmaps; i++)
		o->maps[i].fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	o->loaded = true;
	return NULL;
}

struct err *
kern_obj_load(struct kern_obj *o, bool verbose)
{
	struct err *e = call("load");

	if (e)
		return e;
	if (!o->loaded)
		TRY(kern_obj_make_maps(o));
	sb_puts(&fake.log, verbose ? "load with a log\n" : "load\n");
	return NULL;
}

void
kern_obj_close(struct kern_obj *o)
{
	if (!o)
		return;
	for (unsigned i = 0; i < o->nmaps; i++)
		if (o->maps[i].fd >= 0)
			close(o->maps[i].fd);
	free(o);
	obj = NULL;
	fake.nobjs--;
}

void
kern_obj_warm(const struct kern_obj *o)
{
}

bool
kern_obj_turned(const struct kern_obj *o)
{
	return false;
}

int
kern_obj_map(struct kern_obj *o, const char *name)
{
	struct fake_map *m = find_map(name);

	return m && o->loaded ? m->fd : -1;
}

int
kern_obj_prog(struct kern_obj *o, const char *name)
{
	for (unsigned i = 0; i < o->nprogs; i++)
		if (strcmp(o->progs[i], name) == 0)
			return PROG_FD + (int)i;
	return -1;
}

/* --- Maps ------------------------------------------------------------------- */

struct err *
kern_map_update(int fd, const void *key, const void *value)
{
	if (fake.on_update)
		fake.on_update(key, value);
	return call("update");
}

struct err *
kern_map_mmap(int fd, size_t size, void **ret)
{
	struct fake_map *m = map_of(fd);
	struct err *e = call("mmap");

	if (e)
		return e;
	if (!m)
		return err_new(ERR_OS, EBADF, "no map is there to be mapped");
	m->memory = fake.shares ? mmap(NULL, size, PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0) :
				  calloc(1, size);
	*ret = m->memory;
	m->size = size;
	fake.nmapped++;
	return NULL;
}

void
kern_unmap(void *p, size_t size)
{
	for (unsigned i = 0; i < CHUNKS_MAX; i++)
		if (chunks[i] == p) {
			free(p);
			chunks[i] = NULL;
			return;
		}
	for (unsigned i = 0; obj && i < obj->nmaps; i++)
		if (obj->maps[i].memory == p) {
			if (obj->maps[i].size != size)
				abort();
			obj->maps[i].memory = NULL;
		}
	if (fake.shares)
		munmap(p, size);
	else
		free(p);
	fake.nmapped--;
}

static struct err *
hand_out(const char *how, int fd)
{
	struct fake_map *m = map_of(fd);
	struct err *e = call(how);

	if (e)
		return e;
	sb_printf(&fake.log, "%s %s\n", how, m ? m->name : "?");
	if (fake.on_drain)
		fake.on_drain();
	return NULL;
}

struct err *
kern_map_drain(int fd, uint32_t key_size, uint32_t value_size, kern_map_fn *fn,
	       void *ctx)
{
	return hand_out("drain", fd);
}

struct err *
kern_map_read(int fd, uint32_t key_size, uint32_t value_size, kern_map_fn *fn,
	      void *ctx)
{
	return hand_out("read", fd);
}

/* --- Programs --------------------------------------------------------------- */

uint64_t kern_prog_misses(int prog_fd) { return fake.misses; }
uint64_t kern_link_misses(const struct kern_link *l) { return fake.link_misses; }

static struct err *
new_link(const char *where, struct kern_link **ret)
{
	struct err *e = call(where);

	if (e)
		return e;
	*ret = calloc(1, sizeof(**ret));
	fake.nlinks++;
	return NULL;
}

struct err *
kern_attach(int prog_fd, const struct kern_site *site, struct kern_link **ret)
{
	bool is_sample = site->attach == ABI_ATTACH_PERF;

	if (fake.on_attach)
		fake.on_attach();
	if (fake.refuses && site->target &&
	    !strncmp(site->target, fake.refuses, strlen(fake.refuses)))
		return err_new(ERR_OS, EINVAL, "cannot attach to %s",
			       site->target);
	struct err *e = new_link(is_sample ? "profile" : site->target, ret);

	if (e)
		return e;
	if (is_sample)
		sb_printf(&fake.log, "attach cpu %u\n", site->cpu);
	else
		sb_printf(&fake.log, "attach %s\n", site->target);
	fake.pid_last = site->pid;
	return NULL;
}

struct err *
kern_hold_traceiter(const char *target, unsigned n, struct kern_link **ret)
{
	struct err *e = new_link(target, ret);

	if (!e)
		sb_printf(&fake.log, "hold %s\n", target);
	return e;
}

void
kern_detach(struct kern_link *l)
{
	if (!l)
		return;
	sb_puts(&fake.log, "detach\n");
	fake.nlinks--;
	free(l);
}

void
kern_detach_all(struct kern_link *const *l, size_t n)
{
	for (size_t i = 0; i < n; i++)
		kern_detach(l[i]);
}

void kern_leave(struct kern_leaving **at, struct kern_link *l) { kern_detach(l); }
void kern_leave_end(struct kern_leaving **at) { }

struct err *
kern_prog_run(int prog_fd, const uint64_t *ctx, unsigned nctx, uint32_t *retval)
{
	struct err *e = call("run");

	if (e)
		return e;
	assert(!ctx == !nctx);
	if (fake.seen_as && prog_fd == pid_prog) {
		*retval = fake.seen_as;
		return NULL;
	}
	sb_printf(&fake.log, "run %s\n", prog_of(prog_fd));
	if (fake.on_run)
		fake.on_run(prog_of(prog_fd));
	*retval = 0;
	return NULL;
}

struct err *
kern_prog_run_on(int prog_fd, unsigned cpu)
{
	return call("run");
}

struct err *
kern_barrier_open(void)
{
	return call("barrier open");
}

struct err *
kern_barrier(void)
{
	struct err *e = call("barrier");

	if (!e && fake.on_barrier)
		fake.on_barrier();
	if (!e)
		sb_puts(&fake.log, "barrier\n");
	return e;
}

/* --- Rings ------------------------------------------------------------------ */

struct err *
kern_map_add_inner(struct kern_adding *add, int outer, const char *name,
		   uint32_t first, uint32_t n, size_t size, void **ret)
{
	struct err *e = call("kern_map_add_inner");

	if (e)
		return e;
	if (first + n > CHUNKS_MAX)
		abort();
	if (fake.on_add)
		fake.on_add();
	for (uint32_t i = 0; i < n; i++)
		ret[i] = chunks[first + i] = calloc(1, size);
	return NULL;
}

void
kern_map_added(struct kern_adding *add)
{
}

void
kern_map_delete(int fd, const void *key)
{
	if (fake.on_delete)
		fake.on_delete(key);
}

struct err *
kern_ring_open(int map_fd, size_t size, struct kern_ring **ret)
{
	struct fake_map *m = map_of(map_fd);
	struct err *e = call("ring");

	if (e)
		return e;
	*ret = calloc(1, sizeof(**ret));
	(*ret)->cpu = ASKS;
	sscanf(m ? m->name : "", "dt_ring%u", &(*ret)->cpu);
	fake.nrings++;
	return NULL;
}

void
kern_ring_close(struct kern_ring *r)
{
	if (!r)
		return;
	free(r);
	fake.nrings--;
}

const void *
kern_ring_next(struct kern_ring *r, size_t *size)
{
	unsigned i = nread[r->cpu];

	if (i == nwaiting[r->cpu])
		return NULL;
	nread[r->cpu]++;
	*size = waiting[r->cpu][i].size;
	return waiting[r->cpu][i].data;
}

void
kern_ring_release(struct kern_ring *r)
{
	if (r->cpu != ASKS)
		sb_printf(&fake.log, "release %u\n", r->cpu);
}

size_t
kern_ring_pending(const struct kern_ring *r)
{
	size_t n = 0;

	for (unsigned i = nread[r->cpu]; i < nwaiting[r->cpu]; i++)
		n += waiting[r->cpu][i].size;
	return n;
}

/* --- Tasks ------------------------------------------------------------------ */

struct err *
kern_tasks_open(size_t keep, struct kern_tasks **ret)
{
	struct err *e = call("tasks");

	if (e)
		return e;
	if (tasks)
		abort();
	*ret = tasks = calloc(1, sizeof(**ret));
	tasks->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	fake.ntasks++;
	return NULL;
}

void
kern_tasks_close(struct kern_tasks *t)
{
	if (!t)
		return;
	close(t->fd);
	free(t);
	tasks = NULL;
	fake.ntasks--;
}

void
fakekern_task(const struct kern_task_event *e)
{
	if (!tasks)
		return;
	if (tasks->n == TASKS_MAX)
		abort();
	tasks->waiting[tasks->n++] = *e;
	eventfd_write(tasks->fd, 1);
}

void
kern_tasks_read(struct kern_tasks *t, kern_task_fn *fn, void *ctx)
{
	eventfd_t n;

	eventfd_read(t->fd, &n);
	for (unsigned i = 0; i < t->n; i++)
		fn(ctx, &t->waiting[i]);
	t->n = 0;
}

int
kern_tasks_fd(const struct kern_tasks *t, unsigned i)
{
	return i ? -1 : t->fd;
}
