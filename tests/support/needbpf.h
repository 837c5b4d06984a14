/* SPDX-License-Identifier: BSD-2-Clause
 *
 * For cmocka tests that load BPF programs: without the right to, skip and say why.
 */
#ifndef SUPPORT_NEEDBPF_H
#define SUPPORT_NEEDBPF_H

#include "kern/kern.h"
#include "support/loads.h"
#include "util/err.h"

/* Skip the test that calls this unless this process may load programs. */
static inline void
need_bpf(void)
{
	struct err *e = kern_may_trace();

	if (e && kernel_loads())
		fail_msg("the kernel loads programs: %s", e->text);
	if (e) {
		print_message("# skipped: %s\n", e->text);
		err_free(e);
		skip();
	}
}

#endif
