/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The built-in variables: one row and one small function each.  A function
 * leaves the value in r0, or sets a fact for a string.
 */
#include <string.h>

#include "abi/ctl.h"
#include "abi/kvar.h"
#include "abi/row.h"
#include "abi/slot.h"
#include "ebpf/other_priv.h"
#include "ebpf/stack_priv.h"

/* A value of the firing, as if it came from anywhere: else the verifier learns
 * from each comparison what stands in the frame, and follows every way through
 * a clause that compares often.  After arithmetic, even none, it no longer
 * knows where the value came from. */
static void
fs(struct ebpf_out *o, unsigned size, int off)
{
	ebpf_load(o, size, BPF_REG_0, R_FS, off);
	ebpf_alu_imm(o, BPF_OR, BPF_REG_0, 0);
}

static void
v_zero(struct ebpf_out *o)
{
	ebpf_imm(o, BPF_REG_0, 0);
}

void
ebpf_time(struct ebpf_out *o)
{
	int have = ebpf_label(o);

	o->use.time = true;
	fs(o, 8, FS_TIME);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0, have);
	ebpf_helper(o, BPF_FUNC_ktime_get_ns);
	ebpf_store(o, 8, R_FS, FS_TIME, BPF_REG_0);
	ebpf_place(o, have);
}

static void
v_vtimestamp(struct ebpf_out *o)
{
	o->use.time = o->use.vtime = true;
	fs(o, 8, FS_VTIME);
}

/* It goes on within a clause, unlike timestamp. */
static void
v_walltime(struct ebpf_out *o)
{
	ebpf_helper(o, BPF_FUNC_ktime_get_ns);
	ebpf_ctl(o, BPF_REG_1);
	ebpf_load(o, 8, BPF_REG_1, BPF_REG_1,
		  offsetof(struct abi_ctl, wall_delta));
	ebpf_alu(o, BPF_ADD, BPF_REG_0, BPF_REG_1);
}

static void
v_epid(struct ebpf_out *o)
{
	o->use.epid = true;
	fs(o, 4, FS_EPID);
}

static void
v_id(struct ebpf_out *o)
{
	fs(o, 4, FS_PROBE);
}

static void
v_arg(struct ebpf_out *o, unsigned id)
{
	unsigned n = id - DIF_VAR_ARG0;

	o->use.args |= 1u << n;
	fs(o, 8, FS_ARGS + 8 * (int)n);
}

/* size bytes at r3 + off of kernel memory; 0 when they cannot be read. */
static void
peek(struct ebpf_out *o, uint32_t off, unsigned size)
{
	int bad = ebpf_label(o);

	ebpf_alu_imm(o, BPF_ADD, BPF_REG_3, (int32_t)off);
	ebpf_store_imm(o, 8, BPF_REG_10, CF_TMP, 0);
	ebpf_lea(o, BPF_REG_1, BPF_REG_10, CF_TMP);
	ebpf_imm(o, BPF_REG_2, size);
	ebpf_helper(o, BPF_FUNC_probe_read_kernel);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0, bad);
	ebpf_place(o, bad);
	ebpf_load(o, 8, BPF_REG_0, BPF_REG_10, CF_TMP);
}

static void
v_uid(struct ebpf_out *o, unsigned id)
{
	const uint32_t *off = o->g->in->kernel.off;
	bool group = id == DIF_VAR_GID;

	if (o->other) {
		ebpf_task(o, BPF_REG_3);
		peek(o, off[ABI_KOFF_TASK_CRED], 8);
		ebpf_mov(o, BPF_REG_3, BPF_REG_0);
		peek(o, off[group ? ABI_KOFF_CRED_GID : ABI_KOFF_CRED_UID], 4);
		return;
	}
	ebpf_helper(o, BPF_FUNC_get_current_uid_gid);
	if (group)
		ebpf_alu_imm(o, BPF_RSH, BPF_REG_0, 32);
	else
		ebpf_zext(o, BPF_REG_0, 4);
}

static void
v_ppid(struct ebpf_out *o, unsigned id)
{
	const uint32_t *off = o->g->in->kernel.off;

	if (!ebpf_known(o->g, false, id))
		return;
	ebpf_curthread(o);
	ebpf_mov(o, BPF_REG_3, BPF_REG_0);
	peek(o, off[ABI_KOFF_TASK_REAL_PARENT], 8);
	ebpf_mov(o, BPF_REG_3, BPF_REG_0);
	peek(o, off[ABI_KOFF_TASK_TGID], 4);
}

static void
v_errno(struct ebpf_out *o)
{
	o->use.err = true;
	fs(o, 4, FS_ERRNO);
}

static void
v_cpu(struct ebpf_out *o)
{
	fs(o, 4, FS_CPU);
}

/* Made by the runtime in scratch: an address. */
static void
v_execargs(struct ebpf_out *o, unsigned id)
{
	int current = ebpf_label(o), done = ebpf_label(o);

	if (!ebpf_known(o->g, false, id))
		return;
	if (o->other) {		/* its name: an address, too */
		ebpf_unless_other(o, current);
		ebpf_curthread(o);
		ebpf_alu_imm(o, BPF_ADD, BPF_REG_0,
			(int32_t)o->g->in->kernel.off[ABI_KOFF_TASK_COMM]);
		ebpf_jmp(o, done);
		ebpf_place(o, current);
	}
	ebpf_slot_arg(o);
	ebpf_rt(o, "rt_execargs", 1);
	ebpf_check_rt(o);
	ebpf_place(o, done);
}

static void
v_path(struct ebpf_out *o, unsigned id)
{
	if (!ebpf_known(o->g, false, id))
		return;
	ebpf_current_only(o);
	ebpf_slot_arg(o);
	ebpf_imm(o, BPF_REG_2, o->g->in->kernel.off[id == DIF_VAR_CWD
			? ABI_KOFF_FS_PWD : ABI_KOFF_FS_ROOT]);
	ebpf_rt(o, "rt_fs_path", 2);
	ebpf_check_rt(o);
}

static void
v_kvars(struct ebpf_out *o)
{
	o->g->uses_kvars = true;
	ebpf_ctl(o, BPF_REG_0);
	ebpf_to_number(o, BPF_REG_0);
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_0,
		     (int32_t)offsetof(struct abi_ctl, kvars));
}

static void
v_jiffies(struct ebpf_out *o)
{
	ebpf_helper(o, BPF_FUNC_jiffies64);
}

static void
v_lbolt(struct ebpf_out *o)
{
	ebpf_time(o);
	ebpf_alu_imm(o, BPF_DIV, BPF_REG_0, 1000000000 / ABI_HZ);
}

/* --- Strings -------------------------------------------------------------- */

/* r4 <- the bits of the first zero byte's top in r; 0: no byte is zero.
 * r <- without what stands behind that byte. */
static void
cut_at_nul(struct ebpf_out *o, uint8_t r)
{
	ebpf_imm(o, BPF_REG_3, 0x0101010101010101);
	ebpf_mov(o, BPF_REG_4, r);
	ebpf_alu(o, BPF_SUB, BPF_REG_4, BPF_REG_3);
	ebpf_mov(o, BPF_REG_5, r);
	ebpf_alu_imm(o, BPF_XOR, BPF_REG_5, -1);
	ebpf_alu(o, BPF_AND, BPF_REG_4, BPF_REG_5);
	ebpf_alu_imm(o, BPF_LSH, BPF_REG_3, 7);
	ebpf_alu(o, BPF_AND, BPF_REG_4, BPF_REG_3);
	ebpf_mov(o, BPF_REG_5, BPF_REG_4);
	ebpf_emit(o, BPF_ALU64 | BPF_NEG, BPF_REG_5, 0, 0, 0);
	ebpf_alu(o, BPF_AND, BPF_REG_5, BPF_REG_4);
	ebpf_alu_imm(o, BPF_RSH, BPF_REG_5, 7);
	ebpf_alu_imm(o, BPF_SUB, BPF_REG_5, 1);
	ebpf_alu(o, BPF_AND, r, BPF_REG_5);
}

void
ebpf_task(struct ebpf_out *o, uint8_t dst)
{
	o->use.task = true;
	ebpf_load(o, 8, dst, BPF_REG_10, CF_TASK);
}

/* A clause that asks more often gets shorter code instead of faster code. */
enum { COMMS_INLINE = 16 };

/* The helper takes four times as long as reading the task's name ourselves,
 * which may have old bytes behind its NUL.  Linux 6.1's helper in turn leaves what
 * was there before behind the NUL that it writes; all 16 bytes may become part of
 * a key, so they are cleared. */
void
ebpf_comm(struct ebpf_out *o, uint8_t base, int32_t off)
{
	uint32_t at = o->g->in->kernel.off[ABI_KOFF_TASK_COMM];
	int longer = ebpf_label(o), ready = ebpf_label(o);

	if (o->other && (o->ncomms >= COMMS_INLINE ||
			 ebpf_step(base, off, 16, 8) < 8)) {
		ebpf_other_comm(o, base, off);
		return;
	}
	if (at == UINT32_MAX || ebpf_step(base, off, 16, 8) < 8 ||
	    o->ncomms++ >= COMMS_INLINE) {
		ebpf_zero(o, base, off, 16);
		ebpf_dst(o, BPF_REG_1, base, off);
		ebpf_imm(o, BPF_REG_2, 16);
		ebpf_helper(o, BPF_FUNC_get_current_comm);
		return;
	}
	if (o->code == &o->g->chunks)
		ebpf_task(o, BPF_REG_0);
	else	/* not in a clause */
		ebpf_helper(o, BPF_FUNC_get_current_task_btf);
	ebpf_load(o, 8, BPF_REG_1, BPF_REG_0, (int32_t)at);
	ebpf_load(o, 8, BPF_REG_2, BPF_REG_0, (int32_t)at + 8);
	cut_at_nul(o, BPF_REG_1);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_4, 0, longer);
	ebpf_imm(o, BPF_REG_2, 0);
	ebpf_jmp(o, ready);
	ebpf_place(o, longer);
	cut_at_nul(o, BPF_REG_2);
	ebpf_place(o, ready);
	ebpf_dst(o, BPF_REG_0, base, off);
	ebpf_store(o, 8, BPF_REG_0, 0, BPF_REG_1);
	ebpf_store(o, 8, BPF_REG_0, 8, BPF_REG_2);
}

static struct ebpf_fact
s_execname(struct ebpf_out *o)
{
	ebpf_comm(o, BPF_REG_10, CF_COMM);
	return (struct ebpf_fact){ .region = REG_COMM, .size = 16,
				   .is_str = true };
}

static struct ebpf_fact
s_zonename(struct ebpf_out *o)
{
	static const char global[] = "global";

	return (struct ebpf_fact){
		.region = REG_LIT, .off = ebpf_str(o->g, global, sizeof(global)),
		.size = sizeof(global), .is_str = true, .text = global };
}

static const struct {
	uint16_t id;
	void (*number)(struct ebpf_out *o);
	void (*which)(struct ebpf_out *o, unsigned id);	/* of several */
	struct ebpf_fact (*string)(struct ebpf_out *o);
} rows[] = {
	{ DIF_VAR_CURTHREAD, ebpf_curthread }, { DIF_VAR_TIMESTAMP, ebpf_time },
	{ DIF_VAR_VTIMESTAMP, v_vtimestamp }, { DIF_VAR_IPL, v_zero },
	{ DIF_VAR_EPID, v_epid }, { DIF_VAR_ID, v_id },
	{ DIF_VAR_ARG0, .which = v_arg }, { DIF_VAR_ARG1, .which = v_arg },
	{ DIF_VAR_ARG2, .which = v_arg }, { DIF_VAR_ARG3, .which = v_arg },
	{ DIF_VAR_ARG4, .which = v_arg }, { DIF_VAR_ARG5, .which = v_arg },
	{ DIF_VAR_ARG6, .which = v_arg }, { DIF_VAR_ARG7, .which = v_arg },
	{ DIF_VAR_ARG8, .which = v_arg }, { DIF_VAR_ARG9, .which = v_arg },
	{ DIF_VAR_STACKDEPTH, .which = ebpf_stackdepth },
	{ DIF_VAR_CALLER, .which = ebpf_caller },
	{ DIF_VAR_PID, ebpf_pid }, { DIF_VAR_TID, ebpf_tid },
	{ DIF_VAR_EXECNAME, .string = s_execname },
	{ DIF_VAR_ZONENAME, .string = s_zonename },
	{ DIF_VAR_WALLTIMESTAMP, v_walltime },
	{ DIF_VAR_USTACKDEPTH, .which = ebpf_stackdepth },
	{ DIF_VAR_UCALLER, .which = ebpf_caller },
	{ DIF_VAR_PPID, .which = v_ppid }, { DIF_VAR_UID, .which = v_uid },
	{ DIF_VAR_GID, .which = v_uid }, { DIF_VAR_ERRNO, v_errno },
	{ DIF_VAR_CPU, v_cpu }, { DIF_VAR_EXECARGS, .which = v_execargs },
	{ DIF_VAR_CWD, .which = v_path }, { DIF_VAR_ROOT, .which = v_path },
	{ DIF_VAR_KVARS, v_kvars }, { DIF_VAR_JIFFIES, v_jiffies },
	{ DIF_VAR_LBOLT, v_lbolt },
};

/* r0, a name: itself, or when r1 is not 0 one with the process's number behind it.  It
 * is also in conv. */
static void
number_name(struct ebpf_out *o)
{
	int plain = ebpf_label(o);

	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_1, 0, plain);
	ebpf_pid(o);
	ebpf_mov(o, BPF_REG_2, BPF_REG_0);
	ebpf_imm(o, BPF_REG_3, 10);
	ebpf_slot_arg(o);
	ebpf_rt(o, "rt_lltostr", 3);
	ebpf_check_rt(o);
	ebpf_mov(o, BPF_REG_3, BPF_REG_0);
	ebpf_load(o, 8, BPF_REG_2, R_SLOT, offsetof(struct abi_slot, conv));
	ebpf_slot_arg(o);
	ebpf_rt(o, "rt_strjoin", 3);
	ebpf_check_rt(o);
	ebpf_place(o, plain);
}

/* r0 <- where the name of the probe stands in dt_names; to `bad` when it does
 * not. */
static void
mapped_name(struct ebpf_out *o, unsigned part, int bad)
{
	static const struct ebpf_mapdef def = {
		.type = BPF_MAP_TYPE_ARRAY, .key_size = 4,
		.value_size = sizeof(struct abi_names), .max_entries = 1,
		.map_flags = BPF_F_MMAPABLE,
	};

	ebpf_map(o, BPF_REG_1, ebpf_map_sym(o->g, "dt_names", &def));
	ebpf_lea(o, BPF_REG_2, R_FS, FS_PNO);
	ebpf_helper(o, BPF_FUNC_map_lookup_elem);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, bad);
	ebpf_load(o, 4, BPF_REG_1, BPF_REG_0,
		  offsetof(struct abi_names, is_numbered));
	ebpf_store(o, 8, R_SLOT, offsetof(struct abi_slot, conv), BPF_REG_0);
	ebpf_load(o, 8, BPF_REG_0, R_SLOT, offsetof(struct abi_slot, conv));
	if (part == ABI_PART_PROV)
		number_name(o);
	else
		ebpf_alu_imm(o, BPF_ADD, BPF_REG_0,
			     (int32_t)(part * ABI_NAME_MAX));
}

/* r0 <- the same, of those in the strings. */
static void
fixed_name(struct ebpf_out *o, unsigned part, int bad)
{
	/* r1 = &names[pno][part]: an offset into the strings */
	ebpf_load(o, 4, BPF_REG_2, R_FS, FS_PNO);
	ebpf_jmp_imm(o, BPF_JGE, BPF_REG_2, (int32_t)o->g->nprobes, bad);
	ebpf_alu_imm(o, BPF_LSH, BPF_REG_2, 4);
	ebpf_data(o, BPF_REG_1, SEC_STRS, o->g->names + 4 * part);
	ebpf_alu(o, BPF_ADD, BPF_REG_1, BPF_REG_2);
	ebpf_load(o, 4, BPF_REG_1, BPF_REG_1, 0);
	ebpf_data(o, BPF_REG_0, SEC_STRS, 0);
	ebpf_store(o, 8, R_SLOT, offsetof(struct abi_slot, conv), BPF_REG_0);
	ebpf_load(o, 8, BPF_REG_0, R_SLOT, offsetof(struct abi_slot, conv));
	ebpf_alu(o, BPF_ADD, BPF_REG_0, BPF_REG_1);
}

/* probeprov ...: found through the table of names, an address. */
static void
probe_name(struct ebpf_expr *e, unsigned part, unsigned rd)
{
	struct ebpf_out *o = e->o;

	e->g->need_names = true;
	int bad = ebpf_label(o), done = ebpf_label(o);
	(e->g->has_rows ? mapped_name : fixed_name)(o, part, bad);
	ebpf_jmp(o, done);
	ebpf_place(o, bad);
	ebpf_imm(o, BPF_REG_0, 0);
	ebpf_place(o, done);
	ebpf_set(e, rd, BPF_REG_0);
}

void
ebpf_bvar(struct ebpf_expr *e, unsigned id, unsigned rd)
{
	if (id >= DIF_VAR_PROBEPROV && id <= DIF_VAR_PROBENAME) {
		probe_name(e, id - DIF_VAR_PROBEPROV, rd);
		return;
	}
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		if (rows[i].id != id)
			continue;
		if (rows[i].number) {
			rows[i].number(e->o);
			ebpf_set(e, rd, BPF_REG_0);
		} else if (rows[i].which) {
			rows[i].which(e->o, id);
			ebpf_set(e, rd, BPF_REG_0);
		} else {
			ebpf_set_fact(e, rd, rows[i].string(e->o));
		}
		return;
	}
	ebpf_fail(e->g, err_new(ERR_UNSUPPORTED, 0,
		"built-in variable %#x is not known to the kernel engine", id));
}

/* ldga: args[r2] or uregs[r2]. */
void
ebpf_array(struct ebpf_expr *e, uint32_t w)
{
	struct ebpf_out *o = e->o;
	unsigned id = DIF_INSN_R1(w), r2 = DIF_INSN_R2(w), rd = DIF_INSN_RD(w);
	int out = ebpf_label(o);

	if (id == DIF_VAR_UREGS) {
		ebpf_mov(o, BPF_REG_2, ebpf_get(e, r2, BPF_REG_2));
		if (o->other) {
			ebpf_other_ureg(o);
		} else {
			ebpf_slot_arg(o);
			ebpf_moved(o, BPF_REG_3);
			ebpf_rt(o, "rt_ureg", 3);
			ebpf_check_rt(o);
		}
		ebpf_set(e, rd, BPF_REG_0);
		return;
	}
	o->use.args |= (1u << ABI_NARGS) - 1;
	ebpf_mov(o, BPF_REG_1, ebpf_get(e, r2, BPF_REG_1));
	ebpf_imm(o, BPF_REG_0, 0);
	ebpf_jmp_imm(o, BPF_JGE, BPF_REG_1, ABI_NARGS, out);
	ebpf_alu_imm(o, BPF_LSH, BPF_REG_1, 3);
	ebpf_mov(o, BPF_REG_2, R_FS);
	ebpf_alu(o, BPF_ADD, BPF_REG_2, BPF_REG_1);
	ebpf_load(o, 8, BPF_REG_0, BPF_REG_2, FS_ARGS);
	ebpf_place(o, out);
	ebpf_set(e, rd, BPF_REG_0);
}
