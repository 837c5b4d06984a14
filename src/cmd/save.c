/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dtrace -A: have a program that was found good run from the next boot on.  What is
 * kept is a shell script, which is all that an init of any kind needs; for systemd
 * there is a unit that runs it.  Files of programs are copied, because the disk that
 * they lie on may not be there so early.
 *
 * Whatever is there before is taken away first, and the script is put in its place
 * last, whole.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cmd/anon.h"

__attribute__((noreturn)) static void
failed(const char *path)
{
	cmd_message("cannot save to %s: %s", path, strerror(errno));
	cmd_finish(E_FATAL);
}

/* --- Taking away ---------------------------------------------------------- */

/* Was it there? */
static bool
take_away(const char *path)
{
	if (!unlink(path))
		return true;
	if (errno != ENOENT && errno != ENOTDIR)
		failed(path);
	return false;
}

static void
remove_copies(void)
{
	const char *dir = cmd_anon_path(ANON_COPIES);
	DIR *d = opendir(dir);
	struct dirent *f;

	while (d && (f = readdir(d)))
		if (*f->d_name != '.' && unlinkat(dirfd(d), f->d_name, 0))
			failed(dir);
	if (d)
		closedir(d);
	if (rmdir(dir) && errno != ENOENT)
		failed(dir);
}

/* The script first: without it the others do nothing. */
static bool
remove_all(void)
{
	bool was = take_away(cmd_anon_path(ANON_SCRIPT));

	take_away(cmd_anon_path(ANON_WANTS "/" ANON_UNIT));
	take_away(cmd_anon_path(ANON_UNITS "/" ANON_UNIT));
	remove_copies();
	return was;
}

void
cmd_anon_remove(void)
{
	if (remove_all())
		cmd_message("cleaned up old anonymous enabling in %s",
			    cmd_anon_path(ANON_SCRIPT));
	else
		cmd_message("there was no anonymous enabling to clean up");
	cmd_finish(E_OK);
}

/* --- Writing -------------------------------------------------------------- */

static FILE *
create(const char *path, mode_t mode)
{
	if (!cmd_anon_folders(path, 0755))
		failed(path);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	FILE *fp = fd < 0 ? NULL : fdopen(fd, "w");

	if (!fp)
		failed(path);
	return fp;
}

/* It is to be there after a boot, and a boot may be because of a crash. */
static void
complete(FILE *fp, const char *path)
{
	if (fflush(fp) || fsync(fileno(fp)) || fclose(fp))
		failed(path);
}

static void
copy_stream(FILE *from, FILE *to, const char *path)
{
	char room[1 << 16];
	size_t n;

	while ((n = fread(room, 1, sizeof(room), from)))
		fwrite(room, 1, n, to);
	if (ferror(from))
		failed(path);
}

/* What comes from a pipe is read twice: by the compiler, and to be kept. */
void
cmd_anon_keep_input(const struct options *o)
{
	bool wanted = false;
	int fd;

	for (int i = 0; i < o->nreqs; i++)
		wanted |= o->reqs[i].spec == DTRACE_PROBESPEC_NONE &&
			  !strcmp(o->reqs[i].arg, "-");
	if (!wanted)
		return;
	FILE *kept = (fd = memfd_create("stdin", MFD_CLOEXEC)) < 0 ? NULL :
		fdopen(fd, "w+");
	if (!kept)
		failed("memory");
	copy_stream(stdin, kept, "standard input");
	rewind(kept);
	if (dup2(fd, STDIN_FILENO) < 0)
		failed("memory");
	clearerr(stdin);
}

static FILE *
open_program(const char *name)
{
	FILE *fp = strcmp(name, "-") ? fopen(name, "re") : stdin;

	if (!fp)
		failed(name);
	if (fp == stdin)
		rewind(stdin);
	return fp;
}

/* Copy program number n; the path of the copy. */
static const char *
copy_program(const char *name, int n)
{
	char copy[sizeof(ANON_COPIES) + 32];
	FILE *from = open_program(name);

	snprintf(copy, sizeof(copy), ANON_COPIES "/%d.d", n);
	const char *path = cmd_anon_path(copy);
	FILE *to = create(path, 0600);
	copy_stream(from, to, name);
	complete(to, path);
	if (from != stdin)
		fclose(from);
	return path;
}

/* Between quotes of the shell. */
static void
put_word(FILE *fp, const char *word)
{
	putc('\'', fp);
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", fp);
		else
			putc(*word, fp);
	putc('\'', fp);
}

static void
put_flag(FILE *fp, const char *flag, const char *word)
{
	fprintf(fp, " \\\n\t%s ", flag);
	put_word(fp, word);
}

/* What a script includes is looked for where the script was. */
static void
put_folder(FILE *fp, const char *name)
{
	char path[PATH_MAX], *end;
	int64_t cpp = 0;

	if (dtrace_getopt(cmd_handle, "cpp", &cpp) || cpp <= 0 ||
	    !realpath(name, path) || !(end = strrchr(path, '/')))
		return;
	*end = '\0';
	put_flag(fp, "-I", *path ? path : "/");
}

static void
put_request(FILE *fp, const struct request *r, int n)
{
	static const char *const flags[] = {
		[DTRACE_PROBESPEC_PROVIDER] = "-P",
		[DTRACE_PROBESPEC_MOD] = "-m",
		[DTRACE_PROBESPEC_FUNC] = "-f",
		[DTRACE_PROBESPEC_NAME] = "-n",
	};
	bool file = r->spec == DTRACE_PROBESPEC_NONE;

	put_flag(fp, file ? "-s" : flags[r->spec],
		 file ? copy_program(r->arg, n) : r->arg);
	if (file && strcmp(r->arg, "-"))
		put_folder(fp, r->arg);
}

/* Options that came with the environment. */
static void
put_environment(FILE *fp)
{
	static const char prefix[] = "DTRACE_OPT_";

	for (char **e = environ; *e; e++) {
		const char *value = strchr(*e, '=');
		if (!value || strncmp(*e, prefix, sizeof(prefix) - 1))
			continue;
		fprintf(fp, "export %.*s=", (int)(value - *e), *e);
		put_word(fp, value + 1);
		putc('\n', fp);
	}
}

static void
put_script(FILE *fp, const struct options *o)
{
	char here[PATH_MAX], self[PATH_MAX] = "";

	fputs("#!/bin/sh\n# Made by dtrace -A; dtrace -A without a program "
	      "takes it away.\n# To be run as root, early in a boot; it comes "
	      "back when probes fire.\n", fp);
	put_environment(fp);
	if (getcwd(here, sizeof(here))) {
		fputs("cd ", fp);
		put_word(fp, here);
		fputs(" 2>/dev/null || cd /\n", fp);
	}
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		failed("/proc/self/exe");
	fputs("exec ", fp);
	put_word(fp, self);
	fputs(" --anon-start", fp);
	if (*cmd_anon_root)
		put_flag(fp, "--anon-root", cmd_anon_root);
	for (int i = 0; i < o->nsets; i++)
		put_flag(fp, "-x", o->sets[i]);
	for (int i = 0; i < o->nreqs; i++)
		put_request(fp, &o->reqs[i], i + 1);
	fputs(" \\\n\t--", fp);
	for (int i = 1; i < o->nargs; i++) {
		putc(' ', fp);
		put_word(fp, o->args[i]);
	}
	putc('\n', fp);
}

static void
write_script(const struct options *o)
{
	const char *new = cmd_anon_path(ANON_SCRIPT ".new");

	take_away(new);
	FILE *fp = create(new, 0700);
	put_script(fp, o);
	new = cmd_anon_path(ANON_SCRIPT ".new");
	complete(fp, new);
	if (rename(new, cmd_anon_path(ANON_SCRIPT)))
		failed(new);
	cmd_message("saved anonymous enabling in %s",
		    cmd_anon_path(ANON_SCRIPT));
}

/* --- systemd -------------------------------------------------------------- */

static bool
has_systemd(void)
{
	return !access(cmd_anon_path("run/systemd/system"), F_OK) ||
	       !access(cmd_anon_path("usr/lib/systemd/system"), F_OK) ||
	       !access(cmd_anon_path("lib/systemd/system"), F_OK);
}

/* Before what mounts disks and finds devices; what begins later begins when the
 * script has come back, which is when probes fire. */
static void
write_unit(void)
{
	const char *unit = cmd_anon_path(ANON_UNITS "/" ANON_UNIT);
	const char *want = cmd_anon_path(ANON_WANTS "/" ANON_UNIT);
	FILE *fp = create(unit, 0644);

	fprintf(fp, "# Made by dtrace -A; dtrace -A without a program takes it "
		"away.\n"
		"[Unit]\n"
		"Description=Anonymous tracing\n"
		"Documentation=man:dtrace(8)\n"
		"DefaultDependencies=no\n"
		"Wants=sys-kernel-tracing.mount\n"
		"After=sys-kernel-tracing.mount\n"
		"Before=systemd-udevd.service systemd-modules-load.service\n"
		"Before=local-fs-pre.target sysinit.target shutdown.target\n"
		"Conflicts=shutdown.target\n"
		"\n[Service]\n"
		"Type=forking\n"
		"ExecStart=/bin/sh %s\n"
		"TimeoutStartSec=60\n"
		"TimeoutStopSec=5\n"
		"LimitMEMLOCK=infinity\n"
		"\n[Install]\n"
		"WantedBy=sysinit.target\n", cmd_anon_path(ANON_SCRIPT));
	complete(fp, unit);
	if (!cmd_anon_folders(want, 0755) ||
	    (symlink("../" ANON_UNIT, want) && errno != EEXIST))
		failed(want);
	cmd_message("added the unit %s",
		    cmd_anon_path(ANON_UNITS "/" ANON_UNIT));
}

void
cmd_anon_save(const struct options *o)
{
	bool systemd = has_systemd();

	remove_all();
	write_script(o);
	if (systemd)
		write_unit();
	else
		cmd_message("without systemd, have %s run early in a boot",
			    cmd_anon_path(ANON_SCRIPT));
	cmd_message("reboot to enable changes");
	cmd_finish(E_OK);
}
