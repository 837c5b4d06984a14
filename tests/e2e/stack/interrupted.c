/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A function whose first instruction reads where nothing is.
 */
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

static sigjmp_buf back;

static void
handler(int sig)
{
	getppid();
	siglongjmp(back, sig);
}

__attribute__((noinline, noclone)) static int
before(const int *p)
{
	return p[1];
}

__attribute__((noinline, noclone)) static int
first(const int *p)
{
	return *p;
}

__attribute__((noinline, noclone)) static int
middle(const int *p)
{
	return first(p) + before(p);
}

int
main(void)
{
	signal(SIGSEGV, handler);
	if (!sigsetjmp(back, 1))
		return middle((const int *)8);
	return 0;
}
