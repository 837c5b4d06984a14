/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * Bytes as text: memory that holds several strings, identifiers, addresses of
 * networks.  Text of a known length is put together in the string buffer, one
 * byte after the other; where it ends so far lies in the slot, as in str.h.
 */

enum { ADDR_MAX = 20 };

struct text_work {
	u64 at;
	u64 run, start, best, best_len;	/* of zero groups */
	unsigned char addr[ADDR_MAX + 4];
};
_Static_assert(sizeof(struct text_work) <=
	       sizeof(((struct abi_slot *)0)->work), "the state fits");

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

/* The text as the string result at dst. */
INLINE u64
text_end(char *slot, u64 dst)
{
	u64 n = WORK(text_work, slot)->at - dt_cfg.tmp_off;

	return str_cut_to(slot, dst, dt_cfg.tmp_off, 0,
			  n < dt_cfg.strsize ? n : dt_cfg.strsize - 1);
}

/* --- Identifiers ---------------------------------------------------------- */

RT u64
rt_uuidstr(u64 index)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	u64 dst = str_room(slot);
	if (!dst)
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
	return text_end(slot, dst);
}

/* --- Addresses of networks ------------------------------------------------ */

enum { AF_INET4 = 2, AF_INET6 = 10, TYPE_ETHER = 1, TYPE_INFINIBAND = 32 };

/* Make room and begin: `size` bytes, a constant, are read from addr.  The
 * room, 0 on a fault. */
INLINE u64
addr_begin(char *slot, u64 addr, u64 size)
{
	u64 dst = str_room(slot);

	if (!dst)
		return 0;
	text_begin(slot);
	if (addr && !bpf_probe_read_kernel(WORK(text_work, slot)->addr, size,
					   (void *)addr))
		return dst;
	slot_fault(slot, ABI_FAULT_BADADDR, addr);
	return 0;
}

INLINE void
put_inet4(char *slot, u64 at)
{
	for (int i = 0; i < 4; i++) {
		u64 b = WORK(text_work, slot)->addr[at + i];
		if (i)
			text_put(slot, '.');
		if (b >= 100)
			text_put(slot, '0' + b / 100);
		if (b >= 10)
			text_put(slot, '0' + b / 10 % 10);
		text_put(slot, '0' + b % 10);
	}
}

/* i < 8 */
INLINE u64
inet6_group(struct text_work *w, u64 i)
{
	return (u64)w->addr[2 * i] << 8 | w->addr[2 * i + 1];
}

/* The first of the longest runs of zeros. */
static long
run_step(u32 i, struct loop_ctx *c)
{
	struct text_work *w = WORK(text_work, c->slot);

	if (i >= 8)
		return 1;
	if (inet6_group(w, i)) {
		w->run = 0;
		return 0;
	}
	if (!w->run)
		w->start = i;
	w->run++;
	if (w->run > w->best_len) {
		w->best = w->start;
		w->best_len = w->run;
	}
	return 0;
}

static long
group_step(u32 i, struct loop_ctx *c)
{
	struct text_work *w = WORK(text_work, c->slot);

	if (i >= 8)
		return 1;
	if (i - w->best < w->best_len) {
		if (i == w->best)
			text_put(c->slot, ':');
		if (i == 7)
			text_put(c->slot, ':');
		return 0;
	}
	u64 v = inet6_group(w, i);
	if (i)
		text_put(c->slot, ':');
	if (v >= 0x1000)
		text_digit(c->slot, v >> 12);
	if (v >= 0x100)
		text_digit(c->slot, v >> 8 & 15);
	if (v >= 0x10)
		text_digit(c->slot, v >> 4 & 15);
	text_digit(c->slot, v & 15);
	return 0;
}

INLINE u64
inet6(char *slot, u64 addr)
{
	u64 dst = addr_begin(slot, addr, 16);
	struct text_work *w = WORK(text_work, slot);
	struct loop_ctx ctx = { slot };

	if (!dst)
		return 0;
	w->run = w->start = w->best = w->best_len = 0;
	bpf_loop(8, run_step, &ctx, 0);
	if (w->best_len < 2)
		w->best_len = 0;
	/* An address of the older kind within the newer. */
	bool mapped = w->best == 0 &&
		      (w->best_len == 6 ||
		       (w->best_len == 5 && inet6_group(w, 5) == 0xffff));
	bpf_loop(mapped ? 6 : 8, group_step, &ctx, 0);
	if (mapped) {
		text_put(slot, ':');
		put_inet4(slot, 12);
	}
	return text_end(slot, dst);
}

INLINE u64
inet4(char *slot, u64 addr)
{
	u64 dst = addr_begin(slot, addr, 4);

	if (!dst)
		return 0;
	put_inet4(slot, 0);
	return text_end(slot, dst);
}

RT u64
rt_inet_ntoa(u64 index, u64 addr)
{
	char *slot = slot_get(index);

	return slot ? inet4(slot, addr) : 0;
}

RT u64
rt_inet_ntoa6(u64 index, u64 addr)
{
	char *slot = slot_get(index);

	return slot ? inet6(slot, addr) : 0;
}

RT u64
rt_inet_ntop(u64 index, u64 family, u64 addr)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	if (family == AF_INET4)
		return inet4(slot, addr);
	if (family == AF_INET6)
		return inet6(slot, addr);
	slot_fault(slot, ABI_FAULT_ILLOP, 0);
	return 0;
}

static long
link_step(u32 i, struct loop_ctx *c)
{
	struct text_work *w = WORK(text_work, c->slot);

	if (i >= ADDR_MAX)
		return 1;
	u64 b = w->addr[i];
	if (i)
		text_put(c->slot, ':');
	text_digit(c->slot, b >> 4);
	text_digit(c->slot, b & 15);
	return 0;
}

RT u64
rt_link_ntop(u64 index, u64 type, u64 addr)
{
	char *slot = slot_get(index);
	struct loop_ctx ctx = { slot };

	if (!slot)
		return 0;
	if (type != TYPE_ETHER && type != TYPE_INFINIBAND) {
		slot_fault(slot, ABI_FAULT_ILLOP, 0);
		return 0;
	}
	u64 n = type == TYPE_ETHER ? 6 : 20;
	u64 dst = addr_begin(slot, addr, n);
	if (!dst)
		return 0;
	bpf_loop(n, link_step, &ctx, 0);
	return text_end(slot, dst);
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
	slot_loop(slot, n, memstr_step, &ctx);
	u64 nul = dst + n;
	OPAQUE(nul);
	if (nul < dt_cfg.slot_size)
		slot[nul] = 0;
	return str_addr(slot, dst);
}
