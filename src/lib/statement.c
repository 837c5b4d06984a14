/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a program consists of, and what cannot be had of one here.
 */
#include "lib/lib_priv.h"
#include "session/program.h"

struct walk {
	dtrace_hdl_t *h;
	dtrace_prog_t *prog;
	dtrace_stmt_f *fn;
	void *arg;
	int result;
};

static bool
one(void *ctx, const struct session_stmt *st)
{
	const struct probe_attr *d = &st->desc_attr, *a = &st->stmt_attr;
	struct walk *w = ctx;
	dtrace_ecbdesc_t ecb = { .dted_pred = st->has_pred };
	dtrace_stmtdesc_t desc = {
		&ecb, st->clause, { d->name, d->data, d->class },
		{ a->name, a->data, a->class },
	};

	lib_probedesc(&ecb.dted_probe, 0, st->desc->prov, st->desc->mod,
		      st->desc->func, st->desc->name);
	w->result = w->fn(w->h, w->prog, &desc, w->arg);
	return w->result == 0;
}

PUBLIC int
dtrace_stmt_iter(dtrace_hdl_t *h, dtrace_prog_t *p, dtrace_stmt_f *fn,
		 void *arg)
{
	struct walk w = { h, p, fn, arg, 0 };

	if (!p)
		return lib_fail(h, lib_need(p, "the program"));
	session_prog_stmts(p->p, one, &w);
	return w.result;
}

static int
by_hand(dtrace_hdl_t *h)
{
	return lib_fail(h, err_new(ERR_UNSUPPORTED, 0, "statements are "
				   "compiled from text, none can be made by "
				   "hand"));
}

PUBLIC dtrace_stmtdesc_t *
dtrace_stmt_create(dtrace_hdl_t *h, dtrace_ecbdesc_t *ecb)
{
	by_hand(h);
	return NULL;
}

PUBLIC dtrace_actdesc_t *
dtrace_stmt_action(dtrace_hdl_t *h, dtrace_stmtdesc_t *st)
{
	by_hand(h);
	return NULL;
}

PUBLIC int
dtrace_stmt_add(dtrace_hdl_t *h, dtrace_prog_t *p, dtrace_stmtdesc_t *st)
{
	return by_hand(h);
}

PUBLIC void
dtrace_stmt_destroy(dtrace_hdl_t *h, dtrace_stmtdesc_t *st)
{
	/* Nobody can have made one. */
}

static void *
no_dof(dtrace_hdl_t *h)
{
	lib_fail(h, err_new(ERR_UNSUPPORTED, 0, "there is no DOF: programs "
			    "run as BPF"));
	return NULL;
}

PUBLIC void *
dtrace_dof_create(dtrace_hdl_t *h, dtrace_prog_t *p, unsigned flags)
{
	return no_dof(h);
}

PUBLIC void
dtrace_dof_destroy(dtrace_hdl_t *h, void *dof)
{
	/* Nobody can have made one. */
}

PUBLIC void *
dtrace_getopt_dof(dtrace_hdl_t *h)
{
	return no_dof(h);
}

PUBLIC void *
dtrace_geterr_dof(dtrace_hdl_t *h)
{
	return no_dof(h);
}
