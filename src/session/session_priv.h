/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A session from the inside, and what its files have for each other.
 */
#ifndef SESSION_SESSION_PRIV_H
#define SESSION_SESSION_PRIV_H

#include "engine/engine.h"
#include "gen/gen.h"
#include "kern/kern.h"
#include "lang/lang.h"
#include "prov/prov.h"
#include "save/save.h"
#include "sema/sema.h"
#include "session/session.h"
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

/* Memory shared with a child that is to execute a command. */
struct proc_start {
	int ready, go;
	int keep;		/* it may live on when we have ended */
	int exec_errno;		/* why execve failed; 0: it did not (yet) */
	uint32_t seen;		/* its number as probes see it; 0: its pid */
};

struct session_proc {
	struct session_proc *next;
	pid_t pid;
	pid_t seen;			/* pid as probes see it */
	int pidfd;
	bool created, ended;
	bool wanted;			/* to run, once tracing is on */
	bool runs;			/* created: it was let go */
	bool released;			/* it is no longer ours */
	bool held;			/* by ptrace, from here to _continue() */
	unsigned point;			/* held: at which, OPT_EVAL_* */
	struct proc_start *start;	/* the child's, too, until it runs */
	const char *path;		/* with start: what it executes */
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
	struct hash placed;		/* ids of the probes that are there */
	uint64_t nwarnings;		/* probes that could not be added */
};

/* What runs before the clauses of probes that are made of others; prelude.c. */
struct session_preludes {
	VEC(const struct sema_prog *) progs;	/* of one clause each */
	struct hash of;			/* abi_point -> index in progs + 1;
					 * SIZE_MAX: this site is not to be */
	struct hash setups;		/* texts that have been enabled */
};

/* Who wants to know what processes do; tasks.c. */
struct session_subscriber {
	unsigned kinds;			/* set of 1 << enum kern_task_kind */
	kern_task_fn *fn;		/* NULL: has left */
	void *ctx;
};

struct session_tasks {
	struct kern_tasks *kern;	/* NULL: nobody wants to know */
	VEC(struct session_subscriber) subscribers;
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
	struct err *failure;		/* for which the compiler had no answer;
					 * world.c */
	const char *no_types;		/* why a question about types had no
					 * answer; NULL: it had */
	struct session_libs libs;
	struct diag_list *diags;	/* of what is being compiled, or NULL */
	VEC(struct session_prog *) progs;	/* all compiled */
	VEC(const struct sema_prog *) enabled;
	/* The last that was compiled, and its plan by itself; NULL: none. */
	struct { const struct sema_prog *prog; const struct plan_prog *plan; }
		tried;

	struct session_proc *procs;
	struct { session_proc_fn *fn; void *ctx; } on_proc;
	struct { session_warn_fn *fn; void *ctx; } on_warning;

	bool begun;			/* session_go() was called */
	/* While tracing. */
	bool running;
	struct { uint64_t begun, ended; } at;	/* ns; 0: not yet */
	const char *heading;		/* borrowed; or NULL */
	const struct plan_prog *plan;
	struct session_points points;
	struct session_preludes preludes;
	struct engine *engine;
	struct consume *consume;
	struct session_meta meta;
	struct session_tasks tasks;
	struct session_naming naming;
	/* Where the trace is saved to; where it comes from instead of an engine. */
	struct { struct save *to; struct saved *from; } file;
	int epoll;
	struct { uint64_t status, agg, clean; } next;	/* ns, when due */
	bool exit_seen;
	bool *hinted;			/* hint.c: what it has said */
};

/* session.c: does output say of each record which thread fired? */
bool session_wants_who(const struct session *s);
/* world.c */
void session_world_init(struct session *s);
/* Of the questions of a compiler, which takes no error for an answer: keep e,
 * which may be NULL, unless there is one already, for who called the compiler. */
void session_fail(struct session *s, struct err *e);
/* What was kept, now the caller's; NULL: nothing. */
struct err *session_failure(struct session *s);
/* Take e, which may be NULL, for "none"; want of memory is no answer. */
void session_forget(struct session *s, struct err *e);
/* session.c: its names are the session's from now on; diagnostics go to
 * s->diags. */
struct err *session_compile_library(struct session *s,
				    const struct lang_source *src);
/* The same of D that a provider has; clauses are its, too. */
struct err *session_compile_prelude(struct session *s,
				    const struct lang_source *src,
				    struct diag_list *d,
				    struct sema_prog **ret);
/* library.c: as sema_world.library; ctx is the session. */
bool session_library(void *ctx, enum lang_name_kind kind, const char *name);
void session_library_names(void *ctx, void (*fn)(void *arg, const char *name),
			   void *arg);
/* Before a program: compile the libraries of directories that -L names. */
struct err *session_libs_begin(struct session *s);
/* import "name"; reports. */
void session_import(struct session *s, const char *name,
		    struct lang_span span);
/* topology.c: a library that defines __chip[] and __node[], by CPU; in s->a, or
 * NULL without memory. */
const char *session_topology(struct session *s);
/* inline int NAME[int CPU] that is ids[CPU]. */
void session_topology_inline(struct sb *b, const char *name, const int *ids,
			     unsigned n);
/* sema has withdrawn the names of a program: the libraries that were compiled
 * in its midst are to be compiled anew. */
size_t session_libs_mark(const struct session *s);
void session_libs_withdraw(struct session *s, size_t mark);
void session_libs_fini(struct session *s);
/* plan.c: compile the program by itself.  Reports the limits that it meets
 * whatever options may become until it is enabled.  False when it did, and
 * for lack of memory. */
bool session_try(struct session *s, const struct sema_prog *prog);
/* match.c: call fn for each probe that description d of clause c matches, or
 * (session_match_clause()) all of its descriptions, in their order. */
struct err *session_match(struct session *s, const struct sema_prog *p,
			  uint32_t c, uint32_t d, prov_match_fn *fn,
			  void *ctx);
struct err *session_match_clause(struct session *s, const struct sema_prog *p,
				 uint32_t c, prov_match_fn *fn, void *ctx);
/* interrupt.c: does the clause ask which thread its probe fires in? */
bool session_asks_who(const struct plan_prog *p, const struct plan_clause *c);
/* meta.c */
struct err *session_meta_init(struct session *s);
/* There are more EPIDs. */
struct err *session_meta_update(struct session *s);
void session_meta_fini(struct session *s);
/* plan.c: which clauses run on which probe. */
struct err *session_plan(struct session *s, struct engine_input *in);
/*
 * prelude.c: compile what the sites of p have in D, unless that is done.  Of
 * alternatives the first that compiles is left, of the others what does.  Setups
 * are enabled: s->enabled may have more behind it.  If no site is left, that is
 * told.
 */
struct err *session_prelude(struct session *s, const struct probe *p);
/* Is the site to be?  Then *clause is its prelude's index among the plan's
 * clauses, or UINT32_MAX: it has none. */
bool session_prelude_of(const struct session *s, const struct prov_site *site,
			uint32_t *clause);
void session_prelude_fini(struct session *s);
/* A probe that came while tracing cannot be attached. */
void session_warn(struct session *s, const struct plan_probe *p,
		  const char *why);
/*
 * tasks.c: have fn called for what processes do, of these kinds (a set of 1 <<
 * enum kern_task_kind), and for KERN_TASK_LOST, of whatever kinds that was: then
 * /proc is to be looked at again.  At any time, also from within such a call.
 */
struct err *session_tasks_subscribe(struct session *s, unsigned kinds,
				    kern_task_fn *fn, void *ctx);
/* Who does not subscribe may leave, too. */
void session_tasks_unsubscribe(struct session *s, kern_task_fn *fn, void *ctx);
/* Tell of what has happened; nothing in the midst of telling. */
void session_tasks_read(struct session *s);
/* Once there is an epoll. */
struct err *session_tasks_watch(struct session *s);
void session_tasks_fini(struct session *s);
/* names.c: before attaching; at each turn, when tasks were read. */
struct err *session_naming_start(struct session *s);
struct err *session_naming_turn(struct session *s, bool busy);
void session_naming_stop(struct session *s);
/* run.c: have the consumer take a step, which is saved if the trace is. */
struct err *session_take_step(struct session *s, enum save_step step,
			      consume_fn *fn, void *ctx);
/* run.c: have what comes at fd wake session_wait(). */
struct err *session_watch(struct session *s, int fd, uint32_t events);
/* replay.c: as their namesakes, of a trace that was saved. */
struct err *session_replay_go(struct session *s);
struct err *session_replay_step(struct session *s, consume_fn *fn, void *ctx,
				enum session_status *status);
/* evaltime.c: before go, have p stand where the option evaltime says, so that what
 * it has mapped can be looked at; it waits there.  With exec that is behind its
 * execve(), which is not traced then.  A process that was there before us is
 * ready as it is. */
struct err *session_proc_ready(struct session *s, struct session_proc *p);
/* The same of all commands, but for those that may wait in front of execve(). */
struct err *session_proc_place(struct session *s);
/* proc.c: let go of those that are wanted to run, now that tracing is on. */
struct err *session_proc_run(struct session *s);
/* Why a command could not be executed, if it has tried and could not. */
struct err *session_proc_executed(const struct session_proc *p);
/* Notice ends; *ended: there were processes, and all have ended.  An error when
 * one could not be executed. */
struct err *session_proc_poll(struct session *s, bool *ended);
void session_proc_free(struct session *s);
pid_t session_target(const struct session *s);	/* as probes see it; 0: none */
pid_t session_self(void);			/* ours, as probes see it */
const struct lang_macro *session_macros(struct session *s, unsigned *n);

/* cpp.c: *text, *size bytes that come from the file `name`, through the C
 * preprocessor; the result is in the session's arena. */
struct err *session_cpp(struct session *s, const char *name, const char **text,
			size_t *size);
/* header.c: in what cpp gives, overwrite with blanks what the system's headers
 * declare besides types, and words in the types that are not D's; and make
 * errno D's again. */
void session_only_types(char *text, size_t size);

#endif
