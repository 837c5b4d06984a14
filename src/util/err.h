/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Errors of the world: NULL is success, anything else is owned by the caller,
 * who frees it or passes it on.  Diagnostics about the user's D program are
 * another thing (lang/diag.h).
 */
#ifndef UTIL_ERR_H
#define UTIL_ERR_H

enum err_code {
	ERR_NOMEM,
	ERR_OS,		/* a system call said no; err->os is its errno */
	ERR_FORMAT,	/* bytes that are not what they claim to be */
	ERR_NOTFOUND,
	ERR_INVALID,	/* an argument or option value that cannot be meant */
	ERR_LIMIT,	/* a limit of our own was met; the text names it */
	ERR_UNSUPPORTED,/* this kernel or this version cannot do it */
	ERR_COMPILE,	/* the D program is wrong; diagnostics say how */
	ERR_VERIFY,	/* generated code was refused: our bug */
	ERR_STATE,	/* called at the wrong time */
};

struct err {
	enum err_code code;
	int os;			/* errno, or 0 */
	const char *text;	/* one line, no full stop, no newline */
};

/* Shared and never freed for real, so that it needs no memory. */
extern struct err err_nomem;

/* Owned by the caller.  Falls back on &err_nomem. */
struct err *err_new(enum err_code code, int os, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void err_free(struct err *e);		/* NULL and &err_nomem are fine */
void err_freep(struct err **e);		/* for CLEANUP */

/* Where only want of memory is an error: that, or NULL, and e is freed. */
struct err *err_only_nomem(struct err *e);

/* Return from the calling function when expr yields an error. */
#define TRY(expr) do { \
	struct err *try_err_ = (expr); \
	if (try_err_) \
		return try_err_; \
} while (0)

#endif
