/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Values that are the same in a program of 32 bits and in one of 64.
 */
#include <stdio.h>

struct node {
	struct node *next;
	long value;
	long long big;
	const char *name;
	unsigned few : 5, more : 12;
	int (*fn)(int);
	short numbers[3];
};
struct pair { int a, b; };

struct node last = { NULL, -3, 7000000000, "last", 3, 99, NULL, { 1, 2, 3 } };
struct node first = { &last, 5, -8000000000, "first", 1, 77, NULL, { 4, 5, 6 } };

/* What it returns is in memory, with 32 bits. */
__attribute__((noinline, noclone)) struct pair
both(struct node *n, short small, struct pair by, const char *text)
{
	__asm__ volatile("");
	return (struct pair){ (int)n->value + small + by.a + text[0], by.b };
}

__attribute__((noinline, noclone)) long
plain(struct node *n, short small)
{
	__asm__ volatile("");
	return n->value - small;
}

__attribute__((noinline, noclone)) int
wide(long long big, const char *text, signed char last)
{
	__asm__ volatile("");
	return (int)(big >> 32) + text[0] + last;
}

/* Nobody else can call it: with 32 bits its arguments are in registers. */
static __attribute__((noinline, noclone)) int
quick(struct node *n, int two, int three, int four)
{
	__asm__ volatile("");
	return (int)n->value + two * three - four;
}

int
main(int argc, char **argv)
{
	int n = quick(&first, argc + 1, argc + 2, argc + 3) + both(&first, -2, (struct pair){ 8, 9 }, "a text").b;

	printf("%ld %d\n", plain(&first, 12) + n, wide(1ll << 40, "more", -7));
	return 0;
}
