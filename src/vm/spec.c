/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Speculations: which are free, in use.  The records themselves go out like all
 * others, with the tag of the speculation in them; whoever reads them keeps them
 * until a record says how the use with that tag ended.
 */
#include "vm/vm_priv.h"

bool
vm_subr_SPECULATION(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		    uint64_t *ret)
{
	for (uint32_t i = 0; i < vm->cfg.nspec; i++) {
		struct vm_spec *s = &vm->specs[i];
		if (s->active)
			continue;
		s->active = true;
		*ret = i + 1;
		return true;
	}
	vm->drops[ABI_DROP_SPECUNAVAIL]++;
	*ret = 0;
	return true;
}

/* NULL when there is none that is active. */
static struct vm_spec *
find_active(struct vm *vm, int64_t id)
{
	if (id < 1 || id > vm->cfg.nspec || !vm->specs[id - 1].active)
		return NULL;
	return &vm->specs[id - 1];
}

uint64_t
vm_speculate(struct vm *vm, int64_t id)
{
	const struct vm_spec *s = find_active(vm, id);

	return s ? ABI_SPEC_TAG(id, s->gen) : ABI_SPEC_NOWHERE;
}

uint64_t
vm_spec_end(struct vm *vm, int64_t id, uint32_t how)
{
	struct vm_spec *s = find_active(vm, id);
	struct vm_spec old;

	if (!s)
		return 0;
	old = *s;
	*s = (struct vm_spec){ .gen = s->gen + 1 };
	return how && !old.used ? 0 : ABI_SPEC_TAG(id, old.gen) | how;
}

bool
vm_spec_room(struct vm *vm, uint64_t tag, uint32_t size)
{
	struct vm_spec *s = &vm->specs[ABI_SPEC_ID(tag) - 1];

	if (ABI_SPEC_GEN(tag) != s->gen)	/* it comes late */
		return true;
	if (size > vm->cfg.specsize || s->used > vm->cfg.specsize - size) {
		vm->drops[ABI_DROP_SPEC]++;
		return false;
	}
	s->used += size;
	return true;
}
