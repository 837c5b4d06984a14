/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Heat maps: which keys have one and in which order, their columns, rows and cells.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/base.h"
#include "fmt/heat.h"
#include "fmtworld.h"

/* lquantize(x, 0, 10, 1): below 0, ten, and 10 or more. */
enum { NCELLS = 12 };
#define LQ	((uint64_t)1 << 48 | (uint64_t)10 << 32)

struct heat_world {
	struct fw *w;
	struct fmt_heat h;
	uint32_t id;
	struct sb out;
};

static void
open_world(struct heat_world *x)
{
	x->w = fw_new();
	x->id = rm_agg(x->w->m, ABI_AGG_LQUANTIZE, LQ, NCELLS);
	rm_key(x->w->m, x->id, ABI_FIELD_INT, 4, true);
	fw_open(x->w);
	fmt_heat_init(&x->h, consume_agg(x->w->c, x->id)->desc);
	sb_init(&x->out, 16 << 20);
}

static void
close_world(struct heat_world *x)
{
	sb_fini(&x->out);
	fmt_heat_fini(&x->h);
	fw_free(x->w);
}

static void
count(struct heat_world *x, int32_t key, unsigned bucket, uint64_t n)
{
	uint64_t cells[NCELLS] = { 0 };

	cells[bucket] = n;
	assert_null(consume_agg_add(x->w->c, x->id, &key, cells));
}

static void
label(const struct fmt *f, const struct abi_agg_desc *d, const uint8_t *key,
      struct sb *b)
{
	int32_t k;

	memcpy(&k, key, sizeof(k));
	sb_printf(b, "key%d", k);
}

static void
column(struct heat_world *x, uint64_t now)
{
	assert_null(fmt_heat_add(&x->h, x->w->f, consume_agg(x->w->c, x->id),
				 now, label));
}

static const char *
put(struct heat_world *x)
{
	sb_reset(&x->out);
	assert_null(fmt_heat_put(&x->h, &x->out));
	return sb_str(&x->out);
}

static unsigned
how_many(const char *text, const char *what)
{
	unsigned n = 0;

	while ((text = strstr(text, what))) {
		n++;
		text += strlen(what);
	}
	return n;
}

static void
want(const char *text, const char *what)
{
	if (!strstr(text, what))
		fail_msg("no %s in\n%s", what, text);
}

/* Rows are from the lowest bucket that has counted to the highest, from below; empty
 * cells are not drawn. */
static void
test_cells(void **state)
{
	struct heat_world x;

	open_world(&x);
	count(&x, 1, 3, 5);
	column(&x, 7000000000);
	assert_string_equal(put(&x), "");	/* a line, and no map */
	count(&x, 1, 5, 100);
	column(&x, 8500000000);
	const char *text = put(&x);
	assert_int_equal(how_many(text, "class=\"heat\""), 1);
	want(text, "<h3>key1</h3>");
	want(text, "viewBox=\"0 0 2 3\"");
	want(text, "<ol><li>2</li><li>3</li><li>4</li></ol>");
	assert_int_equal(how_many(text, "<rect"), 3);
	want(text, "<rect x=\"0\" y=\"2\" width=\"1\" height=\"1\"");
	want(text, "<title>0.0 s, 2: 5</title>");
	want(text, "<rect x=\"1\" y=\"2\" width=\"1\" height=\"1\"");
	want(text, "<title>1.5 s, 2: 5</title>");
	/* The most is darkest. */
	want(text, "<rect x=\"1\" y=\"0\" width=\"1\" height=\"1\" "
	     "fill=\"hsl(0 80% 32%)\"><title>1.5 s, 4: 100</title>");
	want(text, "<span>0 s</span><span>1.5 s</span>");
	assert_null(strstr(text, "more keys"));
	close_world(&x);
}

/* Of many keys those that have counted most, the first of them first. */
static void
test_series(void **state)
{
	enum { KEYS = 11, SHOWN = 8 };

	for (int n = 1; n <= KEYS; n++) {
		struct heat_world x;
		char text[64];

		open_world(&x);
		for (int i = 0; i < n; i++)
			count(&x, i, 1, 10 + (uint64_t)(i * 7 % KEYS));
		column(&x, 1);
		column(&x, 2);
		const char *at = put(&x);
		assert_int_equal(how_many(at, "class=\"heat\""),
				 BASE_MIN(n, SHOWN));
		snprintf(text, sizeof(text), ">%d more keys have counted less.<",
			 n - SHOWN);
		assert_int_equal(strstr(at, text) != NULL, n > SHOWN);
		unsigned last = UINT32_MAX;
		for (int i = 0; i < BASE_MIN(n, SHOWN); i++) {
			int key;
			assert_non_null(at = strstr(at, "<h3>key"));
			assert_int_equal(sscanf(at, "<h3>key%d<", &key), 1);
			unsigned counted = (unsigned)key * 7 % KEYS;
			assert_true(counted < last);
			last = counted;
			at++;
		}
		close_world(&x);
	}
}

/* More columns than a page has: neighbours are added up. */
static void
test_columns(void **state)
{
	static const struct { unsigned times, columns; const char *last; } rows[] = {
		{ 2, 2, "<title>1.0 s, 0: 3</title>" },
		{ 300, 300, "<title>299.0 s, 0: 3</title>" },
		{ 301, 151, "<title>300.0 s, 0: 3</title>" },
		{ 600, 300, "<title>598.0 s, 0: 6</title>" },
		{ 601, 201, "<title>600.0 s, 0: 3</title>" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct heat_world x;
		char box[64];

		open_world(&x);
		count(&x, 1, 1, 3);
		for (uint64_t k = 0; k < rows[i].times; k++)
			column(&x, k * 1000000000);
		const char *text = put(&x);
		snprintf(box, sizeof(box), "viewBox=\"0 0 %u 1\"", rows[i].columns);
		want(text, box);
		want(text, rows[i].last);
		assert_int_equal(how_many(text, "<rect"), rows[i].columns);
		close_world(&x);
	}
}

/* What has not counted, or was taken away, has no map. */
static void
test_nothing(void **state)
{
	struct heat_world x;

	open_world(&x);
	count(&x, 1, 1, (uint64_t)-3);
	count(&x, 2, 1, 0);
	count(&x, 3, 1, 1);
	column(&x, 1);
	column(&x, 2);
	const char *text = put(&x);
	assert_int_equal(how_many(text, "<h3>"), 1);
	want(text, "<h3>key3</h3>");
	close_world(&x);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_series),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests_name("fmt-heat", tests, NULL, NULL);
}
