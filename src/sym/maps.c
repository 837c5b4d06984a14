/* SPDX-License-Identifier: BSD-2-Clause
 *
 * /proc/PID/maps and auxv, for who wants to know what a process has mapped now, and what
 * it was told when it began.
 */
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "sym/maps.h"
#include "sym/process_priv.h"
#include "util/cleanup.h"

enum { LINE_SIZE = 8192, PATH_SIZE = 4096 + 64 };

/* Who has ended has no memory, so no program. */
static bool
has_memory(int pid)
{
	char path[32], target;

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	return readlink(path, &target, 1) >= 0 || (errno != ENOENT && errno != ESRCH);
}

struct err *
sym_processes(struct err *(*fn)(void *ctx, int pid), void *ctx)
{
	DIR *dir = opendir("/proc");
	struct err *e = dir ? NULL : err_new(ERR_OS, errno, "/proc cannot be read: %s",
					     strerror(errno));

	for (struct dirent *d; !e && (d = readdir(dir)); )
		if (atoi(d->d_name) > 0)
			e = fn(ctx, atoi(d->d_name));
	if (dir)
		closedir(dir);
	return e;
}

int
sym_lives(int pid)
{
	char path[32];
	int found = 0;

	if (has_memory(pid))
		return pid;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	DIR *threads = opendir(path);
	for (struct dirent *d; threads && !found && (d = readdir(threads)); ) {
		int tid = atoi(d->d_name);
		if (tid > 0 && tid != pid && has_memory(tid))
			found = tid;
	}
	if (threads)
		closedir(threads);
	return found;
}

int
sym_living(int pid)
{
	int tid = sym_lives(pid);

	return tid ? tid : pid;
}

struct err *
sym_maps_read(int pid, sym_maps_fn *fn, void *ctx)
{
	char path[32], line[LINE_SIZE];
	struct sym_mapping m;
	bool whole = true;	/* does what is read begin a line? */

	snprintf(path, sizeof(path), "/proc/%d/maps", sym_living(pid));
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

size_t
sym_maps_path(const char *path)
{
	static const char deleted[] = " (deleted)";
	size_t n = strlen(path), k = sizeof(deleted) - 1;

	return n > k && strcmp(path + n - k, deleted) == 0 ? n - k : n;
}

static bool
is_same_device(const struct stat *st, const struct sym_mapping *m)
{
	return ((uint64_t)major(st->st_dev) << 32 | minor(st->st_dev)) == m->dev;
}

/* Some file systems tell another device than their mappings have, none of the kind that
 * disks have; overlayfs perhaps also another inode: then it must do that it is there. */
static bool
may_be_same(int fd, const struct stat *st, const struct sym_mapping *m)
{
	struct statfs fs;

	if (is_same_device(st, m))
		return st->st_ino == m->inode;
	return !major(st->st_dev) &&
	       (st->st_ino == m->inode ||
		(!fstatfs(fd, &fs) && fs.f_type == OVERLAYFS_SUPER_MAGIC));
}

int
sym_maps_open_same(const char *path, const struct sym_mapping *m)
{
	CLEANUP(util_closep) int at = open(path, O_PATH | O_CLOEXEC);
	char self[64];
	struct stat st;

	if (at < 0 || fstat(at, &st) < 0)
		return -1;
	if (!S_ISREG(st.st_mode) || !may_be_same(at, &st, m)) {
		errno = ENOENT;
		return -1;
	}
	snprintf(self, sizeof(self), "/proc/self/fd/%d", at);
	return open(self, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

/* Is fd the mapping's file?  Where neither number can be compared its path tells. */
static bool
is_of(int fd, const struct sym_mapping *m)
{
	char self[64], path[PATH_SIZE];
	struct stat st;

	if (fstat(fd, &st) < 0)
		return false;
	if (st.st_ino == m->inode || is_same_device(&st, m))
		return st.st_ino == m->inode;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	ssize_t n = readlink(self, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = '\0';
	return n > 0 && sym_maps_path(path) == sym_maps_path(m->path) &&
	       memcmp(path, m->path, sym_maps_path(path)) == 0;
}

static bool
is_refused(void)
{
	return errno == EPERM || errno == EACCES;
}

/* map_files takes more than to look at the process: CAP_SYS_ADMIN or
 * CAP_CHECKPOINT_RESTORE; and its root more than its maps, which CAP_PERFMON shows.  By now another file may be mapped there, as by a process that
 * unloads one library and loads the next. */
int
sym_maps_open(int pid, const struct sym_mapping *m)
{
	char path[PATH_SIZE];

	pid = sym_living(pid);
	snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx", pid,
		 (unsigned long long)m->start,
		 (unsigned long long)(m->start + m->size));
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 && is_refused()) {
		snprintf(path, sizeof(path), "/proc/%d/root%s", pid, m->path);
		fd = sym_maps_open_same(path, m);
		return fd < 0 && is_refused() ? sym_maps_open_same(m->path, m) : fd;
	}
	if (fd < 0 || is_of(fd, m))
		return fd;
	close(fd);
	errno = ENOENT;
	return -1;
}

bool
sym_auxv(int pid, size_t word, uint64_t type, uint64_t *ret)
{
	uint64_t is = 0, value = 0;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/auxv", sym_living(pid));
	CLEANUP(util_fclosep) FILE *f = fopen(path, "re");
	while (f && fread(&is, word, 1, f) == 1 && fread(&value, word, 1, f) == 1)
		if (is == type) {
			*ret = value;
			return true;
		}
	return false;
}

/* Bytes; 0: it cannot be read. */
static size_t
word_of(int pid)
{
	unsigned char ident[EI_NIDENT];
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	CLEANUP(util_closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || pread(fd, ident, sizeof(ident), 0) != sizeof(ident))
		return 0;
	return ident[EI_CLASS] == ELFCLASS32 ? 4 : 8;
}

/* What the kernel keeps in memory of the process: the path that it executed. */
static bool
read_executed(int pid, char *ret, size_t size)
{
	size_t word = word_of(pid);
	char path[32];
	uint64_t at;
	ssize_t n = -1;

	if (!word || !sym_auxv(pid, word, AT_EXECFN, &at))
		return false;
	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	CLEANUP(util_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		n = pread(fd, ret, size, (off_t)at);
	return n > 0 && strnlen(ret, (size_t)n) < (size_t)n;
}

bool
sym_executed_as(int pid, const char *name, char *ret, size_t size)
{
	char by[4096], exe[32], path[4096 + 64];
	struct stat is, led;

	pid = sym_living(pid);
	if (!read_executed(pid, by, sizeof(by)))
		return false;
	snprintf(exe, sizeof(exe), "/proc/%d/exe", pid);
	snprintf(path, sizeof(path), "/proc/%d/%s/%s", pid,
		 *by == '/' ? "root" : "cwd", by);
	const char *last = strrchr(path, '/') + 1;
	if (!strcmp(last, name) || stat(exe, &is) || stat(path, &led) ||
	    is.st_dev != led.st_dev || is.st_ino != led.st_ino)
		return false;
	return (size_t)snprintf(ret, size, "%s", last) < size;
}
