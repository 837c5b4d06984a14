/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The time that threads are on CPUs (bpfrt/vtime.h), as a program of the host
 * (support/bpfhost): switches at random against a model, from before the tracing
 * on; firings that lose their CPU meanwhile; switches that are not told; addresses
 * of tasks that are used again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "bpfrt/rt.h"

/* What else bpfrt/vtime.h asks of the kernel. */
long bpf_map_update_elem(const void *map, const void *key, const void *value,
			 u64 flags);
long bpf_map_delete_elem(const void *map, const void *key);
u64 bpf_get_current_task(void);

#include "bpfrt/drop.h"
#include "bpfrt/vtime.h"
#include "some.h"

enum { NCPUS = 2, NTASKS = 5, FULL = 4 };

static struct oncpu oncpus[NCPUS];
static struct { u64 task, time; } saved[FULL];
static u64 drops[ABI_NDROPS];
static u32 cpu;
static u64 clock_ns, running[NCPUS];	/* tasks are 1... */

void *
bpf_map_lookup_elem(const void *map, const void *key)
{
	if (map == &dt_oncpu)
		return &oncpus[cpu];
	if (map == &dt_drops)
		return drops;
	for (int i = 0; map == &dt_vtime && i < FULL; i++)
		if (saved[i].task == *(const u64 *)key)
			return &saved[i].time;
	return NULL;
}

long
bpf_map_update_elem(const void *map, const void *key, const void *value,
		    u64 flags)
{
	for (int i = 0; i < FULL; i++)
		if (!saved[i].task) {
			saved[i].task = *(const u64 *)key;
			saved[i].time = *(const u64 *)value;
			return 0;
		}
	return -7;
}

long
bpf_map_delete_elem(const void *map, const void *key)
{
	for (int i = 0; i < FULL; i++)
		if (saved[i].task == *(const u64 *)key)
			saved[i].task = 0;
	return 0;
}

u64
bpf_get_current_task(void)
{
	return running[cpu];
}

uint32_t
bpf_get_smp_processor_id(void)
{
	return cpu;
}

uint64_t
bpf_ktime_get_ns(void)
{
	return clock_ns;
}

/* To task `next`, on this CPU, now. */
static void
switch_to(u64 next)
{
	u64 args[] = { 0, running[cpu], next };

	dt_switch((void *)args);
	running[cpu] = next;
}

static void
begin(void)
{
	memset(oncpus, 0, sizeof(oncpus));
	memset(saved, 0, sizeof(saved));
	memset(drops, 0, sizeof(drops));
	memset(running, 0, sizeof(running));
	cpu = 0;
	clock_ns = 1000000;
}

static void
test_model(void **state)
{
	u64 spent[NTASKS + 1] = { 0 }, since[NCPUS];

	begin();
	for (cpu = 0; cpu < NCPUS; cpu++) {
		running[cpu] = 100 + cpu;	/* what was there before */
		dt_seen(NULL);
		assert_int_equal(rt_vtime(clock_ns, running[cpu]), 0);
		clock_ns += 10;
		dt_seen(NULL);			/* once is enough */
		assert_int_equal(rt_vtime(clock_ns, running[cpu]), 10);
	}
	for (cpu = 0; cpu < NCPUS; cpu++) {
		switch_to(1 + cpu);
		since[cpu] = clock_ns;
		dt_free((void *)(u64[]){ 100 + cpu });
	}
	for (int i = 0; i < 100000; i++) {
		cpu = some(NCPUS);
		clock_ns += some(1000);
		u64 me = running[cpu], next = 1 + some(NTASKS - 1);
		assert_int_equal(rt_vtime(clock_ns, running[cpu]),
				 spent[me] + clock_ns - since[cpu]);
		if (some(2) || next == running[!cpu])
			continue;
		spent[me] += clock_ns - since[cpu];
		switch_to(next);
		since[cpu] = clock_ns;
	}
	assert_int_equal(drops[ABI_DROP_DYNAMIC], 0);
}

/* A firing began at a time before its thread lost the CPU and came back: what
 * was then is no more known, so it is the time at which it came back. */
static void
test_preempted(void **state)
{
	begin();
	switch_to(1);
	clock_ns += 100;
	u64 began = clock_ns;
	clock_ns += 50;
	switch_to(2);
	clock_ns += 1000;
	switch_to(1);
	clock_ns += 7;
	assert_int_equal(rt_vtime(began, running[cpu]), 150);
	assert_int_equal(rt_vtime(clock_ns, running[cpu]), 157);
	/* On another CPU it is what was saved. */
	cpu = 1;
	running[1] = 2;
	assert_int_equal(rt_vtime(clock_ns, running[cpu]), 1000);
}

/* Of a thread that was on a CPU when nobody had looked there yet, nothing is
 * known until it comes back. */
static void
test_unseen(void **state)
{
	begin();
	running[0] = 1;
	assert_int_equal(rt_vtime(clock_ns, running[cpu]), 0);
	clock_ns += 100;
	switch_to(2);
	clock_ns += 100;
	switch_to(1);
	clock_ns += 5;
	assert_int_equal(rt_vtime(clock_ns, running[cpu]), 5);
}

/* A switch that nobody told of is made good when the one that came passes; where it was
 * told of, nothing changes. */
static void
test_untold(void **state)
{
	begin();
	switch_to(1);
	clock_ns += 100;
	switch_to(2);
	clock_ns += 30;
	running[0] = 1;
	dt_came(NULL);
	clock_ns += 5;
	assert_int_equal(rt_vtime(clock_ns, running[cpu]), 105);
	dt_came(NULL);
	assert_int_equal(rt_vtime(clock_ns, running[cpu]), 105);
	switch_to(2);
	clock_ns += 1;
	dt_came(NULL);
	assert_int_equal(rt_vtime(clock_ns, running[cpu]), 1);
	switch_to(1);
	assert_int_equal(rt_vtime(clock_ns, running[cpu]), 105);
}

/* A task that ends, and another in its place: it begins at nothing.  Without
 * room that is told. */
static void
test_again(void **state)
{
	begin();
	switch_to(1);
	clock_ns += 100;
	switch_to(2);
	dt_free((void *)(u64[]){ 1 });
	clock_ns += 100;
	switch_to(1);
	assert_int_equal(rt_vtime(clock_ns, running[cpu]), 0);
	for (u64 task = 10; task < 10 + FULL; task++) {
		clock_ns += 10;
		switch_to(task);
	}
	assert_int_equal(drops[ABI_DROP_DYNAMIC], 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_model),
		cmocka_unit_test(test_preempted),
		cmocka_unit_test(test_unseen),
		cmocka_unit_test(test_untold),
		cmocka_unit_test(test_again),
	};

	return cmocka_run_group_tests_name("bpfrt-vtime", tests, NULL, NULL);
}
