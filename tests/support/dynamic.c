/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Makes a provider as it runs, and does what standard input says, one letter each:
 *	a	add the probe second, and show it
 *	b	fire both from four threads, 1,000 times each
 *	e	say which are enabled
 *	f	fire the first, twelve arguments
 *	h	hide
 *	x	fire from another thread for as long as the next letters are obeyed
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "dtrace/usdt.h"

static dtrace_usdt_probe_t *first, *second;
static int go_on;

static void *
fire(void *arg)
{
	for (int i = 0; i < 1000 || (arg && __atomic_load_n(&go_on, __ATOMIC_RELAXED)); i++) {
		dtrace_usdt_fire(first, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L);
		if (second)
			dtrace_usdt_fire(second);
	}
	return NULL;
}

int
main(void)
{
	dtrace_usdt_t *p = dtrace_usdt_new("dyn");
	pthread_t t[4], other = 0;
	int c;

	first = dtrace_usdt_add(p, "first", "char, unsigned short, int, long, int8_t, char *,"
				"uint8_t, short, unsigned, unsigned long long, int, struct x *");
	if (!first || dtrace_usdt_add(p, "first", "") || dtrace_usdt_add(p, "1st", "") ||
	    dtrace_usdt_add(p, "odd", "double") || dtrace_usdt_add(p, "odd", "int,") ||
	    dtrace_usdt_add(p, "odd", "1,2,3,4,5,6,7,8,9,10,11,12,13") ||
	    dtrace_usdt_add(p, "odd", "int,int,int,int,int,int,int,int,int,int,int,int,int") ||
	    dtrace_usdt_add(p, "odd", "long long long") || dtrace_usdt_new("no name") ||
	    dtrace_usdt_add(p, "odd", "unsigned signed") || dtrace_usdt_new(""))
		puts("wrong names and types");
	dtrace_usdt_fire(first, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
	if (dtrace_usdt_enabled(first) || dtrace_usdt_show(p) || dtrace_usdt_show(p))
		puts("show");
	while ((c = getchar()) != EOF) {
		if (c == 'a') {
			dtrace_usdt_probe_t *q = dtrace_usdt_add(p, "second", NULL);
			puts(!q || dtrace_usdt_show(p) ? "no second" : "added");
			second = q;
		} else if (c == 'b') {
			for (int i = 0; i < 4; i++)
				pthread_create(&t[i], NULL, fire, NULL);
			for (int i = 0; i < 4; i++)
				pthread_join(t[i], NULL);
			puts("fired");
		} else if (c == 'e') {
			printf("%d %d\n", dtrace_usdt_enabled(first),
			       second && dtrace_usdt_enabled(second));
		} else if (c == 'f') {
			dtrace_usdt_fire(first, -1L, -2L, -3L, -4L, -5L, -6L, 7L, -8L, 9L,
					 10L, -11L, 12L);
			puts("fired");
		} else if (c == 'h') {
			puts(dtrace_usdt_hide(p) ? "not hidden" : "hidden");
		} else if (c == 'x') {
			go_on = 1;
			pthread_create(&other, NULL, fire, p);
			puts("firing");
		}
		fflush(stdout);
	}
	if (other) {
		__atomic_store_n(&go_on, 0, __ATOMIC_RELAXED);
		pthread_join(other, NULL);
	}
	dtrace_usdt_free(p);
	return 0;
}
