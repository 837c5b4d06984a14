/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Lack of memory through the whole library: the Nth allocation fails, for
 * every N, once or from then on, from dtrace_open() to dtrace_close(), with
 * real tracing between them.  Each time some call must say so; nothing may
 * leak, neither memory (the sanitizer looks) nor descriptors; and a run that
 * said nothing must have printed what it prints with memory.  Up to the program all of
 * them do the same, so there only the first program has its allocations fail.
 * What libbpf and libelf allocate is not ours to fail.  Speaks TAP.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dtrace/dtrace.h"
#include "support/countopen.h"
#include "util/alloc.h"

/* Most of the time goes in waiting for what the kernel does. */
enum { TURNS_MAX = 20000, WORKERS = 6 };

/* Each ends by itself; what is printed does not depend on the machine. */
struct program {
	const char *name, *text;
	int pull;		/* ask for events, rather than be called */
	int types;		/* do not trace, ask for types */
};
static const struct program programs[] = {
	{ "default action", "BEGIN { } BEGIN { exit(0); }" },
	{ "predicate and thread-locals",
	  "syscall::getppid:entry /pid == $pid/ { self->t = timestamp; }"
	  "syscall::getppid:return /self->t/"
	  "{ trace(timestamp >= self->t); self->t = 0; }"
	  "syscall::getuid:entry /pid == $pid/ { exit(0); }" },
	{ "associative arrays and strings",
	  "BEGIN { a[\"x\", 1] = strjoin(\"ab\", substr(execname, 0, 3));"
	  " self->s = a[\"x\", 1]; x = self->s; trace(x);"
	  " trace(strlen(a[\"y\", 2])); exit(0); }" },
	{ "aggregations with keys",
	  "syscall::getppid:entry /pid == $pid/"
	  "{ @a[probefunc, arg0 & 0] = count(); @b = sum(3); @c[pid == $pid,"
	  " \"k\"] = max(7); @d = stddev(5); }"
	  "syscall::getuid:entry /pid == $pid/ { exit(0); }" },
	{ "printf",
	  "BEGIN { printf(\"%d %5s|%-8x|%c%%\\n\", 12, \"abc\", 255, 'z');"
	  " printf(\"%*d %s\\n\", 6, 42, probename); exit(0); }" },
	{ "printa, normalize, trunc, clear",
	  "BEGIN { @a[1] = sum(10); @a[2] = sum(20); @b[1] = count();"
	  " @b[2] = count(); }"
	  "BEGIN { normalize(@a, 2); printa(\"%d %@d %@d\\n\", @a, @b);"
	  " trunc(@a, 1); printa(@a); clear(@b); exit(0); }" },
	{ "histograms",
	  "BEGIN { @q = quantize(100); @l[1] = lquantize(5, 0, 10, 2);"
	  " @ll = llquantize(50, 10, 0, 3, 10); exit(0); }" },
	{ "tick and several probes",
	  "tick-1ms { n++; } tick-5ms { trace(n >= 0); exit(0); }" },
	{ "a wildcard of system calls",
	  "syscall::get*id:entry /pid == $pid/ { @[probefunc] = count(); }"
	  "syscall::getuid:return /pid == $pid/ { exit(0); }" },
	{ "ERROR, structs, if",
	  "struct s { int a : 3; char b[8]; }; struct s v;"
	  "BEGIN { v.a = 2; if (v.a == 2) { trace(v.a); } else { trace(0); }"
	  " trace(*(int *)8); }"
	  "ERROR { printf(\"%d %d\", arg4, arg5); exit(0); }" },
	{ "types of the kernel",
	  "BEGIN { this->t = (struct task_struct *)curthread;"
	  " trace(this->t->tgid == $pid); trace(sizeof (struct list_head));"
	  " trace(stringof(curthread->comm) == execname); exit(0); }" },
	{ "what code reads of the kernel",
	  "BEGIN { trace(ppid > 0); trace(strlen(execargs) > 0);"
	  " trace(strlen(cwd) > 0); trace(uregs[0] == uregs[0]);"
	  " this->v = vtimestamp;"
	  " trace(vtimestamp >= this->v); exit(0); }" },
	{ "inlines, translators, arguments",
	  "inline int two = 1 + 1; struct out { int a; string s; };"
	  "translator struct out <struct list_head *l>"
	  "{ a = l != NULL; s = execname; };"
	  "syscall::openat:entry /pid == $pid/ { trace(args[0] == -100);"
	  " trace(copyinstr(arg1)); trace(two);"
	  " trace(xlate <struct out> ((struct list_head *)curthread).a); }"
	  "syscall::getuid:entry /pid == $pid/ { exit(0); }" },
	{ "libraries", "namespace n { inline int HUP = SIGHUP; }"
	  "struct two { int a, b; }; translator struct two < int N > { a = N; };"
	  "BEGIN { trace(n.HUP); trace(curcpu->cpu_id == cpu);"
	  " this->t = xlate <struct two>(n.HUP); trace(this->t.a); exit(0); }" },
	{ "profile", "profile-997 { @ = max(7); } tick-3ms { @ = max(7); }"
	  "tick-20ms { exit(0); }" },
	{ "actions of the consumer",
	  "#pragma D option destructive\n"
	  "BEGIN { tracemem(curthread->comm, 16, 4); freopen(\"/dev/%s\","
	  " \"null\"); printf(\"lost\"); freopen(\"\"); ftruncate();"
	  " this->p = (char *)alloca(8); bcopy(curthread->comm, this->p, 4);"
	  " trace(stringof(this->p)); setopt(\"quiet\"); setopt(\"nosuch\","
	  " execname); freopen(\"/nonexistent/x\"); }"
	  "BEGIN { trace(7); exit(0); }" },
	{ "a command", "BEGIN { @n = count(); }"
	  "syscall::getppid:entry /pid == $target/ { @n = count(); }" },
	{ "events", "BEGIN { trace(7); trace(probename); printf(\"%d\", 1); }"
	  "BEGIN { @a[1] = sum(10); @a[2] = sum(20); trace(*(int *)8); }"
	  "BEGIN { trunc(@a, 1); setopt(\"nosuch\"); exit(0); }"
	  "BEGIN { @b[\"k\", 1] = count(); }"
	  "BEGIN { printa(\"%s %d %@d\", @b); clear(@b); }", 1 },
	{ "events of a command", "syscall::exit_group:entry /pid == $target/"
	  "{ trace(execname); }", 1 },
	{ "types, objects and statements", "BEGIN /1/ { } END { }", 0, 1 },
};
static const char *libraries;	/* the first argument */
enum { NPROGRAMS = sizeof(programs) / sizeof(programs[0]) };

struct outcome {
	unsigned long opened;	/* allocations before the program was compiled */
	const char *failed;	/* the call that did; NULL: none */
	int error;
	char message[256];
	char *text;		/* what was printed */
};

static int
on_error(const dtrace_errdata_t *e, void *arg)
{
	return DTRACE_HANDLE_OK;
}

/* Tells of records, and leaves them to be printed. */
static int
look(const dtrace_probedata_t *d, const dtrace_recdesc_t *r, void *out)
{
	if (r)
		fprintf(out, "<%u of %d: %u>", r->dtrd_action,
			d->dtpda_edesc->dtepd_nrecs, r->dtrd_size);
	return DTRACE_CONSUME_THIS;
}

static int
look_at_agg(const dtrace_aggdata_t *d, void *arg)
{
	return DTRACE_AGGWALK_NEXT;
}

/* The name of the call that failed, or NULL. */
static const char *
consume(dtrace_hdl_t *h, FILE *out)
{
	for (int i = 0; i < TURNS_MAX; i++) {
		dtrace_sleep(h);
		switch (dtrace_work(h, out, NULL, look, out)) {
		case DTRACE_WORKSTATUS_DONE:
			return NULL;
		case DTRACE_WORKSTATUS_OKAY:
			break;
		default:
			return "dtrace_work";
		}
	}
	return "the end";	/* never came */
}

/* All there is to ask of an event.  That a process has ended may be told before or
 * after the last that it did, and is printed by pull().  The name of the call that failed, or NULL. */
static const char *
ask(dtrace_event_t *e, FILE *out)
{
	const char *text = dtrace_event_text(e, NULL);

	if (!text)
		return "dtrace_event_text";
	if (dtrace_event_kind(e) != DTRACE_EVENT_PROC)
		fprintf(out, "%d %s\n",
			dtrace_event_kind(e) == DTRACE_EVENT_RECORD, text);
	for (unsigned i = 0; i < dtrace_event_nfields(e); i++) {
		char *field = dtrace_field_text(dtrace_event_field(e, i));
		if (!field)
			return "dtrace_field_text";
		free(field);
	}
	return NULL;
}

static const char *
pull(dtrace_hdl_t *h, FILE *out)
{
	dtrace_event_t *e;
	int nended = 0;

	dtrace_fd(h);		/* may fail, and is not used */
	for (int i = 0; i < TURNS_MAX; i++) {
		const char *failed;
		switch (dtrace_next(h, &e)) {
		case DTRACE_NEXT_END:
			fprintf(out, "%d ended\n", nended);
			return NULL;
		case DTRACE_NEXT_EVENT: break;
		case DTRACE_NEXT_NONE: dtrace_sleep(h); continue;
		default: return "dtrace_next";
		}
		failed = ask(e, out);
		nended += dtrace_event_kind(e) == DTRACE_EVENT_PROC;
		dtrace_event_unref(e);
		if (failed)
			return failed;
	}
	return "the end";
}

static int
print_member(dtrace_hdl_t *h, const dtrace_member_t *m, void *out)
{
	fprintf(out, "%s %s\n", m->dtm_name, m->dtm_type.dtt_name);
	return 0;
}

static int
print_statement(dtrace_hdl_t *h, dtrace_prog_t *p, dtrace_stmtdesc_t *st,
		void *out)
{
	fprintf(out, "%s\n", st->dtsd_ecbdesc->dted_probe.dtpd_name);
	return 0;
}

static int
print_object(dtrace_hdl_t *h, const dtrace_objinfo_t *o, void *out)
{
	fprintf(out, "%s\n", o->dto_file);
	return 1;		/* the kernel will do */
}

/* Objects last: to read the kernel's symbols takes long. */
static const char *
ask_types(dtrace_hdl_t *h, dtrace_prog_t *p, FILE *out)
{
	static const dtrace_syminfo_t symbol = { "vmlinux", "vfs_read", 0 };
	dtrace_typeinfo_t ti;

	if (dtrace_stmt_iter(h, p, print_statement, out))
		return "dtrace_stmt_iter";
	if (dtrace_type_strcompile(h, "struct { int a; char *b[2]; }", &ti))
		return "dtrace_type_strcompile";
	if (dtrace_type_members(h, &ti, print_member, out))
		return "dtrace_type_members";
	if (dtrace_lookup_by_type(h, "vmlinux", "struct list_head", &ti))
		return "dtrace_lookup_by_type";
	if (dtrace_type_members(h, &ti, print_member, out))
		return "dtrace_type_members";
	if (dtrace_symbol_type(h, NULL, &symbol, &ti))
		return "dtrace_symbol_type";
	if (dtrace_type_members(h, &ti, print_member, out))
		return "dtrace_type_members";
	return dtrace_object_iter(h, print_object, out) == 1
		? NULL : "dtrace_object_iter";
}

/* What the programs look at. */
static void
work(void)
{
	for (int i = 0; i < 3; i++)
		syscall(SYS_getppid);
	syscall(SYS_openat, AT_FDCWD, "/nonexistent", O_RDONLY);
	syscall(SYS_getuid);
}

static const char *
trace(dtrace_hdl_t *h, const struct program *program, FILE *out, unsigned long *opened)
{
	const char *text = program->text;
	char *const command[] = { "/bin/true", NULL };
	dtrace_prog_t *p;

	dtrace_handle_err(h, on_error, NULL);
	if (dtrace_setopt(h, "bufsize", "16k") || dtrace_setopt(h, "aggsize", "64k") ||
	    dtrace_setopt(h, "dynvarsize", "64k") ||
	    dtrace_setopt(h, "switchrate", "1ms") ||
	    (libraries && dtrace_setopt(h, "syslibdir", libraries)))
		return "dtrace_setopt";
	*opened = util_alloc_count();
	if (strstr(text, "$target")) {
		dtrace_proc_t *c = dtrace_proc_create(h, "/bin/true", command);
		if (!c)
			return "dtrace_proc_create";
		dtrace_proc_continue(h, c);
	}
	p = dtrace_program_strcompile(h, text, DTRACE_PROBESPEC_NAME, 0, 0, NULL);
	if (!p)
		return "dtrace_program_strcompile";
	if (program->types)
		return ask_types(h, p, out);
	if (dtrace_program_exec(h, p, NULL))
		return "dtrace_program_exec";
	if (dtrace_go(h))
		return "dtrace_go";
	work();
	const char *failed = program->pull ? pull(h, out) : consume(h, out);
	if (dtrace_stop(h))
		return "dtrace_stop";
	if (failed)
		return failed;
	if (dtrace_aggregate_walk_valsorted(h, look_at_agg, NULL) ||
	    dtrace_aggregate_walk_keyvarsorted(h, look_at_agg, NULL))
		return "dtrace_aggregate_walk";
	return dtrace_aggregate_print(h, out, NULL) ? "dtrace_aggregate_print"
						    : NULL;
}

static struct outcome
run(const struct program *p, unsigned long n, int sticky)
{
	unsigned long before = util_alloc_count(), opened = before;
	struct outcome o = { 0 };
	size_t size;
	FILE *out = open_memstream(&o.text, &size);

	if (n)
		util_alloc_fail(n, sticky);
	dtrace_hdl_t *h = dtrace_open(DTRACE_VERSION, 0, &o.error);
	o.failed = h ? trace(h, p, out, &opened) : "dtrace_open";
	o.opened = opened - before;
	if (h && o.failed)
		o.error = dtrace_errno(h);
	if (o.failed)
		snprintf(o.message, sizeof(o.message), "%s: %s", o.failed,
			 dtrace_errmsg(h, o.error));
	dtrace_close(h);
	util_alloc_fail(0, 0);
	fclose(out);
	return o;
}

static int
complain(unsigned long n, int sticky, const char *what, const char *detail)
{
	printf("# allocation %lu%s: %s%s\n", n, sticky ? " and all after" : "",
	       what, detail);
	return 1;
}

/* 1 when something was wrong; *reached: the Nth allocation was asked for. */
static int
try(const struct program *p, unsigned long n, int sticky, const char *want,
    int *reached)
{
	unsigned fds = count_open();
	int bad = 0;
	unsigned long before = util_alloc_count();
	struct outcome o = run(p, n, sticky);

	*reached = util_alloc_count() - before >= n;
	if (count_open() != fds)
		bad |= complain(n, sticky, "descriptors leak", "");
	if (waitpid(-1, NULL, WNOHANG) >= 0)
		bad |= complain(n, sticky, "a child is left behind", "");
	if (*reached && !o.failed && (sticky || strcmp(o.text, want)))
		bad |= complain(n, sticky, "nobody noticed", "");
	if (!*reached && o.failed)
		bad |= complain(n, sticky, "failed without need: ", o.message);
	if (o.failed && o.error != EDT_NOMEM)
		bad |= complain(n, sticky, "not called lack of memory: ",
				o.message);
	free(o.text);
	return bad;
}

static int
try_all(const struct program *p, int sticky, const struct outcome *want, unsigned *runs)
{
	unsigned long n = p == programs ? 1 : want->opened;
	int bad = 0, reached = 1;

	for (; reached; n++, ++*runs)
		bad += try(p, n, sticky, want->text, &reached);
	return bad;
}

static int
test_program(const struct program *p, unsigned *runs)
{
	struct outcome o = run(p, 0, 0);
	int bad = 0;

	if (o.failed)
		bad = complain(0, 0, "fails with memory: ", o.message);
	for (int sticky = 0; !o.failed && sticky < 2; sticky++)
		bad += try_all(p, sticky, &o, runs);
	free(o.text);
	return bad;
}

/* Every WORKERS-th program, on one CPU, whose number is printed.  A line is
 * written at once. */
static int
worker(int first)
{
	cpu_set_t may, cpu;
	int n = first, bad = 0;

	sched_getaffinity(0, sizeof(may), &may);
	n %= CPU_COUNT(&may);
	for (int i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &may) && n-- == 0) {
			CPU_ZERO(&cpu);
			CPU_SET(i, &cpu);
		}
	sched_setaffinity(0, sizeof(cpu), &cpu);
	for (int i = first; i < NPROGRAMS; i += WORKERS) {
		unsigned runs = 0;
		int wrong = test_program(&programs[i], &runs);

		/* Without a number: they come in no order. */
		printf("%sok - %s: %u runs\n", wrong ? "not " : "",
		       programs[i].name, runs);
		bad |= wrong != 0;
	}
	return bad;
}

int
main(int argc, char **argv)
{
	int bad = 0, error, status;

	libraries = argv[1];
	dtrace_hdl_t *h = dtrace_open(DTRACE_VERSION, 0, &error);
	if (!h) {
		printf("1..0 # SKIP %s\n", dtrace_errmsg(NULL, error));
		return 0;
	}
	dtrace_close(h);
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("1..%d\n", NPROGRAMS);
	for (int i = 0; i < WORKERS; i++) {
		pid_t pid = fork();
		if (pid == 0)
			exit(worker(i));	/* the sanitizer looks */
		bad |= pid < 0;
	}
	while (wait(&status) >= 0)
		bad |= status != 0;
	return bad;
}
