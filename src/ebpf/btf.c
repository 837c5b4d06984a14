/* SPDX-License-Identifier: BSD-2-Clause
 *
 * BTF for the generated object: definitions of maps, prototypes of functions.
 * libbpf reads the first, the kernel wants the second because functions of the
 * runtime are global.  Format: Documentation/bpf/btf.rst; map definitions as
 * clang writes them for bpf_helpers.h's __uint().
 */
#include <bpf/btf.h>
#include <string.h>

#include "ebpf/ebpf_priv.h"

struct types {
	struct ebpf *g;
	struct btf *btf;
	int err;		/* the first negative result */
	int i32, u64, ptr_void;
};

static int
add(struct types *t, int id)
{
	if (id < 0 && !t->err)
		t->err = id;
	return id;
}

/* int (*name)[n]: how a map definition spells a number. */
static int
number_type(struct types *t, uint32_t n)
{
	int arr = add(t, btf__add_array(t->btf, t->i32, t->i32, n));

	return add(t, btf__add_ptr(t->btf, arr));
}

static bool
is_storage(const struct ebpf_mapdef *d)
{
	return d->type == BPF_MAP_TYPE_TASK_STORAGE;
}

static unsigned
members(const struct ebpf_mapdef *d)
{
	return d->map_flags && !is_storage(d) ? 5 : 4;
}

uint32_t
ebpf_mapdef_size(const struct ebpf_mapdef *d)
{
	return members(d) * 8;
}

/* The kernel wants to know the types of what it keeps with a task. */
static int
storage_struct(struct types *t, const struct ebpf_mapdef *d)
{
	int value = add(t, btf__add_array(t->btf, t->i32, t->u64,
					  d->value_size / 8));
	const struct { const char *name; int type; } rows[] = {
		{ "type", number_type(t, d->type) },
		{ "key", add(t, btf__add_ptr(t->btf, t->i32)) },
		{ "value", add(t, btf__add_ptr(t->btf, value)) },
		{ "map_flags", number_type(t, d->map_flags) },
	};
	int st = add(t, btf__add_struct(t->btf, NULL, BASE_NELEMS(rows) * 8));

	for (unsigned i = 0; i < BASE_NELEMS(rows); i++)
		add(t, btf__add_field(t->btf, rows[i].name, rows[i].type,
				      i * 64, 0));
	return st;
}

static int
map_struct(struct types *t, const struct ebpf_mapdef *d)
{
	const struct { const char *name; uint32_t v; } rows[] = {
		{ "type", d->type }, { "key_size", d->key_size },
		{ "value_size", d->value_size },
		{ "max_entries", d->max_entries },
		{ "map_flags", d->map_flags },
	};
	unsigned n = members(d);
	int types[5];

	for (unsigned i = 0; i < n; i++)
		types[i] = number_type(t, rows[i].v);
	int st = add(t, btf__add_struct(t->btf, NULL, n * 8));
	for (unsigned i = 0; i < n; i++)
		add(t, btf__add_field(t->btf, rows[i].name, types[i], i * 64,
				      0));
	return st;
}

static void
map_var(struct types *t, const struct ebpf_sym *s)
{
	int st = is_storage(s->def) ? storage_struct(t, s->def)
				    : map_struct(t, s->def);

	add(t, btf__add_var(t->btf, s->name, s->kind == SYM_MAP
		? BTF_VAR_GLOBAL_ALLOCATED : BTF_VAR_GLOBAL_EXTERN, st));
}

/* The section of maps: its variables were added in the order of the symbols. */
static void
maps_section(struct types *t)
{
	const struct ebpf *g = t->g;
	uint32_t at = 0, n = 0;

	for (size_t i = 0; i < g->syms.n; i++)
		n += g->syms.v[i].def != NULL;
	if (!n)
		return;
	add(t, btf__add_datasec(t->btf, ".maps", 0));
	for (size_t i = 0; i < g->syms.n; i++) {
		const struct ebpf_sym *s = &g->syms.v[i];
		if (!s->def)
			continue;
		int var = btf__find_by_name_kind(t->btf, s->name,
						 BTF_KIND_VAR);
		uint32_t size = ebpf_mapdef_size(s->def);
		add(t, btf__add_datasec_var_info(t->btf, var, s->kind ==
				SYM_MAP ? at : 0, size));
		if (s->kind == SYM_MAP)
			at += size;
	}
}

/* The rows of aggregations without keys, so that they can be mapped. */
static void
rows_var(struct types *t, const struct ebpf_sym *s)
{
	uint32_t size = s->size;
	int arr = add(t, btf__add_array(t->btf, t->i32, t->u64, size / 8));
	int var = add(t, btf__add_var(t->btf, s->name,
				      BTF_VAR_GLOBAL_ALLOCATED, arr));

	add(t, btf__add_datasec(t->btf, ".bss.agg", size));
	add(t, btf__add_datasec_var_info(t->btf, var, 0, size));
}

/* struct abi_ctl and struct rt_stddev, as the runtime's own BTF has them: the
 * linker compares. */
static int
ctl_type(struct types *t)
{
	int u32 = add(t, btf__add_int(t->btf, "unsigned int", 4, 0));
	int s64 = add(t, btf__add_int(t->btf, "long long", 8,
				      BTF_INT_SIGNED));
	int st = add(t, btf__add_struct(t->btf, "abi_ctl",
					sizeof(struct abi_ctl)));

	add(t, btf__add_field(t->btf, "state", u32, 0, 0));
	add(t, btf__add_field(t->btf, "gen", u32, 32, 0));
	add(t, btf__add_field(t->btf, "wall_delta", s64, 64, 0));
	add(t, btf__add_field(t->btf, "zero", t->u64, 128, 0));
	add(t, btf__add_field(t->btf, "filled", u32, 192, 0));
	return st;
}

static int
stddev_type(struct types *t)
{
	static const char *const names[] = { "count", "sum", "lo", "hi" };
	int st = add(t, btf__add_struct(t->btf, "rt_stddev", 32));

	for (uint32_t i = 0; i < 4; i++)
		add(t, btf__add_field(t->btf, names[i], t->u64, i * 64, 0));
	return st;
}

/* Functions of the runtime whose first argument is a pointer. */
static int
first_arg(struct types *t, const char *name)
{
	if (!strcmp(name, "rt_max"))
		return add(t, btf__add_ptr(t->btf, t->u64));
	if (!strcmp(name, "rt_stddev"))
		return add(t, btf__add_ptr(t->btf, stddev_type(t)));
	return t->u64;
}

static int
func(struct types *t, const struct ebpf_sym *s)
{
	bool rt = s->kind != SYM_FUNC;
	int first = rt ? first_arg(t, s->name) : t->ptr_void;
	int proto = add(t, btf__add_func_proto(t->btf, rt ? t->u64 : t->i32));

	for (unsigned i = 0; i < s->nargs; i++)
		add(t, btf__add_func_param(t->btf, "a", i == 0 ? first
					   : rt ? t->u64 : t->ptr_void));
	enum btf_func_linkage linkage = s->kind == SYM_RTFUNC
		? BTF_FUNC_EXTERN : s->kind == SYM_GFUNC ? BTF_FUNC_GLOBAL :
		s->sec == SEC_TEXT ? BTF_FUNC_STATIC : BTF_FUNC_GLOBAL;
	return add(t, btf__add_func(t->btf, s->name, linkage, proto));
}

static bool
is_func_of(const struct ebpf_sym *s, int sec)
{
	return (s->kind == SYM_FUNC || s->kind == SYM_GFUNC) && s->sec == sec;
}

/* The function of a section that stands next behind place `after`; SIZE_MAX
 * when there is none. */
static size_t
next_func(const struct ebpf *g, int sec, int64_t after)
{
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < g->syms.n; i++) {
		const struct ebpf_sym *s = &g->syms.v[i];
		if (is_func_of(s, sec) && s->value > after &&
		    (best == SIZE_MAX || s->value < g->syms.v[best].value))
			best = i;
	}
	return best;
}

/* .BTF.ext: for each code section, its functions' places and types, in order
 * of place as libbpf wants them. */
static void
func_info(struct types *t, const int *ids, uint32_t *out, uint32_t *size)
{
	static const char *const names[SEC_NCODE] = { ".text", "raw_tp",
						      "perf_event" };
	struct ebpf *g = t->g;
	uint32_t *p = out + 6;		/* behind the header */

	*p++ = 8;			/* bytes of a record */
	for (int sec = 0; sec < SEC_NCODE; sec++) {
		uint32_t *count;
		int64_t after = -1;
		if (!g->code[sec].insns.n)
			continue;
		*p++ = (uint32_t)add(t, btf__add_str(t->btf, names[sec]));
		count = p++;
		*count = 0;
		for (size_t i; (i = next_func(g, sec, after)) != SIZE_MAX; ) {
			after = g->syms.v[i].value;
			*p++ = g->syms.v[i].value;
			*p++ = (uint32_t)ids[i];
			++*count;
		}
	}
	uint32_t len = (uint32_t)((p - out) * 4) - 24;
	out[0] = 0xeb9f | 1 << 16;	/* magic, version */
	out[1] = 24;			/* bytes of the header */
	out[2] = 0;
	out[3] = len;
	out[4] = len;			/* no line information */
	out[5] = 0;
	*size = len > 4 ? 24 + len : 0;	/* libbpf wants none of nothing */
}

static int
build(struct types *t, int *ids)
{
	struct ebpf *g = t->g;

	t->i32 = add(t, btf__add_int(t->btf, "int", 4, BTF_INT_SIGNED));
	t->u64 = add(t, btf__add_int(t->btf, "unsigned long long", 8, 0));
	t->ptr_void = add(t, btf__add_ptr(t->btf, 0));
	for (size_t i = 0; i < g->syms.n; i++) {
		const struct ebpf_sym *s = &g->syms.v[i];
		if (s->def)
			map_var(t, s);
		else if (s->kind == SYM_FUNC || s->kind == SYM_GFUNC ||
			 s->kind == SYM_RTFUNC)
			ids[i] = func(t, s);
		else if (s->kind == SYM_VAR)
			rows_var(t, s);
		else if (s->kind == SYM_RTVAR)
			add(t, btf__add_var(t->btf, s->name,
				BTF_VAR_GLOBAL_EXTERN, ctl_type(t)));
	}
	maps_section(t);
	return t->err;
}

struct err *
ebpf_btf(struct ebpf *g, void **btf, uint32_t *btf_size, void **ext,
	 uint32_t *ext_size)
{
	struct types t = { .g = g, .btf = btf__new_empty() };
	int *ids = ARENA_ARRAY(g->a, int, g->syms.n);
	uint32_t *info = ARENA_ARRAY(g->a, uint32_t, g->syms.n * 2 + 32);
	const void *raw = NULL;

	if (t.btf && ids && info && !build(&t, ids)) {
		func_info(&t, ids, info, ext_size);
		raw = t.err ? NULL : btf__raw_data(t.btf, btf_size);
	}
	*ext = info;
	*btf = raw ? arena_memdup(g->a, raw, *btf_size) : NULL;
	btf__free(t.btf);
	return *btf ? NULL : &err_nomem;
}
