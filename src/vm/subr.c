/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Calling a subroutine: its row of subrs.def says which entries of the tuple
 * stack are strings, so strings are fetched here, once, before the function
 * sees them.
 */
#include "vm/vm_priv.h"

typedef bool vm_subr_fn(struct vm *vm, const struct vm_arg *args,
			unsigned nargs, uint64_t *ret);

static vm_subr_fn *const functions[] = {
#define SUBR(NAME, name, no, ...) [no] = vm_subr_##NAME,
#include "dif/subrs.def"
#undef SUBR
};

bool
vm_return_string(struct vm *vm, const char *p, uint64_t n, uint64_t *ret)
{
	char *s = (char *)vm_scratch(vm, vm->strsize);

	if (!s)
		return false;
	n = BASE_MIN(n, vm->strsize - 1);
	memcpy(s, p, n);
	s[n] = '\0';
	*ret = (uintptr_t)s;
	return true;
}

bool
vm_call(struct vm *vm, unsigned subr, const struct vm_tuple *ts, unsigned nts,
	uint64_t *ret)
{
	struct vm_arg args[VM_NARGS] = { 0 };
	unsigned ntmp = 0;

	if (subr >= BASE_NELEMS(functions) || !functions[subr] ||
	    nts > VM_NARGS)
		return vm_raise(vm, ABI_FAULT_ILLOP, 0);
	for (unsigned i = 0; i < nts; i++) {
		args[i].i = ts[i].value;
		if (ts[i].kind != DIF_PUSH_STRING ||
		    (!ts[i].value && dif_subr_info(subr)->args[i] == 'n'))
			continue;
		if (ntmp == VM_NTMP)
			return vm_raise(vm, ABI_FAULT_ILLOP, 0);
		args[i].s = vm_tmp(vm, ntmp);
		if (!vm_load_string(vm, ts[i].value, ts[i].size, false,
				    vm_tmp(vm, ntmp++), &args[i].n))
			return false;
	}
	return functions[subr](vm, args, nts, ret);
}
