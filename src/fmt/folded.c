/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Aggregations as folded stacks: a line for each element, its frames from the
 * root on with semicolons between them, a blank, and its value.  What other
 * tools make pictures of.
 *
 * A name with a semicolon or a newline in it would be taken apart, so these
 * become ':' and '?'.  Elements that are 0 or less have no width, and no line.
 */
#include "fmt/path.h"
#include "fmt/shape_priv.h"
#include "util/alloc.h"

static void
put_name(const char *p, size_t n, struct sb *b)
{
	for (size_t i = 0; i < n; i++) {
		uint8_t c = (uint8_t)p[i];
		sb_putc(b, c == ';' ? ':' : c < 0x20 || c == 0x7f ? '?' : p[i]);
	}
}

static void
put_line(const struct fmt_path *p, int64_t value, struct sb *b)
{
	for (size_t i = 0; i < p->v.n; i++) {
		if (i)
			sb_putc(b, ';');
		put_name(p->text.p + p->v.v[i].at, p->v.v[i].n, b);
	}
	sb_putc(b, ' ');
	sb_dec(b, value, 0);
	sb_putc(b, '\n');
}

static struct err *
put_elems(struct fmt *f, struct consume_agg *g,
	  struct consume_elem *const *e, size_t n, struct fmt_path *p)
{
	for (size_t i = 0; i < n; i++) {
		int64_t value = fmt_weight(g, e[i]);
		if (value <= 0)
			continue;
		TRY(fmt_path_set(f, g, e[i], p));
		put_line(p, value, &f->text);
		TRY(fmt_spill(f, &f->text));
	}
	return NULL;
}

static struct err *
put_agg(struct fmt *f, struct consume_agg *g)
{
	struct consume_elem **e;
	struct fmt_path p;
	size_t n;

	TRY(consume_agg_sorted(f->c, g, (struct consume_sort){ 0 }, &e, &n));
	fmt_path_init(&p);
	struct err *err = put_elems(f, g, e, n, &p);
	fmt_path_fini(&p);
	util_free(e);
	consume_agg_show(g);
	return err;
}

static struct err *
act(struct fmt *f, const struct fmt_row *r, const struct abi_action *a)
{
	if (a->kind != ABI_ACT_PRINTA)
		return fmt_act(f, r, a);
	for (uint32_t i = 0; i < a->naggs; i++) {
		struct consume_agg *g = fmt_action_agg(f, r, a, i);
		if (g)
			TRY(put_agg(f, g));
	}
	return NULL;
}

static struct err *
end(struct fmt *f)
{
	for (uint32_t id = 1; id <= f->meta->naggs; id++) {
		struct consume_agg *g = consume_agg(f->c, id);
		if (g && !g->printed)
			TRY(put_agg(f, g));
	}
	return NULL;
}

const struct fmt_shape fmt_shape_folded = {
	.one_file = true, .act = act, .end = end,
};
