/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One expression to one DIFO, and how its value stands in a record or key.
 *
 * No field is wider than the value can be: a string has the size of its type,
 * and a part of the probe's name (but its provider's), wherever only the consumer
 * looks at it, is the probe's id in four bytes.
 */
#include <string.h>

#include "gen/difo_priv.h"
#include "gen/expr_priv.h"
#include "gen/value_priv.h"
#include "sema/tree.h"

int
gen_probe_part(const struct ast_node *n)
{
	_Static_assert(DIF_VAR_PROBENAME - DIF_VAR_PROBEPROV ==
		       ABI_PART_NAME - ABI_PART_PROV, "parts are in order");
	n = sema_eval(n);
	if (n->kind != AST_IDENT || !n->ident || n->ident->kind != SEMA_BVAR ||
	    n->ident->id < DIF_VAR_PROBEMOD ||
	    n->ident->id > DIF_VAR_PROBENAME)
		return GEN_PART_NO;	/* a provider may be a process's */
	return (int)n->ident->id - DIF_VAR_PROBEPROV + ABI_PART_PROV;
}

struct abi_field
gen_field_int(struct gen_int as, struct gen_want *want)
{
	want->as_int = true;
	want->as = as;
	return (struct abi_field){
		.kind = ABI_FIELD_INT, .is_signed = as.is_signed,
		.align = as.size, .size = as.size,
	};
}

struct abi_field
gen_field_wide(const struct type *t, uint8_t columns, struct gen_want *want)
{
	struct abi_field f = gen_field_int(type_is_signed(t) ? gen_int_s64
							     : gen_int_u64,
					   want);

	f.sub = (uint8_t)ABI_INT_OF(type_size(t), columns);
	return f;
}

struct abi_field
gen_field_string(uint64_t size, struct gen_want *want)
{
	want->as_string = true;
	want->size = size ? size : 1;
	return (struct abi_field){
		.kind = ABI_FIELD_STRING, .align = 1,
		.size = (uint32_t)want->size,
	};
}

struct abi_field
gen_field_memory(uint64_t size, struct gen_want *want)
{
	want->as_memory = true;
	want->size = size;
	return (struct abi_field){
		.kind = ABI_FIELD_BYTES, .align = 8, .size = (uint32_t)size,
	};
}

struct abi_field
gen_field_dyn(const struct type *t)
{
	t = type_strip(t);
	return (struct abi_field){
		.kind = (uint8_t)t->n, .align = 8, .size = (uint32_t)t->size,
	};
}

/* Bytes of n as a string, NUL included. */
static uint64_t
string_size(const struct gen *g, const struct type *t)
{
	t = type_strip(t);
	if (type_is_string(t))
		return t->size;
	uint64_t n = gen_array_limit(t);
	/* It may be full, without a NUL. */
	return n ? BASE_MIN(n + 1, g->strsize) : g->strsize;
}

/* A constant of a type that no register holds is recorded as text. */
static const char *
float_text(const struct ast_node *n)
{
	n = sema_eval(n);
	while (n->kind == AST_BINARY && n->op == AST_COMMA)
		n = sema_eval(n->kid[1]);
	return n->kind == AST_FLOAT && gen_is_ref(n->type) ? n->str : NULL;
}

static struct abi_field
field_of(const struct gen *g, const struct ast_node *n, bool as_string,
	 struct gen_want *want)
{
	int part = gen_probe_part(n);
	const struct type *t = type_strip(sema_eval(n)->type);
	const char *text = float_text(n);
	struct sema_width width = sema_width_of(n);

	*want = (struct gen_want){ .as_string = false };
	if (part >= 0)
		return (struct abi_field){
			.kind = ABI_FIELD_PROBE, .sub = (uint8_t)part,
			.align = 4, .size = 4,
		};
	if (type_is_dyn(t))
		return gen_field_dyn(t);
	if (text)
		return gen_field_string(strlen(text) + 1, want);
	if (type_is_string(t) || (as_string && type_is_strcompat(t)))
		return gen_field_string(string_size(g, t), want);
	if (type_is_integer(t) && width.is_wide)
		return gen_field_wide(t, width.columns, want);
	if (!gen_is_ref(t) || type_is_func(t))
		return gen_field_int(gen_int_of(t), want);
	return (struct abi_field){
		.kind = ABI_FIELD_BYTES, .size = (uint32_t)type_size(t),
		.align = (uint8_t)BASE_MIN(type_align(t), 8u),
	};
}

struct abi_field
gen_field(const struct gen *g, const struct ast_node *n, bool as_string,
	  struct gen_want *want)
{
	struct abi_field f = field_of(g, n, as_string, want);

	if (type_is_float(sema_eval(n)->type))
		f.sub = ABI_MEANS_FLOAT;
	return f;
}

/* The value in a register, and what it is. */
static uint32_t
result(struct gen_code *c, const struct ast_node *n, struct gen_want want,
       struct dif_type *ret)
{
	struct gen_val v = want.no_value ? gen_effect(c, n) : gen_eval(c, n);
	const struct type *t = sema_eval(n)->type;

	*ret = gen_dif_type(t, v.user);
	if (want.no_value)
		return gen_in_reg(c, v);
	if (want.as_memory) {
		*ret = (struct dif_type){
			.ckind = DIF_CK_ARRAY, .size = (uint32_t)want.size,
			.flags = (uint8_t)(DIF_TF_BYREF |
					   (v.user ? DIF_TF_BYUREF : 0)),
		};
		return gen_in_reg(c, gen_clean(c, v));
	}
	if (want.as_string) {
		uint64_t limit = gen_string_limit(n);
		/* The field would read on behind the array.  A process's string
		 * may not be there yet: copyinstr() knows where else it is. */
		if (v.user || (limit && limit + 1 < want.size))
			v = gen_operand(c, n, v, false);
		*ret = gen_dif_string(want.size);
		return gen_in_reg(c, v);
	}
	if (want.as_int) {
		if (ret->size != want.as.size || ret->flags)
			*ret = (struct dif_type){ .ckind = DIF_CK_INTEGER,
						  .size = want.as.size };
		return gen_as(c, v, want.as);
	}
	return gen_in_reg(c, gen_clean(c, v));
}

const struct dif_difo *
gen_difo(struct gen *g, const struct ast_node *n, struct gen_want want)
{
	struct gen_code c;
	struct dif_type rtype;
	const struct dif_difo *d = NULL;

	if (gen_code_init(&c, g, sema_eval(n)->span)) {
		uint32_t reg = result(&c, n, want, &rtype);
		gen_emit(&c, DIF_OP_RET, 0, 0, reg, 0);
		gen_regs(&c);
		d = gen_finish(&c, rtype);
	}
	gen_code_fini(&c);
	return d;
}
