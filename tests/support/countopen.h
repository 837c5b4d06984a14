/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How many files this process has open, for who must leave as many.
 */
#ifndef TESTS_SUPPORT_COUNTOPEN_H
#define TESTS_SUPPORT_COUNTOPEN_H

#include <dirent.h>
#include <stdlib.h>

/* One more than there are, for the folder; always the same. */
static inline unsigned
count_open(void)
{
	DIR *d = opendir("/proc/self/fd");
	unsigned n = 0;

	if (!d)
		abort();
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

#endif
