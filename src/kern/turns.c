/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Programs for kernels without bpf_find_vma(), which then finds none, and bpf_loop() (before
 * Linux 5.17).
 *
 * A call of bpf_loop() becomes one of a function of ours behind the program, which calls back turn
 * by turn.  The verifier follows all turns, and gives up at a million instructions, or at
 * 8,192 jumps that it has still to look at.  So there is a most: strings of STRING bytes
 * pass, and who asks for more turns gets -E2BIG at the last, as from bpf_loop() itself.
 */
#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/base.h"
#include "kern/obj_priv.h"
#include "util/alloc.h"
#include "util/cleanup.h"

enum {
	CALL = BPF_JMP | BPF_CALL,
	JUMPS = 6000,		/* that the verifier may leave for later */
	LEAST = KERN_TURNS_STRING + 4, MOST = 2048,
	MEANT = 1 << 16,	/* who asks for so many cannot do with less */
	MOST_AT = 4, CALLBACK_AT = 8,	/* in `turns` */
};

/* bpf_loop(r1 times, r2: the callback, r3: its context, r4: 0) */
static const struct bpf_insn turns[] = {
	{ BPF_ALU | BPF_MOV | BPF_X, BPF_REG_6, BPF_REG_1, 0, 0 },
	{ BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_7, BPF_REG_3, 0, 0 },
	{ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_8, 0, 0, 0 },
	{ BPF_JMP | BPF_JGE | BPF_X, BPF_REG_8, BPF_REG_6, 6, 0 },	/* head: */
	[MOST_AT] = { BPF_JMP | BPF_JGE | BPF_K, BPF_REG_8, 0, 7, MOST },
	{ BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_1, BPF_REG_8, 0, 0 },
	{ BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_2, BPF_REG_7, 0, 0 },
	{ BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_8, 0, 0, 1 },
	[CALLBACK_AT] = { CALL, 0, BPF_PSEUDO_CALL, 0, 0 },
	{ BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, -7, 0 },		/* to the head */
	{ BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_0, BPF_REG_8, 0, 0 },
	{ BPF_JMP | BPF_EXIT, 0, 0, 0, 0 },
	{ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, -E2BIG },
	{ BPF_JMP | BPF_EXIT, 0, 0, 0, 0 },
};

static bool
calls(const struct bpf_insn *i, enum bpf_func_id helper)
{
	return i->code == CALL && !i->src_reg && i->imm == (int32_t)helper;
}

/* Where r2, the callback of the call at `at`, is set. */
static uint32_t
setting(const struct obj_image *im, uint32_t at)
{
	const struct bpf_insn *i;

	do {
		assert(at);
		i = &im->insns[--at];
	} while (i->code != (BPF_LD | BPF_IMM | BPF_DW) || i->dst_reg != BPF_REG_2 ||
		 i->src_reg != BPF_PSEUDO_FUNC);
	return at;
}

/* The function that begins at `at`. */
static uint32_t
part_at(const struct obj_image *im, uint32_t at)
{
	uint32_t part = 0;

	while (im->info[part].insn_off != at)
		assert(part + 1 < im->nparts), part++;
	return part;
}

/* The most turns of what lies from `at` to `end`. */
static int32_t
most(const struct obj_image *im, uint32_t at, uint32_t end)
{
	uint32_t jumps = 2;

	for (; at < end; at++) {
		const struct bpf_insn *i = &im->insns[at];
		uint32_t class = BPF_CLASS(i->code), op = BPF_OP(i->code);
		jumps += (class == BPF_JMP || class == BPF_JMP32) && op != BPF_JA &&
			 op != BPF_CALL && op != BPF_EXIT;
	}
	return (int32_t)BASE_MAX(BASE_MIN(JUMPS / jumps, (uint32_t)MOST), (uint32_t)LEAST);
}

/* Put a function of ours behind the code, which ends at `end`, for the callback that is set
 * at `set`. */
static uint32_t
put(struct obj_image *im, uint32_t set, uint32_t end)
{
	uint32_t first = set + 1 + (uint32_t)im->insns[set].imm, mine = im->ninsns;
	uint32_t part = part_at(im, first);
	uint32_t last = part + 1 < im->nparts ? im->info[part + 1].insn_off : end;
	struct bpf_insn *to = im->insns + mine;

	memcpy(to, turns, sizeof(turns));
	to[MOST_AT].imm = most(im, first, last);
	to[CALLBACK_AT].imm = (int32_t)(first - (mine + CALLBACK_AT) - 1);
	im->info[im->ninfo++] = (struct bpf_func_info){ mine, im->info[part].type_id };
	im->ninsns += BASE_NELEMS(turns);
	return mine;
}

/* `old` grown; it is given back when there is no memory. */
static void *
room(void *old, size_t size)
{
	void *p = util_realloc(old, size);

	if (!p)
		util_free(old);
	return p;
}

/* Is the number of turns of the call at `at` a constant that is too large? */
static bool
needs_more(const struct obj_image *im, uint32_t at)
{
	const struct bpf_insn *i;

	do
		i = &im->insns[--at];
	while (at && i->dst_reg != BPF_REG_1);
	return i->code == (BPF_ALU64 | BPF_MOV | BPF_K) && i->imm >= MEANT;
}

struct err *
kern_obj_turns(struct obj_image *im)
{
	uint32_t n = 0, end = im->ninsns;

	for (uint32_t i = 0; i < end; i++)
		n += calls(&im->insns[i], BPF_FUNC_loop);
	im->o->turned |= n > 0;
	im->insns = room(im->insns, (end + n * BASE_NELEMS(turns)) * sizeof(*im->insns));
	im->info = room(im->info, (im->nparts + n) * sizeof(*im->info));
	CLEANUP(util_freep) uint32_t *sets = util_alloc((n + 1) * sizeof(*sets));
	if (!im->insns || !im->info || !sets)
		return &err_nomem;
	n = 0;
	for (uint32_t i = 0; i < end; i++) {
		if (calls(&im->insns[i], BPF_FUNC_find_vma))
			im->insns[i] = (struct bpf_insn){ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0,
							  0, 0, -ENOENT };
		if (!calls(&im->insns[i], BPF_FUNC_loop))
			continue;
		if (needs_more(im, i))
			return err_new(ERR_UNSUPPORTED, 0, "loops, and chill(), need Linux "
				       "5.17 (bpf_loop)");
		sets[n++] = setting(im, i);
		uint32_t to = put(im, sets[n - 1], end);
		im->insns[i] = (struct bpf_insn){ CALL, 0, BPF_PSEUDO_CALL, 0,
						  (int32_t)(to - i - 1) };
	}
	/* Nobody else may ask for the address of a function that is called so. */
	while (n--)
		im->insns[sets[n]].src_reg = im->insns[sets[n]].imm = 0;
	return NULL;
}
