/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sources of types: the kernel's BTF, opened at the first question, and that
 * of each module, opened when its name is mentioned.  A module is not looked
 * into before: on a machine with two hundred of them, one mistyped name would
 * cost opening them all.
 *
 * Answers are remembered per source, kind and name, the unsuccessful ones
 * too: the compiler asks for every word that might be a type.
 */
#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "base/base.h"
#include "type/text.h"
#include "typedb/typedb_priv.h"
#include "util/alloc.h"
#include "util/cleanup.h"

#define KERNEL "vmlinux"
#define KERNEL_PATH "/sys/kernel/btf/vmlinux"

/* What `known` holds for a name that is not there. */
static const struct type absent;

struct err *
typedb_new(struct arena *a, const char *btf_path, struct typedb **ret)
{
	struct typedb *db = util_zalloc(sizeof(*db));

	if (!db)
		return &err_nomem;
	db->arena = a;
	db->path = util_strdup(btf_path ? btf_path : KERNEL_PATH);
	if (!db->path) {
		util_free(db);
		return &err_nomem;
	}
	*ret = db;
	return NULL;
}

static void
source_free(struct source *s)
{
	for (size_t i = 0; i < BASE_NELEMS(s->known); i++)
		hash_fini(&s->known[i]);
	btftypes_free(s->btf);
	util_free(s);
}

void
typedb_free(struct typedb *db)
{
	if (!db)
		return;
	/* Modules before the kernel, on which they rest. */
	while (db->sources.n)
		source_free(db->sources.v[--db->sources.n]);
	vec_fini(&db->sources);
	util_free(db->path);
	util_free(db);
}

/* Open the BTF at path as the next source. */
static struct err *
add_source(struct typedb *db, const char *path, const char *module)
{
	struct btftypes *base = db->sources.n ? db->sources.v[0]->btf : NULL;
	struct source *s = util_zalloc(sizeof(*s));

	if (!s)
		return &err_nomem;
	s->module = arena_strdup(db->arena, module);
	struct err *e = s->module ? btftypes_open(db->arena, path, base,
						  s->module, &s->btf)
				  : &err_nomem;
	if (!e)
		e = btftypes_index(s->btf);
	if (!e && !vec_push(&db->sources, s))
		e = &err_nomem;
	if (e)
		source_free(s);
	return e;
}

static bool
is_kernel(const char *module)
{
	return strcmp(module, KERNEL) == 0 || strcmp(module, "kernel") == 0 ||
	       strcmp(module, "unix") == 0;
}

/* A name that, put in a path, stays in its directory. */
static bool
is_file_name(const char *s)
{
	return *s && *s != '.' && !strchr(s, '/');
}

static struct err *
add_module(struct typedb *db, const char *module)
{
	const char *slash = strrchr(db->path, '/');
	int dir = slash ? (int)(slash - db->path) + 1 : 0;
	const char *path = arena_printf(db->arena, "%.*s%s", dir, db->path,
					module);

	return path ? add_source(db, path, module) : &err_nomem;
}

/* The module's source, opened if need be; NULL when there is no such. */
static struct err *
find_module(struct typedb *db, const char *module, struct source **ret)
{
	*ret = NULL;
	for (size_t i = 1; i < db->sources.n; i++) {
		if (strcmp(db->sources.v[i]->module, module) == 0) {
			*ret = db->sources.v[i];
			return NULL;
		}
	}
	if (!is_file_name(module))
		return NULL;
	struct err *e = add_module(db, module);
	if (e && e->code == ERR_OS && e->os == ENOENT) {
		err_free(e);
		return NULL;
	}
	if (!e)
		*ret = db->sources.v[db->sources.n - 1];
	return e;
}

static struct err *
ask(struct typedb *db, struct source *s, enum type_kind kind, const char *name,
    const struct type **ret)
{
	void **known = hash_ref(&s->known[kind], name, strlen(name));

	if (!known)
		return &err_nomem;
	if (!*known) {
		const struct type *t = btftypes_find(s->btf, kind, name);
		if (!t && arena_failed(db->arena))
			return &err_nomem;
		if (!t)
			TRY(btftypes_check(s->btf));
		*known = (void *)(uintptr_t)(t ? t : &absent);
	}
	*ret = *known == &absent ? NULL : *known;
	return NULL;
}

static struct err *
ask_all(struct typedb *db, enum type_kind kind, const char *name,
	const struct type **ret)
{
	*ret = NULL;
	for (size_t i = 0; i < db->sources.n && !*ret; i++)
		TRY(ask(db, db->sources.v[i], kind, name, ret));
	return NULL;
}

/* As find_module(), of the kernel too. */
static struct err *
find_source(struct typedb *db, const char *module, struct source **ret)
{
	if (!db->sources.n)
		TRY(add_source(db, db->path, KERNEL));
	if (!is_kernel(module))
		return find_module(db, module, ret);
	*ret = db->sources.v[0];
	return NULL;
}

static struct err *
find(struct typedb *db, const char *module, enum type_kind kind,
     const char *name, const struct type **ret)
{
	struct source *s = NULL;

	if (!module && !db->sources.n)
		TRY(add_source(db, db->path, KERNEL));
	if (!module)
		return ask_all(db, kind, name, ret);
	TRY(find_source(db, module, &s));
	*ret = NULL;
	return s ? ask(db, s, kind, name, ret) : NULL;
}

struct err *
typedb_find(struct typedb *db, const char *module, enum type_kind kind,
	    const char *name, const struct type **ret)
{
	switch (kind) {
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_ENUM:
	case TYPE_TYPEDEF:
		return find(db, module, kind, name, ret);
	default:
		*ret = NULL;
		return NULL;
	}
}

struct enumerator {
	const struct type *first, *other;
	int64_t value;
};

static bool
note_enum(void *ctx, const struct type *t, int64_t value)
{
	struct enumerator *e = ctx;

	if (!e->first) {
		e->first = t;
		e->value = value;
	} else if (value != e->value) {
		e->other = t;
	}
	return !e->other;
}

struct err *
typedb_enumerator(struct typedb *db, const char *name, const struct type **ret,
		  int64_t *value, const struct type **other)
{
	struct enumerator e = { .first = NULL };

	if (!db->sources.n)
		TRY(add_source(db, db->path, KERNEL));
	for (size_t i = 0; i < db->sources.n && !e.other; i++) {
		btftypes_enumerators(db->sources.v[i]->btf, name, note_enum, &e);
		TRY(btftypes_check(db->sources.v[i]->btf));
	}
	*ret = e.first;
	*other = e.other;
	*value = e.value;
	return NULL;
}

static const struct {
	const char *name, *type;
} variables[] = {
#define SYMBOL(name, type) { #name, type },
#include "typedb/symbols.def"
#undef SYMBOL
};

static const char *
type_of_variable(const char *name)
{
	for (size_t i = 0; i < BASE_NELEMS(variables); i++)
		if (strcmp(variables[i].name, name) == 0)
			return variables[i].type;
	return NULL;
}

/* For type_parse(). */
struct question {
	struct typedb *db;
	struct err *e;
};

static const struct type *
find_named(void *ctx, enum type_kind kind, const char *name)
{
	struct question *q = ctx;
	const struct type *t = NULL;

	if (!q->e)
		q->e = find(q->db, KERNEL, kind, name, &t);
	return t;
}

struct err *
typedb_symbol(struct typedb *db, const char *module, const char *name,
	      const struct type **ret)
{
	const char *text = is_kernel(module) ? type_of_variable(name) : NULL;
	struct question q = { .db = db };

	if (!text)
		return find(db, module, TYPE_FUNC, name, ret);
	const struct type *t = type_parse(db->arena, text, find_named, &q);
	if (!t && arena_failed(db->arena) && !q.e)
		return &err_nomem;
	*ret = t && (type_is_complete(t) || type_is_array(t)) ? t : NULL;
	return q.e;
}

struct err *
typedb_btf_id(struct typedb *db, enum type_kind kind, const char *name,
	      uint32_t *ret)
{
	if (!db->sources.n)
		TRY(add_source(db, db->path, KERNEL));
	*ret = btftypes_id(db->sources.v[0]->btf, kind, name);
	return *ret ? NULL : btftypes_check(db->sources.v[0]->btf);
}

struct err *
typedb_typedefs(struct typedb *db, const char *module, const char *prefix,
		typedb_name_fn *fn, void *ctx)
{
	struct source *s = NULL;

	TRY(find_source(db, module, &s));
	if (!s)
		return NULL;
	btftypes_typedefs(s->btf, prefix, fn, ctx);
	return btftypes_check(s->btf);
}

static void
close_dir(DIR **d)
{
	if (*d)
		closedir(*d);
}

/* Modules' files lie beside the kernel's. */
struct err *
typedb_modules(struct typedb *db, typedb_name_fn *fn, void *ctx)
{
	const char *slash = strrchr(db->path, '/');
	const char *dir = arena_printf(db->arena, "%.*s",
			slash ? (int)(slash - db->path) + 1 : 1,
			slash ? db->path : ".");
	struct dirent *entry;

	if (!dir)
		return &err_nomem;
	CLEANUP(close_dir) DIR *d = opendir(dir);
	if (!d)
		return err_new(ERR_OS, errno, "%s: %s", dir, strerror(errno));
	while ((entry = readdir(d))) {
		if (!is_file_name(entry->d_name) || is_kernel(entry->d_name))
			continue;
		const char *name = arena_strdup(db->arena, entry->d_name);
		if (!name)
			return &err_nomem;
		if (!fn(ctx, name))
			break;
	}
	return NULL;
}

struct err *
typedb_percpu(struct typedb *db, const char *name, uint32_t *ret,
	      const struct type **type)
{
	if (!db->sources.n)
		TRY(add_source(db, db->path, KERNEL));
	struct btftypes *b = db->sources.v[0]->btf;
	const struct type *t = NULL;
	bool is_there = btftypes_percpu(b, name, ret);
	if (is_there && type)
		t = btftypes_variable(b, name);
	TRY(btftypes_check(b));
	if (is_there && type)
		*type = t;
	if (is_there)
		return NULL;
	return err_new(ERR_NOTFOUND, 0, "no per-CPU variable %s", name);
}
