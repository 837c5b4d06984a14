/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Plans as text: variables and aggregations, then each function and clause as a
 * tree whose leaves are bytecode.  What decides the layout of records is there,
 * so that a golden file shows when one changes.
 */
#include "abi/quant.h"
#include "base/base.h"
#include "gen/gen.h"
#include "plandump.h"
#include "type/text.h"

enum { LINE = 512 };

static void
indent(unsigned depth, struct sb *b)
{
	sb_printf(b, "%*s", (int)depth * 2, "");
}

static void
dump_type(const struct dif_type *t, struct sb *b)
{
	char text[LINE];
	struct base_buf buf;

	base_buf_init(&buf, text, sizeof(text));
	dif_print_type(t, &buf);
	sb_puts(b, text);
}

static void
dump_difo(const char *what, const struct dif_difo *d, unsigned depth,
	  struct sb *b)
{
	char text[LINE];
	struct base_buf buf;

	indent(depth, b);
	sb_printf(b, "%s: ", what);
	if (!d) {
		sb_puts(b, "none\n");
		return;
	}
	dump_type(&d->rtype, b);
	sb_putc(b, '\n');
	for (uint32_t pc = 0; pc < d->ntext; pc++) {
		base_buf_init(&buf, text, sizeof(text));
		dif_print_insn(d, pc, &buf);
		indent(depth + 1, b);
		sb_puts(b, text);
		sb_putc(b, '\n');
	}
}

static const char *
field_kind(unsigned kind)
{
	static const char *const names[] = {
		[ABI_FIELD_INT] = "int", [ABI_FIELD_STRING] = "string",
		[ABI_FIELD_BYTES] = "bytes", [ABI_FIELD_PROBE] = "probe",
		[ABI_FIELD_STACK] = "stack", [ABI_FIELD_USTACK] = "ustack",
		[ABI_FIELD_SYM] = "sym", [ABI_FIELD_MOD] = "mod",
		[ABI_FIELD_USYM] = "usym", [ABI_FIELD_UMOD] = "umod",
		[ABI_FIELD_UADDR] = "uaddr",
	};

	return kind < BASE_NELEMS(names) ? names[kind] : "?";
}

static void
dump_field(const struct abi_field *f, struct sb *b)
{
	static const char *const parts[] = { "prov", "mod", "func", "name" };

	sb_printf(b, "%u:%s%s", f->offset,
		  f->kind == ABI_FIELD_INT && !f->is_signed &&
		  f->sub != ABI_MEANS_FLOAT ? "u" : "",
		  field_kind(f->kind));
	if (f->kind == ABI_FIELD_PROBE && f->sub < BASE_NELEMS(parts))
		sb_printf(b, ".%s", parts[f->sub]);
	else if (f->sub == ABI_MEANS_FLOAT)
		sb_puts(b, ".float");
	sb_printf(b, "/%u", f->size);
}

static const char *
action_name(uint32_t kind)
{
	switch (kind) {
#define ACTION(name, no, class) case ABI_ACT_##name: return #name;
#include "abi/action.def"
#undef ACTION
	default: return "?";
	}
}

static void
dump_format(const char *s, struct sb *b)
{
	sb_puts(b, " \"");
	for (; *s; s++) {
		if (*s == '\n')
			sb_puts(b, "\\n");
		else
			sb_putc(b, *s);
	}
	sb_putc(b, '"');
}

static void
dump_action(const struct plan_clause *c, const struct abi_action *a,
	    struct sb *b)
{
	sb_puts(b, action_name(a->kind));
	if (a->branch)
		sb_printf(b, " branch %u", a->branch);
	if (a->format)
		dump_format(a->format, b);
	if (a->type) {
		sb_putc(b, ' ');
		type_print(a->type, NULL, b);
	}
	for (uint32_t i = 0; i < a->naggs; i++)
		sb_printf(b, " @%u", c->desc.aggids[a->agg + i]);
	for (uint32_t i = 0; i < a->nfields; i++) {
		sb_putc(b, ' ');
		dump_field(&c->desc.fields[a->field + i], b);
	}
	sb_putc(b, '\n');
}

static void
dump_head(const struct plan_clause *c, const struct plan_node *p,
	  struct sb *b)
{
	sb_printf(b, "#%u line %u: ", p->action_no, abi_place_line(p->place));
	switch (p->kind) {
	case PLAN_EXPR:
		sb_puts(b, "expr\n");
		break;
	case PLAN_RECORD:
		dump_action(c, p->action, b);
		break;
	case PLAN_AGG:
		sb_printf(b, "@%u %s\n", p->agg->id, abi_agg_name(p->agg->func));
		break;
	case PLAN_LOOP:
		sb_puts(b, p->is_post ? "loop, once at least\n" : "loop\n");
		break;
	case PLAN_BREAK:
		sb_puts(b, "break\n");
		break;
	case PLAN_CONTINUE:
		sb_puts(b, "continue\n");
		break;
	case PLAN_RETURN:
		sb_puts(b, "return\n");
		break;
	case PLAN_IF:
		sb_printf(b, "if branches %u %u\n", p->branch,
			  p->else_branch);
		break;
	case PLAN_ACT:
	case PLAN_SPEC:
		sb_printf(b, "%s\n", action_name(p->act));
		break;
	case PLAN_PART:
		sb_printf(b, "part branch %u\n", p->branch);
		break;
	}
}

static const char *
difo_name(const struct plan_node *p, uint32_t i)
{
	if (p->kind == PLAN_RECORD)
		return "field";
	if (p->kind == PLAN_IF || p->kind == PLAN_LOOP)
		return "cond";
	if (p->kind == PLAN_EXPR)
		return "code";
	if (p->kind == PLAN_ACT)
		return "value";
	if (p->kind == PLAN_SPEC)
		return "id";
	if (i < p->agg->nkeys)
		return "key";
	return i == p->agg->nkeys ? "value" : "increment";
}

static void
dump_nodes(const struct plan_clause *c, const struct plan_node *p,
	   unsigned depth, struct sb *b)
{
	for (; p; p = p->next) {
		indent(depth, b);
		dump_head(c, p, b);
		for (uint32_t i = 0; i < p->ndifos; i++)
			dump_difo(difo_name(p, i), p->difos[i], depth + 1, b);
		dump_nodes(c, p->then_, depth + 1, b);
		if (!p->else_)
			continue;
		indent(depth, b);
		sb_puts(b, p->kind == PLAN_LOOP ? "step\n" : "else\n");
		dump_nodes(c, p->else_, depth + 1, b);
	}
}

static void
dump_clause(const struct plan_clause *c, uint32_t no, struct sb *b)
{
	sb_printf(b, "clause %u line %u: %s %u, branches %u%s\n", no,
		  abi_place_line(c->place), c->desc.is_log ? "log" : "record",
		  c->desc.record_size, c->desc.nbranches,
		  c->desc.spec ? ", speculates" : "");
	if (c->pred)
		dump_difo("predicate", c->pred, 1, b);
	dump_nodes(c, c->body, 1, b);
}

static void
dump_keys(const struct abi_field *keys, uint32_t n, uint32_t size,
	  struct sb *b)
{
	if (!n)
		return;
	sb_printf(b, " key %u [", size);
	for (uint32_t i = 0; i < n; i++) {
		if (i)
			sb_puts(b, ", ");
		dump_field(&keys[i], b);
	}
	sb_putc(b, ']');
}

static void
dump_var(const struct plan_var *v, struct sb *b)
{
	static const char *const scopes[] = { "", "self->", "this->" };

	sb_printf(b, "var %s%s id 0x%x: ", scopes[v->scope], v->name, v->id);
	dump_type(&v->type, b);
	dump_keys(v->keys, v->nkeys, v->key_size, b);
	sb_putc(b, '\n');
}

static void
dump_agg(const struct abi_agg_desc *a, struct sb *b)
{
	sb_printf(b, "agg @%s id %u: %s cells %u", a->name, a->id,
		  abi_agg_name(a->func), a->ncells);
	if (a->arg)
		sb_printf(b, " arg 0x%llx", (unsigned long long)a->arg);
	dump_keys(a->keys, a->nkeys, a->key_size, b);
	sb_putc(b, '\n');
}

void
plandump(const struct plan_prog *p, struct sb *b)
{
	for (uint32_t i = 0; i < p->nvars; i++)
		dump_var(&p->vars[i], b);
	for (uint32_t i = 0; i < p->naggs; i++)
		dump_agg(&p->aggs[i], b);
	for (uint32_t i = 0; i < p->nfuncs; i++) {
		sb_printf(b, "function %u %s line %u\n", i, p->funcs[i].name,
			  abi_place_line(p->funcs[i].place));
		dump_nodes(NULL, p->funcs[i].body, 1, b);
	}
	for (uint32_t i = 0; i < p->nclauses; i++)
		dump_clause(&p->clauses[i], i + 1, b);
}
