/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Types as text, both ways.
 */
#ifndef TYPE_TEXT_H
#define TYPE_TEXT_H

#include "type/type.h"
#include "util/arena.h"
#include "util/sb.h"

/*
 * As C text: "struct task_struct *", "int (*)(void)", "char [16]"; with a
 * name, as a declarator: "char comm[16]".
 */
void type_print(const struct type *t, const char *name, struct sb *b);
/* The same without what stands in parentheses and braces: "int (*)()" for any
 * function, "struct" for one without a tag. */
void type_print_brief(const struct type *t, struct sb *b);

/* The alias spelled `name` ("uint64_t", "caddr_t"), or NULL. */
const struct type *type_alias(const char *name);

/*
 * Parse a C type name made of what type_print() prints ("unsigned long",
 * "struct file *", "const char *", "size_t").  `find` resolves tags and
 * typedefs: kind is TYPE_STRUCT, TYPE_UNION, TYPE_ENUM or TYPE_TYPEDEF; it
 * returns NULL for unknown ones.  find may be NULL.  An unknown typedef that
 * is an alias (type_alias()) is taken as that; an unknown tag becomes a
 * TYPE_FWD.  Names of parameters are read and dropped.  `userland` or `__user`
 * before a star makes a user pointer.  NULL when the text is no type.  This is
 * for prototypes in tables; D source goes through the parser of lang.
 */
typedef const struct type *type_find_fn(void *ctx, enum type_kind kind,
					const char *name);
const struct type *type_parse(struct arena *a, const char *text,
			      type_find_fn *find, void *ctx);

#endif
