/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The syscall provider: an entry and a return for every system call that the
 * headers of the build, or syscall_newer.def, know.  One that this kernel
 * lacks never fires; one newer than both has no probe.
 *
 * All entries share one raw tracepoint, sys_enter, and all returns another,
 * sys_exit.  The number of the call is looked up in a table: native numbers
 * come first, and behind them, from PROV_NNATIVE on, those of 32-bit programs,
 * which have other numbers for the same names.  A name is one probe, whichever
 * kind of program calls it; names that only 32-bit programs have (mmap2,
 * stat64) are probes too.  Numbers of x32 programs have a high bit set, stand
 * in no table, and fire nothing.
 *
 * Both tracepoints get the registers at the call.  On return the number of
 * the call is where the kernel keeps it for restarts, as the register that
 * held it now has the result.
 */
#include <assert.h>
#include <string.h>

#include "base/base.h"
#include "prov/func_priv.h"
#include "prov/prov_priv.h"
#include "prov/syscall_table.def"

static const struct {
	const char *name;
	int native, compat;	/* numbers; -1: none */
} calls[] = {
#define SYSCALL(name, native, compat) { #name, native, compat },
#include "prov/syscall_table.def"
#undef SYSCALL
};
_Static_assert(BASE_NELEMS(calls) == PROV_NSYSCALLS, "the table is complete");

/* A register of the struct pt_regs that the first word of the context points
 * to; what the upper half of a 32-bit call's holds is not the call's. */
#define ARG(role) { .kind = ABI_ARG_REG, .size = 8, .reg = ABI_ROLE_##role }
#define ARG32(role) { .kind = ABI_ARG_REG, .size = 4, .reg = ABI_ROLE_##role }
#define CTX(offset, is_sign) { .kind = ABI_ARG_CTX, .size = 8, \
			       .is_signed = is_sign, .off = offset }
#define CTX32(offset) { .kind = ABI_ARG_CTX, .size = 4, .off = offset }

#define ENTRY_ARGS { ARG(CALL0), ARG(CALL1), ARG(CALL2), ARG(CALL3), \
		     ARG(CALL4), ARG(CALL5) }
#define COMPAT_ARGS { ARG32(COMPAT0), ARG32(COMPAT1), ARG32(COMPAT2), \
		      ARG32(COMPAT3), ARG32(COMPAT4), ARG32(COMPAT5) }
#define NUMBER { .kind = ABI_ARG_REG, .is_signed = 1, .reg = ABI_ROLE_CALL }

#define TABLE .runs = ABI_RUNS_TASK, \
	      .find = ABI_FIND_TABLE, \
	      .nindex = PROV_NNATIVE + PROV_NCOMPAT, \
	      .compat = PROV_NCOMPAT ? PROV_NNATIVE : 0

/* Context: { struct pt_regs *, long number } */
static const struct abi_point enter_point = {
	TABLE, .attach = ABI_ATTACH_RAWTP, .target = "sys_enter",
	.index = CTX(8, 1), .args = ENTRY_ARGS, .compat_args = COMPAT_ARGS,
};

/* Context: { struct pt_regs *, long result } */
static const struct abi_point exit_point = {
	TABLE, .attach = ABI_ATTACH_RAWTP, .target = "sys_exit", .index = NUMBER,
	.args = { CTX(8, 1), CTX(8, 1) }, .errno_arg = CTX(8, 1),
};

/* Where a thread can lose its CPU in a program, which keeps the others of that CPU from
 * running it (kern_preempts()), it cannot at what the kernel tells users of the
 * same.  The first word is nobody's: { u64, long number, six arguments } and
 * { u64, long number, long result } */
static const struct abi_point enter_record = {
	TABLE, .attach = ABI_ATTACH_TRACEPOINT, .group = "raw_syscalls",
	.target = "sys_enter", .index = CTX(8, 1),
	.args = { CTX(16, 0), CTX(24, 0), CTX(32, 0), CTX(40, 0), CTX(48, 0),
		  CTX(56, 0) },
	.compat_args = { CTX32(16), CTX32(24), CTX32(32), CTX32(40), CTX32(48),
			 CTX32(56) },
};

static const struct abi_point exit_record = {
	TABLE, .attach = ABI_ATTACH_TRACEPOINT, .group = "raw_syscalls",
	.target = "sys_exit", .index = CTX(8, 1),
	.args = { CTX(16, 1), CTX(16, 1) }, .errno_arg = CTX(16, 1),
};

/* Who may not open tracefs has no events: then it is better to lose some calls, which is
 * told, than to see none. */
static bool
takes_records(struct prov_set *s)
{
	struct prov_funcs *f = s->funcs;
	struct abi_event event;

	if (!f || !f->world.preempts)
		return false;
	if (!f->has_asked_events) {
		struct err *e = prov_tracefs_event(enter_record.group,
						   enter_record.target, &event);
		f->has_asked_events = true;
		f->has_events = !e;
		err_free(e);
	}
	return f->has_events;
}

static const struct abi_point *
point_of(struct prov_set *s, bool is_return)
{
	if (takes_records(s))
		return is_return ? &exit_record : &enter_record;
	return is_return ? &exit_point : &enter_point;
}

static const char *const names[] = { "entry", "return", NULL };

/* probe.arg */
static uint64_t
pack(uint32_t call, bool is_return)
{
	return (uint64_t)call << 1 | is_return;
}

static struct err *
discover(struct prov_set *s, const struct probe_desc *d,
	 struct prov_sink *sink)
{
	for (uint32_t i = 0; i < 2 * PROV_NSYSCALLS; i++)
		TRY(prov_add(sink, &(struct prov_new){
			.mod = PROBE_KERNEL, .func = calls[i / 2].name,
			.name = names[i % 2], .arg = pack(i / 2, i % 2),
			.place = i + 1 }));
	return NULL;
}

static const struct type *
arg_type(struct prov_set *s, const struct probe *p, unsigned n,
	 const char **name)
{
	if (p->arg & 1)
		return n < 2 ? &type_long : NULL;
	return prov_syscall_arg(s, (uint32_t)(p->arg >> 1), n, name);
}

static int
nargs(struct prov_set *s, const struct probe *p)
{
	return p->arg & 1 ? 2 : prov_syscall_nargs((uint32_t)(p->arg >> 1));
}

static void
add_keys(struct prov_site *site, size_t i)
{
	assert(site->nkeys + 2 <= BASE_NELEMS(site->keys));
	if (calls[i].native >= 0)
		site->keys[site->nkeys++] = (uint32_t)calls[i].native;
	if (calls[i].compat >= 0)
		site->keys[site->nkeys++] = PROV_NNATIVE +
					    (uint32_t)calls[i].compat;
}

static struct err *
sites(struct prov_set *s, const struct probe *p, prov_site_fn *fn, void *ctx)
{
	struct prov_site site = {
		.point = point_of(s, p->arg & 1),
		.trigger = PROV_TRIGGER_RAWTP,
	};

	add_keys(&site, (size_t)(p->arg >> 1));
	return fn(ctx, &site);
}

bool
prov_syscall_site(const char *name, bool is_return, struct abi_point *pt,
		  struct prov_site *site)
{
	/* On return the value, then what the call was given. */
	static const struct abi_arg after[ABI_NARGS] = {
		CTX(8, 1), ARG(CALL0), ARG(CALL1), ARG(CALL2), ARG(CALL3),
		ARG(CALL4), ARG(CALL5),
	};
	size_t i = 0;

	while (i < PROV_NSYSCALLS && strcmp(calls[i].name, name))
		i++;
	if (i == PROV_NSYSCALLS)
		return false;
	*pt = is_return ? exit_point : enter_point;
	if (is_return) {
		memcpy(pt->args, after, sizeof(after));
		pt->errno_arg.kind = ABI_ARG_NONE;
	}
	add_keys(site, i);
	site->point = pt;
	site->trigger = PROV_TRIGGER_RAWTP;
	return true;
}

const char *
prov_syscall_name(uint32_t i)
{
	return calls[i].name;
}

static const struct prov_way ways[] = {
	{ "rawtp ringbuf", "raw tracepoints sys_enter and sys_exit" },
	{ NULL, NULL }
};

const struct prov_ops prov_syscall_ops = {
	.ways = ways,
	.name = "syscall",
	.attr = {
		{ PROBE_EVOLVING, PROBE_EVOLVING, PROBE_CLASS_COMMON },
		{ PROBE_PRIVATE, PROBE_PRIVATE, PROBE_CLASS_UNKNOWN },
		{ PROBE_UNSTABLE, PROBE_UNSTABLE, PROBE_CLASS_ISA },
		{ PROBE_EVOLVING, PROBE_EVOLVING, PROBE_CLASS_COMMON },
		{ PROBE_UNSTABLE, PROBE_UNSTABLE, PROBE_CLASS_ISA },
	},
	.names = names,
	.nplaces = 2 * PROV_NSYSCALLS,
	.state_size = PROV_NSYSCALLS * sizeof(prov_syscall_types),
	.discover = discover,
	.sites = sites,
	.aliases = prov_syscall_aliases,
	.foreign = prov_syscall_foreign,
	.arg_type = arg_type,
	.nargs = nargs,
};
