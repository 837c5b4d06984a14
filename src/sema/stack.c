/* SPDX-License-Identifier: BSD-2-Clause
 *
 * stack(), sym() and their kin: actions that may also be keys of aggregations
 * and operands of printf(), but nothing else.  Their types say how they are
 * recorded: a field kind of abi/field.h, and bytes.  The depth of a stack is part of
 * its type, so that all stacks of one aggregation are equally deep.
 */
#include <string.h>

#include "sema/call_priv.h"
#include "sema/expr_priv.h"
#include "sema/tree.h"
#include "sema/type_priv.h"

enum { FRAMES_MAX = 127 };	/* the kernel looks no deeper */

bool
sema_is_stack(const struct type *t)
{
	return type_is_dyn(t) && (type_strip(t)->n == ABI_FIELD_STACK ||
				  type_strip(t)->n == ABI_FIELD_USTACK);
}

bool
sema_is_symbol(const struct type *t)
{
	return type_is_dyn(t) && type_strip(t)->size && !sema_is_stack(t);
}

/* --- Stacks --------------------------------------------------------------- */

static const struct stack {
	uint32_t action;		/* enum abi_action_kind */
	enum opt_id option;		/* how many frames without being told */
	enum diag_tag proto, frames, strsize;
	uint8_t kind;			/* enum abi_field_kind */
} stacks[] = {
	{ ABI_ACT_STACK, OPT_STACKFRAMES, D_STACK_PROTO, D_STACK_SIZE,
	  D_UNKNOWN, ABI_FIELD_STACK },
	{ ABI_ACT_USTACK, OPT_USTACKFRAMES, D_USTACK_PROTO, D_USTACK_FRAMES,
	  D_USTACK_STRSIZE, ABI_FIELD_USTACK },
	{ ABI_ACT_JSTACK, OPT_JSTACKFRAMES, D_USTACK_PROTO, D_USTACK_FRAMES,
	  D_USTACK_STRSIZE, ABI_FIELD_USTACK },
};

/* The first argument, or the option. */
static bool
frames_of(struct sema *s, struct ast_node *call, const struct stack *k,
	  int64_t *ret)
{
	struct ast_node *n = call->list;

	if (!n) {
		*ret = s->opts->v[k->option];
		return true;
	}
	sema_expr(s, n);
	if (!n->type)
		return false;
	if (sema_const(n, ret) && *ret > 0)
		return true;
	diag(s->d, k->frames, n->span, "%s( ) argument #1 must be a positive "
	     "integer constant: a number of frames", sema_call_name(call));
	return false;
}

static bool
check_strsize(struct sema *s, struct ast_node *call, const struct stack *k)
{
	struct ast_node *n = sema_arg(call, 1);
	int64_t size;

	if (!n)
		return true;
	sema_expr(s, n);
	if (!n->type)
		return false;
	if (sema_const(n, &size) && size >= 0)
		return true;
	diag(s->d, k->strsize, n->span, "%s( ) argument #2 must be an integer "
	     "constant: bytes for strings", sema_call_name(call));
	return false;
}

void
sema_check_stack(struct sema *s, struct ast_node *call)
{
	const struct proto *p = sema_call_proto(s, call);
	const struct stack *k = stacks;
	int64_t n;

	while (k->action != call->kid[0]->ident->id)
		k++;
	if (!p || !sema_args_count(s, call, p, k->proto) ||
	    !frames_of(s, call, k, &n) || !check_strsize(s, call, k))
		return;
	n = n < 1 ? 1 : n > FRAMES_MAX ? FRAMES_MAX : n;
	bool user = k->kind == ABI_FIELD_USTACK;
	const char *name = arena_printf(s->a, "%sstack(%d)", user ? "u" : "",
					(int)n);
	if (name)
		call->type = sema_dyn(s, k->kind, (uint32_t)(user + n) * 8,
				      name);
}

/* --- Symbols -------------------------------------------------------------- */

static const struct {
	uint32_t action;		/* enum abi_action_kind */
	uint8_t kind;			/* enum abi_field_kind */
	uint8_t size;			/* bytes */
	const char *name;
} symbols[] = {
	{ ABI_ACT_SYM, ABI_FIELD_SYM, 8, "sym" },
	{ ABI_ACT_MOD, ABI_FIELD_MOD, 8, "mod" },
	{ ABI_ACT_USYM, ABI_FIELD_USYM, 16, "usym" },
	{ ABI_ACT_UMOD, ABI_FIELD_UMOD, 16, "umod" },
	{ ABI_ACT_UADDR, ABI_FIELD_UADDR, 16, "uaddr" },
};

void
sema_check_symbol(struct sema *s, struct ast_node *call)
{
	uint32_t action = call->kid[0]->ident->id;
	unsigned i = 0;

	if (!sema_args(s, call))
		return;
	while (symbols[i].action != action)
		i++;
	call->type = sema_dyn(s, symbols[i].kind, symbols[i].size,
			      symbols[i].name);
}
