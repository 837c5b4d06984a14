/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What must not be taken for something else: a module for one whose name it
 * begins, a process for one that had its number, a file for one of those that
 * are open already; and that what was opened is given back.  argv[1] is a
 * program, which the processes here are said to execute.
 */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/magic.h>
#include <cmocka.h>

#include "base/base.h"
#include "support/countopen.h"
#include "sym/process_priv.h"
#include "sym/sym.h"
#include "util/alloc.h"
#include "util/sb.h"

/* No process has such a number; files that are kept open at most. */
enum { PID = 0x3fffff00, OPEN_FEW = 64, LARGE_MAX = 192, SMALL_MAX = 1 << 20,
       DEAD_MAX = 1 << 15 };

static const char *program;

/* --- Modules -------------------------------------------------------------- */

/* Names of modules that begin other names, in every order. */
static void
test_modules(void **state)
{
	static const char *const names[] = { "nf", "nf_nat", "nf_nat_ftp",
					     "x_nf" };
	enum { N = BASE_NELEMS(names), ROUNDS = 64 };
	char path[] = "/tmp/sym-known-XXXXXX";
	FILE *f = fdopen(mkstemp(path), "w");
	struct sym_kernel *k;
	struct sym s;

	assert_non_null(f);
	for (unsigned i = 0; i < ROUNDS; i++)
		fprintf(f, "%lx t f%u\t[%s]\n", 0xffffffffc0000000 + i * 16UL,
			i, names[(i / N + i) % N]);
	fclose(f);
	assert_null(sym_kernel_new(path, &k));
	for (unsigned i = 0; i < ROUNDS; i++) {
		const char *module = names[(i / N + i) % N];
		char name[16];
		assert_null(sym_kernel_by_addr(k, 0xffffffffc0000000 + i * 16,
					       &s));
		assert_string_equal(s.module, module);
		/* Its first is among the first N. */
		unsigned first = 0;
		while (names[first] != module)
			first++;
		assert_int_equal(s.module_start,
				 0xffffffffc0000000 + first * 16);
		snprintf(name, sizeof(name), "f%u", i);
		assert_null(sym_kernel_by_name(k, module, name, &s));
		struct err *e = sym_kernel_by_name(k, "nf_", name, &s);
		assert_non_null(e);
		err_free(e);
	}
	sym_kernel_free(k);
	unlink(path);
}

/* Sixteen underscores count as fifteen, and do not make a function data; what is for programs
 * of 32 bits counts as so many. */
static void
test_underscores(void **state)
{
	char path[] = "/tmp/sym-known-XXXXXX";
	FILE *f = fdopen(mkstemp(path), "w");
	struct sym_kernel *k;
	struct sym s;

	assert_non_null(f);
	fputs("ffffffff81000000 t local\n"
	      "ffffffff81000000 T ________________global\n"
	      "ffffffff81000010 t _local\n"
	      "ffffffff81000010 t local\n"
	      "ffffffff81000020 t __do_sys_call\n"
	      "ffffffff81000020 T __ia32_sys_call\n"
	      "ffffffff81000020 T __x64_sys_call\n"
	      "ffffffff81000030 T __ia32_only\n", f);
	fclose(f);
	assert_null(sym_kernel_new(path, &k));
	assert_null(sym_kernel_by_addr(k, 0xffffffff81000000, &s));
	assert_string_equal(s.name, "________________global");
	assert_null(sym_kernel_by_addr(k, 0xffffffff81000010, &s));
	assert_string_equal(s.name, "local");
	assert_null(sym_kernel_by_addr(k, 0xffffffff81000020, &s));
	assert_string_equal(s.name, "__x64_sys_call");
	assert_null(sym_kernel_by_addr(k, 0xffffffff81000030, &s));
	assert_string_equal(s.name, "__ia32_only");
	sym_kernel_free(k);
	unlink(path);
}

/* Symbols that were read when that was asked for need no file any more. */
static void
test_read_now(void **state)
{
	char path[] = "/tmp/sym-known-XXXXXX";
	FILE *f = fdopen(mkstemp(path), "w");
	struct sym_kernel *k;
	struct sym_names *n;
	struct sym_place p;

	assert_non_null(f);
	fprintf(f, "ffffffff81000000 T first\nffffffff81000010 T second\n");
	fclose(f);
	assert_null(sym_kernel_new(path, &k));
	assert_null(sym_names_new(k, &n));
	sym_names_read_kernel(n, NULL, NULL);
	unlink(path);
	sym_names_kernel(n, 0xffffffff81000004, &p);
	assert_string_equal(p.function, "first");
	assert_int_equal(p.offset, 4);
	sym_names_free(n);
	sym_kernel_free(k);
}

/* --- Processes ------------------------------------------------------------ */

/* Of those that ended long ago one whose number is in use again stays. */
static void
test_used_again(void **state)
{
	struct processes t;

	sym_processes_init(&t);
	for (int i = 0; i < 3; i++)
		sym_processes_end(&t, sym_processes_get(&t, PID + i));
	sym_processes_find(&t, PID + 1)->ended = false;
	for (int i = 0; i < DEAD_MAX; i++)
		sym_processes_end(&t, sym_processes_get(&t, PID - 1 - i));
	assert_null(sym_processes_find(&t, PID));
	assert_non_null(sym_processes_find(&t, PID + 1));
	assert_null(sym_processes_find(&t, PID + 2));
	assert_non_null(sym_processes_find(&t, PID - 1));
	/* to end twice is to end once */
	sym_processes_end(&t, sym_processes_find(&t, PID - 1));
	assert_non_null(sym_processes_find(&t, PID - 2));
	sym_processes_fini(&t);
}

struct world {
	struct sym_kernel *k;
	struct sym_names *n;
	struct sym_mapping m;		/* of the program, not of its code */
};

static void
world_init(struct world *w)
{
	struct stat st;

	assert_int_equal(stat(program, &st), 0);
	assert_null(sym_kernel_new("/dev/null", &w->k));
	assert_null(sym_names_new(w->k, &w->n));
	w->m = (struct sym_mapping){
		.start = 0x1000, .size = 0x1000, .offset = 0, .path = program,
		.dev = (uint64_t)major(st.st_dev) << 32 | minor(st.st_dev),
		.inode = st.st_ino,
	};
}

static void
world_fini(struct world *w)
{
	sym_names_free(w->n);
	sym_kernel_free(w->k);
}

static void
map(struct world *w, int pid, const char *path, uint64_t time_ns)
{
	struct sym_mapping m = w->m;

	m.path = path;
	m.time_ns = time_ns;
	sym_names_mapped(w->n, pid, &m);
}

static void
check_module(struct world *w, int pid, const char *want)
{
	struct sym_place p;

	sym_names_user(w->n, pid, 0x1010, &p);
	if (!p.module || strcmp(p.module, want))
		fail_msg("%s, not %s", p.module ? p.module : "none", want);
}

/* What the one that had the number before had mapped is not its successor's,
 * who begins with what its parent had. */
static void
test_successor(void **state)
{
	struct world w;

	world_init(&w);
	map(&w, PID, "/a/parent", 100);
	sym_names_forked(w.n, PID + 1, PID, 110);
	check_module(&w, PID + 1, "parent");
	map(&w, PID + 1, "/a/first", 120);
	check_module(&w, PID + 1, "first");
	sym_names_forked(w.n, PID + 3, PID + 1, 130);
	sym_names_ended(w.n, PID + 1);
	check_module(&w, PID + 1, "first");
	sym_names_forked(w.n, PID + 1, PID, 200);
	check_module(&w, PID + 1, "parent");
	map(&w, PID + 1, "/a/second", 210);
	check_module(&w, PID + 1, "second");
	/* A child of the second, and one of the first. */
	sym_names_forked(w.n, PID + 2, PID + 1, 220);
	check_module(&w, PID + 2, "second");
	check_module(&w, PID + 3, "first");
	/* What only the first had is his: his records are printed still. */
	w.m.start += 0x1000;
	map(&w, PID + 4, "/a/old", 300);
	w.m.start -= 0x1000;
	sym_names_ended(w.n, PID + 4);
	sym_names_forked(w.n, PID + 4, PID, 310);
	struct sym_place p;
	sym_names_user(w.n, PID + 4, 0x2010, &p);
	assert_string_equal(p.module, "old");
	world_fini(&w);
}

/* A process that has ended is not looked for in /proc, where somebody else may
 * have its number by now. */
static void
test_ended(void **state)
{
	struct world w;
	struct sym_place p;

	world_init(&w);
	sym_names_forked(w.n, getpid(), PID, 100);
	sym_names_ended(w.n, getpid());
	sym_names_user(w.n, getpid(), (uint64_t)(uintptr_t)&test_ended, &p);
	assert_null(p.module);
	/* This one has it. */
	sym_names_forked(w.n, getpid(), PID, 200);
	sym_names_user(w.n, getpid(), (uint64_t)(uintptr_t)&test_ended, &p);
	assert_non_null(p.module);
	world_fini(&w);
}

/* Who is traced is meant by 0, and by the number of who traces. */
static void
test_target(void **state)
{
	struct world w;
	struct sym_place p;

	world_init(&w);
	map(&w, PID, "/a/target", 100);
	map(&w, PID + 1, "/a/other", 100);
	sym_names_target(w.n, PID + 2, PID);
	check_module(&w, 0, "target");
	check_module(&w, PID + 2, "target");
	check_module(&w, PID, "target");
	check_module(&w, PID + 1, "other");
	sym_names_user(w.n, PID + 3, 0x1010, &p);
	assert_null(p.module);
	world_fini(&w);
}

/* The code that the kernel gives to each process has names, too. */
static void
test_vdso(void **state)
{
	const struct sym_mapping m = { .start = 0x70000000, .size = 0x10000,
				       .path = "[vdso]", .time_ns = 100 };
	bool found = false;
	struct world w;
	struct sym_place p;

	if (!getauxval(AT_SYSINFO_EHDR))
		skip();
	world_init(&w);
	sym_names_mapped(w.n, PID, &m);
	for (uint64_t at = 0; at < m.size; at += 16) {
		sym_names_user(w.n, PID, m.start + at, &p);
		assert_string_equal(p.module, "[vdso]");
		found |= p.function && strstr(p.function, "clock_gettime");
	}
	assert_true(found);
	world_fini(&w);
}

/* --- What is kept ----------------------------------------------------------- */

/* Texts are copied, and what is kept of one address replaces what was. */
static void
test_kept(void **state)
{
	char module[] = "mod", function[] = "fun", file[] = "a/b.c";
	struct sym_line line = { .file = file, .line = 7 };
	struct sym_place p = { .addr = 0x10, .module = "old" }, got;
	struct sym_names *n;

	assert_null(sym_names_new(NULL, &n));
	assert_true(sym_names_keep(n, SYM_KEPT_USER, 5, false, &p));
	p = (struct sym_place){ .addr = 0x10, .module = module,
		.function = function, .offset = 3, .module_start = 0x8,
		.lines = &line, .nlines = 1 };
	assert_true(sym_names_keep(n, SYM_KEPT_USER, 5, false, &p));
	module[0] = function[0] = file[0] = 'X';
	line.line = 8;
	sym_names_user(n, 5, 0x10, &got);
	assert_string_equal(got.module, "mod");
	assert_string_equal(got.function, "fun");
	assert_int_equal(got.offset, 3);
	assert_int_equal(got.module_start, 8);
	assert_int_equal(got.nlines, 1);
	assert_string_equal(got.lines[0].file, "a/b.c");
	assert_int_equal(got.lines[0].line, 7);
	/* Another process, address, side or kind is not known. */
	for (int i = 0; i < 4; i++) {
		if (i == 3)
			sym_names_kernel(n, 0x10, &got);
		else if (i == 2)
			sym_names_frame(n, 5, 0x10, 1, &got);
		else
			sym_names_user(n, 5 + (i == 0), 0x10 + (i == 1), &got);
		assert_null(got.module);
		assert_null(got.function);
		assert_int_equal(got.module_start, got.addr);
	}
	sym_names_free(n);
}

/* Without memory some of it is missing, and nothing that is not there is told of. */
static void
test_kept_memory(void **state)
{
	struct sym_line lines[] = { { .file = "a.c", .line = 7 }, { .function = "f" } };
	struct sym_place p = { .addr = 0x10, .module = "mod", .function = "fun",
			       .lines = lines, .nlines = 2 }, got;

	for (int sticky = 0; sticky < 2; sticky++) {
		bool was_kept = false;
		unsigned long nth = 1;
		for (; !was_kept; nth++) {
			struct sym_names *n;
			assert_null(sym_names_new(NULL, &n));
			util_alloc_fail(nth, sticky);
			was_kept = sym_names_keep(n, SYM_KEPT_USER, 5, false, &p);
			util_alloc_fail(0, 0);
			sym_names_user(n, 5, 0x10, &got);
			assert_true(got.lines ? got.nlines == 2 : !got.nlines);
			if (was_kept) {
				assert_string_equal(got.module, "mod");
				assert_string_equal(got.function, "fun");
				assert_string_equal(got.lines[0].file, "a.c");
				assert_string_equal(got.lines[1].function, "f");
			}
			sym_names_free(n);
		}
		assert_true(nth > 4);
	}
}

/* What was inlined comes first, without an offset of its own. */
static void
test_unfold(void **state)
{
	static const struct sym_line three[] = {
		{ .file = "/x/a.c", .line = 1, .function = "in" },
		{ .file = NULL, .line = 2, .function = "mid" },
		{ .file = "/x/c.c", .line = 3, .function = "ignored" },
	};
	static const struct { size_t n; const char *want[4]; } rows[] = {
		{ 0, { "m`f+0x5" } },
		{ 1, { "m`f+0x5 (c.c:3)" } },
		{ 2, { "m`mid [inlined]", "m`f+0x5 (c.c:3)" } },
		{ 3, { "m`in [inlined] (a.c:1)", "m`mid [inlined]",
		       "m`f+0x5 (c.c:3)" } },
	};

	for (size_t r = 0; r < BASE_NELEMS(rows); r++) {
		struct sym_place one, p = { .addr = 9, .module = "m",
			.function = "f", .offset = 5,
			.lines = three + 3 - rows[r].n, .nlines = rows[r].n };
		struct sb b;
		size_t i = 0;

		sb_init(&b, 4096);
		for (; sym_place_unfold(&p, i, &one); i++) {
			sb_reset(&b);
			sym_place_print(&one, &b);
			assert_non_null(rows[r].want[i]);
			assert_string_equal(sb_str(&b), rows[r].want[i]);
		}
		assert_null(rows[r].want[i]);
		sb_fini(&b);
	}
}

/* --- Files ---------------------------------------------------------------- */

static struct sym_mapping
link_mapping(const char *dir, unsigned i, const struct stat *st, char *path,
	     size_t size)
{
	snprintf(path, size, "%s/%u", dir, i);
	return (struct sym_mapping){
		.start = 0x1000, .size = 0x1000, .path = path,
		.dev = (uint64_t)major(st->st_dev) << 32 | minor(st->st_dev),
		.inode = st->st_ino,
	};
}

/* Few files are kept open, and some large ones besides; of the others the oldest was read,
 * or if it is large will be opened when it is needed. */
static void
check_open_files(off_t size)
{
	enum { N = OPEN_FEW + LARGE_MAX + 20 };
	const unsigned most = size > SMALL_MAX ? OPEN_FEW + LARGE_MAX : OPEN_FEW;
	char dir[] = "/tmp/sym-known-XXXXXX", path[64], target[64];
	struct sym_mapping m[N];
	struct object *o[N];
	struct objects t;
	struct stat st;
	char names[N][sizeof(path)];
	unsigned before = count_open();

	assert_non_null(mkdtemp(dir));
	snprintf(target, sizeof(target), "%s/0", dir);
	FILE *f = fopen(target, "w");
	assert_non_null(f);
	fclose(f);
	assert_int_equal(truncate(target, size), 0);
	for (unsigned i = 1; i < N; i++) {
		snprintf(path, sizeof(path), "%s/%u", dir, i);
		assert_int_equal(link(target, path), 0);
	}
	assert_int_equal(stat(target, &st), 0);
	sym_objects_init(&t);
	for (unsigned i = 0; i < N; i++) {
		m[i] = link_mapping(dir, i, &st, names[i], sizeof(names[i]));
		if (i == OPEN_FEW)	/* what has been read counts no more */
			for (unsigned k = 0; k < 2; k++) {
				struct sym_place p;
				sym_object_look_up(&t, o[k], PID, &m[k], 0x1000,
						   &p);
				assert_int_equal(o[k]->fd, -1);
				assert_true(o[k]->is_read);
			}
		o[i] = sym_objects_get(&t, PID, &m[i]);
		assert_non_null(o[i]);
		assert_ptr_equal(sym_objects_get(&t, PID, &m[i]), o[i]);
		assert_true(o[i]->fd >= 0);
		assert_true(t.nopen <= most && t.nlarge <= LARGE_MAX);
		assert_int_equal(count_open(), before + t.nopen);
	}
	for (unsigned i = 0; i < N; i++)
		assert_true(o[i]->fd >= 0 || o[i]->is_read || size > SMALL_MAX);
	assert_int_equal(t.nopen, most);
	assert_int_equal(t.nlarge, most - OPEN_FEW);
	/* To look for data closes nothing, and leaves nothing open. */
	for (unsigned i = 2; i < N; i++)
		sym_object_has_data(&t, o[i], PID, &m[i], 0);
	assert_int_equal(t.nopen, most);
	assert_int_equal(count_open(), before + most);
	for (unsigned i = 0; i < N; i++) {
		struct sym_place p;
		sym_object_look_up(&t, o[i], PID, &m[i], 0x1000, &p);
	}
	assert_int_equal(t.nopen + t.nlarge, 0);
	assert_int_equal(count_open(), before);
	/* What is open at the end is closed then. */
	m[0].path = "/proc/self/exe";
	assert_int_equal(stat(m[0].path, &st), 0);
	m[0].dev = (uint64_t)major(st.st_dev) << 32 | minor(st.st_dev);
	m[0].inode = st.st_ino;
	assert_true(sym_objects_get(&t, PID, &m[0])->fd >= 0);
	sym_objects_fini(&t);
	assert_int_equal(count_open(), before);
	for (unsigned i = 0; i < N; i++) {
		snprintf(path, sizeof(path), "%s/%u", dir, i);
		unlink(path);
	}
	rmdir(dir);
}

static void
test_open_files(void **state)
{
	check_open_files(0);
	check_open_files(SMALL_MAX + 1);
}

static unsigned *touched;	/* of children, too */

static void
touch(void *ctx)
{
	++*touched;
}

/* A file system in memory waits for nobody: it is not asked. */
static void
test_memory_files(void **state)
{
	struct statfs fs;
	struct mounts t;
	struct stat st;

	if (statfs("/dev/shm", &fs) || fs.f_type != TMPFS_MAGIC ||
	    stat("/dev/shm", &st))
		skip();
	touched = mmap(NULL, sizeof(*touched), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(touched != MAP_FAILED);
	sym_mounts_init(&t);
	for (int i = 0; i < 3; i++)
		assert_true(sym_mounts_answer(&t,
			(uint64_t)major(st.st_dev) << 32 | minor(st.st_dev),
			getpid(), touch, NULL));
	assert_int_equal(t.all.n, 1);
	assert_int_equal(*touched, 0);
	sym_mounts_fini(&t);
	munmap(touched, sizeof(*touched));
}

/* --- Code made on the way ------------------------------------------------- */

static int
write_map(int pid, const char *line)
{
	char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", pid);
	FILE *f = fopen(path, "we");
	if (!f)
		return -1;
	fputs(line, f);
	return fclose(f);
}

/* A process writes its map under the number that it has for itself, which is 1
 * for the first one of a namespace. */
static void
test_own_number(void **state)
{
	int tell[2], end[2];
	pid_t child = 0;
	struct jit j;

	assert_int_equal(pipe(tell) | pipe(end), 0);
	pid_t between = fork();
	if (between == 0) {
		if (unshare(CLONE_NEWPID) == 0)
			child = fork();
		if (child == 0 && getpid() == 1)
			_exit(close(end[1]) || read(end[0], tell, 1));
		_exit(write(tell[1], &child, sizeof(child)) < 0);
	}
	assert_int_equal(read(tell[0], &child, sizeof(child)), sizeof(child));
	waitpid(between, NULL, 0);
	if (!child) {
		print_message("# skipped: no namespace of processes\n");
		skip();
	}
	if (access("/tmp/perf-1.map", F_OK) == 0)
		skip();		/* somebody's */
	assert_int_equal(write_map(1, "1000 20 name\n"), 0);
	sym_jit_init(&j);
	const struct jit_sym *found = sym_jit_find(&j, child, 0x1000, 1);
	unlink("/tmp/perf-1.map");
	assert_non_null(found);
	assert_string_equal(j.title, "perf-1.map");
	sym_jit_fini(&j);
	close(end[1]);
	close(end[0]);
	close(tell[0]);
	close(tell[1]);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_modules),
		cmocka_unit_test(test_underscores),
		cmocka_unit_test(test_read_now),
		cmocka_unit_test(test_used_again),
		cmocka_unit_test(test_successor),
		cmocka_unit_test(test_ended),
		cmocka_unit_test(test_target),
		cmocka_unit_test(test_vdso),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_kept_memory),
		cmocka_unit_test(test_unfold),
		cmocka_unit_test(test_open_files),
		cmocka_unit_test(test_memory_files),
		cmocka_unit_test(test_own_number),
	};

	if (argc != 2)
		return 2;
	program = argv[1];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
