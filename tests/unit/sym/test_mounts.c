/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which file systems are asked before a file is opened, and for how long.  No
 * device has the numbers used here; those that hang are children that sleep.  The
 * clock is a number that each look at it makes more.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "sym/mounts_priv.h"

enum { DEV = 0xffff0 };
#define DISK (254ull << 32 | 1)
#define SECOND 1000000000ull

static struct {
	uint64_t ns, step_ns;
	unsigned looks;
} fake = { .ns = SECOND };

uint64_t __wrap_clock_ns(void);

uint64_t
__wrap_clock_ns(void)
{
	fake.looks++;
	return fake.ns += fake.step_ns;
}

static void
test_lines(void **state)
{
	static const struct {
		const char *line;
		uint64_t dev;
		bool found, local;
	} rows[] = {
#define OF(type) "36 35 0:52 / /mnt rw,noatime master:1 - " type " src rw\n"
		{ OF("tmpfs"), 52, true, true },
		{ OF("overlay"), 52, true, true },
		{ OF("btrfs"), 52, true, true },
		{ OF("nfs"), 52, true, false },
		{ OF("nfs4"), 52, true, false },
		{ OF("cifs"), 52, true, false },
		{ OF("fuse"), 52, true, false },
		{ OF("fuse.sshfs"), 52, true, false },
		{ OF("9p"), 52, true, false },
		{ OF("virtiofs"), 52, true, false },
		{ OF("tmpfsx"), 52, true, false },
		{ OF("tmp"), 52, true, false },
		{ OF("tmpfs"), 53, false, false },
		{ OF("tmpfs"), 1ull << 32 | 52, false, false },
		{ "36 35 98:0 /a\\040-\\040b /c - ext4 /dev/root rw\n",
		  98ull << 32, true, false },
		{ "36 35 0:52 / / rw shared:1 master:2 - tmpfs x rw\n", 52,
		  true, true },
		{ "36 35 0:52 / / rw", 52, false, false },
		{ "36 35 0:52 / / rw - ", 52, false, false },
		{ "36 35 0 - tmpfs x\n", 0, false, false },
		{ "", 52, false, false },
	};

	for (unsigned i = 0; i < BASE_NELEMS(rows); i++) {
		bool local = false;
		assert_int_equal(sym_mounts_parse(rows[i].line, rows[i].dev,
						  &local), rows[i].found);
		assert_int_equal(local, rows[i].local);
	}
}

/* --- Asking --------------------------------------------------------------- */

static unsigned *touched;	/* of the children, too */

static void
come_back(void *ctx)
{
	if (fcntl(STDOUT_FILENO, F_GETFD) < 0)	/* it has nothing of ours */
		__atomic_fetch_add(touched, 1, __ATOMIC_RELAXED);
}

static void
hang(void *ctx)
{
	come_back(ctx);
	for (;;)
		pause();
}

static void
die(void *ctx)
{
	come_back(ctx);
	_exit(3);
}

static int
setup(void **state)
{
	touched = mmap(NULL, sizeof(*touched), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return touched == MAP_FAILED;
}

static void
test_disk(void **state)
{
	struct mounts t;

	*touched = 0;
	sym_mounts_init(&t);
	assert_true(sym_mounts_answer(&t, DISK, getpid(), hang, NULL));
	assert_int_equal(*touched, 0);
	sym_mounts_fini(&t);
}

/* Asked once for many files, and after a second once more. */
static void
test_answer(void **state)
{
	struct mounts t;

	*touched = 0;
	fake.step_ns = 0;
	sym_mounts_init(&t);
	for (int i = 0; i < 5; i++)
		assert_true(sym_mounts_answer(&t, DEV, getpid(), come_back, NULL));
	assert_int_equal(*touched, 1);
	fake.ns += SECOND - 1;
	assert_true(sym_mounts_answer(&t, DEV, getpid(), come_back, NULL));
	assert_int_equal(*touched, 1);
	fake.ns++;
	assert_true(sym_mounts_answer(&t, DEV, getpid(), come_back, NULL));
	assert_int_equal(*touched, 2);
	assert_true(sym_mounts_answer(&t, DEV + 1, getpid(), die, NULL));
	assert_int_equal(*touched, 3);
	sym_mounts_fini(&t);
}

/* The wait has an end, and the next question none to wait for; others are not
 * concerned. */
static void
test_hang(void **state)
{
	enum { STEPS = 20 };
	struct mounts t;

	*touched = 0;
	sym_mounts_init(&t);
	fake.step_ns = t.wait_ns / STEPS;
	fake.looks = 0;
	assert_false(sym_mounts_answer(&t, DEV, getpid(), hang, NULL));
	/* Is it time to ask, when is the end, the wait, when to ask again. */
	assert_int_equal(fake.looks, 2 + STEPS + 1);
	fake.step_ns = fake.looks = 0;
	for (int i = 0; i < 100; i++)
		assert_false(sym_mounts_answer(&t, DEV, getpid(), hang, NULL));
	assert_int_equal(fake.looks, 100);
	assert_in_range(*touched, 0, 1);
	assert_true(sym_mounts_answer(&t, DEV + 1, getpid(), come_back, NULL));
	/* It is asked again after ten seconds, when the child that hung is gone. */
	fake.ns += 10 * SECOND - 1;
	*touched = 0;
	assert_false(sym_mounts_answer(&t, DEV, getpid(), come_back, NULL));
	assert_int_equal(*touched, 0);
	bool again = false;
	while (!again) {
		fake.ns += 10 * SECOND;
		again = sym_mounts_answer(&t, DEV, getpid(), come_back, NULL);
	}
	assert_int_equal(*touched, 1);
	sym_mounts_fini(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_disk),
		cmocka_unit_test(test_answer),
		cmocka_unit_test(test_hang),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
