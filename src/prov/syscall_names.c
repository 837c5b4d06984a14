/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What other systems call their system calls, and which calls programs no longer make
 * (syscall_usual.def).  Of names elsewhere there are two tables: those that stand
 * for calls of Linux (syscall_alias.def), so that a description with one matches,
 * and those that stand for nothing here (syscall_foreign.def), each with what
 * to use.  A name is in one of the two, and in the second only if Linux has
 * none of that name.
 *
 * Scripts name all the calls that do something on any of their systems, in one
 * list.  So a foreign name beside others that match is no error: it matches
 * nothing, as it does on a system that lacks that call.
 */
#include <string.h>

#include "base/base.h"
#include "prov/prov_priv.h"

static const struct {
	const char *foreign, *ours;
} alias_rows[] = {
#define ALIAS(foreign, ours) { #foreign, #ours },
#include "prov/syscall_alias.def"
#undef ALIAS
};

static const struct {
	const char *names;		/* a pattern */
	const char *use;		/* "call, call", or "" */
	const char *why;		/* what else there is to say, or "" */
} foreign_rows[] = {
#define FOREIGN(names, use, why) { names, use, why },
#include "prov/syscall_foreign.def"
#undef FOREIGN
};

const struct prov_usual *
prov_syscall_usual(unsigned i)
{
	static const struct prov_usual rows[] = {
#define USUAL(call, instead, hint) { call, instead, hint },
#include "prov/syscall_usual.def"
#undef USUAL
	};

	return i < BASE_NELEMS(rows) ? &rows[i] : NULL;
}

unsigned
prov_syscall_aliases(const char *func, const char *ret[PROV_MAX_ALIASES])
{
	unsigned n = 0;

	for (size_t i = 0; i < BASE_NELEMS(alias_rows); i++)
		if (n < PROV_MAX_ALIASES &&
		    strcmp(func, alias_rows[i].foreign) == 0)
			ret[n++] = alias_rows[i].ours;
	return n;
}

/* example: name is a pattern, of which the row is one. */
static void
print_row(size_t i, const char *name, bool example, struct sb *b)
{
	const char *use = foreign_rows[i].use, *why = foreign_rows[i].why;

	sb_puts(b, name);
	if (!*use && !*why)
		return;
	sb_puts(b, " (");
	if (example)
		sb_printf(b, "for %s%s ", foreign_rows[i].names, *use ? "" : ":");
	sb_printf(b, "%s%s%s%s)", *use ? "use " : "", use, *use && *why ? "; " : "", why);
}

/* A name: the first row that it fits.  True when there is one. */
static bool
print_name(const char *name, struct sb *b)
{
	for (size_t i = 0; i < BASE_NELEMS(foreign_rows); i++) {
		if (!probe_glob_match(foreign_rows[i].names, name))
			continue;
		print_row(i, name, false, b);
		return true;
	}
	return false;
}

/* A pattern: it fits names of either table.  One of them is the example. */
static bool
print_pattern(const char *pattern, struct sb *b)
{
	for (size_t i = 0; i < BASE_NELEMS(foreign_rows); i++) {
		if (!probe_glob_match(pattern, foreign_rows[i].names))
			continue;
		print_row(i, pattern, strcmp(pattern, foreign_rows[i].names) != 0, b);
		return true;
	}
	for (size_t i = 0; i < BASE_NELEMS(alias_rows); i++) {
		if (!probe_glob_match(pattern, alias_rows[i].foreign))
			continue;
		sb_printf(b, "%s (for %s use %s)", pattern,
			  alias_rows[i].foreign, alias_rows[i].ours);
		return true;
	}
	return false;
}

bool
prov_syscall_foreign(const struct prov_set *s, const struct prov_ops *ops,
		     const struct probe_desc *d, struct sb *b)
{
	(void)s;
	(void)ops;

	/* Nothing but the call is foreign. */
	if (!*d->func || !probe_mod_match(d->mod, PROBE_KERNEL))
		return false;
	return probe_has_glob(d->func) ? print_pattern(d->func, b)
				       : print_name(d->func, b);
}
