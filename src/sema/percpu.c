/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Variables of the kernel that each CPU has its own of, such as `runqueues: they mean
 * that of the CPU on which the probe fires.  The linker gave them a place, and the
 * kernel's array __per_cpu_offset tells how far from there each CPU's lies.  So in
 * place of the name stands
 *
 *	*(T *)(place + *(unsigned long *)(&`__per_cpu_offset + (cpu << 3)))
 *
 * That of CPU n is (char *)&`runqueues - `__per_cpu_offset[cpu] + `__per_cpu_offset[n].
 */
#include "probe/probe.h"
#include "sema/expand_priv.h"
#include "sema/name_priv.h"
#include "type/make.h"

static struct ast_node *
number(struct sema *s, uint64_t value, struct lang_span span)
{
	struct ast_node *n = sema_int(s, 0, span);

	if (n) {
		n->type = &type_ulong;
		n->value = value;
	}
	return n;
}

static struct ast_node *
binary(struct sema *s, enum ast_op op, struct ast_node *a, struct ast_node *b)
{
	struct ast_node *n = a && b ? sema_node(s, AST_BINARY, a->span) : NULL;

	if (!n)
		return NULL;
	n->op = (uint8_t)op;
	n->type = &type_ulong;
	n->kid[0] = a;
	n->kid[1] = b;
	n->height = (uint16_t)(BASE_MAX(a->height, b->height) + 1);
	return n;
}

/* *(T *)at */
static struct ast_node *
value_at(struct sema *s, struct ast_node *at, const struct type *t)
{
	struct type *to = type_new_ptr(s->a, t);
	struct ast_node *ptr = at && to ? sema_convert(s, at, to) : NULL;
	struct ast_node *n = ptr ? sema_node(s, AST_UNARY, at->span) : NULL;

	if (!n)
		return NULL;
	n->op = AST_DEREF;
	n->type = t;
	n->is_lvalue = true;
	n->kid[0] = ptr;
	n->height = (uint16_t)(ptr->height + 1);
	return n;
}

static struct ast_node *
this_cpu(struct sema *s, struct lang_span span)
{
	struct ast_node *n = sema_node(s, AST_IDENT, span);

	if (!n)
		return NULL;
	n->name = "cpu";
	n->ident = sema_ident_lookup(s, n->name);
	if (!n->ident)
		return NULL;
	n->type = n->ident->type;
	return n;
}

bool
sema_percpu(struct sema *s, const struct ast_node *n, struct sema_percpu *ret)
{
	const struct sema_world *w = s->world;

	return (!n->module || probe_is_kernel(n->module)) && w->find_percpu &&
	       w->find_percpu(w->ctx, n->name, ret);
}

void
sema_percpu_use(struct sema *s, struct ast_node *n, const struct sema_percpu *p)
{
	struct ast_node *at = number(s, p->offsets, n->span);

	at = binary(s, AST_ADD, at,
		    binary(s, AST_SHL, this_cpu(s, n->span),
			   number(s, 3, n->span)));
	at = binary(s, AST_ADD, number(s, p->place, n->span),
		    value_at(s, at, &type_ulong));
	const struct ast_node *e = value_at(s, at, p->type);
	if (e)
		sema_replace(n, e);
	else
		n->type = NULL;
}
