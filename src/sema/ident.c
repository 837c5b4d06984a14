/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Names: three scopes of variables, the built-in names behind the global one,
 * and what to say when a name means nothing.
 */
#include <string.h>

#include "sema/clause_priv.h"
#include "sema/expand_priv.h"
#include "sema/name_priv.h"

struct sema_ident *
sema_ident_find(struct sema *s, enum sema_scope scope, const char *name)
{
	return hash_gets(&s->scopes[scope], name);
}

/* #pragma D binding: is the name known in this version? */
static bool
is_bound(struct sema *s, const char *name)
{
	uintptr_t version = (uintptr_t)hash_gets(&s->bindings, name);

	return version <= s->version;
}

bool
sema_library(struct sema *s, enum lang_name_kind kind, const char *name)
{
	return s->world->library &&
	       s->world->library(s->world->ctx, kind, name);
}

/* What the program or a library that was compiled defines. */
static struct sema_ident *
find_defined(struct sema *s, const char *name)
{
	struct sema_ident *id = sema_ident_find(s, SEMA_GLOBAL, name);

	if (!id || !is_bound(s, name))
		return NULL;
	return id->kind != SEMA_INLINE || sema_inline_need(s, id) ? id : NULL;
}

struct sema_ident *
sema_ident_declared(struct sema *s, const char *name)
{
	struct sema_ident *id = sema_local_find(s, name);
	struct builtin *b;

	if (!id)
		id = find_defined(s, name);
	b = id ? NULL : sema_builtin(s, name);
	return b ? &b->id : id;
}

struct sema_ident *
sema_ident_lookup(struct sema *s, const char *name)
{
	struct sema_ident *id = sema_ident_declared(s, name);

	if (!id && sema_library(s, LANG_NAME_IDENT, name))
		id = find_defined(s, name);
	return id;
}

bool
sema_is_hidden(struct sema *s, const struct sema_ident *id)
{
	return s->flags & LANG_LIBRARY && id->span.src &&
	       !id->span.src->is_library;
}

bool
sema_ident_add(struct sema *s, enum sema_scope scope, struct sema_ident *id)
{
	return sema_had(s, id && hash_puts(&s->scopes[scope], id->name, id));
}

static struct sema_ident *
new_var(struct sema *s, enum sema_scope scope, const char *name,
	const struct type *type, struct lang_span span)
{
	struct sema_ident *id = ARENA_NEW(s->a, struct sema_ident);

	if (!id)
		return NULL;
	if (SEMA_VAR_BASE + s->vars.n > SEMA_VAR_MAX) {
		diag(s->d, D_NOREG, span, "too many variables: at most %d",
		     SEMA_VAR_MAX - SEMA_VAR_BASE + 1);
		return NULL;
	}
	id->kind = SEMA_VAR;
	id->scope = scope;
	id->name = name;
	id->type = type;
	id->id = SEMA_VAR_BASE + s->vars.n;
	id->attr = sema_attr_default;
	id->span = span;
	return sema_had(s, vec_push(&s->vars, id)) ? id : NULL;
}

struct sema_ident *
sema_var_new(struct sema *s, enum sema_scope scope, const char *name,
	     const struct type *type, struct lang_span span)
{
	struct sema_ident *id = new_var(s, scope, name, type, span);

	return id && sema_ident_add(s, scope, id) ? id : NULL;
}

struct sema_ident *
sema_hidden_var(struct sema *s, const char *name, const struct type *type,
		struct lang_span span)
{
	struct sema_ident *id = new_var(s, SEMA_THIS, name, type, span);

	if (id)
		id->is_declared = true;
	return id;
}

bool
sema_is_free(struct sema *s, const struct ast_decl *d)
{
	struct sema_ident *id = sema_ident_declared(s, d->name);

	if (!id || sema_is_unbuilt(id))
		return true;
	if (sema_is_hidden(s, id))
		return false;
	diag(s->d, D_DECL_IDRED, d->span, "identifier redeclared: %s",
	     d->name);
	return false;
}

const char *
sema_var_text(struct sema *s, enum sema_scope scope, const char *name)
{
	static const char *const prefix[] = {
		[SEMA_GLOBAL] = "", [SEMA_SELF] = "self->",
		[SEMA_THIS] = "this->",
	};
	const char *text = arena_printf(s->a, "%s%s", prefix[scope], name);

	return text ? text : name;
}

bool
sema_seen(struct sema *s, struct hash *seen, const char *name)
{
	if (!name)
		return false;
	if (hash_gets(seen, name))
		return true;
	sema_had(s, hash_puts(seen, name, s));
	return false;
}

/* --- Suggestions --------------------------------------------------------- */

bool
sema_wants_hint(const struct sema *s)
{
	return !s->is_trial && s->d->n <= DIAG_MAX;
}

void
sema_near_init(struct near *r, const char *name)
{
	size_t len = strlen(name);

	r->name = name;
	r->best = NULL;
	/* One slip in a short name, two or three in a long one. */
	r->dist = len < 3 ? 1 : len < 6 ? 2 : len < 12 ? 3 : 4;
}

/* Letters that one has more than the other. */
static size_t
excess(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b);

	return na > nb ? na - nb : nb - na;
}

/* Of names as near, the one as long is it: "prinft" is printf, not print. */
void
sema_near_try(struct near *r, const char *name)
{
	unsigned max = r->best ? r->dist : r->dist - 1;
	unsigned d = probe_edit_distance(r->name, name, max);

	if (d < r->dist || (r->best && d == r->dist &&
			    excess(r->name, name) < excess(r->name, r->best))) {
		r->dist = d;
		r->best = name;
	}
}

static void
near_hash(struct near *r, const struct hash *h)
{
	struct hash_entry *e;
	size_t i = 0;

	while (r->dist && (e = hash_next(h, &i)))
		sema_near_try(r, ((const struct sema_ident *)e->val)->name);
}

static void
near_builtin(struct sema *s, struct near *r, bool funcs)
{
	struct hash_entry *e;
	size_t i = 0;

	while (r->dist && (e = hash_next(&s->builtin_names, &i))) {
		const struct builtin *b = e->val;
		bool is_func = b->id.kind != SEMA_BVAR &&
			       b->id.kind != SEMA_ENUM;
		if (is_func == funcs && !(b->flags & BUILTIN_LATER) &&
		    b->version <= s->version)
			sema_near_try(r, b->id.name);
	}
}

/* The same name in another scope, if there is one. */
static bool
hint_other_scope(struct sema *s, const char *name, enum sema_scope scope)
{
	for (int i = 0; i < 3; i++) {
		if (i == (int)scope || !sema_ident_find(s, i, name))
			continue;
		diag_hint(s->d, "did you mean %s?", sema_var_text(s, i, name));
		return true;
	}
	return false;
}

/* A name that is known, but not in the version that -x version asked for. */
static bool
hint_version(struct sema *s, const char *name)
{
	const struct builtin *b = hash_gets(&s->builtin_names, name);
	uint32_t v = (uint32_t)(uintptr_t)hash_gets(&s->bindings, name);
	char text[SEMA_VERSION_SIZE];

	if (!v && b && !(b->flags & BUILTIN_LATER))
		v = b->version;
	if (v <= s->version)
		return false;
	sema_version_print(v, text);
	diag_hint(s->d, "%s is known from version %s on; -x version asked for "
		  "less", name, text);
	return true;
}

static bool
hint_elsewhere(struct sema *s, const char *name, bool is_func)
{
	static const struct {
		const char *name;
		bool is_func;
		const char *hint;
	} rows[] = {
#define ELSEWHERE(name, is_func, hint) { name, is_func, hint },
#define ELSEWHERE_PROBE(kind, hint)
#include "sema/elsewhere.def"
#undef ELSEWHERE
#undef ELSEWHERE_PROBE
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		if (rows[i].is_func == is_func && !strcmp(rows[i].name, name)) {
			diag_hint(s->d, "%s", rows[i].hint);
			return true;
		}
	}
	return false;
}

/* A word that was given as $1 is a name, though text may be meant. */
static bool
hint_macro(struct sema *s, struct lang_span at)
{
	if (!at.src || at.off + 1 >= at.src->size ||
	    at.src->text[at.off] != '$' || at.src->text[at.off + 1] == '$')
		return false;
	diag_hint(s->d, "$%.*s is its text as a string", (int)at.len,
		  at.src->text + at.off);
	return true;
}

static void
near_library(void *ctx, const char *name)
{
	struct near *r = ctx;

	/* Its own name: of a library that is being compiled. */
	if (r->dist && strcmp(r->name, name) != 0)
		sema_near_try(r, name);
}

static bool
is_like_type(const char *name)
{
	size_t n = strlen(name);

	return n > 2 && !strcmp(name + n - 2, "_t");
}

/* Headers of C have such names for what the preprocessor knows. */
static bool
is_like_macro(const char *name)
{
	size_t n = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return n > 2 && !name[n];
}

static void
hint_var(struct sema *s, const char *name, enum sema_scope scope)
{
	struct near r;

	if (!sema_wants_hint(s))
		return;
	if (scope == SEMA_GLOBAL && (hint_version(s, name) ||
				     hint_elsewhere(s, name, false)))
		return;
	if (hint_other_scope(s, name, scope))
		return;
	if (scope == SEMA_GLOBAL && hash_gets(&s->agg_names, name)) {
		diag_hint(s->d, "did you mean the aggregation @%s?", name);
		return;
	}
	sema_near_init(&r, name);
	near_hash(&r, &s->scopes[scope]);
	if (scope == SEMA_GLOBAL) {
		near_builtin(s, &r, false);
		if (s->world->library_names)
			s->world->library_names(s->world->ctx, near_library,
						&r);
	}
	if (r.best)
		diag_hint(s->d, "did you mean %s?",
			  sema_var_text(s, scope, r.best));
	else if (s->beside_string && scope == SEMA_GLOBAL)
		diag_hint(s->d, "text stands in quotes: \"%s\"", name);
	else if (scope == SEMA_GLOBAL && is_like_type(name))
		diag_hint(s->d, "no type is called %s, either", name);
	else if (scope == SEMA_GLOBAL && is_like_macro(name))
		diag_hint(s->d, "macros of C are known with -C and the #include "
			  "that defines them, the kernel's own are not");
	else
		diag_hint(s->d, "a variable exists when the program assigns "
			  "something to it, or declares it");
}

/* True when the name was not reported before. */
static bool
first_time(struct sema *s, const char *text)
{
	return !sema_seen(s, &s->reported, text);
}

static char muted;

void
sema_mute(struct sema *s, const char *name)
{
	sema_had(s, hash_puts(&s->reported, name, &muted));
}

bool
sema_is_muted(struct sema *s, const char *name)
{
	return hash_gets(&s->reported, name) == &muted;
}

void
sema_var_undef(struct sema *s, const struct ast_node *n,
	       enum sema_scope scope)
{
	const char *text = sema_var_text(s, scope, n->name);

	if (!first_time(s, text))
		return;
	diag(s->d, scope == SEMA_GLOBAL ? D_IDENT_UNDEF : D_VAR_UNDEF,
	     n->span, "failed to resolve %s: Unknown variable name", text);
	if (!hint_macro(s, n->span))
		hint_var(s, n->name, scope);
}

void
sema_func_undef(struct sema *s, const struct ast_node *n)
{
	struct near r;

	const char *key = arena_printf(s->a, "%s()", n->name);

	if (!key || !first_time(s, key))
		return;
	diag(s->d, D_FUNC_UNDEF, n->span, "undefined function name: %s",
	     n->name);
	if (!sema_wants_hint(s) || hint_version(s, n->name) ||
	    hint_elsewhere(s, n->name, true))
		return;
	sema_near_init(&r, n->name);
	near_builtin(s, &r, true);
	if (r.best)
		diag_hint(s->d, "did you mean %s( )?", r.best);
}

/* --- Stability ----------------------------------------------------------- */

static bool
is_below(struct probe_attr a, struct probe_attr min)
{
	return a.name < min.name || a.data < min.data || a.class < min.class;
}

void
sema_check_amin(struct sema *s, struct probe_attr attr, struct lang_span span)
{
	char got[64], want[64];
	struct base_buf b;

	if (!s->has_amin || !is_below(attr, s->amin))
		return;
	base_buf_init(&b, got, sizeof(got));
	probe_attr_print(attr, &b);
	base_buf_init(&b, want, sizeof(want));
	probe_attr_print(s->amin, &b);
	diag(s->d, D_ATTR_MIN, span, "attributes (%s) are less than the "
	     "predefined minimum (%s)", got, want);
}

void
sema_use(struct sema *s, struct probe_attr attr, struct lang_span span)
{
	/* A library answers for what it uses with its own attributes. */
	if (span.src && span.src->is_library)
		return;
	if (s->func)
		s->func->id.attr = probe_attr_min(s->func->id.attr, attr);
	else if (s->clause)
		s->clause->stmt_attr = probe_attr_min(s->clause->stmt_attr,
						      attr);
	sema_check_amin(s, attr, span);
}
