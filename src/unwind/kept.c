/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A file has a head and the rows, as this machine has them in memory.  It is called after
 * the build ids of the program that wrote it and of what it is about: who reads another
 * program's has another idea of what rows mean.
 *
 * It is written under another name and then renamed, so whoever reads it finds it whole;
 * but it is not waited for until it is on the disk, and a machine may lose its power:
 * hence the sum.  Nothing is believed that others could have written.
 *
 *  1. A table that is read is one that could have been made: its rows ascend from 0.
 */
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "sym/file.h"
#include "unwind/kept.h"
#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/vec.h"

enum {
	ROWS_MIN = 4096,	/* fewer are made in no more time */
	SIZE_MAX_ALL = 256 << 20,	/* bytes of all files */
	USED_S = 24 * 3600,	/* how exactly it is known when one was used */
	NAME_SIZE = 4 * SYM_BUILD_ID_MAX + 16,
};

struct unwind_kept {
	int dir;
	bool is_counted;
	uint64_t used;		/* bytes of all files, once they are counted */
	char own[2 * SYM_BUILD_ID_MAX + 1];
};

struct head {
	char magic[8];
	uint64_t file_size;	/* bytes, of what it is about */
	uint64_t n;		/* rows */
	uint32_t nbad_fdes, ninexpressible;
	uint64_t sum;		/* of all else */
};

static const char MAGIC[8] = "unwind 2";

static uint64_t
add_words(uint64_t sum, const void *from, size_t bytes)
{
	const char *p = from;
	uint64_t word;

	for (size_t i = 0; i < bytes; i += sizeof(word)) {
		memcpy(&word, p + i, sizeof(word));
		sum = (sum ^ word) * 0x100000001b3;
		sum ^= sum >> 29;
	}
	return sum;
}

static uint64_t
sum_of(const struct head *h, const struct abi_unwind_row *rows)
{
	_Static_assert(offsetof(struct head, sum) % 8 == 0 && sizeof(*rows) == 8,
		       "words");
	return add_words(add_words(0xcbf29ce484222325, h,
				   offsetof(struct head, sum)),
			 rows, (size_t)h->n * sizeof(*rows));
}

static void
put_hex(char *to, const uint8_t *id, size_t n)
{
	for (size_t i = 0; i < n; i++)
		snprintf(to + 2 * i, 3, "%02x", id[i]);
}

/* --- The folder -------------------------------------------------------------------- */

static bool
is_ours(const struct stat *st)
{
	return st->st_uid == geteuid() && !(st->st_mode & (S_IWGRP | S_IWOTH));
}

struct unwind_kept *
unwind_kept_open(const char *dir)
{
	uint8_t id[SYM_BUILD_ID_MAX];
	size_t n = sym_own_build_id(id);
	struct unwind_kept *k;
	struct stat st;

	if (!n || (mkdir(dir, 0700) && errno != EEXIST))
		return NULL;
	k = util_zalloc(sizeof(*k));
	if (!k)
		return NULL;
	put_hex(k->own, id, BASE_MIN(n, (size_t)8));
	k->dir = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (k->dir < 0 || fstat(k->dir, &st) || !is_ours(&st)) {
		unwind_kept_close(k);
		return NULL;
	}
	return k;
}

void
unwind_kept_close(struct unwind_kept *k)
{
	if (!k)
		return;
	if (k->dir >= 0)
		close(k->dir);
	util_free(k);
}

struct old {
	char name[NAME_SIZE];
	time_t used;
	off_t size;
};

static int
by_use(const void *a, const void *b)
{
	const struct old *x = a, *y = b;

	return (x->used > y->used) - (x->used < y->used);
}

/* So that there is room for as many bytes, what was not used for the longest time
 * goes. */
static void
make_room(struct unwind_kept *k, uint64_t bytes)
{
	int fd = openat(k->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	VEC(struct old) all = { 0 };
	const struct dirent *e;
	struct stat st;

	k->used = bytes;
	k->is_counted = d;
	if (!d) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((e = readdir(d))) {
		struct old o = { .size = 0 };
		size_t n = strlen(e->d_name);
		if (e->d_name[0] == '.' || n >= sizeof(o.name) ||
		    fstatat(k->dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(st.st_mode))
			continue;
		memcpy(o.name, e->d_name, n + 1);
		o.used = st.st_mtime;
		o.size = st.st_size;
		k->used += (uint64_t)o.size;
		(void)!vec_push(&all, o);
	}
	closedir(d);
	if (k->used > SIZE_MAX_ALL)
		qsort(all.v, all.n, sizeof(*all.v), by_use);
	for (size_t i = 0; i < all.n && k->used > SIZE_MAX_ALL; i++)
		if (!unlinkat(k->dir, all.v[i].name, 0))
			k->used -= (uint64_t)all.v[i].size;
	vec_fini(&all);
}

/* --- A file ------------------------------------------------------------------------ */

static bool
read_whole(int fd, void *to, size_t n)
{
	return read(fd, to, n) == (ssize_t)n;
}

static bool
is_table(const struct head *h, const struct abi_unwind_row *rows)
{
	if (!h->n || rows[0].pc || sum_of(h, rows) != h->sum)
		return false;
	for (size_t i = 1; i < h->n; i++)
		if (rows[i].pc <= rows[i - 1].pc)			/* 1 */
			return false;
	return true;
}

static bool
read_kept(const struct unwind_kept *k, const char *name, uint64_t file_size,
	  size_t max, struct unwind_table *ret)
{
	CLEANUP(util_closep) int fd = openat(k->dir, name,
		O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	struct head h;

	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || !is_ours(&st) ||
	    !read_whole(fd, &h, sizeof(h)) ||
	    memcmp(h.magic, MAGIC, sizeof(MAGIC)) || h.file_size != file_size ||
	    h.n > max || (uint64_t)st.st_size != sizeof(h) + h.n * sizeof(*ret->rows))
		return false;
	size_t bytes = (size_t)h.n * sizeof(*ret->rows);
	struct abi_unwind_row *rows = util_alloc(bytes);
	if (!rows || !read_whole(fd, rows, bytes) || !is_table(&h, rows)) {
		util_free(rows);
		return false;
	}
	*ret = (struct unwind_table){ rows, (size_t)h.n, h.nbad_fdes,
				      h.ninexpressible };
	if (time(NULL) - st.st_mtime > USED_S)
		(void)!futimens(fd, NULL);
	return true;
}

static bool
write_whole(int fd, const void *from, size_t n)
{
	for (ssize_t done; n; from = (const char *)from + done, n -= (size_t)done)
		if ((done = write(fd, from, n)) <= 0)
			return false;
	return true;
}

static void
write_kept(struct unwind_kept *k, const char *name, uint64_t file_size,
	   const struct unwind_table *t)
{
	struct head h = { .file_size = file_size, .n = t->n,
		.nbad_fdes = t->nbad_fdes, .ninexpressible = t->ninexpressible };
	uint64_t bytes = sizeof(h) + t->n * sizeof(*t->rows);
	char fresh[NAME_SIZE];

	memcpy(h.magic, MAGIC, sizeof(MAGIC));
	h.sum = sum_of(&h, t->rows);
	k->used += bytes;
	if (!k->is_counted || k->used > SIZE_MAX_ALL)
		make_room(k, bytes);
	snprintf(fresh, sizeof(fresh), "new-%d", (int)getpid());
	CLEANUP(util_closep) int fd = openat(k->dir, fresh,
		O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	if (!write_whole(fd, &h, sizeof(h)) ||
	    !write_whole(fd, t->rows, t->n * sizeof(*t->rows)) ||
	    renameat(k->dir, fresh, k->dir, name))
		unlinkat(k->dir, fresh, 0);
}

struct err *
unwind_kept_table(struct unwind_kept *k, int fd, size_t max,
		  struct unwind_table *ret)
{
	uint8_t id[SYM_BUILD_ID_MAX];
	char name[NAME_SIZE];
	struct stat st;

	size_t n = k && !fstat(fd, &st) && st.st_size > ROWS_MIN * 8 ?
		   sym_elf_build_id(fd, id) : 0;
	if (!n)
		return unwind_file_table(fd, max, ret);
	int at = snprintf(name, sizeof(name), "%s-", k->own);
	assert(at > 0 && (size_t)at + 2 * n < sizeof(name));
	put_hex(name + at, id, n);
	if (read_kept(k, name, (uint64_t)st.st_size, max, ret))
		return NULL;
	TRY(unwind_file_table(fd, max, ret));
	if (ret->n >= ROWS_MIN)
		write_kept(k, name, (uint64_t)st.st_size, ret);
	return NULL;
}
