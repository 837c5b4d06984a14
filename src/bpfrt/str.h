/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * Strings.  An operand is an address: it is first copied to one of the two
 * string buffers of the slot (dt_cfg.tmp_off), or straight into the result's
 * scratch, and only then looked at byte by byte.  Loops over bytes are
 * bpf_loop() callbacks, so their cost to the verifier does not grow with
 * strsize; comparing goes by words in a plain loop.
 *
 * A callback's state lives in the slot (abi_slot.work), not on the stack:
 * numbers read from a map are unknown to the verifier, so two turns of the
 * loop look alike to it and it stops after a few; numbers on the stack it
 * would follow one by one.
 */

/* Buffers are this far apart: strsize rounded up, and a word to read past. */
INLINE u64
str_stride(void)
{
	return ((u64)dt_cfg.strsize + 15) & ~7ULL;
}

/*
 * The string at a to dst, where there is room for max + 1 bytes: up to its NUL,
 * or max > 0 bytes, behind which nothing is touched, as nothing may be there.
 * The kernel's helper puts its NUL over the last byte that it reads, so a
 * byte that is no NUL itself is read again.  Bytes without the NUL, below 0
 * when one cannot be read.
 */
INLINE long
str_read(char *dst, u64 max, u64 a, bool user)
{
	long n = user ? bpf_probe_read_user_str(dst, max, (void *)a)
		      : bpf_probe_read_kernel_str(dst, max, (void *)a);

	if (n == 0) {	/* some kernels: an empty one */
		dst[0] = 0;
		return 0;
	}
	if (n != (long)max)
		return n - 1;
	dst[max] = 0;
	char *last = dst + max - 1;
	void *from = (void *)(a + max - 1);
	if (user ? bpf_probe_read_user(last, 1, from)
		 : bpf_probe_read_kernel(last, 1, from))
		return -1;
	return *last ? n : n - 1;
}

/* Copy string operand a to offset off of the slot.  Bytes without the NUL, or
 * -1 with the fault set. */
INLINE s64
str_fetch(char *slot, u64 off, u64 a)
{
	if (off > dt_cfg.slot_size - str_stride())
		return -1;
	long n = a ? str_read(slot + off, dt_cfg.strsize - 1, a, false) : -1;
	if (n < 0) {
		slot_fault(slot, ABI_FAULT_BADADDR, a);
		return -1;
	}
	return n;
}

/* Room for a string result; its offset in the slot, 0 on a fault. */
INLINE u64
str_room(char *slot)
{
	return scratch_take(slot, dt_cfg.strsize);
}

INLINE u64
str_addr(char *slot, u64 off)
{
	return ((struct abi_slot *)slot)->self + off;
}

/* --- Comparing ---------------------------------------------------------- */

INLINE bool
has_zero(u64 w)
{
	return (w - 0x0101010101010101ULL) & ~w & 0x8080808080808080ULL;
}

/* Compare two words that differ or hold a NUL: 0 less, 1 equal, 2 more. */
INLINE u64
word_order(u64 x, u64 y)
{
	for (int i = 0; i < 8; i++) {
		u64 a = x & 0xff, b = y & 0xff;
		if (a != b)
			return a < b ? 0 : 2;
		if (!a)
			return 1;
		x >>= 8;
		y >>= 8;
	}
	return 1;
}

/* 0 less, 1 equal, 2 more. */
RT u64
rt_scmp(u64 index, u64 a, u64 b)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	if (!a || !b)		/* below all strings */
		return 1 + (a != 0) - (b != 0);
	u64 ta = dt_cfg.tmp_off, tb = ta + str_stride();
	s64 na = str_fetch(slot, ta, a);
	if (na < 0)
		return 0;
	s64 nb = str_fetch(slot, tb, b);
	if (nb < 0)
		return 0;
	if (tb > dt_cfg.slot_size - str_stride())
		return 0;
	for (u64 i = 0; i < ABI_STRSIZE_MAX / 8; i++) {
		if (i * 8 >= dt_cfg.strsize)
			break;
		u64 x = *(u64 *)(slot + ta + i * 8);
		u64 y = *(u64 *)(slot + tb + i * 8);
		if (x != y || has_zero(x))
			return word_order(x, y);
	}
	return 1;
}

RT u64
rt_strlen(u64 index, u64 a)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	s64 n = str_fetch(slot, dt_cfg.tmp_off, a);
	return n < 0 ? 0 : n;
}

/* --- Searching ------------------------------------------------------------ */

struct loop_ctx {
	char *slot;
};

INLINE u64
byte_at(char *slot, u64 off)
{
	OPAQUE(off);
	if (off >= dt_cfg.slot_size)
		return 0;
	return *(unsigned char *)(slot + off);
}

struct find_work {
	u64 off, n;		/* the text */
	u64 c;
	u64 last;		/* the last place is wanted, not the first */
	u64 found, at;
};

#define WORK(type, slot) \
	((struct type *)((slot) + __builtin_offsetof(struct abi_slot, work)))
_Static_assert(sizeof(struct find_work) <= sizeof(((struct abi_slot *)0)->work),
	       "the state fits");

static long
find_byte(u32 i, struct loop_ctx *c)
{
	struct find_work *w = WORK(find_work, c->slot);

	if (i > w->n)
		return 1;
	if (byte_at(c->slot, w->off + i) != w->c)
		return 0;
	w->found = 1;
	w->at = i;
	return !w->last;
}

INLINE u64
strchr_common(u64 index, u64 a, u64 c, bool last)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	u64 off = dt_cfg.tmp_off;
	s64 n = str_fetch(slot, off, a);
	if (n < 0)
		return 0;
	struct find_work *w = WORK(find_work, slot);
	*w = (struct find_work){ off, n, c & 0xff, last, 0, 0 };
	struct loop_ctx ctx = { slot };
	slot_loop(slot, n + 1, find_byte, &ctx);
	if (!w->found)
		return 0;
	u64 dst = str_room(slot);
	if (!dst)
		return 0;
	u64 self = ((struct abi_slot *)slot)->self;
	return str_fetch(slot, dst, self + off + w->at) < 0 ? 0 : self + dst;
}

RT u64
rt_strchr(u64 index, u64 a, u64 c)
{
	return strchr_common(index, a, c, false);
}

RT u64
rt_strrchr(u64 index, u64 a, u64 c)
{
	return strchr_common(index, a, c, true);
}

/*
 * Substring search in one loop: place is where a match is being tried, k how
 * many bytes of it agree.  A step either moves k on or goes to the next
 * place; at most n * m + n steps.
 */
struct sub_work {
	u64 text, n, sub, m;	/* offsets and lengths */
	u64 place, k, max;	/* max: the last place to try */
	u64 last;		/* the last occurrence is wanted */
	s64 at;
};

static long
sub_step(u32 i, struct loop_ctx *c)
{
	struct sub_work *w = WORK(sub_work, c->slot);

	if (w->k == w->m) {
		w->at = w->place;
		if (!w->last)
			return 1;
		w->place++;
		w->k = 0;
	}
	if (w->place > w->max)
		return 1;
	if (w->k >= w->m)
		return 0;
	u64 x = byte_at(c->slot, w->text + w->place + w->k);
	if (x == byte_at(c->slot, w->sub + w->k)) {
		w->k++;
	} else {
		w->place++;
		w->k = 0;
	}
	return 0;
}

/* Where the second string occurs from w->place on; -1 if nowhere. */
INLINE s64
sub_find(char *slot)
{
	struct sub_work *w = WORK(sub_work, slot);
	u64 n = w->n, m = w->m;

	if (m > n || w->place + m > n)
		return -1;
	if (w->max > n - m)
		w->max = n - m;
	u64 steps = (n + 2) * (m + 2);
	OPAQUE(steps);
	if (steps > 1 << 23)
		steps = 1 << 23;
	struct loop_ctx ctx = { slot };
	slot_loop(slot, steps, sub_step, &ctx);
	return w->at;
}

/* Fetch both operands to the string buffers. */
INLINE bool
sub_fetch(char *slot, u64 a, u64 b, u64 last)
{
	struct sub_work *w = WORK(sub_work, slot);
	u64 text = dt_cfg.tmp_off, sub = text + str_stride();
	s64 n = str_fetch(slot, text, a);

	if (n < 0)
		return false;
	s64 m = str_fetch(slot, sub, b);
	if (m < 0)
		return false;
	*w = (struct sub_work){ text, n, sub, m, 0, 0, n, last, -1 };
	return true;
}

RT u64
rt_strstr(u64 index, u64 a, u64 b)
{
	char *slot = slot_get(index);

	if (!slot || !sub_fetch(slot, a, b, false))
		return 0;
	s64 at = sub_find(slot);
	if (at < 0)
		return 0;
	u64 dst = str_room(slot);
	if (!dst)
		return 0;
	u64 self = ((struct abi_slot *)slot)->self;
	u64 from = self + dt_cfg.tmp_off + at;
	return str_fetch(slot, dst, from) < 0 ? 0 : self + dst;
}

RT u64
rt_index(u64 index, u64 a, u64 b, u64 start)
{
	char *slot = slot_get(index);

	if (!slot || !sub_fetch(slot, a, b, false))
		return 0;
	struct sub_work *w = WORK(sub_work, slot);
	u64 n = w->n;
	w->place = (s64)start < 0 ? 0 : start < n ? start : n;
	return sub_find(slot);
}

RT u64
rt_rindex(u64 index, u64 a, u64 b, u64 start)
{
	char *slot = slot_get(index);

	if (!slot || !sub_fetch(slot, a, b, true))
		return 0;
	if ((s64)start < 0)
		return -1;
	struct sub_work *w = WORK(sub_work, slot);
	if (start < w->max)
		w->max = start;
	return sub_find(slot);
}

/* --- Making ------------------------------------------------------------------ */

/* Bytes [begin, end) of the text at slot offset off, as the string at dst. */
INLINE u64
str_cut_to(char *slot, u64 dst, u64 off, u64 begin, u64 end)
{
	u64 size = end > begin ? end - begin : 0;
	u64 self = ((struct abi_slot *)slot)->self;
	OPAQUE(dst);
	OPAQUE(size);
	if (size >= dt_cfg.strsize || size >= ABI_STRSIZE_MAX ||
	    dst > dt_cfg.slot_size - ABI_STRSIZE_MAX)
		return 0;
	if (size)
		bpf_probe_read_kernel(slot + dst, size,
				      (void *)(self + off + begin));
	OPAQUE(size);
	u64 nul = dst + size;
	OPAQUE(nul);
	if (nul < dt_cfg.slot_size)
		slot[nul] = 0;
	return self + dst;
}

/* The same as a fresh string. */
INLINE u64
str_cut(char *slot, u64 off, u64 begin, u64 end)
{
	u64 dst = str_room(slot);

	return dst ? str_cut_to(slot, dst, off, begin, end) : 0;
}

RT u64
rt_copyinstr(u64 index, u64 uaddr, u64 max)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	u64 dst = str_room(slot);
	if (!dst)
		return 0;
	u64 n = max < dt_cfg.strsize ? max : dt_cfg.strsize - 1;
	OPAQUE(n);
	OPAQUE(dst);
	if (n >= ABI_STRSIZE_MAX || dst > dt_cfg.slot_size - ABI_STRSIZE_MAX)
		return 0;
	slot[dst] = 0;
	if (n && str_read(slot + dst, n, uaddr, true) < 0 &&
	    !cache_string(slot, index, dst, n, uaddr)) {
		slot_fault(slot, ABI_FAULT_BADADDR, uaddr);
		return 0;
	}
	return str_addr(slot, dst);
}

RT u64
rt_strjoin(u64 index, u64 a, u64 b)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	/* Both operands are looked at before room is taken. */
	u64 tmp = dt_cfg.tmp_off;
	s64 n = str_fetch(slot, tmp, a);
	if (n < 0 || str_fetch(slot, tmp + str_stride(), b) < 0)
		return 0;
	u64 dst = str_room(slot);
	if (!dst)
		return 0;
	u64 self = ((struct abi_slot *)slot)->self;
	if (str_fetch(slot, dst, self + tmp) < 0)
		return 0;
	u64 room = dt_cfg.strsize - n, at = dst + n;
	OPAQUE(room);
	OPAQUE(at);
	if (room < 1 || room > ABI_STRSIZE_MAX ||
	    at > dt_cfg.slot_size - ABI_STRSIZE_MAX)
		return 0;
	bpf_probe_read_kernel_str(slot + at, room,
				  (void *)(self + tmp + str_stride()));
	return self + dst;
}

/* Letters first..first + 25 change case. */
struct case_work {
	u64 off, first;
};

static long
case_step(u32 i, struct loop_ctx *c)
{
	struct case_work *w = WORK(case_work, c->slot);
	u64 off = w->off + i;

	OPAQUE(off);
	if (off >= dt_cfg.slot_size)
		return 1;
	u64 b = *(unsigned char *)(c->slot + off);
	if (b - w->first < 26)
		c->slot[off] = b ^ 0x20;
	return 0;
}

INLINE u64
change_case(u64 index, u64 a, u64 first)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	u64 off = dt_cfg.tmp_off;
	s64 n = str_fetch(slot, off, a);
	if (n < 0)
		return 0;
	*WORK(case_work, slot) = (struct case_work){ off, first };
	struct loop_ctx ctx = { slot };
	slot_loop(slot, n, case_step, &ctx);
	return str_cut(slot, off, 0, n);
}

RT u64
rt_toupper(u64 index, u64 a)
{
	return change_case(index, a, 'a');
}

RT u64
rt_tolower(u64 index, u64 a)
{
	return change_case(index, a, 'A');
}

/* The bytes [begin, end) of n at tmp, clamped to what there is. */
INLINE u64
str_part(char *slot, s64 n, s64 begin, s64 end)
{
	if (begin < 0)
		begin = 0;
	if (end < 0)
		end = 0;
	if (end > n)
		end = n;
	return str_cut(slot, dt_cfg.tmp_off, begin, end);
}

RT u64
rt_substr(u64 index, u64 a, u64 ustart, u64 ulen)
{
	char *slot = slot_get(index);
	s64 start = ustart, len = ulen;

	if (!slot)
		return 0;
	s64 n = str_fetch(slot, dt_cfg.tmp_off, a);
	if (n < 0)
		return 0;
	s64 begin = start < 0 ? n + start : start < n ? start : n;
	s64 end = n + len;
	if (len >= 0)		/* no wrap-around */
		end = begin < 0 || len < n - begin ? begin + len : n;
	return str_part(slot, n, begin, end);
}

/* To the end. */
RT u64
rt_substr_rest(u64 index, u64 a, u64 ustart)
{
	char *slot = slot_get(index);
	s64 start = ustart;

	if (!slot)
		return 0;
	s64 n = str_fetch(slot, dt_cfg.tmp_off, a);
	if (n < 0)
		return 0;
	return str_part(slot, n, start < 0 ? n + start : start, n);
}

/* Text that grows towards the front: c before where it is. */
INLINE void
put_before(char *slot, u64 *where, u64 c)
{
	u64 at = *where - 1;

	*where = at;
	OPAQUE(at);
	if (at < dt_cfg.slot_size)
		slot[at] = c;
}

/* --- Tokens --------------------------------------------------------------- */

struct token_work {
	u64 set[4];		/* the delimiters, a bit each */
	u64 off;		/* the text, or the delimiters */
	u64 begin, end;		/* of the token */
	u64 begun;
	u64 more;		/* a delimiter ends it */
};
_Static_assert(sizeof(struct token_work) <=
	       sizeof(((struct abi_slot *)0)->work), "the state fits");

static long
delimiter_step(u32 i, struct loop_ctx *c)
{
	struct token_work *w = WORK(token_work, c->slot);
	u64 b = byte_at(c->slot, w->off + i);

	w->set[b >> 6 & 3] |= 1ULL << (b & 63);
	return !b;
}

/* The set holds the NUL, too. */
static long
token_step(u32 i, struct loop_ctx *c)
{
	struct token_work *w = WORK(token_work, c->slot);
	u64 b = byte_at(c->slot, w->off + i);

	if (w->set[b >> 6 & 3] >> (b & 63) & 1) {
		w->end = i;
		w->more = b != 0;
		return w->begun || !b;
	}
	if (!w->begun)
		w->begin = i;
	w->begun = 1;
	return 0;
}

/* Where strtok() goes on. */
INLINE u64 *
token_state(char *slot)
{
	if (dt_cfg.token_off > dt_cfg.slot_size - 8)
		return NULL;
	return (u64 *)(slot + dt_cfg.token_off);
}

RT u64
rt_strtok(u64 index, u64 a, u64 b)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	struct loop_ctx ctx = { slot };
	u64 text = dt_cfg.tmp_off, delims = text + str_stride();
	u64 *state = token_state(slot);
	if ((a && str_fetch(slot, text, a) < 0) ||
	    str_fetch(slot, delims, b) < 0 || !state)
		return 0;
	if (!a)
		text = *state;
	if (!text)
		return 0;
	struct token_work *w = WORK(token_work, slot);
	*w = (struct token_work){ .off = delims };
	slot_loop(slot, dt_cfg.strsize, delimiter_step, &ctx);
	w->off = text;
	slot_loop(slot, dt_cfg.strsize, token_step, &ctx);
	if (!w->begun) {
		*state = 0;
		return 0;
	}
	u64 ret = str_cut(slot, text, w->begin, w->end);
	if (!ret)
		return 0;
	u64 rest = text + w->end + w->more;
	if (a) {
		u64 self = ((struct abi_slot *)slot)->self;
		str_fetch(slot, dt_cfg.token_off + 8, self + rest);
		rest = dt_cfg.token_off + 8;
	}
	*state = rest;
	return ret;
}
