/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where a symbol of the kernel lies.  /proc/kallsyms takes the kernel 50 ms to
 * write; a BPF program can ask for one symbol in a microsecond.
 */
#include <pthread.h>
#include <string.h>
#include <bpf/bpf.h>

#include "kern/kern_priv.h"

enum { NAME_WORDS = 8, RESULT = -8 * (NAME_WORDS + 1) };

/* Context of the program: the question, and the answer. */
struct question {
	uint64_t addr;
	uint64_t name[NAME_WORDS];	/* ends in a NUL */
};

static int
load(void)
{
	struct bpf_insn code[2 * NAME_WORDS + 13], *i = code;

#define INSN(code, dst, src, off, imm) \
	*i++ = (struct bpf_insn){ code, dst, src, off, imm }
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_6, BPF_REG_1, 0, 0);
	for (int w = 0; w < NAME_WORDS; w++) {
		INSN(BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_6,
		     (int16_t)(8 * (w + 1)), 0);
		INSN(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_1,
		     (int16_t)(8 * (w - NAME_WORDS)), 0);
	}
	INSN(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, RESULT, 0);
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_1, BPF_REG_10, 0, 0);
	INSN(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_1, 0, 0, -8 * NAME_WORDS);
	INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_2, 0, 0, 8 * NAME_WORDS);
	INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_3, 0, 0, 0);
	INSN(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_4, BPF_REG_10, 0, 0);
	INSN(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_4, 0, 0, RESULT);
	INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_kallsyms_lookup_name);
	INSN(BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_10, RESULT, 0);
	INSN(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_6, BPF_REG_1, 0, 0);
	INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
#undef INSN
	return kern_prog_load(BPF_PROG_TYPE_SYSCALL, "dt_symbol", code,
			      (size_t)(i - code), BPF_F_SLEEPABLE);
}

/* Loading takes 0.1 ms, so it is done once: a descriptor or -errno. */
static int
program(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static int fd = -1;

	pthread_mutex_lock(&lock);
	if (fd < 0)
		fd = load();
	int ret = fd;
	pthread_mutex_unlock(&lock);
	return ret;
}

struct err *
kern_symbol(const char *name, uint64_t *ret)
{
	struct question q = { 0 };
	/* The kernel writes this kind of context back to where it came from. */
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = &q,
		    .ctx_size_in = sizeof(q));

	if (strlen(name) >= sizeof(q.name))
		return err_new(ERR_LIMIT, 0, "%s: too long", name);
	memcpy(q.name, name, strlen(name));
	int prog = program();
	int os = prog < 0 ? prog : bpf_prog_test_run_opts(prog, &opts);
	if (os)
		return kern_os_err(os, "cannot look for %s", name);
	if (!q.addr)
		return err_new(ERR_NOTFOUND, 0, "no kernel symbol %s", name);
	*ret = q.addr;
	return NULL;
}
