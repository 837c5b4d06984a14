/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The same program on the interpreter and in the kernel.
 *
 *	struct diff *d = diff_new(64);
 *	diff_var(d, "x", DIF_VS_GLOBAL, "string 20", NULL);
 *	struct diff_clause *c = diff_clause(d, "what it is about");
 *	diff_int(c, 8, "ldgs arg0, %r1\n ret %r1");
 *	diff_finish(d, args, nfirings);
 *
 * Each clause stands for one case; what it records, or its fault, must be the
 * same on both sides, for every firing.  Programs with many clauses are
 * loaded in pieces, and a piece that the kernel refuses is halved until the
 * clause at fault is known.  Misuse of this file aborts.
 */
#ifndef TESTS_DIFF_H
#define TESTS_DIFF_H

#include "abi/point.h"
#include "dif/plan.h"
#include "util/err.h"
#include "util/sb.h"

struct diff;
struct diff_clause;

/* A firing: what arg0.. are, and which probe it is, where there are several. */
struct diff_args { uint64_t v[ABI_NARGS]; unsigned probe; };

struct diff *diff_new(uint32_t strsize);
void diff_free(struct diff *d);

/* --- Before the first clause ------------------------------------------------- */

void diff_scratch(struct diff *d, uint32_t size);	/* bytes */
/* Elements a dynamic variable, or groups an aggregation, can have. */
void diff_room(struct diff *d, uint32_t n);
/* The point knows an error: arg9 when that is in -4095..-1. */
void diff_errno(struct diff *d);
/* The interpreter reads kernel memory, too. */
void diff_kernel(struct diff *d);
/* Clauses loaded at a time. */
void diff_batch(struct diff *d, uint32_t n);
/*
 * A variable, known to all DIFOs by its name.  type: "int N" by value,
 * "string N", "struct N" or "ustruct N", "ustring N" (stored from user
 * memory).  keys: NULL for a scalar, else one word for each part: "i" or
 * "sN", e.g. "i s16 i".
 */
void diff_var(struct diff *d, const char *name, int scope, const char *type,
	      const char *keys);
/* An aggregation; its index.  arg: of lquantize and llquantize.  keys: like
 * those of a variable, and "bN" for N bytes. */
unsigned diff_agg(struct diff *d, enum abi_agg_func func, uint64_t arg,
		  const char *keys);

/* --- Clauses --------------------------------------------------------------------- */

/* name is copied and printed when something differs. */
struct diff_clause *diff_clause(struct diff *d, const char *name, ...)
	__attribute__((format(printf, 2, 3)));
/* A clause of ERROR instead of the probe. */
struct diff_clause *diff_error_clause(struct diff *d, const char *name);
/* The bytes recorded are not compared, only that something was. */
void diff_loose(struct diff_clause *c);
/* The predicate. */
void diff_pred(struct diff_clause *c, const char *text);
/* Nodes, in order: run for effect; record a number, a string, bytes. */
void diff_expr(struct diff_clause *c, const char *text);
void diff_int(struct diff_clause *c, unsigned size, const char *text);
void diff_str(struct diff_clause *c, unsigned size, const char *text);
void diff_bytes(struct diff_clause *c, unsigned size, const char *text);
/* The same from user memory. */
void diff_ustr(struct diff_clause *c, unsigned size, const char *text);
void diff_ubytes(struct diff_clause *c, unsigned size, const char *text);
/* A field that is filled without a DIFO. */
void diff_field(struct diff_clause *c, enum abi_field_kind kind, unsigned size);
/* One text for each key, then the value and the increment, as there are. */
void diff_add(struct diff_clause *c, unsigned agg, unsigned ntexts,
	      const char *const *texts);
void diff_if(struct diff_clause *c, const char *text);
void diff_else(struct diff_clause *c);
void diff_end(struct diff_clause *c);
/* One DIFO that the caller made and owns as long as d. */
void diff_int_difo(struct diff_clause *c, const struct dif_difo *difo);
void diff_str_difo(struct diff_clause *c, unsigned size,
		   const struct dif_difo *difo);
/* The variable table that DIFOs of the caller need. */
const struct dif_difo *diff_tables(struct diff *d);

/* --- Running ------------------------------------------------------------------------ */

/* Load, fire with each of args, compare.  The number of differences found,
 * which have been printed as comments; a program that does not load is one. */
unsigned diff_run(struct diff *d, const struct diff_args *args, unsigned n);
/* The same, at one firing with all arguments zero. */
unsigned diff_run_once(struct diff *d);
/* The last run, with n firings or, if n is 0, one as above; and free d. */
unsigned diff_finish(struct diff *d, const struct diff_args *args, unsigned n);

/* What the kernel recorded for a clause at the last firing of the last run:
 * the bytes of its record, NULL when there was none. */
const void *diff_recorded(struct diff *d, const struct diff_clause *c);
/* CLOCK_MONOTONIC just before and after the last firing in the kernel. */
void diff_times(const struct diff *d, uint64_t *before, uint64_t *after);
/* How far walltimestamp is ahead of timestamp. */
#define DIFF_WALL_DELTA 1700000000123456789
/* The CPU on which everything runs. */
unsigned diff_cpu(void);

/* --- Programs in D ------------------------------------------------------------------ */

enum diff_verdict {
	DIFF_SAME,
	DIFF_NOT_D,	/* the compiler says no */
	DIFF_LIMIT,	/* it meets a limit that the generator names */
	DIFF_REFUSED,	/* the kernel does not take it */
	DIFF_DIFFERS,
};

enum { DIFF_USER = 4096 };	/* bytes of user memory at arg5 */

/* What was compared; and the most instructions that the kernel has followed to
 * verify one program (a million is its limit). */
struct diff_count { uint64_t clauses, records, faults, verified; };

/* Run a program in D on both sides.  Why it is not DIFF_SAME is added to
 * notes; what was compared to count (may be NULL). */
enum diff_verdict diff_d(const char *program, struct sb *notes,
			 struct diff_count *count);

/* Run a program in D on the running system (it may only trace this process);
 * what it records is printed to nowhere.  DIFF_SAME: it loaded and ran. */
enum diff_verdict diff_real(const char *program, struct sb *notes,
			    struct diff_count *count);

/* Put n <= 4096 bytes where readable kernel memory ends; the address behind them,
 * where nothing can be read. */
uint64_t diff_kernel_end(const void *p, size_t n);

/* --- TAP ------------------------------------------------------------------------------ */

struct diff_test {
	const char *name;
	unsigned (*run)(void);	/* differences found */
};
/* main() of a test program: skips, with the reason, what cannot run here. */
int diff_main(const struct diff_test *tests, unsigned n);

#endif
