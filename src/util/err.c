/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/alloc.h"
#include "util/err.h"

struct err err_nomem = { ERR_NOMEM, 0, "out of memory" };

static struct err *
vnew(enum err_code code, int os, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);

	/* One block: the struct, then its text. */
	struct err *e = n < 0 ? NULL : util_alloc(sizeof(*e) + n + 1);
	if (!e)
		return &err_nomem;
	char *text = (char *)(e + 1);
	vsnprintf(text, n + 1, fmt, ap);
	*e = (struct err){ code, os, text };
	return e;
}

struct err *
err_new(enum err_code code, int os, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	struct err *e = vnew(code, os, fmt, ap);
	va_end(ap);
	return e;
}

void
err_free(struct err *e)
{
	if (e != &err_nomem)
		util_free(e);
}

struct err *
err_only_nomem(struct err *e)
{
	if (!e || e->code == ERR_NOMEM)
		return e;
	err_free(e);
	return NULL;
}

void
err_freep(struct err **e)
{
	err_free(*e);
}
