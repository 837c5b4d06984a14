/* SPDX-License-Identifier: BSD-2-Clause
 *
 * DIF as -S prints it.  A row is
 *
 *	00: 29011801    ldgs DT_VAR(280), %r1       ! DT_VAR(280) = "execname"
 *
 * that is: the index in hex, the word, the mnemonic padded to five columns,
 * the operands, and from column 28 of the instruction on a comment that names
 * what a number stands for.  Nothing here trusts the DIFO: one that the
 * verifier refuses is printed too, to show why.
 */
#include "dif/dif.h"

enum { COMMENT_COLUMN = 28 };

static void
put_pad(struct base_buf *b, size_t start, size_t width)
{
	while (b->len - start < width)
		base_putc(b, ' ');
}

/* s padded to width columns, and one blank at least. */
static void
put_cell(struct base_buf *b, const char *s, size_t width)
{
	size_t start = b->len;

	base_puts(b, s);
	put_pad(b, start, width);
	base_putc(b, ' ');
}

static void
put_reg(struct base_buf *b, unsigned reg)
{
	base_puts(b, "%r");
	base_putu(b, reg, 10, 0, ' ');
}

/* "DT_VAR(12)" */
static void
put_call(struct base_buf *b, const char *name, uint64_t n, const char *ends)
{
	base_puts(b, name);
	base_putc(b, ends[0]);
	base_putu(b, n, 10, 0, ' ');
	base_putc(b, ends[1]);
}

static void
put_char(struct base_buf *b, unsigned char c)
{
	static const char plain[] = "\n\t\r\"\\", letters[] = "ntr\"\\";

	for (unsigned i = 0; plain[i]; i++)
		if (c == plain[i]) {
			base_putc(b, '\\');
			base_putc(b, letters[i]);
			return;
		}
	if (c >= ' ' && c < 0x7f) {
		base_putc(b, c);
		return;
	}
	base_putc(b, '\\');
	base_putu(b, c, 8, 3, '0');
}

/* The string at an offset, which may be wild, quoted. */
static void
put_string(const struct dif_difo *d, uint32_t off, struct base_buf *b)
{
	base_putc(b, '"');
	for (; off < d->strs_size && d->strs[off]; off++)
		put_char(b, d->strs[off]);
	base_putc(b, '"');
}

static const struct dif_var *
find_var(const struct dif_difo *d, uint32_t id, int scope)
{
	for (uint32_t i = 0; i < d->nvars; i++)
		if (d->vars[i].id == id && d->vars[i].scope == scope)
			return &d->vars[i];
	return NULL;
}

static int
scope_of(unsigned op)
{
	switch (op) {
	case DIF_OP_LDTA: case DIF_OP_LDTS: case DIF_OP_STTS:
	case DIF_OP_LDTAA: case DIF_OP_STTAA:
		return DIF_VS_THREAD;
	case DIF_OP_LDLS: case DIF_OP_STLS:
		return DIF_VS_LOCAL;
	default:
		return DIF_VS_GLOBAL;
	}
}

static void
put_var_comment(const struct dif_difo *d, unsigned op, uint32_t id,
		struct base_buf *b)
{
	const struct dif_var *v = find_var(d, id, scope_of(op));
	const struct dif_bvarinfo *bvar = dif_bvar_info(id);

	if (!v && !bvar)
		return;
	base_puts(b, "! ");
	put_call(b, "DT_VAR", id, "()");
	base_puts(b, " = ");
	if (v) {
		put_string(d, v->name, b);
		return;
	}
	base_putc(b, '"');
	base_puts(b, bvar->name);
	base_putc(b, '"');
}

/* The text behind the operands, "" when the row explains itself. */
static void
put_comment(const struct dif_difo *d, uint32_t w, unsigned fmt,
	    struct base_buf *b)
{
	uint32_t index = DIF_INSN_INDEX(w);
	const struct dif_subrinfo *subr;

	switch (fmt) {
	case DIF_FMT_W_INT_:
		if (index >= d->nints)
			return;
		base_puts(b, "! 0x");
		base_putu(b, d->ints[index], 16, 0, ' ');
		return;
	case DIF_FMT_W_STR_:
		if (index >= d->strs_size)
			return;
		base_puts(b, "! ");
		put_string(d, index, b);
		return;
	case DIF_FMT_W_SUBR_:
		subr = dif_subr_info(index);
		if (!subr)
			return;
		base_puts(b, "! ");
		base_puts(b, subr->name);
		return;
	case DIF_FMT_W_VAR_:
	case DIF_FMT_W_VARST_:
		put_var_comment(d, DIF_INSN_OP(w), index, b);
		return;
	case DIF_FMT_A_:
		put_var_comment(d, DIF_INSN_OP(w), DIF_INSN_R1(w), b);
		return;
	}
}

static const char *const patterns[] = {
	[DIF_FMT_NONE_] = "",
	[DIF_FMT_R_] = "1, 2, d",
	[DIF_FMT_R2_] = "1, d",
	[DIF_FMT_CMP_] = "1, 2",
	[DIF_FMT_TST_] = "1",
	[DIF_FMT_LD_] = "[1], d",
	[DIF_FMT_ST_] = "1, [d]",
	[DIF_FMT_B_] = "l",
	[DIF_FMT_W_INT_] = "i, d",
	[DIF_FMT_W_STR_] = "s, d",
	[DIF_FMT_W_VAR_] = "v, d",
	[DIF_FMT_W_VARST_] = "d, v",
	[DIF_FMT_W_SUBR_] = "c, d",
	[DIF_FMT_A_] = "a, 2, d",
	[DIF_FMT_PUSH_] = "t, 2, d",
	[DIF_FMT_RET_] = "d",
	[DIF_FMT_W_FUNC_] = "f",
};

const char *
dif_fmt_operands(unsigned fmt)
{
	BASE_ASSERT(fmt < BASE_NELEMS(patterns) && patterns[fmt]);
	return patterns[fmt];
}

static void
put_operand(uint32_t w, char what, struct base_buf *b)
{
	switch (what) {
	case '1': put_reg(b, DIF_INSN_R1(w)); break;
	case '2': put_reg(b, DIF_INSN_R2(w)); break;
	case 'd': put_reg(b, DIF_INSN_RD(w)); break;
	case 'l': base_putu(b, DIF_INSN_LABEL(w), 10, 0, ' '); break;
	case 'i': put_call(b, "DT_INTEGER", DIF_INSN_INDEX(w), "[]"); break;
	case 's': put_call(b, "DT_STRING", DIF_INSN_INDEX(w), "[]"); break;
	case 'v': put_call(b, "DT_VAR", DIF_INSN_INDEX(w), "()"); break;
	case 'c': put_call(b, "DIF_SUBR", DIF_INSN_INDEX(w), "()"); break;
	case 'f': put_call(b, "DT_FUNC", DIF_INSN_INDEX(w), "()"); break;
	case 'a': put_call(b, "DT_VAR", DIF_INSN_R1(w), "()"); break;
	case 't': put_call(b, "DT_TYPE", DIF_INSN_R1(w), "()"); break;
	default: base_putc(b, what); break;
	}
}

void
dif_print_text(const struct dif_difo *d, uint32_t pc, struct base_buf *b)
{
	uint32_t w = d->text[pc];
	const struct dif_opinfo *op = dif_op_info(DIF_INSN_OP(w));

	if (!op) {
		base_puts(b, "???");
		return;
	}
	if (op->fmt == DIF_FMT_NONE_) {
		base_puts(b, op->name);
		return;
	}
	put_cell(b, op->name, 4);
	for (const char *p = patterns[op->fmt]; *p; p++)
		put_operand(w, *p, b);
}

void
dif_print_insn(const struct dif_difo *d, uint32_t pc, struct base_buf *b)
{
	uint32_t w = d->text[pc];
	const struct dif_opinfo *op = dif_op_info(DIF_INSN_OP(w));
	char comment[256];
	struct base_buf c;
	size_t start;

	base_putu(b, pc, 16, 2, '0');
	base_puts(b, ": ");
	base_putu(b, w, 16, 8, '0');
	base_puts(b, "    ");
	start = b->len;
	dif_print_text(d, pc, b);
	if (!op)
		return;
	base_buf_init(&c, comment, sizeof(comment));
	put_comment(d, w, op->fmt, &c);
	if (!c.len)
		return;
	put_pad(b, start, COMMENT_COLUMN);
	if (b->len - start > COMMENT_COLUMN)
		base_putc(b, ' ');
	put_comment(d, w, op->fmt, b);
}

static const char *const ckinds[] = {
	"unknown", "integer", "float", "pointer", "array", "function",
	"struct", "union", "enum", "forward", "typedef",
};
_Static_assert(BASE_NELEMS(ckinds) == DIF_CK_TYPEDEF + 1, "one per ckind");

const char *
dif_ckind_name(unsigned ckind)
{
	return ckind < BASE_NELEMS(ckinds) ? ckinds[ckind] : NULL;
}

void
dif_print_type(const struct dif_type *t, struct base_buf *b)
{
	const char *ckind = dif_ckind_name(t->ckind);

	base_puts(b, t->kind == DIF_TYPE_STRING ? "string" : "D type");
	base_puts(b, " (");
	base_puts(b, ckind ? ckind : "unknown");
	base_puts(b, ")");
	if (t->flags & DIF_TF_BYREF)
		base_puts(b, " by ref");
	if (t->flags & DIF_TF_BYUREF)
		base_puts(b, " by user ref");
	base_puts(b, " (size ");
	base_putu(b, t->size, 10, 0, ' ');
	base_putc(b, ')');
}

static void
print_var(const struct dif_difo *d, const struct dif_var *v, struct base_buf *b)
{
	static const char *const scopes[] = { "glb", "tls", "loc" };
	static const char *const flags[] = { "", "r", "w", "r/w" };
	size_t start = b->len;

	for (uint32_t i = v->name; i < d->strs_size && d->strs[i]; i++)
		base_putc(b, d->strs[i]);
	put_pad(b, start, 16);
	base_putc(b, ' ');
	start = b->len;
	base_putu(b, v->id, 10, 0, ' ');
	put_pad(b, start, 4);
	base_putc(b, ' ');
	put_cell(b, v->kind == DIF_VK_ARRAY ? "arr" : "scl", 3);
	put_cell(b, v->scope < BASE_NELEMS(scopes) ? scopes[v->scope] : "???",
		 3);
	put_cell(b, flags[v->flags & 3], 4);
	dif_print_type(&v->type, b);
	base_putc(b, '\n');
}

void
dif_print(const struct dif_difo *d, struct base_buf *b)
{
	base_puts(b, "\nDIFO 0x");
	base_putu(b, (uintptr_t)d, 16, 0, ' ');
	base_puts(b, " returns ");
	dif_print_type(&d->rtype, b);
	base_puts(b, "\nOFF OPCODE      INSTRUCTION\n");
	for (uint32_t pc = 0; pc < d->ntext; pc++) {
		dif_print_insn(d, pc, b);
		base_putc(b, '\n');
	}
	if (!d->nvars)
		return;
	base_puts(b, "\nNAME             ID   KND SCP FLAG TYPE\n");
	for (uint32_t i = 0; i < d->nvars; i++)
		print_var(d, &d->vars[i], b);
}
