/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The whole compiler, from text to values.  Its world has one struct with a
 * member for each kind of access, and memory at the addresses where a kernel
 * and a process would have it, so that a read of the wrong one is a fault.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"
#include "support/mktype.h"
#include "type/make.h"
#include "util/alloc.h"

const char rig_decls[] =
	"struct blob {\n"
	"	signed char c; unsigned char uc; short s; unsigned short us;\n"
	"	int i; unsigned int ui; long l; unsigned long ul;\n"
	"	unsigned int b3 : 3; int sb5 : 5; unsigned int b20 : 20;\n"
	"	int sb12 : 12; unsigned long b40 : 40; long sb24 : 24;\n"
	"	char name[16]; struct { int x, y; } at; struct blob *next;\n"
	"	unsigned char bytes[8]; int matrix[2][3];\n"
	"};\n";

/* --- The world ---------------------------------------------------------- */

static struct type *
blob_type(struct arena *a)
{
	struct type_member xy[] = {
		{ "x", &type_int, 0, 0 }, { "y", &type_int, 0, 0 },
	};
	struct type *next = type_new_ptr(a, &type_void), *blob;
	struct type_member m[] = {
		{ "c", &type_schar, 0, 0 }, { "uc", &type_uchar, 0, 0 },
		{ "s", &type_short, 0, 0 }, { "us", &type_ushort, 0, 0 },
		{ "i", &type_int, 0, 0 }, { "ui", &type_uint, 0, 0 },
		{ "l", &type_long, 0, 0 }, { "ul", &type_ulong, 0, 0 },
		{ "b3", &type_uint, 0, 3 }, { "sb5", &type_int, 0, 5 },
		{ "b20", &type_uint, 0, 20 }, { "sb12", &type_int, 0, 12 },
		{ "b40", &type_ulong, 0, 40 }, { "sb24", &type_long, 0, 24 },
		{ "name", type_new_array(a, &type_char, 16), 0, 0 },
		{ "at", mktype_sou(a, TYPE_STRUCT, NULL, xy, 2), 0, 0 },
		{ "next", next, 0, 0 },
		{ "bytes", type_new_array(a, &type_uchar, 8), 0, 0 },
		{ "matrix", type_new_array(a, type_new_array(a, &type_int, 3),
					   2), 0, 0 },
	};

	blob = mktype_sou(a, TYPE_STRUCT, "kblob", m, BASE_NELEMS(m));
	if (next && blob)
		next->base = blob;
	return blob;
}

static bool
find_symbol(void *ctx, const char *module, const char *name, uint64_t *addr,
	    const struct type **type)
{
	struct rig *r = ctx;
	struct type *blob = blob_type(r->a);

	*addr = RIG_KERNEL;
	if (!strcmp(name, "blob"))
		*type = blob;
	else if (!strcmp(name, "blobs"))
		*type = type_new_array(r->a, blob, 4);
	else if (!strcmp(name, "counter"))
		*type = &type_int;
	else if (!strcmp(name, "fn"))
		*type = NULL;
	else
		return false;
	return true;
}

static const struct probe_provattr stable = {
	.provider = { PROBE_STABLE, PROBE_STABLE, PROBE_CLASS_COMMON },
	.module = { PROBE_STABLE, PROBE_STABLE, PROBE_CLASS_COMMON },
	.function = { PROBE_STABLE, PROBE_STABLE, PROBE_CLASS_COMMON },
	.name = { PROBE_STABLE, PROBE_STABLE, PROBE_CLASS_COMMON },
	.args = { PROBE_STABLE, PROBE_STABLE, PROBE_CLASS_COMMON },
};

/* test:::args has typed arguments: int, unsigned char, userland char *,
 * struct kblob *, userland struct kblob *, short (raw argument 7). */
static const struct probe probes[] = {
	{ .id = 1, .prov = "dtrace", .mod = "", .func = "", .name = "BEGIN",
	  .attr = &stable },
	{ .id = 2, .prov = "test", .mod = "mod", .func = "func",
	  .name = "args", .attr = &stable },
};

static struct err *
match(void *ctx, const struct probe_desc *d,
      bool (*fn)(void *arg, const struct probe *p), void *arg)
{
	for (size_t i = 0; i < BASE_NELEMS(probes); i++)
		if (probe_desc_match(d, &probes[i]) && !fn(arg, &probes[i]))
			break;
	return NULL;
}

static const struct type *
arg_type(void *ctx, const struct probe *p, unsigned n, unsigned *raw)
{
	struct rig *r = ctx;
	struct type *to;

	if (p->id != 2)
		return NULL;
	*raw = n;
	switch (n) {
	case 0:
		return &type_int;
	case 1:
		return &type_uchar;
	case 2:
		to = type_new_ptr(r->a, &type_char);
		if (to)
			to->is_user = true;
		return to;
	case 3:
		return type_new_ptr(r->a, blob_type(r->a));
	case 4:
		to = type_new_ptr(r->a, blob_type(r->a));
		if (to)
			to->is_user = true;
		return to;
	case 5:
		*raw = 7;
		return &type_short;
	default:
		return NULL;
	}
}

/* --- The machine -------------------------------------------------------- */

static bool
load_from(const uint8_t *mem, uint64_t base, uint64_t addr, void *buf,
	  size_t n)
{
	uint64_t off = addr - base;

	if (addr < base || off >= RIG_MEM || n > RIG_MEM - off)
		return false;
	memcpy(buf, mem + off, n);
	return true;
}

static bool
load(void *ctx, uint64_t addr, void *buf, size_t n)
{
	struct rig *r = ctx;

	return load_from(r->kernel, RIG_KERNEL, addr, buf, n);
}

static bool
uload(void *ctx, uint64_t addr, void *buf, size_t n)
{
	struct rig *r = ctx;

	return load_from(r->user, RIG_USER, addr, buf, n);
}

/* Strings stand at the end of kernel memory, 32 bytes each. */
static bool
bvar(void *ctx, uint32_t id, uint64_t index, uint64_t *ret)
{
	struct rig *r = ctx;

	switch (id) {
	case DIF_VAR_ARGS: *ret = index < 10 ? r->args[index] : 0; break;
	case DIF_VAR_UREGS: *ret = 1000 + index; break;
	case DIF_VAR_PID: *ret = 1234; break;
	case DIF_VAR_TID: *ret = 1235; break;
	case DIF_VAR_UID: *ret = 0xfffffffe; break;
	case DIF_VAR_ID: *ret = 77; break;
	case DIF_VAR_TIMESTAMP: *ret = 1ull << 40; break;
	case DIF_VAR_EXECNAME: *ret = RIG_KERNEL + 4096 - 32; break;
	case DIF_VAR_PROBEFUNC: *ret = RIG_KERNEL + 4096 - 64; break;
	default:
		if (id >= DIF_VAR_ARG0 && id <= DIF_VAR_ARG9)
			*ret = r->args[id - DIF_VAR_ARG0];
		else
			return false;
	}
	return true;
}

static uint32_t
fixed_rand(void *ctx)
{
	return 42;
}

static bool
progenyof(void *ctx, int64_t pid)
{
	return pid == 1;
}

static void *
reserve(void *ctx, size_t size)
{
	struct rig *r = ctx;

	assert_true(size <= RIG_RECORD);
	memset(r->record, 0xee, sizeof(r->record));
	return r->record;
}

static void
commit(void *ctx, void *record)
{
	((struct rig *)ctx)->committed = true;
}

static void
discard(void *ctx, void *record)
{
}

static uint64_t *
cells(void *ctx, const struct abi_agg_desc *agg, const void *key)
{
	struct rig *r = ctx;

	assert_true(agg->ncells <= RIG_MAX_CELLS && agg->key_size <= 512);
	for (unsigned i = 0; i < r->naggs; i++)
		if (r->aggs[i].desc == agg &&
		    !memcmp(r->aggs[i].key, key, agg->key_size))
			return r->aggs[i].cells;
	if (r->naggs == RIG_MAX_AGGS)
		return NULL;
	r->aggs[r->naggs].desc = agg;
	memcpy(r->aggs[r->naggs].key, key, agg->key_size);
	return r->aggs[r->naggs++].cells;
}

static const struct vm_env env = {
	.load = load, .uload = uload, .bvar = bvar, .rand = fixed_rand,
	.progenyof = progenyof, .reserve = reserve, .commit = commit,
	.discard = discard, .cells = cells,
};

static void
fill_memory(struct rig *r)
{
	static const struct rig_tail tail = { 5, 0xabcde, -3000000000 };
	static const struct rig_blob blob = {
		.c = -3, .uc = 0xfd, .s = -3000, .us = 0xfffd, .i = -70000,
		.ui = 0xfffffffd, .l = -5000000000, .ul = 0xfedcba9876543210,
		.b3 = 5, .sb5 = -9, .b20 = 0xabcde, .sb12 = -1999,
		.b40 = 0xfedcba9876, .sb24 = -8000000, .name = "blobby",
		.at = { 11, -22 },
		.next = (void *)(uintptr_t)(RIG_KERNEL + 512),
		.bytes = { 1, 2, 4, 8, 16, 32, 64, 128 },
		.matrix = { { 1, 2, 3 }, { 4, 5, 6 } },
	};
	struct rig_blob next = blob;

	next.i = 17;
	next.next = NULL;
	strcpy(next.name, "second");
	memcpy(r->kernel, &blob, sizeof(blob));
	memcpy(r->kernel + 512, &next, sizeof(next));
	strcpy((char *)r->kernel + 4096 - 32, "prog");
	strcpy((char *)r->kernel + 4096 - 64, "probed");
	next.i = -18;
	next.next = (void *)(uintptr_t)RIG_USER;
	memcpy(r->user, &next, sizeof(next));
	strcpy((char *)r->user + 1024, "from user land");
	memcpy(r->kernel + RIG_MEM - sizeof(tail), &tail, sizeof(tail));
	memcpy(r->user + RIG_MEM - sizeof(tail), &tail, sizeof(tail));
}

/* --- Compile and run ---------------------------------------------------- */

void
rig_init(struct rig *r)
{
	memset(r, 0, sizeof(*r));
	fill_memory(r);
	r->args[0] = RIG_KERNEL;
	r->args[1] = 1111;
	r->args[9] = (uint64_t)-9;
}

void
rig_fini(struct rig *r)
{
	sema_free(r->sema);
	if (r->have_opts)
		opt_fini(&r->opts);
	arena_free(r->a);
	intern_fini(&r->names);
	free(r->mem);
}

static const struct sema_prog *
analyse(struct rig *r, const char *text)
{
	static const struct sema_world world = {
		.find_symbol = find_symbol, .match = match,
		.arg_type = arg_type,
	};
	struct sema_world *w = arena_memdup(r->a, &world, sizeof(world));
	struct lang_source *src = arena_alloc(r->a, sizeof(*src));
	struct err *e = opt_init(&r->opts);

	r->have_opts = !e;
	err_free(e);
	if (e || !w || !src)
		return NULL;
	w->ctx = r;
	*src = (struct lang_source){ NULL, text, (uint32_t)strlen(text) };
	e = sema_new(r->a, &r->names, &r->opts, w, &r->sema);
	err_free(e);
	if (e)
		return NULL;
	struct lang_env le = {
		.a = r->a, .names = &r->names, .diags = &r->diags,
		.is_type = sema_is_type, .ctx = r->sema,
	};
	struct ast_program *ast = lang_parse(&le, src);
	if (!ast || r->diags.n)
		return NULL;
	return sema_program(r->sema, ast, &r->diags, 0);
}

void
rig_compile(struct rig *r, const char *text)
{
	r->a = arena_new();
	if (!r->a)
		return;
	diag_init(&r->diags, r->a);
	const struct sema_prog *p = analyse(r, text);
	if (!p || r->diags.n)
		return;
	r->plan = gen_plan(r->a, r->sema, &p, 1, RIG_STRSIZE,
			   r->opts.v[OPT_OFORMAT] > 0, &r->diags);
}

void
rig_load(struct rig *r, const char *text)
{
	struct sb b;

	rig_compile(r, text);
	if (!r->plan) {
		sb_init(&b, 65536);
		for (struct diag *d = r->diags.first; d; d = d->next)
			diag_print_line(d, true, &b);
		fail_msg("%s\n%.800s", sb_str(&b), strlen(text) > 800 ?
			 text + strlen(text) - 800 : text);
	}
	struct vm_config cfg = {
		.prog = r->plan, .env = &env, .ctx = r,
		.scratch_size = 65536, .ndynamic = 64,
	};
	r->mem = calloc(1, vm_size(&cfg));
	assert_non_null(r->mem);
	vm_init(&r->vm, &cfg, r->mem);
}

enum vm_outcome
rig_run(struct rig *r, unsigned clause)
{
	assert_true(clause < r->plan->nclauses);
	r->committed = false;
	vm_fire(&r->vm);
	return vm_clause(&r->vm, &r->plan->clauses[clause], 1);
}

void
rig_run_all(struct rig *r)
{
	for (unsigned i = 0; i < r->plan->nclauses; i++)
		if (rig_run(r, i) == VM_FAULTED)
			fail_msg("clause %u: fault %d (0x%llx) in action %u "
				 "at %d",
				 i, r->vm.fault.fault,
				 (unsigned long long)r->vm.fault.value,
				 r->vm.fault.action, r->vm.fault.dif_offset);
}

uint64_t
rig_int(const struct rig *r, unsigned clause, unsigned field)
{
	const struct abi_clause_desc *d = &r->plan->clauses[clause].desc;
	const struct abi_field *f = &d->fields[field];
	uint64_t v = 0;

	assert_true(field < d->nfields && f->size <= 8);
	memcpy(&v, r->record + f->offset, f->size);
	return f->is_signed ? (uint64_t)base_sext(v, f->size * 8) : v;
}

unsigned
rig_type_bytes(const struct abi_field *f)
{
	return ABI_INT_COLUMNS(f->sub) ? ABI_INT_BYTES(f->sub) : f->size;
}

const char *
rig_str(const struct rig *r, unsigned clause, unsigned field)
{
	const struct abi_clause_desc *d = &r->plan->clauses[clause].desc;

	assert_true(field < d->nfields);
	return (const char *)r->record + d->fields[field].offset;
}
