/* flags: -q */
/* A predicate may divide. */
BEGIN
/10 / 5 == 2/
{
	printf("one\n");
}

BEGIN
/ (8 / 2 / 2) == 2 && 1 /
{
	printf("two\n");
}

BEGIN
/0/
{
	printf("never\n");
}

BEGIN
{
	printf("%d\n", 100 / 7 / 2);
	exit(0);
}
