/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the kernel is given to load, and what is made of its refusals.  The kernel is
 * played by us: it keeps what it is shown, and refuses what it is told to.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <cmocka.h>
#include <linux/bpf.h>

#include "abi/attach.h"
#include "abi/obj.h"
#include "base/base.h"
#include "kern/kern_priv.h"
#include "support/assertok.h"
#include "support/countopen.h"
#include "util/alloc.h"

/* --- The kernel ------------------------------------------------------------------------- */

enum { MAX = 64, SMALL = 1 << 20, LARGE = 15 << 20 };

struct load {
	char name[BPF_OBJ_NAME_LEN];
	struct bpf_insn insns[64];
	struct bpf_func_info info[8];
	union bpf_attr attr;
	int fd;
};

struct map {
	char name[BPF_OBJ_NAME_LEN];
	union bpf_attr attr;
	int fd;
	uint64_t first;			/* it was filled with this */
	bool is_frozen;
};

static struct kernel {
	struct load loads[MAX];
	struct map maps[MAX];
	unsigned nloads, nmaps, nbtfs;
	int btf;
	/* Refused: a map, when it is made, filled or frozen; programs, without a log and
	 * with one, which says so; 0: not. */
	const char *map;
	int map_os, fill_os, freeze_os, btf_os;
	const char *prog, *log;
	int os, log_os;
	uint32_t log_size;		/* less room for a log: ENOSPC */
	bool hashes;			/* with hashes that are not preallocated: the same */
	bool no_helpers;		/* with bpf_loop() or bpf_find_vma(): the same */
} k;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int __wrap_kern_bpf(enum bpf_cmd cmd, union bpf_attr *attr);
int __wrap_bpf_map_update_elem(int fd, const void *key, const void *value, __u64 flags);
int __wrap_bpf_map_freeze(int fd);

static int
new_fd(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static struct map *
map_of(int fd)
{
	for (unsigned i = k.nmaps; i-- > 0; )
		if (k.maps[i].fd == fd)
			return &k.maps[i];
	fail_msg("no map %d", fd);
	return NULL;
}

static int
load(union bpf_attr *attr)
{
	assert_true(k.nloads < MAX);
	struct load *l = &k.loads[k.nloads++];
	int os = 0;

	assert_in_range(attr->insn_cnt, 1, BASE_NELEMS(l->insns));
	assert_in_range(attr->func_info_cnt, 1, BASE_NELEMS(l->info));
	l->attr = *attr;
	memcpy(l->name, attr->prog_name, sizeof(l->name));
	memcpy(l->insns, (void *)(uintptr_t)attr->insns, attr->insn_cnt * sizeof(*l->insns));
	memcpy(l->info, (void *)(uintptr_t)attr->func_info,
	       attr->func_info_cnt * sizeof(*l->info));
	if (k.prog && !strcmp(k.prog, l->name))
		os = attr->log_level ? k.log_os : k.os;
	if (k.hashes)
		for (uint32_t i = 0; i < attr->insn_cnt; i++)
			if (l->insns[i].code == (BPF_LD | BPF_DW | BPF_IMM) &&
			    l->insns[i].src_reg == BPF_PSEUDO_MAP_FD) {
				const union bpf_attr *m = &map_of(l->insns[i].imm)->attr;
				if (m->map_type == BPF_MAP_TYPE_HASH &&
				    m->map_flags & BPF_F_NO_PREALLOC)
					os = k.os;
			}
	for (uint32_t i = 0; k.no_helpers && i < attr->insn_cnt; i++)
		if (l->insns[i].code == (BPF_JMP | BPF_CALL) && !l->insns[i].src_reg)
			os = k.os;
	if (attr->log_level && attr->log_size < k.log_size)
		os = ENOSPC;
	if (attr->log_level && os && k.log)
		snprintf((char *)(uintptr_t)attr->log_buf, attr->log_size, "%s", k.log);
	l->fd = os ? -os : new_fd();
	return l->fd;
}

static int
make(union bpf_attr *attr)
{
	assert_true(k.nmaps < MAX);
	struct map *m = &k.maps[k.nmaps++];

	*m = (struct map){ .attr = *attr };
	memcpy(m->name, attr->map_name, sizeof(m->name));
	m->fd = k.map && !strcmp(k.map, m->name) && k.map_os ? -k.map_os : new_fd();
	return m->fd;
}

int
__wrap_kern_bpf(enum bpf_cmd cmd, union bpf_attr *attr)
{
	int ret = -ENOSYS;

	pthread_mutex_lock(&lock);
	if (cmd == BPF_PROG_LOAD)
		ret = load(attr);
	else if (cmd == BPF_MAP_CREATE)
		ret = make(attr);
	else if (cmd == BPF_BTF_LOAD && ++k.nbtfs)
		ret = k.btf = k.btf_os ? -k.btf_os : new_fd();
	pthread_mutex_unlock(&lock);
	return ret;
}

int
__wrap_bpf_map_update_elem(int fd, const void *key, const void *value, __u64 flags)
{
	struct map *m = map_of(fd);

	assert_int_equal(*(const uint32_t *)key, 0);
	assert_false(m->is_frozen);
	memcpy(&m->first, value, sizeof(m->first));
	return k.map && !strcmp(k.map, m->name) ? -k.fill_os : 0;
}

int
__wrap_bpf_map_freeze(int fd)
{
	struct map *m = map_of(fd);

	m->is_frozen = true;
	return k.map && !strcmp(k.map, m->name) ? -k.freeze_os : 0;
}

/* --- Two objects -------------------------------------------------------------------------- */

#define CALL { .code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_CALL, .imm = -1 }
#define MAP(what) { .code = BPF_LD | BPF_DW | BPF_IMM, .src_reg = BPF_PSEUDO_MAP_##what }, { 0 }
#define EXIT { .code = BPF_JMP | BPF_EXIT }

static const struct bpf_insn ours[] = {
	CALL, MAP(FD), EXIT,			/* main: far(), sparse */
	MAP(FD), MAP(FD), EXIT,			/* more: full, sparse */
};
static const struct abi_ref our_refs[] = { { 0, 2 }, { 1, 0 }, { 4, 1 }, { 6, 0 } };
static const struct abi_func our_funcs[] = {
	{ "main", 0, 4, 0, 2, ABI_FUNC_PROG, ABI_ATTACH_RAWTP, 0, 0, false },
	{ "more", 4, 5, 2, 2, ABI_FUNC_PROG, ABI_ATTACH_FENTRY, 0, 0, true },
	{ "far", 0, 0, 0, 0, ABI_FUNC_GLOBAL, 0, 1, 0, false },
};
static const struct abi_map our_maps[] = {
	{ "sparse", BPF_MAP_TYPE_HASH, 8, 16, 100, BPF_F_NO_PREALLOC, 0, NULL },
	{ "full", BPF_MAP_TYPE_HASH, 8, 16, 100, 0, 0, NULL },
	{ "alone", BPF_MAP_TYPE_ARRAY, 4, 8, 1, 0, 0, NULL },
	{ "shared", 0, 0, 0, 0, 0, 0, NULL },
};
static const struct abi_obj our_obj = { ours, our_funcs, our_maps, our_refs, 3, 4 };

static const struct bpf_insn theirs[] = {
	EXIT,					/* near */
	CALL, CALL, MAP(VALUE), EXIT,		/* far: near() twice, shared */
	EXIT,					/* nobody calls it */
};
static const uint64_t shared_data = 0x1234567890;
static const struct abi_ref their_refs[] = { { 1, 0 }, { 2, 0 }, { 3, 0 } };
static const struct abi_func their_funcs[] = {
	{ "near", 0, 1, 0, 0, ABI_FUNC_STATIC, 0, 0, 0, false },
	{ "far", 1, 5, 0, 3, ABI_FUNC_GLOBAL, 0, 1, 0, false },
	{ "lost", 6, 1, 3, 0, ABI_FUNC_STATIC, 0, 0, 0, false },
};
static const struct abi_map their_maps[] = {
	{ "shared", BPF_MAP_TYPE_ARRAY, 4, 8, 1, BPF_F_RDONLY_PROG, 0, &shared_data },
	{ "ring", BPF_MAP_TYPE_RINGBUF, 0, 0, 1 << 20, 0, 0, NULL },
	{ "nested", BPF_MAP_TYPE_ARRAY_OF_MAPS, 4, 4, 10, 0, 4096, NULL },
};
static const struct abi_obj their_obj = { theirs, their_funcs, their_maps, their_refs, 3, 3 };

static struct kern_obj *
open_both(bool ours_first)
{
	const struct abi_obj *objs[] = { &our_obj, &their_obj, &our_obj };
	struct kern_obj *o;

	assert_ok(kern_obj_open(objs + !ours_first, 2, &o));
	return o;
}

static const struct load *
load_of(const char *name)
{
	for (unsigned i = k.nloads; i-- > 0; )
		if (!strcmp(k.loads[i].name, name))
			return &k.loads[i];
	fail_msg("%s was not loaded", name);
	return NULL;
}

/* How often the kernel was asked to make such a map. */
static unsigned
times_made(const char *name)
{
	unsigned n = 0;

	for (unsigned i = 0; i < k.nmaps; i++)
		n += !strcmp(k.maps[i].name, name);
	return n;
}

/* --- Programs ------------------------------------------------------------------------------ */

/* Functions follow the program that reaches them, each once; calls count from behind
 * themselves; what names a map has its descriptor. */
static void
test_parts(void **state)
{
	for (int first = 0; first < 2; first++) {
		unsigned nopen = count_open();
		struct kern_obj *o = open_both(first);
		k = (struct kernel){ .nloads = 0 };
		assert_ok(kern_obj_load(o, false));
		assert_int_equal(k.nloads, 1);
		const struct load *l = load_of("main");
		assert_int_equal(l->attr.prog_type, BPF_PROG_TYPE_RAW_TRACEPOINT);
		assert_int_equal(l->attr.expected_attach_type, 0);
		assert_int_equal(l->attr.insn_cnt, 10);
		assert_int_equal(l->attr.func_info_cnt, 3);
		assert_int_equal(l->attr.func_info_rec_size, sizeof(struct bpf_func_info));
		assert_int_equal(l->attr.prog_btf_fd, k.btf);
		assert_int_equal(l->attr.log_level + l->attr.log_size + l->attr.log_buf, 0);
		static const uint32_t at[] = { 0, 4, 9 };
		for (unsigned i = 0; i < 3; i++) {
			assert_int_equal(l->info[i].insn_off, at[i]);
			assert_int_not_equal(l->info[i].type_id, 0);
			assert_int_not_equal(l->info[i].type_id, l->info[(i + 1) % 3].type_id);
		}
		struct bpf_insn want[] = {
			CALL, MAP(FD), EXIT, CALL, CALL, MAP(VALUE), EXIT, EXIT,
		};
		want[0].imm = 3;		/* far is at 4 */
		want[1].imm = kern_obj_map(o, "sparse");
		want[4].imm = 4;		/* near is at 9 */
		want[5].imm = 3;
		want[6].imm = kern_obj_map(o, "shared");
		assert_memory_equal(l->insns, want, sizeof(want));
		assert_int_equal(kern_obj_prog(o, "main"), l->fd);
		assert_int_equal(kern_obj_prog(o, "more"), -1);
		assert_int_equal(kern_obj_prog(o, "far"), -1);
		assert_int_equal(kern_obj_map(o, "full"), -1);
		assert_int_equal(k.nmaps, 2);
		assert_int_equal(k.nbtfs, 1);
		kern_obj_close(o);
		assert_int_equal(count_open(), nopen);
	}
}

/* What is asked for is loaded, too, for what it is told to be for. */
static void
test_optional(void **state)
{
	unsigned nopen = count_open();
	struct kern_obj *o = open_both(true);

	k = (struct kernel){ .nloads = 0 };
	assert_ok(kern_obj_use_prog(o, "more"));
	assert_ok(kern_obj_set_btf(o, "more", 1234, 56));
	assert_ok(kern_obj_load(o, false));
	assert_int_equal(k.nloads, 2);
	const struct load *l = load_of("more");
	assert_int_equal(l->attr.prog_type, BPF_PROG_TYPE_TRACING);
	assert_int_equal(l->attr.expected_attach_type, ABI_EXPECT_TRACE_FENTRY);
	assert_int_equal(l->attr.attach_btf_id, 1234);
	assert_int_equal(l->attr.attach_btf_obj_fd, 56);
	assert_int_equal(l->attr.insn_cnt, 5);
	assert_int_equal(l->attr.func_info_cnt, 1);
	assert_int_equal(l->insns[0].imm, kern_obj_map(o, "full"));
	assert_int_equal(l->insns[2].imm, kern_obj_map(o, "sparse"));
	assert_int_equal(load_of("main")->attr.attach_btf_id, 0);
	kern_obj_close(o);
	assert_int_equal(count_open(), nopen);
}

/* --- Maps ---------------------------------------------------------------------------------- */

static void
test_maps(void **state)
{
	static const struct { const char *name; uint32_t type, key, value, entries, flags; }
	rows[] = {
		{ "sparse", BPF_MAP_TYPE_HASH, 8, 16, 100, BPF_F_NO_PREALLOC },
		{ "full", BPF_MAP_TYPE_HASH, 8, 24, 7, BPF_F_NO_PREALLOC },
		{ "alone", BPF_MAP_TYPE_ARRAY, 4, 8, 1, 0 },
		{ "shared", BPF_MAP_TYPE_ARRAY, 4, 8, 1, BPF_F_RDONLY_PROG },
		{ "ring", BPF_MAP_TYPE_RINGBUF, 0, 0, 1 << 20, 0 },
		{ "nested", BPF_MAP_TYPE_ARRAY_OF_MAPS, 4, 4, 10, 0 },
	};
	static const uint64_t initial = 99;
	unsigned nopen = count_open();
	struct kern_obj *o = open_both(true);

	k = (struct kernel){ .nloads = 0 };
	assert_ok(kern_obj_set_map(o, "full", 24, 0));
	assert_ok(kern_obj_set_map(o, "full", 0, 7));
	assert_ok(kern_obj_set_sparse(o, "full"));
	assert_ok(kern_obj_set_initial(o, "alone", &initial));
	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		assert_ok(kern_obj_need_map(o, rows[i].name));
	assert_ok(kern_obj_make_maps(o));
	assert_int_equal(k.nloads, 0);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		const struct map *m = map_of(kern_obj_map(o, rows[i].name));
		assert_string_equal(m->name, rows[i].name);
		assert_int_equal(m->attr.map_type, rows[i].type);
		assert_int_equal(m->attr.key_size, rows[i].key);
		assert_int_equal(m->attr.value_size, rows[i].value);
		assert_int_equal(m->attr.max_entries, rows[i].entries);
		assert_int_equal(m->attr.map_flags, rows[i].flags);
		assert_int_equal(m->is_frozen, i == 3);
		assert_int_equal(m->first, i == 3 ? shared_data : i == 2 ? initial : 0);
		assert_int_equal(times_made(m->name), i == 5 ? 2 : 1);
	}
	/* The array of maps has seen one like those that it will hold. */
	for (unsigned i = 0; i < k.nmaps; i++)
		if (!strcmp(k.maps[i].name, "nested") &&
		    k.maps[i].attr.map_type == BPF_MAP_TYPE_ARRAY) {
			assert_int_equal(k.maps[i].attr.key_size, 4);
			assert_int_equal(k.maps[i].attr.value_size, 4096);
			assert_int_equal(k.maps[i].attr.max_entries, 1);
			assert_int_equal(k.maps[i].attr.map_flags, BPF_F_MMAPABLE);
			assert_int_equal(k.maps[i + 1].attr.inner_map_fd, k.maps[i].fd);
		}
	/* What is made is not made again. */
	unsigned n = k.nmaps;
	assert_ok(kern_obj_load(o, false));
	assert_int_equal(k.nmaps, n);
	assert_int_equal(k.nbtfs, 1);
	assert_int_equal(k.nloads, 1);
	kern_obj_close(o);
	assert_int_equal(count_open(), nopen);
}

static void
test_maps_refused(void **state)
{
	static const struct { struct kernel kernel; const char *want; enum err_code code; }
	rows[] = {
		{ { .map = "ring", .map_os = ENOMEM }, "cannot create map ring (how large "
		  "options bufsize, aggsize and dynvarsize say): Cannot allocate", ERR_NOMEM },
		{ { .map = "ring", .map_os = E2BIG }, "cannot create map ring (how large "
		  "options bufsize, aggsize and dynvarsize say): Argument list", ERR_OS },
		{ { .map = "ring", .map_os = EINVAL }, "cannot create map ring: Invalid", ERR_OS },
		{ { .map = "sparse", .map_os = EPERM }, "cannot create map sparse: Op", ERR_OS },
		{ { .map = "nested", .map_os = EPERM }, "cannot create map nested: Op", ERR_OS },
		{ { .map = "shared", .fill_os = EBUSY }, "cannot fill map shared: Dev", ERR_OS },
		{ { .map = "shared", .freeze_os = EPERM }, "cannot fill map shared: Op", ERR_OS },
		{ { .btf_os = EINVAL }, "cannot load types: Invalid", ERR_OS },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		unsigned nopen = count_open();
		struct kern_obj *o = open_both(true);
		k = rows[i].kernel;
		assert_ok(kern_obj_need_map(o, "ring"));
		assert_ok(kern_obj_need_map(o, "nested"));
		struct err *e = kern_obj_load(o, false);
		assert_non_null(e);
		assert_int_equal(e->code, rows[i].code);
		if (strncmp(e->text, rows[i].want, strlen(rows[i].want)))
			fail_msg("\"%s\"", e->text);
		err_free(e);
		assert_int_equal(k.nloads, 0);
		kern_obj_close(o);
		assert_int_equal(count_open(), nopen);
	}
}

/* --- Refusals ------------------------------------------------------------------------------ */

/* What a program is refused for is asked with a log, which is told; but not when the
 * reason is another. */
static void
test_refused(void **state)
{
	static const char large[] = "the kernel takes no program that does so much in one firing";
	static const char secret[] = "this kernel lets no program read its memory";
	static const struct {
		int os, log_os;
		const char *log, *want;
		enum err_code code;
	} rows[] = {
		{ EINVAL, EINVAL, "R1 is bad\nprocessed 5 insns\n",
		  "cannot load BPF programs: R1 is bad", ERR_VERIFY },
		{ EACCES, EACCES, "R1 is bad\n", "cannot load BPF programs: R1 is bad",
		  ERR_VERIFY },
		{ EINVAL, EINVAL, "", "cannot load BPF programs: Invalid argument", ERR_OS },
		{ EINVAL, EINVAL, NULL, "cannot load BPF programs: Invalid argument", ERR_OS },
		{ EPERM, EPERM, "", "cannot load BPF programs: Operation not", ERR_OS },
		{ EMFILE, EMFILE, "all is well\n", "cannot load BPF programs: Too many open files",
		  ERR_OS },
		{ ENFILE, ENFILE, "all is well\n", "cannot load BPF programs: Too many open files",
		  ERR_OS },
		{ E2BIG, E2BIG, "BPF program is too large. Processed 1000001 insn\n", large,
		  ERR_LIMIT },
		{ EINVAL, EINVAL, "The sequence of 8193 jumps is too complex.\n", large,
		  ERR_LIMIT },
		{ EINVAL, EINVAL, "85: (85) call bpf_probe_read_kernel#113\nprogram of this type "
		  "cannot use helper bpf_probe_read_kernel#113\n", secret, ERR_UNSUPPORTED },
		{ EINVAL, EINVAL, "unknown func bpf_probe_read_user_str#114\n", secret,
		  ERR_UNSUPPORTED },
		{ EINVAL, EINVAL, "unknown func bpf_probe_write_user#36\n",
		  "cannot load BPF programs: unknown func", ERR_VERIFY },
		{ EINVAL, EINVAL, "it is too large, it is too complex\n",
		  "cannot load BPF programs: it is too large, it is too complex", ERR_VERIFY },
		/* It was a passing thing. */
		{ EAGAIN, 0, NULL, NULL, ERR_OS },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		for (int other = 0; other < 2; other++) {
			unsigned nopen = count_open();
			struct kern_obj *o = open_both(true);
			k = (struct kernel){ .prog = other ? "more" : "main", .os = rows[i].os,
					     .log_os = rows[i].log_os, .log = rows[i].log };
			assert_ok(kern_obj_use_prog(o, "more"));
			struct err *e = kern_obj_load(o, false);
			if (!e != !rows[i].want || (e && strncmp(e->text, rows[i].want,
								 strlen(rows[i].want))))
				fail_msg("row %zu: %s", i, e ? e->text : "loaded");
			if (e)
				assert_int_equal(e->code, rows[i].code);
			if (e && e->code == ERR_VERIFY)
				assert_int_equal(e->os, rows[i].os);
			err_free(e);
			assert_int_equal(k.nloads, 3);
			assert_int_equal(k.loads[2].attr.log_level, 1);
			assert_int_equal(k.loads[2].attr.log_size, SMALL);
			assert_string_equal(k.loads[2].name, k.prog);
			kern_obj_close(o);
			assert_int_equal(count_open(), nopen);
		}
}

/* A log that does not fit is read again with more room, once. */
static void
test_long_log(void **state)
{
	static const struct { uint32_t needs; unsigned nloads; const char *want; } rows[] = {
		{ SMALL, 2, "cannot load BPF programs: why" },
		{ SMALL + 1, 3, "cannot load BPF programs: why" },
		{ LARGE, 3, "cannot load BPF programs: why" },
		{ LARGE + 1, 3, "cannot load BPF programs: why" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct kern_obj *o = open_both(true);
		k = (struct kernel){ .prog = "main", .os = EINVAL, .log_os = EINVAL,
				     .log = "why", .log_size = rows[i].needs };
		struct err *e = kern_obj_load(o, false);
		assert_non_null(e);
		assert_string_equal(e->text, rows[i].want);
		assert_int_equal(e->os, rows[i].needs > LARGE ? ENOSPC : EINVAL);
		err_free(e);
		assert_int_equal(k.nloads, rows[i].nloads);
		assert_int_equal(k.loads[1].attr.log_size, SMALL);
		if (k.nloads > 2)
			assert_int_equal(k.loads[2].attr.log_size, LARGE);
		kern_obj_close(o);
	}
}

/* The large ones come first, whoever is first in the object. */
static void
test_large_first(void **state)
{
	static const struct bpf_insn insns[] = { EXIT, EXIT, EXIT };
	static const struct abi_func funcs[] = {
		{ "small", 0, 1, 0, 0, ABI_FUNC_PROG, ABI_ATTACH_RAWTP, 0, 0, false },
		{ "large", 1, 2, 0, 0, ABI_FUNC_PROG, ABI_ATTACH_RAWTP, 0, 0, false },
	};
	static const struct abi_obj obj = { insns, funcs, NULL, NULL, 2, 0 };
	const struct abi_obj *objs[] = { &obj };
	struct kern_obj *o;

	k = (struct kernel){ .nloads = 0 };
	assert_ok(kern_obj_open(objs, 1, &o));
	assert_ok(kern_obj_load(o, true));	/* one after the other */
	assert_int_equal(k.nloads, 2);
	assert_string_equal(k.loads[0].name, "large");
	assert_string_equal(k.loads[1].name, "small");
	kern_obj_close(o);
}

/* With a log from the beginning: it goes to stderr, of what loads, too. */
static void
test_verbose(void **state)
{
	char path[] = "/tmp/kern-load-XXXXXX", text[64] = "";
	int to = mkstemp(path), old = dup(STDERR_FILENO);
	struct kern_obj *o = open_both(true);

	k = (struct kernel){ .prog = "more", .os = EINVAL, .log_os = EINVAL, .log = "oh\nno\n" };
	assert_ok(kern_obj_use_prog(o, "more"));
	dup2(to, STDERR_FILENO);
	struct err *e = kern_obj_load(o, true);
	dup2(old, STDERR_FILENO);
	assert_non_null(e);
	assert_string_equal(e->text, "cannot load BPF programs: oh; no");
	err_free(e);
	assert_int_equal(k.nloads, 2);
	assert_int_equal(k.loads[0].attr.log_level, 1);
	assert_int_equal(k.loads[1].attr.log_level, 1);
	assert_true(pread(to, text, sizeof(text) - 1, 0) > 0);
	assert_string_equal(text, "main:\nmore:\noh\nno\n");
	close(to);
	close(old);
	unlink(path);
	kern_obj_close(o);
}

/* A kernel that wants hashes with all their elements gets them: those, and no other map, are
 * made anew, and everything is loaded again with them. */
static void
test_preallocate(void **state)
{
	static const char says[] = "trace type programs can only use preallocated hash map\n";

	for (int other = 0; other < 2; other++) {
		unsigned nopen = count_open();
		struct kern_obj *o = open_both(true);
		k = (struct kernel){ .os = EINVAL, .log = says, .hashes = true };
		if (other)
			assert_ok(kern_obj_use_prog(o, "more"));
		assert_ok(kern_obj_need_map(o, "ring"));
		assert_ok(kern_obj_load(o, false));
		assert_int_equal(times_made("sparse"), 2);
		assert_int_equal(times_made("full"), other);
		assert_int_equal(times_made("shared"), 1);
		assert_int_equal(times_made("ring"), 1);
		const struct map *m = map_of(kern_obj_map(o, "sparse"));
		assert_int_equal(m->attr.map_flags, 0);
		assert_int_equal(m->attr.max_entries, 100);
		assert_int_equal(load_of("main")->insns[1].imm, m->fd);
		assert_int_equal(kern_obj_prog(o, "main"), load_of("main")->fd);
		kern_obj_close(o);
		assert_int_equal(count_open(), nopen);
	}
	/* One that says so of anything is not asked for ever. */
	struct kern_obj *o = open_both(true);
	k = (struct kernel){ .prog = "main", .os = EINVAL, .log_os = EINVAL, .log = says };
	struct err *e = kern_obj_load(o, false);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_VERIFY);
	err_free(e);
	assert_int_equal(k.nloads, 4);
	kern_obj_close(o);
}

static void
test_no_memory(void **state)
{
	unsigned nopen = count_open();
	bool failed = true;

	for (unsigned long n = 1; failed; n++) {
		const struct abi_obj *objs[] = { &our_obj, &their_obj };
		struct kern_obj *o = NULL;
		k = (struct kernel){ .nloads = 0 };
		util_alloc_fail(n, 1);
		struct err *e = kern_obj_open(objs, 2, &o);
		if (!e)
			e = kern_obj_load(o, false);
		util_alloc_fail(0, 0);
		failed = e != NULL;
		if (e)
			assert_int_equal(e->code, ERR_NOMEM);
		err_free(e);
		kern_obj_close(o);
		assert_int_equal(count_open(), nopen);
		assert_true(n < 100);
	}
}

/* The kernel that is asked which it is. */
static const char *version = "#1 SMP", *release = "6.12";
int __wrap_uname(struct utsname *u);

int
__wrap_uname(struct utsname *u)
{
	*u = (struct utsname){ .sysname = "Linux" };
	strcpy(u->version, version);
	strcpy(u->release, release);
	return 0;
}

/* A real-time kernel's hashes have all their elements from the first, and an old one's. */
static void
test_elements(void **state)
{
	static const struct { const char *version, *release; uint32_t flags; } rows[] = {
		{ "#1 SMP PREEMPT_DYNAMIC Debian 6.12", "6.12.1-amd64", BPF_F_NO_PREALLOC },
		{ "#1 SMP PREEMPT_RT Debian 6.12", "6.12.1-rt-amd64", 0 },
		{ "#1 SMP", "6.1.0-56-amd64", BPF_F_NO_PREALLOC },
		{ "#1 SMP", "7.0", BPF_F_NO_PREALLOC },
		{ "#1 SMP", "6.0.19", 0 }, { "#204-Ubuntu SMP", "5.15.0-204-generic", 0 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct kern_obj *o = open_both(true);
		k = (struct kernel){ 0 };
		version = rows[i].version;
		release = rows[i].release;
		assert_ok(kern_obj_load(o, false));
		assert_int_equal(times_made("sparse"), 1);
		assert_int_equal(map_of(kern_obj_map(o, "sparse"))->attr.map_flags,
				 rows[i].flags);
		kern_obj_close(o);
	}
	version = "#1 SMP";
	release = "6.12";
}

/* What only the version tells. */
static void
test_versions(void **state)
{
	static const struct {
		const char *release;
		bool is_610, preempts;
		unsigned progs;
	} rows[] = {
		{ "5.15.0-204-generic", false, false, KERN_PROGS_ANY },
		{ "6.8.0-151-generic", false, false, KERN_PROGS_ANY },
		{ "6.9", false, false, KERN_PROGS_FEW },
		{ "6.10.1", true, false, KERN_PROGS_FEW },
		{ "6.12.117+deb12-amd64", true, false, KERN_PROGS_FEW },
		{ "6.13.0-rc1", true, false, KERN_PROGS_MANY },
		{ "6.18.33", true, false, KERN_PROGS_MANY },
		{ "7.0", true, true, KERN_PROGS_MANY }, { "10.1", true, true, KERN_PROGS_MANY },
		{ "", false, false, KERN_PROGS_ANY },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		release = rows[i].release;
		assert_int_equal(kern_is_since(6, 10), rows[i].is_610);
		assert_int_equal(kern_preempts(), rows[i].preempts);
		assert_int_equal(kern_progs_max(), rows[i].progs);
	}
	release = "6.12";
}

/* --- Without bpf_loop() ----------------------------------------------------------------- */

#define FUNC { BPF_LD | BPF_DW | BPF_IMM, 2, BPF_PSEUDO_FUNC, 0, 0 }, { 0, 0, 0, 0, 0 }
#define HELPER(id) { BPF_JMP | BPF_CALL, 0, 0, 0, id }

/* r0 = bpf_loop(TIMES, turn, 7, 0), and the answer of bpf_find_vma() in r9 */
enum { TIMES_AT = 2, STOP_AT = 11 };
static struct bpf_insn looping[] = {
	HELPER(BPF_FUNC_find_vma), { BPF_ALU64 | BPF_MOV | BPF_X, 9, 0, 0, 0 },
	{ BPF_ALU64 | BPF_MOV | BPF_K, 1, 0, 0, 0 }, FUNC,
	{ BPF_ALU64 | BPF_MOV | BPF_K, 3, 0, 0, 7 }, { BPF_ALU64 | BPF_MOV | BPF_K, 4, 0, 0, 0 },
	HELPER(BPF_FUNC_loop), { BPF_JMP | BPF_EXIT, 0, 0, 0, 0 },
	/* turn(r1, r2): r5 counts; 1 at STOP, and without its context */
	{ BPF_ALU64 | BPF_ADD | BPF_K, 5, 0, 0, 1 }, { BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0 },
	[STOP_AT] = { BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 2, 0 },
	{ BPF_JMP | BPF_JEQ | BPF_K, 2, 0, 2, 7 }, { BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 0, 0 },
	{ BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 1 }, { BPF_JMP | BPF_EXIT, 0, 0, 0, 0 },
};
static const struct abi_ref loop_refs[] = { { 3, 1 } };
static const struct abi_func loop_funcs[] = {
	{ "loops", 0, 9, 0, 1, ABI_FUNC_PROG, ABI_ATTACH_RAWTP, 0, 0, false },
	{ "turn", 9, 7, 1, 0, ABI_FUNC_STATIC, 0, 2, 0, false },
};
static const struct abi_obj loop_obj = { looping, loop_funcs, NULL, loop_refs, 2, 0 };

/* Fields that an instruction does not use are 0, which the verifier asks for. */
static void
check_unused(const struct bpf_insn *i)
{
	unsigned op = BPF_OP(i->code);
	bool is_jump = BPF_CLASS(i->code) == BPF_JMP, goes = op == BPF_CALL || op == BPF_EXIT;
	bool from_reg = BPF_SRC(i->code) == BPF_X && !goes;

	if (from_reg || op == BPF_EXIT)
		assert_int_equal(i->imm, 0);
	if (!from_reg && op != BPF_CALL)
		assert_int_equal(i->src_reg, 0);
	if (!is_jump || goes)
		assert_int_equal(i->off, 0);
	if (is_jump && goes)
		assert_int_equal(i->dst_reg, 0);
}

/* What such a program leaves in its registers. */
static void
run(const struct bpf_insn *insns, int64_t r[11])
{
	struct { const struct bpf_insn *back; int64_t kept[4]; } calls[4];
	unsigned depth = 0;

	for (const struct bpf_insn *i = insns; ; i++) {
		int64_t with = BPF_SRC(i->code) == BPF_X ? r[i->src_reg] : i->imm;
		bool wide = i->code == (BPF_LD | BPF_DW | BPF_IMM);
		if (!wide)
			check_unused(i);
		switch (wide ? BPF_LD : i->code & ~BPF_X) {
		case BPF_LD: r[i->dst_reg] = i->imm; i++; break;
		case BPF_ALU | BPF_MOV: r[i->dst_reg] = (uint32_t)with; break;
		case BPF_ALU64 | BPF_MOV: r[i->dst_reg] = with; break;
		case BPF_ALU64 | BPF_ADD: r[i->dst_reg] += with; break;
		case BPF_JMP | BPF_JGE: i += r[i->dst_reg] >= with ? i->off : 0; break;
		case BPF_JMP | BPF_JEQ: i += r[i->dst_reg] == with ? i->off : 0; break;
		case BPF_JMP | BPF_CALL:
			assert_int_equal(i->src_reg, BPF_PSEUDO_CALL);
			assert_true(depth < BASE_NELEMS(calls));
			calls[depth].back = i;
			memcpy(calls[depth++].kept, &r[6], sizeof(calls->kept));
			i += i->imm;
			break;
		case BPF_JMP | BPF_EXIT:
			if (!depth)
				return;
			i = calls[--depth].back;
			memcpy(&r[6], calls[depth].kept, sizeof(calls->kept));
			break;
		default:
			fail_msg("instruction %#x", i->code);
		}
	}
}

static void
test_turns(void **state)
{
	static const struct { const char *says; int times, stop; int64_t result, turns; } rows[] = {
		{ "invalid func unknown#181\n", 5, -1, 5, 5 },
		{ "invalid func unknown#180\n", 5, 2, 3, 3 },
		{ "invalid func unknown#181\n", 0, -1, 0, 0 },
		{ "invalid func unknown#181\n", 5, 4, 5, 5 },
		{ "invalid func unknown#181\n", 1200, -1, 1200, 1200 },
		{ "invalid func unknown#181\n", 1201, -1, -E2BIG, 1200 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		const struct abi_obj *objs[] = { &loop_obj };
		int64_t r[11] = { 0 };
		struct kern_obj *o;
		looping[TIMES_AT].imm = rows[i].times;
		looping[STOP_AT].imm = rows[i].stop;
		k = (struct kernel){ .os = EINVAL, .log = rows[i].says, .no_helpers = true };
		assert_ok(kern_obj_open(objs, 1, &o));
		assert_ok(kern_obj_load(o, false));
		assert_int_equal(k.nloads, 3);
		const struct load *l = load_of("loops");
		assert_int_equal(l->attr.func_info_cnt, 3);
		assert_int_equal(l->info[2].insn_off, BASE_NELEMS(looping));
		assert_int_equal(l->info[2].type_id, l->info[1].type_id);
		assert_int_equal(l->insns[3].src_reg, 0);
		run(l->insns, r);
		assert_int_equal(r[0], rows[i].result);
		assert_int_equal(r[5], rows[i].turns);
		assert_int_equal(r[9], -ENOENT);
		assert_true(kern_obj_turned(o));
		kern_obj_close(o);
	}
	/* So many turns are meant. */
	const struct abi_obj *objs[] = { &loop_obj };
	struct kern_obj *o;
	looping[TIMES_AT].imm = 1 << 16;
	k = (struct kernel){ .os = EINVAL, .log = rows[0].says, .no_helpers = true };
	assert_ok(kern_obj_open(objs, 1, &o));
	struct err *e = kern_obj_load(o, false);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_UNSUPPORTED);
	err_free(e);
	kern_obj_close(o);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts), cmocka_unit_test(test_optional),
		cmocka_unit_test(test_maps), cmocka_unit_test(test_maps_refused),
		cmocka_unit_test(test_refused), cmocka_unit_test(test_long_log),
		cmocka_unit_test(test_verbose),
		cmocka_unit_test(test_large_first), cmocka_unit_test(test_preallocate), cmocka_unit_test(test_turns),
		cmocka_unit_test(test_elements), cmocka_unit_test(test_versions),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests_name("kern-load", tests, NULL, NULL);
}
