/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A time namespace has a CLOCK_MONOTONIC of its own, a fixed time before or behind the
 * kernel's, by which BPF programs and perf events tell when something was.  What is
 * compared with those, or gets there, must be the kernel's; what a system call is to wait for
 * must be ours.
 *
 * timens_offsets is of the namespace that children get.  That is another one than ours only
 * in a process that called unshare(2) itself; then the difference is not known, and 0.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "util/cleanup.h"
#include "util/clock.h"

enum { SECOND = 1000000000 };

static int64_t offset;		/* ns; set once */

static bool
read_link(const char *proc, const char *name, char ret[static 64])
{
	char path[256];

	snprintf(path, sizeof(path), "%s/ns/%s", proc, name);
	ssize_t n = readlink(path, ret, 63);
	ret[n > 0 ? n : 0] = 0;
	return n > 0;
}

int64_t
clock_offset_of(const char *proc)
{
	char path[256], line[128], ours[64], childrens[64];
	int64_t s, ns;

	if (!read_link(proc, "time", ours) ||
	    !read_link(proc, "time_for_children", childrens) || strcmp(ours, childrens))
		return 0;
	snprintf(path, sizeof(path), "%s/timens_offsets", proc);
	CLEANUP(util_fclosep) FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "monotonic %" SCNd64 " %" SCNd64, &s, &ns) == 2)
			return s * SECOND + ns;
	return 0;
}

struct timespec
clock_moved(uint64_t ns, int64_t by)
{
	uint64_t at = by < 0 ? ns - BASE_MIN(ns, -(uint64_t)by) :
		ns + BASE_MIN(UINT64_MAX - ns, (uint64_t)by);

	at = BASE_MAX(at, (uint64_t)1);
	return (struct timespec){ (time_t)(at / SECOND), (long)(at % SECOND) };
}

static void
read_offset(void)
{
	offset = clock_offset_of("/proc/self");
}

static int64_t
our_offset(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, read_offset);
	return offset;
}

uint64_t
clock_ns(void)
{
	int64_t by = our_offset();
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * SECOND + (uint64_t)ts.tv_nsec - (uint64_t)by;
}

struct timespec
clock_local(uint64_t ns)
{
	return clock_moved(ns, our_offset());
}
