/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the files of the command have for each other.
 */
#ifndef CMD_CMD_PRIV_H
#define CMD_CMD_PRIV_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "dtrace/dtrace.h"

enum { E_OK = 0, E_FATAL = 1, E_USAGE = 2 };
enum mode { MODE_EXEC, MODE_LIST, MODE_VERSION, MODE_SAVE, MODE_HOLD,
	    MODE_HEADER, MODE_OBJECT };

/* One -P, -m, -f, -n, -i or -s. */
struct request {
	dtrace_probespec_t spec;	/* NONE: a file */
	const char *arg;
	dtrace_prog_t *prog;
};

/* One -c or -p. */
struct target {
	const char *command;	/* NULL: pid */
	pid_t pid;
};

struct options {
	enum mode mode;
	bool compile_only, disasm, verbose, claim;
	const char *output, *replay;
	struct target *targets;
	int ntargets;
	struct request *reqs;
	int nreqs;
	char **divided;		/* NULL, or arguments with those of a first line */
	char **args;		/* [0] is $0 */
	int nargs;
	/* -x, -b, -q, -w, in order: name and value */
	char **sets;
	int nsets;
};

extern dtrace_hdl_t *cmd_handle;	/* NULL until it is open */
extern FILE *cmd_out;
extern bool cmd_verbose;
extern volatile sig_atomic_t cmd_interrupted;	/* a signal came that is to end us */

/* "dtrace: ", the text and a newline, to stderr. */
__attribute__((format(printf, 1, 2)))
void cmd_message(const char *fmt, ...);
/* The only way out; what was still to be written must have been. */
__attribute__((noreturn)) void cmd_finish(int status);
/* Say "what: why" for the library's last error, and leave. */
__attribute__((noreturn, format(printf, 1, 2)))
void cmd_fatal(const char *fmt, ...);
/* The program of r, which must not be wrong. */
void cmd_compile(struct options *o, struct request *r);

/* args.c: leaves with E_USAGE when the arguments are wrong. */
void cmd_parse(struct options *o, int argc, char **argv);
void cmd_free_options(struct options *o);
void cmd_usage(FILE *fp);

/* list.c: -l; what it returns is the status to leave with. */
int cmd_list(struct options *o);
/* -v: how stable a program is. */
void cmd_print_program(const struct request *r);
/* The text of a command-line program up to its predicate or body. */
int cmd_desc_length(const char *arg);

/* provide.c: -h and -G.  Before anything is opened: leaves with E_USAGE unless what is
 * asked for can be made. */
void cmd_provide_check(const struct options *o);
__attribute__((noreturn)) void cmd_provide(struct options *o);

/* Anonymous tracing (anon.h).  What all its files are below; "": nothing. */
extern const char *cmd_anon_root;
/* save.c: -A.  Before compiling: standard input is to be read again. */
void cmd_anon_keep_input(const struct options *o);
__attribute__((noreturn)) void cmd_anon_save(const struct options *o);
__attribute__((noreturn)) void cmd_anon_remove(void);
/* hold.c: go on in the background; what is traced then waits, and is ours to print
 * when _hold() returns.  _tell() has who has claimed it leave, if anybody has. */
void cmd_anon_start(void);
void cmd_anon_hold(void);
void cmd_anon_tell(int status);
/* claim.c: -a. */
__attribute__((noreturn)) void cmd_anon_claim(const struct options *o);

#endif
