/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How to read what was recorded: where each field of a clause's records lies,
 * and which action shows it.
 */
#ifndef ABI_FIELD_H
#define ABI_FIELD_H

#include "abi/abi.h"
#include "abi/record.h"

/* What the bytes of a field, or of a key of a tuple, are. */
enum abi_field_kind {
	ABI_FIELD_INT,		/* size 1, 2, 4 or 8; sign by is_signed */
	ABI_FIELD_STRING,	/* NUL-terminated within size bytes */
	ABI_FIELD_BYTES,	/* a struct, union or array by value */
	ABI_FIELD_PROBE,	/* 4-byte probe id; sub: enum abi_probe_part */
	ABI_FIELD_STACK,	/* size/8 kernel addresses, 0 ends */
	ABI_FIELD_USTACK,	/* pid and perhaps ABI_USTACK_BLIND, then size/8-1
				 * user addresses, 0 ends */
	ABI_FIELD_SYM, ABI_FIELD_MOD,		/* 8-byte kernel address */
	ABI_FIELD_USYM, ABI_FIELD_UMOD, ABI_FIELD_UADDR, /* pid, address */
};

enum abi_probe_part {
	ABI_PART_PROV, ABI_PART_MOD, ABI_PART_FUNC, ABI_PART_NAME
};

/* What the bytes of an INT, BYTES or STRING field stand for.  Only who prints
 * them needs to know. */
enum abi_meaning {
	ABI_MEANS_ITSELF,
	/* A floating-point number: INT has the bits of a float (4) or double
	 * (8); BYTES a long double; STRING the text of a long double constant,
	 * which no register holds. */
	ABI_MEANS_FLOAT,
};

/* An INT of 8 bytes may also be an integer of a type of 1, 2 or 4 bytes which D
 * has not cut to its type.  It is shown as one of that type where it is one, in
 * the columns for integers of 1 to 8 bytes. */
#define ABI_INT_OF(bytes, columns)	((columns) << 4 | (bytes))
#define ABI_INT_BYTES(sub)	((sub) & 15u)	/* of its type */
#define ABI_INT_COLUMNS(sub)	((sub) >> 4)	/* 0: this is no such INT */

struct abi_field {
	uint8_t kind;		/* enum abi_field_kind */
	uint8_t is_signed;
	uint8_t sub;		/* PROBE: a part; INT: ABI_INT_OF() or as the
				 * others, enum abi_meaning */
	uint8_t align;		/* 1, 2, 4 or 8 */
	uint32_t offset;	/* from the record header or the entry, or in
				 * the key */
	uint32_t size;		/* bytes */
};

struct type;		/* type/type.h */

/* One recording action of a clause, in program order. */
struct abi_action {
	uint32_t kind;		/* enum abi_action_kind */
	/* 1-based branch byte (see abi_clause_desc.nbranches) that is nonzero
	 * when this action ran; 0: it always runs. */
	uint16_t branch;
	uint16_t nfields;
	uint32_t field;		/* index of its first field in fields[] */
	uint32_t agg;		/* index into aggids[] of its first aggregation
				 * (PRINTA, CLEAR, TRUNC, NORMALIZE ...) */
	uint32_t naggs;
	uint64_t arg;		/* kind-specific: TRACEMEM size, STACK depth */
	const char *format;	/* PRINTF, PRINTA, SYSTEM, FREOPEN; else NULL */
	const struct type *type;	/* PRINT: what its field holds; else
					 * NULL */
};

/*
 * How to read one clause's records.  A clause with if/else keeps nbranches
 * bytes right behind the record header, one per branch, nonzero when the
 * branch was taken; so one layout serves every path.
 */
struct abi_clause_desc {
	uint32_t record_size;	/* header included, multiple of 8; 0: the
				 * clause never records.  The most there can
				 * be, when is_log */
	uint16_t nbranches;
	uint16_t nactions;
	uint32_t nfields;
	uint32_t naggids;
	const struct abi_action *actions;
	const struct abi_field *fields;
	const uint32_t *aggids;
	uint32_t spec;		/* offset of 8 bytes: the tag of the speculation
				 * that the record belongs to, 0: none; itself
				 * 0: the clause never speculates */
	uint32_t who;		/* where the struct abi_who is, a multiple of 8;
				 * 0: there is none */
	bool is_log;		/* a log of entries; fields are counted from
				 * the start of their entry */
};

/* Where the entries of a record that is a log begin. */
static inline uint32_t
abi_log_start(const struct abi_clause_desc *d)
{
	return d->who ? d->who + sizeof(struct abi_who)
		      : sizeof(struct abi_record);
}

/* Bytes of an entry for action i of a clause that is_log. */
static inline uint32_t
abi_entry_size(const struct abi_clause_desc *d, uint32_t i)
{
	const struct abi_action *a = &d->actions[i];
	const struct abi_field *last;

	if (!a->nfields)
		return sizeof(struct abi_entry);
	last = &d->fields[a->field + a->nfields - 1];
	return (last->offset + last->size + 7) & ~7u;
}

#endif
