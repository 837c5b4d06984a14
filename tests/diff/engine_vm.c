/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The interpreter's world is this process: user memory is our own, less what
 * the interpreter itself lies in; kernel memory is read for programs in D
 * alone.
 */
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "abi/kvar.h"
#include "diff_priv.h"

static bool
within(uint64_t addr, const void *p, size_t size)
{
	return addr - (uintptr_t)p < size;
}

bool
diff_vm_owns(const struct diff_vm *v, uint64_t addr)
{
	const struct diff *d = v->d;

	/* Somewhat before and behind it, too. */
	if (within(addr, (char *)v->mem - 4096, v->mem_size + 8192))
		return true;
	for (uint32_t i = 0; i < v->nregions; i++)
		if (within(addr, v->regions[i].p, v->regions[i].size))
			return true;
	for (size_t i = 0; i < d->difos.n; i++)
		if (within(addr, d->difos.v[i]->strs, d->difos.v[i]->strs_size))
			return true;
	const struct dif_difo *o = v->vm.difo;
	return o && within(addr, o->strs, o->strs_size);
}

static bool
uload(void *ctx, uint64_t addr, void *buf, size_t n)
{
	struct iovec to = { buf, n }, from = { (void *)(uintptr_t)addr, n };

	return !diff_vm_owns(ctx, addr) &&
	       process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)n;
}

static bool
load(void *ctx, uint64_t addr, void *buf, size_t n)
{
	const struct diff_vm *v = ctx;

	return v->d->reads_kernel && diff_kmem(addr, buf, n);
}

static uint64_t
now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

const struct abi_kvars diff_kvars = {
	.hp_avenrun = { 1 << 16, 3 << 15, 1000000 }, .avenrun = { 2048, 3072, 1 },
	.physmem = 1ULL << 40, .freemem = UINT64_MAX, .pagesize = 4096,
	.ncpus = 0x80000000, .ncpus_online = 7, .hz = ABI_HZ,
	.averunnable = { { 1, 2, 0xffffffff }, 0, -1 },
	.utsname = { "one", "two.three", "", "#1 \xff", "x" },
};

static uint64_t
add_region(struct diff_vm *v, const void *p, size_t size)
{
	for (uint32_t i = 0; i < v->nregions; i++)
		if (v->regions[i].p == p)
			return (uintptr_t)p;
	if (v->nregions == BASE_NELEMS(v->regions))
		diff_die("too many regions");
	v->regions[v->nregions++] = (struct vm_region){ p, size };
	return (uintptr_t)p;
}

static uint64_t
region(struct diff_vm *v, const char *s)
{
	return add_region(v, s, strlen(s) + 1);
}

static uint64_t
arg(const struct diff_vm *v, uint64_t n)
{
	if (v->in_error && n < 6)
		return v->error_args[n];
	return v->args[n];
}

static bool
bvar(void *ctx, uint32_t id, uint64_t index, uint64_t *ret)
{
	struct diff_vm *v = ctx;
	const struct plan_probe *p = v->in_error ? &v->d->error : v->probe;

	switch (id) {
	case DIF_VAR_ARGS: *ret = arg(v, index); break;
	case DIF_VAR_UREGS: *ret = 0; return index <= 20;
	case DIF_VAR_ARG0 ... DIF_VAR_ARG9: *ret = arg(v, id - DIF_VAR_ARG0); break;
	case DIF_VAR_PID: *ret = (uint64_t)getpid(); break;
	case DIF_VAR_TID: *ret = (uint64_t)gettid(); break;
	case DIF_VAR_PPID: *ret = (uint64_t)getppid(); break;
	case DIF_VAR_UID: *ret = getuid(); break;
	case DIF_VAR_GID: *ret = getgid(); break;
	case DIF_VAR_CPU: *ret = diff_cpu(); break;
	case DIF_VAR_ID: *ret = p->id; break;
	case DIF_VAR_EPID: *ret = v->epid; break;
	case DIF_VAR_ERRNO:
		*ret = v->error;
		break;
	case DIF_VAR_TIMESTAMP: *ret = v->time; break;
	case DIF_VAR_WALLTIMESTAMP: *ret = v->time + DIFF_WALL_DELTA; break;
	case DIF_VAR_VTIMESTAMP: *ret = now(); break;
	case DIF_VAR_CURTHREAD: *ret = diff_curthread(); break;
	case DIF_VAR_EXECNAME: *ret = region(v, v->execname); break;
	case DIF_VAR_ZONENAME: *ret = region(v, "global"); break;
	case DIF_VAR_PROBEPROV ... DIF_VAR_PROBENAME:
		*ret = region(v, p->part[id - DIF_VAR_PROBEPROV]);
		break;
	case DIF_VAR_KVARS:
		*ret = add_region(v, &diff_kvars, sizeof(diff_kvars));
		break;
	case DIF_VAR_LBOLT: *ret = v->time / (1000000000 / ABI_HZ); break;
	case DIF_VAR_EXECARGS: *ret = region(v, v->execargs); break;
	case DIF_VAR_CWD: *ret = region(v, v->cwd); break;
	case DIF_VAR_ROOT: *ret = region(v, v->root); break;
	default: *ret = 0; break;	/* not compared */
	}
	return true;
}

static void
learn_paths(struct diff_vm *v)
{
	FILE *f = fopen("/proc/self/cmdline", "r");
	size_t n = f ? fread(v->execargs, 1, sizeof(v->execargs) - 1, f) : 0;

	for (size_t i = 0; i + 1 < n; i++)
		if (!v->execargs[i])
			v->execargs[i] = ' ';
	if (f)
		fclose(f);
	if (readlink("/proc/self/cwd", v->cwd, sizeof(v->cwd) - 1) < 0 ||
	    readlink("/proc/self/root", v->root, sizeof(v->root) - 1) < 0)
		diff_die("no /proc");
}

/* The parent of pid, 0 when there is none. */
static int64_t
parent(int64_t pid)
{
	char path[64], line[512] = "";
	long long ret = 0;

	snprintf(path, sizeof(path), "/proc/%lld/stat", (long long)pid);
	FILE *f = fopen(path, "r");
	if (!f)
		return 0;
	size_t n = fread(line, 1, sizeof(line) - 1, f);
	fclose(f);
	line[n] = '\0';
	char *p = strrchr(line, ')');
	if (p)
		sscanf(p + 1, " %*c %lld", &ret);
	return ret;
}

static bool
progenyof(void *ctx, int64_t pid)
{
	for (int64_t p = getpid(); p; p = parent(p))
		if (p == pid)
			return true;
	return pid == 0;	/* everybody's ancestor */
}

static void *
reserve(void *ctx, size_t size)
{
	return util_zalloc(size);
}

static void
commit(void *ctx, void *record)
{
	struct diff_vm *v = ctx;

	diff_log_add(&v->log, record, ((struct abi_record *)record)->size);
	util_free(record);
}

static void
discard(void *ctx, void *record)
{
	util_free(record);
}

static uint64_t *
cells(void *ctx, const struct abi_agg_desc *agg, const void *key)
{
	struct diff_vm *v = ctx;
	unsigned n = 0;

	for (size_t i = 0; i < v->groups.n; i++) {
		if (v->groups.v[i].agg != agg->id)
			continue;
		if (!memcmp(v->groups.v[i].key, key, agg->key_size))
			return v->groups.v[i].cells;
		n++;
	}
	if (agg->nkeys && n == v->d->room)
		return NULL;
	struct diff_group g = {
		agg->id, arena_memdup(v->d->a, key, agg->key_size + 1),
		arena_alloc(v->d->a, agg->ncells * 8),
	};
	if (!g.key || !g.cells || !vec_push(&v->groups, g))
		diff_die("out of memory");
	return g.cells;
}

/* No file is open, and no lock is where programs look for one. */
static bool
ask(void *ctx, uint32_t subr, uint64_t arg, uint64_t *ret)
{
	*ret = 0;
	return subr == DIF_SUBR_GETF;
}

static const struct vm_env env = {
	.load = load, .uload = uload, .bvar = bvar, .progenyof = progenyof,
	.reserve = reserve, .commit = commit, .discard = discard,
	.cells = cells, .ask = ask,
};

void
diff_vm_init(struct diff_vm *v, struct diff *d)
{
	struct vm_config cfg = {
		.prog = &d->plan, .env = &env, .ctx = v, .regions = v->regions,
		.nregions = BASE_NELEMS(v->regions),
		.scratch_size = d->scratch,
		.ndynamic = d->vm_room ? d->vm_room : d->room,
		.nspec = NSPEC, .specsize = SPECSIZE,
	};

	*v = (struct diff_vm){ .d = d };
	prctl(PR_GET_NAME, v->execname);
	learn_paths(v);
	v->mem_size = vm_size(&cfg);
	v->mem = util_alloc(v->mem_size);
	if (!v->mem)
		diff_die("out of memory");
	vm_init(&v->vm, &cfg, v->mem);
}

void
diff_vm_fini(struct diff_vm *v)
{
	diff_log_clear(&v->log);
	vec_fini(&v->log.events);
	vec_fini(&v->groups);
	util_free(v->mem);
}

/* The EPID of the i-th clause of a probe, which may run it more than once. */
static uint32_t
epid_of(const struct ebpf_object *code, const struct plan_probe *p, uint32_t i)
{
	uint32_t before = 0;

	for (uint32_t k = 0; k < i; k++)
		before += p->clauses[k] == p->clauses[i];
	for (uint32_t n = 0; n < code->nepids; n++)
		if (code->epids[n].probe == p->id &&
		    code->epids[n].clause == p->clauses[i] && !before--)
			return n + 1;
	diff_die("clause %u has no EPID", p->clauses[i]);
	return 0;
}

/* The clauses of ERROR, after the one of epid. */
static void
error(struct diff_vm *v, uint32_t epid, const struct ebpf_object *code)
{
	const struct plan_probe *e = &v->d->error;
	struct { struct abi_error_record err; struct abi_who who; } both;
	struct abi_error_record r;

	vm_error_record(&v->vm, epid, &r);
	both.err = r;
	both.err.hdr.size += v->d->plan.who ? sizeof(both.who) : 0;
	vm_who(&v->vm, &both.who);
	diff_log_add(&v->log, &both, both.err.hdr.size);
	v->error_args[0] = 0;
	v->error_args[1] = epid;
	v->error_args[2] = r.action;
	v->error_args[3] = (uint64_t)(int64_t)r.dif_offset;
	v->error_args[4] = (uint64_t)r.fault;
	v->error_args[5] = r.value;
	v->in_error = true;
	/* A firing of its own, whose exit() ends the other, too. */
	bool exited = v->vm.exited;
	v->vm.exited = false;
	for (uint32_t i = 0; i < e->nclauses && !v->vm.exited; i++) {
		v->epid = epid_of(code, e, i);
		if (vm_clause(&v->vm, &v->d->plan.clauses[e->clauses[i]],
			      v->epid) == VM_FAULTED)
			v->drops[ABI_DROP_DBLERROR]++;
	}
	v->vm.exited |= exited;
	v->in_error = false;
}

/* A probe that knows errors shows -1 instead of one. */
static void
take_args(struct diff_vm *v, const struct diff_args *args)
{
	const uint64_t *a = args->v;

	v->error = 0;
	memcpy(v->args, a, sizeof(v->args));
	if (!v->point->has_errno)
		return;
	if (a[9] >= (uint64_t)-4095)
		v->error = -a[9];
	for (unsigned i = 0; i < ABI_NARGS; i++)
		if (a[i] >= (uint64_t)-4095)
			v->args[i] = UINT64_MAX;
}

void
diff_vm_fire(struct diff_vm *v, const struct diff_args *args,
	     const struct ebpf_object *code, uint64_t time)
{
	const struct plan_probe *p = diff_probe(v->d, args->probe, &v->point);

	v->probe = p;
	v->time = time ? time : now();
	take_args(v, args);
	vm_fire(&v->vm);
	for (uint32_t i = 0; i < p->nclauses && !v->vm.exited; i++) {
		uint32_t epid = epid_of(code, p, i);
		v->epid = epid;
		if (vm_clause(&v->vm, &v->d->plan.clauses[p->clauses[i]],
			      epid) == VM_FAULTED)
			error(v, epid, code);
	}
}
