/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is known of processes: lines of /proc/PID/maps, mappings that come and
 * go, forks, ends, numbers that are used again, code that was made on the way.
 * The processes are invented; their file is argv[1].
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "support/countopen.h"
#include "sym/maps.h"
#include "sym/process_priv.h"
#include "sym/sym.h"
#include "util/alloc.h"
#include "util/sb.h"

/* No process has such a number. */
enum { PID = 0x3fffff00 };

static const char *program;

/* --- Lines ---------------------------------------------------------------- */

static void
test_lines(void **state)
{
	static const struct {
		const char *line, *path;
		uint64_t start, size, offset, dev, inode;
	} rows[] = {
		{ "00400000-0040b000 r-xp 00001000 fe:02 4711       /bin/a b\n",
		  "/bin/a b", 0x400000, 0xb000, 0x1000, 0xfeULL << 32 | 2,
		  4711 },
		{ "7ffd4-7ffd6 r-xp 00000000 00:00 0            [vdso]",
		  "[vdso]", 0x7ffd4, 2, 0, 0, 0 },
		{ "7f00-8f00 rwxp 00000000 00:00 0 \n", "", 0x7f00, 0x1000, 0,
		  0, 0 },
		{ "7f00-8f00 r-xp 00000000 00:00 0 /a\\012b\\01\\012\n",
		  "/a\nb\\01\n", 0x7f00, 0x1000, 0, 0, 0 },
		{ "7f00-8f00 rw-p 00000000 00:00 0 /a\n", NULL, 0, 0, 0, 0, 0 },
		{ "8f00-8f00 r-xp 00000000 00:00 0 /a\n", NULL, 0, 0, 0, 0, 0 },
		{ "\n", NULL, 0, 0, 0, 0, 0 },
		{ "", NULL, 0, 0, 0, 0, 0 },
		{ "7f00-8f00 r", NULL, 0, 0, 0, 0, 0 },
		{ "zonk", NULL, 0, 0, 0, 0, 0 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		char line[128];
		struct sym_mapping m;
		strcpy(line, rows[i].line);
		bool ok = sym_process_parse_line(line, &m);
		assert_int_equal(ok, rows[i].path != NULL);
		if (!ok)
			continue;
		assert_string_equal(m.path, rows[i].path);
		assert_int_equal(m.start, rows[i].start);
		assert_int_equal(m.size, rows[i].size);
		assert_int_equal(m.offset, rows[i].offset);
		assert_int_equal(m.dev, rows[i].dev);
		assert_int_equal(m.inode, rows[i].inode);
	}
}

/* --- Mappings ------------------------------------------------------------- */

static struct sym_mapping
mapping(uint64_t start, uint64_t size, uint64_t time_ns)
{
	return (struct sym_mapping){ .start = start, .size = size,
				     .time_ns = time_ns };
}

static void
test_latest(void **state)
{
	struct process p = { .pid = PID };
	struct object a = { .name = "a" }, b = { .name = "b" };
	struct sym_mapping m;

	/* events of two CPUs: the later mapping came first */
	m = mapping(0x1000, 0x1000, 20);
	sym_process_map(&p, &m, &b, NULL);
	m = mapping(0x1000, 0x3000, 10);
	sym_process_map(&p, &m, &a, NULL);
	assert_ptr_equal(sym_process_find(&p, 0x1800, UINT64_MAX)->object, &b);
	assert_ptr_equal(sym_process_find(&p, 0x1800, 15)->object, &a);
	assert_ptr_equal(sym_process_find(&p, 0x2000, UINT64_MAX)->object, &a);
	assert_null(sym_process_find(&p, 0x1800, 9));
	assert_null(sym_process_find(&p, 0xfff, UINT64_MAX));
	assert_null(sym_process_find(&p, 0x4000, UINT64_MAX));
	/* the same once more is the same, also the first */
	sym_process_map(&p, &m, &a, NULL);
	assert_int_equal(p.maps.n, 2);
	m = mapping(0x1000, 0x1000, 20);
	sym_process_map(&p, &m, &b, NULL);
	assert_int_equal(p.maps.n, 2);
	m = mapping(0x1000, 0x3000, 30);
	sym_process_map(&p, &m, &a, "by another name");
	assert_int_equal(p.maps.n, 2);
	/* nobody can tell any more */
	sym_process_map(&p, &m, &a, NULL);
	assert_string_equal(sym_process_find(&p, 0x1800, UINT64_MAX)->called,
			    "by another name");
	assert_ptr_equal(sym_process_find(&p, 0x1800, UINT64_MAX)->object, &a);
	vec_fini(&p.maps);
}

/* One that maps without end does not fill memory, and its latest are known. */
static void
test_many_maps(void **state)
{
	struct process p = { .pid = PID };
	struct object a = { .name = "a" };

	for (uint64_t i = 0; i < 3000; i++) {
		struct sym_mapping m = mapping(i * 0x1000, 0x1000, i);
		sym_process_map(&p, &m, &a, NULL);
	}
	assert_int_equal(sym_process_find(&p, 2999 * 0x1000,
					  UINT64_MAX)->m.time_ns,
			 2999);
	assert_non_null(sym_process_find(&p, 0, UINT64_MAX));
	vec_fini(&p.maps);
}

static void
test_dead(void **state)
{
	struct processes t;

	sym_processes_init(&t);
	for (int i = 0; i < 40000; i++)
		sym_processes_end(&t, sym_processes_get(&t, PID - i));
	assert_null(sym_processes_find(&t, PID));
	assert_non_null(sym_processes_find(&t, PID - 39999));
	assert_non_null(sym_processes_find(&t, PID - 20000));
	sym_processes_fini(&t);
}

/* A process of that number executes the program by that path. */
static void
execute_as(struct objects *t, struct processes *all, int pid, const char *path)
{
	struct sym_mapping m = mapping(0x1000, 0x1000, 1);
	struct sym_place place = { 0 };
	struct stat st;

	assert_int_equal(stat(program, &st), 0);
	m.path = path;
	m.inode = st.st_ino;
	m.dev = (uint64_t)major(st.st_dev) << 32 | minor(st.st_dev);
	struct object *o = sym_objects_get(t, pid, &m);
	assert_non_null(o);
	sym_object_look_up(t, o, pid, &m, 0x1000, &place);
	sym_process_map(sym_processes_get(all, pid), &m, o, NULL);
}

/* What only processes have that ended goes with them, the oldest first, and no sooner
 * than it is too much. */
static void
test_release(void **state)
{
	char path[4096];
	struct processes all;
	struct objects t;

	sym_objects_init(&t);
	sym_processes_init(&all);
	/* The first lives, and has what all have. */
	for (int i = 0; i < 8; i++) {
		snprintf(path, sizeof(path), "%.*s%s", 2 * i, "/././././././.", program);
		execute_as(&t, &all, PID - i, program);
		execute_as(&t, &all, PID - i, path);
	}
	size_t one = t.grown / 8;
	assert_true(one > 1000);
	for (int i = 1; i < 8; i++)
		sym_processes_end(&all, sym_processes_find(&all, PID - i));
	sym_release(&t, &all, 8 * one);
	assert_int_equal(t.by_key.nlive, 8);
	assert_int_equal(t.grown, 0);
	sym_release(&t, &all, 4 * one);
	assert_null(sym_processes_find(&all, PID - 4));
	assert_non_null(sym_processes_find(&all, PID - 5));
	assert_int_equal(t.by_key.nlive, 4);
	sym_release(&t, &all, 0);
	assert_null(sym_processes_find(&all, PID - 7));
	assert_int_equal(t.by_key.nlive, 1);
	assert_string_equal(sym_process_find(sym_processes_find(&all, PID), 0x1000,
					     UINT64_MAX)->object->path, program);
	sym_processes_fini(&all);
	sym_objects_fini(&t);
}

/* What a process maps where another file was, that was read of before, is not that. */
static void
test_mapped_over(void **state)
{
	long page = sysconf(_SC_PAGESIZE);
	struct sym_mapping m = { .size = (uint64_t)page };
	char names[2][32] = { "mapped.XXXXXX", "mapped.XXXXXX" }, path[4096];
	struct stat st[2];
	void *at = NULL;

	for (int i = 0; i < 2; i++) {
		int fd = mkstemp(names[i]);
		assert_int_equal(ftruncate(fd, page), 0);
		assert_int_equal(fstat(fd, &st[i]), 0);
		at = mmap(at, (size_t)page, PROT_READ, MAP_PRIVATE | (i ? MAP_FIXED : 0),
			  fd, 0);
		assert_ptr_not_equal(at, MAP_FAILED);
		close(fd);
	}
	m.start = (uintptr_t)at;
	for (int i = 0; i < 2; i++) {
		struct stat got;
		m.inode = st[i].st_ino;
		m.dev = (uint64_t)major(st[i].st_dev) << 32 | minor(st[i].st_dev);
		assert_non_null(m.path = realpath(names[i], path));
		int fd = sym_maps_open(getpid(), &m);
		/* Whoever may not read map_files goes by the path. */
		assert_true(fd >= 0 || (i == 0 && errno == ENOENT));
		if (fd < 0)
			continue;
		assert_int_equal(fstat(fd, &got), 0);
		assert_int_equal(got.st_ino, st[i].st_ino);
		close(fd);
		unlink(names[i]);
	}
	unlink(names[0]);
	munmap(at, (size_t)page);
}

/* --- Names ---------------------------------------------------------------- */

struct world {
	struct sym_kernel *k;
	struct sym_names *n;
	struct sym_mapping m;	/* of the program's code */
	uint64_t pc;		/* in outermost(), as mapped there */
	uint64_t set, unset;	/* variables, as mapped there */
};

/* Map the program as if it were linked at 0 and loaded at `at`. */
static void
world_init(struct world *w, uint64_t at)
{
	struct stat st;
	struct esyms s;
	FILE *f = fopen(program, "re");

	assert_non_null(f);
	assert_null(sym_kernel_new("/dev/null", &w->k));
	assert_null(sym_names_new(w->k, &w->n));
	assert_int_equal(fstat(fileno(f), &st), 0);
	assert_null(sym_elf_read(&s, fileno(f), NULL));
	for (size_t i = 0; i < s.all.n; i++) {
		const char *name = s.names.v + s.all.v[i].name;
		if (strcmp(name, "outermost") == 0)
			w->pc = s.all.v[i].addr;
		else if (strcmp(name, "stacks_set") == 0)
			w->set = at + s.all.v[i].addr;
		else if (strcmp(name, "stacks_unset") == 0)
			w->unset = at + s.all.v[i].addr;
	}
	for (size_t i = 0; i < s.segs.n; i++)
		if (w->pc - s.segs.v[i].addr < s.segs.v[i].size)
			w->m = (struct sym_mapping){
				.start = at + s.segs.v[i].addr,
				.size = s.segs.v[i].size,
				.offset = s.segs.v[i].off,
			};
	w->pc += at + 1;
	w->m.dev = (uint64_t)major(st.st_dev) << 32 | minor(st.st_dev);
	w->m.inode = st.st_ino;
	w->m.path = program;
	w->m.time_ns = 100;
	sym_elf_fini(&s);
	fclose(f);
}

static void
world_fini(struct world *w)
{
	sym_names_free(w->n);
	sym_kernel_free(w->k);
}

static void
check(struct world *w, int pid, uint64_t pc, const char *want)
{
	struct sym_place p;
	struct sb b;

	sb_init(&b, 4096);
	sym_names_user(w->n, pid, pc, &p);
	sym_place_print(&p, &b);
	assert_string_equal(sb_str(&b), want);
	assert_int_equal(p.addr, pc);
	sb_fini(&b);
}

static void
test_names(void **state)
{
	struct world w;
	struct sym_place p;

	world_init(&w, 0x70000000);
	sym_names_mapped(w.n, PID, &w.m);
	check(&w, PID, w.pc, "stacks`outermost+0x1");
	check(&w, PID, w.pc - 1, "stacks`outermost");
	check(&w, PID, 0x1000, "0x1000");
	check(&w, PID + 1, 0x70001000, "0x70001000");
	sym_names_ended(w.n, PID);
	check(&w, PID, w.pc, "stacks`outermost+0x1");
	/* a return address may be that of the next function */
	sym_names_frame(w.n, PID, w.pc - 1, 1, &p);
	assert_string_not_equal(p.function, "outermost");
	assert_true(p.offset > 1);
	assert_int_equal(p.addr, w.pc - 1);
	sym_names_frame(w.n, PID, w.pc - 1, 0, &p);
	assert_string_equal(p.function, "outermost");
	sym_names_frame(w.n, PID, w.pc, 1, &p);
	assert_int_equal(p.offset, 1);
	assert_int_equal(p.module_start, w.m.start);
	world_fini(&w);
}

__attribute__((noinline)) static void
interrupted(void)
{
	__asm__ volatile("");
}

/* Where a handler returns to, and what its signal interrupted, at its first byte. */
static void
test_interrupted(void **state)
{
	struct { uintptr_t handler, flags, restorer, mask; } action;
	struct sigaction usual = { .sa_handler = SIG_IGN };
	uintptr_t at = (uintptr_t)interrupted;
	struct sym_place p;
	struct world w;

	interrupted();
	assert_int_equal(sigaction(SIGUSR1, &usual, NULL), 0);
	assert_int_equal(syscall(SYS_rt_sigaction, SIGUSR1, NULL, &action, 8), 0);
	if (!(action.flags & 0x4000000))	/* SA_RESTORER */
		skip();
	world_init(&w, 0x70000000);
	sym_names_frame(w.n, getpid(), at, action.restorer, &p);
	assert_string_equal(p.function, "interrupted");
	assert_int_equal(p.offset, 0);
	assert_int_equal(p.addr, at);
	sym_names_frame(w.n, getpid(), at, action.restorer + 1, &p);
	assert_true(!p.function || strcmp(p.function, "interrupted") != 0);
	/* Its own name is not in every libc. */
	sym_names_frame(w.n, getpid(), action.restorer, at, &p);
	assert_int_equal(p.addr, action.restorer);
	assert_true(!p.function || !strcmp(p.function, "__restore_rt"));
	world_fini(&w);
}

/* A child has what its parent had then, and its own; so has its child. */
/* Data behind the code has its names, also where the mapping of the code was made for all
 * of the file, and that of the data, of which nobody tells, over it. */
static void
test_data(void **state)
{
	for (int is_long = 0; is_long < 2; is_long++) {
		struct world w;
		world_init(&w, 0x70000000);
		if (is_long)
			w.m.size = 1 << 20;
		sym_names_mapped(w.n, PID, &w.m);
		check(&w, PID, w.set + 1, "stacks`stacks_set+0x1");
		check(&w, PID, w.unset, "stacks`stacks_unset");
		check(&w, PID, w.pc, "stacks`outermost+0x1");
		world_fini(&w);
	}
}

static void
test_fork(void **state)
{
	struct world w;
	struct sym_mapping other;
	char text[64];

	world_init(&w, 0x70000000);
	sym_names_mapped(w.n, PID, &w.m);
	sym_names_forked(w.n, PID + 1, PID, 150);
	other = w.m;
	other.path = "/no/such/other";
	other.time_ns = 200;
	sym_names_mapped(w.n, PID, &other);
	snprintf(text, sizeof(text), "other`0x%llx", (unsigned long long)w.pc);
	check(&w, PID, w.pc, text);
	check(&w, PID + 1, w.pc, "stacks`outermost+0x1");
	sym_names_forked(w.n, PID + 2, PID + 1, 300);
	check(&w, PID + 2, w.pc, "stacks`outermost+0x1");
	sym_names_ended(w.n, PID);
	check(&w, PID + 1, w.pc, "stacks`outermost+0x1");
	/* the number once more */
	sym_names_ended(w.n, PID + 1);
	sym_names_forked(w.n, PID + 1, PID, 400);
	check(&w, PID + 1, w.pc, text);
	world_fini(&w);
}

/* Another file under the name is another file. */
static void
test_replaced(void **state)
{
	struct world w;
	char text[64];

	world_init(&w, 0x70000000);
	w.m.inode++;
	sym_names_mapped(w.n, PID, &w.m);
	snprintf(text, sizeof(text), "stacks`0x%llx",
		 (unsigned long long)w.pc);
	check(&w, PID, w.pc, text);
	world_fini(&w);
}

/* A copy of the program, by the same name, in memory: a file system without a disk. */
struct copy { char folder[32], path[48]; };

static void
copy_init(struct copy *c, struct sym_mapping *m)
{
	struct stat st;

	strcpy(c->folder, "/dev/shm/sym.XXXXXX");
	if (!mkdtemp(c->folder))
		skip();
	snprintf(c->path, sizeof(c->path), "%s/stacks", c->folder);
	int from = open(program, O_RDONLY), to = open(c->path, O_CREAT | O_WRONLY, 0700);
	assert_int_equal(fstat(from, &st), 0);
	assert_int_equal(sendfile(to, from, NULL, (size_t)st.st_size), st.st_size);
	assert_int_equal(fstat(to, &st), 0);
	close(from);
	close(to);
	m->path = c->path;
	m->inode = st.st_ino;
}

static void
copy_fini(struct copy *c)
{
	unlink(c->path);
	rmdir(c->folder);
}

/* A disk's files have its number; other file systems may tell another one than mappings
 * have. */
static void
test_other_device(void **state)
{
	enum { DISK = 8 };
	struct copy c;
	struct world w;
	char text[64];

	world_init(&w, 0x70000000);
	snprintf(text, sizeof(text), "stacks`0x%llx", (unsigned long long)w.pc);
	copy_init(&c, &w.m);
	w.m.dev = (uint64_t)DISK << 32;
	sym_names_mapped(w.n, PID, &w.m);
	check(&w, PID, w.pc, "stacks`outermost+0x1");
	w.m.inode++;
	sym_names_mapped(w.n, PID + 1, &w.m);
	check(&w, PID + 1, w.pc, text);
	copy_fini(&c);
	world_fini(&w);
}

/* A file that is gone for who has it by a path from elsewhere is opened for a process that
 * has it by its own; another file of that number is not. */
static void
test_twins(void **state)
{
	struct copy c;
	struct world w;
	char text[64], longer[80], foreign[80];

	world_init(&w, 0x70000000);
	snprintf(text, sizeof(text), "stacks`0x%llx", (unsigned long long)w.pc);
	copy_init(&c, &w.m);
	w.m.dev = 0xffff0;
	snprintf(longer, sizeof(longer), "/no/such%s", c.path);
	snprintf(foreign, sizeof(foreign), "/no/such/stacks");
	w.m.path = foreign;
	sym_names_mapped(w.n, PID, &w.m);
	w.m.path = longer;
	sym_names_mapped(w.n, PID + 1, &w.m);
	w.m.inode++;
	sym_names_mapped(w.n, PID + 2, &w.m);
	w.m.inode--;
	w.m.path = c.path;
	sym_names_mapped(w.n, PID + 3, &w.m);
	snprintf(longer, sizeof(longer), "/later%s", c.path);
	w.m.path = longer;
	sym_names_mapped(w.n, PID + 4, &w.m);
	copy_fini(&c);
	check(&w, PID + 4, w.pc, "stacks`outermost+0x1");
	check(&w, PID, w.pc, text);
	check(&w, PID + 1, w.pc, "stacks`outermost+0x1");
	check(&w, PID + 2, w.pc, text);
	check(&w, PID + 3, w.pc, "stacks`outermost+0x1");
	world_fini(&w);
}

/* What /proc tells is as new as its reading: newer than an event of before, older
 * than one that comes later. */
static void
test_read_time(void **state)
{
	uint64_t at = (uint64_t)(uintptr_t)&test_read_time;
	struct sym_place p;
	struct world w;

	world_init(&w, 0);
	w.m.start = at - at % 0x1000;
	w.m.size = 0x1000;
	w.m.time_ns = 1;
	sym_names_mapped(w.n, getpid(), &w.m);
	sym_names_user(w.n, getpid(), at, &p);
	assert_string_equal(p.module, "test-sym-process");
	assert_string_equal(p.function, "test_read_time");
	w.m.time_ns = UINT64_MAX;
	sym_names_mapped(w.n, getpid(), &w.m);
	sym_names_user(w.n, getpid(), at, &p);
	assert_string_equal(p.module, "stacks");
	world_fini(&w);
}

/* A file system of which nothing is known is asked, and answers. */
static void
test_asked(void **state)
{
	struct copy c;
	struct world w;

	world_init(&w, 0x70000000);
	copy_init(&c, &w.m);
	w.m.dev = 0xffff0;
	sym_names_mapped(w.n, PID, &w.m);
	check(&w, PID, w.pc, "stacks`outermost+0x1");
	copy_fini(&c);
	world_fini(&w);
}

static void
test_odd_paths(void **state)
{
	static const struct { const char *path, *want; } rows[] = {
		{ "/no/such/file (deleted)", "file`0x70000010" },
		{ "/no/such/\033[31mred", "?[31mred`0x70000010" },
		{ "[vdso]", NULL }, { "", "0x70000010" },
		{ "//anon", "0x70000010" }, { "[heap]", "0x70000010" },
		{ "/dev/zero", "zero`0x70000010" },
		{ "/", "/`0x70000010" },
	};
	struct world w;

	world_init(&w, 0);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct sym_mapping m = mapping(0x70000000, 0x1000, 1);
		m.path = rows[i].path;
		sym_names_mapped(w.n, PID + (int)i, &m);
		if (rows[i].want)
			check(&w, PID + (int)i, 0x70000010, rows[i].want);
	}
	world_fini(&w);
}

static int looks;

/* This process, of which nobody has told anything. */
static void
test_self(void **state)
{
	struct world w;
	struct sym_place p;

	world_init(&w, 0);
	sym_names_user(w.n, getpid(), (uint64_t)(uintptr_t)&test_self, &p);
	assert_string_equal(p.module, "test-sym-process");
	assert_string_equal(p.function, "test_self");
	assert_int_equal(p.offset, 0);
	/* a variable has a name; as a frame of a stack it would be garbage */
	uint64_t variable = (uint64_t)(uintptr_t)&looks;
	sym_names_user(w.n, getpid(), variable + 1, &p);
	assert_string_equal(p.module, "test-sym-process");
	assert_string_equal(p.function, "looks");
	assert_int_equal(p.offset, 1);
	sym_names_frame(w.n, getpid(), variable + 2, 1, &p);
	assert_null(p.module);
	assert_null(p.function);
	sym_names_user(w.n, getpid(), (uint64_t)(uintptr_t)&variable, &p);
	assert_null(p.module);
	/* what is mapped later is found all the same, if not at once */
	usleep(150000);
	void *m = mmap(NULL, 4096, PROT_READ | PROT_EXEC,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sym_names_user(w.n, getpid(), (uint64_t)(uintptr_t)m, &p);
	assert_null(p.module);
	munmap(m, 4096);
	world_fini(&w);
}

/* A mapping that nobody told of, in place of one that was known: it has its own
 * name once it was said that something was lost. */
static void
test_lost(void **state)
{
	int pid = getpid();
	struct world w;

	world_init(&w, 0);
	int fd = open(program, O_RDONLY | O_CLOEXEC);
	int own = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	void *at = mmap(NULL, w.m.size, PROT_READ | PROT_EXEC, MAP_PRIVATE, own,
			0);
	assert_true(fd >= 0 && at != MAP_FAILED);
	uint64_t pc = w.pc - w.m.start + (uintptr_t)at;
	struct sym_place p;
	sym_names_process(w.n, pid);
	sym_names_user(w.n, pid, pc, &p);
	assert_string_equal(p.module, "test-sym-process");
	assert_ptr_equal(mmap(at, w.m.size, PROT_READ | PROT_EXEC,
			      MAP_PRIVATE | MAP_FIXED, fd, (off_t)w.m.offset),
			 at);
	sym_names_process(w.n, pid);
	sym_names_user(w.n, pid, pc, &p);
	assert_string_equal(p.module, "test-sym-process");
	sym_names_lost(w.n);
	sym_names_process(w.n, pid);
	check(&w, pid, pc, "stacks`outermost+0x1");
	munmap(at, w.m.size);
	close(fd);
	close(own);
	world_fini(&w);
}

static void
look(void *ctx)
{
	struct world *w = ctx;

	if (looks++ == 0)
		sym_names_mapped(w->n, PID, &w->m);
}

static void
test_on_look(void **state)
{
	struct world w;

	world_init(&w, 0x70000000);
	sym_names_on_look(w.n, look, &w);
	check(&w, PID, w.pc, "stacks`outermost+0x1");
	assert_true(looks > 0);
	world_fini(&w);
}

static void
test_mangled(void **state)
{
	struct world w;
	struct sym_place p;

	world_init(&w, 0x70000000);
	sym_names_mangled(w.n);
	sym_names_mapped(w.n, PID, &w.m);
	for (uint64_t pc = w.m.start; pc < w.m.start + w.m.size; pc += 4) {
		sym_names_user(w.n, PID, pc, &p);
		if (p.function)
			assert_null(strstr(p.function, "::"));
	}
	world_fini(&w);
}

/* --- Code made on the way ------------------------------------------------- */

static void
test_jit(void **state)
{
	static const char text[] =
		"1000 20 first\n"
		"zonk\n"
		"\n"
		"1020 0x10 LFoo;::bar with blanks\n"
		"2000 10 old\n"
		"2000 10 new\n"
		"3000 10 bad\033[0m\n"
		"4000 40 outer\n"
		"4010 10 inner\n"
		"5000 10\n"
		"6000 10 half";
	static const struct { uint64_t addr; const char *want; } rows[] = {
		{ 0xfff, NULL }, { 0x1000, "first" }, { 0x101f, "first" },
		{ 0x1020, "LFoo;::bar with blanks" }, { 0x1030, NULL },
		{ 0x2000, "new" }, { 0x3001, "bad?[0m" }, { 0x4000, "outer" },
		{ 0x4015, "inner" }, { 0x4030, "outer" }, { 0x5001, NULL },
		{ 0x6001, NULL }, { UINT64_MAX, NULL },
	};
	struct jit j;

	sym_jit_init(&j);
	sym_jit_parse(&j, text, sizeof(text) - 1);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		const struct jit_sym *s = sym_jit_find(&j, PID, rows[i].addr,
						       1);
		if (rows[i].want)
			assert_string_equal(s ? sym_jit_name(&j, s) : "",
					    rows[i].want);
		else
			assert_null(s);
	}
	sym_jit_fini(&j);
}

/* Places come in any order, and of many lines for one the last counts, wherever
 * its neighbours stand. */
static void
test_jit_order(void **state)
{
	enum { PLACES = 50, TIMES = 20 };
	char text[PLACES * TIMES * 32], want[16];
	size_t n = 0;
	struct jit j;

	for (unsigned i = 0; i < PLACES * TIMES; i++) {
		unsigned place = i * 37 % PLACES;	/* another each time */
		n += (size_t)sprintf(text + n, "%x 10 f%u_%u\n",
				     0x1000 + place * 16, place, i / PLACES);
	}
	sym_jit_init(&j);
	sym_jit_parse(&j, text, n);
	for (unsigned place = 0; place < PLACES; place++) {
		const struct jit_sym *s = sym_jit_find(&j, PID,
						       0x100f + place * 16, 1);
		snprintf(want, sizeof(want), "f%u_%u", place, TIMES - 1);
		assert_string_equal(s ? sym_jit_name(&j, s) : "", want);
	}
	sym_jit_fini(&j);
}

/* Lines without end are not read to their end. */
static void
test_jit_endless(void **state)
{
	enum { LINES = (1 << 22) + 100 };
	size_t n = 0, room = (size_t)LINES * 12;
	char *text = malloc(room);
	struct jit j;

	for (int i = 0; i < LINES; i++)
		n += (size_t)sprintf(text + n, "%x 1 f\n", i);
	sym_jit_init(&j);
	sym_jit_parse(&j, text, n);
	assert_int_equal(j.all.n, 1 << 22);
	assert_string_equal(sym_jit_name(&j, sym_jit_find(&j, PID, 0x1000, 0)),
			    "f");
	sym_jit_fini(&j);
	free(text);
}

/* A map that may be somebody else's trick is not read. */
static void
test_jit_owner(void **state)
{
	char path[64];
	struct jit j;
	FILE *f;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", PID);
	f = fopen(path, "we");
	assert_non_null(f);
	fputs("1000 20 name\n", f);
	fclose(f);
	if (geteuid() == 0) {
		assert_int_equal(chown(path, 12345, 12345), 0);
		sym_jit_init(&j);
		assert_null(sym_jit_find(&j, PID, 0x1000, 1));
		sym_jit_fini(&j);
		assert_int_equal(chown(path, 0, 0), 0);
		sym_jit_init(&j);
		assert_non_null(sym_jit_find(&j, PID, 0x1000, 1));
		/* it has grown, and enough time has passed */
		f = fopen(path, "ae");
		fputs("2000 20 more\n", f);
		fclose(f);
		assert_null(sym_jit_find(&j, PID, 0x2000, 2));
		assert_non_null(sym_jit_find(&j, PID, 0x2000, 1000000000));
		sym_jit_fini(&j);
	}
	unlink(path);
}

struct looking { int pid; unsigned n; };

static struct err *
find_process(void *ctx, int pid)
{
	struct looking *l = ctx;

	l->n++;
	return pid == l->pid ? err_new(ERR_STATE, 0, "found") : NULL;
}

/* All, or until one is enough. */
static void
test_all(void **state)
{
	struct looking none = { -1, 0 }, self = { getpid(), 0 };
	unsigned nopen = count_open();

	assert_null(sym_processes(find_process, &none));
	struct err *e = sym_processes(find_process, &self);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_STATE);
	err_free(e);
	assert_true(none.n >= 1 && self.n >= 1);
	assert_int_equal(count_open(), nopen);
}

/* Nothing fails for want of memory; names are unknown then. */
static void
test_memory(void **state)
{
	struct sym_place p;

	for (unsigned long nth = 1; nth < 60; nth++) {
		struct world w;
		world_init(&w, 0x70000000);
		util_alloc_fail(nth, nth % 2);
		sym_names_mapped(w.n, PID, &w.m);
		sym_names_forked(w.n, PID + 1, PID, 200);
		sym_names_ended(w.n, PID);
		sym_names_user(w.n, PID + 1, w.pc, &p);
		util_alloc_fail(0, 0);
		assert_int_equal(p.addr, w.pc);
		world_fini(&w);
	}
}

/* --- By which name it was executed --------------------------------------------- */

/* A child that sleeps, executed by that path from that folder. */
static pid_t
execute(const char *folder, const char *path)
{
	int ends[2];
	char c;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	pid_t pid = fork();
	if (!pid) {
		if (!chdir(folder))
			execl(path, "sleep", "600", NULL);
		_exit(1);
	}
	close(ends[1]);
	assert_int_equal(read(ends[0], &c, 1), 0);	/* it has executed */
	close(ends[0]);
	return pid;
}

static void
test_executed_as(void **state)
{
	char folder[] = "/tmp/executed.XXXXXX", link_name[64], own[4096], got[64];

	assert_non_null(mkdtemp(folder));
	assert_non_null(realpath("/bin/sleep", own));
	const char *name = strrchr(own, '/') + 1;
	snprintf(link_name, sizeof(link_name), "%s/other", folder);
	const struct { const char *path, *want; } rows[] = {
		{ link_name, "other" }, { "./other", "other" }, { "other", "other" },
		{ own, NULL },
	};
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		assert_int_equal(symlink(own, link_name), 0);
		pid_t pid = execute(folder, rows[i].path);
		bool is = sym_executed_as(pid, name, got, sizeof(got));
		assert_int_equal(is, rows[i].want != NULL);
		if (is) {
			assert_string_equal(got, rows[i].want);
			assert_false(sym_executed_as(pid, "other", got, sizeof(got)));
			assert_false(sym_executed_as(pid, name, got, strlen("other")));
			assert_true(sym_executed_as(pid, name, got, sizeof("other")));
			/* It leads elsewhere by now, or nowhere. */
			assert_int_equal(unlink(link_name), 0);
			assert_false(sym_executed_as(pid, name, got, sizeof(got)));
			assert_int_equal(symlink("/proc/self/exe", link_name), 0);
			assert_false(sym_executed_as(pid, name, got, sizeof(got)));
		}
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		assert_false(sym_executed_as(pid, name, got, sizeof(got)));
		unlink(link_name);
	}
	rmdir(folder);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_executed_as),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_latest),
		cmocka_unit_test(test_many_maps),
		cmocka_unit_test(test_dead),
		cmocka_unit_test(test_release),
		cmocka_unit_test(test_mapped_over),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_fork),
		cmocka_unit_test(test_replaced),
		cmocka_unit_test(test_other_device),
		cmocka_unit_test(test_twins),
		cmocka_unit_test(test_asked),
		cmocka_unit_test(test_read_time),
		cmocka_unit_test(test_odd_paths),
		cmocka_unit_test(test_self),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_on_look),
		cmocka_unit_test(test_mangled),
		cmocka_unit_test(test_jit),
		cmocka_unit_test(test_jit_order),
		cmocka_unit_test(test_jit_endless),
		cmocka_unit_test(test_jit_owner),
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_memory),
	};

	if (argc != 2)
		return 2;
	program = realpath(argv[1], NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
