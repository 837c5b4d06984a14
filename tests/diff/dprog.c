/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Programs in D.  Their world is made up:
 *
 *	dtrace:::BEGIN, dtrace:::ERROR
 *	diff:mod:func:a, b, c	one BPF program, chosen by a word of the
 *				context; args[0]..args[5] are typed
 *	diff:mod:func:ret	knows errno
 *
 * and `struct datum` (datum.def), of which four lie in user memory at arg6, a
 * list by their `next`; args[3] points to the first.  arg5 is the address of
 * DIFF_USER bytes, text and numbers, with a NUL among any 48; behind them nothing can be
 * read.  Kernel types and kernel memory are the running system's.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "diff_priv.h"
#include "gen/gen.h"
#include "support/mktype.h"
#include "type/make.h"
#include "typedb/typedb.h"
#include "util/intern.h"

/* --- User memory -------------------------------------------------------------- */

struct datum {
#define MEMBER(ctype, dtype, name, decl) ctype decl;
#include "datum.def"
#undef MEMBER
	struct datum *next;
};

static struct datum data[4];
static uint8_t *text;	/* DIFF_USER bytes */

static void
fill_data(void)
{
	uint64_t seed = 1;

	for (size_t i = 0; i < sizeof(data); i++) {
		seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
		((uint8_t *)data)[i] = (uint8_t)(seed >> 56);
	}
	for (unsigned i = 0; i < 4; i++) {
		data[i].next = i < 3 ? &data[i + 1] : NULL;
		memset(data[i].name, 0, sizeof(data[i].name));
		memcpy(data[i].name, "datum/of the many", 5 + 3 * i);
	}
}

static void
fill_text(void)
{
	static const char *const words[] = {
		"user memory", "/abc/def/ghi", "\xff\x80\x7f", " 123456789",
		"-42", "0x1fz", "a", "", "b/", "abcabcabc", "diff-fuzz",
		"the quick brown fox jumps over the lazy", "//", "0777",
	};
	size_t at = 0;

	text = mmap(NULL, 2 * DIFF_USER, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (text == MAP_FAILED ||
	    mprotect(text + DIFF_USER, DIFF_USER, PROT_NONE))
		diff_die("no user memory");
	for (unsigned i = 0; at < DIFF_USER; i++) {
		const char *w = words[i * 5 % BASE_NELEMS(words)];
		size_t n = strlen(w) + 1;
		if (n > DIFF_USER - at)
			n = DIFF_USER - at;
		memcpy(text + at, w, n);
		at += n;
	}
	text[DIFF_USER - 1] = '\0';
}

const void *
diff_user(void)
{
	if (!text) {
		fill_data();
		fill_text();
	}
	return text;
}

/* What fires, in order: numbers of probes, and arguments. */
static const struct diff_args firings[] = {
	{ { 0 }, 0 },
	{ { 1, 2, 3, 4, 5, 0, 0, 7, 8, 9 }, 1 },
	{ { UINT64_MAX, 255, 1ULL << 63, 0x7fffffff, 0x80000000, 0, 0, 0x8000,
	    INT64_MAX, (uint64_t)-2 }, 2 },
	{ { 0x123456789abcdef0, 17, 0xffffffff, 64, 0, 0, 0, (uint64_t)-3,
	    1ULL << 32, 100 }, 3 },
	{ { 3, (uint64_t)-5, (uint64_t)-4096, 0, 31, 0, 0, 1, 2,
	    (uint64_t)-13 }, 4 },
	{ { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }, 1 },
	{ { (uint64_t)-4095, 1, 1000000007, 0xffffffff80000000, 63, 0, 0, 40,
	    (uint64_t)-1, 12 }, 4 },
	{ { 42, 200, 10, 11, 12, 0, 0, (uint64_t)-1, 1ULL << 40, 5 }, 2 },
};
enum { NFIRINGS = BASE_NELEMS(firings), ARG_TEXT = 5, ARG_DATA = 6 };

/* --- Types ---------------------------------------------------------------------- */

/* The text of a D declarator behind the name: "[2][3]", ":5". */
static const struct type *
member_type(struct arena *a, const struct type *t, const char *suffix,
	    uint32_t *bits)
{
	unsigned n[2] = { 0, 0 };

	*bits = 0;
	if (sscanf(suffix, ":%u", bits) == 1)
		return t;
	int dims = sscanf(suffix, "[%u][%u]", &n[0], &n[1]);
	while (dims > 0)
		t = type_new_array(a, t, n[--dims]);
	return t;
}

static const struct type *
basic(const char *name)
{
	static const struct { const char *name; const struct type *type; } rows[] = {
#define BASIC(id, name, ...) { name, &type_##id },
#include "type/basic.def"
#undef BASIC
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (!strcmp(rows[i].name, name))
			return rows[i].type;
	diff_die("no type %s", name);
	return NULL;
}

static struct type *
user_ptr(struct arena *a, const struct type *to)
{
	struct type *p = type_new_ptr(a, to);

	if (p)
		p->is_user = true;
	return p;
}

static const struct type *
make_datum(struct arena *a)
{
	static const struct { const char *type, *name, *suffix; } rows[] = {
#define MEMBER(ctype, dtype, name, decl) { dtype, #name, #decl + sizeof(#name) - 1 },
#include "datum.def"
#undef MEMBER
	};
	struct type_member m[BASE_NELEMS(rows) + 1] = { { 0 } };
	struct type *next = user_ptr(a, &type_void);

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		m[i].name = rows[i].name;
		m[i].type = member_type(a, basic(rows[i].type), rows[i].suffix,
					&m[i].bit_size);
	}
	m[BASE_NELEMS(rows)].name = "next";
	m[BASE_NELEMS(rows)].type = next;
	struct type *t = mktype_sou(a, TYPE_STRUCT, "datum", m,
				      BASE_NELEMS(m));
	if (!t || !next)
		diff_die("out of memory");
	next->base = t;
	if (t->size != sizeof(struct datum))
		diff_die("struct datum has %llu bytes in D, %zu in C",
			 (unsigned long long)t->size, sizeof(struct datum));
	return t;
}

/* --- The world -------------------------------------------------------------------- */

struct world {
	struct arena *a;
	struct intern names;
	struct opt_set opts;
	bool have_opts;
	struct sema *sema;
	struct diag_list diags;
	const struct type *datum;
	struct sema_world world;
	const struct sema_prog *prog;
};

#define STABLE { PROBE_STABLE, PROBE_STABLE, PROBE_CLASS_COMMON }
static const struct probe_provattr stable = {
	STABLE, STABLE, STABLE, STABLE, STABLE
};

/* In the order of the firings' numbers; ERROR last. */
static const struct probe probes[] = {
	{ BEGIN_ID, "dtrace", "", "", "BEGIN", &stable, 0, 0 },
	{ PROBE_ID, "diff", "mod", "func", "a", &stable, 1, 0 },
	{ PROBE_ID + 1, "diff", "mod", "func", "b", &stable, 1, 0 },
	{ PROBE_ID + 2, "diff", "mod", "func", "c", &stable, 1, 0 },
	{ PROBE_ID + 3, "diff", "mod", "func", "ret", &stable, 1, 0 },
	{ ERROR_ID, "dtrace", "", "", "ERROR", &stable, 0, 0 },
};
enum { NPROBES = BASE_NELEMS(probes), FIRST_TYPED = 1, LAST_TYPED = 3 };

/* Read once, as that takes long. */
static struct typedb *
kernel_types(void)
{
	static struct typedb *db;

	if (!db)
		diff_must(typedb_new(arena_new(), NULL, &db));
	return db;
}

static const struct type *
find_type(void *ctx, const char *module, enum type_kind kind, const char *name)
{
	struct world *w = ctx;
	const struct type *t = NULL;

	if (kind == TYPE_STRUCT && !strcmp(name, "datum"))
		return w->datum;
	diff_must(typedb_find(kernel_types(), module, kind, name, &t));
	return t;
}

static struct err *
match(void *ctx, const struct probe_desc *d,
      bool (*fn)(void *arg, const struct probe *p), void *arg)
{
	for (size_t i = 0; i < NPROBES; i++)
		if (probe_desc_match(d, &probes[i]) && !fn(arg, &probes[i]))
			break;
	return NULL;
}

static const struct type *
arg_type(void *ctx, const struct probe *p, unsigned n, unsigned *raw)
{
	static const unsigned raws[] = { 0, 1, ARG_TEXT, ARG_DATA, 7, 8 };
	struct world *w = ctx;

	if (p < &probes[FIRST_TYPED] || p > &probes[LAST_TYPED] ||
	    n >= BASE_NELEMS(raws))
		return NULL;
	*raw = raws[n];
	switch (n) {
	case 0: return &type_int;
	case 1: return &type_uchar;
	case 2: return user_ptr(w->a, &type_char);
	case 3: return user_ptr(w->a, w->datum);
	case 4: return &type_short;
	default: return &type_ulong;
	}
}

/* --- Compiling ----------------------------------------------------------------------- */

static bool
is_type(void *ctx, const char *name)
{
	return sema_is_type(((struct world *)ctx)->sema, name);
}

static void
on_option(void *ctx, const char *option, struct lang_span span)
{
	err_free(opt_set_text(&((struct world *)ctx)->opts, option,
			      OPT_FROM_PRAGMA, false));
}

static void
world_init(struct world *w, struct arena *a)
{
	*w = (struct world){
		.a = a, .datum = make_datum(a),
		.world = { .ctx = w, .find_type = find_type, .match = match,
			   .arg_type = arg_type },
	};
	diag_init(&w->diags, a);
	diff_must(opt_init(&w->opts));
	diff_must(sema_new(a, &w->names, &w->opts, &w->world, &w->sema));
}

static void
world_fini(struct world *w)
{
	sema_free(w->sema);
	opt_fini(&w->opts);
	intern_fini(&w->names);
}

/* NULL after a diagnostic. */
static const struct plan_prog *
compile(struct world *w, const char *program)
{
	struct lang_source *src = ARENA_NEW(w->a, struct lang_source);

	*src = (struct lang_source){ NULL, program, (uint32_t)strlen(program) };
	struct lang_env env = {
		.a = w->a, .names = &w->names, .diags = &w->diags,
		.is_type = is_type, .on_option = on_option, .ctx = w,
	};
	struct ast_program *ast = lang_parse(&env, src);
	if (!ast || w->diags.n)
		return NULL;
	w->prog = sema_program(w->sema, ast, &w->diags, 0);
	if (!w->prog || w->diags.n)
		return NULL;
	return gen_plan(w->a, w->sema, &w->prog, 1,
			(uint32_t)w->opts.v[OPT_STRSIZE],
			w->opts.v[OPT_OFORMAT] > 0, &w->diags);
}

/* --- Plan to program -------------------------------------------------------------------- */

static void
add_difo(struct diff *d, const struct dif_difo *o)
{
	if (o && !vec_push(&d->difos, (struct dif_difo *)o))
		diff_die("out of memory");
}

static void
add_nodes(struct diff *d, const struct plan_node *n)
{
	for (; n; n = n->next) {
		for (uint32_t i = 0; i < n->ndifos; i++)
			add_difo(d, n->difos[i]);
		add_nodes(d, n->then_);
		add_nodes(d, n->else_);
	}
}

static void
add_clauses(struct diff *d)
{
	for (uint32_t i = 0; i < d->plan.nclauses; i++) {
		struct diff_clause *c = ARENA_NEW(d->a, struct diff_clause);
		c->d = d;
		c->clause = d->plan.clauses[i];
		c->index = i;
		c->name = arena_printf(d->a, "line %u", abi_place_line(c->clause.place));
		add_difo(d, c->clause.pred);
		add_nodes(d, c->clause.body);
		if (!vec_push(&d->clauses, c))
			diff_die("out of memory");
	}
}

/* The clauses of a probe, in program order. */
static struct plan_probe
enable(struct diff *d, const struct world *w, const struct probe *p)
{
	uint32_t most = 0, n = 0, *list;

	for (uint32_t i = 0; i < w->prog->nclauses; i++)
		most += w->prog->clauses[i].ndescs;
	list = ARENA_ARRAY(d->a, uint32_t, most + 1);
	for (uint32_t i = 0; i < w->prog->nclauses; i++) {
		const struct sema_clause *c = &w->prog->clauses[i];
		for (uint32_t k = 0; k < c->ndescs; k++)
			if (probe_desc_match(&c->descs[k], p))
				list[n++] = i;
	}
	return (struct plan_probe){
		.id = p->id, .part = { p->prov, p->mod, p->func, p->name },
		.clauses = list, .nclauses = n,
	};
}

static void
enable_all(struct diff *d, const struct world *w)
{
	struct diff_point *begin = &d->points[0], *table = &d->points[1];
	struct diff_point *ret = &d->points[2];

	diff_point_init(begin, "BEGIN", false);
	begin->always = true;
	begin->probes[0] = enable(d, w, &probes[0]);
	diff_point_init(table, "table", false);
	table->point.find = ABI_FIND_TABLE;
	table->point.index = (struct abi_arg){ .kind = ABI_ARG_CTX, .size = 8,
					       .off = 88 };
	table->point.nindex = table->nprobes = LAST_TYPED - FIRST_TYPED + 1;
	for (unsigned i = 0; i < table->nprobes; i++) {
		table->probes[i] = enable(d, w, &probes[FIRST_TYPED + i]);
		table->probes[i].keys[0] = i;
		table->probes[i].nkeys = 1;
	}
	diff_point_init(ret, "ret", true);
	ret->probes[0] = enable(d, w, &probes[LAST_TYPED + 1]);
	d->npoints = 3;
	d->error = enable(d, w, &probes[NPROBES - 1]);
}

static void
set_up(struct diff *d, const struct world *w, const struct plan_prog *plan)
{
	uint32_t scratch = (uint32_t)w->opts.v[OPT_SCRATCHSIZE];

	d->plan = *plan;
	d->strsize = plan->strsize;
	d->scratch = (uint32_t)base_align(BASE_MAX(scratch, 16 * d->strsize),
					  8);
	d->room = 1024;
	d->vm_room = d->room * (plan->nvars + 1);
	for (uint32_t i = 0; i < plan->naggs; i++)
		d->uses_rows |= !plan->aggs[i].nkeys;
	add_clauses(d);
	enable_all(d, w);
}

/* --- Running --------------------------------------------------------------------------------- */

static enum diff_verdict
run(struct diff *d)
{
	struct diff_args args[NFIRINGS];
	enum diff_verdict v;

	memcpy(args, firings, sizeof(args));
	for (unsigned i = 0; i < NFIRINGS; i++) {
		args[i].v[ARG_TEXT] = (uintptr_t)diff_user();
		args[i].v[ARG_DATA] = (uintptr_t)data;
	}
	struct err *e = diff_run_whole(d, args, NFIRINGS);
	if (!e)
		return d->differences ? DIFF_DIFFERS : DIFF_SAME;
	diff_note(d, NULL, "does not load: %s", e->text);
	v = e->code == ERR_LIMIT ? DIFF_LIMIT : DIFF_REFUSED;
	err_free(e);
	return v;
}

enum diff_verdict
diff_d(const char *program, struct sb *notes, struct diff_count *count)
{
	struct diff *d = diff_new(256);
	struct world w;
	enum diff_verdict v = DIFF_NOT_D;

	d->notes = notes;
	d->reads_kernel = true;
	world_init(&w, d->a);
	const struct plan_prog *plan = compile(&w, program);
	if (plan) {
		set_up(d, &w, plan);
		v = run(d);
	}
	if (plan && count) {
		count->clauses += plan->nclauses;
		count->records += d->count.records;
		count->faults += d->count.faults;
		count->verified = BASE_MAX(count->verified, d->count.verified);
	}
	for (struct diag *e = w.diags.first; e; e = e->next) {
		diag_print_line(e, true, notes);
		sb_putc(notes, '\n');
	}
	d->difos.n = 0;		/* they are in the arena */
	world_fini(&w);
	diff_free(d);
	return v;
}
