/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * alloca() scratch, stores to it, user memory.  Addresses are numbers here.
 * Generated code has looked for the target among the variables before.
 */

/* Reserve size bytes of scratch; its offset in the slot, 0 on a fault. */
INLINE u64
scratch_take(char *slot, u64 size)
{
	struct abi_slot *s = (struct abi_slot *)slot;
	u64 used = s->scratch_used;

	if (size > dt_cfg.scratch_size || used > dt_cfg.scratch_size ||
	    used + ((size + 7) & ~7ULL) > dt_cfg.scratch_size) {
		slot_fault(slot, ABI_FAULT_NOSCRATCH, 0);
		return 0;
	}
	s->scratch_used = used + ((size + 7) & ~7ULL);
	return dt_cfg.scratch_off + used;
}

struct zero_ctx {
	char *slot;
	u64 off;
};

static long
zero_word(u32 i, struct zero_ctx *c)
{
	u64 off = c->off + (u64)i * 8;

	OPAQUE(off);
	if (off > dt_cfg.slot_size - 8)
		return 1;
	*(u64 *)(c->slot + off) = 0;
	return 0;
}

RT u64
rt_alloca(u64 index, u64 size)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	u64 off = scratch_take(slot, size);
	if (!off)
		return 0;
	struct zero_ctx c = { slot, off };
	slot_loop(slot, (size + 7) / 8, zero_word, &c);
	return ((struct abi_slot *)slot)->self + off;
}

/* With a NUL behind, for those who take it for a string. */
RT u64
rt_copyin(u64 index, u64 uaddr, u64 size)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	u64 off = scratch_take(slot, size < ~0ULL ? size + 1 : size);
	if (!off)
		return 0;
	u64 self = ((struct abi_slot *)slot)->self;
	u64 max = dt_cfg.scratch_size;
	OPAQUE(off);
	OPAQUE(size);
	if (size >= max || off > dt_cfg.slot_size - max)
		return 0;
	if (size && bpf_probe_read_user(slot + off, size, (void *)uaddr) &&
	    !cache_bytes(slot, index, off, size, uaddr)) {
		slot_fault(slot, ABI_FAULT_BADADDR, uaddr);
		return 0;
	}
	u64 end = off + size;
	OPAQUE(end);
	if (end < dt_cfg.slot_size)
		slot[end] = '\0';
	return self + off;
}

RT u64
rt_memref(u64 index, u64 addr, u64 size)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	u64 off = scratch_take(slot, 16);
	if (!off)
		return 0;
	u64 self = ((struct abi_slot *)slot)->self;
	OPAQUE(off);
	if (off > dt_cfg.slot_size - 16)
		return 0;
	*(u64 *)(slot + off) = addr;
	*(u64 *)(slot + off + 8) = size;
	return self + off;
}

/* The offset in the slot of `size` bytes at addr, when all of them are
 * claimed scratch; else 0. */
INLINE u64
claimed(char *slot, u64 addr, u64 size)
{
	struct abi_slot *s = (struct abi_slot *)slot;
	u64 off = addr - s->self;
	u64 at = off - dt_cfg.scratch_off;

	if (size > s->scratch_used || at > s->scratch_used - size)
		return 0;
	return off;
}

/* The offset in the slot of size > 0 bytes at dst, to be written; 0 on a
 * fault. */
INLINE u64
target(char *slot, u64 dst, u64 size)
{
	u64 off = size > dt_cfg.scratch_size ? 0 : claimed(slot, dst, size);

	if (!off)
		slot_fault(slot, ABI_FAULT_BADADDR, dst);
	return off;
}

/* Bytes of the kernel's memory, to an offset that target() gave. */
INLINE u64
fill(char *slot, u64 off, u64 size, u64 src)
{
	u64 max = dt_cfg.scratch_size;

	OPAQUE(off);
	OPAQUE(size);
	if (size > max || off > dt_cfg.slot_size - max)
		return 0;
	if (bpf_probe_read_kernel(slot + off, size, (void *)src))
		slot_fault(slot, ABI_FAULT_BADADDR, src);
	return 0;
}

RT u64
rt_store(u64 index, u64 addr, u64 value, u64 size)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	if (size > 8)
		return 0;
	u64 off = target(slot, addr, size);
	if (!off)
		return 0;
	OPAQUE(off);
	if (off > dt_cfg.slot_size - 8)
		return 0;
	char *p = slot + off;
	if (size == 8)
		*(u64 *)p = value;
	else if (size == 4)
		*(u32 *)p = value;
	else if (size == 2)
		*(unsigned short *)p = value;
	else
		*p = value;
	return 0;
}

struct copy_ctx {
	char *slot;
	u64 off, src;		/* of the byte behind the last one */
};

static long
copy_byte_down(u32 i, struct copy_ctx *c)
{
	u64 off = c->off - i - 1;

	OPAQUE(off);
	if (off >= dt_cfg.slot_size)
		return 1;
	return bpf_probe_read_kernel(c->slot + off, 1,
				     (void *)(c->src - i - 1)) != 0;
}

RT u64
rt_copys(u64 index, u64 dst, u64 src, u64 size)
{
	char *slot = slot_get(index);

	if (!slot || !size)
		return 0;
	u64 off = target(slot, dst, size);
	if (!off)
		return 0;
	/* The end of the source would be overwritten before it is read. */
	if (dst - src < size) {
		struct copy_ctx c = { slot, off + size, src + size };
		long n = bpf_loop(size, copy_byte_down, &c, 0);
		if (n < 0)
			slot_fault(slot, ABI_FAULT_LOOP, 0);
		else if (n != (long)size)
			slot_fault(slot, ABI_FAULT_BADADDR, src);
		return 0;
	}
	return fill(slot, off, size, src);
}

/* From anywhere but scratch, to scratch. */
RT u64
rt_bcopy(u64 index, u64 src, u64 dst, u64 size)
{
	char *slot = slot_get(index);

	if (!slot || !size)
		return 0;
	u64 off = target(slot, dst, size);
	if (!off)
		return 0;
	struct abi_slot *s = (struct abi_slot *)slot;
	u64 at = src - (s->self + dt_cfg.scratch_off);
	if (at < s->scratch_used || -at < size) {
		slot_fault(slot, ABI_FAULT_BADADDR, src);
		return 0;
	}
	return fill(slot, off, size, src);
}

RT u64
rt_copyinto(u64 index, u64 uaddr, u64 size, u64 dst)
{
	char *slot = slot_get(index);
	u64 max = dt_cfg.scratch_size;

	if (!slot || !size)
		return 0;
	u64 off = target(slot, dst, size);
	if (!off)
		return 0;
	OPAQUE(off);
	OPAQUE(size);
	if (size > max || off > dt_cfg.slot_size - max)
		return 0;
	if (bpf_probe_read_user(slot + off, size, (void *)uaddr))
		slot_fault(slot, ABI_FAULT_BADADDR, uaddr);
	return 0;
}
