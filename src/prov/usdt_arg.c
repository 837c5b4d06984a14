/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Operands in notes of static probes, as assemblers write them.
 *
 *	x86-64	%eax	$5	8(%rax,%rbx,4)	sym(%rip)	(%rsp)
 *	i386	%eax	$5	8(%eax,%ebx,4)	(%esp)
 *	aarch64	w0	5	[sp, 16]	[x0, x1, lsl 3]
 *
 * Before each stands its size in bytes and `@`; -4 is signed, and 8f is a number with
 * a point, which no register has that the kernel keeps.
 *
 *  1. Of an operand nothing behind its end is read.
 *  2. A place that is known has a size of 1, 2, 4 or 8 bytes, whole in its register.
 */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "prov/usdt_priv.h"

/* Parts of registers: bytes `from` on of the whole one. */
struct part {
	const char *name;
	uint8_t reg, size, from;
};

#if defined(__x86_64__)
#define FOUR(R, r, e, x, l) \
	{ r, ABI_REG_##R, 8, 0 }, { e, ABI_REG_##R, 4, 0 }, \
	{ x, ABI_REG_##R, 2, 0 }, { l, ABI_REG_##R, 1, 0 }
#define NUMBERED(n) FOUR(R##n, "r" #n, "r" #n "d", "r" #n "w", "r" #n "b")
static const struct part parts[] = {
	FOUR(AX, "rax", "eax", "ax", "al"), { "ah", ABI_REG_AX, 1, 1 },
	FOUR(BX, "rbx", "ebx", "bx", "bl"), { "bh", ABI_REG_BX, 1, 1 },
	FOUR(CX, "rcx", "ecx", "cx", "cl"), { "ch", ABI_REG_CX, 1, 1 },
	FOUR(DX, "rdx", "edx", "dx", "dl"), { "dh", ABI_REG_DX, 1, 1 },
	FOUR(SI, "rsi", "esi", "si", "sil"), FOUR(DI, "rdi", "edi", "di", "dil"),
	FOUR(BP, "rbp", "ebp", "bp", "bpl"), FOUR(SP, "rsp", "esp", "sp", "spl"),
	NUMBERED(8), NUMBERED(9), NUMBERED(10), NUMBERED(11),
	NUMBERED(12), NUMBERED(13), NUMBERED(14), NUMBERED(15),
	{ "rip", ABI_REG_IP, 8, 0 },
};
#else
#define TWO(n) { "x" #n, ABI_REG_X##n, 8, 0 }, { "w" #n, ABI_REG_X##n, 4, 0 }
static const struct part parts[] = {
	TWO(0), TWO(1), TWO(2), TWO(3), TWO(4), TWO(5), TWO(6), TWO(7), TWO(8),
	TWO(9), TWO(10), TWO(11), TWO(12), TWO(13), TWO(14), TWO(15), TWO(16),
	TWO(17), TWO(18), TWO(19), TWO(20), TWO(21), TWO(22), TWO(23), TWO(24),
	TWO(25), TWO(26), TWO(27), TWO(28), TWO(29), TWO(30),
	{ "sp", ABI_ROLE_SP, 8, 0 },
};
#endif

struct scan {
	const char *p, *end;		/* of one operand */
	uint64_t addr;
	usdt_symbol_fn *symbol;
	void *ctx;
};

static bool
take(struct scan *s, char c)
{
	while (s->p < s->end && *s->p == ' ')
		s->p++;
	if (s->p == s->end || *s->p != c)
		return false;
	s->p++;
	return true;
}

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '@';
}

/* Letters, digits and what else a symbol has, into word. */
static bool
take_word(struct scan *s, char word[64])
{
	size_t n = 0;

	while (s->p < s->end && n < 63 && is_word(*s->p))
		word[n++] = *s->p++;
	word[n] = 0;
	return n;
}

static bool
take_number(struct scan *s, int64_t *ret)
{
	char *end;

	while (s->p < s->end && (*s->p == ' ' || *s->p == '+'))
		s->p++;
	if (s->p == s->end || !(isdigit((unsigned char)*s->p) || *s->p == '-'))
		return false;
	*ret = (int64_t)strtoull(s->p, &end, 0);
	if (end == s->p || end > s->end)
		return false;
	s->p = end;
	return true;
}

static const struct part *
find_part(const char *name)
{
	for (size_t i = 0; i < BASE_NELEMS(parts); i++)
		if (strcmp(parts[i].name, name) == 0)
			return &parts[i];
	return NULL;
}

/* In the process's registers. */
static uint16_t
offset_of(const struct part *r)
{
	return (uint16_t)abi_reg_row(r->reg)->offset;
}

/* A register, behind `%` where that is how they are written. */
static const struct part *
take_reg(struct scan *s)
{
	char name[64];

#if defined(__x86_64__)
	if (!take(s, '%'))
		return NULL;
#else
	take(s, ' ');
#endif
	return take_word(s, name) ? find_part(name) : NULL;
}

/* --- Operands ---------------------------------------------------------------- */

static bool
from_reg(struct scan *s, struct abi_place *a)
{
	const struct part *r = take_reg(s);

	if (!r || s->p != s->end)
		return false;
	a->kind = ABI_PLACE_REG;
	a->reg = offset_of(r);
	a->off = r->from;
	a->size = BASE_MIN(a->size, r->size);
	assert(a->size && r->from + a->size <= 8);			/* 2 */
	return true;
}

static bool
from_const(struct scan *s, struct abi_place *a)
{
	int64_t v;

	if (!take_number(s, &v) || s->p != s->end)
		return false;
	assert(a->size && a->size <= 8);				/* 2 */
	/* As wide as it is said to be. */
	unsigned spare = 64 - 8 * a->size;
	uint64_t high = (uint64_t)v << spare;
	a->kind = ABI_PLACE_CONST;
	a->off = a->is_signed ? (int64_t)high >> spare
			      : (int64_t)(high >> spare);
	return true;
}

#if defined(__x86_64__)
/* What stands before the parenthesis: numbers, and a symbol. */
static bool
displacement(struct scan *s, int64_t *ret, bool *has_symbol)
{
	char name[64];
	uint64_t addr;
	int64_t n;

	*ret = 0;
	*has_symbol = false;
	while (s->p < s->end && *s->p != '(') {
		if (take_number(s, &n)) {
			*ret += n;
			continue;
		}
		if (*has_symbol || !take_word(s, name) || !s->symbol ||
		    !s->symbol(s->ctx, name, &addr))
			return false;
		*has_symbol = true;
		*ret += (int64_t)addr;
	}
	return s->p < s->end;
}

static bool
from_memory(struct scan *s, struct abi_place *a)
{
	const struct part *base = NULL, *index = NULL;
	int64_t off, scale = 1;
	bool has_symbol;

	if (!displacement(s, &off, &has_symbol) || !take(s, '('))
		return false;
	if (s->p < s->end && *s->p == '%' && !(base = take_reg(s)))
		return false;
	if (take(s, ',')) {
		index = take_reg(s);
		if (!index || (take(s, ',') && !take_number(s, &scale)))
			return false;
	}
	if (!base || base->size < 4 || !take(s, ')') || s->p != s->end ||
	    (has_symbol && base->reg != ABI_REG_IP) ||
	    (index && index->size != base->size))
		return false;
	/* The instruction is where the processor stands. */
	if (has_symbol)
		off -= (int64_t)s->addr;
	a->kind = base->size == 8 ? ABI_PLACE_MEMORY : ABI_PLACE_MEMORY_32;
	a->reg = offset_of(base);
	a->off = off;
	a->index = index ? offset_of(index) : 0;
	a->scale = index ? (uint8_t)scale : 0;
	return !index || scale == 1 || scale == 2 || scale == 4 || scale == 8;
}

static bool
operand(struct scan *s, struct abi_place *a)
{
	if (s->p < s->end && *s->p == '%')
		return from_reg(s, a);
	return take(s, '$') ? from_const(s, a) : from_memory(s, a);
}
#else
/* ", lsl 3" behind an index. */
static bool
shifted(struct scan *s, uint8_t *scale)
{
	char how[64];
	int64_t n;

	*scale = 1;
	if (!take(s, ','))
		return true;
	take(s, ' ');
	if (!take_word(s, how) || strcmp(how, "lsl") || !take_number(s, &n) ||
	    n < 0 || n > 3)
		return false;
	*scale = (uint8_t)(1 << n);
	return true;
}

static bool
from_memory(struct scan *s, struct abi_place *a)
{
	const struct part *base = take_reg(s), *index = NULL;
	uint8_t scale = 0;
	int64_t off = 0;

	if (!base || base->size != 8)
		return false;
	if (take(s, ',') && !take_number(s, &off) && !(index = take_reg(s)))
		return false;
	if ((index && (index->size != 8 || !shifted(s, &scale))) ||
	    !take(s, ']') || s->p != s->end)
		return false;
	a->kind = ABI_PLACE_MEMORY;
	a->reg = offset_of(base);
	a->off = off;
	a->index = index ? offset_of(index) : 0;
	a->scale = scale;
	return true;
}

static bool
operand(struct scan *s, struct abi_place *a)
{
	if (take(s, '['))
		return from_memory(s, a);
	if (s->p < s->end && (isdigit((unsigned char)*s->p) || *s->p == '-'))
		return from_const(s, a);
	return from_reg(s, a);
}
#endif

/* "-4@"; false: it says nothing that can be had. */
static bool
size(struct scan *s, struct abi_place *a)
{
	int64_t n;

	if (!take_number(s, &n))
		return false;
	a->is_signed = n < 0;
	n = n < 0 ? -n : n;
	a->size = (uint8_t)n;
	return (n == 1 || n == 2 || n == 4 || n == 8) && take(s, '@');
}

/* Where the operand ends that begins at p: with a blank, but for one in brackets. */
static const char *
end_of(const char *p)
{
	int depth = 0;

	for (; *p && (*p != ' ' || depth); p++)
		depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
	return p;
}

unsigned
prov_usdt_args(const char *text, uint64_t addr, usdt_symbol_fn *symbol, void *ctx,
	       struct abi_layout *ret)
{
	unsigned n = 0;

	memset(ret, 0, sizeof(*ret));
	for (;;) {
		text += strspn(text, " ");
		if (!*text || n == USDT_NARGS_MAX)
			return n;
		struct scan s = { text, end_of(text), addr, symbol, ctx };
		struct abi_place a = { 0 };
		text = s.end;
		/* Without a size it is a word. */
		if (!memchr(s.p, '@', (size_t)(s.end - s.p)))
			a.size = 8;
		bool good = (a.size || size(&s, &a)) && operand(&s, &a);
		assert(s.p <= s.end && (!good || s.p == s.end));	/* 1 */
		assert(!good || (a.size <= 8 && !(a.size & (a.size - 1)))); /* 2 */
		if (n < ABI_LAYOUT_NARGS) {
			unsigned char bytes = a.size, is_signed = a.is_signed;
			ret->arg[n] = good ? a : (struct abi_place){
				.size = bytes, .is_signed = is_signed };
		}
		n++;
	}
}
