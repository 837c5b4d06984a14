/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A trace that was saved, as if it went on now: its consumer takes the steps that
 * the first one took.
 */
#include "session/run_priv.h"

enum { STEPS = 256 };			/* in a turn */

struct err *
session_replay(struct session *s, const char *path)
{
	if (s->file.from || s->enabled.n || s->run.phase != SESSION_NEW)
		return err_new(ERR_STATE, 0, "a saved trace is replayed alone, "
			       "without programs");
	struct err *e = saved_open(path, &s->file.from);
	if (e) {
		struct err *named = err_new(e->code, e->os, "%s: %s", path,
					    e->text);
		err_free(e);
		return named;
	}
	saved_options(s->file.from, &s->opts);
	return NULL;
}

bool
session_is_replay(const struct session *s)
{
	return s->file.from;
}

struct err *
session_replay_go(struct session *s)
{
	TRY(consume_new(saved_source(s->file.from), saved_meta(s->file.from),
			&s->consume));
	s->run.live = true;
	return NULL;
}

static void
on_proc(void *ctx, int pid, const char *text)
{
	struct session *s = ctx;

	if (s->on_proc.fn)
		s->on_proc.fn(s->on_proc.ctx, pid, text);
}

struct err *
session_replay_step(struct session *s, consume_fn *fn, void *ctx,
		    enum session_status *status)
{
	bool temporal = s->opts.v[OPT_TEMPORAL] > 0;
	enum save_step step;

	for (int i = 0; i < STEPS; i++) {
		struct err *e = saved_step(s->file.from, &step, on_proc, s);
		if (e) {	/* what is there is shown all the same */
			err_free(saved_run(s->consume, SAVE_STEP_FINAL,
					   temporal, fn, ctx));
			return e;
		}
		if (step == SAVE_STEP_NONE) {
			*status = SESSION_DONE;
			return NULL;
		}
		TRY(saved_run(s->consume, step, temporal, fn, ctx));
		if (saved_clock_changes(s->file.from))
			break;	/* whoever prints has to know */
	}
	*status = SESSION_OKAY;
	return NULL;
}
