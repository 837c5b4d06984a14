/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the tests of the library share: TAP, and a trace from text to end.
 */
#ifndef TESTS_LIB_TAP_H
#define TESTS_LIB_TAP_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "dtrace/dtrace.h"

static int tap_number, tap_bad;
static dtrace_hdl_t *tap_h;

static inline void
ok(int good, const char *what)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++tap_number, what);
	tap_bad += !good;
}

static inline void
dfatal(const char *what)
{
	printf("Bail out! %s: %s\n%s", what,
	       dtrace_errmsg(tap_h, dtrace_errno(tap_h)),
	       tap_h ? dtrace_errdetail(tap_h) : "");
	exit(1);
}

/* Close the handle of before and open another; without the right to trace there
 * is nothing to be tested. */
static inline void
reopen(void)
{
	int err;

	dtrace_close(tap_h);
	tap_h = dtrace_open(DTRACE_VERSION, 0, &err);
	if (tap_h)
		return;
	printf("ok %d # SKIP %s\n1..%d\n", tap_number + 1,
	       dtrace_errmsg(NULL, err), tap_number + 1);
	exit(tap_bad != 0);
}

static inline dtrace_prog_t *
compile(const char *text)
{
	return dtrace_program_strcompile(tap_h, text, DTRACE_PROBESPEC_NAME, 0,
					 0, NULL);
}

static inline void
start(const char *text)
{
	dtrace_prog_t *p = compile(text);

	if (!p || dtrace_program_exec(tap_h, p, NULL) || dtrace_go(tap_h))
		dfatal(text);
}

static inline void
set(const char *name, const char *value)
{
	if (dtrace_setopt(tap_h, name, value))
		dfatal(name);
}

static inline int
plan(void)
{
	dtrace_close(tap_h);
	printf("1..%d\n", tap_number);
	return tap_bad != 0;
}

#endif
