/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Files of tracefs.  It may be mounted nowhere, or where only some can look, and
 * it is not ours to mount it for others to see.  So an instance is opened that
 * has no place in the tree of files: it is gone when its descriptor is closed.
 * (All instances show the same.)
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>
#include <linux/perf_event.h>

#include "prov/sdt_priv.h"
#include "prov/site.h"
#include "util/cleanup.h"

/* The list of all events has 60 KB. */
enum { TEXT_MAX = 1 << 26, PIECE = 1 << 16 };

static struct err *
os_error(const char *what)
{
	return err_new(ERR_OS, errno, "tracefs: %s: %s", what, strerror(errno));
}

static struct err *
open_root(int *ret)
{
	CLEANUP(util_closep) int fs = fsopen("tracefs", FSOPEN_CLOEXEC);

	if (fs < 0 || fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		return os_error("cannot open it");
	*ret = fsmount(fs, FSMOUNT_CLOEXEC,
		       MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID |
		       MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
	return *ret < 0 ? os_error("cannot open it") : NULL;
}

static struct err *
read_all(int fd, const char *file, struct sb *b)
{
	char piece[PIECE];
	ssize_t n;

	while ((n = read(fd, piece, sizeof(piece))))
		if (n > 0)
			sb_putn(b, piece, (size_t)n);
		else if (errno != EINTR)
			return os_error(file);
	return b->failed ? &err_nomem : NULL;
}

/* Lockdown may leave tracefs without files. */
static const char *
lockdown(void)
{
	struct sb b;

	sb_init(&b, PIECE);
	struct err *e = prov_file_read("/sys/kernel/security/lockdown", &b);
	bool is_closed = !e && strstr(sb_str(&b), "[confidentiality]");
	err_free(e);
	sb_fini(&b);
	return is_closed ? " (lockdown=confidentiality)" : "";
}

struct err *
prov_tracefs_read(const char *file, struct sb *b)
{
	CLEANUP(util_closep) int root = -1;
	CLEANUP(util_closep) int fd = -1;

	TRY(open_root(&root));
	fd = openat(root, file, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return err_new(ERR_OS, ENOENT, "tracefs: no file %s%s", file, lockdown());
	if (fd < 0)
		return os_error(file);
	return read_all(fd, file, b);
}

struct err *
prov_tracefs_event(const char *group, const char *name, struct abi_event *ret)
{
	char path[128];
	struct sb b;

	snprintf(path, sizeof(path), "events/%s/%s/id", group, name);
	sb_init(&b, TEXT_MAX);
	struct err *e = prov_tracefs_read(path, &b);
	if (!e)
		*ret = (struct abi_event){ .type = PERF_TYPE_TRACEPOINT,
			.config = strtoull(sb_str(&b), NULL, 10) };
	sb_fini(&b);
	return e;
}

struct err *
prov_file_read(const char *path, struct sb *b)
{
	CLEANUP(util_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return err_new(ERR_OS, errno, "%s: %s", path, strerror(errno));
	return read_all(fd, path, b);
}
