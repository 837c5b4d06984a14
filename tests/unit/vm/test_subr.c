/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The subroutines, on tables of their edge cases.
 */
#include "world.h"
#include "subr_rows.h"

/* Call subr.  A DIFO sets each argument from its integer table, pushes it,
 * calls and returns; strings lie in kernel memory, 512 bytes apart. */
static bool
call_on(struct world *w, unsigned subr, const struct arg *args, unsigned n,
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
		code[pc++] = args[i].s || args[i].kind == ARG_NONE ? R(PUSHTR, 1, 0, 1) :
					 R(PUSHTV, 0, 0, 1);
	}
	code[pc++] = DIF_FMT_W(DIF_OP_CALL, subr, 1);
	code[pc++] = R(RET, 0, 0, 1);
	d = rdif_fixture(code, pc);
	d.ints = ints;
	d.nints = n;
	must_verify(&d);
	return vm_run(&w->vm, &d, ret);
}

static bool
call(struct world *w, unsigned subr, const struct arg *args, unsigned n,
     uint64_t *ret)
{
	vm_fire(&w->vm);
	return call_on(w, subr, args, n, ret);
}

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

static void
test_memory(void **state)
{
	struct world w = { .prog.strsize = 128 };

	world_vars(&w);
	world_start(&w, 128, 1);
	for (size_t i = 0; i < BASE_NELEMS(mem_rows); i++) {
		const struct mem_row *m = &mem_rows[i];
		struct str_row row = { m->subr, m->n, { { 0 } }, m->want };

		memset(w.kmem, 0xff, PAGE);
		memcpy(w.kmem + PAGE - m->size, m->bytes, m->size);
		for (unsigned k = 0; k < m->n; k++) {
			row.args[k] = m->args[k];
			if (m->args[k].kind == ARG_MEMORY)
				row.args[k].i = (int64_t)KMEM + PAGE - m->size;
		}
		check_str(&w, &row);
	}
	world_fini(&w);
}

/* strsize 8: seven bytes and a NUL, of arguments and of results. */
static void
test_truncation(void **state)
{
	static const struct arg nine[] = { S("123456789") };
	struct world w = { .prog.strsize = 8 };
	uint64_t v;

	world_vars(&w);
	world_start(&w, 64, 1);
	for (size_t i = 0; i < BASE_NELEMS(cut_rows); i++)
		check_str(&w, &cut_rows[i]);
	assert_true(call(&w, DIF_SUBR_STRLEN, nine, 1, &v));
	assert_int_equal(v, 7);
	world_fini(&w);
}

static void
test_numbers(void **state)
{
	struct world w;
	uint64_t v;

	world_init(&w);
	for (size_t i = 0; i < BASE_NELEMS(num_rows); i++) {
		assert_true(call(&w, num_rows[i].subr, num_rows[i].args, num_rows[i].n,
				 &v));
		if ((int64_t)v != num_rows[i].want)
			fail_msg("%s(\"%s\", \"%s\" %lld) gave %lld, expected "
				 "%lld", dif_subr_info(num_rows[i].subr)->name,
				 num_rows[i].args[0].s, num_rows[i].args[1].s,
				 (long long)num_rows[i].args[num_rows[i].n - 1].i,
				 (long long)v, (long long)num_rows[i].want);
	}
	w.rand = UINT32_MAX;
	assert_true(call(&w, DIF_SUBR_RAND, NULL, 0, &v));
	assert_int_equal(v, UINT32_MAX);
	assert_true(call(&w, DIF_SUBR_RANDOM, NULL, 0, &v));
	assert_int_equal(v, UINT64_MAX);
	assert_true(call(&w, DIF_SUBR_UUIDSTR, NULL, 0, &v));
	assert_string_equal((char *)(uintptr_t)v,
			    "ffffffff-ffff-4fff-bfff-ffffffffffff");
	w.rand = 0;
	assert_true(call(&w, DIF_SUBR_UUIDSTR, NULL, 0, &v));
	assert_string_equal((char *)(uintptr_t)v,
			    "00000000-0000-4000-8000-000000000000");
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
			for (unsigned a = args[bad] == 'n';
			     a < 3 && dif_is_string(args[bad]); a++) {
				uint64_t ints[] = { addrs[a] }, v;
				uint32_t code[16], pc = 0;
				struct dif_difo d;

				code[pc++] = W(SETX, 0, 1);
				code[pc++] = W(SETS, S_HELLO, 2);
				for (unsigned k = 0; k < n; k++)
					code[pc++] = !dif_is_string(args[k]) ?
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
	struct world w;
	uint64_t v;

	memset(&w, 0, sizeof(w));
	world_vars(&w);
	world_start(&w, 64, 1);		/* one string of strsize 64 */
	memset(w.umem, 'u', PAGE);
	for (size_t i = 0; i < BASE_NELEMS(fault_rows); i++) {
		assert_false(call(&w, fault_rows[i].subr, fault_rows[i].args, fault_rows[i].n,
				  &v));
		expect_fault(&w, fault_rows[i].fault, fault_rows[i].value, fault_rows[i].n * 8);
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
test_memref(void **state)
{
	static const struct arg pair[] = { I(0x1234), I(-1) };
	struct world w;
	uint64_t v;

	world_init(&w);
	assert_true(call(&w, DIF_SUBR_MEMREF, pair, 2, &v));
	assert_int_equal(((uint64_t *)(uintptr_t)v)[0], 0x1234);
	assert_int_equal(((uint64_t *)(uintptr_t)v)[1], UINT64_MAX);
	assert_int_equal(w.vm.scratch_used, 16);
	world_fini(&w);
}

/* Scratch is kept from call to call. */
static bool
does(struct world *w, unsigned subr, uint64_t a, uint64_t b, uint64_t c)
{
	struct arg args[] = { I(a), I(b), I(c) };
	uint64_t v;

	return call_on(w, subr, args, 3, &v);
}

static void
test_alloca(void **state)
{
	static const struct arg nine[] = { I(9) }, none[] = { I(0) };
	struct world w;
	uint64_t v, u;

	world_init(&w);
	assert_true(call_on(&w, DIF_SUBR_ALLOCA, nine, 1, &v));
	assert_int_equal(w.vm.scratch_used, 16);
	for (int i = 0; i < 16; i++)
		assert_int_equal(((uint8_t *)(uintptr_t)v)[i], 0);
	assert_true(call_on(&w, DIF_SUBR_ALLOCA, none, 1, &u));
	assert_int_equal(u, v + 16);
	assert_int_equal(w.vm.scratch_used, 16);
	world_fini(&w);
}

static void
test_bcopy(void **state)
{
	static const struct arg size[] = { I(8) };
	struct world w;
	uint64_t to, v;

	world_init(&w);
	strcpy((char *)w.kmem, "kernel");
	strcpy((char *)w.umem, "user");
	assert_true(call_on(&w, DIF_SUBR_ALLOCA, size, 1, &to));
	assert_true(does(&w, DIF_SUBR_BCOPY, KMEM, to, 8));
	assert_string_equal((char *)(uintptr_t)to, "kernel");
	assert_true(does(&w, DIF_SUBR_COPYINTO, UMEM, 4, to + 1));
	assert_string_equal((char *)(uintptr_t)to, "kuserl");
	assert_true(does(&w, DIF_SUBR_BCOPY, 0, 0, 0));
	assert_true(does(&w, DIF_SUBR_COPYINTO, 0, 0, 0));

	/* where it may not go */
	assert_false(does(&w, DIF_SUBR_BCOPY, KMEM, to, 9));
	assert_int_equal(w.vm.fault.fault, ABI_FAULT_BADADDR);
	assert_int_equal(w.vm.fault.value, to);
	assert_false(does(&w, DIF_SUBR_COPYINTO, UMEM, 1, to - 1));
	assert_int_equal(w.vm.fault.value, to - 1);
	assert_false(does(&w, DIF_SUBR_BCOPY, KMEM, KMEM, 1));
	assert_int_equal(w.vm.fault.value, KMEM);
	assert_false(does(&w, DIF_SUBR_BCOPY, KMEM, to, -1));

	/* what it may not read */
	assert_true(call_on(&w, DIF_SUBR_ALLOCA, size, 1, &v));
	assert_false(does(&w, DIF_SUBR_BCOPY, v, to, 8));
	assert_int_equal(w.vm.fault.fault, ABI_FAULT_BADADDR);
	assert_int_equal(w.vm.fault.value, v);
	assert_false(does(&w, DIF_SUBR_BCOPY, v + 15, to, 2));
	assert_false(does(&w, DIF_SUBR_BCOPY, to - 1, v, 2));
	assert_int_equal(w.vm.fault.value, to - 1);
	assert_false(does(&w, DIF_SUBR_BCOPY, KMEM + PAGE - 1, to, 2));
	assert_int_equal(w.vm.fault.value, KMEM + PAGE - 1);
	assert_false(does(&w, DIF_SUBR_COPYINTO, KMEM, 2, to));
	assert_int_equal(w.vm.fault.value, KMEM);
	world_fini(&w);
}

static void
test_copyout(void **state)
{
	struct arg text[] = { { .s = "abc" }, I(UMEM + 8), I(10) };
	struct world w;
	uint64_t v;

	world_init(&w);
	memset(w.umem, 'x', 16);
	strcpy((char *)w.kmem, "kernel");
	assert_true(does(&w, DIF_SUBR_COPYOUT, KMEM, UMEM + 1, 3));
	assert_memory_equal(w.umem, "xkerxx", 6);
	assert_int_equal(w.vm.scratch_used, 0);
	assert_true(does(&w, DIF_SUBR_COPYOUT, 0, 0, 0));
	assert_false(does(&w, DIF_SUBR_COPYOUT, KMEM, UMEM, 1));
	assert_int_equal(w.vm.fault.fault, ABI_FAULT_BADADDR);
	assert_int_equal(w.vm.fault.value, UMEM);
	assert_false(does(&w, DIF_SUBR_COPYOUT, UMEM, UMEM + 1, 1));
	assert_int_equal(w.vm.fault.value, UMEM);
	assert_false(does(&w, DIF_SUBR_COPYOUT, KMEM, UMEM + 1, -1));
	assert_int_equal(w.vm.fault.fault, ABI_FAULT_NOSCRATCH);

	assert_true(call(&w, DIF_SUBR_COPYOUTSTR, text, 3, &v));
	assert_memory_equal(w.umem + 8, "abc\0xx", 6);
	text[1].i = UMEM + 4;
	text[2].i = 2;
	assert_true(call(&w, DIF_SUBR_COPYOUTSTR, text, 3, &v));
	assert_memory_equal(w.umem + 4, "abxx", 4);
	text[1].i = text[2].i = 0;
	assert_true(call(&w, DIF_SUBR_COPYOUTSTR, text, 3, &v));
	text[2].i = 4;
	assert_false(call(&w, DIF_SUBR_COPYOUTSTR, text, 3, &v));
	assert_int_equal(w.vm.fault.value, 0);
	world_fini(&w);
}

/* What asks about the kernel's own asks the world. */
static void
test_ask(void **state)
{
	static const uint32_t subrs[] = {
		DIF_SUBR_MUTEX_OWNED, DIF_SUBR_MUTEX_OWNER,
		DIF_SUBR_MUTEX_ADAPTIVE, DIF_SUBR_MUTEX_SPIN,
		DIF_SUBR_RW_READ_HELD, DIF_SUBR_RW_WRITE_HELD,
		DIF_SUBR_RW_ISWRITER, DIF_SUBR_GETF,
	};
	static const struct arg seven[] = { I(7) }, none[] = { I(0) };
	struct world w;
	uint64_t v;

	world_init(&w);
	for (size_t i = 0; i < BASE_NELEMS(subrs); i++) {
		assert_true(call(&w, subrs[i], seven, 1, &v));
		assert_int_equal(v, subrs[i] * 1000 + 7);
		assert_false(call(&w, subrs[i], none, 1, &v));
		assert_int_equal(w.vm.fault.fault, ABI_FAULT_BADADDR);
		assert_int_equal(w.vm.fault.value, 0);
	}
	strcpy((char *)w.kmem, "/a/path");
	assert_true(call(&w, DIF_SUBR_D_PATH, seven, 1, &v));
	assert_string_equal((char *)(uintptr_t)v, "/a/path");
	assert_false(call(&w, DIF_SUBR_D_PATH, none, 1, &v));
	assert_int_equal(w.vm.fault.fault, ABI_FAULT_BADADDR);
	world_fini(&w);
}

static void
test_path(void **state)
{
	static const struct arg known[] = { I(3), I(7) }, other[] = { I(3), I(8) };
	struct world w;
	uint64_t v;

	world_init(&w);
	assert_true(call(&w, DIF_SUBR_PATH, known, 2, &v));
	assert_string_equal((char *)(uintptr_t)v, "/mount/entry");
	assert_false(call(&w, DIF_SUBR_PATH, other, 2, &v));
	assert_int_equal(w.vm.fault.fault, ABI_FAULT_BADADDR);
	assert_int_equal(w.vm.fault.value, 8);
	world_fini(&w);
}

static void
test_copyin(void **state)
{
	static const struct arg four[] = { I(UMEM + 2), I(4) };
	static const struct arg none[] = { I(0), I(0) };
	static const struct arg all[] = { I(UMEM), I(-1) };
	static const struct {
		unsigned n;
		int64_t max;
		const char *want;
	} rows[] = {
		{ 1, 0, "user text" }, { 2, 4, "user" }, { 2, 100, "user text" },
		{ 2, 9, "user text" }, { 2, 8, "user tex" }, { 2, 0, "" },
		{ 2, 1, "u" }, { 2, -1, "user text" },
	};
	struct world w;
	uint64_t v;

	world_init(&w);
	strcpy((char *)w.umem, "user text");
	assert_true(call(&w, DIF_SUBR_COPYIN, four, 2, &v));
	assert_string_equal((char *)(uintptr_t)v, "er t");
	assert_true(call(&w, DIF_SUBR_COPYIN, none, 2, &v));
	assert_string_equal((char *)(uintptr_t)v, "");
	assert_false(call(&w, DIF_SUBR_COPYIN, all, 2, &v));
	assert_int_equal(w.vm.fault.fault, ABI_FAULT_NOSCRATCH);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct arg args[] = { I(UMEM), I(rows[i].max) };

		assert_true(call(&w, DIF_SUBR_COPYINSTR, args, rows[i].n, &v));
		assert_string_equal((char *)(uintptr_t)v, rows[i].want);
	}
	/* nothing looks at no address */
	assert_true(call(&w, DIF_SUBR_COPYINSTR, none, 2, &v));
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
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_truncation),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_bad_strings),
		cmocka_unit_test(test_other_faults),
		cmocka_unit_test(test_scratch_use),
		cmocka_unit_test(test_memref),
		cmocka_unit_test(test_alloca),
		cmocka_unit_test(test_bcopy),
		cmocka_unit_test(test_copyout),
		cmocka_unit_test(test_ask),
		cmocka_unit_test(test_path),
		cmocka_unit_test(test_copyin),
	};

	return cmocka_run_group_tests_name("vm-subr", tests, NULL, NULL);
}
