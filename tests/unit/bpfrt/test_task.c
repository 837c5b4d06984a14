/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the runtime asks of threads and does to them, as a program of the host
 * (support/bpfhost): their numbers and sweeps, ancestors, registers, locks, arguments
 * that each place has its own way of, signals, writes to memory, and the CPU held up.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#if defined(__aarch64__)
#define __TARGET_ARCH_arm64
#endif
#include "bpfrt/rt.h"
#include "fakes.h"

/* What else it asks of the kernel. */
u64 bpf_get_current_task(void);
long bpf_map_update_elem(void *map, const void *key, const void *value, u64 flags);
long bpf_map_delete_elem(void *map, const void *key);
long bpf_send_signal(u32 signal);
long bpf_probe_write_user(void *to, const void *from, u32 size);

#include "bpfrt/task.h"
#include "bpfrt/thread.h"
#include "bpfrt/lock.h"
#include "bpfrt/layout.h"
#include "bpfrt/act.h"

/* Of bpfrt/mem.h and str.h: room, and a string. */
static u64 scratch_off;
static long string_size;

static u64
scratch_take(char *slot, u64 size)
{
	((struct abi_slot *)slot)->scratch_used += (u32)size;
	return scratch_off;
}

static s64
str_fetch(char *slot, u64 dst, u64 a)
{
	if (string_size >= 0)
		memcpy(slot + dst, (const void *)(uintptr_t)a, (size_t)string_size + 1);
	return string_size;
}

static u64
str_stride(void)
{
	return 64;
}

#include "bpfrt/user.h"

#include "base/base.h"

enum { SLOT = 2048, SCRATCH = 128, TMP = 1024, NTHREADS = 8, NVARS = 3, NTURNS = 100 };

static struct { u64 word[64]; } k;		/* what can be read of the kernel */
static u64 user[16], slot_words[SLOT / 8], clock_ns, clock_step;
static struct { u64 thread, number; } numbers[NTHREADS];
static u32 nnumbers;
static bool is_full;
static struct sweeping sweeps[NVARS];
static struct abi_layout layout;
static struct abi_slot *slot;
static u32 signalled;
static long refusal;
static volatile struct abi_cfg *cfg;

u64
bpf_get_current_task(void)
{
	return address(&k);
}

uint64_t
bpf_ktime_get_ns(void)
{
	return clock_ns += clock_step;
}

long
bpf_probe_read_kernel(void *to, uint32_t size, const void *from)
{
	return !read_within(to, size, from, &k, sizeof(k)) ? 0 :
		read_within(to, size, from, fake_regs, sizeof(fake_regs));
}

long
bpf_probe_read_user(void *to, uint32_t size, const void *from)
{
	return read_within(to, size, from, user, sizeof(user));
}

long
bpf_probe_write_user(void *to, const void *from, u32 size)
{
	if (!is_within(address(to), size, user, sizeof(user)))
		return -14;
	memcpy(to, from, size);
	return 0;
}

/* Its index; nnumbers: it has none. */
static u32
find_thread(u64 thread)
{
	u32 i = 0;

	while (i < nnumbers && numbers[i].thread != thread)
		i++;
	return i;
}

__attribute__((noinline)) void *
bpf_map_lookup_elem(const void *map, const void *key)
{
	u32 i = *(const u32 *)key;

	if (map == &dt_slots)
		return i < ABI_NSLOTS ? slot_words : NULL;
	if (map == &dt_threads) {
		i = find_thread(*(const u64 *)key);
		return i < nnumbers ? &numbers[i].number : NULL;
	}
	if (map == &dt_sweeping)
		return i < NVARS ? &sweeps[i] : NULL;
	return map == &dt_layouts && i == 5 ? &layout : NULL;
}

__attribute__((noinline)) long
bpf_map_update_elem(void *map, const void *key, const void *value, u64 flags)
{
	assert_ptr_equal(map, &dt_threads);
	assert_int_equal(flags, BPF_ANY);
	if (is_full)
		return -7;
	numbers[nnumbers].thread = *(const u64 *)key;
	numbers[nnumbers++].number = *(const u64 *)value;
	return 0;
}

__attribute__((noinline)) long
bpf_map_delete_elem(void *map, const void *key)
{
	u32 i = find_thread(*(const u64 *)key);

	assert_ptr_equal(map, &dt_threads);
	if (i == nnumbers)
		return -2;
	numbers[i].thread = ~0ull;
	return 0;
}

long
bpf_send_signal(u32 signal)
{
	signalled = signal;
	return refusal;
}

static int
begin(void **state)
{
	(void)state;
	slot = (struct abi_slot *)slot_words;
	cfg = (volatile struct abi_cfg *)(uintptr_t)&dt_cfg;
	cfg->slot_size = SLOT;
	cfg->scratch_size = SCRATCH;
	cfg->tmp_off = TMP;
	memset(&k, 0, sizeof(k));
	memset(fake_regs, 0, sizeof(fake_regs));
	memset(user, 0, sizeof(user));
	memset(slot_words, 0, sizeof(slot_words));
	memset(sweeps, 0, sizeof(sweeps));
	memset(&layout, 0, sizeof(layout));
	nnumbers = signalled = 0;
	is_full = false;
	refusal = 0;
	clock_ns = 1000;
	clock_step = 0;
	scratch_off = 512;
	string_size = 0;
	return 0;
}

static void
expect_fault(int fault, u64 value)
{
	assert_int_equal(slot->fault, fault + 1);
	assert_int_equal(slot->fault_value, value);
	slot->fault = 0;
}

/* --- Threads ---------------------------------------------------------------------- */

static void
end_thread(u64 thread)
{
	assert_int_equal(dt_exit((struct bpf_raw_tracepoint_args *)&thread), 0);
}

static void
test_numbers(void **state)
{
	(void)state;
	assert_int_equal(rt_thread(8), 0);
	assert_int_equal(rt_thread_new(8), 1);
	assert_int_equal(rt_thread_new(8), 1);
	assert_int_equal(rt_thread(8), 1);
	assert_int_equal(rt_thread_new(16), 2);
	assert_int_equal(rt_thread_new(17), 3);
	assert_int_equal(rt_thread_dead(8, 1), 0);
	assert_int_equal(rt_thread_dead(8, 2), 1);
	assert_int_equal(rt_thread_dead(8, 0), 0);
	assert_int_equal(rt_thread_dead(24, 0), 1);
	assert_int_equal(rt_thread_dead(24, 1), 1);
	end_thread(16);
	assert_int_equal(sweeps[0].ends, 1);
	assert_int_equal(rt_thread(16), 0);
	assert_int_equal(rt_thread(17), 0);
	assert_int_equal(rt_thread(8), 1);
	assert_int_equal(rt_thread_dead(16, 2), 1);
	assert_int_equal(rt_thread_new(16), 4);
	is_full = true;
	assert_int_equal(rt_thread_new(24), 0);
	assert_int_equal(rt_thread_new(8), 1);
}

/* Not when no thread has ended since, nor before sixteen times as long as it took. */
static void
test_sweeps(void **state)
{
	static const struct { u64 elements, pause; } rows[] = {
		{ 0, 0 }, { 1, 16 * 128 }, { 1000, 2048000 }, { 9765, 19998720 },
		{ 9766, 20000000 }, { 1 << 20, 20000000 },
	};

	(void)state;
	assert_int_equal(rt_sweep_begin(1), 0);
	end_thread(8);
	assert_int_equal(rt_sweep_begin(1), 1);
	end_thread(8);				/* while it sweeps */
	rt_sweep_end(1, 0);
	assert_int_equal(sweeps[1].swept, 1);
	assert_int_equal(rt_sweep_begin(1), 1);
	assert_int_equal(rt_sweep_begin(2), 1);		/* another variable */
	rt_sweep_end(1, 0);
	assert_int_equal(rt_sweep_begin(1), 0);
	assert_int_equal(rt_sweep_begin(NVARS), 0);
	rt_sweep_end(NVARS, 1);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		end_thread(8);
		clock_ns += 1ull << 30;
		assert_int_equal(rt_sweep_begin(1), 1);
		rt_sweep_end(1, rows[i].elements);
		assert_int_equal(sweeps[1].next, clock_ns + rows[i].pause);
		end_thread(8);
		if (rows[i].pause) {
			clock_ns += rows[i].pause - 1;
			assert_int_equal(rt_sweep_begin(1), 0);
			clock_ns++;
		}
		assert_int_equal(rt_sweep_begin(1), 1);
		rt_sweep_end(1, 0);
	}
}

/* A chain of 80 processes, each of two words: its parent, and its number. */
static void
test_progeny(void **state)
{
	u64 task = address(&k.word[0]);

	(void)state;
	for (u32 i = 0; i < 32; i++) {
		k.word[2 * i] = address(&k.word[2 * (i + 1)]);
		k.word[2 * i + 1] = 100 + i;
	}
	k.word[62] = 0;
	for (u32 i = 0; i < 32; i++)
		assert_int_equal(rt_progenyof(100 + i, 0, 8, task), 1);
	assert_int_equal(rt_progenyof(99, 0, 8, task), 0);
	assert_int_equal(rt_progenyof(100, 0, 8, task + 16), 0);
	k.word[62] = address(&k.word[62]);		/* its own parent */
	assert_int_equal(rt_progenyof(99, 0, 8, task), 0);
	k.word[62] = 8;					/* cannot be read */
	assert_int_equal(rt_progenyof(8, 0, 8, task), 0);
	k.word[62] = task;				/* for ever */
	assert_int_equal(rt_progenyof(99, 0, 8, task), 0);
	assert_int_equal(rt_progenyof(101, 0, 8, 8), 0);
}

static void
test_registers(void **state)
{
	(void)state;
	for (u32 i = 0; i < 64; i++)
		fake_regs[i] = 0x1000 + i;
	for (u32 i = 0; i < ABI_NREGS; i++)
		assert_int_equal(rt_ureg(0, i, 5),
				 0x1000 + i - (i == ABI_ROLE_OFF_PC / 8 ? 5 : 0));
	assert_int_equal(slot->fault, 0);
	rt_ureg(0, ABI_NREGS, 0);
	expect_fault(ABI_FAULT_ILLOP, 0);
	assert_int_equal(rt_ureg(ABI_NSLOTS, 1, 0), 0);
}

/* --- Locks -------------------------------------------------------------------------- */

static void
test_mutex(void **state)
{
	u64 lock = address(&k.word[2]), own = address(&k);

	(void)state;
	cfg->koff[ABI_KOFF_MUTEX_OWNER] = 16;
	for (u32 flags = 0; flags < 8; flags++) {
		k.word[4] = own | flags;
		assert_int_equal(rt_mutex_owner(0, lock), own);
		assert_int_equal(rt_mutex_owned(0, lock), 1);
		k.word[4] = (own + 8) | flags;
		assert_int_equal(rt_mutex_owner(0, lock), own + 8);
		assert_int_equal(rt_mutex_owned(0, lock), 0);
		k.word[4] = flags;
		assert_int_equal(rt_mutex_owner(0, lock), 0);
		assert_int_equal(rt_mutex_owned(0, lock), 0);
	}
	assert_int_equal(rt_mutex_adaptive(0, lock), 1);
	assert_int_equal(rt_mutex_spin(0, lock), 0);
	assert_int_equal(slot->fault, 0);
	assert_int_equal(rt_mutex_owner(0, 8), 0);
	expect_fault(ABI_FAULT_BADADDR, 8);
	assert_int_equal(rt_mutex_owned(0, 8), 0);
	expect_fault(ABI_FAULT_BADADDR, 8);
	assert_int_equal(rt_mutex_adaptive(0, 8), 0);
	expect_fault(ABI_FAULT_BADADDR, 8);
	assert_int_equal(rt_mutex_spin(0, 8), 0);
	expect_fault(ABI_FAULT_BADADDR, 8);
	assert_int_equal(rt_mutex_adaptive(ABI_NSLOTS, lock), 0);
}

static void
test_rwsem(void **state)
{
	static const struct {
		u64 word;
		bool is_rt, read, written, wanted;
	} rows[] = {
		{ 0, false, false, false, false },
		{ 1, false, false, true, true },
		{ 2, false, false, false, true },
		{ 3, false, false, true, true },
		{ 4, false, false, false, false },	/* another flag */
		{ 0x100, false, true, false, false },
		{ 0x102, false, true, false, true },
		{ 0x301, false, false, true, true },
		{ 1ull << 63, false, false, false, false },
		{ 1ull << 63 | 0x100, false, true, false, false },
		{ 0x5a5a5a5a80000000, true, false, false, false },
		{ 0x80000001, true, true, false, false },
		{ 0xbfffffff, true, true, false, false },
		{ 0x40000000, true, false, true, true },
		{ 0xc0000000, true, false, true, true },
		{ 0x00000000, true, false, false, true },
		{ 0x00000003, true, true, false, true },
	};
	u64 lock = address(&k.word[2]);

	(void)state;
	cfg->koff[ABI_KOFF_RWSEM_COUNT] = 8;
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		cfg->koff[ABI_KOFF_RWBASE_READERS] = rows[i].is_rt ? 8 : ~0U;
		k.word[3] = rows[i].word;
		if (rt_rw_readers(0, lock) != rows[i].read ||
		    rt_rw_written(0, lock) != rows[i].written ||
		    rt_rw_wanted(0, lock) != rows[i].wanted)
			fail_msg("row %zu", i);
		assert_int_equal(slot->fault, 0);
		assert_int_equal(rt_rw_readers(0, 8), 0);
		expect_fault(ABI_FAULT_BADADDR, 8);
		assert_int_equal(rt_rw_written(0, 8), 0);
		expect_fault(ABI_FAULT_BADADDR, 8);
		assert_int_equal(rt_rw_wanted(0, 8), 0);
		expect_fault(ABI_FAULT_BADADDR, 8);
	}
}

/* --- Arguments ------------------------------------------------------------------------ */

static void
test_layout(void **state)
{
	static const struct {
		struct abi_place at;
		u64 want;
	} rows[] = {
		{ { .kind = ABI_PLACE_NONE, .size = 8 }, 0 },
		{ { .kind = ABI_PLACE_CONST, .size = 8, .off = -5 }, (u64)-5 },
		{ { .kind = ABI_PLACE_REG, .size = 8, .reg = 8 }, 0x8877665544332211 },
		{ { .kind = ABI_PLACE_REG, .size = 4, .reg = 8 }, 0x44332211 },
		{ { .kind = ABI_PLACE_REG, .size = 4, .reg = 8, .off = 4 }, 0x88776655 },
		{ { .kind = ABI_PLACE_REG, .size = 4, .reg = 8, .off = 4, .is_signed = 1 },
		  0xffffffff88776655 },
		{ { .kind = ABI_PLACE_REG, .size = 1, .reg = 8, .off = 1, .is_signed = 1 },
		  0x22 },
		{ { .kind = ABI_PLACE_REG, .size = 9, .reg = 8 }, 0 },
		{ { .kind = ABI_PLACE_REG, .size = 0, .reg = 8 }, 0 },
		{ { .kind = ABI_PLACE_MEMORY, .size = 8, .reg = 16 }, 0x100 },
		{ { .kind = ABI_PLACE_MEMORY, .size = 8, .reg = 16, .off = 16 }, 0x102 },
		{ { .kind = ABI_PLACE_MEMORY, .size = 2, .reg = 16, .off = 24 }, 0xfedc },
		{ { .kind = ABI_PLACE_MEMORY, .size = 2, .reg = 16, .off = 24,
		    .is_signed = 1 }, (u64)-0x124 },
		/* with an index, 2 */
		{ { .kind = ABI_PLACE_MEMORY, .size = 8, .reg = 16, .index = 24, .scale = 8 },
		  0x102 },
		{ { .kind = ABI_PLACE_MEMORY, .size = 8, .reg = 16, .index = 24, .scale = 4,
		    .off = 8 }, 0x102 },
		{ { .kind = ABI_PLACE_MEMORY, .size = 8, .reg = 16, .index = 24 }, 0x100 },
		{ { .kind = ABI_PLACE_MEMORY, .size = 8, .reg = 8 }, 0 },
		{ { .kind = ABI_PLACE_MEMORY_32, .size = 8, .reg = 16 }, 0 },
	};

	(void)state;
	fake_regs[1] = 0x8877665544332211;
	fake_regs[2] = address(user);
	fake_regs[3] = 2;
	for (u32 i = 0; i < 16; i++)
		user[i] = 0x100 + i;
	user[3] = 0xabcdfedc;
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		u64 n = i % ABI_LAYOUT_NARGS;
		layout.arg[n] = rows[i].at;
		u64 got = rt_layout_arg(5, n);
		if (got != rows[i].want)
			fail_msg("row %zu: %llx", i, got);
	}
	assert_int_equal(rt_layout_arg(5, ABI_LAYOUT_NARGS), 0);
	layout.arg[0] = rows[1].at;
	assert_int_equal(rt_layout_arg(5, 0), (u64)-5);
	assert_int_equal(rt_layout_arg(4, 0), 0);
}

/* --- What is done ----------------------------------------------------------------------- */

static void
test_raise(void **state)
{
	(void)state;
	fake_regs[ABI_ROLE_OFF_PC / 8] = 1;
	rt_raise(0, SIGUSR1);
	assert_int_equal(signalled, SIGUSR1);
	rt_raise(0, 64);
	assert_int_equal(signalled, 64);
	assert_int_equal(slot->fault, 0);
	rt_raise(0, 65);
	expect_fault(ABI_FAULT_ILLOP, 0);
	rt_raise(0, 0);
	expect_fault(ABI_FAULT_ILLOP, 0);
	assert_int_equal(signalled, 64);
	refusal = -1;			/* it is ending */
	rt_raise(0, 1);
	assert_int_equal(slot->fault, 0);
	fake_regs[ABI_ROLE_OFF_PC / 8] = 0;	/* the kernel's */
	rt_raise(0, 1);
	expect_fault(ABI_FAULT_ILLOP, 0);
	refusal = -16;
	fake_regs[ABI_ROLE_OFF_PC / 8] = 1;
	rt_raise(0, 1);
	expect_fault(ABI_FAULT_ILLOP, 0);
	refusal = 0;
	rt_raise(0, 1);
	assert_int_equal(slot->fault, 0);
}

/* Half a second of each, and no more. */
static void
test_chill(void **state)
{
	enum { MS = 1000000 };

	(void)state;
	clock_ns = 5000ull * MS;
	clock_step = MS / 10;
	u64 from = clock_ns;
	rt_chill(0, 100 * MS);
	assert_int_equal(slot->fault, 0);
	assert_in_range(clock_ns - from, 100 * MS, 101 * MS);
	assert_int_equal(slot->chill_spent, 100 * MS);
	from = slot->chill_since;
	rt_chill(1, 400 * MS);
	assert_int_equal(slot->fault, 0);
	assert_int_equal(slot->chill_since, from);
	assert_int_equal(slot->chill_spent, 500 * MS);
	rt_chill(0, 1);
	expect_fault(ABI_FAULT_ILLOP, 0);
	clock_step = 0;
	clock_ns = from + 1000 * MS - 1;
	rt_chill(0, 1);
	expect_fault(ABI_FAULT_ILLOP, 0);
	clock_ns++;
	clock_step = 1;
	rt_chill(0, 500 * MS + 1);
	expect_fault(ABI_FAULT_ILLOP, 0);
	rt_chill(0, 0);
	assert_int_equal(slot->fault, 0);
	assert_int_equal(slot->chill_spent, 0);
	clock_step = MS;
	rt_chill(0, 500 * MS);
	assert_int_equal(slot->fault, 0);
	assert_int_equal(slot->chill_spent, 500 * MS);
}

static void
test_copyout(void **state)
{
	(void)state;
	k.word[0] = 0x1122334455667788;
	slot->scratch_used = 16;
	rt_copyout(0, address(&k), address(user), 8);
	assert_int_equal(user[0], 0x1122334455667788);
	assert_int_equal(slot->scratch_used, 16);	/* given back */
	rt_copyout(0, address(&k), address(user) + 8, 3);
	assert_int_equal(user[1], 0x667788);
	rt_copyout(0, address(&k), address(user), 0);
	assert_int_equal(slot->fault, 0);
	rt_copyout(0, 8, address(user), 8);
	expect_fault(ABI_FAULT_BADADDR, 8);
	rt_copyout(0, address(&k), 24, 8);
	expect_fault(ABI_FAULT_BADADDR, 24);
	rt_copyout(0, address(&k), address(user), SCRATCH);
	assert_int_equal(slot->fault, 0);
	assert_memory_equal(user, &k, SCRATCH);
	k.word[0] = 1;
	rt_copyout(0, address(&k), address(user), SCRATCH + 1);
	assert_int_not_equal(user[0], 1);
	scratch_off = SLOT - SCRATCH;
	rt_copyout(0, address(&k), address(user), 8);
	assert_int_equal(user[0], 1);
	k.word[0] = 2;
	scratch_off = SLOT - SCRATCH + 8;
	rt_copyout(0, address(&k), address(user), 8);
	scratch_off = 0;			/* there is no room */
	rt_copyout(0, address(&k), address(user), 8);
	assert_int_equal(user[0], 1);
	assert_int_equal(slot->fault, 0);
}

static void
test_copyoutstr(void **state)
{
	char *to = (char *)user;

	(void)state;
	memset(user, 'x', sizeof(user));
	string_size = 5;
	rt_copyoutstr(0, address("hello"), address(user), 100);
	assert_memory_equal(user, "hello\0x", 7);
	rt_copyoutstr(0, address("HELLO"), address(user), 6);
	assert_memory_equal(user, "HELLO\0x", 7);
	to[5] = 'x';
	rt_copyoutstr(0, address("world"), address(user), 5);
	assert_memory_equal(user, "worldxx", 7);
	rt_copyoutstr(0, address("HELLO"), address(user), 1);
	assert_memory_equal(user, "Horldxx", 7);
	rt_copyoutstr(0, address("world"), address(user), 0);
	assert_memory_equal(user, "Horldxx", 7);
	assert_int_equal(slot->fault, 0);
	rt_copyoutstr(0, address("world"), 24, 9);
	expect_fault(ABI_FAULT_BADADDR, 24);
	string_size = -1;
	rt_copyoutstr(0, address("world"), address(user), 9);
	assert_memory_equal(user, "Horldxx", 7);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_numbers, begin),
		cmocka_unit_test_setup(test_sweeps, begin),
		cmocka_unit_test_setup(test_progeny, begin),
		cmocka_unit_test_setup(test_registers, begin),
		cmocka_unit_test_setup(test_mutex, begin),
		cmocka_unit_test_setup(test_rwsem, begin),
		cmocka_unit_test_setup(test_layout, begin),
		cmocka_unit_test_setup(test_raise, begin),
		cmocka_unit_test_setup(test_chill, begin),
		cmocka_unit_test_setup(test_copyout, begin),
		cmocka_unit_test_setup(test_copyoutstr, begin),
	};

	assert_int_equal(bpfhost_open(&dt_cfg, sizeof(dt_cfg)), 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
