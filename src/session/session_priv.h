/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A session from the inside, and what its files have for each other.
 */
#ifndef SESSION_SESSION_PRIV_H
#define SESSION_SESSION_PRIV_H

#include <pthread.h>
#include <semaphore.h>

#include "abi/rt.h"
#include "ebpf/ebpf.h"
#include "gen/gen.h"
#include "kern/kern.h"
#include "lang/lang.h"
#include "prov/prov.h"
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

/* How one point is attached. */
struct session_point {
	const struct abi_point *point;
	enum prov_trigger trigger;
	uint64_t period_ns;
	VEC(struct ebpf_probe) probes;
	int prog;			/* descriptor; -1: none */
	uint64_t next_ns;		/* TICK: when it is due */
	uint32_t interval;		/* with a perf event: which of each
					 * CPU's in s->intervals */
};

/* Memory shared with a child that is to execute a command. */
struct proc_start {
	int ready, go;
	int exec_errno;		/* why execve failed; 0: it did not (yet) */
	uint32_t seen;		/* its number as probes see it; 0: its pid */
};

struct session_proc {
	struct session_proc *next;
	pid_t pid;
	pid_t seen;			/* pid as probes see it */
	int pidfd;
	bool created, ended;
	bool held;			/* by ptrace, from here to _run() */
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

struct session {
	struct arena *a;
	struct intern names;
	struct opt_set opts;
	struct typedb *types;
	struct sym_kernel *syms;
	struct sym_names *sym_names;
	struct kern_tasks *tasks;	/* NULL: nobody asks for their names */
	void *sweep;			/* DIR of /proc, until all was seen */
	bool kernel_soon;		/* records will want the kernel's */
	struct prov_set *prov;
	struct sema_world world;
	struct sema *sema;
	bool no_memory;			/* the world had none for an answer */
	const char *no_types;		/* why a question about types had no
					 * answer; NULL: it had */
	struct session_libs libs;
	struct diag_list *diags;	/* of what is being compiled, or NULL */
	VEC(struct session_prog *) progs;	/* all compiled */
	VEC(const struct sema_prog *) enabled;
	/* The last that was compiled, and its plan by itself; NULL: none. */
	const struct sema_prog *tried;
	const struct plan_prog *tried_plan;

	struct session_proc *procs;
	session_proc_fn *on_proc;
	void *on_proc_ctx;

	/* While tracing. */
	bool running;
	const struct plan_prog *plan;
	struct ebpf_object *code;
	VEC(struct session_point) points;
	struct kern_obj *obj;
	VEC(struct kern_link *) links;
	struct kern_link *vtime_links[3];	/* outlive the others */
	unsigned ncpus;
	struct kern_ring **rings;	/* per CPU; NULL: offline */
	unsigned nrings;
	int *ring_fds;			/* borrowed from obj; -1: none */
	size_t ring_size;
	struct session_flight *flight;	/* bufpolicy=ring; else NULL */
	struct abi_ctl *ctl;
	uint64_t *drops;		/* rows of 16 words */
	struct abi_interval *intervals;	/* nintervals per CPU; NULL: no point
					 * has any */
	uint32_t nintervals;
	uint64_t stopped_ns;		/* when nothing fired any more; 0: not
					 * yet, or nobody knows */
	uint8_t *agg_rows;		/* .bss.agg; NULL: no code that
					 * runs adds there */
	struct abi_spec *specs;		/* by id - 1; NULL: none are used */
	uint64_t next_clean;		/* ns */
	int (*agg_fds)[2];		/* of the code's aggmaps; borrowed */
	int epoll;
	uint64_t next_status, next_agg, next_kvars;	/* ns */
	int exit_seen;
	bool fired;			/* probes other than BEGIN could fire */
	bool ended;			/* END has; nothing fires any more */
	bool gen_done[2];		/* generation was read since then */

	pthread_t ticker;
	bool ticking, tick_stop;
	sem_t tick_wake;		/* posted when the ticker is to stop */

	struct consume *consume;
	struct consume_source source;
	struct consume_meta meta;
	bool reads_cache;		/* dt_pages is to run */
	bool *hinted;			/* hint.c: what it has said */
	struct consume_epid *epids;
	struct consume_probe *probes;	/* by id */
	uint32_t nprobes;
};

enum { DROP_ROW = 16 };			/* words per CPU in dt_drops */

/* session.c: does output say of each record which thread fired? */
bool session_wants_who(const struct session *s);
/* world.c */
void session_world_init(struct session *s);
/* Take e, which may be NULL, for "none".  For want of memory that is no answer:
 * whoever asked looks at no_memory. */
void session_forget(struct session *s, struct err *e);
/* session.c: its names are the session's from now on; diagnostics go to
 * s->diags. */
struct err *session_compile_library(struct session *s,
				    const struct lang_source *src);
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
/* Has the point a perf event? */
bool session_interrupts(const struct session_point *p);
/* Its firings on a CPU. */
struct abi_interval *session_interval(const struct session *s,
				      const struct session_point *p,
				      unsigned cpu);
/* Firings that are missing on a CPU since the last one there. */
uint64_t session_missed_last(const struct session *s, unsigned cpu);
/* plan.c: which clauses run on which probe. */
struct err *session_plan(struct session *s, struct ebpf_input *in);
/* load.c */
struct err *session_load(struct session *s, struct ebpf_input *in);
void session_unload(struct session *s);
/* limit.c */

/* Bytes that a CPU's ring may have: powers of 2. */
enum { SESSION_RING_MIN = 4096, SESSION_RING_MAX = 1 << 30 };

/* Bytes of kernel memory that an element of a hash costs besides key and
 * value. */
enum { SESSION_HASH_OVERHEAD = 64 };

/* How many elements of these sizes fit. */
uint32_t session_entries(uint64_t bytes, uint32_t key, uint32_t value);
uint32_t session_table_entries(uint64_t dynvarsize, const struct ebpf_table *t);
uint32_t session_agg_entries(uint64_t aggsize, const struct ebpf_aggmap *m,
			     unsigned ncpus);

/* The most that bufsize, aggsize or dynvarsize may be for this program on a
 * machine with `memory` bytes, ncpus possible and online CPUs. */
uint64_t session_limit(enum opt_id id, const struct plan_prog *p,
		       uint64_t memory, unsigned ncpus, unsigned online);
/* Lower what is more, or refuse (ERR_LIMIT); refuse a CPU that is not online.
 * online: ncpus flags. */
struct err *session_check_sizes(struct session *s, const uint8_t *online);
/* Are buffers read only when the tracing is over: does bufpolicy say so? */
bool session_keeps(const struct session *s);
/* Bytes of a ring in which all finds room that BEGIN and END may record;
 * UINT64_MAX when something else may fire. */
uint64_t session_once_size(const struct session *s);
/* Refuse what that cannot be had with, or what the buffers are too small for. */
struct err *session_check_policy(struct session *s);
/* source.c */
struct err *session_source_init(struct session *s);
/* names.c: before attaching; once there is an epoll; at each turn. */
struct err *session_names_start(struct session *s);
struct err *session_names_watch(struct session *s);
struct err *session_names_turn(struct session *s, bool busy);
void session_names_stop(struct session *s);
/* run.c: ncpus flags, of the CPUs that are there now; in the arena, NULL without
 * memory. */
uint8_t *session_online(struct session *s);
/* run.c: on the CPU that the option asks for, if any, and if it may, run the
 * calling thread from now on. */
void session_pin(const struct session *s);
/* run.c: have what comes at fd wake session_wait(). */
struct err *session_watch(struct session *s, int fd, uint32_t events);
/* flight.c: buffers that overwrite. */
struct err *session_flight_size(struct session *s);	/* before loading */
struct err *session_flight_open(struct session *s);
void session_flight_close(struct session *s);
/* Once the tracing has ended: records of a ring, oldest first. */
const void *session_flight_next(struct session *s, unsigned ring,
				size_t *size);
/* tick.c */
struct err *session_tick_start(struct session *s);
void session_tick_stop(struct session *s);
/* pages.c: does the program read strings, and does BTF tell how the page cache
 * can be read?  Then, once it is loaded, find out where it lies; when that goes
 * wrong, programs do without. */
bool session_pages_known(struct session *s, const struct ebpf_input *in);
void session_pages_find(struct session *s);
/* kvar.c: look anew at what programs read as variables of the kernel; when that
 * is due again. */
void session_kvars_set(struct session *s);
uint64_t session_kvars_next(const struct session *s);
/* vtime.c: before loading; before attaching; when END has run. */
struct err *session_vtime_prepare(struct session *s);
struct err *session_vtime_start(struct session *s);
void session_vtime_stop(struct session *s);
/* evaltime.c: run commands to where the option says; they wait there. */
struct err *session_proc_place(struct session *s);
/* proc.c */
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
