/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Types.  A dtrace_type_t is a struct type of the session's.
 *
 * A type is looked up by compiling its name: the compiler knows where to look, and
 * the spelling `struct module`tag` for one object's.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "lib/lib_priv.h"
#include "session/program.h"
#include "type/text.h"
#include "type/type.h"
#include "util/arena.h"

/* In the order of TYPE_*, which has names of types besides. */
static const dtrace_typekind_t kinds[] = {
	[TYPE_VOID] = DTRACE_TYPE_VOID, [TYPE_INT] = DTRACE_TYPE_INT,
	[TYPE_FLOAT] = DTRACE_TYPE_FLOAT, [TYPE_PTR] = DTRACE_TYPE_POINTER,
	[TYPE_ARRAY] = DTRACE_TYPE_ARRAY, [TYPE_FUNC] = DTRACE_TYPE_FUNCTION,
	[TYPE_STRUCT] = DTRACE_TYPE_STRUCT, [TYPE_UNION] = DTRACE_TYPE_UNION,
	[TYPE_ENUM] = DTRACE_TYPE_ENUM, [TYPE_FWD] = DTRACE_TYPE_FORWARD,
	[TYPE_STRING] = DTRACE_TYPE_STRING, [TYPE_DYN] = DTRACE_TYPE_OTHER,
};

/* Of a pointer and the like it is where what it is made of comes from. */
static const char *
object_of(const struct type *t)
{
	while (!t->module && t->base)
		t = t->base;
	return t->module ? t->module : "C";
}

/* Once for each node: who walks the kernel's types comes by often. */
static const char *
name_of(dtrace_hdl_t *h, const struct type *t)
{
	void **slot = hash_ref(&h->typenames, &t, sizeof(t));
	struct sb text;

	if (!slot || *slot)
		return slot ? *slot : NULL;
	sb_init(&text, 1 << 20);
	type_print(t, NULL, &text);
	*slot = text.failed ? NULL : arena_strdup(h->a, sb_str(&text));
	sb_fini(&text);
	return *slot;
}

static struct err *
tell(dtrace_hdl_t *h, const struct type *t, dtrace_typeinfo_t *ret)
{
	const struct type *plain = type_strip(t);
	dtrace_typeinfo_t ti = {
		.dtt_object = object_of(t),
		.dtt_type = (const dtrace_type_t *)t,
		.dtt_kind = kinds[plain->kind],
		.dtt_name = name_of(h, t),
		.dtt_size = type_size(t),
		.dtt_count = plain->nelems,
	};

	if (!ti.dtt_name)
		return &err_nomem;
	if (plain->kind == TYPE_PTR && plain->is_user)
		ti.dtt_flags |= DTT_FL_USER;
	if (type_is_integer(plain) && type_is_signed(plain))
		ti.dtt_flags |= DTT_FL_SIGNED;
	*ret = ti;
	return NULL;
}

static int
answer(dtrace_hdl_t *h, struct err *e, const struct type *t,
       dtrace_typeinfo_t *ret)
{
	if (!e)
		e = tell(h, t, ret);
	return e ? lib_fail(h, e) : 0;
}

/* NULL after a failure that is kept. */
static const struct type *
compile(dtrace_hdl_t *h, const char *text, size_t size)
{
	dtrace_prog_t *p = lib_compile(h, text, size, SESSION_TYPE);

	return p ? session_prog_type(p->p) : NULL;
}

PUBLIC int
dtrace_type_strcompile(dtrace_hdl_t *h, const char *text,
		       dtrace_typeinfo_t *ret)
{
	if (!text)
		return lib_fail(h, lib_need(text, "the text"));
	const struct type *t = compile(h, text, strlen(text));
	return t ? answer(h, NULL, t, ret) : -1;
}

PUBLIC int
dtrace_type_fcompile(dtrace_hdl_t *h, FILE *fp, dtrace_typeinfo_t *ret)
{
	const struct type *t = NULL;
	struct sb text;

	sb_init(&text, SESSION_TEXT_MAX + 1);
	struct err *e = lib_read_all(fp, "a type", &text);
	if (e)
		lib_fail(h, e);
	else
		t = compile(h, sb_str(&text), text.len);
	sb_fini(&text);
	return t ? answer(h, NULL, t, ret) : -1;
}

/* --- By name ---------------------------------------------------------------- */

/* Letters, digits and '_'. */
static size_t
word(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

static size_t
behind_blanks(const char *s, size_t at)
{
	while (isspace((unsigned char)s[at]))
		at++;
	return at;
}

/* Where the name of the type begins that an object can have: behind "struct" and
 * its like, and only one word; -1: it is not such a name. */
static int
own_name(const char *name)
{
	static const char *const tags[] = { "struct", "union", "enum" };
	size_t at = behind_blanks(name, 0), n = word(name + at);

	for (size_t i = 0; i < BASE_NELEMS(tags); i++)
		if (n == strlen(tags[i]) && !memcmp(name + at, tags[i], n)) {
			at = behind_blanks(name, at + n);
			n = word(name + at);
			break;
		}
	return n && !name[behind_blanks(name, at + n)] ? (int)at : -1;
}

static struct err *
absent(const char *name)
{
	return err_new(ERR_NOTFOUND, 0, "no type %s", name);
}

/* What the compiler has against a name is that there is no such type. */
static const struct type *
find(dtrace_hdl_t *h, const char *text, const char *name)
{
	const struct type *t = compile(h, text, strlen(text));

	if (!t && h->error == EDT_COMPILER)
		lib_fail(h, absent(name));
	else if (t && type_strip(t)->kind == TYPE_FWD) {
		lib_fail(h, absent(name));
		t = NULL;
	}
	return t;
}

/* Of words alone that are C's in every object, like "unsigned int". */
static bool
is_basic(const char *name)
{
	static const char *const words[] = {
		"void", "_Bool", "char", "short", "int", "long", "float",
		"double", "signed", "unsigned",
	};
	size_t at = behind_blanks(name, 0), n = word(name + at);

	return BASE_ANY(i, BASE_NELEMS(words),
			n == strlen(words[i]) &&
			!memcmp(name + at, words[i], n));
}

static const struct type *
find_in(dtrace_hdl_t *h, const char *object, const char *name)
{
	const struct type *t = NULL;
	int at = own_name(name);
	struct sb text;

	sb_init(&text, SIZE_MAX);
	if (at >= 0 && *object && !object[word(object)])
		sb_printf(&text, "%.*s%s`%s", at, name, object, name + at);
	if (text.failed)
		lib_fail(h, &err_nomem);
	else if (text.len)
		t = find(h, sb_str(&text), name);
	else
		lib_fail(h, absent(name));
	sb_fini(&text);
	return t;
}

PUBLIC int
dtrace_lookup_by_type(dtrace_hdl_t *h, const char *object, const char *name,
		      dtrace_typeinfo_t *ret)
{
	if (!name)
		return lib_fail(h, lib_need(name, "a name"));
	bool any = !object || object == DTRACE_OBJ_EVERY || is_basic(name);
	const struct type *t = any ? find(h, name, name)
				   : find_in(h, object, name);

	return t ? answer(h, NULL, t, ret) : -1;
}

PUBLIC int
dtrace_symbol_type(dtrace_hdl_t *h, const Elf64_Sym *sym,
		   const dtrace_syminfo_t *info, dtrace_typeinfo_t *ret)
{
	const struct type *t = NULL;
	dtrace_syminfo_t found;

	if (!info && !sym)
		return lib_fail(h, err_new(ERR_INVALID, 0, "no symbol"));
	if (!info && dtrace_lookup_by_addr(h, sym->st_value, NULL, &found))
		return -1;
	if (!info)
		info = &found;
	struct err *e = session_symbol_type(h->s, info->dts_object,
					    info->dts_name, &t);
	return answer(h, e, t, ret);
}

/* --- What a type consists of ------------------------------------------------ */

/* NULL: of an enumerator, or of nothing. */
static const struct type *
plain(const dtrace_typeinfo_t *ti)
{
	return ti->dtt_type ? type_strip((const struct type *)ti->dtt_type)
			    : NULL;
}

PUBLIC int
dtrace_type_target(dtrace_hdl_t *h, const dtrace_typeinfo_t *ti,
		   dtrace_typeinfo_t *ret)
{
	const struct type *t = plain(ti);

	if (!t)
		return lib_fail(h, lib_need(t, "the type"));
	if (t->kind != TYPE_PTR && t->kind != TYPE_ARRAY &&
	    t->kind != TYPE_FUNC)
		return lib_fail(h, err_new(ERR_INVALID, 0, "%s has no target",
					   ti->dtt_name));
	return answer(h, NULL, t->base ? t->base : &type_void, ret);
}

static int
walk_enum(dtrace_hdl_t *h, const struct type *t, dtrace_member_f *fn,
	  void *arg)
{
	uint32_t n;
	const struct type_enumerator *e = type_enums(t, &n);
	int result = 0;
	struct err *short_of = session_check_memory(h->s);

	if (short_of)
		return lib_fail(h, short_of);
	for (uint32_t i = 0; i < n && !result; i++) {
		dtrace_member_t m = { .dtm_name = e[i].name,
				      .dtm_value = e[i].value };
		result = fn(h, &m, arg);
	}
	return result;
}

PUBLIC int
dtrace_type_members(dtrace_hdl_t *h, const dtrace_typeinfo_t *ti,
		    dtrace_member_f *fn, void *arg)
{
	const struct type *t = plain(ti);
	const struct type_member *of = NULL;
	uint32_t n = 0;
	int result = 0;

	if (!t)
		return lib_fail(h, lib_need(t, "the type"));
	if (t->kind == TYPE_ENUM)
		return walk_enum(h, t, fn, arg);
	if (type_is_sou(t))
		of = type_members(t, &n);
	else if (t->kind == TYPE_FUNC)
		of = type_params(t, &n);
	struct err *e = session_check_memory(h->s);
	if (e)
		return lib_fail(h, e);
	for (uint32_t i = 0; i < n && !result; i++) {
		dtrace_member_t m = {
			.dtm_name = of[i].name ? of[i].name : "",
			.dtm_bit_offset = of[i].bit_offset,
			.dtm_bit_size = of[i].bit_size,
		};
		if (answer(h, NULL, of[i].type, &m.dtm_type))
			return -1;
		result = fn(h, &m, arg);
	}
	return result;
}
