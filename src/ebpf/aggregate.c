/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Aggregating: the key, the cells that belong to it, and what is added to them.
 *
 *  1. The parts of a key lie in it, and it fits its map.
 *  2. A brief key is built of a whole one that lies in the slot.
 *  3. The cells of an aggregation without keys lie in the row.
 */
#include <assert.h>

#include "abi/quant.h"
#include "ebpf/clause_priv.h"

/* Operands that wait for others; which: CF_VAL or CF_INCR.  Where a frame is
 * lost meanwhile they are in the slot. */
static void
keep_operand(struct ebpf_body *b, int32_t which)
{
	if (b->looping)
		ebpf_store(b->o, 8, R_SLOT, (int32_t)b->g->lay.operands +
			   CF_VAL - which, BPF_REG_0);
	else
		ebpf_store(b->o, 8, BPF_REG_10, which, BPF_REG_0);
}

static void
operand(struct ebpf_body *b, uint8_t dst, int32_t which)
{
	if (b->looping)
		ebpf_load(b->o, 8, dst, R_SLOT, (int32_t)b->g->lay.operands +
			  CF_VAL - which);
	else
		ebpf_load(b->o, 8, dst, BPF_REG_10, which);
}

static const struct ebpf_aggmap *
map_of(const struct ebpf *g, const struct ebpf_agg_place *at)
{
	assert(at->map && at->map <= g->naggmaps);
	return &g->aggmaps[at->map - 1];
}

/* Bytes of a whole key as its map has it, the tag left out. */
static uint32_t
whole_size(const struct ebpf *g, const struct abi_agg_desc *a)
{
	return map_of(g, &g->aggs[a->id - 1].whole)->key_size;
}

/* Where a frame is lost between two parts of a key, keys are in the slot. */
static bool
small_key(const struct ebpf_body *b, const struct abi_agg_desc *a)
{
	return whole_size(b->g, a) + ABI_TAG_SIZE <= CF_KEYMAX && !b->looping;
}

static uint8_t
key_base(const struct ebpf_body *b, const struct abi_agg_desc *a)
{
	return small_key(b, a) ? BPF_REG_10 : R_SLOT;
}

static int32_t
key_off(const struct ebpf_body *b, const struct abi_agg_desc *a)
{
	return small_key(b, a) ? CF_KEY : (int32_t)b->g->lay.aggkey;
}

/* The parts fill the key without gaps, each part all its bytes. */
static bool
key_is_dense(const struct abi_agg_desc *a, const struct plan_node *n)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < a->nkeys; i++) {
		const struct abi_field *f = &a->keys[i];
		if (f->offset != at)
			return false;
		if (f->kind == ABI_FIELD_STRING &&
		    !(f->size == 16 && n->difos[i] &&
		      ebpf_difo_bvar(n->difos[i]) == DIF_VAR_EXECNAME))
			return false;
		at += f->size;
	}
	return at == a->key_size;
}

static void
agg_key(struct ebpf_body *b, const struct plan_node *n)
{
	struct ebpf_out *o = b->o;
	const struct abi_agg_desc *a = n->agg;
	uint8_t base = key_base(b, a);
	int32_t off = key_off(b, a);

	if (!key_is_dense(a, n))
		ebpf_zero(o, base, off, whole_size(b->g, a));
	else if (a->key_size < whole_size(b->g, a))
		ebpf_zero(o, base, off + (int32_t)a->key_size,
			  whole_size(b->g, a) - a->key_size);
	for (uint32_t i = 0; i < a->nkeys; i++) {
		assert(a->keys[i].offset + a->keys[i].size <= a->key_size); /* 1 */
		ebpf_field(b, &a->keys[i], n->difos[i], base,
			   off + (int32_t)a->keys[i].offset, n->action_no);
		if (i + 1 < a->nkeys)
			ebpf_free_scratch(b, n->difos[i]);
	}
}

static void
agg_values(struct ebpf_body *b, const struct plan_node *n)
{
	uint32_t i = n->agg->nkeys;

	if (n->has_value) {
		ebpf_number(b, n->difos[i++], n->action_no);
		keep_operand(b, CF_VAL);
	}
	if (n->has_incr) {
		ebpf_number(b, n->difos[i], n->action_no);
		keep_operand(b, CF_INCR);
	}
}

/* Where a key is looked for: two maps or two others, since changing a map of maps
 * from outside makes the kernel wait for a grace period, 15 ms each. */
struct place {
	const struct ebpf_aggmap *map;
	uint8_t base;		/* of the key */
	int32_t off;
};

static void
agg_map(struct ebpf_out *o, const struct place *p, int gen)
{
	struct ebpf_mapdef def = {
		.type = BPF_MAP_TYPE_HASH,
		.key_size = p->map->key_size + ABI_TAG_SIZE,
		.value_size = p->map->ncells * 8, .max_entries = 1,
		.map_flags = BPF_F_NO_PREALLOC,
	};

	ebpf_map(o, BPF_REG_1, ebpf_map_sym(o->g, p->map->map[gen], &def));
}

static void
agg_lookup(struct ebpf_out *o, const struct place *p, int gen)
{
	agg_map(o, p, gen);
	ebpf_lea(o, BPF_REG_2, p->base, p->off);
	ebpf_helper(o, BPF_FUNC_map_lookup_elem);
}

/* r0 <- the cells for the key in one generation's map, then to `have`; to
 * `drop` when there is no room. */
static void
generation(struct ebpf_out *o, const struct place *p, int gen, int have,
	   int drop)
{
	agg_lookup(o, p, gen);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0, have);
	agg_map(o, p, gen);
	ebpf_lea(o, BPF_REG_2, p->base, p->off);
	ebpf_data(o, BPF_REG_3, SEC_STRS, o->g->zeros);
	ebpf_imm(o, BPF_REG_4, BPF_NOEXIST);
	ebpf_helper(o, BPF_FUNC_map_update_elem);
	agg_lookup(o, p, gen);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0, have);
	ebpf_jmp(o, drop);
}

static void
generations(struct ebpf_out *o, const struct place *p, int have, int drop)
{
	int second = ebpf_label(o);

	o->use.gen = true;
	ebpf_load(o, 1, BPF_REG_0, R_FS, FS_GEN);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0, second);
	generation(o, p, 0, have, drop);
	ebpf_place(o, second);
	generation(o, p, 1, have, drop);
}

/* To `whole` when some part of the key goes on where a brief one ends. */
static void
check_brief(struct ebpf_out *o, const struct abi_agg_desc *a, int whole)
{
	for (uint32_t i = 0; i < a->nkeys; i++) {
		const struct abi_field *f = &a->keys[i];
		uint32_t part = abi_brief_part(f);
		unsigned last = f->kind == ABI_FIELD_STRING ? 1 : 8;
		if (part == f->size)
			continue;
		ebpf_load(o, last, BPF_REG_0, R_SLOT,
			  (int32_t)(o->g->lay.aggkey + f->offset + part -
				    last));
		ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0, whole);
	}
}

static void
make_brief(struct ebpf_out *o, const struct abi_agg_desc *a)
{
	int32_t to = (int32_t)o->g->lay.brief;

	for (uint32_t i = 0; i < a->nkeys; i++) {
		int32_t from = (int32_t)(o->g->lay.aggkey + a->keys[i].offset);
		uint32_t size = abi_brief_part(&a->keys[i]), at = 0;
		uint32_t end = (uint32_t)base_align(size, 8);
		while (at < size) {
			unsigned step = ebpf_step(R_SLOT, from, size - at, 8);
			ebpf_load(o, step, BPF_REG_0, R_SLOT,
				  from + (int32_t)at);
			ebpf_store(o, step, R_SLOT, to + (int32_t)at,
				   BPF_REG_0);
			at += step;
		}
		ebpf_zero(o, R_SLOT, to + (int32_t)size, end - size);
		to += (int32_t)end;
	}
	assert((uint32_t)to - o->g->lay.brief == abi_brief_size(a));	/* 2 */
}

/* Is a value in several pieces?  Then R_D1 is the cell that is meant. */
static bool
in_pieces(const struct abi_agg_desc *a)
{
	return abi_agg_pieces(a) > 1;
}

/* r2 <- what the tag has of the piece of R_D1.  Most numbers that quantize() is
 * given lie in the piece of 1 to 2^32.  To ask for that lets the processor look the
 * key up while it still computes the bucket. */
static void
piece_of_tag(struct ebpf_out *o, const struct abi_agg_desc *a)
{
	enum { LIKELY = (ABI_QUANTIZE_ZERO + 1) >> ABI_PIECE_SHIFT };
	int32_t ncpus = (int32_t)o->g->in->ncpus;
	int have = ebpf_label(o), other = ebpf_label(o);

	ebpf_mov(o, BPF_REG_2, R_D1);
	ebpf_alu_imm(o, BPF_RSH, BPF_REG_2, ABI_PIECE_SHIFT);
	if (a->func == ABI_AGG_QUANTIZE) {
		ebpf_jmp_imm(o, BPF_JNE, BPF_REG_2, LIKELY, other);
		ebpf_imm(o, BPF_REG_2, (uint64_t)ABI_TAG(LIKELY, 0, ncpus));
		ebpf_jmp(o, have);
	}
	ebpf_place(o, other);
	ebpf_alu_imm(o, BPF_MUL, BPF_REG_2, ncpus);
	ebpf_place(o, have);
}

/* Put the tag of this CPU's piece behind the key. */
static void
put_tag(struct ebpf_out *o, const struct abi_agg_desc *a,
	const struct ebpf_agg_place *at, const struct place *p)
{
	uint32_t ncpus = o->g->in->ncpus;

	ebpf_load(o, 4, BPF_REG_1, R_FS, FS_CPU);
	if (in_pieces(a)) {
		piece_of_tag(o, a);
		ebpf_alu(o, BPF_ADD, BPF_REG_1, BPF_REG_2);
	}
	if (at->first)
		ebpf_alu_imm(o, BPF_ADD, BPF_REG_1,
			     (int32_t)ABI_TAG(at->first, 0, ncpus));
	ebpf_store(o, 4, p->base, p->off + (int32_t)p->map->key_size,
		   BPF_REG_1);
}

/* r0 <- the cells for the key. */
static void
keyed_cells(struct ebpf_body *b, const struct abi_agg_desc *a, int drop)
{
	struct ebpf *g = b->g;
	struct ebpf_out *o = b->o;
	const struct ebpf_agg *at = &g->aggs[a->id - 1];
	struct place all = { map_of(g, &at->whole), key_base(b, a),
			     key_off(b, a) };
	int whole = ebpf_label(o), have = ebpf_label(o);

	assert(a->key_size <= all.map->key_size);			/* 1 */
	if (at->brief.map) {
		assert(all.base == R_SLOT);				/* 2 */
		struct place brief = { map_of(g, &at->brief), R_SLOT,
				       (int32_t)g->lay.brief };
		check_brief(o, a, whole);
		make_brief(o, a);
		put_tag(o, a, &at->brief, &brief);
		generations(o, &brief, have, drop);
	}
	ebpf_place(o, whole);
	put_tag(o, a, &at->whole, &all);
	generations(o, &all, have, drop);
	ebpf_place(o, have);
}

/* r0 <- the cells of an aggregation without keys, in this CPU's row. */
static void
plain_cells(struct ebpf_out *o, const struct abi_agg_desc *a, int drop)
{
	uint32_t ncpus = o->g->in->ncpus;

	assert(o->g->aggs[a->id - 1].offset + (a->ncells + 1) * 8 <=
	       o->g->agg_row);						/* 3 */
	o->use.gen = true;
	ebpf_load(o, 4, BPF_REG_1, R_FS, FS_CPU);
	ebpf_jmp_imm(o, BPF_JGE, BPF_REG_1, (int32_t)ncpus, drop);
	ebpf_load(o, 1, BPF_REG_2, R_FS, FS_GEN);
	ebpf_alu_imm(o, BPF_AND, BPF_REG_2, 1);
	ebpf_alu_imm(o, BPF_MUL, BPF_REG_2, (int32_t)ncpus);
	ebpf_alu(o, BPF_ADD, BPF_REG_1, BPF_REG_2);
	ebpf_alu_imm(o, BPF_MUL, BPF_REG_1, (int32_t)o->g->agg_row);
	ebpf_data(o, BPF_REG_0, SEC_AGG, o->g->aggs[a->id - 1].offset);
	ebpf_alu(o, BPF_ADD, BPF_REG_0, BPF_REG_1);
	ebpf_store_imm(o, 8, BPF_REG_0, (int32_t)a->ncells * 8, 1);
}

/* Atomically add r1 to the word at r0 + off. */
static void
add_cell(struct ebpf_out *o, int32_t off)
{
	ebpf_emit(o, BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_0, BPF_REG_1,
		  (int16_t)off, BPF_ADD);
}

/* r1 <- the increment. */
static void
increment(struct ebpf_body *b, const struct plan_node *n)
{
	if (n->has_incr)
		operand(b, BPF_REG_1, CF_INCR);
	else
		ebpf_imm(b->o, BPF_REG_1, 1);
}

/* r0 <- r1's bucket among those of one magnitude, from `at` on, each `width`
 * wide, the first being number `bucket`. */
static void
llq_magnitude(struct ebpf_out *o, uint64_t at, uint64_t width, uint32_t bucket)
{
	ebpf_mov(o, BPF_REG_0, BPF_REG_1);
	ebpf_imm(o, BPF_REG_2, at);
	ebpf_alu(o, BPF_SUB, BPF_REG_0, BPF_REG_2);
	ebpf_imm(o, BPF_REG_2, width);
	ebpf_alu(o, BPF_DIV, BPF_REG_0, BPF_REG_2);
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_0, (int32_t)bucket);
}

/* llquantize's bucket as a ladder of compares: the parameters are constants,
 * and a loop over magnitudes would take the verifier too long. */
static void
llq_bucket(struct ebpf_out *o, const struct plan_node *n)
{
	uint64_t arg = n->agg->arg, at = 1;
	uint32_t bucket = 1;
	int done = ebpf_label(o);

	for (uint32_t k = 0; k < ABI_LLQ_LOW(arg); k++)
		at *= ABI_LLQ_FACTOR(arg);
	ebpf_imm(o, BPF_REG_0, 0);
	ebpf_imm(o, BPF_REG_2, at);
	ebpf_jmp_reg(o, BPF_JSLT, BPF_REG_1, BPF_REG_2, done);
	for (uint32_t k = ABI_LLQ_LOW(arg); k <= ABI_LLQ_HIGH(arg); k++) {
		uint64_t next = at * ABI_LLQ_FACTOR(arg);
		uint64_t width = next / ABI_LLQ_NSTEPS(arg);
		int higher = ebpf_label(o);
		if (!width)
			width = 1;
		ebpf_imm(o, BPF_REG_2, next);
		ebpf_jmp_reg(o, BPF_JGE, BPF_REG_1, BPF_REG_2, higher);
		llq_magnitude(o, at, width, bucket);
		ebpf_jmp(o, done);
		ebpf_place(o, higher);
		bucket += (uint32_t)((next - at + width - 1) / width);
		at = next;
	}
	ebpf_imm(o, BPF_REG_0, bucket);
	ebpf_place(o, done);
}

/* Where in SEC_STRS the logarithm of a number stands whose ones all lie below
 * its zeros, at the top six bits of its product with LOG_FACTOR.  (-2^63 shares
 * the bucket of -2^62.) */
#define LOG_FACTOR 0x03f79d71b4cb0a89ULL
enum { LOG_MAX = 62 };

static uint32_t
log_table(struct ebpf *g)
{
	char log[64];

	for (int i = 0; i < 64; i++)
		log[(UINT64_MAX >> (63 - i)) * LOG_FACTOR >> 58] =
			(char)BASE_MIN(i, (int)LOG_MAX);
	return ebpf_str(g, log, sizeof(log));
}

/* r0 <- abi_quantize_bucket(r1): without branches, which the verifier would
 * follow each, and in line, since a call takes as long as this. */
static void
quantize_bucket(struct ebpf_out *o)
{
	ebpf_mov(o, BPF_REG_2, BPF_REG_1);	/* all ones if negative */
	ebpf_alu_imm(o, BPF_ARSH, BPF_REG_2, 63);
	ebpf_alu(o, BPF_XOR, BPF_REG_1, BPF_REG_2);
	ebpf_alu(o, BPF_SUB, BPF_REG_1, BPF_REG_2);
	for (int by = 1; by < 64; by *= 2) {
		ebpf_mov(o, BPF_REG_3, BPF_REG_1);
		ebpf_alu_imm(o, BPF_RSH, BPF_REG_3, by);
		ebpf_alu(o, BPF_OR, BPF_REG_1, BPF_REG_3);
	}
	ebpf_imm(o, BPF_REG_3, LOG_FACTOR);
	ebpf_alu(o, BPF_MUL, BPF_REG_3, BPF_REG_1);
	ebpf_alu_imm(o, BPF_RSH, BPF_REG_3, 58);
	ebpf_data(o, BPF_REG_0, SEC_STRS, log_table(o->g));
	ebpf_alu(o, BPF_ADD, BPF_REG_0, BPF_REG_3);
	ebpf_load(o, 1, BPF_REG_0, BPF_REG_0, 0);
	ebpf_alu_imm(o, BPF_AND, BPF_REG_1, 1);	/* 0: the number is 0 */
	ebpf_alu(o, BPF_ADD, BPF_REG_0, BPF_REG_1);
	ebpf_alu(o, BPF_XOR, BPF_REG_0, BPF_REG_2);
	ebpf_alu(o, BPF_SUB, BPF_REG_0, BPF_REG_2);
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_0, ABI_QUANTIZE_ZERO);
}

/* R_D1 <- the cell for the value's bucket. */
static void
choose_bucket(struct ebpf_body *b, const struct plan_node *n, int drop)
{
	struct ebpf_out *o = b->o;

	operand(b, BPF_REG_1, CF_VAL);
	switch (n->agg->func) {
	case ABI_AGG_QUANTIZE:
		quantize_bucket(o);
		break;
	case ABI_AGG_LQUANTIZE:
		ebpf_imm(o, BPF_REG_2, n->agg->arg);
		ebpf_rt(o, "rt_lquantize", 2);
		break;
	default:
		llq_bucket(o, n);
		break;
	}
	ebpf_jmp_imm(o, BPF_JGE, BPF_REG_0, (int32_t)n->agg->ncells, drop);
	ebpf_mov(o, R_D1, BPF_REG_0);
}

/* Add the increment to the bucket. */
static void
add_bucket(struct ebpf_body *b, const struct plan_node *n)
{
	struct ebpf_out *o = b->o;

	if (n->agg->nkeys && in_pieces(n->agg))
		ebpf_alu_imm(o, BPF_AND, R_D1, ABI_PIECE - 1);
	ebpf_alu_imm(o, BPF_LSH, R_D1, 3);
	ebpf_alu(o, BPF_ADD, BPF_REG_0, R_D1);
	increment(b, n);
	add_cell(o, 0);
}

/* Raise the cell to the encoded value: all bits of `flip` inverted. */
static void
raise_cell(struct ebpf_body *b, uint64_t flip, int drop)
{
	struct ebpf_out *o = b->o;

	operand(b, BPF_REG_2, CF_VAL);
	ebpf_imm(o, BPF_REG_1, flip);
	ebpf_alu(o, BPF_XOR, BPF_REG_2, BPF_REG_1);
	ebpf_mov(o, BPF_REG_1, BPF_REG_0);
	ebpf_rt(o, "rt_max", 2);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0, drop);
}

static void
update_cells(struct ebpf_body *b, const struct plan_node *n, int drop)
{
	struct ebpf_out *o = b->o;

	switch (n->agg->func) {
	case ABI_AGG_COUNT:
		ebpf_imm(o, BPF_REG_1, 1);
		add_cell(o, 0);
		break;
	case ABI_AGG_SUM:
		operand(b, BPF_REG_1, CF_VAL);
		add_cell(o, 0);
		break;
	case ABI_AGG_AVG:
		ebpf_imm(o, BPF_REG_1, 1);
		add_cell(o, 0);
		operand(b, BPF_REG_1, CF_VAL);
		add_cell(o, 8);
		break;
	case ABI_AGG_MIN:
		raise_cell(b, abi_agg_min_encode(0), drop);
		break;
	case ABI_AGG_MAX:
		raise_cell(b, abi_agg_max_encode(0), drop);
		break;
	case ABI_AGG_STDDEV:
		ebpf_mov(o, BPF_REG_1, BPF_REG_0);
		operand(b, BPF_REG_2, CF_VAL);
		ebpf_rt(o, "rt_stddev", 2);
		break;
	case ABI_AGG_QUANTIZE:
	case ABI_AGG_LQUANTIZE:
	case ABI_AGG_LLQUANTIZE:
		add_bucket(b, n);
		break;
	}
}

void
ebpf_aggregate(struct ebpf_body *b, const struct plan_node *n)
{
	struct ebpf_out *o = b->o;
	int drop = ebpf_label(o), out = ebpf_label(o);

	if (n->agg->nkeys)
		agg_key(b, n);
	agg_values(b, n);
	if (abi_agg_is_histogram(n->agg->func))
		choose_bucket(b, n, drop);
	if (n->agg->nkeys)
		keyed_cells(b, n->agg, drop);
	else
		plain_cells(o, n->agg, drop);
	update_cells(b, n, drop);
	ebpf_jmp(o, out);
	ebpf_place(o, drop);
	ebpf_drop(o, ABI_DROP_AGGREGATION);
	ebpf_place(o, out);
}
