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

#include "base/base.h"
#include "kengine/kengine_priv.h"
#include "kengine/parts_priv.h"
#include "util/cleanup.h"

bool
kengine_pages_known(struct kengine *k, const struct ebpf_input *in)
{
	static const bool needed[ABI_NKOFFS] = {
#define KOFF(name, need, tag, path) \
		[ABI_KOFF_##name] = EBPF_NEED_##need == EBPF_NEED_CACHE,
#include "abi/koff.def"
#undef KOFF
	};

	if (!(ebpf_needs(in) & EBPF_NEED_CACHE))
		return false;
	return !BASE_ANY(i, ABI_NKOFFS,
			 needed[i] && in->kernel.off[i] == UINT32_MAX);
}

/* *ret: the number of the bit that says that a page has been read in; -1:
 * unknown. */
static struct err *
uptodate_bit(struct kengine *k, int *ret)
{
	const struct type *t = NULL;
	const struct type_enumerator *e;
	uint32_t n = 0;
	struct err *err = typedb_find(k->e.in.types, "vmlinux", TYPE_ENUM,
				      "pageflags", &t);

	*ret = -1;
	e = err || !t ? NULL : type_enums(t, &n);
	for (uint32_t i = 0; i < n; i++)
		if (strcmp(e[i].name, "PG_uptodate") == 0)
			*ret = (int)e[i].value;
	return err_only_nomem(err);
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
static struct err *
find_page(struct kengine *k, int fd, size_t page, bool *ret)
{
	struct err *e = NULL;
	uint64_t ctx[4] = { (uint64_t)fd }, *p;
	uint32_t found = 0;

	*ret = false;
	if (ftruncate(fd, (off_t)page))
		return NULL;
	p = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return NULL;
	if (getrandom(p, 16, 0) == 16) {
		ctx[1] = page_number(p, page);
		ctx[2] = p[0];
		ctx[3] = p[1];
	}
	if (ctx[1]) {
		int prog = kern_obj_prog(k->obj, "dt_pages");
		e = err_only_nomem(kern_prog_run(prog, ctx, 4, &found));
	}
	munmap(p, page);
	*ret = found;
	return e;
}

struct err *
kengine_pages_find(struct kengine *k)
{
	struct abi_pages *p = &k->e.ctl->pages;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	bool found;
	int bit;

	if (!k->reads_cache)
		return NULL;
	TRY(uptodate_bit(k, &bit));
	const struct type *type;
	TRY(typedb_find(k->e.in.types, "vmlinux", TYPE_STRUCT, "page", &type));
	if (bit < 0 || !type)
		return NULL;
	CLEANUP(util_closep) int fd = memfd_create("dtrace", MFD_CLOEXEC);
	if (fd < 0)
		return NULL;
	p->page_size = (uint32_t)type_size(type);
	p->uptodate = (uint32_t)bit;
	p->shift = (uint32_t)__builtin_ctzl(page);
	TRY(find_page(k, fd, page, &found));
	if (!found)
		p->shift = 0;
	return NULL;
}
