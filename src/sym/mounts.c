/* SPDX-License-Identifier: BSD-2-Clause
 *
 * File systems that may not answer.
 *
 * What lies behind a network, or in the hands of another process (FUSE), may
 * hang, and with it whoever opens a file there; no signal helps.  A trace must
 * not, as its buffers would overflow.  So a file on such a file system is first
 * opened by a child, for which we wait a moment only.  If it does not come
 * back, nothing there is opened for a while, and addresses have no names.
 *
 * 1. What kind a file system is we learn without touching it: mountinfo has the
 *    type of each device.  statfs(2) would ask the one that hangs.
 * 2. Devices with a major number are disks, and not looked for.  Nearly all
 *    files lie there: that is the common case, and costs nothing.
 * 3. What is in no list (unmounted meanwhile, another container's) may be
 *    anything, and is asked.
 * 4. It is a child and no thread, since a process does not end before all of its
 *    threads do.  It has none of our descriptors, lest one that hangs keep
 *    probes attached, or a pipe open.
 *
 * A file system may still begin to hang between the answer and our turn.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "sym/maps.h"
#include "sym/mounts_priv.h"
#include "util/cleanup.h"
#include "util/clock.h"

#define SECOND 1000000000ull

enum { LINE_SIZE = 4 * 4096 };

/* A slow answer is none that hangs: the buffers hold what comes in a second. */
static const uint64_t wait_ns = SECOND, alive_ns = SECOND,
	      hung_ns = 10 * SECOND;

/* Types without a disk of their own that wait for nobody. */
static const char *const local_types[] = {
	"bcachefs", "btrfs", "devtmpfs", "hugetlbfs", "overlay", "proc",
	"ramfs", "rootfs", "sysfs", "tmpfs", "zfs",
};

void
sym_mounts_init(struct mounts *t)
{
	*t = (struct mounts){ .wait_ns = wait_ns };
}

/* A child that hangs is left to itself. */
static void
reap(struct mount *m)
{
	if (m->child && waitpid(m->child, NULL, WNOHANG))
		m->child = 0;
}

void
sym_mounts_fini(struct mounts *t)
{
	for (size_t i = 0; i < t->all.n; i++)
		reap(&t->all.v[i]);
	vec_fini(&t->all);
}

/* --- Kinds ---------------------------------------------------------------- */

bool
sym_mounts_parse(const char *line, uint64_t dev, bool *is_local)
{
	const char *dash = strstr(line, " - ");
	unsigned maj, min;
	char type[64];

	if (sscanf(line, "%*d %*d %u:%u", &maj, &min) != 2 ||
	    ((uint64_t)maj << 32 | min) != dev || !dash ||
	    sscanf(dash + 3, "%63s", type) != 1)
		return false;
	*is_local = false;
	for (size_t i = 0; i < BASE_NELEMS(local_types); i++)
		*is_local |= strcmp(type, local_types[i]) == 0;
	return true;
}

static bool
find_in(const char *path, uint64_t dev, bool *is_local)
{
	CLEANUP(util_fclosep) FILE *f = fopen(path, "re");
	bool begins = true;
	char line[LINE_SIZE];

	while (f && fgets(line, sizeof(line), f)) {
		if (begins && sym_mounts_parse(line, dev, is_local))
			return true;
		begins = strchr(line, '\n');
	}
	return false;
}

static bool
is_local(uint64_t dev, int pid)
{
	char path[64];
	bool local;

	snprintf(path, sizeof(path), "/proc/%d/mountinfo", sym_living(pid));
	return (find_in("/proc/self/mountinfo", dev, &local) ||
		find_in(path, dev, &local)) && local;
}

/* --- Asking --------------------------------------------------------------- */

/* True: it came back. */
static bool
await(struct mount *m, uint64_t most_ns)
{
	uint64_t end = clock_ns() + most_ns;

	for (;;) {
		reap(m);
		if (!m->child)
			return true;
		if (clock_ns() >= end)
			return false;
		nanosleep(&(struct timespec){ 0, 100000 }, NULL);
	}
}

static void
child(void (*touch)(void *ctx), void *ctx)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!syscall(SYS_close_range, 0, ~0u, 0))
		touch(ctx);
	_exit(0);
}

static void
ask(const struct mounts *t, struct mount *m, void (*touch)(void *ctx),
    void *ctx)
{
	reap(m);
	if (!m->child) {
		m->child = fork();
		if (m->child == 0)
			child(touch, ctx);
		m->answers = m->child > 0 && await(m, t->wait_ns);
		m->child = BASE_MAX(m->child, 0);
	}
	if (m->child)
		kill(m->child, SIGKILL);
	m->until_ns = clock_ns() + (m->answers ? alive_ns : hung_ns);
}

/* NULL: no memory. */
static struct mount *
get(struct mounts *t, uint64_t dev, int pid)
{
	struct mount m = { .dev = dev };

	for (size_t i = 0; i < t->all.n; i++)
		if (t->all.v[i].dev == dev)
			return &t->all.v[i];
	m.is_local = is_local(dev, pid);
	return vec_push(&t->all, m) ? &t->all.v[t->all.n - 1] : NULL;
}

bool
sym_mounts_answer(struct mounts *t, uint64_t dev, int pid,
		  void (*touch)(void *ctx), void *ctx)
{
	struct mount *m;

	if (dev >> 32)
		return true;
	m = get(t, dev, pid);
	if (!m)
		return false;
	if (!m->is_local && clock_ns() >= m->until_ns)
		ask(t, m, touch, ctx);
	return m->is_local || m->answers;
}
