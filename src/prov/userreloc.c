/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Code that the dynamic linker changes when it loads a file: of what was compiled without
 * -fPIC, and says so (DT_TEXTREL).  The kernel executes an instruction with a probe as the
 * file has it, so such a one would call nothing, or look into the void.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "prov/userreloc.h"
#include "sym/file.h"
#include "util/cleanup.h"

enum { PARTS = 16 };

/* The i-th word, of 32 bits or 64. */
static uint64_t
word(const struct prov_object *o, const struct sym_section *x, size_t i)
{
	const uint8_t *p = x->data;
	uint32_t narrow;
	uint64_t wide;

	if (o->is_32) {
		memcpy(&narrow, p + i * sizeof(narrow), sizeof(narrow));
		return narrow;
	}
	memcpy(&wide, p + i * sizeof(wide), sizeof(wide));
	return wide;
}

static size_t
words(const struct prov_object *o, const struct sym_section *x)
{
	return x->size / (o->is_32 ? 4 : 8);
}

static struct err *
read_section(const struct prov_object *o, const char *name, struct sym_section *ret)
{
	*ret = (struct sym_section){ NULL };
	return err_only_nomem(sym_elf_section(o->fd, name, ret));
}

static struct err *
says_so(const struct prov_object *o, bool *ret)
{
	struct sym_section x;

	*ret = false;
	TRY(read_section(o, ".dynamic", &x));
	for (size_t i = 0; i + 1 < words(o, &x); i += 2) {
		uint64_t tag = word(o, &x, i);
		*ret |= tag == DT_TEXTREL ||
			(tag == DT_FLAGS && word(o, &x, i + 1) & DF_TEXTREL);
	}
	sym_section_fini(&x);
	return NULL;
}

static struct err *
add(struct prov_object *o, const struct sym_code_part *parts, size_t n, uint64_t addr)
{
	for (size_t i = 0; i < n; i++)
		if (addr - parts[i].addr < parts[i].size &&
		    !vec_push(&o->changed, addr - parts[i].addr + parts[i].offset))
			return &err_nomem;
	return NULL;
}

static int
by_place(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

struct err *
prov_user_relocations(struct prov_object *o)
{
	static const struct { const char *name; unsigned words; } tables[] = {
		{ ".rel.dyn", 2 }, { ".rela.dyn", 3 },
	};
	struct sym_code_part parts[PARTS];
	struct sym_section x;
	struct err *e = NULL;
	bool any;

	TRY(says_so(o, &any));
	size_t n = any ? sym_elf_parts(o->fd, parts, PARTS) : 0;
	n = BASE_MIN(n, (size_t)PARTS);
	for (size_t t = 0; t < BASE_NELEMS(tables) && n && !e; t++) {
		TRY(read_section(o, tables[t].name, &x));
		for (size_t i = 0; i < words(o, &x) && !e; i += tables[t].words)
			e = add(o, parts, n, word(o, &x, i));
		sym_section_fini(&x);
	}
	if (o->changed.n)
		qsort(o->changed.v, o->changed.n, sizeof(*o->changed.v), by_place);
	return e;
}

bool
prov_user_is_relocated(const struct prov_object *o, uint64_t offset, size_t size)
{
	const uint64_t wide = o->is_32 ? 4 : 8;
	size_t low = 0, high = o->changed.n;

	while (low < high) {		/* the first that ends behind offset */
		size_t mid = low + (high - low) / 2;
		if (o->changed.v[mid] + wide <= offset)
			low = mid + 1;
		else
			high = mid;
	}
	return low < o->changed.n && o->changed.v[low] < offset + size;
}
