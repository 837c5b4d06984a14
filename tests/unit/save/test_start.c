/* SPDX-License-Identifier: BSD-2-Clause
 *
 * When a trace began and what it is headed by, through the file and back; files
 * that have it not, twice, or too long.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "save/save_priv.h"

enum { BEGUN = 5, ENDED = 77 };

/* A file of a trace without anything in it; to be freed. */
static uint8_t *
make_file(const char *heading, size_t *size)
{
	static const struct consume_source source = { .ncpus = 1 };
	static const struct consume_meta meta;
	char path[] = "/tmp/test-save-XXXXXX";
	struct opt_set opts;
	struct save *s;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_null(opt_init(&opts));
	struct save_subject of = { &source, &meta, &opts, NULL };
	assert_null(save_create(path, 0, &of, &s));
	save_start(s, BEGUN, heading);
	assert_null(save_step(s, SAVE_STEP_FINAL, 0));
	assert_null(save_end(s, ENDED));
	/* Who looks at aggregations afterwards goes on asking. */
	for (int i = 0; i < 20000; i++) {
		assert_null(save_step(s, SAVE_STEP_SNAPSHOT, 0));
		save_event(s);
	}
	save_free(s);
	opt_fini(&opts);
	*size = (size_t)lseek(fd, 0, SEEK_END);
	uint8_t *p = malloc(*size);
	assert_non_null(p);
	assert_int_equal(pread(fd, p, *size, 0), *size);
	close(fd);
	unlink(path);
	return p;
}

static void
on_proc(void *ctx, int pid, const char *text)
{
	fail();
}

/* Where the first frame of that kind is. */
static size_t
find(const uint8_t *p, size_t size, uint32_t kind)
{
	struct save_frame f;

	for (size_t at = sizeof(struct save_head); at < size;
	     at += sizeof(f) + ((f.size + 7u) & ~(size_t)7)) {
		memcpy(&f, p + at, sizeof(f));
		if (f.kind == kind)
			return at;
	}
	fail();
	return 0;
}

static void
check_heading(const char *heading, const char *kept)
{
	enum save_step step;
	uint64_t now;
	int64_t delta;
	struct saved *s;
	size_t size;
	uint8_t *p = make_file(heading, &size);

	assert_null(saved_open_bytes(p, size, &s));
	assert_int_equal(saved_info(s).begun, BEGUN);
	if (kept)
		assert_string_equal(saved_info(s).heading, kept);
	else
		assert_null(saved_info(s).heading);
	assert_null(saved_step(s, &step, on_proc, NULL));
	assert_int_equal(step, SAVE_STEP_FINAL);
	assert_null(saved_step(s, &step, on_proc, NULL));
	assert_int_equal(step, SAVE_STEP_NONE);
	saved_clock(s, &now, &delta);
	assert_int_equal(now, ENDED);
	saved_close(s);
	free(p);
}

static void
test_round_trip(void **state)
{
	char *longest = malloc(SAVE_HEADING_MAX + 10);

	check_heading(NULL, NULL);
	check_heading("", "");
	check_heading("BEGIN { }\n-c sleep 1", "BEGIN { }\n-c sleep 1");
	memset(longest, 'x', SAVE_HEADING_MAX + 9);
	longest[SAVE_HEADING_MAX + 9] = '\0';
	char *kept = strndup(longest, SAVE_HEADING_MAX - 1);
	check_heading(longest, kept);
	free(kept);
	free(longest);
	save_free(NULL);
	saved_close(NULL);
}

/* What opening the bytes says; NULL: nothing. */
static const char *
open_says(const uint8_t *p, size_t size)
{
	static char text[200];
	struct saved *s;
	struct err *e = saved_open_bytes(p, size, &s);
	enum save_step step;

	if (!e) {
		e = saved_step(s, &step, on_proc, NULL);
		if (!e && step != SAVE_STEP_NONE)
			e = saved_step(s, &step, on_proc, NULL);
		saved_close(s);
	}
	if (!e)
		return NULL;
	snprintf(text, sizeof(text), "%s", e->text);
	err_free(e);
	return text;
}

static void
assert_damaged(const uint8_t *p, size_t size)
{
	const char *text = open_says(p, size);

	assert_non_null(text);
	assert_non_null(strstr(text, "it is damaged"));
}

/* Files of the first version had no such frame. */
static void
test_versions(void **state)
{
	size_t size, at;
	uint8_t *p = make_file("x", &size);
	uint32_t *version = (void *)(p + offsetof(struct save_head, version));
	struct saved *s;

	assert_int_equal(*version, 3);
	*version = 4;
	assert_non_null(strstr(open_says(p, size), "format 4; this is 3"));
	*version = 0;
	assert_non_null(strstr(open_says(p, size), "format 0; this is 3"));
	*version = 1;
	at = find(p, size, SAVE_START);
	memmove(p + at, p + at + 24, size - at - 24);
	assert_null(saved_open_bytes(p, size - 24, &s));
	assert_int_equal(saved_info(s).begun, 0);
	assert_null(saved_info(s).heading);
	saved_close(s);
	assert_null(open_says(p, size - 24));
	free(p);
}

/* A frame that is too short, without an end of its text, too long, or there
 * again, ends the reading. */
static void
test_hostile(void **state)
{
	size_t size, at;
	uint8_t *p = make_file("1234567", &size);
	struct save_frame *f;

	at = find(p, size, SAVE_START);
	f = (void *)(p + at);
	assert_null(open_says(p, size));
	assert_int_equal(f->size, 16);
	for (f->size = 0; f->size < 16; f->size++)
		if (f->size != 8)	/* no heading */
			assert_damaged(p, size);
	p[at + 8 + 15] = 'x';
	assert_damaged(p, size);
	free(p);

	char *longest = malloc(SAVE_HEADING_MAX);
	memset(longest, 'x', SAVE_HEADING_MAX - 1);
	longest[SAVE_HEADING_MAX - 1] = '\0';
	p = make_file(longest, &size);
	free(longest);
	f = (void *)(p + find(p, size, SAVE_START));
	assert_null(open_says(p, size));
	assert_int_equal(f->size, 8 + SAVE_HEADING_MAX);
	f->size += 8;		/* the next frame is taken for more of it */
	assert_damaged(p, size);
	free(p);

	p = make_file("1234567", &size);
	at = find(p, size, SAVE_START);
	uint8_t *twice = malloc(size + 24);
	memcpy(twice, p, at + 24);
	memcpy(twice + at + 24, p + at, size - at);
	assert_damaged(twice, size + 24);
	free(twice);
	free(p);
}

/* What a head and a frame may say at most; and what of a head is no trace of ours. */
static void
test_limits(void **state)
{
#define HEAD(field) offsetof(struct save_head, field)
#define OURS "another release of dtrace"
	static const struct {
		size_t at;
		uint32_t value;
		const char *want;		/* NULL: nothing */
	} heads[] = {
		{ HEAD(magic), 0, "it does not begin like one" },
		{ HEAD(magic) + 4, 0, "it does not begin like one" },
		{ HEAD(mark), 0x04030201, "another order of bytes" },
		{ HEAD(version), SAVE_VERSION + 1, OURS },
		{ HEAD(ndrops), ABI_NDROPS - 1, OURS }, { HEAD(ndrops), ABI_NDROPS + 1, OURS },
		{ HEAD(ncpus), 0, "it is damaged" }, { HEAD(ncpus), 16384, NULL },
		{ HEAD(ncpus), 16384 + 1, "it is damaged" },
		{ HEAD(nrings), 1, NULL }, { HEAD(nrings), 2, "it is damaged" },
		{ HEAD(nspec), 1 << 20, NULL },
		{ HEAD(nspec), (1 << 20) + 1, "it is damaged" },
		/* none of them is described */
		{ HEAD(naggs), 1, "it is damaged" },
		{ HEAD(naggs), 65536 + 1, "it is damaged" },
	}, frames[] = {
		{ 4, 64u << 20, "it ends early" },
		{ 4, (64u << 20) + 1, "it is damaged" },
		{ 4, UINT32_MAX, "it is damaged" },
		{ 0, SAVE_NKINDS, "it is damaged" }, { 0, UINT32_MAX, "it is damaged" },
	};
#undef HEAD
#undef OURS
	size_t size;
	uint8_t *p = make_file("x", &size);
	size_t at = find(p, size, SAVE_STEP);

	for (size_t i = 0; i < BASE_NELEMS(heads) + BASE_NELEMS(frames); i++) {
		bool is_head = i < BASE_NELEMS(heads);
		size_t k = is_head ? i : i - BASE_NELEMS(heads);
		uint8_t *word = is_head ? p + heads[k].at : p + at + frames[k].at;
		uint32_t value = is_head ? heads[k].value : frames[k].value, old;
		const char *want = is_head ? heads[k].want : frames[k].want;
		memcpy(&old, word, sizeof(old));
		memcpy(word, &value, sizeof(value));
		const char *got = open_says(p, size);
		if (want ? !got || !strstr(got, want) : got != NULL)
			fail_msg("%s %zu: %s", is_head ? "head" : "frame", k,
				 got ? got : "nothing");
		memcpy(word, &old, sizeof(old));
	}
	/* cut within the head, and within what says how long a frame is */
	assert_non_null(strstr(open_says(p, sizeof(struct save_head) - 1),
			       "it does not begin like one"));
	assert_non_null(strstr(open_says(p, at + 7), "it ends early"));
	assert_non_null(strstr(open_says(p, at + 8), "it ends early"));
	assert_null(open_says(p, size));
	free(p);
}

/* A frame of a probe, behind that of the beginning: good, and without an end of its
 * last name. */
static void
test_probe(void **state)
{
	struct { struct save_frame f; uint64_t id; char names[4][8]; } probe = {
		{ SAVE_PROBE, 8 + 32 }, 1, { "a", "b", "c", "1234567" },
	};
	size_t size, at;
	uint8_t *p = make_file("x", &size);
	uint8_t *more = malloc(size + sizeof(probe));

	at = find(p, size, SAVE_START) + sizeof(struct save_frame) + 16;
	memcpy(more, p, at);
	memcpy(more + at, &probe, sizeof(probe));
	memcpy(more + at + sizeof(probe), p + at, size - at);
	assert_null(open_says(more, size + sizeof(probe)));
	more[at + sizeof(probe) - 1] = 'x';
	assert_damaged(more, size + sizeof(probe));
	free(more);
	free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_probe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
