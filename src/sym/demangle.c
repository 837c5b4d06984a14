/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Names of C++, Rust and D as their programmers wrote them, by libiberty.  Rust's
 * older names look like those of C++, so they are tried first.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <libiberty/demangle.h>

#include "sym/file.h"
#include "util/sb.h"

enum {
	NAME_MAX_SIZE = 16 << 10,	/* longer names are left alone */
	D_NAME_MAX_SIZE = 1 << 10,	/* of D: its reader goes deeper with each byte */
	TEXT_MAX = 64 << 10,
	OPTIONS = DMGL_PARAMS | DMGL_ANSI,
};

static void
put(const char *text, size_t n, void *ctx)
{
	sb_putn(ctx, text, n);
}

static char *
demangle_d(const char *name)
{
	char *text = strlen(name) < D_NAME_MAX_SIZE ? dlang_demangle(name, OPTIONS) : NULL;
	struct sb b;

	if (!text)
		return NULL;
	sb_init(&b, TEXT_MAX);
	sb_putn(&b, text, strlen(text));
	free(text);
	if (!b.failed)
		return sb_steal(&b);
	sb_fini(&b);
	return NULL;
}

char *
sym_demangle(const char *name)
{
	bool is_rust = strncmp(name, "_R", 2) == 0;
	struct sb b;

	if (!strncmp(name, "_D", 2) && isdigit((unsigned char)name[2]))
		return demangle_d(name);
	if (!is_rust && strncmp(name, "_Z", 2) != 0)
		return NULL;
	if (strlen(name) >= NAME_MAX_SIZE)
		return NULL;
	sb_init(&b, TEXT_MAX);
	if (rust_demangle_callback(name, OPTIONS, put, &b) && !b.failed)
		return sb_steal(&b);
	sb_reset(&b);
	b.failed = false;
	if (!is_rust && cplus_demangle_v3_callback(name, OPTIONS, put, &b) &&
	    !b.failed)
		return sb_steal(&b);
	sb_fini(&b);
	return NULL;
}
