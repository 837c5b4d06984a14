/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Addresses to lines.  Those who print stacks ask for the same few thousand addresses
 * again and again, so that answers are kept; the way to one is by the units' addresses,
 * then by those of the unit's functions, and down into what was inlined there.
 *
 * Units and functions say themselves where their code is: not every compiler makes the
 * tables that would tell sooner (.debug_aranges).  Code at 0 was left out by the
 * linker.
 *
 * A line of the table belongs to the innermost function; each function that was inlined
 * says by which line the one around it calls it.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "sym/debug.h"
#include "sym/file.h"
#include "sym/lines_priv.h"
#include "util/alloc.h"
#include "util/cleanup.h"

enum {
	DEPTH_MAX = 32,		/* of namespaces and classes */
	INLINED_MAX = 64,
};

const char *
sym_line_base(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? slash + 1 : file;
}

struct err *
sym_lines_open(int fd, const char *path, const char *dir, bool mangled,
	       struct sym_lines **ret)
{
	struct sym_lines *l = util_zalloc(sizeof(*l));

	if (!l)
		return &err_nomem;
	l->mangled = mangled;
	l->fd = -1;
	l->arena = arena_new();
	struct err *e = l->arena ? sym_debug_open(fd, path, dir, &l->fd)
				 : &err_nomem;
	if (e)
		sym_lines_free(l);
	else
		*ret = l;
	return e;
}

void
sym_lines_free(struct sym_lines *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->units.n; i++)
		vec_fini(&l->units.v[i].code);
	vec_fini(&l->units);
	vec_fini(&l->spans);
	hash_fini(&l->known);
	if (l->dwarf)
		l->lib->dwarf_end(l->dwarf);
	if (l->elf)
		elf_end(l->elf);
	if (l->fd >= 0)
		close(l->fd);
	arena_free(l->arena);
	util_free(l);
}

/* --- Units ------------------------------------------------------------------ */

static int
by_from(const void *a, const void *b)
{
	uint64_t x, y;

	/* Both kinds of rows begin with it. */
	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return x < y ? -1 : x > y;
}

static void
add_unit(struct sym_lines *l, const Dwarf_Die *lines, const Dwarf_Die *top)
{
	struct unit u = { .lines = *lines, .top = *top };
	Dwarf_Addr base, from, to;
	ptrdiff_t at = 0;

	if (!vec_push(&l->units, u))
		return;
	while ((at = l->lib->dwarf_ranges(&u.lines, at, &base, &from,
					  &to)) > 0) {
		struct span s = { from, to, (uint32_t)l->units.n - 1 };
		if (from && from < to)
			vec_push(&l->spans, s);
	}
}

static void
read_units(struct sym_lines *l)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, part;
	uint8_t type;

	while (l->lib->dwarf_get_units(l->dwarf, cu, &cu, NULL, &type, &unit,
				       &part) == 0) {
		bool is_split = type == DW_UT_skeleton && part.addr;
		if (type != DW_UT_type && type != DW_UT_partial)
			add_unit(l, &unit, is_split ? &part : &unit);
	}
	if (l->spans.n)
		qsort(l->spans.v, l->spans.n, sizeof(*l->spans.v), by_from);
}

void
sym_lines_read(struct sym_lines *l)
{
	if (l->is_open)
		return;
	l->is_open = true;
	struct err *e = sym_libdw(&l->lib);
	if (e) {
		err_free(e);
		return;
	}
	elf_version(EV_CURRENT);
	/* Read, not mapped: the file may be cut short while we look. */
	l->elf = elf_begin(l->fd, ELF_C_READ, NULL);
	if (l->elf)
		l->dwarf = sym_libdw_begin(l->lib, l->elf);
	if (!l->dwarf)
		return;
	read_units(l);
}

/* --- Functions -------------------------------------------------------------- */

static void
add_function(struct sym_lines *l, struct unit *u, Dwarf_Die *die)
{
	Dwarf_Addr base, from, to;
	ptrdiff_t at = 0;

	while ((at = l->lib->dwarf_ranges(die, at, &base, &from, &to)) > 0) {
		struct code c = { from, to, *die };
		if (from && from < to)
			vec_push(&u->code, c);
	}
}

static bool
holds_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_enumeration_type || tag == DW_TAG_module;
}

static void
list_functions(struct sym_lines *l, struct unit *u, Dwarf_Die *parent,
	       int depth)
{
	Dwarf_Die die;

	if (depth == DEPTH_MAX || l->lib->dwarf_child(parent, &die))
		return;
	do {
		int tag = l->lib->dwarf_tag(&die);
		if (tag == DW_TAG_subprogram)
			add_function(l, u, &die);
		else if (holds_functions(tag))
			list_functions(l, u, &die, depth + 1);
	} while (l->lib->dwarf_siblingof(&die, &die) == 0);
}

static struct unit *
find_unit(struct sym_lines *l, uint64_t addr)
{
	size_t n = BASE_HOW_MANY(i, l->spans.n, l->spans.v[i].from <= addr);

	if (!n || addr >= l->spans.v[n - 1].to)
		return NULL;
	struct unit *u = &l->units.v[l->spans.v[n - 1].unit];
	if (!u->is_listed) {
		u->is_listed = true;
		list_functions(l, u, &u->top, 0);
		if (u->code.n)
			qsort(u->code.v, u->code.n, sizeof(*u->code.v),
			      by_from);
	}
	return u;
}

static Dwarf_Die *
find_function(struct unit *u, uint64_t addr)
{
	size_t n = BASE_HOW_MANY(i, u->code.n, u->code.v[i].from <= addr);

	return n && addr < u->code.v[n - 1].to ? &u->code.v[n - 1].die : NULL;
}

/* --- Answers ---------------------------------------------------------------- */

/* What of die the address lies in, one level deeper. */
static bool
go_down(const struct sym_lines *l, Dwarf_Die *die, uint64_t addr)
{
	Dwarf_Die child;

	if (l->lib->dwarf_child(die, &child))
		return false;
	do {
		int tag = l->lib->dwarf_tag(&child);
		if ((tag == DW_TAG_lexical_block ||
		     tag == DW_TAG_inlined_subroutine) &&
		    l->lib->dwarf_haspc(&child, addr) > 0) {
			*die = child;
			return true;
		}
	} while (l->lib->dwarf_siblingof(&child, &child) == 0);
	return false;
}

static const char *
text_of(const struct sym_lines *l, Dwarf_Die *die, unsigned attr)
{
	Dwarf_Attribute a;
	const char *text = l->lib->dwarf_attr_integrate(die, attr, &a) ?
			   l->lib->dwarf_formstring(&a) : NULL;

	return text && *text ? text : NULL;
}

static const char *
name_of(struct sym_lines *l, Dwarf_Die *die)
{
	const char *linked = text_of(l, die, DW_AT_linkage_name);

	if (!linked)
		linked = text_of(l, die, DW_AT_MIPS_linkage_name);
	if (linked && l->mangled)
		return linked;
	CLEANUP(util_freep) char *plain = linked ? sym_demangle(linked) : NULL;
	return plain ? arena_strdup(l->arena, plain)
		     : text_of(l, die, DW_AT_name);
}

static unsigned
number_of(const struct sym_lines *l, Dwarf_Die *die, unsigned attr)
{
	Dwarf_Attribute a;
	Dwarf_Word v;

	return l->lib->dwarf_attr(die, attr, &a) &&
	       !l->lib->dwarf_formudata(&a, &v) && v <= INT32_MAX ?
	       (unsigned)v : 0;
}

/* Where the function around what was inlined calls it. */
static void
call_line(const struct sym_lines *l, struct unit *u, Dwarf_Die *inlined,
	  struct sym_line *ret)
{
	Dwarf_Files *files;
	size_t n;

	ret->line = number_of(l, inlined, DW_AT_call_line);
	ret->file = l->lib->dwarf_getsrcfiles(&u->top, &files, &n) ? NULL :
		l->lib->dwarf_filesrc(files, number_of(l, inlined,
						       DW_AT_call_file),
				      NULL, NULL);
}

static void
innermost_line(const struct sym_lines *l, struct unit *u, uint64_t addr,
	       struct sym_line *ret)
{
	Dwarf_Line *row = l->lib->dwarf_getsrc_die(&u->lines, addr);
	int line;

	if (!row || l->lib->dwarf_lineno(row, &line))
		return;
	ret->line = line > 0 ? (unsigned)line : 0;
	ret->file = l->lib->dwarf_linesrc(row, NULL, NULL);
}

static struct sym_known *
find(struct sym_lines *l, struct unit *u, uint64_t addr)
{
	Dwarf_Die *function = find_function(u, addr);
	struct sym_line at = { NULL };
	Dwarf_Die in[INLINED_MAX];
	size_t n = 0, i = 0;

	if (function) {
		in[n++] = *function;
		Dwarf_Die die = *function;
		while (n < INLINED_MAX && go_down(l, &die, addr))
			if (l->lib->dwarf_tag(&die) ==
			    DW_TAG_inlined_subroutine)
				in[n++] = die;
	}
	innermost_line(l, u, addr, &at);
	if (!n && !at.line)
		return NULL;
	size_t room = BASE_MAX(n, (size_t)1);
	struct sym_known *k = arena_alloc(l->arena, sizeof(*k) +
					  room * sizeof(*k->v));
	if (!k || !(k->ids = ARENA_ARRAY(l->arena, const void *, room)))
		return NULL;
	do {
		k->v[i] = at;
		if (!n)
			break;
		k->v[i].function = name_of(l, &in[--n]);
		k->ids[i] = in[n].addr;
		call_line(l, u, &in[n], &at);
	} while (++i, n);
	k->n = BASE_MAX(i, (size_t)1);
	return k;
}

const struct sym_known *
sym_lines_known(struct sym_lines *l, uint64_t addr)
{
	sym_lines_read(l);
	struct unit *u = find_unit(l, addr);
	void **at = u ? hash_ref(&l->known, &addr, sizeof(addr)) : NULL;
	if (at && !*at)
		*at = find(l, u, addr);
	return at ? *at : NULL;
}

const struct sym_line *
sym_lines_at(struct sym_lines *l, uint64_t addr, size_t *n)
{
	const struct sym_known *k = sym_lines_known(l, addr);

	*n = k ? k->n : 0;
	return k ? k->v : NULL;
}
