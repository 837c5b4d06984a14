/* SPDX-License-Identifier: BSD-2-Clause
 *
 * walk FILE [SECTION]: the functions of a file, one a line, or the bytes of a
 * section; for walk.py.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "sym/file.h"

static struct err *
show(void *ctx, const struct sym_function *f)
{
	printf("%llx %llu %llx %s %s %s %s\n", (unsigned long long)f->value,
	       (unsigned long long)f->size, (unsigned long long)f->offset,
	       f->is_local ? "LOCAL" : f->is_weak ? "WEAK" : "GLOBAL",
	       f->is_resolver ? "IFUNC" : "FUNC",
	       f->is_alias ? "alias" : "first", f->name);
	return NULL;
}

static struct err *
show_section(int fd, const char *name)
{
	struct sym_section s;

	TRY(sym_elf_section(fd, name, &s));
	printf("%llx %llx\n", (unsigned long long)s.addr,
	       (unsigned long long)s.offset);
	fwrite(s.data, 1, s.size, stdout);
	sym_section_fini(&s);
	return NULL;
}

int
main(int argc, char **argv)
{
	int fd = argc > 1 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		return 2;
	struct err *e = argc > 2 ? show_section(fd, argv[2])
				 : sym_elf_walk(fd, show, NULL);
	if (e)
		fprintf(stderr, "%d %s\n", e->code == ERR_NOTFOUND ? 'n' :
			e->code == ERR_UNSUPPORTED ? 'u' :
			e->code == ERR_FORMAT ? 'f' : '?', e->text);
	err_free(e);
	return e != NULL;
}
