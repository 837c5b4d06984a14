/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reading: a source that answers what another one did.  Nothing in the file is
 * trusted: what cannot be ends it.
 *
 *  1. Only what look() has found is skipped, so at never passes the end.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "save/save_priv.h"
#include "sym/names.h"
#include "util/cleanup.h"

struct saved {
	const uint8_t *p;		/* all of it */
	size_t size, at;		/* at: the next frame */
	void *mapped;			/* NULL: p is somebody else's */
	const char *why;		/* it ended where it should not; or NULL */
	bool told;			/* that it did */
	struct save_head head;
	struct saved_info info;
	struct arena *a;
	struct sym_names *names;
	struct consume_source source;
	struct consume_meta meta;
	struct abi_agg_desc **aggs;	/* by id - 1 */
	struct hash probes, epids, descs, files;	/* by number */
	uint64_t *drops;		/* ABI_NDROPS for each CPU */
	struct consume_spec *specs;	/* by id - 1 */
	uint64_t now;
	int64_t clock;
};

/* --- Frames ---------------------------------------------------------------- */

/* From here on there is nothing. */
static void
give_up(struct saved *s, const char *why)
{
	if (!s->why)
		s->why = why;
	s->at = s->size;
}

/* The frame at s->at, not taken yet; SAVE_END at the end. */
static uint32_t
look(struct saved *s, struct save_cursor *ret)
{
	struct save_frame f;

	assert(s->at <= s->size);	/* 1 */
	if (s->at == s->size)
		return SAVE_END;
	if (s->size - s->at < sizeof(f)) {
		give_up(s, "it ends early");
		return SAVE_END;
	}
	memcpy(&f, s->p + s->at, sizeof(f));
	if (f.size > SAVE_FRAME_MAX || f.kind >= SAVE_NKINDS) {
		give_up(s, "it is damaged");
		return SAVE_END;
	}
	if (f.size > s->size - s->at - sizeof(f)) {
		give_up(s, "it ends early");
		return SAVE_END;
	}
	*ret = (struct save_cursor){ s->p + s->at + sizeof(f), f.size };
	return f.kind;
}

static void
skip(struct saved *s)
{
	struct save_frame f;

	assert(s->size - s->at >= sizeof(f));	/* 1 */
	memcpy(&f, s->p + s->at, sizeof(f));
	s->at += BASE_MIN(sizeof(f) + (((size_t)f.size + 7) & ~(size_t)7),
			  s->size - s->at);
}

/* --- Descriptions ---------------------------------------------------------- */

static bool
read_probe(struct saved *s, struct save_cursor *c)
{
	const uint64_t *id = save_take(c, sizeof(*id));
	struct consume_probe *p = ARENA_NEW(s->a, struct consume_probe);
	const char *text[4];
	uint32_t no;

	if (!id || !p || !*id || *id > SAVE_IDS_MAX)
		return false;
	for (int i = 0; i < 4; i++)
		if (!(text[i] = save_take_text(c, 0)) ||
		    !(text[i] = arena_strdup(s->a, text[i])))
			return false;
	no = (uint32_t)*id;
	*p = (struct consume_probe){ no, text[0], text[1], text[2], text[3] };
	return hash_put(&s->probes, &no, sizeof(no), p);
}

static bool
read_desc(struct saved *s, struct save_cursor *c)
{
	uint32_t id;
	struct abi_clause_desc *d = save_take_desc(c, s->a, &id);

	if (!d)
		return false;
	for (uint32_t i = 0; i < d->naggids; i++)
		if (!d->aggids[i] || d->aggids[i] > s->head.naggs)
			return false;
	return hash_put(&s->descs, &id, sizeof(id), d);
}

static bool
read_epid(struct saved *s, struct save_cursor *c)
{
	const uint32_t *row = save_take(c, 4 * sizeof(*row));
	struct consume_epid *e = ARENA_NEW(s->a, struct consume_epid);

	if (!row || !e || row[0] > SAVE_IDS_MAX)
		return false;
	*e = (struct consume_epid){
		row[1], hash_get(&s->descs, &row[2], sizeof(row[2])) };
	return e->desc && hash_put(&s->epids, &row[0], sizeof(row[0]), e);
}

static bool
read_file(struct saved *s, struct save_cursor *c)
{
	const uint64_t *no = save_take(c, sizeof(*no));
	const char *text = no ? save_take_text(c, 0) : NULL;
	char *name = text ? arena_strdup(s->a, text) : NULL;
	uint32_t n = no ? (uint32_t)*no : 0;

	return name && hash_put(&s->files, &n, sizeof(n), name);
}

/* What is left are lines. */
static bool
read_lines(struct save_cursor *c, struct sym_line v[SAVE_LINES_MAX], size_t *n)
{
	for (*n = 0; c->left; ++*n) {
		const struct save_line *row = save_take(c, sizeof(*row));
		struct sym_line *l = &v[*n];
		if (!row || *n == SAVE_LINES_MAX)
			return false;
		*l = (struct sym_line){ .line = row->line };
		if (row->has_function && !(l->function = save_take_text(c, 0)))
			return false;
		if (row->has_file && !(l->file = save_take_text(c, 0)))
			return false;
	}
	return true;
}

static bool
read_name(struct saved *s, struct save_cursor *c)
{
	const struct save_name *row = save_take(c, sizeof(*row));
	struct sym_line lines[SAVE_LINES_MAX];
	struct sym_place p = { .lines = lines };

	if (!row)
		return false;
	p.addr = row->addr;
	p.offset = row->offset;
	p.module_start = row->module_start;
	if (row->has_module && !(p.module = save_take_text(c, 0)))
		return false;
	if (row->has_function && !(p.function = save_take_text(c, 0)))
		return false;
	if (!read_lines(c, lines, &p.nlines))
		return false;
	return sym_names_keep(s->names, row->flags & SAVE_USER ?
			      SYM_KEPT_USER : SYM_KEPT_KERNEL, row->pid,
			      row->flags & SAVE_RETURN, &p);
}

static bool
read_drop(struct saved *s, struct save_cursor *c)
{
	const struct { uint32_t kind, cpu; uint64_t n; } *row =
		save_take(c, sizeof(*row));

	if (!row || row->kind >= ABI_NDROPS || row->cpu >= s->head.ncpus)
		return false;
	s->drops[row->kind * s->head.ncpus + row->cpu] = row->n;
	return true;
}

static bool
read_agg(struct saved *s, struct save_cursor *c)
{
	struct abi_agg_desc *d = save_take_agg(c, s->a);

	if (!d || !d->id || d->id > s->head.naggs)
		return false;
	s->aggs[d->id - 1] = d;
	return true;
}

/* Once: who shows the trace has asked for it already. */
static bool
read_begun(struct saved *s, struct save_cursor *c)
{
	const uint64_t *begun = save_take(c, sizeof(*begun));

	if (!begun || s->info.begun)
		return false;
	s->info.begun = *begun;
	if (!c->left)
		return true;
	if (c->left > SAVE_HEADING_MAX)
		return false;
	const char *text = save_take_text(c, 0);
	s->info.heading = text ? arena_strdup(s->a, text) : NULL;
	return s->info.heading;
}

static bool (*const readers[SAVE_NKINDS])(struct saved *, struct save_cursor *) = {
	[SAVE_AGG] = read_agg, [SAVE_PROBE] = read_probe,
	[SAVE_DESC] = read_desc, [SAVE_EPID] = read_epid,
	[SAVE_FILE] = read_file, [SAVE_NAME] = read_name,
	[SAVE_DROP] = read_drop, [SAVE_START] = read_begun,
};

/* The next frame that is no description; those before it are read. */
static uint32_t
look_ahead(struct saved *s, struct save_cursor *c)
{
	uint32_t kind;

	while ((kind = look(s, c)) != SAVE_END && readers[kind]) {
		if (readers[kind](s, c)) {
			skip(s);
			continue;
		}
		give_up(s, "it is damaged");
		return SAVE_END;
	}
	return kind;
}

/* Take the next frame, if it is of that kind and as long. */
static const void *
take(struct saved *s, uint32_t kind, size_t size, struct save_cursor *rest)
{
	struct save_cursor c;

	if (look_ahead(s, &c) != kind || c.left < size)
		return NULL;
	const void *p = save_take(&c, size);
	if (p)
		skip(s);
	*rest = c;
	return p;
}

/* --- The source ------------------------------------------------------------ */

static const void *
next(void *ctx, unsigned ring, size_t *size)
{
	struct saved *s = ctx;
	struct save_cursor c;
	uint32_t kind = look_ahead(s, &c);
	const uint32_t *head;

	if ((kind != SAVE_RECORD && kind != SAVE_NONE) ||
	    !(head = save_take(&c, 8)) || *head != ring)
		return NULL;
	skip(s);
	if (kind == SAVE_NONE)
		return NULL;
	*size = c.left;
	return c.p;
}

/* A kind that is not counted per CPU may have been, when the file was written. */
static uint64_t
drops(void *ctx, enum abi_drop kind, unsigned cpu)
{
	struct saved *s = ctx;
	struct save_cursor c;
	uint64_t *of = &s->drops[kind * s->head.ncpus], n = 0;

	assert(kind < ABI_NDROPS && cpu < s->head.ncpus);
	look_ahead(s, &c);
	if (abi_drop_per_cpu(kind))
		return of[cpu];
	for (unsigned i = 0; i < s->head.ncpus; i++)
		n += of[i];
	return n;
}

static uint64_t
now(void *ctx)
{
	struct saved *s = ctx;
	struct save_cursor c;
	const uint64_t *t = take(s, SAVE_NOW, sizeof(*t), &c);

	if (t)
		s->now = *t;
	return s->now;
}

static struct consume_spec
spec(void *ctx, uint32_t id)
{
	struct saved *s = ctx;
	struct save_cursor c;
	const uint32_t *row;

	assert(id && id <= s->head.nspec);
	if (look_ahead(s, &c) == SAVE_SPEC && (row = save_take(&c, 24)) &&
	    row[0] == id && row[1] <= CONSUME_SPEC_DISCARDED) {
		s->specs[id - 1] = (struct consume_spec){
			(enum consume_spec_state)row[1], row[2],
			*(const uint64_t *)(const void *)&row[4] };
		skip(s);
	}
	return s->specs[id - 1];
}

static void
spec_forget(void *ctx, uint32_t id)
{
}

static bool
give_elem(struct saved *s, struct save_cursor *c, struct consume *to)
{
	const uint32_t *row = save_take(c, 4 * sizeof(*row));
	const struct abi_agg_desc *d;
	const void *key, *cells;

	if (!row || !row[0] || row[0] > s->head.naggs ||
	    !(d = s->aggs[row[0] - 1]) || row[1] > d->ncells ||
	    row[2] > d->ncells - row[1])
		return false;
	key = save_take(c, d->key_size);
	cells = key ? save_take(c, row[2] * (size_t)8) : NULL;
	if (!cells)
		return false;
	struct err *e = consume_agg_add_piece(to, row[0], key, row[1], row[2],
					      cells);
	err_free(e);
	return !e;
}

static struct err *
snapshot(void *ctx, struct consume *c)
{
	struct saved *s = ctx;
	struct save_cursor cur;

	while (look_ahead(s, &cur) == SAVE_ELEM) {
		if (!give_elem(s, &cur, c)) {
			give_up(s, "it is damaged");
			return NULL;
		}
		skip(s);
	}
	if (look_ahead(s, &cur) == SAVE_ELEMS_END)
		skip(s);
	return NULL;
}

/* --- What numbers mean ----------------------------------------------------- */

static const struct consume_epid *
meta_epid(void *ctx, uint32_t epid)
{
	struct saved *s = ctx;

	return hash_get(&s->epids, &epid, sizeof(epid));
}

static const struct consume_probe *
meta_probe(void *ctx, uint32_t id)
{
	struct saved *s = ctx;

	return hash_get(&s->probes, &id, sizeof(id));
}

static const struct abi_agg_desc *
meta_agg(void *ctx, uint32_t id)
{
	struct saved *s = ctx;

	return id && id <= s->head.naggs ? s->aggs[id - 1] : NULL;
}

static const char *
meta_file(void *ctx, uint32_t no)
{
	struct saved *s = ctx;

	return hash_get(&s->files, &no, sizeof(no));
}

static uint64_t
meta_whole(void *ctx, enum abi_field_kind kind, int64_t pid, uint64_t addr)
{
	struct saved *s = ctx;

	return sym_names_whole(s->names, kind == ABI_FIELD_USYM ||
			       kind == ABI_FIELD_UMOD, kind == ABI_FIELD_MOD ||
			       kind == ABI_FIELD_UMOD, (int)pid, addr);
}

/* --- Opening --------------------------------------------------------------- */

static struct err *
damaged(const char *why)
{
	return err_new(ERR_FORMAT, 0, "this is no saved trace: %s", why);
}

static struct err *
check_head(struct saved *s)
{
	struct save_head *h = &s->head;

	if (s->size < sizeof(*h) || memcmp(s->p, SAVE_MAGIC, 8))
		return damaged("it does not begin like one");
	memcpy(h, s->p, sizeof(*h));
	if (h->mark != SAVE_MARK)
		return err_new(ERR_FORMAT, 0, "the trace was saved on a machine "
			       "with another order of bytes");
	if (!h->version || h->version > SAVE_VERSION ||
	    h->ndrops != ABI_NDROPS)
		return err_new(ERR_FORMAT, 0, "the trace was saved by another "
			       "release of dtrace (format %u; this is %u)",
			       h->version, SAVE_VERSION);
	if (!h->ncpus || h->ncpus > SAVE_CPUS_MAX || h->nrings > h->ncpus ||
	    h->naggs > SAVE_AGGS_MAX || h->nspec > SAVE_SPECS_MAX)
		return damaged("it is damaged");
	s->at = sizeof(*h);
	return NULL;
}

bool
saved_clock_changes(struct saved *s)
{
	struct saved at = { .p = s->p, .size = s->size, .at = s->at };
	int64_t clock = s->clock;
	struct save_cursor c;
	uint32_t kind;

	while ((kind = look(&at, &c)) != SAVE_STEP && kind != SAVE_END)
		skip(&at);
	if (kind == SAVE_STEP && c.left >= 16)
		memcpy(&s->clock, c.p + 8, sizeof(s->clock));
	return s->clock != clock;
}

static struct err *
read_start(struct saved *s)
{
	struct save_cursor c;
	const char *host, *kernel;

	if (look(s, &c) != SAVE_TEXTS || !(host = save_take_text(&c, 0)) ||
	    !(kernel = save_take_text(&c, 0)))
		return damaged("it is damaged");
	skip(s);
	s->info = (struct saved_info){
		.host = arena_strdup(s->a, host),
		.kernel = arena_strdup(s->a, kernel), .release = "",
		.time_ns = s->head.time_ns, .ncpus = s->head.ncpus,
	};
	while (look(s, &c) == SAVE_OPTION)
		skip(s);
	look_ahead(s, &c);
	saved_clock_changes(s);
	for (uint32_t i = 0; i < s->head.naggs; i++)
		if (!s->aggs[i])
			return damaged(s->why ? s->why : "it is damaged");
	return NULL;
}

static struct err *
make(struct saved *s)
{
	const struct save_head *h = &s->head;

	s->a = arena_new();
	if (!s->a)
		return &err_nomem;
	TRY(check_head(s));
	TRY(sym_names_new(NULL, &s->names));
	s->aggs = ARENA_ARRAY(s->a, struct abi_agg_desc *, h->naggs + 1);
	s->drops = ARENA_ARRAY(s->a, uint64_t,
			       (size_t)ABI_NDROPS * h->ncpus);
	s->specs = ARENA_ARRAY(s->a, struct consume_spec, h->nspec + 1);
	if (!s->aggs || !s->drops || !s->specs)
		return &err_nomem;
	TRY(read_start(s));
	s->source = (struct consume_source){
		.ctx = s, .ncpus = h->ncpus, .nrings = h->nrings,
		.nspec = h->nspec, .next = next, .snapshot = snapshot,
		.drops = drops, .now = now, .spec = spec,
		.spec_free = spec_forget, .spec_seen = spec_forget,
	};
	s->meta = (struct consume_meta){
		.ctx = s, .epid = meta_epid, .probe = meta_probe,
		.agg = meta_agg, .file = meta_file, .whole = meta_whole,
		.naggs = h->naggs, .strsize = h->strsize,
	};
	return NULL;
}

static struct err *
open_bytes(const void *p, size_t size, void *mapped, struct saved **ret)
{
	struct saved *s = util_zalloc(sizeof(*s));
	struct err *e;

	if (!s) {
		if (mapped)
			munmap(mapped, size);
		return &err_nomem;
	}
	s->p = p;
	s->size = size;
	s->mapped = mapped;
	e = make(s);
	if (e)
		saved_close(s);
	else
		*ret = s;
	return e;
}

struct err *
saved_open_bytes(const void *p, size_t size, struct saved **ret)
{
	return open_bytes(p, size, NULL, ret);
}

struct err *
saved_open(const char *path, struct saved **ret)
{
	CLEANUP(util_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *p;

	if (fd < 0 || fstat(fd, &st))
		return err_new(ERR_OS, errno, "%s", strerror(errno));
	if (!S_ISREG(st.st_mode) || st.st_size < (off_t)sizeof(struct save_head))
		return err_new(ERR_FORMAT, 0, "this is no saved trace");
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return err_new(ERR_OS, errno, "%s", strerror(errno));
	return open_bytes(p, (size_t)st.st_size, p, ret);
}

void
saved_close(struct saved *s)
{
	if (!s)
		return;
	hash_fini(&s->probes);
	hash_fini(&s->epids);
	hash_fini(&s->descs);
	hash_fini(&s->files);
	sym_names_free(s->names);
	if (s->a)
		arena_free(s->a);
	if (s->mapped)
		munmap(s->mapped, s->size);
	util_free(s);
}

struct saved_info
saved_info(const struct saved *s)
{
	return s->info;
}

void
saved_options(const struct saved *s, struct opt_set *opts)
{
	struct saved at = { .p = s->p, .size = s->size,
			    .at = sizeof(struct save_head) };
	struct save_cursor c;
	uint32_t kind;

	while ((kind = look(&at, &c)) == SAVE_TEXTS || kind == SAVE_OPTION) {
		const int64_t *v = kind == SAVE_OPTION ?
			save_take(&c, sizeof(*v)) : NULL;
		const char *name = v ? save_take_text(&c, 0) : NULL;
		if (name)
			opt_restore(opts, name, *v);
		skip(&at);
	}
}

void
saved_clock(const struct saved *s, uint64_t *now_ns, int64_t *wall_delta)
{
	*now_ns = s->now;
	*wall_delta = s->clock;
}

const struct consume_source *
saved_source(struct saved *s)
{
	return &s->source;
}

const struct consume_meta *
saved_meta(struct saved *s)
{
	return &s->meta;
}

struct sym_names *
saved_names(struct saved *s)
{
	return s->names;
}

/* --- Steps ----------------------------------------------------------------- */

struct err *
saved_step(struct saved *s, enum save_step *step,
	   void (*proc)(void *ctx, int pid, const char *text), void *ctx)
{
	const struct { uint32_t step, pad; int64_t clock; } *row;
	struct save_cursor c;
	uint32_t kind;

	/* What nobody asked for is passed over. */
	while ((kind = look_ahead(s, &c)) != SAVE_STEP && kind != SAVE_END) {
		const int64_t *pid = kind == SAVE_PROC ?
			save_take(&c, sizeof(*pid)) : NULL;
		const char *text = pid ? save_take_text(&c, 0) : NULL;
		const uint64_t *t = kind == SAVE_NOW ?
			save_take(&c, sizeof(*t)) : NULL;
		if (text)
			proc(ctx, (int)*pid, text);
		if (t)
			s->now = *t;
		skip(s);
	}
	*step = SAVE_STEP_NONE;
	if (kind == SAVE_STEP && (row = save_take(&c, sizeof(*row))) &&
	    row->step > SAVE_STEP_NONE && row->step < SAVE_STEP_N) {
		*step = (enum save_step)row->step;
		s->clock = row->clock;
		skip(s);
		return NULL;
	}
	if (kind == SAVE_STEP)
		give_up(s, "it is damaged");
	else if (s->at == s->size && s->size >= sizeof(struct save_frame) &&
		 !s->why)
		give_up(s, "it ends early");
	if (!s->why || s->told)
		return NULL;
	s->told = true;
	return err_new(ERR_FORMAT, 0, "the saved trace is not whole: %s; this is "
		       "what there is of it", s->why);
}

struct err *
saved_run(struct consume *c, enum save_step step, bool temporal,
	  consume_fn *fn, void *ctx)
{
	switch (step) {
	case SAVE_STEP_PASS:
		return consume_pass(c, temporal, false, fn, ctx);
	case SAVE_STEP_FINAL:
		return consume_pass(c, temporal, true, fn, ctx);
	case SAVE_STEP_COLLECT:
		return consume_collect(c);
	case SAVE_STEP_SNAPSHOT:
		return consume_snapshot(c);
	case SAVE_STEP_DROPS:
		return consume_drops(c, fn, ctx);
	case SAVE_STEP_CLEAN:
		consume_clean(c);
		return NULL;
	case SAVE_STEP_NONE: case SAVE_STEP_N:
		break;
	}
	return NULL;
}
