/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The made-up running system: what world.h says in C, as types, and answers to
 * what sema asks.
 */
#include <stdio.h>
#include <string.h>

#include "world.h"

static const struct type world_file = {
	.kind = TYPE_FWD, .fwd_kind = TYPE_STRUCT, .name = "file", .align = 1,
};
static const struct type file_ptr = {
	.kind = TYPE_PTR, .size = 8, .align = 8, .base = &world_file,
};
static const struct type_enumerator states[] = {
	{ "RUNNING", 0 }, { "SLEEPING", 4 },
};
static const struct type world_state = {
	.kind = TYPE_ENUM, .name = "state", .size = 4, .align = 4,
	.is_signed = true, .n = 2, .u.enums = states,
};
static const struct type world_pgoff = {
	.kind = TYPE_TYPEDEF, .name = "pgoff_t", .base = &type_ulong,
};
static const struct type world_task;
static const struct type task_ptr = {
	.kind = TYPE_PTR, .size = 8, .align = 8, .base = &world_task,
};
static const struct type void_ptr = {
	.kind = TYPE_PTR, .size = 8, .align = 8, .base = &type_void,
};
static const struct type char_ptr = {
	.kind = TYPE_PTR, .size = 8, .align = 8, .base = &type_char,
};
static const struct type comm = {
	.kind = TYPE_ARRAY, .size = 16, .align = 1, .nelems = 16,
	.base = &type_char,
};
static const struct type prio = {
	.kind = TYPE_ARRAY, .size = 16, .align = 4, .nelems = 4,
	.base = &type_int,
};
static const struct type_member anon_members[] = {
	{ "a", &type_long, 0, 0 }, { "b", &type_char, 0, 0 },
};
static const struct type anon = {
	.kind = TYPE_UNION, .size = 8, .align = 8, .n = 2,
	.u.members = anon_members,
};
static const struct type fn = {
	.kind = TYPE_FUNC, .base = &type_int, .align = 1,
};
static const struct type fn_ptr = {
	.kind = TYPE_PTR, .size = 8, .align = 8, .base = &fn,
};
static const struct type_member task_members[] = {
	{ "pid", &type_int, 0, 0 },
	{ "comm", &comm, 32, 0 },
	{ "parent", &task_ptr, 192, 0 },
	{ "low", &type_uint, 256, 3 },
	{ "high", &type_uint, 259, 5 },
	{ "stack", &void_ptr, 320, 0 },
	{ "file", &file_ptr, 384, 0 },
	{ "state", &world_state, 448, 0 },
	{ "prio", &prio, 480, 0 },
	{ NULL, &anon, 640, 0 },
	{ "fn", &fn_ptr, 704, 0 },
	{ "name", &char_ptr, 768, 0 },
	{ "flag", &type_uchar, 832, 0 },
};
static const struct type world_task = {
	.kind = TYPE_STRUCT, .name = "task_struct", .module = "vmlinux",
	.size = 112, .align = 8,
	.n = BASE_NELEMS(task_members), .u.members = task_members,
};
static const struct type_member buf_members[] = {
	{ "b_bcount", &type_ulong, 0, 0 }, { "b_task", &task_ptr, 64, 0 },
};
static const struct type world_buf = {
	.kind = TYPE_STRUCT, .name = "bufinfo", .size = 16, .align = 8,
	.n = BASE_NELEMS(buf_members), .u.members = buf_members,
};
static const struct type buf_ptr = {
	.kind = TYPE_PTR, .size = 8, .align = 8, .base = &world_buf,
};

static const struct type *const types[] = {
	&world_file, &world_state, &world_pgoff, &world_task, &world_buf,
};

static const struct type *
find_type(void *ctx, const char *module, enum type_kind kind,
	  const char *name)
{
	if (module && strcmp(module, "vmlinux") != 0)
		return NULL;
	for (size_t i = 0; i < BASE_NELEMS(types); i++) {
		const struct type *t = types[i];
		if (strcmp(t->name, name) == 0 &&
		    (t->kind == kind ||
		     (t->kind == TYPE_FWD && t->fwd_kind == kind)))
			return t;
	}
	return NULL;
}

/* RUNNING is that of another enum, too, with another value. */
static const struct type *
find_enumerator(void *ctx, const char *name, int64_t *value,
		const struct type **other)
{
	if (!type_find_enum(&world_state, name, value))
		return NULL;
	*other = strcmp(name, "RUNNING") == 0 ? &world_file : NULL;
	return &world_state;
}

static bool
find_symbol(void *ctx, const char *module, const char *name, uint64_t *addr,
	    const struct type **type)
{
	static const struct {
		const char *name;
		uint64_t addr;
		const struct type *type;
	} syms[] = {
		{ "jiffies", 0xffff0010, &type_ulong },
		{ "init_task", 0xffff0020, &world_task },
		{ "do_exit", 0xffff0030, NULL },
	};

	for (size_t i = 0; i < BASE_NELEMS(syms); i++) {
		if (strcmp(syms[i].name, name) == 0) {
			*addr = syms[i].addr;
			*type = syms[i].type;
			return true;
		}
	}
	return false;
}

/* struct task_struct idle; of each CPU its own */
static bool
find_percpu(void *ctx, const char *name, struct sema_percpu *ret)
{
	*ret = (struct sema_percpu){ 0x40, 0xffff0040, &world_task };
	return strcmp(name, "idle") == 0;
}

#define STABLE { PROBE_STABLE, PROBE_STABLE, PROBE_CLASS_COMMON }
#define PRIVATE { PROBE_PRIVATE, PROBE_PRIVATE, PROBE_CLASS_ISA }
static const struct probe_provattr stable = {
	STABLE, STABLE, STABLE, STABLE, STABLE
};
static const struct probe_provattr private = {
	PRIVATE, PRIVATE, PRIVATE, PRIVATE, PRIVATE
};

static const struct probe probes[] = {
	{ 1, "dtrace", "", "", "BEGIN", &stable, 0, 0 },
	{ 2, "dtrace", "", "", "END", &stable, 0, 0 },
	{ 3, "dtrace", "", "", "ERROR", &stable, 0, 0 },
	{ 4, "syscall", "vmlinux", "read", "entry", &stable, 1, 0 },
	{ 5, "syscall", "vmlinux", "read", "return", &stable, 1, 0 },
	{ 6, "syscall", "vmlinux", "kill", "entry", &stable, 1, 0 },
	{ 7, "fbt", "vmlinux", "do_exit", "entry", &private, 2, 0 },
	{ 8, "io", "vmlinux", "", "start", &stable, 3, 0 },
	{ 9, "proc", "vmlinux", "", "create", &stable, 4, 0 },
	{ 10, "fbt", "vmlinux", "part.isra.0", "entry", &private, 2, 0 },
};

static struct err *
match(void *ctx, const struct probe_desc *d,
      bool (*fn_)(void *arg, const struct probe *p), void *arg)
{
	if (!strncmp(d->prov, "broken", 6))
		return err_new(ERR_NOTFOUND, 0, "there is no process %s",
			       d->prov + 6);
	for (size_t i = 0; i < BASE_NELEMS(probes); i++)
		if (probe_desc_match(d, &probes[i]) && !fn_(arg, &probes[i]))
			break;
	return NULL;
}

static const struct type stack = {
	.kind = TYPE_DYN, .name = "stack", .align = 1,
};

/* read(int, char *, size_t), kill(int, int); io:::start(bufinfo *, a stack),
 * the first of which argument 1 holds. */
static const struct type *
arg_type(void *ctx, const struct probe *p, unsigned n, unsigned *raw)
{
	static const struct type *const read[] = {
		&type_int, &char_ptr, &type_ulong
	};
	static const struct type *const kill[] = { &type_int, &type_int };
	static const struct type *const task[] = { &task_ptr };

	*raw = n;
	if (p->id == 4)
		return n < 3 ? read[n] : NULL;
	if (p->id == 6)
		return n < 2 ? kill[n] : NULL;
	if (p->id == 7 || p->id == 9)
		return n < 1 ? task[n] : NULL;
	if (p->id != 8)
		return NULL;
	*raw = n + 1;
	return n == 0 ? &buf_ptr : n == 1 ? &stack : NULL;
}

/* proc:::create gives its task as another struct. */
static const char *
arg_xlate(void *ctx, const struct probe *p, unsigned n)
{
	return p->id == 9 && n == 0 ? "struct procinfo *" : NULL;
}

static unsigned
suggest(void *ctx, const struct probe_desc *d, struct arena *a,
	const char **ret, unsigned n)
{
	ret[0] = arena_strdup(a, "syscall::read:entry");
	return ret[0] ? 1 : 0;
}

static const char *
no_symbol(void *ctx, const char *module, const char *name)
{
	return strcmp(name, "hidden") == 0 ? "hidden has no address" : NULL;
}

const struct sema_world test_world = {
	.find_type = find_type, .find_enumerator = find_enumerator,
	.find_symbol = find_symbol, .find_percpu = find_percpu, .match = match,
	.arg_type = arg_type, .arg_xlate = arg_xlate, .suggest = suggest,
	.no_symbol = no_symbol,
};

/* --- Compiling ----------------------------------------------------------- */

static bool
set_options(struct compile *c, const char *opts)
{
	char word[64];
	int n;

	while (opts && sscanf(opts, " %63s%n", word, &n) == 1) {
		struct err *e = opt_set_text(&c->opts, word, OPT_FROM_COMMAND,
					     false);
		if (e) {
			err_free(e);
			return false;
		}
		opts += n;
	}
	return true;
}

bool
compile_init(struct compile *c, const char *opts)
{
	struct err *e;

	memset(c, 0, sizeof(*c));
	e = opt_init(&c->opts);
	if (e) {
		err_free(e);
		return false;
	}
	c->a = arena_new();
	if (!c->a || !set_options(c, opts))
		return false;
	diag_init(&c->d, c->a);
	e = sema_new(c->a, &c->names, &c->opts, &test_world, &c->s);
	err_free(e);
	return !e;
}

void
compile_fini(struct compile *c)
{
	sema_free(c->s);
	arena_free(c->a);
	opt_fini(&c->opts);
	intern_fini(&c->names);
}

const struct sema_prog *
compile(struct compile *c, const char *text, unsigned flags)
{
	struct lang_source *src = ARENA_NEW(c->a, struct lang_source);
	struct lang_env env = {
		.a = c->a, .names = &c->names, .diags = &c->d, .flags = flags,
		.is_type = sema_is_type, .ctx = c->s,
	};
	const struct ast_program *p;

	if (!src)
		return NULL;
	src->name = "test.d";
	src->text = text;
	src->size = (uint32_t)strlen(text);
	src->is_library = flags & LANG_PRELUDE;
	p = lang_parse(&env, src);
	return p ? sema_program(c->s, p, &c->d, flags) : NULL;
}
