/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Programs and probes.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/lib_priv.h"
#include "session/program.h"
#include "util/alloc.h"
#include "util/arena.h"

/* --- Flags ------------------------------------------------------------------ */

/* A flag is an option that is on for one compilation. */
static const struct { unsigned flag; enum opt_id opt; } flag_options[] = {
	{ DTRACE_C_EMPTY, OPT_EMPTY }, { DTRACE_C_ZDEFS, OPT_ZDEFS },
	{ DTRACE_C_ETAGS, OPT_ERRTAGS }, { DTRACE_C_ARGREF, OPT_ARGREF },
	{ DTRACE_C_CPP, OPT_CPP }, { DTRACE_C_DEFARG, OPT_DEFAULTARGS },
	{ DTRACE_C_NOLIBS, OPT_NOLIBS },
};
enum { NFLAGS = BASE_NELEMS(flag_options) };

static struct err *
check_flags(unsigned cflags)
{
	unsigned known = DTRACE_C_DIFV | DTRACE_C_PSPEC;

	for (size_t i = 0; i < NFLAGS; i++)
		known |= flag_options[i].flag;
	if (cflags & ~known)
		return err_new(ERR_UNSUPPORTED, 0, "flags 0x%x of a "
			       "compilation are not supported",
			       cflags & ~known);
	return NULL;
}

/* What the options were before. */
struct flags_saved {
	int64_t v[NFLAGS];
	uint8_t from[NFLAGS];
};

static void
set_flags(struct opt_set *o, unsigned cflags, struct flags_saved *saved)
{
	for (size_t i = 0; i < NFLAGS; i++) {
		enum opt_id id = flag_options[i].opt;
		saved->v[i] = o->v[id];
		saved->from[i] = o->from[id];
		if (cflags & flag_options[i].flag)
			o->v[id] = 1;
	}
}

/* What the program itself has set remains. */
static void
reset_flags(struct opt_set *o, unsigned cflags,
	    const struct flags_saved *saved)
{
	for (size_t i = 0; i < NFLAGS; i++) {
		enum opt_id id = flag_options[i].opt;
		if (cflags & flag_options[i].flag &&
		    o->from[id] == saved->from[i])
			o->v[id] = saved->v[i];
	}
}

/* --- Compiling ---------------------------------------------------------------- */

/* The first diagnostic becomes the message, the sources and the others the
 * detail. */
static void
fail_compile(dtrace_hdl_t *h, const struct diag_list *d)
{
	bool tags = session_opts(h->s)->v[OPT_ERRTAGS] > 0;
	struct sb line;

	sb_init(&line, 4096);
	sb_reset(&h->detail);
	sb_reset(&h->hints);
	for (const struct diag *x = d->first; x; x = x->next) {
		sb_reset(&line);
		diag_print_line(x, tags, &line);
		if (x == d->first) {
			util_free(h->errmsg);
			h->errmsg = util_strdup(sb_str(&line));
		} else {
			sb_printf(&h->detail, "%s\n", sb_str(&line));
		}
		diag_print_source(x, &h->detail);
		if (x->reason)
			sb_printf(&h->hints, "%s\n", x->reason);
		if (x->hint)
			sb_printf(&h->hints, "%s\n", x->hint);
	}
	sb_fini(&line);
}

/* What was odd about a program that is right becomes the detail. */
static void
keep_warnings(dtrace_hdl_t *h, const struct diag_list *d)
{
	for (const struct diag *x = d->warnings; x; x = x->next) {
		sb_puts(&h->detail, "warning: ");
		diag_print_line(x, session_opts(h->s)->v[OPT_ERRTAGS] > 0,
				&h->detail);
		sb_putc(&h->detail, '\n');
	}
}

struct text {
	const char *name, *p;
	size_t size;
	dtrace_probespec_t spec;
};

/* For the heading of a page: what a command line says, or the name of a file. */
static void
note_program(dtrace_hdl_t *h, const struct text *t)
{
	if (h->program.len)
		sb_putc(&h->program, '\n');
	sb_putn(&h->program, t->name ? t->name : t->p,
		t->name ? strlen(t->name) : t->size);
}

/* The part that programs and types have in common: what there is to say of the
 * text is kept. */
static dtrace_prog_t *
compile_text(dtrace_hdl_t *h, const struct text *t, unsigned flags, int argc,
	     char *const argv[])
{
	bool command = t->spec != DTRACE_PROBESPEC_NONE;
	const struct diag_list *d = NULL;
	dtrace_prog_t *p = arena_alloc(h->a, sizeof(*p));
	struct err *e = !p ? &err_nomem :
		session_compile(h->s, t->name, t->p, t->size,
			command ? (enum probe_spec)t->spec : PROBE_SPEC_NAME,
			flags, (const char *const *)argv, (unsigned)argc, &d,
			&p->p);

	sb_reset(&h->detail);
	sb_reset(&h->hints);
	if (!e) {
		keep_warnings(h, d);
		return p;
	}
	bool wrong = e->code == ERR_COMPILE && d && d->first;
	lib_fail(h, e);
	if (wrong)
		fail_compile(h, d);
	return NULL;
}

dtrace_prog_t *
lib_compile(dtrace_hdl_t *h, const char *text, size_t size, unsigned flags)
{
	struct text t = { NULL, text, size, DTRACE_PROBESPEC_NONE };

	return compile_text(h, &t, flags, 0, NULL);
}

static dtrace_prog_t *
compile_with(dtrace_hdl_t *h, const struct text *t, unsigned cflags, int argc,
	     char *const argv[])
{
	bool bare = t->spec != DTRACE_PROBESPEC_NONE ||
		cflags & DTRACE_C_PSPEC;
	dtrace_prog_t *p = compile_text(h, t, bare ? SESSION_CMDLINE : 0, argc,
					argv);

	if (!p || (cflags & DTRACE_C_DIFV && dtrace_program_disasm(h, p,
								   stderr)))
		return NULL;
	note_program(h, t);
	return p;
}

static struct err *
check_spec(dtrace_probespec_t spec, int least)
{
	if ((int)spec >= least && spec <= DTRACE_PROBESPEC_NAME)
		return NULL;
	return err_new(ERR_INVALID, 0, "%d is no part of a description",
		       (int)spec);
}

static dtrace_prog_t *
compile(dtrace_hdl_t *h, const struct text *t, unsigned cflags, int argc,
	char *const argv[])
{
	struct flags_saved saved;
	struct err *e = check_flags(cflags);

	if (!e && (argc < 0 || (argc && !argv)))
		e = err_new(ERR_INVALID, 0, "%d arguments are none", argc);
	if (!e)
		e = check_spec(t->spec, DTRACE_PROBESPEC_NONE);
	if (e) {
		lib_fail(h, e);
		return NULL;
	}
	set_flags(session_opts(h->s), cflags, &saved);
	dtrace_prog_t *p = compile_with(h, t, cflags, argc, argv);
	reset_flags(session_opts(h->s), cflags, &saved);
	return p;
}

PUBLIC dtrace_prog_t *
dtrace_program_strcompile(dtrace_hdl_t *h, const char *text,
			  dtrace_probespec_t spec, unsigned cflags, int argc,
			  char *const argv[])
{
	struct text t = { NULL, text, text ? strlen(text) : 0, spec };
	struct err *e = lib_need(text, "the text");

	if (!e)
		return compile(h, &t, cflags, argc, argv);
	lib_fail(h, e);
	return NULL;
}

struct err *
lib_read_all(FILE *fp, const char *name, struct sb *b)
{
	char buf[8192];
	size_t n;

	TRY(lib_need(fp, "the file"));
	while (!b->failed && (n = fread(buf, 1, sizeof(buf), fp)) > 0)
		sb_putn(b, buf, n);
	if (ferror(fp))
		return err_new(ERR_OS, errno, "%s: %s", name,
			       strerror(errno));
	if (b->failed)
		return err_new(ERR_LIMIT, 0, "%s: longer than %zu bytes", name,
			       b->max - 1);
	return NULL;
}

PUBLIC dtrace_prog_t *
dtrace_program_fcompile(dtrace_hdl_t *h, FILE *fp, const char *name,
			unsigned cflags, int argc, char *const argv[])
{
	struct sb text;
	dtrace_prog_t *p = NULL;

	sb_init(&text, SESSION_TEXT_MAX + 1);
	struct err *e = lib_read_all(fp, name, &text);
	struct text t = { name, sb_str(&text), text.len,
			  DTRACE_PROBESPEC_NONE };
	if (e)
		lib_fail(h, e);
	else
		p = compile(h, &t, cflags, argc, argv);
	sb_fini(&text);
	return p;
}

static dtrace_attribute_t
attribute(struct probe_attr a)
{
	return (dtrace_attribute_t){ a.name, a.data, a.class };
}

PUBLIC void
dtrace_program_info(dtrace_hdl_t *h, dtrace_prog_t *p, dtrace_proginfo_t *i)
{
	struct probe_attr desc, stmt;

	memset(i, 0, sizeof(*i));
	if (!p)
		return;
	struct session_prog_counts n = session_prog_counts(p->p);
	session_prog_attrs(p->p, &desc, &stmt);
	i->dpi_descattr = attribute(desc);
	i->dpi_stmtattr = attribute(stmt);
	i->dpi_matches = session_prog_matches(p->p);
	i->dpi_aggregates = n.aggregates;
	i->dpi_recgens = n.records;
	i->dpi_speculations = n.speculates;
	i->dpi_clauses = n.clauses;
}

PUBLIC int
dtrace_program_exec(dtrace_hdl_t *h, dtrace_prog_t *p, dtrace_proginfo_t *i)
{
	struct err *e = lib_need(p, "the program");

	if (!e)
		e = session_enable(h->s, p->p);
	if (e)
		return lib_fail(h, e);
	if (i)
		dtrace_program_info(h, p, i);
	return 0;
}

PUBLIC int
dtrace_program_disasm(dtrace_hdl_t *h, dtrace_prog_t *p, FILE *fp)
{
	struct sb text;

	sb_init(&text, 256u << 20);
	struct err *e = lib_need(p, "the program");
	if (!e)
		e = session_prog_print(h->s, p->p, &text);
	if (!e && text.failed)
		e = &err_nomem;
	if (!e)
		fputs(sb_str(&text), fp);
	sb_fini(&text);
	return e ? lib_fail(h, e) : 0;
}

/* --- Programs with probes of their own ------------------------------------- */

enum { MADE_MAX = 2 * SESSION_TEXT_MAX };

PUBLIC int
dtrace_program_header(dtrace_hdl_t *h, FILE *fp, const char *name)
{
	struct sb text;

	sb_init(&text, MADE_MAX);
	struct err *e = lib_need(fp, "the file");
	if (!e)
		e = lib_need(name, "the name of the header");
	if (!e)
		e = session_header(h->s, name, &text);
	if (!e && (fputs(sb_str(&text), fp) < 0 || fflush(fp)))
		e = lib_write_error();
	sb_fini(&text);
	return e ? lib_fail(h, e) : 0;
}

/* All of b, or nothing: half an object would be linked some day.  What is no file, such
 * as /dev/full, stays. */
static struct err *
write_file(const char *file, const struct sb *b)
{
	FILE *fp = fopen(file, "we");
	struct stat st;

	if (!fp)
		return err_new(ERR_OS, errno, "%s: %s", file, strerror(errno));
	bool is_file = !fstat(fileno(fp), &st) && S_ISREG(st.st_mode);
	bool bad = fwrite(b->p, 1, b->len, fp) != b->len;
	bad |= fclose(fp) != 0;
	if (!bad)
		return NULL;
	struct err *e = err_new(ERR_OS, errno, "%s: %s", file, strerror(errno));
	if (is_file)
		remove(file);
	return e;
}

static struct err *
link_objects(dtrace_prog_t *p, unsigned flags, const char *file, int objc,
	     char *const objv[], struct sb *b)
{
	TRY(lib_need(p, "the program"));
	TRY(lib_need(file, "the name of the file"));
	if (flags || objc < 0 || (objc && !objv))
		return err_new(ERR_INVALID, 0, "flags 0x%x and %d objects are "
			       "not possible", flags, objc);
	TRY(session_prog_object(p->p, (unsigned)objc, objv, b));
	return write_file(file, b);
}

PUBLIC int
dtrace_program_link(dtrace_hdl_t *h, dtrace_prog_t *p, unsigned flags,
		    const char *file, int objc, char *const objv[])
{
	struct sb b;

	sb_init(&b, MADE_MAX);
	struct err *e = link_objects(p, flags, file, objc, objv, &b);
	sb_fini(&b);
	return e ? lib_fail(h, e) : 0;
}

/* --- Probes --------------------------------------------------------------- */

/* As much of a name as there is room for. */
static void
copy_name(char *to, size_t size, const char *from)
{
	size_t n = strnlen(from, size - 1);

	memcpy(to, from, n);
	to[n] = '\0';
}

void
lib_probedesc(dtrace_probedesc_t *d, uint32_t id, const char *prov,
	      const char *mod, const char *func, const char *name)
{
	d->dtpd_id = id;
	copy_name(d->dtpd_provider, sizeof(d->dtpd_provider), prov);
	copy_name(d->dtpd_mod, sizeof(d->dtpd_mod), mod);
	copy_name(d->dtpd_func, sizeof(d->dtpd_func), func);
	copy_name(d->dtpd_name, sizeof(d->dtpd_name), name);
}

struct walk {
	dtrace_hdl_t *h;
	dtrace_probename_f *fn;
	void *arg;
	int result;
};

static bool
walk_one(void *ctx, const struct probe *p)
{
	struct walk *w = ctx;
	dtrace_probename_t n = { p->id, p->prov, p->mod, p->func, p->name };

	w->result = w->fn(w->h, &n, w->arg);
	return w->result == 0;
}

PUBLIC int
dtrace_probe_walk(dtrace_hdl_t *h, const char *desc, dtrace_probespec_t spec,
		  dtrace_probename_f *fn, void *arg)
{
	struct walk w = { h, fn, arg, 0 };
	struct err *e = check_spec(spec, DTRACE_PROBESPEC_PROVIDER);

	if (!e)
		e = session_probes(h->s, desc, (enum probe_spec)spec,
				   walk_one, &w);

	return e ? lib_fail(h, e) : w.result;
}

PUBLIC int
dtrace_program_walk(dtrace_hdl_t *h, dtrace_prog_t *p, dtrace_probename_f *fn,
		    void *arg)
{
	struct walk w = { h, fn, arg, 0 };
	struct err *e = lib_need(p, "the program");

	if (!e)
		e = session_prog_probes(h->s, p->p, walk_one, &w);

	return e ? lib_fail(h, e) : w.result;
}

/* For those who have room for so much of a name. */
struct cut {
	dtrace_probe_f *fn;
	void *arg;
};

static int
cut_names(dtrace_hdl_t *h, const dtrace_probename_t *n, void *arg)
{
	const struct cut *c = arg;
	dtrace_probedesc_t d;

	lib_probedesc(&d, n->id, n->provider, n->module, n->function, n->name);
	return c->fn(h, &d, c->arg);
}

PUBLIC int
dtrace_probe_iter(dtrace_hdl_t *h, const char *desc, dtrace_probespec_t spec,
		  dtrace_probe_f *fn, void *arg)
{
	struct cut c = { fn, arg };

	return dtrace_probe_walk(h, desc, spec, cut_names, &c);
}

PUBLIC int
dtrace_program_probes(dtrace_hdl_t *h, dtrace_prog_t *p, dtrace_probe_f *fn,
		      void *arg)
{
	struct cut c = { fn, arg };

	return dtrace_program_walk(h, p, cut_names, &c);
}

PUBLIC int
dtrace_probe_info(dtrace_hdl_t *h, const dtrace_probedesc_t *d,
		  dtrace_probeinfo_t *i)
{
	struct session_probe p;

	if (!session_probe_info(h->s, d->dtpd_id, &p))
		return lib_fail(h, err_new(ERR_INVALID, 0,
					   "Unknown probe identifier"));
	*i = (dtrace_probeinfo_t){ attribute(p.desc), attribute(p.args),
				   p.nargs };
	return 0;
}

PUBLIC const char *
dtrace_probe_argtype(dtrace_hdl_t *h, const dtrace_probedesc_t *d,
		     unsigned int n)
{
	return session_probe_arg(h->s, d->dtpd_id, n);
}

PUBLIC const char *
dtrace_stability_name(uint8_t s)
{
	return probe_stability_name(s);
}

PUBLIC const char *
dtrace_class_name(uint8_t c)
{
	return probe_class_name(c);
}
