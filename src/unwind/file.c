/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The table of a file.  That what lies before the first function has a row, too,
 * spares whoever searches a question.
 */
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "sym/file.h"
#include "unwind/unwind.h"
#include "util/alloc.h"
#include "util/vec.h"

#if defined(__aarch64__)
static const enum unwind_arch HERE = UNWIND_AARCH64;
#else
static const enum unwind_arch HERE = UNWIND_X86_64;
#endif

static struct err *
with_first(struct unwind_table *t)
{
	struct abi_unwind_row *rows;

	if (!t->n || !t->rows[0].pc)
		return NULL;
	rows = util_alloc((t->n + 1) * sizeof(*rows));
	if (!rows)
		return &err_nomem;
	rows[0] = (struct abi_unwind_row){ 0, ABI_UNWIND_FRAME };
	memcpy(rows + 1, t->rows, t->n * sizeof(*rows));
	util_free(t->rows);
	t->rows = rows;
	t->n++;
	return NULL;
}

/* What a table is made of; owned. */
struct sections { struct sym_section frames, plt, text; };

/* The kernel's own object is no larger. */
enum { SMALL_FILE = 16 * 4096 };

static void
fini(struct sections *s)
{
	sym_section_fini(&s->frames);
	sym_section_fini(&s->plt);
	sym_section_fini(&s->text);
}

/* False: *err.  A section that is not there is empty. */
static bool
read_sections(int fd, struct sections *s, struct unwind_input *in,
	      struct err **err)
{
	struct stat st;

	*s = (struct sections){ .frames.data = NULL };
	*err = err_only_nomem(sym_elf_section(fd, ".eh_frame", &s->frames));
	if (!*err && HERE == UNWIND_AARCH64)
		*err = err_only_nomem(sym_elf_section(fd, ".plt", &s->plt));
	if (!*err && HERE == UNWIND_AARCH64 && !fstat(fd, &st) && st.st_size <= SMALL_FILE)
		*err = err_only_nomem(sym_elf_section(fd, ".text", &s->text));
	*in = (struct unwind_input){
		.data = s->frames.data, .size = s->frames.size,
		.addr = s->frames.addr, .plt = s->plt.data,
		.plt_size = s->plt.size, .plt_addr = s->plt.addr,
		.text = s->text.data, .text_size = s->text.size, .text_addr = s->text.addr,
		.arch = HERE == UNWIND_X86_64 && sym_elf_is_32(fd) ?
			UNWIND_I386 : HERE };
	if (*err)
		fini(s);
	return !*err;
}

/* What the table was made of. */
struct told { VEC(struct unwind_span) v; bool no_memory; };

static void
on_told(void *ctx, uint64_t addr, uint64_t size, bool is_called)
{
	struct told *t = ctx;
	struct unwind_span r = { addr, addr + size };

	t->no_memory |= !vec_push(&t->v, r);
}

struct err *
unwind_file_table(int fd, size_t max, struct unwind_table *ret)
{
	struct unwind_input in;
	struct sections s;
	struct err *e;

	struct told told = { .no_memory = false };

	*ret = (struct unwind_table){ .rows = NULL };
	if (!read_sections(fd, &s, &in, &e))
		return e;
	in.on_function = in.arch == UNWIND_X86_64 ? on_told : NULL;
	in.ctx = &told;
	e = unwind_table_make(&in, max, ret);
	fini(&s);
	if (!e && told.no_memory)
		e = &err_nomem;
	if (!e && in.arch == UNWIND_X86_64)
		e = unwind_bare_file(fd, told.v.v, told.v.n, max, ret);
	vec_fini(&told.v);
	if (!e)
		e = with_first(ret);
	if (e)
		unwind_table_fini(ret);
	return e;
}

struct err *
unwind_file_functions(int fd, void (*fn)(void *ctx, uint64_t addr, uint64_t size,
					 bool is_called), void *ctx)
{
	struct unwind_table t = { .rows = NULL };
	struct unwind_input in;
	struct sections s;
	struct err *e;

	if (!read_sections(fd, &s, &in, &e))
		return e;
	in.on_function = fn;
	in.ctx = ctx;
	e = unwind_table_make(&in, SIZE_MAX, &t);
	fini(&s);
	unwind_table_fini(&t);
	return e;
}
