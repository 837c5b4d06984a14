/* sizeof, of types and of expressions, which are not evaluated. */
#pragma D option quiet

int v[10];
int i;

BEGIN
{
	printf("%d %d %d %d %d\n", sizeof (char), sizeof (short),
	    sizeof (int), sizeof (long), sizeof (long long));
	printf("%d %d %d %d\n", sizeof (void *), sizeof (size_t),
	    sizeof (pid_t), sizeof (uintptr_t));
	printf("%d %d %d\n", sizeof (string), sizeof ("hello"),
	    sizeof (int8_t));
	printf("%d %d %d\n", sizeof (v) / sizeof (v[0]), sizeof (v),
	    sizeof (i++) + i);
	printf("%d %d\n", sizeof ('a'), sizeof (1LL));
	exit(0);
}
