/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which probes there are, what they are called, how they are attached and what
 * types their arguments have; which names are offered for one that is wrong.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <cmocka.h>

#include "base/base.h"
#include "prov/derive.h"
#include "prov/event.h"
#include "prov/func.h"
#include "prov/ops.h"
#include "prov/prov_priv.h"
#include "prov/syscall_table.def"
#include "support/assertok.h"
#include "type/text.h"
#include "util/alloc.h"
#include "fresh.h"

struct found {
	const struct probe *probes[4096];
	unsigned n, stop_at;
};

static bool
collect(void *ctx, const struct probe *p)
{
	struct found *f = ctx;

	assert_true(f->n < BASE_NELEMS(f->probes));
	f->probes[f->n++] = p;
	return f->n != f->stop_at;
}

static struct probe_desc
desc(const char *text)
{
	struct base_span span = { text, strlen(text) };
	struct probe_desc d;

	assert_ok(probe_desc_parse(arena, span, PROBE_SPEC_NAME, &d));
	return d;
}

/* The probes that text matches. */
static struct found *
match(const char *text)
{
	static struct found f;
	struct probe_desc d = desc(text);

	f.n = f.stop_at = 0;
	assert_ok(prov_match(set, &d, collect, &f));
	return &f;
}

/* The one probe that text matches. */
static const struct probe *
only(const char *text)
{
	struct found *f = match(text);

	if (f->n != 1)
		fail_msg("%s matches %u probes", text, f->n);
	return f->probes[0];
}

static void
assert_probe(const struct probe *p, const char *prov, const char *mod,
	     const char *func, const char *name)
{
	assert_string_equal(p->prov, prov);
	assert_string_equal(p->mod, mod);
	assert_string_equal(p->func, func);
	assert_string_equal(p->name, name);
}

struct found_site {
	struct prov_site site;
	unsigned n;
};

static struct err *
keep_site(void *ctx, const struct prov_site *site)
{
	struct found_site *f = ctx;

	f->site = *site;
	f->n++;
	return NULL;
}

/* The one site of a probe. */
static struct prov_site
site_of(const struct probe *p)
{
	struct found_site f = { .n = 0 };

	assert_ok(prov_sites(set, p, keep_site, &f));
	assert_int_equal(f.n, 1);
	return f.site;
}

/* --- The set ---------------------------------------------------------------- */

static void
test_first_ids(void **state)
{
	assert_probe(prov_by_id(set, 1), "dtrace", "", "", "BEGIN");
	assert_probe(prov_by_id(set, 2), "dtrace", "", "", "END");
	assert_probe(prov_by_id(set, 3), "dtrace", "", "", "ERROR");
	assert_probe(prov_by_id(set, 4), "syscall", "vmlinux", "read", "entry");
	assert_probe(prov_by_id(set, 5), "syscall", "vmlinux", "read",
		     "return");
	assert_probe(prov_by_id(set, 6), "syscall", "vmlinux", "write",
		     "entry");
	assert_null(prov_by_id(set, 0));
	assert_null(prov_by_id(set, prov_last_id(set) + 1));
	assert_null(prov_by_id(set, UINT32_MAX));
}

static void
test_all_in_order(void **state)
{
	uint32_t n = prov_last_id(set);
	struct found *f = match(":::");

	assert_int_equal(f->n, n);
	for (uint32_t i = 0; i < n; i++) {
		assert_int_equal(f->probes[i]->id, i + 1);
		assert_ptr_equal(f->probes[i], prov_by_id(set, i + 1));
	}
	/* Names are unique. */
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < i; k++) {
			const struct probe *a = f->probes[i], *b = f->probes[k];
			assert_false(strcmp(a->func, b->func) == 0 &&
				     strcmp(a->name, b->name) == 0);
		}
}

/* Which provider was listed first does not matter. */
static void
test_ids_are_stable(void **state)
{
	uint32_t tick = only("tick-10")->id;
	uint32_t close = only("syscall::close:return")->id;
	struct prov_set *other;

	assert_ok(prov_set_new(arena, NULL, &other));
	assert_string_equal(prov_by_id(other, close)->func, "close");
	assert_string_equal(prov_by_id(other, tick)->name, "tick-10");
	prov_set_free(other);
}

static void
test_match_counts(void **state)
{
	static const struct {
		const char *text;
		unsigned n;
	} rows[] = {
		{ "BEGIN", 1 }, { "dtrace:::BEGIN", 1 }, { "dtrace:::", 3 },
		{ "dtrace:vmlinux::BEGIN", 0 }, { "END", 1 }, { "E*", 2 },
		{ "syscall::read:entry", 1 }, { "read:entry", 1 },
		{ "syscall:vmlinux:read:entry", 1 }, { "syscall::read:", 2 },
		{ "syscall:ext4:read:entry", 0 },
		{ "syscall::read:entyr", 0 }, { "sysc*::read:entry", 1 },
		{ "syscall:::entry", PROV_NSYSCALLS },
		{ "syscall:::", 2 * PROV_NSYSCALLS },
		{ "syscall::*:r*n", PROV_NSYSCALLS },
		{ "nosuch:::", 0 }, { "1", 1 }, { "4", 1 }, { "99999", 0 },
		{ "profile:::", 13 }, { "profile:::tick-*", 6 },
		{ "profile:::profile-*", 7 },
		{ "syscall:::BEGIN", 0 },
		/* readv preadv preadv2 ... and read, pread64, process_vm_readv,
		 * readahead are not asked for */
		{ "syscall::p*readv*:entry", 3 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (match(rows[i].text)->n != rows[i].n)
			fail_msg("%s matches %u probes, not %u", rows[i].text,
				 match(rows[i].text)->n, rows[i].n);
}

static void
test_match_stops(void **state)
{
	struct probe_desc d = desc(":::");
	struct found f = { .stop_at = 10 };

	assert_ok(prov_match(set, &d, collect, &f));
	assert_int_equal(f.n, 10);
}

static void
test_attributes(void **state)
{
	static const struct {
		const char *text, *rows[5];
	} rows[] = {
		{ "BEGIN", { "Stable/Stable/Common", "Private/Private/Unknown",
			"Private/Private/Unknown", "Stable/Stable/Common",
			"Stable/Stable/Common" } },
		{ "tick-1", { "Evolving/Evolving/Common",
			"Unstable/Unstable/Unknown", "Private/Private/Unknown",
			"Evolving/Evolving/Common",
			"Evolving/Evolving/Common" } },
		{ "read:entry", { "Evolving/Evolving/Common",
			"Private/Private/Unknown", "Unstable/Unstable/ISA",
			"Evolving/Evolving/Common", "Unstable/Unstable/ISA" } },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		const struct probe_provattr *a = only(rows[i].text)->attr;
		const struct probe_attr got[] = {
			a->provider, a->module, a->function, a->name, a->args,
		};
		for (unsigned k = 0; k < 5; k++) {
			struct base_buf b;
			char out[64];
			base_buf_init(&b, out, sizeof(out));
			probe_attr_print(got[k], &b);
			assert_string_equal(out, rows[i].rows[k]);
		}
	}
}

/* Who was asked how often: dtrace, syscall, profile, sdt and rawtp, and each of the
 * rest; pid, plockstat and usdt, which have to be named, never. */
static void
assert_asked(unsigned dtrace, unsigned syscall, unsigned profile,
	     unsigned sdt, unsigned rest)
{
	const struct { const char *name; unsigned n; } named[] = {
		{ "dtrace", dtrace }, { "syscall", syscall },
		{ "profile", profile }, { "sdt", sdt }, { "rawtp", sdt },
		{ "pid", 0 }, { "plockstat", 0 }, { "usdt", 0 },
	};
	static const char *const all[] = {
#define PROVIDER(id) #id,
#include "prov/provider.def"
#undef PROVIDER
	};
	unsigned sum = 0;

	for (size_t i = 0; i < BASE_NELEMS(all); i++) {
		unsigned want = rest;
		for (size_t k = 0; k < BASE_NELEMS(named); k++)
			if (strcmp(all[i], named[k].name) == 0)
				want = named[k].n;
		assert_int_equal(prov_asked(set, all[i]), want);
		sum += want;
	}
	sum += (unsigned)prov_asked(set, "*[0-9]");
	assert_int_equal(prov_work(set)->asked, sum);
}

/* Only providers that can have what is asked for are asked, and once. */
static void
test_who_is_asked(void **state)
{
	assert_asked(0, 0, 0, 0, 0);
	match("BEGIN");
	assert_asked(1, 0, 0, 0, 0);
	match("BEGIN");
	only("1");
	assert_asked(1, 0, 0, 0, 0);
	match("END");
	assert_asked(2, 0, 0, 0, 0);
	match("syscall::read:entry");
	assert_int_equal(prov_asked(set, "*[0-9]"), 0);
	match("sysc*::write:entry");
	assert_int_equal(prov_asked(set, "*[0-9]"), 1);
	assert_asked(2, 2, 0, 0, 0);
	match("nosuch:::");
	match("entri");
	assert_asked(2, 2, 0, 1, 0);
	match("tick-1s");
	match("t*-1s");
	assert_asked(2, 2, 2, 3, 0);
	match(":::");		/* dtrace -l */
	assert_asked(3, 3, 3, 4, 1);
	match(":::");
	assert_asked(3, 3, 3, 4, 1);
	assert_int_equal(prov_asked(set, "*[0-9]"), 1);
}

/* What nobody asked for is not made, and has its id all the same. */
static void
test_made_when_asked(void **state)
{
	uint32_t last = prov_last_id(set);
	const struct probe *p = only("tick-3s");

	assert_int_equal(p->id, last + 1);
	const struct probe *getppid = only("syscall::getppid:return");
	uint64_t matched = prov_work(set)->matched;
	/* To make one all are compared, and from then on that one. */
	assert_ptr_equal(only("syscall::getpp*:return"), getppid);
	assert_in_range(prov_work(set)->matched - matched,
			2 * PROV_NSYSCALLS, 4 * PROV_NSYSCALLS);
	matched = prov_work(set)->matched;
	assert_ptr_equal(only("syscall::getpp*:return"), getppid);
	assert_in_range(prov_work(set)->matched - matched, 1, 2);
	/* An id that is kept belongs to a provider; the others are not asked. */
	uint64_t dtrace = prov_asked(set, "dtrace");
	assert_string_equal(prov_by_id(set, getppid->id + 1)->name, "entry");
	assert_string_equal(prov_by_id(set, 2)->name, "END");
	assert_int_equal(prov_asked(set, "dtrace"), dtrace + 1);
}

/* A function and what is behind it is a look-up, however many probes there are. */
static void
test_one_name(void **state)
{
	static const char *const texts[] = {
		"syscall:vmlinux:close:entry", "close:entry",
		"syscall::close:entry", "s*::close:entry",
	};

	match(":::");
	for (size_t i = 0; i < BASE_NELEMS(texts); i++) {
		match(texts[i]);
		struct prov_work before = *prov_work(set);
		const struct probe *p = only(texts[i]);
		assert_string_equal(p->func, "close");
		assert_int_equal(prov_work(set)->asked, before.asked);
		assert_int_equal(prov_work(set)->matched, before.matched + 1);
		assert_in_range(prov_work(set)->slots - before.slots, 1, 20);
	}
}

/* --- dtrace --------------------------------------------------------------------- */

static void
test_dtrace_where(void **state)
{
	static const enum prov_trigger triggers[] = {
		PROV_TRIGGER_BEGIN, PROV_TRIGGER_END, PROV_TRIGGER_ERROR
	};
	struct prov_site w[3];

	for (uint32_t i = 0; i < 3; i++) {
		const struct probe *p = prov_by_id(set, i + 1);
		w[i] = site_of(p);
		assert_int_equal(w[i].trigger, triggers[i]);
		assert_int_equal(w[i].point->attach, ABI_ATTACH_RUN);
		assert_int_equal(w[i].point->find, ABI_FIND_ONE);
		assert_string_equal(w[i].point->target, p->name);
		assert_int_equal(w[i].nkeys, 0);
		assert_int_equal(prov_nargs(set, p), 0);
		for (unsigned n = 0; n < ABI_NARGS; n++)
			assert_int_equal(w[i].point->args[n].kind,
				i == 2 && n >= 1 && n <= 5 ? ABI_ARG_ERROR
							   : ABI_ARG_NONE);
	}
	assert_ptr_not_equal(w[0].point, w[1].point);
	assert_ptr_not_equal(w[1].point, w[2].point);
}

/* --- syscall --------------------------------------------------------------------- */

#ifdef __x86_64__

static const struct prov_site *
where(const char *text)
{
	static struct prov_site w;

	w = site_of(only(text));
	return &w;
}

static void
test_syscall_keys(void **state)
{
	/* Numbers: the kernel's interface; -1: no such call. */
	static const struct {
		const char *name;
		int native, compat;
	} rows[] = {
		{ "read", 0, 3 }, { "write", 1, 4 }, { "open", 2, 5 },
		{ "execve", 59, 11 }, { "exit", 60, 1 },
		{ "openat", 257, 295 }, { "exit_group", 231, 252 },
		{ "getppid", 110, 64 }, { "statx", 332, 383 },
		{ "clone3", 435, 435 }, { "newfstatat", 262, -1 },
		{ "arch_prctl", 158, 384 }, { "mmap2", -1, 192 },
		{ "stat64", -1, 195 }, { "waitpid", -1, 7 },
		{ "socketcall", -1, 102 }, { "restart_syscall", 219, 0 },
		/* Newer than the headers of the floor. */
		{ "mseal", 462, 462 }, { "uretprobe", 335, -1 },
		{ "file_setattr", 469, 469 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		for (int ret = 0; ret < 2; ret++) {
			char text[64];
			uint32_t want[2];
			unsigned n = 0;

			snprintf(text, sizeof(text), "syscall:vmlinux:%s:%s",
				 rows[i].name, ret ? "return" : "entry");
			/* stat64 is also a foreign name of stat. */
			struct found *f = match(text);
			const struct probe *p = f->probes[f->n - 1];
			assert_string_equal(p->func, rows[i].name);
			struct prov_site w;
			w = site_of(p);
			if (rows[i].native >= 0)
				want[n++] = (uint32_t)rows[i].native;
			if (rows[i].compat >= 0)
				want[n++] = w.point->compat +
					    (uint32_t)rows[i].compat;
			assert_int_equal(w.nkeys, n);
			assert_memory_equal(w.keys, want, n * sizeof(*want));
		}
	}
}

/* No two entries share a key, and all keys are in the table. */
static void
test_syscall_keys_unique(void **state)
{
	struct found *f = match("syscall:::return");
	uint8_t *used = NULL;
	uint32_t nindex = 0;

	for (unsigned i = 0; i < f->n; i++) {
		struct prov_site w;
		w = site_of(f->probes[i]);
		if (!used) {
			nindex = w.point->nindex;
			used = calloc(nindex, 1);
		}
		assert_in_range(w.nkeys, 1, 2);
		for (unsigned k = 0; k < w.nkeys; k++) {
			assert_true(w.keys[k] < nindex);
			assert_int_equal(used[w.keys[k]]++, 0);
		}
		/* At most one on each side of compat. */
		if (w.nkeys == 2)
			assert_true(w.keys[0] < w.point->compat &&
				    w.keys[1] >= w.point->compat);
	}
	free(used);
}

/* A point of somebody else's at a call is for the same calls; it has, on return, what the
 * call was given, too. */
static void
test_syscall_sites(void **state)
{
	static const char *const calls[] = { "read", "openat", "socketcall", "mseal" };
	static const int roles[] = { ABI_ROLE_CALL0, ABI_ROLE_CALL1, ABI_ROLE_CALL2,
				     ABI_ROLE_CALL3, ABI_ROLE_CALL4, ABI_ROLE_CALL5 };

	for (size_t i = 0; i < BASE_NELEMS(calls); i++)
		for (int ret = 0; ret < 2; ret++) {
			struct prov_site own, w = { .point = NULL };
			struct abi_point pt;
			char text[64];

			snprintf(text, sizeof(text), "syscall:vmlinux:%s:%s",
				 calls[i], ret ? "return" : "entry");
			own = site_of(only(text));
			assert_true(prov_syscall_site(calls[i], ret, &pt, &w));
			assert_int_equal(w.trigger, PROV_TRIGGER_RAWTP);
			assert_ptr_equal(w.point, &pt);
			assert_string_equal(pt.target, ret ? "sys_exit" : "sys_enter");
			assert_in_range(w.nkeys, 1, 2);
			assert_int_equal(w.nkeys, own.nkeys);
			assert_memory_equal(w.keys, own.keys,
					    w.nkeys * sizeof(*w.keys));
			for (int k = 0; k < 7; k++)
				assert_int_equal(pt.args[k].kind != ABI_ARG_NONE,
						 ret || k < 6);
			assert_int_equal(pt.errno_arg.kind, ABI_ARG_NONE);
			for (int k = 0; k < 6; k++) {
				const struct abi_arg *a = &pt.args[ret ? k + 1 : k];
				assert_int_equal(a->kind, ABI_ARG_REG);
				assert_int_equal(a->size, 8);
				assert_int_equal(a->reg, roles[k]);
			}
			if (ret) {
				assert_int_equal(pt.args[0].kind, ABI_ARG_CTX);
				assert_int_equal(pt.args[0].off, 8);
				assert_true(pt.args[0].is_signed);
			}
		}
	assert_false(prov_syscall_site("nosuch", false, &(struct abi_point){ 0 },
				       &(struct prov_site){ 0 }));
}

static void
test_syscall_points(void **state)
{
	/* struct pt_regs: rdi rsi rdx r10 r8 r9 */
	static const int offsets[] = { 112, 104, 96, 56, 72, 64 };
	/* ebx ecx edx esi edi ebp */
	static const int compat[] = { 40, 88, 96, 104, 112, 32 };
	const struct abi_point *in = where("syscall::read:entry")->point;
	const struct abi_point *out = where("syscall::read:return")->point;

	assert_ptr_equal(in, where("syscall::write:entry")->point);
	assert_ptr_equal(out, where("syscall::write:return")->point);
	assert_int_equal(where("read:entry")->trigger, PROV_TRIGGER_RAWTP);

	assert_string_equal(in->target, "sys_enter");
	assert_int_equal(in->attach, ABI_ATTACH_RAWTP);
	assert_int_equal(in->find, ABI_FIND_TABLE);
	assert_int_equal(in->index.kind, ABI_ARG_CTX);
	assert_int_equal(in->index.off, 8);
	for (unsigned i = 0; i < 6; i++) {
		assert_int_equal(in->args[i].kind, ABI_ARG_REG);
		assert_int_equal(in->args[i].base, 0);
		assert_int_equal(in->args[i].size, 8);
		assert_int_equal(in->args[i].off, 0);
		assert_int_equal(abi_reg_row(in->args[i].reg)->offset,
				 offsets[i]);
		assert_int_equal(in->compat_args[i].kind, ABI_ARG_REG);
		assert_int_equal(in->compat_args[i].base, 0);
		assert_int_equal(in->compat_args[i].size, 4);
		assert_false(in->compat_args[i].is_signed);
		assert_int_equal(in->compat_args[i].off, 0);
		assert_int_equal(abi_reg_row(in->compat_args[i].reg)->offset,
				 compat[i]);
	}
	for (unsigned i = 6; i < ABI_NARGS; i++) {
		assert_int_equal(in->args[i].kind, ABI_ARG_NONE);
		assert_int_equal(in->compat_args[i].kind, ABI_ARG_NONE);
	}
	assert_int_equal(in->errno_arg.kind, ABI_ARG_NONE);

	assert_string_equal(out->target, "sys_exit");
	assert_int_equal(out->index.kind, ABI_ARG_REG);
	assert_int_equal(abi_reg_row(out->index.reg)->offset, 120);
	assert_string_equal(abi_reg_row(out->index.reg)->text, "orig_rax");
	assert_int_equal(out->index.size, 0);	/* all of it */
	/* No interrupt makes system calls. */
	assert_int_equal(abi_point_runs(in), ABI_RUNS_TASK);
	assert_int_equal(abi_point_runs(out), ABI_RUNS_TASK);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(out->args[i].kind, ABI_ARG_CTX);
		assert_int_equal(out->args[i].off, 8);
	}
	assert_int_equal(out->args[2].kind, ABI_ARG_NONE);
	assert_int_equal(out->compat_args[0].kind, ABI_ARG_NONE);
	assert_int_equal(out->errno_arg.kind, ABI_ARG_CTX);
	assert_int_equal(out->errno_arg.off, 8);
	assert_true(in->compat > SYS_clone3);
	assert_true(in->nindex > in->compat + 435);
	assert_int_equal(in->compat, out->compat);
	assert_int_equal(in->nindex, out->nindex);
}

static struct err *
may_probe_many(void *ctx, bool *many)
{
	*many = true;
	return NULL;
}

static void
check_word(struct abi_arg a, uint32_t off, uint32_t size, bool is_signed)
{
	assert_int_equal(a.kind, ABI_ARG_CTX);
	assert_int_equal(a.off, off);
	assert_int_equal(a.size, size);
	assert_int_equal(a.is_signed, is_signed);
}

/* Records are a word of nobody's, the number of the call, which is -1 for none, and its six
 * arguments, or what it returns. */
static void
check_records(const struct abi_point *in, const struct abi_point *out)
{
	check_word(in->index, 8, 8, true);
	check_word(out->index, 8, 8, true);
	for (uint32_t i = 0; i < 6; i++) {
		check_word(in->args[i], 16 + 8 * i, 8, false);
		check_word(in->compat_args[i], 16 + 8 * i, 4, false);
	}
	assert_int_equal(in->args[6].kind, ABI_ARG_NONE);
	check_word(out->args[0], 16, 8, true);
	check_word(out->args[1], 16, 8, true);
	check_word(out->errno_arg, 16, 8, true);
}

/* Where a thread can lose its CPU in a program, by events, if there is tracefs. */
static void
test_syscall_records(void **state)
{
	static const struct prov_world w = { .preempts = true };
	struct abi_event event = { 0 };
	struct err *e = prov_tracefs_event("raw_syscalls", "sys_enter", &event);
	int way = e ? ABI_ATTACH_RAWTP : ABI_ATTACH_TRACEPOINT;

	assert_ok(prov_set_world(set, &w));
	struct prov_site entry = site_of(only("syscall::read:entry"));
	struct prov_site ret = site_of(only("syscall::read:return"));
	assert_int_equal(entry.point->attach, way);
	assert_int_equal(ret.point->attach, way);
	assert_string_equal(entry.point->target, "sys_enter");
	assert_string_equal(ret.point->target, "sys_exit");
	if (e) {
		print_message("# no tracefs: %s\n", e->text);
	} else {
		assert_int_not_equal(event.config, 0);
		check_records(entry.point, ret.point);
	}
	err_free(e);
}

/* Of a call that another provider's probe is made of, what the words of its tracepoint are
 * and what they point to are found in the registers of a function. */
static void
test_syscall_settled(void **state)
{
	static const struct { bool is_return; const char *target; } rows[] = {
		{ false, "sys_enter" }, { true, "sys_exit" },
	};
	static const struct prov_world w = { .may_probe = may_probe_many,
					     .preempts = true };

	assert_ok(prov_set_world(set, &w));
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		bool back = rows[i].is_return;
		struct abi_point pt, raw;
		struct prov_site site = { .point = NULL };
		assert_true(prov_syscall_site("read", back, &pt, &site));
		raw = pt;
		assert_ok(prov_tracepoint_settle(set, PROBE_KERNEL, &pt));
		if (pt.attach == ABI_ATTACH_RAWTP) {
			print_message("# BTF has no function of %s\n", rows[i].target);
			continue;
		}
		assert_int_equal(pt.attach, ABI_ATTACH_TRACEITER);
		assert_string_equal(pt.target, rows[i].target);
		/* The number: word 1, or of the registers at word 0. */
		assert_int_equal(pt.index.kind, back ? ABI_ARG_KMEM : ABI_ARG_REG);
		assert_int_equal(pt.index.reg, back ? ABI_ROLE_ARG1 : ABI_ROLE_ARG2);
		assert_true(pt.index.is_signed);
		const struct abi_arg *a = &pt.args[1], *was = &raw.args[1];
		assert_int_equal(a->kind, ABI_ARG_KMEM);
		assert_int_equal(a->reg, ABI_ROLE_ARG1);
		assert_int_equal(a->off, abi_reg_row(was->reg)->offset);
		assert_int_equal(a->size, 8);
		assert_int_equal(pt.compat_args[1].kind,
				 back ? ABI_ARG_NONE : ABI_ARG_KMEM);
		assert_int_equal(pt.compat_args[1].size, back ? 0 : 4);
	}
}

static void
test_syscall_aliases(void **state)
{
	static const struct {
		const char *text, *funcs;	/* in order of id */
	} rows[] = {
		{ "syscall::exece:entry", "execve" },
		{ "syscall::rexit:entry", "exit exit_group" },
		{ "syscall::gtime:entry", "time" },
		{ "syscall::open64:entry", "open" },
		{ "open64:return", "open" },
		{ "syscall:vmlinux:exece:return", "execve" },
		{ "syscall:genunix:exece:return", "execve" },
		{ "syscall:mach_kernel:execve:return", "execve" },
		{ "syscall:freebsd:execve:return", "execve" },
		{ "syscall:kernel:exece*:", "" },
		{ "syscall:ext4:exece:return", "" },
		{ "syscall::exece:BEGIN", "" },
		{ "syscall::stat64:entry", "stat stat64" },
		{ "syscall::lstat64:entry", "lstat lstat64" },
		{ "syscall::fstat64:entry", "fstat fstat64" },
		{ "syscall::mmap64:entry", "mmap" },
		{ "syscall::fstatat64:entry", "newfstatat fstatat64" },
		{ "syscall::pread64:entry", "pread64" },
		{ "syscall::pread:entry", "pread64" },
		{ "syscall::lwp_park:entry", "futex" },
		{ "syscall::pollsys:entry", "poll select pselect6 ppoll" },
		/* Patterns are not foreign names. */
		{ "syscall::exece*:entry", "" },
		{ "syscall::*time64:entry", NULL },
		{ "syscall::execve:entry", "execve" },
		/* Only syscall has them. */
		{ "profile::exece:", "" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct found *f = match(rows[i].text);
		char got[256] = "";

		for (unsigned k = 0; k < f->n && k < 5; k++) {
			if (k)
				strcat(got, " ");
			strcat(got, f->probes[k]->func);
		}
		if (rows[i].funcs && strcmp(got, rows[i].funcs) != 0)
			fail_msg("%s matches \"%s\"", rows[i].text, got);
	}
}

static void
test_by_alias(void **state)
{
	const struct probe *open = only("syscall::open:entry");
	struct probe_desc ours = desc("syscall::open:entry");
	struct probe_desc foreign = desc("syscall::open64:entry");
	struct probe_desc other = desc("syscall::exece:entry");

	assert_false(prov_by_alias(set, &ours, open));
	assert_true(prov_by_alias(set, &foreign, open));
	assert_false(prov_by_alias(set, &other, open));
	assert_false(prov_by_alias(set, &foreign, prov_by_id(set, 1)));
}

/* Every alias leads somewhere. */
static void
test_aliases_resolve(void **state)
{
	static const char *const foreign[] = {
#define ALIAS(foreign, ours) #foreign,
#include "prov/syscall_alias.def"
#undef ALIAS
	}, *const ours[] = {
#define ALIAS(foreign, ours) #ours,
#include "prov/syscall_alias.def"
#undef ALIAS
	};

	for (size_t i = 0; i < BASE_NELEMS(foreign); i++) {
		char text[128];
		bool hit = false;

		snprintf(text, sizeof(text), "syscall::%s:entry", foreign[i]);
		struct found *f = match(text);
		for (unsigned k = 0; k < f->n; k++)
			hit |= strcmp(f->probes[k]->func, ours[i]) == 0;
		if (!hit)
			fail_msg("%s does not lead to %s", foreign[i], ours[i]);
	}
}

static void
test_foreign(void **state)
{
	static const struct {
		const char *text, *answer;	/* NULL: nothing foreign */
	} rows[] = {
		{ "syscall::exec:return", "exec (use execve)" },
		{ "exec:entry", "exec (use execve)" },
		{ "syscall:vmlinux:exec:", "exec (use execve)" },
		{ "syscall::resolvepath:entry", "resolvepath (the library does "
		  "it, with readlink and lstat)" },
		{ "syscall::portfs:entry", "portfs (use epoll_wait, epoll_ctl; "
		  "there are no event ports)" },
		{ "syscall::rpcsys:entry", "rpcsys" },
		{ "syscall::read_nocancel:entry", "read_nocancel (use the call "
		  "without _nocancel)" },
		{ "syscall::*_nocancel:entry", "*_nocancel (use the call "
		  "without _nocancel)" },
		{ "syscall::exece*:entry", "exece* (for exece use execve)" },
		{ "syscall::nonsense:entry", NULL },
		{ "syscall::non*:entry", NULL },
		{ "syscall:ext4:exec:entry", NULL },
		{ "syscall::exec:start", NULL },
		{ "profile::exec:", NULL },
		{ "syscall:::start", NULL }, { "1", NULL },
		{ "vminfo:::zfod", "vminfo:::zfod (use vminfo:::as_fault)" },
		{ "vminfo:genunix::zf*", "vminfo:::zf* (use "
		  "vminfo:::as_fault)" },
		{ "vminfo:::anonpgin", "vminfo:::anonpgin" },
		{ "vminfo:::zfodd", NULL }, { "vminfo:ext4::zfod", NULL },
		{ "vminfo::fault:zfod", NULL }, { "vminfo:::", NULL },
		{ "sysinfo:::zfod", NULL }, { "zfod", NULL },
		/* Without the kernel's types there are none of a table. */
		{ "io:::start", "io:::start (made of the kernel's types, "
		  "which are not here)" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct probe_desc d = desc(rows[i].text);
		struct sb b;

		sb_init(&b, 4096);
		bool is_foreign = prov_foreign(set, &d, &b);
		if (is_foreign != (rows[i].answer != NULL) ||
		    strcmp(sb_str(&b), is_foreign ? rows[i].answer : ""))
			fail_msg("%s: %s", rows[i].text, sb_str(&b));
		sb_fini(&b);
	}
}

/* What is foreign is no call here and stands for none, and what is to be used
 * in its place is. */
static void
test_foreign_rows(void **state)
{
	static const struct { const char *names, *use; } rows[] = {
#define FOREIGN(names, use, why) { names, use },
#include "prov/syscall_foreign.def"
#undef FOREIGN
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		char text[128], use[128], *rest = use;

		snprintf(text, sizeof(text), "syscall::%s:entry",
			 rows[i].names);
		if (!strchr(text, '*') && match(text)->n)
			fail_msg("%s is a call of Linux", rows[i].names);
		snprintf(use, sizeof(use), "%s", rows[i].use);
		for (const char *w; (w = strtok_r(rest, ", ", &rest));) {
			snprintf(text, sizeof(text), "syscall::%s:entry", w);
			if (match(text)->n != 1)
				fail_msg("%s: there is no call %s",
					 rows[i].names, w);
		}
	}
}

/* What is seldom called and what is called in its place are both calls. */
static void
test_usual_rows(void **state)
{
	const struct prov_usual *u;
	char text[128];
	unsigned i;

	for (i = 0; (u = prov_syscall_usual(i)); i++) {
		snprintf(text, sizeof(text), "syscall::%s:entry", u->call);
		if (match(text)->n > 1)
			fail_msg("%s is more than one call", u->call);
		snprintf(text, sizeof(text), "syscall::%s:entry", u->instead);
		if (match(text)->n != 1)
			fail_msg("%s: there is no call %s", u->call, u->instead);
	}
	assert_true(i > 0);
}

/* Other systems' probes are not of the tables: who misspells one of those is told
 * what is near. */
static void
test_foreign_probes(void **state)
{
	static const struct { const char *prov, *names; } rows[] = {
#define FOREIGN(prov, names, why) { prov, names },
#define FOREIGN_ARGS(prov, names, why, types) { prov, names },
#include "prov/derive_foreign.def"
#undef FOREIGN
#undef FOREIGN_ARGS
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		const struct derive_table *t = NULL;
		for (size_t k = 0; k < set->providers.n; k++)
			if (!strcmp(set->providers.v[k].ops->name, rows[i].prov))
				t = set->providers.v[k].ops->derived;
		assert_non_null(t);
		for (size_t k = 0; k < t->n; k++)
			if (probe_glob_match(rows[i].names, t->probes[k].name))
				fail_msg("%s:::%s is here", rows[i].prov,
					 t->probes[k].name);
	}
}

/* --- Types ------------------------------------------------------------------------- */

static void
test_arg_types(void **state)
{
	static const struct {
		const char *text;
		unsigned n;
		const char *decl;	/* NULL: no such argument */
	} rows[] = {
		{ "syscall::read:entry", 0, "unsigned int fd" },
		{ "syscall::read:entry", 1, "char *buf" },
		{ "syscall::read:entry", 2, "size_t count" },
		{ "syscall::read:entry", 3, NULL },
		{ "syscall::read:entry", 9, NULL },
		{ "syscall::write:entry", 1, "const char *buf" },
		{ "syscall:vmlinux:stat:entry", 1, "struct stat *statbuf" },
		{ "syscall::execve:entry", 1, "const char *const *argv" },
		{ "syscall::bpf:entry", 1, "union bpf_attr *attr" },
		{ "syscall::io_submit:entry", 2, "struct iocb **iocbpp" },
		{ "syscall::mmap:entry", 5, "off_t offset" },
		{ "syscall::getpid:entry", 0, NULL },
		{ "syscall::mmap2:entry", 0, NULL },
		{ "BEGIN", 0, NULL }, { "tick-1", 0, NULL },
		{ "profile-97", 0, NULL },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		const char *name = "?";
		unsigned raw = 77;
		const struct probe *p = only(rows[i].text);
		const struct type *t = prov_arg_type(set, p, rows[i].n, &name,
						     &raw);
		if (!rows[i].decl) {
			assert_null(t);
			assert_int_equal(raw, 77);
			continue;
		}
		struct sb b;
		sb_init(&b, 256);
		assert_non_null(t);
		type_print(t, name, &b);
		/* Pointers are marked; the mark is looked at below. */
		char text[256] = "";
		for (const char *s = sb_str(&b); *s;) {
			if (strncmp(s, "userland ", 9) == 0)
				s += 9;
			else
				strncat(text, s++, 1);
		}
		assert_string_equal(text, rows[i].decl);
		assert_int_equal(raw, rows[i].n);
		assert_ptr_equal(prov_arg_type(set, p, rows[i].n, &name, &raw),
				 t);
		sb_fini(&b);
	}
}

static void
test_return_types(void **state)
{
	const struct probe *p = only("syscall::read:return");
	const char *name = "?";
	unsigned raw;

	assert_int_equal(prov_nargs(set, p), 2);
	for (unsigned i = 0; i < 2; i++) {
		const struct type *t = prov_arg_type(set, p, i, &name, &raw);
		assert_true(type_is_integer(t));
		assert_true(type_is_signed(t));
		assert_int_equal(type_size(t), 8);
		assert_null(name);
		assert_int_equal(raw, i);
	}
	assert_null(prov_arg_type(set, p, 2, &name, &raw));
}

static bool
all_user(const struct type *t)
{
	for (t = type_unqual(t); t->kind == TYPE_PTR; t = type_unqual(t->base))
		if (!t->is_user)
			return false;
	return true;
}

/* Every prototype parses, in full, with user pointers throughout. */
static void
test_all_arg_types(void **state)
{
	static const char *const untyped[] = {
		"create_module", "get_kernel_syms", "query_module",
		"nfsservctl", "getpmsg", "putpmsg", "afs_syscall", "tuxcall",
		"security", "epoll_ctl_old", "epoll_wait_old", "vserver",
	};
	struct found *f = match("syscall:::entry");
	unsigned nuntyped = 0, npointers = 0;

	for (unsigned i = 0; i < f->n; i++) {
		const struct probe *p = f->probes[i];
		int n = prov_nargs(set, p);
		struct prov_site w;

		w = site_of(p);
		if (n < 0 && w.keys[0] < w.point->compat) {
			bool known = false;
			for (size_t k = 0; k < BASE_NELEMS(untyped); k++)
				known |= strcmp(p->func, untyped[k]) == 0;
			if (!known)
				fail_msg("%s has no types", p->func);
			nuntyped++;
		}
		assert_in_range(n + 1, 0, 7);
		for (int k = 0; k < n; k++) {
			const char *name = NULL;
			unsigned raw;
			const struct type *t = prov_arg_type(set, p,
				(unsigned)k, &name, &raw);
			if (!t || !name || !*name)
				fail_msg("%s: argument %d", p->func, k);
			assert_true(type_is_scalar(t));
			assert_true(all_user(t));
			npointers += type_is_ptr(t);
		}
	}
	assert_int_equal(nuntyped, BASE_NELEMS(untyped));
	assert_true(npointers > 300);
}

#endif /* __x86_64__ */

/* --- profile ------------------------------------------------------------------------- */

static void
test_profile_names(void **state)
{
	static const struct {
		const char *name;
		uint64_t period_ns;	/* 0: no such probe */
	} rows[] = {
		{ "profile-97", 10309278 }, { "profile-4999", 200040 },
		{ "profile-5000", 200000 }, { "profile-5001", 0 },
		{ "profile-1", 1000000000 }, { "profile-997hz", 1003009 },
		{ "profile-997Hz", 1003009 }, { "profile-0", 0 },
		{ "profile-", 0 }, { "profile-x", 0 }, { "profile", 0 },
		{ "profile-10ms", 10000000 }, { "profile-200us", 200000 },
		{ "profile-199us", 0 }, { "profile-200000ns", 200000 },
		{ "profile-199999nsec", 0 }, { "profile-1m", 60000000000 },
		{ "tick-1", 1000000000 }, { "tick-5000", 200000 },
		{ "tick-5hz", 200000000 }, { "tick-10msec", 10000000 },
		{ "tick-300usec", 300000 }, { "tick-1s", 1000000000 },
		{ "tick-1sec", 1000000000 }, { "tick-2min", 120000000000 },
		{ "tick-1h", 3600000000000 }, { "tick-1hour", 3600000000000 },
		{ "tick-1d", 86400000000000 }, { "tick-1day", 86400000000000 },
		{ "tick-1week", 0 }, { "tick-1 s", 0 }, { "tick--1s", 0 },
		{ "tick-+1s", 0 }, { "tick-1.5s", 0 }, { "tick-0s", 0 },
		{ "tick-", 0 }, { "tick-s", 0 }, { "tock-1s", 0 },
		{ "tick-99999999999999999999999d", 0 },
		{ "tick-18446744073709551615s", 0 },
		{ "tick-18446744073709551617s", 0 },
		{ "tick-106751d", 9223286400000000000 },
		{ "tick-9223372036854775807ns", INT64_MAX },
		{ "tick-9223372036854775808ns", 0 },
		{ "tick-106752d", 0 }, { "tick-999999999999hz", 0 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		bool tick = strncmp(rows[i].name, "tick", 4) == 0;
		struct prov_site w;
		struct found *f = match(rows[i].name);

		if (f->n != (rows[i].period_ns != 0))
			fail_msg("%s matches %u", rows[i].name, f->n);
		if (!f->n)
			continue;
		assert_probe(f->probes[0], "profile", "", "", rows[i].name);
		w = site_of(f->probes[0]);
		assert_int_equal(w.period_ns, rows[i].period_ns);
		assert_int_equal(w.trigger, tick ? PROV_TRIGGER_TICK
						 : PROV_TRIGGER_PROFILE);
		assert_int_equal(w.point->attach, tick ? ABI_ATTACH_RUN
						       : ABI_ATTACH_PERF);
		assert_int_equal(w.point->find, ABI_FIND_ONE);
		assert_int_equal(w.point->args[0].kind,
				 tick ? ABI_ARG_CONST : ABI_ARG_KPC);
		assert_int_equal(w.point->args[1].kind,
				 tick ? ABI_ARG_CONST : ABI_ARG_UPC);
		assert_int_equal(w.point->args[0].off, 0);
		assert_int_equal(w.interrupt != NULL, tick);
		if (tick) {
			assert_int_equal(w.interrupt->attach, ABI_ATTACH_PERF);
			assert_int_equal(w.interrupt->args[1].kind,
					 ABI_ARG_UPC);
		}
		assert_int_equal(w.nkeys, 0);
		/* The kernel takes letters, digits, dots and underscores. */
		for (const char *s = w.point->target; *s; s++)
			assert_non_null(strchr("abcdefghijklmnopqrstuvwxyz"
				"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.", *s));
	}
}

static void
test_profile_mention(void **state)
{
	uint32_t n = prov_last_id(set);

	/* Patterns and other functions make nothing. */
	assert_int_equal(match("tick-1?")->n, 1);		/* tick-10 */
	assert_int_equal(match("tick-7*")->n, 0);
	assert_int_equal(match("profile:vmlinux::tick-7s")->n, 0);
	assert_int_equal(match("profile::f:tick-7s")->n, 0);
	assert_int_equal(match("syscall:::tick-7s")->n, 0);
	assert_int_equal(prov_last_id(set), n);

	/* A standing one is itself; another is made once. */
	assert_true(only("tick-10")->id <= n);
	const struct probe *p = only("profile:::tick-7s");
	assert_int_equal(p->id, n + 1);
	assert_ptr_equal(only("tick-7s"), p);
	assert_ptr_equal(only("prof*:*:*:tick-7s"), p);
	assert_ptr_equal(prov_by_id(set, n + 1), p);
	assert_int_equal(prov_last_id(set), n + 1);
	/* Names are what counts, not intervals. */
	const struct probe *q = only("tick-7sec");
	assert_int_equal(q->id, n + 2);
	/* From now on patterns find them. */
	assert_int_equal(match("tick-7*")->n, 2);
	assert_int_equal(match(":::")->n, n + 2);

	struct prov_site a, b;
	a = site_of(p);
	b = site_of(q);
	assert_ptr_not_equal(a.point, b.point);
	b = site_of(p);
	assert_ptr_equal(a.point, b.point);
}

/* --- Suggestions ----------------------------------------------------------------------- */

static void
test_suggest(void **state)
{
	static const struct {
		const char *text, *first;
	} rows[] = {
		{ "syscal::read:entry", "syscall::read:entry" },
		{ "syscall::raed:entry", "syscall::read:entry" },
		{ "syscall::read:entyr", "syscall::read:entry" },
		{ "syscal::raed:entyr", "syscall::read:entry" },
		{ "raed:entry", "syscall::read:entry" },
		{ "syscal:::entry", "syscall:::entry" },
		{ "syscall:::enter", "syscall:::entry" },
		{ "sys*::raed:entry", "syscall::read:entry" },
		{ "syscal::re*:entry", "syscall::re*:entry" },
		{ "syscall:vmlinx:read:entry", "syscall:vmlinux:read:entry" },
		{ "BEGN", "dtrace:::BEGIN" },
		{ "begin", "dtrace:::BEGIN" },
		{ "dtrace:::ENDD", "dtrace:::END" },
		{ "profil:::tick-1", "profile:::tick-1" },
		{ "profle:::tick-7s", "profile:::tick-7s" },
		{ "foo:::bar", NULL },
		/* fields in the wrong places */
		{ "syscall:write:entry", "syscall::write:entry" },
		{ "syscall:write", "syscall::write:" },
		{ "syscall:::write", "syscall::write:" },
		{ "syscall", "syscall:::" },
		{ "syscall:entry", "syscall:::entry" },
		{ "getppid", "syscall::getppid:" },
		{ "dtrace:BEGIN", "dtrace:::BEGIN" },
		{ "profile:tick-1s", "profile:::tick-1s" },
		{ "syscall:wirte:entry", NULL },
		{ "syscall::xyzzyplugh:entry", NULL },
		{ "a:b:c:d", NULL },
	};
	const char *texts[5];

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct probe_desc d = desc(rows[i].text);
		unsigned n = prov_suggest(set, &d, arena, texts, 5);

		assert_in_range(n, 0, 5);
		if (!rows[i].first && n)
			fail_msg("%s: %s", rows[i].text, texts[0]);
		if (!rows[i].first)
			continue;
		if (!n || strcmp(texts[0], rows[i].first) != 0)
			fail_msg("%s: %s", rows[i].text, n ? texts[0] : "none");
		for (unsigned k = 0; k < n; k++)
			for (unsigned m = 0; m < k; m++)
				assert_string_not_equal(texts[k], texts[m]);
	}
	struct probe_desc d = desc("syscall::raed:entry");
	assert_int_equal(prov_suggest(set, &d, arena, texts, 1), 1);
	assert_int_equal(prov_suggest(set, &d, arena, texts, 0), 0);
	struct probe_desc id = desc("99999");
	assert_int_equal(prov_suggest(set, &id, arena, texts, 5), 0);
}

/* Only the nearest. */
static void
test_suggest_noise(void **state)
{
	static const struct { const char *text; unsigned n; } rows[] = {
		{ "begin", 1 },			/* not vminfo:::pgin, two edits off */
		{ "syscall::opemat:entry", 1 },	/* not openat2 */
		{ "syscall::read:entr", 1 },	/* not readv */
		{ "syscall::dup4:entry", 3 },	/* dup, dup2, dup3 */
	};
	const char *texts[5];

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct probe_desc d = desc(rows[i].text);
		unsigned n = prov_suggest(set, &d, arena, texts, 5);
		if (n != rows[i].n)
			fail_msg("%s: %u, %s last", rows[i].text, n,
				 n ? texts[n - 1] : "none");
	}
}

/* Any rate is a probe, so nothing is near a wrong one. */
static void
test_misnamed(void **state)
{
	static const struct { const char *text, *says; } rows[] = {
		{ "tick", "a rate or an interval follows, as in tick-97" },
		{ "profile", "a rate or an interval follows, as in profile-97" },
		{ "profile:::tick-", "a rate or an interval follows" },
		{ "tick-0", "a rate or an interval follows" },
		{ "tick-0s", "a rate or an interval follows" },
		{ "tick-abc", "a rate or an interval follows" },
		{ "tick-1x", "a whole number with a unit" },
		{ "tick-1.5s", "a whole number with a unit" },
		{ "profile-97hertz", "a whole number with a unit" },
		{ "profile-5001", "every 200us at most" },
		{ "tick-199us", "every 200us at most" },
		{ "tick-99999999999999999999", "every 200us at most" },
		{ "tick-293000000d", "longer than 292 years" },
		{ "tick-99999999999999999999s", "longer than 292 years" },
		{ "tick-5000", NULL }, { "tick-200us", NULL },
		{ "ticking", NULL }, { "tock-1x", NULL }, { "tick-x*", NULL },
		{ "dtrace:::tick-1x", NULL }, { "1", NULL },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct probe_desc d = desc(rows[i].text);
		struct sb b;
		sb_init(&b, 400);
		const char *says = prov_misnamed(set, &d, &b);
		if (!says != !rows[i].says ||
		    (says && !strstr(says, rows[i].says)))
			fail_msg("%s: %s", rows[i].text, says ? says : "nothing");
		sb_fini(&b);
	}
}

/* Best first: the distance never shrinks down the list. */
static void
test_suggest_order(void **state)
{
	static const char *const funcs[] = {
		"getxid", "redv", "opne", "sta", "getpd", "wrte", "mmp", "clos", "epol",
	};
	const char *texts[10];

	for (size_t i = 0; i < BASE_NELEMS(funcs); i++) {
		unsigned last = 0;
		char text[64];

		snprintf(text, sizeof(text), "syscall::%s:entry", funcs[i]);
		struct probe_desc d = desc(text);
		unsigned n = prov_suggest(set, &d, arena, texts, 10);
		assert_true(n > 0);
		for (unsigned k = 0; k < n; k++) {
			struct probe_desc got = desc(texts[k]);
			unsigned far = probe_edit_distance(funcs[i], got.func,
							   9);
			if (far < last)
				fail_msg("%s: %s comes late", text, texts[k]);
			last = far;
		}
	}
}

/* --- Memory ---------------------------------------------------------------------------- */

/* Whatever allocation fails, the answer is an error or nothing, not a crash. */
static void
test_no_memory(void **state)
{
	static struct found f;
	struct probe_desc d[] = {
		desc("syscall:::entry"), desc("tick-3s"), desc("profle:::tick-1"),
	};
	struct err *e = NULL;
	unsigned long n = 0;

	do {
		const char *texts[3], *name;
		unsigned raw;
		struct arena *a = arena_new();
		struct prov_set *s = NULL;

		util_alloc_fail(++n, 1);
		f.n = 0;
		e = prov_set_new(a, NULL, &s);
		for (unsigned i = 0; !e && i < 2; i++)
			e = prov_match(s, &d[i], collect, &f);
		const struct probe *p = s ? prov_by_id(s, 4) : NULL;
		if (p)
			prov_arg_type(s, p, 1, &name, &raw);
		if (s)
			prov_suggest(s, &d[2], a, texts, 3);
		util_alloc_fail(0, 0);
		if (e)
			assert_int_equal(e->code, ERR_NOMEM);
		prov_set_free(s);
		arena_free(a);
	} while (e);
	assert_true(n > 3);
}

/* --- Tables ------------------------------------------------------------------------ */

/* How many parts there are between `;`, whose brackets match; text NULL: 0. */
static unsigned
count_parts(const char *text)
{
	unsigned n = text != NULL;
	char open[64];
	int depth = 0;

	for (const char *s = text; s && *s; s++) {
		if (strchr("([{", *s))
			open[depth++] = *s == '(' ? ')' : *s == '[' ? ']' : '}';
		else if (strchr(")]}", *s) && (!depth || open[--depth] != *s))
			return ~0u;
		n += *s == ';' && !depth;
		if (depth == BASE_NELEMS(open))
			return ~0u;
	}
	return depth ? ~0u : n;
}

static void
check_site(const char *prov, const struct derive_probe *p, const struct derive_site *site)
{
	struct abi_point pt;
	struct prov_site at = { .nkeys = 0 };
	bool ok = true;

	switch (site->kind) {
	case DERIVE_CALL:
	case DERIVE_RETURN:
		ok = prov_syscall_site(site->target, site->kind == DERIVE_RETURN, &pt, &at);
		break;
	case DERIVE_EVENT:
		ok = prov_event(site->target);
		break;
	default:
		break;
	}
	if (!ok || !*site->target)
		fail_msg("%s:::%s: no target %s", prov, p->name, site->target);
	if (site->kind != DERIVE_TRACEPOINT && (site->module || site->nargs || site->thread))
		fail_msg("%s:::%s: %s is no tracepoint", prov, p->name, site->target);
	if (p->types && count_parts(site->values) != count_parts(p->types))
		fail_msg("%s:::%s: %u values at %s, %u types", prov, p->name,
			 count_parts(site->values), site->target, count_parts(p->types));
	if (count_parts(site->when) > 1 || count_parts(site->setup) == ~0u)
		fail_msg("%s:::%s: brackets at %s", prov, p->name, site->target);
}

/* Each site of a probe has as many values as the probe has types, and what can be looked up
 * here is there. */
static void
test_tables(void **state)
{
	unsigned ntables = 0;

	for (size_t k = 0; k < set->providers.n; k++) {
		const struct prov_ops *ops = set->providers.v[k].ops;
		const struct derive_table *t = ops->derived;
		ntables += t != NULL;
		for (size_t i = 0; t && i < t->n; i++) {
			const struct derive_probe *p = &t->probes[i];
			for (size_t j = 0; j < i; j++)
				assert_string_not_equal(p->name, t->probes[j].name);
			unsigned n = 0;
			while (n < DERIVE_SITES && p->sites[n].kind != DERIVE_END)
				check_site(ops->name, p, &p->sites[n++]);
			assert_true(n);
			for (; n < DERIVE_SITES; n++)
				assert_null(p->sites[n].target);
		}
	}
	assert_true(ntables > 8);
}

int
main(void)
{
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_tables),
		TEST(test_first_ids),
		TEST(test_all_in_order),
		TEST(test_ids_are_stable),
		TEST(test_who_is_asked),
		TEST(test_made_when_asked),
		TEST(test_one_name),
		TEST(test_match_counts),
		TEST(test_match_stops),
		TEST(test_attributes),
		TEST(test_dtrace_where),
#ifdef __x86_64__
		TEST(test_syscall_keys),
		TEST(test_syscall_keys_unique),
		TEST(test_syscall_sites),
		TEST(test_syscall_points),
		TEST(test_syscall_records),
		TEST(test_syscall_settled),
		TEST(test_syscall_aliases), TEST(test_foreign),
		TEST(test_foreign_rows),
		TEST(test_usual_rows),
		TEST(test_foreign_probes),
		TEST(test_by_alias),
		TEST(test_aliases_resolve),
		TEST(test_arg_types),
		TEST(test_return_types),
		TEST(test_all_arg_types),
#endif
		TEST(test_profile_names),
		TEST(test_profile_mention),
		TEST(test_suggest),
		TEST(test_suggest_noise),
		TEST(test_misnamed),
		TEST(test_suggest_order),
		TEST(test_no_memory),
	};
	return cmocka_run_group_tests_name("prov", tests, NULL, NULL);
}
