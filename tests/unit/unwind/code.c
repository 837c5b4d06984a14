/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Code to be compiled with and without .eh_frame: functions that are called, that only
 * a table of pointers leads to, behind the jumps of a switch, with room of any size.
 */
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline, noclone))

volatile int sink;

APART static int
chosen(int n)
{
	switch (n) {
	case 0: sink = 7; return abs(sink) + 2;
	case 1: return rand() + rand();
	case 2: sink += rand(); return sink * 3;
	case 3: sink = 1; return rand();
	case 4: return (int)strlen("text") + rand() * sink;
	case 5: sink = rand(); sink ^= rand(); return 8;
	case 6: return sink / (rand() | 1);
	default: return n;
	}
}

APART static int
taken(int n)
{
	char room[200];

	memset(room, n, sizeof(room));
	sink = room[rand() % 200];
	return chosen(sink) + room[3];
}

APART static int
also_taken(int n)
{
	char *room = __builtin_alloca((size_t)n);

	memset(room, n, (size_t)n);
	return taken(room[n / 2]) + n;
}

APART static int
many(int a, int b, int c, int d, int e, int f, int g, int h)
{
	sink = a + b * c;
	return also_taken(d + e) + rand() * f + g * h;
}

static int (*const table[])(int) = { taken, also_taken, chosen };
static int (*volatile changing)(int) = also_taken;

int
main(int argc, char **argv)
{
	int sum = changing(argc);

	for (int i = 0; i < argc; i++)
		sum += table[i % 3](i) + many(i, 1, 2, 3, 4, 5, sum, i);
	return sum;
}
