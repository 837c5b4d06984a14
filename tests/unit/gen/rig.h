/* SPDX-License-Identifier: BSD-2-Clause
 *
 * From D text to values: lang, sema and gen on a made-up world, and the
 * interpreter on made-up memory.
 */
#ifndef TEST_GEN_RIG_H
#define TEST_GEN_RIG_H

#include "gen/gen.h"
#include "util/intern.h"
#include "vm/vm.h"

/* Where the made-up memories begin, and their size. */
#define RIG_KERNEL	0xffff888000001000ull
#define RIG_USER	0x00007f0000001000ull
enum { RIG_MEM = 4096, RIG_STRSIZE = 256, RIG_RECORD = 8192,
       RIG_MAX_AGGS = 32, RIG_MAX_CELLS = 256 };

/* What lies at the start of both memories; the D programs declare the same
 * as `struct blob`.  Kernel symbols: blob (a struct blob), blobs (struct blob
 * [4], the same place), nextblob (a pointer to it), counter (an int), fn (a
 * function). */
struct rig_blob {
	signed char c;
	unsigned char uc;
	short s;
	unsigned short us;
	int i;
	unsigned int ui;
	long l;
	unsigned long ul;
	unsigned int b3 : 3;
	int sb5 : 5;
	unsigned int b20 : 20;
	int sb12 : 12;
	unsigned long b40 : 40;
	long sb24 : 24;
	char name[16];
	struct { int x, y; } at;
	struct rig_blob *next;
	unsigned char bytes[8];
	int matrix[2][3];
};
/* What lies at the end of both: nothing can be read behind it. */
struct rig_tail { unsigned int a : 3, b : 20; long c : 33; } __attribute__((packed));
extern const char rig_decls[];	/* the same, in D */

struct rig_agg {
	const struct abi_agg_desc *desc;
	uint8_t key[512];
	uint64_t cells[RIG_MAX_CELLS];
};

struct rig {
	struct arena *a;
	struct intern names;
	struct opt_set opts;
	bool have_opts;
	struct sema *sema;
	struct diag_list diags;
	const struct plan_prog *plan;

	struct vm vm;
	void *mem;
	uint8_t kernel[RIG_MEM], user[RIG_MEM];
	uint64_t args[10];
	_Alignas(8) uint8_t record[RIG_RECORD];	/* of the last clause */
	bool committed;
	struct rig_agg aggs[RIG_MAX_AGGS];
	unsigned naggs;
};

void rig_init(struct rig *r);
void rig_fini(struct rig *r);
/* Compile; r->plan is NULL when that failed.  May be called once. */
void rig_compile(struct rig *r, const char *text);
/* rig_compile(), and print what went wrong and fail the test if it did; then
 * set up the interpreter. */
void rig_load(struct rig *r, const char *text);
/* One firing of one clause. */
enum vm_outcome rig_run(struct rig *r, unsigned clause);
/* All clauses in order, one firing each; fails the test on a fault. */
void rig_run_all(struct rig *r);
/* An integer field of the last record, extended by its sign. */
uint64_t rig_int(const struct rig *r, unsigned clause, unsigned field);
/* Bytes of the type of the integer in a field. */
unsigned rig_type_bytes(const struct abi_field *f);
const char *rig_str(const struct rig *r, unsigned clause, unsigned field);

#endif
