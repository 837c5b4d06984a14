/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Programs, and the processes that they are about.
 */
#ifndef DTRACE_PROGRAM_H
#define DTRACE_PROGRAM_H

#include "dtrace/probe.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Both belong to the handle and are freed with it. */
typedef struct dtrace_prog dtrace_prog_t;
typedef struct dtrace_proc dtrace_proc_t;

/* Flags of dtrace_program_*compile(); each is for that one compilation, as if the
 * option had been set for it.  Those without a line here are refused. */
enum {
	DTRACE_C_DIFV = 0x1,	/* print the code to stderr */
	DTRACE_C_EMPTY = 0x2,	/* (empty) a program may have no clauses */
	DTRACE_C_ZDEFS = 0x4,	/* (zdefs) descriptions may match nothing */
	DTRACE_C_CPP = 0x10,	/* (cpp) text of a file: through cpp(1) */
	DTRACE_C_PSPEC = 0x80,	/* a description may stand without a body, as it
				 * may whenever spec is not NONE */
	DTRACE_C_ETAGS = 0x100,	/* (errtags) messages have tags */
	DTRACE_C_ARGREF = 0x200,	/* (argref) arguments may be unused */
	DTRACE_C_DEFARG = 0x800,	/* (defaultargs) and missing ones "" */
	DTRACE_C_NOLIBS = 0x1000	/* (nolibs) without the D libraries */
};

typedef struct dtrace_proginfo {
	dtrace_attribute_t dpi_descattr, dpi_stmtattr;
	unsigned int dpi_aggregates;	/* statements that aggregate, */
	unsigned int dpi_recgens;	/* that record, */
	unsigned int dpi_matches;	/* probes matched */
	unsigned int dpi_speculations;	/* speculate() statements */
	unsigned int dpi_clauses;	/* 0: declarations alone */
} dtrace_proginfo_t;

/* argv[0] is $0, argv[1] $1 and so on. */
dtrace_prog_t *dtrace_program_strcompile(dtrace_hdl_t *, const char *text,
	dtrace_probespec_t spec, unsigned int cflags, int argc,
	char *const argv[]);
/* name: for messages. */
dtrace_prog_t *dtrace_program_fcompile(dtrace_hdl_t *, FILE *fp,
	const char *name, unsigned int cflags, int argc, char *const argv[]);
/* Have it run by dtrace_go().  The information may be NULL. */
int dtrace_program_exec(dtrace_hdl_t *, dtrace_prog_t *, dtrace_proginfo_t *);
void dtrace_program_info(dtrace_hdl_t *, dtrace_prog_t *,
			 dtrace_proginfo_t *);
/* Its code as text. */
int dtrace_program_disasm(dtrace_hdl_t *, dtrace_prog_t *, FILE *);
/* For C programs with probes of their own: the header with macros for the probes that
 * the programs compiled so far define, name: for people; and an object
 * with the definitions of one, to be linked with the objects of what has the probes.
 * flags: 0; others are refused.  The file is made anew. */
int dtrace_program_header(dtrace_hdl_t *, FILE *, const char *name);
int dtrace_program_link(dtrace_hdl_t *, dtrace_prog_t *, unsigned int flags,
			const char *file, int objc, char *const objv[]);
/* The probes that it enables, description by description.  One that matches
 * none, as the option zdefs allows, is handed on as it is, with id 0. */
int dtrace_program_probes(dtrace_hdl_t *, dtrace_prog_t *, dtrace_probe_f *,
			  void *arg);
/* The same for names of any length. */
int dtrace_program_walk(dtrace_hdl_t *, dtrace_prog_t *, dtrace_probename_f *,
			void *arg);

/* Start a command, a file that is looked for as execvp() would.  It stands, before
 * its first instruction or where the option evaltime says, until
 * dtrace_proc_continue().  The first process, created or grabbed, is $target: of
 * programs that are compiled later. */
dtrace_proc_t *dtrace_proc_create(dtrace_hdl_t *, const char *file,
				  char *const *argv);
/* One that runs, and goes on doing so.  flags: 0; others are refused. */
dtrace_proc_t *dtrace_proc_grab(dtrace_hdl_t *, pid_t pid, int flags);
/* Let a command run: now, or, before dtrace_go(), when that has begun the tracing.
 * By the thread that called dtrace_go().  What runs already goes on.  If it fails,
 * dtrace_errno() is not 0. */
void dtrace_proc_continue(dtrace_hdl_t *, dtrace_proc_t *);
/* Let go of a process: of a command that stands, too, which then runs and outlives
 * the handle.  Its end is not told and does not end the tracing; the caller is
 * who has to wait for a command.  It remains $target. */
void dtrace_proc_release(dtrace_hdl_t *, dtrace_proc_t *);
pid_t dtrace_proc_pid(dtrace_hdl_t *, dtrace_proc_t *);

#ifdef __cplusplus
}
#endif

#endif
