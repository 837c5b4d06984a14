#pragma D option quiet

/* A typedef that names nothing still has a struct in it. */
typedef struct foo {
	int a;
};
struct foo f;

BEGIN
{
	f.a = 3;
	printf("%d\n", f.a);
	exit(0);
}
