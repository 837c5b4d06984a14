/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the files of the pid provider share.
 */
#ifndef PROV_PID_PRIV_H
#define PROV_PID_PRIV_H

#include "insn/insn.h"
#include "prov/prov_priv.h"
#include "prov/user.h"

enum pid_kind { PID_ENTRY, PID_RETURN, PID_OFFSET };

/* The programs that there are. */
enum pid_point {
	PID_AT_ENTRY,
	PID_AT_RETURN,		/* the instruction that returns */
	PID_AFTER_RETURN,	/* the kernel diverts the return address */
	PID_AT_OFFSET,
	PID_NPOINTS
};

struct pid {
	struct abi_point point[PID_NPOINTS];
	bool has_points;
	struct hash places;		/* pid.c's key: struct pid_probe */
	VEC(uint8_t) code;		/* of one function */
};

/* A probe, and what it is found by. */
struct pid_probe {
	enum pid_kind kind;
	uint64_t at;			/* OFFSET: bytes behind the beginning */
	struct prov_process *process;
	const char *parent;		/* the provider of whom it goes with, or
					 * NULL */
	struct prov_object *object;
	VEC(struct prov_ufunc *) funcs;	/* its places */
};

static inline struct pid_probe *
prov_pid_of(const struct probe *p)
{
	return (struct pid_probe *)(uintptr_t)p->arg;
}

/* The process that a provider's name ends with; 0: none. */
pid_t prov_pid_number(const char *prov);
/* Is o called so by those who trace p? */
bool prov_pid_object_matches(const struct probe_pattern *pattern,
			     const struct prov_process *p,
			     const struct prov_object *o);
/* As prov_ops.missing. */
struct err *prov_pid_missing(struct prov_set *s, const struct probe_desc *d,
			     struct sb *b, enum prov_part *part);
/* Is it a part of another function that is seldom run, and none by itself? */
bool prov_pid_is_part(const struct prov_ufunc *f);
/* The code of f into b->code, as far as it is known to go; *size may be 0. */
struct err *prov_pid_code(struct pid *b, const struct prov_object *o,
			  const struct prov_ufunc *f, size_t *size);
/* As prov_sites(). */
struct err *prov_pid_sites(struct prov_set *s, const struct probe *p,
			   prov_site_fn *fn, void *ctx);

/* Call fn with the points that such probes will have. */
struct err *prov_pid_later(struct prov_set *s, bool entries, bool returns,
			   bool offsets, prov_point_fn *fn, void *ctx);

/* As prov_ops has them. */
const struct type *prov_pid_arg_type(struct prov_set *s, const struct probe *p,
				     unsigned n, const char **name);
unsigned prov_pid_arg_raw(struct prov_set *s, const struct probe *p, unsigned n);
int prov_pid_nargs(struct prov_set *s, const struct probe *p);

#endif
