/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Pages follow the reader's choice of light or dark.  Colours that carry a
 * meaning are those of the picture, not of the page.
 */
#include "base/base.h"
#include "fmt/page.h"

static const char common[] =
":root{color-scheme:light dark;--bg:#fff;--fg:#1c1c20;--dim:#6a6a72;"
"--line:#d9d9de;--soft:#f4f4f6;--hit:#c026d3}"
"@media(prefers-color-scheme:dark){:root{--bg:#1a1a1e;--fg:#e6e6ea;"
"--dim:#9a9aa4;--line:#3a3a42;--soft:#24242a;--hit:#b0259c}}"
"*{box-sizing:border-box}"
"body{margin:0;padding:16px;background:var(--bg);color:var(--fg);"
"font:14px/1.45 system-ui,sans-serif}"
"h1{font-size:18px;margin:0 0 8px}h2{font-size:15px;margin:24px 0 6px}"
"input,button{font:inherit;padding:3px 8px;border:1px solid var(--line);"
"border-radius:4px;background:var(--soft);color:var(--fg)}"
"code,td,th,.mono{font-family:ui-monospace,Menlo,Consolas,monospace;"
"font-size:12.5px}"
".dim{color:var(--dim)}.empty{color:var(--dim);padding:24px 0}\n";

void
fmt_page_open(struct sb *b, const char *title, const char *style,
	      const char *more)
{
	sb_puts(b, "<!DOCTYPE html>\n<html lang=\"en\"><head>"
		"<meta charset=\"utf-8\"><meta name=\"viewport\" "
		"content=\"width=device-width\"><title>");
	sb_puts(b, title);
	sb_puts(b, "</title>\n<style>");
	sb_puts(b, common);
	sb_puts(b, style);
	sb_puts(b, more);
	sb_puts(b, "</style></head><body>\n<h1>");
	sb_puts(b, title);
	sb_puts(b, "</h1>\n");
}

void
fmt_page_close(struct sb *b)
{
	sb_puts(b, "</body></html>\n");
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
