/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The stack of a process, by tables (bpfrt/unwind.h) and by frame pointers
 * (bpfrt/ustack.h), as a program of the host (support/bpfhost): the process, what the
 * kernel has of it and what the consumer has said are made up.  It is as on x86-64, on
 * every machine; what differs on aarch64 is test_arm64.c's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* From here on it is that machine. */
#undef __aarch64__
#undef __TARGET_ARCH_arm64
#define __TARGET_ARCH_x86
#include "bpfrt/rt.h"
#include "fakes.h"

/* What else it asks of the kernel. */
u64 bpf_get_current_task(void);
u64 bpf_get_current_pid_tgid(void);
long bpf_map_update_elem(void *map, const void *key, const void *value, u64 flags);
long bpf_ringbuf_output(void *ring, void *data, u64 size, u64 flags);
long bpf_find_vma(struct task_struct *task, u64 addr,
		  long (*fn)(struct task_struct *t, void *vma, void *ctx), void *ctx,
		  u64 flags);

#include "bpfrt/leaf.h"
#include "bpfrt/ustack.h"
#include "bpfrt/mapping.h"
#include "bpfrt/unwind.h"

#include "base/base.h"
#include "some.h"

enum { PID = 700, PARENT = 600, NWORDS = 1024, WINDOW_OFF = 1024, FRAMES = 8192,
       SLOT = 16384, NCHUNKS = 3, NPLACES = 8, PAGE = 4096, EBUSY_ = -16 };

#define BASE 0x7fff0000ull
#define AT(n) (BASE + 8 * (u64)(n))
#define RULE(what, n, saved) abi_unwind_rule(ABI_UNWIND_##what, n, saved)

/* --- What there is ------------------------------------------------------------ */

static u64 stack[NWORDS], slot_words[SLOT / 8];
static u64 drops[ABI_NCOUNTS];
static _Alignas(8) unsigned char chunks[NCHUNKS][ABI_UNWIND_CHUNK];
static bool has_chunk[NCHUNKS];

struct fake_vma {
	u64 start, end, off, file, ops, flags, mm;
};

static struct {
	struct fake_task { u64 exec, up, utask, mm; u32 tgid, other; } task[2];
	struct { u64 returns; } utask;
	struct fake_return { u64 stack, addr, next; } returned[6];
	struct fake_vma vma;
	u64 file;				/* its inode */
	struct { u64 ino, size, sb; } inode;
	struct { u32 dev, other; } sb;
	u64 root;				/* of struct mm_struct */
	_Alignas(MAPPING_NODE_SIZE) union {
		struct { u64 parent, pivot[15], slot[16]; } range;
		char room[MAPPING_NODE_SIZE];
	} node;
} k;

static struct { struct abi_unwind_key key; struct abi_unwind_place place; } places[NPLACES];
static unsigned nplaces, nasked, nfound, nreads;
static struct abi_unwind_ask ask;
static bool is_full, is_busy;
static u64 who;
static volatile struct abi_cfg *cfg;
static u64 *work;

u64
bpf_get_current_task(void)
{
	return address(&k.task[0]);
}

u64
bpf_get_current_pid_tgid(void)
{
	return who;
}

uint32_t
bpf_get_smp_processor_id(void)
{
	return 0;
}

long
bpf_probe_read_kernel(void *to, uint32_t size, const void *from)
{
	return read_within(to, size, from, &k, sizeof(k));
}

long
bpf_probe_read_user(void *to, uint32_t size, const void *from)
{
	u64 at = address(from) - BASE;

	nreads++;
	if (at > sizeof(stack) || size > sizeof(stack) - at)
		return -14;
	memcpy(to, (char *)stack + at, size);
	return 0;
}

static struct abi_unwind_place *
place_of(const struct abi_unwind_key *key)
{
	for (unsigned i = 0; i < nplaces; i++)
		if (!memcmp(&places[i].key, key, sizeof(*key)))
			return &places[i].place;
	return NULL;
}

__attribute__((noinline)) void *
bpf_map_lookup_elem(const void *map, const void *key)
{
	u32 i = *(const u32 *)key;

	if (map == &dt_slots)
		return slot_words;
	if (map == &dt_drops)
		return drops;
	if (map == &dt_unwind)
		return i < NCHUNKS && has_chunk[i] ? chunks[i] : NULL;
	if (map == &dt_unwind_places)
		return place_of(key);
	for (u32 n = 0; n < NCHUNKS; n++)
		if (map == chunks[n])
			return i ? NULL : chunks[n];
	return NULL;
}

static struct abi_unwind_place *
add_place(struct abi_unwind_key key, struct abi_unwind_place place)
{
	assert_true(nplaces < NPLACES);
	places[nplaces].key = key;
	places[nplaces].place = place;
	return &places[nplaces++].place;
}

__attribute__((noinline)) long
bpf_map_update_elem(void *map, const void *key, const void *value, u64 flags)
{
	assert_ptr_equal(map, &dt_unwind_places);
	assert_int_equal(flags, BPF_NOEXIST);
	if (is_full)
		return -7;
	add_place(*(const struct abi_unwind_key *)key,
		  *(const struct abi_unwind_place *)value);
	return 0;
}

long
bpf_ringbuf_output(void *ring, void *data, u64 size, u64 flags)
{
	assert_ptr_equal(ring, &dt_unwind_asks);
	assert_int_equal(size, sizeof(ask));
	assert_int_equal(flags, 0);
	memcpy(&ask, data, sizeof(ask));
	nasked++;
	return 0;
}

long
bpf_find_vma(struct task_struct *task, u64 addr,
	     long (*fn)(struct task_struct *t, void *vma, void *ctx), void *ctx, u64 flags)
{
	assert_int_equal(flags, 0);
	nfound++;
	if (is_busy)
		return EBUSY_;
	if (addr < k.vma.start || addr >= k.vma.end)
		return -2;
	fn(task, &k.vma, ctx);
	return 0;
}

/* --- A process ------------------------------------------------------------------ */

/* It stands at pc, with so many words of the stack below it. */
static void
begin(u64 pc, u64 sp, u64 fp)
{
	cfg = (volatile struct abi_cfg *)(uintptr_t)&dt_cfg;
	for (int i = 0; i < ABI_NKOFFS; i++)
		cfg->koff[i] = ~0U;
	cfg->window_off = WINDOW_OFF;
	cfg->slot_size = SLOT;
	cfg->page_shift = 12;
#define SET(name, type, member) cfg->koff[ABI_KOFF_##name] = (u32)offsetof(type, member)
#define OF(name, at) cfg->koff[ABI_KOFF_##name] = (u32)(at)
	SET(TASK_EXEC_ID, struct fake_task, exec);
	SET(TASK_UP, struct fake_task, up);
	SET(UP_TGID, struct fake_task, tgid);
	SET(TASK_UTASK, struct fake_task, utask);
	SET(TASK_MAPS, struct fake_task, mm);
	SET(MAP_START, struct fake_vma, start);
	SET(MAP_END, struct fake_vma, end);
	SET(MAP_OFF, struct fake_vma, off);
	SET(MAP_FILE, struct fake_vma, file);
	SET(MAP_OPS, struct fake_vma, ops);
	SET(MAP_FLAGS, struct fake_vma, flags);
	SET(MAP_MM, struct fake_vma, mm);
	OF(UTASK_RETURNS, 0);
	SET(RETURN_STACK, struct fake_return, stack);
	SET(RETURN_ADDR, struct fake_return, addr);
	SET(RETURN_NEXT, struct fake_return, next);
	OF(FILE_INODE, 0);
	OF(INODE_INO, 0);
	OF(INODE_SIZE, 8);
	OF(INODE_SB, 16);
	OF(SB_DEV, 0);
	OF(MM_ROOT, 0);
	OF(RANGE_PIVOTS, 8);
	OF(RANGE_SLOTS, 8 + 15 * 8);
	OF(RANGE_END, 8 + 15 * 8 + 15 * 8);
	OF(GAPS_PIVOTS, 8);
	OF(GAPS_SLOTS, 8 + 9 * 8);
	OF(GAPS_END, 8 + 9 * 8 + 20 * 8);
#undef OF
#undef SET
	memset(&k, 0, sizeof(k));
	k.task[0] = (struct fake_task){ 5, address(&k.task[1]), 0, address(&k.root), PID,
					0x5a5a };
	k.task[1] = (struct fake_task){ 4, 0, 0, 0, PARENT, 0x5a5a };
	memset(stack, 0, sizeof(stack));
	memset(slot_words, 0, sizeof(slot_words));
	memset(fake_regs, 0, sizeof(fake_regs));
	memset(drops, 0, sizeof(drops));
	memset(places, 0, sizeof(places));
	memset(&ask, 0, sizeof(ask));
	memset(has_chunk, 1, sizeof(has_chunk));
	nplaces = nasked = nfound = nreads = 0;
	is_full = is_busy = false;
	who = (u64)PID << 32 | PID;
	fake_regs[USTACK_PC] = pc;
	fake_regs[LEAF_SP] = sp;
	fake_regs[USTACK_REG_FP] = fp;
	fake_regs[USTACK_MODE] = ABI_MODE_CODE_64;
	fake_regs[ABI_ROLE_OFF_RESULT / 8] = 1;
	work = ustack_work((char *)slot_words);
}

/* Segment i of chunk 0 covers so much with one rule from its beginning on. */
static void
put_seg(u32 i, u64 start, u32 size, u32 rule)
{
	struct abi_unwind_seg *s = (struct abi_unwind_seg *)chunks[0] + i;
	struct abi_unwind_row *r = (struct abi_unwind_row *)chunks[1] + i;

	*s = (struct abi_unwind_seg){ start, start, size, 1, i, 1 };
	*r = (struct abi_unwind_row){ 0, rule };
}

static struct abi_unwind_place *
know(u32 first, u32 n)
{
	return add_place(abi_unwind_process(PID),
			 (struct abi_unwind_place){ 0, first, n, 0, 5 });
}

/* --- Who is asked for -------------------------------------------------------------- */

static void
test_parent(void **state)
{
	(void)state;
	begin(0, 0, 0);
	assert_int_equal(rt_unwind_up(), 0);		/* it runs another program */
	k.task[1].exec = 5;
	assert_int_equal(rt_unwind_up(), PARENT);
	k.task[0].up = 8;
	assert_int_equal(rt_unwind_up(), 0);
	/* of the parent only so much can be read */
	k.task[0].up = address(&k + 1) - 8;
	k.task[0].exec = *(u64 *)((char *)(&k + 1) - 8);
	assert_int_equal(rt_unwind_up(), 0);
	begin(0, 0, 0);
	k.task[1].exec = 5;
	cfg->koff[ABI_KOFF_TASK_UP] = 1 << 30;
	assert_int_equal(rt_unwind_up(), 0);
	begin(0, 0, 0);
	k.task[1].exec = 5;
	cfg->koff[ABI_KOFF_TASK_EXEC_ID] = ~0U;
	assert_int_equal(rt_unwind_up(), 0);
}

/* Once, until there is an answer, or the process executes another program. */
static void
test_ask(void **state)
{
	const struct abi_unwind_key own = abi_unwind_process(PID);

	(void)state;
	begin(0, 0, 0);
	k.task[1].exec = 5;
	assert_int_equal(rt_unwind_ask(0), 1);
	assert_int_equal(nasked, 1);
	assert_int_equal(ask.tgid, PID);
	assert_int_equal(ask.up, PARENT);
	assert_int_equal(ask.exec, 5);
	struct abi_unwind_place *p = place_of(&own);
	assert_non_null(p);
	assert_int_equal(p->asked, 1);
	assert_int_equal(p->exec, 5);
	assert_int_equal(p->n, 0);
	assert_int_equal(rt_unwind_ask(0), 0);
	assert_int_equal(nasked, 1);
	*p = (struct abi_unwind_place){ 1, 2, 3, 0, 5 };	/* the answer */
	assert_int_equal(rt_unwind_ask(0), 1);
	assert_int_equal(p->n, 3);
	assert_int_equal(p->asked, 1);
	k.task[0].exec = 6;
	assert_int_equal(rt_unwind_ask(0), 1);
	assert_int_equal(nasked, 3);
	assert_int_equal(ask.exec, 6);
	assert_int_equal(ask.up, 0);
	assert_int_equal(p->n, 0);
	assert_int_equal(p->exec, 6);
	assert_int_equal(rt_unwind_ask(0), 0);
	/* no room to remember it by */
	begin(0, 0, 0);
	is_full = true;
	assert_int_equal(rt_unwind_ask(0), 0);
	assert_int_equal(nasked, 0);
}

/* --- Tables ------------------------------------------------------------------------- */

/* At every byte, in every number of segments, what a search from the front finds. */
static void
test_search(void **state)
{
	static const u32 numbers[] = { 1, 2, 3, 7, 64, 100, 1023, 1024 };
	struct abi_unwind_seg *segs = (struct abi_unwind_seg *)chunks[0];
	struct abi_unwind_row *rows = (struct abi_unwind_row *)chunks[1];

	(void)state;
	begin(0, 0, 0);
	for (u32 i = 0; i < ABI_UNWIND_ROWS; i++)
		rows[i] = (struct abi_unwind_row){ i % 8 * 2, i };
	for (u32 t = 0; t < BASE_NELEMS(numbers); t++) {
		u32 n = numbers[t], first = 3 * t;
		u64 at = 1000, end;

		for (u32 i = 0; i < n; i++) {
			u32 nrows = some(9);
			segs[first + i] = (struct abi_unwind_seg){
				at, at, 1 + some(20), 1, 8 * (i + 1), nrows };
			at += segs[first + i].size + (some(2) ? some(5) : 0);
		}
		end = at;
		for (at = 990; at < end + 10; at++) {
			u64 want = 0;
			for (u32 i = 0; i < n; i++) {
				const struct abi_unwind_seg *s = &segs[first + i];
				u32 row = s->first;
				if (at < s->start || at >= s->start + s->size)
					continue;
				while (row + 1 < s->first + s->n &&
				       rows[row + 1].pc <= at - s->bias)
					row++;
				want = UNWIND_KNOWN | (s->n ? row : 0);
			}
			if (rt_unwind_in(0, first, n, at) != want)
				fail_msg("%u segments, %llu", n, at);
		}
		assert_int_equal(rt_unwind_in(0, first, 0, 1000), 0);
	}
	assert_int_equal(rt_unwind_in(NCHUNKS, 0, 1, 1000), 0);
	put_seg(0, 1000, 10, 77);
	assert_int_equal(rt_unwind_in(0, 0, 1, 1000), UNWIND_KNOWN | 77);
	has_chunk[1] = false;
	assert_int_equal(rt_unwind_in(0, 0, 1, 1000), 0);
	has_chunk[0] = false;
	assert_int_equal(rt_unwind_in(0, 0, 1, 1000), 0);
}

enum { MAPPED = 0x500000, SIZE = 0x3000, OFFSET = 7 /* pages */, DEV = 0x801, INO = 31,
       FILE_SIZE = 0x20000 };

/* A file is mapped, and a rule is known for two bytes of it. */
static void
map_file(struct abi_unwind_key key)
{
	begin(0, 0, 0);
	k.vma = (struct fake_vma){ MAPPED, MAPPED + SIZE, OFFSET, address(&k.file), 0,
				   UNWIND_VM_EXEC, address(&k.root) };
	k.file = address(&k.inode);
	k.inode.ino = INO;
	k.inode.size = FILE_SIZE;
	k.inode.sb = address(&k.sb);
	k.sb.dev = DEV;
	k.sb.other = 0x5a5a;
	work[UNWIND_WORD] = 8;
	put_seg(9, OFFSET * PAGE + 0x1234, 2, 99);
	add_place(key, (struct abi_unwind_place){ 0, 9, 1, 0, 0 });
}

static void
test_mapped_file(void **state)
{
	const struct abi_unwind_key key = { DEV, INO, FILE_SIZE };
	const struct abi_unwind_key some_dev = { ABI_UNWIND_SOME_DEV, INO, FILE_SIZE };
	const struct abi_unwind_key other = { DEV, INO, FILE_SIZE + 1 };

	(void)state;
	map_file(key);
	assert_int_equal(rt_unwind_mapped(0, MAPPED + 0x1234), UNWIND_KNOWN | 99);
	assert_int_equal(rt_unwind_mapped(0, MAPPED + 0x1235), UNWIND_KNOWN | 99);
	assert_int_equal(rt_unwind_mapped(0, MAPPED + 0x1233), 0);
	assert_int_equal(rt_unwind_mapped(0, MAPPED + 0x1236), 0);
	assert_int_equal(nfound, 1);		/* it is remembered */
	assert_int_equal(rt_unwind_mapped(0, MAPPED + SIZE), 0);
	assert_int_equal(rt_unwind_mapped(0, MAPPED - 1), 0);
	assert_int_equal(nfound, 3);
	assert_int_equal(rt_unwind_mapped(0, MAPPED + 0x1234), UNWIND_KNOWN | 99);
	assert_int_equal(nfound, 3);
	work[UNWIND_STAMP] = 1;			/* as it was of another */
	assert_int_equal(rt_unwind_mapped(0, MAPPED + 0x1234), UNWIND_KNOWN | 99);
	assert_int_equal(nfound, 4);

	map_file(some_dev);
	assert_int_equal(rt_unwind_mapped(0, MAPPED + 0x1234), UNWIND_KNOWN | 99);
	map_file(other);
	assert_int_equal(rt_unwind_mapped(0, MAPPED + 0x1234), 0);
	map_file(key);
	cfg->page_shift = 0;
	assert_int_equal(rt_unwind_mapped(0, MAPPED + 0x1234), 0);
	assert_int_equal(nfound, 0);
	map_file(key);
	k.file = 8;				/* what cannot be read */
	assert_int_equal(rt_unwind_mapped(0, MAPPED + 0x1234), 0);
	map_file(key);
	k.inode.sb = 8;
	assert_int_equal(rt_unwind_mapped(0, MAPPED + 0x1234), 0);
}

static void
test_mapped_memory(void **state)
{
	static const u64 word[] = { 8, 4 };
	const struct abi_unwind_key none = { 1, 1, 1 };

	(void)state;
	map_file(none);
	k.vma.file = 0;
	assert_int_equal(rt_unwind_mapped(0, MAPPED), UNWIND_KNOWN);
	map_file(none);
	k.vma.file = 0;
	k.vma.flags = ~(u64)UNWIND_VM_EXEC;
	assert_int_equal(rt_unwind_mapped(0, MAPPED), UNWIND_KNOWN | UNWIND_NO_CODE);
	/* the kernel's own code, by its size */
	for (u32 i = 0; i < 2; i++) {
		map_file((struct abi_unwind_key){ 0, 0, SIZE + i });
		put_seg(9, 0x1234, 2, 98);
		k.vma.file = 0;
		k.vma.ops = 1;
		k.vma.flags = 0;
		work[UNWIND_WORD] = word[i];
		assert_int_equal(rt_unwind_mapped(0, MAPPED + 0x1234), UNWIND_KNOWN | 98);
		work[UNWIND_WORD] = word[!i];
		work[UNWIND_STAMP]++;
		assert_int_equal(rt_unwind_mapped(0, MAPPED + 0x1234), 0);
	}
	/* of 32 bits, before it is known: where a system call is made */
	work[UNWIND_WORD] = 4;
	nplaces = 0;
	work[UNWIND_EXACT] = 1;
	assert_int_equal(rt_unwind_mapped(0, MAPPED), UNWIND_KNOWN | RULE(SP, 4, 4));
	work[UNWIND_EXACT] = 0;
	assert_int_equal(rt_unwind_mapped(0, MAPPED), 0);
	work[UNWIND_EXACT] = 1;
	work[UNWIND_WORD] = 8;
	assert_int_equal(rt_unwind_mapped(0, MAPPED), 0);
	map_file(none);
	work[UNWIND_WORD] = 4;
	work[UNWIND_EXACT] = 1;
	assert_int_equal(rt_unwind_mapped(0, MAPPED), 0);
}

/* While the kernel changes what is mapped, it is looked for without its lock. */
static void
test_mapped_busy(void **state)
{
	const struct abi_unwind_key key = { DEV, INO, FILE_SIZE };

	(void)state;
	map_file(key);
	is_busy = true;
	k.node.range.pivot[0] = MAPPED - 1;
	k.node.range.pivot[1] = MAPPED + SIZE - 1;
	k.node.range.pivot[2] = ~0ull;
	k.node.range.slot[1] = address(&k.vma);
	*(unsigned char *)&k.node.range.slot[15] = 2;
	k.root = address(&k.node) | MAPPING_LEAF << MAPPING_KIND_SHIFT | 4 | 2;
	assert_int_equal(rt_unwind_mapped(0, MAPPED + 0x1234), UNWIND_KNOWN | 99);
	assert_int_equal(rt_unwind_mapped(0, MAPPED + SIZE), 0);
	work[UNWIND_STAMP]++;
	k.vma.mm++;			/* it is somebody else's by now */
	assert_int_equal(rt_unwind_mapped(0, MAPPED + 0x1234), 0);
}

/* --- From frame to frame ---------------------------------------------------------- */

static void
set_frame(u64 pc, u64 sp, u64 fp, u32 word)
{
	begin(pc, sp, fp);
	work[UNWIND_PC] = pc;
	work[UNWIND_SP] = sp;
	work[USTACK_FP] = fp;
	work[UNWIND_EXACT] = 1;
	work[UNWIND_WORD] = word;
	work[USTACK_AT] = FRAMES;
}

static void
want(u64 pc, u64 sp, u64 fp)
{
	assert_int_equal(work[UNWIND_PC], pc);
	assert_int_equal(work[UNWIND_SP], sp);
	assert_int_equal(work[USTACK_FP], fp);
	assert_int_equal(slot_words[work[USTACK_AT] / 8 - 1], pc);
}

static void
test_steps(void **state)
{
	const struct {
		u64 pc;
		u32 rule;
		struct { u64 pc, sp, fp; } up;	/* pc 0: it has none */
	} rows[] = {
		{ 0x400008, RULE(SP, 3, 0), { 0x500002, AT(103), AT(200) } },
		{ 0x400008, RULE(SP, 4, 2), { 0x500003, AT(104), AT(302) } },
		{ 0x400008, RULE(SP, 1, 0), { 0x500000, AT(101), AT(200) } },
		{ 0x400008, RULE(SP, 0, 0), { 0, 0, 0 } },
		{ 0x400008, RULE(FP, 2, 2), { 0x500101, AT(202), AT(400) } },
		{ 0x400008, RULE(FRAME, 0, 0), { 0x500101, AT(202), AT(400) } },
		{ 0x400008, RULE(STOP, 0, 0), { 0, 0, 0 } },
		{ 0x400008, RULE(PLT, 11, 0), { 0x500000, AT(101), AT(200) } },
		{ 0x40000a, RULE(PLT, 11, 0), { 0x500000, AT(101), AT(200) } },
		{ 0x40000b, RULE(PLT, 11, 0), { 0x500001, AT(102), AT(200) } },
		{ 0x40000f, RULE(PLT, 11, 0), { 0x500001, AT(102), AT(200) } },
		/* the words by which these go stand at 110 and 195 */
		{ 0x400008, RULE(SP_DEREF, 11, 0), { 0x500005, AT(106), AT(200) } },
		{ 0x400008, RULE(FP_DEREF, 5, 0), { 0x500006, AT(107), AT(400) } },
		{ 0x400008, RULE(FP_DEREF, 6, 0), { 0, 0, 0 } },
		{ 0x400008, RULE(SP_DEREF, 900, 0), { 0, 0, 0 } },
	};

	(void)state;
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		set_frame(rows[i].pc, AT(100), AT(200), 8);
		for (u32 n = 0; n < 10; n++)
			stack[100 + n] = 0x500000 + n;
		for (u32 n = 0; n < 10; n++)
			stack[200 + n] = 0x500100 + n;
		stack[102] = rows[i].rule == RULE(SP, 4, 2) ? AT(302) : 0x500002;
		stack[200] = AT(400);
		stack[110] = AT(105);
		stack[195] = AT(107);
		if (!!rt_unwind_step(0, rows[i].rule, 1) != !!rows[i].up.pc)
			fail_msg("row %zu", i);
		if (rows[i].up.pc) {
			want(rows[i].up.pc, rows[i].up.sp, rows[i].up.fp);
			assert_int_equal(work[UNWIND_EXACT], 0);
		}
	}
}

/* A frame that does not lie above, one whose caller is no address or cannot be read. */
static void
test_ends(void **state)
{
	static const u64 addrs[] = { 0, 1, 0xffff, (1ull << 47) + 0x10000, ~0ull };

	(void)state;
	set_frame(0x400008, AT(100), AT(99), 8);
	stack[100] = 0x500000;
	assert_int_equal(rt_unwind_step(0, RULE(FRAME, 0, 0), 1), 0);
	set_frame(0x400008, AT(100), AT(100), 8);
	stack[101] = 0x500001;
	assert_int_equal(rt_unwind_step(0, RULE(FRAME, 0, 0), 1), 1);
	set_frame(0x400008, AT(100), AT(98), 8);
	stack[99] = 0x500000;
	assert_int_equal(rt_unwind_step(0, RULE(FP, 2, 0), 1), 0);
	for (size_t i = 0; i < BASE_NELEMS(addrs); i++) {
		set_frame(0x400008, AT(100), 0, 8);
		stack[100] = addrs[i];
		assert_int_equal(rt_unwind_step(0, RULE(SP, 1, 0), 1), 0);
	}
	set_frame(0x400008, AT(100), 0, 8);
	stack[100] = 0x10000;
	assert_int_equal(rt_unwind_step(0, RULE(SP, 1, 0), 1), 1);
	set_frame(0x400008, AT(100), 0, 8);
	stack[100] = (1ull << 47) + 0xffff;
	assert_int_equal(rt_unwind_step(0, RULE(SP, 1, 0), 1), 1);
	set_frame(0x400008, AT(NWORDS), 0, 8);
	assert_int_equal(rt_unwind_step(0, RULE(SP, 1, 0), 1), 0);
	/* a thread's first: what was put for it is taken back, but not the very first */
	set_frame(0x400008, AT(100), 0, 8);
	slot_words[FRAMES / 8] = 0x400008;
	work[USTACK_AT] = FRAMES + 8;
	assert_int_equal(rt_unwind_step(0, UNWIND_KNOWN | UNWIND_NO_CODE, 1), 0);
	assert_int_equal(work[USTACK_AT], FRAMES);
	assert_int_equal(slot_words[FRAMES / 8], 0);
	set_frame(0x400008, AT(100), AT(100), 8);
	stack[101] = 0x500001;
	assert_int_equal(rt_unwind_step(0, UNWIND_KNOWN | UNWIND_NO_CODE, 0), 1);
}

static void
test_signals(void **state)
{
	(void)state;
	set_frame(0x400008, AT(100), AT(10), 8);
	stack[100 + ABI_UNWIND_SIG_FP / 8] = AT(300);
	stack[100 + ABI_UNWIND_SIG_SP / 8] = AT(290);
	stack[100 + ABI_UNWIND_SIG_PC / 8] = 0x500204;
	work[UNWIND_EXACT] = 0;
	assert_int_equal(rt_unwind_step(0, RULE(SIGNAL, 0, 0), 1), 1);
	want(0x500204, AT(290), AT(300));
	assert_int_equal(work[UNWIND_EXACT], 1);
	set_frame(0x400008, AT(100), AT(10), 8);
	assert_int_equal(rt_unwind_step(0, RULE(SIGNAL, 0, 0), 1), 0);
	set_frame(0x400008, AT(NWORDS - 4), AT(10), 8);
	assert_int_equal(rt_unwind_step(0, RULE(SIGNAL, 0, 0), 1), 0);
}

/* In words of four bytes. */
static void
test_32(void **state)
{
	u32 *words = (u32 *)stack;

	(void)state;
	set_frame(0x400008, BASE + 400, BASE + 800, 4);
	words[102] = 0x500002;
	words[101] = (u32)BASE + 900;
	assert_int_equal(rt_unwind_step(0, RULE(SP, 3, 2), 1), 1);
	want(0x500002, BASE + 412, BASE + 900);
	set_frame(0x400008, BASE + 400, BASE + 800, 4);
	words[200] = (u32)BASE + 1000;
	words[201] = 0x500003;
	assert_int_equal(rt_unwind_step(0, RULE(FRAME, 0, 0), 1), 1);
	want(0x500003, BASE + 808, BASE + 1000);
	set_frame(0x400008, BASE + 400, BASE + 800, 4);
	words[105] = (u32)BASE + 2000;			/* sp + 5 words */
	words[104] = (u32)BASE + 2100;
	words[112] = 0x500004;
	assert_int_equal(rt_unwind_step(0, RULE(SIGNAL, 5, 0), 1), 1);
	want(0x500004, BASE + 2000, BASE + 2100);
	assert_int_equal(work[UNWIND_EXACT], 1);
}

/* Where a uprobe has a function return to the kernel, what stood there is put: of those
 * that lie as high, while those below are left behind. */
static void
test_returns(void **state)
{
	static const struct { u64 stack, addr; } rows[] = {
		{ AT(90), 0x600000 }, { AT(95), 0x600001 }, { AT(101), 0x600002 },
		{ AT(103), 0x600003 },
	};

	(void)state;
	for (u32 unknown = 0; unknown < 2; unknown++) {
		begin(0x400008, AT(100), 0);
		k.task[0].utask = address(&k.utask);
		k.utask.returns = address(&k.returned[0]);
		for (u32 i = 0; i < 4; i++)
			k.returned[i] = (struct fake_return){ rows[i].stack, rows[i].addr,
				i < 3 ? address(&k.returned[i + 1]) : 0 };
		if (unknown)
			k.returned[1].next = 8;
		for (u32 n = 0; n < 4; n++)
			stack[100 + n] = 0x500000 + n;
		know(0, 0);
		assert_int_equal(rt_unwind_begin(0, FRAMES), 1);
		u64 seen[] = { 0x500000, 0x600002, 0x500002, 0x600003 };
		u64 plain[] = { 0x500000, 0x500001, 0x500002, 0x500003 };
		for (u32 n = 0; n < 4; n++) {
			assert_int_equal(rt_unwind_step(0, RULE(SP, 1, 0), 1), 1);
			want(unknown ? plain[n] : seen[n], AT(101 + n), 0);
		}
	}
	/* nobody knows where to look */
	begin(0x400008, AT(100), 0);
	cfg->koff[ABI_KOFF_TASK_UTASK] = ~0U;
	assert_int_equal(rt_unwind_begin(0, FRAMES), 0);
	begin(0x400008, AT(100), 0);
	k.task[0].utask = address(&k.utask);
	cfg->koff[ABI_KOFF_RETURN_NEXT] = ~0U;
	assert_int_equal(rt_unwind_begin(0, FRAMES), 0);
	begin(0x400008, AT(100), 0);
	k.task[0].utask = 8;
	assert_int_equal(rt_unwind_begin(0, FRAMES), 0);
}

/* --- Whole stacks -------------------------------------------------------------------- */

enum { CODE = 0x400000 };

/* Each function is 16 bytes long and has frames of two words. */
static void
call_functions(u32 n)
{
	begin(CODE, AT(100), AT(900));
	for (u32 i = 0; i < n; i++) {
		put_seg(i, CODE + 16 * i, 16, RULE(SP, 2, 0));
		stack[101 + 2 * i] = CODE + 16 * (i + 1) + 5;
	}
	put_seg(n, CODE + 16 * n, 16, RULE(STOP, 0, 0));
}

static void
expect_frames(u32 n)
{
	assert_int_equal(work[USTACK_AT], FRAMES + 8 * (n + 1));
	assert_int_equal(slot_words[FRAMES / 8], CODE);
	for (u32 i = 1; i <= n; i++)
		assert_int_equal(slot_words[FRAMES / 8 + i], CODE + 16 * i + 5);
	assert_int_equal(slot_words[FRAMES / 8 + n + 1], 0);
}

static void
test_stack(void **state)
{
	(void)state;
	for (u32 n = 1; n < 3 * ABI_UNWIND_SOME; n++) {
		call_functions(n);
		know(0, n + 1);
		assert_int_equal(rt_unwind_begin(0, FRAMES), 1);
		u32 later = 0;
		while (rt_unwind_some(0, FRAMES + 8 * 100, later))
			later = 1;
		expect_frames(n);
		assert_int_equal(work[UNWIND_BLIND], 0);
		assert_int_equal(nasked, 0);
		assert_int_equal(drops[ABI_BLIND_STACKS], 0);
	}
	/* no more than there is room for */
	call_functions(20);
	know(0, 21);
	assert_int_equal(rt_unwind_begin(0, FRAMES), 1);
	assert_int_equal(rt_unwind_some(0, FRAMES + 8 * 5, 0), 0);
	expect_frames(4);
	call_functions(20);
	know(0, 21);
	assert_int_equal(rt_unwind_begin(0, FRAMES), 1);
	assert_int_equal(rt_unwind_some(0, FRAMES + 8 * 100, 0), 1);
	expect_frames(ABI_UNWIND_SOME);
	/* nor than the slot has */
	for (u32 n = 0; n < 4; n++) {
		call_functions(20);
		know(0, 21);
		assert_int_equal(rt_unwind_begin(0, SLOT - 8 * n - 8), 1);
		assert_int_equal(rt_unwind_some(0, ~0ull, 0), 0);
		assert_int_equal(work[USTACK_AT], SLOT);
		for (u32 i = 1; i <= n; i++)
			assert_int_equal(slot_words[SLOT / 8 - n - 1 + i], CODE + 16 * i + 5);
	}
}

/* A return address belongs to the byte before it; where a thread stands does not. */
static void
test_exact(void **state)
{
	(void)state;
	call_functions(2);
	know(0, 3);
	stack[101] = CODE + 32;			/* behind the second */
	assert_int_equal(rt_unwind_begin(0, FRAMES), 1);
	assert_int_equal(rt_unwind_some(0, FRAMES + 800, 0), 0);
	assert_int_equal(work[USTACK_AT], FRAMES + 24);
	call_functions(2);
	know(0, 3);
	fake_regs[USTACK_PC] = CODE + 32;
	assert_int_equal(rt_unwind_begin(0, FRAMES), 1);
	assert_int_equal(rt_unwind_some(0, FRAMES + 800, 0), 0);
	assert_int_equal(work[USTACK_AT], FRAMES + 8);
}

/* Without a table for where it begins there is no frame, and it is counted once; one that
 * is missing later is made up for by the frame pointer. */
static void
test_blind(void **state)
{
	(void)state;
	call_functions(3);
	assert_int_equal(rt_unwind_begin(0, FRAMES), 1);
	assert_int_equal(rt_unwind_some(0, FRAMES + 800, 0), 0);
	assert_int_equal(work[USTACK_AT], FRAMES);
	assert_int_equal(work[UNWIND_BLIND], 1);
	assert_int_equal(drops[ABI_BLIND_STACKS], 1);
	assert_int_equal(nasked, 1);

	call_functions(3);
	know(0, 2);
	stack[900] = 0;
	stack[901] = CODE + 21;
	assert_int_equal(rt_unwind_begin(0, FRAMES), 1);
	assert_int_equal(rt_unwind_some(0, FRAMES + 800, 0), 0);
	assert_int_equal(work[USTACK_AT], FRAMES + 32);
	assert_int_equal(slot_words[FRAMES / 8 + 2], CODE + 37);
	assert_int_equal(slot_words[FRAMES / 8 + 3], CODE + 21);
	assert_int_equal(work[UNWIND_BLIND], 1);
	assert_int_equal(drops[ABI_BLIND_STACKS], 1);
	assert_int_equal(nasked, 1);
	/* two of them are one stack */
	call_functions(3);
	know(0, 1);
	assert_int_equal(rt_unwind_begin(0, FRAMES), 1);
	work[UNWIND_PC] = CODE + 100;
	assert_int_equal(rt_unwind_find(0), 0);
	assert_int_equal(rt_unwind_find(0), 0);
	assert_int_equal(drops[ABI_BLIND_STACKS], 1);
}

/* Who was just forked has what its parent has, and its own is asked for. */
static void
test_forked(void **state)
{
	(void)state;
	for (u32 i = 0; i < 4; i++) {
		call_functions(3);
		k.task[1].exec = i == 1 ? 6 : 5;
		add_place(abi_unwind_process(PARENT), (struct abi_unwind_place){
			0, 0, i == 2 ? 0 : 4, 0, i == 3 ? 6 : 5 });
		assert_int_equal(rt_unwind_begin(0, FRAMES), 1);
		assert_int_equal(nasked, 1);
		assert_int_equal(ask.up, i == 1 ? 0 : PARENT);
		assert_int_equal(rt_unwind_some(0, FRAMES + 800, 0), 0);
		if (i)
			assert_int_equal(work[USTACK_AT], FRAMES);
		else
			expect_frames(3);
	}
}

/* What was found is remembered, as long as the segments stay where they are. */
static void
test_remembered(void **state)
{
	struct abi_unwind_place *p;

	(void)state;
	call_functions(3);
	p = know(0, 4);
	assert_int_equal(rt_unwind_begin(0, FRAMES), 1);
	assert_int_equal(rt_unwind_some(0, FRAMES + 800, 0), 0);
	expect_frames(3);
	has_chunk[0] = false;
	assert_int_equal(rt_unwind_begin(0, FRAMES), 1);
	assert_int_equal(rt_unwind_some(0, FRAMES + 800, 0), 0);
	expect_frames(3);
	p->first = 1;
	assert_int_equal(rt_unwind_begin(0, FRAMES), 1);
	assert_int_equal(rt_unwind_recall(0), 0);
	p->first = 0;
	assert_int_equal(rt_unwind_begin(0, FRAMES), 1);
	assert_int_equal(rt_unwind_recall(0), UNWIND_KNOWN | RULE(SP, 2, 0));
	work[UNWIND_PC]++;
	assert_int_equal(rt_unwind_recall(0), 0);
}

/* A thread that has run nothing yet, on a stack that it was given, has one frame. */
static void
test_new(void **state)
{
	const struct {
		u32 call;
		bool is_32, is_thread, has_result, is_new;
		u64 given;
	} rows[] = {
		{ 56, false, false, false, true, 1 }, { 56, false, false, true, false, 1 },
		{ 56, false, false, false, false, 0 }, { 120, true, false, false, true, 1 },
		{ 120, false, false, false, false, 1 }, { 56, true, false, false, false, 1 },
		{ 435, false, true, false, true, 0 }, { 435, false, false, false, false, 0 },
		{ 435, false, false, false, true, 1 }, { 435, true, false, false, true, 1 },
		{ 57, false, true, false, false, 1 }, { 435, false, true, true, false, 1 },
	};

	(void)state;
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		bool is_clone3 = rows[i].call == 435;
		u64 given = is_clone3 ? BASE : rows[i].given;
		begin(CODE, AT(100), AT(200));
		fake_regs[ABI_ROLE_OFF_RESULT / 8] = rows[i].has_result;
		fake_regs[ABI_ROLE_OFF_CALL / 8] = rows[i].call | 0x5ull << 32;
		fake_regs[USTACK_MODE] = rows[i].is_32 ? 0x23 : 0x33;
		fake_regs[(rows[i].is_32 ? is_clone3 ? ABI_ROLE_OFF_COMPAT0 : ABI_ROLE_OFF_COMPAT1 :
		      is_clone3 ? ABI_ROLE_OFF_CALL0 : ABI_ROLE_OFF_CALL1) / 8] = given;
		stack[5] = is_clone3 ? rows[i].given : 0;	/* 40 bytes into them */
		who = (u64)PID << 32 | (PID + rows[i].is_thread);
		if (ustack_is_new(fake_regs) != rows[i].is_new)
			fail_msg("row %zu", i);
		assert_int_equal(rt_unwind_begin(0, FRAMES), 1);
		assert_int_equal(work[UNWIND_PC], rows[i].is_new ? 0 : CODE);
		assert_int_equal(work[UNWIND_WORD], rows[i].is_32 ? 4 : 8);
		assert_int_equal(work[USTACK_AT], FRAMES + 8);
		if (rows[i].is_new)
			assert_int_equal(rt_unwind_some(0, FRAMES + 80, 1), 0);
		if (!rows[i].is_32 && rows[i].is_new) {
			assert_int_equal(rt_ustack(0, FRAMES, 9), 1);
			assert_int_equal(slot_words[FRAMES / 8], CODE);
		}
	}
	begin(0, AT(100), AT(200));
	assert_int_equal(rt_unwind_begin(0, FRAMES), 0);
	assert_int_equal(rt_ustack(0, FRAMES, 9), 0);
}

/* --- By frame pointers ----------------------------------------------------------------- */

/* n frames, `apart` words from each other, from the first of the stack on. */
static void
chain(u32 sp, u32 n, u32 apart)
{
	begin(CODE, AT(sp), AT(sp + 1));
	for (u32 i = 0; i < n; i++) {
		stack[sp + 1 + i * apart] = AT(sp + 1 + (i + 1) * apart);
		stack[sp + 2 + i * apart] = CODE + i + 1;
	}
}

static void
test_chain(void **state)
{
	(void)state;
	for (u32 n = 0; n < 30; n++)
		for (u32 max = 2; max < 34; max++) {
			u32 most = n + 1 < max ? n + 1 : max;
			chain(20, n, 3);
			assert_int_equal(rt_ustack(0, FRAMES, max), most);
			for (u32 i = 0; i < most; i++)
				assert_int_equal(slot_words[FRAMES / 8 + i], CODE + i);
			assert_int_equal(slot_words[FRAMES / 8 + most], 0);
		}
	/* of 32 bits; a stack that cannot be read */
	chain(20, 3, 3);
	fake_regs[USTACK_MODE] = 0x23;
	assert_int_equal(rt_ustack(0, FRAMES, 9), 0);
	chain(20, 3, 3);
	fake_regs[LEAF_SP] = BASE - 8;
	assert_int_equal(rt_ustack(0, FRAMES, 9), 0);
	fake_regs[LEAF_SP] = 8;
	nreads = 0;
	assert_int_equal(rt_ustack(0, FRAMES, 9), 0);
	assert_int_equal(nreads, 0);
	/* one that goes on for ever, and frames that are too large to be read ahead */
	chain(20, 3, 3);
	stack[21] = AT(21);
	assert_int_equal(rt_ustack(0, FRAMES, 500), 0);
	chain(20, 10, 70);
	assert_int_equal(rt_ustack(0, FRAMES, 500), 0);
}

/* The window goes as far as its page where the next cannot be read, which is remembered;
 * a frame has to be in it as a whole. */
static void
test_window(void **state)
{
	(void)state;
	for (u32 left = 1; left < 80; left++) {
		bool is_short = left < ABI_WINDOW / 8;
		begin(CODE, 0, 0);
		for (u32 i = 0; i < NWORDS; i++)
			stack[i] = i;
		for (u32 again = 0; again < 2; again++) {
			nreads = 0;
			u64 n = rt_ustack_read(0, AT(NWORDS - left));
			assert_int_equal(n, left < 2 ? 0 : is_short ? left * 8 : ABI_WINDOW);
			assert_int_equal(nreads, left < 2 || !is_short || again ? 1 : 2);
			if (n) {
				assert_int_equal(work[USTACK_BASE], AT(NWORDS - left));
				assert_int_equal(work[USTACK_LAST], n - 16);
				assert_memory_equal((char *)slot_words + WINDOW_OFF,
						    &stack[NWORDS - left], n);
			}
			assert_int_equal(work[USTACK_READS], again + 1);
		}
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parent),
		cmocka_unit_test(test_ask),
		cmocka_unit_test(test_search),
		cmocka_unit_test(test_mapped_file),
		cmocka_unit_test(test_mapped_memory),
		cmocka_unit_test(test_mapped_busy),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_32),
		cmocka_unit_test(test_returns),
		cmocka_unit_test(test_stack),
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_blind),
		cmocka_unit_test(test_forked),
		cmocka_unit_test(test_remembered),
		cmocka_unit_test(test_new),
		cmocka_unit_test(test_chain),
		cmocka_unit_test(test_window),
	};

	assert_int_equal(bpfhost_open(&dt_cfg, sizeof(dt_cfg)), 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
