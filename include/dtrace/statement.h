/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a program consists of; and calls of other systems that make no sense here,
 * which fail with EDT_UNSUPPORTED and tell why.
 */
#ifndef DTRACE_STATEMENT_H
#define DTRACE_STATEMENT_H

#include "dtrace/program.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dtrace_ecbdesc {
	dtrace_probedesc_t dted_probe;	/* the description; id 0 */
	int dted_pred;			/* is there a predicate? */
} dtrace_ecbdesc_t;

/* A description of a clause. */
typedef struct dtrace_stmtdesc {
	dtrace_ecbdesc_t *dtsd_ecbdesc;
	unsigned int dtsd_clause;	/* which one, from 0 on */
	dtrace_attribute_t dtsd_descattr, dtsd_stmtattr;	/* its */
} dtrace_stmtdesc_t;

/* Return nonzero to end the walk; it is the result then.  The statement is borrowed
 * for the call. */
typedef int dtrace_stmt_f(dtrace_hdl_t *, dtrace_prog_t *,
			  dtrace_stmtdesc_t *, void *arg);
/* The statements of a program, in the order in which they stand. */
int dtrace_stmt_iter(dtrace_hdl_t *, dtrace_prog_t *, dtrace_stmt_f *,
		     void *arg);

/* Statements are compiled from text, so none can be made by hand. */
typedef struct dtrace_actdesc dtrace_actdesc_t;
dtrace_stmtdesc_t *dtrace_stmt_create(dtrace_hdl_t *, dtrace_ecbdesc_t *);
dtrace_actdesc_t *dtrace_stmt_action(dtrace_hdl_t *, dtrace_stmtdesc_t *);
int dtrace_stmt_add(dtrace_hdl_t *, dtrace_prog_t *, dtrace_stmtdesc_t *);
/* Those of dtrace_stmt_iter() are the program's: nothing is to be done. */
void dtrace_stmt_destroy(dtrace_hdl_t *, dtrace_stmtdesc_t *);

/* Programs run as BPF, and there is no DOF to be had of them, of the options or of
 * an error; dtrace_program_disasm() shows code. */
void *dtrace_dof_create(dtrace_hdl_t *, dtrace_prog_t *, unsigned int flags);
void dtrace_dof_destroy(dtrace_hdl_t *, void *dof);	/* there is none */
void *dtrace_getopt_dof(dtrace_hdl_t *);
void *dtrace_geterr_dof(dtrace_hdl_t *);

#ifdef __cplusplus
}
#endif

#endif
