/* SPDX-License-Identifier: BSD-2-Clause */
#include "fuzz.h"
#include "look.h"
#include "type/convert.h"
#include "type/text.h"

enum { DEPTH = 4, MEMBERS = 64 };

static void look(const struct type *t, int depth);

static void
look_at_members(const struct type_member *m, uint32_t n, int depth)
{
	for (uint32_t i = 0; i < n && i < MEMBERS; i++)
		look(m[i].type, depth + 1);
}

static void
look(const struct type *t, int depth)
{
	const struct type_member *m;
	uint32_t n;

	if (!t || depth > DEPTH)
		return;
	type_size(t);
	type_align(t);
	type_is_complete(t);
	type_equal(t, t->base);
	type_ptr_compat(t, t);
	m = type_members(t, &n);
	look_at_members(m, n, depth);
	m = type_params(t, &n);
	look_at_members(m, n, depth);
	type_enums(t, &n);
	look(t->base, depth + 1);
}

void
look_at_type(const struct type *t)
{
	struct sb b;

	if (!t)
		return;
	sb_init(&b, 1 << 16);
	type_print(t, "x", &b);
	sb_fini(&b);
	look(t, 0);
}
