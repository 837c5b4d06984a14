/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Keys.  The first use of an associative array or aggregation fixes how many
 * there are and of which kind; later uses must fit.  Two things grow with
 * further uses, because gen runs when all have been seen: the size of a
 * string, and the width of an integer (so that @[1] and @[arg0] are one
 * aggregation whose key is 64 bits wide).
 *
 * A constant longer than strsize is cut as a key, too, so that it equals a variable
 * that was assigned the same.  But when two would be one key by that, all of the
 * constants there are whole, and what was cut at run time equals none of them.
 */
#include <string.h>

#include "sema/call_priv.h"
#include "sema/expr_priv.h"
#include "sema/name_priv.h"
#include "sema/tree.h"
#include "sema/type_priv.h"
#include "type/convert.h"
#include "util/sb.h"

/* The type under which a key is kept; NULL after a report. */
static const struct type *
key_type(struct sema *s, const struct sema_ident *id,
	 const struct ast_node *k)
{
	const struct type *t = k->type;

	if (id->kind == SEMA_AGG && (sema_is_stack(t) || sema_is_symbol(t)))
		return t;
	if (type_is_integer(t))
		return type_unqual(t);
	if (type_is_strcompat(t))
		return sema_as_string(s, t);
	if (type_is_ptr(t))
		return type_unqual(t);
	if (type_is_sou(t) && type_is_complete(t) && type_size(t))
		return type_unqual(t);
	diag(s->d, D_KEY_TYPE, k->span, "a value of type %s cannot be a key",
	     sema_tname(s, t));
	sema_hint_action(s, k);
	return NULL;
}

static bool
is_number(const struct type *t)
{
	return type_is_integer(t) || type_is_ptr(t);
}

static bool
fits(const struct type *key, const struct type *t)
{
	if (is_number(key))
		return is_number(t);
	if (type_is_string(key))
		return type_is_string(t);
	return type_equal(key, t);
}

/* Make room in k for a value of type t. */
static void
widen(struct sema_key *k, const struct type *t)
{
	if (type_is_string(t))
		k->size = BASE_MAX(k->size, (uint32_t)type_size(t));
	else if (is_number(t) && type_size(t) > type_size(k->type))
		k->type = t;
}

bool
sema_keys_declare(struct sema *s, struct sema_ident *id,
		  const struct type *const *types, uint32_t n)
{
	id->keys = ARENA_ARRAY(s->a, struct sema_key, n);
	if (!id->keys)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		id->keys[i].type = types[i];
		id->keys[i].size = (uint32_t)type_size(types[i]);
	}
	id->nkeys = n;
	id->keys_known = true;
	return true;
}

static const char *
name_of(struct sema *s, const struct sema_ident *id)
{
	const char *text;

	if (id->kind != SEMA_AGG)
		return sema_var_text(s, id->scope, id->name);
	text = arena_printf(s->a, "@%s", id->name);
	return text ? text : id->name;
}

static bool
count_differs(struct sema *s, const struct sema_ident *id,
	      const struct ast_node *n)
{
	bool is_agg = id->kind == SEMA_AGG;

	if (n->nlist == id->nkeys)
		return false;
	diag(s->d, is_agg ? D_AGG_MDIM : D_PROTO_LEN, n->span,
	     "%s[ ] prototype mismatch: %u key%s passed, %u expected",
	     name_of(s, id), n->nlist, n->nlist == 1 ? "" : "s", id->nkeys);
	return true;
}

static void
type_differs(struct sema *s, const struct sema_ident *id,
	     const struct ast_node *k, uint32_t no)
{
	bool is_agg = id->kind == SEMA_AGG;

	diag(s->d, is_agg ? D_AGG_MDIM : D_PROTO_ARG, k->span,
	     "%s[ ] key #%u is incompatible with prototype: "
	     "prototype: %s, argument: %s", name_of(s, id), no,
	     sema_tname(s, id->keys[no - 1].type), sema_tname(s, k->type));
}

/* Constants that differ only where strsize cuts them would be one key: is k, now,
 * the second of such? */
static bool
is_second(struct sema *s, const struct sema_key *key, const struct ast_node *k)
{
	struct sb name;

	sb_init(&name, SIZE_MAX);
	sb_printf(&name, "%p %u ", (const void *)key, s->strsize);
	sb_putn(&name, k->str, s->strsize - 1);
	void **slot = name.failed ? NULL :
		      hash_ref(&s->cut_keys, name.p, name.len);
	sb_fini(&name);
	if (sema_had(s, slot) && !*slot)
		*slot = (void *)(uintptr_t)k->str;
	return slot && strcmp(*slot, k->str) != 0;
}

/* A part with such constants has room for all of its constants.  It is wider than
 * strsize, as padded, so that engines know (plan_string_room()). */
static void
note_cut(struct sema *s, struct sema_key *key, const struct ast_node *k)
{
	const struct ast_node *e = sema_eval(k);

	if (e->kind == AST_COND) {
		note_cut(s, key, e->kid[1]);
		note_cut(s, key, e->kid[2]);
	}
	if (!sema_is_cut(s, e))
		return;
	key->longest = BASE_MAX(key->longest,
		(uint32_t)strnlen(e->str, e->str_len) + 1);
	key->is_whole |= is_second(s, key, e);
	if (key->is_whole)
		key->size = BASE_MAX(BASE_MAX(key->size, key->longest),
			(uint32_t)base_align(s->strsize, 8) + 1);
}

static const struct type *
check_key(struct sema *s, const struct sema_ident *id, struct ast_node *k)
{
	if (k->kind == AST_AGG) {
		diag(s->d, D_KEY_TYPE, k->span,
		     "an aggregation cannot be a key");
		return NULL;
	}
	sema_expr_dyn(s, k);
	return k->type ? key_type(s, id, k) : NULL;
}

bool
sema_keys(struct sema *s, struct sema_ident *id, struct ast_node *n)
{
	const struct type **types = ARENA_ARRAY(s->a, const struct type *,
						n->nlist);
	uint32_t i = 0;
	bool ok = types != NULL;

	for (struct ast_node *k = n->list; k; k = k->next, i++) {
		const struct type *t = check_key(s, id, k);
		if (!t)
			ok = false;
		else if (types)
			types[i] = t;
	}
	if (!ok)
		return false;
	if (!id->keys_known && !sema_keys_declare(s, id, types, n->nlist))
		return false;
	if (count_differs(s, id, n))
		return false;
	i = 0;
	for (struct ast_node *k = n->list; k; k = k->next, i++) {
		if (!fits(id->keys[i].type, types[i])) {
			type_differs(s, id, k, i + 1);
			ok = false;
		} else {
			widen(&id->keys[i], types[i]);
			if (type_is_string(types[i]))
				note_cut(s, &id->keys[i], k);
			if (id->kind == SEMA_AGG && is_number(types[i]))
				sema_note_key(s, &id->keys[i], k);
		}
	}
	return ok;
}
