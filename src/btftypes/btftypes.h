/* SPDX-License-Identifier: BSD-2-Clause
 *
 * BTF to the type graph, lazily: opening maps the file and finds out where
 * each type starts; a name is searched in one pass over the raw records; nodes
 * are made when asked for.  Source: Documentation/bpf/btf.rst of the kernel.
 */
#ifndef BTFTYPES_BTFTYPES_H
#define BTFTYPES_BTFTYPES_H

#include "type/type.h"
#include "util/arena.h"
#include "util/err.h"

struct btftypes;

/* data, base and module are borrowed until btftypes_free(); types are made in
 * a, and borrow their names from data.  base: the kernel's BTF for a module's
 * split BTF, else NULL.  ERR_FORMAT when the header is not right. */
struct err *btftypes_new(struct arena *a, const void *data, size_t size,
			 struct btftypes *base, const char *module,
			 struct btftypes **ret);
/* The same from a file, mapped if it can be; btftypes_new() is how tests give
 * data that is broken. */
struct err *btftypes_open(struct arena *a, const char *path,
			  struct btftypes *base, const char *module,
			  struct btftypes **ret);
void btftypes_free(struct btftypes *b);
/* CTF, of a file of the machine's own kind. */
struct btftypes_ctf {
	const void *types;	/* section .ctf */
	size_t types_size;
	/* The symbols that it speaks of, or NULL: it tells of no functions then. */
	const void *symbols, *names;
	size_t symbols_size, names_size, symbol_size;
};
/* Are those symbols .dynsym, or .symtab? */
bool btftypes_ctf_is_dynamic(const void *data, size_t size);
/* *ret <- the same as BTF, the caller's to util_free().  ERR_UNSUPPORTED: there is no
 * libctf; ERR_FORMAT; ERR_OS. */
struct err *btftypes_from_ctf(const struct btftypes_ctf *in, void **ret,
			      size_t *size);
/* They are a process's: objects of them are in user memory.  Before the first
 * question. */
void btftypes_of_process(struct btftypes *b);

/* Be ready for questions, as the first of them would: ERR_NOMEM.  A module's
 * numbers go on where those of its base end, so all records of the base are
 * looked at: ERR_FORMAT if one is broken. */
struct err *btftypes_index(struct btftypes *b);
/* ERR_FORMAT if a question has met a broken record; nothing behind it is ever
 * found. */
struct err *btftypes_check(const struct btftypes *b);

/*
 * NULL when absent, or when its data is broken (btftypes_check() tells of
 * records) or memory is short (arena_failed() tells).  kind as for
 * typedb_find(), or TYPE_FUNC for the prototype of a function.  What is not in b
 * itself is looked for in its base; a struct or union that is only declared
 * comes as TYPE_FWD.
 */
const struct type *btftypes_find(struct btftypes *b, enum type_kind kind,
				 const char *name);

/* The type of a variable; NULL as for btftypes_find(). */
const struct type *btftypes_variable(struct btftypes *b, const char *name);

/* The number by which the kernel knows this type or function; 0 when absent,
 * as btftypes_find() has it. */
uint32_t btftypes_id(struct btftypes *b, enum type_kind kind,
		     const char *name);

/* Call fn with the name of each typedef of b itself that begins with prefix, in
 * the order of their numbers; fn returning false ends that.  Names live as long
 * as b's data. */
typedef bool btftypes_name_fn(void *ctx, const char *name);
void btftypes_typedefs(struct btftypes *b, const char *prefix,
		       btftypes_name_fn *fn, void *ctx);

/* Call fn with each enum of b itself that has an enumerator of that name, and its
 * value; fn returning false ends that. */
typedef bool btftypes_enum_fn(void *ctx, const struct type *t, int64_t value);
void btftypes_enumerators(struct btftypes *b, const char *name,
			  btftypes_enum_fn *fn, void *ctx);

/* Where the kernel's per-CPU variable of that name stands in each CPU's area, in
 * bytes; false when b does not tell. */
bool btftypes_percpu(struct btftypes *b, const char *name, uint32_t *ret);

#endif
