/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Functions are found by the calls of them.  A frame is as large as the lowest
 * address made from r10 says, which is what the kernel counts for code that
 * uses all it makes an address of.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "depth.h"
#include "kern/kern_priv.h"
#include "util/sb.h"

enum { MAX_FUNCS = 256, ROUND = 32 };

struct func {
	size_t at, end;
	unsigned frame, deepest;
	int below;	/* the function of the deepest chain, or -1 */
	bool done;
};

struct depth {
	const struct bpf_insn *insns;
	size_t n;
	struct func funcs[MAX_FUNCS];
	int nfuncs;
};

/* The function that instruction i calls or takes the address of, or 0. */
static size_t
target(const struct depth *d, size_t i)
{
	const struct bpf_insn *in = &d->insns[i];

	if ((in->code == (BPF_JMP | BPF_CALL) &&
	     in->src_reg == BPF_PSEUDO_CALL) ||
	    (in->code == (BPF_LD | BPF_DW | BPF_IMM) &&
	     in->src_reg == BPF_PSEUDO_FUNC))
		return i + 1 + (size_t)(int64_t)in->imm;
	return 0;
}

static int
compare(const void *a, const void *b)
{
	const struct func *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

static int
find(const struct depth *d, size_t at)
{
	for (int i = 0; i < d->nfuncs; i++)
		if (d->funcs[i].at == at)
			return i;
	return -1;
}

static void
find_funcs(struct depth *d)
{
	d->funcs[d->nfuncs++] = (struct func){ .at = 0 };
	for (size_t i = 0; i < d->n; i++) {
		size_t to = target(d, i);
		if (to && find(d, to) < 0) {
			assert(d->nfuncs < MAX_FUNCS && to < d->n);
			d->funcs[d->nfuncs++] = (struct func){ .at = to };
		}
	}
	qsort(d->funcs, (size_t)d->nfuncs, sizeof(d->funcs[0]), compare);
	for (int i = 0; i < d->nfuncs; i++)
		d->funcs[i].end = i + 1 < d->nfuncs ? d->funcs[i + 1].at : d->n;
}

/* Addresses: what is loaded from or stored to, and sums of r10 and a number. */
static unsigned
frame_of(const struct depth *d, const struct func *f)
{
	bool is_fp[16] = { [BPF_REG_10] = true };
	int low = 0;

	for (size_t i = f->at; i < f->end; i++) {
		const struct bpf_insn *in = &d->insns[i];
		int class = BPF_CLASS(in->code), at = 0;
		bool from = class == BPF_LDX, to = class == BPF_ST ||
						   class == BPF_STX;
		if ((from && in->src_reg == BPF_REG_10) ||
		    (to && in->dst_reg == BPF_REG_10))
			at = in->off;
		else if (in->code == (BPF_ALU64 | BPF_ADD | BPF_K) &&
			 is_fp[in->dst_reg])
			at = in->imm;
		if (at < low)
			low = at;
		if (in->code == (BPF_ALU64 | BPF_MOV | BPF_X))
			is_fp[in->dst_reg] = in->src_reg == BPF_REG_10;
		else if (class == BPF_ALU64 || class == BPF_ALU || from)
			is_fp[in->dst_reg] = in->dst_reg == BPF_REG_10;
	}
	return (unsigned)(low < -1 ? -low : 1);
}

static unsigned
deepest(struct depth *d, int which, int calls)
{
	struct func *f = &d->funcs[which];

	assert(calls <= DEPTH_CALLS);
	if (f->done)
		return f->deepest;
	f->frame = frame_of(d, f);
	f->below = -1;
	unsigned most = 0;
	for (size_t i = f->at; i < f->end; i++) {
		size_t to = target(d, i);
		int callee = to ? find(d, to) : -1;
		if (callee < 0)
			continue;
		unsigned under = deepest(d, callee, calls + 1);
		if (under > most) {
			most = under;
			f->below = callee;
		}
	}
	f->done = true;
	return f->deepest = most + (f->frame + ROUND - 1) / ROUND * ROUND;
}

unsigned
diff_depth(const struct bpf_insn *insns, size_t n, struct sb *way)
{
	struct depth *d = calloc(1, sizeof(*d));

	assert(d);
	d->insns = insns;
	d->n = n;
	find_funcs(d);
	unsigned all = deepest(d, 0, 0);
	for (int i = 0; i >= 0; i = d->funcs[i].below)
		sb_printf(way, "%s%u (at %zu)", i ? " > " : "",
			  d->funcs[i].frame, d->funcs[i].at);
	free(d);
	return all;
}

/* --- Of what is loaded ------------------------------------------------------ */

static struct {
	unsigned depth;
	struct sb way;
} seen;

void __real_kern_prog_attr(enum bpf_prog_type type, const char *name,
			   const struct bpf_insn *insns, size_t n,
			   union bpf_attr *ret);
void __wrap_kern_prog_attr(enum bpf_prog_type type, const char *name,
			   const struct bpf_insn *insns, size_t n,
			   union bpf_attr *ret);

void
__wrap_kern_prog_attr(enum bpf_prog_type type, const char *name,
		      const struct bpf_insn *insns, size_t n,
		      union bpf_attr *ret)
{
	struct sb way;

	sb_init(&way, 1 << 16);
	sb_printf(&way, "%s: ", name);
	unsigned depth = diff_depth(insns, n, &way);
	if (depth > seen.depth) {
		sb_fini(&seen.way);
		seen.way = way;
		seen.depth = depth;
	} else {
		sb_fini(&way);
	}
	__real_kern_prog_attr(type, name, insns, n, ret);
}

unsigned
diff_depth_seen(const char **way)
{
	static struct sb last;
	unsigned depth = seen.depth;

	sb_fini(&last);
	last = seen.way;
	seen.way = (struct sb){ 0 };
	seen.depth = 0;
	*way = last.len ? sb_str(&last) : "";
	return depth;
}
