/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A session's life outside tracing: making, options, compiling, listing.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "abi/cfg.h"
#include "abi/spec.h"
#include "prov/coming.h"
#include "prov/func.h"
#include "session/proc_priv.h"
#include "session/program_priv.h"
#include "session/run_priv.h"
#include "sym/names.h"
#include "type/text.h"

static struct err *
may_probe(void *ctx, bool *many)
{
	return kern_may_probe(many);
}

static struct err *
may_probe_user(void *ctx, bool *many)
{
	return kern_may_probe_user(many);
}

static bool
may_divert(void *ctx)
{
	const struct session *s = ctx;

	return s->opts.v[OPT_PIDRETURN] == OPT_PIDRETURN_URETPROBE;
}

static struct err *
look_at(void *ctx, pid_t pid, pid_t *own)
{
	return session_proc_look(ctx, pid, own);
}

static struct err *
init(struct session *s)
{
	const struct prov_world world = {
		.ctx = s, .may_probe = may_probe,
		.may_probe_user = may_probe_user, .process = look_at,
		.may_divert = may_divert, .preempts = kern_preempts(),
	};

	s->a = arena_new();
	if (!s->a)
		return &err_nomem;
	TRY(opt_init(&s->opts));
	TRY(typedb_new(s->a, NULL, &s->types));
	TRY(sym_kernel_new(NULL, &s->syms));
	TRY(sym_names_new(s->syms, &s->sym_names));
	TRY(prov_set_new(s->a, s->types, &s->prov));
	TRY(prov_set_world(s->prov, &world));
	session_world_init(s);
	return sema_new(s->a, &s->names, &s->opts, &s->world, &s->sema);
}

struct err *
session_new(struct session **ret)
{
	struct session *s = util_zalloc(sizeof(*s));

	if (!s)
		return &err_nomem;
	s->run.epoll = -1;
	struct err *e = init(s);
	if (e)
		session_free(s);
	else
		*ret = s;
	return e;
}

void
session_free(struct session *s)
{
	if (!s)
		return;
	session_arrivals_stop(s);
	session_naming_stop(s);
	session_tasks_fini(s);
	consume_free(s->consume);	/* it reads from the engine */
	engine_free(s->engine);
	for (size_t i = 0; i < s->points.all.n; i++) {
		vec_fini(&s->points.all.v[i].probes);
		vec_fini(&s->points.all.v[i].sites);
		vec_fini(&s->points.all.v[i].clauses);
	}
	vec_fini(&s->points.all);
	hash_fini(&s->points.placed);
	hash_fini(&s->points.nowhere);
	hash_fini(&s->points.told);
	session_prelude_fini(s);
	session_meta_fini(s);
	save_free(s->file.to);
	saved_close(s->file.from);
	if (s->run.epoll >= 0)
		close(s->run.epoll);
	session_proc_free(s);
	err_free(s->compiling.failure);
	sema_free(s->sema);
	session_libs_fini(s);
	prov_set_free(s->prov);
	sym_names_free(s->sym_names);
	sym_kernel_free(s->syms);
	typedb_free(s->types);
	opt_fini(&s->opts);
	intern_fini(&s->names);
	vec_fini(&s->progs);
	vec_fini(&s->enabled);
	arena_free(s->a);
	util_free(s);
}

struct opt_set *
session_opts(struct session *s)
{
	return &s->opts;
}

void
session_on_warning(struct session *s, session_warn_fn *fn, void *ctx)
{
	s->on_warning.fn = fn;
	s->on_warning.ctx = ctx;
}

void
session_tell(void *ctx, const char *text)
{
	struct session *s = ctx;

	if (s->on_warning.fn)
		s->on_warning.fn(s->on_warning.ctx, text);
}

uint64_t
session_nwarnings(const struct session *s)
{
	return s->points.nwarnings + (s->engine ? s->engine->nwarnings : 0);
}

bool
session_running(const struct session *s)
{
	return s->run.live;
}

void
session_clock(const struct session *s, uint64_t *now, int64_t *wall_delta)
{
	if (s->file.from) {
		saved_clock(s->file.from, now, wall_delta);
		return;
	}
	*now = s->run.at.ended ? s->run.at.ended : clock_ns();
	*wall_delta = s->engine && s->engine->ctl ?
		s->engine->ctl->wall_delta : 0;
}

void
session_set_heading(struct session *s, const char *text)
{
	s->heading = text;
}

const char *
session_heading(const struct session *s)
{
	return s->file.from ? saved_info(s->file.from).heading : s->heading;
}

uint64_t
session_begun(const struct session *s)
{
	return s->file.from ? saved_info(s->file.from).begun : s->run.at.begun;
}

struct consume *
session_consume(struct session *s)
{
	return s->consume;
}

const struct consume_meta *
session_meta(struct session *s)
{
	return s->file.from ? saved_meta(s->file.from) : &s->meta.of;
}

struct sym_names *
session_names(struct session *s)
{
	return s->file.from ? saved_names(s->file.from) : s->sym_names;
}

struct sym_kernel *
session_kernel_symbols(struct session *s)
{
	return s->syms;
}

/* --- Compiling ------------------------------------------------------------ */

/* What a compilation changes as it meets #pragma D option. */
struct compiling {
	struct session *s;
	struct lang_env env;
};

static unsigned
lang_flags(const struct session *s, unsigned flags)
{
	unsigned f = 0;

	if (flags & SESSION_CMDLINE)
		f |= LANG_CMDLINE;
	if (flags & SESSION_TYPE)
		f |= LANG_TYPE;
	if (s->opts.v[OPT_ARGREF] > 0)
		f |= LANG_ARGREF;
	if (s->opts.v[OPT_DEFAULTARGS] > 0)
		f |= LANG_DEFAULTARGS;
	return f;
}

static unsigned
ends_with(enum probe_spec spec)
{
	static const unsigned flags[] = {
		[PROBE_SPEC_PROVIDER] = LANG_TO_PROVIDER,
		[PROBE_SPEC_MOD] = LANG_TO_MODULE,
		[PROBE_SPEC_FUNC] = LANG_TO_FUNCTION, [PROBE_SPEC_NAME] = 0,
	};

	return flags[spec];
}

static bool
is_type(void *ctx, const char *name)
{
	struct compiling *c = ctx;

	return sema_is_type_in(c->s->sema, name, c->env.flags);
}

static bool
is_space(void *ctx, const char *name)
{
	struct compiling *c = ctx;

	return hash_gets(&c->s->libs.spaces, name) != NULL;
}

static void
on_space(void *ctx, const char *name)
{
	struct compiling *c = ctx;

	if (!hash_puts(&c->s->libs.spaces, name, c->s))
		session_fail(c->s, &err_nomem);
}

static void
on_import(void *ctx, const char *name, struct lang_span span)
{
	struct compiling *c = ctx;

	session_import(c->s, name, span);
}

/* The option takes effect for the text behind it; sema reports errors. */
static void
on_option(void *ctx, const char *text, struct lang_span span)
{
	struct compiling *c = ctx;

	err_free(opt_set_text(&c->s->opts, text, c->env.flags & LANG_LIBRARY ?
			      OPT_FROM_LIBRARY : OPT_FROM_PRAGMA, false));
	c->env.flags |= lang_flags(c->s, 0);
}

static bool
count_match(void *ctx, const struct probe *p)
{
	++*(unsigned *)ctx;
	return true;
}

static struct err *
count_matches(struct session *s, struct session_prog *p)
{
	for (uint32_t i = 0; i < p->sema->nclauses; i++)
		TRY(session_match_clause(s, p->sema, i, count_match,
					 &p->matches));
	return NULL;
}

/* Who asks for longer strings than there can be gets the longest, as with other sizes that
 * are more than there is room for. */
static void
lower_strsize(struct session *s, struct sb *said)
{
	int64_t *v = &s->opts.v[OPT_STRSIZE];

	if (*v <= ABI_STRSIZE_MAX || s->opts.v[OPT_BUFRESIZE] == OPT_RESIZE_MANUAL)
		return;
	*v = ABI_STRSIZE_MAX;
	if (said)
		sb_printf(said, "option strsize lowered to %d bytes, the most: longer "
			  "strings are cut", ABI_STRSIZE_MAX);
}

struct err *
session_check_limits(struct session *s, struct sb *said)
{
	static const struct {
		enum opt_id id;
		int64_t min, max;
		const char *unit, *range;
	} rows[] = {
		{ OPT_STRSIZE, ABI_STRSIZE_MIN, ABI_STRSIZE_MAX, " bytes" },
		{ OPT_SCRATCHSIZE, 1, ABI_SCRATCHSIZE_MAX, " bytes" },
		{ OPT_PRINTSIZE, 1, 1 << 20, " bytes" },
		{ OPT_LOOPMAX, 1, UINT32_MAX, "" },
		{ OPT_NSPEC, 0, ABI_NSPEC_MAX, "" },
		{ OPT_CLEANRATE, 200000, 60000000000,
		  .range = "200us to 60s" },
	};

	lower_strsize(s, said);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		int64_t v = s->opts.v[rows[i].id];
		if (v >= rows[i].min && v <= rows[i].max)
			continue;
		if (rows[i].range)
			return err_new(ERR_LIMIT, 0, "option %s is %s",
				       opt_name(rows[i].id), rows[i].range);
		return err_new(ERR_LIMIT, 0, "option %s is %lld to %lld%s",
			       opt_name(rows[i].id), (long long)rows[i].min,
			       (long long)rows[i].max, rows[i].unit);
	}
	return NULL;
}

/* Now that #pragma D option had its say. */
static struct err *
check_limits(struct session *s)
{
	const struct lang_span nowhere = { 0 };
	struct sb said;

	sb_init(&said, 256);
	struct err *e = session_check_limits(s, &said);
	if (!e && said.len)
		diag_warn(s->compiling.diags, D_PRAGMA_OPTSET, nowhere, "%s", sb_str(&said));
	sb_fini(&said);
	return e;
}

/* What the option tree asks to see: as parsed 1 (or 8, which asks elsewhere for
 * the tree without what is short for something else), with types 2 (or 4). */
enum { TREE_PARSED = 1 | 8, TREE_TYPED = 2 | 4 };

static bool
shows_tree(const struct session *s, unsigned flags, int64_t bits)
{
	return !(flags & LANG_LIBRARY) && s->opts.v[OPT_TREE] > 0 &&
	       s->opts.v[OPT_TREE] & bits;
}

static void
show_tree(const struct ast_program *ast, const struct sema_prog *prog)
{
	struct sb b;

	sb_init(&b, 64 << 20);
	if (prog)
		sema_dump(prog, &b);
	else
		lang_dump(ast, &b);
	fputs(sb_str(&b), stderr);
	if (b.failed)
		fputs("... (there was no memory for more)\n", stderr);
	sb_fini(&b);
}

/* Text to a checked program; the diagnostics go to s->compiling.diags, and *ret makes
 * sense only when there were none. */
static struct err *
check(struct session *s, const struct lang_source *src, unsigned flags,
      const char *const *args, unsigned nargs, struct sema_prog **ret)
{
	struct compiling c = { .s = s };
	bool *used = ARENA_ARRAY(s->a, bool, nargs + 1);
	struct lang_env *env = &c.env;
	unsigned errors = s->compiling.diags->n;

	if (!used)
		return &err_nomem;
	*env = (struct lang_env){
		.a = s->a, .names = &s->names, .diags = s->compiling.diags,
		.flags = flags, .args = args, .nargs = nargs,
		.arg_used = used, .is_type = is_type,
		.on_option = flags & (LANG_TYPE | LANG_INSIDE) ? NULL : on_option,
		.is_space = is_space, .on_space = on_space,
		.on_import = on_import, .ctx = &c,
	};
	env->macros = session_macros(s, &env->nmacros);
	if (!env->macros)
		return &err_nomem;
	struct ast_program *ast = lang_parse(env, src);
	if (!ast)
		return &err_nomem;
	TRY(check_limits(s));
	if (s->compiling.diags->n > errors)
		return NULL;
	if (shows_tree(s, flags, TREE_PARSED))
		show_tree(ast, NULL);
	size_t libs = session_libs_mark(s);
	*ret = sema_program(s->sema, ast, s->compiling.diags, env->flags);
	if (*ret && s->compiling.diags->n == errors && !(flags & LANG_LIBRARY) &&
	    !session_try(s, *ret)) {
		sema_withdraw(s->sema);
		if (s->compiling.diags->n == errors)
			*ret = NULL;
	}
	const struct diag *last = s->compiling.diags->last;
	if (s->compiling.diags->n > errors && s->compiling.no_types && last && !last->hint)
		diag_hint(s->compiling.diags, "the kernel's types cannot be read: %s",
			  s->compiling.no_types);
	if (!*ret || s->compiling.diags->n > errors)
		session_libs_withdraw(s, libs);
	else if (shows_tree(s, flags, TREE_TYPED))
		show_tree(NULL, *ret);
	/* What was not understood then is not the program's fault. */
	if (!*ret || arena_failed(s->a))
		return &err_nomem;
	return session_failure(s);
}

struct err *
session_compile_library(struct session *s, const struct lang_source *src,
			bool is_inside)
{
	unsigned flags = LANG_LIBRARY | LANG_ARGREF;
	struct sema_prog *prog;

	return check(s, src, is_inside ? flags | LANG_INSIDE : flags, NULL, 0,
		     &prog);
}

struct err *
session_compile_prelude(struct session *s, const struct lang_source *src,
			struct diag_list *d, struct sema_prog **ret)
{
	struct diag_list *outer = s->compiling.diags;

	s->compiling.diags = d;
	struct err *e = check(s, src, LANG_LIBRARY | LANG_PRELUDE | LANG_ARGREF,
			      NULL, 0, ret);
	s->compiling.diags = outer;
	return e;
}

static struct err *
compile(struct session *s, const struct lang_source *src, unsigned flags,
	const char *const *args, unsigned nargs, struct session_prog *p)
{
	err_free(session_failure(s));
	s->compiling.tried.plan = NULL;
	s->compiling.diags = &p->diags;
	struct err *e = session_libs_begin(s);
	if (!e)
		e = check(s, src, flags, args, nargs, &p->sema);
	s->compiling.diags = NULL;
	if (e)
		return e;
	return p->diags.n ? err_new(ERR_COMPILE, 0, "the program is wrong")
			  : count_matches(s, p);
}

struct err *
session_compile(struct session *s, const char *name, const char *text,
		size_t size, enum probe_spec spec, unsigned flags,
		const char *const *args, unsigned nargs,
		const struct diag_list **diags, struct session_prog **ret)
{
	struct session_prog *p = ARENA_NEW(s->a, struct session_prog);
	struct lang_source *src = ARENA_NEW(s->a, struct lang_source);

	if (!p || !src)
		return &err_nomem;
	if (size > SESSION_TEXT_MAX)
		return err_new(ERR_LIMIT, 0, "the program is longer than %d "
			       "bytes", SESSION_TEXT_MAX);
	diag_init(&p->diags, s->a);
	*diags = &p->diags;
	if (s->opts.v[OPT_CPP] > 0 && !(flags & SESSION_TYPE))
		TRY(session_cpp(s, name, &text, &size));
	src->name = name ? arena_strdup(s->a, name) : NULL;
	src->text = arena_strndup(s->a, text, size);
	src->size = (uint32_t)size;
	if (!src->text || (name && !src->name) || !lang_mark_lines(src, s->a))
		return &err_nomem;
	TRY(compile(s, src, lang_flags(s, flags) | ends_with(spec), args,
		    nargs, p));
	if (!vec_push(&s->progs, p))
		return &err_nomem;
	*ret = p;
	return NULL;
}

unsigned
session_prog_matches(const struct session_prog *p)
{
	return p->matches;
}

struct session_prog_counts
session_prog_counts(const struct session_prog *p)
{
	return (struct session_prog_counts){ p->sema->nrecords,
		p->sema->naggregates, p->sema->nspeculates,
		p->sema->nclauses };
}

void
session_prog_attrs(const struct session_prog *p, struct probe_attr *desc,
		   struct probe_attr *stmt)
{
	static const struct probe_attr best = {
		PROBE_STANDARD, PROBE_STANDARD, PROBE_CLASS_COMMON
	};

	*desc = *stmt = best;
	for (uint32_t i = 0; i < p->sema->nclauses; i++) {
		const struct sema_clause *c = &p->sema->clauses[i];
		*desc = probe_attr_min(*desc, c->probe_attr);
		*stmt = probe_attr_min(*stmt, c->stmt_attr);
	}
}

bool
session_probe_info(struct session *s, uint32_t id, struct session_probe *ret)
{
	const struct probe *p = prov_by_id(s->prov, id);

	if (!p)
		return false;
	struct probe_desc d = { p->prov, p->mod, p->func, p->name, 0 };
	struct sema_defined def;
	bool is_defined = session_defined(s, p, &def);
	const struct probe_provattr *attr = is_defined ? &def.attr : p->attr;
	ret->desc = probe_attr_of(attr, &d);
	ret->args = attr->args;
	ret->nargs = is_defined ? (int)def.nargs : prov_nargs(s->prov, p);
	return true;
}

const char *
session_probe_arg(struct session *s, uint32_t id, unsigned n)
{
	const struct probe *p = prov_by_id(s->prov, id);
	const struct type *t;
	const char *ret;
	struct sb text;
	unsigned raw;

	t = p ? s->world.arg_type(s, p, n, &raw) : NULL;
	if (!t)
		return NULL;
	if ((ret = s->world.arg_xlate(s, p, n)))
		return ret;
	sb_init(&text, 4096);
	type_print(t, NULL, &text);
	if (!text.failed)
		ret = arena_strdup(s->a, sb_str(&text));
	sb_fini(&text);
	return ret;
}

bool
session_wants_who(const struct session *s)
{
	int64_t form = s->opts.v[OPT_OFORMAT];

	return s->opts.v[OPT_WHO] > 0 || s->opts.s[OPT_SAVE] ||
	       form == OPT_OFORMAT_JSON || form == OPT_OFORMAT_JSONL ||
	       form == OPT_OFORMAT_HTML || form == OPT_OFORMAT_PERFETTO;
}

struct err *
session_prog_print(struct session *s, struct session_prog *p, struct sb *b)
{
	const struct sema_prog *one[] = { p->sema };
	const struct plan_prog *plan = gen_plan(s->a, s->sema, one, 1,
		(uint32_t)s->opts.v[OPT_STRSIZE], session_wants_who(s),
		&p->diags);

	if (!plan)
		return p->diags.n ? err_new(ERR_COMPILE, 0, "%s",
					    p->diags.first->text)
				  : &err_nomem;
	gen_print(plan, b);
	return NULL;
}

struct err *
session_enable(struct session *s, struct session_prog *p)
{
	if (s->run.phase != SESSION_NEW)
		return err_new(ERR_STATE, 0, "tracing has begun already");
	if (p->sema->destructive && s->opts.v[OPT_DESTRUCTIVE] <= 0)
		return err_new(ERR_INVALID, 0,
			       "Destructive actions not allowed (-w, or the "
			       "option destructive, allows them)");
	TRY(session_check_limits(s, NULL));
	return vec_push(&s->enabled, p->sema) ? NULL : &err_nomem;
}

/* --- What a program says ---------------------------------------------------- */

const struct type *
session_prog_type(const struct session_prog *p)
{
	const struct ast_item *i = p->sema->ast->items;

	return i && i->kind == AST_ITEM_TYPE ? i->u.decl->type : NULL;
}

struct err *
session_check_memory(const struct session *s)
{
	return arena_failed(s->a) ? &err_nomem : NULL;
}

struct err *
session_symbol_type(struct session *s, const char *module, const char *name,
		    const struct type **ret)
{
	const struct type *t = NULL;

	TRY(typedb_symbol(s->types, module, name, &t));
	if (!t)
		return err_new(ERR_NOTFOUND, 0, "the type of %s`%s is not "
			       "known", module, name);
	*ret = t;
	return NULL;
}

void
session_prog_stmts(const struct session_prog *p, session_stmt_fn *fn,
		   void *ctx)
{
	for (uint32_t i = 0; i < p->sema->nclauses; i++) {
		const struct sema_clause *c = &p->sema->clauses[i];
		for (uint32_t k = 0; k < c->ndescs; k++) {
			struct session_stmt st = { i, &c->descs[k],
				c->ast->pred != NULL, c->probe_attr,
				c->stmt_attr };
			if (!fn(ctx, &st))
				return;
		}
	}
}

/* --- Listing -------------------------------------------------------------- */

struct showing {
	struct session *s;
	session_probe_fn *fn;
	void *ctx;
};

/* Each process's own say what there is. */
static bool
show(void *ctx, const struct probe *p)
{
	struct showing *sh = ctx;

	return prov_is_unlisted(sh->s->prov, p) || sh->fn(sh->ctx, p);
}

struct err *
session_probes(struct session *s, const char *text, enum probe_spec spec,
	       session_probe_fn *fn, void *ctx)
{
	struct probe_desc d = { "", "", "", "", 0 };

	if (text)
		TRY(probe_desc_parse(s->a,
			(struct base_span){ text, strlen(text) }, spec, &d));
	struct showing sh = { s, fn, ctx };
	return prov_match(s->prov, &d, show, &sh);
}

struct listing {
	session_probe_fn *fn;
	void *ctx;
	bool any, go_on;
};

static bool
list_match(void *ctx, const struct probe *p)
{
	struct listing *l = ctx;

	l->any = true;
	return l->go_on = l->fn(l->ctx, p);
}

/* A description whose probes another one has listed, or that names what only
 * other systems have, lists nothing; one that is wrong is told of. */
static struct err *
list_desc(struct session *s, const struct session_prog *p, uint32_t c,
	  uint32_t i, struct listing *l)
{
	const struct probe_desc *d = &p->sema->clauses[c].descs[i];
	struct probe none = { 0, d->prov, d->mod, d->func, d->name, NULL, 0,
			      0 };
	unsigned any = 0;
	struct sb why;

	TRY(session_match(s, p->sema, c, i, list_match, l));
	if (l->any)
		return NULL;
	TRY(prov_match(s->prov, d, count_match, &any));
	sb_init(&why, 4096);
	if (!any && !(p->matches && prov_foreign(s->prov, d, &why)))
		l->go_on = l->fn(l->ctx, &none);
	sb_fini(&why);
	return NULL;
}

struct err *
session_prog_probes(struct session *s, struct session_prog *p,
		    session_probe_fn *fn, void *ctx)
{
	struct listing l = { fn, ctx, false, true };

	for (uint32_t i = 0; i < p->sema->nclauses; i++) {
		const struct sema_clause *c = &p->sema->clauses[i];
		for (uint32_t k = 0; l.go_on && k < c->ndescs; k++) {
			l.any = false;
			TRY(list_desc(s, p, i, k, &l));
		}
	}
	return NULL;
}
