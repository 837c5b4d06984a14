/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Programs that compile while they run (Java, JavaScript, .NET) write where
 * they put what, a line "START SIZE name" for each function, to
 * /tmp/perf-PID.map, PID and /tmp being what the process takes for them.
 *
 * Anybody may write to /tmp, and what stands there goes to a terminal: a file
 * counts only when it belongs to the process's user or to root, symbolic links
 * are not followed, and control characters are replaced.
 *
 * The file grows, and old places are used again.  It is read whole again when
 * it has become longer, but not more often than ten times a second, and not if
 * that took more than a twentieth of the time; of lines for one place the last
 * counts.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "sym/jit_priv.h"
#include "sym/maps.h"
#include "sym/text_priv.h"
#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/clock.h"

enum {
	FILE_MAX = 256 << 20,		/* bytes */
	LINES_MAX = 1 << 22,		/* those behind are not read */
	AGAIN_NS = 100 * 1000 * 1000,
	SHARE = 20,
	LOOK_BACK = 8,
};

void
sym_jit_init(struct jit *j)
{
	*j = (struct jit){ .owner = 0 };
}

void
sym_jit_fini(struct jit *j)
{
	vec_fini(&j->all);
	vec_fini(&j->names);
}

/* --- Whose ---------------------------------------------------------------- */

/* The last number of the line NSpid: what the innermost container says. */
static int
inner_pid(int pid)
{
	char path[64], line[256];

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	CLEANUP(util_fclosep) FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (strncmp(line, "NSpid:", 6))
			continue;
		const char *last = strrchr(line, '\t');
		return last ? atoi(last + 1) : 0;
	}
	return 0;
}

void
sym_jit_meet(struct jit *j, int pid)
{
	char path[64];
	struct stat st;

	if (j->has_owner)
		return;
	snprintf(path, sizeof(path), "/proc/%d", pid);
	if (stat(path, &st) < 0)
		return;
	j->owner = st.st_uid;
	j->has_owner = true;
	j->inner_pid = inner_pid(pid);
}

/* --- Reading -------------------------------------------------------------- */

static int
by_addr(const void *x, const void *y)
{
	const struct jit_sym *a = x, *b = y;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

static bool
parse_line(struct jit *j, const char *s, const char *end)
{
	struct jit_sym y = { .name = (uint32_t)j->names.n,
			     .line = (uint32_t)j->all.n };
	char *next;

	y.addr = strtoull(s, &next, 16);
	if (next == s || *next != ' ')
		return true;
	s = next + 1;
	y.size = strtoull(s, &next, 16);
	if (next == s || *next != ' ' || next + 1 >= end)
		return true;
	s = next + 1;
	size_t n = (size_t)(end - s);
	if (!vec_reserve(&j->names, n + 1))
		return false;
	char *to = j->names.v + j->names.n;
	memcpy(to, s, n);
	sym_make_plain(to, n);
	to[n] = '\0';
	j->names.n += n + 1;
	return vec_push(&j->all, y);
}

void
sym_jit_parse(struct jit *j, const char *text, size_t n)
{
	const char *end = text + n;

	j->all.n = j->names.n = 0;
	while (text < end && j->all.n < LINES_MAX) {
		const char *nl = memchr(text, '\n', (size_t)(end - text));
		if (!nl || !parse_line(j, text, nl))
			break;	/* half a line is still being written */
		text = nl + 1;
	}
	if (j->all.n)
		qsort(j->all.v, j->all.n, sizeof(*j->all.v), by_addr);
}

static int
open_map(struct jit *j, int pid)
{
	enum { FLAGS = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK };
	char path[96];
	int fd;

	snprintf(j->title, sizeof(j->title), "perf-%d.map",
		 j->inner_pid ? j->inner_pid : pid);
	snprintf(path, sizeof(path), "/proc/%d/root/tmp/%s", sym_living(pid), j->title);
	fd = open(path, FLAGS);
	if (fd >= 0)
		return fd;
	snprintf(path, sizeof(path), "/tmp/%s", j->title);
	return open(path, FLAGS);
}

static void
read_map(struct jit *j, int fd, size_t size)
{
	char *text = util_alloc(size + 1);
	size_t n = 0;

	while (text && n < size) {
		ssize_t got = read(fd, text + n, size - n);
		if (got <= 0)
			break;
		n += (size_t)got;
	}
	if (text) {
		text[n] = '\0';
		sym_jit_parse(j, text, n);
	}
	util_free(text);
}

static void
update(struct jit *j, int pid)
{
	struct stat st;

	sym_jit_meet(j, pid);
	CLEANUP(util_closep) int fd = open_map(j, pid);
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    st.st_size > FILE_MAX || st.st_size == j->size)
		return;
	if (st.st_uid != 0 && (!j->has_owner || st.st_uid != j->owner))
		return;
	j->size = st.st_size;
	read_map(j, fd, (size_t)st.st_size);
}

/* --- Questions ------------------------------------------------------------ */

static const struct jit_sym *
find(const struct jit *j, uint64_t addr)
{
	const struct jit_sym *best = NULL;
	size_t n = BASE_HOW_MANY(i, j->all.n, j->all.v[i].addr <= addr);

	for (size_t i = n; i > 0 && n - i < LOOK_BACK; i--) {
		const struct jit_sym *s = &j->all.v[i - 1];
		if (addr - s->addr < s->size && (!best || s->line > best->line))
			best = s;
	}
	return best;
}

const struct jit_sym *
sym_jit_find(struct jit *j, int pid, uint64_t addr, uint64_t now_ns)
{
	if (now_ns >= j->next_ns) {
		uint64_t start = clock_ns();
		update(j, pid);
		uint64_t cost = clock_ns() - start;
		j->next_ns = now_ns + BASE_MAX(cost * SHARE, (uint64_t)AGAIN_NS);
	}
	return find(j, addr);
}

const char *
sym_jit_name(const struct jit *j, const struct jit_sym *s)
{
	return j->names.v + s->name;
}
