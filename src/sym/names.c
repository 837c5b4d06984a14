/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Any address to the place it lies in, for those who print.
 */
#include "sym/sym_priv.h"
#include "util/alloc.h"
#include "util/sb.h"

struct sym_names {
	struct sym_kernel *kernel;	/* borrowed */
};

struct err *
sym_names_new(struct sym_kernel *kernel, struct sym_names **ret)
{
	struct sym_names *n = util_zalloc(sizeof(*n));

	if (!n)
		return &err_nomem;
	n->kernel = kernel;
	*ret = n;
	return NULL;
}

void
sym_names_free(struct sym_names *n)
{
	util_free(n);
}

void
sym_names_kernel(struct sym_names *n, uint64_t addr, struct sym_place *ret)
{
	struct sym s;

	*ret = (struct sym_place){ .addr = addr, .module_start = addr };
	if (!ksym_look_up(n->kernel, addr, &s))
		return;
	ret->module = s.module;
	ret->function = s.name;
	ret->offset = addr - s.addr;
	ret->module_start = s.module_start;
}

void
sym_names_user(struct sym_names *n, int pid, uint64_t addr,
	       struct sym_place *ret)
{
	*ret = (struct sym_place){ .addr = addr, .module_start = addr };
}

void
sym_place_print(const struct sym_place *p, struct sb *b)
{
	if (p->module) {
		sb_puts(b, p->module);
		sb_putc(b, '`');
	}
	if (!p->function) {
		sb_printf(b, "0x%llx", (unsigned long long)p->addr);
		return;
	}
	sb_puts(b, p->function);
	if (p->offset)
		sb_printf(b, "+0x%llx", (unsigned long long)p->offset);
}
