/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What was traced as events: kinds of events and of fields, their texts, what is
 * done in order with them, snapshots of aggregations, a descriptor to wait for.
 * Speaks TAP.
 */
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

#include "tap.h"
#include "told.h"

static void
is(const char *want, const char *what)
{
	int same = !strcmp(told, want);

	ok(same, what);
	if (!same)
		printf("# got:    %s\n# wanted: %s\n", told, want);
	told[0] = '\0';
}

/* The next event, which must come; the caller's. */
static dtrace_event_t *
next(void)
{
	dtrace_event_t *e = NULL;
	int r;

	while ((r = dtrace_next(tap_h, &e)) == DTRACE_NEXT_NONE)
		dtrace_sleep(tap_h);
	if (r == -1)
		dfatal("dtrace_next");
	return r == DTRACE_NEXT_EVENT ? e : NULL;
}

typedef void show_f(dtrace_event_t *e);

/* Show all that come; ends at the end. */
static void
all(const char *text, show_f *show)
{
	dtrace_event_t *e;

	told[0] = '\0';
	start(text);
	while ((e = next())) {
		show(e);
		dtrace_event_unref(e);
	}
}

/* --- Fields ---------------------------------------------------------------------- */

static void
show_field(const dtrace_field_t *f)
{
	char *text = dtrace_field_text(f);
	size_t n;

	switch (dtrace_field_kind(f)) {
	case DTRACE_FIELD_INT:
		if (dtrace_field_signed(f))
			tell("%lld", (long long)dtrace_field_int(f));
		else
			tell("%lluu", (unsigned long long)dtrace_field_uint(f));
		break;
	case DTRACE_FIELD_FLOAT: tell("%gf", dtrace_field_float(f)); break;
	case DTRACE_FIELD_STRING:
	case DTRACE_FIELD_BYTES:
		dtrace_field_bytes(f, &n);
		tell("%s/%zu", text, n);
		break;
	default: tell("kind %d", dtrace_field_kind(f));
	}
	tell(" ");
	free(text);
}

static void
show_fields(dtrace_event_t *e)
{
	if (dtrace_event_kind(e) != DTRACE_EVENT_RECORD)
		return;
	tell("%s: ", dtrace_event_name(e));
	for (unsigned i = 0; i < dtrace_event_nactions(e); i++) {
		const dtrace_action_t *a = dtrace_event_action(e, i);
		tell("%x(%s) ", a->kind, a->format ? a->format : "");
		for (unsigned k = 0; k < a->nfields; k++)
			show_field(dtrace_event_field(e, a->first + k));
	}
	tell("[%s]", dtrace_event_text(e, NULL));
}

static void
kinds(void)
{
	reopen();
	all("struct two { char a[4]; } two;"
	    "BEGIN { trace((char)-1); trace((unsigned char)255); trace(-1L);"
	    " trace(-1UL); trace(\"a b\"); trace(probename);"
	    " printf(\"%d|%s|%x\\n\", 3, \"y\", 255); two.a[0] = 'q';"
	    " trace(two); exit(2); }", show_fields);
	is("BEGIN: 1() -1 1() 255u 1() -1 1() 18446744073709551615u "
	   "1() a b/3 1() BEGIN/5 3(%d|%s|%x\n) 3 y/1 255 1() 71000000/4 2() 2 "
	   "[-1255-118446744073709551615a bBEGIN3|y|ff\nq]",
	   "values of each kind, and the text of them all");
}

/* --- Addresses ----------------------------------------------------------------------- */

static int user_frames, kernel_frames, marked;
static pid_t whose;

static void
show_stacks(dtrace_event_t *e)
{
	dtrace_frame_t frame;

	for (unsigned i = 0; i < dtrace_event_nfields(e); i++) {
		const dtrace_field_t *f = dtrace_event_field(e, i);
		char *text = dtrace_field_text(f);
		unsigned n = dtrace_field_nframes(f);
		unsigned lines = *text != '\0';
		for (const char *p = text; (p = strchr(p, '\n')); p++)
			lines++;
		switch (dtrace_field_kind(f)) {
		case DTRACE_FIELD_STACK:
			kernel_frames += n > 0 && n == lines &&
					 dtrace_field_pid(f) == 0 &&
					 !dtrace_field_frame(f, 0, &frame);
			break;
		case DTRACE_FIELD_USTACK:
			user_frames += n > 0 && n == lines &&
				       dtrace_field_frame(f, n, &frame) == -1;
			marked += n > 0 && !dtrace_field_frame(f, n - 1, &frame) &&
				  !frame.address && frame.function &&
				  !strcmp(frame.function, "[by frame pointer]");
			whose = dtrace_field_pid(f);
			break;
		case DTRACE_FIELD_UADDR:
			tell("%s,%llx;", text, (unsigned long long)
			     dtrace_field_uint(f));
			break;
		case DTRACE_FIELD_INT: break;
		default:
			tell("%s %d %u;", text, dtrace_field_pid(f) == getpid(),
			     n);
		}
		free(text);
	}
}

static void
show_first_frame(dtrace_event_t *e)
{
	const dtrace_field_t *f = dtrace_event_field(e, 0);
	dtrace_frame_t frame;

	if (f && !dtrace_field_frame(f, 0, &frame))
		tell("%s ", frame.module || frame.function || !frame.address
		     ? "name" : "number");
}

static void
stacks(void)
{
	char text[512];

	reopen();
	snprintf(text, sizeof(text),
		 "syscall::getppid:entry /pid == %d/ { stack(); ustack();"
		 " uaddr(16); sym(16); mod(16); usym(16); umod(16); exit(0); }",
		 (int)getpid());
	told[0] = '\0';
	start(text);
	syscall(SYS_getppid);
	for (dtrace_event_t *e; (e = next()); dtrace_event_unref(e))
		show_stacks(e);
	ok(kernel_frames == 1 && user_frames == 1 && whose == getpid(),
	   "stacks are frames");
#ifdef __x86_64__
	ok(marked == 1, "a stack from before its tables were there is marked");
#endif
	is("0x10,10;0x10 0 1;0x10 0 1;0x10 1 1;0x10 1 1;",
	   "an address without a name is a number");
	reopen();
	set("noresolve", NULL);
	all("BEGIN { stack(1); exit(0); }", show_first_frame);
	is("number ", "as are all, when nobody wants names");
}

/* --- Kinds of events ------------------------------------------------------------------ */

static void
show_all(dtrace_event_t *e)
{
	switch (dtrace_event_kind(e)) {
	case DTRACE_EVENT_RECORD:
		tell("record %s %d;", dtrace_event_text(e, NULL),
		     dtrace_event_pid(e) == getpid());
		break;
	case DTRACE_EVENT_ERROR:
		tell("error %d %llx %llu %s %s;", dtrace_event_fault(e),
		     (unsigned long long)dtrace_event_address(e),
		     (unsigned long long)dtrace_event_count(e),
		     dtrace_event_name(e),
		     strstr(dtrace_event_text(e, NULL), "invalid address")
		     ? "invalid address" : "?");
		break;
	case DTRACE_EVENT_DROP:
		tell("drop %d %d;", dtrace_event_dropkind(e),
		     dtrace_event_count(e) == dtrace_event_total(e));
		break;
	case DTRACE_EVENT_PROC:
		tell("proc %d %s;", dtrace_event_pid(e) > 0,
		     strstr(dtrace_event_text(e, NULL), "exited"));
		break;
	case DTRACE_EVENT_END:
		tell("end %d;", dtrace_event_status(e));
		break;
	}
}

static void
event_kinds(void)
{
	char *const argv[] = { "true", NULL };
	dtrace_event_t *e = NULL;

	reopen();
	set("who", NULL);
	all("BEGIN { trace(1); } BEGIN { trace(*(int *)16); }"
	    "BEGIN { trace(2); exit(3); } END { trace(4); }", show_all);
	is("record 1 1;error 1 10 1 BEGIN invalid address;record 2 1;"
	   "record 4 1;end 3;", "records, errors, the end");
	ok(dtrace_next(tap_h, &e) == DTRACE_NEXT_END &&
	   dtrace_next(tap_h, &e) == DTRACE_NEXT_END, "and nothing more");
	reopen();
	set("nspec", "1");
	all("BEGIN { speculation(); speculation(); exit(0); }", show_all);
	is("record  0;drop 7 1;end 0;", "losses");
	reopen();
	dtrace_proc_t *p = dtrace_proc_create(tap_h, "true", argv);
	if (!p)
		dfatal("true");
	dtrace_proc_continue(tap_h, p);
	all("END { trace(1); }", show_all);
	is("proc 1 exited;record 1 0;end 0;",
	   "the end of a process");
	reopen();
	ok(dtrace_next(tap_h, &e) == -1 && dtrace_errno(tap_h) == EDT_STATE &&
	   dtrace_fd(tap_h) == -1, "not before dtrace_go()");
}

/* Errors of one place are told once, and then how many more there were. */
static void
repeats(void)
{
	unsigned long long told_of = 0;
	int events = 0, other = 0;
	char text[256];
	dtrace_event_t *e;

	reopen();
	snprintf(text, sizeof(text), "syscall::getppid:entry /pid == %d &&"
		 " *(int *)16/ { } syscall::getpgid:entry /pid == %d/"
		 " { exit(0); }", (int)getpid(), (int)getpid());
	start(text);
	for (int i = 0; i < 5; i++)
		syscall(SYS_getppid);
	syscall(SYS_getpgid, 0);
	for (; (e = next()); dtrace_event_unref(e)) {
		if (dtrace_event_kind(e) != DTRACE_EVENT_ERROR) {
			other += dtrace_event_fault(e) != -1;
			continue;
		}
		events++;
		told_of += dtrace_event_count(e);
	}
	ok(told_of == 5 && events >= 2 && events < 5 && !other,
	   "what comes again is counted");
}

/* All keep what they said while others come and go. */
static void
references(void)
{
	dtrace_event_t *kept[3], *e;
	int n = 0;

	reopen();
	start("BEGIN { trace(\"a\"); } BEGIN { trace(\"b\"); } BEGIN { exit(0); }");
	while ((e = next()) && n < 3) {
		kept[n++] = dtrace_event_ref(e);
		dtrace_event_unref(e);
	}
	dtrace_event_unref(e);
	dtrace_event_unref(NULL);
	ok(n == 3 && !strcmp(dtrace_event_text(kept[1], NULL), "b") &&
	   !strcmp(dtrace_event_text(kept[0], NULL), "a") &&
	   !memcmp(dtrace_field_bytes(dtrace_event_field(kept[0], 0), NULL),
		   "a", 1), "an event stays what it was");
	ok(!dtrace_event_field(kept[0], 1) && !dtrace_event_action(kept[0], 1),
	   "there is nothing behind the last field");
	for (int i = 0; i < n; i++)
		dtrace_event_unref(kept[i]);
	reopen();
	start("BEGIN { trace(1); trace(2); } BEGIN { trace(3); }"
	      "BEGIN { @a = count(); } BEGIN { printa(@a); trace(4); }"
	      "BEGIN { trace(*(int *)16); } BEGIN { exit(0); }");
	dtrace_event_unref(next());
	reopen();
	ok(1, "what nobody asked for goes with the handle");
}

/* --- Aggregations ----------------------------------------------------------------------- */

static int
show_row(const dtrace_agg_t *a, const dtrace_row_t *r, void *arg)
{
	dtrace_bucket_t b;

	for (unsigned i = 0; i < dtrace_agg_nkeys(a); i++) {
		char *text = dtrace_field_text(dtrace_row_key(r, i));
		tell("%s,", text);
		free(text);
	}
	tell("=%lld/%lld/%lld", (long long)dtrace_row_value(r),
	     (long long)dtrace_row_count(r), (long long)dtrace_row_sum(r));
	for (unsigned i = 0; i < dtrace_row_nbuckets(r); i++)
		if (!dtrace_row_bucket(r, i, &b) && b.count)
			tell(" %lld..%lld:%lld", (long long)b.low,
			     (long long)b.high, (long long)b.count);
	tell(";");
	return arg && ++*(int *)arg == 1 ? 77 : 0;
}

static void
show_agg(const dtrace_agg_t *a)
{
	tell("@%s %x ", dtrace_agg_name(a), dtrace_agg_func(a));
	dtrace_agg_walk(a, show_row, NULL);
}

static void
show_printa(dtrace_event_t *e)
{
	for (unsigned i = 0; i < dtrace_event_nfields(e); i++) {
		const dtrace_field_t *f = dtrace_event_field(e, i);
		if (dtrace_field_kind(f) == DTRACE_FIELD_AGG)
			show_agg(dtrace_field_agg(f));
	}
	if (dtrace_event_nactions(e))
		tell("[%s]", dtrace_event_text(e, NULL));
}

static void
aggregations(void)
{
	dtrace_agg_t *a;
	int n = 0;

	reopen();
	all("BEGIN { @a[\"x\", 1] = sum(10); @a[\"y\", 2] = sum(30); }"
	    "BEGIN { printa(\"%s %d %@d,\", @a); trunc(@a, 1);"
	    " normalize(@a, 10); printa(\"%s %d %@d,\", @a); clear(@a); }"
	    "BEGIN { exit(0); }", show_printa);
	is("@a 705 x,1,=10/0/10;y,2,=30/0/30;@a 705 y,2,=3/0/30;"
	   "[x 1 10,y 2 30,y 2 3,][]", "a printa() shows what was there then");
	a = dtrace_agg_snap(tap_h, 1);
	if (!a)
		dfatal("dtrace_agg_snap");
	ok(dtrace_agg_normal(a) == 10 && dtrace_agg_nrows(a) == 1 &&
	   !strcmp(dtrace_agg_keyname(a, 0), "\"x\""), "what is said of one");
	ok(dtrace_row_value(dtrace_agg_row(a, 0)) == 0 &&
	   !dtrace_agg_row(a, 1), "and that what was to be done was done");
	dtrace_agg_unref(dtrace_agg_ref(a));
	dtrace_agg_unref(a);
	ok(dtrace_naggs(tap_h) == 1 && !dtrace_agg_snap(tap_h, 2) &&
	   dtrace_errno(tap_h) == EDT_NOTFOUND, "there is no other");
	reopen();
	all("BEGIN { @a = avg(3); @a = avg(6); @b = stddev(4); @c = min(-7);"
	    " @d = max(9); @e = count(); @f = quantize(5); @f = quantize(-1);"
	    " @g = lquantize(3, 0, 10, 5); @g = lquantize(-4, 0, 10, 5);"
	    " @h = llquantize(150, 10, 0, 3, 10); @i = quantize(0);"
	    " exit(0); }", show_printa);
	told[0] = '\0';
	for (unsigned id = 1; id <= dtrace_naggs(tap_h); id++) {
		a = dtrace_agg_snap(tap_h, id);
		show_agg(a);
		dtrace_agg_unref(a);
	}
	is("@a 704 =4/2/9;@b 706 =0/1/4;@c 702 =-7/0/0;@d 703 =9/0/0;"
	   "@e 701 =1/1/0;@f 707 =2/2/0 -1..-1:1 4..7:1;"
	   "@g 708 =2/2/0 -9223372036854775808..-1:1 0..4:1;"
	   "@h 709 =1/1/0 100..199:1;@i 707 =1/1/0 0..0:1;",
	   "values of each function");
	reopen();
	start("BEGIN { @a = sum(8); }");
	a = dtrace_agg_snap(tap_h, 1);
	ok(a && dtrace_agg_nrows(a) == 1 &&
	   dtrace_row_value(dtrace_agg_row(a, 0)) == 8,
	   "while tracing, what was aggregated until now");
	dtrace_agg_unref(a);
	reopen();
	all("BEGIN { @a[1] = count(); @a[2] = count(); exit(0); }", show_printa);
	told[0] = '\0';
	a = dtrace_agg_snap(tap_h, 1);
	ok(dtrace_agg_walk(a, show_row, &n) == 77 && n == 1,
	   "a walk may end early");
	dtrace_agg_unref(a);
}

/* --- Actions that do something -------------------------------------------------------- */

static void
done(void)
{
	int64_t v = 0;

	reopen();
	set("destructive", NULL);
	all("BEGIN { setopt(\"stackindent\", \"7\"); freopen(\"/nonexistent/x\");"
	    " trace(1); setopt(\"nosuch\"); exit(0); }", show_all);
	dtrace_getopt(tap_h, "stackindent", &v);
	ok(v == 7, "setopt() is carried out");
	ok(!strncmp(told, "record 1 0;error 1000 0 1 BEGIN ?;end 0;", 40),
	   "what fails is an error behind its record");
	reopen();
	set("destructive", NULL);
	all("BEGIN { setopt(\"strsize\", \"64\"); trace(1); exit(0); }", show_all);
	dtrace_getopt(tap_h, "strsize", &v);
	ok(v == 256 && strstr(told, "error 1000 0 1 BEGIN"),
	   "what is fixed when tracing starts setopt() does not change");
}

/* --- Waiting ---------------------------------------------------------------------------- */

static void
waiting(void)
{
	char text[256];
	int turns = 0, got = 0, r = 0;
	dtrace_event_t *e;

	reopen();
	set("switchrate", "10s");
	snprintf(text, sizeof(text), "syscall::getppid:entry /pid == %d/"
		 " { trace(1); } syscall::getpgid:entry /pid == %d/"
		 " { exit(0); }", (int)getpid(), (int)getpid());
	start(text);
	struct pollfd p = { .fd = dtrace_fd(tap_h), .events = POLLIN };
	ok(p.fd >= 0 && dtrace_fd(tap_h) == p.fd, "one descriptor");
	syscall(SYS_getppid);
	while (turns++ < 10000 && r != DTRACE_NEXT_END) {
		if (poll(&p, 1, 30000) != 1)
			break;
		while ((r = dtrace_next(tap_h, &e)) == DTRACE_NEXT_EVENT) {
			got += dtrace_event_nfields(e) == 1 &&
			       dtrace_event_name(e)[0] == 'e';
			if (got == 1)
				syscall(SYS_getpgid, 0);
			dtrace_event_unref(e);
		}
		if (r < 0)
			dfatal("dtrace_next");
	}
	ok(r == DTRACE_NEXT_END && got == 2, "wakes for each event");
	reopen();
	start("END { trace(1); }");
	p.fd = dtrace_fd(tap_h);
	for (turns = 0; (r = dtrace_next(tap_h, &e)) == DTRACE_NEXT_EVENT;)
		dtrace_event_unref(e);
	dtrace_stop(tap_h);
	ok(r == DTRACE_NEXT_NONE && poll(&p, 1, 30000) == 1,
	   "and when it is stopped");
	e = next();
	ok(e && !strcmp(dtrace_event_name(e), "END"), "END's records come then");
	dtrace_event_unref(e);
}

/* Who has closed its input gives its number away: to the first file that is opened, or to
 * the timer of the descriptor. */
static void
no_input(void)
{
	for (int late = 0; late < 2; late++) {
		int in = dup(STDIN_FILENO);
		dtrace_event_t *e;
		if (!late)
			close(STDIN_FILENO);
		reopen();
		set("switchrate", "1ms");
		start("BEGIN { trace(7); } END { trace(8); } tick-1ms { exit(0); }");
		if (late)
			close(STDIN_FILENO);
		struct pollfd p = { .fd = dtrace_fd(tap_h), .events = POLLIN };
		ok(p.fd > 0 && poll(&p, 1, 30000) == 1, late ? "no input when it is asked for"
							     : "no input from the beginning");
		told[0] = '\0';
		while ((e = next())) {
			if (dtrace_event_nfields(e))
				tell("%s ", dtrace_event_name(e));
			dtrace_event_unref(e);
		}
		is("BEGIN tick-1ms END ", "all is told");
		dtrace_close(tap_h);
		tap_h = NULL;
		if (in >= 0 && dup2(in, STDIN_FILENO) >= 0)
			close(in);
	}
}

int
main(void)
{
	kinds();
	stacks();
	event_kinds();
	repeats();
	references();
	aggregations();
	done();
	waiting();
	no_input();
	return plan();
}
