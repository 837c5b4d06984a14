/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The processes that programs are about.
 */
#include "lib/lib_priv.h"
#include "session/proc.h"
#include "util/arena.h"

/* For the heading of a page. */
static void
note_command(dtrace_hdl_t *h, char *const *argv)
{
	sb_puts(&h->command, "\n-c");
	for (; *argv; argv++) {
		sb_putc(&h->command, ' ');
		sb_puts(&h->command, *argv);
	}
}

static struct err *
create(dtrace_hdl_t *h, const char *file, char *const *argv, dtrace_proc_t **ret)
{
	dtrace_proc_t *p = arena_alloc(h->a, sizeof(*p));

	if (!p)
		return &err_nomem;
	TRY(lib_need(file, "the file"));
	TRY(lib_need(argv && argv[0] ? argv : NULL, "the command's name"));
	TRY(session_proc_create(h->s, file, (const char *const *)argv,
				&p->p));
	note_command(h, argv);
	*ret = p;
	return NULL;
}

PUBLIC dtrace_proc_t *
dtrace_proc_create(dtrace_hdl_t *h, const char *file, char *const *argv)
{
	dtrace_proc_t *p = NULL;
	struct err *e = create(h, file, argv, &p);

	if (e)
		lib_fail(h, e);
	return p;
}

PUBLIC dtrace_proc_t *
dtrace_proc_grab(dtrace_hdl_t *h, pid_t pid, int flags)
{
	dtrace_proc_t *p = arena_alloc(h->a, sizeof(*p));
	struct err *e = !p ? &err_nomem : flags ?
		err_new(ERR_UNSUPPORTED, 0, "flags 0x%x of grabbing are not "
			"supported", (unsigned)flags) :
		session_proc_grab(h->s, pid, &p->p);

	if (!e)
		return p;
	lib_fail(h, e);
	return NULL;
}

/* For who has no result to look at: 0 when nothing has failed. */
static void
keep_error(dtrace_hdl_t *h, struct err *e)
{
	h->error = 0;
	if (e)
		lib_fail(h, e);
}

PUBLIC void
dtrace_proc_continue(dtrace_hdl_t *h, dtrace_proc_t *p)
{
	struct err *e = lib_need(p, "the process");

	keep_error(h, e ? e : session_proc_continue(h->s, p->p));
}

PUBLIC void
dtrace_proc_release(dtrace_hdl_t *h, dtrace_proc_t *p)
{
	struct err *e = lib_need(p, "the process");

	keep_error(h, e ? e : session_proc_release(h->s, p->p));
}

PUBLIC pid_t
dtrace_proc_pid(dtrace_hdl_t *h, dtrace_proc_t *p)
{
	return p ? session_proc_pid(p->p)
		 : lib_fail(h, lib_need(p, "the process"));
}
