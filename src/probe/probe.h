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

enum probe_stability {
	PROBE_INTERNAL, PROBE_PRIVATE, PROBE_OBSOLETE, PROBE_EXTERNAL,
	PROBE_UNSTABLE, PROBE_EVOLVING, PROBE_STABLE, PROBE_STANDARD,
	PROBE_NSTABILITIES
};

enum probe_class {
	PROBE_CLASS_UNKNOWN, PROBE_CLASS_CPU, PROBE_CLASS_PLATFORM,
	PROBE_CLASS_GROUP, PROBE_CLASS_ISA, PROBE_CLASS_COMMON,
	PROBE_NCLASSES
};

/* Stability of an interface: name, data, class. */
struct probe_attr {
	uint8_t name, data;	/* enum probe_stability */
	uint8_t class;		/* enum probe_class */
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
 * for PROBE_SPEC_NAME a decimal probe id (all fields are then empty).  Blanks
 * around the whole are ignored; empty text matches every probe.  Strings are
 * copied into a.  Errors: ERR_INVALID "Overspecified probe description" and
 * the like; ERR_NOMEM.
 */
struct err *probe_desc_parse(struct arena *a, struct base_span text,
			     enum probe_spec spec, struct probe_desc *ret);

/* The module of what belongs to no module, and whether a module's name in a
 * description is a name of that, here or on other systems (genunix). */
#define PROBE_KERNEL "vmlinux"
bool probe_is_kernel(const char *module);
/* Whether the module of a description names p's, by itself or so. */
bool probe_mod_match(const char *pattern, const char *module);

/* Shell globs * ? [abc] [a-z] [!a-z] \x over bytes; an empty pattern matches
 * everything.  A [ that is never closed, and a \ at the end, stand for
 * themselves.  No exponential backtracking. */
bool probe_glob_match(const char *pattern, const char *s);
/* Whether the pattern may match anything but its own text. */
bool probe_has_glob(const char *pattern);
/* Whether some name may match both patterns. */
bool probe_globs_meet(const char *a, const char *b);

/* A pattern made ready for many names; it borrows the text. */
enum probe_pattern_kind {
	PROBE_PATTERN_ANY, PROBE_PATTERN_EXACT, PROBE_PATTERN_START,
	PROBE_PATTERN_END, PROBE_PATTERN_PART, PROBE_PATTERN_GLOB,
};
struct probe_pattern {
	const char *text;
	size_t n;		/* bytes of text that stand for themselves */
	enum probe_pattern_kind kind;
};
void probe_pattern_init(struct probe_pattern *p, const char *glob);
bool probe_pattern_match(const struct probe_pattern *p, const char *s);

/* The four patterns of a description; its id is not looked at. */
struct probe_matcher {
	struct probe_pattern prov, mod, func, name;
	bool is_kernel;		/* mod is a name of the kernel */
};
void probe_matcher_init(struct probe_matcher *m, const struct probe_desc *d);
bool probe_matcher_mod(const struct probe_matcher *m, const char *module);
bool probe_matcher_match(const struct probe_matcher *m, const struct probe *p);

/* Every field matches; a description with an id matches that id alone. */
bool probe_desc_match(const struct probe_desc *d, const struct probe *p);
/* "prov:mod:func:name", or the id */
void probe_desc_print(const struct probe_desc *d, struct base_buf *b);

/*
 * For suggestions: how many bytes to insert, delete, replace, or swap with
 * their neighbour to turn a into b when at most max, else max + 1.
 */
unsigned probe_edit_distance(const char *a, const char *b, unsigned max);

/* --- Stability ----------------------------------------------------------- */

const char *probe_stability_name(unsigned s);	/* "Evolving"; NULL if bad */
const char *probe_class_name(unsigned c);
/* "Evolving/Evolving/Common" in any case; false when it is none. */
bool probe_attr_parse(const char *s, struct probe_attr *ret);
void probe_attr_print(struct probe_attr a, struct base_buf *b);
/* Of a probe called so: the least stable of the parts that are not empty; of
 * all parts when d is an id. */
struct probe_attr probe_attr_of(const struct probe_provattr *a,
				const struct probe_desc *d);
/* Each part the lesser of the two. */
struct probe_attr probe_attr_min(struct probe_attr a, struct probe_attr b);

#endif
