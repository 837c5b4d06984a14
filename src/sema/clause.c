/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Clauses: which probes, the predicate, the statements, and what args[] means
 * there.
 *
 * The world may know a hundred thousand probes, so it is asked as little as
 * will do: one match says that a description is good, and if the provider's
 * name is written out, also how stable it is.  Only args[] needs every match.
 */
#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "base/base.h"
#include "sema/clause_priv.h"
#include "sema/expr_priv.h"
#include "sema/name_priv.h"
#include "type/convert.h"

/* --- Descriptions -------------------------------------------------------- */

struct matches {
	struct sema_clause *c;
	const struct probe_desc *d;
	bool one_will_do;
	unsigned n;
	bool has_func;			/* one that matches is in a function */
	const struct probe_provattr *last;
};

static bool
count_match(void *arg, const struct probe *p)
{
	struct matches *m = arg;
	const struct probe_provattr *a = p->attr;

	m->n++;
	m->has_func |= *p->func != '\0';
	if (a && a != m->last) {
		struct probe_attr *min = &m->c->probe_attr;
		*min = probe_attr_min(*min, probe_attr_of(a, m->d));
		m->last = a;
	}
	return !m->one_will_do;
}

static size_t
trailing_digits(const char *name)
{
	size_t n = strlen(name), i = n;

	while (i && name[i - 1] >= '0' && name[i - 1] <= '9')
		i--;
	return n - i;
}

/* A provider that is known elsewhere.  what: what it is about; NULL: it is of a process. */
struct known { const char *name, *what, *use; };

static const struct known *
find_known(const char *name)
{
	static const struct known rows[] = {
#define PROVIDER(name, what, use) { name, what, use },
#define PROCESS(name) { name, NULL, NULL },
#include "sema/provider.def"
#undef PROVIDER
#undef PROCESS
	};
	size_t n = strlen(name);

	/* "iscsi*" is as often written for a provider that was once one of processes. */
	n -= n && name[n - 1] == '*';
	while (n && name[n - 1] >= '0' && name[n - 1] <= '9')
		n--;
	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (strlen(rows[i].name) == n && !memcmp(rows[i].name, name, n))
			return &rows[i];
	return NULL;
}

struct err *
sema_match(struct sema *s, const struct probe_desc *d,
	   bool (*fn)(void *arg, const struct probe *p), void *arg)
{
	struct err *e = s->world->match
		? s->world->match(s->world->ctx, d, fn, arg) : NULL;

	if (e && e->code == ERR_NOMEM) {
		s->nomem = true;
		e = NULL;	/* it is not for freeing */
	}
	return e;
}

/* The field that descriptions end with. */
static enum probe_spec
last_field(const struct sema *s)
{
	return s->flags & LANG_TO_PROVIDER ? PROBE_SPEC_PROVIDER :
	       s->flags & LANG_TO_MODULE ? PROBE_SPEC_MOD :
	       s->flags & LANG_TO_FUNCTION ? PROBE_SPEC_FUNC : PROBE_SPEC_NAME;
}

/* A description without a provider: what its parts, filled from the right, name. */
static void
hint_parts(struct sema *s, const struct probe_desc *d)
{
	if (*d->mod)
		diag_hint(s->d, "a description is PROVIDER:MODULE:FUNCTION:NAME, "
			  "filled from the right: this has module %s, function "
			  "%s and name %s; dtrace -l lists the probes that exist",
			  d->mod, *d->func ? d->func : "*",
			  *d->name ? d->name : "*");
	else if (*d->func)
		diag_hint(s->d, "a description is PROVIDER:MODULE:FUNCTION:NAME, "
			  "filled from the right: this has function %s and name "
			  "%s; dtrace -l lists the probes that exist", d->func,
			  *d->name ? d->name : "*");
}

static bool
is_there(struct sema *s, const char *prov, const char *name)
{
	struct probe_desc d = { prov, "", "", name, 0 };
	struct matches m = { .c = s->clause, .d = &d, .one_will_do = true };

	err_free(sema_match(s, &d, count_match, &m));
	return m.n > 0;
}

/* Say so when it is the provider that does not exist, or what its probes have not. */
static void
no_provider(struct sema *s, const struct probe_desc *d)
{
	struct probe_desc all = { d->prov, "", "", "", 0 };
	struct matches m = { .c = s->clause, .d = &all, .one_will_do = true };

	if (!*d->prov && !d->id && last_field(s) == PROBE_SPEC_NAME)
		hint_parts(s, d);
	if (!*d->prov || d->id || !s->world->match)
		return;
	err_free(sema_match(s, &all, count_match, &m));
	if (m.n && *d->func && !m.has_func && is_there(s, d->prov, d->name))
		diag_hint(s->d, "the probes of %s are in no function here: %s:::%s",
			  d->prov, d->prov, *d->name ? d->name : "NAME");
	else if (m.n && !probe_has_glob(d->prov))
		diag_hint(s->d, "dtrace -lP %s lists the probes of %s",
			  d->prov, d->prov);
	if (m.n)
		return;
	size_t digits = trailing_digits(d->prov);
	const struct known *known = find_known(d->prov);
	if (known && known->what)
		diag_hint(s->d, "this system has no provider %s, of %s; %s",
			  d->prov, known->what, *known->use ? known->use :
			  "dtrace -l lists the probes that exist");
	else if (digits)
		diag_hint(s->d, "process %s, if there is one, has no probes of "
			  "that name; dtrace -ln '*%s:::' lists those that it "
			  "has", d->prov + strlen(d->prov) - digits,
			  d->prov + strlen(d->prov) - digits);
	else if (known && !probe_has_glob(d->prov))
		diag_hint(s->d, "the number of a process follows %s: %s1234, "
			  "or %s$target with -c or -p", d->prov, d->prov,
			  d->prov);
	else if (!probe_has_glob(d->prov))
		diag_hint(s->d, "there is no provider called %s; dtrace -l "
			  "lists the probes that exist; those of a process "
			  "are %s$target:::, or %s*::: of any", d->prov, d->prov,
			  d->prov);
	else
		diag_hint(s->d, "there is no provider called %s; dtrace -l "
			  "lists the probes that exist, and -Z awaits those "
			  "of programs that start later", d->prov);
}

/* Is it written as another language does?  What says the same in D. */
static const char *
said_elsewhere(const char *text)
{
	static const struct { const char *kind, *hint; } rows[] = {
#define ELSEWHERE(name, is_func, hint)
#define ELSEWHERE_PROBE(kind, hint) { kind, hint },
#include "sema/elsewhere.def"
#undef ELSEWHERE
#undef ELSEWHERE_PROBE
	};
	size_t n = strcspn(text, ":");

	for (size_t i = 0; i < BASE_NELEMS(rows) && text[n]; i++)
		if (strlen(rows[i].kind) == n &&
		    memcmp(rows[i].kind, text, n) == 0)
			return rows[i].hint;
	return NULL;
}

/* Names that the kernel gives to its functions for system calls, and the events of
 * them. */
static const char *
said_of_syscall(struct sema *s, const struct probe_desc *d)
{
	static const struct { const char *start, *name; } rows[] = {
		{ "sys_enter_", "entry" }, { "sys_exit_", "return" },
		{ "__x64_sys_", "" }, { "__arm64_sys_", "" },
		{ "__ia32_sys_", "" }, { "SyS_", "" }, { "sys_", "" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		size_t n = strlen(rows[i].start);
		bool event = *rows[i].name;
		const char *text = event ? d->name : d->func;
		if (strncmp(text, rows[i].start, n) != 0 || !text[n] ||
		    (*d->prov && strcmp(d->prov, "syscall") != 0 &&
		     (event || strcmp(d->prov, "fbt") != 0)))
			continue;
		return arena_printf(s->a, "system calls are syscall::%s:%s",
				    text + n, event ? rows[i].name :
				    *d->name ? d->name : "entry");
	}
	return NULL;
}

/* A function of a kernel elsewhere, or a module of one. */
static const char *
foreign_func(const struct probe_desc *d)
{
	static const struct { bool is_module; const char *names, *hint; } rows[] = {
#define FOREIGN_FUNC(names, hint) { false, names, hint },
#define FOREIGN_MODULE(names, hint) { true, names, hint },
#define FOREIGN_TYPE(alias, tag, hint)
#include "sema/foreign.def"
#undef FOREIGN_FUNC
#undef FOREIGN_MODULE
#undef FOREIGN_TYPE
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		const char *name = rows[i].is_module ? d->mod : d->func;
		if (!strcmp(d->prov, "fbt") && *name && !probe_has_glob(name) &&
		    probe_glob_match(rows[i].names, name))
			return rows[i].hint;
	}
	return NULL;
}

/* What tells the same as a function that cannot be had, or NULL. */
static const char *
said_of_function(struct sema *s, const struct probe_desc *d)
{
	const char *why = said_of_syscall(s, d);

	return why ? why : foreign_func(d);
}

/* Say which part of d is not there, if its provider knows. */
static bool
says_what_is_missing(struct sema *s, const struct ast_pdesc *pd,
		     const struct probe_desc *d)
{
	static const enum diag_tag tags[] = {
		[PROBE_SPEC_PROVIDER] = D_PROC_BADPID,
		[PROBE_SPEC_MOD] = D_PROC_LIB, [PROBE_SPEC_FUNC] = D_PROC_FUNC,
		[PROBE_SPEC_NAME] = D_PROC_NAME,
	};
	enum probe_spec part = PROBE_SPEC_PROVIDER;
	const char *why = s->world->missing ?
		s->world->missing(s->world->ctx, d, s->a, &part) : NULL;

	if (!why)
		return false;
	bool offset = part == PROBE_SPEC_NAME && *d->name &&
		      !d->name[strspn(d->name, "0123456789abcdef")];
	diag(s->d, offset ? D_PROC_OFF : tags[part], pd->span,
	     "probe description %s: %s", pd->text, why);
	diag_reason(s->d, why);
	return true;
}

static void
no_match(struct sema *s, const struct ast_pdesc *pd,
	 const struct probe_desc *d)
{
	const char *near[4], *why = NULL;
	unsigned n = 0;

	s->clause->is_unmatched = true;
	if (says_what_is_missing(s, pd, d))
		return;
	diag(s->d, D_PDESC_ZERO, pd->span,
	     "probe description %s does not match any probes", pd->text);
	if (s->world->misnamed)
		why = s->world->misnamed(s->world->ctx, d, s->a);
	if (!why)
		why = said_elsewhere(pd->text);
	if (!why)
		why = said_of_function(s, d);
	if (!why && strchr(pd->text, '.') && !strchr(pd->text, ':'))
		why = "colons stand between the parts of a description: "
		      "PROVIDER:MODULE:FUNCTION:NAME";
	if (why) {
		diag_hint(s->d, "%s", why);
		return;
	}
	/* The name of a provider elsewhere is no slip of the fingers. */
	if (s->world->suggest && sema_wants_hint(s) &&
	    !find_known(d->prov))
		n = s->world->suggest(s->world->ctx, d, s->a, near,
				      BASE_NELEMS(near));
	if (n == 0) {
		no_provider(s, d);
		return;
	}
	const char *text = near[0];
	for (unsigned i = 1; i < n && text; i++)
		text = arena_printf(s->a, "%s%s%s", text,
				    i + 1 == n ? " or " : ", ", near[i]);
	if (text)
		diag_hint(s->d, "did you mean %s?", text);
}

/* A description that matches nothing. */
static void
note_no_match(struct sema *s, const struct ast_pdesc *pd,
	      const struct probe_desc *d)
{
	struct sema_foreign f = { .desc = pd };

	if (s->world->foreign)
		f.text = s->world->foreign(s->world->ctx, d, s->a, &f.absent);
	if (f.text && !s->is_trial)
		sema_had(s, vec_push(&s->foreign, f));
	if (!f.text && (s->opts->v[OPT_ZDEFS] <= 0 || d->id))
		no_match(s, pd, d);
}

/* What a provider sets up is for any kernel, which may lack some of what it names. */
static bool
is_own(const struct ast_pdesc *pd)
{
	return pd->span.src && pd->span.src->is_library;
}

/* One colon more than there are, at the end: sdt:sched:::. */
static bool
has_one_more(const char *text)
{
	size_t n = strlen(text), colons = 0;

	for (size_t i = 0; i < n; i++)
		colons += text[i] == ':';
	return colons == 4 && text[n - 1] == ':';
}

/* Is there a :: within a name, as in space::name, and not only empty fields? */
static bool
has_scope(const char *text)
{
	for (const char *p = strstr(text, "::"); p; p = strstr(p + 1, "::"))
		if (p > text && p[-1] != ':' && p[2] && p[2] != ':')
			return true;
	return false;
}

static void
bad_desc(struct sema *s, const struct ast_pdesc *pd, const struct err *e)
{
	if (e->code == ERR_NOMEM) {
		s->nomem = true;
		return;
	}
	diag(s->d, D_PDESC_INVAL, pd->span, "invalid probe description \"%s\": %s",
	     pd->text, e->text);
	if (has_one_more(pd->text))
		diag_hint(s->d, "did you mean %.*s?",
			  (int)strlen(pd->text) - 1, pd->text);
	else if (has_scope(pd->text))
		diag_hint(s->d, "of a name with :: each : is written ?, as in "
			  "space??name");
}

/* False: nothing matches. */
static bool
check_desc(struct sema *s, const struct ast_pdesc *pd, struct probe_desc *ret)
{
	struct base_span text = { pd->text, strlen(pd->text) };
	struct err *e = probe_desc_parse(s->a, text, last_field(s), ret);
	struct matches m = { .c = s->clause, .d = ret };

	if (e) {
		bad_desc(s, pd, e);
		err_free(e);
		return true;
	}
	m.one_will_do = ret->id ||
			(*ret->prov && !probe_has_glob(ret->prov));
	e = sema_match(s, ret, count_match, &m);
	s->nmatching += m.n > 0;
	if (e && !says_what_is_missing(s, pd, ret)) {
		const char *hint = said_of_function(s, ret);
		diag(s->d, D_PDESC_FAIL, pd->span, "probe description %s: %s",
		     pd->text, e->text);
		if (hint)
			diag_hint(s->d, "%s", hint);
	}
	bool matches = e || m.n || s->nomem;
	if (!matches && !is_own(pd))
		note_no_match(s, pd, ret);
	err_free(e);
	return matches;
}

void
sema_clause_descs(struct sema *s, const struct ast_clause *c)
{
	struct probe_desc *d;
	bool matches = false;
	uint32_t n = 0;

	for (const struct ast_pdesc *p = c->descs; p; p = p->next)
		n++;
	d = ARENA_ARRAY(s->a, struct probe_desc, n);
	if (!d)
		return;
	for (uint32_t i = 0; i < n; i++)
		d[i] = (struct probe_desc){ "", "", "", "", 0 };
	s->clause->descs = d;
	s->clause->ndescs = n;
	n = 0;
	for (const struct ast_pdesc *p = c->descs; p; p = p->next)
		matches |= check_desc(s, p, &d[n++]);
	if (n && !matches && is_own(c->descs))
		note_no_match(s, c->descs, &d[0]);
}

/* No other description matches either, so the program would wait in vain. */
static void
refuse_foreign(struct sema *s)
{
	for (size_t i = 0; i < s->foreign.n; i++) {
		const struct sema_foreign *f = &s->foreign.v[i];
		diag(s->d, D_PDESC_ZERO, f->desc->span, "probe description %s "
		     "does not match any probes", f->desc->text);
		diag_hint(s->d, "%s has no such %s: %s", f->absent.who,
			  f->absent.what, f->text);
	}
}

/* Has text i been told of? */
static bool
is_told(const struct sema *s, size_t i)
{
	return BASE_ANY(k, i,
			!strcmp(s->foreign.v[k].text, s->foreign.v[i].text));
}

/* Is there another of the kind of number i before it? */
static bool
is_of_kind_before(const struct sema *s, size_t i)
{
	return BASE_ANY(k, i,
			strcmp(s->foreign.v[k].absent.what,
			       s->foreign.v[i].absent.what) == 0);
}

/* One warning of all that are of the kind of number i. */
static void
warn_of_kind(struct sema *s, size_t i)
{
	const struct sema_absent *absent = &s->foreign.v[i].absent;
	const char *all = s->foreign.v[i].text;

	for (size_t k = i + 1; all && k < s->foreign.n; k++)
		if (strcmp(s->foreign.v[k].absent.what, absent->what) == 0 &&
		    !is_told(s, k))
			all = arena_printf(s->a, "%s, %s", all,
					   s->foreign.v[k].text);
	if (all)
		diag_warn(s->d, D_PDESC_ZERO, s->foreign.v[i].desc->span,
			  "%s has no %s %s; such descriptions match nothing",
			  absent->who, absent->what, all);
}

void
sema_foreign_check(struct sema *s)
{
	if (!s->nmatching && s->opts->v[OPT_ZDEFS] <= 0) {
		refuse_foreign(s);
		return;
	}
	for (size_t i = 0; i < s->foreign.n; i++)
		if (!is_of_kind_before(s, i))
			warn_of_kind(s, i);
}

/* --- args[] -------------------------------------------------------------- */

struct args {
	struct sema *s;
	unsigned no;
	unsigned nprobes;
	const struct type *type;
	unsigned raw;
	const char *xlate;		/* sema_world.arg_xlate */
	const struct probe *untyped;	/* has no args[no] */
	bool differ;
	const struct probe_provattr *last;
};

static bool
look_at_probe(void *arg, const struct probe *p)
{
	struct args *a = arg;
	struct sema *s = a->s;
	unsigned raw = a->no;
	const struct type *t = NULL;
	const char *xlate = NULL;

	if (s->world->arg_type)
		t = s->world->arg_type(s->world->ctx, p, a->no, &raw);
	if (s->world->arg_xlate)
		xlate = s->world->arg_xlate(s->world->ctx, p, a->no);
	if (p->attr && p->attr != a->last) {
		struct probe_attr *min = &s->clause->probe_attr;
		*min = probe_attr_min(*min, p->attr->args);
		a->last = p->attr;
	}
	if (!t) {
		a->untyped = p;
		return false;
	}
	if (a->nprobes++ == 0) {
		a->type = t;
		a->raw = raw;
		a->xlate = xlate;
	} else if (raw != a->raw || !type_equal(t, a->type) ||
		   strcmp(xlate ? xlate : "", a->xlate ? a->xlate : "")) {
		a->differ = true;
	}
	return !a->differ;
}

/* No probe of the clause is here, but its body compiles. */
static void
look_at_foreign(struct args *a, const struct probe_desc *d)
{
	struct sema *s = a->s;

	a->xlate = NULL;
	if (s->world->foreign_arg)
		a->type = s->world->foreign_arg(s->world->ctx, d, a->no,
						&a->xlate);
	a->raw = a->no;
	a->nprobes = a->type != NULL;
}

static void
no_such_arg(struct sema *s, const struct ast_node *n, int64_t no,
	    const struct probe *p)
{
	diag(s->d, D_ARGS_IDX, n->span, "index %lld is out of range for "
	     "%s:%s:%s:%s args[ ]", (long long)no, p->prov, p->mod, p->func,
	     p->name);
	diag_hint(s->d, strcmp(p->prov, "fbt") == 0 && strchr(p->func, '.') ?
		  "the kernel does not tell all arguments of what a compiler "
		  "made of a function: cast arg0 to arg9, as in "
		  "(struct file *)arg0" :
		  "arg0 to arg9 are the arguments without types");
}

/* May it be one of programs, which end with a process's number? */
static bool
is_of_processes(const char *prov)
{
	char last = *prov ? prov[strlen(prov) - 1] : '\0';

	return last == '*' || isdigit((unsigned char)last);
}

const struct type *
sema_args_type(struct sema *s, const struct ast_node *n, int64_t no,
	       unsigned *raw)
{
	struct args a = { .s = s, .no = (unsigned)no };
	const struct sema_clause *c = s->clause;

	if (no < 0 || no >= ABI_NARGS) {
		diag(s->d, D_ARGS_IDX, n->span, "index %lld is out of range "
		     "for args[ ]", (long long)no);
		return NULL;
	}
	if (s->arg_types.v[no].type) {
		*raw = s->arg_types.v[no].raw;
		return s->arg_types.v[no].type;
	}
	for (uint32_t i = 0; c && i < c->ndescs; i++)
		if (!a.untyped && !a.differ)
			err_free(sema_match(s, &c->descs[i], look_at_probe,
					    &a));
	if (a.untyped) {
		no_such_arg(s, n, no, a.untyped);
		return NULL;
	}
	if (a.differ) {
		diag(s->d, D_ARGS_MULTI, n->span, "args[%lld] has not the "
		     "same type in all of the probes of this clause",
		     (long long)no);
		diag_hint(s->d, "name the probes more exactly, or write a "
			  "clause for each kind");
		return NULL;
	}
	for (uint32_t i = 0; c && !a.nprobes && i < c->ndescs; i++)
		look_at_foreign(&a, &c->descs[i]);
	if (a.nprobes == 0 && c && c->is_unmatched)
		return NULL;
	if (a.nprobes == 0) {
		diag(s->d, D_ARGS_NONE, n->span, "args[ ] has no types here, "
		     "because no probe is known yet");
		if (c && BASE_ANY(i, c->ndescs, is_of_processes(c->descs[i].prov)))
			diag_hint(s->d, "arg%lld is the same without a type; types are known "
				  "once a program with the probe runs", (long long)no);
		return NULL;
	}
	s->arg_types.v[no].type = a.type;
	s->arg_types.v[no].xlate = a.xlate;
	*raw = s->arg_types.v[no].raw = a.raw;
	return a.type;
}

/* --- The clause ---------------------------------------------------------- */

void
sema_clause_check(struct sema *s, const struct ast_clause *c)
{
	struct sema_clause *sc = &s->prog->clauses[s->prog->nclauses++];

	assert(!s->clause);
	sc->ast = c;
	sc->probe_attr = (struct probe_attr){
		PROBE_STANDARD, PROBE_STANDARD, PROBE_CLASS_COMMON
	};
	sc->stmt_attr = sema_attr_default;
	s->clause = sc;
	memset(&s->arg_types, 0, sizeof(s->arg_types));
	sema_clause_descs(s, c);
	if (c->descs)
		sema_check_amin(s, sc->probe_attr, c->descs->span);
	/* The body comes first: what it assigns, the predicate may ask for. */
	sema_stmts(s, c->body);
	if (c->pred) {
		sema_expr(s, c->pred);
		sema_is_cond(s, c->pred, D_PRED_SCALAR, "a predicate");
	}
	sema_order(s, c->body);
	/* Whatever was gone into on the way was left. */
	assert(s->clause == sc && !s->locals && !s->params && !s->func);
	s->clause = NULL;
}
