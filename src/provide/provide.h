/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a program that has probes of its own is built with: made of the provider
 * definitions of a D program that sema has checked.
 *
 * Both carry the program's own text, in a note of the section .note.dtrace
 * (doc/internals/notes.md): what the types and translators of the arguments are, and
 * how stable, is told there, to whoever reads it from the program.
 */
#ifndef PROVIDE_PROVIDE_H
#define PROVIDE_PROVIDE_H

#include "lang/program.h"
#include "util/err.h"
#include "util/sb.h"

/* Arguments of one probe: registers and stack have room for so many. */
enum { PROVIDE_NARGS = 12 };

/* The first provider of a program, by which its note is called; NULL: it has none. */
const char *provide_first(const struct ast_program *prog);

/* A C header, at the end of b: what all have in common, and then, of each program, the
 * macros of its probes.  ERR_INVALID: an argument is of a type that probes do not
 * have, or the program traces. */
void provide_header_begin(const char *name, struct sb *b);
struct err *provide_header(const struct ast_program *prog, struct sb *b);
/*
 * An ELF object for the machine of the n objects, or for this one, at the end of b.
 * Nothing in them has to be changed; that they are objects is checked.
 */
struct err *provide_object(const struct ast_program *prog, unsigned n,
			   char *const *objects, struct sb *b);

#endif
