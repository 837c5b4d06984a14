/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * Memory of the process that is not there yet.  A program here must not wait, so
 * what the process has mapped but never touched cannot be read through its
 * page tables: a path that is a constant of the program, at the entry of the call
 * that is about to read it.  But what has been mapped from a file is there
 * once it is in the page cache, and that can be read like any memory of the
 * kernel:
 *
 *	the mapping of the address: bpf_find_vma()
 *	its page: the file's tree of pages (struct xarray)
 *	its bytes: where the kernel has all pages mapped (abi_ctl.pages)
 *
 * The answer is what the process would read, or none:
 *  1. The mapping never had a page of its own (anon_vma is NULL): then there is
 *     no copy that differs from the file's page, in memory or in swap.
 *  2. The mapping stays while its callback runs, under the lock of all
 *     mappings; and with it the file.
 *  3. A page may leave the cache at any time; that it is the file's, at that
 *     place, before and after it was copied proves that it was while it was.
 * Whatever is not as expected (a page being read in, swapped out, of another kind)
 * is no answer, and the string faults as it would have.
 */

enum {
	CACHE_SLOTS = 64, CACHE_SHIFT = 6,	/* of a node of an xarray */
	CACHE_HEIGHT = 6,	/* nodes from the top, at most */
	CACHE_NODE = 2,		/* the low two bits of an internal entry */
	CACHE_SIBLING = CACHE_SLOTS << 2,	/* below: a slot of the same node */
	CACHE_INTERNAL = 4096,	/* below: no node */
	/* Of a mapping: it can be read; and what is in it need not be in
	 * pages of the file: those of a device, huge ones. */
	CACHE_READ = 1, CACHE_OTHER = 0x400 | 0x4000 | 0x400000 | 0x10000000,
};

INLINE bool
cache_word(u64 base, enum abi_koff off, u64 *ret)
{
	return peek(base + dt_cfg.koff[off], ret);
}

INLINE bool
cache_is_node(u64 entry)
{
	return (entry & 3) == CACHE_NODE && entry > CACHE_INTERNAL;
}

/* The folio (or page) of a file at an index; 0: it is not in the cache. */
INLINE u64
cache_find(u64 mapping, u64 index)
{
	u64 entry = 0;

	if (!cache_word(mapping, ABI_KOFF_MAPPING_PAGES, &entry) ||
	    (!cache_is_node(entry) && index))
		return 0;
	for (int i = 0; i < CACHE_HEIGHT && cache_is_node(entry); i++) {
		u64 node = entry - CACHE_NODE, at;
		unsigned char shift = 0;
		if (bpf_probe_read_kernel(&shift, 1, (void *)(node +
				dt_cfg.koff[ABI_KOFF_NODE_SHIFT])))
			return 0;
		at = index >> (shift & 63);
		if (i == 0 && at >= CACHE_SLOTS)
			return 0;
		node += dt_cfg.koff[ABI_KOFF_NODE_SLOTS];
		if (!peek(node + (at & (CACHE_SLOTS - 1)) * 8, &entry))
			return 0;
		if ((entry & 3) == CACHE_NODE && entry < CACHE_SIBLING &&
		    !peek(node + (entry >> 2) * 8, &entry))
			return 0;
	}
	return entry & 3 ? 0 : entry;
}

/* The address of page `index` of a file, whose folio is at folio; 0: it is not
 * that of the file any more, or has not been read yet. */
INLINE u64
cache_address(u64 folio, u64 mapping, u64 index)
{
	const struct abi_pages *p = &dt_ctl.pages;
	u64 flags, owner, first;

	if (!cache_word(folio, ABI_KOFF_FOLIO_FLAGS, &flags) ||
	    !cache_word(folio, ABI_KOFF_FOLIO_MAPPING, &owner) ||
	    !cache_word(folio, ABI_KOFF_FOLIO_INDEX, &first) ||
	    !(flags >> (p->uptodate & 63) & 1) || owner != mapping ||
	    first > index || !p->page_size)
		return 0;
	u64 no = (folio - p->vmemmap) / p->page_size + (index - first);
	return p->direct + (no << (p->shift & 63));
}

/* In abi_slot.work, since stack is short here. */
enum {
	CACHE_DST,	/* offset in the slot */
	CACHE_ADDR,
	CACHE_LEFT,	/* bytes of the string, at most */
	CACHE_N,	/* how many of them lie in one page */
	CACHE_DONE,	/* 1: they have been read */
	CACHE_MAPPING,
};

/* Bytes from offset CACHE_DST that may be written. */
INLINE bool
cache_room(u64 dst, u64 n)
{
	return n <= ABI_STRSIZE_MAX &&
	       dst <= dt_cfg.slot_size - ABI_STRSIZE_MAX;
}

static long
cache_read_page(struct task_struct *t, void *vma, void *ctx)
{
	u64 v = (u64)vma, index, word, folio, from;
	char *slot = slot_get(*(u64 *)ctx);
	struct abi_slot *s = (struct abi_slot *)slot;

	if (!slot || !cache_word(v, ABI_KOFF_VMA_ANON, &word) || word ||
	    !cache_word(v, ABI_KOFF_VMA_FLAGS, &word) ||
	    (word & (CACHE_READ | CACHE_OTHER)) != CACHE_READ ||
	    !cache_word(v, ABI_KOFF_VMA_START, &word))
		return 0;
	index = (s->work[CACHE_ADDR] - word) >> (dt_ctl.pages.shift & 63);
	if (!cache_word(v, ABI_KOFF_VMA_OFF, &word))
		return 0;
	index += word;
	if (!cache_word(v, ABI_KOFF_VMA_FILE, &word) || !word ||
	    !cache_word(word, ABI_KOFF_FILE_MAPPING, &word))
		return 0;
	s->work[CACHE_MAPPING] = word;
	folio = cache_find(word, index);
	from = folio ? cache_address(folio, s->work[CACHE_MAPPING], index) : 0;
	if (!from)
		return 0;
	word = (1ULL << (dt_ctl.pages.shift & 63)) - 1;
	from += s->work[CACHE_ADDR] & word;
	u64 dst = s->work[CACHE_DST], n = s->work[CACHE_N];
	OPAQUE(dst);
	OPAQUE(n);
	if (!cache_room(dst, n) ||
	    bpf_probe_read_kernel(slot + dst, n, (void *)from))
		return 0;
	s->work[CACHE_DONE] = cache_address(folio, s->work[CACHE_MAPPING],
					    index) != 0;
	return 0;
}

/* n bytes at addr are to be at offset dst of the slot, page by page. */
INLINE void
cache_begin(struct abi_slot *s, u64 dst, u64 n, u64 addr)
{
	s->work[CACHE_DST] = dst;
	s->work[CACHE_ADDR] = addr;
	s->work[CACHE_LEFT] = n;
}

/* Go on behind what was fetched. */
INLINE void
cache_pass(struct abi_slot *s)
{
	s->work[CACHE_DST] += s->work[CACHE_N];
	s->work[CACHE_ADDR] += s->work[CACHE_N];
	s->work[CACHE_LEFT] -= s->work[CACHE_N];
}

/* What of the string lies in one page, from the page tables or from the cache. */
INLINE bool
cache_fetch(char *slot, u64 index)
{
	struct abi_slot *s = (struct abi_slot *)slot;
	u64 size = 1ULL << (dt_ctl.pages.shift & 63);
	u64 dst = s->work[CACHE_DST], n = s->work[CACHE_LEFT];
	u64 part = size - (s->work[CACHE_ADDR] & (size - 1));

	n = n < part ? n : part;
	s->work[CACHE_N] = n;
	s->work[CACHE_DONE] = 1;
	OPAQUE(dst);
	OPAQUE(n);
	if (!cache_room(dst, n))
		return false;
	if (!bpf_probe_read_user(slot + dst, n, (void *)s->work[CACHE_ADDR]))
		return true;
	s->work[CACHE_DONE] = 0;
	bpf_find_vma(bpf_get_current_task_btf(), s->work[CACHE_ADDR],
		     cache_read_page, &index, 0);
	return s->work[CACHE_DONE];
}

/* Put a NUL behind what was fetched, and go on behind it.  Bytes up to the first
 * NUL, or what was fetched if there is none; below 0: no room. */
INLINE long
cache_step(char *slot)
{
	struct abi_slot *s = (struct abi_slot *)slot;
	u64 dst = s->work[CACHE_DST], n = s->work[CACHE_N], end = dst + n;

	OPAQUE(end);
	if (end >= dt_cfg.slot_size)
		return -1;
	slot[end] = 0;
	u64 size = n + 1;
	OPAQUE(dst);
	OPAQUE(size);
	if (!cache_room(dst, size))
		return -1;
	/* Onto itself: only to learn the length. */
	long len = bpf_probe_read_kernel_str(slot + dst, size,
					     (void *)(s->self + dst));
	cache_pass(s);
	return len - 1;
}

/* The string at addr, of n bytes at most, to offset dst of the slot, page by
 * page; false: it cannot be read.  strsize is a page at most, so there are
 * two. */
INLINE bool
cache_string(char *slot, u64 index, u64 dst, u64 n, u64 addr)
{
	struct abi_slot *s = (struct abi_slot *)slot;

	if (!dt_ctl.pages.shift)
		return false;
	cache_begin(s, dst, n, addr);
#pragma clang loop unroll(disable)
	for (int i = 0; i < 2 && s->work[CACHE_LEFT]; i++) {
		if (!cache_fetch(slot, index))
			return false;
		long len = cache_step(slot);
		if (len < 0)
			return false;
		if ((u64)len < s->work[CACHE_N])
			return true;
	}
	return true;
}

/* So many bytes at addr, which are no more than a page; false: they cannot be read. */
INLINE bool
cache_bytes(char *slot, u64 index, u64 dst, u64 n, u64 addr)
{
	struct abi_slot *s = (struct abi_slot *)slot;

	if (!dt_ctl.pages.shift || n > ABI_STRSIZE_MAX)
		return false;
	cache_begin(s, dst, n, addr);
#pragma clang loop unroll(disable)
	for (int i = 0; i < 2 && s->work[CACHE_LEFT]; i++) {
		if (!cache_fetch(slot, index))
			return false;
		cache_pass(s);
	}
	return !s->work[CACHE_LEFT];
}

/* --- Where the kernel has its pages --------------------------------------- */

/*
 * The session has a file of one page, which begins with 16 bytes that no other
 * page begins with, and knows the number of the page.  The file's struct page
 * tells where those of all pages lie.  Where the pages themselves lie is one of
 * a few places: the kernel's map of all memory begins at a multiple of 1 GB, and
 * this process's page table lies in it.
 */
enum { CACHE_GUESSES = 1 << 14 };	/* GB of memory, at most */

struct cache_guess {
	u64 top, physical, want[2], found;
};

static long
cache_guess(u64 i, void *ctx)
{
	struct cache_guess *g = ctx;
	u64 base = g->top - (i << 30), got[2] = { 0, 0 };

	if (bpf_probe_read_kernel(got, 16, (void *)(base + g->physical)) ||
	    got[0] != g->want[0] || got[1] != g->want[1])
		return 0;
	g->found = base;
	return 1;
}

/* (struct file, number of its page, its first 16 bytes as two words) */
SEC("?raw_tp/sys_enter")
int
dt_pages(struct bpf_raw_tracepoint_args *ctx)
{
	struct abi_pages *p = &dt_ctl.pages;
	u64 task = bpf_get_current_task(), mm, top, files, fdt, fds, file;
	u64 mapping, no = ctx->args[1];
	struct cache_guess g = { .want = { ctx->args[2], ctx->args[3] } };

	if (!cache_word(task, ABI_KOFF_CACHE_MM, &mm) ||
	    !cache_word(mm, ABI_KOFF_MM_PGD, &top) ||
	    !cache_word(task, ABI_KOFF_CACHE_FILES, &files) ||
	    !cache_word(files, ABI_KOFF_CACHE_FDT, &fdt) ||
	    !cache_word(fdt, ABI_KOFF_CACHE_FD, &fds) ||
	    !peek(fds + ctx->args[0] * 8, &file) ||
	    !cache_word(file, ABI_KOFF_FILE_MAPPING, &mapping))
		return 0;
	u64 page = cache_find(mapping, 0);
	if (!page || !p->page_size)
		return 0;
	p->vmemmap = page - no * p->page_size;
	g.top = top & ~((1ULL << 30) - 1);
	g.physical = no << (p->shift & 63);
	bpf_loop(CACHE_GUESSES, cache_guess, &g, 0);
	p->direct = g.found;
	return g.found != 0;
}
