// SPDX-License-Identifier: BSD-2-Clause
//
// truth LIBRARY: stops itself in stacks of many kinds, so that others may look at them, and
// says before each which it is.  LIBRARY is this file, too, with -DLIBRARY; it is called
// until there is a file "enough".
#include <alloca.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define OWN __attribute__((noinline))
typedef void callback(const char *);

#ifdef LIBRARY
extern "C" OWN void
from_library(callback *fn, const char *what)
{
	char room[3000];

	memset(room, 1, sizeof(room));
	fn(what);
	__asm__ volatile("" :: "r"(room) : "memory");
}
#else

static OWN void
stop(const char *what)
{
	long tid = syscall(SYS_gettid);

	fprintf(stderr, "%s %d %ld\n", what, getpid(), tid);
	/* this thread: of a signal for all, another might hear first */
	syscall(SYS_tgkill, getpid(), tid, SIGSTOP);
	__asm__ volatile("" ::: "memory");
}

static OWN void
on_signal(int)
{
	stop("signal");
	__asm__ volatile("" ::: "memory");
}

static OWN void
by_signal(bool other_stack)
{
	static char room[1 << 16];
	stack_t s = {};
	struct sigaction a = {};

	s.ss_sp = room;
	s.ss_size = sizeof(room);
	sigaltstack(&s, nullptr);
	a.sa_handler = on_signal;
	a.sa_flags = other_stack ? SA_ONSTACK : 0;
	sigaction(SIGUSR1, &a, nullptr);
	raise(SIGUSR1);
	__asm__ volatile("" ::: "memory");
}

static OWN void
by_alloca(int n)
{
	char *room = (char *)alloca((size_t)n * 100);

	memset(room, 1, (size_t)n * 100);
	stop("alloca");
	__asm__ volatile("" :: "r"(room) : "memory");
}

struct guard {
	OWN ~guard()
	{
		stop("destructor");
		__asm__ volatile("" ::: "memory");
	}
};

static OWN void
throws(int n)
{
	guard g;

	if (n)
		throw n;
}

static OWN void
by_exception(int n)
{
	try {
		throws(n);
	} catch (int) {
		stop("catch");
		throw;
	}
}

static OWN int
descend(int n)
{
	volatile char room[200];

	room[n] = 0;
	if (n)
		return descend(n - 1) + room[n];
	stop("deep");
	return 0;
}

static int
compare(const void *, const void *)
{
	static bool done;

	if (!done)
		stop("qsort");
	done = true;
	return 0;
}

static void *
thread(void *)
{
	stop("thread");
	return nullptr;
}

static OWN void
by_vfork()
{
	pid_t pid = vfork();

	if (pid == 0) {
		stop("vfork");
		_exit(0);
	}
	waitpid(pid, nullptr, 0);
}

int
main(int, char **argv)
{
	int some[4] = { 4, 3, 2, 1 };
	pthread_t t;

	stop("plain");
	by_signal(false);
	by_signal(true);
	by_alloca(some[0]);
	try {
		by_exception(some[1]);
	} catch (int) {
		stop("main");
	}
	descend(40);
	qsort(some, 4, sizeof(*some), compare);
	pthread_create(&t, nullptr, thread, nullptr);
	pthread_join(t, nullptr);
	by_vfork();
	void *lib = argv[1] ? dlopen(argv[1], RTLD_NOW) : nullptr;
	while (lib && access("enough", F_OK) != 0)
		((void (*)(callback *, const char *))dlsym(lib, "from_library"))(stop, "dlopen");
	return 0;
}
#endif
