/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Stability: how far a name, its data and its dependence on the machine may be
 * relied on.  Each is an ordered scale, so that what is made of several parts
 * is as stable as the least of them.
 */
#include <string.h>
#include <strings.h>

#include "probe/probe.h"

static const char *const stabilities[] = {
	"Internal", "Private", "Obsolete", "External",
	"Unstable", "Evolving", "Stable", "Standard",
};
_Static_assert(BASE_NELEMS(stabilities) == PROBE_NSTABILITIES, "names");

static const char *const classes[] = {
	"Unknown", "CPU", "Platform", "Group", "ISA", "Common",
};
_Static_assert(BASE_NELEMS(classes) == PROBE_NCLASSES, "names");

const char *
probe_stability_name(unsigned s)
{
	return s < PROBE_NSTABILITIES ? stabilities[s] : NULL;
}

const char *
probe_class_name(unsigned c)
{
	return c < PROBE_NCLASSES ? classes[c] : NULL;
}

/* The index of the name that fills s up to `end`; false when none does. */
static bool
find_name(const char *s, const char *end, const char *const *names, unsigned n,
	  uint8_t *ret)
{
	for (unsigned i = 0; i < n; i++) {
		size_t len = strlen(names[i]);
		if (len == (size_t)(end - s) &&
		    strncasecmp(s, names[i], len) == 0) {
			*ret = (uint8_t)i;
			return true;
		}
	}
	return false;
}

bool
probe_attr_parse(const char *s, struct probe_attr *ret)
{
	struct probe_attr a;
	const char *data = strchr(s, '/');
	const char *class = data ? strchr(data + 1, '/') : NULL;

	if (!class ||
	    !find_name(s, data, stabilities, PROBE_NSTABILITIES, &a.name) ||
	    !find_name(data + 1, class, stabilities, PROBE_NSTABILITIES,
		       &a.data) ||
	    !find_name(class + 1, class + strlen(class), classes,
		       PROBE_NCLASSES, &a.class))
		return false;
	*ret = a;
	return true;
}

void
probe_attr_print(struct probe_attr a, struct base_buf *b)
{
	const char *const parts[] = {
		probe_stability_name(a.name), probe_stability_name(a.data),
		probe_class_name(a.class),
	};

	for (unsigned i = 0; i < BASE_NELEMS(parts); i++) {
		if (i)
			base_putc(b, '/');
		base_puts(b, parts[i] ? parts[i] : "?");
	}
}

struct probe_attr
probe_attr_min(struct probe_attr a, struct probe_attr b)
{
	return (struct probe_attr){
		BASE_MIN(a.name, b.name),
		BASE_MIN(a.data, b.data),
		BASE_MIN(a.class, b.class),
	};
}

struct probe_attr
probe_attr_of(const struct probe_provattr *a, const struct probe_desc *d)
{
	struct probe_attr min = { PROBE_STANDARD, PROBE_STANDARD,
				  PROBE_CLASS_COMMON };

	if (d->id || *d->prov)
		min = probe_attr_min(min, a->provider);
	if (d->id || *d->mod)
		min = probe_attr_min(min, a->module);
	if (d->id || *d->func)
		min = probe_attr_min(min, a->function);
	if (d->id || *d->name)
		min = probe_attr_min(min, a->name);
	return min;
}
