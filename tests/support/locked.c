/* SPDX-License-Identifier: BSD-2-Clause
 *
 * locked ROUNDS: locks of every kind, got and released a known number of times.  Who is
 * to wait for a lock is seen to wait before it is released.
 * locked -t THREADS ROUNDS: each thread gets one lock so often; it begins with a line on
 * the standard input.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t waited = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t late = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t signalled = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t recursive, checked, robust;
pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
pthread_rwlock_t awaited = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int is_signalled;
static volatile pid_t waiter;
static int rounds;

static void
make(pthread_mutex_t *m, int type, int robustness)
{
	pthread_mutexattr_t a;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, type);
	pthread_mutexattr_setrobust(&a, robustness);
	pthread_mutex_init(m, &a);
}

/* Until the thread is in futex(), which it calls for nothing else. */
static void
see_waiting(void)
{
	char path[64];

	while (!waiter)
		usleep(100);
	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", (int)waiter);
	for (long number = -1; number != SYS_futex; ) {
		FILE *f = fopen(path, "r");
		if (!f || fscanf(f, "%ld", &number) != 1)
			number = -1;
		if (f)
			fclose(f);
	}
	waiter = 0;
}

static void *
wait_mutex(void *arg)
{
	waiter = (pid_t)syscall(SYS_gettid);
	pthread_mutex_lock(&waited);
	pthread_mutex_unlock(&waited);
	return arg;
}

static void *
wait_write(void *arg)
{
	waiter = (pid_t)syscall(SYS_gettid);
	pthread_rwlock_wrlock(&awaited);
	pthread_rwlock_unlock(&awaited);
	return arg;
}

static void *
wait_read(void *arg)
{
	waiter = (pid_t)syscall(SYS_gettid);
	pthread_rwlock_rdlock(&awaited);
	pthread_rwlock_unlock(&awaited);
	return arg;
}

static void *
wait_signal(void *arg)
{
	pthread_mutex_lock(&signalled);
	waiter = (pid_t)syscall(SYS_gettid);
	while (!is_signalled)
		pthread_cond_wait(&cond, &signalled);
	pthread_mutex_unlock(&signalled);
	return arg;
}

static void *
die_with(void *arg)
{
	pthread_mutex_lock(&robust);
	return arg;
}

static void *
time_out(void *arg)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 1000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	if (pthread_mutex_timedlock(&late, &until) != ETIMEDOUT)
		exit(1);
	return arg;
}

static void
in_thread(void *(*fn)(void *), void (*meanwhile)(void))
{
	pthread_t t;

	if (pthread_create(&t, NULL, fn, NULL))
		exit(1);
	if (meanwhile)
		meanwhile();
	pthread_join(t, NULL);
}

static void
let_mutex(void)
{
	see_waiting();
	pthread_mutex_unlock(&waited);
}

static void
let_rwlock(void)
{
	see_waiting();
	pthread_rwlock_unlock(&awaited);
}

static void
signal_it(void)
{
	see_waiting();
	is_signalled = 1;
	pthread_cond_signal(&cond);
}

static void *
get_often(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		pthread_mutex_lock(&plain);
		usleep(i % 100 == 0);
		pthread_mutex_unlock(&plain);
	}
	return arg;
}

static int
in_threads(int n)
{
	pthread_t t[16];

	if (getchar() == EOF || n > 16)
		return 1;
	for (int i = 0; i < n; i++)
		if (pthread_create(&t[i], NULL, get_often, NULL))
			return 1;
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	return 0;
}

int
main(int argc, char **argv)
{
	rounds = argc > 1 ? atoi(argv[argc - 1]) : 1;
	if (argc == 4)
		return in_threads(atoi(argv[2]));
	make(&recursive, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED);
	make(&checked, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED);
	make(&robust, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);
	for (int i = 0; i < rounds; i++) {
		pthread_mutex_lock(&plain);
		if (pthread_mutex_trylock(&plain) != EBUSY)
			return 1;
		pthread_mutex_unlock(&plain);
		if (pthread_mutex_trylock(&plain))
			return 1;
		pthread_mutex_unlock(&plain);

		pthread_mutex_lock(&recursive);
		pthread_mutex_lock(&recursive);
		pthread_mutex_unlock(&recursive);
		pthread_mutex_unlock(&recursive);

		pthread_mutex_lock(&checked);
		if (pthread_mutex_lock(&checked) != EDEADLK)
			return 1;
		pthread_mutex_unlock(&checked);
		if (pthread_mutex_unlock(&checked) != EPERM)
			return 1;

		pthread_rwlock_rdlock(&shared);
		pthread_rwlock_tryrdlock(&shared);
		pthread_rwlock_unlock(&shared);
		pthread_rwlock_unlock(&shared);
		pthread_rwlock_wrlock(&shared);
		if (pthread_rwlock_wrlock(&shared) != EDEADLK)
			return 1;
		pthread_rwlock_unlock(&shared);

		pthread_mutex_lock(&waited);
		in_thread(wait_mutex, let_mutex);
		pthread_rwlock_rdlock(&awaited);
		in_thread(wait_write, let_rwlock);
		pthread_rwlock_wrlock(&awaited);
		in_thread(wait_read, let_rwlock);
		is_signalled = 0;
		in_thread(wait_signal, signal_it);
		pthread_mutex_lock(&late);
		in_thread(time_out, NULL);
		pthread_mutex_unlock(&late);
	}
	in_thread(die_with, NULL);
	if (pthread_mutex_lock(&robust) != EOWNERDEAD)
		return 1;
	pthread_mutex_consistent(&robust);
	pthread_mutex_unlock(&robust);
	return 0;
}
