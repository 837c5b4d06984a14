/* SPDX-License-Identifier: BSD-2-Clause
 *
 * From text to what is to run: the world that the compiler asks, libraries, the
 * preprocessor, preludes, plans.
 */
#ifndef SESSION_PROGRAM_PRIV_H
#define SESSION_PROGRAM_PRIV_H

#include "session/session_priv.h"

/* world.c */
void session_world_init(struct session *s);
/* What it knows of the processes of -c and -p. */
void session_process_types(struct session *s);
/* Has one of them an object of that name?  *why, or NULL: why that symbol of it may
 * not be known. */
bool session_process_maps(struct session *s, const char *module,
			  const char *symbol, const char **why);
/* Of the questions of a compiler, which takes no error for an answer: keep e,
 * which may be NULL, unless there is one already, for who called the compiler. */
void session_fail(struct session *s, struct err *e);
/* What was kept, now the caller's; NULL: nothing. */
struct err *session_failure(struct session *s);
/* Take e, which may be NULL, for "none"; want of memory is no answer. */
void session_forget(struct session *s, struct err *e);
/* session.c: its names are the session's from now on; diagnostics go to
 * s->compiling.diags.  is_inside: a process has brought it. */
struct err *session_compile_library(struct session *s,
				    const struct lang_source *src,
				    bool is_inside);
/* The same of D that a provider has; clauses are its, too. */
struct err *session_compile_prelude(struct session *s,
				    const struct lang_source *src,
				    struct diag_list *d,
				    struct sema_prog **ret);
/* library.c: as sema_world.library; ctx is the session. */
bool session_library(void *ctx, enum lang_name_kind kind, const char *name);
void session_library_names(void *ctx, void (*fn)(void *arg, const char *name),
			   void *arg);
/* Have among the libraries what the file says that static probe p is in. */
struct err *session_texts(struct session *s, const struct probe *p);
/* What that says of p; false: nothing. */
bool session_defined(struct session *s, const struct probe *p,
		     struct sema_defined *ret);
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
/* Does it ask for stacks of processes? */
bool session_asks_ustack(const struct plan_prog *p, const struct plan_clause *c);
/* Which arguments, or what memory of the process, does it look at (prov_looks())? */
unsigned session_looks(const struct plan_prog *p, const struct plan_clause *c);

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
