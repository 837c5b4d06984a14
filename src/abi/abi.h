/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the compiler, the kernel side and the consumer have the same numbers for:
 * faults, drops, actions and aggregating functions.  One header for gcc and clang
 * -target bpf, as are all of this folder, so nothing is included but the
 * fixed-width types.
 */
#ifndef ABI_ABI_H
#define ABI_ABI_H

#include "abi/int.h"

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
	ABI_NDROPS,
	/* Beside these in a CPU's row: stacks for which a table was not there yet
	 * (abi/unwind.h). */
	ABI_BLIND_STACKS = ABI_NDROPS,
	/* Firings that spares (abi_point.spare) have seen. */
	ABI_SPARED,
	ABI_NCOUNTS
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

#endif
