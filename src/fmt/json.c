/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Events as JSON: doc/spec/json.md says what each looks like.  One document
 * (json), or a line for each event (jsonl).
 *
 * Output ends well-formed however the tracing ends.  Each event is whole before
 * it is written, but for long ones, which are written in pieces; what is open
 * at a mark is noted with it, so that a record that fails behind it can be
 * closed (mend).
 *
 * An action that fails in the consumer is told while the event of its record is
 * still open; what is said of it waits in `late` until that is closed.
 *
 * What does not change from one event of an EPID to the next, which is most of
 * its text, is made once.
 */
#include <string.h>

#include "abi/quant.h"
#include "fmt/agg_priv.h"
#include "fmt/field_priv.h"
#include "fmt/jtext.h"
#include "fmt/jvalue.h"
#include "fmt/shape_priv.h"
#include "util/alloc.h"
#include "util/vec.h"

struct prefix {
	char *text;		/* owned; NULL: not made yet */
	size_t n;
};

struct json {
	struct fmt_j j, marked;
	bool lines;
	unsigned base;			/* depth between two events */
	VEC(struct prefix) prefixes;	/* by EPID */
	struct sb prefix;		/* scratch */
	struct sb late;			/* events behind the one that is open */
	struct sb message;		/* scratch: of formats */
	/* Of the open row: where it begins and what was open there; whether it
	 * has shown anything. */
	size_t row;
	struct fmt_j before;
	size_t shown;
};

enum { LATE_MAX = 1 << 24, PREFIX_MAX = 1 << 16, MESSAGE_MAX = 1 << 28,
       EPIDS_MAX = 1 << 20 };

/* --- Documents ---------------------------------------------------------- */

static struct err *
new(struct fmt *f, bool lines)
{
	struct json *s = f->own = util_zalloc(sizeof(*s));

	if (!s)
		return &err_nomem;
	s->j.b = &f->text;
	s->lines = lines;
	sb_init(&s->prefix, PREFIX_MAX);
	sb_init(&s->late, LATE_MAX);
	sb_init(&s->message, MESSAGE_MAX);
	return NULL;
}

static struct err *
begin_lines(struct fmt *f)
{
	return new(f, true);
}

static struct err *
begin(struct fmt *f)
{
	TRY(new(f, false));

	struct fmt_j *j = &((struct json *)f->own)->j;
	fmt_j_open(j, true);
	fmt_j_key(j, "dtrace");
	fmt_j_open(j, true);
	fmt_j_key_int(j, "format", 1);
	fmt_j_key(j, "probes");
	fmt_j_open(j, false);
	((struct json *)f->own)->base = j->depth;
	return NULL;
}

static void
json_free(struct fmt *f)
{
	struct json *s = f->own;

	if (!s)
		return;
	for (size_t i = 0; i < s->prefixes.n; i++)
		util_free(s->prefixes.v[i].text);
	vec_fini(&s->prefixes);
	sb_fini(&s->prefix);
	sb_fini(&s->late);
	sb_fini(&s->message);
	util_free(s);
}

static void
mark(struct fmt *f)
{
	struct json *s = f->own;

	s->marked = s->j;
	s->row = 0;
	s->shown += f->text.len == 0;	/* it cannot be taken back any more */
}

/* Events are set apart by newlines. */
static void
open_event(struct json *s, struct fmt_j *j)
{
	if (!s->lines) {
		fmt_j_next(j);
		sb_putc(j->b, '\n');
	}
	j->comma = false;
	fmt_j_open(j, true);
}

static void
close_event(struct json *s, struct fmt_j *j)
{
	fmt_j_close(j);
	if (s->lines) {
		sb_putc(j->b, '\n');
		j->comma = false;
	}
}

static void
mend(struct fmt *f)
{
	struct json *s = f->own;

	s->j = s->marked;
	while (s->j.depth > s->base + 1)
		fmt_j_close(&s->j);
	if (s->j.depth > s->base)
		close_event(s, &s->j);
	sb_reset(&s->late);
}

static void
json_close(struct fmt *f)
{
	struct json *s = f->own;

	if (s->j.depth && s->j.depth == s->base)
		sb_putc(&f->text, '\n');
	while (s->j.depth)
		fmt_j_close(&s->j);
	if (s->base)
		sb_putc(&f->text, '\n');
	s->base = 0;
}

/* --- The head of an event ------------------------------------------------ */

static void
put_name(struct fmt_j *j, int64_t id, const char *const part[4])
{
	static const char *const keys[] = { "provider", "module", "function",
					    "name" };

	fmt_j_key_int(j, "id", id);
	for (int i = 0; i < 4; i++)
		fmt_j_key_str(j, keys[i], part[i] ? part[i] : "");
}

static void
put_probe(struct fmt_j *j, const struct consume_probe *p, uint32_t id)
{
	static const struct consume_probe none;

	if (!p)
		p = &none;
	put_name(j, p->id ? p->id : id,
		 (const char *const[]){ p->prov, p->mod, p->func, p->name });
}

/* The members that are the same for all events of an EPID; false: no memory to
 * keep them. */
static bool
make_prefix(struct json *s, const struct consume_event *e, struct prefix *ret)
{
	struct fmt_j j = { .b = &s->prefix };

	sb_reset(&s->prefix);
	put_probe(&j, e->probe, e->epid->probe);
	if (s->prefix.failed)
		return false;
	ret->text = util_alloc(s->prefix.len);
	if (!ret->text)
		return false;
	memcpy(ret->text, s->prefix.p, s->prefix.len);
	ret->n = s->prefix.len;
	return true;
}

static const struct prefix *
get_prefix(struct json *s, const struct consume_event *e)
{
	uint32_t epid = e->epid_no;

	if (epid >= EPIDS_MAX)
		return NULL;
	if (epid >= s->prefixes.n) {
		size_t more = epid + 1 - s->prefixes.n;
		if (!vec_reserve(&s->prefixes, more))
			return NULL;
		memset(s->prefixes.v + s->prefixes.n, 0,
		       more * sizeof(*s->prefixes.v));
		s->prefixes.n = epid + 1;
	}
	struct prefix *p = &s->prefixes.v[epid];
	return p->text || make_prefix(s, e, p) ? p : NULL;
}

static void
put_times(const struct fmt *f, struct fmt_j *j, uint64_t timestamp)
{
	fmt_j_key(j, "timestamp");
	fmt_j_uint(j, timestamp);
	fmt_j_key_int(j, "walltimestamp",
		      (int64_t)timestamp + f->wall_delta);
}

static void
put_who(struct fmt_j *j, const struct abi_who *who)
{
	if (!who)
		return;
	fmt_j_key_int(j, "pid", who->pid);
	fmt_j_key_int(j, "tid", who->tid);
	fmt_j_member(j, "execname", who->comm,
		     strnlen(who->comm, sizeof(who->comm)));
}

/* An event that is no firing: FreeBSD's way to say so is a CPU and id of -1. */
static void
open_pseudo(struct fmt *f, struct fmt_j *j, uint64_t timestamp,
	    const char *name)
{
	open_event(f->own, j);
	put_times(f, j, timestamp);
	fmt_j_key_int(j, "cpu", -1);
	put_name(j, -1, (const char *const[]){ "dtrace", "INTERNAL",
					       "INTERNAL", name });
}

/* --- Aggregations ------------------------------------------------------- */

static void
put_key_names(struct fmt_j *j, const struct abi_agg_desc *d)
{
	if (!d->nkeys || !d->key_names)
		return;
	fmt_j_key(j, "aggregation-keys");
	fmt_j_open(j, false);
	for (uint32_t i = 0; i < d->nkeys; i++) {
		const char *name = d->key_names[i] ? d->key_names[i] : "";
		fmt_j_text(j, name, strlen(name));
	}
	fmt_j_close(j);
}

/* One element of output[], in pieces. */
static struct err *
put_agg(struct fmt *f, struct fmt_j *j, struct consume_agg *g)
{
	struct consume_elem **v;
	struct err *err = NULL;
	size_t n;

	TRY(consume_agg_sorted(f->c, g, fmt_sort(f), &v, &n));
	fmt_j_open(j, true);
	fmt_j_key(j, "aggregation-data");
	fmt_j_open(j, false);
	for (size_t i = 0; i < n && !err; i++) {
		fmt_j_element(f, j, g, v[i]);
		err = fmt_spill(f, &f->text);
	}
	util_free(v);
	if (err)
		return err;
	fmt_j_close(j);
	fmt_j_key_str(j, "aggregation-name", g->desc->name);
	fmt_j_key_str(j, "aggregation-function", abi_agg_name(g->desc->func));
	put_key_names(j, g->desc);
	if (g->normal != 0 && g->normal != 1)
		fmt_j_key_int(j, "normalization", g->normal);
	fmt_j_close(j);
	return NULL;
}

/* {"message":...}, of what is in the scratch buffer; args: how many elements
 * behind it belong to it, -1: not told. */
static void
put_text(struct json *s, const char *key, int64_t args)
{
	struct fmt_j *j = &s->j;

	fmt_j_open(j, true);
	fmt_j_member(j, key, sb_str(&s->message), s->message.len);
	if (args >= 0)
		fmt_j_key_int(j, "args", args);
	fmt_j_close(j);
	j->b->failed |= s->message.failed;
}

static struct err *
put_aggs(struct fmt *f, struct consume_agg *const *g, unsigned n,
	 const char *format)
{
	struct json *s = f->own;

	if (format) {
		sb_reset(&s->message);
		TRY(fmt_printa(f, g, n, format, &s->message));
		put_text(s, "message", n);
	}
	for (unsigned i = 0; i < n; i++) {
		consume_agg_show(g[i]);
		TRY(put_agg(f, &s->j, g[i]));
	}
	return NULL;
}

static struct err *
print_aggs(struct fmt *f, const struct fmt_row *r, const struct abi_action *a)
{
	struct consume_agg **g;
	unsigned n;

	TRY(fmt_action_aggs(f, r, a, &g, &n));
	struct err *err = n ? put_aggs(f, g, n, a->format) : NULL;
	util_free(g);
	return err;
}

/* --- Actions ------------------------------------------------------------ */

static void
trace(struct fmt *f, const struct fmt_row *r, const struct abi_action *a)
{
	struct json *s = f->own;

	for (uint32_t i = 0; i < a->nfields; i++)
		fmt_j_value(f, &s->j, &r->desc->fields[a->field + i], r->base);
}

/* An object with one string, which is made of the action's format. */
static void
put_message(struct fmt *f, const struct fmt_row *r, const struct abi_action *a,
	    const char *key, int64_t args)
{
	struct json *s = f->own;

	sb_reset(&s->message);
	fmt_action(f, r, a, &s->message);
	put_text(s, key, args);
}

static void
dump(struct fmt *f, const struct fmt_row *r, const struct abi_action *a)
{
	struct fmt_j *j = &((struct json *)f->own)->j;
	struct base_span s = fmt_memory(r, a);

	fmt_j_open(j, true);
	fmt_j_key(j, a->kind == ABI_ACT_PRINTM ? "printm" : "tracemem");
	fmt_j_hex(j, s.p, s.n);
	fmt_j_close(j);
}

static void
put_exit(struct fmt *f, const struct fmt_row *r, const struct abi_action *a)
{
	struct fmt_j *j = &((struct json *)f->own)->j;

	fmt_j_open(j, true);
	fmt_j_key_int(j, "exit", fmt_argument(r, a, 0));
	fmt_j_close(j);
}

static struct err *
show(struct fmt *f, const struct fmt_row *r, const struct abi_action *a)
{
	if (a->kind == ABI_ACT_PRINTA)
		return print_aggs(f, r, a);
	switch (abi_action_class(a->kind)) {
	case ABI_DOES_VALUES: trace(f, r, a); break;
	case ABI_DOES_MEMORY: dump(f, r, a); break;
	case ABI_DOES_FORMAT:
		put_message(f, r, a, "message", a->nfields);
		trace(f, r, a);
		break;
	case ABI_DOES_TYPED:
		fmt_j_print(f, a, r->desc->fields, r->base,
			    &((struct json *)f->own)->j);
		break;
	case ABI_DOES_EXIT: put_exit(f, r, a); break;
	default:
		if (a->kind == ABI_ACT_SYSTEM)
			put_message(f, r, a, "system", -1);
		return fmt_act(f, r, a);
	}
	return NULL;
}

static struct err *
act(struct fmt *f, const struct fmt_row *r, const struct abi_action *a)
{
	struct json *s = f->own;
	size_t before = f->text.len;

	TRY(show(f, r, a));
	s->shown += f->text.len != before;
	return NULL;
}

/* --- Events ------------------------------------------------------------- */

static void
open_row(struct fmt *f, const struct fmt_row *r)
{
	const struct consume_event *e = r->e;
	struct json *s = f->own;
	struct fmt_j *j = &s->j;
	const struct prefix *p = get_prefix(s, e);

	s->row = f->text.len;
	s->before = *j;
	s->shown = 0;
	open_event(s, j);
	put_times(f, j, e->timestamp);
	fmt_j_key_int(j, "cpu", e->cpu);
	if (p)
		fmt_j_raw(j, p->text, p->n);
	else
		put_probe(j, e->probe, e->epid->probe);
	put_who(j, e->who);
	fmt_j_key(j, "output");
	fmt_j_open(j, false);
}

/* Quiet leaves out what has nothing to show. */
static void
close_row(struct fmt *f, const struct fmt_row *r)
{
	struct json *s = f->own;

	if (f->quiet && !s->shown && !f->text.failed) {
		sb_cut(&f->text, s->row);
		s->j = s->before;
	} else {
		fmt_j_close(&s->j);
		close_event(s, &s->j);
	}
	/* What was shown before the action has been written, so it is there. */
	sb_putn(&f->text, sb_str(&s->late), s->late.len);
	f->text.failed |= s->late.failed;
	sb_reset(&s->late);
}

static void
put_error(struct fmt *f, struct fmt_j *j, const struct consume_event *e,
	  int fault, const char *text)
{
	open_pseudo(f, j, e->timestamp, "ERROR");
	put_who(j, e->who);
	fmt_j_key_int(j, "on-cpu", e->cpu);
	fmt_j_key_int(j, "epid", e->epid_no);
	fmt_j_key(j, "probe");
	fmt_j_open(j, true);
	put_probe(j, e->probe, e->epid ? e->epid->probe : 0);
	fmt_j_close(j);
	fmt_j_key_int(j, "fault", fault);
	fmt_j_key_str(j, "fault-name", fmt_fault_name(fault));
	fmt_j_key(j, "count");
	fmt_j_uint(j, e->count ? e->count : 1);
	if (e->error) {
		fmt_j_key_int(j, "action", e->error->action);
		fmt_j_key_int(j, "offset", e->error->dif_offset);
		if (!e->count) {
			fmt_j_key(j, "address");
			fmt_j_uint(j, e->error->value);
		}
		if (e->error->place)
			fmt_j_key_int(j, "line",
				      abi_place_line(e->error->place));
		if (e->file)
			fmt_j_key_str(j, "file", e->file);
	}
	fmt_j_key_str(j, "msg", text);
	close_event(f->own, j);
}

static void
error(struct fmt *f, const struct consume_event *e, int fault,
      const char *text)
{
	struct json *s = f->own;
	struct fmt_j late = { .b = &s->late, .comma = !s->lines };

	put_error(f, f->in_row ? &late : &s->j, e, fault, text);
}

static void
drop(struct fmt *f, const struct consume_event *e)
{
	struct json *s = f->own;
	struct fmt_j *j = &s->j;
	struct sb text;

	sb_init(&text, 4096);
	fmt_drop_text(e, false, &text);
	sb_putc(&text, '\n');
	open_pseudo(f, j, e->timestamp, "DROP");
	if (abi_drop_per_cpu(e->drop))
		fmt_j_key_int(j, "on-cpu", e->cpu);
	fmt_j_key(j, "count");
	fmt_j_uint(j, e->count);
	fmt_j_key(j, "total");
	fmt_j_uint(j, e->total);
	fmt_j_key_int(j, "kind", e->drop);
	fmt_j_key_str(j, "kind-name", fmt_drop_name(e->drop));
	fmt_j_key_str(j, "msg", sb_str(&text));
	close_event(s, j);
	f->text.failed |= text.failed;
	sb_fini(&text);
}

/* Aggregations that no printa() has shown, an event each. */
static struct err *
put_rest(struct fmt *f, struct consume_agg *g)
{
	struct json *s = f->own;

	open_pseudo(f, &s->j, f->now, "END");
	fmt_j_key(&s->j, "output");
	fmt_j_open(&s->j, false);
	TRY(put_agg(f, &s->j, g));
	fmt_j_close(&s->j);
	close_event(s, &s->j);
	return fmt_spill(f, &f->text);
}

static struct err *
end(struct fmt *f)
{
	for (uint32_t id = 1; id <= f->meta->naggs; id++) {
		struct consume_agg *g = consume_agg(f->c, id);
		if (g && !g->printed && g->n)
			TRY(put_rest(f, g));
	}
	json_close(f);
	return NULL;
}

#define SHAPE(first) { \
	.one_file = true, \
	.begin = first, .free = json_free, .open_row = open_row, .act = act, \
	.close_row = close_row, .error = error, .drop = drop, .end = end, \
	.close = json_close, .mark = mark, .mend = mend }

const struct fmt_shape fmt_shape_json = SHAPE(begin);
const struct fmt_shape fmt_shape_jsonl = SHAPE(begin_lines);
