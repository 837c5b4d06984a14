/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A string that grows up to a maximum.  An append that fails (memory or the
 * maximum) sets `failed` and changes nothing; check it once at the end.
 */
#ifndef UTIL_SB_H
#define UTIL_SB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct sb {
	char *p;		/* owned; NUL-terminated once anything is in */
	size_t len, cap, max;	/* max bytes, NUL included */
	bool failed;
};

void sb_init(struct sb *b, size_t max);
void sb_fini(struct sb *b);
void sb_reset(struct sb *b);		/* empty, keep the memory */
void sb_putn_(struct sb *b, const void *p, size_t n);	/* may have to grow */
void sb_puts(struct sb *b, const char *s);
void sb_fill(struct sb *b, char c, size_t n);		/* n times c */
/* v in decimal, to the right of a column that is at least width wide. */
void sb_dec(struct sb *b, int64_t v, unsigned width);
void sb_printf(struct sb *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
const char *sb_str(const struct sb *b);	/* "" when empty */
char *sb_steal(struct sb *b);		/* owned, or NULL when failed */
/* Back to len bytes, of more; forget that it failed. */
void sb_cut(struct sb *b, size_t len);

static inline void
sb_putn(struct sb *b, const void *p, size_t n)
{
	if (n >= b->cap - b->len) {
		sb_putn_(b, p, n);
		return;
	}
	if (n)
		memcpy(b->p + b->len, p, n);
	b->len += n;
	b->p[b->len] = '\0';
}

static inline void
sb_putc(struct sb *b, char c)
{
	sb_putn(b, &c, 1);
}

#endif
