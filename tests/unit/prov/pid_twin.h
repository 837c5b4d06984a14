/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Two functions of one name, for test_pid.c.
 */
#ifndef TESTS_PROV_PID_TWIN_H
#define TESTS_PROV_PID_TWIN_H

/* Here, and in pid_twin.c another one. */
static __attribute__((noinline, unused)) int
pt_twin(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n;
}

int pt_other_twin(void);

static __attribute__((unused)) int
pt_call_twins(void)
{
	return pt_twin(1) + pt_other_twin();
}

#endif
