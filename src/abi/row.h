/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A probe that was found by its cookie, which is the number of its row in dt_rows,
 * from 1.  Rows are written before what fires them is attached, and never changed.
 */
#ifndef ABI_ROW_H
#define ABI_ROW_H

#include "abi/int.h"

struct abi_row {
	uint32_t probe;		/* id */
	uint32_t epid;		/* of bit 0 of clauses; those of the others
				 * follow.  0: there is no such row */
	uint64_t clauses;	/* bit n: the n-th clause of its point runs */
	uint32_t name;		/* its element in dt_names */
	uint16_t layout;	/* its element in dt_layouts */
	uint16_t moved;		/* its sites are so many bytes behind the probe's
				 * place */
	uint32_t value;		/* of the sites */
	uint32_t pid;		/* only this process is meant, though the kernel may
				 * take others for it; 0: any, or it is not known */
};
_Static_assert(sizeof(struct abi_row) == 32, "elements of a map");
enum { ABI_ROW_CLAUSES = 64 };

/* An element of dt_names: a probe's names by enum abi_probe_part, as far as
 * clauses read them. */
enum { ABI_NAME_MAX = 192 };

struct abi_names {
	char part[4][ABI_NAME_MAX];
	uint64_t is_numbered;	/* the number of the process that fires belongs
				 * behind the provider's name */
};

#endif
