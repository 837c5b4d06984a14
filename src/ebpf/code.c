/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Emitting BPF instructions: a buffer per code section, labels with fix-ups
 * inside a function, symbols and relocations between them.  The first error
 * sticks (g->err) and makes the rest harmless, so callers need not look.
 *
 * 1. A label is placed once, and each that a jump goes to is placed before its
 *    function or chunk ends.
 * 2. Memory is read and written in pieces of 1, 2, 4 or 8 bytes.
 * 3. Nothing but memory is written through r10, the frame.
 * 4. A name is of one symbol, whose kind does not change, nor how many arguments
 *    it takes; these are in registers, five at most.
 * 5. A function is written once.
 * 6. What a chunk has of the instructions of all chunks stays its own: so have its
 *    relocations.
 */
#include <assert.h>
#include <string.h>

#include "abi/ctl.h"
#include "ebpf/ebpf_priv.h"

void
ebpf_fail(struct ebpf *g, struct err *e)
{
	if (g->err)
		err_free(e);
	else
		g->err = e;
}

void *
ebpf_alloc(struct ebpf *g, size_t n, size_t size)
{
	void *p = arena_alloc(g->a, n * size);

	if (!p)
		ebpf_fail(g, &err_nomem);
	return p;
}

const char *
ebpf_name(struct ebpf *g, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	const char *name = arena_vprintf(g->a, fmt, ap);
	va_end(ap);
	if (!name)
		ebpf_fail(g, &err_nomem);
	return name ? name : "";
}

void
ebpf_limit(struct ebpf *g, uint32_t place, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	const char *text = arena_vprintf(g->a, fmt, ap);
	va_end(ap);
	if (!text)
		ebpf_fail(g, &err_nomem);
	else if (abi_place_file(place))
		ebpf_fail(g, err_new(ERR_LIMIT, 0, "\"%s\", line %u: %s",
				g->plan->files[abi_place_file(place) - 1],
				abi_place_line(place), text));
	else if (place)
		ebpf_fail(g, err_new(ERR_LIMIT, 0, "line %u: %s", place, text));
	else
		ebpf_fail(g, err_new(ERR_LIMIT, 0, "%s", text));
}

uint32_t
ebpf_pc(const struct ebpf_out *o)
{
	return (uint32_t)o->code->insns.n;
}

void
ebpf_emit(struct ebpf_out *o, uint8_t code, uint8_t dst, uint8_t src,
	  int16_t off, int32_t imm)
{
	struct bpf_insn i = { .code = code, .dst_reg = dst, .src_reg = src,
			      .off = off, .imm = imm };

	assert(dst <= BPF_REG_10 && src <= BPF_REG_10);
	assert(dst != BPF_REG_10 || BPF_CLASS(code) == BPF_ST ||
	       BPF_CLASS(code) == BPF_STX);			/* 3 */
	o->use.slot |= dst == R_SLOT || src == R_SLOT;
	EBPF_PUSH(o->g, &o->code->insns, i);
}

int
ebpf_label(struct ebpf_out *o)
{
	return EBPF_PUSH(o->g, &o->labels, -1) ? (int)o->labels.n - 1 : 0;
}

void
ebpf_place(struct ebpf_out *o, int label)
{
	if (o->g->err)
		return;
	assert(label >= 0 && (size_t)label < o->labels.n &&
	       o->labels.v[label] < 0);			/* 1 */
	o->labels.v[label] = (int32_t)ebpf_pc(o);
}

static void
fix(struct ebpf_out *o, int label)
{
	struct ebpf_fix f = { ebpf_pc(o), (uint32_t)label };

	assert(o->g->err || (label >= 0 && (size_t)label < o->labels.n));
	EBPF_PUSH(o->g, &o->fixes, f);
}

void
ebpf_jmp(struct ebpf_out *o, int label)
{
	fix(o, label);
	ebpf_emit(o, BPF_JMP | BPF_JA, 0, 0, 0, 0);
}

void
ebpf_jmp_imm(struct ebpf_out *o, uint8_t op, uint8_t r, int32_t imm, int label)
{
	fix(o, label);
	ebpf_emit(o, BPF_JMP | op | BPF_K, r, 0, 0, imm);
}

void
ebpf_jmp_reg(struct ebpf_out *o, uint8_t op, uint8_t a, uint8_t b, int label)
{
	fix(o, label);
	ebpf_emit(o, BPF_JMP | op | BPF_X, a, b, 0, 0);
}

void
ebpf_mov(struct ebpf_out *o, uint8_t dst, uint8_t src)
{
	if (dst != src)
		ebpf_emit(o, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

void
ebpf_imm(struct ebpf_out *o, uint8_t dst, uint64_t v)
{
	if ((int64_t)v == (int32_t)v) {
		ebpf_emit(o, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0,
			  (int32_t)v);
		return;
	}
	ebpf_emit(o, BPF_LD | BPF_DW | BPF_IMM, dst, 0, 0, (int32_t)v);
	ebpf_emit(o, 0, 0, 0, 0, (int32_t)(v >> 32));
}

void
ebpf_alu(struct ebpf_out *o, uint8_t op, uint8_t dst, uint8_t src)
{
	ebpf_emit(o, BPF_ALU64 | op | BPF_X, dst, src, 0, 0);
}

void
ebpf_alu_imm(struct ebpf_out *o, uint8_t op, uint8_t dst, int32_t imm)
{
	ebpf_emit(o, BPF_ALU64 | op | BPF_K, dst, 0, 0, imm);
}

static uint8_t
size_code(unsigned size)
{
	assert(size == 1 || size == 2 || size == 4 || size == 8);	/* 2 */
	return size == 1 ? BPF_B : size == 2 ? BPF_H : size == 4 ? BPF_W
								 : BPF_DW;
}

/* Offsets of memory instructions have 16 bits: a farther one goes through
 * register tmp. */
static uint8_t
reach(struct ebpf_out *o, uint8_t base, int32_t *off, uint8_t tmp)
{
	if (*off >= INT16_MIN && *off <= INT16_MAX)
		return base;
	ebpf_lea(o, tmp, base, *off);
	*off = 0;
	return tmp;
}

void
ebpf_load(struct ebpf_out *o, unsigned size, uint8_t dst, uint8_t base,
	  int32_t off)
{
	base = reach(o, base, &off, dst);
	ebpf_emit(o, BPF_LDX | BPF_MEM | size_code(size), dst, base,
		  (int16_t)off, 0);
}

/* A far store uses r5. */
void
ebpf_store(struct ebpf_out *o, unsigned size, uint8_t base, int32_t off,
	   uint8_t src)
{
	base = reach(o, base, &off, BPF_REG_5);
	ebpf_emit(o, BPF_STX | BPF_MEM | size_code(size), base, src,
		  (int16_t)off, 0);
}

void
ebpf_store_imm(struct ebpf_out *o, unsigned size, uint8_t base, int32_t off,
	       int32_t imm)
{
	base = reach(o, base, &off, BPF_REG_5);
	ebpf_emit(o, BPF_ST | BPF_MEM | size_code(size), base, 0,
		  (int16_t)off, imm);
}

void
ebpf_lea(struct ebpf_out *o, uint8_t dst, uint8_t base, int32_t off)
{
	ebpf_mov(o, dst, base);
	if (off)
		ebpf_alu_imm(o, BPF_ADD, dst, off);
}

void
ebpf_helper(struct ebpf_out *o, int helper)
{
	ebpf_emit(o, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

void
ebpf_sext(struct ebpf_out *o, uint8_t r, unsigned size)
{
	assert(size);
	if (size >= 8)
		return;
	ebpf_alu_imm(o, BPF_LSH, r, 64 - 8 * (int)size);
	ebpf_alu_imm(o, BPF_ARSH, r, 64 - 8 * (int)size);
}

void
ebpf_zext(struct ebpf_out *o, uint8_t r, unsigned size)
{
	assert(size);
	if (size >= 8)
		return;
	if (size == 4) {
		ebpf_emit(o, BPF_ALU | BPF_MOV | BPF_X, r, r, 0, 0);
		return;
	}
	ebpf_alu_imm(o, BPF_LSH, r, 64 - 8 * (int)size);
	ebpf_alu_imm(o, BPF_RSH, r, 64 - 8 * (int)size);
}

/* --- Symbols -------------------------------------------------------------- */

uint32_t
ebpf_sym(struct ebpf *g, const char *name, enum ebpf_symkind kind)
{
	for (size_t i = 0; i < g->syms.n; i++)
		if (!strcmp(g->syms.v[i].name, name)) {
			assert(g->err || g->syms.v[i].kind == kind ||
			       (g->syms.v[i].kind == SYM_GFUNC &&
				kind == SYM_FUNC));			/* 4 */
			return (uint32_t)i;
		}
	struct ebpf_sym s = { .name = name, .kind = kind };
	return EBPF_PUSH(g, &g->syms, s) ? (uint32_t)g->syms.n - 1 : 0;
}

static void
reloc(struct ebpf_out *o, uint32_t sym)
{
	struct ebpf_reloc r = { ebpf_pc(o), sym };

	EBPF_PUSH(o->g, &o->code->relocs, r);
}

void
ebpf_call(struct ebpf_out *o, uint32_t sym)
{
	reloc(o, sym);
	ebpf_emit(o, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 0);
}

void
ebpf_rt(struct ebpf_out *o, const char *name, unsigned nargs)
{
	uint32_t sym = ebpf_sym(o->g, name, SYM_RTFUNC);

	if (o->g->err)
		return;
	struct ebpf_sym *s = &o->g->syms.v[sym];
	assert(nargs <= 5 && (!s->nargs || s->nargs == nargs));		/* 4 */
	s->nargs = (uint8_t)nargs;
	ebpf_call(o, sym);
}

/* dst <- an address that is filled in when the code is loaded, plus off. */
static void
address(struct ebpf_out *o, uint8_t dst, uint32_t sym, uint8_t what,
	uint32_t off)
{
	reloc(o, sym);
	ebpf_emit(o, BPF_LD | BPF_DW | BPF_IMM, dst, what, 0, 0);
	ebpf_emit(o, 0, 0, 0, 0, (int32_t)off);
}

void
ebpf_map(struct ebpf_out *o, uint8_t dst, uint32_t sym)
{
	address(o, dst, sym, BPF_PSEUDO_MAP_FD, 0);
}

void
ebpf_func_addr(struct ebpf_out *o, uint8_t dst, uint32_t sym)
{
	address(o, dst, sym, BPF_PSEUDO_FUNC, 0);
}

void
ebpf_data(struct ebpf_out *o, uint8_t dst, enum ebpf_sec sec, uint32_t off)
{
	static const char *const names[SEC_N] = {
		[SEC_VARS] = ".bss.vars", [SEC_AGG] = ".bss.agg",
		[SEC_STRS] = ".rodata.strs", [SEC_TABLE] = ".rodata.tab",
	};
	assert(sec < SEC_N && names[sec]);
	uint32_t sym = ebpf_sym(o->g, names[sec], SYM_DATA);

	if (o->g->err)
		return;
	o->g->syms.v[sym].sec = (uint8_t)sec;
	address(o, dst, sym, BPF_PSEUDO_MAP_VALUE, off);
}

void
ebpf_ctl(struct ebpf_out *o, uint8_t dst)
{
	address(o, dst, ebpf_sym(o->g, ".bss.ctl", SYM_CTL),
		BPF_PSEUDO_MAP_VALUE, 0);
}

void
ebpf_blur(struct ebpf_out *o, uint8_t r)
{
	ebpf_ctl(o, BPF_REG_1);
	ebpf_load(o, 8, BPF_REG_1, BPF_REG_1, offsetof(struct abi_ctl, zero));
	ebpf_alu(o, BPF_ADD, r, BPF_REG_1);
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
ebpf_rtmap(struct ebpf_out *o, uint8_t dst, const char *name)
{
	ebpf_map(o, dst, ebpf_sym(o->g, name, SYM_RTMAP));
}

void
ebpf_slots(struct ebpf_out *o, uint8_t dst)
{
	ebpf_rtmap(o, dst, "dt_slots");
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
	assert(g->strs.n + size <= INT32_MAX);	/* an offset of an address */
	memcpy(g->strs.v + at, s, size);
	g->strs.n += size;
	return (uint32_t)at;
}

/* --- Functions ------------------------------------------------------------ */

void
ebpf_out_init(struct ebpf_out *o, struct ebpf *g)
{
	*o = (struct ebpf_out){ .g = g, .at = { .dif_off = UINT32_MAX } };
}

void
ebpf_out_fini(struct ebpf_out *o)
{
	vec_fini(&o->labels);
	vec_fini(&o->fixes);
	vec_fini(&o->stubs);
	vec_fini(&o->zeros);
}

/* The jumps of what is being written. */
static void
resolve(struct ebpf_out *o)
{
	for (size_t i = 0; i < o->fixes.n && !o->g->err; i++) {
		struct ebpf_fix f = o->fixes.v[i];
		assert(o->labels.v[f.label] >= 0);	/* 1 */
		assert(f.insn < o->code->insns.n &&
		       BPF_CLASS(o->code->insns.v[f.insn].code) == BPF_JMP);
		int64_t off = (int64_t)o->labels.v[f.label] - f.insn - 1;
		if (off < INT16_MIN || off > INT16_MAX)
			ebpf_limit(o->g, o->place,
				   "one statement compiles to more than "
				   "32,768 instructions: split it in two");
		else
			o->code->insns.v[f.insn].off = (int16_t)off;
	}
}

uint32_t
ebpf_func_begin(struct ebpf_out *o, struct ebpf *g, enum ebpf_sec sec,
		const char *name, unsigned nargs)
{
	uint32_t sym = ebpf_sym(g, name, SYM_FUNC);

	ebpf_out_init(o, g);
	o->code = &g->code[sec];
	if (g->err)
		return 0;
	assert(!g->syms.v[sym].size);					/* 5 */
	assert(nargs && nargs <= 5);					/* 4 */
	g->syms.v[sym].sec = (uint8_t)sec;
	g->syms.v[sym].value = ebpf_pc(o);
	g->syms.v[sym].nargs = (uint8_t)nargs;
	return sym;
}

uint32_t
ebpf_prog_begin(struct ebpf_out *o, struct ebpf *g, enum abi_attach attach,
		const char *name)
{
	uint32_t sym = ebpf_func_begin(o, g, SEC_PROG, name, 1);

	assert(attach < ABI_NATTACH);
	if (!g->err)
		g->syms.v[sym].attach = (uint8_t)attach;
	return sym;
}

void
ebpf_func_end(struct ebpf_out *o, uint32_t sym)
{
	struct ebpf *g = o->g;

	resolve(o);
	if (!g->err) {
		assert(ebpf_pc(o) > g->syms.v[sym].value);		/* 5 */
		g->syms.v[sym].size = ebpf_pc(o) - g->syms.v[sym].value;
	}
	ebpf_out_fini(o);
}

void
ebpf_return(struct ebpf_out *o, int32_t v)
{
	ebpf_imm(o, BPF_REG_0, (uint64_t)(int64_t)v);
	ebpf_emit(o, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

uint32_t
ebpf_temp(struct ebpf_out *o, uint32_t size)
{
	uint32_t off = o->g->lay.temps + o->temps;

	assert(off % 8 == 0);
	o->temps += (uint32_t)base_align(size, 8);
	if (o->temps > o->g->temps_max)
		o->g->temps_max = o->temps;
	return off;
}

/* --- Chunks --------------------------------------------------------------- */

void
ebpf_use_join(struct ebpf_use *all, const struct ebpf_use *u)
{
	all->args |= u->args;
	all->locals |= u->locals;
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
	all->other |= u->other;
	all->moved |= u->moved;
	all->fault |= u->fault;
	all->exit |= u->exit;
	all->loop |= u->loop;
}

void
ebpf_chunk_begin(struct ebpf_out *o, struct ebpf_chunk *c)
{
	o->code = &o->g->chunks;
	o->labels.n = o->fixes.n = o->stubs.n = o->zeros.n = 0;
	o->use = (struct ebpf_use){ 0 };
	c->insn = (uint32_t)o->g->chunks.insns.n;
	c->reloc = (uint32_t)o->g->chunks.relocs.n;
}

void
ebpf_chunk_end(struct ebpf_out *o, struct ebpf_chunk *c)
{
	assert(o->code == &o->g->chunks);				/* 6 */
	resolve(o);
	c->use = o->use;
	c->ninsns = (uint32_t)o->g->chunks.insns.n - c->insn;
	c->nrelocs = (uint32_t)o->g->chunks.relocs.n - c->reloc;
	ebpf_use_join(&o->g->use, &o->use);
}

void
ebpf_paste(struct ebpf_out *o, const struct ebpf_chunk *c)
{
	struct ebpf *g = o->g;
	uint32_t at = ebpf_pc(o);

	if (g->err)
		return;
	if (!vec_reserve(&o->code->insns, c->ninsns) ||
	    !vec_reserve(&o->code->relocs, c->nrelocs)) {
		ebpf_fail(g, &err_nomem);
		return;
	}
	assert(o->code != &g->chunks);					/* 6 */
	assert(c->insn + c->ninsns <= g->chunks.insns.n &&
	       c->reloc + c->nrelocs <= g->chunks.relocs.n);
	memcpy(o->code->insns.v + at, g->chunks.insns.v + c->insn,
	       c->ninsns * sizeof(struct bpf_insn));
	o->code->insns.n += c->ninsns;
	for (uint32_t i = 0; i < c->nrelocs; i++) {
		struct ebpf_reloc r = g->chunks.relocs.v[c->reloc + i];
		assert(r.insn - c->insn < c->ninsns);			/* 6 */
		r.insn += at - c->insn;
		o->code->relocs.v[o->code->relocs.n++] = r;
	}
}
