/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Checked memory.  An address is looked for in the engine's own memory first
 * (strings of the running DIFO, scratch claimed so far, by-reference values,
 * the caller's regions); what is not wholly inside one of them is the
 * world's.  Stores never leave the engine.
 */
#include "vm/vm_priv.h"

bool
vm_raise(struct vm *vm, int fault, uint64_t value)
{
	vm->fault.fault = fault;
	vm->fault.value = value;
	return false;
}

static bool
within(uint64_t addr, uint64_t n, const void *p, uint64_t size)
{
	uint64_t base = (uintptr_t)p;

	return p && n <= size && addr >= base && addr - base <= size - n;
}

uint8_t *
vm_own_store(const struct vm *vm, uint64_t addr, uint64_t n)
{
	if (within(addr, n, vm->scratch, vm->scratch_used))
		return (uint8_t *)(uintptr_t)addr;
	return vm_var_at(vm, addr, n, true);
}

const uint8_t *
vm_own(const struct vm *vm, uint64_t addr, uint64_t n)
{
	const uint8_t *p = (const uint8_t *)(uintptr_t)addr;

	if (vm_own_store(vm, addr, n) || vm_var_at(vm, addr, n, false) ||
	    vm_elem_at(vm, addr, n))
		return p;
	if (vm->difo && within(addr, n, vm->difo->strs, vm->difo->strs_size))
		return p;
	if (within(addr, n, vm->zeros, vm->max_value))
		return p;
	for (uint32_t i = 0; i < vm->cfg.nregions; i++)
		if (within(addr, n, vm->cfg.regions[i].p,
			   vm->cfg.regions[i].size))
			return p;
	return NULL;
}

/* No fault raised. */
static bool
try_load(const struct vm *vm, uint64_t addr, void *buf, size_t n, bool user)
{
	const struct vm_env *env = vm->cfg.env;
	const uint8_t *own;

	if (n == 0)
		return true;
	if (addr == 0)
		return false;
	if (user)
		return env->uload && env->uload(vm->cfg.ctx, addr, buf, n);
	own = vm_own(vm, addr, n);
	if (own) {
		memmove(buf, own, n);
		return true;
	}
	return env->load && env->load(vm->cfg.ctx, addr, buf, n);
}

bool
vm_load(struct vm *vm, uint64_t addr, void *buf, size_t n, bool user)
{
	return try_load(vm, addr, buf, n, user) ||
	       vm_raise(vm, ABI_FAULT_BADADDR, addr);
}

bool
vm_load_text(struct vm *vm, uint64_t addr, uint64_t limit, bool user,
	     char *buf, uint32_t *len)
{
	uint32_t n = 0;

	for (; n < limit; n++) {
		if (!try_load(vm, addr + n, buf + n, 1, user))
			return vm_raise(vm, ABI_FAULT_BADADDR, addr);
		if (!buf[n])
			break;
	}
	buf[n] = '\0';
	*len = n;
	return true;
}

bool
vm_load_string(struct vm *vm, uint64_t addr, uint64_t max, bool user,
	       char *buf, uint32_t *len)
{
	uint64_t limit = vm->strsize - 1;

	return vm_load_text(vm, addr, max ? BASE_MIN(limit, max) : limit, user,
			    buf, len);
}

bool
vm_in_scratch(const struct vm *vm, uint64_t addr, uint64_t n)
{
	return within(addr, n, vm->scratch, vm->scratch_used);
}

bool
vm_meets_scratch(const struct vm *vm, uint64_t addr, uint64_t n)
{
	uint64_t at = addr - (uintptr_t)vm->scratch;

	return at < vm->scratch_used || -at < n;
}

uint8_t *
vm_scratch(struct vm *vm, uint64_t n)
{
	uint8_t *p = vm->scratch + vm->scratch_used;

	if (n > vm->cfg.scratch_size - vm->scratch_used ||
	    base_align(n, 8) > vm->cfg.scratch_size - vm->scratch_used) {
		vm_raise(vm, ABI_FAULT_NOSCRATCH, 0);
		return NULL;
	}
	vm->scratch_used += base_align(n, 8);
	return p;
}

char *
vm_tmp(const struct vm *vm, unsigned i)
{
	return (char *)vm->tmp + (size_t)i * vm->tmp_size;
}
