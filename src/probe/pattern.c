/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One pattern against many names.  Nearly all patterns that people write are a
 * name, the start of one, its end, or a part of it; which of these it is, is
 * found out once, and then a name costs one comparison.  Of the others the text
 * up to the first special character is compared before glob.c is asked.
 */
#include <string.h>

#include "probe/probe.h"

static const char specials[] = "*?[\\";

static bool
only_stars(const char *s)
{
	return s[strspn(s, "*")] == '\0';
}

void
probe_pattern_init(struct probe_pattern *p, const char *glob)
{
	size_t n = strcspn(glob, specials);

	p->text = glob;
	p->n = n;
	if (!glob[n]) {
		p->kind = n ? PROBE_PATTERN_EXACT : PROBE_PATTERN_ANY;
		return;
	}
	p->kind = PROBE_PATTERN_GLOB;
	if (only_stars(glob + n)) {
		p->kind = n ? PROBE_PATTERN_START : PROBE_PATTERN_ANY;
	} else if (*glob == '*') {
		const char *part = glob + strspn(glob, "*");
		size_t m = strcspn(part, specials);
		if (!only_stars(part + m))
			return;
		p->kind = part[m] ? PROBE_PATTERN_PART : PROBE_PATTERN_END;
		p->text = part;
		p->n = m;
	}
}

bool
probe_pattern_match(const struct probe_pattern *p, const char *s)
{
	size_t len;

	switch (p->kind) {
	case PROBE_PATTERN_ANY:
		return true;
	case PROBE_PATTERN_EXACT:
		return strcmp(s, p->text) == 0;
	case PROBE_PATTERN_START:
		return strncmp(s, p->text, p->n) == 0;
	case PROBE_PATTERN_END:
		len = strlen(s);
		return len >= p->n &&
		       memcmp(s + len - p->n, p->text, p->n) == 0;
	case PROBE_PATTERN_PART:
		return memmem(s, strlen(s), p->text, p->n) != NULL;
	default:
		return strncmp(s, p->text, p->n) == 0 &&
		       probe_glob_match(p->text + p->n, s + p->n);
	}
}

void
probe_matcher_init(struct probe_matcher *m, const struct probe_desc *d)
{
	probe_pattern_init(&m->prov, d->prov);
	probe_pattern_init(&m->mod, d->mod);
	probe_pattern_init(&m->func, d->func);
	probe_pattern_init(&m->name, d->name);
	m->is_kernel = probe_is_kernel(d->mod);
}

bool
probe_matcher_mod(const struct probe_matcher *m, const char *module)
{
	return probe_pattern_match(&m->mod, module) ||
	       (m->is_kernel && strcmp(module, PROBE_KERNEL) == 0);
}

bool
probe_matcher_match(const struct probe_matcher *m, const struct probe *p)
{
	return probe_pattern_match(&m->name, p->name) &&
	       probe_pattern_match(&m->func, p->func) &&
	       probe_matcher_mod(m, p->mod) &&
	       probe_pattern_match(&m->prov, p->prov);
}
