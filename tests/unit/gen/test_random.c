/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Random expressions, thousands of nodes a program: the text and the value are
 * made together, the value by C's rules written out once more below, and in 64
 * bits where C leaves overflow open.  What the interpreter says must be the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"

struct num {
	uint64_t v;		/* extended to 64 bits by its type, which may
				 * not have it if it is signed */
	unsigned size;
	bool is_signed;
};

static uint64_t seed;
static struct sb text;
static unsigned nvars;

static unsigned
rnd(unsigned n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (unsigned)(seed >> 33) % n;
}

/* --- The rules ---------------------------------------------------------- */

static struct num
cut(struct num a, unsigned size, bool is_signed)
{
	unsigned spare = 64 - size * 8;
	uint64_t v = a.v << spare;

	v = is_signed ? (uint64_t)((int64_t)v >> spare) : v >> spare;
	return (struct num){ v, size, is_signed };
}

/* Only an unsigned type cuts what is computed in it. */
static struct num
as(struct num a, unsigned size, bool is_signed)
{
	return is_signed ? (struct num){ a.v, size, true }
			 : cut(a, size, false);
}

static struct num
promote(struct num a)
{
	return a.size < 4 ? as(a, 4, true) : a;
}

static void
balance(struct num *a, struct num *b)
{
	*a = promote(*a);
	*b = promote(*b);
	unsigned size = a->size > b->size ? a->size : b->size;
	bool uns = (a->size == size && !a->is_signed) ||
		   (b->size == size && !b->is_signed);
	*a = as(*a, size, !uns);
	*b = as(*b, size, !uns);
}

static struct num
divide(struct num a, struct num b, bool mod)
{
	struct num r = a;

	if (!a.is_signed)
		r.v = mod ? a.v % b.v : a.v / b.v;
	else if (b.v == UINT64_MAX)
		r.v = mod ? 0 : -a.v;
	else
		r.v = mod ? (uint64_t)((int64_t)a.v % (int64_t)b.v)
			  : (uint64_t)((int64_t)a.v / (int64_t)b.v);
	return as(r, a.size, a.is_signed);
}

static bool
less(struct num a, struct num b)
{
	return a.is_signed ? (int64_t)a.v < (int64_t)b.v : a.v < b.v;
}

static struct num
truth(bool b)
{
	return (struct num){ b, 4, true };
}

/* --- Trees -------------------------------------------------------------- */

static const struct var {
	const char *name, *type;
	struct num num;
} vars[] = {
	{ "s8", "int8_t", { (uint64_t)-100, 1, true } },
	{ "u8", "uint8_t", { 0xf0, 1, false } },
	{ "s16", "int16_t", { (uint64_t)-30000, 2, true } },
	{ "u16", "uint16_t", { 0xfff0, 2, false } },
	{ "s32", "int32_t", { (uint64_t)-2000000000, 4, true } },
	{ "u32", "uint32_t", { 0xfffffff0, 4, false } },
	{ "s64", "int64_t", { (uint64_t)INT64_MIN, 8, true } },
	{ "u64", "uint64_t", { UINT64_MAX - 14, 8, false } },
	{ "one", "int", { 1, 4, true } },
	{ "zero", "short", { 0, 2, true } },
};

static struct num expr(unsigned depth);

static struct num
leaf(void)
{
	if (rnd(4)) {
		const struct var *v = &vars[rnd(BASE_NELEMS(vars))];
		sb_puts(&text, v->name);
		return v->num;
	}
	struct num n = { rnd(300), 4, true };
	sb_printf(&text, "%u", (unsigned)n.v);
	return n;
}

static struct num
arith(unsigned depth)
{
	static const char *const ops[] = { "+", "-", "*", "&", "|", "^" };
	unsigned op = rnd(BASE_NELEMS(ops));
	struct num a = expr(depth), b;

	sb_printf(&text, " %s ", ops[op]);
	b = expr(depth);
	balance(&a, &b);
	struct num r = a;
	switch (op) {
	case 0: r.v = a.v + b.v; break;
	case 1: r.v = a.v - b.v; break;
	case 2: r.v = a.v * b.v; break;
	case 3: r.v = a.v & b.v; break;
	case 4: r.v = a.v | b.v; break;
	case 5: r.v = a.v ^ b.v; break;
	}
	return as(r, r.size, r.is_signed);
}

static struct num
division(unsigned depth)
{
	bool mod = rnd(2);
	struct num a = expr(depth), b, one = truth(true);

	sb_puts(&text, mod ? " % (" : " / (");
	b = expr(depth);
	sb_puts(&text, " | 1)");
	balance(&b, &one);
	b.v |= 1;
	balance(&a, &b);
	return divide(a, b, mod);
}

static struct num
shift(unsigned depth)
{
	bool left = rnd(2);
	struct num a = promote(expr(depth)), b;

	sb_puts(&text, left ? " << (" : " >> (");
	b = expr(depth);
	sb_puts(&text, " & 31)");
	struct num r = a;
	if (left)
		r.v = a.v << (b.v & 31);
	else if (a.is_signed)
		r.v = (uint64_t)((int64_t)a.v >> (b.v & 31));
	else
		r.v = a.v >> (b.v & 31);
	return as(r, r.size, r.is_signed);
}

static struct num
comparison(unsigned depth)
{
	static const char *const ops[] = { "<", "<=", ">", ">=", "==", "!=" };
	unsigned op = rnd(BASE_NELEMS(ops));
	struct num a = expr(depth), b;

	sb_printf(&text, " %s ", ops[op]);
	b = expr(depth);
	balance(&a, &b);
	switch (op) {
	case 0: return truth(less(a, b));
	case 1: return truth(!less(b, a));
	case 2: return truth(less(b, a));
	case 3: return truth(!less(a, b));
	case 4: return truth(a.v == b.v);
	default: return truth(a.v != b.v);
	}
}

static struct num
logic(unsigned depth)
{
	static const char *const ops[] = { "&&", "||", "^^" };
	unsigned op = rnd(BASE_NELEMS(ops));
	struct num a = expr(depth), b;

	sb_printf(&text, " %s ", ops[op]);
	b = expr(depth);
	switch (op) {
	case 0: return truth(a.v && b.v);
	case 1: return truth(a.v || b.v);
	default: return truth(!a.v != !b.v);
	}
}

static struct num
unary(unsigned depth)
{
	static const char *const ops[] = { "-", "~", "!", "+" };
	unsigned op = rnd(BASE_NELEMS(ops));

	sb_puts(&text, ops[op]);
	sb_putc(&text, ' ');
	struct num a = expr(depth);
	if (op == 2)
		return truth(!a.v);
	a = promote(a);
	a.v = op == 0 ? -a.v : op == 1 ? ~a.v : a.v;
	return as(a, a.size, a.is_signed);
}

static struct num
cast(unsigned depth)
{
	const struct var *to = &vars[rnd(8)];

	sb_printf(&text, "(%s)", to->type);
	struct num a = expr(depth);
	return cut(a, to->num.size, to->num.is_signed);
}

static struct num
choice(unsigned depth)
{
	struct num a = expr(depth), b, c;

	/* + 0: whether char ? : char is a char is not the question here */
	sb_puts(&text, " ? ");
	b = expr(depth);
	sb_puts(&text, " + 0 : ");
	c = expr(depth);
	struct num zero = truth(false);
	balance(&b, &zero);
	balance(&b, &c);
	return a.v ? b : c;
}

/* Assigned where they are used, so the order of evaluation is no matter. */
static struct num
variable(unsigned depth)
{
	static const char *const forms[] = {
		"v%u = ", "self->v%u = ", "this->v%u = ", "v%u[one, u8] = ",
		"self->v%u[s64] = ",
	};

	sb_printf(&text, forms[rnd(BASE_NELEMS(forms))], nvars++);
	return expr(depth);
}

static struct num
expr(unsigned depth)
{
	static struct num (*const kinds[])(unsigned) = {
		arith, arith, arith, arith, division, shift, comparison,
		logic, unary, cast, choice, variable,
	};
	struct num n;

	if (!depth || !rnd(6))
		return leaf();
	sb_putc(&text, '(');
	n = kinds[rnd(nvars < 40 ? BASE_NELEMS(kinds)
				 : BASE_NELEMS(kinds) - 1)](depth - 1);
	sb_putc(&text, ')');
	return n;
}

/* --- Programs ----------------------------------------------------------- */

enum { NEXPRS = 8 };

static void
check_program(unsigned depth)
{
	struct rig *r = malloc(sizeof(*r));
	struct num want[NEXPRS];

	assert_non_null(r);
	sb_reset(&text);
	nvars = 0;
	for (size_t i = 0; i < BASE_NELEMS(vars); i++)
		sb_printf(&text, "%s %s;\n", vars[i].type, vars[i].name);
	sb_puts(&text, "BEGIN {\n");
	for (size_t i = 0; i < BASE_NELEMS(vars); i++)
		sb_printf(&text, "%s = (%s)%lldLL;\n", vars[i].name,
			  vars[i].type, (long long)vars[i].num.v);
	for (unsigned i = 0; i < NEXPRS; i++) {
		sb_puts(&text, "trace(");
		want[i] = expr(depth);
		sb_puts(&text, ");\n");
	}
	sb_puts(&text, "}\n");
	rig_init(r);
	rig_load(r, sb_str(&text));
	rig_run_all(r);
	assert_int_equal(r->vm.drops[ABI_DROP_DYNAMIC], 0);
	for (unsigned i = 0; i < NEXPRS; i++) {
		const struct abi_field *f =
			&r->plan->clauses[0].desc.fields[i];
		if (rig_int(r, 0, i) != want[i].v ||
		    rig_type_bytes(f) != want[i].size ||
		    f->is_signed != want[i].is_signed)
			fail_msg("%s\nexpression %u: 0x%llx of %u bytes, not "
				 "0x%llx of %u", sb_str(&text), i + 1,
				 (unsigned long long)rig_int(r, 0, i),
				 rig_type_bytes(f),
				 (unsigned long long)want[i].v, want[i].size);
	}
	rig_fini(r);
	free(r);
}

static void
test_random(void **state)
{
	for (unsigned i = 0; i < 300; i++) {
		seed = i;
		check_program(2 + i % 6);
	}
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
	};

	sb_init(&text, 1 << 22);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	sb_fini(&text);
	return failed;
}
