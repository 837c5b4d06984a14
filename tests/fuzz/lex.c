/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Any bytes through the lexer.
 */
#include "fuzz.h"
#include "text.h"

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct text t;
	struct sb b;

	text_init(&t, p, n, 0);
	sb_init(&b, 64 << 20);
	lang_dump_tokens(&t.env, &t.src, &b);
	fuzz_must(!b.failed);
	text_diags(&t.diags);
	sb_fini(&b);
	text_fini(&t);
	return 0;
}
