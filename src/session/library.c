/* SPDX-License-Identifier: BSD-2-Clause
 *
 * D libraries: the files *.d of the directories that -L names, and of the one
 * that is installed with us.
 *
 * A program that names nothing of a library must not pay for it: starting is
 * measured in milliseconds.  So nothing is read before the compiler meets a
 * name that it does not know.  Then all files are read, and lang_outline()
 * finds which names each defines (0.2 ms for what is installed); and only a
 * file that defines what was asked for is compiled, in the midst of the
 * program that asked, in which other libraries may be asked for in turn.
 *
 * Directories that the user names are another matter: their files are few, and
 * a mistake in one should be told at once.  They are compiled before the
 * program.
 *
 * A library whose dependencies (#pragma D depends_on) are missing does not
 * exist.  Those that it depends on are compiled before it; one that names a
 * library that is not there is wrong.
 *
 * What files with static probes say of them in D (prov/definition.h) is a library, too,
 * from the moment on that one of their probes is matched.  That one cannot be compiled
 * is no error: arguments then are what the file's notes say, and that is told.
 *
 * When a program is wrong, sema withdraws its names, and with them those of
 * the libraries that were compiled in its midst; so these are forgotten, too.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "prov/definition.h"
#include "session/program_priv.h"
#include "session/run_priv.h"
#include "util/cleanup.h"

enum state {
	LIB_NEW,
	LIB_ORDERING,		/* what it depends on is being compiled */
	LIB_COMPILING,
	LIB_DONE,
	LIB_ABSENT,		/* a dependency is missing */
	LIB_WRONG,
};

struct depend {
	const char *kind, *name;
	struct lang_span span;
};

struct library {
	struct lang_source src;
	const char *name;	/* of the file, without ".d" */
	enum state state;
	bool is_made;		/* by topology.c, when it is wanted */
	const struct prov_text *of;	/* it is what a file with probes has, or NULL */
	VEC(struct depend) depends;
};

/* A name that a library defines. */
struct lib_name {
	struct lib_name *next;	/* another that does */
	struct library *lib;
};

enum { LIB_MAX = 4 << 20 };	/* bytes of a file */

/* --- Directories and files ------------------------------------------------ */

/* The directory `dtrace` beside the file we are in: libdtrace.so. */
static const char *
beside_us(struct session *s)
{
	Dl_info info;
	const char *slash;

	if (!dladdr((void *)(uintptr_t)session_library, &info) ||
	    !info.dli_fname || !(slash = strrchr(info.dli_fname, '/')))
		return NULL;
	return arena_printf(s->a, "%.*s/dtrace",
			    (int)(slash - info.dli_fname), info.dli_fname);
}

static struct err *
read_file(struct session *s, const char *path, struct lang_source *src)
{
	CLEANUP(util_closep) int fd = open(path, O_RDONLY | O_CLOEXEC |
					   O_NONBLOCK);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return err_new(ERR_OS, errno, "failed to open library %s: %s",
			       path, strerror(errno));
	if (!S_ISREG(st.st_mode) || st.st_size > LIB_MAX)
		return err_new(ERR_INVALID, 0, "library %s is not a file of "
			       "at most %d bytes", path, LIB_MAX);
	char *text = arena_alloc(s->a, (size_t)st.st_size + 1);
	if (!text)
		return &err_nomem;
	ssize_t n = read(fd, text, (size_t)st.st_size);
	if (n < 0)
		return err_new(ERR_OS, errno, "failed to read library %s: %s",
			       path, strerror(errno));
	*src = (struct lang_source){ .name = path, .text = text,
				     .size = (uint32_t)n, .is_library = true };
	return NULL;
}

/* --- The index ------------------------------------------------------------ */

struct indexing {
	struct session *s;
	struct library *lib;
};

/* By what the index knows a name. */
struct key {
	char text[256];		/* the kind's number as a digit, and the name */
	size_t size;		/* 0: too long to be meant */
};

static struct key
key_of(enum lang_name_kind kind, struct base_span name)
{
	struct key k = { .size = name.n + 1 };

	if (k.size > sizeof(k.text))
		return (struct key){ .size = 0 };
	k.text[0] = (char)('0' + kind);
	memcpy(k.text + 1, name.p, name.n);
	return k;
}

static bool
on_name(void *ctx, enum lang_name_kind kind, struct base_span name)
{
	struct indexing *x = ctx;
	struct key k = key_of(kind, name);
	struct lib_name **at, *n;

	if (!k.size)
		return true;
	at = (struct lib_name **)hash_ref(&x->s->libs.names, k.text, k.size);
	n = ARENA_NEW(x->s->a, struct lib_name);
	if (!at || !n)
		return false;
	for (; *at; at = &(*at)->next)
		if ((*at)->lib == x->lib)
			return true;
	n->lib = x->lib;
	*at = n;
	return true;
}

static bool
on_depends(void *ctx, struct base_span kind, struct base_span name,
	   struct lang_span span)
{
	struct indexing *x = ctx;
	struct depend d = { arena_strndup(x->s->a, kind.p, kind.n),
			    arena_strndup(x->s->a, name.p, name.n), span };

	return d.kind && d.name && vec_push(&x->lib->depends, d);
}

/* "io" of ".../io.d", "io.d" or "io". */
static const char *
base_name(struct session *s, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	size_t n = strlen(base);

	return arena_strndup(s->a, base, n > 2 && !strcmp(base + n - 2, ".d")
					 ? n - 2 : n);
}

static struct library *
find_library(struct session *s, const char *name)
{
	for (size_t i = 0; i < s->libs.all.n; i++)
		if (!strcmp(s->libs.all.v[i]->name, name))
			return s->libs.all.v[i];
	return NULL;
}

/* A file of the same name in a directory looked at before hides this one. */
static struct err *
add_file(struct session *s, const char *path)
{
	struct library *lib = ARENA_NEW(s->a, struct library);
	struct indexing x = { s, lib };
	const struct lang_outline o = { &x, on_name, on_depends };

	if (!lib || !path || !(lib->name = base_name(s, path)))
		return &err_nomem;
	if (find_library(s, lib->name))
		return NULL;
	TRY(read_file(s, path, &lib->src));
	if (!vec_push(&s->libs.all, lib) ||
	    !lang_outline(&lib->src, 0, lib->src.size, &o))
		return &err_nomem;
	return NULL;
}

static int
is_library(const struct dirent *e)
{
	size_t n = strlen(e->d_name);

	return e->d_name[0] != '.' && n > 2 && !strcmp(e->d_name + n - 2, ".d");
}

/* A directory, a pipe, or a link to nothing is not; what cannot be looked at
 * will be refused with a reason. */
static bool
may_be_file(const char *path)
{
	struct stat st;

	return stat(path, &st) ? errno != ENOENT : S_ISREG(st.st_mode);
}

/* must: a directory that is not there is an error. */
static struct err *
add_directory(struct session *s, const char *dir, bool must)
{
	struct dirent **v = NULL;
	struct err *e = NULL;
	int n = scandir(dir, &v, is_library, alphasort);

	if (n < 0 && (must || errno == ENOMEM))
		return err_new(ERR_OS, errno, "failed to open library "
			       "directory %s: %s", dir, strerror(errno));
	for (int i = 0; i < n; i++) {
		const char *path = e ? NULL : arena_printf(s->a, "%s/%s", dir,
							   v[i]->d_name);
		if (!e && (!path || may_be_file(path)))
			e = add_file(s, path);
		free(v[i]);
	}
	free(v);
	return e;
}

/* Those that -L names, in the order given. */
static struct err *
add_named(struct session *s)
{
	const char *p = s->opts.s[OPT_LIBDIR];

	while (p && *p) {
		size_t n = strcspn(p, "\n");
		const char *dir = arena_strndup(s->a, p, n);
		if (!dir)
			return &err_nomem;
		TRY(add_directory(s, dir, true));
		p += n + (p[n] == '\n');
	}
	s->libs.nnamed = s->libs.all.n;
	return NULL;
}

/* Only its names, until somebody wants it. */
static struct err *
add_topology(struct session *s)
{
	static const char names[] = "int __chip; int __node; int __mhz;";
	struct library *lib = ARENA_NEW(s->a, struct library);
	struct indexing x = { s, lib };
	const struct lang_outline o = { &x, on_name, on_depends };

	if (!lib)
		return &err_nomem;
	lib->name = "(topology)";
	lib->is_made = true;
	lib->src = (struct lang_source){ .name = lib->name, .text = names,
		.size = sizeof(names) - 1, .is_library = true };
	if (!vec_push(&s->libs.all, lib) ||
	    !lang_outline(&lib->src, 0, lib->src.size, &o))
		return &err_nomem;
	return NULL;
}

/* Is it a library that comes with us, by its name? */
static bool
is_ours(const char *name)
{
	static const char *const ours[] = { D_LIBRARIES };

	for (size_t i = 0; i < BASE_NELEMS(ours); i++)
		if (!strcmp(name, ours[i]))
			return true;
	return false;
}

static bool
knows_ours(const struct session *s)
{
	for (size_t i = 0; i < s->libs.all.n; i++)
		if (is_ours(s->libs.all.v[i]->name))
			return true;
	return false;
}

/* Ours are taken as proven where they are installed, and nowhere else: most programs
 * use little of them. */
static struct err *
add_installed(struct session *s)
{
	const char *dir = s->opts.s[OPT_SYSLIBDIR], *text;
	size_t i = s->libs.all.n;

	if (dir)
		return add_directory(s, dir, true);
	if (!(dir = beside_us(s)))
		return NULL;
	TRY(add_directory(s, dir, false));
	if (!knows_ours(s)) {
		text = arena_printf(s->a, "the D libraries, which are installed "
				    "with dtrace, are not in %s: what they define "
				    "is unknown", dir);
		if (!text)
			return &err_nomem;
		session_tell(s, text);
	}
	for (; i < s->libs.all.n; i++)
		s->libs.all.v[i]->src.is_proven =
			is_ours(s->libs.all.v[i]->name);
	return NULL;
}

/* --- Compiling ------------------------------------------------------------ */

static bool compile_library(struct session *s, struct library *lib);

static bool
one_match(void *arg, const struct probe *p)
{
	*(bool *)arg = true;
	return false;
}

static bool
has_provider(struct session *s, const char *name)
{
	struct probe_desc d = { name, "", "", "", 0 };
	bool found = false;

	session_forget(s, prov_match(s->prov, &d, one_match, &found));
	return found;
}

static bool
has_module(const char *name)
{
	char path[PATH_MAX];

	if (probe_is_kernel(name))
		return true;
	snprintf(path, sizeof(path), "/sys/module/%s", name);
	return !strchr(name, '/') && !access(path, F_OK);
}

/* A dependency that is a library is compiled; false: it is missing. */
static bool
depend(struct session *s, struct library *lib, const struct depend *d)
{
	struct library *other;
	const char *name;

	if (!strcmp(d->kind, "provider"))
		return has_provider(s, d->name);
	if (!strcmp(d->kind, "module"))
		return has_module(d->name);
	if (strcmp(d->kind, "library"))
		return true;	/* the compiler will complain */
	name = base_name(s, d->name);
	other = name ? find_library(s, name) : NULL;
	if (other && other->state == LIB_ORDERING) {
		diag(s->compiling.diags, D_PRAGMA_DEPEND, d->span, "libraries depend on "
		     "each other: %s on %s, and back", lib->name, other->name);
		return true;
	}
	if (!other) {
		diag(s->compiling.diags, D_PRAGMA_DEPEND, d->span, "library %s depends "
		     "on library %s, which is in none of the directories",
		     lib->name, d->name);
		return true;
	}
	return compile_library(s, other);
}

static bool
has_all(struct session *s, struct library *lib)
{
	for (size_t i = 0; i < lib->depends.n; i++)
		if (!depend(s, lib, &lib->depends.v[i]))
			return false;
	return true;
}

static bool
make_text(struct session *s, struct library *lib)
{
	const char *text = session_topology(s);

	if (!text) {
		session_fail(s, &err_nomem);
		return false;
	}
	lib->src.text = text;
	lib->src.size = (uint32_t)strlen(text);
	return true;
}

/* Compile it unless it has been; false when it does not exist or is wrong. */
static bool
compile_library(struct session *s, struct library *lib)
{
	unsigned errors = s->compiling.diags->n;

	if (lib->state != LIB_NEW)
		return lib->state == LIB_DONE || lib->state == LIB_COMPILING;
	if (lib->is_made && !make_text(s, lib))
		return false;
	lib->state = LIB_ORDERING;
	bool exists = has_all(s, lib);
	if (exists && s->compiling.diags->n == errors) {
		lib->state = LIB_COMPILING;
		session_fail(s, lang_mark_lines(&lib->src, s->a) ?
			     session_compile_library(s, &lib->src, lib->of) :
			     &err_nomem);
	}
	lib->state = !exists ? LIB_ABSENT :
		     s->compiling.diags->n > errors ? LIB_WRONG : LIB_DONE;
	if (!vec_push(&s->libs.order, lib))
		session_fail(s, &err_nomem);
	return lib->state == LIB_DONE;
}

/* Read the directories, once. */
static struct err *
make_index(struct session *s)
{
	if (s->libs.indexed)
		return NULL;
	s->libs.indexed = true;
	TRY(add_named(s));
	TRY(add_installed(s));
	return add_topology(s);
}

/* make_index(), reporting. */
static void
need_index(struct session *s)
{
	struct err *e = make_index(s);

	if (!e)
		return;
	diag(s->compiling.diags, D_LIBRARY, (struct lang_span){ 0 }, "%s", e->text);
	session_forget(s, e);
}

/* --- What files with static probes have ------------------------------------ */

static struct err *
add_text(struct session *s, const struct prov_text *t, struct library **ret)
{
	for (size_t i = 0; i < s->libs.all.n; i++)
		if ((*ret = s->libs.all.v[i])->of == t)
			return NULL;
	struct library *lib = *ret = ARENA_NEW(s->a, struct library);
	struct indexing x = { s, lib };
	const struct lang_outline o = { &x, on_name, on_depends };

	if (!lib)
		return &err_nomem;
	TRY(make_index(s));		/* the names of others come first */
	lib->of = t;
	lib->name = t->file;
	lib->src = (struct lang_source){ .name = t->file, .text = t->text,
		.size = t->size, .is_library = true };
	return vec_push(&s->libs.all, lib) &&
	       lang_outline(&lib->src, 0, lib->src.size, &o) ? NULL : &err_nomem;
}

/* Compile it unless it has been; what is wrong with it is a warning. */
static bool
compile_text(struct session *s, struct library *lib)
{
	struct diag_list own, *outer = s->compiling.diags;

	if (lib->state != LIB_NEW)
		return lib->state == LIB_DONE;
	diag_init(&own, s->a);
	s->compiling.diags = &own;
	compile_library(s, lib);
	s->compiling.diags = outer;
	if (lib->state != LIB_DONE && outer && own.first)
		diag_warn(outer, D_LIBRARY, own.first->span, "what this program "
			  "says of its probes is not understood, so that args[] "
			  "are plain numbers: %s", own.first->text);
	return lib->state == LIB_DONE;
}

struct err *
session_texts(struct session *s, const struct probe *p)
{
	struct prov_texts texts;
	struct library *lib;

	if (s->opts.v[OPT_NOLIBS] > 0)
		return NULL;
	TRY(prov_texts(s->prov, p, &texts));
	for (size_t i = 0; i < texts.n; i++)
		TRY(add_text(s, texts.v[i], &lib));
	return NULL;
}

bool
session_defined(struct session *s, const struct probe *p,
		struct sema_defined *ret)
{
	struct prov_texts texts;
	struct library *lib;

	if (s->opts.v[OPT_NOLIBS] > 0)
		return false;
	session_forget(s, prov_texts(s->prov, p, &texts));
	for (size_t i = 0; i < texts.n; i++) {
		struct err *e = add_text(s, texts.v[i], &lib);
		if (!e && compile_text(s, lib) &&
		    sema_defined(s->sema, &lib->src, texts.prov, texts.name, ret))
			return true;
		session_forget(s, e);
	}
	return false;
}

/* --- For the compiler -------------------------------------------------------- */

bool
session_library(void *ctx, enum lang_name_kind kind, const char *name)
{
	struct session *s = ctx;
	struct key k = key_of(kind, (struct base_span){ name, strlen(name) });
	bool any = false;

	if (s->opts.v[OPT_NOLIBS] > 0 || !s->compiling.diags)
		return false;
	need_index(s);
	struct lib_name *n = k.size ? hash_get(&s->libs.names, k.text, k.size)
				    : NULL;
	for (; n; n = n->next) {
		bool asked = n->lib->state != LIB_NEW;
		bool there = compile_library(s, n->lib);
		any |= there && !asked;
		/* The first that defines it counts, unless all do. */
		if (there && kind != LANG_NAME_XLATOR)
			break;
	}
	return any;
}

void
session_library_names(void *ctx, void (*fn)(void *arg, const char *name),
		      void *arg)
{
	struct session *s = ctx;
	struct hash_entry *e;
	size_t i = 0;

	while ((e = hash_next(&s->libs.names, &i))) {
		const char *key = e->key;
		const char *name = arena_strndup(s->a, key + 1, e->size - 1);
		/* Two underscores: nobody's business. */
		if (key[0] == '0' + LANG_NAME_IDENT && name &&
		    strncmp(name, "__", 2))
			fn(arg, name);
	}
}

void
session_import(struct session *s, const char *name, struct lang_span span)
{
	const char *base = base_name(s, name);
	unsigned errors = s->compiling.diags->n;

	need_index(s);
	struct library *lib = base ? find_library(s, base) : NULL;
	if (lib && (compile_library(s, lib) || s->compiling.diags->n > errors))
		return;
	diag(s->compiling.diags, D_LIBRARY, span, lib ? "library \"%s\" cannot be used: "
	     "something that it depends on is missing"
	     : "there is no library \"%s\"", name);
	if (!lib)
		diag_hint(s->compiling.diags, "-L names a directory that has %s.d",
			  base ? base : name);
}

struct err *
session_libs_begin(struct session *s)
{
	/* What was wrong or missing then may be right now: other options, modules. */
	for (size_t i = 0; i < s->libs.all.n; i++)
		if (s->libs.all.v[i]->state == LIB_WRONG ||
		    s->libs.all.v[i]->state == LIB_ABSENT)
			s->libs.all.v[i]->state = LIB_NEW;
	if (s->opts.v[OPT_NOLIBS] > 0 || !s->opts.s[OPT_LIBDIR])
		return NULL;
	TRY(make_index(s));
	for (size_t i = 0; i < s->libs.nnamed; i++)
		compile_library(s, s->libs.all.v[i]);
	return session_failure(s);
}

size_t
session_libs_mark(const struct session *s)
{
	return s->libs.order.n;
}

void
session_libs_withdraw(struct session *s, size_t mark)
{
	while (s->libs.order.n > mark)
		s->libs.order.v[--s->libs.order.n]->state = LIB_NEW;
}

void
session_libs_fini(struct session *s)
{
	for (size_t i = 0; i < s->libs.all.n; i++)
		vec_fini(&s->libs.all.v[i]->depends);
	vec_fini(&s->libs.all);
	vec_fini(&s->libs.order);
	hash_fini(&s->libs.names);
	hash_fini(&s->libs.spaces);
}
