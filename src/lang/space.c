/* SPDX-License-Identifier: BSD-2-Clause
 *
 * import and namespace.
 *
 *	import "net";			the library net.d, once
 *
 *	namespace net {			what is defined in here is called
 *		inline int LOCAL = 1;	net.LOCAL outside, and LOCAL within
 *	}
 *
 * A namespace is a matter of spelling: a name of one is a single name with a
 * dot in it, and whoever reads the tree never hears of namespaces.  So the
 * lexer
 *  - joins `net.LOCAL` to one word when net is a namespace,
 *  - within one, puts "net." before each name that the namespace defines.
 * Which names that are the outline tells when the namespace begins, so that a
 * name means the same before and behind its definition.  What follows `.` or
 * `->` is a member and left alone; where else the word as written is wanted
 * (the members of a struct or a translator), the token has it.
 */
#include <string.h>

#include "lang/error_priv.h"
#include "lang/lex_priv.h"
#include "lang/outline.h"
#include "lang/syntax_priv.h"

struct lang_space {
	struct lang_space *outer;
	const char *name;		/* with those of the outer ones */
	struct hash names;		/* it defines; the key is the pointer */
	struct parser *p;
};

/* --- Words ---------------------------------------------------------------- */

static bool
is_space(struct parser *p, const char *name)
{
	const struct lang_env *env = p->env;

	return hash_get(&p->spaces, &name, sizeof(name)) ||
	       (env->is_space && env->is_space(env->ctx, name));
}

/* Is the word at start a member of something? */
static bool
is_member(const struct parser *p, uint32_t start)
{
	while (start && (lang_is_blank(p->text[start - 1]) ||
			 p->text[start - 1] == '\n'))
		start--;
	return (start > 0 && p->text[start - 1] == '.') ||
	       (start > 1 && !memcmp(p->text + start - 2, "->", 2));
}

uint32_t
lang_space_end(struct parser *p, uint32_t start, uint32_t end)
{
	while (lang_char(p, end) == '.' && lang_is_alpha(lang_char(p, end + 1))
	       && !p->dead) {
		if (!is_space(p, lang_intern(p, p->text + start, end - start))
		    || is_member(p, start))
			break;
		end = lang_word_end(p, end + 1);
	}
	return end;
}

void
lang_space_qualify(struct parser *p, uint32_t start, struct token *t)
{
	const struct lang_space *s = p->space;

	if (!s || t->kind != T_IDENT || is_member(p, start))
		return;
	while (s && !hash_get(&s->names, &t->name, sizeof(t->name)))
		s = s->outer;
	if (!s)
		return;
	const char *full = arena_printf(p->env->a, "%s.%s", s->name, t->name);
	if (full)
		t->name = lang_intern(p, full, strlen(full));
	else
		lang_no_memory(p);
}

/* --- namespace ------------------------------------------------------------ */

bool
lang_at_space(const struct parser *p)
{
	static const char word[] = "namespace";
	uint32_t pos = p->pos;

	if (p->size - pos < sizeof(word) ||
	    memcmp(p->text + pos, word, sizeof(word) - 1) != 0)
		return false;
	uint32_t name = lang_after_blank(p, pos + sizeof(word) - 1);
	return name > pos + sizeof(word) - 1 &&
	       lang_is_alpha(lang_char(p, name));
}

static bool
on_name(void *ctx, enum lang_name_kind kind, struct base_span text)
{
	struct lang_space *s = ctx;
	const char *name = lang_intern(s->p, text.p, text.n);

	if (kind == LANG_NAME_XLATOR || kind == LANG_NAME_SPACE)
		return true;
	return !s->p->dead &&
	       hash_put(&s->names, &name, sizeof(name), s);
}

/* It is open from here on. */
static void
open_space(struct parser *p, struct lang_space *s, const char *name)
{
	const struct lang_outline o = { s, on_name, NULL };
	const char *full = s->outer ? arena_printf(p->env->a, "%s.%s",
						   s->outer->name, name)
				    : name;

	if (!full) {
		lang_no_memory(p);
		return;
	}
	s->name = lang_intern(p, full, strlen(full));
	if (!hash_put(&p->spaces, &s->name, sizeof(s->name), p) ||
	    !lang_outline(p->src, p->last.off + p->last.len, p->size, &o))
		lang_no_memory(p);
	if (!p->dead && p->env->on_space)
		p->env->on_space(p->env->ctx, s->name);
	p->space = s;
}

void
lang_read_space(struct parser *p, void (*items)(struct parser *p))
{
	struct lang_space s = { .outer = p->space, .p = p };

	lang_next(p);		/* namespace */
	if (!lang_peek(p)->word) {	/* a variable of the kernel has a ` in it */
		lang_syntax(p, "namespace NAME { ... }");
		return;
	}
	struct token name = lang_next(p);
	struct lang_span open = lang_peek(p)->span;
	if (!lang_expect(p, T_LBRACE, "namespace NAME { ... }") ||
	    !lang_enter(p)) {
		lang_leave(p);
		return;
	}
	open_space(p, &s, name.word);
	items(p);
	p->space = s.outer;
	hash_fini(&s.names);
	p->braces = 1;
	lang_expect_close(p, T_RBRACE, open);
	lang_leave(p);
}

/* --- import --------------------------------------------------------------- */

void
lang_read_import(struct parser *p)
{
	struct lang_span span = lang_next(p).span;
	struct token name = *lang_peek(p);

	if (name.kind != T_STR) {
		lang_syntax(p, "import \"NAME\";");
		return;
	}
	lang_next(p);
	lang_expect(p, T_SEMI, "a ';' is missing before this");
	if (p->panic || p->dead)
		return;
	span = lang_span_join(span, name.span);
	if (p->env->on_import)
		p->env->on_import(p->env->ctx, name.str, span);
	else
		diag(p->env->diags, D_LIBRARY, span,
		     "nothing can be imported here");
}
