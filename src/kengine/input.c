/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the generator has to know: the points, the sizes of the buffers, and of
 * the running kernel the places of members and of its own code, as far as the
 * program needs them.
 */
#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "abi/flight.h"
#include "kengine/attach_priv.h"
#include "kengine/kengine_priv.h"
#include "kengine/parts_priv.h"
#include "kengine/size_priv.h"
#include "kengine/unwind.h"

/* Clearing 4 MB for each CPU takes longer than all of the rest, so a program that
 * fires once has what it can fill. */
static uint32_t
ring_size(const struct kengine *k)
{
	uint64_t want = (uint64_t)kengine_opt(k, OPT_BUFSIZE);
	uint64_t size = KENGINE_RING_MIN;
	uint64_t once = engine_keeps(&k->e) ? UINT64_MAX : kengine_once_size(k);
	uint64_t max = kengine_opt(k, OPT_BUFPOLICY) == OPT_POLICY_RING ?
		       ABI_FLIGHT_MAX : (uint64_t)KENGINE_RING_MAX;

	want = BASE_MIN(want, once);
	while (size < want && size < max)
		size *= 2;
	assert(size >= KENGINE_RING_MIN && size <= max && !(size & (size - 1)));
	return (uint32_t)size;
}

/* --- Offsets from BTF ----------------------------------------------------- */

static const struct {
	unsigned need;
	const char *tag, *path;
} offsets[ABI_NKOFFS] = {
#define KOFF(name, need, tag, path) { EBPF_NEED_##need, tag, path },
#include "abi/koff.def"
#undef KOFF
};

struct err *
kengine_offset(struct typedb *types, enum abi_koff which, uint32_t *ret)
{
	uint32_t size;

	*ret = UINT32_MAX;
	return err_only_nomem(typedb_offset(types, offsets[which].tag,
					    offsets[which].path, ret, &size));
}

/* Since Linux 7.3 the word of what forbids to preempt counts who has disabled interrupts
 * before those that are served, and NMIs are counted elsewhere. */
static struct err *
find_preempt_shift(struct kengine *k, struct ebpf_input *in)
{
	uint32_t at;
	struct err *e = typedb_percpu(k->e.in.types, "local_interrupt_disable_state",
				      &at, NULL);

	in->kernel.preempt_shift = e ? 0 : 8;
	return err_only_nomem(e);
}

/* How far a variable of the CPU, and `in_it` bytes more, is from its run queue, which a program
 * finds by the current task; *ret stays where nobody can tell. */
static struct err *
from_queue(struct kengine *k, const struct ebpf_input *in, const char *name,
	   uint32_t in_it, int32_t *ret)
{
	const uint32_t *off = in->kernel.off;
	uint32_t rq, at;

	if (off[ABI_KOFF_TASK_CFS] == UINT32_MAX || off[ABI_KOFF_CFS_RQ] == UINT32_MAX)
		return NULL;
	struct err *e = typedb_percpu(k->e.in.types, "runqueues", &rq, NULL);
	if (!e)
		e = typedb_percpu(k->e.in.types, name, &at, NULL);
	if (!e)
		*ret = (int32_t)(at + in_it) - (int32_t)rq;
	return err_only_nomem(e);
}

/* Kernels differ in what that word stands in.  (0 is no answer: a run queue begins
 * otherwise.) */
static struct err *
find_preempt(struct kengine *k, struct ebpf_input *in)
{
	uint32_t hot = in->kernel.off[ABI_KOFF_PCPU_HOT_PREEMPT];

	if (in->kernel.off[ABI_KOFF_TASK_PREEMPT] != UINT32_MAX)
		return NULL;
	return hot != UINT32_MAX ?
	       from_queue(k, in, "pcpu_hot", hot, &in->kernel.preempt_off) :
	       from_queue(k, in, "__preempt_count", 0, &in->kernel.preempt_off);
}

/* Where the flag of a CPU is that programs at functions and events have; only spares look. */
static struct err *
find_active(struct kengine *k, struct ebpf_input *in)
{
	if (!BASE_ANY(i, in->npoints, in->points[i].point->is_spare))
		return NULL;
	return from_queue(k, in, "bpf_prog_active", 0, &in->kernel.active_off);
}

/* BTF is read only for programs that need it. */
static struct err *
find_offsets(struct kengine *k, struct ebpf_input *in)
{
	unsigned needs = ebpf_needs(in);

	if (needs & EBPF_NEED_UWRITE && !kern_may_write_user())
		return err_new(ERR_UNSUPPORTED, 0, "copyout( ) and copyoutstr( "
			       ") are refused: this kernel lets no program "
			       "write to the memory of a process (lockdown), "
			       "or CAP_SYS_ADMIN is missing");
	if (needs & (EBPF_NEED_RUNS | EBPF_NEED_RWSEM))
		needs |= EBPF_NEED_RT;
	for (int i = 0; i < ABI_NKOFFS; i++) {
		in->kernel.off[i] = UINT32_MAX;
		if (needs & offsets[i].need)
			TRY(kengine_offset(k->e.in.types, (enum abi_koff)i,
					   &in->kernel.off[i]));
	}
	if (needs & EBPF_NEED_RUNS) {
		TRY(find_preempt_shift(k, in));
		TRY(find_preempt(k, in));
		TRY(find_active(k, in));
	}
	if (needs & EBPF_NEED_REGS) {
		TRY(typedb_btf_id(k->e.in.types, TYPE_FUNC, "bpf_rdonly_cast",
				  &in->kernel.cast_id));
		TRY(typedb_btf_id(k->e.in.types, TYPE_STRUCT, "pt_regs",
				  &in->kernel.regs_id));
	}
	return NULL;
}

/* The functions that the kernel has for programs are found later in BTF than the list
 * of their names. */
struct err *
kengine_has_helper(struct typedb *types, const char *name, bool *ret)
{
	const struct type *list;
	int64_t value;

	TRY(typedb_find(types, "vmlinux", TYPE_ENUM, "bpf_func_id", &list));
	*ret = list && type_find_enum(list, name, &value);
	return NULL;
}

/* Can programs ask what a process has mapped, and read the answer?  (Linux 5.17) */
static struct err *
find_maps(struct kengine *k, struct ebpf_input *in)
{
	static const enum abi_koff needed[] = {
		ABI_KOFF_MAP_START, ABI_KOFF_MAP_END, ABI_KOFF_MAP_OFF,
		ABI_KOFF_MAP_FILE, ABI_KOFF_MAP_OPS, ABI_KOFF_FILE_INODE,
		ABI_KOFF_INODE_INO, ABI_KOFF_INODE_SIZE, ABI_KOFF_INODE_SB,
		ABI_KOFF_SB_DEV,
	};
	bool can;

	TRY(kengine_has_helper(k->e.in.types, "BPF_FUNC_find_vma", &can));
	for (size_t i = 0; i < BASE_NELEMS(needed); i++)
		if (in->kernel.off[needed[i]] == UINT32_MAX)
			return NULL;
	if (can)
		in->page_shift = (uint32_t)__builtin_ctzl(
			(unsigned long)sysconf(_SC_PAGESIZE));
	return NULL;
}

/* 0: nobody knows. */
static uint64_t
address(struct kengine *k, const char *name)
{
	uint64_t addr = 0;
	struct err *e = kern_symbol(name, &addr);
	struct sym sym;

	if (e) {
		err_free(e);
		e = sym_kernel_by_name(k->e.in.syms, "vmlinux", name, &sym);
		addr = e ? 0 : sym.addr;
	}
	err_free(e);
	return addr;
}

/* Asking for symbols takes time, too. */
static void
find_text(struct kengine *k, struct ebpf_input *in)
{
	if (!(ebpf_needs(in) & EBPF_NEED_TEXT))
		return;
	in->kernel.text = address(k, "_stext");
	in->kernel.text_end = address(k, "_etext");
	if (!kern_is_since(5, 16))
		in->kernel.returns = address(k, "__kretprobe_trampoline");
}

/* Rings are for the CPUs that are there. */
static struct err *
choose_cpus(struct kengine *k, struct ebpf_input *in)
{
	static const enum ebpf_policy policies[] = {
		[OPT_POLICY_RING] = EBPF_RING, [OPT_POLICY_FILL] = EBPF_FILL,
		[OPT_POLICY_SWITCH] = EBPF_SWITCH,
	};
	uint8_t *mask = kengine_online(k);

	if (!mask)
		return &err_nomem;
	TRY(kengine_check_sizes(k, mask));
	if (kengine_opt(k, OPT_CPU) >= 0)
		in->only_cpu = (uint32_t)kengine_opt(k, OPT_CPU) + 1;
	assert((size_t)kengine_opt(k, OPT_BUFPOLICY) < BASE_NELEMS(policies));
	k->e.buffer_size = ring_size(k);
	in->ring_cpus = mask;
	k->nrings = in->nrings = BASE_MIN(k->ncpus, EBPF_RINGS_MAX);
	in->ring_size = (uint32_t)k->e.buffer_size;
	in->policy = policies[kengine_opt(k, OPT_BUFPOLICY)];
	return NULL;
}

/* --- Points --------------------------------------------------------------- */

static struct err *
make_points(struct kengine *k, struct ebpf_input *in)
{
	uint32_t n = k->e.in.npoints;
	struct ebpf_point *pts = ARENA_ARRAY(k->e.in.a, struct ebpf_point, n);

	k->points = ARENA_ARRAY(k->e.in.a, struct kengine_point, n);
	if (!pts || !k->points)
		return &err_nomem;
	for (uint32_t i = 0; i < n; i++) {
		const struct engine_point *p = &k->e.in.points[i];
		bool once = p->trigger == PROV_TRIGGER_BEGIN ||
			    p->trigger == PROV_TRIGGER_END;
		k->points[i] = (struct kengine_point){ .p = p, .prog = -1 };
		bool perf = kengine_interrupts(&k->points[i]);
		bool by_row = p->point->find == ABI_FIND_COOKIE;
		assert(!(perf || p->trigger == PROV_TRIGGER_TICK) ||
		       p->period_ns || p->trigger == PROV_TRIGGER_INTERRUPT);
		k->points[i].interval = perf ? k->nintervals++ : 0;
		pts[i] = (struct ebpf_point){
			.point = p->point, .probes = p->probes.v,
			.nprobes = by_row ? 0 : (uint32_t)p->probes.n,
			.clauses = p->clauses.v,
			.nclauses = (uint32_t)p->clauses.n,
			.always = once,
			.any_cpu = once || p->trigger == PROV_TRIGGER_TICK,
			.period_ns = perf ? p->period_ns : 0,
			.interval = k->points[i].interval,
		};
	}
	in->points = pts;
	in->npoints = n;
	in->nintervals = k->nintervals;
	return NULL;
}

struct err *
kengine_input(struct kengine *k, struct ebpf_input *in)
{
	uint32_t room = 16 * k->e.in.plan->strsize;
	uint64_t scratch = (uint64_t)kengine_opt(k, OPT_SCRATCHSIZE);

	k->ncpus = kern_ncpus();
	*in = (struct ebpf_input){
		.plan = k->e.in.plan, .error = k->e.in.error,
		.ncpus = k->ncpus,
		.scratch_size = (uint32_t)base_align(BASE_MAX(scratch,
						     (uint64_t)room), 8),
		.nspec = (uint32_t)kengine_opt(k, OPT_NSPEC),
		.specsize = (uint32_t)BASE_MIN(kengine_opt(k, OPT_SPECSIZE),
					       (int64_t)UINT32_MAX),
	};
	TRY(make_points(k, in));
	TRY(find_offsets(k, in));
	find_text(k, in);
	in->knows = ebpf_needs(in) & EBPF_NEED_TEXT && kern_loops();
	k->unwinds = in->unwinds = kengine_unwinds(k, in);
	if (in->unwinds)
		TRY(find_maps(k, in));
	k->reads_cache = kengine_pages_known(k, in);
	return choose_cpus(k, in);
}
