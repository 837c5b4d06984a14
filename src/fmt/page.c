/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Pages are made of the files in web/, which lie in the program as text.  They
 * follow the reader's choice of light or dark.  Colours that carry a
 * meaning are those of the picture, not of the page.
 */
#include <assert.h>
#include <string.h>

#include "base/base.h"
#include "fmt/page.h"
#include "fmt/web.h"

enum { TITLE_MAX = 60, PROGRAM_MAX = 4000 };	/* characters */

/* What stands in a template before a mark; returns what stands behind it. */
static const char *
put_until(struct sb *b, const char *template, const char *mark)
{
	const char *end = strstr(template, mark);

	assert(end);
	sb_putn(b, template, (size_t)(end - template));
	return end + strlen(mark);
}

void
fmt_page_open(struct sb *b, const char *title, const char *program,
	      const char *style, const char *more)
{
	const char *rest = put_until(b, fmt_page_html, "{{title}}");

	sb_puts(b, title);
	if (program) {
		sb_puts(b, ": ");
		fmt_page_text(b, program, strcspn(program, "\n"), TITLE_MAX);
	}
	rest = put_until(b, rest, "{{style}}");
	sb_puts(b, fmt_page_css);
	sb_puts(b, style);
	sb_puts(b, more);
	rest = put_until(b, rest, "{{title}}");
	sb_puts(b, title);
	put_until(b, rest, "{{body}}");
	if (program) {
		sb_puts(b, "<pre class=\"program\">");
		fmt_page_text(b, program, strlen(program), PROGRAM_MAX);
		sb_puts(b, "</pre>\n");
	}
}

void
fmt_page_close(struct sb *b)
{
	sb_puts(b, strstr(fmt_page_html, "{{body}}") + strlen("{{body}}"));
}

static void
put_char(struct sb *b, const char *p, size_t len)
{
	static const char bad[] = "\xef\xbf\xbd";
	uint8_t c = (uint8_t)*p;

	if (!len || (len == 1 && (c == 0x7f || (c < 0x20 && c != '\n' &&
						  c != '\t'))))
		sb_puts(b, bad);
	else if (c == '&')
		sb_puts(b, "&amp;");
	else if (c == '<')
		sb_puts(b, "&lt;");
	else if (c == '>')
		sb_puts(b, "&gt;");
	else if (c == '"')
		sb_puts(b, "&quot;");
	else
		sb_putn(b, p, len);
}

/* Characters in n bytes. */
static size_t
count(const char *p, size_t n)
{
	size_t chars = 0;

	for (size_t i = 0; i < n; chars++)
		i += BASE_MAX(base_utf8(p + i, n - i), 1u);
	return chars;
}

void
fmt_page_text(struct sb *b, const char *p, size_t n, size_t max)
{
	size_t chars = n > max ? count(p, n) : 0;
	size_t most = chars > max ? max - BASE_MIN(max, (size_t)2) : SIZE_MAX;

	for (size_t i = 0; i < n && most; most--) {
		size_t len = base_utf8(p + i, n - i);
		put_char(b, p + i, len);
		i += len ? len : 1;
	}
	if (chars > max)
		sb_puts(b, "..");
}

void
fmt_page_number(struct sb *b, int64_t v)
{
	char text[BASE_DEC_MAX];
	unsigned n = base_dec(text, v < 0 ? -(uint64_t)v : (uint64_t)v);

	if (v < 0)
		sb_puts(b, "\xe2\x88\x92");
	for (unsigned i = 0; i < n; i++) {
		sb_putc(b, text[i]);
		if ((n - 1 - i) % 3 == 0 && i + 1 < n)
			sb_puts(b, "\xe2\x80\xaf");
	}
}
