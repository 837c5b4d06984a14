/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Questions about kernel symbols.  The table is read at the first question;
 * the hash of names is made at the first question by name.
 *
 * Modules and BPF programs come and go.  So an address of the kernel's that no
 * symbol is near has the table read again, but not soon after the last time,
 * and ever less often when that did not help: reading takes the kernel 50 ms.
 * Names that were handed out outlive the table that they were found in.
 *
 * kallsyms gives no sizes, so a symbol reaches to the next one.  The last one
 * of a module, or of all, reaches to nowhere in particular; MAX_LAST bounds
 * it, so that an address in a hole is not claimed by a symbol far below.
 */
#include <assert.h>
#include <string.h>
#include <sys/types.h>

#include "base/base.h"
#include "sym/sym_priv.h"
#include "util/alloc.h"
#include "util/clock.h"
#include "util/intern.h"

enum { MAX_LAST = 64 << 10 };

/* From one reading to the next, in ns; and how long it may get. */
#define AGAIN_NS 1000000000ull
#define AGAIN_MAX_NS (64 * AGAIN_NS)

#define KERNEL "vmlinux"

/* Beside the indices of modules. */
enum { ANY_MODULE = -1, NO_MODULE = -2 };

struct sym_kernel {
	char *path;
	bool is_read;
	uint64_t read_ns;	/* when, CLOCK_MONOTONIC */
	uint64_t again_ns;	/* after so long it may be read again */
	struct ksyms ks;
	struct intern texts;	/* what was handed out */
	uint32_t *slots;	/* index + 1 into ks.all; 0: free */
	size_t nslots;		/* a power of two */
};

struct err *
sym_kernel_new(const char *path, struct sym_kernel **ret)
{
	struct sym_kernel *k = util_zalloc(sizeof(*k));

	if (!k)
		return &err_nomem;
	k->path = util_strdup(path ? path : "/proc/kallsyms");
	if (!k->path) {
		util_free(k);
		return &err_nomem;
	}
	*ret = k;
	return NULL;
}

void
sym_kernel_free(struct sym_kernel *k)
{
	if (!k)
		return;
	sym_ksyms_fini(&k->ks);
	intern_fini(&k->texts);
	util_free(k->slots);
	util_free(k->path);
	util_free(k);
}

static struct err *
read_table(struct sym_kernel *k, struct ksyms_meanwhile meanwhile)
{
	if (k->is_read)
		return NULL;
	TRY(sym_ksyms_read(&k->ks, k->path, meanwhile));
	k->is_read = true;
	k->read_ns = clock_ns();
	k->again_ns = AGAIN_NS;
	return NULL;
}

/* True when there is a new table. */
static bool
read_again(struct sym_kernel *k)
{
	struct ksyms fresh;

	if (clock_ns() - k->read_ns < k->again_ns)
		return false;
	struct err *e = sym_ksyms_read(&fresh, k->path,
				       (struct ksyms_meanwhile){ NULL, NULL });
	k->read_ns = clock_ns();
	if (e || fresh.hidden) {
		err_free(e);
		sym_ksyms_fini(&fresh);
		return false;
	}
	sym_ksyms_fini(&k->ks);
	util_free(k->slots);
	k->slots = NULL;
	k->ks = fresh;
	return true;
}

void
sym_kernel_read(struct sym_kernel *k, struct ksyms_meanwhile meanwhile)
{
	err_free(read_table(k, meanwhile));
}

static struct err *
need_table(struct sym_kernel *k)
{
	TRY(read_table(k, (struct ksyms_meanwhile){ NULL, NULL }));
	if (k->ks.hidden)
		return err_new(ERR_UNSUPPORTED, 0, "kernel addresses are "
			       "hidden: CAP_SYSLOG is missing, or kernel.kptr_restrict "
			       "is 2");
	return NULL;
}

struct err *
sym_kernel_table(struct sym_kernel *k, const struct ksyms **ret)
{
	TRY(need_table(k));
	*ret = &k->ks;
	return NULL;
}

const char *
sym_kernel_text(struct sym_kernel *k, const char *text)
{
	return intern(&k->texts, text);
}

static const char *
name_of(const struct sym_kernel *k, size_t i)
{
	return k->ks.names + k->ks.all.v[i].name;
}

/*
 * The slot of the first symbol called name in the module, an index or
 * ANY_MODULE; or the free slot where the probing ended.
 */
static size_t
probe(const struct sym_kernel *k, int module, const char *name)
{
	size_t i = hash_bytes(name, strlen(name)) & (k->nslots - 1);

	for (; k->slots[i]; i = (i + 1) & (k->nslots - 1)) {
		size_t s = k->slots[i] - 1;
		if ((module == ANY_MODULE || k->ks.all.v[s].module == module) &&
		    strcmp(name_of(k, s), name) == 0)
			break;
	}
	return i;
}

static struct err *
need_slots(struct sym_kernel *k)
{
	if (k->slots)
		return NULL;
	k->nslots = 64;
	while (k->nslots < k->ks.all.n + k->ks.all.n / 2)
		k->nslots *= 2;
	k->slots = util_zalloc(k->nslots * sizeof(*k->slots));
	if (!k->slots)
		return &err_nomem;
	for (size_t i = 0; i < k->ks.all.n; i++) {
		size_t at = probe(k, k->ks.all.v[i].module, name_of(k, i));
		if (!k->slots[at])
			k->slots[at] = (uint32_t)i + 1;
	}
	return NULL;
}

static int
module_index(const struct sym_kernel *k, const char *module)
{
	static const char *const kernel[] = { KERNEL, "kernel", "unix" };

	if (!module)
		return ANY_MODULE;
	for (size_t i = 0; i < BASE_NELEMS(kernel); i++)
		if (strcmp(module, kernel[i]) == 0)
			return 0;
	for (size_t i = 1; i < k->ks.modules.n; i++)
		if (strcmp(k->ks.names + k->ks.modules.v[i], module) == 0)
			return (int)i;
	return NO_MODULE;
}

static uint64_t
size_of(const struct sym_kernel *k, size_t i)
{
	const struct ksym *s = &k->ks.all.v[i];
	const struct ksym *end = k->ks.all.v + k->ks.all.n, *next = s;

	while (next < end && next->addr == s->addr)
		next++;
	uint64_t size = next < end ? next->addr - s->addr
				   : UINT64_MAX - s->addr;
	bool is_last = next == end || next->module != s->module;
	return is_last && size > MAX_LAST ? MAX_LAST : size;
}

/* False: no memory. */
static bool
make_sym(struct sym_kernel *k, size_t i, struct sym *ret)
{
	const struct ksym *s = &k->ks.all.v[i];
	struct sym sym = {
		.name = intern(&k->texts, name_of(k, i)),
		.module = intern(&k->texts, s->module
				 ? k->ks.names + k->ks.modules.v[s->module]
				 : KERNEL),
		.addr = s->addr,
		.size = size_of(k, i),
		.module_start = k->ks.starts.v[s->module],
	};

	if (!sym.name || !sym.module)
		return false;
	*ret = sym;
	return true;
}

struct err *
sym_kernel_by_name(struct sym_kernel *k, const char *module, const char *name,
		   struct sym *ret)
{
	TRY(need_table(k));
	TRY(need_slots(k));
	int index = module_index(k, module);
	size_t at = index == NO_MODULE ? 0 : probe(k, index, name);
	if (index == NO_MODULE || !k->slots[at])
		return err_new(ERR_NOTFOUND, 0, "no kernel symbol %s%s%s",
			       module ? module : "", module ? "`" : "", name);
	return make_sym(k, k->slots[at] - 1, ret) ? NULL : &err_nomem;
}

enum { NOWHERE = -1 };

/* The best symbol that addr lies in, or NOWHERE. */
static ssize_t
find_addr(const struct sym_kernel *k, uint64_t addr)
{
	size_t low = BASE_HOW_MANY(i, k->ks.all.n,
				   k->ks.all.v[i].addr <= addr);

	assert(!low || k->ks.all.v[low - 1].addr <= addr);	/* sorted */
	assert(low == k->ks.all.n || k->ks.all.v[low].addr > addr);
	/* The best of those at the greatest address not above it. */
	while (low > 1 && k->ks.all.v[low - 2].addr ==
			  k->ks.all.v[low - 1].addr)
		low--;
	if (!low || addr - k->ks.all.v[low - 1].addr >= size_of(k, low - 1))
		return NOWHERE;
	return (ssize_t)low - 1;
}

/* The same, with a look at what is new.  The kernel is in the upper half. */
static ssize_t
find_or_read(struct sym_kernel *k, uint64_t addr)
{
	ssize_t i = find_addr(k, addr);

	if (i != NOWHERE || addr >> 63 == 0 || !read_again(k))
		return i;
	i = find_addr(k, addr);
	k->again_ns = i != NOWHERE ? AGAIN_NS
		      : BASE_MIN(2 * k->again_ns, AGAIN_MAX_NS);
	return i;
}

struct err *
sym_kernel_by_addr(struct sym_kernel *k, uint64_t addr, struct sym *ret)
{
	TRY(need_table(k));
	ssize_t i = find_or_read(k, addr);
	if (i == NOWHERE)
		return err_new(ERR_NOTFOUND, 0, "no kernel symbol at %#llx",
			       (unsigned long long)addr);
	return make_sym(k, (size_t)i, ret) ? NULL : &err_nomem;
}
