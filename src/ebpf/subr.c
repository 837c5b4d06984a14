/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The tuple stack and subroutines.  The shape of the tuple stack is known at
 * every instruction, so its entries ("cells") are words at fixed places of
 * the slot; a string whose region is known need not even be stored there.
 *
 * A push records, a use reads: so a cell keeps its limit, a constant where
 * all paths agree, else a word beside the cell.
 */
#include <assert.h>

#include "ebpf/expr_priv.h"
#include "ebpf/other_priv.h"

/* True when nothing jumps to or from what lies between pc and the end of the
 * tuple, after which nobody can ask for the cell. */
static bool
used_at_once(struct ebpf_expr *e)
{
	uint32_t end = e->pc + 1;

	while (end < e->d->ntext &&
	       DIF_INSN_OP(e->d->text[end]) != DIF_OP_FLUSHTS &&
	       DIF_INSN_OP(e->d->text[end]) != DIF_OP_RET)
		if (dif_insn_is_branch(e->d->text[end++]))
			return false;
	for (uint32_t pc = 0; pc < e->pc; pc++) {
		uint32_t w = e->d->text[pc];
		if (dif_insn_is_branch(w) && DIF_INSN_LABEL(w) > e->pc &&
		    DIF_INSN_LABEL(w) <= end)
			return false;
	}
	return true;
}

/* --- Limits --------------------------------------------------------------- */

static int32_t
limit_at(const struct ebpf_body *b, uint32_t i)
{
	return (int32_t)(b->limits + 8 * i);
}

/* Where limits stand that differ from path to path. */
void
ebpf_limits_init(struct ebpf_expr *e)
{
	e->has_limits = false;
	for (uint32_t pc = 0; pc < e->d->ntext; pc++)
		e->has_limits |=
			DIF_INSN_OP(e->d->text[pc]) == DIF_OP_PUSHTR &&
			DIF_INSN_R2(e->d->text[pc]);
	if (e->has_limits && !e->b->limits)
		e->b->limits = ebpf_temp(e->o, DIF_NTUPLE * 8);
}

/* The limit of cell i is what register r2 holds. */
static void
set_limit(struct ebpf_expr *e, uint32_t i, unsigned r2)
{
	struct ebpf_fact f = e->fact[r2];

	e->cell_limit[i] = 0;
	if (!e->has_limits)
		return;
	ebpf_settle(e, r2);
	ebpf_store(e->o, 8, R_SLOT, limit_at(e->b, i),
		   ebpf_get(e, r2, BPF_REG_0));
	if (!r2 || (f.region == REG_CONST && f.val >= e->g->plan->strsize &&
		    f.val >= e->g->lay.varkey))
		return;
	e->cell_limit[i] = f.region == REG_CONST ? (uint32_t)f.val
						 : EBPF_LIMIT_UNKNOWN;
}

/* r2 <- min (limit, size - 1), limit 0 meaning none. */
static void
unknown_limit(struct ebpf_body *b, uint32_t i, uint32_t size)
{
	struct ebpf_out *o = b->o;
	int fits = ebpf_label(o);

	ebpf_load(o, 8, BPF_REG_2, R_SLOT, limit_at(b, i));
	ebpf_alu_imm(o, BPF_SUB, BPF_REG_2, 1);
	ebpf_jmp_imm(o, BPF_JLE, BPF_REG_2, (int32_t)size - 2, fits);
	ebpf_imm(o, BPF_REG_2, size - 2);
	ebpf_place(o, fits);
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_2, 1);
}

/* Copy the string of cell i to the slot at off: size bytes or its limit.
 * null_ok: 0 or COPY_NULL_OK. */
static void
copy_cell(struct ebpf_expr *e, uint32_t i, int32_t off, uint32_t size,
	  unsigned null_ok)
{
	struct ebpf_out *o = e->o;
	struct ebpf_fact f = e->cell[i];
	uint32_t limit = e->cell_limit[i];
	int none = ebpf_label(o);

	unsigned flags = COPY_STR | null_ok | ebpf_part_flags(e->g, size);
	size = plan_string_room(size, e->g->plan->strsize);
	if (limit != EBPF_LIMIT_UNKNOWN || size < 2) {
		if (limit && limit < size)
			size = limit + 1;
		if (f.region <= REG_CONST)
			ebpf_cell(e, i, BPF_REG_0);
		ebpf_copy_to(e, R_SLOT, off, size, &f, DIF_R0, flags);
		return;
	}
	unknown_limit(e->b, i, size);
	ebpf_cell(e, i, BPF_REG_3);
	if (null_ok)
		ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_3, 0, none);
	ebpf_store(o, 8, BPF_REG_10, CF_ADDR, BPF_REG_3);
	ebpf_dst(o, BPF_REG_1, R_SLOT, off);
	ebpf_string_read(o, 0);
	unknown_limit(e->b, i, size);
	ebpf_string_end(o, R_SLOT, off, 0);
	ebpf_place(o, none);
}

/* --- Cells ---------------------------------------------------------------- */

void
ebpf_push(struct ebpf_expr *e, uint32_t w)
{
	unsigned rd = DIF_INSN_RD(w);
	bool str = DIF_INSN_OP(w) == DIF_OP_PUSHTR;
	assert(e->ncells < DIF_NTUPLE);		/* dif_verify() has seen it */
	uint32_t i = e->ncells++;
	const struct ebpf_fact *f = &e->fact[rd];

	e->cell[i] = (struct ebpf_fact){ REG_NONE };
	e->cell_type[i] = DIF_INSN_R1(w);
	set_limit(e, i, str ? DIF_INSN_R2(w) : 0);
	if (str && f->is_str && f->region > REG_CONST && used_at_once(e)) {
		e->cell[i] = *f;
		e->cell[i].has_addr = false;
		return;
	}
	ebpf_settle(e, rd);
	ebpf_store(e->o, 8, R_SLOT, (int32_t)(e->g->lay.cells + 8 * i),
		   ebpf_get(e, rd, BPF_REG_0));
}

void
ebpf_cell(struct ebpf_expr *e, uint32_t i, uint8_t dst)
{
	if (e->cell[i].region > REG_CONST) {
		ebpf_addr(e, &e->cell[i], 0, dst);
		return;
	}
	ebpf_load(e->o, 8, dst, R_SLOT, (int32_t)(e->g->lay.cells + 8 * i));
}

void
ebpf_cell_key(struct ebpf_expr *e, uint32_t i, int32_t off, uint32_t size)
{
	copy_cell(e, i, off, size, 0);
}

/*
 * The runtime reads whole strings, so those with a limit are copied before;
 * and so are those in front of them, lest one behind faults first.  at[i] is
 * where the copy lies, 0 when there is none.
 */
static void
copy_limited(struct ebpf_expr *e, const char *args, uint32_t at[DIF_NTUPLE])
{
	uint32_t n = e->ncells;

	while (n && !e->cell_limit[n - 1])
		n--;
	for (uint32_t i = 0; i < e->ncells; i++) {
		at[i] = 0;
		if (i >= n || e->cell_type[i] != DIF_PUSH_STRING)
			continue;
		at[i] = ebpf_temp(e->o, e->g->plan->strsize);
		copy_cell(e, i, (int32_t)at[i], e->g->plan->strsize,
			  args[i] == 'n' ? COPY_NULL_OK : 0);
	}
}

/* --- Subroutines ---------------------------------------------------------- */

/* rt: the runtime's function; its first argument is the slot.  dflt: what an
 * absent optional argument stands for; where no number does, rt_short is the
 * function without it. */
static const struct {
	uint8_t subr;
	const char *rt;
	uint64_t dflt;
	const char *rt_short;
	bool has_need;			/* a row in need.c */
	bool is_current;		/* about the current thread's process */
} rows[] = {
	{ DIF_SUBR_ALLOCA, "rt_alloca" },
	{ DIF_SUBR_BCOPY, "rt_bcopy" },
	{ DIF_SUBR_COPYINTO, "rt_copyinto",
	  .is_current = true },
	{ DIF_SUBR_COPYOUT, "rt_copyout",
	  .is_current = true },
	{ DIF_SUBR_COPYOUTSTR, "rt_copyoutstr",
	  .is_current = true },
	{ DIF_SUBR_COPYIN, "rt_copyin",
	  .is_current = true },
	{ DIF_SUBR_COPYINSTR, "rt_copyinstr", UINT64_MAX,
	  .is_current = true },
	{ DIF_SUBR_STRLEN, "rt_strlen" },
	{ DIF_SUBR_STRJOIN, "rt_strjoin" },
	{ DIF_SUBR_LLTOSTR, "rt_lltostr", 10 },
	{ DIF_SUBR_NUMBER, "rt_number" },
	{ DIF_SUBR_BASENAME, "rt_basename" },
	{ DIF_SUBR_DIRNAME, "rt_dirname" },
	{ DIF_SUBR_CLEANPATH, "rt_cleanpath" },
	{ DIF_SUBR_STRCHR, "rt_strchr" },
	{ DIF_SUBR_STRRCHR, "rt_strrchr" },
	{ DIF_SUBR_STRSTR, "rt_strstr" },
	{ DIF_SUBR_STRTOK, "rt_strtok" },
	{ DIF_SUBR_SUBSTR, "rt_substr", 0, "rt_substr_rest" },
	{ DIF_SUBR_INDEX, "rt_index", 0 },
	{ DIF_SUBR_RINDEX, "rt_rindex", INT64_MAX },
	{ DIF_SUBR_INET_NTOP, "rt_inet_ntop" },
	{ DIF_SUBR_INET_NTOA, "rt_inet_ntoa" },
	{ DIF_SUBR_INET_NTOA6, "rt_inet_ntoa6" },
	{ DIF_SUBR_TOUPPER, "rt_toupper" },
	{ DIF_SUBR_TOLOWER, "rt_tolower" },
	{ DIF_SUBR_MEMREF, "rt_memref" },
	{ DIF_SUBR_MEMSTR, "rt_memstr" },
	{ DIF_SUBR_JSON, "rt_json" },
	{ DIF_SUBR_STRTOLL, "rt_strtoll", 0, "rt_strtoll_any" },
	{ DIF_SUBR_UUIDSTR, "rt_uuidstr" },
	{ DIF_SUBR_LINK_NTOP, "rt_link_ntop" },
	{ DIF_SUBR_D_PATH, "rt_d_path", .has_need = true },
	{ DIF_SUBR_GETF, "rt_getf", .has_need = true,
	  .is_current = true },
	{ DIF_SUBR_MUTEX_OWNED, "rt_mutex_owned", .has_need = true,
	  .is_current = true },
	{ DIF_SUBR_MUTEX_OWNER, "rt_mutex_owner", .has_need = true },
	{ DIF_SUBR_MUTEX_ADAPTIVE, "rt_mutex_adaptive", .has_need = true },
	{ DIF_SUBR_MUTEX_SPIN, "rt_mutex_spin", .has_need = true },
	{ DIF_SUBR_RW_READ_HELD, "rt_rw_readers", .has_need = true },
	{ DIF_SUBR_RW_WRITE_HELD, "rt_rw_written", .has_need = true },
	{ DIF_SUBR_RW_ISWRITER, "rt_rw_wanted", .has_need = true },
	{ DIF_SUBR_PATH, "rt_path", .has_need = true },
};

static unsigned
max_args(unsigned subr)
{
	const struct dif_subrinfo *info = dif_subr_info(subr);
	unsigned n = 0;

	for (const char *p = info->args; *p; p++)
		n += *p != '|';
	return n;
}

/* r <- the address of the copy of cell i, or 0 when it is none. */
static void
copied(struct ebpf_expr *e, uint32_t i, uint32_t off, bool may_be_none,
       uint8_t r)
{
	struct ebpf_out *o = e->o;
	struct ebpf_fact f = { .region = REG_SLOT, .off = off };
	int none = ebpf_label(o);

	if (may_be_none) {
		ebpf_cell(e, i, r);
		ebpf_jmp_imm(o, BPF_JEQ, r, 0, none);
	}
	ebpf_addr(e, &f, 0, r);
	ebpf_place(o, none);
}

static void
call_rt(struct ebpf_expr *e, unsigned row, unsigned rd)
{
	struct ebpf_out *o = e->o;
	const char *args = dif_subr_info(rows[row].subr)->args;
	bool is_short = rows[row].rt_short &&
			e->ncells < max_args(rows[row].subr);
	unsigned n = is_short ? e->ncells : max_args(rows[row].subr);
	uint32_t copy[DIF_NTUPLE], mark = o->temps;

	if (rows[row].has_need && !ebpf_known(e->g, true, rows[row].subr))
		return;
	if (rows[row].is_current)
		ebpf_current_only(o);
	copy_limited(e, args, copy);
	for (unsigned i = 0; i < n; i++) {
		uint8_t r = (uint8_t)(BPF_REG_2 + i);
		if (i < e->ncells && copy[i]) {
			copied(e, i, copy[i], args[i] == 'n', r);
		} else if (i < e->ncells) {
			ebpf_cell(e, i, r);
		} else {
			ebpf_imm(o, r, rows[row].dflt);
		}
	}
	o->temps = mark;	/* the copies have been read by then */
	ebpf_slot_arg(o);
	ebpf_rt(o, is_short ? rows[row].rt_short : rows[row].rt, n + 1);
	ebpf_check_rt(o);
	ebpf_set(e, rd, BPF_REG_0);
}

static void
progenyof(struct ebpf_expr *e, unsigned unused)
{
	struct ebpf_out *o = e->o;
	const uint32_t *off = e->g->in->kernel.off;

	ebpf_curthread(o);
	ebpf_mov(o, BPF_REG_4, BPF_REG_0);
	ebpf_cell(e, 0, BPF_REG_1);
	ebpf_imm(o, BPF_REG_2, off[ABI_KOFF_TASK_REAL_PARENT]);
	ebpf_imm(o, BPF_REG_3, off[ABI_KOFF_TASK_TGID]);
	ebpf_rt(o, "rt_progenyof", 4);
}

static void
rand32(struct ebpf_expr *e, unsigned unused)
{
	ebpf_helper(e->o, BPF_FUNC_get_prandom_u32);
	ebpf_zext(e->o, BPF_REG_0, 4);
}

static void
rand64(struct ebpf_expr *e, unsigned unused)
{
	struct ebpf_out *o = e->o;

	ebpf_helper(o, BPF_FUNC_get_prandom_u32);
	ebpf_store(o, 4, BPF_REG_10, CF_TMP, BPF_REG_0);
	ebpf_helper(o, BPF_FUNC_get_prandom_u32);
	ebpf_store(o, 4, BPF_REG_10, CF_TMP + 4, BPF_REG_0);
	ebpf_load(o, 8, BPF_REG_0, BPF_REG_10, CF_TMP);
}

static void
network_order(struct ebpf_expr *e, unsigned bits)
{
	ebpf_cell(e, 0, BPF_REG_0);
	ebpf_emit(e->o, BPF_ALU | BPF_END | BPF_TO_BE, BPF_REG_0, 0, 0,
		  (int32_t)bits);
}

/* Bits `from` to 31, or those below when that is 0. */
static void
device_part(struct ebpf_expr *e, unsigned from)
{
	struct ebpf_out *o = e->o;

	ebpf_cell(e, 0, BPF_REG_0);
	if (from) {
		ebpf_zext(o, BPF_REG_0, 4);
		ebpf_alu_imm(o, BPF_RSH, BPF_REG_0, (int32_t)from);
	} else {
		ebpf_alu_imm(o, BPF_AND, BPF_REG_0, 0xfffff);
	}
}

static void
bound(struct ebpf_expr *e, unsigned unused)
{
	ebpf_cell(e, 0, BPF_REG_0);
	ebpf_cell(e, 1, BPF_REG_1);
	ebpf_jmp_reg(e->o, BPF_JGE, BPF_REG_0, BPF_REG_1,
		     ebpf_fault(e->o, ABI_FAULT_BADINDEX, 0));
}

/* What is generated rather than called: the result is in r0. */
static const struct {
	uint8_t subr;
	void (*emit)(struct ebpf_expr *e, unsigned arg);
	unsigned arg;
} inlines[] = {
	{ DIF_SUBR_PROGENYOF, progenyof, 0 },
	{ DIF_SUBR_RAND, rand32, 0 },
	{ DIF_SUBR_RANDOM, rand64, 0 },
	{ DIF_SUBR_SPECULATION, ebpf_speculation, 0 },
	{ DIF_SUBR_GETMAJOR, device_part, 20 },
	{ DIF_SUBR_GETMINOR, device_part, 0 },
	{ DIF_SUBR_BOUND, bound, 0 },
	{ DIF_SUBR_HTONS, network_order, 16 },
	{ DIF_SUBR_HTONL, network_order, 32 },
	{ DIF_SUBR_HTONLL, network_order, 64 },
	{ DIF_SUBR_NTOHS, network_order, 16 },
	{ DIF_SUBR_NTOHL, network_order, 32 },
	{ DIF_SUBR_NTOHLL, network_order, 64 },
};

void
ebpf_subr(struct ebpf_expr *e, uint32_t w)
{
	unsigned subr = DIF_INSN_INDEX(w), rd = DIF_INSN_RD(w);

	if (!ebpf_known(e->g, true, subr))
		return;
	for (unsigned i = 0; i < BASE_NELEMS(inlines); i++)
		if (inlines[i].subr == subr) {
			inlines[i].emit(e, inlines[i].arg);
			ebpf_set(e, rd, BPF_REG_0);
			return;
		}
	for (unsigned i = 0; i < BASE_NELEMS(rows); i++)
		if (rows[i].subr == subr) {
			call_rt(e, i, rd);
			return;
		}
	ebpf_fail(e->g, err_new(ERR_UNSUPPORTED, 0,
		"subroutine %u is not known to the kernel engine", subr));
}
