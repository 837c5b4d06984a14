/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Locks of a process that is ourselves: which probes each function has, where they fire,
 * and the D that they are made of.
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "prov/prov_priv.h"
#include "prov/user.h"
#include "support/assertok.h"
#include "type/text.h"
#include "util/sb.h"
#include "fresh.h"

static struct sb out;

static int
begin(void **state)
{
	sb_init(&out, 1 << 16);
	return setup(state);
}

static int
end(void **state)
{
	sb_fini(&out);
	return teardown(state);
}

static struct probe_desc
own(const char *mod, const char *func, const char *name)
{
	static char prov[32];

	snprintf(prov, sizeof(prov), "plockstat%d", (int)getpid());
	return (struct probe_desc){ prov, mod, func, name, 0 };
}

/* B: where a function begins; E: an instruction that returns; R: where it has; W and X:
 * where futex() begins and ends. */
static char
place_of(const struct prov_site *at)
{
	struct abi_point in = { 0 }, back = { 0 };

	if (!at->file)
		return strcmp(at->point->target, "sys_enter") ? 'X' : 'W';
	assert_ok(prov_user_point(set, false, &in));
	assert_ok(prov_user_point(set, true, &back));
	assert_int_equal(at->pid, getpid());
	assert_int_equal(at->point->find, ABI_FIND_ONE);
	assert_int_equal(strncmp(at->point->target, "plockstat_", 10), 0);
	if (at->point->attach == back.attach) {
		assert_int_equal(at->point->args[0].kind, ABI_ARG_NONE);
		assert_int_equal(at->point->args[1].reg, ABI_ROLE_RESULT);
		return 'R';
	}
	assert_int_equal(at->point->attach, in.attach);
	return at->point->args[0].kind == ABI_ARG_REG ? 'B' : 'E';
}

/* Does a function of that name, of whatever version, begin at an offset of the C library? */
static bool
begins_at(const char *func, uint64_t offset)
{
	static const char *const versions[] = {
		"GLIBC_2.2.5", "GLIBC_2.3.2", "GLIBC_2.3.3", "GLIBC_2.17", "GLIBC_2.30", "GLIBC_2.34",
	};
	void *f = dlsym(RTLD_DEFAULT, func);
	Dl_info of;

	for (size_t i = 0; i <= BASE_NELEMS(versions); i++) {
		if (f && dladdr(f, &of) && (uintptr_t)f - (uintptr_t)of.dli_fbase == offset)
			return true;
		f = i < BASE_NELEMS(versions) ? dlvsym(RTLD_DEFAULT, func, versions[i]) : NULL;
	}
	return false;
}

struct where { char place; unsigned n; struct prov_site at; };

static struct err *
note_site(void *ctx, const struct prov_site *at)
{
	struct where *w = ctx;
	char place = place_of(at);

	assert_true(!w->n || w->place == place);
	if (place == 'B' || place == 'R')
		assert_true(begins_at(at->target, at->offset));
	w->place = place;
	w->at = *at;
	w->n++;
	return NULL;
}

static bool
put_probe(void *ctx, const struct probe *p)
{
	struct where w = { 0 };

	assert_ok(prov_sites(set, p, note_site, &w));
	assert_true(w.n >= 1);	/* old versions are other places */
	assert_string_equal(w.at.target, p->func);
	sb_printf(&out, "%s%s %c%d", out.len ? ", " : "", p->name, w.place,
		  prov_nargs(set, p));
	return true;
}

static const char *
ask(const char *mod, const char *func, const char *name)
{
	struct probe_desc d = own(mod, func, name);

	sb_reset(&out);
	assert_ok(prov_match(set, &d, put_probe, NULL));
	return sb_str(&out);
}

#define GETS_MUTEX "mutex-acquire R3, mutex-block W1, mutex-blocked X2, mutex-error R2"
#define IS_COND "mutex-release B2, mutex-acquire E3"
#define READS "rw-acquire R2, rw-block W2, rw-blocked X3, rw-error R3"

/* Names, places, numbers of arguments. */
static const struct { const char *func, *probes; } functions[] = {
	{ "pthread_mutex_lock", GETS_MUTEX }, { "pthread_mutex_timedlock", GETS_MUTEX },
	{ "pthread_mutex_clocklock", GETS_MUTEX },
	{ "pthread_mutex_trylock", "mutex-acquire R3, mutex-error R2" },
	{ "pthread_mutex_unlock", "mutex-error R2, mutex-release R2" },
	{ "pthread_cond_wait", IS_COND }, { "pthread_cond_timedwait", IS_COND },
	{ "pthread_cond_clockwait", IS_COND },
	{ "pthread_rwlock_rdlock", READS }, { "pthread_rwlock_timedrdlock", READS },
	{ "pthread_rwlock_clockrdlock", READS }, { "pthread_rwlock_wrlock", READS },
	{ "pthread_rwlock_timedwrlock", READS }, { "pthread_rwlock_clockwrlock", READS },
	{ "pthread_rwlock_tryrdlock", "rw-acquire R2, rw-error R3" },
	{ "pthread_rwlock_trywrlock", "rw-acquire R2, rw-error R3" },
	{ "pthread_rwlock_unlock", "rw-release R2, rw-error R3" },
	{ "pthread_create", "" }, { "pthread_self", "" },
};

static void
test_functions(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(functions); i++) {
		const char *got = ask("libc.so.6", functions[i].func, "");
		if (strcmp(got, functions[i].probes))
			fail_msg("%s: %s", functions[i].func, got);
	}
}

static void
test_names(void **state)
{
	assert_string_equal(ask("", "pthread_mutex_lock", "mutex-b*"),
			    "mutex-block W1, mutex-blocked X2");
	assert_string_equal(ask("libc", "pthread_mutex_lock", "mutex-acquire"),
			    "mutex-acquire R3");
	assert_string_equal(ask("", "pthread_mutex_*lock", "rw-*"), "");
	assert_string_equal(ask("a.out", "pthread_mutex_lock", ""), "");
	/* What only setups ask for has no place in a list. */
	assert_string_equal(ask("", "pthread_mutex_lock", "__*"), "");
	assert_string_equal(ask("", "pthread_mutex_lock", "__left"), "__left R1");
	assert_string_equal(ask("", "pthread_mutex_trylock", "__left"), "");
	struct probe_desc d = { "plockstat7x", "", "pthread_mutex_lock", "", 0 };
	sb_reset(&out);
	assert_ok(prov_match(set, &d, put_probe, NULL));
	assert_string_equal(sb_str(&out), "");
}

/* --- D ------------------------------------------------------------------------------- */

static bool
keep(void *ctx, const struct probe *p)
{
	*(const struct probe **)ctx = p;
	return true;
}

static struct prov_site
site_of(const char *func, const char *name)
{
	struct probe_desc d = own("libc.so.6", func, name);
	const struct probe *p = NULL;
	struct where w = { 0 };

	assert_ok(prov_match(set, &d, keep, &p));
	assert_non_null(p);
	assert_ok(prov_sites(set, p, note_site, &w));
	return w.at;
}

/* PID stands for our number. */
static void
check_text(const char *got, const char *want)
{
	char text[1024] = "", pid[16];

	if (!want) {
		assert_null(got);
		return;
	}
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	for (const char *s = want; *s; )
		if (!strncmp(s, "PID", 3)) {
			strcat(text, pid);
			s += 3;
		} else {
			strncat(text, s++, 1);
		}
	assert_non_null(got);
	assert_string_equal(got, text);
}

#define LOCK "self->__plockstat_lock"
#define GOT "pid == PID && ((int)arg1 == 0 || (int)arg1 == 130)"
#define IS_WAIT(n, a) "pid == PID && self->__plockstat_in == " n " && ((" a " & 0x7f) == 0 || (" \
	a " & 0x7f) == 9 || (" a " & 0x7f) == 6 || (" a " & 0x7f) == 13)"
#define KEEP(f) "pidPID:libc.so.6:" f ":entry { " LOCK " = arg0; }"
#define KEEP_IN(f, n) "pidPID:libc.so.6:" f ":entry { " LOCK " = arg0;" \
	"	self->__plockstat_in = " n "; }plockstatPID:libc.so.6:" f ":__left " \
	"{ self->__plockstat_in = 0; }"

static const struct { const char *func, *name, *when, *values, *setup; } texts[] = {
	{ "pthread_mutex_lock", "mutex-acquire", GOT,
	  LOCK "; *(uint32_t *)copyin(" LOCK " + 4, 4) > 1; 0", KEEP("pthread_mutex_lock") },
	{ "pthread_mutex_lock", "mutex-block", IS_WAIT("1", "arg1"), LOCK,
	  KEEP_IN("pthread_mutex_lock", "1") },
	{ "pthread_mutex_lock", "mutex-blocked", IS_WAIT("1", "arg2"),
	  LOCK "; (long)arg0 == 0 || (long)arg0 == -11", KEEP_IN("pthread_mutex_lock", "1") },
	{ "pthread_rwlock_wrlock", "rw-block", IS_WAIT("13", "arg1"), LOCK "; 1",
	  KEEP_IN("pthread_rwlock_wrlock", "13") },
	{ "pthread_rwlock_rdlock", "rw-acquire", GOT, LOCK "; 0",
	  KEEP("pthread_rwlock_rdlock") },
	{ "pthread_rwlock_wrlock", "rw-acquire", GOT, LOCK "; 1",
	  KEEP("pthread_rwlock_wrlock") },
	{ "pthread_mutex_unlock", "mutex-release", "pid == PID && (int)arg1 == 0",
	  LOCK "; self->__plockstat_saw", "pidPID:libc.so.6:pthread_mutex_unlock:entry { "
	  LOCK " = arg0; self->__plockstat_saw = *(uint32_t *)copyin(arg0 + 4, 4) > 1; }" },
	{ "pthread_rwlock_unlock", "rw-release", "pid == PID && (int)arg1 == 0",
	  LOCK "; self->__plockstat_saw", "pidPID:libc.so.6:pthread_rwlock_unlock:entry { "
	  LOCK " = arg0; self->__plockstat_saw = *(uint32_t *)copyin(arg0, 4) & 1; }" },
	{ "pthread_mutex_trylock", "mutex-error", "pid == PID && (int)arg1 != 0 && (int)arg1 != "
	  "130 && (int)arg1 != 16 && (int)arg1 != 110 && (int)arg1 != 11", LOCK "; (int)arg1",
	  KEEP("pthread_mutex_trylock") },
	{ "pthread_cond_wait", "mutex-release", NULL, "arg1; 0", NULL },
	{ "pthread_cond_wait", "mutex-acquire", NULL, "self->__plockstat_mutex; 0; 0",
	  "pidPID:libc.so.6:pthread_cond_wait:entry { self->__plockstat_mutex = arg1; }" },
	{ "pthread_mutex_lock", "__left", NULL, NULL, NULL },
};

static void
test_texts(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(texts); i++) {
		struct prov_site at = site_of(texts[i].func, texts[i].name);
		check_text(at.when, texts[i].when);
		check_text(at.values, texts[i].values);
		check_text(at.setup, texts[i].setup);
	}
	/* The same setup is one, so that it runs once. */
	assert_ptr_equal(site_of("pthread_mutex_lock", "mutex-block").setup,
			 site_of("pthread_mutex_lock", "mutex-blocked").setup);
	assert_ptr_equal(site_of("pthread_mutex_lock", "mutex-acquire").setup,
			 site_of("pthread_mutex_lock", "mutex-error").setup);
	assert_ptr_not_equal(site_of("pthread_mutex_lock", "mutex-acquire").setup,
			     site_of("pthread_mutex_lock", "mutex-block").setup);
}

static void
test_types(void **state)
{
	struct probe_desc d = own("libc.so.6", "pthread_mutex_lock", "mutex-acquire");
	const struct probe *p = NULL;
	struct sb b;

	sb_init(&b, 64);
	assert_ok(prov_match(set, &d, keep, &p));
	for (unsigned i = 0; i < 4; i++) {
		const char *name = NULL;
		unsigned raw;
		const struct type *t = prov_arg_type(set, p, i, &name, &raw);
		assert_int_equal(!t, i == 3);
		if (!t)
			continue;
		sb_reset(&b);
		type_print(t, NULL, &b);
		if (i)
			assert_int_equal(type_size(t), 4);
		else
			assert_string_equal(sb_str(&b), "void *");
	}
	sb_fini(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_functions, begin, end),
		cmocka_unit_test_setup_teardown(test_names, begin, end),
		cmocka_unit_test_setup_teardown(test_texts, begin, end),
		cmocka_unit_test_setup_teardown(test_types, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
