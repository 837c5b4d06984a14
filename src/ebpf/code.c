/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Emitting BPF instructions: a buffer per code section, labels with fix-ups
 * inside a function, symbols and relocations between them.  The first error
 * sticks (g->err) and makes the rest harmless, so callers need not look.
 */
#include <string.h>

#include "ebpf/ebpf_priv.h"

void
ebpf_fail(struct ebpf *g, struct err *e)
{
	if (g->err)
		err_free(e);
	else
		g->err = e;
}

void
ebpf_limit(struct ebpf *g, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	const char *text = arena_vprintf(g->a, fmt, ap);
	va_end(ap);
	if (!text)
		ebpf_fail(g, &err_nomem);
	else if (abi_place_file(g->place))
		ebpf_fail(g, err_new(ERR_LIMIT, 0, "\"%s\", line %u: %s",
				g->plan->files[abi_place_file(g->place) - 1],
				abi_place_line(g->place), text));
	else if (g->place)
		ebpf_fail(g, err_new(ERR_LIMIT, 0, "line %u: %s", g->place,
				     text));
	else
		ebpf_fail(g, err_new(ERR_LIMIT, 0, "%s", text));
}

uint32_t
ebpf_pc(const struct ebpf *g)
{
	return (uint32_t)g->out->insns.n;
}

void
ebpf_emit(struct ebpf *g, uint8_t code, uint8_t dst, uint8_t src, int16_t off,
	  int32_t imm)
{
	struct bpf_insn i = { .code = code, .dst_reg = dst, .src_reg = src,
			      .off = off, .imm = imm };

	if (!vec_push(&g->out->insns, i))
		ebpf_fail(g, &err_nomem);
}

int
ebpf_label(struct ebpf *g)
{
	if (!vec_push(&g->labels, -1)) {
		ebpf_fail(g, &err_nomem);
		return 0;
	}
	return (int)g->labels.n - 1;
}

void
ebpf_place(struct ebpf *g, int label)
{
	if (!g->err)
		g->labels.v[label] = (int32_t)ebpf_pc(g);
}

static void
fix(struct ebpf *g, int label)
{
	struct ebpf_fix f = { ebpf_pc(g), (uint32_t)label };

	if (!vec_push(&g->fixes, f))
		ebpf_fail(g, &err_nomem);
}

void
ebpf_jmp(struct ebpf *g, int label)
{
	fix(g, label);
	ebpf_emit(g, BPF_JMP | BPF_JA, 0, 0, 0, 0);
}

void
ebpf_jmp_imm(struct ebpf *g, uint8_t op, uint8_t r, int32_t imm, int label)
{
	fix(g, label);
	ebpf_emit(g, BPF_JMP | op | BPF_K, r, 0, 0, imm);
}

void
ebpf_jmp_reg(struct ebpf *g, uint8_t op, uint8_t a, uint8_t b, int label)
{
	fix(g, label);
	ebpf_emit(g, BPF_JMP | op | BPF_X, a, b, 0, 0);
}

void
ebpf_mov(struct ebpf *g, uint8_t dst, uint8_t src)
{
	if (dst != src)
		ebpf_emit(g, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

void
ebpf_imm(struct ebpf *g, uint8_t dst, uint64_t v)
{
	if ((int64_t)v == (int32_t)v) {
		ebpf_emit(g, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0,
			  (int32_t)v);
		return;
	}
	ebpf_emit(g, BPF_LD | BPF_DW | BPF_IMM, dst, 0, 0, (int32_t)v);
	ebpf_emit(g, 0, 0, 0, 0, (int32_t)(v >> 32));
}

void
ebpf_alu(struct ebpf *g, uint8_t op, uint8_t dst, uint8_t src)
{
	ebpf_emit(g, BPF_ALU64 | op | BPF_X, dst, src, 0, 0);
}

void
ebpf_alu_imm(struct ebpf *g, uint8_t op, uint8_t dst, int32_t imm)
{
	ebpf_emit(g, BPF_ALU64 | op | BPF_K, dst, 0, 0, imm);
}

static uint8_t
size_code(unsigned size)
{
	return size == 1 ? BPF_B : size == 2 ? BPF_H : size == 4 ? BPF_W
								 : BPF_DW;
}

/* Offsets of memory instructions have 16 bits: a farther one goes through
 * register tmp. */
static uint8_t
reach(struct ebpf *g, uint8_t base, int32_t *off, uint8_t tmp)
{
	if (*off >= INT16_MIN && *off <= INT16_MAX)
		return base;
	ebpf_lea(g, tmp, base, *off);
	*off = 0;
	return tmp;
}

void
ebpf_load(struct ebpf *g, unsigned size, uint8_t dst, uint8_t base,
	  int32_t off)
{
	base = reach(g, base, &off, dst);
	ebpf_emit(g, BPF_LDX | BPF_MEM | size_code(size), dst, base,
		  (int16_t)off, 0);
}

/* A far store uses r5. */
void
ebpf_store(struct ebpf *g, unsigned size, uint8_t base, int32_t off,
	   uint8_t src)
{
	base = reach(g, base, &off, BPF_REG_5);
	ebpf_emit(g, BPF_STX | BPF_MEM | size_code(size), base, src,
		  (int16_t)off, 0);
}

void
ebpf_store_imm(struct ebpf *g, unsigned size, uint8_t base, int32_t off,
	       int32_t imm)
{
	base = reach(g, base, &off, BPF_REG_5);
	ebpf_emit(g, BPF_ST | BPF_MEM | size_code(size), base, 0,
		  (int16_t)off, imm);
}

void
ebpf_lea(struct ebpf *g, uint8_t dst, uint8_t base, int32_t off)
{
	ebpf_mov(g, dst, base);
	if (off)
		ebpf_alu_imm(g, BPF_ADD, dst, off);
}

void
ebpf_helper(struct ebpf *g, int helper)
{
	ebpf_emit(g, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

void
ebpf_sext(struct ebpf *g, uint8_t r, unsigned size)
{
	if (size >= 8)
		return;
	ebpf_alu_imm(g, BPF_LSH, r, 64 - 8 * (int)size);
	ebpf_alu_imm(g, BPF_ARSH, r, 64 - 8 * (int)size);
}

void
ebpf_zext(struct ebpf *g, uint8_t r, unsigned size)
{
	if (size >= 8)
		return;
	ebpf_alu_imm(g, BPF_LSH, r, 64 - 8 * (int)size);
	ebpf_alu_imm(g, BPF_RSH, r, 64 - 8 * (int)size);
}

/* --- Symbols -------------------------------------------------------------- */

uint32_t
ebpf_sym(struct ebpf *g, const char *name, enum ebpf_symkind kind)
{
	for (size_t i = 0; i < g->syms.n; i++)
		if (!strcmp(g->syms.v[i].name, name))
			return (uint32_t)i;
	struct ebpf_sym s = { .name = name, .kind = kind };
	if (!vec_push(&g->syms, s)) {
		ebpf_fail(g, &err_nomem);
		return 0;
	}
	return (uint32_t)g->syms.n - 1;
}

static void
reloc(struct ebpf *g, uint32_t sym)
{
	struct ebpf_reloc r = { ebpf_pc(g), sym };

	if (!vec_push(&g->out->relocs, r))
		ebpf_fail(g, &err_nomem);
}

void
ebpf_call(struct ebpf *g, uint32_t sym)
{
	reloc(g, sym);
	ebpf_emit(g, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 0);
}

void
ebpf_rt(struct ebpf *g, const char *name, unsigned nargs)
{
	uint32_t sym = ebpf_sym(g, name, SYM_RTFUNC);

	if (g->err)
		return;
	g->syms.v[sym].nargs = (uint8_t)nargs;
	ebpf_call(g, sym);
}

/* dst <- an address that is filled in when the code is loaded, plus off. */
static void
address(struct ebpf *g, uint8_t dst, uint32_t sym, uint8_t what, uint32_t off)
{
	reloc(g, sym);
	ebpf_emit(g, BPF_LD | BPF_DW | BPF_IMM, dst, what, 0, 0);
	ebpf_emit(g, 0, 0, 0, 0, (int32_t)off);
}

void
ebpf_map(struct ebpf *g, uint8_t dst, uint32_t sym)
{
	address(g, dst, sym, BPF_PSEUDO_MAP_FD, 0);
}

void
ebpf_func_addr(struct ebpf *g, uint8_t dst, uint32_t sym)
{
	address(g, dst, sym, BPF_PSEUDO_FUNC, 0);
}

void
ebpf_data(struct ebpf *g, uint8_t dst, enum ebpf_sec sec, uint32_t off)
{
	static const char *const names[SEC_N] = {
		[SEC_VARS] = ".bss.vars", [SEC_AGG] = ".bss.agg",
		[SEC_STRS] = ".rodata.strs", [SEC_TABLE] = ".rodata.tab",
	};
	uint32_t sym = ebpf_sym(g, names[sec], SYM_DATA);

	if (g->err)
		return;
	g->syms.v[sym].sec = (uint8_t)sec;
	address(g, dst, sym, BPF_PSEUDO_MAP_VALUE, off);
}

void
ebpf_ctl(struct ebpf *g, uint8_t dst)
{
	address(g, dst, ebpf_sym(g, ".bss.ctl", SYM_CTL), BPF_PSEUDO_MAP_VALUE,
		0);
}

void
ebpf_blur(struct ebpf *g, uint8_t r)
{
	ebpf_ctl(g, BPF_REG_1);
	ebpf_load(g, 8, BPF_REG_1, BPF_REG_1, offsetof(struct abi_ctl, zero));
	ebpf_alu(g, BPF_ADD, r, BPF_REG_1);
}

uint32_t
ebpf_map_sym(struct ebpf *g, const char *name, const struct ebpf_mapdef *def)
{
	uint32_t sym = ebpf_sym(g, name, SYM_MAP);

	if (!g->err && !g->syms.v[sym].def) {
		g->syms.v[sym].def = arena_memdup(g->a, def, sizeof(*def));
		if (!g->syms.v[sym].def)
			ebpf_fail(g, &err_nomem);
	}
	return sym;
}

void
ebpf_rtmap(struct ebpf *g, uint8_t dst, const char *name)
{
	ebpf_map(g, dst, ebpf_sym(g, name, SYM_RTMAP));
}

void
ebpf_slots(struct ebpf *g, uint8_t dst)
{
	ebpf_rtmap(g, dst, "dt_slots");
}

/* Equal strings share a place, behind the table of names and the zeros. */
uint32_t
ebpf_str(struct ebpf *g, const char *s, size_t size)
{
	size_t at = g->strs.n, from = g->zeros + g->zeros_size;

	if (size == 1)
		return g->zeros;	/* "" */
	if (from < at) {
		const char *p = memmem(g->strs.v + from, at - from, s, size);
		if (p)
			return (uint32_t)(p - g->strs.v);
	}
	if (!vec_reserve(&g->strs, size)) {
		ebpf_fail(g, &err_nomem);
		return 0;
	}
	memcpy(g->strs.v + at, s, size);
	g->strs.n += size;
	return (uint32_t)at;
}

/* --- Functions ------------------------------------------------------------ */

static void
begin(struct ebpf *g, struct ebpf_code *out)
{
	g->out = out;
	g->labels.n = g->fixes.n = g->stubs.n = 0;
}

/* The jumps of what is being written. */
static void
resolve(struct ebpf *g)
{
	for (size_t i = 0; i < g->fixes.n && !g->err; i++) {
		struct ebpf_fix f = g->fixes.v[i];
		int64_t off = (int64_t)g->labels.v[f.label] - f.insn - 1;
		if (off < INT16_MIN || off > INT16_MAX)
			ebpf_limit(g, "one statement compiles to more than "
				   "32,768 instructions: split it in two");
		else
			g->out->insns.v[f.insn].off = (int16_t)off;
	}
}

uint32_t
ebpf_func_begin(struct ebpf *g, enum ebpf_sec sec, const char *name,
		unsigned nargs)
{
	uint32_t sym = ebpf_sym(g, name, SYM_FUNC);

	begin(g, &g->code[sec]);
	if (g->err)
		return 0;
	g->syms.v[sym].sec = (uint8_t)sec;
	g->syms.v[sym].value = ebpf_pc(g);
	g->syms.v[sym].nargs = (uint8_t)nargs;
	return sym;
}

uint32_t
ebpf_prog_begin(struct ebpf *g, enum abi_attach attach, const char *name)
{
	uint32_t sym = ebpf_func_begin(g, SEC_PROG, name, 1);

	if (!g->err)
		g->syms.v[sym].attach = (uint8_t)attach;
	return sym;
}

void
ebpf_func_end(struct ebpf *g, uint32_t sym)
{
	resolve(g);
	if (!g->err)
		g->syms.v[sym].size = ebpf_pc(g) - g->syms.v[sym].value;
}

void
ebpf_return(struct ebpf *g, int32_t v)
{
	ebpf_imm(g, BPF_REG_0, (uint64_t)(int64_t)v);
	ebpf_emit(g, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

void
ebpf_slot_used(struct ebpf *g)
{
	g->use.slot = true;
}

/* --- Chunks --------------------------------------------------------------- */

void
ebpf_use_join(struct ebpf_use *all, const struct ebpf_use *u)
{
	all->args |= u->args;
	all->time |= u->time;
	all->vtime |= u->vtime;
	all->err |= u->err;
	all->slot |= u->slot;
	all->gen |= u->gen;
	all->thread |= u->thread;
	all->rings |= u->rings;
	all->epid |= u->epid;
	all->self |= u->self;
	all->task |= u->task;
	all->fault |= u->fault;
	all->exit |= u->exit;
	all->loop |= u->loop;
}

bool
ebpf_may_exit(const struct ebpf *g, uint32_t index)
{
	for (const struct ebpf_chunk *c = &g->clauses[index]; c; c = c->next)
		if (c->use.exit)
			return true;
	return false;
}

void
ebpf_if_exited(struct ebpf *g, int label)
{
	ebpf_load(g, 1, BPF_REG_0, R_FS, FS_EXITED);
	ebpf_jmp_imm(g, BPF_JNE, BPF_REG_0, 0, label);
}

void
ebpf_chunk_begin(struct ebpf *g, struct ebpf_chunk *c)
{
	begin(g, &g->chunks);
	g->use = (struct ebpf_use){ 0 };
	c->insn = (uint32_t)g->chunks.insns.n;
	c->reloc = (uint32_t)g->chunks.relocs.n;
}

void
ebpf_chunk_end(struct ebpf *g, struct ebpf_chunk *c)
{
	resolve(g);
	c->use = g->use;
	c->ninsns = (uint32_t)g->chunks.insns.n - c->insn;
	c->nrelocs = (uint32_t)g->chunks.relocs.n - c->reloc;
	ebpf_use_join(&g->all, &g->use);
}

void
ebpf_paste(struct ebpf *g, const struct ebpf_chunk *c)
{
	uint32_t at = ebpf_pc(g);

	if (g->err)
		return;
	if (!vec_reserve(&g->out->insns, c->ninsns) ||
	    !vec_reserve(&g->out->relocs, c->nrelocs)) {
		ebpf_fail(g, &err_nomem);
		return;
	}
	memcpy(g->out->insns.v + at, g->chunks.insns.v + c->insn,
	       c->ninsns * sizeof(struct bpf_insn));
	g->out->insns.n += c->ninsns;
	for (uint32_t i = 0; i < c->nrelocs; i++) {
		struct ebpf_reloc r = g->chunks.relocs.v[c->reloc + i];
		r.insn += at - c->insn;
		g->out->relocs.v[g->out->relocs.n++] = r;
	}
}
