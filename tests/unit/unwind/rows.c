/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rows FILE: the unwinding table of a file, a line for each row, for truth.py.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sym/file.h"
#include "unwind/unwind.h"

static int
fail(struct err *e)
{
	fprintf(stderr, "%s\n", e->text);
	return 1;
}

static enum unwind_arch
arch_of(int fd)
{
	Elf64_Ehdr h;

	if (pread(fd, &h, sizeof(h), 0) != sizeof(h))
		return UNWIND_X86_64;
	return h.e_machine == EM_AARCH64 ? UNWIND_AARCH64 :
	       h.e_machine == EM_386 ? UNWIND_I386 : UNWIND_X86_64;
}

int
main(int argc, char **argv)
{
	struct unwind_table t;
	struct sym_section s;
	struct err *e;
	int fd = argc > 1 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		return 2;
	if ((e = sym_elf_section(fd, ".eh_frame", &s)))
		return fail(e);
	struct unwind_input in = { s.data, s.size, s.addr, 0, arch_of(fd) };
	if ((e = unwind_table_make(&in, 1 << 24, &t)))
		return fail(e);
	for (size_t i = 0; argc == 2 && i < t.n; i++)
		printf("%x %u %u %u\n", t.rows[i].pc,
		       abi_unwind_what(t.rows[i].rule),
		       abi_unwind_n(t.rows[i].rule),
		       abi_unwind_saved(t.rows[i].rule));
	printf("%zu rows, %u bad, %u inexpressible\n", t.n, t.nbad_fdes,
	       t.ninexpressible);
	unwind_table_fini(&t);
	sym_section_fini(&s);
	return 0;
}
