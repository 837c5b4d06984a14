/* printf adds nothing; the row ends in one newline. */
BEGIN
{
	printf("a\n");
	printf("b");
}

BEGIN
{
	exit(0);
}
