/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a provider is: a table of operations.
 */
#ifndef PROV_OPS_H
#define PROV_OPS_H

#include "prov/how.h"
#include "prov/site.h"

enum { PROV_MAX_ALIASES = 8 };	/* functions that one foreign name can mean */

struct prov_sink;	/* takes the probes that a provider makes */

/* A probe that may come to be.  Texts may be NULL for none. */
struct prov_new {
	const char *prov;	/* NULL: the provider's own name */
	const char *mod, *func, *name;
	uint64_t arg;		/* the provider's own */
	/* Its place among the ids kept for the provider, from 1; 0: the next
	 * id there is. */
	uint32_t place;
	bool copy;		/* the texts do not live as long as the set */
};

/* *ret: is that asked for, and does not exist yet?  For a provider that would have
 * to work for what comes with it.  Error: ERR_NOMEM. */
struct err *prov_wants(const struct prov_sink *sink, const struct prov_new *n,
		       bool *ret);
/* Make it, unless it is not asked for or exists.  Error: ERR_NOMEM. */
struct err *prov_add(struct prov_sink *sink, const struct prov_new *n);

/* False: that is enough. */
typedef bool prov_function_fn(void *ctx, const char *mod, const char *func);

enum prov_part { PROV_PART_PROV, PROV_PART_MOD, PROV_PART_FUNC, PROV_PART_NAME };

/* Those that may be NULL say so. */
struct prov_ops {
	/* Of its probes' provider; or a pattern that fits the names that those
	 * may have ("pid[0-9]*"). */
	const char *name;
	struct probe_provattr attr;
	/* Patterns for the last part of its probes' names, so that a description
	 * may be turned away before anybody asks; NULL at the end.  NULL: any. */
	const char *const *names;
	/* Ids that are kept for it. */
	uint32_t nplaces;
	/* To list everything takes long: only who asks for it gets that. */
	bool is_large;
	/* A description has to say that it means these. */
	bool is_named;
	/* Its probes are in what processes map, now or later. */
	bool is_mapped;
	/* Beside a probe of all processes there are those of each, for lists. */
	bool lists_each;

	/* Bytes that it keeps in each set for itself, prov_state(); 0: none.  They are
	 * zero, and then init's, before it is asked for anything there that names the
	 * set; fini frees what hangs on them.  Can be NULL, both. */
	size_t state_size;
	void (*init)(void *state);
	void (*fini)(void *state);

	/* Give to the sink the probes that d can match, and any others that are
	 * as cheap: the sink leaves out what is not asked for.  Called once for
	 * each description, and again when that failed; d has no id.  Error:
	 * what keeps it from telling what there is ("there is no process 7");
	 * who names this provider is told so, and who asks several has what
	 * the others know. */
	struct err *(*discover)(struct prov_set *s, const struct probe_desc *d,
				struct prov_sink *sink);
	/* Can be NULL.  For one that is large: tell fn the module and the name of each
	 * function with probes, and make none.  Error: as discover(). */
	struct err *(*functions)(struct prov_set *s, prov_function_fn *fn,
				 void *ctx);
	/* As prov_sites(). */
	struct err *(*sites)(struct prov_set *s, const struct probe *p,
			     prov_site_fn *fn, void *ctx);
	/* Can be NULL: no probe comes later.  As prov_later(). */
	struct err *(*later)(struct prov_set *s, const struct probe_desc *d,
			     prov_point_fn *fn, void *ctx);
	/* Can be NULL.  The functions that func is a foreign name of. */
	unsigned (*aliases)(const char *func,
			    const char *ret[PROV_MAX_ALIASES]);
	/* Can be NULL: there are none.  Is name, which is no pattern, a foreign name of the
	 * last part of p?  p NULL: is it one of any? */
	bool (*is_foreign_name)(const struct probe *p, const char *name);
	/* Can be NULL: each has one name.  The i-th name of the probe's provider,
	 * module or function besides the one that it has: descriptions may say that as
	 * well.  NULL: there are no more. */
	const char *(*alias)(struct prov_set *s, const struct probe *p,
			     enum prov_part part, unsigned i);
	/* Can be NULL: none comes later.  As prov_places(); then sites tells those of
	 * places from s->from_place on. */
	size_t (*places)(const struct probe *p);
	/* Can be NULL: it has none of all processes.  What the provider's name of that one
	 * is which is the same as p otherwise; p's own, if it is p. */
	const char *(*of_all)(const struct probe *p);
	/* Can be NULL.  As prov_foreign(), for a description that may be about
	 * this provider. */
	bool (*foreign)(const struct prov_set *s, const struct prov_ops *ops,
			const struct probe_desc *d, struct sb *b);
	/* Can be NULL: none exists as soon as it is named.  As prov_misnamed(), for the
	 * last part of a description that may be about this provider. */
	void (*misnamed)(const char *name, struct sb *b);
	/* Can be NULL.  As prov_missing() (prov/user.h), for a description that may be about
	 * this provider.  Error: ERR_NOMEM. */
	struct err *(*missing)(struct prov_set *s, const struct probe_desc *d,
			       struct sb *b, enum prov_part *part);
	/* As prov_arg_type() and prov_nargs().  Can be NULL, both: no probe has
	 * arguments with types. */
	const struct type *(*arg_type)(struct prov_set *s,
				       const struct probe *p, unsigned n,
				       const char **name);
	/* Can be NULL: args[n] is argn.  Which of these it is. */
	unsigned (*arg_raw)(struct prov_set *s, const struct probe *p,
			    unsigned n);
	int (*nargs)(struct prov_set *s, const struct probe *p);
	/* Can be NULL: no argument is translated.  As prov_arg_xlate(). */
	const char *(*arg_xlate)(struct prov_set *s, const struct probe *p,
				 unsigned n);
	/* Can be NULL: nothing is known, or there is a table (below).  How its probes
	 * are attached: ways, the best first, ended by one without a text. */
	const struct prov_way *ways;
	/* Of a provider of derive.h: its table.  Else NULL. */
	const struct derive_table *derived;
};

/* One provider more, behind the others; ops live as long as s. */
struct err *prov_set_add(struct prov_set *s, const struct prov_ops *ops);

/* What it keeps in s; NULL: it was not asked yet, or keeps nothing. */
void *prov_state(const struct prov_set *s, const struct prov_ops *ops);
/* Have that, for a provider that another one uses. */
struct err *prov_need_state(struct prov_set *s, const struct prov_ops *ops);

/* How often something was done: what tests count, instead of taking times. */
struct prov_work {
	uint64_t asked;		/* calls of discover() */
	uint64_t slots;		/* of the hash that were looked at */
	uint64_t matched;	/* names that were compared with patterns */
	uint64_t scored;	/* names that edits were counted of */
};
const struct prov_work *prov_work(const struct prov_set *s);
/* Descriptions that the provider of that name was asked about. */
uint64_t prov_asked(const struct prov_set *s, const char *name);

#endif
