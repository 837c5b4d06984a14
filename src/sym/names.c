/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Any address to the place it lies in, for those who print.
 *
 * Names of processes are often asked for when the process is gone.  So somebody
 * tells what processes map while they run (sym_names_mapped()), and for those
 * that were there before, /proc is read when they are first heard of.  Should
 * that not be enough (events were lost), /proc is read again, though not all
 * the time.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "sym/maps.h"
#include "sym/kept_priv.h"
#include "sym/process_priv.h"
#include "sym/sym_priv.h"
#include "sym/text_priv.h"
#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/clock.h"
#include "util/intern.h"
#include "util/sb.h"

enum {
	AGAIN_NS = 100 * 1000 * 1000,
	SHARE = 20,		/* of the time, for reading /proc of one */
	GENERATIONS = 16,	/* of parents that are asked */
	LINE_SIZE = 4 * 4096 + 256,	/* a line end in a path takes 4 */
	GROWN_MAX = 8 << 20,	/* bytes, until what can be released is looked for */
	ENDED_MAX = 64 << 20,	/* bytes for files of processes that have ended */
};

struct alias {
	int seen, pid;
};

struct sym_names {
	struct sym_kernel *kernel;	/* borrowed, or NULL */
	struct hash kept;		/* nothing else, if there is no kernel */
	struct objects objects;
	struct processes processes;
	struct intern texts;
	uint64_t lost_ns;		/* what was known then may be wrong now;
					 * CLOCK_MONOTONIC */
	bool foreign;			/* only aliases are known by number */
	VEC(struct alias) aliases;	/* of the commands we started: few */
	int self, target;		/* as seen; 0: there is none */
	void (*on_look)(void *ctx);
	void *on_look_ctx;
	void (*on_nameless)(void *ctx, const char *text);	/* NULL: or was told */
	void *on_nameless_ctx;
};

static int
parent_of(const void *ctx, int pid)
{
	const struct process *p = sym_processes_find(ctx, pid);

	return p ? p->parent : 0;
}

struct err *
sym_names_new(struct sym_kernel *kernel, struct sym_names **ret)
{
	struct sym_names *n = util_zalloc(sizeof(*n));

	if (!n)
		return &err_nomem;
	n->kernel = kernel;
	sym_objects_init(&n->objects);
	sym_processes_init(&n->processes);
	n->objects.parent = parent_of;
	n->objects.parent_ctx = &n->processes;
	*ret = n;
	return NULL;
}

void
sym_names_free(struct sym_names *n)
{
	if (!n)
		return;
	vec_fini(&n->aliases);
	sym_kept_fini(&n->kept);
	sym_processes_fini(&n->processes);
	sym_objects_fini(&n->objects);
	intern_fini(&n->texts);
	util_free(n);
}

void
sym_names_mangled(struct sym_names *n)
{
	n->objects.mangled = true;
}

void
sym_names_lines(struct sym_names *n)
{
	n->objects.lines = true;
}

void
sym_names_on_nameless(struct sym_names *n, void (*fn)(void *ctx, const char *text),
		      void *ctx)
{
	n->on_nameless = n->objects.on_nameless = fn;
	n->on_nameless_ctx = n->objects.on_nameless_ctx = ctx;
}

void
sym_names_on_look(struct sym_names *n, void (*fn)(void *ctx), void *ctx)
{
	n->on_look = fn;
	n->on_look_ctx = ctx;
}

void
sym_names_foreign(struct sym_names *n)
{
	n->foreign = true;
}

void
sym_names_alias(struct sym_names *n, int seen, int pid)
{
	struct alias a = { seen, pid };

	vec_push(&n->aliases, a);	/* without memory it is unknown */
}

void
sym_names_target(struct sym_names *n, int self, int target)
{
	n->self = self;
	n->target = target;
}

/* The number here of the process that was asked for; 0: unknown. */
static int
pid_here(const struct sym_names *n, int seen)
{
	for (size_t i = 0; i < n->aliases.n; i++)
		if (n->aliases.v[i].seen == seen)
			return n->aliases.v[i].pid;
	return n->foreign ? 0 : seen;
}

/* --- Processes ------------------------------------------------------------ */

/* One program may have several names.  NULL: it goes by its own, is not what the process
 * executes, or nobody can tell any more. */
static const char *
called(struct sym_names *n, const struct process *p, const struct object *o,
       const struct sym_mapping *m)
{
	char exe[4096], path[32];

	if (*m->path != '/')
		return NULL;
	snprintf(path, sizeof(path), "/proc/%d/exe", sym_living(p->pid));
	ssize_t size = readlink(path, exe, sizeof(exe) - 1);
	exe[size > 0 ? size : 0] = '\0';
	if (strcmp(exe, m->path) ||
	    !sym_executed_as(p->pid, o->name, exe, sizeof(exe)))
		return NULL;
	sym_make_plain(exe, strlen(exe));
	return intern(&n->texts, exe);
}

static void
add_mapping(struct sym_names *n, struct process *p,
	    const struct sym_mapping *m)
{
	struct object *o = sym_objects_get(&n->objects, p->pid, m);

	if (!o)
		return;
	if (o->is_anon)
		sym_jit_meet(&p->jit, p->pid);
	sym_process_map(p, m, o, called(n, p, o, m));
}

/* What /proc says is as of before it was asked: what an event tells is newer
 * when in doubt. */
static void
read_maps(struct sym_names *n, struct process *p)
{
	char line[LINE_SIZE], path[64];
	bool whole = true;	/* does what is read begin a line? */
	struct sym_mapping m;

	p->read_ns = clock_ns();
	snprintf(path, sizeof(path), "/proc/%d/maps", sym_living(p->pid));
	CLEANUP(util_fclosep) FILE *f = fopen(path, "re");
	if (!f)
		sym_processes_end(&n->processes, p);
	while (f && fgets(line, sizeof(line), f)) {
		bool begins = whole;
		whole = strchr(line, '\n');
		if (!begins || !sym_process_parse_line(line, &m))
			continue;	/* a path may look like anything */
		m.time_ns = p->read_ns;
		add_mapping(n, p, &m);
	}
	uint64_t cost = clock_ns() - p->read_ns;
	p->next_ns = p->read_ns + BASE_MAX(cost * SHARE, (uint64_t)AGAIN_NS);
}

void
sym_names_process(struct sym_names *n, int pid)
{
	struct process *p = sym_processes_get(&n->processes, pid);

	if (!p)
		return;
	uint64_t known_ns = BASE_MAX(p->read_ns, p->forked_ns);
	if (!known_ns || known_ns < n->lost_ns)
		read_maps(n, p);
}

void
sym_names_lost(struct sym_names *n)
{
	n->lost_ns = clock_ns();
}

void
sym_names_mapped(struct sym_names *n, int pid, const struct sym_mapping *m)
{
	struct process *p;

	sym_names_process(n, pid);
	p = sym_processes_find(&n->processes, pid);
	if (p)
		add_mapping(n, p, m);
}

void
sym_names_files(struct sym_names *n, int pid, sym_names_file_fn *fn, void *ctx)
{
	struct process *p = sym_processes_find(&n->processes, pid);

	for (size_t i = 0; p && i < p->maps.n; i++) {
		CLEANUP(util_closep) int fd = sym_object_open(
			&n->objects, p->maps.v[i].object, p->pid, &p->maps.v[i].m);
		if (fd >= 0)
			fn(ctx, fd);
	}
}

void
sym_names_forked(struct sym_names *n, int pid, int parent, uint64_t time_ns)
{
	struct process *p = sym_processes_get(&n->processes, pid);

	if (!p)
		return;
	p->parent = parent;
	p->forked_ns = time_ns;
	if (p->ended) {		/* the number is used again */
		p->ended = false;
		sym_jit_fini(&p->jit);
		sym_jit_init(&p->jit);
	}
	sym_names_process(n, parent);
}

void
sym_names_ended(struct sym_names *n, int pid)
{
	struct process *p = sym_processes_find(&n->processes, pid);

	if (p)
		sym_processes_end(&n->processes, p);
	if (n->objects.grown > GROWN_MAX)
		sym_release(&n->objects, &n->processes, ENDED_MAX);
}

/* --- Questions ------------------------------------------------------------ */

/* Was m, made at time `until` or before, made by p, and not by one that had its
 * number earlier?  When p was not there yet then, that one is meant. */
static bool
is_own(const struct process *p, const struct pmap *m, uint64_t until)
{
	return m && (m->m.time_ns >= p->forked_ns || until < p->forked_ns);
}

/* The process that p had all from until it was forked, and when that was at the
 * latest; NULL: none is known. */
static struct process *
go_to_parent(const struct sym_names *n, const struct process *p,
	     uint64_t *until)
{
	*until = BASE_MIN(*until, p->forked_ns);
	return p->parent ? sym_processes_find(&n->processes, p->parent) : NULL;
}

/* What p has mapped, or had when it began; else what somebody had who had its
 * number before: records of that one are printed still. */
static struct pmap *
find_map(struct sym_names *n, struct process *p, uint64_t addr)
{
	uint64_t until = UINT64_MAX;
	struct pmap *old = NULL;

	for (int i = 0; p && i < GENERATIONS; i++) {
		struct pmap *m = sym_process_find(p, addr, until);
		if (is_own(p, m, until))
			return m;
		old = old ? old : m;
		p = go_to_parent(n, p, &until);
	}
	return old;
}

static struct pmap *
find_or_read(struct sym_names *n, struct process *p, uint64_t addr)
{
	struct pmap *m = find_map(n, p, addr);

	if (m || p->ended || clock_ns() < p->next_ns)
		return m;
	read_maps(n, p);
	return find_map(n, p, addr);
}

/* The latest mapping of p, made at time `until` or before, whose file has data
 * at addr. */
static struct pmap *
find_data_in(struct sym_names *n, struct process *p, int pid, uint64_t addr,
	     uint64_t until)
{
	struct pmap *best = NULL;

	for (size_t i = p->maps.n; i > 0; i--) {
		struct pmap *q = &p->maps.v[i - 1];
		if (q->m.time_ns <= until &&
		    (!best || q->m.time_ns > best->m.time_ns) &&
		    sym_object_has_data(&n->objects, q->object, pid, &q->m,
					addr))
			best = q;
	}
	return best;
}

/* Only what is executable is told to us; data stands at a fixed distance. */
static struct pmap *
find_data(struct sym_names *n, struct process *p, uint64_t addr)
{
	uint64_t until = UINT64_MAX;
	struct pmap *old = NULL;
	int pid = p->pid;

	for (int i = 0; p && i < GENERATIONS; i++) {
		struct pmap *m = find_data_in(n, p, pid, addr, until);
		if (is_own(p, m, until))
			return m;
		old = old ? old : m;
		p = go_to_parent(n, p, &until);
	}
	return old;
}

static void
look_up_jit(struct sym_names *n, struct process *p, uint64_t addr,
	    struct sym_place *ret)
{
	const struct jit_sym *s = sym_jit_find(&p->jit, p->pid, addr,
					       clock_ns());

	if (!s)
		return;
	ret->module = intern(&n->texts, p->jit.title);
	ret->function = intern(&n->texts, sym_jit_name(&p->jit, s));
	ret->offset = addr - s->addr;
}

static uint64_t
lowest(const struct process *p, const struct pmap *of)
{
	uint64_t low = of->m.start;

	for (size_t i = 0; i < p->maps.n; i++)
		if (p->maps.v[i].object == of->object &&
		    p->maps.v[i].m.start < low)
			low = p->maps.v[i].m.start;
	return low;
}

/* The object may be released before they are. */
static void
keep_texts(struct sym_names *n, const struct pmap *m, struct sym_place *p)
{
	p->module = m->called ? m->called : intern(&n->texts, m->object->name);
	p->function = p->function ? intern(&n->texts, p->function) : NULL;
}

static void
look_up_data(struct sym_names *n, struct process *p, uint64_t addr,
	     struct sym_place *ret)
{
	struct pmap *m = find_data(n, p, addr);

	if (!m)
		return;
	ret->module_start = lowest(p, m);
	sym_object_look_up_data(&n->objects, m->object, p->pid, &m->m, addr,
				ret);
	keep_texts(n, m, ret);
}

/* A return address is never one of data. */
static void
look_up(struct sym_names *n, int seen, uint64_t addr, bool is_code,
	struct sym_place *ret)
{
	struct process *p;
	struct pmap *m;
	int pid;

	*ret = (struct sym_place){ .addr = addr, .module_start = addr };
	if (n->on_look)
		n->on_look(n->on_look_ctx);
	pid = seen ? pid_here(n, seen) : 0;
	p = pid ? sym_processes_get(&n->processes, pid) : NULL;
	m = p ? find_or_read(n, p, addr) : NULL;
	if (!m) {
		if (p && !is_code)
			look_up_data(n, p, addr, ret);
		return;
	}
	if (m->object->is_anon) {
		look_up_jit(n, p, addr, ret);
		ret->module_start = ret->module ? m->m.start : addr;
		return;
	}
	ret->module_start = lowest(p, m);
	sym_object_look_up(&n->objects, m->object, pid, &m->m, addr, ret);
	sym_object_lines(&n->objects, m->object, pid, &m->m, addr, ret);
	keep_texts(n, m, ret);
}

void
sym_names_user(struct sym_names *n, int pid, uint64_t addr,
	       struct sym_place *ret)
{
	if (!n->kernel) {
		sym_kept_find(&n->kept, SYM_KEPT_USER, pid, false, addr, ret);
		return;
	}
	if (!pid || pid == n->self)
		pid = n->target;
	look_up(n, pid, addr, false, ret);
}

/* That there is no symbol at an address is no reason. */
static void
tell_nameless(struct sym_names *n, const struct err *e)
{
	char text[256];

	if (e->code == ERR_NOTFOUND || !n->on_nameless)
		return;
	snprintf(text, sizeof(text), "addresses of the kernel have no names: %s", e->text);
	n->on_nameless(n->on_nameless_ctx, text);
	n->on_nameless = NULL;
}

void
sym_names_kernel(struct sym_names *n, uint64_t addr, struct sym_place *ret)
{
	struct sym s;

	if (!n->kernel) {
		sym_kept_find(&n->kept, SYM_KEPT_KERNEL, 0, false, addr, ret);
		return;
	}
	*ret = (struct sym_place){ .addr = addr, .module_start = addr };
	struct err *e = sym_kernel_by_addr(n->kernel, addr, &s);
	if (e) {
		tell_nameless(n, e);
		err_free(e);
		return;
	}
	ret->module = s.module;
	ret->function = s.name;
	ret->offset = addr - s.addr;
	ret->module_start = s.module_start;
}

void
sym_names_read_kernel(struct sym_names *n, void (*meanwhile)(void *ctx),
		      void *ctx)
{
	sym_kernel_read(n->kernel, (struct ksyms_meanwhile){ meanwhile, ctx });
}

/* Does a handler of a signal return to there?  libc and others have the call of
 * rt_sigreturn() for that, which debuggers know by its bytes, too. */
static bool
is_sigreturn(struct sym_names *n, int seen, uint64_t pc)
{
#if defined(__aarch64__)
	static const uint8_t code[] = { 0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4 };
#else
	static const uint8_t code[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };
#endif
	int pid = pid_here(n, seen);
	struct process *p = pid ? sym_processes_get(&n->processes, pid) : NULL;
	struct pmap *m = p ? find_map(n, p, pc) : NULL;
	uint8_t there[sizeof(code)];

	if (!m || m->object->is_anon)
		return false;
	CLEANUP(util_closep) int fd = sym_object_open(&n->objects, m->object, pid, &m->m);
	return fd >= 0 &&
	       pread(fd, there, sizeof(there), (off_t)(m->m.offset + pc - m->m.start)) ==
			sizeof(there) &&
	       !memcmp(there, code, sizeof(code));
}

void
sym_names_frame(struct sym_names *n, int pid, uint64_t pc, uint64_t inner,
		struct sym_place *ret)
{
	uint64_t at = pc - (inner > 0);

	if (!n->kernel) {
		sym_kept_find(&n->kept, pid ? SYM_KEPT_USER : SYM_KEPT_KERNEL,
			      pid, inner > 0, pc, ret);
		return;
	}
	if (pid)
		look_up(n, pid, at, true, ret);
	else
		sym_names_kernel(n, at, ret);
	if (pid && inner && ret->is_before &&
	    (is_sigreturn(n, pid, pc) || is_sigreturn(n, pid, inner)))
		look_up(n, pid, at = pc, true, ret);
	if (ret->module_start == at && !ret->module)
		ret->module_start = pc;
	ret->addr = pc;
	if (ret->function)
		ret->offset += pc - at;
}

uint64_t
sym_names_whole(struct sym_names *n, bool is_user, bool is_module, int pid,
		uint64_t addr)
{
	struct sym_place p;

	if (is_user)
		sym_names_user(n, pid, addr, &p);
	else
		sym_names_kernel(n, addr, &p);
	return is_module ? p.module_start : addr - p.offset;
}

bool
sym_names_keep(struct sym_names *n, enum sym_kept whose, int pid,
	       bool is_return, const struct sym_place *p)
{
	assert(!n->kernel);
	return sym_kept_add(&n->kept, &n->texts, whose, pid, is_return, p);
}

bool
sym_place_unfold(const struct sym_place *p, size_t i, struct sym_place *ret)
{
	if (i && i >= p->nlines)
		return false;
	*ret = *p;
	ret->lines = NULL;
	ret->nlines = 0;
	if (i >= p->nlines)
		return true;
	ret->file = p->lines[i].file;
	ret->line = ret->file ? p->lines[i].line : 0;
	ret->is_inlined = i + 1 < p->nlines;
	if (ret->is_inlined) {
		ret->function = p->lines[i].function;
		ret->offset = 0;
	}
	return true;
}

static void
put_line(const struct sym_place *p, struct sb *b)
{
	if (p->is_inlined)
		sb_puts(b, " [inlined]");
	if (p->line)
		sb_printf(b, " (%s:%u)", sym_line_base(p->file), p->line);
}

void
sym_place_print(const struct sym_place *p, struct sb *b)
{
	if (p->module) {
		sb_puts(b, p->module);
		sb_putc(b, '`');
	}
	if (p->function)
		sb_puts(b, p->function);
	else
		sb_printf(b, "0x%llx", (unsigned long long)p->addr);
	if (p->function && p->offset)
		sb_printf(b, "+0x%llx", (unsigned long long)p->offset);
	put_line(p, b);
}
