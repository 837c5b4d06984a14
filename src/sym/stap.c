/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Notes of static probes, and of what they are (doc/internals/notes.md):
 *
 *	u32 size of the owner's name, u32 of what follows it, u32 type (3)
 *	"stapsdt"
 *	address, address of .stapsdt.base when it was written, address of the
 *	counter or 0: u64, or u32 in a file of 32 bits
 *	provider, name, operands, each with its NUL
 *
 * Each part begins with a multiple of four bytes.  A program may be moved after the
 * notes were written (prelink): as far as .stapsdt.base was.
 */
#include <elf.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "sym/elf_priv.h"
#include "sym/file.h"
#include "sym/stap.h"
#include "util/cleanup.h"

enum { NWORDS = 3 };

/* The notes that are meant. */
struct kind {
	const char *section, *owner;
	uint32_t type;
};
static const struct kind
	stap = { ".note.stapsdt", "stapsdt", 3 },
	texts = { ".note.dtrace", "dtrace", 1 };

struct notes {
	const struct kind *kind;
	const uint8_t *data;
	size_t size, at;
	size_t word;			/* bytes of an address */
	uint64_t base;			/* .stapsdt.base; 0: nobody knows */
	struct esyms file;
};

/* Word number i, of the file's size. */
static uint64_t
word(const struct notes *n, const uint8_t *desc, size_t i)
{
	uint64_t v = 0;

	memcpy(&v, desc + i * n->word, n->word);
	return v;
}

/* The text at *p, which goes on behind it; NULL: it does not end. */
static const char *
text(const char **p, const char *end)
{
	const char *s = *p, *nul = memchr(s, 0, (size_t)(end - s));

	if (nul)
		*p = nul + 1;
	return nul ? s : NULL;
}

/* What one note says; false: nothing. */
static bool
decode(const struct notes *n, const uint8_t *desc, size_t size,
       struct sym_stap *ret)
{
	const char *p = (const char *)desc + NWORDS * n->word;
	const char *end = (const char *)desc + size;

	if (size < NWORDS * n->word)
		return false;
	uint64_t moved = n->base ? n->base - word(n, desc, 1) : 0;
	uint64_t counter = word(n, desc, 2);
	*ret = (struct sym_stap){ .addr = word(n, desc, 0) + moved };
	ret->prov = text(&p, end);
	ret->name = ret->prov ? text(&p, end) : NULL;
	ret->args = ret->name ? text(&p, end) : NULL;
	if (!ret->args || !sym_elf_offset(&n->file, ret->addr, false, &ret->offset))
		return false;
	return !counter || sym_elf_offset(&n->file, counter + moved, false,
					  &ret->semaphore);
}

/* The next note of the kind; false: there are no more. */
static bool
next(struct notes *n, const uint8_t **desc, size_t *size)
{
	const size_t owner = strlen(n->kind->owner) + 1;
	uint32_t head[3];

	while (n->size - n->at >= sizeof(head)) {
		memcpy(head, n->data + n->at, sizeof(head));
		size_t left = n->size - n->at - sizeof(head);
		uint64_t name = base_align(head[0], 4);
		uint64_t desc_size = base_align(head[1], 4);
		const uint8_t *at = n->data + n->at + sizeof(head);
		if (name > left || head[1] > left - name)
			return false;
		n->at += sizeof(head) + (size_t)BASE_MIN(name + desc_size,
							 (uint64_t)left);
		if (head[2] != n->kind->type || head[0] != owner ||
		    memcmp(at, n->kind->owner, owner))
			continue;
		*desc = at + name;
		*size = head[1];
		return true;
	}
	return false;
}

static uint64_t
read_base(int fd)
{
	struct sym_section s;
	struct err *e = sym_elf_section(fd, ".stapsdt.base", &s);

	if (e) {
		err_free(e);
		return 0;
	}
	sym_section_fini(&s);
	return s.addr;
}

static struct err *
walk(struct notes *n, sym_stap_fn *fn, void *ctx)
{
	const uint8_t *desc;
	struct sym_stap p;
	size_t size;

	while (next(n, &desc, &size))
		if (decode(n, desc, size, &p))
			TRY(fn(ctx, &p));
	return NULL;
}

/* The notes of the kind in n, or none, and then its data are NULL. */
static struct err *
open_notes(int fd, const struct kind *kind, struct sym_section *s,
	   struct notes *n)
{
	*n = (struct notes){ .kind = kind, .word = sym_elf_is_32(fd) ? 4 : 8 };
	TRY(err_only_nomem(sym_elf_section(fd, kind->section, s)));
	n->data = s->data;
	n->size = s->size;
	return NULL;
}

struct err *
sym_stap_walk(int fd, sym_stap_fn *fn, void *ctx)
{
	struct sym_section s = { 0 };
	struct notes n;

	TRY(open_notes(fd, &stap, &s, &n));
	if (!n.data)
		return NULL;
	n.base = read_base(fd);
	struct err *e = sym_elf_read_segments(&n.file, fd);
	if (e) {
		e = err_only_nomem(e);
	} else {
		e = walk(&n, fn, ctx);
		sym_elf_fini(&n.file);
	}
	sym_section_fini(&s);
	return e;
}

struct err *
sym_text_walk(int fd, sym_text_fn *fn, void *ctx)
{
	struct sym_section s = { 0 };
	struct err *e = NULL;
	const uint8_t *desc;
	struct notes n;
	size_t size;

	TRY(open_notes(fd, &texts, &s, &n));
	if (!n.data)
		return NULL;
	while (!e && next(&n, &desc, &size)) {
		const char *text = (const char *)desc;
		const char *nul = memchr(text, 0, size);
		if (nul)
			e = fn(ctx, text, (size_t)(nul - text));
	}
	sym_section_fini(&s);
	return e;
}
