/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The kernel and its modules as objects with parts.
 *
 * Modules tell nobody where their parts end, but those are made of pages, so the
 * page of the last symbol is the last one.  The kernel's own initial code lies
 * behind its data, and is gone; so its parts are what the linker's marks say.
 */
#include <string.h>

#include "base/base.h"
#include "sym/sym_priv.h"
#include "util/alloc.h"

enum { PAGE = 4096 };

static const struct { const char *start, *end; } marks[SYM_NPARTS] = {
	[SYM_TEXT] = { "_stext", "_etext" },
	[SYM_DATA] = { "_sdata", "_edata" },
	[SYM_BSS] = { "__bss_start", "__bss_stop" },
};

/* What has no such marks is not known: some kernels name few of their variables. */
static struct err *
kernel_parts(struct sym_kernel *k, struct sym_module *m)
{
	for (int i = 0; i < SYM_NPARTS; i++) {
		struct sym from, to;
		struct err *e = sym_kernel_by_name(k, m->name, marks[i].start,
						   &from);
		if (!e)
			e = sym_kernel_by_name(k, m->name, marks[i].end, &to);
		if (e && e->code != ERR_NOTFOUND)
			return e;
		memset(&m->part[i], 0, sizeof(m->part[i]));
		if (e) {
			err_free(e);
		} else if (from.addr < to.addr) {
			m->part[i].start = from.addr;
			m->part[i].size = to.addr - from.addr;
		}
	}
	return NULL;
}

/* The table is in order of addresses. */
static void
find_parts(const struct ksyms *ks, struct sym_module *all)
{
	for (size_t i = 0; i < ks->all.n; i++) {
		const struct ksym *s = &ks->all.v[i];
		if (s->part == SYM_NPARTS)
			continue;
		struct sym_module *m = &all[s->module];
		uint64_t end = s->addr / PAGE * PAGE + (PAGE - 1);
		if (!m->part[s->part].size)
			m->part[s->part].start = s->addr;
		m->part[s->part].size = end - m->part[s->part].start + 1;
	}
}

static struct err *
list(struct sym_kernel *k, const struct ksyms *ks, struct sym_module *all,
     size_t n, sym_module_fn *fn, void *ctx)
{
	for (size_t i = 0; i < n; i++) {
		all[i].name = sym_kernel_text(k, i ? ks->names +
					      ks->modules.v[i] : "vmlinux");
		if (!all[i].name)
			return &err_nomem;
	}
	find_parts(ks, all);
	TRY(kernel_parts(k, &all[0]));
	for (size_t i = 0; i < n; i++)
		if (!fn(ctx, &all[i]))
			break;
	return NULL;
}

struct err *
sym_kernel_modules(struct sym_kernel *k, sym_module_fn *fn, void *ctx)
{
	const struct ksyms *ks;

	TRY(sym_kernel_table(k, &ks));
	size_t n = ks->modules.n;
	struct sym_module *all = util_zalloc(n * sizeof(*all));
	if (!all)
		return &err_nomem;
	struct err *e = list(k, ks, all, n, fn, ctx);
	util_free(all);
	return e;
}
