/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The subroutines, on tables of their edge cases.
 */
#include "world.h"

/* An argument: a string, or a number when s is NULL. */
struct arg {
	const char *s;
	int64_t i;
};
#define S(text) { text, 0 }
#define I(number) { NULL, number }

/* Call subr.  A DIFO sets each argument from its integer table, pushes it,
 * calls and returns; strings lie in kernel memory, 512 bytes apart. */
static bool
call(struct world *w, unsigned subr, const struct arg *args, unsigned n,
     uint64_t *ret)
{
	uint64_t ints[4];
	uint32_t code[12], pc = 0;
	struct dif_difo d;

	for (unsigned i = 0; i < n; i++) {
		ints[i] = args[i].i;
		if (args[i].s) {
			ints[i] = KMEM + i * 512;
			strcpy((char *)w->kmem + i * 512, args[i].s);
		}
		code[pc++] = W(SETX, i, 1);
		code[pc++] = args[i].s ? R(PUSHTR, 1, 0, 1) :
					 R(PUSHTV, 0, 0, 1);
	}
	code[pc++] = DIF_FMT_W(DIF_OP_CALL, subr, 1);
	code[pc++] = R(RET, 0, 0, 1);
	d = rdif_fixture(code, pc);
	d.ints = ints;
	d.nints = n;
	must_verify(&d);
	vm_fire(&w->vm);
	return vm_run(&w->vm, &d, ret);
}

/* Rows of calls with a string result; "NULL" text is want == NULL. */
struct str_row {
	uint8_t subr;
	uint8_t n;
	struct arg args[3];
	const char *want;
};

static void
check_str(struct world *w, const struct str_row *row)
{
	uint64_t v;

	if (!call(w, row->subr, row->args, row->n, &v))
		fail_msg("%s faulted", dif_subr_info(row->subr)->name);
	if (!row->want) {
		assert_int_equal(v, 0);
		return;
	}
	if (!v || strcmp((char *)(uintptr_t)v, row->want))
		fail_msg("%s(\"%s\", ...) gave \"%s\", expected \"%s\"",
			 dif_subr_info(row->subr)->name,
			 row->args[0].s ? row->args[0].s : "",
			 v ? (char *)(uintptr_t)v : "NULL", row->want);
}

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
#undef F
};

static void
test_strings(void **state)
{
	struct world w = { .prog.strsize = 128 };

	world_vars(&w);
	world_start(&w, 128, 1);	/* one result fits */
	for (size_t i = 0; i < BASE_NELEMS(str_rows); i++)
		check_str(&w, &str_rows[i]);
	world_fini(&w);
}

/* strsize 8: seven bytes and a NUL, of arguments and of results. */
static void
test_truncation(void **state)
{
	static const struct str_row rows[] = {
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
#undef F
	};
	static const struct arg nine[] = { S("123456789") };
	struct world w = { .prog.strsize = 8 };
	uint64_t v;

	world_vars(&w);
	world_start(&w, 64, 1);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		check_str(&w, &rows[i]);
	assert_true(call(&w, DIF_SUBR_STRLEN, nine, 1, &v));
	assert_int_equal(v, 7);
	world_fini(&w);
}

static void
test_numbers(void **state)
{
	static const struct {
		uint8_t subr, n;
		struct arg args[3];
		int64_t want;
	} rows[] = {
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

		F(PROGENYOF, 1, I(1)), 1 }, F(PROGENYOF, 1, I(0x42)), 1 },
		F(PROGENYOF, 1, I(7)), 0 },
#undef F
	};
	struct world w;
	uint64_t v;

	world_init(&w);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		assert_true(call(&w, rows[i].subr, rows[i].args, rows[i].n,
				 &v));
		if ((int64_t)v != rows[i].want)
			fail_msg("%s(\"%s\", \"%s\" %lld) gave %lld, expected "
				 "%lld", dif_subr_info(rows[i].subr)->name,
				 rows[i].args[0].s, rows[i].args[1].s,
				 (long long)rows[i].args[rows[i].n - 1].i,
				 (long long)v, (long long)rows[i].want);
	}
	w.rand = UINT32_MAX;
	assert_true(call(&w, DIF_SUBR_RAND, NULL, 0, &v));
	assert_int_equal(v, INT32_MAX);
	world_fini(&w);
}

/* Every string argument: NULL, and an address that cannot be read. */
static void
test_bad_strings(void **state)
{
	static const uint8_t subrs[] = {
#define SUBR(NAME, name, no, ...) no,
#include "dif/subrs.def"
#undef SUBR
	};
	static const uint64_t addrs[] = { 0, 0x1000, KMEM + PAGE - 1 };
	struct world w;

	world_init(&w);
	memset(w.kmem, 'x', PAGE);
	for (size_t i = 0; i < BASE_NELEMS(subrs); i++) {
		const char *args = dif_subr_info(subrs[i])->args;
		unsigned n = strcspn(args, "|");

		for (unsigned bad = 0; bad < n; bad++)
			for (unsigned a = 0; a < 3 && args[bad] == 's'; a++) {
				uint64_t ints[] = { addrs[a] }, v;
				uint32_t code[16], pc = 0;
				struct dif_difo d;

				code[pc++] = W(SETX, 0, 1);
				code[pc++] = W(SETS, S_HELLO, 2);
				for (unsigned k = 0; k < n; k++)
					code[pc++] = args[k] != 's' ?
						R(PUSHTV, 0, 0, 1) :
						R(PUSHTR, 1, 0, k == bad ? 1 : 2);
				code[pc++] = DIF_FMT_W(DIF_OP_CALL, subrs[i], 1);
				code[pc++] = R(RET, 0, 0, 1);
				d = rdif_fixture(code, pc);
				d.ints = ints;
				d.nints = 1;
				must_verify(&d);
				assert_false(vm_run(&w.vm, &d, &v));
				expect_fault(&w, ABI_FAULT_BADADDR, addrs[a],
					     (pc - 2) * 4);
			}
	}
	world_fini(&w);
}

static void
test_other_faults(void **state)
{
	static const struct {
		uint8_t subr, n;
		struct arg args[3];
		int fault;
		uint64_t value;
	} rows[] = {
#define F(NAME, n, ...) { DIF_SUBR_##NAME, n, { __VA_ARGS__ }
		F(LLTOSTR, 2, I(1), I(1)), ABI_FAULT_ILLOP, 0 },
		F(LLTOSTR, 2, I(1), I(37)), ABI_FAULT_ILLOP, 0 },
		F(LLTOSTR, 2, I(1), I(0)), ABI_FAULT_ILLOP, 0 },
		F(LLTOSTR, 2, I(1), I(-10)), ABI_FAULT_ILLOP, 0 },
		F(STRTOLL, 2, S("1"), I(1)), ABI_FAULT_ILLOP, 0 },
		F(STRTOLL, 2, S("1"), I(37)), ABI_FAULT_ILLOP, 0 },
		F(STRTOLL, 2, S("1"), I(0)), ABI_FAULT_ILLOP, 0 },
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
	struct world w;
	uint64_t v;

	memset(&w, 0, sizeof(w));
	world_vars(&w);
	world_start(&w, 64, 1);		/* one string of strsize 64 */
	memset(w.umem, 'u', PAGE);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		assert_false(call(&w, rows[i].subr, rows[i].args, rows[i].n,
				  &v));
		expect_fault(&w, rows[i].fault, rows[i].value, rows[i].n * 8);
	}
	world_fini(&w);
}

/* A string result takes strsize bytes; a NULL result none. */
static void
test_scratch_use(void **state)
{
	static const uint32_t code[] = {
		W(SETS, S_HELLO, 1), R(PUSHTR, 1, 0, 1),
		W(CALL, DIF_SUBR_BASENAME, 2), W(CALL, DIF_SUBR_BASENAME, 2),
		R(RET, 0, 0, 2),
	};
	static const uint32_t null[] = {
		W(SETS, S_HELLO, 1), R(PUSHTR, 1, 0, 1), R(PUSHTR, 1, 0, 1),
		W(CALL, DIF_SUBR_STRSTR, 2), R(POPTS, 0, 0, 0),
		W(SETX, 5, 3), R(PUSHTV, 0, 0, 3),	/* 64: '@' */
		W(CALL, DIF_SUBR_STRCHR, 2), W(CALL, DIF_SUBR_STRCHR, 2),
		R(RET, 0, 0, 2),
	};
	static const uint32_t copyinstr[] = {
		W(SETX, 5, 1), R(ALLOCS, 1, 0, 1), R(PUSHTV, 0, 0, 0),
		W(CALL, DIF_SUBR_COPYINSTR, 2), R(RET, 0, 0, 2),
	};
	struct dif_difo d = rdif_fixture(code, BASE_NELEMS(code));
	struct world w;
	uint64_t v;

	memset(&w, 0, sizeof(w));
	world_vars(&w);
	world_start(&w, 64 + 63, 1);
	must_verify(&d);
	assert_false(vm_run(&w.vm, &d, &v));
	expect_fault(&w, ABI_FAULT_NOSCRATCH, 0, 12);
	vm_fire(&w.vm);
	d = rdif_fixture(null, BASE_NELEMS(null));
	must_verify(&d);
	assert_true(vm_run(&w.vm, &d, &v));
	assert_int_equal(v, 0);
	/* copyinstr claims before it reads */
	vm_fire(&w.vm);
	d = rdif_fixture(copyinstr, BASE_NELEMS(copyinstr));
	must_verify(&d);
	assert_false(vm_run(&w.vm, &d, &v));
	expect_fault(&w, ABI_FAULT_NOSCRATCH, 0, 12);
	world_fini(&w);
}

static void
test_copyin(void **state)
{
	static const struct arg four[] = { I(UMEM + 2), I(4) };
	static const struct arg none[] = { I(0), I(0) };
	static const struct {
		unsigned n;
		int64_t max;
		const char *want;
	} rows[] = {
		{ 1, 0, "user text" }, { 2, 5, "user" }, { 2, 100, "user text" },
		{ 2, 10, "user text" }, { 2, 9, "user tex" }, { 2, 1, "" },
		{ 2, 0, "" }, { 2, 2, "u" }, { 2, -1, "user text" },
	};
	struct world w;
	uint64_t v;

	world_init(&w);
	strcpy((char *)w.umem, "user text");
	assert_true(call(&w, DIF_SUBR_COPYIN, four, 2, &v));
	assert_memory_equal((char *)(uintptr_t)v, "er t", 4);
	assert_true(call(&w, DIF_SUBR_COPYIN, none, 2, &v));
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct arg args[] = { I(UMEM), I(rows[i].max) };

		assert_true(call(&w, DIF_SUBR_COPYINSTR, args, rows[i].n, &v));
		assert_string_equal((char *)(uintptr_t)v, rows[i].want);
	}
	/* sizes below two look at no address */
	struct arg one[] = { I(0), I(1) };
	assert_true(call(&w, DIF_SUBR_COPYINSTR, one, 2, &v));
	assert_string_equal((char *)(uintptr_t)v, "");
	/* strsize is 64 */
	memset(w.umem, 'y', PAGE);
	assert_true(call(&w, DIF_SUBR_COPYINSTR, (struct arg[]){ I(UMEM) }, 1,
			 &v));
	assert_int_equal(strlen((char *)(uintptr_t)v), 63);
	world_fini(&w);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_truncation),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_bad_strings),
		cmocka_unit_test(test_other_faults),
		cmocka_unit_test(test_scratch_use),
		cmocka_unit_test(test_copyin),
	};

	return cmocka_run_group_tests_name("vm-subr", tests, NULL, NULL);
}
