/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Ways of attaching (abi/attach.def).
 */
#ifndef ABI_ATTACH_H
#define ABI_ATTACH_H

#include "abi/int.h"

/* As enum bpf_prog_type has them. */
enum abi_prog {
	ABI_PROG_KPROBE = 2,
	ABI_PROG_TRACEPOINT = 5,
	ABI_PROG_PERF_EVENT = 7,
	ABI_PROG_RAW_TRACEPOINT = 17,
	ABI_PROG_TRACING = 26,
};

/* As enum bpf_attach_type has them, in headers that are new enough. */
enum abi_expect {
	ABI_EXPECT_NONE = 0,
	ABI_EXPECT_TRACE_RAW_TP = 23,
	ABI_EXPECT_TRACE_FENTRY = 24,
	ABI_EXPECT_TRACE_FEXIT = 25,
	ABI_EXPECT_TRACE_KPROBE_MULTI = 42,
	ABI_EXPECT_TRACE_UPROBE_MULTI = 48,
};

/* What a program is given. */
enum abi_context {
	ABI_CONTEXT_WORDS,	/* u64 numbers */
	ABI_CONTEXT_TYPED,	/* u64 whose types the verifier knows, and what
				 * it takes for a pointer is no number */
	ABI_CONTEXT_REGS,	/* a struct pt_regs */
	ABI_CONTEXT_PERF,	/* a struct bpf_perf_event_data, which begins
				 * with one */
};

/* In which context a program runs. */
enum abi_runs {
	ABI_RUNS_AS_ATTACHED,	/* of a point: the row of its way says it */
	ABI_RUNS_TASK,		/* a thread called it */
	ABI_RUNS_INTERRUPT,	/* it interrupted whatever was running */
	ABI_RUNS_EITHER,	/* one or the other: asked when it runs, if that
				 * matters (bpfrt/runs.h) */
};

/* Where a program finds the number that its site was attached with. */
enum abi_cookie {
	ABI_COOKIE_NONE,
	ABI_COOKIE_HELPER,	/* bpf_get_attach_cookie(), if kern could give
				 * one */
};

/* What the function begins with that calls the programs of a tracepoint. */
#define ABI_TRACEITER "__traceiter_"
/* And the typedef in BTF of the functions that a tracepoint calls. */
#define ABI_BTF_TRACE "btf_trace_"

/* Which frames the kernel shows us before those of what is traced. */
enum abi_own {
	ABI_OWN_NONE,		/* none: the stack is that of the registers */
	ABI_OWN_ENTRY,		/* none, and the registers are as a function was called */
	ABI_OWN_RETURN,		/* before Linux 5.16 where the function returns to instead */
	ABI_OWN_CALLS,		/* that of what calls all that is at a tracepoint, if
				 * there is more than one */
	ABI_OWN_FIRST,		/* the first, whatever it is; registers as for ENTRY */
	ABI_OWN_CODE,		/* those of BPF code */
	ABI_OWN_TRACE,		/* and of what calls programs at a tracepoint */
};

enum abi_attach {
#define ATTACH(NAME, ...) ABI_ATTACH_##NAME,
#include "abi/attach.def"
#undef ATTACH
	ABI_NATTACH
};

struct abi_attach_row {
	const char *section;
	uint32_t prog;		/* enum abi_prog */
	uint32_t expect;	/* enum abi_expect */
	uint8_t context, runs, cookie, own;
};

static inline const struct abi_attach_row *
abi_attach_row(enum abi_attach attach)
{
	static const struct abi_attach_row rows[] = {
#define ATTACH(NAME, section, prog, expect, context, runs, cookie, own, way) \
	{ section, ABI_PROG_##prog, ABI_EXPECT_##expect, \
	  ABI_CONTEXT_##context, ABI_RUNS_##runs, ABI_COOKIE_##cookie, \
	  ABI_OWN_##own },
#include "abi/attach.def"
#undef ATTACH
	};

	return &rows[attach];
}

/* Programs of one class can call one another: the first way whose programs are
 * of the same class. */
static inline enum abi_attach
abi_attach_class(enum abi_attach attach)
{
	const struct abi_attach_row *row = abi_attach_row(attach);
	uint32_t i = 0;

	while (abi_attach_row((enum abi_attach)i)->prog != row->prog ||
	       abi_attach_row((enum abi_attach)i)->expect != row->expect)
		i++;
	return (enum abi_attach)i;
}

/* Is a program of this kind loaded for one function or tracepoint, by its number
 * in BTF? */
static inline bool
abi_attach_is_typed(enum abi_attach attach)
{
	return abi_attach_row(attach)->prog == ABI_PROG_TRACING;
}

#endif
