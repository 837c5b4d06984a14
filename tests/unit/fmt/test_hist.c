/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Histograms against files written from the specification by hand.  A .hist
 * file names the function and its parameters, perhaps "normal N", "zoom" or
 * "utf8", then a value and its count per line; the .text file beside it is what must be printed.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "abi/quant.h"
#include "fmtworld.h"

struct hist {
	struct abi_agg_desc desc;
	uint64_t *cells;
	int64_t normal;
	struct fmt_style style;
};

static char *
read_all(const char *dir, const char *name, const char *ext)
{
	char path[4096];
	char *text = calloc(1, 1 << 16);

	snprintf(path, sizeof(path), "%s/%s%s", dir, name, ext);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	fread(text, 1, (1 << 16) - 1, f);
	fclose(f);
	return text;
}

static void
read_function(struct hist *h, const char *line)
{
	long long a, b, c, d;

	if (sscanf(line, "llquantize %lld %lld %lld %lld", &a, &b, &c, &d)
	    == 4) {
		h->desc.func = ABI_AGG_LLQUANTIZE;
		h->desc.arg = (uint64_t)(a << 48 | b << 32 | c << 16 | d);
	} else if (sscanf(line, "lquantize %lld %lld %lld", &a, &b, &c) == 3) {
		h->desc.func = ABI_AGG_LQUANTIZE;
		h->desc.arg = (uint64_t)(c << 48 | (b - a) / c << 32 |
					 (uint32_t)a);
	} else {
		assert_string_equal(line, "quantize");
		h->desc.func = ABI_AGG_QUANTIZE;
	}
	h->desc.ncells = consume_agg_cells(h->desc.func, h->desc.arg);
	h->cells = calloc(h->desc.ncells, sizeof(*h->cells));
}

static void
read_count(struct hist *h, const char *line)
{
	long long v, n;
	uint32_t i;

	if (sscanf(line, "normal %lld", &v) == 1) {
		h->normal = v;
		return;
	}
	if (!strcmp(line, "zoom") || !strcmp(line, "utf8")) {
		*(*line == 'z' ? &h->style.zoom : &h->style.utf8) = true;
		return;
	}
	assert_int_equal(sscanf(line, "%lld %lld", &v, &n), 2);
	switch (h->desc.func) {
	case ABI_AGG_QUANTIZE: i = abi_quantize_bucket(v); break;
	case ABI_AGG_LQUANTIZE: i = abi_lquantize_bucket(v, h->desc.arg); break;
	default: i = abi_llquantize_bucket(v, h->desc.arg); break;
	}
	h->cells[i] += (uint64_t)n;
}

static struct hist
read_hist(char *text)
{
	struct hist h = { .normal = 1 };
	char *line, *rest = text;

	read_function(&h, strsep(&rest, "\n"));
	while ((line = strsep(&rest, "\n")))
		if (*line)
			read_count(&h, line);
	return h;
}

static void
check(const char *dir, const char *name)
{
	char *text = read_all(dir, name, ".hist");
	char *want = read_all(dir, name, ".text");
	struct hist h = read_hist(text);
	struct sb b;

	sb_init(&b, 1 << 20);
	fmt_histogram(&h.desc, h.cells, h.normal, h.style, &b);
	if (strcmp(sb_str(&b), want))
		print_message("# %s:\n%s# instead of:\n%s", name, sb_str(&b),
			      want);
	assert_string_equal(sb_str(&b), want);
	sb_fini(&b);
	free(h.cells);
	free(text);
	free(want);
}

static void
test_golden(void **state)
{
	const char *dir = getenv("GOLDEN");
	struct dirent *e;
	int n = 0;

	assert_non_null(dir);
	DIR *d = opendir(dir);
	assert_non_null(d);
	while ((e = readdir(d))) {
		char *dot = strrchr(e->d_name, '.');
		if (!dot || strcmp(dot, ".hist"))
			continue;
		*dot = '\0';
		check(dir, e->d_name);
		n++;
	}
	closedir(d);
	assert_true(n >= 20);
}

/* One row: label, blank, 41 columns with one axis, blank, number. */
static void
check_row(const char *p)
{
	int axes = 0;

	p += strspn(p, " ");
	p += strspn(p, "-0123456789");
	assert_int_equal(*p++, ' ');
	for (int i = 0; i < 41; i++, p++) {
		assert_non_null(strchr(" @|", *p));
		axes += *p == '|';
	}
	assert_int_equal(axes, 1);
	assert_int_equal(*p++, ' ');
	p += strspn(p, "-0123456789");
	assert_int_equal(p[strspn(p, " ")], '\n');
}

/* Whatever the counts, no bar leaves its place. */
static void
test_noise(void **state)
{
	struct abi_agg_desc d = { .func = ABI_AGG_QUANTIZE, .ncells = 127 };
	uint64_t cells[127];
	uint64_t seed = 1;
	struct sb b;

	sb_init(&b, 1 << 20);
	for (int round = 0; round < 1000; round++) {
		for (int i = 0; i < 127; i++) {
			seed = seed * 6364136223846793005 + 1442695040888963407;
			cells[i] = seed >> (seed >> 58);
			if (round % 3 == 0)
				cells[i] >>= 1;			/* positive */
			if (round % 3 == 1)
				cells[i] |= 1ULL << 63;		/* negative */
		}
		sb_reset(&b);
		struct fmt_style style = { .zoom = round % 7 < 3 };
		fmt_histogram(&d, cells, 1 + round % 5, style, &b);
		const char *p = strchr(sb_str(&b) + 1, '\n') + 1;
		for (; *p; p = strchr(p, '\n') + 1)
			check_row(p);
	}
	sb_fini(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_noise),
	};
	return cmocka_run_group_tests_name("fmt-hist", tests, NULL, NULL);
}
