/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A flame graph: every path to what was aggregated, merged from the root on.  A
 * frame is as wide as what was aggregated under it, and stands on its caller.
 *
 * A frame is labelled with its function; which module that is of, the title says
 * that is seen under the pointer.
 *
 * The picture is SVG inside an HTML page, whole without the script, which adds
 * zooming and searching.  Places are percentages, so that it takes the width
 * that there is; names are cut for a width that is usual, and again by the
 * script for the one that is there.
 *
 * Only what can be added up has a place in it: counts, sums, and the numbers of
 * values in histograms.  What printa() has shown before clear() or trunc() takes
 * it away is kept, so a program that prints and clears every second has all of
 * its seconds in the picture.
 *
 * A browser copes with some ten thousand frames; of more, the narrowest are left
 * out, and the page says how many.
 */
#include <stdlib.h>
#include <string.h>

#include "fmt/field_priv.h"
#include "fmt/page.h"
#include "fmt/path.h"
#include "fmt/shape_priv.h"
#include "fmt/web.h"
#include "util/alloc.h"
#include "util/arena.h"
#include "util/hash.h"

struct node {
	const char *name;		/* in the arena */
	size_t n;
	size_t function;		/* where in name its function begins */
	uint64_t total;			/* below it and its own */
	struct node *child, *next;	/* children in order of name, at last */
	uint32_t depth;			/* of the root: 0 */
	uint8_t kind;			/* enum fmt_frame_kind */
};

struct flame {
	struct arena *a;
	struct hash children;		/* {parent, kind, name} -> node */
	struct sb key;			/* scratch */
	struct fmt_path path;		/* scratch */
	struct node root;
	size_t nnodes;
	uint32_t depth;			/* of the deepest */
	bool sums;			/* of sum(): the numbers are no samples */
	bool closed;			/* the page has been begun */
};

enum { FRAMES_MAX = 20000, ROW = 18, WIDTH = 1200, CHAR = 7, KEY_MAX = 1 << 24 };

static struct err *
begin(struct fmt *f)
{
	struct flame *s = f->own = util_zalloc(sizeof(*s));

	if (!s)
		return &err_nomem;
	sb_init(&s->key, KEY_MAX);
	fmt_path_init(&s->path);
	s->a = arena_new();
	return s->a ? NULL : &err_nomem;
}

static void
flame_free(struct fmt *f)
{
	struct flame *s = f->own;

	if (!s)
		return;
	hash_fini(&s->children);
	sb_fini(&s->key);
	fmt_path_fini(&s->path);
	arena_free(s->a);
	util_free(s);
}

/* --- Gathering ---------------------------------------------------------- */

static struct node *
child(struct flame *s, struct node *parent, const struct fmt_frame *frame)
{
	const char *name = s->path.text.p + frame->at;

	sb_reset(&s->key);
	sb_putn(&s->key, &parent, sizeof(parent));
	sb_putc(&s->key, (char)frame->kind);
	sb_putn(&s->key, name, frame->n);
	void **at = s->key.failed ? NULL :
		    hash_ref(&s->children, s->key.p, s->key.len);
	if (!at || *at)
		return at ? *at : NULL;
	struct node *node = ARENA_NEW(s->a, struct node);
	if (!node)
		return NULL;
	node->name = arena_strndup(s->a, name, frame->n);
	node->n = frame->n;
	node->function = frame->function;
	node->kind = frame->kind;
	node->depth = parent->depth + 1;
	node->next = parent->child;
	s->depth = BASE_MAX(s->depth, node->depth);
	s->nnodes++;
	*at = parent->child = node;
	return node->name ? node : NULL;
}

/* No frame is lighter than what stands on it. */
static void
weigh(struct node *node, uint64_t more)
{
	if (__builtin_add_overflow(node->total, more, &node->total))
		node->total = UINT64_MAX;
}

static struct err *
add(struct fmt *f, const struct consume_agg *g, const struct consume_elem *e)
{
	struct flame *s = f->own;
	struct node *node = &s->root;
	int64_t weight = fmt_weight(g, e);

	if (weight <= 0)
		return NULL;
	TRY(fmt_path_set(f, g, e, &s->path));
	s->sums |= g->desc->func == ABI_AGG_SUM;
	weigh(node, (uint64_t)weight);
	for (size_t i = 0; i < s->path.v.n; i++) {
		node = child(s, node, &s->path.v.v[i]);
		if (!node)
			return &err_nomem;
		weigh(node, (uint64_t)weight);
	}
	return NULL;
}

static bool
adds_up(const struct abi_agg_desc *d)
{
	return d->func == ABI_AGG_COUNT || d->func == ABI_AGG_SUM ||
	       consume_is_histogram(d);
}

static struct err *
add_all(struct fmt *f, const struct consume_agg *g)
{
	for (size_t i = 0; i < g->n && adds_up(g->desc); i++)
		TRY(add(f, g, &g->elems[i]));
	return NULL;
}

static struct err *
empty(struct fmt *f, struct consume_agg *g)
{
	return g->shown ? add_all(f, g) : NULL;
}

static struct err *
act(struct fmt *f, const struct fmt_row *r, const struct abi_action *a)
{
	if (a->kind != ABI_ACT_PRINTA)
		return fmt_act(f, r, a);
	for (uint32_t i = 0; i < a->naggs; i++) {
		struct consume_agg *g = fmt_action_agg(f, r, a, i);
		if (g)
			consume_agg_show(g);
	}
	return NULL;
}

/* --- Drawing ------------------------------------------------------------ */

struct drawing {
	const struct flame *s;
	struct sb *b;
	uint64_t least;		/* frames of less are left out */
	size_t left_out;
};

static int
by_name(const void *a, const void *b)
{
	const struct node *x = *(struct node *const *)a;
	const struct node *y = *(struct node *const *)b;
	int order = strcmp(x->name, y->name);

	return order ? order : (int)x->kind - (int)y->kind;
}

/* Put children in order, of which there are n; false: no memory. */
static bool
sort_children(struct node *parent, size_t n)
{
	struct node **v = util_alloc(n * sizeof(*v)), *c = parent->child;

	if (!v)
		return false;
	for (size_t i = 0; i < n; i++, c = c->next)
		v[i] = c;
	qsort(v, n, sizeof(*v), by_name);
	parent->child = v[0];
	for (size_t i = 0; i < n; i++)
		v[i]->next = i + 1 < n ? v[i + 1] : NULL;
	util_free(v);
	return true;
}

/* Paths are as long as a key may be, so the recursion ends soon enough. */
static bool
sort(struct node *node)
{
	size_t n = 0;

	for (const struct node *c = node->child; c; c = c->next)
		n++;
	if (n > 1 && !sort_children(node, n))
		return false;
	for (struct node *c = node->child; c; c = c->next)
		if (!sort(c))
			return false;
	return true;
}

static int
by_total(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? 1 : x > y ? -1 : 0;
}

/* So much that no more than FRAMES_MAX frames have more; 0: all may stay. */
static struct err *
find_least(struct flame *s, uint64_t *ret)
{
	struct hash_entry *e;
	size_t n = 0;

	*ret = 0;
	if (s->nnodes <= FRAMES_MAX)
		return NULL;
	uint64_t *totals = util_alloc(s->nnodes * sizeof(*totals));
	if (!totals)
		return &err_nomem;
	for (size_t i = 0; (e = hash_next(&s->children, &i)); )
		totals[n++] = ((struct node *)e->val)->total;
	qsort(totals, n, sizeof(*totals), by_total);
	*ret = totals[FRAMES_MAX] + 1;
	util_free(totals);
	return NULL;
}

/* Kernel: orange; user: yellow-green; other keys: blue.  A little of each by
 * name, so that neighbours can be told apart and a name keeps its colour. */
static void
put_colour(const struct node *node, struct sb *b)
{
	static const unsigned hue[] = { 208, 62, 20 }, spread[] = { 14, 26, 22 };
	uint32_t sum = hash_bytes(node->name, node->n);

	sb_printf(b, "hsl(%u %u%% %u%%)",
		  hue[node->kind] + sum % spread[node->kind],
		  62 + (sum >> 8) % 20, 66 + (sum >> 16) % 10);
}

/* max: characters. */
static void
put_label(const struct node *node, size_t max, struct sb *b)
{
	fmt_page_text(b, node->name + node->function,
		      node->n - node->function, max);
}

static void
put_frame(const struct drawing *w, const struct node *node, double x)
{
	double all = (double)w->s->root.total, wide = (double)node->total / all;
	unsigned y = (w->s->depth - node->depth) * ROW;
	size_t chars = (size_t)(wide * WIDTH / CHAR);
	struct sb *b = w->b;

	sb_printf(b, "<g data-x=\"%.9g\" data-w=\"%.9g\" data-d=\"%u\"",
		  x, wide, node->depth);
	if (node->function) {
		sb_puts(b, " data-f=\"");
		put_label(node, SIZE_MAX, b);
		sb_putc(b, '"');
	}
	sb_puts(b, "><title>");
	if (node->depth)
		fmt_page_text(b, node->name, node->n, SIZE_MAX);
	else
		sb_puts(b, "all");
	sb_puts(b, " \xe2\x80\x94 ");
	fmt_page_number(b, (int64_t)BASE_MIN(node->total, (uint64_t)INT64_MAX));
	sb_printf(b, ", %.2f%%</title><rect x=\"%.4f%%\" y=\"%u\" "
		  "width=\"%.4f%%\" height=\"%u\" fill=\"", 100 * wide, 100 * x,
		  y, 100 * wide, ROW - 1);
	if (node->depth)
		put_colour(node, b);
	else
		sb_puts(b, "#b8b8c0");
	sb_printf(b, "\"/><text x=\"%.4f%%\" dx=\"3\" y=\"%u\">", 100 * x,
		  y + ROW - 5);
	if (!node->depth)
		sb_puts(b, "all");
	else if (chars > 2)
		put_label(node, chars - 1, b);
	sb_puts(b, "</text></g>\n");
}

static struct err *
draw(struct fmt *f, struct drawing *w, const struct node *node, uint64_t at)
{
	if (node->total < w->least) {
		w->left_out++;
		return NULL;
	}
	put_frame(w, node, (double)at / (double)w->s->root.total);
	TRY(fmt_spill(f, w->b));
	for (const struct node *c = node->child; c; c = c->next) {
		TRY(draw(f, w, c, at));
		at += c->total;
	}
	return NULL;
}

/* --- The page ----------------------------------------------------------- */

/* How much there is, of what, and of which time. */
static void
put_facts(const struct fmt *f, const struct flame *s, struct sb *b)
{
	sb_puts(b, "<p class=\"dim\">");
	fmt_page_number(b, (int64_t)BASE_MIN(s->root.total,
					     (uint64_t)INT64_MAX));
	sb_puts(b, s->sums ? " in all" :
		   s->root.total == 1 ? " sample" : " samples");
	if (f->begun) {
		sb_printf(b, ", %.1f s from ",
			  (double)(f->now - f->begun) / 1e9);
		fmt_time((int64_t)f->begun + f->wall_delta, b);
	}
	sb_puts(b, "</p>\n");
}

static struct err *
put_picture(struct fmt *f, struct drawing *w)
{
	put_facts(f, w->s, w->b);
	sb_puts(w->b, fmt_flame_html);
	sb_printf(w->b, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
		  "height=\"%u\" role=\"img\">\n", (w->s->depth + 1) * ROW);
	TRY(draw(f, w, &w->s->root, 0));
	sb_puts(w->b, "</svg>\n");
	if (w->left_out)
		sb_printf(w->b, "<p class=\"dim\">%zu frames and what is above "
			  "them are too narrow to be shown.</p>\n",
			  w->left_out);
	sb_puts(w->b, "<script>\n");
	sb_puts(w->b, fmt_flame_js);
	sb_puts(w->b, "</script>\n");
	return NULL;
}

static struct err *
end(struct fmt *f)
{
	struct flame *s = f->own;
	struct drawing w = { .s = s, .b = &f->text };

	for (uint32_t id = 1; id <= f->meta->naggs; id++) {
		struct consume_agg *g = consume_agg(f->c, id);
		if (g)
			TRY(add_all(f, g));
	}
	TRY(find_least(s, &w.least));
	if (!sort(&s->root))
		return &err_nomem;
	s->closed = true;
	fmt_page_open(w.b, "Flame graph", f->program, fmt_flame_css, "");
	if (s->root.total)
		TRY(put_picture(f, &w));
	else
		sb_puts(w.b, "<p class=\"empty\">Nothing was aggregated that "
			"adds up: count(), sum(), or a histogram.</p>\n");
	fmt_page_close(w.b);
	return NULL;
}

/* After an error: of what there is. */
static void
flame_close(struct fmt *f)
{
	if (!((struct flame *)f->own)->closed)
		err_free(end(f));
}

const struct fmt_shape fmt_shape_flamegraph = {
	.one_file = true,
	.begin = begin, .free = flame_free, .act = act, .empty = empty,
	.end = end, .close = flame_close,
};
