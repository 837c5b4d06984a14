/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A string that grows up to a maximum.  An append that fails (memory or the
 * maximum) sets `failed` and changes nothing; check it once at the end.
 */
#ifndef UTIL_SB_H
#define UTIL_SB_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct sb {
	char *p;		/* owned; NUL-terminated once anything is in */
	size_t len, cap, max;	/* max bytes, NUL included */
	bool failed;
};

void sb_init(struct sb *b, size_t max);
void sb_fini(struct sb *b);
void sb_reset(struct sb *b);		/* empty, keep the memory */
void sb_putc(struct sb *b, char c);
void sb_puts(struct sb *b, const char *s);
void sb_putn(struct sb *b, const void *p, size_t n);
void sb_printf(struct sb *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void sb_vprintf(struct sb *b, const char *fmt, va_list ap);
const char *sb_str(const struct sb *b);	/* "" when empty */
char *sb_steal(struct sb *b);		/* owned, or NULL when failed */

#endif
