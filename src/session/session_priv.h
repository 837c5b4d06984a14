/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A session from the inside, and what its files have for each other.
 */
#ifndef SESSION_SESSION_PRIV_H
#define SESSION_SESSION_PRIV_H

#include "engine/engine.h"
#include "gen/gen.h"
#include "kern/kern.h"
#include "kern/task.h"
#include "lang/lang.h"
#include "prov/prov.h"
#include "save/save.h"
#include "sema/sema.h"
#include "session/proc.h"
#include "session/program.h"
#include "sym/sym.h"
#include "typedb/typedb.h"
#include "util/arena.h"
#include "util/clock.h"
#include "util/hash.h"
#include "util/intern.h"
#include "util/vec.h"

struct session_prog {
	struct sema_prog *sema;
	struct diag_list diags;
	unsigned matches;
};

struct library;

/* The D libraries of this session; library.c. */
struct session_libs {
	bool indexed;			/* the directories were read */
	VEC(struct library *) all;	/* in order of precedence */
	size_t nnamed;			/* the first of them: by -L */
	VEC(struct library *) order;	/* looked at, in that order */
	struct hash names;		/* kind and name: struct lib_name */
	struct hash spaces;		/* namespaces seen, of programs too */
};

/* What fires the enabled probes; plan.c. */
struct session_points {
	VEC(struct engine_point) all;
	struct hash placed;		/* ids of the probes that are there: 1 +
					 * how many of their places have sites */
	struct hash nowhere;		/* ids of those without a site: why */
	struct hash told;		/* descriptions: nowhere.c has said so */
	uint64_t nwarnings;		/* probes that could not be added */
};

/* What runs before the clauses of probes that are made of others; prelude.c. */
struct session_preludes {
	VEC(const struct sema_prog *) progs;	/* of one clause each */
	struct hash of;			/* abi_point -> index in progs + 1;
					 * SIZE_MAX: this site is not to be */
	struct hash setups;		/* texts that have been enabled */
	struct hash ustacks;		/* of sema_clause: those that ask for ustack() */
};

/* Who wants to know what processes do; tasks.c. */
struct session_subscriber {
	unsigned kinds;			/* set of 1 << enum kern_task_kind */
	kern_task_fn *fn;		/* NULL: has left */
	void *ctx;
	const char *if_lost;		/* NULL: nothing, or told */
};

struct session_tasks {
	struct kern_tasks *kern;	/* NULL: nobody wants to know */
	VEC(struct session_subscriber) subscribers;
	struct hash new;		/* pid -> when it executed, ns; until it maps a file */
	struct hash leaderless;		/* pid of ours -> a thread that lived */
	bool reading;			/* they are being called */
	uint64_t lost;			/* events that nobody was told of */
};

/* Who gives addresses in processes their names; names.c. */
struct session_naming {
	void *sweep;			/* DIR of /proc, until all was seen */
	bool kernel_soon;		/* records will want the kernel's */
};

/* What ids in records mean; meta.c. */
struct session_meta {
	struct consume_meta of;
	/* By EPID - 1 and by the probe's id: events hold pointers to them, so they
	 * stay where they are when there are more. */
	VEC(struct consume_epid *) epids;
	VEC(struct consume_probe *) probes;
};

struct session {
	struct arena *a;
	struct intern names;
	struct opt_set opts;
	struct typedb *types;
	struct sym_kernel *syms;
	struct sym_names *sym_names;
	struct prov_set *prov;
	struct sema_world world;
	struct sema *sema;
	struct session_libs libs;
	VEC(struct session_prog *) progs;	/* all compiled */
	VEC(const struct sema_prog *) enabled;
	struct {
		struct diag_list *diags;	/* or NULL: nothing is */
		struct err *failure;		/* without an answer for the compiler; world.c */
		const char *no_types;		/* why types cannot be asked for, or NULL */
		/* The last that was, and its plan by itself; NULL: none. */
		struct { const struct sema_prog *prog; const struct plan_prog *plan; } tried;
	} compiling;

	struct session_proc *procs;
	struct { session_proc_fn *fn; void *ctx; } on_proc;
	struct { session_warn_fn *fn; void *ctx; } on_warning;

	struct {
		/* session_prepare() was called, or has done its work; session_go() was called */
		enum { SESSION_NEW, SESSION_BEGUN, SESSION_PREPARED, SESSION_WENT } phase;
		bool live, exit_seen;		/* live: it traces */
		struct { uint64_t begun, ended; } at;	/* ns; 0: not yet */
		struct { uint64_t status, agg, clean; } next;	/* ns, when due */
		int epoll;
	} run;
	const char *heading;		/* borrowed; or NULL */
	const struct plan_prog *plan;
	struct session_points points;
	struct session_preludes preludes;
	struct engine *engine;
	struct consume *consume;
	struct session_meta meta;
	struct session_tasks tasks;
	struct session_naming naming;
	/* arrive.c: something is new; who waits for that to be probed, or NULL. */
	struct {
		bool pending;
		struct kengine_hold *hold;
		uint64_t ngone;		/* children that ended before they were seen */
		uint64_t since;		/* ns: when the first came that is pending */
		uint64_t late;		/* ns until its probes were there, at most */
	} arrivals;
	/* Where the trace is saved to; where it comes from instead of an engine. */
	struct { struct save *to; struct saved *from; } file;
	bool *hinted;			/* hint.c: what it has said */
};

#endif
