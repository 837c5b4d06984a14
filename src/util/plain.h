/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Text of others on a terminal: what would control it is escaped, as in a string
 * of C.
 *
 * That is 0x00 to 0x1f but newline and tab, 0x7f, 0x80 to 0x9f as characters of
 * UTF-8, and all bytes that are no UTF-8, whatever a terminal takes those for.
 */
#ifndef UTIL_PLAIN_H
#define UTIL_PLAIN_H

#include "util/sb.h"

/* Append the n bytes at p. */
void plain_put(struct sb *b, const char *p, size_t n);
/* Append c as in a string of C; quotes and backslashes are left alone. */
void plain_escape(struct sb *b, uint8_t c);

#endif
