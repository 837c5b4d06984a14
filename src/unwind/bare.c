/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Code of x86-64 of which no .eh_frame tells, or not what a table can say: musl's, Free
 * Pascal's, what was written in assembler.  What each instruction does to the stack pointer and to the frame
 * pointer is known (insn_walk_stack()), so where the caller is can be said of each
 * that some way from the beginning of a function leads to.
 *
 * A way goes on behind a call, though some calls do not return; so what is behind one is
 * looked at later, and counts only where no other way leads.  Where the jumps of a table
 * lead is not known: all to where nothing else does, up to the next function.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "insn/insn.h"
#include "sym/file.h"
#include "unwind/unwind.h"
#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/vec.h"

enum {
	WORD = 8,
	GAP_MIN = 64,		/* bytes; less is what aligns functions */
	GAPS_MIN = 512,		/* of all, else nobody looks */
	GAP_MAX = 4 << 20,
	GAP_NEAR = 4096,	/* what lies between is read with them: parts of functions */
};

/* Where the caller's frame is, in bytes; 0: not known. */
struct state {
	uint32_t sp, fp;	/* how far below the CFA they point */
	uint32_t saved;		/* where the caller's fp is, below the CFA */
	bool fp_changed, stops;
};

struct step {
	uint32_t at;
	int32_t n;
	uint32_t target;	/* UINT32_MAX: none in this code */
	uint8_t size, kind, effect;
	bool is_known, is_guessed, is_start, is_taken, is_signal, is_padding;
	struct state state;	/* before it */
};

struct walk {
	const struct unwind_code *code;
	VEC(struct step) steps;
	VEC(uint32_t) called, taken;	/* places; unordered */
	/* Steps whose ways are to be gone: now, if nothing else leads there, and if that is
	 * all that there is. */
	VEC(uint32_t) now, later, last;
	size_t base, next;		/* where decoding has begun; of code->starts */
	size_t cut;			/* where decoding is to go on; 0: at the next byte */
	bool is_guessing, no_memory;
};

static void
walk_fini(struct walk *w)
{
	vec_fini(&w->steps);
	vec_fini(&w->called);
	vec_fini(&w->taken);
	vec_fini(&w->now);
	vec_fini(&w->later);
	vec_fini(&w->last);
}

/* --- Instructions ------------------------------------------------------------------ */

static uint32_t
inside(const struct walk *w, int64_t at)
{
	return at >= 0 && (uint64_t)at < w->code->size ? (uint32_t)at : UINT32_MAX;
}

/* Where a handler of signals returns to: mov $__NR_rt_sigreturn,%rax; syscall. */
static bool
is_signal_return(const struct unwind_code *c, size_t at)
{
	static const uint8_t returns[] = { 0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 5 };

	return c->size - at >= sizeof(returns) &&
	       !memcmp(c->bytes + at, returns, sizeof(returns));
}

/* nop, nopw ..., int3: between functions, or in front of what is jumped to. */
static bool
is_padding(const struct unwind_code *c, size_t at)
{
	const uint8_t *p = c->bytes + at, *end = c->bytes + c->size;

	while (p < end && (*p == 0x66 || *p == 0x2e))
		p++;
	return p < end && (*p == 0x90 || *p == 0xcc ||
			   (*p == 0x0f && p + 1 < end && p[1] == 0x1f));
}

/* Two or more there are what some align functions with; 0: there are not. */
static size_t
behind_zeros(const struct unwind_code *c, size_t at)
{
	size_t end = at;

	while (end < c->size && !c->bytes[end])
		end++;
	return end - at < 2 ? 0 : end;
}

static bool
on_step(void *ctx, const struct insn *i, const struct insn_effect *e)
{
	struct walk *w = ctx;
	const struct unwind_code *c = w->code;
	size_t at = w->base + i->at;

	while (w->next < c->nstarts && c->starts[w->next] - c->addr <= at)
		w->next++;
	/* A function begins in the middle: this is none.  Nor are zeros. */
	if (w->next < c->nstarts && c->starts[w->next] - c->addr < at + i->size)
		w->cut = (size_t)(c->starts[w->next] - c->addr);
	else
		w->cut = behind_zeros(c, at);
	if (w->cut)
		return false;
	struct step s = {
		.at = (uint32_t)at, .size = i->size, .kind = i->kind,
		.effect = e->what, .n = (int32_t)e->n,
		.target = i->has_target ? inside(w, (int64_t)w->base + i->target)
					: UINT32_MAX,
		.is_signal = is_signal_return(c, at),
		.is_padding = is_padding(c, at),
	};
	if (e->n != s.n)
		s.effect = INSN_STACK_LOSES;
	uint32_t taken = e->has_address ? inside(w, (int64_t)w->base + e->address)
					: UINT32_MAX;
	if (s.kind == INSN_CALL && s.target != UINT32_MAX)
		w->no_memory |= !vec_push(&w->called, s.target);
	if (taken != UINT32_MAX)
		w->no_memory |= !vec_push(&w->taken, taken);
	w->no_memory |= !vec_push(&w->steps, s);
	return !w->no_memory;
}

/* What is no instruction is left out. */
static struct err *
decode(struct walk *w)
{
	const struct unwind_code *c = w->code;

	while (w->base < c->size && !w->no_memory) {
		size_t end;
		w->cut = 0;
		TRY(insn_walk_stack(c->bytes + w->base, c->size - w->base, on_step, w,
				    &end));
		w->base = w->cut ? w->cut : w->base + end + 1;
	}
	return w->no_memory ? &err_nomem : NULL;
}

/* --- Ways -------------------------------------------------------------------------- */

static const struct state CALLED = { .sp = WORD };

static struct step *
step_at(struct walk *w, uint32_t at)
{
	size_t n = BASE_HOW_MANY(i, w->steps.n, w->steps.v[i].at <= at);

	return n && w->steps.v[n - 1].at == at ? &w->steps.v[n - 1] : NULL;
}

/* The stack pointer is that far below the CFA: at least by the return address. */
static uint32_t
below(int64_t n)
{
	return n >= WORD && n % WORD == 0 && n / WORD <= ABI_UNWIND_N_MAX ?
	       (uint32_t)n : 0;
}

static void
restore_fp(struct state *s)
{
	s->fp = s->saved = 0;
	s->fp_changed = false;
}

static void
change_fp(struct state *s, uint32_t fp)
{
	s->fp = fp;
	s->fp_changed = true;
}

static struct state
behind(const struct step *at)
{
	struct state s = at->state;
	int64_t sp = s.sp, n = at->n;

	switch ((enum insn_stack)at->effect) {
	case INSN_STACK_KEEPS:
		break;
	case INSN_STACK_MOVES:
		s.sp = sp ? below(sp - n) : 0;
		break;
	case INSN_STACK_LOSES:
		s.sp = 0;
		break;
	case INSN_STACK_PUSHES_FP:
		s.sp = sp ? below(sp - n) : 0;
		if (!s.fp_changed && !s.saved)
			s.saved = s.sp;
		break;
	case INSN_STACK_POPS_FP:
		s.sp = sp ? below(sp - n) : 0;
		restore_fp(&s);
		break;
	case INSN_STACK_STORES_FP:
		if (!s.fp_changed && !s.saved && sp)
			s.saved = below(sp - n);
		break;
	case INSN_STACK_LOADS_FP:
		if (s.saved && sp - n == s.saved)
			restore_fp(&s);
		else
			change_fp(&s, 0);
		break;
	case INSN_STACK_SETS_FP:
		change_fp(&s, sp ? below(sp - n) : 0);
		break;
	case INSN_STACK_TO_FP:
		s.sp = s.fp ? below(s.fp - n) : 0;
		break;
	case INSN_STACK_LEAVES:
		s.sp = s.fp ? below((int64_t)s.fp - WORD) : 0;
		restore_fp(&s);
		break;
	case INSN_STACK_CLEARS_FP:
		/* Who has no caller begins so (System V ABI, AMD64, 3.4.1). */
		s.stops |= !s.fp_changed && !s.saved;
		change_fp(&s, 0);
		break;
	case INSN_STACK_LOSES_FP:
		change_fp(&s, 0);
		break;
	}
	return s;
}

static void
go(struct walk *w, struct step *to, const struct state *s)
{
	to->is_known = true;
	to->is_guessed = w->is_guessing;
	to->state = *s;
	w->no_memory |= !vec_push(&w->now, (uint32_t)(to - w->steps.v));
}

static void
forget(uint32_t *what, uint32_t other)
{
	if (*what != other)
		*what = 0;
}

/* A way leads there with s; what ways do not agree about is not known. */
static void
arrive(struct walk *w, struct step *to, const struct state *s)
{
	if (!to || to->is_start || (to->is_known && to->is_guessed != w->is_guessing))
		return;
	if (!to->is_known) {
		go(w, to, s);
		return;
	}
	struct state both = to->state;
	forget(&both.sp, s->sp);
	forget(&both.fp, s->fp);
	forget(&both.saved, s->saved);
	both.fp_changed |= s->fp_changed;
	both.stops &= s->stops;
	if (both.sp != to->state.sp || both.fp != to->state.fp ||
	    both.saved != to->state.saved ||
	    both.fp_changed != to->state.fp_changed || both.stops != to->state.stops)
		go(w, to, &both);
}

/* What follows at once; NULL: nothing. */
static struct step *
next(struct walk *w, struct step *s)
{
	struct step *n = s + 1;

	return n < w->steps.v + w->steps.n && n->at == s->at + s->size ? n : NULL;
}

static void
leave(struct walk *w, struct step *s)
{
	struct state after = behind(s);

	switch ((enum insn_kind)s->kind) {
	case INSN_PLAIN:
		arrive(w, next(w, s), &after);
		break;
	case INSN_BRANCH:
		arrive(w, next(w, s), &after);
		/* fall through */
	case INSN_JUMP:
		if (s->target != UINT32_MAX)
			arrive(w, step_at(w, s->target), &after);
		break;
	case INSN_CALL:
		w->no_memory |= !vec_push(&w->later, (uint32_t)(s - w->steps.v));
		break;
	case INSN_TABLE: case INSN_AWAY: case INSN_RETURN:
		break;
	}
}

/* Behind a call.  What aligns the next function stands behind one that does not return. */
static void
go_behind(struct walk *w, uint32_t call)
{
	struct step *s = &w->steps.v[call], *n = next(w, s);

	if (!n || n->is_known)
		return;
	if (n->is_padding && !w->is_guessing)
		w->no_memory |= !vec_push(&w->last, call);
	else
		go(w, n, &s->state);
}

static void
go_all(struct walk *w)
{
	while (!w->no_memory && (w->now.n || w->later.n)) {
		if (w->now.n)
			leave(w, &w->steps.v[w->now.v[--w->now.n]]);
		else
			go_behind(w, w->later.v[--w->later.n]);
	}
}

static void
begin(struct walk *w, uint32_t at)
{
	struct step *s = step_at(w, at);

	if (s && !s->is_start) {
		s->is_start = true;
		go(w, s, &CALLED);
	}
}

/* Somebody takes the address; where nothing else leads there a function begins. */
static void
take(struct walk *w, uint32_t at)
{
	struct step *s = step_at(w, at);

	if (!s)
		return;
	s->is_taken = true;
	if (!s->is_known && !s->is_padding)
		begin(w, at);
	go_all(w);
}

/* Does the way from s, which somebody may have jumped to in a way that is not known, soon
 * lead into a function?  Then it is a part of it: *ret is what there is to be at s. */
static bool
leads_back(struct walk *w, struct step *s, struct state *ret)
{
	enum { SOON = 64 };
	int64_t moved = 0;

	for (unsigned i = 0; s && i < SOON; i++) {
		const struct step *to = s->target == UINT32_MAX || s->kind == INSN_CALL ?
					NULL : step_at(w, s->target);
		if (to && to->is_known) {
			*ret = to->state;
			ret->sp = ret->sp ? below((int64_t)ret->sp + moved) : 0;
			return !to->is_start && ret->sp;
		}
		if (s->effect == INSN_STACK_MOVES)
			moved += s->n;
		else if (s->effect != INSN_STACK_KEEPS)
			return false;
		if (s->kind != INSN_PLAIN && s->kind != INSN_CALL && s->kind != INSN_BRANCH)
			return false;
		s = next(w, s);
	}
	return false;
}

/* Where no way leads, but perhaps the jumps of a table in front of it. */
static void
guess_by_tables(struct walk *w)
{
	const struct step *table = NULL;

	for (size_t i = 0; i < w->steps.n && !w->no_memory; i++) {
		struct step *s = &w->steps.v[i];
		bool is_new = !s->is_known && !s->is_padding;
		if (s->is_start || (is_new && s->is_taken))
			table = NULL;
		if (is_new && table)
			go(w, s, &table->state);
		go_all(w);
		if (s->kind == INSN_TABLE && s->is_known)
			table = s;
	}
}

/* Where else no way leads: a part of a function, apart from it, that a table leads to; or
 * a function of which nobody knows. */
static void
guess(struct walk *w)
{
	struct state back;

	for (size_t i = 0; i < w->steps.n && !w->no_memory; i++) {
		struct step *s = &w->steps.v[i];
		if (s->is_known || s->is_padding)
			continue;
		if (!s->is_taken && leads_back(w, s, &back))
			go(w, s, &back);
		else
			begin(w, s->at);
		go_all(w);
	}
}

static void
follow(struct walk *w)
{
	const struct unwind_code *c = w->code;

	for (size_t i = 0; i < c->nstarts; i++)
		if (c->starts[i] - c->addr < c->size)
			begin(w, (uint32_t)(c->starts[i] - c->addr));
	for (size_t i = 0; i < w->called.n; i++)
		begin(w, w->called.v[i]);
	go_all(w);
	w->is_guessing = true;
	for (size_t i = 0; i < c->ntaken; i++)
		if (c->taken[i] - c->addr < c->size)
			take(w, (uint32_t)(c->taken[i] - c->addr));
	for (size_t i = 0; i < w->taken.n; i++)
		take(w, w->taken.v[i]);
	for (size_t i = 0; i < w->last.n; i++)
		go_behind(w, w->last.v[i]);
	go_all(w);
	guess_by_tables(w);
	guess(w);
}

/* --- Rows -------------------------------------------------------------------------- */

static uint32_t
rule_of(const struct step *s)
{
	uint32_t saved = s->state.saved / WORD;

	if (s->is_signal)
		return abi_unwind_rule(ABI_UNWIND_SIGNAL, 0, 0);
	if (!s->is_known)
		return abi_unwind_rule(ABI_UNWIND_FRAME, 0, 0);
	if (s->state.stops)
		return abi_unwind_rule(ABI_UNWIND_STOP, 0, 0);
	/* A frame pointer that is one; else a register as others. */
	if (s->state.fp && (s->state.fp == s->state.saved || !s->state.sp))
		return abi_unwind_rule(ABI_UNWIND_FP, s->state.fp / WORD, saved);
	if (s->state.sp)
		return abi_unwind_rule(ABI_UNWIND_SP, s->state.sp / WORD, saved);
	return abi_unwind_rule(ABI_UNWIND_FRAME, 0, 0);
}

struct rows { VEC(struct abi_unwind_row) v; bool no_memory; };

static void
put(struct rows *r, uint64_t pc, uint32_t rule)
{
	struct abi_unwind_row row = { (uint32_t)pc, rule };

	if (r->v.n && r->v.v[r->v.n - 1].pc == pc)
		r->v.n--;
	if ((!r->v.n || r->v.v[r->v.n - 1].rule != rule) && pc <= UINT32_MAX)
		r->no_memory |= !vec_push(&r->v, row);
}

static void
put_all(struct walk *w, struct rows *r)
{
	const uint32_t unknown = abi_unwind_rule(ABI_UNWIND_FRAME, 0, 0);
	const struct unwind_code *c = w->code;
	size_t end = 0;

	for (size_t i = 0; i < w->steps.n; i++) {
		const struct step *s = &w->steps.v[i];
		if (s->at != end)
			put(r, c->addr + end, unknown);
		/* Who looks for where a call came from looks at the byte before. */
		put(r, c->addr + s->at - (s->is_signal && s->at > 0), rule_of(s));
		end = s->at + s->size;
		if (s->is_signal && next(w, (struct step *)s))
			end += w->steps.v[++i].size;
	}
	put(r, c->addr + end, unknown);
}

struct err *
unwind_bare_rows(const struct unwind_code *code, struct unwind_table *ret)
{
	CLEANUP(walk_fini) struct walk w = { .code = code };
	struct rows r = { .no_memory = false };

	*ret = (struct unwind_table){ .rows = NULL };
	TRY(decode(&w));
	follow(&w);
	put_all(&w, &r);
	if (w.no_memory || r.no_memory) {
		vec_fini(&r.v);
		return &err_nomem;
	}
	ret->rows = r.v.v;
	ret->n = r.v.n;
	return NULL;
}

/* --- A file ------------------------------------------------------------------------ */

static int
by_start(const void *a, const void *b)
{
	const struct unwind_span *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static int
by_address(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

struct gaps {
	VEC(struct unwind_span) v;
	VEC(uint64_t) starts, taken;
	struct sym_section names;	/* of symbols */
	uint64_t total;
	bool no_memory;
};

static void
gaps_fini(struct gaps *g)
{
	vec_fini(&g->v);
	vec_fini(&g->starts);
	vec_fini(&g->taken);
	sym_section_fini(&g->names);
}

static void
add_gap(struct gaps *g, uint64_t start, uint64_t end)
{
	struct unwind_span r = { start, end };

	if (end - start < GAP_MIN || end - start > GAP_MAX)
		return;
	g->total += end - start;
	struct unwind_span *last = g->v.n ? &g->v.v[g->v.n - 1] : NULL;
	if (last && start - last->end < GAP_NEAR && end - last->start <= GAP_MAX)
		last->end = end;
	else
		g->no_memory |= !vec_push(&g->v, r);
}

/* Has it a place of which the table knows nothing? */
static bool
is_partly_told(const struct unwind_table *t, const struct unwind_span *told)
{
	size_t n = BASE_HOW_MANY(i, t->n, t->rows[i].pc <= told->start);

	if (!n || !t->rows[n - 1].rule)
		return true;
	for (; n < t->n && t->rows[n].pc < told->end; n++)
		if (!t->rows[n].rule)
			return true;
	return false;
}

static void
find_gaps(struct gaps *g, const struct sym_section *text, const struct unwind_table *t,
	  struct unwind_span *told, size_t n)
{
	uint64_t at = text->addr, end = text->addr + text->size;

	qsort(told, n, sizeof(*told), by_start);
	for (size_t i = 0; i < n && at < end; i++) {
		uint64_t start = BASE_MAX(told[i].start, at);
		if (told[i].start > at)
			add_gap(g, at, BASE_MIN(told[i].start, end));
		at = BASE_MAX(at, told[i].end);
		if (!is_partly_told(t, &told[i]) || at > end)
			continue;
		add_gap(g, start, at);
		g->no_memory |= !vec_push(&g->starts, told[i].start);
	}
	if (at < end)
		add_gap(g, at, end);
}

static bool
in_gap(const struct gaps *g, uint64_t addr)
{
	size_t n = BASE_HOW_MANY(i, g->v.n, g->v.v[i].start <= addr);

	return n && addr < g->v.v[n - 1].end;
}

static void
on_start(struct gaps *g, uint64_t addr)
{
	if (in_gap(g, addr))
		g->no_memory |= !vec_push(&g->starts, addr);
}

static void
on_address(struct gaps *g, uint64_t addr)
{
	if (in_gap(g, addr))
		g->no_memory |= !vec_push(&g->taken, addr);
}

static void
on_symbol(struct gaps *g, const void *p)
{
	const Elf64_Sym *y = p;
	size_t left = y->st_name < g->names.size ? g->names.size - y->st_name : 0;
	const char *name = (const char *)g->names.data + y->st_name;

	/* A part that is apart from its function is jumped to. */
	if (ELF64_ST_TYPE(y->st_info) == STT_FUNC &&
	    !(left && memmem(name, strnlen(name, left), ".cold", 5)))
		on_start(g, y->st_value);
}

static void
on_relocation(struct gaps *g, const void *p)
{
	const Elf64_Rela *r = p;

	if (ELF64_R_TYPE(r->r_info) == R_X86_64_RELATIVE)
		on_address(g, (uint64_t)r->r_addend);
}

static void
on_word(struct gaps *g, const void *p)
{
	const uint64_t *word = p;

	on_address(g, *word);
}

/* Where addresses of functions stand. */
static const struct {
	const char *section, *names;
	size_t size;
	void (*each)(struct gaps *g, const void *p);
} sources[] = {
	{ ".symtab", ".strtab", sizeof(Elf64_Sym), on_symbol },
	{ ".dynsym", ".dynstr", sizeof(Elf64_Sym), on_symbol },
	{ ".rela.dyn", NULL, sizeof(Elf64_Rela), on_relocation },
	{ ".data.rel.ro", NULL, WORD, on_word },
	{ ".data", NULL, WORD, on_word },
};

static struct err *
read_names(struct gaps *g, int fd, const char *section)
{
	sym_section_fini(&g->names);
	g->names.size = 0;
	return err_only_nomem(sym_elf_section(fd, section, &g->names));
}

static struct err *
find_starts(struct gaps *g, int fd)
{
	Elf64_Ehdr h;

	if (pread(fd, &h, sizeof(h), 0) == sizeof(h))
		on_start(g, h.e_entry);
	for (size_t i = 0; i < BASE_NELEMS(sources); i++) {
		struct sym_section x = { NULL };
		if (sources[i].names)
			TRY(read_names(g, fd, sources[i].names));
		TRY(err_only_nomem(sym_elf_section(fd, sources[i].section, &x)));
		size_t size = sources[i].size;
		for (size_t at = 0; at + size <= x.size; at += size)
			sources[i].each(g, (const char *)x.data + at);
		sym_section_fini(&x);
	}
	if (g->starts.n)
		qsort(g->starts.v, g->starts.n, sizeof(*g->starts.v), by_address);
	if (g->taken.n)
		qsort(g->taken.v, g->taken.n, sizeof(*g->taken.v), by_address);
	return g->no_memory ? &err_nomem : NULL;
}

/* What t does not know is as `more` has it. */
static struct err *
merge(struct unwind_table *t, const struct unwind_table *more)
{
	size_t n = 0, i = 0, j = 0, all = t->n + more->n;
	struct abi_unwind_row *rows = util_alloc(all * sizeof(*rows));
	uint32_t own = 0, other = 0;

	if (!rows)
		return &err_nomem;
	while (i < t->n || j < more->n) {
		uint32_t pc = i == t->n || (j < more->n && more->rows[j].pc < t->rows[i].pc) ?
			      more->rows[j].pc : t->rows[i].pc;
		if (i < t->n && t->rows[i].pc == pc)
			own = t->rows[i++].rule;
		if (j < more->n && more->rows[j].pc == pc)
			other = more->rows[j++].rule;
		if (!n || rows[n - 1].rule != (own ? own : other))
			rows[n++] = (struct abi_unwind_row){ pc, own ? own : other };
	}
	util_free(t->rows);
	t->rows = rows;
	t->n = n;
	return NULL;
}

/* Those of the addresses, which are in order, that lie in the gap. */
static const uint64_t *
part(const uint64_t *v, size_t n, const struct unwind_span *gap, size_t *ret)
{
	size_t first = BASE_HOW_MANY(i, n, v[i] < gap->start);
	size_t end = BASE_HOW_MANY(i, n, v[i] < gap->end);

	*ret = end - first;
	return v ? v + first : NULL;
}

static struct err *
add_rows(int fd, const struct gaps *g, const struct sym_section *text,
	 const struct unwind_span *gap, size_t max, struct unwind_table *t)
{
	size_t size = (size_t)(gap->end - gap->start);
	CLEANUP(util_freep) uint8_t *bytes = util_alloc(size);
	struct unwind_table more;

	if (!bytes)
		return &err_nomem;
	off_t at = (off_t)(gap->start - text->addr + text->offset);
	if (pread(fd, bytes, size, at) != (ssize_t)size)
		return NULL;
	struct unwind_code c = { .bytes = bytes, .size = size, .addr = gap->start };
	c.starts = part(g->starts.v, g->starts.n, gap, &c.nstarts);
	c.taken = part(g->taken.v, g->taken.n, gap, &c.ntaken);
	TRY(err_only_nomem(unwind_bare_rows(&c, &more)));
	struct err *e = t->n + more.n <= max ? merge(t, &more) : NULL;
	unwind_table_fini(&more);
	return e;
}

/* Go's code has frame pointers, and is much. */
static bool
is_go(int fd)
{
	struct sym_section x;
	struct err *e = sym_elf_place(fd, ".go.buildinfo", &x);
	bool is = !e;

	err_free(e);
	return is;
}

struct err *
unwind_bare_file(int fd, struct unwind_span *told, size_t n, size_t max,
		 struct unwind_table *t)
{
	CLEANUP(gaps_fini) struct gaps g = { .total = 0 };
	struct sym_section text = { NULL };

	TRY(err_only_nomem(sym_elf_place(fd, ".text", &text)));
	if (text.addr)
		find_gaps(&g, &text, t, told, n);
	if (g.no_memory)
		return &err_nomem;
	if (g.total < GAPS_MIN || is_go(fd))
		return NULL;
	TRY(find_starts(&g, fd));
	for (size_t i = 0; i < g.v.n; i++)
		TRY(add_rows(fd, &g, &text, &g.v.v[i], max, t));
	return NULL;
}
