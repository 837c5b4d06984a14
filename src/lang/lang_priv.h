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
#include "util/hash.h"

enum token_kind {
#define TOKEN(NAME, text) T_##NAME,
#include "lang/token.def"
#define PUNCT(NAME, ...) T_##NAME,
#include "lang/token.def"
#define KEYWORD(NAME, ...) T_##NAME,
#include "lang/keyword.def"
#undef KEYWORD
	T_N,
	T_FIRST_PUNCT = T_LPAREN,
	T_FIRST_KEYWORD = T_ALIGNAS,
};

enum { LANG_NOT_ASSIGN = 255 };

enum keyword_flags {
	KW_TYPE = 1, KW_CLASS = 2, KW_FILE = 4, KW_STMT = 8, KW_RESERVED = 16,
	KW_D = 32,
};

struct token {
	uint8_t kind;			/* enum token_kind */
	bool negative;			/* INT: from a macro that said -5 */
	bool is_unsigned, is_long, is_llong, is_decimal, is_char;  /* INT */
	bool on_new_line;		/* first on its line */
	struct lang_span span;
	const char *name;		/* IDENT, SYM, AGG, keyword: interned;
					 * with its namespace */
	const char *word;		/* IDENT, keyword: as written */
	const char *module;		/* SYM, or NULL */
	const char *str;		/* STR: value; FLOAT: text */
	uint32_t str_len;
	uint64_t value;			/* INT */
};

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

/* --- lex.c: characters to tokens ------------------------------------------ */

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

/* Skip blanks, comments and control lines, obeying the latter.  True when a
 * newline was among them. */
bool lang_skip_blank(struct parser *p);
/* The same without obeying: where would it end? */
uint32_t lang_after_blank(const struct parser *p, uint32_t pos);

/* The character at pos, 0 behind the end. */
static inline char
lang_char(const struct parser *p, uint32_t pos)
{
	return pos < p->size ? p->text[pos] : '\0';
}

static inline bool
lang_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
lang_is_alpha(char c)		/* may begin an identifier */
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool
lang_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\f' || c == '\v' || c == '\r';
}

struct lang_span lang_span_at(const struct parser *p, uint32_t off,
			      uint32_t end);
/* Report something lexical; the token stays usable.  True when it was reported,
 * so that a hint may follow. */
bool lang_lex_diag(struct parser *p, enum diag_tag tag, struct lang_span s,
		   const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* The flags of a keyword, 0 for other tokens. */
unsigned lang_keyword_flags(unsigned kind);
/* The end of the letters and digits from pos on. */
uint32_t lang_word_end(const struct parser *p, uint32_t pos);
/* A word: keyword or identifier. */
void lang_make_word(struct parser *p, const char *s, size_t n,
		    struct token *t);
const char *lang_token_text(unsigned kind);

/* --- literal.c: numbers, strings, characters ------------------------------ */

/* How many bytes of s belong to the number that begins there. */
uint32_t lang_number_size(const char *s, uint32_t n);
/* Convert; errors are reported at t->span, and t is usable all the same. */
void lang_make_number(struct parser *p, const char *s, uint32_t n,
		      struct token *t);
/*
 * s begins at the quote, '"' or '\''.  Returns the bytes used, closing quote
 * included.  t->span is set from off.
 */
uint32_t lang_make_quoted(struct parser *p, const char *s, uint32_t n,
			  uint32_t off, struct token *t);

/* --- macro.c -------------------------------------------------------------- */

struct macro {
	struct lang_span span;	/* as written, $ included */
	const char *text;	/* NULL: not defined, and reported */
	bool as_string;		/* $$ */
};
/* At '$': read the name, step over it, look it up.  False: no macro, but a
 * lone '$', and nothing was read. */
bool lang_read_macro(struct parser *p, struct macro *ret);
/* Turn its text into a token. */
void lang_make_macro(struct parser *p, const struct macro *m, struct token *t);
/* At the end: complain of arguments nobody asked for. */
void lang_check_unused_macros(struct parser *p);

/* --- control.c ------------------------------------------------------------ */

/* At the '#' that begins a line: obey it and step to the line's end. */
void lang_control_line(struct parser *p);
void lang_add_item(struct parser *p, struct ast_item *item);

/* --- pdesc.c -------------------------------------------------------------- */

/* May this character stand in a probe description? */
bool lang_is_desc_char(char c);
/* Read "desc, desc, ..." from the text; NULL after an error. */
struct ast_pdesc *lang_read_descs(struct parser *p);

/* --- habit.c, recover.c: errors and getting over them ------------------------------ */

/* `syntax error near "tok"` at the next token; panic.  The hint or NULL. */
void lang_syntax(struct parser *p, const char *hint, ...)
	__attribute__((format(printf, 2, 3)));
/* A syntax error with words of its own. */
void lang_syntax_at(struct parser *p, struct lang_span s, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* How D says what the token at `at`, or the one before, says in another
 * language; or NULL. */
const char *lang_habit(const struct parser *p, struct lang_span at);
/* A declaration where none may be; reported once for each clause. */
void lang_no_decl(struct parser *p);
/* This begins no item.  Behind an item with errors, or another that did not
 * begin as one, that is a consequence, and nothing is said.  The hint may have
 * a %s, for text. */
void lang_bad_header(struct parser *p, const char *hint, const char *text);
/* Take a token of this kind or report; hint as above, may be NULL. */
bool lang_expect(struct parser *p, enum token_kind kind, const char *hint);
/* Take the bracket that closes the one at `open`. */
bool lang_expect_close(struct parser *p, enum token_kind kind,
		       struct lang_span open);
/* One level deeper; false when that is too deep (reported, dead). */
bool lang_enter(struct parser *p);
void lang_leave(struct parser *p);
/* Out of panic: skip past the statement, to its end inside { }. */
void lang_resync_stmt(struct parser *p);
/* To the end of a predicate or the '{' behind it. */
void lang_resync_pred(struct parser *p);
/* Past the item: a ';' or a balanced { }.  A declaration that fails within
 * its braces goes on behind them: its ';' alone ends it. */
void lang_resync_item(struct parser *p, bool is_decl);

/* Past a clause that lacks its '{': to the '}' it may have all the same. */
void lang_resync_no_body(struct parser *p);

/* --- expr.c --------------------------------------------------------------- */

struct ast_node *lang_expr(struct parser *p);		/* with commas */
struct ast_node *lang_assign(struct parser *p);		/* without */
struct ast_node *lang_cond(struct parser *p);		/* no assignment */
/* A new node; op_span is span too. */
struct ast_node *lang_node(struct parser *p, enum ast_kind kind,
			   struct lang_span span);
struct ast_node *lang_unary_node(struct parser *p, enum ast_op op,
				 struct lang_span op_span,
				 struct ast_node *kid);
/* kid[i] = kid; the span and the height follow. */
void lang_set_kid(struct parser *p, struct ast_node *n, unsigned i,
		  struct ast_node *kid);
/* n has got a new child: keep its height, and watch it. */
void lang_grow(struct parser *p, struct ast_node *n,
	       const struct ast_node *child);
/* Stretch n to the end of what was taken last. */
struct ast_node *lang_end_here(struct parser *p, struct ast_node *n);

/* --- operand.c ------------------------------------------------------------ */

struct ast_node *lang_operand(struct parser *p);

/* --- attr.c --------------------------------------------------------------- */

/* Append what __attribute__((...)) and _Alignas(...) say here, any number of
 * them; false when there is none. */
bool lang_attrs(struct parser *p, struct ast_attr **list);

/* --- decl.c --------------------------------------------------------------- */

/* Do a '(' and a type name follow, as in a cast or behind sizeof? */
bool lang_at_paren_type(struct parser *p, bool sizeof_);
/* A name that stands for a type in this program. */
bool lang_is_type(struct parser *p, const char *name);
/* This program declares name; the first typedef or the newest use counts. */
void lang_declare(struct parser *p, const char *name, bool is_type);
/* "int *", "struct x [3]": specifier and abstract declarator. */
struct ast_decl *lang_type_name(struct parser *p);
/* One specifier and one declarator with a name. */
struct ast_decl *lang_one_decl(struct parser *p);
/* Is what d declares a function? */
bool lang_is_func(const struct ast_decl *d);
/* "spec declarator, declarator ;" at file scope; or the head of a function,
 * when it is one and a '{' follows. */
struct ast_decl *lang_decl(struct parser *p);
/* Take _Static_assert(...); if it is there: the compiler that made what we
 * trace has looked. */
bool lang_skip_assertion(struct parser *p);
/* What stands between '(' and ')'; the '(' is taken, ')' is not. */
struct ast_decl *lang_params(struct parser *p, enum token_kind close,
			     bool *variadic);

/* --- space.c: import and namespace ---------------------------------------- */

/* The end of the word at start..end with what it is a namespace of. */
uint32_t lang_space_end(struct parser *p, uint32_t start, uint32_t end);
/* Puts its namespace before the name in t, a word at start, if the one that we
 * are in, or one around it, defines it. */
void lang_space_qualify(struct parser *p, uint32_t start, struct token *t);
/* Does the text go on with "namespace NAME"? */
bool lang_at_space(const struct parser *p);
/* Read one; items() reads items up to the '}'. */
void lang_read_space(struct parser *p, void (*items)(struct parser *p));
void lang_read_import(struct parser *p);

/* --- dump.c --------------------------------------------------------------- */

void lang_trace_token(struct sb *b, const struct token *t);
void lang_trace_desc(struct sb *b, const char *text);

/* --- stmt.c --------------------------------------------------------------- */

/* "{ statements }". */
struct ast_node *lang_block(struct parser *p);

/* --- parse.c -------------------------------------------------------------- */

struct ast_program *lang_parse_traced(const struct lang_env *env,
				      const struct lang_source *src,
				      struct sb *trace);

#endif
