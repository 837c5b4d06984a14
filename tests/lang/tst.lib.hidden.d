/* A program's own definitions hide those of libraries. */
#pragma D option quiet

inline int SIGHUP = 1000;
enum { SIGINT = 2000 };
int ENOENT;

BEGIN
{
	ENOENT = 3000;
	printf("%d %d %d\n", SIGHUP, SIGINT, ENOENT);
	/* Of the same libraries. */
	printf("%d %d\n", SIGKILL, EINTR);
	printf("%d %d %d\n", SIGHUP, SIGINT, ENOENT);
	exit(0);
}
