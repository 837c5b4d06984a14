/* SPDX-License-Identifier: BSD-2-Clause
 *
 * For tests with cmocka: what must not return an error, which is shown else.
 */
#ifndef TESTS_SUPPORT_ASSERTOK_H
#define TESTS_SUPPORT_ASSERTOK_H

#include "util/err.h"

#define assert_ok(expr) do { \
	struct err *e_ = (expr); \
	if (e_) \
		fail_msg("%s: %s", #expr, e_->text); \
} while (0)

#endif
