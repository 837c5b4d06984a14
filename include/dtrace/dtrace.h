/* SPDX-License-Identifier: BSD-2-Clause
 *
 * libdtrace: compile D programs and consume what they trace.
 *
 * The call order of every consumer:
 *
 *	dtrace_open, dtrace_setopt*, dtrace_handle_*,
 *	dtrace_program_strcompile or _fcompile, dtrace_program_exec,
 *	[dtrace_proc_create or _grab], dtrace_go, [dtrace_proc_continue],
 *	{ dtrace_sleep, dtrace_work }* until DTRACE_WORKSTATUS_DONE,
 *	dtrace_stop, dtrace_aggregate_print, dtrace_close
 *
 * Functions that return int give -1 on failure, those that return a pointer
 * NULL; then dtrace_errno() and dtrace_errmsg() tell why, and errno is the
 * system's reason or 0.  A handle is used by one thread at a time.  C99; also compiles as C++.
 */
#ifndef DTRACE_DTRACE_H
#define DTRACE_DTRACE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DTRACE_VERSION 3

typedef struct dtrace_hdl dtrace_hdl_t;
typedef struct dtrace_prog dtrace_prog_t;
typedef struct dtrace_proc dtrace_proc_t;
typedef uint32_t dtrace_id_t;
typedef uint32_t dtrace_epid_t;
typedef uint32_t dtrace_aggid_t;

enum {	/* flags of dtrace_open() */
	DTRACE_O_NODEV = 1, DTRACE_O_NOSYS = 2, DTRACE_O_LP64 = 4,
	DTRACE_O_ILP32 = 8
};

enum {	/* flags of dtrace_program_*compile() */
	DTRACE_C_DIFV = 0x1, DTRACE_C_EMPTY = 0x2, DTRACE_C_ZDEFS = 0x4,
	DTRACE_C_CPP = 0x10, DTRACE_C_PSPEC = 0x80, DTRACE_C_ETAGS = 0x100,
	DTRACE_C_ARGREF = 0x200, DTRACE_C_DEFARG = 0x800,
	DTRACE_C_NOLIBS = 0x1000
};

typedef enum {
	DTRACE_PROBESPEC_NONE = -1, DTRACE_PROBESPEC_PROVIDER = 0,
	DTRACE_PROBESPEC_MOD, DTRACE_PROBESPEC_FUNC, DTRACE_PROBESPEC_NAME
} dtrace_probespec_t;

typedef enum {
	DTRACE_WORKSTATUS_ERROR = -1, DTRACE_WORKSTATUS_OKAY = 0,
	DTRACE_WORKSTATUS_DONE = 1
} dtrace_workstatus_t;

enum {	/* what a consume callback answers */
	DTRACE_CONSUME_ERROR = -1, DTRACE_CONSUME_THIS = 0,
	DTRACE_CONSUME_NEXT = 1, DTRACE_CONSUME_ABORT = 2
};

enum {	/* dtrace_status() */
	DTRACE_STATUS_NONE = 0, DTRACE_STATUS_OKAY, DTRACE_STATUS_EXITED,
	DTRACE_STATUS_FILLED, DTRACE_STATUS_STOPPED
};

enum {	/* what a handler answers */
	DTRACE_HANDLE_ABORT = -1, DTRACE_HANDLE_OK = 0
};

enum {	/* results of dtrace_errno() */
	EDT_NOMEM = 1000, EDT_OS, EDT_FORMAT, EDT_NOTFOUND, EDT_INVALID,
	EDT_LIMIT, EDT_UNSUPPORTED, EDT_COMPILER, EDT_VERIFY, EDT_STATE,
	EDT_VERSION
};

/* --- Handles, errors, options -------------------------------------------- */

/* version: DTRACE_VERSION.  On failure *errp, when not NULL, is for
 * dtrace_errmsg(NULL, *errp). */
dtrace_hdl_t *dtrace_open(int version, int flags, int *errp);
void dtrace_close(dtrace_hdl_t *);
int dtrace_errno(dtrace_hdl_t *);
/* One line, borrowed until the next failure. */
const char *dtrace_errmsg(dtrace_hdl_t *, int error);
/* For people: the source lines at fault, hints, and further errors of the last
 * failed compilation; several lines, "" when there is nothing to add.  After a
 * compilation that succeeded, its warnings, a line each. */
const char *dtrace_errdetail(dtrace_hdl_t *);

int dtrace_setopt(dtrace_hdl_t *, const char *name, const char *value);
/* As if given on the command line before everything else; from the
 * environment's DTRACE_OPT_NAME. */
int dtrace_setopt_env(dtrace_hdl_t *, char **env);
int dtrace_getopt(dtrace_hdl_t *, const char *name, int64_t *value);

/* --- Programs -------------------------------------------------------------- */

typedef struct dtrace_attribute {
	uint8_t dtat_name, dtat_data, dtat_class;
} dtrace_attribute_t;

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
int dtrace_program_exec(dtrace_hdl_t *, dtrace_prog_t *, dtrace_proginfo_t *);
void dtrace_program_info(dtrace_hdl_t *, dtrace_prog_t *,
			 dtrace_proginfo_t *);
/* Its code as text. */
int dtrace_program_disasm(dtrace_hdl_t *, dtrace_prog_t *, FILE *);

/* --- Probes -------------------------------------------------------------------- */

#define DTRACE_PROVNAMELEN 64
#define DTRACE_MODNAMELEN 64
#define DTRACE_FUNCNAMELEN 192
#define DTRACE_NAMELEN 64

typedef struct dtrace_probedesc {
	dtrace_id_t dtpd_id;
	char dtpd_provider[DTRACE_PROVNAMELEN];
	char dtpd_mod[DTRACE_MODNAMELEN];
	char dtpd_func[DTRACE_FUNCNAMELEN];
	char dtpd_name[DTRACE_NAMELEN];
} dtrace_probedesc_t;

/* Return nonzero to end the walk; it is the result then. */
typedef int dtrace_probe_f(dtrace_hdl_t *, const dtrace_probedesc_t *,
			   void *arg);

/* Probes that the description matches, in order of id; NULL: all. */
int dtrace_probe_iter(dtrace_hdl_t *, const char *desc,
		      dtrace_probespec_t spec, dtrace_probe_f *, void *arg);
/* Those that a program enables, description by description.  One that matches
 * none, as the option zdefs allows, is handed on as it is, with id 0. */
int dtrace_program_probes(dtrace_hdl_t *, dtrace_prog_t *, dtrace_probe_f *,
			  void *arg);

/* What is known of a probe. */
typedef struct dtrace_probeinfo {
	dtrace_attribute_t dtp_attr;	/* of its name */
	dtrace_attribute_t dtp_arga;	/* of its arguments */
	int dtp_argc;			/* those with types; -1: unknown */
} dtrace_probeinfo_t;
int dtrace_probe_info(dtrace_hdl_t *, const dtrace_probedesc_t *,
		      dtrace_probeinfo_t *);
/* The type of its args[n] as text, which lives as long as the handle; NULL: it
 * has none. */
const char *dtrace_probe_argtype(dtrace_hdl_t *, const dtrace_probedesc_t *,
				 unsigned int n);
/* The words for an attribute: "Evolving"; "Common". */
const char *dtrace_stability_name(uint8_t);
const char *dtrace_class_name(uint8_t);

/* --- Processes ----------------------------------------------------------------- */

/* The process is held until dtrace_go(). */
dtrace_proc_t *dtrace_proc_create(dtrace_hdl_t *, const char *file,
				  char *const *argv);
dtrace_proc_t *dtrace_proc_grab(dtrace_hdl_t *, pid_t pid, int flags);
/* These two need not be called: dtrace_go() has processes run, and
 * dtrace_close() lets go of them. */
void dtrace_proc_release(dtrace_hdl_t *, dtrace_proc_t *);
void dtrace_proc_continue(dtrace_hdl_t *, dtrace_proc_t *);
pid_t dtrace_proc_pid(dtrace_hdl_t *, dtrace_proc_t *);

/* --- Tracing --------------------------------------------------------------------- */

int dtrace_go(dtrace_hdl_t *);
/* The next dtrace_work() hands on what is left and answers DONE. */
int dtrace_stop(dtrace_hdl_t *);
void dtrace_sleep(dtrace_hdl_t *);
int dtrace_status(dtrace_hdl_t *);
/* The argument of the last exit() that ran, END's included; 0 without one. */
int dtrace_exit_status(dtrace_hdl_t *);

typedef struct dtrace_recdesc {
	uint32_t dtrd_action;		/* DTRACEACT_* number */
	uint32_t dtrd_size;		/* bytes */
	uint32_t dtrd_offset;		/* from the start of the data */
	uint16_t dtrd_alignment;
	uint16_t dtrd_format;
	uint64_t dtrd_arg;
	uint64_t dtrd_uarg;
} dtrace_recdesc_t;

typedef struct dtrace_eprobedesc {
	dtrace_epid_t dtepd_epid;
	dtrace_id_t dtepd_probeid;
	uint64_t dtepd_uarg;
	uint32_t dtepd_size;
	int dtepd_nrecs;
} dtrace_eprobedesc_t;

/* What a firing recorded; borrowed for the time of the call. */
typedef struct dtrace_probedata {
	dtrace_hdl_t *dtpda_handle;
	dtrace_eprobedesc_t *dtpda_edesc;
	dtrace_probedesc_t *dtpda_pdesc;
	unsigned int dtpda_cpu;
	char *dtpda_data;
	uint64_t dtpda_timestamp;	/* ns, CLOCK_MONOTONIC, of the firing */
} dtrace_probedata_t;

typedef int dtrace_consume_probe_f(const dtrace_probedata_t *, void *);
/* Called for each record, and with NULL at the end of a firing's. */
typedef int dtrace_consume_rec_f(const dtrace_probedata_t *,
				 const dtrace_recdesc_t *, void *);

/*
 * One turn of the consumer: what was recorded is handed to the callbacks (NULL:
 * none) and, unless one of them answers DTRACE_CONSUME_NEXT, printed to fp.
 */
dtrace_workstatus_t dtrace_work(dtrace_hdl_t *, FILE *fp,
	dtrace_consume_probe_f *, dtrace_consume_rec_f *, void *arg);

int dtrace_aggregate_snap(dtrace_hdl_t *);
/* At the end: every aggregation that no printa() has shown, and what closes a
 * document (option oformat). */
int dtrace_aggregate_print(dtrace_hdl_t *, FILE *fp, void *unused);

/* --- Handlers ---------------------------------------------------------------------- */

typedef struct dtrace_errdata {
	dtrace_hdl_t *dteda_handle;
	dtrace_probedesc_t *dteda_pdesc;
	unsigned int dteda_cpu;
	int dteda_action, dteda_offset, dteda_fault;
	uint64_t dteda_addr;
	const char *dteda_msg;		/* one line, with newline */
	const char *dteda_hint;		/* how to mend it, one line with newline,
					 * once for each clause; or NULL */
	/* 0: an error that was not told before; else how many more of one that
	 * was, since the last time, at other addresses perhaps */
	uint64_t dteda_count;
} dtrace_errdata_t;

typedef enum {
	DTRACEDROP_PRINCIPAL, DTRACEDROP_AGGREGATION, DTRACEDROP_DYNAMIC,
	DTRACEDROP_DYNRINSE, DTRACEDROP_DYNDIRTY, DTRACEDROP_SPEC,
	DTRACEDROP_SPECBUSY, DTRACEDROP_SPECUNAVAIL,
	DTRACEDROP_STKSTROVERFLOW, DTRACEDROP_DBLERROR, DTRACEDROP_FIRING,
	DTRACEDROP_MALFORMED
} dtrace_dropkind_t;

typedef struct dtrace_dropdata {
	dtrace_hdl_t *dtdda_handle;
	int dtdda_cpu;
	dtrace_dropkind_t dtdda_kind;
	uint64_t dtdda_drops, dtdda_total;
	const char *dtdda_msg;		/* one line, with newline */
} dtrace_dropdata_t;

typedef int dtrace_handle_err_f(const dtrace_errdata_t *, void *);
typedef int dtrace_handle_drop_f(const dtrace_dropdata_t *, void *);
/* msg is NULL, or why it ended: "pid 7 has exited". */
typedef void dtrace_handle_proc_f(pid_t pid, const char *msg, void *);

int dtrace_handle_err(dtrace_hdl_t *, dtrace_handle_err_f *, void *);
int dtrace_handle_drop(dtrace_hdl_t *, dtrace_handle_drop_f *, void *);
int dtrace_handle_proc(dtrace_hdl_t *, dtrace_handle_proc_f *, void *);

/* Write text, such as an error's, which may hold bytes of anybody; to a terminal
 * what would control it is written as in a string of C. */
void dtrace_put_text(FILE *, const char *text);

/* What of the running kernel is used, one line a feature. */
void dtrace_print_features(FILE *);

#ifdef __cplusplus
}
#endif

#endif
