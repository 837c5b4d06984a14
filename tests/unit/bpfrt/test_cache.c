/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Strings that a process has mapped but never touched, from the cache of pages
 * (bpfrt/cache.h), as a program of the host (support/bpfhost): a file's tree of pages, the
 * pages, and the process are made up.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "bpfrt/rt.h"
#include "fakes.h"

/* What else it asks of the kernel. */
u64 bpf_get_current_task(void);
long bpf_find_vma(struct task_struct *task, u64 addr,
		  long (*fn)(struct task_struct *t, void *vma, void *ctx), void *ctx,
		  u64 flags);

#include "bpfrt/cache.h"

#include "base/base.h"

enum { PAGE = 4096, NPAGES = 8, NNODES = 4, DST = 1024, UPTODATE = 3, INDEX = 5 };

/* Where the kernel has all pages mapped, and the process's mapping. */
#define DIRECT 0xffff888000000000ull
#define START 0x7f0000000000ull

struct fake_page {
	u64 flags, mapping, index, pad[5];
};

struct fake_node {
	unsigned char shift, other[7];
	u64 slot[CACHE_SLOTS];
};

static char pages[NPAGES][PAGE];
static struct {
	struct fake_page map[NPAGES];
	struct fake_node node[NNODES];
	u64 tree[2];			/* struct address_space, of two files */
	struct { u64 start, off, flags, file, anon; } vma;
	u64 file;			/* its mapping */
	struct { u64 mm, files; } task;
	u64 pgd, fdt, fds, fd[4];
} k;
static _Alignas(8) char slot[2 * ABI_STRSIZE_MAX + 8 * PAGE];
static struct abi_slot *s = (struct abi_slot *)slot;
static bool is_there[2];		/* pages that the process has touched */
static unsigned nasked;
static volatile struct abi_cfg *cfg;

u64
bpf_get_current_task(void)
{
	return address(&k.task);
}

void *
bpf_map_lookup_elem(const void *map, const void *key)
{
	return map == (const void *)&dt_slots && !*(const u32 *)key ? slot : NULL;
}

long
bpf_probe_read_kernel(void *to, uint32_t size, const void *from)
{
	u64 at = address(from);

	if (at - DIRECT < sizeof(pages) && size <= sizeof(pages) - (at - DIRECT)) {
		memcpy(to, (char *)pages + (at - DIRECT), size);
		return 0;
	}
	return read_within(to, size, from, &k, sizeof(k));
}

long
bpf_probe_read_kernel_str(void *to, uint32_t size, const void *from)
{
	assert_ptr_equal(to, from);
	return (long)strnlen(from, size - 1) + 1;
}

/* What the process has in its pages is not what the file has. */
long
bpf_probe_read_user(void *to, uint32_t size, const void *from)
{
	u64 at = address(from) - START;

	assert_true(size && size <= PAGE - at % PAGE);
	if (at >= 2 * PAGE || !is_there[at / PAGE])
		return -14;
	memset(to, 'u', size);
	return 0;
}

long
bpf_find_vma(struct task_struct *task, u64 addr,
	     long (*fn)(struct task_struct *t, void *vma, void *ctx), void *ctx, u64 flags)
{
	assert_int_equal(flags, 0);
	nasked++;
	if (addr < START || addr >= START + 2 * PAGE)
		return -2;
	fn(task, &k.vma, ctx);
	return 0;
}

/* Page n of memory has page `index` of the file. */
static u64
put_page(u32 n, u64 index)
{
	k.map[n] = (struct fake_page){ 1 << UPTODATE, address(k.tree), index, { 0 } };
	return address(&k.map[n]);
}

static int
begin(void **state)
{
	(void)state;
	cfg = (volatile struct abi_cfg *)(uintptr_t)&dt_cfg;
	cfg->slot_size = sizeof(slot);
#define OF(name, at) cfg->koff[ABI_KOFF_##name] = (u32)(at)
	OF(MAPPING_PAGES, 0);
	OF(NODE_SHIFT, 0);
	OF(NODE_SLOTS, offsetof(struct fake_node, slot));
	OF(FOLIO_FLAGS, 0);
	OF(FOLIO_MAPPING, 8);
	OF(FOLIO_INDEX, 16);
	OF(VMA_START, 0);
	OF(VMA_OFF, 8);
	OF(VMA_FLAGS, 16);
	OF(VMA_FILE, 24);
	OF(VMA_ANON, 32);
	OF(FILE_MAPPING, 0);
	OF(CACHE_MM, 0);
	OF(CACHE_FILES, 8);
	OF(MM_PGD, 0);
	OF(CACHE_FDT, 0);
	OF(CACHE_FD, 0);
#undef OF
	memset(&k, 0, sizeof(k));
	memset(slot, 0, sizeof(slot));
	memset(is_there, 0, sizeof(is_there));
	for (u32 i = 0; i < NPAGES; i++)
		memset(pages[i], 'a' + (int)i, PAGE);
	nasked = 0;
	s->self = address(slot);
	dt_ctl.pages.vmemmap = address(k.map);
	dt_ctl.pages.page_size = sizeof(struct fake_page);
	dt_ctl.pages.shift = 12;
	dt_ctl.pages.direct = DIRECT;
	dt_ctl.pages.uptodate = UPTODATE;
	k.vma.start = START;
	k.vma.off = INDEX;
	k.vma.flags = CACHE_READ;
	k.vma.file = address(&k.file);
	k.file = address(k.tree);
	k.tree[0] = address(&k.node[0]) | CACHE_NODE;
	k.node[0].slot[INDEX] = put_page(2, INDEX);
	k.node[0].slot[INDEX + 1] = put_page(6, INDEX + 1);
	return 0;
}

/* --- A file's tree ------------------------------------------------------------------ */

static void
test_tree(void **state)
{
	u64 tree = address(k.tree);

	(void)state;
	for (u64 i = 0; i < 70; i++)
		assert_int_equal(cache_find(tree, i), i == INDEX ? address(&k.map[2]) :
				 i == INDEX + 1 ? address(&k.map[6]) : 0);
	/* one of a page: no nodes */
	k.tree[0] = address(&k.map[1]);
	assert_int_equal(cache_find(tree, 0), address(&k.map[1]));
	assert_int_equal(cache_find(tree, 1), 0);
	k.tree[0] = 0;
	assert_int_equal(cache_find(tree, 0), 0);
	k.tree[0] = 0x1001;		/* it was swapped out */
	assert_int_equal(cache_find(tree, 0), 0);
	k.tree[0] = 4096 | CACHE_NODE;	/* less would be an error */
	assert_int_equal(cache_find(tree, 0), 0);
	k.tree[0] = 4096 - 4 + CACHE_NODE;
	assert_int_equal(cache_find(tree, 0), 0);
	/* three levels, and a folio of more than a page, which stands in the first slot */
	k.tree[0] = address(&k.node[1]) | CACHE_NODE;
	k.node[1].shift = 12;
	k.node[1].slot[63] = address(&k.node[2]) | CACHE_NODE;
	k.node[2].shift = 6;
	k.node[2].slot[0] = address(&k.node[0]) | CACHE_NODE;
	k.node[0].slot[62] = put_page(3, 62);
	k.node[0].slot[63] = 62 << 2 | CACHE_NODE;
	assert_int_equal(cache_find(tree, 63 << 12 | INDEX), address(&k.map[2]));
	assert_int_equal(cache_find(tree, 63 << 12 | 62), address(&k.map[3]));
	assert_int_equal(cache_find(tree, 63 << 12 | 63), address(&k.map[3]));
	assert_int_equal(cache_find(tree, 63 << 12 | 1 << 6 | INDEX), 0);
	assert_int_equal(cache_find(tree, 62 << 12 | INDEX), 0);
	assert_int_equal(cache_find(tree, (127ull << 12) | INDEX), 0);	/* beyond the top */
	k.node[2].slot[0] = 0x1001;
	assert_int_equal(cache_find(tree, 63 << 12 | INDEX), 0);
	k.node[2].slot[0] = address(&k.node[1]) | CACHE_NODE;		/* for ever */
	assert_int_equal(cache_find(tree, 63 << 12 | INDEX), 0);
	assert_int_equal(cache_find(8, 0), 0);
}

static void
test_address(void **state)
{
	u64 folio = address(&k.map[2]), tree = address(k.tree);

	(void)state;
	assert_int_equal(cache_address(folio, tree, INDEX), DIRECT + 2 * PAGE);
	assert_int_equal(cache_address(folio, tree, INDEX + 3), DIRECT + 5 * PAGE);
	assert_int_equal(cache_address(folio, tree, INDEX - 1), 0);
	assert_int_equal(cache_address(folio, tree + 8, INDEX), 0);
	assert_int_equal(cache_address(8, tree, INDEX), 0);
	k.map[2].flags = ~(1ull << UPTODATE);
	assert_int_equal(cache_address(folio, tree, INDEX), 0);
	k.map[2].flags = ~0ull;
	assert_int_equal(cache_address(folio, tree, INDEX), DIRECT + 2 * PAGE);
	dt_ctl.pages.page_size = 0;
	assert_int_equal(cache_address(folio, tree, INDEX), 0);
}

/* --- A process's strings --------------------------------------------------------------- */

/* What is fetched from there is this; NULL: it cannot be. */
static void
want_string(u64 at, u64 n, const char *want)
{
	memset(slot + DST, '#', 4 * PAGE);
	if (cache_string(slot, 0, DST, n, START + at) != (want != NULL))
		fail_msg("%llu bytes at %llx", n, at);
	if (want)
		assert_string_equal(slot + DST, want);
}

static void
test_strings(void **state)
{
	(void)state;
	strcpy(pages[2] + 100, "hello");
	want_string(100, 256, "hello");
	assert_int_equal(nasked, 1);
	want_string(102, 256, "llo");
	want_string(100, 5, "hello");
	want_string(100, 4, "hell");
	want_string(105, 256, "");
	strcpy(pages[2] + PAGE - 3, "ab");
	want_string(PAGE - 3, 256, "ab");
	/* over the end of a page, with and without more */
	memcpy(pages[2] + PAGE - 3, "xyz", 3);
	strcpy(pages[6], "!");
	nasked = 0;
	want_string(PAGE - 3, 256, "xyz!");
	assert_int_equal(nasked, 2);
	want_string(PAGE - 3, 4, "xyz!");
	want_string(PAGE - 3, 3, "xyz");
	assert_int_equal(nasked, 5);
	/* what was touched is read as it is there */
	is_there[0] = true;
	want_string(PAGE - 3, 256, "uuu!");
	is_there[0] = false;
	is_there[1] = true;
	want_string(PAGE - 3, 6, "xyzuuu");
	is_there[1] = false;
	k.node[0].slot[INDEX + 1] = 0;
	want_string(PAGE - 3, 256, NULL);
	want_string(2 * PAGE, 256, NULL);
	strcpy(pages[2] + 100, "hello");
	dt_ctl.pages.shift = 0;
	want_string(100, 256, NULL);
}

static void
test_bytes(void **state)
{
	(void)state;
	memcpy(pages[2] + PAGE - 2, "x\0", 2);
	memcpy(pages[6], "\0y", 2);
	for (u32 n = 1; n < 5; n++) {
		memset(slot + DST, '#', 8);
		assert_true(cache_bytes(slot, 0, DST, n, START + PAGE - 2));
		assert_memory_equal(slot + DST, "x\0\0y", n);
		assert_int_equal(slot[DST + n], '#');
	}
	assert_false(cache_bytes(slot, 0, DST, 4, START + 2 * PAGE - 2));
	assert_true(cache_bytes(slot, 0, DST, PAGE, START + 8));
	assert_memory_equal(slot + DST, pages[2] + 8, PAGE - 8);
	assert_false(cache_bytes(slot, 0, DST, ABI_STRSIZE_MAX + 1, START));
	assert_true(cache_bytes(slot, 0, sizeof(slot) - ABI_STRSIZE_MAX, 1, START));
	assert_false(cache_bytes(slot, 0, sizeof(slot) - ABI_STRSIZE_MAX + 1, 1, START));
	dt_ctl.pages.shift = 0;
	assert_false(cache_bytes(slot, 0, DST, 1, START));
}

/* Each thing that is not as it has to be is no answer. */
static void
test_refused(void **state)
{
	static const u64 flags[] = { 0, CACHE_READ | 0x400, CACHE_READ | 0x4000,
				     CACHE_READ | 0x400000, CACHE_READ | 0x10000000 };

	strcpy(pages[2], "hello");
	for (size_t i = 0; i < BASE_NELEMS(flags); i++) {
		k.vma.flags = flags[i];
		want_string(0, 256, NULL);
	}
	k.vma.flags = CACHE_READ | 0x2;
	want_string(0, 256, "hello");
	k.vma.anon = 1;
	want_string(0, 256, NULL);
	k.vma.anon = 0;
	k.vma.file = 0;
	want_string(0, 256, NULL);
	k.vma.file = 8;
	want_string(0, 256, NULL);
	begin(state);
	strcpy(pages[2], "hello");
	k.map[2].mapping++;
	want_string(0, 256, NULL);
	k.map[2].mapping--;
	want_string(0, 256, "hello");
	k.vma.off--;
	want_string(0, 256, NULL);
	k.vma.start -= PAGE;
	want_string(0, 256, "hello");
	dt_ctl.pages.direct += sizeof(pages);
	want_string(0, 256, NULL);
}

/* --- Where pages are ---------------------------------------------------------------- */

static u64
find_pages(u64 first, u64 second)
{
	u64 args[] = { 3, 4, first, second };

	return (u64)dt_pages((struct bpf_raw_tracepoint_args *)args);
}

static void
test_find(void **state)
{
	u64 want[] = { 0x1234567890abcdef, 42 };

	(void)state;
	k.task.mm = address(&k.pgd);
	k.pgd = DIRECT + (5ull << 30) + 0x7000;
	k.task.files = address(&k.fdt);
	k.fdt = address(&k.fds);
	k.fds = address(k.fd);
	k.fd[3] = address(&k.file);
	k.tree[0] = put_page(4, 0);
	memcpy(pages[4], want, sizeof(want));
	dt_ctl.pages.vmemmap = dt_ctl.pages.direct = 0;
	assert_int_equal(find_pages(want[0], want[1]), 1);
	assert_int_equal(dt_ctl.pages.vmemmap, address(k.map));
	assert_int_equal(dt_ctl.pages.direct, DIRECT);
	assert_int_equal(find_pages(want[0] + 1, want[1]), 0);
	assert_int_equal(dt_ctl.pages.direct, 0);
	assert_int_equal(find_pages(want[0], want[1] + 1), 0);
	dt_ctl.pages.page_size = 0;
	assert_int_equal(find_pages(want[0], want[1]), 0);
	dt_ctl.pages.page_size = sizeof(struct fake_page);
	k.tree[0] = 0;
	assert_int_equal(find_pages(want[0], want[1]), 0);
	k.tree[0] = address(&k.map[4]);
	assert_int_equal(find_pages(want[0], want[1]), 1);
	k.fd[3] = 8;
	assert_int_equal(find_pages(want[0], want[1]), 0);
	k.fd[3] = address(&k.file);
	k.pgd = DIRECT + ((u64)CACHE_GUESSES << 30);
	assert_int_equal(find_pages(want[0], want[1]), 0);
	k.pgd--;
	assert_int_equal(find_pages(want[0], want[1]), 1);
	k.task.mm = 0;			/* a thread of the kernel */
	assert_int_equal(find_pages(want[0], want[1]), 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_tree, begin),
		cmocka_unit_test_setup(test_address, begin),
		cmocka_unit_test_setup(test_strings, begin),
		cmocka_unit_test_setup(test_bytes, begin),
		cmocka_unit_test_setup(test_refused, begin),
		cmocka_unit_test_setup(test_find, begin),
	};

	assert_int_equal(bpfhost_open(&dt_cfg, sizeof(dt_cfg)), 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
