/* SPDX-License-Identifier: BSD-2-Clause
 *
 * CTF, what gcc -gctf leaves, told as BTF.  It is read by libctf, which comes with
 * binutils and is loaded when there is some; types keep their numbers.  Of a program
 * whose files disagree about a type libctf keeps both versions, each with its file:
 * such types are not here.
 *
 * libctf believes what it reads: it can crash on a broken file, or go on for ever.  So a
 * process of its own does that, which gives back the BTF in memory that is a file's, and
 * behind it nothing is lost but that process.  Source: ctf-api.h and ctf.h of binutils, version 3 of the
 * format.
 */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "btftypes/btftypes_priv.h"
#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/sb.h"

/* --- libctf ----------------------------------------------------------------- */

typedef unsigned long ctf_id;

struct section {
	const char *name;
	const void *data;
	size_t size, entsize;
};

struct encoding {
	uint32_t format, offset, bits;
};

struct array {
	ctf_id of, index;
	uint32_t n;
};

struct function {
	ctf_id ret;
	uint32_t nargs, flags;
};

struct dict;
struct archive;
struct iterator;

#define CTF_ERROR ((ctf_id)-1)

enum {
	PREAMBLE_MAGIC = 0xdff2,
	PREAMBLE_DYNSTR = 8,	/* flag: names are of .dynsym */
	INT_SIGNED = 1, INT_CHAR = 2, INT_BOOL = 4,
	FUNC_VARARG = 1,
};

enum kind {
	K_UNKNOWN, K_INTEGER, K_FLOAT, K_POINTER, K_ARRAY, K_FUNCTION, K_STRUCT,
	K_UNION, K_ENUM, K_FORWARD, K_TYPEDEF, K_VOLATILE, K_CONST, K_RESTRICT,
};

#define FUNCTIONS(F) \
	F(struct archive *, ctf_arc_bufopen, (const struct section *, \
		const struct section *, const struct section *, int *)) \
	F(struct dict *, ctf_dict_open, (struct archive *, const char *, int *)) \
	F(const char *, ctf_errmsg, (int)) \
	F(ctf_id, ctf_type_next, (struct dict *, struct iterator **, int *, int)) \
	F(int, ctf_type_kind, (struct dict *, ctf_id)) \
	F(int, ctf_type_kind_forwarded, (struct dict *, ctf_id)) \
	F(const char *, ctf_type_name_raw, (struct dict *, ctf_id)) \
	F(ssize_t, ctf_type_size, (struct dict *, ctf_id)) \
	F(ctf_id, ctf_type_reference, (struct dict *, ctf_id)) \
	F(int, ctf_type_encoding, (struct dict *, ctf_id, struct encoding *)) \
	F(int, ctf_array_info, (struct dict *, ctf_id, struct array *)) \
	F(int, ctf_func_type_info, (struct dict *, ctf_id, struct function *)) \
	F(int, ctf_func_type_args, (struct dict *, ctf_id, uint32_t, ctf_id *)) \
	F(ssize_t, ctf_member_next, (struct dict *, ctf_id, struct iterator **, \
		const char **, ctf_id *, int)) \
	F(const char *, ctf_enum_next, (struct dict *, ctf_id, \
		struct iterator **, int *)) \
	F(ctf_id, ctf_variable_next, (struct dict *, struct iterator **, \
		const char **)) \
	F(ctf_id, ctf_symbol_next, (struct dict *, struct iterator **, \
		const char **, int))

struct libctf {
#define MEMBER(ret, name, args) ret (*name) args;
	FUNCTIONS(MEMBER)
#undef MEMBER
};

#define LIBRARY "libctf-nobfd.so.0"

static struct err *
load(struct libctf *l)
{
	void *lib = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!lib)
		return err_new(ERR_UNSUPPORTED, 0, "its types are CTF, and there "
			       "is no " LIBRARY " to read them (it comes with "
			       "binutils)");
#define LOAD(ret, name, args) \
	*(void **)&l->name = dlsym(lib, #name); \
	if (!l->name) \
		return err_new(ERR_UNSUPPORTED, 0, "its types are CTF, and " \
			       LIBRARY " has no " #name "(): it is too old");
	FUNCTIONS(LOAD)
#undef LOAD
	return NULL;
}

/* --- Writing ---------------------------------------------------------------- */

enum { MAX = 1 << 28 };	/* bytes of types, and of names */

struct writer {
	struct libctf l;
	struct dict *dict;
	struct sb types, names;
	uint32_t next;		/* number of the record to come */
	bool too_many;		/* a record has more parts than BTF can say */
};

static void
put(struct writer *w, uint32_t v)
{
	sb_putn(&w->types, &v, sizeof(v));
}

static uint32_t
name(struct writer *w, const char *s)
{
	uint32_t at = (uint32_t)w->names.len;

	if (!s || !*s)
		return 0;
	sb_putn(&w->names, s, strlen(s) + 1);
	return at;
}

/* Returns where the record's count of parts is to be written; see count(). */
static size_t
record(struct writer *w, uint32_t kind, const char *text, uint32_t arg)
{
	put(w, name(w, text));
	size_t at = w->types.len;
	put(w, kind << 24);
	put(w, arg);
	w->next++;
	return at;
}

static void
count(struct writer *w, size_t at, uint32_t n, bool flag)
{
	uint32_t info;

	if (w->types.failed)
		return;
	w->too_many |= n > BTF_MAX_VLEN;
	memcpy(&info, w->types.p + at, sizeof(info));
	info |= (n & BTF_MAX_VLEN) | (uint32_t)flag << 31;
	memcpy(w->types.p + at, &info, sizeof(info));
}

static uint32_t
size_of(struct writer *w, ctf_id id)
{
	ssize_t n = w->l.ctf_type_size(w->dict, id);

	return n < 0 || n > UINT32_MAX ? 0 : (uint32_t)n;
}

/* The void of CTF is a number of no bytes. */
static bool
is_void(struct writer *w, ctf_id id)
{
	return w->l.ctf_type_kind(w->dict, id) == K_INTEGER && !size_of(w, id);
}

/* What is not known is void. */
static uint32_t
number(struct writer *w, ctf_id id)
{
	return id == CTF_ERROR || id > UINT32_MAX || is_void(w, id) ? 0 :
	       (uint32_t)id;
}

/* --- Types ------------------------------------------------------------------ */

static void
integer(struct writer *w, ctf_id id, const char *text)
{
	struct encoding e = { 0 };

	(void)w->l.ctf_type_encoding(w->dict, id, &e);
	record(w, BTF_KIND_INT, text, size_of(w, id));
	put(w, (e.format & INT_SIGNED ? BTF_INT_SIGNED : 0U) << 24 |
	       (e.format & INT_CHAR ? BTF_INT_CHAR : 0U) << 24 |
	       (e.format & INT_BOOL ? BTF_INT_BOOL : 0U) << 24 |
	       (e.offset & 0xff) << 16 | (e.bits & 0xff));
}

static void
array(struct writer *w, ctf_id id)
{
	struct array a = { 0 };

	(void)w->l.ctf_array_info(w->dict, id, &a);
	record(w, BTF_KIND_ARRAY, NULL, 0);
	put(w, number(w, a.of));
	put(w, number(w, a.index));
	put(w, a.n);
}

static void
function(struct writer *w, ctf_id id)
{
	enum { ARGS = 64 };
	struct function f = { .ret = CTF_ERROR };
	ctf_id args[ARGS];

	if (w->l.ctf_func_type_info(w->dict, id, &f) < 0 || f.nargs > ARGS ||
	    w->l.ctf_func_type_args(w->dict, id, ARGS, args) < 0)
		f.nargs = 0;
	size_t at = record(w, BTF_KIND_FUNC_PROTO, NULL, number(w, f.ret));
	for (uint32_t i = 0; i < f.nargs; i++) {
		put(w, 0);
		put(w, number(w, args[i]));
	}
	bool more = f.flags & FUNC_VARARG;
	if (more) {
		put(w, 0);
		put(w, 0);
	}
	count(w, at, f.nargs + more, false);
}

/* A slice is some bits of another type, and has its kind. */
static bool
is_slice(struct writer *w, ctf_id id)
{
	int kind = w->l.ctf_type_kind(w->dict, id);

	return (kind == K_INTEGER || kind == K_FLOAT || kind == K_ENUM) &&
	       w->l.ctf_type_reference(w->dict, id) != CTF_ERROR;
}

/* One whose type is a slice is a bit-field. */
static void
member(struct writer *w, const char *text, ctf_id type, ssize_t offset)
{
	struct encoding e = { 0 };
	uint32_t at = (uint32_t)offset;

	if (is_slice(w, type) &&
	    w->l.ctf_type_encoding(w->dict, type, &e) == 0) {
		at += e.offset;
		type = w->l.ctf_type_reference(w->dict, type);
	}
	put(w, name(w, text));
	put(w, number(w, type));
	put(w, (at & 0xffffff) | e.bits << 24);
}

static void
members(struct writer *w, ctf_id id, const char *text, uint32_t kind)
{
	size_t at = record(w, kind, text, size_of(w, id));
	struct iterator *it = NULL;
	const char *m = NULL;
	ctf_id type = 0;
	uint32_t n = 0;

	for (ssize_t off; (off = w->l.ctf_member_next(w->dict, id, &it, &m,
						      &type, 0)) >= 0; n++)
		member(w, m, type, off);
	count(w, at, n, true);
}

static void
enumerators(struct writer *w, ctf_id id, const char *text)
{
	size_t at = record(w, BTF_KIND_ENUM, text, size_of(w, id));
	struct iterator *it = NULL;
	bool has_negative = false;
	uint32_t n = 0;
	int value;

	for (const char *e; (e = w->l.ctf_enum_next(w->dict, id, &it, &value));
	     n++) {
		put(w, name(w, e));
		put(w, (uint32_t)value);
		has_negative |= value < 0;
	}
	count(w, at, n, has_negative);
}

/* An enum that is only declared is one without values. */
static void
forward(struct writer *w, ctf_id id, const char *text)
{
	int kind = w->l.ctf_type_kind_forwarded(w->dict, id);
	size_t at = kind == K_ENUM ? record(w, BTF_KIND_ENUM, text, 4) :
				     record(w, BTF_KIND_FWD, text, 0);

	count(w, at, 0, kind == K_UNION);
}

/* What refers to one other type. */
static const struct { uint32_t btf; bool has_name; } refers[] = {
	[K_POINTER] = { BTF_KIND_PTR, false },
	[K_TYPEDEF] = { BTF_KIND_TYPEDEF, true },
	[K_VOLATILE] = { BTF_KIND_VOLATILE, false },
	[K_CONST] = { BTF_KIND_CONST, false },
	[K_RESTRICT] = { BTF_KIND_RESTRICT, false },
};

static void
type(struct writer *w, ctf_id id)
{
	const char *text = w->l.ctf_type_name_raw(w->dict, id);
	int kind = is_slice(w, id) ? K_CONST : is_void(w, id) ? K_UNKNOWN :
		   w->l.ctf_type_kind(w->dict, id);

	switch (kind) {
	case K_INTEGER:		integer(w, id, text); return;
	case K_FLOAT:		record(w, BTF_KIND_FLOAT, text, size_of(w, id));
				return;
	case K_ARRAY:		array(w, id); return;
	case K_FUNCTION:	function(w, id); return;
	case K_STRUCT:		members(w, id, text, BTF_KIND_STRUCT); return;
	case K_UNION:		members(w, id, text, BTF_KIND_UNION); return;
	case K_ENUM:		enumerators(w, id, text); return;
	case K_FORWARD:		forward(w, id, text); return;
	}
	/* What has no name and is none of these says nothing: void. */
	if (kind <= K_UNKNOWN || kind > K_RESTRICT)
		record(w, BTF_KIND_CONST, NULL, 0);
	else
		record(w, refers[kind].btf,
		       refers[kind].has_name ? text : NULL,
		       number(w, w->l.ctf_type_reference(w->dict, id)));
}

static void
types(struct writer *w)
{
	struct iterator *it = NULL;
	ctf_id id;

	while ((id = w->l.ctf_type_next(w->dict, &it, NULL, 1)) != CTF_ERROR) {
		while (w->next < id && !w->types.failed)
			record(w, BTF_KIND_CONST, NULL, 0);
		if (w->next == id)
			type(w, id);
	}
}

static void
symbols(struct writer *w)
{
	struct iterator *it = NULL;
	const char *text = NULL;
	ctf_id id;

	while ((id = w->l.ctf_symbol_next(w->dict, &it, &text, 1)) != CTF_ERROR)
		if (number(w, id))
			record(w, BTF_KIND_FUNC, text, number(w, id));
	it = NULL;
	while ((id = w->l.ctf_symbol_next(w->dict, &it, &text, 0)) != CTF_ERROR) {
		record(w, BTF_KIND_VAR, text, number(w, id));
		put(w, BTF_VAR_GLOBAL_ALLOCATED);
	}
	it = NULL;
	while ((id = w->l.ctf_variable_next(w->dict, &it, &text)) != CTF_ERROR) {
		record(w, BTF_KIND_VAR, text, number(w, id));
		put(w, BTF_VAR_STATIC);
	}
}

/* --- The whole --------------------------------------------------------------- */

static struct err *
open_dict(struct writer *w, const struct btftypes_ctf *in)
{
	const struct section of_types = { ".ctf", in->types, in->types_size, 0 };
	const struct section of_names = { ".dynstr", in->names, in->names_size,
					  0 };
	const struct section of_symbols = { ".dynsym", in->symbols,
					    in->symbols_size,
					    in->symbol_size };
	bool has = in->names && in->symbols;
	int why = 0;

	TRY(load(&w->l));
	struct archive *arc = w->l.ctf_arc_bufopen(
		&of_types, has ? &of_symbols : NULL, has ? &of_names : NULL, &why);
	w->dict = arc ? w->l.ctf_dict_open(arc, NULL, &why) : NULL;
	return w->dict ? NULL : err_new(ERR_FORMAT, 0, "its CTF cannot be read: "
					"%s", w->l.ctf_errmsg(why));
}

static void
tell(int fd, const void *p, size_t size)
{
	while (size) {
		ssize_t n = write(fd, p, size);
		if (n <= 0)
			_exit(1);
		p = (const char *)p + n;
		size -= (size_t)n;
	}
}

static struct err *
convert(struct writer *w, const struct btftypes_ctf *in)
{
	TRY(open_dict(w, in));
	sb_putc(&w->names, '\0');
	types(w);
	symbols(w);
	if (w->too_many)
		return err_new(ERR_FORMAT, 0, "its CTF has a struct or enum of "
			       "more than %u parts", BTF_MAX_VLEN);
	if (w->types.failed || w->names.failed)
		return err_new(ERR_FORMAT, 0, "its CTF makes more than %d MB of "
			       "BTF, or there is no memory for it", MAX >> 20);
	return NULL;
}

/* What is written begins with 0, or with 1 and the code of an error. */
static void __attribute__((noreturn))
work(const struct btftypes_ctf *in, int fd)
{
	enum { SECONDS = 10 };
	const struct rlimit seconds = { SECONDS, SECONDS }, none = { 0, 0 };
	struct writer w = { .next = 1 };

	(void)setrlimit(RLIMIT_CPU, &seconds);
	(void)setrlimit(RLIMIT_CORE, &none);
	sb_init(&w.types, MAX);
	sb_init(&w.names, MAX);
	struct err *e = convert(&w, in);
	struct btf_header h = {
		.magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof(h),
		.type_len = (uint32_t)w.types.len,
		.str_off = (uint32_t)w.types.len,
		.str_len = (uint32_t)w.names.len,
	};
	uint32_t head[2] = { e != NULL, e ? (uint32_t)e->code : 0 };
	tell(fd, head, sizeof(head));
	if (e) {
		tell(fd, e->text, strlen(e->text) + 1);
	} else {
		tell(fd, &h, sizeof(h));
		tell(fd, w.types.p, w.types.len);
		tell(fd, w.names.p, w.names.len);
	}
	_exit(0);
}

/* --- And reading it ------------------------------------------------------------ */

bool
btftypes_ctf_is_dynamic(const void *data, size_t size)
{
	const uint8_t *p = data;
	uint16_t magic;

	if (size < 4)
		return true;
	memcpy(&magic, p, sizeof(magic));
	return magic != PREAMBLE_MAGIC || p[3] & PREAMBLE_DYNSTR;
}

static struct err *
wait_for(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return err_new(ERR_OS, errno, "cannot wait for what "
				       "reads its CTF: %s", strerror(errno));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return NULL;
	return err_new(ERR_FORMAT, 0, "its CTF is broken: " LIBRARY " %s",
		       WIFEXITED(status) ? "has no memory" :
		       WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL ?
		       "did not come to an end" : "crashed");
}

static struct err *
take(int fd, void **ret, size_t *size)
{
	struct stat st;
	uint32_t head[2];

	if (fstat(fd, &st) < 0 || st.st_size <= (off_t)sizeof(head) ||
	    pread(fd, head, sizeof(head), 0) != sizeof(head))
		return err_new(ERR_FORMAT, 0, "its CTF cannot be read");
	*size = (size_t)st.st_size - sizeof(head);
	CLEANUP(util_freep) char *p = util_alloc(*size);
	if (!p)
		return &err_nomem;
	if (pread(fd, p, *size, sizeof(head)) != (ssize_t)*size)
		return err_new(ERR_FORMAT, 0, "its CTF cannot be read");
	if (head[0])
		return err_new(head[1] == ERR_UNSUPPORTED ? ERR_UNSUPPORTED :
			       ERR_FORMAT, 0, "%.*s", (int)*size, p);
	*ret = p;
	p = NULL;
	return NULL;
}

struct err *
btftypes_from_ctf(const struct btftypes_ctf *in, void **ret, size_t *size)
{
	CLEANUP(util_closep) int fd = memfd_create("ctf", MFD_CLOEXEC);
	pid_t pid = fd < 0 ? -1 : fork();

	if (pid == 0)
		work(in, fd);
	if (pid < 0)
		return err_new(ERR_OS, errno, "no process to read its CTF: %s",
			       strerror(errno));
	TRY(wait_for(pid));
	return take(fd, ret, size);
}
