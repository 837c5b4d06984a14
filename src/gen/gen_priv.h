/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Inside the code generator.  An expression goes through three forms:
 *
 *   tree  --(expr.c, cond.c, ...)-->  struct gen_code: DIF instructions over
 *         any number of virtual registers, and labels
 *         --(regs.c)-->  the same over %r1..%r7, spilling to hidden
 *         clause-locals
 *         --(finish.c)-->  struct dif_difo
 */
#ifndef GEN_GEN_PRIV_H
#define GEN_GEN_PRIV_H

#include "gen/gen.h"
#include "util/hash.h"
#include "util/vec.h"

/* --- Everything that is compiled together ------------------------------- */

/* Which built-in all uses of one part of an aggregation's key name directly,
 * so that four bytes of probe id do for it. */
enum { GEN_PART_UNSEEN = -1, GEN_PART_NO = -2 };

struct gen {
	struct arena *a;
	const struct sema *sema;
	struct diag_list *d;
	uint32_t strsize;		/* bytes, NUL included */
	bool who;			/* records have a struct abi_who */
	uint32_t loopmax;
	uint32_t spill_id;		/* of the first hidden clause-local */
	uint32_t nspills;		/* hidden clause-locals of all DIFOs */
	uint32_t spill_base;		/* the first that is not a function's
					 * that has been compiled */
	const struct plan_func *funcs;	/* those that have been compiled */
	/* [agg id - 1][key]: enum abi_probe_part or GEN_PART_* */
	int **key_parts;
	const char ***key_names;	/* [agg id - 1][key]: text, or NULL */
	const struct abi_agg_desc *aggs;
	uint32_t naggs;
	VEC(const char *) files;	/* see place.c */
	bool failed;			/* reported, or no memory */
};

/* place.c: the span's, abi_place(). */
uint32_t gen_place_of(struct gen *g, struct lang_span span);

/* --- Code with virtual registers ---------------------------------------- */

enum { GEN_LABEL = DIF_NOPS };		/* an op of ours: imm is the label */

struct gen_insn {
	uint8_t op;		/* enum dif_op, or GEN_LABEL */
	uint32_t r1, r2, rd;	/* virtual registers; 0 is %r0 */
	/* SETX: the value; branches and GEN_LABEL: the label; SETS: offset in
	 * strs; variables, arrays and calls: the number. */
	uint64_t imm;
	uint32_t line;
};

/* --- Values ------------------------------------------------------------- */

/* How a number stands in a register: as an integer of `size` bytes. */
struct gen_int {
	uint8_t size;		/* 1, 2, 4, 8 */
	bool is_signed, is_bool;
};

/*
 * A value.  Numbers are extended to 64 bits by their sign, except that the
 * bits above size are anything while dirty.  The value of a struct, union,
 * array, function or string is its address.
 */
struct gen_val {
	uint32_t reg;
	struct gen_int as;
	bool dirty;
	bool is_const;		/* then value holds it and reg is unused */
	bool user;		/* an address in user memory */
	uint64_t value;
};

/* --- Code --------------------------------------------------------------- */

/* While a part of a dynamic variable is stored: the node that names the
 * whole, and where its copy lies. */
struct gen_alias {
	const struct ast_node *node;
	struct gen_val at;
};

struct gen_code {
	struct gen *g;
	VEC(struct gen_insn) insns;
	VEC(char) strs;
	struct hash strs_seen;	/* text -> offset + 1 */
	VEC(struct dif_var) vars;
	VEC(uint8_t) labels;	/* enum gen_label_state */
	uint32_t nregs;		/* virtual registers so far; 0 counts */
	uint32_t nopen;		/* labels used and not yet placed */
	uint32_t nspills;	/* hidden clause-locals */
	unsigned nesting;	/* of expressions being compiled */
	struct gen_alias alias;
	uint32_t line;
	struct lang_span where;	/* where line was counted */
	struct lang_span span;	/* the whole expression, for diagnostics */
	bool failed;
};

bool gen_code_init(struct gen_code *c, struct gen *g, struct lang_span span);
void gen_code_fini(struct gen_code *c);

/* Report that this expression cannot be compiled; once per expression. */
void gen_fail(struct gen_code *c, enum diag_tag tag, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Memory is short: the expression has failed. */
void gen_no_memory(struct gen_code *c);

uint32_t gen_reg(struct gen_code *c);
uint32_t gen_label(struct gen_code *c);
void gen_place(struct gen_code *c, uint32_t label);
/* ba, be ... */
void gen_jump(struct gen_code *c, enum dif_op op, uint32_t label);
void gen_emit(struct gen_code *c, enum dif_op op, uint32_t r1, uint32_t r2,
	      uint32_t rd, uint64_t imm);
/* The same, into a fresh register, which is returned. */
uint32_t gen_emit_reg(struct gen_code *c, enum dif_op op, uint32_t r1,
		      uint32_t r2, uint64_t imm);
/* A constant in a register; %r0 for 0. */
uint32_t gen_const(struct gen_code *c, uint64_t value);
/* rd = reg, without an instruction where the last one can be aimed at rd. */
void gen_move(struct gen_code *c, uint32_t reg, uint32_t rd);
/* Offset of a string (up to its first NUL) in the table. */
uint32_t gen_string(struct gen_code *c, const char *s, size_t n);
/* Enter a variable into the table; flags: DIF_VF_*. */
void gen_use_var(struct gen_code *c, const char *name, uint32_t id,
		 uint8_t kind, uint8_t scope, struct dif_type type,
		 uint16_t flags);
/* The registers an instruction reads and writes. */
struct gen_operands {
	uint32_t *use[3];
	unsigned nuses;
	uint32_t *def;		/* or NULL */
};
struct gen_operands gen_operands(struct gen_insn *i);

/* Virtual registers become 1..7. */
void gen_regs(struct gen_code *c);
/* To a DIFO in the arena; NULL when it failed. */
const struct dif_difo *gen_finish(struct gen_code *c, struct dif_type rtype);

/* --- Working with values ------------------------------------------------- */

extern const struct gen_int gen_int_s32, gen_int_s64, gen_int_u64;

/* Values of this type are addresses of it. */
bool gen_is_ref(const struct type *t);
/* ... and this is how they, or the numbers, stand in a register. */
struct gen_int gen_int_of(const struct type *t);
/* As what integers of type t are computed. */
struct gen_int gen_arith_int(const struct type *t);
/* As what a variable, or whatever is assigned to, holds its integer. */
struct gen_int gen_var_int(const struct sema_ident *id);
struct gen_int gen_target_int(const struct ast_node *target);
struct dif_type gen_dif_type(const struct type *t, bool user);
struct dif_type gen_dif_var(const struct sema_ident *id);
struct dif_type gen_dif_string(uint64_t size);
/* Of a variable: what lies in memory is kept as bytes there. */
struct dif_type gen_dif_var(const struct sema_ident *id);

struct gen_val gen_val_reg(uint32_t reg, struct gen_int as);
struct gen_val gen_val_const(uint64_t value, struct gen_int as);
/* The value in a register, as it is. */
uint32_t gen_in_reg(struct gen_code *c, struct gen_val v);
/* Extended to 64 bits. */
struct gen_val gen_clean(struct gen_code *c, struct gen_val v);
/* C's conversion; the result may be dirty. */
struct gen_val gen_convert(struct gen_code *c, struct gen_val v,
			   struct gen_int to);
/* v, a number of type from, as target holds it. */
struct gen_val gen_convert_to(struct gen_code *c, struct gen_val v,
			      const struct type *from,
			      const struct ast_node *target);
/* Before gen_convert(): v, the value of n, encoded as one of type `to`, where one of
 * the two is a floating-point number. */
struct gen_val gen_recode(struct gen_code *c, const struct ast_node *n,
			  struct gen_val v, const struct type *to);
/* gen_convert() and gen_clean(): a register with the value. */
uint32_t gen_as(struct gen_code *c, struct gen_val v, struct gen_int to);

/* --- Expressions -------------------------------------------------------- */

struct gen_val gen_eval(struct gen_code *c, const struct ast_node *n);
/* Two operands; the one that needs more registers first. */
void gen_eval2(struct gen_code *c, const struct ast_node *a,
	       const struct ast_node *b, struct gen_val *va,
	       struct gen_val *vb);
/* The function of the program that n calls, or NULL. */
const struct sema_func *gen_func_of(const struct ast_node *n);
/* Does evaluating n assign to anything? */
bool gen_has_effect(const struct ast_node *n);
/* Evaluate b before a? */
bool gen_swaps(const struct ast_node *a, const struct ast_node *b);
/* As what a op b, of type t, is computed when the result goes to something that
 * holds it as `to`: what is cut then need not be right before. */
struct gen_int gen_arith_for(enum ast_op op, const struct type *t,
			     struct gen_int to);
/* a op b for integers and pointers of C type t.  Also for op=. */
struct gen_val gen_arith(struct gen_code *c, enum ast_op op,
			 struct gen_val a, struct gen_val b, struct gen_int t);
/* p + i * (size of what t points to) */
struct gen_val gen_ptr_add(struct gen_code *c, struct gen_val p,
			   struct gen_val i, const struct type *t, bool minus);
/* The value 0 or 1 of a comparison or logical operator. */
struct gen_val gen_truth(struct gen_code *c, const struct ast_node *n);
struct gen_val gen_select(struct gen_code *c, const struct ast_node *n);
struct gen_val gen_assign(struct gen_code *c, const struct ast_node *n);
struct gen_val gen_step(struct gen_code *c, const struct ast_node *n);
/* Evaluate n, a statement, for its effect alone; the result is any value. */
struct gen_val gen_effect(struct gen_code *c, const struct ast_node *n);
/* A translated struct as a whole, in scratch. */
struct gen_val gen_xlate(struct gen_code *c, const struct ast_node *n);
struct gen_val gen_call(struct gen_code *c, const struct ast_node *n);
/* call subr(args); kinds as in subrs.def. */
uint32_t gen_call_subr(struct gen_code *c, unsigned subr, const char *kinds,
		       const uint32_t *args, const uint32_t *limits,
		       unsigned n);

/*
 * v, the value of n that is to be a string operand.  What lies in user memory
 * is copied in.  is_bounded: whoever reads it knows how long an array is
 * (gen_limit()); else what may be an array without a NUL is copied, too.
 */
struct gen_val gen_operand(struct gen_code *c, const struct ast_node *n,
			   struct gen_val v, bool is_bounded);

/* v, the value of n, kept while `later` (and what stands behind it in its list)
 * is evaluated: a copy when that might change the variable v lies in. */
struct gen_val gen_hold(struct gen_code *c, const struct ast_node *n,
			struct gen_val v, const struct ast_node *later);

/* Memory: base + off. */
struct gen_addr {
	struct gen_val base;
	uint64_t off;		/* bytes */
};

/* Where the object n lies.  n: an lvalue in memory, or a value by
 * reference. */
struct gen_addr gen_addr(struct gen_code *c, const struct ast_node *n);
/* For operator &: an element may be the one behind the last. */
struct gen_addr gen_addr_of(struct gen_code *c, const struct ast_node *n);
/* i, which must be below n. */
struct gen_val gen_check_bound(struct gen_code *c, struct gen_val i,
			       uint64_t n);
uint32_t gen_addr_reg(struct gen_code *c, struct gen_addr a);
/* bits: width of a bit-field that starts at bit_offset behind a, or 0. */
struct gen_val gen_load(struct gen_code *c, struct gen_addr a,
			const struct type *t);
struct gen_val gen_load_bits(struct gen_code *c, struct gen_addr a,
			     const struct type *t, uint64_t bit_offset,
			     uint32_t bits);
void gen_store(struct gen_code *c, struct gen_addr a, struct gen_val v,
	       const struct type *t);
/* The field's type is t; the result is what the field then holds. */
struct gen_val gen_store_bits(struct gen_code *c, struct gen_addr a,
			      struct gen_val v, const struct type *t,
			      uint64_t bit_offset, uint32_t bits);
/* The address of v, a struct of size bytes, in memory that can be copied
 * from: v itself, or a copy when v lies in user memory. */
uint32_t gen_copy_in(struct gen_code *c, struct gen_val v, uint64_t size);

/* Variables.  keys are registers, NULL for scalars. */
struct gen_var {
	const struct sema_ident *id;
	uint32_t n;			/* cells of the tuple, n of each: */
	uint32_t *keys, *limits;	/* limits: of strings, as gen_limit() */
	bool *is_str;
	bool keep;	/* the load leaves the tuple for the store */
};
/* How many numbers or strings of a tuple one key is. */
uint32_t gen_key_cells(const struct sema_key *k);
/* A variable's scope: DIF_VS_*. */
uint8_t gen_scope(const struct sema_ident *id);
/* n names a variable of the program itself (not a part of one). */
const struct sema_ident *gen_is_var(const struct ast_node *n);
/* Is n an element of an array, or a byte of a string? */
bool gen_is_part(const struct ast_node *n);
/* The node of the variable that n is or is a part of, or NULL. */
const struct ast_node *gen_whole(const struct ast_node *n);
struct gen_var gen_var_open(struct gen_code *c, const struct ast_node *n);
struct gen_val gen_var_load(struct gen_code *c, const struct gen_var *v);
void gen_var_store(struct gen_code *c, const struct gen_var *v,
		   struct gen_val val);
/* The same, from bytes laid out as the variable's. */
void gen_var_store_bytes(struct gen_code *c, const struct gen_var *v,
			 struct gen_val val);
/* Where it lies: an in_memory one. */
struct gen_val gen_var_addr(struct gen_code *c, const struct gen_var *v);
/* Add the number in a register to a global; *old, unless NULL, becomes what was
 * there before. */
void gen_var_add(struct gen_code *c, const struct gen_var *v, uint32_t reg,
		 struct gen_val *old);
/* t: the type of what it holds. */
struct gen_val gen_bvar_load(struct gen_code *c, unsigned id,
			     const struct type *t);
/* Bytes that a string in an object of type t may have; 0: strsize.  Arrays of
 * none or one at the end of a struct are longer than they say. */
uint64_t gen_array_limit(const struct type *t);
/* How many bytes a string at n may have at most, 0: strsize; the same in a
 * register. */
uint64_t gen_string_limit(const struct ast_node *n);
uint32_t gen_limit(struct gen_code *c, const struct ast_node *n);

/* --- DIFOs and plans ---------------------------------------------------- */

/* What a DIFO is to return. */
struct gen_want {
	bool as_string;			/* an address, typed string */
	bool as_int;			/* converted to `as` */
	struct gen_int as;
	bool no_value;			/* only the effect matters */
	bool as_memory;			/* an address of `size` bytes */
	uint64_t size;			/* of the string, of the memory */
};
const struct dif_difo *gen_difo(struct gen *g, const struct ast_node *n,
				struct gen_want want);

/* The field that holds the value of n; as_string as for %s.  *want tells
 * gen_difo() what to make. */
struct abi_field gen_field(const struct gen *g, const struct ast_node *n,
			   bool as_string, struct gen_want *want);
/* Of an integer of type t that may be none of its type. */
struct abi_field gen_field_wide(const struct type *t, uint8_t columns,
				struct gen_want *want);
struct abi_field gen_field_int(struct gen_int as, struct gen_want *want);
struct abi_field gen_field_memory(uint64_t size, struct gen_want *want);
struct abi_field gen_field_string(uint64_t size, struct gen_want *want);
/* The field of a stack or symbol. */
struct abi_field gen_field_dyn(const struct type *t);
/* The part of the probe's name that n is, or GEN_PART_NO. */
int gen_probe_part(const struct ast_node *n);

bool gen_agg_table(struct gen *g, const struct sema_prog *const *progs,
		   unsigned nprogs);
bool gen_clause(struct gen *g, const struct sema_clause *sc, bool is_prelude,
		struct plan_clause *ret);
bool gen_func(struct gen *g, const struct sema_func *f, struct plan_func *ret);

#endif
