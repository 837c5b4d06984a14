/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A DIFO from any bytes: tables first, and all that is left is text, so that an
 * input which is cut short still has them.  What the verifier takes runs in the
 * interpreter and goes through the generator, as each kind of node that a
 * clause can have; neither may crash.
 */
#include <stdlib.h>
#include <string.h>

#include "difo.h"
#include "engine.h"

/* --- As bytes -------------------------------------------------------------- */

static void
put(struct sb *b, uint64_t v, unsigned n)
{
	sb_putn(b, &v, n);
}

static void
put_type(struct sb *b, const struct dif_type *t)
{
	put(b, t->kind, 1);
	put(b, t->ckind, 1);
	put(b, t->flags, 1);
	put(b, t->pad, 1);
	put(b, t->size, 4);
}

void
difo_encode(const struct dif_difo *d, struct sb *b)
{
	put_type(b, &d->rtype);
	put(b, d->nints, 2);
	put(b, d->strs_size, 2);
	put(b, d->nvars, 1);
	sb_putn(b, d->ints, d->nints * sizeof(*d->ints));
	sb_putn(b, d->strs, d->strs_size);
	for (uint32_t i = 0; i < d->nvars; i++) {
		const struct dif_var *v = &d->vars[i];
		put(b, v->name, 2);
		put(b, v->id, 2);
		put(b, v->kind, 1);
		put(b, v->scope, 1);
		put(b, v->flags, 1);
		put_type(b, &v->type);
	}
	sb_putn(b, d->text, d->ntext * sizeof(*d->text));
}

static struct dif_type
take_type(struct bytes *b)
{
	struct dif_type t = { bytes_u8(b), bytes_u8(b), bytes_u8(b),
			      bytes_u8(b), 0 };

	t.size = bytes_u32(b);
	return t;
}

static struct dif_var
take_var(struct bytes *b)
{
	struct dif_var v = { .name = bytes_u16(b), .id = bytes_u16(b) };

	v.kind = bytes_u8(b);
	v.scope = bytes_u8(b);
	v.flags = bytes_u8(b);
	v.type = take_type(b);
	return v;
}

/* n elements of a size; those that are not there are zero. */
static void *
take_table(struct bytes *b, size_t n, size_t size)
{
	void *p = n ? malloc(n * size) : NULL;

	if (n)
		bytes_copy(b, p, n * size);
	return p;
}

void
difo_decode(struct dif_difo *d, struct bytes b)
{
	*d = (struct dif_difo){ .rtype = take_type(&b) };
	d->nints = bytes_u16(&b);
	d->strs_size = bytes_u16(&b);
	d->nvars = bytes_u8(&b);
	d->ints = take_table(&b, d->nints, sizeof(*d->ints));
	d->strs = take_table(&b, d->strs_size, 1);
	struct dif_var *vars = d->nvars ? calloc(d->nvars, sizeof(*vars))
					: NULL;
	for (uint32_t i = 0; i < d->nvars; i++)
		vars[i] = take_var(&b);
	d->vars = vars;
	d->ntext = (uint32_t)(b.n / sizeof(*d->text));
	d->text = take_table(&b, d->ntext, sizeof(*d->text));
}

void
difo_fini(struct dif_difo *d)
{
	free((void *)d->ints);
	free((void *)d->strs);
	free((void *)d->vars);
	free((void *)d->text);
}

/* --- As a program ------------------------------------------------------------- */

/* Keys of an array, by its id. */
static const struct abi_field keys[] = {
	{ ABI_FIELD_INT, 1, 0, 8, 0, 8 },
	{ ABI_FIELD_STRING, 0, 0, 1, 8, 20 },
	{ ABI_FIELD_INT, 1, 0, 8, 32, 8 },
};

static uint32_t
make_vars(const struct dif_difo *d, struct plan_var *vars)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < d->nvars; i++) {
		const struct dif_var *v = &d->vars[i];
		bool array = v->kind == DIF_VK_ARRAY;
		if (dif_bvar_info(v->id))
			continue;
		vars[n++] = (struct plan_var){
			.name = d->strs + v->name, .id = v->id,
			.scope = v->scope, .kind = v->kind, .type = v->type,
			.nkeys = array ? 1 + v->id % 3 : 0,
			.key_size = array ? 40 : 0, .keys = keys,
		};
	}
	return n;
}

static struct abi_field
make_field(const struct dif_difo *d, uint32_t offset)
{
	const struct dif_type *t = &d->rtype;
	uint32_t size = t->size < 1 ? 1 : t->size > 256 ? 256 : t->size;

	if (t->kind == DIF_TYPE_STRING)
		return (struct abi_field){ ABI_FIELD_STRING, 0, 0, 1, offset,
					   size };
	if (t->flags & DIF_TF_BYREF)
		return (struct abi_field){ ABI_FIELD_BYTES, 0, 0, 1, offset,
					   size };
	return (struct abi_field){ ABI_FIELD_INT, 1, 0, 8, offset, 8 };
}

static void
run(const struct dif_difo *d, uint64_t seed)
{
	const struct dif_difo *difos[] = { d, d };
	struct abi_field field = make_field(d, 16), key = make_field(d, 0);
	struct abi_action action = { .kind = ABI_ACT_DIFEXPR, .nfields = 1 };
	struct abi_agg_desc aggs[] = {
		{ "", 1, ABI_AGG_QUANTIZE, 0, 1,
		  (uint32_t)base_align(key.size, 4), 127, &key },
		{ "n", 2, ABI_AGG_STDDEV, 0, 0, 0, 4, NULL },
	};
	struct plan_node nodes[] = {
		{ .kind = PLAN_EXPR, .ndifos = 1, .next = &nodes[1] },
		{ .kind = PLAN_AGG, .ndifos = 2, .agg = &aggs[0],
		  .has_value = true, .next = &nodes[2] },
		{ .kind = PLAN_AGG, .ndifos = 1, .agg = &aggs[1],
		  .has_value = true, .next = &nodes[3] },
		{ .kind = PLAN_RECORD, .ndifos = 1, .action = &action },
	};
	struct plan_var *vars = calloc(d->nvars + 1, sizeof(*vars));
	struct plan_clause clauses[] = {
		{ .body = nodes },
		{ .pred = d, .body = &nodes[3] },
	};

	for (unsigned i = 0; i < BASE_NELEMS(nodes); i++) {
		nodes[i].difos = difos;
		nodes[i].action_no = i + 1;
	}
	for (unsigned i = 0; i < BASE_NELEMS(clauses); i++)
		clauses[i].desc = (struct abi_clause_desc){
			.record_size = (uint32_t)base_align(16 + field.size, 8),
			.nactions = 1, .nfields = 1, .actions = &action,
			.fields = &field,
		};
	struct plan_prog prog = { clauses, BASE_NELEMS(clauses), vars,
				  make_vars(d, vars), aggs, BASE_NELEMS(aggs),
				  2 + seed % 300 };
	engine_interpret(&prog, seed, 2, NULL, NULL);
	engine_generate(&prog);
	free(vars);
}

void
difo_check(const struct dif_difo *d, uint64_t seed)
{
	char why[160];
	struct base_buf b;

	base_buf_init(&b, why, sizeof(why));
	if (!dif_verify(d, &b)) {
		fuzz_must(b.len > 0);
		return;
	}
	fuzz_must(!b.len);
	engine_print(d);
	run(d, seed);
}
