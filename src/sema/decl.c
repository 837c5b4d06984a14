/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Declarations at file scope: variables of the three scopes, associative and C
 * arrays, typedefs, and structs for their own sake.  Declaring a variable
 * again with the same type is allowed, as scripts are put together from
 * pieces.
 */
#include "base/base.h"
#include "sema/name_priv.h"
#include "sema/type_priv.h"
#include "type/convert.h"
#include "type/make.h"
#include "type/text.h"

static enum sema_scope
scope_of(const struct ast_decl *d)
{
	return d->spec->class == AST_CLASS_SELF ? SEMA_SELF :
	       d->spec->class == AST_CLASS_THIS ? SEMA_THIS : SEMA_GLOBAL;
}

static bool
check_class(struct sema *s, const struct ast_decl *d)
{
	switch (d->spec->class) {
	case AST_CLASS_STATIC:
		if (d->deriv && d->deriv->kind == AST_DERIV_FUNC)
			return true;
		/* fallthrough */
	case AST_CLASS_AUTO:
	case AST_CLASS_REGISTER:
		diag(s->d, D_DECL_BADCLASS, d->spec->span,
		     "this storage class does not exist in D");
		diag_hint(s->d, "without one a variable is global; self is a "
			  "thread's, this a clause's");
		return false;
	default:
		return true;
	}
}

static void
redeclared(struct sema *s, const struct ast_decl *d)
{
	diag(s->d, D_DECL_IDRED, d->span, "identifier redeclared: %s",
	     sema_var_text(s, scope_of(d), d->name));
}

/* Variables and types share their names. */
static bool
is_global(struct sema *s, const char *name)
{
	struct sema_ident *id = sema_ident_find(s, SEMA_GLOBAL, name);

	return id && !sema_is_hidden(s, id);
}

static bool
is_typedef(struct sema *s, const struct ast_decl *d)
{
	return scope_of(d) == SEMA_GLOBAL &&
	       hash_gets(sema_typedefs(s), d->name);
}

static void
declare_typedef(struct sema *s, struct ast_decl *d)
{
	const struct type *t = sema_decl_type(s, d, DECL_TYPENAME);
	const struct type *old = hash_gets(sema_typedefs(s), d->name);

	if (!t) {
		sema_mute(s, sema_typedef_text(s, d->name));
		return;
	}
	if (is_global(s, d->name)) {
		redeclared(s, d);
		return;
	}
	if (!old)
		old = type_alias(d->name);
	if (old && !type_equal(old, t)) {
		diag(s->d, D_DECL_IDRED, d->span, "identifier redeclared: "
		     "%s is the name of another type, %s", d->name,
		     sema_tname(s, type_strip(old)));
		return;
	}
	if (old)
		return;
	struct type *td = type_new_typedef(s->a, d->name, t);
	if (td) {
		struct sema_attrs attrs = { 0 };
		sema_attrs(s, d->spec->attrs, &attrs);
		sema_attrs(s, d->attrs, &attrs);
		td->module = "D";
		td->align = attrs.align;
	}
	sema_had(s, td && hash_puts(sema_typedefs(s), d->name, td));
}

/* Can an object of this type exist? */
static bool
check_object(struct sema *s, const struct ast_decl *d, const struct type *t)
{
	if (type_is_func(t)) {
		diag(s->d, D_DECL_BADCLASS, d->spec->span,
		     "a function cannot be self or this");
		return false;
	}
	if (type_is_void(t)) {
		diag(s->d, D_DECL_VOIDOBJ, d->span,
		     "variable %s cannot have type void", d->name);
		return false;
	}
	if (type_is_float(t) && !sema_is_real(t)) {
		diag(s->d, D_NOTIMPL, d->span, "variables of type %s are not "
		     "available in this version", sema_tname(s, t));
		diag_hint(s->d, "double has the most digits");
		return false;
	}
	if (!type_is_complete(t)) {
		diag(s->d, D_DECL_INCOMPLETE, d->span, "the type of %s is "
		     "incomplete: %s", d->name, sema_tname(s, t));
		return false;
	}
	return true;
}

static bool
same_keys(const struct sema_ident *id, const struct type *const *types,
	  uint32_t n)
{
	if (!id->is_assoc || id->nkeys != n)
		return false;
	return !BASE_ANY(i, n, !type_equal(id->keys[i].type, types[i]));
}

static struct sema_ident *
find_declared(struct sema *s, const struct ast_decl *d)
{
	enum sema_scope scope = scope_of(d);
	struct sema_ident *id;

	if (scope != SEMA_GLOBAL)
		return sema_ident_find(s, scope, d->name);
	id = sema_ident_declared(s, d->name);
	if (id && sema_is_unbuilt(id))
		return NULL;
	return id;
}

/* int f(int);  says nothing that is needed: functions may stand in any order.
 * The headers of C are full of them. */
static bool
is_prototype(const struct ast_decl *d, const struct type *t)
{
	return type_is_func(t) && (d->spec->class == AST_CLASS_NONE ||
				   d->spec->class == AST_CLASS_EXTERN ||
				   d->spec->class == AST_CLASS_STATIC);
}

/* extern int a[];  is completed elsewhere, or never used. */
static bool
is_open_extern(const struct ast_decl *d, const struct type *t)
{
	return d->spec->class == AST_CLASS_EXTERN && type_is_array(t) &&
	       !type_strip(t)->nelems;
}

static void
declare_scalar(struct sema *s, struct ast_decl *d)
{
	const struct type *t = sema_decl_type(s, d, DECL_FILE);
	struct sema_ident *id = find_declared(s, d);

	if (t && is_prototype(d, t)) {
		if (id && id->kind == SEMA_VAR)
			redeclared(s, d);
		return;
	}
	if (t && is_open_extern(d, t)) {
		if (id && (id->kind != SEMA_VAR || id->is_assoc ||
			   !type_is_array(id->type) ||
			   !type_equal(type_strip(id->type)->base,
				       type_strip(t)->base)))
			redeclared(s, d);
		return;
	}
	if (!t || !check_object(s, d, t)) {
		sema_mute(s, sema_var_text(s, scope_of(d), d->name));
		return;
	}
	if ((id && (id->kind != SEMA_VAR || id->is_assoc ||
		    !type_equal(id->type, t))) || is_typedef(s, d)) {
		redeclared(s, d);
		return;
	}
	if (!id)
		id = sema_var_new(s, scope_of(d), d->name, t, d->span);
	if (id)
		id->is_declared = true;
}

/* Types of keys as they are kept. */
static bool
check_keys(struct sema *s, const struct ast_deriv *a,
	   const struct type **types, uint32_t n)
{
	const struct ast_decl *d = a->params;

	for (uint32_t i = 0; i < n; i++, d = d->next) {
		if (type_is_strcompat(types[i])) {
			types[i] = sema_as_string(s, types[i]);
		} else if (type_is_float(types[i]) ||
			   (!type_is_scalar(types[i]) &&
			    !(type_is_sou(types[i]) && type_size(types[i])))) {
			diag(s->d, D_DECL_PROTO_TYPE, d->span, "a value of "
			     "type %s cannot be a key",
			     sema_tname(s, types[i]));
			return false;
		}
	}
	if (n == 0)
		diag(s->d, D_DECL_PROTO_VOID, a->span, "an associative array "
		     "needs at least one key");
	return n > 0;
}

static void
declare_assoc(struct sema *s, struct ast_decl *d)
{
	const struct ast_deriv *a = d->deriv;
	const struct type **keys, *t = sema_decl_assoc_value(s, d);
	struct sema_ident *id = find_declared(s, d);
	uint32_t n;

	if (scope_of(d) == SEMA_THIS) {
		diag(s->d, D_DECL_LOCASSC, d->span, "associative array "
		     "this->%s may not be clause-local", d->name);
		return;
	}
	keys = sema_decl_params(s, a->params, &n);
	if (!t || !keys || !check_object(s, d, t) ||
	    !check_keys(s, a, keys, n)) {
		sema_mute(s, sema_var_text(s, scope_of(d), d->name));
		return;
	}
	if ((id && (id->kind != SEMA_VAR || !type_equal(id->type, t) ||
		    !same_keys(id, keys, n))) || is_typedef(s, d)) {
		redeclared(s, d);
		return;
	}
	if (id)
		return;
	id = sema_var_new(s, scope_of(d), d->name, t, d->span);
	if (!id)
		return;
	id->is_assoc = id->is_declared = true;
	sema_keys_declare(s, id, keys, n);
}

/* Without a name only a struct, union or enum declares something. */
static void
declare_nameless(struct sema *s, struct ast_decl *d)
{
	const struct ast_spec *sp = d->spec;
	bool is_tag = sp->kind == AST_SPEC_STRUCT ||
		      sp->kind == AST_SPEC_UNION || sp->kind == AST_SPEC_ENUM;
	const struct type *t = sema_decl_type(s, d, DECL_TYPENAME);

	if (!t)
		return;
	if (is_tag && sp->class == AST_CLASS_TYPEDEF && sp->has_body &&
	    sp->name && !d->deriv) {
		diag_warn(s->d, D_DECL_USELESS, sp->span, "typedef without a "
			  "name: this declares %s alone", sema_tname(s, t));
		return;
	}
	if (!is_tag || d->deriv || sp->class != AST_CLASS_NONE ||
	    (!sp->name && sp->kind != AST_SPEC_ENUM))
		diag(s->d, D_DECL_USELESS, sp->span,
		     "declaration declares nothing");
}

void
sema_decl(struct sema *s, struct ast_decl *d)
{
	for (; d; d = d->next) {
		if (!check_class(s, d))
			continue;
		if (!d->name)
			declare_nameless(s, d);
		else if (d->spec->class == AST_CLASS_TYPEDEF)
			declare_typedef(s, d);
		else if (sema_decl_assoc(d))
			declare_assoc(s, d);
		else
			declare_scalar(s, d);
	}
}
