/* SPDX-License-Identifier: BSD-2-Clause
 *
 * noted [LOOPS]: a program with static probes, as notes tell of them (.note.stapsdt):
 * operands of many forms, several places of one probe, counters of who traces.  It says
 * on standard output whether anybody traces "counted", as its counter has it.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BASE \
	".ifndef _.stapsdt.base\n" \
	".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
	".weak _.stapsdt.base\n.hidden _.stapsdt.base\n" \
	"_.stapsdt.base: .space 1\n.size _.stapsdt.base, 1\n.popsection\n.endif\n"

/* A place of the probe: what an assembler makes of the operands in args. */
#define PROBE(name, counter, args, ...) \
	__asm__ volatile( \
		"990: nop\n" \
		".pushsection .note.stapsdt,\"\",\"note\"\n" \
		".balign 4\n.4byte 992f-991f, 994f-993f, 3\n" \
		"991: .asciz \"stapsdt\"\n" \
		"992: .balign 4\n" \
		"993: .8byte 990b\n.8byte _.stapsdt.base\n.8byte " counter "\n" \
		".asciz \"noted\"\n.asciz \"" name "\"\n.asciz \"" args "\"\n" \
		"994: .balign 4\n.popsection\n" BASE \
		:: __VA_ARGS__)

unsigned short counted_counter __attribute__((section(".probes"), used));
unsigned short late_counter __attribute__((section(".probes"), used));
int global = -12345;

static long loops = 1000;

static __attribute__((noinline)) void
forms(signed char c, unsigned char uc, short s, unsigned short us, int i,
      unsigned u, long l, const char *text)
{
	PROBE("registers", "0", "-1@%0 1@%1 -2@%2 2@%3 -4@%4 4@%5 -8@%6 8@%7",
	      "q"(c), "q"(uc), "r"(s), "r"(us), "r"(i), "r"(u), "r"(l), "r"(text));
	PROBE("memory", "0", "-1@%0 1@%1 -2@%2 2@%3 -4@%4 4@%5 -8@%6 8@%7",
	      "m"(c), "m"(uc), "m"(s), "m"(us), "m"(i), "m"(u), "m"(l), "m"(text));
	PROBE("constants", "0", "-4@%0 4@%1 -8@%2 -1@%3",
	      "i"(-5), "i"(7), "i"(0x7fffffffffL), "i"(-1));
#if defined(__x86_64__)
	static long table[4] = { 10, 20, 30, 40 };
	long index = global & 1 ? 2 : 1;
	PROBE("scaled", "0", "8@8(%0,%1,8) 1@%%ah -4@global(%%rip) 8f@%%xmm0 8@%2",
	      "r"(table), "r"(index), "r"(index), "a"(0x1234), "m"(table));
#endif
}

static __attribute__((noinline)) void
one_place(long i)
{
	PROBE("two__places", "0", "-8@%0", "r"(i));
}

static __attribute__((noinline)) void
both_places(long i)
{
	if (i & 1)
		PROBE("same", "0", "-8@%0", "r"(i));
	else
		PROBE("same", "0", "-8@%0 -4@%1", "m"(i), "i"(2));
	PROBE("two__places", "0", "-8@%0", "r"(i));
}

static void *
work(void *arg)
{
	for (long i = 0; i < loops; i++)
		PROBE("loop", "counted_counter", "-8@%0", "nor"(i));
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t threads[4];

	loops = argc > 1 ? atol(argv[1]) : loops;
	printf("traced: %d\n", counted_counter > 0);
	fflush(stdout);
	forms(-5, 250, -500, 65000, -70000, 4000000000U, -5000000000L, "a text");
	for (long i = 0; i < 10; i++) {
		one_place(i);
		both_places(i);
	}
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	if (late_counter)
		PROBE("late", "late_counter", "4@%0", "i"(1));
	return 0;
}
