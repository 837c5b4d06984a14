#pragma D option quiet

/* A program's own types come before those of the libraries. */
typedef int hrtime_t;
struct timespec {
	char c;
};
enum { B_TRUE = 7 };

BEGIN
{
	printf("%d %d %d %d\n", sizeof (hrtime_t), sizeof (struct timespec),
	    B_TRUE, sizeof (struct timeval));
	exit(0);
}
