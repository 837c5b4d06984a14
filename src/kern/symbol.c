/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where a symbol of the kernel lies.  /proc/kallsyms takes the kernel 50 ms to
 * write; a BPF program can ask for one symbol in a microsecond.
 */
#include <string.h>
#include <bpf/bpf.h>

#include "base/base.h"
#include "kern/kern_priv.h"
#include "util/cleanup.h"

enum { NAME_WORDS = 8, RESULT = -8 * (NAME_WORDS + 1) };

/* *(u64 *)ctx = the address of the symbol whose name, of `size` bytes, is that
 * of the words. */
static int
load(const uint64_t name[NAME_WORDS], int32_t size)
{
	struct bpf_insn code[3 * NAME_WORDS + 13], *i = code;

#define INSN(code, dst, src, off, imm) \
	*i++ = (struct bpf_insn){ code, dst, src, off, imm }
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_6, BPF_REG_1, 0, 0);
	for (int w = 0; w < NAME_WORDS; w++) {
		INSN(BPF_LD | BPF_DW | BPF_IMM, BPF_REG_1, 0, 0,
		     (int32_t)name[w]);
		INSN(0, 0, 0, 0, (int32_t)(name[w] >> 32));
		INSN(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_1,
		     (int16_t)(8 * (w - NAME_WORDS)), 0);
	}
	INSN(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, RESULT, 0);
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_1, BPF_REG_10, 0, 0);
	INSN(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_1, 0, 0, -8 * NAME_WORDS);
	INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_2, 0, 0, size);
	INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_3, 0, 0, 0);
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_4, BPF_REG_10, 0, 0);
	INSN(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_4, 0, 0, RESULT);
	INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_kallsyms_lookup_name);
	INSN(BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_10, RESULT, 0);
	INSN(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_6, BPF_REG_1, 0, 0);
	INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0);
	INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
#undef INSN
	return kern_prog_load(BPF_PROG_TYPE_SYSCALL, "dt_symbol", code,
			      (size_t)(i - code), BPF_F_SLEEPABLE);
}

struct err *
kern_symbol(const char *name, uint64_t *ret)
{
	size_t size = strlen(name) + 1;
	uint64_t words[NAME_WORDS] = { 0 }, addr = 0;
	/* The kernel writes this kind of context back to where it came from. */
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = &addr,
		    .ctx_size_in = sizeof(addr));

	if (size > sizeof(words))
		return err_new(ERR_LIMIT, 0, "%s: too long", name);
	memcpy(words, name, size);
	CLEANUP(util_closep) int prog = load(words, (int32_t)size);
	int os = prog < 0 ? prog : bpf_prog_test_run_opts(prog, &opts);
	if (os)
		return kern_os_err(os, "cannot look for %s", name);
	if (!addr)
		return err_new(ERR_NOTFOUND, 0, "no kernel symbol %s", name);
	*ret = addr;
	return NULL;
}
