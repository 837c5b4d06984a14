/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Processes and their executable mappings.
 *
 * Mappings are only added, each with the time from which on it was there, and
 * the latest that covers an address counts.  So a process that executed
 * another program keeps the names of the old one for addresses that the new
 * one does not use, and the order in which events of several CPUs come does
 * not matter.  A child has the mappings that its parent had when it was
 * forked, without a copy: whoever looks goes on to the parent.
 *
 * Most processes make a few mappings; those that make and remove them all the
 * time make the same ones again, or lose the older half.  Dead processes are
 * kept, because names are wanted later, but not without end (release.c, too).
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "sym/process_priv.h"
#include "util/alloc.h"

enum { MAPS_MAX = 1 << 16, DEAD_MAX = 1 << 15 };

static void
process_free(struct process *p)
{
	vec_fini(&p->maps);
	sym_jit_fini(&p->jit);
	util_free(p);
}

void
sym_processes_init(struct processes *t)
{
	*t = (struct processes){ .oldest = 0 };
}

void
sym_processes_fini(struct processes *t)
{
	struct hash_entry *e;
	size_t i = 0;

	while ((e = hash_next(&t->by_pid, &i)))
		process_free(e->val);
	hash_fini(&t->by_pid);
	vec_fini(&t->dead);
}

struct process *
sym_processes_find(const struct processes *t, int pid)
{
	return hash_get(&t->by_pid, &pid, sizeof(pid));
}

struct process *
sym_processes_get(struct processes *t, int pid)
{
	struct process *p = sym_processes_find(t, pid);

	if (p)
		return p;
	p = util_zalloc(sizeof(*p));
	if (!p)
		return NULL;
	p->pid = pid;
	sym_jit_init(&p->jit);
	if (!hash_put(&t->by_pid, &pid, sizeof(pid), p)) {
		process_free(p);
		return NULL;
	}
	return p;
}

static void
forget(struct processes *t, int pid)
{
	struct process *p = sym_processes_find(t, pid);

	if (!p || !p->ended)	/* the number is in use again */
		return;
	hash_del(&t->by_pid, &pid, sizeof(pid));
	process_free(p);
}

static void
forget_oldest(struct processes *t)
{
	assert(t->oldest < t->dead.n);
	forget(t, t->dead.v[t->oldest++]);
	if (t->oldest < DEAD_MAX)
		return;
	t->dead.n -= t->oldest;
	memmove(t->dead.v, t->dead.v + t->oldest, t->dead.n * sizeof(*t->dead.v));
	t->oldest = 0;
}

void
sym_processes_end(struct processes *t, struct process *p)
{
	if (p->ended)
		return;
	p->ended = true;
	vec_push(&t->dead, p->pid);	/* without memory it stays */
	if (t->dead.n - t->oldest > DEAD_MAX)
		forget_oldest(t);
}

bool
sym_processes_forget(struct processes *t)
{
	size_t n = t->dead.n - t->oldest;

	for (size_t i = 0; i < (n + 1) / 2; i++)
		forget_oldest(t);
	return n;
}

/* --- Mappings ------------------------------------------------------------- */

void
sym_process_map(struct process *p, const struct sym_mapping *m,
		struct object *o, const char *called)
{
	struct pmap new = { *m, o, called };

	new.m.path = NULL;
	for (size_t i = p->maps.n; i > 0; i--) {
		struct pmap *q = &p->maps.v[i - 1];
		if (q->m.start != m->start || q->m.size != m->size ||
		    q->m.offset != m->offset || q->object != o)
			continue;
		if (q->m.time_ns <= m->time_ns) {
			q->m.time_ns = m->time_ns;
			q->called = called ? called : q->called;
		}
		return;
	}
	assert(p->maps.n <= MAPS_MAX);
	if (p->maps.n == MAPS_MAX) {
		p->maps.n /= 2;
		memmove(p->maps.v, p->maps.v + p->maps.n,
			p->maps.n * sizeof(*p->maps.v));
	}
	vec_push(&p->maps, new);
}

struct pmap *
sym_process_find(struct process *p, uint64_t addr, uint64_t until)
{
	struct pmap *best = NULL;

	for (size_t i = p->maps.n; i > 0; i--) {
		struct pmap *q = &p->maps.v[i - 1];
		if (addr - q->m.start < q->m.size && q->m.time_ns <= until &&
		    (!best || q->m.time_ns > best->m.time_ns))
			best = q;
	}
	return best;
}

/* The kernel writes a line end in a path as "\012", and nothing else so. */
static void
unescape(char *s)
{
	char *to = s;

	for (; *s; to++) {
		bool end = strncmp(s, "\\012", 4) == 0;
		*to = end ? '\n' : *s;
		s += end ? 4 : 1;
	}
	*to = '\0';
}

bool
sym_process_parse_line(char *line, struct sym_mapping *m)
{
	unsigned long long start, end, off, inode;
	unsigned maj, min;
	char perms[5];
	int path = -1;

	if (sscanf(line, "%llx-%llx %4s %llx %x:%x %llu %n", &start, &end,
		   perms, &off, &maj, &min, &inode, &path) < 7 || path < 0)
		return false;
	if (strlen(perms) < 3 || perms[2] != 'x' || end <= start)
		return false;
	line[path + (int)strcspn(line + path, "\n")] = '\0';
	unescape(line + path);
	*m = (struct sym_mapping){
		.start = start, .size = end - start, .offset = off,
		.dev = (uint64_t)maj << 32 | min, .inode = inode,
		.path = line + path,
	};
	return true;
}
