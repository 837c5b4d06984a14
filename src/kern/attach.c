/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Attaching and running programs.  Every attachment is a file descriptor that
 * nothing else holds, so the kernel undoes it when this process dies, however
 * it dies.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <linux/perf_event.h>

#include "kern/kern_priv.h"
#include "util/alloc.h"

struct kern_link {
	int link;	/* BPF link; -1: none */
	int perf;	/* perf event; -1: none */
};

static struct kern_link *
link_new(void)
{
	struct kern_link *l = util_alloc(sizeof(*l));

	if (l)
		*l = (struct kern_link){ -1, -1 };
	return l;
}

void
kern_detach(struct kern_link *l)
{
	if (!l)
		return;
	if (l->link >= 0)
		close(l->link);
	if (l->perf >= 0)
		close(l->perf);
	util_free(l);
}

struct err *
kern_attach_rawtp(int prog_fd, const char *tracepoint, struct kern_link **ret)
{
	struct kern_link *l = link_new();

	if (!l)
		return &err_nomem;
	l->link = bpf_raw_tracepoint_open(tracepoint, prog_fd);
	if (l->link < 0) {
		int os = l->link;
		kern_detach(l);
		return kern_os_err(os, "cannot attach to tracepoint %s",
				   tracepoint);
	}
	*ret = l;
	return NULL;
}

/* Fill in l; 0 or an errno. */
static int
open_profile(struct kern_link *l, int prog_fd, unsigned cpu,
	     uint64_t period_ns, uint64_t cookie)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = period_ns,
		.disabled = 1,
	};
	LIBBPF_OPTS(bpf_link_create_opts, opts,
		    .perf_event.bpf_cookie = cookie);

	l->perf = (int)syscall(SYS_perf_event_open, &attr, -1, (int)cpu, -1,
			       PERF_FLAG_FD_CLOEXEC);
	if (l->perf < 0)
		return errno;
	l->link = bpf_link_create(prog_fd, l->perf, BPF_PERF_EVENT, &opts);
	/* Without perf links (before Linux 5.15) there is no cookie either. */
	if (l->link < 0 && (cookie ||
			    ioctl(l->perf, PERF_EVENT_IOC_SET_BPF, prog_fd)))
		return cookie ? -l->link : errno;
	return ioctl(l->perf, PERF_EVENT_IOC_ENABLE, 0) ? errno : 0;
}

struct err *
kern_attach_profile(int prog_fd, unsigned cpu, uint64_t period_ns,
		    uint64_t cookie, struct kern_link **ret)
{
	struct kern_link *l = link_new();

	if (!l)
		return &err_nomem;
	int os = open_profile(l, prog_fd, cpu, period_ns, cookie);
	if (os) {
		kern_detach(l);
		return kern_os_err(os, "cannot sample CPU %u", cpu);
	}
	*ret = l;
	return NULL;
}

/* The kernel wants at least as many context words as the program may read,
 * and takes no more than it ever passes. */
struct err *
kern_prog_run(int prog_fd, const uint64_t *ctx, unsigned nctx,
	      uint32_t *retval)
{
	uint64_t words[12] = { 0 };

	if (nctx > sizeof(words) / sizeof(words[0]))
		return err_new(ERR_INVALID, 0, "a context has 12 words");
	if (nctx)
		memcpy(words, ctx, nctx * sizeof(words[0]));
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = words,
		    .ctx_size_in = sizeof(words));
	int os = bpf_prog_test_run_opts(prog_fd, &opts);
	if (os)
		return kern_os_err(os, "cannot run a BPF program");
	*retval = opts.retval;
	return NULL;
}

struct err *
kern_prog_run_on(int prog_fd, unsigned cpu)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .flags = BPF_F_TEST_RUN_ON_CPU,
		    .cpu = cpu);
	int os = bpf_prog_test_run_opts(prog_fd, &opts);

	return os ? kern_os_err(os, "cannot run a BPF program on CPU %u", cpu)
		  : NULL;
}

uint64_t
kern_prog_misses(int prog_fd)
{
	struct bpf_prog_info info = { 0 };
	uint32_t size = sizeof(info);

	if (bpf_obj_get_info_by_fd(prog_fd, &info, &size))
		return 0;
	return info.recursion_misses;
}
