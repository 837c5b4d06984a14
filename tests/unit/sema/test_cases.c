/* SPDX-License-Identifier: BSD-2-Clause
 *
 * test-cases DIR: each DIR/err.TAG.WHAT.d must be refused, with TAG first.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

enum { FILE_MAX = 1 << 16 };

static bool
is_case(const struct dirent *e, char *tag)
{
	int end = 0;

	if (sscanf(e->d_name, "err.%63[^.].%*[^.].d%n", tag, &end) != 1)
		return false;
	return end && !e->d_name[end];
}

/* NULL: as it should be. */
static const char *
run(const char *path, const char *tag)
{
	static char text[FILE_MAX];
	const char *wrong = NULL;
	struct compile c;
	FILE *f = fopen(path, "rb");

	if (!f || !compile_init(&c, NULL))
		return "cannot be read";
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	compile(&c, text, 0);
	if (!c.d.first)
		wrong = "is accepted";
	else if (strcmp(diag_tag_name(c.d.first->tag), tag) != 0)
		wrong = c.d.first->text;
	if (wrong)
		printf("# %s: %s\n", path, wrong);
	compile_fini(&c);
	return wrong;
}

int
main(int argc, char **argv)
{
	unsigned n = 0, failed = 0;
	DIR *dir = argc == 2 ? opendir(argv[1]) : NULL;
	struct dirent *e;
	char tag[64], path[4096];

	if (!dir) {
		fprintf(stderr, "usage: test-cases DIR\n");
		return 2;
	}
	while ((e = readdir(dir))) {
		if (!is_case(e, tag))
			continue;
		snprintf(path, sizeof(path), "%s/%s", argv[1], e->d_name);
		bool bad = run(path, tag) != NULL;
		failed += bad;
		printf("%sok %u - %s\n", bad ? "not " : "", ++n, e->d_name);
	}
	closedir(dir);
	printf("1..%u\n", n);
	return failed || !n ? 1 : 0;
}
