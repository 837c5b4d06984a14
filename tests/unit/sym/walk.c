/* SPDX-License-Identifier: BSD-2-Clause
 *
 * walk FILE [SECTION | @PLACE,...]: the functions of a file, one a line, or those that
 * hold one of the places, in hex; or the bytes of a section; for walk.py.  walk -: the same for each line of the input, FILE or FILE
 * SECTION; behind each a line of errors says that it has been done.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
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

static struct err *
show_at(int fd, const char *text)
{
	uint64_t places[256];
	size_t n = 0;
	char *end;

	for (; *text && n < BASE_NELEMS(places); text = end)
		places[n++] = strtoull(text + 1, &end, 16);
	return sym_elf_walk_at(fd, places, n, show, NULL);
}

/* 0, 1: the error was told, 2: there is no such file. */
static int
answer(const char *path, const char *section)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 2;
	struct err *e = !section ? sym_elf_walk(fd, NULL, show, NULL) :
			*section == '@' ? show_at(fd, section)
					: show_section(fd, section);
	close(fd);
	if (e)
		fprintf(stderr, "%d %s\n", e->code == ERR_NOTFOUND ? 'n' :
			e->code == ERR_UNSUPPORTED ? 'u' :
			e->code == ERR_FORMAT ? 'f' : '?', e->text);
	err_free(e);
	return e != NULL;
}

int
main(int argc, char **argv)
{
	char line[4096], path[4096], section[64];

	if (argc < 2)
		return 2;
	if (strcmp(argv[1], "-"))
		return answer(argv[1], argv[2]);
	while (fgets(line, sizeof(line), stdin)) {
		int n = sscanf(line, "%4095s %63s", path, section);

		fprintf(stderr, "done %d\n",
			answer(path, n == 2 ? section : NULL));
	}
	return 0;
}
