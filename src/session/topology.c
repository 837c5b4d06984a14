/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which package and which memory node a CPU belongs to, and how fast its clock
 * is.  The kernel keeps that in variables that no probe can find, but tells it in
 * sysfs and /proc/cpuinfo; so it becomes the
 * text of a library, which is made when cpu.d asks for one of its names:
 *
 *	inline int __chip[int CPU] = CPU < 8 ? 0 : CPU < 16 ? 1 : 0;
 *
 * Neighbours mostly have the same number, so a range each will do.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/program_priv.h"

#define CPUS "/sys/devices/system/cpu"

enum { RANGES_MAX = 256 };	/* what is not told is 0 */

static int
package_of(unsigned cpu)
{
	char path[128];
	int id = 0;

	snprintf(path, sizeof(path), CPUS "/cpu%u/topology/physical_package_id",
		 cpu);
	FILE *f = fopen(path, "re");
	if (!f)
		return 0;
	if (fscanf(f, "%d", &id) != 1 || id < 0)
		id = 0;
	fclose(f);
	return id;
}

/* A CPU's directory has a link "node3" to its node. */
static int
node_of(unsigned cpu)
{
	char path[128];
	struct dirent *e;
	int id = 0;

	snprintf(path, sizeof(path), CPUS "/cpu%u", cpu);
	DIR *d = opendir(path);
	while (d && (e = readdir(d)))
		if (sscanf(e->d_name, "node%d", &id) == 1)
			break;
	if (d)
		closedir(d);
	return id;
}

/* The clocks of all CPUs into mhz[n]; 0: not known. */
static void
read_clocks(int *mhz, unsigned n)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	char line[512];
	unsigned cpu = n;
	double v;

	memset(mhz, 0, n * sizeof(*mhz));
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "processor : %u", &cpu) == 1)
			continue;
		if (cpu < n && sscanf(line, "cpu MHz : %lf", &v) == 1)
			mhz[cpu] = (int)v;
	}
	if (f)
		fclose(f);
}

void
session_topology_inline(struct sb *b, const char *name, const int *ids,
			unsigned n)
{
	unsigned ranges = 0;

	sb_printf(b, "inline int %s[int CPU] =\n", name);
	for (unsigned i = 1; i <= n && ranges < RANGES_MAX; i++) {
		if (i < n && ids[i] == ids[i - 1])
			continue;
		sb_printf(b, "\tCPU < %u ? %d :\n", i, ids[i - 1]);
		ranges++;
	}
	sb_puts(b, "\t0;\n");
}

const char *
session_topology(struct session *s)
{
	unsigned n = kern_ncpus();
	int *ids = ARENA_ARRAY(s->a, int, n + 1);
	struct sb b;

	if (!ids)
		return NULL;
	sb_init(&b, 1 << 20);
	for (unsigned i = 0; i < n; i++)
		ids[i] = package_of(i);
	session_topology_inline(&b, "__chip", ids, n);
	for (unsigned i = 0; i < n; i++)
		ids[i] = node_of(i);
	session_topology_inline(&b, "__node", ids, n);
	read_clocks(ids, n);
	session_topology_inline(&b, "__mhz", ids, n);
	const char *text = b.failed ? NULL : arena_strdup(s->a, sb_str(&b));
	sb_fini(&b);
	return text;
}
