/* SPDX-License-Identifier: BSD-2-Clause
 *
 * printf(): each conversion with its flags, sizes and signs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <arpa/inet.h>
#include <netdb.h>
#include <time.h>
#include <cmocka.h>

#include "base/base.h"
#include "fmt/field_priv.h"
#include "fmtworld.h"

/* An argument: an integer of size bytes, or bytes of any kind. */
struct arg {
	enum abi_field_kind kind;
	uint32_t size;		/* 0: no argument */
	bool is_signed;
	int64_t v;
	const char *s;		/* instead of v */
	uint8_t sub;
};

#define I(size_, v_) { ABI_FIELD_INT, size_, true, v_ }
#define U(size_, v_) { ABI_FIELD_INT, size_, false, v_ }
/* 8 bytes, of a type that has fewer */
#define WI(bits_, v_) { ABI_FIELD_INT, 8, true, v_, NULL, \
			ABI_INT_OF(bits_ / 8, 8) }
#define WU(bits_, v_) { ABI_FIELD_INT, 8, false, v_, NULL, \
			ABI_INT_OF(bits_ / 8, 8) }
#define S(s_) { ABI_FIELD_STRING, sizeof(s_), false, 0, s_ }
#define K(kind_, size_, v_) { ABI_FIELD_##kind_, size_, false, v_ }
#define END { 0 }

enum { NARGS = 4 };

struct row {
	const char *format;
	struct arg args[NARGS];
	const char *want;
};

/* What quiet printf(format, args...) prints. */
static void
check(const struct row *row)
{
	struct fw *w = fw_new();
	struct rm_clause *cl = rm_clause(w->m, 0);

	w->opts.v[OPT_QUIET] = 1;
	rm_action(cl, ABI_ACT_PRINTF, row->format);
	for (int i = 0; i < NARGS && row->args[i].size; i++) {
		rm_field(cl, row->args[i].kind, row->args[i].size,
			 row->args[i].is_signed);
		cl->fields[i].sub = row->args[i].sub;
	}
	struct abi_record *r = rm_record(w->m, 0, 1,
					 rm_epid(w->m, w->probe, cl));
	for (int i = 0; i < NARGS && row->args[i].size; i++) {
		const struct arg *a = &row->args[i];
		if (a->s)
			rm_set_bytes(w->m, r, i, a->s, a->size);
		else
			rm_set_bytes(w->m, r, i, &a->v, a->size < 8 ?
				     a->size : 8);
	}
	fw_open(w);
	fw_run(w);
	if (strcmp(w->out, row->want))
		print_message("# format \"%s\"\n", row->format);
	fw_expect(w, row->want);
	fw_free(w);
}

static void
check_all(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		check(&rows[i]);
}

/* The operand's own size and sign decide, not the format's. */
static void
test_integers(void **state)
{
	static const struct row rows[] = {
		{ "%d", { I(1, 0xef) }, "-17" },
		{ "%d", { U(1, 0xef) }, "239" },
		{ "%d", { I(2, 0xcdef) }, "-12817" },
		{ "%d", { U(2, 0xffff) }, "65535" },
		{ "%d", { I(4, -5) }, "-5" },
		{ "%d", { U(4, 0xffffffff) }, "4294967295" },
		{ "%d", { I(8, INT64_MIN) }, "-9223372036854775808" },
		{ "%d", { U(8, -1) }, "18446744073709551615" },
		{ "%i", { U(2, 0xffff) }, "65535" },
		{ "%i", { U(1, 0x80) }, "128" },
		{ "%+d", { U(8, -1) }, "+18446744073709551615" },
		{ "%'d", { U(8, -1) }, "18446744073709551615" },
		{ "%i", { I(4, 7) }, "7" },
		{ "%u", { I(1, -1) }, "255" },
		{ "%u", { I(2, -1) }, "65535" },
		{ "%u", { I(4, -1) }, "4294967295" },
		{ "%u", { I(8, -1) }, "18446744073709551615" },
		{ "%x", { I(1, -17) }, "ef" },
		{ "%x", { I(2, -12817) }, "cdef" },
		{ "%x", { I(4, -1) }, "ffffffff" },
		{ "%X", { I(8, 0x1234abcd5678) }, "1234ABCD5678" },
		{ "%o", { I(1, -1) }, "377" },
		{ "%o", { U(4, 8) }, "10" },
		/* what the type has, and what it has not */
		{ "%x %d", { WI(32, -1), WI(32, -1) }, "ffffffff -1" },
		{ "%x %d", { WI(8, -1), WI(16, -1) }, "ff -1" },
		{ "%x %d", { WI(32, 0x123456789), WI(32, 0xffffffff) },
		  "123456789 4294967295" },
		{ "%x %o", { WI(32, 0xffffffff), WI(32, INT64_MIN) },
		  "ffffffff 1000000000000000000000" },
		{ "%x %u", { WI(32, -3000000000), WI(32, -2) },
		  "ffffffff4d2fa200 4294967294" },
		{ "%d %u", { WU(8, -1), WU(32, -1) }, "255 4294967295" },
		{ "%d %x", { WU(8, 300), WU(16, 0xabcde) }, "300 abcde" },
		{ "%d", { WU(32, -5000000000) }, "18446744068709551616" },
		/* a size in the format changes nothing */
		{ "%hd", { I(4, 65537) }, "65537" },
		{ "%hhx", { U(4, 0x12345678) }, "12345678" },
		{ "%lld", { I(1, -3) }, "-3" },
		{ "%ld", { U(2, 0xfffe) }, "65534" },
	};

	check_all(rows, BASE_NELEMS(rows));
}

/* Every set of flags, with every kind of width, precision and value, against
 * C's printf. */
static void
check_number(char letter, uint32_t flags, int width, int prec, int64_t v)
{
	static const char *const allowed[] = {
		['d'] = "-+ 0", ['i'] = "-+ 0", ['u'] = "-0", ['o'] = "-#0",
		['x'] = "-#0", ['X'] = "-#0",
	};
	static const char letters[] = "-+ #0";
	struct fmt_number n = { flags, width, prec, letter };
	char format[32] = "%", *p = format + 1, want[128];
	struct sb b;

	for (int i = 0; letters[i]; i++)
		if (flags & 1u << i && strchr(allowed[(int)letter], letters[i]))
			*p++ = letters[i];
	sprintf(p, "*.*ll%c", letter);
	sprintf(want, format, width, prec, (long long)v);
	sb_init(&b, 4096);
	fmt_put_number(&n, v, &b);
	if (strcmp(sb_str(&b), want))
		print_message("# %s width %d precision %d\n", format, width,
			      prec);
	assert_string_equal(sb_str(&b), want);
	sb_fini(&b);
}

static void
test_numbers_like_c(void **state)
{
	static const int64_t values[] = { 0, 1, -1, 7, 8, 9, 10, 42, 255, -256,
		99999, 1 << 30, INT64_MAX, INT64_MIN };
	static const int widths[] = { 0, 1, 2, 5, 11, 30 };
	static const int precs[] = { -1, 0, 1, 2, 6, 25 };
	_Static_assert(PFMT_MINUS == 1 && PFMT_PLUS == 2 && PFMT_SPACE == 4 &&
		       PFMT_ALT == 8 && PFMT_ZERO == 16, "bits as letters[]");

	for (const char *l = "diuoxX"; *l; l++)
		for (uint32_t flags = 0; flags < 32; flags++)
			for (size_t w = 0; w < BASE_NELEMS(widths); w++)
				for (size_t k = 0; k < BASE_NELEMS(precs) *
				     BASE_NELEMS(values); k++)
					check_number(*l, flags, widths[w],
						precs[k % BASE_NELEMS(precs)],
						values[k / BASE_NELEMS(precs)]);
}

static void
test_flags(void **state)
{
	static const struct row rows[] = {
		{ "[%8d]", { I(4, 42) }, "[      42]" },
		{ "[%-8d]", { I(4, 42) }, "[42      ]" },
		{ "[%08d]", { I(4, -42) }, "[-0000042]" },
		{ "[%+8d]", { I(4, 42) }, "[     +42]" },
		{ "[% 8d]", { I(4, 42) }, "[      42]" },
		{ "[% d]", { I(4, 42) }, "[ 42]" },
		{ "[%+d]", { I(4, -42) }, "[-42]" },
		{ "[%.5d]", { I(4, 42) }, "[00042]" },
		{ "[%8.5d]", { I(4, -42) }, "[  -00042]" },
		{ "[%-+8.5d]", { I(4, 42) }, "[+00042  ]" },
		{ "[%.0d]", { I(4, 0) }, "[]" },
		{ "[%'d]", { I(4, 1234567) }, "[1234567]" },
		{ "[%#8x]", { I(4, 0xbeef) }, "[  0xbeef]" },
		{ "[%08x]", { I(4, 0xbeef) }, "[0000beef]" },
		{ "[%-8x]", { I(4, 0xbeef) }, "[beef    ]" },
		{ "[%#X]", { I(4, 0xbeef) }, "[0XBEEF]" },
		{ "[%#o]", { I(4, 8) }, "[010]" },
		{ "[%#010x]", { I(4, 0xbeef) }, "[0x0000beef]" },
		{ "[%+u]", { I(4, 3) }, "[3]" },	/* no sign to show */
		{ "[%5u]", { I(1, -1) }, "[  255]" },
		{ "[%+i]", { I(4, 42) }, "[+42]" },
		{ "[%-5i|]", { U(2, 0xffff) }, "[65535|]" },
		{ "[%?x]", { I(8, 0xbeef) }, "[            beef]" },
		{ "[%-?x]", { I(8, 0xbeef) }, "[beef            ]" },
	};

	check_all(rows, BASE_NELEMS(rows));
}

static void
test_stars(void **state)
{
	static const struct row rows[] = {
		{ "[%*d]", { I(4, 6), I(4, 42) }, "[    42]" },
		{ "[%*d]", { I(4, -6), I(4, 42) }, "[42    ]" },
		{ "[%*d]", { I(1, -6), I(4, 42) }, "[42    ]" },
		{ "[%-*d]", { U(8, 6), I(4, 42) }, "[42    ]" },
		{ "[%.*d]", { I(4, 4), I(4, 42) }, "[0042]" },
		{ "[%.*d]", { I(4, -4), I(4, 42) }, "[42]" },
		{ "[%*.*s]", { I(4, 5), I(4, 2), S("abc") }, "[   ab]" },
		{ "[%*s]", { I(4, -5), S("abc") }, "[abc  ]" },
		{ "[%0*x]", { I(2, 8), I(4, 0xbeef) }, "[0000beef]" },
		{ "[%*d]", { I(8, INT64_MIN), END }, "[]" },
		{ "[%*d]", { END }, "[]" },
	};

	check_all(rows, BASE_NELEMS(rows));
}

static void
test_strings(void **state)
{
	static const struct row rows[] = {
		{ "%s", { S("hello") }, "hello" },
		{ "[%8s]", { S("hello") }, "[   hello]" },
		{ "[%-8s]", { S("hello") }, "[hello   ]" },
		{ "[%2s]", { S("hello") }, "[hello]" },
		{ "[%.2s]", { S("hello") }, "[he]" },
		{ "[%5.2s]", { S("hello") }, "[   he]" },
		{ "[%.0s]", { S("hello") }, "[hello]" },	/* all of it */
		{ "[%.s]", { S("hello") }, "[hello]" },
		{ "[%.9s]", { S("hello") }, "[hello]" },
		{ "[%08s]", { S("hello") }, "[   hello]" },
		{ "[%s]", { S("") }, "[]" },
		{ "[%s]", { S("a\0b") }, "[a]" },
		{ "[%ws]", { S("x") }, "[x]" },
		/* no end within the field */
		{ "[%s]", { { ABI_FIELD_STRING, 3, false, 0, "abc" } },
		  "[abc]" },
		{ "[%s]", { { ABI_FIELD_BYTES, 4, false, 0, "ab\0" } },
		  "[ab]" },
		{ "[%s]", { S("t\tn\nz\x01") }, "[t\tn\nz\x01]" },
		{ "[%S]", { S("t\tn\nz\x01\x7f\xc3\\") },
		  "[t\\tn\\nz\\001\\177\\303\\]" },
		{ "[%S]", { S("\a\b\v\f\r") }, "[\\a\\b\\v\\f\\r]" },
		{ "[%8S]", { S("a\n") }, "[     a\\n]" },
		{ "[%.2S]", { S("a\nb") }, "[a\\n]" },
		{ "%s %s", { S("sshd"), S("read") }, "sshd read" },
	};

	check_all(rows, BASE_NELEMS(rows));
}

static void
test_chars(void **state)
{
	static const struct row rows[] = {
		{ "%c%c", { I(1, 'a'), I(4, 'b') }, "ab" },
		{ "[%3c]", { I(1, 'a') }, "[  a]" },
		{ "[%-3c]", { I(1, 'a') }, "[a  ]" },
		{ "[%wc]", { I(4, 'w') }, "[w]" },
		{ "%C", { I(1, '\n') }, "\\n" },
		{ "%C", { I(1, 'x') }, "x" },
		{ "%C", { I(1, 0) }, "\\0" },
		{ "%C", { I(1, 4) }, "\\004" },
		{ "[%4C]", { I(1, '\t') }, "[  \\t]" },
	};

	check_all(rows, BASE_NELEMS(rows));
}

/* %c prints a NUL as it is. */
static void
test_nul_char(void **state)
{
	struct fw *w = fw_new();
	struct rm_clause *cl = rm_clause(w->m, 0);

	w->opts.v[OPT_QUIET] = 1;
	rm_action(cl, ABI_ACT_PRINTF, "<%c>");
	rm_field(cl, ABI_FIELD_INT, 1, true);
	rm_record(w->m, 0, 1, rm_epid(w->m, w->probe, cl));
	fw_open(w);
	fw_run(w);
	assert_int_equal(w->len, 3);
	assert_memory_equal(w->out, "<\0>", 3);
	fw_free(w);
}

static void
test_addresses(void **state)
{
	static const struct row rows[] = {
		{ "%p", { U(8, 0xffffffff81001000) }, "ffffffff81001000" },
		{ "%#p", { U(8, 0xbeef) }, "0xbeef" },
		{ "[%8p]", { U(8, 0xbeef) }, "[    beef]" },
		{ "[%-8p]", { I(4, -1) }, "[ffffffff]" },
		{ "%a", { U(8, 0xffffffff81001000) }, "0xffffffff81001000" },
		{ "[%8A]", { U(8, 0xbeef) }, "[  0xbeef]" },
		{ "[%-8a]", { K(SYM, 8, 0xbeef) }, "[0xbeef  ]" },
		{ "%p", { K(SYM, 8, 0xbeef) }, "beef" },
	};

	check_all(rows, BASE_NELEMS(rows));
}

static void
test_times(void **state)
{
	static const struct row utc[] = {
		{ "%Y", { I(8, 0) }, "1970 Jan  1 00:00:00" },
		{ "%Y", { I(8, 1000000000000000000) },
		  "2001 Sep  9 01:46:40" },
		{ "%Y", { I(8, 999999999) }, "1970 Jan  1 00:00:00" },
		{ "%Y", { I(8, -1) }, "1969 Dec 31 23:59:59" },
		{ "[%22Y]", { I(8, 0) }, "[  1970 Jan  1 00:00:00]" },
		{ "[%-22Y]", { I(8, 0) }, "[1970 Jan  1 00:00:00  ]" },
		{ "%T", { I(8, 0) }, "Thu, 01 Jan 1970 00:00:00 UTC" },
		{ "%T", { I(8, 1000000000000000000) },
		  "Sun, 09 Sep 2001 01:46:40 UTC" },
		{ "%Y", { I(8, INT64_MAX) }, "2262 Apr 11 23:47:16" },
		{ "%Y", { I(8, INT64_MIN) }, "1677 Sep 21 00:12:43" },
	};
	static const struct row east[] = {
		{ "%Y", { I(8, 0) }, "1970 Jan  1 02:00:00" },
		{ "%T", { I(8, 0) }, "Thu, 01 Jan 1970 02:00:00 XYZ" },
	};

	setenv("TZ", "UTC0", 1);
	tzset();
	check_all(utc, BASE_NELEMS(utc));
	setenv("TZ", "XYZ-2", 1);
	tzset();
	check_all(east, BASE_NELEMS(east));
}

static void
test_others(void **state)
{
	static const struct row rows[] = {
		{ "100%%", { END }, "100%" },
		{ "", { END }, "" },
		{ "plain", { END }, "plain" },
		{ "%P", { U(2, 7777) }, "7777" },	/* has no name */
		{ "[%6P]", { U(4, 70000) }, "[ 70000]" },
		{ "[%3P]", { I(1, -1) }, "[ -1]" },
		{ "%I", { S("1.2.3") }, "1.2.3" },
		{ "[%-4I]", { S("a\033") }, "[a\033  ]" },
		{ "%I", { S("a text that is longer than an address may ever be") },
		  "a text that is longer than an address may ever be" },
		{ "%I", { U(4, 0x0100007f) }, "127.0.0.1" },
		{ "[%-12I]", { U(4, 0x0100007f) }, "[127.0.0.1   ]" },
		{ "%I", { { ABI_FIELD_BYTES, 16, false, 0,
			    "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\1" } },
		  "2001:db8::1" },
		{ "[%k]", { K(STACK, 16, 0x1234) },
		  "[\n              0x1234\n]" },
		/* what the compiler refuses must still do no harm */
		{ "%d %d|", { I(4, 1) }, "1 |" },
		{ "%q%d", { I(4, 1) }, "%q1" },
		{ "%@d", { I(4, 1) }, "1" },
		{ "%", { END }, "%" },
		{ "%s", { I(4, -7) }, "-7" },
	};

	check_all(rows, BASE_NELEMS(rows));
}

static void
test_floats(void **state)
{
	/* 1.5 and -0.25 as bits */
	static const struct row rows[] = {
		{ "%f", { U(8, 0x3ff8000000000000) }, "1.500000" },
		{ "%.1f", { U(8, 0xbfd0000000000000) }, "-0.2" },
		{ "[%+9.2f]", { U(8, 0x3ff8000000000000) }, "[    +1.50]" },
		{ "%e", { U(8, 0x3ff8000000000000) }, "1.500000e+00" },
		{ "%G", { U(8, 0x3ff8000000000000) }, "1.5" },
		{ "%g", { U(4, 0x3fc00000) }, "1.5" },
	};

	check_all(rows, BASE_NELEMS(rows));
}

/* The operand has the size, whatever the format says of it. */
static void
test_long_doubles(void **state)
{
	static const long double third = 1 / 3.0L;
	struct fw *w = fw_new();
	struct rm_clause *cl = rm_clause(w->m, 0);

	w->opts.v[OPT_QUIET] = 1;
	rm_action(cl, ABI_ACT_PRINTF, "%.18f %Lg %lf %.1f\n");
	rm_field(cl, ABI_FIELD_BYTES, 16, false);
	rm_field(cl, ABI_FIELD_STRING, 8, false);
	rm_field(cl, ABI_FIELD_STRING, 3, false);
	rm_field(cl, ABI_FIELD_INT, 4, false);
	for (int i = 0; i < 4; i++)
		cl->fields[i].sub = ABI_MEANS_FLOAT;
	struct abi_record *r = rm_record(w->m, 0, 1,
					 rm_epid(w->m, w->probe, cl));
	rm_set_bytes(w->m, r, 0, &third, sizeof(third));
	rm_set_bytes(w->m, r, 1, "1.5e3L", 7);
	rm_set_bytes(w->m, r, 2, "2.", 3);
	rm_set_int(w->m, r, 3, 0x40200000);	/* 2.5 */
	fw_open(w);
	fw_run(w);
	fw_expect(w, "0.333333333333333333 1500 2.000000 2.5\n");
	fw_free(w);
}

/* Probes by their id; each part. */
static void
test_probe_parts(void **state)
{
	struct fw *w = fw_new();
	struct rm_clause *cl = rm_clause(w->m, 0);

	w->opts.v[OPT_QUIET] = 1;
	rm_action(cl, ABI_ACT_PRINTF, "%s:%s:%6s:%.2s:%s\n");
	for (int i = 0; i < 5; i++) {
		rm_field(cl, ABI_FIELD_PROBE, 4, false);
		cl->fields[i].sub = (uint8_t)(i < 4 ? i : 0);
	}
	struct abi_record *r = rm_record(w->m, 0, 1,
					 rm_epid(w->m, w->probe, cl));
	for (unsigned i = 0; i < 5; i++)
		rm_set_int(w->m, r, i, i < 4 ? 1 : 77);
	fw_open(w);
	fw_run(w);
	fw_expect(w, "p:m:  func:na:\n");
	fw_free(w);
}

/* Names as this machine has them. */
static void
test_names(void **state)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_in6 a6 = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	char name[NI_MAXHOST] = "127.0.0.1", name6[NI_MAXHOST] = "::1";
	const struct servent *ssh = getservbyport(htons(22), NULL);

	getnameinfo((struct sockaddr *)&a, sizeof(a), name, sizeof(name), NULL, 0, NI_NAMEREQD);
	getnameinfo((struct sockaddr *)&a6, sizeof(a6), name6, sizeof(name6), NULL, 0,
		    NI_NAMEREQD);
	check(&(struct row){ "%I", { S("127.0.0.1") }, name });
	check(&(struct row){ "%I", { S("::1") }, name6 });
	check(&(struct row){ "%P", { U(2, 22) }, ssh ? ssh->s_name : "22" });
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_numbers_like_c),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_stars),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_chars),
		cmocka_unit_test(test_nul_char),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_floats),
		cmocka_unit_test(test_long_doubles),
		cmocka_unit_test(test_probe_parts),
	};
	return cmocka_run_group_tests_name("fmt-printf", tests, NULL, NULL);
}
