/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Paths.  basename and dirname, as in C: slashes at the end do not
 * count, and a name of nothing but slashes is "/".  The path of an open file,
 * which the world knows.  cleanpath, which looks at no file.
 */
#include "vm/vm_priv.h"

/* Bytes of s[0..n) without the slashes at its end. */
static uint32_t
strip_slashes(const char *s, uint32_t n)
{
	while (n && s[n - 1] == '/')
		n--;
	return n;
}

/* Where the last component of s[0..n) starts; s[n - 1] is no slash. */
static uint32_t
last_component(const char *s, uint32_t n)
{
	while (n && s[n - 1] != '/')
		n--;
	return n;
}

bool
vm_subr_BASENAME(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		 uint64_t *ret)
{
	const char *s = args[0].s;
	uint32_t end = strip_slashes(s, args[0].n);
	uint32_t start = last_component(s, end);

	if (args[0].n == 0)
		return vm_return_string(vm, ".", 1, ret);
	if (end == 0)		/* slashes */
		return vm_return_string(vm, s, 1, ret);
	return vm_return_string(vm, s + start, end - start, ret);
}

bool
vm_subr_DIRNAME(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		uint64_t *ret)
{
	const char *s = args[0].s;
	uint32_t end = strip_slashes(s, args[0].n);
	uint32_t start = last_component(s, end);
	uint32_t dir = strip_slashes(s, start);

	if (args[0].n == 0 || (end && start == 0))
		return vm_return_string(vm, ".", 1, ret);
	return vm_return_string(vm, s, dir ? dir : 1, ret);
}

bool
vm_subr_PATH(struct vm *vm, const struct vm_arg *args, unsigned nargs,
	     uint64_t *ret)
{
	const struct vm_env *env = vm->cfg.env;
	char *s = (char *)vm_scratch(vm, vm->strsize);

	if (!s)
		return false;
	if (!env->path || !env->path(vm->cfg.ctx, args[0].i, args[1].i, s,
				     vm->strsize))
		return vm_raise(vm, ABI_FAULT_BADADDR, args[1].i);
	*ret = (uintptr_t)s;
	return true;
}

/* --- cleanpath ------------------------------------------------------------ */

/* A path so far, with a slash behind each component. */
struct clean {
	char *p;
	uint32_t n;
	uint32_t fixed;		/* bytes that no ".." takes away */
	bool absolute;
};

static void
append(struct clean *c, const char *s, uint32_t n)
{
	memcpy(c->p + c->n, s, n);
	c->n += n;
}

/* A "./" at the start is no component to take away. */
static void
go_up(struct clean *c)
{
	bool dot = !c->absolute && c->n == 2 && c->p[0] == '.';

	if (c->n > c->fixed && !dot) {
		c->n = last_component(c->p, c->n - 1);
	} else if (!c->absolute) {
		c->n = c->fixed;
		append(c, "../", 3);
		c->fixed = c->n;
	}
}

bool
vm_subr_CLEANPATH(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		  uint64_t *ret)
{
	const char *s = args[0].s;
	uint32_t n = args[0].n, size;
	struct clean c = { vm_tmp(vm, 1), 0, s[0] == '/', s[0] == '/' };

	if (c.absolute)
		append(&c, "/", 1);
	for (uint32_t i = 0; i < n; i += size + 1) {
		for (size = 0; i + size < n && s[i + size] != '/';)
			size++;
		if (i + size == n)
			append(&c, s + i, size);
		else if (size == 2 && s[i] == '.' && s[i + 1] == '.')
			go_up(&c);
		else if (size > 1 || (size && (s[i] != '.' || !i)))
			append(&c, s + i, size + 1);
	}
	if (!c.n && n)
		append(&c, "./", 2);
	return vm_return_string(vm, c.p, c.n, ret);
}
