/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The file, as doc/spec/saved.md says it: a head, and frames.  All numbers are
 * those of the machine that wrote it, which the head's mark tells; everything
 * is aligned to 8 bytes.
 */
#ifndef SAVE_FORMAT_H
#define SAVE_FORMAT_H

#include <stdint.h>

#define SAVE_MAGIC "DTSAVED\n"
enum {
	SAVE_VERSION = 3,		/* 1 has no SAVE_START, 2 no lines of names */
	SAVE_MARK = 0x01020304,
	SAVE_FRAME_MAX = 64 << 20,	/* bytes */
	SAVE_CPUS_MAX = 1 << 14, SAVE_AGGS_MAX = 1 << 16,
	SAVE_SPECS_MAX = 1 << 20, SAVE_IDS_MAX = 1 << 26,
	SAVE_HEADING_MAX = 64 << 10,	/* bytes, with the NUL */
};

struct save_head {
	char magic[8];
	uint32_t mark, version;
	uint32_t ncpus, nrings, nspec, naggs;
	uint32_t strsize, ndrops;
	uint64_t time_ns;
};

struct save_frame {
	uint32_t kind;		/* enum save_kind */
	uint32_t size;		/* bytes behind this, without what aligns the
				 * next one */
};

enum save_kind {
	SAVE_END,
	/* What stands at the beginning. */
	SAVE_TEXTS,		/* host, kernel, release of dtrace */
	SAVE_OPTION,		/* i64; name, text if it has one */
	SAVE_AGG,		/* struct save_agg; name, keys, their names */
	/* Descriptions, each before it is first needed. */
	SAVE_PROBE,		/* u32 id; four names */
	SAVE_DESC,		/* struct save_desc; see describe.c */
	SAVE_EPID,		/* u32 epid, probe, desc */
	SAVE_FILE,		/* u32 number; its name */
	SAVE_NAME,		/* struct save_name; module, function; of each line
				 * struct save_line; function, file */
	/* Steps, and what the source gives in them. */
	SAVE_STEP,		/* u32 enum save_step; i64 clock */
	SAVE_RECORD,		/* u32 ring, 0; the record */
	SAVE_NONE,		/* u32 ring: it has no more for now */
	SAVE_NOW,		/* u64 */
	SAVE_DROP,		/* u32 kind, cpu; u64 total, from now on */
	SAVE_SPEC,		/* u32 id, state, gen, 0; u64 lost */
	SAVE_ELEM,		/* u32 agg, first cell, cells, 0; key, aligned;
				 * cells */
	SAVE_ELEMS_END,
	SAVE_PROC,		/* i32 pid; text */
	SAVE_START,		/* u64 ns; heading; before the first step */
	SAVE_NKINDS
};

struct save_agg {
	uint32_t id, func;
	uint64_t arg;
	uint32_t nkeys, key_size, ncells, has_names;
};

struct save_desc {
	uint32_t id;
	uint32_t record_size, nbranches, nactions, nfields, naggids;
	uint32_t spec, who, is_log, pad;
};

struct save_action {
	uint32_t kind, branch, nfields, field, agg, naggs;
	uint64_t arg;
	uint32_t format, types;	/* bytes of text with its NUL, of types, which
				 * follow, each aligned; 0: none */
};

enum { SAVE_USER = 1, SAVE_RETURN = 2 };	/* flags of a name */

struct save_name {
	uint32_t flags;
	int32_t pid;
	uint64_t addr, offset, module_start;
	uint32_t has_module, has_function;
};

enum { SAVE_LINES_MAX = 64 };	/* of one name */

struct save_line {
	uint32_t line, has_function, has_file, pad;
};

/* A node of the graph of a type; describe.c.  Numbers of nodes count from 1; 0:
 * none.  Behind it stand its name and its members or enumerators. */
struct save_type {
	uint32_t bytes;		/* of all of it */
	uint8_t kind, flags, rank, fwd_kind;
	uint32_t n, base;
	uint64_t size, nelems;
	uint32_t align, name;	/* name: bytes with its NUL, 0: none */
};

enum { SAVE_SIGNED = 1, SAVE_CHAR = 2, SAVE_BOOL = 4, SAVE_VARIADIC = 8,
       SAVE_UPTR = 16 };

struct save_member {
	uint32_t type, bit_size;
	uint64_t bit_offset;
	uint32_t name, pad;
};

struct save_enumerator {
	int64_t value;
	uint32_t name, pad;
};

#endif
