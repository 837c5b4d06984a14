/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Handles, errors and options.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kern/kern.h"
#include "lib/turn_priv.h"
#include "session/proc.h"
#include "util/alloc.h"
#include "util/arena.h"
#include "util/plain.h"

/* Why the last dtrace_open() failed: there is no handle to keep it in. */
static __thread char open_error[256];
static __thread int open_errno;

/* What the public header calls an error is what we call it. */
#define SAME(public, ours) \
	_Static_assert(EDT_##public - EDT_NOMEM == ERR_##ours, "in one order")
SAME(OS, OS);
SAME(FORMAT, FORMAT);
SAME(NOTFOUND, NOTFOUND);
SAME(INVALID, INVALID);
SAME(LIMIT, LIMIT);
SAME(UNSUPPORTED, UNSUPPORTED);
SAME(COMPILER, COMPILE);
SAME(VERIFY, VERIFY);
SAME(STATE, STATE);

static int
public_error(const struct err *e)
{
	return EDT_NOMEM + (int)e->code;
}

int
lib_fail(dtrace_hdl_t *h, struct err *e)
{
	int os = e->os;

	h->error = public_error(e);
	util_free(h->errmsg);
	h->errmsg = util_strdup(e->text);
	sb_reset(&h->detail);
	sb_reset(&h->hints);
	err_free(e);
	errno = os;
	return -1;
}

struct err *
lib_need(const void *p, const char *what)
{
	return p ? NULL : err_new(ERR_INVALID, 0, "%s is missing", what);
}

/* What a flag asks for that cannot be had is refused, not forgotten. */
static struct err *
check_flags(int flags)
{
	if (flags & DTRACE_O_ILP32)
		return err_new(ERR_UNSUPPORTED, 0,
			       "pointers of 32 bits are not supported");
	if (flags & DTRACE_O_NOSYS)
		return err_new(ERR_UNSUPPORTED, 0, "the kernel's types cannot "
			       "be left out");
	if (flags & ~(DTRACE_O_NODEV | DTRACE_O_LP64))
		return err_new(ERR_INVALID, 0, "unknown flags 0x%x", flags);
	return NULL;
}

static void
proc_ended(void *ctx, pid_t pid, const char *text)
{
	dtrace_hdl_t *h = ctx;

	if (h->pull && !h->late)
		h->late = lib_push_proc(h, pid, text);
	else if (!h->pull && h->on_proc)
		h->on_proc(pid, text, h->proc_arg);
}

/* A site that cannot be attached is told as an error of no probe.  What the handler
 * answers does not matter: nothing of the trace hangs on it. */
static void
warned(void *ctx, const char *text)
{
	const struct consume_event e = { .kind = CONSUME_ERROR };
	dtrace_hdl_t *h = ctx;
	struct sb line;

	sb_init(&line, 1 << 16);
	sb_printf(&line, "warning: %s\n", text);
	err_free(h->pull ? lib_push_error(h, &e, ABI_FAULT_LIBRARY,
					  sb_str(&line), NULL)
			 : lib_tell_error(h, &e, ABI_FAULT_LIBRARY,
					  sb_str(&line), NULL));
	sb_fini(&line);
}

static struct err *
open_handle(dtrace_hdl_t *h, int flags)
{
	lib_record_init(&h->rec);
	TRY(check_flags(flags));
	h->a = arena_new();
	if (!h->a)
		return &err_nomem;
	sb_init(&h->detail, 1 << 20);
	sb_init(&h->hints, 1 << 16);
	sb_init(&h->program, 1 << 16);
	sb_init(&h->command, 1 << 12);
	if (!(flags & DTRACE_O_NODEV))
		TRY(kern_may_trace());
	TRY(session_new(&h->s));
	session_on_proc(h->s, proc_ended, h);
	session_on_warning(h->s, warned, h);
	return NULL;
}

PUBLIC dtrace_hdl_t *
dtrace_open(int version, int flags, int *errp)
{
	dtrace_hdl_t *h = util_zalloc(sizeof(*h));
	if (h)
		h->poll = h->timer = -1;
	struct err *e = !h ? &err_nomem : version != DTRACE_VERSION ?
		err_new(ERR_INVALID, 0, "version %d of the library interface "
			"is not known", version) : open_handle(h, flags);

	if (!e)
		return h;
	snprintf(open_error, sizeof(open_error), "%s", e->text);
	open_errno = h && version != DTRACE_VERSION ? EDT_VERSION
						    : public_error(e);
	if (errp)
		*errp = open_errno;
	int os = e->os;
	err_free(e);
	if (h)
		dtrace_close(h);
	errno = os;
	return NULL;
}

PUBLIC void
dtrace_close(dtrace_hdl_t *h)
{
	if (!h)
		return;
	lib_queue_fini(h);
	fmt_free(h->fmt);
	if (h->redirect)
		fclose(h->redirect);
	session_free(h->s);
	hash_fini(&h->repeated);
	hash_fini(&h->typenames);
	lib_record_fini(&h->rec);
	sb_fini(&h->detail);
	sb_fini(&h->hints);
	sb_fini(&h->program);
	sb_fini(&h->command);
	util_free(h->errmsg);
	arena_free(h->a);
	util_free(h);
}

PUBLIC int
dtrace_errno(dtrace_hdl_t *h)
{
	return h ? h->error : open_errno;
}

PUBLIC const char *
dtrace_errmsg(dtrace_hdl_t *h, int error)
{
	if (!h)
		return open_error;
	return h->errmsg ? h->errmsg : "out of memory";
}

PUBLIC const char *
dtrace_errdetail(dtrace_hdl_t *h)
{
	return h ? sb_str(&h->detail) : "";
}

PUBLIC const char *
dtrace_errhint(dtrace_hdl_t *h)
{
	return h ? sb_str(&h->hints) : "";
}

static struct err *
check_limits(dtrace_hdl_t *h)
{
	struct sb said;

	sb_init(&said, 256);
	struct err *e = session_check_limits(h->s, &said);
	if (said.len)
		sb_printf(&h->detail, "warning: %s\n", sb_str(&said));
	sb_fini(&said);
	return e;
}

/* What the text looks like may be said until there is some. */
static bool
is_shape(const dtrace_hdl_t *h, const char *name)
{
	return h->fmt && !h->turned && opt_find(name) == OPT_OFORMAT;
}

PUBLIC int
dtrace_setopt(dtrace_hdl_t *h, const char *name, const char *value)
{
	struct err *e = lib_need(name, "a name");
	bool shape = !e && is_shape(h, name);

	sb_reset(&h->detail);
	if (!e)
		e = opt_set_value(session_opts(h->s), name, value,
				  OPT_FROM_COMMAND,
				  session_running(h->s) && !shape);
	/* Scripts bring along what other systems need. */
	if (e && e->code == ERR_UNSUPPORTED) {
		sb_printf(&h->detail, "warning: %s\n", e->text);
		err_free(e);
		e = NULL;
	}
	if (!e)
		e = check_limits(h);
	if (!e && shape)
		e = lib_shape(h);
	return e ? lib_fail(h, e) : 0;
}

PUBLIC int
dtrace_setopt_env(dtrace_hdl_t *h, char **env)
{
	struct sb told;

	sb_reset(&h->detail);
	sb_init(&told, 1 << 16);
	struct err *e = opt_set_env(session_opts(h->s), env, &told);
	for (const char *line = sb_str(&told), *end;
	     (end = strchr(line, '\n')); line = end + 1)
		sb_printf(&h->detail, "warning: %.*s\n", (int)(end - line), line);
	sb_fini(&told);
	if (!e)
		e = check_limits(h);
	return e ? lib_fail(h, e) : 0;
}

PUBLIC int
dtrace_getopt(dtrace_hdl_t *h, const char *name, int64_t *value)
{
	enum opt_id id = name ? opt_find(name) : OPT_N;

	if (id == OPT_N)
		return lib_fail(h, err_new(ERR_INVALID, 0,
					   "Invalid option name"));
	if (!value)
		return lib_fail(h, err_new(ERR_INVALID, 0,
					   "a place for the value is missing"));
	*value = session_opts(h->s)->v[id];
	return 0;
}

PUBLIC const char *
dtrace_faultstr(dtrace_hdl_t *h, int fault)
{
	static const struct { int no; const char *text; } rows[] = {
#define FAULT(name, no, hasval, text) { no, text },
#include "abi/fault.def"
#undef FAULT
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (rows[i].no == fault)
			return rows[i].text;
	return "unknown fault";
}

PUBLIC void
dtrace_put_text(FILE *fp, const char *text)
{
	struct sb plain;

	sb_init(&plain, SIZE_MAX);
	if (isatty(fileno(fp)))
		plain_put(&plain, text, strlen(text));
	else
		sb_puts(&plain, text);
	fputs(sb_str(&plain), fp);
	sb_fini(&plain);
}

static void
print_how(void *ctx, const char *provider, bool can, const char *text)
{
	char name[64];

	snprintf(name, sizeof(name), "provider %s", provider);
	fprintf(ctx, "%-30s %-4s %s\n", name, can ? "yes" : "no", text);
}

static void
print_providers(FILE *fp)
{
	struct session *s = NULL;
	struct err *e = session_new(&s);

	if (!e)
		e = session_hows(s, print_how, fp);
	if (e)
		fprintf(fp, "providers: %s\n", e->text);
	err_free(e);
	session_free(s);
}

PUBLIC void
dtrace_print_features(FILE *fp)
{
	unsigned n;
	const struct kern_feature *f = kern_features(&n);

	for (unsigned i = 0; i < n; i++)
		fprintf(fp, "%-30s %-4s %s\n", f[i].name,
			f[i].present ? "yes" : "no",
			f[i].detail ? f[i].detail : "");
	print_providers(fp);
}
