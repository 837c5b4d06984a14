/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What tells of static probes: operands of a note, types that a program gives, and
 * definitions of providers, which become headers and objects.  The first byte says
 * which.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "fuzz.h"
#include "prov/usdt_priv.h"
#include "provide/provide_priv.h"
#include "text.h"

static bool
symbol(void *ctx, const char *name, uint64_t *ret)
{
	fuzz_must(strlen(name) > 0);
	*ret = 0x4000;
	return name[0] != 'u';
}

static void
operands(const char *text)
{
	struct abi_layout l = { 0 };
	unsigned n = prov_usdt_args(text, 0x1000, symbol, NULL, &l);

	for (unsigned i = 0; i < n && i < ABI_LAYOUT_NARGS; i++)
		fuzz_must(l.arg[i].kind == ABI_PLACE_NONE || l.arg[i].size == 1 ||
			  l.arg[i].size == 2 || l.arg[i].size == 4 ||
			  l.arg[i].size == 8);
}

static void
definitions(const uint8_t *p, size_t n)
{
	struct text t;
	struct sb b;

	text_init(&t, p, n, 0);
	sb_init(&b, 64 << 20);
	const struct ast_program *prog = lang_parse(&t.env, &t.src);
	fuzz_must(prog);
	provide_text(prog, &b);
	fuzz_must(!b.failed && b.len <= 2 * n + 1);
	sb_fini(&b);
	text_fini(&t);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	if (!n)
		return 0;
	char *text = malloc(n);
	memcpy(text, p + 1, n - 1);
	text[n - 1] = '\0';
	if (p[0] & 1)
		operands(text);
	else
		definitions(p + 1, n - 1);
	free(text);
	return 0;
}
