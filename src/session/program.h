/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Programs and the probes that they name.
 */
#ifndef SESSION_PROGRAM_H
#define SESSION_PROGRAM_H

#include "lang/diag.h"
#include "probe/probe.h"
#include "session/session.h"

struct session_prog;
struct type;

enum { SESSION_TEXT_MAX = 64 << 20 };	/* bytes of a program */

enum session_flags {
	SESSION_CMDLINE = 1,	/* text from -n and friends */
	SESSION_TYPE = 2,	/* not a program but the name of a type:
				 * session_prog_type() */
};

/*
 * Compile D text.  name: file, or NULL for a command line.  spec: what the
 * description at the start of a command line names last.  args[0] is $0.
 * ERR_COMPILE when the program is wrong: *diags then tells why (borrowed until
 * the next compilation).  ERR_LIMIT: it is longer than SESSION_TEXT_MAX.
 */
struct err *session_compile(struct session *s, const char *name,
			    const char *text, size_t size,
			    enum probe_spec spec, unsigned flags,
			    const char *const *args, unsigned nargs,
			    const struct diag_list **diags,
			    struct session_prog **ret);
/* Probes that the program's descriptions match now. */
unsigned session_prog_matches(const struct session_prog *p);
/* Its statements that record, aggregate, and speculate. */
struct session_prog_counts {
	unsigned records, aggregates, speculates, clauses;
};
struct session_prog_counts session_prog_counts(const struct session_prog *p);
/* The least stable of its descriptions, and of what its clauses use. */
void session_prog_attrs(const struct session_prog *p, struct probe_attr *desc,
			struct probe_attr *stmt);
/* The program's code, as -S shows it. */
struct err *session_prog_print(struct session *s, struct session_prog *p,
			       struct sb *b);
/* The type that a text of SESSION_TYPE names; NULL: it is a program. */
const struct type *session_prog_type(const struct session_prog *p);
/* A type is loaded when its members are asked for, and then has none when memory was
 * short: ERR_NOMEM once it was. */
struct err *session_check_memory(const struct session *s);
/* The type of a symbol of the kernel's or of a module's: a function, or a variable
 * of which it is known.  ERR_NOTFOUND: it is not. */
struct err *session_symbol_type(struct session *s, const char *module,
				const char *name, const struct type **ret);
/* Each description of each clause. */
struct session_stmt {
	uint32_t clause;		/* from 0 on */
	const struct probe_desc *desc;
	bool has_pred;
	struct probe_attr desc_attr, stmt_attr;	/* the clause's */
};
typedef bool session_stmt_fn(void *ctx, const struct session_stmt *st);
void session_prog_stmts(const struct session_prog *p, session_stmt_fn *fn,
			void *ctx);
/* Have it run by the next session_go(). */
struct err *session_enable(struct session *s, struct session_prog *p);

/* For C programs with probes, at the end of b: the header with macros of what all programs
 * so far define, and an object of what one defines, to be linked with n others
 * (provide/provide.h). */
struct err *session_header(struct session *s, const char *name, struct sb *b);
struct err *session_prog_object(const struct session_prog *p, unsigned n,
				char *const *objects, struct sb *b);

/* --- Probes --------------------------------------------------------------- */

typedef bool session_probe_fn(void *ctx, const struct probe *p);
/* Every probe that text matches (NULL: all), in order of id. */
struct err *session_probes(struct session *s, const char *text,
			   enum probe_spec spec, session_probe_fn *fn,
			   void *ctx);
/* Those that the clauses of a program match; a description that matches none
 * is a probe with that name and id 0. */
struct err *session_prog_probes(struct session *s, struct session_prog *p,
				session_probe_fn *fn, void *ctx);

/* What is known of a probe.  nargs: its typed arguments, -1 when unknown. */
struct session_probe {
	struct probe_attr desc, args;
	int nargs;
};
bool session_probe_info(struct session *s, uint32_t id,
			struct session_probe *ret);
/* The type of its args[n] as text, borrowed from the session; NULL: none. */
const char *session_probe_arg(struct session *s, uint32_t id, unsigned n);

#endif
