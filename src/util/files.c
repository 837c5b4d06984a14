/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The limit is usually 1,024 until somebody asks for more, and half a million then.
 * Who may do everything may also go beyond that.
 */
#include <stdbool.h>
#include <sys/resource.h>

#include "base/base.h"
#include "util/files.h"

enum { OTHERS = 512 };		/* descriptors that nobody has counted */

static struct rlimit first;
static bool was_raised;

void
files_reserve(size_t n)
{
	struct rlimit now;
	rlim_t want = n + OTHERS;

	if (getrlimit(RLIMIT_NOFILE, &now) || now.rlim_cur >= want)
		return;
	struct rlimit more = { want, BASE_MAX(now.rlim_max, want) };
	struct rlimit most = { now.rlim_max, now.rlim_max };
	if (setrlimit(RLIMIT_NOFILE, &more) && setrlimit(RLIMIT_NOFILE, &most))
		return;
	if (!was_raised)
		first = now;
	was_raised = true;
}

void
files_restore(void)
{
	if (was_raised)
		setrlimit(RLIMIT_NOFILE, &first);
}
