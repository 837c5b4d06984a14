/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A time line: trace events as JSON, which ui.perfetto.dev and other viewers
 * read.  Each thread has a line of its own; an entry and its return are a slice
 * from one to the other, any other firing is a point; what printa() shows of a
 * number is a point of a curve.
 *
 * An entry is kept until its return comes, which goes back to the last one of
 * its function.  Entries above that have lost their returns and become points;
 * so do those that are still open at the end, and the outermost of very many.
 * So slices of a thread always lie within each other, as viewers want it.
 */
#include <stdio.h>
#include <string.h>

#include "fmt/field_priv.h"
#include "fmt/jtext.h"
#include "fmt/shape_priv.h"
#include "util/alloc.h"
#include "util/hash.h"

enum { DEPTH_MAX = 64, THREADS_MAX = 1 << 16, CELL_MAX = 1 << 16 };

struct point {
	const struct consume_probe *probe;	/* strings are of the probes */
	uint64_t timestamp;
	unsigned cpu;
	char *text;			/* owned; what was printed, or NULL */
};

struct thread {
	int pid, tid;
	char comm[16];			/* as it was last told */
	struct point calls[DEPTH_MAX];	/* [depth - 1]: the innermost */
	unsigned depth;
	uint64_t moved;			/* the timestamp of the last call or return */
};

struct perfetto {
	struct fmt_j j, marked;
	struct hash threads;		/* tid -> struct thread */
	struct thread none;		/* of what no thread is known */
	struct sb cell;			/* scratch: of the row that is open */
	bool closed;
};

static struct err *
begin(struct fmt *f)
{
	struct perfetto *s = f->own = util_zalloc(sizeof(*s));

	if (!s)
		return &err_nomem;
	sb_init(&s->cell, CELL_MAX);
	s->j.b = &f->text;
	fmt_j_open(&s->j, true);
	fmt_j_key_str(&s->j, "displayTimeUnit", "ns");
	fmt_j_key(&s->j, "traceEvents");
	fmt_j_open(&s->j, false);
	return NULL;
}

static void
perfetto_free(struct fmt *f)
{
	struct perfetto *s = f->own;
	struct hash_entry *e;

	if (!s)
		return;
	for (size_t i = 0; (e = hash_next(&s->threads, &i)); ) {
		struct thread *t = e->val;
		while (t && t->depth)
			util_free(t->calls[--t->depth].text);
		util_free(t);
	}
	hash_fini(&s->threads);
	sb_fini(&s->cell);
	util_free(s);
}

static void
mark(struct fmt *f)
{
	struct perfetto *s = f->own;

	s->marked = s->j;
}

static void
mend(struct fmt *f)
{
	struct perfetto *s = f->own;

	s->j = s->marked;
}

/* --- Events ------------------------------------------------------------- */

/* Time is told in microseconds. */
static void
put_time(struct fmt_j *j, const char *key, uint64_t ns)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "%llu.%03u",
			 (unsigned long long)(ns / 1000),
			 (unsigned)(ns % 1000));

	fmt_j_key(j, key);
	fmt_j_raw(j, text, (size_t)n);
}

static void
open_event(struct perfetto *s, const char *phase, const struct thread *t,
	   uint64_t timestamp)
{
	struct fmt_j *j = &s->j;

	fmt_j_next(j);
	sb_putc(j->b, '\n');
	j->comma = false;
	fmt_j_open(j, true);
	fmt_j_key_str(j, "ph", phase);
	put_time(j, "ts", timestamp);
	fmt_j_key_int(j, "pid", t->pid);
	fmt_j_key_int(j, "tid", t->tid);
}

static void
put_name(struct fmt_j *j, const struct consume_probe *p, bool slice)
{
	char name[512];
	const char *func = p && p->func ? p->func : "";
	const char *last = p && p->name ? p->name : "";

	snprintf(name, sizeof(name), "%s%s%s", func,
		 *func && !slice ? ":" : "", slice ? "" : last);
	fmt_j_key_str(j, "name", name);
	fmt_j_key_str(j, "cat", p && p->prov ? p->prov : "");
}

static void
put_output(struct fmt_j *j, const char *key, const char *text)
{
	if (text)
		fmt_j_key_str(j, key, text);
}

static void
put_point(struct perfetto *s, const struct thread *t, const struct point *p)
{
	struct fmt_j *j = &s->j;

	open_event(s, "i", t, p->timestamp);
	put_name(j, p->probe, false);
	fmt_j_key_str(j, "s", "t");
	fmt_j_key(j, "args");
	fmt_j_open(j, true);
	fmt_j_key_int(j, "cpu", p->cpu);
	put_output(j, "output", p->text);
	fmt_j_close(j);
	fmt_j_close(j);
}

static void
put_slice(struct perfetto *s, const struct thread *t, const struct point *from,
	  const struct point *to)
{
	struct fmt_j *j = &s->j;

	open_event(s, "X", t, from->timestamp);
	put_time(j, "dur", to->timestamp - from->timestamp);
	put_name(j, from->probe, true);
	fmt_j_key(j, "args");
	fmt_j_open(j, true);
	fmt_j_key_int(j, "cpu", from->cpu);
	put_output(j, "entry", from->text);
	put_output(j, "return", to->text);
	fmt_j_close(j);
	fmt_j_close(j);
}

/* Something that is about no thread. */
static void
put_message(struct perfetto *s, const struct consume_event *e,
	    const char *name, const char *text)
{
	struct fmt_j *j = &s->j;

	open_event(s, "i", &s->none, e->timestamp);
	fmt_j_key_str(j, "name", name);
	fmt_j_key_str(j, "s", "g");
	fmt_j_key(j, "args");
	fmt_j_open(j, true);
	fmt_j_key_int(j, "cpu", e->cpu);
	fmt_j_key_str(j, "message", text);
	fmt_j_close(j);
	fmt_j_close(j);
}

static void
error(struct fmt *f, const struct consume_event *e, int fault,
      const char *text)
{
	put_message(f->own, e, "ERROR", text);
}

static void
drop(struct fmt *f, const struct consume_event *e)
{
	struct sb text;

	sb_init(&text, 4096);
	fmt_drop_text(e, false, &text);
	put_message(f->own, e, "DROP", sb_str(&text));
	f->text.failed |= text.failed;
	sb_fini(&text);
}

/* --- Threads ------------------------------------------------------------ */

static void
put_thread_name(struct perfetto *s, const struct thread *t, const char *what)
{
	struct fmt_j *j = &s->j;

	open_event(s, "M", t, 0);
	fmt_j_key_str(j, "name", what);
	fmt_j_key(j, "args");
	fmt_j_open(j, true);
	fmt_j_member(j, "name", t->comm, strnlen(t->comm, sizeof(t->comm)));
	fmt_j_close(j);
	fmt_j_close(j);
}

/* The thread that fired, which is named when its name is news. */
static struct thread *
get_thread(struct perfetto *s, const struct abi_who *who)
{
	if (!who)
		return &s->none;
	struct thread *t = hash_get(&s->threads, &who->tid, sizeof(who->tid));
	if (!t) {
		if (s->threads.n >= THREADS_MAX)
			return &s->none;
		t = util_zalloc(sizeof(*t));
		if (!t || !hash_put(&s->threads, &who->tid, sizeof(who->tid),
				    t)) {
			util_free(t);
			return NULL;
		}
	}
	t->pid = who->pid;
	t->tid = who->tid;
	if (memcmp(t->comm, who->comm, sizeof(t->comm))) {
		memcpy(t->comm, who->comm, sizeof(t->comm));
		put_thread_name(s, t, "thread_name");
		if (t->pid == t->tid)
			put_thread_name(s, t, "process_name");
	}
	return t;
}

static bool
is(const char *s, const char *name)
{
	return s && name && !strcmp(s, name);
}

/* The innermost call that p returns from, counted from 1; 0: none. */
static unsigned
find_call(const struct thread *t, const struct consume_probe *p)
{
	unsigned i = t->depth;

	while (i && !(is(t->calls[i - 1].probe->prov, p->prov) &&
		      is(t->calls[i - 1].probe->func, p->func)))
		i--;
	return i;
}

static void
end_calls(struct perfetto *s, struct thread *t, unsigned depth)
{
	while (t->depth > depth) {
		struct point *p = &t->calls[--t->depth];
		put_point(s, t, p);
		util_free(p->text);
	}
}

static void
push_call(struct perfetto *s, struct thread *t, struct point p)
{
	if (t->depth == DEPTH_MAX) {
		put_point(s, t, &t->calls[0]);
		util_free(t->calls[0].text);
		memmove(t->calls, t->calls + 1,
			(DEPTH_MAX - 1) * sizeof(*t->calls));
		t->depth--;
	}
	t->calls[t->depth++] = p;
}

/* p.text is taken.  What further clauses say of a call or return that has been
 * seen is a point. */
static void
add_point(struct perfetto *s, struct thread *t, struct point p)
{
	bool moves = t != &s->none && p.probe && p.probe->func &&
		     t->moved != p.timestamp;
	unsigned at = 0;

	if (moves && is(p.probe->name, "entry")) {
		t->moved = p.timestamp;
		push_call(s, t, p);
		return;
	}
	if (moves && is(p.probe->name, "return")) {
		t->moved = p.timestamp;
		at = find_call(t, p.probe);
	}
	if (at) {
		end_calls(s, t, at);
		put_slice(s, t, &t->calls[at - 1], &p);
		util_free(t->calls[--t->depth].text);
	} else {
		put_point(s, t, &p);
	}
	util_free(p.text);
}

/* --- Aggregations --------------------------------------------------------- */

/* A stack's lines, from `at` on, as one: a name of a curve has no more. */
static void
join_lines(struct sb *b, size_t at)
{
	bool failed = b->failed;
	size_t to = at;

	for (size_t i = at; i < b->len; i++) {
		bool blank = b->p[i] == ' ' || b->p[i] == '\n';
		bool begins = to == at || b->p[to - 1] == ';';
		if (b->p[i] == '\n' && !begins)
			b->p[to++] = ';';
		else if (!blank || !begins)
			b->p[to++] = b->p[i];
	}
	sb_cut(b, to > at && b->p[to - 1] == ';' ? to - 1 : to);
	b->failed = failed;
}

static void
put_label(const struct fmt *f, const struct consume_agg *g,
	  const struct consume_elem *e, struct sb *b)
{
	sb_printf(b, "@%s", g->desc->name);
	for (uint32_t i = 0; i < g->desc->nkeys; i++) {
		const struct abi_field *key = &g->desc->keys[i];
		sb_puts(b, i ? ", " : "[");
		size_t at = b->len;
		fmt_field(f, key, e->key, FMT_BARE, b);
		if (key->kind == ABI_FIELD_STACK || key->kind == ABI_FIELD_USTACK)
			join_lines(b, at);
	}
	if (g->desc->nkeys)
		sb_putc(b, ']');
}

/* One point of each curve. */
static struct err *
put_agg(struct fmt *f, struct consume_agg *g, uint64_t now)
{
	struct perfetto *s = f->own;
	struct fmt_j *j = &s->j;
	struct sb label;

	consume_agg_show(g);
	sb_init(&label, CELL_MAX);
	for (size_t i = 0; i < g->n && !consume_is_histogram(g->desc); i++) {
		sb_reset(&label);
		put_label(f, g, &g->elems[i], &label);
		open_event(s, "C", &s->none, now);
		fmt_j_member(j, "name", sb_str(&label), label.len);
		fmt_j_key(j, "args");
		fmt_j_open(j, true);
		fmt_j_key_int(j, "value", consume_agg_value(g, &g->elems[i]));
		fmt_j_close(j);
		fmt_j_close(j);
	}
	f->text.failed |= label.failed;
	sb_fini(&label);
	return fmt_spill(f, &f->text);
}

static struct err *
act(struct fmt *f, const struct fmt_row *r, const struct abi_action *a)
{
	struct perfetto *s = f->own;

	if (a->kind != ABI_ACT_PRINTA)
		return fmt_act_in_cell(f, r, a, &s->cell);
	for (uint32_t i = 0; i < a->naggs; i++) {
		struct consume_agg *g = fmt_action_agg(f, r, a, i);
		if (g)
			TRY(put_agg(f, g, r->e->timestamp));
	}
	return NULL;
}

/* --- Rows --------------------------------------------------------------- */

static void
open_row(struct fmt *f, const struct fmt_row *r)
{
	sb_reset(&((struct perfetto *)f->own)->cell);
}

/* What is only about aggregations has been shown. */
static void
close_row(struct fmt *f, const struct fmt_row *r)
{
	struct perfetto *s = f->own;
	struct point p = { r->e->probe, r->e->timestamp, r->e->cpu, NULL };
	size_t n = s->cell.len;

	if (!n && (f->quiet || r->desc->naggids))
		return;
	while (n && s->cell.p[n - 1] == '\n')
		n--;
	struct thread *t = get_thread(s, r->e->who);
	if (n) {
		s->cell.p[n] = '\0';
		p.text = util_strdup(s->cell.p);
	}
	if (!t || (n && !p.text)) {
		util_free(p.text);
		f->text.failed = true;
		return;
	}
	add_point(s, t, p);
}

static void
perfetto_close(struct fmt *f)
{
	struct perfetto *s = f->own;
	struct hash_entry *e;

	if (s->closed)
		return;
	s->closed = true;
	for (size_t i = 0; (e = hash_next(&s->threads, &i)); )
		if (e->val)
			end_calls(s, e->val, 0);
	sb_putc(&f->text, '\n');
	while (s->j.depth)
		fmt_j_close(&s->j);
	sb_putc(&f->text, '\n');
}

static struct err *
end(struct fmt *f)
{
	for (uint32_t id = 1; id <= f->meta->naggs; id++) {
		struct consume_agg *g = consume_agg(f->c, id);
		if (g && !g->printed)
			TRY(put_agg(f, g, f->now));
	}
	perfetto_close(f);
	return NULL;
}

const struct fmt_shape fmt_shape_perfetto = {
	.one_file = true,
	.begin = begin, .free = perfetto_free, .open_row = open_row, .act = act,
	.close_row = close_row, .error = error, .drop = drop, .end = end,
	.close = perfetto_close, .mark = mark, .mend = mend,
};
