#pragma D option quiet

/* extern tells of an array whose size another declaration has. */
extern int a[];
int a[3];
extern int a[];
extern int never_used[];

BEGIN
{
	a[2] = 7;
	printf("%d %d\n", sizeof (a), a[2]);
	exit(0);
}
