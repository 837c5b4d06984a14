/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the compiler asks of the running system, through one struct of functions, so
 * that tests bring a made-up one.
 */
#ifndef SEMA_WORLD_H
#define SEMA_WORLD_H

#include "lang/outline.h"
#include "probe/probe.h"
#include "type/type.h"
#include "util/err.h"

/* What another system has: "Linux" has no "system call" of that name. */
struct sema_absent {
	const char *who, *what;
};

/* A variable that each CPU has its own of. */
struct sema_percpu {
	uint64_t place;		/* its address, but for what a CPU adds; */
	uint64_t offsets;	/* where an unsigned long for each CPU says that */
	const struct type *type;
};

struct sema_world {
	void *ctx;
	/* The first enum of the kernel that has an enumerator of that name, and its
	 * value; NULL: none.  *other: one in which it has another, or NULL.  May be
	 * NULL: none has any. */
	const struct type *(*find_enumerator)(void *ctx, const char *name,
					      int64_t *value,
					      const struct type **other);
	/* kind: TYPE_STRUCT, TYPE_UNION, TYPE_ENUM, TYPE_TYPEDEF; module NULL:
	 * any.  NULL: none. */
	const struct type *(*find_type)(void *ctx, const char *module,
					enum type_kind kind, const char *name);
	/* The same in the processes that are traced (-c, -p); module is one
	 * of their objects' names.  May be NULL: there are none. */
	const struct type *(*find_process_type)(void *ctx, const char *module,
						enum type_kind kind,
						const char *name);
	/* A variable or function of these: its address there. */
	bool (*find_process_symbol)(void *ctx, const char *module,
				    const char *name, uint64_t *addr,
				    const struct type **type);
	/* A type of these was not found: tell why that may be, or what was
	 * meant, in a; NULL: nobody knows.  May be NULL. */
	const char *(*no_process_type)(void *ctx, const char *module,
				       enum type_kind kind, const char *name,
				       struct arena *a);
	/* A kernel symbol's address and type (NULL: unknown).  False: none. */
	bool (*find_symbol)(void *ctx, const char *module, const char *name,
			    uint64_t *addr, const struct type **type);
	/* A variable of the kernel that each CPU has its own of.  False: none.  May be
	 * NULL: there are none. */
	bool (*find_percpu)(void *ctx, const char *name, struct sema_percpu *ret);
	/* Why a symbol that is there may not have been found, or NULL.  May be
	 * NULL. */
	const char *(*no_symbol)(void *ctx, const char *module,
				 const char *name);
	/* Calls fn for each probe that d matches until fn answers false.  Error:
	 * why nobody can tell which those are. */
	struct err *(*match)(void *ctx, const struct probe_desc *d,
			     bool (*fn)(void *arg, const struct probe *p),
			     void *arg);
	/* The type of args[n] of p; NULL: none.  *raw: which argN holds it. */
	const struct type *(*arg_type)(void *ctx, const struct probe *p,
				       unsigned n, unsigned *raw);
	/* The type that args[n] of p is translated to, as D text such as
	 * "psinfo_t *", or NULL.  May be NULL: none is. */
	const char *(*arg_xlate)(void *ctx, const struct probe *p,
				 unsigned n);
	/* Names near d, for the hint of D_PDESC_ZERO. */
	unsigned (*suggest)(void *ctx, const struct probe_desc *d,
			    struct arena *a, const char **ret, unsigned n);
	/* d matches nothing: what is wrong with its name, where any name of a kind is
	 * a probe; in a, or NULL.  May be NULL. */
	const char *(*misnamed)(void *ctx, const struct probe_desc *d,
				struct arena *a);
	/* d matches nothing, or nobody can tell what.  Which of its parts is not
	 * there, and in a why; NULL: nobody knows.  May be NULL. */
	const char *(*missing)(void *ctx, const struct probe_desc *d,
			       struct arena *a, enum probe_spec *part);
	/* d matches nothing.  What it names is another system's: tell what, and
	 * what to use, in a; NULL: it is not.  May be NULL. */
	const char *(*foreign)(void *ctx, const struct probe_desc *d,
			       struct arena *a, struct sema_absent *ret);
	/* The type of args[n] of what is foreign so, and what it is translated to, as
	 * arg_type and arg_xlate tell it; NULL: not known.  May be NULL. */
	const struct type *(*foreign_arg)(void *ctx, const struct probe_desc *d,
					  unsigned n, const char **xlate);
	/* Compile a library that defines name, with sema_program(), in the
	 * midst of the program that asks; false when there is none that has
	 * not been compiled.  For translators: each that defines one.  May be
	 * NULL. */
	bool (*library)(void *ctx, enum lang_name_kind kind,
			const char *name);
	/* Calls fn for each identifier that a library defines; the names last
	 * as long as the world.  May be NULL. */
	void (*library_names)(void *ctx, void (*fn)(void *arg,
						    const char *name),
			      void *arg);
};

#endif
