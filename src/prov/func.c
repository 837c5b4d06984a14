/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which functions of the kernel can be traced, and where they are.
 *
 *	available_filter_functions	all whose beginning the kernel can divert,
 *			by name; two may have one name
 *	available_filter_functions_addrs	the same, since Linux 6.5, with the
 *			address of what is diverted: some bytes behind the beginning
 *	/proc/kallsyms	where each begins
 *
 * A program is attached by address, and a cookie is found by that of the beginning,
 * so it is never taken from the name alone where several have that.
 *
 * Of the 43,000 of a kernel those are left out that are no functions by
 * themselves: parts that are seldom run (.cold), and the padding in front; and those that
 * the kernel calls for each firing, which would fire as often as all others together.
 *
 *  1. Functions are sorted by name, the kernel's own of a name first; each is there
 *     once, with all its addresses, which ascend.
 *  2. Addresses lie in the order of their functions, so each function's are together.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "prov/func_priv.h"
#include "prov/sdt_priv.h"
#include "util/alloc.h"
#include "util/cleanup.h"

#define KERNEL PROBE_KERNEL

enum {
	TEXT_MAX = 1 << 28,
	BEHIND = 64,		/* what is diverted: at most, bytes */
};

struct err *
prov_set_world(struct prov_set *s, const struct prov_world *w)
{
	assert(!s->funcs);
	s->funcs = util_zalloc(sizeof(*s->funcs));
	if (!s->funcs)
		return &err_nomem;
	s->funcs->world = *w;
	sb_init(&s->funcs->names, TEXT_MAX);
	return NULL;
}

static void
forget_calls(struct prov_funcs *f)
{
	while (f->calls.n)
		util_free(f->calls.v[--f->calls.n]);
}

void
prov_funcs_free(struct prov_funcs *f)
{
	if (!f)
		return;
	err_free(f->why);
	sb_fini(&f->names);
	forget_calls(f);
	vec_fini(&f->calls);
	vec_fini(&f->all);
	vec_fini(&f->addrs);
	util_free(f);
}

static struct err *
same(const struct err *e)
{
	return e ? err_new(e->code, e->os, "%s", e->text) : NULL;
}

struct err *
prov_func_may(struct prov_set *s, bool *many)
{
	struct prov_funcs *f = s->funcs;

	if (!f)
		return err_new(ERR_UNSUPPORTED, 0, "nobody tells whether "
			       "functions of the kernel can be probed");
	if (!f->was_tried) {
		struct err *e = f->world.may_probe(f->world.ctx, &f->many);
		if (e && e->code == ERR_NOMEM)
			return e;
		f->why = e;
		f->was_tried = true;
	}
	if (f->why)
		return same(f->why);
	if (many)
		*many = f->many;
	return NULL;
}

/* --- Reading ---------------------------------------------------------------- */

/* One of a list: what the kernel can trace, or a symbol. */
struct entry {
	const char *name, *module;
	uint64_t at;		/* 0: not told */
	const char *other;	/* name, NULL: it has none */
};

struct entries { struct entry *v; size_t n, cap; };	/* a vec */

static struct err *
read_text(const struct prov_funcs *f, const char *file, struct sb *b)
{
	if (f->world.read)
		return f->world.read(f->world.ctx, file, b);
	return *file == '/' ? prov_file_read(file, b)
			    : prov_tracefs_read(file, b);
}

/* The next word of a line, which ends in a NUL then; "": there is none. */
static char *
word(char **line)
{
	char *w = *line + strspn(*line, " \t");

	*line = w + strcspn(w, " \t");
	if (**line)
		*(*line)++ = '\0';
	return w;
}

/* "[name]" to "name". */
static const char *
module_of(char *w)
{
	size_t n = strlen(w);

	if (n < 3 || *w != '[' || w[n - 1] != ']')
		return KERNEL;
	w[n - 1] = '\0';
	return w + 1;
}

/* NAME [MODULE], behind the address where that is told. */
static bool
parse_function(char *line, bool has_addr, struct entry *ret)
{
	*ret = (struct entry){ .at = has_addr ? strtoull(word(&line), NULL, 16) : 0 };
	ret->name = word(&line);
	ret->module = module_of(word(&line));
	return *ret->name && (!has_addr || ret->at);
}

/* ADDRESS TYPE NAME [MODULE]; only of code, where addresses are not hidden. */
static bool
parse_symbol(char *line, bool has_addr, struct entry *ret)
{
	*ret = (struct entry){ .at = strtoull(word(&line), NULL, 16) };
	bool is_code = strchr("tTwW", *word(&line));
	ret->name = word(&line);
	ret->module = module_of(word(&line));
	return is_code && ret->at && *ret->name;
}

/* Each line of text that parse() takes; text is taken apart. */
static struct err *
parse(struct sb *text, bool has_addr,
      bool (*parse_line)(char *line, bool has_addr, struct entry *ret),
      struct entries *ret)
{
	char *next = text->p;
	struct entry e;

	while (next && *next) {
		char *line = next;
		next += strcspn(next, "\n");
		if (*next)
			*next++ = '\0';
		if (parse_line(line, has_addr, &e) && !vec_push(ret, e))
			return &err_nomem;
	}
	return NULL;
}

/* What the kernel can trace. */
static struct err *
read_functions(struct prov_funcs *f, struct entries *ret)
{
	bool has_addr = true;
	struct err *e = read_text(f, "available_filter_functions_addrs",
				  &f->names);

	if (e && e->code != ERR_NOMEM) {
		err_free(e);
		sb_reset(&f->names);
		has_addr = false;
		e = read_text(f, "available_filter_functions", &f->names);
	}
	return e ? e : parse(&f->names, has_addr, parse_function, ret);
}

/* --- Addresses -------------------------------------------------------------- */

static int
by_addr(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

static int
by_name(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	/* The kernel's own first. */
	if (!c)
		c = strcmp(y->module, KERNEL) == 0 ?
		    strcmp(x->module, KERNEL) != 0 :
		    strcmp(x->module, KERNEL) == 0 ? -1 :
		    strcmp(x->module, y->module);
	return c ? c : by_addr(a, b);
}

/* How many of v, which is sorted, come before `like`. */
static size_t
lower(const struct entries *v, const struct entry *like,
      int (*cmp)(const void *a, const void *b))
{
	return BASE_HOW_MANY(i, v->n, cmp(&v->v[i], like) < 0);
}

/* The beginning of the function at whose beginning at is diverted; 0: none. */
static uint64_t
beginning(const struct entries *symbols, uint64_t at)
{
	size_t i = lower(symbols, &(struct entry){ .at = at + 1 }, by_addr);

	return i && at - symbols->v[i - 1].at < BEHIND ?
	       symbols->v[i - 1].at : 0;
}

/* An address more of the last; not the same again. */
static bool
push_addr(struct prov_funcs *f, uint64_t at)
{
	assert(f->all.n && at);
	struct prov_func *last = &f->all.v[f->all.n - 1];

	if (last->naddrs && f->addrs.v[f->addrs.n - 1] >= at)
		return true;
	last->naddrs++;
	return vec_push(&f->addrs, at);
}

/* Where e begins, all of them if nothing tells which. */
static bool
push_addrs(struct prov_funcs *f, const struct entry *e,
	   const struct entries *symbols)
{
	struct entry like = { e->name, e->module, 0 };

	if (e->at)
		return push_addr(f, e->at);
	for (size_t i = lower(symbols, &like, by_name); i < symbols->n &&
	     !strcmp(symbols->v[i].name, e->name) &&
	     !strcmp(symbols->v[i].module, e->module); i++)
		if (!push_addr(f, symbols->v[i].at))
			return false;
	return true;
}

/* --- System calls ----------------------------------------------------------- */

/* Is there a symbol of that name where e is?  By address e->at is where it begins. */
static bool
is_also(const struct entries *symbols, const struct entry *e, const char *name,
	bool has_addr)
{
	struct entry own = { e->name, e->module, e->at }, other = { name, e->module, 0 };
	size_t i, k;

	if (has_addr) {
		i = lower(symbols, &own, by_addr);
		while (i < symbols->n && symbols->v[i].at == e->at &&
		       strcmp(symbols->v[i].name, name))
			i++;
		return i < symbols->n && symbols->v[i].at == e->at;
	}
	i = lower(symbols, &own, by_name);
	k = lower(symbols, &other, by_name);
	return i < symbols->n && !strcmp(symbols->v[i].name, e->name) &&
	       k < symbols->n && !strcmp(symbols->v[k].name, name) &&
	       symbols->v[i].at == symbols->v[k].at;
}

/* A call without arguments is one function with two names.  Of these the kernel lists
 * that which is like no other call's, so that __x64_sys_* would not have it. */
static struct err *
name_call(struct prov_funcs *f, struct entry *e, const struct entries *symbols,
	  bool has_addr)
{
	static const char listed[] = "__do_sys_";
	static const char *const others[] = { "__x64_sys_", "__arm64_sys_" };
	size_t n = strlen(listed);
	char name[PROBE_FUNCLEN];

	if (strncmp(e->name, listed, n))
		return NULL;
	for (size_t i = 0; i < BASE_NELEMS(others); i++) {
		snprintf(name, sizeof(name), "%s%s", others[i], e->name + n);
		if (!is_also(symbols, e, name, has_addr))
			continue;
		char *own = util_strdup(name);
		if (!own || !vec_push(&f->calls, own)) {
			util_free(own);
			return &err_nomem;
		}
		e->other = e->name;
		e->name = own;
		return NULL;
	}
	return NULL;
}

/* --- Functions -------------------------------------------------------------- */

static bool
is_function(const struct entry *e)
{
	return strlen(e->name) < PROBE_FUNCLEN &&
	       strlen(e->module) < PROBE_MODLEN &&
	       strncmp(e->name, "__pfx_", 6) && strncmp(e->name, "__cfi_", 6) &&
	       strncmp(e->name, "__ftrace_invalid_address_", 25) &&
	       !strstr(e->name, ".cold");
}

/* Does the kernel call it for each firing of kprobe.multi?  Then it fires there, or is
 * lost, once more.  is_endbr: since 7.3 a function (1.29 million of 1.37 million firings);
 * __rcu_read_*: with them 912,320 of 1.06 million were lost, without 13,949 of 526,224
 * (7.3); rcu_read_unlock_special is what the latter goes on to when a grace period waits for
 * the thread.  What is lost then is called by interrupts
 * (doc/decisions/019-functions-stay-kprobes.md). */
static bool
is_of_firings(const struct entry *e)
{
	static const char *const names[] = {
		"__rcu_read_lock", "__rcu_read_unlock", "is_endbr",
		"rcu_read_unlock_special",
	};

	return BASE_ANY(i, BASE_NELEMS(names), strcmp(e->name, names[i]) == 0);
}

/* Functions that end the thread, or all of it, return nowhere. */
static bool
ends(const char *name)
{
	static const char *const never[] = {
		"do_exit", "do_group_exit", "do_task_dead", "panic", "nmi_panic",
		"make_task_dead", "kthread_exit", "kthread_complete_and_exit",
		"module_put_and_kthread_exit", "__module_put_and_kthread_exit",
		"__x64_sys_exit", "__x64_sys_exit_group", "__arm64_sys_exit",
		"__arm64_sys_exit_group", "__stack_chk_fail", "rewind_stack_and_make_dead",
		"cpu_startup_entry", "do_idle_forever", "start_secondary",
	};

	return BASE_ANY(i, BASE_NELEMS(never), strcmp(name, never[i]) == 0);
}

/* One function for all entries of one name and module. */
static struct err *
push(struct prov_funcs *f, const struct entry *e, const struct entries *symbols)
{
	struct prov_func *last = f->all.n ? &f->all.v[f->all.n - 1] : NULL;
	struct prov_func own = { .name = e->name, .module = e->module,
				 .other = e->other, .ends = ends(e->name) };

	assert(!last || strcmp(last->name, e->name) <= 0);		/* 1 */
	if ((!last || strcmp(last->name, e->name) ||
	     strcmp(last->module, e->module)) && !vec_push(&f->all, own))
		return &err_nomem;
	if (!push_addrs(f, e, symbols))
		return &err_nomem;
	if (!f->all.v[f->all.n - 1].naddrs) {
		f->all.n--;
		f->nhidden++;
	}
	return NULL;
}

static struct err *
gather(struct prov_funcs *f, struct entries *e, struct entries *symbols)
{
	bool has_addr = e->n && e->v[0].at;

	if (symbols->n)
		qsort(symbols->v, symbols->n, sizeof(*symbols->v),
		      has_addr ? by_addr : by_name);
	for (size_t i = 0; has_addr && i < e->n; i++)
		e->v[i].at = beginning(symbols, e->v[i].at);
	for (size_t i = 0; i < e->n; i++)
		TRY(name_call(f, &e->v[i], symbols, has_addr));
	if (e->n)
		qsort(e->v, e->n, sizeof(*e->v), by_name);
	for (size_t i = 0; i < e->n; i++) {
		if (!is_function(&e->v[i]))
			f->nparts++;
		else if (is_of_firings(&e->v[i]))
			f->nfirings++;
		else if (has_addr && !e->v[i].at)
			f->nhidden++;
		else
			TRY(push(f, &e->v[i], symbols));
	}
	const uint64_t *at = f->addrs.v;
	for (size_t i = 0; i < f->all.n; i++) {
		f->all.v[i].addrs = at;
		assert(f->all.v[i].naddrs);				/* 1 */
		at += f->all.v[i].naddrs;
	}
	assert(at == f->addrs.v + f->addrs.n);				/* 2 */
	return NULL;
}

static struct err *
list_with(struct prov_funcs *f, struct entries *e, struct sb *text,
	  struct entries *symbols)
{
	TRY(read_functions(f, e));
	TRY(read_text(f, PROV_KALLSYMS, text));
	TRY(parse(text, true, parse_symbol, symbols));
	if (!symbols->n)
		return err_new(ERR_UNSUPPORTED, 0, "addresses of the kernel's "
			       "functions are hidden (kernel.kptr_restrict)");
	return gather(f, e, symbols);
}

static struct err *
list(struct prov_funcs *f)
{
	struct entries e = { 0 }, symbols = { 0 };
	struct sb text;

	if (f->is_listed)
		return NULL;
	sb_init(&text, TEXT_MAX);
	sb_reset(&f->names);
	forget_calls(f);
	f->all.n = f->addrs.n = f->nparts = f->nfirings = f->nhidden = 0;
	struct err *err = list_with(f, &e, &text, &symbols);
	sb_fini(&text);
	vec_fini(&e);
	vec_fini(&symbols);
	f->is_listed = !err;
	return err;
}

/* --- Answers ---------------------------------------------------------------- */

struct err *
prov_func_all(struct prov_set *s, struct prov_func **ret, size_t *n,
	      size_t *left_out)
{
	TRY(prov_func_may(s, NULL));
	TRY(list(s->funcs));
	*ret = s->funcs->all.v;
	*n = s->funcs->all.n;
	if (left_out)
		*left_out = s->funcs->nparts + s->funcs->nfirings +
			    s->funcs->nhidden;
	return NULL;
}

bool
prov_func_tell_left_out(const struct prov_set *s, struct sb *b)
{
	const struct prov_funcs *f = s->funcs;
	size_t nends = 0;

	if (!f || !f->is_listed)
		return false;
	for (size_t i = 0; i < f->all.n; i++)
		nends += f->all.v[i].ends;
	sb_printf(b, "%zu functions of the kernel can be probed; it lists %zu more "
		  "that are parts of others, %zu that probes themselves call, and "
		  "%zu that are nowhere; %zu end the thread and have no return",
		  f->all.n, f->nparts, f->nfirings, f->nhidden, nends);
	return !b->failed;
}

struct err *
prov_func_find(struct prov_set *s, const char *name, struct prov_func **ret)
{
	struct prov_func *all;
	size_t n, at;

	TRY(prov_func_all(s, &all, &n, NULL));
	at = BASE_HOW_MANY(i, n, strcmp(all[i].name, name) < 0);
	*ret = at < n && !strcmp(all[at].name, name) ? &all[at] : NULL;
	return NULL;
}

const struct type *
prov_func_type(struct prov_set *s, struct prov_func *f)
{
	const struct type *t = NULL;

	if (!f->was_asked && s->db)
		err_free(typedb_symbol(s->db, f->module, f->name, &t));
	if (!f->was_asked && s->db && !t && f->other)
		err_free(typedb_symbol(s->db, f->module, f->other, &t));
	if (t && type_is_func(type_strip(t)))
		f->type = type_strip(t);
	f->was_asked = true;
	return f->type;
}

const struct type *
prov_func_param(struct prov_set *s, struct prov_func *f, unsigned n,
		const char **name)
{
	const struct type *t = prov_func_type(s, f);

	if (!t || n >= t->n || n >= ABI_NARGS)
		return NULL;
	/* What is passed in several registers, or none, moves all behind it. */
	for (unsigned i = 0; i <= n; i++) {
		const struct type *p = type_strip(t->u.params[i].type);
		if (!type_is_scalar(p) || type_size(p) > 8)
			return NULL;
	}
	*name = t->u.params[n].name;
	return t->u.params[n].type;
}

/* --- Points ----------------------------------------------------------------- */

void
prov_func_point(struct abi_point *pt, bool many, bool is_return)
{
	static const uint8_t regs[] = {
		ABI_ROLE_ARG0, ABI_ROLE_ARG1, ABI_ROLE_ARG2, ABI_ROLE_ARG3,
		ABI_ROLE_ARG4, ABI_ROLE_ARG5,
	};
	enum { NREGS = BASE_NELEMS(regs) };

	*pt = (struct abi_point){
		.attach = is_return ?
			  many ? ABI_ATTACH_KRETPROBE_MULTI : ABI_ATTACH_KRETPROBE :
			  many ? ABI_ATTACH_KPROBE_MULTI : ABI_ATTACH_KPROBE,
		.find = ABI_FIND_ONE, .target = "function",
	};
	if (is_return) {
		pt->args[0] = (struct abi_arg){ .kind = ABI_ARG_REG, .size = 8,
						.reg = ABI_ROLE_RESULT };
		return;
	}
	for (unsigned i = 0; i < NREGS; i++)
		pt->args[i] = (struct abi_arg){ .kind = ABI_ARG_REG, .size = 8,
						.reg = regs[i] };
#if defined(__x86_64__)
	/* The others lie above the address to return to. */
	for (unsigned i = NREGS; i < ABI_NARGS; i++)
		pt->args[i] = (struct abi_arg){ .kind = ABI_ARG_KMEM, .size = 8,
			.reg = ABI_ROLE_SP, .off = 8 * (i - NREGS + 1) };
#endif
}

struct err *
prov_func_sites(const struct prov_func *f, const struct prov_site *like,
		prov_site_fn *fn, void *ctx)
{
	assert(f->naddrs && f->addrs);
	for (uint32_t i = 0; i < f->naddrs; i++) {
		assert(!i || f->addrs[i - 1] < f->addrs[i]);		/* 1 */
		struct prov_site site = *like;
		site.addr = f->addrs[i];
		TRY(fn(ctx, &site));
	}
	return NULL;
}
