/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lines FILE [DEBUG_DIR]: for each address of the input, in hex, what runs there: a
 * line "function file:line" for each, and an empty one behind them; then where lines
 * begin, a line "address file:line" for each; for lines.py.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "sym/lines.h"

static bool
wants(void *ctx, const char *file, unsigned line)
{
	return true;
}

static struct err *
on_place(void *ctx, uint64_t addr, const char *file, unsigned line)
{
	printf("%llx %s:%u\n", (unsigned long long)addr, file, line);
	return NULL;
}

int
main(int argc, char **argv)
{
	int fd = argc > 1 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	struct sym_lines *l;
	char text[64];

	struct err *e = sym_lines_open(fd, argc > 1 ? argv[1] : NULL,
				       argc > 2 ? argv[2] : NULL, false, &l);
	if (e) {
		fprintf(stderr, "%c %s\n", '0' + (int)e->code, e->text);
		err_free(e);
		return 1;
	}
	while (fgets(text, sizeof(text), stdin)) {
		size_t n;
		const struct sym_line *v = sym_lines_at(
			l, strtoull(text, NULL, 16), &n);
		for (size_t i = 0; i < n; i++)
			printf("%s %s:%u\n", v[i].function ? v[i].function : "?",
			       v[i].file ? v[i].file : "?", v[i].line);
		printf("\n");
	}
	err_free(sym_lines_walk(l, 0, UINT64_MAX, wants, on_place, NULL));
	sym_lines_free(l);
	return 0;
}
