/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Providers whose probes are made of what something else tells: a probe of proc is
 * a tracepoint of the scheduler, under a condition, with other arguments.  Each
 * is a table, and has no code.
 *
 *	static const struct derive_probe probes[] = {
 *		{ "exit", "int", {
 *			{ DERIVE_TRACEPOINT, "sched_process_exit",
 *			  "((struct task_struct *)arg0)->signal->live.counter == 0",
 *			  "((struct task_struct *)arg0)->exit_code & 0x7f ? 2 : 1" },
 *		} },
 *	};
 *	DERIVE(proc, "proc", probes, PROV_ATTR_EVOLVING);
 *
 * Conditions and values are D, about the raw arguments of the site, arg0 to arg9.
 * They may use the kernel's types, built-in variables (curthread) and whatever the
 * D libraries define (inlines, __either() where kernels differ); not args[].
 * Probes at one tracepoint fire in the order of their rows.
 * Sites that differ in the system call alone share a program.
 * What is not used is not evaluated.  A site whose D does not compile on this
 * kernel, because it has not that member, does not exist, which is told unless it
 * has a `choice`; and a probe all of whose sites are such cannot be attached.
 */
#ifndef PROV_DERIVE_H
#define PROV_DERIVE_H

#include "prov/attr.h"
#include "prov/ops.h"

enum derive_kind {
	DERIVE_END,		/* no more sites */
	DERIVE_TRACEPOINT,	/* argn: what the kernel passes there */
	DERIVE_CALL,		/* a system call begins: argn as it gets them */
	DERIVE_RETURN,		/* it returns: arg0 the raw result (-errno), arg1 to
				 * arg6 what it was given */
	DERIVE_FUNC,		/* a function of the kernel: argn as it gets them */
	DERIVE_FUNC_RETURN,	/* it returns: arg0 the result */
	DERIVE_EVENT,		/* a software event of perf (event.def): arg0 and
				 * arg1 where the kernel or the process was */
};

enum { DERIVE_SITES = 24 };

struct derive_site {
	enum derive_kind kind;
	const char *target;	/* its name */
	const char *when;	/* D condition, NULL: always */
	const char *values;	/* D expressions, `;` between them: arg0, arg1...
				 * of the probe; NULL: none */
	/* Sites of a probe with the same number, but for 0, are alternatives: the
	 * first that there is here and that compiles. */
	uint8_t choice;
	/* D clauses that run whenever the probe is enabled, before it: they keep in
	 * variables (__PROVIDER_NAME) what a later site needs, also one at the same
	 * tracepoint, where they come first.  The same pointer in
	 * several sites is enabled once. */
	const char *setup;
	const char *module;	/* TRACEPOINT: of which module, if that is loaded; NULL:
				 * of the kernel itself */
	/* TRACEPOINT: a struct that it passes.  A kernel without it does not have the
	 * tracepoint, and need not be searched for the name; the translators ask for
	 * the struct in any case. */
	const char *passes;
	/* TRACEPOINT: a kernel on which it passes fewer does not have it. */
	uint8_t nargs;
	/* Only for who asks for stacks of processes (PROV_LOOKS_USTACK), and only if no site
	 * before it is here that has its choice: it costs more, or misses more. */
	bool for_ustack;
	/* 1 + the number of the tracepoint's argument that is the task of the
	 * probe's thread; 0: the thread that is current.  What D can be had of a
	 * thread that is not: ebpf/other.c. */
	uint8_t thread;
};

struct derive_probe {
	const char *name;
	/* Of args[0], args[1] ..., `;` between them: the type of the value in C, and
	 * behind `>` the type of D that it is translated to:
	 * "struct task_struct * > psinfo_t *; int".  NULL: it has none. */
	const char *types;
	struct derive_site sites[DERIVE_SITES];
};

struct derive_table {
	const struct derive_probe *probes;
	size_t n;
};

/* May d be about a probe of the table?  For its last part. */
bool derive_may_match(const struct derive_table *t, const struct probe_desc *d);

/* As prov_ops.is_foreign_name and aliases: derive_alias.def. */
bool derive_is_foreign_name(const struct probe *p, const char *name);
unsigned derive_aliases(const char *func, const char *ret[PROV_MAX_ALIASES]);

/* What is known of the sites of a row; of all is a provider's state. */
struct derived {
	struct {
		enum { DERIVE_UNKNOWN, DERIVE_ABSENT, DERIVE_PRESENT } is;
		struct abi_point *point;	/* NULL: not made yet */
	} site[DERIVE_SITES];
};

/* Does d name a probe of the table that this kernel has not, or one that other systems
 * have (derive_foreign.def)?  As prov_foreign(). */
bool derive_foreign(const struct prov_set *s, const struct prov_ops *ops,
		    const struct probe_desc *d, struct sb *b);
/* As prov_foreign_arg(). */
const struct type *derive_foreign_arg(struct prov_set *s,
				      const struct prov_ops *ops,
				      const struct probe_desc *d, unsigned n,
				      const char **xlate);

struct err *derive_discover(struct prov_set *s, const struct probe_desc *d,
			    struct prov_sink *sink);
struct err *derive_sites(struct prov_set *s, const struct probe *p,
			 prov_site_fn *fn, void *ctx);
const struct type *derive_arg_type(struct prov_set *s, const struct probe *p,
				   unsigned n, const char **name);
const char *derive_arg_xlate(struct prov_set *s, const struct probe *p,
			     unsigned n);
int derive_nargs(struct prov_set *s, const struct probe *p);

/* Which of its probes are not here?  Their names go to b. */
struct err *derive_missing(struct prov_set *s, uint32_t provider, struct sb *b,
			   unsigned *ret);

/* The operations of provider `id`, called text, from a table. */
#define DERIVE(id, text, table, stabilities) \
	static const struct derive_table id##_table = { \
		(table), sizeof(table) / sizeof((table)[0]) }; \
	const struct prov_ops prov_##id##_ops = { \
		.name = (text), .attr = stabilities, \
		.derived = &id##_table, \
		.state_size = sizeof(table) / sizeof((table)[0]) * \
			      sizeof(struct derived), \
		.discover = derive_discover, .sites = derive_sites, \
		.arg_type = derive_arg_type, .arg_xlate = derive_arg_xlate, \
		.nargs = derive_nargs, .foreign = derive_foreign, \
		.is_foreign_name = derive_is_foreign_name, \
		.aliases = derive_aliases, \
	}

#endif
