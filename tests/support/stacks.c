/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stacks [MODE]...: getppid, called from where the mode says, by functions
 * whose names tests know; each keeps a frame pointer.
 *
 *	plain	main > outermost > outer::inner(int) > demo::leaf > the call
 *	libc	the same, but demo::leaf asks libc
 *	library	main > library_entry > a static function there > the call
 *	fork	plain, in a child that then ends
 *	jit	main > code made here, which /tmp/perf-PID.map calls jitted_code
 *	        > the call; exit status 77 where no such code is known
 *	garbage	main > run > the call, while the frame pointer is something else;
 *	        77 where nobody knows how
 *	signal	plain, when SIGUSR1 has come
 *	many	plain, 100,000 times
 *	data	write, which fails, from addresses in variables: the eighth byte
 *		of one that is set, one that is not, one of libc, a local one
 */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stacks.h"

/* Names as compilers of Rust and C++ make them. */
long _RNvC4demo4leaf(int libc);
long _ZN5outer5innerEi(int libc);
long outermost(int libc);

NOINLINE long
_RNvC4demo4leaf(int libc)
{
	return KEEP(libc ? getppid() : raw_getppid());
}

NOINLINE long
_ZN5outer5innerEi(int libc)
{
	return KEEP(_RNvC4demo4leaf(libc));
}

NOINLINE long
outermost(int libc)
{
	return KEEP(_ZN5outer5innerEi(libc));
}

static int
forked(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		outermost(0);
		_exit(0);
	}
	return pid < 0 || waitpid(pid, NULL, 0) != pid;
}

static int
jit(void)
{
#if defined(__x86_64__)
	static const unsigned char code[] = {
		0x55,				/* push %rbp */
		0x48, 0x89, 0xe5,		/* mov %rsp,%rbp */
		0xb8, 110, 0, 0, 0,		/* mov $getppid,%eax */
		0x0f, 0x05,			/* syscall */
		0x5d, 0xc3,			/* pop %rbp; ret */
	};
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64];
	FILE *f;

	if (p == MAP_FAILED)
		return 77;
	memcpy(p, code, sizeof(code));
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	f = fopen(path, "we");
	if (!f)
		return 1;
	fprintf(f, "%lx %zx jitted_code\n", (unsigned long)p, sizeof(code));
	fclose(f);
	((void (*)(void))p)();
	return 0;
#else
	return 77;
#endif
}

static int
signalled(void)
{
	sigset_t set;
	int sig;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	return sigprocmask(SIG_BLOCK, &set, NULL) || puts("ready") < 0 ||
	       fflush(stdout) || sigwait(&set, &sig) || outermost(0) < 0;
}

static int
many(void)
{
	for (int i = 0; i < 100000; i++)
		outermost(0);
	return 0;
}

char stacks_set[64] = "set";
static char stacks_unset[1 << 16];

static int
data(void)
{
	char local[8] = "";
	const void *from[] = { stacks_set + 8, stacks_unset, stdout, local };

	for (int i = 0; i < 4; i++)
		if (write(-1, from[i], 1) >= 0)
			return 1;
	return 0;
}

static NOINLINE int
garbage(void)
{
#if defined(__x86_64__)
	/* a frame, to whoever believes in it */
	uint64_t fake[2] = { 0, 0x3d4c4c4548534853 }, *at = fake;
	long r = SYS_getppid;

	__asm__ volatile ("mov %%rbp, %%r12; mov %1, %%rbp; syscall; "
			  "mov %%r12, %%rbp" : "+a" (r) : "r" (at) :
			  "rcx", "r11", "r12", "memory");
	return r < 0;
#else
	return 77;
#endif
}

static int
run(const char *mode)
{
	if (strcmp(mode, "plain") == 0)
		return outermost(0) < 0;
	if (strcmp(mode, "libc") == 0)
		return outermost(1) < 0;
	if (strcmp(mode, "library") == 0)
		return library_entry() < 0;
	if (strcmp(mode, "fork") == 0)
		return forked();
	if (strcmp(mode, "jit") == 0)
		return jit();
	if (strcmp(mode, "garbage") == 0)
		return garbage();
	if (strcmp(mode, "signal") == 0)
		return signalled();
	if (strcmp(mode, "many") == 0)
		return many();
	if (strcmp(mode, "data") == 0)
		return data();
	return 2;
}

int
main(int argc, char **argv)
{
	int status = argc > 1 ? 0 : run("plain");

	for (int i = 1; i < argc && !status; i++)
		status = run(argv[i]);
	return status;
}
