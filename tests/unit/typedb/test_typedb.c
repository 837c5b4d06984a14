/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A directory that looks like /sys/kernel/btf: a kernel and two modules.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "btfdir.h"
#include "type/text.h"
#include "typedb/typedb.h"
#include "util/alloc.h"

static char dir[] = "/tmp/typedb-test-XXXXXX";

static void
make_kernel(struct btfw *w)
{
	btfw_init(w);
	uint32_t i = btfw_int(w, "int", 4, BTF_INT_SIGNED);
	uint32_t ul = btfw_int(w, "long unsigned int", 8, 0);
	uint32_t in = btfw_record(w, BTF_KIND_STRUCT, false, "sched", 16);
	btfw_member(w, "weight", ul, 0, 0);
	btfw_member(w, "runtime", ul, 64, 0);
	uint32_t un = btfw_record(w, BTF_KIND_UNION, false, NULL, 8);
	btfw_member(w, "either", i, 0, 0);
	uint32_t task = btfw_record(w, BTF_KIND_STRUCT, true, "task", 48);
	btfw_member(w, "pid", i, 0, 0);
	btfw_member(w, "parent", task + 1, 64, 0);
	btfw_member(w, "se", in, 128, 0);
	btfw_member(w, NULL, un, 256, 0);
	btfw_member(w, "bits", i, 320, 3);
	btfw_record(w, BTF_KIND_PTR, false, NULL, task);
	btfw_record(w, BTF_KIND_TYPEDEF, false, "pid_t", i);
	btfw_record(w, BTF_KIND_TYPEDEF, false, "on_fork", task + 1);
	btfw_record(w, BTF_KIND_TYPEDEF, false, "on_", i);
	btfw_record(w, BTF_KIND_TYPEDEF, false, "not_on_fork", i);
	btfw_record(w, BTF_KIND_FWD, false, "opaque", 0);
	btfw_record(w, BTF_KIND_FWD, false, "mm_struct", 0);
	btfw_record(w, BTF_KIND_STRUCT, false, "task_struct", 4);
	btfw_member(w, "pid", i, 0, 0);
	btfw_record(w, BTF_KIND_ENUM, true, "state", 4);
	btfw_enum(w, "DOWN", -2);
	btfw_enum(w, "UP", 1);
	btfw_record(w, BTF_KIND_ENUM64, false, NULL, 8);
	btfw_enum64(w, "WIDE", 0x123456789abcLL);
	btfw_enum64(w, "UP", 1);
	uint32_t proto = btfw_record(w, BTF_KIND_FUNC_PROTO, false, NULL, i);
	btfw_param(w, "t", task + 1);
	btfw_record(w, BTF_KIND_FUNC, false, "kill_it", proto);
	struct btf_var_secinfo own = { .offset = 64 };
	own.type = btfw_record(w, BTF_KIND_VAR, false, "idle", task);
	btfw_raw(w, &(struct btf_var){ 1 }, sizeof(struct btf_var));
	btfw_record(w, BTF_KIND_DATASEC, false, ".data..percpu", 128);
	((uint32_t *)(void *)(w->types.p + w->last))[1]++;
	btfw_raw(w, &own, sizeof(own));
	/* One name of three enums, of which the second has it for another value. */
	for (int n = 0; n < 3; n++) {
		btfw_record(w, BTF_KIND_ENUM, false, NULL, 4);
		btfw_enum(w, "FIRST", 5);
		btfw_enum(w, "TWO_OF_THREE", n == 1 ? 8 : 7);
	}
}

static void
make_module(const struct btfw *kernel, const char *name, uint32_t size)
{
	struct btfw w;

	btfw_init_split(&w, kernel);
	btfw_record(&w, BTF_KIND_STRUCT, false, "private", size);
	btfw_member(&w, "x", 1, 0, 0);
	btfw_record(&w, BTF_KIND_TYPEDEF, false, name, 1);
	btfw_record(&w, BTF_KIND_ENUM, true, NULL, 4);
	btfw_enum(&w, "UP", 9);
	btfw_enum(&w, name, 3);
	uint32_t proto = btfw_record(&w, BTF_KIND_FUNC_PROTO, false, NULL, 0);
	btfw_record(&w, BTF_KIND_FUNC, false, "mod_init", proto);
	save(&w, name);
	btfw_fini(&w);
}

static int
setup(void **state)
{
	struct btfw w;

	if (!mkdtemp(dir))
		return -1;
	make_kernel(&w);
	save(&w, "vmlinux");
	make_module(&w, "moda", 8);
	make_module(&w, "modb", 12);
	btfw_fini(&w);
	save_broken("broken");
	return 0;
}

static int
teardown(void **state)
{
	return remove_dir();
}

static void
test_find(void **state)
{
	static const struct {
		const char *module;
		enum type_kind kind;
		const char *name;
		uint64_t size;
		bool found;
	} rows[] = {
		{ NULL, TYPE_STRUCT, "task", 48, true },
		{ "vmlinux", TYPE_STRUCT, "task", 48, true },
		{ "kernel", TYPE_STRUCT, "task", 48, true },
		{ NULL, TYPE_UNION, "task", 0, false },
		{ NULL, TYPE_TYPEDEF, "pid_t", 4, true },
		{ NULL, TYPE_STRUCT, "opaque", 0, true },
		{ NULL, TYPE_STRUCT, "none", 0, false },
		{ NULL, TYPE_FUNC, "kill_it", 0, false },
		{ NULL, TYPE_INT, "int", 0, false },
		/* A module is seen from when it is named. */
		{ NULL, TYPE_STRUCT, "private", 0, false },
		{ "modb", TYPE_STRUCT, "private", 12, true },
		{ NULL, TYPE_STRUCT, "private", 12, true },
		{ "moda", TYPE_STRUCT, "private", 8, true },
		{ "modb", TYPE_STRUCT, "private", 12, true },
		{ NULL, TYPE_STRUCT, "private", 12, true },
		{ "vmlinux", TYPE_STRUCT, "private", 0, false },
		{ "moda", TYPE_STRUCT, "task", 48, true },
		{ "nosuch", TYPE_STRUCT, "task", 0, false },
		{ "", TYPE_STRUCT, "task", 0, false },
		{ "..", TYPE_STRUCT, "task", 0, false },
		{ "./moda", TYPE_STRUCT, "private", 0, false },
	};
	struct arena *a = arena_new();
	struct typedb *db;

	assert_null(typedb_new(a, file("vmlinux"), &db));
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		const struct type *t = &type_void, *again = &type_void;
		assert_null(typedb_find(db, rows[i].module, rows[i].kind,
					rows[i].name, &t));
		if (!t != !rows[i].found || type_size(t) != rows[i].size)
			fail_msg("row %zu", i);
		assert_null(typedb_find(db, rows[i].module, rows[i].kind,
					rows[i].name, &again));
		assert_ptr_equal(t, again);
	}
	typedb_free(db);
	arena_free(a);
}

static void
test_offset(void **state)
{
	static const struct {
		const char *tag, *path;
		uint32_t offset, size;
		enum err_code code;	/* when size is 0 */
	} rows[] = {
		{ "task", "pid", 0, 4, 0 },
		{ "task", "parent", 8, 8, 0 },
		{ "task", "se", 16, 16, 0 },
		{ "task", "se.runtime", 24, 8, 0 },
		{ "task", "either", 32, 4, 0 },
		{ "task", "pid|parent", 0, 4, 0 },
		{ "task", "none|se.runtime", 24, 8, 0 },
		{ "task", "se.none|bits|se", 16, 16, 0 },
		{ "task", "parent|", 8, 8, 0 },
		{ "task", "none|more", 0, 0, ERR_NOTFOUND },
		{ "task", "none|", 0, 0, ERR_NOTFOUND },
		{ "task", "bits", 0, 0, ERR_UNSUPPORTED },
		{ "task", "runtime", 0, 0, ERR_NOTFOUND },
		{ "task", "se.none", 0, 0, ERR_NOTFOUND },
		{ "task", "parent.pid", 0, 0, ERR_NOTFOUND },
		{ "task", "se.", 0, 0, ERR_NOTFOUND },
		{ "task", ".se", 0, 0, ERR_NOTFOUND },
		{ "task", "", 0, 0, ERR_NOTFOUND },
		{ "none", "pid", 0, 0, ERR_NOTFOUND },
		{ "opaque", "pid", 0, 0, ERR_NOTFOUND },
	};
	struct arena *a = arena_new();
	struct typedb *db;

	assert_null(typedb_new(a, file("vmlinux"), &db));
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		uint32_t offset = 77, size = 77;
		struct err *e = typedb_offset(db, rows[i].tag, rows[i].path,
					      &offset, &size);
		if (!e != !!rows[i].size)
			fail_msg("row %zu", i);
		assert_int_equal(offset, e ? 77 : rows[i].offset);
		assert_int_equal(size, e ? 77 : rows[i].size);
		if (e)
			assert_int_equal(e->code, rows[i].code);
		err_free(e);
	}
	typedb_free(db);
	arena_free(a);
}

/* Of what each CPU has its own: place and type. */
static void
test_percpu(void **state)
{
	struct arena *a = arena_new();
	const struct type *t = NULL;
	struct typedb *db;
	uint32_t off = 0;

	assert_null(typedb_new(a, file("vmlinux"), &db));
	assert_null(typedb_percpu(db, "idle", &off, NULL));
	assert_int_equal(off, 64);
	assert_null(typedb_percpu(db, "idle", &off, &t));
	assert_string_equal(t->name, "task");
	t = NULL;
	struct err *e = typedb_percpu(db, "jiffies", &off, &t);
	assert_int_equal(e->code, ERR_NOTFOUND);
	assert_null(t);
	err_free(e);
	typedb_free(db);
	arena_free(a);
}

static void
test_symbol(void **state)
{
	static const struct {
		const char *module, *name, *text;
	} rows[] = {
		{ "vmlinux", "kill_it", "int kill_it(struct task *)" },
		{ "vmlinux", "mod_init", "" },
		{ "moda", "mod_init", "void mod_init(void)" },
		{ "modc", "mod_init", "" },
		/* Variables, by symbols.def. */
		{ "vmlinux", "jiffies", "volatile unsigned long jiffies" },
		{ "vmlinux", "linux_banner", "const char linux_banner[]" },
		{ "vmlinux", "init_task", "struct task_struct init_task" },
		{ "vmlinux", "init_net", "" },	/* no such struct here */
		{ "vmlinux", "init_mm", "" },	/* declared only */
		{ "moda", "jiffies", "" },
		{ "vmlinux", "task", "" },
	};
	struct arena *a = arena_new();
	const struct type *t;
	struct typedb *db;
	struct sb b;
	uint32_t n;

	assert_null(typedb_new(a, file("vmlinux"), &db));
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		assert_null(typedb_symbol(db, rows[i].module, rows[i].name,
					  &t));
		sb_init(&b, 100);
		if (t)
			type_print(t, rows[i].name, &b);
		if (strcmp(sb_str(&b), rows[i].text) != 0)
			fail_msg("%s: %s", rows[i].name, sb_str(&b));
		sb_fini(&b);
	}
	assert_null(typedb_symbol(db, "vmlinux", "kill_it", &t));
	assert_string_equal(type_params(t, &n)[0].name, "t");
	typedb_free(db);
	arena_free(a);
}

/* Files that cannot be read, and that nothing is read before it must. */
static void
test_errors(void **state)
{
	static const struct {
		const char *file;
		enum err_code code;
	} rows[] = {
		{ "absent", ERR_OS }, { "broken", ERR_FORMAT },
	};
	struct arena *a = arena_new();
	const struct type *t;
	struct typedb *db;

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		assert_null(typedb_new(a, file(rows[i].file), &db));
		for (int again = 0; again < 2; again++) {
			struct err *e = typedb_find(db, NULL, TYPE_STRUCT,
						    "task", &t);
			assert_non_null(e);
			assert_int_equal(e->code, rows[i].code);
			err_free(e);
		}
		typedb_free(db);
	}
	assert_null(typedb_new(a, file("vmlinux"), &db));
	struct err *e = typedb_find(db, "broken", TYPE_STRUCT, "task", &t);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_FORMAT);
	err_free(e);
	/* The others go on working. */
	assert_null(typedb_find(db, NULL, TYPE_STRUCT, "task", &t));
	assert_non_null(t);
	typedb_free(db);
	typedb_free(NULL);
	arena_free(a);
}

struct names {
	char text[256];
	unsigned most;		/* after so many that is enough */
};

static bool
note(void *ctx, const char *name)
{
	struct names *n = ctx;
	size_t at = strlen(n->text);

	snprintf(n->text + at, sizeof(n->text) - at, "%s ", name);
	return --n->most;
}

/* Names of typedefs, in their order, of one source at a time. */
static void
test_typedefs(void **state)
{
	static const struct {
		const char *module, *prefix, *want;
		unsigned most;
	} rows[] = {
		{ "vmlinux", "on_", "on_fork on_ ", 9 },
		{ "kernel", "on_", "on_fork on_ ", 9 },
		{ "vmlinux", "", "pid_t on_fork on_ not_on_fork ", 9 },
		{ "vmlinux", "", "pid_t on_fork ", 2 },
		{ "vmlinux", "pid_t_", "", 9 },
		{ "moda", "", "moda ", 9 },
		{ "modb", "mod", "modb ", 9 },
		{ "nosuch", "", "", 9 },
	};
	struct arena *a = arena_new();
	struct typedb *db;
	struct names n = { .most = 0 };

	assert_null(typedb_new(a, file("vmlinux"), &db));
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		n = (struct names){ .most = rows[i].most };
		assert_null(typedb_typedefs(db, rows[i].module, rows[i].prefix,
					    note, &n));
		assert_string_equal(n.text, rows[i].want);
	}
	struct err *e = typedb_typedefs(db, "broken", "", note, &n);
	assert_int_equal(e->code, ERR_FORMAT);
	err_free(e);
	n = (struct names){ .most = 9 };
	assert_null(typedb_modules(db, note, &n));
	assert_non_null(strstr(n.text, "moda "));
	assert_non_null(strstr(n.text, "modb "));
	assert_null(strstr(n.text, "vmlinux"));
	assert_null(strstr(n.text, ". "));
	n = (struct names){ .most = 1 };
	assert_null(typedb_modules(db, note, &n));
	assert_ptr_equal(strchr(n.text, ' '), strrchr(n.text, ' '));
	typedb_free(db);
	assert_null(typedb_new(a, "/nosuch/vmlinux", &db));
	e = typedb_modules(db, note, &n);
	assert_int_equal(e->os, ENOENT);
	err_free(e);
	typedb_free(db);
	arena_free(a);
}

/* True, and stops, when the module is called as ctx says. */
struct wanted { const char *name; unsigned found, others; };

static bool
look(void *ctx, const char *name)
{
	struct wanted *w = ctx;

	if (strcmp(name, w->name))
		w->others++;
	else
		w->found++;
	return true;
}

/* Files beside the kernel's are looked for where the kernel's is: at the root, below it, and
 * in the directory that one is in. */
static void
test_beside(void **state)
{
	static const struct { const char *path, *name; } rows[] = {
		{ NULL, "moda" }, { "vmlinux", "moda" }, { "./vmlinux", "moda" },
		{ "/no-such-kernel", "proc" }, { "/dev/no-such-kernel", "null" },
	};
	char *was = getcwd(NULL, 0);

	assert_non_null(was);
	assert_int_equal(chdir(dir), 0);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct arena *a = arena_new();
		struct wanted w = { rows[i].name, 0, 0 };
		struct typedb *db;
		const struct type *t = NULL;
		assert_null(typedb_new(a, rows[i].path ? rows[i].path : file("vmlinux"), &db));
		assert_null(typedb_modules(db, look, &w));
		if (w.found != 1 || !w.others)
			fail_msg("row %zu: %u and %u others", i, w.found, w.others);
		if (i < 3) {
			assert_null(typedb_find(db, "moda", TYPE_TYPEDEF, "moda", &t));
			assert_non_null(t);
		}
		typedb_free(db);
		arena_free(a);
	}
	assert_int_equal(chdir(was), 0);
	free(was);
}

/* Enumerators of the kernel, and of a module once it was named. */
static void
test_enumerators(void **state)
{
	static const struct {
		const char *mention, *name;
		int64_t value;
		enum { NONE, ONE, SEVERAL } found;
	} rows[] = {
		{ NULL, "DOWN", -2, ONE },
		{ NULL, "WIDE", 0x123456789abcLL, ONE },
		{ NULL, "UP", 1, ONE },		/* of two, with one value */
		{ NULL, "FIRST", 5, ONE },
		{ NULL, "TWO_OF_THREE", 7, SEVERAL },
		{ NULL, "state", 0, NONE },
		{ NULL, "moda", 0, NONE },
		{ "moda", "moda", 3, ONE },
		{ NULL, "UP", 1, SEVERAL },
		{ NULL, "DOWN", -2, ONE },
	};
	struct arena *a = arena_new();
	struct typedb *db;
	int64_t value;

	assert_null(typedb_new(a, file("vmlinux"), &db));
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		const struct type *t = NULL, *other = NULL;
		if (rows[i].mention)
			assert_null(typedb_find(db, rows[i].mention, TYPE_STRUCT,
						"private", &t));
		assert_null(typedb_enumerator(db, rows[i].name, &t, &value,
					      &other));
		assert_int_equal(t != NULL, rows[i].found != NONE);
		assert_int_equal(other != NULL, rows[i].found == SEVERAL);
		if (t) {
			assert_int_equal(t->kind, TYPE_ENUM);
			assert_int_equal(value, rows[i].value);
			assert_true(type_find_enum(t, rows[i].name, &value));
			assert_int_equal(value, rows[i].value);
		}
		if (other) {
			assert_true(type_find_enum(other, rows[i].name, &value));
			assert_int_not_equal(value, rows[i].value);
		}
	}
	typedb_free(db);
	assert_null(typedb_new(a, file("broken"), &db));
	const struct type *t, *other;
	struct err *e = typedb_enumerator(db, "UP", &t, &value, &other);
	assert_int_equal(e->code, ERR_FORMAT);
	err_free(e);
	typedb_free(db);
	arena_free(a);
}

static struct err *
use(struct arena *a)
{
	struct typedb *db = NULL;
	const struct type *t;
	uint32_t offset, size;
	struct err *e = a ? typedb_new(a, file("vmlinux"), &db) : &err_nomem;

	if (!e)
		e = typedb_offset(db, "task", "se.runtime", &offset, &size);
	if (!e)
		e = typedb_find(db, "moda", TYPE_STRUCT, "private", &t);
	if (!e)
		assert_non_null(t);
	typedb_free(db);
	return e;
}

static void
test_oom(void **state)
{
	for (int sticky = 0; sticky < 2; sticky++) {
		struct err *e = &err_nomem;
		unsigned long n = 1;
		for (; e && n < 200; n++) {
			util_alloc_fail(n, sticky);
			struct arena *a = arena_new();
			e = use(a);
			util_alloc_fail(0, 0);
			arena_free(a);
			if (e && e->code != ERR_NOMEM)
				fail_msg("%s", e->text);
			err_free(e);
		}
		assert_null(e);
		assert_true(n > 10);
	}
}

static void
test_running_kernel(void **state)
{
	struct arena *a = arena_new();
	struct typedb *db;
	uint32_t offset, size;

	assert_null(typedb_new(a, NULL, &db));
	struct err *e = typedb_offset(db, "task_struct", "comm", &offset,
				      &size);
	if (e && e->code == ERR_OS) {
		print_message("# skip: %s\n", e->text);
		err_free(e);
		typedb_free(db);
		arena_free(a);
		skip();
	}
	assert_null(e);
	assert_int_equal(size, 16);
	assert_null(typedb_offset(db, "task_struct", "se.sum_exec_runtime",
				  &offset, &size));
	assert_int_equal(size, 8);
	typedb_free(db);
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_offset),
		cmocka_unit_test(test_percpu), cmocka_unit_test(test_symbol),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_typedefs),
		cmocka_unit_test(test_beside),
		cmocka_unit_test(test_enumerators),
		cmocka_unit_test(test_oom),
		cmocka_unit_test(test_running_kernel),
	};

	return cmocka_run_group_tests_name("typedb", tests, setup, teardown);
}
