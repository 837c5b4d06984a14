/* SPDX-License-Identifier: BSD-2-Clause
 *
 * replay PATH...: a target without libFuzzer.  Each argument is a test: a
 * file, or a folder of files, is fed to the target, which ends the program
 * when something is wrong; the last comment then names the file.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

enum { HANG = 20 };		/* seconds; under ASan and a busy machine */

static void *
read_file(const char *path, size_t *n)
{
	struct stat st;
	FILE *f = fopen(path, "rb");

	if (!f || fstat(fileno(f), &st)) {
		printf("Bail out! cannot read %s\n", path);
		exit(1);
	}
	/* Exactly as large, so that a read behind the end is seen. */
	void *p = malloc(st.st_size ? (size_t)st.st_size : 1);
	*n = p ? fread(p, 1, (size_t)st.st_size, f) : 0;
	fclose(f);
	return p;
}

static void
feed(const char *path)
{
	size_t n;
	void *p = read_file(path, &n);

	printf("# %s\n", path);
	fflush(stdout);
	alarm(HANG);
	LLVMFuzzerTestOneInput(p, n);
	alarm(0);
	free(p);
}

static unsigned
feed_folder(const char *path)
{
	struct dirent **names;
	int n = scandir(path, &names, NULL, alphasort);
	unsigned fed = 0;
	char file[4096];

	for (int i = 0; i < n; i++) {
		if (names[i]->d_name[0] != '.') {
			snprintf(file, sizeof(file), "%s/%s", path,
				 names[i]->d_name);
			feed(file);
			fed++;
		}
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	return fed;
}

int
main(int argc, char **argv)
{
	struct stat st;
	int bad = 0;

	for (int i = 1; i < argc; i++) {
		unsigned n = 1;

		if (!stat(argv[i], &st) && S_ISDIR(st.st_mode))
			n = feed_folder(argv[i]);
		else
			feed(argv[i]);
		printf("%sok %d - %s: %u inputs\n", n ? "" : "not ", i,
		       argv[i], n);
		bad |= !n;
	}
	printf("1..%d\n", argc - 1);
	return bad;
}
