/* SPDX-License-Identifier: BSD-2-Clause
 *
 * May programs be attached to functions of the kernel?  Each way is tried at an
 * address where no function is: a kernel that can do it says that nothing is there,
 * and has nothing to undo, which takes long; any other says why it cannot.
 */
#include <errno.h>
#include <string.h>

#include "base/base.h"
#include "kern/kern_priv.h"
#include "kern/site.h"
#include "util/cleanup.h"

enum { NOWHERE = 8 };

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

/* Is that what is said of a place, not of a way? */
static bool
is_of_place(const struct err *e)
{
	return e->os == ENOENT || e->os == ESRCH || e->os == EILSEQ ||
	       e->os == EFAULT || e->os == ERANGE || e->os == EADDRNOTAVAIL;
}

/* Error: not by this way. */
static struct err *
try(enum abi_attach attach)
{
	struct kern_place place = { .at = NOWHERE };
	const struct kern_site site = {
		.attach = attach, .place = place, .places = &place,
		.nplaces = 1,
	};
	struct kern_link *l = NULL;
	CLEANUP(util_closep) int prog = load(attach);
	struct err *e = prog < 0 ?
		kern_os_err(prog, "cannot load a program for %s",
			    abi_attach_row(attach)->section) :
		kern_attach(prog, &site, &l);

	kern_detach(l);
	/* A single probe is refused as any argument is that makes no sense. */
	if (e && prog >= 0 && (is_of_place(e) ||
	    (attach == ABI_ATTACH_KPROBE && e->os == EINVAL))) {
		err_free(e);
		return NULL;
	}
	return e;
}

struct err *
kern_may_probe(bool *many)
{
	kern_log_quiet();
	struct err *each, *all = try(ABI_ATTACH_KPROBE_MULTI);

	*many = !all;
	if (!all)
		return NULL;
	each = try(ABI_ATTACH_KPROBE);
	struct err *e = each ? err_new(ERR_UNSUPPORTED, all->os,
		"functions of the kernel cannot be probed here: %s; %s",
		all->text, each->text) : NULL;
	err_free(all);
	err_free(each);
	return e;
}
