/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Integer arithmetic, by asking the C compiler.  Each row is an expression
 * that is both C and D; its text is compiled as D and run, and value, size
 * and sign must be what C computes.  All pairs of the eight integer types,
 * over three sets of values.  Where C leaves the value open, as the sanitizer
 * tells, only size and sign count.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"

struct row {
	const char *text;
	uint64_t value;		/* extended to 64 bits by its own type */
	unsigned size;
	bool is_signed, is_open;
};

/* What the compiler calls when a signed number overflows or a shift is one that
 * C does not define; in the place of those of its runtime library. */
static volatile bool is_open;
#define HANDLER(name, ...) \
	void __ubsan_handle_##name(__VA_ARGS__); \
	void __ubsan_handle_##name(__VA_ARGS__) { is_open = true; }
HANDLER(add_overflow, void *data, void *a, void *b)
HANDLER(sub_overflow, void *data, void *a, void *b)
HANDLER(mul_overflow, void *data, void *a, void *b)
HANDLER(divrem_overflow, void *data, void *a, void *b)
HANDLER(shift_out_of_bounds, void *data, void *a, void *b)
HANDLER(negate_overflow, void *data, void *a)

/* The variables of both languages.  volatile, so that this is no test of the
 * C compiler's folding. */
#define INTS(X) \
	X(int8_t, s8) X(uint8_t, u8) X(int16_t, s16) X(uint16_t, u16) \
	X(int32_t, s32) X(uint32_t, u32) X(int64_t, s64) X(uint64_t, u64)
#define DEFINE(type, name) static volatile type name, t_##name;
INTS(DEFINE)

#define SIGNED(e) _Generic((e), signed char: 1, short: 1, int: 1, long: 1, \
			   long long: 1, default: 0)
#define ROW(e) ({ \
	struct row row_ = { .text = #e, .size = sizeof(e), \
			    .is_signed = SIGNED(e) }; \
	is_open = false; \
	row_.value = (uint64_t)(e); \
	row_.is_open = is_open; \
	row_; \
}),

#define PAIR(a, b) \
	ROW(a + b) ROW(a - b) ROW(a * b) ROW(a / b) ROW(a % b) \
	ROW(a & b) ROW(a | b) ROW(a ^ b) \
	ROW(a << (b & 7)) ROW(a >> (b & 7)) \
	ROW(a < b) ROW(a <= b) ROW(a > b) ROW(a >= b) ROW(a == b) ROW(a != b) \
	ROW(a && b) ROW(a || !b) ROW(!a == !b) ROW((a ? a : b) + 0) \
	ROW((a + b) / 3) ROW((a - b) >> 1) ROW((a * b) < (b + 1)) \
	ROW(a + b == b + a ? a - b : b) ROW((a - b) % 7 + (a ^ b)) \
	ROW(~a & -b) ROW((a | 1) / (b | 1)) ROW((a & b) == (b & a)) \
	ROW((t_##a = b)) ROW((t_##a = a, t_##a += b)) \
	ROW((t_##a = a, t_##a -= b, t_##a)) ROW((t_##a = a, t_##a *= b)) \
	ROW((t_##a = a, t_##a /= b)) ROW((t_##a = a, t_##a %= b, t_##a)) \
	ROW((t_##a = a, t_##a &= b)) ROW((t_##a = a, t_##a |= b)) \
	ROW((t_##a = a, t_##a ^= b)) ROW((t_##a = a, t_##a <<= b & 7)) \
	ROW((t_##a = a, t_##a >>= b & 7, t_##a)) \
	ROW((t_##a = b, t_##b = t_##a))

#define PAIRS(a) \
	PAIR(a, s8) PAIR(a, u8) PAIR(a, s16) PAIR(a, u16) \
	PAIR(a, s32) PAIR(a, u32) PAIR(a, s64) PAIR(a, u64)

#define ONE(type, a) \
	ROW(a) ROW(-a) ROW(+a) ROW(~a) ROW(!a) ROW(!!a) ROW(- -a) ROW(-~a) \
	ROW((int8_t)a) ROW((uint8_t)a) ROW((int16_t)a) ROW((uint16_t)a) \
	ROW((int32_t)a) ROW((uint32_t)a) ROW((int64_t)a) ROW((uint64_t)a) \
	ROW((int8_t)a + 1) ROW((uint8_t)(a + 1)) ROW((int16_t)a * 3) \
	ROW((uint16_t)-a / 2) ROW((int64_t)(int8_t)a) \
	ROW((uint64_t)(int16_t)a) ROW((int32_t)(uint8_t)a) \
	ROW(a + 1) ROW(a - 1) ROW(1 - a) ROW(a * -1) ROW(a / 2) ROW(a % 10) \
	ROW(a >> 3) ROW(a << 3) ROW(a & 0xff) ROW(a | 0x100) ROW(a ^ -1) \
	ROW(a == -1) ROW(a < 0) ROW(a > 0) ROW(a <= 127) ROW(a >= 128U) \
	ROW(a + 1L) ROW(a - 1UL) ROW(a * 2U) ROW(a < 5U) ROW(a < 5UL) \
	ROW((t_##a = a, ++t_##a)) ROW((t_##a = a, t_##a++)) \
	ROW((t_##a = a, t_##a++, t_##a)) ROW((t_##a = a, --t_##a)) \
	ROW((t_##a = a, t_##a--)) ROW((t_##a = a, t_##a--, t_##a)) \
	ROW(sizeof(a)) ROW(sizeof(a + 1)) ROW(sizeof(type))

/* --- Running rows ------------------------------------------------------- */

static void
put_program(struct sb *b, const struct row *rows, unsigned n)
{
	char set[64];

#define DECLARE(type, name) sb_puts(b, #type " " #name ", t_" #name ";\n");
	INTS(DECLARE)
	sb_puts(b, "BEGIN {\n");
#define ASSIGN(type, name) \
	snprintf(set, sizeof(set), "\t" #name " = (" #type ")0x%llx;\n", \
		 (unsigned long long)name); \
	sb_puts(b, set);
	INTS(ASSIGN)
	for (unsigned i = 0; i < n; i++)
		sb_printf(b, "\ttrace((%s));\n", rows[i].text);
	sb_puts(b, "}\n");
}

static void
check_row(struct rig *r, const struct row *row, unsigned field)
{
	const struct abi_field *f = &r->plan->clauses[0].desc.fields[field];

	if (f->kind == ABI_FIELD_INT && rig_type_bytes(f) == row->size &&
	    !!f->is_signed == row->is_signed &&
	    (row->is_open || rig_int(r, 0, field) == row->value))
		return;
	fail_msg("%s with s8=%d u8=%u s16=%d u16=%u s32=%d u32=%u s64=%ld "
		 "u64=%lu: %s%u 0x%llx, not %s%u 0x%llx", row->text, s8, u8,
		 s16, u16, s32, u32, s64, u64, f->is_signed ? "s" : "u",
		 rig_type_bytes(f) * 8, (unsigned long long)rig_int(r, 0, field),
		 row->is_signed ? "s" : "u", row->size * 8,
		 (unsigned long long)row->value);
}

static void
check_rows(const struct row *rows, unsigned n)
{
	struct rig *r = malloc(sizeof(*r));
	struct sb b;

	assert_non_null(r);
	sb_init(&b, 1 << 20);
	put_program(&b, rows, n);
	rig_init(r);
	rig_load(r, sb_str(&b));
	rig_run_all(r);
	assert_true(r->committed);
	assert_int_equal(r->plan->clauses[0].desc.nfields, n);
	for (unsigned i = 0; i < n; i++)
		check_row(r, &rows[i], i);
	rig_fini(r);
	free(r);
	sb_fini(&b);
}

/* By type of the left operand, to keep the functions small. */
#define CHECK(type, a) \
static void \
check_##a(void) \
{ \
	const struct row pairs[] = { PAIRS(a) }; \
	const struct row ones[] = { ONE(type, a) }; \
\
	check_rows(pairs, BASE_NELEMS(pairs)); \
	check_rows(ones, BASE_NELEMS(ones)); \
}
INTS(CHECK)

static void
check_all(void)
{
#define CALL(type, name) check_##name();
	INTS(CALL)
}

static void
test_mixed(void **state)
{
	s8 = -5, u8 = 0xfb, s16 = -300, u16 = 0xfedc, s32 = -70000;
	u32 = 0xfffeeeee, s64 = -5000000000, u64 = 0xfedcba9876543210;
	check_all();
}

static void
test_small(void **state)
{
	s8 = 3, u8 = 7, s16 = 11, u16 = 13, s32 = 17, u32 = 19, s64 = 23;
	u64 = 29;
	check_all();
}

static void
test_limits(void **state)
{
	s8 = INT8_MIN, u8 = UINT8_MAX, s16 = INT16_MIN, u16 = UINT16_MAX;
	s32 = INT32_MIN, u32 = UINT32_MAX, s64 = INT64_MIN, u64 = UINT64_MAX;
	check_all();
}

static void
test_positive_limits(void **state)
{
	s8 = INT8_MAX, u8 = 0x80, s16 = INT16_MAX, u16 = 0x8000;
	s32 = INT32_MAX, u32 = 0x80000000, s64 = INT64_MAX;
	u64 = 0x8000000000000000;
	check_all();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mixed),
		cmocka_unit_test(test_small),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_positive_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
