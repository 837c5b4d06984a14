/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Keys to paths.  A frame is a function, whatever the place in it, or a line of one
 * where lines are asked for; one whose
 * function is not known is its module as a whole, so that what is one place to
 * a person is one frame.  Names that were not asked for are addresses.
 */
#include <assert.h>
#include <string.h>

#include "fmt/field_priv.h"
#include "fmt/path.h"

enum { TEXT_MAX = 1 << 24 };

void
fmt_path_init(struct fmt_path *p)
{
	*p = (struct fmt_path){ .v = { 0 } };
	sb_init(&p->text, TEXT_MAX);
}

void
fmt_path_fini(struct fmt_path *p)
{
	sb_fini(&p->text);
	vec_fini(&p->v);
}

/* The text from `at` on is a frame. */
static bool
push(struct fmt_path *p, size_t at, size_t function, enum fmt_frame_kind kind)
{
	struct fmt_frame frame = { at, p->text.len - at, function, kind };

	assert(at <= p->text.len);
	return vec_push(&p->v, frame);
}

static bool
put_key(const struct fmt *f, const struct abi_field *d, const uint8_t *key,
	struct fmt_path *p)
{
	size_t at = p->text.len;

	fmt_field(f, d, key, FMT_BARE, &p->text);
	return push(p, at, 0, FMT_FRAME_KEY);
}

static bool
put_frame(const struct fmt *f, const struct sym_place *place, bool user,
	  struct fmt_path *p)
{
	size_t at = p->text.len, function = 0;
	struct sym_place whole = *place;

	whole.offset = 0;
	if (place->module && !place->function)
		sb_printf(&p->text, "[%s]", place->module);
	else if (!place->module && f->names && fmt_on(f, OPT_STACKSYMBOLS))
		sb_puts(&p->text, "[unknown]");
	else
		sym_place_print(&whole, &p->text);
	if (place->module && place->function)
		function = strlen(place->module) + strlen("`");
	return push(p, at, function, user ? FMT_FRAME_USER : FMT_FRAME_KERNEL);
}

static void
turn_round(struct fmt_frame *v, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct fmt_frame t = v[i];
		v[i] = v[n - 1 - i];
		v[n - 1 - i] = t;
	}
}

/* The stacks of one kind among the keys. */
static bool
put_stacks(const struct fmt *f, const struct abi_agg_desc *d,
	   const uint8_t *key, uint8_t kind, struct fmt_path *p)
{
	bool user = kind == ABI_FIELD_USTACK;
	struct sym_place place, one;

	for (uint32_t i = 0; i < d->nkeys; i++) {
		size_t first = p->v.n;
		if (d->keys[i].kind != kind)
			continue;
		for (unsigned no = 0; fmt_find_frame(f, &d->keys[i], key, no,
						     &place); no++)
			for (size_t k = 0; sym_place_unfold(&place, k, &one);
			     k++)
				if (!put_frame(f, &one, user, p))
					return false;
		turn_round(p->v.v + first, p->v.n - first);
	}
	return true;
}

static bool
is_stack(const struct abi_field *d)
{
	return d->kind == ABI_FIELD_STACK || d->kind == ABI_FIELD_USTACK;
}

static bool
put_keys(const struct fmt *f, const struct abi_agg_desc *d, const uint8_t *key,
	 struct fmt_path *p)
{
	for (uint32_t i = 0; i < d->nkeys; i++)
		if (!is_stack(&d->keys[i]) && !put_key(f, &d->keys[i], key, p))
			return false;
	return put_stacks(f, d, key, ABI_FIELD_USTACK, p) &&
	       put_stacks(f, d, key, ABI_FIELD_STACK, p);
}

struct err *
fmt_path_set(const struct fmt *f, const struct consume_agg *g,
	     const struct consume_elem *e, struct fmt_path *p)
{
	sb_reset(&p->text);
	p->v.n = 0;
	if (f->meta->naggs > 1 || !g->desc->nkeys) {
		sb_printf(&p->text, "@%s", g->desc->name);
		if (!push(p, 0, 0, FMT_FRAME_KEY))
			return &err_nomem;
	}
	if (!put_keys(f, g->desc, e->key, p) || p->text.failed)
		return &err_nomem;
	return NULL;
}

int64_t
fmt_weight(const struct consume_agg *g, const struct consume_elem *e)
{
	uint64_t sum = 0;

	if (!consume_is_histogram(g->desc))
		return consume_agg_value(g, e);
	for (uint32_t i = 0; i < g->desc->ncells; i++)
		sum += e->cells[i];
	return consume_normalize((int64_t)sum, g->normal);
}
