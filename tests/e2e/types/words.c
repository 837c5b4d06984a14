/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A type, a variable and a function, whose debugging information lies elsewhere; its
 * system call has the address of the variable.
 */
#include <unistd.h>

struct word { struct word *next; int age; };
struct word word = { 0, 7 };

__attribute__((noinline)) int
look(struct word *w, int n)
{
	__asm__ volatile("" ::: "memory");
	return w->age + n;
}

int
main(void)
{
	write(-1, &word, 5);
	return look(&word, 1) == 0;
}
