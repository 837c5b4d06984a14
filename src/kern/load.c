/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A joined object into the kernel.  From each program that is wanted the calls
 * are followed: what is reached is put behind it, and what is not reached is as
 * if it were not there: neither functions are looked at nor maps made.
 */
#include <assert.h>
#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

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

/* The kernel makes an array of maps by showing it a map like those that it will hold:
 * arrays of one element of m->m.inner bytes. */
static int
like_inner(const struct obj_map *m)
{
	union bpf_attr attr;

	kern_map_attr(BPF_MAP_TYPE_ARRAY, m->m.name, 4, m->m.inner, 1,
		      BPF_F_MMAPABLE, &attr);
	return kern_bpf(BPF_MAP_CREATE, &attr);
}

static void
make_map(const struct kern_obj *o, struct obj_map *m)
{
	union bpf_attr attr;
	int inner = m->m.inner ? like_inner(m) : -1;

	kern_map_attr((enum bpf_map_type)m->m.type, m->m.name, m->m.key_size,
		      m->m.value_size, m->m.entries, m->m.flags, &attr);
	if (m->value_type) {
		attr.btf_fd = (uint32_t)o->btf;
		attr.btf_key_type_id = (uint32_t)o->key_type;
		attr.btf_value_type_id = (uint32_t)m->value_type;
	}
	if (inner >= 0)
		attr.inner_map_fd = (uint32_t)inner;
	m->fd = m->m.inner && inner < 0 ? inner
					: kern_bpf(BPF_MAP_CREATE, &attr);
	if (inner >= 0)
		close(inner);
}

/* The kernel clears most maps when it makes them, and that takes longer than all
 * else: 0.17 ms for each MB of a ring.  So the large ones are made at once. */
enum { LARGE = 256 << 10 };

static bool
is_large(const struct obj_map *m)
{
	uint64_t bytes = m->m.type == BPF_MAP_TYPE_RINGBUF ? m->m.entries :
		(uint64_t)(m->m.key_size + m->m.value_size) * m->m.entries;

	return m->needed && m->fd == -1 && bytes >= LARGE;
}

struct large {
	const struct kern_obj *o;
	struct obj_map **maps;
};

static void
make_large(void *ctx, uint32_t i)
{
	struct large *l = ctx;

	make_map(l->o, l->maps[i]);
}

static struct err *
make_all_large(const struct kern_obj *o)
{
	CLEANUP(util_freep) struct obj_map **maps =
		util_alloc((o->nmaps + 1) * sizeof(struct obj_map *));
	struct large l = { o, maps };
	uint32_t n = 0;

	if (!maps)
		return &err_nomem;
	for (uint32_t i = 0; i < o->nmaps; i++)
		if (is_large(&o->maps[i]))
			maps[n++] = &o->maps[i];
	kern_crew(n, make_large, &l);
	return NULL;
}

static struct err *
make_maps(struct kern_obj *o)
{
	TRY(make_all_large(o));
	for (uint32_t i = 0; i < o->nmaps; i++) {
		struct obj_map *m = &o->maps[i];
		if (!m->needed || m->filled)
			continue;
		if (m->fd == -1)
			make_map(o, m);
		if (m->fd == -ENOMEM || m->fd == -E2BIG)
			return kern_os_err(m->fd, "cannot create map %s (how large "
				"options bufsize, aggsize and dynvarsize say)",
				m->m.name);
		if (m->fd < 0)
			return kern_os_err(m->fd, "cannot create map %s",
					   m->m.name);
		TRY(fill(m));
		m->filled = true;
	}
	return NULL;
}

/* Have hashes made whose elements are all allocated beforehand. */
static void
preallocate_maps(struct kern_obj *o)
{
	for (uint32_t i = 0; i < o->nmaps; i++) {
		struct obj_map *m = &o->maps[i];
		if (m->m.type != BPF_MAP_TYPE_HASH ||
		    !(m->m.flags & BPF_F_NO_PREALLOC))
			continue;
		m->m.flags &= ~(uint32_t)BPF_F_NO_PREALLOC;
		if (m->fd >= 0)
			close(m->fd);
		m->fd = -1;
		m->filled = false;
	}
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
		assert(r->insn - f->f->insn < f->f->ninsns);
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

/* A descriptor or -errno; log: where the verifier's goes, NULL for none. */
static int
try_load(const struct obj_image *im, char *log, size_t log_size)
{
	union bpf_attr attr;

	const struct abi_attach_row *row = abi_attach_row(im->p->f->attach);
	kern_prog_attr((enum bpf_prog_type)row->prog, im->p->f->name, im->insns,
		       im->ninsns, &attr);
	attr.expected_attach_type = row->expect;
	attr.attach_btf_id = im->p->btf_id;
	attr.attach_btf_obj_fd = (uint32_t)im->p->btf_module;
	attr.prog_btf_fd = (uint32_t)im->o->btf;
	attr.func_info = (uintptr_t)im->info;
	attr.func_info_cnt = im->ninfo;
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
load_logged(const struct obj_image *im, char **ret)
{
	int fd = -ENOSPC;

	for (size_t size = LOG_SMALL; fd == -ENOSPC && size <= LOG_LARGE;
	     size += LOG_LARGE - LOG_SMALL) {
		util_free(*ret);
		*ret = util_alloc(size);
		if (!*ret)
			return -ENOMEM;
		**ret = '\0';
		fd = try_load(im, *ret, size);
	}
	return fd;
}

static struct err *
refused(int os, const char *log)
{
	static const char what[] = "cannot load BPF programs";
	char line[512];

	/* "BPF program is too large", "The sequence of 8193 jumps is too
	 * complex" */
	if (log && (strstr(log, " is too large.") ||
		    strstr(log, " is too complex.")))
		return err_new(ERR_LIMIT, 0, "the kernel takes no program that "
			       "does so much in one firing: divide the "
			       "statements of large clauses among several");
	/* "program of this type cannot use helper bpf_probe_read_kernel#113", and of older
	 * kernels "unknown func" of that name. */
	if (log && (strstr(log, " helper bpf_probe_read") ||
		    strstr(log, "unknown func bpf_probe_read")))
		return err_new(ERR_UNSUPPORTED, 0, "this kernel lets no program read its memory, "
			       "nor that of processes (lockdown=confidentiality)");
	kern_log_tail(log ? log : "", line, sizeof(line));
	/* A log may also end well, and then no descriptor is left. */
	if (!line[0] || os == -EMFILE || os == -ENFILE)
		return kern_os_err(os, "%s", what);
	return err_new(ERR_VERIFY, -os, "%s: %s", what, line);
}

/* What a load without a log has not settled.  Helpers that a kernel has never heard of it
 * calls by their numbers. */
_Static_assert(BPF_FUNC_find_vma == 180 && BPF_FUNC_loop == 181, "as below");
static struct err *
settle(const struct obj_image *im, bool verbose)
{
	CLEANUP(util_freep) char *log = NULL;

	if (im->p->fd < 0)
		im->p->fd = load_logged(im, &log);
	if (log && strstr(log, "can only use preallocated hash map"))
		im->o->preallocate = true;
	if (log && (strstr(log, "unknown#180") || strstr(log, "unknown#181")))
		im->o->turns = true;
	if (verbose && log)
		fprintf(stderr, "%s:\n%s", im->p->f->name, log);
	return im->p->fd < 0 ? refused(im->p->fd, log) : NULL;
}

static struct err *
make_image(struct kern_obj *o, struct obj_func *p, struct obj_image *ret)
{
	ret->o = o;
	ret->p = p;
	ret->nparts = ret->ninfo = p->nparts;
	ret->info = util_alloc(p->nparts * sizeof(*ret->info));
	if (!ret->info)
		return &err_nomem;
	ret->ninsns = place(o, p, ret->info);
	ret->insns = util_alloc(ret->ninsns * sizeof(*ret->insns));
	if (!ret->insns)
		return &err_nomem;
	for (uint32_t i = 0; i < p->nparts; i++)
		paste(o, &o->funcs[o->parts.v[p->part + i]], ret->insns);
	return o->turns ? kern_obj_turns(ret) : NULL;
}

static void
load_image(void *ctx, uint32_t i)
{
	struct obj_image *im = (struct obj_image *)ctx + i;

	im->p->fd = try_load(im, NULL, 0);
}

static int
by_size(const void *a, const void *b)
{
	const struct obj_image *x = a, *y = b;

	if (x->ninsns != y->ninsns)
		return x->ninsns > y->ninsns ? -1 : 1;
	return x->p < y->p ? -1 : 1;
}

/* The verifier looks at one program on one CPU, so the large ones come first, that none is
 * waited for alone; a good load does not pay for a log. */
static struct err *
load_images(struct obj_image *images, uint32_t n, bool verbose)
{
	struct err *e = NULL;

	qsort(images, n, sizeof(*images), by_size);
	if (!verbose)
		kern_crew(n, load_image, images);
	for (uint32_t i = 0; i < n && !e; i++)
		e = settle(&images[i], verbose);
	return e;
}

static struct err *
load_progs(struct kern_obj *o, uint32_t nprogs, bool verbose)
{
	struct obj_image *images = util_zalloc((nprogs + 1) * sizeof(*images));
	struct err *e = images ? NULL : &err_nomem;
	uint32_t n = 0;

	for (uint32_t i = 0; i < o->nfuncs && !e; i++)
		if (o->funcs[i].load)
			e = make_image(o, &o->funcs[i], &images[n++]);
	if (!e)
		e = load_images(images, n, verbose);
	while (n--) {
		util_free(images[n].insns);
		util_free(images[n].info);
	}
	util_free(images);
	return e;
}

static void
unload_progs(struct kern_obj *o)
{
	for (uint32_t i = 0; i < o->nfuncs; i++) {
		if (o->funcs[i].fd >= 0)
			close(o->funcs[i].fd);
		o->funcs[i].fd = -1;
	}
}

/* Where a thread brings the kernel's hashes more memory (PREEMPT_RT), which is not on the CPU
 * while a program runs, nor while who outranks it does: of 4,000 keys that one firing made
 * 4 were kept.  Before Linux 6.1 the kernel warns in its log of programs with hashes whose
 * elements are made one by one. */
static bool
needs_elements(void)
{
	struct utsname u;

	return !kern_is_since(6, 1) ||
	       (!uname(&u) && strstr(u.version, "PREEMPT_RT"));
}

struct err *
kern_obj_make_maps(struct kern_obj *o)
{
	if (needs_elements())
		preallocate_maps(o);
	for (uint32_t i = 0; i < o->nfuncs; i++)
		if (o->funcs[i].load)
			TRY(gather(o, i));
	TRY(kern_obj_types(o));
	TRY(make_maps(o));
	o->has_maps = true;
	return NULL;
}

struct err *
kern_obj_load(struct kern_obj *o, bool verbose)
{
	uint32_t nprogs = 0;

	if (!o->has_maps)
		TRY(kern_obj_make_maps(o));
	for (uint32_t i = 0; i < o->nfuncs; i++)
		nprogs += o->funcs[i].load;
	bool preallocated = o->preallocate, turns = o->turns;
	for (;;) {
		struct err *e = load_progs(o, nprogs, verbose);
		if (!e || (o->preallocate == preallocated && o->turns == turns))
			return e;
		err_free(e);
		unload_progs(o);
		/* Before Linux 6.1 programs that interrupt others take no other hash, for
		 * to allocate could wait for a lock that the interrupted one holds. */
		if (o->preallocate && !preallocated) {
			preallocate_maps(o);
			TRY(make_maps(o));
		}
		preallocated = o->preallocate;
		turns = o->turns;
	}
}
