/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Any text through the assembler; what verifies is printed, assembled again
 * and run.
 */
#include <stdlib.h>
#include <string.h>

#include "difo.h"
#include "difasm/difasm.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char *text = malloc(n + 1);
	struct dif_difo *d = NULL;

	memcpy(text, p, n);
	text[n] = '\0';
	struct err *e = difasm_assemble(text, &d);
	fuzz_must(!e == !!d);
	if (e) {
		fuzz_must(e->code == ERR_FORMAT);
		fuzz_must(!strncmp(e->text, "line ", 5));
	} else {
		difo_check(d, n);
	}
	err_free(e);
	difasm_free(d);
	free(text);
	return 0;
}
