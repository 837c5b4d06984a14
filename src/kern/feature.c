/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What this kernel lets us do, found by doing it: versions say nothing about
 * back-ports, configuration or policy.  Only dtrace -vV asks for the list;
 * the tracing path tries things when it needs them.
 */
#include <errno.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/base.h"
#include "kern/kern_priv.h"
#include "kern/site.h"
#include "util/cleanup.h"

#define BTF "/sys/kernel/btf/vmlinux"

int
kern_load_nothing(enum bpf_prog_type type)
{
	static const struct bpf_insn nothing[] = {	/* r0 = 0; exit */
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return kern_prog_load(type, "dt_nothing", nothing,
			      BASE_NELEMS(nothing), 0);
}

/* Write 8 bytes to address 0. */
static const struct bpf_insn write_user[] = {
	{ .code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_10, .off = -8 },
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_1 },
	{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_2,
	  .src_reg = BPF_REG_10 },
	{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = BPF_REG_2,
	  .imm = -8 },
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_3, .imm = 8 },
	{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_probe_write_user },
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
	{ .code = BPF_JMP | BPF_EXIT },
};

/* Read 8 bytes at address 0. */
static const struct bpf_insn read_kernel[] = {
	{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_1,
	  .src_reg = BPF_REG_10 },
	{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = BPF_REG_1,
	  .imm = -8 },
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_2, .imm = 8 },
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_3 },
	{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_probe_read_kernel },
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
	{ .code = BPF_JMP | BPF_EXIT },
};

/* bpf_task_pt_regs(bpf_get_current_task_btf()), which the runtime calls, and which
 * are as old as all else that it cannot do without (Linux 5.15). */
static const struct bpf_insn newest[] = {
	{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_get_current_task_btf },
	{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_1,
	  .src_reg = BPF_REG_0 },
	{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_task_pt_regs },
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
	{ .code = BPF_JMP | BPF_EXIT },
};

/* Each try_*() answers 0 or an errno. */

static int
try_rawtp(void)
{
	CLEANUP(util_closep) int prog =
		kern_load_nothing(BPF_PROG_TYPE_RAW_TRACEPOINT);
	if (prog < 0)
		return -prog;
	CLEANUP(util_closep) int link =
		bpf_raw_tracepoint_open("sys_enter", prog);
	return link < 0 ? -link : 0;
}

static int
try_rawtp_cookie(void)
{
	CLEANUP(util_closep) int prog =
		kern_load_nothing(BPF_PROG_TYPE_RAW_TRACEPOINT);
	struct kern_link *l = NULL;
	if (prog < 0)
		return -prog;
	const struct kern_site site = { .attach = ABI_ATTACH_RAWTP,
		.target = "sys_enter", .place.cookie = 1 };
	struct err *e = kern_attach(prog, &site, &l);
	int os = e ? e->os : 0;
	err_free(e);
	kern_detach(l);
	return os;
}

bool
kern_tells_tracepoints(void)
{
	return !try_rawtp_cookie();
}

static int
try_prog_run(void)
{
	CLEANUP(util_closep) int prog =
		kern_load_nothing(BPF_PROG_TYPE_RAW_TRACEPOINT);
	uint32_t retval;
	if (prog < 0)
		return -prog;
	struct err *e = kern_prog_run(prog, NULL, 0, &retval);
	int os = e ? e->os : 0;
	err_free(e);
	return os;
}

/* A cookie can only be given to a link. */
static int
try_perf_link(void)
{
	CLEANUP(util_closep) int prog = kern_load_nothing(BPF_PROG_TYPE_PERF_EVENT);
	struct kern_link *l = NULL;
	if (prog < 0)
		return -prog;
	const struct kern_site site = { .attach = ABI_ATTACH_PERF,
		.place.cookie = 1, .period_ns = 1000000000 };
	struct err *e = kern_attach(prog, &site, &l);
	int os = e ? e->os : 0;
	err_free(e);
	kern_detach(l);
	return os;
}

static struct err *
too_old(int os)
{
	struct utsname u;

	return err_new(ERR_UNSUPPORTED, os, "DTrace needs Linux 5.15 or newer; "
		       "this is %s", uname(&u) ? "older" : u.release);
}

struct err *
kern_may_trace(void)
{
	kern_log_quiet();
	CLEANUP(util_closep) int all =
		kern_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "dt_try", newest,
			       BASE_NELEMS(newest), 0);
	if (all >= 0)
		return NULL;
	CLEANUP(util_closep) int fd =
		kern_load_nothing(BPF_PROG_TYPE_RAW_TRACEPOINT);
	/* Want of types is told by who needs them, and one thing that is refused
	 * may be policy. */
	if (fd >= 0)
		return access(BTF, R_OK) || !try_perf_link() ? NULL
							     : too_old(-all);
	int os = -fd;
	if (os == EPERM || os == EACCES)
		return err_new(ERR_OS, os,
			       "DTrace requires additional privileges: %s",
			       geteuid() ? "run it as root, or with CAP_BPF and CAP_PERFMON" :
			       "this root, as of a container, has not CAP_BPF "
			       "and CAP_PERFMON of the machine");
	if (os == ENOSYS || os == EINVAL)
		return err_new(ERR_UNSUPPORTED, os,
			       "this kernel has no BPF raw tracepoints");
	return kern_os_err(os, "cannot load a BPF program");
}

static int
try_map(enum kern_map_type type, uint32_t key, uint32_t value,
	uint32_t entries, uint32_t flags, int inner)
{
	CLEANUP(util_closep) int fd = -1;
	struct err *e = kern_map_create(type, "dt_try", key, value, entries,
					flags, inner, &fd);
	int os = e ? e->os : 0;
	err_free(e);
	return os;
}

static int
try_ringbuf(void)
{
	return try_map(KERN_MAP_RINGBUF, 0, 0,
		       (uint32_t)sysconf(_SC_PAGESIZE), 0, -1);
}

static int
try_mmap_array(void)
{
	return try_map(KERN_MAP_ARRAY, 4, 8, 1, BPF_F_MMAPABLE, -1);
}

static int
try_map_in_map(void)
{
	struct err *e = kern_barrier();
	int os = e ? e->os : 0;

	err_free(e);
	return os;
}

static int
try_batch(void)
{
	CLEANUP(util_closep) int fd = -1;
	uint32_t next, key, n = 1;
	uint64_t value;
	struct err *e = kern_map_create(KERN_MAP_HASH, "dt_try", 4, 8, 1, 0,
					-1, &fd);
	if (e) {
		int os = e->os;
		err_free(e);
		return os;
	}
	int os = bpf_map_lookup_and_delete_batch(fd, NULL, &next, &key, &value,
						 &n, NULL);
	return os == -ENOENT ? 0 : -os;
}

/* libbpf knows helpers that the kernel has never heard of; those that policy
 * withholds it takes for present, so they are tried for real. */
static int
try_helper(enum bpf_func_id id)
{
	int yes = libbpf_probe_bpf_helper(BPF_PROG_TYPE_RAW_TRACEPOINT, id,
					  NULL);

	return yes < 0 ? -yes : yes ? 0 : EOPNOTSUPP;
}

static int
try_loop(void)
{
	return try_helper(BPF_FUNC_loop);
}

static int
try_find_vma(void)
{
	return try_helper(BPF_FUNC_find_vma);
}

bool
kern_loops(void)
{
	return try_loop() == 0;
}

/* A program that is right, but for a helper that lockdown may withhold. */
static int
try_withheld(const struct bpf_insn *insns, unsigned n)
{
	CLEANUP(util_closep) int fd =
		kern_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "dt_try", insns, n, 0);

	return fd >= 0 ? 0 : fd == -EINVAL ? EPERM : -fd;
}

static int
try_read(void)
{
	return try_withheld(read_kernel, BASE_NELEMS(read_kernel));
}

static int
try_write_user(void)
{
	return try_withheld(write_user, BASE_NELEMS(write_user));
}

bool
kern_may_write_user(void)
{
	return !try_write_user();
}

static int
try_btf(void)
{
	return access(BTF, R_OK) ? errno : 0;
}

static int
try_kprobe(void)
{
	bool many;
	struct err *e = kern_may_probe(&many);
	int os = e ? e->os : 0;

	err_free(e);
	return os;
}

static int
try_kprobe_multi(void)
{
	bool many = false;

	err_free(kern_may_probe(&many));
	return many ? 0 : EOPNOTSUPP;
}

static int
try_uprobe(void)
{
	return access("/sys/bus/event_source/devices/uprobe/type", R_OK) ?
	       errno : 0;
}

static int
try_uprobe_multi(void)
{
	bool many = false;

	err_free(kern_may_probe_user(&many));
	return many ? 0 : EOPNOTSUPP;
}

const struct kern_feature *
kern_features(unsigned *n)
{
	static const struct {
		const char *id, *name, *use;
		int (*try)(void);
	} rows[] = {
#define FEATURE(id, name, use) { #id, name, use, try_##id },
#include "kern/feature.def"
#undef FEATURE
	};
	static struct kern_feature features[BASE_NELEMS(rows)];

	kern_log_quiet();
	for (unsigned i = 0; i < BASE_NELEMS(rows); i++) {
		int os = rows[i].try();
		features[i] = (struct kern_feature){
			rows[i].id, rows[i].name, os == 0,
		        os ? strerror(os) : rows[i].use
		};
	}
	*n = BASE_NELEMS(rows);
	return features;
}
