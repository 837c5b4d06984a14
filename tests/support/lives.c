/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lives: processes and threads that come, become other programs, are sent signals and
 * end, so many of each.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int *volatile nowhere = (int *)8;

static void *
nothing(void *arg)
{
	return arg;
}

static void
on_signal(int sig)
{
}

/* Have n children do that. */
#define CHILDREN(n, how, what) do { \
	for (volatile int i = 0; i < (n); i++) { \
		pid_t pid = how(); \
		if (pid == 0) { \
			what; \
			_exit(99); \
		} \
		waitpid(pid, NULL, 0); \
	} \
} while (0)

static void
ends(void)
{
	CHILDREN(2000, fork, _exit(i & 0xff));
	CHILDREN(7, fork, raise(SIGKILL));
	CHILDREN(5, fork, raise(SIGTERM));
	CHILDREN(3, fork, *nowhere = 1);
	for (int i = 0; i < 500; i++) {
		pthread_t t;
		if (pthread_create(&t, NULL, nothing, NULL) == 0)
			pthread_join(t, NULL);
	}
}

static void
programs(const char *self)
{
	CHILDREN(100, vfork, execl(self, "lives", "nothing", "at all", NULL));
	CHILDREN(50, fork, execl("/nonexistent", "x", NULL));
	CHILDREN(25, fork, execl("/dev/null", "x", NULL));
	CHILDREN(20, vfork, execl("/nonexistent", "x", NULL));
	CHILDREN(10, fork, {
		int fd = open(self, O_RDONLY | O_CLOEXEC);
		syscall(SYS_execveat, fd, "",
			((char *[]){ "lives", "nothing", NULL }), NULL,
			AT_EMPTY_PATH);
	});
}

/* Of this thread. */
static void
set_priority(int policy, int priority)
{
	struct sched_param param = { .sched_priority = priority };

	sched_setscheduler(0, policy, &param);
}

static volatile int timers_over;

/* In a real-time kernel a thread serves timers, to which this would not leave its CPU. */
static void *
spin(void *arg)
{
	struct utsname name;

	if (uname(&name) == 0 && strstr(name.version, "PREEMPT_RT"))
		set_priority(SCHED_OTHER, 0);
	else
		set_priority(SCHED_FIFO, 1);
	while (!timers_over)
		;
	return arg;
}

/* Timers, and a signal that waits until nobody blocks it.  Timers send from whichever
 * thread is on their CPU, and there may be some for which the kernel runs no programs (a
 * sandbox's own); so there is one of ours, that no other can displace. */
static void
timers(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
				  .sigev_signo = SIGRTMIN };
	struct itimerval soon = { .it_value = { 0, 1000 } };
	struct itimerspec soon_too = { .it_value = { 0, 1000000 } };
	sigset_t both, before;
	cpu_set_t cpus, one;
	pthread_t spinner;
	timer_t timer;

	sigaction(SIGALRM, &action, NULL);
	sigaction(SIGRTMIN, &action, NULL);
	sigemptyset(&both);
	sigaddset(&both, SIGALRM);
	sigaddset(&both, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &both, &before);
	sched_getaffinity(0, sizeof(cpus), &cpus);
	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	set_priority(SCHED_FIFO, 2);
	pthread_create(&spinner, NULL, spin, NULL);
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	for (int i = 0; i < 8; i++) {
		setitimer(ITIMER_REAL, &soon, NULL);
		sigsuspend(&before);
	}
	for (int i = 0; i < 6; i++) {
		timer_settime(timer, 0, &soon_too, NULL);
		sigsuspend(&before);
	}
	timer_delete(timer);
	timers_over = 1;
	set_priority(SCHED_OTHER, 0);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	pthread_join(spinner, NULL);
	for (int i = 0; i < 4; i++)
		raise(SIGALRM);		/* one is kept */
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void
signals(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	union sigval value = { .sival_int = 42 };
	struct timespec second = { 1, 0 };
	siginfo_t info;
	sigset_t set;

	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < 40; i++)
		kill(getpid(), SIGUSR1);
	for (int i = 0; i < 30; i++)
		syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid),
			SIGUSR1);
	for (int i = 0; i < 20; i++)
		sigqueue(getpid(), SIGUSR1, value);
	signal(SIGUSR2, SIG_IGN);
	for (int i = 0; i < 15; i++)
		raise(SIGUSR2);
	timers();
	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (int i = 0; i < 12; i++) {
		raise(SIGHUP);
		sigtimedwait(&set, &info, &second);
	}
}

int
main(int argc, char **argv)
{
	static const struct rlimit none;

	if (argc > 1)
		return 0;
	setrlimit(RLIMIT_CORE, &none);
	ends();
	programs(argv[0]);
	signals();
	return 0;
}
