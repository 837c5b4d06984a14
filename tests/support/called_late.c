/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A library that `called load` loads.
 */
long late(long n);
volatile long late_sink;

__attribute__((noinline)) long
late(long n)
{
	late_sink = n;
	return n;
}
