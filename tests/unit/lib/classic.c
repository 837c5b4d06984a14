/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The classic calls in full: what each says of records, which answers of
 * functions do what, text in pieces, the walks over aggregations, names of
 * addresses, flags.  Speaks TAP.
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "tap.h"
#include "told.h"

/* --- Records ------------------------------------------------------------------ */

static int64_t
integer(const dtrace_probedata_t *d, const dtrace_recdesc_t *r)
{
	const char *p = d->dtpda_data + r->dtrd_offset;

	switch (r->dtrd_size) {
	case 1: return r->dtrd_signed ? *(int8_t *)p : (int)*(uint8_t *)p;
	case 2: return r->dtrd_signed ? *(int16_t *)p : (int)*(uint16_t *)p;
	case 4: return r->dtrd_signed ? *(int32_t *)p : (int64_t)*(uint32_t *)p;
	default: return *(int64_t *)p;
	}
}

static int
is_aligned(const dtrace_recdesc_t *r)
{
	unsigned a = r->dtrd_alignment;

	return (a == 1 || a == 2 || a == 4 || a == 8) && !(r->dtrd_offset % a);
}

/* Each record on a line: index, action, kind, size where it is fixed, value. */
static int
describe(const dtrace_probedata_t *d, void *arg)
{
	for (int i = 0; i < d->dtpda_edesc->dtepd_nrecs; i++) {
		const dtrace_recdesc_t *r = &d->dtpda_edesc->dtepd_rec[i];
		tell("%u %x", r->dtrd_index, r->dtrd_action);
		if (r->dtrd_kind == DTRACE_FIELD_INT)
			tell(" %c%u %lld", r->dtrd_signed ? 's' : 'u',
			     r->dtrd_size, (long long)integer(d, r));
		else if (r->dtrd_kind == DTRACE_FIELD_STRING)
			tell(" '%s'", d->dtpda_data + r->dtrd_offset);
		else
			tell(" kind %d", r->dtrd_kind);
		if (r->dtrd_format)
			tell(" \"%s\"", r->dtrd_text);
		tell("\n");
		if (r->dtrd_offset + r->dtrd_size > d->dtpda_edesc->dtepd_size)
			tell("beyond the data\n");
		if (!is_aligned(r))
			tell("not aligned\n");
	}
	return DTRACE_CONSUME_NEXT;
}

static void
run(FILE *fp, dtrace_consume_probe_f *chew, dtrace_consume_rec_f *chewrec,
    void *arg)
{
	dtrace_workstatus_t status;

	while ((status = dtrace_work(tap_h, fp, chew, chewrec, arg)) ==
	       DTRACE_WORKSTATUS_OKAY)
		dtrace_sleep(tap_h);
	if (status == DTRACE_WORKSTATUS_ERROR)
		dfatal("dtrace_work");
}

static void
is(const char *got, const char *want, const char *what)
{
	int same = !strcmp(got, want);

	ok(same, what);
	for (int i = 0; !same && i < 2; i++) {
		const char *p = i ? want : got;
		printf("# %s\n", i ? "wanted:" : "got:");
		for (size_t n; *p; p += n + (p[n] != '\0')) {
			n = strcspn(p, "\n");
			printf("#  %.*s\n", (int)n, p);
		}
	}
}

static void
descriptions(void)
{
	reopen();
	start("BEGIN { trace((char)-1); trace((uint16_t)65535);"
	      " trace((int)-7); trace(1ULL); trace(\"text\");"
	      " trace(probename); @a[1] = count(); }"
	      "BEGIN { printf(\"%d %s\\n\", 5, probefunc); printf(\"none\");"
	      " stack(); ustack(); sym(1); usym(1);"
	      " tracemem(curthread, 3); }"
	      "BEGIN { printa(@a); trunc(@a, 2); if (1) { trace(3); }"
	      " else { trace(4); } exit(0); }");
	told[0] = '\0';
	run(NULL, describe, NULL, NULL);
	is(told, "0 1 s1 -1\n1 1 u2 65535\n2 1 s4 -7\n3 1 u8 1\n4 1 'text'\n"
	   "5 1 'BEGIN'\n"
	   "0 3 s4 5 \"%d %s\n\"\n0 3 '' \"%d %s\n\"\n1 3 kind 0 \"none\"\n"
	   "2 401 kind 5\n3 101 kind 6\n4 402 kind 7\n5 103 kind 9\n6 6 kind 4\n"
	   "0 4 kind 0\n1 802 kind 0\n1 802 s8 2\n2 1 s4 3\n3 2 s4 0\n",
	   "each record is described");
}

/* --- What functions answer -------------------------------------------------------- */

/* Leaves the strings to the library. */
static int
take_numbers(const dtrace_probedata_t *d, const dtrace_recdesc_t *r, void *fp)
{
	if (!r) {
		fputs(".", fp);
		return DTRACE_CONSUME_THIS;
	}
	if (r->dtrd_kind == DTRACE_FIELD_STRING)
		return DTRACE_CONSUME_THIS;
	fprintf(fp, "<%lld>", (long long)integer(d, r));
	return DTRACE_CONSUME_NEXT;
}

static void
answers(void)
{
	char *text;
	size_t size;
	FILE *fp = open_memstream(&text, &size);

	reopen();
	set("quiet", NULL);
	start("BEGIN { trace(1); trace(\"a\"); trace(2); trace(\"b\"); }"
	      "BEGIN { trace(3); exit(4); }");
	run(fp, NULL, take_numbers, fp);
	fclose(fp);
	is(text, "<1>a<2>b.<3><4>.",
	   "what a function takes is not printed, in its place");
	ok(dtrace_exit_status(tap_h) == 4, "an exit() that was taken counts");
	free(text);
}

static int
refuse(const dtrace_probedata_t *d, const dtrace_recdesc_t *r, void *arg)
{
	return DTRACE_CONSUME_ABORT;
}

static int
skip_all(const dtrace_probedata_t *d, const dtrace_recdesc_t *r, void *arg)
{
	return DTRACE_CONSUME_NEXT;
}

static void
endings(void)
{
	char *text;
	size_t size;
	FILE *fp = open_memstream(&text, &size);

	reopen();
	start("BEGIN { trace(1); exit(0); }");
	ok(dtrace_consume(tap_h, NULL, NULL, refuse, NULL) == -1 &&
	   dtrace_errno(tap_h) == EDT_STATE, "a function may end it all");
	reopen();
	start("BEGIN { trace(1); } BEGIN { exit(0); }");
	run(fp, NULL, skip_all, NULL);
	fclose(fp);
	is(text, "", "a row of which nothing is left is none");
	free(text);
}

/* --- Text in pieces ------------------------------------------------------------------ */

static int
piece(const dtrace_bufdata_t *b, void *arg)
{
	tell("[%s", b->dtbda_buffered);
	if (b->dtbda_recdesc)
		tell("|%s %x", b->dtbda_probe->dtpda_pdesc->dtpd_name,
		     b->dtbda_recdesc->dtrd_action);
	tell("]");
	return strlen(b->dtbda_buffered) == b->dtbda_size ? DTRACE_HANDLE_OK
							   : DTRACE_HANDLE_ABORT;
}

static int
option(const dtrace_setoptdata_t *d, void *arg)
{
	tell("(%s %lld %lld)", d->dtsda_option, (long long)d->dtsda_oldval,
	     (long long)d->dtsda_newval);
	return DTRACE_HANDLE_OK;
}

static void
buffered(void)
{
	reopen();
	set("quiet", NULL);
	dtrace_handle_buffered(tap_h, piece, NULL);
	dtrace_handle_setopt(tap_h, option, NULL);
	start("BEGIN { trace(1); printf(\"x%dy\", 2); setopt(\"stackindent\","
	      " \"3\"); @a = count(); exit(0); }");
	told[0] = '\0';
	run(NULL, NULL, NULL, NULL);
	is(told, "[1|BEGIN 1][x2y|BEGIN 3](stackindent 14 3)",
	   "text comes in pieces, and options are told");
	told[0] = '\0';
	if (dtrace_aggregate_print(tap_h, NULL, NULL))
		dfatal("dtrace_aggregate_print");
	is(told, "[\n                1\n]", "that of aggregations too");
	ok(dtrace_aggregate_print(tap_h, NULL, dtrace_aggregate_walk) == -1 &&
	   dtrace_errno(tap_h) == EDT_UNSUPPORTED,
	   "an order of one's own is refused");
}

/* --- Aggregations -------------------------------------------------------------------- */

static int64_t
word(const dtrace_aggdata_t *a, const dtrace_recdesc_t *r, int i)
{
	int64_t v;

	memcpy(&v, a->dtada_data + r->dtrd_offset + i * 8, 8);
	return v;
}

static int
show_agg(const dtrace_aggdata_t *a, void *arg)
{
	const dtrace_aggdesc_t *d = a->dtada_desc;
	const dtrace_recdesc_t *last = &d->dtagd_rec[d->dtagd_nrecs - 1];

	tell("%s", d->dtagd_name);
	for (int i = 1; i < d->dtagd_nrecs - 1; i++)
		if (d->dtagd_rec[i].dtrd_kind == DTRACE_FIELD_STRING)
			tell(" %s", a->dtada_data + d->dtagd_rec[i].dtrd_offset);
		else
			tell(" %d", *(int *)(a->dtada_data +
					     d->dtagd_rec[i].dtrd_offset));
	tell("=%lld,", (long long)(word(a, last, 0) / a->dtada_normal));
	return arg ? *(int *)arg : DTRACE_AGGWALK_NEXT;
}

static void
walked(dtrace_aggregate_walk_f *walk, const char *want, const char *what)
{
	told[0] = '\0';
	if (walk(tap_h, show_agg, NULL))
		dfatal(what);
	is(told, want, what);
}

/* Answers for element "b" of a. */
static int answer;

static int
answer_b(const dtrace_aggdata_t *a, void *arg)
{
	if (strcmp(a->dtada_desc->dtagd_name, "a") ||
	    strcmp(a->dtada_data + a->dtada_desc->dtagd_rec[1].dtrd_offset, "b"))
		return DTRACE_AGGWALK_NEXT;
	((dtrace_aggdata_t *)(uintptr_t)a)->dtada_normal = 10;
	return answer;
}

static void
answered(int with, const char *want, const char *what)
{
	answer = with;
	told[0] = '\0';
	if (dtrace_aggregate_walk(tap_h, answer_b, NULL) ||
	    dtrace_aggregate_walk_keysorted(tap_h, show_agg, NULL))
		dfatal(what);
	is(told, want, what);
}

static int
show_joined(const dtrace_aggdata_t **a, int n, void *arg)
{
	for (int i = 0; i < n; i++)
		show_agg(a[i], NULL);
	tell(";");
	return DTRACE_AGGWALK_NEXT;
}

static void
walks(void)
{
	dtrace_aggid_t both[] = { 1, 2 }, other[] = { 1, 3 };

	reopen();
	start("BEGIN { @a[\"c\"] = sum(10); @a[\"b\"] = sum(20);"
	      " @b[\"b\"] = max(-5); @b[\"d\"] = max(20); @c[4] = count();"
	      " exit(0); }");
	ok(dtrace_aggregate_walk(tap_h, show_agg, NULL) == 0,
	   "before anything is merged");
	run(NULL, NULL, NULL, NULL);
	if (dtrace_aggregate_snap(tap_h))
		dfatal("dtrace_aggregate_snap");
	walked(dtrace_aggregate_walk_keysorted,
	       "a b=20,a c=10,b b=-5,b d=20,c 4=1,", "by key");
	walked(dtrace_aggregate_walk_valsorted,
	       "a c=10,a b=20,b b=-5,b d=20,c 4=1,", "by value");
	walked(dtrace_aggregate_walk_sorted,
	       "a c=10,a b=20,b b=-5,b d=20,c 4=1,", "as options say");
	walked(dtrace_aggregate_walk_keyrevsorted,
	       "c 4=1,b d=20,b b=-5,a c=10,a b=20,", "by key, backwards");
	walked(dtrace_aggregate_walk_valrevsorted,
	       "c 4=1,b d=20,b b=-5,a b=20,a c=10,", "by value, backwards");
	walked(dtrace_aggregate_walk_valvarsorted,
	       "b b=-5,c 4=1,a c=10,a b=20,b d=20,", "all by value");
	walked(dtrace_aggregate_walk_valvarrevsorted,
	       "b d=20,a b=20,a c=10,c 4=1,b b=-5,", "and backwards");
	told[0] = '\0';
	if (dtrace_aggregate_walk_joined(tap_h, both, 2, show_joined, NULL))
		dfatal("joined");
	is(told, "a d=0,b d=20,;a c=10,b c=0,;a b=20,b b=-5,;",
	   "side by side, by the value of the first");
	ok(dtrace_aggregate_walk_joined(tap_h, other, 2, show_joined, NULL) ==
	   -1 && dtrace_errno(tap_h) == EDT_INVALID &&
	   strstr(dtrace_errmsg(tap_h, 0), "1 and 3 have other keys"),
	   "not with other keys");
	answered(DTRACE_AGGWALK_NORMALIZE, "a b=2,a c=1,b b=-5,b d=20,c 4=1,",
		 "normalised");
	answered(DTRACE_AGGWALK_DENORMALIZE,
		 "a b=20,a c=10,b b=-5,b d=20,c 4=1,", "and not any more");
	answered(DTRACE_AGGWALK_CLEAR, "a b=0,a c=10,b b=-5,b d=20,c 4=1,",
		 "one is cleared");
	answered(DTRACE_AGGWALK_REMOVE, "a c=10,b b=-5,b d=20,c 4=1,",
		 "one is removed");
	answer = DTRACE_AGGWALK_ABORT;
	told[0] = '\0';
	ok(dtrace_aggregate_walk_keysorted(tap_h, show_agg, &answer) == 0 &&
	   !strcmp(told, "a c=10,"), "a walk may end early");
	walked(dtrace_aggregate_walk_keysorted, "a c=10,b b=-5,b d=20,c 4=1,",
	       "and changes nothing");
	answer = DTRACE_AGGWALK_ERROR;
	ok(dtrace_aggregate_walk(tap_h, show_agg, &answer) == -1,
	   "or fail");
	answer = 77;
	ok(dtrace_aggregate_walk(tap_h, show_agg, &answer) == -1 &&
	   dtrace_errno(tap_h) == EDT_INVALID, "an answer nobody knows");
	dtrace_aggregate_clear(tap_h);
	walked(dtrace_aggregate_walk_keysorted, "a c=0,b b=0,b d=0,c 4=0,",
	       "all is cleared");
}

/* The value's words of each function. */
static int
show_words(const dtrace_aggdata_t *a, void *arg)
{
	const dtrace_aggdesc_t *d = a->dtada_desc;
	const dtrace_recdesc_t *r = &d->dtagd_rec[d->dtagd_nrecs - 1];

	for (int i = 0; i < d->dtagd_nrecs; i++)
		if (!is_aligned(&d->dtagd_rec[i]))
			tell("not aligned");
	tell("%x:", r->dtrd_action);
	for (unsigned i = 0; i < r->dtrd_size / 8; i++)
		if (r->dtrd_size < 64 * 8 || word(a, r, (int)i))
			tell("%s%lld", i ? " " : "", (long long)word(a, r, (int)i));
	tell(" %u,", r->dtrd_size);
	return DTRACE_AGGWALK_NEXT;
}

static void
values(void)
{
	reopen();
	start("BEGIN { @a = avg(3); @b = stddev(4); @c = quantize(1);"
	      " @d = lquantize(2, 0, 4, 2); @e = min(-9); exit(0); }");
	run(NULL, NULL, NULL, NULL);
	dtrace_aggregate_snap(tap_h);
	told[0] = '\0';
	dtrace_aggregate_walk_keysorted(tap_h, show_words, NULL);
	is(told, "704:1 3 16,706:1 4 16 0 32,707: 1 1016,"
	   "708:562958543355904 0 0 1 0 40,702:-9 8,",
	   "the words of each function's value");
}

/* --- The rest ------------------------------------------------------------------------- */

static void
names(void)
{
	char text[64], again[64];
	dtrace_syminfo_t info;
	dtrace_frame_t frame;
	Elf64_Sym sym;

	if (dtrace_lookup_by_name(tap_h, DTRACE_OBJ_EVERY, "vfs_read", &sym,
				  &info)) {
		printf("ok %d # SKIP %s\n", ++tap_number,
		       dtrace_errmsg(tap_h, dtrace_errno(tap_h)));
		return;
	}
	ok(!strcmp(info.dts_object, "vmlinux") && sym.st_size > 4 &&
	   !info.dts_id, "a function of the kernel");
	ok(!dtrace_lookup_by_addr(tap_h, sym.st_value + 4, NULL, &info) &&
	   !strcmp(info.dts_name, "vfs_read"), "by an address in it");
	ok(dtrace_addr2str(tap_h, sym.st_value + 4, text, sizeof(text)) == 20 &&
	   !strcmp(text, "vmlinux`vfs_read+0x4"), "as text");
	ok(dtrace_addr2str(tap_h, sym.st_value + 4, text, 8) == 20 &&
	   !strcmp(text, "vmlinux"), "cut, and told how long it is");
	ok(dtrace_lookup_by_name(tap_h, "vmlinux", "no such", NULL, NULL) == -1
	   && dtrace_errno(tap_h) == EDT_NOTFOUND, "there is no such");
	uint64_t here = (uint64_t)(uintptr_t)names;
	dtrace_lookup_frame(tap_h, getpid(), here, &frame);
	ok(frame.function && !strcmp(frame.function, "names") &&
	   frame.offset == 0, "a function of a process");
	dtrace_uaddr2str(tap_h, getpid(), here, text, sizeof(text));
	snprintf(again, sizeof(again), "%s`names", frame.module);
	is(text, again, "and as text");
	dtrace_addr2str(tap_h, 16, text, sizeof(text));
	is(text, "0x10", "what has no name is a number");
}

/* A program with these flags, from a file; may it be? */
static int
from_file(const char *text, unsigned cflags)
{
	FILE *fp = tmpfile();

	if (!fp || fputs(text, fp) < 0)
		dfatal("tmpfile");
	rewind(fp);
	dtrace_prog_t *p = dtrace_program_fcompile(tap_h, fp, "file.d", cflags,
						   0, NULL);
	fclose(fp);
	return p != NULL;
}

/* What a compilation prints to stderr. */
static size_t
printed(unsigned cflags)
{
	char name[] = "/tmp/classic.XXXXXX";
	int fd = mkstemp(name), old = dup(2);

	if (fd < 0)
		dfatal(name);
	unlink(name);
	dup2(fd, 2);
	dtrace_program_strcompile(tap_h, "BEGIN { trace(1); }",
				  DTRACE_PROBESPEC_NAME, cflags, 0, NULL);
	fflush(stderr);
	dup2(old, 2);
	off_t n = lseek(fd, 0, SEEK_END);
	close(fd);
	close(old);
	return (size_t)n;
}

static void
flags_of_files(void)
{
	const char *macro = "#define N 7\nBEGIN { trace(N); }\n";

	ok(!from_file(macro, 0) && from_file(macro, DTRACE_C_CPP) &&
	   !from_file(macro, 0), "CPP");
	ok(!from_file("", 0) && from_file("", DTRACE_C_EMPTY), "EMPTY");
	ok(!from_file("BEGIN { trace($1); }", 0) &&
	   from_file("BEGIN { trace($1); }", DTRACE_C_DEFARG), "DEFARG");
	ok(!from_file("BEGIN", 0) && from_file("BEGIN", DTRACE_C_PSPEC),
	   "PSPEC of a file");
	ok(printed(0) == 0 && printed(DTRACE_C_DIFV) > 100, "DIFV");
	ok(from_file("#pragma D option zdefs\nnosuch:::x { }", DTRACE_C_ZDEFS)
	   && from_file("nosuch:::y { }", 0),
	   "what a program sets stays, flag or not");
}

static void
flags(void)
{
	char *argv[] = { "name", "used" };

	reopen();
	ok(!dtrace_program_strcompile(tap_h, "nosuch:::x { }",
		DTRACE_PROBESPEC_NAME, 0, 0, NULL), "no probe");
	ok(dtrace_program_strcompile(tap_h, "nosuch:::x { }",
		DTRACE_PROBESPEC_NAME, DTRACE_C_ZDEFS, 0, NULL) != NULL,
	   "with ZDEFS");
	ok(!dtrace_program_strcompile(tap_h, "nosuch:::x { }",
		DTRACE_PROBESPEC_NAME, 0, 0, NULL), "for that one only");
	ok(!dtrace_program_strcompile(tap_h, "BEGIN { trace(SIGHUP); }",
		DTRACE_PROBESPEC_NAME, DTRACE_C_NOLIBS, 0, NULL) &&
	   compile("BEGIN { trace(SIGHUP); }"), "NOLIBS");
	ok(!dtrace_program_strcompile(tap_h, "BEGIN",
		DTRACE_PROBESPEC_NONE, 0, 0, NULL) &&
	   dtrace_program_strcompile(tap_h, "BEGIN",
		DTRACE_PROBESPEC_NONE, DTRACE_C_PSPEC, 0, NULL), "PSPEC");
	ok(!dtrace_program_strcompile(tap_h, "BEGIN { }",
		DTRACE_PROBESPEC_NAME, 0, 2, argv) &&
	   dtrace_program_strcompile(tap_h, "BEGIN { }",
		DTRACE_PROBESPEC_NAME, DTRACE_C_ARGREF, 2, argv), "ARGREF");
	ok(!dtrace_program_strcompile(tap_h, "BEGIN { x = nosuch; }",
		DTRACE_PROBESPEC_NAME, DTRACE_C_ETAGS, 0, NULL) &&
	   strstr(dtrace_errmsg(tap_h, 0), "[D_"), "ETAGS");
	ok(!dtrace_program_strcompile(tap_h, "BEGIN { }",
		DTRACE_PROBESPEC_NAME, 0x20, 0, NULL) &&
	   dtrace_errno(tap_h) == EDT_UNSUPPORTED, "others are refused");
	ok(!dtrace_proc_grab(tap_h, getpid(), 4) &&
	   dtrace_errno(tap_h) == EDT_UNSUPPORTED, "as are those of grabbing");
	ok(!strcmp(dtrace_faultstr(tap_h, 4), "divide-by-zero"),
	   "the words for a fault");
}

/* Names, whole and as the classic calls have them. */
static size_t longest;

static int
measure_cut(dtrace_hdl_t *h, const dtrace_probedesc_t *d, void *arg)
{
	longest = strlen(d->dtpd_func);
	return d->dtpd_id == 0 ? 5 : 6;
}

static int
measure(dtrace_hdl_t *h, const dtrace_probename_t *n, void *arg)
{
	longest = strlen(n->function);
	return n->id == 0 ? 5 : 6;
}

static int
name_of_first(dtrace_hdl_t *h, const dtrace_probename_t *n, void *arg)
{
	return n->id == 1 && !strcmp(n->provider, "dtrace") &&
	       !*n->module && !strcmp(n->name, "BEGIN") ? 5 : 6;
}

static void
long_names(void)
{
	char text[512] = "nosuch::";

	reopen();
	memset(text + 8, 'f', 150);
	strcpy(text + 158, ":entry");
	set("zdefs", NULL);
	dtrace_prog_t *p = compile(text);
	if (!p)
		dfatal(text);
	ok(dtrace_program_walk(tap_h, p, measure, NULL) == 5 && longest == 150,
	   "a name");
	ok(dtrace_program_probes(tap_h, p, measure_cut, NULL) == 5 &&
	   longest == 150, "and as the classic calls have it");
	ok(dtrace_probe_walk(tap_h, NULL, DTRACE_PROBESPEC_NAME, name_of_first,
			     NULL) == 5, "the first of all probes");
}

static void
open_flags(void)
{
	static const struct { int flags, error; } rows[] = {
		{ DTRACE_O_ILP32, EDT_UNSUPPORTED },
		{ DTRACE_O_NOSYS, EDT_UNSUPPORTED }, { 64, EDT_INVALID },
	};
	int good = 1, err;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		good &= !dtrace_open(DTRACE_VERSION, rows[i].flags, &err) &&
			err == rows[i].error && errno == 0;
	ok(good, "flags that cannot be had are refused");
	tap_h = dtrace_open(DTRACE_VERSION, DTRACE_O_NODEV | DTRACE_O_LP64,
			    &err);
	ok(tap_h != NULL, "others are not");
}

/* $target of a process that is there before its program, and of one that comes
 * after. */
static void
target(void)
{
	char *const argv[] = { "true", NULL };
	dtrace_proc_t *p;
	char want[32];

	reopen();
	set("quiet", NULL);
	p = dtrace_proc_create(tap_h, "true", argv);
	if (!p)
		dfatal("true");
	start("BEGIN { trace($target); }"
	      "syscall::exit_group:entry /pid == $target/ { exit(3); }");
	dtrace_proc_continue(tap_h, p);
	dtrace_handle_buffered(tap_h, piece, NULL);
	told[0] = '\0';
	run(NULL, NULL, NULL, NULL);
	snprintf(want, sizeof(want), "[%d|BEGIN 1]",
		 (int)dtrace_proc_pid(tap_h, p));
	is(told, want, "$target");
	ok(dtrace_exit_status(tap_h) == 3, "is the process that ran");
	reopen();
	dtrace_prog_t *prog = compile("BEGIN { } END { exit(5); }");
	if (!prog || dtrace_program_exec(tap_h, prog, NULL) ||
	    !(p = dtrace_proc_create(tap_h, "true", argv)) || dtrace_go(tap_h))
		dfatal("a command behind the program");
	dtrace_proc_continue(tap_h, p);
	run(NULL, NULL, NULL, NULL);
	ok(dtrace_status(tap_h) == DTRACE_STATUS_EXITED &&
	   dtrace_exit_status(tap_h) == 5, "a command behind the program");
}

/* The file is one thing, what it is called by another. */
static void
other_name(void)
{
	char *const argv[] = { "other", "-c", "test $0 = other && exit 7", NULL };

	reopen();
	dtrace_proc_t *p = dtrace_proc_create(tap_h, "sh", argv);
	if (!p)
		dfatal("sh");
	dtrace_proc_continue(tap_h, p);
	start("syscall::exit_group:entry /pid == $target/ { exit(arg0); }");
	run(NULL, NULL, NULL, NULL);
	ok(dtrace_exit_status(tap_h) == 7, "a command under another name");
	ok(!dtrace_proc_create(tap_h, "/nonexistent/x", argv) &&
	   dtrace_errno(tap_h) == EDT_OS, "a file that is not there");
}

/* What a function takes is not carried out either. */
static int
take_actions(const dtrace_probedata_t *d, const dtrace_recdesc_t *r, void *arg)
{
	return r && r->dtrd_action == DTRACEACT_CLEAR ? DTRACE_CONSUME_NEXT
						      : DTRACE_CONSUME_THIS;
}

static void
taken(void)
{
	reopen();
	start("BEGIN { @a[1] = sum(5); @b[1] = sum(5); } BEGIN { clear(@a);"
	      " trunc(@b); exit(0); }");
	run(NULL, NULL, take_actions, NULL);
	dtrace_aggregate_snap(tap_h);
	walked(dtrace_aggregate_walk_keysorted, "a 1=5,",
	       "an action that is taken is not carried out");
}

/* Options that what is compiled depends on may still be set before tracing starts. */
static void
set_late(void)
{
	char *text;
	size_t size;

	for (int late = 0; late < 2; late++) {
		FILE *fp = open_memstream(&text, &size);
		reopen();
		set("quiet", NULL);
		dtrace_prog_t *p = compile("BEGIN { while (n < 10) n++; }"
			"BEGIN { printf(\"%d %s\", n, strjoin(\"abc\", \"def\")); exit(0); }");
		if (!p || dtrace_program_exec(tap_h, p, NULL))
			dfatal("set_late");
		if (late) {
			set("loopmax", "3");
			set("strsize", "5");
		}
		if (dtrace_go(tap_h))
			dfatal("dtrace_go");
		run(fp, NULL, NULL, NULL);
		fclose(fp);
		is(text, late ? "3 abcd" : "10 abcdef", late ? "options set late" :
		   "and not set");
		free(text);
	}
}

int
main(void)
{
	open_flags();
	names();
	descriptions();
	answers();
	endings();
	buffered();
	walks();
	values();
	taken();
	flags();
	flags_of_files();
	long_names();
	target();
	other_name();
	set_late();
	return plan();
}
