/* SPDX-License-Identifier: BSD-2-Clause
 *
 * -h and -G: what programs with probes of their own are built with: FILE.h or FILE.o
 * of -s FILE.d, or what -o says.  Makefiles call us, so a file is there
 * whole or not at all: it would be newer than what it is made of.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/cmd_priv.h"

static bool
is_header(const struct options *o)
{
	return o->mode == MODE_HEADER;
}

void
cmd_provide_check(const struct options *o)
{
	bool wrong = o->ntargets || o->replay || o->compile_only || o->claim ||
		o->nreqs != 1;

	if (wrong || o->reqs[0].spec != DTRACE_PROBESPEC_NONE)
		cmd_message("-%c takes one file of provider definitions, "
			    "-s FILE.d", is_header(o) ? 'h' : 'G');
	else if (is_header(o) && o->nargs > 1)
		cmd_message("-h makes a header, for which no objects are "
			    "needed: %s", o->args[1]);
	else
		return;
	cmd_finish(E_USAGE);
}

/* FILE.h or FILE.o of FILE.d, the caller's to free. */
static char *
made_of(const struct options *o, const char *source)
{
	size_t n = strlen(source);
	char *name = NULL;

	if (o->output)
		return strdup(o->output);
	if (n < 3 || strcmp(source + n - 2, ".d"))
		return strdup(is_header(o) ? "d.out.h" : "d.out");
	if (asprintf(&name, "%.*s.%c", (int)n - 2, source,
		     is_header(o) ? 'h' : 'o') < 0)
		return NULL;
	return name;
}

/* All of it, or nothing: what is no file, such as /dev/full, stays. */
static bool
write_file(const char *name, const char *text, size_t size)
{
	FILE *fp = fopen(name, "we");
	struct stat st;

	if (!fp)
		return false;
	bool is_file = !fstat(fileno(fp), &st) && S_ISREG(st.st_mode);
	bool good = fwrite(text, 1, size, fp) == size;
	good &= fclose(fp) == 0;
	int error = errno;
	if (!good && is_file)
		remove(name);
	errno = error;
	return good;
}

/* The file is opened when the text is whole. */
static void
make_header(const char *name)
{
	char *text = NULL;
	size_t size = 0;
	FILE *fp = open_memstream(&text, &size);

	if (!fp || dtrace_program_header(cmd_handle, fp, name))
		cmd_fatal("failed to make %s", name);
	fclose(fp);
	if (!write_file(name, text, size)) {
		cmd_message("failed to write %s: %s", name, strerror(errno));
		cmd_finish(E_FATAL);
	}
	free(text);
}

void
cmd_provide(struct options *o)
{
	struct request *r = &o->reqs[0];
	int nobjects = o->nargs - 1;
	char *name = made_of(o, r->arg);

	if (!name) {
		cmd_message("out of memory");
		cmd_finish(E_FATAL);
	}
	o->nargs = 1;		/* the others are no $1 */
	cmd_compile(o, r);
	if (is_header(o))
		make_header(name);
	else if (dtrace_program_link(cmd_handle, r->prog, 0, name, nobjects,
				     o->args + 1))
		cmd_fatal("failed to make %s", name);
	free(name);
	cmd_finish(E_OK);
}
