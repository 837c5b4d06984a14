/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A value of a C type, taken apart: one walk over type and bytes that tells
 * each number, text, pointer, array, struct and member in order.  What print()
 * writes and what machine-readable output says are made of the same calls.
 */
#ifndef FMT_WALK_H
#define FMT_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/field.h"
#include "base/base.h"
#include "type/type.h"

struct fmt;

enum fmt_value_kind {
	/* Leaves. */
	FMT_VALUE_INT,		/* number */
	FMT_VALUE_CHAR,		/* number */
	FMT_VALUE_ENUM,		/* number; word, when one has this value */
	FMT_VALUE_PTR,		/* number; also the address of a function */
	FMT_VALUE_FLOAT,	/* real */
	FMT_VALUE_TEXT,		/* text: a D string, or an array of characters
				 * that holds text and zeros behind it */
	FMT_VALUE_CUT,		/* too deep, or too much, to be told; or its
				 * type could not be read */
	/* What holds others: opened, its n parts told, closed. */
	FMT_VALUE_ARRAY,
	FMT_VALUE_STRUCT,	/* or a union */
};

struct fmt_value {
	uint8_t kind;			/* enum fmt_value_kind */
	unsigned depth;			/* 0: the whole */
	const struct type *type;	/* with its typedefs and qualifiers */
	const char *name;		/* of a member; NULL: anonymous member,
					 * element or the whole */
	uint32_t bits;			/* of a bit-field; 0: it is none */
	const struct fmt_value *parent;	/* NULL: the whole */
	uint64_t index;			/* among the parent's parts */
	uint64_t n;			/* ARRAY, STRUCT: parts */

	int64_t number;			/* extended by the type's sign */
	unsigned width;			/* bits that number has of its own */
	const char *word;
	long double real;
	struct base_span text;
};

/* A value and all it leads to are borrowed for the time of the call. */
struct fmt_walk_ops {
	void (*leaf)(void *ctx, const struct fmt_value *v);
	void (*open)(void *ctx, const struct fmt_value *v);
	void (*close)(void *ctx, const struct fmt_value *v);
};

/* Take apart the value of type t at p, size bytes long.  Parts that do not lie
 * within the bytes, members that are only padding, and the elements of an
 * array without a number of elements are left out. */
void fmt_walk(const struct type *t, const void *p, size_t size,
	      const struct fmt_walk_ops *ops, void *ctx);

/* The same for the value of a PRINT action: a is one of a record's that ran,
 * with its type; fields are its clause's; base is the record. */
void fmt_walk_action(const struct fmt *f, const struct abi_action *a,
		     const struct abi_field *fields, const uint8_t *base,
		     const struct fmt_walk_ops *ops, void *ctx);

#endif
