/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Instructions of functions: is there one that begins at some place, and may a probe
 * stand on it?  Places are told as bytes behind the beginning of a function or, of
 * function "-", as the object's addresses, as linked: what nm(1) and objdump(1) say.
 *
 * To know where an instruction begins, those before it must be read from a place where
 * one does: so the address must lie in a function that is known.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "prov/pid_priv.h"
#include "sym/file.h"

bool
prov_pid_is_hex(const char *name)
{
	return *name && name[strspn(name, "0123456789abcdef")] == '\0';
}

static bool
look_around(void *ctx, const struct insn *i)
{
	struct pid_around *x = ctx;

	if (i->at < x->at)
		x->before = i->at;
	x->is_one = i->at == x->at;
	x->is_harmful = x->is_one && i->is_harmful;
	x->behind = i->at;
	return i->at < x->at;
}

struct err *
prov_pid_around(struct pid *b, const struct prov_object *o,
		const struct prov_ufunc *f, uint64_t at, struct pid_around *ret)
{
	size_t end;

	*ret = (struct pid_around){ .func = f, .at = at };
	TRY(prov_pid_code(b, o, f, &ret->size));
	return prov_pid_walk(b, o, ret->size, look_around, ret, &end);
}

struct err *
prov_pid_addr(struct pid *b, const struct prov_object *o, const char *name,
	      struct pid_around *ret)
{
	const struct prov_ufunc *f;
	struct sym_code code;

	*ret = (struct pid_around){ .func = NULL };
	if (!prov_pid_is_hex(name) || strlen(name) > 16)
		return NULL;
	uint64_t addr = strtoull(name, NULL, 16);
	if (!sym_elf_code(o->fd, addr, &code))
		return NULL;
	uint64_t offset = addr - code.addr + code.offset;
	f = prov_user_function_at(o, offset);
	if (!f)
		return NULL;
	TRY(prov_pid_around(b, o, f, offset - f->offset, ret));
	if (ret->at >= ret->size)
		ret->func = NULL;
	assert(ret->func || !ret->is_one);
	return NULL;
}
