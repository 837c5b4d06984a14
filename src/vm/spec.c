/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Speculations: which are free, in use, ended.  The records themselves go out
 * like all others, with the tag of the speculation in them; whoever reads them
 * keeps them until a commit record with that tag comes.
 */
#include "abi/rt.h"
#include "vm/vm_priv.h"

void
vm_clean(struct vm *vm)
{
	for (uint32_t i = 0; i < vm->cfg.nspec; i++) {
		struct vm_spec *s = &vm->specs[i];
		if (s->state == ABI_SPEC_COMMITTED ||
		    s->state == ABI_SPEC_DISCARDED)
			*s = (struct vm_spec){ ABI_SPEC_IDLE, s->gen + 1, 0 };
	}
}

bool
vm_subr_SPECULATION(struct vm *vm, const struct vm_arg *args, unsigned nargs,
		    uint64_t *ret)
{
	bool busy = false;

	for (uint32_t i = 0; i < vm->cfg.nspec; i++) {
		struct vm_spec *s = &vm->specs[i];
		busy |= s->state > ABI_SPEC_ACTIVE;
		if (s->state != ABI_SPEC_IDLE)
			continue;
		s->state = ABI_SPEC_ACTIVE;
		*ret = i + 1;
		return true;
	}
	vm->drops[busy ? ABI_DROP_SPECBUSY : ABI_DROP_SPECUNAVAIL]++;
	*ret = 0;
	return true;
}

bool
vm_spec(struct vm *vm, uint32_t kind, int64_t id, uint64_t *tag)
{
	*tag = kind == ABI_ACT_SPECULATE ? ABI_SPEC_NOWHERE : 0;
	if (!id)
		return true;
	if (id < 0 || id > vm->cfg.nspec)
		return vm_raise(vm, ABI_FAULT_ILLOP, 0);
	struct vm_spec *s = &vm->specs[id - 1];
	if (s->state != ABI_SPEC_ACTIVE)
		return true;
	if (kind != ABI_ACT_DISCARD)
		*tag = ABI_SPEC_TAG(id, s->gen);
	if (kind != ABI_ACT_SPECULATE)
		s->state = kind == ABI_ACT_COMMIT ? ABI_SPEC_COMMITTED
						  : ABI_SPEC_DISCARDED;
	return true;
}

bool
vm_spec_room(struct vm *vm, uint64_t tag, uint32_t size)
{
	struct vm_spec *s = &vm->specs[ABI_SPEC_ID(tag) - 1];

	if (size > vm->cfg.specsize || s->used > vm->cfg.specsize - size) {
		vm->drops[ABI_DROP_SPEC]++;
		return false;
	}
	s->used += size;
	return true;
}
