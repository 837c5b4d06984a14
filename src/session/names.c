/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Names of addresses in processes.  Only a program that prints such addresses
 * pays for them: then all processes are watched from before its probes are
 * attached, so that one that is gone in a moment has names, and those that
 * were there before are looked at during the first turns, a few at a time.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/process.h"
#include "kern/task.h"
#include "pfmt/pfmt.h"
#include "prov/coming.h"
#include "session/proc_priv.h"
#include "session/run_priv.h"
#include "sym/names.h"

enum { SWEEP_NS = 2 * 1000 * 1000 };	/* of one turn */

/* Sets of kinds of fields. */
enum {
	KERNEL = 1 << ABI_FIELD_STACK | 1 << ABI_FIELD_SYM | 1 << ABI_FIELD_MOD,
	USER = 1 << ABI_FIELD_USTACK | 1 << ABI_FIELD_USYM |
	       1 << ABI_FIELD_UMOD | 1 << ABI_FIELD_UADDR,
};

static unsigned
kinds(const struct abi_field *f, uint32_t n)
{
	unsigned set = 0;

	for (uint32_t i = 0; i < n; i++)
		set |= 1u << f[i].kind;
	return set;
}

static unsigned
kinds_of_records(const struct plan_prog *p)
{
	unsigned set = 0;

	for (uint32_t i = 0; i < p->nclauses; i++)
		set |= kinds(p->clauses[i].desc.fields,
			     p->clauses[i].desc.nfields);
	return set;
}

static unsigned
kinds_of_keys(const struct plan_prog *p)
{
	unsigned set = 0;

	for (uint32_t i = 0; i < p->naggs; i++)
		set |= kinds(p->aggs[i].keys, p->aggs[i].nkeys);
	return set;
}

/* Does some format name addresses?  A plain number that it is given may be one
 * of the target's. */
static bool
names_plain(const struct plan_prog *p)
{
	for (uint32_t i = 0; i < p->nclauses; i++) {
		const struct abi_clause_desc *d = &p->clauses[i].desc;
		for (uint32_t j = 0; j < d->nactions; j++)
			if (pfmt_names_addresses(d->actions[j].format))
				return true;
	}
	return false;
}

/* --- Events --------------------------------------------------------------- */

/* Look at the processes that there are, from the first. */
static void
start_sweep(struct session *s)
{
	if (s->naming.sweep)
		rewinddir(s->naming.sweep);
	else
		s->naming.sweep = opendir("/proc");
}

static bool
is_traced(const struct session *s, int pid)
{
	for (const struct session_proc *p = s->procs; p; p = p->next)
		if (p->pid == pid)
			return true;
	return prov_user_has(s->prov, pid);
}

static void
on_task(void *ctx, const struct kern_task_event *e)
{
	struct session *s = ctx;
	struct sym_mapping m = {
		.start = e->start, .size = e->size, .offset = e->offset,
		.dev = e->dev, .inode = e->inode, .time_ns = e->time_ns,
		.path = e->path,
	};

	switch (e->kind) {
	case KERN_TASK_MAPPED:
		sym_names_mapped(s->sym_names, e->pid, &m);
		engine_process(s->engine, e->pid, ENGINE_PROCESS_MAPPED);
		/* Stacks will come from there. */
		if (e->inode && is_traced(s, e->pid))
			engine_process(s->engine, e->pid, ENGINE_PROCESS_TRACED);
		break;
	case KERN_TASK_FORKED:
		sym_names_forked(s->sym_names, e->pid, e->parent, e->time_ns);
		break;
	case KERN_TASK_ENDED:
		sym_names_ended(s->sym_names, e->pid);
		engine_process(s->engine, e->pid, ENGINE_PROCESS_ENDED);
		break;
	case KERN_TASK_LOST:
		sym_names_lost(s->sym_names);
		start_sweep(s);
		break;
	default:
		break;
	}
}

static void
look(void *ctx)
{
	session_tasks_read(ctx);
}

static void
know(void *ctx, int pid)
{
	sym_names_process(ctx, pid);
}

struct err *
session_naming_start(struct session *s)
{
	if (s->opts.v[OPT_MANGLED] > 0)
		sym_names_mangled(s->sym_names);
	if (s->opts.v[OPT_USTACKLINES] > 0)
		sym_names_lines(s->sym_names);
	sym_names_on_nameless(s->sym_names, session_tell, s);
	s->naming.kernel_soon = kinds_of_records(s->plan) & KERNEL;
	if (s->opts.v[OPT_NORESOLVE] > 0)
		return NULL;
	if (!((kinds_of_records(s->plan) | kinds_of_keys(s->plan)) & USER) &&
	    !(s->procs && names_plain(s->plan)))
		return NULL;
	if (s->procs)
		sym_names_target(s->sym_names, session_self(),
				 session_target(s));
	/* Without it /proc will have to do. */
	TRY(err_only_nomem(session_tasks_subscribe(s, 1u << KERN_TASK_MAPPED |
			1u << KERN_TASK_FORKED | 1u << KERN_TASK_ENDED,
			on_task, s, "of some, addresses may have old names or "
			"none")));
	sym_names_on_look(s->sym_names, look, s);
	if (!kern_first_pid_ns())
		sym_names_foreign(s->sym_names);
	for (struct session_proc *p = s->procs; p; p = p->next) {
		if (p->seen != p->pid)
			sym_names_alias(s->sym_names, p->seen, p->pid);
		sym_names_process(s->sym_names, p->pid);
	}
	prov_user_chosen(s->prov, know, s->sym_names);
	start_sweep(s);
	return NULL;
}

/* Look at processes that were there before, for a while. */
static void
sweep(struct session *s)
{
	uint64_t end = clock_ns() + SWEEP_NS;
	struct dirent *d;

	while (clock_ns() < end) {
		d = readdir(s->naming.sweep);
		if (!d) {
			closedir(s->naming.sweep);
			s->naming.sweep = NULL;
			return;
		}
		if (d->d_name[0] >= '1' && d->d_name[0] <= '9')
			sym_names_process(s->sym_names, atoi(d->d_name));
	}
}

struct collecting {
	struct session *s;
	struct err *err;
};

static void
collect(void *ctx)
{
	struct collecting *c = ctx;

	if (!c->err)
		c->err = session_take_step(c->s, SAVE_STEP_COLLECT, NULL,
					   NULL);
}

/* In the time that it takes to read the kernel's symbols the rings would
 * overflow. */
static struct err *
read_kernel(struct session *s)
{
	struct collecting c = { .s = s };

	s->naming.kernel_soon = false;
	collect(&c);
	sym_names_read_kernel(s->sym_names, collect, &c);
	return c.err;
}

struct err *
session_naming_turn(struct session *s, bool busy)
{
	if (s->naming.sweep)
		sweep(s);
	return s->naming.kernel_soon && busy && !engine_keeps(s->engine) ?
		read_kernel(s) : NULL;
}

void
session_naming_stop(struct session *s)
{
	session_tasks_unsubscribe(s, on_task, s);
	if (s->naming.sweep)
		closedir(s->naming.sweep);
	s->naming.sweep = NULL;
}
