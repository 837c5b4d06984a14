/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * Writing to the memory of the current process.  Not every kernel lets a
 * program have the helper for that; only what calls these is refused there.
 */

/* size > 0 bytes at off of the slot, of which max are there. */
INLINE void
user_write(char *slot, u64 off, u64 uaddr, u64 size, u64 max)
{
	OPAQUE(off);
	OPAQUE(size);
	if (size > max || off > dt_cfg.slot_size - max)
		return;
	/* Not 0: as a signed number, which old verifiers follow, too. */
	OPAQUE(size);
	if ((s64)size < 1)
		return;
	if (bpf_probe_write_user((void *)uaddr, slot + off, size))
		slot_fault(slot, ABI_FAULT_BADADDR, uaddr);
}

/* By way of scratch, which is given back. */
RT u64
rt_copyout(u64 index, u64 src, u64 uaddr, u64 size)
{
	char *slot = slot_get(index);
	struct abi_slot *s = (struct abi_slot *)slot;
	u64 max = dt_cfg.scratch_size;

	if (!slot || !size)
		return 0;
	u32 used = s->scratch_used;
	u64 off = scratch_take(slot, size);
	if (!off)
		return 0;
	s->scratch_used = used;
	u64 n = size, to = off;
	OPAQUE(n);
	OPAQUE(to);
	if (n > max || to > dt_cfg.slot_size - max)
		return 0;
	if (bpf_probe_read_kernel(slot + to, n, (void *)src))
		slot_fault(slot, ABI_FAULT_BADADDR, src);
	else
		user_write(slot, off, uaddr, size, max);
	return 0;
}

/* With its NUL, but no more than max bytes. */
RT u64
rt_copyoutstr(u64 index, u64 a, u64 uaddr, u64 max)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	long n = str_fetch(slot, dt_cfg.tmp_off, a);
	if (n < 0)
		return 0;
	u64 size = n + 1;
	if (size > max)
		size = max;
	if (size)
		user_write(slot, dt_cfg.tmp_off, uaddr, size, str_stride());
	return 0;
}
