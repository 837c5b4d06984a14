/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The C preprocessor: another program, given the text and asked for another.
 *
 * The text is a file in memory, so that neither side waits for the other, and
 * what comes back is read as it comes, up to what a program may be long.  The text
 * is standard input, not the script itself, because its first line may
 * be "#!...", which no preprocessor takes.  So a #line says where it comes from,
 * and -iquote where "..." is looked for.  What cpp complains of goes to our
 * standard error; lines and files of its output are known by its markers, as by
 * any #line (lang/line.c).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "session/program_priv.h"
#include "util/cleanup.h"
#include "util/guard.h"

static const char failed[] = "Preprocessor failed to process input program";

/* --- The command ---------------------------------------------------------- */

struct command {
	struct arena *a;
	VEC(char *) argv;
	bool nomem;
};

static void
add(struct command *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void
add(struct command *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	char *text = arena_vprintf(c->a, fmt, ap);
	va_end(ap);
	if (!text || !vec_push(&c->argv, text))
		c->nomem = true;
}

/* flag + each part of list, which are divided by any of sep. */
static void
add_each(struct command *c, const char *flag, const char *list,
	 const char *sep)
{
	while (list && *(list += strspn(list, sep))) {
		size_t n = strcspn(list, sep);
		add(c, "%s%.*s", flag, (int)n, list);
		list += n;
	}
}

/* What D programs may ask for. */
static void
add_predefined(struct command *c, const struct session *s)
{
	struct utsname u;

	add(c, "-D__SUNW_D=1");
	add(c, "-D__SUNW_D_VERSION=0x%08x", sema_version(s->sema));
	add(c, "-D__unix=1");
	add(c, "-D__SVR4=1");
	add(c, "-D__linux=1");
	if (!uname(&u))
		add(c, "-D__%s=1", u.sysname);
	add(c, "-Uunix");	/* names like any, and of a module elsewhere */
	add(c, "-Ulinux");
#ifdef __x86_64__
	add(c, "-D__x86_64=1");
	add(c, "-D__amd64=1");
#endif
#ifdef __aarch64__
	add(c, "-D__aarch64=1");
#endif
}

static bool
make_command(struct command *c, const struct session *s, const char *name)
{
	char *const *opt = s->opts.s;
	const char *slash = name ? strrchr(name, '/') : NULL;

	add(c, "%s", opt[OPT_CPPPATH] ? opt[OPT_CPPPATH] : "cpp");
	add(c, "%s", s->opts.v[OPT_STDC] == OPT_DIALECT_S ?
	    "-traditional-cpp" : "-std=gnu99");
	add_predefined(c, s);
	if (s->opts.v[OPT_CPPHDRS] > 0)
		add(c, "-H");
	if (slash) {
		add(c, "-iquote");
		add(c, "%.*s", (int)BASE_MAX(slash - name, 1), name);
	}
	add_each(c, "-I", opt[OPT_INCDIR], "\n");
	add_each(c, "-D", opt[OPT_DEFINE], "\n");
	add_each(c, "-U", opt[OPT_UNDEF], "\n");
	add_each(c, "", opt[OPT_CPPARGS], " \t\n");
	add(c, "-");
	return vec_push(&c->argv, NULL) && !c->nomem;
}

/* --- Running it ----------------------------------------------------------- */

static struct err *
os_error(const char *what)
{
	return err_new(ERR_OS, errno, "%s: %s: %s", failed, what,
		       strerror(errno));
}

static struct err *
put(int fd, const char *p, size_t n)
{
	for (ssize_t done; n; p += done, n -= (size_t)done)
		if ((done = write(fd, p, n)) < 0)
			return os_error("write");
	return NULL;
}

/* The text as cpp is to see it, from its start. */
static struct err *
put_input(struct session *s, int fd, const char *name, const char *text,
	  size_t size)
{
	bool plain = name && !strpbrk(name, "\"\\\n");
	const char *mark = plain ? arena_printf(s->a, "#line 1 \"%s\"\n",
						name) : "";
	size_t skip = 0;

	if (!mark)
		return &err_nomem;
	if (size > 2 && !memcmp(text, "\xef\xbb\xbf", 3))
		skip = 3;	/* which cpp expects at the start alone */
	if (skip + 1 < size && text[skip] == '#' && text[skip + 1] == '!')
		while (skip < size && text[skip] != '\n')
			skip++;
	TRY(put(fd, mark, strlen(mark)));
	TRY(put(fd, text + skip, size - skip));
	if (lseek(fd, 0, SEEK_SET) < 0)
		return os_error("lseek");
	return NULL;
}

/* All that comes from fd, up to the limit of programs. */
static struct err *
read_output(int fd, struct sb *b)
{
	char buf[1 << 16];
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) != 0) {
		if (n < 0 && errno != EINTR)
			return os_error("read");
		if (n > 0)
			sb_putn(b, buf, (size_t)n);
		if (b->failed && b->len + (size_t)n < b->max)
			return &err_nomem;
		if (b->failed)
			return err_new(ERR_LIMIT, 0, "the preprocessed program "
				       "is longer than %d bytes",
				       SESSION_TEXT_MAX);
	}
	return NULL;
}

/* Whatever becomes of us, the preprocessor does not stay behind. */
static struct err *
run(char *const *argv, int in, struct sb *output)
{
	struct guard_program p = { argv[0], argv, { in, -1, -1 }, false };
	struct guard g;
	int status, out[2];

	if (pipe2(out, O_CLOEXEC))
		return os_error("pipe");
	CLEANUP(util_closep) int from = out[0];
	p.fds[1] = out[1];
	struct err *e = guard_start(&p, &g);
	close(out[1]);
	if (e)
		return e;
	e = read_output(from, output);
	if (e) {
		guard_kill(&g);
		return e;
	}
	e = guard_wait(&g, &status);
	if (e) {
		struct err *why = err_new(ERR_OS, e->os, "%s: cannot run %s: "
					  "%s", failed, argv[0], e->text);
		err_free(e);
		return why;
	}
	return status ? err_new(ERR_COMPILE, 0, "%s", failed) : NULL;
}

struct err *
session_cpp(struct session *s, const char *name, const char **text,
	    size_t *size)
{
	CLEANUP(util_closep) int in = memfd_create("d", MFD_CLOEXEC);
	CLEANUP(sb_fini) struct sb output;
	struct command c = { .a = s->a };

	sb_init(&output, SESSION_TEXT_MAX + 1);
	if (in < 0)
		return os_error("memfd_create");
	TRY(put_input(s, in, name, *text, *size));
	struct err *e = make_command(&c, s, name) ? run(c.argv.v, in, &output)
						  : &err_nomem;
	vec_fini(&c.argv);
	if (e)
		return e;
	char *done = arena_memdup(s->a, sb_str(&output), output.len + 1);
	if (!done)
		return &err_nomem;
	session_only_types(done, output.len);
	*text = done;
	*size = output.len;
	return NULL;
}
