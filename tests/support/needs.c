/* SPDX-License-Identifier: BSD-2-Clause
 *
 * needs: a program with static probes as Python 3.11 has them, which looks whether somebody
 * traces "line" before it asks the same of "function-entry".  It says on standard output
 * how many trace each.
 */
#include <stdio.h>

#define PROVIDER "python"
#include "note.h"

unsigned short line_counter __attribute__((section(".probes"), used));
unsigned short entry_counter __attribute__((section(".probes"), used));

static __attribute__((noinline)) void
call(long i)
{
	if (*(volatile unsigned short *)&line_counter) {
		if (*(volatile unsigned short *)&entry_counter)
			PROBE("function__entry", "entry_counter", "-8@%0", SOME_REG(i));
		PROBE("line", "line_counter", "-8@%0", SOME_REG(i));
	}
}

int
main(void)
{
	for (long i = 0; i < 100; i++)
		call(i);
	printf("entry %u line %u\n", *(volatile unsigned short *)&entry_counter,
	       *(volatile unsigned short *)&line_counter);
	return 0;
}
