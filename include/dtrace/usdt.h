/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Probes that a running program makes: for interpreters, and whoever learns the names
 * of probes only as it runs.  A library of its own, libusdt-dtrace, that needs nothing
 * but libc.  Others see these probes as those that were compiled in: dtrace(8), and
 * what reads the notes of the files that a process maps.  See usdt_dtrace(3).
 *
 *	dtrace_usdt_t *p = dtrace_usdt_new("myprov");
 *	dtrace_usdt_probe_t *start = dtrace_usdt_add(p, "start", "int, char *");
 *	dtrace_usdt_show(p);
 *	if (dtrace_usdt_enabled(start))
 *		dtrace_usdt_fire(start, (long)id, url);
 */
#ifndef DTRACE_USDT_H
#define DTRACE_USDT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DTRACE_USDT_NARGS = 12 };	/* arguments of a probe */

typedef struct dtrace_usdt dtrace_usdt_t;
typedef struct dtrace_usdt_probe dtrace_usdt_probe_t;

/* NULL, with errno set: EINVAL, the name is none of C. */
dtrace_usdt_t *dtrace_usdt_new(const char *provider);
/* A probe that nobody sees before dtrace_usdt_show(); it belongs to the provider.
 * types: of its arguments, as in a provider definition, separated by commas: char,
 * short, int, long and long long, signed or unsigned, int8_t to uint64_t, size_t, and
 * pointers to anything; "" or NULL: it has none.  NULL, with errno set: EINVAL, a name
 * or a type cannot be; EEXIST. */
dtrace_usdt_probe_t *dtrace_usdt_add(dtrace_usdt_t *, const char *name,
				     const char *types);
/* Have others see what was added since the last time: one file more that the process
 * maps.  0, or -1 with errno set, and then nothing has changed. */
int dtrace_usdt_show(dtrace_usdt_t *);
/* Have nobody see any of them from now on.  Other threads may go on firing them, which
 * does nothing.  0, or -1 with errno set, and then some may still be seen. */
int dtrace_usdt_hide(dtrace_usdt_t *);
/* Hide and free it all; nobody may use its probes any more.  NULL is fine. */
void dtrace_usdt_free(dtrace_usdt_t *);

/* For any thread: does somebody trace it; and pass it, with as many arguments as it
 * has, each of 64 bits (a long, an int64_t, a pointer). */
int dtrace_usdt_enabled(const dtrace_usdt_probe_t *);
void dtrace_usdt_fire(const dtrace_usdt_probe_t *, ...);
/* The same, of an array. */
void dtrace_usdt_firev(const dtrace_usdt_probe_t *, const uint64_t *args);

#ifdef __cplusplus
}
#endif

#endif
