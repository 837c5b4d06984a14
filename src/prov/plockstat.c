/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The plockstat provider: locks of process N, plockstatN:OBJECT:FUNCTION:NAME, where
 * FUNCTION is what the process called to get or release one, in the C library or in a
 * program that has it inside.
 *
 * A probe is a function's beginning or end, or a futex call that is made inside of one:
 * then the thread waits.  What a function was given is kept from its beginning
 * (`setup`, clauses for the pid provider, for each function).  Its result is needed,
 * which the instruction that returns may not have yet where the function ends with a
 * jump to another one; so its end is where it comes back to.  For these functions that
 * is safe: nothing is thrown through them.  pthread_cond_wait() is left by who is
 * cancelled, so its end is its own instruction.
 *
 * Whether a lock was got before, or by a writer, is read from it as glibc has it: a
 * mutex has a count behind its first word, and the first word of a lock for reading
 * and writing is odd while a writer has it.
 */
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "prov/func_priv.h"
#include "prov/pid_priv.h"
#include "type/make.h"

/* --- The table ------------------------------------------------------------------ */

/* What a function does, by bits: to try is not to wait. */
enum kind {
	MUTEX_GET = 1, MUTEX_TRY = 2, MUTEX_PUT = 4, COND = 8, READ = 16,
	TRY_READ = 32, WRITE = 64, TRY_WRITE = 128, RW_PUT = 256,
};

static const struct { const char *name; enum kind kind; } functions[] = {
	{ "pthread_mutex_lock", MUTEX_GET },
	{ "pthread_mutex_trylock", MUTEX_TRY },
	{ "pthread_mutex_timedlock", MUTEX_GET },
	{ "pthread_mutex_clocklock", MUTEX_GET },
	{ "pthread_mutex_unlock", MUTEX_PUT },
	{ "pthread_cond_wait", COND },
	{ "pthread_cond_timedwait", COND },
	{ "pthread_cond_clockwait", COND },
	{ "pthread_rwlock_rdlock", READ },
	{ "pthread_rwlock_tryrdlock", TRY_READ },
	{ "pthread_rwlock_timedrdlock", READ },
	{ "pthread_rwlock_clockrdlock", READ },
	{ "pthread_rwlock_wrlock", WRITE },
	{ "pthread_rwlock_trywrlock", TRY_WRITE },
	{ "pthread_rwlock_timedwrlock", WRITE },
	{ "pthread_rwlock_clockwrlock", WRITE },
	{ "pthread_rwlock_unlock", RW_PUT },
};

/* Where a probe fires, and what arg0 ... are there. */
enum place {
	BEGINS,		/* what the function is given */
	ENDS,		/* nothing */
	RETURNED,	/* arg1: its result */
	WAITS,		/* of futex(): what it is given */
	WAITED,		/* arg0: its result, arg1 ...: what it was given */
};

/* Before Linux 6.12 a function that returns does so for all who trace it, in whatever
 * process; futex() does anyway. */
#define OURS "pid == @P && "
#define LOCK "self->__plockstat_lock"
#define SAW "self->__plockstat_saw"
#define IS_WAIT(op) "((" op " & 0x7f) == 0 || (" op " & 0x7f) == 9 || " \
		    "(" op " & 0x7f) == 6 || (" op " & 0x7f) == 13)"
/* EOWNERDEAD: it is got, though its owner has died. */
#define GOT OURS "((int)arg1 == 0 || (int)arg1 == 130)"
/* EBUSY, ETIMEDOUT, EAGAIN: no mistake. */
#define FAILED OURS "(int)arg1 != 0 && (int)arg1 != 130 && (int)arg1 != 16 && " \
	       "(int)arg1 != 110 && (int)arg1 != 11"
/* A futex that had changed when it was to be waited for: EAGAIN. */
#define WOKEN "(long)arg0 == 0 || (long)arg0 == -11"

/* The end of a function that may wait: a probe for setups, which no pattern means. */
#define LEFT "__left"

/* D in which @P, @O and @F are process, object and function as descriptions have them,
 * and @N is the function's number. */
static const char keep[] =
	"pid@P:@O:@F:entry { " LOCK " = arg0; }";
static const char keep_saw[] =
	"pid@P:@O:@F:entry { " LOCK " = arg0; "
	SAW " = *(uint32_t *)copyin(arg0 + 4, 4) > 1; }";
static const char keep_writer[] =
	"pid@P:@O:@F:entry { " LOCK " = arg0; "
	SAW " = *(uint32_t *)copyin(arg0, 4) & 1; }";
static const char keep_mutex[] =
	"pid@P:@O:@F:entry { self->__plockstat_mutex = arg1; }";
static const char keep_where[] =
	"pid@P:@O:@F:entry { " LOCK " = arg0;"
	"	self->__plockstat_in = @N; }"
	"plockstat@P:@O:@F:" LEFT " { self->__plockstat_in = 0; }";
#define INSIDE OURS "self->__plockstat_in == @N && "

/* when and setup have these holes, too; those and values may be NULL. */
static const struct row {
	unsigned kinds;
	const char *name;
	enum place place;
	const char *when, *values, *setup;
} rows[] = {
	{ MUTEX_GET | MUTEX_TRY, "mutex-acquire", RETURNED, GOT,
	  LOCK "; *(uint32_t *)copyin(" LOCK " + 4, 4) > 1; 0", keep },
	{ MUTEX_GET, "mutex-block", WAITS, INSIDE IS_WAIT("arg1"), LOCK,
	  keep_where },
	{ MUTEX_GET, "mutex-blocked", WAITED, INSIDE IS_WAIT("arg2"),
	  LOCK "; " WOKEN, keep_where },
	{ MUTEX_GET | MUTEX_TRY | MUTEX_PUT, "mutex-error", RETURNED, FAILED, LOCK "; (int)arg1",
	  keep },
	{ MUTEX_PUT, "mutex-release", RETURNED, OURS "(int)arg1 == 0",
	  LOCK "; " SAW, keep_saw },
	{ COND, "mutex-release", BEGINS, NULL, "arg1; 0", NULL },
	{ COND, "mutex-acquire", ENDS, NULL, "self->__plockstat_mutex; 0; 0",
	  keep_mutex },
	{ READ | TRY_READ, "rw-acquire", RETURNED, GOT, LOCK "; 0", keep },
	{ READ, "rw-block", WAITS, INSIDE IS_WAIT("arg1"), LOCK "; 0",
	  keep_where },
	{ READ, "rw-blocked", WAITED, INSIDE IS_WAIT("arg2"),
	  LOCK "; 0; " WOKEN, keep_where },
	{ READ | TRY_READ, "rw-error", RETURNED, FAILED, LOCK "; 0; (int)arg1", keep },
	{ WRITE | TRY_WRITE, "rw-acquire", RETURNED, GOT, LOCK "; 1", keep },
	{ WRITE, "rw-block", WAITS, INSIDE IS_WAIT("arg1"), LOCK "; 1",
	  keep_where },
	{ WRITE, "rw-blocked", WAITED, INSIDE IS_WAIT("arg2"),
	  LOCK "; 1; " WOKEN, keep_where },
	{ WRITE | TRY_WRITE, "rw-error", RETURNED, FAILED, LOCK "; 1; (int)arg1", keep },
	{ RW_PUT, "rw-release", RETURNED, OURS "(int)arg1 == 0", LOCK "; " SAW,
	  keep_writer },
	{ RW_PUT, "rw-error", RETURNED, FAILED, LOCK "; 0; (int)arg1", keep },
	{ MUTEX_GET | READ | WRITE, LEFT, RETURNED, NULL, NULL, NULL },
};

static const char *const names[] = {
	"mutex-acquire", "mutex-block", "mutex-blocked", "mutex-error",
	"mutex-release", "rw-acquire", "rw-block", "rw-blocked", "rw-error",
	"rw-release", LEFT, NULL
};

/* --- State ---------------------------------------------------------------------- */

struct lock_probe {
	const struct row *row;
	unsigned function;
	struct prov_process *process;
	struct prov_object *object;
	VEC(struct prov_ufunc *) places;
	struct abi_point point;
	const char *name;		/* of its program; NULL: nothing of this */
	const char *when, *setup;	/* without holes */
};

struct plockstat {
	VEC(struct lock_probe *) probes;
	struct hash texts;		/* setups are known by where they are */
};

static void
fini(void *state)
{
	struct plockstat *b = state;

	for (size_t i = 0; i < b->probes.n; i++)
		vec_fini(&b->probes.v[i]->places);
	vec_fini(&b->probes);
	hash_fini(&b->texts);
}

static struct lock_probe *
of(const struct probe *p)
{
	return (struct lock_probe *)(uintptr_t)p->arg;
}

/* --- Discovery ------------------------------------------------------------------ */

/* One description, while its probes are made. */
struct asking {
	struct prov_set *s;
	struct prov_sink *sink;
	struct probe_matcher m;
	const char *prov;
	struct prov_process *process;
	struct prov_object *object;	/* that is being looked at */
	bool has_library;		/* there is one */
};

/* Let the probe of these names have one place more, or make it. */
static struct err *
offer(struct asking *a, const struct row *row, unsigned function,
      struct prov_ufunc *f)
{
	struct plockstat *b = prov_state(a->s, &prov_plockstat_ops);
	const struct probe like = { .prov = a->prov, .mod = a->object->name,
				    .func = functions[function].name,
				    .name = row->name };
	const struct probe *old;
	struct lock_probe *p;

	if (!probe_pattern_match(&a->m.name, row->name) ||
	    (!row->values && a->m.name.kind != PROBE_PATTERN_EXACT))
		return NULL;
	f->object->has_places = true;
	TRY(prov_find(a->s, &like, &old));
	if (old) {
		p = of(old);
		for (size_t i = 0; i < p->places.n; i++)
			if (p->places.v[i] == f)
				return NULL;
		return vec_push(&p->places, f) ? NULL : &err_nomem;
	}
	assert(a->process && a->object);
	p = ARENA_NEW(a->s->arena, struct lock_probe);
	if (!p || !vec_push(&b->probes, p) || !vec_push(&p->places, f))
		return &err_nomem;
	p->row = row;
	p->function = function;
	p->process = a->process;
	p->object = a->object;
	return prov_add(a->sink, &(struct prov_new){
		.prov = like.prov, .mod = like.mod, .func = like.func,
		.name = like.name, .arg = (uintptr_t)p });
}

static struct err *
ask_function(struct asking *a, struct prov_ufunc *f)
{
	for (unsigned i = 0; i < BASE_NELEMS(functions); i++) {
		if (strcmp(f->name, functions[i].name) ||
		    !probe_pattern_match(&a->m.func, f->name))
			continue;
		for (size_t k = 0; k < BASE_NELEMS(rows); k++)
			if (rows[k].kinds & functions[i].kind)
				TRY(offer(a, &rows[k], i, f));
	}
	return NULL;
}

static struct err *
ask_object(void *ctx, struct prov_object *o)
{
	static const char *const libraries[] = { "libc.so", "libpthread.so" };
	struct asking *a = ctx;
	bool is_library = false;

	for (size_t i = 0; i < BASE_NELEMS(libraries); i++)
		is_library |= !strncmp(o->name, libraries[i],
				       strlen(libraries[i]));
	if (a->has_library ? !is_library : o != a->process->exe)
		return NULL;
	TRY(prov_user_functions(a->s, o));
	a->object = o;
	for (size_t i = 0; i < o->nfuncs; i++)
		if (!strncmp(o->funcs[i].name, "pthread_", 8))
			TRY(ask_function(a, &o->funcs[i]));
	return NULL;
}

static struct err *
discover(struct prov_set *s, const struct probe_desc *d, struct prov_sink *sink)
{
	struct asking a = { .s = s, .sink = sink };
	const char *digits = d->prov + strlen("plockstat");
	struct probe_pattern library;
	char *end;

	if (strncmp(d->prov, "plockstat", strlen("plockstat")) ||
	    *digits < '1' || *digits > '9')
		return NULL;
	long pid = strtol(digits, &end, 10);
	if (*end || pid > INT_MAX)
		return NULL;
	a.prov = arena_strdup(s->arena, d->prov);
	if (!a.prov)
		return &err_nomem;
	probe_matcher_init(&a.m, d);
	TRY(prov_user_process(s, (pid_t)pid, &a.process));
	probe_pattern_init(&library, "libc.so*");
	for (size_t i = 0; i < a.process->maps.n && !a.has_library; i++)
		a.has_library = prov_object_matches(&library, a.process,
						    a.process->maps.v[i].object);
	return prov_user_objects(a.process, &a.m.mod, ask_object, &a);
}

/* --- Sites ---------------------------------------------------------------------- */

static const char *
fill_in(struct prov_set *s, const struct lock_probe *p, const char *text)
{
	bool is_exe = p->process->exe == p->object;
	struct sb b;

	sb_init(&b, 4096);
	for (; *text; text++) {
		if (*text != '@') {
			sb_putc(&b, *text);
			continue;
		}
		assert(text[1]);	/* holes have letters */
		switch (*++text) {
		case 'P':
			sb_printf(&b, "%d", (int)p->process->pid);
			break;
		case 'O':
			sb_puts(&b, is_exe ? "a.out" : p->object->name);
			break;
		case 'F':
			sb_puts(&b, functions[p->function].name);
			break;
		default:
			assert(*text == 'N');
			sb_printf(&b, "%u", p->function + 1);
		}
	}
	const char *ret = b.failed ? NULL : arena_strdup(s->arena, sb_str(&b));
	sb_fini(&b);
	return ret;
}

/* What several probes of a function need is one text, in one place. */
static struct err *
make_setup(struct prov_set *s, struct lock_probe *p)
{
	struct plockstat *b = prov_state(s, &prov_plockstat_ops);
	const char *text;

	if (!p->row->setup)
		return NULL;
	if (!(text = fill_in(s, p, p->row->setup)))
		return &err_nomem;
	void **at = hash_ref(&b->texts, text, strlen(text));
	if (!at)
		return &err_nomem;
	if (!*at)
		*at = (void *)(uintptr_t)text;
	p->setup = *at;
	return NULL;
}

static struct err *
make(struct prov_set *s, struct lock_probe *p)
{
	const struct row *row = p->row;

	if (p->name)
		return NULL;
	p->when = row->when ? fill_in(s, p, row->when) : NULL;
	if (row->when && !p->when)
		return &err_nomem;
	TRY(make_setup(s, p));
	p->name = arena_printf(s->arena, "plockstat_%zu_%u",
			       (size_t)(row - rows), p->function);
	return p->name ? NULL : &err_nomem;
}

struct placing {
	struct lock_probe *p;
	prov_site_fn *fn;
	void *ctx;
};

static struct err *
place(const struct placing *l, const struct prov_site *at)
{
	struct prov_site site = *at;

	assert(l->p->name);
	site.point = &l->p->point;
	site.target = functions[l->p->function].name;
	site.values = l->p->row->values;
	site.when = l->p->when;
	site.setup = l->p->setup;
	return l->fn(l->ctx, &site);
}

/* As the pid provider has it, but for what it runs. */
static struct err *
on_pid_site(void *ctx, const struct prov_site *site)
{
	struct placing *l = ctx;
	struct prov_site own = *site;

	l->p->point = *site->point;
	l->p->point.find = ABI_FIND_ONE;
	l->p->point.target = l->p->name;
	own.value = 0;
	return place(l, &own);
}

static struct err *
function_sites(struct prov_set *s, const struct probe *probe, struct placing *l)
{
	struct lock_probe *p = l->p;
	struct pid_probe as_pid = {
		.kind = p->row->place == BEGINS ? PID_ENTRY : PID_RETURN,
		.process = p->process, .object = p->object,
		.funcs = { .v = p->places.v, .n = p->places.n },
	};
	struct probe of_pid = *probe;

	of_pid.arg = (uintptr_t)&as_pid;
	TRY(prov_need_state(s, &prov_pid_ops));
	return prov_pid_sites(s, &of_pid, on_pid_site, l);
}

static struct err *
returned_sites(struct prov_set *s, const struct placing *l)
{
	static const struct abi_arg result = { .kind = ABI_ARG_REG, .size = 8,
					       .reg = ABI_ROLE_RESULT };
	struct lock_probe *p = l->p;

	p->point = (struct abi_point){ .find = ABI_FIND_ONE, .target = p->name,
				       .args = { [1] = result } };
	TRY(prov_user_point(s, true, &p->point));
	prov_user_watch(s, p->object);
	for (size_t i = 0; i < p->places.n; i++)
		TRY(place(l, &(struct prov_site){
			.trigger = PROV_TRIGGER_RAWTP, .file = p->object->file,
			.pid = p->process->own,
			.offset = p->places.v[i]->offset }));
	return NULL;
}

static struct err *
sites(struct prov_set *s, const struct probe *probe, prov_site_fn *fn, void *ctx)
{
	struct lock_probe *p = of(probe);
	struct placing l = { p, fn, ctx };
	struct prov_site site = { .point = &p->point };

	TRY(make(s, p));
	switch (p->row->place) {
	case WAITS:
	case WAITED:
		prov_syscall_site("futex", p->row->place == WAITED, &p->point,
				  &site);
		TRY(prov_tracepoint_settle(s, PROBE_KERNEL, &p->point));
		return place(&l, &site);
	case RETURNED:
		return returned_sites(s, &l);
	default:
		return function_sites(s, probe, &l);
	}
}

/* --- Operations ----------------------------------------------------------------- */

static int
nargs(struct prov_set *s, const struct probe *probe)
{
	int n = 1;

	for (const char *v = of(probe)->row->values;
	     v && (v = strchr(v, ';')); v++)
		n++;
	return n;
}

static const struct type *
arg_type(struct prov_set *s, const struct probe *probe, unsigned n,
	 const char **name)
{
	if (n >= (unsigned)nargs(s, probe))
		return NULL;
	return n ? &type_int32 : type_new_ptr(s->arena, &type_void);
}

static const char *
alias(struct prov_set *s, const struct probe *probe, enum prov_part part,
      unsigned i)
{
	const struct lock_probe *p = of(probe);

	return part == PROV_PART_MOD ?
	       prov_object_alias(p->process, p->object, i) : NULL;
}

const struct prov_ops prov_plockstat_ops = {
	.name = "plockstat[0-9]*",
	.attr = PROV_ATTR_RAW,
	.names = names,
	.ways = prov_user_ways,
	.is_large = true,
	.is_named = true,
	.state_size = sizeof(struct plockstat),
	.fini = fini,
	.discover = discover,
	.sites = sites,
	.alias = alias,
	.arg_type = arg_type,
	.nargs = nargs,
};
