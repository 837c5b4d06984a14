/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How many CPUs there may be, and which are there.
 *
 * The number of possible ones decides how many bytes the kernel writes when it
 * is asked for an element of a per-CPU map, so a guess will not do where sysfs
 * is not mounted: then such an element tells.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/base.h"
#include "kern/kern_priv.h"
#include "util/alloc.h"
#include "util/cleanup.h"

enum { CPUS_MAX = 1 << 16 };	/* the kernel's own limit is 8192 */

unsigned
kern_ncpus_of_map(void)
{
	uint32_t zero = 0;
	unsigned n = 0;
	CLEANUP(util_freep) uint64_t *v = util_alloc(CPUS_MAX * sizeof(*v));
	CLEANUP(util_closep) int fd = bpf_map_create(BPF_MAP_TYPE_PERCPU_ARRAY,
		"dt_cpus", sizeof(zero), sizeof(*v), 1, NULL);

	if (!v || fd < 0)
		return 0;
	memset(v, 0xff, CPUS_MAX * sizeof(*v));
	if (bpf_map_lookup_elem(fd, &zero, v))
		return 0;
	while (n < CPUS_MAX && !v[n])
		n++;
	return n;
}

unsigned
kern_ncpus(void)
{
	static unsigned known;	/* it never changes */

	kern_log_quiet();
	int n = known ? (int)known : libbpf_num_possible_cpus();

	if (n <= 0)
		n = (int)kern_ncpus_of_map();
	if (n <= 0)		/* nobody may have maps, then */
		return (unsigned)BASE_MAX(sysconf(_SC_NPROCESSORS_CONF), 1L);
	known = (unsigned)n;
	return known;
}

/* Lists of ranges, as in "0-3,8". */
static unsigned
read_list(FILE *f, uint8_t *mask, unsigned n)
{
	unsigned low, high, count = 0;
	int c = ',';

	while (c == ',' && fscanf(f, "%u", &low) == 1) {
		high = low;
		c = fgetc(f);
		if (c == '-') {
			if (fscanf(f, "%u", &high) != 1)
				break;
			c = fgetc(f);
		}
		for (; low <= high && low < n; low++) {
			count += !mask[low];
			mask[low] = 1;
		}
	}
	return count;
}

unsigned
kern_online(uint8_t *mask, unsigned n)
{
	CLEANUP(util_fclosep) FILE *f =
		fopen("/sys/devices/system/cpu/online", "re");
	unsigned count = 0;

	memset(mask, 0, n);
	if (f)
		count = read_list(f, mask, n);
	if (!count && n) {		/* sysfs is not there */
		long online = sysconf(_SC_NPROCESSORS_ONLN);
		for (; count < n && (long)count < online; count++)
			mask[count] = 1;
	}
	return count;
}
