/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A DIFO as text that assembles to the same DIFO, byte for byte.  So the tables
 * are written out, also what no instruction uses, and a name is written as it
 * is spelt only where its spelling finds the same entry again.
 */
#include <inttypes.h>
#include <string.h>

#include "difasm/difasm.h"

static void
put_quoted(struct sb *b, const char *s)
{
	sb_putc(b, '"');
	for (; *s; s++) {
		unsigned char c = *s;

		if (c == '"' || c == '\\')
			sb_printf(b, "\\%c", c);
		else if (c >= ' ' && c < 0x7f)
			sb_putc(b, c);
		else
			sb_printf(b, "\\%03o", c);
	}
	sb_putc(b, '"');
}

static void
put_type(struct sb *b, const struct dif_type *t)
{
	char text[128];
	struct base_buf buf;

	base_buf_init(&buf, text, sizeof(text));
	dif_print_type(t, &buf);
	sb_puts(b, text);
}

/* The string at off is the first of its spelling in the table, so that its
 * spelling is enough to find it. */
static bool
is_first(const struct dif_difo *d, uint32_t off)
{
	uint32_t i = 0;

	while (i < off && strcmp(d->strs + i, d->strs + off))
		i += strlen(d->strs + i) + 1;
	return i == off;
}

static void
put_var(struct sb *b, const struct dif_difo *d, const struct dif_var *v)
{
	static const char *const scopes[] = { "glb", "tls", "loc" };
	static const char *const flags[] = { "-", "r", "w", "r/w" };

	sb_puts(b, ".var ");
	if (is_first(d, v->name))
		put_quoted(b, d->strs + v->name);
	else
		sb_printf(b, "DT_STRING[%" PRIu32 "]", v->name);
	sb_printf(b, " %" PRIu32 " %s %s %s ", v->id,
		  v->kind == DIF_VK_ARRAY ? "arr" : "scl", scopes[v->scope],
		  flags[v->flags & 3]);
	put_type(b, &v->type);
	sb_putc(b, '\n');
}

static void
put_tables(struct sb *b, const struct dif_difo *d)
{
	sb_puts(b, ".ret ");
	put_type(b, &d->rtype);
	sb_putc(b, '\n');
	for (uint32_t i = 0; i < d->nints; i++)
		sb_printf(b, ".int 0x%" PRIx64 "\n", d->ints[i]);
	for (uint32_t i = 0; i < d->strs_size; i += strlen(d->strs + i) + 1) {
		sb_puts(b, ".str ");
		put_quoted(b, d->strs + i);
		sb_putc(b, '\n');
	}
	for (uint32_t i = 0; i < d->nvars; i++)
		put_var(b, d, &d->vars[i]);
}

static void
put_insn(struct sb *b, const struct dif_difo *d, uint32_t pc)
{
	uint32_t w = d->text[pc];
	char text[128];
	struct base_buf buf;

	if (dif_insn_is_branch(w)) {
		sb_printf(b, "\t%-4s L%" PRIu32 "\n",
			  dif_op_info(DIF_INSN_OP(w))->name,
			  (uint32_t)DIF_INSN_LABEL(w));
		return;
	}
	base_buf_init(&buf, text, sizeof(text));
	dif_print_text(d, pc, &buf);
	sb_printf(b, "\t%s\n", text);
}

/* Set the bit of each instruction that is branched to. */
static void
mark_targets(const struct dif_difo *d, uint8_t *bits)
{
	for (uint32_t pc = 0; pc < d->ntext; pc++) {
		uint32_t to = DIF_INSN_LABEL(d->text[pc]);

		if (dif_insn_is_branch(d->text[pc]) && to < d->ntext)
			bits[to / 8] |= 1u << to % 8;
	}
}

void
difasm_disassemble(const struct dif_difo *d, struct sb *b)
{
	uint8_t targets[DIF_MAX_TEXT / 8] = { 0 };

	mark_targets(d, targets);
	put_tables(b, d);
	for (uint32_t pc = 0; pc < d->ntext; pc++) {
		if (d->lines && (pc == 0 || d->lines[pc] != d->lines[pc - 1]))
			sb_printf(b, ".line %" PRIu32 "\n", d->lines[pc]);
		if (targets[pc / 8] >> pc % 8 & 1)
			sb_printf(b, "L%" PRIu32 ":\n", pc);
		put_insn(b, d, pc);
	}
}
