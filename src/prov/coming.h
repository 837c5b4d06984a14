/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Processes that come, and what they do, while they are traced: what a set is told
 * of them, and who in it wants to know of all.
 */
#ifndef PROV_COMING_H
#define PROV_COMING_H

#include "prov/user.h"

/* May d match probes that are in what processes map? */
bool prov_names_processes(struct prov_set *s, const struct probe_desc *d);
/* Is the probe in what processes map? */
bool prov_is_mapped(const struct prov_set *s, const struct probe *p);
/* Is the probe that of all processes?  Its provider's name has no number. */
bool prov_is_of_all(const struct prov_set *s, const struct probe *p);
/* And do others with numbers tell in lists what there is? */
bool prov_is_unlisted(const struct prov_set *s, const struct probe *p);
/* Is p, which d matches, one of those, and another probe that d matches that of all? */
bool prov_is_covered(struct prov_set *s, const struct probe_desc *d,
		     const struct probe *p);
/* How many places a probe has by now to which sites belong; and: prov_sites() tells
 * only sites of those from number `from` on, until that is 0 again. */
size_t prov_places(const struct prov_set *s, const struct probe *p);
void prov_places_from(struct prov_set *s, size_t from);
/* Call fn, with the number that we see, for each process that was asked for by its own; for
 * none where somebody asks for all. */
void prov_user_chosen(const struct prov_set *s, void (*fn)(void *ctx, int pid), void *ctx);
/* Has anybody asked for the process, so that what it maps may have probes? */
bool prov_user_has(const struct prov_set *s, pid_t pid);
/* A process executes a file from now on (dev, inode and path as in its mappings): may
 * there be probes that somebody has asked for? */
bool prov_user_mapped(struct prov_set *s, pid_t pid, uint64_t dev, uint64_t inode,
		      const char *path);
/* There is a new one: the same question.  Who had its number before has ended. */
bool prov_user_forked(struct prov_set *s, pid_t parent, pid_t child, uint64_t time_ns);
/* It has ended, for all that is known; its first thread has, and others have not; it has
 * executed a program.  When another thread than the first does that, the first one ends before,
 * but the process goes on: then what is told last of the two, in whichever order, is true.
 * Otherwise *executed, when it did so, remains as it is. */
void prov_user_ended(struct prov_set *s, pid_t pid, uint64_t time_ns,
		     uint64_t *executed);
void prov_user_leaderless(struct prov_set *s, pid_t pid);
void prov_user_executed(struct prov_set *s, pid_t pid, uint64_t time_ns,
			uint64_t *executed);
/* Some of that was not noticed.  true: somebody asks for all processes. */
bool prov_user_missed(struct prov_set *s);
/* A child that goes with its parent, if anybody has asked for that.  *gone: it does no
 * more, as it has ended. */
struct err *prov_user_follow(struct prov_set *s, pid_t parent, pid_t child,
			     uint64_t time_ns, bool *gone);
/* What is known by now of who has ended, and for how long, is let go of: then files that
 * nobody maps are closed.  Next, for each whose probes fire no more, its life is told
 * once; 0: there are no more. */
void prov_user_turn(struct prov_set *s, uint64_t now_ns);
uint64_t prov_user_over(struct prov_set *s);
/* A descriptor that is readable when a file with sites was written over, or somebody waits
 * to do so; -1: nobody would notice.  After prov_user_turn(): the next of those; NULL: there
 * are no more.  Its sites, whose `file` is that pointer, are somewhere else in it by now, if
 * anywhere. */
int prov_user_written_fd(struct prov_set *s);
const struct prov_object *prov_user_written(struct prov_set *s);
/* They have been left: who waits goes on.  Returns when that has been written, or soon. */
void prov_user_left(struct prov_set *s, const struct prov_object *o);
/* Nobody asks any more: -1 from now on; then, when all has been left, nobody waits any more. */
void prov_user_unwatch(struct prov_set *s);
void prov_user_let_write(struct prov_set *s);
/* Whether the file is of the kind that is looked for.  path: as its process has it. */
typedef struct err *prov_wants_fn(const void *ctx, int fd, const char *path,
				  bool *ret);
struct prov_all;
/* What will be known of who executes such files; it belongs to the set.  ctx lives as
 * long as that.  Error: no memory. */
struct err *prov_all_new(struct prov_set *s, prov_wants_fn *wants, const void *ctx,
			 struct prov_all **ret);
/* Call fn for each process that executes one, but our own; later for those that have
 * come, too. */
struct err *prov_all_walk(struct prov_set *s, struct prov_all *a,
			  prov_process_fn *fn, void *ctx);
/* Who comes and executes no file that nobody has seen yet is left out? */
void prov_all_files_will_do(struct prov_all *a, bool will);
/* Why the place of p is left out that prov_user_left_out() was told of last; NULL: that was
 * another's. */
const char *prov_user_why_left_out(const struct prov_set *s, const struct probe *p);
/* Has prov_user_missed() been called: does somebody watch who comes? */
bool prov_user_watched(const struct prov_set *s);

#endif
