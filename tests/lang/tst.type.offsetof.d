/* Where members lie. */
#pragma D option quiet

struct in { int i; short s; };
struct s {
	char c;
	int i;
	double d;
	struct in in;
	char last;
};

inline int WHERE = offsetof(struct s, in);

BEGIN
{
	printf("%d %d %d %d\n", offsetof(struct s, c), offsetof(struct s, i),
	    offsetof(struct s, d), offsetof(struct s, last));
	printf("%d\n", WHERE);
	printf("%d\n", offsetof(struct s, in) - offsetof(struct s, d));
	exit(0);
}
