/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is asked of the kernel to attach a program in each way, and what is told when it
 * refuses.  The kernel is played by us, so that also what only another one has is seen.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <cmocka.h>
#include <linux/perf_event.h>

#include "abi/attach.h"
#include "abi/point.h"
#include "base/base.h"
#include "kern/kern_priv.h"
#include "kern/site.h"
#include "support/assertok.h"
#include "support/countopen.h"
#include "util/alloc.h"

enum { PROG = 77, MAX = 64 };

/* What the kernel was asked for, call by call, and what it answers. */
static struct kernel {
	unsigned ncalls;
	struct call {
		enum bpf_cmd cmd;
		union bpf_attr attr;
		char name[64];		/* of a tracepoint, or of a function */
		uint64_t at[8], cookies[8], ref_ctrs[8];	/* of many */
		uint32_t n;
		int fd;			/* answered; -errno */
	} calls[MAX];
	unsigned fail_at;		/* this call, from 1 */
	int os;				/* fails so; or any call for a place of `bad` */
	uint64_t bad[2];
	bool many_kernel;		/* functions are told by address */
	unsigned napart, ncrews;

	struct perf_event_attr event;
	int pid, cpu, group;
	unsigned long flags;
	int open_os, set_os, enable_os;
	int event_fd, set_prog, nset, nenabled;
	const char *types;		/* what the file says; NULL: there is none */
	char type_path[128];
} k;

int __wrap_kern_bpf(enum bpf_cmd cmd, union bpf_attr *attr);
int __wrap_kern_apart(int (*fn)(void *ctx), void *ctx);
int __wrap_kern_prog_load(enum bpf_prog_type type, const char *name,
			  const struct bpf_insn *insns, size_t n, uint32_t flags);
int __wrap_bpf_link_create(int prog, int target, enum bpf_attach_type type,
			   const struct bpf_link_create_opts *opts);
int __wrap_bpf_obj_get_info_by_fd(int fd, void *info, uint32_t *size);
void __wrap_kern_crew_waits(uint32_t n, void (*fn)(void *ctx, uint32_t i), void *ctx);
long __wrap_syscall(long nr, ...);
int __wrap_ioctl(int fd, unsigned long request, ...);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen64(const char *path, const char *mode);

static int
new_fd(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static struct call *
note(enum bpf_cmd cmd)
{
	assert_true(k.ncalls < MAX);
	struct call *c = &k.calls[k.ncalls++];

	*c = (struct call){ .cmd = cmd };
	return c;
}

static int
answer(struct call *c)
{
	int os = k.fail_at == k.ncalls ? k.os : 0;

	for (uint32_t i = 0; i < c->n; i++)
		for (unsigned b = 0; b < BASE_NELEMS(k.bad); b++)
			if (k.bad[b] && c->at[i] == k.bad[b])
				os = k.os;
	c->fd = os ? -os : new_fd();
	return c->fd;
}

/* Many places: behind four words, as the kernel has them. */
static void
copy_many(struct call *c)
{
	const uint64_t *words = (const uint64_t *)((const char *)&c->attr + 16);
	const uint32_t *half = (const uint32_t *)words;
	const uint64_t *at, *cookies, *ref_ctrs = NULL;

	if (k.many_kernel) {
		c->n = half[1];
		assert_int_equal(words[1], 0);		/* no names */
		at = (const uint64_t *)words[2];
		cookies = (const uint64_t *)words[3];
	} else {
		c->n = half[8];
		snprintf(c->name, sizeof(c->name), "%s", (const char *)words[0]);
		at = (const uint64_t *)words[1];
		ref_ctrs = (const uint64_t *)words[2];
		cookies = (const uint64_t *)words[3];
	}
	assert_in_range(c->n, 1, BASE_NELEMS(c->at));
	memcpy(c->at, at, c->n * sizeof(*at));
	memcpy(c->cookies, cookies, c->n * sizeof(*at));
	if (ref_ctrs)
		memcpy(c->ref_ctrs, ref_ctrs, c->n * sizeof(*at));
}

int
__wrap_kern_bpf(enum bpf_cmd cmd, union bpf_attr *attr)
{
	struct call *c = note(cmd);

	c->attr = *attr;
	if (cmd == BPF_RAW_TRACEPOINT_OPEN && attr->raw_tracepoint.name)
		snprintf(c->name, sizeof(c->name), "%s",
			 (const char *)(uintptr_t)attr->raw_tracepoint.name);
	else if (cmd == BPF_LINK_CREATE &&
		 (attr->link_create.attach_type == ABI_EXPECT_TRACE_KPROBE_MULTI ||
		  attr->link_create.attach_type == ABI_EXPECT_TRACE_UPROBE_MULTI))
		copy_many(c);
	return answer(c);
}

int
__wrap_kern_apart(int (*fn)(void *ctx), void *ctx)
{
	k.napart++;
	return fn(ctx);
}

static int nothing_os;

int
__wrap_kern_prog_load(enum bpf_prog_type type, const char *name,
		      const struct bpf_insn *insns, size_t n, uint32_t flags)
{
	assert_int_equal(type, BPF_PROG_TYPE_RAW_TRACEPOINT);
	return nothing_os ? -nothing_os : new_fd();
}

int
__wrap_bpf_link_create(int prog, int target, enum bpf_attach_type type,
		       const struct bpf_link_create_opts *opts)
{
	struct call *c = note(BPF_LINK_CREATE);

	assert_int_equal(prog, PROG);
	assert_int_equal(target, 0);
	assert_int_equal(type, BPF_TRACE_KPROBE_MULTI);
	assert_int_equal(opts->kprobe_multi.cnt, 1);
	snprintf(c->name, sizeof(c->name), "%s", opts->kprobe_multi.syms[0]);
	c->n = opts->kprobe_multi.cookies != NULL;
	if (c->n)
		c->cookies[0] = opts->kprobe_multi.cookies[0];
	return answer(c);
}

long
__wrap_syscall(long nr, ...)
{
	va_list ap;

	assert_int_equal(nr, SYS_perf_event_open);
	va_start(ap, nr);
	k.event = *va_arg(ap, struct perf_event_attr *);
	k.pid = va_arg(ap, int);
	k.cpu = va_arg(ap, int);
	k.group = va_arg(ap, int);
	k.flags = (unsigned long)va_arg(ap, int);
	va_end(ap);
	if (k.open_os) {
		errno = k.open_os;
		return -1;
	}
	k.event_fd = new_fd();
	return k.event_fd;
}

int
__wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list ap;
	int os = 0;

	assert_int_equal(fd, k.event_fd);
	va_start(ap, request);
	if (request == PERF_EVENT_IOC_SET_BPF) {
		k.set_prog = va_arg(ap, int);
		k.nset++;
		os = k.set_os;
	} else {
		assert_int_equal(request, PERF_EVENT_IOC_ENABLE);
		k.nenabled++;
		os = k.enable_os;
	}
	va_end(ap);
	errno = os;
	return os ? -1 : 0;
}

FILE *
__wrap_fopen(const char *path, const char *mode)
{
	if (strncmp(path, "/sys/bus/event_source/", 22)) {
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		return fd < 0 ? NULL : fdopen(fd, "r");
	}
	snprintf(k.type_path, sizeof(k.type_path), "%s", path);
	if (!k.types) {
		errno = ENOENT;
		return NULL;
	}
	return fmemopen((char *)k.types, strlen(k.types), "r");
}

/* What libraries for 32 bits call it, too. */
FILE *
__wrap_fopen64(const char *path, const char *mode)
{
	return __wrap_fopen(path, mode);
}

/* --- Help ----------------------------------------------------------------------------- */

/* Attach, with what the kernel answers set already; the error's text, or NULL. */
static const char *
attach(const struct kern_site *s, struct kern_link **l, enum err_code *code)
{
	static char text[256];
	struct err *e;

	*l = NULL;
	e = kern_attach(PROG, s, l);
	if (!e) {
		assert_non_null(*l);
		return NULL;
	}
	assert_null(*l);
	snprintf(text, sizeof(text), "%s", e->text);
	*code = e->code;
	err_free(e);
	return text;
}

/* It is refused with these words, and leaves nothing open. */
static void
refuse(const struct kern_site *s, enum err_code code, const char *want)
{
	unsigned nopen = count_open();
	struct kern_link *l;
	enum err_code got;
	const char *text = attach(s, &l, &got);

	if (!text || strncmp(text, want, strlen(want)))
		fail_msg("\"%s\", not \"%s\"", text ? text : "attached", want);
	assert_int_equal(got, code);
	assert_int_equal(count_open(), nopen);
}

/* It succeeds, with so many descriptors, which go with it. */
static struct kern_link *
allow(const struct kern_site *s, unsigned nfds)
{
	unsigned nopen = count_open();
	struct kern_link *l;
	enum err_code code;
	const char *text = attach(s, &l, &code);

	if (text)
		fail_msg("%s", text);
	assert_int_equal(count_open(), nopen + nfds);
	return l;
}

static bool
is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* --- Tracepoints and trampolines ------------------------------------------------------- */

static void
test_rawtp(void **state)
{
	static const uint64_t cookies[] = { 0, 5, 1ULL << 63 };

	for (size_t i = 0; i < BASE_NELEMS(cookies); i++) {
		struct kern_site s = { .attach = ABI_ATTACH_RAWTP, .target = "sched_switch",
				       .place.cookie = cookies[i] };
		k = (struct kernel){ .ncalls = 0 };
		kern_detach(allow(&s, 1));
		assert_int_equal(k.ncalls, 1);
		assert_int_equal(k.calls[0].cmd, BPF_RAW_TRACEPOINT_OPEN);
		assert_string_equal(k.calls[0].name, "sched_switch");
		assert_int_equal(k.calls[0].attr.raw_tracepoint.prog_fd, PROG);
		assert_memory_equal((char *)&k.calls[0].attr + 16, &cookies[i], 8);
		assert_false(is_open(k.calls[0].fd));
		assert_int_equal(k.napart, 0);		/* nothing waits */

		k = (struct kernel){ .fail_at = 1, .os = EINVAL };
		if (cookies[i])
			refuse(&s, ERR_UNSUPPORTED, "cannot attach to tracepoint sched_switch: "
			       "before Linux 6.10 it carries no cookie");
		else
			refuse(&s, ERR_OS, "cannot attach to tracepoint sched_switch: ");
		k = (struct kernel){ .fail_at = 1, .os = ENOENT };
		refuse(&s, ERR_OS, "cannot attach to tracepoint sched_switch: No such");
	}
}

static void
test_tracing(void **state)
{
	static const struct { enum abi_attach attach; uint32_t expect; const char *name; }
	rows[] = {
		{ ABI_ATTACH_TP_BTF, ABI_EXPECT_TRACE_RAW_TP, "tp_btf" },
		{ ABI_ATTACH_FENTRY, ABI_EXPECT_TRACE_FENTRY, "fentry" },
		{ ABI_ATTACH_FEXIT, ABI_EXPECT_TRACE_FEXIT, "fexit" },
	};
	char want[64];

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct kern_site s = { .attach = rows[i].attach, .target = "f" };
		k = (struct kernel){ .ncalls = 0 };
		kern_detach(allow(&s, 1));
		assert_int_equal(k.ncalls, 1);
		assert_int_equal(k.calls[0].cmd, BPF_RAW_TRACEPOINT_OPEN);
		assert_int_equal(k.calls[0].attr.raw_tracepoint.prog_fd, PROG);
		assert_int_equal(k.calls[0].attr.raw_tracepoint.name, 0);

		s.place.cookie = 9;
		k = (struct kernel){ .ncalls = 0 };
		kern_detach(allow(&s, 1));
		assert_int_equal(k.ncalls, 1);
		assert_int_equal(k.calls[0].cmd, BPF_LINK_CREATE);
		assert_int_equal(k.calls[0].attr.link_create.prog_fd, PROG);
		assert_int_equal(k.calls[0].attr.link_create.attach_type, rows[i].expect);
		assert_int_equal(k.calls[0].attr.link_create.tracing.cookie, 9);

		for (int cookie = 0; cookie < 2; cookie++) {
			k = (struct kernel){ .fail_at = 1, .os = EBUSY };
			s.place.cookie = (uint64_t)cookie;
			snprintf(want, sizeof(want), "cannot attach to %s f: ", rows[i].name);
			refuse(&s, ERR_OS, want);
		}
	}
}

/* By the function that calls what is at the tracepoint. */
static void
test_traceiter(void **state)
{
	struct kern_site s = { .attach = ABI_ATTACH_TRACEITER, .target = "sys_enter" };

	for (uint64_t cookie = 0; cookie < 3; cookie++) {
		s.place.cookie = cookie;
		k = (struct kernel){ .ncalls = 0 };
		struct kern_link *l = allow(&s, 1);
		assert_int_equal(k.ncalls, 1);
		assert_string_equal(k.calls[0].name, "__traceiter_sys_enter");
		assert_int_equal(k.calls[0].n, cookie != 0);
		assert_int_equal(k.calls[0].cookies[0], cookie);
		assert_int_equal(k.napart, 0);
		kern_detach(l);
		assert_int_equal(k.napart, 1);		/* to leave it waits */
	}
	k = (struct kernel){ .fail_at = 1, .os = ENOENT };
	refuse(&s, ERR_OS, "cannot attach to function __traceiter_sys_enter: ");
}

/* Two that do nothing, or none. */
static void
test_hold(void **state)
{
	struct kern_link *l = NULL;
	unsigned nopen = count_open();

	k = (struct kernel){ .ncalls = 0 };
	assert_ok(kern_hold_traceiter("sys_exit", 2, &l));
	assert_int_equal(k.ncalls, 2);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(k.calls[i].cmd, BPF_RAW_TRACEPOINT_OPEN);
		assert_string_equal(k.calls[i].name, "sys_exit");
		assert_true(is_open(k.calls[i].fd));
	}
	assert_int_equal(count_open(), nopen + 2);	/* the program is not among them */
	kern_detach(l);
	assert_int_equal(count_open(), nopen);
	k = (struct kernel){ .ncalls = 0 };
	assert_ok(kern_hold_traceiter("sys_exit", 1, &l));
	assert_int_equal(k.ncalls, 1);
	kern_detach(l);
	assert_int_equal(count_open(), nopen);
	for (unsigned at = 1; at <= 2; at++) {
		k = (struct kernel){ .fail_at = at, .os = EEXIST };
		l = NULL;
		struct err *e = kern_hold_traceiter("sys_exit", 2, &l);
		assert_non_null(e);
		assert_string_equal(e->text, "cannot attach to tracepoint sys_exit: File exists");
		err_free(e);
		assert_null(l);
		assert_int_equal(k.ncalls, at);
		assert_int_equal(count_open(), nopen);
	}
	k = (struct kernel){ .ncalls = 0 };
	nothing_os = EPERM;
	struct err *e = kern_hold_traceiter("sys_exit", 2, &l);
	nothing_os = 0;
	assert_non_null(e);
	assert_int_equal(e->os, EPERM);
	err_free(e);
	assert_int_equal(k.ncalls, 0);
	util_alloc_fail(1, 1);
	e = kern_hold_traceiter("sys_exit", 2, &l);
	util_alloc_fail(0, 0);
	assert_non_null(e);
	err_free(e);
	assert_int_equal(count_open(), nopen);
}

/* --- Events ----------------------------------------------------------------------------- */

/* The event that is opened, who it is of and where, and what it runs. */
static void
test_events(void **state)
{
	static const struct abi_event tp = { .type = 2, .config = 345, .period = 1 },
		cycles = { .type = 0, .config = 7, .period = 1000, .not_user = true },
		misses = { .type = 4, .config = 9, .period = 99, .not_kernel = true };
	static const char file[] = "/bin/x";
	const struct row {
		struct kern_site s;
		const char *kind;	/* of its type */
		struct perf_event_attr want;
		int pid, cpu;
		bool waits;
	} rows[] = {
		{ { .attach = ABI_ATTACH_PERF, .cpu = 3, .period_ns = 1000 }, NULL,
		  { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK,
		    .sample_period = 1000 }, -1, 3, false },
		{ { .attach = ABI_ATTACH_TRACEPOINT, .cpu = 2, .event = &tp }, NULL,
		  { .type = 2, .config = 345, .sample_period = 1 }, -1, 2, true },
		{ { .attach = ABI_ATTACH_PERF, .cpu = 1, .event = &cycles }, NULL,
		  { .type = 0, .config = 7, .sample_period = 1000, .exclude_user = 1 },
		  -1, 1, false },
		{ { .attach = ABI_ATTACH_PERF, .cpu = 0, .event = &misses }, NULL,
		  { .type = 4, .config = 9, .sample_period = 99, .exclude_kernel = 1 },
		  -1, 0, false },
		{ { .attach = ABI_ATTACH_KPROBE, .target = "f", .place.at = 4 }, "kprobe",
		  { .type = 12, .config1 = (uintptr_t)"f", .config2 = 4 }, -1, 0, true },
		{ { .attach = ABI_ATTACH_KPROBE, .place.at = 0x1234 }, "kprobe",
		  { .type = 12, .config2 = 0x1234 }, -1, 0, true },
		{ { .attach = ABI_ATTACH_KRETPROBE, .target = "f" }, "kprobe",
		  { .type = 12, .config = 1, .config1 = (uintptr_t)"f" }, -1, 0, true },
		{ { .attach = ABI_ATTACH_UPROBE, .target = file, .place.at = 0x40 }, "uprobe",
		  { .type = 12, .config1 = (uintptr_t)file, .config2 = 0x40 }, -1, 0, false },
		{ { .attach = ABI_ATTACH_UPROBE, .target = file, .pid = 55, .place.ref_ctr = 7 },
		  "uprobe", { .type = 12, .config = 7ULL << 32, .config1 = (uintptr_t)file },
		  55, -1, false },
		{ { .attach = ABI_ATTACH_URETPROBE, .target = file, .pid = 55 }, "uprobe",
		  { .type = 12, .config = 1, .config1 = (uintptr_t)file }, 55, -1, false },
	};
	char path[128];

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		for (uint64_t cookie = 0; cookie < 2; cookie++) {
			struct kern_site s = rows[i].s;
			struct perf_event_attr want = rows[i].want;
			s.place.cookie = cookie;
			want.size = sizeof(want);
			want.disabled = 1;
			if (want.config1)
				want.config1 = (uintptr_t)s.target;
			k = (struct kernel){ .types = "12\n" };
			struct kern_link *l = allow(&s, 2);
			if (memcmp(&k.event, &want, sizeof(want)))
				fail_msg("row %zu: another event", i);
			assert_int_equal(k.pid, rows[i].pid);
			assert_int_equal(k.cpu, rows[i].cpu);
			assert_int_equal(k.group, -1);
			assert_int_equal(k.flags, PERF_FLAG_FD_CLOEXEC);
			if (rows[i].kind) {
				snprintf(path, sizeof(path),
					 "/sys/bus/event_source/devices/%s/type", rows[i].kind);
				assert_string_equal(k.type_path, path);
			}
			assert_int_equal(k.ncalls, 1);
			assert_int_equal(k.calls[0].cmd, BPF_LINK_CREATE);
			assert_int_equal(k.calls[0].attr.link_create.prog_fd, PROG);
			assert_int_equal(k.calls[0].attr.link_create.target_fd, k.event_fd);
			assert_int_equal(k.calls[0].attr.link_create.attach_type, BPF_PERF_EVENT);
			assert_int_equal(k.calls[0].attr.link_create.perf_event.bpf_cookie,
					 cookie);
			assert_int_equal(k.nset, 0);
			assert_int_equal(k.nenabled, 1);
			kern_detach(l);
			assert_int_equal(k.napart, rows[i].waits);
			assert_false(is_open(k.event_fd));
		}
}

/* Each step may fail, and none leaves anything; a kernel without links of events is asked
 * as before there were any, but with a cookie that is no use. */
static void
test_event_refused(void **state)
{
	const struct kern_site s = { .attach = ABI_ATTACH_PERF, .cpu = 3, .period_ns = 1 };
	struct kern_site with = s;
	static const struct abi_event event = { .type = 2 };
	const struct kern_site counts = { .attach = ABI_ATTACH_TRACEPOINT, .cpu = 4,
					  .event = &event };

	k = (struct kernel){ .open_os = EMFILE };
	refuse(&s, ERR_OS, "cannot sample CPU 3: ");
	assert_int_equal(k.ncalls, 0);
	k = (struct kernel){ .open_os = ENOENT };
	refuse(&counts, ERR_OS, "cannot count events of CPU 4: No such");
	k = (struct kernel){ .enable_os = EBUSY };
	refuse(&s, ERR_OS, "cannot sample CPU 3: Device or resource busy");
	k = (struct kernel){ .fail_at = 1, .os = EINVAL };
	kern_detach(allow(&s, 1));
	assert_int_equal(k.nset, 1);
	assert_int_equal(k.set_prog, PROG);
	assert_int_equal(k.nenabled, 1);
	k = (struct kernel){ .fail_at = 1, .os = EINVAL, .set_os = EACCES };
	refuse(&s, ERR_OS, "cannot sample CPU 3: Permission denied");
	assert_int_equal(k.nenabled, 0);
	with.place.cookie = 1;
	k = (struct kernel){ .fail_at = 1, .os = EINVAL };
	refuse(&with, ERR_OS, "cannot sample CPU 3: Invalid argument");
	assert_int_equal(k.nset + k.nenabled, 0);
}

static void
test_probe_refused(void **state)
{
	static const struct kern_site sites[] = {
		{ .attach = ABI_ATTACH_KPROBE, .target = "f" },
		{ .attach = ABI_ATTACH_KPROBE, .place.at = 0x10 },
		{ .attach = ABI_ATTACH_UPROBE, .target = "/bin/x", .place.at = 0xfffffffffffff },
	};
	static const char *const names[] = {
		"kprobe f", "kprobe address+0x10", "uprobe /bin/x+0xfffffffffffff",
	};
	static const struct { int os; bool insn; } rows[] = {
		{ EINVAL, false }, { 524, true }, { ENOEXEC, true }, { ENOENT, false },
	};
	char want[128];

	for (size_t i = 0; i < BASE_NELEMS(sites); i++) {
		for (size_t r = 0; r < BASE_NELEMS(rows); r++) {
			k = (struct kernel){ .types = "8", .open_os = rows[r].os };
			snprintf(want, sizeof(want), "cannot attach to %s: %s", names[i],
				 rows[r].insn ? "the kernel takes no probe on this instruction"
				 : strerror(rows[r].os));
			refuse(&sites[i], ERR_OS, want);
		}
		for (int no = 0; no < 3; no++) {
			k = (struct kernel){ .types = no == 0 ? NULL : no == 1 ? "x" : "0\n" };
			snprintf(want, sizeof(want), "cannot attach to %s: this kernel has no %s",
				 sites[i].target ? sites[i].target : "address",
				 i < 2 ? "kprobes" : "uprobes");
			refuse(&sites[i], ERR_UNSUPPORTED, want);
		}
	}
	struct kern_site far = { .attach = ABI_ATTACH_UPROBE, .target = "/bin/x",
				 .place.ref_ctr = 1ULL << 32 };
	k = (struct kernel){ .types = "8" };
	refuse(&far, ERR_LIMIT, "cannot attach to /bin/x: its counter lies behind 4 GB");
	far.place.ref_ctr--;
	kern_detach(allow(&far, 2));
	far.attach = ABI_ATTACH_RUN;
	refuse(&far, ERR_INVALID, "this program is run by hand");
}

/* --- Many places ------------------------------------------------------------------------ */

enum { NPLACES = 7 };

static void
make_places(struct kern_place *p, bool counted)
{
	for (uint64_t i = 0; i < NPLACES; i++)
		p[i] = (struct kern_place){ .at = 0x1000 + i, .cookie = 50 + i, .refused = 99,
					    .ref_ctr = counted && i % 2 ? 0x9000 + i : 0 };
}

/* Of those calls that were answered, each place is in one, with its own numbers. */
static void
check_places(const struct kern_place *p, bool counted, uint64_t bad, uint64_t worse)
{
	unsigned seen[NPLACES] = { 0 };

	for (unsigned c = 0; c < k.ncalls; c++)
		for (uint32_t i = 0; i < k.calls[c].n; i++) {
			uint64_t at = k.calls[c].at[i] - 0x1000;
			assert_in_range(at, 0, NPLACES - 1);
			assert_int_equal(k.calls[c].cookies[i], 50 + at);
			assert_int_equal(k.calls[c].ref_ctrs[i],
					 counted && at % 2 ? 0x9000 + at : 0);
			seen[at] += k.calls[c].fd >= 0;
		}
	for (unsigned i = 0; i < NPLACES; i++) {
		bool is_bad = p[i].at == bad || p[i].at == worse;
		assert_int_equal(seen[i], !is_bad);
		assert_int_equal(p[i].refused, is_bad ? k.os : 0);
	}
}

static void
test_many(void **state)
{
	static const struct { enum abi_attach attach; bool kernel, ret; } rows[] = {
		{ ABI_ATTACH_KPROBE_MULTI, true, false },
		{ ABI_ATTACH_KRETPROBE_MULTI, true, true },
		{ ABI_ATTACH_UPROBE_MULTI, false, false },
		{ ABI_ATTACH_URETPROBE_MULTI, false, true },
	};

	for (size_t r = 0; r < BASE_NELEMS(rows); r++)
		for (unsigned n = 0; n < (NPLACES + 1) * (NPLACES + 1) * 2; n++) {
			struct kern_place places[NPLACES];
			struct kern_site s = { .attach = rows[r].attach, .target = "/lib/y",
					       .pid = 44, .places = places,
					       .nplaces = NPLACES };
			bool counted = n % 2 && !rows[r].kernel;
			uint64_t bad = n / 2 % (NPLACES + 1), worse = n / 2 / (NPLACES + 1);
			k = (struct kernel){ .os = EINVAL, .many_kernel = rows[r].kernel };
			k.bad[0] = bad < NPLACES ? 0x1000 + bad : 0;
			k.bad[1] = worse < NPLACES ? 0x1000 + worse : 0;
			make_places(places, counted);
			struct kern_link *l;
			enum err_code code;
			unsigned nopen = count_open();
			assert_null(attach(&s, &l, &code));
			check_places(places, counted, k.bad[0], k.bad[1]);
			const struct call *c = &k.calls[0];
			const uint32_t *half = (const uint32_t *)((const char *)&c->attr + 16);
			assert_int_equal(c->n, NPLACES);	/* all of them first */
			assert_int_equal(c->attr.link_create.prog_fd, PROG);
			assert_int_equal(c->attr.link_create.target_fd, 0);
			assert_int_equal(half[rows[r].kernel ? 0 : 9], rows[r].ret);
			if (!rows[r].kernel) {
				assert_string_equal(c->name, "/lib/y");
				assert_int_equal(half[10], 44);
				assert_int_equal(half[11], 0);
				const uint64_t *words = (const void *)half;
				assert_int_equal(words[2] != 0, counted);
			}
			assert_int_equal(k.napart, k.ncalls);
			if (!k.bad[0] && !k.bad[1])
				assert_int_equal(k.ncalls, 1);
			kern_detach(l);
			assert_int_equal(count_open(), nopen);
		}
}

/* What says that all are refused is believed at once; else each is tried. */
static void
test_many_refused(void **state)
{
	static const struct { int os; bool user, kernel; } rows[] = {	/* all, at once */
		{ EPERM, true, true }, { EACCES, true, true }, { EBADF, true, true },
		{ ESRCH, true, true }, { ENOMEM, true, true }, { EMFILE, true, true },
		{ ENFILE, true, true }, { ENOENT, true, false }, { EINVAL, false, false },
		{ EOPNOTSUPP, false, false }, { EBUSY, false, false },
	};

	for (size_t r = 0; r < BASE_NELEMS(rows); r++)
		for (int kernel = 0; kernel < 2; kernel++)
			for (unsigned n = 1; n <= 2; n++) {
				struct kern_place places[NPLACES];
				struct kern_site s = { .attach = kernel ?
					ABI_ATTACH_KPROBE_MULTI : ABI_ATTACH_UPROBE_MULTI,
					.target = "/lib/y", .places = places, .nplaces = n };
				bool all = kernel ? rows[r].kernel : rows[r].user;
				k = (struct kernel){ .os = rows[r].os, .many_kernel = kernel,
						     .bad = { 0x1000, 0x1001 } };
				make_places(places, false);
				refuse(&s, k.os == ENOMEM ? ERR_NOMEM : ERR_OS, kernel ? "cannot attach to kprobe.multi "
				       "functions of the kernel: " :
				       "cannot attach to uprobe.multi /lib/y: ");
				assert_int_equal(k.ncalls, all || n == 1 ? 1 : 3);
				for (unsigned i = 0; i < n; i++)
					assert_int_equal(places[i].refused, all ? 0 : k.os);
			}
	/* Half are attached before the kernel has no more descriptors. */
	struct kern_place places[NPLACES];
	struct kern_site s = { .attach = ABI_ATTACH_UPROBE_MULTI, .target = "/lib/y",
			       .places = places, .nplaces = 2 };
	k = (struct kernel){ .os = EINVAL, .bad = { 0x1001 } };
	make_places(places, false);
	kern_detach(allow(&s, 1));
	s.nplaces = 0;
	refuse(&s, ERR_INVALID, "/lib/y: nowhere to attach to");
	s.nplaces = 2;
	k = (struct kernel){ .ncalls = 0 };
	for (unsigned long n = 1; n <= 3; n++) {
		struct kern_link *l = NULL;
		util_alloc_fail(n, 1);
		struct err *e = kern_attach(PROG, &s, &l);
		util_alloc_fail(0, 0);
		assert_int_equal(e != NULL, l == NULL);
		err_free(e);
		kern_detach(l);
	}
}

/* --- Leaving ---------------------------------------------------------------------------- */

static int first_open[4], nwatched;

void
__wrap_kern_crew_waits(uint32_t n, void (*fn)(void *ctx, uint32_t i), void *ctx)
{
	k.ncrews++;
	/* What need not wait is gone before anything waits; the rest is not. */
	for (int i = 0; i < nwatched; i++)
		assert_int_equal(is_open(first_open[i]), i % 2);
	for (uint32_t i = 0; i < n; i++)
		fn(ctx, i);
	for (int i = 0; i < nwatched; i++)
		assert_false(is_open(first_open[i]));
}

/* Those that wait do so together, behind the others; one alone is not worth threads. */
static void
test_detach_all(void **state)
{
	static const struct kern_site fast = { .attach = ABI_ATTACH_RAWTP, .target = "x" },
		slow = { .attach = ABI_ATTACH_TRACEITER, .target = "x" };
	unsigned nopen = count_open();

	for (int nslow = 0; nslow <= 2; nslow++) {
		struct kern_link *l[4];
		k = (struct kernel){ .ncalls = 0 };
		nwatched = 4;
		for (int i = 0; i < 4; i++) {
			bool waits = i % 2 && i / 2 < nslow;
			l[i] = allow(waits ? &slow : &fast, 1);
			first_open[i] = k.calls[i].fd;
		}
		kern_detach_all(l, 4);
		assert_int_equal(k.ncrews, nslow > 1);
		assert_int_equal(k.napart, nslow);
		assert_int_equal(count_open(), nopen);
	}
	nwatched = 0;
	kern_detach_all(NULL, 0);
	kern_detach(NULL);
}

/* --- What was missed -------------------------------------------------------------------- */

static struct { uint32_t type; uint64_t words[8]; int os; } info;

int
__wrap_bpf_obj_get_info_by_fd(int fd, void *ret, uint32_t *size)
{
	assert_true(is_open(fd));
	assert_in_range(*size, 56, 4096);
	memset(ret, 0, *size);
	if (info.os)
		return -info.os;
	memcpy(ret, &info.type, 4);
	memcpy((char *)ret + 16, info.words, *size - 16 < sizeof(info.words) ? *size - 16 :
	       sizeof(info.words));
	return 0;
}

static void
test_misses(void **state)
{
	enum { EVENT = 7, MULTI = 8 };
	/* multi: the third word; an event: its kind, and the sixth of a probe's */
	static const struct { uint32_t type; uint64_t words[6]; int os; uint64_t want; } rows[] = {
		{ MULTI, { 1, 2, 30, 4, 5, 6 }, 0, 30 },
		{ EVENT, { 3, 2, 30, 4, 60 }, 0, 60 },
		{ EVENT, { 4, 2, 30, 4, 60 }, 0, 60 },
		{ EVENT, { 1, 2, 30, 4, 60 }, 0, 0 },
		{ EVENT, { 5, 2, 30, 4, 60 }, 0, 0 },
		{ 6, { 3, 2, 30, 4, 60 }, 0, 0 },
		{ MULTI, { 1, 2, 30 }, EINVAL, 0 },
	};
	static const struct kern_site fast = { .attach = ABI_ATTACH_RAWTP, .target = "x" },
		slow = { .attach = ABI_ATTACH_TRACEITER, .target = "x" };
	struct kern_place places[NPLACES];
	struct kern_site many = { .attach = ABI_ATTACH_UPROBE_MULTI, .target = "/x",
				  .places = places, .nplaces = 3 };

	k = (struct kernel){ .os = EINVAL, .bad = { 0x1001 } };
	make_places(places, false);
	struct kern_link *one = allow(&slow, 1), *none = allow(&fast, 1),
			 *two = allow(&many, 2);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		info.type = rows[i].type;
		info.os = rows[i].os;
		memcpy(info.words, rows[i].words, sizeof(rows[i].words));
		if (kern_link_misses(one) != rows[i].want)
			fail_msg("row %zu: %llu", i,
				 (unsigned long long)kern_link_misses(one));
		assert_int_equal(kern_link_misses(two), 2 * rows[i].want);
		assert_int_equal(kern_link_misses(none), 0);
	}
	kern_detach_all((struct kern_link *[]){ one, none, two }, 3);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rawtp), cmocka_unit_test(test_tracing),
		cmocka_unit_test(test_traceiter), cmocka_unit_test(test_hold),
		cmocka_unit_test(test_events), cmocka_unit_test(test_event_refused),
		cmocka_unit_test(test_probe_refused), cmocka_unit_test(test_many),
		cmocka_unit_test(test_many_refused), cmocka_unit_test(test_detach_all),
		cmocka_unit_test(test_misses),
	};

	return cmocka_run_group_tests_name("kern-attach", tests, NULL, NULL);
}
