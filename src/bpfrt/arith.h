/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * Signed division, which BPF has only from Linux 6.6 on.  The caller has
 * checked b; the smallest number divided by -1 is itself, remainder 0.
 */

RT u64
rt_sdiv(u64 a, u64 b)
{
	u64 neg = (a ^ b) >> 63;
	u64 x = (s64)a < 0 ? -a : a, y = (s64)b < 0 ? -b : b;

	if (!y)
		return 0;
	x /= y;
	return neg ? -x : x;
}

RT u64
rt_srem(u64 a, u64 b)
{
	u64 x = (s64)a < 0 ? -a : a, y = (s64)b < 0 ? -b : b;

	if (!y)
		return 0;
	x %= y;
	return (s64)a < 0 ? -x : x;
}
