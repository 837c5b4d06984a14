/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Code of arm64: instructions of four bytes (Arm Architecture Reference Manual, C4).
 * The kernel emulates branches and a few more, and steps over the rest; entries stay
 * where they are.
 */
#if defined(__aarch64__)
#include <string.h>

#include "insn/insn.h"

static int64_t
signed_bits(uint32_t w, unsigned from, unsigned n)
{
	return (int64_t)((uint64_t)w << (64 - from - n)) >> (64 - n);
}

static void
jump(struct insn *i, enum insn_kind kind, int64_t words)
{
	i->kind = (uint8_t)kind;
	i->has_target = true;
	i->is_emulated = true;
	i->target = (int64_t)i->at + words * 4;
}

/* Exclusive loads and stores lose what they have when they are stepped. */
static bool
is_harmful(uint32_t w)
{
	return (w & 0x3f000000) == 0x08000000 ||	/* exclusive */
	       (w & 0xff000000) == 0xd4000000;		/* svc, brk, hlt */
}

static void
describe(uint32_t w, struct insn *i)
{
	if ((w & 0xfc000000) == 0x14000000)
		jump(i, INSN_JUMP, signed_bits(w, 0, 26));
	else if ((w & 0xfc000000) == 0x94000000)
		jump(i, INSN_CALL, signed_bits(w, 0, 26));
	else if ((w & 0xff000010) == 0x54000000 ||	/* b.cond, cbz */
		 (w & 0x7e000000) == 0x34000000)
		jump(i, INSN_BRANCH, signed_bits(w, 5, 19));
	else if ((w & 0x7e000000) == 0x36000000)	/* tbz */
		jump(i, INSN_BRANCH, signed_bits(w, 5, 14));
	else if ((w & 0xfffffc1f) == 0xd65f0000 ||	/* ret, retaa */
		 (w & 0xfffffbff) == 0xd65f0bff)
		i->kind = INSN_RETURN;
	else if ((w & 0xfefff800) == 0xd61f0000 ||
		 (w & 0xfefff800) == 0xd61f0800)	/* br, braa */
		i->kind = INSN_TABLE;
	i->is_harmful = is_harmful(w);
}

struct err *
insn_walk(const uint8_t *code, size_t size, insn_fn *fn, void *ctx, size_t *end)
{
	bool go_on = true;
	size_t at = 0;
	uint32_t w;

	for (; go_on && size - at >= sizeof(w); at += sizeof(w)) {
		struct insn i = { .at = (uint32_t)at, .size = sizeof(w) };
		memcpy(&w, code + at, sizeof(w));
		describe(w, &i);
		go_on = fn(ctx, &i);
	}
	*end = at;
	return NULL;
}

struct err *
insn_walk_32(const uint8_t *code, size_t size, insn_fn *fn, void *ctx, size_t *end)
{
	return err_new(ERR_UNSUPPORTED, 0, "machine code of 32 bits cannot be "
		       "probed here");
}

static bool
take_first(void *ctx, const struct insn *i)
{
	struct insn_entry *e = ctx;

	*e = (struct insn_entry){ !i->is_harmful, !i->is_emulated, false, 0, 0 };
	return false;
}

struct err *
insn_entry(const uint8_t *code, size_t size, size_t most, unsigned looks,
	   struct insn_entry *ret)
{
	size_t end;

	*ret = (struct insn_entry){ .found = false };
	return insn_walk(code, size, take_first, ret, &end);
}
#endif
