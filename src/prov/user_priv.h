/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a set knows of processes.
 */
#ifndef PROV_USER_PRIV_H
#define PROV_USER_PRIV_H

#include <pthread.h>
#include <sys/stat.h>

#include "prov/prov_priv.h"
#include "prov/coming.h"

struct sym_mapping;

struct prov_users {
	uint64_t now;			/* counts prov_ask_again() */
	struct hash processes;		/* pid_t: struct prov_process */
	VEC(struct prov_object *) objects;
	VEC(struct prov_all *) alls;	/* who looks at all processes */
	uint64_t lives;			/* the last life that was given */
	pid_t last_stand_in;		/* below 0 */
	VEC(struct prov_process *) ended;	/* not over yet, in order */
	VEC(uint64_t) over;		/* lives that nobody was told of */
	bool any_unmapped;		/* objects, perhaps */
	int news;			/* of epoll: what follows; -1: not there */
	struct prov_leases *leases;	/* NULL: none */
	int notify;			/* of inotify; -1: not there */
	bool is_unwatched, is_closing;	/* it is not used any more; by `closer` */
	pthread_t closer;
	VEC(struct prov_object *) written;	/* over, that nobody was told of */
	bool missed;			/* perhaps the end of some */
	uint64_t sweeps;		/* looks for objects that nobody maps */
	bool watched;			/* prov_user_missed() has been here */
	bool was_tried;			/* whether programs can be attached: */
	bool many;
	struct err *why;		/* not; or NULL */
	/* Places without a site, and which was the first. */
	struct { size_t n; const struct probe *first, *last; const char *why, *last_why; } left;
};

/* Tell a what processes do, and free it at the end; false: no memory. */
bool prov_users_watch(struct prov_set *s, struct prov_all *a);

/* As prov_user_process(), of one that was noticed and not asked for by its number. */
struct err *prov_user_meet(struct prov_set *s, pid_t pid, struct prov_process **ret);

/* A process that has ended, whose only mapping is that file, as its path leads to; its
 * number is nobody's.  *ret stays where the file cannot be had. */
struct err *prov_user_stand_in(struct prov_set *s, const struct sym_mapping *m,
			       struct prov_process **ret);

/* Nobody keeps any of o's functions. */
void prov_object_forget_functions(struct prov_object *o);

/* Is the file what o was when it was opened first? */
bool prov_object_is_same(const struct prov_object *o, const struct stat *st);
/* userwritten.c's.  o is another object from now on, for prov_user_written(). */
void prov_object_set_over(struct prov_users *u, struct prov_object *o);
/* For that as well. */
void prov_users_read_written(struct prov_set *s);
void prov_users_close_news(struct prov_users *u);
/* Nobody that is known maps o any more.  true: o->fd stays open. */
bool prov_users_keep(struct prov_users *u, struct prov_object *o);

/* userall.c's.  A process has mapped a file, has forked, has ended; something may
 * have been missed.  true: somebody should ask for what is new. */
bool prov_all_mapped(struct prov_all *a, pid_t pid, uint64_t dev, uint64_t inode,
		     const char *path);
bool prov_all_forked(struct prov_all *a, pid_t parent, pid_t child);
void prov_all_ended(struct prov_all *a, pid_t pid);
void prov_all_missed(struct prov_all *a);
void prov_all_free(struct prov_all *a);

/* usertype.c's; NULL is fine. */
void prov_types_free(struct prov_types *t);
void prov_lines_free(struct prov_lines *l);

/* What functions without names are called, before their addresses. */
#define PROV_NAMELESS "fun."

#endif
