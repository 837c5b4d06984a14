/* flags: -q
 * The bytes of a string, without the NUL. */
BEGIN
{
	printf("%d %d %d\n", strlen(""), strlen("a"), strlen("hello, world"));
	printf("%d\n", strlen(strjoin("abc", "defg")));
	exit(0);
}
