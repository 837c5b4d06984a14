/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A library that `noted load` loads: its probe waits for somebody to trace it.
 */
#include <unistd.h>

#define PROVIDER "late"
#include "note.h"

unsigned short fire_counter __attribute__((section(".probes"), used, visibility("hidden")));

extern const unsigned char fire_place __attribute__((visibility("hidden")));
void late_fire(long n);

void
late_fire(long n)
{
	while (!*(volatile unsigned short *)&fire_counter ||
	       *(volatile const unsigned char *)&fire_place == NOP)
		usleep(1000);
#pragma GCC unroll 1	/* one place, as it has a name */
	for (long i = 0; i < n; i++)
		PROBE_AT("fire_place: ", "fire", "fire_counter", "-8@%0 8@%1", "nor"(i), "r"("text"));
}

/* It waits for nobody. */
void late_now(long n);

void
late_now(long n)
{
	for (long i = 0; i < n; i++)
		PROBE("now", "0", "-8@%0", "nor"(i));
}
