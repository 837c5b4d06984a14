/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A program that does what a watcher of processes is to see: it forks a child,
 * which executes the program anew; that loads the library argv[1] and ends.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	int status;

	if (argc < 2)
		return 2;
	if (argc == 3)
		return dlopen(argv[1], RTLD_NOW) ? 0 : 3;
	pid_t pid = fork();
	if (pid == 0) {
		execl("/proc/self/exe", argv[0], argv[1], "load", (char *)NULL);
		_exit(4);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return 5;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 6;
}
