/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which files a program that has not run yet will map.  Only the dynamic linker knows
 * which libraries it finds and where, so it is asked: it lists them, and runs nothing
 * of the program.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sym/file.h"
#include "util/cleanup.h"

enum { PATH_SIZE = 4096 };

/* What executes the file: the dynamic linker of a program, or a script's interpreter. */
enum how { BY_ITSELF, BY_LINKER, BY_INTERPRETER };

static enum how
read_how(const char *path, char by[PATH_SIZE])
{
	CLEANUP(util_closep) int fd = open(path, O_RDONLY | O_CLOEXEC |
					   O_NONBLOCK);
	struct sym_section s;
	ssize_t n = fd < 0 ? 0 : pread(fd, by, PATH_SIZE - 1, 0);

	by[n < 0 ? 0 : n] = 0;
	if (n > 2 && !memcmp(by, "#!", 2)) {
		size_t from = 2 + strspn(by + 2, " \t");
		by[from + strcspn(by + from, " \t\n")] = 0;
		memmove(by, by + from, strlen(by + from) + 1);
		return *by == '/' ? BY_INTERPRETER : BY_ITSELF;
	}
	if (n < 4 || memcmp(by, "\177ELF", 4))
		return BY_ITSELF;
	struct err *e = sym_elf_section(fd, ".interp", &s);
	if (e) {
		err_free(e);
		return BY_ITSELF;
	}
	snprintf(by, PATH_SIZE, "%.*s", (int)s.size, (char *)s.data);
	sym_section_fini(&s);
	return BY_LINKER;
}

/* "linker --list path", whose output can be read at *fd; false: it cannot. */
static bool
start(const char *linker, const char *path, pid_t *pid, int *fd)
{
	char *argv[] = { (char *)linker, (char *)"--list", (char *)path, NULL };
	posix_spawn_file_actions_t acts;
	posix_spawnattr_t attr;
	sigset_t none;
	int ends[2], e;

	if (pipe2(ends, O_CLOEXEC))
		return false;
	posix_spawnattr_init(&attr);
	sigemptyset(&none);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
	e = posix_spawn_file_actions_init(&acts);
	if (!e) {
		posix_spawn_file_actions_addopen(&acts, 0, "/dev/null", O_RDONLY,
						 0);
		posix_spawn_file_actions_adddup2(&acts, ends[1], 1);
		posix_spawn_file_actions_addopen(&acts, 2, "/dev/null", O_WRONLY,
						 0);
		e = posix_spawn(pid, linker, &acts, &attr, argv, environ);
		posix_spawn_file_actions_destroy(&acts);
	}
	posix_spawnattr_destroy(&attr);
	close(ends[1]);
	if (e)
		close(ends[0]);
	*fd = ends[0];
	return !e;
}

/* "	libc.so.6 => /lib/libc.so.6 (0x7f...)" and the like. */
static void
tell_line(char *line, sym_path_fn *fn, void *ctx)
{
	char *path = strchr(line, '/'), *end = path ? strstr(path, " (0x") : NULL;

	if (!end)
		return;
	*end = 0;
	char *arrow = strstr(path, " => ");
	fn(ctx, arrow ? arrow + 4 : path);
}

static void
tell_libraries(const char *linker, const char *path, sym_path_fn *fn, void *ctx)
{
	char line[2 * PATH_SIZE];
	pid_t pid;
	int fd;

	if (!start(linker, path, &pid, &fd))
		return;
	FILE *f = fdopen(fd, "r");
	while (f && fgets(line, sizeof(line), f))
		tell_line(line, fn, ctx);
	if (f)
		fclose(f);
	else
		close(fd);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

void
sym_program_files(const char *path, sym_path_fn *fn, void *ctx)
{
	char by[PATH_SIZE], linker[PATH_SIZE];
	enum how how = read_how(path, by);

	if (how == BY_INTERPRETER) {
		path = by;
		how = read_how(path, linker);
	} else {
		memcpy(linker, by, sizeof(linker));
	}
	fn(ctx, path);
	if (how != BY_LINKER)
		return;
	fn(ctx, linker);
	tell_libraries(linker, path, fn, ctx);
}
