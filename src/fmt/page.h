/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the pages have in common: one HTML file each, that needs nothing else.
 */
#ifndef FMT_PAGE_H
#define FMT_PAGE_H

#include "util/sb.h"

/* The beginning of a page up to its body: what it is, and of which program (NULL:
 * that is not known); style, more: further CSS. */
void fmt_page_open(struct sb *b, const char *title, const char *program,
		   const char *style, const char *more);
void fmt_page_close(struct sb *b);
/* n bytes as text of HTML; what is no UTF-8, or no character of text, is U+FFFD.
 * max: the most characters, the last one then being "..". */
void fmt_page_text(struct sb *b, const char *p, size_t n, size_t max);
/* A number with thousands set apart. */
void fmt_page_number(struct sb *b, int64_t v);

#endif
