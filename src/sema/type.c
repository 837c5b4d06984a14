/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Types as D sees them: where named ones come from, what a value turns into,
 * and what may be assigned to what.
 *
 * A type's name is looked for in the program first, then among D's aliases,
 * then in the libraries and the world, so that a program may have its own
 * `struct foo` and yet `struct task_struct *` costs nothing until it is written.
 *
 * Strings carry the largest size their value can have; there is one node for
 * each size, so that equal strings are equal pointers.
 */
#include <stdlib.h>
#include <string.h>

#include "sema/name_priv.h"
#include "sema/tree.h"
#include "sema/type_priv.h"
#include "type/convert.h"
#include "type/make.h"
#include "type/text.h"

const struct type *
sema_string(struct sema *s, uint64_t size)
{
	size = BASE_MIN(size, s->strsize);
	void **slot = hash_ref(&s->strings, &size, sizeof(size));

	if (!sema_had(s, slot))
		return NULL;
	if (!*slot)
		*slot = type_new_string(s->a, size);
	return *slot;
}

const struct type *
sema_dyn(struct sema *s, enum abi_field_kind kind, uint32_t size,
	 const char *name)
{
	void **slot = hash_ref(&s->dyns, name, strlen(name));

	if (!sema_had(s, slot))
		return NULL;
	if (!*slot) {
		struct type *t = type_new_dyn(s->a, name);
		if (!t)
			return NULL;
		t->n = kind;
		t->size = size;
		*slot = t;
	}
	return *slot;
}

const char *
sema_tname(struct sema *s, const struct type *t)
{
	struct sb b;
	const char *text;

	if (!t)
		return "?";
	sb_init(&b, 512);
	type_print(t, NULL, &b);
	text = b.failed ? NULL : arena_strdup(s->a, sb_str(&b));
	sb_fini(&b);
	return text ? text : t->name ? t->name : "?";
}

static bool
in_library(const struct sema *s)
{
	return s->flags & LANG_LIBRARY;
}

struct hash *
sema_typedefs(struct sema *s)
{
	return &s->typedefs[in_library(s)];
}

struct hash *
sema_tags(struct sema *s)
{
	return &s->tags[in_library(s)];
}

/* A library does not see the types of the program that needs it. */
static const struct type *
own_type(struct sema *s, enum type_kind kind, const char *name)
{
	struct hash *h = kind == TYPE_TYPEDEF ? s->typedefs : s->tags;
	const struct type *t = in_library(s) ? NULL : hash_gets(&h[0], name);

	if (!t)
		t = hash_gets(&h[1], name);
	return t || kind != TYPE_TYPEDEF ? t : type_alias(name);
}

/* The program's, D's, or a library's. */
static const struct type *
d_type(struct sema *s, enum type_kind kind, const char *name)
{
	const struct type *t = own_type(s, kind, name);

	if (!t && sema_library(s, kind == TYPE_TYPEDEF ? LANG_NAME_TYPE
						       : LANG_NAME_TAG, name))
		t = own_type(s, kind, name);
	return t;
}

/* Two spaces are no modules: D`x is what programs and libraries define, C`x
 * what the system does. */
const struct type *
sema_type_named(struct sema *s, const char *module, enum type_kind kind,
		const char *name)
{
	bool is_c = module && strcmp(module, "C") == 0;
	bool is_d = module && strcmp(module, "D") == 0;
	const struct type *t = NULL;

	if (!module || is_d)
		t = d_type(s, kind, name);
	else if (is_c && kind == TYPE_TYPEDEF)
		t = type_alias(name);
	if (!t && !is_d && s->world->find_type)
		t = s->world->find_type(s->world->ctx, is_c ? NULL : module,
					kind, name);
	return t;
}

/* Is it of any use: more than a name? */
static bool
is_known(const struct type *t)
{
	return t && t->kind != TYPE_FWD;
}

const struct type *
sema_type_written(struct sema *s, const char *module, enum type_kind kind,
		  const char *name)
{
	const struct sema_world *w = s->world;
	const struct type *t = sema_type_named(s, module, kind, name), *own;

	if (is_known(t) || in_library(s) || !w->find_process_type ||
	    hash_gets(sema_tags(s), name) ||
	    (module && (!strcmp(module, "C") || !strcmp(module, "D"))))
		return t;
	own = w->find_process_type(w->ctx, module, kind, name);
	return own && (is_known(own) || !t) ? own : t;
}

/* The type of a kernel elsewhere. */
static const char *
foreign_type(enum type_kind kind, const char *name)
{
	static const struct { const char *alias, *tag, *hint; } rows[] = {
#define FOREIGN_FUNC(names, hint)
#define FOREIGN_MODULE(names, hint)
#define FOREIGN_TYPE(alias, tag, hint) { alias, tag, hint },
#include "sema/foreign.def"
#undef FOREIGN_FUNC
#undef FOREIGN_MODULE
#undef FOREIGN_TYPE
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (!strcmp(name, kind == TYPE_TYPEDEF ? rows[i].alias
						       : rows[i].tag))
			return rows[i].hint;
	return NULL;
}

void
sema_hint_type(struct sema *s, const char *module, enum type_kind kind,
	       const char *name)
{
	const struct sema_world *w = s->world;
	const char *hint = module ? NULL : foreign_type(kind, name);

	/* What libraries ask is of the kernel: a command is not begun for it. */
	if (!hint && w->no_process_type && !in_library(s) && sema_wants_hint(s))
		hint = w->no_process_type(w->ctx, module, kind, name, s->a);
	if (hint)
		diag_hint(s->d, "%s", hint);
}

void
sema_hint_unknown(struct sema *s, const struct type *t)
{
	t = type_strip(t);
	if (t && t->kind == TYPE_FWD && t->name)
		sema_hint_type(s, NULL, t->fwd_kind, t->name);
}

/* In a table's text, a struct that nobody knows is one declared forward. */
static const struct type *
named(void *ctx, enum type_kind kind, const char *name)
{
	struct sema *s = ctx;
	const struct type *t = sema_type_named(s, NULL, kind, name);

	if (!t && kind != TYPE_TYPEDEF)
		t = type_new_fwd(s->a, kind, arena_strdup(s->a, name));
	return t;
}

const struct type *
sema_type_text(struct sema *s, const char *text)
{
	if (strcmp(text, "string") == 0)
		return s->string;
	if (strncmp(text, "string(", 7) == 0)
		return sema_string(s, strtoul(text + 7, NULL, 10));
	return type_parse(s->a, text, named, s);
}

const struct type *
sema_decay(struct sema *s, const struct ast_node *n)
{
	const struct type *t = type_strip(n->type);
	struct type *p;

	if (!t || (t->kind != TYPE_ARRAY && t->kind != TYPE_FUNC))
		return n->type;
	p = type_new_ptr(s->a, t->kind == TYPE_ARRAY ? t->base : n->type);
	if (p)
		p->is_user = n->is_user;
	return p;
}

bool
sema_is_part(const struct ast_node *n)
{
	const struct type *t;

	if (n->kind != AST_INDEX)
		return false;
	t = n->kid[0]->type;
	return type_is_array(t) ||
	       (type_is_string(t) && !(n->ident && n->ident->is_assoc));
}

const struct type *
sema_as_string(struct sema *s, const struct type *t)
{
	if (type_is_string(t))
		return t;
	if (type_is_array(t) && type_strip(t)->nelems)
		return sema_string(s, type_strip(t)->nelems + 1);
	return s->string;
}

bool
sema_is_null(const struct ast_node *n)
{
	const struct ast_node *e = sema_eval(n);

	if (!n->is_const || n->value || e->kind == AST_STR)
		return false;
	return type_is_integer(n->type) ||
	       (type_is_ptr(n->type) && type_is_void(type_strip(n->type)->base));
}

bool
sema_is_real(const struct type *t)
{
	return type_is_float(t) && (type_size(t) == type_size(&type_float) ||
				    type_size(t) == type_size(&type_double));
}

bool
sema_assignable(struct sema *s, const struct type *t,
		const struct ast_node *n)
{
	const struct type *from = n->type;

	if (sema_is_real(t))
		return type_is_integer(from) || sema_is_real(from) ||
		       sema_eval(n)->kind == AST_FLOAT;

	if (type_is_integer(t))
		return type_is_integer(from) || sema_is_null(n);
	if (type_is_ptr(t))
		return sema_is_null(n) ||
		       type_ptr_compat(t, sema_decay(s, n));
	if (type_is_string(t))
		return type_is_strcompat(from) || sema_is_null(n);
	if (type_is_sou(t))
		return type_equal(t, from);
	return false;
}
