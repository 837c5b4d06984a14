/* SPDX-License-Identifier: BSD-2-Clause
 *
 * #pragma D: options, stability, versions and dependencies.  The lexer has
 * split the line into words and dropped what is not D's.
 *
 * A pragma may stand before the declaration it is about, as in libraries; one
 * whose name never turns up is reported at the end of the program.
 */
#include <string.h>

#include "sema/clause_priv.h"
#include "sema/name_priv.h"

static void
malformed(struct sema *s, const struct ast_pragma *p, const char *form)
{
	diag(s->d, D_PRAGMA_MALFORM, p->span, "malformed #pragma D %s",
	     p->words[0]);
	diag_hint(s->d, "#pragma D %s", form);
}

/* --- option -------------------------------------------------------------- */

/* Before everything else, because strsize and version matter to it. */
void
sema_pragma_option(struct sema *s, const struct ast_pragma *p)
{
	struct err *e;

	if (strcmp(p->words[0], "option") != 0 || s->flags & LANG_INSIDE)
		return;
	if (p->nwords != 2) {
		malformed(s, p, "option NAME or option NAME=VALUE");
		return;
	}
	e = opt_set_text(s->opts, p->words[1], s->flags & LANG_LIBRARY ?
			 OPT_FROM_LIBRARY : OPT_FROM_PRAGMA, false);
	if (!e)
		return;
	if (e->code == ERR_NOMEM)
		s->nomem = true;
	else if (e->code == ERR_UNSUPPORTED)
		diag_warn(s->d, D_PRAGMA_OPTSET, p->span, "%s", e->text);
	else
		diag(s->d, D_PRAGMA_OPTSET, p->span,
		     "failed to set option '%s': %s", p->words[1], e->text);
	err_free(e);
}

/* --- attributes ---------------------------------------------------------- */

static bool
is_of_provider(const struct ast_pragma *p)
{
	return p->nwords == 5 && strcmp(p->words[2], "provider") == 0;
}

static bool
provider_attributes(struct sema *s, const struct ast_pragma *p,
		    struct probe_attr attr)
{
	struct sema_provider *v = hash_gets(&s->providers, p->words[3]);
	const struct {
		const char *name;
		struct probe_attr *attr;
	} fields[] = {
		{ "provider", v ? &v->attr.provider : NULL },
		{ "module", v ? &v->attr.module : NULL },
		{ "function", v ? &v->attr.function : NULL },
		{ "name", v ? &v->attr.name : NULL },
		{ "args", v ? &v->attr.args : NULL },
	};

	if (!v)
		return false;
	for (size_t i = 0; i < BASE_NELEMS(fields); i++) {
		if (strcmp(fields[i].name, p->words[4]) == 0) {
			*fields[i].attr = attr;
			return true;
		}
	}
	malformed(s, p, "attributes N/D/C provider NAME "
		  "provider|module|function|name|args");
	return true;
}

/* True when the name was found. */
static bool
attributes(struct sema *s, const struct ast_pragma *p)
{
	struct probe_attr attr;
	struct sema_ident *id;

	if ((p->nwords != 3 && !is_of_provider(p)) ||
	    !probe_attr_parse(p->words[1], &attr)) {
		malformed(s, p, "attributes NAME/DATA/CLASS IDENTIFIER");
		return true;
	}
	if (is_of_provider(p))
		return provider_attributes(s, p, attr);
	id = sema_ident_lookup(s, p->words[2]);
	if (id)
		id->attr = attr;
	return id != NULL;
}

/* --- binding ------------------------------------------------------------- */

static bool
parse_version(struct sema *s, const char *word, uint32_t *ret)
{
	size_t n = strlen(word);

	if (n > 1 && word[0] == '"' && word[n - 1] == '"')
		word = arena_strndup(s->a, word + 1, n - 2);
	return word && sema_version_parse(word, ret);
}

static bool
binding(struct sema *s, const struct ast_pragma *p)
{
	const char *name = p->nwords == 3 ? p->words[2] : NULL;
	uint32_t version;

	if (!name || !parse_version(s, p->words[1], &version)) {
		malformed(s, p, "binding \"VERSION\" IDENTIFIER");
		return true;
	}
	if (strcmp(name, "translator") == 0 ||
	    strcmp(name, "provider") == 0)
		return true;
	if (!sema_ident_find(s, SEMA_GLOBAL, name))
		return false;
	sema_had(s, hash_puts(&s->bindings, name, (void *)(uintptr_t)version));
	return true;
}

/* --- depends_on ---------------------------------------------------------- */

static const char depends_form[] = "depends_on provider|module|library NAME";

static bool
one_match(void *arg, const struct probe *p)
{
	*(bool *)arg = true;
	return false;
}

static bool
has_probes(struct sema *s, const char *prov, const char *mod)
{
	struct probe_desc d = { prov, mod, "", "", 0 };
	bool found = false;

	err_free(sema_match(s, &d, one_match, &found));
	return found;
}

/* In a program it is wrong, and we say what is most wrong with it. */
static void
depends_in_program(struct sema *s, const struct ast_pragma *p)
{
	const char *kind = p->nwords == 3 ? p->words[1] : "";
	bool is_library = !strcmp(kind, "library");
	bool is_missing =
		(!strcmp(kind, "provider") && !has_probes(s, p->words[2], "")) ||
		(!strcmp(kind, "module") && !has_probes(s, "", p->words[2]));

	if (p->nwords != 3)
		malformed(s, p, depends_form);
	else if (is_library)
		diag(s->d, D_PRAGMA_DEPEND, p->span, "a program cannot depend "
		     "on a library");
	else if (is_missing)
		diag(s->d, D_PRAGMA_DEPEND, p->span, "the program depends on "
		     "%s %s, which is not there", kind, p->words[2]);
	else
		diag(s->d, D_PRAGMA_INVAL, p->span, "#pragma D depends_on may "
		     "only be used in a library");
	if (is_library)
		diag_hint(s->d, "a library is found by the names that it "
			  "defines; import \"%s\"; asks for one by its own",
			  p->words[2]);
}

static bool
depends_on(struct sema *s, const struct ast_pragma *p)
{
	const char *kind = p->nwords == 3 ? p->words[1] : "";

	if (!(s->flags & LANG_LIBRARY)) {
		depends_in_program(s, p);
		return true;
	}
	/* Whoever has us compile a library has looked whether it is there. */
	if (strcmp(kind, "provider") != 0 && strcmp(kind, "module") != 0 &&
	    strcmp(kind, "library") != 0)
		malformed(s, p, depends_form);
	return true;
}

/* --- All ----------------------------------------------------------------- */

/* Each answers false when the name it is about does not exist (yet). */
static const struct {
	const char *name;
	bool (*obey)(struct sema *s, const struct ast_pragma *p);
} pragmas[] = {
	{ "attributes", attributes },
	{ "binding", binding },
	{ "depends_on", depends_on },
};

static bool
obey(struct sema *s, const struct ast_pragma *p)
{
	if (strcmp(p->words[0], "option") == 0)
		return true;		/* done already */
	for (size_t i = 0; i < BASE_NELEMS(pragmas); i++)
		if (strcmp(pragmas[i].name, p->words[0]) == 0)
			return pragmas[i].obey(s, p);
	diag(s->d, D_PRAGMA_INVAL, p->span, "invalid #pragma D %s",
	     p->words[0]);
	diag_hint(s->d, "there are option, attributes, binding and "
		  "depends_on");
	return true;
}

void
sema_pragma(struct sema *s, const struct ast_pragma *p)
{
	if (!obey(s, p))
		sema_had(s, vec_push(&s->pragmas, p));
}

void
sema_pragmas_end(struct sema *s)
{
	for (size_t i = 0; i < s->pragmas.n; i++) {
		const struct ast_pragma *p = s->pragmas.v[i];
		if (!obey(s, p))
			diag(s->d, D_PRAGMA_UNUSED, p->span, "#pragma D %s is "
			     "about %s, which is not declared", p->words[0],
			     p->words[is_of_provider(p) ? 3 : 2]);
	}
}
