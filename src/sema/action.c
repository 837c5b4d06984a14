/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Actions, and subroutines that are about memory, whose arguments ask for more
 * than their prototype says.
 */
#include <string.h>

#include "abi/cfg.h"
#include "sema/call_priv.h"
#include "sema/expr_priv.h"
#include "sema/tree.h"
#include "sema/type_priv.h"

/* All arguments have types, and none is an aggregation. */
static bool
are_values(struct sema *s, struct ast_node *call, enum diag_tag tag)
{
	bool ok = true;
	unsigned no = 1;

	for (struct ast_node *a = call->list; a; a = a->next, no++) {
		if (a->kind == AST_AGG) {
			diag(s->d, tag, a->span, "%s( ) argument #%u is an "
			     "aggregation", sema_call_name(call), no);
			ok = false;
			continue;
		}
		sema_expr(s, a);
		ok = a->type && ok;
	}
	return ok;
}

/* --- tracemem ------------------------------------------------------------ */

static bool
is_address(struct sema *s, const struct ast_node *n)
{
	const struct type *t = sema_decay(s, n);

	return type_is_ptr(t) || type_is_integer(t);
}

void
sema_check_tracemem(struct sema *s, struct ast_node *call)
{
	const struct proto *p = sema_call_proto(s, call);
	struct ast_node *a = call->list, *size, *dyn;
	unsigned before = s->d->n;
	int64_t n;

	if (!p || !sema_args_count(s, call, p, D_TRACEMEM_ARGS) ||
	    !are_values(s, call, D_TRACEMEM_ADDR))
		return;
	size = a->next;
	dyn = size->next;
	if (!is_address(s, a)) {
		diag(s->d, D_TRACEMEM_ADDR, a->span, "tracemem( ) argument #1 "
		     "must be an address, not %s", sema_tname(s, a->type));
	}
	if (!sema_const(size, &n) || n <= 0) {
		diag(s->d, D_TRACEMEM_SIZE, size->span, "tracemem( ) argument "
		     "#2 must be a constant above 0");
		diag_hint(s->d, "a length known only at run time is argument "
			  "#3: tracemem(address, most, length)");
	} else if (n > UINT32_MAX) {
		diag(s->d, D_TRACEMEM_SIZE, size->span, "tracemem( ) argument "
		     "#2 must be at most %u, not %lld", UINT32_MAX,
		     (long long)n);
	}
	if (dyn && !type_is_integer(dyn->type))
		diag(s->d, D_TRACEMEM_DYNSIZE, dyn->span, "tracemem( ) "
		     "argument #3 must be an integer, not %s",
		     sema_tname(s, dyn->type));
	if (s->d->n == before)
		call->type = p->result;
}

/* --- freopen ------------------------------------------------------------- */

void
sema_check_freopen(struct sema *s, struct ast_node *call)
{
	const struct proto *p = sema_call_proto(s, call);
	struct ast_node *a = call->list;
	bool is_const = a && a->kind == AST_STR;

	if (!p)
		return;
	if (is_const && !a->next && !a->str_len) {
		sema_expr(s, a);
		call->type = p->result;
		return;
	}
	sema_check_printf(s, call);
}

/* --- alloca -------------------------------------------------------------- */

void
sema_check_alloca(struct sema *s, struct ast_node *call)
{
	const struct ast_node *size;
	int64_t n;

	sema_check_own(s, call);
	size = call->list;
	if (!call->type || !sema_const(size, &n) ||
	    (n >= 0 && n <= ABI_SCRATCHSIZE_MAX))
		return;
	diag(s->d, D_ALLOCA_SIZE, size->span, "alloca( ) argument #1 must be "
	     "a size from 0 to %d, not %lld", ABI_SCRATCHSIZE_MAX,
	     (long long)n);
	call->type = NULL;
}

/* --- inet_ntoa, inet_ntoa6 ----------------------------------------------- */

/* An address of size bytes is read: is there one behind argument 1?  A pointer
 * to void or to bytes may point to anything. */
static void
inet_addr(struct sema *s, struct ast_node *call, uint64_t size,
	  const char *what)
{
	const struct ast_node *a = call->list;
	const struct type *t;

	sema_check_plain(s, call);
	if (!call->type || !type_is_ptr(sema_decay(s, a)))
		return;
	t = type_strip(a->type);
	if (t->kind != TYPE_ARRAY || !t->nelems)
		t = type_strip(type_strip(sema_decay(s, a))->base);
	if (type_is_void(t) || !type_is_complete(t) || type_size(t) == 1 ||
	    type_size(t) >= size)
		return;
	diag(s->d, D_PROTO_ARG, a->span, "%s( ) argument #1 is incompatible "
	     "with prototype: prototype: %s *, argument: %s",
	     sema_call_name(call), what, sema_tname(s, a->type));
	diag_hint(s->d, "an address is %llu bytes long, %s is %llu",
		  (unsigned long long)size, sema_tname(s, t),
		  (unsigned long long)type_size(t));
	call->type = NULL;
}

void
sema_check_inet4(struct sema *s, struct ast_node *call)
{
	inet_addr(s, call, 4, "ipaddr_t");
}

void
sema_check_inet6(struct sema *s, struct ast_node *call)
{
	inet_addr(s, call, 16, "in6_addr_t");
}

/* --- printm -------------------------------------------------------------- */

void
sema_check_printm(struct sema *s, struct ast_node *call)
{
	const struct ast_node *size;
	int64_t n;

	sema_check_plain(s, call);
	size = call->list;
	if (!call->type || (sema_const(size, &n) && n > 0 && n <= UINT32_MAX))
		return;
	diag(s->d, D_PROTO_ARG, size->span, "printm( ) argument #1 must be a "
	     "constant above 0");
	diag_hint(s->d, "the length known at run time is that of memref( )");
	call->type = NULL;
}
