/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A small world for the interpreter: two pages of memory, a few variables, a
 * place for records and aggregations.
 */
#ifndef TESTS_VM_WORLD_H
#define TESTS_VM_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "random_dif.h"
#include "vm/vm.h"

#define KMEM 0xffff888000001000u	/* kernel page */
#define UMEM 0x00007f0000001000u	/* user page */
enum { PAGE = 4096, MAX_CELLS = 200, MAX_GROUPS = 8, MAX_RECORDS = 8 };

struct world {
	struct vm vm;
	void *mem;
	struct plan_prog prog;
	struct abi_field key2[2];	/* of V_A: an integer and a string */
	struct abi_field key1[1];	/* of V_TA: a string of 20 bytes */
	struct plan_var vars[8];
	struct vm_region region;
	uint8_t kmem[PAGE], umem[PAGE];
	char execname[16];
	uint64_t tid, timestamp;
	uint32_t rand;

	unsigned max_groups;
	unsigned ngroups;
	struct {
		uint32_t agg;
		uint8_t key[64];
		uint64_t cells[MAX_CELLS];
	} groups[MAX_GROUPS];

	bool full;			/* no room for records */
	unsigned nreserved, ncommitted, ndiscarded;
	uint32_t act;			/* the last ACT, and its value */
	uint64_t act_value;
	uint64_t record[64];		/* the last one */
};

static inline bool
world_read(const uint8_t *mem, uint64_t base, uint64_t addr, void *buf,
	   size_t n)
{
	if (addr < base || n > PAGE || addr - base > PAGE - n)
		return false;
	memcpy(buf, mem + (addr - base), n);
	return true;
}

static inline bool
world_load(void *ctx, uint64_t addr, void *buf, size_t n)
{
	struct world *w = ctx;

	return world_read(w->kmem, KMEM, addr, buf, n);
}

static inline bool
world_uload(void *ctx, uint64_t addr, void *buf, size_t n)
{
	struct world *w = ctx;

	return world_read(w->umem, UMEM, addr, buf, n);
}

static inline bool
world_bvar(void *ctx, uint32_t id, uint64_t index, uint64_t *ret)
{
	struct world *w = ctx;

	switch (id) {
	case DIF_VAR_ARGS: *ret = 100 + index; return true;
	case DIF_VAR_UREGS: *ret = 7; return index == 3;
	case DIF_VAR_PID: *ret = 0xffffffff00000042u; return true;
	case DIF_VAR_TID: *ret = w->tid; return true;
	case DIF_VAR_ID: *ret = 77; return true;
	case DIF_VAR_TIMESTAMP: *ret = w->timestamp; return true;
	case DIF_VAR_EXECNAME: *ret = (uintptr_t)w->execname; return true;
	default: return false;
	}
}

static inline uint32_t
world_rand(void *ctx)
{
	return ((struct world *)ctx)->rand;
}

static inline bool
world_progenyof(void *ctx, int64_t pid)
{
	return pid == 0x42 || pid == 1;
}

static inline uint32_t
world_stack(void *ctx, bool user, uint64_t *pcs, uint32_t max)
{
	uint32_t n = 0;

	for (; n < 3 && n < max; n++)
		pcs[n] = (user ? 0x400000 : KMEM) + n;
	return n;
}

static inline void *
world_reserve(void *ctx, size_t size)
{
	struct world *w = ctx;

	if (w->full || size > sizeof(w->record))
		return NULL;
	memset(w->record, 0xee, sizeof(w->record));
	w->nreserved++;
	return w->record;
}

static inline void
world_commit(void *ctx, void *record)
{
	((struct world *)ctx)->ncommitted++;
}

static inline void
world_discard(void *ctx, void *record)
{
	((struct world *)ctx)->ndiscarded++;
}

static inline uint64_t *
world_cells(void *ctx, const struct abi_agg_desc *agg, const void *key)
{
	struct world *w = ctx;
	unsigned i = 0;

	for (; i < w->ngroups; i++)
		if (w->groups[i].agg == agg->id &&
		    !memcmp(w->groups[i].key, key, agg->key_size))
			return w->groups[i].cells;
	if (i == w->max_groups)
		return NULL;
	w->ngroups++;
	w->groups[i].agg = agg->id;
	memcpy(w->groups[i].key, key, agg->key_size);
	return w->groups[i].cells;
}

/* User memory can be written except for its first byte. */
static inline bool
world_ustore(void *ctx, uint64_t addr, const void *buf, size_t n)
{
	struct world *w = ctx;

	if (addr <= UMEM || addr > UMEM + PAGE - n)
		return false;
	memcpy(w->umem + (addr - UMEM), buf, n);
	return true;
}

/* Each subroutine has an answer of its own; nothing is at 0.  A path is the
 * text at KMEM. */
static inline bool
world_ask(void *ctx, uint32_t subr, uint64_t arg, uint64_t *ret)
{
	*ret = subr == DIF_SUBR_D_PATH ? KMEM : subr * 1000 + arg;
	return arg != 0;
}

/* Entry 7 of file system 3 has a path, of 12 bytes. */
static inline bool
world_path(void *ctx, uint64_t mnt, uint64_t dentry, char *dst, uint32_t size)
{
	static const char path[] = "/mount/entry";

	for (uint32_t i = 0; i < size; i++)
		dst[i] = i + 1 < size && i < sizeof(path) ? path[i] : '\0';
	return mnt == 3 && dentry == 7;
}

/* Above 100 nothing can be done. */
static inline bool
world_act(void *ctx, uint32_t act, uint64_t value)
{
	struct world *w = ctx;

	w->act = act;
	w->act_value = value;
	return value <= 100;
}

static const struct vm_env world_env = {
	.load = world_load, .uload = world_uload, .bvar = world_bvar,
	.rand = world_rand, .progenyof = world_progenyof,
	.act = world_act, .ask = world_ask, .path = world_path,
	.ustore = world_ustore,
	.stack = world_stack, .reserve = world_reserve,
	.commit = world_commit, .discard = world_discard,
	.cells = world_cells,
};

/* The variables of random_dif.h. */
static inline void
world_vars(struct world *w)
{
	w->key2[0] = (struct abi_field){ ABI_FIELD_INT, 1, 0, 8, 0, 8 };
	w->key2[1] = (struct abi_field){ ABI_FIELD_STRING, 0, 0, 1, 8, 8 };
	w->key1[0] = (struct abi_field){ ABI_FIELD_STRING, 0, 0, 1, 0, 20 };
	for (unsigned i = 0; i < BASE_NELEMS(rdif_vars); i++) {
		const struct dif_var *v = &rdif_vars[i];

		w->vars[i] = (struct plan_var){
			.name = rdif_strs + v->name, .id = v->id,
			.scope = v->scope, .kind = v->kind, .type = v->type,
		};
	}
	w->vars[3].nkeys = 2;
	w->vars[3].key_size = 16;
	w->vars[3].keys = w->key2;
	w->vars[4].nkeys = 1;
	w->vars[4].key_size = 24;
	w->vars[4].keys = w->key1;
	w->prog.vars = w->vars;
	w->prog.nvars = BASE_NELEMS(rdif_vars);
}

/* w is zeroed but for what the test wants other than usual: vars beyond those
 * of the fixture, aggregations, strsize. */
static inline void
world_start(struct world *w, uint32_t scratch_size, uint32_t ndynamic)
{
	struct vm_config cfg = {
		.prog = &w->prog, .env = &world_env, .ctx = w,
		.regions = &w->region, .nregions = 1,
		.scratch_size = scratch_size, .ndynamic = ndynamic,
		.nspec = 2, .specsize = 64,
	};

	if (!w->prog.strsize)
		w->prog.strsize = 64;
	strcpy(w->execname, "cat");
	w->region = (struct vm_region){ w->execname, sizeof(w->execname) };
	w->tid = 5;
	w->timestamp = 123456789;
	w->max_groups = MAX_GROUPS;
	w->mem = malloc(vm_size(&cfg));
	assert_non_null(w->mem);
	vm_init(&w->vm, &cfg, w->mem);
	vm_fire(&w->vm);
}

static inline void
world_init(struct world *w)
{
	memset(w, 0, sizeof(*w));
	world_vars(w);
	world_start(w, 1024, 4);
}

static inline void
world_fini(struct world *w)
{
	free(w->mem);
}

static inline void
must_verify(const struct dif_difo *d)
{
	char text[256];
	struct base_buf b;

	base_buf_init(&b, text, sizeof(text));
	if (!dif_verify(d, &b))
		fail_msg("verifier: %s", text);
}

static inline void
expect_fault(const struct world *w, int fault, uint64_t value, int32_t off)
{
	if (w->vm.fault.fault != fault || w->vm.fault.value != value ||
	    w->vm.fault.dif_offset != off)
		fail_msg("fault %d value %llx offset %d, expected %d %llx %d",
			 w->vm.fault.fault,
			 (unsigned long long)w->vm.fault.value,
			 w->vm.fault.dif_offset, fault,
			 (unsigned long long)value, off);
}

#endif
