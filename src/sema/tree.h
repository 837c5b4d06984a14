/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The tree of a program with types.
 *
 * What gen may rely on after a clean sema_program():
 *
 *  - every expression node has a type; names have an ident; constants that
 *    could be folded have is_const and, for scalars, value (sign-extended or
 *    zero-extended to 64 bits from their type; the result of signed arithmetic
 *    may be beyond it); strings str/str_len; a floating-point literal is_const
 *    with its text in str.
 *  - implicit conversions are not nodes: gen converts an operand to the type
 *    the operation needs (type_usual_arith() and so on; a shift's left
 *    operand is only promoted).  What is assigned or passed is converted to
 *    the type of the target or parameter, unless sema_keeps_all() of the
 *    target.  Conversions to a signed type other than casts and those of
 *    stores cut nothing.  Arrays and functions used as values are their
 *    addresses.
 *  - CAST and STRINGOF nodes made by sema have no tname: their type says it.
 *  - args[n]: an INDEX whose ident is the BVAR args; node->value is the raw
 *    argument number 0..9 that holds it.  uregs[n] likewise, the index is any
 *    integer expression.
 *  - a CALL's kid[0]->ident is a SUBR, ACTION, AGGFUNC or FUNC; arguments are
 *    in list and have been checked; those of a FUNC are to be converted to the
 *    types of its parameters; where a string is wanted (const char *) the
 *    argument is a string, char * or char[], or the constant 0.  Actions are
 *    only found as the kid of an EXPR statement.
 *  - aggregation `@a[k] = f(...)` is an ASSIGN of an AGG node and a CALL, the
 *    kid of an EXPR statement; keys are in the AGG node's list; all of the
 *    three have type void.  In the arguments of printa() and friends an AGG
 *    node has its ident and no list.
 *  - keys: keys[i].type is the type to convert to; it may be wider than that
 *    of one use.  A STRING key comes from a string, char * or char[] and has
 *    size bytes at most.
 *  - a string variable may be assigned the constant 0 (NULL), which frees it;
 *    a string may be compared (== !=) with the constant 0, which asks whether
 *    its address is 0.
 *  - stringof of an integer takes it as a kernel address.
 *  - xlate and members of translated structs have repl set to the member's
 *    expression with the input bound; inlines likewise, and their parameters.
 *    repl may be a node that other nodes' repl point to as well.  Following
 *    repl, no tree is higher than LANG_MAX_HEIGHT.
 *  - an XLATE that nothing stands in place of is a struct to be made: zeros,
 *    and the members in its list, DOTs with a name whose value repl tells.
 *  - the type of a string expression has the largest size its value can have
 *    (execname: 16), strsize at most; variables have strsize.  All strings of
 *    one size share one type node.
 *  - is_lvalue on what has an address or is a variable; is_user when that
 *    memory is the traced process's.  A pointer value says where it points
 *    by its type (type->is_user).
 *  - &`sym of a symbol whose type is unknown is a void *; its ident has type
 *    NULL.  Otherwise a SYM has the symbol's type.
 *  - what a LOCAL or RETURN assigns is the ASSIGN in its kid[1], if any.
 *  - a bit-field has the type it was declared with, and bit_size.
 */
#ifndef SEMA_TREE_H
#define SEMA_TREE_H

#include "sema/ident.h"

/* The node to evaluate in place of n: follows repl. */
static inline const struct ast_node *
sema_eval(const struct ast_node *n)
{
	while (n && n->repl)
		n = n->repl;
	return n;
}

/* A whole expression as a constant integer: after sema. */
bool sema_const(const struct ast_node *n, int64_t *ret);

/* May the value of the integer expression n be none of its type?  Then it is to
 * be kept in 8 bytes; columns: of the widest type that went into it.  Final when
 * the last program has been compiled. */
struct sema_width {
	bool is_wide;
	uint8_t columns;		/* bytes: 1, 2, 4, 8 */
};
struct sema_width sema_width_of(const struct ast_node *n);

/* The variable that n names, if it keeps whatever is assigned to it although
 * its type is an integer's of less than 8 bytes; or NULL. */
struct sema_ident *sema_keeps_all(const struct ast_node *n);

/* The type of n in arithmetic, before promotion: its own, but a bit-field that
 * an int holds is an int. */
const struct type *sema_arith_type(const struct ast_node *n);

#endif
