/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where the bytes come from: mapped when the file can be, else read.  (Old
 * kernels cannot map their BTF; reading copies all of it, 9 ms and more.)
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "btftypes/btftypes_priv.h"
#include "util/alloc.h"
#include "util/cleanup.h"

/* More than any kernel's; a file that goes on is not BTF. */
enum { MAX_FILE = 1 << 30 };

static struct err *
os_error(const char *path)
{
	return err_new(ERR_OS, errno, "%s: %s", path, strerror(errno));
}

/* All of fd, whose size is at most a guess.  *ret is the caller's to free. */
static struct err *
read_all(int fd, const char *path, size_t guess, void **ret, size_t *size)
{
	size_t n = 0, room = guess + 1;
	CLEANUP(util_freep) char *buf = NULL;

	for (;;) {
		if (!buf || n == room) {
			room = buf ? room * 2 : room;
			if (room > 2 * (size_t)MAX_FILE)
				return err_new(ERR_LIMIT, 0, "%s: too large",
					       path);
			char *more = util_realloc(buf, room);
			if (!more)
				return &err_nomem;
			buf = more;
		}
		ssize_t got = read(fd, buf + n, room - n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return os_error(path);
		if (got == 0)
			break;
		n += (size_t)got;
	}
	*ret = buf;
	*size = n;
	buf = NULL;
	return NULL;
}

/* b->map and, unless mapped, the size of what was read in *size. */
static struct err *
get_bytes(struct btftypes *b, const char *path, size_t *size)
{
	struct stat st;
	CLEANUP(util_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st) < 0)
		return os_error(path);
	*size = st.st_size > 0 && st.st_size < MAX_FILE ? st.st_size : 0;
	if (*size) {
		b->map = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (b->map != MAP_FAILED) {
			b->map_size = *size;
			return NULL;
		}
		b->map = NULL;
	}
	return read_all(fd, path, *size, &b->map, size);
}

static struct btftypes *
make(struct arena *a, struct btftypes *base, const char *module)
{
	struct btftypes *b = util_zalloc(sizeof(*b));

	if (!b)
		return NULL;
	b->arena = a;
	b->base = base;
	b->module = module;
	return b;
}

struct err *
btftypes_new(struct arena *a, const void *data, size_t size,
	     struct btftypes *base, const char *module, struct btftypes **ret)
{
	struct btftypes *b = make(a, base, module);
	struct err *e = b ? btftypes_header(b, data, size) : &err_nomem;

	if (e) {
		btftypes_free(b);
		return e;
	}
	*ret = b;
	return NULL;
}

struct err *
btftypes_open(struct arena *a, const char *path, struct btftypes *base,
	      const char *module, struct btftypes **ret)
{
	struct btftypes *b = make(a, base, module);
	size_t size = 0;
	struct err *e = b ? get_bytes(b, path, &size) : &err_nomem;

	if (!e)
		e = btftypes_header(b, b->map, size);
	if (e) {
		btftypes_free(b);
		return e;
	}
	*ret = b;
	return NULL;
}

void
btftypes_of_process(struct btftypes *b)
{
	b->is_user = true;
}

void
btftypes_free(struct btftypes *b)
{
	if (!b)
		return;
	btftypes_index_free(b);
	util_free(b->slots);
	hash_fini(&b->searched);
	if (b->map_size)
		munmap(b->map, b->map_size);
	else
		util_free(b->map);
	util_free(b);
}
