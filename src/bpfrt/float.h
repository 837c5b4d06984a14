/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * Floating-point numbers from one encoding to another, in integers: BPF has no
 * others.  A number is taken apart into sign, exponent and 64 bits that begin with
 * a 1, and put together again, rounded to the nearest, halves to even.
 *
 * dif/number.c says what comes out, and tests/diff compares.
 */

enum { NUM_SIGNED, NUM_UNSIGNED, NUM_FLOAT, NUM_DOUBLE, NUM_KINDS };

/* (-1)^sign * m * 2^(e - 63); bit 63 of m is set, or m is 0 and so the number. */
struct number {
	u64 sign, m;
	s64 e;
	bool is_inf, is_nan;	/* then m is the fraction, at its top */
};

/* Bits behind the hidden one, and the smallest exponent. */
INLINE u32
fraction_bits(u64 kind)
{
	return kind == NUM_FLOAT ? 23 : 52;
}

INLINE s64
least_exponent(u64 kind)
{
	return kind == NUM_FLOAT ? -126 : -1022;
}

/* Shift m to the left until its bit 63 is set. */
INLINE void
normalize(struct number *n)
{
	for (u32 by = 32; by; by /= 2) {
		if (n->m && !(n->m >> (64 - by))) {
			n->m <<= by;
			n->e -= by;
		}
	}
}

INLINE void
take_integer(struct number *n, u64 v, u64 kind)
{
	n->sign = kind == NUM_SIGNED && (s64)v < 0;
	n->m = n->sign ? -v : v;
	n->e = 63;
	normalize(n);
}

INLINE void
take_float(struct number *n, u64 v, u64 kind)
{
	u32 bits = fraction_bits(kind), exp_bits = kind == NUM_FLOAT ? 8 : 11;
	u64 most = (1ULL << exp_bits) - 1;
	u64 exp = v >> bits & most;

	n->sign = v >> (bits + exp_bits) & 1;
	n->m = v << (63 - bits);
	if (exp == most) {
		n->m <<= 1;
		n->is_nan = n->m != 0;
		n->is_inf = !n->is_nan;
		return;
	}
	n->e = least_exponent(kind);
	if (exp) {
		n->e += (s64)exp - 1;
		n->m |= 1ULL << 63;
		return;
	}
	/* As a whole number: with the fraction at the top of m the low bits would be 0 for
	 * all that the verifier knows, and what looks for a number in them could never be.
	 * Linux 6.17 warns in its log about a program with such a branch. */
	n->m = v & ((1ULL << bits) - 1);
	n->e += 63 - bits;
	normalize(n);
}

INLINE u64
put_integer(const struct number *n, u64 kind)
{
	u64 none = 1ULL << 63;

	if (n->is_inf || n->is_nan)
		return none;
	if (!n->m || n->e < 0)
		return 0;
	if (n->e > 63 || (n->e == 63 && (n->sign || kind == NUM_SIGNED)))
		return none;
	u64 v = n->m >> ((63 - n->e) & 63);
	return n->sign ? -v : v;
}

INLINE u64
put_float(const struct number *n, u64 kind)
{
	u32 bits = fraction_bits(kind), exp_bits = kind == NUM_FLOAT ? 8 : 11;
	u64 sign = n->sign << (bits + exp_bits);
	u64 inf = ((1ULL << exp_bits) - 1) << bits;
	s64 least = least_exponent(kind), below = 0;

	if (n->is_nan)		/* quiet */
		return sign | inf | 1ULL << (bits - 1) | n->m >> (64 - bits);
	if (n->is_inf || n->e > -least + 1)
		return sign | inf;
	if (!n->m)
		return sign;
	/* How many bits are cut off: more of one that is too small. */
	if (n->e < least)
		below = least - n->e;
	if (below > bits + 1)
		return sign;
	u64 cut = 63 - bits + below;
	u64 top = cut < 64 ? n->m >> (cut & 63) : 0;
	u64 rest = cut < 64 ? n->m << ((64 - cut) & 63) : n->m;
	if (rest > 1ULL << 63 || (rest == 1ULL << 63 && (top & 1)))
		top++;
	/* The hidden bit, and one carried, add to the exponent. */
	return sign | ((below ? 0 : (u64)(n->e - least) << bits) + top);
}

RT u64
rt_number(u64 index, u64 v, u64 from, u64 to)
{
	struct number n = { 0 };

	if (from >= NUM_KINDS || to >= NUM_KINDS) {
		char *slot = slot_get(index);
		if (slot)
			slot_fault(slot, ABI_FAULT_ILLOP, 0);
		return 0;
	}
	if (from < NUM_FLOAT && to < NUM_FLOAT)
		return v;
	if (from == to)
		return to == NUM_FLOAT ? (u32)v : v;
	if (from < NUM_FLOAT)
		take_integer(&n, v, from);
	else
		take_float(&n, v, from);
	return to < NUM_FLOAT ? put_integer(&n, to) : put_float(&n, to);
}
