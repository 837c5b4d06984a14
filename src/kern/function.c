/* SPDX-License-Identifier: BSD-2-Clause
 *
 * May programs be attached to functions of the kernel, and to programs?  Each way is tried where no
 * function is: a kernel that can do it says that nothing is there, and has nothing
 * to undo, which takes long; any other says why it cannot.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "base/base.h"
#include "kern/kern_priv.h"
#include "kern/site.h"
#include "util/cleanup.h"

enum { NOWHERE = 8 };

#define UPROBES "/sys/bus/event_source/devices/uprobe/type"

/* r0 = 0; exit */
static const struct bpf_insn nothing[] = {
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
	{ .code = BPF_JMP | BPF_EXIT },
};

static int
load(enum abi_attach attach)
{
	union bpf_attr attr;

	kern_prog_attr(BPF_PROG_TYPE_KPROBE, "dt_try", nothing,
		       BASE_NELEMS(nothing), &attr);
	attr.expected_attach_type = abi_attach_row(attach)->expect;
	return kern_bpf(BPF_PROG_LOAD, &attr);
}

/* By a name that no function has: ESRCH.  (Of an address that is none it says EINVAL,
 * as a kernel does that has never heard of this way.) */
static int
link_many(int prog)
{
	const char *names[] = { "dt no such function" };
	LIBBPF_OPTS(bpf_link_create_opts, opts, .kprobe_multi.syms = names,
		    .kprobe_multi.cnt = 1);
	CLEANUP(util_closep) int fd = bpf_link_create(prog, 0,
		(enum bpf_attach_type)ABI_EXPECT_TRACE_KPROBE_MULTI, &opts);

	return fd < 0 && fd != -ESRCH && fd != -ENOENT ? -fd : 0;
}

/* Error: not many at once. */
static struct err *
try_many(void)
{
	CLEANUP(util_closep) int prog = load(ABI_ATTACH_KPROBE_MULTI);
	int os = prog < 0 ? -prog : link_many(prog);

	return os ? kern_os_err(os, "no kprobe.multi") : NULL;
}

/* Error: not even one.  Of an address that is none a kernel that can do it says that the
 * argument is wrong. */
static struct err *
try_each(void)
{
	const struct kern_site site = { .attach = ABI_ATTACH_KPROBE,
					.place.at = NOWHERE };
	struct kern_link *l = NULL;
	CLEANUP(util_closep) int prog = load(ABI_ATTACH_KPROBE);

	if (prog < 0)
		return kern_os_err(prog, "cannot load programs for kprobes");
	struct err *e = kern_attach(prog, &site, &l);
	kern_detach(l);
	if (e && (e->os == EINVAL || e->os == ENOENT || e->os == EILSEQ ||
		  e->os == EFAULT || e->os == EADDRNOTAVAIL)) {
		err_free(e);
		return NULL;
	}
	return e;
}

struct err *
kern_may_probe(bool *many)
{
	kern_log_quiet();
	struct err *each, *all = try_many();

	*many = !all;
	if (!all)
		return NULL;
	each = try_each();
	struct err *e = each ? err_new(ERR_UNSUPPORTED, all->os,
		"functions of the kernel cannot be probed here: %s; %s",
		all->text, each->text) : NULL;
	err_free(all);
	err_free(each);
	return e;
}

/* --- Programs ----------------------------------------------------------------- */

/* What is no file has no places: EBADF.  A kernel that does not know this way says
 * EINVAL. */
static struct err *
try_user_many(void)
{
	struct kern_place nowhere = { 0 };
	const struct kern_site site = { .attach = ABI_ATTACH_UPROBE_MULTI,
		.target = "/", .places = &nowhere, .nplaces = 1 };
	struct kern_link *l = NULL;
	CLEANUP(util_closep) int prog = load(ABI_ATTACH_UPROBE_MULTI);

	if (prog < 0)
		return kern_os_err(prog, "no uprobe.multi");
	struct err *e = kern_attach(prog, &site, &l);
	kern_detach(l);
	if (e && e->os == EBADF) {
		err_free(e);
		return NULL;
	}
	return e;
}

struct err *
kern_may_probe_user(bool *many)
{
	kern_log_quiet();
	struct err *all = try_user_many();

	*many = !all;
	if (all && all->code == ERR_NOMEM)
		return all;
	if (all && access(UPROBES, R_OK)) {
		int os = errno;
		err_free(all);
		return err_new(ERR_UNSUPPORTED, os, "this kernel has no user "
			       "probes: %s", UPROBES);
	}
	err_free(all);
	return NULL;
}
