/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Records, keys, cells and the interpreter's memory are allocated exactly, so
 * that the sanitizer sees a byte too many.
 */
#include <stdlib.h>
#include <string.h>

#include "difasm/difasm.h"
#include "ebpf/ebpf.h"
#include "ebpf/object.h"
#include "engine.h"
#include "fuzz.h"
#include "vm/vm.h"

enum { GROUPS_MAX = 32, CELLS_MAX = 1 << 16, MEM_MAX = 32 << 20 };

static char execname[16] = "fuzz", probename[] = "entry";

struct group {
	const struct abi_agg_desc *desc;
	uint8_t *key;
	uint64_t *cells;
};

struct engine {
	struct vm vm;
	void *mem;
	uint64_t seed;
	engine_record_fn *fn;
	void *ctx;
	struct group groups[GROUPS_MAX];
	unsigned ngroups;
	unsigned reserved;	/* records neither committed nor discarded */
};

/* --- The world ------------------------------------------------------------- */

static uint64_t
mix(uint64_t v)
{
	v = (v ^ v >> 31) * 0x7fb5d329728ea185;
	v = (v ^ v >> 27) * 0x81dadef4bc2dd44d;
	return v ^ v >> 33;
}

/* Noise with a NUL in every fourth byte or so; one page in eight and the ends
 * of the address space cannot be read. */
static bool
load(void *ctx, uint64_t addr, void *buf, size_t n)
{
	const struct engine *e = ctx;
	uint8_t *p = buf;

	for (size_t i = 0; i < n; i++) {
		uint64_t at = addr + i, v = mix(at ^ e->seed);
		if (at < 4096 || at >= (uint64_t)-4096 ||
		    mix(at / 4096 ^ e->seed) % 8 == 0)
			return false;
		p[i] = v & 0x300 ? (uint8_t)v : 0;
	}
	return true;
}

static bool
bvar(void *ctx, uint32_t id, uint64_t index, uint64_t *ret)
{
	const struct engine *e = ctx;
	const struct dif_bvarinfo *info = dif_bvar_info(id);

	fuzz_must(info);
	if (info->size)
		*ret = mix(e->seed ^ id ^ index << 16);
	else if (id >= DIF_VAR_EXECARGS)
		*ret = mix(e->seed ^ id);	/* of the world's memory */
	else
		*ret = (uintptr_t)(id & 1 ? execname : probename);
	return mix(e->seed + id) % 16 != 0;
}

static uint32_t
rand32(void *ctx)
{
	struct engine *e = ctx;

	e->seed = mix(e->seed + 1);
	return (uint32_t)e->seed;
}

static bool
progenyof(void *ctx, int64_t pid)
{
	return pid & 1;
}

static uint32_t
stack(void *ctx, bool user, uint64_t *pcs, uint32_t max)
{
	uint32_t n = 0;

	for (; n < 20 && n < max; n++)
		pcs[n] = rand32(ctx);
	return n;
}

static void *
reserve(void *ctx, size_t size)
{
	struct engine *e = ctx;

	fuzz_must(size >= sizeof(struct abi_record) && size % 8 == 0);
	if (rand32(e) % 16 == 0)
		return NULL;
	e->reserved++;
	return malloc(size);
}

static void
discard(void *ctx, void *record)
{
	struct engine *e = ctx;

	e->reserved--;
	free(record);
}

static void
commit(void *ctx, void *record)
{
	struct engine *e = ctx;

	if (e->fn)
		e->fn(e->ctx, record, ((struct abi_record *)record)->size);
	discard(ctx, record);
}

static void *
copy_of(const void *p, size_t n)
{
	void *copy = malloc(n ? n : 1);

	return n ? memcpy(copy, p, n) : copy;
}

static uint64_t *
cells(void *ctx, const struct abi_agg_desc *agg, const void *key)
{
	struct engine *e = ctx;

	for (unsigned i = 0; i < e->ngroups; i++)
		if (e->groups[i].desc == agg &&
		    !memcmp(e->groups[i].key, key, agg->key_size))
			return e->groups[i].cells;
	if (e->ngroups == GROUPS_MAX || agg->ncells > CELLS_MAX)
		return NULL;
	struct group *g = &e->groups[e->ngroups++];
	*g = (struct group){ agg, copy_of(key, agg->key_size),
			     calloc(agg->ncells, sizeof(uint64_t)) };
	return g->cells;
}

static const struct vm_env env = {
	.load = load, .uload = load, .bvar = bvar, .rand = rand32,
	.progenyof = progenyof, .stack = stack, .reserve = reserve,
	.commit = commit, .discard = discard, .cells = cells,
};

/* --- The interpreter ---------------------------------------------------------- */

static bool
is_reasonable(const struct plan_prog *p)
{
	uint64_t size = 0;

	for (uint32_t i = 0; i < p->nvars; i++) {
		if (p->vars[i].type.size > MEM_MAX)
			return false;
		size += p->vars[i].type.size + (uint64_t)p->vars[i].key_size;
	}
	return size * 16 < MEM_MAX && p->strsize <= 1 << 16;
}

static void
fire(struct engine *e, const struct plan_prog *p)
{
	struct abi_error_record r;

	vm_fire(&e->vm);
	for (uint32_t i = 0; i < p->nclauses; i++) {
		enum vm_outcome was = vm_clause(&e->vm, &p->clauses[i], i + 1);
		fuzz_must(!e->reserved);
		if (was != VM_FAULTED)
			continue;
		fuzz_must(e->vm.fault.fault >= 0);
		vm_error_record(&e->vm, i + 1, &r);
		if (e->fn)
			e->fn(e->ctx, &r, sizeof(r));
	}
}

void
engine_interpret(const struct plan_prog *p, uint64_t seed, unsigned firings,
		 engine_record_fn *fn, void *ctx)
{
	static const struct vm_region regions[] = {
		{ execname, sizeof(execname) },
		{ probename, sizeof(probename) },
	};
	struct engine e = { .seed = seed, .fn = fn, .ctx = ctx };
	struct vm_config cfg = {
		.prog = p, .env = &env, .ctx = &e, .regions = regions,
		.nregions = BASE_NELEMS(regions),
		.scratch_size = seed & 1 ? 16384 : 1000, .ndynamic = seed % 9,
	};

	if (!is_reasonable(p))
		return;
	e.mem = malloc(vm_size(&cfg));
	vm_init(&e.vm, &cfg, e.mem);
	for (unsigned i = 0; i < firings; i++, e.seed = mix(e.seed + i))
		fire(&e, p);
	for (unsigned i = 0; i < e.ngroups; i++) {
		free(e.groups[i].key);
		free(e.groups[i].cells);
	}
	free(e.mem);
}

/* --- Code for the kernel ------------------------------------------------------ */

static const struct abi_point table_point = {
	.attach = ABI_ATTACH_RAWTP, .find = ABI_FIND_TABLE,
	.target = "sys_enter", .index = { ABI_ARG_CTX, 8, .off = 8 },
	.nindex = 8, .compat = 4,
	.args = { { ABI_ARG_REG, 8, .reg = ABI_ROLE_CALL0 },
		  { ABI_ARG_REG, 4, 1, .reg = ABI_ROLE_CALL1 },
		  { ABI_ARG_CONST, 8, .off = 7 },
		  { ABI_ARG_KMEM, 2, 1, 8, .off = -16 } },
	.compat_args = { { ABI_ARG_REG, 4, .reg = ABI_ROLE_COMPAT0 } },
	.errno_arg = { ABI_ARG_CTX, 8, .off = 8 },
};
static const struct abi_point one_point = {
	.attach = ABI_ATTACH_PERF, .find = ABI_FIND_ONE, .target = "profile",
	.args = { { .kind = ABI_ARG_KPC }, { .kind = ABI_ARG_UPC } },
};

/* All clauses on a probe of a table, the first and the last on another, all
 * on one that is alone, the last on ERROR. */
static struct err *
generate(struct arena *a, const struct plan_prog *p)
{
	uint32_t *all = ARENA_ARRAY(a, uint32_t, p->nclauses);
	uint32_t ends[2] = { 0, p->nclauses - 1 };
	uint8_t cpus[3] = { 1, 0, 1 };
	struct ebpf_object *o;

	for (uint32_t i = 0; i < p->nclauses; i++)
		all[i] = i;
	struct plan_probe table[] = {
		{ 4, { "p", "m", "a", "entry" }, all, p->nclauses, { 3 }, 1 },
		{ 5, { "p", "m", "b", "entry" }, ends, p->nclauses > 1 ? 2 : 1,
		  { 4, 6 }, 2 },
	};
	struct plan_probe one = { 9, { "profile", "", "", "profile-97" }, all,
				  p->nclauses };
	struct ebpf_point points[] = {
		{ &table_point, table, 2, false }, { &one_point, &one, 1, true },
	};
	struct ebpf_input in = {
		.plan = p, .points = points, .npoints = 2,
		.error = { 3, { "dtrace", "", "", "ERROR" }, &ends[1], 1 },
		.ncpus = 3, .ring_cpus = cpus, .ring_size = 4096,
		.scratch_size = 16384,
	};
	unsigned needs = ebpf_needs(&in);
	for (unsigned i = 0; i < ABI_NKOFFS; i++)
		in.kernel.off[i] = needs ? i * 8 : UINT32_MAX;
	in.kernel.cast_id = in.kernel.regs_id = 7;
	return ebpf_generate(a, &in, &o);
}

void
engine_generate(const struct plan_prog *p)
{
	struct arena *a = arena_new();
	struct err *e = p->nclauses ? generate(a, p) : NULL;

	if (e && e->code != ERR_LIMIT)
		fuzz_fail("ebpf_generate: %s", e->text);
	err_free(e);
	arena_free(a);
}

/* --- Text ------------------------------------------------------------------------ */

static bool
same(const void *a, const void *b, size_t n)
{
	return !n || !memcmp(a, b, n);
}

static bool
same_difo(const struct dif_difo *a, const struct dif_difo *b)
{
	return a->ntext == b->ntext && a->nints == b->nints &&
	       a->strs_size == b->strs_size && a->nvars == b->nvars &&
	       same(a->text, b->text, a->ntext * sizeof(*a->text)) &&
	       same(a->ints, b->ints, a->nints * sizeof(*a->ints)) &&
	       same(a->strs, b->strs, a->strs_size) &&
	       same(a->vars, b->vars, a->nvars * sizeof(*a->vars)) &&
	       same(&a->rtype, &b->rtype, sizeof(a->rtype)) &&
	       !a->lines == !b->lines &&
	       (!a->lines ||
		same(a->lines, b->lines, a->ntext * sizeof(*a->lines)));
}

void
engine_print(const struct dif_difo *d)
{
	struct dif_difo *again = NULL;
	struct base_buf buf;
	char small[100];
	struct sb b;

	base_buf_init(&buf, small, sizeof(small));
	dif_print(d, &buf);
	fuzz_must(strnlen(small, sizeof(small)) < sizeof(small));
	sb_init(&b, 64 << 20);
	difasm_disassemble(d, &b);
	fuzz_must(!b.failed);
	struct err *e = difasm_assemble(sb_str(&b), &again);
	if (e)
		fuzz_fail("cannot assemble what was disassembled: %s\n%s",
			  e->text, sb_str(&b));
	if (!same_difo(d, again))
		fuzz_fail("assembles to something else:\n%s", sb_str(&b));
	difasm_free(again);
	sb_fini(&b);
}
