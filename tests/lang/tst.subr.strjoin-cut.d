/* flags: -q -x strsize=8
 * Seven bytes and a NUL. */
BEGIN
{
	printf("[%s]\n", strjoin("abcde", "fghij"));
	printf("%d\n", strlen(strjoin("abcde", "fghij")));
	exit(0);
}
