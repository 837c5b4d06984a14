/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the files of the parser share.
 *
 * Tokens are made only when somebody looks, so that between two items nothing
 * has been read ahead and the text may be read as a probe description instead.
 *
 * Failing takes two forms, and neither needs a test after each step:
 *   panic  a syntax error was reported; until lang_resync_*() every token seen
 *	    is T_ERROR, which nothing accepts, so the parser unwinds in silence.
 *   dead   memory is short, or going on is pointless; every token is T_EOF,
 *	    and nothing more is reported.
 * Allocation never returns NULL: when memory is short it marks the parser dead
 * and hands out a dummy, which must not be walked (it may link to itself).
 */
#ifndef LANG_LANG_PRIV_H
#define LANG_LANG_PRIV_H

#include "lang/lang.h"
#include "lang/token_priv.h"
#include "util/hash.h"

enum { LANG_LOOK = 4 };			/* tokens of look-ahead */

struct parser {
	const struct lang_env *env;
	const struct lang_source *src;
	const char *text;
	uint32_t size, pos;
	uint32_t start;			/* of the text, behind a mark of UTF-8 */

	struct token look[LANG_LOOK];
	unsigned nlook;
	struct token panic_tok;
	struct lang_span last;		/* of the token taken last */
	bool in_pred;			/* '/' may end a predicate */
	bool at_tag;			/* struct or such was scanned last, */
	bool in_translator;		/* or translator was */
	bool quiet;			/* skipping: say nothing lexical */
	bool garbled;			/* a quote of this statement was not
					 * closed, or the like: what follows
					 * in it is nonsense */
	bool panic, dead;
	bool no_memory;			/* dead for that reason */
	unsigned depth;			/* see LANG_MAX_DEPTH */
	unsigned braces;		/* open '{' of this item */
	unsigned loops;			/* around this statement */
	bool in_head;			/* behind the '(' of a for */
	bool in_func;			/* in the body of a function */
	uint16_t pack;			/* bytes, of #pragma pack, or 0 */
	uint16_t packs[16];		/* those that were pushed */
	unsigned npacks;
	bool told_decl;			/* of a declaration in this clause */
	bool bad_before;		/* the item before had errors */
	bool bad_header;		/* some item did not begin as one */
	unsigned item_diags;		/* reported when this item began */
	unsigned ndiags;		/* reported when this program began */

	struct hash types;		/* names this program declared: key is
					 * the pointer; val &type_mark or
					 * &other_mark */
	struct hash spaces;		/* namespaces of this program, likewise */
	struct lang_space *space;	/* the one that we are in, or NULL */
	struct ast_item *items, **item_tail;
	struct sb *trace;		/* lang_dump_tokens(), or NULL */

	max_align_t dummy[64];
};

/* --- lex.c: what the parser sees ------------------------------------------ */

/* What the parser sees next, and what n tokens later (n < LANG_LOOK). */
const struct token *lang_peek(struct parser *p);
const struct token *lang_look(struct parser *p, unsigned n);
/* Take the token that lang_peek() showed. */
struct token lang_next(struct parser *p);
/* Take it if it is of this kind. */
bool lang_accept(struct parser *p, enum token_kind kind);

/* Zeroed, never NULL; see above. */
void *lang_alloc(struct parser *p, size_t size);
#define LANG_NEW(p, type) ((type *)lang_alloc((p), sizeof(type)))
/* Interned, never NULL. */
const char *lang_intern(struct parser *p, const char *s, size_t n);

/* Going on is pointless. */
void lang_die(struct parser *p);
/* Memory is short. */
void lang_no_memory(struct parser *p);

/* --- dump.c --------------------------------------------------------------- */

void lang_trace_token(struct sb *b, const struct token *t);
void lang_trace_desc(struct sb *b, const char *text);

/* --- parse.c -------------------------------------------------------------- */

struct ast_program *lang_parse_traced(const struct lang_env *env,
				      const struct lang_source *src,
				      struct sb *trace);

#endif
