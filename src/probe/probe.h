/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A probe as data: its four-part name, how descriptions match, stability.
 */
#ifndef PROBE_PROBE_H
#define PROBE_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "type/type.h"
#include "util/arena.h"
#include "util/err.h"

/* Longest fields, NUL included (public limits). */
enum { PROBE_PROVLEN = 64, PROBE_MODLEN = 64, PROBE_FUNCLEN = 192,
       PROBE_NAMELEN = 64 };

/* Which field a -P, -m, -f or -n argument names last. */
enum probe_spec { PROBE_SPEC_PROVIDER, PROBE_SPEC_MOD, PROBE_SPEC_FUNC,
		  PROBE_SPEC_NAME };

/* Stability of an interface: name, data, class. */
struct probe_attr {
	uint8_t name, data;	/* 0..7: Internal Private Obsolete External
				 * Unstable Evolving Stable Standard */
	uint8_t class;		/* 0..5: Unknown CPU Platform Group ISA Common */
};

/* Attributes of a provider, one for each part of its probes' names. */
struct probe_provattr {
	struct probe_attr provider, module, function, name, args;
};

/* A description; an empty field matches everything. */
struct probe_desc {
	const char *prov, *mod, *func, *name;	/* never NULL */
	uint32_t id;				/* nonzero: this probe only */
};

/* A probe that exists. */
struct probe {
	uint32_t id;			/* 1.., unique in a session */
	const char *prov, *mod, *func, *name;	/* never NULL */
	const struct probe_provattr *attr;
	uint32_t provider;		/* index of its provider in prov */
	uint64_t arg;			/* the provider's own */
};

/*
 * Parse "prov:mod:func:name" with fields filled from the right for `spec`
 * (PROBE_SPEC_NAME: "x" is a name; PROBE_SPEC_PROVIDER: "x" is a provider), or
 * a decimal probe id.  Strings are copied into a.  Errors: ERR_INVALID
 * "Overspecified probe description" and the like; ERR_NOMEM.
 */
struct err *probe_desc_parse(struct arena *a, struct base_span text,
			     enum probe_spec spec, struct probe_desc *ret);

/* Shell globs * ? [a-z] [!a-z] \x; an empty pattern matches everything.
 * Linear time: no exponential backtracking. */
bool probe_glob_match(const char *pattern, const char *s);
bool probe_has_glob(const char *pattern);
bool probe_desc_match(const struct probe_desc *d, const struct probe *p);
/* "prov:mod:func:name" */
void probe_desc_print(const struct probe_desc *d, struct base_buf *b);

/*
 * For suggestions: the edit distance of a and b when at most max, else
 * max + 1.
 */
unsigned probe_edit_distance(const char *a, const char *b, unsigned max);

/* --- Stability ----------------------------------------------------------- */

const char *probe_stability_name(unsigned s);	/* "Evolving"; NULL if bad */
const char *probe_class_name(unsigned c);
/* "Evolving/Evolving/Common"; false when it is none. */
bool probe_attr_parse(const char *s, struct probe_attr *ret);
void probe_attr_print(struct probe_attr a, struct base_buf *b);
/* Each part the lesser of the two. */
struct probe_attr probe_attr_min(struct probe_attr a, struct probe_attr b);

#endif
