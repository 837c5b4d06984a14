/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A program of 32 bits, where there is a compiler for such: it calls leaf() five times, by
 * way of middle(), and each call fires "narrow:fire" and makes a system call.
 */
#include <stdio.h>
#include <unistd.h>

#define PROVIDER "narrow"
#include "note.h"

/* Of functions that nobody else may call the compiler puts arguments where it likes. */
int leaf(int n, const char *text, unsigned char last);
int middle(int n, const char *text);

unsigned short fire_counter __attribute__((section(".probes"), used));

__attribute__((noinline, noclone)) int
leaf(int n, const char *text, unsigned char last)
{
	PROBE("fire", "fire_counter", "-4@%0 4@%1 1@%2 -4@$-7", "nor"(n), "nor"(text),
	      "q"(last));
	getppid();
	return n * 2;
}

__attribute__((noinline, noclone)) int
middle(int n, const char *text)
{
	return leaf(n, text, 200) + 1;
}

int
main(void)
{
	int sum = 0;

	for (int i = -2; i < 3; i++)
		sum += middle(i, "a text");
	printf("%d %d\n", sum, fire_counter);
	return 0;
}
