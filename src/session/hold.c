/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A trace that nobody consumes yet.  Records stay in the kernel's buffers, which
 * bound the memory that it takes: with bufpolicy=switch what comes when they are
 * full is dropped and counted, with ring the oldest is overwritten.  Aggregations
 * and variables are where they always are.  What does not wait is done: ticks fire,
 * the wall clock is followed, and what processes map is noted, lest their addresses
 * have no names later.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "session/run_priv.h"

enum { HOLD_NS = 500 * 1000 * 1000 };	/* of one turn, at most */

/* What wakes: who is waited for, then the rings of what processes do. */
typedef VEC(struct pollfd) poll_vec;

static struct err *
list_fds(const struct session *s, int fd, poll_vec *v)
{
	struct pollfd row = { .fd = fd, .events = POLLIN };
	bool room = vec_push(v, row);

	for (unsigned i = 0; room && s->tasks.kern &&
	     (row.fd = kern_tasks_fd(s->tasks.kern, i)) >= 0; i++)
		room = vec_push(v, row);
	return room ? NULL : &err_nomem;
}

/* Not beyond what is due. */
static int
wait_fds(struct session *s, poll_vec *v)
{
	const uint64_t second = 1000000000;
	uint64_t now = clock_ns(), due = engine_due(s->engine);
	uint64_t ns = s->naming.sweep ? 0 : HOLD_NS;

	ns = BASE_MIN(ns, due > now ? due - now : 0);
	struct timespec ts = { (time_t)(ns / second), (long)(ns % second) };
	return ppoll(v->v, v->n, &ts, NULL);
}

static struct err *
hold(struct session *s, poll_vec *v, bool *came)
{
	for (;;) {
		session_tasks_read(s);
		TRY(session_naming_turn(s, false));
		engine_turn(s->engine, clock_ns());
		int n = wait_fds(s, v);
		if (n < 0 && errno == EINTR)
			return NULL;
		if (n < 0)
			return err_new(ERR_OS, errno, "poll: %s",
				       strerror(errno));
		*came = v->v[0].revents;
		if (*came)
			return NULL;
	}
}

struct err *
session_hold(struct session *s, int fd, bool *came)
{
	poll_vec v = { 0 };

	*came = false;
	if (!s->run.live || s->file.from)
		return err_new(ERR_STATE, 0, "nothing is traced that could be "
			       "held");
	session_arrivals_stop(s);	/* nobody would look at who waits */
	struct err *e = list_fds(s, fd, &v);
	if (!e)
		e = hold(s, &v, came);
	vec_fini(&v);
	return e;
}
