/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The kernel does not take its breakpoints out of a process again for somebody who is
 * being killed: while SIGKILL is pending it gives up (uprobe_unregister(), in its log
 * "failed to unregister, leaking uprobe"), and they stay for as long as that process
 * runs.  So attaching to many places, and leaving them, is done by a process that
 * nobody kills: it has this one's memory and descriptors, and is there for the length
 * of a call.  When this process is killed it ends that call, and then closes what is
 * left.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

#include "kern/kern_priv.h"
#include "util/alloc.h"

enum { STACK = 64 << 10 };

struct apart {
	int (*fn)(void *ctx);
	void *ctx;
	int ret;
};

static int
work(void *arg)
{
	struct apart *a = arg;

	a->ret = a->fn(a->ctx);
	return 0;
}

/* ThreadSanitizer takes clone() for fork(), behind which there may be no threads. */
#ifdef __SANITIZE_THREAD__
enum { CAN_CLONE = false };
#else
enum { CAN_CLONE = true };
#endif

int
kern_apart(int (*fn)(void *ctx), void *ctx)
{
	struct apart a = { fn, ctx, 0 };
	char *stack = CAN_CLONE ? util_alloc(STACK) : NULL;
	sigset_t all, old;

	if (!stack)
		return fn(ctx);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	/* Until it has ended this thread stands still: errno is no one else's. */
	int pid = clone(work, stack + STACK, CLONE_VM | CLONE_FILES | CLONE_VFORK, &a);
	if (pid < 0)
		a.ret = fn(ctx);
	while (pid > 0 && waitpid(pid, NULL, __WALL) < 0 && errno == EINTR)
		;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	util_free(stack);
	return a.ret;
}
