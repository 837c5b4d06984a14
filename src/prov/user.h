/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Processes and the files that they execute, for providers whose probes are in
 * them.  Nothing is looked for until somebody asks; then it is kept with the set.
 *
 * A site in a file is {object->file, offset in the file, pid: process->own, or 0
 * for all that execute it, semaphore}, at a point of prov_user_point().  Those of one
 * file and process that follow one another are attached by one link where that can be.
 */
#ifndef PROV_USER_H
#define PROV_USER_H

#include "prov/ops.h"
#include "util/vec.h"

struct unwind_table;
/* A file that some process executes, known once; another content under its number is another
 * one.  It lives as long as the set, and is open while a known process maps it. */
struct prov_object {
	const char *name;	/* the last part of its path */
	const char *path;	/* as the process sees it that had it first */
	/* What else it may be called, ended by NULL: "libc.so" and "libc" of
	 * "libc.so.6"; and its path. */
	const char *const *others;
	char file[32];		/* opens it, from this process; "": it is not open */
	uint64_t dev, inode;	/* as a mapping has them */
	uint64_t size, mtime_ns, seen;	/* when opened first; users->sweeps when mapped */
	int fd, watch;		/* -1: not open; userwritten.c's, of inotify */
	bool is_32, is_watched, is_written;	/* its code; by watch; over, so it is another */
	/* prov_user_functions() has been here; somebody keeps some, else they go with fd: */
	bool is_listed, has_places;
	struct arena *list;	/* of what follows; NULL: there is none */
	struct prov_ufunc *funcs;	/* by place */
	size_t nfuncs;
	const char *partly;	/* why some are not there; NULL: all are */
	VEC(uint64_t) changed;	/* of its code: userreloc.h */
	struct unwind_table *table;	/* of it; NULL: nobody has asked */
	struct prov_types *types;	/* usertype.c's; NULL: the same */
	struct prov_lines *lines;	/* the same */
	enum { PROV_GO_UNKNOWN, PROV_GO_NO, PROV_GO_YES } go;	/* prov_user_is_go() */
};

/* Is it of Go, whose functions take their arguments in registers of their own?  From
 * 1.18 on that can be told. */
bool prov_user_is_go(struct prov_object *o);

struct prov_mapping {
	uint64_t start, size, offset;	/* offset: in the file, of start */
	struct prov_object *object;
};

struct prov_process {
	pid_t pid;		/* as probes see it */
	pid_t own;		/* as we see it, and the kernel when we ask */
	VEC(struct prov_mapping) maps;	/* of files, by address, as of the last look */
	struct prov_object *exe;	/* one of them; NULL: nobody knows */
	const char *called;	/* as the link by which it was executed, or NULL */
	uint64_t looked;	/* when: s->users->now */
	pid_t followed;		/* who asks for that one asks for this; 0: nobody */
	const char *prov;	/* pid.c's: "pid123"; NULL: not yet */
	uint64_t began, executed;	/* in ticks; last, in ns.  0: unknown, never */
	uint64_t ended;		/* ns: its number may be another's; 0: not yet */
	uint64_t life;		/* from 1: of all that are known by whatever number */
	uint64_t met, forked;	/* ns: looked at first, made; 0: nobody knows */
	bool leaderless, is_hidden; /* its first thread has ended; we may not look into it */
	bool is_asked, is_over;	/* for by its number; as prov_user_over() tells */
};

/*
 * Process pid, as probes see it.  A command that waits to be run is run to where
 * the option evaltime says.  It is looked at once, until prov_ask_again().  Error:
 * ERR_NOTFOUND, ERR_OS: it cannot be looked at.  One that could be before and cannot
 * any more has nothing mapped.
 */
struct err *prov_user_process(struct prov_set *s, pid_t pid, struct prov_process **ret);

/* What to call it in a message: by its program, "?" where nobody knows that. */
const char *prov_process_name(const struct prov_process *p);
/* Call fn for the process and all that go with it. */
typedef struct err *prov_process_fn(void *ctx, struct prov_process *p);
struct err *prov_user_processes(struct prov_set *s, pid_t pid, prov_process_fn *fn, void *ctx);

/* --- Objects ---------------------------------------------------------------- */

/* The i-th name of o besides its own, for those who trace p: "a.out" where that is what it
 * executes and what that was called, others, those of other systems.  NULL: no more. */
const char *prov_object_alias(const struct prov_process *p,
			      const struct prov_object *o, unsigned i);
/* Is an object meant by this of its names?  One of other systems is no pattern's. */
bool prov_object_name_matches(const struct probe_pattern *pattern, const char *name);
/* Is o called so by those who trace p? */
bool prov_object_matches(const struct probe_pattern *pattern, const struct prov_process *p,
			 const struct prov_object *o);
/* Call fn for each object that p executes and the pattern names. */
typedef struct err *prov_object_fn(void *ctx, struct prov_object *o);
struct err *prov_user_objects(const struct prov_process *p,
			      const struct probe_pattern *pattern,
			      prov_object_fn *fn, void *ctx);

/* The address as linked of what m->start is; false: no code is there. */
bool prov_mapping_linked(const struct prov_mapping *m, uint64_t *ret);

/* --- Functions -------------------------------------------------------------- */

/* A function in an object.  Several names may have one place. */
struct prov_ufunc {
	struct prov_object *object;
	const char *name;	/* as the linker knows it */
	uint64_t value;		/* its address as linked */
	uint64_t size;		/* bytes; 0: nobody says */
	uint64_t offset;	/* in the file */
	/* As its programmer wrote it, and without parameters; NULL: as name. */
	const char *plain, *bare;
	bool has_plain;
	bool is_alias;		/* of the one before, at the same place */
	bool is_unnamed;	/* name is made of its address */
	bool is_resolver;	/* it returns the function that is meant */
};

/* All of o's, in o->funcs, by place; of one place the best name comes first. */
struct err *prov_user_functions(struct prov_set *s, struct prov_object *o);

/* The function of o, whose functions are listed, that begins last at `offset` in the
 * file or before; the first of its names.  It may end before that.  NULL: none. */
struct prov_ufunc *prov_user_function_at(const struct prov_object *o,
					 uint64_t offset);

/* Have f->plain and f->bare.  Out of memory they are NULL. */
void prov_user_plain(struct prov_set *s, struct prov_ufunc *f);

/* Which part of d, which matches nothing, is there not?  Then why is at the end of b,
 * in one line; false: nobody knows. */
bool prov_missing(struct prov_set *s, const struct probe_desc *d, struct sb *b,
		  enum prov_part *part);

/* A place of a probe has no site, because `why`: it is counted, and the first is
 * named.  No memory: it is not named. */
void prov_user_left_out(struct prov_set *s, const struct probe *p, const char *why);
/* One line about all of them at the end of b; false: there were none. */
bool prov_user_tell_left_out(const struct prov_set *s, struct sb *b);

/* For the field `ways` of those whose sites are in programs. */
extern const struct prov_way prov_user_ways[];

/* pt->attach is how programs are attached to places in programs here; the rest
 * of pt is the caller's.  Error: they cannot be. */
struct err *prov_user_point(struct prov_set *s, bool is_return,
			    struct abi_point *pt);

#endif
