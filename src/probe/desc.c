/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Probe descriptions: text to fields and back, and matching.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "probe/probe.h"

enum { NFIELDS = 4 };

static const char *const field_names[NFIELDS] = {
	"provider", "module", "function", "name"
};
static const size_t field_sizes[NFIELDS] = {	/* NUL included */
	PROBE_PROVLEN, PROBE_MODLEN, PROBE_FUNCLEN, PROBE_NAMELEN
};

static bool
is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static struct base_span
trim(struct base_span t)
{
	while (t.n && is_blank(t.p[0])) {
		t.p++;
		t.n--;
	}
	while (t.n && is_blank(t.p[t.n - 1]))
		t.n--;
	return t;
}

static bool
is_number(struct base_span t)
{
	for (size_t i = 0; i < t.n; i++)
		if (t.p[i] < '0' || t.p[i] > '9')
			return false;
	return t.n > 0;
}

static struct err *
parse_id(struct base_span t, uint32_t *ret)
{
	uint64_t id = 0;

	for (size_t i = 0; i < t.n && id <= UINT32_MAX; i++)
		id = id * 10 + (uint64_t)(t.p[i] - '0');
	if (id == 0 || id > UINT32_MAX)
		return err_new(ERR_INVALID, 0, "Unknown probe identifier");
	*ret = (uint32_t)id;
	return NULL;
}

/* Split the text at its colons, last piece last; false when there are more
 * than max pieces. */
static bool
split(struct base_span t, struct base_span *pieces, unsigned max, unsigned *n)
{
	const char *start = t.p, *end = t.p + t.n;

	for (*n = 0; *n < max; start++) {
		const char *colon = start;
		while (colon < end && *colon != ':')
			colon++;
		pieces[(*n)++] = (struct base_span){
			start, (size_t)(colon - start)
		};
		if (colon == end)
			return true;
		start = colon;
	}
	return false;
}

/* A module that is a path is the file that it leads to, which is what processes have
 * mapped; if it leads nowhere here, it may do so for a process. */
static struct err *
copy_path(struct arena *a, struct base_span t, const char **ret)
{
	const char *path = arena_strndup(a, t.p, t.n);
	char *real = path ? realpath(path, NULL) : NULL;

	*ret = real ? arena_strdup(a, real) : path;
	free(real);
	return *ret ? NULL : &err_nomem;
}

static struct err *
copy_field(struct arena *a, struct base_span t, unsigned field,
	   const char **ret)
{
	bool is_path = field == 1 && t.n && t.p[0] == '/';

	if (t.n >= (is_path ? (size_t)PATH_MAX : field_sizes[field]))
		return err_new(ERR_INVALID, 0,
			       "Probe %s is longer than %zu characters",
			       field_names[field], field_sizes[field] - 1);
	if (memchr(t.p, '\0', t.n))
		return err_new(ERR_INVALID, 0, "Probe %s has a NUL byte",
			       field_names[field]);
	if (is_path)
		return copy_path(a, t, ret);
	*ret = arena_strndup(a, t.p, t.n);
	return *ret ? NULL : &err_nomem;
}

struct err *
probe_desc_parse(struct arena *a, struct base_span text, enum probe_spec spec,
		 struct probe_desc *ret)
{
	struct base_span pieces[NFIELDS], t = trim(text);
	const char *fields[NFIELDS] = { "", "", "", "" };
	uint32_t id = 0;
	unsigned n = 0, last = spec;	/* the field of the last piece */

	if (spec == PROBE_SPEC_NAME && is_number(t))
		TRY(parse_id(t, &id));
	else if (t.n && !split(t, pieces, last + 1, &n))
		return err_new(ERR_INVALID, 0,
			       "Overspecified probe description");
	for (unsigned i = 0; i < n; i++) {
		unsigned field = last + 1 - n + i;
		TRY(copy_field(a, pieces[i], field, &fields[field]));
	}
	*ret = (struct probe_desc){
		fields[0], fields[1], fields[2], fields[3], id
	};
	return NULL;
}

bool
probe_is_kernel(const char *module)
{
	static const char *const names[] = {
		PROBE_KERNEL, "kernel", "genunix", "unix", "mach_kernel",
		"freebsd",
	};

	return BASE_ANY(i, BASE_NELEMS(names), strcmp(module, names[i]) == 0);
}

bool
probe_mod_match(const char *pattern, const char *module)
{
	return probe_glob_match(pattern, module) ||
	       (probe_is_kernel(pattern) && strcmp(module, PROBE_KERNEL) == 0);
}

bool
probe_desc_match(const struct probe_desc *d, const struct probe *p)
{
	if (d->id && d->id != p->id)
		return false;
	return probe_glob_match(d->name, p->name) &&
	       probe_glob_match(d->func, p->func) &&
	       probe_mod_match(d->mod, p->mod) &&
	       probe_glob_match(d->prov, p->prov);
}

void
probe_desc_print(const struct probe_desc *d, struct base_buf *b)
{
	const char *const fields[NFIELDS] = {
		d->prov, d->mod, d->func, d->name
	};

	if (d->id) {
		base_putu(b, d->id, 10, 0, ' ');
		return;
	}
	for (unsigned i = 0; i < NFIELDS; i++) {
		if (i)
			base_putc(b, ':');
		base_puts(b, fields[i]);
	}
}
