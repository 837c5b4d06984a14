/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The runtime, part by part: each of its global functions is called by a program
 * of its own, and each of its programs loaded alone, so whatever a D program
 * needs, nothing else has to be there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <linux/bpf.h>
#include <cmocka.h>

#include "abi/mapped.h"
#include "abi/attach.h"
#include "abi/cfg.h"
#include "abi/slot.h"
#include "base/base.h"
#include "bpfrt/bpfrt.h"
#include "kern/kern.h"
#include "support/needbpf.h"

enum {
	SLOT = 2 << 20,		/* bytes: as much as any function may write */
	FRAMES = 384,		/* bytes: those of a firing and of a clause, each
				 * rounded up as the verifier does */
};

/* A program that calls name with what the context has, and with the address of
 * 64 bytes of its stack first, if it wants one.  Its frame is as large as those
 * of a program and a clause together, and since it makes a tail call, the kernel
 * gives it no more than 512 bytes of stack in all. */
static void
caller(const struct abi_func *callee, struct bpf_insn *code,
       struct abi_func *funcs, struct abi_ref *refs, struct abi_obj *ret)
{
	static const struct abi_map tails = {
		.name = "tails", .type = BPF_MAP_TYPE_PROG_ARRAY, .key_size = 4,
		.value_size = 4, .entries = 1 };
	uint32_t n = 0;

	code[n++] = (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_X,
				       .dst_reg = 6, .src_reg = 1 };
	code[n++] = (struct bpf_insn){ .code = BPF_ST | BPF_MEM | BPF_DW,
				       .dst_reg = 10, .off = -FRAMES };
	refs[0] = (struct abi_ref){ n, 0 };
	code[n++] = (struct bpf_insn){ .code = BPF_LD | BPF_IMM | BPF_DW,
				       .dst_reg = 2,
				       .src_reg = BPF_PSEUDO_MAP_FD };
	code[n++] = (struct bpf_insn){ 0 };
	code[n++] = (struct bpf_insn){ .code = BPF_ALU64 | BPF_MOV | BPF_K,
				       .dst_reg = 3 };
	code[n++] = (struct bpf_insn){ .code = BPF_JMP | BPF_CALL,
				       .imm = BPF_FUNC_tail_call };
	for (int16_t i = 0; i < 8; i++)
		code[n++] = (struct bpf_insn){
			.code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = 10,
			.off = (int16_t)(-8 - 8 * i) };
	for (uint8_t i = 0; i < callee->nargs; i++)
		code[n++] = (struct bpf_insn){
			.code = BPF_LDX | BPF_MEM | BPF_DW,
			.dst_reg = (uint8_t)(i + 1), .src_reg = 6,
			.off = (int16_t)(8 * i) };
	if (callee->cells) {
		code[n++] = (struct bpf_insn){
			.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 1,
			.src_reg = 10 };
		code[n++] = (struct bpf_insn){
			.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 1,
			.imm = -64 };
	}
	refs[1] = (struct abi_ref){ n, 0 };
	code[n++] = (struct bpf_insn){ .code = BPF_JMP | BPF_CALL,
				       .src_reg = BPF_PSEUDO_CALL };
	code[n++] = (struct bpf_insn){ .code = BPF_JMP | BPF_EXIT };
	funcs[0] = (struct abi_func){ .name = callee->name,
				      .nargs = callee->nargs };
	funcs[1] = (struct abi_func){ .name = "caller", .ninsns = n,
				      .nrefs = 2, .kind = ABI_FUNC_PROG,
				      .attach = ABI_ATTACH_RUN, .nargs = 1 };
	*ret = (struct abi_obj){ .code = code, .funcs = funcs, .refs = refs,
				 .maps = &tails, .nfuncs = 2, .nmaps = 1 };
}

static struct err *
load(const struct abi_obj *const *objs, unsigned n, const char *prog)
{
	/* No more room behind the window than a slot has. */
	struct abi_cfg cfg = { .strsize = 256, .slot_size = SLOT, .ncpus = 1,
			       .scratch_size = 4096,
			       .window_off = SLOT - ABI_WINDOW - 8 -
				       ABI_UNWIND_LATE *
				       sizeof(struct abi_unwind_late) -
				       ABI_UNWIND_NEAR *
				       sizeof(struct abi_unwind_near) };
	struct kern_obj *o;

	TRY(kern_obj_open(objs, n, &o));
	struct err *e = kern_obj_set_map(o, "dt_slots", SLOT, 0);
	if (!e)
		e = kern_obj_set_initial(o, ".rodata.cfg", &cfg);
	if (!e && prog)
		e = kern_obj_use_prog(o, prog);
	if (!e)
		e = kern_obj_load(o, false);
	kern_obj_close(o);
	return e;
}

/* Not every kernel lets a program write to the memory of processes. */
static unsigned
complain(const struct abi_func *f, struct err *e)
{
	unsigned bad = e && !strstr(e->text,
				    "cannot use helper bpf_probe_write_user");

	if (bad)
		print_message("# %s: %s\n", f->name, e->text);
	err_free(e);
	return bad;
}

static unsigned
try_func(const struct abi_func *f)
{
	struct bpf_insn code[32];
	struct abi_func funcs[2];
	struct abi_ref refs[2];
	struct abi_obj user;
	const struct abi_obj *objs[] = { &user, &bpfrt_object };

	caller(f, code, funcs, refs, &user);
	return complain(f, load(objs, 2, NULL));
}

static void
test_functions(void **state)
{
	unsigned bad = 0, n = 0;

	need_bpf();
	for (uint32_t i = 0; i < bpfrt_object.nfuncs; i++)
		if (bpfrt_object.funcs[i].kind == ABI_FUNC_GLOBAL) {
			bad += try_func(&bpfrt_object.funcs[i]);
			n++;
		}
	assert_int_equal(bad, 0);
	assert_true(n > 50);
}

static void
test_programs(void **state)
{
	const struct abi_obj *objs[] = { &bpfrt_object };
	unsigned bad = 0, n = 0;

	need_bpf();
	for (uint32_t i = 0; i < bpfrt_object.nfuncs; i++) {
		const struct abi_func *f = &bpfrt_object.funcs[i];
		if (f->kind != ABI_FUNC_PROG)
			continue;
		assert_true(f->optional);
		bad += complain(f, load(objs, 1, f->name));
		n++;
	}
	assert_int_equal(bad, 0);
	assert_true(n >= 4);
}

/* The kernel calls no name twice: a declaration has one definition. */
static void
test_names(void **state)
{
	for (uint32_t i = 0; i < bpfrt_object.nfuncs; i++)
		for (uint32_t k = 0; k < i; k++)
			assert_string_not_equal(bpfrt_object.funcs[i].name,
						bpfrt_object.funcs[k].name);
	for (uint32_t i = 0; i < bpfrt_object.nmaps; i++)
		for (uint32_t k = 0; k < i; k++)
			assert_string_not_equal(bpfrt_object.maps[i].name,
						bpfrt_object.maps[k].name);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests_name("bpfrt", tests, NULL, NULL);
}
