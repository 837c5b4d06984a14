/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Hostile records and aggregations through the consumer and the formatter, as
 * libdtrace drives them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "fmt/fmt.h"
#include "fuzz.h"
#include "records.h"
#include "support/mktype.h"
#include "support/recmaker.h"
#include "type/make.h"
#include "type/text.h"
#include "type/type.h"

enum { NCPUS = 3, TEXTS = 64, RECORD_MAX = 4096, KEY_MAX = 4096,
       CELLS_MAX = 1 << 14, BIG_SAMPLES = 16, OUT_MAX = 1 << 20 };

struct target {
	struct bytes in;
	struct rm *m;
	struct arena *types;
	struct opt_set opts;
	struct consume *c;
	struct fmt *f;
	bool temporal;
	char *texts[TEXTS];	/* formats */
	unsigned ntexts, nbig;
	struct rm_clause *clause;
	uint32_t agg;		/* id of the last */
	size_t written;
};

/* --- What things are ------------------------------------------------------- */

static const enum abi_action_kind kinds[] = {
#define X(name) ABI_ACT_##name,
	RECORDS_ACTIONS(X)
#undef X
};

static void
describe_agg(struct target *t)
{
	uint32_t func = ABI_AGG_COUNT + bytes_u8(&t->in) % 9;
	uint64_t arg = bytes_u64(&t->in);

	if (t->m->meta.naggs < RM_AGGS)
		t->agg = rm_agg(t->m, func, arg, consume_agg_cells(func, arg));
}

struct field_bytes { uint8_t kind, sub, is_signed; uint16_t size; };

static struct field_bytes
take_field(struct target *t, uint32_t max)
{
	struct field_bytes f = { bytes_u8(&t->in) % 12, bytes_u8(&t->in),
				 bytes_u8(&t->in) & 1, 0 };

	f.size = (uint16_t)(bytes_u16(&t->in) % (max + 1));
	/* Of integers of smaller types there are those of 1, 2 and 4 bytes alone. */
	uint8_t of = ABI_INT_BYTES(f.sub);
	if (f.kind == ABI_FIELD_INT && ABI_INT_COLUMNS(f.sub) &&
	    of != 1 && of != 2 && of != 4)
		f.sub = 0;
	return f;
}

static void
describe_key(struct target *t)
{
	struct field_bytes f = take_field(t, KEY_MAX / RM_KEYS);

	if (!t->agg || t->m->aggs[t->agg - 1].nkeys == RM_KEYS)
		return;
	rm_key(t->m, t->agg, f.kind, f.size, f.is_signed);
	t->m->keys[t->agg - 1][t->m->aggs[t->agg - 1].nkeys - 1].sub = f.sub;
}

static void
describe_clause(struct target *t)
{
	uint8_t nbranches = bytes_u8(&t->in) % 20;

	if (t->m->nclauses < RM_CLAUSES)
		t->clause = rm_clause(t->m, nbranches);
}

/* "" when there are too many. */
static const char *
take_text(struct target *t)
{
	size_t got, len = bytes_u8(&t->in) % 128;
	const uint8_t *p = bytes_take(&t->in, len, &got);

	if (t->ntexts == TEXTS)
		return "";
	char *s = malloc(got + 1);
	if (got)
		memcpy(s, p, got);
	s[got] = '\0';
	return t->texts[t->ntexts++] = s;
}

/* What print() may be told of, by the name of one or any other text. */
static const struct type *
find_type(struct target *t, const char *name)
{
	struct type_member m[] = {
		{ "c", type_new_array(t->types, &type_char, 12), 0, 0 },
		{ "u", type_new_array(t->types, &type_uint8, 3), 0, 0 },
		{ "b", &type_int, 0, 5 }, { NULL, &type_int, 0, 9 },
		{ "l", &type_long, 0, 61 }, { "f", &type_double, 0, 0 },
		{ "p", type_new_ptr(t->types, &type_void), 0, 0 },
		{ "s", type_new_string(t->types, 16), 0, 0 },
	};
	const struct type *s = mktype_sou(t->types,
		strlen(name) & 1 ? TYPE_UNION : TYPE_STRUCT, "s", m,
		BASE_NELEMS(m));
	struct type_member outer[] = {
		{ NULL, s, 0, 0 }, { "a", type_new_array(t->types, s, 2), 0, 0 },
		{ "open", type_new_array(t->types, s, 0), 0, 0 },
	};

	if (strlen(name) > 4)
		return mktype_sou(t->types, TYPE_STRUCT, NULL, outer,
				    BASE_NELEMS(outer));
	const struct type *simple = type_parse(t->types, name, NULL, NULL);
	return simple ? simple : s;
}

static void
describe_action(struct target *t)
{
	unsigned i = bytes_u8(&t->in) % BASE_NELEMS(kinds);
	uint8_t branch = bytes_u8(&t->in);
	const char *format = take_text(t);
	bool optional = kinds[i] == ABI_ACT_PRINTA && !*format;

	if (!t->clause || t->clause->desc.nactions == RM_ACTIONS)
		return;
	struct abi_action *a = rm_action(t->clause, kinds[i],
					 optional ? NULL : format);
	if (kinds[i] == ABI_ACT_PRINT) {
		a->type = find_type(t, format);
		a->format = NULL;
	}
	a->branch = t->clause->desc.nbranches ?
		branch % (t->clause->desc.nbranches + 1) : 0;
}

static void
describe_field(struct target *t)
{
	struct field_bytes f = take_field(t, RECORD_MAX / 8);

	if (!t->clause || !t->clause->desc.nactions ||
	    t->clause->desc.nfields == RM_FIELDS)
		return;
	rm_field(t->clause, f.kind, f.size, f.is_signed);
	t->clause->fields[t->clause->desc.nfields - 1].sub = f.sub;
}

static void
describe_use(struct target *t)
{
	uint8_t id = bytes_u8(&t->in);

	if (t->clause && t->clause->desc.nactions &&
	    t->clause->desc.naggids < RM_ACTIONS)
		rm_use_agg(t->clause, id);
}

static void
describe_epid(struct target *t)
{
	uint8_t probe = bytes_u8(&t->in) % 5;

	if (t->clause && t->m->nepids < RM_EPIDS)
		rm_epid(t->m, probe, t->clause);
}

/* What stands behind the arrays stays true: nobody can check that. */
static void
describe_bend(struct target *t)
{
	uint8_t what = bytes_u8(&t->in), which = bytes_u8(&t->in);
	uint32_t v = bytes_u32(&t->in);

	if (!t->clause)
		return;
	struct abi_field *f = &t->clause->fields[which % RM_FIELDS];
	struct abi_action *a = &t->clause->actions[which % RM_ACTIONS];
	switch (what % 13) {
	case 0: f->offset = v; break;
	case 1: f->size = v; break;
	case 2: f->kind = (uint8_t)v; break;
	case 3: a->field = v; break;
	case 4: a->nfields = (uint16_t)v; break;
	case 5: a->agg = v; break;
	case 6: a->naggs = v; break;
	case 7: a->branch = (uint16_t)v; break;
	case 8: t->clause->desc.record_size = v; break;
	case 9: t->clause->desc.nbranches = (uint16_t)v; break;
	case 12: t->clause->desc.who = v; break;
	case 10:
		if (t->agg)
			t->m->keys[t->agg - 1][which % RM_KEYS].offset = v;
		break;
	case 11:
		if (t->agg)
			t->m->keys[t->agg - 1][which % RM_KEYS].size = v;
		break;
	}
}

static void
describe(struct target *t)
{
	static void (*const fns[NDESCRIBE])(struct target *) = {
		[DESCRIBE_AGG] = describe_agg, [DESCRIBE_KEY] = describe_key,
		[DESCRIBE_CLAUSE] = describe_clause,
		[DESCRIBE_ACTION] = describe_action,
		[DESCRIBE_FIELD] = describe_field,
		[DESCRIBE_USE] = describe_use, [DESCRIBE_EPID] = describe_epid,
		[DESCRIBE_BEND] = describe_bend,
	};

	rm_probe(t->m, "prov", "mod", "func", "entry");
	rm_probe(t->m, "prov", "mod", "func", "return");
	rm_probe(t->m, "syscall", "vmlinux", "read", "entry");
	while (t->in.n) {
		uint8_t op = bytes_u8(&t->in) % NDESCRIBE;
		if (op == DESCRIBE_DONE)
			return;
		fns[op](t);
	}
}

/* --- What happens ------------------------------------------------------------ */

static void
happen_record(struct target *t)
{
	uint8_t cpu = bytes_u8(&t->in) % NCPUS, epid = bytes_u8(&t->in);
	uint64_t time = bytes_u64(&t->in);

	if (!epid || epid > t->m->nepids)
		return;
	uint32_t size = t->m->epids[epid - 1].desc->record_size;
	if (size < sizeof(struct abi_record) || size > RECORD_MAX)
		return;
	struct abi_record *r = rm_record(t->m, cpu, time, epid);
	bytes_copy(&t->in, r + 1, size - sizeof(*r));
}

static void
happen_raw(struct target *t)
{
	uint8_t cpu = bytes_u8(&t->in) % NCPUS;
	size_t got, n = bytes_u8(&t->in);
	const uint8_t *p = bytes_take(&t->in, n, &got);

	rm_raw(t->m, cpu, p, got);
}

static void
happen_error(struct target *t)
{
	uint8_t cpu = bytes_u8(&t->in) % NCPUS;
	struct abi_error_record r = {
		.hdr = { ABI_EPID_ERROR, sizeof(r), bytes_u64(&t->in) },
	};

	r.epid = bytes_u32(&t->in);
	r.action = bytes_u32(&t->in);
	r.dif_offset = (int32_t)bytes_u32(&t->in);
	r.fault = (int32_t)bytes_u32(&t->in);
	r.value = bytes_u64(&t->in);
	rm_raw(t->m, cpu, &r, sizeof(r));
}

static void
happen_sample(struct target *t)
{
	uint8_t id = bytes_u8(&t->in);
	static uint64_t cells[CELLS_MAX];
	uint8_t key[KEY_MAX + 4 * RM_KEYS];

	if (!id || id > t->m->meta.naggs)
		return;
	const struct abi_agg_desc *d = &t->m->aggs[id - 1];
	bytes_copy(&t->in, key, d->key_size);
	unsigned n = bytes_u8(&t->in) % 128;
	if (d->ncells > CELLS_MAX ||
	    (d->ncells > 256 && ++t->nbig > BIG_SAMPLES))
		return;
	memset(cells, 0, d->ncells * sizeof(*cells));
	for (unsigned i = 0; i < n && t->in.n; i++) {
		uint16_t at = bytes_u16(&t->in);
		cells[at % d->ncells] = bytes_u64(&t->in);
	}
	rm_sample(t->m, id, key, cells);
}

static void
happen_drop(struct target *t)
{
	uint8_t kind = bytes_u8(&t->in) % ABI_NDROPS;
	uint8_t cpu = bytes_u8(&t->in) % NCPUS;

	t->m->drops[kind][cpu] += bytes_u32(&t->in);
}

static void
happen_option(struct target *t)
{
	static const enum opt_id ids[] = {
		OPT_QUIET, OPT_AGGSORTKEY, OPT_AGGSORTKEYPOS, OPT_AGGSORTPOS,
		OPT_AGGSORTREV, OPT_RAWBYTES, OPT_STACKINDENT, OPT_DROPTAGS,
		OPT_AGGHIST, OPT_AGGPACK, OPT_AGGZOOM, OPT_ENCODING,
		OPT_FLOWINDENT,
	};
	uint8_t i = bytes_u8(&t->in) % BASE_NELEMS(ids);

	t->opts.v[ids[i]] = (int16_t)bytes_u16(&t->in);
}

/* A disk that fills up. */
static struct err *
take_output(void *ctx, const char *p, size_t n)
{
	struct target *t = ctx;

	fuzz_must(n > 0);
	t->written += n;
	return t->written < OUT_MAX ? NULL :
		err_new(ERR_OS, 28, "No space left on device");
}

static struct err *
take_action(void *ctx, const struct consume_event *e,
	    const struct abi_action *a, const char *text, const char *value)
{
	struct target *t = ctx;

	fuzz_must(a >= e->epid->desc->actions &&
		  a < e->epid->desc->actions + e->epid->desc->nactions);
	t->written += (text ? strlen(text) : 0) + (value ? strlen(value) : 0);
	if (a->kind == ABI_ACT_SETOPT)		/* one that is refused */
		return fmt_error(t->f, e, ABI_FAULT_LIBRARY, "no");
	return NULL;
}

static struct err *
on_record(struct target *t, const struct consume_event *e)
{
	int status;

	fuzz_must(e->epid && e->epid->desc && e->record);
	fuzz_must(e->record->size == e->epid->desc->record_size);
	fmt_exit_status(e, &status);
	return fmt_record(t->f, e);
}

static struct err *
on_event(void *ctx, const struct consume_event *e)
{
	struct target *t = ctx;
	struct sb b;

	fuzz_must(e->cpu < NCPUS);
	if (e->kind == CONSUME_RECORD)
		return on_record(t, e);
	sb_init(&b, 4096);
	if (e->kind == CONSUME_ERROR)
		fmt_error_text(e, &b);
	else
		fmt_drop_text(e, t->opts.v[OPT_DROPTAGS] > 0, &b);
	fuzz_must(b.len && !b.failed && !strchr(sb_str(&b), '\n'));
	struct err *err = e->kind == CONSUME_DROP ? fmt_drop(t->f, e) :
		fmt_error(t->f, e, e->error->fault, sb_str(&b));
	sb_fini(&b);
	return err;
}

static bool
may_fail(struct target *t, struct err *e)
{
	if (!e)
		return true;
	fuzz_must(e->code == ERR_OS && t->written >= OUT_MAX);
	err_free(e);
	return false;
}

static bool
pass(struct target *t, bool final)
{
	return may_fail(t, consume_pass(t->c, t->temporal, final, on_event,
					t)) &&
	       may_fail(t, consume_drops(t->c, on_event, t));
}

static void
happen(struct target *t)
{
	static void (*const fns[NHAPPEN])(struct target *) = {
		[HAPPEN_RECORD] = happen_record, [HAPPEN_RAW] = happen_raw,
		[HAPPEN_ERROR] = happen_error, [HAPPEN_SAMPLE] = happen_sample,
		[HAPPEN_DROP] = happen_drop, [HAPPEN_OPTION] = happen_option,
	};
	bool ok = true;

	while (ok && t->in.n) {
		uint8_t op = bytes_u8(&t->in) % NHAPPEN;
		if (op == HAPPEN_END)
			ok = may_fail(t, fmt_end(t->f));
		else if (op == HAPPEN_PASS)
			ok = pass(t, bytes_u8(&t->in) & 1);
		else
			fns[op](t);
	}
	if (ok && pass(t, true))
		may_fail(t, fmt_end(t->f));
}

/* --- The whole ----------------------------------------------------------------- */

static void
target_init(struct target *t, const uint8_t *p, size_t n)
{
	static bool have_zone;

	if (!have_zone)
		setenv("TZ", "UTC", 1);
	have_zone = true;
	*t = (struct target){ .in = { p, n } };
	t->m = rm_new(NCPUS);
	t->types = arena_new();
	for (int i = 0; i < OPT_N; i++)
		t->opts.v[i] = OPT_UNSET;
	t->opts.v[OPT_STACKINDENT] = 14;
	uint8_t flags = bytes_u8(&t->in);
	t->opts.v[OPT_QUIET] = flags & RECORDS_QUIET;
	t->temporal = flags & RECORDS_TEMPORAL;
	t->opts.v[OPT_OFORMAT] = flags / RECORDS_SHAPE % OPT_OFORMAT_N;
}

static void
target_fini(struct target *t)
{
	fmt_free(t->f);
	consume_free(t->c);
	rm_free(t->m);
	arena_free(t->types);
	for (unsigned i = 0; i < t->ntexts; i++)
		free(t->texts[i]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct target t;

	target_init(&t, p, n);
	describe(&t);
	struct err *e = consume_new(&t.m->source, &t.m->meta, &t.c);
	if (e) {
		fuzz_must(e->code == ERR_FORMAT);
		err_free(e);
	} else {
		struct fmt_out out = { &t, take_output, take_action };
		fuzz_must(!fmt_new(t.c, &t.m->meta, &t.opts, out, &t.f));
		happen(&t);
	}
	target_fini(&t);
	return 0;
}
