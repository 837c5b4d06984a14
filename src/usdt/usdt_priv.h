/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the files of libusdt-dtrace share.
 */
#ifndef USDT_USDT_PRIV_H
#define USDT_USDT_PRIV_H

#include <stdbool.h>
#include <stddef.h>

#include "dtrace/usdt.h"

/* Called as a function of all arguments, it does nothing; tracers stand there. */
typedef void usdt_stub_fn(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
			  uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
			  uint64_t, uint64_t);

struct dtrace_usdt_probe {
	struct dtrace_usdt_probe *next;
	char *name, *types;
	unsigned nargs;
	signed char size[DTRACE_USDT_NARGS];	/* bytes; negative: signed */
	/* Set when it is shown, and for good; read by any thread. */
	usdt_stub_fn *stub;
	const volatile uint16_t *counter;
};

/* A file that was mapped: a page or more of code and notes, then one or more of
 * counters. */
struct usdt_object {
	struct usdt_object *next;
	unsigned char *at;
	size_t code, counters;		/* bytes, whole pages */
	size_t stubs, n;		/* where in it, and how many */
};

struct dtrace_usdt {
	char *name;
	struct dtrace_usdt_probe *probes;	/* the latest first */
	struct dtrace_usdt_probe *shown;	/* from here on they are */
	struct usdt_object *objects;
};

/* types.c: take the types of a probe apart; false: they cannot be. */
bool usdt_types(struct dtrace_usdt_probe *p);

/* A file in memory, as it grows. */
struct usdt_image {
	unsigned char *p;
	size_t len, size;
	bool failed;
};

/* image.c: the file with the probes of u that are not shown.  Where the stub and the
 * counter of the i-th are: at stubs + i * USDT_STUB, counters + 2 * i. */
enum { USDT_STUB = 8 };
extern const unsigned char usdt_stub[USDT_STUB];
struct usdt_places {
	size_t stubs, counters;
	size_t code;			/* bytes up to the counters */
};
bool usdt_image(const struct dtrace_usdt *u, struct usdt_image *f,
		struct usdt_places *ret);

#endif
