/* SPDX-License-Identifier: BSD-2-Clause
 *
 * basename and dirname, as the commands: slashes at the end do not count, and
 * a name of nothing but slashes is "/".  And the path of an open file, which
 * the world knows.
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

	if (end == 0)		/* "" or slashes */
		return vm_return_string(vm, s, args[0].n ? 1 : 0, ret);
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
