/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A trace that has one of everything, saved and read: which frames the file has, in
 * which order, each thing described once and before it is needed; and that the reader
 * gives again what the source gave.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "save/save_priv.h"
#include "sym/names.h"
#include "sym/sym.h"

enum { PID = 0x3fffff00, NFIELDS = 9, SIZE = 176 };

/* --- What is traced -------------------------------------------------------- */

/* The record is a header and these, one behind the other. */
static const struct abi_field fields[NFIELDS] = {
	{ .kind = ABI_FIELD_INT, .align = 8, .offset = 16, .size = 8 },
	{ .kind = ABI_FIELD_SYM, .align = 8, .offset = 24, .size = 8 },
	{ .kind = ABI_FIELD_MOD, .align = 8, .offset = 32, .size = 8 },
	{ .kind = ABI_FIELD_USYM, .align = 8, .offset = 40, .size = 16 },
	{ .kind = ABI_FIELD_STACK, .align = 8, .offset = 56, .size = 24 },
	{ .kind = ABI_FIELD_USTACK, .align = 8, .offset = 80, .size = 32 },
	{ .kind = ABI_FIELD_PROBE, .align = 4, .offset = 112, .size = 4 },
	{ .kind = ABI_FIELD_STRING, .align = 1, .offset = 116, .size = 12 },
	{ .kind = ABI_FIELD_UADDR, .align = 8, .offset = 128, .size = 16 },
};
static const struct abi_action action = { .kind = ABI_ACT_PRINTF,
	.nfields = NFIELDS, .format = "%A" };
static const struct abi_action plain = { .kind = ABI_ACT_PRINTF,
	.nfields = NFIELDS, .format = "%d" };
static const struct abi_clause_desc descs[] = {
	{ .record_size = 144, .nactions = 1, .nfields = NFIELDS,
	  .actions = &plain, .fields = fields },
	{ .record_size = 144, .nactions = 1, .nfields = NFIELDS,
	  .actions = &action, .fields = fields },
};
static const struct consume_epid epids[] = { { 7, &descs[0] }, { 8, &descs[1] } };
static const struct consume_probe probes[] = {
	{ 7, "p", "m", "f", "n" }, { 8, "p", "", "g", "entry" },
	{ 9, "q", "", "", "other" },
};
static const struct abi_field keys[] = {
	{ .kind = ABI_FIELD_SYM, .align = 8, .size = 8 },
	{ .kind = ABI_FIELD_INT, .align = 8, .offset = 8, .size = 8 },
};
static const char *const key_names[] = { NULL, "second" };
static const struct abi_agg_desc agg = { .id = 1, .func = ABI_AGG_SUM, .nkeys = 2,
	.keys = keys, .key_size = 16, .ncells = 1, .name = "a",
	.key_names = key_names };

static const struct consume_epid *
epid(void *ctx, uint32_t id)
{
	return id && id <= 2 ? &epids[id - 1] : NULL;
}

static const struct consume_probe *
probe(void *ctx, uint32_t id)
{
	return id >= 7 && id <= 9 ? &probes[id - 7] : NULL;
}

static const struct abi_agg_desc *
one_agg(void *ctx, uint32_t id)
{
	return &agg;
}

static const char *
file(void *ctx, uint32_t no)
{
	return no == 5 ? "library.d" : NULL;
}

static const struct consume_meta meta = { .epid = epid, .probe = probe,
	.agg = one_agg, .file = file, .naggs = 1, .strsize = 64 };

struct world {
	const void *record;		/* that next() gives on ring 1, once */
	size_t size;
	uint64_t drops, now;
	struct consume_spec spec;
	unsigned released, freed, seen;
};

static const void *
next(void *ctx, unsigned ring, size_t *size)
{
	struct world *w = ctx;
	const void *r = ring == 1 ? w->record : NULL;

	if (r) {
		*size = w->size;
		w->record = NULL;
	}
	return r;
}

static void
release(void *ctx, unsigned ring)
{
	((struct world *)ctx)->released += 1 + ring;
}

static uint64_t
drops(void *ctx, enum abi_drop kind, unsigned cpu)
{
	return kind == ABI_DROP_FIRING ? 4 + cpu :
	       kind == ABI_DROP_PRINCIPAL && cpu == 1 ?
	       ((struct world *)ctx)->drops : 0;
}

static uint64_t
now(void *ctx)
{
	return ((struct world *)ctx)->now;
}

static struct consume_spec
spec(void *ctx, uint32_t id)
{
	return id == 2 ? ((struct world *)ctx)->spec : (struct consume_spec){ 0 };
}

static void
spec_free(void *ctx, uint32_t id)
{
	((struct world *)ctx)->freed += id;
}

static void
spec_seen(void *ctx, uint32_t id)
{
	((struct world *)ctx)->seen += id;
}

static void
fill(uint8_t *p, uint32_t id)
{
	const uint64_t words[] = {
		id, 0x1111, 0x2222, 0x3333, PID, 0x4444, 0x5551, 0x5552, 0,
		PID, 0x6661, 0x6662, 0, 9, 0, PID, 0x7777,
	};

	memset(p, 0, SIZE);
	memcpy(p, &words[0], 8);
	memcpy(p + 16, &words[1], sizeof(words) - 8);
}

/* --- The file as text ------------------------------------------------------ */

static void
show(struct sb *b, const struct save_frame *f, const uint8_t *p)
{
	const uint32_t *w = (const void *)p;
	const struct save_name *n = (const void *)p;

	switch ((enum save_kind)f->kind) {
	case SAVE_NAME:
		sb_printf(b, "name %u %d %llx\n", n->flags, n->pid == PID ? 1 :
			  n->pid, (unsigned long long)n->addr);
		break;
	case SAVE_PROBE:
		sb_printf(b, "probe %u\n", w[0]);
		break;
	case SAVE_EPID:
		sb_printf(b, "epid %u %u %u\n", w[0], w[1], w[2]);
		break;
	case SAVE_FILE:
		sb_printf(b, "file %u\n", w[0]);
		break;
	case SAVE_STEP:
		sb_printf(b, "step %u %u\n", w[0], w[2]);
		break;
	case SAVE_RECORD:
		sb_printf(b, "record %u %u\n", w[0], f->size - 8);
		break;
	case SAVE_NONE:
		sb_printf(b, "none %u\n", w[0]);
		break;
	case SAVE_NOW:
		sb_printf(b, "now %u\n", w[0]);
		break;
	case SAVE_DROP:
		sb_printf(b, "drop %u %u %u\n", w[0], w[1], w[2]);
		break;
	case SAVE_SPEC:
		sb_printf(b, "spec %u %u %u %u\n", w[0], w[1], w[2], w[4]);
		break;
	case SAVE_DESC:
		sb_printf(b, "desc %u\n", w[0]);
		break;
	case SAVE_PROC:
		sb_printf(b, "proc %u %s\n", w[0], (const char *)p + 8);
		break;
	case SAVE_OPTION:
		sb_printf(b, "option %s\n", (const char *)p + 8);
		break;
	default:
		sb_printf(b, "kind %u\n", f->kind);
		break;
	}
}

static void
check_frames(const uint8_t *p, size_t size, const char *want)
{
	struct save_frame f;
	struct sb b;

	sb_init(&b, 1 << 16);
	for (size_t at = sizeof(struct save_head); at < size;
	     at += sizeof(f) + ((f.size + 7u) & ~(size_t)7)) {
		memcpy(&f, p + at, sizeof(f));
		show(&b, &f, p + at + sizeof(f));
	}
	assert_string_equal(sb_str(&b), want);
	sb_fini(&b);
}

/* --- Both ways ------------------------------------------------------------- */

/* Ask src as a consumer does.  save NULL: src is a saved trace's. */
static void
ask(const struct consume_source *src, struct world *w, uint32_t id)
{
	static uint8_t r[SIZE];
	const uint8_t *got;
	size_t size = 0;

	fill(r, id);
	if (w) {
		w->record = r;
		w->size = 144;
	}
	assert_null(src->next(src->ctx, 0, &size));
	got = src->next(src->ctx, 1, &size);
	assert_non_null(got);
	assert_int_equal(size, 144);
	assert_memory_equal(got, r, size);
	src->release(src->ctx, 1);
}

static void
release_nothing(void *ctx, unsigned ring)
{
}

static void
write_all(struct save *s, struct world *w)
{
	const struct consume_source *src = save_source(s);
	struct abi_error_record error = { .hdr = { .epid = ABI_EPID_ERROR,
		.size = sizeof(error) }, .epid = 2, .place = abi_place(5, 3) };
	size_t size;

	assert_int_equal(src->ncpus, 2);
	assert_int_equal(src->nspec, 2);
	save_start(s, 5, NULL);
	assert_null(save_step(s, SAVE_STEP_PASS, 11));
	ask(src, w, 1);
	assert_int_equal(w->released, 2);
	w->now = 100;
	assert_int_equal(src->now(src->ctx), 100);
	/* Nothing but questions: it is as if the step had not been. */
	assert_null(save_step(s, SAVE_STEP_PASS, 12));
	assert_null(src->next(src->ctx, 1, &size));
	assert_int_equal(src->now(src->ctx), 100);
	assert_null(save_step(s, SAVE_STEP_PASS, 13));
	ask(src, w, 1);
	ask(src, w, 2);
	ask(src, w, 2);
	w->record = &error;
	w->size = sizeof(error);
	assert_non_null(src->next(src->ctx, 1, &size));
	assert_null(save_step(s, SAVE_STEP_DROPS, 14));
	w->drops = 3;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(src->drops(src->ctx, ABI_DROP_PRINCIPAL, 0), 0);
		assert_int_equal(src->drops(src->ctx, ABI_DROP_PRINCIPAL, 1), 3);
		/* For each CPU, as files have it that are older. */
		src->drops(src->ctx, ABI_DROP_FIRING, 0);
		src->drops(src->ctx, ABI_DROP_FIRING, 1);
	}
	assert_null(save_step(s, SAVE_STEP_CLEAN, 14));
	w->spec = (struct consume_spec){ CONSUME_SPEC_COMMITTED, 4, 5 };
	for (int i = 0; i < 2; i++) {
		assert_int_equal(src->spec(src->ctx, 1).state, 0);
		assert_int_equal(src->spec(src->ctx, 2).gen, 4);
	}
	w->spec = (struct consume_spec){ CONSUME_SPEC_DISCARDED, 6, 7 };
	assert_int_equal(src->spec(src->ctx, 2).gen, 6);
	src->spec_free(src->ctx, 2);
	src->spec_seen(src->ctx, 1);
	assert_int_equal(w->freed, 2);
	assert_int_equal(w->seen, 1);
	save_proc(s, 77, "it has ended");
	assert_null(save_step(s, SAVE_STEP_FINAL, 15));
	assert_null(save_end(s, 999));
}

static unsigned nprocs;

static void
on_proc(void *ctx, int pid, const char *text)
{
	assert_int_equal(pid, 77);
	assert_string_equal(text, "it has ended");
	nprocs++;
}

static void
check_step(struct saved *s, enum save_step want)
{
	enum save_step step;

	assert_null(saved_step(s, &step, on_proc, NULL));
	assert_int_equal(step, want);
}

static void
check_probe(const struct consume_meta *m, uint32_t id)
{
	const struct consume_probe *p = m->probe(m->ctx, id);
	const struct consume_probe *want = probe(NULL, id);

	assert_non_null(p);
	assert_int_equal(p->id, id);
	assert_string_equal(p->prov, want->prov);
	assert_string_equal(p->mod, want->mod);
	assert_string_equal(p->func, want->func);
	assert_string_equal(p->name, want->name);
}

static const struct consume_spec specs[] = {
	{ CONSUME_SPEC_COMMITTED, 4, 5 }, { CONSUME_SPEC_DISCARDED, 6, 7 },
	{ CONSUME_SPEC_DISCARDED, 6, 7 },
};

static void
check_read(const uint8_t *p, size_t size)
{
	struct abi_error_record error;
	struct consume_source src;
	const struct consume_meta *m;
	const struct consume_epid *e;
	struct opt_set opts;
	struct saved *s;
	int64_t clock;
	uint64_t t;
	const void *r;

	assert_null(saved_open_bytes(p, size, &s));
	assert_null(opt_init(&opts));
	saved_options(s, &opts);
	assert_int_equal(opts.v[OPT_STACKINDENT], 7);
	opt_fini(&opts);
	src = *saved_source(s);
	src.release = release_nothing;
	m = saved_meta(s);
	assert_int_equal(src.ncpus, 2);
	assert_int_equal(src.nspec, 2);
	assert_int_equal(m->strsize, 64);
	assert_int_equal(m->agg(m->ctx, 1)->func, ABI_AGG_SUM);
	assert_string_equal(m->agg(m->ctx, 1)->name, "a");
	assert_null(m->agg(m->ctx, 1)->key_names[0]);
	assert_string_equal(m->agg(m->ctx, 1)->key_names[1], "second");
	assert_null(m->agg(m->ctx, 0));
	assert_null(m->agg(m->ctx, 2));
	assert_null(m->epid(m->ctx, 1));
	check_step(s, SAVE_STEP_PASS);
	ask(&src, NULL, 1);
	e = m->epid(m->ctx, 1);
	assert_non_null(e);
	assert_int_equal(e->probe, 7);
	assert_int_equal(e->desc->nfields, NFIELDS);
	for (int i = 0; i < NFIELDS; i++)
		assert_memory_equal(&e->desc->fields[i], &fields[i],
				    sizeof(fields[i]));
	assert_string_equal(e->desc->actions->format, "%d");
	check_probe(m, 7);
	check_probe(m, 9);
	assert_null(m->probe(m->ctx, 8));
	assert_int_equal(src.now(src.ctx), 100);
	saved_clock(s, &t, &clock);
	assert_int_equal(t, 100);
	assert_int_equal(clock, 11);
	assert_true(saved_clock_changes(s));
	check_step(s, SAVE_STEP_PASS);
	ask(&src, NULL, 1);
	ask(&src, NULL, 2);
	ask(&src, NULL, 2);
	r = src.next(src.ctx, 1, &size);
	assert_int_equal(size, sizeof(error));
	memcpy(&error, r, sizeof(error));
	assert_int_equal(error.epid, 2);
	assert_string_equal(m->file(m->ctx, 5), "library.d");
	assert_null(m->file(m->ctx, 6));
	check_step(s, SAVE_STEP_DROPS);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(src.drops(src.ctx, ABI_DROP_PRINCIPAL, 0), 0);
		assert_int_equal(src.drops(src.ctx, ABI_DROP_PRINCIPAL, 1), 3);
	}
	assert_int_equal(src.drops(src.ctx, ABI_DROP_FIRING, 0), 4 + 5);
	check_step(s, SAVE_STEP_CLEAN);
	assert_int_equal(src.spec(src.ctx, 1).state, 0);
	for (size_t i = 0; i < BASE_NELEMS(specs); i++) {
		struct consume_spec v = src.spec(src.ctx, 2);
		assert_int_equal(v.state, specs[i].state);
		assert_int_equal(v.gen, specs[i].gen);
		assert_int_equal(v.lost, specs[i].lost);
	}
	assert_int_equal(nprocs, 0);
	check_step(s, SAVE_STEP_FINAL);
	assert_int_equal(nprocs, 1);
	check_step(s, SAVE_STEP_NONE);
	saved_clock(s, &t, &clock);
	assert_int_equal(t, 999);
	assert_int_equal(clock, 15);
	saved_close(s);
}

/* A description that counts more than its frame holds, or has a field that is none, ends
 * the reading. */
static void
check_damaged(uint8_t *p, size_t size, size_t field, uint32_t value)
{
	const struct consume_source *src;
	enum save_step step;
	struct saved *s;
	size_t at = sizeof(struct save_head), n;
	struct save_frame f;

	for (;; at += sizeof(f) + ((f.size + 7u) & ~(size_t)7)) {
		memcpy(&f, p + at, sizeof(f));
		if (f.kind == SAVE_DESC)
			break;
	}
	uint32_t *count = (void *)(p + at + sizeof(f) + field), old = *count;
	*count = value;
	assert_null(saved_open_bytes(p, size, &s));
	check_step(s, SAVE_STEP_PASS);
	src = saved_source(s);
	assert_null(src->next(src->ctx, 0, &n));
	assert_null(src->next(src->ctx, 1, &n));
	struct err *e = saved_step(s, &step, on_proc, NULL);
	assert_non_null(e);
	assert_non_null(strstr(e->text, "it is damaged"));
	err_free(e);
	saved_close(s);
	*count = old;
}

/* Fields that are none: of their two words one, the one with the kind or that with the
 * size. */
enum { KIND = 0, ITS_SIZE = offsetof(struct abi_field, size) };
#define WORD(kind, sub, align)	((kind) | (sub) << 16 | (align) << 24)
static const struct { unsigned field, at; uint32_t value; } bad[] = {
	{ 0, KIND, WORD(200, 0, 8) }, { 0, KIND, WORD(ABI_FIELD_INT, 0, 3) },
	{ 0, KIND, WORD(ABI_FIELD_INT, 0, 0) },
	{ 6, KIND, WORD(ABI_FIELD_PROBE, ABI_PART_NAME + 1, 4) },
	{ 0, ITS_SIZE, 3 }, { 0, ITS_SIZE, 16 }, { 1, ITS_SIZE, 4 },
	{ 2, ITS_SIZE, 16 }, { 3, ITS_SIZE, 8 }, { 4, ITS_SIZE, 20 },
	{ 4, ITS_SIZE, 0 }, { 5, ITS_SIZE, 4 }, { 6, ITS_SIZE, 8 },
	{ 7, ITS_SIZE, 0 }, { 8, ITS_SIZE, 24 },
};

/* The first of a list of addresses is one of an instruction, those behind it are where
 * calls return to.  Whether plain numbers are addresses depends on the formats. */
static const char frames[] =
	"kind 1\n"
	"option stackindent\n"
	"kind 3\n"
	"kind 18\n"
	"step 1 11\n"
	"none 0\n"
	"probe 7\ndesc 1\nepid 1 7 1\n"
	"name 0 0 2222\nname 0 0 3333\nname 1 1 4444\n"
	"name 0 0 5551\nname 2 0 5552\nname 1 1 6661\nname 3 1 6662\n"
	"probe 9\nname 1 1 7777\n"
	"record 1 144\n"
	"now 100\n"
	"step 1 13\n"
	"none 0\nrecord 1 144\n"
	"none 0\nprobe 8\ndesc 2\nepid 2 8 2\n"
	"name 0 0 1111\nname 1 0 1111\n"
	"record 1 144\n"
	"none 0\nrecord 1 144\n"
	"file 5\n"
	"record 1 48\n"
	"step 5 14\n"
	"drop 0 1 3\ndrop 10 0 4\ndrop 10 1 5\n"
	"step 6 14\n"
	"spec 2 1 4 5\nspec 2 2 6 7\n"
	"proc 77 it has ended\n"
	"step 2 15\n"
	"now 999\n"
	"kind 0\n";

static void
test_trip(void **state)
{
	struct world w = { 0 };
	struct consume_source src = { .ctx = &w, .ncpus = 2, .nrings = 2,
		.nspec = 2, .next = next, .release = release, .drops = drops,
		.now = now, .spec = spec, .spec_free = spec_free,
		.spec_seen = spec_seen };
	char path[] = "/tmp/test-save-XXXXXX";
	struct sym_kernel *kernel;
	struct sym_names *names;
	struct opt_set opts;
	struct save *s;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_null(opt_init(&opts));
	assert_null(opt_set_value(&opts, "stackindent", "7",
				  OPT_FROM_COMMAND, false));
	assert_null(sym_kernel_new("/dev/null", &kernel));
	assert_null(sym_names_new(kernel, &names));
	struct save_subject of = { &src, &meta, &opts, names };
	assert_null(save_create(path, 0, &of, &s));
	write_all(s, &w);
	save_free(s);
	opt_fini(&opts);
	sym_names_free(names);
	sym_kernel_free(kernel);
	size_t size = (size_t)lseek(fd, 0, SEEK_END);
	uint8_t *p = malloc(size);
	assert_non_null(p);
	assert_int_equal(pread(fd, p, size, 0), size);
	close(fd);
	unlink(path);
	check_frames(p, size, frames);
	check_read(p, size);
	check_damaged(p, size, offsetof(struct save_desc, nactions), 60000);
	check_damaged(p, size, offsetof(struct save_desc, nfields), 60000);
	check_damaged(p, size, offsetof(struct save_desc, naggids), 60000);
	for (size_t i = 0; i < BASE_NELEMS(bad); i++)
		check_damaged(p, size, sizeof(struct save_desc) + bad[i].at +
			      bad[i].field * sizeof(*fields), bad[i].value);
	free(p);
}

/* --- Names ----------------------------------------------------------------- */

static const struct sym_line lines[] = {
	{ "inner", "/src/a.c", 7 }, { NULL, "/src/b.c", 8 }, { "outer", NULL, 9 },
	{ NULL, NULL, 0 }, { "last", "/src/c.c", UINT32_MAX },
};

/* Those of the record, and what each lies in. */
static const struct name {
	enum sym_kept whose;
	bool is_return;
	struct sym_place p;
} names[] = {
	{ SYM_KEPT_KERNEL, false, { 0x2222, "vmlinux", "f", 0x22, 0x2000, NULL, 0 } },
	{ SYM_KEPT_KERNEL, false, { 0x3333, "ext4", NULL, 0, 0x3000, NULL, 0 } },
	{ SYM_KEPT_USER, false, { 0x4444, "prog", "main", 4, 0x4000, lines, 1 } },
	{ SYM_KEPT_KERNEL, false, { 0x5551, NULL, "lost", 1, 0x5551, NULL, 0 } },
	{ SYM_KEPT_KERNEL, true, { 0x5552, NULL, NULL, 0, 0x5552, NULL, 0 } },
	{ SYM_KEPT_USER, false, { 0x6661, "libc.so.6", "read", 0x1234, 0x6000, lines, 5 } },
	{ SYM_KEPT_USER, true, { 0x6662, "prog", "main", 99, 0x4000, lines + 1, 3 } },
	{ SYM_KEPT_USER, false, { 0x7777, "prog", NULL, 0, 0x4000, lines + 2, 1 } },
};

static void
check_text(const char *got, const char *want, size_t i)
{
	if (!got != !want || (got && strcmp(got, want)))
		fail_msg("name %zu: %s, not %s", i, got ? got : "none", want ? want : "none");
}

static void
check_names(struct sym_names *n)
{
	struct sym_place p;

	for (size_t i = 0; i < BASE_NELEMS(names); i++) {
		const struct sym_place *want = &names[i].p;
		bool user = names[i].whose == SYM_KEPT_USER;
		if (names[i].is_return)
			sym_names_frame(n, user ? PID : 0, want->addr, 1, &p);
		else if (user)
			sym_names_user(n, PID, want->addr, &p);
		else
			sym_names_kernel(n, want->addr, &p);
		assert_int_equal(p.addr, want->addr);
		check_text(p.module, want->module, i);
		check_text(p.function, want->function, i);
		assert_int_equal(p.offset, want->offset);
		assert_int_equal(p.module_start, want->module_start);
		assert_int_equal(p.nlines, want->nlines);
		for (size_t l = 0; l < p.nlines; l++) {
			check_text(p.lines[l].function, want->lines[l].function, i);
			check_text(p.lines[l].file, want->lines[l].file, i);
			assert_int_equal(p.lines[l].line, want->lines[l].line);
		}
	}
	/* Of the same address elsewhere nothing is known. */
	sym_names_user(n, PID + 1, 0x4444, &p);
	assert_null(p.module);
	sym_names_kernel(n, 0x4444, &p);
	assert_null(p.module);
}

/* All that is known of a place comes back: names or none, and each line of its. */
static void
test_names(void **state)
{
	struct world w = { 0 };
	struct consume_source src = { .ctx = &w, .ncpus = 2, .nrings = 2,
		.next = next, .release = release, .now = now };
	char path[] = "/tmp/test-save-XXXXXX";
	struct sym_names *known;
	struct opt_set opts;
	struct save *s;
	struct saved *read;

	close(mkstemp(path));
	assert_null(opt_init(&opts));
	assert_null(sym_names_new(NULL, &known));
	for (size_t i = 0; i < BASE_NELEMS(names); i++)
		assert_true(sym_names_keep(known, names[i].whose, names[i].whose ==
					   SYM_KEPT_USER ? PID : 0, names[i].is_return,
					   &names[i].p));
	check_names(known);
	struct save_subject of = { &src, &meta, &opts, known };
	assert_null(save_create(path, 0, &of, &s));
	save_start(s, 5, NULL);
	assert_null(save_step(s, SAVE_STEP_PASS, 11));
	ask(save_source(s), &w, 1);
	assert_null(save_end(s, 12));
	save_free(s);
	sym_names_free(known);

	assert_null(saved_open(path, &read));
	src = *saved_source(read);
	src.release = release_nothing;
	check_step(read, SAVE_STEP_PASS);
	ask(&src, NULL, 1);
	check_names(saved_names(read));
	saved_close(read);
	opt_fini(&opts);
	unlink(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trip),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
