/* SPDX-License-Identifier: BSD-2-Clause
 *
 * /proc/PID/maps and auxv, for who wants to know what a process has mapped now, and what
 * it was told when it began.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sym/maps.h"
#include "sym/process_priv.h"
#include "util/cleanup.h"

enum { LINE_SIZE = 8192 };

struct err *
sym_maps_read(int pid, sym_maps_fn *fn, void *ctx)
{
	char path[32], line[LINE_SIZE];
	struct sym_mapping m;
	bool whole = true;	/* does what is read begin a line? */

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	CLEANUP(util_fclosep) FILE *f = fopen(path, "re");
	if (!f && (errno == ENOENT || errno == ESRCH))
		return err_new(ERR_NOTFOUND, errno, "there is no process %d",
			       pid);
	if (!f)
		return err_new(ERR_OS, errno, "process %d cannot be looked "
			       "at: %s", pid, strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		bool begins = whole;
		whole = strchr(line, '\n');
		if (begins && sym_process_parse_line(line, &m))
			TRY(fn(ctx, &m));
	}
	return NULL;
}

int
sym_maps_open(int pid, const struct sym_mapping *m)
{
	char path[80];

	snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx", pid,
		 (unsigned long long)m->start,
		 (unsigned long long)(m->start + m->size));
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

bool
sym_auxv(int pid, size_t word, uint64_t type, uint64_t *ret)
{
	uint64_t is = 0, value = 0;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/auxv", pid);
	CLEANUP(util_fclosep) FILE *f = fopen(path, "re");
	while (f && fread(&is, word, 1, f) == 1 && fread(&value, word, 1, f) == 1)
		if (is == type) {
			*ret = value;
			return true;
		}
	return false;
}
