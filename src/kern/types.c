/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The types of a joined object, as BTF (Documentation/bpf/btf.rst).  The kernel
 * wants prototypes because functions of the runtime are global, and types of
 * keys and values for what it keeps with a task.
 */
#include <string.h>
#include <bpf/btf.h>

#include "base/base.h"
#include "kern/obj_priv.h"

enum { ARGS_MAX = 5 };

struct types {
	struct btf *btf;
	int err;		/* the first negative result */
	int i32, u64, ctx;
	int protos[ARGS_MAX + 1];	/* u64 (u64, ...); 0: not there yet */
	int prog_proto;			/* int (void *) */
};

static int
add(struct types *t, int id)
{
	if (id < 0 && !t->err)
		t->err = id;
	return id;
}

static int
cells(struct types *t, uint32_t n)
{
	return add(t, btf__add_array(t->btf, t->i32, t->u64, n));
}

static int
new_proto(struct types *t, int result, int first, unsigned nargs)
{
	int proto = add(t, btf__add_func_proto(t->btf, result));

	for (unsigned i = 0; i < nargs; i++)
		add(t, btf__add_func_param(t->btf, "a", i ? t->u64 : first));
	return proto;
}

static int
proto(struct types *t, const struct abi_func *f)
{
	int *same = obj_is_prog(f) ? &t->prog_proto : &t->protos[f->nargs];

	if (f->cells) {
		int first = cells(t, f->cells);
		first = add(t, btf__add_ptr(t->btf, first));
		return new_proto(t, t->u64, first, f->nargs);
	}
	if (!*same)
		*same = obj_is_prog(f) ? new_proto(t, t->i32, t->ctx, 1)
				       : new_proto(t, t->u64, t->u64, f->nargs);
	return *same;
}

static void
func(struct types *t, struct obj_func *f)
{
	int id = proto(t, f->f);

	f->type = add(t, btf__add_func(t->btf, f->f->name,
		f->f->kind == ABI_FUNC_STATIC ? BTF_FUNC_STATIC
					      : BTF_FUNC_GLOBAL, id));
}

static int
build(struct types *t, struct kern_obj *o)
{
	t->i32 = add(t, btf__add_int(t->btf, "int", 4, BTF_INT_SIGNED));
	t->u64 = add(t, btf__add_int(t->btf, "u64", 8, 0));
	t->ctx = add(t, btf__add_ptr(t->btf, 0));
	o->key_type = t->i32;
	for (size_t i = 0; i < o->parts.n && !t->err; i++)
		if (!o->funcs[o->parts.v[i]].type)
			func(t, &o->funcs[o->parts.v[i]]);
	for (uint32_t i = 0; i < o->nmaps; i++)
		if (o->maps[i].m.type == BPF_MAP_TYPE_TASK_STORAGE)
			o->maps[i].value_type =
				cells(t, o->maps[i].m.value_size / 8);
	return t->err;
}

struct err *
kern_obj_types(struct kern_obj *o)
{
	struct types t = { .btf = btf__new_empty() };
	const void *raw = NULL;
	uint32_t size;

	if (t.btf && !build(&t, o))
		raw = btf__raw_data(t.btf, &size);
	if (raw) {
		union bpf_attr attr;
		memset(&attr, 0, sizeof(attr));
		attr.btf = (uintptr_t)raw;
		attr.btf_size = size;
		o->btf = kern_bpf(BPF_BTF_LOAD, &attr);
	}
	btf__free(t.btf);
	if (!raw)
		return &err_nomem;
	return o->btf < 0 ? kern_os_err(o->btf, "cannot load types") : NULL;
}
