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
 *	garbage	main > run > garbage > with_fp > the call, while the frame pointer
 *		is something else;
 *	        77 where nobody knows how
 *	shapes	main > run > descend, more or less often, in frames of several
 *		sizes > the call; and where a stack ends with the mapping
 *	signal	plain, when SIGUSR1 has come
 *	many	plain, 100,000 times
 *	locked	libc, while another thread keeps changing what the process has mapped
 *	data	write, which fails, from addresses in variables: the eighth byte
 *		of one that is set, one that is not, one of libc, a local one
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
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
#if defined(__x86_64__) || defined(__aarch64__)
#if defined(__x86_64__)
	static const unsigned char code[] = {
		0x55,				/* push %rbp */
		0x48, 0x89, 0xe5,		/* mov %rsp,%rbp */
		0xb8, 110, 0, 0, 0,		/* mov $getppid,%eax */
		0x0f, 0x05,			/* syscall */
		0x5d, 0xc3,			/* pop %rbp; ret */
	};
#else
	static const unsigned code[] = {
		0xa9bf7bfd,			/* stp x29, x30, [sp, #-16]! */
		0x910003fd,			/* mov x29, sp */
		0xd28015a8,			/* mov x8, #getppid */
		0xd4000001,			/* svc #0 */
		0xa8c17bfd, 0xd65f03c0,		/* ldp x29, x30, [sp], #16; ret */
	};
#endif
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64];
	FILE *f;

	if (p == MAP_FAILED)
		return 77;
	memcpy(p, code, sizeof(code));
	__builtin___clear_cache(p, (char *)p + sizeof(code));
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

enum { LOCKED_SIZE = 64 << 20 };

static atomic_int changes;

/* Each change locks all mappings for as long as it takes. */
static void *
change_for_ever(void *p)
{
	int with = PROT_READ;

	while (mprotect(p, LOCKED_SIZE, with) == 0) {
		with ^= PROT_WRITE;
		changes++;
	}
	return NULL;
}

static int
locked(void)
{
	pthread_t thread;
	void *p = mmap(NULL, LOCKED_SIZE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (p == MAP_FAILED || pthread_create(&thread, NULL, change_for_ever, p))
		return 1;
	while (changes < 2)
		sched_yield();
	return outermost(1) < 0;
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

#if defined(__x86_64__)
/* The call, while the frame pointer is this. */
static NOINLINE long
with_fp(const void *fp)
{
	long r = SYS_getppid;

	__asm__ volatile ("mov %%rbp, %%r12; mov %1, %%rbp; syscall; "
			  "mov %%r12, %%rbp" : "+a" (r) : "r" (fp) :
			  "rcx", "r11", "r12", "memory");
	return r;
}

/* Plain, on a stack that begins below `end`. */
static NOINLINE long
on_stack(char *end)
{
	long r;

	__asm__ volatile ("mov %%rsp, %%r12; mov %2, %%rsp; call *%1; "
			  "mov %%r12, %%rsp" : "=a" (r) :
			  "r" (outermost), "r" (end), "D" (0) :
			  "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "r12",
			  "memory");
	return r;
}

/* A frame, to whoever believes in it. */
static char *
fake(char *at, const void *next)
{
	uint64_t frame[2] = { (uint64_t)next, (uint64_t)outermost + 1 };

	return memcpy(at, frame, sizeof(frame));
}
#endif

static NOINLINE int
garbage(void)
{
#if defined(__x86_64__)
	uint64_t frame[2] = { 0, 0x3d4c4c4548534853 };

	return with_fp(frame) < 0;
#else
	return 77;
#endif
}

static NOINLINE long
descend(int depth, size_t size)
{
	volatile char *room = __builtin_alloca(size);

	room[0] = 0;
	return KEEP(depth ? descend(depth - 1, size) : raw_getppid());
}

static int
shapes(void)
{
	static const size_t sizes[] = { 16, 100, 230, 480, 500, 700, 3000 };
	static const int depths[] = { 0, 1, 4, 5, 16, 17, 18, 19, 40, 60 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		for (size_t k = 0; k < sizeof(depths) / sizeof(*depths); k++)
			descend(depths[k], sizes[i]);
#if defined(__x86_64__)
	char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *end = p + 4096;

	if (p == MAP_FAILED || mprotect(end, 4096, PROT_NONE) != 0)
		return 1;
	for (size_t room = 512; room >= 16; room -= 8)
		with_fp(fake(end - room, NULL));
	with_fp(end - 8);
	with_fp(fake(end - 200, end - 8));
	with_fp(end);
	with_fp((void *)8);
	with_fp((void *)-8);
	with_fp(fake(end - 600, fake(end - 16, fake(p + 8, NULL))));
	with_fp(fake(end - 100, fake(end - 108, fake(end - 116, end))));
	for (size_t room = 0; room <= 1024; room += 128)
		on_stack(end - room);
#endif
	return 0;
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
	if (strcmp(mode, "shapes") == 0)
		return shapes();
	if (strcmp(mode, "signal") == 0)
		return signalled();
	if (strcmp(mode, "many") == 0)
		return many();
	if (strcmp(mode, "locked") == 0)
		return locked();
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
