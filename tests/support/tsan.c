/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Does ThreadSanitizer run here?  That of gcc 12 and 13 dies at some of the places
 * where a kernel with vm.mmap_rnd_bits above 28 puts a program, so one start does
 * not tell.
 */
#include <sys/wait.h>
#include <unistd.h>

enum { STARTS = 50 };

int
main(int argc, char **argv)
{
	for (int i = 0; argc == 1 && i < STARTS; i++) {
		int status, pid = fork();

		if (pid == 0)
			_exit(execl("/proc/self/exe", "tsan", "again", NULL));
		if (waitpid(pid, &status, 0) != pid || status != 0)
			return 1;
	}
	return 0;
}
