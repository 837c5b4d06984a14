/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Plans: layouts of records and keys, tables, branches, large and hostile
 * programs, lack of memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "abi/quant.h"
#include "rig.h"
#include "util/alloc.h"

static struct rig *
start(const char *text)
{
	struct rig *r = malloc(sizeof(*r));

	assert_non_null(r);
	rig_init(r);
	rig_load(r, text);
	return r;
}

static void
stop(struct rig *r)
{
	rig_fini(r);
	free(r);
}

static void
check_field(const struct abi_field *f, unsigned kind, unsigned offset,
	    unsigned size)
{
	assert_int_equal(f->kind, kind);
	assert_int_equal(f->offset, offset);
	assert_int_equal(f->size, size);
}

/* --- Records ------------------------------------------------------------ */

static void
test_default_action(void **state)
{
	struct rig *r = start("BEGIN { } BEGIN, test:::args { } BEGIN { ; }"
			      "BEGIN { x = 1; } BEGIN { @ = count(); }"
			      "BEGIN /pid == 1/ { }");
	static const uint32_t sizes[] = { 16, 16, 16, 0, 0, 16 };

	assert_int_equal(r->plan->nclauses, 6);
	for (unsigned i = 0; i < 6; i++)
		assert_int_equal(r->plan->clauses[i].desc.record_size,
				 sizes[i]);
	assert_null(r->plan->clauses[0].body);
	assert_int_equal(rig_run(r, 0), VM_DONE);
	assert_true(r->committed);
	assert_int_equal(rig_run(r, 3), VM_DONE);
	assert_false(r->committed);
	assert_int_equal(rig_run(r, 5), VM_FALSE);
	assert_false(r->committed);
	stop(r);
}

/* Output that wants it has who fired behind the fields, and no other. */
static void
test_who(void **state)
{
	static const struct { const char *form; uint32_t at[3], size[3]; }
	rows[] = {
		{ "text", { 0, 0, 0 }, { 16, 24, 0 } },
		{ "json", { 16, 24, 0 }, { 40, 48, 0 } },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		char text[160];
		snprintf(text, sizeof(text), "#pragma D option oformat=%s\n"
			 "BEGIN { } BEGIN { trace((char)1); } BEGIN { x = 1; }",
			 rows[i].form);
		struct rig *r = start(text);
		assert_int_equal(r->plan->who, i);
		for (unsigned c = 0; c < 3; c++) {
			const struct abi_clause_desc *d =
				&r->plan->clauses[c].desc;
			assert_int_equal(d->who, rows[i].at[c]);
			assert_int_equal(d->record_size, rows[i].size[c]);
		}
		stop(r);
	}
}

static void
test_layout(void **state)
{
	struct rig *r = start(
		"BEGIN { trace((char)1); trace((short)2); trace(3); "
		"trace((char)4); trace(5LL); trace(execname); trace((char)6); "
		"trace(probefunc); trace(\"abc\"); trace(7); }");
	const struct abi_clause_desc *d = &r->plan->clauses[0].desc;

	assert_int_equal(d->nfields, 10);
	check_field(&d->fields[0], ABI_FIELD_INT, 16, 1);
	check_field(&d->fields[1], ABI_FIELD_INT, 18, 2);
	check_field(&d->fields[2], ABI_FIELD_INT, 20, 4);
	check_field(&d->fields[3], ABI_FIELD_INT, 24, 1);
	check_field(&d->fields[4], ABI_FIELD_INT, 32, 8);
	check_field(&d->fields[5], ABI_FIELD_STRING, 40, 16);
	check_field(&d->fields[6], ABI_FIELD_INT, 56, 1);
	check_field(&d->fields[7], ABI_FIELD_PROBE, 60, 4);
	check_field(&d->fields[8], ABI_FIELD_STRING, 64, 4);
	check_field(&d->fields[9], ABI_FIELD_INT, 68, 4);
	assert_int_equal(d->fields[7].sub, ABI_PART_FUNC);
	assert_int_equal(d->record_size, 72);
	rig_run_all(r);
	assert_int_equal(rig_int(r, 0, 7), 77);
	assert_string_equal(rig_str(r, 0, 5), "prog");
	assert_string_equal(rig_str(r, 0, 8), "abc");
	stop(r);
}

static void
test_printf_fields(void **state)
{
	struct rig *r = start(
		"test:::args { printf(\"%s %d %*d %.*s %% %s %s\", execname, "
		"(char)-1, 7, pid, 3, \"abcdef\", args[3]->name, "
		"stringof(args[3]->name)); }");
	const struct abi_clause_desc *d = &r->plan->clauses[0].desc;
	static const uint8_t kinds[] = {
		ABI_FIELD_STRING, ABI_FIELD_INT, ABI_FIELD_INT, ABI_FIELD_INT,
		ABI_FIELD_INT, ABI_FIELD_STRING, ABI_FIELD_STRING,
		ABI_FIELD_STRING,
	};

	assert_int_equal(d->nactions, 1);
	assert_int_equal(d->actions[0].kind, ABI_ACT_PRINTF);
	assert_string_equal(d->actions[0].format, "%s %d %*d %.*s %% %s %s");
	assert_int_equal(d->nfields, BASE_NELEMS(kinds));
	for (unsigned i = 0; i < BASE_NELEMS(kinds); i++)
		assert_int_equal(d->fields[i].kind, kinds[i]);
	assert_int_equal(d->fields[5].size, 7);
	assert_int_equal(d->fields[6].size, 17);
	r->args[3] = RIG_KERNEL;
	rig_run_all(r);
	assert_int_equal(rig_int(r, 0, 1), -1);
	assert_int_equal(rig_int(r, 0, 2), 7);
	assert_int_equal(rig_int(r, 0, 3), 1234);
	assert_string_equal(rig_str(r, 0, 6), "blobby");
	assert_string_equal(rig_str(r, 0, 7), "blobby");
	stop(r);
}

static void
check_float(const struct abi_field *f, uint8_t kind, uint32_t size)
{
	assert_int_equal(f->kind, kind);
	assert_int_equal(f->sub, ABI_MEANS_FLOAT);
	assert_int_equal(f->size, size);
}

/* Numbers go through registers; what is wider is copied, or is its text. */
static void
test_float_fields(void **state)
{
	struct rig *r = start(
		"struct num { float f; double d[2]; long double l; };"
		"test:::args { printf(\"%f %g %Lf %e\", 1.5, 2.25f, 0.1L, "
		"(1, 3.)); trace(((struct num *)args[3])->f); "
		"trace(((struct num *)args[3])->d[1]); "
		"trace(((struct num *)args[3])->l); "
		"trace(*(double *)copyin(arg4, 8)); 1.5; 2.5L; }");
	const struct abi_clause_desc *d = &r->plan->clauses[0].desc;
	struct { float f; double d[2]; long double l; } num = {
		.f = 0.5, .d = { 0, -2 }, .l = 0.25,
	};
	static const double in = 4.75;

	check_float(&d->fields[0], ABI_FIELD_INT, 8);
	check_float(&d->fields[1], ABI_FIELD_INT, 4);
	check_float(&d->fields[2], ABI_FIELD_STRING, 5);
	check_float(&d->fields[3], ABI_FIELD_INT, 8);
	check_float(&d->fields[4], ABI_FIELD_INT, 4);
	check_float(&d->fields[5], ABI_FIELD_INT, 8);
	check_float(&d->fields[6], ABI_FIELD_BYTES, 16);
	check_float(&d->fields[7], ABI_FIELD_INT, 8);
	memcpy(r->kernel, &num, sizeof(num));
	memcpy(r->user, &in, sizeof(in));
	r->args[3] = RIG_KERNEL;
	r->args[4] = RIG_USER;
	rig_run_all(r);
	assert_int_equal(rig_int(r, 0, 0), 0x3ff8000000000000);
	assert_int_equal(rig_int(r, 0, 1), 0x40100000);
	assert_string_equal(rig_str(r, 0, 2), "0.1L");
	assert_int_equal(rig_int(r, 0, 3), 0x4008000000000000);
	assert_int_equal(rig_int(r, 0, 4), 0x3f000000);
	assert_int_equal(rig_int(r, 0, 5), 0xc000000000000000);
	assert_memory_equal(rig_str(r, 0, 6), &num.l, 10);
	assert_int_equal(rig_int(r, 0, 7), 0x4013000000000000);
	stop(r);
}

/* What came of a wide number stands in its columns, whatever is done to it. */
static void
test_columns(void **state)
{
	struct rig *r = start("test:::args { x = 1; x = arg4; trace(x); trace(-x); "
			      "trace(+x); trace(~x); }");
	const struct abi_field *f = r->plan->clauses[0].desc.fields;

	for (int i = 0; i < 4; i++)
		assert_int_equal(f[i].sub, ABI_INT_OF(4, 8));
	stop(r);
}

/* A char [16] that is full has no NUL, and what follows is not its. */
static void
test_full_array(void **state)
{
	struct rig *r = start(
		"test:::args { printf(\"%s\", args[3]->name); "
		"trace(args[3]->name); trace(strlen(args[3]->name)); "
		"trace(strlen(stringof(args[3]->name))); }");
	struct rig_blob *b = (void *)r->kernel;

	memcpy(b->name, "0123456789abcdef", 16);
	r->args[3] = RIG_KERNEL;
	rig_run_all(r);
	assert_string_equal(rig_str(r, 0, 0), "0123456789abcdef");
	assert_int_equal(r->plan->clauses[0].desc.fields[1].size, 16);
	assert_memory_equal(rig_str(r, 0, 1), "0123456789abcdef", 16);
	assert_int_equal(rig_int(r, 0, 2), 16);
	assert_int_equal(rig_int(r, 0, 3), 16);
	stop(r);
}

static void
test_struct_fields(void **state)
{
	struct rig *r = start("test:::args { trace(args[3]->at); "
			      "trace(*args[4]); trace(args[4]->bytes); }");
	const struct abi_clause_desc *d = &r->plan->clauses[0].desc;
	struct rig_blob *b = (void *)r->kernel, *u = (void *)r->user;

	r->args[3] = RIG_KERNEL;
	r->args[4] = RIG_USER;
	rig_run_all(r);
	check_field(&d->fields[0], ABI_FIELD_BYTES, 16, 8);
	check_field(&d->fields[1], ABI_FIELD_BYTES, 24, sizeof(*b));
	assert_memory_equal(rig_str(r, 0, 0), &b->at, 8);
	assert_memory_equal(rig_str(r, 0, 1), u, sizeof(*u));
	assert_memory_equal(rig_str(r, 0, 2), u->bytes, 8);
	stop(r);
}

static void
test_actions(void **state)
{
	struct rig *r = start(
		"BEGIN { @a[1] = count(); @b[1] = sum(2); exit(arg1); }"
		"BEGIN { clear(@a); trunc(@b); trunc(@a, -5); "
		"normalize(@b, 1000); denormalize(@b); printa(@a); "
		"printa(\"%d %@d %@d\\n\", @a, @b); }");
	const struct abi_clause_desc *d = &r->plan->clauses[1].desc;
	static const uint32_t kinds[] = {
		ABI_ACT_CLEAR, ABI_ACT_TRUNC, ABI_ACT_TRUNC,
		ABI_ACT_NORMALIZE, ABI_ACT_DENORMALIZE, ABI_ACT_PRINTA,
		ABI_ACT_PRINTA,
	};
	static const uint8_t nfields[] = { 0, 0, 1, 1, 0, 0, 0 };
	static const uint32_t aggids[] = { 1, 2, 1, 2, 2, 1, 1, 2 };

	assert_int_equal(r->plan->clauses[0].desc.actions[0].kind,
			 ABI_ACT_EXIT);
	check_field(&r->plan->clauses[0].desc.fields[0], ABI_FIELD_INT, 16, 4);
	assert_int_equal(d->nactions, BASE_NELEMS(kinds));
	assert_int_equal(d->naggids, BASE_NELEMS(aggids));
	assert_memory_equal(d->aggids, aggids, sizeof(aggids));
	for (unsigned i = 0; i < BASE_NELEMS(kinds); i++) {
		assert_int_equal(d->actions[i].kind, kinds[i]);
		assert_int_equal(d->actions[i].nfields, nfields[i]);
		assert_int_equal(d->actions[i].naggs, i == 6 ? 2 : 1);
	}
	assert_null(d->actions[5].format);
	assert_string_equal(d->actions[6].format, "%d %@d %@d\n");
	check_field(&d->fields[0], ABI_FIELD_INT, 16, 8);
	check_field(&d->fields[1], ABI_FIELD_INT, 24, 8);
	r->args[1] = 7;
	rig_run(r, 0);
	assert_int_equal(rig_int(r, 0, 0), 7);
	rig_run(r, 1);
	assert_int_equal(rig_int(r, 1, 0), -5);
	assert_int_equal(rig_int(r, 1, 1), 1000);
	stop(r);
}

/* Where a string lies decides who copies it. */
static void
test_user_strings(void **state)
{
	struct rig *r = start("test:::args { printf(\"%s %s %s\", args[2], "
			      "args[4]->name, args[3]->name); }");

	r->args[2] = RIG_USER + 1024;
	r->args[3] = RIG_KERNEL;
	r->args[4] = RIG_USER;
	rig_run_all(r);
	assert_string_equal(rig_str(r, 0, 0), "from user land");
	assert_string_equal(rig_str(r, 0, 1), "second");
	assert_string_equal(rig_str(r, 0, 2), "blobby");
	stop(r);
}

/* --- Branches ----------------------------------------------------------- */

static const char branchy[] =
	"BEGIN {\n"			/* 1 */
	"	x = 0;\n"
	"	if (arg0 == 1) {\n"
	"		trace(10);\n"
	"		if (arg1) {\n"
	"			x = 1;\n"
	"		} else {\n"
	"			trace(20);\n"
	"			trace(21);\n"
	"		}\n"
	"	} else if (arg0 == 2) {\n"	/* 11 */
	"		x = 2;\n"
	"	} else\n"
	"		trace(30);\n"
	"	@ = count();\n"
	"}\n";

static void
test_branches(void **state)
{
	struct rig *r = start(branchy);
	const struct plan_clause *c = &r->plan->clauses[0];
	const struct plan_node *n = c->body->next, *inner = n->then_->next;
	const struct plan_node *elif = n->else_;

	/* Bytes 1: arg0 == 1; 2: else of arg1; 3: the last else. */
	assert_int_equal(c->desc.nbranches, 3);
	assert_int_equal(n->kind, PLAN_IF);
	assert_int_equal(n->branch, 1);
	assert_int_equal(n->else_branch, 0);
	assert_int_equal(inner->branch, 0);
	assert_int_equal(inner->else_branch, 2);
	assert_int_equal(elif->branch, 0);
	assert_int_equal(elif->else_branch, 3);
	assert_int_equal(c->desc.actions[0].branch, 1);
	assert_int_equal(c->desc.actions[2].branch, 2);
	assert_int_equal(c->desc.actions[3].branch, 3);
	/* header, 3 branch bytes, 4 ints */
	assert_int_equal(c->desc.fields[0].offset, 20);
	assert_int_equal(c->desc.record_size, 40);
	/* numbered in program order */
	assert_int_equal(c->body->action_no, 1);
	assert_int_equal(n->action_no, 2);
	assert_int_equal(n->then_->action_no, 3);
	assert_int_equal(inner->action_no, 4);
	assert_int_equal(inner->else_->action_no, 6);
	assert_int_equal(elif->action_no, 8);
	assert_int_equal(n->next->action_no, 11);
	assert_int_equal(n->place, 3);
	assert_int_equal(inner->else_->place, 8);
	assert_int_equal(elif->place, 11);
	assert_int_equal(elif->else_->place, 14);
	stop(r);
}

static void
check_path(uint64_t arg0, uint64_t arg1, bool commit, const char *bytes)
{
	struct rig *r = start(branchy);

	r->args[0] = arg0;
	r->args[1] = arg1;
	rig_run_all(r);
	assert_int_equal(r->committed, commit);
	assert_int_equal(r->naggs, 1);
	if (commit)
		assert_memory_equal(r->record + 16, bytes, 3);
	stop(r);
}

static void
test_paths(void **state)
{
	check_path(1, 1, true, "\1\0\0");
	check_path(1, 0, true, "\1\1\0");
	check_path(2, 0, false, "");
	check_path(3, 0, true, "\0\0\1");
}

static void
test_empty_arms(void **state)
{
	struct rig *r = start("BEGIN { if (pid) { } else { ; } "
			      "if (pid) ; trace(1); }");

	assert_int_equal(r->plan->clauses[0].desc.nbranches, 0);
	rig_run_all(r);
	assert_true(r->committed);
	stop(r);
}

/* --- Aggregations and variables ----------------------------------------- */

static void
test_aggs(void **state)
{
	struct rig *r = start(
		"BEGIN { @ = count(); @a[probefunc] = sum(1); "
		"@b[execname, 1, 2LL] = avg(1); @c[probefunc] = max(1); "
		"@d[(char)1, \"abc\", (short)2] = min(1); "
		"@q = quantize(1); @l = lquantize(1, 0, 100, 10); "
		"@ll = llquantize(1, 10, 0, 3, 20); @s[1] = stddev(1); }"
		"BEGIN { @c[execname] = max(2); @d[(char)1, \"abcdefg\", "
		"(short)2] = min(2); @s[pid + 1LL] = stddev(1); }");
	static const struct {
		const char *name;
		unsigned func, nkeys, key_size, ncells;
	} rows[] = {
		{ "", ABI_AGG_COUNT, 0, 0, 1 },
		{ "a", ABI_AGG_SUM, 1, 4, 1 },
		{ "b", ABI_AGG_AVG, 3, 32, 2 },
		{ "c", ABI_AGG_MAX, 1, 192, 1 },
		/* 1 + 8 + (1) + 2 */
		{ "d", ABI_AGG_MIN, 3, 12, 1 },
		{ "q", ABI_AGG_QUANTIZE, 0, 0, 127 },
		{ "l", ABI_AGG_LQUANTIZE, 0, 0, 12 },
		/* 10^0..10^1: width 1 (10/20 is 0): 9 buckets; then 90/5 =
		 * 900/50 = 9000/500 = 18 each */
		{ "ll", ABI_AGG_LLQUANTIZE, 0, 0, 2 + 9 + 3 * 18 },
		{ "s", ABI_AGG_STDDEV, 1, 8, 4 },
	};

	assert_int_equal(r->plan->naggs, BASE_NELEMS(rows));
	for (unsigned i = 0; i < BASE_NELEMS(rows); i++) {
		const struct abi_agg_desc *a = &r->plan->aggs[i];
		assert_string_equal(a->name, rows[i].name);
		assert_int_equal(a->id, i + 1);
		assert_int_equal(a->func, rows[i].func);
		assert_int_equal(a->nkeys, rows[i].nkeys);
		assert_int_equal(a->key_size, rows[i].key_size);
		assert_int_equal(a->ncells, rows[i].ncells);
	}
	check_field(&r->plan->aggs[1].keys[0], ABI_FIELD_PROBE, 0, 4);
	check_field(&r->plan->aggs[2].keys[0], ABI_FIELD_STRING, 0, 16);
	check_field(&r->plan->aggs[2].keys[1], ABI_FIELD_INT, 16, 4);
	check_field(&r->plan->aggs[2].keys[2], ABI_FIELD_INT, 24, 8);
	check_field(&r->plan->aggs[3].keys[0], ABI_FIELD_STRING, 0, 192);
	check_field(&r->plan->aggs[4].keys[2], ABI_FIELD_INT, 10, 2);
	rig_run_all(r);
	stop(r);
}

/* Three times 1.4 GB are 4 GB and something, which 32 bits do not hold. */
static void
test_agg_huge_key(void **state)
{
	struct rig *r = malloc(sizeof(*r));

	assert_non_null(r);
	rig_init(r);
	rig_compile(r, "struct big { char a[1431655765]; };"
		    "BEGIN { @[*(struct big *)0, *(struct big *)1, "
		    "*(struct big *)2] = count(); }");
	assert_non_null(r->plan);
	assert_true(r->plan->aggs[0].key_size >= 1431655765);
	stop(r);
}

static void
test_agg_values(void **state)
{
	struct rig *r = start(
		"BEGIN { @s[execname] = sum(arg9); @q = quantize(arg1, 3); "
		"@l = lquantize(arg1, 0, 100, 10, 4); "
		"@ll = llquantize(5, 10, 0, 1, 10, 7); @c = count(); }");

	r->args[9] = (uint64_t)-9;
	r->args[1] = 55;
	rig_run_all(r);
	rig_run_all(r);
	assert_int_equal(r->naggs, 5);
	assert_string_equal((char *)r->aggs[0].key, "prog");
	assert_int_equal((int64_t)r->aggs[0].cells[0], -18);
	assert_int_equal(r->aggs[1].cells[abi_quantize_bucket(55)], 6);
	assert_int_equal(r->aggs[2].cells[6], 8);
	assert_int_equal(r->aggs[3].cells[5], 14);
	assert_int_equal(r->aggs[4].cells[0], 2);
	stop(r);
}

static const struct plan_var *
find_var(const struct rig *r, const char *name)
{
	for (uint32_t i = 0; i < r->plan->nvars; i++)
		if (!strcmp(r->plan->vars[i].name, name))
			return &r->plan->vars[i];
	fail_msg("no variable %s", name);
	return NULL;
}

static void
test_vars(void **state)
{
	struct rig *r = start(
		"int8_t g; string s; int arr[5];"
		"BEGIN { a[execname, 1] = 2; self->b = \"x\"; this->c = 1LL; "
		"g = 1; a[\"a longer string than that\", 2] = 3; }");
	const struct plan_var *v = find_var(r, "a");

	assert_int_equal(v->kind, DIF_VK_ARRAY);
	assert_int_equal(v->scope, DIF_VS_GLOBAL);
	assert_int_equal(v->nkeys, 2);
	/* 26 bytes and 1, rounded up; then 8 */
	check_field(&v->keys[0], ABI_FIELD_STRING, 0, 32);
	check_field(&v->keys[1], ABI_FIELD_INT, 32, 8);
	assert_int_equal(v->key_size, 40);
	assert_int_equal(v->type.size, 4);
	v = find_var(r, "b");
	assert_int_equal(v->scope, DIF_VS_THREAD);
	assert_int_equal(v->type.kind, DIF_TYPE_STRING);
	assert_int_equal(v->type.flags, DIF_TF_BYREF);
	assert_int_equal(v->type.size, 256);
	v = find_var(r, "c");
	assert_int_equal(v->scope, DIF_VS_LOCAL);
	assert_int_equal(v->type.size, 8);
	v = find_var(r, "arr");
	assert_int_equal(v->kind, DIF_VK_SCALAR);
	assert_int_equal(v->type.flags, DIF_TF_BYREF);
	assert_int_equal(v->type.size, 20);
	assert_int_equal(find_var(r, "g")->type.size, 1);
	stop(r);
}

/* A struct that is a key stands in numbers: as many of 8 bytes as there are, then of
 * 4, 2 and 1; each has 8 bytes of the key. */
static void
test_struct_keys(void **state)
{
	for (unsigned size = 1; size <= 64; size++) {
		unsigned n = size / 8 + !!(size & 4) + !!(size & 2) + (size & 1);
		char text[160];

		snprintf(text, sizeof(text), "struct key { char c[%u]; };"
			 "test:::args { a[1, *(struct key *)args[3], \"x\"] = 2; "
			 "trace(a[1, *(struct key *)args[3], \"x\"]); }", size);
		struct rig *r = start(text);
		const struct plan_var *v = find_var(r, "a");
		assert_int_equal(v->nkeys, n + 2);
		for (unsigned i = 0; i <= n; i++)
			check_field(&v->keys[i], ABI_FIELD_INT, 8 * i, 8);
		check_field(&v->keys[n + 1], ABI_FIELD_STRING, 8 * n + 8, 8);
		assert_int_equal(v->key_size, 8 * n + 16);
		r->args[3] = RIG_KERNEL;
		assert_int_equal(rig_run(r, 0), VM_DONE);
		assert_int_equal(rig_int(r, 0, 0), 2);
		stop(r);
	}
}

/* An element is read and written only where it is one; its address may be that behind the
 * last, too. */
static void
test_bounds(void **state)
{
	enum { READ, WRITE, ADDRESS, STRING, STRING_ADDRESS, ROW, CELL, CELL_ADDRESS, N };
	static const struct { int64_t most; } rows[N] = {
		[READ] = { 4 }, [WRITE] = { 4 }, [ADDRESS] = { 5 }, [STRING] = { 255 },
		[STRING_ADDRESS] = { 256 }, [ROW] = { 1 }, [CELL] = { 2 },
		[CELL_ADDRESS] = { 3 },
	};
	struct rig *r = start(
		"int arr[5]; string s; int m[2][3];"
		"test:::args { trace(arr[arg1]); }"
		"test:::args { arr[arg1] = 7; }"
		"test:::args { p = &arr[arg1]; }"
		"test:::args { trace(s[arg1]); }"
		"test:::args { q = &s[arg1]; }"
		"test:::args { trace(m[arg1][1]); }"
		"test:::args { trace(m[1][arg1]); }"
		"test:::args { t = &m[1][arg1]; }");

	for (unsigned c = 0; c < N; c++)
		for (int64_t i = -2; i < 300; i++) {
			bool is_within = i >= 0 && i <= rows[c].most;
			r->args[1] = (uint64_t)i;
			if (rig_run(r, c) != (is_within ? VM_DONE : VM_FAULTED))
				fail_msg("clause %u, %lld", c, (long long)i);
		}
	stop(r);
}

/* --- Code --------------------------------------------------------------- */

static void
test_classic(void **state)
{
	struct rig *r = start("BEGIN { trace(execname); }");
	const struct dif_difo *d = r->plan->clauses[0].body->difos[0];

	assert_int_equal(d->ntext, 2);
	assert_int_equal(d->text[0], 0x29011801);
	assert_int_equal(d->text[1], 0x23000001);
	assert_int_equal(d->rtype.kind, DIF_TYPE_STRING);
	assert_int_equal(d->rtype.flags, DIF_TF_BYREF);
	stop(r);
}

static void
test_lines(void **state)
{
	struct rig *r = start("BEGIN\n{\n\tx = 1 +\n\t\tpid\n\t\t* tid;\n}\n");
	const struct dif_difo *d = r->plan->clauses[0].body->difos[0];
	uint32_t first = 0, last = 0;

	assert_int_equal(r->plan->clauses[0].place, 1);
	assert_int_equal(r->plan->clauses[0].body->place, 3);
	for (uint32_t i = 0; i < d->ntext; i++) {
		if (DIF_INSN_OP(d->text[i]) != DIF_OP_LDGS)
			continue;
		if (DIF_INSN_INDEX(d->text[i]) == DIF_VAR_PID)
			first = d->lines[i];
		if (DIF_INSN_INDEX(d->text[i]) == DIF_VAR_TID)
			last = d->lines[i];
	}
	assert_int_equal(first, 4);
	assert_int_equal(last, 5);
	stop(r);
}

/* Text made of a left part, a middle and a right part, n times. */
static char *
nest(const char *left, const char *middle, const char *right, unsigned n,
     const char *before, const char *after)
{
	struct sb b;

	sb_init(&b, 1 << 22);
	sb_puts(&b, before);
	for (unsigned i = 0; i < n; i++)
		sb_puts(&b, left);
	sb_puts(&b, middle);
	for (unsigned i = 0; i < n; i++)
		sb_puts(&b, right);
	sb_puts(&b, after);
	return sb_steal(&b);
}

static void
check_deep(const char *left, const char *middle, const char *right,
	   unsigned n, int64_t value, bool may_spill)
{
	char *text = nest(left, middle, right, n,
			  "long n; int a[int]; long one; "
			  "BEGIN { one = 1; trace(",
			  "); }");
	struct rig *r = start(text);

	rig_run_all(r);
	if ((int64_t)rig_int(r, 0, 0) != value)
		fail_msg("%s...: %lld, not %lld", left,
			 (long long)rig_int(r, 0, 0), (long long)value);
	if (!may_spill)
		assert_int_equal(r->plan->nvars, 3);
	stop(r);
	free(text);
}

static void
test_deep(void **state)
{
	check_deep("(one + ", "one", ")", 200, 201, false);
	check_deep("(", "one", " + one)", 200, 201, false);
	check_deep("(n++ + ", "1", ")", 200, 199 * 200 / 2 + 1, true);
	check_deep("(n++ * 0 + (one + one) * ", "1", " + one)", 20,
		   (1 << 21) - 1, true);
	check_deep("one + ", "one", "", 1000, 1001, false);
	check_deep("one - ", "one", "", 1990, -1989, false);
	check_deep("one | n++ | ", "one", "", 900, 1023, true);
	check_deep("!", "one", "", 100, 1, false);
	check_deep("a[", "one", "]", 200, 0, false);
	check_deep("(one ? ", "7", " : 3)", 200, 7, false);
	check_deep("one == 2 ? 5 : ", "7", "", 300, 7, false);
	check_deep("(one && ", "7", ")", 200, 1, false);
	check_deep("one && ", "7", "", 600, 1, false);
	check_deep("one == 2 || ", "7", "", 600, 1, false);
	check_deep("strlen(strjoin(lltostr(", "7", "), \"xy\"))", 60, 3, true);
}

/* A balanced tree needs one register more for each level. */
static void
test_balanced(void **state)
{
	struct sb b;
	char *text = strdup("n++");

	for (unsigned i = 0; i < 8; i++) {
		sb_init(&b, 1 << 20);
		sb_printf(&b, "(%s + %s)", text, text);
		free(text);
		text = sb_steal(&b);
	}
	sb_init(&b, 1 << 20);
	sb_printf(&b, "BEGIN { trace(%s); }", text);
	struct rig *r = start(sb_str(&b));
	rig_run_all(r);
	assert_int_equal(rig_int(r, 0, 0), 255 * 256 / 2);
	stop(r);
	sb_fini(&b);
	free(text);
}

/* Compiles, or is refused with a tag, but never crashes. */
static void
check_refused(char *text, enum diag_tag tag)
{
	struct rig *r = malloc(sizeof(*r));

	assert_non_null(r);
	rig_init(r);
	rig_compile(r, text);
	assert_null(r->plan);
	assert_non_null(r->diags.first);
	assert_string_equal(diag_tag_name(r->diags.first->tag),
			    diag_tag_name(tag));
	stop(r);
	free(text);
}

static void
test_refused(void **state)
{
	struct sb b;

	check_refused(nest("pid ? ", "1", " : 2", 450, "BEGIN { trace(",
			   "); }"), D_CG_EXPR);
	sb_init(&b, 1 << 22);
	sb_puts(&b, "BEGIN { x[0");
	for (unsigned i = 1; i < 65; i++)
		sb_printf(&b, ",%u", i);
	sb_puts(&b, "] = 1; }");
	check_refused(sb_steal(&b), D_NOREG);
	/* one that has too many numbers in it, and one that is out of all bounds */
	sb_init(&b, 1 << 22);
	sb_printf(&b, "struct key { char c[%u]; }; test:::args "
		  "{ a[*(struct key *)args[3]] = 1; }", 8 * DIF_NTUPLE - 1);
	check_refused(sb_steal(&b), D_NOREG);
	sb_init(&b, 1 << 22);
	sb_printf(&b, "struct key { char c[%u]; }; test:::args "
		  "{ a[*(struct key *)args[3]] = 1; }", 8 * DIF_NTUPLE + 1);
	check_refused(sb_steal(&b), D_NOREG);
	sb_init(&b, 1 << 22);
	sb_puts(&b, "inline int A0[int n] = n + pid;");
	for (unsigned i = 1; i < 16; i++)
		sb_printf(&b, "inline int A%u[int n] = A%u[n] + A%u[n] * 2;",
			  i, i - 1, i - 1);
	sb_puts(&b, "BEGIN { trace(A15[1]); }");
	check_refused(sb_steal(&b), D_CG_EXPR);
}

/* --- Memory ------------------------------------------------------------- */

static const char everything[] =
	"struct pt { int x, y; string s; };\n"
	"struct pt p; self struct pt sp;\n"
	"BEGIN /pid == 1234 && execname != \"x\"/\n"
	"{\n"
	"	p.x = 1; self->sp.y = p.x ? 2 : 3; self->sp.s = execname;\n"
	"	a[execname, pid]++;\n"
	"	@q[probefunc, pid] = quantize(arg0, 2);\n"
	"	if (arg1) printf(\"%s %d\", strjoin(execname, \"x\"), pid);\n"
	"	else trace(p);\n"
	"	n = (n++ + (n++ + (n++ + (n++ + (n++ + (n++ + (n++ + (n++ +\n"
	"	    (n++ + 1)))))))));\n"
	"}\n"
	"BEGIN { printa(@q); exit(0); }\n";

/* Fail each allocation in turn.  With a plan, it is a whole one. */
static void
test_oom(void **state)
{
	unsigned long n = 1;
	bool done = false;

	for (; !done && n < 100000; n++) {
		struct rig *r = malloc(sizeof(*r));
		assert_non_null(r);
		rig_init(r);
		util_alloc_fail(n, 1);
		rig_compile(r, everything);
		util_alloc_fail(0, 0);
		done = r->plan != NULL;
		stop(r);
	}
	assert_true(done);
	assert_true(n > 20);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_default_action),
		cmocka_unit_test(test_who),
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_printf_fields),
		cmocka_unit_test(test_float_fields),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_full_array),
		cmocka_unit_test(test_struct_fields),
		cmocka_unit_test(test_user_strings),
		cmocka_unit_test(test_actions),
		cmocka_unit_test(test_branches),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_empty_arms),
		cmocka_unit_test(test_aggs),
		cmocka_unit_test(test_agg_huge_key),
		cmocka_unit_test(test_agg_values),
		cmocka_unit_test(test_vars),
		cmocka_unit_test(test_struct_keys),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_classic),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_balanced),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_oom),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
