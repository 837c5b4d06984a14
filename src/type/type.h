/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The C type graph, LP64.  Types live in an arena and are immutable once
 * complete; nodes are shared, so equal types may be equal pointers but need
 * not be (type_equal()).
 *
 * Members of a struct, union or enum may be filled in late: a source such as
 * BTF gives a node with `load` set, and type_members() and friends call it the
 * first time someone looks.  So naming `struct task_struct *` costs one node.
 */
#ifndef TYPE_TYPE_H
#define TYPE_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum type_kind {
	TYPE_VOID,
	TYPE_INT,	/* char, bool and all integers */
	TYPE_FLOAT,
	TYPE_PTR,
	TYPE_ARRAY,
	TYPE_FUNC,
	TYPE_STRUCT,
	TYPE_UNION,
	TYPE_ENUM,
	TYPE_TYPEDEF,
	TYPE_CONST,
	TYPE_VOLATILE,
	TYPE_RESTRICT,
	TYPE_FWD,	/* struct, union or enum declared, never defined */
	TYPE_STRING,	/* D's string: a bounded array of bytes by value */
	TYPE_DYN,	/* D's <DYN>: stacks and symbols; name tells which */
};

struct type;

struct type_member {
	const char *name;	/* NULL: anonymous struct or union, or padding */
	const struct type *type;
	uint64_t bit_offset;	/* from the start; FUNC: 1 + its register, if is_32 */
	uint32_t bit_size;	/* 0: not a bit-field */
	/* What type_define() is told besides, as GNU C has it. */
	uint16_t max_align;	/* bytes, from #pragma pack; 0: no limit */
	bool is_packed;		/* __attribute__((packed)) */
	uint32_t align;		/* bytes, at least: ((aligned)); 0: any */
};

struct type_enumerator {
	const char *name;
	int64_t value;
};

struct type {
	uint8_t kind;		/* enum type_kind */
	bool is_signed;		/* INT, ENUM */
	bool is_char, is_bool;	/* INT: a character type, a boolean */
	bool variadic, is_go, is_32;	/* FUNC; called as Go's, as with 32 bits */
	bool in_memory;		/* FUNC: first it takes where its result goes */
	bool is_user, is_own;	/* PTR: into a process, the trace's own; others: a process's */
	uint8_t rank;		/* INT: enum type_rank */
	uint8_t fwd_kind;	/* FWD: TYPE_STRUCT, TYPE_UNION or TYPE_ENUM */
	uint32_t n;		/* members, enumerators, or parameters; DYN:
				 * whatever its maker likes */
	const char *name;	/* tag, typedef or basic name; NULL: none */
	uint64_t size;		/* bytes; 0 for void, func, fwd and open arrays */
	uint64_t nelems;	/* ARRAY */
	uint32_t align;		/* bytes; 0: not known yet, so ask type_align();
				 * TYPEDEF: 0 for that of its base */
	/* Pointee, element, result, target of a typedef or qualifier. */
	const struct type *base;
	union {
		const struct type_member *members;	/* STRUCT, UNION */
		const struct type_enumerator *enums;	/* ENUM */
		const struct type_member *params;	/* FUNC */
	} u;
	/* Fills n and u in place; false when the source has broken data or
	 * memory is short (then n stays 0).  NULL once done. */
	bool (*load)(struct type *t);
	void *load_ctx;
	uint64_t load_arg;
	const char *module;	/* where it came from: "vmlinux", "D", "C" */
};

enum type_rank {
	TYPE_RANK_CHAR = 1, TYPE_RANK_SHORT, TYPE_RANK_INT, TYPE_RANK_LONG,
	TYPE_RANK_LLONG
};

/* The basic types, shared and static: never freed, never NULL.  type_void,
 * type_char, type_schar, ... are in basic.def; the typedefs type_int8
 * ("int8_t"), type_size_t ... in alias.def.  size is that of the node itself:
 * ask type_size(), which looks through typedefs. */
#define BASIC(id, ...) extern const struct type type_##id;
#include "type/basic.def"
#undef BASIC
#define ALIAS(id, ...) extern const struct type type_##id;
#include "type/alias.def"
#undef ALIAS

/* --- Questions ---------------------------------------------------------- */

/* Without typedefs and qualifiers.  Never NULL for a non-NULL t. */
const struct type *type_strip(const struct type *t);
/* Without qualifiers only. */
const struct type *type_unqual(const struct type *t);

uint64_t type_size(const struct type *t);	/* bytes, typedefs resolved */
uint32_t type_align(const struct type *t);

bool type_is_integer(const struct type *t);	/* INT or ENUM */
bool type_is_signed(const struct type *t);	/* of an integer */
/* Is the top bit of a bit-field of this type its sign?  Not of an enum without
 * negative enumerators, although such an enum is an int otherwise. */
bool type_is_signed_field(const struct type *t);
bool type_is_float(const struct type *t);
bool type_is_arith(const struct type *t);	/* integer or float */
bool type_is_ptr(const struct type *t);		/* PTR only, not array */
bool type_is_scalar(const struct type *t);	/* integer or pointer */
bool type_is_sou(const struct type *t);
bool type_is_array(const struct type *t);
bool type_is_func(const struct type *t);
bool type_is_void(const struct type *t);
bool type_is_string(const struct type *t);	/* D's string */
bool type_is_dyn(const struct type *t);
/* Pointer to or array of char, signed or unsigned char, also under another
 * name (u8): usable where D wants a string. */
bool type_is_charptr(const struct type *t);
/* string, char * or char[]. */
bool type_is_strcompat(const struct type *t);
bool type_is_complete(const struct type *t);	/* has a size */
/* A process's type, or derived of such. */
bool type_in_user(const struct type *t);

/* Members, loading them if need be; *n is their number. */
const struct type_member *type_members(const struct type *t, uint32_t *n);
const struct type_enumerator *type_enums(const struct type *t, uint32_t *n);
const struct type_member *type_params(const struct type *t, uint32_t *n);

/*
 * Find member `name`, also inside anonymous members.  On success *ret has its
 * type and its bit offset from the start of t.
 */
bool type_find_member(const struct type *t, const char *name,
		      struct type_member *ret);
/* The enumerator `name` of enum t. */
bool type_find_enum(const struct type *t, const char *name, int64_t *ret);

#endif
