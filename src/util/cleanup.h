/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Scope guards: CLEANUP(util_freep) char *s = ...; runs when s leaves scope.
 */
#ifndef UTIL_CLEANUP_H
#define UTIL_CLEANUP_H

#define CLEANUP(fn) __attribute__((cleanup(fn)))

/* Guards for the commonest things; each leaves NULL or -1 alone. */
void util_freep(void *pp);		/* a pointer from util_alloc() */
void util_closep(int *fd);
void util_fclosep(void *fp);		/* FILE ** */

#endif
