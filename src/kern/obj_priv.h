/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What obj.c joins, load.c loads and types.c describes.
 */
#ifndef KERN_OBJ_PRIV_H
#define KERN_OBJ_PRIV_H

#include <assert.h>

#include "abi/attach.h"
#include "abi/obj.h"
#include "kern/kern_priv.h"
#include "util/vec.h"

struct obj_func {
	const struct abi_func *f;
	const struct abi_obj *from;
	uint32_t func0, map0;	/* where the functions and maps of `from` begin
				 * in the tables below */
	uint32_t def;		/* itself, or where it is defined */
	uint32_t prog;		/* 1 + the program it was last put into */
	uint32_t at;		/* instruction within that */
	uint32_t part, nparts;	/* a program: its functions, in o->parts */
	int type;		/* in BTF; 0: not asked for */
	int fd;			/* a program; -1: not loaded */
	uint32_t btf_id;	/* a typed program: what it is for */
	int btf_module;		/* whose number that is; 0: the kernel's */
	bool load;
};

struct obj_map {
	struct abi_map m;
	uint32_t def;		/* itself, or where it is defined */
	int fd;			/* -1: not made; else < 0: -errno */
	int value_type;		/* in BTF; 0: the kernel need not know */
	bool needed, filled;
};

struct kern_obj {
	struct obj_func *funcs;
	struct obj_map *maps;
	uint32_t nfuncs, nmaps;
	/* For each program that is loaded, itself first, the functions that it
	 * reaches. */
	VEC(uint32_t) parts;
	int btf;		/* descriptor */
	int key_type;		/* in BTF: int */
	bool preallocate;	/* the kernel wants hashes so */
	bool turns;		/* the kernel lacks what turns.c stands in for */
	bool turned;		/* and loops are turned by it */
	bool has_maps;		/* all that are needed */
};

/* A program as it is loaded. */
struct obj_image {
	struct kern_obj *o;
	struct obj_func *p;
	struct bpf_insn *insns;
	struct bpf_func_info *info;	/* of its parts, and what turns.c has added */
	uint32_t ninsns, nparts, ninfo;
};

static inline bool
obj_is_prog(const struct abi_func *f)
{
	return f->kind == ABI_FUNC_PROG;
}

/* The definition of what r, of f, names. */
static inline struct obj_func *
obj_func(const struct kern_obj *o, const struct obj_func *f,
	 const struct abi_ref *r)
{
	assert(f->func0 + r->target < o->nfuncs);
	uint32_t def = o->funcs[f->func0 + r->target].def;
	assert(def < o->nfuncs && o->funcs[def].f->ninsns);
	return &o->funcs[def];
}

static inline struct obj_map *
obj_map(const struct kern_obj *o, const struct obj_func *f,
	const struct abi_ref *r)
{
	assert(f->map0 + r->target < o->nmaps);
	uint32_t def = o->maps[f->map0 + r->target].def;
	assert(def < o->nmaps && o->maps[def].m.type);
	return &o->maps[def];
}

/* types.c: tell the kernel the types of all functions in parts, and of maps
 * that want it; sets o->btf. */
struct err *kern_obj_types(struct kern_obj *o);

/* turns.c: do without what is newer than Linux 5.15. */
struct err *kern_obj_turns(struct obj_image *im);

#endif
