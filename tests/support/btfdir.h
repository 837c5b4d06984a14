/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A directory that looks like /sys/kernel/btf, with what a test writes there.  The
 * test calls its template `dir`, as mkdtemp() wants it.
 */
#ifndef SUPPORT_BTFDIR_H
#define SUPPORT_BTFDIR_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "btfwriter.h"

static char dir[];

static inline const char *
file(const char *name)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static inline void
save_bytes(const void *p, size_t size, const char *name)
{
	FILE *f = fopen(file(name), "w");

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

static inline void
save(const struct btfw *w, const char *name)
{
	size_t size;
	uint8_t *p = btfw_file(w, &size);

	save_bytes(p, size, name);
	free(p);
}

/* A module that cannot be read. */
static inline void
save_broken(const char *name)
{
	static const char text[] =
		"this is no BTF, but long enough to be one\n";

	save_bytes(text, sizeof(text) - 1, name);
}

/* 0: the directory is gone, and all that was in it. */
static inline int
remove_dir(void)
{
	DIR *d = opendir(dir);

	if (!d)
		return -1;
	for (const struct dirent *e; (e = readdir(d)); )
		unlink(file(e->d_name));
	closedir(d);
	return rmdir(dir);
}

#endif
