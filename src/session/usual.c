/* SPDX-License-Identifier: BSD-2-Clause
 *
 * System calls that scripts name, as other systems have them, and that hardly any program
 * makes here: such probes do not fire, and a program that has no other seems to find
 * nothing.  Who traces the call that is made in its place, too, knows of that; and whose
 * pattern matches many calls does not mean this one.
 */
#include <string.h>

#include "session/run_priv.h"

static bool
has_call(const struct session *s, const char *call)
{
	for (uint32_t i = 0; i < s->points.all.n; i++) {
		const struct engine_point *point = &s->points.all.v[i];
		for (size_t k = 0; k < point->probes.n; k++) {
			const char *const *part = point->probes.v[k].part;
			if (strcmp(part[0], "syscall") == 0 &&
			    strcmp(part[2], call) == 0)
				return true;
		}
	}
	return false;
}

/* Is pattern that call, with stars around it perhaps, or its name for big files? */
static bool
is_name_of(const char *pattern, const char *call)
{
	size_t n = strlen(call);

	pattern += strspn(pattern, "*");
	if (strncmp(pattern, call, n) != 0)
		return false;
	pattern += n;
	return !pattern[strspn(pattern, "*")] || strcmp(pattern, "64") == 0;
}

static bool
names_call(const struct session *s, const char *call)
{
	for (size_t i = 0; i < s->enabled.n; i++) {
		const struct sema_prog *p = s->enabled.v[i];
		for (uint32_t c = 0; c < p->nclauses; c++)
			for (uint32_t d = 0; d < p->clauses[c].ndescs; d++)
				if (is_name_of(p->clauses[c].descs[d].func, call))
					return true;
	}
	return false;
}

void
session_tell_unusual(struct session *s)
{
	const struct prov_usual *u;
	struct sb b;

	sb_init(&b, 512);
	for (unsigned i = 0; (u = prov_syscall_usual(i)); i++) {
		if (!names_call(s, u->call) || !has_call(s, u->call) ||
		    has_call(s, u->instead))
			continue;
		sb_reset(&b);
		sb_printf(&b, "hardly any program calls %s: the C library calls %s%s%s",
			  u->call, u->instead, *u->hint ? ", " : "", u->hint);
		session_tell(s, sb_str(&b));
	}
	sb_fini(&b);
}
