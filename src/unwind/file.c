/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The table of a file.  That what lies before the first function has a row, too,
 * spares whoever searches a question.
 */
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

struct err *
unwind_file_table(int fd, size_t max, struct unwind_table *ret)
{
	struct sym_section s;
	struct err *e;

	*ret = (struct unwind_table){ .rows = NULL };
	e = sym_elf_section(fd, ".eh_frame", &s);
	if (e && e->code != ERR_NOMEM) {
		err_free(e);
		return NULL;
	}
	if (e)
		return e;
	struct unwind_input in = { s.data, s.size, s.addr, 0, HERE };
	e = unwind_table_make(&in, max, ret);
	sym_section_fini(&s);
	if (!e)
		e = with_first(ret);
	if (e)
		unwind_table_fini(ret);
	return e;
}
