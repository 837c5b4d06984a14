/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How far a command runs before tracing starts (option evaltime), or before
 * somebody looks at what it has mapped: a provider of its functions, say, while
 * a program is compiled.
 *
 * With exec there is nothing to do when tracing starts: the child spins in front
 * of its execve() (proc.c), which is traced.  Only who wants to look has it
 * executed, and held there.  The other points are places in the new program, so
 * the child executes it under ptrace and runs from breakpoint to breakpoint:
 *
 *	preinit	 the dynamic linker calls _dl_debug_state() when all libraries
 *		 are mapped and relocated, for debuggers to stop there; no code
 *		 of theirs has run
 *	postinit the program's entry point: their initialisers have run
 *	main	 main(), which the symbol table names; of a stripped program the
 *		 C library knows it, as the first argument of
 *		 __libc_start_main()
 *
 * A static program has no libraries: pre- and postinit are its entry point.
 * It waits there, stopped, and session_proc_continue() lets it go for good.
 *
 * It goes forward only: from a point that it was run to it can go on to a later
 * one.
 *
 * All of this is done by the one thread that works with the session: only the
 * one that attached may ask anything of the child.
 */
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/procfs.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "session/proc_priv.h"
#include "sym/file.h"
#include "sym/maps.h"
#include "util/cleanup.h"

/* A program that has just been executed. */
struct image {
	struct session_proc *p;
	const char *when;	/* the value of the option */
	char exe[32];
	uint64_t entry;		/* where it begins */
	uint64_t linker;	/* where the dynamic linker lies; 0: none */
	struct sym_file file;	/* of exe, with the symbol main */
};

static struct err *
os_error(const char *what)
{
	return err_new(ERR_OS, errno, "the command cannot be controlled: "
		       "%s: %s", what, strerror(errno));
}

/* --- Running it ----------------------------------------------------------- */

enum { EVENT_EXEC = SIGTRAP | PTRACE_EVENT_EXEC << 8 };

/* It ended on its way there. */
static struct err *
ended(const struct session_proc *p, const char *when)
{
	TRY(session_proc_executed(p));
	return err_new(ERR_STATE, 0, "the command ended before the point of "
		       "evaltime=%s", when);
}

/* Why it stopped: a signal, and in the bits above an event. */
static struct err *
wait_stop(const struct image *im, int *why)
{
	struct session_proc *p = im->p;
	int status;

	if (waitpid(p->pid, &status, __WALL) < 0)
		return errno != EINTR ? os_error("wait") :
			err_new(ERR_STATE, 0, "interrupted before the point of "
				"evaltime=%s", im->when);
	*why = status >> 8;
	if (WIFSTOPPED(status))
		return NULL;
	p->ended = true;
	return ended(p, im->when);
}

/* Go on, with signal sig, until it stops for this reason.  Other signals are
 * for it to take. */
static struct err *
run_until(const struct image *im, int sig, int wanted)
{
	int why;

	do {
		if (ptrace(PTRACE_CONT, im->p->pid, 0, (long)sig))
			return os_error("continue");
		TRY(wait_stop(im, &why));
		if (why == EVENT_EXEC && wanted != EVENT_EXEC)
			return err_new(ERR_STATE, 0, "the command became "
				       "another program before the point of "
				       "evaltime=%s", im->when);
		sig = why >> 8 ? 0 : why;
	} while (why != wanted);
	return NULL;
}

/* The instruction that traps, in the low bits of a word, and how far behind its
 * start the thread then is; registers, and how they are asked for: as a set those of a
 * 32-bit program would be narrower, where there are such. */
#if defined(__x86_64__)
#define TRAP 0xccUL
enum { TRAP_BITS = 8, TRAP_MOVES = 1 };
#define PC rip
enum { HAS_REGSET = false, GET_REGS = PTRACE_GETREGS, SET_REGS = PTRACE_SETREGS };
#elif defined(__aarch64__)
#define TRAP 0xd4200000UL
enum { TRAP_BITS = 32, TRAP_MOVES = 0 };
#define PC pc
enum { HAS_REGSET = true, GET_REGS = PTRACE_GETREGSET, SET_REGS = PTRACE_SETREGSET };
#else
#error "say how a breakpoint is made"
#endif

static long
ask_regs(const struct image *im, enum __ptrace_request what,
	 struct user_regs_struct *regs)
{
	struct iovec v = { regs, sizeof(*regs) };

	return ptrace(what, im->p->pid, NT_PRSTATUS, HAS_REGSET ? (void *)&v : regs);
}

/* What a function was called with, at its first instruction. */
static uint64_t
first_arg(const struct image *im, const struct user_regs_struct *regs)
{
#if defined(__x86_64__)
	return im->file.is_64 ? regs->rdi :
	       (uint32_t)ptrace(PTRACE_PEEKDATA, im->p->pid, regs->rsp + 4, 0);
#else
	return regs->regs[0];
#endif
}

/* Run to the instruction at addr. */
static struct err *
run_to(const struct image *im, uint64_t addr, struct user_regs_struct *regs)
{
	const unsigned long mask = (1UL << TRAP_BITS) - 1;
	pid_t pid = im->p->pid;
	int sig = 0;

	errno = 0;
	long old = ptrace(PTRACE_PEEKTEXT, pid, addr, 0);
	if (errno || ptrace(PTRACE_POKETEXT, pid, addr,
			    ((unsigned long)old & ~mask) | TRAP))
		return os_error("breakpoint");
	do {
		TRY(run_until(im, sig, SIGTRAP));
		if (ask_regs(im, (enum __ptrace_request)GET_REGS, regs))
			return os_error("registers");
		sig = SIGTRAP;	/* unless it is ours, it is the program's */
	} while (regs->PC != addr + TRAP_MOVES);
	regs->PC = addr;
	if (ptrace(PTRACE_POKETEXT, pid, addr, old) ||
	    ask_regs(im, (enum __ptrace_request)SET_REGS, regs))
		return os_error("breakpoint");
	return NULL;
}

/* Over an instruction that has had its breakpoint. */
static struct err *
step(const struct image *im)
{
	int why;

	if (ptrace(PTRACE_SINGLESTEP, im->p->pid, 0, 0))
		return os_error("step");
	return wait_stop(im, &why);
}

static struct err *
execute(const struct image *im)
{
	struct session_proc *p = im->p;
	int why;

	if (ptrace(PTRACE_SEIZE, p->pid, 0,
		   PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC))
		return os_error("ptrace");
	p->held = true;
	TRY(wait_stop(im, &why));	/* it is stopped already */
	__atomic_store_n(&p->start->go, 1, __ATOMIC_RELEASE);
	if (kill(p->pid, SIGCONT))
		return os_error("signal");
	return run_until(im, 0, EVENT_EXEC);
}

/* --- Looking at it -------------------------------------------------------- */

/* Entry point and dynamic linker, from what the kernel told the program. */
static struct err *
read_auxv(struct image *im)
{
	const size_t word = im->file.is_64 ? 8 : 4;

	sym_auxv(im->p->pid, word, AT_BASE, &im->linker);
	return sym_auxv(im->p->pid, word, AT_ENTRY, &im->entry) && im->entry ?
	       NULL : os_error("auxv");
}

static struct err *
look(struct image *im)
{
	snprintf(im->exe, sizeof(im->exe), "/proc/%d/exe", (int)im->p->pid);
	TRY(sym_file_read(im->exe, "main", &im->file));
#if !defined(__x86_64__)
	if (!im->file.is_64)
		return err_new(ERR_UNSUPPORTED, 0, "evaltime=%s: only for "
			       "64-bit programs; exec is for all", im->when);
#endif
	return read_auxv(im);
}

/* Where a symbol lies of a library that is mapped: of the one at `at`, or of
 * any when that is 0.  False: it has none. */
static bool
find_symbol(const struct image *im, uint64_t at, const char *name,
	    uint64_t *ret)
{
	char maps[32], line[4096 + 128], path[4096];
	unsigned long start, off;
	struct sym_file file;

	snprintf(maps, sizeof(maps), "/proc/%d/maps", (int)im->p->pid);
	CLEANUP(util_fclosep) FILE *f = fopen(maps, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%*x %*s %lx %*s %*u %4095[^\n]", &start,
			   &off, path) != 3 || off || path[0] != '/' ||
		    (at && at != start))
			continue;
		CLEANUP(err_freep) struct err *e =
			sym_file_read(path, name, &file);
		if (e || !file.found)
			continue;
		*ret = start + file.value - file.start;
		return true;
	}
	return false;
}

/* --- The points ----------------------------------------------------------- */

static struct err *
to_entry(const struct image *im)
{
	struct user_regs_struct regs;

	return run_to(im, im->entry, &regs);
}

enum { R_STATE_32 = 12 };		/* of a struct r_debug with 32 bits */

/* The linker calls _dl_debug_state() when it begins and when it is done;
 * _r_debug says which.  One without it calls once. */
static struct err *
to_linked(const struct image *im)
{
	struct user_regs_struct regs;
	uint64_t call, debug = 0;

	if (!im->linker)
		return to_entry(im);
	if (!find_symbol(im, im->linker, "_dl_debug_state", &call))
		return err_new(ERR_UNSUPPORTED, 0, "evaltime=%s: the dynamic "
			       "linker does not tell when it is done",
			       im->when);
	bool tells = find_symbol(im, im->linker, "_r_debug", &debug);
	debug += im->file.is_64 ? offsetof(struct r_debug, r_state) :
		 R_STATE_32;
	for (;;) {
		TRY(run_to(im, call, &regs));
		if (!tells || (int)ptrace(PTRACE_PEEKDATA, im->p->pid, debug,
					  0) == RT_CONSISTENT)
			return NULL;
		TRY(step(im));
	}
}

static struct err *
to_main(const struct image *im)
{
	struct user_regs_struct regs;
	uint64_t call;

	if (im->file.found)
		return run_to(im, im->entry - im->file.entry + im->file.value,
			      &regs);
	TRY(to_entry(im));
	if (!find_symbol(im, 0, "__libc_start_main", &call))
		return err_new(ERR_NOTFOUND, 0, "evaltime=%s: the program has "
			       "no symbol main", im->when);
	TRY(run_to(im, call, &regs));
	return run_to(im, first_arg(im, &regs), &regs);
}

static const struct point {
	const char *name;
	struct err *(*run)(const struct image *im);
} points[] = {
	[OPT_EVAL_EXEC] = { "exec", NULL },
	[OPT_EVAL_PREINIT] = { "preinit", to_linked },
	[OPT_EVAL_POSTINIT] = { "postinit", to_entry },
	[OPT_EVAL_MAIN] = { "main", to_main },
};

/* In the order in which a program comes to them. */
_Static_assert(OPT_EVAL_EXEC < OPT_EVAL_PREINIT &&
	       OPT_EVAL_PREINIT < OPT_EVAL_POSTINIT &&
	       OPT_EVAL_POSTINIT < OPT_EVAL_MAIN, "points in order");

struct err *
session_proc_ready(struct session *s, struct session_proc *p)
{
	unsigned to = (unsigned)s->opts.v[OPT_EVALTIME];
	struct image im = { .p = p, .when = points[to].name };

	if (p->created && p->ended && !p->runs)
		return ended(p, im.when);	/* whoever asks again is told again */
	if (!p->created || p->runs || (p->held && p->point == to))
		return NULL;
	if (p->held && p->point > to)
		return err_new(ERR_STATE, 0, "the command has been run to %s "
			       "already, behind the point of evaltime=%s",
			       points[p->point].name, im.when);
	if (!p->held)
		TRY(execute(&im));
	if (points[to].run) {
		TRY(look(&im));
		TRY(points[to].run(&im));
	}
	p->point = to;
	return NULL;
}

struct err *
session_proc_look(struct session *s, pid_t pid, pid_t *own)
{
	struct session_proc *p = s->procs;

	for (; !pid && p; p = p->next)
		if (p->seen)
			TRY(session_proc_look(s, p->seen, own));
	if (!pid)
		return NULL;
	while (p && p->seen != pid)
		p = p->next;
	*own = p ? p->pid : pid;
	if (!p && !kern_first_pid_ns())
		return err_new(ERR_UNSUPPORTED, 0, "process %d has another number "
			       "for probes, as in a container: run dtrace in "
			       "the machine's first pid namespace", (int)pid);
	if (!p)
		return NULL;
	if (s->opts.from[OPT_EVALTIME] == OPT_FROM_DEFAULT)
		s->opts.v[OPT_EVALTIME] = OPT_EVAL_POSTINIT;
	return session_proc_ready(s, p);
}

/* What nobody has looked at may execute its program when it is traced. */
struct err *
session_proc_place(struct session *s)
{
	bool later = !points[s->opts.v[OPT_EVALTIME]].run;

	for (struct session_proc *p = s->procs; p; p = p->next)
		if (p->held || p->ended || !later)
			TRY(session_proc_ready(s, p));
	return NULL;
}
