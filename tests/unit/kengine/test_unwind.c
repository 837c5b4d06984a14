/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tables for stacks as programs find them: of files, of the kernel's own code, and of a
 * process that is ourselves, against what the unwinding table of each file says.  The
 * kernel is made up (fakekern.h).
 */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "assertok.h"
#include "base/base.h"
#include "fakekern.h"
#include "insn/insn.h"
#include "kengine/unwind_priv.h"
#include "sym/file.h"
#include "sym/maps.h"
#include "unwind/unwind.h"
#include "util/alloc.h"
#include "util/clock.h"

enum { CHUNKS = 80, ROWS_MAX = 1 << 20 };

static struct kengine_unwind u;
static struct abi_unwind_key key;	/* what was made known last, and where */
static struct abi_unwind_place place;
static unsigned nknown, nforgotten, nadds;

static void
note_known(const void *k, const void *v)
{
	memcpy(&key, k, sizeof(key));
	memcpy(&place, v, sizeof(place));
	nknown++;
}

static void
note_forgotten(const void *k)
{
	memcpy(&key, k, sizeof(key));
	nforgotten++;
}

static void
note_add(void)
{
	nadds++;
}

static int
begin(void **state)
{
	memset(&u, 0, sizeof(u));
	u.chunks_max = CHUNKS;
	u.next_ns = UINT64_MAX;
	nknown = nforgotten = nadds = 0;
	fakekern_reset();
	fake.on_update = note_known;
	fake.on_delete = note_forgotten;
	fake.on_add = note_add;
	assert_ok(kern_ring_open(-1, 4096, &u.asks));
	return 0;
}

static int
end(void **state)
{
	struct hash_entry *e;

	for (size_t i = 0; (e = hash_next(&u.known, &i)); )
		util_free(e->val);
	hash_fini(&u.known);
	vec_fini(&u.freed);
	vec_fini(&u.worker.wanted);
	unwind_objects_free(&u);
	kern_ring_close(u.asks);
	return 0;
}

/* --- Room ------------------------------------------------------------------------ */

static void
check_take(uint32_t size, uint32_t n, bool some, struct place want)
{
	struct place got;

	assert_ok(unwind_take(&u, size, n, some, &got));
	assert_int_equal(got.chunk, want.chunk);
	assert_int_equal(got.first, want.first);
	assert_int_equal(got.n, want.n);
}

static void
test_take(void **state)
{
	enum { ALL = ABI_UNWIND_CHUNK / 8 };
	struct place at;

	u.chunks_max = 3;
	check_take(8, 3, false, (struct place){ 0, 0, 3 });
	assert_int_equal(u.chunks.n, 3);		/* as many as there may be */
	check_take(32, 1, false, (struct place){ 0, 1, 1 });
	check_take(8, 5, true, (struct place){ 0, 8, 5 });
	check_take(8, ALL, true, (struct place){ 0, 13, ALL - 13 });
	check_take(8, 1, true, (struct place){ 1, 0, 1 });
	check_take(8, ALL - 1, false, (struct place){ 1, 1, ALL - 1 });
	check_take(8, ALL, false, (struct place){ 2, 0, ALL });
	struct err *e = unwind_take(&u, 8, 1, true, &at);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_LIMIT);
	assert_string_equal(e->text, "unwindsize is used up");
	err_free(e);
	assert_int_equal(nadds, 1);
}

static void
give(uint32_t chunk, uint32_t first, uint32_t n, uint64_t when_ns)
{
	unwind_room_give(&u, &(struct place){ chunk, first, n }, 8, when_ns);
}

/* What is given back is taken before another chunk, when it is time, and in pieces that
 * are no scraps; what lies side by side is one piece. */
static void
test_given_back(void **state)
{
	enum { ALL = ABI_UNWIND_CHUNK / 8, SCRAP = 4096 / 8 };

	u.chunks_max = 3;
	check_take(8, ALL, true, (struct place){ 0, 0, ALL });
	give(0, 16, 4, UINT64_MAX);
	check_take(8, ALL - 4, false, (struct place){ 1, 0, ALL - 4 });
	give(0, 100, 4, 0);
	check_take(8, 3, true, (struct place){ 1, ALL - 4, 3 });
	check_take(32, 1, false, (struct place){ 0, 25, 1 });
	give(0, 1000, SCRAP - 1, 0);
	check_take(8, 1, true, (struct place){ 0, 1000, 1 });
	check_take(8, SCRAP, true, (struct place){ 2, 0, SCRAP });
	give(0, 1000 + SCRAP - 1, 2, 0);
	give(0, 1000, 1, 0);
	check_take(8, ALL - SCRAP, false, (struct place){ 2, SCRAP, ALL - SCRAP });
	check_take(8, ALL, true, (struct place){ 0, 1000, SCRAP + 1 });
	assert_int_equal(u.room.free.n, 1);	/* that which is never free */
}

/* More chunks come when the last is full: some, and as many again. */
static void
test_chunks(void **state)
{
	struct place at;

	u.chunks_max = 128;
	for (uint32_t i = 0; i < 128; i++) {
		assert_ok(unwind_take(&u, 32, ABI_UNWIND_SEGS, false, &at));
		assert_int_equal(at.chunk, i);
		assert_int_equal(u.chunks.n, i < 48 ? 48 : i < 96 ? 96 : 128);
	}
}

/* --- What files say ----------------------------------------------------------------- */

/* The rule at a byte of the file, by its own table; false: that is no code. */
static bool
rule_of_file(int fd, const struct unwind_table *t, uint64_t offset, uint32_t *ret)
{
	struct sym_code_part parts[16];
	size_t n = sym_elf_parts(fd, parts, BASE_NELEMS(parts));

	for (size_t i = 0; i < n; i++)
		if (offset - parts[i].offset < parts[i].size) {
			*ret = unwind_table_find(t, (uint32_t)(offset - parts[i].offset +
							       parts[i].addr));
			return true;
		}
	return false;
}

/* By segments that ascend, as programs look for it; ABI_UNWIND_FRAME where none is. */
static uint32_t
rule_by_segs(const struct abi_unwind_seg *s, uint32_t n, uint64_t at)
{
	uint32_t i = 0, rule = ABI_UNWIND_FRAME;

	while (i < n && !(at - s[i].start < s[i].size))
		i++;
	if (i == n || !s[i].n)
		return rule;
	const struct abi_unwind_row *rows =
		(void *)(u.chunks.v[s[i].chunk] + s[i].first * sizeof(*rows));
	assert_true(s[i].first + s[i].n <= ABI_UNWIND_ROWS);
	assert_true(rows[0].pc + s[i].bias <= s[i].start);
	for (uint32_t k = 0; k < s[i].n && rows[k].pc + s[i].bias <= at; k++)
		rule = rows[k].rule;
	return rule;
}

static void
check_order(const struct abi_unwind_seg *s, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		assert_true(s[i].size);
		assert_true(!i || s[i - 1].start + s[i - 1].size <= s[i].start);
	}
}

static void
check_object(int fd, const struct object *o)
{
	const struct abi_unwind_seg *s = unwind_segs_at(&u, &o->segs);
	struct sym_code_part parts[16];
	size_t n = sym_elf_parts(fd, parts, BASE_NELEMS(parts));
	struct unwind_table t;
	unsigned different = 0;

	assert_ok(unwind_file_table(fd, ROWS_MAX, &t));
	assert_true(n && t.n && o->segs.n);
	check_order(s, o->segs.n);
	for (size_t i = 0; i < n; i++)
		for (uint64_t at = parts[i].offset; at < parts[i].offset + parts[i].size;
		     at += at % 7 + 1) {
			uint32_t want, got = rule_by_segs(s, o->segs.n, at);
			assert_true(rule_of_file(fd, &t, at, &want));
			if (got != want)
				fail_msg("byte %llx: %x, not %x", (unsigned long long)at, got,
					 want);
			different += want != ABI_UNWIND_FRAME;
		}
	assert_true(different > 10);
	unwind_table_fini(&t);
}

/* A file once, whoever opens it; and what is no file not at all. */
static void
test_object(void **state)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), ends[2];
	int other = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct object *o, *again;

	assert_ok(unwind_object(&u, fd, &o));
	check_object(fd, o);
	assert_int_equal(nknown, 1);
	assert_int_equal(place.chunk, o->segs.chunk);
	assert_int_equal(place.first, o->segs.first);
	assert_int_equal(place.n, o->segs.n);
	assert_int_not_equal(key.ino, 0);
	assert_int_equal(key.size, lseek(fd, 0, SEEK_END));
	assert_ok(unwind_object(&u, other, &again));
	assert_ptr_equal(o, again);
	assert_int_equal(nknown, 1);
	assert_int_equal(pipe(ends), 0);
	assert_ok(unwind_object(&u, ends[0], &o));
	assert_null(o);
	assert_ok(unwind_object(&u, -1, &o));
	assert_null(o);
	close(ends[0]);
	close(ends[1]);
	close(fd);
	close(other);
}

/* What was made of a file that nobody executes is dropped when room is made, and its room
 * is free later; what we execute stays. */
static void
test_dropped(void **state)
{
	char path[] = "/tmp/unwind.XXXXXX";
	int own = open("/proc/self/exe", O_RDONLY | O_CLOEXEC), copy = mkstemp(path);
	struct object *o, *other;
	char bytes[4096];
	ssize_t n;

	while ((n = read(own, bytes, sizeof(bytes))) > 0)
		assert_int_equal(write(copy, bytes, (size_t)n), n);
	unlink(path);
	assert_ok(unwind_object(&u, own, &o));
	assert_ok(unwind_object(&u, copy, &other));
	const struct place rows = other->rows.v[0];
	assert_int_equal(u.objects.nlive, 2);
	unwind_room_make(&u);
	assert_int_equal(nforgotten, 1);
	assert_int_equal(u.objects.nlive, 1);
	assert_true(u.room.free.n >= 1);
	assert_int_equal(u.room.free.v[0].chunk, rows.chunk);
	assert_true(u.room.free.v[0].when_ns > clock_ns());
	/* Not at once again. */
	assert_ok(unwind_object(&u, copy, &other));
	unwind_room_make(&u);
	assert_int_equal(u.objects.nlive, 2);
	check_object(own, o);
	close(own);
	close(copy);
}

/* What is no program has no segments, and is known for that. */
static void
test_no_program(void **state)
{
	int fd = memfd_create("text", MFD_CLOEXEC);
	struct object *o;

	assert_int_equal(write(fd, "no program", 10), 10);
	assert_ok(unwind_object(&u, fd, &o));
	assert_non_null(o);
	assert_int_equal(o->segs.n, 0);
	close(fd);
}

/* More rows than a chunk has stand in several. */
static void
test_large(void **state)
{
	uint32_t skipped = ABI_UNWIND_ROWS - 100;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct object *o;
	struct place at;

	assert_ok(unwind_take(&u, 8, skipped, false, &at));
	assert_ok(unwind_object(&u, fd, &o));
	check_object(fd, o);
	const struct abi_unwind_seg *s = unwind_segs_at(&u, &o->segs);
	assert_int_equal(s[0].chunk, 0);
	assert_int_equal(s[o->segs.n - 1].chunk, 1);
	close(fd);
}

/* --- The kernel's own code ------------------------------------------------------------ */

static struct err *
find_vdso(void *ctx, const struct sym_mapping *m)
{
	struct sym_mapping *ret = ctx;

	if (m->start == getauxval(AT_SYSINFO_EHDR))
		*ret = *m;
	return NULL;
}

static void
test_vdso(void **state)
{
	struct sym_mapping m = { .size = 0 };
	struct object *o, *again;

	assert_ok(sym_maps_read(getpid(), find_vdso, &m));
	if (!m.size) {
		print_message("# skipped: no vdso\n");
		skip();
	}
	struct sym_mapping large = m;
	large.size = 17 * 4096;
	assert_ok(unwind_vdso(&u, getpid(), &large, &o));
	assert_null(o);
	assert_ok(unwind_vdso(&u, getpid(), &m, &o));
	assert_int_equal(key.dev, 0);
	assert_int_equal(key.ino, 0);
	assert_int_equal(key.size, m.size);
	int fd = memfd_create("vdso", MFD_CLOEXEC);
	assert_int_equal(write(fd, (void *)(uintptr_t)m.start, m.size), m.size);
	check_object(fd, o);
	close(fd);
	nknown = 0;
	assert_ok(unwind_vdso(&u, getpid(), &m, &again));
	assert_ptr_equal(o, again);
	assert_int_equal(nknown, 0);
	/* One that lies where a process of 32 bits has its own is another. */
	void *low = mmap((void *)0x10000000, m.size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	assert_ptr_not_equal(low, MAP_FAILED);
	memcpy(low, (void *)(uintptr_t)m.start, m.size);
	m.start = (uintptr_t)low;
	assert_ok(unwind_vdso(&u, getpid(), &m, &again));
	assert_non_null(again);
	assert_ptr_not_equal(o, again);
	assert_int_equal(key.size, m.size + 1);
	munmap(low, m.size);
}

/* --- A process ------------------------------------------------------------------------ */

static struct err *
check_mapping(void *ctx, const struct sym_mapping *m)
{
	const struct abi_unwind_seg *s = ctx;
	struct unwind_table t;
	uint32_t want;

	if (!m->inode || m->path[0] != '/')
		return NULL;
	int fd = open(m->path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_ok(unwind_file_table(fd, ROWS_MAX, &t));
	for (uint64_t at = 0; at < m->size; at += at % 61 + 1)
		if (rule_of_file(fd, &t, m->offset + at, &want) &&
		    rule_by_segs(s, place.n, m->start + at) != want)
			fail_msg("%s+%llx", m->path, (unsigned long long)(m->offset + at));
	unwind_table_fini(&t);
	close(fd);
	return NULL;
}

static void
check_own(uint64_t exec)
{
	const struct abi_unwind_key want = abi_unwind_process((uint32_t)getpid());

	assert_memory_equal(&key, &want, sizeof(key));
	assert_int_equal(place.exec, exec);
	assert_int_equal(place.asked, 0);
	const struct place at = { place.chunk, place.first, place.n };
	check_order(unwind_segs_at(&u, &at), place.n);
	assert_ok(sym_maps_read(getpid(), check_mapping, unwind_segs_at(&u, &at)));
}

static void
ask(uint32_t tgid, uint64_t exec, uint32_t up)
{
	fakekern_ask(&(struct abi_unwind_ask){ .tgid = tgid, .exec = exec, .up = up });
}

static bool
is_at(const struct abi_unwind_place *a, const struct abi_unwind_place *b)
{
	return a->chunk == b->chunk && a->first == b->first;
}

static bool
no_more(void *ctx, const struct insn *i)
{
	return false;
}

/* Of two that asked in vain each gets its answer at its time. */
static void
check_two_in_vain(uint64_t exec)
{
	uint32_t own = (uint32_t)getpid();
	pid_t child = fork();

	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);	/* when we fail */
		for (;;)
			pause();
	}
	assert_true(child > 0);
	ask((uint32_t)child, exec, 0);
	unwind_turn(&u, clock_ns());
	assert_int_equal(unwind_due(&u), UINT64_MAX);
	ask(own, exec, 0);
	unwind_turn(&u, clock_ns());
	uint64_t first = unwind_due(&u), seen = clock_ns();
	while (clock_ns() == seen)
		;
	ask((uint32_t)child, exec, 0);
	nknown = 0;
	unwind_turn(&u, clock_ns());
	assert_int_equal(unwind_due(&u), first);
	unwind_turn(&u, first);
	assert_int_equal(nknown, 1);
	const struct abi_unwind_key want_own = abi_unwind_process(own);
	assert_memory_equal(&key, &want_own, sizeof(key));
	uint64_t second = unwind_due(&u);
	assert_in_range(second, first + 1, UINT64_MAX - 1);
	unwind_turn(&u, second - 1);
	assert_int_equal(nknown, 1);
	unwind_turn(&u, second);
	assert_int_equal(nknown, 2);
	const struct abi_unwind_key want = abi_unwind_process((uint32_t)child);
	assert_memory_equal(&key, &want, sizeof(key));
	assert_int_equal(unwind_due(&u), UINT64_MAX);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void
test_process(void **state)
{
	uint32_t own = (uint32_t)getpid();
	uint64_t now = clock_ns();
	size_t end;

	/* What is loaded to read code is there from the beginning. */
	err_free(insn_walk((const uint8_t *)"\xc3", 1, no_more, NULL, &end));
	unwind_turn(&u, now);
	assert_int_equal(nknown, 0);
	ask(own, 7, 0);
	unwind_turn(&u, now);
	check_own(7);
	struct abi_unwind_place first = place;
	/* Asked in vain: the same holds, and there is an answer a second later. */
	nknown = 0;
	ask(own, 7, 0);
	unwind_turn(&u, now);
	assert_int_equal(nknown, 0);
	assert_in_range(unwind_due(&u), now + 1000000000, clock_ns() + 1000000000);
	unwind_turn(&u, unwind_due(&u) - 1);
	assert_int_equal(nknown, 0);
	unwind_turn(&u, unwind_due(&u));
	assert_int_equal(nknown, 1);
	check_own(7);
	assert_int_equal(place.first, first.first);
	assert_int_equal(unwind_due(&u), UINT64_MAX);

	/* Something is mapped: that is told, and all are elsewhere. */
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	void *p = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	assert_true(p != MAP_FAILED);
	struct unwind_told told = { .kind = UNWIND_TOLD_MAPPED, .n = (int)own };
	unwind_hear(&u, &told);
	assert_int_equal(unwind_due(&u), 0);
	uint64_t from = clock_ns();
	unwind_turn(&u, from);
	struct abi_unwind_place second = place;
	assert_false(is_at(&second, &first));
	munmap(p, 4096);
	/* What it had is used again, but not before a second has gone by. */
	unwind_hear(&u, &told);
	unwind_turn(&u, clock_ns());
	struct abi_unwind_place third = place;
	if (clock_ns() < from + 1000000000)
		assert_false(is_at(&third, &first));
	assert_false(is_at(&third, &second));
	check_own(7);
	p = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	usleep(1100000);
	unwind_hear(&u, &told);
	unwind_turn(&u, clock_ns());
	check_own(7);
	assert_true(is_at(&place, &first) || is_at(&place, &second));
	munmap(p, 4096);
	close(fd);
	unwind_hear(&u, &told);
	unwind_turn(&u, clock_ns());
	check_two_in_vain(7);

	told.kind = UNWIND_TOLD_ENDED;
	unwind_hear(&u, &told);
	assert_int_equal(nforgotten, 1);
	unwind_hear(&u, &told);
	assert_int_equal(nforgotten, 1);
	assert_null(hash_get(&u.known, &(int){ (int)own }, sizeof(int)));
}

/* Who was forked off is answered for its parent, too; once, unless that executes another
 * program. */
static void
test_parent(void **state)
{
	uint32_t own = (uint32_t)getpid();
	uint64_t now = clock_ns();

	ask(1u << 30, 4, own);
	unwind_turn(&u, now);
	check_own(4);
	nknown = 0;
	ask(1u << 30, 4, own);
	unwind_turn(&u, now);
	assert_int_equal(nknown, 0);
	ask(1u << 30, 5, own);
	unwind_turn(&u, now);
	assert_in_range(unwind_due(&u), now, UINT64_MAX - 1);
}

/* --- What is told at the end ------------------------------------------------------- */

static char told[128];

static void
note_told(void *ctx, const char *text)
{
	snprintf(told, sizeof(told), "%s", text);
}

/* Stacks of all CPUs that had no table yet, once, and only to who wants more. */
static void
test_told(void **state)
{
	static const struct {
		uint64_t blind[2];
		int64_t verbose;
		const char *want;
	} rows[] = {
		{ { 3, 4 }, 1, "7 stacks were followed by frame pointers, as a "
			       "table for them was still being made" },
		{ { 3, 4 }, 0, "" },
		{ { 0, 0 }, 1, "" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		uint64_t drops[2 * DROP_ROW] = { 0 };
		struct opt_set opts = { 0 };
		struct kengine k = { .unwind = &u, .ncpus = 2,
			.shared.drops = drops, .e.in.opts = &opts,
			.e.in.warn = note_told };

		u.has_told = false;
		opts.v[OPT_VERBOSE] = rows[i].verbose;
		for (unsigned cpu = 0; cpu < 2; cpu++)
			drops[cpu * DROP_ROW + ABI_BLIND_STACKS] = rows[i].blind[cpu];
		told[0] = 0;
		kengine_unwind_tell(&k);
		assert_string_equal(told, rows[i].want);
		told[0] = 0;
		kengine_unwind_tell(&k);
		assert_string_equal(told, "");
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_take, begin, end),
		cmocka_unit_test_setup_teardown(test_given_back, begin, end),
		cmocka_unit_test_setup_teardown(test_dropped, begin, end),
		cmocka_unit_test_setup_teardown(test_chunks, begin, end),
		cmocka_unit_test_setup_teardown(test_object, begin, end),
		cmocka_unit_test_setup_teardown(test_no_program, begin, end),
		cmocka_unit_test_setup_teardown(test_large, begin, end),
		cmocka_unit_test_setup_teardown(test_vdso, begin, end),
		cmocka_unit_test_setup_teardown(test_process, begin, end),
		cmocka_unit_test_setup_teardown(test_parent, begin, end),
		cmocka_unit_test_setup_teardown(test_told, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
