/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The assembler.  One pass over the lines; labels that are not known yet are
 * patched at the end.  What an instruction looks like comes from
 * dif_fmt_operands(), the same pattern that prints it, so that a new opcode
 * needs no line here.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "difasm/difasm.h"
#include "util/cleanup.h"
#include "util/hash.h"
#include "util/vec.h"

struct fixup {
	struct base_span name;
	uint32_t pc, line;
};

struct assembler {
	const char *p;			/* in the line being read */
	uint32_t line;			/* of the text, from 1 */
	uint32_t source_line;		/* .line */
	bool has_lines;
	struct dif_type rtype;
	VEC(uint32_t) text;
	VEC(uint32_t) lines;
	VEC(uint64_t) ints;
	VEC(char) strs;
	VEC(struct dif_var) vars;
	VEC(struct fixup) fixups;
	struct hash labels;		/* to the instruction's index + 1 */
};

static struct err *
bad(const struct assembler *as, const char *what)
{
	return err_new(ERR_FORMAT, 0, "line %" PRIu32 ": %s", as->line, what);
}

static struct err *
bad_word(const struct assembler *as, const char *what, struct base_span w)
{
	return err_new(ERR_FORMAT, 0, "line %" PRIu32 ": %s \"%.*s\"", as->line,
		       what, (int)BASE_MIN(w.n, 64), w.p);
}

/* --- Reading a line ---------------------------------------------------- */

static void
skip_blanks(struct assembler *as)
{
	while (*as->p == ' ' || *as->p == '\t' || *as->p == '\r')
		as->p++;
}

static bool
at_end(struct assembler *as)
{
	skip_blanks(as);
	return !*as->p || *as->p == '\n' || *as->p == '!';
}

static bool
accept(struct assembler *as, char c)
{
	skip_blanks(as);
	if (*as->p != c)
		return false;
	as->p++;
	return true;
}

static struct err *
expect(struct assembler *as, char c)
{
	char text[] = "expected \" \"";

	if (accept(as, c))
		return NULL;
	text[10] = c;
	return bad(as, text);
}

/* Letters, digits and `_`; with `.` and `/` where the grammar has such words. */
static struct base_span
word(struct assembler *as)
{
	struct base_span w;

	skip_blanks(as);
	w.p = as->p;
	while (isalnum((unsigned char)*as->p) ||
	       (*as->p && strchr("_./-", *as->p)))
		as->p++;
	w.n = as->p - w.p;
	return w;
}

static struct err *
expect_word(struct assembler *as, const char *s)
{
	struct base_span w = word(as);

	if (base_span_is(w, s))
		return NULL;
	return err_new(ERR_FORMAT, 0, "line %" PRIu32 ": expected \"%s\"",
		       as->line, s);
}

static int
digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

/* A decimal or 0x number, at most max. */
static struct err *
number(struct assembler *as, uint64_t max, uint64_t *ret)
{
	struct base_span w = word(as);
	bool hex = w.n > 2 && w.p[0] == '0' && (w.p[1] == 'x');
	int base = hex ? 16 : 10;
	uint64_t v = 0;

	if (!w.n)
		return bad(as, "expected a number");
	for (size_t i = hex ? 2 : 0; i < w.n; i++) {
		if (digit(w.p[i]) >= base)
			return bad_word(as, "not a number:", w);
		if (__builtin_mul_overflow(v, base, &v) ||
		    __builtin_add_overflow(v, digit(w.p[i]), &v))
			return bad_word(as, "number out of range:", w);
	}
	if (v > max)
		return bad_word(as, "number out of range:", w);
	*ret = v;
	return NULL;
}

static struct err *
escape(struct assembler *as, char *ret)
{
	static const char letters[] = "ntr", plain[] = "\n\t\r";
	const char *letter;
	unsigned v = 0;

	if (digit(*as->p) < 8) {
		for (int i = 0; i < 3 && digit(*as->p) < 8; i++)
			v = v * 8 + digit(*as->p++);
		if (v == 0 || v > 255)
			return bad(as, "escape out of range");
		*ret = v;
		return NULL;
	}
	letter = *as->p ? strchr(letters, *as->p) : NULL;
	if (letter)
		*ret = plain[letter - letters];
	else if (*as->p == '"' || *as->p == '\\')
		*ret = *as->p;
	else
		return bad(as, "unknown escape");
	as->p++;
	return NULL;
}

/* A quoted string, appended to the string table; *off is where. */
static struct err *
quoted(struct assembler *as, uint32_t *off)
{
	TRY(expect(as, '"'));
	*off = as->strs.n;
	while (*as->p != '"') {
		char c = *as->p++;

		if (!c || c == '\n') {
			as->p--;
			return bad(as, "string without end");
		}
		if (c == '\\')
			TRY(escape(as, &c));
		if (!vec_push(&as->strs, c))
			return &err_nomem;
	}
	as->p++;
	if (!vec_push(&as->strs, '\0'))
		return &err_nomem;
	if (as->strs.n > DIF_MAX_TABLE)
		return bad(as, "string table too large");
	return NULL;
}

/* Like quoted(), but a string that the table has already is not added. */
static struct err *
interned(struct assembler *as, uint32_t *off)
{
	uint32_t at, i = 0;

	if (!as->strs.n && !vec_push(&as->strs, '\0'))
		return &err_nomem;
	TRY(quoted(as, &at));
	while (strcmp(as->strs.v + i, as->strs.v + at))
		i += strlen(as->strs.v + i) + 1;
	if (i < at)
		as->strs.n = at;
	*off = i;
	return NULL;
}

/* "NAME(n)" or "NAME[n]", whose name has been read. */
static struct err *
wrapped(struct assembler *as, const char *ends, uint64_t max, uint32_t *ret)
{
	uint64_t v;

	TRY(expect(as, ends[0]));
	TRY(number(as, max, &v));
	TRY(expect(as, ends[1]));
	*ret = v;
	return NULL;
}

/* --- Operands ---------------------------------------------------------- */

static struct err *
parse_register(struct assembler *as, uint32_t *ret)
{
	TRY(expect(as, '%'));
	if (*as->p++ != 'r')
		return as->p--, bad(as, "expected a register");
	if (*as->p < '0' || *as->p >= '0' + DIF_NREGS)
		return bad(as, "no such register");
	*ret = *as->p++ - '0';
	return isalnum((unsigned char)*as->p) ? bad(as, "no such register")
					      : NULL;
}

static struct err *
parse_int(struct assembler *as, uint32_t *ret)
{
	uint64_t v;

	skip_blanks(as);
	if (!strncmp(as->p, "DT_INTEGER", 10)) {
		as->p += 10;
		return wrapped(as, "[]", 0xffff, ret);
	}
	TRY(number(as, UINT64_MAX, &v));
	for (*ret = 0; *ret < as->ints.n; ++*ret)
		if (as->ints.v[*ret] == v)
			return NULL;
	if (as->ints.n == DIF_MAX_TABLE)
		return bad(as, "integer table too large");
	return vec_push(&as->ints, v) ? NULL : &err_nomem;
}

static struct err *
parse_string(struct assembler *as, uint32_t *ret)
{
	skip_blanks(as);
	if (!strncmp(as->p, "DT_STRING", 9)) {
		as->p += 9;
		return wrapped(as, "[]", 0xffff, ret);
	}
	return interned(as, ret);
}

static struct err *
parse_var(struct assembler *as, uint64_t max, uint32_t *ret)
{
	static const struct dif_bvarinfo rows[] = {
#define BVAR(NAME, name, id, size) { name, id, size },
#include "dif/bvars.def"
#undef BVAR
	};
	struct base_span w = word(as);

	if (base_span_is(w, "DT_VAR"))
		return wrapped(as, "()", max, ret);
	for (size_t i = 0; i < as->vars.n; i++)
		if (base_span_is(w, as->strs.v + as->vars.v[i].name)) {
			*ret = as->vars.v[i].id;
			return NULL;
		}
	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (base_span_is(w, rows[i].name) && rows[i].id <= max) {
			*ret = rows[i].id;
			return NULL;
		}
	return bad_word(as, "unknown variable", w);
}

static struct err *
parse_subr(struct assembler *as, uint32_t *ret)
{
	static const struct { const char *name; uint32_t no; } rows[] = {
#define SUBR(NAME, name, no, ...) { name, no },
#include "dif/subrs.def"
#undef SUBR
	};
	struct base_span w = word(as);

	if (base_span_is(w, "DIF_SUBR"))
		return wrapped(as, "()", 0xffff, ret);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (base_span_is(w, rows[i].name)) {
			*ret = rows[i].no;
			return NULL;
		}
	return bad_word(as, "unknown subroutine", w);
}

/* A label's name is patched in later; a number is taken as it is. */
static struct err *
parse_label(struct assembler *as, uint32_t *ret)
{
	struct fixup f = { .pc = as->text.n, .line = as->line };
	uint64_t v;

	skip_blanks(as);
	if (isdigit((unsigned char)*as->p)) {
		TRY(number(as, 0xffffff, &v));
		*ret = v;
		return NULL;
	}
	f.name = word(as);
	if (!f.name.n)
		return bad(as, "expected a label");
	*ret = 0;
	return vec_push(&as->fixups, f) ? NULL : &err_nomem;
}

static struct err *
parse_operand(struct assembler *as, char what, uint32_t *insn)
{
	uint32_t v = 0;

	switch (what) {
	case '1': TRY(parse_register(as, &v)); *insn |= v << 16; break;
	case '2': TRY(parse_register(as, &v)); *insn |= v << 8; break;
	case 'd': TRY(parse_register(as, &v)); *insn |= v; break;
	case 'l': TRY(parse_label(as, &v)); *insn |= v; break;
	case 'i': TRY(parse_int(as, &v)); *insn |= v << 8; break;
	case 's': TRY(parse_string(as, &v)); *insn |= v << 8; break;
	case 'v': TRY(parse_var(as, 0xffff, &v)); *insn |= v << 8; break;
	case 'c': TRY(parse_subr(as, &v)); *insn |= v << 8; break;
	case 'f':
		TRY(expect_word(as, "DT_FUNC"));
		TRY(wrapped(as, "()", 0xffff, &v));
		*insn |= v << 8;
		break;
	case 'a': TRY(parse_var(as, 0xff, &v)); *insn |= v << 16; break;
	case 't':
		TRY(expect_word(as, "DT_TYPE"));
		TRY(wrapped(as, "()", 0xff, &v));
		*insn |= v << 16;
		break;
	case ' ': break;
	default: return expect(as, what);
	}
	return NULL;
}

/* --- Statements -------------------------------------------------------- */

static struct err *
emit(struct assembler *as, uint32_t insn)
{
	if (as->text.n == DIF_MAX_TEXT)
		return bad(as, "more than 65536 instructions");
	return vec_push(&as->text, insn) &&
	       vec_push(&as->lines, as->source_line) ? NULL : &err_nomem;
}

static struct err *
statement_insn(struct assembler *as, struct base_span name)
{
	const struct dif_opinfo *op = NULL;
	unsigned no = 0;
	uint32_t insn;

	for (no = 0; no < DIF_NOPS; no++) {
		op = dif_op_info(no);
		if (op && base_span_is(name, op->name))
			break;
	}
	if (no == DIF_NOPS)
		return bad_word(as, "unknown instruction", name);
	insn = (uint32_t)no << 24;
	for (const char *p = dif_fmt_operands(op->fmt); *p; p++)
		TRY(parse_operand(as, *p, &insn));
	return emit(as, insn);
}

static struct err *
parse_ckind(struct assembler *as, uint8_t *ret)
{
	struct base_span w;

	TRY(expect(as, '('));
	w = word(as);
	for (unsigned i = 0; dif_ckind_name(i); i++)
		if (base_span_is(w, dif_ckind_name(i))) {
			*ret = i;
			return expect(as, ')');
		}
	return bad_word(as, "unknown kind of C type", w);
}

static struct err *
parse_type(struct assembler *as, struct dif_type *ret)
{
	struct dif_type t = { .kind = DIF_TYPE_CTF };
	struct base_span w = word(as);
	uint64_t size;

	if (base_span_is(w, "string"))
		t.kind = DIF_TYPE_STRING;
	else if (base_span_is(w, "D"))
		TRY(expect_word(as, "type"));
	else
		return bad_word(as, "unknown type", w);
	TRY(parse_ckind(as, &t.ckind));
	while (!accept(as, '(')) {
		TRY(expect_word(as, "by"));
		w = word(as);
		if (base_span_is(w, "user")) {
			t.flags |= DIF_TF_BYUREF;
			TRY(expect_word(as, "ref"));
		} else if (base_span_is(w, "ref")) {
			t.flags |= DIF_TF_BYREF;
		} else {
			return bad_word(as, "unknown reference", w);
		}
	}
	TRY(expect_word(as, "size"));
	TRY(number(as, UINT32_MAX, &size));
	t.size = size;
	*ret = t;
	return expect(as, ')');
}

/* One of the words of a NULL-ended list; its index. */
static struct err *
choice(struct assembler *as, const char *const *list, unsigned *ret)
{
	struct base_span w = word(as);

	for (*ret = 0; list[*ret]; ++*ret)
		if (base_span_is(w, list[*ret]))
			return NULL;
	return bad_word(as, "unknown word", w);
}

static struct err *
statement_var(struct assembler *as)
{
	static const char *const kinds[] = { "arr", "scl", NULL };
	static const char *const scopes[] = { "glb", "tls", "loc", NULL };
	static const char *const flags[] = { "-", "r", "w", "r/w", NULL };
	struct dif_var v = { 0 };
	unsigned kind, scope, flag;
	uint64_t id;

	TRY(parse_string(as, &v.name));
	if (v.name >= as->strs.n)
		return bad(as, "name outside the string table");
	TRY(number(as, 0xffff, &id));
	TRY(choice(as, kinds, &kind));
	TRY(choice(as, scopes, &scope));
	TRY(choice(as, flags, &flag));
	TRY(parse_type(as, &v.type));
	v.id = id;
	v.kind = kind;
	v.scope = scope;
	v.flags = flag;
	if (as->vars.n == DIF_MAX_VARS)
		return bad(as, "variable table too large");
	return vec_push(&as->vars, v) ? NULL : &err_nomem;
}

static struct err *
statement_ret(struct assembler *as)
{
	return parse_type(as, &as->rtype);
}

static struct err *
statement_int(struct assembler *as)
{
	uint64_t v;

	TRY(number(as, UINT64_MAX, &v));
	if (as->ints.n == DIF_MAX_TABLE)
		return bad(as, "integer table too large");
	return vec_push(&as->ints, v) ? NULL : &err_nomem;
}

static struct err *
statement_str(struct assembler *as)
{
	uint32_t off;

	skip_blanks(as);
	if (!as->strs.n && as->p[0] == '"' && as->p[1] != '"' &&
	    !vec_push(&as->strs, '\0'))
		return &err_nomem;
	return quoted(as, &off);
}

static struct err *
statement_line(struct assembler *as)
{
	uint64_t v;

	TRY(number(as, UINT32_MAX, &v));
	as->source_line = v;
	as->has_lines = true;
	return NULL;
}

static struct err *
statement_word(struct assembler *as)
{
	uint64_t v;

	TRY(number(as, UINT32_MAX, &v));
	return emit(as, v);
}

static const struct {
	const char *name;
	struct err *(*parse)(struct assembler *as);
} directives[] = {
	{ ".int", statement_int }, { ".line", statement_line },
	{ ".ret", statement_ret }, { ".str", statement_str },
	{ ".var", statement_var }, { ".word", statement_word },
};

static struct err *
statement_label(struct assembler *as, struct base_span name)
{
	void **pc = hash_ref(&as->labels, name.p, name.n);

	if (!pc)
		return &err_nomem;
	if (*pc)
		return bad_word(as, "label stands twice:", name);
	*pc = (void *)(as->text.n + 1);
	return NULL;
}

static struct err *
statement(struct assembler *as)
{
	struct base_span w;

	for (;;) {
		if (at_end(as))
			return NULL;
		w = word(as);
		if (!w.n)
			return bad(as, "expected an instruction");
		if (*as->p != ':')
			break;
		as->p++;
		TRY(statement_label(as, w));
	}
	if (w.p[0] != '.')
		return statement_insn(as, w);
	for (size_t i = 0; i < BASE_NELEMS(directives); i++)
		if (base_span_is(w, directives[i].name))
			return directives[i].parse(as);
	return bad_word(as, "unknown directive", w);
}

static struct err *
patch_labels(struct assembler *as)
{
	for (size_t i = 0; i < as->fixups.n; i++) {
		const struct fixup *f = &as->fixups.v[i];
		void *pc = hash_get(&as->labels, f->name.p, f->name.n);

		as->line = f->line;
		if (!pc)
			return bad_word(as, "unknown label", f->name);
		as->text.v[f->pc] |= (uint32_t)((uintptr_t)pc - 1);
	}
	return NULL;
}

/* --- The result -------------------------------------------------------- */

void
difasm_free(struct dif_difo *d)
{
	if (!d)
		return;
	util_free((void *)d->text);
	util_free((void *)d->lines);
	util_free((void *)d->ints);
	util_free((void *)d->strs);
	util_free((void *)d->vars);
	util_free(d);
}

static void
assembler_fini(struct assembler *as)
{
	vec_fini(&as->text);
	vec_fini(&as->lines);
	vec_fini(&as->ints);
	vec_fini(&as->strs);
	vec_fini(&as->vars);
	hash_fini(&as->labels);
	vec_fini(&as->fixups);
}

/* Hand the tables over to a DIFO. */
static struct err *
take(struct assembler *as, struct dif_difo **ret)
{
	struct dif_difo *d = util_zalloc(sizeof(*d));

	if (!d)
		return &err_nomem;
	d->text = as->text.v;
	d->ntext = as->text.n;
	d->ints = as->ints.v;
	d->nints = as->ints.n;
	d->strs = as->strs.v;
	d->strs_size = as->strs.n;
	d->vars = as->vars.v;
	d->nvars = as->vars.n;
	d->rtype = as->rtype;
	if (as->has_lines) {
		d->lines = as->lines.v;
		as->lines.v = NULL;
	}
	as->text.v = NULL;
	as->ints.v = NULL;
	as->strs.v = NULL;
	as->vars.v = NULL;
	*ret = d;
	return NULL;
}

static struct err *
assemble(struct assembler *as, const char *text, struct dif_difo **ret)
{
	for (as->p = text; *as->p; as->line++) {
		TRY(statement(as));
		if (!at_end(as))
			return bad(as, "more than one statement");
		as->p += strcspn(as->p, "\n");
		as->p += *as->p == '\n';
	}
	TRY(patch_labels(as));
	return take(as, ret);
}

struct err *
difasm_assemble(const char *text, struct dif_difo **ret)
{
	CLEANUP(assembler_fini) struct assembler as = {
		.line = 1,
		.rtype = { .ckind = DIF_CK_INTEGER, .size = 8 },
	};

	return assemble(&as, text, ret);
}
