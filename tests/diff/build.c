/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Plans by hand: variables, aggregations, and clauses whose DIFOs are given
 * as assembly.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/quant.h"
#include "diff_priv.h"
#include "difasm/difasm.h"

void
diff_die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("Bail out! ", stdout);
	vprintf(fmt, ap);
	putchar('\n');
	va_end(ap);
	exit(99);
}

void
diff_must(struct err *e)
{
	if (e)
		diff_die("%s", e->text);
}

static void *
must(void *p)
{
	if (!p)
		diff_die("out of memory");
	return p;
}

struct diff *
diff_new(uint32_t strsize)
{
	struct diff *d = must(util_zalloc(sizeof(*d)));

	d->a = must(arena_new());
	d->strsize = strsize;
	d->scratch = (uint32_t)base_align(16 * strsize, 8);
	d->room = 64;
	d->batch = 60;
	sb_init(&d->vars_text, 1 << 20);
	return d;
}

void
diff_free(struct diff *d)
{
	for (size_t i = 0; i < d->clauses.n; i++) {
		struct diff_clause *c = d->clauses.v[i];
		vec_fini(&c->fields);
		vec_fini(&c->actions);
		util_free(c->recorded);
	}
	for (size_t i = 0; i < d->difos.n; i++)
		difasm_free(d->difos.v[i]);
	difasm_free(d->tables);
	vec_fini(&d->vars);
	vec_fini(&d->aggs);
	vec_fini(&d->clauses);
	vec_fini(&d->difos);
	sb_fini(&d->vars_text);
	arena_free(d->a);
	util_free(d);
}

void
diff_scratch(struct diff *d, uint32_t size)
{
	d->scratch = size;
}

void
diff_room(struct diff *d, uint32_t n)
{
	d->room = n;
}

void
diff_errno(struct diff *d)
{
	d->has_errno = true;
}

void
diff_kernel(struct diff *d)
{
	d->reads_kernel = true;
}

void
diff_batch(struct diff *d, uint32_t n)
{
	d->batch = n;
}

/* --- Variables and aggregations -------------------------------------------- */

/* The parts of a key; packed: each takes only its size and alignment. */
static struct abi_field *
parse_keys(struct diff *d, const char *keys, bool packed, uint32_t *n,
	   uint32_t *size)
{
	struct abi_field *f = must(ARENA_ARRAY(d->a, struct abi_field, 64));
	uint32_t at = 0;

	*n = 0;
	for (const char *p = keys; p && *p; p++) {
		if (*p == ' ')
			continue;
		char kind = *p, *end;
		uint32_t bytes = (uint32_t)strtoul(p + 1, &end, 10);
		bool num = kind == 'i';
		if (!bytes)
			bytes = 8;
		uint32_t align = !packed ? 8 : num ? bytes : 1;
		at = (uint32_t)base_align(at, align);
		f[(*n)++] = (struct abi_field){
			.kind = num ? ABI_FIELD_INT : kind == 's' ?
				ABI_FIELD_STRING : ABI_FIELD_BYTES,
			.is_signed = 1, .align = (uint8_t)align, .offset = at,
			.size = bytes,
		};
		at += bytes;
		p = end - 1;
	}
	*size = (uint32_t)base_align(at, packed ? 4 : 8);
	return f;
}

static struct dif_type
parse_type(const char *type)
{
	struct dif_type t = { .kind = DIF_TYPE_CTF };
	const char *sp = strchr(type, ' ');

	if (*type == 'u') {
		t.flags = DIF_TF_BYUREF;
		type++;
	}
	t.ckind = *type == 'i' ? DIF_CK_INTEGER : DIF_CK_STRUCT;
	if (*type == 's') {
		t.flags |= DIF_TF_BYREF;
		if (type[3] == 'i') {
			t.kind = DIF_TYPE_STRING;
			t.ckind = DIF_CK_UNKNOWN;
		}
	}
	t.size = (uint32_t)strtoul(sp, NULL, 10);
	return t;
}

static void
declare(struct diff *d, const struct plan_var *v)
{
	static const char *const scopes[] = { "glb", "tls", "loc" };
	const struct dif_type *t = &v->type;

	sb_printf(&d->vars_text, ".var \"%s\" %u %s %s r/w %s (%s)%s%s (size %u)\n",
		  v->name, v->id, v->kind == DIF_VK_ARRAY ? "arr" : "scl",
		  scopes[v->scope],
		  t->kind == DIF_TYPE_STRING ? "string" : "D type",
		  dif_ckind_name(t->ckind),
		  t->flags & DIF_TF_BYREF ? " by ref" : "",
		  t->flags & DIF_TF_BYUREF ? " by user ref" : "", t->size);
}

void
diff_var(struct diff *d, const char *name, int scope, const char *type,
	 const char *keys)
{
	struct plan_var v = {
		.name = must(arena_strdup(d->a, name)),
		.id = DIF_VAR_OTHER_UBASE + (uint32_t)d->vars.n,
		.scope = (uint8_t)scope,
		.kind = keys ? DIF_VK_ARRAY : DIF_VK_SCALAR,
		.type = parse_type(type),
	};

	v.keys = parse_keys(d, keys, false, &v.nkeys, &v.key_size);
	if (!vec_push(&d->vars, v))
		diff_die("out of memory");
	declare(d, &v);
}

unsigned
diff_agg(struct diff *d, enum abi_agg_func func, uint64_t arg, const char *keys)
{
	struct abi_agg_desc a = {
		.name = "", .id = (uint32_t)d->aggs.n + 1, .func = func,
		.arg = arg, .ncells = abi_agg_cells(func, arg),
	};

	a.keys = parse_keys(d, keys, true, &a.nkeys, &a.key_size);
	if (!vec_push(&d->aggs, a))
		diff_die("out of memory");
	return a.id - 1;
}

/* --- DIFOs --------------------------------------------------------------------- */

static void
check_difo(const struct dif_difo *d, const char *text)
{
	char why[256];
	struct base_buf b;

	base_buf_init(&b, why, sizeof(why));
	if (!dif_verify(d, &b))
		diff_die("not verified: %s: %s", why, text);
}

static struct dif_difo *
difo(struct diff *d, const char *text)
{
	struct sb all;
	struct dif_difo *o;

	sb_init(&all, 1 << 22);
	sb_printf(&all, "%s%s\n", sb_str(&d->vars_text), text);
	struct err *e = difasm_assemble(sb_str(&all), &o);
	sb_fini(&all);
	if (e)
		diff_die("%s: %s", e->text, text);
	check_difo(o, text);
	if (!vec_push(&d->difos, o))
		diff_die("out of memory");
	return o;
}

const struct dif_difo *
diff_tables(struct diff *d)
{
	if (!d->tables) {
		d->tables = difo(d, "ret %r0");
		d->difos.n--;
	}
	return d->tables;
}

/* --- Clauses --------------------------------------------------------------------- */

static struct diff_clause *
new_clause(struct diff *d, char *name)
{
	struct diff_clause *c = must(ARENA_NEW(d->a, struct diff_clause));

	c->d = d;
	c->name = must(name);
	c->index = (uint32_t)d->clauses.n;
	c->tail = (struct plan_node **)&c->clause.body;
	if (!vec_push(&d->clauses, c))
		diff_die("out of memory");
	return c;
}

struct diff_clause *
diff_clause(struct diff *d, const char *name, ...)
{
	va_list ap;

	va_start(ap, name);
	char *copy = arena_vprintf(d->a, name, ap);
	va_end(ap);
	return new_clause(d, copy);
}

struct diff_clause *
diff_error_clause(struct diff *d, const char *name)
{
	struct diff_clause *c = new_clause(d, arena_strdup(d->a, name));

	c->error = true;
	return c;
}

void
diff_loose(struct diff_clause *c)
{
	c->loose = true;
}

void
diff_pred(struct diff_clause *c, const char *text)
{
	c->clause.pred = difo(c->d, text);
}

static struct plan_node *
node(struct diff_clause *c, enum plan_kind kind, uint32_t n,
     const struct dif_difo *const *difos)
{
	struct plan_node *p = must(ARENA_NEW(c->d->a, struct plan_node));

	p->kind = (uint8_t)kind;
	p->action_no = ++c->nodes;
	p->ndifos = n;
	p->difos = must(arena_memdup(c->d->a, difos, (n + 1) * sizeof(*difos)));
	*c->tail = p;
	c->tail = &p->next;
	return p;
}

static struct plan_node *
node1(struct diff_clause *c, enum plan_kind kind, const struct dif_difo *o)
{
	const struct dif_difo *difos[] = { o, NULL };

	return node(c, kind, o ? 1 : 0, difos);
}

void
diff_expr(struct diff_clause *c, const char *text)
{
	node1(c, PLAN_EXPR, difo(c->d, text));
}

/* The branch byte of the arm we are in, given to it when it first records. */
static uint16_t
branch(struct diff_clause *c)
{
	if (!c->depth)
		return 0;
	uint16_t *byte = c->byte[c->depth - 1];
	if (!*byte)
		*byte = ++c->nbranches;
	return *byte;
}

static void
record(struct diff_clause *c, enum abi_field_kind kind, uint32_t size,
       const struct dif_difo *o)
{
	struct abi_field f = {
		.kind = (uint8_t)kind, .size = size, .is_signed = 1,
		.align = (uint8_t)(kind == ABI_FIELD_STRING ||
				   kind == ABI_FIELD_BYTES ? 1 :
				   size > 8 ? 8 : size),
	};
	struct abi_action a = {
		.kind = ABI_ACT_DIFEXPR, .nfields = 1, .branch = branch(c),
		.field = (uint32_t)c->fields.n,
	};
	struct plan_node *p = node1(c, PLAN_RECORD, o);

	p->branch = a.branch;
	p->action = must(arena_memdup(c->d->a, &a, sizeof(a)));
	if (!vec_push(&c->fields, f) || !vec_push(&c->actions, a))
		diff_die("out of memory");
}

static struct dif_difo *
user_difo(struct diff_clause *c, const char *text)
{
	struct dif_difo *o = difo(c->d, text);

	o->rtype = (struct dif_type){ .kind = DIF_TYPE_CTF, .size = 8,
		.flags = DIF_TF_BYREF | DIF_TF_BYUREF };
	return o;
}

void
diff_int(struct diff_clause *c, unsigned size, const char *text)
{
	record(c, ABI_FIELD_INT, size, difo(c->d, text));
}

void
diff_str(struct diff_clause *c, unsigned size, const char *text)
{
	record(c, ABI_FIELD_STRING, size, difo(c->d, text));
}

void
diff_bytes(struct diff_clause *c, unsigned size, const char *text)
{
	record(c, ABI_FIELD_BYTES, size, difo(c->d, text));
}

void
diff_ustr(struct diff_clause *c, unsigned size, const char *text)
{
	record(c, ABI_FIELD_STRING, size, user_difo(c, text));
}

void
diff_ubytes(struct diff_clause *c, unsigned size, const char *text)
{
	record(c, ABI_FIELD_BYTES, size, user_difo(c, text));
}

void
diff_field(struct diff_clause *c, enum abi_field_kind kind, unsigned size)
{
	record(c, kind, size, NULL);
}

void
diff_int_difo(struct diff_clause *c, const struct dif_difo *o)
{
	record(c, ABI_FIELD_INT, 8, o);
}

void
diff_str_difo(struct diff_clause *c, unsigned size, const struct dif_difo *o)
{
	record(c, ABI_FIELD_STRING, size, o);
}

void
diff_add(struct diff_clause *c, unsigned agg, unsigned ntexts,
	 const char *const *texts)
{
	const struct abi_agg_desc *a = &c->d->aggs.v[agg];
	const struct dif_difo *difos[64] = { 0 };

	for (unsigned i = 0; i < ntexts; i++)
		difos[i] = difo(c->d, texts[i]);
	struct plan_node *p = node(c, PLAN_AGG, ntexts, difos);
	p->agg = must(arena_memdup(c->d->a, a, sizeof(*a)));
	c->d->uses_rows |= !a->nkeys;
	p->has_value = ntexts > a->nkeys;
	p->has_incr = ntexts > a->nkeys + 1;
}

void
diff_if(struct diff_clause *c, const char *text)
{
	struct plan_node *p = node1(c, PLAN_IF, difo(c->d, text));

	if (c->depth == MAX_DEPTH)
		diff_die("ifs too deep");
	c->ifs[c->depth] = p;
	c->byte[c->depth++] = &p->branch;
	c->tail = (struct plan_node **)&p->then_;
}

void
diff_else(struct diff_clause *c)
{
	struct plan_node *p = c->ifs[c->depth - 1];

	c->byte[c->depth - 1] = &p->else_branch;
	c->tail = (struct plan_node **)&p->else_;
}

void
diff_end(struct diff_clause *c)
{
	c->tail = &c->ifs[--c->depth]->next;
}
