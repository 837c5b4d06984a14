/* A megabyte of blanks is the most. */
BEGIN
{
	printf("%1048576d\n", 1);
	printf("%1048577d\n", 1);
	exit(0);
}
