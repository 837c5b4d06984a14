/* flags: -q -C */
/* The system's headers: constants and types of C, whatever else is in them. */
#include <sys/types.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <arpa/inet.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <limits.h>
#include <linux/futex.h>

struct mine {
	struct sockaddr_in addr;
	mode_t mode;
};

BEGIN
{
	printf("%d %d %d\n", AF_INET, SOCK_STREAM, IPPROTO_TCP);
	printf("%d %d\n", sizeof (struct sockaddr_in), sizeof (struct mine));
	printf("%d\n", offsetof(struct sockaddr_in, sin_addr));
	printf("%d %d\n", sizeof (struct sockaddr_un), sizeof (struct tcphdr));
	printf("%d %o %o\n", sizeof (struct stat), S_IFMT, O_CREAT);
	printf("%d %x %x\n", SIGUSR1, EPOLLIN, EPOLLET);
	printf("%d %d\n", PATH_MAX, FUTEX_WAKE);
	linux = errno;
	printf("%d %d\n", linux, ENOENT);
	exit(0);
}
