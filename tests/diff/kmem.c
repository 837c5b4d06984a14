/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Kernel memory for the interpreter: a program of a dozen instructions, apart
 * from what is tested, reads it into a map that we see.
 *
 * The map's value ends with a page, behind which the kernel keeps one that cannot
 * be read: maps that can be mapped come from vmalloc().
 */
#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/mman.h>

#include "diff_priv.h"

enum { MOST = 4095, TASK_AT = 4096, SELF_AT = 4104, END_AT = 8192,
       MAP_SIZE = 12288 };

static int prog = -1, map = -1;
static const uint8_t *seen;

#define INSN(c, d, s, o, i) { .code = (c), .dst_reg = (d), .src_reg = (s), \
			      .off = (o), .imm = (i) }
#define MAP_VALUE(r, fd, at) \
	INSN(BPF_LD | BPF_IMM | BPF_DW, r, BPF_PSEUDO_MAP_VALUE, 0, fd), \
	INSN(0, 0, 0, 0, at)

/* Context: address, size.  Returns what bpf_probe_read_kernel() does; leaves the
 * current task and the map's address behind what was read. */
static int
load_reader(void)
{
	const struct bpf_insn insns[] = {
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, 6, 1, 0, 0),
		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_get_current_task),
		MAP_VALUE(1, map, TASK_AT),
		INSN(BPF_STX | BPF_MEM | BPF_DW, 1, 0, 0, 0),
		INSN(BPF_STX | BPF_MEM | BPF_DW, 1, 1, SELF_AT - TASK_AT, 0),
		INSN(BPF_LDX | BPF_MEM | BPF_DW, 3, 6, 0, 0),
		INSN(BPF_LDX | BPF_MEM | BPF_DW, 2, 6, 8, 0),
		INSN(BPF_ALU64 | BPF_AND | BPF_K, 2, 0, 0, MOST),
		MAP_VALUE(1, map, 0),
		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_probe_read_kernel),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};

	return bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "diff_kmem", "GPL",
			     insns, BASE_NELEMS(insns), NULL);
}

static void
start(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, o, .map_flags = BPF_F_MMAPABLE);
	void *p = MAP_FAILED;

	map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "diff_kmem", 4, MAP_SIZE, 1,
			     &o);
	if (map >= 0)
		p = mmap(NULL, MAP_SIZE, PROT_READ, MAP_SHARED, map, 0);
	prog = load_reader();
	if (p == MAP_FAILED || prog < 0)
		diff_die("no reader of kernel memory");
	seen = p;
}

static bool
read_some(uint64_t addr, size_t n)
{
	uint64_t ctx[12] = { addr, n };
	uint32_t ret;

	if (prog < 0)
		start();
	diff_must(kern_prog_run(prog, ctx, 12, &ret));
	return !ret;
}

bool
diff_kmem(uint64_t addr, void *buf, size_t n)
{
	if (n > MOST || !read_some(addr, n))
		return false;
	memcpy(buf, seen, n);
	return true;
}

uint64_t
diff_kernel_end(const void *p, size_t n)
{
	static uint8_t value[MAP_SIZE];
	uint32_t key = 0;
	uint64_t self;

	if (n > MAP_SIZE - END_AT)
		diff_die("too much for the end of a map");
	read_some(0, 0);
	memcpy(&self, seen + SELF_AT, sizeof(self));
	memcpy(value + MAP_SIZE - n, p, n);
	if (bpf_map_update_elem(map, &key, value, BPF_ANY))
		diff_die("no writing to a map");
	return self - TASK_AT + MAP_SIZE;
}

uint64_t
diff_curthread(void)
{
	uint64_t task;

	read_some(0, 0);
	memcpy(&task, seen + TASK_AT, sizeof(task));
	return task;
}
