/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Options: one table (opt.def) of names, phases, kinds and defaults; one
 * parser for -x, #pragma D option, setopt() and dtrace_setopt().
 */
#ifndef OPT_OPT_H
#define OPT_OPT_H

#include <stdbool.h>
#include <stdint.h>

#include "util/err.h"
#include "util/sb.h"

enum opt_id {
#define OPT(NAME, ...) OPT_##NAME,
#include "opt/opt.def"
#undef OPT
	OPT_N
};

enum opt_phase { OPT_PHASE_C, OPT_PHASE_R, OPT_PHASE_D };

enum opt_policy { OPT_POLICY_RING, OPT_POLICY_FILL, OPT_POLICY_SWITCH };
enum opt_dialect { OPT_DIALECT_A, OPT_DIALECT_C, OPT_DIALECT_S,
		   OPT_DIALECT_T };
enum opt_resize { OPT_RESIZE_AUTO, OPT_RESIZE_MANUAL };
enum opt_evaltime { OPT_EVAL_EXEC, OPT_EVAL_PREINIT, OPT_EVAL_POSTINIT,
		    OPT_EVAL_MAIN };
enum opt_pidreturn { OPT_PIDRETURN_AUTO, OPT_PIDRETURN_RET,
		     OPT_PIDRETURN_URETPROBE };
enum opt_usdtwait { OPT_USDTWAIT_NONE, OPT_USDTWAIT_STOP };
/* Unset: the locale decides. */
enum opt_encoding { OPT_ENCODING_ASCII, OPT_ENCODING_UTF8 };

/* In the order of fmt's table. */
enum opt_oformat { OPT_OFORMAT_TEXT, OPT_OFORMAT_JSON, OPT_OFORMAT_JSONL,
		   OPT_OFORMAT_FOLDED, OPT_OFORMAT_FLAMEGRAPH,
		   OPT_OFORMAT_HTML, OPT_OFORMAT_PERFETTO, OPT_OFORMAT_N };

#define OPT_UNSET (-2)

struct opt_set {
	int64_t v[OPT_N];	/* bytes, ns, number, 0/1, enum; OPT_UNSET.
				 * A RATE is ns between two; 0 stays 0.  STR
				 * and PATH: 1 when set */
	char *s[OPT_N];		/* STR and PATH: owned, or NULL; PATHS: one a
				 * line, in the order given.  SETENV: what
				 * setenv and unsetenv said, in order: NAME or
				 * NAME=VALUE, a NUL behind each, the last one
				 * empty */
	uint8_t from[OPT_N];	/* enum opt_from */
};

/* A later source does not override an earlier, stronger one; an equal one
 * does. */
enum opt_from { OPT_FROM_DEFAULT, OPT_FROM_ENV, OPT_FROM_LIBRARY,
		OPT_FROM_PRAGMA, OPT_FROM_COMMAND, OPT_FROM_SETOPT };

struct err *opt_init(struct opt_set *o);	/* defaults */
void opt_fini(struct opt_set *o);

/*
 * Set option `name` to `value` (NULL: given without a value).  running: only
 * dynamic options may change.  Errors, ERR_INVALID unless said otherwise, with
 * the classic texts: "Invalid option name", "Invalid value for specified
 * option", "Operation illegal when tracing is active" (ERR_STATE),
 * "Option cannot be used from within a D program".  What may do harm is for the
 * program and the command line alone to allow.  ERR_UNSUPPORTED with the
 * reason for options of others that mean nothing here (ignored.def).  Names are
 * exact, words of values in any case.  An unknown name near a known one is
 * answered with "Invalid option name (is "bufsize" meant?)".
 */
struct err *opt_set_value(struct opt_set *o, const char *name,
			  const char *value, enum opt_from from,
			  bool running);
/* "name=value" or "name". */
struct err *opt_set_text(struct opt_set *o, const char *text,
			 enum opt_from from, bool running);
/* Does it say how a trace is shown, so that it is kept with one that is saved? */
bool opt_is_kept(enum opt_id id);
/* Set one of these to the value that it had, unless something stronger than the
 * environment has set it; other names and impossible values are passed over. */
void opt_restore(struct opt_set *o, const char *name, int64_t v);
/* The id of `name`, or OPT_N. */
enum opt_id opt_find(const char *name);
const char *opt_name(enum opt_id id);
/* All of the environment's DTRACE_OPT_NAME=VALUE, the name in any case, an
 * empty value for none; unknown names are an error, and errors name the
 * variable.  told gets a line for each option that means nothing here. */
struct err *opt_set_env(struct opt_set *o, char **env, struct sb *told);

#endif
