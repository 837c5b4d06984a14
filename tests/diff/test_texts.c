/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Subroutines that take texts apart, on many texts: these lie in user memory, so
 * that one clause sees one after the other.  Short ones of a few bytes, all of
 * them; documents for json() at random, most of them right or nearly.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"

enum { TEXT_MAX = 120, MOST_TEXTS = 4096 };

static char texts[MOST_TEXTS][TEXT_MAX + 1];
static struct diff_args args[MOST_TEXTS];

/* --- All short texts ------------------------------------------------------ */

/* All texts of the bytes of `set` up to `most` of them; how many. */
static unsigned
all_texts(const char *set, unsigned most)
{
	unsigned k = (unsigned)strlen(set), n = 0, of = 1;

	for (unsigned len = 0; len <= most; len++, of *= k)
		for (unsigned i = 0; i < of; i++, n++) {
			unsigned v = i;
			for (unsigned c = 0; c < len; c++, v /= k)
				texts[n][c] = set[v % k];
			texts[n][len] = '\0';
			args[n] = (struct diff_args){ {
				(uintptr_t)texts[n] } };
		}
	return n;
}

static void
add_path(struct diff *d, const char *subr)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "ldgs arg0, %%r1\npushtv DT_TYPE(0), %%r0, %%r1\n"
		 "call copyinstr, %%r2\nflushts\n"
		 "pushtr DT_TYPE(1), %%r0, %%r2\ncall %s, %%r4\nret %%r4",
		 subr);
	diff_str(diff_clause(d, "%s", subr), 32, text);
}

static unsigned
test_paths(void)
{
	struct diff *d = diff_new(32);

	add_path(d, "cleanpath");
	add_path(d, "basename");
	add_path(d, "dirname");
	return diff_finish(d, args, all_texts("/.a", 7));
}

/* A text is taken apart to its end. */
static unsigned
test_tokens(void)
{
	struct diff *d = diff_new(32);

	diff_str(diff_clause(d, "strtok"), 32,
		 "ldgs arg0, %r1\npushtv DT_TYPE(0), %r0, %r1\n"
		 "call copyinstr, %r2\nflushts\n"
		 "pushtr DT_TYPE(1), %r0, %r2\nsets \",;\", %r2\n"
		 "pushtr DT_TYPE(1), %r0, %r2\ncall strtok, %r4\nret %r4");
	for (unsigned i = 0; i < 4; i++)
		diff_str(diff_clause(d, "strtok, %u more", i + 1), 32,
			 "pushtr DT_TYPE(1), %r0, %r0\nsets \",;\", %r2\n"
			 "pushtr DT_TYPE(1), %r0, %r2\n"
			 "call strtok, %r4\nret %r4");
	return diff_finish(d, args, all_texts(",;a", 6));
}

/* --- Addresses ------------------------------------------------------------ */

/* Every pattern of groups that are zero. */
static unsigned
test_addresses(void)
{
	struct diff *d = diff_new(64);
	unsigned n = 0;

	diff_str(diff_clause(d, "inet_ntoa6"), 64,
		 "ldgs arg0, %r1\npushtv DT_TYPE(0), %r0, %r1\n"
		 "setx 16, %r1\npushtv DT_TYPE(0), %r0, %r1\n"
		 "call copyin, %r2\nflushts\n"
		 "pushtv DT_TYPE(0), %r0, %r2\ncall inet_ntoa6, %r4\nret %r4");
	for (unsigned zero = 0; zero < 256; zero++)
		for (unsigned kind = 0; kind < 3; kind++, n++) {
			uint16_t a[8];
			for (unsigned i = 0; i < 8; i++)
				a[i] = zero >> i & 1 ? 0 : kind == 0 ? 0xffff :
				       kind == 1 ? (uint16_t)(1 << 2 * i) :
						   (uint16_t)(i * 0x1357);
			memcpy(texts[n], a, sizeof(a));
			args[n] = (struct diff_args){ {
				(uintptr_t)texts[n] } };
		}
	return diff_finish(d, args, n);
}

/* --- JSON ----------------------------------------------------------------- */

struct writer {
	char *p;
	unsigned n;
};

static unsigned
below(unsigned n)
{
	static uint64_t x = 88172645463325252;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return (unsigned)((x >> 20) % n);
}

static void
put(struct writer *w, const char *s)
{
	while (*s && w->n < TEXT_MAX)
		w->p[w->n++] = *s++;
}

#define PICK(array) array[below(BASE_NELEMS(array))]

static void
put_blanks(struct writer *w)
{
	static const char *const some[] = { " ", "\t", "\n", "\r", "  " };

	if (!below(6))
		put(w, PICK(some));
}

static const char *const names[] = { "a", "b", "ab", "0", "1", "" };

static void
put_value(struct writer *w, unsigned depth)
{
	static const char *const scalars[] = {
		"0", "7", "-1", "1.5", "2e3", "-0.25E-2", "12345", "true",
		"false", "null", "\"\"", "\"a\"", "\"x\\\"y\"", "\"\\u00e9\"",
		"\"{[,]}\"", "01", "0x1", "1.", "nul", "truex", "\"\\x\"",
		"\"\\u12\"", "",
	};
	/* The last eight are wrong, and rare. */
	unsigned kind = below(10), n = below(4), m = BASE_NELEMS(scalars) - 8;
	bool object = kind & 1;

	put_blanks(w);
	if (kind >= 5 || !depth) {
		put(w, below(40) ? scalars[below(m)] : PICK(scalars));
		put_blanks(w);
		return;
	}
	put(w, object ? "{" : "[");
	for (unsigned i = 0; i < n; i++) {
		if (i)
			put(w, ",");
		if (object) {
			put_blanks(w);
			put(w, "\"");
			put(w, PICK(names));
			put(w, "\"");
			put_blanks(w);
			put(w, ":");
		}
		put_value(w, depth - 1);
	}
	put_blanks(w);
	put(w, object ? "}" : "]");
	put_blanks(w);
}

/* A container; one time in three some byte of it is another. */
static void
put_document(struct writer *w)
{
	static const char bytes[] = "{}[],:\"\\ 0.e-+x\t\x01";

	while (!w->n || (w->p[0] != '{' && w->p[0] != '[')) {
		w->n = 0;
		put_value(w, 5);
	}
	if (!below(3))
		w->p[below(w->n)] = bytes[below(sizeof(bytes) - 1)];
	w->p[w->n] = '\0';
}

static void
put_selector(struct writer *w)
{
	static const char *const parts[] = {
		".a", ".b", ".ab", ".0", ".1", "[0]", "[1]", "[2]", "[00]",
	};
	static const char *const wrong[] = {
		".", "[", "]", "[]", "[x]", "x]", "..", "[0", "\x02",
	};
	unsigned n = 1 + below(3);

	for (unsigned i = 0; i < n; i++)
		put(w, PICK(parts));
	if (w->p[0] == '.')
		memmove(w->p, w->p + 1, --w->n);
	if (!below(30))
		put(w, PICK(wrong));
	w->p[w->n] = '\0';
}

/* Documents are cut at strsize, some of them. */
static unsigned
json_of(uint32_t strsize)
{
	struct diff *d = diff_new(strsize);
	unsigned n = 0;

	diff_scratch(d, 3 * ((strsize + 7) & ~7u));
	diff_str(diff_clause(d, "json"), 128,
		 "ldgs arg0, %r1\npushtv DT_TYPE(0), %r0, %r1\n"
		 "call copyinstr, %r2\nflushts\n"
		 "ldgs arg1, %r1\npushtv DT_TYPE(0), %r0, %r1\n"
		 "call copyinstr, %r3\nflushts\n"
		 "pushtr DT_TYPE(1), %r0, %r2\npushtr DT_TYPE(1), %r0, %r3\n"
		 "call json, %r4\nret %r4");
	for (unsigned i = 0; i + 1 < MOST_TEXTS; i += 2, n++) {
		struct writer doc = { texts[i], 0 }, sel = { texts[i + 1], 0 };
		put_document(&doc);
		put_selector(&sel);
		args[n] = (struct diff_args){ { (uintptr_t)doc.p,
						(uintptr_t)sel.p } };
	}
	return diff_finish(d, args, n);
}

static unsigned
test_json(void)
{
	return json_of(128) + json_of(128) + json_of(24);
}

int
main(void)
{
	static const struct diff_test tests[] = {
		{ "paths", test_paths },
		{ "tokens", test_tokens },
		{ "addresses", test_addresses },
		{ "documents", test_json },
	};

	return diff_main(tests, BASE_NELEMS(tests));
}
