/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Functions of the kernel, for providers whose probes are in them: which of them can
 * be traced, where they are, and how a program gets there.  Nothing is looked for
 * until somebody asks; then it is kept with the set.
 */
#ifndef PROV_FUNC_H
#define PROV_FUNC_H

#include "prov/ops.h"

/* What only others can tell a set.  Texts and errors are the caller's. */
struct prov_world {
	void *ctx;
	/* May a program be attached to a function of the kernel?  *many: to
	 * thousands at once.  Error: why not. */
	struct err *(*may_probe)(void *ctx, bool *many);
	/* What the kernel says in that file: one of tracefs, or
	 * PROV_KALLSYMS.  NULL: it is read. */
	struct err *(*read)(void *ctx, const char *file, struct sb *b);
	/* May a program be attached to places in programs?  *many: to thousands at
	 * once.  Error: why not.  NULL: one by one. */
	struct err *(*may_probe_user)(void *ctx, bool *many);
	/* May return addresses of programs be changed, where that does no harm?
	 * NULL: no. */
	bool (*may_divert)(void *ctx);
	/* Does a thread lose its CPU in programs at tracepoints? */
	bool preempts;
	/* Process pid, as probes see it, is to be looked at: if it is a command
	 * that waits, run it to where it can be.  *own: our number of it.
	 * NULL: the same.  Pid 0: all, and *own is nothing. */
	struct err *(*process)(void *ctx, pid_t pid, pid_t *own);
};

#define PROV_KALLSYMS "/proc/kallsyms"

/* Before anything is asked.  w is copied; without this no function can be probed. */
struct err *prov_set_world(struct prov_set *s, const struct prov_world *w);

struct prov_func {
	const char *name, *module;	/* "vmlinux": the kernel itself */
	const char *other;		/* name, which its type may have; or NULL */
	/* Where it begins.  There may be several of one name, static ones. */
	const uint64_t *addrs;
	uint32_t naddrs;
	bool ends;			/* the thread, or all of it: it does not
					 * return */
	/* As prov_func_type() found it. */
	bool was_asked;
	const struct type *type;
};

/* May functions be probed here?  *many (or NULL): thousands at once.  Error: why not. */
struct err *prov_func_may(struct prov_set *s, bool *many);
/* All that can be probed, by name.  *left_out (or NULL): how many others the
 * kernel would trace.  Error: as prov_func_may(), or why nobody knows. */
struct err *prov_func_all(struct prov_set *s, struct prov_func **ret,
			  size_t *n, size_t *left_out);
/* What of that is left out, if it was listed; false: nothing to tell. */
bool prov_func_tell_left_out(const struct prov_set *s, struct sb *b);
/* The one of that name, the kernel's own before those of modules; *ret is NULL when
 * there is none.  Error: as before. */
struct err *prov_func_find(struct prov_set *s, const char *name,
			   struct prov_func **ret);
/* Its prototype, TYPE_FUNC; NULL: nobody knows. */
const struct type *prov_func_type(struct prov_set *s, struct prov_func *f);
/* Its n-th parameter; NULL: there is none whose place is known. */
const struct type *prov_func_param(struct prov_set *s, struct prov_func *f,
				   unsigned n, const char **name);

/* A point where functions begin (arg0: the first argument), or return (arg0: what
 * is returned). */
void prov_func_point(struct abi_point *pt, bool many, bool is_return);
/* Call fn with each place of f: like, with its address. */
struct err *prov_func_sites(const struct prov_func *f,
			    const struct prov_site *like, prov_site_fn *fn,
			    void *ctx);

#endif
