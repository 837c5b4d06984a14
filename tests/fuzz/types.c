/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Any bytes as BTF.  The first two say where the base ends and a module's begins;
 * 0: there is no module.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "btftypes/btftypes.h"
#include "fuzz.h"
#include "look.h"

static const char *const names[] = { "all", "u64", "color", "printk", "t", "none" };

static bool
on_name(void *ctx, const char *name)
{
	look_at_type(btftypes_find(ctx, TYPE_TYPEDEF, name));
	return true;
}

static bool
on_enum(void *ctx, const struct type *t, int64_t value)
{
	unsigned *left = ctx;

	look_at_type(t);
	return --*left > 0;
}

static void
ask(struct btftypes *b)
{
	static const enum type_kind kinds[] = {
		TYPE_STRUCT, TYPE_UNION, TYPE_ENUM, TYPE_TYPEDEF, TYPE_FUNC,
	};
	unsigned left = 16;
	uint32_t at;

	for (size_t i = 0; i < BASE_NELEMS(names); i++) {
		for (size_t k = 0; k < BASE_NELEMS(kinds); k++) {
			look_at_type(btftypes_find(b, kinds[k], names[i]));
			btftypes_id(b, kinds[k], names[i]);
		}
		look_at_type(btftypes_variable(b, names[i]));
		btftypes_enumerators(b, names[i], on_enum, &left);
		btftypes_percpu(b, names[i], &at);
	}
	btftypes_typedefs(b, "", on_name, b);
	err_free(btftypes_index(b));
	err_free(btftypes_check(b));
}

/* A copy that is exactly as large. */
static uint8_t *
copy_of(const uint8_t *p, size_t n)
{
	uint8_t *copy = malloc(n ? n : 1);

	fuzz_must(copy);
	if (n)
		memcpy(copy, p, n);
	return copy;
}

static struct btftypes *
made(struct arena *a, const uint8_t *p, size_t n, struct btftypes *base)
{
	struct btftypes *b = NULL;
	struct err *e = btftypes_new(a, p, n, base, base ? "m" : "x", &b);

	fuzz_must(!e == !!b);
	err_free(e);
	if (b)
		ask(b);
	return b;
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct bytes b = { p, n };
	size_t at = bytes_u16(&b);
	bool is_split = at && at < b.n;
	struct arena *a = arena_new();
	uint8_t *own = copy_of(b.p, is_split ? at : b.n);
	uint8_t *module = is_split ? copy_of(b.p + at, b.n - at) : NULL;

	fuzz_must(a);
	struct btftypes *base = made(a, own, is_split ? at : b.n, NULL);
	if (base && is_split)
		btftypes_free(made(a, module, b.n - at, base));
	btftypes_free(base);
	arena_free(a);
	free(own);
	free(module);
	return 0;
}
