/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A DIFO as text, both ways.  One statement a line, `!` starts a comment:
 *
 *	.ret string (unknown) by ref (size 256)
 *	.int 0x10			! the integer table, in order
 *	.str ""				! the string table, in order
 *	.str "x"
 *	.var "x" 1280 scl glb r/w D type (integer) (size 4)
 *	.line 7				! source line of what follows
 *		setx DT_INTEGER[0], %r1
 *		tst  %r1
 *		be   L4
 *		stgs %r1, DT_VAR(1280)
 *	L4:
 *		ldgs DT_VAR(280), %r2
 *		ret  %r2
 *
 * Instructions are written as -S prints them.  For those who write by hand,
 * `setx 16, %r1` and `sets "a", %r1` add to the tables what is not in them,
 * variables and subroutines may be called by their names, and an empty first
 * string is supplied.  `.word n` is any word.  A missing .ret means
 * `D type (integer) (size 8)`.
 */
#ifndef DIFASM_DIFASM_H
#define DIFASM_DIFASM_H

#include "dif/dif.h"
#include "util/err.h"
#include "util/sb.h"

/*
 * On success *ret is the caller's, to be given to difasm_free(); it is well
 * formed but not verified.  Else ERR_FORMAT, whose text begins "line N: ".
 */
struct err *difasm_assemble(const char *text, struct dif_difo **ret);
void difasm_free(struct dif_difo *d);		/* NULL is fine */

/* Append d, which dif_verify() accepts, to b.  Assembling the text gives the
 * same words, tables, types and lines. */
void difasm_disassemble(const struct dif_difo *d, struct sb *b);

#endif
