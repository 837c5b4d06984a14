/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Any bytes as what symbols come from.  The first says what: an ELF file, lines
 * of /proc/PID/maps, the map of code that was made on the way, a mangled name.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "sym/file.h"
#include "sym/stap.h"
#include "sym/process_priv.h"

static void
elf(const uint8_t *p, size_t n)
{
	struct esyms s;
	struct err *e = sym_elf_read_memory(&s, p, n);
	uint64_t addr;

	if (e) {
		err_free(e);
		return;
	}
	for (size_t i = 0; i < s.all.n && i < 1000; i++) {
		struct esym *y = &s.all.v[i];
		fuzz_must(!i || y[-1].addr < y->addr);
		fuzz_must(strlen(sym_elf_name(&s, y, true)) > 0);
		fuzz_must(strlen(sym_elf_name(&s, y, false)) > 0);
		if (y->size)
			fuzz_must(sym_elf_find(&s, y->addr) != NULL);
		sym_elf_find(&s, y->addr + y->size);
	}
	for (uint64_t off = 0; off < 1 << 16; off += 977)
		if (sym_elf_addr(&s, off, &addr))
			sym_elf_find(&s, addr);
	sym_elf_fini(&s);
}

static struct err *
look_at(void *ctx, const struct sym_function *f)
{
	struct sym_function *last = ctx;

	fuzz_must(strlen(f->name) > 0);
	fuzz_must(last->size ? f->offset >= last->offset : !f->is_alias);
	if (last->size)
		fuzz_must(f->is_alias == (f->offset == last->offset));
	*last = *f;
	last->size = 1;			/* there was one */
	return NULL;
}

static struct err *
look_at_place(void *ctx, const struct sym_stap *p)
{
	fuzz_must(p->prov && p->name && p->args);
	fuzz_must(strlen(p->prov) + strlen(p->name) + strlen(p->args) + 3 <=
		  *(size_t *)ctx);
	return NULL;
}

static struct err *
look_at_text(void *ctx, const char *text, size_t size)
{
	fuzz_must(size < *(size_t *)ctx && strlen(text) == size);
	return NULL;
}

/* The same as a file, for who walks over those. */
static void
file(const uint8_t *p, size_t n)
{
	static const char *const names[] = {
		".note.stapsdt", ".gnu_debugdata", ".text",
	};
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct sym_function last = { .size = 0 };

	fuzz_must(fd >= 0 && write(fd, p, n) == (ssize_t)n);
	err_free(sym_elf_walk(fd, NULL, look_at, &last));
	err_free(sym_stap_walk(fd, look_at_place, &n));
	err_free(sym_text_walk(fd, look_at_text, &n));
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct sym_section s;
		struct err *e = sym_elf_section(fd, names[i], &s);
		if (e) {
			err_free(e);
			continue;
		}
		fuzz_must(s.size <= n && s.offset <= n - s.size &&
			  memcmp(s.data, p + s.offset, s.size) == 0);
		sym_section_fini(&s);
	}
	close(fd);
}

static void
maps(char *text)
{
	struct sym_mapping m;

	for (char *next; text; text = next) {
		next = strchr(text, '\n');
		if (next)
			*next++ = '\0';
		if (sym_process_parse_line(text, &m))
			fuzz_must(m.size > 0 && strlen(m.path) < 1 << 20);
	}
}

static void
jit(const char *text, size_t n)
{
	struct jit j;

	sym_jit_init(&j);
	j.next_ns = UINT64_MAX;	/* there is no file to read */
	sym_jit_parse(&j, text, n);
	for (size_t i = 0; i < j.all.n && i < 1000; i++) {
		const struct jit_sym *s = sym_jit_find(&j, 0, j.all.v[i].addr,
						       1);
		if (s)
			fuzz_must(strlen(sym_jit_name(&j, s)) < n);
	}
	sym_jit_fini(&j);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	if (!n)
		return 0;
	char *text = malloc(n);		/* and a NUL in place of the first */
	memcpy(text, p + 1, n - 1);
	text[n - 1] = '\0';
	switch (p[0] & 3) {
	case 0: elf(p + 1, n - 1); file(p + 1, n - 1); break;
	case 1: maps(text); break;
	case 2: jit(text, n - 1); break;
	case 3: util_free(sym_demangle(text)); break;
	}
	free(text);
	return 0;
}
