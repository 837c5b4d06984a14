/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Memory, and what asks about the current process.
 */
#include "vm/vm_priv.h"

bool
vm_subr_ALLOCA(struct vm *vm, const struct vm_arg *args, unsigned nargs,
	       uint64_t *ret)
{
	uint8_t *p = vm_scratch(vm, args[0].i);

	if (!p)
		return false;
	memset(p, 0, base_align(args[0].i, 8));
	*ret = (uintptr_t)p;
	return true;
}

static bool
copy_to_scratch(struct vm *vm, uint64_t src, uint64_t dst, uint64_t n,
		bool user)
{
	if (n == 0)
		return true;
	if (!vm_in_scratch(vm, dst, n))
		return vm_raise(vm, ABI_FAULT_BADADDR, dst);
	if (!user && vm_meets_scratch(vm, src, n))
		return vm_raise(vm, ABI_FAULT_BADADDR, src);
	return vm_load(vm, src, (void *)(uintptr_t)dst, n, user);
}

bool
vm_subr_BCOPY(struct vm *vm, const struct vm_arg *args, unsigned nargs,
	      uint64_t *ret)
{
	*ret = 0;
	return copy_to_scratch(vm, args[0].i, args[1].i, args[2].i, false);
}

bool
vm_subr_COPYINTO(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		 uint64_t *ret)
{
	*ret = 0;
	return copy_to_scratch(vm, args[0].i, args[2].i, args[1].i, true);
}

static bool
store_user(struct vm *vm, uint64_t addr, const void *p, uint64_t n)
{
	const struct vm_env *env = vm->cfg.env;

	return !n || (env->ustore && env->ustore(vm->cfg.ctx, addr, p, n)) ||
	       vm_raise(vm, ABI_FAULT_BADADDR, addr);
}

/* By way of scratch, which is given back. */
bool
vm_subr_COPYOUT(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		uint64_t *ret)
{
	uint32_t used = vm->scratch_used;
	uint64_t n = args[2].i;
	uint8_t *p = vm_scratch(vm, n);

	*ret = 0;
	vm->scratch_used = used;
	return p && vm_load(vm, args[0].i, p, n, false) &&
	       store_user(vm, args[1].i, p, n);
}

bool
vm_subr_COPYOUTSTR(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		   uint64_t *ret)
{
	*ret = 0;
	return store_user(vm, args[1].i, args[0].s,
			  BASE_MIN((uint64_t)args[0].n + 1, args[2].i));
}

bool
vm_subr_COPYIN(struct vm *vm, const struct vm_arg *args, unsigned nargs,
	       uint64_t *ret)
{
	uint64_t n = args[1].i;
	uint8_t *p = vm_scratch(vm, n < UINT64_MAX ? n + 1 : n);

	if (!p || !vm_load(vm, args[0].i, p, n, true))
		return false;
	p[n] = '\0';
	*ret = (uintptr_t)p;
	return true;
}

bool
vm_subr_COPYINSTR(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		  uint64_t *ret)
{
	uint64_t most = nargs > 1 ? args[1].i : vm->strsize;
	char *p = (char *)vm_scratch(vm, vm->strsize);
	uint32_t len;

	if (!p)
		return false;
	*ret = (uintptr_t)p;
	if (!most) {
		*p = '\0';
		return true;
	}
	return vm_load_string(vm, args[0].i, most, true, p, &len);
}

bool
vm_subr_PROGENYOF(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		  uint64_t *ret)
{
	const struct vm_env *env = vm->cfg.env;

	*ret = env->progenyof &&
	       env->progenyof(vm->cfg.ctx, (int64_t)args[0].i);
	return true;
}

bool
vm_subr_MEMREF(struct vm *vm, const struct vm_arg *args, unsigned nargs,
	       uint64_t *ret)
{
	uint64_t pair[2] = { args[0].i, args[1].i };
	uint8_t *p = vm_scratch(vm, sizeof(pair));

	if (!p)
		return false;
	memcpy(p, pair, sizeof(pair));
	*ret = (uintptr_t)p;
	return true;
}

bool
vm_subr_MEMSTR(struct vm *vm, const struct vm_arg *args, unsigned nargs,
	       uint64_t *ret)
{
	enum { MOST = 4096 };
	uint64_t n = args[2].i ? args[2].i - 1 : 0;
	char *p;

	if (args[2].i > MOST)
		return vm_raise(vm, ABI_FAULT_ILLOP, 0);
	n = BASE_MIN(n, vm->strsize - 1);
	p = (char *)vm_scratch(vm, vm->strsize);
	if (!p || !vm_load(vm, args[0].i, p, n, false))
		return false;
	for (uint64_t i = 0; i < n; i++)
		if (!p[i])
			p[i] = (char)args[1].i;
	p[n] = '\0';
	*ret = (uintptr_t)p;
	return true;
}

/* --- The kernel's own ---------------------------------------------------- */

static bool
ask(struct vm *vm, uint32_t subr, uint64_t arg, uint64_t *ret)
{
	const struct vm_env *env = vm->cfg.env;

	return (env->ask && env->ask(vm->cfg.ctx, subr, arg, ret)) ||
	       vm_raise(vm, ABI_FAULT_BADADDR, arg);
}

#define ASKS(NAME) \
bool \
vm_subr_##NAME(struct vm *vm, const struct vm_arg *args, unsigned nargs, \
	       uint64_t *ret) \
{ \
	return ask(vm, DIF_SUBR_##NAME, args[0].i, ret); \
}
ASKS(GETF)
ASKS(MUTEX_OWNED)
ASKS(MUTEX_OWNER)
ASKS(MUTEX_ADAPTIVE)
ASKS(MUTEX_SPIN)
ASKS(RW_READ_HELD)
ASKS(RW_WRITE_HELD)
ASKS(RW_ISWRITER)

bool
vm_subr_D_PATH(struct vm *vm, const struct vm_arg *args, unsigned nargs,
	       uint64_t *ret)
{
	char *p = (char *)vm_scratch(vm, vm->strsize);
	uint64_t addr;
	uint32_t n;

	*ret = (uintptr_t)p;
	return p && ask(vm, DIF_SUBR_D_PATH, args[0].i, &addr) &&
	       vm_load_string(vm, addr, 0, false, p, &n);
}
