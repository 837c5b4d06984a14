/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Events that are counted, by name.
 */
#ifndef PROV_EVENT_H
#define PROV_EVENT_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/point.h"

enum {
	PROV_EVENTS_MAX = 64,
	/* Of the kernel's own those that are to be listed: the first. */
	PROV_EVENTS_SOFTWARE = 0
#define SOFTWARE(name, id, listed) + (listed)
#define HARDWARE(name, id)
#define CACHE(name, cache, op, result)
#include "prov/event.def"
#undef SOFTWARE
#undef HARDWARE
#undef CACHE
};

/* Of the table, each one of it; NULL: it has none of that name. */
const struct abi_event *prov_event(const char *name);
/* The name of the i-th that is to be listed, i < PROV_EVENTS_MAX; NULL: it is not. */
const char *prov_event_listed(size_t i);
/* By libpfm4's name, where that is installed. */
bool prov_event_by_library(const char *name, struct abi_event *ret);
/* Is that installed? */
bool prov_event_has_library(void);

#endif
