/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * Bytes as text: memory that holds several strings, identifiers.  Text of a
 * known length is put together in the string buffer, one byte after the other;
 * where it ends so far lies in the slot, as in str.h.
 */

struct text_work {
	u64 at;
};

/* Begin a text at the string buffer. */
INLINE void
text_begin(char *slot)
{
	WORK(text_work, slot)->at = dt_cfg.tmp_off;
}

INLINE void
text_put(char *slot, u64 c)
{
	struct text_work *w = WORK(text_work, slot);
	u64 at = w->at;

	w->at = at + 1;
	OPAQUE(at);
	if (at < dt_cfg.slot_size)
		slot[at] = c;
}

/* A digit of base 16, without a branch for the verifier to follow. */
INLINE void
text_digit(char *slot, u64 d)
{
	text_put(slot, '0' + d + ((9 - (s64)d) >> 63 & ('a' - '0' - 10)));
}

/* The text as a string result. */
INLINE u64
text_end(char *slot)
{
	u64 n = WORK(text_work, slot)->at - dt_cfg.tmp_off;

	return str_cut(slot, dt_cfg.tmp_off, 0,
		       n < dt_cfg.strsize ? n : dt_cfg.strsize - 1);
}

/* --- Identifiers ---------------------------------------------------------- */

RT u64
rt_uuidstr(u64 index)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	text_begin(slot);
	for (int i = 0; i < 32; i++) {
		u64 d = bpf_get_prandom_u32() & 15;
		if (i == 8 || i == 12 || i == 16 || i == 20)
			text_put(slot, '-');
		if (i == 12)
			d = 4;
		if (i == 16)
			d = 8 | (d & 3);
		text_digit(slot, d);
	}
	return text_end(slot);
}

/* --- Memory --------------------------------------------------------------- */

enum { MEMSTR_MAX = 4096 };

struct memstr_work {
	u64 off, sep;
};

static long
memstr_step(u32 i, struct loop_ctx *c)
{
	struct memstr_work *w = WORK(memstr_work, c->slot);
	u64 off = w->off + i;

	OPAQUE(off);
	if (off >= dt_cfg.slot_size)
		return 1;
	if (!c->slot[off])
		c->slot[off] = w->sep;
	return 0;
}

RT u64
rt_memstr(u64 index, u64 addr, u64 sep, u64 size)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	if (size > MEMSTR_MAX) {
		slot_fault(slot, ABI_FAULT_ILLOP, 0);
		return 0;
	}
	u64 dst = str_room(slot);
	if (!dst)
		return 0;
	u64 n = size ? size - 1 : 0;
	if (n > dt_cfg.strsize - 1)
		n = dt_cfg.strsize - 1;
	OPAQUE(n);
	OPAQUE(dst);
	if (n >= ABI_STRSIZE_MAX || dst > dt_cfg.slot_size - ABI_STRSIZE_MAX)
		return 0;
	if (n && (!addr || bpf_probe_read_kernel(slot + dst, n, (void *)addr))) {
		slot_fault(slot, ABI_FAULT_BADADDR, addr);
		return 0;
	}
	*WORK(memstr_work, slot) = (struct memstr_work){ dst, sep };
	struct loop_ctx ctx = { slot };
	bpf_loop(n, memstr_step, &ctx, 0);
	u64 nul = dst + n;
	OPAQUE(nul);
	if (nul < dt_cfg.slot_size)
		slot[nul] = 0;
	return str_addr(slot, dst);
}
