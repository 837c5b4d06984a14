/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The kernel and its modules as objects.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/lib_priv.h"
#include "sym/sym.h"
#include "util/arena.h"

struct walk {
	dtrace_hdl_t *h;
	dtrace_obj_f *fn;
	void *arg;
	int id, result;
	bool no_memory;
};

/* A module may be built into the kernel, and have its types there. */
static const char *
file_of(dtrace_hdl_t *h, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "/sys/kernel/btf/%s", name);
	return access(path, F_OK) ? "" : arena_strdup(h->a, path);
}

static bool
one(void *ctx, const struct sym_module *m)
{
	struct walk *w = ctx;
	dtrace_objinfo_t o = {
		.dto_name = m->name, .dto_file = file_of(w->h, m->name),
		.dto_id = w->id,
		.dto_flags = DTRACE_OBJ_F_KERNEL |
			(w->id ? 0 : DTRACE_OBJ_F_PRIMARY),
		.dto_text_va = m->part[SYM_TEXT].start,
		.dto_text_size = m->part[SYM_TEXT].size,
		.dto_data_va = m->part[SYM_DATA].start,
		.dto_data_size = m->part[SYM_DATA].size,
		.dto_bss_va = m->part[SYM_BSS].start,
		.dto_bss_size = m->part[SYM_BSS].size,
	};

	w->id++;
	w->no_memory = !o.dto_file;
	if (!w->no_memory)
		w->result = w->fn(w->h, &o, w->arg);
	return !w->no_memory && !w->result;
}

PUBLIC int
dtrace_object_iter(dtrace_hdl_t *h, dtrace_obj_f *fn, void *arg)
{
	struct walk w = { .h = h, .fn = fn, .arg = arg };
	struct err *e = sym_kernel_modules(session_kernel_symbols(h->s), one,
					   &w);

	if (!e && w.no_memory)
		e = &err_nomem;
	return e ? lib_fail(h, e) : w.result;
}

struct wanted {
	const char *name;
	dtrace_objinfo_t *ret;
};

static int
is_it(dtrace_hdl_t *h, const dtrace_objinfo_t *o, void *arg)
{
	const struct wanted *w = arg;

	if (strcmp(o->dto_name, w->name))
		return 0;
	*w->ret = *o;
	return 1;
}

PUBLIC int
dtrace_object_info(dtrace_hdl_t *h, const char *object, dtrace_objinfo_t *ret)
{
	struct wanted w = { object, ret };
	int found = object && object != DTRACE_OBJ_EVERY ?
		dtrace_object_iter(h, is_it, &w) : 0;

	if (found)
		return found < 0 ? -1 : 0;
	return lib_fail(h, err_new(ERR_NOTFOUND, 0, "there is no such object"));
}
