/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Names as they stand in files of others.
 */
#ifndef SYM_TEXT_PRIV_H
#define SYM_TEXT_PRIV_H

#include <stddef.h>

/* Put '?' for what a terminal would obey. */
static inline void
sym_make_plain(char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)s[i] < 0x20 || s[i] == 0x7f)
			s[i] = '?';
}

/* Underscores that name begins with, 15 at most: of two names for one address
 * that with fewer is the better. */
static inline unsigned
sym_underscores(const char *name)
{
	unsigned n = 0;

	while (n < 15 && name[n] == '_')
		n++;
	return n;
}

#endif
