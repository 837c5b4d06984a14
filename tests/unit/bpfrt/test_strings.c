/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Subroutines on strings (bpfrt/str.h), as a program of the host
 * (support/bpfhost): all short strings of two letters and all pairs of them, and
 * strings about as long as one may be, against what C's own functions say.
 */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bpfrt/rt.h"
/* Memory of processes that is not there is for bpfrt/cache.h. */
static bool
cache_bytes(char *slot, u64 index, u64 dst, u64 n, u64 uaddr)
{
	(void)slot, (void)index, (void)dst, (void)n, (void)uaddr;
	return false;
}

#include "bpfrt/mem.h"

/* Strings of processes that are not in memory are for bpfrt/cache.h. */
static u64
cache_string(char *slot, u64 index, u64 dst, u64 n, u64 uaddr)
{
	return 0;
}

#include "bpfrt/str.h"

enum { STRSIZE = 16, STRIDE = 24, TMP = 256, TOKEN = TMP + 3 * STRIDE,
       SCRATCH_OFF = TOKEN + 8 + STRIDE, SCRATCH = 4 * STRSIZE,
       SLOT = SCRATCH_OFF + SCRATCH + ABI_STRSIZE_MAX,
       LENGTHS = 5, SHORT = (1 << LENGTHS) - 1 };

static char *slot;

void *
bpf_map_lookup_elem(const void *map, const void *key)
{
	return map == &dt_slots && !*(const u32 *)key ? slot : NULL;
}

long
bpf_probe_read_kernel(void *to, uint32_t size, const void *from)
{
	if ((uintptr_t)from < 4096)
		return -14;
	memmove(to, from, size);
	return 0;
}

long
bpf_probe_read_user(void *to, uint32_t size, const void *from)
{
	return bpf_probe_read_kernel(to, size, from);
}

/* With its NUL, at most size bytes; that many have one put over the last. */
long
bpf_probe_read_kernel_str(void *to, uint32_t size, const void *from)
{
	if ((uintptr_t)from < 4096)
		return -14;
	if (!size)
		return 0;
	size_t n = strnlen(from, size);
	if (n == size)
		n--;
	memmove(to, from, n);
	((char *)to)[n] = '\0';
	return (long)n + 1;
}

long
bpf_probe_read_user_str(void *to, uint32_t size, const void *from)
{
	return bpf_probe_read_kernel_str(to, size, from);
}

/* Scratch is free again, and what is there is garbage. */
static void
fresh(void)
{
	struct abi_slot *s = (struct abi_slot *)slot;

	s->scratch_used = 0;
	s->fault = 0;
	memset(slot + SCRATCH_OFF, '#', SCRATCH);
	memset(slot + TMP, '#', 2 * STRIDE);
}

/* A slot for strings as long as they may be. */
static int
setup_longest(void **state)
{
	struct abi_cfg *cfg = (struct abi_cfg *)(uintptr_t)&dt_cfg;
	const uint32_t stride = ABI_STRSIZE_MAX + 8;

	if (bpfhost_open(cfg, sizeof(*cfg)))
		return 1;
	cfg->strsize = ABI_STRSIZE_MAX;
	cfg->tmp_off = TMP;
	cfg->token_off = TMP + 3 * stride;
	cfg->scratch_off = cfg->token_off + 8 + stride;
	cfg->scratch_size = 2 * ABI_STRSIZE_MAX;
	cfg->slot_size = cfg->scratch_off + 4 * ABI_STRSIZE_MAX;
	free(slot);
	slot = calloc(1, cfg->slot_size);
	((struct abi_slot *)slot)->self = (uintptr_t)slot;
	return 0;
}

static int
setup(void **state)
{
	struct abi_cfg *cfg = (struct abi_cfg *)(uintptr_t)&dt_cfg;

	if (bpfhost_open(cfg, sizeof(*cfg)))
		return 1;
	cfg->strsize = STRSIZE;
	cfg->tmp_off = TMP;
	cfg->token_off = TOKEN;
	cfg->scratch_off = SCRATCH_OFF;
	cfg->scratch_size = SCRATCH;
	cfg->slot_size = SLOT;
	slot = calloc(1, SLOT);
	((struct abi_slot *)slot)->self = (uintptr_t)slot;
	return 0;
}

static int
teardown(void **state)
{
	free(slot);
	return 0;
}

/* The i-th of the strings of a and b that are shorter than LENGTHS. */
static const char *
nth(unsigned i)
{
	static char text[SHORT][LENGTHS];
	unsigned n = 31 - (unsigned)__builtin_clz(i + 1);

	for (unsigned k = 0; k < n; k++)
		text[i][k] = (i + 1) >> k & 1 ? 'b' : 'a';
	text[i][n] = '\0';
	return text[i];
}

/* a and b, one behind the other, but less than size bytes of them. */
static void
put(char *to, size_t size, const char *a, const char *b)
{
	const char *from[] = { a, b };
	size_t n = 0;

	for (int i = 0; i < 2; i++)
		for (const char *c = from[i]; *c && n + 1 < size; c++)
			to[n++] = *c;
	to[n] = '\0';
}

static u64
addr(const char *s)
{
	return (uintptr_t)s;
}

/* NULL: the address 0 is wanted. */
static void
check(const char *what, const char *a, const char *b, u64 got,
      const char *want)
{
	const char *s = (const char *)(uintptr_t)got;

	if (!s != !want || (s && strcmp(s, want)))
		fail_msg("%s(\"%s\", \"%s\"): %s, not %s", what, a, b,
			 s ? s : "0", want ? want : "0");
	assert_int_equal(((struct abi_slot *)slot)->fault, 0);
}

static s64
index_of(const char *a, const char *b, s64 start, bool last)
{
	s64 n = (s64)strlen(a), m = (s64)strlen(b), at = -1;

	if (last && start < 0)
		return -1;
	for (s64 i = last || start < 0 ? 0 : start < n ? start : n; i + m <= n;
	     i++)
		if (memcmp(a + i, b, (size_t)m) == 0) {
			if (last && i > start)
				break;
			at = i;
			if (!last)
				break;
		}
	return at;
}

static void
test_pairs(void **state)
{
	char want[64];

	for (unsigned i = 0; i < SHORT; i++)
		for (unsigned j = 0; j < SHORT; j++) {
			const char *a = nth(i), *b = nth(j);
			int order = strcmp(a, b);
			fresh();
			assert_int_equal(rt_scmp(0, addr(a), addr(b)),
					 1 + (order > 0) - (order < 0));
			check("strstr", a, b, rt_strstr(0, addr(a), addr(b)),
			      strstr(a, b));
			put(want, sizeof(want), a, b);
			check("strjoin", a, b, rt_strjoin(0, addr(a), addr(b)),
			      want);
			for (s64 at = -2; at < LENGTHS + 2; at++) {
				assert_int_equal((s64)rt_index(0, addr(a),
					addr(b), (u64)at),
					index_of(a, b, at, false));
				assert_int_equal((s64)rt_rindex(0, addr(a),
					addr(b), (u64)at),
					index_of(a, b, at, true));
			}
		}
}

/* As D has it: a start below 0 counts from the end, and so does a length. */
static void
check_substr(const char *a, s64 start, s64 len)
{
	s64 n = (s64)strlen(a), begin = start < 0 ? n + start : start;
	s64 end = len >= 0 ? begin + len : n + len;
	char want[64] = "", rest[64] = "";

	begin = begin > n ? n : begin;
	for (s64 i = begin < 0 ? 0 : begin; i < n; i++) {
		if (i < end)
			strncat(want, a + i, 1);
		strncat(rest, a + i, 1);
	}
	fresh();
	check("substr", a, "", rt_substr(0, addr(a), (u64)start, (u64)len),
	      want);
	check("substr", a, "rest", rt_substr_rest(0, addr(a), (u64)start),
	      rest);
}

static void
test_one(void **state)
{
	char want[64];

	for (unsigned i = 0; i < SHORT; i++) {
		const char *a = nth(i);
		fresh();
		assert_int_equal(rt_strlen(0, addr(a)), strlen(a));
		for (int c = 0; c < 4; c++) {
			fresh();
			int letter = "abc"[c];
			check("strchr", a, "", rt_strchr(0, addr(a),
			      (u64)letter | 0xff00), strchr(a, letter));
			check("strrchr", a, "", rt_strrchr(0, addr(a),
			      (u64)letter), strrchr(a, letter));
		}
		fresh();
		for (size_t k = 0; k <= strlen(a); k++)
			want[k] = (char)toupper(a[k]);
		check("toupper", a, "", rt_toupper(0, addr(a)), want);
		check("tolower", a, "", rt_tolower(0, addr(want)), a);
		for (s64 start = -6; start < 7; start++)
			for (s64 len = -6; len < 7; len++)
				check_substr(a, start, len);
	}
	/* Neighbours of the letters are none. */
	fresh();
	check("toupper", "", "", rt_toupper(0, addr("`az{@AZ[")), "`AZ{@AZ[");
	check("tolower", "", "", rt_tolower(0, addr("`az{@AZ[")), "`az{@az[");
}

/* Of every length around the longest that there is: what is too long is cut. */
static void
test_long(void **state)
{
	for (size_t n = 0; n < 2 * STRSIZE; n++) {
		char text[64], want[64], *exact = malloc(n + 1);
		for (size_t i = 0; i < n; i++)
			text[i] = (char)('a' + i % 26);
		text[n] = '\0';
		memcpy(exact, text, n + 1);	/* nothing is read behind it */
		put(want, STRSIZE, text, "");
		fresh();
		assert_int_equal(rt_strlen(0, addr(exact)), strlen(want));
		check("join", text, "", rt_strjoin(0, addr(exact), addr("")),
		      want);
		check("join", "", text, rt_strjoin(0, addr(""), addr(exact)),
		      want);
		check("str", text, "", rt_substr_rest(0, addr(exact), 0), want);
		fresh();
		for (u64 max = 0; max < 2 * STRSIZE; max++) {
			fresh();
			put(want, max + 1 < STRSIZE ? max + 1 : STRSIZE, text,
			    "");
			check("copyinstr", text, "", rt_copyinstr(0,
			      addr(exact), max), want);
		}
		fresh();
		put(want, STRSIZE, "ab", text);
		check("join", "ab", text, rt_strjoin(0, addr("ab"),
		      addr(exact)), want);
		/* Longer ones that agree as far as one goes are the same. */
		char other[64];
		put(other, sizeof(other), text, "X");
		assert_int_equal(rt_scmp(0, addr(exact), addr(other)),
				 n < STRSIZE - 1 ? 0 : 1);
		free(exact);
	}
	/* There is room for four strings, and for no fifth. */
	fresh();
	for (int i = 0; i < 4; i++)
		assert_true(rt_strjoin(0, addr("a"), addr("b")) != 0);
	assert_int_equal(rt_strjoin(0, addr("a"), addr("b")), 0);
	assert_int_equal(((struct abi_slot *)slot)->fault,
			 ABI_FAULT_NOSCRATCH + 1);
	/* What cannot be read. */
	fresh();
	assert_int_equal(rt_strlen(0, 8), 0);
	assert_int_equal(((struct abi_slot *)slot)->fault,
			 ABI_FAULT_BADADDR + 1);
	fresh();
	assert_int_equal(rt_scmp(0, 0, addr("")), 0);
	assert_int_equal(rt_scmp(0, addr(""), 0), 2);
	assert_int_equal(rt_scmp(0, 0, 0), 1);
	assert_int_equal(((struct abi_slot *)slot)->fault, 0);
}

/* A string in the longest, first and last, whatever its own length: what is looked
 * at is the product of both, of which a kernel's loop does no more than 1 << 23. */
static void
test_longest(void **state)
{
	enum { N = ABI_STRSIZE_MAX - 1 };
	static const s64 lengths[] = { 1, 2, 1000, 2044, 2048, 3000, N - 1, N };
	char text[N + 1], part[N + 1];

	memset(text, 'a', N);
	text[N] = '\0';
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		s64 m = lengths[i];
		memset(part, 'a', (size_t)m);
		part[m] = '\0';
		assert_int_equal((s64)rt_index(0, addr(text), addr(part), 0), 0);
		assert_int_equal((s64)rt_rindex(0, addr(text), addr(part), N),
				 N - m);
		part[m - 1] = 'b';
		assert_int_equal((s64)rt_index(0, addr(text), addr(part), 0),
				 -1);
	}
}

/* Token after token, for each set of delimiters. */
static void
test_tokens(void **state)
{
	static const char *const texts[] = { "", "a", ",", "a,b", ",a,,b,",
		"a;b,c", ";,;", "abc,def;ghi,jkl", "longer than one may be" };
	static const char *const delims[] = { "", ",", ";", ",;", " " };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		for (size_t j = 0; j < sizeof(delims) / sizeof(delims[0]);
		     j++) {
			char text[64], *rest = NULL;
			put(text, STRSIZE, texts[i], "");
			char *want = strtok_r(text, delims[j], &rest);
			u64 from = addr(texts[i]);
			for (int k = 0; k < 10; k++) {
				fresh();
				check("strtok", texts[i], delims[j],
				      rt_strtok(0, from, addr(delims[j])),
				      want);
				if (!want)
					break;
				want = strtok_r(NULL, delims[j], &rest);
				from = 0;
			}
			fresh();
			assert_int_equal(rt_strtok(0, 0, addr(delims[j])), 0);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_one),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_tokens),
		/* The last: the slot stays as large. */
		cmocka_unit_test_setup(test_longest, setup_longest),
	};

	return cmocka_run_group_tests_name("bpfrt-strings", tests, setup,
					   teardown);
}
