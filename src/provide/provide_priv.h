/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the files of this folder share.
 */
#ifndef PROVIDE_PROVIDE_PRIV_H
#define PROVIDE_PROVIDE_PRIV_H

#include "provide/provide.h"

extern const char provide_sdt_h[];	/* include/dtrace/sdt.h */

/* The type of the note that is called "dtrace": its contents are D. */
enum { PROVIDE_NOTE_D = 1 };
/* Of its section: SHF_GROUP, and SHF_GNU_RETAIN, which not every elf.h has. */
enum { PROVIDE_NOTE_FLAGS = 0x200 | 0x200000 };

/* The text of the program without comments, blanks that mean nothing, and lines for
 * the preprocessor and for options. */
void provide_text(const struct ast_program *prog, struct sb *b);
/* ERR_INVALID unless all types are such that a probe can have them, and there is
 * nothing that is traced. */
struct err *provide_check(const struct ast_program *prog);

#endif
