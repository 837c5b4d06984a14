/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A joined object into the kernel.  From each program that is wanted the calls
 * are followed: what is reached is put behind it, and what is not reached is as
 * if it were not there: neither functions are looked at nor maps made.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "kern/obj_priv.h"
#include "util/alloc.h"
#include "util/cleanup.h"

/* --- What is reached -------------------------------------------------------- */

static const struct abi_ref *
ref(const struct obj_func *f, uint32_t i)
{
	return &f->from->refs[f->f->ref + i];
}

static bool
names_func(const struct bpf_insn *i)
{
	return i->src_reg == BPF_PSEUDO_FUNC ||
	       i->code == (BPF_JMP | BPF_CALL);
}

/* Put f behind the other parts of program number prog, once. */
static bool
put(struct kern_obj *o, struct obj_func *f, uint32_t prog)
{
	if (f->prog == prog + 1)
		return true;
	f->prog = prog + 1;
	return vec_push(&o->parts, (uint32_t)(f - o->funcs));
}

static struct err *
gather(struct kern_obj *o, uint32_t prog)
{
	struct obj_func *p = &o->funcs[prog];

	p->part = (uint32_t)o->parts.n;
	if (!put(o, p, prog))
		return &err_nomem;
	for (size_t i = p->part; i < o->parts.n; i++) {
		const struct obj_func *f = &o->funcs[o->parts.v[i]];
		for (uint32_t k = 0; k < f->f->nrefs; k++) {
			const struct abi_ref *r = ref(f, k);
			if (!names_func(&f->from->code[r->insn]))
				obj_map(o, f, r)->needed = true;
			else if (!put(o, obj_func(o, f, r), prog))
				return &err_nomem;
		}
	}
	p->nparts = (uint32_t)o->parts.n - p->part;
	return NULL;
}

/* --- Maps ------------------------------------------------------------------- */

static struct err *
fill(const struct obj_map *m)
{
	uint32_t zero = 0;
	int os = m->m.data ? bpf_map_update_elem(m->fd, &zero, m->m.data,
						 BPF_ANY) : 0;

	/* The verifier knows what is frozen. */
	if (!os && m->m.flags & BPF_F_RDONLY_PROG)
		os = bpf_map_freeze(m->fd);
	return os ? kern_os_err(os, "cannot fill map %s", m->m.name) : NULL;
}

static void
make_map(const struct kern_obj *o, struct obj_map *m)
{
	union bpf_attr attr;

	kern_map_attr((enum bpf_map_type)m->m.type, m->m.name, m->m.key_size,
		      m->m.value_size, m->m.entries, m->m.flags, &attr);
	if (m->value_type) {
		attr.btf_fd = (uint32_t)o->btf;
		attr.btf_key_type_id = (uint32_t)o->key_type;
		attr.btf_value_type_id = (uint32_t)m->value_type;
	}
	m->fd = kern_bpf(BPF_MAP_CREATE, &attr);
}

/* The kernel clears most maps when it makes them, and that takes longer than all
 * else: 0.17 ms for each MB of a ring.  So threads make the large ones, as many
 * as there are CPUs to run them. */
enum { LARGE = 256 << 10, THREADS_MAX = 15 };

static bool
is_large(const struct obj_map *m)
{
	uint64_t bytes = m->m.type == BPF_MAP_TYPE_RINGBUF ? m->m.entries :
		(uint64_t)(m->m.key_size + m->m.value_size) * m->m.entries;

	return m->needed && m->fd == -1 && bytes >= LARGE;
}

struct crew {
	const struct kern_obj *o;
	uint32_t next;		/* map to look at */
};

static void *
make_large(void *ctx)
{
	struct crew *c = ctx;
	uint32_t i;

	while ((i = __atomic_fetch_add(&c->next, 1, __ATOMIC_RELAXED)) <
	       c->o->nmaps)
		if (is_large(&c->o->maps[i]))
			make_map(c->o, &c->o->maps[i]);
	return NULL;
}

/* CPUs that we may run on. */
static unsigned
ncpus(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? 1 :
	       (unsigned)CPU_COUNT(&set);
}

static void
make_all_large(const struct kern_obj *o)
{
	struct crew c = { .o = o };
	pthread_t threads[THREADS_MAX];
	unsigned n = 0, nlarge = 0;

	for (uint32_t i = 0; i < o->nmaps; i++)
		nlarge += is_large(&o->maps[i]);
	unsigned max = nlarge > 1 ? BASE_MIN(nlarge, ncpus()) : 1;
	max = BASE_MIN(max, THREADS_MAX + 1u);
	while (n + 1 < max && !pthread_create(&threads[n], NULL, make_large,
					      &c))
		n++;
	make_large(&c);		/* with us */
	while (n)
		pthread_join(threads[--n], NULL);
}

static struct err *
make_maps(struct kern_obj *o)
{
	make_all_large(o);
	for (uint32_t i = 0; i < o->nmaps; i++) {
		struct obj_map *m = &o->maps[i];
		if (!m->needed)
			continue;
		if (m->fd == -1)
			make_map(o, m);
		if (m->fd < 0)
			return kern_os_err(m->fd, "cannot create map %s",
					   m->m.name);
		TRY(fill(m));
	}
	return NULL;
}

/* --- Programs --------------------------------------------------------------- */

/* Where code lies is counted from behind the instruction that names it. */
static void
paste(const struct kern_obj *o, const struct obj_func *f, struct bpf_insn *to)
{
	memcpy(to + f->at, f->from->code + f->f->insn,
	       f->f->ninsns * sizeof(*to));
	for (uint32_t i = 0; i < f->f->nrefs; i++) {
		const struct abi_ref *r = ref(f, i);
		uint32_t at = f->at + r->insn - f->f->insn;
		to[at].imm = names_func(&to[at])
			? (int32_t)(obj_func(o, f, r)->at - at - 1)
			: obj_map(o, f, r)->fd;
	}
}

/* Programs share functions: these go to their places in p; its size. */
static uint32_t
place(const struct kern_obj *o, const struct obj_func *p,
      struct bpf_func_info *info)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < p->nparts; i++) {
		struct obj_func *f = &o->funcs[o->parts.v[p->part + i]];
		info[i] = (struct bpf_func_info){ at, (uint32_t)f->type };
		f->at = at;
		at += f->f->ninsns;
	}
	return at;
}

struct image {
	const struct obj_func *p;
	const struct bpf_insn *insns;
	const struct bpf_func_info *info;
	uint32_t ninsns;
};

/* A descriptor or -errno; log: where the verifier's goes, NULL for none. */
static int
try_load(const struct kern_obj *o, const struct image *im, char *log,
	 size_t log_size)
{
	union bpf_attr attr;

	kern_prog_attr(im->p->f->kind == ABI_FUNC_PERF ?
		       BPF_PROG_TYPE_PERF_EVENT : BPF_PROG_TYPE_RAW_TRACEPOINT,
		       im->p->f->name, im->insns, im->ninsns, &attr);
	attr.prog_btf_fd = (uint32_t)o->btf;
	attr.func_info = (uintptr_t)im->info;
	attr.func_info_cnt = im->p->nparts;
	attr.func_info_rec_size = sizeof(*im->info);
	attr.log_level = log ? 1 : 0;
	attr.log_buf = (uintptr_t)log;
	attr.log_size = (uint32_t)log_size;
	return kern_bpf(BPF_PROG_LOAD, &attr);
}

/* Before Linux 6.4 a program whose log does not fit is refused for that; no
 * kernel takes less than 16 MB. */
enum { LOG_SMALL = 1 << 20, LOG_LARGE = 15 << 20 };

/* Once more, with a log, *ret, which is the caller's to free. */
static int
load_logged(const struct kern_obj *o, const struct image *im, char **ret)
{
	int fd = -ENOSPC;

	for (size_t size = LOG_SMALL; fd == -ENOSPC && size <= LOG_LARGE;
	     size += LOG_LARGE - LOG_SMALL) {
		util_free(*ret);
		*ret = util_alloc(size);
		if (!*ret)
			return -ENOMEM;
		**ret = '\0';
		fd = try_load(o, im, *ret, size);
	}
	return fd;
}

static struct err *
refused(int os, const char *log)
{
	static const char what[] = "cannot load BPF programs";
	char line[512];

	kern_log_tail(log ? log : "", line, sizeof(line));
	/* A log may also end well, and then no descriptor is left. */
	if (!line[0] || os == -EMFILE || os == -ENFILE)
		return kern_os_err(os, "%s", what);
	return err_new(ERR_VERIFY, -os, "%s: %s", what, line);
}

static struct err *
load_image(struct kern_obj *o, struct obj_func *p, const struct image *im,
	   bool verbose)
{
	CLEANUP(util_freep) char *log = NULL;
	int fd = verbose ? -1 : try_load(o, im, NULL, 0);

	/* A good load does not pay for a log. */
	if (fd < 0)
		fd = load_logged(o, im, &log);
	if (verbose && log)
		fprintf(stderr, "%s:\n%s", p->f->name, log);
	if (fd < 0)
		return refused(fd, log);
	p->fd = fd;
	return NULL;
}

static struct err *
load_prog(struct kern_obj *o, struct obj_func *p, bool verbose)
{
	CLEANUP(util_freep) struct bpf_func_info *info =
		util_alloc(p->nparts * sizeof(*info));
	if (!info)
		return &err_nomem;
	struct image im = { .p = p, .info = info, .ninsns = place(o, p, info) };
	CLEANUP(util_freep) struct bpf_insn *insns =
		util_alloc(im.ninsns * sizeof(*insns));
	if (!insns)
		return &err_nomem;
	for (uint32_t i = 0; i < p->nparts; i++)
		paste(o, &o->funcs[o->parts.v[p->part + i]], insns);
	im.insns = insns;
	return load_image(o, p, &im, verbose);
}

struct err *
kern_obj_load(struct kern_obj *o, bool verbose)
{
	for (uint32_t i = 0; i < o->nfuncs; i++)
		if (o->funcs[i].load)
			TRY(gather(o, i));
	TRY(kern_obj_types(o));
	TRY(make_maps(o));
	for (uint32_t i = 0; i < o->nfuncs; i++)
		if (o->funcs[i].load)
			TRY(load_prog(o, &o->funcs[i], verbose));
	return NULL;
}
