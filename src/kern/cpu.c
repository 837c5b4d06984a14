/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include "kern/kern_priv.h"
#include "util/cleanup.h"

unsigned
kern_ncpus(void)
{
	int n = libbpf_num_possible_cpus();

	if (n <= 0)
		n = (int)sysconf(_SC_NPROCESSORS_CONF);
	return n > 0 ? (unsigned)n : 1;
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
