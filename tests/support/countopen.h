/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How many files this process has open, for who must leave as many.
 */
#ifndef TESTS_SUPPORT_COUNTOPEN_H
#define TESTS_SUPPORT_COUNTOPEN_H

#include <dirent.h>
#include <stdio.h>
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

/* The set-up and the tear-down of a test that leaves as many open as it found. */
static unsigned count_open_found;

static inline int
count_open_begin(void **state)
{
	count_open_found = count_open();
	return 0;
}

static inline int
count_open_end(void **state)
{
	unsigned n = count_open();

	if (n != count_open_found)
		fprintf(stderr, "%u files open, and %u at first\n", n, count_open_found);
	return n != count_open_found;
}

#endif
