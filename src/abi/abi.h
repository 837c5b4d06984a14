/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The layouts that the compiler, the kernel side and the consumer share.  One
 * header for gcc and clang -target bpf, so nothing is included but the
 * fixed-width types.
 *
 * The flow: a firing of a probe runs clauses; a clause that records writes one
 * record {header, fields} into its CPU's ring; the clause's abi_clause_desc
 * says where each field lies and which action prints it.
 */
#ifndef ABI_ABI_H
#define ABI_ABI_H

#ifdef __bpf__
#include <linux/types.h>
typedef __u8 uint8_t;
typedef __u16 uint16_t;
typedef __u32 uint32_t;
typedef __u64 uint64_t;
typedef __s64 int64_t;
typedef __s32 int32_t;
#include <stdbool.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

#include "abi/attach.h"

enum abi_fault {
#define FAULT(name, no, hasval, text) ABI_FAULT_##name = no,
#include "abi/fault.def"
#undef FAULT
	/* Not a fault of D: the clause ended early without one. */
	ABI_FAULT_NONE = -1,
};

enum abi_drop {
#define DROP(name, ...) ABI_DROP_##name,
#include "abi/drop.def"
#undef DROP
	ABI_NDROPS
};

/* Is it counted for each CPU? */
static inline bool
abi_drop_per_cpu(enum abi_drop kind)
{
	static const bool per_cpu[] = {
#define DROP(name, per_cpu, ...) [ABI_DROP_##name] = per_cpu,
#include "abi/drop.def"
#undef DROP
	};

	return per_cpu[kind];
}

enum abi_action_kind {
#define ACTION(name, no, class) ABI_ACT_##name = no,
#include "abi/action.def"
#undef ACTION
};

/* What an action does. */
enum abi_action_class {
	ABI_DOES_NOTHING,
	/* At once, when its clause runs; these record nothing. */
	ABI_DOES_ACTS,		/* something to the process or the CPU */
	ABI_DOES_SPECULATES,	/* says where records go */
	/* When the turn of its record comes. */
	ABI_DOES_VALUES,	/* shows its fields, one after the other */
	ABI_DOES_MEMORY,	/* shows bytes */
	ABI_DOES_TYPED,		/* shows a value as its type has it */
	ABI_DOES_FORMAT,	/* shows its format, filled in */
	ABI_DOES_AGGS,		/* shows or changes aggregations */
	ABI_DOES_CONSUMER,	/* is carried out by the consumer: no output */
	ABI_DOES_EXIT,
};

static inline enum abi_action_class
abi_action_class(uint32_t kind)
{
	switch (kind) {
#define ACTION(name, no, class) case no: return ABI_DOES_##class;
#include "abi/action.def"
#undef ACTION
	default: return ABI_DOES_NOTHING;
	}
}

enum abi_agg_func {
#define AGG(name, no, ...) ABI_AGG_##name = no,
#include "abi/agg.def"
#undef AGG
};

/* --- Records ---------------------------------------------------------- */

/* Every record starts so, 8-byte aligned.  Fields follow at fixed offsets
 * counted from the start of this header. */
struct abi_record {
	uint32_t epid;		/* 1..: probe x clause; ABI_EPID_*: special */
	uint32_t size;		/* of the whole record, header included; in a
				 * ring, above ABI_LAP_SHIFT: its lap */
	uint64_t timestamp;	/* ns, CLOCK_MONOTONIC, of the firing */
};
_Static_assert(sizeof(struct abi_record) == 16, "record header");

/*
 * CPU n writes to ring n % nrings; the quotient is the record's lap, which is 0
 * wherever each CPU has a ring of its own.
 */
enum { ABI_LAP_SHIFT = 24, ABI_RECORD_MAX = (1 << ABI_LAP_SHIFT) - 1 };

#define ABI_EPID_NONE	0u
/* A struct abi_error_record: a clause faulted. */
#define ABI_EPID_ERROR	0xffffffffu
/* A struct abi_spec_end: a speculation has ended. */
#define ABI_EPID_SPEC_END 0xfffffffeu

/*
 * A place in the text of a program, as records have it: its line, from 1, and
 * in the bits above that the number of the file, 0 for the script itself, else
 * an index into plan_prog.files and 1.  0: none is told, as of a line too far
 * down for this.
 */
enum { ABI_LINE_BITS = 22 };

static inline uint32_t
abi_place(uint32_t file, uint32_t line)
{
	if (line >> ABI_LINE_BITS || file >> (32 - ABI_LINE_BITS))
		return 0;
	return file << ABI_LINE_BITS | line;
}

static inline uint32_t
abi_place_file(uint32_t place)
{
	return place >> ABI_LINE_BITS;
}

static inline uint32_t
abi_place_line(uint32_t place)
{
	return place & ((1u << ABI_LINE_BITS) - 1);
}

/* In a program that records who fired (plan_prog.who) a struct abi_who stands
 * behind it. */
struct abi_error_record {
	struct abi_record hdr;
	uint32_t epid;		/* of the clause that faulted */
	uint32_t action;	/* 1-based; 0: the predicate */
	int32_t dif_offset;	/* bytes; -1: none */
	int32_t fault;		/* enum abi_fault */
	uint64_t value;		/* fault-specific, often the address */
	uint32_t place;		/* abi_place(); 0: the action says it */
	uint32_t pad;
};

/*
 * A clause that records in a loop has no fixed layout: behind the header its
 * record is a log of what ran, in that order, an entry for each action.
 */
struct abi_entry {
	uint32_t action;	/* index into the description's actions */
	uint32_t size;		/* of the entry with this; a multiple of 8 */
};

/*
 * Speculations have ids 1..nspec.  Each use of one has a generation of its own,
 * and the tag {generation, id} names that use, and so the records made for it.
 */
#define ABI_SPEC_TAG(id, gen)	((uint64_t)(gen) << 32 | (uint32_t)(id))
#define ABI_SPEC_ID(tag)	((uint32_t)(tag) & 0xffffff)
#define ABI_SPEC_GEN(tag)	((uint32_t)((tag) >> 32))
/* In place of a tag: what is recorded goes nowhere. */
#define ABI_SPEC_NOWHERE	(~(uint64_t)0)

/* How a use ended, as bits of its tag: else by commit(), and nobody but the CPU
 * that ended it can have written to it. */
#define ABI_SPEC_END_DISCARD	(1u << 31)
#define ABI_SPEC_END_SHARED	(1u << 30)

struct abi_spec_end {
	struct abi_record hdr;
	uint64_t tag;		/* with those bits */
};

/* The thread that a record is about, for output that wants it with each. */
struct abi_who {
	int32_t pid, tid;
	char comm[16];		/* execname, NUL-terminated */
};
_Static_assert(sizeof(struct abi_who) == 24, "recorded in words");

/* What the bytes of a field, or of a key of a tuple, are. */
enum abi_field_kind {
	ABI_FIELD_INT,		/* size 1, 2, 4 or 8; sign by is_signed */
	ABI_FIELD_STRING,	/* NUL-terminated within size bytes */
	ABI_FIELD_BYTES,	/* a struct, union or array by value */
	ABI_FIELD_PROBE,	/* 4-byte probe id; sub: enum abi_probe_part */
	ABI_FIELD_STACK,	/* size/8 kernel addresses, 0 ends */
	ABI_FIELD_USTACK,	/* pid, then size/8-1 user addresses, 0 ends */
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

/* --- Aggregations ----------------------------------------------------- */

/*
 * A value is an array of 64-bit cells, all zero when nothing was aggregated,
 * each updated by an atomic add, or by an atomic unsigned maximum for MIN and
 * MAX (abi_agg_max_encode()):
 *	COUNT n; SUM sum; AVG count, sum; STDDEV count, sum, low and high
 *	half of the 128-bit sum of squares; QUANTIZE 127 buckets, [63] holds 0;
 *	LQUANTIZE below, levels..., above; LLQUANTIZE below, buckets..., above.
 * The parameters of the last two are packed into `arg`: ABI_LQ_ARG(),
 * ABI_LLQ_ARG().
 */
struct abi_agg_desc {
	const char *name;	/* "" for @ */
	uint32_t id;		/* 1.. */
	uint32_t func;		/* enum abi_agg_func */
	uint64_t arg;
	uint32_t nkeys;
	uint32_t key_size;	/* bytes, multiple of 4; 0: no keys */
	uint32_t ncells;
	const struct abi_field *keys;	/* nkeys; offsets within the key */
	/* nkeys, each as the program writes it where it first does, or NULL;
	 * NULL: unknown. */
	const char *const *key_names;
};

/*
 * With keys, a value lies in pieces of at most ABI_PIECE cells, each made when it
 * is first used, and on each CPU by itself: it is an element of a hash whose key
 * is the aggregation's key and behind that a word, the tag, that says which piece
 * of which CPU this is.  Where several aggregations share a hash the pieces of
 * one have numbers behind those of the other.
 */
enum { ABI_PIECE_SHIFT = 5, ABI_PIECE = 1 << ABI_PIECE_SHIFT, ABI_TAG_SIZE = 4 };

static inline bool
abi_agg_is_histogram(uint32_t func)
{
	return func == ABI_AGG_QUANTIZE || func == ABI_AGG_LQUANTIZE ||
	       func == ABI_AGG_LLQUANTIZE;
}

static inline uint32_t
abi_agg_pieces(const struct abi_agg_desc *d)
{
	return d->ncells <= ABI_PIECE ? 1
				      : (d->ncells + ABI_PIECE - 1) / ABI_PIECE;
}

/* Of a piece; the last may be of less use. */
static inline uint32_t
abi_piece_cells(const struct abi_agg_desc *d)
{
	return d->ncells < ABI_PIECE ? d->ncells : ABI_PIECE;
}

#define ABI_TAG(piece, cpu, ncpus) ((uint32_t)(piece) * (ncpus) + (cpu))
#define ABI_TAG_PIECE(tag, ncpus)  ((tag) / (ncpus))

/*
 * The longer a key, the longer the kernel takes to find it: 28 ns for 8 bytes, 91
 * for 168.  And strings and stacks are seldom as long as they may be.  So a key
 * whose strings and stacks all end early is brief, and in a hash of its own: cut
 * behind their ends, each part at the next multiple of 8.
 */
enum { ABI_BRIEF_STRING = 32, ABI_BRIEF_STACK = 72, ABI_BRIEF_GAIN = 64 };

/* Bytes of a part; the last one (a stack: the last 8) is 0, or it is whole. */
static inline uint32_t
abi_brief_part(const struct abi_field *f)
{
	uint32_t most = f->kind == ABI_FIELD_STRING ? ABI_BRIEF_STRING :
			f->kind == ABI_FIELD_STACK ||
			f->kind == ABI_FIELD_USTACK ? ABI_BRIEF_STACK : f->size;

	return f->size < most ? f->size : most;
}

/* Bytes of a brief key; 0: it would be hardly shorter, so there are none. */
static inline uint32_t
abi_brief_size(const struct abi_agg_desc *d)
{
	uint32_t size = 0;

	for (uint32_t i = 0; i < d->nkeys; i++)
		size += (abi_brief_part(&d->keys[i]) + 7) & ~7u;
	return d->key_size >= size + ABI_BRIEF_GAIN ? size : 0;
}

/* Make the key_size bytes at `key` of a brief one. */
static inline void
abi_brief_expand(const struct abi_agg_desc *d, const void *brief, void *key)
{
	const uint8_t *from = (const uint8_t *)brief;

	__builtin_memset(key, 0, d->key_size);
	for (uint32_t i = 0; i < d->nkeys; i++) {
		uint32_t size = abi_brief_part(&d->keys[i]);
		__builtin_memcpy((uint8_t *)key + d->keys[i].offset, from, size);
		from += (size + 7) & ~7u;
	}
}

#define ABI_QUANTIZE_ZERO 63

/* base has 32 bits and a sign; all others have 16 bits. */
#define ABI_LQ_ARG(base, levels, step) \
	((uint64_t)(step) << 48 | (uint64_t)(levels) << 32 | (uint32_t)(base))
#define ABI_LLQ_ARG(factor, low, high, nsteps) \
	((uint64_t)(factor) << 48 | (uint64_t)(low) << 32 | \
	 (uint64_t)(high) << 16 | (uint64_t)(nsteps))
enum { ABI_QUANT_MAX = 0xffff };	/* what 16 bits hold */
#define ABI_LQ_BASE(arg)   ((int32_t)(arg))
#define ABI_LQ_LEVELS(arg) ((uint32_t)((arg) >> 32 & 0xffff))
#define ABI_LQ_STEP(arg)   ((uint32_t)((arg) >> 48))
#define ABI_LLQ_FACTOR(arg) ((uint32_t)((arg) >> 48))
#define ABI_LLQ_LOW(arg)    ((uint32_t)((arg) >> 32 & 0xffff))
#define ABI_LLQ_HIGH(arg)   ((uint32_t)((arg) >> 16 & 0xffff))
#define ABI_LLQ_NSTEPS(arg) ((uint32_t)((arg) & 0xffff))

/* MIN and MAX keep a number whose unsigned order is the order wanted and
 * which is never 0 unless no value was seen or the value is the identity. */
static inline uint64_t
abi_agg_max_encode(int64_t v)
{
	return (uint64_t)v ^ 1ULL << 63;
}

static inline uint64_t
abi_agg_min_encode(int64_t v)
{
	return ~((uint64_t)v ^ 1ULL << 63);
}

static inline int64_t
abi_agg_max_decode(uint64_t c)
{
	return (int64_t)(c ^ 1ULL << 63);
}

static inline int64_t
abi_agg_min_decode(uint64_t c)
{
	return (int64_t)(~c ^ 1ULL << 63);
}

/* The bucket of v in a QUANTIZE value: 63 for 0, 63 + 1 + log2(v) for v > 0,
 * mirrored for v < 0. */
static inline uint32_t
abi_quantize_bucket(int64_t v)
{
	uint64_t mag = v < 0 ? -(uint64_t)v : (uint64_t)v;
	uint32_t log = 0;

	if (!mag)
		return ABI_QUANTIZE_ZERO;
	if (mag >> 32) { mag >>= 32; log += 32; }
	if (mag >> 16) { mag >>= 16; log += 16; }
	if (mag >> 8) { mag >>= 8; log += 8; }
	if (mag >> 4) { mag >>= 4; log += 4; }
	if (mag >> 2) { mag >>= 2; log += 2; }
	if (mag >> 1) log += 1;
	if (v < 0)	/* -2^63 shares the last bucket of -2^62 */
		return log >= 63 ? 0 : ABI_QUANTIZE_ZERO - 1 - log;
	return ABI_QUANTIZE_ZERO + 1 + log;
}

static inline uint32_t
abi_lquantize_bucket(int64_t v, uint64_t arg)
{
	int64_t base = ABI_LQ_BASE(arg);
	uint64_t level;

	if (v < base)
		return 0;
	level = ((uint64_t)v - (uint64_t)base) / ABI_LQ_STEP(arg);
	return level < ABI_LQ_LEVELS(arg) ? (uint32_t)level + 1
					  : ABI_LQ_LEVELS(arg) + 1;
}

/* The bucket of v in an LLQUANTIZE value: 0 below factor^low; then, for each
 * magnitude k of low..high, buckets of width max(1, factor^(k+1) / nsteps)
 * from factor^k to factor^(k+1); one more from factor^(high+1) on, so that
 * the bucket of INT64_MAX, plus 1, is the number of cells.
 * factor^(high+1) fits an int64_t, hence the bound of the loop. */
static inline uint32_t
abi_llquantize_bucket(int64_t v, uint64_t arg)
{
	uint64_t val = (uint64_t)v, at = 1;	/* at: factor^k */
	uint32_t bucket = 1;
	uint32_t k;

	if (v <= 0)
		return 0;
	for (k = 0; k < 64 && k <= ABI_LLQ_HIGH(arg); k++) {
		uint64_t next = at * ABI_LLQ_FACTOR(arg);
		uint64_t width = next / ABI_LLQ_NSTEPS(arg);

		if (!width)
			width = 1;
		if (k >= ABI_LLQ_LOW(arg)) {
			if (val < at)
				return 0;
			if (val < next)
				return bucket + (uint32_t)((val - at) / width);
			bucket += (uint32_t)((next - at + width - 1) / width);
		}
		at = next;
	}
	return bucket;
}

#ifndef __bpf__
/* How many cells a value has, of parameters that make sense; 0: func is none. */
static inline uint32_t
abi_agg_cells(uint32_t func, uint64_t arg)
{
	if (func == ABI_AGG_LQUANTIZE)
		return ABI_LQ_LEVELS(arg) + 2;
	if (func == ABI_AGG_LLQUANTIZE)
		return abi_llquantize_bucket(INT64_MAX, arg) + 1;
	switch (func) {
#define AGG(NAME, no, name, cells) case no: return cells;
#include "abi/agg.def"
#undef AGG
	default: return 0;
	}
}

/* "quantize"; "" for what is none. */
static inline const char *
abi_agg_name(uint32_t func)
{
	switch (func) {
#define AGG(NAME, no, name, cells) case no: return name;
#include "abi/agg.def"
#undef AGG
	default: return "";
	}
}
#endif

/* --- Probes as the kernel side sees them -------------------------------- */

/* How a program finds out which probe fired. */
enum abi_find {
	ABI_FIND_ONE,		/* there is only one */
	ABI_FIND_TABLE,		/* `index` is looked up in a table */
	ABI_FIND_COOKIE,	/* by the number that its site was attached with:
				 * probes may be added while the program runs */
};

enum { ABI_NARGS = 10 };

/*
 * One way of attaching: a single BPF program serves every enabled probe of a
 * point.  A provider fills it in; the code generator emits from it.
 */
struct abi_point {
	uint8_t attach;		/* enum abi_attach */
	uint8_t find;		/* enum abi_find */
	uint8_t runs;		/* enum abi_runs */
	const char *target;	/* name of a tracepoint or function; else a name
				 * for the program */
	struct abi_arg index;	/* FIND_TABLE: the key */
	uint32_t nindex;	/* FIND_TABLE: table size; a larger key means
				 * that no probe of ours fired */
	/* FIND_TABLE: 32-bit calls are looked up `compat` entries further on;
	 * 0: the point knows no 32-bit calls. */
	uint32_t compat;
	struct abi_arg args[ABI_NARGS];
	/* Where a 32-bit call has them; [0] NONE: where the others do. */
	struct abi_arg compat_args[ABI_NARGS];
	/* The value of the errno variable is -arg when arg is in -4095..-1,
	 * else 0; ABI_ARG_NONE: errno reads as 0. */
	struct abi_arg errno_arg;
};

/* In which context its program runs. */
static inline enum abi_runs
abi_point_runs(const struct abi_point *p)
{
	return (enum abi_runs)(p->runs ? p->runs
				       : abi_attach_row(p->attach)->runs);
}

#endif
