/* Only the members that are used are evaluated: the others may fault. */
#pragma D option quiet

struct out { int good; int bad; };
translator struct out < int *P > { good = 7; bad = *P; };

BEGIN
{
	printf("%d\n", xlate <struct out>((int *)8).good);
}

BEGIN
{
	printf("%d\n", xlate <struct out>((int *)8).bad);
}

ERROR
{
	printf("fault %d at %d\n", arg4, arg5);
	exit(0);
}
