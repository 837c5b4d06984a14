/* SPDX-License-Identifier: BSD-2-Clause
 *
 * entries FILE...: of the functions of programs and libraries, how many begin with an
 * instruction over which the kernel would have to step, and how many entry probes do;
 * and how many have no other one, so that nothing could be done about them.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "insn/insn.h"
#include "sym/file.h"
#include "util/alloc.h"

struct counts {
	int fd;
	unsigned n, first, stepped, one, freely, nowhere, bare;
};

static bool
on_insn(void *ctx, const struct insn *i)
{
	*(bool *)ctx |= i->is_emulated;
	return true;
}

static struct err *
on_function(void *ctx, const struct sym_function *f)
{
	struct counts *c = ctx;
	struct insn_entry whole, one, freely, first;

	if (f->is_alias || !f->size)
		return NULL;
	uint8_t *code = util_alloc(f->size);
	ssize_t n = code ? pread(c->fd, code, f->size, (off_t)f->offset) : 0;
	struct err *e = insn_entry(code, (size_t)n, (size_t)n, INSN_LOOKS_ALL, &whole);
	if (!e)
		e = insn_entry(code, (size_t)n, (size_t)n, 1, &one);
	if (!e)
		e = insn_entry(code, (size_t)n, (size_t)n, 0, &freely);
	if (!e)
		e = insn_entry(code, (size_t)n, 1, INSN_LOOKS_ALL, &first);
	bool any = false;
	size_t end;
	if (!e)
		e = insn_walk(code, (size_t)n, on_insn, &any, &end);
	util_free(code);
	if (e)
		return e;
	c->n++;
	c->first += !first.found || first.is_stepped;
	c->stepped += whole.found && whole.is_stepped;
	c->one += one.found && one.is_stepped;
	c->freely += freely.found && freely.is_stepped;
	c->nowhere += !whole.found;
	c->bare += whole.found && !any;
	return NULL;
}

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct counts c = { .fd = open(argv[i], O_RDONLY | O_CLOEXEC) };
		struct err *e = sym_elf_walk(c.fd, NULL, on_function, &c);
		if (e)
			printf("%s: %s\n", argv[i], e->text);
		err_free(e);
		if (c.n)
			printf("%s: %u functions, stepped at the beginning "
			       "%.1f %%, with arguments %.1f %%, with arg0 "
			       "%.1f %%, without %.1f %%, all of it %.1f %%, "
			       "none %u\n", argv[i], c.n,
			       100.0 * c.first / c.n, 100.0 * c.stepped / c.n,
			       100.0 * c.one / c.n,
			       100.0 * c.freely / c.n, 100.0 * c.bare / c.n,
			       c.nowhere);
		close(c.fd);
	}
	return 0;
}
