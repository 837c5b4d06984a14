/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The running system as the compiler asks for it, and the macro variables.
 * A source that cannot be read (no BTF, hidden addresses) answers "none", and
 * the compiler says what is unknown.
 */
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

#include "kern/kern.h"
#include "prov/user.h"
#include "session/proc_priv.h"
#include "session/program_priv.h"

void
session_fail(struct session *s, struct err *e)
{
	if (s->compiling.failure)
		err_free(e);
	else
		s->compiling.failure = e;
}

struct err *
session_failure(struct session *s)
{
	struct err *e = s->compiling.failure;

	s->compiling.failure = NULL;
	return e;
}

void
session_forget(struct session *s, struct err *e)
{
	e = err_only_nomem(e);
	if (e)
		session_fail(s, e);
}

static const struct type *
find_type(void *ctx, const char *module, enum type_kind kind,
	  const char *name)
{
	struct session *s = ctx;
	const struct type *t = NULL;
	struct err *e = typedb_find(s->types, module, kind, name, &t);

	if (e && !s->compiling.no_types)
		s->compiling.no_types = arena_strdup(s->a, e->text);
	session_forget(s, e);
	return t;
}

static const struct type *
find_enumerator(void *ctx, const char *name, int64_t *value,
		const struct type **other)
{
	struct session *s = ctx;
	const struct type *t = NULL;

	session_forget(s, typedb_enumerator(s->types, name, &t, value, other));
	return t;
}

/* One function of the kernel itself: to be asked for it is quick, and to write the table
 * of all takes it 50 ms. */
static bool
find_function(struct session *s, const char *name, uint64_t *addr,
	      const struct type **type)
{
	*type = NULL;
	session_forget(s, typedb_symbol(s->types, "vmlinux", name, type));
	if (!*type || (*type)->kind != TYPE_FUNC)
		return false;
	struct err *e = kern_symbol(name, addr);
	bool is_found = !e;

	session_forget(s, e);
	return is_found;
}

static bool
find_symbol(void *ctx, const char *module, const char *name, uint64_t *addr,
	    const struct type **type)
{
	struct session *s = ctx;
	struct sym sym;

	if (!module && find_function(s, name, addr, type))
		return true;
	struct err *e = sym_kernel_by_name(s->syms, module, name, &sym);

	if (e) {
		session_forget(s, e);
		return false;
	}
	*addr = sym.addr;
	*type = NULL;
	session_forget(s, typedb_symbol(s->types, sym.module, name, type));
	return true;
}

/* Up to Linux 6.14 processors of x86 count them from 0. */
static bool
find_percpu(void *ctx, const char *name, struct sema_percpu *ret)
{
	struct session *s = ctx;
	struct sym start = { .addr = 0 }, offsets;
	uint32_t at;
	struct err *e = sym_kernel_by_name(s->syms, "vmlinux", "__per_cpu_offset",
					   &offsets);

	ret->type = NULL;
	if (!e)
		e = typedb_percpu(s->types, name, &at, &ret->type);
	if (!e)
		err_free(sym_kernel_by_name(s->syms, "vmlinux", "__per_cpu_start",
					    &start));
	bool is_there = !e && ret->type;

	session_forget(s, e);
	if (!is_there)
		return false;
	ret->place = start.addr + at;
	ret->offsets = offsets.addr;
	return true;
}

/* Variables are known where jiffies is, which no kernel is without. */
static const char *
no_symbol(void *ctx, const char *module, const char *name)
{
	struct session *s = ctx;
	const char *why = NULL;
	struct sym sym;

	if (module && session_process_maps(s, module, name, &why))
		return why;
	/* The kernel's modules have no dot. */
	if (module && s->procs && strchr(module, '.'))
		return arena_printf(s->a, "no process of -c or -p has mapped %s", module);
	struct err *e = sym_kernel_by_name(s->syms, NULL, "jiffies", &sym);
	bool hidden = e && e->code != ERR_NOTFOUND;

	if (hidden)
		why = arena_strdup(s->a, e->text);
	else if (e)
		why = "this kernel names its functions only, not its "
		      "variables (it was built without CONFIG_KALLSYMS_ALL)";
	session_forget(s, e);
	return why;
}

struct matching {
	struct session *s;
	bool (*fn)(void *arg, const struct probe *p);
	void *arg;
};

static bool
on_match(void *ctx, const struct probe *p)
{
	struct matching *m = ctx;

	session_forget(m->s, session_texts(m->s, p));
	return m->fn(m->arg, p);
}

static struct err *
match(void *ctx, const struct probe_desc *d,
      bool (*fn)(void *arg, const struct probe *p), void *arg)
{
	struct session *s = ctx;
	struct matching m = { s, fn, arg };

	return prov_match(s->prov, d, on_match, &m);
}

/* What the program says that has the probe comes before what its notes do. */
static bool
find_defined(struct session *s, const struct probe *p, unsigned n,
	     struct sema_defined_arg *ret, bool *is_defined)
{
	struct sema_defined def;

	*is_defined = session_defined(s, p, &def);
	return *is_defined && sema_defined_arg(s->sema, &def, n, ret);
}

static const struct type *
arg_type(void *ctx, const struct probe *p, unsigned n, unsigned *raw)
{
	struct session *s = ctx;
	struct sema_defined_arg arg;
	bool is_defined;
	const char *name;

	if (find_defined(s, p, n, &arg, &is_defined)) {
		*raw = arg.raw;
		return arg.type;
	}
	return is_defined ? NULL : prov_arg_type(s->prov, p, n, &name, raw);
}

static const char *
arg_xlate(void *ctx, const struct probe *p, unsigned n)
{
	struct session *s = ctx;
	struct sema_defined_arg arg;
	bool is_defined;

	if (find_defined(s, p, n, &arg, &is_defined))
		return arg.xlate;
	return prov_arg_xlate(s->prov, p, n);
}

static unsigned
suggest(void *ctx, const struct probe_desc *d, struct arena *a,
	const char **ret, unsigned n)
{
	struct session *s = ctx;

	return prov_suggest(s->prov, d, a, ret, n);
}

static const char *
misnamed(void *ctx, const struct probe_desc *d, struct arena *a)
{
	struct session *s = ctx;
	struct sb b;

	sb_init(&b, 4096);
	const char *text = prov_misnamed(s->prov, d, &b);
	if (text)
		text = arena_strdup(a, text);
	sb_fini(&b);
	return text;
}

static const char *
missing(void *ctx, const struct probe_desc *d, struct arena *a,
	enum probe_spec *part)
{
	static const enum probe_spec parts[] = {
		[PROV_PART_PROV] = PROBE_SPEC_PROVIDER,
		[PROV_PART_MOD] = PROBE_SPEC_MOD,
		[PROV_PART_FUNC] = PROBE_SPEC_FUNC,
		[PROV_PART_NAME] = PROBE_SPEC_NAME,
	};
	struct session *s = ctx;
	const char *text = NULL;
	enum prov_part which;
	struct sb b;

	sb_init(&b, 4096);
	if (prov_missing(s->prov, d, &b, &which)) {
		text = arena_strdup(a, sb_str(&b));
		*part = parts[which];
	}
	sb_fini(&b);
	return text;
}

static const char *
foreign(void *ctx, const struct probe_desc *d, struct arena *a,
	struct sema_absent *ret)
{
	static const struct sema_absent kinds[] = {
		[PROV_FOREIGN_CALL] = { "Linux", "system call" },
		[PROV_FOREIGN_PROBE] = { "this kernel", "probe" },
	};
	struct session *s = ctx;
	const char *text = NULL;
	struct sb b;

	sb_init(&b, 4096);
	enum prov_foreign kind = prov_foreign(s->prov, d, &b);
	if (kind != PROV_FOREIGN_NONE) {
		text = arena_strdup(a, sb_str(&b));
		*ret = kinds[kind];
	}
	sb_fini(&b);
	return text;
}

static const struct type *
foreign_arg(void *ctx, const struct probe_desc *d, unsigned n,
	    const char **xlate)
{
	struct session *s = ctx;

	return prov_foreign_arg(s->prov, d, n, xlate);
}

void
session_world_init(struct session *s)
{
	s->world = (struct sema_world){
		.ctx = s, .find_type = find_type,
		.find_enumerator = find_enumerator, .find_symbol = find_symbol,
		.find_percpu = find_percpu,
		.no_symbol = no_symbol,
		.match = match, .arg_type = arg_type, .arg_xlate = arg_xlate,
		.suggest = suggest, .misnamed = misnamed,
		.foreign = foreign, .foreign_arg = foreign_arg,
		.missing = missing,
		.library = session_library,
		.library_names = session_library_names,
	};
	session_process_types(s);
}

/* --- Macro variables ------------------------------------------------------ */

static long m_pid(const struct session *s) { return session_self(); }
static long m_ppid(const struct session *s) { return getppid(); }
static long m_pgid(const struct session *s) { return getpgrp(); }
static long m_sid(const struct session *s) { return getsid(0); }
static long m_uid(const struct session *s) { return getuid(); }
static long m_euid(const struct session *s) { return geteuid(); }
static long m_gid(const struct session *s) { return getgid(); }
static long m_egid(const struct session *s) { return getegid(); }
static long m_zero(const struct session *s) { return 0; }
static long m_target(const struct session *s) { return session_target(s); }

static const struct {
	const char *name;
	long (*value)(const struct session *s);
} macros[] = {
	{ "pid", m_pid }, { "ppid", m_ppid }, { "pgid", m_pgid },
	{ "sid", m_sid }, { "uid", m_uid }, { "euid", m_euid },
	{ "gid", m_gid }, { "egid", m_egid }, { "projid", m_zero },
	{ "taskid", m_zero }, { "target", m_target },
};

const struct lang_macro *
session_macros(struct session *s, unsigned *n)
{
	struct lang_macro *m = ARENA_ARRAY(s->a, struct lang_macro,
					   BASE_NELEMS(macros));

	if (!m)
		return NULL;
	for (size_t i = 0; i < BASE_NELEMS(macros); i++) {
		long v = macros[i].value(s);
		m[i].name = macros[i].name;
		m[i].text = arena_printf(s->a, "%ld", v);
		if (!m[i].text)
			return NULL;
	}
	*n = BASE_NELEMS(macros);
	return m;
}
