/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The options agghist and aggpack, with aggzoom and encoding.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "abi/quant.h"
#include "base/base.h"
#include "fmtworld.h"
#include "util/alloc.h"

enum { ZOOM = 1, UTF8 = 2, PLAIN = 4 };

static struct fw *
world(unsigned flags)
{
	struct fw *w = fw_new();

	w->opts.v[OPT_QUIET] = 1;
	w->opts.v[OPT_AGGHIST] = w->opts.v[OPT_AGGPACK] = !(flags & PLAIN);
	w->opts.v[OPT_AGGZOOM] = flags & ZOOM;
	if (flags & UTF8)
		w->opts.v[OPT_ENCODING] = OPT_ENCODING_UTF8;
	return w;
}

#define HEAD "\n              key  ------------- Distribution ------------- count    \n"

/* --- agghist ------------------------------------------------------------ */

/* sum() keyed by a string: value 0 ends. */
static void
test_bars(void **state)
{
	static const struct {
		unsigned flags;
		struct { const char *key; int64_t v; } e[4];
		int64_t normal;
		const char *want;
	} rows[] = {
		{ 0, { { "cat", 3 }, { "ls", 1 } }, 1, HEAD
"               ls |@@@@@@@@@@                               1        \n"
"              cat |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3        \n"
		},	/* none negative: the largest has all columns */
		{ ZOOM, { { "cat", 4 }, { "ls", 1 } }, 1, HEAD
"               ls |@@@@@@@@@@                               1        \n"
"              cat |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 4        \n"
		},
		{ 0, { { "up", 3 }, { "down", -1 } }, 1, HEAD
"             down                @@@@@|                     -1       \n"
"               up                     |@@@@@@@@@@@@@@@      3        \n"
		},
		{ ZOOM, { { "up", 3 }, { "down", -1 } }, 1, HEAD
"             down               @@@@@@|                     -1       \n"
"               up                     |@@@@@@@@@@@@@@@@@@@  3        \n"
		},
		{ ZOOM, { { "less", -2 }, { "lots", -4 } }, 1, HEAD
"             lots   @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -4       \n"
"             less                      @@@@@@@@@@@@@@@@@@@| -2       \n"
		},	/* bars show raw numbers */
		{ 0, { { "cat", 30 }, { "ls", 10 } }, 10, HEAD
"               ls |@@@@@@@@@@                               1        \n"
"              cat |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3        \n"
		},
		{ UTF8, { { "cat", 5 }, { "ls", 2 } }, 1, HEAD
"               ls |███████████▍                             2        \n"
"              cat |████████████████████████████▌            5        \n"
		},
		{ UTF8 | ZOOM, { { "cat", 3 }, { "ls", 1 } }, 1, HEAD
"               ls |█████████████▎                           1        \n"
"              cat |████████████████████████████████████████ 3        \n"
		},
		{ 0, { { "a-key-longer-than-17", 1 } }, 1, HEAD
"a-key-longer-than-17 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
		},
		{ 0, { { NULL, 0 } }, 1, "" },
		{ PLAIN, { { "a", 1 } }, 1,
"  a                                                                 1\n"
		},
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fw *w = world(rows[i].flags);
		uint32_t id = rm_agg(w->m, ABI_AGG_SUM, 0, 1);
		rm_key(w->m, id, ABI_FIELD_STRING, 24, false);
		fw_open(w);
		consume_agg(w->c, id)->normal = rows[i].normal;
		for (size_t k = 0; k < 4 && rows[i].e[k].key; k++) {
			char key[24] = { 0 };
			uint64_t v = (uint64_t)rows[i].e[k].v;
			strcpy(key, rows[i].e[k].key);
			assert_null(consume_agg_add(w->c, id, key, &v));
		}
		fw_fire(w, fw_agg_clause(w, ABI_ACT_PRINTA, NULL, id));
		fw_run(w);
		assert_int_equal(w->out[0], '\n');	/* printa()'s own */
		memmove(w->out, w->out + 1, w->len--);
		fw_expect(w, rows[i].want);
		fw_free(w);
	}
}

/* Several keys stand in one column; a number without a key has no share; a
 * stack stands above. */
static void
test_bar_keys(void **state)
{
	struct fw *w = world(0);
	uint32_t two = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);
	uint32_t none = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);
	uint32_t stack = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);
	struct { int32_t n; char s[4]; } key = { -7, "x" };
	uint64_t pcs[2] = { 16, 17 }, one = 1;

	rm_key(w->m, two, ABI_FIELD_INT, 4, true);
	rm_key(w->m, two, ABI_FIELD_STRING, 4, false);
	rm_key(w->m, stack, ABI_FIELD_STACK, 16, false);
	fw_open(w);
	assert_null(consume_agg_add(w->c, two, &key, &one));
	assert_null(consume_agg_add(w->c, none, "", &one));
	assert_null(consume_agg_add(w->c, stack, pcs, &one));
	fw_end(w);
	fw_expect(w, "\n" HEAD
"             -7 x |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
"                1\n" HEAD
"\n"
"              0x10\n"
"              0x11\n"
"                  |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n");
	fw_free(w);
}

/* --- aggpack ------------------------------------------------------------ */

struct pack_case {
	unsigned flags;
	uint32_t func;
	uint64_t arg;
	int64_t normal;
	/* Rows by key 1, 2, ...: value and count until a count of 0. */
	struct { int64_t v, n; } e[3][12];
	const char *want;
};

static uint32_t
bucket(const struct pack_case *c, int64_t v)
{
	switch (c->func) {
	case ABI_AGG_QUANTIZE: return abi_quantize_bucket(v);
	case ABI_AGG_LQUANTIZE: return abi_lquantize_bucket(v, c->arg);
	default: return abi_llquantize_bucket(v, c->arg);
	}
}

#define LQ(base, levels, step) \
	((uint64_t)(step) << 48 | (uint64_t)(levels) << 32 | (uint32_t)(base))
#define LLQ(f, lo, hi, n) \
	((uint64_t)(f) << 48 | (uint64_t)(lo) << 32 | (hi) << 16 | (n))

static const struct pack_case packs[] = {
	/* The example of the specification. */
	{ 0, ABI_AGG_QUANTIZE, 0, 1, { { { 1, 1 } } },
"\n"
"      key  min .---. max  | count\n"
"        1    0 : X : 2    | 1\n" },
	/* Ordered by weight; one range for all; 1/10 of 7 is 0.7 or 1, 2/10 is
	 * 1.4 or 1, 3/10 is 2.1 or 2, 4/10 is 2.8 or 3. */
	{ 0, ABI_AGG_QUANTIZE, 0, 1,
	  { { { 2, 1 }, { 4, 2 }, { 8, 3 }, { 16, 4 } }, { { -1, 3 } } },
"\n"
"      key  min .---------. max  | count\n"
"        2   -2 : X       : 32   | 3\n"
"        1   -2 :    __xx : 32   | 10\n" },
	/* 5/7 and 6/7 of 7: 5 and 6. */
	{ 0, ABI_AGG_QUANTIZE, 0, 1,
	  { { { 1, 5 }, { 2, 2 } }, { { 1, 6 }, { 2, 1 } } },
"\n"
"      key  min .----. max  | count\n"
"        2    0 : X_ : 4    | 7\n"
"        1    0 : xx : 4    | 7\n" },
	{ 0, ABI_AGG_QUANTIZE, 0, 1,
	  { { { 1, -6 }, { 2, 1 } }, { { 1, -2 }, { 2, -3 } } },
"\n"
"      key  min .----. max  | count\n"
"        2    0 : vv : 4    | -5\n"
"        1    0 : V_ : 4    | -5\n" },
	/* Long labels: one column more on the left. */
	{ 0, ABI_AGG_QUANTIZE, 0, 1, { { { 32768, 1 } } },
"\n"
"      key   min .---. max   | count\n"
"        1 16384 : X : 65536 | 1\n" },
	/* Sixths of 1, 1, 4 are 7/6, 7/6, 28/6: 1, 1, 5; of the largest 6.65/4,
	 * 6.65/4 and 6.65: 2, 2, 7. */
	{ UTF8, ABI_AGG_QUANTIZE, 0, 1, { { { 1, 1 }, { 2, 1 }, { 4, 4 } } },
"\n"
"      key  min .-----. max  | count\n"
"        1    0 : ▂▂▆ : 8    | 6\n" },
	{ UTF8 | ZOOM, ABI_AGG_QUANTIZE, 0, 1,
	  { { { 1, 1 }, { 2, 1 }, { 4, 4 } } },
"\n"
"      key  min .-----. max  | count\n"
"        1    0 : ▃▃█ : 8    | 6\n" },
	/* 6.65 times 11/21 is 3.48. */
	{ UTF8 | ZOOM, ABI_AGG_QUANTIZE, 0, 1, { { { 1, 11 }, { 2, 21 } } },
"\n"
"      key  min .----. max  | count\n"
"        1    0 : ▄█ : 4    | 32\n" },
	{ ZOOM, ABI_AGG_QUANTIZE, 0, 1, { { { 1, 1 }, { 2, 1 }, { 4, 4 } } },
"\n"
"      key  min .-----. max  | count\n"
"        1    0 : xxX : 8    | 6\n" },
	{ 0, ABI_AGG_QUANTIZE, 0, 10, { { { 1, 20 } } },
"\n"
"      key  min .---. max  | count\n"
"        1    0 : X : 2    | 2\n" },
	/* All of the range. */
	{ 0, ABI_AGG_LQUANTIZE, LQ(0, 5, 2), 1, { { { 3, 1 } } },
"\n"
"      key     min .-------. max      | count\n"
"        1     < 0 :  X    : >= 10    | 1\n" },
	{ 0, ABI_AGG_LQUANTIZE, LQ(-1000000, 2, 50000), 1, { { { 0, 1 } } },
"\n"
"      key        min .----. max        | count\n"
"        1 < -1000000 :   X: >= -900000 | 1\n" },
	/* Those around what is there. */
	{ 0, ABI_AGG_LLQUANTIZE, LLQ(10, 0, 3, 10), 1, { { { 30, 1 } } },
"\n"
"      key     min .---. max      | count\n"
"        1      20 : X : 40       | 1\n" },
};

static void
test_packs(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(packs); i++) {
		const struct pack_case *c = &packs[i];
		struct fw *w = world(c->flags);
		uint32_t n = consume_agg_cells(c->func, c->arg);
		uint32_t id = rm_agg(w->m, c->func, c->arg, n);
		rm_key(w->m, id, ABI_FIELD_INT, 4, true);
		fw_open(w);
		consume_agg(w->c, id)->normal = c->normal;
		for (int32_t k = 0; k < 3; k++) {
			int32_t key = k + 1;
			uint64_t *cells = calloc(n, sizeof(*cells));
			for (size_t v = 0; v < 12 && c->e[k][v].n; v++)
				cells[bucket(c, c->e[k][v].v)] +=
					(uint64_t)c->e[k][v].n;
			if (c->e[k][0].n)
				assert_null(consume_agg_add(w->c, id, &key,
							    cells));
			free(cells);
		}
		fw_end(w);
		assert_int_equal(w->out[0], '\n');	/* the end's own */
		memmove(w->out, w->out + 1, w->len--);
		fw_expect(w, c->want);
		fw_free(w);
	}
}

/* Without a key; with a format; with nothing in any bucket. */
static void
test_pack_others(void **state)
{
	struct fw *w = world(0);
	uint64_t cells[127] = { [64] = 1 }, zero[127] = { 0 };
	uint32_t a = rm_agg(w->m, ABI_AGG_QUANTIZE, 0, 127);
	uint32_t b = rm_agg(w->m, ABI_AGG_QUANTIZE, 0, 127);

	rm_key(w->m, b, ABI_FIELD_INT, 4, true);
	fw_open(w);
	assert_null(consume_agg_add(w->c, a, "", cells));
	assert_null(consume_agg_add(w->c, b, (int32_t[]){ 9 }, zero));
	fw_fire(w, fw_agg_clause(w, ABI_ACT_PRINTA, "%@d", a));
	fw_fire(w, fw_agg_clause(w, ABI_ACT_PRINTA, NULL, a));
	fw_fire(w, fw_agg_clause(w, ABI_ACT_PRINTA, NULL, b));
	fw_run(w);
	fw_expect(w,
"\n"
"           value  ------------- Distribution ------------- count    \n"
"               0 |                                         0        \n"
"               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
"               2 |                                         0        \n"
"\n\n"
"      key  min .---. max  | count\n"
"             0 : X : 2    | 1\n"
"\n\n"
"      key  min .---. max  | count\n"
"        9   -1 :   : 1    | 0\n");
	fw_free(w);
}

/* Whatever allocation fails, it is said, and tried again all is there. */
static void
test_no_memory(void **state)
{
	bool failed = true;

	for (unsigned long n = 1; failed; n++) {
		struct fw *w = world(0);
		uint32_t a = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);
		uint32_t b = rm_agg(w->m, ABI_AGG_QUANTIZE, 0, 127);
		uint64_t one = 1, cells[127] = { [64] = 1 };
		struct err *e;

		rm_key(w->m, a, ABI_FIELD_STRING, 8, false);
		rm_key(w->m, b, ABI_FIELD_STRING, 8, false);
		fw_open(w);
		assert_null(consume_agg_add(w->c, a, "aaaaaaa", &one));
		assert_null(consume_agg_add(w->c, b, "bbbbbbb", cells));
		failed = false;
		util_alloc_fail(n, 0);
		while ((e = fmt_end(w->f))) {
			assert_ptr_equal(e, &err_nomem);
			failed = true;
		}
		util_alloc_fail(0, 0);
		fw_expect(w, "\n" HEAD
"          aaaaaaa |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
"\n"
"      key  min .---. max  | count\n"
"  bbbbbbb    0 : X : 2    | 1\n");
		fw_free(w);
		assert_true(n < 1000);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bars),
		cmocka_unit_test(test_bar_keys),
		cmocka_unit_test(test_packs),
		cmocka_unit_test(test_pack_others),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests_name("fmt-dense", tests, NULL, NULL);
}
