/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Any bytes as a DIFO.  What the verifier accepts every engine must bear.
 */
#include "difo.h"

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct dif_difo d;

	difo_decode(&d, (struct bytes){ p, n });
	difo_check(&d, n);
	difo_fini(&d);
	return 0;
}
