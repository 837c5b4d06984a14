/* SPDX-License-Identifier: BSD-2-Clause
 *
 * printf(), printa(), and system() and freopen(), which are like printf(): the
 * format is a constant, so what it asks for is compared with what is given.
 * printf()'s conversions take the arguments one by one; printa()'s take the keys
 * of its aggregations, and those with '@' the values.
 */
#include <string.h>

#include "pfmt/pfmt.h"
#include "sema/call_priv.h"
#include "sema/expand_priv.h"
#include "sema/expr_priv.h"
#include "sema/tree.h"
#include "sema/type_priv.h"
#include "type/convert.h"

/* What the conversions consume: printf's arguments, or printa's keys. */
struct feed {
	struct sema *s;
	struct ast_node *call;
	struct lang_span format;	/* of the format, for what it lacks */
	/* printf */
	struct ast_node *arg;		/* the next one */
	unsigned no;			/* its number, 1.. */
	/* printa */
	const struct sema_ident *agg;	/* NULL: printf */
	uint32_t key;			/* the next one, 0.. */
	unsigned conv;			/* number of the conversion, 1.. */
};

/* A format is not stored anywhere, so its length does not matter. */
static void
format_expr(struct sema *s, struct ast_node *a)
{
	bool told = s->told_cut;

	s->told_cut |= a->kind == AST_STR;
	sema_expr_dyn(s, a);
	s->told_cut = told;
}

/* The format of a call, or NULL after a report. */
static const char *
format_of(struct sema *s, struct ast_node *call)
{
	struct ast_node *a = call->list;
	const struct ast_node *e = sema_eval(a);

	if (!a->type)
		return NULL;
	if (e->kind != AST_STR) {
		diag(s->d, D_PRINTF_ARG_FMT, a->span,
		     "%s( ) argument #1 must be a string constant",
		     sema_call_name(call));
		if (type_is_string(a->type) &&
		    !(a->next && a->next->kind == AST_AGG))
			diag_hint(s->d, "write %s(\"%%s\", ...)",
				  sema_call_name(call));
		else
			sema_hint_char(s, a);
		return NULL;
	}
	if (e->str_len == 0) {
		diag(s->d, D_PRINTF_FMT_EMPTY, a->span,
		     "%s( ) format must not be empty", sema_call_name(call));
		return NULL;
	}
	return e->str;
}

/* --- Types --------------------------------------------------------------- */

static bool
is_addr(const struct type *t)
{
	return type_is_ptr(t) || (type_is_integer(t) && type_size(t) == 8);
}

static bool
is_time(const struct type *t)
{
	return type_is_integer(t) && type_size(t) == 8;
}

static bool
is_net(const struct type *t)
{
	return type_is_scalar(t) || type_is_strcompat(t);
}

static const struct {
	bool (*ok)(const struct type *t);
	const char *text;
} wants[] = {
	[PFMT_ARG_INT] = { type_is_scalar, "an integer" },
	[PFMT_ARG_CHAR] = { type_is_integer, "a character" },
	[PFMT_ARG_STR] = { type_is_strcompat, "a string" },
	[PFMT_ARG_FLOAT] = { type_is_float, "a floating-point number" },
	[PFMT_ARG_ADDR] = { is_addr, "a pointer or 64-bit integer" },
	[PFMT_ARG_UADDR] = { is_addr, "a pointer or 64-bit integer" },
	[PFMT_ARG_TIME] = { is_time, "a 64-bit time in nanoseconds" },
	[PFMT_ARG_STACK] = { sema_is_stack, "a stack" },
	[PFMT_ARG_NET] = { is_net, "an address or a string" },
};

static void
suggest(const struct feed *f, const struct pfmt_conv *c, const struct type *t)
{
	if (type_is_string(t))
		diag_hint(f->s->d, "%%s prints a string");
	else if (c->arg == PFMT_ARG_STR && type_strip(t)->kind == TYPE_ENUM)
		diag_hint(f->s->d, "%%d prints an enum as a number; print( ) "
			  "shows the name of its value");
	else if (c->arg == PFMT_ARG_STR && type_is_integer(t))
		diag_hint(f->s->d, "%%d prints an integer; if it is the "
			  "address of a string, use copyinstr(...) or "
			  "stringof(...)");
	else if (type_is_integer(t))
		diag_hint(f->s->d, "%%d prints an integer");
	else if (type_is_ptr(t))
		diag_hint(f->s->d, "%%p prints an address");
	else if (sema_is_stack(t))
		diag_hint(f->s->d, "%%k prints a stack");
}

/* Arrays are good for their address. */
static bool
is_printable(const struct pfmt_conv *c, const struct type *t)
{
	if (sema_is_symbol(t))
		return c->arg == PFMT_ARG_STR || c->conv == 'a' ||
		       c->conv == 'A';
	return wants[c->arg].ok(t) ||
	       (c->arg == PFMT_ARG_ADDR &&
		(type_is_array(t) || type_is_func(t)));
}

static void
check_type(const struct feed *f, const struct pfmt_conv *c,
	   const struct type *t, struct lang_span span, const char *what,
	   unsigned no)
{
	struct sema *s = f->s;

	if (is_printable(c, t))
		return;
	diag(s->d, D_PRINTF_ARG_TYPE, span, "%s( ) %s #%u is incompatible "
	     "with conversion #%u prototype: conversion: %.*s, prototype: "
	     "%s, argument: %s", sema_call_name(f->call), what, no, f->conv,
	     (int)c->text.n, c->text.p, wants[c->arg].text,
	     sema_tname(s, t));
	suggest(f, c, t);
}

/* --- Taking arguments ---------------------------------------------------- */

/* May the value of a, an integer, have more bits than its type? */
static bool
keeps_bits(const struct ast_node *a)
{
	return a->is_const || sema_keeps_all(a) ||
	       (a->kind == AST_BINARY && type_is_signed(a->type));
}

/* The type as which an address or a time is printed: an array's is where it lies,
 * and what D does not cut is as wide as they are: %p of 0, %Y of x behind x = 0;
 * x = walltimestamp. */
static const struct type *
type_to_print(const struct feed *f, const struct pfmt_conv *c,
	      const struct ast_node *a)
{
	bool is_addr = c->arg == PFMT_ARG_ADDR || c->arg == PFMT_ARG_UADDR;

	if (c->arg == PFMT_ARG_ADDR && type_is_array(a->type))
		return sema_decay(f->s, a);
	if ((is_addr || c->arg == PFMT_ARG_TIME) && type_is_integer(a->type) &&
	    type_size(a->type) != 8 && keeps_bits(a))
		return &type_long;
	return a->type;
}

static void
convert_arg(const struct feed *f, const struct pfmt_conv *c,
	    struct ast_node *a)
{
	const struct type *t = type_to_print(f, c, a);
	struct ast_node *narrow;

	if (t == a->type)
		return;
	narrow = arena_memdup(f->s->a, a, sizeof(*a));
	if (!narrow)
		return;
	narrow->next = NULL;
	a->type = t;
	a->repl = sema_convert(f->s, narrow, a->type);
}

static void
take_arg(struct feed *f, const struct pfmt_conv *c)
{
	struct ast_node *a = f->arg;
	struct sema *s = f->s;

	if (!a) {
		diag(s->d, D_PRINTF_ARG_PROTO, f->format,
		     "%s( ) prototype mismatch: conversion #%u (%.*s) is "
		     "missing a corresponding value argument",
		     sema_call_name(f->call), f->conv, (int)c->text.n,
		     c->text.p);
		return;
	}
	f->arg = a->next;
	unsigned no = f->no++;
	if (a->kind == AST_AGG) {
		diag(s->d, D_PRINTF_ARG_TYPE, a->span, "%s( ) argument #%u is "
		     "an aggregation", sema_call_name(f->call), no);
		diag_hint(s->d, "printa( ) prints aggregations");
	} else if (a->type) {
		convert_arg(f, c, a);
		unsigned before = s->d->n;
		check_type(f, c, a->type, a->span, "argument", no);
		if (c->arg == PFMT_ARG_STR && s->d->n > before)
			sema_hint_char(s, a);
		if (s->d->n > before)
			sema_hint_action(s, a);
	}
}

static void
take_key(struct feed *f, const struct pfmt_conv *c)
{
	const struct sema_ident *g = f->agg;

	if (f->key >= g->nkeys) {
		if (f->key++ == g->nkeys)
			diag(f->s->d, D_PRINTA_AGGKEY, f->format, "printa( ) "
			     "conversion #%u (%.*s) is missing a "
			     "corresponding key of @%s, which has %u",
			     f->conv, (int)c->text.n, c->text.p, g->name,
			     g->nkeys);
		return;
	}
	check_type(f, c, g->keys[f->key].type, f->format, "key", f->key + 1);
	f->key++;
}

/* The argument of a '*'. */
static void
take_star(struct feed *f, const struct pfmt_conv *c)
{
	const struct type *t;
	struct lang_span span = f->format;
	bool missing = f->agg ? f->key >= f->agg->nkeys : !f->arg;

	if (missing) {
		diag(f->s->d, D_PRINTF_DYN_PROTO, f->format, "%s( ) prototype "
		     "mismatch: conversion #%u (%.*s) is missing the "
		     "argument of its *", sema_call_name(f->call), f->conv,
		     (int)c->text.n, c->text.p);
		return;
	}
	if (f->agg) {
		t = f->agg->keys[f->key++].type;
	} else {
		t = f->arg->type;
		span = f->arg->span;
		f->arg = f->arg->next;
		f->no++;
	}
	if (t && !type_is_integer(t))
		diag(f->s->d, D_PRINTF_DYN_TYPE, span, "%s( ) the * of "
		     "conversion #%u (%.*s) takes an integer, not %s",
		     sema_call_name(f->call), f->conv, (int)c->text.n,
		     c->text.p, sema_tname(f->s, t));
}

/* %@d: the value of an aggregation. */
static void
take_value(struct feed *f, const struct pfmt_conv *c)
{
	if (!f->agg)
		diag(f->s->d, D_PRINTF_AGG_CONV, f->format, "%s( ) "
		     "conversion #%u (%.*s): %%@ is only for printa( )",
		     sema_call_name(f->call), f->conv, (int)c->text.n,
		     c->text.p);
	else if (c->arg != PFMT_ARG_INT && c->arg != PFMT_ARG_TIME)
		diag(f->s->d, D_PRINTF_ARG_TYPE, f->format, "printa( ) "
		     "conversion #%u (%.*s): the value of an aggregation is "
		     "an integer or a time", f->conv, (int)c->text.n, c->text.p);
}

static void
take(struct feed *f, const struct pfmt_conv *c)
{
	f->conv++;
	if (c->bad_size)
		diag(f->s->d, D_SYNTAX, f->format, "%s( ) conversion #%u "
		     "(%.*s): size %s does not go with %c",
		     sema_call_name(f->call), f->conv, (int)c->text.n,
		     c->text.p, c->size, c->conv);
	if (BASE_MAX(c->width, c->prec) > PFMT_WIDTH_MAX)
		diag(f->s->d, D_PRINTF_ARG_FMT, f->format, "%s( ) conversion "
		     "#%u (%.*s): a width or precision may be %d at most",
		     sema_call_name(f->call), f->conv,
		     (int)BASE_MIN(c->text.n, (size_t)40), c->text.p,
		     PFMT_WIDTH_MAX);
	if (c->dyn_width)
		take_star(f, c);
	if (c->dyn_prec)
		take_star(f, c);
	if (c->flags & PFMT_AGG)
		take_value(f, c);
	else if (f->agg)
		take_key(f, c);
	else
		take_arg(f, c);
}

/* False after a report that the format itself is wrong. */
static bool
walk_format(struct feed *f, const char *format)
{
	struct pfmt_conv c;
	size_t pos = 0;
	int got;

	while ((got = pfmt_next(format, &pos, &c)) > 0) {
		if (c.conv && c.arg != PFMT_ARG_NONE)
			take(f, &c);
	}
	if (got == 0)
		return true;
	diag(f->s->d, D_SYNTAX, f->format,
	     "%s( ) format: no such conversion: %.*s",
	     sema_call_name(f->call), (int)c.text.n, c.text.p);
	diag_hint(f->s->d, c.text.n < 2 ? "%%%% prints a %%" :
		  "%%d, %%u and %%x print integers, %%s strings, %%p "
		  "addresses, %%%% a %%");
	return false;
}

/* --- printf -------------------------------------------------------------- */

void
sema_check_printf(struct sema *s, struct ast_node *call)
{
	const struct proto *p = sema_call_proto(s, call);
	struct feed f = { .s = s, .call = call, .no = 2 };
	unsigned before = s->d->n;
	const char *format;
	bool ok = true;

	for (struct ast_node *a = call->list; a; a = a->next) {
		if (a->kind == AST_AGG)
			continue;
		if (a == call->list)
			format_expr(s, a);
		else
			sema_expr_dyn(s, a);
		ok = a->type && ok;
	}
	if (!p || !sema_args_count(s, call, p, D_PROTO_LEN))
		return;
	f.format = call->list->span;
	f.arg = call->list->next;
	if (call->list->kind == AST_AGG) {
		diag(s->d, D_PRINTF_ARG_FMT, f.format,
		     "%s( ) argument #1 must be a string constant",
		     sema_call_name(call));
		diag_hint(s->d, "printa( ) prints aggregations");
		return;
	}
	format = format_of(s, call);
	if (!format || !walk_format(&f, format))
		return;
	if (f.arg) {
		diag(s->d, D_PRINTF_ARG_EXTRA, f.arg->span,
		     "%s( ) prototype mismatch: only %u arguments required "
		     "by this format string", sema_call_name(call), f.no - 2);
		return;
	}
	if (ok && s->d->n == before)
		call->type = p->result;
}

/* --- printa -------------------------------------------------------------- */

/* All aggregations of one printa() have the same keys. */
static bool
same_keys(struct sema *s, const struct ast_node *call,
	  const struct ast_node *first, const struct ast_node *a)
{
	const struct sema_ident *g = first->ident, *h = a->ident;

	if (g->nkeys != h->nkeys) {
		diag(s->d, D_PRINTA_AGGKEY, a->span, "printa( ) @%s and @%s "
		     "do not have the same number of keys", g->name, h->name);
		return false;
	}
	for (uint32_t i = 0; i < g->nkeys; i++) {
		const struct type *t = g->keys[i].type, *u = h->keys[i].type;
		if (type_is_scalar(t) ? type_is_scalar(u) : type_equal(t, u))
			continue;
		diag(s->d, D_PRINTA_AGGPROTO, a->span, "printa( ) key #%u of "
		     "@%s (%s) and of @%s (%s) differ", i + 1, g->name,
		     sema_tname(s, t), h->name, sema_tname(s, u));
		return false;
	}
	return true;
}

/* When all aggregations and their keys are known. */
static void
late_printa(struct sema *s, struct ast_node *call)
{
	bool has_format = call->list->kind != AST_AGG;
	struct ast_node *first = has_format ? call->list->next : call->list;
	struct feed f = { .s = s, .call = call };

	for (struct ast_node *a = first->next; a; a = a->next)
		if (!same_keys(s, call, first, a))
			return;
	if (!has_format)
		return;
	f.format = call->list->span;
	f.agg = first->ident;
	walk_format(&f, sema_eval(call->list)->str);
}

void
sema_check_printa(struct sema *s, struct ast_node *call)
{
	const struct proto *p = sema_call_proto(s, call);
	struct ast_node *a = call->list;
	unsigned no = 1;

	if (!p || !sema_args_count(s, call, p, D_PRINTA_PROTO))
		return;
	if (a->kind == AST_STR)
		format_expr(s, a);
	else if (a->kind != AST_AGG)
		sema_expr(s, a);
	if (a->kind != AST_AGG) {
		if (!a->type)
			return;
		if (!a->next && !type_is_string(a->type)) {
			sema_agg_arg(s, call, a, no, D_PRINTA_AGGARG);
			return;
		}
		if (!format_of(s, call))
			return;
		a = a->next;
		no++;
	}
	if (!a) {
		diag(s->d, D_PRINTA_PROTO, call->span, "printa( ) prototype "
		     "mismatch: an aggregation must follow the format");
		return;
	}
	for (; a; a = a->next, no++)
		if (!sema_agg_arg(s, call, a, no, D_PRINTA_AGGARG))
			return;
	call->type = p->result;
	sema_late_add(s, call, D_PRINTA_AGGBAD, late_printa);
}
