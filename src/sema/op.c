/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Operators.  What each wants of its operands is a row of a table; the few
 * that want something odd (+ and - with pointers, comparisons, * and &) have
 * functions of their own.
 */
#include <string.h>

#include "sema/call_priv.h"
#include "sema/expand_priv.h"
#include "sema/expand_priv.h"
#include "sema/expr_priv.h"
#include "sema/tree.h"
#include "sema/type_priv.h"
#include "type/convert.h"
#include "type/make.h"

enum want { WANT_ODD, WANT_ARITH, WANT_INT, WANT_SCALAR };

static const struct op {
	const char *text;
	uint8_t want;			/* enum want */
} ops[] = {
#define OP(NAME, text, word, want) [AST_##NAME] = { text, WANT_##want },
#include "lang/op.def"
#undef OP
};

static const struct {
	bool (*ok)(const struct type *t);
	enum diag_tag tag;
	const char *text;
} wants[] = {
	[WANT_ARITH] = { type_is_arith, D_OP_ARITH, "arithmetic" },
	[WANT_INT] = { type_is_integer, D_OP_INT, "integral" },
	[WANT_SCALAR] = { type_is_scalar, D_OP_SCALAR, "scalar" },
};

const char *
sema_op_text(unsigned op)
{
	return op < BASE_NELEMS(ops) && ops[op].text ? ops[op].text : "=";
}

void
sema_hint_float(struct sema *s, const struct type *t)
{
	if (type_is_float(t))
		diag_hint(s->d, "floating-point values can only be copied, "
			  "converted, traced and printed");
}

bool
sema_operand(struct sema *s, const struct ast_node *n, const char *op)
{
	if (type_is_dyn(n->type)) {
		diag(s->d, D_OP_DYN, n->span, "operator %s cannot be applied "
		     "to a value of type %s", op, sema_tname(s, n->type));
		return false;
	}
	if (type_is_float(n->type)) {
		diag(s->d, D_OP_ARITH, n->span, "operator %s cannot be "
		     "applied to floating-point values", op);
		sema_hint_float(s, n->type);
		return false;
	}
	return true;
}

static bool
is_step(unsigned op)
{
	return op >= AST_PREINC && op <= AST_POSTDEC;
}

static bool
is_wanted(struct sema *s, const struct ast_node *n, const struct ast_node *k)
{
	const struct op *op = &ops[n->op];

	if (!sema_operand(s, k, op->text))
		return false;
	if (op->want == WANT_ODD || wants[op->want].ok(sema_decay(s, k)))
		return true;
	diag(s->d, wants[op->want].tag, k->span,
	     "operator %s requires operands of %s type, not %s", op->text,
	     wants[op->want].text, sema_tname(s, k->type));
	if (op->want == WANT_SCALAR && !is_step(n->op) &&
	    type_is_string(k->type))
		diag_hint(s->d, "compare it with \"\" or NULL");
	sema_hint_action(s, k);
	return false;
}

bool
sema_is_cond(struct sema *s, const struct ast_node *n, enum diag_tag tag,
	     const char *what)
{
	if (!n->type)
		return false;
	/* The address of an array is never 0: as a predicate it means that
	 * somebody forgot an index. */
	if (type_is_scalar(tag == D_PRED_SCALAR ? n->type : sema_decay(s, n)))
		return true;
	diag(s->d, tag, n->span,
	     "%s must be an integer or a pointer, not %s", what,
	     sema_tname(s, n->type));
	if (type_is_array(n->type))
		diag_hint(s->d, "compare an element of it");
	sema_hint_action(s, n);
	if (type_is_string(n->type))
		diag_hint(s->d, "compare it with \"\" or NULL");
	return false;
}

const struct type *
sema_arith_type(const struct ast_node *n)
{
	n = sema_eval(n);
	if (!n->bit_size || n->bit_size > 32)
		return n->type;
	return n->bit_size < 32 || type_is_signed_field(n->type) ? &type_int
								: &type_uint;
}

static const struct type *
usual(const struct ast_node *a, const struct ast_node *b)
{
	return type_usual_arith(sema_arith_type(a), sema_arith_type(b));
}

/* --- Pointer arithmetic -------------------------------------------------- */

bool
sema_can_step(struct sema *s, const struct type *p, const char *op,
	      struct lang_span span)
{
	const struct type *to = type_strip(type_strip(p)->base);

	if (type_is_void(to) || type_is_func(to)) {
		diag(s->d, D_OP_VFPTR, span, "operator %s cannot be applied "
		     "to a pointer to void or to a function", op);
		return false;
	}
	if (!type_size(to)) {
		diag(s->d, D_OP_INCOMPLETE, span, "operator %s needs the "
		     "size of %s, which is not known", op,
		     sema_tname(s, to));
		return false;
	}
	return true;
}

static void
incompatible(struct sema *s, const struct ast_node *n)
{
	diag(s->d, D_OP_INCOMPAT, n->op_span.len ? n->op_span : n->span,
	     "operands have incompatible types: \"%s\" %s \"%s\"",
	     sema_tname(s, n->kid[0]->type), sema_op_text(n->op),
	     sema_tname(s, n->kid[1]->type));
}

static void
add(struct sema *s, struct ast_node *n)
{
	const struct type *a = sema_decay(s, n->kid[0]);
	const struct type *b = sema_decay(s, n->kid[1]);
	bool pa = type_is_ptr(a), pb = type_is_ptr(b);
	const char *op = ops[n->op].text;

	if (type_is_integer(a) && type_is_integer(b)) {
		n->type = usual(n->kid[0], n->kid[1]);
	} else if (pa && type_is_integer(b)) {
		if (sema_can_step(s, a, op, n->kid[0]->span))
			n->type = a;
	} else if (pb && type_is_integer(a) && n->op == AST_ADD) {
		if (sema_can_step(s, b, op, n->kid[1]->span))
			n->type = b;
	} else if (pa && pb && n->op == AST_SUB && type_ptr_compat(a, b)) {
		if (sema_can_step(s, a, op, n->kid[0]->span) &&
		    sema_can_step(s, b, op, n->kid[1]->span))
			n->type = &type_long;
	} else {
		incompatible(s, n);
		if (n->op == AST_ADD && (type_is_string(a) ||
					 type_is_string(b)))
			diag_hint(s->d, "strjoin( ) puts strings together");
	}
}

/* --- Comparisons --------------------------------------------------------- */

/* The enumerator of t that name is: as the enum has it, or behind the enum's own name
 * or that of the space around it (shop::kind::pen, shop::pen). */
static bool
find_enumerator(const struct type *t, const char *name, int64_t *ret)
{
	const char *last = strrchr(name, ':');
	size_t n = last ? (size_t)(last - 1 - name) : 0;
	const char *own = t->name ? t->name : "";
	const char *space = strrchr(own, ':');

	if (last && (strncmp(own, name, n) != 0 ||
		     (own[n] && own + n + 1 != space)))
		return false;
	return type_find_enum(t, last ? last + 1 : name, ret);
}

/* The enumerator that an unknown name is when compared with an enum. */
static bool
take_enumerator(struct sema *s, struct ast_node *n, const struct ast_node *with)
{
	int64_t v;

	if (n->kind != AST_IDENT ||
	    !type_is_integer(with->type) ||
	    type_strip(with->type)->kind != TYPE_ENUM ||
	    sema_is_known(s, n->name) ||
	    !find_enumerator(type_strip(with->type), n->name, &v))
		return false;
	return sema_use_enum(s, n, with->type, v);
}

/* Both operands, one that is an unknown name last. */
static void
compare_operands(struct sema *s, struct ast_node *n)
{
	bool swap = n->kid[0]->kind == AST_IDENT &&
		    !sema_is_known(s, n->kid[0]->name);
	struct ast_node *a = n->kid[swap], *b = n->kid[!swap];
	bool asks = n->op == AST_EQ || n->op == AST_NE;	/* args[0] != NULL */
	void (*check)(struct sema *, struct ast_node *) = asks ? sema_expr_any : sema_expr;

	check(s, a);
	if (a->type && take_enumerator(s, b, a))
		return;
	s->beside_string = a->type && type_is_string(a->type);
	check(s, b);
	s->beside_string = false;
	if (asks) {
		sema_expr_is_there(s, a, b);
		sema_expr_is_there(s, b, a);
	}
}

/* A string, or what stands for "no string": NULL. */
static bool
is_string_pair(const struct ast_node *n, const struct ast_node *a,
	       const struct ast_node *b)
{
	if (!type_is_string(a->type))
		return false;
	return type_is_strcompat(b->type) ||
	       (sema_is_null(b) && (n->op == AST_EQ || n->op == AST_NE));
}

static bool
is_comparable(struct sema *s, const struct ast_node *n)
{
	const struct ast_node *a = n->kid[0], *b = n->kid[1];
	const struct type *ta = sema_decay(s, a), *tb = sema_decay(s, b);

	if (type_is_integer(ta) && type_is_integer(tb))
		return true;
	if (is_string_pair(n, a, b) || is_string_pair(n, b, a))
		return true;
	if (type_is_ptr(ta) && type_is_ptr(tb))
		return type_ptr_compat(ta, tb);
	/* Addresses come as integers, too: arg0 == self->buf. */
	return (type_is_ptr(ta) && type_is_integer(tb)) ||
	       (type_is_ptr(tb) && type_is_integer(ta));
}

void
sema_hint_char(struct sema *s, const struct ast_node *n)
{
	if (n->kind == AST_INT && n->is_char)
		diag_hint(s->d, "text stands in double quotes, \"like this\"");
}

static void
compare(struct sema *s, struct ast_node *n)
{
	const struct ast_node *a = n->kid[0], *b = n->kid[1];

	if (is_comparable(s, n)) {
		n->type = &type_int;
		return;
	}
	incompatible(s, n);
	if (type_is_string(a->type) || type_is_string(b->type)) {
		sema_hint_char(s, a);
		sema_hint_char(s, b);
	}
}

/* --- Binary -------------------------------------------------------------- */

static bool
is_compare(unsigned op)
{
	return op >= AST_LT && op <= AST_NE;
}

static void
binary_type(struct sema *s, struct ast_node *n)
{
	const struct ast_node *a = n->kid[0], *b = n->kid[1];

	switch (n->op) {
	case AST_ADD:
	case AST_SUB:
		add(s, n);
		break;
	case AST_SHL:
	case AST_SHR:
		n->type = type_promote(sema_arith_type(a));
		break;
	case AST_LAND:
	case AST_LOR:
	case AST_LXOR:
		n->type = &type_int;
		break;
	case AST_COMMA:
		n->type = b->type;
		break;
	default:
		if (is_compare(n->op))
			compare(s, n);
		else
			n->type = usual(a, b);
	}
}

/* !flags & BIT is (!flags) & BIT, which is 0 unless BIT is 1. */
static void
warn_of_not(struct sema *s, const struct ast_node *n, const struct ast_node *not,
	    const struct ast_node *bit)
{
	const struct ast_node *e = sema_eval(not);

	if (e->kind == AST_UNARY && e->op == AST_LNOT && bit->is_const && !(bit->value & 1))
		diag_warn(s->d, D_OP_NOT, n->span, "! is done before &, so this is always 0; "
			  "!(FLAGS & BIT) asks whether a bit is not set");
}

void
sema_warn_of_shift(struct sema *s, const struct ast_node *by, unsigned op)
{
	bool is_shift = op == AST_SHL || op == AST_SHR;

	if (is_shift && by->is_const && by->value > 63)
		diag_warn(s->d, D_OP_SHIFT, by->span, "a shift by %lld: a value has 64 bits, so "
			  "only 0 to 63 mean something", (long long)by->value);
}

void
sema_binary(struct sema *s, struct ast_node *n)
{
	struct ast_node *a = n->kid[0], *b = n->kid[1];

	if (is_compare(n->op)) {
		compare_operands(s, n);
	} else {
		sema_expr(s, a);
		sema_expr(s, b);
	}
	if (!a->type || !b->type)
		return;
	if (n->op != AST_COMMA) {
		bool ok = is_wanted(s, n, a);
		if (!is_wanted(s, n, b) || !ok)
			return;
		if (sema_div_zero(s, b, n->op))
			return;
		sema_warn_of_shift(s, b, n->op);
	}
	binary_type(s, n);
	if (n->type)
		sema_fold_binary(s, n);
	if (n->op == AST_BAND) {
		warn_of_not(s, n, a, b);
		warn_of_not(s, n, b, a);
	}
}

/* --- Unary --------------------------------------------------------------- */

/* *s is s[0]: a string has bytes. */
static void
first_byte(struct sema *s, struct ast_node *n)
{
	struct ast_node *i = sema_int(s, 0, n->span);

	if (!i)
		return;
	n->kind = AST_INDEX;
	n->list = i;
	n->nlist = 1;
	n->type = &type_char;
	n->is_lvalue = n->kid[0]->is_lvalue;
}

static void
deref(struct sema *s, struct ast_node *n)
{
	const struct type *p = type_strip(sema_decay(s, n->kid[0]));

	if (!p)
		return;
	if (type_is_string(p)) {
		first_byte(s, n);
		return;
	}
	if (p->kind != TYPE_PTR) {
		diag(s->d, D_DEREF_NONPTR, n->span,
		     "cannot dereference a value of type %s, which is no "
		     "pointer", sema_tname(s, n->kid[0]->type));
		if (type_is_integer(p))
			diag_hint(s->d, "cast it first: *(T *)(...)");
		return;
	}
	if (type_is_void(p->base)) {
		diag(s->d, D_DEREF_VOID, n->span,
		     "cannot dereference a pointer to void");
		diag_hint(s->d, "cast it first: *(T *)(...)");
		return;
	}
	if (!type_is_func(p->base) && !type_is_complete(p->base)) {
		diag(s->d, D_OP_INCOMPLETE, n->span,
		     "cannot dereference a pointer to %s, whose size is not "
		     "known", sema_tname(s, p->base));
		sema_hint_unknown(s, p->base);
		return;
	}
	n->type = p->base;
	n->is_lvalue = true;
	n->is_user = p->is_user;
}

/* The name or memory an lvalue starts from. */
static const struct ast_node *
root_of(const struct ast_node *n)
{
	for (;;) {
		n = sema_eval(n);
		if (n->kind == AST_DOT || sema_is_part(n))
			n = n->kid[0];
		else
			return n;
	}
}

/* Has it no address?  What a thread or a key has exists only while it is not
 * zero, and moves. */
static bool
has_no_address(const struct sema_ident *id)
{
	if (!id)
		return false;
	return id->kind == SEMA_BVAR ||
	       (id->kind == SEMA_VAR &&
		(id->is_assoc || id->scope == SEMA_SELF));
}

static void
address_of(struct sema *s, struct ast_node *n)
{
	struct ast_node *k = n->kid[0];
	const struct ast_node *root = root_of(k);

	if ((k->kind == AST_DOT || k->kind == AST_ARROW) && k->bit_size) {
		diag(s->d, D_ADDROF_BITFIELD, k->span,
		     "cannot take the address of bit-field %s", k->name);
	} else if (has_no_address(root->ident)) {
		bool is_var = root->ident->kind == SEMA_VAR;
		diag(s->d, D_ADDROF_VAR, k->span, "cannot take the address of "
		     "%s", is_var ? "a thread-local variable or an element of "
				    "an associative array"
				  : "a built-in variable");
		if (is_var)
			diag_hint(s->d, "global and clause-local variables "
				  "have one");
		else
			diag_hint(s->d, "it is computed when it is read, and "
				  "lies nowhere");
	} else if (!k->is_lvalue) {
		diag(s->d, D_ADDROF_LVAL, k->span,
		     "operator & wants something that has an address");
	} else {
		struct type *p = type_new_ptr(s->a, k->type);
		if (p)
			p->is_user = k->is_user;
		n->type = p;
		if (root->ident && root->ident->kind == SEMA_VAR)
			root->ident->in_memory = true;
	}
}

static void
step(struct sema *s, struct ast_node *n)
{
	struct ast_node *k = n->kid[0];

	const char *op = ops[n->op].text;

	if (!is_wanted(s, n, k) || !sema_writable(s, k, op))
		return;
	if (type_is_ptr(k->type) && !sema_can_step(s, k->type, op, k->span))
		return;
	n->type = k->type;
	sema_note_store(s, n);
}

static void
unary_type(struct sema *s, struct ast_node *n)
{
	switch (n->op) {
	case AST_DEREF:
		deref(s, n);
		break;
	case AST_ADDR:
		address_of(s, n);
		break;
	case AST_LNOT:
		n->type = &type_int;
		break;
	case AST_NEG:
	case AST_PLUS:
	case AST_BNOT:
		n->type = type_promote(sema_arith_type(n->kid[0]));
		break;
	default:
		step(s, n);
	}
}

/* A floating-point constant may have a sign; that is no arithmetic. */
static bool
take_sign(struct sema *s, struct ast_node *n)
{
	const struct ast_node *k = n->kid[0];

	if (k->kind != AST_FLOAT || (n->op != AST_NEG && n->op != AST_PLUS))
		return false;
	bool minus = (n->op == AST_NEG) != (*k->str == '-');
	const char *text = arena_printf(s->a, "%s%s", minus ? "-" : "",
					k->str + (*k->str == '-'));
	if (!text)
		return false;
	n->kind = AST_FLOAT;
	n->str = text;
	n->str_len = (uint32_t)strlen(text);
	n->type = k->type;
	n->is_const = true;
	return true;
}

/* &@a: what an aggregation holds is in no one place. */
static bool
is_agg_address(struct sema *s, const struct ast_node *n)
{
	const struct ast_node *k = n->kid[0];

	if (n->op != AST_ADDR || k->kind != AST_AGG)
		return false;
	diag(s->d, D_ADDROF_VAR, k->span, "cannot take the address of "
	     "aggregation @%s", k->name);
	return true;
}

/* One behind the last element of an array has an address. */
static void
addressed(struct sema *s, struct ast_node *k)
{
	const struct ast_node *outer = s->addressed;

	s->addressed = k;
	sema_expr_place(s, k);
	s->addressed = outer;
}

void
sema_unary(struct sema *s, struct ast_node *n)
{
	if (is_agg_address(s, n))
		return;
	if (is_step(n->op) && n->kid[0]->kind == AST_AGG) {
		sema_agg_op(s, n, "");
		return;
	}
	/* ++x makes an int64_t of a name that is new. */
	if (is_step(n->op))
		sema_target(s, n->kid[0], sema_int64());
	else if (n->op == AST_ADDR)
		addressed(s, n->kid[0]);
	else if (n->op == AST_DEREF)
		sema_expr_any(s, n->kid[0]);
	else
		sema_expr(s, n->kid[0]);
	if (!n->kid[0]->type || take_sign(s, n) ||
	    (n->op == AST_DEREF && sema_whole_deref(s, n)))
		return;
	if (n->op != AST_ADDR && !is_step(n->op) &&
	    !is_wanted(s, n, n->kid[0]))
		return;
	unary_type(s, n);
	if (n->type)
		sema_fold_unary(n);
}

/* --- ?: ------------------------------------------------------------------ */

static const struct type *
cond_string(struct sema *s, const struct ast_node *a, const struct ast_node *b)
{
	const struct type *ta = sema_as_string(s, a->type);
	const struct type *tb = sema_as_string(s, b->type);

	return type_size(ta) >= type_size(tb) ? ta : tb;
}

/* The common type of the arms, or NULL. */
static const struct type *
cond_type(struct sema *s, const struct ast_node *a, const struct ast_node *b)
{
	const struct type *ta = sema_decay(s, a), *tb = sema_decay(s, b);

	if (type_is_integer(ta) && type_is_integer(tb))
		return type_equal(sema_arith_type(a), sema_arith_type(b))
		       ? sema_arith_type(a) : usual(a, b);
	if ((type_is_string(ta) && type_is_strcompat(tb)) ||
	    (type_is_string(tb) && type_is_strcompat(ta)))
		return cond_string(s, a, b);
	if ((type_is_ptr(ta) || type_is_string(ta)) && sema_is_null(b))
		return ta;
	if ((type_is_ptr(tb) || type_is_string(tb)) && sema_is_null(a))
		return tb;
	if (type_is_ptr(ta) && type_ptr_compat(ta, tb))
		return ta;
	if (type_is_sou(ta) && type_equal(ta, tb))
		return ta;
	return NULL;
}

void
sema_cond(struct sema *s, struct ast_node *n)
{
	struct ast_node *a = n->kid[1], *b = n->kid[2];

	sema_expr(s, n->kid[0]);
	sema_expr(s, a);
	sema_expr(s, b);
	if (!sema_is_cond(s, n->kid[0], D_OP_SCALAR,
			  "the condition of operator ?:") ||
	    !a->type || !b->type)
		return;
	if (!sema_operand(s, a, "?:") || !sema_operand(s, b, "?:") ||
	    !sema_no_action(s, a) || !sema_no_action(s, b))
		return;
	n->type = cond_type(s, a, b);
	if (!n->type) {
		diag(s->d, D_OP_INCOMPAT, n->span, "operator ?: operands "
		     "must have compatible types: \"%s\" : \"%s\"",
		     sema_tname(s, a->type), sema_tname(s, b->type));
		return;
	}
	sema_fold_cond(n);
}
