/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * Numbers to strings and back.
 */

/* Digits are written backwards from the end of a 72-byte area. */
struct num_work {
	u64 v, base, at;
};

INLINE void
num_put(char *slot, u64 c)
{
	put_before(slot, &WORK(num_work, slot)->at, c);
}

static long
num_step(u32 i, struct loop_ctx *c)
{
	struct num_work *w = WORK(num_work, c->slot);
	u64 v = w->v, base = w->base;

	if (!base)
		return 1;
	u64 digit = v % base;
	w->v = v / base;
	num_put(c->slot, digit < 10 ? '0' + digit : 'a' + digit - 10);
	return w->v == 0;
}

RT u64
rt_lltostr(u64 index, u64 v, u64 base)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	if (base < 2 || base > 36) {
		slot_fault(slot, ABI_FAULT_ILLOP, 0);
		return 0;
	}
	bool neg = base == 10 && (s64)v < 0;
	u64 end = dt_cfg.tmp_off + 72;
	struct num_work *w = WORK(num_work, slot);
	*w = (struct num_work){ neg ? -v : v, base, end };
	struct loop_ctx ctx = { slot };
	bpf_loop(64, num_step, &ctx, 0);
	if (neg)
		num_put(slot, '-');
	if (base == 16)
		num_put(slot, 'x');
	if (base == 16 || (base == 8 && v))
		num_put(slot, '0');
	u64 size = end - w->at;
	if (size > dt_cfg.strsize - 1)
		size = dt_cfg.strsize - 1;
	return str_cut(slot, w->at, 0, size);
}

struct parse_work {
	u64 off, v, base;
};

INLINE u64
digit_of(u64 c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'Z')
		return c - 'A' + 10;
	return 99;
}

static long
parse_step(u32 i, struct loop_ctx *c)
{
	struct parse_work *w = WORK(parse_work, c->slot);
	u64 d = digit_of(byte_at(c->slot, w->off + i));

	if (d >= w->base)
		return 1;
	w->v = w->v * w->base + d;
	return 0;
}

static long
blank_step(u32 i, struct loop_ctx *c)
{
	struct parse_work *w = WORK(parse_work, c->slot);
	u64 b = byte_at(c->slot, w->off);

	if (b != ' ' && (b < '\t' || b > '\r'))
		return 1;
	w->off++;
	return 0;
}

/* A prefix that says the base, skipped when it is not a digit of it. */
INLINE void
parse_prefix(char *slot, u64 base)
{
	struct parse_work *w = WORK(parse_work, slot);
	bool zero = byte_at(slot, w->off) == '0';
	u64 x = byte_at(slot, w->off + 1) | 0x20;
	bool hex = zero && x == 'x' &&
		digit_of(byte_at(slot, w->off + 2)) < 16;

	if (hex && (base == 0 || base == 16)) {
		w->off += 2;
		w->base = 16;
	} else if (base == 0) {
		w->base = zero ? 8 : 10;
	}
}

/* base 0: as in C. */
INLINE u64
parse_number(char *slot, u64 off, u64 n, u64 base)
{
	struct parse_work *w = WORK(parse_work, slot);
	struct loop_ctx ctx = { slot };

	*w = (struct parse_work){ off, 0, base };
	slot_loop(slot, n, blank_step, &ctx);
	u64 sign = byte_at(slot, w->off);
	if (sign == '-' || sign == '+')
		w->off++;
	parse_prefix(slot, base);
	slot_loop(slot, n, parse_step, &ctx);
	return sign == '-' ? -w->v : w->v;
}

RT u64
rt_strtoll(u64 index, u64 a, u64 base)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	s64 n = str_fetch(slot, dt_cfg.tmp_off, a);
	if (n < 0)
		return 0;
	if (base < 2 || base > 36) {
		slot_fault(slot, ABI_FAULT_ILLOP, 0);
		return 0;
	}
	return parse_number(slot, dt_cfg.tmp_off, n, base);
}

/* The base is not given. */
RT u64
rt_strtoll_any(u64 index, u64 a)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	s64 n = str_fetch(slot, dt_cfg.tmp_off, a);
	return n < 0 ? 0 : parse_number(slot, dt_cfg.tmp_off, n, 0);
}
