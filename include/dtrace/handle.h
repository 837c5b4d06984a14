/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Handles, errors and options.
 */
#ifndef DTRACE_HANDLE_H
#define DTRACE_HANDLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DTRACE_VERSION 3

typedef struct dtrace_hdl dtrace_hdl_t;
typedef uint32_t dtrace_id_t;
typedef uint32_t dtrace_epid_t;
typedef uint32_t dtrace_aggid_t;

enum {	/* flags of dtrace_open(); what is not possible here is refused */
	DTRACE_O_NODEV = 1,	/* only to list and compile: needs no rights */
	DTRACE_O_NOSYS = 2,	/* without the kernel's types: refused */
	DTRACE_O_LP64 = 4,	/* pointers of 64 bits, as always */
	DTRACE_O_ILP32 = 8	/* of 32: refused */
};

enum {	/* results of dtrace_errno() */
	EDT_NOMEM = 1000, EDT_OS, EDT_FORMAT, EDT_NOTFOUND, EDT_INVALID,
	EDT_LIMIT, EDT_UNSUPPORTED, EDT_COMPILER, EDT_VERIFY, EDT_STATE,
	EDT_VERSION
};

/* version: DTRACE_VERSION.  On failure *errp, when not NULL, is for
 * dtrace_errmsg(NULL, *errp).  The handle is the caller's to close. */
dtrace_hdl_t *dtrace_open(int version, int flags, int *errp);
/* Ends the tracing and the processes that dtrace_proc_create() has started.
 * NULL is fine.  Once, and not from a function that the library calls.  What the
 * handle has given out goes with it; events and
 * snapshots must have been given back before. */
void dtrace_close(dtrace_hdl_t *);

/* Of these four NULL asks about the last dtrace_open() of this thread that
 * failed; all other calls want a handle. */
int dtrace_errno(dtrace_hdl_t *);
/* One line, borrowed until the next failure. */
const char *dtrace_errmsg(dtrace_hdl_t *, int error);
/* For people: the source lines at fault, hints, and further errors of the last
 * failed compilation; several lines, "" when there is nothing to add.  After a
 * compilation that succeeded, its warnings, a line each.  Borrowed likewise. */
const char *dtrace_errdetail(dtrace_hdl_t *);
/* Of the last failed compilation: why, where that is known apart, and how to mend it;
 * a line each, or "".  Borrowed likewise. */
const char *dtrace_errhint(dtrace_hdl_t *);
/* The words for a fault of a clause: "invalid address". */
const char *dtrace_faultstr(dtrace_hdl_t *, int fault);

int dtrace_setopt(dtrace_hdl_t *, const char *name, const char *value);
/* As if given on the command line before everything else; from the
 * environment's DTRACE_OPT_NAME. */
int dtrace_setopt_env(dtrace_hdl_t *, char **env);
int dtrace_getopt(dtrace_hdl_t *, const char *name, int64_t *value);

/* Write text, such as an error's, which may hold bytes of anybody; to a terminal
 * what would control it is written as in a string of C. */
void dtrace_put_text(FILE *, const char *text);
/* What of the running kernel is used, one line a feature, and then how each provider's
 * probes are attached, one line a provider. */
void dtrace_print_features(FILE *);

#ifdef __cplusplus
}
#endif

#endif
