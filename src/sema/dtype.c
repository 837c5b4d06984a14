/* SPDX-License-Identifier: BSD-2-Clause
 *
 * From the words of a declaration to a type: the basic types, structs, unions
 * and enums with or without a body, and the derivations around a name.
 *
 * The declarators of `int a, b;` share one specifier, and a body in it
 * declares its tag only once: the type of a specifier is kept with the first
 * declarator and looked up for the others.
 */
#include "sema/expr_priv.h"
#include "sema/name_priv.h"
#include "sema/tree.h"
#include "sema/type_priv.h"
#include "type/convert.h"
#include "type/make.h"

/* Bytes of an array or struct that a program defines: whoever lays out values
 * counts with 32 bits. */
enum { MAX_SIZE = INT32_MAX };

/* --- Basic types --------------------------------------------------------- */

static const struct type *
bad_words(struct sema *s, const struct ast_spec *sp, enum diag_tag tag)
{
	static const struct {
		enum diag_tag tag;
		const char *text;
	} rows[] = {
		{ D_DECL_COMBO, "invalid combination of type words" },
		{ D_DECL_VOIDATTR, "void cannot be signed, unsigned, short or "
		  "long" },
		{ D_DECL_CHARATTR, "char cannot be short or long" },
		{ D_DECL_SIGNINT, "only integers can be signed or unsigned" },
		{ D_DECL_LONGINT, "only integers, and for long also double, "
		  "can be short or long" },
	};
	const char *text = NULL;

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (rows[i].tag == tag)
			text = rows[i].text;
	diag(s->d, tag, sp->span, "%s", text);
	return NULL;
}

/* Is a word given that only integers take? */
static bool
has_size_word(const struct ast_spec *sp)
{
	return sp->n_long || sp->n_short;
}

static const struct type *
int_type(const struct ast_spec *sp)
{
	static const struct type *const types[][2] = {
		{ &type_int, &type_uint }, { &type_short, &type_ushort },
		{ &type_long, &type_ulong }, { &type_llong, &type_ullong },
	};
	unsigned row = sp->n_short ? 1 : sp->n_long ? 1 + sp->n_long : 0;

	return types[row][sp->n_unsigned != 0];
}

static const struct type *
char_type(const struct ast_spec *sp)
{
	return sp->n_unsigned ? &type_uchar : sp->n_signed ? &type_schar
							   : &type_char;
}

/* Words that are the type itself; `int` beside short or long is none. */
static unsigned
base_words(const struct ast_spec *sp)
{
	return (sp->n_void != 0) + (sp->n_char != 0) + (sp->n_float != 0) +
	       (sp->n_double != 0) + (sp->n_string != 0) +
	       (sp->n_bool != 0) + (sp->n_int != 0) + (sp->n_int128 != 0) +
	       (sp->n_float128 != 0);
}

static bool
is_repeated(const struct ast_spec *sp)
{
	return sp->n_void > 1 || sp->n_char > 1 || sp->n_short > 1 ||
	       sp->n_int > 1 || sp->n_long > 2 || sp->n_float > 1 ||
	       sp->n_double > 1 || sp->n_string > 1 || sp->n_bool > 1 ||
	       sp->n_signed > 1 || sp->n_unsigned > 1;
}

static const struct type *
basic_type(struct sema *s, const struct ast_spec *sp)
{
	bool sign = sp->n_signed || sp->n_unsigned;

	if (is_repeated(sp) || base_words(sp) > 1 ||
	    (sp->n_signed && sp->n_unsigned) || (sp->n_short && sp->n_long))
		return bad_words(s, sp, D_DECL_COMBO);
	if (sp->n_void && (sign || has_size_word(sp)))
		return bad_words(s, sp, D_DECL_VOIDATTR);
	if (sp->n_char && has_size_word(sp))
		return bad_words(s, sp, D_DECL_CHARATTR);
	if (sign && (sp->n_float || sp->n_double || sp->n_string ||
		     sp->n_bool))
		return bad_words(s, sp, D_DECL_SIGNINT);
	if (has_size_word(sp) &&
	    (sp->n_float || sp->n_string || sp->n_bool ||
	     (sp->n_double && (sp->n_short || sp->n_long > 1))))
		return bad_words(s, sp, D_DECL_LONGINT);
	if (sp->n_int128 || sp->n_float128 || sp->n_complex)
		return sema_foreign_words(s, sp);
	if (sp->n_void)
		return &type_void;
	if (sp->n_char)
		return char_type(sp);
	if (sp->n_float)
		return &type_float;
	if (sp->n_double)
		return sp->n_long ? &type_ldouble : &type_double;
	if (sp->n_string)
		return s->string;
	if (sp->n_bool)
		return &type_bool;
	return int_type(sp);
}

/* Words that only basic types take, beside a name or a tag. */
static bool
check_tagged_words(struct sema *s, const struct ast_spec *sp)
{
	if (base_words(sp))
		bad_words(s, sp, D_DECL_COMBO);
	else if (sp->n_signed || sp->n_unsigned)
		bad_words(s, sp, D_DECL_SIGNINT);
	else if (has_size_word(sp))
		bad_words(s, sp, D_DECL_LONGINT);
	else
		return true;
	return false;
}

/* --- Constants in declarations ------------------------------------------- */

/* Value of a constant integer expression; reports with tag otherwise. */
static bool
const_expr(struct sema *s, struct ast_node *n, enum diag_tag tag,
	   const char *what, int64_t *ret)
{
	sema_expr(s, n);
	if (!n->type)
		return false;
	if (sema_const(n, ret))
		return true;
	diag(s->d, tag, n->span, "%s must be an integer constant", what);
	return false;
}

/* --- Enums --------------------------------------------------------------- */

static void
declare_enumerator(struct sema *s, const struct ast_enumerator *e,
		   int64_t value, const struct type *type)
{
	struct sema_ident *id = sema_ident_declared(s, e->name);

	if (id && sema_is_hidden(s, id))
		return;
	if (id) {
		diag(s->d, D_DECL_IDRED, e->span,
		     "identifier redeclared: %s", e->name);
		return;
	}
	id = ARENA_NEW(s->a, struct sema_ident);
	if (!id)
		return;
	id->kind = SEMA_ENUM;
	id->name = e->name;
	id->type = type;
	id->value = (uint64_t)value;
	id->attr = sema_attr_default;
	id->span = e->span;
	sema_ident_add(s, SEMA_GLOBAL, id);
}

/* As in C an enumerator is an int, and as in GNU C, one that is written as an
 * unsigned number (a mask, mostly) may be more. */
static const struct type *
enumerator_type(int64_t value, bool is_huge)
{
	if (is_huge)
		return &type_ulong;
	if (value < INT32_MIN || value > UINT32_MAX)
		return &type_long;
	return value > INT32_MAX ? &type_uint : &type_int;
}

/* Does a constant shift an int to the left, as 1 << 31?  What reaches the sign is
 * negative then, as C compilers have it without a word. */
static bool
shifts_int(const struct ast_node *n)
{
	if (!type_equal(n->type, &type_int))
		return false;
	if (n->kind == AST_BINARY && n->op == AST_SHL)
		return true;
	for (int i = 0; i < 3; i++)
		if (n->kid[i] && n->kid[i]->type && shifts_int(n->kid[i]))
			return true;
	return false;
}

/* The enumerators of a body into e[], and whether the last value is beyond what
 * signed integers hold; false after a report. */
static bool
enum_values(struct sema *s, const struct ast_enumerator *list,
	    struct type_enumerator *e, bool *has_huge)
{
	int64_t next = 0;
	bool ok = true;

	for (uint32_t i = 0; list; list = list->next, i++) {
		bool is_huge = false, is_over = false;
		if (!list->value)
			is_over = next == INT32_MAX + 1LL;
		else if (!const_expr(s, list->value, D_DECL_ENCONST,
				     "the value of an enumerator", &next))
			ok = false;
		else if ((next >> 32 == 0 || next >> 32 == -1) &&
			 shifts_int(list->value))
			next = (int32_t)next;
		else if (type_is_signed(list->value->type))
			is_over = next < INT32_MIN || next > INT32_MAX;
		else
			is_huge = next < 0;
		if (is_over) {
			diag(s->d, D_DECL_ENOFLOW, list->span, "the value of "
			     "enumerator %s does not fit an int", list->name);
			ok = false;
			next = 0;
		}
		*has_huge |= is_huge;
		e[i].name = list->name;
		e[i].value = next;
		declare_enumerator(s, list, next,
				   enumerator_type(next, is_huge));
		next = (int64_t)((uint64_t)next + 1);
	}
	return ok;
}

static bool
define_enum(struct sema *s, const struct ast_spec *sp, struct type *t)
{
	struct type_enumerator *e;
	bool has_huge = false;
	uint32_t n = 0;

	for (struct ast_enumerator *i = sp->enums; i; i = i->next)
		n++;
	e = ARENA_ARRAY(s->a, struct type_enumerator, n);
	if (!e || !enum_values(s, sp->enums, e, &has_huge) ||
	    !type_define_enum(s->a, t, e, n))
		return false;
	if (has_huge)
		type_widen_enum(t);
	struct sema_attrs attrs = { 0 };
	sema_attrs(s, sp->tag_attrs, &attrs);
	if (attrs.is_packed)
		type_pack_enum(t);
	return true;
}

/* --- Structs and unions -------------------------------------------------- */

static bool
bit_field(struct sema *s, struct ast_decl *d, struct type_member *m)
{
	int64_t bits;

	if (!type_is_integer(m->type)) {
		diag(s->d, D_DECL_BFTYPE, d->span, "a bit-field must have an "
		     "integer type, not %s", sema_tname(s, m->type));
		return false;
	}
	if (!const_expr(s, d->bits, D_DECL_BFCONST, "the width of a bit-field",
			&bits))
		return false;
	if (bits == 0 && !d->name) {
		m->bit_size = UINT32_MAX;
		return true;
	}
	if (bits < 1 || (uint64_t)bits > type_size(m->type) * 8) {
		diag(s->d, bits < 1 ? D_DECL_BFCONST : D_DECL_BFSIZE,
		     d->bits->span, "the width of a "
		     "bit-field of type %s must be 1 to %llu, not %lld",
		     sema_tname(s, m->type),
		     (unsigned long long)type_size(m->type) * 8,
		     (long long)bits);
		return false;
	}
	m->bit_size = (uint32_t)bits;
	return true;
}

static bool
check_member_class(struct sema *s, const struct ast_decl *d)
{
	bool is_scope = d->spec->class == AST_CLASS_SELF ||
			d->spec->class == AST_CLASS_THIS;

	if (d->spec->class == AST_CLASS_NONE)
		return true;
	diag(s->d, is_scope ? D_DECL_SCOPE : D_DECL_BADCLASS, d->spec->span,
	     "a member cannot have a %s", is_scope ? "scope of its own"
						     : "storage class");
	return false;
}

/* An array without elements may stand where C lets it: one written [] at the
 * end, or in a union; one written [0] anywhere, as in GNU C. */
static bool
may_be_empty(const struct ast_decl *d, const struct type *t, bool in_union)
{
	return type_is_array(t) && !type_strip(t)->nelems &&
	       type_is_complete(type_strip(t)->base) &&
	       (!d->next || in_union || !d->deriv || d->deriv->size);
}

static void
member_attrs(struct sema *s, const struct ast_decl *d, struct type_member *m)
{
	struct sema_attrs a = { .is_packed = m->is_packed };

	sema_attrs(s, d->spec->attrs, &a);
	sema_attrs(s, d->attrs, &a);
	m->is_packed = a.is_packed;
	m->align = a.align;
}

static bool
one_member(struct sema *s, struct ast_decl *d, struct type_member *m,
	   struct hash *seen, bool in_union)
{
	member_attrs(s, d, m);
	m->type = sema_decl_type(s, d, DECL_MEMBER);
	m->name = d->name;
	if (!m->type || !check_member_class(s, d))
		return false;
	if (sema_seen(s, seen, d->name)) {
		diag(s->d, D_DECL_IDRED, d->span,
		     "member redeclared: %s", d->name);
		return false;
	}
	if (d->bits)
		return bit_field(s, d, m);
	if (!d->name && !type_is_sou(m->type)) {
		diag(s->d, D_DECL_USELESS, d->spec->span,
		     "declaration declares nothing");
		return false;
	}
	if (type_is_void(m->type)) {
		diag(s->d, D_DECL_VOIDOBJ, d->span,
		     "a member cannot have type void");
		return false;
	}
	if (!type_is_complete(m->type) && !may_be_empty(d, m->type, in_union)) {
		diag(s->d, D_DECL_INCOMPLETE, d->span, "the type of member %s "
		     "is incomplete: %s", d->name ? d->name : "",
		     sema_tname(s, m->type));
		return false;
	}
	return true;
}

static bool
define_sou(struct sema *s, const struct ast_spec *sp, struct type *t)
{
	struct type_member *m;
	struct sema_attrs attrs = { 0 };
	struct hash seen = { 0 };
	uint32_t n = 0, i = 0;
	bool ok = true;

	sema_attrs(s, sp->tag_attrs, &attrs);
	for (struct ast_decl *d = sp->members; d; d = d->next)
		n++;
	m = ARENA_ARRAY(s->a, struct type_member, n);
	if (!m)
		return false;
	for (struct ast_decl *d = sp->members; d; d = d->next, i++) {
		m[i].is_packed = attrs.is_packed;
		m[i].max_align = sp->pack;
		ok = one_member(s, d, &m[i], &seen,
				sp->kind == AST_SPEC_UNION) && ok;
	}
	hash_fini(&seen);
	if (!ok)
		return false;
	if (type_define(s->a, t, m, n) && type_size(t) <= MAX_SIZE) {
		type_raise_align(t, attrs.align);
		return true;
	}
	if (!arena_failed(s->a))
		diag(s->d, D_DECL_ARRBIG, sp->span, "the %s is too big: it has "
		     "more than %d bytes", sp->kind == AST_SPEC_UNION ?
		     "union" : "struct", MAX_SIZE);
	return false;
}

/* --- Tags ---------------------------------------------------------------- */

static enum type_kind
kind_of(const struct ast_spec *sp)
{
	return sp->kind == AST_SPEC_STRUCT ? TYPE_STRUCT :
	       sp->kind == AST_SPEC_UNION ? TYPE_UNION : TYPE_ENUM;
}

static bool
is_kind(const struct type *t, enum type_kind kind)
{
	return t->kind == kind || (t->kind == TYPE_FWD && t->fwd_kind == kind);
}

static const struct type *
wrong_tag(struct sema *s, const struct ast_spec *sp)
{
	diag(s->d, D_DECL_TYPERED, sp->span, "type redeclared: tag %s is "
	     "another kind of type", sp->name);
	return NULL;
}

static struct type *
new_tag(struct sema *s, const struct ast_spec *sp)
{
	struct type *t = type_new_fwd(s->a, kind_of(sp), sp->name);

	if (t)
		t->module = "D";
	if (t && sp->name)
		sema_had(s, hash_puts(sema_tags(s), sp->name, t));
	return t;
}

/* Under which name a definition that failed is known as reported. */
static const char *
tag_text(struct sema *s, const struct ast_spec *sp)
{
	const char *text = arena_printf(s->a, "tag %s", sp->name);

	return text ? text : sp->name;
}

static void
hint_type(struct sema *s, const struct ast_spec *sp, enum type_kind kind)
{
	sema_hint_type(s, sp->module, kind, sp->name);
}

/* struct x, without a body. */
static const struct type *
refer_tag(struct sema *s, const struct ast_spec *sp)
{
	const struct type *t = sema_type_written(s, sp->module, kind_of(sp),
						 sp->name);

	if (t && !is_kind(t, kind_of(sp)))
		t = sema_type_named(s, "C", kind_of(sp), sp->name);
	if (!t && !sp->module && hash_gets(sema_tags(s), sp->name))
		return wrong_tag(s, sp);
	if (t && t->kind == TYPE_FWD && sema_is_muted(s, tag_text(s, sp)))
		return NULL;
	if (!t && sp->module) {
		diag(s->d, D_TYPE_ERR, sp->span, "module %s has no such type "
		     "%s", sp->module, sp->name);
		hint_type(s, sp, kind_of(sp));
		return NULL;
	}
	return t ? t : new_tag(s, sp);
}

static bool
is_being_defined(const struct sema *s, const struct type *t)
{
	for (const struct sema_body *b = s->body; b; b = b->outer)
		if (b->type == t)
			return true;
	return false;
}

/* Does t, a tag of the same name, belong to another scope than what is being
 * defined now?  Then both may be. */
static bool
is_elsewhere(struct sema *s, const struct ast_spec *sp, struct type *t)
{
	if (t->kind == TYPE_FWD && is_kind(t, kind_of(sp)))
		return is_being_defined(s, t);
	return hash_get(&s->inner_tags, &t, sizeof(t)) != s->body;
}

/* The tag that sp defines, if it has been mentioned or defined in this scope.
 * One of another scope is hidden: for good at file scope, else until the body
 * around this definition ends. */
static struct type *
find_tag(struct sema *s, const struct ast_spec *sp)
{
	struct type *t = sp->name ? hash_gets(sema_tags(s), sp->name) : NULL;

	if (!t || !is_elsewhere(s, sp, t))
		return t;
	struct sema_hidden_tag h = { sp->name, t };
	if (s->body)
		sema_had(s, vec_push(&s->hidden_tags, h));
	return NULL;
}

/* Define the members of t, in a scope of their own. */
static bool
define_body(struct sema *s, const struct ast_spec *sp, struct type *t)
{
	struct sema_body *b = ARENA_NEW(s->a, struct sema_body);
	size_t mark = s->hidden_tags.n;

	if (!b)
		return false;
	*b = (struct sema_body){ s->body, t };
	s->body = b;
	bool ok = define_sou(s, sp, t);
	s->body = b->outer;
	while (s->hidden_tags.n > mark) {
		struct sema_hidden_tag h =
			s->hidden_tags.v[--s->hidden_tags.n];
		sema_had(s, hash_puts(sema_tags(s), h.name, h.type));
	}
	return ok;
}

/* struct x { ... }.  Its body is a scope, but unlike in a scope of C, a tag that is
 * defined in it can be used behind it, as C wants it. */
static const struct type *
define_tag(struct sema *s, const struct ast_spec *sp)
{
	struct type *t = find_tag(s, sp);

	if (t && !is_kind(t, kind_of(sp)))
		return wrong_tag(s, sp);
	if (t && t->kind != TYPE_FWD) {
		diag(s->d, D_DECL_TYPERED, sp->span, "type redeclared: %s",
		     sema_tname(s, t));
		return NULL;
	}
	if (!t)
		t = new_tag(s, sp);
	if (!t)
		return NULL;
	if (s->body)
		sema_had(s, hash_put(&s->inner_tags, &t, sizeof(t), s->body));
	bool ok = sp->kind == AST_SPEC_ENUM ? define_enum(s, sp, t)
					    : define_body(s, sp, t);
	if (!ok && sp->name)
		sema_mute(s, tag_text(s, sp));
	return ok ? t : NULL;
}

const char *
sema_typedef_text(struct sema *s, const char *name)
{
	const char *text = arena_printf(s->a, "typedef %s", name);

	return text ? text : name;
}

static const struct type *
named_type(struct sema *s, const struct ast_spec *sp)
{
	const struct type *t = sema_type_written(s, sp->module, TYPE_TYPEDEF,
						 sp->name);

	if (!t && !sp->module)
		t = sema_foreign_name(s, sp->name);
	if (t || (!sp->module && sema_is_muted(s, sema_typedef_text(s,
								    sp->name))))
		return t;
	diag(s->d, D_TYPE_ERR, sp->span, "unknown type: %s%s%s",
	     sp->module ? sp->module : "", sp->module ? "`" : "", sp->name);
	if (sema_type_written(s, sp->module, TYPE_STRUCT, sp->name))
		diag_hint(s->d, "did you mean struct %s?", sp->name);
	else
		hint_type(s, sp, TYPE_TYPEDEF);
	if (!sp->module) {
		sema_mute(s, sp->name);		/* sizeof (x) is no news */
		sema_mute(s, sema_typedef_text(s, sp->name));
	}
	return NULL;
}

static const struct type *
type_of(struct sema *s, const struct ast_spec *sp)
{
	if (sp->tname)
		return sema_decl_type(s, sp->tname, DECL_TYPENAME);
	if (sp->expr)
		sema_expr_any(s, sp->expr);
	return sp->expr ? sp->expr->type : NULL;
}

/* --- Specifiers ---------------------------------------------------------- */

static const struct type *
spec_base(struct sema *s, const struct ast_spec *sp)
{
	if (sp->kind == AST_SPEC_BASIC)
		return basic_type(s, sp);
	if (!check_tagged_words(s, sp))
		return NULL;
	if (sp->kind == AST_SPEC_NAME)
		return named_type(s, sp);
	if (sp->kind == AST_SPEC_TYPEOF)
		return type_of(s, sp);
	return sp->has_body ? define_tag(s, sp) : refer_tag(s, sp);
}

static const struct type *
qualify(struct sema *s, const struct type *t, bool is_const, bool is_volatile)
{
	if (t && is_const)
		t = type_new_qual(s->a, TYPE_CONST, t);
	if (t && is_volatile)
		t = type_new_qual(s->a, TYPE_VOLATILE, t);
	return t;
}

/* The type of the specifier; a body is looked at only once. */
static const struct type *
spec_type(struct sema *s, const struct ast_spec *sp)
{
	const struct type *t = hash_get(&s->specs, &sp, sizeof(sp));

	if (t)
		return t == &type_void && !sp->n_void ? NULL : t;
	t = qualify(s, spec_base(s, sp), sp->is_const, sp->is_volatile);
	/* void stands for "wrong, and reported". */
	sema_had(s, hash_put(&s->specs, &sp, sizeof(sp),
		      (void *)(uintptr_t)(t ? t : &type_void)));
	return t;
}

/* --- Derivations --------------------------------------------------------- */

static const struct type *
derive_array(struct sema *s, const struct ast_deriv *d, const struct type *of,
	     bool may_be_open)
{
	int64_t n = 0;

	if (type_is_void(of) || type_is_func(of) || !type_is_complete(of)) {
		diag(s->d, type_is_void(of) ? D_DECL_VOIDOBJ
					    : D_DECL_INCOMPLETE, d->span,
		     "an array cannot have elements of type %s",
		     sema_tname(s, of));
		return NULL;
	}
	if (!d->size && !may_be_open) {
		diag(s->d, D_DECL_ARRNULL, d->span,
		     "an array needs its number of elements");
		return NULL;
	}
	if (d->size && !const_expr(s, d->size, D_DECL_ARRSUB,
				   "the size of an array", &n))
		return NULL;
	if (d->size && (n < 0 || (n == 0 && !may_be_open))) {
		diag(s->d, D_DECL_ARRSUB, d->size->span, "the size of an "
		     "array must be positive, not %lld", (long long)n);
		return NULL;
	}
	if (n > 0 && type_size(of) > MAX_SIZE / (uint64_t)n) {
		diag(s->d, D_DECL_ARRBIG, d->span, "the array is too big: "
		     "%lld elements of %llu byte%s are more than %d bytes",
		     (long long)n, (unsigned long long)type_size(of),
		     type_size(of) == 1 ? "" : "s", MAX_SIZE);
		return NULL;
	}
	return type_new_array(s->a, of, (uint64_t)n);
}

static const struct type *
derive_func(struct sema *s, const struct ast_deriv *d, const struct type *of)
{
	const struct type **types;
	struct type_member *m;
	uint32_t n;

	if (type_is_func(of) || type_is_array(of)) {
		diag(s->d, D_DECL_FUNCRET, d->span,
		     "a function cannot return a function or an array");
		return NULL;
	}
	types = sema_decl_params(s, d->params, &n);
	if (!types)
		return NULL;
	m = ARENA_ARRAY(s->a, struct type_member, n);
	if (!m)
		return NULL;
	for (uint32_t i = 0; i < n; i++)
		m[i].type = types[i];
	return type_new_func(s->a, of, m, n, d->variadic);
}

static const struct type *
derive_ptr(struct sema *s, const struct ast_deriv *d, const struct type *of,
	   bool is_user)
{
	struct type *p = type_new_ptr(s->a, of);

	if (p)
		p->is_user = is_user || type_in_user(of);
	return qualify(s, p, d->is_const, d->is_volatile);
}

/* Do pointers in the declaration lead to a process?  The type of a cast is the
 * program's own. */
static bool
is_inside(const struct sema *s, const struct ast_decl *d, enum decl_where where)
{
	return d->spec->is_userland ||
	       (s->flags & LANG_INSIDE && (d->name || where != DECL_TYPENAME));
}

/* Outermost first in d; applied from the last. */
static const struct type *
derive(struct sema *s, const struct ast_decl *decl, const struct ast_deriv *d,
       const struct type *t, enum decl_where where)
{
	const struct ast_deriv **v;
	uint32_t n = 0;

	for (const struct ast_deriv *i = d; i; i = i->next)
		n++;
	v = ARENA_ARRAY(s->a, const struct ast_deriv *, n);
	if (!v)
		return NULL;
	for (uint32_t i = 0; d; d = d->next)
		v[i++] = d;
	for (uint32_t i = n; t && i-- > 0;) {
		bool open = i == 0 && (where != DECL_FILE ||
				decl->spec->class == AST_CLASS_EXTERN);
		switch (v[i]->kind) {
		case AST_DERIV_PTR:
			t = derive_ptr(s, v[i], t, is_inside(s, decl, where));
			break;
		case AST_DERIV_ARRAY:
			t = derive_array(s, v[i], t, open);
			break;
		default:
			t = derive_func(s, v[i], t);
		}
	}
	return t;
}

const struct ast_deriv *
sema_decl_assoc(const struct ast_decl *d)
{
	return d->deriv && d->deriv->kind == AST_DERIV_ARRAY &&
	       d->deriv->is_assoc ? d->deriv : NULL;
}

const struct type *
sema_decl_assoc_value(struct sema *s, struct ast_decl *d)
{
	const struct type *t = spec_type(s, d->spec);

	return t ? derive(s, d, d->deriv->next, t, DECL_FILE) : NULL;
}

const struct type *
sema_decl_type(struct sema *s, struct ast_decl *d, enum decl_where where)
{
	const struct type *t = spec_type(s, d->spec);

	if (sema_decl_assoc(d)) {
		diag(s->d, D_DECL_BADCLASS, d->span, "an associative array "
		     "is not possible here");
		return NULL;
	}
	if (t)
		t = derive(s, d, d->deriv, t, where);
	if (t && d->spec->attrs)
		t = sema_attr_type(s, d->spec->attrs, t);
	if (t && d->attrs)
		t = sema_attr_type(s, d->attrs, t);
	d->type = t;
	return t;
}

/* --- Parameters ---------------------------------------------------------- */

static const struct type *
param_type(struct sema *s, struct ast_decl *d, struct hash *seen)
{
	const struct type *t;

	if (d->spec->class != AST_CLASS_NONE) {
		diag(s->d, D_DECL_PARMCLASS, d->span,
		     "a parameter cannot have a storage class");
		return NULL;
	}
	t = sema_decl_type(s, d, DECL_PARAM);
	if (!t)
		return NULL;
	if (type_is_void(t)) {
		diag(s->d, D_DECL_PROTO_VOID, d->span, "void must be the only "
		     "parameter, and without a name");
		return NULL;
	}
	if (sema_seen(s, seen, d->name)) {
		diag(s->d, D_DECL_PROTO_NAME, d->span,
		     "two parameters are called %s", d->name);
		return NULL;
	}
	return t;
}

const struct type **
sema_decl_params(struct sema *s, struct ast_decl *params, uint32_t *ret)
{
	const struct type **types;
	struct hash seen = { 0 };
	bool ok = true;
	uint32_t n = 0;

	if (!lang_args(params))
		params = NULL;
	for (struct ast_decl *d = params; d; d = d->next)
		n++;
	types = ARENA_ARRAY(s->a, const struct type *, n);
	if (!types)
		return NULL;
	n = 0;
	for (struct ast_decl *d = params; d; d = d->next) {
		types[n] = param_type(s, d, &seen);
		ok = types[n++] && ok;
	}
	hash_fini(&seen);
	*ret = n;
	return ok ? types : NULL;
}
