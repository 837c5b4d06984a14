/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where the kernel keeps its pages, for the runtime to read strings that a
 * process has mapped but never touched (bpfrt/cache.h).  The kernel tells
 * nobody, and has them elsewhere at each start.  So a page of our own is found
 * twice: by its number, as /proc/self/pagemap tells it, and by what stands in it.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "session/session_priv.h"
#include "util/cleanup.h"

bool
session_pages_known(struct session *s, const struct ebpf_input *in)
{
	static const bool needed[ABI_NKOFFS] = {
#define KOFF(name, need, tag, path) \
		[ABI_KOFF_##name] = EBPF_NEED_##need == EBPF_NEED_CACHE,
#include "abi/koff.def"
#undef KOFF
	};

	if (!(ebpf_needs(in) & EBPF_NEED_CACHE))
		return false;
	for (int i = 0; i < ABI_NKOFFS; i++)
		if (needed[i] && in->kernel.off[i] == UINT32_MAX)
			return false;
	return true;
}

/* The number of the bit that says that a page has been read in; -1: unknown. */
static int
uptodate_bit(struct session *s)
{
	const struct type *t = NULL;
	const struct type_enumerator *e;
	uint32_t n = 0;
	struct err *err = typedb_find(s->types, "vmlinux", TYPE_ENUM,
				      "pageflags", &t);

	session_forget(s, err);
	e = err || !t ? NULL : type_enums(t, &n);
	for (uint32_t i = 0; i < n; i++)
		if (strcmp(e[i].name, "PG_uptodate") == 0)
			return (int)e[i].value;
	return -1;
}

/* The number of the page at p, which is in memory; 0: nobody tells. */
static uint64_t
page_number(const void *p, size_t page)
{
	CLEANUP(util_closep) int fd = open("/proc/self/pagemap",
					   O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0;

	if (fd < 0 || pread(fd, &entry, 8, (off_t)((uintptr_t)p / page * 8)) != 8)
		return 0;
	return entry >> 63 ? entry & ((1ULL << 55) - 1) : 0;
}

/* Have the runtime look for the page of memory file fd. */
static bool
find_page(struct session *s, int fd, size_t page)
{
	uint64_t ctx[4] = { (uint64_t)fd }, *p;
	uint32_t found = 0;

	if (ftruncate(fd, (off_t)page))
		return false;
	p = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return false;
	if (getrandom(p, 16, 0) == 16) {
		ctx[1] = page_number(p, page);
		ctx[2] = p[0];
		ctx[3] = p[1];
	}
	if (ctx[1]) {
		int prog = kern_obj_prog(s->obj, "dt_pages");
		session_forget(s, kern_prog_run(prog, ctx, 4, &found));
	}
	munmap(p, page);
	return found;
}

void
session_pages_find(struct session *s)
{
	struct abi_pages *p = &s->ctl->pages;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint32_t off, size;
	int bit;

	if (!s->reads_cache || (bit = uptodate_bit(s)) < 0)
		return;
	struct err *e = typedb_offset(s->types, "folio", "page", &off, &size);
	session_forget(s, e);
	if (e)
		return;
	CLEANUP(util_closep) int fd = memfd_create("dtrace", MFD_CLOEXEC);
	if (fd < 0)
		return;
	p->page_size = size;
	p->uptodate = (uint32_t)bit;
	p->shift = (uint32_t)__builtin_ctzl(page);
	if (!find_page(s, fd, page))
		p->shift = 0;
}
