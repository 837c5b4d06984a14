/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Generated code into the kernel: sizes of maps, chains of programs, rings, and
 * the mappings through which the consumer looks at them.  Everything is held by
 * file descriptors of this process, so nothing outlives it.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bpfrt/bpfrt.h"
#include "session/session_priv.h"

/* Clearing 4 MB for each CPU takes longer than all of the rest, so a program that
 * fires once has what it can fill. */
static uint32_t
ring_size(const struct session *s)
{
	uint64_t want = (uint64_t)s->opts.v[OPT_BUFSIZE];
	uint64_t size = SESSION_RING_MIN;
	uint64_t once = session_keeps(s) ? UINT64_MAX : session_once_size(s);
	uint64_t max = s->opts.v[OPT_BUFPOLICY] == OPT_POLICY_RING ?
		       ABI_FLIGHT_MAX : (uint64_t)SESSION_RING_MAX;

	want = BASE_MIN(want, once);
	while (size < want && size < max)
		size *= 2;
	return (uint32_t)size;
}

/* --- Before loading ------------------------------------------------------- */

/* A map that no code uses is not there. */
static struct err *
size_map(struct session *s, const char *map, uint32_t entries)
{
	struct err *e = kern_obj_set_map(s->obj, map, 0, entries);

	if (!e || e->code != ERR_NOTFOUND)
		return e;
	err_free(e);
	return NULL;
}

static struct err *
size_vars(struct session *s)
{
	for (uint32_t i = 0; i < s->code->ntables; i++) {
		const struct ebpf_table *t = &s->code->tables[i];
		uint64_t bytes = (uint64_t)s->opts.v[OPT_DYNVARSIZE];
		TRY(size_map(s, t->map, session_table_entries(bytes, t)));
	}
	return NULL;
}

/* The runtime's books on threads (bpfrt/thread.h): so many at least may have
 * variables. */
enum { MIN_THREADS = 16384 };

static struct err *
size_threads(struct session *s)
{
	uint32_t n = session_entries((uint64_t)s->opts.v[OPT_DYNVARSIZE], 8, 8);

	if (!s->code->nfrees)
		return NULL;
	TRY(kern_obj_use_prog(s->obj, "dt_exit"));
	TRY(kern_obj_set_map(s->obj, "dt_sweeping", 0, s->plan->nvars + 1));
	return kern_obj_set_map(s->obj, "dt_threads", 0,
				BASE_MAX(n, (uint32_t)MIN_THREADS));
}

static struct err *
size_aggs(struct session *s)
{
	for (uint32_t i = 0; i < s->code->naggmaps; i++) {
		const struct ebpf_aggmap *m = &s->code->aggmaps[i];
		uint32_t n = session_agg_entries(
			(uint64_t)s->opts.v[OPT_AGGSIZE], m, s->ncpus);
		for (int gen = 0; gen < 2; gen++)
			TRY(size_map(s, m->map[gen], n));
	}
	return NULL;
}

static const char *
links_map(const struct ebpf_link_prog *l)
{
	return l->perf ? EBPF_LINKS_PERF : EBPF_LINKS;
}

static struct err *
size_links(struct session *s)
{
	for (uint32_t i = 0; i < s->code->nlinks; i++)
		TRY(kern_obj_set_map(s->obj, links_map(&s->code->links[i]), 0,
				     s->code->nlinks));
	return NULL;
}

static uint32_t
nspec(const struct session *s)
{
	return (uint32_t)s->opts.v[OPT_NSPEC];
}

static struct err *
size_specs(struct session *s)
{
	if (!s->code->uses_spec)
		return NULL;
	TRY(kern_obj_need_map(s->obj, "dt_specs"));
	TRY(kern_obj_need_map(s->obj, "dt_spec_used"));
	TRY(kern_obj_set_map(s->obj, "dt_specs", 0, BASE_MAX(nspec(s), 1u)));
	return kern_obj_set_map(s->obj, "dt_spec_used", 0,
				BASE_MAX(nspec(s), 1u) * s->ncpus);
}

static struct err *
prepare(struct session *s)
{
	TRY(kern_obj_set_map(s->obj, "dt_slots", s->code->cfg.slot_size,
			     s->ncpus * ABI_NSLOTS));
	TRY(kern_obj_need_map(s->obj, ".bss.ctl"));
	TRY(kern_obj_need_map(s->obj, "dt_drops"));
	TRY(kern_obj_set_map(s->obj, "dt_drops", 0, s->ncpus));
	TRY(kern_obj_set_initial(s->obj, ".rodata.cfg", &s->code->cfg));
	TRY(session_vtime_prepare(s));
	TRY(size_map(s, "dt_intervals",
		     BASE_MAX(s->nintervals, 1u) * s->ncpus));
	if (s->reads_cache)
		TRY(kern_obj_use_prog(s->obj, "dt_pages"));
	TRY(size_specs(s));
	TRY(session_flight_size(s));
	TRY(size_links(s));
	TRY(size_threads(s));
	TRY(size_vars(s));
	return size_aggs(s);
}

/* --- After loading -------------------------------------------------------- */

static struct err *
find_aggs(struct session *s)
{
	uint32_t n = s->code->naggmaps;

	s->agg_fds = util_alloc((n + 1) * sizeof(*s->agg_fds));
	if (!s->agg_fds)
		return &err_nomem;
	for (uint32_t i = 0; i < n; i++)
		for (int gen = 0; gen < 2; gen++)
			s->agg_fds[i][gen] = kern_obj_map(s->obj,
				s->code->aggmaps[i].map[gen]);
	return NULL;
}

static struct err *
fill_links(struct session *s)
{
	for (uint32_t i = 0; i < s->code->nlinks; i++) {
		const struct ebpf_link_prog *l = &s->code->links[i];
		int prog = kern_obj_prog(s->obj, l->name);
		TRY(kern_map_update(kern_obj_map(s->obj, links_map(l)), &i,
				    &prog));
	}
	return NULL;
}

static struct err *
open_rings(struct session *s)
{
	char name[32];

	s->rings = util_zalloc(s->ncpus * sizeof(*s->rings));
	s->ring_fds = util_alloc(s->ncpus * sizeof(*s->ring_fds));
	if (!s->rings || !s->ring_fds)
		return &err_nomem;
	for (uint32_t cpu = 0; cpu < s->ncpus; cpu++) {
		snprintf(name, sizeof(name), "dt_ring%u", cpu);
		s->ring_fds[cpu] = kern_obj_map(s->obj, name);
		if (s->ring_fds[cpu] >= 0)
			TRY(kern_ring_open(s->ring_fds[cpu], s->ring_size,
					   &s->rings[cpu]));
	}
	return NULL;
}

static size_t
specs_size(const struct session *s)
{
	return base_align(nspec(s) * sizeof(struct abi_spec), 4096);
}

static struct err *
map_specs(struct session *s)
{
	void *p;

	if (!s->code->uses_spec || !nspec(s))
		return NULL;
	TRY(kern_map_mmap(kern_obj_map(s->obj, "dt_specs"), specs_size(s),
			  &p));
	s->specs = p;
	return NULL;
}

static size_t
intervals_size(const struct session *s)
{
	return base_align((uint64_t)s->nintervals * s->ncpus *
			  sizeof(struct abi_interval), 4096);
}

static struct err *
map_shared(struct session *s)
{
	void *p;
	int fd = kern_obj_map(s->obj, ".bss.ctl");
	int rows = kern_obj_map(s->obj, ".bss.agg");

	TRY(kern_map_mmap(fd, 4096, &p));
	s->ctl = p;
	TRY(kern_map_mmap(kern_obj_map(s->obj, "dt_drops"),
			  base_align(s->ncpus * DROP_ROW * 8, 4096), &p));
	s->drops = p;
	if (s->nintervals) {
		TRY(kern_map_mmap(kern_obj_map(s->obj, "dt_intervals"),
				  intervals_size(s), &p));
		s->intervals = p;
	}
	if (rows >= 0) {	/* not when only ERROR adds, and nothing faults */
		size_t size = (size_t)s->code->agg_row * 2 * s->ncpus;
		TRY(kern_map_mmap(rows, base_align(size, 4096), &p));
		s->agg_rows = p;
	}
	return map_specs(s);
}

static struct err *
find_progs(struct session *s)
{
	for (size_t i = 0; i < s->points.n; i++) {
		s->points.v[i].prog = kern_obj_prog(s->obj, s->code->progs[i]);
		if (s->points.v[i].prog < 0)
			return err_new(ERR_VERIFY, 0, "program %s is missing",
				       s->code->progs[i]);
	}
	return NULL;
}

/* --- Offsets from BTF ----------------------------------------------------- */

/* UINT32_MAX when BTF does not tell. */
static struct err *
find_offset(struct session *s, const char *tag, const char *path,
	    uint32_t *ret)
{
	uint32_t off = UINT32_MAX, size;
	struct err *e = typedb_offset(s->types, tag, path, &off, &size);

	*ret = e ? UINT32_MAX : off;
	if (e && e->code == ERR_NOMEM)
		return e;
	err_free(e);
	return NULL;
}

/* BTF is read only for programs that need it. */
static struct err *
find_offsets(struct session *s, struct ebpf_input *in)
{
	static const struct {
		unsigned need;
		const char *tag, *path;
	} rows[ABI_NKOFFS] = {
#define KOFF(name, need, tag, path) { EBPF_NEED_##need, tag, path },
#include "abi/koff.def"
#undef KOFF
	};
	unsigned needs = ebpf_needs(in);

	if (needs & EBPF_NEED_UWRITE && !kern_may_write_user())
		return err_new(ERR_UNSUPPORTED, 0, "copyout( ) and copyoutstr( "
			       ") are refused: this kernel lets no program "
			       "write to the memory of a process (lockdown)");
	for (int i = 0; i < ABI_NKOFFS; i++) {
		in->kernel.off[i] = UINT32_MAX;
		if (needs & rows[i].need)
			TRY(find_offset(s, rows[i].tag, rows[i].path,
					&in->kernel.off[i]));
	}
	if (needs & EBPF_NEED_REGS) {
		TRY(typedb_btf_id(s->types, TYPE_FUNC, "bpf_rdonly_cast",
				  &in->kernel.cast_id));
		TRY(typedb_btf_id(s->types, TYPE_STRUCT, "pt_regs",
				  &in->kernel.regs_id));
	}
	return NULL;
}

/* 0: nobody knows. */
static uint64_t
address(struct session *s, const char *name)
{
	uint64_t addr = 0;
	struct err *e = kern_symbol(name, &addr);
	struct sym sym;

	if (e) {
		err_free(e);
		e = sym_kernel_by_name(s->syms, "vmlinux", name, &sym);
		addr = e ? 0 : sym.addr;
	}
	err_free(e);
	return addr;
}

/* Asking for symbols takes time, too. */
static void
find_text(struct session *s, struct ebpf_input *in)
{
	if (!(ebpf_needs(in) & EBPF_NEED_TEXT))
		return;
	in->kernel.text = address(s, "_stext");
	in->kernel.text_end = address(s, "_etext");
	for (size_t i = 0, n = 0; i < s->points.n; i++) {
		const struct abi_point *p = s->points.v[i].point;
		char name[64];
		snprintf(name, sizeof(name), "__traceiter_%s", p->target);
		if (p->attach != ABI_ATTACH_RAWTP || n == EBPF_ITERS_MAX)
			continue;
		in->kernel.iters[n] = address(s, name);
		n += in->kernel.iters[n] != 0;
	}
}

/* The kernel lets a program use 64 maps, and there are others. */
enum { RINGS_MAX = 16 };

/* Rings are for the CPUs that are there. */
static struct err *
choose_cpus(struct session *s, struct ebpf_input *in)
{
	uint8_t *mask = session_online(s);

	if (!mask)
		return &err_nomem;
	TRY(session_check_sizes(s, mask));
	if (s->opts.v[OPT_CPU] >= 0)
		in->only_cpu = (uint32_t)s->opts.v[OPT_CPU] + 1;
	s->ring_size = ring_size(s);
	in->ring_cpus = mask;
	s->nrings = in->nrings = BASE_MIN(s->ncpus, RINGS_MAX);
	in->ring_size = (uint32_t)s->ring_size;
	in->policy = s->opts.v[OPT_BUFPOLICY] == OPT_POLICY_RING ? EBPF_RING :
		     s->opts.v[OPT_BUFPOLICY] == OPT_POLICY_FILL ? EBPF_FILL :
		     EBPF_SWITCH;
	return NULL;
}

/* A limit that the program meets is the compiler's to report. */
static struct err *
generate(struct session *s, const struct ebpf_input *in)
{
	struct err *e = ebpf_generate(s->a, in, &s->code), *tagged;

	if (!e || e->code != ERR_LIMIT || s->opts.v[OPT_ERRTAGS] <= 0)
		return e;
	tagged = err_new(ERR_LIMIT, 0, "[%s] %s", diag_tag_name(D_CG_EXPR),
			 e->text);
	err_free(e);
	return tagged;
}

struct err *
session_load(struct session *s, struct ebpf_input *in)
{
	s->ncpus = kern_ncpus();
	in->ncpus = s->ncpus;
	in->scratch_size = (uint32_t)base_align(
		(uint64_t)s->opts.v[OPT_SCRATCHSIZE], 8);
	if (in->scratch_size < 16 * s->plan->strsize)
		in->scratch_size = (uint32_t)base_align(16 * s->plan->strsize,
							8);
	in->nspec = nspec(s);
	in->specsize = (uint32_t)BASE_MIN(s->opts.v[OPT_SPECSIZE],
					  (int64_t)UINT32_MAX);
	TRY(find_offsets(s, in));
	find_text(s, in);
	s->reads_cache = session_pages_known(s, in);
	TRY(choose_cpus(s, in));
	TRY(generate(s, in));
	TRY(session_check_policy(s));
	const struct abi_obj *objs[] = { &s->code->obj, &bpfrt_object };
	TRY(kern_obj_open(objs, BASE_NELEMS(objs), &s->obj));
	TRY(prepare(s));
	TRY(kern_obj_load(s->obj, s->opts.v[OPT_DEBUG] > 0));
	TRY(fill_links(s));
	TRY(find_aggs(s));
	TRY(open_rings(s));
	TRY(session_flight_open(s));
	TRY(map_shared(s));
	session_pages_find(s);
	return find_progs(s);
}

void
session_unload(struct session *s)
{
	for (size_t i = 0; i < s->links.n; i++)
		kern_detach(s->links.v[i]);
	vec_fini(&s->links);
	session_vtime_stop(s);
	session_names_stop(s);
	for (unsigned cpu = 0; s->rings && cpu < s->ncpus; cpu++)
		kern_ring_close(s->rings[cpu]);
	session_flight_close(s);
	if (s->ctl)
		kern_unmap(s->ctl, 4096);
	if (s->drops)
		kern_unmap(s->drops, base_align(s->ncpus * DROP_ROW * 8, 4096));
	if (s->agg_rows)
		kern_unmap(s->agg_rows, base_align(
			(uint64_t)s->code->agg_row * 2 * s->ncpus, 4096));
	if (s->intervals)
		kern_unmap(s->intervals, intervals_size(s));
	if (s->specs)
		kern_unmap(s->specs, specs_size(s));
	kern_obj_close(s->obj);
	for (size_t i = 0; i < s->points.n; i++)
		vec_fini(&s->points.v[i].probes);
	vec_fini(&s->points);
	consume_free(s->consume);
	util_free(s->rings);
	util_free(s->ring_fds);
	util_free(s->agg_fds);
	util_free(s->epids);
	util_free(s->probes);
	if (s->epoll >= 0)
		close(s->epoll);
}
