/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which probes a clause is about when a call has several names, what a list shows, which
 * clauses a probe has, and what is said of an address that cannot be read.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/base.h"
#include "engine/engine.h"
#include "fakekern.h"
#include "session/program_priv.h"
#include "session/session_priv.h"

static struct session *s;
static struct session_prog *prog;

static void
compile(const char *text)
{
	const struct diag_list *diags;

	fakekern_reset();
	assert_null(session_new(&s));
	struct err *e = session_compile(s, NULL, text, strlen(text), PROBE_SPEC_NAME, 0,
					NULL, 0, &diags, &prog);
	if (e)
		fail_msg("%s: %s", text, diags->first ? diags->first->text : e->text);
}

static bool
put(void *ctx, const struct probe *p)
{
	struct sb *b = ctx;

	sb_printf(b, "%s%s:%s", b->len ? " " : "", p->func, p->name);
	return true;
}

/* --- Matching ------------------------------------------------------------------------ */

/* The probes of each clause, with / between the clauses; those of the list. */
static const struct { const char *program, *clauses, *list; } matches[] = {
	{ "syscall::open:entry, syscall::open64:entry {}", "open:entry", "open:entry" },
	{ "syscall::open64:entry, syscall::open:entry {}", "open:entry", "open:entry" },
	{ "syscall::open64:entry {}", "open:entry", "open:entry" },
	{ "syscall::openat64:entry {} syscall::openat:entry {}", " / openat:entry",
	  "openat:entry" },
	{ "syscall::openat:entry {} syscall::openat64:entry {}", "openat:entry / ",
	  "openat:entry" },
	/* Another probe of the call takes nothing away, nor does a pattern. */
	{ "syscall::openat64:entry {} syscall::openat:return {}",
	  "openat:entry / openat:return", "openat:entry openat:return" },
	{ "syscall::openat64:entry {} syscall::opena[t]:entry {}",
	  "openat:entry / openat:entry", "openat:entry openat:entry" },
	/* What is said twice is meant twice. */
	{ "syscall::openat:entry {} syscall::openat:entry {}",
	  "openat:entry / openat:entry", "openat:entry openat:entry" },
	{ "syscall::openat64:entry {} syscall::openat64:entry {}",
	  "openat:entry / openat:entry", "openat:entry openat:entry" },
	{ "syscall::read:entry, syscall::write:entry, BEGIN {}",
	  "read:entry write:entry :BEGIN", "read:entry write:entry :BEGIN" },
};

static void
test_matches(void **state)
{
	struct sb b;

	sb_init(&b, 1 << 16);
	for (size_t i = 0; i < BASE_NELEMS(matches); i++) {
		struct sb all;
		sb_init(&all, 1 << 16);
		compile(matches[i].program);
		for (uint32_t c = 0; c < prog->sema->nclauses; c++) {
			sb_reset(&b);
			assert_null(session_match_clause(s, prog->sema, c, put, &b));
			sb_printf(&all, "%s%s", c ? " / " : "", sb_str(&b));
		}
		if (strcmp(sb_str(&all), matches[i].clauses))
			fail_msg("%s: %s", matches[i].program, sb_str(&all));
		sb_reset(&b);
		assert_null(session_prog_probes(s, prog, put, &b));
		if (strcmp(sb_str(&b), matches[i].list))
			fail_msg("%s lists %s", matches[i].program, sb_str(&b));
		sb_fini(&all);
		session_free(s);
	}
	sb_fini(&b);
}

static bool
put_two(void *ctx, const struct probe *p)
{
	put(ctx, p);
	return !strchr(sb_str(ctx), ' ');
}

/* Who has seen enough is shown no more, of this description and of those behind. */
static void
test_enough(void **state)
{
	struct sb b;

	sb_init(&b, 4096);
	compile("syscall::read:, syscall::write:entry {} BEGIN {}");
	assert_null(session_prog_probes(s, prog, put_two, &b));
	assert_string_equal(sb_str(&b), "read:entry read:return");
	sb_reset(&b);
	assert_null(session_match_clause(s, prog->sema, 0, put_two, &b));
	assert_string_equal(sb_str(&b), "read:entry read:return");
	sb_reset(&b);
	assert_null(session_probes(s, "syscall::read:", PROBE_SPEC_NAME, put, &b));
	assert_string_equal(sb_str(&b), "read:entry read:return");
	sb_reset(&b);
	assert_null(session_probes(s, "BEGIN", PROBE_SPEC_NAME, put, &b));
	assert_string_equal(sb_str(&b), ":BEGIN");
	session_free(s);
	sb_fini(&b);
}

/* --- Clauses of a probe ----------------------------------------------------------------- */

static void
test_clauses(void **state)
{
	unsigned found = 0;

	compile("syscall::read:entry { trace(1); } syscall::write:entry { trace(2); } "
		"syscall:::entry { trace(3); } syscall::read:entry { trace(4); }");
	assert_null(session_enable(s, prog));
	assert_null(session_go(s));
	for (uint32_t i = 0; i < s->engine->in.npoints; i++) {
		const struct engine_point *pt = &s->engine->in.points[i];
		for (size_t k = 0; k < pt->probes.n; k++) {
			const struct plan_probe *p = &pt->probes.v[k];
			static const uint32_t read[] = { 0, 2, 3 }, write[] = { 1, 2 };
			if (!strcmp(p->part[2], "read")) {
				assert_int_equal(p->nclauses, 3);
				assert_memory_equal(p->clauses, read, sizeof(read));
				found++;
			} else if (!strcmp(p->part[2], "write")) {
				assert_int_equal(p->nclauses, 2);
				assert_memory_equal(p->clauses, write, sizeof(write));
				found++;
			} else {
				assert_int_equal(p->nclauses, 1);
				assert_int_equal(p->clauses[0], 2);
			}
			assert_string_equal(p->part[0], "syscall");
			assert_string_equal(p->part[1], "vmlinux");
			assert_string_equal(p->part[3], "entry");
		}
	}
	assert_int_equal(found, 2);
	assert_null(session_stop(s));
	session_free(s);
}

/* --- Hints ---------------------------------------------------------------------------- */

#define RESULT "arg0 of read:return is the result of the call; keep an argument at entry, " \
	"self->p = arg0, and read copyinstr(self->p)"
#define NO_POINTER "arg0 of openat:entry is no pointer, but \"int dirfd\"; arg1 is " \
	"\"const char *pathname\""

#define FOLDER "arg0 of openat:entry is no pointer, but AT_FDCWD in \"int dirfd\"; arg1 is " \
	"\"const char *pathname\""

/* action: 0: the predicate. */
static const struct {
	const char *program;
	uint32_t action;
	uint64_t addr;
	const char *hint;	/* NULL: nothing is said */
} hints[] = {
	{ "syscall::openat:entry { trace(copyinstr(arg0)); }", 1, 3, NO_POINTER },
	{ "syscall::openat:entry { trace(1); trace(copyinstr(arg0)); }", 2, 3, NO_POINTER },
	{ "syscall::openat:entry { trace(1); trace(copyinstr(arg0)); }", 1, 3, NULL },
	{ "syscall::openat:entry { trace(copyinstr((int)arg0)); }", 1, 3, NO_POINTER },
	{ "syscall::openat:entry { trace(copyin(arg0, 8)); }", 1, 3, NO_POINTER },
	{ "syscall::openat:entry /copyinstr(arg0) == \"a\"/ { x++; }", 0, 3, NO_POINTER },
	{ "syscall::openat:entry { if (arg2) { trace(copyinstr(arg0)); } }", 2, 3, NO_POINTER },
	{ "syscall::openat:entry { if (arg2) { y = 1; } else { trace(copyinstr(arg0)); } }", 3,
	  3, NO_POINTER },
	{ "syscall::openat:entry { trace(copyinstr(arg1)); }", 1, 0x7000, "memory of a process "
	  "may not be there before the call has used it; keep the address, self->p = arg1, "
	  "and read copyinstr(self->p) in openat:return" },
	{ "syscall::openat:entry { trace(copyinstr(arg1)); }", 1, 4096, "memory of a process "
	  "may not be there before the call has used it; keep the address, self->p = arg1, "
	  "and read copyinstr(self->p) in openat:return" },
	{ "syscall::openat:entry { trace(copyinstr(arg1)); }", 1, 4095, NULL },
	{ "syscall::read:return { trace(copyinstr(arg0)); }", 1, 3, RESULT },
	{ "syscall::read:return { trace(copyinstr(arg0)); }", 1, 0x7000, RESULT },
	/* What was kept is a folder. */
	{ "syscall::openat:return { trace(copyinstr(self->p)); self->p = arg0; }", 1,
	  (uint32_t)-100, FOLDER },
	{ "syscall::openat:entry { self->p = arg0; trace(copyinstr(self->p)); }", 2,
	  (uint64_t)-100, FOLDER },
	{ "syscall::openat:return { trace(copyinstr(self->p)); self->p = arg0; }", 1,
	  (uint32_t)-99, NULL },
	{ "syscall::link:return { trace(copyinstr(self->p)); self->p = arg0; }", 1,
	  (uint32_t)-100, NULL },
	{ "tick-1s { trace(copyinstr(self->p)); self->p = arg0; }", 1, (uint32_t)-100, NULL },
	/* What is read is no argument, or not as it came. */
	{ "syscall::openat:entry { trace(copyinstr(arg1 + 1)); }", 1, 0x7000, NULL },
	{ "syscall::openat:entry { self->p = arg1; trace(copyinstr(self->p)); }", 2, 0x7000, NULL },
	{ "syscall::openat:entry { trace(copyinstr(uregs[0])); }", 1, 0x7000, NULL },
	{ "syscall::openat:entry { trace(copyinstr(arg2 ? arg0 : arg1)); }", 1, 3, NULL },
	{ "tick-1s { trace(copyinstr(arg0)); }", 1, 3, NULL },
};

/* Of whichever instruction of the action something is said. */
static bool
ask(const struct consume_event *like, struct abi_error_record *r, struct sb *b)
{
	for (r->dif_offset = 0; r->dif_offset < 4 * 64; r->dif_offset += 4) {
		sb_reset(b);
		if (session_hint(s, like, b))
			return true;
	}
	return false;
}

static void
test_hints(void **state)
{
	struct sb b;

	sb_init(&b, 4096);
	for (size_t i = 0; i < BASE_NELEMS(hints); i++) {
		compile(hints[i].program);
		assert_null(session_enable(s, prog));
		assert_null(session_go(s));
		const struct plan_probe *p = &s->engine->in.points[0].probes.v[0];
		struct consume_probe cp = { .id = p->id };
		struct abi_error_record r = { .epid = 1, .action = hints[i].action,
			.fault = ABI_FAULT_BADADDR, .value = hints[i].addr };
		struct consume_event e = { .kind = CONSUME_ERROR, .probe = &cp, .error = &r };

		/* Another fault is another matter, and so is a place that is not told. */
		r.fault = ABI_FAULT_DIVZERO;
		assert_false(ask(&e, &r, &b));
		r.fault = ABI_FAULT_BADADDR;
		r.dif_offset = -1;
		assert_false(session_hint(s, &e, &b));
		bool is = ask(&e, &r, &b);
		if (is != !!hints[i].hint || (is && strcmp(sb_str(&b), hints[i].hint)))
			fail_msg("%s: %s", hints[i].program, is ? sb_str(&b) : "nothing");
		/* Once. */
		assert_false(ask(&e, &r, &b));
		assert_null(session_stop(s));
		session_free(s);
	}
	sb_fini(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_matches),
		cmocka_unit_test(test_enough),
		cmocka_unit_test(test_clauses),
		cmocka_unit_test(test_hints),
	};

	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	fakekern_reset();
	return failed;
}
