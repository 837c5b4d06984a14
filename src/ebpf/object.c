/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The generated code as an object (abi/obj.h): sections of code put behind one
 * another, sections of data as maps of one element, symbols as functions and
 * maps.  What the runtime has is declared only.
 *
 *  1. Each symbol is a function or a map.
 *  2. References are in the order of the code, and each is in it.
 *  3. A function that is no runtime's has code.
 */
#include <assert.h>
#include <string.h>

#include "base/base.h"
#include "ebpf/ebpf_priv.h"

struct image {
	struct ebpf *g;
	struct bpf_insn *code;
	struct abi_func *funcs;
	struct abi_map *maps;
	struct abi_ref *refs;
	uint32_t nfuncs, nmaps, nrefs;
	uint32_t at[SEC_NCODE];		/* where a section's code begins */
	uint32_t *index;		/* of g->syms, in funcs or maps */
};

static bool
is_func(const struct ebpf_sym *s)
{
	return s->kind == SYM_FUNC || s->kind == SYM_GFUNC ||
	       s->kind == SYM_RTFUNC;
}

static bool
allocate(struct image *im)
{
	struct ebpf *g = im->g;
	uint32_t ninsns = 0, nrefs = 0;

	for (int i = 0; i < SEC_NCODE; i++) {
		im->at[i] = ninsns;
		ninsns += (uint32_t)g->code[i].insns.n;
		nrefs += (uint32_t)g->code[i].relocs.n;
	}
	im->code = EBPF_ARRAY(g, struct bpf_insn, ninsns + 1);
	im->refs = EBPF_ARRAY(g, struct abi_ref, nrefs + 1);
	im->funcs = EBPF_ARRAY(g, struct abi_func, g->syms.n + 1);
	im->maps = EBPF_ARRAY(g, struct abi_map, g->syms.n + 1);
	im->index = EBPF_ARRAY(g, uint32_t, g->syms.n + 1);
	return im->code && im->refs && im->funcs && im->maps && im->index;
}

/* --- Maps ------------------------------------------------------------------- */

static struct abi_map
data_map(struct ebpf *g, const struct ebpf_sym *s)
{
	const struct { const void *data; size_t size; uint32_t flags; } rows[] = {
		[SEC_VARS] = { NULL, g->vars_size, 0 },
		[SEC_AGG] = { NULL, (size_t)g->agg_row * 2 * g->in->ncpus,
			      BPF_F_MMAPABLE },
		[SEC_STRS] = { arena_memdup(g->a, g->strs.v, g->strs.n),
			       g->strs.n, BPF_F_RDONLY_PROG },
		[SEC_TABLE] = { arena_memdup(g->a, g->table.v, g->table.n * 4),
				g->table.n * 4, BPF_F_RDONLY_PROG },
	};

	if ((s->sec == SEC_STRS || s->sec == SEC_TABLE) && !rows[s->sec].data)
		ebpf_fail(g, &err_nomem);
	return (struct abi_map){
		.name = s->name, .type = BPF_MAP_TYPE_ARRAY, .key_size = 4,
		.value_size = (uint32_t)rows[s->sec].size, .entries = 1,
		.flags = rows[s->sec].flags, .data = rows[s->sec].data };
}

static struct abi_map
map(struct ebpf *g, const struct ebpf_sym *s)
{
	const struct ebpf_mapdef *d = s->def;

	if (s->kind == SYM_DATA)
		return data_map(g, s);
	if (s->kind == SYM_RTMAP || s->kind == SYM_CTL)
		return (struct abi_map){ .name = s->name };
	assert(s->kind == SYM_MAP && d);				/* 1 */
	return (struct abi_map){
		.name = s->name, .type = d->type, .key_size = d->key_size,
		.value_size = d->value_size, .entries = d->max_entries,
		.flags = d->map_flags };
}

/* --- Functions -------------------------------------------------------------- */

static uint8_t
kind(const struct ebpf_sym *s)
{
	if (s->kind != SYM_FUNC)
		return ABI_FUNC_GLOBAL;
	return s->sec == SEC_PROG ? ABI_FUNC_PROG : ABI_FUNC_STATIC;
}

static struct abi_func
func(const struct image *im, const struct ebpf_sym *s)
{
	if (s->kind == SYM_RTFUNC)
		return (struct abi_func){ .name = s->name, .nargs = s->nargs };
	assert(s->size &&
	       s->value + s->size <= im->g->code[s->sec].insns.n);	/* 3 */
	return (struct abi_func){
		.name = s->name, .insn = im->at[s->sec] + s->value,
		.ninsns = s->size, .kind = kind(s), .attach = s->attach,
		.nargs = s->nargs };
}

static void
symbols(struct image *im)
{
	struct ebpf *g = im->g;

	for (size_t i = 0; i < g->syms.n; i++) {
		const struct ebpf_sym *s = &g->syms.v[i];
		if (is_func(s)) {
			im->index[i] = im->nfuncs;
			im->funcs[im->nfuncs++] = func(im, s);
		} else {
			im->index[i] = im->nmaps;
			im->maps[im->nmaps++] = map(g, s);
		}
	}
}

/* Functions of one section lie in it in any order of their symbols; what they
 * name is in the order of the code. */
static void
find_refs(struct image *im, struct abi_func *f)
{
	f->ref = (uint32_t)BASE_HOW_MANY(i, im->nrefs,
					 im->refs[i].insn < f->insn);
	for (uint32_t i = f->ref; i < im->nrefs &&
	     im->refs[i].insn < f->insn + f->ninsns; i++)
		f->nrefs++;
}

static void
code(struct image *im)
{
	struct ebpf *g = im->g;

	for (int i = 0; i < SEC_NCODE; i++) {
		const struct ebpf_code *c = &g->code[i];
		if (c->insns.n)
			memcpy(im->code + im->at[i], c->insns.v,
			       c->insns.n * sizeof(*im->code));
		for (size_t k = 0; k < c->relocs.n; k++) {
			struct ebpf_reloc r = c->relocs.v[k];
			assert(r.insn < c->insns.n && r.sym < g->syms.n); /* 2 */
			assert(!k || c->relocs.v[k - 1].insn < r.insn);	/* 2 */
			im->refs[im->nrefs++] = (struct abi_ref){
				im->at[i] + r.insn, im->index[r.sym] };
		}
	}
	for (uint32_t i = 0; i < im->nfuncs; i++)
		find_refs(im, &im->funcs[i]);
}

void
ebpf_finish(struct ebpf *g, struct abi_obj *ret)
{
	struct image im = { .g = g };

	if (!allocate(&im))
		return;
	symbols(&im);
	code(&im);
	assert(im.nfuncs + im.nmaps == g->syms.n);			/* 1 */
	*ret = (struct abi_obj){
		.code = im.code, .funcs = im.funcs, .maps = im.maps,
		.refs = im.refs, .nfuncs = im.nfuncs, .nmaps = im.nmaps };
}
