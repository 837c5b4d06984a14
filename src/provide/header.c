/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The header of dtrace -h.  Its first part is <dtrace/sdt.h> as it is, so that a
 * program with probes can be built where nothing of this is installed; then come the
 * macros of each probe, which call those of that part with each argument cast to
 * the type that the definition says: the value is widened or cut by the C compiler
 * as that of a function's argument would be, and the size in the note is right.
 *
 * Last comes the note with the D text itself, as assembly outside of functions.  It
 * is a group (comdat) that is called after the first provider, and each includer has
 * it; the linker keeps one, also of what nothing refers to (SHF_GNU_RETAIN, as a
 * number, which assemblers take that have no letter for it).  A compiler that optimizes at link time may paste all of
 * them into one assembly: hence the .ifndef.
 */
#include <ctype.h>

#include "provide/provide_priv.h"
#include "type/type.h"

/* As part of a macro's name: upper case, and __ or what is no letter as _. */
static void
put_upper(struct sb *b, const char *name)
{
	for (; *name; name++) {
		if (name[0] == '_' && name[1] == '_')
			name++;
		sb_putc(b, isalnum((unsigned char)*name) ?
			(char)toupper((unsigned char)*name) : '_');
	}
}

/* The C type that has the size and the sign of t. */
static const char *
c_type(const struct type *t)
{
	static const char *const names[][2] = {
		{ "unsigned char", "signed char" },
		{ "unsigned short", "short" },
		{ "unsigned int", "int" },
		{ "unsigned long", "long" },
	};

	if (!type_is_integer(t))
		return "const volatile void *";
	unsigned log = 0;
	while ((1u << log) < type_size(t))
		log++;
	return names[log][type_is_signed(t)];
}

static void
put_probe(struct sb *b, const struct ast_provider *v,
	  const struct ast_probe_decl *p)
{
	unsigned n = 0;

	sb_puts(b, "#define ");
	put_upper(b, v->name);
	sb_putc(b, '_');
	put_upper(b, p->name);
	sb_putc(b, '(');
	for (const struct ast_decl *d = lang_args(p->nargs); d; d = d->next, n++)
		sb_printf(b, "%sarg%u", n ? ", " : "", n);
	sb_puts(b, ") \\\n\tDTRACE_PROBE");
	if (n)
		sb_printf(b, "%u", n);
	sb_printf(b, "(%s, %s", v->name, p->name);
	n = 0;
	for (const struct ast_decl *d = lang_args(p->nargs); d; d = d->next)
		sb_printf(b, ", \\\n\t\t(%s)(arg%u)", c_type(d->type), n++);
	sb_puts(b, ")\n#define ");
	put_upper(b, v->name);
	sb_putc(b, '_');
	put_upper(b, p->name);
	sb_printf(b, "_ENABLED() \\\n\tDTRACE_PROBE_ENABLED(%s, %s)\n",
		  v->name, p->name);
}

static void
put_provider(struct sb *b, const struct ast_provider *v)
{
	sb_printf(b, "\n#ifndef DTRACE_MACROS_OF_%s\n"
		  "#define DTRACE_MACROS_OF_%s\n", v->name, v->name);
	for (const struct ast_probe_decl *p = v->probes; p; p = p->next)
		put_probe(b, v, p);
	sb_puts(b, "#endif\n");
}

/* A byte of the text in a string of assembly in a string of C. */
static void
put_byte(struct sb *b, unsigned char c)
{
	if (c == '"' || c == '\\')
		sb_printf(b, "\\\\\\%c", c);
	else if (c < ' ' || c > '~' || c == '?' /* no trigraphs */)
		sb_printf(b, "\\\\%03o", c);
	else
		sb_putc(b, (char)c);
}

static void
put_note(struct sb *b, const char *name, const struct sb *text)
{
	enum { LINE = 64 };

	sb_printf(b, "\n#if defined(DTRACE_SDT_ASM_) && "
		  "!defined(DTRACE_NOTE_OF_%s)\n#define DTRACE_NOTE_OF_%s\n"
		  "__asm__ (\".ifndef __dtracenote_%s\\n\"\n"
		  "\t\".pushsection .note.dtrace,\\\"0x%x\\\",\\\"note\\\","
		  "__dtracenote_%s,comdat\\n\"\n"
		  "\t\".balign 4\\n\"\n"
		  "\t\".weak __dtracenote_%s\\n\"\n"
		  "\t\".hidden __dtracenote_%s\\n\"\n"
		  "\t\"__dtracenote_%s: .4byte 7, 992f-991f, %d\\n\"\n"
		  "\t\".asciz \\\"dtrace\\\"\\n\"\n"
		  "\t\".balign 4\\n\"\n\t\"991:\\n\"\n",
		  name, name, name, PROVIDE_NOTE_FLAGS, name, name, name, name,
		  PROVIDE_NOTE_D);
	for (size_t i = 0; i < text->len; i += LINE) {
		sb_puts(b, "\t\".ascii \\\"");
		for (size_t k = i; k < i + LINE && k < text->len; k++)
			put_byte(b, (unsigned char)text->p[k]);
		sb_puts(b, "\\\"\\n\"\n");
	}
	sb_puts(b, "\t\".byte 0\\n\"\n\t\"992: .balign 4\\n\"\n"
		"\t\".popsection\\n\"\n\t\".endif\\n\");\n#endif\n");
}

void
provide_header_begin(const char *name, struct sb *b)
{
	sb_printf(b, "/* %s: made by dtrace -h; to be made again, not to be "
		  "changed. */\n", name);
	sb_puts(b, provide_sdt_h);
}

struct err *
provide_header(const struct ast_program *prog, struct sb *b)
{
	const char *name = provide_first(prog);
	struct sb text;

	TRY(provide_check(prog));
	if (!name)
		return NULL;
	for (const struct ast_item *it = prog->items; it; it = it->next)
		if (it->kind == AST_ITEM_PROVIDER)
			put_provider(b, it->u.provider);
	sb_init(&text, b->max);
	provide_text(prog, &text);
	put_note(b, name, &text);
	bool failed = b->failed || text.failed;
	sb_fini(&text);
	return failed ? &err_nomem : NULL;
}
