/* SPDX-License-Identifier: BSD-2-Clause */
#include "pid_twin.h"

int
pt_other_twin(void)
{
	return pt_twin(2);
}
