/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Events that are counted, by their names (event.def): the kernel's own, those of
 * processors, and whatever else libpfm4 knows, which is loaded when a name is not
 * in the table.  Nothing here needs the library to be there.
 */
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <string.h>

#include "base/base.h"
#include "prov/event.h"

#define SW(id) PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id
#define HW(id) PERF_TYPE_HARDWARE, PERF_COUNT_HW_##id

static const struct {
	const char *name;
	struct abi_event event;
	bool listed;
} events[] = {
#define SOFTWARE(name, id, listed) { #name, { SW(id), 1, 0, 0 }, listed },
#define HARDWARE(name, id) { #name, { HW(id), 1, 0, 0 }, true },
#define CACHE(name, cache, op, result) \
	{ #name, { PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_##cache | \
		   PERF_COUNT_HW_CACHE_OP_##op << 8 | \
		   PERF_COUNT_HW_CACHE_RESULT_##result << 16, 1, 0, 0 }, true },
#include "prov/event.def"
#undef SOFTWARE
#undef HARDWARE
#undef CACHE
};

_Static_assert(BASE_NELEMS(events) <= (size_t)PROV_EVENTS_MAX,
	       "all of them can be listed");

const struct abi_event *
prov_event(const char *name)
{
	for (size_t i = 0; i < BASE_NELEMS(events); i++)
		if (strcmp(events[i].name, name) == 0)
			return &events[i].event;
	return NULL;
}

const char *
prov_event_listed(size_t i)
{
	return i < BASE_NELEMS(events) && events[i].listed ? events[i].name
							   : NULL;
}

/* --- libpfm4 -------------------------------------------------------------------- */

/* Of perfmon/pfmlib.h and perfmon/pfmlib_perf_event.h. */
enum { PFM_SUCCESS = 0, PFM_KERNEL = 1, PFM_USER = 8, PFM_OS_PERF_EVENT = 1 };

#define LIBRARY "libpfm.so.4"

struct pfm_arg {
	struct perf_event_attr *attr;
	char **text;
	size_t size;
	int idx, cpu, flags, pad;
};

bool
prov_event_by_library(const char *name, struct abi_event *ret)
{
	/* The library may know more of it than we do. */
	union {
		struct perf_event_attr attr;
		char room[1024];
	} u;
	struct pfm_arg arg = { .attr = &u.attr, .size = sizeof(arg) };
	int (*begin)(void);
	int (*encode)(const char *, int, int, void *);
	void *lib = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	bool ok = false;

	if (!lib)
		return false;
	memset(&u, 0, sizeof(u));
	u.attr.size = sizeof(u.attr);
	*(void **)&begin = dlsym(lib, "pfm_initialize");
	*(void **)&encode = dlsym(lib, "pfm_get_os_event_encoding");
	if (begin && encode && begin() == PFM_SUCCESS)
		ok = encode(name, PFM_KERNEL | PFM_USER, PFM_OS_PERF_EVENT,
			    &arg) == PFM_SUCCESS;
	/* What needs more than these two numbers we cannot ask for. */
	ok = ok && !u.attr.config1 && !u.attr.config2;
	if (ok)
		*ret = (struct abi_event){ .type = u.attr.type,
					   .config = u.attr.config,
					   .period = 1 };
	dlclose(lib);
	return ok;
}

bool
prov_event_has_library(void)
{
	void *lib = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (lib)
		dlclose(lib);
	return lib != NULL;
}
