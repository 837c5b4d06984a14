/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Objects of BPF programs, by libbpf.  The kernel's type information is not
 * read: libbpf does so only for objects with field relocations or typed
 * kernel symbols, and ours have neither.
 */
#include <errno.h>
#include <string.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "kern/kern_priv.h"
#include "util/alloc.h"

struct kern_obj {
	struct bpf_object *o;
};

/* The error for what libbpf just said. */
static struct err *
log_err(const struct kern_log *log, int os, const char *what)
{
	os = os < 0 ? -os : os;
	if (log->refused)
		return err_new(ERR_VERIFY, os, "%s: %s", what, log->text);
	if (log->text[0])
		return err_new(os == ENOMEM ? ERR_NOMEM : ERR_OS, os,
			       "%s: %s", what, log->text);
	return kern_os_err(os, "%s", what);
}

struct err *
kern_obj_open(const void *bytes, size_t size, struct kern_obj **ret)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "dtrace");
	struct kern_log log;
	struct bpf_program *p;

	struct kern_obj *o = util_zalloc(sizeof(*o));
	if (!o)
		return &err_nomem;
	kern_log_open(&log, false);
	errno = 0;
	o->o = bpf_object__open_mem(bytes, size, &opts);
	int os = errno;
	kern_log_close();
	if (!o->o) {
		util_free(o);
		struct err *e = log_err(&log, os, "cannot read a BPF object");
		if (e->code == ERR_OS)
			e->code = ERR_FORMAT;
		return e;
	}
	/* Sections of other names hold programs of our own running. */
	bpf_object__for_each_program(p, o->o)
		if (bpf_program__type(p) == BPF_PROG_TYPE_UNSPEC)
			bpf_program__set_type(p, BPF_PROG_TYPE_RAW_TRACEPOINT);
	*ret = o;
	return NULL;
}

void
kern_obj_close(struct kern_obj *o)
{
	if (!o)
		return;
	bpf_object__close(o->o);
	util_free(o);
}

static struct err *
find_map(struct kern_obj *o, const char *name, struct bpf_map **ret)
{
	*ret = bpf_object__find_map_by_name(o->o, name);
	return *ret ? NULL : err_new(ERR_NOTFOUND, 0, "no map %s", name);
}

struct err *
kern_obj_set_map(struct kern_obj *o, const char *map, uint32_t value_size,
		 uint32_t entries)
{
	struct bpf_map *m;
	int os = 0;

	TRY(find_map(o, map, &m));
	if (value_size)
		os = bpf_map__set_value_size(m, value_size);
	if (!os && entries)
		os = bpf_map__set_max_entries(m, entries);
	return os ? kern_os_err(os, "cannot resize map %s", map) : NULL;
}

struct err *
kern_obj_set_inner(struct kern_obj *o, const char *map, int fd)
{
	struct bpf_map *m;

	TRY(find_map(o, map, &m));
	int os = bpf_map__set_inner_map_fd(m, fd);
	return os ? kern_os_err(os, "cannot set inner map of %s", map) : NULL;
}

struct err *
kern_obj_set_initial(struct kern_obj *o, const char *map, const void *bytes,
		     size_t size)
{
	struct bpf_map *m;

	TRY(find_map(o, map, &m));
	int os = bpf_map__set_initial_value(m, bytes, size);
	return os ? kern_os_err(os, "cannot fill map %s", map) : NULL;
}

struct err *
kern_obj_reuse(struct kern_obj *o, const char *map, int fd)
{
	struct bpf_map *m;

	TRY(find_map(o, map, &m));
	int os = bpf_map__reuse_fd(m, fd);
	return os ? kern_os_err(os, "cannot reuse map %s", map) : NULL;
}

struct err *
kern_obj_omit_map(struct kern_obj *o, const char *map)
{
	struct bpf_map *m;

	TRY(find_map(o, map, &m));
	int os = bpf_map__set_autocreate(m, false);
	return os ? kern_os_err(os, "cannot omit map %s", map) : NULL;
}

struct err *
kern_obj_use_prog(struct kern_obj *o, const char *prog)
{
	struct bpf_program *p = bpf_object__find_program_by_name(o->o, prog);

	if (!p)
		return err_new(ERR_NOTFOUND, 0, "no program %s", prog);
	int os = bpf_program__set_autoload(p, true);
	return os ? kern_os_err(os, "cannot load program %s", prog) : NULL;
}

struct err *
kern_obj_load(struct kern_obj *o, bool verbose)
{
	struct kern_log log;
	struct bpf_program *p;

	if (verbose)
		bpf_object__for_each_program(p, o->o)
			bpf_program__set_log_level(p, 1);
	kern_log_open(&log, verbose);
	int os = bpf_object__load(o->o);
	kern_log_close();
	return os ? log_err(&log, os, "cannot load BPF programs") : NULL;
}

int
kern_obj_map(struct kern_obj *o, const char *name)
{
	struct bpf_map *m = bpf_object__find_map_by_name(o->o, name);

	return m ? bpf_map__fd(m) : -1;
}

int
kern_obj_prog(struct kern_obj *o, const char *name)
{
	struct bpf_program *p = bpf_object__find_program_by_name(o->o, name);
	int fd = p ? bpf_program__fd(p) : -1;

	return fd < 0 ? -1 : fd;
}
