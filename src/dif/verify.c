/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The verifier.  What it promises (doc/spec/dif.md section 8, whose rule
 * numbers stand in the comments) lets an engine decode without checking and
 * know, at each instruction, the depth and the shape of the tuple stack.
 *
 * Branches only go forward, so one pass from front to back is a complete
 * dataflow analysis: when an instruction is reached, every path to it has
 * been seen.  What a path knows is a struct state; where paths meet, the
 * states are merged.  There is no memory to keep a state per instruction;
 * it is not needed either: only the targets jumped to and not yet reached
 * matter.  They wait in a table of DIF_MAX_OPEN entries.  Deeply nested
 * expressions open one or two per level, and long chains of && and || share
 * one, so that compiled code stays far below it.
 *
 * Invariants, at each instruction:
 *   1. `open` holds targets ahead of it only, each once;
 *   2. `live` is false exactly when no path reaches it;
 *   3. the shape of the tuple stack has no bit at its depth or above;
 *   4. register 0 counts as written, and nothing writes it.
 */
#include "dif/dif.h"

struct state {
	uint8_t regs;		/* bit n: %rn was written on every path */
	bool cc;		/* the condition codes too */
	uint8_t depth;		/* of the tuple stack */
	uint64_t shape;		/* bit n: entry n is a string */
};

struct verifier {
	const struct dif_difo *d;
	struct base_buf *err;
	struct state cur;
	bool live;
	uint32_t nopen;
	struct open_target {
		uint32_t pc;
		struct state state;
	} open[DIF_MAX_OPEN];
};

/* --- Messages: each returns false -------------------------------------- */

static bool
fail(struct verifier *v, const char *text)
{
	base_puts(v->err, text);
	return false;
}

static bool
fail_at(struct verifier *v, uint32_t pc, const char *text)
{
	const struct dif_opinfo *op = dif_op_info(DIF_INSN_OP(v->d->text[pc]));

	base_puts(v->err, "instruction ");
	base_putu(v->err, pc, 10, 0, ' ');
	base_puts(v->err, " (");
	base_puts(v->err, op ? op->name : "?");
	base_puts(v->err, "): ");
	base_puts(v->err, text);
	return false;
}

static bool
fail_var(struct verifier *v, uint32_t i, const char *text)
{
	base_puts(v->err, "variable ");
	base_putu(v->err, i, 10, 0, ' ');
	base_puts(v->err, ": ");
	base_puts(v->err, text);
	return false;
}

/* --- Tables: rules 1, 2, 9 --------------------------------------------- */

static bool
starts_string(const struct dif_difo *d, uint32_t off)
{
	return off < d->strs_size && (off == 0 || d->strs[off - 1] == '\0');
}

/* What is wrong with a type, or NULL. */
static const char *
type_fault(const struct dif_type *t)
{
	if (t->kind > DIF_TYPE_STRING)
		return "type of unknown kind";
	if (t->ckind > DIF_CK_TYPEDEF || t->pad)
		return "type of unknown C kind";
	if (t->flags & ~(DIF_TF_BYREF | DIF_TF_BYUREF))
		return "type with unknown flags";
	if ((t->flags & DIF_TF_BYUREF) && !(t->flags & DIF_TF_BYREF))
		return "type by user reference but not by reference";
	if (t->kind == DIF_TYPE_STRING && !(t->flags & DIF_TF_BYREF))
		return "string that is not by reference";
	if (!(t->flags & DIF_TF_BYREF) && t->size > 8)
		return "value of more than 8 bytes that is not by reference";
	return NULL;
}

static bool
is_user_id(uint32_t id)
{
	return (id >= DIF_VAR_ARRAY_UBASE && id <= 0xff) ||
	       (id >= DIF_VAR_OTHER_UBASE && id <= 0xffff);
}

static bool
value_size_ok(const struct dif_type *t)
{
	if (t->flags & DIF_TF_BYREF)
		return t->size > 0;
	return t->size == 1 || t->size == 2 || t->size == 4 || t->size == 8;
}

static bool
check_var(struct verifier *v, uint32_t i)
{
	const struct dif_var *var = &v->d->vars[i];
	const char *text = type_fault(&var->type);

	if (text)
		return fail_var(v, i, text);
	if (!value_size_ok(&var->type))
		return fail_var(v, i, "impossible size");
	if (!starts_string(v->d, var->name))
		return fail_var(v, i, "name outside the string table");
	if (var->kind > DIF_VK_SCALAR || var->scope > DIF_VS_LOCAL ||
	    var->flags & ~(DIF_VF_REF | DIF_VF_MOD))
		return fail_var(v, i, "unknown kind, scope or flags");
	if (!is_user_id(var->id) &&
	    !(var->scope == DIF_VS_GLOBAL && dif_bvar_info(var->id)))
		return fail_var(v, i, "number is no variable's");
	if (is_user_id(var->id) && var->kind == DIF_VK_SCALAR &&
	    var->id < DIF_VAR_OTHER_UBASE)
		return fail_var(v, i, "a scalar with an array's number");
	for (uint32_t j = 0; j < i; j++)
		if (v->d->vars[j].id == var->id &&
		    v->d->vars[j].scope == var->scope)
			return fail_var(v, i, "stands in the table twice");
	return true;
}

static bool
check_tables(struct verifier *v)
{
	const struct dif_difo *d = v->d;
	const char *text;

	if (!d->text || d->ntext == 0)
		return fail(v, "no instructions");
	if (d->ntext > DIF_MAX_TEXT)
		return fail(v, "more than 65536 instructions");
	if (d->nints > DIF_MAX_TABLE || (d->nints && !d->ints))
		return fail(v, "integer table too large");
	if (d->strs_size > DIF_MAX_TABLE || (d->strs_size && !d->strs))
		return fail(v, "string table too large");
	if (d->strs_size && (d->strs[0] || d->strs[d->strs_size - 1]))
		return fail(v, "string table does not begin and end with NUL");
	if (d->nvars > DIF_MAX_VARS || (d->nvars && !d->vars))
		return fail(v, "variable table too large");
	for (uint32_t i = 0; i < d->nvars; i++)
		if (!check_var(v, i))
			return false;
	text = type_fault(&d->rtype);
	if (text) {
		base_puts(v->err, "return type: ");
		return fail(v, text);
	}
	return true;
}

/* --- One instruction, wherever it stands: rules 3 to 8, 15, 17 ------------- */

/* The bits of a word that each format leaves unused. */
static const uint32_t unused_bits[] = {
	[DIF_FMT_NONE_] = 0xffffff, [DIF_FMT_R_] = 0, [DIF_FMT_R2_] = 0xff00,
	[DIF_FMT_CMP_] = 0xff, [DIF_FMT_TST_] = 0xffff, [DIF_FMT_LD_] = 0xff00,
	[DIF_FMT_ST_] = 0xff00, [DIF_FMT_B_] = 0, [DIF_FMT_W_INT_] = 0,
	[DIF_FMT_W_STR_] = 0, [DIF_FMT_W_VAR_] = 0, [DIF_FMT_W_VARST_] = 0,
	[DIF_FMT_W_SUBR_] = 0, [DIF_FMT_A_] = 0, [DIF_FMT_PUSH_] = 0,
	[DIF_FMT_RET_] = 0xffff00, [DIF_FMT_W_FUNC_] = 0xff,
};

/* The bits that hold a register; those above its 3 low bits must be zero. */
static const uint32_t register_bits[] = {
	[DIF_FMT_NONE_] = 0, [DIF_FMT_R_] = 0xf8f8f8, [DIF_FMT_R2_] = 0xf800f8,
	[DIF_FMT_CMP_] = 0xf8f800, [DIF_FMT_TST_] = 0xf80000,
	[DIF_FMT_LD_] = 0xf800f8, [DIF_FMT_ST_] = 0xf800f8, [DIF_FMT_B_] = 0,
	[DIF_FMT_W_INT_] = 0xf8, [DIF_FMT_W_STR_] = 0xf8,
	[DIF_FMT_W_VAR_] = 0xf8, [DIF_FMT_W_VARST_] = 0xf8,
	[DIF_FMT_W_SUBR_] = 0xf8, [DIF_FMT_A_] = 0xf8f8,
	[DIF_FMT_PUSH_] = 0xf8f8, [DIF_FMT_RET_] = 0xf8,
	[DIF_FMT_W_FUNC_] = 0,
};
_Static_assert(DIF_NREGS == 8, "register_bits");

/* The variable instructions that take the user's variables. */
static const struct {
	uint8_t scope, kind;
	bool is_var;
} var_ops[DIF_NOPS] = {
	[DIF_OP_LDGS] = { DIF_VS_GLOBAL, DIF_VK_SCALAR, true },
	[DIF_OP_STGS] = { DIF_VS_GLOBAL, DIF_VK_SCALAR, true },
	[DIF_OP_LDTS] = { DIF_VS_THREAD, DIF_VK_SCALAR, true },
	[DIF_OP_STTS] = { DIF_VS_THREAD, DIF_VK_SCALAR, true },
	[DIF_OP_LDLS] = { DIF_VS_LOCAL, DIF_VK_SCALAR, true },
	[DIF_OP_STLS] = { DIF_VS_LOCAL, DIF_VK_SCALAR, true },
	[DIF_OP_LDGAA] = { DIF_VS_GLOBAL, DIF_VK_ARRAY, true },
	[DIF_OP_STGAA] = { DIF_VS_GLOBAL, DIF_VK_ARRAY, true },
	[DIF_OP_LDTAA] = { DIF_VS_THREAD, DIF_VK_ARRAY, true },
	[DIF_OP_STTAA] = { DIF_VS_THREAD, DIF_VK_ARRAY, true },
	[DIF_OP_ADDGS] = { DIF_VS_GLOBAL, DIF_VK_SCALAR, true },
	[DIF_OP_ADDGAA] = { DIF_VS_GLOBAL, DIF_VK_ARRAY, true },
	[DIF_OP_OLDGS] = { DIF_VS_GLOBAL, DIF_VK_SCALAR, true },
	[DIF_OP_OLDGAA] = { DIF_VS_GLOBAL, DIF_VK_ARRAY, true },
};

/* Can addgs or addgaa add to it? */
static bool
is_sum(const struct dif_type *t)
{
	return !(t->flags & DIF_TF_BYREF) &&
	       (t->size == 1 || t->size == 2 || t->size == 4 || t->size == 8);
}

static bool
is_old(unsigned op)
{
	return op == DIF_OP_OLDGS || op == DIF_OP_OLDGAA;
}

/* Is the instruction before the addition whose old value the one at pc gives? */
static bool
follows_add(const struct verifier *v, uint32_t pc)
{
	uint32_t w = v->d->text[pc];

	return pc && DIF_INSN_OP(v->d->text[pc - 1]) ==
		     (DIF_INSN_OP(w) == DIF_OP_OLDGS ? DIF_OP_ADDGS
						     : DIF_OP_ADDGAA) &&
	       DIF_INSN_INDEX(v->d->text[pc - 1]) == DIF_INSN_INDEX(w);
}

static bool
is_builtin_array(uint32_t id)
{
	return id == DIF_VAR_ARGS || id == DIF_VAR_UREGS;
}

static bool
check_var_insn(struct verifier *v, uint32_t pc, unsigned op, uint32_t id)
{
	const struct dif_difo *d = v->d;

	if (op == DIF_OP_LDGS && !is_user_id(id)) {
		if (is_builtin_array(id) || !dif_bvar_info(id))
			return fail_at(v, pc, "no such built-in variable");
		return true;
	}
	if (!is_user_id(id))
		return fail_at(v, pc, "not a variable of the user's");
	for (uint32_t i = 0; i < d->nvars; i++) {
		if (d->vars[i].id != id || d->vars[i].scope != var_ops[op].scope)
			continue;
		if (d->vars[i].kind != var_ops[op].kind)
			return fail_at(v, pc, "variable of the other kind");
		if (is_old(op) && !follows_add(v, pc))
			return fail_at(v, pc, "no addition stands before it");
		if ((op == DIF_OP_ADDGS || op == DIF_OP_ADDGAA) &&
		    !is_sum(&d->vars[i].type))
			return fail_at(v, pc, "variable cannot be added to");
		return true;
	}
	return fail_at(v, pc, "variable is not in the variable table");
}

/* The operands that are not registers. */
static bool
check_operand(struct verifier *v, uint32_t pc, unsigned fmt)
{
	uint32_t w = v->d->text[pc], index = DIF_INSN_INDEX(w);
	unsigned op = DIF_INSN_OP(w);

	BASE_ASSERT(fmt < BASE_NELEMS(unused_bits) &&
		    fmt < BASE_NELEMS(register_bits));
	switch (fmt) {
	case DIF_FMT_B_:
		if (DIF_INSN_LABEL(w) <= pc)
			return fail_at(v, pc, "branches backward");
		if (DIF_INSN_LABEL(w) >= v->d->ntext)
			return fail_at(v, pc, "branches behind the end");
		if (is_old(DIF_INSN_OP(v->d->text[DIF_INSN_LABEL(w)])))
			return fail_at(v, pc, "branches to an old value");
		return true;
	case DIF_FMT_W_INT_:
		return index < v->d->nints ||
		       fail_at(v, pc, "index outside the integer table");
	case DIF_FMT_W_STR_:
		return starts_string(v->d, index) ||
		       fail_at(v, pc, "not the start of a string");
	case DIF_FMT_W_SUBR_:
		return dif_subr_info(index) ||
		       fail_at(v, pc, "unknown subroutine");
	case DIF_FMT_A_:
		return is_builtin_array(DIF_INSN_R1(w)) ||
		       fail_at(v, pc, "no such built-in array");
	case DIF_FMT_PUSH_:
		return DIF_INSN_R1(w) == (op == DIF_OP_PUSHTR ?
					  DIF_PUSH_STRING : DIF_PUSH_INT) ||
		       fail_at(v, pc, "wrong type byte");
	case DIF_FMT_W_VAR_:
	case DIF_FMT_W_VARST_:
		return check_var_insn(v, pc, op, index);
	default:
		return true;
	}
}

static bool
check_insn(struct verifier *v, uint32_t pc)
{
	uint32_t w = v->d->text[pc];
	unsigned op = DIF_INSN_OP(w);
	const struct dif_opinfo *info = dif_op_info(op);

	if (!info)
		return fail_at(v, pc, "unknown opcode");
	if (op == DIF_OP_LDTA || op == DIF_OP_XLATE || op == DIF_OP_XLARG)
		return fail_at(v, pc, "reserved opcode");
	if (w & register_bits[info->fmt])
		return fail_at(v, pc, "no such register");
	if (w & unused_bits[info->fmt])
		return fail_at(v, pc, "unused bits are not zero");
	if (dif_insn_writes(w) & 1)
		return fail_at(v, pc, "writes %r0");
	return check_operand(v, pc, info->fmt);
}

/* --- Paths: rules 10 to 14, 16 ----------------------------------------- */

/* Where two paths meet: what both of them know. */
static bool
merge(struct verifier *v, uint32_t pc, struct state *s, const struct state *t)
{
	if (s->depth != t->depth || s->shape != t->shape)
		return fail_at(v, pc, "tuple stacks differ where paths meet");
	s->regs &= t->regs;
	s->cc = s->cc && t->cc;
	return true;
}

static bool
open_target(struct verifier *v, uint32_t pc, uint32_t target)
{
	for (uint32_t i = 0; i < v->nopen; i++)
		if (v->open[i].pc == target)
			return merge(v, target, &v->open[i].state, &v->cur);
	BASE_ASSERT(target > pc && target < v->d->ntext);	/* 1 */
	if (v->nopen == DIF_MAX_OPEN)
		return fail_at(v, pc, "more than 512 branches open");
	v->open[v->nopen].pc = target;
	v->open[v->nopen++].state = v->cur;
	return true;
}

/* pc is reached: join the paths that jumped here. */
static bool
close_target(struct verifier *v, uint32_t pc)
{
	for (uint32_t i = 0; i < v->nopen; i++) {
		if (v->open[i].pc != pc)
			continue;
		struct state s = v->open[i].state;
		v->open[i] = v->open[--v->nopen];
		if (v->live)
			return merge(v, pc, &v->cur, &s);
		v->cur = s;
		v->live = true;
		return true;
	}
	return true;
}

static bool
flow_push(struct verifier *v, uint32_t pc, bool string)
{
	if (v->cur.depth == DIF_NTUPLE)
		return fail_at(v, pc, "more than 64 entries on the tuple stack");
	BASE_ASSERT(!(v->cur.shape >> v->cur.depth));		/* 3 */
	v->cur.shape |= (uint64_t)string << v->cur.depth++;
	return true;
}

static bool
flow_pop(struct verifier *v, uint32_t pc)
{
	if (v->cur.depth == 0)
		return fail_at(v, pc, "tuple stack is empty");
	v->cur.shape &= ~(1ULL << --v->cur.depth);
	BASE_ASSERT(!(v->cur.shape >> v->cur.depth));		/* 3 */
	return true;
}

static bool
flow_call(struct verifier *v, uint32_t pc)
{
	const char *args = dif_subr_info(DIF_INSN_INDEX(v->d->text[pc]))->args;
	bool optional = false;
	unsigned n = 0;

	for (; *args; args++) {
		if (*args == '|') {
			optional = true;
			continue;
		}
		if (n == v->cur.depth)
			break;
		if (dif_is_string(*args) != (v->cur.shape >> n & 1))
			return fail_at(v, pc, "argument of the wrong kind");
		n++;
	}
	if (*args && !optional)
		return fail_at(v, pc, "too few arguments");
	if (n < v->cur.depth)
		return fail_at(v, pc, "too many arguments");
	return true;
}

static bool
flow_branch(struct verifier *v, uint32_t pc, unsigned op)
{
	if (op != DIF_OP_BA && !v->cur.cc)
		return fail_at(v, pc, "no comparison on every path");
	if (!open_target(v, pc, DIF_INSN_LABEL(v->d->text[pc])))
		return false;
	if (op == DIF_OP_BA)
		v->live = false;
	return true;
}

static bool
flow_registers(struct verifier *v, uint32_t pc)
{
	uint32_t w = v->d->text[pc];
	uint32_t missing = dif_insn_reads(w) & ~(uint32_t)v->cur.regs;
	char text[] = "%r0 is not written on every path";

	if (missing) {
		text[2] = '0' + __builtin_ctz(missing);
		return fail_at(v, pc, text);
	}
	v->cur.regs |= dif_insn_writes(w);
	BASE_ASSERT(v->cur.regs & 1 && !(dif_insn_writes(w) & 1));	/* 4 */
	return true;
}

static bool
flow_insn(struct verifier *v, uint32_t pc)
{
	unsigned op = DIF_INSN_OP(v->d->text[pc]);

	BASE_ASSERT(v->live && v->cur.depth <= DIF_NTUPLE);	/* 2 */
	if (!flow_registers(v, pc))
		return false;
	switch (op) {
	case DIF_OP_CMP: case DIF_OP_TST: case DIF_OP_SCMP:
		v->cur.cc = true;
		return true;
	case DIF_OP_RET:
		v->live = false;
		return true;
	case DIF_OP_PUSHTR: return flow_push(v, pc, true);
	case DIF_OP_PUSHTV: return flow_push(v, pc, false);
	case DIF_OP_POPTS: return flow_pop(v, pc);
	case DIF_OP_FLUSHTS:
		v->cur.depth = 0;
		v->cur.shape = 0;
		return true;
	case DIF_OP_LDGAA: case DIF_OP_LDTAA:
	case DIF_OP_STGAA: case DIF_OP_STTAA: case DIF_OP_ADDGAA:
	case DIF_OP_OLDGAA:
		return v->cur.depth || fail_at(v, pc, "tuple stack is empty");
	case DIF_OP_CALL: return flow_call(v, pc);
	case DIF_OP_CALLF:
		v->cur.cc = false;
		return !v->cur.depth ||
		       fail_at(v, pc, "tuple stack is not empty");
	default:
		return dif_insn_is_branch(v->d->text[pc]) ?
		       flow_branch(v, pc, op) : true;
	}
}

bool
dif_verify(const struct dif_difo *d, struct base_buf *err)
{
	/* 12 KB: not cleared, nopen bounds what is read. */
	struct verifier v;

	v.d = d;
	v.err = err;
	v.cur = (struct state){ .regs = 1 };
	v.live = true;
	v.nopen = 0;
	if (!check_tables(&v))
		return false;
	for (uint32_t pc = 0; pc < d->ntext; pc++) {
		if (!check_insn(&v, pc) || !close_target(&v, pc))
			return false;
		if (v.live && !flow_insn(&v, pc))
			return false;
	}
	if (DIF_INSN_OP(d->text[d->ntext - 1]) != DIF_OP_RET)
		return fail_at(&v, d->ntext - 1, "the last instruction is not "
			       "ret");
	BASE_ASSERT(!v.nopen && !v.live);			/* 1, 2 */
	return true;
}
