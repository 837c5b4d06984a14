/* SPDX-License-Identifier: BSD-2-Clause
 *
 * All diagnostics, with tags and the source they point at, as a user who asked
 * for tags would see them.
 */
#ifndef SUPPORT_PUTDIAGS_H
#define SUPPORT_PUTDIAGS_H

#include "lang/diag.h"

static inline void
put_diags(const struct diag_list *l, struct sb *b)
{
	for (const struct diag *d = l->first; d; d = d->next) {
		diag_print_line(d, true, b);
		sb_putc(b, '\n');
		diag_print_source(d, b);
	}
}

#endif
