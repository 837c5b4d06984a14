/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bare: functions with frames of many kinds, to be compiled with and without .eh_frame.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone, noipa))

static volatile int sum;

APART static void
innermost(int n)
{
	sum += (int)write(-1, "", 0) + n;
}

APART static void
with_room(int n)
{
	char *p = __builtin_alloca((size_t)n * 16);

	memset(p, n, (size_t)n * 16);
	innermost(p[1]);
	sum++;
}

APART static int
many(int a, int b, int c, int d, int e, int f, int g, int h)
{
	innermost(a);
	return a * b + c * d + e * f + g * h + sum;
}

APART static int
by_table(int n)
{
	switch (n) {
	case 0: innermost(1); return 5;
	case 1: with_room(3); return sum;
	case 2: return many(1, 2, 3, 4, 5, 6, 7, sum) + 1;
	case 3: innermost(2); sum += 3; return 9;
	case 4: sum += 4; innermost(sum); return 1;
	case 5: with_room(sum & 7); return sum * 3;
	default: return n;
	}
}

APART static int
deep(int n)
{
	char room[100];

	memset(room, n, sizeof(room));
	if (n)
		return deep(n - 1) + room[n];
	innermost(n);
	return room[1];
}

static int
compare(const void *a, const void *b)
{
	innermost(3);
	return *(const char *)a - *(const char *)b;
}

static void
on_signal(int number)
{
	with_room(number);
	sum++;
}

int
main(void)
{
	char two[] = "ba";

	for (int i = 0; i < 7; i++)
		sum += by_table(i);
	sum += deep(20);
	qsort(two, 2, 1, compare);
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	return 0;
}
