/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A set of all providers, made anew for each test, which leaves no file open.
 */
#ifndef TESTS_PROV_FRESH_H
#define TESTS_PROV_FRESH_H

#include "prov/prov.h"
#include "support/countopen.h"
#include "util/arena.h"

static struct arena *arena;
static struct prov_set *set;

static int
setup(void **state)
{
	count_open_begin(state);
	arena = arena_new();
	return prov_set_new(arena, NULL, &set) != NULL;
}

static int
teardown(void **state)
{
	prov_set_free(set);
	arena_free(arena);
	return count_open_end(state);
}

#endif
