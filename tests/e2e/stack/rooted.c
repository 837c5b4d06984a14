/* With three arguments: in that root, execute that program so often, and stay a while, as
 * the first process of a container does.  Else: one write of a
 * function whose name is chosen when this is compiled. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) int
NAME(void)
{
	return write(-1, "", 0) > 0;
}

int
main(int argc, char **argv)
{
	if (argc != 4)
		return NAME();
	if (chroot(argv[1]) || chdir("/"))
		return 1;
	for (int i = atoi(argv[3]); i > 0; i--) {
		pid_t pid = fork();
		if (!pid) {
			execl(argv[2], argv[2], NULL);
			_exit(1);
		}
		waitpid(pid, NULL, 0);
	}
	sleep(2);
	return 0;
}
