/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The built-in variables: one row and one small function each.  A function
 * leaves the value in r0, or sets a fact for a string.
 */
#include <string.h>

#include "ebpf/stack_priv.h"

/* A value of the firing, as if it came from anywhere: else the verifier learns
 * from each comparison what stands in the frame, and follows every way through
 * a clause that compares often.  After arithmetic, even none, it no longer
 * knows where the value came from. */
static void
fs(struct ebpf *g, unsigned size, int off)
{
	ebpf_load(g, size, BPF_REG_0, R_FS, off);
	ebpf_alu_imm(g, BPF_OR, BPF_REG_0, 0);
}

static void
fs32(struct ebpf *g, int off)
{
	fs(g, 4, off);
}

static void
fs64(struct ebpf *g, int off)
{
	fs(g, 8, off);
}

static void
v_zero(struct ebpf *g, unsigned id)
{
	ebpf_imm(g, BPF_REG_0, 0);
}

static void
v_curthread(struct ebpf *g, unsigned id)
{
	ebpf_helper(g, BPF_FUNC_get_current_task);
}

void
ebpf_time(struct ebpf *g)
{
	int have = ebpf_label(g);

	g->use.time = true;
	fs64(g, FS_TIME);
	ebpf_jmp_imm(g, BPF_JNE, BPF_REG_0, 0, have);
	ebpf_helper(g, BPF_FUNC_ktime_get_ns);
	ebpf_store(g, 8, R_FS, FS_TIME, BPF_REG_0);
	ebpf_place(g, have);
}

static void
v_timestamp(struct ebpf *g, unsigned id)
{
	ebpf_time(g);
}

static void
v_vtimestamp(struct ebpf *g, unsigned id)
{
	g->use.time = g->use.vtime = true;
	fs64(g, FS_VTIME);
}

/* It goes on within a clause, unlike timestamp. */
static void
v_walltime(struct ebpf *g, unsigned id)
{
	ebpf_helper(g, BPF_FUNC_ktime_get_ns);
	ebpf_ctl(g, BPF_REG_1);
	ebpf_load(g, 8, BPF_REG_1, BPF_REG_1,
		  offsetof(struct abi_ctl, wall_delta));
	ebpf_alu(g, BPF_ADD, BPF_REG_0, BPF_REG_1);
}

static void
v_epid(struct ebpf *g, unsigned id)
{
	g->use.epid = true;
	fs32(g, FS_EPID);
}

static void
v_id(struct ebpf *g, unsigned id)
{
	fs32(g, FS_PROBE);
}

static void
v_arg(struct ebpf *g, unsigned id)
{
	unsigned n = id - DIF_VAR_ARG0;

	g->use.args |= 1u << n;
	fs64(g, FS_ARGS + 8 * (int)n);
}

static void
v_pid(struct ebpf *g, unsigned id)
{
	ebpf_helper(g, BPF_FUNC_get_current_pid_tgid);
	ebpf_alu_imm(g, BPF_RSH, BPF_REG_0, 32);
}

static void
v_tid(struct ebpf *g, unsigned id)
{
	ebpf_helper(g, BPF_FUNC_get_current_pid_tgid);
	ebpf_zext(g, BPF_REG_0, 4);
}

static void
v_uid(struct ebpf *g, unsigned id)
{
	ebpf_helper(g, BPF_FUNC_get_current_uid_gid);
	ebpf_zext(g, BPF_REG_0, 4);
}

static void
v_gid(struct ebpf *g, unsigned id)
{
	ebpf_helper(g, BPF_FUNC_get_current_uid_gid);
	ebpf_alu_imm(g, BPF_RSH, BPF_REG_0, 32);
}

/* size bytes at r3 + off of kernel memory; 0 when they cannot be read. */
static void
peek(struct ebpf *g, uint32_t off, unsigned size)
{
	int bad = ebpf_label(g);

	ebpf_alu_imm(g, BPF_ADD, BPF_REG_3, (int32_t)off);
	ebpf_store_imm(g, 8, BPF_REG_10, CF_TMP, 0);
	ebpf_lea(g, BPF_REG_1, BPF_REG_10, CF_TMP);
	ebpf_imm(g, BPF_REG_2, size);
	ebpf_helper(g, BPF_FUNC_probe_read_kernel);
	ebpf_jmp_imm(g, BPF_JNE, BPF_REG_0, 0, bad);
	ebpf_place(g, bad);
	ebpf_load(g, 8, BPF_REG_0, BPF_REG_10, CF_TMP);
}

static void
v_ppid(struct ebpf *g, unsigned id)
{
	const uint32_t *off = g->in->kernel.off;

	if (!ebpf_known(g, false, id))
		return;
	ebpf_helper(g, BPF_FUNC_get_current_task);
	ebpf_mov(g, BPF_REG_3, BPF_REG_0);
	peek(g, off[ABI_KOFF_TASK_REAL_PARENT], 8);
	ebpf_mov(g, BPF_REG_3, BPF_REG_0);
	peek(g, off[ABI_KOFF_TASK_TGID], 4);
}

static void
v_errno(struct ebpf *g, unsigned id)
{
	g->use.err = true;
	fs32(g, FS_ERRNO);
}

static void
v_cpu(struct ebpf *g, unsigned id)
{
	fs32(g, FS_CPU);
}

/* Made by the runtime in scratch: an address. */
static void
v_execargs(struct ebpf *g, unsigned id)
{
	if (!ebpf_known(g, false, id))
		return;
	ebpf_slot_arg(g);
	ebpf_rt(g, "rt_execargs", 1);
	ebpf_check_rt(g);
}

static void
v_path(struct ebpf *g, unsigned id)
{
	if (!ebpf_known(g, false, id))
		return;
	ebpf_slot_arg(g);
	ebpf_imm(g, BPF_REG_2, g->in->kernel.off[id == DIF_VAR_CWD
			? ABI_KOFF_FS_PWD : ABI_KOFF_FS_ROOT]);
	ebpf_rt(g, "rt_fs_path", 2);
	ebpf_check_rt(g);
}

static void
v_kvars(struct ebpf *g, unsigned id)
{
	g->uses_kvars = true;
	ebpf_ctl(g, BPF_REG_0);
	ebpf_to_number(g, BPF_REG_0);
	ebpf_alu_imm(g, BPF_ADD, BPF_REG_0,
		     (int32_t)offsetof(struct abi_ctl, kvars));
}

static void
v_jiffies(struct ebpf *g, unsigned id)
{
	ebpf_helper(g, BPF_FUNC_jiffies64);
}

static void
v_lbolt(struct ebpf *g, unsigned id)
{
	ebpf_time(g);
	ebpf_alu_imm(g, BPF_DIV, BPF_REG_0, 1000000000 / ABI_HZ);
}

/* --- Strings -------------------------------------------------------------- */

static struct ebpf_fact
literal(struct ebpf *g, const char *s)
{
	return (struct ebpf_fact){
		.region = REG_LIT, .off = ebpf_str(g, s, strlen(s) + 1),
		.size = (uint32_t)strlen(s) + 1, .is_str = true, .text = s };
}

/* r4 <- the bits of the first zero byte's top in r; 0: no byte is zero.
 * r <- without what stands behind that byte. */
static void
cut_at_nul(struct ebpf *g, uint8_t r)
{
	ebpf_imm(g, BPF_REG_3, 0x0101010101010101);
	ebpf_mov(g, BPF_REG_4, r);
	ebpf_alu(g, BPF_SUB, BPF_REG_4, BPF_REG_3);
	ebpf_mov(g, BPF_REG_5, r);
	ebpf_alu_imm(g, BPF_XOR, BPF_REG_5, -1);
	ebpf_alu(g, BPF_AND, BPF_REG_4, BPF_REG_5);
	ebpf_alu_imm(g, BPF_LSH, BPF_REG_3, 7);
	ebpf_alu(g, BPF_AND, BPF_REG_4, BPF_REG_3);
	ebpf_mov(g, BPF_REG_5, BPF_REG_4);
	ebpf_emit(g, BPF_ALU64 | BPF_NEG, BPF_REG_5, 0, 0, 0);
	ebpf_alu(g, BPF_AND, BPF_REG_5, BPF_REG_4);
	ebpf_alu_imm(g, BPF_RSH, BPF_REG_5, 7);
	ebpf_alu_imm(g, BPF_SUB, BPF_REG_5, 1);
	ebpf_alu(g, BPF_AND, r, BPF_REG_5);
}

void
ebpf_task(struct ebpf *g, uint8_t dst)
{
	g->use.task = true;
	ebpf_load(g, 8, dst, BPF_REG_10, CF_TASK);
}

/* A clause that asks more often gets shorter code instead of faster code. */
enum { COMMS_INLINE = 16 };

/* The helper takes four times as long as reading the task's name ourselves,
 * which may have old bytes behind its NUL.  Linux 6.1's helper in turn leaves what
 * was there before behind the NUL that it writes; all 16 bytes may become part of
 * a key, so they are cleared. */
void
ebpf_comm(struct ebpf *g, uint8_t base, int32_t off)
{
	uint32_t at = g->in->kernel.off[ABI_KOFF_TASK_COMM];
	int longer = ebpf_label(g);

	if (at == UINT32_MAX || ebpf_step(base, off, 16, 8) < 8 ||
	    g->ncomms++ >= COMMS_INLINE) {
		ebpf_zero(g, base, off, 16);
		ebpf_dst(g, BPF_REG_1, base, off);
		ebpf_imm(g, BPF_REG_2, 16);
		ebpf_helper(g, BPF_FUNC_get_current_comm);
		return;
	}
	if (g->out == &g->chunks)
		ebpf_task(g, BPF_REG_0);
	else	/* not in a clause */
		ebpf_helper(g, BPF_FUNC_get_current_task_btf);
	ebpf_load(g, 8, BPF_REG_1, BPF_REG_0, (int32_t)at);
	ebpf_load(g, 8, BPF_REG_2, BPF_REG_0, (int32_t)at + 8);
	cut_at_nul(g, BPF_REG_1);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_4, 0, longer);
	ebpf_imm(g, BPF_REG_2, 0);
	ebpf_place(g, longer);
	cut_at_nul(g, BPF_REG_2);
	ebpf_dst(g, BPF_REG_0, base, off);
	ebpf_store(g, 8, BPF_REG_0, 0, BPF_REG_1);
	ebpf_store(g, 8, BPF_REG_0, 8, BPF_REG_2);
}

static struct ebpf_fact
s_execname(struct ebpf *g, unsigned id)
{
	ebpf_comm(g, BPF_REG_10, CF_COMM);
	return (struct ebpf_fact){ .region = REG_COMM, .size = 16,
				   .is_str = true };
}

static struct ebpf_fact
s_zonename(struct ebpf *g, unsigned id)
{
	return literal(g, "global");
}

static const struct {
	uint16_t id;
	void (*number)(struct ebpf *g, unsigned id);
	struct ebpf_fact (*string)(struct ebpf *g, unsigned id);
} rows[] = {
	{ DIF_VAR_CURTHREAD, v_curthread }, { DIF_VAR_TIMESTAMP, v_timestamp },
	{ DIF_VAR_VTIMESTAMP, v_vtimestamp }, { DIF_VAR_IPL, v_zero },
	{ DIF_VAR_EPID, v_epid }, { DIF_VAR_ID, v_id },
	{ DIF_VAR_ARG0, v_arg }, { DIF_VAR_ARG1, v_arg },
	{ DIF_VAR_ARG2, v_arg }, { DIF_VAR_ARG3, v_arg },
	{ DIF_VAR_ARG4, v_arg }, { DIF_VAR_ARG5, v_arg },
	{ DIF_VAR_ARG6, v_arg }, { DIF_VAR_ARG7, v_arg },
	{ DIF_VAR_ARG8, v_arg }, { DIF_VAR_ARG9, v_arg },
	{ DIF_VAR_STACKDEPTH, ebpf_stackdepth },
	{ DIF_VAR_CALLER, ebpf_caller },
	{ DIF_VAR_PID, v_pid }, { DIF_VAR_TID, v_tid },
	{ DIF_VAR_EXECNAME, NULL, s_execname },
	{ DIF_VAR_ZONENAME, NULL, s_zonename },
	{ DIF_VAR_WALLTIMESTAMP, v_walltime },
	{ DIF_VAR_USTACKDEPTH, ebpf_stackdepth },
	{ DIF_VAR_UCALLER, ebpf_caller },
	{ DIF_VAR_PPID, v_ppid }, { DIF_VAR_UID, v_uid },
	{ DIF_VAR_GID, v_gid }, { DIF_VAR_ERRNO, v_errno },
	{ DIF_VAR_CPU, v_cpu },
	{ DIF_VAR_EXECARGS, v_execargs }, { DIF_VAR_CWD, v_path },
	{ DIF_VAR_ROOT, v_path }, { DIF_VAR_KVARS, v_kvars },
	{ DIF_VAR_JIFFIES, v_jiffies }, { DIF_VAR_LBOLT, v_lbolt },
};

/* r0 <- where the name of the probe stands in dt_names; to `bad` when it does
 * not. */
static void
mapped_name(struct ebpf *g, unsigned part, int bad)
{
	static const struct ebpf_mapdef def = {
		.type = BPF_MAP_TYPE_ARRAY, .key_size = 4,
		.value_size = sizeof(struct abi_names), .max_entries = 1,
		.map_flags = BPF_F_MMAPABLE,
	};

	ebpf_map(g, BPF_REG_1, ebpf_map_sym(g, "dt_names", &def));
	ebpf_lea(g, BPF_REG_2, R_FS, FS_PNO);
	ebpf_helper(g, BPF_FUNC_map_lookup_elem);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, bad);
	ebpf_store(g, 8, R_SLOT, offsetof(struct abi_slot, conv), BPF_REG_0);
	ebpf_load(g, 8, BPF_REG_0, R_SLOT, offsetof(struct abi_slot, conv));
	ebpf_alu_imm(g, BPF_ADD, BPF_REG_0, (int32_t)(part * ABI_NAME_MAX));
}

/* r0 <- the same, of those in the strings. */
static void
fixed_name(struct ebpf *g, unsigned part, int bad)
{
	/* r1 = &names[pno][part]: an offset into the strings */
	ebpf_load(g, 4, BPF_REG_2, R_FS, FS_PNO);
	ebpf_jmp_imm(g, BPF_JGE, BPF_REG_2, (int32_t)g->nprobes, bad);
	ebpf_alu_imm(g, BPF_LSH, BPF_REG_2, 4);
	ebpf_data(g, BPF_REG_1, SEC_STRS, g->names + 4 * part);
	ebpf_alu(g, BPF_ADD, BPF_REG_1, BPF_REG_2);
	ebpf_load(g, 4, BPF_REG_1, BPF_REG_1, 0);
	ebpf_data(g, BPF_REG_0, SEC_STRS, 0);
	ebpf_store(g, 8, R_SLOT, offsetof(struct abi_slot, conv), BPF_REG_0);
	ebpf_load(g, 8, BPF_REG_0, R_SLOT, offsetof(struct abi_slot, conv));
	ebpf_alu(g, BPF_ADD, BPF_REG_0, BPF_REG_1);
}

/* probeprov ...: found through the table of names, an address. */
static void
probe_name(struct ebpf *g, unsigned part, unsigned rd)
{
	g->need_names = true;
	ebpf_slot_used(g);
	int bad = ebpf_label(g), done = ebpf_label(g);
	(g->has_rows ? mapped_name : fixed_name)(g, part, bad);
	ebpf_jmp(g, done);
	ebpf_place(g, bad);
	ebpf_imm(g, BPF_REG_0, 0);
	ebpf_place(g, done);
	ebpf_set(g, rd, BPF_REG_0);
}

void
ebpf_bvar(struct ebpf *g, unsigned id, unsigned rd)
{
	if (id >= DIF_VAR_PROBEPROV && id <= DIF_VAR_PROBENAME) {
		probe_name(g, id - DIF_VAR_PROBEPROV, rd);
		return;
	}
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		if (rows[i].id != id)
			continue;
		if (rows[i].number) {
			rows[i].number(g, id);
			ebpf_set(g, rd, BPF_REG_0);
		} else {
			ebpf_set_fact(g, rd, rows[i].string(g, id));
		}
		return;
	}
	ebpf_fail(g, err_new(ERR_UNSUPPORTED, 0,
		"built-in variable %#x is not known to the kernel engine", id));
}

/* ldga: args[r2] or uregs[r2]. */
void
ebpf_array(struct ebpf *g, uint32_t w)
{
	unsigned id = DIF_INSN_R1(w), r2 = DIF_INSN_R2(w), rd = DIF_INSN_RD(w);
	int out = ebpf_label(g);

	if (id == DIF_VAR_UREGS) {
		ebpf_mov(g, BPF_REG_2, ebpf_get(g, r2, BPF_REG_2));
		ebpf_slot_arg(g);
		ebpf_rt(g, "rt_ureg", 2);
		ebpf_check_rt(g);
		ebpf_set(g, rd, BPF_REG_0);
		return;
	}
	g->use.args |= (1u << ABI_NARGS) - 1;
	ebpf_mov(g, BPF_REG_1, ebpf_get(g, r2, BPF_REG_1));
	ebpf_imm(g, BPF_REG_0, 0);
	ebpf_jmp_imm(g, BPF_JGE, BPF_REG_1, ABI_NARGS, out);
	ebpf_alu_imm(g, BPF_LSH, BPF_REG_1, 3);
	ebpf_mov(g, BPF_REG_2, R_FS);
	ebpf_alu(g, BPF_ADD, BPF_REG_2, BPF_REG_1);
	ebpf_load(g, 8, BPF_REG_0, BPF_REG_2, FS_ARGS);
	ebpf_place(g, out);
	ebpf_set(g, rd, BPF_REG_0);
}
