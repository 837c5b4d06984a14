/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Writing: a source that asks another one and writes down what it is told.
 *
 *  1. What the source answers is written where it was asked, so whoever asks in
 *     the same order reads the same answers.
 *  2. A description stands before what first needs it.
 *  3. Numbers that change seldom (drops, the states of speculations) are written
 *     when they have changed since they were last asked for.
 *  4. That a ring has no more is written only when something else follows in the
 *     same step: else the next step says so.
 *  5. A step in which nothing came and nothing was handed on is left out: the
 *     next one does all that it would have done.
 *  6. When the trace began stands before the first step: who shows the trace
 *     has to know it before there is anything to show.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "pfmt/pfmt.h"
#include "save/save_priv.h"
#include "sym/names.h"
#include "util/alloc.h"

enum { BUFFER = 256 << 10, BUFFER_MAX = 1 << 30 };

struct save {
	int fd;
	char *path;
	uint64_t limit, written;	/* bytes; limit 0: none */
	struct save_subject of;
	struct consume_source source;	/* ours */
	struct sb out;			/* not written yet */
	size_t step_at;			/* where the step begins in out */
	bool in_step, matters;		/* 5 */
	bool stepped;			/* 6: a step has been announced */
	VEC(uint32_t) nones;		/* 4: rings */
	uint64_t *drops;		/* 3: ABI_NDROPS for each CPU */
	struct consume_spec *specs;	/* 3: by id - 1 */
	struct hash probes, epids, descs, files, places;	/* 2 */
	uint32_t ndescs;
	bool names_plain;	/* some format names addresses of plain numbers */
};

/* --- Descriptions ---------------------------------------------------------- */

/* Is this the first time?  Without memory it is, again and again. */
static bool
is_new(struct hash *h, const void *key, size_t size)
{
	if (hash_get(h, key, size))
		return false;
	hash_put(h, key, size, h);
	return true;
}

static void
describe_probe(struct save *s, uint32_t id)
{
	const struct consume_meta *m = s->of.meta;
	const struct consume_probe *p;
	uint64_t no = id;

	if (!is_new(&s->probes, &id, sizeof(id)) ||
	    !(p = m->probe(m->ctx, id)))
		return;
	size_t at = save_frame_begin(&s->out, SAVE_PROBE);
	sb_putn(&s->out, &no, sizeof(no));
	save_put_text(&s->out, p->prov);
	save_put_text(&s->out, p->mod);
	save_put_text(&s->out, p->func);
	save_put_text(&s->out, p->name);
	save_frame_end(&s->out, at);
}

/* The number of the description, from 1. */
static uint32_t
describe_clause(struct save *s, const struct abi_clause_desc *d)
{
	void **at = hash_ref(&s->descs, &d, sizeof(d));

	if (at && *at)
		return (uint32_t)(uintptr_t)*at;
	save_put_desc(&s->out, ++s->ndescs, d);
	for (uint32_t i = 0; i < d->nactions; i++)
		s->names_plain |=
			pfmt_names_addresses(d->actions[i].format);
	if (at)
		*at = (void *)(uintptr_t)s->ndescs;
	return s->ndescs;
}

/* NULL: nobody has heard of it. */
static const struct abi_clause_desc *
describe_epid(struct save *s, uint32_t epid)
{
	const struct consume_meta *m = s->of.meta;
	const struct consume_epid *e = m->epid(m->ctx, epid);

	if (!e)
		return NULL;
	if (is_new(&s->epids, &epid, sizeof(epid))) {
		describe_probe(s, e->probe);
		uint32_t row[4] = { epid, e->probe,
				    describe_clause(s, e->desc), 0 };
		save_frame_put(&s->out, SAVE_EPID, row, sizeof(row));
	}
	return e->desc;
}

static void
describe_file(struct save *s, uint32_t no)
{
	const struct consume_meta *m = s->of.meta;
	const char *name = no && m->file ? m->file(m->ctx, no) : NULL;
	uint64_t n = no;

	if (!name || !is_new(&s->files, &no, sizeof(no)))
		return;
	size_t at = save_frame_begin(&s->out, SAVE_FILE);
	sb_putn(&s->out, &n, sizeof(n));
	save_put_text(&s->out, name);
	save_frame_end(&s->out, at);
}

/* --- Names of addresses ---------------------------------------------------- */

static void
put_line(struct save *s, const struct sym_line *l)
{
	struct save_line row = { l->line, l->function != NULL, l->file != NULL,
				 0 };

	sb_putn(&s->out, &row, sizeof(row));
	if (l->function)
		save_put_text(&s->out, l->function);
	if (l->file)
		save_put_text(&s->out, l->file);
}

static void
name_place(struct save *s, uint32_t flags, int32_t pid, uint64_t addr, uint64_t inner)
{
	struct { uint64_t addr; uint32_t flags; int32_t pid; } key = {
		addr, flags, pid };
	struct sym_place p;

	if (!addr || !s->of.names || !is_new(&s->places, &key, sizeof(key)))
		return;
	if (inner)
		sym_names_frame(s->of.names, flags & SAVE_USER ? pid : 0, addr,
				inner, &p);
	else if (flags & SAVE_USER)
		sym_names_user(s->of.names, pid, addr, &p);
	else
		sym_names_kernel(s->of.names, addr, &p);
	struct save_name row = { flags, pid, addr, p.offset, p.module_start,
				 p.module != NULL, p.function != NULL };
	size_t at = save_frame_begin(&s->out, SAVE_NAME);
	sb_putn(&s->out, &row, sizeof(row));
	if (p.module)
		save_put_text(&s->out, p.module);
	if (p.function)
		save_put_text(&s->out, p.function);
	for (size_t i = 0; i < p.nlines; i++)
		put_line(s, &p.lines[i]);
	save_frame_end(&s->out, at);
}

static uint64_t
word(const uint8_t *p, uint32_t i)
{
	uint64_t v;

	memcpy(&v, p + 8 * (size_t)i, sizeof(v));
	return v;
}

static void
name_frames(struct save *s, const uint8_t *p, uint32_t n, uint32_t flags,
	    int32_t pid)
{
	for (uint32_t i = 0; i < n && word(p, i); i++)
		name_place(s, flags | (i ? SAVE_RETURN : 0), pid, word(p, i),
			   i ? word(p, i - 1) : 0);
}

static void
name_field(struct save *s, const struct abi_field *f, const uint8_t *p)
{
	switch ((enum abi_field_kind)f->kind) {
	case ABI_FIELD_PROBE: {
		uint32_t id;
		memcpy(&id, p, sizeof(id));
		describe_probe(s, id);
		break;
	}
	case ABI_FIELD_SYM: case ABI_FIELD_MOD:
		name_place(s, 0, 0, word(p, 0), 0);
		break;
	case ABI_FIELD_USYM: case ABI_FIELD_UMOD: case ABI_FIELD_UADDR:
		name_place(s, SAVE_USER, (int32_t)word(p, 0), word(p, 1), 0);
		break;
	case ABI_FIELD_STACK:
		name_frames(s, p, f->size / 8, 0, 0);
		break;
	case ABI_FIELD_USTACK:
		name_frames(s, p + 8, f->size / 8 - 1, SAVE_USER,
			    (int32_t)word(p, 0));
		break;
	case ABI_FIELD_INT:
		if (s->names_plain && f->size == 8) {
			/* What an INT may be the address of, when a format
			 * asks: anything. */
			name_place(s, 0, 0, word(p, 0), 0);
			name_place(s, SAVE_USER, 0, word(p, 0), 0);
		}
		break;
	case ABI_FIELD_STRING: case ABI_FIELD_BYTES:
		break;
	}
}

static void
name_record(struct save *s, const struct abi_clause_desc *d,
	    const struct abi_record *r, size_t size)
{
	const uint8_t *end = (const uint8_t *)r + size;
	struct consume_step at = { .at = 0 };

	while (consume_next(d, r, &at))
		for (uint32_t i = 0; i < at.action->nfields; i++) {
			const struct abi_field *f =
				&d->fields[at.action->field + i];
			if (at.base + f->offset + f->size <= end)
				name_field(s, f, at.base + f->offset);
		}
}

/* --- What the source gives ------------------------------------------------- */

static void
describe_record(struct save *s, const struct abi_record *r, size_t size)
{
	const struct abi_clause_desc *d;

	if (r->epid == ABI_EPID_ERROR && size >= sizeof(struct abi_error_record)) {
		const struct abi_error_record *e = (const void *)r;
		describe_epid(s, e->epid);
		describe_file(s, abi_place_file(e->place));
	} else if ((d = describe_epid(s, r->epid)) && !d->is_log &&
		   size >= d->record_size) {
		name_record(s, d, r, size);
	} else if (d && d->is_log && size >= sizeof(*r)) {
		name_record(s, d, r, size);
	}
}

static const void *
next(void *ctx, unsigned ring, size_t *size)
{
	struct save *s = ctx;
	const void *r = s->of.source->next(s->of.source->ctx, ring, size);
	uint32_t head[2] = { ring, 0 };

	if (!r) {
		if (!vec_push(&s->nones, ring))
			s->out.failed = true;
		return NULL;
	}
	for (size_t i = 0; i < s->nones.n; i++) {
		uint32_t none[2] = { s->nones.v[i], 0 };
		save_frame_put(&s->out, SAVE_NONE, none, sizeof(none));
	}
	s->nones.n = 0;
	if (*size >= sizeof(struct abi_record))
		describe_record(s, r, *size);
	size_t at = save_frame_begin(&s->out, SAVE_RECORD);
	sb_putn(&s->out, head, sizeof(head));
	sb_putn(&s->out, r, *size);
	save_frame_end(&s->out, at);
	s->matters = true;
	return r;
}

static void
release(void *ctx, unsigned ring)
{
	struct save *s = ctx;

	s->of.source->release(s->of.source->ctx, ring);
}

static uint64_t
now(void *ctx)
{
	struct save *s = ctx;
	uint64_t t = s->of.source->now(s->of.source->ctx);

	save_frame_put(&s->out, SAVE_NOW, &t, sizeof(t));
	return t;
}

static uint64_t
drops(void *ctx, enum abi_drop kind, unsigned cpu)
{
	struct save *s = ctx;
	uint64_t n = s->of.source->drops(s->of.source->ctx, kind, cpu);
	uint64_t *last = &s->drops[kind * s->source.ncpus + cpu];

	assert(kind < ABI_NDROPS && cpu < s->source.ncpus);

	if (n != *last) {
		struct { uint32_t kind, cpu; uint64_t n; } row = { kind, cpu,
								   n };
		save_frame_put(&s->out, SAVE_DROP, &row, sizeof(row));
		*last = n;
		s->matters = true;
	}
	return n;
}

static struct consume_spec
spec(void *ctx, uint32_t id)
{
	struct save *s = ctx;
	struct consume_spec v = s->of.source->spec(s->of.source->ctx, id);
	struct consume_spec *last = &s->specs[id - 1];

	assert(id && id <= s->source.nspec);

	if (v.state != last->state || v.gen != last->gen ||
	    v.lost != last->lost) {
		struct { uint32_t id, state, gen, pad; uint64_t lost; } row = {
			id, v.state, v.gen, 0, v.lost };
		save_frame_put(&s->out, SAVE_SPEC, &row, sizeof(row));
		*last = v;
		s->matters = true;
	}
	return v;
}

static void
spec_free(void *ctx, uint32_t id)
{
	struct save *s = ctx;

	s->of.source->spec_free(s->of.source->ctx, id);
}

static void
spec_seen(void *ctx, uint32_t id)
{
	struct save *s = ctx;

	s->of.source->spec_seen(s->of.source->ctx, id);
}

static void
on_elem(void *ctx, const struct abi_agg_desc *d, const void *key,
	uint32_t first, uint32_t n, const uint64_t *cells)
{
	struct save *s = ctx;
	uint32_t row[4] = { d->id, first, n, 0 };

	assert(first <= d->ncells && n <= d->ncells - first);
	for (uint32_t i = 0; i < d->nkeys; i++)
		name_field(s, &d->keys[i],
			   (const uint8_t *)key + d->keys[i].offset);
	size_t at = save_frame_begin(&s->out, SAVE_ELEM);
	sb_putn(&s->out, row, sizeof(row));
	save_put(&s->out, key, d->key_size);
	sb_putn(&s->out, cells, n * sizeof(*cells));
	save_frame_end(&s->out, at);
	s->matters = true;
}

static struct err *
snapshot(void *ctx, struct consume *c)
{
	struct save *s = ctx;

	if (!s->in_step)
		TRY(save_step(s, SAVE_STEP_SNAPSHOT, 0));
	struct err *e = s->of.source->snapshot(s->of.source->ctx, c);
	save_frame_put(&s->out, SAVE_ELEMS_END, NULL, 0);
	return e;
}

void
save_watch(struct save *s, struct consume *c)
{
	consume_watch_aggs(c, on_elem, s);
}

/* --- The file -------------------------------------------------------------- */

static struct err *
failed(const struct save *s)
{
	return err_new(ERR_OS, errno, "cannot save to %s: %s", s->path,
		       strerror(errno));
}

static struct err *
flush(struct save *s)
{
	const char *p = s->out.p;
	size_t left = s->out.len;

	assert(!s->limit || s->written <= s->limit);
	if (s->fd < 0) {	/* behind the end: nobody reads it */
		sb_reset(&s->out);
		s->step_at = 0;
		return NULL;
	}
	if (s->out.failed)
		return &err_nomem;
	if (s->limit && left > s->limit - s->written)
		return err_new(ERR_LIMIT, 0, "%s is full: savesize is %llu "
			       "bytes", s->path, (unsigned long long)s->limit);
	while (left) {
		ssize_t n = write(s->fd, p, left);
		if (n < 0 && errno != EINTR)
			return failed(s);
		if (n > 0) {
			p += n;
			left -= (size_t)n;
			s->written += (uint64_t)n;
		}
	}
	sb_reset(&s->out);
	s->step_at = 0;
	return NULL;
}

/* 5 */
static void
end_step(struct save *s)
{
	assert(!s->in_step || s->step_at <= s->out.len);	/* 5 */
	if (s->in_step && !s->matters && !s->out.failed)
		sb_cut(&s->out, s->step_at);
	s->in_step = s->matters = false;
	s->nones.n = 0;
}

void
save_start(struct save *s, uint64_t begun, const char *heading)
{
	assert(!s->stepped);		/* 6 */
	size_t at = save_frame_begin(&s->out, SAVE_START);
	sb_putn(&s->out, &begun, sizeof(begun));
	if (heading) {
		sb_putn(&s->out, heading,
			strnlen(heading, SAVE_HEADING_MAX - 1));
		sb_putc(&s->out, '\0');
	}
	save_frame_end(&s->out, at);
}

struct err *
save_step(struct save *s, enum save_step step, int64_t clock)
{
	struct { uint32_t step, pad; int64_t clock; } row = { step, 0, clock };

	assert(step > SAVE_STEP_NONE && step < SAVE_STEP_N);
	end_step(s);
	if (s->out.len >= BUFFER)
		TRY(flush(s));
	s->step_at = s->out.len;
	s->in_step = s->stepped = true;
	s->matters = step == SAVE_STEP_FINAL;
	save_frame_put(&s->out, SAVE_STEP, &row, sizeof(row));
	return s->out.failed ? &err_nomem : NULL;
}

void
save_event(struct save *s)
{
	s->matters = true;
}

void
save_proc(struct save *s, int pid, const char *text)
{
	int64_t no = pid;

	end_step(s);
	size_t at = save_frame_begin(&s->out, SAVE_PROC);
	sb_putn(&s->out, &no, sizeof(no));
	save_put_text(&s->out, text);
	save_frame_end(&s->out, at);
}

static void
put_options(struct save *s)
{
	for (int id = 0; id < OPT_N; id++) {
		const char *text = s->of.opts->s[id];
		int64_t v = s->of.opts->v[id];
		if (s->of.opts->from[id] == OPT_FROM_DEFAULT ||
		    !opt_is_kept((enum opt_id)id))
			continue;
		size_t at = save_frame_begin(&s->out, SAVE_OPTION);
		sb_putn(&s->out, &v, sizeof(v));
		save_put_text(&s->out, opt_name((enum opt_id)id));
		if (text)
			save_put_text(&s->out, text);
		save_frame_end(&s->out, at);
	}
}

static void
put_head(struct save *s)
{
	const struct consume_source *src = s->of.source;
	const struct consume_meta *m = s->of.meta;
	struct timespec t;
	struct utsname u;

	clock_gettime(CLOCK_REALTIME, &t);
	struct save_head h = {
		.magic = SAVE_MAGIC, .mark = SAVE_MARK, .version = SAVE_VERSION,
		.ncpus = src->ncpus, .nrings = src->nrings, .nspec = src->nspec,
		.naggs = m->naggs, .strsize = m->strsize,
		.ndrops = ABI_NDROPS,
		.time_ns = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec,
	};
	sb_putn(&s->out, &h, sizeof(h));
	size_t at = save_frame_begin(&s->out, SAVE_TEXTS);
	bool known = !uname(&u);
	save_put_text(&s->out, known ? u.nodename : "");
	save_put_text(&s->out, known ? u.release : "");
	save_frame_end(&s->out, at);
	put_options(s);
	for (uint32_t i = 1; i <= m->naggs; i++)
		save_put_agg(&s->out, m->agg(m->ctx, i));
}

static struct err *
open_file(struct save *s, const char *path)
{
	const struct consume_source *src = s->of.source;
	unsigned ncpus = BASE_MAX(src->ncpus, 1u);

	s->path = util_strdup(path);
	s->drops = util_zalloc((size_t)ABI_NDROPS * ncpus * sizeof(*s->drops));
	s->specs = util_zalloc((src->nspec + 1) * sizeof(*s->specs));
	if (!s->path || !s->drops || !s->specs)
		return &err_nomem;
	s->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (s->fd < 0)
		return failed(s);
	put_head(s);
	return flush(s);
}

struct err *
save_create(const char *path, uint64_t limit, const struct save_subject *of,
	    struct save **ret)
{
	const struct consume_source *src = of->source;
	struct save *s = util_zalloc(sizeof(*s));

	if (!s)
		return &err_nomem;
	s->fd = -1;
	s->of = *of;
	s->limit = limit;
	sb_init(&s->out, BUFFER_MAX);
	s->source = (struct consume_source){
		.ctx = s, .ncpus = src->ncpus, .nrings = src->nrings,
		.nspec = src->nspec, .next = src->next ? next : NULL,
		.release = src->release ? release : NULL,
		.snapshot = src->snapshot ? snapshot : NULL,
		.drops = src->drops ? drops : NULL,
		.now = src->now ? now : NULL, .spec = src->spec ? spec : NULL,
		.spec_free = src->spec_free ? spec_free : NULL,
		.spec_seen = src->spec_seen ? spec_seen : NULL,
	};
	struct err *e = open_file(s, path);
	if (e)
		save_free(s);
	else
		*ret = s;
	return e;
}

const struct consume_source *
save_source(struct save *s)
{
	return &s->source;
}

struct err *
save_end(struct save *s, uint64_t ended)
{
	struct err *e;

	end_step(s);
	save_frame_put(&s->out, SAVE_NOW, &ended, sizeof(ended));
	save_frame_put(&s->out, SAVE_END, NULL, 0);
	e = flush(s);
	close(s->fd);
	s->fd = -1;
	return e;
}

void
save_free(struct save *s)
{
	if (!s)
		return;
	if (s->fd >= 0)		/* the tracing failed: it ends early */
		close(s->fd);
	struct hash *tables[] = { &s->probes, &s->epids, &s->descs, &s->files,
				  &s->places };
	for (size_t i = 0; i < BASE_NELEMS(tables); i++)
		hash_fini(tables[i]);
	vec_fini(&s->nones);
	sb_fini(&s->out);
	util_free(s->drops);
	util_free(s->specs);
	util_free(s->path);
	util_free(s);
}
