/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Declarations and type names.
 *
 * C's declarators are read from the inside out, and so are they kept: the list
 * of derivations of `int *(*a)[3]` is pointer, array, pointer.  Each level
 * reads its stars first and appends them last.
 *
 * What the words of a specifier add up to is for sema to judge; here they are
 * counted.  Whether a bare word is a type must be known, however, or
 * `(a) - b` cannot be read: this program's own declarations decide, then the
 * environment.  The latter may have to read the kernel's types, so it is asked
 * last, when the tokens around leave both readings open.  Where only a type
 * can stand, an unknown word is taken for one, so that the complaint is of an
 * unknown type and not of syntax.
 */
#include <stddef.h>
#include <string.h>

#include "lang/error_priv.h"
#include "lang/syntax_priv.h"

static const char type_mark[] = "type", other_mark[] = "other";

/* --- Is it a type? -------------------------------------------------------- */

void
lang_declare(struct parser *p, const char *name, bool is_type)
{
	const char *mark = is_type ? type_mark : other_mark;

	if (p->dead)
		return;
	void **place = hash_ref(&p->types, &name, sizeof(name));
	if (!place)
		lang_no_memory(p);
	else if (*place != type_mark)
		*place = (void *)mark;
}

bool
lang_is_type(struct parser *p, const char *name)
{
	const void *mark = hash_get(&p->types, &name, sizeof(name));

	if (mark || p->dead)
		return mark == type_mark;
	return p->env->is_type && p->env->is_type(p->env->ctx, name);
}

static bool
is_type_word(const struct token *t)
{
	return lang_keyword_flags(t->kind) & KW_TYPE;
}

static bool
is_name(const struct token *t)
{
	return t->kind == T_IDENT || (t->kind == T_SYM && t->module);
}

/* Can t begin an operand, so that a cast may stand before it? */
static bool
begins_operand(const struct token *t)
{
	switch (t->kind) {
	case T_IDENT: case T_SYM: case T_AGG: case T_INT: case T_FLOAT:
	case T_STR: case T_LPAREN: case T_NOT_: case T_TILDE: case T_INC:
	case T_DEC: case T_STAR: case T_PLUS: case T_MINUS: case T_AMP:
	case T_SIZEOF: case T_STRINGOF: case T_OFFSETOF: case T_XLATE:
	case T_ALIGNOF:
	case T_SELF: case T_THIS:
		return true;
	default:
		return false;
	}
}

bool
lang_at_paren_type(struct parser *p, bool sizeof_)
{
	if (lang_peek(p)->kind != T_LPAREN)
		return false;
	const struct token *t = lang_look(p, 1);
	if (is_type_word(t))
		return true;
	if (!is_name(t))
		return false;
	const struct token *next = lang_look(p, 2);
	if (next->kind != T_RPAREN && next->kind != T_STAR &&
	    !(next->kind == T_LBRACKET && sizeof_) && !is_type_word(next))
		return false;
	const struct token *third = lang_look(p, 3);
	/* A name and a star before ')' is no expression: surely a cast. */
	if (next->kind == T_STAR && third->kind == T_RPAREN)
		return true;
	if (next->kind == T_RPAREN && !sizeof_ && !begins_operand(third))
		return false;
	return lang_is_type(p, lang_look(p, 1)->name);
}

/* --- Specifiers ----------------------------------------------------------- */

/* What may follow the specifier: decides about unknown words.  A member must
 * have a name, and words of D are names like any. */
enum naming { NAME_NONE, NAME_MAYBE, NAME_MUST, NAME_MEMBER };

static struct ast_decl *struct_body(struct parser *p);

static bool
count_word(struct parser *p, struct ast_spec *s)
{
	static const struct {
		uint8_t kind, offset;
	} words[] = {
#define WORD(kind, field) { kind, offsetof(struct ast_spec, field) }
		WORD(T_VOID, n_void), WORD(T_CHAR, n_char),
		WORD(T_SHORT, n_short), WORD(T_INT_, n_int),
		WORD(T_LONG, n_long), WORD(T_FLOAT_, n_float),
		WORD(T_DOUBLE, n_double), WORD(T_SIGNED, n_signed),
		WORD(T_UNSIGNED, n_unsigned), WORD(T_STRING, n_string),
		WORD(T_BOOL_, n_bool), WORD(T_INT128, n_int128),
		WORD(T_FLOAT128, n_float128), WORD(T_COMPLEX, n_complex),
#undef WORD
	};
	unsigned kind = lang_peek(p)->kind;

	for (size_t i = 0; i < BASE_NELEMS(words); i++) {
		if (words[i].kind != kind)
			continue;
		uint8_t *n = (uint8_t *)s + words[i].offset;
		*n += *n < UINT8_MAX;
		lang_next(p);
		return true;
	}
	return false;
}

static bool
read_qualifier(struct parser *p, struct ast_spec *s)
{
	switch (lang_peek(p)->kind) {
	case T_CONST: s->is_const = true; break;
	case T_VOLATILE: s->is_volatile = true; break;
	case T_RESTRICT: s->is_restrict = true; break;
	case T_USERLAND: s->is_userland = true; break;
	default: return false;
	}
	lang_next(p);
	return true;
}

/* AST_CLASS_NONE: it is none. */
static uint8_t
storage_class(const struct token *t)
{
	static const uint8_t classes[T_N] = {
		[T_SELF] = AST_CLASS_SELF, [T_THIS] = AST_CLASS_THIS,
		[T_EXTERN] = AST_CLASS_EXTERN, [T_STATIC] = AST_CLASS_STATIC,
		[T_TYPEDEF] = AST_CLASS_TYPEDEF, [T_AUTO] = AST_CLASS_AUTO,
		[T_REGISTER] = AST_CLASS_REGISTER,
	};

	return classes[t->kind];
}

static bool
read_class(struct parser *p, struct ast_spec *s)
{
	const struct token *t = lang_peek(p);
	uint8_t class = storage_class(t);

	if (class == AST_CLASS_NONE)
		return false;
	if (s->class != AST_CLASS_NONE)
		diag(p->env->diags, D_DECL_CLASS, t->span, "only one storage "
		     "class may be given; \"%s\" is one too many", t->name);
	s->class = class;
	lang_next(p);
	return true;
}

/* Is there more than words about sign and size, which sema judges? */
static bool
has_base(const struct ast_spec *s)
{
	return s->kind != AST_SPEC_BASIC || s->n_void || s->n_char ||
		s->n_int || s->n_float || s->n_double || s->n_string ||
		s->n_bool || s->n_int128 || s->n_float128 || s->n_complex;
}

/* Is a type known already, so that a further word is the declarator? */
static bool
has_type(const struct ast_spec *s)
{
	return has_base(s) || s->n_short || s->n_long || s->n_signed ||
		s->n_unsigned;
}

static bool
is_d_word(const struct token *t)
{
	return lang_keyword_flags(t->kind) & KW_D;
}

/* A word of D as the name of a member or parameter of C: behind a type, and
 * nothing of a type follows. */
static bool
at_d_name(struct parser *p, const struct ast_spec *s, enum naming naming)
{
	if (!is_d_word(lang_peek(p)) || !has_type(s) ||
	    (naming != NAME_MEMBER && naming != NAME_MAYBE))
		return false;
	switch (lang_look(p, 1)->kind) {
	case T_SEMI: case T_COMMA: case T_COLON: case T_RPAREN:
	case T_LBRACKET:
		return true;
	default:
		return false;
	}
}

/* __typeof__(type), __typeof__(value), _Atomic(type) and _Atomic, which adds
 * nothing to a type. */
static bool
read_typeof(struct parser *p, struct ast_spec *s)
{
	unsigned kind = lang_peek(p)->kind;
	bool parens = lang_look(p, 1)->kind == T_LPAREN;

	if (kind != T_TYPEOF && kind != T_ATOMIC)
		return false;
	lang_next(p);
	if (kind == T_ATOMIC && !parens)
		return true;
	bool is_type = lang_at_paren_type(p, true);
	struct lang_span open = lang_peek(p)->span;
	if (!lang_expect(p, T_LPAREN, "a type or value in parentheses follows"))
		return true;
	s->kind = AST_SPEC_TYPEOF;
	if (lang_enter(p) && (is_type || kind == T_ATOMIC))
		s->tname = lang_type_name(p);
	else if (!p->dead)
		s->expr = lang_expr(p);
	lang_expect_close(p, T_RPAREN, open);
	lang_leave(p);
	return true;
}

/* `unsigned foo_t x`: behind words of C a name is the declarator's, unless it is
 * a type and the declarator follows.  sema will say that the two do not go
 * together. */
static bool
is_second_type(struct parser *p, const struct ast_spec *s)
{
	unsigned next = lang_look(p, 1)->kind;

	return s->kind == AST_SPEC_BASIC &&
	       (next == T_IDENT || next == T_STAR) &&
	       lang_is_type(p, lang_peek(p)->name);
}

static bool
read_name(struct parser *p, struct ast_spec *s, enum naming naming)
{
	const struct token *t = lang_peek(p);

	if (!is_name(t) || (has_type(s) && !is_second_type(p, s)))
		return false;
	t = lang_peek(p);
	const struct token *next = lang_look(p, 1);
	if (naming >= NAME_MUST && t->kind == T_IDENT &&
	    next->kind != T_IDENT && next->kind != T_STAR &&
	    !is_type_word(next) && !lang_is_type(p, t->name)) {
		if (s->class != AST_CLASS_NONE)	/* self x; of an int */
			return false;
		lang_syntax(p, "a type is missing before \"%.60s\"",
			    lang_peek(p)->name);
		return false;
	}
	struct token name = lang_next(p);
	s->kind = AST_SPEC_NAME;
	s->name = name.name;
	s->module = name.module;
	return true;
}

/* enum { A, B = 2 } after the '{'; open is its place. */
static struct ast_enumerator *
enum_body(struct parser *p, struct lang_span open)
{
	struct ast_enumerator *first = NULL, **tail = &first;

	while (lang_peek(p)->kind == T_IDENT) {
		struct token t = lang_next(p);
		struct ast_enumerator *e = LANG_NEW(p, struct ast_enumerator);
		e->name = t.name;
		e->span = t.span;
		lang_declare(p, t.name, false);
		struct ast_attr *none = NULL;
		lang_attrs(p, &none);
		if (lang_accept(p, T_ASSIGN))
			e->value = lang_cond(p);
		*tail = e;
		tail = &e->next;
		if (!lang_accept(p, T_COMMA))
			break;
	}
	if (lang_peek(p)->kind == T_RBRACE && first)
		lang_next(p);
	else if (lang_peek(p)->kind == T_IDENT || !first)
		lang_syntax(p, first ? "a ',' is missing before this" :
			    "the name of an enumerator is expected here");
	else
		lang_expect_close(p, T_RBRACE, open);
	return first;
}

/* struct tag, struct mod`tag, struct tag { ... }; union and enum alike. */
static bool
read_tagged(struct parser *p, struct ast_spec *s)
{
	unsigned kind = lang_peek(p)->kind;
	bool twice = has_base(s);

	if (kind != T_STRUCT && kind != T_UNION && kind != T_ENUM)
		return false;
	struct token word = lang_next(p);
	if (twice)
		diag(p->env->diags, D_DECL_COMBO, word.span, "invalid "
		     "combination of types: \"%s\" follows another type",
		     word.name);
	s->kind = kind == T_STRUCT ? AST_SPEC_STRUCT :
		kind == T_UNION ? AST_SPEC_UNION : AST_SPEC_ENUM;
	s->name = s->module = NULL;
	lang_attrs(p, &s->tag_attrs);
	if (is_name(lang_peek(p)) || is_d_word(lang_peek(p))) {
		struct token tag = lang_next(p);
		s->name = tag.name;
		s->module = tag.module;
	}
	struct lang_span open = lang_peek(p)->span;
	if (s->module && lang_peek(p)->kind == T_LBRACE)
		lang_syntax(p, "%s`%s is a type of module %s and cannot be "
			    "defined here", s->module, s->name, s->module);
	if (lang_accept(p, T_LBRACE)) {
		s->has_body = true;
		s->pack = p->pack;
		if (lang_enter(p) && kind == T_ENUM)
			s->enums = enum_body(p, open);
		else if (!p->dead)
			s->members = struct_body(p);
		if (kind != T_ENUM)
			lang_expect_close(p, T_RBRACE, open);
		lang_leave(p);
		lang_attrs(p, &s->tag_attrs);
	} else if (!s->name) {
		lang_syntax(p, "a tag or '{' is expected after \"%s\"",
			    word.name);
	}
	return true;
}

static struct ast_spec *
read_spec(struct parser *p, enum naming naming)
{
	struct ast_spec *s = LANG_NEW(p, struct ast_spec);
	struct lang_span start = lang_peek(p)->span;

	s->span = start;
	while (!p->dead && !at_d_name(p, s, naming) &&
	       (count_word(p, s) || read_qualifier(p, s) || read_class(p, s) ||
		read_tagged(p, s) || read_typeof(p, s) ||
		lang_attrs(p, &s->attrs) || read_name(p, s, naming)))
		s->span = lang_span_join(start, p->last);
	if (!p->dead && !has_type(s)) {
		if (s->class == AST_CLASS_NONE || !is_name(lang_peek(p)))
			lang_syntax(p, "a type is expected here");
		s->n_int = 1;
	}
	return s;
}

/* --- Declarators ---------------------------------------------------------- */

struct declarator {
	struct ast_decl *d;
	struct ast_deriv **tail;
	unsigned n;			/* derivations so far */
	enum naming naming;
};

static struct ast_deriv *
new_deriv(struct parser *p, struct declarator *s, enum ast_deriv_kind kind)
{
	struct ast_deriv *v = LANG_NEW(p, struct ast_deriv);

	v->kind = (uint8_t)kind;
	v->span = lang_peek(p)->span;
	if (s->n++ == LANG_MAX_DEPTH) {
		lang_syntax_at(p, v->span, "syntax error: declarator has too "
			       "many parts (limit %d)", LANG_MAX_DEPTH);
	}
	return v;
}

static void
append(struct declarator *s, struct ast_deriv *v)
{
	*s->tail = v;
	s->tail = &v->next;
}

/* Stars, the last one written first. */
static struct ast_deriv *
read_pointers(struct parser *p, struct declarator *s)
{
	struct ast_deriv *first = NULL;

	while (lang_peek(p)->kind == T_STAR) {
		struct ast_deriv *v = new_deriv(p, s, AST_DERIV_PTR);
		struct ast_spec quals = { 0 };
		if (!lang_accept(p, T_STAR))
			break;
		while (read_qualifier(p, &quals) ||
		       lang_accept(p, T_ATOMIC) || lang_attrs(p, &quals.attrs))
			;
		v->is_const = quals.is_const;
		v->is_volatile = quals.is_volatile;
		v->is_restrict = quals.is_restrict;
		v->next = first;
		first = v;
	}
	return first;
}

/* At '(': does a declarator in parentheses begin, or parameters? */
static bool
nests(struct parser *p)
{
	const struct token *t = lang_look(p, 1);

	return t->kind == T_STAR || t->kind == T_LPAREN ||
		t->kind == T_LBRACKET || t->kind == T_ATTRIBUTE ||
		(t->kind == T_IDENT && !lang_is_type(p, t->name));
}

/* Behind '[': do the types of keys follow, or a size? */
static bool
begins_key(struct parser *p)
{
	const struct token *t = lang_peek(p);

	if (storage_class(t) != AST_CLASS_NONE)	/* wrong, unless self->x */
		return lang_look(p, 1)->kind != T_ARROW;
	return is_type_word(t) || t->kind == T_ELLIPSIS ||
	       (is_name(t) && lang_is_type(p, t->name));
}

static void
read_array(struct parser *p, struct declarator *s)
{
	struct ast_deriv *v = new_deriv(p, s, AST_DERIV_ARRAY);
	struct lang_span open = v->span;
	bool variadic = false;

	if (!lang_accept(p, T_LBRACKET))
		return;
	if (begins_key(p)) {
		v->is_assoc = true;
		v->params = lang_params(p, T_RBRACKET, &variadic);
		if (variadic)
			diag(p->env->diags, D_DECL_PROTO_VARARGS, p->last,
			     "an associative array cannot have a variable "
			     "number of keys");
	} else if (lang_peek(p)->kind != T_RBRACKET && lang_enter(p)) {
		v->size = lang_expr(p);
		lang_leave(p);
	}
	lang_expect_close(p, T_RBRACKET, open);
	v->span = lang_span_join(open, p->last);
	append(s, v);
}

static void
read_func(struct parser *p, struct declarator *s)
{
	struct ast_deriv *v = new_deriv(p, s, AST_DERIV_FUNC);
	struct lang_span open = v->span;

	if (!lang_accept(p, T_LPAREN))
		return;
	v->params = lang_params(p, T_RPAREN, &v->variadic);
	lang_expect_close(p, T_RPAREN, open);
	v->span = lang_span_join(open, p->last);
	append(s, v);
}

static void
read_declarator(struct parser *p, struct declarator *s)
{
	lang_attrs(p, &s->d->attrs);
	struct ast_deriv *stars = read_pointers(p, s), *next;
	const struct token *t = lang_peek(p);

	if (t->kind == T_LPAREN && nests(p)) {
		struct lang_span open = lang_next(p).span;
		if (lang_enter(p))
			read_declarator(p, s);
		lang_leave(p);
		lang_expect_close(p, T_RPAREN, open);
	} else if (((t->kind == T_IDENT || t->kind == T_SYM) &&
		    s->naming != NAME_NONE) ||
		   (is_d_word(t) && s->naming == NAME_MEMBER) ||
		   (is_d_word(t) && s->naming == NAME_MAYBE)) {
		if (t->kind == T_SYM)
			diag(p->env->diags, D_DECL_SCOPE, t->span, "%s`%s "
			     "names what the system has: a declaration needs "
			     "a name of its own", t->module ? t->module : "",
			     t->name);
		s->d->name = t->name;
		s->d->word = t->word ? t->word : t->name;
		s->d->span = t->span;
		lang_next(p);
	}
	while (!p->panic && !p->dead) {
		unsigned kind = lang_peek(p)->kind;
		if (kind == T_LBRACKET)
			read_array(p, s);
		else if (kind == T_LPAREN)
			read_func(p, s);
		else
			break;
	}
	for (; stars && !p->dead; stars = next) {
		next = stars->next;
		append(s, stars);
	}
}

static struct ast_decl *
declare(struct parser *p, struct ast_spec *spec, enum naming naming)
{
	struct ast_decl *d = LANG_NEW(p, struct ast_decl);
	struct declarator s = { d, &d->deriv, 0, naming };

	d->spec = spec;
	read_declarator(p, &s);
	lang_attrs(p, &d->attrs);
	if (!d->name && naming >= NAME_MUST)
		lang_syntax(p, lang_peek(p)->kind >= T_FIRST_KEYWORD ?
			    "a reserved word cannot be a name" :
			    "a name is expected here");
	if (!d->name && !p->dead)
		d->span = lang_span_join(spec->span, p->last);
	return d;
}

struct ast_decl *
lang_params(struct parser *p, enum token_kind close, bool *variadic)
{
	struct ast_decl *first = NULL, **tail = &first;

	if (lang_peek(p)->kind == close)
		return NULL;
	if (!lang_enter(p))
		goto out;
	do {
		if (lang_accept(p, T_ELLIPSIS)) {
			*variadic = true;
			break;
		}
		struct ast_decl *d = declare(p, read_spec(p, NAME_MAYBE),
					     NAME_MAYBE);
		if (d->name != d->word && !p->dead)
			diag(p->env->diags, D_DECL_IDRED, d->span,
			     "parameter %s would hide %s", d->word, d->name);
		*tail = d;
		tail = &d->next;
	} while (lang_accept(p, T_COMMA));
out:
	lang_leave(p);
	return first;
}

/* --- Members -------------------------------------------------------------- */

static struct ast_decl *
member(struct parser *p, struct ast_spec *spec)
{
	struct ast_decl *d;
	bool unnamed = lang_peek(p)->kind == T_COLON;

	d = declare(p, spec, unnamed ? NAME_NONE : NAME_MEMBER);
	d->name = d->word;
	if (lang_accept(p, T_COLON)) {
		d->bits = lang_cond(p);
		lang_attrs(p, &d->attrs);
	}
	return d;
}

bool
lang_skip_assertion(struct parser *p)
{
	if (!lang_accept(p, T_STATIC_ASSERT))
		return false;
	while (!p->panic && lang_peek(p)->kind != T_SEMI &&
	       lang_peek(p)->kind != T_EOF && lang_peek(p)->kind != T_RBRACE)
		lang_next(p);
	lang_expect(p, T_SEMI, "a ';' is missing before this");
	return true;
}

/* The members, up to the '}'. */
static struct ast_decl *
struct_body(struct parser *p)
{
	struct ast_decl *first = NULL, **tail = &first;

	while (!p->panic && !p->dead && lang_peek(p)->kind != T_RBRACE &&
	       lang_peek(p)->kind != T_EOF) {
		if (lang_skip_assertion(p) || lang_accept(p, T_SEMI))
			continue;
		struct ast_spec *spec = read_spec(p, NAME_MEMBER);
		do {
			struct ast_decl *d = lang_peek(p)->kind == T_SEMI ?
				declare(p, spec, NAME_NONE) : member(p, spec);
			*tail = d;
			tail = &d->next;
		} while (lang_accept(p, T_COMMA));
		lang_expect(p, T_SEMI, "a ';' is missing before this");
	}
	return first;
}

/* --- For others ----------------------------------------------------------- */

struct ast_decl *
lang_type_name(struct parser *p)
{
	return declare(p, read_spec(p, NAME_NONE), NAME_NONE);
}

struct ast_decl *
lang_one_decl(struct parser *p)
{
	struct ast_spec *spec = read_spec(p, NAME_MUST);
	struct ast_decl *d = declare(p, spec, NAME_MUST);

	if (d->name)
		lang_declare(p, d->name, false);
	return d;
}

static void
end_of_decl(struct parser *p)
{
	unsigned kind = lang_peek(p)->kind;

	if (kind == T_ASSIGN)
		lang_syntax(p, "a declaration cannot set a value; assign it in "
			    "a clause, such as BEGIN");
	else if (kind == T_LBRACE)
		lang_syntax(p, "a function is TYPE NAME(TYPE PARAMETER, ...) "
			    "{ statements }");
	else
		lang_expect(p, T_SEMI, "a ';' is missing before this");
}

bool
lang_is_func(const struct ast_decl *d)
{
	return d && d->name && d->deriv && d->deriv->kind == AST_DERIV_FUNC;
}

struct ast_decl *
lang_decl(struct parser *p)
{
	struct ast_spec *spec = read_spec(p, NAME_MUST);
	struct ast_decl *first = NULL, **tail = &first;

	if (lang_peek(p)->kind == T_SEMI) {
		first = declare(p, spec, NAME_NONE);
		lang_next(p);
		return first;
	}
	do {
		struct ast_decl *d = declare(p, spec, NAME_MUST);
		if (d->name)
			lang_declare(p, d->name,
				     spec->class == AST_CLASS_TYPEDEF);
		*tail = d;
		tail = &d->next;
		if (d == first && lang_is_func(d) &&
		    lang_peek(p)->kind == T_LBRACE)
			return first;
	} while (lang_accept(p, T_COMMA));
	end_of_decl(p);
	return first;
}
