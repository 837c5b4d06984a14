/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the files of the pid provider share.
 */
#ifndef PROV_PID_PRIV_H
#define PROV_PID_PRIV_H

#include "insn/insn.h"
#include "prov/coming.h"
#include "prov/prov_priv.h"

enum pid_kind { PID_ENTRY, PID_RETURN, PID_OFFSET, PID_LINE };

struct pid_probe;

/* The programs that there are. */
enum pid_point {
	PID_AT_ENTRY,
	PID_AT_ENTRY_GO,	/* arguments are in other registers */
	PID_AT_ENTRY_CHECKED,	/* and it may begin once more (insn_entry) */
	PID_AT_ENTRY_32,	/* arguments are words of 32 bits, by a layout */
	PID_AT_RETURN,		/* the instruction that returns */
	PID_AFTER_RETURN,	/* the kernel diverts the return address */
	PID_AT_OFFSET,
	PID_NPOINTS
};

struct pid {
	struct abi_point point[PID_NPOINTS];
	bool has_points;
	bool knows_go;			/* some of the places are Go's functions, */
	bool knows_32;			/* or of 32 bits */
	bool is_fixed;			/* what comes finds the points that there are */
	struct hash places;		/* pid.c's key: struct pid_probe */
	VEC(struct pid_probe *) all;
	VEC(uint8_t) code;		/* of one function */
	uint64_t code_at;		/* in its file */
	struct hash layouts;		/* of PID_AT_ENTRY_32, one of each content */
	struct hash alls;		/* an object's name, as asked: struct prov_all */
	struct hash asked;		/* of all: object and description: this */
};

/* A probe, and what it is found by. */
struct pid_probe {
	enum pid_kind kind;
	uint64_t at;			/* OFFSET: bytes behind the beginning */
	struct prov_process *process;	/* of the probe of all one that has it */
	bool is_of_all;
	const char *parent;		/* the provider of whom it goes with, or NULL */
	struct prov_object *object;
	VEC(struct prov_ufunc *) funcs;	/* its places */
	size_t nold;			/* so many are others', who had the number before */
	VEC(uint64_t) ats;		/* LINE: of each, as `at`; it may lie before
					 * the function */
};

static inline struct pid_probe *
prov_pid_of(const struct probe *p)
{
	return (struct pid_probe *)(uintptr_t)p->arg;
}

/* Does a provider's name mean the functions of all processes: "pid*"? */
bool prov_pid_means_all(const char *prov);
/* The process that a provider's name ends with; 0: none. */
pid_t prov_pid_number(const char *prov);
/* The function of o that the resolver has chosen in the process, as a new one with the
 * resolver's name; NULL: it cannot be told.  everywhere: what other files of the process
 * have been told counts, too, which takes longer to find. */
struct err *prov_pid_chosen(struct prov_set *s, const struct prov_process *p,
			    struct prov_object *o,
			    const struct prov_ufunc *resolver, bool everywhere,
			    struct prov_ufunc **ret);
/* As prov_ops.missing. */
struct err *prov_pid_missing(struct prov_set *s, const struct probe_desc *d,
			     struct sb *b, enum prov_part *part);
/* Is it a part of another function that is seldom run, and none by itself? */
bool prov_pid_is_part(const struct prov_ufunc *f);
/* Does it take its arguments as Go's functions do? */
bool prov_pid_is_go(const struct prov_ufunc *f);
/* The code of f into b->code, as far as it is known to go; *size may be 0. */
struct err *prov_pid_code(struct pid *b, const struct prov_object *o,
			  const struct prov_ufunc *f, size_t *size);
/* As insn_walk(), of code of o. */
struct err *prov_pid_walk(const struct pid *b, const struct prov_object *o,
			  size_t size, insn_fn *fn, void *ctx, size_t *end);
/* As prov_sites(). */
struct err *prov_pid_sites(struct prov_set *s, const struct probe *p,
			   prov_site_fn *fn, void *ctx);

/* --- pid_addr.c: instructions ------------------------------------------------ */

/* What lies around a place in a function. */
struct pid_around {
	const struct prov_ufunc *func;	/* NULL: it lies in none */
	uint64_t at;			/* of it, from its beginning */
	size_t size;			/* of the code */
	uint32_t before, behind;	/* the instructions on both sides */
	bool is_one;			/* one begins there */
	bool is_harmful;		/* and no probe may stand on it */
};

/* Is the name of a probe an offset or address? */
bool prov_pid_is_hex(const char *name);
struct err *prov_pid_around(struct pid *b, const struct prov_object *o,
			    const struct prov_ufunc *f, uint64_t at,
			    struct pid_around *ret);
/* As above, of the address that the name of a probe of function "-" says; o's functions
 * are listed.  Without func nothing else is set. */
struct err *prov_pid_addr(struct pid *b, const struct prov_object *o,
			  const char *name, struct pid_around *ret);

/* --- pid_line.c: lines ------------------------------------------------------ */

/* Lines of an object that are asked for. */
struct pid_lines {
	struct prov_set *s;
	struct prov_object *object;	/* its functions are listed */
	const char *name;		/* FILE@LINE */
	bool one_func;			/* only of those that is_meant() says */
	bool (*is_meant)(void *ctx, struct prov_ufunc *f);
	/* A place, `at` bytes behind the beginning of f, and the name of its line;
	 * that lives as long as the set. */
	struct err *(*fn)(void *ctx, struct prov_ufunc *f, uint64_t at,
			  const char *name);
	void *ctx;
};

/* Does the name of a probe, perhaps a pattern, mean lines? */
bool prov_pid_is_line(const char *name);
struct err *prov_pid_lines(const struct pid_lines *of);
/* The first instruction at *offset of the file or behind it, that a probe may stand
 * on and that the code comes by for sure. */
struct err *prov_pid_line_at(struct pid *b, const struct prov_object *o,
			     uint64_t *offset, bool *found);
/* Why there is no such line, at the end of b. */
struct err *prov_pid_no_line(struct prov_set *s, const struct probe_desc *d,
			     const struct prov_process *p, struct sb *b);

/* Call fn with the points that such probes will have. */
struct err *prov_pid_later(struct prov_set *s, bool entries, bool returns,
			   bool offsets, prov_point_fn *fn, void *ctx);

/* As prov_ops has them. */
const struct type *prov_pid_arg_type(struct prov_set *s, const struct probe *p,
				     unsigned n, const char **name);
unsigned prov_pid_arg_raw(struct prov_set *s, const struct probe *p, unsigned n);
int prov_pid_nargs(struct prov_set *s, const struct probe *p);

#endif
