/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A trace that is saved while it runs, against a kernel that is made up, and what comes of
 * it when it is replayed: the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "engine/engine.h"
#include "fakekern.h"
#include "session/session_priv.h"

static char path[32];

/* Events, one each line. */
static struct err *
put_event(void *ctx, const struct consume_event *e)
{
	struct sb *b = ctx;

	if (e->kind == CONSUME_RECORD && e->probe)
		sb_printf(b, "%u %s:%s %llu %llu\n", e->cpu, e->probe->func, e->probe->name,
			  (unsigned long long)e->timestamp,
			  (unsigned long long)*(const uint64_t *)(const void *)
				((const char *)e->record + e->epid->desc->fields[0].offset));
	else if (e->kind == CONSUME_DROP)
		sb_printf(b, "drop %d %llu %llu\n", e->drop, (unsigned long long)e->count,
			  (unsigned long long)e->total);
	return NULL;
}

/* As long as the clause's are, with arg in the first field. */
static void
record(struct session *s, unsigned cpu, uint32_t epid, uint64_t when, uint64_t arg)
{
	const struct abi_clause_desc *d = s->meta.of.epid(s->meta.of.ctx, epid)->desc;
	uint8_t r[256] = "";

	assert_true(d->record_size <= sizeof(r));
	memcpy(r, &(struct abi_record){ epid, d->record_size, when },
	       sizeof(struct abi_record));
	memcpy(r + d->fields[0].offset, &arg, sizeof(arg));
	fakekern_record(cpu, r, d->record_size);
}

/* All that is traced goes to b. */
static void
trace(struct sb *b)
{
	static const char text[] = "syscall::read:entry { trace(arg0); } "
				   "syscall::write:return { trace(arg1); }";
	const struct diag_list *diags;
	enum session_status status;
	struct session_prog *p;
	struct session *s;

	fakekern_reset();
	assert_null(session_new(&s));
	assert_null(opt_set_value(session_opts(s), "save", path, OPT_FROM_COMMAND, false));
	assert_null(opt_set_value(session_opts(s), "stackindent", "7", OPT_FROM_COMMAND,
				  false));
	assert_null(session_compile(s, NULL, text, sizeof(text) - 1, PROBE_SPEC_NAME, 0, NULL,
				    0, &diags, &p));
	assert_null(session_enable(s, p));
	assert_null(session_go(s));
	record(s, 1, 1, 1000, 3);
	record(s, 0, 2, 900, 7);
	assert_null(session_step(s, put_event, b, &status));
	fake.misses = 5;
	record(s, 0, 1, 2000, 9);
	assert_null(session_step(s, put_event, b, &status));
	assert_int_equal(status, SESSION_OKAY);
	assert_null(session_stop(s));
	record(s, 1, 2, 3000, 8);
	assert_null(session_drain(s, put_event, b));
	session_free(s);
}

static struct err *
replay(struct sb *b)
{
	enum session_status status = SESSION_OKAY;
	struct session *s;
	struct err *e;

	assert_null(session_new(&s));
	assert_false(session_is_replay(s));
	e = session_replay(s, path);
	if (!e) {
		assert_true(session_is_replay(s));
		/* Options are those of the trace. */
		assert_int_equal(session_opts(s)->v[OPT_STACKINDENT], 7);
		e = session_go(s);
	}
	for (int i = 0; !e && status == SESSION_OKAY && i < 1000; i++)
		e = session_step(s, put_event, b, &status);
	if (!e) {
		assert_int_equal(status, SESSION_DONE);
		assert_null(session_stop(s));
		e = session_drain(s, put_event, b);
	}
	session_free(s);
	return e;
}

static void
test_same(void **state)
{
	struct sb first, again;

	sb_init(&first, 1 << 16);
	sb_init(&again, 1 << 16);
	strcpy(path, "/tmp/replay.XXXXXX");
	close(mkstemp(path));
	trace(&first);
	assert_non_null(strstr(sb_str(&first), "0 write:return 900 7\n1 read:entry 1000 3\n"));
	assert_non_null(strstr(sb_str(&first), "0 read:entry 2000 9\n"));
	assert_non_null(strstr(sb_str(&first), "1 write:return 3000 8\n"));
	assert_non_null(strstr(sb_str(&first), "drop "));
	assert_null(replay(&again));
	assert_string_equal(sb_str(&again), sb_str(&first));
	/* Once more. */
	sb_reset(&again);
	assert_null(replay(&again));
	assert_string_equal(sb_str(&again), sb_str(&first));
	/* Without its end what is there is shown, and then what is wrong. */
	FILE *f = fopen(path, "r+");
	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	assert_int_equal(ftruncate(fileno(f), ftell(f) - 9), 0);
	fclose(f);
	sb_reset(&again);
	err_free(replay(&again));
	assert_int_equal(strncmp(sb_str(&again), "0 write:return 900 7\n1 read:entry", 33), 0);
	unlink(path);
	sb_fini(&first);
	sb_fini(&again);
}

/* A saved trace is replayed alone. */
static void
test_refused(void **state)
{
	static const char text[] = "BEGIN { exit(0); }";
	const struct diag_list *diags;
	struct session_prog *p;
	struct session *s;
	struct sb b;

	sb_init(&b, 4096);
	strcpy(path, "/tmp/replay.XXXXXX");
	close(mkstemp(path));
	trace(&b);
	assert_null(session_new(&s));
	struct err *e = session_replay(s, "/nonexistent/trace");
	assert_non_null(e);
	assert_int_equal(e->code, ERR_OS);
	assert_int_equal(strncmp(e->text, "/nonexistent/trace: ", 20), 0);
	err_free(e);
	assert_false(session_is_replay(s));
	assert_null(session_replay(s, path));
	e = session_replay(s, path);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_STATE);
	err_free(e);
	session_free(s);
	assert_null(session_new(&s));
	assert_null(session_compile(s, NULL, text, sizeof(text) - 1, PROBE_SPEC_NAME, 0, NULL,
				    0, &diags, &p));
	assert_null(session_enable(s, p));
	e = session_replay(s, path);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_STATE);
	err_free(e);
	session_free(s);
	unlink(path);
	sb_fini(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_refused),
	};

	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	fakekern_reset();
	return failed;
}
