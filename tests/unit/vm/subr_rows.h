/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Calls of subroutines and what they give, by doc/spec/dif.md section 7.
 * KMEM and UMEM are pages of kernel and of user memory; strings are not cut
 * when strsize is 128, but in cut_rows it is 8.
 */
#ifndef TESTS_SUBR_ROWS_H
#define TESTS_SUBR_ROWS_H

/* An argument: a string, or a number when s is NULL; or no string, or, of
 * mem_rows, the address of the row's bytes. */
struct arg {
	const char *s;
	int64_t i;
	enum { ARG_PLAIN, ARG_NONE, ARG_MEMORY } kind;
};
#define S(text) { text, 0, ARG_PLAIN }
#define I(number) { NULL, number, ARG_PLAIN }
#define N { NULL, 0, ARG_NONE }
#define M { NULL, 0, ARG_MEMORY }

/* Rows of calls with a string result; "NULL" text is want == NULL. */
struct str_row {
	uint8_t subr;
	uint8_t n;
	struct arg args[3];
	const char *want;
};

static const struct str_row str_rows[] = {
#define F(NAME, n, ...) { DIF_SUBR_##NAME, n, { __VA_ARGS__ }
	/* Perl's */
	F(SUBSTR, 3, S("foobarbazbop"), I(-24), I(13)), "f" },
	F(SUBSTR, 3, S("foobarbazbop"), I(3), I(-4)), "barba" },
	F(SUBSTR, 2, S("foobarbazbop"), I(300)), "" },
	F(SUBSTR, 2, S("foobarbazbop"), I(-10)), "obarbazbop" },
	F(SUBSTR, 3, S("foobarbazbop"), I(-1), I(-1)), "" },
	F(SUBSTR, 2, S("foobarbazbop"), I(0)), "foobarbazbop" },
	F(SUBSTR, 2, S("foobarbazbop"), I(12)), "" },
	F(SUBSTR, 2, S("foobarbazbop"), I(-12)), "foobarbazbop" },
	F(SUBSTR, 2, S("foobarbazbop"), I(-13)), "foobarbazbop" },
	F(SUBSTR, 3, S("foobarbazbop"), I(-13), I(1)), "" },
	F(SUBSTR, 3, S("foobarbazbop"), I(-13), I(2)), "f" },
	F(SUBSTR, 3, S("foobarbazbop"), I(0), I(0)), "" },
	F(SUBSTR, 3, S("foobarbazbop"), I(9), I(3)), "bop" },
	F(SUBSTR, 3, S("foobarbazbop"), I(9), I(300)), "bop" },
	F(SUBSTR, 3, S("foobarbazbop"), I(0), I(-12)), "" },
	F(SUBSTR, 3, S("foobarbazbop"), I(0), I(-300)), "" },
	F(SUBSTR, 2, S("foobarbazbop"), I(INT64_MIN)), "foobarbazbop" },
	F(SUBSTR, 3, S("foobarbazbop"), I(INT64_MIN), I(INT64_MAX)),
	  "foobarbazbo" },
	F(SUBSTR, 3, S("foobarbazbop"), I(INT64_MAX), I(INT64_MAX)), "" },
	F(SUBSTR, 3, S("foobarbazbop"), I(1), I(INT64_MAX)), "oobarbazbop" },
	F(SUBSTR, 3, S("foobarbazbop"), I(1), I(INT64_MIN)), "" },
	F(SUBSTR, 2, S(""), I(0)), "" },
	F(SUBSTR, 3, S(""), I(-1), I(5)), "" },

	F(STRJOIN, 2, S("foo"), S("bar")), "foobar" },
	F(STRJOIN, 2, S(""), S("")), "" },
	F(STRJOIN, 2, S(""), S("x")), "x" },

	F(STRCHR, 2, S("fooeyfooeyfoo"), I('e')), "eyfooeyfoo" },
	F(STRCHR, 2, S("foo"), I('x')), NULL },
	F(STRCHR, 2, S("foo"), I(0)), "" },
	F(STRCHR, 2, S("foo"), I(0x100 + 'o')), "oo" },
	F(STRCHR, 2, S(""), I('x')), NULL },
	F(STRCHR, 2, S("a\xff" "b"), I(0xff)), "\xff" "b" },
	F(STRCHR, 2, S("a\xff" "b"), I(-1)), "\xff" "b" },
	F(STRRCHR, 2, S("fooeyfooeyfoo"), I('e')), "eyfoo" },
	F(STRRCHR, 2, S("foo"), I('f')), "foo" },
	F(STRRCHR, 2, S("foo"), I('x')), NULL },
	F(STRRCHR, 2, S("foo"), I(0)), "" },
	F(STRSTR, 2, S("foobarbaz"), S("bar")), "barbaz" },
	F(STRSTR, 2, S("foobarbaz"), S("")), "foobarbaz" },
	F(STRSTR, 2, S(""), S("")), "" },
	F(STRSTR, 2, S("foo"), S("foob")), NULL },
	F(STRSTR, 2, S("aab"), S("ab")), "ab" },
	F(STRSTR, 2, S("foobar"), S("xbar")), NULL },

	F(BASENAME, 1, S("/foo/bar/baz")), "baz" },
	F(BASENAME, 1, S("/foo/bar///baz/")), "baz" },
	F(BASENAME, 1, S("/foo/bar/baz/.")), "." },
	F(BASENAME, 1, S("/foo/bar/baz/..")), ".." },
	F(BASENAME, 1, S("foo")), "foo" },
	F(BASENAME, 1, S("/foo")), "foo" },
	F(BASENAME, 1, S("foo/")), "foo" },
	F(BASENAME, 1, S("foo//bar//")), "bar" },
	F(BASENAME, 1, S("/")), "/" },
	F(BASENAME, 1, S("///")), "/" },
	F(BASENAME, 1, S("")), "" },
	F(DIRNAME, 1, S("/foo/bar/baz")), "/foo/bar" },
	F(DIRNAME, 1, S("/foo/bar///baz/")), "/foo/bar" },
	F(DIRNAME, 1, S("/foo/bar/baz/.")), "/foo/bar/baz" },
	F(DIRNAME, 1, S("foo")), "." },
	F(DIRNAME, 1, S("/foo")), "/" },
	F(DIRNAME, 1, S("foo/")), "." },
	F(DIRNAME, 1, S("foo/bar")), "foo" },
	F(DIRNAME, 1, S("//foo")), "/" },
	F(DIRNAME, 1, S("//foo//bar")), "//foo" },
	F(DIRNAME, 1, S("/")), "/" },
	F(DIRNAME, 1, S("///")), "/" },
	F(DIRNAME, 1, S("")), "." },

	F(CLEANPATH, 1, S("/foo/bar/baz")), "/foo/bar/baz" },
	F(CLEANPATH, 1, S("/foo/bar///baz/")), "/foo/bar/baz/" },
	F(CLEANPATH, 1, S("/foo/bar/baz//")), "/foo/bar/baz/" },
	F(CLEANPATH, 1, S("/foo/bar/baz/.")), "/foo/bar/baz/." },
	F(CLEANPATH, 1, S("/foo/bar/baz/./")), "/foo/bar/baz/" },
	F(CLEANPATH, 1, S("/foo/bar/baz/..")), "/foo/bar/baz/.." },
	F(CLEANPATH, 1, S("/foo/bar/baz/../")), "/foo/bar/" },
	F(CLEANPATH, 1, S("/./foo/./bar")), "/foo/bar" },
	F(CLEANPATH, 1, S("/foo/../bar")), "/bar" },
	F(CLEANPATH, 1, S("/../../")), "/" },
	F(CLEANPATH, 1, S("/..")), "/.." },
	F(CLEANPATH, 1, S("/../..")), "/.." },
	F(CLEANPATH, 1, S("/../../foo")), "/foo" },
	F(CLEANPATH, 1, S("/")), "/" },
	F(CLEANPATH, 1, S("///")), "/" },
	F(CLEANPATH, 1, S("/.")), "/." },
	F(CLEANPATH, 1, S("/./")), "/" },
	F(CLEANPATH, 1, S("")), "" },
	F(CLEANPATH, 1, S("foo")), "foo" },
	F(CLEANPATH, 1, S("foo/")), "foo/" },
	F(CLEANPATH, 1, S("foo//bar")), "foo/bar" },
	F(CLEANPATH, 1, S("foo/../bar")), "bar" },
	F(CLEANPATH, 1, S("foo/../")), "./" },
	F(CLEANPATH, 1, S("foo/bar/../../")), "./" },
	F(CLEANPATH, 1, S("../foo")), "../foo" },
	F(CLEANPATH, 1, S("../../foo")), "../../foo" },
	F(CLEANPATH, 1, S("../foo/../../bar")), "../../bar" },
	F(CLEANPATH, 1, S("a/../../b/../c")), "../c" },
	F(CLEANPATH, 1, S("./foo")), "./foo" },
	F(CLEANPATH, 1, S("./")), "./" },
	F(CLEANPATH, 1, S(".")), "." },
	F(CLEANPATH, 1, S("..")), ".." },
	F(CLEANPATH, 1, S("./.")), "./." },
	F(CLEANPATH, 1, S("./../foo")), "../foo" },
	F(CLEANPATH, 1, S("./foo/../")), "./" },
	F(CLEANPATH, 1, S("./foo/../../")), "../" },
	F(CLEANPATH, 1, S("foo/.././bar")), "bar" },
	F(CLEANPATH, 1, S("././foo")), "./foo" },
	F(CLEANPATH, 1, S("/...//..a/.b/..")), "/.../..a/.b/.." },
	F(CLEANPATH, 1, S("/foo/.../../bar/")), "/foo/bar/" },
	F(CLEANPATH, 1, S("../")), "../" },
	F(CLEANPATH, 1, S("./../")), "../" },
	F(CLEANPATH, 1, S("/a/b/c/../../d/./../e")), "/a/e" },

	F(LLTOSTR, 1, I(0)), "0" },
	F(LLTOSTR, 1, I(-1)), "-1" },
	F(LLTOSTR, 1, I(INT64_MIN)), "-9223372036854775808" },
	F(LLTOSTR, 2, I(INT64_MAX), I(10)), "9223372036854775807" },
	F(LLTOSTR, 2, I(0), I(8)), "0" },
	F(LLTOSTR, 2, I(8), I(8)), "010" },
	F(LLTOSTR, 2, I(0), I(16)), "0x0" },
	F(LLTOSTR, 2, I(-1), I(16)), "0xffffffffffffffff" },
	F(LLTOSTR, 2, I(-1), I(8)), "01777777777777777777777" },
	F(LLTOSTR, 2, I(5), I(2)), "101" },
	F(LLTOSTR, 2, I(0), I(2)), "0" },
	F(LLTOSTR, 2, I(35), I(36)), "z" },
	F(LLTOSTR, 2, I(-1), I(36)), "3w5e11264sgsf" },
	F(LLTOSTR, 2, I(255), I(15)), "120" },
	F(LLTOSTR, 2, I(-1), I(2)),
	 "1111111111111111111111111111111111111111111111111111111111111111" },

	F(STRTOK, 2, S("foo,bar"), S(",")), "foo" },
	F(STRTOK, 2, S(",,foo,bar"), S(",")), "foo" },
	F(STRTOK, 2, S("foo"), S(",")), "foo" },
	F(STRTOK, 2, S("foo"), S("")), "foo" },
	F(STRTOK, 2, S(""), S(",")), NULL },
	F(STRTOK, 2, S(",;,"), S(";,")), NULL },
	F(STRTOK, 2, S("a b\tc"), S(" \t")), "a" },
	F(STRTOK, 2, S("\377x\200y"), S("\377\200")), "x" },
	F(STRTOK, 2, S("foo"), S("foo")), NULL },
	F(STRTOK, 2, S("/usr/bin/ls"), S("/")), "usr" },
	F(STRTOK, 2, N, S(",")), NULL },

#include "json_rows.h"

	F(TOUPPER, 1, S("azAZ@[`{09 \xe4\xff")), "AZAZ@[`{09 \xe4\xff" },
	F(TOLOWER, 1, S("azAZ@[`{09 \xc4\xff")), "azaz@[`{09 \xc4\xff" },
	F(TOUPPER, 1, S("")), "" },
	F(TOLOWER, 1, S("Hello, World")), "hello, world" },
#undef F
};

/* The same for what reads memory. */
static const struct mem_row {
	uint8_t subr;
	uint8_t n;
	struct arg args[3];
	const char *bytes;
	unsigned size;		/* of bytes */
	const char *want;
} mem_rows[] = {
#define F(NAME, n, ...) { DIF_SUBR_##NAME, n, { __VA_ARGS__ }
#define BYTES(text) text, sizeof(text)
	F(MEMSTR, 3, M, I(' '), I(10)), BYTES("ls\0-l\0/tmp"), "ls -l /tm" },
	F(MEMSTR, 3, M, I(' '), I(11)), BYTES("ls\0-l\0/tmp"), "ls -l /tmp" },
	F(MEMSTR, 3, M, I(' '), I(3)), BYTES("ls\0-l"), "ls" },
	F(MEMSTR, 3, M, I(' '), I(4)), BYTES("ls\0-l"), "ls " },
	F(MEMSTR, 3, M, I('.'), I(7)), BYTES("\0\0\0\0\0\0\0"), "......" },
	F(MEMSTR, 3, M, I(0x100 + '.'), I(3)), BYTES("\0\0"), ".." },
	F(MEMSTR, 3, M, I(0), I(6)), BYTES("ab\0cd"), "ab" },
	F(MEMSTR, 3, M, I(' '), I(2)), BYTES("ab"), "a" },
	F(MEMSTR, 3, M, I(' '), I(1)), BYTES("ab"), "" },
	F(MEMSTR, 3, I(0), I(' '), I(1)), BYTES(""), "" },
	F(MEMSTR, 3, I(0), I(' '), I(0)), BYTES(""), "" },
	F(INET_NTOA, 1, M), BYTES("\x7f\x00\x00\x01"), "127.0.0.1" },
	F(INET_NTOP, 2, I(2), M), BYTES("\x7f\x00\x00\x01"), "127.0.0.1" },
	F(INET_NTOA, 1, M), BYTES("\x00\x00\x00\x00"), "0.0.0.0" },
	F(INET_NTOP, 2, I(2), M), BYTES("\x00\x00\x00\x00"), "0.0.0.0" },
	F(INET_NTOA, 1, M), BYTES("\xff\xff\xff\xff"), "255.255.255.255" },
	F(INET_NTOP, 2, I(2), M), BYTES("\xff\xff\xff\xff"), "255.255.255.255" },
	F(INET_NTOA, 1, M), BYTES("\x0a\x09\x64\x63"), "10.9.100.99" },
	F(INET_NTOP, 2, I(2), M), BYTES("\x0a\x09\x64\x63"), "10.9.100.99" },
	F(INET_NTOA, 1, M), BYTES("\x01\x14\x1e\x04"), "1.20.30.4" },
	F(INET_NTOP, 2, I(2), M), BYTES("\x01\x14\x1e\x04"), "1.20.30.4" },
	F(INET_NTOA6, 1, M),
	  BYTES("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"),
	  "::" },
	F(INET_NTOA6, 1, M),
	  BYTES("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01"),
	  "::1" },
	F(INET_NTOA6, 1, M),
	  BYTES("\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"),
	  "1::" },
	F(INET_NTOA6, 1, M),
	  BYTES("\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01"),
	  "2001:db8::1" },
	F(INET_NTOA6, 1, M),
	  BYTES("\xfe\x80\x00\x00\x00\x00\x00\x00\x02\x14\x4f\xff\xfe\x3b\x76\xc8"),
	  "fe80::214:4fff:fe3b:76c8" },
	F(INET_NTOA6, 1, M),
	  BYTES("\x10\x80\x00\x00\x00\x00\x00\x00\x00\x08\x08\x00\x20\x0c\x41\x7a"),
	  "1080::8:800:200c:417a" },
	F(INET_NTOA6, 1, M),
	  BYTES("\x00\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06\x00\x07\x00\x08"),
	  "1:2:3:4:5:6:7:8" },
	F(INET_NTOA6, 1, M),
	  BYTES("\x20\x01\x0d\xb8\x00\x00\x00\x01\x00\x01\x00\x01\x00\x01\x00\x01"),
	  "2001:db8:0:1:1:1:1:1" },
	F(INET_NTOA6, 1, M),
	  BYTES("\x20\x01\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x01"),
	  "2001:0:0:1::1" },
	F(INET_NTOA6, 1, M),
	  BYTES("\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x01"),
	  "2001:db8::1:0:0:1" },
	F(INET_NTOA6, 1, M),
	  BYTES("\x00\x01\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00\x04\x00\x00"),
	  "1:0:2:0:3:0:4:0" },
	F(INET_NTOA6, 1, M),
	  BYTES("\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"),
	  "0:1::" },
	F(INET_NTOA6, 1, M),
	  BYTES("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xfe\x01\x02\x03\x04"),
	  "::fffe:102:304" },
	F(INET_NTOA6, 1, M),
	  BYTES("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x02\x03\x04"),
	  "::102:304" },
	F(INET_NTOA6, 1, M),
	  BYTES("\xab\xcd\xef\x01\x23\x45\x67\x89\xab\xcd\xef\x01\x23\x45\x67\x89"),
	  "abcd:ef01:2345:6789:abcd:ef01:2345:6789" },
	F(INET_NTOA6, 1, M),
	  BYTES("\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x08"),
	  "1::8" },
	F(INET_NTOA6, 1, M),
	  BYTES("\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"),
	  "0:0:1::" },
	F(INET_NTOA6, 1, M),
	  BYTES("\x00\x10\x02\x00\x30\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x0f"),
	  "10:200:3000::f" },
	F(INET_NTOA6, 1, M),
	  BYTES("\xff\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xfb"),
	  "ff02::fb" },
	F(INET_NTOA6, 1, M),
	  BYTES("\x00\x00\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06\x00\x07\x00\x08"),
	  "0:2:3:4:5:6:7:8" },
	F(INET_NTOA6, 1, M),
	  BYTES("\x00\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06\x00\x07\x00\x00"),
	  "1:2:3:4:5:6:7:0" },
	F(INET_NTOA6, 1, M),
	  BYTES("\x00\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06\x00\x00\x00\x00"),
	  "1:2:3:4:5:6::" },
	F(INET_NTOP, 2, I(10), M),
	  BYTES("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xc0\xa8\x01\xff"),
	  "::ffff:192.168.1.255" },
	F(INET_NTOA6, 1, M),
	  BYTES("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\x00\x00\x00\x00"),
	  "::ffff:0.0.0.0" },
	F(INET_NTOP, 2, I(10), M),
	  BYTES("\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\x01\x02\x03\x04"),
	  "1::ffff:102:304" },
	F(LINK_NTOP, 2, I(1), M), BYTES("\x00\x1b\x21\x0a\xff\x9e"),
	  "00:1b:21:0a:ff:9e" },
	F(LINK_NTOP, 2, I(32), M),
	  BYTES("\x80\x00\x00\x48\xfe\x80\x00\x00\x00\x00\x00\x00\x01\x02\x03\x0a\x0b\x0c\x0d\x0e"),
	  "80:00:00:48:fe:80:00:00:00:00:00:00:01:02:03:0a:0b:0c:0d:0e" },
#undef BYTES
#undef F
};

/* strsize 8: seven bytes and a NUL, of arguments and of results. */
static const struct str_row cut_rows[] = {
#define F(NAME, n, ...) { DIF_SUBR_##NAME, n, { __VA_ARGS__ }
	F(STRJOIN, 2, S("12345"), S("67890")), "1234567" },
	F(STRJOIN, 2, S("1234567"), S("8")), "1234567" },
	F(STRJOIN, 2, S("123456789"), S("x")), "1234567" },
	F(SUBSTR, 2, S("123456789"), I(5)), "67" },
	F(SUBSTR, 2, S("123456789"), I(-2)), "67" },
	F(STRCHR, 2, S("123456789"), I('8')), NULL },
	F(STRSTR, 2, S("123456789"), S("78")), NULL },
	F(BASENAME, 1, S("a/b/c/d/e")), "d" },
	F(LLTOSTR, 1, I(INT64_MIN)), "-922337" },
	F(LLTOSTR, 2, I(-1), I(2)), "1111111" },
	F(TOUPPER, 1, S("abcdefghi")), "ABCDEFG" },
	F(CLEANPATH, 1, S("/a/../bcdef")), "/b" },
	F(STRTOK, 2, S("abcdefghi"), S("i")), "abcdefg" },
	F(JSON, 2, S("[[1,2],3]"), S("[0]")), "[1,2]" },
	F(JSON, 2, S("[[1,2],3]"), S("[1]")), NULL },
	F(JSON, 2, S("[\"ab\",3]"), S("[0]")), "ab" },
	F(JSON, 2, S("[1,23,45]"), S("[1]")), "23" },
	F(JSON, 2, S("[1,2345,]"), S("[1]")), NULL },
#undef F
};

/* Numbers. */
static const struct {
	uint8_t subr, n;
	struct arg args[3];
	int64_t want;
} num_rows[] = {
#define F(NAME, n, ...) { DIF_SUBR_##NAME, n, { __VA_ARGS__ }
	F(BOUND, 2, I(0), I(1)), 0 },
	F(BOUND, 2, I(4), I(5)), 4 },
	F(BOUND, 2, I(INT64_MAX), I(-1)), INT64_MAX },
#undef F
#define F(NAME, n, ...) { DIF_SUBR_##NAME, n, { __VA_ARGS__ }
	F(STRLEN, 1, S("")), 0 }, F(STRLEN, 1, S("hello")), 5 },

	F(INDEX, 2, S("foobarbaz"), S("ba")), 3 },
	F(INDEX, 2, S("foo"), S("")), 0 },
	F(INDEX, 2, S("foo"), S("x")), -1 },
	F(INDEX, 2, S(""), S("")), 0 },
	F(INDEX, 2, S(""), S("x")), -1 },
	F(INDEX, 3, S("foobarbaz"), S("ba"), I(4)), 6 },
	F(INDEX, 3, S("foobarbaz"), S("ba"), I(6)), 6 },
	F(INDEX, 3, S("foobarbaz"), S("ba"), I(7)), -1 },
	F(INDEX, 3, S("foobarbaz"), S("foo"), I(-1)), 0 },
	F(INDEX, 3, S("foobarbaz"), S("foo"), I(INT64_MIN)), 0 },
	F(INDEX, 3, S("foo"), S(""), I(2)), 2 },
	F(INDEX, 3, S("foo"), S(""), I(100)), 3 },
	F(INDEX, 3, S("foo"), S("o"), I(INT64_MAX)), -1 },
	F(INDEX, 2, S("ba"), S("bar")), -1 },
	F(RINDEX, 2, S("foobarbaz"), S("ba")), 6 },
	F(RINDEX, 2, S("foo"), S("")), 3 },
	F(RINDEX, 2, S(""), S("")), 0 },
	F(RINDEX, 2, S("foo"), S("x")), -1 },
	F(RINDEX, 3, S("foobarbaz"), S("ba"), I(5)), 3 },
	F(RINDEX, 3, S("foobarbaz"), S("ba"), I(3)), 3 },
	F(RINDEX, 3, S("foobarbaz"), S("ba"), I(2)), -1 },
	F(RINDEX, 3, S("foobarbaz"), S("ba"), I(100)), 6 },
	F(RINDEX, 3, S("foobarbaz"), S("foo"), I(0)), 0 },
	F(RINDEX, 3, S("foobarbaz"), S("foo"), I(-1)), -1 },
	F(RINDEX, 3, S("foo"), S(""), I(-1)), -1 },
	F(RINDEX, 3, S("foo"), S(""), I(1)), 1 },
	F(RINDEX, 2, S("ba"), S("bar")), -1 },
	F(RINDEX, 2, S("foo"), S("foo")), 0 },
	F(RINDEX, 2, S(""), S("x")), -1 },
	F(RINDEX, 2, S("abab"), S("aba")), 0 },
	F(RINDEX, 2, S("aaaa"), S("aa")), 2 },
	F(RINDEX, 3, S("aaaa"), S("aa"), I(1)), 1 },
	F(RINDEX, 3, S("foobarbaz"), S("ba"), I(INT64_MAX)), 6 },
	F(RINDEX, 3, S("foobarbaz"), S("ba"), I(INT64_MIN)), -1 },
	F(RINDEX, 3, S("foobarbaz"), S("ba"), I(1LL << 32)), 6 },
	F(RINDEX, 3, S("foo"), S(""), I(3)), 3 },
	F(RINDEX, 3, S("foo"), S(""), I(100)), 3 },
	F(RINDEX, 3, S(""), S(""), I(-1)), -1 },

	F(STRTOLL, 1, S("")), 0 }, F(STRTOLL, 1, S("0")), 0 },
	F(STRTOLL, 1, S("12j")), 12 }, F(STRTOLL, 1, S("j12")), 0 },
	F(STRTOLL, 1, S("-12")), -12 }, F(STRTOLL, 1, S("+12")), 12 },
	F(STRTOLL, 1, S("--12")), 0 }, F(STRTOLL, 1, S("-")), 0 },
	F(STRTOLL, 1, S(" \t\n\v\f\r 7")), 7 },
	F(STRTOLL, 1, S("010")), 8 }, F(STRTOLL, 1, S("08")), 0 },
	F(STRTOLL, 1, S("0x1f")), 31 }, F(STRTOLL, 1, S("-0X1F")), -31 },
	F(STRTOLL, 1, S("0x")), 0 }, F(STRTOLL, 1, S("0xg")), 0 },
	F(STRTOLL, 2, S("0x20"), I(16)), 32 },
	F(STRTOLL, 2, S("20"), I(16)), 32 },
	F(STRTOLL, 2, S("0x20"), I(10)), 0 },
	F(STRTOLL, 2, S("0x20"), I(36)), 33 * 36 * 36 + 2 * 36 },
	F(STRTOLL, 2, S("010"), I(10)), 10 },
	F(STRTOLL, 2, S("102"), I(2)), 2 },
	F(STRTOLL, 2, S("zZ"), I(36)), 35 * 36 + 35 },
	F(STRTOLL, 2, S("/"), I(10)), 0 },
	F(STRTOLL, 1, S("9223372036854775807")), INT64_MAX },
	F(STRTOLL, 1, S("9223372036854775808")), INT64_MIN },
	F(STRTOLL, 1, S("18446744073709551617")), 1 },
	F(STRTOLL, 1, S("-9223372036854775808")), INT64_MIN },

	F(HTONS, 1, I(0x1234)), 0x3412 }, F(NTOHS, 1, I(0x1234)), 0x3412 },
	F(HTONS, 1, I(-1)), 0xffff }, F(NTOHS, 1, I(0x5678ff00)), 0x00ff },
	F(HTONL, 1, I(0x12345678)), 0x78563412 },
	F(NTOHL, 1, I(0x12345678)), 0x78563412 },
	F(HTONL, 1, I(-2)), 0xfeffffff }, F(NTOHL, 1, I(1LL << 32)), 0 },
	F(HTONLL, 1, I(0x0123456789abcdef)), (int64_t)0xefcdab8967452301 },
	F(NTOHLL, 1, I(1)), 1LL << 56 },
	F(HTONLL, 1, I(-2)), (int64_t)0xfeffffffffffffff },
	F(GETMAJOR, 1, I(0x00800001)), 8 }, F(GETMINOR, 1, I(0x00800001)), 1 },
	F(GETMAJOR, 1, I(-1)), 0xfff }, F(GETMINOR, 1, I(-1)), 0xfffff },
	F(GETMAJOR, 1, I(1LL << 32)), 0 }, F(GETMINOR, 1, I(1LL << 32)), 0 },

	F(PROGENYOF, 1, I(1)), 1 }, F(PROGENYOF, 1, I(0x42)), 1 },
	F(PROGENYOF, 1, I(7)), 0 },
#undef F
};

/* Faults other than a bad string, with 64 bytes of scratch and strsize 64. */
static const struct {
	uint8_t subr, n;
	struct arg args[3];
	int fault;
	uint64_t value;
} fault_rows[] = {
#define F(NAME, n, ...) { DIF_SUBR_##NAME, n, { __VA_ARGS__ }
	F(BOUND, 2, I(5), I(5)), ABI_FAULT_BADINDEX, 0 },
	F(BOUND, 2, I(0), I(0)), ABI_FAULT_BADINDEX, 0 },
	F(BOUND, 2, I(-1), I(INT64_MAX)), ABI_FAULT_BADINDEX, 0 },
	F(LLTOSTR, 2, I(1), I(1)), ABI_FAULT_ILLOP, 0 },
	F(LLTOSTR, 2, I(1), I(37)), ABI_FAULT_ILLOP, 0 },
	F(LLTOSTR, 2, I(1), I(0)), ABI_FAULT_ILLOP, 0 },
	F(LLTOSTR, 2, I(1), I(-10)), ABI_FAULT_ILLOP, 0 },
	F(STRTOLL, 2, S("1"), I(1)), ABI_FAULT_ILLOP, 0 },
	F(STRTOLL, 2, S("1"), I(37)), ABI_FAULT_ILLOP, 0 },
	F(STRTOLL, 2, S("1"), I(0)), ABI_FAULT_ILLOP, 0 },
	F(STRTOLL, 2, S("1"), I(-1)), ABI_FAULT_ILLOP, 0 },
	F(LLTOSTR, 2, I(1), I(INT64_MAX)), ABI_FAULT_ILLOP, 0 },
	F(INET_NTOP, 2, I(0), I(0)), ABI_FAULT_ILLOP, 0 },
	F(INET_NTOP, 2, I(26), I(KMEM)), ABI_FAULT_ILLOP, 0 },
	F(INET_NTOP, 2, I(2), I(0)), ABI_FAULT_BADADDR, 0 },
	F(INET_NTOP, 2, I((1LL << 32) + 2), I(0)), ABI_FAULT_ILLOP, 0 },
	F(INET_NTOA, 1, I(UMEM)), ABI_FAULT_BADADDR, UMEM },
	F(INET_NTOA, 1, I(0)), ABI_FAULT_BADADDR, 0 },
	F(INET_NTOA6, 1, I(KMEM + PAGE - 15)), ABI_FAULT_BADADDR,
	  KMEM + PAGE - 15 },
	F(LINK_NTOP, 2, I(6), I(0)), ABI_FAULT_ILLOP, 0 },
	F(LINK_NTOP, 2, I(1), I(0)), ABI_FAULT_BADADDR, 0 },
	F(LINK_NTOP, 2, I(32), I(UMEM)), ABI_FAULT_BADADDR, UMEM },
	F(MEMSTR, 3, I(0), I(' '), I(4097)), ABI_FAULT_ILLOP, 0 },
	F(MEMSTR, 3, I(0), I(' '), I(-1)), ABI_FAULT_ILLOP, 0 },
	F(MEMSTR, 3, I(0), I(' '), I(2)), ABI_FAULT_BADADDR, 0 },
	F(MEMSTR, 3, I(UMEM), I(' '), I(2)), ABI_FAULT_BADADDR, UMEM },
	F(MEMSTR, 3, I(KMEM + PAGE - 7), I(' '), I(9)), ABI_FAULT_BADADDR,
	  KMEM + PAGE - 7 },
	F(COPYIN, 2, I(UMEM), I(65)), ABI_FAULT_NOSCRATCH, 0 },
	F(COPYIN, 2, I(0), I(-1)), ABI_FAULT_NOSCRATCH, 0 },
	F(COPYIN, 2, I(0), I(1)), ABI_FAULT_BADADDR, 0 },
	F(COPYIN, 2, I(UMEM + PAGE - 7), I(8)), ABI_FAULT_BADADDR,
	  UMEM + PAGE - 7 },
	F(COPYIN, 2, I(KMEM), I(8)), ABI_FAULT_BADADDR, KMEM },
	F(COPYINSTR, 1, I(0)), ABI_FAULT_BADADDR, 0 },
	F(COPYINSTR, 1, I(KMEM)), ABI_FAULT_BADADDR, KMEM },
	F(COPYINSTR, 1, I(UMEM + PAGE - 3)), ABI_FAULT_BADADDR,
	  UMEM + PAGE - 3 },
#undef F
};

#endif
