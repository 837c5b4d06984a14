/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where the files of anonymous tracing are.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/anon.h"

const char *cmd_anon_root = "";

const char *
cmd_anon_path(const char *name)
{
	static char room[4][PATH_MAX];
	static unsigned turn;
	char *to = room[turn++ % 4];

	if (snprintf(to, PATH_MAX, "%s/%s", cmd_anon_root, name) < PATH_MAX)
		return to;
	cmd_message("--anon-root: the name is too long");
	cmd_finish(E_USAGE);
}

bool
cmd_anon_folders(const char *path, mode_t mode)
{
	char dir[PATH_MAX];

	snprintf(dir, sizeof(dir), "%s", path);
	for (char *p = dir + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = '\0';
		if (mkdir(dir, mode) && errno != EEXIST)
			return false;
	}
	return true;
}
