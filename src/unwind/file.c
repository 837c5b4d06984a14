/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The table of a file.  That what lies before the first function has a row, too,
 * spares whoever searches a question.
 */
#include <stdint.h>
#include <string.h>

#include "sym/file.h"
#include "unwind/unwind.h"
#include "util/alloc.h"

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

/* in->data is owned, for sym_section_fini().  False: there is none, or *err. */
static bool
read_section(int fd, struct sym_section *s, struct unwind_input *in,
	     struct err **err)
{
	*err = sym_elf_section(fd, ".eh_frame", s);
	if (*err && (*err)->code != ERR_NOMEM) {
		err_free(*err);
		*err = NULL;
		return false;
	}
	*in = (struct unwind_input){ s->data, s->size, s->addr, 0, HERE };
	return !*err;
}

struct err *
unwind_file_table(int fd, size_t max, struct unwind_table *ret)
{
	struct unwind_input in;
	struct sym_section s;
	struct err *e;

	*ret = (struct unwind_table){ .rows = NULL };
	if (!read_section(fd, &s, &in, &e))
		return e;
	e = unwind_table_make(&in, max, ret);
	sym_section_fini(&s);
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
	struct sym_section s;
	struct err *e;

	if (!read_section(fd, &s, &in, &e))
		return e;
	in.on_function = fn;
	in.ctx = ctx;
	e = unwind_table_make(&in, SIZE_MAX, &t);
	sym_section_fini(&s);
	unwind_table_fini(&t);
	return e;
}
