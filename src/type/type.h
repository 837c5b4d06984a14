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

#include "util/arena.h"
#include "util/sb.h"

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
	uint64_t bit_offset;	/* from the start of the struct */
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
	bool is_char;		/* INT: a character type */
	bool is_bool;
	bool variadic;		/* FUNC */
	bool is_user;		/* PTR: points into user memory (D's userland) */
	uint8_t rank;		/* INT: enum type_rank */
	uint8_t fwd_kind;	/* FWD: TYPE_STRUCT, TYPE_UNION or TYPE_ENUM */
	uint32_t n;		/* members, enumerators, or parameters; DYN:
				 * whatever its maker likes */
	const char *name;	/* tag, typedef or basic name; NULL: none */
	uint64_t size;		/* bytes; 0 for void, func, fwd and open arrays */
	uint64_t nelems;	/* ARRAY */
	uint32_t align;		/* bytes; 0: not known yet, so ask type_align();
				 * TYPEDEF: 0 for that of its base */
	/* Pointee, element, result of a function, target of a typedef or
	 * qualifier, or NULL. */
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

/* --- Construction: nodes in arena a; NULL in, no memory, or a type of 2^60
 * bytes or more gives NULL.  Names are borrowed: they must live as long as
 * the node. --- */

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
/* The alias spelled `name` ("uint64_t", "caddr_t"), or NULL. */
const struct type *type_alias(const char *name);

/* An integer of the form of `like`, with another name. */
struct type *type_new_int(struct arena *a, const char *name,
			  const struct type *like);
struct type *type_new_ptr(struct arena *a, const struct type *to);
struct type *type_new_array(struct arena *a, const struct type *of,
			    uint64_t nelems);
/* kind: TYPE_CONST, TYPE_VOLATILE, TYPE_RESTRICT. */
struct type *type_new_qual(struct arena *a, enum type_kind kind,
			   const struct type *of);
struct type *type_new_typedef(struct arena *a, const char *name,
			      const struct type *of);
struct type *type_new_fwd(struct arena *a, enum type_kind kind,
			  const char *tag);
struct type *type_new_func(struct arena *a, const struct type *result,
			   const struct type_member *params, uint32_t n,
			   bool variadic);
/* D's string of `size` bytes, NUL included. */
struct type *type_new_string(struct arena *a, uint64_t size);
struct type *type_new_dyn(struct arena *a, const char *name);

/*
 * fwd, from type_new_fwd(), becomes the struct or union it announced, also for
 * those who already point to it, laid out as the C compiler would, bit-fields
 * included (System V x86-64).  members[i].bit_offset is computed; bit_size says
 * which are bit-fields (a width of 0 with a NULL name is `int : 0`, marked by
 * bit_size UINT32_MAX).  Members are copied.  False when memory is short or the
 * type too large; then fwd is unchanged.
 */
bool type_define(struct arena *a, struct type *fwd,
		 const struct type_member *members, uint32_t n);
/* A struct or union that was just defined: aligned to so many bytes or more,
 * a power of two, and its size a multiple of that. */
void type_raise_align(struct type *t, uint32_t align);
/* A value of which only the size is known, and D can do nothing with it but
 * copy it: a typedef of a struct without members.  The same name is the same
 * type. */
struct type *type_new_opaque(struct arena *a, const char *name, uint64_t size,
			     uint32_t align);
/* As type_define(), of an enum: int-sized and signed unless a value needs
 * unsigned or 64 bits. */
bool type_define_enum(struct arena *a, struct type *fwd,
		      const struct type_enumerator *enums, uint32_t n);
/* An enum that was just defined: its values that look negative are unsigned. */
void type_widen_enum(struct type *t);
/* And as narrow as its values allow. */
void type_pack_enum(struct type *t);

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

/* Same type: structure for derived types, names for tagged ones.  Typedefs
 * and outermost qualifiers do not count; strings of any size are one type. */
bool type_equal(const struct type *a, const struct type *b);
/* Pointers that may be compared, assigned or passed for one another: equal
 * but for qualifiers, one of them void *, or to integers of one size that
 * differ in name (or, for characters, in sign).  Arrays and functions decay;
 * anything else is not a pointer and compatible with nothing. */
bool type_ptr_compat(const struct type *a, const struct type *b);
/* The usual arithmetic conversions of two integers (INT or ENUM, which the
 * caller has made sure of), by C rank; the result is a basic type. */
const struct type *type_usual_arith(const struct type *a,
				    const struct type *b);
/* Integer promotion of one; the result is a basic type. */
const struct type *type_promote(const struct type *t);

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

/*
 * As C text: "struct task_struct *", "int (*)(void)", "char [16]"; with a
 * name, as a declarator: "char comm[16]".
 */
void type_print(const struct type *t, const char *name, struct sb *b);
/* The same without what stands in parentheses and braces: "int (*)()" for any
 * function, "struct" for one without a tag. */
void type_print_brief(const struct type *t, struct sb *b);

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
