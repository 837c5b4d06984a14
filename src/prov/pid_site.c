/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where the probes of functions fire.
 *
 * entry	The first instruction; or one behind it that the kernel emulates, which
 *		takes a twentieth of the time, if each call comes by there once and
 *		its arguments are still what they were (insn/insn.h).  What lies on
 *		the stack is then further away from the stack pointer; the site's
 *		value says how far.
 * return	The instructions that return, and jumps that leave the function for
 *		another one, which returns in its place.  They are stepped over, and
 *		yet preferred to the kernel's own way, which changes the return
 *		address: that kills programs in Go, ends those in C++ that throw an
 *		exception through the function, and hides callers from those that look
 *		at their own stack.  The site's value is where in the function it is.
 * OFFSET	An instruction; so of a line.
 *
 * A jump out of a function leads to another one, or to a part of its own that is
 * seldom run and was put elsewhere (.cold).  It is a return when nothing of the
 * function is on the stack any more: the unwinding table of the file knows.  Where a
 * condition decides whether it jumps, no probe could tell; those are no returns, nor
 * are jumps that may be by a table.
 *
 *  1. A site lies in its function, and where that has a probe by line, in its lines.
 *  2. A place that is asked for has a point, which is found by cookie.
 */
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "abi/layout.h"
#include "abi/regs.h"
#include "abi/unwind.h"
#include "base/base.h"
#include "prov/func_priv.h"
#include "prov/pid_priv.h"
#include "prov/userreloc.h"
#include "prov/usertype.h"
#include "sym/file.h"
#include "unwind/unwind.h"

enum {
	CODE_MAX = 4 << 20,	/* bytes of a function */
	UNSIZED_MAX = 1 << 16,	/* of one of which nobody says where it ends, */
	UNKNOWN_SIZE = 64,	/* nor its code does */
	TABLE_MAX = 1 << 22,	/* rows */
};

/* --- Code ------------------------------------------------------------------- */

bool
prov_pid_is_part(const struct prov_ufunc *f)
{
	const char *cold = strstr(f->name, ".cold");

	return cold && (!cold[5] || cold[5] == '.');
}

/* Bytes from f to the next function behind it. */
static uint64_t
room(const struct prov_object *o, const struct prov_ufunc *f)
{
	const struct prov_ufunc *end = o->funcs + o->nfuncs, *next = f;

	while (next < end && next->offset <= f->offset)
		next++;
	return next < end ? next->offset - f->offset : CODE_MAX;
}

struct walk {
	const struct prov_object *o;
	uint64_t code_at;
	insn_fn *fn;
	void *ctx;
};

/* What the dynamic linker changes is not what will be executed, and leads elsewhere. */
static bool
pass_on(void *ctx, const struct insn *i)
{
	const struct walk *w = ctx;
	struct insn x = *i;

	if (prov_user_is_relocated(w->o, w->code_at + i->at, i->size)) {
		x.is_harmful = true;
		x.has_target = false;
		x.kind = x.kind == INSN_JUMP ? INSN_AWAY : x.kind;
	}
	return w->fn(w->ctx, &x);
}

struct err *
prov_pid_walk(const struct pid *b, const struct prov_object *o, size_t size,
	      insn_fn *fn, void *ctx, size_t *end)
{
	struct walk w = { o, b->code_at, fn, ctx };

	return (o->is_32 ? insn_walk_32 : insn_walk)(b->code.v, size, pass_on, &w, end);
}

/* Where a function ends: behind an instruction that leaves it, unless one before leads
 * further.  (A jump that is written as a near one stays in it.) */
struct ending {
	int64_t reach;		/* instructions so far lead there */
	size_t end;		/* 0: not known */
};

static bool
find_end(void *ctx, const struct insn *i)
{
	enum { NEAR_JUMP = 2 };
	struct ending *e = ctx;
	bool stays = i->kind == INSN_BRANCH ||
		     (i->kind == INSN_JUMP && i->size == NEAR_JUMP);
	bool leaves = i->kind == INSN_RETURN || i->kind == INSN_AWAY ||
		      i->kind == INSN_JUMP;

	if (stays && i->has_target)
		e->reach = BASE_MAX(e->reach, i->target);
	if (leaves && i->at + i->size > e->reach)
		e->end = i->at + i->size;
	return !e->end && i->kind != INSN_TABLE;
}

static size_t
size_by_code(const struct pid *b, const struct prov_object *o, size_t size)
{
	struct ending e = { .reach = 0 };
	size_t at;

	err_free(prov_pid_walk(b, o, size, find_end, &e, &at));
	return e.end ? e.end : BASE_MIN(size, (size_t)UNKNOWN_SIZE);
}

struct err *
prov_pid_code(struct pid *b, const struct prov_object *o,
	      const struct prov_ufunc *f, size_t *size)
{
	uint64_t n = f->size ? f->size : BASE_MIN(room(o, f), (uint64_t)UNSIZED_MAX);

	n = BASE_MIN(n, (uint64_t)CODE_MAX);
	b->code.n = 0;
	b->code_at = f->offset;
	if (!vec_reserve(&b->code, (size_t)n + 1))
		return &err_nomem;
	ssize_t got = pread(o->fd, b->code.v, (size_t)n, (off_t)f->offset);
	*size = got > 0 ? (size_t)got : 0;
	if (!f->size)
		*size = size_by_code(b, o, *size);
	assert(*size <= CODE_MAX);
	return NULL;
}

/* --- Points ----------------------------------------------------------------- */

/* Registers, and then what lies above the address to return to. */
struct passing {
	uint8_t regs[ABI_NARGS];
	unsigned n;
};

static const struct passing by_c = {
#if defined(__aarch64__)
	{ ABI_ROLE_ARG0, ABI_ROLE_ARG1, ABI_ROLE_ARG2, ABI_ROLE_ARG3,
	  ABI_ROLE_ARG4, ABI_ROLE_ARG5, ABI_REG_X6, ABI_REG_X7 }, 8
#else
	{ ABI_ROLE_ARG0, ABI_ROLE_ARG1, ABI_ROLE_ARG2, ABI_ROLE_ARG3,
	  ABI_ROLE_ARG4, ABI_ROLE_ARG5 }, 6
#endif
};

/* Go's "ABIInternal" (src/cmd/compile/abi-internal.md). */
static const struct passing by_go = {
#if defined(__aarch64__)
	{ ABI_REG_X0, ABI_REG_X1, ABI_REG_X2, ABI_REG_X3, ABI_REG_X4,
	  ABI_REG_X5, ABI_REG_X6, ABI_REG_X7, ABI_REG_X8, ABI_REG_X9 }, 10
#else
	{ ABI_REG_AX, ABI_REG_BX, ABI_REG_CX, ABI_REG_DI, ABI_REG_SI,
	  ABI_REG_R8, ABI_REG_R9, ABI_REG_R10, ABI_REG_R11 }, 9
#endif
};

static void
entry_args(const struct passing *by, struct abi_arg args[ABI_NARGS])
{
#if defined(__aarch64__)
	const int above = 0;
#else
	const int above = 8;
#endif

	for (unsigned i = 0; i < ABI_NARGS; i++)
		args[i] = i < by->n ?
			(struct abi_arg){ .kind = ABI_ARG_REG, .size = 8,
					  .reg = by->regs[i] } :
			(struct abi_arg){ .kind = ABI_ARG_UMEM, .size = 8,
				.reg = ABI_ROLE_SP, .row = 1,
				.off = above + 8 * (int)(i - by->n) };
}

static void
entry_args_32(struct abi_arg args[ABI_NARGS])
{
	for (int i = 0; i < ABI_NARGS; i++)
		args[i] = (struct abi_arg){ .kind = ABI_ARG_LAYOUT, .size = 8, .off = i };
}

static struct err *
need_points(struct prov_set *s, struct pid *b)
{
	static const char *const targets[PID_NPOINTS] = {
		[PID_AT_ENTRY] = "pid_entry",
		[PID_AT_ENTRY_GO] = "pid_entry_go",
		[PID_AT_ENTRY_CHECKED] = "pid_entry_checked",
		[PID_AT_ENTRY_32] = "pid_entry_32", [PID_AT_RETURN] = "pid_return",
		[PID_AFTER_RETURN] = "pid_after", [PID_AT_OFFSET] = "pid_offset",
	};
	static const struct abi_arg result = { .kind = ABI_ARG_REG, .size = 8,
					       .reg = ABI_ROLE_RESULT };

	if (b->has_points)
		return NULL;
	for (int i = 0; i < PID_NPOINTS; i++) {
		b->point[i].find = ABI_FIND_COOKIE;
		b->point[i].target = targets[i];
		TRY(prov_user_point(s, i == PID_AFTER_RETURN, &b->point[i]));
	}
	entry_args(&by_c, b->point[PID_AT_ENTRY].args);
	for (int i = PID_AT_ENTRY_GO; i <= PID_AT_ENTRY_CHECKED; i++)
		entry_args(&by_go, b->point[i].args);
	entry_args_32(b->point[PID_AT_ENTRY_32].args);
#if defined(__x86_64__)
	b->point[PID_AT_ENTRY_CHECKED].unless = (struct abi_arg){
		.kind = ABI_ARG_REG, .size = 8, .reg = ABI_REG_FLAGS };
	b->point[PID_AT_ENTRY_CHECKED].unless_bits = 1 << 0 | 1 << 6;
#endif
	/* A function may return with its first instruction, and at one place the
	 * kernel runs first what was attached last. */
	for (int i = PID_AT_ENTRY; i <= PID_AT_ENTRY_32; i++)
		b->point[i].rank = 1;
	b->point[PID_AT_RETURN].args[0].kind = ABI_ARG_ROW;
	b->point[PID_AT_RETURN].args[1] = result;
	b->point[PID_AFTER_RETURN].args[0].kind = ABI_ARG_CONST;
	b->point[PID_AFTER_RETURN].args[1] = result;
	b->has_points = true;
	return NULL;
}

/* --- Sites ------------------------------------------------------------------ */

#define HARMFUL "where it would harm the process or the kernel refuses it"

/* The sites of one probe at one of its places. */
struct placing {
	struct prov_set *s;
	struct pid *b;
	const struct probe *probe;
	const struct pid_probe *p;
	const struct prov_ufunc *f;
	prov_site_fn *fn;
	void *ctx;
	size_t size;			/* of the code */
	const struct abi_layout *layout;	/* at PID_AT_ENTRY_32 */
	struct err *err;
};

static struct err *
site_at(struct placing *l, enum pid_point point, uint64_t at, uint64_t value,
	uint64_t moved)
{
	const struct pid_probe *p = l->p;

	assert(l->b->has_points && point < PID_NPOINTS);		/* 2 */
	assert(value <= UINT32_MAX && moved <= UINT16_MAX);
	prov_user_watch(l->s, l->f->object);
	return l->fn(l->ctx, &(struct prov_site){
		.point = &l->b->point[point],
		.layout = point == PID_AT_ENTRY_32 ? l->layout : NULL, .trigger = PROV_TRIGGER_RAWTP,
		.file = l->f->object->file, .pid = p->is_of_all ? 0 : p->process->own,
		.life = p->is_of_all ? 0 : p->process->life,
		.leaderless = !p->is_of_all && p->process->leaderless,
		.offset = l->f->offset + at, .value = (uint32_t)value,
		.moved = (uint16_t)moved });
}

/* Those have a package's name; not what cgo brings, nor what is called as of old
 * (.abi0). */
bool
prov_pid_is_go(const struct prov_ufunc *f)
{
	const char *dot = strchr(f->name, '.');

	return dot && !strstr(dot, ".abi0") && prov_user_is_go(f->object);
}

_Static_assert((int)PROV_LOOKS_ALL == (int)INSN_LOOKS_ALL, "the same set");

static bool
take_first(void *ctx, const struct insn *i)
{
	*(bool *)ctx = !i->is_harmful;
	return false;
}

/* --- 32 bits ------------------------------------------------------------------ */

#if defined(__x86_64__)
enum { WORD_32 = 4, REGISTERS_32 = 8 };

/* DWARF's numbers. */
static const uint16_t registers_32[REGISTERS_32] = {
	ABI_REG_OFF_AX, ABI_REG_OFF_CX, ABI_REG_OFF_DX, ABI_REG_OFF_BX,
	ABI_REG_OFF_SP, ABI_REG_OFF_BP, ABI_REG_OFF_SI, ABI_REG_OFF_DI,
};

/* So many words of a parameter, and which one of all on the stack is the next. */
static void
place_32(struct abi_layout *to, unsigned at, uint64_t words, uint64_t reg,
	 unsigned *stack)
{
	for (uint64_t i = 0; i < words && at + i < ABI_LAYOUT_NARGS; i++)
		to->arg[at + i] = reg ? (struct abi_place){
			.kind = ABI_PLACE_REG, .size = WORD_32,
			.reg = registers_32[reg - 1] } : (struct abi_place){
			.kind = ABI_PLACE_MEMORY_32, .size = WORD_32,
			.reg = ABI_ROLE_OFF_SP,
			.off = WORD_32 + WORD_32 * (int64_t)(*stack)++ };
}

/* Where the arguments are: above the address to return to, but for those of which the
 * debugging information says that a register has them. */
static const struct abi_layout *
layout_32(struct placing *l)
{
	const struct type *f = prov_user_prototype(l->s, l->f->object, l->f->value,
						   l->f->name);
	struct abi_layout to = { .arg = { { .kind = ABI_PLACE_NONE } } };
	const struct type_member *p;
	unsigned at = 0, stack = 0;
	uint32_t n = 0;

	if (f && f->in_memory)
		place_32(&to, at++, 1, 0, &stack);
	p = f ? type_params(f, &n) : NULL;
	for (uint32_t i = 0; i < n && at < ABI_LAYOUT_NARGS; i++) {
		uint64_t words = base_align(type_size(p[i].type), WORD_32) / WORD_32;
		uint64_t reg = words == 1 ? p[i].bit_offset : 0;
		assert(reg <= REGISTERS_32);
		place_32(&to, at, words, reg, &stack);
		at += (unsigned)BASE_MIN(words, (uint64_t)ABI_LAYOUT_NARGS);
	}
	place_32(&to, at, ABI_LAYOUT_NARGS, 0, &stack);
	return prov_user_layout(l->s, &l->b->layouts, &to);
}
#else
static const struct abi_layout *
layout_32(struct placing *l)
{
	static const struct abi_layout none;

	return &none;		/* no such code is read (insn) */
}
#endif

static struct err *
entry_site_32(struct placing *l)
{
	bool found = false;
	size_t end;

	TRY(prov_pid_walk(l->b, l->f->object, l->size, take_first, &found, &end));
	if (found && l->b->knows_32) {
		l->layout = layout_32(l);
		return l->layout ? site_at(l, PID_AT_ENTRY_32, 0, 0, 0) : &err_nomem;
	}
	prov_user_left_out(l->s, l->probe, found ? "of 32 bits that came while "
			   "tracing goes on" : HARMFUL);
	return NULL;
}

static bool
take_entry(void *ctx, const struct insn *i)
{
	struct insn_entry *e = ctx;

	return take_first(&e->found, i);
}

static struct err *
entry_site(struct placing *l)
{
	struct insn_entry e = { .found = false };
	size_t end;

	if (l->f->object->is_32)
		return entry_site_32(l);
	if (l->f->object->changed.n)
		TRY(prov_pid_walk(l->b, l->f->object, l->size, take_entry, &e, &end));
	else
		TRY(insn_entry(l->b->code.v, l->size, room(l->f->object, l->f),
			       l->s->looks & PROV_LOOKS_ALL, &e));
	assert(!e.found || e.at < l->size || !l->size);			/* 1 */
	if (e.found)
		return site_at(l, !l->b->knows_go || !prov_pid_is_go(l->f) ?
			       PID_AT_ENTRY : e.is_checked ?
			       PID_AT_ENTRY_CHECKED : PID_AT_ENTRY_GO,
			       e.at, e.sp, e.at);
	prov_user_left_out(l->s, l->probe, HARMFUL);
	return NULL;
}

static struct err *
line_site(struct placing *l, uint64_t at)
{
	uint64_t offset = l->f->offset + at;
	bool found;

	TRY(prov_pid_line_at(l->b, l->f->object, &offset, &found));
	if (found)
		return site_at(l, PID_AT_OFFSET, offset - l->f->offset, 0, 0);
	prov_user_left_out(l->s, l->probe, HARMFUL);
	return NULL;
}

static struct err *
need_table(struct prov_object *o)
{
	if (o->table)
		return NULL;
	o->table = util_zalloc(sizeof(*o->table));
	if (!o->table)
		return &err_nomem;
	return err_only_nomem(unwind_file_table(o->fd, TABLE_MAX, o->table));
}

/* Is there nothing on the stack of the function any more, `at` bytes into it? */
static struct err *
has_left(const struct placing *l, uint32_t at, bool *ret)
{
	TRY(need_table(l->f->object));
	uint32_t rule = unwind_table_find(l->f->object->table,
					  (uint32_t)l->f->value + at);
	unsigned what = abi_unwind_what(rule);

#if defined(__x86_64__)
	*ret = what == ABI_UNWIND_FRAME ||
	       (what == ABI_UNWIND_SP && abi_unwind_n(rule) == 1);
#else
	*ret = what == ABI_UNWIND_FRAME ||
	       (what == ABI_UNWIND_SP && !abi_unwind_n(rule));
#endif
	return NULL;
}

/* The function that begins so many bytes behind f's beginning. */
static const struct prov_ufunc *
function_at(const struct placing *l, int64_t distance)
{
	uint64_t offset = l->f->offset + (uint64_t)distance;
	const struct prov_ufunc *f = prov_user_function_at(l->f->object, offset);

	return f && f->offset == offset ? f : NULL;
}

/* Does the jump leave the function for good? */
static struct err *
leaves(const struct placing *l, const struct insn *i, bool *ret)
{
	const struct prov_ufunc *to;

	*ret = false;
	if (i->kind != INSN_AWAY) {
		if (i->target >= 0 && i->target < (int64_t)l->size)
			return NULL;
		to = function_at(l, i->target);
		if (to && prov_pid_is_part(to))
			return NULL;
	}
	*ret = true;
	return l->f->object->is_32 ? NULL : has_left(l, i->at, ret);
}

static bool
on_insn(void *ctx, const struct insn *i)
{
	struct placing *l = ctx;
	bool returns = i->kind == INSN_RETURN;

	assert(i->at < l->size);					/* 1 */
	if (i->kind == INSN_JUMP || i->kind == INSN_AWAY)
		l->err = leaves(l, i, &returns);
	if (!l->err && returns && i->is_harmful)
		prov_user_left_out(l->s, l->probe, HARMFUL);
	else if (!l->err && returns)
		l->err = site_at(l, PID_AT_RETURN, i->at, i->at, 0);
	return !l->err;
}

/* Does the user want that? */
static bool
may_divert(const struct prov_set *s)
{
	return s->funcs && s->funcs->world.may_divert &&
	       s->funcs->world.may_divert(s->funcs->world.ctx);
}

/* Has the file a section of that name? */
static bool
has_section(const struct prov_object *o, const char *name)
{
	struct sym_section x = { NULL };
	struct err *e = sym_elf_section(o->fd, name, &x);

	sym_section_fini(&x);
	bool has = !e || e->code != ERR_NOTFOUND;
	err_free(e);
	return has;
}

/* Go moves its stacks, and finds addresses there that it does not know.  Who has the
 * library that unwinds stacks may throw exceptions, or look; a program that has it
 * inside cannot be told from others of its kind. */
static bool
may_unwind(const struct prov_process *p)
{
	if (!p->exe || has_section(p->exe, ".go.buildinfo") ||
	    !has_section(p->exe, ".interp"))
		return true;
	return BASE_ANY(i, p->maps.n,
			!strncmp(p->maps.v[i].object->name, "libgcc_s", 8) ||
			!strncmp(p->maps.v[i].object->name, "libunwind", 9));
}

static struct err *
return_sites(struct placing *l)
{
	size_t end;

	if (may_divert(l->s) && !l->p->is_of_all && !l->f->object->changed.n &&
	    !may_unwind(l->p->process))
		return site_at(l, PID_AFTER_RETURN, 0, 0, 0);
	TRY(prov_pid_walk(l->b, l->f->object, l->size, on_insn, l, &end));
	if (!l->err && end < l->size)
		prov_user_left_out(l->s, l->probe, "whose code cannot be read "
				   "to its end");
	return l->err;
}

struct err *
prov_pid_sites(struct prov_set *s, const struct probe *probe, prov_site_fn *fn,
	       void *ctx)
{
	struct pid *b = prov_state(s, &prov_pid_ops);
	const struct pid_probe *p = prov_pid_of(probe);
	struct placing l = { .s = s, .b = b, .probe = probe, .p = p, .fn = fn,
			     .ctx = ctx };

	TRY(need_points(s, b));
	for (size_t i = s->from_place; i < p->funcs.n; i++) {
		l.f = p->funcs.v[i];
		assert(p->kind != PID_LINE || p->ats.n == p->funcs.n);
		TRY(prov_pid_code(b, l.f->object, l.f, &l.size));
		TRY(p->kind == PID_LINE ? line_site(&l, p->ats.v[i]) :
		    p->kind == PID_ENTRY ? entry_site(&l) :
		    p->kind == PID_RETURN ? return_sites(&l) :
		    site_at(&l, PID_AT_OFFSET, p->at, 0, 0));
	}
	return NULL;
}

struct err *
prov_pid_later(struct prov_set *s, bool entries, bool returns, bool offsets,
	       prov_point_fn *fn, void *ctx)
{
	struct pid *b = prov_state(s, &prov_pid_ops);
	const bool wanted[PID_NPOINTS] = {
		[PID_AT_ENTRY] = entries,
		[PID_AT_ENTRY_GO] = entries && b->knows_go,
		[PID_AT_ENTRY_CHECKED] = entries && b->knows_go,
		[PID_AT_ENTRY_32] = entries && b->knows_32, [PID_AT_RETURN] = returns,
		[PID_AFTER_RETURN] = returns && may_divert(s),
		[PID_AT_OFFSET] = offsets,
	};

	b->is_fixed = true;
	TRY(need_points(s, b));
	for (int i = 0; i < PID_NPOINTS; i++)
		if (wanted[i])
			TRY(fn(ctx, &(struct prov_site){
				.point = &b->point[i],
				.trigger = PROV_TRIGGER_RAWTP }));
	return NULL;
}
