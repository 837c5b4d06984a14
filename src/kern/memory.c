/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How much memory there is for us: the machine's, or what the memory cgroups of
 * this process, of the first version or the second, leave of it.  Maps are charged to
 * the cgroup of who makes them.  A cgroup that is not seen here (of a container, by its
 * name outside) is as good as none, but for the uppermost.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "kern/kern_priv.h"
#include "util/cleanup.h"

enum { LINE = 4096 + 64, PATHS = 2 * LINE };

/* The number that the file has, unless it is more than most. */
static uint64_t
at_most(uint64_t most, const char *path)
{
	CLEANUP(util_fclosep) FILE *f = fopen(path, "re");
	uint64_t v;

	return f && fscanf(f, "%" SCNu64, &v) == 1 ? BASE_MIN(v, most) : most;
}

/* A line: NUMBER:CONTROLLERS:PATH.  Its cgroup's limit, and those of all above it. */
static uint64_t
of_line(char *line, const char *fs, uint64_t most)
{
	char *controllers = strchr(line, ':'), path[PATHS];
	char *name = controllers ? strchr(controllers + 1, ':') : NULL;

	if (!name)
		return most;
	*name++ = '\0';
	name[strcspn(name, "\n")] = '\0';
	bool is_second = !controllers[1];
	if (!is_second && strcmp(controllers + 1, "memory") != 0)
		return most;
	for (char *end = name + strlen(name);; end = strrchr(name, '/')) {
		if (end)
			*end = '\0';
		snprintf(path, sizeof(path), "%s%s%s/%s", fs,
			 is_second ? "" : "/memory", name,
			 is_second ? "memory.max" : "memory.limit_in_bytes");
		most = at_most(most, path);
		if (!end || !*name)
			return most;
	}
}

uint64_t
kern_memory_in(uint64_t machine, const char *cgroups, const char *fs)
{
	CLEANUP(util_fclosep) FILE *f = fopen(cgroups, "re");
	char line[LINE];

	while (f && fgets(line, sizeof(line), f))
		machine = of_line(line, fs, machine);
	return machine;
}

uint64_t
kern_memory(void)
{
	return kern_memory_in((uint64_t)sysconf(_SC_PHYS_PAGES) *
			      (uint64_t)sysconf(_SC_PAGESIZE),
			      "/proc/self/cgroup", "/sys/fs/cgroup");
}
